//! The letters that states and edges of a model have, interned, and the edges
//! of each automaton state that read them.
//!
//! A letter is what is true in a state; where the automaton reads which
//! transition is taken, the letter of an edge is that of its source with more
//! atoms. Which edges an automaton state has under a letter is found once.

use super::nba::{Nba, StateId};
use crate::id::{Id, IdVec, define_id};
use crate::search::MarksId;
use crate::system::{TransitionId, TransitionSystem};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A letter that some state or edge has.
    pub(super) struct LetterId;
}

/// With at most so many atoms a letter is found in a table.
const MAX_FEW: usize = 12;

/// How many letters have a table of what is enabled under them; a table for
/// more would be mostly empty.
const MAX_EARLY: usize = 256;

/// Where an automaton goes under a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Enabled {
    pub(super) target: StateId,
    /// The acceptance sets that the edge is not in.
    pub(super) missing: MarksId,
}

/// A part of the list of all enabled edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    start: u32,
    len: u32,
}

impl Range {
    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Letters met so far.
#[derive(Debug)]
pub(super) struct Letters {
    n_atoms: usize,
    /// Letters of few atoms, by their bits.
    few: Vec<Option<LetterId>>,
    /// Letters of more atoms.
    many: HashMap<Box<[u64]>, LetterId, FxBuildHasher>,
    /// The bits of each letter.
    bits: IdVec<LetterId, Box<[u64]>>,
    /// What letters become when a transition is taken.
    with_transitions: HashMap<(LetterId, TransitionId), LetterId, FxBuildHasher>,
    /// What is enabled under the first letters, by letter and state.
    early: IdVec<LetterId, IdVec<StateId, Option<Range>>>,
    /// The same under later letters.
    late: HashMap<(LetterId, StateId), Range, FxBuildHasher>,
    /// All enabled edges that have been found.
    enabled: Vec<Enabled>,
}

impl Letters {
    pub(super) fn new(n_atoms: usize) -> Self {
        Self {
            n_atoms,
            few: vec![None; if n_atoms <= MAX_FEW { 1 << n_atoms } else { 0 }],
            many: HashMap::default(),
            bits: IdVec::new(),
            with_transitions: HashMap::default(),
            early: IdVec::new(),
            late: HashMap::default(),
            enabled: Vec::new(),
        }
    }

    /// The letter of what has been observed.
    #[inline]
    pub(super) fn letter(&mut self, observed: &[u64]) -> LetterId {
        if self.n_atoms <= MAX_FEW {
            let bits = usize::try_from(observed[0]).expect("few bits");
            let letters = &mut self.bits;
            return *self.few[bits].get_or_insert_with(|| letters.push(observed.into()));
        }
        if let Some(&known) = self.many.get(observed) {
            return known;
        }
        let letter = self.bits.push(observed.into());
        self.many.insert(observed.into(), letter);
        letter
    }

    /// The letter of an edge: that of its source, and that a transition is
    /// taken.
    pub(super) fn with_transition(
        &mut self,
        letter: LetterId,
        transition: TransitionId,
        system: &impl TransitionSystem,
    ) -> LetterId {
        if let Some(&known) = self.with_transitions.get(&(letter, transition)) {
            return known;
        }
        let mut observed = self.bits[letter].to_vec();
        system.takes(transition, &mut observed);
        let taken = self.letter(&observed);
        self.with_transitions.insert((letter, transition), taken);
        taken
    }

    /// The edges of `state` that read `letter`.
    #[inline]
    pub(super) fn enabled(&mut self, state: StateId, letter: LetterId, automaton: &Nba) -> Range {
        if MAX_EARLY <= letter.index() {
            if let Some(&known) = self.late.get(&(letter, state)) {
                return known;
            }
            let range = self.find_enabled(state, letter, automaton);
            self.late.insert((letter, state), range);
            return range;
        }
        self.early.grow_to(letter, IdVec::new());
        if let Some(&Some(known)) = self.early[letter].get(state) {
            return known;
        }
        let range = self.find_enabled(state, letter, automaton);
        self.early[letter].grow_to(state, None);
        self.early[letter][state] = Some(range);
        range
    }

    /// Each target once for the acceptance sets that it is reached with, and
    /// not at all with sets that another edge there has and more.
    fn find_enabled(&mut self, state: StateId, letter: LetterId, automaton: &Nba) -> Range {
        let start = self.enabled.len();
        let bits = &self.bits[letter];
        for edge in automaton.edges(state) {
            if !automaton.cube(edge.cube).allows_bits(bits) {
                continue;
            }
            let (target, missing) = (edge.target, automaton.missing(edge));
            let sets = |id| automaton.mark_sets().elements(id);
            let is_worse = |less: MarksId, more: MarksId| {
                sets(less).iter().all(|set| sets(more).binary_search(set).is_ok())
            };
            let mut index = start;
            let mut is_needed = true;
            while let Some(&other) = self.enabled.get(index) {
                if other.target == target && is_worse(other.missing, missing) {
                    is_needed = false;
                    break;
                }
                if other.target == target && is_worse(missing, other.missing) {
                    self.enabled.remove(index);
                } else {
                    index += 1;
                }
            }
            if is_needed {
                self.enabled.push(Enabled { target, missing });
            }
        }
        let len = self.enabled.len() - start;
        let number = |number: usize| u32::try_from(number).expect("fewer than 2^32 edges");
        Range { start: number(start), len: number(len) }
    }

    /// An edge of a range.
    #[inline]
    pub(super) fn edge(&self, range: Range, index: u32) -> Option<Enabled> {
        (index < range.len).then(|| self.enabled[(range.start + index) as usize])
    }
}
