//! The moves of a system and an automaton together: one enumerator for all products.
//!
//! A move is a transition of the system, or staying where the system cannot go on, combined with
//! a successor of the automaton under the letter of the move: what is true in the *source* state,
//! and what is taken. The letter of a state is found once per visit and interned, and so is the
//! step of the automaton under a letter, so on a move the automaton costs a look-up.
//!
//! Which automaton it is ([`AutomatonSide`]) and how a search keeps states ([`Standing`]) are
//! parameters. Nothing is stored here but letters, so the same moves serve searches that number
//! states, and searches that only have a path.

use super::actions::{ActionId, Actions};
use super::edge_signs::EdgeSigns;
use super::guide::{Guide, Guided};
use super::letters::{LetterId, Letters};
use super::treatment::{Deadlock, Halt, Watch};
use crate::id::{Id, IdVec};
use crate::recurrence::Recurrence;
use crate::search::limits::{Budget, Exhausted};
use crate::search::signs::Signs;
use crate::search::{Label, MarkSets, MarksId};
use crate::store::StateId;
use crate::system::{self, Fault, TransitionId, TransitionSystem};
use crate::word::{AtomId, Distance, hash};
use std::fmt::Debug;
use std::hash::Hash;

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
    /// Begin with the successor that is nearest to what the automaton asks for; where several are
    /// as near, as [`Rotate`](Self::Rotate) does.
    Guided,
}

/// What is fixed about the moves of a product. Workers on the same question share it.
#[derive(Clone, Debug, Default)]
pub struct MoveRules {
    /// How many atoms of the system, the first ones, the automaton reads. Signs are about others,
    /// and some only have to be evaluated.
    pub n_read: usize,
    /// Which atoms of the system are about the transition that is taken.
    pub is_action: IdVec<AtomId, bool>,
    /// What a state without successors means.
    pub deadlock: Deadlock,
    /// In which order successors are tried.
    pub order: Order,
}

/// An automaton as a product moves it. What is computed on demand belongs to one worker.
pub trait AutomatonSide {
    /// A state of the automaton: a configuration, where it is alternating.
    type State: Id;

    /// The moves out of a state under a letter.
    type Step: Copy + Debug + Default + PartialEq;

    /// The states in which runs begin.
    fn initial(&mut self) -> Vec<Self::State>;

    /// The step of `state` under the letter that has these atoms, as bits.
    fn step(&mut self, state: Self::State, letter: &[u64]) -> Self::Step;

