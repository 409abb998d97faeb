//! By which method a question is answered, and which methods do not go together with what else
//! is asked for.

use super::model::ModelOptions;
use crate::baseline::translation::Translation;
use crate::configuration::{Labels, Successors};
use crate::product::Order;
use crate::store::StoreKind;
use std::fmt;

/// By which method a question is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The search over configurations; where the question is about a formula alone, bounded search
    /// and proof as well, side by side.
    #[default]
    Auto,
    /// The search over configurations alone.
    Explicit(Exploration),
    /// Bounded search for a lasso. It answers questions about formulas that have a model.
    Bounded,
    /// Proof by invariants. It answers questions about formulas that have no model.
    Proof,
    /// An explicit Büchi automaton, which is made before the search begins.
    Automaton {
        /// How the automaton is made.
        translation: Translation,
        /// How its product with a model is searched; if nothing is said, as it suits the store.
        search: Option<SearchKind>,
    },
}

impl From<Translation> for Method {
    fn from(translation: Translation) -> Self {
        Self::Automaton { translation, search: None }
    }
}

impl From<Exploration> for Method {
    fn from(exploration: Exploration) -> Self {
        Self::Explicit(exploration)
    }
}

impl Method {
    /// How configurations are explored, where they are.
    #[must_use]
    pub fn exploration(self) -> Exploration {
        match self {
            Self::Explicit(exploration) => exploration,
            // An explicit automaton is made of the whole formula.
            Self::Automaton { .. } => Exploration { pure: true, ..Exploration::default() },
            Self::Auto | Self::Bounded | Self::Proof => Exploration::default(),
        }
    }
}

/// How configurations are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exploration {
    /// Whether recurrence and fairness are left to the automaton as well, as in [Ham04], instead
    /// of becoming acceptance.
    ///
    /// [Ham04]: crate::references::ham04
    pub pure: bool,
    /// How accepting cycles are recognized.
    pub labels: Labels,
    /// How steps of configurations are computed. If nothing is said: with a SAT solver where
    /// letters are free, which makes for large groups, and else with diagrams.
    pub successors: Option<Successors>,
    /// How many configurations keep their edges once they are all known.
    pub cache_size: usize,
}

impl Default for Exploration {
    fn default() -> Self {
        Self { pure: false, labels: Labels::Exact, successors: None, cache_size: usize::MAX }
    }
}

/// How a product is searched for accepting cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchKind {
    /// By strongly connected components.
    Scc,
    /// By two nested depth-first searches.
    Nested,
    /// By magic search.
    Magic,
}

/// What is asked for does not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conflict {
    /// The method knows formulas only, and the question is about a model.
    FormulasOnly,
    /// The search over configurations numbers nodes, and the store cannot tell them apart.
    ConfigurationsInStore(StoreKind),
    /// The search for components numbers nodes, and the store cannot tell them apart.
    ComponentsInStore(StoreKind),
    /// The shortest way is found by the search for components, which does not go with the store.
    ShortestInStore(StoreKind),
    /// Nested and magic search end with the first cycle, which need not be reached by the shortest
    /// way.
    ShortestBySearch,
    /// What is assumed about runs gives the automaton of a claim several acceptance conditions,
    /// and nested and magic search know one.
    FairClaim,
    /// A guided search is led by configurations, and there are none in a Büchi automaton.
    GuidedAutomaton,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FormulasOnly => f.write_str("the method is about formulas, not about models"),
            Self::ConfigurationsInStore(store) => {
                write!(f, "the search over configurations cannot use the store {}", store.name())
            }
            Self::ComponentsInStore(store) => {
                write!(f, "the search for components cannot use the store {}", store.name())
            }
            Self::ShortestInStore(store) => {
                write!(f, "the shortest way cannot be found in the store {}", store.name())
            }
            Self::ShortestBySearch => {
                f.write_str("nested and magic search do not find the shortest way")
            }
            Self::FairClaim => f.write_str("a claim with fairness needs the search for components"),
            Self::GuidedAutomaton => {
                f.write_str("the guided order needs the search over configurations")
            }
        }
    }
}

impl std::error::Error for Conflict {}

impl ModelOptions {
    /// The search that suits the method, the store and the other options. If the method names
    /// none, that is the search for components for configurations and where the shortest way is
    /// asked for, magic search for packets, and nested search otherwise.
    ///
    /// Nested and magic search need one acceptance condition that a single state fulfils, so they
    /// need a Büchi automaton. The search for components keeps a number for every node, so it needs
    /// nodes that are told apart: packets and shared bits have no room for numbers.
    ///
    /// # Errors
    ///
    /// If the options do not go together.
    pub fn suitable_search(&self) -> Result<SearchKind, Conflict> {
        let has_numbers = matches!(self.store, StoreKind::Exact | StoreKind::Tree);
        let is_guided = self.order == Some(Order::Guided);
        let asked = match self.options.method {
            Method::Automaton { .. } if is_guided => return Err(Conflict::GuidedAutomaton),
            Method::Bounded | Method::Proof => return Err(Conflict::FormulasOnly),
            Method::Automaton { search, .. } => search,
            Method::Auto | Method::Explicit(_) if has_numbers => return Ok(SearchKind::Scc),
            Method::Auto | Method::Explicit(_) => {
                return Err(Conflict::ConfigurationsInStore(self.store));
            }
        };
        let search = asked.unwrap_or(match self.store {
            _ if self.shortest => SearchKind::Scc,
            StoreKind::Hybrid => SearchKind::Magic,
            _ => SearchKind::Nested,
        });
        match search {
            SearchKind::Scc if has_numbers => Ok(search),
            SearchKind::Scc if self.shortest => Err(Conflict::ShortestInStore(self.store)),
            SearchKind::Scc => Err(Conflict::ComponentsInStore(self.store)),
            SearchKind::Nested | SearchKind::Magic if self.shortest => {
                Err(Conflict::ShortestBySearch)
            }
            SearchKind::Nested | SearchKind::Magic => Ok(search),
        }
    }
}

impl SearchKind {
    /// Passes if claims can be checked by this search.
    pub(super) fn suit_claims(
        self,
        is_assumed: bool,
        order: Option<Order>,
    ) -> Result<(), Conflict> {
        match order {
            Some(Order::Guided) => Err(Conflict::GuidedAutomaton),
            _ if self == Self::Scc || !is_assumed => Ok(()),
            _ => Err(Conflict::FairClaim),
        }
    }
}
