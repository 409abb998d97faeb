//! Makes the lasso of an answer easier to read: fewer positions, fewer true
//! atoms.
//!
//! Letters are left out and atoms made false, one at a time, as long as the
//! formula still holds. The search has already made the lasso short in terms
//! of configurations; this removes what only configurations needed. It knows
//! nothing of where the lasso comes from, and gives up after a fixed amount of
//! work: a long lasso stays long.

use crate::ltl::{Formula, semantics};
use crate::word::{Lasso, Letter};

/// Evaluations are paid in subformulas times words of 64 positions.
const WORK: usize = 4_000_000;

/// A lasso on which `formula` holds, if it holds on `lasso`; at most as long.
///
/// ```
/// use lwaa::{Formula, shorten::shorten};
/// use lwaa::word::{Lasso, Letter};
/// let formula = Formula::parse("G F a & G F !a")?;
/// let a = formula.atoms().find("a").expect("it occurs");
/// let with: Letter = [a].into_iter().collect();
/// let without = Letter::new();
/// let long = Lasso::new(vec![], vec![without.clone(), with.clone(), without.clone()]);
/// let short = shorten(&formula, long.expect("not empty"));
/// assert_eq!(short.n_positions(), 2);
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn shorten(formula: &Formula, lasso: Lasso<Letter>) -> Lasso<Letter> {
    let mut shortener = Shortener {
        formula,
        work: WORK,
        prefix: lasso.prefix().to_vec(),
        cycle: lasso.cycle().to_vec(),
    };
    if !shortener.holds() {
        return lasso;
    }
    shortener.drop_letters();
    shortener.clear_atoms();
    shortener.lasso().shortened()
}

struct Shortener<'a> {
    formula: &'a Formula,
    /// What may still be spent.
    work: usize,
    prefix: Vec<Letter>,
    /// Not empty.
    cycle: Vec<Letter>,
}

impl Shortener<'_> {
    fn lasso(&self) -> Lasso<Letter> {
        Lasso::new(self.prefix.clone(), self.cycle.clone()).expect("the cycle is never emptied")
    }

    /// What it costs to evaluate the formula on the current lasso, and to make
    /// the lasso.
    fn cost(&self) -> usize {
        let n_words = (self.prefix.len() + self.cycle.len()).div_ceil(64);
        self.formula.n_terms().saturating_mul(n_words).saturating_add(n_words * 64)
    }

    /// Whether there is no work left for another evaluation.
    fn is_tired(&self) -> bool {
        self.work < self.cost()
    }

    /// Whether the formula holds on the current lasso; no if that is too
    /// expensive to say.
    fn holds(&mut self) -> bool {
        let Some(left) = self.work.checked_sub(self.cost()) else { return false };
        self.work = left;
        let lasso = self.lasso();
        semantics::holds(self.formula, &lasso)
    }

    /// From the last letter to the first: prefixes are often longer than
    /// their beginning needs.
    fn drop_letters(&mut self) {
        for position in (0..self.cycle.len()).rev() {
            if self.cycle.len() == 1 || self.is_tired() {
                return;
            }
            let letter = self.cycle.remove(position);
            if !self.holds() {
                self.cycle.insert(position, letter);
            }
        }
        for position in (0..self.prefix.len()).rev() {
            if self.is_tired() {
                return;
            }
            let letter = self.prefix.remove(position);
            if !self.holds() {
                self.prefix.insert(position, letter);
            }
        }
    }

    fn clear_atoms(&mut self) {
        for position in 0..self.prefix.len() + self.cycle.len() {
            let atoms: Vec<_> = self.letter(position).iter().collect();
            for atom in atoms {
                if self.is_tired() {
                    return;
                }
                self.letter(position).set(atom, false);
                if !self.holds() {
                    self.letter(position).set(atom, true);
                }
            }
        }
    }

    fn letter(&mut self, position: usize) -> &mut Letter {
        match position.checked_sub(self.prefix.len()) {
            None => &mut self.prefix[position],
            Some(position) => &mut self.cycle[position],
        }
    }
}
