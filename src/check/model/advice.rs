//! Whether a property fails only because somebody is neglected.
//!
//! Without any assumption about who moves, a liveness property often fails by a
//! run in which a process that could move never does. That is seldom what was
//! asked. So we look whether the property holds when such runs do not count.

use super::fairness::{all_neglected, assumptions};
use super::{Fair, ModelOptions, check};
use crate::lang::Model;
use crate::ltl::Formula;
use crate::search::limits::{Limits, Monitor};
use crate::system::Strength;
use crate::verdict::{Moment, Unfair, Verdict};
use crate::word::Lasso;
use std::time::Duration;

/// So many states are looked at for the sake of advice.
pub const MAX_STATES: usize = 500_000;

/// What is to be said about `run`, by which `formula` fails although nothing
/// was assumed about who moves; nothing if the formula fails by fair runs too.
/// `time` is what may be used.
#[must_use]
pub fn advice(
    model: &Model,
    formula: &Formula,
    run: &Lasso<Moment>,
    options: &ModelOptions,
    time: Option<Duration>,
    monitor: &Monitor,
) -> Option<Unfair> {
    if options.exists || !assumptions(&model.program, options.fair).is_empty() {
        return None;
    }
    let states = Some(options.options.limits.states.unwrap_or(usize::MAX).min(MAX_STATES));
    let limits = Limits { time, states, ..options.options.limits };
    let mut fairest = run.clone();
    for strength in [Strength::Weak, Strength::Strong] {
        let fair = Fair::Processes(strength);
        if all_neglected(&model.program, fair, &fairest).ok()?.is_empty() {
            continue;
        }
        let mut options = ModelOptions { fair, shortest: false, ..options.clone() };
        options.options.limits = limits;
        let formulas = std::slice::from_ref(formula);
        let findings = check(model, formulas, &options, monitor, &mut |_, _| ()).ok()?;
        let holds = match findings.into_iter().next()?.verdict {
            Verdict::Holds => true,
            Verdict::Unknown(_) => false,
            Verdict::Violated(fair_run) => {
                // It may break a stronger promise.
                fairest = fair_run;
                continue;
            }
            _ => return None,
        };
        let neglected = all_neglected(&model.program, fair, run).ok()?;
        return Some(Unfair { strength, neglected, holds });
    }
    None
}
