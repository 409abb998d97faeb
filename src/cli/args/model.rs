//! What can be typed about models: `check`, `explore`, `simulate`, `replay`.

use super::{LimitArguments, Logic, Output, PlainLimits};
use clap::{Args, ValueEnum};
use lwaa::lang::smaller::{Rule, Rules};
use lwaa::lang::{LANGUAGES, Language};
use lwaa::report::chart::ChartForm;
use std::path::PathBuf;

/// Do all runs of a model satisfy a formula?
///
/// Prints `holds`, or `violated` and a run that does not satisfy the formula;
/// `unknown` with the reason; or `model error` with what is wrong and the run
/// that leads there. With --exists: `a run exists` and the run, or `no run
/// exists`. If there are several properties, a line for each of them, `NAME:
/// VERDICT`, as soon as the verdict is known, and then the runs.
///
/// Without -f, -F and --prop, all properties that the model states are checked,
/// and its never claims: no run may match a claim. If it states none, the question
/// is whether an error or a deadlock can be reached.
/// A formula given by -f or -F is called by its text or, if that is long,
/// `formula N` or the name of its file.
///
/// A property is violated if a run without errors violates it, or if a run into an
/// error has violated it before; else the verdict is `model error` if an error can be
/// reached. --time is divided among the properties: each has an equal share of
/// what is left when its turn comes.
///
/// A run is a lasso: the prefix once, then the cycle for ever. Where a finite part of it
/// violates the formula whatever follows, only that part is shown.
/// The first state is shown in full, then who moves, what changes, and which
/// obligations of the formula (without --exists: of its negation) are pending.
#[derive(Debug, Args)]
#[command(after_help = include_str!("examples/check.txt"))]
pub(in crate::cli) struct Check {
    #[command(flatten)]
    pub(in crate::cli) model: ModelArguments,
    /// Check this formula. Its atoms are expressions of the model's language
    #[arg(short = 'f', long = "formula", value_name = "FORMULA")]
    pub(in crate::cli) formulas: Vec<String>,
    /// Check the formula in a file, `-` being standard input. The whole file is
    /// one formula; `#` at the start of a line or behind a blank begins a comment
    #[arg(short = 'F', long = "file", value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// Check this property that the model states
    #[arg(long = "prop", value_name = "NAME")]
    pub(in crate::cli) properties: Vec<String>,
    /// Ask whether every run makes progress: no run may go on for ever without passing
    /// labels that begin with `progress` again and again
    #[arg(long, conflicts_with_all = ["formulas", "files", "properties", "exists"])]
    pub(in crate::cli) nonprogress: bool,
    /// Ask whether there is a run that satisfies the formula
    #[arg(long)]
    pub(in crate::cli) exists: bool,
    /// Consider only runs in which no process is neglected: one that could move
    /// for ever from some moment on moves again and again (weak); so does one
    /// that could move again and again (strong); no such assumption (none)
    /// [default: what the model declares]
    #[arg(long, value_enum, value_name = "FAIRNESS")]
    pub(in crate::cli) fair: Option<FairName>,
    /// How accepting cycles are found: by components (scc), by nested
    /// depth-first search, or by magic search; the latter two for Büchi automata
    /// only [default: scc; with --engine gpvw or gastin-oddoux: nested, with
    /// --store hybrid: magic]
    #[arg(long, value_enum, value_name = "SEARCH")]
    pub(in crate::cli) search: Option<SearchName>,
    /// Which step the search tries first in a state: one of the process after that which
    /// moved last (rotate), of the first (fixed) or of a random one (random:SEED); or the
    /// step that leads nearest to a violation (guided); or by rotate and guided in turns,
    /// counted in steps (auto)
    #[arg(long, value_name = "ORDER", default_value = "auto", value_parser = order)]
    pub(in crate::cli) order: OrderName,
    /// Search everything, and show a run with the shortest way to where the
    /// formula can stay violated (or satisfied) for ever
    #[arg(long)]
    pub(in crate::cli) shortest: bool,
    #[command(flatten)]
    pub(in crate::cli) deadlock: DeadlockArgument,
    #[command(flatten)]
    pub(in crate::cli) errors: ErrorsArgument,
    /// Write the first run that is found to a file, for `lwaa replay`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) page: PageArgument,
    #[command(flatten)]
    pub(in crate::cli) reasons: ReasonsArgument,
    #[command(flatten)]
    pub(in crate::cli) output: Output,
    #[command(flatten)]
    pub(in crate::cli) logic: Logic,
    #[command(flatten)]
    pub(in crate::cli) reduce: ReduceArgument,
    #[command(flatten)]
    pub(in crate::cli) preparation: PreparationArguments,
    #[command(flatten)]
    pub(in crate::cli) store: StoreArgument,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArguments,
}

