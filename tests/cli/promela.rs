//! Runs of Promela models: every statement, what channels hold, what is printed, how
//! they end, and that they can be replayed.

use crate::models::Models;
use crate::program::{Folder, lwaa, lwaa_reading};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// An atomic step, channels of both kinds, and an assertion that fails inside of a
/// `d_step`.
const RELAY: &str = r#"mtype = { ping, pong };
chan q = [2] of { mtype, byte };
chan meet = [0] of { bool };
byte x;

active proctype Sender() {
  atomic {
    x = 3;
    printf("x is %d (%x), then %e\n", x, 10 * x, ping);
    x++;
    q!ping(x);
    q!pong(7)
  }
  meet!true
}

active proctype Receiver() {
  byte y;
  bool met;
  q?ping(y);
  printf("got %d\n", y);
  meet?met;
  d_step { y = 0; y++; assert(met && y == x) }
}
"#;

/// One process waits for ever, another one may.
const STUCK: &str = "chan q = [1] of { byte };
active proctype Waits() { byte b; q?b; if :: q?1 :: b == 0 fi }
active proctype Ends() { q!5; end: q?9 }
";

fn models(name: &str) -> Models {
    let models = Models::new(name);
    models.file("relay.pml", RELAY);
    models.file("stuck.pml", STUCK);
    models.file("done.pml", "byte x; active proctype P() { x = 1; printf(\"100%% %c\", 65) }");
    models
}

