//! The families that are more than one template repeated.
//!
//! `n` is never below the minimum that the table says.

use super::builder::{Binary, Builder, Unary};
use crate::ltl::{Term, TermId};

/// `p1 op (p2 op (p3 op …))`.
pub(super) fn to_the_right(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    b.nest(operator, "p_", 1..=n, |_, nested| nested)
}

/// `F(p1 & between F(p2 & between …))`, and the same for `q`.
pub(super) fn ccj(b: &mut Builder, templates: [&str; 2], between: Unary, n: usize) -> TermId {
    let [p, q] = templates.map(|template| {
        let nested = b.nest(Term::And, template, 1..=n, |b, nested| b.unary(between, nested));
        b.unary(Term::Finally, nested)
    });
    b.and(p, q)
}

/// `F(p & X p & XX p & …)`, and the same for `q`.
pub(super) fn ccj_beta_prime(b: &mut Builder, n: usize) -> TermId {
    let [p, q] = ["p", "q"].map(|atom| {
        let chain = delays(b, Term::And, atom, n);
        b.unary(Term::Finally, chain)
    });
    b.and(p, q)
}

/// `a op X a op XX a op …`, with `n` operands.
fn delays(b: &mut Builder, operator: Binary, atom: &str, n: usize) -> TermId {
    let mut delayed = b.with(atom, &[]);
    let mut chain = delayed;
    for _ in 1..n {
        delayed = b.next(delayed);
        chain = b.binary(operator, chain, delayed);
    }
    chain
}

/// `outer(p0 op X inner(p1 op X inner(… pn)))`: one more atom than `n`.
pub(super) fn zigzag(
    b: &mut Builder,
    operator: Binary,
    [outer, inner]: [Unary; 2],
    n: usize,
) -> TermId {
    let nested = b.nest(operator, "p_", 0..=n, |b, nested| {
        let nested = b.unary(inner, nested);
        b.next(nested)
    });
    b.unary(outer, nested)
}

/// `GF(a op X…X a)`.
pub(super) fn gf_delayed(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    let a = b.with("a", &[]);
    let delayed = b.nexts(n, a);
    let both = b.binary(operator, a, delayed);
    b.with("G F both", &[("both", both)])
}

/// `(GF a1 & … & GF an) op GF z`.
pub(super) fn gf_together(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    let all = b.each(Term::And, "G F a_", n);
    let z = b.with("G F z", &[]);
    b.binary(operator, all, z)
}

/// `!((GF p1 & … & GF pn) -> G(q -> F r))`.
pub(super) fn go_theta(b: &mut Builder, n: usize) -> TermId {
    let fair = b.each(Term::And, "G F p_", n);
    b.with("!(fair -> G (q -> F r))", &[("fair", fair)])
}

/// `FG(a | b) | FG(!a | X b) | FG(a | XX b) | …`, with `n` + 1 disjuncts.
pub(super) fn ms_phi_h(b: &mut Builder, n: usize) -> TermId {
    let mut chain = b.with("F G (a | b)", &[]);
    let mut delayed = b.with("b", &[]);
    for index in 1..=n {
        delayed = b.next(delayed);
        let text = if index % 2 == 0 { "F G (a | b)" } else { "F G (!a | b)" };
        let next = b.with(text, &[("b", delayed)]);
        chain = b.binary(Term::Or, chain, next);
    }
    chain
}

/// `GF an U G(GF a(n-1) U G(… (GF a0 U b)))`.
pub(super) fn sejk_f(b: &mut Builder, n: usize) -> TermId {
    let last = b.with("b", &[]);
    let a = b.at("G F a_", 0);
    let nested = b.binary(Term::Until, a, last);
    (1..=n).fold(nested, |nested, index| {
        let a = b.at("G F a_", index);
        b.with("a U G nested", &[("a", a), ("nested", nested)])
    })
}

/// `(GF a1 & … & GF an) -> (GF b1 & … & GF bn)`.
pub(super) fn sejk_j(b: &mut Builder, n: usize) -> TermId {
    let [left, right] = ["G F a_", "G F b_"].map(|template| b.each(Term::And, template, n));
    b.binary(Term::Implies, left, right)
}

/// `G(p -> (q op X q op XX q op …))`, with `n` times `q`.
pub(super) fn delays_after_p(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    // Atoms are numbered as the text has them.
    b.with("p", &[]);
    let all = delays(b, operator, "q", n);
    b.with("G (p -> all)", &[("all", all)])
}

/// `G(p -> (q op X(q op X(q op …))))`, with `n` times `q`.
pub(super) fn nested_after_p(b: &mut Builder, operator: Binary, n: usize) -> TermId {
    b.with("p", &[]);
    let all = b.nest(operator, "q", 1..=n, Builder::next);
    b.with("G (p -> all)", &[("all", all)])
}

/// `G(p1 -> (p1 U (p2 & (p2 U (p3 & …)))))`, up to `… U pn`.
pub(super) fn tv_uu(b: &mut Builder, n: usize) -> TermId {
    let mut nested = b.at("p_", n);
    for index in (2..n).rev() {
        let atom = b.at("p_", index);
        nested = b.with("p & (p U nested)", &[("p", atom), ("nested", nested)]);
    }
    b.with("G (p1 -> p1 U nested)", &[("nested", nested)])
}

/// Weak fairness of an action that is taken where `t` is true and enabled where `e` is.
pub(super) const WEAK: &str = "F G e_ -> G F t_";
/// Strong fairness of it.
pub(super) const STRONG: &str = "G F e_ -> G F t_";

/// Fairness, and the last is enabled, as `enabled` says, but is taken only finitely often.
pub(super) fn fair_but_last_starves(
    b: &mut Builder,
    fairness: &str,
    enabled: &str,
    n: usize,
) -> TermId {
    let fair = b.each(Term::And, fairness, n);
    let last = [b.at(enabled, n), b.at("F G !t_", n)];
    b.chain(Term::And, [fair, last[0], last[1]])
}

/// Fairness, and a response property is violated.
pub(super) fn fair_but_no_response(b: &mut Builder, fairness: &str, n: usize) -> TermId {
    let fair = b.each(Term::And, fairness, n);
    b.with("fair & !G (q -> F r)", &[("fair", fair)])
}

/// Strong fairness, and all are enabled again and again.
pub(super) fn fair_and_all_enabled(b: &mut Builder, n: usize) -> TermId {
    let fair = b.each(Term::And, STRONG, n);
    (1..=n).fold(fair, |chain, index| {
        let enabled = b.at("G F e_", index);
        b.and(chain, enabled)
    })
}

/// `GF e1 -> GF e2`, and so on; the first happens, but not the last.
pub(super) fn fair_chain(b: &mut Builder, n: usize) -> TermId {
    let chain = b.each(Term::And, "G F e_ -> G F e__", n);
    let ends = [b.at("G F e_", 1), b.at("F G !e_", n + 1)];
    b.chain(Term::And, [chain, ends[0], ends[1]])
}
