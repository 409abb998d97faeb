//! From formulas to explicit automata: which methods there are, and their
//! stages put together.
//!
//! | | generalized | Büchi |
//! |---|---|---|
//! | GPVW, raw | the tableau | levels, duplicates removed |
//! | GPVW | and reduced | and reduced |
//! | Gastin–Oddoux, raw | best moves, reduced | levels by component, reduced |
//! | Gastin–Oddoux | and simulation | and simulation |
//!
//! *Raw* is what is published and nothing that we add: for [GPVW95] the tableau and the levels
//! and duplicates of [Wyk99], for [GO01] also the simplifications that its tool
//! makes while it builds. *Reduced* is by these, see `reduce.rs`; simulation is
//! ours. Formulas are not simplified here, but for one law that our
//! simplifier, which serves another automaton, does not want: unless raw, `F a | F b` is
//! taken as `F (a | b)`.
//!
//! # How to count
//!
//! Table 5 of [Wyk99] counts, of formulas as they are written, for GPVW the nodes of
//! the tableau without *init*, which are one less than the states
//! of the raw generalized automaton. They are 3, 9, 8 and 7; the
//! table has 22 for the last formula, which no reading of the algorithm gives. For its optimizing
//! translator it counts all states of the Büchi automaton, and has 2, 6, 5 and 3. We have
//! 2, 5, 4 and 1 by either method; GPVW, raw, has 2, 5, 7 and 5.
//!
//! [GPVW95]: crate::references::gpvw95
//! [GO01]: crate::references::go01
//! [Wyk99]: crate::references::wyk99

use super::degeneralize::{self, Entry};
use super::draft::Draft;
use super::join::join_eventualities;
use super::nba::Nba;
use super::reduce::{self, Acceptance, Extent};
use super::{gastin_oddoux, gpvw};
use crate::ltl::nnf::Nnf;
use crate::search::limits::{Budget, Exhausted};
use std::borrow::Cow;

/// A translation from formulas to generalized automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Translation {
    /// The tableau of Gerth, Peled, Vardi and Wolper: [`super::gpvw`].
    Gpvw,
    /// By way of very weak alternating automata, as Gastin and Oddoux do:
    /// [`super::gastin_oddoux`].
    GastinOddoux,
}

impl Translation {
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
/// The formula is taken as it is; a caller that wants a small automaton simplifies it
/// first. If `raw`, the automaton is left as the papers have it.
///
/// ```
/// use lwaa::baseline::translation::{Translation, generalized};
/// use lwaa::ltl::{Formula, nnf};
/// use lwaa::search::limits::{Budget, Limits, Monitor};
/// let monitor = Monitor::default();
/// let mut budget = Budget::new(Limits::default(), &monitor);
/// let formula = nnf::from_formula(&Formula::parse("G F p & G F q")?);
/// let automaton = generalized(&formula, Translation::GastinOddoux, false, &mut budget)?;
/// assert_eq!(automaton.n_sets(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a limit is reached.
pub fn generalized(
    nnf: &Nnf,
    method: Translation,
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
    method: Translation,
    raw: bool,
    budget: &mut Budget<'_>,
) -> Result<Nba, Exhausted> {
    let generalized = draft(nnf, method, raw, budget)?;
    let buchi = match method {
        Translation::Gpvw => {
            let levels = degeneralize::plain(&generalized, budget)?;
            let few = reduce::merge_duplicates(levels, budget)?;
            reduced(few, Acceptance::OnStates, extent(method, raw), budget)?
        }
        Translation::GastinOddoux => smallest_buchi(&generalized, extent(method, raw), budget)?,
    };
    Ok(buchi.into_nba())
}

/// Tries all ways to enter components.
fn smallest_buchi(
    generalized: &Draft,
    extent: Option<Extent>,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    let mut attempt = |entry: Entry| {
        let levels = degeneralize::by_component(generalized, entry, budget)?;
        reduced(levels, Acceptance::OnStates, extent, budget)
    };
    let [low, high] = [attempt(Entry::Lowest)?, attempt(Entry::Highest)?];
    let size = |draft: &Draft| (draft.n_states(), draft.n_edges());
    Ok(if size(&high) < size(&low) { high } else { low })
}

/// How far automata are reduced, if they are.
fn extent(method: Translation, raw: bool) -> Option<Extent> {
    match (method, raw) {
        (Translation::Gpvw, true) => None,
        (Translation::Gpvw, false) | (Translation::GastinOddoux, true) => Some(Extent::Published),
        (Translation::GastinOddoux, false) => Some(Extent::All),
    }
}

fn reduced(
    draft: Draft,
    acceptance: Acceptance,
    extent: Option<Extent>,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    match extent {
        Some(extent) => reduce::reduce(draft, acceptance, extent, budget),
        None => Ok(draft),
    }
}

fn draft(
    nnf: &Nnf,
    method: Translation,
    raw: bool,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    let nnf = if raw { Cow::Borrowed(nnf) } else { Cow::Owned(join_eventualities(nnf)) };
    let draft = match method {
        Translation::Gpvw => gpvw::translate(&nnf, budget)?,
        Translation::GastinOddoux => gastin_oddoux::translate(&nnf, budget)?,
    };
    reduced(draft, Acceptance::OnEdges, extent(method, raw), budget)
}
