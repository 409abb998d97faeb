//! Linear weak alternating automata: locations in their linear order, each
//! with a transition formula and a rank.
//!
//! The automaton follows definition 4 and the table of section 2.3 of
//! [Ham04]. Its *q*, *δ(q)* and *ρ(q)* are [`Location`],
//! [`Location::transition`] and [`Location::rank`]. Transition formulas are
//! one shared [`Transitions`] arena, so an automaton is linear in the formula
//! DAG, never in the tree.
//!
//! [Ham04]: crate::references::ham04

pub mod build;
pub mod dot;
pub mod edges;
pub mod hoa;
mod infix;
pub mod membership;
pub(crate) mod names;
pub mod reduce;
pub mod text;

use crate::dag::{self, Dag, Shape};
use crate::id::{Id, IdVec, define_id};
use crate::intern::Anchor;
use crate::ltl::Formula;
use crate::ltl::nnf::{self, Nnf, NodeId};
use crate::word::{AtomId, Atoms};
use std::sync::Arc;

define_id! {
    /// A location of an automaton. Transitions lead only to locations with an
    /// id at most their own: the automaton is very weak by numbering.
    pub struct LocationId;
}

define_id! {
    /// A positive boolean formula over locations and literals, as numbered by
    /// [`Transitions`].
    pub struct TransitionId;
}

/// What a transition formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// Allows every letter and asks for no location.
    True,
    /// Allows no letter.
    False,
    /// Reads an atom of the present letter.
    Literal {
        /// The atom.
        atom: AtomId,
        /// Whether it must be true.
        positive: bool,
    },
    /// Asks for a location in the next configuration.
    Location(LocationId),
    /// Is paid by an until-like location that takes its own loop in this step.
    /// Occurs in [`Location::step`] only.
    Loop(LocationId),
}

impl dag::Leaf<TransitionId> for Leaf {
    fn anchor(self) -> Anchor<TransitionId> {
        Anchor::Number(match self {
            Self::True => 0,
            Self::False => 1,
            Self::Literal { atom, positive } => 2 + 4 * atom.index() + usize::from(positive),
            Self::Location(location) => 4 + 4 * location.index(),
            Self::Loop(location) => 5 + 4 * location.index(),
        })
    }
}

/// The arena of transition formulas.
#[derive(Clone, Debug)]
pub struct Transitions(Dag<TransitionId, Leaf>);

impl Default for Transitions {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Transitions {
    /// The formula [`Leaf::True`].
    pub const TRUE: TransitionId = TransitionId(0);
    /// The formula [`Leaf::False`].
    pub const FALSE: TransitionId = TransitionId(1);

    /// An arena with room for about `n_formulas` formulas.
    #[must_use]
    pub fn with_capacity(n_formulas: usize) -> Self {
        let mut dag = Dag::with_capacity(n_formulas);
        let constants = [Leaf::True, Leaf::False].map(|leaf| dag.intern(Shape::Leaf(leaf)));
        debug_assert_eq!(constants, [Self::TRUE, Self::FALSE]);
        Self(dag)
    }

    /// The formula that is one leaf.
    pub fn leaf(&mut self, leaf: Leaf) -> TransitionId {
        self.0.intern(Shape::Leaf(leaf))
    }

    /// The conjunction of `operands` without constants and repetitions. The
    /// slice is sorted, and what is in it afterwards has no meaning.
    pub fn and(&mut self, operands: &mut [TransitionId]) -> TransitionId {
        self.join(operands, Self::TRUE, Self::FALSE, Shape::And)
    }

    /// The disjunction of `operands` without constants and repetitions. The
    /// slice is sorted, and what is in it afterwards has no meaning.
    pub fn or(&mut self, operands: &mut [TransitionId]) -> TransitionId {
        self.join(operands, Self::FALSE, Self::TRUE, Shape::Or)
    }

    fn join<'a>(
        &mut self,
        operands: &'a mut [TransitionId],
        neutral: TransitionId,
        absorbing: TransitionId,
        operator: impl FnOnce(&'a [TransitionId]) -> Shape<'a, TransitionId, Leaf>,
    ) -> TransitionId {
        operands.sort_unstable();
        let mut n_kept = 0;
        for index in 0..operands.len() {
            let operand = operands[index];
            if operand == absorbing {
                return absorbing;
            }
            if operand != neutral && (n_kept == 0 || operands[n_kept - 1] != operand) {
                operands[n_kept] = operand;
                n_kept += 1;
            }
        }
        match operands[..n_kept] {
            [] => neutral,
            [only] => only,
            _ => self.0.intern(operator(&operands[..n_kept])),
        }
    }

