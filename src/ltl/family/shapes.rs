//! The families that are one simple shape repeated, by the shape.
//!
//! `n` is never below the minimum that the table says.

use super::builder::{Binary, Builder};
use crate::ltl::{Term, TermId};

/// A formula of one operand.
type Wrap = fn(&mut Builder, TermId) -> TermId;

/// `p1`, wrapped, up to `pn`, in a chain.
pub(super) fn all_of(b: &mut Builder, operator: Binary, wrap: Wrap, n: usize) -> TermId {
    wrapped(b, operator, "p", wrap, n)
}

fn wrapped(b: &mut Builder, operator: Binary, name: &str, wrap: Wrap, n: usize) -> TermId {
    b.over(operator, 1, n, |b, index| {
        let atom = b.indexed(name, index);
        wrap(b, atom)
    })
}

/// `(F p1 | G p2) & (F p2 | G p3) & …`, with `n` conjuncts and two wraps.
pub(super) fn linked(b: &mut Builder, now: Wrap, later: Wrap, n: usize) -> TermId {
    b.over(Term::And, 1, n, |b, index| {
        let [left, right] = [index, index + 1].map(|index| b.indexed("p", index));
        let [left, right] = [now(b, left), later(b, right)];
        b.or(left, right)
    })
}

/// `((p1 op p2) op p3) op …`.
pub(super) fn to_the_left(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    b.over(operator, 1, n, |b, index| b.indexed("p", index))
}

/// `p1 op (p2 op (p3 op …))`.
pub(super) fn to_the_right(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    b.nest(operator, n, |b, index| b.indexed("p", index), |_, nested| nested)
}

/// `make(p) & make(q)`.
fn for_p_and_q(b: &mut Builder, mut make: impl FnMut(&mut Builder, &str) -> TermId) -> TermId {
    let [p, q] = ["p", "q"].map(|name| make(b, name));
    b.and(p, q)
}

/// `F(p1 & F(p2 & …))`, and the same for `q`.
pub(super) fn ccj_alpha(b: &mut Builder, n: usize) -> TermId {
    for_p_and_q(b, |b, name| {
        let nested = b.nest(Term::And, n, |b, index| b.indexed(name, index), Builder::finally);
        b.finally(nested)
    })
}

/// `F(p & X(p & …))`, and the same for `q`.
pub(super) fn ccj_beta(b: &mut Builder, n: usize) -> TermId {
    for_p_and_q(b, |b, name| {
        let nested = b.nest(Term::And, n, |b, _| b.atom(name), Builder::next);
        b.finally(nested)
    })
}

/// `F(p & X p & XX p & …)`, and the same for `q`.
pub(super) fn ccj_beta_prime(b: &mut Builder, n: usize) -> TermId {
    for_p_and_q(b, |b, name| {
        let atom = b.atom(name);
        let chain = delays(b, Term::And, atom, n);
        b.finally(chain)
    })
}

/// `a op X a op XX a op …`, with `n` operands.
pub(super) fn delays(b: &mut Builder, operator: Binary, a: TermId, n: usize) -> TermId {
    let mut delayed = a;
    b.over(operator, 1, n, |b, index| {
        if index != 1 {
            delayed = b.next(delayed);
        }
        delayed
    })
}

/// `outer(p0 op X inner(p1 op X inner(… pn)))`: one more atom than `n`.
fn zigzag(b: &mut Builder, operator: Binary, outer: Wrap, inner: Wrap, n: usize) -> TermId {
    let nested = b.nest(
        operator,
        n + 1,
        |b, index| b.indexed("p", index - 1),
        |b, nested| {
            let nested = inner(b, nested);
            b.next(nested)
        },
    );
    outer(b, nested)
}

/// `F(p0 | XG(p1 | XG(p2 | …)))`.
pub(super) fn fxg_or(b: &mut Builder, n: usize) -> TermId {
    zigzag(b, Term::Or, Builder::finally, Builder::globally, n)
}

/// `G(p0 & XF(p1 & XF(p2 & …)))`.
pub(super) fn gxf_and(b: &mut Builder, n: usize) -> TermId {
    zigzag(b, Term::And, Builder::globally, Builder::finally, n)
}

/// `GF(a op X…X a)`.
pub(super) fn gf_delayed(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    let a = b.atom("a");
    let delayed = b.nexts(n, a);
    let both = b.binary(operator, a, delayed);
    b.infinitely_often(both)
}

/// `(GF a1 & … & GF an) op GF z`.
pub(super) fn gf_together(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    let all = wrapped(b, Term::And, "a", Builder::infinitely_often, n);
    let z = b.atom("z");
    let z = b.infinitely_often(z);
    b.binary(operator, all, z)
}

/// `G(q -> F r)`.
fn response(b: &mut Builder) -> TermId {
    let [q, r] = ["q", "r"].map(|name| b.atom(name));
    let answer = b.finally(r);
    let response = b.implies(q, answer);
    b.globally(response)
}

/// `!((GF p1 & … & GF pn) -> G(q -> F r))`.
pub(super) fn go_theta(b: &mut Builder, n: usize) -> TermId {
    let fair = all_of(b, Term::And, Builder::infinitely_often, n);
    let response = response(b);
    let whole = b.implies(fair, response);
    b.not(whole)
}

