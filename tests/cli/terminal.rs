//! What reaches a terminal: control characters, colours, the width of lines.

use super::help::COMMANDS;
use super::program::{Folder, Run, command};
use std::io::Write;

/// An escape sequence that sets the title of a terminal, a bell, a carriage return, a
/// backspace, the same sequence in one character, and one that reverses text.
const PAYLOAD: &str = "\x1b]0;E\x07B\rC\x08D\u{9b}\u{7f}\u{202e}F";

/// Characters that must not be written, said once more than in the program.
fn is_dangerous(c: char) -> bool {
    let reorders =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    reorders || (c.is_control() && c != '\n' && c != '\t')
}

fn run(arguments: &[&str], input: &str, variables: &[(&str, &str)]) -> Run {
    let mut process = command(arguments);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "COLUMNS", "TERM"] {
        process.env_remove(name);
    }
    let mut child = process.envs(variables.iter().copied()).spawn().unwrap();
    // A program that ends early does not read all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// The text without the colours that the program itself adds.
fn without_colors(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split("\x1b[");
    plain.extend(parts.next());
    for part in parts {
        match part.split_once('m') {
            Some((numbers, rest)) if numbers.bytes().all(|b| b.is_ascii_digit() || b == b';') => {
                plain.push_str(rest);
            }
            _ => plain.extend(["\x1b[", part]),
        }
    }
    plain
}

/// Runs the program and looks at all that it prints. The payload must be seen, escaped.
#[track_caller]
fn check(arguments: &[&str], input: &str) {
    for color in ["--color=never", "--color=always"] {
        let arguments: Vec<&str> = [color].into_iter().chain(arguments.iter().copied()).collect();
        let run = run(&arguments, input, &[]);
        let printed = without_colors(&format!("{}{}", run.stdout, run.stderr));
        assert!(!printed.contains(is_dangerous), "{arguments:?}: {printed:?}");
        let is_shown = ["\\x1b]0;E", "\\u001b]0;E", "a__1b_"].iter().any(|s| printed.contains(s));
        assert!(is_shown, "{arguments:?} does not show it: {printed}");
        assert!(run.code.is_some_and(|code| code != 4), "{arguments:?}: {run:?}");
    }
}

#[test]
fn formulas_are_printed_without_control_characters() {
    let atom = format!("\"{PAYLOAD}\"");
    for options in [&[][..], &["--json"], &["--finite"], &["--core"]] {
        check(&[&["sat", &atom], options].concat(), "");
    }
    let negated = format!("!{atom}");
    check(&["valid", &negated], "");
    check(&["valid", "--json", &negated], "");
    check(&["implies", "b", &negated], "");
    check(&["equiv", &atom, "false", "--json"], "");
    check(&["sat", "-F", "-", "--core"], &format!("G {atom} & F !{atom}"));
    check(&["sat", "-F", "-", "--core", "--json"], &format!("G {atom} & F !{atom}"));
    for (to, formats) in [
        ("lwaa", &["text", "dot", "hoa"][..]),
        ("tgba", &["text", "dot", "hoa", "lbt"]),
        ("nba", &["text", "dot", "hoa", "lbt", "never"]),
    ] {
        for format in formats {
            check(&["translate", "--to", to, "--format", format, &format!("G F {atom}")], "");
        }
    }
    let table = format!("name\texpected\tformula\n{PAYLOAD}\tsat\ta\nn\t{PAYLOAD}\t{PAYLOAD}\n");
    check(&["sat", "--batch", "-"], &table);
    check(&["sat", "--batch", "-"], &format!("name\tformula {PAYLOAD}\na\tb\n"));
}

#[test]
fn messages_about_arguments_have_no_control_characters() {
    let equation = format!("{PAYLOAD}=1");
    let folder = Folder::new("arguments");
    let model = folder.file("m.lwm", "var x: 0..1 = 0;\naction a when true do x' = 1;\n");
    for arguments in [
        &["sat", PAYLOAD][..],
        &["sat", "-F", "-"],
        &[PAYLOAD],
        &["help", PAYLOAD],
        &["sat", "a", &format!("--{PAYLOAD}")],
        &["sat", "a", "--time", PAYLOAD],
        &["sat", "a", "--memory", PAYLOAD],
        &["sat", "a", "--states", PAYLOAD],
        &["sat", "a", "--engine", PAYLOAD],
        &["sat", "a", "--color", PAYLOAD],
        &["sat", "a", "--cache-size", PAYLOAD],
        &["implies", "a", PAYLOAD],
        &["check", &model, "--order", PAYLOAD],
        &["check", &model, "--order", &format!("random:{PAYLOAD}")],
        &["check", &model, "--prop", PAYLOAD],
        &["check", &model, "-f", PAYLOAD],
        &["check", &model, "-f", &format!("G \"{PAYLOAD}\"")],
        &["check", &model, "-D", PAYLOAD],
        &["check", &model, "-D", &equation],
        &["explore", &model, "-D", &format!("N={PAYLOAD}")],
        &["formula", PAYLOAD, "1"],
        &["formula", "go-theta", PAYLOAD],
        &["random", "formula", "--priority", &equation],
        &["random", PAYLOAD],
        &["completions", PAYLOAD],
        &["cross", "--rounds", "1", "--translator", &format!("no-such-program {PAYLOAD} %f")],
    ] {
        check(arguments, PAYLOAD);
    }
    let run = run(&["sat", "a"], "", &[("LWAA_LOG", PAYLOAD)]);
    assert!(!run.stderr.contains(is_dangerous), "{run:?}");
}

