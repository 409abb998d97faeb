//! Satisfiability by way of an explicit automaton: translate, look for a word
//! that it accepts.

use super::{Options, normal_form, translate};
use crate::baseline::Nba;
use crate::baseline::translation::{self, Method};
use crate::baseline::word_graph;
use crate::ltl::Formula;
use crate::search::limits::{Budget, Exhausted};
use crate::verdict::Statistics;
use crate::word::{Lasso, Letter};

/// The automaton of `formula`. The search for components needs no single
/// acceptance set.
pub(super) fn generalized(
    formula: &Formula,
    method: Method,
    options: &Options,
    budget: &mut Budget<'_>,
) -> Result<Nba, Exhausted> {
    let nnf = normal_form(formula, options);
    translation::generalized(&nnf, method, !options.simplify, budget)
}

/// Looks for a model of `formula`.
pub(super) fn search(
    formula: &Formula,
    method: Method,
    options: &Options,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let automaton = generalized(formula, method, options, budget)?;
    statistics.automaton_states = automaton.n_states();
    statistics.automaton_edges = automaton.n_edges();
    let word = word_graph::example(&automaton, budget)?;
    let renamed = |word: Lasso<Letter>| {
        word.map(|letter| translate(letter, automaton.atoms(), formula.atoms())).shortened()
    };
    Ok(word.map(renamed))
}
