//! Which engines, searches and stores go together.
//!
//! Nested and magic search need one acceptance condition that a single state
//! fulfils, so they need a Büchi automaton. The search for components keeps a
//! number for every node, so it needs nodes that are told apart: packets and
//! shared bits have no room for numbers.

use super::ModelOptions;
use crate::check::Engine;
use crate::store::StoreKind;

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

/// Engine, search and store do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsuitable(String);

impl ModelOptions {
    /// The search that is meant, if it goes together with everything else. By
    /// default that is the search for components for our own engines and where
    /// the shortest way is asked for, magic search for packets, and nested
    /// search otherwise.
    ///
    /// # Errors
    ///
    /// If it does not go together. The message says what does.
    pub fn suitable_search(&self) -> Result<SearchKind, Unsuitable> {
        let is_explicit = matches!(self.options.engine, Engine::Nba(_));
        let has_numbers = matches!(self.store, StoreKind::Exact | StoreKind::Tree);
        let search = self.search.unwrap_or(match self.store {
            _ if !is_explicit || self.shortest => SearchKind::Scc,
            StoreKind::Hybrid => SearchKind::Magic,
            _ => SearchKind::Nested,
        });
        let store = match self.store {
            StoreKind::Exact => "exact",
            StoreKind::Tree => "tree",
            StoreKind::Hybrid => "hybrid",
            StoreKind::Bitstate => "bitstate",
        };
        let problem = match search {
            SearchKind::Scc if has_numbers => return Ok(search),
            SearchKind::Scc if !is_explicit => format!(
                "--store {store} needs a Büchi automaton: use it with --engine gpvw or \
                 gastin-oddoux, or use --store exact or tree"
            ),
            SearchKind::Scc if self.shortest => format!(
                "--shortest searches for components, which needs --store exact or tree, not {store}"
            ),
            SearchKind::Scc => format!(
                "--search scc needs --store exact or tree; --store {store} goes with --search \
                 nested or magic"
            ),
            SearchKind::Nested | SearchKind::Magic if !is_explicit => {
                "nested and magic search need a Büchi automaton: use them with --engine gpvw or \
                 gastin-oddoux; other engines search for components (--search scc)"
                    .to_owned()
            }
            SearchKind::Nested | SearchKind::Magic if self.shortest => {
                "--shortest needs --search scc: nested and magic search stop at the first cycle"
                    .to_owned()
            }
            SearchKind::Nested | SearchKind::Magic => return Ok(search),
        };
        Err(Unsuitable(problem))
    }

    /// Passes if claims can be checked by this search. What is assumed about runs
    /// gives an automaton more acceptance conditions than nested and magic search have.
    pub(super) fn suit_claims(search: SearchKind, is_assumed: bool) -> Result<(), Unsuitable> {
        if search == SearchKind::Scc || !is_assumed {
            return Ok(());
        }
        let message = "fairness and a claim together need --search scc and --store exact or tree";
        Err(Unsuitable(message.to_owned()))
    }
}
