//! How much address space the process may use, and how much it does.
//!
//! `ulimit -v` limits addresses, not memory: stacks and tables count as soon as they are
//! reserved, used or not, and an allocation that is refused ends the process. So
//! searches stop before, and stacks are no larger than they can be.

/// What is kept free for all that is allocated between two looks at the limit, as a part
/// of it.
const RESERVED_PART: usize = 8;
/// The largest stack, as a part of the limit.
const STACK_PART: usize = 16;
/// The smallest stack that a thread is given.
const SMALLEST_STACK: usize = 1 << 20;

/// The number of bytes that may be mapped, if the system limits it: the smaller one of
/// `ulimit -v` and `ulimit -d`.
#[must_use]
pub fn limit() -> Option<usize> {
    #[cfg(unix)]
    {
        use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
        let known = |resource| getrlimit(resource).ok().map(|(soft, _)| soft);
        let limits = [known(Resource::RLIMIT_AS), known(Resource::RLIMIT_DATA)];
        let least = limits.into_iter().flatten().filter(|&limit| limit != RLIM_INFINITY).min();
        least.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    None
}

/// The number of bytes that are mapped; zero where it cannot be measured.
#[must_use]
pub fn in_use() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.virtual_mem)
}

/// The most bytes that may be mapped under a limit before a search has to stop.
#[must_use]
pub fn usable(limit: usize) -> usize {
    limit - limit / RESERVED_PART
}

/// A stack of `wanted` bytes, or as large as the limit leaves room for.
#[must_use]
pub fn stack(wanted: usize) -> usize {
    match limit() {
        Some(limit) => wanted.min(limit / STACK_PART).max(SMALLEST_STACK),
        None => wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_in_use() {
        assert!(0 < in_use());
        assert!(limit().is_none_or(|limit| in_use() <= limit));
    }

    #[test]
    fn stacks_fit() {
        assert!(stack(1 << 30) <= 1 << 30);
        assert!(SMALLEST_STACK <= stack(1 << 30));
    }
}