/// Count the reachable states of a model.
///
/// Prints `states N transitions M deadlocks D`. A transition is a pair of a
/// state and a way to leave it; a deadlock is a state without any. If the count is
/// incomplete, because of a limit or because the model is wrong, the first line is
/// `unknown` or `model error` with the reason, and the counts so far follow.
#[derive(Debug, Args)]
#[command(after_help = include_str!("examples/explore.txt"))]
pub(in crate::cli) struct Explore {
    #[command(flatten)]
    pub(in crate::cli) model: ModelArguments,
    #[command(flatten)]
    pub(in crate::cli) deadlock: DeadlockArgument,
    #[command(flatten)]
    pub(in crate::cli) errors: ErrorsArgument,
    #[command(flatten)]
    pub(in crate::cli) graph: GraphArgument,
    #[command(flatten)]
    pub(in crate::cli) output: Output,
    #[command(flatten)]
    pub(in crate::cli) reduce: ReduceArgument,
    #[command(flatten)]
    pub(in crate::cli) store: StoreArgument,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArguments,
}

/// Take part in the Model Checking Contest.
///
/// Reads the net `model.pnml` in a folder and the formulas of an examination beside it, and
/// prints what the rules of the contest ask for: for each formula, as soon as its verdict is
/// known, `FORMULA NAME TRUE TECHNIQUES …` or `FORMULA NAME FALSE TECHNIQUES …`, and in the end
/// `FORMULA NAME CANNOT_COMPUTE` for the others; for the examination `StateSpace` the numbers of
/// states and transitions; `DO_NOT_COMPETE` for examinations that are not about linear time.
/// --time is divided among the formulas in rounds, so that easy ones do not wait for hard ones.
/// The exit code is 3 if something is not answered.
#[derive(Debug, Args)]
#[command(after_help = include_str!("examples/mcc.txt"))]
pub(in crate::cli) struct Mcc {
    /// The folder with `model.pnml` and the files of formulas
    #[arg(value_name = "FOLDER")]
    pub(in crate::cli) folder: PathBuf,
    /// The examination
    #[arg(value_enum, value_name = "EXAMINATION")]
    pub(in crate::cli) examination: Examination,
    #[command(flatten)]
    pub(in crate::cli) preparation: PreparationArguments,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArguments,
}

/// What the contest asks about a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub(in crate::cli) enum Examination {
    #[value(name = "LTLFireability")]
    LtlFireability,
    #[value(name = "LTLCardinality")]
    LtlCardinality,
    StateSpace,
    #[value(name = "CTLFireability")]
    CtlFireability,
    #[value(name = "CTLCardinality")]
    CtlCardinality,
    ReachabilityDeadlock,
    ReachabilityFireability,
    ReachabilityCardinality,
    UpperBounds,
    QuasiLiveness,
    StableMarking,
    Liveness,
    OneSafe,
}

impl Examination {
    /// The file of its formulas, if we take part.
    pub(in crate::cli) fn file(self) -> Option<String> {
        match self {
            Self::LtlFireability | Self::LtlCardinality => {
                Some(format!("{}.xml", self.to_possible_value()?.get_name()))
            }
            _ => None,
        }
    }
}

/// Run a model at random, or step by step.
///
/// Prints the run as `lwaa check` does. The same seed always gives the same
/// run. With --interactive, lists the possible steps in each state and reads
/// commands from standard input: a number, `r` for a random step, `u` to undo one,
/// `q` to end, `?` for help.
#[derive(Debug, Args)]
#[command(after_help = include_str!("examples/simulate.txt"))]
pub(in crate::cli) struct Simulate {
    #[command(flatten)]
    pub(in crate::cli) model: ModelArguments,
    /// How many steps to take
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "interactive")]
    pub(in crate::cli) steps: usize,
    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(in crate::cli) seed: u64,
    /// Choose every step yourself
    #[arg(long, conflicts_with_all = ["time", "memory"])]
    pub(in crate::cli) interactive: bool,
    /// Write the run to this file, for `lwaa replay`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) page: PageArgument,
    #[command(flatten)]
    pub(in crate::cli) limits: PlainLimits,
}

/// Is a trace a run of a model?
///
/// Reads what `lwaa check --trace` has written, or the first run in the output
/// of `lwaa check --json`, and takes every step of it again in the model. Prints
/// `the trace is a run of the model` and the run, or `the trace is not a run of
/// the model` with the first step that is wrong and the reason (exit code 1).
#[derive(Debug, Args)]
#[command(after_help = include_str!("examples/replay.txt"))]
pub(in crate::cli) struct Replay {
    /// The file of the model, `-` being standard input; its extension or --language
    /// determines the language
    #[arg(value_name = "MODEL")]
    pub(in crate::cli) model: PathBuf,
    /// The file of the trace, `-` being standard input
    #[arg(value_name = "TRACE")]
    pub(in crate::cli) trace: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
    #[command(flatten)]
    pub(in crate::cli) page: PageArgument,
    #[command(flatten)]
    pub(in crate::cli) limits: PlainLimits,
}

