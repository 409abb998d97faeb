//! What commands have in common: which of them have limits and which answer in JSON,
//! and what is to be said about that before they run.

use super::{Command, LimitArguments};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use lwaa::report::Format;
use std::ffi::OsString;
use std::time::Duration;

impl Command {
    /// When to give up, for commands that do.
    pub(in crate::cli) fn limits(&self) -> Option<&LimitArguments> {
        match self {
            Self::Sat(sat) => Some(&sat.limits),
            Self::Valid(valid) => Some(&valid.options.limits),
            Self::Implies(pair) | Self::Equiv(pair) => Some(&pair.options.limits),
            Self::Check(check) => Some(&check.limits),
            Self::Explore(explore) => Some(&explore.limits),
            Self::Mcc(mcc) => Some(&mcc.limits),
            Self::Requirements(requirements) => Some(&requirements.limits),
            Self::Translate(translate) => Some(&translate.limits),
            Self::Bench(bench) => Some(&bench.limits),
            _ => None,
        }
    }

    /// In which form answers and errors are written.
    pub(in crate::cli) fn format(&self) -> Format {
        let is_json = match self {
            Self::Sat(sat) => sat.json,
            Self::Valid(valid) => valid.options.output.json,
            Self::Implies(pair) | Self::Equiv(pair) => pair.options.output.json,
            Self::Check(check) => check.output.json,
            Self::Explore(explore) => explore.output.json,
            Self::Requirements(requirements) => requirements.json,
            Self::Cross(cross) => cross.json,
            _ => false,
        };
        Format::json_if(is_json)
    }
}

/// Below this amount of memory a unit has probably been forgotten.
const LEAST_MEMORY: usize = 1 << 20;
/// Below this time, unless it is 0, a unit has probably been forgotten.
const LEAST_TIME: Duration = Duration::from_millis(1);

impl LimitArguments {
    /// What may have been meant differently.
    pub(in crate::cli) fn warnings(&self) -> Vec<String> {
        let memory = self.memory.filter(|&bytes| bytes < LEAST_MEMORY).map(|bytes| {
            format!("--memory is {bytes} bytes; units are K, M, G and T, as in --memory 200M")
        });
        let is_short = |time: &Duration| !time.is_zero() && *time < LEAST_TIME;
        let time = self.time.filter(is_short).map(|time| {
            format!("--time is {time:?}; a number without a unit is seconds, as in --time 10s")
        });
        memory.into_iter().chain(time).collect()
    }
}

/// Whether `--json` was typed as an option of a command that knows it, which has to be
/// known even if the arguments are wrong.
pub(in crate::cli) fn is_json_wanted(words: &[OsString], error: &clap::Error) -> bool {
    let unknown =
        error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument);
    let is_unknown = matches!(unknown, Some(ContextValue::String(name)) if name == "--json");
    let mut options = words.iter().skip(1).take_while(|word| *word != "--");
    !is_unknown && options.any(|word| word == "--json")
}
