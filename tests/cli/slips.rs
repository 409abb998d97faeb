//! Slips of users, language by language, and what they are told: the place, what is
//! wrong and, where it can be guessed, what is meant.

use crate::program::{Folder, lwaa};
use insta::assert_snapshot;

/// What is said about each text: the title of the message, without the name of the file.
fn told(extension: &str, texts: &[&str]) -> String {
    let folder = Folder::new(&format!("slips-{extension}"));
    let mut all = String::new();
    for text in texts {
        let file = folder.file(&format!("m.{extension}"), text);
        let run = match extension {
            "ltl" => lwaa(&["sat", "-F", &file]),
            "txt" => lwaa(&["requirements", &file]),
            "tsv" => lwaa(&["sat", "--batch", &file]),
            _ => lwaa(&["explore", &file]),
        };
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{text}: {run:?}");
        let title = run.stderr.lines().next().unwrap();
        let message = title.strip_prefix(&format!("error: {file}:")).unwrap_or(title);
        all.push_str(message);
        all.push('\n');
    }
    all
}

#[test]
fn slips_in_guarded_actions() {
    assert_snapshot!(told("lwm", &[
        "proces p { }",
        "Var x: bool;",
        "var x: bool; actoin a do x' = true;",
        "var x: bool; action a wen x do x' = true;",
        "var x: bool; action a when flase do x' = true;",
        "var M: bool;",
        "var x: { N, U };",
        "var x: bool; ltl p: x S x;",
        "var x: bool; ltl p: G[0,5] x;",
    ]), @r"
    1:1: expected `const`, `type`, `var`, `prop`, `process`, `action`, `ltl`, `weak` or `strong`, found `proces`; did you mean `process`?
    1:1: expected `const`, `type`, `var`, `prop`, `process`, `action`, `ltl`, `weak` or `strong`, found `Var`; did you mean `var`?
    1:14: expected `const`, `type`, `var`, `prop`, `process`, `action`, `ltl`, `weak` or `strong`, found `actoin`; did you mean `action`?
    1:23: expected `with`, `when`, `do` or `;`, found `wen`; did you mean `when`?
    1:28: `flase` is not declared; did you mean `false`?
    1:5: expected the name of a variable, but `M` is an operator of formulas
    1:13: expected the name of a value, but `U` is an operator of formulas
    1:23: expected `;`, found `S`; past operators are not supported
    1:22: expected an expression, found `[`; bounded operators are not supported
    ");
}

#[test]
fn slips_in_promela() {
    assert_snapshot!(told("pml", &[
        "proctyp P() { skip }",
        "activ proctype P() { skip }",
        "byt x; active proctype P() { skip }",
        "active proctype P() { atomc { skip } }",
        "active proctype P() { skp }",
        "active proctype P() { asert(1) }",
        "active proctype P() { if :: true -> brek fi }",
        "byte x; active proctype P() { x = 1 } ltl p { [] x } ltl p { <> x }",
        "byte x; active proctype P() { x = 1 } ltl p { [] x } never p { do :: x od }",
        "byte x; active proctype P() { d_step { x = 1; goto L; x = 2 }; L: x = 3 }",
        "byte x; active proctype P() { do :: d_step { x++; break } od }",
        "chan q = [1] of {byte}; active proctype P() { q!1 } ltl p { [] !empty(q) }",
        "chan q = [1] of {byte}; active proctype P() { q!1 } ltl p { [] nfull(q) }",
    ]), @r"
    1:1: expected a declaration or a process type, found `proctyp`; did you mean `proctype`?
    1:1: expected a declaration or a process type, found `activ`; did you mean `active`?
    1:1: expected a declaration or a process type, found `byt`; did you mean `bit`?
    1:29: expected an operator, `;` or `->`, found `{`; did you mean `atomic` instead of `atomc`?
    1:23: there is no variable `skp`; did you mean `skip`?
    1:28: expected an operator, `;` or `->`, found `(`; did you mean `assert` instead of `asert`?
    1:37: there is no variable `brek`; did you mean `break`?
    1:58: line 1 already states a property `p`
    1:54: there is already a property `p`
    1:52: this jumps out of a `d_step`, which has to be run as a whole: put the label `L` inside of it, or use `atomic`
    1:51: this ends a loop around the `d_step`, which has to be run as a whole: use `atomic`
    1:65: Spin does not read `empty` in formulas: write `len(q) == 0`
    1:64: Spin does not read `nfull` in formulas: compare `len(q)` with the capacity of the channel
    ");
}

#[test]
fn slips_in_other_models() {
    assert_snapshot!(told("dve", &[
        "proces P { state a; init a; } system async;",
        "process P { stat a; init a; } system async;",
        "process P { state a; init a; trans a -> a { gaurd true; }; } system async;",
    ]), @r"
    1:1: expected a declaration, `process` or `system`, found `proces`; did you mean `process`?
    1:13: expected `state`, `init`, `commit`, `accept`, `assert`, `trans` or `}`, found `stat`; did you mean `state`?
    1:45: expected `guard`, `sync`, `effect` or `}`, found `gaurd`; did you mean `guard`?
    ");
    assert_snapshot!(told("esml", &[
        "MODLE M; BEGIN END",
        "model M; BEGIN END",
        "MODEL M; PROCES P; BEGIN END; BEGIN P() END",
    ]), @r"
    1:1: expected `MODEL`, found `MODLE`; did you mean `MODEL`?
    1:1: expected `MODEL`, found `model`; did you mean `MODEL`?
    1:10: expected `CONST`, `TYPE`, `VAR`, `PROCESS` or `BEGIN`, found `PROCES`; did you mean `PROCESS`?
    ");
    assert_snapshot!(told("kripke", &["atom p", "atoms p inital s", "atoms p state s p -> s stat t -> s initial s"]), @r"
    1:1: expected `atoms`, `initial` or `state`, found `atom`; did you mean `atoms`?
    1:17: expected `initial` and a state, found the end of the text; did you mean `initial` instead of `inital`?
    1:31: expected `atoms`, `initial` or `state`, found `->`
    ");
}

#[test]
fn slips_in_formulas() {
    assert_snapshot!(told("ltl", &[
        "a S b",
        "H a",
        "G (a -> O b)",
        "G[0,5] a",
        "a U [<=3] b",
        "G M",
        "a & R",
        "a#b",
    ]), @r"
    1:3: past operators such as `S` are not supported
    1:1: past operators such as `H` are not supported
    1:9: past operators such as `O` are not supported
    1:2: bounded operators are not supported; `X` counts steps, as in `a | X (a | X a)`
    1:5: bounded operators are not supported; `X` counts steps, as in `a | X (a | X a)`
    1:3: expected a formula, found the operator `M`; an atom of that name needs double quotes
    1:5: expected a formula, found the operator `R`; an atom of that name needs double quotes
    1:2: unexpected character `#`; in a file, `#` at the start of a line or behind a blank begins a comment
    ");
    assert_snapshot!(told("txt", &["R1 G a", "R1: G a\nR2 F b", "R1: a S b"]), @r"
    1:3: expected `:` behind the name `R1` of a requirement, as in `R1: G a`
    2:3: expected `:` behind the name `R2` of a requirement, as in `R2: G a`
    1:7: past operators such as `S` are not supported
    ");
    assert_snapshot!(told("tsv", &["name,formula\nx,G a", "name;formula\nx;G a"]), @r"
    1:1: there is no column `formula`; columns are separated by tabs, not by commas or semicolons
    1:1: there is no column `formula`; columns are separated by tabs, not by commas or semicolons
    ");
}

#[test]
fn constants_in_capitals_get_a_warning() {
    let run = lwaa(&["sat", "TRUE & FALSE & TRUE"]);
    assert_eq!(run.code, Some(0));
    let warnings: Vec<&str> =
        run.stderr.lines().filter(|line| line.starts_with("warning")).collect();
    assert_eq!(
        warnings,
        [
            "warning: <formula>:1:1: `TRUE` is an atom here; the constant is `true`",
            "warning: <formula>:1:8: `FALSE` is an atom here; the constant is `false`",
        ]
    );
}

#[test]
fn comments_may_stand_behind_formulas() {
    let folder = Folder::new("comments");
    let file = folder.file("f.ltl", "G a # always\n& F !a # but not \"quoted\n");
    assert_eq!(lwaa(&["sat", "-F", &file]).first_line(), "unsatisfiable");
    let file = folder.file("r.txt", "R1: G a # always: so\nR2: F \"b # c\"\n");
    assert_eq!(lwaa(&["requirements", &file]).first_line(), "consistent");
}

/// Models beside the edge of what Spin accepts, and whether it does.
const BESIDE_THE_EDGE: &[(&str, bool)] = &[
    ("byte x; active proctype P() { goto L; d_step { x = 1; L: x = 2 } }", false),
    ("byte x; active proctype P() { d_step { x = 1; goto L; x = 2; L: x = 3 } }", true),
    ("byte x; active proctype P() { d_step { x = 1; goto L; x = 2 }; L: x = 3 }", false),
    ("byte x; active proctype P() { d_step { x = 1; goto L }; L: x = 3 }", false),
    ("byte x; active proctype P() { L: d_step { x++; if :: x < 3 -> goto L :: else fi } }", false),
    (
        "byte x; active proctype P() { d_step { x++; goto L; x = 9 }; d_step { x = 3; L: x = 4 } }",
        false,
    ),
    (
        "byte x; active proctype P() { d_step { x++; d_step { x = 2; goto L }; x = 4; L: x = 5 } }",
        false,
    ),
    (
        "byte x; active proctype P() { d_step { x++; atomic { x = 2; goto L }; x = 4; L: x = 5 } }",
        true,
    ),
    ("byte x; active proctype P() { do :: d_step { x++; break } od }", false),
    (
        "byte x, i; active proctype P() { for (i : 0 .. 3) { d_step { x++; if :: x == 2 -> break :: else fi } } }",
        false,
    ),
    (
        "byte x, i; active proctype P() { d_step { for (i : 0 .. 3) { if :: x == 2 -> break :: else fi } } }",
        true,
    ),
    (
        "byte x; active proctype P() { d_step { do :: x < 3 -> x++ :: else -> goto L od; L: x = 2 } }",
        true,
    ),
    ("byte x; active proctype P() { atomic { x = 1; goto L; x = 2 }; L: x = 3 }", true),
    ("byte x; active proctype P() { do :: atomic { x++; break } od }", true),
    ("byte x; active proctype P() { goto L; atomic { x = 1; L: x = 2 } }", true),
    ("chan q = [1] of {byte}; active proctype P() { !empty(q) -> skip }", false),
    ("chan q = [1] of {byte}; active proctype P() { !(nfull(q)) -> skip }", false),
    ("chan q = [1] of {byte}; active proctype P() { nempty(q) -> skip }", true),
    ("chan q = [1] of {byte}; byte x; active proctype P() { if :: q?x :: else fi }", false),
    ("chan q = [0] of {byte}; active proctype P() { do :: q!1 :: else -> break od }", false),
    ("chan q = [1] of {byte}; byte x; active proctype P() { if :: q?[x] :: else fi }", true),
    (
        "chan q = [1] of {byte}; byte x; active proctype P() { if :: nempty(q) -> q?x :: else fi }",
        false,
    ),
    (
        "chan q = [1] of {byte}; byte x; active proctype P() { if :: len(q) > 0 -> q?x :: else fi }",
        true,
    ),
    (
        "chan q = [1] of {byte}; byte x; active proctype P() { if :: x == 1 && full(q) :: else fi }",
        false,
    ),
];

/// It and we have to agree, where it is installed.
#[test]
fn spin_and_we_refuse_the_same() {
    let folder = Folder::new("spin");
    let questions = ["empty(q)", "!empty(q)", "full(q)", "!full(q)", "!nempty(q)", "!nfull(q)"];
    let about_channels = questions.map(|question| {
        format!(
            "chan q = [1] of {{byte}}; active proctype P() {{ q!1 }} ltl p {{ [] ({question}) }}"
        )
    });
    let lengths = "chan q = [1] of {byte}; active proctype P() { q!1 } ltl p { [] (len(q) > 0) }";
    let cases = BESIDE_THE_EDGE.iter().copied().chain([(lengths, true)]);
    let formulas = about_channels.iter().map(|text| (text.as_str(), false));
    for (text, is_accepted) in cases.chain(formulas) {
        let file = folder.file("m.pml", text);
        let code = lwaa(&["explore", &file]).code;
        assert_eq!(code != Some(2), is_accepted, "{text}");
        let mut spin = std::process::Command::new("spin");
        let Ok(output) = spin.args(["-a", &file]).current_dir(folder.path()).output() else {
            continue;
        };
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(!said.contains("Error"), is_accepted, "{text}: {said}");
    }
}
