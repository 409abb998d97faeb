//! Where a word violates a formula: the first letter behind which no continuation matters.
//!
//! A finite word is a *bad prefix* if progression of the formula over its letters reaches
//! `false`: whatever comes next, the formula is violated. Progression leaves obligations for
//! the rest of the word, and these are `false` only if they stay so when every obligation
//! behind the last letter is taken to be met. So we need no formulas that change on the way:
//! we evaluate the formula on the finite word and take everything behind its end for true, a
//! subformula and its negation alike. This is the weak view of truncated words, by Eisner,
//! Fisman, Havlicek, Lustig, McIsaac and Van Campenhout (CAV 2003).
//!
//! It is decided by the text of the formula: `G p & F !p` has no model, but no finite word is
//! bad, since neither `G p` nor `F !p` fails by itself while `p` holds.

use crate::id::IdVec;
use crate::ltl::{Formula, Term, TermId};
use crate::word::Letter;

/// Where a bad prefix ends, and which part of the formula fails there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The number of the last letter of the shortest bad prefix.
    pub position: usize,
    /// The subformula that fails, and the position at which it was to hold: conjunctions,
    /// `G` and `X` are taken apart, alternatives are not.
    pub part: TermId,
    /// Whether `part` was to be false.
    pub is_negated: bool,
    /// The position from which on `part` was to hold.
    pub since: usize,
}

/// The shortest bad prefix of `word`, whose letters are over the formula's own atoms; nothing
/// if there is none.
///
/// ```
/// use lwaa::ltl::{Formula, semantics::truncated::failure};
/// use lwaa::word::Letter;
///
/// let formula = Formula::parse("G (p -> X q)")?;
/// let p = formula.atoms().find("p").expect("p is an atom of the formula");
/// let word = [Letter::new(), Letter::from_iter([p]), Letter::new(), Letter::new()];
/// assert_eq!(failure(&formula, &word).map(|failure| failure.position), Some(2));
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn failure(formula: &Formula, word: &[Letter]) -> Option<Failure> {
    if !is_bad(formula, word) {
        return None;
    }
    // What continues a bad prefix is one, so the shortest is found by bisection.
    let (mut good, mut bad) = (0, word.len());
    while good + 1 < bad {
        let middle = usize::midpoint(good, bad);
        if is_bad(formula, &word[..middle]) { bad = middle } else { good = middle }
    }
    let position = bad - 1;
    let rows = evaluate(formula, &word[..bad]);
    let (part, is_negated, since) = blame(formula, &rows);
    Some(Failure { position, part, is_negated, since })
}

/// Whether `formula` is violated by all infinite words that begin with `word`, as far as
/// progression can tell.
#[must_use]
pub fn is_bad(formula: &Formula, word: &[Letter]) -> bool {
    let mut later: IdVec<TermId, View> = IdVec::filled(View::OPEN, formula.terms().len());
    for letter in word.iter().rev() {
        later = step(formula, letter, &later);
    }
    !later[formula.root()].may_hold
}

/// What is left open about a subformula at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct View {
    /// It is not known to be false.
    may_hold: bool,
    /// It is not known to be true.
    may_fail: bool,
}

impl View {
    /// Behind the end nothing is known.
    const OPEN: Self = Self { may_hold: true, may_fail: true };

    fn known(value: bool) -> Self {
        Self { may_hold: value, may_fail: !value }
    }

    fn not(self) -> Self {
        Self { may_hold: self.may_fail, may_fail: self.may_hold }
    }

