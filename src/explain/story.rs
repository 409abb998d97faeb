//! The line from a formula down to the part that decides what it is on a word.
//!
//! Of a conjunction that is false it follows the first conjunct that is false, of `G a` it goes to
//! the first position at which `a` is false, and so on. Where two parts that speak of other
//! positions decide together there is a line for each. It is for sentences, so it need not name all
//! that matters; [`Causes`](super::Causes) do.

use super::values::Values;
use crate::id::IdVec;
use crate::ltl::{Formula, Term, TermId};
use std::collections::VecDeque;

/// A subformula that has a value at a position of the whole word, in which a cycle is gone through
/// as often as needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The subformula.
    pub term: TermId,
    /// What it is.
    pub value: bool,
    /// Where.
    pub position: usize,
}

/// For how long the part that decides has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It has it at the position, and that is enough.
    Now,
    /// It has it from there on for ever, or to the end of a word that ends.
    ForEver,
    /// It has it at the position, and another part has had its value from its position up to this
    /// last one.
    Since(Condition, usize),
}

/// The way from a part to one that decides about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strand {
    /// The parts on the way; the last one decides.
    pub line: Vec<Condition>,
    /// Other parts that make a part on the line matter, such as what is on the left of an
    /// implication.
    pub because: Vec<Condition>,
    /// For how long the last part has its value.
    pub ending: Ending,
}

impl Strand {
    /// The part that decides.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the line is never empty")]
    pub fn last(&self) -> Condition {
        *self.line.last().expect("the line begins with a part")
    }
}

/// How the whole formula comes down to parts of it: one strand, or several where parts decide
/// together. The first one begins with the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The strands, in the order of the formula.
    pub strands: Vec<Strand>,
}

/// More parts that decide together are not followed.
const MAX_STRANDS: usize = 3;

impl Story {
    /// The strand that begins with the whole formula.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "there is at least one strand")]
    pub fn main(&self) -> &Strand {
        self.strands.first().expect("the whole formula is followed")
    }

    /// Follows `formula`, which has `value` at the first position.
    pub(super) fn of(formula: &Formula, values: &Values, value: bool) -> Self {
        let root = Condition { term: formula.root(), value, position: 0 };
        let mut teller = Teller {
            formula,
            values,
            is_temporal: temporal(formula),
            open: VecDeque::from([root]),
            now: Strand { line: Vec::new(), because: Vec::new(), ending: Ending::Now },
        };
        let mut strands = Vec::new();
        while let Some(start) = teller.open.pop_front().filter(|_| strands.len() < MAX_STRANDS) {
            strands.push(teller.follow(start));
        }
        Self { strands }
    }
}

/// A part and its value without the negations around it.
pub(super) fn plain(formula: &Formula, mut term: TermId, mut value: bool) -> (TermId, bool) {
    while let Term::Not(a) = formula.terms().term(term) {
        (term, value) = (a, !value);
    }
    (term, value)
}

/// Which subformulas speak of other positions.
fn temporal(formula: &Formula) -> IdVec<TermId, bool> {
    let mut found: IdVec<TermId, bool> = IdVec::new();
    for id in formula.terms().ids() {
        let term = formula.terms().term(id);
        found.push(term.is_temporal() || term.children().any(|child| found[child]));
    }
    found
}

struct Teller<'a> {
    formula: &'a Formula,
    values: &'a Values,
    is_temporal: IdVec<TermId, bool>,
    /// Where strands begin that have not been followed.
    open: VecDeque<Condition>,
    /// What is followed.
    now: Strand,
}

