//! Commands that answer, translate or generate.

use crate::program::{Folder, lwaa, lwaa_reading};
use insta::assert_snapshot;
use serde_json::{Value, json};

#[track_caller]
fn check(arguments: &[&str], first_line: &str, code: i32) {
    let run = lwaa(arguments);
    assert_eq!((run.first_line(), run.code), (first_line, Some(code)), "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn sat() {
    check(&["sat", "G F p"], "satisfiable", 0);
    check(&["sat", "G p & F !p"], "unsatisfiable", 1);
    check(&["sat", "false"], "unsatisfiable", 1);
    check(&["sat", "true"], "satisfiable", 0);
}

#[test]
fn valid() {
    check(&["valid", "G p -> F p"], "valid", 0);
    check(&["valid", "F p -> G p"], "not valid", 1);
}

#[test]
fn implies() {
    check(&["implies", "F G p", "G F p"], "valid", 0);
    check(&["implies", "G F p", "F G p"], "not valid", 1);
}

#[test]
fn equiv() {
    check(&["equiv", "!(p U q)", "!p R !q"], "valid", 0);
    check(&["equiv", "p U q", "p W q"], "not valid", 1);
}

#[test]
fn finite_words() {
    check(&["sat", "--finite", "G X true"], "unsatisfiable", 1);
    check(&["sat", "--finite", "G F p & G F !p"], "unsatisfiable", 1);
    check(&["valid", "--finite", "F !X true"], "valid", 0);
    check(&["valid", "--finite", "G F p <-> F G p"], "valid", 0);
    check(&["implies", "--finite", "G (p -> X q)", "F q"], "not valid", 1);
    check(&["equiv", "--finite", "X !p", "!X p"], "not valid", 1);
    let found = lwaa(&["sat", "--finite", "p & X (!p & X q)"]);
    assert_eq!(found.stdout, "satisfiable\nword: 3 letters\n  0  p\n  1  (all false)\n  2  q\n");
    let found = lwaa(&["sat", "--finite", "--json", "p & X !p"]);
    let found: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(
        (&found["witness"], &found["finite"]),
        (&json!({ "word": [["p"], []] }), &json!(true))
    );
    assert_eq!(lwaa(&["sat", "--finite", "--core", "p"]).code, Some(2));
}

#[test]
fn every_logic_option_is_taken() {
    for option in [
        "--engine=lwaa",
        "--engine=lwaa-pure",
        "--engine=gpvw",
        "--engine=gastin-oddoux",
        "--labels=exact",
        "--labels=simple",
        "--successors=bdd",
        "--successors=direct",
        "--successors=sat",
        "--strategy=auto",
        "--strategy=explicit",
    ] {
        check(&["sat", "F p & G (p -> X q)", option], "satisfiable", 0);
        check(&["sat", "G F p & F G !p", option], "unsatisfiable", 1);
    }
    check(&["sat", "F p & G (p -> X q)", "--strategy=bounded"], "satisfiable", 0);
    check(&["sat", "G F p & F G !p", "--strategy=proof"], "unsatisfiable", 1);
    check(&["sat", "G F p & F G !p", "--cache-size", "1"], "unsatisfiable", 1);
    check(&["sat", "GFp & FG!p", "--syntax", "spot"], "unsatisfiable", 1);
    check(&["sat", "& G F p0 F G ! p0", "--syntax", "lbt"], "unsatisfiable", 1);
    check(&["sat", "p", "--time", "1h", "--memory", "100G", "--states", "100"], "satisfiable", 0);
}

#[test]
fn a_model_is_printed_position_by_position() {
    let run = lwaa(&["sat", "a & !\"b c\" & X (!a & G \"b c\") & X G (a <-> X !a)"]);
    assert_snapshot!(run.stdout, @r#"
    satisfiable
    prefix: 1 letter
      0  a
    cycle: 2 letters, repeated for ever
      1  "b c"
      2  a, "b c"
    "#);
}

#[test]
fn a_counterexample_is_printed_position_by_position() {
    assert_snapshot!(lwaa(&["valid", "p -> X F p"]).stdout, @r"
    not valid
    prefix: 1 letter
      0  p
    cycle: 1 letter, repeated for ever
      1  (all false)
    ");
}

#[test]
fn statistics_go_to_standard_error_on_request() {
    let run = lwaa(&["sat", "p & G (p -> X p) & F !p", "--stats"]);
    assert_eq!(run.stdout, "unsatisfiable\n");
    let names: Vec<&str> =
        run.stderr.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(
        names.join(","),
        "terms,searches,locations,signs,configurations,nodes,nodes again,transitions,components,\
        depth,cache hits,cache misses,spared,cache hit rate,strategy,time,peak memory"
    );
}

fn object(arguments: &[&str]) -> Value {
    let run = lwaa(arguments);
    assert_eq!(run.stderr, "");
    assert_eq!(run.stdout.lines().count(), 1);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn json_has_the_fields_of_schema_1() {
    let object = object(&["sat", "p & !q & X G (q & !p)", "--json"]);
    assert_eq!(object["schema"], 1);
    assert_eq!(object["verdict"], "satisfiable");
    assert_eq!(object["formula"], "p & !q & X G (q & !p)");
    assert_eq!(object["witness"], json!({ "prefix": [["p"]], "cycle": [["q"]] }));
    for field in ["states", "transitions", "nodes", "configurations", "cache_hits"] {
        assert!(object["statistics"][field].is_u64(), "{field}");
    }
    for field in ["cache_misses", "peak_bytes", "locations"] {
        assert!(object["statistics"][field].is_u64(), "{field}");
    }
    assert!(object["statistics"]["seconds"].is_f64());
}

#[test]
fn the_witness_of_an_implication_is_a_counterexample() {
    let object = object(&["implies", "p & !q", "X F (p | q)", "--json"]);
    assert_eq!(object["verdict"], "not valid");
    assert_eq!(object["formula"], "p & !q -> X F (p | q)");
    assert_eq!(object["witness"], json!({ "prefix": [["p"]], "cycle": [[]] }));
}

#[test]
fn without_a_lasso_json_has_no_witness() {
    let object = object(&["equiv", "p", "p", "--json"]);
    assert_eq!(object["verdict"], "valid");
    assert_eq!(object.get("witness"), None);
}

#[test]
fn formulas_come_from_files() {
    let folder = Folder::new("formulas");
    let file = folder.file("formula.ltl", "# a comment\nG F p\n  # another\n& F G !p\n");
    check(&["sat", "-F", &file], "unsatisfiable", 1);
    check(&["valid", "-F", &file], "not valid", 1);
}

#[test]
fn formulas_come_from_standard_input() {
    let run = lwaa_reading(&["sat", "-F", "-"], b"p\n&\n!p\n");
    assert_eq!((run.first_line(), run.code), ("unsatisfiable", Some(1)));
}

#[test]
fn a_formula_may_be_nested_a_million_deep() {
    let n = 1_000_000;
    let formula = format!("{}p{}", "!(".repeat(n), ")".repeat(n));
    let run = lwaa_reading(&["sat", "-F", "-", "--json"], formula.as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["verdict"], "satisfiable");
    assert_eq!(object["formula"].as_str().unwrap().len(), n + 1);
    assert_eq!(object["witness"]["prefix"][0], json!(["p"]));
}

#[test]
fn translate() {
    check(&["translate", "F G p"], "atoms: p", 0);
    check(&["translate", "F G p", "--to", "lwaa", "--format", "text"], "atoms: p", 0);
    check(&["translate", "F G p", "--format", "dot"], "digraph lwaa {", 0);
    check(&["translate", "F G p", "--format", "hoa"], "HOA: v1", 0);
    check(&["translate", "FGp", "--syntax", "spot"], "atoms: p", 0);
}

#[test]
fn explicit_automata_in_every_format() {
    for to in ["tgba", "nba"] {
        for via in ["lwaa", "gpvw", "gastin-oddoux"] {
            for raw in [&[][..], &["--raw"]] {
                let check = |format: &str, first_line: &str| {
                    let formula = "G (p -> F q)";
                    let arguments = [&["translate", formula, "--to", to, "--via", via], raw];
                    check(
                        &[&arguments.concat()[..], &["--format", format]].concat(),
                        first_line,
                        0,
                    );
                };
                check("text", "atoms: p q");
                check("dot", "digraph automaton {");
                check("hoa", "HOA: v1");
            }
        }
    }
    let never = ["translate", "F p", "--to", "nba", "--format", "never"];
    check(&never, "never { /* F p */", 0);
    check(&["translate", "F p", "--to", "nba", "--format", "lbt"], "2 1", 0);
    check(&["translate", "true", "--to", "tgba", "--format", "lbt"], "1 0", 0);
}

#[test]
fn a_translation_keeps_its_limits() {
    let formula: Vec<String> = (0..30).map(|i| format!("(F a{i} | G b{i})")).collect();
    let formula = formula.join(" & ");
    for via in ["lwaa", "gpvw", "gastin-oddoux"] {
        let limits = ["--time", "300ms", "--memory", "2G"];
        let translate = ["translate", &formula, "--to", "nba", "--via", via, "--raw"];
        let run = lwaa(&[&translate[..], &limits].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""), "{via}");
        assert_eq!(run.stderr.lines().next(), Some("unknown: time limit of 0.3 s reached"));
    }
}

#[test]
fn raw_translation_keeps_what_is_superfluous() {
    let n_lines = |arguments: &[&str]| lwaa(arguments).stdout.lines().count();
    let formula = "F F p & true";
    assert!(n_lines(&["translate", formula]) < n_lines(&["translate", formula, "--raw"]));
}

#[test]
fn an_automaton_with_too_many_edges_is_a_limit() {
    let folder = Folder::new("edges");
    let hard: Vec<String> = (0..40).map(|i| format!("(F a{i} | X b{i})")).collect();
    let file = folder.file("hard.ltl", format!("G ({})", hard.join(" & ")));
    let run = lwaa(&["translate", "-F", &file, "--raw", "--format", "hoa"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""), "{}", run.stderr);
    assert!(run.stderr.starts_with("error: the automaton has too many edges"), "{}", run.stderr);
}

#[test]
fn formula() {
    check(&["formula", "go-theta", "2"], "!(G F p1 & G F p2 -> G (q -> F r))", 0);
    let spin = "!(([] <> p1 && [] <> p2) -> [] (q -> <> r))";
    check(&["formula", "go-theta", "2", "--dialect", "spin"], spin, 0);
}

#[test]
fn families_are_listed() {
    let run = lwaa(&["formula", "--list"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("\nand-gf\tsat\t"), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.split('\t').count() == 4));
}

#[test]
fn random_formulas_have_the_operators_that_are_asked_for() {
    let none = "!=0,X=0,F=0,G=0,&=0,|=0,^=0,->=0,<->=0,R=0,W=0,M=0,true=0,false=0,U=3";
    let arguments = ["random", "formula", "--size", "9", "--atoms", "1", "--priority", none];
    let run = lwaa(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let rest = run.stdout.replace("p0", "");
    assert!(rest.contains('U') && rest.chars().all(|c| "U ()\n".contains(c)), "{}", run.stdout);
}

#[test]
fn a_random_structure_is_a_model() {
    let folder = Folder::new("kripke");
    let run = lwaa(&["random", "kripke", "--seed", "7", "--states", "40", "--density", "0.05"]);
    assert_eq!(run.first_line(), "# random, seed 7: 40 states, density 0.05, truth 0.5");
    let model = folder.file("random.kripke", &run.stdout);
    let explore = lwaa(&["explore", &model]);
    assert!(explore.stdout.starts_with("states 40 transitions "), "{}", explore.stdout);
    assert!(explore.stdout.contains(" deadlocks 0"), "{}", explore.stdout);
    let check = lwaa(&["check", &model, "-f", "G F p0 | F G !p0"]);
    assert_eq!((check.first_line(), check.code), ("holds", Some(0)));
    let again = lwaa(&["random", "kripke", "--seed", "7", "--states", "40", "--density", "0.05"]);
    assert_eq!(again.stdout, run.stdout);
}

#[test]
fn structures_are_checked_replayed_and_explained() {
    let folder = Folder::new("light");
    let text = "atoms red green\ninitial stop\nstate stop red -> stop go\nstate go green -> stop\n";
    let model = folder.file("light.kripke", text);
    let trace = folder.path().join("trace.json");
    let trace = trace.to_str().unwrap();
    let run = lwaa(&["check", &model, "-f", "F green", "--trace", trace]);
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.stdout, @r"
    violated
    prefix: empty
    cycle: 1 state, repeated for ever
      0  (initial state)  state = stop
                          pending: G !green
      0  step             (nothing changes)
         (state 0 again)
    `green` is never true.
    ");
    assert_eq!(lwaa(&["replay", &model, trace]).code, Some(0));
    assert_eq!(lwaa(&["simulate", &model, "--steps", "5"]).code, Some(0));
    let run = lwaa(&["check", &model, "-f", "F amber"]);
    assert_eq!(run.code, Some(2));
    assert_snapshot!(run.stderr, @r"
    error: <formula>:1:3: the structure has no atom `amber`
      |
    1 | F amber
      |   ^^^^^
    ");
    let wrong = folder.file("wrong.kripke", "initial stop\nstate stop -> go\n");
    let run = lwaa(&["explore", &wrong]);
    assert!(run.stderr.contains("wrong.kripke:2:15: there is no state `go`"), "{}", run.stderr);
}

#[test]
fn random_formulas_depend_on_the_seed_alone() {
    let random = |seed: &str| {
        let run = lwaa(&["random", "formula", "--seed", seed, "--size", "20", "--count", "3"]);
        assert_eq!(run.code, Some(0));
        assert_eq!(run.stdout.lines().count(), 3);
        run.stdout
    };
    assert_eq!(random("1"), random("1"));
    assert_ne!(random("1"), random("2"));
}
