//! Building terms without naming the arena at every step.
//!
//! All loops here are linear in what they build. Nothing is simplified.

use crate::ltl::{Formula, Term, TermId, Terms};

/// An arena with one method per operator that the families need.
#[derive(Default)]
pub(super) struct Builder {
    terms: Terms,
}

/// An operator with two operands, such as [`Term::Until`].
pub(super) type Binary = fn(TermId, TermId) -> Term;

impl Builder {
    pub(super) fn finish(self, root: TermId) -> Formula {
        Formula::new(self.terms, root)
    }

    /// The atom called `name`.
    pub(super) fn atom(&mut self, name: &str) -> TermId {
        self.terms.atom(name)
    }

    /// The atom called `name` followed by `index`.
    pub(super) fn indexed(&mut self, name: &str, index: usize) -> TermId {
        self.terms.atom(&format!("{name}{index}"))
    }

    pub(super) fn not(&mut self, a: TermId) -> TermId {
        self.terms.intern(Term::Not(a))
    }

    pub(super) fn next(&mut self, a: TermId) -> TermId {
        self.terms.intern(Term::Next(a))
    }

    /// `X` applied `n` times.
    pub(super) fn nexts(&mut self, n: usize, a: TermId) -> TermId {
        (0..n).fold(a, |a, _| self.next(a))
    }

    pub(super) fn finally(&mut self, a: TermId) -> TermId {
        self.terms.intern(Term::Finally(a))
    }

    pub(super) fn globally(&mut self, a: TermId) -> TermId {
        self.terms.intern(Term::Globally(a))
    }

    /// `G F a`.
    pub(super) fn infinitely_often(&mut self, a: TermId) -> TermId {
        let finally = self.finally(a);
        self.globally(finally)
    }

    /// `F G a`.
    pub(super) fn almost_always(&mut self, a: TermId) -> TermId {
        let globally = self.globally(a);
        self.finally(globally)
    }

    pub(super) fn binary(&mut self, operator: Binary, a: TermId, b: TermId) -> TermId {
        self.terms.intern(operator(a, b))
    }

    pub(super) fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Term::And, a, b)
    }

    pub(super) fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Term::Or, a, b)
    }

    pub(super) fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Term::Implies, a, b)
    }

    pub(super) fn until(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Term::Until, a, b)
    }

    /// `((1 op 2) op 3) op …`, for at least one operand.
    pub(super) fn chain(
        &mut self,
        operator: Binary,
        operands: impl IntoIterator<Item = TermId>,
    ) -> TermId {
        let chain = operands.into_iter().reduce(|a, b| self.binary(operator, a, b));
        chain.expect("a chain has at least one operand")
    }

    /// The chain of what `operand` makes of each index from `first` to `last`.
    pub(super) fn over(
        &mut self,
        operator: Binary,
        first: usize,
        last: usize,
        mut operand: impl FnMut(&mut Self, usize) -> TermId,
    ) -> TermId {
        let mut chain = operand(self, first);
        for index in first + 1..=last {
            let next = operand(self, index);
            chain = self.binary(operator, chain, next);
        }
        chain
    }

    /// `1 op (2 op (… op last))`, where each level is passed through `wrap`
    /// before it becomes a right operand. The operands come from the last to
    /// the first.
    pub(super) fn nest(
        &mut self,
        operator: Binary,
        n: usize,
        mut operand: impl FnMut(&mut Self, usize) -> TermId,
        mut wrap: impl FnMut(&mut Self, TermId) -> TermId,
    ) -> TermId {
        let mut nested = operand(self, n);
        for index in (1..n).rev() {
            let right = wrap(self, nested);
            let left = operand(self, index);
            nested = self.binary(operator, left, right);
        }
        nested
    }
}
