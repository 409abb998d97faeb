//! Reads JSON and remembers where everything stands.
//!
//! Messages about a file that somebody has edited need the places of values,
//! which the library that writes our JSON forgets.

use std::ops::Range;

/// A value and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// Where it stands.
    pub span: Range<usize>,
    /// What it is.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number that is not a whole number of at most 64 bits.
    Other,
    /// `true` or `false`
    Truth(bool),
    /// `null`
    Null,
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Located>),
    /// An object: its fields in their order, with the places of their names.
    Object(Vec<(String, Range<usize>, Located)>),
}

impl Located {
    /// The field called `name`, if this is an object that has it.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Self> {
        match &self.value {
            Value::Object(fields) => {
                fields.iter().find(|field| field.0 == name).map(|field| &field.2)
            }
            _ => None,
        }
    }
}

/// A text is not what it should be: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct JsonError {
    /// The place.
    pub span: Range<usize>,
    /// What is wrong there.
    pub message: String,
}

impl JsonError {
    /// The message about a place.
    #[must_use]
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }
}

/// How deep values may be nested. Nothing that we write needs more, and what is
/// not deep may be dropped by recursion.
const MAX_DEPTH: usize = 64;

/// Reads one value.
///
/// # Errors
///
/// If the text is not JSON, or nested too deeply.
pub fn read(text: &str) -> Result<Located, JsonError> {
    let mut reader = Reader { text, position: 0 };
    let mut open: Vec<Open> = Vec::new();
    loop {
        let Some(mut done) = reader.begin(&mut open)? else { continue };
        // A finished value may finish those around it.
        loop {
            let Some(mut around) = open.pop() else {
                reader.skip_space();
                return match reader.peek() {
                    None => Ok(done),
                    Some(_) => Err(reader.expected("the end")),
                };
            };
            around.push(done);
            reader.skip_space();
            let close = if around.is_object() { b'}' } else { b']' };
            match reader.peek() {
                Some(b',') => {
                    reader.position += 1;
                    if around.is_object() {
                        around.name = reader.name()?;
                    }
                    open.push(around);
                    break;
                }
                Some(byte) if byte == close => {
                    reader.position += 1;
                    done = around.closed(reader.position);
                }
                _ if around.is_object() => return Err(reader.expected("`,` or `}`")),
                _ => return Err(reader.expected("`,` or `]`")),
            }
        }
    }
}

/// A list or an object whose end has not been seen.
struct Open {
    start: usize,
    value: Value,
    /// The name of the field to come.
    name: (String, Range<usize>),
}

impl Open {
    fn is_object(&self) -> bool {
        matches!(self.value, Value::Object(_))
    }

    fn push(&mut self, value: Located) {
        let (name, span) = std::mem::take(&mut self.name);
        match &mut self.value {
            Value::Object(fields) => fields.push((name, span, value)),
            Value::List(elements) => elements.push(value),
            _ => unreachable!("only lists and objects are open"),
        }
    }

    fn closed(self, end: usize) -> Located {
        Located { span: self.start..end, value: self.value }
    }
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    fn expected(&self, what: &str) -> JsonError {
        let found = self.text[self.position..].chars().next();
        let span = self.position..self.position + found.map_or(0, char::len_utf8);
        let found = found.map_or("the end".to_owned(), |found| format!("`{found}`"));
        JsonError::new(span, format!("expected {what}, found {found}"))
    }

    /// Reads a value, or opens one that has others inside.
    fn begin(&mut self, open: &mut Vec<Open>) -> Result<Option<Located>, JsonError> {
        self.skip_space();
        let start = self.position;
        let value = match self.peek() {
            Some(b'{') => Value::Object(Vec::new()),
            Some(b'[') => Value::List(Vec::new()),
            Some(b'"') => {
                let value = Value::Text(self.string()?);
                return Ok(Some(Located { span: start..self.position, value }));
            }
            _ => return self.word().map(Some),
        };
        if MAX_DEPTH < open.len() + 1 {
            return Err(JsonError::new(start..start + 1, "this is nested too deeply"));
        }
        self.position += 1;
        self.skip_space();
        let mut opened = Open { start, value, name: Default::default() };
        match (self.peek(), opened.is_object()) {
            (Some(b'}'), true) | (Some(b']'), false) => {
                self.position += 1;
                return Ok(Some(opened.closed(self.position)));
            }
            (_, true) => opened.name = self.name()?,
            (_, false) => (),
        }
        open.push(opened);
        Ok(None)
    }

