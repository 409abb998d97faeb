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

/// What both kinds of counters have in common.
struct Counter {
    n: usize,
    /// Whether `X` is factored out.
    linear: bool,
    /// The bit at the same place of the next number is one.
    later_one: TermId,
    /// It is zero.
    later_zero: TermId,
}

impl Counter {
    fn new(f: &mut Builder, n: usize, linear: bool) -> Self {
        let [_, one, zero] = ["a", "b", "!b"].map(|literal| f.with(literal, &[]));
        let [later_one, later_zero] = [one, zero].map(|bit| f.nexts(n, bit));
        Self { n, linear, later_one, later_zero }
    }

    /// The marks are where they belong, and the first number is zero.
    fn beginning(&self, f: &mut Builder) -> Vec<TermId> {
        let [a, not_a, not_b] = ["a", "!a", "!b"].map(|literal| f.with(literal, &[]));
        let marks = if self.linear {
            let last = f.next(a);
            (1..self.n).fold(last, |rest, _| {
                let rest = f.and(not_a, rest);
                f.next(rest)
            })
        } else {
            let mut between = delayed(f, not_a, self.n);
            between.remove(0);
            between.push(f.nexts(self.n, a));
            f.chain(Term::And, between)
        };
        let mut beginning = vec![a, f.with("G (a -> marks)", &[("marks", marks)])];
        if self.linear && 1 < self.n {
            let rest = f.nest(Term::And, "!b", 1..=self.n - 1, Builder::next);
            beginning.extend([not_b, f.next(rest)]);
        } else {
            beginning.extend(delayed(f, not_b, self.n));
        }
        beginning
    }

    /// The next number has `bit` here, and from the next position on `rest`
    /// holds; as a list of conjuncts.
    fn step(&self, f: &mut Builder, bit: &str, rest: TermId) -> Vec<TermId> {
        let bit = f.with(bit, &[]);
        if self.linear {
            let bit = f.nexts(self.n - 1, bit);
            let both = f.and(bit, rest);
            vec![f.next(both)]
        } else {
            vec![f.nexts(self.n, bit), f.next(rest)]
        }
    }

    /// The formula `text`, which says something about bits of the next number.
    fn with_later(&self, f: &mut Builder, text: &str) -> TermId {
        f.with(text, &[("one", self.later_one), ("zero", self.later_zero)])
    }
}

/// `a`, `X a`, `XX a` and so on, `n` of them.
fn delayed(f: &mut Builder, a: TermId, n: usize) -> Vec<TermId> {
    std::iter::successors(Some(a), |&last| Some(f.next(last))).take(n).collect()
}

/// The counter that flips the lowest zero and all ones before it, and copies
/// the rest.
pub(super) fn counter(f: &mut Builder, n: usize, linear: bool) -> TermId {
    let c = Counter::new(f, n, linear);
    let mut conjuncts = c.beginning(f);
    let copy_the_rest = c.with_later(f, "(!a & (b -> one) & (!b -> zero)) U a");
    let flip_zero = c.step(f, "b", copy_the_rest);
    let consequence = f.chain(Term::And, flip_zero.iter().copied());
    conjuncts.push(f.with("G (a & !b -> step)", &[("step", consequence)]));

    let at_zero = f.with("!a & !b", &[]);
    let at_zero = f.chain(Term::And, [at_zero].into_iter().chain(flip_zero));
    let flip_one = c.with_later(f, "b & !a & zero");
    let flip_ones = f.with("one U (a | zero)", &[("one", flip_one), ("zero", at_zero)]);
    let step = c.step(f, "!b", flip_ones);
    let consequence = f.chain(Term::And, step);
    conjuncts.push(f.with("G (a & b -> step)", &[("step", consequence)]));
    f.chain(Term::And, conjuncts)
}

/// The counter that adds with a carry.
pub(super) fn counter_with_carry(f: &mut Builder, n: usize, linear: bool) -> TermId {
    let c = Counter::new(f, n, linear);
    let mut conjuncts = c.beginning(f);
    for text in ["G (a & !b -> !c & one)", "G (a & b -> c & zero)"] {
        conjuncts.push(c.with_later(f, text));
    }
    // What follows is about the next position. In the linear variant we put
    // one `X` around it, in the other one at each literal.
    let [same, flip] = if linear {
        ["X (!c & (b -> one) & (!b -> zero))", "X ((!b -> !c & one) & (b -> c & zero))"]
    } else {
        [
            "X !c & (X b -> X one) & (X !b -> X zero)",
            "(X !b -> X !c & X one) & (X b -> X c & X zero)",
        ]
    };
    let [same, flip] = [same, flip].map(|text| c.with_later(f, text));
    conjuncts.push(f.with("G (!c & X !a -> same)", &[("same", same)]));
    conjuncts.push(f.with("G (c -> flip)", &[("flip", flip)]));
    f.chain(Term::And, conjuncts)
}
