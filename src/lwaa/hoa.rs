//! Automata as documents of the HOA format, and documents as automata.
//!
//! The state of a location has the number of the location, the location's
//! formula as its name, and an edge for each set of locations that it may move
//! to. A run must not stay in an until-like location for ever: these are the
//! set 0 of the co-Büchi condition `Fin(0)`.
//!
//! The format cannot say that a step asks for no location at all. If one does,
//! there is one more state, called `true`, which accepts everything.
//! [`Lwaa::from_hoa`] takes it out again, so an automaton that is written and
//! read has the same locations, and is written as the same text.

mod read;
#[cfg(test)]
mod tests;

pub use read::FromHoaError;

use super::edges::{Edge, TooLarge, edges};
use super::names::LocationNames;
use super::{LocationId, Lwaa};
use crate::hoa::{
    Acceptance, Automaton, Condition, Header, Label, Proposition, SetId, State, StateId, Visits,
};
use crate::id::{Id, IdVec};

/// How many edges, parts of labels and intermediate results are built by
/// default before an automaton counts as too large to be written out.
pub const DEFAULT_LIMIT: usize = 5_000_000;

/// The name of the state that accepts everything.
const SINK: &str = "true";

/// The length in bytes at which the names of states are cut off.
const NAME_LIMIT: usize = 1000;

impl Lwaa {
    /// The automaton as a document of the HOA format. It has no `name:`.
    ///
    /// ```
    /// use lwaa::{Formula, Lwaa, lwaa::hoa::DEFAULT_LIMIT};
    /// let automaton = Lwaa::from_formula(&Formula::parse("G F a & G b")?);
    /// let text = automaton.to_hoa(DEFAULT_LIMIT)?.to_string();
    /// let read = Lwaa::from_hoa(&lwaa::hoa::read(&text)?)?;
    /// assert_eq!(read.n_locations(), automaton.n_locations());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If more than `limit` edges and parts of labels have been built,
    /// counting those of intermediate results too: there may be exponentially
    /// many. [`DEFAULT_LIMIT`] takes a second or two.
    pub fn to_hoa(&self, limit: usize) -> Result<Automaton, TooLarge> {
        let edges = edges(self, limit)?;
        let names = LocationNames::new(self);
        let sink = StateId::new(self.n_locations());
        let targets = |locations: &[LocationId]| match locations {
            [] => vec![sink],
            _ => locations.iter().map(|location| StateId::new(location.index())).collect(),
        };
        let start = targets(self.initial());
        let mut states: IdVec<StateId, State> = IdVec::new();
        for (id, edges) in edges.entries() {
            let rejecting = self.location(id).until && loops(id, edges);
            states.push(State {
                label: None,
                name: names.name(id, NAME_LIMIT),
                sets: if rejecting { vec![SetId::new(0)] } else { vec![] },
                edges: edges
                    .iter()
                    .map(|edge| explicit(edge.label.clone(), targets(&edge.targets)))
                    .collect(),
            });
        }
        let needs_sink =
            self.initial().is_empty() || edges.iter().flatten().any(|edge| edge.targets.is_empty());
        if needs_sink {
            let always = Label::leaf(Proposition::Constant(true));
            states.push(State {
                name: Some(SINK.to_owned()),
                edges: vec![explicit(always, vec![sink])],
                ..State::default()
            });
        }
        let branches = 1 < start.len()
            || states.iter().flat_map(|state| &state.edges).any(|edge| 1 < edge.targets.len());
        Ok(Automaton {
            start: vec![start],
            atoms: self.atoms().clone(),
            acceptance_name: Some(Header { name: "co-Buchi".to_owned(), values: vec![] }),
            acceptance: co_buchi(),
            properties: properties(branches),
            states,
            ..Automaton::by_this_program()
        })
    }
}

/// Whether some edge leads back to `id`.
fn loops(id: LocationId, edges: &[Edge]) -> bool {
    edges.iter().any(|edge| edge.targets.binary_search(&id).is_ok())
}

fn explicit(label: Label, targets: Vec<StateId>) -> crate::hoa::Edge {
    crate::hoa::Edge { label: Some(label), targets, sets: vec![] }
}

fn co_buchi() -> Acceptance {
    let finitely = Visits::Finitely { set: SetId::new(0), complemented: false };
    Acceptance { n_sets: 1, condition: Condition::leaf(finitely) }
}

fn properties(branches: bool) -> Vec<String> {
    let branching = if branches { "univ-branch" } else { "no-univ-branch" };
    let all = [branching, "very-weak", "weak", "trans-labels", "explicit-labels", "state-acc"];
    all.map(str::to_owned).to_vec()
}
