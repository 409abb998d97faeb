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
use super::{Automaton, Expression, HoaError, HoaErrorKind, Item, SetId, StateId};
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

/// The token at hand, and how to get at the next.
struct Cursor<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    span: Span,
}

impl<'a> Cursor<'a> {
    /// Drops the token at hand.
    fn advance(&mut self) -> Result<(), HoaError> {
        (self.token, self.span) = self.lexer.next()?;
        match self.token {
            Token::Abort => Err(self.error(HoaErrorKind::Aborted)),
            _ => Ok(()),
        }
    }

    /// Drops the token at hand and returns it, with the place where it stood.
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

    /// Drops the token at hand if it is `sign`.
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

    /// The text at hand, if it is one.
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

    /// A boolean expression: `!` binds stronger than `&`, and `&` stronger
    /// than `|`. `leaf` reads one operand.
    ///
    /// These are the two stacks of Dijkstra's shunting yard, of which the
    /// postfix form makes the stack of operands superfluous.
    fn expression<L>(
        &mut self,
        may_negate: bool,
        mut leaf: impl FnMut(&mut Self) -> Result<L, HoaError>,
    ) -> Result<Expression<L>, HoaError> {
        let mut items = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        loop {
            // An operand begins here.
            match self.token {
                Token::Sign(b'(') => {
                    pending.push(Pending::Parenthesis(self.span));
                    self.advance()?;
                    continue;
                }
                Token::Sign(b'!') if may_negate => {
                    pending.push(Pending::Not);
                    self.advance()?;
                    continue;
                }
                _ => items.push(Item::Leaf(leaf(self)?)),
            }
            // An operand has ended here.
            while self.is_sign(b')') && close(&mut pending, &mut items) {
                self.advance()?;
            }
            let operator = match self.token {
                Token::Sign(b'&') => Pending::And,
                Token::Sign(b'|') => Pending::Or,
                _ => break,
            };
            reduce(&mut pending, &mut items, operator.binding());
            pending.push(operator);
            self.advance()?;
        }
        reduce(&mut pending, &mut items, 0);
        if let Some(Pending::Parenthesis(span)) = pending.pop() {
            return Err(HoaError { span, kind: HoaErrorKind::Unclosed("parenthesis") });
        }
        Ok(Expression::from_items(items).expect("operands and operators alternate"))
    }
}

/// An operator that waits for its last operand to be complete.
enum Pending {
    Parenthesis(Span),
    Or,
    And,
    Not,
}

impl Pending {
    fn binding(&self) -> u8 {
        match self {
            Self::Parenthesis(_) => 0,
            Self::Or => 1,
            Self::And => 2,
            Self::Not => 3,
        }
    }
}

/// Completes the pending operators that bind at least as strongly as
/// `binding`, up to the innermost parenthesis.
fn reduce<L>(pending: &mut Vec<Pending>, items: &mut Vec<Item<L>>, binding: u8) {
    while let Some(operator) = pending.pop_if(|operator| binding <= operator.binding()) {
        items.push(match operator {
            Pending::Or => Item::Or,
            Pending::And => Item::And,
            Pending::Not => Item::Not,
            Pending::Parenthesis(_) => {
                pending.push(operator);
                return;
            }
        });
    }
}

/// Completes what stands in the innermost parentheses; false if there are
/// none.
fn close<L>(pending: &mut Vec<Pending>, items: &mut Vec<Item<L>>) -> bool {
    reduce(pending, items, 0);
    pending.pop().is_some()
}

/// The acceptance set of a reference to it.
fn set_of((number, span): Reference, n_sets: u32) -> Result<SetId, HoaError> {
    if number < n_sets {
        Ok(SetId::new(index(number)))
    } else {
        Err(HoaError { span, kind: HoaErrorKind::UnknownSet { number, n_sets } })
    }
}
