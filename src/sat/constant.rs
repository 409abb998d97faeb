//! Looks for a letter that satisfies a formula without temporal operators.

use super::clauses::Writer;
use super::solver::{Literal, Solver};
use crate::id::Id;
use crate::lwaa::{Leaf, Lwaa};
use crate::search::limits::{Budget, Exhausted};
use crate::word::{AtomId, Letter};

/// What the search may cost. It is one of several ways to a model, and should be a short one.
const N_CONFLICTS: u32 = 10_000;

/// A first letter of words that `lwaa` accepts, if it is found easily. The automaton is that of a
/// formula without temporal operators, so nothing else matters about these words.
///
/// # Errors
///
/// If a limit is reached or the monitor says to stop.
///
/// # Panics
///
/// If the formula has temporal operators.
pub fn letter<'a, S: Solver<'a>>(
    lwaa: &Lwaa,
    budget: &Budget<'a>,
) -> Result<Option<Letter>, Exhausted> {
    let literal = |leaf: Leaf| match leaf {
        Leaf::Literal { atom, positive } => Literal::new(atom.index(), positive),
        _ => unreachable!("nothing is left for later"),
    };
    let n_atoms = lwaa.atoms().len();
    let mut writer = Writer::new(lwaa.transitions(), n_atoms, literal, |_| true);
    for &location in lwaa.initial() {
        writer.imply(None, lwaa.location(location).step);
    }
    let mut solver = S::new(budget.watch());
    writer.finish().0.iter().for_each(|clause| solver.add_clause(clause));
    let is_found = solver.solve_within(Some(N_CONFLICTS), &[])? == Some(true);
    let is_true = |atom: &AtomId| solver.value(Literal::positive(atom.index()));
    Ok(is_found.then(|| (0..n_atoms).map(AtomId::new).filter(is_true).collect()))
}
