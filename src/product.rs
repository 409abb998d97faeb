//! A transition system and the configurations of an automaton, side by side,
//! as a graph to be searched.
//!
//! A node is a state and a configuration. Its edges are the successors of the
//! state, each combined with the successors of the configuration under the
//! letter of the *source* state. The letter of a state is found once per visit
//! and interned, and so is the step of a configuration under a letter, so on
//! an edge the automaton costs a look-up.
//!
//! The room knows neither languages nor verdicts: a fault of the model ends
//! the exploration, and others say what that means.

mod letters;
mod nodes;

use crate::bdd::Diagrams;
use crate::configuration::{ConfigId, ConfigurationGraph, StepId};
use crate::id::Id;
use crate::search::limits::{Budget, Exhausted};
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};
use crate::store::{StateId, Store};
use crate::system::{self, Fault, TransitionId, TransitionSystem};
use crate::word::hash;
use letters::Letters;
use nodes::Nodes;

/// What a state without successors means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deadlock {
    /// The run stays there for ever.
    #[default]
    Stutter,
    /// The model is wrong.
    Report,
    /// No infinite run goes there.
    Ignore,
}

/// In which order successors are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Begin with the lane after the one that led here.
    #[default]
    Rotate,
    /// Always begin with the first lane.
    Fixed,
    /// Begin with a lane that depends on this seed and the node.
    Random(u64),
}

/// Why an exploration ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit was reached.
    Exhausted(Exhausted),
    /// The model goes wrong.
    Fault(Fault),
    /// A state has no successor, and that was to be reported.
    Deadlock,
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// The id of a state in `store`, if it may be stored.
///
/// # Errors
///
/// If the state is new and there may not be another one.
#[inline]
pub(crate) fn store_within(
    store: &mut Store,
    state: &[u64],
    budget: &Budget<'_>,
) -> Result<StateId, Exhausted> {
    budget.reserve(store.growth())?;
    match budget.limits().states {
        Some(limit) if limit <= store.len() => store.find(state).ok_or(Exhausted::States { limit }),
        _ => Ok(store.intern(state)),
    }
}

/// Where the enumeration of the edges of a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    stage: Stage,
    system: system::Cursor,
    /// The step of the configuration under the letter of the state.
    step: StepId,
    /// The transition at hand, and where it leads.
    transition: TransitionId,
    target: StateId,
    /// How many successors of the configuration have been combined with it.
    n_combined: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The state has not been looked at.
    Fresh,
    /// The system has been asked for no successor yet.
    First,
    /// A successor of the system is combined with those of the configuration.
    Combining,
    /// The same for the stuttering step of a deadlock.
    Stuttering,
    /// There are no more edges.
    Done,
}

impl Cursor {
    /// The transition of the edge that was enumerated last; nothing if the
    /// system did not move.
    #[must_use]
    pub fn taken(&self) -> Option<TransitionId> {
        (self.stage == Stage::Combining).then_some(self.transition)
    }
}

/// The product of a transition system and an automaton.
#[derive(Debug)]
pub struct Product<'a, S, D: Diagrams> {
    system: S,
    store: &'a mut Store,
    configurations: ConfigurationGraph<'a, D>,
    nodes: Nodes,
    letters: Letters,
    deadlock: Deadlock,
    order: Order,
    /// The state that has been loaded last, and its words.
    loaded: Option<StateId>,
    state: Vec<u64>,
    /// The words of a successor.
    target: Vec<u64>,
}

impl<'a, S: TransitionSystem, D: Diagrams> Product<'a, S, D> {
    /// The product of `system`, whose atoms are the first `n_atoms` of the
    /// automaton, and `configurations`. States are kept in `store`, which may
    /// hold some already.
    pub fn new(
        system: S,
        store: &'a mut Store,
        configurations: ConfigurationGraph<'a, D>,
        n_atoms: usize,
    ) -> Self {
        let n_words = system.n_words();
        Self {
            system,
            store,
            configurations,
            nodes: Nodes::default(),
            letters: Letters::new(n_atoms),
            deadlock: Deadlock::default(),
            order: Order::default(),
            loaded: None,
            state: vec![0; n_words],
            target: vec![0; n_words],
        }
    }

    /// The same product with other ways to treat deadlocks and to order
    /// successors.
    #[must_use]
    pub fn with(self, deadlock: Deadlock, order: Order) -> Self {
        Self { deadlock, order, ..self }
    }

    /// The state of a node.
    pub fn state(&mut self, node: NodeId) -> &[u64] {
        self.load(self.nodes.pair(node).0);
        &self.state
    }

    /// The configuration of a node.
    #[must_use]
    pub fn configuration(&self, node: NodeId) -> ConfigId {
        self.nodes.pair(node).1
    }

