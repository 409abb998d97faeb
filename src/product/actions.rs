//! What the atoms of a formula see of a transition that is taken.

use crate::id::{Id, IdVec, define_id};
use crate::system::{TransitionId, TransitionSystem};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// The atoms that are true because of what is taken: transitions that no
    /// atom tells apart are the same action.
    pub(super) struct ActionId;
}

/// Actions met so far.
#[derive(Debug)]
pub(super) struct Actions {
    n_words: usize,
    by_transition: IdVec<TransitionId, Option<ActionId>>,
    by_value: HashMap<Box<[u64]>, ActionId, FxBuildHasher>,
    /// The atoms of each action, as bits.
    taken: IdVec<ActionId, Box<[u64]>>,
}

impl Actions {
    /// About `n_atoms` atoms.
    pub(super) fn new(n_atoms: usize) -> Self {
        let n_words = n_atoms.div_ceil(64).max(1);
        let mut actions = Self {
            n_words,
            by_transition: IdVec::new(),
            by_value: HashMap::default(),
            taken: IdVec::new(),
        };
        actions.intern(vec![0; n_words].into());
        actions
    }

    /// The action where nothing is taken.
    pub(super) fn none() -> ActionId {
        ActionId::new(0)
    }

    /// The action of a transition.
    #[inline]
    pub(super) fn of(
        &mut self,
        transition: TransitionId,
        system: &impl TransitionSystem,
    ) -> ActionId {
        if let Some(&Some(action)) = self.by_transition.get(transition) {
            return action;
        }
        let mut taken = vec![0; self.n_words];
        system.takes(transition, &mut taken);
        let action = self.intern(taken.into());
        self.by_transition.grow_to(transition, None);
        self.by_transition[transition] = Some(action);
        action
    }

    fn intern(&mut self, taken: Box<[u64]>) -> ActionId {
        if let Some(&known) = self.by_value.get(&taken) {
            return known;
        }
        let action = self.taken.push(taken.clone());
        self.by_value.insert(taken, action);
        action
    }

    /// The atoms that are true because of an action, as bits.
    pub(super) fn taken(&self, action: ActionId) -> &[u64] {
        &self.taken[action]
    }
}
