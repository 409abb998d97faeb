//! Text to [`Automaton`].
//!
//! Anything that the format forbids is an error that says where it stands.
//! Time and memory are linear in the text, whatever it says: aliases are not
//! expanded, nested parentheses are kept on a stack, and nothing is allocated
//! for what is announced but not there.

mod body;
mod header;
#[cfg(test)]
mod tests;

use super::lex::{Lexer, Token};
use super::{Automaton, Expression, HoaError, HoaErrorKind, InfixReader, Item, SetId, StateId};
use crate::id::Id;
use crate::scan::{Span, escaped_character, unescaped};

/// Reads the first automaton of `text`; what follows it is not looked at.
///
/// # Errors
///
/// If the text does not begin with a document of version 1 of the format.
pub fn read(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Automaton, HoaError> {
    let mut documents = documents(text);
    match documents.next() {
        Some(result) => result,
        None => Err(HoaError {
            span: Span::new(text.as_ref().len(), text.as_ref().len()),
            kind: HoaErrorKind::Expected { what: "`HOA:`", found: Token::Nothing.describe() },
        }),
    }
}

/// All automata of `text`, one after the other.
///
/// ```
/// let one = "HOA: v1 Acceptance: 0 t --BODY-- --END--\n";
/// assert_eq!(lwaa::hoa::documents(&one.repeat(3)).flatten().count(), 3);
/// ```
#[must_use]
pub fn documents(text: &(impl AsRef<[u8]> + ?Sized)) -> Documents<'_> {
    Documents { lexer: Some(Lexer::new(text.as_ref())) }
}

/// The automata of a text. After an automaton that was aborted comes the next
/// one; any other error is the last thing that is read.
#[derive(Clone, Debug)]
pub struct Documents<'a> {
    lexer: Option<Lexer<'a>>,
}

impl Iterator for Documents<'_> {
    type Item = Result<Automaton, HoaError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut cursor =
            Cursor { lexer: self.lexer.take()?, token: Token::Nothing, span: Span::default() };
        let result = match cursor.advance() {
            Ok(()) if cursor.token == Token::Nothing => return None,
            Ok(()) => document(&mut cursor),
            Err(error) => Err(error),
        };
        if matches!(result, Ok(_) | Err(HoaError { kind: HoaErrorKind::Aborted, .. })) {
            self.lexer = Some(cursor.lexer);
        }
        Some(result)
    }
}

impl std::iter::FusedIterator for Documents<'_> {}

/// Reads one automaton, up to and including its `--END--`.
fn document(cursor: &mut Cursor<'_>) -> Result<Automaton, HoaError> {
    let head = header::read(cursor)?;
    body::read(cursor, head)
}

/// A number and where it stands.
type Reference = (u32, Span);

fn index(number: u32) -> usize {
    usize::try_from(number).expect("a number of 31 bits is an index")
}

/// The current token, and how to get at the next.
struct Cursor<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    span: Span,
}

impl<'a> Cursor<'a> {
    /// Drops the current token.
    fn advance(&mut self) -> Result<(), HoaError> {
        (self.token, self.span) = self.lexer.next()?;
        match self.token {
            Token::Abort => Err(self.error(HoaErrorKind::Aborted)),
            _ => Ok(()),
        }
    }

    /// Drops the current token and returns it, with the place where it stood.
    fn take(&mut self) -> Result<(Token<'a>, Span), HoaError> {
        let taken = (self.token, self.span);
        self.advance()?;
        Ok(taken)
    }

    fn error(&self, kind: HoaErrorKind) -> HoaError {
        HoaError { span: self.span, kind }
    }

    fn expected(&self, what: &'static str) -> HoaError {
        self.error(HoaErrorKind::Expected { what, found: self.token.describe() })
    }

    fn is_sign(&self, sign: u8) -> bool {
        self.token == Token::Sign(sign)
    }

    /// Drops the current token if it is `sign`.
    fn skip_sign(&mut self, sign: u8) -> Result<bool, HoaError> {
        let there = self.is_sign(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    fn expect_sign(&mut self, sign: u8, what: &'static str) -> Result<(), HoaError> {
        if self.skip_sign(sign)? { Ok(()) } else { Err(self.expected(what)) }
    }

    fn integer(&mut self) -> Result<Reference, HoaError> {
        let Token::Integer(number) = self.token else {
            return Err(self.expected("a number"));
        };
        let (_, span) = self.take()?;
        Ok((number, span))
    }

    fn identifier(&mut self, what: &'static str) -> Result<&'a str, HoaError> {
        let Token::Identifier(name) = self.token else {
            return Err(self.expected(what));
        };
        self.advance()?;
        Ok(name)
    }

    /// The current text, if it is one.
    fn text(&mut self) -> Result<Option<String>, HoaError> {
        let Token::Text(text) = self.token else { return Ok(None) };
        self.advance()?;
        Ok(Some(unescaped(text, escaped_character).into_owned()))
    }

    /// States joined by `&`; each is also given to `check`.
    fn conjunction(
        &mut self,
        mut check: impl FnMut(Reference) -> Result<(), HoaError>,
    ) -> Result<Vec<StateId>, HoaError> {
        let mut states = Vec::new();
        loop {
            let Token::Integer(number) = self.token else {
                return Err(self.expected("the number of a state"));
            };
            states.push(StateId::new(index(number)));
            let (_, span) = self.take()?;
            check((number, span))?;
            if !self.skip_sign(b'&')? {
                return Ok(states);
            }
        }
    }

    /// An optional acceptance signature such as `{0 2}`.
    fn signature(&mut self, n_sets: u32) -> Result<Vec<SetId>, HoaError> {
        let mut sets = Vec::new();
        if !self.skip_sign(b'{')? {
            return Ok(sets);
        }
        while !self.is_sign(b'}') {
            let Token::Integer(_) = self.token else {
                return Err(self.expected("the number of an acceptance set or `}`"));
            };
            sets.push(set_of(self.integer()?, n_sets)?);
        }
        self.advance()?;
        Ok(sets)
    }

    /// A boolean expression; `leaf` reads one operand.
    fn expression<L>(
        &mut self,
        may_negate: bool,
        mut leaf: impl FnMut(&mut Self) -> Result<L, HoaError>,
    ) -> Result<Expression<L>, HoaError> {
        let mut infix = InfixReader::new();
        loop {
            // An operand begins here.
            match self.token {
                Token::Sign(b'(') => {
                    infix.open(self.span);
                    self.advance()?;
                    continue;
                }
                Token::Sign(b'!') if may_negate => {
                    infix.negate();
                    self.advance()?;
                    continue;
                }
                _ => infix.leaf(leaf(self)?),
            }
            // An operand has ended here.
            while self.is_sign(b')') && infix.close() {
                self.advance()?;
            }
            infix.join(match self.token {
                Token::Sign(b'&') => Item::And,
                Token::Sign(b'|') => Item::Or,
                _ => break,
            });
            self.advance()?;
        }
        let unclosed = HoaErrorKind::Unclosed("parenthesis");
        infix.finish().map_err(|span| HoaError { span, kind: unclosed })
    }
}

/// The acceptance set of a reference to it.
fn set_of((number, span): Reference, n_sets: u32) -> Result<SetId, HoaError> {
    if number < n_sets {
        Ok(SetId::new(index(number)))
    } else {
        Err(HoaError { span, kind: HoaErrorKind::UnknownSet { number, n_sets } })
    }
}
