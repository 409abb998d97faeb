//! Templates of commands for the shell: `%f` and its like stand for parts of a problem.
//!
//! | | |
//! |---|---|
//! | `%f` `%s` `%p` `%l` | the formula in our syntax, Spin's, Spot's, LBT's |
//! | `%F` `%S` `%P` `%L` | the name of a file with that formula |
//! | `%m` | the file of the model |
//! | `%d` | its constants, as options `-D K=V` |
//! | `%n` | the value of the parameter |
//! | `%o` | the name of a file for the result; otherwise it is what the command prints |
//! | `%h` | the folder of the suite |
//! | `%t` | the limit of time in seconds |
//! | `%{word}` | what the group says under `with` |
//! | `%%` | a percent sign |
//!
//! All values are quoted for the shell, so the template must not quote them. These are the
//! placeholders of `bench`; `cross` has fewer.

use lwaa::ltl::print::Dialect;
use std::ops::Range;

/// A template taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(pub(super) Vec<Piece>);

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// As it is.
    Text(String),
    Formula(Dialect),
    FormulaFile(Dialect),
    Model,
    Definitions,
    Parameter,
    Output,
    Folder,
    Time,
    With(String),
}

/// What is wrong with a template, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TemplateError {
    pub(super) span: Range<usize>,
    pub(super) message: String,
}

impl Template {
    /// Takes a template apart. `placeholder` says what the letter behind a percent sign stands
    /// for; behind a brace comes a name.
    pub(super) fn parse(
        text: &str,
        placeholder: fn(char) -> Option<Piece>,
    ) -> Result<Self, TemplateError> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut rest = text;
        let text_piece = |pieces: &mut Vec<Piece>, more: &str| match pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(more),
            _ if more.is_empty() => (),
            _ => pieces.push(Piece::Text(more.to_owned())),
        };
        while let Some(at) = rest.find('%') {
            text_piece(&mut pieces, &rest[..at]);
            let start = text.len() - rest.len() + at;
            let behind = &rest[at + 1..];
            let letter = behind.chars().next();
            let mut length = letter.map_or(0, char::len_utf8);
            let error = |length: usize, message: String| {
                Err(TemplateError { span: start..start + 1 + length, message })
            };
            let piece = match letter {
                Some('%') => Piece::Text("%".to_owned()),
                Some(letter) => match placeholder(letter) {
                    Some(Piece::With(_)) => {
                        let Some(end) = behind.find('}') else {
                            return error(length, "this brace is never closed".to_owned());
                        };
                        length = end + 1;
                        Piece::With(behind[1..end].to_owned())
                    }
                    Some(piece) => piece,
                    None => return error(length, format!("there is no placeholder `%{letter}`")),
                },
                None => {
                    return error(0, "a placeholder is missing; `%%` is a percent sign".to_owned());
                }
            };
            match piece {
                Piece::Text(more) => text_piece(&mut pieces, &more),
                piece => pieces.push(piece),
            }
            rest = &behind[length..];
        }
        text_piece(&mut pieces, rest);
        Ok(Self(pieces))
    }

    /// Whether it is about models.
    pub(super) fn is_about_models(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Model | Piece::Definitions))
    }

    /// Whether it depends on the problem at all.
    pub(super) fn has_problem(&self) -> bool {
        let is_fixed = |piece: &Piece| {
            matches!(piece, Piece::Text(_) | Piece::Output | Piece::Folder | Piece::Time)
        };
        !self.0.iter().all(is_fixed)
    }

    pub(super) fn has_output(&self) -> bool {
        self.0.contains(&Piece::Output)
    }

    /// The command for the shell, in which `value` says what stands for each placeholder.
    pub(super) fn script<E>(
        &self,
        mut value: impl FnMut(&Piece) -> Result<String, E>,
    ) -> Result<String, E> {
        let each = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => Ok(text.clone()),
            placeholder => value(placeholder),
        });
        each.collect()
    }
}

/// What the placeholders of `bench` stand for.
pub(super) fn placeholder(letter: char) -> Option<Piece> {
    Some(match letter {
        'f' => Piece::Formula(Dialect::Lwaa),
        's' => Piece::Formula(Dialect::Spin),
        'p' => Piece::Formula(Dialect::Spot),
        'l' => Piece::Formula(Dialect::Lbt),
        'F' => Piece::FormulaFile(Dialect::Lwaa),
        'S' => Piece::FormulaFile(Dialect::Spin),
        'P' => Piece::FormulaFile(Dialect::Spot),
        'L' => Piece::FormulaFile(Dialect::Lbt),
        'm' => Piece::Model,
        'd' => Piece::Definitions,
        'n' => Piece::Parameter,
        'o' => Piece::Output,
        'h' => Piece::Folder,
        't' => Piece::Time,
        '{' => Piece::With(String::new()),
        _ => return None,
    })
}

/// A text as one word of a shell.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_taken_apart() {
        let pieces = Template::parse("spin -f %s >%o; echo 5%% %{claim}", placeholder).unwrap().0;
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(
            pieces,
            [
                text("spin -f "),
                Piece::Formula(Dialect::Spin),
                text(" >"),
                Piece::Output,
                text("; echo 5% "),
                Piece::With("claim".to_owned()),
            ]
        );
        assert_eq!(Template::parse("", placeholder).unwrap().0, []);
    }

    #[test]
    fn mistakes_have_a_place() {
        let span = |text: &str| Template::parse(text, placeholder).unwrap_err().span;
        assert_eq!(span("a %x b"), 2..4);
        assert_eq!(span("a %"), 2..3);
        assert_eq!(span("%{a"), 0..2);
        assert_eq!(span("%é"), 0..3);
    }

    #[test]
    fn words_are_quoted() {
        assert_eq!(quoted("a-b/c.d"), "a-b/c.d");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
        assert_eq!(quoted(""), "''");
    }
}
