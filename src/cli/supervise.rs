//! Runs work on a thread of its own and keeps it within its limits.
//!
//! The work should watch its limits itself, and mostly does. But parsing,
//! translating and single operations on decision diagrams do not look at the
//! clock, so we do: work that does not stop within a grace period after being
//! asked is abandoned, and the process ends with what is known.
//!
//! Decision diagram packages recurse in the number of variables, hence the
//! large stack. It is address space only until it is used.

use super::Failure;
use super::process::{on_interrupt, own_peak};
use super::progress::Progress;
use lwaa::address_space;
use lwaa::search::limits::{Exhausted, Limits, Monitor, resident_bytes};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The stack that the work should have, and the least that it is tried with.
const LARGEST_STACK: usize = 1 << 30;
const SMALLEST_STACK: usize = 1 << 20;

/// Between two looks at the clock and the memory.
const TICK: Duration = Duration::from_millis(20);
/// Between two signals that may be one.
const ECHO: Duration = Duration::from_millis(100);
/// Between being asked to stop and being abandoned.
const GRACE: Duration = Duration::from_secs(1);

/// What became of the work.
#[derive(Debug)]
pub(super) struct Outcome<T> {
    /// What the work has returned, perhaps because it was asked to stop; the reason for
    /// stopping it if it did not react.
    pub(super) result: Result<T, Exhausted>,
    /// Why the work was asked to stop, if it was.
    pub(super) stopped: Option<Exhausted>,
    /// What the work was seen to have done.
    pub(super) monitor: Arc<Monitor>,
    pub(super) time: Duration,
    pub(super) peak_bytes: usize,
}

enum Event<T, N> {
    News(N),
    Finished(T),
    Panicked,
    Interrupted,
}

/// The worker knows that it was stopped; its supervisor knows why.
pub(super) fn explain(reason: &mut Exhausted, stopped: Option<Exhausted>) {
    if let (Exhausted::Interrupted, Some(stopped)) = (&reason, stopped) {
        *reason = stopped;
    }
}

/// Runs `work` within `limits`, which begin to count now.
///
/// # Errors
///
/// If the work panics. The panic hook has said what there is to say.
pub(super) fn run<T: Send + 'static>(
    limits: Limits,
    progress: Progress,
    work: impl Fn(&Monitor) -> T + Send + Sync + 'static,
) -> Result<Outcome<T>, Failure> {
    run_with_news(limits, progress, move |monitor, _: &dyn Fn(())| work(monitor), |(), _| ())
}

/// Runs `work` as [`run`] does. What the work has to tell before it ends goes to `hear`, which
/// runs on this thread and also learns why the work has been asked to stop, if it has.
///
/// # Errors
///
/// If the work panics. The panic hook has said what there is to say.
pub(super) fn run_with_news<T: Send + 'static, N: Send + 'static>(
    limits: Limits,
    progress: Progress,
    work: impl Fn(&Monitor, &dyn Fn(N)) -> T + Send + Sync + 'static,
    mut hear: impl FnMut(N, Option<Exhausted>),
) -> Result<Outcome<T>, Failure> {
    let started = Instant::now();
    let monitor = Arc::new(Monitor::default());
    let (sender, events) = channel();
    let interrupts = sender.clone();
    on_interrupt(move || {
        // Without a receiver, the process is ending anyway.
        let _ = interrupts.send(Event::Interrupted);
    });
    let has_begun = start(&Arc::new(work), &monitor, &sender);
    let mut watch = Watch { limits, started, monitor, stopped: None, peak_bytes: 0 };
    let result = if has_begun {
        watch.until_end(&events, &mut hear, progress)?
    } else {
        Err(Exhausted::Threads)
    };
    Ok(Outcome {
        result,
        stopped: watch.stopped.map(|(reason, _)| reason),
        time: started.elapsed(),
        peak_bytes: own_peak().unwrap_or(watch.peak_bytes).max(resident_bytes()),
        monitor: watch.monitor,
    })
}

/// Starts the work with the largest stack that the system allows; false if it allows none.
fn start<T: Send + 'static, N: Send + 'static>(
    work: &Arc<impl Fn(&Monitor, &dyn Fn(N)) -> T + Send + Sync + 'static>,
    monitor: &Arc<Monitor>,
    sender: &Sender<Event<T, N>>,
) -> bool {
    let mut stack = address_space::stack(LARGEST_STACK);
    loop {
        let (work, monitor, sender) = (Arc::clone(work), Arc::clone(monitor), sender.clone());
        let thread = std::thread::Builder::new().name("worker".to_owned()).stack_size(stack);
        let started = lwaa::threads::start(thread, move || {
            let tell = |news| {
                let _ = sender.send(Event::News(news));
            };
            let event = match catch_unwind(AssertUnwindSafe(|| work(&monitor, &tell))) {
                Ok(value) => Event::Finished(value),
                Err(_) => Event::Panicked,
            };
            // Without a receiver, the process is ending anyway.
            let _ = sender.send(event);
        });
        match started {
            Ok(()) => return true,
            Err(error) if stack <= SMALLEST_STACK => {
                tracing::warn!("cannot start a thread: {error}");
                return false;
            }
            Err(_) => stack /= 2,
        }
        tracing::debug!(stack, "the system refuses a larger stack");
    }
}

