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
//! A result and an exploration have a `reduction`: whether steps were left out (`on`), and in how many
//! states (`states`, `reduced`) and of how many transitions (`enabled`, `left_out`), or why not
//! (`reason`, `reason_code`).
//!
//! A result has `property` (a name), `formula` (in our own syntax, whatever the
//! language; `null` if the property is a claim, or if the text would be longer than
//! [`DISPLAY_LIMIT`]), `verdict`, `reason`, `statistics`
//! and the run: `lasso` if the verdict is `violated` or `a run exists`, `trace`
//! if it is `model error`, or `violated` by a run that ends in an error of the model, see
//! [`trace`]. Where a finite part of the run violates the formula whatever follows,
//! `violated_at` is the number of the state that ends the shortest such part, counted from 0
//! (behind the prefix, the cycle is counted through as often as needed), and `violated_part`
//! the part of the formula that fails there. A model error has a
//! `place` if it is in a transition: an object with `file`, `line` and `column`.
//! If the search has met an error of the model that no verdict shows, `error` on top is an
//! object with `reason`, `place` and `trace`.
//!
//! `explore`: `schema`, `verdict` (`explored`, `unknown` or `model error`),
//! `reason`, `states`, `transitions`, `deadlocks`, `errors` (pairs of a state and a transition
//! that goes wrong; all of them so far, if a limit was reached or with `--errors stop`),
//! `trace`, `place`, `never_taken` (with `--stats`, if all states were explored: statements, or
//! actions where there are no statements, that no step takes) and `statistics`.
//!
//! | statistic | meaning |
//! |---|---|
//! | `states` | states of the model that are stored |
//! | `nodes` | nodes visited by the search: pairs of a state and a configuration |
//! | `transitions` | edges followed by the search |
//! | `configurations` | configurations met |
//! | `terms`, `searches`, `locations`, `signs`, `nodes_again`, `components`, `depth`, `cache_hits`, `cache_misses`, `cache_hit_rate` | as for formulas |
//! | `state_bytes`, `bytes_per_state` | what the states need |
//! | `states_per_second` | states by `seconds` |
//! | `seconds`, `peak_bytes` | wall-clock time and most resident memory of the process |

use super::stream::{Object, list};
use super::trace::Origin;
use super::{SCHEMA, trace};
use crate::ltl::print::{DISPLAY_LIMIT, Dialect, bounded};
use crate::report::model::{
    Cost, ExplorationReport, ModelReport, Place, PropertyResult, counters, error_code,
    error_reason, reason, reason_code, strength_name, word,
};
use crate::report::state::States;
use crate::system::{NetSize, Reduced};
use crate::verdict::{Incomplete, Knowledge, Reduction};
use serde_json::{Map, Value, json};
use std::io::{Result, Write};

/// Writes the answers about properties as one object.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_check(out: &mut dyn Write, report: &ModelReport) -> Result<()> {
    let mut object = Object::begin(out)?;
    object.field("schema", SCHEMA)?;
    match (report.unknown, report.worst()) {
        (Some(exhausted), _) => {
            object.field("verdict", "unknown")?;
            object.field("reason", exhausted.to_string())?;
            object.field("reason_code", exhausted.code())?;
        }
        (None, Some(worst)) => {
            object.field("verdict", word(worst))?;
            add_some(&mut object, "reason", reason(worst))?;
            add_some(&mut object, "reason_code", reason_code(worst))?;
        }
        (None, None) => (),
    }
    list(object.name("results")?, &report.results, |out, result| {
        let mut object = Object::begin(out)?;
        add_result(&mut object, result)?;
        let statistics = &result.finding.statistics;
        add_some(&mut object, "reduction", statistics.reduction.map(reduction))?;
        add_some(&mut object, "order", statistics.guided.then(|| json!("guided")))?;
        add_some(&mut object, "knowledge", statistics.knowledge.map(knowledge))?;
        add_some(&mut object, "net", statistics.net.map(net))?;
        object.field("statistics", counts(&counters(statistics)))?;
        object.end()
    })?;
    if let Some(error) = &report.error {
        let mut object = Object::begin(object.name("error")?)?;
        object.field("reason", error_reason(&error.run))?;
        object.field("reason_code", error_code(&error.run))?;
        add_some(&mut object, "place", error.place.as_ref().map(place))?;
        trace::add(&mut object, &error.run, &States::new(error.system.program()))?;
        object.end()?;
    }
    object.field("warnings", report.warnings.clone())?;
    object.field("statistics", statistics(&report.cost))?;
    object.end()
}

