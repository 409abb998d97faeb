//! Pipelines: how a problem becomes a process, and what its output means.

use super::problem::{Model, Problem, Subject};
use super::suite::{Pipeline, Source, answer, verdict};
use crate::cli::Failure;
use crate::cli::process::{End, Ended};
use crate::cli::template::{Piece, Template, placeholder, quoted};
use lwaa::baseline::formats::{self, Format};
use lwaa::baseline::{Nba, word_graph};
use lwaa::bench::automaton_size::{self, Size};
use lwaa::bench::{Cost, Measurement, Outcome, Verdict};
use lwaa::ltl::print::{Dialect, print};
use lwaa::search::limits::{Budget, Limits, Monitor};
use regex_lite::Regex;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;
use toml::Spanned;

/// A pipeline that is ready to run.
#[derive(Debug)]
pub(super) enum Runner {
    /// This program.
    Lwaa { arguments: Vec<String> },
    /// Anything else.
    Shell(Shell),
}

/// A command for the shell.
#[derive(Debug)]
pub(super) struct Shell {
    template: Template,
    is_about_models: bool,
    prints: Prints,
    yes: Option<Regex>,
    no: Option<Regex>,
    yes_code: Option<i32>,
    no_code: Option<i32>,
    numbers: Vec<(String, Regex)>,
}

/// What a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prints {
    Automaton,
    Verdict,
    Nothing,
}

/// Where and within which limits a process runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions<'a> {
    /// This program.
    pub(super) program: &'a Path,
    /// The folder of the suite.
    pub(super) folder: &'a Path,
    /// An empty folder for what the process writes.
    pub(super) scratch: &'a Path,
    /// Options of our own program that keep it within the limits.
    pub(super) limits: &'a [String],
    /// The limit of time.
    pub(super) seconds: Option<f64>,
    /// The limit of memory.
    pub(super) bytes: Option<u64>,
}

impl Runner {
    /// Makes a pipeline ready.
    pub(super) fn new(source: Source<'_>, pipeline: &Pipeline) -> Result<Self, Failure> {
        if let Some(arguments) = &pipeline.lwaa {
            return Ok(Self::Lwaa { arguments: arguments.get_ref().clone() });
        }
        let name = &pipeline.name;
        let Some(command) = &pipeline.command else {
            return Err(source.error(name.span(), "this pipeline has no command"));
        };
        let template = Template::parse(command.get_ref(), placeholder)
            .map_err(|error| source.error(source.inside(command, error.span), error.message))?;
        if !template.has_problem() {
            let message = "the command has no placeholder for the problem: use %f, %s, %p or %l for a \
                           formula, %m for a model";
            return Err(source.error(command.span(), message));
        }
        let pattern = |text: &Option<Spanned<String>>| {
            text.as_ref().map(|text| source.pattern(text)).transpose()
        };
        let (yes, no) = (pattern(&pipeline.yes)?, pattern(&pipeline.no)?);
        let has_answer = yes.is_some()
            || no.is_some()
            || pipeline.yes_code.is_some()
            || pipeline.no_code.is_some();
        let prints = match pipeline.result.as_ref().map(|result| result.get_ref().as_str()) {
            Some("automaton") => Prints::Automaton,
            Some("nothing") => Prints::Nothing,
            None if template.has_output() && !has_answer => Prints::Automaton,
            Some(_) | None => Prints::Verdict,
        };
        let mut numbers = Vec::new();
        for (name, text) in &pipeline.numbers {
            let pattern = source.pattern(text)?;
            if pattern.captures_len() != 2 {
                return Err(source.error(text.span(), "the pattern of a number has one group"));
            }
            numbers.push((name.clone(), pattern));
        }
        let (yes_code, no_code) = (pipeline.yes_code, pipeline.no_code);
        let about = pipeline.about.as_ref().map(|about| about.get_ref() == "models");
        let is_about_models = about.unwrap_or_else(|| template.is_about_models());
        Ok(Self::Shell(Shell {
            template,
            is_about_models,
            prints,
            yes,
            no,
            yes_code,
            no_code,
            numbers,
        }))
    }

    /// Whether it is asked about models rather than formulas.
    pub(super) fn is_about_models(&self) -> bool {
        match self {
            Self::Lwaa { arguments } => {
                is_command(arguments, "check") || is_command(arguments, "explore")
            }
            Self::Shell(shell) => shell.is_about_models,
        }
    }

