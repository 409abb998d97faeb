//! What leads a search to a violation: the successors of a state in the order of how near they are
//! to what the automaton asks for next.
//!
//! The system says how far a state is from making atoms true or false, the automaton makes one
//! distance of these for what it asks for, and successors are tried in increasing distance. A
//! violation that is a few steps away is found in a few steps then, however many others there are.
//!
//! The order of successors is a function of the state, the state of the automaton and the lane
//! that comes first. It is kept for the node that was asked for last. A depth-first search comes
//! back to a node once for each new node behind it, and the order is found again then: on average
//! this is done twice for each node, and nothing has to be kept for nodes on the path.

use super::moves::AutomatonSide;
use crate::id::Id;
use crate::ltl::distance::Needs;
use crate::ltl::nnf::NodeId;
use crate::recurrence::Recurrence;
use crate::search::SignId;
use crate::system::{Cursor, Fault, Reduced, StepError, TransitionId, TransitionSystem};
use crate::word::{AtomId, Distance};

/// What is known about the order of successors.
#[derive(Debug)]
pub(super) struct Guide {
    /// What a cycle has to show again and again, and what not: predicates, and whether each is
    /// to be true.
    recurring: Option<(Needs, Vec<(NodeId, bool)>)>,
    /// The distances of atoms.
    atoms: Vec<Distance>,
    /// For which state, state of the automaton and first lane the order is known.
    state: Vec<u64>,
    of: usize,
    first: u32,
    /// The steps by distance, and where each is found again.
    steps: Vec<(u32, Cursor)>,
    target: Vec<u64>,
}

impl Guide {
    /// Nothing is known yet about the order of the successors of `system`, which has so many
    /// atoms.
    pub(super) fn new(system: &impl TransitionSystem, n_atoms: usize) -> Self {
        Self {
            recurring: None,
            atoms: vec![Distance::default(); n_atoms],
            state: Vec::new(),
            of: 0,
            first: 0,
            steps: Vec::new(),
            target: vec![0; system.n_words()],
        }
    }

    /// From now on, successors are also nearer if they are nearer to what every accepting cycle
    /// shows, and to what none shows not to be.
    pub(super) fn ask(&mut self, recurrence: &Recurrence) {
        let forbidden = recurrence.acceptance().forbidden();
        let required = recurrence.acceptance().required();
        let asked = |sign: SignId| {
            let is_wanted = required.contains(&sign);
            if forbidden.contains(sign) { Some(false) } else { is_wanted.then_some(true) }
        };
        let signs = recurrence.signs();
        let asked: Vec<(NodeId, bool)> =
            signs.filter_map(|(sign, predicate)| Some((predicate, asked(sign)?))).collect();
        let predicates = asked.iter().map(|&(predicate, _)| predicate);
        let needs = Needs::new(recurrence.predicates(), predicates);
        self.recurring = (!asked.is_empty()).then_some((needs, asked));
    }

    /// Finds the order of the successors of a state.
    fn order<S: TransitionSystem, A: AutomatonSide>(
        &mut self,
        (system, automaton): (&mut S, &mut A),
        state: &[u64],
        of: A::State,
        first: u32,
    ) {
        self.state.clear();
        self.state.extend_from_slice(state);
        (self.of, self.first) = (of.index(), first);
        self.steps.clear();
        let mut cursor = Cursor::starting_with(first);
        loop {
            let before = cursor;
            let distance = match system.next(state, &mut cursor, &mut self.target) {
                Ok(None) => break,
                Ok(Some(_)) => {
                    system.distances(&self.target, &mut self.atoms);
                    let next = automaton.distance(of, &self.atoms);
                    Distance::sum(next, self.recurring())
                }
                // What goes wrong may be a violation.
                Err(_) => 0,
            };
            self.steps.push((distance, before));
        }
        // Steps that are as near stay in the order in which the system has them.
        self.steps.sort_by_key(|&(distance, _)| distance);
    }

    /// How far atoms with these distances are from what cycles have to show.
    fn recurring(&mut self) -> u32 {
        let Some((needs, asked)) = &mut self.recurring else { return 0 };
        needs.evaluate(&self.atoms);
        let each = asked.iter().map(|&(predicate, truth)| needs.distance(predicate).to(truth));
        each.fold(0, Distance::sum)
    }
}

/// A system whose successors come in the order of a guide, at a state of an automaton. A cursor
/// only counts.
pub(super) struct Guided<'a, S, A: AutomatonSide> {
    pub(super) system: &'a mut S,
    pub(super) automaton: &'a mut A,
    pub(super) of: A::State,
    pub(super) guide: &'a mut Guide,
}

impl<S: TransitionSystem, A: AutomatonSide> TransitionSystem for Guided<'_, S, A> {
    fn n_words(&self) -> usize {
        self.system.n_words()
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        self.system.initial_states()
    }

    fn n_lanes(&self) -> u32 {
        self.system.n_lanes()
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        self.system.lane(transition)
    }

    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let guide = &mut *self.guide;
        let key = (self.of.index(), cursor.first);
        if (guide.of, guide.first) != key || guide.state != state {
            guide.order((&mut *self.system, &mut *self.automaton), state, self.of, cursor.first);
        }
        let Some(&(_, mut step)) = guide.steps.get(cursor.position as usize) else {
            return Ok(None);
        };
        cursor.position += 1;
        self.system.next(state, &mut step, target)
    }

    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        self.system.observe(state, letter)
    }

    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        self.system.takes(transition, letter);
    }

    fn distances(&mut self, state: &[u64], distances: &mut [Distance]) {
        self.system.distances(state, distances);
    }

    fn is_end(&mut self, state: &[u64]) -> bool {
        self.system.is_end(state)
    }

    fn reduced(&self) -> Option<Reduced> {
        self.system.reduced()
    }

    fn observe_atom(&mut self, state: &[u64], atom: AtomId) -> Result<bool, Fault> {
        self.system.observe_atom(state, atom)
    }
}
