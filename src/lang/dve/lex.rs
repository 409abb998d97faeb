//! Text to tokens.
//!
//! Names may have the characters `$` and `#` behind the first one, as `DiVinE`
//! allows. Comments are those of C, and a backslash at the end of a line is
//! white space.

use super::super::cursor::Result;
use crate::scan::{self, Language, Spelt, define_tokens, longest};

pub(super) type TokenKind = scan::Kind<Fixed>;
pub(super) type Token = scan::Token<Fixed>;

define_tokens! {
    /// The keywords and signs of DVE.
    pub(super) enum Fixed {
        Guard "guard", Sync "sync", Async "async", Effect "effect", Process "process",
        State "state", Init "init", Accept "accept", Commit "commit", Trans "trans",
        System "system", True "true", False "false", And "and", Or "or", Not "not", Imply "imply",
        Int "int", Byte "byte", Const "const", Channel "channel", Property "property",
        Buchi "buchi", Genbuchi "genbuchi", Streett "streett", Rabin "rabin", Muller "muller",
        Assert "assert",
        Arrow "->", DoubleArrow "=>", OrOr "||", AndAnd "&&", ShiftLeft "<<", ShiftRight ">>",
        LessEqual "<=", GreaterEqual ">=", EqualEqual "==", NotEqual "!=", PlusPlus "++",
        MinusMinus "--", Dot ".", Comma ",", Semicolon ";", Colon ":", OpenBrace "{",
        CloseBrace "}", OpenBracket "[", CloseBracket "]", Open "(", Close ")", Question "?",
        Exclamation "!", Tilde "~", Equal "=", Plus "+", Minus "-", Star "*", Slash "/",
        Percent "%", Bar "|", Ampersand "&", Caret "^", Less "<", Greater ">",
    }
}

/// `DiVinE`'s numbers are 32 bits wide.
const MAX_NUMBER: i64 = 2_147_483_647;

struct Dve;

impl Language for Dve {
    type Fixed = Fixed;
    const JOINS_LINES: bool = true;

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Fixed, usize)> {
        longest(Fixed::SPELLINGS, wanted)
    }

    fn is_in_word(&self, character: char) -> bool {
        character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '#')
    }

    fn is_in_number(&self, character: char) -> bool {
        character.is_ascii_digit()
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        let value = text.parse().ok().filter(|&value: &i64| value <= MAX_NUMBER);
        value.ok_or_else(|| format!("this number is larger than {MAX_NUMBER}"))
    }
}

/// The tokens of `text`, the last of them [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    Ok(scan::tokens(Dve, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_blanks() {
        let text = "a$1 // x\n/* * / */->12\\ \n>=";
        let kinds: Vec<TokenKind> = tokens(text).unwrap().iter().map(|token| token.kind).collect();
        assert_eq!(
            kinds,
            [
                TokenKind::Name,
                TokenKind::Fixed(token!["->"]),
                TokenKind::Number(12),
                TokenKind::Fixed(token![">="]),
                TokenKind::End
            ]
        );
    }

    #[test]
    fn what_is_no_token() {
        let check = |text: &str, start, message: &str| {
            let error = tokens(text).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (start, message));
        };
        check("a é", 2, "unexpected character `é`");
        check("x /* y", 2, "this comment is never closed");
        check("99999999999999999999", 0, "this number is larger than 2147483647");
        check("a \\ b", 2, "unexpected character `\\\\`");
    }
}