/// Writes the size of a model as one object. Without `states` there is no run
/// to be written.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_explore(
    out: &mut dyn Write,
    report: &ExplorationReport,
    states: Option<&States<'_>>,
) -> Result<()> {
    let exploration = &report.exploration;
    let mut object = Object::begin(out)?;
    object.field("schema", SCHEMA)?;
    object.field("verdict", report.word())?;
    add_some(&mut object, "reason", report.reason())?;
    add_some(&mut object, "reason_code", report.reason_code())?;
    object.field("states", exploration.states)?;
    object.field("transitions", exploration.transitions)?;
    object.field("deadlocks", exploration.deadlocks)?;
    object.field("errors", exploration.errors)?;
    let run = exploration.incomplete.as_ref().and_then(Incomplete::run);
    if let Some((run, states)) = run.zip(states) {
        trace::add(&mut object, run, states)?;
    }
    add_some(&mut object, "place", report.place.as_ref().map(place))?;
    add_some(&mut object, "never_taken", report.never_taken.clone())?;
    object.field("statistics", statistics(&report.cost))?;
    object.end()
}

/// Writes a trace file: the run that the verdict shows, and the verdict.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_trace(out: &mut dyn Write, origin: Origin<'_>, result: &PropertyResult) -> Result<()> {
    let mut object = Object::begin(out)?;
    origin.add(&mut object)?;
    add_result(&mut object, result)?;
    object.end()
}

/// What was known about a formula.
fn knowledge(known: Knowledge) -> Value {
    let Knowledge { terms, left, decided } = known;
    json!({ "decided": decided, "terms": terms, "left": left })
}

/// How much smaller a net was made.
fn net(size: NetSize) -> Value {
    let NetSize { places, places_before, transitions, transitions_before } = size;
    json!({
        "places": places,
        "places_before": places_before,
        "transitions": transitions,
        "transitions_before": transitions_before,
    })
}

fn add_result(object: &mut Object<'_>, result: &PropertyResult) -> Result<()> {
    let verdict = &result.finding.verdict;
    let formula = result.formula.as_ref();
    let formula = formula.and_then(|formula| bounded(formula, Dialect::Lwaa, DISPLAY_LIMIT));
    object.field("property", result.name.as_str())?;
    object.field("formula", json!(formula))?;
    object.field("verdict", word(verdict))?;
    add_some(object, "reason", reason(verdict))?;
    add_some(object, "reason_code", reason_code(verdict))?;
    if let Some((run, system)) = verdict.run().zip(result.system.as_ref()) {
        trace::add(object, run, &States::new(system.program()))?;
    }
    if let Some(violation) = &result.finding.violation {
        object.field("violated_at", violation.position)?;
        object.field("violated_part", violation.part.as_str())?;
    }
    let unfair = result.unfair.as_ref().map(|unfair| {
        json!({
            "neglected": unfair.neglected,
            "fair": strength_name(unfair.strength),
            "holds": unfair.holds.then_some(true),
        })
    });
    add_some(object, "unfair", unfair)?;
    add_some(object, "place", result.place.as_ref().map(place))
}

fn add_some(object: &mut Object<'_>, name: &str, value: Option<impl Into<Value>>) -> Result<()> {
    value.map_or(Ok(()), |value| object.field(name, value))
}

fn place(place: &Place) -> Value {
    json!({ "file": place.file, "line": place.line, "column": place.column })
}