/// The states and steps of a small model as a picture.
#[derive(Debug, Args)]
#[command(next_help_heading = "Picture")]
pub(in crate::cli) struct GraphArgument {
    /// Also write the graph of all states in the DOT language of Graphviz
    #[arg(long, value_name = "OUT")]
    pub(in crate::cli) dot: Option<PathBuf>,
    /// Also draw the graph of all states, if there are at most 300
    #[arg(long, value_name = "OUT")]
    pub(in crate::cli) svg: Option<PathBuf>,
    /// In the picture, say of states only whether this expression is true; may be given several
    /// times
    #[arg(long = "label", value_name = "EXPRESSION")]
    pub(in crate::cli) labels: Vec<String>,
    /// In the picture, mark this run, which `lwaa check --trace` has written
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) trace: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ReasonsArgument {
    /// Say in words which part of the formula fails where, and which values cause it; who waits for
    /// what in a deadlock; how a claim accepts
    #[arg(long, conflicts_with = "json")]
    pub(in crate::cli) explain: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct PageArgument {
    /// Also write a page for a browser: the run as a chart and a table, and the formula along it
    #[arg(long, value_name = "OUT")]
    pub(in crate::cli) html: Option<PathBuf>,
    /// Also write a sequence chart of the first run: a picture (OUT.svg), or text for Mermaid
    /// (OUT.mmd) or plantuml (OUT.puml)
    #[arg(long, value_name = "OUT", value_parser = chart)]
    pub(in crate::cli) chart: Option<Drawing>,
}

/// A file for a chart, and what its name says about the form of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Drawing {
    pub(in crate::cli) path: PathBuf,
    pub(in crate::cli) form: ChartForm,
}