    /// The successor number `index` of a step, and the marks that it misses.
    ///
    /// # Errors
    ///
    /// If it cannot be computed within the limits.
    fn successor(
        &mut self,
        step: Self::Step,
        index: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(Self::State, MarksId)>, Exhausted>;

    /// How far the system is from what `state` asks for next, if it is so far from making each
    /// atom true and false: a guess.
    fn distance(&mut self, state: Self::State, atoms: &[Distance]) -> u32 {
        let _ = (state, atoms);
        0
    }

    /// Whether all words are accepted from `state`, as far as the automaton shows that openly.
    fn is_universal(&self, state: Self::State) -> bool;

    /// Whether a step has a universal successor.
    ///
    /// # Errors
    ///
    /// If that cannot be computed within the limits.
    fn leads_to_universal(
        &mut self,
        step: Self::Step,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Exhausted>;

    /// The sets of marks that successors refer to.
    fn marks(&mut self) -> &mut MarkSets;
}

/// The state of the system that moves begin in, and how a search keeps the states to which they
/// lead.
pub trait Standing {
    /// How a state is known to which a move leads.
    type Target: Copy;

    /// The words of the state.
    fn words(&mut self) -> &[u64];

    /// The next successor of the state, and the transition that leads there.
    ///
    /// # Errors
    ///
    /// If the step goes wrong, or if the successor cannot be stored.
    fn successor(
        &mut self,
        system: &mut impl TransitionSystem,
        cursor: &mut system::Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(TransitionId, Self::Target)>, Halt>;

    /// The state itself, where the system stays.
    fn stay(&mut self) -> Self::Target;
}

/// Where the enumeration of the moves out of a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCursor<P, T> {
    stage: Stage,
    system: system::Cursor,
    /// The letter of the state, and what it shows.
    letter: LetterId,
    row: StateId,
    /// The step of the automaton under the letter of the move.
    step: P,
    /// The transition that is combined with successors of the automaton, and where it leads.
    transition: TransitionId,
    target: T,
    /// How many successors of the automaton have been combined with it.
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
    /// A successor of the system is combined with those of the automaton.
    Combining,
    /// The same for the stuttering step of a deadlock.
    Stuttering,
    /// There are no more moves.
    Done,
}

impl<P, T: Copy> MoveCursor<P, T> {
    /// The transition of the move that was enumerated last; nothing if the
    /// system did not move.
    #[must_use]
    pub fn taken(&self) -> Option<TransitionId> {
        (self.stage == Stage::Combining).then_some(self.transition)
    }

    /// Where the system goes by the move that was enumerated last.
    #[must_use]
    pub fn target(&self) -> T {
        self.target
    }

    /// Whether the system's part of the move that was enumerated last is a new one. Otherwise it
    /// is that of the move before.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.n_combined == 1
    }
}

/// A worker's enumerator of the moves of `system` and `automaton`.
#[derive(Debug)]
pub struct Moves<S, A: AutomatonSide> {
    system: S,
    automaton: A,
    letters: Letters<A::State, A::Step>,
    actions: Actions,
    /// What moves show, if that matters.
    shown: Option<EdgeSigns>,
    /// Whether the automaton reads what is taken.
    reads_actions: bool,
    /// What the latest fresh state shows, as bits by atom.
    observed: Vec<u64>,
    deadlock: Deadlock,
    order: Order,
    /// What orders successors, if they are to be ordered.
    guide: Option<Box<Guide>>,
    n_deadlocks: usize,
    watch: Watch,
}

impl<S: TransitionSystem, A: AutomatonSide> Moves<S, A> {
    /// The moves of `system` and `automaton`, which has the first atoms of the system.
    pub fn new(system: S, automaton: A, rules: &MoveRules) -> Self {
        let n_atoms = rules.is_action.len();
        let mut read = rules.is_action.iter().take(rules.n_read);
        let guide = (rules.order == Order::Guided).then(|| Guide::new(&system, n_atoms));
        Self {
            system,
            automaton,
            letters: Letters::new(rules.n_read),
            actions: Actions::new(n_atoms),
            shown: None,
            reads_actions: read.any(|&is_action| is_action),
            observed: vec![0; n_atoms.div_ceil(64).max(1)],
            deadlock: rules.deadlock,
            order: rules.order,
            guide: guide.map(Box::new),
            n_deadlocks: 0,
            watch: Watch::default(),
        }
    }

    /// The same moves, which show the signs of `recurrence`.
    #[must_use]
    pub fn showing(mut self, recurrence: &Recurrence, rules: &MoveRules) -> Self {
        if let Some(guide) = &mut self.guide {
            guide.ask(recurrence);
        }
        if 0 < recurrence.n_signs() {
            self.shown = Some(EdgeSigns::new(recurrence, &rules.is_action));
        }
        self
    }

    /// The same moves with another way to treat errors.
    #[must_use]
    pub fn watching(self, watch: Watch) -> Self {
        Self { watch, ..self }
    }

    /// What has been seen of errors, and what the search is told of them.
    pub fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }

    /// The side of the system.
    #[must_use]
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The side of the automaton.
    #[must_use]
    pub fn automaton(&self) -> &A {
        &self.automaton
    }

    /// The states of the automaton in which runs begin.
    pub fn initial_states(&mut self) -> Vec<A::State> {
        self.automaton.initial()
    }

    /// The sets of marks that moves refer to.
    pub fn marks(&mut self) -> &mut MarkSets {
        self.automaton.marks()
    }

