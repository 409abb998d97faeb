//! Linear temporal logic: hash-consed formulas as they were written.
//!
//! A [`Formula`] keeps every operator of the source text. [`nnf`] turns it
//! into negation normal form, a type of its own, on which [`simplify`] works
//! and from which automata are built. What a formula *means* is defined by
//! [`semantics`], which shares nothing with either.
//!
//! Formulas are flat arenas, and children have smaller ids than their
//! parents: a pass over a formula is a loop over the arena, never a recursion,
//! so nesting depth is bounded by memory alone.

pub mod constant;
pub mod distance;
mod dual;
pub mod family;
pub mod finite;
pub mod informative;
pub mod nnf;
pub mod parse;
pub mod print;
pub mod semantics;
pub mod simplify;
pub mod split;
pub mod stuttering;

use crate::id::{Id, IdVec, define_id};
use crate::intern::{Anchor, Index};
use crate::word::{AtomId, Atoms, hash};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

pub use parse::{ParseError, Syntax};

define_id! {
    /// A subformula, as numbered by [`Terms`].
    pub struct TermId;
}

/// One node of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// An atomic proposition.
    Atom(AtomId),
    /// Negation.
    Not(TermId),
    /// Conjunction.
    And(TermId, TermId),
    /// Disjunction.
    Or(TermId, TermId),
    /// Exclusive disjunction.
    Xor(TermId, TermId),
    /// Implication.
    Implies(TermId, TermId),
    /// Equivalence.
    Iff(TermId, TermId),
    /// `X`: at the next position.
    Next(TermId),
    /// `F`: at some position from now on.
    Finally(TermId),
    /// `G`: at all positions from now on.
    Globally(TermId),
    /// `U`: the right side comes, and until then the left side holds.
    Until(TermId, TermId),
    /// `R`: the right side holds up to and including the first position where
    /// the left side holds, or for ever.
    Release(TermId, TermId),
    /// `W`: until, or the left side for ever.
    WeakUntil(TermId, TermId),
    /// `M`: release, and the left side comes.
    StrongRelease(TermId, TermId),
}

impl Term {
    /// The direct subformulas, from left to right.
    #[must_use]
    pub fn children(self) -> impl DoubleEndedIterator<Item = TermId> {
        let (left, right) = match self {
            Self::True | Self::False | Self::Atom(_) => (None, None),
            Self::Not(a) | Self::Next(a) | Self::Finally(a) | Self::Globally(a) => (Some(a), None),
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Xor(a, b)
            | Self::Implies(a, b)
            | Self::Iff(a, b)
            | Self::Until(a, b)
            | Self::Release(a, b)
            | Self::WeakUntil(a, b)
            | Self::StrongRelease(a, b) => (Some(a), Some(b)),
        };
        left.into_iter().chain(right)
    }

    /// Whether the operator speaks of other positions than the present one.
    #[must_use]
    pub fn is_temporal(self) -> bool {
        matches!(
            self,
            Self::Next(_)
                | Self::Finally(_)
                | Self::Globally(_)
                | Self::Until(..)
                | Self::Release(..)
                | Self::WeakUntil(..)
                | Self::StrongRelease(..)
        )
    }

    /// Where the term is looked up in an arena.
    fn anchor(self) -> Anchor<TermId> {
        match self {
            Self::True => Anchor::Number(0),
            Self::False => Anchor::Number(1),
            Self::Atom(atom) => Anchor::Number(2 + atom.index()),
            _ => Anchor::of_children(self.children()),
        }
    }

    /// The same operator over other operands.
    #[must_use]
    pub fn map(self, mut change: impl FnMut(TermId) -> TermId) -> Self {
        match self {
            Self::True | Self::False | Self::Atom(_) => self,
            Self::Not(a) => Self::Not(change(a)),
            Self::Next(a) => Self::Next(change(a)),
            Self::Finally(a) => Self::Finally(change(a)),
            Self::Globally(a) => Self::Globally(change(a)),
            Self::And(a, b) => Self::And(change(a), change(b)),
            Self::Or(a, b) => Self::Or(change(a), change(b)),
            Self::Xor(a, b) => Self::Xor(change(a), change(b)),
            Self::Implies(a, b) => Self::Implies(change(a), change(b)),
            Self::Iff(a, b) => Self::Iff(change(a), change(b)),
            Self::Until(a, b) => Self::Until(change(a), change(b)),
            Self::Release(a, b) => Self::Release(change(a), change(b)),
            Self::WeakUntil(a, b) => Self::WeakUntil(change(a), change(b)),
            Self::StrongRelease(a, b) => Self::StrongRelease(change(a), change(b)),
        }
    }
}

/// An arena of terms in which equal terms have equal ids.
///
/// Invariant: the children of a term have smaller ids than the term.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    atoms: Atoms,
    terms: IdVec<TermId, Term>,
    by_value: Index<TermId>,
}

impl Terms {
    /// The id of `term`, which is numbered now if it is new.
    ///
    /// # Panics
    ///
    /// If a child of `term` is not in this arena.
    pub fn intern(&mut self, term: Term) -> TermId {
        assert!(term.children().all(|child| child.index() < self.terms.len()), "foreign child");
        let (terms, anchor) = (&mut self.terms, term.anchor());
        if let Some(id) = self.by_value.find(anchor, || hash(&term), |id| terms[id] == term) {
            return id;
        }
        let id = terms.push(term);
        self.by_value.insert(anchor, id, |id| hash(&terms[id]));
        id
    }

    /// The term for the atom called `name`.
    pub fn atom(&mut self, name: &str) -> TermId {
        let atom = self.atoms.intern(name);
        self.intern(Term::Atom(atom))
    }

