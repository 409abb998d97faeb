//! Why properties are violated: from a result to a sentence.

use lwaa::check::model::observed;
use lwaa::explain::{Explanation, Word};
use lwaa::report::chart::mover_into;
use lwaa::report::model::{PropertyResult, error_reason};
use lwaa::report::state::States;
use lwaa::report::why::Explained;
use lwaa::run::Run;
use lwaa::verdict::Verdict;
use lwaa::word::Lasso;

/// What decides about the formula of a result on its run, if it has both.
pub(super) fn of(result: &PropertyResult) -> Option<Explanation> {
    let (system, formula) = (result.system.as_ref()?, result.formula.as_ref()?);
    let run = result.finding.verdict.run()?;
    let mut letters = observed(&**system, formula, run);
    if !run.is_infinite() {
        return Explanation::of(formula, &Word::Begun(&letters));
    }
    let cycle = letters.split_off(run.cycle_start());
    Explanation::of(formula, &Word::Lasso(&Lasso::new(letters, cycle)?))
}

/// The explanation of a result that is violated, with the names of the model.
pub(super) fn explained<'a>(
    result: &'a PropertyResult,
    reason: Option<&'a Explanation>,
) -> Option<Explained<'a>> {
    let is_violated = matches!(result.finding.verdict, Verdict::Violated(_));
    let (formula, explanation) = (result.formula.as_ref()?, reason.filter(|_| is_violated)?);
    Some(Explained { formula, explanation, noun: "state" })
}

/// The verdict in a sentence.
pub(super) fn sentence(result: &PropertyResult, reason: Option<&Explanation>) -> String {
    let verdict = &result.finding.verdict;
    let states = result.system.as_ref().map(|system| States::new(system.program()));
    let mover = |run: &Run, at| mover_into(run, at, states.as_ref()?);
    match verdict {
        Verdict::Violated(run) => match explained(result, reason) {
            Some(explained) => explained.sentence(&|at| mover(run, at)),
            None => "The run below violates it.".to_owned(),
        },
        Verdict::ModelError(run) => {
            let last = run.moments.len().saturating_sub(1);
            let place = match mover(run, last) {
                Some(mover) => format!("After {mover} (step {last})"),
                None => "In the first state".to_owned(),
            };
            let culprit = run.culprit().zip(states.as_ref());
            let who =
                culprit.map(|(culprit, states)| format!("{} goes wrong: ", states.mover(culprit)));
            format!("{place}, {}{}.", who.unwrap_or_default(), error_reason(run))
        }
        Verdict::Holds => "All runs of the model satisfy it.".to_owned(),
        Verdict::Exists(_) => "The run below satisfies it.".to_owned(),
        Verdict::ExistsNot => "No run of the model satisfies it.".to_owned(),
        Verdict::NotViolated(_) | Verdict::NotFound(_) => {
            "The search may have missed a run, since its store is lossy.".to_owned()
        }
        Verdict::Unknown(reason) => format!("It is not known: {reason}."),
    }
}
