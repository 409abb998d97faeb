//! Petri nets on the command line: folders of the contest, its words, and messages about its files.

use crate::program::{Folder, lwaa};

#[test]
fn folders_state_the_formulas_of_the_contest() {
    let folder = Folder::new("nets");
    folder.turns();
    let turns = folder.path().join("turns").to_str().unwrap().to_owned();
    let run = lwaa(&["check", &turns]);
    let verdicts: Vec<&str> = run.stdout.lines().take(4).collect();
    let expected = [
        "turns-LTLFireability-00: holds",
        "turns-LTLFireability-01: holds",
        "turns-LTLCardinality-00: holds",
        "turns-LTLCardinality-01: violated",
    ];
    assert_eq!((verdicts, run.code), (expected.to_vec(), Some(1)));
    let run = lwaa(&["check", &turns, "--prop", "turns-LTLCardinality-00"]);
    assert_eq!((&*run.stdout, run.code), ("holds\n", Some(0)));
    let run = lwaa(&["check", &turns, "-f", "F critical_2 >= 1 & G !fireable(none)"]);
    assert!(
        run.stderr.contains("<formula>:1:33: the net has no transition `none`"),
        "{}",
        run.stderr
    );
}

#[test]
fn examinations_are_answered_in_the_words_of_the_contest() {
    let folder = Folder::new("mcc");
    folder.turns();
    let turns = folder.path().join("turns").to_str().unwrap().to_owned();
    let mcc = |examination: &str, more: &[&str]| {
        let run = lwaa(&[&["mcc", &turns, examination], more].concat());
        (run.stdout.replace(" TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING", ""), run.code)
    };
    let answers = "FORMULA turns-LTLCardinality-00 TRUE\nFORMULA turns-LTLCardinality-01 FALSE\n";
    assert_eq!(mcc("LTLCardinality", &[]), (answers.to_owned(), Some(0)));
    assert_eq!(mcc("LTLCardinality", &["--time", "1m"]), (answers.to_owned(), Some(0)));
    let nothing = "FORMULA turns-LTLCardinality-00 CANNOT_COMPUTE\n\
                   FORMULA turns-LTLCardinality-01 CANNOT_COMPUTE\n";
    let no_search = ["--states", "0", "--knowledge", "off"];
    assert_eq!(mcc("LTLCardinality", &no_search), (nothing.to_owned(), Some(3)));
    let known = "FORMULA turns-LTLCardinality-00 TRUE\n\
                 FORMULA turns-LTLCardinality-01 CANNOT_COMPUTE\n";
    assert_eq!(mcc("LTLCardinality", &no_search[..2]), (known.to_owned(), Some(3)));
    let states = "STATE_SPACE STATES 4\nSTATE_SPACE TRANSITIONS 4\n";
    assert_eq!(mcc("StateSpace", &[]), (states.to_owned(), Some(0)));
    assert_eq!(mcc("StateSpace", &["--states", "2"]), ("CANNOT_COMPUTE\n".to_owned(), Some(3)));
    assert_eq!(mcc("OneSafe", &[]), ("DO_NOT_COMPETE\n".to_owned(), Some(3)));
    assert_eq!(mcc("LTLDeadlock", &[]).1, Some(2));
}

#[test]
fn what_is_done_before_a_search_is_said_and_can_be_switched_off() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/models/pnml/buffer.pnml");
    let check = |formula: &str, more: &[&str]| {
        let run =
            lwaa(&[&["check", net, "-f", formula, "--reduce", "off", "--stats"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let word = |line: &str| line.split("  ").next().unwrap_or_default().to_owned();
        let lines: Vec<String> = run.stdout.lines().chain(run.stderr.lines()).map(word).collect();
        ["knowledge", "net"].map(|word| lines.iter().any(|line| line == word))
    };
    let invariant = "G (free + full == 5)";
    assert_eq!(check(invariant, &[]), [true, false]);
    assert_eq!(check(invariant, &["--knowledge", "off", "--reductions", "none"]), [false, false]);
    let recurrent = "G F fireable(take2)";
    assert_eq!(check(recurrent, &[]), [true, true]);
    assert_eq!(check(recurrent, &["--reductions", "none"]), [true, false]);
    let rules = ["--knowledge", "off", "--reductions", "dead-transitions,pre-agglomeration"];
    assert_eq!(check(recurrent, &rules), [false, true]);
    let run = lwaa(&["check", net, "-f", recurrent, "--reductions", "post"]);
    let message = "expected all, none, or a list with commas of dead-transitions, constant-places";
    assert!(run.code == Some(2) && run.stderr.contains(message), "{}", run.stderr);
    for more in [["--reductions", "all", "--shortest"], ["--reductions", "all", "--fair=weak"]] {
        let run = lwaa(&[&["check", net, "-f", recurrent], &more[..]].concat());
        let message = "--reductions cannot be combined with";
        assert!(run.code == Some(2) && run.stderr.contains(message), "{}", run.stderr);
    }
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/models/lwm/dekker.lwm");
    let run = lwaa(&["check", other, "--knowledge", "on"]);
    let message = "--knowledge is about nets, and this model is written in lwm";
    assert!(run.code == Some(2) && run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn messages_about_files_of_the_contest_have_places() {
    let folder = Folder::new("net_errors");
    folder.turns();
    let turns = folder.path().join("turns");
    let told = |file: &str, from: &str, to: &str, command: &[&str]| {
        let path = turns.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let run = lwaa(&[command, &[turns.to_str().unwrap()]].concat());
        std::fs::write(&path, text).unwrap();
        assert_eq!((run.code, &*run.stdout), (Some(2), ""));
        run.stderr.replace(turns.to_str().unwrap(), "turns")
    };
    let file = "LTLCardinality.xml";
    let message = told(file, "<place>critical_2", "<place>critical_3", &["check"]);
    let expected = "error: turns/LTLCardinality.xml:4:9: in the atom `critical_1 + critical_3 <= 1`: \
                    the net has no place `critical_3`";
    assert!(message.starts_with(expected), "{message}");
    let message = told(file, "<globally>", "<always>", &["check"]);
    assert!(message.starts_with("error: turns/LTLCardinality.xml:"), "{message}");
    let message = told("model.pnml", "ptnet", "symmetricnet", &["explore"]);
    assert!(
        message.starts_with("error: turns/model.pnml:5:25: this is a coloured net"),
        "{message}"
    );
    let message = told("model.pnml", "target=\"enter_1\"", "target=\"enter\"", &["explore"]);
    let expected = "error: turns/model.pnml:17:44: there is no node `enter`";
    assert!(message.starts_with(expected), "{message}");
}
