//! Documents of the HOA format to explicit automata.
//!
//! If the condition has one case in which nothing is avoided, states stay as
//! they are. Otherwise there is a copy of the automaton in which runs wait, in
//! no acceptance set, and one for every case, which runs enter when they have
//! visited for the last time what the case avoids.

use super::condition::{Case, TooComplicated, cases};
use crate::baseline::cube::Cube;
use crate::baseline::guard::{Aliases, TooManyCubes, cubes_with};
use crate::baseline::nba::{Builder, Nba, StateId};
use crate::hoa::{self, Automaton, SetId};
use crate::id::Id;
use crate::search::MarkId;

/// Why a document is not a nondeterministic automaton that we read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FromHoaError {
    /// An edge enters several states at once.
    #[error(
        "the automaton is alternating: an edge of state {} enters several states at once",
        .0.index()
    )]
    UniversalBranching(hoa::StateId),
    /// Runs begin in several states at once.
    #[error("the automaton is alternating: its runs begin in several states at once")]
    UniversalStart,
    /// A line of the header may change the meaning in an unknown way.
    #[error("the line `{0}:` of the header may change the meaning of the automaton")]
    UnknownHeader(String),
    /// The acceptance condition is too complicated.
    #[error(transparent)]
    Acceptance(#[from] TooComplicated),
    /// A label is too complicated.
    #[error("state {}: {error}", .state.index())]
    Label {
        /// The state whose edge has it.
        state: hoa::StateId,
        /// What is wrong with it.
        error: TooManyCubes,
    },
}

impl Nba {
    /// The automaton that a document describes.
    ///
    /// # Errors
    ///
    /// If it is alternating, not entirely understood or too complicated.
    pub fn from_hoa(automaton: &Automaton) -> Result<Self, FromHoaError> {
        let unknown = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
        if let Some(header) = automaton.headers.iter().find(|header| unknown(&header.name)) {
            return Err(FromHoaError::UnknownHeader(header.name.clone()));
        }
        let cases = cases(&automaton.acceptance.condition)?;
        let waits = !matches!(&cases[..], [case] if case.avoided.is_empty());
        let n_sets = cases.iter().map(|case| case.clauses.len()).max().unwrap_or(0);
        // The reader ends in any case.
        let n_sets = if waits { n_sets.max(1) } else { n_sets };
        let mut copies = Copies {
            builder: Builder::new(automaton.atoms.clone(), n_sets),
            waits,
            n_states: automaton.states.len(),
            cases: &cases,
        };
        let n_copies = cases.len() + usize::from(copies.waits);
        for _ in 0..n_copies * copies.n_states {
            copies.builder.add_state();
        }
        for start in &automaton.start {
            let [state] = start[..] else { return Err(FromHoaError::UniversalStart) };
            copies.add_initial(state);
        }
        let mut aliases = Aliases::default();
        automaton.aliases.iter().for_each(|alias| aliases.push(&alias.label));
        for (id, state) in automaton.states.entries() {
            for (index, edge) in state.edges.iter().enumerate() {
                let [target] = edge.targets[..] else {
                    return Err(FromHoaError::UniversalBranching(id));
                };
                let sets = [state.sets.as_slice(), &edge.sets].concat();
                let cubes = cubes_with(&automaton.label(state, index), &aliases)
                    .map_err(|error| FromHoaError::Label { state: id, error })?;
                for cube in &cubes {
                    copies.add_edge(id, cube, &sets, target);
                }
            }
        }
        Ok(copies.builder.finish())
    }
}

/// The edges of a document, one for each cube of a label; nothing if a label is too
/// complicated.
pub(in crate::baseline) fn n_edges(automaton: &Automaton) -> Option<usize> {
    let mut aliases = Aliases::default();
    automaton.aliases.iter().for_each(|alias| aliases.push(&alias.label));
    let mut sum = 0;
    for state in &automaton.states {
        for index in 0..state.edges.len() {
            sum += cubes_with(&automaton.label(state, index), &aliases).ok()?.len();
        }
    }
    Some(sum)
}

/// The automaton in the making.
struct Copies<'a> {
    builder: Builder,
    /// Whether the first copy is the one in which runs wait.
    waits: bool,
    /// Of each copy.
    n_states: usize,
    cases: &'a [Case],
}

impl Copies<'_> {
    fn state(&self, copy: usize, state: hoa::StateId) -> StateId {
        StateId::new(copy * self.n_states + state.index())
    }

    /// The copies of the cases.
    fn numbered(&self) -> impl Iterator<Item = (usize, &Case)> {
        (usize::from(self.waits)..).zip(self.cases)
    }

    fn add_initial(&mut self, state: hoa::StateId) {
        let n_copies = self.cases.len() + usize::from(self.waits);
        for copy in 0..n_copies {
            self.builder.add_initial(self.state(copy, state));
        }
    }

    /// Adds an edge in the sets `sets` to all copies in which it may be taken.
    fn add_edge(
        &mut self,
        source: hoa::StateId,
        cube: &Cube,
        sets: &[SetId],
        target: hoa::StateId,
    ) {
        let mut edges: Vec<(StateId, Vec<MarkId>, StateId)> = Vec::new();
        for (copy, case) in self.numbered() {
            let goal = self.state(copy, target);
            if self.waits {
                edges.push((self.state(0, source), vec![], goal));
            }
            if case.avoided.iter().any(|avoided| avoided.contains(sets)) {
                continue;
            }
            // What a case does not ask for is always there.
            let asked = |set: &MarkId| {
                let clause = case.clauses.get(set.index());
                clause.is_none_or(|clause| clause.iter().any(|visited| visited.contains(sets)))
            };
            let marks = self.builder.all_sets().filter(asked).collect();
            edges.push((self.state(copy, source), marks, goal));
        }
        if self.waits {
            edges.push((self.state(0, source), vec![], self.state(0, target)));
        }
        for (source, marks, target) in edges {
            self.builder.add_edge(source, cube, marks, target);
        }
    }
}
