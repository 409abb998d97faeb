//! Threads that are not joined.
//!
//! To drop the handle of a thread *detaches* the thread. If the thread ends in the same moment, and has a
//! stack that is too large to be kept for others, the C library may look at memory that is gone already
//! (glibc's bug 19951): rarely, but not never, the process crashed on a short search. So a thread
//! begins its work only when it has been detached.

use std::io::Result;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

/// Has `work` done by a thread that is not joined.
///
/// # Errors
///
/// If the system refuses another thread.
pub fn start(builder: Builder, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let (detached, is_detached) = channel::<()>();
    let handle = builder.spawn(move || {
        // The starting thread is still there: it sends first.
        let _ = is_detached.recv();
        work();
    })?;
    drop(handle);
    let _ = detached.send(());
    Ok(())
}

/// Works, while another thread calls `tell` again and again. If the system refuses that thread,
/// nothing is told.
pub fn watched<R>(every: Duration, work: impl FnOnce() -> R, tell: impl Fn() + Send) -> R {
    std::thread::scope(|scope| {
        let (working, has_ended) = channel::<()>();
        let builder = Builder::new().name("progress".to_owned());
        let told = builder.spawn_scoped(scope, move || {
            while has_ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                tell();
            }
        });
        if let Err(error) = told {
            tracing::debug!("no thread to tell of progress: {error}");
        }
        let result = work();
        drop(working);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_work_on_a_large_stack() {
        let (sender, results) = channel();
        for number in 0..200 {
            let sender = sender.clone();
            let builder = Builder::new().stack_size(1 << 28);
            start(builder, move || sender.send(number).expect("the receiver is still there"))
                .unwrap();
        }
        drop(sender);
        assert_eq!(results.iter().sum::<i32>(), 199 * 200 / 2);
    }
}
