//! Whether an automaton accepts a lasso, by definition.
//!
//! Knows edges and letters and nothing of what found the lasso: no product, no
//! search for components. It is the fixpoint that the definition is: a pair of a
//! position and a state is *good* if an accepting pair that is good, too, comes behind
//! it.

use crate::word::{AtomId, Lasso, Letter};

/// An edge of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The state that it leaves.
    pub source: usize,
    /// Atoms, and what they have to be.
    pub conditions: Vec<(AtomId, bool)>,
    /// The state that it leads to.
    pub target: usize,
}

/// Whether the automaton with these edges, which begins in state 0, comes through
/// accepting states again and again on `word`. `is_accepting` says what a state is
/// under a letter.
///
/// ```
/// use lwaa::certify::claim::{Move, accepts};
/// use lwaa::word::{Atoms, Lasso, Letter};
/// let p = Atoms::default().intern("p");
/// let moves = [Move { source: 0, conditions: vec![(p, true)], target: 0 }];
/// let [empty, full]: [Letter; 2] = [[].into_iter().collect(), [p].into_iter().collect()];
/// let always = Lasso::new(vec![], vec![full.clone()]).unwrap();
/// let once = Lasso::new(vec![full], vec![empty]).unwrap();
/// assert!(accepts(1, &moves, |_, _| true, &always));
/// assert!(!accepts(1, &moves, |_, _| true, &once));
/// ```
pub fn accepts(
    n_states: usize,
    moves: &[Move],
    is_accepting: impl Fn(usize, &Letter) -> bool,
    word: &Lasso<Letter>,
) -> bool {
    let n_positions = word.n_positions();
    let allows = |position: usize, one: &Move| {
        let letter = word.at(position);
        one.conditions.iter().all(|&(atom, value)| letter.contains(atom) == value)
    };
    let mut good = vec![true; n_positions * n_states];
    loop {
        // From where a good accepting pair is reached in at least one step.
        let mut before = vec![false; good.len()];
        loop {
            let mut has_changed = false;
            for position in (0..n_positions).rev() {
                let next = word.next(position);
                for one in moves {
                    let (from, to) =
                        (position * n_states + one.source, next * n_states + one.target);
                    let leads = before[to] || (good[to] && is_accepting(one.target, word.at(next)));
                    if leads && !before[from] && allows(position, one) {
                        before[from] = true;
                        has_changed = true;
                    }
                }
            }
            if !has_changed {
                break;
            }
        }
        if before == good {
            return good[0];
        }
        good = before;
    }
}

/// Whether the automaton with these edges can be, after the letters of `word`, in a state in which
/// it accepts whatever follows: an unconditional edge leads from there back to the same accepting
/// state, or to one of which this is true.
pub fn accepts_whatever_follows(
    n_states: usize,
    moves: &[Move],
    is_accepting: impl Fn(usize) -> bool,
    word: &[Letter],
) -> bool {
    let mut reached = vec![false; n_states];
    reached[0] = true;
    for letter in word {
        let mut next = vec![false; n_states];
        for one in moves {
            let mut asked = one.conditions.iter();
            if reached[one.source] && asked.all(|&(atom, value)| letter.contains(atom) == value) {
                next[one.target] = true;
            }
        }
        reached = next;
    }
    // As many letters as there are states lead from any such state to the accepting one.
    for _ in 0..=n_states {
        let mut next = vec![false; n_states];
        for one in moves.iter().filter(|one| reached[one.source] && one.conditions.is_empty()) {
            if one.target == one.source && is_accepting(one.target) {
                return true;
            }
            next[one.target] = true;
        }
        reached = next;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;

    fn word(prefix: &[bool], cycle: &[bool]) -> Lasso<Letter> {
        let letter = |&holds: &bool| holds.then(|| AtomId::new(0)).into_iter().collect();
        let letters = |part: &[bool]| part.iter().map(letter).collect();
        Lasso::new(letters(prefix), letters(cycle)).expect("there is a cycle")
    }

    #[test]
    fn a_claim_that_reaches_its_end_accepts_whatever_follows() {
        let p = AtomId::new(0);
        let moves = [
            Move { source: 0, conditions: vec![], target: 0 },
            Move { source: 0, conditions: vec![(p, true)], target: 1 },
            Move { source: 1, conditions: vec![], target: 1 },
        ];
        let accepts = |word| accepts(2, &moves, |state, _| state == 1, &word);
        assert!(accepts(word(&[false, true], &[false])));
        assert!(accepts(word(&[], &[false, false, true])));
        assert!(!accepts(word(&[false], &[false, false])));
        let letters = |part: &[bool]| word(&[], part).cycle().to_vec();
        let ends = |part| accepts_whatever_follows(2, &moves, |state| state == 1, &letters(part));
        assert!(ends(&[false, true]) && ends(&[true, false]));
        assert!(!ends(&[false, false]));
    }

    #[test]
    fn again_and_again_is_more_than_once() {
        let p = AtomId::new(0);
        let moves = [
            Move { source: 0, conditions: vec![(p, false)], target: 0 },
            Move { source: 0, conditions: vec![(p, true)], target: 1 },
            Move { source: 1, conditions: vec![], target: 0 },
        ];
        let accepts = |word| accepts(2, &moves, |state, _| state == 1, &word);
        assert!(accepts(word(&[], &[false, true, false])));
        assert!(!accepts(word(&[true, true, true, true], &[false])));
    }

    #[test]
    fn a_letter_may_make_states_accepting() {
        let p = AtomId::new(0);
        let moves = [Move { source: 0, conditions: vec![], target: 0 }];
        let accepts = |word| accepts(1, &moves, |_, letter: &Letter| letter.contains(p), &word);
        assert!(accepts(word(&[], &[false, true])));
        assert!(!accepts(word(&[true], &[false])));
    }
}