    /// How often a state without successors has been looked at in which the system may not end.
    #[must_use]
    pub fn n_deadlocks(&self) -> usize {
        self.n_deadlocks
    }

    /// The moves out of `node`, which was entered by a move with this hint; zero if it is
    /// initial. The target is where the cursor says that moves lead before there is one.
    ///
    /// # Panics
    ///
    /// Never: the rest of a division by a 32-bit number is one.
    pub fn cursor<T>(&self, node: impl Hash, hint: u32, target: T) -> MoveCursor<A::Step, T> {
        let n_lanes = self.system.n_lanes();
        let lane = match self.order {
            Order::Rotate | Order::Guided => hint % n_lanes,
            Order::Fixed => 0,
            Order::Random(seed) => {
                let mixed = hash(&(seed, node)) % u64::from(n_lanes);
                u32::try_from(mixed).expect("less than a 32-bit number")
            }
        };
        MoveCursor {
            stage: Stage::Fresh,
            system: system::Cursor::starting_with(lane),
            letter: LetterId::new(0),
            row: StateId::new(0),
            step: A::Step::default(),
            transition: TransitionId::new(0),
            target,
            n_combined: 0,
        }
    }

    /// The next move out of a state of the system and the state `of` of the automaton: where the
    /// automaton goes, and the marks that it misses. The cursor says where the system goes.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or if the model is wrong.
    #[inline]
    pub fn next<K: Standing>(
        &mut self,
        of: A::State,
        standing: &mut K,
        cursor: &mut MoveCursor<A::Step, K::Target>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(A::State, MarksId)>, Halt> {
        loop {
            match cursor.stage {
                Stage::Fresh => self.look(of, standing, cursor, budget)?,
                Stage::First | Stage::Failed => self.advance(of, standing, cursor, budget)?,
                Stage::Done => return Ok(None),
                Stage::Combining | Stage::Stuttering => {
                    let index = cursor.n_combined;
                    let successor = self.automaton.successor(cursor.step, index, budget)?;
                    if successor.is_some() {
                        cursor.n_combined += 1;
                        return Ok(successor);
                    }
                    self.watch.has_skipped |= index == 0;
                    if cursor.stage == Stage::Stuttering {
                        cursor.stage = Stage::Done;
                    } else {
                        self.advance(of, standing, cursor, budget)?;
                    }
                }
            }
        }
    }

    /// What is to be said when the enumeration of the moves behind the latest one begins.
    #[inline]
    pub fn hint<T: Copy>(&self, cursor: &MoveCursor<A::Step, T>) -> u32 {
        cursor.taken().map_or(0, |taken| self.system.lane(taken) + 1)
    }

    /// The label of the latest move.
    #[inline]
    pub fn label<T: Copy>(&mut self, cursor: &MoveCursor<A::Step, T>) -> Label {
        if self.shown.is_none() {
            return Label::default();
        }
        EdgeSigns::label(cursor.row, self.action(cursor.taken()))
    }

    /// Adds what a move with this label shows to `signs` unless it is one of `without`. Says
    /// whether it was added.
    pub fn show(&mut self, label: Label, without: &Signs, signs: &mut Signs) -> bool {
        let Some(shown) = &mut self.shown else { return true };
        shown.show(label, without, signs, &self.actions)
    }

    /// Looks at the state of a node for the first time.
    fn look<K: Standing>(
        &mut self,
        of: A::State,
        standing: &mut K,
        cursor: &mut MoveCursor<A::Step, K::Target>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        if let Err(fault) = self.system.observe(standing.words(), &mut self.observed) {
            cursor.stage = Stage::Done;
            return self.meet_atom(of, fault);
        }
        if let Some(shown) = &mut self.shown {
            budget.reserve(shown.growth())?;
            cursor.row = shown.row(&self.observed);
        }
        cursor.letter = self.letters.letter(&self.observed);
        cursor.stage = Stage::First;
        if !self.reads_actions {
            cursor.step = self.letters.step(of, cursor.letter, &mut self.automaton);
            // If the automaton cannot move, the moves of the system do not matter.
            if self.automaton.successor(cursor.step, 0, budget)?.is_none() {
                cursor.stage = Stage::Done;
                self.watch.has_skipped = true;
            }
        }
        Ok(())
    }

    /// An atom goes wrong in a state, so all runs that come here end. There is no letter here:
    /// what counts are the letters that led to the state `of` of the automaton.
    #[cold]
    fn meet_atom(&mut self, of: A::State, fault: Fault) -> Result<(), Halt> {
        if self.watch.looks_for_prefixes && self.automaton.is_universal(of) {
            return Err(self.decided(fault.into()));
        }
        self.watch.meet(fault.into())
    }

    /// Asks the system for its next successor.
    fn advance<K: Standing>(
        &mut self,
        of: A::State,
        standing: &mut K,
        cursor: &mut MoveCursor<A::Step, K::Target>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        let successor = match &mut self.guide {
            None => standing.successor(&mut self.system, &mut cursor.system, budget),
            Some(guide) => {
                let (system, automaton) = (&mut self.system, &mut self.automaton);
                let mut guided = Guided { system, automaton, of, guide };
                standing.successor(&mut guided, &mut cursor.system, budget)
            }
        };
        let next = match successor {
            Err(error) if error.is_error() => {
                if cursor.stage == Stage::First {
                    cursor.stage = Stage::Failed;
                }
                return self.meet(of, cursor, error, budget);
            }
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
            None => {
                cursor.stage = Stage::Done;
                match self.treatment(standing.words()) {
                    Deadlock::Stutter => {
                        cursor.target = standing.stay();
                        cursor.stage = Stage::Stuttering;
                    }
                    Deadlock::Report => self.meet(of, cursor, Halt::Deadlock, budget)?,
                    Deadlock::Ignore => (),
                }
            }
        }
        if self.reads_actions && cursor.stage != Stage::Done {
            cursor.step = self.step_with_action(of, cursor.letter, cursor.taken());
        }
        Ok(())
    }

    /// How a state without successors is treated. Where a model may end, it stays
    /// as it is for ever.
    fn treatment(&mut self, state: &[u64]) -> Deadlock {
        let is_end = self.system.is_end(state);
        self.n_deadlocks += usize::from(!is_end);
        if is_end && self.deadlock == Deadlock::Report {
            return Deadlock::Stutter;
        }
        self.deadlock
    }

    /// What is taken by a transition, or where the system stays.
    fn action(&mut self, taken: Option<TransitionId>) -> ActionId {
        match taken {
            Some(transition) => self.actions.of(transition, &self.system),
            None => Actions::none(),
        }
    }

    /// The step of the automaton under the letter of a state, and what is taken there.
    fn step_with_action(
        &mut self,
        of: A::State,
        letter: LetterId,
        taken: Option<TransitionId>,
    ) -> A::Step {
        let action = self.action(taken);
        let taken = self.actions.taken(action);
        let letter = self.letters.with_action(letter, action, taken);
        self.letters.step(of, letter, &mut self.automaton)
    }

    /// The step that the cursor has come to goes wrong. The enumeration goes on behind it unless
    /// the search is told of it.
    #[cold]
    fn meet<T>(
        &mut self,
        of: A::State,
        cursor: &MoveCursor<A::Step, T>,
        error: Halt,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        if self.watch.looks_for_prefixes {
            let mut step = cursor.step;
            if self.reads_actions {
                step = self.step_with_action(of, cursor.letter, error.transition());
            }
            if self.automaton.leads_to_universal(step, budget)? {
                return Err(self.decided(error));
            }
        }
        self.watch.meet(error)
    }

    /// The search is told of an error behind which nothing is left to ask for.
    fn decided(&mut self, error: Halt) -> Halt {
        (self.watch.has_seen, self.watch.has_met) = (true, true);
        Halt::Decided(Box::new(error))
    }
}
