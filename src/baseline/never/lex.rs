//! A never claim to tokens.
//!
//! Comments are those of C. Lines that begin with `#` are for the preprocessor:
//! macros are kept, and lines that say from where a text comes are dropped.

use crate::baseline::formats::FormatError;
use crate::scan::{
    self, Language, Problem, ScanError, Scanner, Span, Spelt, define_tokens, longest,
};

pub(super) type TokenKind = scan::Kind<Fixed>;
pub(super) type Token = scan::Token<Fixed>;

/// A macro without parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Macro<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

define_tokens! {
    /// The words that have a meaning in a claim, and the signs.
    pub(super) enum Fixed {
        Assert "assert", Atomic "atomic", Break "break", DStep "d_step", Do "do", Else "else",
        False "false", Fi "fi", Goto "goto", If "if", Never "never", Od "od", Skip "skip",
        True "true",
        ColonColon "::", Arrow "->", AndAnd "&&", OrOr "||", EqualEqual "==", NotEqual "!=",
        LessEqual "<=", GreaterEqual ">=", ShiftLeft "<<", ShiftRight ">>", OpenBrace "{",
        CloseBrace "}", Open "(", Close ")", OpenBracket "[", CloseBracket "]", Semicolon ";",
        Colon ":", Comma ",", Exclamation "!", Equal "=", Less "<", Greater ">", Plus "+",
        Minus "-", Star "*", Slash "/", Percent "%", Ampersand "&", Bar "|", Caret "^", Tilde "~",
        At "@", Dot ".", Question "?",
    }
}

/// The words of Promela that are no names of variables, besides those of
/// claims.
const RESERVED: &str = "\
    active bit bool byte chan c_code c_decl c_expr c_state c_track D_proctype empty enabled eval \
    for full get_priority hidden init inline int len local ltl mtype nempty nfull notrace np_ of \
    pc_value pid printf printm priority proctype provided return run select set_priority short \
    show timeout trace typedef unless unsigned xr xs";

/// Whether a word can be the name of a variable in Promela.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !Fixed::SPELLINGS.iter().any(|(keyword, _)| *keyword == word)
        && RESERVED.split(' ').all(|reserved| reserved != word)
        // A variable of Promela that no model reads.
        && word != "_"
}

struct Never;

impl Language for Never {
    type Fixed = Fixed;

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Fixed, usize)> {
        longest(Fixed::SPELLINGS, wanted)
    }
}

/// The tokens of `text`, the last of them [`TokenKind::End`], and its macros.
pub(super) fn tokens(text: &str) -> Result<(Vec<Token>, Vec<Macro<'_>>), FormatError> {
    let mut lexer = Lexer { text, scanner: Scanner::new(Never, text), macros: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        let token = match lexer.scanner.next() {
            Err(ScanError { problem: Problem::Unknown('#'), .. }) => {
                lexer.preprocessor()?;
                continue;
            }
            token => token?,
        };
        tokens.push(token);
        if token.kind == TokenKind::End {
            return Ok((tokens, lexer.macros));
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    scanner: Scanner<'a, Never>,
    macros: Vec<Macro<'a>>,
}

impl Lexer<'_> {
    /// A line that begins with `#`; a backslash at its end continues it.
    fn preprocessor(&mut self) -> Result<(), FormatError> {
        let rest = &self.text[self.scanner.at..];
        let mut end = 0;
        loop {
            end += rest[end..].find('\n').unwrap_or(rest.len() - end);
            if end == rest.len() || !rest[..end].ends_with('\\') {
                break;
            }
            end += 1;
        }
        let line = &rest[1..end];
        let words = line.trim();
        if let Some(definition) = words.strip_prefix("define").map(str::trim_start) {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = definition.find(|c| !is_part(c)).unwrap_or(definition.len());
            let (name, text) = definition.split_at(length);
            if name.is_empty() || text.starts_with('(') {
                let span = Span::new(self.scanner.at, self.scanner.at + end);
                return Err(FormatError::new(span, "only macros without parameters are read"));
            }
            self.macros.push(Macro { name, text: text.trim() });
        } else if !words.starts_with("line") && !words.starts_with(|c: char| c.is_ascii_digit()) {
            let span = Span::new(self.scanner.at, self.scanner.at + end);
            return Err(FormatError::new(span, "of the preprocessor only `#define` is read"));
        }
        self.scanner.at += end;
        Ok(())
    }
}
