//! What the reader of the output sees it on: colours and width.
//!
//! `--color` decides; without it `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and `TERM` do, and then
//! whether standard error is a terminal. The width is that of `COLUMNS`, or of the terminal.
//! Where there is neither, as in a pipe, prose is not broken into lines.

use super::args::ColorName;
use anstream::{AutoStream, ColorChoice};
use lwaa::report::layout::LEAST_WIDTH;
use lwaa::report::trace::DEFAULT_WIDTH;
use std::ffi::OsString;
use std::io::IsTerminal;

/// Decides about colours, for the whole process.
pub(super) fn choose_colors(color: ColorName) {
    let is_forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let choice = match color {
        // The package would colour a dumb terminal where the variable `CI` is set.
        ColorName::Auto if is_dumb() && !is_forced => ColorChoice::Never,
        ColorName::Auto => ColorChoice::Auto,
        ColorName::Always => ColorChoice::Always,
        ColorName::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// What `--color` says in arguments that may be wrong otherwise.
pub(super) fn color_of(arguments: &[OsString]) -> ColorName {
    let mut words = arguments.iter().map(|word| word.to_string_lossy());
    let mut color = ColorName::Auto;
    while let Some(word) = words.next().filter(|word| word != "--") {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next().unwrap_or_default().into_owned(),
            Some(rest) => rest.trim_start_matches('=').to_owned(),
            None => continue,
        };
        color = <ColorName as clap::ValueEnum>::from_str(&value, false).unwrap_or(color);
    }
    color
}

/// Whether messages are coloured.
pub(super) fn has_colors() -> bool {
    AutoStream::choice(&std::io::stderr()) != ColorChoice::Never
}

/// Whether what is printed to standard output is coloured: help that was asked for.
pub(super) fn has_colors_on_output() -> bool {
    AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
}

/// Whether a line of standard error can be written again and again.
pub(super) fn can_move() -> bool {
    std::io::stderr().is_terminal() && !is_dumb()
}

/// Whether the terminal knows no colours and no movements.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// How many characters a line of standard output may have, if it matters.
pub(super) fn output_width() -> Option<usize> {
    let stdout = std::io::stdout();
    width(stdout.is_terminal().then(|| terminal_size::terminal_size_of(stdout)).flatten())
}

/// How many characters a line of a run may have.
pub(super) fn run_width() -> usize {
    output_width().unwrap_or(DEFAULT_WIDTH)
}

/// How many characters a line of standard error may have, if it matters.
pub(super) fn message_width() -> Option<usize> {
    let stderr = std::io::stderr();
    width(stderr.is_terminal().then(|| terminal_size::terminal_size_of(stderr)).flatten())
}

fn width(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let columns = columns.filter(|&columns: &usize| 0 < columns);
    let width = columns.or_else(|| size.map(|(width, _)| usize::from(width.0)));
    width.filter(|&width| 0 < width).map(|width| width.max(LEAST_WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_color_is_known_even_if_the_rest_is_wrong() {
        let check = |words: &[&str], expected| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(color_of(&words), expected, "{words:?}");
        };
        check(&["lwaa", "no", "--color", "always"], ColorName::Always);
        check(&["lwaa", "--color=never", "sat"], ColorName::Never);
        check(&["lwaa", "sat", "--", "--color=never"], ColorName::Auto);
        check(&["lwaa", "--color"], ColorName::Auto);
        check(&["lwaa", "--color=blue"], ColorName::Auto);
    }
}
