//! One formula in a process of its own.
//!
//! The process is this program again, reading the formula from its standard
//! input and printing JSON. It keeps its own limits; we only end it if it
//! overruns them by far.

use crate::cli::process::{self, End, Ended, Limits};
use serde_json::Value;
use std::fmt;
use std::io::ErrorKind::{OutOfMemory, WouldBlock};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How to start a process.
#[derive(Debug)]
pub(super) struct Child<'a> {
    pub(super) program: PathBuf,
    pub(super) arguments: &'a [String],
    /// When the process should end by itself.
    pub(super) time: Option<Duration>,
    /// How much longer it may take before we end it.
    pub(super) tolerance: Duration,
}

/// What became of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Satisfiable,
    Unsatisfiable,
    Unknown(String),
    /// The formula is not one.
    BadInput,
    /// The process ended in a way that it should not.
    Crashed,
}

/// The answer for one formula.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    pub(super) seconds: f64,
    /// The statistics; null if there are none.
    pub(super) statistics: Value,
    /// What the user should know besides the verdict.
    pub(super) message: Option<String>,
    /// Whether some atom looks like an operator.
    pub(super) warning: Option<String>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict.word())?;
        match &self.verdict {
            Verdict::Unknown(reason) => write!(f, ": {reason}"),
            _ => Ok(()),
        }
    }
}

impl Verdict {
    /// The verdict without its reason.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Satisfiable => "satisfiable",
            Self::Unsatisfiable => "unsatisfiable",
            Self::Unknown(_) => "unknown",
            Self::BadInput | Self::Crashed => "error",
        }
    }
}

impl Child<'_> {
    /// Answers one formula; nothing if `stop` was set before it was done.
    pub(super) fn answer(&self, formula: &str, stop: &AtomicBool) -> Option<Answer> {
        match self.run(formula, stop) {
            Ok(ended) => ended.map(|ended| self.interpret(&ended)),
            Err(error) => {
                let message = format!("cannot run a process: {error}");
                // The system had no room for a process or a thread: that says nothing about it.
                let is_shortage = matches!(error.kind(), WouldBlock | OutOfMemory);
                let (verdict, message) = if is_shortage {
                    (Verdict::Unknown(message), None)
                } else {
                    (Verdict::Crashed, Some(message))
                };
                let (seconds, statistics) = (0.0, Value::Null);
                Some(Answer { verdict, seconds, statistics, message, warning: None })
            }
        }
    }

    /// Runs the process to its end; nothing if `stop` was set before.
    fn run(&self, formula: &str, stop: &AtomicBool) -> std::io::Result<Option<Ended>> {
        let time = self.time.map(|time| time + self.tolerance);
        let limits = Limits { time, memory: None };
        let mut command = Command::new(&self.program);
        process::run(command.args(self.arguments), formula.as_bytes(), limits, stop)
    }

    fn interpret(&self, ended: &Ended) -> Answer {
        let object: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut message = None;
        let verdict = match (ended.end, object["verdict"].as_str()) {
            (End::OverTime | End::OverMemory, _) => {
                let limit = self.time.unwrap_or_default().as_secs_f64();
                Verdict::Unknown(format!("time limit of {limit} s reached"))
            }
            (_, Some("satisfiable")) => Verdict::Satisfiable,
            (_, Some("unsatisfiable")) => Verdict::Unsatisfiable,
            (_, Some("unknown")) => Verdict::Unknown(text(&object["reason"])),
            (End::ByItself(status), _) if is_out_of_room(status) => Verdict::Unknown(format!(
                "address space limit reached (ulimit -v), the process ended with {status}"
            )),
            (End::ByItself(status), _) => {
                let stderr = String::from_utf8_lossy(&ended.stderr);
                let stderr = stderr.trim_end();
                let is_input = status.code() == Some(2);
                message = Some(match (is_input, stderr) {
                    (true, _) => stderr.to_owned(),
                    (false, "") => format!("the process ended with {status}"),
                    (false, _) => format!("the process ended with {status}\n{stderr}"),
                });
                if is_input { Verdict::BadInput } else { Verdict::Crashed }
            }
        };
        let seconds = object["statistics"]["seconds"].as_f64().unwrap_or(ended.wall.as_secs_f64());
        let warning = object["warnings"].get(0).map(text);
        Answer { verdict, seconds, statistics: object["statistics"].clone(), message, warning }
    }
}

/// Whether a process was ended by a signal where address space is limited: an allocation that is
/// refused aborts it.
fn is_out_of_room(status: ExitStatus) -> bool {
    status.code().is_none() && lwaa::address_space::limit().is_some()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// What becomes of a formula if the process is this script.
    #[track_caller]
    fn check(script: &str, verdict: &Verdict, message: Option<&str>) {
        let answer = run(script, false).unwrap();
        assert_eq!(answer.verdict, *verdict);
        assert_eq!(answer.message.as_deref(), message);
    }

    fn run(script: &str, stop: bool) -> Option<Answer> {
        let arguments = ["-c".to_owned(), script.to_owned()];
        let (time, tolerance) = (Some(Duration::from_secs(1)), Duration::from_millis(100));
        let child = Child { program: "sh".into(), arguments: &arguments, time, tolerance };
        child.answer("G p", &AtomicBool::new(stop))
    }

    #[test]
    fn the_verdict_is_read_from_the_output() {
        check(r#"cat >&2; echo '{"verdict":"satisfiable"}'"#, &Verdict::Satisfiable, None);
        let unknown = Verdict::Unknown("tired".to_owned());
        check(r#"echo '{"verdict":"unknown","reason":"tired"}'; exit 3"#, &unknown, None);
    }

    #[test]
    fn the_formula_is_the_input() {
        let script = r#"test "$(cat)" = 'G p' && echo '{"verdict":"unsatisfiable"}'"#;
        check(script, &Verdict::Unsatisfiable, None);
    }

    #[test]
    fn bad_input_is_no_crash() {
        check("echo 'error: no' >&2; exit 2", &Verdict::BadInput, Some("error: no"));
    }

    #[test]
    fn crashes_are_reported() {
        let message = "the process ended with exit status: 4\noops";
        check("echo oops >&2; exit 4", &Verdict::Crashed, Some(message));
        let message = "the process ended with signal: 9 (SIGKILL)";
        check("kill -KILL $$", &Verdict::Crashed, Some(message));
        check("exit 0", &Verdict::Crashed, Some("the process ended with exit status: 0"));
    }

    #[test]
    fn a_program_that_cannot_be_started_is_a_crash() {
        let (program, tolerance) = ("/nonexistent".into(), Duration::ZERO);
        let child = Child { program, arguments: &[], time: None, tolerance };
        let answer = child.answer("p", &AtomicBool::new(false)).unwrap();
        assert_eq!(answer.verdict, Verdict::Crashed);
    }

    #[test]
    fn a_process_that_overruns_its_time_is_ended() {
        let unknown = Verdict::Unknown("time limit of 1 s reached".to_owned());
        check("exec sleep 1000", &unknown, None);
    }

    #[test]
    fn nothing_is_started_after_an_interrupt() {
        assert!(run("exit 0", true).is_none());
    }
}
