//! What the arguments mean about what is done before a search.

use super::super::Failure;
use super::super::args::model::{PreparationArguments, Switch};
use super::model::ModelSource;
use lwaa::check::model::Preparation;
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

/// Refuses all of these options.
pub(super) fn refuse_any(typed: &PreparationArguments, about: &str) -> Result<(), Failure> {
    let typed =
        [("--knowledge", typed.knowledge.is_some()), ("--reductions", typed.reductions.is_some())];
    match typed.into_iter().find(|&(_, is_typed)| is_typed) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::plain(format_args!("{option} is about {about}"))),
    }
}
