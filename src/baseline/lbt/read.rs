//! The format of LBT and LBTT to automata.

use crate::baseline::formats::FormatError;
use crate::baseline::guard;
use crate::baseline::nba::{Builder, Nba, StateId};
use crate::hoa::{Label, Proposition};
use crate::id::Id;
use crate::printable::read_escape;
use crate::scan::{Span, escaped_quote, unescaped};
use crate::search::MarkId;
use crate::word::Atoms;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Reads an automaton.
///
/// # Errors
///
/// If the text is not an automaton in this format.
pub fn read(text: &str) -> Result<Nba, FormatError> {
    let mut reader = Reader { text, at: 0, atoms: Atoms::default() };
    let (n_states, span) = reader.number("the number of states")?;
    if n_states == 0 && reader.peek().is_none() {
        return Ok(Builder::new(Atoms::default(), 0).finish());
    }
    // A state takes at least five characters.
    if text.len() < n_states {
        return Err(FormatError::new(span, "there are fewer states than announced"));
    }
    let head = reader.head(n_states)?;
    let mut states = Vec::new();
    for _ in 0..n_states {
        let state = reader.state(&head)?;
        states.push(state);
    }
    if let Some((word, span)) = reader.peek() {
        let message = format!("expected nothing more, found `{word}`");
        return Err(FormatError::new(span, message));
    }
    automaton(&head, reader.atoms, &states)
}

/// What the first line says.
struct Head {
    n_sets: usize,
    on_states: bool,
    on_edges: bool,
}

struct State {
    number: usize,
    span: Span,
    is_initial: bool,
    sets: Vec<(usize, Span)>,
    edges: Vec<Edge>,
}

struct Edge {
    target: usize,
    span: Span,
    sets: Vec<(usize, Span)>,
    label: Label,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    atoms: Atoms,
}

impl<'a> Reader<'a> {
    /// The next word, or text in quotation marks, without stepping over it.
    fn peek(&self) -> Option<(&'a str, Span)> {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        let first = rest.chars().next()?;
        let length = if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c: char| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if "!&|^".contains(first) {
            1
        } else {
            let ends = |c: char| c.is_whitespace() || "!&|^\"".contains(c);
            rest.find(ends).unwrap_or(rest.len())
        };
        Some((&rest[..length], Span::new(start, start + length)))
    }

    fn next(&mut self, what: &str) -> Result<(&'a str, Span), FormatError> {
        let Some((word, span)) = self.peek() else {
            let end = self.text.len();
            let message = format!("expected {what}, found the end of the text");
            return Err(FormatError::new(Span::new(end, end), message));
        };
        self.at = span.end;
        Ok((word, span))
    }

    fn number(&mut self, what: &str) -> Result<(usize, Span), FormatError> {
        let (word, span) = self.next(what)?;
        match word.parse() {
            Ok(number) => Ok((number, span)),
            Err(_) => Err(unexpected(what, word, span)),
        }
    }

    /// A number, or nothing if it is the `-1` that ends a list.
    fn listed(&mut self, what: &str) -> Result<Option<(usize, Span)>, FormatError> {
        if let Some(("-1", span)) = self.peek() {
            self.at = span.end;
            return Ok(None);
        }
        self.number(&format!("{what} or -1")).map(Some)
    }

    fn head(&mut self, n_states: usize) -> Result<Head, FormatError> {
        const WHAT: &str = "the number of acceptance sets";
        let (word, span) = self.next(WHAT)?;
        let digits = word.trim_end_matches(['s', 't']);
        let placement = &word[digits.len()..];
        let n_sets: usize = digits.parse().map_err(|_| unexpected(WHAT, word, span))?;
        // Every set that counts is mentioned.
        if self.text.len() < n_sets && 0 < n_states {
            return Err(FormatError::new(span, "there are fewer acceptance sets than announced"));
        }
        let on_edges = placement.contains('t');
        Ok(Head { n_sets, on_states: !on_edges || placement.contains('s'), on_edges })
    }

    fn sets(&mut self) -> Result<Vec<(usize, Span)>, FormatError> {
        let mut sets = Vec::new();
        while let Some(set) = self.listed("an acceptance set")? {
            sets.push(set);
        }
        Ok(sets)
    }

    fn state(&mut self, head: &Head) -> Result<State, FormatError> {
        let (number, span) = self.number("the number of a state")?;
        let is_initial = match self.next("0 or 1")? {
            ("0", _) => false,
            ("1", _) => true,
            (word, span) => return Err(unexpected("0 or 1", word, span)),
        };
        let sets = if head.on_states { self.sets()? } else { Vec::new() };
        let mut edges = Vec::new();
        while let Some((target, span)) = self.listed("the target of an edge")? {
            let sets = if head.on_edges { self.sets()? } else { Vec::new() };
            let label = self.condition()?;
            edges.push(Edge { target, span, sets, label });
        }
        Ok(State { number, span, is_initial, sets, edges })
    }

