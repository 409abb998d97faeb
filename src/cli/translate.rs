//! `translate`: the automaton of a formula.

use super::args::Format;
use super::request::Translate;
use super::{Exit, Failure, input, output};
use lwaa::ltl::{Formula, nnf};
use lwaa::lwaa::hoa::DEFAULT_LIMIT;
use lwaa::lwaa::{build, edges};
use lwaa::{Lwaa, hoa};

/// The length in bytes at which the name of an automaton is cut off.
const NAME_LIMIT: usize = 1000;

/// Prints the automaton.
pub(super) fn run(translate: &Translate) -> Result<Exit, Failure> {
    let formula = input::formula(&translate.text, translate.syntax)?.formula;
    let automaton = if translate.raw {
        build::raw_from_nnf(nnf::from_formula(&formula))
    } else {
        Lwaa::from_formula(&formula)
    };
    let text = match translate.format {
        Format::Text => automaton.to_text(),
        Format::Dot => automaton.to_dot(DEFAULT_LIMIT).map_err(too_large)?,
        Format::Hoa => hoa_text(&formula, &automaton)?,
    };
    output::result(|out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Yes)
}

fn hoa_text(formula: &Formula, automaton: &Lwaa) -> Result<String, Failure> {
    let mut document = automaton.to_hoa(DEFAULT_LIMIT).map_err(too_large)?;
    document.name = Some(format!("{formula:.NAME_LIMIT$}"));
    Ok(hoa::write(&document))
}

fn too_large(error: edges::TooLarge) -> Failure {
    Failure::Limit(format!("error: {error}\nThe format `text` has no such limit.\n"))
}
