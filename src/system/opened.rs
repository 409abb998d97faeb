//! A system that has been opened for certain questions: what is fixed while it is searched.
//!
//! A front end gets a source and the questions and gives an opened system that shows what they
//! look at. The opened system can be shared by several workers. Each of them has an executor of
//! its own, which borrows what is fixed and owns what changes while stepping.

use super::{Strength, TransitionSystem};
use crate::id::define_id;
use crate::store::{StateStore, StoreKind};

define_id! {
    /// A proposition about states or steps, as numbered by an [`Opened`] system.
    pub struct PropositionId;
}

/// An assumption about runs: transitions that are taken as one are not neglected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// How much is assumed.
    pub strength: Strength,
    /// The name of the process or action.
    pub name: String,
    /// The proposition that one of the transitions is enabled.
    pub enabled: PropositionId,
    /// The proposition that one of the transitions is taken.
    pub taken: PropositionId,
}

/// A system with the propositions of certain questions.
pub trait Opened: Sync + std::fmt::Debug {
    /// The system as a worker explores it.
    type Executor<'a>: TransitionSystem
    where
        Self: 'a;

    /// The system as runs are certified. Its states and transitions are those of the executor,
    /// its code is another wherever there are two.
    type Judge<'a>: TransitionSystem
    where
        Self: 'a;

    /// A store of states of the system.
    type Store: StateStore;

    /// A new executor, in which atom *i* says `atoms[i]`.
    fn executor(&self, atoms: &[PropositionId]) -> Self::Executor<'_>;

    /// A new executor in which atom *i* says `atoms[i]`, and which takes only steps that suffice
    /// for formulas over the atoms `shown` without `X`, for errors and for deadlocks, where all
    /// runs count; nothing if there is none, or if it could leave out nothing.
    fn reduced(
        &self,
        shown: &[PropositionId],
        atoms: &[PropositionId],
    ) -> Option<Self::Executor<'_>> {
        let _ = (shown, atoms);
        None
    }

    /// How many variables, or other parts of states, neither the atoms `shown` nor steps and their
    /// errors depend on.
    fn n_unseen(&self, shown: &[PropositionId]) -> usize {
        let _ = shown;
        0
    }

    /// A new executor, in which atom *i* says `atoms[i]`, and states that differ only in what is
    /// not seen are one.
    fn sliced(&self, shown: &[PropositionId], atoms: &[PropositionId]) -> Self::Executor<'_> {
        let _ = shown;
        self.executor(atoms)
    }

    /// The bits of states that are seen; the others are 0 in states of [`sliced`](Self::sliced) and
    /// [`reduced`](Self::reduced) executors. Nothing if all are seen.
    fn seen(&self, shown: &[PropositionId]) -> Option<Box<[u64]>> {
        let _ = shown;
        None
    }

    /// A new judge, in which atom *i* says `atoms[i]`.
    fn judge(&self, atoms: &[PropositionId]) -> Self::Judge<'_>;

    /// An empty store of this kind.
    fn store(&self, kind: StoreKind) -> Self::Store;

    /// The proposition of this name.
    fn proposition(&self, name: &str) -> Option<PropositionId>;

    /// Whether a proposition is about the step that leaves a state, not about the state.
    fn is_about_steps(&self, proposition: PropositionId) -> bool;

    /// The assumptions that the model declares.
    fn declared(&self) -> &[Assumption];

    /// The assumption that no process is neglected, for each process that can move at all.
    fn processes(&self) -> &[Assumption];

    /// Whether a transition may go wrong. If not, no search for errors is needed.
    fn can_fail(&self) -> bool;

    /// Whether a proposition may go wrong when it is evaluated.
    fn is_fallible(&self, proposition: PropositionId) -> bool;
}
