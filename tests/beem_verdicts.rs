//! The BEEM benchmark set: verdicts on its properties are as published.
//!
//! The set is not part of the project; without it the test says that it is
//! skipped. `LWAA_BEEM_STATES=N` asks about instances with up to `N` states
//! instead of 20,000, and prints a line for each property. Published verdicts
//! are about infinite runs, so deadlocks are ignored.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a failure here is a failed test, and shows the property"
)]

#[path = "beem/data.rs"]
mod data;
#[path = "beem/macros.rs"]
mod macros;
#[path = "beem/properties.rs"]
mod properties;

use lwaa::check::model::{Deadlock, ModelOptions, check};
use lwaa::lang::dve;
use lwaa::search::limits::Monitor;
use lwaa::verdict::Verdict;

#[test]
fn verdicts_are_as_published() {
    let limit = std::env::var("LWAA_BEEM_STATES").ok().map_or(20_000, |text| text.parse().unwrap());
    let mut wrong = Vec::new();
    for instance in data::instances() {
        if !instance.is_complete || limit < instance.states {
            continue;
        }
        let model = dve::read(&instance.text(), &[]).unwrap();
        for property in properties::properties(&instance.model, &instance.name) {
            let Some(expected) = property.holds else { continue };
            let formula = model.bindings.formula(&property.formula).unwrap();
            let formulas = std::slice::from_ref(&formula);
            let deadlock = if property.is_reachability || std::env::var_os("STUTTER").is_some() {
                Deadlock::Stutter
            } else {
                Deadlock::Ignore
            };
            let options = ModelOptions { deadlock, ..ModelOptions::default() };
            let monitor = Monitor::default();
            let finding = check(&model, formulas, &options, &monitor, &mut |_, _| ()).unwrap();
            let statistics = &finding[0].statistics;
            let (word, found) = match &finding[0].verdict {
                Verdict::Holds => ("holds".to_owned(), Some(true)),
                Verdict::Violated(_) => ("violated".to_owned(), Some(false)),
                other => (format!("{other:?}").chars().take(80).collect(), None),
            };
            let line = format!(
                "{},{},{expected},{word},{},{},{:.2}",
                instance.name,
                property.number,
                statistics.states,
                statistics.nodes,
                statistics.time.as_secs_f64()
            );
            println!("{line}");
            if found != Some(expected) {
                wrong.push(line);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
