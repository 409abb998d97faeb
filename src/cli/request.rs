//! What the arguments mean.
//!
//! After this, no command looks at what was typed. Nothing is read or written
//! here.

pub(super) mod cross;
pub(super) mod method;
pub(super) mod model;
mod preparation;

use super::{Failure, args};
use lwaa::baseline::translation::Translation;
use lwaa::check::Options;
use lwaa::ltl::Syntax;
use lwaa::ltl::family::{self, Family};
use lwaa::ltl::print::Dialect;
use lwaa::report::{Format, Question};
use lwaa::search::limits::Limits;
use lwaa::testbench::{random_formula, random_kripke};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One thing to do.
#[derive(Debug)]
pub(super) enum Request {
    Ask(Ask),
    Batch(Batch),
    Bench(Bench),
    Check(model::Check),
    Explore(model::Explore),
    Mcc(model::Mcc),
    Simulate(model::Simulate),
    Replay(model::Replay),
    Core(Core),
    Requirements(Requirements),
    Cross(Box<cross::Cross>),
    Translate(Translate),
    Families,
    Family(FamilyRequest),
    RandomFormulas(RandomFormulas),
    RandomKripke(RandomKripke),
    Completions(clap_complete::Shell),
    Manual,
}

/// A question about a formula.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) question: Question,
    pub(super) subject: Subject,
    pub(super) syntax: Syntax,
    pub(super) options: Options,
    pub(super) format: Format,
    /// Whether statistics are printed in any case.
    pub(super) statistics: bool,
    /// Whether it is about finite words.
    pub(super) finite: bool,
    /// Where the page is written to.
    pub(super) html: Option<PathBuf>,
    /// Whether reasons are given in full.
    pub(super) explains: bool,
}

/// The question which conjuncts contradict each other.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub(super) text: Text,
    pub(super) syntax: Syntax,
    pub(super) options: Options,
    pub(super) format: Format,
    pub(super) statistics: bool,
}

/// The question what requirements say together.
#[derive(Clone, Debug)]
pub(super) struct Requirements {
    pub(super) text: Text,
    pub(super) syntax: Syntax,
    pub(super) options: Options,
    /// How many conflicts are looked for.
    pub(super) conflicts: usize,
    pub(super) format: Format,
    pub(super) html: Option<PathBuf>,
}

/// The formula that a question is about.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    One(Text),
    Implication(Text, Text),
    Equivalence(Text, Text),
}

/// Where the text of a formula is.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Argument {
        /// What messages call it.
        name: &'static str,
        text: String,
    },
    File(PathBuf),
    StandardInput,
}

impl Text {
    /// Whether it is read from standard input.
    pub(super) fn is_input(&self) -> bool {
        matches!(self, Self::StandardInput)
    }
}

/// The same question about many formulas.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) table: Text,
    pub(super) csv: Option<PathBuf>,
    pub(super) jobs: usize,
    /// How the formulas are written.
    pub(super) syntax: Syntax,
    /// The options of every single question.
    pub(super) arguments: Vec<String>,
    pub(super) time: Option<Duration>,
}

/// A suite of benchmarks to be run.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) suite: PathBuf,
    pub(super) csv: Option<PathBuf>,
    pub(super) html: Option<PathBuf>,
    /// The folder into which plots are written.
    pub(super) plots: Option<PathBuf>,
    /// Limits that take the place of the suite's.
    pub(super) time: Option<Duration>,
    pub(super) memory: Option<usize>,
    pub(super) states: Option<usize>,
}

/// An automaton to be printed.
#[derive(Debug)]
pub(super) struct Translate {
    pub(super) text: Text,
    pub(super) syntax: Syntax,
    pub(super) goal: Goal,
    /// Whether everything is left as it is.
    pub(super) raw: bool,
    /// Where the picture is written to.
    pub(super) svg: Option<PathBuf>,
    pub(super) limits: Limits,
}

/// Which automaton, and how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    Alternating(AlternatingFormat),
    Explicit {
        /// Nothing if the configurations of our own automaton are written out.
        method: Option<Translation>,
        /// Whether it has one acceptance set, on states.
        buchi: bool,
        format: args::AutomatonFormat,
    },
}