#[test]
fn file_names_are_printed_without_control_characters() {
    let folder = Folder::new("names");
    let path = |extension: &str| {
        let name = format!("{PAYLOAD}.{extension}");
        folder.path().join(name).to_str().unwrap().to_owned()
    };
    for extension in ["lwm", "pml", "dve", "esml", "kripke", "txt", PAYLOAD] {
        check(&["check", &path(extension)], "");
        check(&["explore", &path(extension)], "");
        check(&["simulate", &path(extension)], "");
        check(&["replay", &path(extension), "-"], "{}");
    }
    for command in ["requirements", "bench"] {
        check(&[command, &path("none")], "");
    }
    check(&["sat", "-F", &path("none")], "");
    check(&["sat", "--batch", &path("none")], "");
    let page = format!("{}/none", path("folder"));
    let set = folder.file("set.txt", "a");
    check(&["requirements", &set, "--html", &page], "");
    check(&["cross", "--rounds", "1", "--html", &page], "");
    // Files that exist, and are wrong.
    for extension in ["lwm", "pml", "dve", "esml", "kripke"] {
        let file = folder.file(&format!("{PAYLOAD}.{extension}"), "{ wrong");
        check(&["check", &file], "");
    }
    let file = folder
        .file(&format!("{PAYLOAD}.pml"), "byte x; active proctype P() { x = 1; assert(x == 2) }");
    check(&["check", &file, "-f", "[] (x < 9)"], "");
    check(&["simulate", &file], "");
    let trace = path("json");
    check(&["check", &file, "-f", "[] (x < 9)", "--trace", &format!("{trace}/none")], "");
}

#[test]
fn models_are_printed_without_control_characters() {
    let folder = Folder::new("models");
    for (extension, text) in [
        ("lwm", format!("var x: 0..1 = 0; {PAYLOAD}")),
        ("lwm", format!("var x{PAYLOAD}: 0..1 = 0;")),
        ("pml", format!("byte x; {PAYLOAD} active proctype P() {{ skip }}")),
        ("pml", format!("#include \"{PAYLOAD}\"\nactive proctype P() {{ skip }}")),
        ("pml", format!("#error {PAYLOAD}\nactive proctype P() {{ skip }}")),
        ("dve", format!("byte x = 0; {PAYLOAD}")),
        ("esml", format!("process {PAYLOAD}")),
        ("kripke", format!("atoms p q\ninitial 0\nstate {PAYLOAD}")),
        ("kripke", PAYLOAD.to_owned()),
    ] {
        let file = folder.file(&format!("model.{extension}"), text);
        check(&["check", &file], "");
        check(&["explore", &file], "");
    }
    let text = format!(
        "byte x; active proctype P() {{ printf(\"{}\\n\"); x = 1; assert(x == 2) }}",
        PAYLOAD.replace('"', "")
    );
    let file = folder.file("printf.pml", text);
    check(&["simulate", &file], "");
    check(&["check", &file, "-f", "[] (x < 9)"], "");
    check(&["check", &file, "-f", "[] (x < 9)", "--json"], "");
    check(&["simulate", &file, "--interactive"], &format!("1\n{PAYLOAD}\n1\n"));
    let trace = folder.file("trace.json", format!("{{\"model\": \"{PAYLOAD}\"}}"));
    check(&["replay", &file, &trace], "");
    let kripke = folder.file("atoms.kripke", "atoms p\ninitial 0\nstate 0 p -> 0\n");
    check(&["check", &kripke, "-f", &format!("G \"{PAYLOAD}\"")], "");
}