    /// A condition in prefix form. Operators wait for their operands; what
    /// comes first in prefix form comes last, but for the order of operands, in
    /// postfix form.
    fn condition(&mut self) -> Result<Label, FormatError> {
        // Operators, and how many operands are there already.
        let mut open: Vec<(&str, Vec<Label>)> = Vec::new();
        loop {
            let (word, span) = self.next("a condition")?;
            let mut value = match word {
                "!" | "&" | "|" | "^" | "i" | "e" => {
                    open.push((word, Vec::new()));
                    continue;
                }
                "t" | "f" => Label::leaf(Proposition::Constant(word == "t")),
                _ => Label::leaf(Proposition::Atom(self.atom(word, span)?)),
            };
            loop {
                let Some((operator, mut operands)) = open.pop() else { return Ok(value) };
                operands.push(value);
                value = match (operator, <[Label; 2]>::try_from(operands)) {
                    (_, Ok([left, right])) => joined(operator, left, right),
                    ("!", Err(mut operands)) => !operands.pop().expect("one was pushed"),
                    (_, Err(operands)) => {
                        open.push((operator, operands));
                        break;
                    }
                };
            }
        }
    }

    fn atom(&mut self, word: &str, span: Span) -> Result<crate::word::AtomId, FormatError> {
        if let Some(quoted) = word.strip_prefix('"') {
            let Some(quoted) = quoted.strip_suffix('"') else {
                return Err(FormatError::new(span, "this atom is never closed"));
            };
            // By the rules for atoms of formulas.
            let escape = |text: &str| escaped_quote(text).or_else(|| read_escape(text));
            return Ok(self.atoms.intern(&unescaped(quoted, escape)));
        }
        let is_name = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !is_name {
            return Err(unexpected("a condition", word, span));
        }
        Ok(self.atoms.intern(word))
    }
}

fn unexpected(what: &str, word: &str, span: Span) -> FormatError {
    FormatError::new(span, format!("expected {what}, found `{word}`"))
}

fn joined(operator: &str, left: Label, right: Label) -> Label {
    match operator {
        "&" => left.and(right),
        "|" => left.or(right),
        "i" => (!left).or(right),
        // Exclusive or, and equivalence.
        _ => {
            let other = if operator == "^" { !right.clone() } else { right.clone() };
            let same = if operator == "^" { right } else { !right };
            left.clone().and(other).or((!left).and(same))
        }
    }
}

/// The automaton. States and acceptance sets have any numbers, so they are
/// numbered anew: sets in the order of their numbers, states as they come.
fn automaton(head: &Head, atoms: Atoms, states: &[State]) -> Result<Nba, FormatError> {
    let edges = || states.iter().flat_map(|state| &state.edges);
    let of_edges = edges().flat_map(|edge| &edge.sets);
    let mut mentioned: Vec<&(usize, Span)> =
        states.iter().flat_map(|state| &state.sets).chain(of_edges).collect();
    mentioned.sort_by_key(|(set, _)| *set);
    mentioned.dedup_by_key(|(set, _)| *set);
    if let Some((_, span)) = mentioned.get(head.n_sets) {
        let message = format!("this is one more than {} acceptance sets", head.n_sets);
        return Err(FormatError::new(*span, message));
    }
    let sets: HashMap<usize, MarkId, FxBuildHasher> =
        mentioned.iter().enumerate().map(|(index, (set, _))| (*set, MarkId::new(index))).collect();
    let mut builder = Builder::new(atoms, head.n_sets);
    let mut numbers: HashMap<usize, StateId, FxBuildHasher> = HashMap::default();
    for state in states {
        let id = builder.add_state();
        if numbers.insert(state.number, id).is_some() {
            let message = format!("state {} is described a second time", state.number);
            return Err(FormatError::new(state.span, message));
        }
        if state.is_initial {
            builder.add_initial(id);
        }
    }
    for state in states {
        for edge in &state.edges {
            let Some(&target) = numbers.get(&edge.target) else {
                let message = format!("there is no state {}", edge.target);
                return Err(FormatError::new(edge.span, message));
            };
            let cubes = guard::cubes(&edge.label)
                .map_err(|error| FormatError::new(edge.span, error.to_string()))?;
            for cube in &cubes {
                let marks = state.sets.iter().chain(&edge.sets).map(|(set, _)| sets[set]);
                builder.add_edge(numbers[&state.number], cube, marks, target);
            }
        }
    }
    Ok(builder.finish())
}