#[test]
fn every_statement_of_a_step_is_shown() {
    let models = models("promela-statements");
    let asked = ["check", "relay.pml", "-f", "[] (x < 9)", "--shortest"];
    let run = models.lwaa(&asked);
    assert_snapshot!(run.stdout, @r#"
    model error: assertion failed: met && y == x
    trace: 5 states
      0  (initial state)                       x = 0, Receiver:y = 0, Receiver:met = false, q = []
      1  Sender: 8: x = 3                      x = 3
         Sender: 9: printf("x is %d (%x), then %e\n", x, 10 * x, ping)
         | x is 3 (1e), then ping
         Sender: 10: x++                       x = 4
         Sender: 11: q!ping(x)                 q = [ping(4)]
         Sender: 12: q!pong(7)                 q = [ping(4), pong(7)]
      2  Receiver: 20: q?ping(y)               Receiver:y = 4, q = [pong(7)]
      3  Receiver: 21: printf("got %d\n", y)   (nothing changes)
         | got 4
      4  Sender: 14: meet!true
         Receiver: 22: meet?met                Receiver:met = true
      !  Receiver: 23: y = 0                   Receiver:y = 0
         Receiver: 23: y++                     Receiver:y = 1
         (Receiver: 23: assert(met && y == x) goes wrong here: assertion failed: met && y == x)
    at relay.pml:23:24
    After Sender: 14: meet!true; Receiver: 22: meet?met (step 4), Receiver: 23: assert(met && y == x) goes wrong: assertion failed: met && y == x.
    "#);
    assert_snapshot!(run.stderr, @r"
    error: relay.pml:23:24: assertion failed: met && y == x
       |
    23 |   d_step { y = 0; y++; assert(met && y == x) }
       |                        ^^^^^^^^^^^^^^^^^^^^^
    ");
    assert_eq!(run.code, Some(5));
    let run = models.lwaa(&[&asked[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let trace = &object["results"][0]["trace"];
    let statement = |process: &str, line: usize, text: &str| json!({ "process": process, "line": line, "text": text });
    assert_eq!(trace[0]["statements"].as_array().unwrap().len(), 5);
    assert_eq!(trace[0]["statements"][0], statement("Sender", 8, "x = 3"));
    assert_eq!(trace[0]["statements"][1]["printed"], "x is 3 (1e), then ping\n");
    assert_eq!(trace[1]["channels"], json!({ "q": [["ping", 4], ["pong", 7]] }));
    assert_eq!(
        trace[3]["statements"],
        json!([statement("Sender", 14, "meet!true"), statement("Receiver", 22, "meet?met")])
    );
    assert_eq!(trace[4]["statements"][2], statement("Receiver", 23, "assert(met && y == x)"));
}

#[test]
fn a_random_run_prints_and_says_how_it_ends() {
    let models = models("promela-simulate");
    // What goes wrong in an atomic step once made this go on for ever.
    let run = models.lwaa(&["simulate", "relay.pml", "--trace", "run.json"]);
    assert_eq!(run.code, Some(5));
    assert!(run.stdout.contains("| got 4\n"), "{}", run.stdout);
    assert!(
        run.stdout.ends_with("goes wrong here: assertion failed: met && y == x)\n"),
        "{}",
        run.stdout
    );
    let replayed = models.lwaa(&["replay", "relay.pml", "run.json"]);
    assert_eq!((replayed.first_line(), replayed.code), (IS_A_RUN, Some(0)));
    assert!(replayed.stdout.contains("| got 4\n"), "{}", replayed.stdout);
    let run = models.lwaa(&["simulate", "stuck.pml"]);
    assert_eq!(run.code, Some(0));
    assert_snapshot!(run.stdout, @r"
    random run, seed 0
       0  (initial state)   Waits:b = 0, q = []
       1  Ends: 3: q!5      q = [5]
       2  Waits: 2: q?b     Waits:b = 5, q = []
          (a deadlock: no transition is enabled)
          Waits waits at 2: q?1 or 2: b == 0
          Ends may stop at 3: q?9
    ");
    let run = models.lwaa(&["simulate", "done.pml"]);
    assert_snapshot!(run.stdout, @r#"
    random run, seed 0
       0  (initial state)               x = 0
       1  P: 1: x = 1                   x = 1
       2  P: 1: printf("100%% %c", 65)  (nothing changes)
          | 100% A
       3  P: 1: }                       (nothing changes)
          (the end: every process is where it may stop)
    "#);
}

#[test]
fn a_run_by_hand_can_be_kept() {
    let models = models("promela-interactive");
    let (model, trace) = (models.path("relay.pml"), models.path("run.json"));
    let arguments = ["simulate", &model, "--interactive", "--trace", &trace];
    let run = lwaa_reading(&arguments, b"1\n1\nu\n1\n1\n");
    assert!(run.stdout.contains("Sender: 12: q!pong(7)"), "{}", run.stdout);
    let replayed = models.lwaa(&["replay", "relay.pml", "run.json"]);
    assert_eq!((replayed.first_line(), replayed.code), (IS_A_RUN, Some(0)));
    assert!(replayed.stdout.contains("\ntrace: 4 states\n"), "{}", replayed.stdout);
    let refused = lwaa(&["simulate", &model, "--trace", "-"]);
    assert_eq!(refused.stderr, "error: --trace needs the name of a file\n");
}

#[test]
fn values_are_printed_as_in_spin() {
    let models = Models::new("promela-printf");
    let printed = |statement: &str| {
        let text = format!(
            "mtype = {{ ping, pong }}; mtype:fruit = {{ apple, pear }};
             byte b = 200; mtype m = pong; mtype:fruit f = pear;
             active proctype P() {{ {statement} }}"
        );
        models.file("print.pml", &text);
        let run = models.lwaa(&["simulate", "print.pml"]);
        assert_eq!(run.code, Some(0), "{statement}: {}", run.stderr);
        let lines = run.stdout.lines().filter_map(|line| line.trim_start().strip_prefix("| "));
        lines.collect::<Vec<_>>().join("/")
    };
    assert_eq!(printed(r#"printf("%e %e %e %e", m, f, apple, 7)"#), "pong pear apple 7");
    assert_eq!(printed(r#"printf("%d %i %u", b, -b, -1)"#), "200 -200 4294967295");
    assert_eq!(printed(r#"printf("%c %x %o", 300, -1, -8)"#), ", ffffffff 37777777770");
    assert_eq!(printed(r#"printf("\\ \" 5%%\nx\n")"#), r#"\ " 5%/x"#);
    assert_eq!(printed("printm(f); printm(pong)"), "pear/pong");
    // What Spin complains about when it is printed.
    assert_eq!(printed(r#"printf("%d %d", b)"#), "200 (no value)");
    assert_eq!(printed(r#"printf("%q %d", b, 1)"#), "(bad %q) 1");
    assert_eq!(printed(r#"printf("x", b)"#), "x");
    // Values are those at the moment in an atomic step.
    assert_eq!(printed(r#"atomic { b = 1; printf("%d", b); b = 2; printf("%d", b) }"#), "1/2");
}

/// More than twenty thousand states lie before the process that nobody expects.
const LATE: &str = "byte a, b, c;
proctype P() { assert(a == 0) }
active proctype Q() { do :: a < 40 -> a++ :: a == 40 -> break od; (b == 40 && c == 40); run P() }
active proctype R() { do :: b < 40 -> b++ :: b == 40 -> break od }
active proctype S() { do :: c < 40 -> c++ :: c == 40 -> break od }
";

#[test]
fn a_run_with_more_processes_than_expected_can_be_replayed() {
    let models = Models::new("promela-late");
    models.file("late.pml", LATE);
    let run = models.lwaa(&["check", "late.pml", "-f", "[] (a < 50)", "--trace", "run.json"]);
    assert_eq!((run.first_line(), run.code), ("model error: assertion failed: a == 0", Some(5)));
    check_replay(&models.path("late.pml"), &models.path("run.json"));
    let run = models.lwaa(&["simulate", "late.pml", "--steps", "400", "--trace", "run.json"]);
    assert_eq!(run.code, Some(5));
    assert!(run.stdout.ends_with("goes wrong here: assertion failed: a == 0)\n"));
    check_replay(&models.path("late.pml"), &models.path("run.json"));
}

/// Nothing reads `seen` but what is printed and what is asked.
const UNREAD: &str = "byte seen;
active proctype P() { byte n; do :: n < 3 -> n++; seen = n; printf(\"%d\", seen) :: n == 3 -> n = 0 od }
";

#[test]
fn a_run_is_replayed_in_the_model_that_was_made_for_it() {
    let models = Models::new("promela-purpose");
    models.file("unread.pml", UNREAD);
    let model = models.path("unread.pml");
    for formula in ["[] (seen < 3)", "[] !(P[0]:n == 2)", "<> !np_", "X X X (seen == 0)"] {
        let asked = ["check", "unread.pml", "-f", formula];
        let run = models.lwaa(&[&asked[..], &["--trace", "run.json"]].concat());
        assert_eq!((run.first_line(), run.code), ("violated", Some(1)), "{formula}");
        check_replay(&model, &models.path("run.json"));
        let run = models.lwaa(&[&asked[..], &["--json"]].concat());
        models.file("run.json", &run.stdout);
        check_replay(&model, &models.path("run.json"));
    }
    // What is not known is not made up.
    let run = models.lwaa(&["check", "unread.pml", "-f", "<> [] false", "--shortest"]);
    assert!(run.stdout.contains("| ?\n"), "{}", run.stdout);
    let run = models.lwaa(&["check", "unread.pml", "-f", "[] (seen < 1)", "--shortest"]);
    assert!(!run.stdout.contains("| ?\n"), "{}", run.stdout);
    let run = models.lwaa(&["simulate", "unread.pml"]);
    assert!(run.stdout.contains("| 3\n") && !run.stdout.contains("| ?\n"), "{}", run.stdout);
}

const IS_A_RUN: &str = "the trace is a run of the model";

/// Every run that is found in a shipped model is a run, and its end is what was said.
#[test]
fn all_runs_of_shipped_models_can_be_replayed() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/models/promela");
    let folder = Folder::new("promela-replay");
    let table = std::fs::read_to_string(format!("{shipped}/expected.tsv")).unwrap();
    let mut n_replayed = 0;
    let mut files: Vec<&str> = Vec::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, "-", _, property, expected, ..] = &columns[..] else { continue };
        let model = format!("{shipped}/{file}");
        let trace = folder.path().join("run.json").to_str().unwrap().to_owned();
        if !files.contains(file) {
            files.push(file);
            let found = lwaa(&["explore", &model, "--deadlock", "report", "--json"]);
            if found.code == Some(5) {
                folder.file("run.json", &found.stdout);
                check_replay(&model, &trace);
                n_replayed += 1;
            }
        }
        if *expected == "violated" && *property != "-" {
            lwaa(&["check", &model, "--prop", property, "--trace", &trace]);
            check_replay(&model, &trace);
            n_replayed += 1;
        }
    }
    assert!(15 < n_replayed, "{n_replayed}");
}

#[track_caller]
fn check_replay(model: &str, trace: &str) {
    let replayed = lwaa(&["replay", model, trace]);
    assert_eq!((replayed.first_line(), replayed.code), (IS_A_RUN, Some(0)), "{model}");
}
