//! `check` and `explore`: first lines, exit codes and what is wrong with models.

use crate::program::{Folder, Run, command, lwaa};
use insta::assert_snapshot;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

/// Two workers that take turns; each may skip its turn.
pub(crate) const TURNS: &str = "\
const N = 2;
var turn: 0..N-1 = 0;
var busy[N]: bool = false;
process worker(i in 0..N-1) {
    action start when turn == i && !busy[i] do busy[i]' = true;
    action stop when busy[i] do busy[i]' = false, turn' = (turn + 1) % N;
    action skip when turn == i && !busy[i] do turn' = (turn + 1) % N;
}
ltl alone: G !(busy[0] && busy[1]);
ltl works: G F busy[0];
";

/// A process that steps over the end of an array.
pub(crate) const WRONG: &str = "\
byte slot[3];
byte next = 0;
process P {
  state a;
  init a;
  trans
    a -> a { effect slot[next] = 1, next = next + 1; };
}
system async;
";

/// A process that takes one step.
pub(crate) const STUCK: &str = "\
byte x = 0;
process P {
  state a, b;
  init a;
  trans a -> b { effect x = 1; };
}
system async;
";

/// More states than anyone waits for.
const ENDLESS: &str = "\
var bits[60]: bool = false;
var level: 0..3 = 0;
process flipper(i in 0..59) {
    action flip do bits[i]' = !bits[i];
}
process lift {
    action up when level < 2 do level' = level + 1;
}
ltl quick: level == 0;
ltl slow: G level != 3;
";

/// Runs a command on files of its own.
pub(crate) struct Models(Folder);

impl Models {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        folder.file("turns.lwm", TURNS);
        folder.file("wrong.dve", WRONG);
        folder.file("stuck.dve", STUCK);
        folder.file("endless.lwm", ENDLESS);
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str, content: &str) -> String {
        self.0.file(name, content)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Runs a command line in which words with a dot are files, and takes the
    /// folder out of what it prints.
    pub(crate) fn lwaa(&self, arguments: &[&str]) -> Run {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|word| match word.rsplit_once('.') {
                Some((_, "lwm" | "dve" | "esml" | "pml" | "ltl" | "json" | "txt")) => {
                    self.path(word)
                }
                _ => (*word).to_owned(),
            })
            .collect();
        let run = lwaa(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let clean = |text: &str| text.replace(&self.path(""), "");
        Run { stdout: clean(&run.stdout), stderr: clean(&run.stderr), code: run.code }
    }

    #[track_caller]
    pub(crate) fn check(&self, arguments: &[&str], first_line: &str, code: i32) {
        let run = self.lwaa(arguments);
        assert_eq!((run.first_line(), run.code), (first_line, Some(code)), "{run:?}");
    }

    #[track_caller]
    pub(crate) fn error(&self, arguments: &[&str]) -> String {
        let run = self.lwaa(arguments);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{run:?}");
        run.stderr
    }
}

#[test]
fn the_first_line_is_the_verdict() {
    let models = Models::new("verdicts");
    models.check(&["check", "turns.lwm", "--prop", "alone"], "holds", 0);
    models.check(&["check", "turns.lwm", "--prop", "works"], "violated", 1);
    models.check(&["check", "turns.lwm", "-f", "G F busy[0]", "--exists"], "a run exists", 0);
    let both = "F (busy[0] && busy[1])";
    models.check(&["check", "turns.lwm", "-f", both, "--exists"], "no run exists", 1);
    let outside = "model error: index 3 is out of range: slot has 3 elements";
    models.check(&["check", "wrong.dve", "-f", "G \"next < 9\""], outside, 5);
    let deadlock = "model error: deadlock: no transition is enabled";
    models.check(&["check", "stuck.dve", "-f", "true", "--deadlock", "report"], deadlock, 5);
}

#[test]
fn a_deadlock_stutters_unless_it_is_ignored() {
    let models = Models::new("deadlocks");
    models.check(&["check", "stuck.dve", "-f", "F G \"x == 0\""], "violated", 1);
    let ignored = ["check", "stuck.dve", "-f", "F G \"x == 0\"", "--deadlock", "ignore"];
    models.check(&ignored, "holds", 0);
    models.check(&["explore", "stuck.dve"], "states 2 transitions 1 deadlocks 1", 0);
    let reported = "model error: deadlock: no transition is enabled";
    models.check(&["explore", "stuck.dve", "--deadlock", "report"], reported, 5);
}

#[test]
fn every_option_is_taken() {
    let models = Models::new("options");
    for option in [
        "--order=rotate",
        "--order=fixed",
        "--order=random:7",
        "--shortest",
        "--store=exact",
        "--store=tree",
        "--engine=lwaa-pure",
        "--engine=gpvw",
        "--engine=gastin-oddoux",
        "--labels=simple",
        "--successors=bdd",
        "--successors=direct",
        "--search=scc",
        "--cache-size=1",
        "--time=1h",
    ] {
        models.check(&["check", "turns.lwm", "--prop", "alone", option], "holds", 0);
        models.check(&["check", "turns.lwm", "--prop", "works", option], "violated", 1);
    }
    models.check(&["check", "turns.lwm", "-f", "GF\"busy[0]\"", "--syntax", "spot"], "violated", 1);
    let tree = ["explore", "turns.lwm", "-D", "N=3", "--store", "tree"];
    models.check(&tree, "states 6 transitions 9 deadlocks 0", 0);
}

