//! Tests of the split: laws, examples, random formulas, scale and limits.

mod examples;
mod laws;
mod random;
mod scale;

use super::{Part, Recurring, split};
use crate::id::Id;
use crate::ltl::nnf::{self, Nnf, Node, NodeId, Nodes};
use crate::ltl::{Formula, Term, semantics};
use crate::word::{AtomId, Lasso, Letter};
use proptest::prelude::*;

fn parse(text: &str) -> Nnf {
    nnf::from_formula(&Formula::parse(text).expect("a formula"))
}

/// Words over three atoms, whose letters are the bits of small numbers.
fn words(n: usize) -> impl Strategy<Value = Vec<Lasso<Letter>>> {
    let letters = |least: usize, most| {
        let letter = (0u8..8).prop_map(|number| -> Letter {
            (0..3).filter(|bit| number >> bit & 1 == 1).map(AtomId::new).collect()
        });
        proptest::collection::vec(letter, least..=most)
    };
    let word = (letters(0, 3), letters(1, 4))
        .prop_map(|(prefix, cycle)| Lasso::new(prefix, cycle).expect("the cycle is not empty"));
    proptest::collection::vec(word, n)
}

/// A word on which `left` and `right` differ.
fn difference(left: &Formula, right: &Formula, words: &[Lasso<Letter>]) -> Option<String> {
    let both = left.combined(Term::Iff, right);
    let word = words.iter().find(|word| !semantics::holds(&both, word))?;
    Some(format!("{both} is false on {word:?}"))
}

/// The formula that was taken apart.
fn together(parts: &[Part]) -> Formula {
    let whole =
        |part: &Part| part.rest.to_formula().combined(Term::And, &part.recurrence.to_formula());
    let nothing = Formula::parse("false").expect("a formula");
    parts.iter().fold(nothing, |sum, part| sum.combined(Term::Or, &whole(part)))
}

/// What is wrong with the form of a part.
fn wrong_form(part: &Part) -> Option<String> {
    for formula in [&part.rest, &part.recurrence] {
        let mut occurs = vec![false; formula.atoms.len()];
        for (id, _) in formula.reachable().entries().filter(|&(_, &reachable)| reachable) {
            if let Node::Literal { atom, .. } = formula.nodes.node(id) {
                occurs[atom.index()] = true;
            }
        }
        if occurs.contains(&false) {
            return Some(format!("{formula:?} has too many atoms"));
        }
    }
    (!is_recurrence(&part.recurrence)).then(|| format!("{:?} is no recurrence", part.recurrence))
}

/// Whether the formula is `true` or a positive boolean combination of limits
/// over propositional formulas.
fn is_recurrence(formula: &Nnf) -> bool {
    let nodes = &formula.nodes;
    formula.root == Nodes::TRUE
        || boolean_leaves(nodes, formula.root).into_iter().all(|id| {
            Recurring::new(nodes, id).is_some_and(|limit| {
                boolean_leaves(nodes, limit.argument()).into_iter().all(|leaf| {
                    matches!(nodes.node(leaf), Node::Literal { .. } | Node::True | Node::False)
                })
            })
        })
}

/// Whether a limit over a propositional formula occurs.
fn has_recurrence(formula: &Nnf) -> bool {
    let reachable = formula.reachable();
    formula.nodes.ids().filter(|&id| reachable[id]).any(|root| {
        Recurring::new(&formula.nodes, root).is_some() && {
            is_recurrence(&Nnf { root, ..formula.clone() })
        }
    })
}

/// What is below the conjunctions and disjunctions at the top of `root`.
fn boolean_leaves(nodes: &Nodes, root: NodeId) -> Vec<NodeId> {
    let (mut seen, mut leaves, mut open) = (vec![false; nodes.len()], Vec::new(), vec![root]);
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        match nodes.node(id) {
            Node::And(list) | Node::Or(list) => open.extend(list),
            _ => leaves.push(id),
        }
    }
    leaves
}
