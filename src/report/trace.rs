//! A run of a model as text.
//!
//! The first state is shown in full. After that, a line says which process has moved,
//! what was done and what has changed by it. Below it stand the obligations of
//! the formula that are pending then, unless they are those of the state before.
//! The numbers are those of the states. Where a step runs several statements, each has
//! a line, and what it prints stands below it, behind a bar.
//!
//! ```text
//! prefix: 1 state
//!   0  (initial state)   phase = [idle, idle], turn = 0
//!                        pending: F G !busy
//! cycle: 2 states, repeated for ever
//!   1  worker(0): start  phase[0] = busy
//!                        pending: G !busy
//!   2  worker(0): stop   phase[0] = idle, turn = 1
//!   1  worker(1): start  phase[1] = busy
//!      (state 1 again)
//! ```

use super::layout::{columns, wrapped};
use super::text::length;
use crate::printable::on_one_line;
use crate::run::{Ending, Moment, Run};
use crate::system::{Describe, Fault, Told, TransitionId};
use crate::verdict::Violation;
use std::io::{Result, Write};
use std::sync::Arc;

/// Writes a run, in lines that have at most `width` columns where they can be broken. Of a run
/// that violates a formula for good, the part that does is written, and the step behind it if
/// that matters.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(
    out: &mut dyn Write,
    run: &Run,
    violation: Option<&Violation>,
    states: &dyn Describe,
    width: usize,
) -> Result<()> {
    let part = violation.map(|violation| until(run, violation));
    let run = part.as_ref().unwrap_or(run);
    let moments = &run.moments;
    let lines = moments.iter().enumerate().flat_map(|(position, moment)| {
        let next = run.at(position + 1).map(|next| &*next.state);
        moment.taken.map(|taken| states.told(&moment.state, taken, next)).unwrap_or_default()
    });
    let widths = lines.map(|line| self::columns(&line.mover));
    let has_obligations = moments.iter().any(|moment| !moment.pending.is_empty());
    let columns = Columns::new(moments.len(), widths.max().unwrap_or(0), width);
    let start = run.cycle_start();
    let count = length(start, "state");
    match violation {
        Some(Violation { position, .. }) => {
            writeln!(out, "run: {count}, violated in state {position}")?;
        }
        None if run.is_infinite() => writeln!(out, "prefix: {count}")?,
        None => writeln!(out, "trace: {count}")?,
    }
    for (position, moment) in moments.iter().enumerate() {
        if position == start {
            let count = length(moments.len() - start, "state");
            writeln!(out, "cycle: {count}, repeated for ever")?;
        }
        let before = position.checked_sub(1).map(|before| &moments[before]);
        columns.write_state(out, states, position, before, moment)?;
        let is_new = before.is_none_or(|before| before.pending != moment.pending);
        if has_obligations && (is_new || position == start) {
            columns.write_obligations(out, &moment.pending)?;
        }
    }
    match violation {
        Some(violation) if !moments.is_empty() => columns.write_remark(out, &remark(violation)),
        _ => columns.write_ending(out, states, run),
    }
}

/// The part of a run that violates a formula for good, with the step behind it if that matters.
#[must_use]
pub fn until(run: &Run, violation: &Violation) -> Run {
    let n_moments = violation.position + 1 + usize::from(violation.is_about_steps);
    let mut moments: Vec<Moment> = (0..n_moments).map_while(|at| run.at(at)).cloned().collect();
    // How the run goes on from the last state is not shown.
    moments.iter_mut().last().into_iter().for_each(|last| last.taken = None);
    Run { moments, ending: Ending::Open }
}

/// What is said of the state that violates a formula for good.
fn remark(violation: &Violation) -> String {
    let Violation { position, part, since, is_about_steps } = violation;
    let place = match (is_about_steps, since == position) {
        (true, _) => format!(" from state {since} on"),
        (false, true) => String::new(),
        (false, false) => format!(" from state {since} on, which this state shows"),
    };
    format!("(violated: `{part}` is false{place}; what follows does not matter)")
}

