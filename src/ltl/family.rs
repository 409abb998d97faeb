//! Parametric families of formulas, for benches and tests.
//!
//! [`FAMILIES`] is one table. Most definitions are well known from the
//! literature and are collected in the `genltl` tool of Spot, whose names we
//! use: Gastin and Oddoux 2001 (`go-`), Geldenhuys and Hansen 2006 (`gh-`),
//! Cichoń, Czubak and Jasiński 2009 (`ccj-`), Müller and Sickert 2017 (`ms-`),
//! Sickert, Esparza, Jaax and Křetínský 2016 (`sejk-`), Tabakov and Vardi 2010
//! (`tv-`). The counters and the families with names in capitals are those of
//! Rozier and Vardi 2007. The fairness families (`sf-` strong, `wf-` weak) are
//! our own.
//!
//! A family builds its formula directly as a shared graph, in time linear in
//! `n`, also where the text of the formula is quadratic. Formulas are not
//! simplified here: what is trivial in them is part of the test.

mod builder;
mod counters;
mod shapes;

use super::{Formula, Term, TermId};
use builder::Builder;

/// A formula for every number from [`Family::minimum`] to
/// [`Family::MAXIMUM`].
pub struct Family {
    /// What the family is called on the command line.
    pub name: &'static str,
    /// The formula in general, on one line.
    pub description: &'static str,
    /// Whether its formulas are satisfiable: all of them are, or none.
    pub satisfiable: bool,
    /// The least number that there is a formula for.
    pub minimum: usize,
    build: fn(&mut Builder, usize) -> TermId,
}

impl Family {
    /// The greatest number that there is a formula for, in every family. It is
    /// so small that the numbers of all subformulas fit into 32 bits.
    pub const MAXIMUM: usize = 10_000_000;

    /// The formula number `n`.
    ///
    /// ```
    /// use lwaa::ltl::family;
    /// let family = family::find("go-theta").expect("there is such a family");
    /// assert_eq!(family.formula(2)?.to_string(), "!(G F p1 & G F p2 -> G (q -> F r))");
    /// # Ok::<(), family::OutOfRange>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `n` is less than the minimum or more than the maximum.
    pub fn formula(&self, n: usize) -> Result<Formula, OutOfRange> {
        if n < self.minimum || Self::MAXIMUM < n {
            return Err(OutOfRange { family: self.name, n, minimum: self.minimum });
        }
        let mut builder = Builder::default();
        let root = (self.build)(&mut builder, n);
        Ok(builder.finish(root))
    }
}

impl std::fmt::Debug for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Family({})", self.name)
    }
}

/// A family has no formula with this number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the family {family} is for numbers from {minimum} to {}, not {n}", Family::MAXIMUM)]
pub struct OutOfRange {
    /// The name of the family.
    pub family: &'static str,
    /// What was asked for.
    pub n: usize,
    /// The least number that there is a formula for.
    pub minimum: usize,
}

/// The family called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

type Build = fn(&mut Builder, usize) -> TermId;

const fn sat(
    name: &'static str,
    description: &'static str,
    minimum: usize,
    build: Build,
) -> Family {
    Family { name, description, satisfiable: true, minimum, build }
}

const fn unsat(
    name: &'static str,
    description: &'static str,
    minimum: usize,
    build: Build,
) -> Family {
    Family { name, description, satisfiable: false, minimum, build }
}

