//! Truth of a formula on a lasso word, by the definition of the operators.
//!
//! This is the oracle that everything else is compared with, so it shares no
//! code with [`nnf`](super::nnf), [`simplify`](super::simplify) or any
//! automaton, and knows every operator of a [`Formula`] in its own right.
//!
//! The method is the restricted model checking of Tauriainen and Heljanko,
//! *Testing LTL formula translation into Büchi automata*, STTT 2002, section
//! 4. A lasso has finitely many distinct positions, so the truth of a
//! subformula is a set of positions: a row of bits, computed bottom up. Every
//! temporal operator but `X` is a fixpoint of its expansion law, for example
//! `a U b` the least one of *now = b or (a and next)*. We write all laws in
//! the form
//!
//! > now = start or (go and next)
//!
//! with rows `start` and `go`. Going backwards once around the cycle makes
//! its first position a monotone function of a guess for that same position,
//! and a monotone function of one bit reaches its least fixpoint from *false*
//! and its greatest from *true* in one step. So two backward passes suffice.

pub mod finite;
pub mod truncated;

use super::{Formula, Term, TermId};
use crate::id::{Id, IdVec};
use crate::word::{AtomId, Lasso, Letter};

/// A bit per position of a lasso, 64 in a word. Bits beyond the last position
/// are zero.
type Row = Vec<u64>;

/// For each term one that has a row, and how many `X` it is behind: itself and
/// none unless the term is inside a chain of `X`.
type Behind = IdVec<TermId, (TermId, usize)>;

/// Whether `formula` is true on `word`, whose letters are over the formula's
/// own atoms.
///
/// ```
/// use lwaa::ltl::{Formula, semantics::holds};
/// use lwaa::word::{Lasso, Letter};
///
/// let formula = Formula::parse("G F p & !p")?;
/// let p = formula.atoms().find("p").expect("p is an atom of the formula");
/// let on_and_off = Lasso::new(vec![], vec![Letter::new(), Letter::from_iter([p])])
///     .expect("the cycle is not empty");
/// assert!(holds(&formula, &on_and_off));
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn holds(formula: &Formula, word: &Lasso<Letter>) -> bool {
    let rows = evaluate(formula, word, false);
    bit(&rows[formula.root()], 0)
}

/// The truth of every subformula of `formula` at every position of `word`,
/// whose letters are over the formula's own atoms.
#[must_use]
pub fn truth(formula: &Formula, word: &Lasso<Letter>) -> Truth {
    Truth { rows: evaluate(formula, word, true), n_positions: word.n_positions() }
}

/// Which subformulas are true where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    rows: IdVec<TermId, Row>,
    n_positions: usize,
}

impl Truth {
    /// Whether the subformula `term` is true at the distinct `position`.
    ///
    /// # Panics
    ///
    /// If the formula has no such subformula or the lasso no such position.
    #[must_use]
    pub fn at(&self, term: TermId, position: usize) -> bool {
        assert!(position < self.n_positions, "foreign position");
        bit(&self.rows[term], position)
    }
}

fn bit(row: &[u64], position: usize) -> bool {
    row[position / 64] >> (position % 64) & 1 == 1
}

/// The rows of all subformulas. Unless all are to be kept, a row is empty once
/// nothing needs it any more, and its memory serves for another; inside a chain
/// of `X` there are none at all.
fn evaluate(formula: &Formula, word: &Lasso<Letter>, keep_all: bool) -> IdVec<TermId, Row> {
    let terms = formula.terms();
    let ids = || (0..terms.len()).map(TermId::new);
    let inner = inner_nexts(formula, keep_all);
    let mut behind: Behind = ids().map(|id| (id, 0)).collect();
    let mut n_uses: IdVec<TermId, u64> = IdVec::filled(u64::from(keep_all), terms.len());
    n_uses[formula.root()] += 1;
    for id in ids() {
        match terms.term(id) {
            Term::Next(a) if inner[id] => behind[id] = (behind[a].0, behind[a].1 + 1),
            term => term.children().for_each(|child| n_uses[behind[child].0] += 1),
        }
    }
    let evaluator = Evaluator::new(word);
    let mut rows: IdVec<TermId, Row> = IdVec::new();
    let mut spare: Vec<Row> = Vec::new();
    for id in ids() {
        if inner[id] {
            rows.push(Row::new());
            continue;
        }
        let term = terms.term(id);
        let mut row = spare.pop().unwrap_or_default();
        evaluator.fill(&mut row, term, &rows, &behind);
        rows.push(row);
        for child in term.children().map(|child| behind[child].0) {
            n_uses[child] -= 1;
            if n_uses[child] == 0 {
                spare.push(std::mem::take(&mut rows[child]));
            }
        }
    }
    rows
}

/// The terms `X a` that nothing needs but `X X a`.
///
/// The lasso of a chain of `X` is as long as the chain, so a row for each of
/// them would take quadratic time: 18 s for a million.
fn inner_nexts(formula: &Formula, keep_all: bool) -> IdVec<TermId, bool> {
    let terms = formula.terms();
    let ids = || (0..terms.len()).map(TermId::new);
    let is_next = |id| matches!(terms.term(id), Term::Next(_));
    let mut inner: IdVec<TermId, bool> = ids().map(|id| !keep_all && is_next(id)).collect();
    inner[formula.root()] = false;
    // There is only one `X X a`, since equal terms are one.
    for id in ids().filter(|&id| !is_next(id)) {
        terms.term(id).children().for_each(|child| inner[child] = false);
    }
    inner
}

