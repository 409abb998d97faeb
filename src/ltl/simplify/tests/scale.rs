//! Formulas of a million nodes and more: no recursion, no quadratic time.

use super::super::{push_next, simplify};
use super::size;
use crate::id::Id;
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};
use crate::word::Atoms;
use std::io::Write;
use std::time::{Duration, Instant};

const N: usize = 1_000_000;

/// The formula that `build` makes of an arena and literals of atoms by number.
fn formula(n_atoms: usize, build: impl FnOnce(&mut Nodes, &[[NodeId; 2]]) -> NodeId) -> Nnf {
    let mut atoms = Atoms::default();
    let mut nodes = Nodes::default();
    let literals: Vec<[NodeId; 2]> = (0..n_atoms)
        .map(|index| {
            let atom = atoms.intern(&format!("p{index}"));
            [nodes.literal(atom, true), nodes.literal(atom, false)]
        })
        .collect();
    let root = build(&mut nodes, &literals);
    Nnf { atoms, nodes, root }
}

/// Both rewrites within a time that quadratic work would miss by far. With
/// `LWAA_TIMES` set, the times are shown.
fn check(formula: &Nnf) -> Nnf {
    let start = Instant::now();
    let simple = simplify(formula);
    let simplified = start.elapsed();
    let pushed = push_next(&simple);
    let total = start.elapsed();
    if std::env::var_os("LWAA_TIMES").is_some() {
        let line = format!(
            "{} nodes to {} in {simplified:.2?}, pushed to {} in {:.2?}\n",
            size(formula),
            size(&simple),
            size(&pushed),
            total.saturating_sub(simplified)
        );
        std::io::stderr().write_all(line.as_bytes()).expect("there is a terminal");
    }
    assert!(total < Duration::from_mins(1), "took {total:?}");
    assert!(size(&simple) <= 2 * size(formula) + 2);
    simple
}

fn fairness(n: usize) -> Nnf {
    formula(2 * n, |nodes, literals| {
        let mut root = Nodes::TRUE;
        for index in 0..n {
            let (p, q) = (literals[2 * index][1], literals[2 * index + 1][0]);
            let never = nodes.intern(Node::Release(Nodes::FALSE, p));
            let never = nodes.intern(Node::Until(Nodes::TRUE, never));
            let always = nodes.intern(Node::Until(Nodes::TRUE, q));
            let always = nodes.intern(Node::Release(Nodes::FALSE, always));
            let clause = nodes.intern(Node::Or(&[never, always]));
            root = if index == 0 { clause } else { nodes.intern(Node::And(&[root, clause])) };
        }
        root
    })
}

fn nested(
    n: usize,
    n_atoms: usize,
    step: impl Fn(&mut Nodes, NodeId, NodeId, usize) -> NodeId,
) -> Nnf {
    formula(n_atoms, |nodes, literals| {
        let mut root = literals[0][0];
        for index in 1..n {
            root = step(nodes, literals[index % n_atoms][index / n_atoms % 2], root, index);
        }
        root
    })
}

#[test]
fn many_fairness_constraints() {
    let n = N / 8;
    let simple = check(&fairness(n));
    assert_eq!(simple.conjuncts().len(), n);
    // Two literals, four operators and a clause each, and one conjunction.
    assert_eq!(size(&simple), 7 * n + 1);
}

#[test]
fn deep_next() {
    let simple = check(&nested(N, 1, |nodes, _, a, _| nodes.intern(Node::Next(a))));
    assert_eq!(size(&simple), N);
}

#[test]
fn deep_until_on_the_right() {
    check(&nested(N, 3, |nodes, p, a, _| nodes.intern(Node::Until(p, a))));
    check(&nested(N, 1000, |nodes, p, a, _| nodes.intern(Node::Until(p, a))));
}

#[test]
fn deep_until_on_the_left() {
    check(&nested(N, 3, |nodes, p, a, _| nodes.intern(Node::Until(a, p))));
    check(&nested(N, 1000, |nodes, p, a, _| nodes.intern(Node::Until(a, p))));
}

#[test]
fn deep_release() {
    check(&nested(N, 3, |nodes, p, a, _| nodes.intern(Node::Release(p, a))));
    check(&nested(N, 1000, |nodes, p, a, _| nodes.intern(Node::Release(a, p))));
}

#[test]
fn deep_alternation_of_until_and_release() {
    check(&nested(N, 7, |nodes, p, a, index| {
        nodes.intern(if index % 2 == 0 { Node::Until(p, a) } else { Node::Release(p, a) })
    }));
}

