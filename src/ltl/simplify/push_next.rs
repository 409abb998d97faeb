//! Pushes every `X` down until nothing temporal is below it.
//!
//! On infinite words `X` commutes with every operator, and it can be dropped
//! where the argument holds everywhere or nowhere. No other law is applied:
//! this is the last step before an automaton whose acceptance depends on the
//! form of the formula.
//!
//! The *depth* of an occurrence of a node is the number of `X` above it. The
//! result has one copy of a node for each of its depths, since those copies
//! mean different things, and for each boolean formula one chain of `X` as long
//! as its largest depth. A formula whose temporal nodes have one depth each
//! therefore grows by its chains only, but in the worst case the result is
//! quadratic, and must be.

use super::arena::Properties;
use crate::id::IdVec;
use crate::ltl::dual::{View, fixpoint_node, list_node};
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};
use crate::sets::distinct;

/// Rewrites `formula` so that each `X` is part of a chain of `X` over a boolean
/// formula.
///
/// ```
/// use lwaa::ltl::{Formula, nnf, simplify::push_next};
/// let formula = Formula::parse("X (a U (b & X (c | d)))")?;
/// let pushed = push_next(&nnf::from_formula(&formula));
/// assert_eq!(pushed.to_formula().to_string(), "X a U (X b & X X (c | d))");
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn push_next(formula: &Nnf) -> Nnf {
    let mut known: IdVec<NodeId, Properties> = IdVec::with_capacity(formula.nodes.len());
    for id in formula.nodes.ids() {
        known.push(Properties::new(formula.nodes.node(id), |child| known[child]));
    }
    let depths = depths(formula, &known);
    let mut nodes = Nodes::with_capacity(formula.nodes.len());
    // The copies of a node, in the order of `depths`.
    let mut copies: IdVec<NodeId, Vec<NodeId>> = IdVec::with_capacity(formula.nodes.len());
    for id in formula.nodes.ids() {
        let mut own = Vec::with_capacity(depths[id].len());
        if known[id].boolean && !depths[id].is_empty() {
            let first = copy(formula.nodes.node(id), 0, &depths, &copies, &mut nodes);
            add_chain(&mut nodes, first, &depths[id], &mut own);
        } else {
            for &depth in &depths[id] {
                let node = formula.nodes.node(id);
                own.push(copy(node, depth, &depths, &copies, &mut nodes));
            }
        }
        copies.push(own);
    }
    let root = copies[formula.root][0];
    Nnf { atoms: formula.atoms.clone(), nodes, root }
}

/// For each node its depths in increasing order. An invariant node has depth
/// zero whatever is above it, and so has everything below a boolean one.
fn depths(formula: &Nnf, known: &IdVec<NodeId, Properties>) -> IdVec<NodeId, Vec<u32>> {
    let nodes = &formula.nodes;
    let mut depths: IdVec<NodeId, Vec<u32>> = IdVec::filled(Vec::new(), nodes.len());
    depths[formula.root].push(0);
    for id in nodes.ids().rev() {
        let mut own = std::mem::take(&mut depths[id]);
        own.sort_unstable();
        own.dedup();
        let below = if known[id].boolean && !own.is_empty() { &[0][..] } else { &own[..] };
        let step = u32::from(matches!(nodes.node(id), Node::Next(_)));
        for child in nodes.children(id) {
            if known[child].invariant() {
                // Many parents at many depths: zero once is enough.
                if depths[child].is_empty() && !below.is_empty() {
                    depths[child].push(0);
                }
            } else {
                depths[child].extend(below.iter().map(|depth| depth + step));
            }
        }
        depths[id] = own;
    }
    depths
}

/// Adds a chain of `X` over `first` for each of `depths`, the longer built on
/// the shorter.
fn add_chain(nodes: &mut Nodes, first: NodeId, depths: &[u32], chains: &mut Vec<NodeId>) {
    let (mut chain, mut length) = (first, 0);
    for &depth in depths {
        while length < depth {
            chain = nodes.intern(Node::Next(chain));
            length += 1;
        }
        chains.push(chain);
    }
}

/// The copy of `node` below `depth` times `X`.
fn copy(
    node: Node<'_>,
    depth: u32,
    depths: &IdVec<NodeId, Vec<u32>>,
    copies: &IdVec<NodeId, Vec<NodeId>>,
    nodes: &mut Nodes,
) -> NodeId {
    let child = |id: NodeId, depth: u32| {
        // An invariant child was copied at depth zero only.
        let index = depths[id].binary_search(&depth).unwrap_or(0);
        copies[id][index]
    };
    match View::new(node) {
        View::Leaf => nodes.intern(node),
        View::Next(argument) => child(argument, depth + 1),
        View::Fixpoint(quantifier, left, right) => {
            nodes.intern(fixpoint_node(quantifier, child(left, depth), child(right, depth)))
        }
        View::List(quantifier, operands) => {
            let list: Vec<NodeId> = distinct(operands.iter().map(|&id| child(id, depth)));
            match list[..] {
                [only] => only,
                _ => nodes.intern(list_node(quantifier, &list)),
            }
        }
    }
}
