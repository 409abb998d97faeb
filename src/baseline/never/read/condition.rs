//! Conditions of Promela: names, comparisons and other expressions, joined by
//! `!`, `&&` and `||`.
//!
//! What is no boolean structure is an atom, and its text is the name of the
//! atom: `x`, `fork[1] == 0`, `len(q) < 3`, `P@critical`.

use super::Parser;
use crate::baseline::formats::FormatError;
use crate::baseline::never::lex::{Fixed, TokenKind, token};
use crate::hoa::{InfixReader, Item, Label, Proposition};
use crate::scan::Span;

impl Parser<'_> {
    /// A condition and its place; `what` says what else could have come.
    pub(super) fn condition(&mut self, what: &str) -> Result<(Label, Span), FormatError> {
        let start = self.span().start;
        let mut infix = InfixReader::new();
        loop {
            if self.is(token!["("]) {
                infix.open(self.span());
                self.advance();
                continue;
            }
            if self.skip(token!["!"]) {
                infix.negate();
                continue;
            }
            let what = if self.span().start == start { what } else { "a condition" };
            infix.leaf(self.operand(infix.is_negated(), what)?);
            // One that was not opened here belongs to what comes around the condition.
            while self.is(token![")"]) && infix.close() {
                self.advance();
            }
            if self.skip(token!["&&"]) {
                infix.join(Item::And);
            } else if self.skip(token!["||"]) {
                infix.join(Item::Or);
            } else {
                break;
            }
        }
        let label = infix.finish().map_err(|span| self.unclosed(span))?;
        Ok((label, Span::new(start, self.tokens[self.at - 1].span.end)))
    }

    /// The error that the parenthesis at `span` is not closed here.
    fn unclosed(&self, span: Span) -> FormatError {
        // An arrow may stand behind the whole condition, but not in it.
        let next = self.tokens.get(self.at + 1).map(|token| token.kind);
        let is_action = matches!(
            next,
            None | Some(
                TokenKind::End | TokenKind::Fixed(token!["goto" "break" "assert" "::" "fi" "od"])
            )
        );
        if self.kind() == TokenKind::End
            || self.is(token!["->"]) && is_action
            || self.is(token!["}"])
        {
            return FormatError::new(span, "this parenthesis is never closed");
        }
        self.expected("`)`, `&&` or `||`")
    }

    /// What is no boolean structure.
    fn operand(&mut self, is_negated: bool, what: &str) -> Result<Proposition, FormatError> {
        let first = self.at;
        // What closes the brackets that are open, and where these are.
        let mut open: Vec<(_, Span)> = Vec::new();
        let mut is_compound = false;
        loop {
            let is_inside = !open.is_empty();
            match self.kind() {
                TokenKind::Fixed(token!["["]) => open.push((token!["]"], self.span())),
                TokenKind::Fixed(token!["("])
                    if first < self.at && (is_inside || self.follows_name()) =>
                {
                    open.push((token![")"], self.span()));
                }
                TokenKind::Fixed(sign @ token!["]" ")"]) if is_inside => {
                    if open.pop_if(|(closing, _)| *closing == sign).is_none() {
                        break;
                    }
                }
                // Two operands in a row are not one.
                TokenKind::Name | TokenKind::Number(_)
                    if first < self.at && !is_inside && self.follows_operand() =>
                {
                    break;
                }
                TokenKind::Name | TokenKind::Number(_) | TokenKind::Fixed(token!["@" "." ","]) => {}
                TokenKind::Fixed(token!["true" "false" "skip"]) if first == self.at => {
                    let value = !self.is(token!["false"]);
                    self.advance();
                    return Ok(Proposition::Constant(value));
                }
                TokenKind::Fixed(
                    token!["==" "!=" "<=" ">=" "<" ">" "<<" ">>" "+" "-" "*" "/" "%" "&"
                        "|" "^" "~" "?" "!" "&&" "||"],
                ) if is_inside => (),
                TokenKind::Fixed(
                    token!["==" "!=" "<=" ">=" "<" ">" "<<" ">>" "+" "-" "*" "/" "%" "&"
                        "|" "^" "~"],
                ) => is_compound = true,
                _ => break,
            }
            self.advance();
        }
        if first == self.at {
            return Err(self.expected(what));
        }
        if let Some((_, span)) = open.pop() {
            let what = if &self.text[span.range()] == "[" { "bracket" } else { "parenthesis" };
            return Err(FormatError::new(span, format!("this {what} is never closed")));
        }
        let span = Span::new(self.tokens[first].span.start, self.tokens[self.at - 1].span.end);
        let text = &self.text[span.range()];
        if is_negated && is_compound {
            let message = format!("in Promela `!` binds stronger than `{text}`: write `!({text})`");
            return Err(FormatError::new(span, message));
        }
        Ok(self.proposition(text))
    }

    /// What the text of an operand says.
    fn proposition(&mut self, text: &str) -> Proposition {
        match text {
            "1" => Proposition::Constant(true),
            "0" => Proposition::Constant(false),
            _ => {
                let text = self.macros.get(text).map_or(text, |text| without_parentheses(text));
                // A line break of a macro is one of the atom.
                Proposition::Atom(self.atoms.intern(&text.replace("\\\n", "\n")))
            }
        }
    }

    fn follows_operand(&self) -> bool {
        let before = self.tokens[self.at - 1].kind;
        matches!(before, TokenKind::Name | TokenKind::Number(_) | TokenKind::Fixed(token!["]" ")"]))
    }

    /// Whether the token before is a name, so that a parenthesis is a call.
    fn follows_name(&self) -> bool {
        self.tokens[self.at - 1].kind == TokenKind::Name
    }
}

/// An expression without the parentheses around it, if they are around all of
/// it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_usize;
    for byte in inner.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return text,
            },
            _ => (),
        }
    }
    inner.trim()
}
