//! Formulas about a model: Spin's syntax, in which any expression of the language
//! is an atom.
//!
//! The tokens of a formula become a text in which atoms are in quotation marks, and
//! the reader of formulas does the rest.

use super::super::claim::Claim;
use super::super::program::{Program, Proposition, Span, TransitionId};
use super::super::{Bindings, Model, SourceError};
use super::ahead;
use super::asked::Asked;
use super::ast::Module;
use super::lex::{Kind, Token};
use super::names::Names;
use super::parse;
use super::preprocess::{Preprocessed, preprocess};
use super::read_for;
use super::value::{Speaker, value};
use crate::ltl::parse::ParseErrorKind;
use crate::ltl::{Formula, Term};
use crate::work::tick;

/// A formula with its atoms in quotation marks, and where its parts come from.
#[derive(Default)]
struct Quoted {
    text: String,
    /// Offsets in the text and the places of the tokens from there on.
    places: Vec<(usize, Span)>,
}

impl Quoted {
    fn push(&mut self, text: &str, place: Span) {
        self.places.push((self.text.len(), place));
        self.text.push_str(text);
        self.text.push(' ');
    }

    fn place(&self, offset: usize) -> Span {
        let at = self.places.partition_point(|&(start, _)| start <= offset);
        self.places.get(at.saturating_sub(1)).map_or(Span::default(), |&(_, place)| place)
    }
}

/// What is known of a bracket before what is inside has been read.
#[derive(Clone, Copy)]
struct Bracket {
    /// The number of the token that closes it.
    closing: usize,
    /// Whether it is that of `(a -> b : c)`.
    is_conditional: bool,
}

/// The brackets among some tokens, by their numbers, found in one pass: to look for the
/// end of each by itself would take quadratic time where they are nested.
fn brackets(text: &str, tokens: &[Token], processes: &[&str]) -> Vec<Bracket> {
    let word = |at: usize| &text[tokens[at].text.start..tokens[at].text.end];
    let outside = Bracket { closing: tokens.len(), is_conditional: false };
    let mut brackets = vec![outside; tokens.len()];
    // What is open, and whether it has had an arrow.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for at in 0..tokens.len() {
        match word(at) {
            "(" | "[" => open.push((at, false)),
            ")" | "]" => {
                if let Some((opening, _)) = open.pop() {
                    brackets[opening].closing = at;
                }
            }
            "->" => {
                if let Some((_, has_arrow)) = open.last_mut() {
                    *has_arrow = true;
                }
            }
            // A colon behind the name of a process leads to one of its variables.
            ":" => {
                if let Some(&(opening, true)) = open.last()
                    && word(at - 1) != "]"
                    && processes.binary_search(&word(at - 1)).is_err()
                {
                    brackets[opening].is_conditional = true;
                }
            }
            _ => (),
        }
    }
    brackets
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// By the numbers of tokens; only those of opening brackets mean something.
    brackets: Vec<Bracket>,
    quoted: Quoted,
}

/// The formula that some tokens are, about the processes of `module`.
pub(super) fn formula(
    source: &Preprocessed,
    module: &Module,
    tokens: &[Token],
) -> Result<Formula, SourceError> {
    refuse_questions(source, tokens)?;
    let quoted = Quoted::default();
    let mut processes: Vec<&str> =
        module.processes.iter().map(|process| process.name.text.as_str()).collect();
    processes.sort_unstable();
    let brackets = brackets(&source.text, tokens, &processes);
    let mut reader = Reader { text: &source.text, tokens, at: 0, brackets, quoted };
    reader.run()?;
    let Reader { quoted, .. } = reader;
    Formula::parse(&quoted.text).map_err(|error| {
        let span = match error.kind {
            ParseErrorKind::Unclosed { opened } => opened,
            _ => error.span,
        };
        SourceError::new(quoted.place(span.start), error.to_string())
    })
}

