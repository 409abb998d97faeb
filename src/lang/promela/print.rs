//! What people see of a statement that runs: its line, its text, and what `printf` and
//! `printm` print.
//!
//! A search pays nothing for it: what is printed is kept beside the effects of a
//! transition, and its values are found only by those who ask for them.

use super::super::SourceError;
use super::super::program::Program;
use super::super::source::{Conversion, Piece, Step};
use super::ast::{Expression, ExpressionId, Statement};
use super::effects::Effects;
use super::graph::{Action, Edge};
use super::names::{InstanceId, Names};
use super::uses::Uses;
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
    let speaker = Speaker::process(names, instance, edge.scope);
    let print = match edge.action {
        Action::Statement(id) => match &names.module.statements[id].statement {
            Statement::Print { format, arguments } => {
                Some(pieces(program, names, speaker, format, arguments)?)
            }
            Statement::PrintSymbol(argument) => {
                let symbols = symbols(program, names, speaker, *argument)?;
                let is_unknown = is_unknown(program, names, speaker, *argument)?;
                let argument = value(program, names, speaker, *argument)?;
                let piece = if is_unknown {
                    Piece::Text("?".to_owned())
                } else {
                    Piece::Value(argument, Conversion::Name(symbols))
                };
                Some([piece].into())
            }
            _ => None,
        },
        _ => None,
    };
    let unread = unread(program, names, speaker, edge)?;
    let statement = names.statement(program, instance, edge);
    let actor = program.source.actor(&names.instance_name(instance));
    effects.steps.push(Step { actor, statement, n_effects: effects.list.len(), print, unread });
    Ok(())
}

/// The variables that an edge gives values to and that are left out of states.
fn unread(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    edge: &Edge,
) -> Result<Arc<[String]>, SourceError> {
    let mut found = Vec::new();
    if let (Action::Statement(id), true) = (edge.action, !names.unread.is_empty()) {
        for id in Uses::of_statement(&names.module, id).writes {
            if let Expression::Reference(parts) = &names.module.expressions[id].0
                && names.is_left_out(&parts[0].name.text)
                && let Referent::Leaf(leaf, _) = referent(program, names, speaker, parts)?
                && leaf.is_left_out
            {
                found.push(parts[0].name.text.clone());
            }
        }
    }
    Ok(found.into())
}

/// What `printf` prints. As in Spin, `\n`, `\t` and `\\` mean what they do in C, and what
/// else stands behind a backslash means itself. A mistake in a format is no reason not to
/// check a model, so it is shown where it is printed; values too many are not printed.
fn pieces(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
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
                    text.push_str("(no value)");
                    continue;
                };
                let argument_value = value(program, names, speaker, argument)?;
                if is_unknown(program, names, speaker, argument)? {
                    text.push('?');
                    continue;
                }
                let Some(conversion) = conversion(program, names, speaker, kind, argument)? else {
                    text.push_str("(bad %");
                    text.extend(kind);
                    text.push(')');
                    continue;
                };
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Value(argument_value, conversion));
            }
            other => text.push(other),
        }
    }
    for &argument in arguments_left {
        value(program, names, speaker, argument)?;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces.into())
}

/// How a value is printed; nothing if there is no such way.
fn conversion(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    kind: Option<char>,
    argument: ExpressionId,
) -> Result<Option<Conversion>, SourceError> {
    Ok(Some(match kind {
        Some('d' | 'i') => Conversion::Signed,
        Some('u') => Conversion::Unsigned,
        Some('c') => Conversion::Character,
        Some('x') => Conversion::Hexadecimal,
        Some('o') => Conversion::Octal,
        Some('e') => Conversion::Name(symbols(program, names, speaker, argument)?),
        _ => return Ok(None),
    }))
}

/// Whether an expression reads a variable that is left out of states.
fn is_unknown(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    id: ExpressionId,
) -> Result<bool, SourceError> {
    let mut uses = Uses::default();
    uses.read(&names.module, id);
    for id in uses.reads {
        if let Expression::Reference(parts) = &names.module.expressions[id].0
            && let Referent::Leaf(leaf, _) = referent(program, names, speaker, parts)?
            && leaf.is_left_out
        {
            return Ok(true);
        }
    }
    Ok(false)
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
