//! Reads JSON and remembers where everything stands.
//!
//! Messages about a file that was edited by hand need the places of values,
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

    /// The field called `name`.
    ///
    /// # Errors
    ///
    /// If this is no object, or does not have it.
    pub fn needed(&self, name: &str) -> Result<&Self, JsonError> {
        self.field(name).ok_or_else(|| self.lacks(format!("there is no field `{name}`")))
    }

    /// The elements of this list.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub fn elements(&self) -> Result<&[Self], JsonError> {
        match &self.value {
            Value::List(elements) => Ok(elements),
            _ => Err(self.error("expected a list")),
        }
    }

    /// This text; nothing if it is `null`.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub fn text(&self) -> Result<Option<&str>, JsonError> {
        match &self.value {
            Value::Text(text) => Ok(Some(text)),
            Value::Null => Ok(None),
            _ => Err(self.error("expected a text")),
        }
    }

    /// A message about this value.
    #[must_use]
    pub fn error(&self, message: impl Into<String>) -> JsonError {
        JsonError::new(self.span.clone(), message)
    }

    /// A message about something that this value does not have.
    #[must_use]
    pub fn lacks(&self, message: impl Into<String>) -> JsonError {
        JsonError::new(self.span.start..self.span.start + 1, message)
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

/// How deep values may be nested. Nothing that we write needs more, and what is not deep may be
/// read and dropped by recursion.
const MAX_DEPTH: usize = 64;

/// Reads one value.
///
/// # Errors
///
/// If the text is not JSON, or nested too deeply.
pub fn read(text: &str) -> Result<Located, JsonError> {
    let mut reader = Reader { text, position: 0 };
    let value = reader.value(MAX_DEPTH)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.expected("the end")),
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

    /// Reads a value in which so many lists and objects may be nested.
    fn value(&mut self, depth: usize) -> Result<Located, JsonError> {
        self.skip_space();
        let start = self.position;
        let value = match self.peek() {
            Some(b'{' | b'[') if depth == 0 => {
                return Err(JsonError::new(start..start + 1, "this is nested too deeply"));
            }
            Some(b'{') => Value::Object(self.sequence(b'}', "`,` or `}`", |reader| {
                let (name, span) = reader.name()?;
                Ok((name, span, reader.value(depth - 1)?))
            })?),
            Some(b'[') => {
                Value::List(self.sequence(b']', "`,` or `]`", |reader| reader.value(depth - 1))?)
            }
            Some(b'"') => Value::Text(self.string()?),
            _ => self.word()?,
        };
        Ok(Located { span: start..self.position, value })
    }

    /// What stands between commas, from an opening bracket to the one that closes it.
    fn sequence<T>(
        &mut self,
        close: u8,
        separators: &str,
        mut element: impl FnMut(&mut Self) -> Result<T, JsonError>,
    ) -> Result<Vec<T>, JsonError> {
        let mut elements = Vec::new();
        self.position += 1;
        self.skip_space();
        while self.peek() != Some(close) {
            if !elements.is_empty() {
                if self.peek() != Some(b',') {
                    return Err(self.expected(separators));
                }
                self.position += 1;
            }
            elements.push(element(self)?);
            self.skip_space();
        }
        self.position += 1;
        Ok(elements)
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
    fn word(&mut self) -> Result<Value, JsonError> {
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
        match serde_json::from_str::<serde_json::Value>(word) {
            Ok(serde_json::Value::Null) => Ok(Value::Null),
            Ok(serde_json::Value::Bool(truth)) => Ok(Value::Truth(truth)),
            Ok(value) => Ok(value.as_i64().map_or(Value::Other, Value::Number)),
            Err(_) => Err(JsonError::new(span, format!("`{word}` is not a JSON value"))),
        }
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
