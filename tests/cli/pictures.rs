//! Reasons in words, charts, and pictures of states and automata.

use crate::program::{Folder, lwaa};

/// A server that answers once.
const SERVER: &str = "var asked: bool = false;\nvar answers: 0..2 = 0;\n\
    process client { action ask when !asked do asked' = true; }\n\
    process server { action answer when asked && answers < 1 do asked' = false, answers' = answers + 1; }\n\
    process clock { action tick do answers' = answers; }\n\
    ltl served: G (asked -> F !asked);\nltl few: G answers < 1;\n";

/// The name of a file in a folder.
fn path(folder: &Folder, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("model.lwm", SERVER);
    folder
}

#[test]
fn the_last_line_says_why() {
    let folder = folder("why");
    let said = |property: &str| {
        let output = lwaa(&["check", &path(&folder, "model.lwm"), "--prop", property]);
        output.stdout.lines().last().unwrap().to_owned()
    };
    let served = said("served");
    assert!(served.starts_with("After client: ask (step "), "{served}");
    assert!(served.contains("`asked` is true, but "), "{served}");
    let few = said("few");
    assert!(few.starts_with("After server: answer (step "), "{few}");
    assert!(few.ends_with("`answers < 1` is false."), "{few}");
}

#[test]
fn reasons_lead_from_the_formula_to_values() {
    let folder = folder("reasons");
    let output = lwaa(&["check", &path(&folder, "model.lwm"), "--prop", "few", "--explain"]);
    let (_, why) = output.stdout.split_once("why:\n").unwrap();
    assert!(why.starts_with("  `G \"answers < 1\"` is false in state 0\n"), "{why}");
    assert!(why.contains("values that cause it:\n  `answers < 1` is false in state "), "{why}");
}

#[test]
fn charts_are_written_by_the_end_of_their_name() {
    let folder = folder("charts");
    for (name, begin) in
        [("c.svg", "<svg "), ("c.mmd", "sequenceDiagram\n"), ("c.puml", "@startuml\n")]
    {
        let file = path(&folder, name);
        lwaa(&["check", &path(&folder, "model.lwm"), "--prop", "served", "--chart", &file]);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.starts_with(begin) && text.contains("client") && text.contains("ask"),
            "{text}"
        );
    }
    let wrong = lwaa(&["check", &path(&folder, "model.lwm"), "--chart", "c.png"]);
    assert_eq!(wrong.code, Some(2));
}

#[test]
fn a_run_is_marked_among_all_states() {
    let folder = folder("states");
    let (model, trace) = (path(&folder, "model.lwm"), path(&folder, "run.json"));
    lwaa(&["check", &model, "--prop", "few", "--trace", &trace]);
    let (dot, svg) = (path(&folder, "s.dot"), path(&folder, "s.svg"));
    let typed =
        ["explore", &model, "--dot", &dot, "--svg", &svg, "--label", "asked", "--trace", &trace];
    let output = lwaa(&typed);
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let [dot, svg] = [dot, svg].map(|path| std::fs::read_to_string(path).unwrap());
    assert!(dot.contains("label=\"asked\"") && dot.contains("color=red"), "{dot}");
    assert_eq!(svg.matches("<rect class=\"box\"").count(), 4, "{svg}");
    assert!(svg.contains("<g class=\"marked\">"), "{svg}");
}

#[test]
fn what_is_too_large_for_a_picture_is_said() {
    let folder = folder("large");
    let model = "var x: 0..999 = 0;\nprocess p { action up do x' = (x + 1) % 1000; }\n";
    folder.file("large.lwm", model);
    let picture = path(&folder, "s.svg");
    let output = lwaa(&["explore", &path(&folder, "large.lwm"), "--svg", &picture]);
    assert_eq!(output.code, Some(3));
    let message = output.stderr;
    assert!(message.contains("more than 300 states"), "{message}");
}

#[test]
fn edges_of_pictures_point_where_they_lead() {
    let folder = folder("edges");
    // The states are in a row, and the last one leads back to the first.
    folder.file("a.lwm", "var x: 0..2 = 0;\nprocess p { action up do x' = (x + 1) % 3; }\n");
    let picture = path(&folder, "s.svg");
    lwaa(&["explore", &path(&folder, "a.lwm"), "--svg", &picture]);
    let svg = std::fs::read_to_string(&picture).unwrap();
    // An arrow from nowhere, and one for each step: each has one head.
    assert_eq!(svg.matches("class=\"edge\"").count(), 4, "{svg}");
    assert_eq!(svg.matches("class=\"head\"").count(), 4, "{svg}");
}

#[test]
fn what_is_never_done_is_named() {
    let folder = Folder::new("unused");
    folder.file(
        "a.lwm",
        "var x: 0..2 = 0;\nprocess p {\n    action up when x < 2 do x' = x + 1;\n    \
         action reset when x > 2 do x' = 0;\n}\n",
    );
    let output = lwaa(&["explore", &path(&folder, "a.lwm"), "--stats"]);
    let message = output.stderr;
    assert!(message.contains("never taken     1\n  p: reset\n"), "{message}");
    folder.file(
        "a.pml",
        "byte x;\nactive proctype P() {\n  atomic { x = 1; x = 2 };\n  if\n  :: x == 3 -> x = 4\n  \
         :: else -> x = 5\n  fi\n}\n",
    );
    let output = lwaa(&["explore", &path(&folder, "a.pml"), "--stats", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(answer["never_taken"], serde_json::json!(["5: x == 3", "5: x = 4"]), "{answer}");
}