fn counts(counters: &[(&'static str, u64)]) -> Map<String, Value> {
    counters.iter().map(|&(name, count)| (name.to_owned(), json!(count))).collect()
}

/// Whether steps were left out, in how many states, or why not.
fn reduction(reduction: Reduction) -> Value {
    match reduction {
        Reduction::On(Reduced { states, reduced, enabled, left_out }) => json!({
            "on": true,
            "states": states,
            "reduced": reduced,
            "enabled": enabled,
            "left_out": left_out,
        }),
        Reduction::Off(reason) => {
            json!({ "on": false, "reason": reason.to_string(), "reason_code": reason.code() })
        }
    }
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
    use crate::run::{Ending, Moment, Run};
    use crate::search::limits::Exhausted;
    use crate::system::{Fault, FaultKind};
    use crate::verdict::{Exploration, Finding, Statistics, Verdict};
    use std::sync::Arc;
    use std::time::Duration;

    /// What has been written, read again.
    fn object(write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Value {
        let mut text = Vec::new();
        write(&mut text).unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    fn cost(is_complete: bool) -> Cost {
        let statistics = Statistics { states: 2, state_bytes: 16, ..Statistics::default() };
        Cost { statistics, is_complete, time: Duration::from_secs(1), peak_bytes: 5 }
    }

    fn report(verdicts: Vec<Verdict>) -> ModelReport {
        let results = verdicts
            .into_iter()
            .map(|verdict| PropertyResult {
                name: "fair".to_owned(),
                about: crate::report::model::About::Formula,
                formula: Some(Formula::parse("G F p").unwrap()),
                finding: Finding { verdict, violation: None, statistics: Statistics::default() },
                system: Some(Arc::new(two_workers().into())),
                unfair: None,
                place: None,
            })
            .collect();
        ModelReport { results, unknown: None, error: None, warnings: vec![], cost: cost(true) }
    }

    #[test]
    fn a_violated_property_has_a_lasso() {
        let program = two_workers();
        let state = packed(&program, &[1, 0, 2, 0]);
        let moment = Moment { state, taken: None, pending: ["G !p".into()].into() };
        let run = Run { moments: vec![moment], ending: Ending::Cycle { start: 0 } };
        let report = report(vec![Verdict::Holds, Verdict::Violated(run)]);
        let object = self::object(|out| write_check(out, &report));
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
        let file = self::object(|out| {
            let origin = Origin { model: "m.lwm", definitions: &[] };
            write_trace(out, origin, &report.results[1])
        });
        assert_eq!((&file["model"], &file["lasso"]), (&json!("m.lwm"), &expected));
    }

    #[test]
    fn the_verdict_on_top_is_the_most_severe() {
        let unknown = || Verdict::Unknown(Exhausted::Interrupted);
        let fault = Fault { kind: FaultKind::Overflow, transition: None };
        let some = report(vec![Verdict::Holds, unknown()]);
        let object = self::object(|out| write_check(out, &some));
        assert_eq!(
            (&object["verdict"], &object["reason"]),
            (&json!("unknown"), &json!("interrupted"))
        );
        let error = Verdict::ModelError(Run { moments: vec![], ending: Ending::Fault(fault) });
        let all = report(vec![error, Verdict::ExistsNot, unknown()]);
        let object = self::object(|out| write_check(out, &all));
        assert_eq!(object["verdict"], "model error");
    }

    #[test]
    fn an_exploration_has_its_size_on_top() {
        let exploration = Exploration {
            states: 3,
            transitions: 4,
            deadlocks: 1,
            errors: 0,
            is_complete: false,
            incomplete: Some(Incomplete::Limit(Exhausted::States { limit: 3 })),
            statistics: Statistics::default(),
        };
        let report =
            ExplorationReport { exploration, place: None, never_taken: None, cost: cost(false) };
        let object = object(|out| write_explore(out, &report, None));
        assert_eq!((&object["states"], &object["deadlocks"]), (&json!(3), &json!(1)));
        assert_eq!(object["verdict"], "unknown");
        assert_eq!(object["statistics"].get("nodes"), None);
    }
}