#[test]
fn deep_finally_and_globally() {
    let simple = check(&nested(N, 1, |nodes, _, a, _| nodes.intern(Node::Until(Nodes::TRUE, a))));
    assert_eq!(size(&simple), 2);
    let simple = check(&nested(N, 1, |nodes, _, a, index| {
        nodes.intern(if index % 2 == 0 {
            Node::Until(Nodes::TRUE, a)
        } else {
            Node::Release(Nodes::FALSE, a)
        })
    }));
    assert_eq!(size(&simple), 3);
}

#[test]
fn deep_conjunctions_and_disjunctions() {
    check(&nested(N, N / 2, |nodes, p, a, _| nodes.intern(Node::And(&[p, a]))));
    check(&nested(N, N / 2, |nodes, p, a, _| nodes.intern(Node::Or(&[a, p]))));
    let simple = check(&nested(N, N, |nodes, p, a, _| nodes.intern(Node::Or(&[a, p]))));
    assert_eq!(size(&simple), N + 1);
    check(&nested(N, N, |nodes, p, a, index| {
        let list = [p, a];
        nodes.intern(if index % 2 == 0 { Node::And(&list) } else { Node::Or(&list) })
    }));
}

#[test]
fn deep_sequences() {
    // p & X (q & X (r & …)), and the same with F and with G below F.
    check(&nested(N / 10, 9, |nodes, p, a, _| {
        let next = nodes.intern(Node::Next(a));
        nodes.intern(Node::And(&[p, next]))
    }));
    check(&nested(N / 10, 9, |nodes, p, a, _| {
        let later = nodes.intern(Node::Until(Nodes::TRUE, a));
        nodes.intern(Node::And(&[p, later]))
    }));
    check(&nested(N / 10, N / 10, |nodes, p, a, _| {
        let later = nodes.intern(Node::Until(Nodes::TRUE, a));
        let again = nodes.intern(Node::Release(Nodes::FALSE, later));
        nodes.intern(Node::And(&[p, again]))
    }));
}

#[test]
fn recurrence_of_a_deep_sequence() {
    let n = N / 10;
    let chain = nested(n, n, |nodes, p, a, _| {
        let later = nodes.intern(Node::Until(Nodes::TRUE, a));
        nodes.intern(Node::And(&[p, later]))
    });
    let Nnf { atoms, mut nodes, root } = chain;
    let root = nodes.intern(Node::Until(Nodes::TRUE, root));
    let root = nodes.intern(Node::Release(Nodes::FALSE, root));
    let simple = check(&Nnf { atoms, nodes, root });
    assert_eq!(simple.conjuncts().len(), n);
}

#[test]
fn long_chains_of_implications() {
    let n = N / 3;
    let simple = check(&formula(n, |nodes, literals| {
        let mut list = vec![literals[0][0]];
        for pair in literals.windows(2) {
            list.push(nodes.intern(Node::Or(&[pair[0][1], pair[1][0]])));
        }
        nodes.intern(Node::And(&list))
    }));
    assert_eq!(size(&simple), n + 1);
}

#[test]
fn shared_lists_are_not_copied() {
    // Each of n disjunctions contains the same long conjunction.
    check(&formula(N / 10, |nodes, literals| {
        let list: Vec<NodeId> = literals.iter().map(|pair| pair[0]).collect();
        let long = nodes.intern(Node::And(&list));
        let mut clauses = Vec::new();
        for &[p, q] in literals {
            let later = nodes.intern(Node::Until(q, long));
            clauses.push(nodes.intern(Node::Or(&[p, later])));
            let both = nodes.intern(Node::And(&[q, long]));
            clauses.push(nodes.intern(Node::Next(both)));
        }
        nodes.intern(Node::Or(&clauses))
    }));
}

#[test]
fn shared_chains_of_next_do_not_multiply() {
    // The until of each pair of m chains of length k: m² + mk nodes, but m²k
    // if each until moved below its own chain.
    let (m, k) = (150, 300);
    check(&formula(m, |nodes, literals| {
        let chains: Vec<NodeId> = literals
            .iter()
            .map(|&[p, _]| (0..k).fold(p, |a, _| nodes.intern(Node::Next(a))))
            .collect();
        let mut list = Vec::new();
        for &a in &chains {
            for &b in &chains {
                if a.index() < b.index() {
                    list.push(nodes.intern(Node::Until(a, b)));
                }
            }
        }
        nodes.intern(Node::Or(&list))
    }));
}
