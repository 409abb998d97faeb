//! Nondeterministic automata with explicit states and generalized Büchi
//! acceptance on edges.
//!
//! One type serves for all stages of a pipeline. A word is accepted if a run
//! that begins in an initial state and reads it is in every acceptance set
//! infinitely often; without sets every infinite run is accepting. A *Büchi
//! automaton* has one set, and is [state based](Nba::is_state_based): either all
//! edges that leave a state are in the set, or none is. Every edge has one cube
//! for a label, so a disjunction is several edges.

use super::cube::Cube;
use crate::id::{Id, IdVec, define_id};
use crate::search::{MarkId, MarkSets, MarksId};
use crate::sets::distinct;
use crate::word::Atoms;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A state of an [`Nba`].
    pub struct StateId;
}

define_id! {
    /// A label of an [`Nba`].
    pub struct CubeId;
}

/// An edge of an [`Nba`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The letters that it reads.
    pub cube: CubeId,
    /// The acceptance sets that it is in.
    pub sets: MarksId,
    /// Where it leads.
    pub target: StateId,
}

/// A nondeterministic automaton on infinite words.
///
/// ```
/// use lwaa::baseline::{Cube, nba::{Builder, Nba}};
/// use lwaa::word::Atoms;
/// let mut atoms = Atoms::default();
/// let p = atoms.intern("p");
/// let mut builder = Builder::new(atoms, 1);
/// let (wait, done) = (builder.add_state(), builder.add_state());
/// builder.add_initial(wait);
/// builder.add_edge(wait, &Cube::truth(), [], wait);
/// builder.add_edge(wait, &Cube::literal(p, true), [], done);
/// builder.add_edge(done, &Cube::truth(), builder.all_sets(), done);
/// let automaton: Nba = builder.finish();
/// assert_eq!((automaton.n_states(), automaton.n_edges()), (2, 3));
/// assert!(automaton.is_state_based());
/// ```
#[derive(Clone, Debug)]
pub struct Nba {
    atoms: Atoms,
    n_sets: usize,
    initial: Vec<StateId>,
    cubes: IdVec<CubeId, Cube>,
    sets: MarkSets,
    /// The sets that are not in each set of them.
    missing: IdVec<MarksId, MarksId>,
    edges: Vec<Edge>,
    /// Where the edges of each state begin; one more at the end.
    starts: Vec<usize>,
}

impl Nba {
    /// The names of the atoms.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// The number of acceptance sets.
    #[must_use]
    pub fn n_sets(&self) -> usize {
        self.n_sets
    }

    /// The initial states, without repetition.
    #[must_use]
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }

    /// The number of states.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.starts.len() - 1
    }

    /// All states.
    #[must_use]
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<> {
        (0..self.n_states()).map(StateId::new)
    }

    /// The number of edges.
    #[must_use]
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// The edges that leave a state.
    #[inline]
    #[must_use]
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[self.starts[state.index()]..self.starts[state.index() + 1]]
    }

    /// A label.
    #[inline]
    #[must_use]
    pub fn cube(&self, cube: CubeId) -> &Cube {
        &self.cubes[cube]
    }

    /// All labels.
    #[must_use]
    pub fn cubes(&self) -> &IdVec<CubeId, Cube> {
        &self.cubes
    }

    /// Some acceptance sets, in increasing order.
    #[must_use]
    pub fn sets(&self, sets: MarksId) -> &[MarkId] {
        self.sets.elements(sets)
    }

    /// The interned sets of acceptance sets: those of edges and their
    /// complements.
    #[must_use]
    pub fn mark_sets(&self) -> &MarkSets {
        &self.sets
    }

    /// The acceptance sets that an edge is not in, as one of
    /// [`mark_sets`](Nba::mark_sets).
    #[inline]
    #[must_use]
    pub fn missing(&self, edge: &Edge) -> MarksId {
        self.missing[edge.sets]
    }

    /// Whether all edges that leave a state are in the same acceptance sets.
    #[must_use]
    pub fn is_state_based(&self) -> bool {
        self.states().all(|state| {
            let edges = self.edges(state);
            edges.iter().all(|edge| edge.sets == edges[0].sets)
        })
    }

    /// Whether all edges that leave a state are in all acceptance sets, and
    /// there is one.
    #[must_use]
    pub fn is_accepting(&self, state: StateId) -> bool {
        let edges = self.edges(state);
        !edges.is_empty() && edges.iter().all(|edge| self.missing[edge.sets] == MarkSets::empty())
    }
}

