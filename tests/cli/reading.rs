//! The same text, however it comes: from a file of any name, from standard input,
//! with a byte order mark, with the line ends of other systems.

use crate::batch::without_times;
use crate::program::{Folder, Run, lwaa, lwaa_reading};
use insta::assert_snapshot;

/// A text in each language of models, a formula about it, and the same text with a
/// slip in its last line but one.
const MODELS: [(&str, &str, &str, &str, &str); 5] = [
    (
        "lwm",
        "lwm",
        "var x: 0..2 = 0;\naction up when x < 2 do x' = x + 1;\naction stay when x == 2;\n",
        "F \"x == 2\"",
        "var x: 0..2 = 0;\naction up when y < 2 do x' = x + 1;\naction stay when x == 2;\n",
    ),
    (
        "dve",
        "dve",
        "byte x;\nprocess P {\n state a; init a;\n trans a -> a { guard x < 2; effect x = x + 1; };\n}\nsystem async;\n",
        "F \"x == 2\"",
        "byte x;\nprocess P {\n state a; init a;\n trans a -> b { guard x < 2; effect x = x + 1; };\n}\nsystem async;\n",
    ),
    (
        "promela",
        "pml",
        "byte x;\nactive proctype P() {\n  do :: x < 2 -> x++ :: else -> break od\n}\n",
        "<> (x == 2)",
        "byte x;\nactive proctype P() {\n  do :: y < 2 -> x++ :: else -> break od\n}\n",
    ),
    (
        "esml",
        "esml",
        "MODEL M;\nPROCESS P;\nVAR x: BOOLEAN;\nBEGIN\n  x := TRUE\nEND;\nBEGIN P() END\n",
        "F \"P.x\"",
        "MODEL M;\nPROCESS P;\nVAR x: BOOLEAN;\nBEGIN\n  y := TRUE\nEND;\nBEGIN P() END\n",
    ),
    (
        "kripke",
        "kripke",
        "atoms p\ninitial one\nstate one -> two\nstate two p -> two\n",
        "F p",
        "atoms p\ninitial one\nstate one -> three\nstate two p -> two\n",
    ),
];

/// What is left of a run when the text is called `TEXT` and numbers of time are gone.
fn told(run: &Run, name: &str) -> (Option<i32>, String, String) {
    let text = |text: &str| without_times(&text.replace(name, "TEXT"));
    (run.code, text(&run.stdout), text(&run.stderr))
}

/// Runs a command about a text in every way in which the text may come. `{}` in the
/// arguments is its name; `language` are further arguments for names that do not tell
/// what the text is.
#[track_caller]
fn check_ways(folder: &Folder, extension: &str, language: &[&str], arguments: &[&str], text: &str) {
    let run = |name: &str, content: &str, more: &[&str]| {
        let file = folder.file(name, content);
        let arguments: Vec<String> =
            arguments.iter().map(|argument| argument.replace("{}", &file)).collect();
        let arguments: Vec<&str> =
            arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
        told(&lwaa(&arguments), &file)
    };
    let expected = run(&format!("plain.{extension}"), text, &[]);
    assert_ne!(expected.0, Some(4), "{expected:?}");
    let marked = format!("\u{feff}{text}");
    let ends = text.replace('\n', "\r\n");
    let upper = extension.to_uppercase();
    let ways = [
        run(&format!("marked.{extension}"), &marked, &[]),
        run(&format!("ends.{extension}"), &ends, &[]),
        run(&format!("both.{extension}"), &format!("\u{feff}{ends}"), &[]),
        run(&format!("upper.{upper}"), text, &[]),
        run("text.of_no_language", text, language),
    ];
    for (number, way) in ways.iter().enumerate() {
        assert_eq!(*way, expected, "way {number} of {arguments:?}");
    }
    let arguments: Vec<String> =
        arguments.iter().map(|argument| argument.replace("{}", "-")).collect();
    let arguments: Vec<&str> =
        arguments.iter().map(String::as_str).chain(language.iter().copied()).collect();
    for content in [text, &*marked] {
        let way = told(&lwaa_reading(&arguments, content.as_bytes()), "<stdin>");
        assert_eq!(way, expected, "{arguments:?} from standard input");
    }
}

#[test]
fn a_model_is_the_same_however_it_comes() {
    let folder = Folder::new("ways");
    for (language, extension, text, formula, wrong) in MODELS {
        let by_name = ["--language", language];
        for text in [text, wrong] {
            check_ways(&folder, extension, &by_name, &["check", "{}", "-f", formula], text);
        }
        let simulate = ["simulate", "{}", "--steps=5", "--seed=1"];
        check_ways(&folder, extension, &by_name, &simulate, text);
        let file = folder.file(&format!("good.{extension}"), text);
        let run = lwaa(&["check", &file, "-f", formula]);
        assert_eq!((run.code, run.first_line()), (Some(0), "holds"), "{run:?}");
        let file = folder.file(&format!("wrong.{extension}"), wrong);
        let run = lwaa(&["check", &file, "-f", formula]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.starts_with(&format!("error: {file}:")), "{run:?}");
    }
}