#[test]
fn several_properties_have_a_line_each() {
    let models = Models::new("several");
    let run = models.lwaa(&["check", "turns.lwm"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("alone: holds\nworks: violated\n\nrun for works\n"), "{run:?}");
    let long = format!("G !(busy[0] && busy[1]){}", " && true".repeat(10));
    let run = models.lwaa(&["check", "turns.lwm", "-f", "X true", "-f", &long, "--prop", "alone"]);
    assert_eq!(run.stdout, "X true: holds\nformula 2: holds\nalone: holds\n");
    assert_eq!(run.code, Some(0));
}

#[test]
fn the_worst_verdict_counts() {
    let models = Models::new("worst");
    let text = "var x: 0..3 = 0; action stay do x' = x; action up do x' = x + 1;";
    models.file("up.lwm", text);
    let run = models.lwaa(&["check", "up.lwm", "-f", "x == 1", "-f", "G x < 9", "-f", "true"]);
    let lines: Vec<&str> = run.stdout.lines().take(3).collect();
    let wrong = "G x < 9: model error: value 4 is out of range: x holds 0 to 3";
    assert_eq!(
        lines,
        ["x == 1: violated", wrong, "true: model error: value 4 is out of range: x holds 0 to 3"]
    );
    assert_eq!(run.code, Some(5));
}

#[test]
fn a_model_error_has_a_run_and_a_place() {
    let models = Models::new("error");
    let run = models.lwaa(&["explore", "wrong.dve"]);
    assert_snapshot!(run.stdout, @r"
    model error: index 3 is out of range: slot has 3 elements
    states 4 transitions 3 deadlocks 0 errors 1
    trace: 4 states
      0  (initial state)  slot = [0, 0, 0], next = 0, P = a
      1  P: a -> a        slot[0] = 1, next = 1
      2  P: a -> a        slot[1] = 1, next = 2
      3  P: a -> a        slot[2] = 1, next = 3
         (P: a -> a goes wrong here: index 3 is out of range: slot has 3 elements)
    at wrong.dve:7:5
    ");
    assert_snapshot!(run.stderr, @r"
    error: wrong.dve:7:5: index 3 is out of range: slot has 3 elements
      |
    7 |     a -> a { effect slot[next] = 1, next = next + 1; };
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    let run = models.lwaa(&["check", "wrong.dve", "-f", "G \"next < 9\"", "--json"]);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["verdict"], "model error");
    let result = &object["results"][0];
    assert_eq!(result["trace"].as_array().unwrap().len(), 4);
    assert_eq!((&result["place"]["line"], &result["place"]["column"]), (&7.into(), &5.into()));
}

#[test]
fn limits_leave_what_is_known() {
    let models = Models::new("model-limits");
    let run = models.lwaa(&["explore", "endless.lwm", "--states", "100"]);
    assert_eq!((run.first_line(), run.code), ("unknown: limit of 100 states reached", Some(3)));
    assert!(run.stderr.contains("bytes per state"), "{run:?}");
    let limited = ["explore", "endless.lwm", "--time", "100ms", "--json"];
    let object: Value = serde_json::from_str(&models.lwaa(&limited).stdout).unwrap();
    assert_eq!(object["verdict"], "unknown");
    assert!(0 < object["states"].as_u64().unwrap());
    let run = models.lwaa(&["check", "endless.lwm", "--reduce", "off", "--time", "200ms"]);
    let expected = "quick: holds\nslow: unknown: time limit of 0.2 s reached\n";
    assert_eq!((run.stdout.as_str(), run.code), (expected, Some(3)));
    assert!(run.stderr.contains("states per second"), "{run:?}");
}

#[test]
fn verdicts_appear_as_soon_as_they_are_known() {
    let models = Models::new("soon");
    let arguments = ["check", &models.path("endless.lwm")];
    let mut process = command(&arguments).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(line, "quick: holds\n");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_verdicts_so_far() {
    let models = Models::new("model-interrupt");
    let mut process =
        command(&["check", "--reduce", "off", &models.path("endless.lwm")]).spawn().unwrap();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut text = String::new();
    stdout.read_line(&mut text).unwrap();
    let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(sent.unwrap().success());
    stdout.read_to_string(&mut text).unwrap();
    assert_eq!(text, "quick: holds\nslow: unknown: interrupted\n");
    assert_eq!(process.wait().unwrap().code(), Some(3));
}

#[test]
fn statistics_are_printed_on_demand() {
    let models = Models::new("statistics");
    let run = models.lwaa(&["check", "turns.lwm", "--prop", "alone", "--stats"]);
    for statistic in ["states ", "nodes ", "transitions ", "configurations ", "cache hit rate "] {
        assert!(run.stderr.contains(statistic), "{statistic}: {run:?}");
    }
    let run = models.lwaa(&["check", "turns.lwm", "--json"]);
    assert_eq!(run.stderr, "");
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["schema"], 1);
    assert_eq!(object["results"][0]["property"], "alone");
    let statistics = object["statistics"].as_object().unwrap();
    assert!(statistics.values().all(Value::is_number), "{statistics:?}");
    for field in ["states", "nodes", "transitions", "bytes_per_state", "seconds", "peak_bytes"] {
        assert!(statistics.contains_key(field), "{field}");
    }
}

#[test]
fn formulas_have_carets() {
    let models = Models::new("carets");
    assert_snapshot!(models.error(&["check", "turns.lwm", "-f", "G (busy[0] ->"]), @r"
    error: <formula>:1:14: expected an expression, found the end
      |
    1 | G (busy[0] ->
      |              ^
    ");
    assert_snapshot!(models.error(&["check", "turns.lwm", "-f", "true", "-f", "F busi[0]"]), @r"
    error: <formula 2>:1:3: `busi` is not declared; did you mean `busy`?
      |
    1 | F busi[0]
      |   ^^^^
    ");
    assert_snapshot!(models.error(&["check", "stuck.dve", "-f", "F (\"x == 0\" & \"y == 1\")"]), @r#"
    error: <formula>:1:16: there is no variable `y`; there is `x`
      |
    1 | F ("x == 0" & "y == 1")
      |                ^
    "#);
    assert_snapshot!(models.error(&["check", "stuck.dve", "-f", "G F (\"x == 0\""]), @r#"
    error: <formula>:1:5: this is never closed
      |
    1 | G F ("x == 0"
      |     ^
    "#);
    let spot = ["check", "stuck.dve", "-f", "GF(", "--syntax", "spot"];
    assert_snapshot!(models.error(&spot), @r"
    error: <formula>:1:4: expected a formula, found the end
      |
    1 | GF(
      |    ^
    ");
}

#[test]
fn mistakes_in_the_request_are_named() {
    let models = Models::new("mistakes");
    assert_snapshot!(models.error(&["check", "turns.lwm", "--prop", "loud"]), @"error: turns.lwm states no property `loud`; there are `alone`, `works`");
    assert_snapshot!(models.error(&["check", "stuck.dve", "--prop", "loud"]), @"error: stuck.dve states no property `loud`, nor any other");
    assert_snapshot!(models.error(&["check", "stuck.dve", "--exists"]), @"error: stuck.dve states no property, and --exists is about properties: give a formula with -f or a file with -F");
    assert_snapshot!(models.error(&["check", "turns.lwm", "-D", "M=3"]), @"error: turns.lwm: `M` cannot be defined: the model has no constant of that name");
    assert_snapshot!(models.error(&["check", "turns.lwm", "-D", "N=3", "-D", "N=4"]), @"error: -D defines `N` twice");
    assert_snapshot!(models.error(&["check", "missing.lwm"]), @"error: cannot read missing.lwm: No such file or directory (os error 2)");
    models.file("model.txt", TURNS);
    assert_snapshot!(models.error(&["explore", "model.txt"]), @"error: model.txt: no language of models has the extension `.txt`; there are `.lwm`, `.dve`, `.pml`, `.pm`, `.promela`, `.esml`, `.kripke`, `.pnml`, or use --language NAME");
    models.file("broken.lwm", "var x: 0..1 = ;\n");
    assert_snapshot!(models.error(&["explore", "broken.lwm"]), @r"
    error: broken.lwm:1:15: expected an expression, found `;`
      |
    1 | var x: 0..1 = ;
      |               ^
    ");
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let models = Models::new("refused");
    for arguments in [
        &["check", "turns.lwm", "--fair", "perhaps"][..],
        &["explore", "turns.lwm", "--fair", "weak"],
        &["check", "turns.lwm", "--search", "nested"],
        &["check", "turns.lwm", "--nonprogress"],
        &["check", "turns.lwm", "--store", "bitstate"],
        &["check", "turns.lwm", "--order", "backwards"],
        &["check", "turns.lwm", "--order", "random"],
        &["check", "turns.lwm", "--deadlock", "maybe"],
        &["check", "turns.lwm", "--trace", "-"],
        &["check", "turns.lwm", "-D", "N"],
        &["check", "turns.lwm", "-D", "N=many"],
        &["check"],
        &["explore", "turns.lwm", "--exists"],
        &["explore", "turns.lwm", "-f", "true"],
        &["explore", "turns.lwm", "--labels", "simple"],
        &["simulate", "turns.lwm", "--json"],
        &["simulate", "turns.lwm", "--interactive", "--steps", "3"],
        &["simulate", "turns.lwm", "--interactive", "--time", "1s"],
        &["replay", "turns.lwm"],
        &["replay", "turns.lwm", "run.json", "--deadlock", "ignore"],
    ] {
        models.error(arguments);
    }
}
