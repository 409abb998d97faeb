//! Conditions of Promela: names, comparisons and other expressions, joined by
//! `!`, `&&` and `||`.
//!
//! What is no boolean structure is an atom, and its text is the name of the
//! atom: `x`, `fork[1] == 0`, `len(q) < 3`, `P@critical`.

use super::Parser;
use crate::baseline::formats::FormatError;
use crate::baseline::never::lex::{Fixed, Kind, token};
use crate::hoa::{Item, Label, Proposition};
use crate::scan::Span;

/// An operator or parenthesis that waits for its last operand.
enum Pending {
    Parenthesis(Span),
    Or,
    And,
    Not,
}

impl Pending {
    fn binding(&self) -> u8 {
        match self {
            Self::Parenthesis(_) => 0,
            Self::Or => 1,
            Self::And => 2,
            Self::Not => 3,
        }
    }
}

/// Completes the operators on top that bind at least as strongly as `binding`,
/// which is more than a parenthesis does.
fn reduce(pending: &mut Vec<Pending>, items: &mut Vec<Item<Proposition>>, binding: u8) {
    while let Some(operator) = pending.pop_if(|operator| binding <= operator.binding()) {
        items.push(match operator {
            Pending::Or => Item::Or,
            Pending::And => Item::And,
            Pending::Not => Item::Not,
            Pending::Parenthesis(_) => unreachable!("no operator binds as weakly"),
        });
    }
}

impl Parser<'_> {
    /// A condition and its place; `what` says what else could have come.
    pub(super) fn condition(&mut self, what: &str) -> Result<(Label, Span), FormatError> {
        let start = self.span().start;
        let mut items = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        loop {
            if self.is(token!["("]) {
                pending.push(Pending::Parenthesis(self.span()));
                self.advance();
                continue;
            }
            if self.skip(token!["!"]) {
                pending.push(Pending::Not);
                continue;
            }
            let what = if self.span().start == start { what } else { "a condition" };
            let is_negated = matches!(pending.last(), Some(Pending::Not));
            items.push(Item::Leaf(self.operand(is_negated, what)?));
            loop {
                reduce(&mut pending, &mut items, if self.is(token!["||"]) { 1 } else { 2 });
                if !self.is(token![")"]) {
                    break;
                }
                reduce(&mut pending, &mut items, 1);
                // One that was not opened here is for somebody else.
                if pending.pop().is_none() {
                    break;
                }
                self.advance();
            }
            if self.skip(token!["&&"]) {
                pending.push(Pending::And);
            } else if self.skip(token!["||"]) {
                pending.push(Pending::Or);
            } else {
                break;
            }
        }
        reduce(&mut pending, &mut items, 1);
        if let Some(Pending::Parenthesis(span)) = pending.pop() {
            // An arrow may stand behind the whole condition, but not in it.
            let next = self.tokens.get(self.at + 1).map(|token| token.kind);
            let is_action = matches!(
                next,
                None | Some(
                    Kind::End | Kind::Fixed(token!["goto" "break" "assert" "::" "fi" "od"])
                )
            );
            if self.kind() == Kind::End
                || self.is(token!["->"]) && is_action
                || self.is(token!["}"])
            {
                return Err(FormatError::new(span, "this parenthesis is never closed"));
            }
            return Err(self.expected("`)`, `&&` or `||`"));
        }
        let label = Label::from_items(items).expect("operands and operators alternate");
        Ok((label, Span::new(start, self.tokens[self.at - 1].span.end)))
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
                Kind::Fixed(token!["["]) => open.push((token!["]"], self.span())),
                Kind::Fixed(token!["("])
                    if first < self.at && (is_inside || self.follows_name()) =>
                {
                    open.push((token![")"], self.span()));
                }
                Kind::Fixed(sign @ token!["]" ")"]) if is_inside => {
                    if open.pop_if(|(closing, _)| *closing == sign).is_none() {
                        break;
                    }
                }
                // Two operands in a row are not one.
                Kind::Name | Kind::Number(_)
                    if first < self.at && !is_inside && self.follows_operand() =>
                {
                    break;
                }
                Kind::Name | Kind::Number(_) | Kind::Fixed(token!["@" "." ","]) => (),
                Kind::Fixed(token!["true" "false" "skip"]) if first == self.at => {
                    let value = !self.is(token!["false"]);
                    self.advance();
                    return Ok(Proposition::Constant(value));
                }
                Kind::Fixed(
                    token!["==" "!=" "<=" ">=" "<" ">" "<<" ">>" "+" "-" "*" "/" "%" "&"
                        "|" "^" "~" "?" "!" "&&" "||"],
                ) if is_inside => (),
                Kind::Fixed(
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
        matches!(before, Kind::Name | Kind::Number(_) | Kind::Fixed(token!["]" ")"]))
    }

    /// Whether the token before is a name, so that a parenthesis is a call.
    fn follows_name(&self) -> bool {
        self.tokens[self.at - 1].kind == Kind::Name
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