    /// The term for `true` or `false`.
    pub fn constant(&mut self, value: bool) -> TermId {
        self.intern(if value { Term::True } else { Term::False })
    }

    /// The node `id`.
    #[must_use]
    pub fn term(&self, id: TermId) -> Term {
        self.terms[id]
    }

    /// The atoms of all terms.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// All terms, operands before the terms that use them.
    #[must_use]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + ExactSizeIterator + use<> {
        self.terms.ids()
    }

    /// The id of `term`, which is about other `atoms`, over other operands, as `copy` says.
    pub fn intern_copy(
        &mut self,
        term: Term,
        atoms: &Atoms,
        copy: impl FnMut(TermId) -> TermId,
    ) -> TermId {
        match term {
            Term::Atom(atom) => self.atom(atoms.name(atom)),
            other => self.intern(other.map(copy)),
        }
    }

    /// Copies `formula` into this arena.
    pub fn import(&mut self, formula: &Formula) -> TermId {
        let mut copies: IdVec<TermId, TermId> = IdVec::new();
        for (_, &term) in formula.terms.terms.entries() {
            copies.push(self.intern_copy(term, formula.atoms(), |child| copies[child]));
        }
        copies[formula.root]
    }
}

/// A formula of linear temporal logic.
///
/// ```
/// use lwaa::ltl::Formula;
/// let formula = Formula::parse("G (request -> F grant)")?;
/// assert_eq!(formula.to_string(), "G (request -> F grant)");
/// assert_eq!(formula.atoms().len(), 2);
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Formula {
    /// Contains nothing but what `root` can reach, in the order of creation.
    terms: Terms,
    root: TermId,
}

impl Formula {
    /// Reads a formula in the default syntax.
    ///
    /// # Errors
    ///
    /// If `text` is not a formula; the error says where and why.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        parse::parse(text, Syntax::Lwaa)
    }

    /// The formula `root` of an arena. Terms that it does not use are dropped.
    #[must_use]
    pub fn new(terms: Terms, root: TermId) -> Self {
        let mut used: IdVec<TermId, bool> = IdVec::filled(false, terms.len());
        used[root] = true;
        for id in terms.terms.ids().rev() {
            if used[id] {
                terms.term(id).children().for_each(|child| used[child] = true);
            }
        }
        if used.iter().all(|&used| used) {
            return Self { terms, root };
        }
        let mut kept = Terms::default();
        let mut copies: IdVec<TermId, TermId> = IdVec::filled(root, terms.len());
        for (id, &term) in terms.terms.entries() {
            if used[id] {
                copies[id] = kept.intern_copy(term, &terms.atoms, |child| copies[child]);
            }
        }
        Self { root: copies[root], terms: kept }
    }

    /// The atoms that occur in the formula.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.terms.atoms
    }

    /// The arena of the subformulas.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The whole formula as one of its own subformulas.
    #[must_use]
    pub fn root(&self) -> TermId {
        self.root
    }

    /// The number of distinct subformulas.
    #[must_use]
    pub fn n_terms(&self) -> usize {
        self.terms.len()
    }

    /// A subformula as a formula of its own. Takes no longer than it is large.
    #[must_use]
    pub fn subformula(&self, id: TermId) -> Self {
        let mut used = vec![id];
        let mut met: HashSet<TermId, FxBuildHasher> = [id].into_iter().collect();
        let mut next = 0;
        while let Some(&at) = used.get(next) {
            next += 1;
            used.extend(self.terms.term(at).children().filter(|&child| met.insert(child)));
        }
        // Operands before what uses them.
        used.sort_unstable();
        let mut terms = Terms::default();
        let mut copies: HashMap<TermId, TermId, FxBuildHasher> = HashMap::default();
        for at in used {
            let term = self.terms.term(at);
            copies.insert(at, terms.intern_copy(term, self.atoms(), |child| copies[&child]));
        }
        Self { root: copies[&id], terms }
    }

    /// The formulas that this one is a conjunction of, from left to right; the formula
    /// itself if it is no conjunction.
    ///
    /// ```
    /// use lwaa::Formula;
    /// let formula = Formula::parse("a & G (b & c) & (X b & !a)")?;
    /// let conjuncts: Vec<String> = formula.conjuncts().iter().map(ToString::to_string).collect();
    /// assert_eq!(conjuncts, ["a", "G (b & c)", "X b", "!a"]);
    /// # Ok::<(), lwaa::ltl::ParseError>(())
    /// ```
    #[must_use]
    pub fn conjuncts(&self) -> Vec<Self> {
        let mut open = vec![self.root];
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            match self.terms.term(id) {
                Term::And(left, right) => open.extend([right, left]),
                _ => found.push(self.subformula(id)),
            }
        }
        found
    }

    /// The negation.
    #[must_use]
    pub fn negated(&self) -> Self {
        let mut terms = self.terms.clone();
        let root = terms.intern(Term::Not(self.root));
        Self { terms, root }
    }

    /// `self` and `other` under one binary operator, for example
    /// [`Term::Implies`].
    #[must_use]
    pub fn combined(&self, operator: impl FnOnce(TermId, TermId) -> Term, other: &Self) -> Self {
        let mut terms = self.terms.clone();
        let right = terms.import(other);
        let root = terms.intern(operator(self.root, right));
        Self { terms, root }
    }
}

/// Two formulas are equal when they are written with the same operators over
/// atoms of the same names.
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        let mut terms = self.terms.clone();
        terms.import(other) == self.root
    }
}

impl Eq for Formula {}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Formula({self})")
    }
}

impl std::str::FromStr for Formula {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}
