//! A report on a model as one JSON object.
//!
//! Schema 1, as for formulas. `check`:
//!
//! | field | value |
//! |---|---|
//! | `schema` | the number 1 |
//! | `verdict` | the most severe verdict: `model error`, then `violated` or `no run exists`, then `unknown`, then `holds` or `a run exists` |
//! | `reason` | what the model error is, or why the verdict is unknown; absent otherwise |
//! | `results` | a list with an object for each property |
//! | `warnings` | a list of messages |
//! | `statistics` | numbers: of all properties together |
//!
//! A result has `property` (a name), `formula` (in our own syntax; `null` if it
//! would be longer than [`DISPLAY_LIMIT`]), `verdict`, `reason`, `statistics`
//! and the run: `lasso` if the verdict is `violated` or `a run exists`, `trace`
//! if it is `model error`, see [`trace`]. A model error has a
//! `place` if it is in a transition: an object with `file`, `line` and `column`.
//!
//! `explore`: `schema`, `verdict` (`explored`, `unknown` or `model error`),
//! `reason`, `states`, `transitions`, `deadlocks` (so far, unless `explored`),
//! `trace`, `place` and `statistics`.
//!
//! | statistic | meaning |
//! |---|---|
//! | `states` | states of the model that are stored |
//! | `nodes` | nodes visited by the search: pairs of a state and a configuration |
//! | `transitions` | edges followed by the search |
//! | `configurations` | configurations met |
//! | `terms`, `locations`, `components`, `depth`, `cache_hits`, `cache_misses`, `cache_hit_rate` | as for formulas |
//! | `state_bytes`, `bytes_per_state` | what the states need |
//! | `states_per_second` | states by `seconds` |
//! | `seconds`, `peak_bytes` | wall-clock time and most resident memory of the process |

use super::{SCHEMA, trace};
use crate::lang::Definition;
use crate::ltl::print::{DISPLAY_LIMIT, Dialect, bounded};
use crate::report::model::{
    Cost, ExplorationReport, ModelReport, Place, PropertyResult, counters, reason, word,
};
use crate::report::state::States;
use crate::report::trace::Trace;
use serde_json::{Map, Value, json};

/// The answers about properties as one object. Without `states` there are no
/// runs to be written.
#[must_use]
pub fn check_object(report: &ModelReport, states: Option<&States<'_>>) -> Value {
    let mut object = Map::new();
    object.insert("schema".to_owned(), json!(SCHEMA));
    if let Some(worst) = report.worst() {
        object.insert("verdict".to_owned(), json!(word(worst)));
        add_some(&mut object, "reason", reason(worst).map(Value::from));
    }
    if let Some(reason) = report.unknown {
        object.insert("verdict".to_owned(), json!("unknown"));
        object.insert("reason".to_owned(), json!(reason.to_string()));
    }
    let results: Vec<Value> = report
        .results
        .iter()
        .map(|result| {
            let mut object = Map::new();
            add_result(&mut object, result, states);
            let statistics = counters(&result.finding.statistics);
            object.insert("statistics".to_owned(), counts(&statistics).into());
            Value::Object(object)
        })
        .collect();
    object.insert("results".to_owned(), json!(results));
    object.insert("warnings".to_owned(), json!(report.warnings));
    object.insert("statistics".to_owned(), statistics(&report.cost));
    Value::Object(object)
}

/// The size of a model as one object. Without `states` there is no run to be
/// written.
#[must_use]
pub fn explore_object(report: &ExplorationReport, states: Option<&States<'_>>) -> Value {
    let exploration = &report.exploration;
    let mut object = Map::new();
    object.insert("schema".to_owned(), json!(SCHEMA));
    object.insert("verdict".to_owned(), json!(report.word()));
    add_some(&mut object, "reason", report.reason().map(Value::from));
    object.insert("states".to_owned(), json!(exploration.states));
    object.insert("transitions".to_owned(), json!(exploration.transitions));
    object.insert("deadlocks".to_owned(), json!(exploration.deadlocks));
    let run = exploration.incomplete.as_ref().and_then(Trace::from_incomplete);
    if let Some((run, states)) = run.zip(states) {
        trace::add(&mut object, &run, states);
    }
    add_some(&mut object, "place", report.place.as_ref().map(place));
    object.insert("statistics".to_owned(), statistics(&report.cost));
    Value::Object(object)
}

/// What a trace file says: the run that the verdict shows, and the verdict.
#[must_use]
pub fn trace_object(
    model: &str,
    definitions: &[Definition],
    result: &PropertyResult,
    states: &States<'_>,
) -> Value {
    let mut object = Map::new();
    object.insert("schema".to_owned(), json!(SCHEMA));
    object.insert("model".to_owned(), json!(model));
    let constants: Map<String, Value> =
        definitions.iter().map(|known| (known.name.clone(), json!(known.value))).collect();
    object.insert("definitions".to_owned(), Value::Object(constants));
    add_result(&mut object, result, Some(states));
    Value::Object(object)
}

