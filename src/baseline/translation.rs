//! From formulas to explicit automata: which methods there are, and their stages put together.

use super::draft::Draft;
use super::nba::Nba;
use super::{degeneralize, gastin_oddoux, gpvw};
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
    Ok(degeneralize::degeneralize(&generalized, budget)?.into_nba())
}

fn draft(
    nnf: &Nnf,
    method: Method,
    raw: bool,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    let _ = raw;
    match method {
        Method::Gpvw => gpvw::translate(nnf, budget),
        Method::GastinOddoux => gastin_oddoux::translate(nnf, budget),
    }
}
