//! Why a property is what it is on a run, in words: one sentence, and the reasons in full.
//!
//! What decides is found by [`explain`](crate::explain); here it gets the names of the model: who
//! has moved, and what the parts of the formula are called.

use super::sentence::{Sentence, code, cut};
use crate::explain::{Condition, Ending, Explanation, Fact, Facts, Since, Strand};
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

/// A part of a formula as sentences have it.
#[must_use]
pub fn part(formula: &Formula, term: TermId) -> String {
    match formula.terms().term(term) {
        Term::Atom(atom) => code(formula.atoms().name(atom)),
        _ => match bounded(&formula.subformula(term), Dialect::Lwaa, MAX_PART) {
            Some(text) => code(&text),
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
    pub fn sentence(&self, mover: &dyn Fn(usize) -> Option<String>) -> Sentence {
        let Explanation { values, story, .. } = self.explanation;
        let Facts { position: at, now, main, also, although } =
            Facts::of(self.formula, values, story);
        let lead = self.lead(&main, at, !now.is_empty(), mover);
        let is_from = lead.starts_with("From ");
        let now: Vec<String> = now.iter().map(|&one| self.fact(&Fact::At(one), at)).collect();
        let but =
            if now.is_empty() { String::new() } else { format!("{}, but ", now.join(" and ")) };
        let main = match &main {
            Fact::Ever(one, Since::Change) if is_from => self.is(*one),
            Fact::Ever(one, Since::Before) if is_from => self.always(*one),
            main => self.fact(main, at),
        };
        let also: Vec<String> =
            [main].into_iter().chain(also.iter().map(|fact| self.fact(fact, at))).collect();
        let also = also.join(", and ");
        let although: Vec<String> =
            although.iter().map(|&one| self.fact(&Fact::At(one), at)).collect();
        let although = match &*although {
            [] => String::new(),
            list => format!(", although {}", list.join(" and ")),
        };
        Sentence::from(format!("{lead}{but}{also}{although}."))
    }

    /// When the main clause of a sentence begins to be the case.
    fn lead(
        &self,
        main: &Fact,
        at: usize,
        has_more: bool,
        mover: &dyn Fn(usize) -> Option<String>,
    ) -> String {
        let is_about_all = matches!(main, Fact::Again(..) | Fact::Ever(_, Since::Beginning));
        match (mover(at), at, main) {
            _ if is_about_all && !has_more => String::new(),
            (Some(mover), ..) => format!("After {} (step {at}{}), ", cut(&mover), self.again(at)),
            (None, 0, _) => format!("In the first {}, ", self.noun),
            (None, _, Fact::Ever(..)) if !has_more => format!("From {} on, ", self.place(at)),
            (None, ..) => format!("In {}, ", self.place(at)),
        }
    }

    /// A position of the whole word: `state 7`, and which one it is where a cycle is repeated.
    fn place(&self, position: usize) -> String {
        format!("{} {position}{}", self.noun, self.again(position))
    }

    fn again(&self, position: usize) -> String {
        match self.explanation.values.distinct(position) {
            Some(place) if place != position => format!(", {} {place} again", self.noun),
            _ => String::new(),
        }
    }

    fn is(&self, Condition { term, value, .. }: Condition) -> String {
        format!("{} is {value}", self.part(term))
    }

    fn always(&self, Condition { term, value, .. }: Condition) -> String {
        let always = if value { "always" } else { "never" };
        format!("{} is {always} true", self.part(term))
    }

    /// A claim in a sentence about a position.
    fn fact(&self, fact: &Fact, at: usize) -> String {
        match *fact {
            Fact::At(one) if one.position == at => self.is(one),
            Fact::At(one) => format!("{} in {}", self.is(one), self.place(one.position)),
            Fact::Span(one, to) if one.position == to => self.fact(&Fact::At(one), at),
            Fact::Span(Condition { term, value, position }, to) if to == at => {
                format!("{} has been {value} since {}", self.part(term), self.place(position))
            }
            Fact::Span(Condition { term, value, position }, to) => {
                let (part, to) = (self.part(term), self.place(to));
                format!("{part} is {value} from {} to {to}", self.place(position))
            }
            Fact::Ever(one, Since::Beginning) => self.always(one),
            Fact::Ever(one, Since::Change) if one.position == at => {
                format!("{} and stays {}", self.is(one), one.value)
            }
            Fact::Ever(one, Since::Before) if one.position == at => {
                format!("{} from then on", self.always(one))
            }
            Fact::Ever(one, _) => {
                format!("{} from {} on", self.always(one), self.place(one.position))
            }
            Fact::Again(term, value) => format!("{} is {value} again and again", self.part(term)),
        }
    }

    /// Writes how the formula comes down to the parts that decide, a line for each part on the way,
    /// and then the values that cause it.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "why:")?;
        let mut written = Vec::new();
        for strand in &self.explanation.story.strands {
            for line in self.lines(strand) {
                // The same part may come again, from another operator.
                if !written.contains(&line) {
                    writeln!(out, "{}", Sentence::from(line.as_str()))?;
                    written.push(line);
                }
            }
        }
        writeln!(out, "values that cause it:")?;
        for id in self.formula.terms().ids() {
            let Term::Atom(_) = self.formula.terms().term(id) else { continue };
            for value in [true, false] {
                let positions = self.deciding(id, value);
                if !positions.is_empty() {
                    let nouns = if positions.len() == 1 { "" } else { "s" };
                    let (name, list) = (self.part(id), ranges(&positions));
                    let line = format!("  {name} is {value} in {}{nouns} {list}", self.noun);
                    writeln!(out, "{}", Sentence::from(line))?;
                }
            }
        }
        Ok(())
    }

    /// A line for each part on a way, and below it what makes it matter.
    fn lines(&self, strand: &Strand) -> Vec<String> {
        let is_infinite = {
            let values = &self.explanation.values;
            values.next(values.n_positions() - 1).is_some()
        };
        let mut lines = Vec::new();
        for (number, &one) in strand.line.iter().enumerate() {
            let next = strand.line.get(number + 1);
            let place = self.place(one.position);
            let place = match (next, strand.ending) {
                (None, Ending::ForEver) if is_infinite => format!("from {place} on for ever"),
                (None, Ending::ForEver) => format!("from {place} to the end"),
                _ => format!("in {place}"),
            };
            lines.push(format!("  {} {place}", self.is(one)));
            let here = |because: &&Condition| {
                let is_operand =
                    next.is_some_and(|next| self.is_operand(one.term, because.term, next.term));
                is_operand && because.position == one.position
            };
            let because = strand.because.iter().filter(here);
            lines.extend(because.map(|&because| format!("    there {}", self.is(because))));
        }
        if let Ending::Since(other, to) = strand.ending {
            lines.push(format!(
                "    and {}",
                self.fact(&Fact::Span(other, to), strand.last().position)
            ));
        }
        lines
    }

    /// Whether two parts are the operands of a third one; negations around them do not matter.
    fn is_operand(&self, of: TermId, one: TermId, other: TermId) -> bool {
        let terms = self.formula.terms();
        let inner = |mut term: TermId| {
            while let Term::Not(a) = terms.term(term) {
                term = a;
            }
            term
        };
        let children: Vec<TermId> = terms.term(of).children().map(inner).collect();
        children.contains(&inner(one)) && children.contains(&inner(other))
    }

    /// The positions at which an atom has a value that decides.
    fn deciding(&self, term: TermId, value: bool) -> Vec<usize> {
        let Explanation { values, causes, .. } = self.explanation;
        let decides = |&at: &usize| causes.has(term, at) && values.at(term, at) == Some(value);
        (0..values.n_positions()).filter(decides).collect()
    }
}

/// Positions in few words: `0-3, 7`.
#[must_use]
pub fn ranges(positions: &[usize]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Word;
    use crate::word::{Lasso, Letter};

    /// Checks the sentence about a formula on a word of letters that are named by letters; each
    /// state is entered by a step of `P`, if there are steps.
    #[track_caller]
    fn check(text: &str, prefix: &str, cycle: &str, has_steps: bool, expected: &str) {
        let formula = &Formula::parse(text).unwrap();
        let letters = |text: &str| -> Vec<Letter> {
            let letter = |names: &str| {
                names.chars().filter_map(|name| formula.atoms().find(&name.to_string())).collect()
            };
            text.split_whitespace().map(letter).collect()
        };
        let word = Lasso::new(letters(prefix), letters(cycle)).unwrap();
        let explanation = &Explanation::of(formula, &Word::Lasso(&word)).unwrap();
        let explained = Explained { formula, explanation, noun: "state" };
        let mover = |at| (has_steps && 0 < at).then(|| "P: go".to_owned());
        assert_eq!(explained.sentence(&mover).to_string(), expected, "{text}");
    }

    #[test]
    fn sentences_say_when() {
        // The request is there in the first state only.
        check(
            "G (r -> F g)",
            "r",
            "-",
            true,
            "In the first state, `r` is true, but `g` is never true.",
        );
        check(
            "G (r -> F g)",
            "g r",
            "-",
            true,
            "After P: go (step 1), `r` is true, but `g` is false and stays false.",
        );
        check(
            "G (r -> F g)",
            "g - r",
            "-",
            false,
            "In state 2, `r` is true, but `g` is never true from then on.",
        );
        check(
            "G (r -> F g)",
            "- r",
            "-",
            true,
            "After P: go (step 1), `r` is true, but `g` is never true.",
        );
        check("F G p", "p", "-", true, "After P: go (step 1), `p` is false and stays false.");
        check("F G p", "p", "-", false, "From state 1 on, `p` is false.");
        check("F G p", "", "p -", true, "`p` is false again and again.");
        check(
            "G (r -> X g)",
            "-",
            "- r",
            true,
            "After P: go (step 3, state 1 again), `g` is false, although `r` is true in state 2.",
        );
        check("F !p", "p", "p", true, "`p` is always true.");
        check("G (p -> F !p)", "-", "p", true, "After P: go (step 1), `p` is true and stays true.");
    }

    #[test]
    fn sentences_name_both_sides() {
        check(
            "!(F a & G b)",
            "b ab",
            "b",
            true,
            "After P: go (step 1), `a` is true, and `b` is always true.",
        );
        check(
            "(F a) <-> (G b)",
            "b ab",
            "-",
            true,
            "After P: go (step 1), `a` is true, and `b` is false in state 2.",
        );
        check(
            "a R b",
            "b b",
            "-",
            false,
            "In state 2, `b` is false, and `a` is false from state 0 to state 1.",
        );
        check(
            "a U b",
            "a a",
            "-",
            false,
            "In state 2, `a` is false, and `b` has been false since state 0.",
        );
    }

    #[test]
    fn reasons_have_no_line_twice() {
        let formula = &Formula::parse("G (G F p & F G F p)").unwrap();
        let word = Lasso::new(vec![], vec![Letter::default()]).unwrap();
        let explanation = &Explanation::of(formula, &Word::Lasso(&word)).unwrap();
        let mut text = Vec::new();
        Explained { formula, explanation, noun: "state" }.write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: std::collections::BTreeSet<&str> = text.lines().collect();
        assert_eq!(lines.len(), text.lines().count(), "{text}");
    }
}