/// Refuses `empty(q)` and its like, as Spin does in every formula.
fn refuse_questions(source: &Preprocessed, tokens: &[Token]) -> Result<(), SourceError> {
    for token in tokens {
        let word = &source.text[token.text.start..token.text.end];
        let instead = match word {
            "empty" => "write `len(q) == 0`",
            "nempty" => "write `len(q) > 0`",
            "full" | "nfull" => "compare `len(q)` with the capacity of the channel",
            _ => continue,
        };
        let message = format!("Spin does not read `{word}` in formulas: {instead}");
        return Err(SourceError::new(token.place, message));
    }
    Ok(())
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        tick();
        self.tokens.get(at).map_or("", |token| &self.text[token.text.start..token.text.end])
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.word(at) == word
    }

    fn place(&self) -> Span {
        let last = self.tokens.last().map_or(Span::default(), |token| token.place);
        let behind = Span { start: last.end, end: last.end };
        self.tokens.get(self.at).map_or(behind, |token| token.place)
    }

    fn push(&mut self, text: &str, n_tokens: usize) {
        let place = self.place();
        self.quoted.push(text, place);
        self.at += n_tokens;
    }

    fn run(&mut self) -> Result<(), SourceError> {
        let mut needs_operand = true;
        while self.at < self.tokens.len() {
            if needs_operand {
                needs_operand = self.operand()?;
                continue;
            }
            let operator = match self.word(self.at) {
                ")" => {
                    self.push(")", 1);
                    continue;
                }
                "&&" | "/\\" => "&&",
                "||" | "\\/" => "||",
                "->" | "implies" => "->",
                "<->" | "equivalent" => "<->",
                "U" | "until" | "stronguntil" => "U",
                "W" | "weakuntil" => "W",
                "V" | "R" | "release" => "R",
                other => {
                    let message = format!("expected an operator, found `{other}`");
                    return Err(SourceError::new(self.place(), message));
                }
            };
            self.push(operator, 1);
            needs_operand = true;
        }
        Ok(())
    }

    /// Reads an operand or an operator in front of one; whether an operand is still
    /// to come.
    fn operand(&mut self) -> Result<bool, SourceError> {
        let is_applied = self.begins_operand(self.at + 1);
        let prefix = match self.word(self.at) {
            "!" => Some(("!", 1)),
            "[" if self.is(self.at + 1, "]") => Some(("G", 2)),
            "<" if self.is(self.at + 1, ">") => Some(("F", 2)),
            "always" | "G" if is_applied => Some(("G", 1)),
            "eventually" | "F" if is_applied => Some(("F", 1)),
            "next" | "X" if is_applied => Some(("X", 1)),
            "(" if !self.is_atom_in_parentheses() => Some(("(", 1)),
            _ => None,
        };
        if let Some((operator, n_tokens)) = prefix {
            self.push(operator, n_tokens);
            return Ok(true);
        }
        let end = self.end_of_atom();
        if end == self.at {
            let message = format!("expected an expression, found `{}`", self.word(self.at));
            return Err(SourceError::new(self.place(), message));
        }
        let atom = self.joined(self.at, end);
        let n_tokens = end - self.at;
        match atom.as_str() {
            "true" | "false" => self.push(&atom, n_tokens),
            // An atom as formulas are printed, in traces for instance.
            _ if n_tokens == 1 && atom.starts_with('"') => self.push(&atom, 1),
            _ => self.push(&format!("\"{}\"", atom.replace('"', "\\\"")), n_tokens.max(1)),
        }
        Ok(false)
    }

    fn begins_operand(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let is_temporal = (self.is(at, "[") && self.is(at + 1, "]"))
            || (self.is(at, "<") && self.is(at + 1, ">"));
        is_temporal
            || matches!(token.kind, Kind::Name | Kind::Number(_) | Kind::Text)
            || matches!(self.word(at), "(" | "!" | "true" | "false" | "len")
    }

    /// Whether what begins with a parenthesis is part of an expression: something
    /// follows that compares or computes.
    fn is_atom_in_parentheses(&self) -> bool {
        let Bracket { closing, is_conditional } = self.brackets[self.at];
        let behind = self.word(closing + 1);
        let is_computed = matches!(
            behind,
            "+" | "-"
                | "*"
                | "/"
                | "%"
                | "=="
                | "!="
                | "<"
                | ">"
                | "<="
                | ">="
                | "&"
                | "|"
                | "^"
                | "<<"
                | ">>"
        ) && !(behind == "<" && self.is(closing + 2, ">"));
        is_computed || is_conditional
    }

    fn end_of_atom(&self) -> usize {
        let mut depth = 0_usize;
        let mut is_behind_operand = false;
        for at in self.at..self.tokens.len() {
            let token = self.tokens[at];
            let word = self.word(at);
            if depth == 0 {
                let ends = matches!(word, ")" | "&&" | "||" | "->" | "<->" | "/\\" | "\\/");
                if ends || (is_behind_operand && token.kind == Kind::Name) {
                    return at;
                }
            }
            match word {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => (),
            }
            is_behind_operand = matches!(token.kind, Kind::Name | Kind::Number(_))
                || matches!(word, ")" | "]" | "true" | "false");
        }
        self.tokens.len()
    }

    /// Tokens as a text without superfluous blanks.
    fn joined(&self, start: usize, end: usize) -> String {
        let is_word = |word: &str| word.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let mut text = String::new();
        for at in start..end {
            let word = self.word(at);
            if is_word(&text) && word.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }
}

