//! How far a letter is from what formulas ask for: a guess by which a search chooses where to look
//! first.
//!
//! Atoms have distances, and a formula has one that is made of theirs: both parts of a conjunction
//! are to be reached, one part of a disjunction. Of an until, its end is to be reached, and the
//! left side has to be kept until then; of a release, the right side.

use super::nnf::{Node, NodeId, Nodes};
use crate::id::{Id, IdVec};
use crate::word::{AtomId, Distance};

/// Some formulas, and how far they are.
#[derive(Clone, Debug)]
pub struct Needs {
    /// The subformulas, operands first. Operands are known by their places here.
    parts: Vec<Part>,
    operands: Vec<u32>,
    /// The place of a formula.
    places: IdVec<NodeId, u32>,
    distances: Vec<Distance>,
}

/// A subformula; lists of operands are ranges.
#[derive(Clone, Copy, Debug)]
enum Part {
    Constant(bool),
    Literal { atom: AtomId, positive: bool },
    And(u32, u32),
    Or(u32, u32),
    Next(u32),
    Until(u32, u32),
    Release(u32),
}

impl Needs {
    /// Nothing is known yet about the distances of these formulas.
    ///
    /// # Panics
    ///
    /// If there are 2³² subformulas.
    #[must_use]
    pub fn new(nodes: &Nodes, formulas: impl IntoIterator<Item = NodeId>) -> Self {
        let mut is_needed: IdVec<NodeId, bool> = IdVec::filled(false, nodes.len());
        formulas.into_iter().for_each(|formula| is_needed[formula] = true);
        for id in nodes.ids().rev() {
            if is_needed[id] {
                nodes.children(id).for_each(|part| is_needed[part] = true);
            }
        }
        let mut needs = Self {
            parts: Vec::new(),
            operands: Vec::new(),
            places: IdVec::filled(u32::MAX, nodes.len()),
            distances: Vec::new(),
        };
        for id in nodes.ids().filter(|&id| is_needed[id]) {
            let part = needs.part(nodes.node(id));
            needs.places[id] = number(needs.parts.len());
            needs.parts.push(part);
        }
        needs.distances = vec![Distance::default(); needs.parts.len()];
        needs
    }

    fn part(&mut self, node: Node<'_>) -> Part {
        let place = |id: NodeId| self.places[id];
        match node {
            Node::True => Part::Constant(true),
            Node::False => Part::Constant(false),
            Node::Literal { atom, positive } => Part::Literal { atom, positive },
            Node::Next(of) => Part::Next(place(of)),
            Node::Until(left, right) => Part::Until(place(left), place(right)),
            Node::Release(_, right) => Part::Release(place(right)),
            Node::And(list) | Node::Or(list) => {
                let start = number(self.operands.len());
                self.operands.extend(list.iter().map(|&part| self.places[part]));
                let end = number(self.operands.len());
                if matches!(node, Node::And(_)) {
                    Part::And(start, end)
                } else {
                    Part::Or(start, end)
                }
            }
        }
    }

    /// The number of subformulas.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no formula.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Finds the distances of all formulas, if atoms have these.
    pub fn evaluate(&mut self, atoms: &[Distance]) {
        for (place, &part) in self.parts.iter().enumerate() {
            let of = |place: u32| self.distances[place as usize];
            let list = |start: u32, end: u32| {
                self.operands[start as usize..end as usize].iter().map(|&part| of(part))
            };
            self.distances[place] = match part {
                Part::Constant(truth) => Distance::constant(truth),
                Part::Literal { atom, positive } => {
                    let atom = atoms[atom.index()];
                    if positive { atom } else { atom.negated() }
                }
                Part::And(start, end) => {
                    list(start, end).fold(Distance::constant(true), Distance::and)
                }
                Part::Or(start, end) => {
                    list(start, end).fold(Distance::constant(false), Distance::or)
                }
                Part::Next(of_next) => of(of_next),
                Part::Release(right) => of(right),
                Part::Until(left, right) => match of(right) {
                    reached if reached.to_true == 0 => reached,
                    ahead => ahead.and(Distance { to_false: ahead.to_false, ..of(left) }),
                },
            };
        }
    }

    /// The distance of one of the formulas, as last found.
    #[must_use]
    pub fn distance(&self, formula: NodeId) -> Distance {
        self.distances[self.places[formula] as usize]
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than 2^32 subformulas")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::{Formula, nnf};

    /// The distance of a formula to being true, where these atoms are so far from it.
    #[track_caller]
    fn check(formula: &str, atoms: &[(&str, u32)], expected: u32) {
        let nnf = nnf::from_formula(&Formula::parse(formula).unwrap());
        let mut distances = vec![Distance::default(); nnf.atoms.len()];
        for (id, name) in nnf.atoms.iter() {
            let to_true = atoms.iter().find(|(known, _)| *known == name).unwrap().1;
            distances[id.index()] = Distance { to_true, to_false: u32::from(to_true == 0) };
        }
        let mut needs = Needs::new(&nnf.nodes, [nnf.root]);
        needs.evaluate(&distances);
        assert_eq!(needs.distance(nnf.root).to_true, expected);
    }

    #[test]
    fn conjunctions_need_all_and_disjunctions_one() {
        check("a & b & !c", &[("a", 2), ("b", 3), ("c", 0)], 6);
        check("a | b", &[("a", 2), ("b", 3)], 2);
        check("true | a", &[("a", 2)], 0);
        check("false", &[], Distance::FAR);
    }

    #[test]
    fn an_until_needs_its_end_and_a_release_its_right_side() {
        check("F a", &[("a", 4)], 4);
        check("b U a", &[("a", 4), ("b", 1)], 5);
        check("b U a", &[("a", 0), ("b", 1)], 0);
        check("G a & F b", &[("a", 4), ("b", 2)], 6);
        check("X G (a -> F b)", &[("a", 0), ("b", 2)], 1);
    }
}
