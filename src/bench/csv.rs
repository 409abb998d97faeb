//! Measurements as comma-separated values: a row for each, all that is known.
//!
//! The first columns are always the same; numbers that only some pipelines
//! have come behind them, sorted by name.

use super::{Measurement, Results, Verdict};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{Result, Write};

const COLUMNS: [&str; 14] = [
    "group",
    "instance",
    "n",
    "expected",
    "pipeline",
    "repetition",
    "outcome",
    "verdict",
    "wrong",
    "wall_seconds",
    "user_seconds",
    "system_seconds",
    "peak_bytes",
    "message",
];

/// Writes all measurements.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(out: &mut dyn Write, results: &Results) -> Result<()> {
    let attempts = &results.measurements;
    let names: BTreeSet<&str> =
        attempts.iter().flat_map(|attempt| &attempt.numbers).map(|(name, _)| &**name).collect();
    let header: Vec<Cow<'_, str>> = COLUMNS.iter().chain(&names).map(|name| quoted(name)).collect();
    writeln!(out, "{}", header.join(","))?;
    for attempt in attempts {
        let mut row = first_columns(results, attempt);
        for name in &names {
            let number = attempt.numbers.iter().find(|(other, _)| other == name);
            row.push(number.map_or_else(String::new, |(_, number)| number.to_string()));
        }
        let row: Vec<Cow<'_, str>> = row.iter().map(|value| quoted(value)).collect();
        writeln!(out, "{}", row.join(","))?;
    }
    Ok(())
}

fn first_columns(results: &Results, attempt: &Measurement) -> Vec<String> {
    let instance = &results.instances[attempt.instance];
    let word = |verdict: &Option<Verdict>| {
        verdict.as_ref().map_or_else(String::new, |verdict| verdict.word.clone())
    };
    let seconds = |seconds: Option<f64>| seconds.map_or_else(String::new, |s| format!("{s:.6}"));
    let cost = attempt.cost;
    vec![
        results.groups[instance.group].name.clone(),
        instance.name.clone(),
        instance.n.map_or_else(String::new, |n| n.to_string()),
        word(&instance.expected),
        results.pipelines[attempt.pipeline].name.clone(),
        attempt.repetition.to_string(),
        attempt.outcome.word().to_owned(),
        word(&attempt.verdict),
        if attempt.contradicts(instance) { "wrong" } else { "" }.to_owned(),
        seconds(cost.map(|cost| cost.wall_seconds)),
        seconds(cost.and_then(|cost| cost.user_seconds)),
        seconds(cost.and_then(|cost| cost.system_seconds)),
        cost.and_then(|cost| cost.peak_bytes).map_or_else(String::new, |peak| peak.to_string()),
        attempt.message.clone().unwrap_or_default(),
    ]
}

/// A value as it stands in a row.
#[must_use]
pub fn quoted(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        return Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")));
    }
    Cow::Borrowed(text)
}