    /// The name of a field and the colon behind it.
    fn name(&mut self) -> Result<(String, Range<usize>), JsonError> {
        self.skip_space();
        if self.peek() != Some(b'"') {
            return Err(self.expected("the name of a field"));
        }
        let start = self.position;
        let name = self.string()?;
        let span = start..self.position;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.expected("`:`"));
        }
        self.position += 1;
        Ok((name, span))
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let start = self.position;
        let mut escaped = true;
        loop {
            match self.peek() {
                None | Some(b'\n') => {
                    return Err(JsonError::new(start..start + 1, "this text never ends"));
                }
                Some(b'"') if !escaped => break,
                Some(byte) => escaped = byte == b'\\' && !escaped,
            }
            // The quote that opens the text counts as escaped.
            self.position += 1;
        }
        self.position += 1;
        let span = start..self.position;
        serde_json::from_str(&self.text[span.clone()])
            .map_err(|_| JsonError::new(span, "this is not a JSON string"))
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Located, JsonError> {
        let start = self.position;
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        while self.peek().is_some_and(is_part) {
            self.position += 1;
        }
        let span = start..self.position;
        let word = &self.text[span.clone()];
        if word.is_empty() {
            return Err(self.expected("a value"));
        }
        let value = match serde_json::from_str::<serde_json::Value>(word) {
            Ok(serde_json::Value::Null) => Value::Null,
            Ok(serde_json::Value::Bool(truth)) => Value::Truth(truth),
            Ok(value) => value.as_i64().map_or(Value::Other, Value::Number),
            Err(_) => return Err(JsonError::new(span, format!("`{word}` is not a JSON value"))),
        };
        Ok(Located { span, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_error(text: &str, span: Range<usize>, message: &str) {
        assert_eq!(read(text), Err(JsonError::new(span, message)), "{text}");
    }

    #[test]
    fn values_have_places() {
        let text =
            " {\"a\": [1, -2 ,null], \"b\\n\" : {}, \"c\":[ ],\"d\":1.5,\"e\": \"\\\"x\\\\\"} ";
        let value = read(text).unwrap();
        assert_eq!(value.span, 1..text.len() - 1);
        let list = value.field("a").unwrap();
        assert_eq!(&text[list.span.clone()], "[1, -2 ,null]");
        let Value::List(elements) = &list.value else { panic!("{list:?}") };
        let numbers: Vec<&Value> = elements.iter().map(|element| &element.value).collect();
        assert_eq!(numbers, [&Value::Number(1), &Value::Number(-2), &Value::Null]);
        assert_eq!(&text[elements[1].span.clone()], "-2");
        assert_eq!(value.field("b\n").unwrap().value, Value::Object(vec![]));
        assert_eq!(value.field("c").unwrap().value, Value::List(vec![]));
        assert_eq!(value.field("d").unwrap().value, Value::Other);
        assert_eq!(value.field("e").unwrap().value, Value::Text("\"x\\".to_owned()));
        assert_eq!(value.field("f"), None);
    }

    #[test]
    fn what_is_no_json_has_a_place() {
        check_error("", 0..0, "expected a value, found the end");
        check_error("[1 2]", 3..4, "expected `,` or `]`, found `2`");
        check_error("{\"a\" 2}", 5..6, "expected `:`, found `2`");
        check_error("{\"a\": 2", 7..7, "expected `,` or `}`, found the end");
        check_error("{a: 2}", 1..2, "expected the name of a field, found `a`");
        check_error("[1, tru]", 4..7, "`tru` is not a JSON value");
        check_error("[\"abc]", 1..2, "this text never ends");
        check_error("[\"\\q\"]", 1..5, "this is not a JSON string");
        check_error("[1] x", 4..5, "expected the end, found `x`");
        check_error("[é]", 1..3, "expected a value, found `é`");
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused() {
        assert!(read(&format!("{}{}", "[".repeat(64), "]".repeat(64))).is_ok());
        check_error(&"[".repeat(100_000), 64..65, "this is nested too deeply");
    }
}
