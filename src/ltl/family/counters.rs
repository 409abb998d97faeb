//! Binary counters: formulas with one model each, which needs exponentially
//! many positions to come back to its beginning.
//!
//! They are those of Rozier and Vardi, *LTL satisfiability checking*, SPIN
//! 2007. The atom `a` marks every `n`-th position, where a number begins. The
//! atom `b` is a bit of it, the lowest first. The first number is zero, and
//! each number is the one before plus one. The counters with a carry have it
//! in `c`. In the *linear* variants `X` is factored out, so that also their
//! texts are of linear length; as shared graphs all four are.

use super::builder::Builder;
use crate::ltl::{Term, TermId};

/// The literals of a counter, and what else is needed again and again.
struct Counter {
    n: usize,
    /// Whether `X` is factored out.
    linear: bool,
    a: TermId,
    b: TermId,
    not_a: TermId,
    not_b: TermId,
    /// The bit at the same place of the next number is one.
    later_b: TermId,
    /// The bit at the same place of the next number is zero.
    later_not_b: TermId,
}

impl Counter {
    fn new(f: &mut Builder, n: usize, linear: bool) -> Self {
        let [a, b] = ["a", "b"].map(|name| f.atom(name));
        let [not_a, not_b] = [a, b].map(|atom| f.not(atom));
        let [later_b, later_not_b] = [b, not_b].map(|bit| f.nexts(n, bit));
        Self { n, linear, a, b, not_a, not_b, later_b, later_not_b }
    }

    /// The marks are where they belong, and the first number is zero.
    fn beginning(&self, f: &mut Builder) -> Vec<TermId> {
        let marks = if self.linear {
            let last = f.next(self.a);
            (1..self.n).fold(last, |rest, _| {
                let rest = f.and(self.not_a, rest);
                f.next(rest)
            })
        } else {
            let mut between = delayed(f, self.not_a, self.n);
            between.remove(0);
            between.push(f.nexts(self.n, self.a));
            f.chain(Term::And, between)
        };
        let marks = always(f, self.a, marks);
        let mut beginning = vec![self.a, marks];
        if self.linear && 1 < self.n {
            let rest = f.nest(Term::And, self.n - 1, |_, _| self.not_b, Builder::next);
            beginning.extend([self.not_b, f.next(rest)]);
        } else {
            beginning.extend(delayed(f, self.not_b, self.n));
        }
        beginning
    }

    /// The next number has `bit` here, and from the next position on `rest`
    /// holds; as a list of conjuncts.
    fn step(&self, f: &mut Builder, bit: TermId, rest: TermId) -> Vec<TermId> {
        if self.linear {
            let bit = f.nexts(self.n - 1, bit);
            let both = f.and(bit, rest);
            vec![f.next(both)]
        } else {
            vec![f.nexts(self.n, bit), f.next(rest)]
        }
    }

    /// `a & bit`.
    fn first_bit(&self, f: &mut Builder, bit: TermId) -> TermId {
        f.and(self.a, bit)
    }
}

/// `a`, `X a`, `XX a` and so on, `n` of them.
fn delayed(f: &mut Builder, a: TermId, n: usize) -> Vec<TermId> {
    std::iter::successors(Some(a), |&last| Some(f.next(last))).take(n).collect()
}

/// `G(condition -> consequence)`.
fn always(f: &mut Builder, condition: TermId, consequence: TermId) -> TermId {
    let rule = f.implies(condition, consequence);
    f.globally(rule)
}

/// The counter that flips the lowest zero and all ones before it, and copies
/// the rest.
pub(super) fn counter(f: &mut Builder, n: usize, linear: bool) -> TermId {
    let c = Counter::new(f, n, linear);
    let mut conjuncts = c.beginning(f);
    let [same_one, same_zero] = [f.implies(c.b, c.later_b), f.implies(c.not_b, c.later_not_b)];
    let same = f.chain(Term::And, [c.not_a, same_one, same_zero]);
    let copy_the_rest = f.until(same, c.a);

    let flip_zero = c.step(f, c.b, copy_the_rest);
    let consequence = f.chain(Term::And, flip_zero.iter().copied());
    let condition = c.first_bit(f, c.not_b);
    conjuncts.push(always(f, condition, consequence));

    let at_zero = f.chain(Term::And, [c.not_a, c.not_b].into_iter().chain(flip_zero));
    let end_or_zero = f.or(c.a, at_zero);
    let flip_one = f.chain(Term::And, [c.b, c.not_a, c.later_not_b]);
    let flip_ones = f.until(flip_one, end_or_zero);
    let step = c.step(f, c.not_b, flip_ones);
    let consequence = f.chain(Term::And, step);
    let condition = c.first_bit(f, c.b);
    conjuncts.push(always(f, condition, consequence));
    f.chain(Term::And, conjuncts)
}

/// The counter that adds with a carry.
pub(super) fn counter_with_carry(f: &mut Builder, n: usize, linear: bool) -> TermId {
    let c = Counter::new(f, n, linear);
    let mut conjuncts = c.beginning(f);
    let carry = f.atom("c");
    let no_carry = f.not(carry);
    for (bit, carry, flipped) in [(c.not_b, no_carry, c.later_b), (c.b, carry, c.later_not_b)] {
        let condition = c.first_bit(f, bit);
        let consequence = f.and(carry, flipped);
        conjuncts.push(always(f, condition, consequence));
    }

    // What follows is about the next position. In the linear variant we put
    // one `X` around it, in the other one at each literal.
    let [one, zero, later_one, later_zero, next_carry, next_no_carry] =
        [c.b, c.not_b, c.later_b, c.later_not_b, carry, no_carry]
            .map(|literal| if linear { literal } else { f.next(literal) });
    let around = |f: &mut Builder, whole| if linear { f.next(whole) } else { whole };

    let [same_one, same_zero] = [f.implies(one, later_one), f.implies(zero, later_zero)];
    let same = f.chain(Term::And, [next_no_carry, same_one, same_zero]);
    let next_not_a = f.next(c.not_a);
    let condition = f.and(no_carry, next_not_a);
    let consequence = around(f, same);
    conjuncts.push(always(f, condition, consequence));

    let to_one = f.and(next_no_carry, later_one);
    let to_zero = f.and(next_carry, later_zero);
    let [flip_zero, flip_one] = [f.implies(zero, to_one), f.implies(one, to_zero)];
    let flip = f.and(flip_zero, flip_one);
    let consequence = around(f, flip);
    conjuncts.push(always(f, carry, consequence));
    f.chain(Term::And, conjuncts)
}