#[test]
fn files_have_no_control_characters() {
    let folder = Folder::new("files");
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let check_file = |path: &str, shown: &str| {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(!text.contains(is_dangerous), "{path}: {text:?}");
        assert!(text.contains(shown), "{path}: {text:?}");
    };
    let csv = path("batch.csv");
    let table = format!("name\texpected\tformula\n{PAYLOAD}\t{PAYLOAD}\ta\n");
    run(&["sat", "--batch", "-", "--csv", &csv], &table, &[]);
    check_file(&csv, "\\x1b]0;E\\x07B");
    let csv = path("bench.csv");
    let suite = "title = 't'\n[[pipeline]]\nname = \"\\u001b]0;E\\u202e\"\nlwaa = ['sat']\n\
                 [[formulas]]\nformulas = ['a']\n";
    run(&["bench", &folder.file("suite.toml", suite), "--csv", &csv], "", &[]);
    check_file(&csv, "\\x1b]0;E\\u{202e}");
    // The name of the model is part of a trace.
    let model = folder
        .file(&format!("{PAYLOAD}.lwm"), "var x: 0..1;\naction a do x' = 1;\nltl p: G x == 0;\n");
    for command in ["check", "simulate"] {
        let trace = path(&format!("{command}.json"));
        run(&[command, &model, "--trace", &trace], "", &[]);
        check_file(&trace, "\\u001b]0;E\\u0007B");
        let replayed = run(&["replay", &model, &trace], "", &[]);
        assert_eq!(replayed.code, Some(0), "{replayed:?}");
    }
}

#[test]
fn requirements_and_suites_are_printed_without_control_characters() {
    let folder = Folder::new("sets");
    let text = format!("{PAYLOAD}: G \"{PAYLOAD}\"\nb: F \"{PAYLOAD}\"\n");
    let set = folder.file("set.txt", &text);
    let contradiction = folder.file("no.txt", format!("{text}c {PAYLOAD}: F !\"{PAYLOAD}\"\n"));
    let page = folder.path().join("page.html").to_str().unwrap().to_owned();
    for set in [&set, &contradiction] {
        check(&["requirements", set, "--html", &page], "");
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(!text.contains(is_dangerous), "{text:?}");
        check(&["requirements", set, "--json"], "");
        check(&["sat", "--core", "-F", set], "");
    }
    check(&["requirements", "-"], &format!("a: G (p {PAYLOAD}"));
    let codes: Vec<String> = PAYLOAD.chars().map(|c| format!("{:04x}", u32::from(c))).collect();
    let escaped = format!("\\u{}", codes.join("\\u"));
    let suite = format!(
        "title = \"{escaped}\"\n[[pipeline]]\nname = \"{escaped}\"\nlwaa = [\"sat\"]\n\
         [[formulas]]\nname = \"{escaped}\"\nformulas = [\"a\"]\n"
    );
    let suite = folder.file("suite.toml", suite);
    check(&["bench", &suite, "--html", &page], "");
}

#[test]
fn what_is_printed_of_a_formula_reads_back_as_the_same() {
    let formula = format!("\"{PAYLOAD}\\\\x1b\ntab\t\" U b");
    let once = run(&["translate", &formula, "--to", "lwaa", "--format", "text"], "", &[]).stdout;
    let line = once.lines().find(|line| line.starts_with("#0")).unwrap();
    let text = line.split("until").nth(1).unwrap().split("δ").next().unwrap().trim();
    assert!(text.ends_with("\\\\x1b\\x0atab\\x09\" U b"), "{text}");
    assert_eq!(run(&["equiv", &formula, text], "", &[]).stdout, "valid\n");
}

/// Whether a message and help are coloured with these options and variables.
fn has_colors(options: &[&str], variables: &[(&str, &str)]) -> [bool; 3] {
    [&["sat", "G ("][..], &["sat"], &["sat", "--help"]].map(|arguments| {
        let run = run(&[options, arguments].concat(), "", variables);
        format!("{}{}", run.stdout, run.stderr).contains('\x1b')
    })
}

#[test]
fn colors_are_for_terminals_unless_an_option_or_variable_says_otherwise() {
    let (none, all) = ([false; 3], [true; 3]);
    assert_eq!(has_colors(&[], &[]), none);
    assert_eq!(has_colors(&["--color", "always"], &[]), all);
    assert_eq!(has_colors(&["--color=always"], &[("NO_COLOR", "1"), ("TERM", "dumb")]), all);
    assert_eq!(has_colors(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]), none);
    assert_eq!(has_colors(&[], &[("CLICOLOR_FORCE", "1")]), all);
    assert_eq!(has_colors(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), none);
    // The option may also stand behind the command, and JSON is never coloured.
    let run = run(&["sat", "a", "--json", "--color=always"], "", &[]);
    assert!(run.stdout.starts_with('{') && run.stderr.is_empty(), "{run:?}");
}