    /// The node `id`.
    #[must_use]
    #[inline]
    pub fn shape(&self, id: TransitionId) -> Shape<'_, TransitionId, Leaf> {
        self.0.shape(id)
    }

    /// The number of formulas.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no formula; never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All ids, operands before the formulas that use them.
    #[must_use]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TransitionId> + ExactSizeIterator + use<> {
        self.0.ids()
    }
}

define_id! {
    /// The name of a state that became a location.
    pub struct NameId;
}

/// What a location was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A subformula, which holds wherever the location is entered.
    Formula(NodeId),
    /// A state of an automaton that was read, and its name if it had one.
    State(Option<NameId>),
}

impl Origin {
    /// The subformula that the location was made of, if it was one.
    #[must_use]
    pub fn formula(self) -> Option<NodeId> {
        match self {
            Self::Formula(formula) => Some(formula),
            Self::State(_) => None,
        }
    }
}

/// One location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// What the location was made of.
    pub origin: Origin,
    /// The transition formula *δ(q)*.
    pub transition: TransitionId,
    /// *δ⁺(q)*: the same, but an until-like location's reference to itself
    /// also asks for [`Leaf::Loop`].
    pub step: TransitionId,
    /// The rank *ρ(q)*: even if a run may stay for ever, odd if not.
    pub rank: u32,
    /// Whether the location belongs to an until: it can take its own loop,
    /// and must not do so for ever.
    pub until: bool,
}

/// A linear weak alternating automaton.
///
/// ```
/// use lwaa::{Formula, Lwaa};
/// let automaton = Lwaa::from_formula(&Formula::parse("G (request -> F grant)")?);
/// assert_eq!(automaton.n_locations(), 2);
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lwaa {
    /// The formula of which the locations are subformulas; without nodes but
    /// the constants if the automaton was read.
    /// Shared, since reduction keeps it.
    nnf: Arc<Nnf>,
    /// The names of the states that locations were made of.
    names: IdVec<NameId, Box<str>>,
    transitions: Transitions,
    locations: IdVec<LocationId, Location>,
    /// In increasing order, without repetition.
    initial: Vec<LocationId>,
}

impl Lwaa {
    /// Simplifies `formula`, translates it and reduces the automaton.
    #[must_use]
    pub fn from_formula(formula: &Formula) -> Self {
        let nnf = crate::ltl::simplify::simplify(&nnf::from_formula(formula));
        reduce::reduce(&build::from_nnf(nnf))
    }

    /// The names of the atoms.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.nnf.atoms
    }

    /// The formula of which the locations are subformulas. An automaton that
    /// was read has none, and this is then `true` over its atoms.
    #[must_use]
    pub fn nnf(&self) -> &Nnf {
        &self.nnf
    }

    /// The arena of the transition formulas.
    #[must_use]
    pub fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// The location `id`.
    #[must_use]
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id]
    }

    /// All locations with their ids, lowest in the linear order first.
    #[must_use]
    pub fn locations(
        &self,
    ) -> impl DoubleEndedIterator<Item = (LocationId, &Location)> + ExactSizeIterator {
        self.locations.entries()
    }

    /// The number of locations.
    #[must_use]
    pub fn n_locations(&self) -> usize {
        self.locations.len()
    }

    /// How many locations have each transition formula, of which `formula` chooses one, and how
    /// many of those formulas that are used have it as an operand.
    pub(crate) fn n_uses(
        &self,
        formula: impl Fn(&Location) -> TransitionId,
    ) -> IdVec<TransitionId, u32> {
        let mut n_uses = IdVec::filled(0, self.transitions.len());
        self.locations.iter().for_each(|location| n_uses[formula(location)] += 1);
        // Operands have smaller ids than what uses them.
        for id in self.transitions.ids().rev() {
            if n_uses[id] != 0 {
                self.transitions.shape(id).operands().iter().for_each(|&part| n_uses[part] += 1);
            }
        }
        n_uses
    }

    /// The initial configuration, in increasing order.
    #[must_use]
    pub fn initial(&self) -> &[LocationId] {
        &self.initial
    }
}
