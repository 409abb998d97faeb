//! The results of `cross` as one JSON object.
//!
//! Schema 1: `verdict` is `no disagreement`, `disagreement` or, if not all rounds
//! were played or somebody has translated nothing, and there is none so far,
//! `unknown`, with a `reason`. `rounds` and
//! `disagreements` are numbers. `tests` is a list with `test`, `done` and `failed`.
//! `translators` is a list with `name`, `formulas`, `wrong` (rounds), `crashes`,
//! `timeouts`, `too_large`, sums of `states`, `edges`, `sets`, `product_states`
//! and `product_transitions`, and `seconds`. `failures` is a list of small proofs:
//! `translator`, `formula`, `accepts` (what its automaton does), `witness` (as for
//! `sat`), `test`, `found_in` (a formula), `seed` and `command`.

use super::{Results, Verdict};
use lwaa::ltl::Formula;
use lwaa::report::json::SCHEMA;
use lwaa::testbench::cross_check::Test;
use lwaa::testbench::tally::Line;
use lwaa::word::{Lasso, Letter};
use serde_json::{Value, json};

/// Everything.
pub(super) fn object(results: &Results<'_>) -> Value {
    let tally = results.tally;
    let (verdict, reason) = match results.verdict() {
        Verdict::Agreement => ("no disagreement", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason)),
        Verdict::Disagreement => ("disagreement", results.stopped.map(|reason| reason.to_string())),
    };
    let tests = Test::ALL.map(|test| {
        let index = test.number() - 1;
        json!({ "test": test.number(), "done": tally.n_tests[index], "failed": tally.n_failures[index] })
    });
    let mut failures = Vec::new();
    for report in &tally.failed {
        for culprit in &report.proofs {
            let small = &culprit.small;
            failures.push(json!({
                "translator": tally.lines[culprit.translator].name,
                "formula": small.formula.to_string(),
                "accepts": small.accepts,
                "witness": word(&small.formula, &small.word),
                "test": culprit.test.number(),
                "found_in": report.formula.as_ref().map(ToString::to_string),
                "seed": report.seed,
                "command": results.command(report.seed),
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
        "statistics": { "seconds": results.seconds },
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

fn word(formula: &Formula, word: &Lasso<Letter>) -> Value {
    let letter = |letter: &Letter| {
        let mut names: Vec<&str> = letter.iter().map(|atom| formula.atoms().name(atom)).collect();
        names.sort_unstable();
        json!(names)
    };
    let letters = |part: &[Letter]| part.iter().map(letter).collect::<Vec<Value>>();
    json!({ "prefix": letters(word.prefix()), "cycle": letters(word.cycle()) })
}
