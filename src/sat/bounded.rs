//! Looks for lassos of growing length with a SAT solver.
//!
//! A run of the automaton on a word *a* is a sequence of configurations `c[0]`, `c[1]`, … where
//! `c[0]` contains the initial locations and `c[i+1]` with `a[i]` satisfies the transition formulas of all
//! locations in `c[i]`. It accepts if every until again and again is absent or satisfied without its own
//! loop. `Template` has the clauses of a step.
//!
//! **Lassos.** Let positions 0 to *k* be such a sequence, *l* < *k*, and `c[k]` ⊆ `c[l]`. Let each until be
//! without its loop at some position from *l* to *k* − 1. Then `a[0] … a[l−1] (a[l] … a[k−1])^ω`
//! is accepted: the sequence `c[0] … c[k−1] c[l] … c[k−1] c[l] …` is a run, because at the
//! seam `c[l]` takes the place of its subset `c[k]` and transition formulas are monotone in the next
//! configuration, and because the untils are served once in each round. Equality of `c[k]` and `c[l]`
//! is not needed. The other way round, a satisfiable formula has a word *u v^ω* as a model, and a run on it that
//! is periodic, too (with a period that may be a multiple of that of the word), so some length
//! suffices. If *k* does, so does *k* + 1: the first position of the cycle moves to the prefix. So lengths may be skipped,
//! and are, if they are hard.
//!
//! **The seam.** To say `c[k]` ⊆ `c[l]` for one of many *l* takes a configuration *e* in between: `c[k]` ⊆ *e*, where *k* is
//! assumed and not fixed, and *e* ⊆ `c[l]` for each *l* that is *selected*. Several may be; the first of them counts.
//!
//! **No model.** If there is no sequence of *k* steps at all, there is no run, and [`certificate`]
//! checks that. This finds contradictions of formulas without untils, and some others. The search does not end on other
//! formulas without models.
//!
//! The idea is that of [BCCZ99]; that the end of the lasso is assumed, so that a solver keeps what it has
//! learned, is from [HJL05], whose encoding is of formulas and not of automata.
//!
//! [BCCZ99]: crate::references::bccz99
//! [HJL05]: crate::references::hjl05

use super::Outcome;
use super::certificate;
use super::solver::{Literal, Solver};
use super::template::Template;
use crate::id::Id;
use crate::lwaa::Lwaa;
use crate::search::limits::{Budget, Exhausted};
use crate::word::{AtomId, Lasso, Letter};
use std::rc::Rc;

/// How many conflicts a length is worth at first.
pub(super) const FIRST_CONFLICTS: u32 = 2000;

/// Looks for a word that `lwaa` accepts, until it is found or shown not to
/// exist, or until the clauses have more than `max_literals` literals.
///
/// # Errors
///
/// If a limit is reached or the monitor says to stop.
pub fn search<'a, S: Solver<'a>>(
    lwaa: &Lwaa,
    max_literals: u64,
    budget: &Budget<'a>,
) -> Result<Outcome, Exhausted> {
    let mut unrolling = Unrolling::<S>::new(lwaa, budget);
    let watch = budget.watch();
    let mut wanted = 1;
    let mut n_conflicts = FIRST_CONFLICTS;
    loop {
        while unrolling.len() < wanted {
            if max_literals < unrolling.n_literals {
                return Err(Exhausted::Effort { limit: max_literals });
            }
            unrolling.add_step();
            watch.exhausted().map_or(Ok(()), Err)?;
        }
        tracing::debug!(length = wanted, "looking for lassos");
        match unrolling.has_lasso(n_conflicts)? {
            Some(true) => return Ok(Outcome::Lasso(unrolling.lasso())),
            Some(false) => wanted += 1 + wanted / 8,
            None => {
                // To find a lasso that is a little too long is often much easier than
                // to find out that a shorter one does not exist.
                wanted += 1 + wanted / 4;
                n_conflicts = n_conflicts.saturating_add(n_conflicts / 2);
            }
        }
        if unrolling.has_path(n_conflicts)? == Some(false) {
            certificate::check_no_path(lwaa, unrolling.len(), budget)?;
            return Ok(Outcome::Nothing);
        }
    }
}

/// A path of some length, which may be the beginning of a lasso.
#[derive(Debug)]
pub(super) struct Unrolling<S> {
    n_atoms: usize,
    template: Rc<Template>,
    solver: S,
    n_variables: usize,
    /// How many literals the clauses of steps have.
    pub(super) n_literals: u64,
    /// Where the variables of each frame begin.
    frames: Vec<usize>,
    /// Where the variables of the configuration at the seam begin.
    seam: usize,
    /// For each position whether the cycle may begin here.
    selected: Vec<usize>,
    /// Whether the last position is part of the cycle.
    in_cycle: Option<usize>,
    /// Where the variables begin that say which untils were served up to the
    /// last position, in the cycle.
    served: Option<usize>,
    /// What is assumed of the first frame. After a lasso was not found, only what was needed to
    /// find that out.
    pub(super) assumed: Vec<Literal>,
    /// The length for which there is a variable that ends lassos there, and the variable.
    end: Option<(usize, usize)>,
    /// Scratch space.
    clause: Vec<Literal>,
}

