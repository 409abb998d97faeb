//! The header of a document, up to `--BODY--`.
//!
//! Its lines may come in any order, so references to atoms are checked when
//! all lines are read, and references to states when the body is.

use super::{Cursor, Reference, index, set_of};
use crate::hoa::lex::Token;
use crate::hoa::{
    Acceptance, Alias, AliasId, Automaton, Header, HoaError, HoaErrorKind, Label, Proposition,
    Tool, Value, Visits,
};
use crate::id::Id;
use crate::scan::{escaped_character, unescaped};
use crate::word::{AtomId, Atoms};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// What the header says.
#[derive(Default)]
pub(super) struct Head<'a> {
    /// The document, without states.
    pub(super) automaton: Automaton,
    /// The announced number of states, if there is one.
    pub(super) n_states: Option<Reference>,
    /// The states in which runs begin.
    pub(super) start: Vec<Reference>,
    pub(super) aliases: Aliases<'a>,
    /// The atoms that aliases speak of.
    atoms: Vec<Reference>,
    /// The lines that may occur only once.
    seen: HashSet<&'a str, FxBuildHasher>,
}

/// The aliases that are defined so far, by their names.
type Aliases<'a> = HashMap<&'a str, AliasId, FxBuildHasher>;

/// Reads from `HOA:` to `--BODY--`.
pub(super) fn read<'a>(cursor: &mut Cursor<'a>) -> Result<Head<'a>, HoaError> {
    if cursor.token != Token::Header("HOA") {
        return Err(cursor.expected("`HOA:`"));
    }
    cursor.advance()?;
    let span = cursor.span;
    let version = cursor.identifier("the version of the format")?.to_owned();
    if version != "v1" {
        return Err(HoaError { span, kind: HoaErrorKind::Version(version) });
    }
    let mut head = Head::default();
    head.automaton.version = version;
    while let Token::Header(name) = cursor.token {
        if name == "State" {
            break;
        }
        if !matches!(name, "Start" | "Alias" | "properties") && !head.seen.insert(name)
            || name == "HOA"
        {
            return Err(cursor.error(HoaErrorKind::RepeatedHeader(name.to_owned())));
        }
        cursor.advance()?;
        head.line(cursor, name)?;
    }
    if cursor.token != Token::Body {
        return Err(cursor.expected("a line of the header or `--BODY--`"));
    }
    if !head.seen.contains("Acceptance") {
        return Err(cursor.error(HoaErrorKind::MissingHeader("Acceptance")));
    }
    for &reference in &head.atoms {
        atom_of(reference, head.automaton.atoms.len())?;
    }
    cursor.advance()?;
    Ok(head)
}

impl<'a> Head<'a> {
    /// Reads what follows the name of a line.
    fn line(&mut self, cursor: &mut Cursor<'a>, name: &str) -> Result<(), HoaError> {
        let automaton = &mut self.automaton;
        match name {
            "States" => self.n_states = Some(cursor.integer()?),
            "Start" => {
                let start = cursor.conjunction(|reference| {
                    self.start.push(reference);
                    Ok(())
                })?;
                automaton.start.push(start);
            }
            "AP" => automaton.atoms = atoms(cursor)?,
            "Alias" => self.alias(cursor)?,
            "Acceptance" => automaton.acceptance = acceptance(cursor)?,
            "acc-name" => {
                let name = cursor.identifier("the name of an acceptance condition")?.to_owned();
                automaton.acceptance_name = Some(Header { name, values: values(cursor)? });
            }
            "tool" => {
                let name = cursor.text()?.ok_or_else(|| cursor.expected("a text"))?;
                automaton.tool = Some(Tool { name, version: cursor.text()? });
            }
            "name" => {
                let name = cursor.text()?.ok_or_else(|| cursor.expected("a text"))?;
                automaton.name = Some(name);
            }
            "properties" => {
                while let Token::Identifier(property) = cursor.token {
                    automaton.properties.push(property.to_owned());
                    cursor.advance()?;
                }
            }
            _ => {
                let values = values(cursor)?;
                automaton.headers.push(Header { name: name.to_owned(), values });
            }
        }
        Ok(())
    }