/// An automaton in the making.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    atoms: Atoms,
    n_sets: usize,
    n_states: usize,
    initial: Vec<StateId>,
    cubes: IdVec<CubeId, Cube>,
    cube_ids: HashMap<Cube, CubeId, FxBuildHasher>,
    sets: MarkSets,
    edges: Vec<(StateId, Edge)>,
}

impl Builder {
    /// An automaton without states.
    #[must_use]
    pub fn new(atoms: Atoms, n_sets: usize) -> Self {
        Self { atoms, n_sets, ..Self::default() }
    }

    /// Adds a state.
    pub fn add_state(&mut self) -> StateId {
        self.n_states += 1;
        StateId::new(self.n_states - 1)
    }

    /// The number of edges so far, with those added twice.
    #[must_use]
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// Makes a state an initial one.
    pub fn add_initial(&mut self, state: StateId) {
        if !self.initial.contains(&state) {
            self.initial.push(state);
        }
    }

    /// All acceptance sets, for [`add_edge`](Builder::add_edge).
    pub fn all_sets(&self) -> impl Iterator<Item = MarkId> + use<> {
        (0..self.n_sets).map(MarkId::new)
    }

    /// Adds an edge. One that is there already is not added again.
    ///
    /// # Panics
    ///
    /// If a state or an acceptance set does not exist.
    pub fn add_edge(
        &mut self,
        source: StateId,
        cube: &Cube,
        sets: impl IntoIterator<Item = MarkId>,
        target: StateId,
    ) {
        assert!(source.index() < self.n_states && target.index() < self.n_states, "a state");
        let sets: Vec<MarkId> = distinct(sets);
        assert!(sets.iter().all(|set| set.index() < self.n_sets), "an acceptance set");
        let sets = self.sets.intern(&sets);
        let cubes = &mut self.cubes;
        let cube = match self.cube_ids.get(cube) {
            Some(&known) => known,
            None => *self.cube_ids.entry(cube.clone()).or_insert_with(|| cubes.push(cube.clone())),
        };
        self.edges.push((source, Edge { cube, sets, target }));
    }

    /// The automaton. The edges of a state keep their order.
    #[must_use]
    pub fn finish(mut self) -> Nba {
        let mut seen = hashbrown::HashSet::with_hasher(FxBuildHasher);
        self.edges.retain(|&edge| seen.insert(edge));
        self.edges.sort_by_key(|&(source, _)| source);
        let mut starts = vec![0; self.n_states + 1];
        self.edges.iter().for_each(|(source, _)| starts[source.index() + 1] += 1);
        for state in 0..self.n_states {
            starts[state + 1] += starts[state];
        }
        let mut missing = IdVec::new();
        for number in 0..self.sets.len() {
            let earned = self.sets.elements(MarksId::new(number));
            let rest =
                (0..self.n_sets).map(MarkId::new).filter(|set| earned.binary_search(set).is_err());
            let rest: Vec<MarkId> = rest.collect();
            missing.push(self.sets.intern(&rest));
        }
        Nba {
            atoms: self.atoms,
            n_sets: self.n_sets,
            initial: self.initial,
            cubes: self.cubes,
            sets: self.sets,
            missing,
            edges: self.edges.into_iter().map(|(_, edge)| edge).collect(),
            starts,
        }
    }
}
