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
pub fn over(automaton: &Nba, atoms: &Atoms) -> Result<Nba, UnknownAtom> {
    let speaks_of = |atom: AtomId| {
        automaton.cubes().iter().flat_map(Cube::literals).any(|(other, _)| other == atom)
    };
    let unknown = |&(atom, name): &(AtomId, &str)| atoms.find(name).is_none() && speaks_of(atom);
    match automaton.atoms().iter().find(unknown) {
        Some((_, name)) => Err(UnknownAtom(name.to_owned())),
        None => Ok(within(automaton, atoms)),
    }
}

/// `automaton` on words over `atoms`, which are found by their names: all other
/// atoms are false there.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "the names of atoms are different")]
pub fn within(automaton: &Nba, atoms: &Atoms) -> Nba {
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
            let mut is_possible = true;
            for (atom, positive) in automaton.cube(edge.cube).literals() {
                match numbers[atom] {
                    Some(atom) => {
                        let literal = Cube::literal(atom, positive);
                        cube = cube.and(&literal).expect("names are different");
                    }
                    None => is_possible &= !positive,
                }
            }
            if is_possible {
                let sets = automaton.sets(edge.sets).iter().copied();
                builder.add_edge(source, &cube, sets, edge.target);
            }
        }
    }
    builder.finish()
}