/// All families, sorted by name.
pub static FAMILIES: &[Family] = &[
    sat("C1", "GF p1 | … | GF pn", 1, |b, n| b.each(Term::Or, "G F p_", n)),
    sat("C2", "GF p1 & … & GF pn", 1, |b, n| b.each(Term::And, "G F p_", n)),
    sat("E", "F p1 & … & F pn", 1, |b, n| b.each(Term::And, "F p_", n)),
    sat("Q", "(F p1 | G p2) & … & (F p(n-1) | G pn)", 2, |b, n| {
        b.each(Term::And, "F p_ | G p__", n - 1)
    }),
    sat("R", "(GF p1 | FG p2) & … & (GF p(n-1) | FG pn)", 2, |b, n| {
        b.each(Term::And, "G F p_ | F G p__", n - 1)
    }),
    sat("S", "G p1 | … | G pn", 1, |b, n| b.each(Term::Or, "G p_", n)),
    sat("U", "((p1 U p2) U p3) … U pn", 1, |b, n| b.each(Term::Until, "p_", n)),
    sat("U2", "p1 U (p2 U (p3 … U pn))", 1, |b, n| shapes::to_the_right(b, Term::Until, n)),
    sat("and-f", "F p1 & … & F pn", 1, |b, n| b.each(Term::And, "F p_", n)),
    sat("and-fg", "FG p1 & … & FG pn", 1, |b, n| b.each(Term::And, "F G p_", n)),
    sat("and-gf", "GF p1 & … & GF pn", 1, |b, n| b.each(Term::And, "G F p_", n)),
    sat("ccj-alpha", "F(p1 & F(p2 & … F pn)) & F(q1 & F(q2 & … F qn))", 1, |b, n| {
        shapes::ccj(b, ["p_", "q_"], Term::Finally, n)
    }),
    sat("ccj-beta", "F(p & X(p & … X p)) & F(q & X(q & … X q)), n times p", 1, |b, n| {
        shapes::ccj(b, ["p", "q"], Term::Next, n)
    }),
    sat(
        "ccj-beta-prime",
        "F(p & X p & XX p & …) & F(q & X q & XX q & …), n times p",
        1,
        shapes::ccj_beta_prime,
    ),
    sat("counter", "an n-bit counter that flips bits", 1, |b, n| counters::counter(b, n, false)),
    sat("counter-carry", "an n-bit counter with a carry", 1, |b, n| {
        counters::counter_with_carry(b, n, false)
    }),
    sat("counter-carry-linear", "counter-carry with X factored out", 1, |b, n| {
        counters::counter_with_carry(b, n, true)
    }),
    sat("counter-linear", "counter with X factored out", 1, |b, n| counters::counter(b, n, true)),
    sat("fxg-or", "F(p0 | XG(p1 | XG(p2 | … XG pn)))", 0, |b, n| {
        shapes::zigzag(b, Term::Or, [Term::Finally, Term::Globally], n)
    }),
    sat("gf-equiv", "GF a1 & … & GF an <-> GF z", 1, |b, n| shapes::gf_together(b, Term::Iff, n)),
    sat("gf-equiv-xn", "GF(a <-> X…X a), n times X", 0, |b, n| {
        shapes::gf_delayed(b, Term::Iff, n)
    }),
    sat("gf-implies", "GF a1 & … & GF an -> GF z", 1, |b, n| {
        shapes::gf_together(b, Term::Implies, n)
    }),
    sat("gf-implies-xn", "GF(a -> X…X a), n times X", 0, |b, n| {
        shapes::gf_delayed(b, Term::Implies, n)
    }),
    sat("gh-q", "(F p1 | G p2) & … & (F pn | G p(n+1))", 1, |b, n| {
        b.each(Term::And, "F p_ | G p__", n)
    }),
    sat("gh-r", "(GF p1 | FG p2) & … & (GF pn | FG p(n+1))", 1, |b, n| {
        b.each(Term::And, "G F p_ | F G p__", n)
    }),
    sat("go-theta", "!(GF p1 & … & GF pn -> G(q -> F r))", 1, shapes::go_theta),
    sat("gxf-and", "G(p0 & XF(p1 & XF(p2 & … XF pn)))", 0, |b, n| {
        shapes::zigzag(b, Term::And, [Term::Globally, Term::Finally], n)
    }),
    sat("ms-phi-h", "FG(a | b) | FG(!a | X b) | FG(a | XX b) | …, up to n times X", 0, {
        shapes::ms_phi_h
    }),
    sat("or-fg", "FG p1 | … | FG pn", 1, |b, n| b.each(Term::Or, "F G p_", n)),
    sat("or-g", "G p1 | … | G pn", 1, |b, n| b.each(Term::Or, "G p_", n)),
    sat("or-gf", "GF p1 | … | GF pn", 1, |b, n| b.each(Term::Or, "G F p_", n)),
    sat("r-left", "((p1 R p2) R p3) … R pn", 1, |b, n| b.each(Term::Release, "p_", n)),
    sat("r-right", "p1 R (p2 R (p3 … R pn))", 1, |b, n| {
        shapes::to_the_right(b, Term::Release, n)
    }),
    sat("sejk-f", "GF an U G(… GF a1 U G(GF a0 U b))", 0, shapes::sejk_f),
    sat("sejk-j", "GF a1 & … & GF an -> GF b1 & … & GF bn", 1, shapes::sejk_j),
    sat("sejk-k", "(GF a1 | FG b1) & … & (GF an | FG bn)", 1, |b, n| {
        b.each(Term::And, "G F a_ | F G b_", n)
    }),
    sat("sf-all-enabled-sat", "sf-sat & GF e1 & … & GF en", 1, shapes::fair_and_all_enabled),
    unsat(
        "sf-chain-unsat",
        "(GF e1 -> GF e2) & … & (GF en -> GF e(n+1)) & GF e1 & FG !e(n+1)",
        1,
        shapes::fair_chain,
    ),
    sat("sf-response-violable-sat", "sf-sat & !G(q -> F r)", 1, |b, n| {
        shapes::fair_but_no_response(b, shapes::STRONG, n)
    }),
    sat("sf-sat", "(GF e1 -> GF t1) & … & (GF en -> GF tn)", 1, |b, n| {
        b.each(Term::And, shapes::STRONG, n)
    }),
    unsat("sf-starve-last-unsat", "sf-sat & GF en & FG !tn", 1, |b, n| {
        shapes::fair_but_last_starves(b, shapes::STRONG, "G F e_", n)
    }),
    sat("tv-f1", "G(p -> (q | X q | XX q | …)), n times q", 1, |b, n| {
        shapes::delays_after_p(b, Term::Or, n)
    }),
    sat("tv-f2", "G(p -> (q | X(q | X(q | …)))), n times q", 1, |b, n| {
        shapes::nested_after_p(b, Term::Or, n)
    }),
    sat("tv-g1", "G(p -> (q & X q & XX q & …)), n times q", 1, |b, n| {
        shapes::delays_after_p(b, Term::And, n)
    }),
    sat("tv-g2", "G(p -> (q & X(q & X(q & …)))), n times q", 1, |b, n| {
        shapes::nested_after_p(b, Term::And, n)
    }),
    sat("tv-uu", "G(p1 -> (p1 U (p2 & (p2 U (p3 & … (p(n-1) U pn))))))", 2, shapes::tv_uu),
    sat("u-left", "((p1 U p2) U p3) … U pn", 1, |b, n| b.each(Term::Until, "p_", n)),
    sat("u-right", "p1 U (p2 U (p3 … U pn))", 1, |b, n| shapes::to_the_right(b, Term::Until, n)),
    sat("wf-response-violable-sat", "wf-sat & !G(q -> F r)", 1, |b, n| {
        shapes::fair_but_no_response(b, shapes::WEAK, n)
    }),
    sat("wf-sat", "(FG e1 -> GF t1) & … & (FG en -> GF tn)", 1, |b, n| {
        b.each(Term::And, shapes::WEAK, n)
    }),
    unsat("wf-starve-last-unsat", "wf-sat & FG en & FG !tn", 1, |b, n| {
        shapes::fair_but_last_starves(b, shapes::WEAK, "F G e_", n)
    }),
];

#[cfg(test)]
mod tests;
