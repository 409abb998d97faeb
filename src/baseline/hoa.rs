//! Explicit automata as documents of the HOA format, and documents as explicit
//! automata.
//!
//! A Büchi automaton is written with its acceptance on states, anything else on
//! edges; edges that differ in their labels only are one edge. Any
//! nondeterministic automaton is read, whatever its acceptance condition: see
//! [`condition`].

pub mod condition;
pub(super) mod read;
#[cfg(test)]
mod tests;

pub use read::FromHoaError;

use super::guard::bundles;
use super::nba::{Nba, StateId};
use crate::hoa::{Acceptance, Automaton, Condition, Edge, Header, SetId, State, Value, Visits};
use crate::id::Id;
use crate::search::MarksId;

impl Nba {
    /// The automaton as a document of the HOA format. It has no `name:`.
    ///
    /// ```
    /// use lwaa::baseline::Nba;
    /// let text = r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
    ///     --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--"#;
    /// let automaton = Nba::from_hoa(&lwaa::hoa::read(text)?)?;
    /// let again = Nba::from_hoa(&lwaa::hoa::read(&automaton.to_hoa().to_string())?)?;
    /// assert_eq!(again.n_edges(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_hoa(&self) -> Automaton {
        let on_states = self.n_sets() <= 1 && self.is_state_based();
        let states = self.states().map(|state| self.hoa_state(state, on_states)).collect();
        Automaton {
            start: self.initial().iter().map(|&state| vec![hoa_id(state)]).collect(),
            atoms: self.atoms().clone(),
            acceptance_name: Some(acceptance_name(self.n_sets())),
            acceptance: acceptance(self.n_sets()),
            properties: self.properties(on_states),
            states,
            ..Automaton::by_this_program()
        }
    }

    fn hoa_state(&self, state: StateId, on_states: bool) -> State {
        let sets = |sets: MarksId| -> Vec<SetId> {
            self.sets(sets).iter().map(|set| SetId::new(set.index())).collect()
        };
        let edges = bundles(self, state).into_iter().map(|bundle| Edge {
            label: Some(bundle.label),
            targets: vec![hoa_id(bundle.edge.target)],
            sets: if on_states { vec![] } else { sets(bundle.edge.sets) },
        });
        let of_state = self.edges(state).first().filter(|_| on_states);
        State {
            sets: of_state.map_or_else(Vec::new, |edge| sets(edge.sets)),
            edges: edges.collect(),
            ..State::default()
        }
    }

    fn properties(&self, on_states: bool) -> Vec<String> {
        let placement = if on_states { "state-acc" } else { "trans-acc" };
        let mut properties = vec!["no-univ-branch", "trans-labels", "explicit-labels", placement];
        if self.is_deterministic() {
            properties.push("deterministic");
        }
        properties.into_iter().map(str::to_owned).collect()
    }

    /// Whether there is at most one initial state, and on every letter at most
    /// one edge of a state.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        let disjoint = |state: StateId| {
            let edges = self.edges(state);
            edges.iter().enumerate().all(|(index, edge)| {
                let cube = self.cube(edge.cube);
                // Two ways to the same place on a letter are one if nothing
                // else tells them apart.
                edges[..index].iter().all(|other| {
                    (other.target, other.sets) == (edge.target, edge.sets)
                        || self.cube(other.cube).and(cube).is_none()
                })
            })
        };
        self.initial().len() <= 1 && self.states().all(disjoint)
    }
}

fn hoa_id(state: StateId) -> crate::hoa::StateId {
    crate::hoa::StateId::new(state.index())
}

fn acceptance_name(n_sets: usize) -> Header {
    let (name, values) = match n_sets {
        0 => ("all", vec![]),
        1 => ("Buchi", vec![]),
        _ => ("generalized-Buchi", vec![Value::Integer(count(n_sets))]),
    };
    Header { name: name.to_owned(), values }
}

fn acceptance(n_sets: usize) -> Acceptance {
    let infinitely =
        |set| Condition::leaf(Visits::Infinitely { set: SetId::new(set), complemented: false });
    let condition = (0..n_sets).map(infinitely).reduce(Condition::and);
    Acceptance {
        n_sets: count(n_sets),
        condition: condition.unwrap_or_else(|| Condition::leaf(Visits::Constant(true))),
    }
}

fn count(n_sets: usize) -> u32 {
    u32::try_from(n_sets).expect("acceptance sets have 32-bit numbers")
}