/// How an alternating automaton is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum AlternatingFormat {
    Text,
    Dot,
    Hoa,
}

/// A formula of a family to be printed.
#[derive(Debug)]
pub(super) struct FamilyRequest {
    pub(super) family: &'static Family,
    pub(super) number: usize,
    pub(super) dialect: Dialect,
    pub(super) limits: Limits,
}

/// Random formulas to be printed.
#[derive(Debug)]
pub(super) struct RandomFormulas {
    pub(super) options: random_formula::Options,
    pub(super) seed: u64,
    pub(super) count: u64,
    pub(super) dialect: Dialect,
    pub(super) limits: Limits,
}

/// A random structure to be printed.
#[derive(Debug)]
pub(super) struct RandomKripke {
    pub(super) options: random_kripke::Options,
    pub(super) seed: u64,
    pub(super) limits: Limits,
}

impl Request {
    /// What `command` means.
    pub(super) fn from_arguments(command: args::Command) -> Result<Self, Failure> {
        use args::Command;
        Ok(match command {
            Command::Sat(sat) => return Self::from_sat(sat),
            Command::Valid(args::Valid { source, options }) => {
                let subject = Subject::One(text(source.formula, source.file));
                Self::Ask(ask(Question::Valid, subject, &options)?)
            }
            Command::Implies(pair) => Self::Ask(about_pair(pair, Subject::Implication)?),
            Command::Equiv(pair) => Self::Ask(about_pair(pair, Subject::Equivalence)?),
            Command::Check(check) => Self::Check(model::check(check)?),
            Command::Explore(explore) => Self::Explore(model::explore(explore)?),
            Command::Mcc(mcc) => Self::Mcc(model::mcc(mcc)?),
            Command::Simulate(simulate) => Self::Simulate(model::simulate(simulate)?),
            Command::Replay(replay) => Self::Replay(model::replay(replay)?),
            Command::Translate(translate) => Self::Translate(Translate {
                goal: goal(&translate)?,
                text: text(translate.source.formula, translate.source.file),
                syntax: syntax(translate.syntax.syntax),
                raw: translate.raw,
                svg: translate.svg,
                limits: limits(&translate.limits),
            }),
            Command::Cross(cross) => Self::Cross(Box::new(cross::cross(cross)?)),
            Command::Formula(family) => return Self::from_family(family),
            Command::Random(args::Random::Formula(formula)) => {
                Self::RandomFormulas(random_formulas(&formula)?)
            }
            Command::Random(args::Random::Kripke(kripke)) => Self::RandomKripke(RandomKripke {
                options: random_kripke::Options {
                    n_states: kripke.states as usize,
                    n_atoms: kripke.atoms as usize,
                    density: kripke.density,
                    truth: kripke.truth,
                },
                seed: kripke.seed,
                limits: plain_limits(&kripke.limits),
            }),
            Command::Bench(bench) => return Self::from_bench(bench),
            Command::Requirements(typed) => return Self::from_requirements(typed),
            Command::Completions { shell } => Self::Completions(shell),
            Command::Man => Self::Manual,
        })
    }

