//! `translate`: the automaton of a formula.

use super::args::Format;
use super::request::Translate;
use super::{Exit, Failure, input, output};
use lwaa::check::automaton;

/// Prints the automaton.
pub(super) fn run(translate: &Translate) -> Result<Exit, Failure> {
    let input = input::formula(&translate.text, translate.syntax)?;
    let automaton = automaton(&input.formula, &translate.options);
    let text = match translate.format {
        Format::Text | Format::Dot | Format::Hoa => format!("{automaton:?}\n"),
    };
    output::result(|out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Yes)
}
