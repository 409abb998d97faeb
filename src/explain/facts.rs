//! What a sentence claims about a formula on a word, each claim with the positions it is about.
//!
//! Words are made of these claims alone, so whether a sentence is true can be tested without
//! reading it.

use super::story::{Condition, Ending, Strand, plain};
use super::{Story, Values};
use crate::ltl::{Formula, Term, TermId};

/// Since when a part has had a value that it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// From the beginning.
    Beginning,
    /// It has the other value at the position before.
    Change,
    /// It has had it before, but not from the beginning.
    Before,
}

/// A claim about a part of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// It has a value at a position.
    At(Condition),
    /// It has a value from its position up to this last one.
    Span(Condition, usize),
    /// It has a value from its position on, for ever or to the end of the word.
    Ever(Condition, Since),
    /// It has a value again and again, for ever.
    Again(TermId, bool),
}

/// The claims of one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The position that the sentence is about.
    pub position: usize,
    /// Parts that matter at that position.
    pub now: Vec<Condition>,
    /// What decides.
    pub main: Fact,
    /// What has been the case until then, and what decides besides.
    pub also: Vec<Fact>,
    /// Parts that matter at earlier positions.
    pub although: Vec<Condition>,
}

impl Facts {
    /// What a story claims.
    #[must_use]
    pub fn of(formula: &Formula, values: &Values, story: &Story) -> Self {
        let main = story.main();
        let (mut now, although): (Vec<Condition>, Vec<Condition>) =
            main.because.iter().partition(|one| one.position == main.last().position);
        // What decides need not be said twice.
        now.retain(|one| (one.term, one.value) != (main.last().term, main.last().value));
        let of_strand = |strand: &Strand| {
            let since = match strand.ending {
                Ending::Since(other, to) => Some(Fact::Span(other, to)),
                Ending::Now | Ending::ForEver => None,
            };
            (fact(formula, values, strand), since)
        };
        let (first, since) = of_strand(main);
        let mut also: Vec<Fact> = since.into_iter().collect();
        for strand in &story.strands[1..] {
            let (fact, since) = of_strand(strand);
            also.extend([fact].into_iter().chain(since));
        }
        also.retain(|one| *one != first);
        Self { position: main.last().position, now, main: first, also, although }
    }
}

/// What is claimed of the part that decides.
fn fact(formula: &Formula, values: &Values, strand: &Strand) -> Fact {
    let last = strand.last();
    let (term, value) = plain(formula, last.term, last.value);
    let last = Condition { term, value, ..last };
    if strand.ending != Ending::ForEver {
        return Fact::At(last);
    }
    match (formula.terms().term(term), value) {
        (Term::Globally(a), false) | (Term::Finally(a), true) => {
            let (term, value) = plain(formula, a, value);
            match values.next(values.n_positions() - 1) {
                Some(_) => Fact::Again(term, value),
                // Of a word that ends, the end decides.
                None => Fact::At(Condition { term, value, position: values.n_positions() - 1 }),
            }
        }
        _ => Fact::Ever(last, since(values, last)),
    }
}

fn since(values: &Values, last: Condition) -> Since {
    let is = |position| {
        let place = values.distinct(position);
        place.and_then(|place| values.at(last.term, place)) == Some(last.value)
    };
    // A round of the cycle says everything about all others.
    let n_positions = last.position.min(values.n_positions());
    match last.position.checked_sub(1) {
        None => Since::Beginning,
        Some(_) if (0..n_positions).all(is) => Since::Beginning,
        Some(before) if is(before) => Since::Before,
        Some(_) => Since::Change,
    }
}
