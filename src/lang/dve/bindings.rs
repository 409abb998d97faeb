//! What formulas may say about a DVE model: expressions of the language over
//! global variables, states `P.s` and local variables `P.x` or `P->x`.

use super::super::program::{Program, Proposition, Span};
use super::super::{Bindings, SourceError};
use super::names::Names;
use super::parse::proposition;
use super::value::{Scope, expression};
use crate::ltl::Formula;
use crate::ltl::parse::ParseErrorKind;

impl Bindings for Names {
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        Formula::parse(text).map_err(|error| {
            let span = match error.kind {
                // What is never closed is not the end of the text.
                ParseErrorKind::Unclosed { opened } => opened,
                _ => error.span,
            };
            let span = Span { start: span.start, end: span.end };
            SourceError::new(span, error.to_string())
        })
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition, SourceError> {
        let processes = self.processes.iter().map(|process| process.name.as_str()).collect();
        let tree = proposition(name, processes)?;
        expression(program, self, Scope::Proposition, &tree).map(Proposition::State)
    }
}