    fn and(self, other: Self) -> Self {
        Self {
            may_hold: self.may_hold && other.may_hold,
            may_fail: self.may_fail || other.may_fail,
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    fn iff(self, other: Self) -> Self {
        self.and(other).or(self.not().and(other.not()))
    }
}

/// The views of all subformulas at a position, if they are `later` at the next one.
fn step(formula: &Formula, letter: &Letter, later: &IdVec<TermId, View>) -> IdVec<TermId, View> {
    let mut now: IdVec<TermId, View> = IdVec::new();
    for id in formula.terms().ids() {
        let next = later[id];
        let view = match formula.terms().term(id) {
            Term::True => View::known(true),
            Term::False => View::known(false),
            Term::Atom(atom) => View::known(letter.contains(atom)),
            Term::Not(a) => now[a].not(),
            Term::And(a, b) => now[a].and(now[b]),
            Term::Or(a, b) => now[a].or(now[b]),
            Term::Xor(a, b) => now[a].iff(now[b]).not(),
            Term::Implies(a, b) => now[a].not().or(now[b]),
            Term::Iff(a, b) => now[a].iff(now[b]),
            Term::Next(a) => later[a],
            Term::Finally(a) => now[a].or(next),
            Term::Globally(a) => now[a].and(next),
            Term::Until(a, b) | Term::WeakUntil(a, b) => now[b].or(now[a].and(next)),
            Term::Release(a, b) | Term::StrongRelease(a, b) => now[b].and(now[a].or(next)),
        };
        now.push(view);
    }
    now
}

/// The views at all positions, and behind the last one.
fn evaluate(formula: &Formula, word: &[Letter]) -> Vec<IdVec<TermId, View>> {
    let mut rows = vec![IdVec::filled(View::OPEN, formula.terms().len())];
    for letter in word.iter().rev() {
        let later = rows.last().expect("there is the row behind the end");
        rows.push(step(formula, letter, later));
    }
    rows.reverse();
    rows
}

/// The smallest part that fails and is not an alternative, whether it was to be false, and
/// since when.
fn blame(formula: &Formula, rows: &[IdVec<TermId, View>]) -> (TermId, bool, usize) {
    let (mut id, mut is_negated, mut position) = (formula.root(), false, 0);
    let fails = |id: TermId, is_negated: bool, position: usize| {
        let view = rows[position][id];
        if is_negated { !view.may_fail } else { !view.may_hold }
    };
    loop {
        // Of operands that all have to hold, one that fails; the last one fails latest.
        let pick = |operands: [(TermId, bool); 2]| {
            let failing = operands.into_iter().find(|&(id, sign)| fails(id, sign, position));
            failing.map(|(id, sign)| (id, sign, position))
        };
        let first_failure = |id: TermId| {
            let position = (position..rows.len()).find(|&later| fails(id, is_negated, later));
            position.map(|position| (id, is_negated, position))
        };
        let next = match (formula.terms().term(id), is_negated) {
            (Term::Not(a), _) => Some((a, !is_negated, position)),
            (Term::And(a, b), false) | (Term::Or(a, b), true) => {
                pick([(a, is_negated), (b, is_negated)])
            }
            (Term::Implies(a, b), true) => pick([(a, false), (b, true)]),
            (Term::Next(a), _) => Some((a, is_negated, position + 1)),
            (Term::Globally(a), false) | (Term::Finally(a), true) => first_failure(a),
            _ => None,
        };
        match next {
            Some(next) => (id, is_negated, position) = next,
            None => return (id, is_negated, position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks where words over `p` and `q` violate a formula, and what fails.
    #[track_caller]
    fn check(formula: &str, word: &str, expected: Option<(usize, &str, usize)>) {
        let formula = Formula::parse(formula).unwrap();
        let letters: Vec<Letter> = word
            .split(' ')
            .map(|letter| {
                let names = letter.chars().filter(|&name| name != '-').map(String::from);
                names.filter_map(|name| formula.atoms().find(&name)).collect()
            })
            .collect();
        let found = failure(&formula, &letters);
        let named = found.map(|found| {
            let mut part = formula.subformula(found.part);
            if found.is_negated {
                part = part.negated();
            }
            (found.position, part.to_string(), found.since)
        });
        let expected = expected.map(|(position, part, since)| (position, part.to_owned(), since));
        assert_eq!(named, expected);
    }

    #[test]
    fn invariants_fail_where_they_are_false() {
        check("G p", "p p - p", Some((2, "p", 2)));
        check("G p", "p p p", None);
        check("!F p", "- - p", Some((2, "!p", 2)));
        check("G p & G q", "pq p -", Some((1, "q", 1)));
    }

    #[test]
    fn alternatives_are_named_as_a_whole() {
        check("G (p -> q)", "pq p pq", Some((1, "p -> q", 1)));
        check("G (p -> X q)", "- p - -", Some((2, "p -> X q", 1)));
        check("p U q", "p p - q", Some((2, "p U q", 0)));
        check("q R p", "p p -", Some((2, "q R p", 0)));
    }

    #[test]
    fn eventualities_never_fail() {
        check("F p", "- - -", None);
        check("G (p -> F q)", "p p p", None);
        check("G p & F !p", "p p", None);
        check("G F p", "- -", None);
    }

    #[test]
    fn what_is_behind_the_end_is_open() {
        check("X false", "-", None);
        check("X false", "- -", Some((1, "false", 1)));
        check("false", "-", Some((0, "false", 0)));
        check("p xor p", "p", Some((0, "p ^ p", 0)));
        check("X p xor X p", "p -", Some((1, "X p ^ X p", 0)));
    }
}
