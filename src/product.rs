//! A transition system and the configurations of an automaton, side by side,
//! as a graph to be searched.
//!
//! A node is a state and a configuration. Its edges are the successors of the
//! state, each combined with the successors of the configuration under the
//! letter of the edge: what is true in the *source* state, and what is taken.
//! The letter of a state is found once per visit and interned, and so is the
//! step of a configuration under a letter, so on an edge the automaton costs a
//! look-up.
//!
//! The room knows neither languages nor verdicts: a fault of the model ends
//! the exploration, and others say what that means.

mod actions;
mod edge_signs;
mod letters;
mod lookahead;
mod nodes;
mod treatment;

use crate::bdd::Diagrams;
use crate::configuration::{ConfigId, ConfigurationGraph, StepId};
use crate::id::{Id, IdVec};
use crate::recurrence::Recurrence;
use crate::search::limits::{Budget, Exhausted};
use crate::search::signs::Signs;
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};
use crate::store::{StateId, StateStore, StoreError};
use crate::system::{self, TransitionId, TransitionSystem};
use crate::word::{AtomId, hash};
use actions::{ActionId, Actions};
use edge_signs::EdgeSigns;
use letters::{LetterId, Letters};
use lookahead::{Lookahead, Next};
use nodes::Nodes;

pub use treatment::{Deadlock, Errors, Halt, Treatment, Watch};

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

/// The id of a state in `store`, if it may be stored.
///
/// # Errors
///
/// If the state is new and there may not be another one.
#[inline]
pub(crate) fn store_within(
    store: &mut impl StateStore,
    state: &[u64],
    budget: &Budget<'_>,
) -> Result<StateId, Exhausted> {
    budget.reserve(store.growth())?;
    match budget.limits().states {
        Some(limit) if limit <= store.len() => store.find(state).ok_or(Exhausted::States { limit }),
        _ => store.intern(state).map_err(|error| match error {
            StoreError::Full { limit } => Exhausted::Full { limit },
            StoreError::Io(kind) => Exhausted::Store(kind),
        }),
    }
}

/// Where the enumeration of the edges of a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    stage: Stage,
    system: system::Cursor,
    /// The letter of the state, and what it shows.
    letter: LetterId,
    row: StateId,
    /// The step of the configuration under the letter of the edge.
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
    /// All transitions that were tried went wrong, so this is no deadlock.
    Failed,
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

/// What the atoms of a system are for.
#[derive(Clone, Debug)]
pub struct Observed {
    /// How many of them, the first ones, the automaton reads. Signs are about others, and some
    /// only have to be evaluated.
    pub n_read: usize,
    /// Which of them are about the transition that is taken.
    pub is_action: IdVec<AtomId, bool>,
}

/// The product of a transition system and an automaton.
#[derive(Debug)]
pub struct Product<'a, S, T, D: Diagrams> {
    system: S,
    store: &'a mut T,
    configurations: ConfigurationGraph<'a, D>,
    nodes: Nodes,
    lookahead: Lookahead,
    /// A node that is known ahead, and what it is: where the edge at hand leads
    /// if the configuration stays as it is.
    expected: Option<((StateId, ConfigId), NodeId)>,
    letters: Letters,
    actions: Actions,
    /// What edges show, if that matters.
    shown: Option<EdgeSigns>,
    /// Whether the automaton reads what is taken.
    reads_actions: bool,
    /// What the state at hand shows, as bits by atom.
    observed: Vec<u64>,
    deadlock: Deadlock,
    order: Order,
    watch: Watch,
    /// The state that has been loaded last, and its words.
    loaded: Option<StateId>,
    state: Vec<u64>,
    /// The words of a successor.
    target: Vec<u64>,
}

