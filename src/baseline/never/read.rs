//! A never claim to an automaton.
//!
//! A state is what one or several labels stand before: `if` or `do` with an
//! option for every edge, or a single condition, which leads to what comes
//! next. The claim may end; then it has been matched, so everything is accepted
//! from there. That is also what an assertion that fails means.

mod condition;

use super::lex::{self, Fixed, Macro, Token, TokenKind, token};
use crate::baseline::cube::Cube;
use crate::baseline::formats::FormatError;
use crate::baseline::guard;
use crate::baseline::nba::{Builder, Nba, StateId};
use crate::hoa::{Label, Proposition};
use crate::scan::Span;
use crate::word::Atoms;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Reads a never claim: what Spin, LTL2BA, LTL3BA or Spot print, or something
/// like it.
///
/// # Errors
///
/// If the text is no never claim of that kind.
pub fn read(text: &str) -> Result<Nba, FormatError> {
    let (tokens, macros) = lex::tokens(text)?;
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        macros: macros.into_iter().map(|Macro { name, text }| (name, text)).collect(),
        atoms: Atoms::default(),
        states: Vec::new(),
        by_label: HashMap::default(),
    };
    parser.claim()?;
    parser.finish()
}

/// Where an edge leads.
#[derive(Clone, Debug)]
enum Target {
    /// To the state of a label, which may come later.
    Label(Span),
    /// To the state of this number; the one behind the last is the end.
    State(usize),
    /// To where everything is accepted.
    End,
}

#[derive(Clone, Debug)]
struct Move {
    label: Label,
    /// Where the condition stands.
    span: Span,
    target: Target,
}

#[derive(Clone, Debug, Default)]
struct State {
    accepting: bool,
    moves: Vec<Move>,
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    macros: HashMap<&'a str, &'a str, FxBuildHasher>,
    atoms: Atoms,
    states: Vec<State>,
    by_label: HashMap<&'a str, usize, FxBuildHasher>,
}