impl Names {
    /// A text behind that of the model, with the model's macros.
    fn behind(&self, text: &str) -> Result<(Preprocessed, usize, usize), SourceError> {
        let whole = format!("{}\n{text}", self.main);
        let (start, end) = (self.main.len() + 1, whole.len());
        let move_back = |error: SourceError| {
            let back = |offset: usize| offset.saturating_sub(start).min(text.len());
            let span = Span { start: back(error.span.start), end: back(error.span.end) };
            SourceError { span, ..error }
        };
        let mut include = |name: &str| self.included_text(name);
        let source = preprocess(&whole, &self.definitions, &mut include).map_err(move_back)?;
        Ok((source, start, end))
    }

    fn included_text(&self, name: &str) -> Result<String, String> {
        let known = self.included.iter().find(|(known, _)| known == name);
        known.map(|(_, text)| text.clone()).ok_or_else(|| "it was not read before".to_owned())
    }

    /// The same model for other questions.
    fn read_again(&self, asked: &Asked) -> Result<Model, SourceError> {
        let mut include = |name: &str| self.included_text(name);
        read_for(&self.main, &self.definitions, &mut include, asked)
    }

    /// All that is asked about the model if these formulas are, as far as it matters.
    /// If they do not agree, every statement is a step: then a run that was found
    /// for one of them can be taken again without knowing the others.
    fn needed(&self, formulas: &[Formula]) -> Result<Asked, SourceError> {
        let known = &self.module.asked;
        let mut needed = known.clone();
        for (number, formula) in formulas.iter().enumerate() {
            let asked = known.clone().with(self.asked_by(formula)?);
            let agrees = number == 0 || asked == needed;
            needed = needed.with(asked);
            needed.is_plain |= !agrees;
        }
        Ok(needed)
    }

    /// What a formula asks, as far as it matters.
    fn asked_by(&self, formula: &Formula) -> Result<Asked, SourceError> {
        let processes = self.kinds.iter().map(|kind| kind.process.name.text.as_str()).collect();
        let mut asked = Asked::default();
        for (_, name) in formula.atoms().iter() {
            asked = asked.with(self.in_formula(name, |source, tokens| {
                Ok(Asked::of_formula(&source.text, &tokens, &processes))
            })?);
        }
        let steps_count =
            formula.terms().ids().any(|id| matches!(formula.terms().term(id), Term::Next(_)));
        // Where steps count, or who takes them, every statement is one.
        asked.is_plain |=
            steps_count || asked.has_last || asked.has_progress || asked.has_variables;
        asked.names.retain(|name| self.is_left_out(name));
        Ok(asked)
    }

