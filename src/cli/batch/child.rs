//! One formula in a process of its own.
//!
//! The process is this program again, reading the formula from its standard
//! input and printing JSON. It keeps its own limits; we only end it if it
//! overruns them by far.

use serde_json::Value;
use std::fmt;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Between two looks at the clock.
const TICK: Duration = Duration::from_millis(50);

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

/// How a process ended.
struct Ended {
    /// Nothing if we ended it.
    status: Option<std::process::ExitStatus>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    seconds: f64,
}

impl Child<'_> {
    /// Answers one formula; nothing if `stop` was set before it was done.
    pub(super) fn answer(&self, formula: &str, stop: &AtomicBool) -> Option<Answer> {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        match self.run(formula, stop) {
            Ok(ended) => ended.map(|ended| self.interpret(&ended)),
            Err(error) => Some(Answer {
                verdict: Verdict::Crashed,
                seconds: 0.0,
                statistics: Value::Null,
                message: Some(format!("cannot run a process: {error}")),
                warning: None,
            }),
        }
    }

    /// Runs the process to its end; nothing if `stop` was set before.
    fn run(&self, formula: &str, stop: &AtomicBool) -> std::io::Result<Option<Ended>> {
        let started = Instant::now();
        let mut process = Command::new(&self.program)
            .args(self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = process.stdin.take();
        let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
        let (sender, closed) = channel::<()>();
        let (stdout, stderr, is_ours) = std::thread::scope(|scope| {
            scope.spawn(move || {
                // A process that ends early does not read all of it.
                stdin.map(|mut stdin| stdin.write_all(formula.as_bytes()))
            });
            let stdout = scope.spawn(move || {
                let output = read_all(stdout);
                drop(sender);
                output
            });
            let stderr = scope.spawn(|| read_all(stderr));
            let mut is_ours = false;
            // Nothing is ever sent: the channel is closed with the output.
            while closed.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let overrun =
                    self.time.is_some_and(|time| time + self.tolerance < started.elapsed());
                if overrun || stop.load(Ordering::Relaxed) {
                    is_ours = true;
                    // If it cannot be ended, it has ended already.
                    let _ = process.kill();
                    break;
                }
            }
            (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default(), is_ours)
        });
        let status = process.wait()?;
        if status.code() == Some(3) && !is_ours {
            // Ctrl-C goes to both of us, and the process may be the faster one.
            std::thread::sleep(TICK);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let seconds = started.elapsed().as_secs_f64();
        Ok(Some(Ended { status: (!is_ours).then_some(status), stdout, stderr, seconds }))
    }

    fn interpret(&self, ended: &Ended) -> Answer {
        let object: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut message = None;
        let verdict = match (ended.status, object["verdict"].as_str()) {
            (None, _) => {
                let limit = self.time.unwrap_or_default().as_secs_f64();
                Verdict::Unknown(format!("time limit of {limit} s reached"))
            }
            (Some(_), Some("satisfiable")) => Verdict::Satisfiable,
            (Some(_), Some("unsatisfiable")) => Verdict::Unsatisfiable,
            (Some(_), Some("unknown")) => Verdict::Unknown(text(&object["reason"])),
            (Some(status), _) => {
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
        let seconds = object["statistics"]["seconds"].as_f64().unwrap_or(ended.seconds);
        let warning = object["warnings"].get(0).map(text);
        Answer { verdict, seconds, statistics: object["statistics"].clone(), message, warning }
    }
}

/// All that comes, up to an error.
fn read_all(source: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut source) = source {
        // What was read before the error is still worth something.
        let _ = source.read_to_end(&mut bytes);
    }
    bytes
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