impl Parser<'_> {
    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn is(&self, fixed: Fixed) -> bool {
        self.kind() == TokenKind::Fixed(fixed)
    }

    /// Steps over the current token, unless it is the end.
    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn skip(&mut self, fixed: Fixed) -> bool {
        let there = self.is(fixed);
        if there {
            self.advance();
        }
        there
    }

    fn expect(&mut self, fixed: Fixed) -> Result<(), FormatError> {
        if self.skip(fixed) { Ok(()) } else { Err(self.expected(&format!("`{fixed}`"))) }
    }

    fn expected(&self, what: &str) -> FormatError {
        let found = match self.kind() {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", &self.text[self.span().range()]),
        };
        FormatError::new(self.span(), format!("expected {what}, found {found}"))
    }

    fn claim(&mut self) -> Result<(), FormatError> {
        self.expect(token!["never"])?;
        if self.kind() == TokenKind::Name {
            self.advance();
        }
        self.expect(token!["{"])?;
        while !self.is(token!["}"]) {
            self.state()?;
        }
        self.advance();
        self.skip(token![";"]);
        if self.kind() == TokenKind::End { Ok(()) } else { Err(self.expected("nothing more")) }
    }

    /// Labels, and what they stand before.
    fn state(&mut self) -> Result<(), FormatError> {
        let mut state = State::default();
        let number = self.states.len();
        while self.kind() == TokenKind::Name
            && self.tokens[self.at + 1].kind == TokenKind::Fixed(token![":"])
        {
            let span = self.span();
            let label = &self.text[span.range()];
            state.accepting |= label.starts_with("accept");
            if self.by_label.insert(label, number).is_some() {
                let message = format!("there is another state `{label}`");
                return Err(FormatError::new(span, message));
            }
            self.advance();
            self.advance();
        }
        if self.is(token!["if"]) || self.is(token!["do"]) {
            state.moves = self.selection(number)?;
        } else if !self.is(token!["}"]) {
            let (label, span) = self.condition("`if`, `do`, `skip` or a condition")?;
            state.moves.push(Move { label, span, target: Target::State(number + 1) });
        } else {
            // Nothing is left of the claim.
            let label = Label::leaf(Proposition::Constant(true));
            state.moves.push(Move { label, span: self.span(), target: Target::End });
        }
        self.skip(token![";"]);
        self.states.push(state);
        Ok(())
    }

    /// The options of `if` or `do` of a state.
    fn selection(&mut self, number: usize) -> Result<Vec<Move>, FormatError> {
        let opened = self.span();
        let repeats = self.is(token!["do"]);
        let closing = if repeats { token!["od"] } else { token!["fi"] };
        self.advance();
        let mut moves = Vec::new();
        // The option that is taken if no other one can be.
        let mut rest: Option<usize> = None;
        while !self.skip(closing) {
            if self.kind() == TokenKind::End {
                let word = &self.text[opened.range()];
                return Err(FormatError::new(opened, format!("this `{word}` is never closed")));
            }
            if !self.skip(token!["::"]) {
                return Err(self.expected(&format!("`::` or `{closing}`")));
            }
            if self.is(token!["else"]) {
                rest = Some(moves.len());
            }
            self.option(number, repeats, &mut moves)?;
        }
        if let Some(rest) = rest {
            let all = moves.iter().enumerate().filter(|&(index, _)| index != rest);
            let others = all.map(|(_, other)| other.label.clone()).reduce(Label::or);
            if let Some(others) = others {
                moves[rest].label = !others;
            }
        }
        Ok(moves)
    }

    /// One option, behind its `::`.
    fn option(
        &mut self,
        number: usize,
        repeats: bool,
        moves: &mut Vec<Move>,
    ) -> Result<(), FormatError> {
        let is_block = self.skip(token!["atomic"]) || self.skip(token!["d_step"]);
        if is_block {
            self.expect(token!["{"])?;
        }
        let is_rest = self.is(token!["else"]);
        let (label, span) = if is_rest {
            let span = self.span();
            self.advance();
            (Label::leaf(Proposition::Constant(true)), span)
        } else {
            self.condition("a condition")?
        };
        // Where a run goes that is not sent anywhere.
        let mut target = Target::State(if repeats { number } else { number + 1 });
        let acts = self.skip(token!["->"]) || self.skip(token![";"]);
        if acts && self.skip(token!["goto"]) {
            if self.kind() != TokenKind::Name {
                return Err(self.expected("a label"));
            }
            target = Target::Label(self.span());
            self.advance();
        } else if acts && repeats && self.skip(token!["break"]) {
            target = Target::State(number + 1);
        } else if acts && !is_rest && self.skip(token!["assert"]) {
            let (asserted, _) = self.condition("a condition")?;
            let failing = label.clone().and(!asserted.clone());
            moves.push(Move { label: failing, span, target: Target::End });
            moves.push(Move { label: label.and(asserted), span, target });
            return self.end_of_option(is_block);
        } else if acts && !self.is(token!["::"]) && !self.is(token!["fi"]) && !self.is(token!["od"])
        {
            return Err(self.expected("`goto`"));
        }
        moves.push(Move { label, span, target });
        self.end_of_option(is_block)
    }

    fn end_of_option(&mut self, is_block: bool) -> Result<(), FormatError> {
        self.skip(token![";"]);
        if is_block {
            self.expect(token!["}"])?;
            self.skip(token![";"]);
        }
        Ok(())
    }

    /// The automaton of the states.
    fn finish(self) -> Result<Nba, FormatError> {
        let mut builder = Builder::new(self.atoms.clone(), 1);
        let states: Vec<StateId> = self.states.iter().map(|_| builder.add_state()).collect();
        let Some(&initial) = states.first() else {
            let end = self.text.len();
            return Err(FormatError::new(
                Span::new(end, end),
                "a never claim has at least one state",
            ));
        };
        builder.add_initial(initial);
        let mut end: Option<StateId> = None;
        for (state, &source) in self.states.iter().zip(&states) {
            if let [Move { label, target, .. }] = &state.moves[..]
                && *label == Label::leaf(Proposition::Constant(true))
                && is_end(target, states.len())
            {
                // Whatever comes first, everything is accepted.
                builder.add_edge(source, &Cube::truth(), builder.all_sets(), source);
                continue;
            }
            let sets = || builder_sets(state.accepting);
            for Move { label, span, target } in &state.moves {
                let cubes = guard::cubes(label)
                    .map_err(|error| FormatError::new(*span, error.to_string()))?;
                let target = match self.target(target, &states)? {
                    Some(state) => state,
                    None if cubes.is_empty() => continue,
                    None => *end.get_or_insert_with(|| builder.add_state()),
                };
                for cube in &cubes {
                    builder.add_edge(source, cube, sets(), target);
                }
            }
        }
        if let Some(end) = end {
            builder.add_edge(end, &Cube::truth(), builder.all_sets(), end);
        }
        Ok(builder.finish())
    }

    /// The state of a target; nothing if it is the end.
    fn target(&self, target: &Target, states: &[StateId]) -> Result<Option<StateId>, FormatError> {
        match target {
            Target::End => Ok(None),
            Target::State(number) => Ok(states.get(*number).copied()),
            Target::Label(span) => {
                let label = &self.text[span.range()];
                let Some(&number) = self.by_label.get(label) else {
                    let message = format!("there is no state `{label}`");
                    return Err(FormatError::new(*span, message));
                };
                Ok(Some(states[number]))
            }
        }
    }
}

fn is_end(target: &Target, n_states: usize) -> bool {
    match target {
        Target::End => true,
        Target::State(number) => *number == n_states,
        Target::Label(_) => false,
    }
}

fn builder_sets(accepting: bool) -> Option<crate::search::MarkId> {
    accepting.then(|| crate::id::Id::new(0))
}
