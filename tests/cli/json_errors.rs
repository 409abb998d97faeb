//! With `--json`, programs that read the answer can read what is wrong as well: one
//! object on standard output, for every command and every kind of error.

use crate::program::{Folder, lwaa, lwaa_reading};
use serde_json::{Value, json};

/// Runs a command that fails and gives its object, which has to say what standard
/// error says.
#[track_caller]
fn object(arguments: &[&str]) -> Value {
    let run = lwaa_reading(arguments, b"");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&object["schema"], &object["verdict"]), (&json!(1), &json!("error")));
    let fields: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["schema", "verdict", "error", "file", "line", "column"]);
    let message = object["error"].as_str().unwrap();
    let told = match object["file"].as_str() {
        Some(file) => format!("error: {file}:{}:{}: {message}", object["line"], object["column"]),
        None => format!("error: {message}"),
    };
    let blanks_joined = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(blanks_joined.starts_with(&told), "{told}\n{}", run.stderr);
    object
}

/// The commands that print JSON, according to their help.
fn commands_with_json() -> Vec<String> {
    let help = lwaa(&["--help"]).stdout;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.map_while(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    let has_option = |name: &&str| {
        let help = lwaa(&[name, "--help"]).stdout;
        help.lines().any(|line| line.trim_start().starts_with("--json"))
    };
    names.filter(has_option).map(str::to_owned).collect()
}

#[test]
fn every_command_with_json_tells_errors_in_json() {
    let folder = Folder::new("json-errors");
    let wrong_model = folder.file("wrong.lwm", "var x: 0..2 = 0;\nproces p { }\n");
    let requirements = folder.file("wrong.txt", "R1: G a\nR2: G (\n");
    let cases: &[(&str, &[&str], Value)] = &[
        ("sat", &["a &\n) b"], json!(["<formula>", 2, 1])),
        ("valid", &["G a)"], json!(["<formula>", 1, 4])),
        ("implies", &["a", "b c"], json!(["<B>", 1, 3])),
        ("equiv", &["a b", "c"], json!(["<A>", 1, 3])),
        ("check", &[&wrong_model, "-f", "G x"], json!([wrong_model, 2, 1])),
        ("explore", &[&wrong_model], json!([wrong_model, 2, 1])),
        ("requirements", &[&requirements], json!([requirements, 2, 8])),
        ("cross", &["--builtin", "nonsense"], json!([null, null, null])),
    ];
    for command in commands_with_json() {
        let case = cases.iter().find(|(name, ..)| *name == command);
        let (_, arguments, place) = case.unwrap_or_else(|| panic!("no case for {command}"));
        let object = object(&[&[&*command, "--json"], *arguments].concat());
        assert_eq!(json!([object["file"], object["line"], object["column"]]), *place, "{command}");
        // What the table of the command line refuses, wherever `--json` stands.
        let usage = self::object(&[&command, "--no-such-option", "--json"]);
        assert_eq!(usage["error"], "unexpected argument '--no-such-option' found", "{command}");
        assert_eq!(usage["file"], Value::Null);
    }
}

#[test]
fn errors_of_all_kinds_are_objects() {
    let folder = Folder::new("json-kinds");
    let model = folder.file("m.lwm", "var x: 0..2 = 0;\naction up when x < 2 do x' = x + 1;\n");
    let pml = folder.file("m.pml", "active proctype P() { skip }\n");
    let bytes = folder.file("m.dve", b"byte x;\n\xff");
    let missing = folder.path().join("missing.lwm").to_str().unwrap().to_owned();
    let error = |arguments: &[&str]| object(arguments)["error"].as_str().unwrap().to_owned();
    assert!(error(&["sat", "--json", "--core", "-F", &missing]).starts_with("cannot read"));
    assert!(error(&["check", "--json", &missing]).starts_with("cannot read"));
    assert!(error(&["check", "--json", &model, "-f", "G y"]).contains("`y`"));
    assert!(error(&["check", "--json", &model, "--prop", "p"]).contains("states no property `p`"));
    assert!(error(&["check", "--json", &pml, "-DN=2"]).contains("never mentions `N`"));
    assert!(error(&["check", "--json", "-"]).contains("--language"));
    assert!(error(&["explore", "--json", &bytes]).contains("not UTF-8"));
    assert!(error(&["check", "--json"]).contains("<MODEL>"));
    assert!(error(&["sat", "--batch", "file", "--json"]).contains("cannot be used with"));
    assert!(error(&["sat", "--json", "a", "--time", "x"]).contains("a number is missing"));
}

#[test]
fn without_the_option_there_is_no_object() {
    for arguments in
        [&["sat", "a &"][..], &["sat", "--foo"], &["sat", "--", "--json"], &["man", "--json"]]
    {
        let run = lwaa(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    }
}

#[test]
fn an_answer_stays_the_only_object() {
    let folder = Folder::new("json-after");
    let model = folder.file("m.lwm", "var x: bool = false;\naction a do x' = true;\n");
    let nowhere = folder.path().join("no/such/folder").to_str().unwrap().to_owned();
    let run = lwaa(&["check", &model, "-f", "G !x", "--json", "--trace", &nowhere]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["verdict"], "violated");
    assert!(run.stderr.contains("cannot write"), "{run:?}");
}