fn chart(text: &str) -> Result<Drawing, String> {
    let path = PathBuf::from(text);
    let form = match path.extension().and_then(std::ffi::OsStr::to_str) {
        Some("svg") => ChartForm::Svg,
        Some("mmd") => ChartForm::Mermaid,
        Some("puml") => ChartForm::PlantUml,
        _ => return Err("the name has to end with .svg, .mmd or .puml".to_owned()),
    };
    Ok(Drawing { path, form })
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ModelArguments {
    /// The file of the model, `-` being standard input; its extension or --language
    /// determines the language. Or the folder of an instance of the Model Checking Contest
    #[arg(value_name = "MODEL")]
    pub(in crate::cli) model: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}

/// How the text of a model is read.
#[derive(Debug, Args)]
pub(in crate::cli) struct Reading {
    /// Give a constant of the model another value; in Promela, define a macro, which
    /// is 1 if there is no value
    #[arg(short = 'D', value_name = "K=V", value_parser = definition)]
    pub(in crate::cli) definitions: Vec<TypedDefinition>,
    /// The language of the model: lwm, dve, promela, esml or kripke [default: what the
    /// extension of the file says: .lwm, .dve, .pml .pm .promela, .esml, .kripke]
    #[arg(long, value_name = "NAME", value_parser = language)]
    pub(in crate::cli) language: Option<&'static Language>,
}

/// A constant or a macro and its value, if it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct TypedDefinition {
    pub(in crate::cli) name: String,
    pub(in crate::cli) value: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FairName {
    None,
    Weak,
    Strong,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeadlockArgument {
    /// What a state without successors means: that the run stays there for ever
    /// (stutter), that the model is wrong (report), or that no infinite run
    /// goes there (ignore) [default: stutter; report if `check` is asked for no
    /// property]
    #[arg(long, value_enum, value_name = "MEANING")]
    pub(in crate::cli) deadlock: Option<DeadlockName>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ErrorsArgument {
    /// What an error of the model means, such as a failed assertion, an index or a value
    /// out of range: the search goes on behind it (report), ends at the first error that it
    /// meets (stop), or takes assertions for `skip` (ignore; other errors are still
    /// reported)
    #[arg(long, value_enum, value_name = "MEANING", default_value_t)]
    pub(in crate::cli) errors: ErrorsName,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ErrorsName {
    #[default]
    Report,
    Stop,
    Ignore,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ReduceArgument {
    /// Whether steps are left out that the question does not need, since others lead to the same
    /// wherever it looks: where that is sound and pays (auto), wherever it is sound (on), or never
    /// (off). If nothing is said, `check` does what auto says and `explore` what off says
    #[arg(long, value_enum, value_name = "WHEN")]
    pub(in crate::cli) reduce: Option<ReduceName>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ReduceName {
    Auto,
    On,
    Off,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Nets")]
pub(in crate::cli) struct PreparationArguments {
    /// Whether formulas are simplified before the search by what is known about all markings that
    /// a net can reach [default: on]
    #[arg(long, value_enum, value_name = "SWITCH")]
    pub(in crate::cli) knowledge: Option<Switch>,
    /// By which rules a net is made smaller before the search: all of them, none, or those of a
    /// list with commas, of dead-transitions, constant-places, identical-transitions,
    /// unread-places, parallel-places, implied-places, pre-agglomeration and post-agglomeration
    /// [default: all]
    #[arg(long, value_name = "RULES", value_parser = rules)]
    pub(in crate::cli) reductions: Option<Rules>,
}

/// A set of rules by their names.
fn rules(text: &str) -> Result<Rules, String> {
    match text {
        "all" => return Ok(Rules::ALL),
        "none" => return Ok(Rules::NONE),
        _ => (),
    }
    text.split(',').try_fold(Rules::NONE, |rules, name| {
        let found = Rule::ALL.into_iter().find(|rule| rule.name() == name);
        let names = || Rule::ALL.map(Rule::name).join(", ");
        found
            .map(|rule| rules.with(rule))
            .ok_or_else(|| format!("expected all, none, or a list with commas of {}", names()))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Switch {
    On,
    Off,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Store")]
pub(in crate::cli) struct StoreArgument {
    /// How states are stored: as they are (exact); as trees whose common parts are
    /// stored once (tree); in packets, each state with the automaton states that
    /// it was visited with (hybrid, for nested and magic search); or only as bits
    /// of a hash table, which several states may share (bitstate, for nested and
    /// magic search and for explore). With bitstate, states may be missed, and if
    /// nothing is found the verdict is `no violation found` with exit code 3. The
    /// table takes half of --memory, rounded down to a power of two, or 64 MiB
    #[arg(long, value_enum, value_name = "STORE", default_value_t)]
    pub(in crate::cli) store: StoreName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DeadlockName {
    Stutter,
    Report,
    Ignore,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum StoreName {
    #[default]
    Exact,
    Tree,
    Hybrid,
    Bitstate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum SearchName {
    Scc,
    Nested,
    Magic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum OrderName {
    Auto,
    Rotate,
    Fixed,
    Guided,
    Random(u64),
}

fn order(text: &str) -> Result<OrderName, String> {
    match text.split_once(':') {
        None if text == "auto" => Ok(OrderName::Auto),
        None if text == "rotate" => Ok(OrderName::Rotate),
        None if text == "fixed" => Ok(OrderName::Fixed),
        None if text == "guided" => Ok(OrderName::Guided),
        Some(("random", seed)) => {
            seed.parse().map(OrderName::Random).map_err(|_| format!("`{seed}` is not a seed"))
        }
        _ => Err("use auto, rotate, fixed, guided or random:SEED".to_owned()),
    }
}

fn definition(text: &str) -> Result<TypedDefinition, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (text.trim(), None),
    };
    if name.is_empty() {
        return Err("a name is missing".to_owned());
    }
    let number = |value: &str| {
        value.parse().map_err(|_| format!("`{value}` is not a whole number of at most 64 bits"))
    };
    Ok(TypedDefinition { name: name.to_owned(), value: value.map(number).transpose()? })
}

fn language(name: &str) -> Result<&'static Language, String> {
    Language::find(name).ok_or_else(|| {
        let known: Vec<&str> = LANGUAGES.iter().map(|language| language.name).collect();
        format!("use one of {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_names_and_numbers() {
        let expected = TypedDefinition { name: "N".to_owned(), value: Some(-12) };
        assert_eq!(definition("N=-12"), Ok(expected.clone()));
        assert_eq!(definition(" N = -12 "), Ok(expected));
        let bare = TypedDefinition { name: "N".to_owned(), value: None };
        assert_eq!(definition("N"), Ok(bare));
        for text in ["", " ", "N=", "=3", "N=x", "N=1.5", "N=99999999999999999999"] {
            assert!(definition(text).is_err(), "{text}");
        }
    }

    #[test]
    fn orders_have_names() {
        assert_eq!(order("rotate"), Ok(OrderName::Rotate));
        assert_eq!(order("fixed"), Ok(OrderName::Fixed));
        assert_eq!(order("guided"), Ok(OrderName::Guided));
        assert_eq!(order("auto"), Ok(OrderName::Auto));
        assert_eq!(order("random:7"), Ok(OrderName::Random(7)));
        for text in ["", "random", "random:", "random:x", "fixed:1", "other"] {
            assert!(order(text).is_err(), "{text}");
        }
    }
}