    /// The process for a problem, and its standard input.
    pub(super) fn command(
        &self,
        problem: &Problem,
        n: Option<u64>,
        conditions: Conditions<'_>,
    ) -> Result<(Command, Vec<u8>), String> {
        match self {
            Self::Lwaa { arguments } => Ok(own_command(arguments, problem, conditions)),
            Self::Shell(shell) => {
                let script = shell.script(problem, n, conditions)?;
                let mut command = Command::new("sh");
                command
                    .args(["-c", &script])
                    .env("LWAA", conditions.program)
                    .current_dir(conditions.scratch);
                Ok((command, Vec::new()))
            }
        }
    }

    /// What the output of the process means. Of the cost, only what the process itself says.
    pub(super) fn meaning(
        &self,
        ended: &Ended,
        problem: &Problem,
        conditions: Conditions<'_>,
    ) -> Measurement {
        let status = match ended.end {
            End::OverTime => return Measurement::new(Outcome::OutOfTime),
            End::OverMemory => return Measurement::new(Outcome::OutOfMemory),
            End::ByItself(status) => status,
        };
        match self {
            Self::Lwaa { arguments } if is_command(arguments, "translate") => {
                translated(ended, status, problem, conditions)
            }
            Self::Lwaa { .. } => own_meaning(ended),
            Self::Shell(shell) => shell.meaning(ended, status, problem, conditions.scratch),
        }
    }
}

/// Whether the words behind the name of this program begin with this command.
fn is_command(arguments: &[String], name: &str) -> bool {
    arguments.first().is_some_and(|word| word == name)
}

/// This program, as it was asked for, with the problem and the limits.
fn own_command(
    arguments: &[String],
    problem: &Problem,
    conditions: Conditions<'_>,
) -> (Command, Vec<u8>) {
    let mut command = Command::new(conditions.program);
    command.args(arguments);
    if !is_command(arguments, "translate") {
        command.arg("--json");
    }
    command.args(conditions.limits);
    match &problem.subject {
        Subject::Formula(formula) => {
            command.arg("--file=-");
            (command, formula.to_string().into_bytes())
        }
        Subject::Model(model) => {
            command.args(definitions(model));
            command.args(model.language.iter().map(|language| format!("--language={language}")));
            if !is_command(arguments, "explore") {
                let options = [
                    ("--fair", &model.fair),
                    ("--formula", &model.formula),
                    ("--prop", &model.property),
                ];
                for (name, value) in options {
                    command.args(value.iter().map(|value| format!("{name}={value}")));
                }
            }
            command.arg("--").arg(&model.file);
            (command, Vec::new())
        }
    }
}

fn definitions(model: &Model) -> Vec<String> {
    model.definitions.iter().map(|(name, value)| format!("-D{name}={value}")).collect()
}

/// What our own automata mean. `translate` has no JSON: the limit that it has reached is told by
/// what it has used.
fn translated(
    ended: &Ended,
    status: ExitStatus,
    problem: &Problem,
    conditions: Conditions<'_>,
) -> Measurement {
    if status.success() {
        return automaton(&String::from_utf8_lossy(&ended.stdout), problem);
    }
    if status.code() != Some(3) {
        return Measurement::because(Outcome::Failed, complaint(ended));
    }
    let seconds = ended.wall.as_secs_f64();
    let outcome = match () {
        () if conditions.seconds.is_some_and(|limit| limit <= seconds) => Outcome::OutOfTime,
        () if conditions.bytes.is_some_and(|limit| Some(limit) <= ended.peak_bytes) => {
            Outcome::OutOfMemory
        }
        () => Outcome::Unknown,
    };
    Measurement::because(outcome, last_line(&ended.stderr))
}

/// How long we look for a word that an automaton accepts.
const MAX_LOOK: Duration = Duration::from_secs(10);

