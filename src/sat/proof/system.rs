//! What [`proof`](super) proves something about: moments of runs as sets of facts, and
//! the clauses of a step from one to the next.
//!
//! A fact is something that a run still has to do, so fewer are better: if a moment has a
//! step to another one, each subset of the first has a step to each superset of
//! the second. Steps are as liberal as they can be, facts may be added and rounds may go on
//! although they could end; no run gains by that.

use crate::dag::Shape;
use crate::id::{Id, IdVec};
use crate::lwaa::{Leaf, LocationId, Lwaa, TransitionId};
use crate::sat::certificate::Fact;
use crate::sat::solver::{Literal, Solver};
use crate::sat::template::Template;
use crate::word::AtomId;

/// The facts of an automaton: locations, then untils that are owed, then missing
/// rounds. A number for each.
pub(super) struct System<'l> {
    lwaa: &'l Lwaa,
    template: Template,
    n_rounds: usize,
    /// The facts that are true at the beginning.
    is_initial: Vec<bool>,
    /// Initial locations that stay for ever.
    permanent: Vec<LocationId>,
}

/// How a step was taken.
pub(super) struct Taken {
    truths: IdVec<TransitionId, bool>,
    /// By until.
    loops: Vec<bool>,
}

impl<'l> System<'l> {
    pub(super) fn new(lwaa: &'l Lwaa) -> Self {
        let template = Template::new(lwaa);
        let mut is_initial = vec![false; lwaa.n_locations()];
        for &location in lwaa.initial() {
            is_initial[location.index()] = true;
        }
        is_initial.resize(lwaa.n_locations() + template.untils().len(), true);
        let stays = |&id: &LocationId| {
            let itself = |&part: &TransitionId| {
                lwaa.transitions().shape(part) == Shape::Leaf(Leaf::Location(id))
            };
            match lwaa.transitions().shape(lwaa.location(id).step) {
                Shape::And(list) => list.iter().any(itself),
                _ => itself(&lwaa.location(id).step),
            }
        };
        let permanent = lwaa.initial().iter().copied().filter(stays).collect();
        Self { lwaa, template, n_rounds: 0, is_initial, permanent }
    }

    pub(super) fn n_facts(&self) -> usize {
        self.is_initial.len()
    }

    pub(super) fn n_rounds(&self) -> usize {
        self.n_rounds
    }

    pub(super) fn is_initial(&self, fact: usize) -> bool {
        self.is_initial[fact]
    }

    /// Locations that are always present.
    pub(super) fn permanent(&self) -> &[LocationId] {
        &self.permanent
    }

    /// One more round is to be finished. What is known about fewer stays true: a
    /// run with more to do is also a run with less.
    pub(super) fn add_round(&mut self) {
        self.n_rounds += 1;
        self.is_initial.push(true);
    }

    /// The fact that at least so many rounds are missing.
    pub(super) fn missing(&self, number: usize) -> usize {
        self.owed(self.template.untils().len()) + number - 1
    }

    fn owed(&self, until: usize) -> usize {
        self.template.n_locations() + until
    }

    /// The fact as a certificate calls it.
    pub(super) fn fact(&self, fact: usize) -> Fact {
        let untils = self.template.untils();
        let Some(beyond) = fact.checked_sub(self.owed(0)) else {
            return Fact::Present(LocationId::new(fact));
        };
        match untils.get(beyond) {
            Some(&until) => Fact::Owed(until),
            None => Fact::Missing(beyond - untils.len() + 1),
        }
    }

    /// The variables of a step are those of a frame, the locations of the next
    /// one, a variable for the end of a round, and two for each other fact.
    pub(super) fn n_variables(&self) -> usize {
        self.ended() + 1 + 2 * (self.n_facts() - self.template.n_locations())
    }

    fn ended(&self) -> usize {
        self.template.n_variables() + self.template.n_locations()
    }

    /// The variable for a fact before the step.
    pub(super) fn here(&self, fact: usize) -> usize {
        match fact.checked_sub(self.template.n_locations()) {
            None => fact,
            Some(beyond) => self.ended() + 1 + 2 * beyond,
        }
    }

