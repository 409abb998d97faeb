//! What people see of a statement that runs: its line, its text, and what `printf` and
//! `printm` print.
//!
//! A search pays nothing for it: what is printed is kept beside the effects of a
//! transition, and its values are evaluated only where a run is shown.

use super::super::SourceError;
use super::super::source::{Conversion, Piece, Step};
use super::ast::{Expression, ExpressionId, Name, Part, Statement};
use super::effects::Effects;
use super::graph::{Action, Edge};
use super::lowering::Lowering;
use super::uses::Uses;
use super::value::Referent;
use std::sync::Arc;

impl Lowering<'_> {
    /// Notes that the statement of an edge runs behind what `effects` do already.
    pub(super) fn note_step(
        &mut self,
        edge: &Edge,
        effects: &mut Effects,
    ) -> Result<(), SourceError> {
        let names = self.names;
        let mut print = None;
        let mut unread = Vec::new();
        if let Action::Statement(id) = edge.action {
            print = match &names.module.statements[id].statement {
                Statement::Print { format, arguments } => Some(self.pieces(format, arguments)?),
                Statement::PrintSymbol(argument) => {
                    let symbols = self.symbols(*argument)?;
                    let is_unknown = self.is_unknown(*argument)?;
                    let argument = self.value(*argument)?;
                    let piece = Piece::Value(argument, Conversion::Name(symbols));
                    Some(vec![if is_unknown { Piece::Text("?".to_owned()) } else { piece }])
                }
                _ => None,
            };
            if !names.unread.is_empty() {
                unread = self.left_out(&Uses::of_statement(&names.module, id).writes)?;
            }
        }
        let instance = self.speaker.instance.expect("a process runs the statement");
        let statement = names.statement(self.program, instance, edge);
        let actor = self.program.source.actor(&names.instance_name(instance));
        let (print, unread) = (print.map(Arc::from), unread.into());
        effects.steps.push(Step { actor, statement, n_effects: effects.list.len(), print, unread });
        Ok(())
    }

    /// The names of those references that refer to variables that are left out of states.
    fn left_out(&mut self, references: &[ExpressionId]) -> Result<Vec<String>, SourceError> {
        let mut found = Vec::new();
        for &id in references {
            if let Expression::Reference(parts) = &self.names.module.expressions[id].0
                && let name = &parts[0].name.text
                && self.names.is_left_out(name)
                && let Referent::Leaf(leaf, _) = self.referent(parts)?
                && leaf.is_left_out
            {
                found.push(name.clone());
            }
        }
        Ok(found)
    }

    /// Whether an expression reads a variable that is left out of states.
    fn is_unknown(&mut self, id: ExpressionId) -> Result<bool, SourceError> {
        let mut uses = Uses::default();
        uses.read(&self.names.module, id);
        Ok(!self.left_out(&uses.reads)?.is_empty())
    }

    /// What `printf` prints. As in Spin, `\n`, `\t` and `\\` mean what they do in C, and what
    /// else stands behind a backslash means itself. A mistake in a format is no reason not to
    /// check a model, so it is shown where it is printed; values too many are not printed.
    fn pieces(
        &mut self,
        format: &str,
        arguments: &[ExpressionId],
    ) -> Result<Vec<Piece>, SourceError> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut arguments_left = arguments.iter();
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => match letters.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    other => text.extend(other),
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
                    let value = self.value(argument)?;
                    if self.is_unknown(argument)? {
                        text.push('?');
                    } else if let Some(conversion) = self.conversion(kind, argument)? {
                        if !text.is_empty() {
                            pieces.push(Piece::Text(std::mem::take(&mut text)));
                        }
                        pieces.push(Piece::Value(value, conversion));
                    } else {
                        text.push_str("(bad %");
                        text.extend(kind);
                        text.push(')');
                    }
                }
                other => text.push(other),
            }
        }
        for &argument in arguments_left {
            self.value(argument)?;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(pieces)
    }

    /// How a value is printed; nothing if there is no such way.
    fn conversion(
        &mut self,
        kind: Option<char>,
        argument: ExpressionId,
    ) -> Result<Option<Conversion>, SourceError> {
        Ok(Some(match kind {
            Some('d' | 'i') => Conversion::Signed,
            Some('u') => Conversion::Unsigned,
            Some('c') => Conversion::Character,
            Some('x') => Conversion::Hexadecimal,
            Some('o') => Conversion::Octal,
            Some('e') => Conversion::Name(self.symbols(argument)?),
            _ => return Ok(None),
        }))
    }

    /// The names of the values that an expression may have: those of the variable that it
    /// is, or of the set that it is a symbol of.
    fn symbols(&mut self, id: ExpressionId) -> Result<Vec<String>, SourceError> {
        let mut set = None;
        if let Expression::Reference(parts) = &self.names.module.expressions[id].0 {
            if let Referent::Leaf(leaf, _) = self.referent(parts)? {
                let of_variable = &self.program.variables[leaf.variable].value_names;
                if !of_variable.is_empty() {
                    return Ok(of_variable.clone());
                }
            } else if let [Part { name: Name { text, .. }, .. }] = &**parts {
                let is_in = |(_, symbols): &&(_, Vec<Name>)| {
                    symbols.iter().any(|symbol| symbol.text == *text)
                };
                let found = self.names.module.symbols.iter().find(is_in);
                set = found.and_then(|(set, _)| set.as_ref());
            }
        }
        Ok(self.names.symbols_of(set))
    }
}
