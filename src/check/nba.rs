//! Satisfiability by way of an explicit automaton: translate, look for a word
//! that it accepts.

use super::{Options, normal_form, translate};
use crate::baseline::Nba;
use crate::baseline::translation::{self, Translation};
use crate::baseline::word_graph;
use crate::ltl::Formula;
use crate::search::limits::{Budget, Exhausted};
use crate::verdict::Statistics;
use crate::word::{Lasso, Letter};

/// The automaton of `formula`. The search for components needs no single
/// acceptance set.
pub(super) fn generalized(
    formula: &Formula,
    translation: Translation,
    options: &Options,
    budget: &mut Budget<'_>,
) -> Result<Nba, Exhausted> {
    let nnf = normal_form(formula, options);
    translation::generalized(&nnf, translation, !options.simplify, budget)
}

/// Does work that makes an automaton, and notes how far it came if it does not
/// finish.
pub(super) fn translated<E>(
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
    work: impl FnOnce(&mut Budget<'_>) -> Result<Nba, E>,
) -> Result<Nba, E> {
    let monitor = budget.monitor();
    monitor.set_translating(true);
    let result = work(budget);
    monitor.set_translating(false);
    if let Ok(automaton) = &result {
        statistics.automaton_states = automaton.n_states();
        statistics.automaton_edges = automaton.n_edges();
    } else {
        let seen = usize::try_from(monitor.states()).unwrap_or(usize::MAX);
        statistics.unfinished_automaton_states = seen;
    }
    result
}

/// Looks for a model of `formula`.
pub(super) fn search(
    formula: &Formula,
    translation: Translation,
    options: &Options,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let automaton = translated(budget, statistics, |budget| {
        generalized(formula, translation, options, budget)
    })?;
    let word = word_graph::example(&automaton, budget)?;
    let renamed = |word: Lasso<Letter>| {
        word.map(|letter| translate(letter, automaton.atoms(), formula.atoms())).shortened()
    };
    Ok(word.map(renamed))
}