/// The state of supervision.
struct Watch {
    limits: Limits,
    started: Instant,
    monitor: Arc<Monitor>,
    /// Why and when the work was asked to stop.
    stopped: Option<(Exhausted, Instant)>,
    peak_bytes: usize,
}

impl Watch {
    fn until_end<T, N>(
        &mut self,
        events: &Receiver<Event<T, N>>,
        hear: &mut dyn FnMut(N, Option<Exhausted>),
        mut progress: Progress,
    ) -> Result<Result<T, Exhausted>, Failure> {
        let result = loop {
            match events.recv_timeout(TICK) {
                Ok(Event::News(news)) => {
                    progress.clear();
                    hear(news, self.stopped.map(|(reason, _)| reason));
                }
                Ok(Event::Finished(value)) => break Ok(Ok(value)),
                Ok(Event::Interrupted) if self.stopped.is_some() => {
                    // The user has no patience, or one interrupt has come twice: from
                    // the terminal and from the process that started this one.
                    if self.stopped.is_some_and(|(_, when)| ECHO < when.elapsed()) {
                        break Ok(Err(Exhausted::Interrupted));
                    }
                }
                Ok(Event::Interrupted) => self.stop(Exhausted::Interrupted),
                Err(RecvTimeoutError::Timeout) => (),
                Ok(Event::Panicked) | Err(RecvTimeoutError::Disconnected) => {
                    break Err(Failure::Internal(String::new()));
                }
            }
            let resident = resident_bytes();
            self.peak_bytes = self.peak_bytes.max(resident);
            if let Some(reason) = self.compare(resident) {
                break Ok(Err(reason));
            }
            progress.show(&self.monitor, resident);
        };
        progress.clear();
        result
    }

    /// Compares the work with its limits: asks it to stop, or says why it is
    /// to be abandoned.
    fn compare(&mut self, resident: usize) -> Option<Exhausted> {
        if let Some(limit) = self.limits.time
            && limit < self.started.elapsed()
        {
            self.stop(Exhausted::Time { limit });
        }
        if let Some(limit) = self.limits.memory
            && limit < resident
        {
            let reason = Exhausted::Memory { limit };
            // Abandoned work should not go on taking memory either.
            self.stop(reason);
            if limit.saturating_add(limit / 10) < resident {
                return Some(reason);
            }
        }
        if let Some(limit) = address_space::limit()
            && address_space::usable(limit) < address_space::in_use()
        {
            self.stop(Exhausted::AddressSpace { limit });
        }
        match self.stopped {
            Some((reason, when)) if GRACE < when.elapsed() => Some(reason),
            _ => None,
        }
    }

    /// Asks the work to stop. The first reason counts.
    fn stop(&mut self, reason: Exhausted) {
        if self.stopped.is_none() {
            self.monitor.stop();
            self.stopped = Some((reason, Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(limits: Limits) -> Watch {
        let monitor = Arc::new(Monitor::default());
        Watch { limits, started: Instant::now(), monitor, stopped: None, peak_bytes: 0 }
    }

    #[test]
    fn a_little_too_much_memory_stops_and_much_too_much_abandons() {
        let mut watch = watch(Limits { memory: Some(1000), ..Limits::default() });
        assert_eq!(watch.compare(1000), None);
        assert!(!watch.monitor.is_stopped());
        assert_eq!(watch.compare(1100), None);
        assert!(watch.monitor.is_stopped());
        assert_eq!(watch.compare(1101), Some(Exhausted::Memory { limit: 1000 }));
    }

    #[test]
    fn the_first_reason_counts() {
        let limit = Duration::ZERO;
        let mut watch = watch(Limits { time: Some(limit), ..Limits::default() });
        watch.stop(Exhausted::Interrupted);
        assert_eq!(watch.compare(0), None);
        assert!(matches!(watch.stopped, Some((Exhausted::Interrupted, _))));
    }

    #[test]
    fn who_does_not_stop_is_abandoned() {
        let mut watch = watch(Limits::default());
        let long_ago = Instant::now().checked_sub(2 * GRACE).unwrap();
        watch.stopped = Some((Exhausted::Interrupted, long_ago));
        assert_eq!(watch.compare(0), Some(Exhausted::Interrupted));
    }

    #[test]
    fn a_panic_is_an_ending() {
        let outcome = run(Limits::default(), Progress::hidden(), |_| -> () { panic!("a test") });
        assert!(matches!(outcome, Err(Failure::Internal(_))));
    }

    #[test]
    fn news_arrive_before_the_end() {
        let mut heard = Vec::new();
        let work = |_: &Monitor, tell: &dyn Fn(u32)| (1..4).for_each(tell);
        let hear = |news, _| heard.push(news);
        let outcome = run_with_news(Limits::default(), Progress::hidden(), work, hear).unwrap();
        assert_eq!(outcome.result, Ok(()));
        assert_eq!(heard, [1, 2, 3]);
    }

    #[test]
    fn work_has_a_large_stack() {
        // A few hundred megabytes of frames, more than any default.
        fn deep(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { deep(n - 1) + frame[63] - frame[0] + 1 }
        }
        let outcome = run(Limits::default(), Progress::hidden(), |_| deep(200_000)).unwrap();
        assert_eq!(outcome.result, Ok(200_000));
    }
}
