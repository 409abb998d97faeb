//! The question for finite words: is there one on which a formula is true?
//!
//! The formula becomes one about infinite words ([`ltl::finite`](crate::ltl::finite)), which is asked
//! of the same engines; what they find is cut off where it ends, and certified by what
//! the original formula says about finite words.

use super::{Options, satisfiable_with};
use crate::bdd::Diagrams;
use crate::certify::{self, RefutedWord};
use crate::ltl::Formula;
use crate::ltl::finite::Finite;
use crate::search::limits::Monitor;
use crate::verdict::{Satisfiability, Statistics};
use crate::word::Letter;

/// Whether `formula` is true on some finite word; if so, a certified one.
///
/// ```
/// use lwaa::bdd;
/// use lwaa::check::finite::satisfiable_on_finite_words;
/// use lwaa::search::limits::Monitor;
/// use lwaa::{Formula, Options, Satisfiability};
/// // Every position has a next one: so no finite word.
/// let formula = Formula::parse("G X true")?;
/// let (found, _) = satisfiable_on_finite_words::<bdd::Default>(
///     &formula,
///     &Options::default(),
///     &Monitor::default(),
/// )?;
/// assert_eq!(found, Satisfiability::Unsatisfiable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the word that was found does not pass certification: a bug.
pub fn satisfiable_on_finite_words<D: Diagrams>(
    formula: &Formula,
    options: &Options,
    monitor: &Monitor,
) -> Result<(Satisfiability<Vec<Letter>>, Statistics), RefutedWord> {
    let finite = Finite::new(formula);
    let cut = |lasso| certify::certify_finite(formula, finite.word(lasso, formula));
    let answer = match satisfiable_with::<D>(&finite.formula, options, monitor) {
        Ok(answer) => answer,
        Err(refuted) => return Err(RefutedWord { word: finite.word(&refuted.lasso, formula) }),
    };
    let found = match &answer.satisfiability {
        Satisfiability::Satisfiable(lasso) => Satisfiability::Satisfiable(cut(lasso)?),
        Satisfiability::Unsatisfiable => Satisfiability::Unsatisfiable,
        &Satisfiability::Unknown(reason) => Satisfiability::Unknown(reason),
    };
    Ok((found, answer.statistics))
}
