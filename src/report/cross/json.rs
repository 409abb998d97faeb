//! The results of `cross` as one JSON object.
//!
//! Schema 1: `verdict` is `no disagreement`, `disagreement` or, if not all rounds
//! were played or a translator has translated nothing, and no disagreement was seen,
//! `unknown`, with a `reason`. `rounds` and
//! `disagreements` are numbers. `tests` is a list with `test`, `done` and `failed`.
//! `translators` is a list with `name`, `formulas`, `wrong` (rounds), `crashes`,
//! `timeouts`, `too_large`, sums of `states`, `edges`, `sets`, `product_states`
//! and `product_transitions`, and `seconds`. `failures` is a list of small proofs:
//! `translator`, `formula`, `accepts` (what its automaton does), `witness` (as for
//! `sat`), `test`, `found_in` (a formula), `seed` and `command`.

use super::{CrossReport, CrossVerdict};
use crate::report::json::{SCHEMA, lasso};
use crate::testbench::cross_check::Test;
use crate::testbench::tally::Line;
use serde_json::{Value, json};

/// The report as one object of the schema above.
#[must_use]
pub fn object(report: &CrossReport<'_>) -> Value {
    let tally = report.tally;
    let (verdict, reason) = match report.verdict() {
        CrossVerdict::Agreement => ("no disagreement", None),
        CrossVerdict::Unknown(reason) => ("unknown", Some(reason)),
        CrossVerdict::Disagreement => {
            ("disagreement", report.stopped.map(|reason| reason.to_string()))
        }
    };
    let tests = Test::ALL.map(|test| {
        let index = test.number() - 1;
        json!({ "test": test.number(), "done": tally.n_tests[index], "failed": tally.n_failures[index] })
    });
    let mut failures = Vec::new();
    for failed in &tally.failed {
        for culprit in &failed.proofs {
            let small = &culprit.small;
            failures.push(json!({
                "translator": tally.lines[culprit.translator].name,
                "formula": small.formula.to_string(),
                "accepts": small.accepts,
                "witness": lasso(small.formula.atoms(), &small.word),
                "test": culprit.test.number(),
                "found_in": failed.formula.as_ref().map(ToString::to_string),
                "seed": failed.seed,
                "command": report.command(failed.seed, 1),
            }));
        }
    }
    let mut object = json!({
        "schema": SCHEMA,
        "verdict": verdict,
        "rounds": tally.rounds,
        "disagreements": tally.disagreements(),
        "tests": tests,
        "by_short_words": tally.n_by_words,
        "left_out": tally.n_skipped,
        "translators": tally.lines.iter().map(translator).collect::<Vec<_>>(),
        "failures": failures,
        "statistics": { "seconds": report.seconds },
    });
    if let Some(reason) = reason {
        object["reason"] = json!(reason);
    }
    object
}

fn translator(line: &Line) -> Value {
    let work = &line.work;
    json!({
        "name": line.name,
        "formulas": work.n_translated,
        "wrong": line.n_wrong,
        "crashes": work.n_crashes,
        "timeouts": work.n_timeouts,
        "too_large": work.n_too_large,
        "states": work.n_states,
        "edges": work.n_edges,
        "sets": work.n_sets,
        "product_states": work.products[0],
        "product_transitions": work.products[1],
        "seconds": work.seconds,
    })
}