    /// The automaton's side.
    #[must_use]
    pub fn configurations(&self) -> &ConfigurationGraph<'a, D> {
        &self.configurations
    }

    /// The number of nodes.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The store of states.
    #[must_use]
    pub fn store(&self) -> &Store {
        self.store
    }

    fn load(&mut self, state: StateId) {
        if self.loaded != Some(state) {
            self.store.load(state, &mut self.state);
            self.loaded = Some(state);
        }
    }

    /// Looks at the state of a node for the first time.
    fn look(
        &mut self,
        (state, config): (StateId, ConfigId),
        cursor: &mut Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        self.load(state);
        if self.system.observe(&self.state, self.letters.buffer()).is_err() {
            self.observe_needed(config)?;
        }
        cursor.step = self.letters.step(config, &mut self.configurations);
        // Without a successor of the configuration those of the state do not
        // matter.
        let first = self.configurations.successor_of(cursor.step, 0, budget)?;
        cursor.stage = if first.is_some() { Stage::First } else { Stage::Done };
        Ok(())
    }

    /// Observes only what the configuration looks at: other atoms may go wrong.
    fn observe_needed(&mut self, config: ConfigId) -> Result<(), Fault> {
        self.letters.buffer().fill(0);
        for &atom in self.configurations.atoms(config) {
            if self.system.observe_atom(&self.state, atom)? {
                self.letters.buffer()[atom.index() / 64] |= 1 << (atom.index() % 64);
            }
        }
        Ok(())
    }

    /// Asks the system for its next successor.
    fn advance(
        &mut self,
        state: StateId,
        cursor: &mut Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        self.load(state);
        let next = self.system.next(&self.state, &mut cursor.system, &mut self.target)?;
        cursor.n_combined = 0;
        match next {
            Some(transition) => {
                cursor.transition = transition;
                cursor.target = store_within(self.store, &self.target, budget)?;
                cursor.stage = Stage::Combining;
            }
            None if cursor.stage != Stage::First => cursor.stage = Stage::Done,
            None => match self.deadlock {
                Deadlock::Stutter => {
                    cursor.target = state;
                    cursor.stage = Stage::Stuttering;
                }
                Deadlock::Report => return Err(Halt::Deadlock),
                Deadlock::Ignore => cursor.stage = Stage::Done,
            },
        }
        Ok(())
    }
}

impl<S: TransitionSystem, D: Diagrams> Graph for Product<'_, S, D> {
    type Cursor = Cursor;
    type Halt = Halt;

    fn initial(&mut self, budget: &mut Budget<'_>) -> Result<Vec<NodeId>, Halt> {
        let config = self.configurations.initial_configuration();
        let mut nodes = Vec::new();
        for state in self.system.initial_states() {
            budget.poll()?;
            let state = store_within(self.store, &state, budget)?;
            nodes.push(self.nodes.intern(state, config));
        }
        Ok(nodes)
    }

    fn cursor(&self, node: NodeId, hint: u32) -> Cursor {
        let n_lanes = self.system.n_lanes();
        let lane = match self.order {
            Order::Rotate => hint % n_lanes,
            Order::Fixed => 0,
            Order::Random(seed) => {
                let mixed = hash(&(seed, node)) % u64::from(n_lanes);
                u32::try_from(mixed).expect("less than a 32-bit number")
            }
        };
        Cursor {
            stage: Stage::Fresh,
            system: system::Cursor::starting_with(lane),
            step: StepId::new(0),
            transition: TransitionId::new(0),
            target: StateId::new(0),
            n_combined: 0,
        }
    }

    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Halt> {
        let pair = self.nodes.pair(source);
        loop {
            match cursor.stage {
                Stage::Fresh => self.look(pair, cursor, budget)?,
                Stage::First => self.advance(pair.0, cursor, budget)?,
                Stage::Done => return Ok(None),
                Stage::Combining | Stage::Stuttering => {
                    let index = cursor.n_combined as usize;
                    let successor = self.configurations.successor_of(cursor.step, index, budget)?;
                    let Some(successor) = successor else {
                        if cursor.stage == Stage::Stuttering {
                            cursor.stage = Stage::Done;
                        } else {
                            self.advance(pair.0, cursor, budget)?;
                        }
                        continue;
                    };
                    cursor.n_combined += 1;
                    let target = self.nodes.intern(cursor.target, successor.target);
                    let hint = cursor.taken().map_or(0, |taken| self.system.lane(taken) + 1);
                    return Ok(Some(Edge {
                        target,
                        missing: successor.missing,
                        label: Label::default(),
                        hint,
                    }));
                }
            }
        }
    }

    fn marks(&mut self) -> &mut MarkSets {
        self.configurations.marks()
    }

    fn n_states(&self, _: usize) -> usize {
        self.store.len()
    }
}
