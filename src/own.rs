//! Systems that are written in Rust: any type with states, actions and propositions is a model.
//!
//! [`System`] is what a user implements, [`Pack`] what may be added to it. [`Own`] makes an
//! opened system of it, as the front end of a language does with a text. States are kept as they
//! are in a [`values`](crate::store::values) store, and the word of a state is its number there;
//! packed states are words already, and every store of words can keep them.
//!
//! The room knows neither formulas nor searches.

mod describe;
mod executor;
mod promises;
mod typed;

pub use executor::Executor;
pub use typed::Own;

use std::fmt::Debug;
use std::hash::Hash;

/// A system of states and actions.
///
/// ```
/// use lwaa::{Checker, Proposition, System};
///
/// /// A light that is switched on and off.
/// struct Light;
///
/// impl System for Light {
///     type State = bool;
///     type Action = &'static str;
///
///     fn initial(&self) -> Vec<bool> {
///         vec![false]
///     }
///
///     fn actions(&self, _: &bool, actions: &mut Vec<&'static str>) {
///         actions.push("switch");
///     }
///
///     fn next(&self, is_on: &bool, _: &&'static str) -> Option<bool> {
///         Some(!is_on)
///     }
///
///     fn propositions(&self) -> Vec<Proposition<Self>> {
///         vec![Proposition::new("on", |_, is_on| *is_on)]
///     }
/// }
///
/// Checker::new(Light).assert_holds("G F on & G F !on");
/// ```
pub trait System: Send + Sync + Sized + 'static {
    /// A state. All that decides about the future belongs to it.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// What leads from one state to the next.
    type Action: Debug;

    /// The states in which runs begin.
    fn initial(&self) -> Vec<Self::State>;

    /// Adds all actions that may be possible in `state`, always in the same order.
    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// The state behind an action; nothing if the action is not possible in `state`.
    fn next(&self, state: &Self::State, action: &Self::Action) -> Option<Self::State>;

    /// What formulas may say about states.
    fn propositions(&self) -> Vec<Proposition<Self>>;

    /// The names of processes, for fairness and for `enabled(NAME)` and `taken(NAME)` in
    /// formulas. Without processes all actions are those of one.
    fn processes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The process that does an action, as a position in [`processes`](Self::processes). A
    /// position that is not in the list is an error.
    fn process(&self, action: &Self::Action) -> usize {
        let _ = action;
        0
    }

    /// Whether a state without successor is where the system may end, and no deadlock.
    fn may_end(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// The parts of a state by their names, for people who read a run. By default these are
    /// the fields that `Debug` prints.
    fn show(&self, state: &Self::State) -> Vec<(String, String)> {
        describe::fields(&format!("{state:?}"))
    }

    /// An action, for people who read a run.
    fn show_action(&self, action: &Self::Action) -> String {
        format!("{action:?}")
    }
}

/// States as words of 64 bits. Packed states need less memory, and only they can leave the
/// process.
pub trait Pack: System {
    /// The number of words of a state; at least one.
    fn n_words(&self) -> usize;

    /// Writes a state. Equal states have equal words, and different states different ones:
    /// otherwise states would be lost, and a verdict could be wrong. A search tries some states,
    /// and gives an error if [`unpack`](Self::unpack) does not give them back.
    fn pack(&self, state: &Self::State, words: &mut [u64]);

    /// Reads a state that was written.
    fn unpack(&self, words: &[u64]) -> Self::State;
}

/// The function of a proposition.
type Holds<S> = dyn Fn(&S, &<S as System>::State) -> bool + Send + Sync;

/// Something that is true or false in a state, by its name.
pub struct Proposition<S: System> {
    name: String,
    holds: Box<Holds<S>>,
}

impl<S: System> Proposition<S> {
    /// The proposition `name`, which is true in the states for which `holds` says so.
    pub fn new(
        name: impl Into<String>,
        holds: impl Fn(&S, &S::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), holds: Box::new(holds) }
    }
}

impl<S: System> Debug for Proposition<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Proposition").field(&self.name).finish()
    }
}
