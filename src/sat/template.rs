//! One step of an automaton as clauses, to be copied for each position of a word.
//!
//! A *frame* has a variable for each location (it is in the configuration), each
//! atom, and each until (it takes its own loop, [`Leaf::Loop`]), and auxiliary
//! ones. A step relates a frame to the locations of the next one: each location of
//! the configuration has its transition formula δ⁺ satisfied.
//!
//! Transition formulas are positive in locations and loops. So a location implies
//! its formula and not the other way round, and a solver may always leave a location
//! out that no clause uses.

use super::clauses::{Clauses, Writer};
use super::solver::Literal;
use crate::id::Id;
use crate::lwaa::{Leaf, LocationId, Lwaa};
use crate::word::AtomId;

/// The clauses of a step.
#[derive(Debug)]
pub struct Template {
    n_locations: usize,
    n_atoms: usize,
    /// The locations that can take loops.
    untils: Vec<LocationId>,
    /// Variables of a frame.
    n_variables: usize,
    clauses: Clauses,
}

impl Template {
    /// The clauses of a step of `lwaa`.
    ///
    /// # Panics
    ///
    /// If a formula asks for the loop of a location that is no until.
    #[must_use]
    pub fn new(lwaa: &Lwaa) -> Self {
        let untils: Vec<LocationId> =
            lwaa.locations().filter(|(_, location)| location.until).map(|(id, _)| id).collect();
        let (n_locations, n_atoms) = (lwaa.n_locations(), lwaa.atoms().len());
        let literal = |leaf: Leaf| match leaf {
            Leaf::True | Leaf::False => unreachable!("constants are no leaves of clauses"),
            Leaf::Literal { atom, positive } => Literal::new(n_locations + atom.index(), positive),
            Leaf::Location(location) => Literal::positive(NEXT + location.index()),
            Leaf::Loop(location) => {
                let until = untils.binary_search(&location).expect("only untils have loops");
                Literal::positive(n_locations + n_atoms + until)
            }
        };
        let n_uses = lwaa.n_uses(|location| location.step);
        let n_named = n_locations + n_atoms + untils.len();
        let mut writer = Writer::new(lwaa.transitions(), n_named, literal, |part| 1 < n_uses[part]);
        for (id, location) in lwaa.locations() {
            writer.imply(Some(Literal::positive(id.index())), location.step);
        }
        let (mut clauses, n_variables) = writer.finish();
        // Locations of the next frame follow the variables of this one.
        for literal in clauses.literals_mut() {
            if let Some(location) = literal.variable().checked_sub(NEXT) {
                *literal = Literal::new(n_variables + location, literal.is_positive());
            }
        }
        Self { n_locations, n_atoms, untils, n_variables, clauses }
    }

    /// Variables of a frame. The locations come first.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    pub(super) fn n_locations(&self) -> usize {
        self.n_locations
    }

    /// The locations that can take loops; they have consecutive variables.
    pub(super) fn untils(&self) -> &[LocationId] {
        &self.untils
    }

    /// The variable for `location`.
    #[must_use]
    pub fn location(location: LocationId) -> usize {
        location.index()
    }

    pub(super) fn atom(&self, atom: AtomId) -> usize {
        self.n_locations + atom.index()
    }

    /// The variable for the loop of the until with this number.
    pub(super) fn taken_loop(&self, until: usize) -> usize {
        self.n_locations + self.n_atoms + until
    }

    /// All clauses. A variable that a frame does not have is a location of the
    /// next one, after [`n_variables`](Self::n_variables) others.
    pub fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        self.clauses.iter()
    }
}

/// Stands for the first location of the next frame until the number of
/// auxiliary variables is known.
const NEXT: usize = 1 << 28;