/// How wide the lines of a run are where no width is known.
pub const DEFAULT_WIDTH: usize = 110;
/// How wide the column of movers is at most.
const MAX_MOVER: usize = 36;
/// How many columns changes have at least.
const MIN_ENTRIES: usize = 16;
/// How many obligations of a state are shown.
const MAX_PENDING: usize = 16;
const INITIAL: &str = "(initial state)";

/// Where things stand in the lines of a trace.
#[derive(Clone, Debug)]
pub struct Columns {
    number: usize,
    mover: usize,
    /// Of whole lines.
    width: usize,
}

impl Columns {
    /// For this many states, movers of this many columns and lines of this width.
    #[must_use]
    pub fn new(n_states: usize, mover: usize, width: usize) -> Self {
        let number = super::text::decimal_digits(n_states.saturating_sub(1));
        let max_mover = MAX_MOVER.min(width / 3).max(INITIAL.len());
        Self { number, mover: mover.clamp(INITIAL.len(), max_mover), width }
    }

    /// Where the column of movers begins.
    fn mover_start(&self) -> usize {
        self.number + 4
    }

    /// Where the column of changes begins.
    fn change_start(&self) -> usize {
        self.mover_start() + self.mover + 2
    }

    fn write_ending(&self, out: &mut dyn Write, states: &dyn Describe, run: &Run) -> Result<()> {
        let Some(last) = run.moments.last() else { return Ok(()) };
        match &run.ending {
            Ending::Cycle { start } if last.taken.is_some() => {
                let again = &run.moments[*start];
                self.write_state(out, states, *start, Some(last), again)?;
                self.write_remark(out, &format!("(state {start} again)"))
            }
            Ending::Cycle { .. } => {
                let behind = ", so the run stays here for ever";
                self.write_stop(out, states, &last.state, behind)
            }
            Ending::Deadlock => self.write_stop(out, states, &last.state, ""),
            Ending::Fault(fault) => {
                let culprit = fault.transition.or(last.taken);
                self.write_fault(out, states, &last.state, culprit, fault)
            }
            Ending::Open => Ok(()),
        }
    }

    fn write_obligations(&self, out: &mut dyn Write, pending: &[Arc<str>]) -> Result<()> {
        let start = self.change_start();
        let mut shown: Vec<String> =
            pending.iter().take(MAX_PENDING).map(|text| (**text).to_owned()).collect();
        match pending.len().checked_sub(MAX_PENDING) {
            Some(more @ 1..) => shown.push(format!("{more} more")),
            _ if shown.is_empty() => shown.push("nothing".to_owned()),
            _ => (),
        }
        let text_start = start + "pending: ".len();
        for (number, line) in entry_lines(&shown, self.left(text_start)).iter().enumerate() {
            let before = if number == 0 { "pending: " } else { "         " };
            writeln!(out, "{:start$}{before}{line}", "")?;
        }
        Ok(())
    }