    /// The variable for a fact after the step.
    pub(super) fn next(&self, fact: usize) -> usize {
        match fact.checked_sub(self.template.n_locations()) {
            None => self.template.n_variables() + fact,
            Some(beyond) => self.ended() + 2 + 2 * beyond,
        }
    }

    /// Adds the clauses of a step.
    pub(super) fn write<'a>(&self, solver: &mut impl Solver<'a>) {
        let here = |fact| Literal::positive(self.here(fact));
        let next = |fact| Literal::positive(self.next(fact));
        let ended = Literal::positive(self.ended());
        // A location of the next frame follows the variables of a frame here, too.
        self.template.clauses().for_each(|clause| solver.add_clause(clause));
        for location in &self.permanent {
            solver.add_clause(&[here(location.index())]);
            solver.add_clause(&[next(location.index())]);
        }
        for until in 0..self.template.untils().len() {
            let looped = Literal::positive(self.template.taken_loop(until));
            let owed = self.owed(until);
            solver.add_clause(&[!here(owed), !looped, next(owed)]);
            solver.add_clause(&[!here(owed), !looped, !ended]);
            solver.add_clause(&[!ended, next(owed)]);
        }
        for number in 1..=self.n_rounds {
            let missing = self.missing(number);
            solver.add_clause(&[!here(missing), ended, next(missing)]);
            if 1 < number {
                solver.add_clause(&[!here(missing), !ended, next(missing - 1)]);
            }
        }
    }

    /// The facts that are *not* in the largest moment from which the step of the
    /// solver's solution leads to the largest moment without the facts `after`.
    pub(super) fn before<'a>(
        &self,
        solver: &impl Solver<'a>,
        after: &[usize],
        taken: &mut Taken,
    ) -> Vec<usize> {
        let is_true = |variable| solver.value(Literal::positive(variable));
        let mut is_after = vec![true; self.n_facts()];
        for &fact in after {
            is_after[fact] = false;
        }
        let ended = is_true(self.ended());
        taken.loops.clear();
        for until in 0..self.template.untils().len() {
            let owed = self.owed(until);
            // To take a loop is no harm if it may be owed.
            let is_free = !ended && is_after[owed];
            taken.loops.push(is_free || is_true(self.template.taken_loop(until)));
        }
        self.evaluate(solver, &is_after, taken);
        let mut missing: Vec<usize> = Vec::new();
        for (id, location) in self.lwaa.locations() {
            if !taken.truths[location.step] {
                missing.push(id.index());
            }
        }
        for (until, &looped) in taken.loops.iter().enumerate() {
            let owed = self.owed(until);
            if looped && (ended || !is_after[owed]) {
                missing.push(owed);
            }
        }
        for number in 1..=self.n_rounds {
            let fact = self.missing(number);
            let is_possible =
                if ended { number == 1 || is_after[fact - 1] } else { is_after[fact] };
            if !is_possible {
                missing.push(fact);
            }
        }
        missing
    }

    /// Finds out which transition formulas are true.
    fn evaluate<'a>(&self, solver: &impl Solver<'a>, is_after: &[bool], taken: &mut Taken) {
        let transitions = self.lwaa.transitions();
        let untils = self.template.untils();
        for id in transitions.ids() {
            let truths = &taken.truths;
            let truth = match transitions.shape(id) {
                Shape::And(list) => list.iter().all(|&part| truths[part]),
                Shape::Or(list) => list.iter().any(|&part| truths[part]),
                Shape::Leaf(Leaf::True) => true,
                Shape::Leaf(Leaf::False) => false,
                Shape::Leaf(Leaf::Literal { atom, positive }) => {
                    self.is_true(solver, atom) == positive
                }
                Shape::Leaf(Leaf::Location(location)) => is_after[location.index()],
                Shape::Leaf(Leaf::Loop(location)) => {
                    untils.binary_search(&location).is_ok_and(|until| taken.loops[until])
                }
            };
            taken.truths[id] = truth;
        }
    }

    fn is_true<'a>(&self, solver: &impl Solver<'a>, atom: AtomId) -> bool {
        solver.value(Literal::positive(self.template.atom(atom)))
    }

    /// Scratch space for [`before`](Self::before).
    pub(super) fn taken(&self) -> Taken {
        Taken { truths: IdVec::filled(false, self.lwaa.transitions().len()), loops: Vec::new() }
    }
}
