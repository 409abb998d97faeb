//! Checks the reasons why an automaton accepts nothing.
//!
//! The engine that says that a formula has no model hands the reason over, and here
//! it is verified from the automaton alone. This shares nothing with the engines:
//! not their clauses, which go in one direction only where these say exactly what is
//! true, and not their solver, but a fresh one, of the other kind where the build has both.

use super::solver::{Batsat, LargeSolver, Literal, Solver};
use crate::dag::Shape;
use crate::id::Id;
use crate::lwaa::{Leaf, LocationId, Lwaa, TransitionId};
use crate::search::limits::{Budget, Exhausted};

/// A statement about a moment of a run, see [`Invariant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// The location is in the configuration.
    Present(LocationId),
    /// The until has taken its loop whenever it was present in this round.
    Owed(LocationId),
    /// At least so many rounds, one or more, are still to be finished.
    Missing(usize),
}

/// Why an automaton accepts nothing: no run finishes as many rounds as it should.
///
/// A *round* of a run is over as soon as each until was, at some position of the
/// round, absent or satisfied without its own loop. An accepting run has
/// infinitely many rounds. So let us follow a run and note which untils are
/// [owed](Fact::Owed) in the current round, at first all, and how many rounds are
/// [missing](Fact::Missing), at first `n_rounds`. After `n_rounds` rounds, none is.
///
/// Each clause says that one of its facts is true. The invariant excludes
/// accepting runs if all clauses are true at the beginning, if they remain true in
/// every step from a moment in which all of them are, and if one of them says that
/// a round is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// How many rounds no run finishes.
    pub n_rounds: usize,
    /// What is always true.
    pub clauses: Vec<Box<[Fact]>>,
}

