//! Where a word violates a formula: the first letter behind which no continuation matters.
//!
//! A finite word is a *bad prefix* if progression of the formula over its letters reaches
//! `false`: whatever comes next, the formula is violated. Progression leaves obligations for
//! the rest of the word, and these are `false` only if they stay so when every obligation
//! behind the last letter is taken to be met. So we need no formulas that change on the way:
//! we evaluate the formula on the finite word and take everything behind its end for true, a
//! subformula and its negation alike. This is the weak view of truncated words in [EFH03].
//!
//! It is decided by the text of the formula: `G p & F !p` has no model, but no finite word is
//! bad, since neither `G p` nor `F !p` fails by itself while `p` holds.
//!
//! [EFH03]: crate::references::efh03

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
    let known = row(formula, word, 0)[formula.root()];
    if known.false_at == NEVER {
        return None;
    }
    let (part, is_negated, since) = blame(formula, &word[..=known.false_at]);
    Some(Failure { position: known.false_at, part, is_negated, since })
}

/// What `word` shows about every subformula at each of its positions, whatever follows: that it is
/// true, that it is false, or nothing.
#[must_use]
pub fn truth(formula: &Formula, word: &[Letter]) -> Vec<IdVec<TermId, Option<bool>>> {
    let mut rows = Vec::new();
    each_row(formula, word, 0, |row| {
        let value = |known: &Knowledge| match known {
            Knowledge { true_at, false_at } if *true_at == NEVER && *false_at == NEVER => None,
            Knowledge { true_at, .. } => Some(*true_at != NEVER),
        };
        rows.push(row.iter().map(value).collect());
    });
    rows.reverse();
    rows
}

/// A position behind all words.
const NEVER: usize = usize::MAX;

/// From which letter on the truth of a subformula at some position is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Knowledge {
    /// The position of the letter behind which it is known to be true, if ever.
    true_at: usize,
    /// The position of the letter behind which it is known to be false, if ever.
    false_at: usize,
}

impl Knowledge {
    const OPEN: Self = Self { true_at: NEVER, false_at: NEVER };

    fn at(position: usize, value: bool) -> Self {
        if value {
            Self { true_at: position, false_at: NEVER }
        } else {
            Self { true_at: NEVER, false_at: position }
        }
    }

    fn not(self) -> Self {
        Self { true_at: self.false_at, false_at: self.true_at }
    }

    fn and(self, other: Self) -> Self {
        Self {
            true_at: self.true_at.max(other.true_at),
            false_at: self.false_at.min(other.false_at),
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    fn iff(self, other: Self) -> Self {
        self.and(other).or(self.not().and(other.not()))
    }
}

/// What is known about all subformulas at `position` of `word`.
fn row(formula: &Formula, word: &[Letter], position: usize) -> IdVec<TermId, Knowledge> {
    each_row(formula, word, position, |_| ())
}

/// The same, found from the last position of `word` backwards; `see` gets what is known at each.
fn each_row(
    formula: &Formula,
    word: &[Letter],
    position: usize,
    mut see: impl FnMut(&IdVec<TermId, Knowledge>),
) -> IdVec<TermId, Knowledge> {
    let n_terms = formula.terms().len();
    let mut later: IdVec<TermId, Knowledge> = IdVec::filled(Knowledge::OPEN, n_terms);
    let mut now = later.clone();
    for (here, letter) in word.iter().enumerate().skip(position).rev() {
        for id in formula.terms().ids() {
            let next = later[id];
            now[id] = match formula.terms().term(id) {
                Term::True => Knowledge::at(here, true),
                Term::False => Knowledge::at(here, false),
                Term::Atom(atom) => Knowledge::at(here, letter.contains(atom)),
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
        }
        see(&now);
        std::mem::swap(&mut now, &mut later);
    }
    later
}

/// How often the part that fails is followed to another position; each time costs as much
/// as to find out that the formula fails.
const MAX_JUMPS: usize = 16;

/// The smallest part that fails on `word` and is not an alternative, whether it was to be
/// false, and since when.
fn blame(formula: &Formula, word: &[Letter]) -> (TermId, bool, usize) {
    let (mut id, mut is_negated, mut position) = (formula.root(), false, 0);
    let mut known = row(formula, word, 0);
    let mut n_jumps = 0;
    loop {
        let fails = |id: TermId, is_negated: bool| {
            let Knowledge { true_at, false_at } = known[id];
            if is_negated { true_at != NEVER } else { false_at != NEVER }
        };
        let one_of = |operands: [(TermId, bool); 2]| {
            operands.into_iter().find(|&(id, is_negated)| fails(id, is_negated))
        };
        let here = match (formula.terms().term(id), is_negated) {
            (Term::Not(a), _) => Some((a, !is_negated)),
            (Term::And(a, b), false) | (Term::Or(a, b), true) => {
                one_of([(a, is_negated), (b, is_negated)])
            }
            (Term::Implies(a, b), true) => one_of([(a, false), (b, true)]),
            (Term::Globally(a), false) | (Term::Finally(a), true) => {
                Some((a, is_negated)).filter(|&(id, is_negated)| fails(id, is_negated))
            }
            _ => None,
        };
        if let Some(next) = here {
            (id, is_negated) = next;
            continue;
        }
        // What has to hold at all positions fails at a later one.
        let behind = match (formula.terms().term(id), is_negated) {
            (Term::Next(a), _) => Some(a),
            (Term::Globally(_), false) | (Term::Finally(_), true) => Some(id),
            _ => None,
        };
        match behind {
            Some(next) if n_jumps < MAX_JUMPS && position + 1 < word.len() => {
                n_jumps += 1;
                (id, position) = (next, failing_position(formula, word, position, id));
                known = row(formula, word, position);
            }
            _ => return (id, is_negated, position),
        }
    }
}

/// The position behind `position` at which the operand of `id` fails: the next one for `X`;
/// for `G`, and for a negated `F`, the last one from which on the operator fails.
fn failing_position(formula: &Formula, word: &[Letter], position: usize, id: TermId) -> usize {
    let fails_from = |start: usize| {
        let known = row(formula, word, start)[id];
        match formula.terms().term(id) {
            Term::Globally(_) => known.false_at != NEVER,
            _ => known.true_at != NEVER,
        }
    };
    let (mut low, mut high) = (position + 1, word.len() - 1);
    if let Term::Next(_) = formula.terms().term(id) {
        return low;
    }
    while low < high {
        let middle = usize::midpoint(low, high + 1);
        if fails_from(middle) { low = middle } else { high = middle - 1 }
    }
    low
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