/// An automaton is counted and, if it is for a formula, asked whether it accepts
/// anything: that is its answer. There is none if it is not one that we can ask, such as
/// an alternating one.
fn automaton(text: &str, problem: &Problem) -> Measurement {
    let read = formats::read(text);
    let size = match (formats::format(text), &read) {
        (Some(Format::Lbt), Ok(nba)) => Ok(Size { states: nba.n_states(), edges: nba.n_edges() }),
        (Some(Format::Lbt), Err(error)) => Err(format!("its automaton cannot be read: {error}")),
        _ => automaton_size::size(text),
    };
    let size = match size {
        Ok(size) => size,
        Err(message) => return Measurement::because(Outcome::Failed, message),
    };
    let numbers = [("states", size.states), ("edges", size.edges)];
    let numbers = numbers.map(|(name, count)| (name.to_owned(), real(count))).to_vec();
    let asked = read.ok().filter(|_| matches!(problem.subject, Subject::Formula(_)));
    let verdict = asked.and_then(|nba| accepts_anything(&nba)).map(|yes| verdict(yes, false));
    Measurement { numbers, ..Measurement::solved(verdict) }
}

/// Nothing if it takes too long to find out.
fn accepts_anything(automaton: &Nba) -> Option<bool> {
    let monitor = Monitor::default();
    let limits = Limits { time: Some(MAX_LOOK), ..Limits::default() };
    let word = word_graph::example(automaton, &mut Budget::new(limits, &monitor));
    word.ok().map(|word| word.is_some())
}

fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// What is no number to be compared: times and memory are measured from
/// outside, and rates follow from them.
const OTHERS: [&str; 5] =
    ["seconds", "peak_bytes", "cache_hit_rate", "states_per_second", "bytes_per_state"];

/// What our own JSON means.
fn own_meaning(ended: &Ended) -> Measurement {
    let object: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
    let text = |name: &str| object[name].as_str().map(str::to_owned);
    let mut meaning = match object["verdict"].as_str() {
        None | Some("error" | "internal error") => {
            Measurement::because(Outcome::Failed, complaint(ended))
        }
        Some("unknown") => {
            let outcome = match object["reason_code"].as_str() {
                Some("time") => Outcome::OutOfTime,
                Some("memory" | "memory-refused" | "address-space") => Outcome::OutOfMemory,
                _ => Outcome::Unknown,
            };
            Measurement { message: text("reason"), ..Measurement::new(outcome) }
        }
        Some("explored") => Measurement::solved(None),
        Some(word @ ("no violation found" | "no run found")) => {
            let verdict = Some(Verdict { word: word.to_owned(), is_yes: None });
            Measurement { verdict, ..Measurement::new(Outcome::NothingFound) }
        }
        Some("model error") => {
            let what = text("reason").unwrap_or_else(|| "the model is wrong".to_owned());
            Measurement::because(Outcome::Failed, format!("model error: {what}"))
        }
        Some(word) => {
            let verdict = Verdict { word: word.to_owned(), is_yes: answer(word) };
            Measurement::solved(Some(verdict))
        }
    };
    let statistics = object["statistics"].as_object().into_iter().flatten();
    meaning.numbers = statistics
        .filter(|(name, _)| !OTHERS.contains(&name.as_str()))
        .filter_map(|(name, value)| Some((name.clone(), value.as_f64()?)))
        .collect();
    let peak_bytes = object["statistics"]["peak_bytes"].as_u64();
    meaning.cost = Some(Cost { peak_bytes, ..Cost::default() });
    meaning
}

fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    last.map_or_else(String::new, printable)
}

/// What others print, as it can be shown on a terminal.
fn printable(line: &str) -> String {
    const MAX_CHARACTERS: usize = 300;
    let (start, rest) = match line.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => (&line[..end], "…"),
        None => (line, ""),
    };
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    start.chars().map(shown).chain([rest.to_owned()]).collect()
}

/// How a process has ended, and the first thing that it says about it.
fn complaint(ended: &Ended) -> String {
    let how = match ended.end {
        End::ByItself(status) => status.to_string(),
        End::OverTime => "the limit of time".to_owned(),
        End::OverMemory => "the limit of memory".to_owned(),
    };
    match said(ended) {
        Some(line) => format!("{how}: {line}"),
        None => how,
    }
}

/// The first thing that a process says.
fn said(ended: &Ended) -> Option<String> {
    let first = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.lines().map(str::trim).find(|line| !line.is_empty()).map(printable)
    };
    first(&ended.stderr).or_else(|| first(&ended.stdout))
}

/// Why there is no verdict from a process that gives some.
fn no_verdict(ended: &Ended) -> String {
    match (ended.end, said(ended)) {
        (End::ByItself(status), Some(line)) if status.success() => {
            format!("it gives no verdict: {line}")
        }
        (End::ByItself(status), None) if status.success() => {
            "it gives no verdict and prints nothing".to_owned()
        }
        _ => complaint(ended),
    }
}

