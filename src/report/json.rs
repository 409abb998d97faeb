//! A report as one JSON object.
//!
//! Schema 1. Fields may be added to it, but none is taken away and none
//! changes its meaning without a new number.
//!
//! | field | value |
//! |---|---|
//! | `schema` | the number 1 |
//! | `verdict` | `satisfiable`, `unsatisfiable`, `valid`, `not valid` or `unknown` |
//! | `reason` | why the verdict is `unknown`; absent otherwise |
//! | `formula` | the formula in our own syntax, of which the verdict is true; `null` if the run ended before it was read, or if the text would be longer than [`DISPLAY_LIMIT`] |
//! | `warnings` | a list of messages about atoms that look like operators |
//! | `finite` | `true` if the question was about finite words; absent otherwise |
//! | `witness` | a word on which the formula is true or, if it is `not valid`, false; absent otherwise |
//! | `strategy` | `explicit`, `bounded` or `proof`: who has found the answer; absent if it is unknown or an explicit automaton was made |
//! | `statistics` | numbers, see below |
//!
//! A `witness` has two lists of letters, `prefix` and `cycle`. The cycle is
//! never empty; it is repeated for ever. A letter is the sorted list of the
//! names of the atoms that are true. Names are as they are, without the quotes
//! that they may need in a formula. If the question was about finite words, there is one
//! list instead, `word`.
//!
//! | statistic | meaning |
//! |---|---|
//! | `terms` | distinct subformulas of the formula as it was written |
//! | `searches` | searches: one for each disjunct that is looked at by itself |
//! | `locations` | locations of the automata |
//! | `signs` | signs that recurrence and fairness are about |
//! | `configurations` | configurations met |
//! | `states` | what `--states` limits; here the same as `configurations` |
//! | `nodes` | nodes visited by the search |
//! | `nodes_again` | visits to nodes of components that had to be taken apart |
//! | `transitions` | edges followed by the search |
//! | `components` | components finished without an accepting cycle |
//! | `depth` | the longest search path |
//! | `spared` | how often a configuration was not entered, or not to the end, because it contains what accepts nothing |
//! | `cache_hits`, `cache_misses` | questions to the configuration graph that were answered from memory, or computed |
//! | `cache_hit_rate` | hits among all of them; absent if there were none |
//! | `automaton_states`, `automaton_edges` | the explicit automaton, of engines that make one |
//! | `unfinished_automaton_states` | the same, of one that was not finished when a limit was reached |
//! | `seconds` | wall-clock time since the start of the process |
//! | `peak_bytes` | the most resident memory of the process |
//!
//! If the search had to be abandoned because it did not react in time, only
//! `configurations`, `states`, `transitions`, `seconds` and `peak_bytes` are
//! known, and the others are absent.
//!
//! Reports on models are in [`model`], runs of models in [`trace`].

pub mod located;
pub mod model;
mod stream;
pub mod trace;

use super::model::Place;
use super::{Report, Witness, names};
use crate::ltl::Formula;
use crate::ltl::print::{DISPLAY_LIMIT, Dialect, bounded};
use crate::verdict::Satisfiability;
use crate::word::{Atoms, Lasso, Letter};
use serde_json::{Map, Value, json};

/// The number of the schema.
pub const SCHEMA: u32 = 1;

/// The report as one object of the schema above.
#[must_use]
pub fn object(report: &Report) -> Value {
    let mut object = Map::new();
    let mut field = |name: &str, value: Value| object.insert(name.to_owned(), value);
    field("schema", json!(SCHEMA));
    field("verdict", json!(report.verdict()));
    if let Satisfiability::Unknown(reason) = &report.found {
        field("reason", json!(reason.to_string()));
        field("reason_code", json!(reason.code()));
    }
    let text = |formula| bounded(formula, Dialect::Lwaa, DISPLAY_LIMIT);
    field("formula", json!(report.formula.as_ref().and_then(text)));
    if report.finite {
        field("finite", json!(true));
    }
    field("warnings", json!(report.warnings));
    if let Some((formula, lasso)) = report.witness() {
        field("witness", witness(formula, lasso));
    }
    if let Some(strategy) = report.strategy() {
        field("strategy", json!(strategy.name()));
    }
    field("statistics", statistics(report));
    Value::Object(object)
}

/// The answer of a command that has ended before it had anything else to say.
#[must_use]
pub fn unknown(reason: &str, code: &str) -> Value {
    json!({ "schema": SCHEMA, "verdict": "unknown", "reason": reason, "reason_code": code })
}