impl<'a, S: TransitionSystem, T: StateStore, D: Diagrams> Product<'a, S, T, D> {
    /// The product of `system` and `configurations`, whose automaton has the
    /// same atoms. States are kept in `store`, which may hold some already.
    /// Edges show the signs of `recurrence`.
    pub fn new(
        system: S,
        store: &'a mut T,
        configurations: ConfigurationGraph<'a, D>,
        atoms: &Observed,
        recurrence: &Recurrence,
    ) -> Self {
        let n_words = system.n_words();
        let n_atoms = atoms.is_action.len();
        let mut read = atoms.is_action.iter().take(atoms.n_read);
        Self {
            system,
            store,
            configurations,
            nodes: Nodes::default(),
            lookahead: Lookahead::new(n_words),
            expected: None,
            letters: Letters::new(atoms.n_read),
            actions: Actions::new(n_atoms),
            shown: (0 < recurrence.n_signs()).then(|| EdgeSigns::new(recurrence, &atoms.is_action)),
            reads_actions: read.any(|&is_action| is_action),
            observed: vec![0; n_atoms.div_ceil(64).max(1)],
            deadlock: Deadlock::default(),
            order: Order::default(),
            watch: Watch::default(),
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

    /// The same product with another way to treat errors.
    #[must_use]
    pub fn watching(self, watch: Watch) -> Self {
        Self { watch, ..self }
    }

    /// What has been seen of errors, and what the search wants to hear of them.
    pub fn watch(&mut self) -> &mut Watch {
        &mut self.watch
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
    pub fn store(&self) -> &T {
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
        if let Err(fault) = self.system.observe(&self.state, &mut self.observed) {
            return self.meet_atom(config, cursor, fault.into());
        }
        if let Some(shown) = &mut self.shown {
            budget.reserve(shown.growth())?;
            cursor.row = shown.row(&self.observed);
        }
        cursor.letter = self.letters.letter(&self.observed);
        cursor.stage = Stage::First;
        if !self.reads_actions {
            cursor.step = self.letters.step(config, cursor.letter, &mut self.configurations);
            // Without a successor of the configuration those of the state do
            // not matter.
            if self.configurations.successor_of(cursor.step, 0, budget)?.is_none() {
                cursor.stage = Stage::Done;
                self.watch.has_skipped = true;
            }
        }
        Ok(())
    }

    /// An atom goes wrong in a state, so all runs that come here end.
    #[cold]
    fn meet_atom(
        &mut self,
        config: ConfigId,
        cursor: &mut Cursor,
        error: Halt,
    ) -> Result<(), Halt> {
        if !error.is_error() {
            return Err(error);
        }
        cursor.stage = Stage::Done;
        // There is no letter here: what counts are the letters that led to the configuration.
        let is_decided = self.configurations.locations(config).is_empty();
        if self.watch.looks_for_prefixes && is_decided {
            return Err(self.decided(error));
        }
        self.watch.meet(error)
    }

    /// What is taken on the edge at hand.
    fn action(&mut self, cursor: &Cursor) -> ActionId {
        match cursor.taken() {
            Some(transition) => self.actions.of(transition, &self.system),
            None => Actions::none(),
        }
    }

    /// Finds the step of the configuration on the edge at hand, if that depends
    /// on what is taken.
    fn read_action(&mut self, config: ConfigId, cursor: &mut Cursor) {
        if self.reads_actions && cursor.stage != Stage::Done {
            let action = self.action(cursor);
            let taken = self.actions.taken(action);
            let letter = self.letters.with_action(cursor.letter, action, taken);
            cursor.step = self.letters.step(config, letter, &mut self.configurations);
        }
    }

    /// The next successor of the state of a node, and how it is reached.
    fn successor(
        &mut self,
        source: NodeId,
        (state, config): (StateId, ConfigId),
        cursor: &mut Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(TransitionId, StateId)>, Halt> {
        let mut next = self.lookahead.next(source, &cursor.system);
        if let Next::Unknown = next {
            self.load(state);
        }
        if let Next::Unknown = next
            && Lookahead::pays(self.store)
        {
            let (source, system) = ((source, config), &mut self.system);
            self.lookahead.look(
                source,
                &self.state,
                &cursor.system,
                system,
                self.store,
                &self.nodes,
            );
            next = self.lookahead.next(source.0, &cursor.system);
        }
        match next {
            Next::End => return Ok(None),
            Next::Known(successor, node) => {
                cursor.system = successor.cursor;
                self.expected = Some(((successor.target, config), node));
                return Ok(Some((successor.transition, successor.target)));
            }
            Next::Unknown => (),
        }
        let next = self.system.next(&self.state, &mut cursor.system, &mut self.target)?;
        let Some(transition) = next else { return Ok(None) };
        Ok(Some((transition, store_within(self.store, &self.target, budget)?)))
    }

    /// How a state without successors is treated. Where a model may end, it stays
    /// as it is for ever.
    fn treatment(&mut self, state: StateId) -> Deadlock {
        if self.deadlock == Deadlock::Report {
            let mut words = vec![0; self.system.n_words()];
            self.store.load(state, &mut words);
            if self.system.is_end(&words) {
                return Deadlock::Stutter;
            }
        }
        self.deadlock
    }

    /// Asks the system for its next successor.
    fn advance(
        &mut self,
        source: NodeId,
        (state, config): (StateId, ConfigId),
        cursor: &mut Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        let next = match self.successor(source, (state, config), cursor, budget) {
            Err(halt) if halt.is_error() => return self.meet(config, cursor, halt, budget),
            next => next?,
        };
        cursor.n_combined = 0;
        match next {
            Some((transition, target)) => {
                cursor.transition = transition;
                cursor.target = target;
                cursor.stage = Stage::Combining;
            }
            None if cursor.stage != Stage::First => cursor.stage = Stage::Done,
            None => match self.treatment(state) {
                Deadlock::Stutter => {
                    cursor.target = state;
                    cursor.stage = Stage::Stuttering;
                }
                Deadlock::Report => {
                    self.meet(config, cursor, Halt::Deadlock, budget)?;
                    cursor.stage = Stage::Done;
                }
                Deadlock::Ignore => cursor.stage = Stage::Done,
            },
        }
        self.read_action(config, cursor);
        Ok(())
    }

    /// The step that the cursor has come to goes wrong. The enumeration goes on behind it unless the search has
    /// to hear of it.
    #[cold]
    fn meet(
        &mut self,
        config: ConfigId,
        cursor: &mut Cursor,
        error: Halt,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        if cursor.stage == Stage::First {
            cursor.stage = Stage::Failed;
        }
        if self.watch.looks_for_prefixes && self.is_decided(config, cursor, &error, budget)? {
            return Err(self.decided(error));
        }
        self.watch.meet(error)
    }

    /// The search is told of an error behind which nothing is left to ask for.
    fn decided(&mut self, error: Halt) -> Halt {
        (self.watch.has_seen, self.watch.has_met) = (true, true);
        Halt::Decided(Box::new(error))
    }

    /// Whether the automaton accepts everything behind a step that goes wrong. Then the
    /// empty configuration is the only minimal successor.
    fn is_decided(
        &mut self,
        config: ConfigId,
        cursor: &Cursor,
        error: &Halt,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        let mut step = cursor.step;
        if self.reads_actions {
            let action = match error.transition() {
                Some(transition) => self.actions.of(transition, &self.system),
                None => Actions::none(),
            };
            let taken = self.actions.taken(action);
            let letter = self.letters.with_action(cursor.letter, action, taken);
            step = self.letters.step(config, letter, &mut self.configurations);
        }
        let first = self.configurations.successor_of(step, 0, budget)?;
        Ok(first.is_some_and(|first| self.configurations.locations(first.target).is_empty()))
    }
}

impl<S: TransitionSystem, T: StateStore, D: Diagrams> Graph for Product<'_, S, T, D> {
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
            letter: LetterId::new(0),
            row: StateId::new(0),
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
                Stage::First | Stage::Failed => self.advance(source, pair, cursor, budget)?,
                Stage::Done => return Ok(None),
                Stage::Combining | Stage::Stuttering => {
                    let index = cursor.n_combined as usize;
                    let successor = self.configurations.successor_of(cursor.step, index, budget)?;
                    let Some(successor) = successor else {
                        self.watch.has_skipped |= index == 0;
                        if cursor.stage == Stage::Stuttering {
                            cursor.stage = Stage::Done;
                        } else {
                            self.advance(source, pair, cursor, budget)?;
                        }
                        continue;
                    };
                    cursor.n_combined += 1;
                    let target = match self.expected {
                        Some((pair, node)) if pair == (cursor.target, successor.target) => node,
                        _ => self.nodes.intern(cursor.target, successor.target),
                    };
                    let hint = cursor.taken().map_or(0, |taken| self.system.lane(taken) + 1);
                    let mut label = Label::default();
                    if self.shown.is_some() {
                        label = EdgeSigns::label(cursor.row, self.action(cursor));
                    }
                    return Ok(Some(Edge { target, missing: successor.missing, label, hint }));
                }
            }
        }
    }

    fn upcoming(&self) -> &[NodeId] {
        self.lookahead.nodes()
    }

    fn marks(&mut self) -> &mut MarkSets {
        self.configurations.marks()
    }

    fn show(
        &mut self,
        label: Label,
        without: &Signs,
        signs: &mut Signs,
        _: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        let Some(shown) = &mut self.shown else { return Ok(true) };
        Ok(shown.show(label, without, signs, &self.actions))
    }

    fn n_states(&self, _: usize) -> usize {
        self.store.len()
    }
}