    fn from_sat(sat: args::Sat) -> Result<Self, Failure> {
        let args::Sat {
            source,
            jobs,
            csv,
            core,
            json,
            stats,
            finite,
            html,
            explain,
            logic,
            limits,
        } = sat;
        let Some(table) = source.batch else {
            if core {
                // A core needs both kinds of answers, and each of these has one kind only.
                if let Some(args::StrategyName::Bounded | args::StrategyName::Proof) =
                    logic.strategy
                {
                    return Err(Failure::plain(
                        "--core asks for models and for reasons why there are none: use --strategy \
                         auto or explicit",
                    ));
                }
                return Ok(Self::Core(Core {
                    text: text(source.formula, source.file),
                    syntax: syntax(logic.syntax.syntax),
                    options: options(&logic, &limits)?,
                    format: Format::json_if(json),
                    statistics: stats,
                }));
            }
            let subject = Subject::One(text(source.formula, source.file));
            let output = args::Output { json, stats };
            let options = args::AskOptions { output, finite, logic, limits };
            refuse_standard_output("--html", html.as_deref())?;
            let asked = ask(Question::Satisfiable, subject, &options)?;
            return Ok(Self::Ask(Ask { html, explains: explain, ..asked }));
        };
        options(&logic, &limits)?;
        // Standard output has the lines for people.
        refuse_standard_output("--csv", csv.as_deref())?;
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Self::Batch(Batch {
            table: text(None, Some(table)),
            csv,
            jobs: jobs.map_or_else(processors, NonZeroUsize::get),
            syntax: syntax(logic.syntax.syntax),
            arguments: args::retyped(&logic, &limits)
                .into_iter()
                .chain(finite.then(|| "--finite".to_owned()))
                .collect(),
            time: limits.time,
        }))
    }

    fn from_requirements(typed: args::Requirements) -> Result<Self, Failure> {
        let args::Requirements { file, conflicts, json, html, syntax, limits } = typed;
        // Standard output has the verdict.
        refuse_standard_output("--html", html.as_deref())?;
        Ok(Self::Requirements(Requirements {
            text: text(None, Some(file)),
            syntax: self::syntax(syntax.syntax),
            options: Options { limits: self::limits(&limits), ..Options::default() },
            conflicts: conflicts.get(),
            format: Format::json_if(json),
            html,
        }))
    }

    fn from_bench(typed: args::Bench) -> Result<Self, Failure> {
        let args::Bench { suite, csv, html, plots, limits } = typed;
        // Standard output has the table.
        refuse_standard_output("--csv", csv.as_deref())?;
        refuse_standard_output("--html", html.as_deref())?;
        refuse_standard_output("--plots", plots.as_deref())?;
        let args::LimitArguments { time, memory, states } = limits;
        Ok(Self::Bench(Bench { suite, csv, html, plots, time, memory, states }))
    }

    fn from_family(typed: args::Family) -> Result<Self, Failure> {
        let (Some(name), Some(number)) = (typed.name, typed.number) else {
            return Ok(Self::Families);
        };
        let Some(family) = family::find(&name) else {
            return Err(Failure::plain(format_args!(
                "there is no family `{name}`; `lwaa formula --list` lists them all"
            )));
        };
        let dialect = dialect(typed.dialect.dialect);
        let limits = plain_limits(&typed.limits);
        Ok(Self::Family(FamilyRequest { family, number, dialect, limits }))
    }
}

/// Refuses `-` as the name of a file for an option that needs one.
fn refuse_standard_output(option: &str, path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) if path == Path::new("-") => {
            Err(Failure::plain(format_args!("{option} needs the name of a file")))
        }
        _ => Ok(()),
    }
}

fn ask(question: Question, subject: Subject, typed: &args::AskOptions) -> Result<Ask, Failure> {
    Ok(Ask {
        question,
        subject,
        syntax: syntax(typed.logic.syntax.syntax),
        options: options(&typed.logic, &typed.limits)?,
        format: Format::json_if(typed.output.json),
        statistics: typed.output.stats,
        finite: typed.finite,
        html: None,
        explains: false,
    })
}

fn options(logic: &args::Logic, limits: &args::LimitArguments) -> Result<Options, Failure> {
    let method = method::of_formulas(logic)?;
    Ok(Options { method, limits: self::limits(limits), ..Options::default() })
}

fn random_formulas(typed: &args::RandomFormula) -> Result<RandomFormulas, Failure> {
    let weights = weights(&typed.priority)?;
    Ok(RandomFormulas {
        options: random_formula::Options {
            size: typed.size as usize,
            n_atoms: typed.atoms as usize,
            weights,
        },
        seed: typed.seed,
        count: typed.count,
        dialect: dialect(typed.dialect.dialect),
        limits: plain_limits(&typed.limits),
    })
}

