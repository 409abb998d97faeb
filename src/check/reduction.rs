//! Whether steps of a model are left out while a question is answered, and why not.
//!
//! Reduction keeps, up to the repetition of letters, what a run shows of its states, errors and
//! deadlocks. So the question must not depend on repetitions, on who moves, or on which of several
//! runs is found.

use super::model::Question;
use super::{Options, satisfiable};
use crate::id::Id;
use crate::ltl::stuttering::{closure, has_next};
use crate::ltl::{Formula, Term};
use crate::search::limits::{Budget, Exhausted, Limits};
use crate::store::{StateId, StateStore, StoreKind};
use crate::system::{Cursor, Opened, PropositionId, Reduced, TransitionSystem};
use crate::verdict::{Satisfiability, Unreduced};

/// Whether steps are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// Where it is sound and pays.
    #[default]
    Auto,
    /// Wherever it is sound.
    On,
    /// Never.
    Off,
}

/// Larger formulas with `X` are not looked at.
const MAX_TERMS: usize = 60;

/// So many configurations are looked at to see whether a formula is stutter-invariant.
const MAX_CONFIGURATIONS: usize = 2_000;

/// With fewer states a model is small.
const SMALL: usize = 1_000;

/// After so many steps it is no longer clear that a question is answered sooner with all of them.
pub(super) const SCOUTED: u64 = 1 << 14;

/// After so many states it is seen whether anything is gained.
const PROBED: usize = 3_000;

/// Of so many enabled transitions, one at least has to be left out.
const LEAST_GAIN: u64 = 5;

/// Whether a question may be answered with fewer steps, as far as its form tells. If its formula
/// has an `X`, that is still to be asked of [`is_stutter_invariant`].
pub(super) fn is_sound<O: Opened>(
    question: Question<'_>,
    propositions: &[PropositionId],
    system: &O,
    has_fairness: bool,
    is_shortest: bool,
    has_errors: bool,
) -> Result<(), Unreduced> {
    match question {
        // Which finite runs violate a formula already depends on how it is written.
        Question::Formula(formula) if has_errors && has_next(formula) => {
            return Err(Unreduced::Next);
        }
        Question::Claim(_) => return Err(Unreduced::Claim),
        Question::Formula(_) | Question::Errors => (),
    }
    if has_fairness {
        return Err(Unreduced::Fairness);
    }
    if propositions.iter().any(|&one| system.is_about_steps(one)) {
        return Err(Unreduced::Steps);
    }
    if is_shortest { Err(Unreduced::Shortest) } else { Ok(()) }
}

/// The system with fewer steps, which keep what these atoms show, if that is wanted, possible and
/// worth it. That it is sound has to be known.
///
/// # Errors
///
/// If a limit is reached before that is clear.
pub(super) fn reduced<'a, O: Opened>(
    system: &'a O,
    reduce: Reduce,
    shown: &[PropositionId],
    budget: &mut Budget<'_>,
) -> Result<Result<O::Executor<'a>, Unreduced>, Exhausted> {
    if reduce == Reduce::Off {
        return Ok(Err(Unreduced::Asked));
    }
    let Some(executor) = system.reduced(shown, shown) else {
        return Ok(Err(Unreduced::Impossible));
    };
    if reduce == Reduce::Auto && !pays(system, shown, budget)? {
        return Ok(Err(Unreduced::NoGain));
    }
    Ok(Ok(executor))
}

/// Whether a formula is seen to be stutter-invariant: it has no `X`, or is equivalent to a formula
/// that has none.
pub(super) fn is_stutter_invariant(formula: &Formula) -> bool {
    if !has_next(formula) {
        return true;
    }
    if MAX_TERMS < formula.n_terms() {
        return false;
    }
    let Some(closure) = closure(formula) else { return false };
    let differ = formula.combined(Term::Xor, &closure);
    let limits = Limits { states: Some(MAX_CONFIGURATIONS), ..Limits::default() };
    let answer = satisfiable(&differ, &Options { limits, ..Options::default() });
    answer.is_ok_and(|answer| answer.satisfiability == Satisfiability::Unsatisfiable)
}

/// Whether a model has few states, which are explored faster than it is found out what can be left
/// out.
pub(super) fn is_small<O: Opened>(system: &O, budget: &mut Budget<'_>) -> Result<bool, Exhausted> {
    Ok(explored(&mut system.executor(&[]), system, SMALL, budget)? < SMALL)
}

/// Whether leaving out steps pays, as seen in the first states of a model, breadth first.
fn pays<O: Opened>(
    system: &O,
    shown: &[PropositionId],
    budget: &mut Budget<'_>,
) -> Result<bool, Exhausted> {
    let Some(mut executor) = system.reduced(shown, &[]) else { return Ok(false) };
    let n_expanded = explored(&mut executor, system, PROBED, budget)?;
    let Some(Reduced { enabled, left_out, .. }) = executor.reduced() else { return Ok(false) };
    // A model that ends here has become small.
    Ok(n_expanded < PROBED || enabled <= LEAST_GAIN * left_out)
}

/// Explores the first states of a system, and says how many there were.
fn explored<O: Opened>(
    executor: &mut impl TransitionSystem,
    system: &O,
    limit: usize,
    budget: &mut Budget<'_>,
) -> Result<usize, Exhausted> {
    let mut store = system.store(StoreKind::Exact);
    for state in executor.initial_states() {
        let _ = store.intern(&state);
    }
    let mut state = vec![0; executor.n_words()];
    let mut target = state.clone();
    let mut n_expanded = 0;
    while n_expanded < store.len().min(limit) {
        budget.poll()?;
        store.load(StateId::new(n_expanded), &mut state);
        n_expanded += 1;
        let mut cursor = Cursor::default();
        loop {
            match executor.next(&state, &mut cursor, &mut target) {
                Ok(None) => break,
                // What comes later will not be expanded.
                Ok(Some(_)) if store.len() <= limit => drop(store.intern(&target)),
                Ok(Some(_)) | Err(_) => (),
            }
        }
    }
    Ok(n_expanded)
}