fn add_result(
    object: &mut Map<String, Value>,
    result: &PropertyResult,
    states: Option<&States<'_>>,
) {
    let verdict = &result.finding.verdict;
    let formula = result.formula.as_ref();
    let formula = formula.and_then(|formula| bounded(formula, Dialect::Lwaa, DISPLAY_LIMIT));
    object.insert("property".to_owned(), json!(result.name));
    object.insert("formula".to_owned(), json!(formula));
    object.insert("verdict".to_owned(), json!(word(verdict)));
    add_some(object, "reason", reason(verdict).map(Value::from));
    if let Some((run, states)) = Trace::from_verdict(verdict).zip(states) {
        trace::add(object, &run, states);
    }
    add_some(object, "place", result.place.as_ref().map(place));
}

fn add_some(object: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        object.insert(name.to_owned(), value);
    }
}

fn place(place: &Place) -> Value {
    json!({ "file": place.file, "line": place.line, "column": place.column })
}

fn counts(counters: &[(&'static str, u64)]) -> Map<String, Value> {
    counters.iter().map(|&(name, count)| (name.to_owned(), json!(count))).collect()
}

fn statistics(cost: &Cost) -> Value {
    let counters = if cost.is_complete { counters(&cost.statistics) } else { cost.counters() };
    let mut object = counts(&counters);
    for (name, rate) in cost.rates() {
        object.insert(name.to_owned(), json!(rate));
    }
    object.insert("seconds".to_owned(), json!(cost.time.as_secs_f64()));
    object.insert("peak_bytes".to_owned(), json!(cost.peak_bytes));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::super::super::example_program::{packed, two_workers};
    use super::*;
    use crate::Formula;
    use crate::search::limits::Exhausted;
    use crate::system::{Fault, FaultKind};
    use crate::verdict::{Exploration, Finding, Incomplete, Moment, Statistics, Verdict};
    use crate::word::Lasso;
    use std::time::Duration;

    fn cost(is_complete: bool) -> Cost {
        let statistics = Statistics { states: 2, state_bytes: 16, ..Statistics::default() };
        Cost { statistics, is_complete, time: Duration::from_secs(1), peak_bytes: 5 }
    }

    fn report(verdicts: Vec<Verdict>) -> ModelReport {
        let results = verdicts
            .into_iter()
            .map(|verdict| PropertyResult {
                name: "fair".to_owned(),
                formula: Some(Formula::parse("G F p").unwrap()),
                finding: Finding { verdict, statistics: Statistics::default() },
                place: None,
            })
            .collect();
        ModelReport { results, unknown: None, warnings: vec![], cost: cost(true) }
    }

    #[test]
    fn a_violated_property_has_a_lasso() {
        let program = two_workers();
        let state = packed(&program, &[1, 0, 2, 0]);
        let moment = Moment { state, taken: None, pending: ["G !p".into()].into() };
        let lasso = Lasso::new(vec![], vec![moment]).unwrap();
        let report = report(vec![Verdict::Holds, Verdict::Violated(lasso)]);
        let object = check_object(&report, Some(&States::new(&program)));
        assert_eq!(object["verdict"], "violated");
        assert_eq!(object["results"][0]["verdict"], "holds");
        let expected = json!({
            "prefix": [],
            "cycle": [{
                "state": { "phase": ["busy", "idle"], "turn": 2, "count": 0 },
                "process": null,
                "action": null,
                "pending": ["G !p"],
            }],
        });
        assert_eq!(object["results"][1]["lasso"], expected);
        assert_eq!(object["results"][1]["formula"], "G F p");
        assert_eq!(object["statistics"]["bytes_per_state"], 8.0);
        let file = trace_object("m.lwm", &[], &report.results[1], &States::new(&program));
        assert_eq!((&file["model"], &file["lasso"]), (&json!("m.lwm"), &expected));
    }

    #[test]
    fn the_verdict_on_top_is_the_most_severe() {
        let program = two_workers();
        let states = States::new(&program);
        let unknown = || Verdict::Unknown(Exhausted::Interrupted);
        let fault = Fault { kind: FaultKind::Overflow, transition: None };
        let object = check_object(&report(vec![Verdict::Holds, unknown()]), Some(&states));
        assert_eq!(
            (&object["verdict"], &object["reason"]),
            (&json!("unknown"), &json!("interrupted"))
        );
        let error = Verdict::ModelError(fault, vec![]);
        let all = report(vec![error, Verdict::ExistsNot, unknown()]);
        assert_eq!(check_object(&all, None)["verdict"], "model error");
    }

    #[test]
    fn an_exploration_has_its_size_on_top() {
        let exploration = Exploration {
            states: 3,
            transitions: 4,
            deadlocks: 1,
            incomplete: Some(Incomplete::Limit(Exhausted::States { limit: 3 })),
            statistics: Statistics::default(),
        };
        let report = ExplorationReport { exploration, place: None, cost: cost(false) };
        let object = explore_object(&report, None);
        assert_eq!((&object["states"], &object["deadlocks"]), (&json!(3), &json!(1)));
        assert_eq!(object["verdict"], "unknown");
        assert_eq!(object["statistics"].get("nodes"), None);
    }
}
