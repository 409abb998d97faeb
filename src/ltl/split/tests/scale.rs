//! Large formulas: no recursion, no quadratic time, limits that hold.

use super::super::{MAX_DISJUNCTS, MAX_PARTS};
use super::{Part, is_recurrence, parse, split};
use crate::id::Id;
use crate::ltl::family;
use crate::ltl::nnf::{self, Nnf, Node, NodeId, Nodes};
use crate::ltl::simplify::simplify;
use crate::word::Atoms;
use std::io::Write;
use std::time::{Duration, Instant};

const N: usize = 1_000_000;

/// Splits within a time that quadratic work would miss by far. With
/// `LWAA_TIMES` set, the times are shown.
fn timed(name: &str, formula: &Nnf) -> Vec<Part> {
    let start = Instant::now();
    let parts = split(formula);
    let time = start.elapsed();
    if std::env::var_os("LWAA_TIMES").is_some() {
        let line = format!(
            "{name}: {} nodes to {} parts with {} and {} nodes in {time:.2?}\n",
            formula.nodes.len(),
            parts.len(),
            n_nodes(&parts, |part| &part.rest),
            n_nodes(&parts, |part| &part.recurrence),
        );
        std::io::stderr().write_all(line.as_bytes()).expect("there is a terminal");
    }
    assert!(time < Duration::from_secs(20), "{name} took {time:?}");
    parts
}

fn n_nodes(parts: &[Part], side: impl Fn(&Part) -> &Nnf) -> usize {
    parts.iter().map(|part| side(part).nodes.len()).sum()
}

fn member(family: &str, n: usize) -> Nnf {
    let family = family::find(family).expect("there is such a family");
    nnf::from_formula(&family.formula(n).expect("n is in range"))
}

fn literals(atoms: &mut Atoms, nodes: &mut Nodes, n: usize) -> Vec<NodeId> {
    (0..n).map(|index| nodes.literal(atoms.intern(&format!("p{index}")), true)).collect()
}

/// `join` of what `make` makes of pairs of literals, `n` times.
fn many(
    n: usize,
    make: impl Fn(&mut Nodes, NodeId, NodeId) -> NodeId,
    join: impl Fn(&mut Nodes, &[NodeId]) -> NodeId,
) -> Nnf {
    let (mut atoms, mut nodes) = (Atoms::default(), Nodes::default());
    let literals = literals(&mut atoms, &mut nodes, 2 * n);
    let list: Vec<NodeId> =
        literals.chunks(2).map(|pair| make(&mut nodes, pair[0], pair[1])).collect();
    let root = join(&mut nodes, &list);
    Nnf { atoms, nodes, root }
}

fn nested(n: usize, step: impl Fn(&mut Nodes, NodeId, NodeId, usize) -> NodeId) -> Nnf {
    let (mut atoms, mut nodes) = (Atoms::default(), Nodes::default());
    let literals = literals(&mut atoms, &mut nodes, 1000);
    let mut root = literals[0];
    for index in 1..n {
        root = step(&mut nodes, literals[index % literals.len()], root, index);
    }
    Nnf { atoms, nodes, root }
}

fn infinitely_often(nodes: &mut Nodes, a: NodeId) -> NodeId {
    let later = nodes.intern(Node::Until(Nodes::TRUE, a));
    nodes.intern(Node::Release(Nodes::FALSE, later))
}

#[test]
fn fairness_is_one_recurrence() {
    for (name, n_parts) in [
        ("sf-sat", 1),
        ("wf-sat", 1),
        ("sf-all-enabled-sat", 1),
        ("sf-chain-unsat", 1),
        ("sf-starve-last-unsat", 1),
        ("wf-starve-last-unsat", 1),
        ("sf-response-violable-sat", 1),
        ("wf-response-violable-sat", 1),
        ("go-theta", 1),
        ("gf-equiv", 1),
        ("gf-implies", 1),
        ("sejk-j", 1),
        ("sejk-k", 1),
        ("gh-r", 1),
        ("or-fg", 1),
        ("and-gf", 1),
    ] {
        let formula = member(name, 1000);
        for formula in [simplify(&formula), formula] {
            let parts = timed(name, &formula);
            assert_eq!(parts.len(), n_parts, "{name}");
            assert!(is_recurrence(&parts[0].recurrence), "{name}");
            assert!(parts[0].recurrence.nodes.len() <= formula.nodes.len() + 2, "{name}");
            assert!(parts[0].rest.nodes.len() <= 20, "{name}: {:?}", parts[0].rest);
        }
    }
}
