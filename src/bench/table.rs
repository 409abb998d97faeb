//! Results as a table of text, rivals side by side.

use super::number::{bytes, count, seconds};
use super::{Cell, Counts, Group, GroupId, Instance, InstanceId, Outcome, PipelineId, Results};
use crate::report::layout::write_table;
use std::io::{Result, Write};

/// Writes a table for each group, then the sums, then what cannot be true.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(out: &mut dyn Write, results: &Results) -> Result<()> {
    writeln!(out, "{}", results.title)?;
    writeln!(out, "{}", conditions(results, Some(&results.date)))?;
    for (id, group) in results.groups.entries() {
        let (rows, n_left) = group_table(results, id, group);
        if 1 < rows.len() {
            writeln!(out, "\n{}\n", group.name)?;
            write_table(out, &rows, n_left)?;
        }
    }
    writeln!(out)?;
    write_table(out, &sums(results), 1)?;
    for note in &results.notes {
        writeln!(out, "\nnote: {note}")?;
    }
    let contradictions = results.contradictions();
    if !contradictions.is_empty() {
        writeln!(out)?;
    }
    for sentence in contradictions {
        writeln!(out, "{sentence}")?;
    }
    Ok(())
}

/// Limits and repetitions, and the date if it is given, on one line.
pub(super) fn conditions(results: &Results, date: Option<&String>) -> String {
    let mut parts = Vec::new();
    if let Some(time) = results.time {
        parts.push(format!("at most {} s", time.as_secs_f64()));
    }
    if let Some(memory) = results.memory {
        parts.push(format!("at most {}", bytes(memory)));
    }
    match results.repetitions {
        0 | 1 => (),
        n => parts.push(format!("median of {n} runs")),
    }
    parts.extend(date.cloned());
    if results.is_interrupted {
        parts.push("interrupted: this is what is known so far".to_owned());
    }
    parts.join(", ")
}

/// The rows of a group with their header, and how many columns begin on the left.
fn group_table(results: &Results, id: GroupId, group: &Group) -> (Vec<Vec<String>>, usize) {
    let pipelines = results.pipelines_of(|_, instance| instance.group == id);
    let rows = || results.instances.entries().filter(|(_, instance)| instance.group == id);
    let has_answers = rows().any(|(row, instance)| !answer(results, row, instance).is_empty());
    let mut header = vec![String::new()];
    header.extend(has_answers.then(|| "answer".to_owned()));
    let n_left = header.len();
    for &pipeline in &pipelines {
        header.push(results.pipelines[pipeline].name.clone());
        header.extend(results.shown_by(id, pipeline).into_iter().cloned());
    }
    header.extend(group.published.iter().cloned());
    let mut table = vec![header];
    for (instance_id, instance) in rows() {
        let mut row = vec![instance.name.clone()];
        row.extend(has_answers.then(|| answer(results, instance_id, instance)));
        for &pipeline in &pipelines {
            let cell = results.cell(instance_id, pipeline);
            row.push(cell.as_ref().map_or_else(String::new, time_text));
            row.extend(results.shown_by(id, pipeline).into_iter().map(|name| {
                let number = cell.as_ref().and_then(|cell| cell.number(name));
                number.map_or_else(String::new, count)
            }));
        }
        row.extend(instance.published.iter().cloned());
        table.push(row);
    }
    (table, n_left)
}

impl Results {
    /// Which of the numbers to be shown a pipeline has in a group.
    pub(super) fn shown_by(&self, group: GroupId, pipeline: PipelineId) -> Vec<&String> {
        let has = |name: &&String| {
            self.measurements.iter().any(|attempt| {
                attempt.pipeline == pipeline
                    && self.instances[attempt.instance].group == group
                    && attempt.numbers.iter().any(|(other, _)| other == *name)
            })
        };
        self.shown.iter().filter(has).collect()
    }
}

/// The known answer, or the one that all pipelines give that say yes or no.
pub(super) fn answer(results: &Results, id: InstanceId, instance: &Instance) -> String {
    if results.is_disputed(id) {
        return "DISPUTED".to_owned();
    }
    let mut cells = results.pipelines.ids().filter_map(|pipeline| results.cell(id, pipeline));
    let said = cells.find_map(|cell| cell.verdict.filter(|verdict| verdict.is_yes.is_some()));
    let shown = instance.expected.as_ref().or(said);
    shown.map_or_else(String::new, |verdict| verdict.word.clone())
}

/// The time, or why there is none.
pub(super) fn time_text(cell: &Cell<'_>) -> String {
    match (cell.outcome, cell.seconds) {
        _ if cell.is_wrong => {
            let word = cell.verdict.map_or("", |verdict| &verdict.word);
            format!("WRONG: {word}")
        }
        (Outcome::Solved, Some(time)) => seconds(time),
        (outcome, _) => outcome.word().to_owned(),
    }
}

/// The titles of what is counted for each pipeline; those that are rare only
/// where they occur.
pub(super) fn counted(results: &Results) -> Vec<&'static str> {
    let all: Vec<Counts> = results.pipelines.ids().map(|id| results.counts(id)).collect();
    let mut titles = vec!["solved", "of", "wrong"];
    titles.extend(all.iter().any(|counts| 0 < counts.disputed).then_some("disputed"));
    titles.extend(all.iter().any(|counts| 0 < counts.nothing_found).then_some("nothing found"));
    titles.extend(["out of time", "out of memory", "failed", "not tried"]);
    titles
}

impl Counts {
    /// What stands below one of the titles. Nothing is known to be right if nothing has
    /// been compared.
    pub(super) fn below(&self, title: &str) -> String {
        let count = match title {
            "solved" => self.solved,
            "of" => self.instances,
            "wrong" if self.answers == 0 && 0 < self.solved => return "-".to_owned(),
            "wrong" => self.wrong,
            "disputed" => self.disputed,
            "nothing found" => self.nothing_found,
            "out of time" => self.out_of_time,
            "out of memory" => self.out_of_memory,
            "failed" => self.failed,
            _ => self.not_tried,
        };
        count.to_string()
    }
}

fn sums(results: &Results) -> Vec<Vec<String>> {
    let titles = counted(results);
    let mut header = vec![String::new()];
    header.extend(titles.iter().map(|&title| title.to_owned()));
    header.extend(["time for solved".to_owned(), "most memory".to_owned()]);
    let mut table = vec![header];
    for (id, pipeline) in results.pipelines.entries() {
        let counts = results.counts(id);
        let mut row = vec![pipeline.name.clone()];
        row.extend(titles.iter().map(|title| counts.below(title)));
        row.push(seconds(counts.seconds));
        row.push(if counts.peak_bytes == 0 { String::new() } else { bytes(counts.peak_bytes) });
        table.push(row);
    }
    table
}
