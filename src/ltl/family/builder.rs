//! Building terms without naming the arena at every step.
//!
//! Parts of formulas are written as text: *templates*, in whose atoms underscores at the end stand
//! for a number. All loops here are linear in what they build. Nothing is simplified.

use crate::id::IdVec;
use crate::ltl::{Formula, Term, TermId, Terms};

/// An arena that reads templates.
#[derive(Default)]
pub(super) struct Builder {
    terms: Terms,
}

/// An operator with one operand, such as [`Term::Finally`].
pub(super) type Unary = fn(TermId) -> Term;

/// An operator with two operands, such as [`Term::Until`].
pub(super) type Binary = fn(TermId, TermId) -> Term;

impl Builder {
    pub(super) fn finish(self, root: TermId) -> Formula {
        Formula::new(self.terms, root)
    }

    /// What `template` says about `index`: `p_` is the atom `p` with this number, `p__` that with
    /// the next one.
    pub(super) fn at(&mut self, template: &str, index: usize) -> TermId {
        self.instance(&parsed(template), index, &[])
    }

    /// The formula `text`, in which the atoms with these names stand for these terms.
    pub(super) fn with(&mut self, text: &str, terms: &[(&str, TermId)]) -> TermId {
        self.instance(&parsed(text), 0, terms)
    }

    fn instance(&mut self, template: &Formula, index: usize, named: &[(&str, TermId)]) -> TermId {
        let mut copies: IdVec<TermId, TermId> = IdVec::new();
        for id in template.terms().ids() {
            let copy = match template.terms().term(id) {
                Term::Atom(atom) => {
                    let name = template.atoms().name(atom);
                    let term = named.iter().find(|(other, _)| *other == name);
                    term.map_or_else(|| self.atom(name, index), |&(_, term)| term)
                }
                other => self.terms.intern(other.map(|child| copies[child])),
            };
            copies.push(copy);
        }
        copies[template.root()]
    }

    fn atom(&mut self, name: &str, index: usize) -> TermId {
        let stem = name.trim_end_matches('_');
        match name.len() - stem.len() {
            0 => self.terms.atom(name),
            n_marks => self.terms.atom(&format!("{stem}{}", index + n_marks - 1)),
        }
    }

    pub(super) fn unary(&mut self, operator: Unary, a: TermId) -> TermId {
        self.terms.intern(operator(a))
    }

    pub(super) fn next(&mut self, a: TermId) -> TermId {
        self.unary(Term::Next, a)
    }

    /// `X` applied `n` times.
    pub(super) fn nexts(&mut self, n: usize, a: TermId) -> TermId {
        (0..n).fold(a, |a, _| self.next(a))
    }

    pub(super) fn binary(&mut self, operator: Binary, a: TermId, b: TermId) -> TermId {
        self.terms.intern(operator(a, b))
    }

    pub(super) fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(Term::And, a, b)
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

    /// The chain of what `template` says about each number from 1 to `n`.
    pub(super) fn each(&mut self, operator: Binary, template: &str, n: usize) -> TermId {
        let template = parsed(template);
        let mut chain = self.instance(&template, 1, &[]);
        for index in 2..=n {
            let next = self.instance(&template, index, &[]);
            chain = self.binary(operator, chain, next);
        }
        chain
    }

    /// `first op (… op last)`, where each operand is what `template` says about its number, and
    /// each level is passed through `wrap` before it becomes a right operand. The operands come
    /// from the last to the first.
    pub(super) fn nest(
        &mut self,
        operator: Binary,
        template: &str,
        numbers: std::ops::RangeInclusive<usize>,
        mut wrap: impl FnMut(&mut Self, TermId) -> TermId,
    ) -> TermId {
        let template = parsed(template);
        let mut numbers = numbers.rev();
        let last = numbers.next().expect("there is at least one operand");
        let mut nested = self.instance(&template, last, &[]);
        for index in numbers {
            let right = wrap(self, nested);
            let left = self.instance(&template, index, &[]);
            nested = self.binary(operator, left, right);
        }
        nested
    }
}

fn parsed(template: &str) -> Formula {
    Formula::parse(template).expect("templates are formulas")
}
