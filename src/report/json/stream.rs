//! JSON written field by field and element by element, so that a run of a
//! million steps is never in memory as a whole.

use serde_json::Value;
use std::io::{Result, Write};

/// An object on its way.
pub(super) struct Object<'a> {
    out: &'a mut dyn Write,
    is_empty: bool,
}

impl<'a> Object<'a> {
    /// Begins an object.
    pub(super) fn begin(out: &'a mut dyn Write) -> Result<Self> {
        out.write_all(b"{")?;
        Ok(Self { out, is_empty: true })
    }

    /// Writes the name of a field, whose value is to be written next.
    pub(super) fn name(&mut self, name: &str) -> Result<&mut dyn Write> {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.out.write_all(b",")?;
        }
        value(self.out, &Value::from(name))?;
        self.out.write_all(b":")?;
        Ok(self.out)
    }

    /// Writes a field.
    pub(super) fn field(&mut self, name: &str, content: impl Into<Value>) -> Result<()> {
        value(self.name(name)?, &content.into())
    }

    /// Ends the object.
    pub(super) fn end(self) -> Result<()> {
        self.out.write_all(b"}")
    }
}

/// Writes a list, of which `write` writes each element.
pub(super) fn list<T>(
    out: &mut dyn Write,
    elements: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut dyn Write, T) -> Result<()>,
) -> Result<()> {
    out.write_all(b"[")?;
    for (number, element) in elements.into_iter().enumerate() {
        if number != 0 {
            out.write_all(b",")?;
        }
        write(out, element)?;
    }
    out.write_all(b"]")
}

/// Writes a value that is in memory.
pub(super) fn value(out: &mut dyn Write, content: &Value) -> Result<()> {
    Ok(serde_json::to_writer(out, content)?)
}
