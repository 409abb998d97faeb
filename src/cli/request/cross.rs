//! What the arguments of `cross` mean.

use super::super::cross::command::placeholder;
use super::super::template::{Piece, Template, quoted};
use super::super::{Failure, args, quantity};
use super::weights;
use lwaa::report::Format;
use lwaa::search::limits::Limits;
use lwaa::testbench::cross::Options;
use lwaa::testbench::cross_check::Bounds;
use lwaa::testbench::translator::{Builtin, Translator};
use lwaa::testbench::{random_formula, random_kripke};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Translators to be compared.
#[derive(Debug)]
pub(in crate::cli) struct Cross {
    pub(in crate::cli) options: Options,
    pub(in crate::cli) builtins: Vec<Builtin>,
    /// Commands with their names.
    pub(in crate::cli) commands: Vec<(String, Template)>,
    /// For a single run of a command.
    pub(in crate::cli) timeout: Duration,
    pub(in crate::cli) limits: Limits,
    /// All options that a round depends on, as they were typed.
    pub(in crate::cli) retyped: String,
    pub(in crate::cli) format: Format,
    pub(in crate::cli) html: Option<PathBuf>,
    /// Whether times are printed.
    pub(in crate::cli) times: bool,
}

/// What was meant.
pub(in crate::cli) fn cross(typed: args::cross::Cross) -> Result<Cross, Failure> {
    let retyped = retyped(&typed);
    let args::cross::Cross { input, limits, .. } = &typed;
    let options = Options {
        seed: typed.seed,
        rounds: typed.rounds,
        sizes: sizes(&input.size)?,
        formula: random_formula::Options {
            n_atoms: input.atoms as usize,
            weights: weights(&input.priority)?,
            ..random_formula::Options::default()
        },
        kripke: random_kripke::Options {
            n_states: input.states as usize,
            density: input.density,
            truth: input.truth,
            ..random_kripke::Options::default()
        },
        bounds: Bounds { max_complement: limits.complement, ..Bounds::default() },
        ..Options::default()
    };
    let builtins = builtins(typed.builtin.as_deref())?;
    let commands: Vec<(String, Template)> =
        typed.translator.iter().map(|text| command(text)).collect::<Result<_, _>>()?;
    if builtins.is_empty() && commands.is_empty() {
        return Err(Failure::plain("there is no translator to test"));
    }
    check_names(&builtins, &commands)?;
    Ok(Cross {
        options,
        builtins,
        commands,
        timeout: typed.timeout,
        limits: Limits { time: limits.time, memory: limits.memory, states: None },
        retyped,
        format: Format::json_if(typed.json),
        html: typed.html,
        times: typed.stats,
    })
}

/// A number, or two with dots between them.
fn sizes(text: &str) -> Result<RangeInclusive<usize>, Failure> {
    const MAX_SIZE: usize = 1_000;
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    match (low.trim().parse(), high.trim().trim_start_matches('=').parse()) {
        (Ok(low), Ok(high)) if 0 < low && low <= high && high <= MAX_SIZE => Ok(low..=high),
        _ => Err(Failure::plain(format_args!(
            "`{text}` is not a size: write a number from 1 to {MAX_SIZE}, or two such as 5..12"
        ))),
    }
}

/// Checks that all translators have different names.
fn check_names(builtins: &[Builtin], commands: &[(String, Template)]) -> Result<(), Failure> {
    let names = builtins.iter().map(Translator::name);
    let mut seen: Vec<&str> = Vec::new();
    for name in names.chain(commands.iter().map(|(name, _)| name.as_str())) {
        if seen.contains(&name) {
            return Err(Failure::plain(format_args!(
                "there are several translators called `{name}`: give them names, as in '{{name}} command'"
            )));
        }
        seen.push(name);
    }
    Ok(())
}

fn builtins(names: Option<&[String]>) -> Result<Vec<Builtin>, Failure> {
    let Some(names) = names else { return Ok(Builtin::ALL.to_vec()) };
    if 1 < names.len() && names.iter().any(|name| name == "none") {
        return Err(Failure::plain("`none` cannot be combined with other translators"));
    }
    let mut chosen = Vec::new();
    for name in names.iter().filter(|name| *name != "none") {
        let found = Builtin::ALL.into_iter().find(|builtin| builtin.name() == name);
        chosen.push(found.ok_or_else(|| {
            let all = Builtin::ALL.map(|builtin| builtin.name().to_owned()).join(", ");
            Failure::plain(format_args!("there is no translator `{name}`; there are {all}, none"))
        })?);
    }
    Ok(chosen)
}

/// The name of a command, and the command.
fn command(text: &str) -> Result<(String, Template), Failure> {
    let (name, command) = match text.strip_prefix('{').map(|rest| rest.split_once('}')) {
        None => (text, text),
        Some(Some((name, command))) => (name, command),
        Some(None) => {
            return Err(Failure::plain(format_args!(
                "the brace of `{text}` is never closed: write '{{name}} command'"
            )));
        }
    };
    let (name, command) = (name.trim(), command.trim());
    if name.is_empty() {
        return Err(Failure::plain(format_args!("the translator `{text}` has no name")));
    }
    let template = Template::parse(command, placeholder).map_err(|error| {
        let placeholder = &command[error.span];
        Failure::plain(format_args!(
            "there is no placeholder `{placeholder}` in the command of a translator: there are \
             %f, %s, %l, %F, %S, %L and %o, and %% is a percent sign"
        ))
    })?;
    let is_formula = |piece: &Piece| matches!(piece, Piece::Formula(_) | Piece::FormulaFile(_));
    if !template.0.iter().any(is_formula) {
        return Err(Failure::plain(format_args!(
            "the command `{command}` has no placeholder for the formula: use %f, %s or %l"
        )));
    }
    Ok((name.to_owned(), template))
}

/// The options that a round depends on, but for the seed and the number of
/// rounds.
fn retyped(typed: &args::cross::Cross) -> String {
    let args::cross::Cross { input, limits, .. } = typed;
    let mut words = Vec::new();
    for translator in &typed.translator {
        words.push(format!("--translator {}", quoted(translator)));
    }
    let mut option = |name: &str, value: String, default: &str| {
        if value != default {
            words.push(format!("--{name} {}", quoted(&value)));
        }
    };
    option("builtin", typed.builtin.as_ref().map(|names| names.join(",")).unwrap_or_default(), "");
    option("timeout", quantity::duration_text(typed.timeout), "10s");
    option("size", input.size.clone(), "5..12");
    option("atoms", input.atoms.to_string(), "3");
    option("priority", input.priority.join(","), "");
    option("states", input.states.to_string(), "12");
    option("density", input.density.to_string(), "0.1");
    option("truth", input.truth.to_string(), "0.5");
    option("complement", limits.complement.to_string(), "2000");
    words.join(" ")
}
