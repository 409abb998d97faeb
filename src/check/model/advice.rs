//! Whether a property fails only because a run neglects a process.
//!
//! Without assumptions about fairness, a liveness property often fails by a
//! run in which a process that could move never does. That is seldom what the user
//! wants to know. So we look whether the property holds when such runs do not count.

use super::fairness::{all_neglected, assumptions};
use super::{Ask, Fair, ModelOptions, Question, check_opened};
use crate::bdd;
use crate::check::Method;
use crate::ltl::Formula;
use crate::run::Run;
use crate::search::limits::Monitor;
use crate::system::{Opened, Strength};
use crate::verdict::{Unfair, Verdict};
use std::time::Instant;

/// So many states may be looked at for the sake of advice, as a rule.
pub const MAX_STATES: usize = 500_000;

/// What is to be said about `run`, which violates `formula` where no fairness is
/// assumed; nothing if fair runs violate the formula too.
/// No more than `n_states` are looked at, and they are subtracted.
#[must_use]
pub fn advice<O: Opened>(
    system: &O,
    formula: &Formula,
    run: &Run,
    options: &ModelOptions,
    n_states: &mut usize,
    monitor: &Monitor,
) -> Option<Unfair> {
    // An engine that makes Büchi automata would make one of the fairness of all processes.
    let is_explicit = matches!(options.options.method, Method::Automaton { .. });
    let has_assumptions = !assumptions(system, options.fair).is_empty();
    if options.exists || is_explicit || has_assumptions || !run.is_infinite() {
        return None;
    }
    let mut fairest = run.clone();
    for strength in [Strength::Weak, Strength::Strong] {
        let fair = Fair::Processes(strength);
        if all_neglected(system, fair, &fairest).ok()?.is_empty() {
            continue;
        }
        let mut options = ModelOptions { fair, shortest: false, ..options.clone() };
        let limits = &mut options.options.limits;
        limits.states = Some(limits.states.map_or(*n_states, |limit| limit.min(*n_states)));
        let search = options.suitable_search().ok()?;
        let questions = &[Question::Formula(formula)];
        let (language, started) = (None, Instant::now());
        let ask = Ask { language, questions, options: &options, search, started, monitor };
        let mut findings = Vec::new();
        check_opened::<O, bdd::Default>(system, &ask, &mut [None], &mut findings, &mut |_| ())
            .ok()?;
        let finding = findings.into_iter().next()?;
        *n_states = n_states.saturating_sub(finding.statistics.states);
        let holds = match finding.verdict {
            Verdict::Holds => true,
            Verdict::Unknown(_) => false,
            Verdict::Violated(fair_run) if fair_run.is_infinite() => {
                // It may break a stronger promise.
                fairest = fair_run;
                continue;
            }
            _ => return None,
        };
        let neglected = all_neglected(system, fair, run).ok()?;
        return Some(Unfair { strength, neglected, holds });
    }
    None
}
