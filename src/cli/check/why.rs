//! Why properties are violated: from a result to a sentence.

use super::super::model::Loaded;
use lwaa::check::model::{ClaimPath, ClaimPlace, claim_path, observed};
use lwaa::explain::{Explanation, Word};
use lwaa::id::Id;
use lwaa::report::chart::mover_into;
use lwaa::report::model::{About, PropertyResult};
use lwaa::report::sentence::{Sentence, code, cut};
use lwaa::report::state::States;
use lwaa::report::waiting::waiting;
use lwaa::report::why::{Explained, ranges};
use lwaa::run::{Ending, Run};
use lwaa::system::Describe;
use lwaa::verdict::Verdict;
use lwaa::word::{AtomId, Lasso};
use std::io::Write;

/// What there is to say about a run.
#[derive(Debug)]
pub(super) enum Reason {
    /// What decides about the formula.
    Formula(Explanation),
    /// How the claim accepts it.
    Claim(ClaimPath),
}

impl Reason {
    /// What decides about the formula, if there is one.
    pub(super) fn explanation(&self) -> Option<&Explanation> {
        match self {
            Self::Formula(explanation) => Some(explanation),
            Self::Claim(_) => None,
        }
    }
}

/// What decides about the property of a result on its run, if it has both.
pub(super) fn of(result: &PropertyResult, loaded: Option<&Loaded>) -> Option<Reason> {
    let system = result.system.as_ref()?;
    let run = result.finding.verdict.run()?;
    if result.about == About::Claim {
        let claims = loaded?.model.bindings.claims();
        let claim = claims.iter().find(|claim| claim.name == result.name)?;
        let is_violated = matches!(result.finding.verdict, Verdict::Violated(_));
        return claim_path(&**system, claim, run).filter(|_| is_violated).map(Reason::Claim);
    }
    let formula = result.formula.as_ref()?;
    let mut letters = observed(&**system, formula, run);
    if !run.is_infinite() {
        return Explanation::of(formula, &Word::Begun(&letters)).map(Reason::Formula);
    }
    let cycle = letters.split_off(run.cycle_start());
    Explanation::of(formula, &Word::Lasso(&Lasso::new(letters, cycle)?)).map(Reason::Formula)
}

/// The explanation of a result that is violated, with the names of the model.
pub(super) fn explained<'a>(
    result: &'a PropertyResult,
    reason: Option<&'a Reason>,
) -> Option<Explained<'a>> {
    let is_violated = matches!(result.finding.verdict, Verdict::Violated(_));
    let (formula, explanation) =
        (result.formula.as_ref()?, reason.filter(|_| is_violated)?.explanation()?);
    Some(Explained { formula, explanation, noun: "state" })
}

/// The verdict in a sentence.
pub(super) fn sentence(result: &PropertyResult, reason: Option<&Reason>) -> Sentence {
    let verdict = &result.finding.verdict;
    let states = result.system.as_ref().map(|system| States::new(system.program()));
    let mover = |run: &Run, at| mover_into(run, at, states.as_ref()?);
    match verdict {
        Verdict::Violated(run) => match explained(result, reason) {
            Some(explained) => explained.sentence(&|at| mover(run, at)),
            None if result.about == About::Claim => violated_claim(result, run, reason),
            None => "The run below violates it.".into(),
        },
        Verdict::ModelError(run) => {
            states.as_ref().map_or_else(Sentence::default, |states| stopped(run, states))
        }
        Verdict::Holds => holds(result).into(),
        Verdict::Exists(_) => "The run below satisfies it.".into(),
        Verdict::ExistsNot => "No run of the model satisfies it.".into(),
        Verdict::NotViolated(_) | Verdict::NotFound(_) => {
            "The search may have missed a run, since its store is lossy.".into()
        }
        Verdict::Unknown(reason) => format!("It is not known: {reason}.").into(),
    }
}

/// Writes why a property is violated, in full: what decides about a formula, or who waits for what
/// in a deadlock.
pub(super) fn write(
    out: &mut dyn Write,
    result: &PropertyResult,
    reason: Option<&Reason>,
) -> std::io::Result<()> {
    if let Some(explained) = explained(result, reason) {
        return explained.write(out);
    }
    if let Some(Reason::Claim(path)) = reason {
        return write_claim(out, path);
    }
    let (Verdict::ModelError(run), Some(system)) = (&result.finding.verdict, &result.system) else {
        return Ok(());
    };
    let Some(state) = run.last_state().filter(|_| run.ending == Ending::Deadlock) else {
        return Ok(());
    };
    writeln!(out, "why:\n  no process can move in state {}", run.moments.len() - 1)?;
    let states = States::new(system.program());
    waiting(&states, state).iter().try_for_each(|line| writeln!(out, "    {}", cut(line)))
}

