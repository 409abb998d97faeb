//! Large formulas: no recursion, no quadratic time, limits that hold.

use super::super::LIMITS;
use super::{Part, is_recurrence, split};
use crate::id::Id;
use crate::ltl::family::{self, FAMILIES};
use crate::ltl::nnf::{self, Nnf, Node, NodeId, Nodes};
use crate::ltl::simplify::simplify;
use crate::word::{AtomId, Atoms};
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
    let names = "sf-sat wf-sat sf-all-enabled-sat sf-chain-unsat sf-starve-last-unsat \
        wf-starve-last-unsat sf-response-violable-sat wf-response-violable-sat go-theta \
        gf-equiv gf-implies sejk-j sejk-k gh-r or-fg and-gf C1 C2 R";
    for name in names.split_whitespace() {
        let formula = member(name, 1000);
        for formula in [simplify(&formula), formula] {
            let parts = timed(name, &formula);
            let [part] = &parts[..] else {
                assert!(formula.root == Nodes::FALSE && parts.is_empty(), "{name}");
                continue;
            };
            assert!(part.recurrence.root != Nodes::TRUE && is_recurrence(&part.recurrence));
            assert!(part.recurrence.nodes.len() <= formula.nodes.len() + 2, "{name}");
            assert!(part.rest.nodes.len() <= 10, "{name}: {:?}", part.rest);
        }
    }
}

#[test]
fn a_million_nodes_without_recurrence_stay() {
    let formula = nested(N, |nodes, p, a, index| match index % 5 {
        0 => nodes.intern(Node::Until(p, a)),
        1 => nodes.intern(Node::Release(a, p)),
        2 => nodes.intern(Node::Next(a)),
        3 => nodes.intern(Node::And(&[p, a])),
        _ => nodes.intern(Node::Or(&[a, p])),
    });
    let parts = timed("no recurrence", &formula);
    assert_eq!(parts.len(), 1);
    assert_eq!(parts[0].recurrence.root, Nodes::TRUE);
    let n_reachable = formula.reachable().iter().filter(|&&reachable| reachable).count();
    assert_eq!(parts[0].rest.nodes.len(), n_reachable + 2, "there are two constants");
}

/// A recurrence at the bottom of a million operators, and one on each level.
#[test]
fn a_million_nodes_with_recurrence() {
    let formula = nested(N, |nodes, p, a, index| match index % 3 {
        _ if index == 1 => infinitely_often(nodes, p),
        0 => nodes.intern(Node::Until(p, a)),
        1 => nodes.intern(Node::Release(p, a)),
        _ => nodes.intern(Node::And(&[p, a])),
    });
    let parts = timed("one deep recurrence", &formula);
    assert_eq!(parts.len(), 1);
    for conjunctive in [true, false] {
        let formula = nested(N / 5, |nodes, p, a, index| {
            let often = infinitely_often(nodes, p);
            let list = [often, a];
            let list = nodes.intern(if conjunctive { Node::And(&list) } else { Node::Or(&list) });
            nodes.intern(if index % 2 == 0 { Node::Until(p, list) } else { Node::Next(list) })
        });
        let parts = timed("a recurrence on each level", &formula);
        assert_eq!(parts.len(), if conjunctive { 1 } else { 2 });
    }
    let formula = nested(N / 5, |nodes, p, a, index| {
        let often = infinitely_often(nodes, p);
        let both = nodes.intern(Node::And(&[often, a]));
        let either = nodes.intern(Node::Or(&[p, both]));
        nodes.intern(if index % 2 == 0 { Node::Release(either, a) } else { Node::Next(either) })
    });
    let parts = timed("a choice on each level", &formula);
    assert!(parts.len() <= LIMITS.n_parts);
}

#[test]
fn a_conjunction_of_choices_has_few_parts() {
    let formula = many(
        1000,
        |nodes, a, b| {
            let often = infinitely_often(nodes, a);
            let either = nodes.intern(Node::Or(&[often, b]));
            nodes.intern(Node::Release(Nodes::FALSE, either))
        },
        |nodes, list| nodes.intern(Node::And(list)),
    );
    let parts = timed("many choices", &formula);
    assert_eq!(parts.len(), LIMITS.n_parts);
    let mut below_next = formula.clone();
    below_next.root = below_next.nodes.intern(Node::Next(formula.root));
    assert_eq!(timed("many choices below X", &below_next).len(), LIMITS.n_disjuncts);
}

/// Choices between the same formulas come together.
#[test]
fn choices_with_a_common_rest_are_one() {
    let formula = many(
        1000,
        |nodes, a, _| {
            let often = infinitely_often(nodes, a);
            let only = Node::Literal { atom: AtomId::new(0), positive: false };
            let only = nodes.intern(only);
            nodes.intern(Node::Or(&[often, only]))
        },
        |nodes, list| nodes.intern(Node::And(list)),
    );
    assert_eq!(timed("one choice", &formula).len(), 2);
}

/// n disjuncts, each with a rest of its own.
#[test]
fn a_disjunction_has_few_parts() {
    for n in [10, 63, 64, 1000] {
        let formula = many(
            n,
            |nodes, a, b| {
                let often = infinitely_often(nodes, a);
                nodes.intern(Node::And(&[often, b]))
            },
            |nodes, list| nodes.intern(Node::Or(list)),
        );
        assert_eq!(timed("many disjuncts", &formula).len(), n.min(LIMITS.n_parts));
    }
}

/// Most of the formula is in each part, so there are fewer of them.
#[test]
fn large_formulas_have_fewer_parts() {
    let large = nested(N, |nodes, p, a, _| nodes.intern(Node::Until(p, a)));
    let Nnf { atoms, mut nodes, root } = large;
    let mut list = vec![root];
    for index in 0..10 {
        let literal = |positive| Node::Literal { atom: AtomId::new(index), positive };
        let [a, b] = [true, false].map(|positive| nodes.intern(literal(positive)));
        let often = infinitely_often(&mut nodes, a);
        list.push(nodes.intern(Node::Or(&[often, b])));
    }
    let now = nodes.intern(Node::And(&list));
    let next = nodes.intern(Node::Next(now));
    for root in [now, next] {
        let formula = Nnf { atoms: atoms.clone(), nodes: nodes.clone(), root };
        assert_eq!(timed("many parts of a large formula", &formula).len(), 4);
    }
}

#[test]
fn every_family_is_split_in_time() {
    for family in FAMILIES {
        let formula = member(family.name, 300);
        for formula in [simplify(&formula), formula] {
            assert!(timed(family.name, &formula).len() <= LIMITS.n_parts);
        }
    }
}
