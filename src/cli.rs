//! The command line: from what was typed to an exit code.
//!
//! [`args`] is what was typed, [`request`] what it means, and each command has
//! a file of its own that turns a request into output. The answers themselves
//! come from the library; nothing here knows how they are found.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | satisfiable, valid, holds, a run exists, no disagreement |
//! | 1 | unsatisfiable, not valid, violated, no run exists, disagreement |
//! | 2 | usage or input error |
//! | 3 | unknown: a limit was reached, or the user interrupted |
//! | 4 | internal error |
//! | 5 | the model itself is wrong |
//!
//! Of several verdicts on a model the worst counts, in the order 5, 1, 3, 0.

mod args;
mod ask;
mod batch;
mod bench;
mod check;
mod confinement;
mod cross;
mod diagnostic;
mod escape;
mod explore;
mod failure;
mod generate;
mod input;
mod manual;
mod mcc;
mod model;
mod output;
mod paint;
mod picture;
mod process;
mod progress;
mod quantity;
mod replay;
mod reproducer;
mod request;
mod requirements;
mod sat_core;
mod shell;
mod simulate;
mod supervise;
mod template;
mod terminal;
mod translate;
mod wrap;

use clap::Parser;
use failure::Failure;
use lwaa::printable::escaped;
use lwaa::report::Format;
use lwaa::report::model::Severity;
use lwaa::search::limits::{Limits, Monitor};
use progress::Progress;
use request::Request;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    Yes = 0,
    No = 1,
    BadInput = 2,
    Unknown = 3,
    Internal = 4,
    ModelError = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<Severity> for Exit {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Yes => Self::Yes,
            Severity::Unknown => Self::Unknown,
            Severity::No => Self::No,
            Severity::ModelError => Self::ModelError,
        }
    }
}

/// Runs the whole program.
pub(crate) fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report_panic));
    let exit = catch_unwind(AssertUnwindSafe(|| {
        let words: Vec<OsString> = std::env::args_os().collect();
        terminal::choose_colors(terminal::color_of(&words));
        let arguments = match args::Arguments::try_parse_from(&words) {
            Ok(arguments) => arguments,
            Err(error) => return refuse(&words, error),
        };
        if let Some(exit) = confinement::run(&words, &arguments.command) {
            return exit;
        }
        let format = arguments.command.format();
        for warning in arguments.command.limits().iter().flat_map(|limits| limits.warnings()) {
            output::message(&format!("warning: {warning}\n"));
        }
        start_logging()
            .and_then(|()| Request::from_arguments(arguments.command))
            .and_then(run)
            .unwrap_or_else(|failure| failure.report(format))
    }));
    exit.unwrap_or(Exit::Internal).into()
}

/// Prints what is wrong with the words on the command line, or the help that they ask for.
fn refuse(words: &[OsString], error: clap::Error) -> Exit {
    // The parser leaves sequences out that look like colours, so what is not printable is
    // escaped before: the same words, escaped, are wrong in the same way.
    let printable = words.iter().map(|word| escaped(&word.to_string_lossy()).into_owned());
    let error = args::Arguments::try_parse_from(printable).err().unwrap_or(error);
    if error.use_stderr() && args::is_json_wanted(words, &error) {
        return Failure::usage(&error).report(Format::Json);
    }
    let text = error.render();
    if error.use_stderr() {
        output::message(&text.to_string());
        return Exit::BadInput;
    }
    output::help(&text);
    Exit::Yes
}

fn run(request: Request) -> Result<Exit, Failure> {
    match request {
        Request::Ask(ask) => ask::run(ask),
        Request::Batch(batch) => batch::run(&batch),
        Request::Bench(bench) => bench::run(&bench),
        Request::Check(check) => check::run(check),
        Request::Explore(explore) => explore::run(explore),
        Request::Mcc(mcc) => mcc::run(mcc),
        Request::Simulate(simulate) => simulate::run(simulate),
        Request::Replay(replay) => within(replay.limits, move |_| replay::run(&replay)),
        Request::Core(core) => sat_core::run(core),
        Request::Requirements(requirements) => requirements::run(&requirements),
        Request::Cross(cross) => cross::run(&cross),
        Request::Translate(translate) => translate::run(translate),
        Request::Families => generate::list_families(),
        Request::Family(family) => within(family.limits, move |_| generate::family(&family)),
        Request::RandomFormulas(random) => {
            within(random.limits, move |monitor| generate::random_formulas(&random, monitor))
        }
        Request::RandomKripke(random) => {
            within(random.limits, move |_| generate::random_kripke(&random))
        }
        Request::Completions(shell) => manual::completions(shell),
        Request::Manual => manual::manual(),
    }
}

/// Does work that prints by itself, within limits. When it is abandoned, what has been printed
/// until then stands, and the reason is on standard error.
fn within(
    limits: Limits,
    work: impl Fn(&Monitor) -> Result<Exit, Failure> + Send + Sync + 'static,
) -> Result<Exit, Failure> {
    let outcome = supervise::run(limits, Progress::hidden(), work)?;
    match (outcome.result, outcome.stopped) {
        (Ok(Ok(Exit::Unknown)), Some(reason)) | (Err(reason), _) => Err(reason.into()),
        (Ok(result), _) => result,
    }
}

/// A panic is our fault: short, without a backtrace that says nothing to a
/// user, and with the place in the source for developers.
fn report_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let message = panic.payload_as_str().unwrap_or("unknown panic");
    let place = panic.location().map(|place| format!(" ({place})")).unwrap_or_default();
    output::message(&format!(
        "internal error: {message}{place}\nThis is a bug of lwaa {}. Please report it together \
         with the input.\n",
        env!("CARGO_PKG_VERSION"),
    ));
}

/// The environment variable that says what is logged to standard error.
const LOG_VARIABLE: &str = "LWAA_LOG";

fn start_logging() -> Result<(), Failure> {
    let Some(filter) = std::env::var_os(LOG_VARIABLE).filter(|filter| !filter.is_empty()) else {
        return Ok(());
    };
    let filter = tracing_subscriber::EnvFilter::builder()
        .parse(filter.to_string_lossy())
        .map_err(|error| Failure::plain(format_args!("{LOG_VARIABLE}: {error}")))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(|| output::Log)
        .init();
    Ok(())
}