/// That nothing was found.
fn holds(result: &PropertyResult) -> &'static str {
    match result.about {
        About::Formula => "All runs of the model satisfy it.",
        About::Claim => "The claim accepts no run of the model.",
        About::Errors => "No run of the model goes wrong.",
        About::ErrorsAndDeadlocks => "No run of the model goes wrong or ends in a deadlock.",
    }
}

/// That a claim accepts a run.
fn violated_claim(result: &PropertyResult, run: &Run, reason: Option<&Reason>) -> Sentence {
    let path = match reason {
        Some(Reason::Claim(path)) => path.places.last(),
        _ => None,
    };
    let how = match path {
        Some(last) if run.is_infinite() => format!(
            "its state {}, in which it accepts, comes again and again, in state {} of the run",
            last.state, last.position
        ),
        _ if run.is_infinite() => "it accepts again and again".to_owned(),
        _ => "it has come to its end, whatever follows".to_owned(),
    };
    Sentence::from(format!("The claim {} accepts the run below: {how}.", code(&result.name)))
}

/// Writes how a claim accepts a run: where it goes to another state, and the values that it asks
/// for.
fn write_claim(out: &mut dyn Write, path: &ClaimPath) -> std::io::Result<()> {
    /// So many lines are written.
    const MAX_LINES: usize = 40;
    let is = |&(atom, value): &(AtomId, bool)| {
        format!("{} is {value}", code(&path.titles[atom.index()]))
    };
    writeln!(out, "why:")?;
    let moves = path.places.windows(2).filter(|pair| pair[0].state != pair[1].state);
    for pair in moves.clone().take(MAX_LINES) {
        let ClaimPlace { position, state, conditions, .. } = &pair[0];
        let conditions: Vec<String> = conditions.iter().map(is).collect();
        let since = if conditions.is_empty() { "" } else { ": " };
        let (next, conditions) = (pair[1].state, conditions.join(" and "));
        let line = format!(
            "  in state {position} the claim goes from its state {state} to its state \
             {next}{since}{conditions}"
        );
        writeln!(out, "{}", Sentence::from(line))?;
    }
    if let Some(more @ 1..) = moves.count().checked_sub(MAX_LINES) {
        writeln!(out, "  {more} more")?;
    }
    writeln!(out, "values that cause it:")?;
    for (atom, name) in path.atoms.iter().map(|one| one.0).zip(&path.titles) {
        for value in [true, false] {
            let asked = path.places.iter().filter(|one| one.conditions.contains(&(atom, value)));
            let mut positions: Vec<usize> = asked.map(|one| one.position).collect();
            positions.sort_unstable();
            positions.dedup();
            if !positions.is_empty() {
                let nouns = if positions.len() == 1 { "state" } else { "states" };
                let list = ranges(&positions);
                let line = format!("  {} is {value} in {nouns} {list}", code(name));
                writeln!(out, "{}", Sentence::from(line))?;
            }
        }
    }
    Ok(())
}

/// How a run comes to its end: what goes wrong, or who waits for what.
pub(in crate::cli) fn stopped(run: &Run, states: &States<'_>) -> Sentence {
    let last = run.moments.len().saturating_sub(1);
    let place = match mover_into(run, last, states) {
        Some(mover) => format!("After {} (step {last})", cut(&mover)),
        None => "In the first state".to_owned(),
    };
    let what = match run.fault() {
        Some(fault) => {
            let told = run.culprit().zip(run.last_state());
            let told = told.map(|(culprit, state)| states.told(state, culprit, None));
            // What was done before in the same step has not gone wrong.
            let who = told.and_then(|mut told| told.pop()).map(|last| last.mover);
            let who = who.filter(|who| !who.is_empty());
            who.map_or_else(
                || fault.to_string(),
                |who| format!("{} goes wrong: {fault}", cut(&who)),
            )
        }
        None => run.last_state().map_or_else(String::new, |state| stuck(states, state)),
    };
    Sentence::from(format!("{place}, {what}."))
}

/// That no process can move, and what each of them waits for.
pub(super) fn stuck(states: &States<'_>, state: &[u64]) -> String {
    let waiting: Vec<String> = waiting(states, state).iter().map(|line| cut(line)).collect();
    if states.may_end(state) {
        return "the run ends: every process is where it may stop".to_owned();
    }
    let colon = if waiting.is_empty() { "" } else { ": " };
    format!("no process can move{colon}{}", waiting.join("; "))
}
