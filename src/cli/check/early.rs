//! An error of the model that is told while the search behind it goes on for long.
//!
//! Most searches end soon, and then the verdicts and runs say everything. If one does not, the
//! run into the first error is printed to standard error while the search goes on.

use super::super::{output, terminal};
use lwaa::report::model::{ErrorReport, error_reason};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a search goes on before the error is told.
const DELAY: Duration = Duration::from_secs(1);

/// What is going to be told.
type Waiting = Option<ErrorReport>;

/// An error that waits to be told.
#[derive(Debug, Default)]
pub(super) struct EarlyNote {
    waiting: Arc<Mutex<Waiting>>,
}

impl EarlyNote {
    /// Tells of an error after a while, unless that is cancelled.
    pub(super) fn begin(&self, report: ErrorReport) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
        let waiting = Arc::clone(&self.waiting);
        let thread = std::thread::Builder::new().name("early note".to_owned());
        let started = lwaa::threads::start(thread, move || {
            std::thread::sleep(DELAY);
            let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(report) = waiting {
                output::message(&text(&report));
            }
        });
        if let Err(error) = started {
            tracing::debug!("no thread to tell of an error early: {error}");
        }
    }

    /// Does not tell what has not been told.
    pub(super) fn cancel(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

fn text(report: &ErrorReport) -> String {
    let mut run = Vec::new();
    let written = report.write_run(&mut run, terminal::run_width());
    debug_assert!(written.is_ok(), "a list takes all");
    format!(
        "note: the search has met a model error and goes on; --errors stop ends it there\n\
         model error: {}\n{}",
        error_reason(&report.run),
        String::from_utf8_lossy(&run)
    )
}
