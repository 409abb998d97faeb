//! What was typed.
//!
//! One declarative table: help, completions and the manual page are generated
//! from it. It knows which words exist and which exclude each other, but not
//! what they mean. Words and defaults are fixed, because scripts rely on them.

pub(super) mod cross;
mod limits;
pub(super) mod model;
mod shared;

use super::quantity;
use clap::{Args, Parser, Subcommand, ValueEnum};
pub(super) use limits::{LimitArguments, PlainLimits};
pub(super) use shared::is_json_wanted;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Linear temporal logic by linear weak alternating automata.
#[derive(Debug, Parser)]
#[command(name = "lwaa", version, arg_required_else_help = true, after_help = include_str!("args/examples/all.txt"))]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Whether results, messages and help are coloured; auto: if they go to a terminal that
    /// has colours, unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub(super) color: ColorName,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorName {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Sat(Sat),
    Valid(Valid),
    /// Does one formula imply another?
    ///
    /// Prints `valid`, or `not valid` and a word on which A is true and B is
    /// false, or `unknown` with the reason.
    #[command(after_help = include_str!("args/examples/implies.txt"))]
    Implies(Pair),
    /// Are two formulas true on the same words?
    ///
    /// Prints `valid`, or `not valid` and a word on which only one of them is
    /// true, or `unknown` with the reason.
    #[command(after_help = include_str!("args/examples/equiv.txt"))]
    Equiv(Pair),
    Check(model::Check),
    Explore(model::Explore),
    Mcc(model::Mcc),
    Simulate(model::Simulate),
    Replay(model::Replay),
    Requirements(Requirements),
    Translate(Translate),
    Cross(cross::Cross),
    Bench(Bench),
    Formula(Family),
    /// Print random formulas or a random Kripke structure.
    ///
    /// The same seed always gives the same output.
    #[command(subcommand, after_help = include_str!("args/examples/random.txt"))]
    Random(Random),
    /// Print a completion script for a shell.
    #[command(after_help = include_str!("args/examples/completions.txt"))]
    Completions {
        /// The shell
        #[arg(value_enum, value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = include_str!("args/examples/man.txt"))]
    Man,
}

/// Does a formula have a model?
///
/// Prints `satisfiable` and a word on which the formula is true,
/// `unsatisfiable`, or `unknown` with the reason.
///
/// With --batch, answers a whole table of formulas, each in a process of its
/// own, so that limits and crashes concern one formula only. The table is a
/// file of tab-separated values with a header. The column `formula` is
/// required; `name` and `expected` (sat or unsat; any other value means that the
/// answer is not known) are optional; other columns are ignored. Prints a line
/// per formula, in the order of the table, and finally how many were solved. The
/// exit code is then 1 if an answer is wrong, else 4 if a process crashed, else 2
/// if a formula cannot be read, else 3 if an answer is unknown, else 0.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/sat.txt"))]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Sat {
    #[command(flatten)]
    pub(super) source: SatSource,
    /// With --batch: how many formulas to answer at the same time [default: the
    /// number of processors]
    #[arg(long, value_name = "N", conflicts_with_all = ["formula", "file"])]
    pub(super) jobs: Option<NonZeroUsize>,
    /// With --batch: also write a table of comma-separated values
    #[arg(long, value_name = "OUT", conflicts_with_all = ["formula", "file"])]
    pub(super) csv: Option<PathBuf>,
    /// If there is no model, also print a minimal core: conjuncts that contradict each
    /// other, and for each of them a word on which the rest of the core holds. The
    /// file of -F may also be a list of requirements
    #[arg(long, conflicts_with = "batch")]
    pub(super) core: bool,
    /// Print one JSON object instead (schema 1)
    #[arg(long, conflicts_with = "batch")]
    pub(super) json: bool,
    /// Print statistics to standard error
    #[arg(long, conflicts_with = "batch")]
    pub(super) stats: bool,
    /// Interpret formulas on finite, nonempty words; at the last letter `X` is false
    #[arg(long, conflicts_with = "core")]
    pub(super) finite: bool,
    /// Also write a page for a browser: the word, and where each part of the formula is true
    #[arg(long, value_name = "OUT", conflicts_with_all = ["batch", "core"])]
    pub(super) html: Option<PathBuf>,
    /// Say in words why the formula is true on the word, and which atoms matter where
    #[arg(long, conflicts_with_all = ["batch", "core", "json"])]
    pub(super) explain: bool,
    #[command(flatten)]
    pub(super) logic: Logic,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct SatSource {
    /// The formula
    #[arg(value_name = "FORMULA")]
    pub(super) formula: Option<String>,
    /// Read the formula from a file, `-` being standard input. The whole file
    /// is one formula; `#` at the start of a line or behind a blank begins a comment
    #[arg(short = 'F', long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// Answer all formulas of a table, `-` being standard input
    #[arg(long, value_name = "FILE.tsv")]
    pub(super) batch: Option<PathBuf>,
}

