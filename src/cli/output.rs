//! Standard output and standard error.
//!
//! Results go to the first, everything else to the second. What cannot be
//! written to standard error is lost, since there is no other place for it.
//!
//! This is where everything leaves the program, so here, and nowhere before, control
//! characters are escaped, long lines are broken and messages are coloured.

use super::escape::Escaping;
pub(super) use super::escape::Style;
use super::paint::Painting;
use super::wrap::Wrapping;
use super::{Failure, paint, terminal};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a result has been written.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Whether there is a result on standard output, or a part of one.
pub(super) fn has_begun() -> bool {
    HAS_BEGUN.load(Ordering::Relaxed)
}

/// Writes a result for people to standard output and flushes it. Where the width is known, lines
/// are broken; where there are colours, verdicts and titles are coloured.
///
/// A reader that goes away early, such as `head -1`, is no failure: it has
/// read what it wanted.
pub(super) fn result(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let has_colors = terminal::has_colors_on_output();
    as_long_as_it_is_read(leave(|out| {
        let out = Painting::new(out, has_colors);
        match terminal::output_width() {
            None => escape(out, Style::Text, write),
            Some(width) => escape(Wrapping::new(out, width), Style::Text, write),
        }
    }))
}

/// Writes a result whose lines are never broken: tables, formulas and automata.
pub(super) fn verbatim(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    as_long_as_it_is_read(leave(|out| escape(out, Style::Text, write)))
}

/// Writes one of many lines. It is a failure if there is no reader any more, so that no
/// work is done for the others.
pub(super) fn line(text: &str) -> Result<(), Failure> {
    leave(|out| escape(out, Style::Text, |out| writeln!(out, "{text}"))).map_err(Failure::Output)
}

/// Writes JSON to standard output.
pub(super) fn json(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    as_long_as_it_is_read(leave(|out| escape(out, Style::Json, write)))
}

/// Writes a file that a command makes besides its output: JSON, or text for people and tables.
/// People look at such files in a terminal, too, so they are as printable as the output.
pub(super) fn file(
    path: &Path,
    style: Style,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    create(path, style).and_then(|mut out| {
        write(&mut out).and_then(|()| out.flush()).map_err(|error| unwritable(path, &error))
    })
}

/// Creates a file that a command makes besides its output.
pub(super) fn create(path: &Path, style: Style) -> Result<Escaping<BufWriter<File>>, Failure> {
    let file = File::create(path).map_err(|error| unwritable(path, &error))?;
    Ok(Escaping::new(BufWriter::new(file), style))
}

/// The failure to write a file.
pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::plain(format_args!("cannot write {}: {error}", path.display()))
}

/// Writes everything that `write` writes, escaped.
fn escape(
    out: impl Write,
    style: Style,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut out = Escaping::new(out, style);
    write(&mut out).and_then(|()| out.flush())
}

fn leave(
    write: impl FnOnce(&mut BufWriter<std::io::StdoutLock<'static>>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    HAS_BEGUN.store(true, Ordering::Relaxed);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = write(&mut out);
    if written.is_err() {
        // The buffer would be written once more when it is dropped.
        let _ = out.into_parts();
    }
    written
}

fn as_long_as_it_is_read(written: std::io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(Failure::Output),
    }
}

/// Writes what `write` writes to standard error.
pub(super) fn written(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    write(&mut text).map_err(Failure::Output)?;
    message(&String::from_utf8_lossy(&text));
    Ok(())
}

/// Writes a message to standard error.
pub(super) fn message(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(shown(text).as_bytes()).and_then(|()| out.flush());
}

/// A message as it is written: printable, in lines that are not too long, and coloured.
pub(super) fn shown(text: &str) -> String {
    let mut lines = Vec::new();
    // Nothing goes wrong when text is written to memory.
    let _ = match terminal::message_width() {
        None => escape(&mut lines, Style::Text, |out| out.write_all(text.as_bytes())),
        Some(width) => {
            let lines = Wrapping::new(&mut lines, width);
            escape(lines, Style::Text, |out| out.write_all(text.as_bytes()))
        }
    };
    let text = String::from_utf8_lossy(&lines);
    if terminal::has_colors() { paint::painted(&text) } else { text.into_owned() }
}

/// Writes a help text to standard output, with the colours that it has.
pub(super) fn help(text: &clap::builder::StyledStr) {
    let has_colors = terminal::has_colors_on_output();
    let text = if has_colors { text.ansi().to_string() } else { text.to_string() };
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Where lines of the log go: to standard error, as messages do.
#[derive(Debug)]
pub(super) struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        message(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
