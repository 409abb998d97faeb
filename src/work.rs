//! Counts elementary steps of work, so that tests can see how the work grows with the
//! size of an input. Release builds count nothing.
//!
//! Loops that could become quadratic unnoticed, because they neither allocate nor take
//! transitions, call `tick`: those that look at tokens again, that compare states or
//! that search lists.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a step.
#[inline]
pub(crate) fn tick() {
    ticks(1);
}

/// Counts several steps at once: the words that are copied, for instance.
#[inline]
pub(crate) fn ticks(number: usize) {
    if cfg!(debug_assertions) {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        STEPS.with(|steps| steps.set(steps.get().saturating_add(number)));
    }
}

/// What `work` gives, and how many steps this thread has counted meanwhile.
#[doc(hidden)]
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = STEPS.with(Cell::get);
    let result = work();
    (result, STEPS.with(Cell::get) - before)
}