    /// Writes a state: the first one in full, of others the process that has moved and what
    /// has changed since `before`.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_state(
        &self,
        out: &mut dyn Write,
        states: &dyn Describe,
        position: usize,
        before: Option<&Moment>,
        moment: &Moment,
    ) -> Result<()> {
        let label = position.to_string();
        let Some(before) = before else {
            return self.write_line(out, &label, INITIAL, &states.full(&moment.state));
        };
        let Some(taken) = before.taken else {
            return self.write_line(out, &label, "", &states.changes(&before.state, &moment.state));
        };
        self.write_told(out, &label, &states.told(&before.state, taken, Some(&moment.state)))
    }

    /// Writes the statements of a step, and what each of them changes and prints. The first line
    /// begins with `label`.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_told(&self, out: &mut dyn Write, label: &str, lines: &[Told]) -> Result<()> {
        let changes_nothing = lines.iter().all(|line| line.changes.is_empty());
        let width = self.number.max(label.chars().count());
        for (number, line) in lines.iter().enumerate() {
            let label = if number == 0 { label } else { "" };
            let label = format!("{label:>width$}");
            if line.changes.is_empty() && (0 < number || !changes_nothing) {
                self.write_mover(out, &label, &line.mover)?;
            } else {
                self.write_line(out, &label, &line.mover, &line.changes)?;
            }
            for printed in line.printed.iter().flat_map(|text| text.lines()) {
                let remark = format!("{:1$}| {printed}", "", width - self.number);
                self.write_remark(out, &remark)?;
            }
        }
        Ok(())
    }

    /// Says that no process can move, and what each of them waits for.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_stop(
        &self,
        out: &mut dyn Write,
        states: &dyn Describe,
        state: &[u64],
        behind: &str,
    ) -> Result<()> {
        if states.may_end(state) {
            let remark = format!("(the end: every process is where it may stop{behind})");
            return self.write_remark(out, &remark);
        }
        let remark = format!("(a deadlock: no transition is enabled{behind})");
        self.write_remark(out, &remark)?;
        for line in states.waiting(state) {
            self.write_remark(out, &line)?;
        }
        Ok(())
    }

    /// Says what goes wrong in a state, and what the step has done before.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_fault(
        &self,
        out: &mut dyn Write,
        states: &dyn Describe,
        state: &[u64],
        culprit: Option<TransitionId>,
        fault: &Fault,
    ) -> Result<()> {
        let Some(culprit) = culprit else {
            let remark = format!("(an atom of the formula goes wrong here: {fault})");
            return self.write_remark(out, &remark);
        };
        let lines = states.told(state, culprit, None);
        if let [before @ .., _] = &*lines
            && !before.is_empty()
        {
            self.write_told(out, "!", before)?;
        }
        let last = lines.last().map_or("", |line| line.mover.as_str());
        self.write_remark(out, &format!("({last} goes wrong here: {fault})"))
    }

    /// Writes a line that begins with `label` in the column of numbers.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_line(
        &self,
        out: &mut dyn Write,
        label: &str,
        mover: &str,
        entries: &[String],
    ) -> Result<()> {
        let nothing = ["(nothing changes)".to_owned()];
        let entries = if entries.is_empty() { &nothing } else { entries };
        let entries: Vec<String> =
            entries.iter().map(|entry| on_one_line(entry).into_owned()).collect();
        let mover = &*on_one_line(mover);
        let start = self.change_start();
        let mut lines = entry_lines(&entries, self.left(start)).into_iter();
        let n_columns = columns(mover);
        let overlap = n_columns.saturating_sub(self.mover);
        let fits = |line: &String| start + overlap + columns(line) <= self.width;
        // A mover that is too long for its column has all changes behind it, or none.
        if overlap == 0 || (lines.len() == 1 && lines.as_slice().iter().all(fits)) {
            let first = lines.next().unwrap_or_default();
            let padding = self.mover.saturating_sub(n_columns) + 2;
            writeln!(out, "  {label:>0$}  {mover}{1:padding$}{first}", self.number, "")?;
        } else {
            self.write_mover(out, label, mover)?;
        }
        lines.try_for_each(|line| writeln!(out, "{:start$}{line}", ""))
    }

    /// How many columns are left behind `start`. Below some number there is no use in fewer.
    fn left(&self, start: usize) -> usize {
        self.width.saturating_sub(start).max(MIN_ENTRIES)
    }

    /// Writes the processes that move, alone.
    fn write_mover(&self, out: &mut dyn Write, label: &str, mover: &str) -> Result<()> {
        let start = self.mover_start();
        let mut label = format!("  {label:>0$}  ", self.number);
        for line in wrapped(&on_one_line(mover), start, start + 4, self.width) {
            writeln!(out, "{label}{line}")?;
            label.clear();
        }
        Ok(())
    }

    /// Writes something about the last line.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_remark(&self, out: &mut dyn Write, remark: &str) -> Result<()> {
        let start = self.mover_start();
        let mut indent = start;
        for line in wrapped(remark, start, start + 2, self.width) {
            writeln!(out, "{:indent$}{line}", "")?;
            indent = 0;
        }
        Ok(())
    }
}

/// Entries behind each other, in lines of at most `width` columns. An entry is broken only if it
/// does not fit into a line of its own.
fn entry_lines(entries: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let comma = if number + 1 < entries.len() { "," } else { "" };
        let n_columns = columns(entry) + comma.len();
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + n_columns <= width => {
                line.extend([" ", entry, comma]);
            }
            _ => lines.extend(wrapped(&format!("{entry}{comma}"), 0, 2, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
