//! `requirements` and `sat --core`: verdicts, exit codes, formats, mistakes.

use crate::models::Models;
use crate::program::lwaa;
use insta::assert_snapshot;
use serde_json::Value;

const CONFLICT: &str = "job: G (job -> F printed)\nagain: G F job\nF G !printed\nG calm\n";

#[test]
fn a_core_is_printed_with_words_that_show_that_it_is_minimal() {
    let run = lwaa(&["sat", "--core", "G F p & G q & F G !p"]);
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.stdout, @r"
    unsatisfiable
    core: 2 of 3 conjuncts
      1  G F p
      3  F G !p
    without 1, the rest of the core holds on:
      prefix: empty
      cycle: 1 letter, repeated for ever
        0  (all false)
    without 3, the rest of the core holds on:
      prefix: empty
      cycle: 1 letter, repeated for ever
        0  p
    ");
    let run = lwaa(&["sat", "--core", "G F p & G q"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.starts_with("satisfiable\nprefix: empty\n"), "{}", run.stdout);
}

#[test]
fn a_file_of_requirements_has_a_core_too() {
    let models = Models::new("requirements-core");
    models.file("set.txt", CONFLICT);
    let run = models.lwaa(&["sat", "--core", "--json", "-F", "set.txt"]);
    assert_eq!(run.code, Some(1));
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let core = object["core"].as_array().unwrap();
    let names: Vec<&str> = core.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["job", "again", "line 3"]);
    assert!(core.iter().all(|one| one["without"]["cycle"].is_array()));
}

#[test]
fn requirements_are_analyzed_in_three_formats() {
    let models = Models::new("requirements");
    models.file("set.txt", CONFLICT);
    let page = models.path("page.html");
    let run = models.lwaa(&["requirements", "set.txt", "--html", &page]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("inconsistent\nconflict 1: 3 of 4 requirements\n"));
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("Conflict 1") && page.ends_with("</html>\n"));
    models.file("fine.txt", "answer: G (request -> F grant)\nquiet: G !request\n");
    let run = models.lwaa(&["requirements", "fine.txt", "--json"]);
    assert_eq!(run.code, Some(0));
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["verdict"], "consistent");
    assert_eq!(object["redundant"][0]["name"], "answer");
    assert_eq!(object["redundant"][0]["because"][0], "quiet");
    assert_eq!(object["vacuous"][0]["part"], "F grant");
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let models = Models::new("requirements-wrong");
    models.file("set.txt", "a: G p\nb: G (q\n");
    let run = models.lwaa(&["requirements", "set.txt"]);
    assert_eq!(run.code, Some(2));
    assert_snapshot!(run.stderr, @r"
    error: set.txt:2:6: this is never closed
      |
    2 | b: G (q
      |      ^
    ");
}

#[test]
fn what_a_repair_leaves_is_analyzed_too() {
    let models = Models::new("requirements-left");
    let text = "# The pump is off\n# while the level is low.\ndry: G (low ->\n       !pump)\n\
                low: G low\non: G F pump\nanswer: G (job -> F done)\ndone: G F done\n";
    models.file("set.txt", text);
    let run = models.lwaa(&["requirements", "set.txt"]);
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.stdout, @r"
    inconsistent
    conflict 1: 3 of 5 requirements
      dry  G (low -> !pump)
           # The pump is off
           # while the level is low.
      low  G low
      on   G F pump
      without dry, the rest of this conflict holds on:
        prefix: empty
        cycle: 1 letter, repeated for ever
          0  low, pump
      without low, the rest of this conflict holds on:
        prefix: empty
        cycle: 1 letter, repeated for ever
          0  pump
      without on, the rest of this conflict holds on:
        prefix: empty
        cycle: 1 letter, repeated for ever
          0  low
    consistent without: dry
    consistent without: low
    consistent without: on
    of what is left without dry:
    redundant:
      answer  G (job -> F done)
        follows from done
    vacuous:
      answer  G (job -> F done)
        `job` does not matter: `G (true -> F done)` follows from done
    ");
    let run = models.lwaa(&["requirements", "set.txt", "--json"]);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["requirements"][0]["comment"], "The pump is off\nwhile the level is low.");
    assert_eq!(object["requirements"][1].get("comment"), None);
    assert_eq!(object["dropped"][0], "dry");
    assert_eq!(object["redundant"][0]["name"], "answer");
    models.file("one.txt", "G p\n");
    let run = models.lwaa(&["requirements", "one.txt"]);
    assert!(run.stdout.contains("\n1 requirement about 1 atom; all hold"), "{}", run.stdout);
}

#[test]
fn a_mistake_in_a_continued_line_is_shown_there() {
    let models = Models::new("requirements-continued");
    models.file("set.txt", "a: G (p ->\n    # why\n    F q))\n");
    let run = models.lwaa(&["requirements", "set.txt"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: set.txt:3:9: "), "{}", run.stderr);
}

/// So many features that answer and share things that analysis takes some seconds.
fn many() -> String {
    let lines = |feature: usize| {
        let (next, shared) = ((feature + 1) % 150, feature / 3);
        [
            format!("answer {feature}: G (request{feature} -> F ack{feature})"),
            format!("again {feature}: G F ack{feature}"),
            format!("link {feature}: G (ack{feature} -> X F request{next})"),
            format!("share {feature}: G (ack{feature} -> owner{shared} | X mode)"),
        ]
        .join("\n")
    };
    (0..150).map(lines).collect::<Vec<String>>().join("\n")
}

#[test]
fn what_is_known_when_the_time_is_up_is_said() {
    let models = Models::new("requirements-time");
    models.file("set.txt", &many());
    let run = models.lwaa(&["requirements", "set.txt", "--time", "1ms"]);
    assert_eq!(run.code, Some(3), "{}", run.stdout);
    assert_eq!(run.stdout, "unknown: time limit of 0.001 s reached\n");
    let run = models.lwaa(&["requirements", "set.txt", "--time", "3s"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert!(run.stdout.starts_with("consistent\n600 requirements about "), "{}", run.stdout);
    // All `answer` are redundant. Of each of them that is said, or that it is not known.
    let is_open = |number: usize| {
        let line = format!("unknown whether answer {number} is redundant: time limit of");
        run.stdout.contains(&line)
    };
    let redundant = run.stdout.split("vacuous").next().unwrap();
    for number in 0..150 {
        let is_redundant = redundant.contains(&format!("\n  answer {number} "));
        assert!(is_redundant || is_open(number), "{number}: {}", run.stdout);
    }
}
