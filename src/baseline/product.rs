//! A transition system and an explicit automaton, side by side: the moves of a
//! state of both.
//!
//! As in our own [product](crate::product) a letter is what is true in the
//! *source* state, and what is taken. Here is only how to move; nothing is
//! stored. So the same moves serve searches that keep states exactly, in
//! packets, or as bits that several states may share.

use super::letters::{LetterId, Letters, Range};
use super::nba::{Nba, StateId};
use crate::id::{Id, IdVec};
use crate::product::{Deadlock, Halt, Order, Watch};
use crate::search::MarksId;
use crate::search::limits::Budget;
use crate::system::{self, TransitionId, TransitionSystem};
use crate::word::{AtomId, hash};

/// Where the enumeration of the moves of a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    stage: Stage,
    system: system::Cursor,
    /// The letter of the state.
    letter: LetterId,
    /// The edges of the automaton under the letter of the move.
    enabled: Range,
    /// The transition at hand.
    transition: TransitionId,
    /// How many edges of the automaton have been combined with it.
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
    /// A successor of the system is combined with edges of the automaton.
    Combining,
    /// The same for the stuttering step of a deadlock.
    Stuttering,
    /// There are no more moves.
    Done,
}

impl Cursor {
    /// The transition of the move that was enumerated last; nothing if the
    /// system did not move.
    #[must_use]
    pub fn taken(&self) -> Option<TransitionId> {
        (self.stage == Stage::Combining).then_some(self.transition)
    }
}

/// A move of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The state of the automaton that it leads to.
    pub target: StateId,
    /// The acceptance sets that the edge of the automaton is not in.
    pub missing: MarksId,
    /// Whether the state of the system that it leads to has just been written;
    /// otherwise it is that of the move before.
    pub is_new: bool,
    /// What is to be said when the enumeration of the moves of the target
    /// begins.
    pub hint: u32,
}

/// The product of a transition system and an automaton.
#[derive(Debug)]
pub struct Product<'a, S> {
    system: S,
    automaton: &'a Nba,
    letters: Letters,
    /// Whether atoms are about the transition that is taken.
    reads_actions: bool,
    /// What the state at hand shows, as bits by atom.
    observed: Vec<u64>,
    /// How many words of it have atoms of the automaton, and which bits of the last one.
    n_words_read: usize,
    last_read: u64,
    deadlock: Deadlock,
    order: Order,
    n_deadlocks: usize,
    watch: Watch,
    /// The states in which the automaton accepts whatever follows, if runs into errors that
    /// lead to one are looked for.
    universal: IdVec<StateId, bool>,
}

impl<'a, S: TransitionSystem> Product<'a, S> {
    /// The product of `system` and `automaton`, which have the same atoms. The system may have
    /// more atoms behind these, which only have to be evaluated.
    pub fn new(system: S, automaton: &'a Nba, is_action: &IdVec<AtomId, bool>) -> Self {
        let n_atoms = automaton.atoms().len();
        let n_words_read = n_atoms.div_ceil(64).max(1);
        let n_read = n_atoms - (n_words_read - 1) * 64;
        Self {
            system,
            automaton,
            letters: Letters::new(n_atoms),
            reads_actions: is_action.iter().any(|&is_action| is_action),
            observed: vec![0; is_action.len().div_ceil(64).max(n_words_read)],
            n_words_read,
            last_read: if n_read == 64 { u64::MAX } else { (1 << n_read) - 1 },
            deadlock: Deadlock::default(),
            order: Order::default(),
            n_deadlocks: 0,
            watch: Watch::default(),
            universal: IdVec::new(),
        }
    }

    /// The same product, which ends at an error behind which the automaton is in one of
    /// these states.
    #[must_use]
    pub fn looking_for_prefixes(self, universal: IdVec<StateId, bool>) -> Self {
        let watch = Watch { looks_for_prefixes: true, ..self.watch };
        Self { watch, universal, ..self }
    }

    /// The same product with another way to treat errors.
    #[must_use]
    pub fn watching(self, watch: Watch) -> Self {
        Self { watch, ..self }
    }

    /// What has been seen of errors.
    #[must_use]
    pub fn watch(&self) -> Watch {
        self.watch
    }

    /// The same product with other ways to treat deadlocks and to order
    /// successors.
    #[must_use]
    pub fn with(self, deadlock: Deadlock, order: Order) -> Self {
        Self { deadlock, order, ..self }
    }

