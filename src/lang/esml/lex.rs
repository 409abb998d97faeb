//! Text to tokens.
//!
//! Comments are those of Oberon, `(* … *)`, and may be nested. Operators that
//! the thesis prints as signs of mathematics are read as such and as they are
//! typed: `→` and `->`, `≠` and `#`.

use super::super::cursor::Result;
use crate::scan::{self, Comment, Language, Spelt, define_tokens, longest};

pub(super) type TokenKind = scan::Kind<Fixed>;
pub(super) type Token = scan::Token<Fixed>;

define_tokens! {
    /// The keywords and signs of ESML.
    pub(super) enum Fixed {
        Model "MODEL", Const "CONST", Type "TYPE", Var "VAR", Array "ARRAY", Of "OF",
        Boolean "BOOLEAN", Process "PROCESS", In "IN", Out "OUT", Begin "BEGIN", End "END", Do "DO",
        If "IF", Else "ELSE", Elsif "ELSIF", Skip "SKIP", True "TRUE", False "FALSE", Or "OR" | "∨",
        Div "DIV", Mod "MOD", Definitions "DEFINITIONS", Assert "ASSERT",
        Arrow "->" | "→", Box "[]" | "□", Assign ":=", DotDot "..", LessEqual "<=" | "≤",
        GreaterEqual ">=" | "≥", NotEqual "#" | "<>" | "≠", Ampersand "&" | "∧" | "AND",
        Tilde "~" | "¬" | "NOT", Exclamation "!", Question "?", Equal "=", Less "<", Greater ">",
        Plus "+", Minus "-", Star "*", Open "(", Close ")", OpenBracket "[", CloseBracket "]",
        OpenBrace "{", CloseBrace "}", Semicolon ";", Comma ",", Colon ":", Dot ".",
    }
}

/// The greatest number that may be written.
pub(super) const MAX_NUMBER: i64 = 2_147_483_647;

struct Esml;

impl Language for Esml {
    type Fixed = Fixed;
    const COMMENTS: &[Comment] = &[Comment::Nested("(*", "*)")];

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Fixed, usize)> {
        longest(Fixed::SPELLINGS, wanted)
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        scan::decimal(text)?
            .filter(|&value| value <= MAX_NUMBER)
            .ok_or_else(|| format!("this number is larger than {MAX_NUMBER}"))
    }
}

/// The tokens of `text`, the last of them [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    Ok(scan::tokens(Esml, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_blanks() {
        let text = "DO s0 (* x (* y *) é *)≥12→ []0..1 AND";
        let kinds: Vec<TokenKind> = tokens(text).unwrap().iter().map(|token| token.kind).collect();
        let range = [TokenKind::Number(0), TokenKind::Fixed(token![".."]), TokenKind::Number(1)];
        let mut expected = vec![
            TokenKind::Fixed(token!["DO"]),
            TokenKind::Name,
            TokenKind::Fixed(token![">="]),
            TokenKind::Number(12),
        ];
        expected.extend([TokenKind::Fixed(token!["->"]), TokenKind::Fixed(token!["[]"])]);
        expected.extend(range);
        expected.extend([TokenKind::Fixed(token!["&"]), TokenKind::End]);
        assert_eq!(kinds, expected);
    }

    #[test]
    fn what_is_no_token() {
        let check = |text: &str, start, message: &str| {
            let error = tokens(text).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (start, message));
        };
        check("a é", 2, "unexpected character `é`");
        check("x (* y (* *)", 2, "this comment is never closed");
        check("99999999999999999999", 0, "this number is larger than 2147483647");
        check("a 3x", 2, "`3x` is neither a number nor a name");
    }
}
