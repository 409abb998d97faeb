//! Why a property is what it is on a run, in words: one sentence, and the reasons in full.
//!
//! What decides is found by [`explain`](crate::explain); here it gets the names of the model: who
//! has moved, and what the parts of the formula are called.

use crate::explain::{Condition, Ending, Explanation};
use crate::ltl::print::{Dialect, bounded};
use crate::ltl::{Formula, Term, TermId};
use std::io::{Result, Write};

/// How many bytes a part of a formula has in a sentence.
const MAX_PART: usize = 200;
/// How many positions, or rows of positions, of a value are listed.
const MAX_RANGES: usize = 8;

/// A formula with what there is to say about it on a run.
#[derive(Clone, Debug)]
pub struct Explained<'a> {
    /// The formula.
    pub formula: &'a Formula,
    /// What decides about it.
    pub explanation: &'a Explanation,
    /// What states are called: `state`, or `letter` where there is no model.
    pub noun: &'static str,
}

/// A part of a formula as sentences have it, in backquotes.
#[must_use]
pub fn part(formula: &Formula, term: TermId) -> String {
    match formula.terms().term(term) {
        Term::Atom(atom) => format!("`{}`", formula.atoms().name(atom)),
        _ => match bounded(&formula.subformula(term), Dialect::Lwaa, MAX_PART) {
            Some(text) => format!("`{text}`"),
            None => "a long part of the formula".to_owned(),
        },
    }
}

impl Explained<'_> {
    /// A formula as a name, unless it is long.
    #[must_use]
    pub fn text(formula: &Formula) -> Option<String> {
        bounded(formula, Dialect::Lwaa, MAX_PART)
    }

    fn part(&self, term: TermId) -> String {
        part(self.formula, term)
    }

    /// What the formula comes down to, in one sentence. `mover` says who has moved into a state,
    /// and what was done.
    #[must_use]
    pub fn sentence(&self, mover: &dyn Fn(usize) -> Option<String>) -> String {
        let story = &self.explanation.story;
        let last = story.last();
        let at = last.position;
        let clause = self.clause(last, story.ending);
        let (now, before): (Vec<Condition>, Vec<Condition>) =
            story.because.iter().partition(|one| one.position == at);
        let is = |one: &Condition| format!("{} is {}", self.part(one.term), one.value);
        let now = now.iter().map(is).collect::<Vec<_>>().join(" and ");
        let but = if now.is_empty() { String::new() } else { format!("{now}, but ") };
        let noun = self.noun;
        let although = before.iter().map(|one| format!("{} in {noun} {}", is(one), one.position));
        let although = although.collect::<Vec<_>>().join(" and ");
        let although =
            if although.is_empty() { although } else { format!(", although {although}") };
        let is_whole = now.is_empty() && at == 0 && story.ending == Ending::ForEver;
        let lead = match (mover(at), at, story.ending) {
            _ if is_whole => String::new(),
            (Some(mover), ..) => format!("After {mover} (step {at}), "),
            (None, _, Ending::ForEver) => format!("From {noun} {at} on, "),
            (None, 0, _) => format!("In the first {noun}, "),
            (None, ..) => format!("In {noun} {at}, "),
        };
        format!("{lead}{but}{clause}{although}.")
    }

    /// What is said of the part that decides.
    fn clause(&self, last: Condition, ending: Ending) -> String {
        let Condition { term, value, position } = last;
        let is = format!("{} is {value}", self.part(term));
        match (ending, self.formula.terms().term(term), value) {
            (Ending::Now, ..) => is,
            (Ending::Before(other), ..) => {
                format!("{is}, and {} has not become true before", self.part(other))
            }
            (Ending::ForEver, Term::Globally(a), false) => {
                format!("{} is false again and again", self.part(a))
            }
            (Ending::ForEver, Term::Finally(a), true) => {
                format!("{} is true again and again", self.part(a))
            }
            (Ending::ForEver, _, false) if position == 0 => {
                format!("{} is never true", self.part(term))
            }
            (Ending::ForEver, ..) if position == 0 => format!("{} is always true", self.part(term)),
            (Ending::ForEver, ..) => format!("{is} and stays {value}"),
        }
    }

    /// Writes how the formula comes down to the part that decides, a line for each part on the way,
    /// and then the values that cause it.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let story = &self.explanation.story;
        let noun = self.noun;
        writeln!(out, "why:")?;
        for (number, one) in story.line.iter().enumerate() {
            let text = self.part(one.term);
            let is_last = number + 1 == story.line.len();
            let from = if is_last && story.ending == Ending::ForEver { " on for ever" } else { "" };
            let preposition = if from.is_empty() { "in" } else { "from" };
            let place = format!("{preposition} {noun} {}{from}", one.position);
            writeln!(out, "  {text} is {} {place}", one.value)?;
            let here = |because: &&Condition| {
                let next = story.line.get(number + 1);
                next.is_some_and(|next| self.is_operand(one.term, because.term, next.term))
                    && because.position == one.position
            };
            for because in story.because.iter().filter(here) {
                let text = self.part(because.term);
                writeln!(out, "    there {text} is {}", because.value)?;
            }
        }
        writeln!(out, "values that cause it:")?;
        for id in self.formula.terms().ids() {
            let Term::Atom(atom) = self.formula.terms().term(id) else { continue };
            for value in [true, false] {
                let positions = self.deciding(id, value);
                if !positions.is_empty() {
                    let name = self.formula.atoms().name(atom);
                    let nouns = if positions.len() == 1 { "" } else { "s" };
                    let list = ranges(&positions);
                    writeln!(out, "  `{name}` is {value} in {noun}{nouns} {list}")?;
                }
            }
        }
        Ok(())
    }

    fn is_operand(&self, of: TermId, one: TermId, other: TermId) -> bool {
        let children: Vec<TermId> = self.formula.terms().term(of).children().collect();
        children.contains(&one) && children.contains(&other)
    }

    /// The positions at which an atom has a value that decides.
    fn deciding(&self, term: TermId, value: bool) -> Vec<usize> {
        let Explanation { values, causes, .. } = self.explanation;
        let decides = |&at: &usize| causes.has(term, at) && values.at(term, at) == Some(value);
        (0..values.n_positions()).filter(decides).collect()
    }
}

/// Positions in few words: `0-3, 7`.
fn ranges(positions: &[usize]) -> String {
    let rows: Vec<&[usize]> = positions.chunk_by(|one, next| one + 1 == *next).collect();
    let text = |row: &&[usize]| match row {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    let mut list: Vec<String> = rows.iter().take(MAX_RANGES).map(text).collect();
    if let Some(more @ 1..) = rows.len().checked_sub(MAX_RANGES) {
        list.push(format!("{more} more"));
    }
    list.join(", ")
}
