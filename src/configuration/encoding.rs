//! Which number stands for which atom, location or loop, and in which order
//! decision diagrams ask for them.
//!
//! A loop is asked for just before its location, and both near the atoms of
//! the same transition: with all atoms above all locations,
//! `⋀ (pᵢ ∨ qᵢ)` would be exponential.

use crate::dag::Shape;
use crate::id::{Id, IdVec, define_id};
use crate::lwaa::{Leaf, LocationId, Lwaa, TransitionId};
use crate::word::AtomId;

define_id! {
    /// An atom, a location or a loop, as numbered by an [`Encoding`].
    pub(super) struct VariableId;
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    Atom(AtomId),
    Location(LocationId),
    Loop(LocationId),
}

/// The numbering of the variables of one automaton.
#[derive(Clone, Debug)]
pub(super) struct Encoding {
    n_atoms: usize,
    /// The place of each variable in the order of the diagrams.
    places: IdVec<VariableId, u32>,
}

impl Encoding {
    /// The variables of `lwaa`, and of as many loops without a location as
    /// asked for: they are numbered behind the locations.
    pub(super) fn new(lwaa: &Lwaa, n_more_loops: usize) -> Self {
        let n_atoms = lwaa.atoms().len();
        let n_variables = n_atoms + 2 * (lwaa.n_locations() + n_more_loops);
        let mut order = Order {
            encoding: Self { n_atoms, places: IdVec::filled(u32::MAX, n_variables) },
            n_placed: 0,
            seen: IdVec::filled(false, lwaa.transitions().len()),
        };
        for (_, location) in lwaa.locations().rev() {
            order.place_all(lwaa, location.step);
        }
        // What no location asks for: atoms of signs, loops without a location.
        for number in 0..n_variables {
            order.place(VariableId::new(number));
        }
        order.encoding
    }

    pub(super) fn n_variables(&self) -> usize {
        self.places.len()
    }

    pub(super) fn atom(&self, atom: AtomId) -> VariableId {
        debug_assert!(atom.index() < self.n_atoms);
        VariableId::new(atom.index())
    }

    pub(super) fn location(&self, location: LocationId) -> VariableId {
        VariableId::new(self.n_atoms + 2 * location.index())
    }

    pub(super) fn loop_of(&self, location: LocationId) -> VariableId {
        VariableId::new(self.n_atoms + 2 * location.index() + 1)
    }

    pub(super) fn is_atom(&self, variable: VariableId) -> bool {
        variable.index() < self.n_atoms
    }

    pub(super) fn variable(&self, id: VariableId) -> Variable {
        match id.index().checked_sub(self.n_atoms) {
            None => Variable::Atom(AtomId::new(id.index())),
            Some(code) if code % 2 == 0 => Variable::Location(LocationId::new(code / 2)),
            Some(code) => Variable::Loop(LocationId::new(code / 2)),
        }
    }

    /// The variable of a leaf, and whether it is asked to be true.
    #[inline]
    pub(super) fn of_leaf(&self, leaf: Leaf) -> Option<(VariableId, bool)> {
        match leaf {
            Leaf::True | Leaf::False => None,
            Leaf::Literal { atom, positive } => Some((self.atom(atom), positive)),
            Leaf::Location(location) => Some((self.location(location), true)),
            Leaf::Loop(location) => Some((self.loop_of(location), true)),
        }
    }

    /// The place of `variable` in the order of the diagrams.
    pub(super) fn place(&self, variable: VariableId) -> u32 {
        self.places[variable]
    }
}

/// The order while it is made: variables in the order of their first
/// occurrence, highest locations first.
struct Order {
    encoding: Encoding,
    n_placed: u32,
    seen: IdVec<TransitionId, bool>,
}

impl Order {
    fn place_all(&mut self, lwaa: &Lwaa, root: TransitionId) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.seen[id], true) {
                continue;
            }
            match lwaa.transitions().shape(id) {
                Shape::Leaf(Leaf::Location(location) | Leaf::Loop(location)) => {
                    self.place(self.encoding.loop_of(location));
                    self.place(self.encoding.location(location));
                }
                Shape::Leaf(leaf) => {
                    if let Some((variable, _)) = self.encoding.of_leaf(leaf) {
                        self.place(variable);
                    }
                }
                Shape::And(list) | Shape::Or(list) => open.extend(list.iter().rev()),
            }
        }
    }

    fn place(&mut self, variable: VariableId) {
        let place = &mut self.encoding.places[variable];
        if *place == u32::MAX {
            *place = self.n_placed;
            self.n_placed += 1;
        }
    }
}