#[test]
fn what_is_no_model_is_the_same_however_it_comes() {
    let folder = Folder::new("texts");
    for (syntax, text, wrong) in [
        ("lwaa", "G a &\nF !a\n", "G a &\n(F !b\n"),
        ("spot", "Ga &\nF!a\n", "Ga &\n(F!b\n"),
        ("lbt", "& G a\nF ! a\n", "& G a\nF !\n"),
    ] {
        for text in [text, wrong] {
            let arguments = ["sat", "-F", "{}", "--syntax", syntax];
            check_ways(&folder, "ltl", &[], &arguments, text);
        }
    }
    let requirements = ["R1: G a\n# never\nR2: F !a\n", "R1: G a\nR2: F !\n"];
    let tables = ["name\tformula\nx\tG\n", "nme\tformla\n"];
    for (text, arguments) in [
        (requirements[0], &["requirements", "{}"][..]),
        (requirements[1], &["requirements", "{}"]),
        (requirements[0], &["sat", "--core", "-F", "{}"]),
        (tables[0], &["sat", "--batch", "{}"]),
        (tables[1], &["sat", "--batch", "{}"]),
    ] {
        check_ways(&folder, "txt", &[], arguments, text);
    }
    let model = folder.file("m.kripke", MODELS[4].2);
    let trace = folder.file("run.json", "");
    assert_eq!(lwaa(&["check", &model, "-f", "G p", "--trace", &trace]).code, Some(1));
    let trace = std::fs::read_to_string(trace).unwrap();
    check_ways(&folder, "json", &[], &["replay", &model, "{}"], &trace);
}

#[test]
fn included_files_may_have_marks() {
    let folder = Folder::new("marks");
    folder.file("n.h", "\u{feff}#define N 2\n");
    let model = folder.file("m.pml", "#include \"n.h\"\nactive proctype P() { assert(N == 2) }\n");
    assert_eq!(lwaa(&["explore", &model]).code, Some(0));
}

#[test]
fn a_name_that_tells_no_language_gets_advice() {
    let folder = Folder::new("names");
    let file = folder.file("m.txt", MODELS[0].2);
    let message = lwaa(&["explore", &file]).stderr.replace(folder.path().to_str().unwrap(), "F");
    assert_snapshot!(message, @"error: F/m.txt: no language of models has the extension `.txt`; there are `.lwm`, `.dve`, `.pml`, `.pm`, `.promela`, `.esml`, `.kripke`, `.pnml`, or use --language NAME");
    let file = folder.file("m", MODELS[0].2);
    let message = lwaa(&["explore", &file]).stderr.replace(folder.path().to_str().unwrap(), "F");
    assert_snapshot!(message, @"error: F/m: the name of the file has no extension; models end in `.lwm`, `.dve`, `.pml`, `.pm`, `.promela`, `.esml`, `.kripke`, `.pnml`, or use --language NAME");
    assert_snapshot!(lwaa(&["explore", "-"]).stderr, @"error: a model on standard input needs --language NAME, one of lwm, dve, promela, esml, kripke, pnml");
    assert_snapshot!(lwaa(&["explore", "m.lwm", "--language", "spin"]).stderr, @r"
    error: invalid value 'spin' for '--language <NAME>': use one of lwm, dve, promela, esml, kripke, pnml

    For more information, try '--help'.
    ");
}

#[test]
fn standard_input_is_read_once() {
    let twice = "error: standard input can be read only once: `-` is there twice\n";
    let check = |arguments: &[&str], expected: &str| {
        let run = lwaa(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), expected));
    };
    check(&["check", "-", "--language=lwm", "-F", "-"], twice);
    check(&["check", "m.lwm", "-F", "-", "-F", "-"], twice);
    check(&["replay", "-", "-", "--language=lwm"], twice);
    check(
        &["simulate", "-", "--language=lwm", "--interactive"],
        "error: --interactive reads what to do from standard input, so the model has to be a file\n",
    );
}

#[test]
fn definitions_are_mentioned_by_the_model() {
    let folder = Folder::new("macros");
    let text = "#ifdef DOG\n#define N 2\n#else\n#define N DEPTH\n#endif\n\
                active proctype P() { assert(N == DEPTH) }\n";
    let model = folder.file("m.pml", text);
    let run = |definitions: &[&str]| {
        let run = lwaa(&[&["explore", &model], definitions].concat());
        (run.code, run.stderr.replace(&model, "m.pml"))
    };
    // As the preprocessor of C has it: a macro without a value is 1.
    assert_eq!(run(&["-DDOG", "-DDEPTH=2"]).0, Some(0));
    assert_eq!(run(&["-DDOG", "-DDEPTH"]).0, Some(5));
    assert_eq!(run(&["-DDEPTH"]).0, Some(0));
    let unknown =
        "error: m.pml: -D DEPHT: the model never mentions `DEPHT`; did you mean `DEPTH`?\n";
    assert_eq!(run(&["-DDEPHT=2"]), (Some(2), unknown.to_owned()));
    let twice = "error: -D defines `DOG` twice\n";
    assert_eq!(run(&["-DDOG", "-DDOG=1"]), (Some(2), twice.to_owned()));
    let model = folder.file("m.lwm", "const N = 2;\nvar x: 0..N = 0;\naction a do x' = N;\n");
    let run = lwaa(&["explore", &model, "-DN"]);
    assert_eq!(run.stderr, "error: -D N has no value: write -D N=VALUE\n");
    assert_eq!(run.code, Some(2));
}
