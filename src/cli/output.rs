//! Standard output and standard error.
//!
//! Results go to the first, everything else to the second. What cannot be
//! said on standard error is not said: there is nobody left to tell.

use super::Failure;
use std::io::{BufWriter, Write};

/// Writes a result to standard output and flushes it.
///
/// A reader that goes away early, such as `head -1`, is no failure: it has
/// read what it wanted.
pub(super) fn result(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            // The buffer would be written once more when it is dropped.
            let _ = out.into_parts();
            Ok(())
        }
        other => other.map_err(Failure::Output),
    }
}

/// Writes a message to standard error.
pub(super) fn message(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
