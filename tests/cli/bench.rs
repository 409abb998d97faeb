//! `bench`. Times are never looked at.

use crate::program::{Folder, Run, command, lwaa};
use insta::assert_snapshot;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Command;

/// Two pipelines of ours on two formulas each of a list and of a family.
const TINY: &str = r#"
title = "Tiny"
time = "60s"
memory = "1G"

[[pipeline]]
name = "lwaa"
lwaa = ["sat"]

[[pipeline]]
name = "pure"
lwaa = ["sat", "--engine", "lwaa-pure"]

[[formulas]]
name = "list"
formulas = ["G F p & F G !p", "p U q"]

[[formulas]]
family = "sf-sat"
n = "1..2"
"#;

/// Runs a suite from a file in the folder.
fn bench(folder: &Folder, suite: &str, options: &[&str]) -> Run {
    let path = folder.file("suite.toml", suite);
    lwaa(&[&["bench", &path], options].concat())
}

/// The lines of a table without what differs from run to run: the first words
/// of each, with times masked.
fn masked(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        for at in 1..words.len() {
            if ["s", "KiB", "MiB", "GiB"].contains(&words[at]) && words[at - 1].contains('.') {
                words[at - 1] = "_";
            }
        }
        let is_date = |word: &&str| word.contains('T') && word.ends_with('Z');
        let words: Vec<&str> =
            words.iter().map(|word| if is_date(word) { "DATE" } else { word }).collect();
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

/// The rows of a file of comma-separated values that has no quotes.
fn values(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
fn a_suite_becomes_a_table_values_and_a_page() {
    let folder = Folder::new("bench-tiny");
    let [csv, html] = ["out.csv", "out.html"].map(|name| folder.path().join(name));
    let options = ["--csv", csv.to_str().unwrap(), "--html", html.to_str().unwrap()];
    let run = bench(&folder, TINY, &options);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert_snapshot!(masked(&run.stdout), @r"
    Tiny
    at most 60 s, at most 1.0 GiB, DATE

    list

    answer lwaa nodes pure nodes
    G F p & F G !p unsatisfiable _ s 0 _ s 1
    p U q satisfiable _ s 2 _ s 2

    sf-sat

    answer lwaa nodes pure nodes
    n = 1 satisfiable _ s 1 _ s 2
    n = 2 satisfiable _ s 1 _ s 2

    solved of wrong out of time out of memory failed not tried time for solved most memory
    lwaa 4 4 0 0 0 0 0 _ s _ MiB
    pure 4 4 0 0 0 0 0 _ s _ MiB
    ");
    let csv = std::fs::read_to_string(csv).unwrap();
    let rows = values(&csv);
    assert_eq!(rows.len(), 9);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    assert_eq!(rows[3][..9], ["list", "p U q", "", "", "lwaa", "1", "solved", "satisfiable", ""]);
    assert_eq!(rows[5][..4], ["sf-sat", "n = 1", "1", "satisfiable"]);
    assert!(rows[0].contains(&"configurations") && rows[0].contains(&"user_seconds"));
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("title = &quot;Tiny&quot;"));
}

#[test]
fn wrong_answers_are_loud() {
    let folder = Folder::new("bench-wrong");
    let suite = "title = 't'\n[[pipeline]]\nname = 'lwaa'\nlwaa = ['sat']\n\
                 [[formulas]]\nformulas = ['p U q']\nexpected = 'unsat'\n";
    let run = bench(&folder, suite, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let message = "WRONG: formulas, p U q: lwaa says `satisfiable`, but the answer is known to be `unsatisfiable`\n";
    assert!(run.stdout.ends_with(message), "{run:?}");
    assert_eq!(run.stderr, message);
}

#[cfg(unix)]
#[test]
fn answers_that_contradict_each_other_are_disputed() {
    let folder = Folder::new("bench-dispute");
    let suite = "title = 't'\n[[pipeline]]\nname = 'lwaa'\nlwaa = ['sat']\n\
                 [[pipeline]]\nname = 'liar'\ncommand = 'echo UNSAT; : %f'\n\
                 [[formulas]]\nformulas = ['p U q']\n";
    let run = bench(&folder, suite, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let message = "DISPUTED: formulas, p U q: lwaa says `satisfiable`, liar says `unsatisfiable`\n";
    assert_eq!(run.stderr, message);
    assert!(run.stdout.contains("solved  of  wrong  disputed"), "{run:?}");
}

#[test]
fn a_lossy_search_that_finds_nothing_has_no_answer() {
    let folder = Folder::new("bench-lossy");
    folder.file("one.kripke", "atoms p\ninitial a\nstate a p -> a\n");
    let suite = "title = 't'\n[[pipeline]]\nname = 'lwaa'\nlwaa = ['check']\n\
                 [[pipeline]]\nname = 'bits'\nlwaa = ['check', '--engine', 'gastin-oddoux', \
                 '--store', 'bitstate']\n\
                 [[models]]\nfile = 'one.kripke'\nformula = 'G p'\n";
    let run = bench(&folder, suite, &["--memory", "50M"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert!(!run.stdout.contains("DISPUTED"), "{run:?}");
    let row = masked(&run.stdout);
    assert!(row.contains("one: G p holds _ s 1 nothing found"), "{row}");
    assert!(row.contains("bits 0 1 0 1 0 0 0 0"), "{row}");
}

/// An automaton that accepts everything.
#[cfg(unix)]
const EVERYTHING: &str = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\n\
                          State: 0\n[t] 0\n--END--\n";

#[cfg(unix)]
#[test]
fn automata_are_asked_whether_they_accept_anything() {
    let folder = Folder::new("bench-automata");
    folder.file("all.hoa", EVERYTHING);
    folder.file("none.hoa", EVERYTHING.replace("[t] 0\n", ""));
    let suite = "title = 't'\n[[pipeline]]\nname = 'all'\ncommand = 'cat %h/all.hoa; : %f'\n\
                 result = 'automaton'\n[[pipeline]]\nname = 'none'\n\
                 command = 'cat %h/none.hoa; : %f'\nresult = 'automaton'\n\
                 [[pipeline]]\nname = 'lbt'\n\
                 lwaa = ['translate', '--to', 'tgba', '--format', 'lbt']\n\
                 [[formulas]]\nformulas = ['a & X !a & G a']\nexpected = 'unsat'\n";
    let run = bench(&folder, suite, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(
        run.stderr,
        "WRONG: formulas, a & X !a & G a: all says `satisfiable`, but the answer is known to be \
         `unsatisfiable`\n"
    );
    let sums = masked(&run.stdout);
    assert!(sums.contains("all 0 1 1 0") && sums.contains("none 1 1 0 0"), "{sums}");
    assert!(sums.contains("lbt 1 1 0 0"), "{sums}");
}

#[cfg(target_os = "linux")]
#[test]
fn cost_is_that_of_the_process() {
    let folder = Folder::new("bench-cost");
    let csv = folder.path().join("out.csv");
    let suite = "title = 't'\ntime = '1s'\n[[pipeline]]\nname = 'chatter'\n\
                 command = \"head -c 60000000 /dev/zero | tr '\\\\0' x; : %f\"\nresult = 'nothing'\n\
                 [[pipeline]]\nname = 'quiet'\ncommand = 'sleep 0.1; echo sat; : %f'\n\
                 [[pipeline]]\nname = 'busy'\ncommand = '(while :; do :; done); : %f'\n\
                 [[formulas]]\nformulas = ['a']\n";
    let run = bench(&folder, suite, &["--csv", csv.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let csv = std::fs::read_to_string(csv).unwrap();
    let rows = values(&csv);
    let number = |row: usize, name: &str| -> f64 {
        let column = rows[0].iter().position(|other| *other == name).unwrap();
        rows[row][column].parse().unwrap()
    };
    assert!(number(2, "peak_bytes") < 3e7, "{csv}");
    assert_eq!(rows[3][6], "out of time", "{csv}");
    assert!(0.03 < number(3, "user_seconds") + number(3, "system_seconds"), "{csv}");
}

#[test]
fn rows_can_be_told_apart() {
    let folder = Folder::new("bench-apart");
    folder.file(
        "count.lwm",
        "const N = 1;\nvar x: 0..N = 0;\naction up when x < N do x' = x + 1;\nltl end: F x == N;\n",
    );
    let suite = "title = 't'\n[[pipeline]]\nname = 'lwaa'\nlwaa = ['check']\n\
                 [[models]]\nfile = 'count.lwm'\nparameter = 'N'\nn = 2\nproperty = 'end'\n\
                 [[models]]\nfile = 'count.lwm'\nparameter = 'N'\nn = 2\nformula = 'F x > 0'\n";
    let run = bench(&folder, suite, &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("count.lwm: end\n"), "{run:?}");
    assert!(run.stdout.contains("count.lwm: F x > 0\n"), "{run:?}");
    let same = suite.replace("formula = 'F x > 0'", "property = 'end'\nfair = 'weak'");
    let run = bench(&folder, &same, &[]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let message = "there is already a row `N = 2` in the table `count.lwm: end`";
    assert!(run.stderr.contains(message), "{run:?}");
}

#[cfg(unix)]
#[test]
fn commands_are_rivals_like_any_other() {
    let folder = Folder::new("bench-commands");
    folder.file("own.sh", "cat \"$1\"");
    let suite = r#"
title = "Commands"
show = ["states", "edges", "length"]
time = "60s"

[[pipeline]]
name = "claim"
command = "printf 'never { /* %%s */\naccept_init:\n\tdo\n\t:: (1) -> goto accept_init\n\tod;\n}\n' %s >%o"

[[pipeline]]
name = "hoa"
command = '"$LWAA" translate --format hoa %f'
result = "automaton"

[[pipeline]]
name = "patterns"
command = "sh %h/own.sh %L; echo 'errors: 0, length 17'"
yes = 'errors: 0\b'
no = 'errors: [1-9]'
numbers = { length = 'length (\d+)' }

[[pipeline]]
name = "codes"
command = "test %{colour} = 'a red one'"
yes_code = 0
no_code = 1

[[formulas]]
name = "list"
formulas = ["!(G F p) | \"it's\" U q"]
with = { colour = "a red one" }
"#;
    let run = bench(&folder, suite, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert_snapshot!(masked(&run.stdout).split("\n\n").nth(2).unwrap(), @r#"
    answer claim states edges hoa states edges patterns length codes
    !(G F p) | "it's" U q satisfiable _ s 1 1 _ s 5 10 _ s 17 _ s
    "#);
}

#[cfg(unix)]
#[test]
fn what_goes_wrong_is_a_result() {
    let folder = Folder::new("bench-failures");
    let suite = r#"
title = "Failures"
time = "1s"
[[pipeline]]
name = "needs"
command = "no-such-program %f"
needs = ["no-such-program"]
[[pipeline]]
name = "missing"
command = "no-such-program %f"
[[pipeline]]
name = "slow"
command = "if test %n -gt 1; then sleep 1000; fi; echo sat"
[[pipeline]]
name = "crash"
command = "if test %n -gt 1; then echo oops >&2; kill -SEGV $$; fi; echo sat"
[[pipeline]]
name = "mute"
command = "printf 'may\\033[2Jbe\\n'; : %f"
[[pipeline]]
name = "silent"
command = ": %f"
[[formulas]]
family = "sf-sat"
n = "1..3"
"#;
    let run = bench(&folder, suite, &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_snapshot!(masked(&run.stdout).split("\n\n").nth(2).unwrap(), @r"
    answer needs missing slow crash mute silent
    n = 1 satisfiable not installed not installed _ s _ s failed failed
    n = 2 satisfiable not installed not installed out of time failed not asked not asked
    n = 3 satisfiable not installed not installed not asked not asked not asked not asked
    ");
    assert_snapshot!(run.stderr, @r"
    sf-sat, n = 1: mute failed: it gives no verdict: may\u{1b}[2Jbe
    sf-sat, n = 1: silent failed: it gives no verdict and prints nothing
    sf-sat, n = 2: crash failed: signal: 11 (SIGSEGV): oops
    ");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_limited() {
    let folder = Folder::new("bench-memory");
    let suite = "title = 't'\ntime = '60s'\n[[pipeline]]\nname = 'greedy'\n\
                 command = \"tr '\\\\0' a </dev/zero | grep b; : %f\"\n\
                 [[pipeline]]\nname = 'lwaa'\nlwaa = ['sat']\n\
                 [[formulas]]\nfamily = 'counter'\nn = [40]\n";
    let run = bench(&folder, suite, &["--memory", "60M"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let line = run.stdout.lines().find(|line| line.starts_with("n = 40")).unwrap();
    assert_eq!(line.matches("out of memory").count(), 2, "{run:?}");
}

#[test]
fn limits_of_the_command_line_count() {
    let folder = Folder::new("bench-limits");
    let suite = "title = 't'\ntime = '1h'\n[[pipeline]]\nname = 'lwaa'\nlwaa = ['sat']\n\
                 [[formulas]]\nfamily = 'counter'\nn = [40, 41]\n";
    let run = bench(&folder, suite, &["--states", "100", "--time", "2m"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("at most 120 s"), "{run:?}");
    assert!(run.stdout.contains("unknown") && run.stdout.contains("not asked"), "{run:?}");
    assert_eq!(run.stderr, "counter, n = 40: lwaa unknown: limit of 100 states reached\n");
}

#[test]
fn models_are_checked_and_explored() {
    let folder = Folder::new("bench-models");
    folder.file(
        "count.lwm",
        "const N = 1;\nvar x: 0..N = 0;\naction up when x < N do x' = x + 1;\nltl end: F x == N;\n",
    );
    let suite = "title = 'Models'\nshow = ['states']\n\
                 [[pipeline]]\nname = 'check'\nlwaa = ['check']\n\
                 [[pipeline]]\nname = 'explore'\nlwaa = ['explore']\n\
                 [[models]]\nname = 'counter'\nfile = 'count.lwm'\nparameter = 'N'\nn = [3, 5]\n\
                 formula = 'G x < N'\nexpected = 'violated'\n\
                 [models.published.Somebody]\n3 = '0.1 s'\n5 = 7\n";
    let run = bench(&folder, suite, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert_snapshot!(masked(&run.stdout).split("\n\n").nth(2).unwrap(), @r"
    answer check states explore states Somebody
    N = 3 violated _ s 4 _ s 4 _ s
    N = 5 violated _ s 6 _ s 6 7
    ");
}

#[test]
fn files_and_tables_are_read_and_may_be_missing() {
    let folder = Folder::new("bench-files");
    folder.file("some.ltl", "# comment\nGFp\n\nFGq\n");
    folder.file("some.tsv", "name\texpected\tformula\nx\tsat\tp\ny\tunsat\tp & !p\nz\t?\tq\n");
    let suite = "title = 'Files'\n[[pipeline]]\nname = 'lwaa'\nlwaa = ['sat']\n\
                 [[formulas]]\nfile = 'some.ltl'\nsyntax = 'spot'\n\
                 [[formulas]]\ntable = 'some.tsv'\nsample = 2\n\
                 [[formulas]]\ntable = 'none.tsv'\noptional = true\n";
    let run = bench(&folder, suite, &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(run.stderr, "note: skipped: there is no file none.tsv\n");
    assert!(run.stdout.contains("note: skipped: there is no file none.tsv\n"), "{run:?}");
    let rows: Vec<&str> = run.stdout.lines().filter_map(|line| line.split("  ").next()).collect();
    assert!(rows.contains(&"line 2") && rows.contains(&"line 4"), "{run:?}");
    assert!(rows.contains(&"y") && rows.contains(&"z") && !rows.contains(&"x"), "{run:?}");
}

/// What is said about a suite that is wrong.
fn complaint(suite: &str) -> String {
    // Tests run at the same time.
    let folder = Folder::new(&format!("bench-mistakes-{:?}", std::thread::current().id()));
    let run = bench(&folder, suite, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    run.stderr.replace(folder.path().to_str().unwrap(), "FOLDER")
}

/// The same about a suite with one pipeline, of which the name is given.
fn complaint_about(rest: &str) -> String {
    complaint(&format!("title = 't'\n[[pipeline]]\nname = 'a'\n{rest}\n"))
}

#[test]
fn mistakes_in_a_suite_have_a_place() {
    assert_snapshot!(complaint("title = 't'\ntitel = 'u'\n"), @r"
    error: FOLDER/suite.toml:2:1: unknown field `titel`, expected one of `title`, `description`, `time`, `memory`, `repetitions`, `show`, `keep_asking`, `versions`, `pipeline`, `formulas`, `models`
      |
    2 | titel = 'u'
      | ^^^^^
    ");
    assert_snapshot!(complaint("title = 5\n"), @r"
    error: FOLDER/suite.toml:1:9: invalid type: integer `5`, expected a string
      |
    1 | title = 5
      |         ^
    ");
    assert_snapshot!(complaint_about("lwaa = ['sat']\n[[formulas]]\nformulas = ['p', 'p & ) q']"), @r"
    error: FOLDER/suite.toml:6:23: expected a formula, found `)`
      |
    6 | formulas = ['p', 'p & ) q']
      |                       ^
    ");
    assert_snapshot!(complaint_about("lwaa = ['sat']\n[[formulas]]\nfamily = 'nobody'\nn = 3"), @r"
    error: FOLDER/suite.toml:6:10: there is no such family; `lwaa formula --list` lists them all
      |
    6 | family = 'nobody'
      |          ^^^^^^^^
    ");
    assert_snapshot!(complaint_about("lwaa = ['sat']\n[[formulas]]\nfamily = 'sf-sat'\nn = '3'"), @r#"
    error: FOLDER/suite.toml:7:5: invalid value: string "3", expected a list of numbers, or a range such as "1..8" or "10..100 step 10"
      |
    7 | n = '3'
      |     ^^^
    "#);
}

#[test]
fn mistakes_in_a_pipeline_have_a_place() {
    assert_snapshot!(complaint_about("lwaa = ['prove']"), @r"
    error: FOLDER/suite.toml:4:8: the first word is one of sat, translate, check and explore
      |
    4 | lwaa = ['prove']
      |        ^^^^^^^^^
    ");
    assert_snapshot!(complaint_about("command = 'spin %q'"), @r"
    error: FOLDER/suite.toml:4:17: there is no placeholder `%q`
      |
    4 | command = 'spin %q'
      |                 ^^
    ");
    assert_snapshot!(complaint_about("command = 'spin'"), @r"
    error: FOLDER/suite.toml:4:11: the command has no placeholder for the problem: use %f, %s, %p or %l for a formula, %m for a model
      |
    4 | command = 'spin'
      |           ^^^^^^
    ");
    assert_snapshot!(complaint_about("lwaa = ['translate', '--to', 'nba', '--format=dot']"), @r"
    error: FOLDER/suite.toml:4:8: automata are read as `--format hoa`, `never` or `lbt`
      |
    4 | lwaa = ['translate', '--to', 'nba', '--format=dot']
      |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ");
    assert_snapshot!(complaint_about("command = 'spin %s'\nno = '('"), @r"
    error: FOLDER/suite.toml:5:6: this is not a pattern: found open group without closing ')'
      |
    5 | no = '('
      |      ^^^
    ");
}

#[test]
fn mistakes_about_files_and_options_have_a_place() {
    assert_snapshot!(complaint_about("lwaa = ['sat']\n[[models]]\nfile = 'none.lwm'"), @r"
    error: FOLDER/suite.toml:6:8: there is no file FOLDER/none.lwm
      |
    6 | file = 'none.lwm'
      |        ^^^^^^^^^^
    ");
    assert_snapshot!(complaint_about("lwaa = ['sat']\n[[formulas]]\nformulas = ['p']\npipelines = ['b']"), @r"
    error: FOLDER/suite.toml:7:14: there is no pipeline `b`
      |
    7 | pipelines = ['b']
      |              ^^^
    ");
    assert_snapshot!(complaint("title = 't'\ntime = '1 day'\n[[pipeline]]\nname = 'a'\nlwaa = ['sat']\n"), @r"
    error: FOLDER/suite.toml:2:8: `day` is not a unit of time: use ms, s, m or h
      |
    2 | time = '1 day'
      |        ^^^^^^^
    ");
    assert_snapshot!(complaint_about("lwaa = ['check']\n[[formulas]]\nformulas = ['p']"), @r"
    error: FOLDER/suite.toml:1:1: no pipeline of this suite fits any of its problems
      |
    1 | title = 't'
      | ^
    ");
    let folder = Folder::new("bench-files-missing");
    assert_eq!(lwaa(&["bench", "/does/not/exist.toml"]).code, Some(2));
    assert_eq!(bench(&folder, TINY, &["--html", "-"]).code, Some(2));
    assert_eq!(bench(&folder, TINY, &["--csv", "/does/not/exist.csv"]).code, Some(2));
}

#[test]
fn options_that_do_not_exist_are_input_errors() {
    let folder = Folder::new("bench-options");
    let suite = "title = 't'\n[[pipeline]]\nname = 'lwaa'\nlwaa = ['sat', '--colour']\n\
                 [[formulas]]\nformulas = ['p U q']\n";
    let run = bench(&folder, suite, &[]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("unexpected argument '--colour'"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_is_known() {
    let folder = Folder::new("bench-interrupt");
    let html = folder.path().join("out.html");
    let suite = "title = 'Stopped'\n[[pipeline]]\nname = 'sleepy'\n\
                 command = \"case %f in p*) echo sat;; *) touch %h/begun; sleep 1000;; esac\"\n\
                 [[formulas]]\nformulas = ['p', 'q', 'r']\n";
    let path = folder.file("suite.toml", suite);
    let mut process = command(&["bench", &path, "--html", html.to_str().unwrap()]).spawn().unwrap();
    while !folder.path().join("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let mut stdout = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_to_string(&mut stdout).unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(3));
    assert!(stdout.contains("interrupted: this is what is known so far"), "{stdout}");
    let mut rows = stdout.as_bytes().lines().map(Result::unwrap);
    assert!(rows.any(|line| line.starts_with("p ") && line.ends_with(" s")), "{stdout}");
    assert!(std::fs::read_to_string(html).unwrap().contains("interrupted"));
}

#[test]
fn shipped_suites_can_be_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/suites");
    let mut n_suites = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            // Nobody has the time to solve anything; but nothing may be wrong.
            let run = lwaa(&["bench", path.to_str().unwrap(), "--time", "1ms", "--states", "1"]);
            assert_eq!(run.code, Some(0), "{} {run:?}", path.display());
            assert!(!run.stderr.contains("failed"), "{} {run:?}", path.display());
            n_suites += 1;
        }
    }
    assert!(6 <= n_suites);
}
