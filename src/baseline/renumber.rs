//! The same automaton over atoms that are numbered in another way.

use super::cube::Cube;
use super::draft::{Draft, Edge};
use super::nba::Nba;
use crate::id::IdVec;
use crate::word::{AtomId, Atoms};

/// `automaton` on words over `atoms`, which are found by their names: all other
/// atoms are false there.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "the names of atoms are different")]
pub fn within(automaton: &Nba, atoms: &Atoms) -> Nba {
    let numbers: IdVec<AtomId, Option<AtomId>> =
        automaton.atoms().iter().map(|(_, name)| atoms.find(name)).collect();
    let renumbered = |edge: &Edge| {
        let mut cube = Cube::truth();
        for (atom, positive) in edge.cube.literals() {
            match numbers[atom] {
                Some(atom) => {
                    cube = cube.and(&Cube::literal(atom, positive)).expect("names are different");
                }
                None if positive => return None,
                None => (),
            }
        }
        Some(Edge { cube, ..edge.clone() })
    };
    let draft = Draft::of(automaton);
    let edges = draft.edges.iter().map(|edges| edges.iter().filter_map(renumbered).collect());
    Draft { atoms: atoms.clone(), edges: edges.collect(), ..draft }.into_nba()
}
