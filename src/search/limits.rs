//! Memory, time and size: when a search has to give up, and how anyone can
//! watch or stop it from outside.

use crate::address_space;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a search may use. `None` means without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory of the process, in bytes.
    pub memory: Option<usize>,
    /// States that may be stored; for satisfiability, configurations.
    pub states: Option<usize>,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exhausted {
    /// The time is up.
    #[error("time limit of {} reached", seconds(.limit))]
    Time {
        /// The limit.
        limit: Duration,
    },
    /// The process uses more memory than it may.
    #[error("memory limit of {limit} bytes reached")]
    Memory {
        /// The limit in bytes.
        limit: usize,
    },
    /// As many states as may be stored are stored.
    #[error("limit of {limit} states reached")]
    States {
        /// The limit.
        limit: usize,
    },
    /// A step needs larger decision diagrams than there may be.
    #[error("the decision diagrams need more than {capacity} nodes")]
    Diagrams {
        /// The number of nodes there may be.
        capacity: usize,
    },
    /// The system has no memory for decision diagrams.
    #[error("the system refuses memory for {capacity} decision diagram nodes")]
    Refused {
        /// The number of nodes asked for.
        capacity: usize,
    },
    /// A search that was to be given up after some effort is given up.
    #[error("effort of {limit} steps spent")]
    Effort {
        /// The effort that was allowed.
        limit: u64,
    },
    /// The process has as many addresses as it may.
    #[error("address space limit of {limit} bytes reached (ulimit -v)")]
    AddressSpace {
        /// The limit in bytes.
        limit: usize,
    },
    /// The store has as many states as it can number.
    #[error("the store has no room for more than {limit} states")]
    Full {
        /// The number of states.
        limit: usize,
    },
    /// A file or a connection of the store fails.
    #[error("the store fails: {0}")]
    Store(std::io::ErrorKind),
    /// The system refuses another thread.
    #[error("the system refuses another thread")]
    Threads,
    /// The monitor was told to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Exhausted {
    /// A word for programs, which does not change.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Time { .. } => "time",
            Self::Memory { .. } => "memory",
            Self::States { .. } => "states",
            Self::Diagrams { .. } => "diagrams",
            Self::Refused { .. } => "memory-refused",
            Self::Effort { .. } => "effort",
            Self::AddressSpace { .. } => "address-space",
            Self::Full { .. } => "store-full",
            Self::Store(_) => "store-error",
            Self::Threads => "threads",
            Self::Interrupted => "interrupted",
        }
    }
}

fn seconds(limit: &Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}

/// What a search shows of itself to other threads while it runs, and the
/// switch by which they stop it.
#[derive(Debug, Default)]
pub struct Monitor {
    stop: AtomicBool,
    states: AtomicU64,
    transitions: AtomicU64,
    is_translating: AtomicBool,
}

impl Monitor {
    /// Asks the search to stop as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search has been asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The switch itself, for code that waits for something else.
    #[must_use]
    pub fn switch(&self) -> &AtomicBool {
        &self.stop
    }

    /// States stored, as last reported.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// Transitions followed, as last reported.
    #[must_use]
    pub fn transitions(&self) -> u64 {
        self.transitions.load(Ordering::Relaxed)
    }

    /// Shows what another monitor shows.
    pub fn repeat(&self, other: &Self) {
        self.states.store(other.states(), Ordering::Relaxed);
        self.transitions.store(other.transitions(), Ordering::Relaxed);
    }

    /// Says whether an automaton is being made, so that states are those of the
    /// automaton and not of what is searched.
    pub fn set_translating(&self, is_translating: bool) {
        self.is_translating.store(is_translating, Ordering::Relaxed);
    }

    /// Whether an automaton is being made.
    #[must_use]
    pub fn is_translating(&self) -> bool {
        self.is_translating.load(Ordering::Relaxed)
    }
}

/// What all workers on one question have counted, as last reported.
#[derive(Debug, Default)]
struct Counted {
    states: AtomicU64,
    transitions: AtomicU64,
}

