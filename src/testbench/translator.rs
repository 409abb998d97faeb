//! What turns formulas into automata: our own translations, the rivals, any command.

use crate::baseline::configurations;
use crate::baseline::formats::Size;
use crate::baseline::nba::Nba;
use crate::baseline::renumber;
use crate::baseline::translation::{self, Translation};
use crate::check;
use crate::ltl::nnf::{self, Nnf};
use crate::ltl::{Formula, simplify};
use crate::search::limits::{Budget, Exhausted};
use crate::word::Atoms;
use std::time::Duration;

/// Why there is no automaton. None of this is an opinion on the formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is too large, or the monitor says to stop.
    #[error(transparent)]
    Limit(#[from] Exhausted),
    /// The time of a single translation is up.
    #[error("no automaton within {} s", .0.as_secs_f64())]
    Time(Duration),
    /// The program failed; the message says how.
    #[error("{0}")]
    Crash(String),
    /// What came is not an automaton.
    #[error("{0}")]
    Unreadable(String),
}

/// A translator from formulas to automata on words.
pub trait Translator: Send + Sync {
    /// What reports call it.
    fn name(&self) -> &str;

    /// An automaton that should accept exactly the words on which `formula` is
    /// true. It may number atoms as it likes.
    ///
    /// # Errors
    ///
    /// If there is no automaton, for whatever reason.
    fn translate(&self, formula: &Formula, budget: &mut Budget<'_>) -> Result<Nba, Fault>;

    /// The same, and how large the automaton was before we changed it, if we had to.
    ///
    /// # Errors
    ///
    /// If there is no automaton, for whatever reason.
    fn translate_and_measure(
        &self,
        formula: &Formula,
        budget: &mut Budget<'_>,
    ) -> Result<(Nba, Size), Fault> {
        let automaton = self.translate(formula, budget)?;
        let size = Size::of(&automaton);
        Ok((automaton, size))
    }
}

/// The automaton of `translator` over the atoms of the formula, and its size. Atoms
/// that the formula does not have are false on all words.
///
/// # Errors
///
/// If there is no automaton.
pub fn translate(
    translator: &dyn Translator,
    formula: &Formula,
    atoms: &Atoms,
    budget: &mut Budget<'_>,
) -> Result<(Nba, Size), Fault> {
    let (automaton, size) = translator.translate_and_measure(formula, budget)?;
    if automaton.atoms() == atoms {
        return Ok((automaton, size));
    }
    Ok((renumber::within(&automaton, atoms), size))
}

/// A translation of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The configurations of our automaton and their steps, as the search of
    /// `sat` and `check` takes them, letter by letter.
    Lwaa,
    /// The same configurations, multiplied out from the transition formulas: what
    /// `lwaa translate --to tgba --via lwaa` prints.
    Configurations,
    /// The generalized automaton of a rival.
    Generalized(Translation),
    /// The Büchi automaton of a rival.
    Buchi(Translation),
}

impl Builtin {
    /// All of them, ours first.
    pub const ALL: [Self; 6] = [
        Self::Lwaa,
        Self::Configurations,
        Self::Generalized(Translation::Gpvw),
        Self::Buchi(Translation::Gpvw),
        Self::Generalized(Translation::GastinOddoux),
        Self::Buchi(Translation::GastinOddoux),
    ];
}

impl Translator for Builtin {
    fn name(&self) -> &'static str {
        match self {
            Self::Lwaa => "lwaa",
            Self::Configurations => "lwaa/tgba",
            Self::Generalized(Translation::Gpvw) => "gpvw",
            Self::Buchi(Translation::Gpvw) => "gpvw/nba",
            Self::Generalized(Translation::GastinOddoux) => "gastin-oddoux",
            Self::Buchi(Translation::GastinOddoux) => "gastin-oddoux/nba",
        }
    }

    fn translate(&self, formula: &Formula, budget: &mut Budget<'_>) -> Result<Nba, Fault> {
        Ok(match *self {
            Self::Lwaa => check::explicit::automaton(formula, budget)?,
            Self::Configurations => {
                let lwaa = check::automaton(formula, &check::Options::default());
                configurations::generalized(&lwaa, budget)?
            }
            Self::Generalized(method) => {
                translation::generalized(&simplified(formula), method, false, budget)?
            }
            Self::Buchi(method) => translation::buchi(&simplified(formula), method, false, budget)?,
        })
    }
}

/// What the baselines of `lwaa translate` begin with.
fn simplified(formula: &Formula) -> Nnf {
    simplify::simplify(&nnf::from_formula(formula))
}
