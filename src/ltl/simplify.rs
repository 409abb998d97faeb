//! Simplification: a formula in negation normal form to a smaller one.
//!
//! [`RULES`] is the table of laws. The formula is rebuilt from the bottom to
//! the top, and each node that is built is first matched against the rules, so
//! that a law meets operands to which no law applies any more. Because
//! flattening lists and joining operands can bring new neighbours together, the
//! formula is rebuilt again until nothing changes, a few times at most.
//!
//! "Smaller" is about the automaton whose locations are the temporal
//! subformulas: fewer of them, choices as late as possible, and formulas that
//! hold everywhere or nowhere at the top, where they become acceptance instead
//! of locations. Therefore
//!
//! - `X` moves outwards, through lists too: `X a | X b` chooses now, and
//!   `X (a | b)` when the next letter is known;
//! - `F` joins, `F a | F b = F (a | b)`, but `G` splits, `G (a & b) = G a & G b`,
//!   since a configuration is a set of conjuncts;
//! - `G F` and `F G` are pulled out of everything.
//!
//! All rules are syntactic; nothing here knows about automata or words. The
//! laws for eventual and universal formulas are those of Etessami and Holzmann,
//! *Optimizing Büchi Automata*, CONCUR 2000, and many of the others are in
//! Somenzi and Bloem, *Efficient Büchi Automata from LTL Formulae*, CAV 2000.

mod arena;
mod fixpoints;
mod implication;
mod invariants;
mod lists;
mod merge;
mod pattern;
mod push_next;
mod rebuild;
mod rewriter;
mod rules;
#[cfg(test)]
mod tests;

use super::nnf::Nnf;
use rebuild::{compact, rebuild};

pub use push_next::push_next;
pub use rules::{RULES, Rule};

/// How often a formula is rebuilt at most. The second time almost never finds
/// anything but lists to flatten.
const MAX_PASSES: usize = 4;

/// How much is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// No rule is applied.
    None,
    /// Only rules that do not replace a node by more nodes.
    Shrinking,
    /// All rules are applied.
    #[default]
    All,
}

/// Simplifies `formula` by all [`RULES`].
///
/// The result is equivalent to `formula` and has no nodes that its root cannot
/// reach. It takes time near-linear in the number of nodes, at any depth.
///
/// ```
/// use lwaa::ltl::{Formula, nnf, simplify::simplify};
/// let formula = Formula::parse("F (a U F b) & G F X (a | G F c)")?;
/// let simple = simplify(&nnf::from_formula(&formula));
/// assert_eq!(simple.to_formula().to_string(), "F b & G F (a | c)");
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn simplify(formula: &Nnf) -> Nnf {
    simplify_at(formula, Level::All)
}

/// Simplifies `formula` by the rules of `level`.
///
/// Even with all rules the result has at most a few times as many nodes as
/// `formula`: where sharing makes rules multiply nodes, those that can are not
/// applied.
#[must_use]
pub fn simplify_at(formula: &Nnf, level: Level) -> Nnf {
    let original = compact(formula);
    let shrinking: Vec<_> = RULES.iter().filter(|rule| !rule.grows).collect();
    match level {
        Level::None => original,
        Level::Shrinking => saturate(&original, &shrinking),
        Level::All => {
            let simple = saturate(&original, &RULES.iter().collect::<Vec<_>>());
            if simple.nodes.len() <= 4 * original.nodes.len() + 64 {
                simple
            } else {
                saturate(&original, &shrinking)
            }
        }
    }
}

/// Rebuilds `formula` until nothing changes.
fn saturate(formula: &Nnf, rules: &[&'static Rule]) -> Nnf {
    let mut simple = pass(formula, rules);
    for _ in 1..MAX_PASSES {
        let next = pass(&simple, rules);
        let unchanged = same(&simple, &next);
        simple = next;
        if unchanged {
            break;
        }
    }
    simple
}

fn pass(formula: &Nnf, rules: &[&'static Rule]) -> Nnf {
    let rebuilt = rebuild(formula, rules);
    tracing::debug!(
        nodes_before = formula.nodes.len(),
        nodes_after = rebuilt.formula.nodes.len(),
        applied = rebuilt.n_applied.iter().sum::<u64>(),
        exhausted = rebuilt.exhausted,
        "rewrote the formula"
    );
    rebuilt.formula
}

/// Whether both are the same in all nodes.
fn same(a: &Nnf, b: &Nnf) -> bool {
    a.root == b.root
        && a.nodes.len() == b.nodes.len()
        && a.nodes.ids().all(|id| a.nodes.node(id) == b.nodes.node(id))
}
