//! The one line from a formula down to the part that decides what it is on a word.
//!
//! Of a conjunction that is false it follows the first conjunct that is false, of `G a` it goes to
//! the first position at which `a` is false, and so on, as long as there is one part to follow. It
//! is for sentences, so it need not name all that matters; [`Causes`](super::Causes) do.

use super::values::Values;
use crate::id::IdVec;
use crate::ltl::{Formula, Term, TermId};

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
    /// It has it from there on for ever.
    ForEver,
    /// It has it at the position, and until then this other part has not become true.
    Before(TermId),
}

/// How the whole formula comes down to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// From the whole formula to the part that decides, which is the last one.
    pub line: Vec<Condition>,
    /// Other parts that make the part on the line matter, such as what is on the left of an
    /// implication.
    pub because: Vec<Condition>,
    /// For how long the last part has its value.
    pub ending: Ending,
}

impl Story {
    /// The part that decides.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the line is never empty")]
    pub fn last(&self) -> Condition {
        *self.line.last().expect("the line begins with the formula")
    }

    /// Follows `formula`, which has `value` at the first position.
    pub(super) fn of(formula: &Formula, values: &Values, value: bool) -> Self {
        let root = Condition { term: formula.root(), value, position: 0 };
        let mut teller = Teller {
            formula,
            values,
            is_temporal: temporal(formula),
            story: Self { line: vec![root], because: Vec::new(), ending: Ending::Now },
        };
        while let Some(next) = teller.step(teller.story.last()) {
            teller.story.line.push(next);
            if teller.story.ending != Ending::Now {
                break;
            }
        }
        teller.story
    }
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
    story: Story,
}

impl Teller<'_> {
    /// The part that `now` comes down to; nothing if it is no other, or if the word does not show
    /// it.
    fn step(&mut self, now: Condition) -> Option<Condition> {
        let Condition { term, value, position } = now;
        let part = |term, value| Some(Condition { term, value, position });
        match self.formula.terms().term(term) {
            Term::True | Term::False | Term::Atom(_) | Term::Xor(..) | Term::Iff(..) => None,
            Term::Not(a) => part(a, !value),
            Term::And(a, b) if value => self.both((a, true), (b, true), position),
            Term::Or(a, b) if !value => self.both((a, false), (b, false), position),
            Term::Implies(a, b) if !value => {
                self.story.because.push(Condition { term: a, value: true, position });
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

    /// What a temporal operator but `X` comes down to.
    fn far(&mut self, now: Condition) -> Option<Condition> {
        let Condition { term, value, position } = now;
        match (self.formula.terms().term(term), value) {
            (Term::Finally(a), true) | (Term::Globally(a), false) => self.at(a, value, position),
            (Term::Finally(a), false) | (Term::Globally(a), true) => {
                Some(self.ever(a, value, position))
            }
            (Term::Until(_, b), true) => self.at(b, true, position),
            (Term::WeakUntil(a, b), true) => {
                self.at(b, true, position).or_else(|| Some(self.ever(a, true, position)))
            }
            (Term::Until(a, b) | Term::WeakUntil(a, b), false) => {
                let found = self.at(a, false, position);
                self.story.ending = if found.is_some() { Ending::Before(b) } else { Ending::Now };
                found.or_else(|| Some(self.ever(b, false, position)))
            }
            (Term::Release(a, b), true) => {
                self.at(a, true, position).or_else(|| Some(self.ever(b, true, position)))
            }
            (Term::StrongRelease(a, _), true) => self.at(a, true, position),
            (Term::Release(_, b), _) => self.at(b, false, position),
            (Term::StrongRelease(a, b), _) => {
                let failure = self.at(b, false, position);
                let end = self.at(a, true, position);
                let is_ended =
                    failure.zip(end).is_some_and(|(failure, end)| end.position < failure.position);
                failure.filter(|_| !is_ended).or_else(|| Some(self.ever(a, false, position)))
            }
            _ => None,
        }
    }

    /// Two parts that decide together: one of them is followed if the other only says when.
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
            _ => return None,
        };
        self.story.because.push(of(said));
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
    /// again, and that part keeps it in the end, it comes down to that.
    fn ever(&mut self, term: TermId, value: bool, position: usize) -> Condition {
        self.story.ending = Ending::ForEver;
        let whole = Condition { term, value, position };
        let again = match (self.formula.terms().term(term), value) {
            (Term::Globally(a), false) | (Term::Finally(a), true) => Some(a),
            _ => None,
        };
        let kept = again.and_then(|part| Some((part, self.settles(part, value, position)?)));
        let Some((term, position)) = kept else { return whole };
        self.story.line.push(whole);
        Condition { term, value, position }
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