impl Teller<'_> {
    fn follow(&mut self, start: Condition) -> Strand {
        self.now = Strand { line: vec![start], because: Vec::new(), ending: Ending::Now };
        while self.now.ending == Ending::Now
            && let Some(next) = self.step(self.now.last())
        {
            self.now.line.push(next);
        }
        self.now.clone()
    }

    /// The part that `now` comes down to; nothing if it is no other, or if the word does not show
    /// it.
    fn step(&mut self, now: Condition) -> Option<Condition> {
        let Condition { term, value, position } = now;
        let part = |term, value| Some(Condition { term, value, position });
        match self.formula.terms().term(term) {
            Term::True | Term::False | Term::Atom(_) => None,
            Term::Not(a) => part(a, !value),
            Term::And(a, b) if value => self.both((a, true), (b, true), position),
            Term::Or(a, b) if !value => self.both((a, false), (b, false), position),
            Term::Xor(a, b) | Term::Iff(a, b) => {
                let place = self.values.distinct(position)?;
                let [left, right] = [a, b].map(|side| self.values.at(side, place));
                self.both((a, left?), (b, right?), position)
            }
            Term::Implies(a, b) if !value => {
                self.because(a, true, position);
                part(b, false)
            }
            Term::And(a, b) => self.one((a, false), (b, false), position),
            Term::Or(a, b) => self.one((a, true), (b, true), position),
            Term::Implies(a, b) => self.one((a, false), (b, true), position),
            Term::Next(a) => {
                let position = position + 1;
                self.values.distinct(position)?;
                Some(Condition { term: a, value, position })
            }
            _ => self.far(now),
        }
    }

    fn because(&mut self, term: TermId, value: bool, position: usize) {
        let (term, value) = plain(self.formula, term, value);
        self.now.because.push(Condition { term, value, position });
    }

    /// What a temporal operator but `X` comes down to.
    fn far(&mut self, now: Condition) -> Option<Condition> {
        let Condition { term, value, position } = now;
        match (self.formula.terms().term(term), value) {
            (Term::Finally(a), true) | (Term::Globally(a), false) => self.at(a, value, position),
            (Term::Finally(a), false) | (Term::Globally(a), true) => {
                Some(self.ever(a, value, position))
            }
            (Term::Until(a, b), true) => self.since(b, true, (a, true), now, false),
            (Term::WeakUntil(a, b), true) => self
                .since(b, true, (a, true), now, false)
                .or_else(|| Some(self.ever(a, true, position))),
            (Term::Until(a, b) | Term::WeakUntil(a, b), false) => self
                .since(a, false, (b, false), now, true)
                .or_else(|| Some(self.ever(b, false, position))),
            (Term::Release(a, b), true) => self
                .since(a, true, (b, true), now, true)
                .or_else(|| Some(self.ever(b, true, position))),
            (Term::StrongRelease(a, b), true) => self.since(a, true, (b, true), now, true),
            (Term::Release(a, b), false) => self.since(b, false, (a, false), now, false),
            (Term::StrongRelease(a, b), false) => {
                let failure = self.at(b, false, position);
                let end = self.at(a, true, position);
                let is_ended =
                    failure.zip(end).is_some_and(|(failure, end)| end.position < failure.position);
                match failure.filter(|_| !is_ended) {
                    Some(_) => self.since(b, false, (a, false), now, false),
                    None => Some(self.ever(a, false, position)),
                }
            }
            _ => None,
        }
    }

    /// The first position at which `term` has a value, before which the other part has always had
    /// its own; at the position as well, if `is_closed`.
    fn since(
        &mut self,
        term: TermId,
        value: bool,
        (other, its): (TermId, bool),
        now: Condition,
        is_closed: bool,
    ) -> Option<Condition> {
        let found = self.at(term, value, now.position)?;
        let behind = found.position + usize::from(is_closed);
        if now.position < behind {
            let (other, its) = plain(self.formula, other, its);
            let other = Condition { term: other, value: its, position: now.position };
            self.now.ending = Ending::Since(other, behind - 1);
        }
        Some(found)
    }

    /// Two parts that decide together: one of them is followed if the other only says when, and
    /// both if both speak of other positions.
    fn both(
        &mut self,
        left: (TermId, bool),
        right: (TermId, bool),
        position: usize,
    ) -> Option<Condition> {
        let of = |(term, value)| Condition { term, value, position };
        let (said, followed) = match (self.is_temporal[left.0], self.is_temporal[right.0]) {
            (false, true) => (left, right),
            (true, false) => (right, left),
            (true, true) => {
                self.open.push_back(of(right));
                return Some(of(left));
            }
            (false, false) => return None,
        };
        self.because(said.0, said.1, position);
        Some(of(followed))
    }

    /// The first of two parts that has the value by which it decides.
    fn one(
        &self,
        left: (TermId, bool),
        right: (TermId, bool),
        position: usize,
    ) -> Option<Condition> {
        let place = self.values.distinct(position)?;
        let mut parts = [left, right].into_iter();
        let found = parts.find(|&(term, value)| self.values.at(term, place) == Some(value));
        found.map(|(term, value)| Condition { term, value, position })
    }

    /// The first position from `position` on at which `term` has a value.
    fn at(&self, term: TermId, value: bool, position: usize) -> Option<Condition> {
        let positions = position..position + self.values.n_positions();
        let mut places = positions.map_while(|at| Some((at, self.values.distinct(at)?)));
        let found = places.find(|&(_, place)| self.values.at(term, place) == Some(value));
        found.map(|(position, _)| Condition { term, value, position })
    }

    /// That `term` has a value from `position` on. Where it says that another part has it again and
    /// again, and that part keeps it in the end, it comes down to that; so it does to a part that
    /// has its value wherever this one has.
    fn ever(&mut self, term: TermId, value: bool, position: usize) -> Condition {
        self.now.ending = Ending::ForEver;
        let mut now = Condition { term, value, position };
        loop {
            let next = match (self.formula.terms().term(now.term), now.value) {
                (Term::Not(a), value) => Some(Condition { term: a, value: !value, ..now }),
                (Term::Globally(a), true) | (Term::Finally(a), false) => {
                    Some(Condition { term: a, ..now })
                }
                (Term::Globally(a), false) | (Term::Finally(a), true) => {
                    let from = self.settles(a, now.value, now.position);
                    from.map(|position| Condition { term: a, position, ..now })
                }
                _ => None,
            };
            let Some(next) = next else { return now };
            self.now.line.push(now);
            now = next;
        }
    }

    /// From where on, behind `position`, `term` has a value for ever, if it ever does.
    fn settles(&self, term: TermId, value: bool, position: usize) -> Option<usize> {
        // What comes behind so many positions is the whole cycle.
        let cycle = position + self.values.n_positions();
        let is_other = |&at: &usize| {
            let place = self.values.distinct(at);
            place.is_none_or(|place| self.values.at(term, place) != Some(value))
        };
        let last_other = (position..cycle + self.values.n_positions()).rev().find(is_other);
        match last_other {
            None => Some(position),
            Some(last) => (last < cycle).then_some(last + 1),
        }
    }
}