    fn alias(&mut self, cursor: &mut Cursor<'a>) -> Result<(), HoaError> {
        let Token::Alias(name) = cursor.token else {
            return Err(cursor.expected("the name of an alias"));
        };
        if self.aliases.contains_key(name) {
            return Err(cursor.error(HoaErrorKind::RepeatedAlias(name.to_owned())));
        }
        cursor.advance()?;
        let references = &mut self.atoms;
        let label = label(cursor, &self.aliases, |reference| {
            let atom = AtomId::new(index(reference.0));
            references.push(reference);
            Ok(atom)
        })?;
        let id = self.automaton.aliases.push(Alias { name: name.to_owned(), label });
        self.aliases.insert(name, id);
        Ok(())
    }
}

/// A label expression, without brackets; `atom` checks the atoms.
pub(super) fn label(
    cursor: &mut Cursor<'_>,
    aliases: &Aliases<'_>,
    mut atom: impl FnMut(Reference) -> Result<AtomId, HoaError>,
) -> Result<Label, HoaError> {
    cursor.expression(true, |cursor| {
        let proposition = match cursor.token {
            Token::Boolean(value) => Proposition::Constant(value),
            Token::Integer(_) => return Ok(Proposition::Atom(atom(cursor.integer()?)?)),
            Token::Alias(name) => match aliases.get(name) {
                Some(&alias) => Proposition::Alias(alias),
                None => return Err(cursor.error(HoaErrorKind::UnknownAlias(name.to_owned()))),
            },
            _ => return Err(cursor.expected("a label")),
        };
        cursor.advance()?;
        Ok(proposition)
    })
}

/// The atom of a reference to it.
pub(super) fn atom_of((number, span): Reference, n_atoms: usize) -> Result<AtomId, HoaError> {
    if index(number) < n_atoms {
        Ok(AtomId::new(index(number)))
    } else {
        Err(HoaError { span, kind: HoaErrorKind::UnknownAtom { number, n_atoms } })
    }
}

fn atoms(cursor: &mut Cursor<'_>) -> Result<Atoms, HoaError> {
    let (announced, number_span) = cursor.integer()?;
    let mut atoms = Atoms::default();
    loop {
        let span = cursor.span;
        let Some(name) = cursor.text()? else { break };
        let n_atoms = atoms.len();
        atoms.intern(&name);
        if atoms.len() == n_atoms {
            return Err(HoaError { span, kind: HoaErrorKind::RepeatedAtom(name) });
        }
    }
    if index(announced) == atoms.len() {
        Ok(atoms)
    } else {
        let kind = HoaErrorKind::AtomCount { announced, given: atoms.len() };
        Err(HoaError { span: number_span, kind })
    }
}

fn acceptance(cursor: &mut Cursor<'_>) -> Result<Acceptance, HoaError> {
    let (n_sets, _) = cursor.integer()?;
    let condition = cursor.expression(false, |cursor| {
        let is_fin = match cursor.token {
            Token::Boolean(value) => {
                cursor.advance()?;
                return Ok(Visits::Constant(value));
            }
            Token::Identifier("Fin") => true,
            Token::Identifier("Inf") => false,
            _ => return Err(cursor.expected("`Fin`, `Inf`, `t` or `f`")),
        };
        cursor.advance()?;
        cursor.expect_sign(b'(', "`(`")?;
        let complemented = cursor.skip_sign(b'!')?;
        let set = set_of(cursor.integer()?, n_sets)?;
        cursor.expect_sign(b')', "`)`")?;
        Ok(if is_fin {
            Visits::Finitely { set, complemented }
        } else {
            Visits::Infinitely { set, complemented }
        })
    })?;
    Ok(Acceptance { n_sets, condition })
}

fn values(cursor: &mut Cursor<'_>) -> Result<Vec<Value>, HoaError> {
    let mut values = Vec::new();
    loop {
        let value = match cursor.token {
            Token::Boolean(value) => Value::Boolean(value),
            Token::Integer(number) => Value::Integer(number),
            Token::Text(text) => Value::Text(unescaped(text, escaped_character).into_owned()),
            Token::Identifier(name) => Value::Identifier(name.to_owned()),
            _ => return Ok(values),
        };
        values.push(value);
        cursor.advance()?;
    }
}
