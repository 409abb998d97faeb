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
    assert!(served.ends_with("`asked` is true and stays true."), "{served}");
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

/// The numbers in the data of a path or the attributes of an element.
fn numbers(text: &str) -> Vec<f64> {
    let words = text.split(|one: char| !one.is_ascii_digit() && one != '.' && one != '-');
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn an_edge_from_a_state_to_itself_begins_and_ends_there() {
    let folder = Folder::new("loops");
    let picture = path(&folder, "a.svg");
    lwaa(&["translate", "G (p -> F q)", "--to", "nba", "--svg", &picture]);
    let svg = std::fs::read_to_string(&picture).unwrap();
    let circles: Vec<Vec<f64>> = svg
        .split("<circle class=\"box\" ")
        .skip(1)
        .map(|rest| numbers(rest.split("/>").next().unwrap()))
        .collect();
    let is_near = |x: f64, y: f64| {
        circles.iter().any(|circle| {
            let distance = (x - circle[0]).hypot(y - circle[1]);
            (distance - circle[2]).abs() < 8.0
        })
    };
    let edges: Vec<Vec<f64>> = svg
        .split("<path class=\"edge\" d=\"")
        .skip(1)
        .map(|rest| numbers(rest.split('"').next().unwrap()))
        .collect();
    // One comes from nowhere; all others begin and end at a state, two of them at the same.
    let begins = edges.iter().filter(|edge| is_near(edge[0], edge[1])).count();
    let ends = edges.iter().filter(|edge| is_near(edge[edge.len() - 2], edge[edge.len() - 1]));
    assert_eq!((begins + 1, ends.count()), (edges.len(), edges.len()), "{svg}");
    assert_eq!(svg.matches("class=\"head\"").count(), edges.len(), "{svg}");
    // A loop whose ends meet in one point looks like an edge from nowhere.
    let width = |edge: &Vec<f64>| {
        let [x, y] = [edge[edge.len() - 2], edge[edge.len() - 1]];
        (edge[0] - x).hypot(edge[1] - y)
    };
    assert!(edges.iter().all(|edge| 10.0 < width(edge)), "{svg}");
}

#[test]
fn charts_mark_where_a_property_is_violated() {
    let folder = folder("violated");
    for (name, mark) in
        [("c.svg", "✗ violated"), ("c.mmd", "Note over P0,P"), ("c.puml", "note across: violated")]
    {
        let file = path(&folder, name);
        lwaa(&["check", &path(&folder, "model.lwm"), "--prop", "few", "--chart", &file]);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches(mark).count(), 1, "{text}");
        // The clock never moves, and is there.
        assert!(text.contains("clock"), "{text}");
    }
}

/// The data of the page of a model.
fn page_data(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    let page = path(folder, "page.html");
    lwaa(&[&["check"], arguments, &["--html", &page]].concat());
    let text = std::fs::read_to_string(&page).unwrap();
    let (_, rest) = text.split_once("type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn messages_are_followed_for_as_many_rounds_as_they_need() {
    let folder = Folder::new("rounds");
    let model = "chan q = [3] of { byte };\nbyte n;\n\
        active proctype P() { q!1; q!2; do :: q!3; q?n od }\nltl p { []<>(n == 1) }\n";
    folder.file("a.pml", model);
    let data = page_data(&folder, &[&path(&folder, "a.pml")]);
    let run = &data["runs"][0];
    let (cycle, n) = (run["cycle"].as_u64().unwrap(), run["n"].as_u64().unwrap());
    let messages = run["messages"].as_array().unwrap();
    // A message waits for two others, so it is received two rounds later.
    let round = n - cycle;
    let sent = messages.iter().filter(|one| cycle <= one[0].as_u64().unwrap());
    let late = sent.filter(|one| n + round <= one[1].as_u64().unwrap());
    assert_eq!(late.count() as u64, round / 2, "{run}");
    let mermaid = path(&folder, "c.mmd");
    lwaa(&["check", &path(&folder, "a.pml"), "--chart", &mermaid]);
    let text = std::fs::read_to_string(&mermaid).unwrap();
    let (_, looped) = text.split_once("loop for ever").unwrap();
    assert!(looped.contains("P0--)P0: q#58; 3"), "{text}");
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let folder = Folder::new("waiting");
    folder.file(
        "a.lwm",
        "const N = 2;\nvar free[N]: bool = true;\nvar has[N]: bool = false;\n\
         process p(i in 0..N-1) {\n  action first when !has[i] && free[i] do free[i]' = false, has[i]' = true;\n  \
         action second when has[i] && free[(i + 1) % N] do free[(i + 1) % N]' = false;\n}\n",
    );
    let output = lwaa(&["check", &path(&folder, "a.lwm"), "--deadlock", "report", "--explain"]);
    let last = output.stdout.lines().last().unwrap();
    assert!(
        last.ends_with("no process can move: p(0) waits to do second; p(1) waits to do first."),
        "{}",
        output.stdout
    );
    let (_, why) = output.stdout.split_once("why:\n  no process can move in state 2\n").unwrap();
    assert!(why.starts_with("    p(0) waits to do second\n"), "{why}");
}

#[test]
fn a_claim_says_where_it_accepts() {
    let folder = Folder::new("claim");
    folder.file(
        "a.pml",
        "byte x;\nactive proctype P() { x = 1; do :: x = 3 - x od }\n\
         never { do :: x == 1 -> break :: true od; accept: do :: x != 0 od }\n",
    );
    let output = lwaa(&["check", &path(&folder, "a.pml"), "--explain"]);
    let text = &output.stdout;
    let last = text.lines().last().unwrap();
    assert!(last.contains("accepts the run below: its state "), "{text}");
    assert!(last.ends_with(" of the run."), "{text}");
    assert!(text.contains("values that cause it:\n  `x == 1` is true in state 1\n"), "{text}");
    assert!(
        text.contains("the claim goes from its state 1 to its state 2: `x == 1` is true\n"),
        "{text}"
    );
    let data = page_data(&folder, &[&path(&folder, "a.pml")]);
    let terms = data["properties"][0]["formula"]["terms"].as_array().unwrap();
    let claim = terms.iter().find(|term| term["op"] == "claim").unwrap();
    assert_eq!(claim["text"], "accepting state of the claim: never");
    // It accepts in both states of the cycle.
    assert_eq!(claim["true"], "6", "{data}");
    assert!(terms.iter().any(|term| term["cause"].is_string()), "{data}");
}

#[test]
fn results_are_coloured_if_that_is_asked_for() {
    let folder = folder("colours");
    let typed = |color| lwaa(&["check", &path(&folder, "model.lwm"), "--color", color]).stdout;
    let (plain, painted) = (typed("never"), typed("always"));
    assert!(!plain.contains('\x1b') && painted.contains("\x1b[31mviolated\x1b[0m"), "{painted:?}");
    assert_eq!(anstream::adapter::strip_str(&painted).to_string(), plain);
    // Here it is no terminal.
    assert_eq!(typed("auto"), plain);
}

#[test]
fn names_with_breaks_stay_on_their_line() {
    let folder = Folder::new("breaks");
    let model = "atoms \"a\nb\"\ninitial s\nstate s \"a\nb\" -> s\n";
    folder.file("a.kripke", model);
    let output = lwaa(&["check", &path(&folder, "a.kripke"), "-f", "G !\"a\\x0ab\""]);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert!(lines.last().unwrap().contains("`a\\x0ab` is true"), "{lines:?}");
    assert!(!lines.contains(&"b"), "{lines:?}");
}
