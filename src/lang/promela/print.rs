//! What people see of a statement that runs: its line, its text, and what `printf` and
//! `printm` print.
//!
//! A search pays nothing for it: what is printed is kept beside the effects of a
//! transition, and its values are found only by those who ask for them.

use super::super::SourceError;
use super::super::program::{Program, Span};
use super::super::source::{Conversion, Piece, Step};
use super::ast::{Expression, ExpressionId, Statement};
use super::channel::Effects;
use super::graph::{Action, Edge};
use super::names::{InstanceId, Names};
use super::value::{Referent, Speaker, referent, value};
use std::sync::Arc;

/// Notes that the statement of an edge runs behind what `effects` do already.
pub(super) fn note(
    program: &mut Program,
    names: &Names,
    instance: InstanceId,
    edge: &Edge,
    effects: &mut Effects,
) -> Result<(), SourceError> {
    let speaker = Speaker { instance: Some(instance), scope: edge.scope };
    let print = match edge.action {
        Action::Statement(id) => match &names.module.statements[id].statement {
            Statement::Print { format, arguments } => {
                Some(pieces(program, names, speaker, edge.place, format, arguments)?)
            }
            Statement::PrintSymbol(argument) => {
                let symbols = symbols(program, names, speaker, *argument)?;
                let argument = value(program, names, speaker, *argument)?;
                Some([Piece::Value(argument, Conversion::Name(symbols))].into())
            }
            _ => None,
        },
        _ => None,
    };
    let statement = program.source.statement(edge.place, || names.shown(edge.place));
    let actor = program.source.actor(&names.instance_name(instance));
    effects.steps.push(Step { actor, statement, n_effects: effects.list.len(), print });
    Ok(())
}

/// What `printf` prints. As in Spin, `\n`, `\t` and `\\` mean what they do in C, and what
/// else stands behind a backslash means itself.
fn pieces(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    place: Span,
    format: &str,
    arguments: &[ExpressionId],
) -> Result<Arc<[Piece]>, SourceError> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut arguments_left = arguments.iter();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => (),
            },
            '%' => {
                let kind = letters.next();
                if kind == Some('%') {
                    text.push('%');
                    continue;
                }
                let Some(&argument) = arguments_left.next() else {
                    return Err(SourceError::new(place, "there are too few values to print"));
                };
                let conversion = match kind {
                    Some('d' | 'i') => Conversion::Signed,
                    Some('u') => Conversion::Unsigned,
                    Some('c') => Conversion::Character,
                    Some('x') => Conversion::Hexadecimal,
                    Some('o') => Conversion::Octal,
                    Some('e') => Conversion::Name(symbols(program, names, speaker, argument)?),
                    other => {
                        let other = other.map(String::from).unwrap_or_default();
                        let message = format!("`%{other}` is no way to print a value");
                        return Err(SourceError::new(place, message));
                    }
                };
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Value(value(program, names, speaker, argument)?, conversion));
            }
            other => text.push(other),
        }
    }
    if arguments_left.next().is_some() {
        return Err(SourceError::new(place, "there are too many values to print"));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces.into())
}

/// The names of the values that an expression may have: those of the variable that it
/// is, or of the set that it is a symbol of.
fn symbols(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    id: ExpressionId,
) -> Result<Vec<String>, SourceError> {
    let mut set = None;
    if let Expression::Reference(parts) = &names.module.expressions[id].0 {
        if let Referent::Leaf(leaf, _) = referent(program, names, speaker, parts)? {
            let of_variable = &program.variables[leaf.variable].value_names;
            if !of_variable.is_empty() {
                return Ok(of_variable.clone());
            }
        } else if let [only] = &**parts {
            let is_in = |(_, symbols): &&(_, Vec<super::ast::Name>)| {
                symbols.iter().any(|symbol| symbol.text == only.name.text)
            };
            set = names.module.symbols.iter().find(is_in).and_then(|(set, _)| set.clone());
        }
    }
    Ok(names.symbols_of(set.as_ref()))
}
