//! What the arguments about models mean.

use super::super::args::model as typed;
use super::super::args::{self, LimitArguments};
use super::super::{Failure, request};
use lwaa::check::model::{Deadlock, Fair, ModelOptions, Order, SearchKind};
use lwaa::lang::Definition;
use lwaa::ltl::Syntax;
use lwaa::search::limits::Limits;
use lwaa::store::StoreKind;
use lwaa::system::Strength;
use std::path::{Path, PathBuf};

/// A model to be read.
#[derive(Clone, Debug)]
pub(in crate::cli) struct ModelSource {
    pub(in crate::cli) path: PathBuf,
    pub(in crate::cli) definitions: Vec<Definition>,
}

/// Properties to be checked.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Check {
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) formulas: Vec<String>,
    /// Files with a formula each.
    pub(in crate::cli) files: Vec<request::Text>,
    pub(in crate::cli) properties: Vec<String>,
    /// Whether the question is if every run makes progress.
    pub(in crate::cli) nonprogress: bool,
    pub(in crate::cli) syntax: Syntax,
    pub(in crate::cli) options: ModelOptions,
    pub(in crate::cli) trace: Option<PathBuf>,
    /// Whether the answer is a JSON object.
    pub(in crate::cli) json: bool,
    /// Whether statistics are printed in any case.
    pub(in crate::cli) statistics: bool,
}

/// States to be counted.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Explore {
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) store: StoreKind,
    pub(in crate::cli) deadlock: Deadlock,
    pub(in crate::cli) limits: Limits,
    /// Whether the answer is a JSON object.
    pub(in crate::cli) json: bool,
    /// Whether statistics are printed in any case.
    pub(in crate::cli) statistics: bool,
}

/// A run to be made.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Simulate {
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) seed: u64,
    /// How many steps; nothing if somebody says so at each step.
    pub(in crate::cli) steps: Option<usize>,
    /// Where the run is written to.
    pub(in crate::cli) trace: Option<PathBuf>,
}

/// A run to be taken again.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Replay {
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) trace: request::Text,
}

pub(super) fn check(check: typed::Check) -> Result<Check, Failure> {
    refuse_standard_output(check.trace.as_deref())?;
    let options = options(&check)?;
    Ok(Check {
        model: source(check.model.model, check.model.definitions)?,
        formulas: check.formulas,
        files: check.files.into_iter().map(|path| request::text(None, Some(path))).collect(),
        properties: check.properties,
        nonprogress: check.nonprogress,
        syntax: request::syntax(check.logic.syntax.syntax),
        options,
        trace: check.trace,
        json: check.output.json,
        statistics: check.output.stats,
    })
}

/// Standard output has the verdict, or the run.
fn refuse_standard_output(trace: Option<&Path>) -> Result<(), Failure> {
    match trace {
        Some(path) if path == Path::new("-") => {
            Err(Failure::plain("--trace needs the name of a file"))
        }
        _ => Ok(()),
    }
}

fn options(check: &typed::Check) -> Result<ModelOptions, Failure> {
    if check.logic.strategy.is_some() {
        return Err(Failure::plain(
            "--strategy is about formulas; a model is searched state by state",
        ));
    }
    let options = ModelOptions {
        exists: check.exists,
        fair: match check.fair {
            None => Fair::Declared,
            Some(typed::FairName::None) => Fair::Nothing,
            Some(typed::FairName::Weak) => Fair::Processes(Strength::Weak),
            Some(typed::FairName::Strong) => Fair::Processes(Strength::Strong),
        },
        deadlock: meaning_of_deadlocks(check)?,
        order: match check.order {
            typed::OrderName::Rotate => Order::Rotate,
            typed::OrderName::Fixed => Order::Fixed,
            typed::OrderName::Random(seed) => Order::Random(seed),
        },
        store: store(check.store.store),
        search: check.search.map(|search| match search {
            typed::SearchName::Scc => SearchKind::Scc,
            typed::SearchName::Nested => SearchKind::Nested,
            typed::SearchName::Magic => SearchKind::Magic,
        }),
        shortest: check.shortest,
        options: request::options(&check.logic, &check.limits)?,
    };
    options.suitable_search().map_err(Failure::plain)?;
    Ok(options)
}

/// Who cannot move any more makes no progress and yet does not run in circles: only
/// runs that go on for ever count.
fn meaning_of_deadlocks(check: &typed::Check) -> Result<Deadlock, Failure> {
    match deadlock(check.deadlock.deadlock) {
        Deadlock::Report if check.nonprogress => Err(Failure::plain(
            "--deadlock report does not go with --nonprogress, which is about runs that go on for \
             ever: look for deadlocks without it",
        )),
        _ if check.nonprogress => Ok(Deadlock::Ignore),
        meaning => Ok(meaning),
    }
}

pub(super) fn explore(explore: typed::Explore) -> Result<Explore, Failure> {
    if explore.store.store == typed::StoreName::Hybrid {
        return Err(Failure::plain(
            "--store hybrid is about what states are visited with, and explore visits them once: \
             use exact, tree or bitstate",
        ));
    }
    let LimitArguments { time, memory, states } = explore.limits;
    Ok(Explore {
        model: source(explore.model.model, explore.model.definitions)?,
        store: store(explore.store.store),
        deadlock: deadlock(explore.deadlock.deadlock),
        limits: Limits { time, memory, states },
        json: explore.output.json,
        statistics: explore.output.stats,
    })
}

pub(super) fn simulate(simulate: typed::Simulate) -> Result<Simulate, Failure> {
    refuse_standard_output(simulate.trace.as_deref())?;
    Ok(Simulate {
        trace: simulate.trace,
        model: source(simulate.model.model, simulate.model.definitions)?,
        seed: simulate.seed,
        steps: (!simulate.interactive).then_some(simulate.steps),
    })
}

pub(super) fn replay(replay: typed::Replay) -> Result<Replay, Failure> {
    Ok(Replay {
        model: source(replay.model, replay.definitions)?,
        trace: request::text(None, Some(replay.trace)),
    })
}

fn source(path: PathBuf, typed: args::model::Definitions) -> Result<ModelSource, Failure> {
    let definitions = typed.definitions;
    for (index, definition) in definitions.iter().enumerate() {
        if definitions[..index].iter().any(|before| before.name == definition.name) {
            let name = &definition.name;
            return Err(Failure::plain(format_args!("-D defines `{name}` twice")));
        }
    }
    Ok(ModelSource { path, definitions })
}

fn deadlock(name: typed::DeadlockName) -> Deadlock {
    match name {
        typed::DeadlockName::Stutter => Deadlock::Stutter,
        typed::DeadlockName::Report => Deadlock::Report,
        typed::DeadlockName::Ignore => Deadlock::Ignore,
    }
}

fn store(name: typed::StoreName) -> StoreKind {
    match name {
        typed::StoreName::Exact => StoreKind::Exact,
        typed::StoreName::Tree => StoreKind::Tree,
        typed::StoreName::Hybrid => StoreKind::Hybrid,
        typed::StoreName::Bitstate => StoreKind::Bitstate,
    }
}
