//! `sat --batch`: a table of formulas, each answered by a process of its own.
//!
//! Processes instead of threads, because limits of memory and crashes then
//! concern one formula only. Several run at the same time; their answers are
//! printed in the order of the table, each as soon as all before it are known.

mod child;
mod csv;
pub(super) mod table;
mod tally;

use super::diagnostic::Document;
use super::request::Batch;
use super::{Exit, Failure, input, output, process};
use child::{Answer, Child};
use lwaa::ltl::Syntax;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use table::{Expected, Row};
use tally::Tally;

/// The stack of a thread that waits for a process.
const STACK: usize = 1 << 18;

/// By how much a process may overrun its time before it is ended.
const TOLERANCE: Duration = Duration::from_secs(2);

/// Answers all formulas of the table.
pub(super) fn run(batch: &Batch) -> Result<Exit, Failure> {
    let (name, text) = input::raw_text(&batch.table)?;
    let rows = table::rows(&name, &text)?;
    let csv = batch.csv.as_deref().map(csv::Writer::create).transpose()?;
    let program = process::own_program()?;
    let arguments: Vec<String> = ["sat", "--file=-", "--json"]
        .into_iter()
        .map(str::to_owned)
        .chain(batch.arguments.iter().cloned())
        .collect();
    let child = Child { program, arguments: &arguments, time: batch.time, tolerance: TOLERANCE };
    let stop = process::interrupt_flag();
    let mut printer = Printer {
        table: Document { name: &name, text: &text },
        syntax: batch.syntax,
        rows: &rows,
        csv,
        tally: Tally::new(rows.len()),
    };
    tracing::info!(jobs = batch.jobs, formulas = rows.len(), "answering the table");
    let next = AtomicUsize::new(0);
    let (sender, answers) = mpsc::channel();
    let result = std::thread::scope(|scope| {
        for _ in 0..batch.jobs.min(rows.len()) {
            let sender = sender.clone();
            let thread = std::thread::Builder::new().stack_size(STACK);
            let started = thread.spawn_scoped(scope, || work(&rows, &next, &child, &stop, sender));
            if let Err(error) = started {
                // The threads that have started answer all rows; without any, no row is answered.
                tracing::warn!("cannot start a thread: {error}");
                break;
            }
        }
        drop(sender);
        let result = printer.in_order(&answers);
        // Whatever the reason, no more answers are read.
        stop.store(true, Ordering::Relaxed);
        result
    });
    result.and_then(|()| printer.finish())
}

/// Answers one formula after the other until there are no more.
#[expect(clippy::needless_pass_by_value, reason = "the last sender that is dropped ends the batch")]
fn work(
    rows: &[Row<'_>],
    next: &AtomicUsize,
    child: &Child<'_>,
    stop: &AtomicBool,
    answers: mpsc::Sender<(usize, Answer)>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(row) = rows.get(index) else { return };
        let Some(answer) = child.answer(row.formula, stop) else { return };
        if answers.send((index, answer)).is_err() {
            return;
        }
    }
}

/// Says what the answers are.
struct Printer<'a> {
    table: Document<'a>,
    syntax: Syntax,
    rows: &'a [Row<'a>],
    csv: Option<csv::Writer>,
    tally: Tally,
}

impl Printer<'_> {
    /// Prints the answers in the order of the table, as they come.
    fn in_order(&mut self, answers: &Receiver<(usize, Answer)>) -> Result<(), Failure> {
        let mut early: BTreeMap<usize, Answer> = BTreeMap::new();
        let mut next = 0;
        for (index, answer) in answers {
            early.insert(index, answer);
            while let Some(answer) = early.remove(&next) {
                self.print(&self.rows[next], &answer)?;
                next += 1;
            }
        }
        // After an interrupt there are gaps.
        for (index, answer) in early {
            self.print(&self.rows[index], &answer)?;
        }
        Ok(())
    }

    fn print(&mut self, row: &Row<'_>, answer: &Answer) -> Result<(), Failure> {
        let is_wrong = is_wrong(row.expected, answer);
        self.tally.add(&row.name, is_wrong, answer);
        self.explain(row, answer);
        if let Some(csv) = &mut self.csv {
            csv.write(row, answer).map_err(Failure::Output)?;
        }
        let mut line = format!("{}  {answer}  {:.3} s", row.name, answer.seconds);
        if is_wrong {
            line = format!("{line}  WRONG: expected {}", row.expected_text);
        }
        output::line(&line)
    }

    /// Tells what the user should know besides the verdict.
    fn explain(&self, row: &Row<'_>, answer: &Answer) {
        let Some(message) = &answer.message else { return };
        // The process knows only its own input, not where that is in the table.
        let complaint = (answer.verdict == child::Verdict::BadInput)
            .then(|| input::complaint(self.table, row.span.clone(), self.syntax))
            .flatten();
        match complaint {
            Some(Failure::Input(complaint)) => output::message(&complaint.text),
            _ => output::message(&format!(
                "{} ({}:{}): {message}\n",
                row.name, self.table.name, row.line
            )),
        }
    }

    /// Prints the sums.
    fn finish(self) -> Result<Exit, Failure> {
        let (line, families, exit) = self.tally.summary();
        output::line(&line)?;
        output::message(&families);
        Ok(exit)
    }
}

fn is_wrong(expected: Option<Expected>, answer: &Answer) -> bool {
    matches!(
        (expected, &answer.verdict),
        (Some(Expected::Sat), child::Verdict::Unsatisfiable)
            | (Some(Expected::Unsat), child::Verdict::Satisfiable)
    )
}
