//! A line on the terminal that says how far a search has come.
//!
//! It appears only if standard error is a terminal and the search takes long
//! enough for anyone to wonder.

use super::terminal;
use indicatif::{HumanCount, ProgressBar};
use lwaa::report::text::bytes;
use lwaa::search::limits::Monitor;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(500);
/// Between two updates of the line.
const PERIOD: Duration = Duration::from_millis(100);

/// The line.
#[derive(Debug)]
pub(super) struct Progress {
    started: Instant,
    shown: Instant,
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// For a search that starts now.
    pub(super) fn visible() -> Self {
        Self { is_wanted: terminal::can_move(), ..Self::hidden() }
    }

    /// Never shows anything.
    pub(super) fn hidden() -> Self {
        let now = Instant::now();
        Self { started: now, shown: now, is_wanted: false, bar: None }
    }

    /// Shows the present state, unless it is too early.
    pub(super) fn show(&mut self, monitor: &Monitor, resident_bytes: usize) {
        let elapsed = self.started.elapsed();
        if !self.is_wanted || elapsed < PATIENCE || self.shown.elapsed() < PERIOD {
            return;
        }
        self.shown = Instant::now();
        let text = line(monitor.states(), monitor.transitions(), elapsed, resident_bytes);
        let bar = self.bar.get_or_insert_with(ProgressBar::new_spinner);
        bar.set_message(text);
        bar.tick();
    }

    /// Removes the line.
    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn line(states: u64, transitions: u64, elapsed: Duration, resident_bytes: usize) -> String {
    let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let rate = transitions.saturating_mul(1000) / milliseconds;
    format!(
        "{} states, {} transitions ({}/s), {:.0} s, {}",
        HumanCount(states),
        HumanCount(transitions),
        HumanCount(rate),
        elapsed.as_secs_f64(),
        bytes(resident_bytes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_counts_rate_time_and_memory() {
        assert_eq!(
            line(1234, 5_000_000, Duration::from_secs(2), 3 << 30),
            "1,234 states, 5,000,000 transitions (2,500,000/s), 2 s, 3.0 GiB",
        );
    }
}