/// Compares a running search with its limits, often enough and cheaply. Each worker has a budget
/// of its own, and limits are about all workers on a question together.
#[derive(Debug)]
pub struct Budget<'a> {
    limits: Limits,
    started: Instant,
    monitor: &'a Monitor,
    counted: Arc<Counted>,
    /// What this worker has added to `counted`.
    reported: (u64, u64),
    /// States of other workers, as far as they were known at the last measurement.
    states_of_others: usize,
    /// Bytes that may be mapped, if the system limits it.
    address_space: Option<usize>,
    /// Calls until the clock is read again.
    until_clock: u32,
    /// Clock readings until the memory is measured again.
    until_memory: u32,
    /// As last reported.
    states: usize,
    transitions: u64,
    /// Calls so far, and how many there may be. Unlike time, this is the same
    /// in every run.
    effort: u64,
    max_effort: u64,
}

impl<'a> Budget<'a> {
    /// Between two readings of the clock; a call in between costs a decrement.
    const CALLS_PER_CLOCK: u32 = 64;
    /// Measuring memory is a system call that takes some microseconds.
    const CLOCKS_PER_MEMORY: u32 = 16;

    /// The clock starts now.
    #[must_use]
    pub fn new(limits: Limits, monitor: &'a Monitor) -> Self {
        Self {
            limits,
            started: Instant::now(),
            monitor,
            counted: Arc::default(),
            reported: (0, 0),
            states_of_others: 0,
            address_space: address_space::limit(),
            until_clock: 1,
            until_memory: 1,
            states: 0,
            transitions: 0,
            effort: 0,
            max_effort: u64::MAX,
        }
    }

    /// A budget for another worker on the same question: what both count is added up.
    #[must_use]
    pub fn for_worker(&self) -> Self {
        let counted = Arc::clone(&self.counted);
        Self { started: self.started, counted, ..Self::new(self.limits, self.monitor) }
    }

    /// From now on, at most so many calls of [`check`](Budget::check) and
    /// [`poll`](Budget::poll), or nearly so many, are answered.
    pub fn allow_effort(&mut self, max_effort: u64) {
        self.effort = 0;
        self.max_effort = max_effort;
    }

