//! The page about the answers of `check`.

use super::super::model::Loaded;
use super::super::request::model::Drawn;
use super::super::{Failure, picture};
use super::why::{self, Reason};
use lwaa::check::model::ClaimPath;
use lwaa::id::Id;
use lwaa::report::model::{
    ModelReport, PropertyResult, Severity, line, severity, strength_name, unfair_note, word,
};
use lwaa::report::run_page::{ClaimAtom, ClaimRun, PageRun, Shown, short_text};
use lwaa::report::state::States;
use lwaa::report::trace::{self, DEFAULT_WIDTH};
use lwaa::run::Run;
use lwaa::system::Describe;
use lwaa::verdict::Verdict;
use lwaa::word::AtomId;

/// Writes the page and the chart, if they were asked for.
pub(super) fn draw(
    drawn: &Drawn,
    loaded: Option<&Loaded>,
    report: &ModelReport,
    reasons: &[Option<Reason>],
) -> Result<(), Failure> {
    if drawn.is_nothing() {
        return Ok(());
    }
    let model = loaded.map_or("a model", |loaded| &loaded.name);
    let first = report.results.iter().find_map(|result| {
        let run = result.finding.verdict.run()?;
        let states = States::new(result.system.as_ref()?.program());
        Some((result, until(result, run), states))
    });
    let title = first.as_ref().map_or_else(String::new, |(result, ..)| {
        format!("{model}: {} {}", result.name, word(&result.finding.verdict))
    });
    let violated = first.as_ref().and_then(|(result, ..)| result.finding.violation.as_ref());
    let violated = violated.map(|violation| violation.position);
    picture::chart(drawn, &title, first.as_ref().map(|(_, run, states)| (run, states)), violated)?;
    let Some(path) = &drawn.page else { return Ok(()) };
    let results = report.results.iter().zip(reasons);
    let is_only = report.results.len() == 1;
    let shown = results.map(|(result, reason)| shown(result, reason.as_ref(), is_only));
    picture::page(path, format!("Check: {model}"), shown.collect())
}

/// The part of a run that the chart shows: what follows a violation does not matter.
fn until(result: &PropertyResult, run: &Run) -> Run {
    match &result.finding.violation {
        Some(violation) => trace::until(run, violation),
        None => run.clone(),
    }
}

/// What the page shows of a property.
fn shown<'a>(result: &'a PropertyResult, reason: Option<&'a Reason>, is_only: bool) -> Shown<'a> {
    let verdict = &result.finding.verdict;
    let run = verdict.run();
    let name = if is_only { "the property" } else { &result.name };
    let note = |unfair| {
        let option = format!("--fair {}", strength_name(unfair));
        let note = result.unfair.as_ref().map(|found| unfair_note(name, found, &option));
        note.map(|note| note.trim().trim_start_matches("note: ").to_owned())
    };
    let note = result.unfair.as_ref().and_then(|unfair| note(unfair.strength));
    let system = result.system.as_deref();
    let activity = system.zip(run.filter(|run| run.is_infinite()));
    let activity = activity.map(|(system, run)| picture::activity(system, run)).unwrap_or_default();
    let text = run
        .and_then(|run| short_text(run.moments.len(), |out| result.write_run(out, DEFAULT_WIDTH)));
    // A run that stays where it is has come to a deadlock, whatever its formula says.
    let rest = run.zip(system).and_then(|(run, system)| {
        let last = run.moments.last().filter(|last| run.is_infinite() && last.taken.is_none())?;
        let (states, at) = (States::new(system.program()), run.moments.len() - 1);
        Some(format!("The run stays in state {at} for ever, where {}.", stay(&states, &last.state)))
    });
    Shown {
        name: result.name.clone(),
        verdict: line(verdict),
        is_fine: match severity(verdict) {
            Severity::Yes => Some(true),
            Severity::Unknown => None,
            Severity::No | Severity::ModelError => Some(false),
        },
        sentence: why::sentence(result, reason),
        notes: note.into_iter().chain(rest).collect(),
        run: run.zip(system).map(|(run, system)| PageRun::Model { run, program: system.program() }),
        pending_of: match verdict {
            Verdict::Exists(_) => "the formula",
            _ => "the negated formula, since the run violates it",
        },
        violated_at: match (&result.finding.violation, verdict) {
            (Some(violation), Verdict::Violated(_)) => Some(violation.position),
            _ => None,
        },
        formula: result.formula.as_ref(),
        explanation: reason.and_then(Reason::explanation),
        claim: match reason {
            Some(Reason::Claim(path)) => Some(claim(&result.name, path)),
            _ => None,
        },
        activity,
        text,
    }
}

/// Why a run stays where it is.
fn stay(states: &States<'_>, state: &[u64]) -> String {
    if states.may_end(state) {
        return "every process is where it may stop".to_owned();
    }
    why::stuck(states, state)
}

/// The claim along its run.
fn claim(name: &str, path: &ClaimPath) -> ClaimRun {
    let n_positions = path.letters.len();
    let part = |(atom, _): (AtomId, &str)| {
        let mut decides = vec![false; n_positions];
        for place in &path.places {
            if place.conditions.iter().any(|&(other, _)| other == atom) {
                decides[place.position] = true;
            }
        }
        let values = path.letters.iter().map(|letter| letter.contains(atom)).collect();
        ClaimAtom { name: path.titles[atom.index()].clone(), values, decides }
    };
    // What is accepted on the way to the cycle does not count.
    let mut accepting = vec![false; n_positions];
    for place in &path.places[path.cycle.unwrap_or(path.places.len() - 1)..] {
        accepting[place.position.min(n_positions - 1)] |= place.is_accepting;
    }
    ClaimRun { name: name.to_owned(), atoms: path.atoms.iter().map(part).collect(), accepting }
}