/// Computes rows for one word.
struct Evaluator<'a> {
    word: &'a Lasso<Letter>,
    /// All positions.
    everywhere: Row,
}

impl<'a> Evaluator<'a> {
    fn new(word: &'a Lasso<Letter>) -> Self {
        let n_positions = word.n_positions();
        let mut everywhere = vec![u64::MAX; n_positions.div_ceil(64)];
        if let Some(last) = everywhere.last_mut() {
            *last >>= (64 - n_positions % 64) % 64;
        }
        Self { word, everywhere }
    }

    /// Puts the row of `term` into `row`, whatever that was before.
    fn fill(&self, row: &mut Row, term: Term, rows: &IdVec<TermId, Row>, behind: &Behind) {
        row.clear();
        let all = &self.everywhere;
        let words = 0..all.len();
        match term {
            Term::True => row.extend(all),
            Term::False => row.resize(all.len(), 0),
            Term::Atom(atom) => self.atom(row, atom),
            Term::Not(a) => row.extend(words.map(|i| all[i] & !rows[a][i])),
            Term::And(a, b) => row.extend(words.map(|i| rows[a][i] & rows[b][i])),
            Term::Or(a, b) => row.extend(words.map(|i| rows[a][i] | rows[b][i])),
            Term::Xor(a, b) => row.extend(words.map(|i| rows[a][i] ^ rows[b][i])),
            Term::Implies(a, b) => row.extend(words.map(|i| all[i] & (!rows[a][i] | rows[b][i]))),
            Term::Iff(a, b) => row.extend(words.map(|i| all[i] & !(rows[a][i] ^ rows[b][i]))),
            Term::Next(a) => {
                let (start, n_nexts) = behind[a];
                self.next(row, &rows[start], n_nexts + 1);
            }
            // now = a or next
            Term::Finally(a) => self.fixpoint(row, false, |i| (rows[a][i], all[i])),
            // now = a and next
            Term::Globally(a) => self.fixpoint(row, true, |i| (0, rows[a][i])),
            // now = b or (a and next)
            Term::Until(a, b) => self.fixpoint(row, false, |i| (rows[b][i], rows[a][i])),
            Term::WeakUntil(a, b) => self.fixpoint(row, true, |i| (rows[b][i], rows[a][i])),
            // now = b and (a or next)
            Term::Release(a, b) => {
                self.fixpoint(row, true, |i| (rows[a][i] & rows[b][i], rows[b][i]));
            }
            Term::StrongRelease(a, b) => {
                self.fixpoint(row, false, |i| (rows[a][i] & rows[b][i], rows[b][i]));
            }
        }
    }

    fn atom(&self, row: &mut Row, atom: AtomId) {
        row.resize(self.everywhere.len(), 0);
        let letters = self.word.iter();
        for (position, letter) in letters.enumerate() {
            row[position / 64] |= u64::from(letter.contains(atom)) << (position % 64);
        }
    }

    /// Puts into `row` what the row `a` says so many positions later.
    fn next(&self, row: &mut Row, a: &[u64], distance: usize) {
        if distance < 64 {
            row.extend(a);
            (0..distance).for_each(|_| self.advance(row));
            return;
        }
        // Bit by bit, which takes as long as 64 steps or so.
        row.resize(a.len(), 0);
        for position in 0..self.word.n_positions() {
            let later = bit(a, self.word.distinct(position + distance));
            row[position / 64] |= u64::from(later) << (position % 64);
        }
    }

    /// Makes of `row` what it says one position later.
    fn advance(&self, row: &mut Row) {
        let last = self.word.n_positions() - 1;
        let back = bit(row, self.word.next(last));
        for index in 0..row.len() {
            let later = row.get(index + 1).copied().unwrap_or(0);
            row[index] = (row[index] >> 1) | (later << 63);
        }
        row[last / 64] |= u64::from(back) << (last % 64);
    }

    /// The least solution of *now = start or (go and next)*, or the greatest
    /// if `greatest`, where `law` says what `start` and `go` are in a word.
    fn fixpoint(&self, row: &mut Row, greatest: bool, law: impl Fn(usize) -> (u64, u64)) {
        row.resize(self.everywhere.len(), 0);
        let last = self.word.n_positions() - 1;
        let loop_start = self.word.next(last);
        let mut backwards = |down_to: usize, behind_last: bool| {
            let mut behind = u64::from(behind_last) << (last % 64);
            for index in (down_to / 64..row.len()).rev() {
                let (start, go) = law(index);
                row[index] = propagate(start | (go & behind), go);
                behind = row[index] << 63;
            }
            bit(row, down_to)
        };
        let at_loop_start = backwards(loop_start, greatest);
        backwards(0, at_loop_start);
    }
}

/// The bits from which a run of `go` leads up to a bit of `start`.
fn propagate(start: u64, go: u64) -> u64 {
    // Behind the round with `distance` d, `reached` has the bits that get
    // there in less than 2d steps, and `run` those with 2d bits of `go` from
    // there on.
    let (mut reached, mut run) = (start, go);
    for distance in [1, 2, 4, 8, 16, 32] {
        reached |= run & (reached >> distance);
        run &= run >> distance;
    }
    reached
}

#[cfg(test)]
mod tests;
