//! What the arguments mean about what is done before a search.

use super::super::Failure;
use super::super::args::model::{PreparationArguments, Switch};
use super::model::ModelSource;
use lwaa::check::model::{Deadlock, Fair, ModelOptions, Preparation};
use lwaa::lang::smaller::Rules;

/// What is done about a question before it is searched.
pub(super) fn preparation(typed: &PreparationArguments) -> Preparation {
    Preparation {
        knowledge: typed.knowledge != Some(Switch::Off),
        rules: typed.reductions.unwrap_or(Rules::ALL),
    }
}

/// Refuses options about nets for a model in another language.
pub(super) fn refuse_unless_net(
    typed: &PreparationArguments,
    model: &ModelSource,
) -> Result<(), Failure> {
    match model.language.name {
        "pnml" => Ok(()),
        name => refuse_any(typed, &format!("nets, and this model is written in {name}")),
    }
}

/// Refuses to begin what the other options keep from having an effect.
pub(super) fn refuse_without_effect(
    typed: &PreparationArguments,
    options: &ModelOptions,
) -> Result<(), Failure> {
    let refuse = |option: &str, other: &str| {
        let message =
            format!("{option} cannot be combined with {other}: nets are searched as they are then");
        Err(Failure::plain(message))
    };
    let is_fair = matches!(options.fair, Fair::Processes(_));
    if typed.knowledge == Some(Switch::On) && options.deadlock == Deadlock::Report {
        return refuse("--knowledge on", "--deadlock report");
    }
    let conflicts = [
        ("--shortest", options.shortest),
        ("--fair", is_fair),
        ("--deadlock report", options.deadlock == Deadlock::Report),
        ("--deadlock ignore", options.deadlock == Deadlock::Ignore),
    ];
    if typed.reductions.is_none_or(|rules| rules == Rules::NONE) {
        return Ok(());
    }
    match conflicts.into_iter().find(|&(_, is_there)| is_there) {
        None => Ok(()),
        Some((other, _)) => refuse("--reductions", other),
    }
}

/// Refuses all of these options.
pub(super) fn refuse_any(typed: &PreparationArguments, about: &str) -> Result<(), Failure> {
    let typed =
        [("--knowledge", typed.knowledge.is_some()), ("--reductions", typed.reductions.is_some())];
    match typed.into_iter().find(|&(_, is_typed)| is_typed) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::plain(format_args!("{option} is about {about}"))),
    }
}
