//! The same automaton over atoms that are numbered in another way.

use super::cube::Cube;
use super::nba::{Builder, Nba};
use crate::id::IdVec;
use crate::word::{AtomId, Atoms};

/// An automaton that speaks of an atom which it should not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton speaks of `{0}`, which the formula does not")]
pub struct UnknownAtom(pub String);

/// `automaton` over `atoms`, which are found by their names. Those that no label
/// speaks of need not be among them.
///
/// ```
/// use lwaa::baseline::{Cube, nba::Builder, renumber::over};
/// use lwaa::word::Atoms;
/// let (mut one, mut other) = (Atoms::default(), Atoms::default());
/// let p = one.intern("p");
/// other.intern("q");
/// let also_p = other.intern("p");
/// let mut builder = Builder::new(one, 0);
/// let state = builder.add_state();
/// builder.add_edge(state, &Cube::literal(p, true), [], state);
/// let automaton = over(&builder.finish(), &other)?;
/// let edge = automaton.edges(state)[0];
/// assert_eq!(*automaton.cube(edge.cube), Cube::literal(also_p, true));
/// # Ok::<(), lwaa::baseline::renumber::UnknownAtom>(())
/// ```
///
/// # Errors
///
/// If a label speaks of an atom that is not there.
#[expect(clippy::missing_panics_doc, reason = "the names of atoms are different")]
pub fn over(automaton: &Nba, atoms: &Atoms) -> Result<Nba, UnknownAtom> {
    let numbers: IdVec<AtomId, Option<AtomId>> =
        automaton.atoms().iter().map(|(_, name)| atoms.find(name)).collect();
    let mut builder = Builder::new(atoms.clone(), automaton.n_sets());
    for _ in automaton.states() {
        builder.add_state();
    }
    automaton.initial().iter().for_each(|&state| builder.add_initial(state));
    for source in automaton.states() {
        for edge in automaton.edges(source) {
            let mut cube = Cube::truth();
            for (atom, positive) in automaton.cube(edge.cube).literals() {
                let unknown = || UnknownAtom(automaton.atoms().name(atom).to_owned());
                let literal = Cube::literal(numbers[atom].ok_or_else(unknown)?, positive);
                cube = cube.and(&literal).expect("names are different");
            }
            let sets = automaton.sets(edge.sets).iter().copied();
            builder.add_edge(source, &cube, sets, edge.target);
        }
    }
    Ok(builder.finish())
}
