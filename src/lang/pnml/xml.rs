//! XML as a tree with places: the only module that knows the package which reads it.
//!
//! A document type definition is refused, so there are no entities to expand and nothing is
//! fetched.

use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::suggest::hint;
use crate::scan::Span;
use roxmltree::{Document, Error, ParsingOptions};

/// An element of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a, 'text>(roxmltree::Node<'a, 'text>);

/// Reads a document and does something with its outermost element.
pub(super) fn with_root<T>(
    text: &str,
    work: impl FnOnce(Element<'_, '_>) -> Result<T>,
) -> Result<T> {
    let document = Document::parse_with_options(text, ParsingOptions::default())
        .map_err(|error| refused(text, &error))?;
    work(Element(document.root_element()))
}

/// What is wrong with a text that is no XML document, and where.
fn refused(text: &str, error: &Error) -> SourceError {
    if let Error::DtdDetected = error {
        let start = text.find("<!DOCTYPE").unwrap_or(0);
        let message = "document type definitions are not read: nothing is fetched or expanded";
        return SourceError::new(Span::new(start, (start + 9).min(text.len())), message);
    }
    let message = error.to_string();
    // The place is shown beside the message.
    let message = message.split(" at ").next().unwrap_or(&message);
    let at = match error {
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => text.trim_end().len(),
        _ => offset(text, error.pos()),
    };
    let end = text[at..].chars().next().map_or(at, |character| at + character.len_utf8());
    let mut letters = message.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string());
    let message = format!("{}{}", first.unwrap_or_default(), letters.as_str());
    SourceError::new(Span::new(at, end), message)
}

/// The offset of a place that is given by line and column.
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let line = text.split_inclusive('\n').take(place.row.saturating_sub(1) as usize);
    let start: usize = line.map(str::len).sum();
    let columns = text[start..].char_indices().map(|(offset, _)| offset);
    let column = columns.chain([text.len() - start]).nth(place.col.saturating_sub(1) as usize);
    start + column.unwrap_or(0)
}

impl<'a> Element<'a, '_> {
    /// What it is called, without a prefix.
    pub(super) fn name(self) -> &'a str {
        self.0.tag_name().name()
    }

    /// The place of its opening tag, without attributes.
    pub(super) fn span(self) -> Span {
        let range = self.0.range();
        let text = &self.0.document().input_text()[range.clone()];
        let n_bytes = text.find(|c: char| c.is_whitespace() || c == '>' || c == '/');
        Span::new(range.start, range.start + n_bytes.unwrap_or(text.len()))
    }

    /// The elements inside.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        self.0.children().filter(roxmltree::Node::is_element).map(Self)
    }

    /// The only element inside.
    pub(super) fn only_child(self) -> Result<Self> {
        let mut children = self.children();
        let first = children.next();
        match (first, children.next()) {
            (Some(child), None) => Ok(child),
            (None, _) => fail(self.span(), format!("<{}> is empty", self.name())),
            (_, Some(second)) => {
                fail(second.span(), format!("<{}> has only one element", self.name()))
            }
        }
    }

    /// An attribute and its place.
    pub(super) fn attribute(self, name: &str) -> Option<(&'a str, Span)> {
        let attribute = self.0.attribute_node(name)?;
        let range = attribute.range_value();
        Some((attribute.value(), Span::new(range.start, range.end)))
    }

    /// An attribute that has to be there.
    pub(super) fn required(self, name: &str) -> Result<(&'a str, Span)> {
        let missing = || {
            SourceError::new(self.span(), format!("<{}> has no attribute `{name}`", self.name()))
        };
        self.attribute(name).ok_or_else(missing)
    }

    /// The text inside, without blanks around it, and its place.
    pub(super) fn text(self) -> (&'a str, Span) {
        let Some(node) = self.0.children().find(|node| !is_blank(*node)) else {
            return ("", self.span());
        };
        let range = node.range();
        let text = node.text().unwrap_or_default();
        let before = text.len() - text.trim_start().len();
        let trimmed = text.trim();
        // Where characters are escaped, the place is that of all of the text.
        let inside = range.start + before..range.start + before + trimmed.len();
        let is_plain = self.0.document().input_text().get(inside.clone()) == Some(trimmed);
        let place = if is_plain { inside } else { range };
        (trimmed, Span::new(place.start, place.end))
    }

    /// The number that the text inside is.
    pub(super) fn number(self) -> Result<i64> {
        let (text, span) = self.text();
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return fail(
                span,
                format!("expected a number, found `{}`", crate::scan::shortened(text)),
            );
        }
        text.parse().or_else(|_| fail(span, "this number is too large"))
    }

    /// That this element cannot stand here, but one of `expected`.
    pub(super) fn unexpected(self, expected: &[&str]) -> SourceError {
        let name = self.name();
        let hint = hint(name, expected.iter().copied());
        SourceError::new(self.span(), format!("unexpected element <{name}>{hint}"))
    }
}

fn is_blank(node: roxmltree::Node<'_, '_>) -> bool {
    node.is_comment() || node.text().is_some_and(|text| text.trim().is_empty())
}