/// Is a formula true on every word?
///
/// Prints `valid`, or `not valid` and a word on which the formula is false, or
/// `unknown` with the reason.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/valid.txt"))]
pub(super) struct Valid {
    #[command(flatten)]
    pub(super) source: Source,
    #[command(flatten)]
    pub(super) options: AskOptions,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct Source {
    /// The formula
    #[arg(value_name = "FORMULA")]
    pub(super) formula: Option<String>,
    /// Read the formula from a file, `-` being standard input. The whole file
    /// is one formula; `#` at the start of a line or behind a blank begins a comment
    #[arg(short = 'F', long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Pair {
    /// The first formula
    #[arg(value_name = "A")]
    pub(super) left: String,
    /// The second formula
    #[arg(value_name = "B")]
    pub(super) right: String,
    #[command(flatten)]
    pub(super) options: AskOptions,
}

/// The options of a question about formulas alone.
#[derive(Debug, Args)]
pub(super) struct AskOptions {
    #[command(flatten)]
    pub(super) output: Output,
    /// Interpret formulas on finite, nonempty words; at the last letter `X` is false
    #[arg(long)]
    pub(super) finite: bool,
    #[command(flatten)]
    pub(super) logic: Logic,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(super) struct Output {
    /// Print one JSON object instead (schema 1)
    #[arg(long)]
    pub(super) json: bool,
    /// Print statistics to standard error
    #[arg(long)]
    pub(super) stats: bool,
}

/// How formulas are read and questions answered.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Logic")]
pub(super) struct Logic {
    /// How the answer is found: lwaa leaves recurrence (G F and F G) to
    /// acceptance, lwaa-pure leaves everything to the automaton; gpvw and
    /// gastin-oddoux make a Büchi automaton first, for comparison
    #[arg(long, value_enum, value_name = "ENGINE", default_value_t)]
    pub(super) engine: Engine,
    /// How accepting cycles are recognized: by the loops that each step takes,
    /// or by the configurations alone; not for Büchi automata [default: exact]
    #[arg(long, value_enum, value_name = "LABELS")]
    pub(super) labels: Option<LabelsName>,
    /// How steps of configurations are computed: with decision diagrams unless they
    /// become too large (bdd), by combining the transitions of the locations and
    /// dropping what is not minimal (direct), or with a SAT solver (sat); not for
    /// Büchi automata [default: sat for formulas, bdd for models]
    #[arg(long, value_enum, value_name = "SUCCESSORS")]
    pub(super) successors: Option<SuccessorsName>,
    /// How a model of a formula is searched for: by the search over configurations
    /// (explicit), by a SAT solver that tries lassos of growing length (bounded), or by
    /// a SAT solver that looks for an invariant that excludes models (proof); auto
    /// runs all three; with --engine lwaa only, and not for models [default: auto]
    #[arg(long, value_enum, value_name = "STRATEGY")]
    pub(super) strategy: Option<StrategyName>,
    #[command(flatten)]
    pub(super) syntax: SyntaxArgument,
    /// How many configurations keep their edges once they are all known; not
    /// for Büchi automata [default: all]
    #[arg(long, value_name = "N")]
    pub(super) cache_size: Option<NonZeroUsize>,
}

#[derive(Clone, Debug, Args)]
pub(super) struct SyntaxArgument {
    /// How formulas are written. In Spot's syntax `GFp` is `G F p`, in ours it
    /// is an atom; lbt is prefix form
    #[arg(long, value_enum, value_name = "SYNTAX", default_value_t)]
    pub(super) syntax: SyntaxName,
}

/// What do requirements say together?
///
/// Reads a file of requirements, `NAME: FORMULA` or a formula alone. A requirement
/// continues on the lines directly below it that are indented more than its first
/// line. `#` at the start of a line or behind a blank begins a comment; lines of
/// comments directly above a requirement are shown with it.
///
/// Prints `consistent` and a word on which all requirements hold; then which of them
/// follow from others, and which are vacuous: a part of them does not matter. Or
/// prints `inconsistent`, minimal conflicts (with words that show that they are
/// minimal), what could be dropped to resolve them, and what is redundant or vacuous
/// among the requirements that the smallest repair leaves.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/requirements.txt"))]
pub(super) struct Requirements {
    /// The file, `-` being standard input
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// How many conflicts to look for
    #[arg(long, value_name = "N", default_value = "10")]
    pub(super) conflicts: NonZeroUsize,
    /// Print one JSON object instead (schema 1)
    #[arg(long)]
    pub(super) json: bool,
    /// Also write an HTML page
    #[arg(long, value_name = "OUT")]
    pub(super) html: Option<PathBuf>,
    #[command(flatten)]
    pub(super) syntax: SyntaxArgument,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

/// Print an automaton for a formula.
///
/// An lwaa is our own kind of automaton, linear weak and alternating; it is written as
/// text, dot or hoa. A tgba is a nondeterministic automaton with generalized Büchi
/// acceptance, written as text, dot, hoa or lbt. An nba is a Büchi automaton
/// with acceptance on states, written in any of the formats.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/translate.txt"))]
pub(super) struct Translate {
    #[command(flatten)]
    pub(super) source: Source,
    /// Which kind of automaton
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub(super) to: AutomatonKind,
    /// How a tgba or nba is constructed: lwaa writes out our own configurations, gpvw
    /// is a tableau [default: gastin-oddoux]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(super) via: Option<TranslationName>,
    /// How it is written; never is a never claim for Spin
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: AutomatonFormat,
    /// Do not simplify the formula, and use the translation exactly as it was
    /// published, without our improvements
    #[arg(long)]
    pub(super) raw: bool,
    /// Also draw the automaton, if it is small
    #[arg(long, value_name = "OUT")]
    pub(super) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(super) syntax: SyntaxArgument,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

/// Measure several tools or options side by side.
///
/// Reads a suite, a TOML file that names problems (formulas, families of
/// formulas, models), pipelines (this program with options, or any command) and
/// limits, which apply to each instance. Runs every pipeline on every problem that it
/// is meant for, one process at a time, and prints a table; the suites in
/// `benches/suites` are examples, and their README describes the format. A pipeline
/// that has failed on a problem is not run on larger ones of the same group. A
/// program that is not installed is skipped, which is not an error.
///
/// The exit code is 1 if an answer is wrong or two answers contradict each
/// other, else 4 or 2 if a process of this program crashed or did not
/// understand its options, else 3 if the benchmark was interrupted, else 0: limits
/// that are reached are results.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/bench.txt"))]
pub(super) struct Bench {
    /// The file of the suite
    #[arg(value_name = "SUITE")]
    pub(super) suite: PathBuf,
    /// Also write an HTML page with tables and plots
    #[arg(long, value_name = "OUT")]
    pub(super) html: Option<PathBuf>,
    /// Also write the plots of the page into a folder: a picture (.svg), its data (.csv) and a
    /// drawing for LaTeX (.tex, pgfplots) of each
    #[arg(long, value_name = "DIR")]
    pub(super) plots: Option<PathBuf>,
    /// Also write all measurements as comma-separated values
    #[arg(long, value_name = "OUT")]
    pub(super) csv: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: LimitArguments,
}

/// Print a formula of a parametric family.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/formula.txt"))]
pub(super) struct Family {
    /// The name of the family
    #[arg(value_name = "FAMILY", required_unless_present = "list")]
    pub(super) name: Option<String>,
    /// Which formula of the family
    #[arg(value_name = "N", required_unless_present = "list")]
    pub(super) number: Option<usize>,
    /// List all families: name, whether its formulas are satisfiable, the least
    /// N and what the formulas look like, separated by tabs
    #[arg(long, conflicts_with_all = ["name", "number", "dialect", "time", "memory"])]
    pub(super) list: bool,
    #[command(flatten)]
    pub(super) dialect: DialectArgument,
    #[command(flatten)]
    pub(super) limits: PlainLimits,
}

#[derive(Debug, Args)]
pub(super) struct DialectArgument {
    /// How formulas are written
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t)]
    pub(super) dialect: DialectName,
}

#[derive(Debug, Subcommand)]
pub(super) enum Random {
    Formula(RandomFormula),
    Kripke(RandomKripke),
}

/// Print random formulas, one per line.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/random.txt"))]
pub(super) struct RandomFormula {
    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// Operators, atoms and constants in each formula
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = at_most(10_000_000))]
    pub(super) size: u32,
    /// Atoms to choose from: p0, p1 and so on
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = at_most(1_000_000))]
    pub(super) atoms: u32,
    /// How many formulas to print
    #[arg(long, value_name = "C", default_value_t = 1)]
    pub(super) count: u64,
    /// How often an operator is chosen, in proportion to the others: one of
    /// true, false, atom, !, X, F, G, &, |, ^, ->, <->, U, R, W, M and a
    /// number, for example U=3; several are separated by commas [defaults: & | ! X F G U R
    /// and each atom 4, -> W M 2, others 1]
    #[arg(long, value_name = "OPERATOR=N", value_delimiter = ',')]
    pub(super) priority: Vec<String>,
    #[command(flatten)]
    pub(super) dialect: DialectArgument,
    #[command(flatten)]
    pub(super) limits: PlainLimits,
}