/// What is wrong with an input, and where; without a place it is wrong on the command line.
#[must_use]
pub fn input_error(error: &str, place: Option<&Place>) -> Value {
    json!({
        "schema": SCHEMA,
        "verdict": "error",
        "error": error,
        "file": place.map(|place| &*place.file),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
    })
}

/// A bug of ours.
#[must_use]
pub fn internal_error(error: &str) -> Value {
    json!({ "schema": SCHEMA, "verdict": "internal error", "error": error })
}

fn witness(formula: &Formula, witness: &Witness) -> Value {
    match witness {
        Witness::Lasso(word) => lasso(formula.atoms(), word),
        Witness::Finite(word) => json!({ "word": letters(formula.atoms(), word) }),
    }
}

/// An infinite word: the letters of its prefix and of its cycle.
pub(super) fn lasso(atoms: &Atoms, word: &Lasso<Letter>) -> Value {
    json!({ "prefix": letters(atoms, word.prefix()), "cycle": letters(atoms, word.cycle()) })
}

/// Each letter is the sorted list of its true atoms.
fn letters<'a>(atoms: &'a Atoms, part: &[Letter]) -> Vec<Vec<&'a str>> {
    part.iter().map(|letter| names(atoms, letter)).collect()
}

fn statistics(report: &Report) -> Value {
    let mut statistics = Map::new();
    for (name, count) in report.counters() {
        statistics.insert(name.to_owned(), json!(count));
        if name == "configurations" {
            statistics.insert("states".to_owned(), json!(count));
        }
    }
    if let Some(rate) = report.cache_hit_rate() {
        statistics.insert("cache_hit_rate".to_owned(), json!(rate));
    }
    statistics.insert("seconds".to_owned(), json!(report.time.as_secs_f64()));
    statistics.insert("peak_bytes".to_owned(), json!(report.peak_bytes));
    Value::Object(statistics)
}

#[cfg(test)]
mod tests {
    use super::super::{Question, Work, example, example_lasso};
    use super::*;
    use crate::search::limits::Exhausted;

    #[track_caller]
    fn check(question: Question, text: &str, found: Satisfiability, field: &str, expected: &Value) {
        let object = object(&example(question, text, found));
        assert_eq!(object["schema"], 1);
        assert_eq!(object.get(field), Some(expected).filter(|value| !value.is_null()));
    }

    #[test]
    fn the_verdict_is_a_word() {
        let none = Satisfiability::Unsatisfiable;
        let one = || example_lasso(&[], &[&[]]);
        check(Question::Satisfiable, "a", one(), "verdict", &json!("satisfiable"));
        check(Question::Satisfiable, "a", none.clone(), "verdict", &json!("unsatisfiable"));
        check(Question::Valid, "a", one(), "verdict", &json!("not valid"));
        check(Question::Valid, "a", none, "verdict", &json!("valid"));
    }

    #[test]
    fn a_letter_is_the_sorted_list_of_its_true_atoms() {
        let found = example_lasso(&[&[0, 1]], &[&[], &[1]]);
        let expected = json!({ "prefix": [["a b", "z"]], "cycle": [[], ["a b"]] });
        check(Question::Satisfiable, "z & X \"a b\"", found, "witness", &expected);
    }

    #[test]
    fn without_a_lasso_there_is_no_witness() {
        let found = Satisfiability::Unsatisfiable;
        check(Question::Satisfiable, "a", found, "witness", &Value::Null);
    }

    #[test]
    fn an_unknown_verdict_has_a_reason() {
        let found = Satisfiability::Unknown(Exhausted::Interrupted);
        check(Question::Valid, "a", found.clone(), "verdict", &json!("unknown"));
        check(Question::Valid, "a", found, "reason", &json!("interrupted"));
    }

    #[test]
    fn statistics_are_numbers() {
        let report = example(Question::Satisfiable, "a", Satisfiability::Unsatisfiable);
        let statistics = object(&report)["statistics"].clone();
        assert_eq!(statistics["cache_hit_rate"], 0.25);
        assert_eq!(statistics["seconds"], 1.234);
        assert_eq!(statistics["peak_bytes"], 3 << 20);
        assert!(statistics.as_object().unwrap().values().all(Value::is_number));
    }

    #[test]
    fn of_an_abandoned_search_little_is_known() {
        let found = Satisfiability::Unknown(Exhausted::Interrupted);
        let mut report = example(Question::Satisfiable, "a", found);
        report.work = Work::Seen { configurations: 5, transitions: 7 };
        report.formula = None;
        let object = object(&report);
        assert_eq!(object["formula"], Value::Null);
        let fields: Vec<&str> =
            object["statistics"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["configurations", "states", "transitions", "seconds", "peak_bytes"]);
    }
}