/// The usual priorities of operators, with these changed.
fn weights(priorities: &[String]) -> Result<random_formula::Weights, Failure> {
    let mut weights = random_formula::Weights::default();
    for priority in priorities {
        let wrong = || {
            Failure::plain(format_args!(
                "`{priority}` is not a priority: write an operator, `=` and a number, as in U=3; \
                 operators are true, false, atom, !, X, F, G, &, |, ^, ->, <->, U, R, W and M"
            ))
        };
        let (operator, number) = priority.rsplit_once('=').ok_or_else(wrong)?;
        let number = number.trim().parse().map_err(|_| wrong())?;
        *weights.of(operator.trim()).ok_or_else(wrong)? = number;
    }
    if !weights.has_leaves() {
        return Err(Failure::plain(
            "a formula needs atoms or constants: one of the priorities of atom, true and false is \
             not 0",
        ));
    }
    Ok(weights)
}

fn limits(typed: &args::LimitArguments) -> Limits {
    Limits { time: typed.time, memory: typed.memory, states: typed.states }
}

fn plain_limits(typed: &args::PlainLimits) -> Limits {
    Limits { time: typed.time, memory: typed.memory, states: None }
}

/// Which automaton is meant, if there is one of that kind in that format.
fn goal(typed: &args::Translate) -> Result<Goal, Failure> {
    use args::{AutomatonFormat as Format, AutomatonKind as Kind, TranslationName as Via};
    match (typed.to, typed.via, typed.format) {
        (Kind::Lwaa, Some(Via::Gpvw | Via::GastinOddoux), _) => Err(Failure::plain(
            "an lwaa is made from the formula itself: leave out --via, or use --to tgba or \
             --to nba",
        )),
        (Kind::Lwaa, _, Format::Never | Format::Lbt) => Err(Failure::plain(
            "an alternating automaton has no such format: --to lwaa can be written as text, dot \
             or hoa; never claims need --to nba, and lbt needs --to tgba or --to nba",
        )),
        (Kind::Lwaa, _, Format::Text) => Ok(Goal::Alternating(AlternatingFormat::Text)),
        (Kind::Lwaa, _, Format::Dot) => Ok(Goal::Alternating(AlternatingFormat::Dot)),
        (Kind::Lwaa, _, Format::Hoa) => Ok(Goal::Alternating(AlternatingFormat::Hoa)),
        (Kind::Tgba, _, Format::Never) => Err(Failure::plain(
            "a never claim is a Büchi automaton: use --to nba; --to tgba can be written as text, \
             dot, hoa or lbt",
        )),
        (to, via, format) => Ok(Goal::Explicit {
            method: match via {
                Some(Via::Lwaa) => None,
                Some(Via::Gpvw) => Some(Translation::Gpvw),
                Some(Via::GastinOddoux) | None => Some(Translation::GastinOddoux),
            },
            buchi: to == Kind::Nba,
            format,
        }),
    }
}

fn about_pair(pair: args::Pair, subject: fn(Text, Text) -> Subject) -> Result<Ask, Failure> {
    let left = Text::Argument { name: "<A>", text: pair.left };
    let right = Text::Argument { name: "<B>", text: pair.right };
    ask(Question::Valid, subject(left, right), &pair.options)
}

/// One of the two, as the table of arguments makes sure.
fn text(formula: Option<String>, file: Option<PathBuf>) -> Text {
    match file {
        Some(path) if path.as_os_str() == "-" => Text::StandardInput,
        Some(path) => Text::File(path),
        None => Text::Argument { name: "<formula>", text: formula.unwrap_or_default() },
    }
}

fn syntax(name: args::SyntaxName) -> Syntax {
    match name {
        args::SyntaxName::Lwaa => Syntax::Lwaa,
        args::SyntaxName::Spot => Syntax::Spot,
        args::SyntaxName::Lbt => Syntax::Lbt,
    }
}

fn dialect(name: args::DialectName) -> Dialect {
    match name {
        args::DialectName::Lwaa => Dialect::Lwaa,
        args::DialectName::Spot => Dialect::Spot,
        args::DialectName::Spin => Dialect::Spin,
        args::DialectName::Lbt => Dialect::Lbt,
    }
}