/// What the shell answers if there is no such program.
const NO_SUCH_PROGRAM: i32 = 127;

impl Shell {
    fn script(
        &self,
        problem: &Problem,
        n: Option<u64>,
        conditions: Conditions<'_>,
    ) -> Result<String, String> {
        let path = |path: &Path| quoted(&path.to_string_lossy());
        self.template.script(|piece| {
            Ok(match (piece, &problem.subject) {
                (Piece::Text(text), _) => text.clone(),
                (Piece::Formula(dialect), subject) => quoted(&formula(subject, *dialect)?),
                (Piece::FormulaFile(dialect), subject) => {
                    let file = conditions.scratch.join(format!("formula.{dialect:?}"));
                    let text = formula(subject, *dialect)?;
                    std::fs::write(&file, text + "\n").map_err(|error| error.to_string())?;
                    path(&file)
                }
                (Piece::Model, Subject::Model(model)) => path(&model.file),
                (Piece::Definitions, Subject::Model(model)) => {
                    let words: Vec<String> =
                        definitions(model).iter().map(|word| quoted(word)).collect();
                    words.join(" ")
                }
                (Piece::Model | Piece::Definitions, Subject::Formula(_)) => {
                    return Err("the command is about models, and this is a formula".to_owned());
                }
                (Piece::Parameter, _) => n.map_or_else(String::new, |n| n.to_string()),
                (Piece::Output, _) => path(&conditions.scratch.join(OUTPUT)),
                (Piece::Folder, _) => path(conditions.folder),
                (Piece::Time, _) => conditions.seconds.unwrap_or(f64::from(u32::MAX)).to_string(),
                (Piece::With(name), _) => {
                    let value = problem.with.get(name);
                    quoted(value.ok_or_else(|| format!("nothing is said about `{name}`"))?)
                }
            })
        })
    }

    fn meaning(
        &self,
        ended: &Ended,
        status: ExitStatus,
        problem: &Problem,
        scratch: &Path,
    ) -> Measurement {
        if status.code() == Some(NO_SUCH_PROGRAM) {
            return Measurement::because(Outcome::NotInstalled, complaint(ended));
        }
        let text = if self.template.has_output() {
            std::fs::read(scratch.join(OUTPUT)).unwrap_or_default()
        } else {
            ended.stdout.clone()
        };
        let text = String::from_utf8_lossy(&text);
        let mut meaning = match self.prints {
            Prints::Automaton if status.success() => automaton(&text, problem),
            Prints::Nothing if status.success() => Measurement::solved(None),
            Prints::Automaton | Prints::Nothing => {
                Measurement::because(Outcome::Failed, complaint(ended))
            }
            Prints::Verdict => match self.verdict(&text, status.code()) {
                Some(verdict) => Measurement::solved(Some(verdict)),
                None => Measurement::because(Outcome::Failed, no_verdict(ended)),
            },
        };
        for (name, pattern) in &self.numbers {
            let found = pattern.captures(&text).and_then(|captures| captures.get(1));
            let number = found.and_then(|found| found.as_str().parse::<f64>().ok());
            meaning.numbers.extend(number.map(|number| (name.clone(), number)));
        }
        meaning
    }

    /// By pattern, by exit code, or by the first line.
    fn verdict(&self, text: &str, code: Option<i32>) -> Option<Verdict> {
        let matches = |pattern: &Option<Regex>| {
            pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
        };
        let ends = |expected: Option<i32>| expected.is_some() && expected == code;
        let is_yes = match () {
            () if matches(&self.no) => false,
            () if matches(&self.yes) || ends(self.yes_code) => true,
            () if ends(self.no_code) => false,
            () => answer(&text.lines().next()?.trim().to_ascii_lowercase())?,
        };
        Some(verdict(is_yes, self.is_about_models))
    }
}

/// The file that `%o` stands for.
const OUTPUT: &str = "output";

fn formula(subject: &Subject, dialect: Dialect) -> Result<String, String> {
    match subject {
        Subject::Formula(formula) => Ok(print(formula, dialect)),
        // What stands in formulas about models is the model language's business.
        Subject::Model(Model { formula: Some(text), .. }) if dialect == Dialect::Lwaa => {
            Ok(text.clone())
        }
        Subject::Model(_) => {
            Err("formulas about models are known in their own syntax only, as `%f`".to_owned())
        }
    }
}
