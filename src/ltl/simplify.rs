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
//! - `G F` and `F G` are pulled out of everything, except where this would
//!   guess what a later letter decides (see `invariants.rs`).
//!
//! All rules are syntactic; nothing here knows about automata or words. The
//! laws for eventual and universal formulas are those of Etessami and Holzmann,
//! *Optimizing Büchi Automata*, CONCUR 2000, and many of the others are in
//! Somenzi and Bloem, *Efficient Büchi Automata from LTL Formulae*, CAV 2000.

mod arena;
mod context;
mod fixpoints;
mod fold;
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
mod units;

use super::nnf::Nnf;
use rebuild::{compact, fingerprint, rebuild};

pub use push_next::push_next;
pub use rules::{RULES, Rule};

/// How often a formula is rebuilt at most. The second time almost never finds
/// anything but lists to flatten.
const MAX_PASSES: usize = 4;

/// Simplifies `formula` by all [`RULES`].
///
/// The result is equivalent to `formula` and has no nodes that its root cannot
/// reach. It takes time near-linear in the number of nodes, at any depth. The result has at
/// most a few times as many nodes as `formula`: where sharing makes rules multiply nodes, those
/// that can are not applied.
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
    let simple = compact(saturate(formula, &RULES.iter().collect::<Vec<_>>()));
    if simple.nodes.len() <= 4 * formula.nodes.len() + 64 { simple } else { shrink(formula) }
}

/// Simplifies `formula` by the rules that do not replace a node by more nodes.
fn shrink(formula: &Nnf) -> Nnf {
    compact(saturate(formula, &RULES.iter().filter(|rule| !rule.grows).collect::<Vec<_>>()))
}

/// Rebuilds `formula` until nothing changes.
fn saturate(formula: &Nnf, rules: &[&'static Rule]) -> Nnf {
    let mut simple: Option<Nnf> = None;
    let mut print = None;
    for _ in 0..MAX_PASSES {
        let before = simple.as_ref().unwrap_or(formula);
        let rebuilt = rebuild(before, rules);
        let n_applied: u64 = rebuilt.n_applied.iter().sum();
        tracing::debug!(
            nodes_before = before.nodes.len(),
            nodes_after = rebuilt.formula.nodes.len(),
            n_applied,
            exhausted = rebuilt.exhausted,
            "rewrote the formula"
        );
        // Some rules undo each other, so there may be no change all the same.
        let new_print = (n_applied != 0).then(|| fingerprint(&rebuilt.formula));
        simple = Some(rebuilt.formula);
        if new_print.is_none() || new_print == print {
            break;
        }
        print = new_print;
    }
    simple.unwrap_or_else(|| formula.clone())
}
