//! What the arguments about models mean.

use super::super::args::model as typed;
pub(in crate::cli) use super::super::args::model::Examination;
use super::super::args::{self, LimitArguments};
use super::super::{Failure, request};
use super::method;
use super::preparation::{preparation, refuse_any, refuse_unless_net, refuse_without_effect};
use lwaa::check::Options;
use lwaa::check::model::{Deadlock, Errors, Fair, ModelOptions, Order, Preparation};
use lwaa::check::reduction::Reduce;
use lwaa::lang::{Definition, LANGUAGES, Language, ReadError};
use lwaa::ltl::Syntax;
use lwaa::report::Format;
use lwaa::search::limits::Limits;
use lwaa::store::StoreKind;
use lwaa::system::Strength;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A model to be read.
#[derive(Clone, Debug)]
pub(in crate::cli) struct ModelSource {
    pub(in crate::cli) text: request::Text,
    /// The language, by its name or by the extension of the file.
    pub(in crate::cli) language: &'static Language,
    pub(in crate::cli) definitions: Vec<Definition>,
    /// The folder of the Model Checking Contest that it is in, if that was typed: files of
    /// formulas stand beside it.
    pub(in crate::cli) folder: Option<PathBuf>,
}

/// How much is said about why a property fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Reasons {
    /// One sentence.
    Sentence,
    /// All reasons, and then the sentence.
    Full,
}

/// What is drawn of a run, and into which files.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Drawn {
    pub(in crate::cli) page: Option<PathBuf>,
    pub(in crate::cli) chart: Option<typed::Drawing>,
}

impl Drawn {
    fn new(typed: typed::PageArgument) -> Result<Self, Failure> {
        request::refuse_standard_output("--html", typed.html.as_deref())?;
        Ok(Self { page: typed.html, chart: typed.chart })
    }

    /// Whether nothing is drawn.
    pub(in crate::cli) fn is_nothing(&self) -> bool {
        self.page.is_none() && self.chart.is_none()
    }
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
    /// Whether it was said what a deadlock means.
    pub(in crate::cli) names_deadlock: bool,
    /// Options that were typed and are about formulas only.
    pub(in crate::cli) about_formulas: Vec<&'static str>,
    pub(in crate::cli) syntax: Syntax,
    pub(in crate::cli) options: ModelOptions,
    pub(in crate::cli) trace: Option<PathBuf>,
    /// What is drawn of the run.
    pub(in crate::cli) drawn: Drawn,
    pub(in crate::cli) reasons: Reasons,
    pub(in crate::cli) format: Format,
    /// Whether statistics are printed in any case.
    pub(in crate::cli) statistics: bool,
}

/// States to be counted.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Explore {
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) store: StoreKind,
    pub(in crate::cli) deadlock: Deadlock,
    pub(in crate::cli) errors: Errors,
    pub(in crate::cli) reduce: Reduce,
    pub(in crate::cli) limits: Limits,
    pub(in crate::cli) graph: Graph,
    pub(in crate::cli) format: Format,
    /// Whether statistics are printed in any case.
    pub(in crate::cli) statistics: bool,
}

/// The graph of all states, to be drawn.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Graph {
    pub(in crate::cli) dot: Option<PathBuf>,
    pub(in crate::cli) svg: Option<PathBuf>,
    /// Expressions that are shown instead of whole states.
    pub(in crate::cli) labels: Vec<String>,
    /// The run that is marked.
    pub(in crate::cli) trace: Option<request::Text>,
}

impl Graph {
    fn new(typed: typed::GraphArgument) -> Result<Self, Failure> {
        let typed::GraphArgument { dot, svg, labels, trace } = typed;
        request::refuse_standard_output("--dot", dot.as_deref())?;
        request::refuse_standard_output("--svg", svg.as_deref())?;
        if dot.is_none() && svg.is_none() {
            let useless = [("--label", !labels.is_empty()), ("--trace", trace.is_some())];
            if let Some((option, _)) = useless.into_iter().find(|one| one.1) {
                return Err(Failure::plain(format_args!(
                    "{option} is about the picture of the states: use it with --svg or --dot"
                )));
            }
        }
        let trace = trace.map(|path| request::text(None, Some(path)));
        Ok(Self { dot, svg, labels, trace })
    }

    /// Whether anything is drawn.
    pub(in crate::cli) fn is_wanted(&self) -> bool {
        self.dot.is_some() || self.svg.is_some()
    }
}

/// An examination of the Model Checking Contest.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Mcc {
    pub(in crate::cli) folder: PathBuf,
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) examination: Examination,
    pub(in crate::cli) preparation: Preparation,
    pub(in crate::cli) limits: Limits,
}