impl<'a, S: Solver<'a>> Unrolling<S> {
    pub(super) fn new(lwaa: &Lwaa, budget: &Budget<'a>) -> Self {
        let template = Rc::new(Template::new(lwaa));
        let mut unrolling = Self {
            n_atoms: lwaa.atoms().len(),
            template: Rc::clone(&template),
            solver: S::new(budget.watch()),
            n_variables: 0,
            n_literals: 0,
            frames: Vec::new(),
            seam: 0,
            selected: Vec::new(),
            in_cycle: None,
            served: None,
            assumed: Vec::new(),
            end: None,
            clause: Vec::new(),
        };
        unrolling.seam = unrolling.new_variables(template.n_locations());
        let first = unrolling.new_variables(template.n_variables());
        unrolling.frames.push(first);
        for &location in lwaa.initial() {
            let variable = first + Template::location(location);
            unrolling.solver.add_clause(&[Literal::positive(variable)]);
        }
        unrolling
    }

    /// That an atom is true on the first letter.
    pub(super) fn at_first(&self, atom: AtomId) -> Literal {
        Literal::positive(self.frames[0] + self.template.atom(atom))
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.frames.len() - 1
    }

    /// The first of so many new variables.
    fn new_variables(&mut self, count: usize) -> usize {
        let first = self.n_variables;
        self.n_variables += count;
        first
    }

    pub(super) fn add_step(&mut self) {
        let here = *self.frames.last().expect("there is a first frame");
        let next = self.new_variables(self.template.n_variables());
        self.frames.push(next);
        let n_variables = self.template.n_variables();
        let template = Rc::clone(&self.template);
        for clause in template.clauses() {
            self.clause.clear();
            self.clause.extend(clause.iter().map(|literal| {
                let variable = literal.variable();
                let copy = match variable.checked_sub(n_variables) {
                    None => here + variable,
                    Some(location) => next + location,
                };
                Literal::new(copy, literal.is_positive())
            }));
            self.solver.add_clause(&self.clause);
            self.n_literals += clause.len() as u64;
        }
        self.n_literals += 3 * self.template.n_locations() as u64;
        self.add_to_cycle(here);
    }

    /// Lets the frame `here` be part of the cycle, perhaps as its beginning.
    fn add_to_cycle(&mut self, here: usize) {
        let selected = self.new_variables(1);
        self.selected.push(selected);
        for location in 0..self.template.n_locations() {
            self.solver.add_clause(&[
                Literal::negative(selected),
                Literal::negative(self.seam + location),
                Literal::positive(here + location),
            ]);
        }
        let in_cycle = self.new_variables(1);
        self.clause.clear();
        self.clause.extend([Literal::negative(in_cycle), Literal::positive(selected)]);
        self.clause.extend(self.in_cycle.map(Literal::positive));
        self.solver.add_clause(&self.clause);
        self.in_cycle = Some(in_cycle);
        let n_untils = self.template.untils().len();
        let served = self.new_variables(n_untils);
        for until in 0..n_untils {
            let unlooped = Literal::negative(here + self.template.taken_loop(until));
            for reason in [Literal::positive(in_cycle), unlooped] {
                self.clause.clear();
                self.clause.extend([Literal::negative(served + until), reason]);
                self.clause.extend(self.served.map(|before| Literal::positive(before + until)));
                self.solver.add_clause(&self.clause);
            }
        }
        self.served = Some(served);
    }

    /// Whether there is a lasso that ends here, if that is known after so many
    /// conflicts.
    pub(super) fn has_lasso(&mut self, n_conflicts: u32) -> Result<Option<bool>, Exhausted> {
        let end = match self.end {
            Some((length, end)) if length == self.len() => end,
            _ => self.add_end(),
        };
        self.assumed.push(Literal::positive(end));
        let found = self.solver.solve_within(Some(n_conflicts), &self.assumed)?;
        self.assumed.pop();
        if found == Some(false) {
            self.assumed.retain(|&assumed| self.solver.is_used(assumed));
        }
        Ok(found)
    }

    /// A variable that says that the lasso ends here, and no longer where one ended before.
    fn add_end(&mut self) -> usize {
        let end = self.new_variables(1);
        if let Some((_, before)) = self.end.replace((self.len(), end)) {
            self.solver.add_clause(&[Literal::negative(before)]);
        }
        let last = *self.frames.last().expect("there is a first frame");
        for location in 0..self.template.n_locations() {
            self.solver.add_clause(&[
                Literal::negative(end),
                Literal::negative(last + location),
                Literal::positive(self.seam + location),
            ]);
        }
        let served =
            self.served.iter().flat_map(|&first| first..first + self.template.untils().len());
        for wanted in served.chain(self.in_cycle) {
            self.solver.add_clause(&[Literal::negative(end), Literal::positive(wanted)]);
        }
        let n_untils = self.template.untils().len();
        self.n_literals += (3 * self.template.n_locations() + 2 * n_untils) as u64;
        end
    }

    /// Whether there is a path at all, if that is known after so many conflicts.
    fn has_path(&mut self, n_conflicts: u32) -> Result<Option<bool>, Exhausted> {
        self.solver.solve_within(Some(n_conflicts), &[])
    }

    /// The word of the lasso that was found.
    pub(super) fn lasso(&self) -> Lasso<Letter> {
        let is_true = |variable| self.solver.value(Literal::positive(variable));
        let begin = self.selected.iter().position(|&selected| is_true(selected));
        let mut letters: Vec<Letter> = Vec::with_capacity(self.len());
        for &frame in &self.frames[..self.len()] {
            let atoms = (0..self.n_atoms).map(AtomId::new);
            letters.push(atoms.filter(|&atom| is_true(frame + self.template.atom(atom))).collect());
        }
        let cycle = letters.split_off(begin.expect("a position in the cycle needs a beginning"));
        Lasso::new(letters, cycle).expect("the cycle begins before the last frame")
    }
}
