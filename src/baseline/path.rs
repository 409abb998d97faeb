//! The path of a depth-first search, with the states of the model on it.
//!
//! The words of the states lie one behind the other. The slot behind the last
//! state holds where its latest move leads; when the search goes there it has
//! only to be declared a part of the path, and when it comes back the words
//! are still there for the next move. So a search needs no store to find its
//! way back, and each state is written once.

use super::enabled::{AutomatonProduct, EnabledRange};
use super::nba::StateId;
use super::visited::Visited;
use crate::product::Halt;
use crate::product::moves::{MoveCursor, Standing};
use crate::run::Moment;
use crate::search::limits::Budget;
use crate::system::{self, TransitionId, TransitionSystem};

/// A node on the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<P> {
    /// How the state of the model is known to what has been visited.
    pub(super) place: P,
    /// The state of the automaton.
    pub(super) of: StateId,
    /// The hint of the move that led here.
    pub(super) hint: u32,
    cursor: MoveCursor<EnabledRange, ()>,
    /// How the state is known that the latest move leads to.
    target: P,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached<P> {
    pub(super) place: P,
    pub(super) of: StateId,
    pub(super) hint: u32,
}

/// A path of a depth-first search.
#[derive(Debug)]
pub struct Path<P> {
    n_words: usize,
    words: Vec<u64>,
    frames: Vec<Frame<P>>,
    pub(super) depth: usize,
}

impl<P: Copy + PartialEq> Path<P> {
    /// A path that has not begun.
    pub(super) fn new(n_words: usize) -> Self {
        Self { n_words, words: vec![0; n_words], frames: Vec::new(), depth: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn last(&self) -> Option<&Frame<P>> {
        self.frames.last()
    }

    /// The words of the state at `position`; behind the last state, those that
    /// the latest move leads to.
    pub(super) fn state(&self, position: usize) -> &[u64] {
        &self.words[position * self.n_words..][..self.n_words]
    }

    /// Begins, or begins again, with a state.
    pub(super) fn start<S: TransitionSystem>(
        &mut self,
        state: &[u64],
        first: Reached<P>,
        product: &AutomatonProduct<'_, S>,
    ) {
        self.frames.clear();
        self.words.truncate(self.n_words);
        self.words.copy_from_slice(state);
        self.enter(first, product);
    }

    /// Goes on to the state in the slot behind the last one.
    pub(super) fn enter<S: TransitionSystem>(
        &mut self,
        reached: Reached<P>,
        product: &AutomatonProduct<'_, S>,
    ) {
        let Reached { place, of, hint } = reached;
        let cursor = product.cursor((of, self.state(self.len())), hint, ());
        self.frames.push(Frame { place, of, hint, cursor, target: place });
        self.words.resize((self.len() + 1) * self.n_words, 0);
        self.depth = self.depth.max(self.len());
    }

    /// Goes on to the last state once more.
    pub(super) fn enter_again<S: TransitionSystem>(&mut self, product: &AutomatonProduct<'_, S>) {
        let Some(&Frame { place, of, hint, .. }) = self.last() else { return };
        let start = (self.len() - 1) * self.n_words;
        self.words.copy_within(start..start + self.n_words, start + self.n_words);
        self.enter(Reached { place, of, hint }, product);
    }

    /// Goes back. The state that is left stays in the slot behind the last one.
    pub(super) fn leave(&mut self) {
        self.frames.pop();
        self.words.truncate((self.len() + 1) * self.n_words);
    }

    /// Where the next move of the last state leads.
    #[inline]
    pub(super) fn next<S: TransitionSystem, V: Visited<Place = P>>(
        &mut self,
        product: &mut AutomatonProduct<'_, S>,
        visited: &mut V,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Reached<P>>, Halt> {
        if self.words.capacity() < self.words.len() + self.n_words {
            // Entering a state would double it.
            budget.reserve(self.words.capacity() * 16)?;
        }
        let start = (self.len() - 1) * self.n_words;
        let (state, target) = self.words[start..].split_at_mut(self.n_words);
        let frame = self.frames.last_mut().expect("the path has begun");
        let mut slots = Slots { state, target };
        let next = product.next(frame.of, &mut slots, &mut frame.cursor, budget)?;
        let Some((of, _)) = next else { return Ok(None) };
        if frame.cursor.is_new() {
            frame.target = visited.place(target, budget)?;
        }
        Ok(Some(Reached { place: frame.target, of, hint: product.hint(&frame.cursor) }))
    }

    /// Whether the latest move of the last state of this path leads to the node
    /// at `position` of `other`.
    pub(super) fn leads_to(&self, reached: Reached<P>, other: &Self, position: usize) -> bool {
        let frame = &other.frames[position];
        frame.of == reached.of
            && frame.place == reached.place
            && other.state(position) == self.state(self.len())
    }

    /// The states and what is taken there, from one position on.
    pub(super) fn moments(
        &self,
        positions: std::ops::Range<usize>,
    ) -> impl Iterator<Item = Moment> {
        positions
            .map(|position| Moment::new(self.state(position), self.frames[position].cursor.taken()))
    }
}

/// The words of the last state, and the slot behind it.
struct Slots<'a> {
    state: &'a [u64],
    target: &'a mut [u64],
}

impl Standing for Slots<'_> {
    type Target = ();

    fn words(&mut self) -> &[u64] {
        self.state
    }

    #[inline]
    fn successor(
        &mut self,
        system: &mut impl TransitionSystem,
        cursor: &mut system::Cursor,
        _: &mut Budget<'_>,
    ) -> Result<Option<(TransitionId, ())>, Halt> {
        let taken = system.next(self.state, cursor, self.target)?;
        Ok(taken.map(|transition| (transition, ())))
    }

    fn stay(&mut self) {
        self.target.copy_from_slice(self.state);
    }
}