/// On a real terminal, by way of `script`, where there is one.
#[test]
fn a_terminal_that_is_dumb_or_without_colors_gets_none() {
    let colored = |variables: &[(&str, &str)]| {
        let line = format!("{} sat 'G ('", env!("CARGO_BIN_EXE_lwaa"));
        let output = std::process::Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .envs(variables.iter().copied())
            .stdin(std::process::Stdio::null())
            .output();
        output.ok().map(|output| output.stdout.contains(&0x1b))
    };
    let Some(is_colored) = colored(&[]) else { return };
    assert!(is_colored);
    assert_eq!(colored(&[("NO_COLOR", "1")]), Some(false));
    assert_eq!(colored(&[("TERM", "dumb")]), Some(false));
    assert_eq!(colored(&[("TERM", "dumb"), ("CI", "true")]), Some(false));
    assert_eq!(colored(&[("NO_COLOR", "1"), ("CI", "true")]), Some(false));
}

const WIDTH: usize = 60;

/// Every line fits, or has no space to break it at.
#[track_caller]
fn fits(arguments: &[&str]) -> Run {
    let run = run(arguments, "", &[("COLUMNS", "60")]);
    for line in run.stdout.lines().chain(run.stderr.lines()) {
        let is_short = line.chars().count() <= WIDTH;
        assert!(is_short || !line.trim().contains(' '), "{arguments:?}: {line:?}");
    }
    run
}

/// A model whose names, statements and formulas are long, and that prints.
const LONG: &str = "\
byte first_long_counter, second_long_counter, third_long_counter;
active proctype Somebody_with_a_long_name() {
  do
  :: first_long_counter < 2 && second_long_counter == third_long_counter -> first_long_counter++;
     printf(\"a line of output that has many words in it, more than fit into sixty columns\\n\")
  :: first_long_counter == 2 -> first_long_counter = 0
  od
}
ltl p { ([] <> (first_long_counter == 1)) -> (<> [] (second_long_counter == 1 && third_long_counter == 2)) }
ltl q { [] (first_long_counter != 2 || second_long_counter != 0 || third_long_counter > first_long_counter) }
";

#[test]
fn lines_of_prose_messages_and_runs_fit_the_width() {
    let folder = Folder::new("width");
    let model = folder.file("long.pml", LONG);
    let run = fits(&["check", &model]);
    assert!(run.stdout.contains("pending:"), "{run:?}");
    fits(&["simulate", &model]);
    fits(&["explore", &model, "--deadlock", "report"]);
    let trace = folder.path().join("t.json").to_str().unwrap().to_owned();
    fits(&["check", &model, "--prop", "q", "--trace", &trace]);
    fits(&["replay", &model, &trace]);
    let wrong = "proctyp P() { skip } /* and a long line behind it, with many words in it */";
    assert_eq!(fits(&["check", &folder.file("wrong.pml", wrong)]).code, Some(2));
    let atoms: Vec<String> = (0..40).map(|n| format!("atom{n}")).collect();
    let formula = format!("G ({})", atoms.join(" & "));
    let run = fits(&["sat", &formula]);
    assert_eq!(run.stdout.matches("atom").count(), 40, "{run:?}");
    fits(&["sat", &format!("{formula} & ")]);
    fits(&["sat", "a", "--no-such-option-as-this-one", "and-something-else"]);
    fits(&["sat", "--core", &format!("{formula} & F !atom7")]);
    let set = format!("one: {formula}\ntwo: F !atom3\nthree: G ({} | x)\n", atoms.join(" | "));
    let set = folder.file("set.txt", set);
    fits(&["requirements", &set]);
    let dekker = concat!(env!("CARGO_MANIFEST_DIR"), "/models/lwm/dekker.lwm");
    let run = fits(&["check", dekker, "--prop", "response"]);
    assert!(run.stderr.contains("note:"), "{run:?}");
    // JSON and what other programs read is left as it is.
    let run = self::run(&["sat", "--json", &formula], "", &[("COLUMNS", "60")]);
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    let run = self::run(&["formula", "sf-sat", "20"], "", &[("COLUMNS", "60")]);
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
}

#[test]
fn help_fits_the_width() {
    for command in COMMANDS {
        let run = run(&[command, "--help"], "", &[("COLUMNS", "60")]);
        let (prose, _) = run.stdout.split_once("Example").unwrap();
        for line in prose.lines() {
            let is_short = line.chars().count() <= WIDTH || line.starts_with("Usage:");
            assert!(is_short, "{command}: {line:?}");
        }
    }
}