    /// Where the search shows itself, and is stopped.
    #[must_use]
    pub fn monitor(&self) -> &'a Monitor {
        self.monitor
    }

    /// The same limits, for a package that is called.
    #[must_use]
    pub fn watch(&self) -> Watch<'a> {
        let Self { limits, started, monitor, .. } = *self;
        let monitor = Some(monitor);
        Watch { limits, started, monitor, calls: Cell::new(0), exhausted: Cell::new(None) }
    }

    /// The limits that are kept.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// To be called at every step of the search.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or if the monitor says to stop.
    #[inline]
    pub fn check(&mut self, states: usize, transitions: u64) -> Result<(), Exhausted> {
        self.states = states;
        self.transitions = transitions;
        if let Some(limit) = self.limits.states
            && limit < states + self.states_of_others
        {
            return Err(Exhausted::States { limit });
        }
        self.poll()
    }

    /// To be called inside a step that may take long.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or if the monitor says to stop.
    #[inline]
    pub fn poll(&mut self) -> Result<(), Exhausted> {
        self.until_clock -= 1;
        if self.until_clock == 0 { self.measure() } else { Ok(()) }
    }

    /// To be called behind something that has taken long.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or if the monitor says to stop.
    pub fn poll_now(&mut self) -> Result<(), Exhausted> {
        self.until_clock = 1;
        self.poll()
    }

    /// To be called before so many bytes are taken at once; zero is cheap.
    ///
    /// # Errors
    ///
    /// If there would be more than allowed.
    #[inline]
    pub fn reserve(&self, bytes: usize) -> Result<(), Exhausted> {
        if bytes == 0 {
            return Ok(());
        }
        if let Some(limit) = self.limits.memory
            && limit < resident_bytes().saturating_add(bytes)
        {
            return Err(Exhausted::Memory { limit });
        }
        within_address_space(self.address_space, bytes)
    }

    /// Adds what this worker has counted to what all have, and shows the sums.
    fn report(&mut self) {
        let now = (self.states as u64, self.transitions);
        let before = std::mem::replace(&mut self.reported, now);
        // A worker counts anew when it begins another search, so the sum wraps around.
        let add = |sum: &AtomicU64, now: u64, before: u64| {
            let more = now.wrapping_sub(before);
            sum.fetch_add(more, Ordering::Relaxed).wrapping_add(more)
        };
        let states = add(&self.counted.states, now.0, before.0);
        let transitions = add(&self.counted.transitions, now.1, before.1);
        let others = states.saturating_sub(now.0);
        self.states_of_others = usize::try_from(others).unwrap_or(usize::MAX);
        self.monitor.states.store(states, Ordering::Relaxed);
        self.monitor.transitions.store(transitions, Ordering::Relaxed);
    }

    fn measure(&mut self) -> Result<(), Exhausted> {
        self.until_clock = Self::CALLS_PER_CLOCK;
        self.effort += u64::from(Self::CALLS_PER_CLOCK);
        if self.max_effort < self.effort {
            return Err(Exhausted::Effort { limit: self.max_effort });
        }
        self.report();
        if self.monitor.is_stopped() {
            return Err(Exhausted::Interrupted);
        }
        if let Some(limit) = self.limits.time
            && limit < self.started.elapsed()
        {
            return Err(Exhausted::Time { limit });
        }
        self.until_memory -= 1;
        if self.until_memory == 0 {
            self.until_memory = Self::CLOCKS_PER_MEMORY;
            if let Some(limit) = self.limits.memory
                && limit < resident_bytes()
            {
                return Err(Exhausted::Memory { limit });
            }
            within_address_space(self.address_space, 0)?;
        }
        Ok(())
    }
}

/// Passes if so many more bytes may be mapped.
fn within_address_space(limit: Option<usize>, bytes: usize) -> Result<(), Exhausted> {
    match limit {
        Some(limit)
            if address_space::usable(limit) < address_space::in_use().saturating_add(bytes) =>
        {
            Err(Exhausted::AddressSpace { limit })
        }
        _ => Ok(()),
    }
}

/// A [`Budget`] for code that cannot keep one: packages that run for long and ask
/// now and then whether to go on.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    limits: Limits,
    started: Instant,
    monitor: Option<&'a Monitor>,
    calls: Cell<u32>,
    exhausted: Cell<Option<Exhausted>>,
}

impl Watch<'_> {
    /// A watch that never says to stop, for code that does little at a time.
    #[must_use]
    pub fn never() -> Self {
        Self {
            limits: Limits::default(),
            started: Instant::now(),
            monitor: None,
            calls: Cell::new(0),
            exhausted: Cell::new(None),
        }
    }

    /// Between two looks at clock and memory, which are system calls.
    const CALLS_PER_LOOK: u32 = 256;

    /// Why to stop, if there is a reason. Once there is one, it stays.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        if self.exhausted.get().is_none() {
            if self.monitor.is_some_and(Monitor::is_stopped) {
                self.exhausted.set(Some(Exhausted::Interrupted));
            }
            let calls = self.calls.get();
            self.calls.set(calls.wrapping_add(1));
            if calls.is_multiple_of(Self::CALLS_PER_LOOK) {
                self.look();
            }
        }
        self.exhausted.get()
    }

    fn look(&self) {
        if let Some(limit) = self.limits.time
            && limit < self.started.elapsed()
        {
            self.exhausted.set(Some(Exhausted::Time { limit }));
        }
        if let Some(limit) = self.limits.memory
            && limit < resident_bytes()
        {
            self.exhausted.set(Some(Exhausted::Memory { limit }));
        }
        if let Err(reason) = within_address_space(address_space::limit(), 0) {
            self.exhausted.set(Some(reason));
        }
    }
}

/// Resident memory of this process; zero where it cannot be measured.
#[must_use]
pub fn resident_bytes() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}