/// Print a random Kripke structure, a model for `check`.
///
/// Every state can be reached from the first one, which is initial, and has a
/// successor.
#[derive(Debug, Args)]
#[command(after_help = include_str!("args/examples/random_kripke.txt"))]
pub(super) struct RandomKripke {
    /// The seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(super) seed: u64,
    /// How many states
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) states: u32,
    /// How many atoms: p0, p1 and so on
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = at_most(10_000))]
    pub(super) atoms: u32,
    /// The probability of an edge from one state to another, besides those that
    /// make all states reachable
    #[arg(long, value_name = "D", default_value_t = 0.1, value_parser = quantity::probability)]
    pub(super) density: f64,
    /// The probability that an atom is true in a state
    #[arg(long, value_name = "T", default_value_t = 0.5, value_parser = quantity::probability)]
    pub(super) truth: f64,
    #[command(flatten)]
    pub(super) limits: PlainLimits,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    #[default]
    Lwaa,
    LwaaPure,
    Gpvw,
    GastinOddoux,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LabelsName {
    Exact,
    Simple,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SuccessorsName {
    Bdd,
    Direct,
    Sat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum SyntaxName {
    #[default]
    Lwaa,
    Spot,
    Lbt,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum DialectName {
    #[default]
    Lwaa,
    Spot,
    Spin,
    Lbt,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AutomatonKind {
    #[default]
    Lwaa,
    Tgba,
    Nba,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TranslationName {
    Lwaa,
    Gpvw,
    GastinOddoux,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StrategyName {
    Auto,
    Explicit,
    Bounded,
    Proof,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AutomatonFormat {
    #[default]
    Text,
    Dot,
    Hoa,
    Never,
    Lbt,
}

fn at_most(greatest: u32) -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=i64::from(greatest))
}

/// What was typed of `logic` and `limits`, to be typed again.
pub(super) fn retyped(logic: &Logic, limits: &LimitArguments) -> Vec<String> {
    fn name(value: &impl ValueEnum) -> String {
        value.to_possible_value().expect("no value is hidden").get_name().to_owned()
    }
    let Logic { engine, labels, successors, strategy, syntax, cache_size } = logic;
    let SyntaxArgument { syntax } = syntax;
    let LimitArguments { time, memory, states } = limits;
    [
        ("--engine", Some(name(engine))),
        ("--labels", labels.as_ref().map(name)),
        ("--successors", successors.as_ref().map(name)),
        ("--strategy", strategy.as_ref().map(name)),
        ("--syntax", Some(name(syntax))),
        ("--cache-size", cache_size.map(|size| size.to_string())),
        ("--time", time.map(quantity::duration_text)),
        ("--memory", memory.map(|bytes| bytes.to_string())),
        ("--states", states.map(|states| states.to_string())),
    ]
    .into_iter()
    .filter_map(|(option, value)| value.map(|value| format!("{option}={value}")))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_contradicts_itself_nowhere() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_survive_retyping() {
        let typed = "lwaa sat a --engine lwaa-pure --labels simple --successors direct --syntax lbt \
                     --strategy bounded --cache-size 7 --time 1.5m --memory 3M --states 9";
        let sat = |typed: Vec<String>| match Arguments::try_parse_from(typed).unwrap().command {
            Command::Sat(sat) => (format!("{:?}", sat.logic), format!("{:?}", sat.limits), sat),
            other => panic!("{other:?}"),
        };
        let (logic, limits, first) = sat(typed.split(' ').map(str::to_owned).collect());
        let mut again = vec!["lwaa".to_owned(), "sat".to_owned(), "a".to_owned()];
        again.extend(retyped(&first.logic, &first.limits));
        let (logic_again, limits_again, _) = sat(again);
        assert_eq!((logic, limits), (logic_again, limits_again));
    }
}
