//! Alternatives that are eventualities become one: `F a | F b` is
//! `F (a | b)`.
//!
//! An explicit automaton waits for both in one state. The simplifier leaves
//! `F G a | F G b` apart, or takes it apart, since what it serves makes
//! acceptance of it; so this is done behind it.

use crate::id::IdVec;
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};

/// The same formula with eventualities joined.
pub(super) fn join_eventualities(nnf: &Nnf) -> Nnf {
    let reachable = nnf.reachable();
    let mut nodes = Nodes::with_capacity(nnf.nodes.len());
    let mut copies: IdVec<NodeId, NodeId> = IdVec::with_capacity(nnf.nodes.len());
    for id in nnf.nodes.ids() {
        if !reachable[id] {
            // Nothing that is copied refers to it.
            copies.push(Nodes::FALSE);
            continue;
        }
        let copy = match nnf.nodes.node(id) {
            Node::Or(list) => {
                let list = list.iter().map(|&part| copies[part]).collect();
                disjunction(&mut nodes, list)
            }
            node => nodes.intern_copy(node, |part| copies[part]),
        };
        copies.push(copy);
    }
    Nnf { atoms: nnf.atoms.clone(), root: copies[nnf.root], nodes }
}

fn disjunction(nodes: &mut Nodes, mut list: Vec<NodeId>) -> NodeId {
    let mut awaited: Vec<NodeId> = Vec::new();
    let eventually = |id: NodeId| match nodes.node(id) {
        Node::Until(Nodes::TRUE, right) => Some(right),
        _ => None,
    };
    awaited.extend(list.iter().filter_map(|&part| eventually(part)));
    if 1 < awaited.len() {
        list.retain(|&part| eventually(part).is_none());
        let either = nodes.intern(Node::Or(&awaited));
        list.push(nodes.intern(Node::Until(Nodes::TRUE, either)));
    }
    match list[..] {
        [only] => only,
        _ => nodes.intern(Node::Or(&list)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::{Formula, nnf};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let joined = join_eventualities(&nnf::from_formula(&Formula::parse(text).unwrap()));
        assert_eq!(joined.to_formula().to_string(), expected);
    }

    #[test]
    fn eventualities_are_joined_at_any_depth() {
        check("F G a | F b", "F (G a | b)");
        check("X (F a | F b) & c", "X F (a | b) & c");
        check("F (F a | F b) | c | G d", "F F (a | b) | c | G d");
    }

    #[test]
    fn other_formulas_stay() {
        check("(a U b) | F c | G F d", "a U b | F c | G F d");
        check("F a & F b", "F a & F b");
    }
}