/// A run to be made.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Simulate {
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) seed: u64,
    /// How many steps; nothing if the user chooses each step.
    pub(in crate::cli) steps: Option<usize>,
    /// Where the run is written to.
    pub(in crate::cli) trace: Option<PathBuf>,
    pub(in crate::cli) drawn: Drawn,
    pub(in crate::cli) limits: Limits,
}

/// A run to be taken again.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Replay {
    pub(in crate::cli) model: ModelSource,
    pub(in crate::cli) trace: request::Text,
    pub(in crate::cli) drawn: Drawn,
    pub(in crate::cli) limits: Limits,
}

pub(super) fn check(check: typed::Check) -> Result<Check, Failure> {
    request::refuse_standard_output("--trace", check.trace.as_deref())?;
    let options = options(&check)?;
    let (names_deadlock, about_formulas) =
        (check.deadlock.deadlock.is_some(), about_formulas(&check));
    let model = source(check.model.model, check.model.reading)?;
    refuse_unless_net(&check.preparation, &model)?;
    refuse_without_effect(&check.preparation, &options)?;
    let files: Vec<request::Text> =
        check.files.into_iter().map(|path| request::text(None, Some(path))).collect();
    let from_input = std::iter::once(&model.text).chain(&files).filter(|text| text.is_input());
    if 1 < from_input.count() {
        return Err(Failure::plain("standard input can be read only once: `-` is there twice"));
    }
    Ok(Check {
        names_deadlock,
        about_formulas,
        model,
        formulas: check.formulas,
        files,
        properties: check.properties,
        nonprogress: check.nonprogress,
        syntax: request::syntax(check.logic.syntax.syntax),
        options,
        trace: check.trace,
        drawn: Drawn::new(check.page)?,
        reasons: if check.reasons.explain { Reasons::Full } else { Reasons::Sentence },
        format: Format::json_if(check.output.json),
        statistics: check.output.stats,
    })
}

/// Whether steps are left out, if nothing else is typed as `otherwise`.
fn reduce(typed: Option<typed::ReduceName>, otherwise: Reduce) -> Reduce {
    match typed {
        None => otherwise,
        Some(typed::ReduceName::Auto) => Reduce::Auto,
        Some(typed::ReduceName::On) => Reduce::On,
        Some(typed::ReduceName::Off) => Reduce::Off,
    }
}

/// The options that were typed and mean nothing without a formula.
fn about_formulas(check: &typed::Check) -> Vec<&'static str> {
    let logic = &check.logic;
    [
        ("--exists", check.exists),
        ("--fair", check.fair.is_some()),
        ("--search", check.search.is_some()),
        ("--order", check.order != typed::OrderName::Auto),
        ("--shortest", check.shortest),
        ("--engine", logic.engine != args::Engine::default()),
        ("--labels", logic.labels.is_some()),
        ("--successors", logic.successors.is_some()),
        ("--syntax", logic.syntax.syntax != args::SyntaxName::default()),
        ("--cache-size", logic.cache_size.is_some()),
        ("--knowledge", check.preparation.knowledge.is_some()),
        ("--reductions", check.preparation.reductions.is_some()),
    ]
    .into_iter()
    .filter_map(|(option, is_typed)| is_typed.then_some(option))
    .collect()
}

fn options(check: &typed::Check) -> Result<ModelOptions, Failure> {
    let options = ModelOptions {
        exists: check.exists,
        fair: match check.fair {
            None => Fair::Declared,
            Some(typed::FairName::None) => Fair::Nothing,
            Some(typed::FairName::Weak) => Fair::Processes(Strength::Weak),
            Some(typed::FairName::Strong) => Fair::Processes(Strength::Strong),
        },
        deadlock: meaning_of_deadlocks(check)?,
        errors: errors(check.errors.errors),
        order: match check.order {
            typed::OrderName::Auto => None,
            typed::OrderName::Rotate => Some(Order::Rotate),
            typed::OrderName::Fixed => Some(Order::Fixed),
            typed::OrderName::Guided => Some(Order::Guided),
            typed::OrderName::Random(seed) => Some(Order::Random(seed)),
        },
        store: store(check.store.store),
        shortest: check.shortest,
        reduce: reduce(check.reduce.reduce, Reduce::Auto),
        preparation: preparation(&check.preparation),
        options: Options {
            method: method::of_models(&check.logic, check.search)?,
            limits: request::limits(&check.limits),
            ..Options::default()
        },
    };
    options.suitable_search().map_err(method::failure)?;
    Ok(options)
}