    /// The side of the system.
    #[must_use]
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The side of the automaton.
    #[must_use]
    pub fn automaton(&self) -> &'a Nba {
        self.automaton
    }

    /// How often a state without successors has been looked at.
    #[must_use]
    pub fn n_deadlocks(&self) -> usize {
        self.n_deadlocks
    }

    /// The moves out of a node that was entered by a move with this hint; zero
    /// if it is initial.
    pub(super) fn cursor(&self, state: &[u64], of: StateId, hint: u32) -> Cursor {
        let n_lanes = self.system.n_lanes();
        let lane = match self.order {
            Order::Rotate => hint % n_lanes,
            Order::Fixed => 0,
            Order::Random(seed) => {
                let mixed = hash(&(seed, of, state)) % u64::from(n_lanes);
                u32::try_from(mixed).expect("less than a 32-bit number")
            }
        };
        Cursor {
            stage: Stage::Fresh,
            system: system::Cursor::starting_with(lane),
            letter: LetterId::new(0),
            enabled: Range::default(),
            transition: TransitionId::new(0),
            n_combined: 0,
        }
    }

    /// The next move out of `state` and the state `of` of the automaton. Where
    /// the system goes is written to `target`, which nobody else may write to
    /// as long as this enumeration goes on.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or if the model is wrong.
    #[inline]
    pub fn next(
        &mut self,
        (state, of): (&[u64], StateId),
        cursor: &mut Cursor,
        target: &mut [u64],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Move>, Halt> {
        loop {
            match cursor.stage {
                Stage::Fresh => self.look(state, of, cursor)?,
                Stage::First | Stage::Failed => self.advance(state, of, cursor, target)?,
                Stage::Done => return Ok(None),
                Stage::Combining | Stage::Stuttering => {
                    if let Some(edge) = self.letters.edge(cursor.enabled, cursor.n_combined) {
                        let is_new = cursor.n_combined == 0;
                        cursor.n_combined += 1;
                        let hint = cursor.taken().map_or(0, |taken| self.system.lane(taken) + 1);
                        let (target, missing) = (edge.target, edge.missing);
                        return Ok(Some(Move { target, missing, is_new, hint }));
                    }
                    if cursor.stage == Stage::Stuttering {
                        cursor.stage = Stage::Done;
                    } else {
                        budget.poll()?;
                        self.advance(state, of, cursor, target)?;
                    }
                }
            }
        }
    }

    /// Looks at a node for the first time.
    fn look(&mut self, state: &[u64], of: StateId, cursor: &mut Cursor) -> Result<(), Halt> {
        if let Err(fault) = self.system.observe(state, &mut self.observed) {
            return self.meet_atom(of, cursor, fault.into());
        }
        self.observed[self.n_words_read - 1] &= self.last_read;
        cursor.letter = self.letters.letter(&self.observed[..self.n_words_read]);
        cursor.stage = Stage::First;
        if !self.reads_actions {
            cursor.enabled = self.letters.enabled(of, cursor.letter, self.automaton);
            // If the automaton cannot move, the moves of the system do not
            // matter.
            if cursor.enabled.is_empty() {
                cursor.stage = Stage::Done;
                self.watch.has_skipped = true;
            }
        }
        Ok(())
    }

    /// An atom goes wrong in a state, so all runs that come here end.
    #[cold]
    fn meet_atom(&mut self, of: StateId, cursor: &mut Cursor, error: Halt) -> Result<(), Halt> {
        if !error.is_error() {
            return Err(error);
        }
        cursor.stage = Stage::Done;
        if self.watch.looks_for_prefixes && self.universal[of] {
            return Err(Halt::Decided(Box::new(error)));
        }
        self.watch.meet(error)
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

    /// Asks the system for its next successor.
    fn advance(
        &mut self,
        state: &[u64],
        of: StateId,
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<(), Halt> {
        let next = match self.system.next(state, &mut cursor.system, target) {
            Err(fault) => {
                let error = Halt::from(fault);
                if !error.is_error() {
                    return Err(error);
                }
                if cursor.stage == Stage::First {
                    cursor.stage = Stage::Failed;
                }
                return self.meet(of, cursor, error);
            }
            Ok(next) => next,
        };
        cursor.n_combined = 0;
        match next {
            Some(transition) => {
                cursor.transition = transition;
                cursor.stage = Stage::Combining;
            }
            None if cursor.stage != Stage::First => cursor.stage = Stage::Done,
            None => match self.treatment(state) {
                Deadlock::Stutter => {
                    target.copy_from_slice(state);
                    cursor.stage = Stage::Stuttering;
                }
                Deadlock::Report => {
                    cursor.stage = Stage::Done;
                    self.meet(of, cursor, Halt::Deadlock)?;
                }
                Deadlock::Ignore => cursor.stage = Stage::Done,
            },
        }
        if self.reads_actions && cursor.stage != Stage::Done {
            let mut letter = cursor.letter;
            if let Some(transition) = cursor.taken() {
                letter = self.letters.with_transition(letter, transition, &self.system);
            }
            cursor.enabled = self.letters.enabled(of, letter, self.automaton);
            self.watch.has_skipped |= cursor.enabled.is_empty();
        }
        Ok(())
    }

    /// The step that the cursor has come to goes wrong. The enumeration goes on behind it unless
    /// the search has to hear of it.
    #[cold]
    fn meet(&mut self, of: StateId, cursor: &Cursor, error: Halt) -> Result<(), Halt> {
        if self.watch.looks_for_prefixes {
            let mut enabled = cursor.enabled;
            if self.reads_actions {
                let mut letter = cursor.letter;
                if let Some(transition) = error.transition() {
                    letter = self.letters.with_transition(letter, transition, &self.system);
                }
                enabled = self.letters.enabled(of, letter, self.automaton);
            }
            let mut edges = (0..).map_while(|number| self.letters.edge(enabled, number));
            if edges.any(|edge| self.universal[edge.target]) {
                return Err(Halt::Decided(Box::new(error)));
            }
        }
        self.watch.meet(error)
    }
}