    fn in_formula<T>(
        &self,
        text: &str,
        with: impl FnOnce(Preprocessed, Vec<Token>) -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        let (source, start, end) = self.behind(text)?;
        let is_inside = |token: &&Token| start <= token.place.start && token.place.start < end;
        let of_formula = source.tokens.iter().filter(|token| token.kind != Kind::End);
        let tokens: Vec<Token> = of_formula.filter(is_inside).copied().collect();
        with(source, tokens).map_err(|error| {
            let back = |offset: usize| offset.saturating_sub(start).min(text.len());
            let span = Span { start: back(error.span.start), end: back(error.span.end) };
            SourceError { span, ..error }
        })
    }
}

/// Whoever has begun so many processes gets room for more of them at once.
const MANY: usize = 8;

impl Bindings for Names {
    /// A text with an atom in quotation marks is read as it is in other languages, which
    /// is how formulas are printed: `&` then connects formulas. In Spin's syntax, which
    /// needs no quotation marks, `&` computes with the bits of numbers.
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        if text.contains('"')
            && let Ok(printed) = Formula::parse(text)
        {
            return Ok(printed);
        }
        self.in_formula(text, |source, tokens| formula(&source, &self.module, &tokens))
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition, SourceError> {
        if let Some(atom) = self.claim_atom(program, name) {
            return atom;
        }
        self.in_formula(name, |source, mut tokens| {
            tokens.extend(source.tokens.last().copied());
            let mut names = self.clone();
            let source = Preprocessed { tokens, ..source };
            let (module, expression) = parse::proposition(&source, names.module)?;
            names.module = module;
            value(program, &names, Speaker::global(), expression).map(Proposition::State)
        })
    }

    fn is_suited(&self, formulas: &[Formula]) -> bool {
        self.needed(formulas).is_ok_and(|needed| needed == self.module.asked)
    }

    fn suited(&self, formulas: &[Formula]) -> Result<Model, SourceError> {
        self.read_again(&self.needed(formulas)?)
    }

    fn claims(&self) -> &[Claim] {
        &self.claims.list
    }

    fn progress(&self) -> Option<Formula> {
        Formula::parse("G F !np_").ok()
    }

    fn grown(&self, failed: TransitionId) -> Option<Result<Model, SourceError>> {
        let &(slot, kind) = self.growing.get(&failed)?;
        let mut slots = self.slots.clone();
        slots.push((slot, kind));
        slots.extend(ahead(&[(slot, kind)]).into_iter().filter(|_| MANY <= slot));
        Some(super::larger(self, slots))
    }

    fn made_for(&self, purpose: &[String]) -> Option<Result<Model, SourceError>> {
        let asked = self.module.asked.clone().with(Asked::from_words(purpose));
        if asked != self.module.asked {
            let model = self.read_again(&asked);
            let larger = model.as_ref().ok().and_then(|model| model.bindings.made_for(purpose));
            return Some(larger.unwrap_or(model));
        }
        let mut slots = self.slots.clone();
        for text in purpose {
            let Some((slot, name)) = text.split_once(' ') else { continue };
            let mut kinds = self.kinds.entries();
            let kind = kinds.find(|(_, kind)| kind.process.name.text == name);
            if let (Ok(slot), Some((kind, _))) = (slot.parse(), kind) {
                slots.push((slot, kind));
            }
        }
        slots.sort_unstable();
        slots.dedup();
        (slots != self.slots).then(|| super::larger(self, slots))
    }

    fn in_full(&self) -> Option<Result<Model, SourceError>> {
        let asked = Asked { is_plain: true, ..self.module.asked.clone() };
        (!self.module.asked.is_plain).then(|| self.read_again(&asked))
    }
}
