//! Which method the typed options mean, and what to say if they do not go together.

use super::super::Failure;
use super::super::args::model::SearchName;
use super::super::args::{Engine, LabelsName, Logic, StrategyName, SuccessorsName};
use clap::ValueEnum;
use lwaa::baseline::translation::Translation;
use lwaa::check::method::{Conflict, Exploration, Method, SearchKind};
use lwaa::configuration::{Labels, Successors};
use std::num::NonZeroUsize;

/// The method by which a question about a formula is answered.
pub(super) fn of_formulas(logic: &Logic) -> Result<Method, Failure> {
    if logic.strategy.is_some() && logic.engine != Engine::Lwaa {
        let engine = logic.engine.to_possible_value();
        let engine = engine.as_ref().map_or("", |value| value.get_name());
        return Err(Failure::plain(format_args!(
            "--strategy cannot be combined with --engine {engine}, only with lwaa"
        )));
    }
    if let Some(translation) = translation(logic)? {
        return Ok(translation.into());
    }
    let about_exploration = about_exploration(logic);
    let (method, strategy) = match logic.strategy {
        None | Some(StrategyName::Auto) => {
            // Options about the search over configurations select it.
            let is_auto = logic.engine == Engine::Lwaa && about_exploration.is_none();
            return Ok(if is_auto { Method::Auto } else { exploration(logic).into() });
        }
        Some(StrategyName::Explicit) => return Ok(exploration(logic).into()),
        Some(StrategyName::Bounded) => (Method::Bounded, "bounded"),
        Some(StrategyName::Proof) => (Method::Proof, "proof"),
    };
    match about_exploration {
        None => Ok(method),
        Some(option) => Err(Failure::plain(format_args!(
            "{option} is about the search over configurations and cannot be combined with \
             --strategy {strategy}"
        ))),
    }
}

/// The method by which a question about a model is answered.
pub(super) fn of_models(logic: &Logic, search: Option<SearchName>) -> Result<Method, Failure> {
    if logic.strategy.is_some() {
        return Err(failure(Conflict::FormulasOnly));
    }
    let search = search.map(|search| match search {
        SearchName::Scc => SearchKind::Scc,
        SearchName::Nested => SearchKind::Nested,
        SearchName::Magic => SearchKind::Magic,
    });
    if let Some(translation) = translation(logic)? {
        return Ok(Method::Automaton { translation, search });
    }
    match search {
        None | Some(SearchKind::Scc) => Ok(exploration(logic).into()),
        Some(SearchKind::Nested | SearchKind::Magic) => Err(Failure::plain(
            "nested and magic search need a Büchi automaton: use them with --engine gpvw or \
             gastin-oddoux; other engines search for components (--search scc)",
        )),
    }
}

/// How the explicit automaton is made that the engine needs, if it needs one. Options about
/// configurations mean nothing then.
fn translation(logic: &Logic) -> Result<Option<Translation>, Failure> {
    let translation = match logic.engine {
        Engine::Lwaa | Engine::LwaaPure => return Ok(None),
        Engine::Gpvw => Translation::Gpvw,
        Engine::GastinOddoux => Translation::GastinOddoux,
    };
    match about_exploration(logic) {
        None => Ok(Some(translation)),
        Some(option) => Err(Failure::plain(format_args!(
            "{option} cannot be combined with --engine {}, only with lwaa and lwaa-pure",
            translation.name()
        ))),
    }
}

/// The first typed option that is about the search over configurations.
fn about_exploration(logic: &Logic) -> Option<&'static str> {
    let typed = [
        ("--labels", logic.labels.is_some()),
        ("--successors", logic.successors.is_some()),
        ("--cache-size", logic.cache_size.is_some()),
    ];
    typed.into_iter().find_map(|(option, is_typed)| is_typed.then_some(option))
}

fn exploration(logic: &Logic) -> Exploration {
    let usual = Exploration::default();
    Exploration {
        pure: logic.engine == Engine::LwaaPure,
        labels: match logic.labels {
            None | Some(LabelsName::Exact) => Labels::Exact,
            Some(LabelsName::Simple) => Labels::Simple,
        },
        successors: logic.successors.map(|name| match name {
            SuccessorsName::Bdd => Successors::Bdd,
            SuccessorsName::Direct => Successors::Direct,
            SuccessorsName::Sat => Successors::Sat,
        }),
        cache_size: logic.cache_size.map_or(usual.cache_size, NonZeroUsize::get),
    }
}

/// The message about options that do not go together.
pub(in crate::cli) fn failure(conflict: Conflict) -> Failure {
    Failure::plain(match conflict {
        Conflict::FormulasOnly => {
            "--strategy is about formulas; a model is searched state by state".to_owned()
        }
        Conflict::ConfigurationsInStore(store) => format!(
            "--store {} needs a Büchi automaton: use it with --engine gpvw or gastin-oddoux, or \
             use --store exact or tree",
            store.name()
        ),
        Conflict::ShortestInStore(store) => format!(
            "--shortest searches for components, which needs --store exact or tree, not {}",
            store.name()
        ),
        Conflict::ComponentsInStore(store) => format!(
            "--search scc needs --store exact or tree; --store {} goes with --search nested or \
             magic",
            store.name()
        ),
        Conflict::ShortestBySearch => {
            "--shortest needs --search scc: nested and magic search stop at the first cycle"
                .to_owned()
        }
        Conflict::FairClaim => {
            "fairness and a claim together need --search scc and --store exact or tree".to_owned()
        }
        Conflict::GuidedAutomaton => "--order guided is for formulas and the engines lwaa and \
                                      lwaa-pure: there are no configurations in a Büchi automaton"
            .to_owned(),
        other => other.to_string(),
    })
}