/// `FG(a | b) | FG(!a | X b) | FG(a | XX b) | …`, with `n` + 1 disjuncts.
pub(super) fn ms_phi_h(b: &mut Builder, n: usize) -> TermId {
    let a = b.atom("a");
    let not_a = b.not(a);
    let mut delayed = b.atom("b");
    b.over(Term::Or, 0, n, |builder, index| {
        if index != 0 {
            delayed = builder.next(delayed);
        }
        let either = builder.or(if index % 2 == 0 { a } else { not_a }, delayed);
        builder.almost_always(either)
    })
}

/// `GF an U G(GF a(n-1) U G(… (GF a0 U X…X b)))`, with `k` times `X`.
pub(super) fn sejk_f(b: &mut Builder, n: usize, k: usize) -> TermId {
    let last = b.atom("b");
    let mut nested = b.nexts(k, last);
    for index in 0..=n {
        if index != 0 {
            nested = b.globally(nested);
        }
        let a = b.indexed("a", index);
        let a = b.infinitely_often(a);
        nested = b.until(a, nested);
    }
    nested
}

/// `(GF a1 & … & GF an) -> (GF b1 & … & GF bn)`.
pub(super) fn sejk_j(b: &mut Builder, n: usize) -> TermId {
    let [a, c] = ["a", "b"].map(|name| wrapped(b, Term::And, name, Builder::infinitely_often, n));
    b.implies(a, c)
}

/// `(GF a1 | FG b1) & … & (GF an | FG bn)`.
pub(super) fn sejk_k(b: &mut Builder, n: usize) -> TermId {
    b.over(Term::And, 1, n, |b, index| {
        let [left, right] = ["a", "b"].map(|name| b.indexed(name, index));
        let [left, right] = [b.infinitely_often(left), b.almost_always(right)];
        b.or(left, right)
    })
}

/// `G(p -> make(q))`.
pub(super) fn after_p(
    b: &mut Builder,
    n: usize,
    make: fn(&mut Builder, TermId, usize) -> TermId,
) -> TermId {
    let [p, q] = ["p", "q"].map(|name| b.atom(name));
    let right = make(b, q, n);
    let whole = b.implies(p, right);
    b.globally(whole)
}

/// `q op X(q op X(q op …))`, with `n` times `q`.
pub(super) fn delayed_to_the_right(
    b: &mut Builder,
    operator: Binary,
    q: TermId,
    n: usize,
) -> TermId {
    b.nest(operator, n, |_, _| q, Builder::next)
}

/// `G(p1 -> (p1 U (p2 & (p2 U (p3 & …)))))`, up to `… U pn`.
pub(super) fn tv_uu(b: &mut Builder, n: usize) -> TermId {
    let mut nested = b.indexed("p", n);
    for index in (1..n).rev() {
        let atom = b.indexed("p", index);
        let until = b.until(atom, nested);
        nested = if index == 1 { until } else { b.and(atom, until) };
    }
    let first = b.indexed("p", 1);
    let whole = b.implies(first, nested);
    b.globally(whole)
}

/// How a fairness constraint says that something is enabled.
pub(super) const WEAK: Wrap = Builder::almost_always;
/// How a fairness constraint says that something is enabled.
pub(super) const STRONG: Wrap = Builder::infinitely_often;

/// `enabled(e1) -> GF t1`, and so on up to `n`.
pub(super) fn fair(b: &mut Builder, enabled: Wrap, n: usize) -> TermId {
    b.over(Term::And, 1, n, |b, index| {
        let [e, t] = ["e", "t"].map(|name| b.indexed(name, index));
        let [e, t] = [enabled(b, e), b.infinitely_often(t)];
        b.implies(e, t)
    })
}

/// Fairness, and the last is enabled but is taken only finitely often.
pub(super) fn fair_but_last_starves(b: &mut Builder, enabled: Wrap, n: usize) -> TermId {
    let fair = fair(b, enabled, n);
    let [e, t] = ["e", "t"].map(|name| b.indexed(name, n));
    let e = enabled(b, e);
    let never = b.not(t);
    let never = b.almost_always(never);
    b.chain(Term::And, [fair, e, never])
}

/// Fairness, and a response property is violated.
pub(super) fn fair_but_no_response(b: &mut Builder, enabled: Wrap, n: usize) -> TermId {
    let fair = fair(b, enabled, n);
    let response = response(b);
    let violated = b.not(response);
    b.and(fair, violated)
}

/// Strong fairness, and all are enabled again and again.
pub(super) fn fair_and_all_enabled(b: &mut Builder, n: usize) -> TermId {
    let mut chain = fair(b, STRONG, n);
    for index in 1..=n {
        let e = b.indexed("e", index);
        let e = b.infinitely_often(e);
        chain = b.and(chain, e);
    }
    chain
}

/// `GF e1 -> GF e2`, and so on; the first happens, but not the last.
pub(super) fn fair_chain(b: &mut Builder, n: usize) -> TermId {
    let chain = b.over(Term::And, 1, n, |b, index| {
        let [e, t] = [index, index + 1].map(|index| b.indexed("e", index));
        let [e, t] = [b.infinitely_often(e), b.infinitely_often(t)];
        b.implies(e, t)
    });
    let [first, last] = [1, n + 1].map(|index| b.indexed("e", index));
    let first = b.infinitely_often(first);
    let never = b.not(last);
    let never = b.almost_always(never);
    b.chain(Term::And, [chain, first, never])
}