impl Invariant {
    /// Whether this shows that `lwaa` accepts nothing.
    ///
    /// # Errors
    ///
    /// If a limit is reached or the monitor says to stop.
    pub fn excludes_runs(&self, lwaa: &Lwaa, budget: &Budget<'_>) -> Result<bool, Exhausted> {
        let is_initial = |fact: &Fact| match *fact {
            Fact::Present(location) => lwaa.initial().contains(&location),
            Fact::Owed(_) | Fact::Missing(_) => true,
        };
        let is_missing = |clause: &[Fact]| clause == [Fact::Missing(1)];
        if !self.clauses.iter().all(|clause| clause.iter().any(is_initial))
            || !self.clauses.iter().any(|clause| is_missing(clause))
        {
            return Ok(false);
        }
        let mut checker =
            Checker { lwaa, solver: LargeSolver::new(budget.watch()), n_variables: 0 };
        let (here, next) = (checker.new_moment(self.n_rounds), checker.new_moment(self.n_rounds));
        checker.follow(here, next, self.n_rounds);
        for clause in &self.clauses {
            let literals: Vec<Literal> =
                clause.iter().map(|&fact| Literal::positive(here.variable(fact))).collect();
            checker.solver.add_clause(&literals);
        }
        for clause in &self.clauses {
            let violated: Vec<Literal> =
                clause.iter().map(|&fact| Literal::negative(next.variable(fact))).collect();
            if checker.solver.solve(&violated)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The variables of a moment: where those for locations, for untils (by location)
/// and for missing rounds begin.
#[derive(Clone, Copy)]
struct MomentVariables {
    present: usize,
    owed: usize,
    missing: usize,
}

impl MomentVariables {
    fn variable(self, fact: Fact) -> usize {
        match fact {
            Fact::Present(location) => self.present + location.index(),
            Fact::Owed(location) => self.owed + location.index(),
            Fact::Missing(number) => self.missing + number - 1,
        }
    }
}

/// Checks that no word has a run of `n_steps` steps.
///
/// # Errors
///
/// If a limit is reached or the monitor says to stop.
///
/// # Panics
///
/// If there is one: the claim of the caller is wrong.
pub fn check_no_path(lwaa: &Lwaa, n_steps: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
    let mut checker = Checker { lwaa, solver: Batsat::new(budget.watch()), n_variables: 0 };
    let mut here = checker.new_variables(lwaa.n_locations());
    for &location in lwaa.initial() {
        checker.solver.add_clause(&[Literal::positive(here + location.index())]);
    }
    for _ in 0..n_steps {
        let next = checker.new_variables(lwaa.n_locations());
        checker.add_step(here, next);
        here = next;
    }
    let has_path = checker.solver.solve(&[])?;
    assert!(!has_path, "a formula was said to have no model because it has no path");
    Ok(())
}

/// Formulas as clauses.
struct Checker<'l, S> {
    lwaa: &'l Lwaa,
    solver: S,
    n_variables: usize,
}

impl<'a, S: Solver<'a>> Checker<'_, S> {
    fn new_variables(&mut self, count: usize) -> usize {
        let first = self.n_variables;
        self.n_variables += count;
        first
    }

    /// A step from the configuration whose variables begin at `here` to that at
    /// `next`, with any letter. Returns where the variables begin that say of each location
    /// whether it takes its own loop.
    fn add_step(&mut self, here: usize, next: usize) -> usize {
        let lwaa = self.lwaa;
        let atoms = self.new_variables(lwaa.atoms().len());
        let loops = self.new_variables(lwaa.n_locations());
        let formulas = self.new_variables(lwaa.transitions().len());
        let truth = |formula: TransitionId| Literal::positive(formulas + formula.index());
        for formula in lwaa.transitions().ids() {
            let itself = truth(formula);
            match lwaa.transitions().shape(formula) {
                Shape::Leaf(leaf) => {
                    let same = match leaf {
                        Leaf::True | Leaf::False => {
                            let is_true = leaf == Leaf::True;
                            self.solver.add_clause(&[if is_true { itself } else { !itself }]);
                            continue;
                        }
                        Leaf::Literal { atom, positive } => {
                            Literal::new(atoms + atom.index(), positive)
                        }
                        Leaf::Location(location) => Literal::positive(next + location.index()),
                        Leaf::Loop(location) => Literal::positive(loops + location.index()),
                    };
                    self.solver.add_clause(&[!itself, same]);
                    self.solver.add_clause(&[itself, !same]);
                }
                Shape::And(list) => self.define(itself, list.iter().map(|&part| truth(part))),
                Shape::Or(list) => self.define(!itself, list.iter().map(|&part| !truth(part))),
            }
        }
        for (id, location) in lwaa.locations() {
            self.solver.add_clause(&[Literal::negative(here + id.index()), truth(location.step)]);
        }
        loops
    }

    fn new_moment(&mut self, n_rounds: usize) -> MomentVariables {
        let n_locations = self.lwaa.n_locations();
        MomentVariables {
            present: self.new_variables(n_locations),
            owed: self.new_variables(n_locations),
            missing: self.new_variables(n_rounds),
        }
    }

    /// A step from the moment `here` to the moment `next`. What is owed and missing
    /// next is determined.
    fn follow(&mut self, here: MomentVariables, next: MomentVariables, n_rounds: usize) {
        let loops = self.add_step(here.present, next.present);
        let lwaa = self.lwaa;
        let untils: Vec<LocationId> =
            lwaa.locations().filter(|(_, location)| location.until).map(|(id, _)| id).collect();
        // Owed here, and still owed after this step.
        let open = self.new_variables(lwaa.n_locations());
        let ended = Literal::positive(self.new_variables(1));
        let is_open = |id: LocationId| Literal::positive(open + id.index());
        for &id in &untils {
            let owed = Literal::positive(here.variable(Fact::Owed(id)));
            let looped = Literal::positive(loops + id.index());
            self.define(is_open(id), [owed, looped].into_iter());
            // Owed next: open, or a new round begins.
            let owed_next = Literal::positive(next.variable(Fact::Owed(id)));
            self.define(!owed_next, [!is_open(id), !ended].into_iter());
        }
        self.define(ended, untils.iter().map(|&id| !is_open(id)));
        for number in 1..=n_rounds {
            let is_missing = |moment: MomentVariables, number| {
                Literal::positive(moment.variable(Fact::Missing(number)))
            };
            let next = is_missing(next, number);
            let same = is_missing(here, number);
            self.solver.add_clause(&[ended, !same, next]);
            self.solver.add_clause(&[ended, same, !next]);
            if number < n_rounds {
                let more = is_missing(here, number + 1);
                self.solver.add_clause(&[!ended, !more, next]);
                self.solver.add_clause(&[!ended, more, !next]);
            } else {
                self.solver.add_clause(&[!ended, !next]);
            }
        }
    }

    /// Says that `itself` is the conjunction of `parts`.
    fn define(&mut self, itself: Literal, parts: impl Iterator<Item = Literal>) {
        let mut all = vec![itself];
        for part in parts {
            self.solver.add_clause(&[!itself, part]);
            all.push(!part);
        }
        self.solver.add_clause(&all);
    }
}
