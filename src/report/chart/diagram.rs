//! Sequence charts as text that other programs draw: Mermaid and `PlantUML`.
//!
//! Both draw messages as level arrows, so a message is an arrow where it is received, and its
//! sender is where it comes from; where it was sent, the step says so by its own text.

use super::{Chart, Step};
use crate::printable::on_one_line;
use std::io::{Result, Write};

/// How a language writes what charts consist of.
struct Words {
    participant: fn(usize, &str) -> String,
    arrow: &'static str,
    message: &'static str,
    note: fn(usize, &str) -> String,
    /// A note over all lanes, of which this is the last one.
    remark: fn(usize, &str) -> String,
    begin_cycle: &'static str,
    end_cycle: &'static str,
    /// Replaces what means something else in this language.
    clean: fn(&str) -> String,
}

const MERMAID: Words = Words {
    participant: |number, name| format!("    participant P{number} as {name}"),
    arrow: "->>",
    message: "--)",
    note: |lane, text| format!("    Note over P{lane}: {text}"),
    remark: |last, text| match last {
        0 => format!("    Note over P0: {text}"),
        _ => format!("    Note over P0,P{last}: {text}"),
    },
    begin_cycle: "    loop for ever",
    end_cycle: "    end",
    // Of everything but letters, digits and a few signs its number is written.
    clean: |text| {
        let is_plain = |one: char| one.is_alphanumeric() || " _.,()[]=+*/!?|'-".contains(one);
        text.chars()
            .map(
                |one| if is_plain(one) { one.to_string() } else { format!("#{};", u32::from(one)) },
            )
            .collect()
    },
};

const PLANT_UML: Words =
    Words {
        participant: |number, name| format!("participant \"{name}\" as P{number}"),
        arrow: "->",
        message: "-->>",
        note: |lane, text| format!("note over P{lane}: {text}"),
        remark: |_, text| format!("note across: {text}"),
        begin_cycle: "loop for ever",
        end_cycle: "end",
        // Signs for links, colours and fonts are written by their numbers.
        clean: |text| {
            let is_special = |one: char| "\"<>&~*_-/[]{}|#@\\^".contains(one);
            text.chars()
                .map(|one| {
                    if is_special(one) { format!("&#{};", u32::from(one)) } else { one.to_string() }
                })
                .collect()
        },
    };

/// Writes a chart for Mermaid.
pub(super) fn mermaid(out: &mut dyn Write, chart: &Chart) -> Result<()> {
    writeln!(out, "sequenceDiagram")?;
    write(out, chart, &MERMAID)
}

/// Writes a chart for `PlantUML`.
pub(super) fn plant_uml(out: &mut dyn Write, chart: &Chart) -> Result<()> {
    writeln!(out, "@startuml")?;
    write(out, chart, &PLANT_UML)?;
    writeln!(out, "@enduml")
}

fn write(out: &mut dyn Write, chart: &Chart, words: &Words) -> Result<()> {
    let clean = |text: &str| (words.clean)(&on_one_line(text));
    for (number, name) in chart.lanes.iter().enumerate() {
        writeln!(out, "{}", (words.participant)(number, &clean(name)))?;
    }
    if chart.lanes.is_empty() {
        writeln!(out, "{}", (words.participant)(0, "model"))?;
    }
    for (number, step) in chart.steps.iter().enumerate() {
        if chart.cycle == Some(number) {
            writeln!(out, "{}", words.begin_cycle)?;
        }
        let Step { lane, partner, label, reply, others, is_wrong } = step;
        let Some(lane) = *lane else {
            writeln!(out, "{}", (words.note)(0, "no process can move"))?;
            continue;
        };
        for (sender, label) in received(chart, number) {
            let sender = sender.unwrap_or(lane);
            writeln!(out, "P{sender}{}P{lane}: {}", words.message, clean(label))?;
        }
        let label = if *is_wrong { format!("goes wrong: {label}") } else { label.clone() };
        let label = if reply.is_empty() { label } else { format!("{label}; {reply}") };
        match partner {
            Some(partner) => {
                writeln!(out, "P{lane}{}P{partner}: {}", words.arrow, clean(&label))?;
            }
            None => writeln!(out, "{}", (words.note)(lane, &clean(&label)))?,
        }
        for (lane, label) in others {
            writeln!(out, "{}", (words.note)(*lane, &clean(label)))?;
        }
        if chart.violated == Some(number + 1) {
            let all = chart.lanes.len().saturating_sub(1);
            writeln!(out, "{}", (words.remark)(all, "violated"))?;
        }
    }
    if chart.cycle.is_some() {
        writeln!(out, "{}", words.end_cycle)?;
    }
    Ok(())
}

/// The messages that a step receives, in any round, each once: their senders and what they say.
fn received(chart: &Chart, number: usize) -> Vec<(Option<usize>, &str)> {
    let mut found = Vec::new();
    for message in &chart.messages {
        if chart.place(message.received) == Some(number) {
            let sender = chart.step(message.sent).and_then(|step| step.lane);
            let one = (sender, message.label.as_str());
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}
