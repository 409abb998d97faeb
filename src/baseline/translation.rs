//! From formulas to explicit automata: which methods there are, and their stages put together.

use super::degeneralize::{self, Entry};
use super::draft::Draft;
use super::nba::Nba;
use super::reduce::{self, Acceptance, Extent};
use super::{gastin_oddoux, gpvw};
use crate::ltl::nnf::Nnf;
use crate::search::limits::{Budget, Exhausted};

/// A translation from formulas to generalized automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The tableau of Gerth, Peled, Vardi and Wolper: [`gpvw`](super::gpvw).
    Gpvw,
    /// By way of very weak alternating automata, as Gastin and Oddoux do:
    /// [`gastin_oddoux`](super::gastin_oddoux).
    GastinOddoux,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::Gpvw, Self::GastinOddoux];

    /// What users call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gpvw => "gpvw",
            Self::GastinOddoux => "gastin-oddoux",
        }
    }
}

/// A generalized automaton that accepts the words on which `nnf` is true.
///
/// The formula is taken as it is; whoever wants a small automaton simplifies it
/// first. If `raw`, the automaton is not simplified either.
///
/// ```
/// use lwaa::baseline::translation::{Method, generalized};
/// use lwaa::ltl::{Formula, nnf};
/// use lwaa::search::limits::{Budget, Limits, Monitor};
/// let monitor = Monitor::default();
/// let mut budget = Budget::new(Limits::default(), &monitor);
/// let formula = nnf::from_formula(&Formula::parse("G F p & G F q")?);
/// let automaton = generalized(&formula, Method::GastinOddoux, false, &mut budget)?;
/// assert_eq!(automaton.n_sets(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a limit is reached.
pub fn generalized(
    nnf: &Nnf,
    method: Method,
    raw: bool,
    budget: &mut Budget<'_>,
) -> Result<Nba, Exhausted> {
    Ok(draft(nnf, method, raw, budget)?.into_nba())
}

/// A Büchi automaton that accepts the words on which `nnf` is true: one
/// acceptance set, and it is [state based](Nba::is_state_based).
///
/// `raw` is as for [`generalized`].
///
/// # Errors
///
/// If a limit is reached.
pub fn buchi(
    nnf: &Nnf,
    method: Method,
    raw: bool,
    budget: &mut Budget<'_>,
) -> Result<Nba, Exhausted> {
    let generalized = draft(nnf, method, raw, budget)?;
    let buchi = match method {
        Method::Gpvw => {
            let levels = degeneralize::plain(&generalized, budget)?;
            let few = reduce::merge_duplicates(levels, budget)?;
            if raw {
                few
            } else {
                reduce::reduce(few, Acceptance::OnStates, Extent::Published, budget)?
            }
        }
        Method::GastinOddoux => smallest_buchi(&generalized, extent(raw), budget)?,
    };
    Ok(buchi.into_nba())
}

/// Tries all ways to enter components.
fn smallest_buchi(
    generalized: &Draft,
    extent: Extent,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    let mut attempt = |entry: Entry| {
        let levels = degeneralize::by_component(generalized, entry, budget)?;
        reduce::reduce(levels, Acceptance::OnStates, extent, budget)
    };
    let [low, high] = [attempt(Entry::Lowest)?, attempt(Entry::Highest)?];
    let size = |draft: &Draft| (draft.n_states(), draft.n_edges());
    Ok(if size(&high) < size(&low) { high } else { low })
}

fn extent(raw: bool) -> Extent {
    if raw { Extent::Published } else { Extent::All }
}

fn draft(
    nnf: &Nnf,
    method: Method,
    raw: bool,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    match method {
        Method::Gpvw => {
            let draft = gpvw::translate(nnf, budget)?;
            if raw {
                Ok(draft)
            } else {
                reduce::reduce(draft, Acceptance::OnEdges, Extent::Published, budget)
            }
        }
        Method::GastinOddoux => {
            let draft = gastin_oddoux::translate(nnf, budget)?;
            reduce::reduce(draft, Acceptance::OnEdges, extent(raw), budget)
        }
    }
}
