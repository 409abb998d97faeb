//! The words of which a finite part already shows that they satisfy a formula.
//!
//! Such a part is *informative*: progression of the formula over it reaches `true`. What has
//! to hold for ever is never shown by a finite part, so a release that is not ended counts as
//! false: `a R b` becomes `b U (a & b)`. What is left asks for events that have to happen, and
//! when its automaton has nothing left to ask for, all of them have.
//!
//! Informative prefixes of a negated formula are the bad prefixes of the formula itself, see
//! [`truncated`](super::semantics::truncated).

use super::nnf::{Nnf, Node, NodeId, Nodes};
use crate::id::IdVec;

/// The formula that asks for an informative part of `formula`. It is false if there are no
/// informative words at all, as far as its text shows.
#[must_use]
pub fn of(formula: &Nnf) -> Nnf {
    let mut nodes = Nodes::with_capacity(formula.nodes.len());
    let mut changed: IdVec<NodeId, NodeId> = IdVec::new();
    for id in formula.nodes.ids() {
        let new = match formula.nodes.node(id) {
            Node::True => Nodes::TRUE,
            Node::False => Nodes::FALSE,
            Node::Literal { atom, positive } => nodes.literal(atom, positive),
            node @ (Node::And(operands) | Node::Or(operands)) => {
                let operands = operands.iter().map(|&id| changed[id]).collect();
                list(&mut nodes, operands, matches!(node, Node::And(_)))
            }
            Node::Next(a) if changed[a] == Nodes::FALSE => Nodes::FALSE,
            Node::Next(a) => nodes.intern(Node::Next(changed[a])),
            Node::Until(a, b) => until(&mut nodes, changed[a], changed[b]),
            Node::Release(a, b) => {
                let end = list(&mut nodes, vec![changed[a], changed[b]], true);
                until(&mut nodes, changed[b], end)
            }
        };
        changed.push(new);
    }
    Nnf { root: changed[formula.root], nodes, ..formula.clone() }
}

/// The conjunction of `operands`, or their disjunction, without constants.
fn list(nodes: &mut Nodes, mut operands: Vec<NodeId>, is_and: bool) -> NodeId {
    let (neutral, absorbing) =
        if is_and { (Nodes::TRUE, Nodes::FALSE) } else { (Nodes::FALSE, Nodes::TRUE) };
    if operands.contains(&absorbing) {
        return absorbing;
    }
    operands.retain(|&id| id != neutral);
    operands.dedup();
    match *operands {
        [] => neutral,
        [one] => one,
        _ => nodes.intern(if is_and { Node::And(&operands) } else { Node::Or(&operands) }),
    }
}

fn until(nodes: &mut Nodes, left: NodeId, right: NodeId) -> NodeId {
    if left == Nodes::FALSE || right == Nodes::FALSE || right == Nodes::TRUE {
        return right;
    }
    nodes.intern(Node::Until(left, right))
}

#[cfg(test)]
mod tests {
    use crate::ltl::{Formula, nnf};

    #[track_caller]
    fn check(formula: &str, expected: &str) {
        let formula = nnf::from_formula(&Formula::parse(formula).unwrap());
        assert_eq!(super::of(&formula).to_formula().to_string(), expected);
    }

    #[test]
    fn what_has_to_hold_for_ever_is_never_shown() {
        check("G p", "false");
        check("F (p & G q)", "false");
        check("F p | G q", "F p");
        check("F p & G q", "false");
        check("q R p", "p U (q & p)");
        check("F (p & X q)", "F (p & X q)");
        check("X G p", "false");
    }
}