/// Who cannot move any more makes no progress and yet does not run in circles: only
/// runs that go on for ever count.
fn meaning_of_deadlocks(check: &typed::Check) -> Result<Deadlock, Failure> {
    match deadlock(check.deadlock.deadlock) {
        Deadlock::Report if check.nonprogress => Err(Failure::plain(
            "--deadlock report cannot be combined with --nonprogress, which is about runs that go on for \
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
        model: source(explore.model.model, explore.model.reading)?,
        store: store(explore.store.store),
        deadlock: deadlock(explore.deadlock.deadlock),
        errors: errors(explore.errors.errors),
        reduce: reduce(explore.reduce.reduce, Reduce::Off),
        limits: Limits { time, memory, states },
        graph: Graph::new(explore.graph)?,
        format: Format::json_if(explore.output.json),
        statistics: explore.output.stats,
    })
}

pub(super) fn mcc(mcc: typed::Mcc) -> Result<Mcc, Failure> {
    let typed::Mcc { folder, examination, preparation: typed, limits } = mcc;
    if examination.file().is_none() {
        refuse_any(&typed, "formulas, and this examination has none")?;
    }
    let reading = typed::Reading { language: None, definitions: Vec::new() };
    let model = source(folder.join(NET), reading)?;
    let LimitArguments { time, memory, states } = limits;
    let limits = Limits { time, memory, states };
    Ok(Mcc { folder, model, examination, preparation: preparation(&typed), limits })
}

pub(super) fn simulate(simulate: typed::Simulate) -> Result<Simulate, Failure> {
    request::refuse_standard_output("--trace", simulate.trace.as_deref())?;
    let model = source(simulate.model.model, simulate.model.reading)?;
    if simulate.interactive && model.text.is_input() {
        return Err(Failure::plain(
            "--interactive reads what to do from standard input, so the model has to be a file",
        ));
    }
    Ok(Simulate {
        limits: request::plain_limits(&simulate.limits),
        trace: simulate.trace,
        drawn: Drawn::new(simulate.page)?,
        model,
        seed: simulate.seed,
        steps: (!simulate.interactive).then_some(simulate.steps),
    })
}

pub(super) fn replay(replay: typed::Replay) -> Result<Replay, Failure> {
    let model = source(replay.model, replay.reading)?;
    let trace = request::text(None, Some(replay.trace));
    if model.text.is_input() && trace.is_input() {
        return Err(Failure::plain("standard input can be read only once: `-` is there twice"));
    }
    let drawn = Drawn::new(replay.page)?;
    Ok(Replay { model, trace, drawn, limits: request::plain_limits(&replay.limits) })
}

/// The net in a folder of the Model Checking Contest.
const NET: &str = "model.pnml";

fn source(path: PathBuf, typed: typed::Reading) -> Result<ModelSource, Failure> {
    let folder = path.is_dir().then(|| path.clone());
    let path = if folder.is_some() { path.join(NET) } else { path };
    let language = match typed.language {
        Some(language) => language,
        None => by_extension(&path)?,
    };
    let definitions: Vec<Definition> = typed
        .definitions
        .into_iter()
        .map(|typed::TypedDefinition { name, value }| match value {
            Some(value) => Ok(Definition { name, value }),
            None if language.has_macros => Ok(Definition { name, value: 1 }),
            None => {
                Err(Failure::plain(format_args!("-D {name} has no value: write -D {name}=VALUE")))
            }
        })
        .collect::<Result<_, _>>()?;
    for (index, definition) in definitions.iter().enumerate() {
        if definitions[..index].iter().any(|before| before.name == definition.name) {
            let name = &definition.name;
            return Err(Failure::plain(format_args!("-D defines `{name}` twice")));
        }
    }
    Ok(ModelSource { text: request::text(None, Some(path)), language, definitions, folder })
}

/// The language that the name of a file tells.
fn by_extension(path: &Path) -> Result<&'static Language, Failure> {
    if path == Path::new("-") {
        let known: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
        return Err(Failure::plain(format_args!(
            "a model on standard input needs --language NAME, one of {}",
            known.join(", ")
        )));
    }
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    Language::find(extension).ok_or_else(|| {
        let error = ReadError::Extension(extension.to_owned());
        Failure::plain(format_args!("{}: {error}, or use --language NAME", path.display()))
    })
}

fn deadlock(name: Option<typed::DeadlockName>) -> Deadlock {
    match name {
        None | Some(typed::DeadlockName::Stutter) => Deadlock::Stutter,
        Some(typed::DeadlockName::Report) => Deadlock::Report,
        Some(typed::DeadlockName::Ignore) => Deadlock::Ignore,
    }
}

fn errors(name: typed::ErrorsName) -> Errors {
    match name {
        typed::ErrorsName::Report => Errors::Report,
        typed::ErrorsName::Stop => Errors::Stop,
        typed::ErrorsName::Ignore => Errors::Ignore,
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
