//! A place in the tokens of a text: what parsers of model languages have in common.

use super::SourceError;
use super::suggest::misspelt;
use crate::scan::{Kind, Span, Spelt, Token};

/// What a front end makes of a part of a text.
pub(super) type Result<T, E = SourceError> = std::result::Result<T, E>;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Span,
}

impl Name {
    /// The error that something is true of the name: "`x` is already a variable".
    pub(super) fn error(&self, what: impl std::fmt::Display) -> SourceError {
        SourceError::new(self.span, format!("`{}` {what}", self.text))
    }
}

/// The error about a place, as a result.
pub(super) fn fail<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(SourceError::new(span, message))
}

/// A place in the tokens of a text, and what else the parser of a language has to know.
pub(super) struct Cursor<'a, F, C = ()> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<F>>,
    pub(super) at: usize,
    pub(super) context: C,
}

impl<'a, F: Spelt, C> Cursor<'a, F, C> {
    pub(super) fn peek(&self) -> Token<F> {
        // The last token is the end, and nothing advances behind it.
        self.tokens[self.at]
    }

    /// The token that is so many behind this one.
    pub(super) fn ahead(&self, distance: usize) -> Kind<F> {
        self.tokens.get(self.at + distance).map_or(Kind::End, |token| token.kind)
    }

    pub(super) fn advance(&mut self) -> Token<F> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    pub(super) fn span(&self) -> Span {
        self.peek().span
    }

    /// Where the token before this one ends.
    pub(super) fn previous_end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |previous| self.tokens[previous].span.end)
    }

    /// From a place to the end of the token before this one.
    pub(super) fn span_from(&self, start: usize) -> Span {
        Span { start, end: self.previous_end() }
    }

    fn word(&self) -> &'a str {
        &self.text[self.span().range()]
    }

    /// The keyword or sign here, if it is one.
    pub(super) fn fixed(&self) -> Option<F> {
        match self.peek().kind {
            Kind::Fixed(fixed) => Some(fixed),
            _ => None,
        }
    }

    pub(super) fn is(&self, fixed: F) -> bool {
        self.fixed() == Some(fixed)
    }

    /// The token here as messages show it.
    pub(super) fn found(&self) -> String {
        match self.peek().kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.word()),
        }
    }

    pub(super) fn expected(&self, what: &str) -> SourceError {
        // The most frequent slip of all, where comparison is `==`.
        let is_slip =
            self.word() == "=" && F::SPELLINGS.iter().any(|(spelling, _)| *spelling == "==");
        let advice = if is_slip { "; comparison is `==`".to_owned() } else { self.misspelt() };
        let message = format!("expected {what}, found {}{advice}", self.found());
        SourceError::new(self.span(), message)
    }

    /// The reserved word that may be meant by the name here, or by the one before.
    fn misspelt(&self) -> String {
        let name = |token: Option<&Token<F>>| match token {
            Some(token) if token.kind == Kind::Name => &self.text[token.span.range()],
            _ => "",
        };
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let reserved = F::SPELLINGS.iter().map(|(spelling, _)| *spelling);
        misspelt(name(self.tokens.get(self.at)), name(before), reserved)
    }

    /// Whether the token is this keyword or sign; it is then behind us.
    pub(super) fn take(&mut self, fixed: F) -> bool {
        let found = self.is(fixed);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn require(&mut self, fixed: F, or: &str) -> Result<()> {
        if self.take(fixed) { Ok(()) } else { Err(self.expected(&format!("`{fixed}`{or}"))) }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name> {
        let Token { kind, span } = self.peek();
        let text = self.word();
        match kind {
            Kind::Name => {
                self.at += 1;
                Ok(Name { text: text.to_owned(), span })
            }
            // In capital letters a keyword looks like a name.
            Kind::Fixed(_) if text.starts_with(|c: char| c.is_ascii_uppercase()) => {
                fail(span, format!("expected {what}, but `{text}` is a reserved word"))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Items with `separator` between them.
    pub(super) fn separated<T>(
        &mut self,
        separator: F,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.take(separator) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// What `read` gives, if nothing stands behind it.
    pub(super) fn whole<T>(mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let whole = read(&mut self)?;
        match self.peek().kind {
            Kind::End => Ok(whole),
            _ => Err(self.expected("an operator or the end")),
        }
    }
}
