//! `cross`: translators of this program and commands, right and wrong ones.

use crate::program::{Folder, Run, lwaa};
use insta::assert_snapshot;

/// A command that runs this program as a translator.
fn ourselves(arguments: &str) -> String {
    format!("{} translate {arguments}", env!("CARGO_BIN_EXE_lwaa"))
}

fn cross(arguments: &[&str]) -> Run {
    lwaa(&[&["cross"], arguments].concat())
}

/// The row of a translator, without its name.
fn row<'a>(run: &'a Run, name: &str) -> Vec<&'a str> {
    let line = run.stdout.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
    line[name.len()..].split_whitespace().collect()
}

#[test]
fn ours_and_the_rivals_agree() {
    let run = cross(&["--seed", "3", "--rounds", "12"]);
    assert_eq!((run.first_line(), run.code), ("rounds 12, disagreements 0", Some(0)), "{run:?}");
    assert_eq!(run.stderr, "");
    for name in ["lwaa", "gpvw", "gastin-oddoux/nba"] {
        assert_eq!(row(&run, name)[..5], ["24", "0", "0", "0", "0"]);
    }
    let again = cross(&["--seed", "3", "--rounds", "12"]);
    assert_eq!(run.stdout, again.stdout);
}

#[test]
fn a_round_is_found_again_by_its_seed() {
    let all = cross(&["--seed", "3", "--rounds", "2", "--json"]);
    let parts = ["3", "4"].map(|seed| cross(&["--seed", seed, "--rounds", "1", "--json"]));
    let states = |run: &Run| {
        let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(object["verdict"], "no disagreement");
        object["translators"][0]["states"].as_u64().unwrap()
    };
    assert_eq!(states(&all), parts.iter().map(states).sum::<u64>());
}

/// The formula is negated on its way to the command: by a script, in each of
/// the formats.
#[cfg(unix)]
#[test]
fn a_wrong_command_is_named_with_a_smallest_formula() {
    let folder = Folder::new("cross-wrong");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cross_fixtures/negated.sh");
    for format in ["hoa", "never", "lbt"] {
        let command = format!("{{negated}} sh {script} {} {format} %f", env!("CARGO_BIN_EXE_lwaa"));
        let page = folder.path().join("page.html");
        let page_name = page.to_str().unwrap();
        let run = cross(&["--rounds", "4", "--translator", &command, "--html", page_name]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.first_line().starts_with("rounds 4, disagreements "), "{run:?}");
        assert_eq!(row(&run, "negated")[..2], ["8", "4"]);
        assert_eq!(row(&run, "lwaa")[..2], ["8", "0"]);
        let proof = run.stdout.lines().skip_while(|line| !line.contains(" is wrong on "));
        let proof: Vec<&str> = proof.take(6).collect();
        assert_eq!(
            proof,
            [
                "negated is wrong on true",
                "its automaton rejects a word on which the formula is true:",
                "prefix: empty",
                "cycle: 1 letter, repeated for ever",
                "  0  (no atoms)",
                "found by test 1 on p0 & G X (G p2 U (F p1 | G p2))",
            ]
        );
        let again = run.stdout.lines().find_map(|line| line.strip_prefix("again: ")).unwrap();
        assert!(again.starts_with("lwaa cross --seed 0 --rounds 1 --translator '"), "{again}");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains("<h3>negated on <code>true</code></h3>"), "{page}");
        assert!(page.ends_with("</html>\n"));
    }
}

#[cfg(unix)]
#[test]
fn right_commands_agree_in_every_format_and_dialect() {
    let commands = [
        ourselves("%f --to nba --format never"),
        ourselves("--syntax lbt %l --to tgba --via gpvw --format hoa > %o"),
        ourselves("-F %S --to tgba --via lwaa --format lbt"),
        ourselves("-F %L --syntax lbt --to tgba --format hoa"),
    ];
    let mut arguments = vec!["--rounds", "5", "--builtin", "lwaa"];
    for command in &commands {
        arguments.extend(["--translator", command]);
    }
    let run = cross(&arguments);
    assert_eq!((run.first_line(), run.code), ("rounds 5, disagreements 0", Some(0)), "{run:?}");
    for command in &commands {
        assert_eq!(row(&run, command)[..5], ["10", "0", "0", "0", "0"]);
    }
}

#[cfg(unix)]
#[test]
fn crashes_and_timeouts_are_no_disagreements() {
    let arguments = [
        "--rounds",
        "1",
        "--builtin",
        "lwaa",
        "--timeout",
        "100ms",
        "--translator",
        "{crash} echo oops %f >&2; exit 7",
        "--translator",
        "{sleep} sleep 100; echo %f",
        "--translator",
        "{noise} echo hello; : %f",
        "--translator",
        "{mute} : %f",
        "--translator",
        &format!("{{late}} {}; exit 3", ourselves("%f --to nba --format hoa")),
    ];
    let run = cross(&arguments);
    // Who has translated nothing has not been tested.
    assert_eq!((run.first_line(), run.code), ("rounds 1, disagreements 0", Some(3)), "{run:?}");
    assert!(run.stderr.starts_with("note: crash has translated nothing"), "{run:?}");
    let messages: Vec<&str> = run.stdout.lines().filter(|line| line.contains(" on p0")).collect();
    assert_snapshot!(messages.join("\n"), @r"
    crash on p0 & G X (G p2 U (F p1 | G p2)): exit status: 7: oops p0 & G X (G p2 U (F p1 | G p2))
    sleep on p0 & G X (G p2 U (F p1 | G p2)): no automaton within 0.1 s
    noise on p0 & G X (G p2 U (F p1 | G p2)): 1:1: expected an automaton: `HOA:`, `never` or the numbers of LBT
    mute on p0 & G X (G p2 U (F p1 | G p2)): no automaton
    late on p0 & G X (G p2 U (F p1 | G p2)): exit status: 3
    ");
    assert_eq!(row(&run, "sleep")[..4], ["0", "0", "0", "2"]);
    assert_eq!(row(&run, "crash")[..4], ["0", "0", "2", "0"]);
}

#[cfg(unix)]
#[test]
#[expect(clippy::print_stderr, reason = "whoever reads on should know what was left out")]
fn spin_agrees() {
    if std::process::Command::new("spin").arg("-V").output().is_err() {
        eprintln!("spin is not installed: left out");
        return;
    }
    let arguments = [
        "--rounds",
        "40",
        "--priority",
        "X=0",
        "--size",
        "3..7",
        "--translator",
        "{spin} spin -f %s",
    ];
    let run = cross(&arguments);
    assert_eq!((run.first_line(), run.code), ("rounds 40, disagreements 0", Some(0)), "{run:?}");
    assert_eq!(row(&run, "spin")[1..3], ["0", "0"]);
}

#[test]
fn what_is_known_is_printed_when_time_is_up() {
    let run = cross(&["--rounds", "1000000000", "--time", "300ms", "--builtin", "lwaa"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.first_line().starts_with("rounds "), "{run:?}");
    let second = run.stdout.lines().nth(1).unwrap();
    assert!(second.ends_with("of 1000000000 rounds: time limit of 0.3 s reached"), "{second}");
}

/// Two states for `true`, with a condition that has to be taken apart.
#[cfg(unix)]
const REDUNDANT: &str = "HOA: v1\nStates: 2\nStart: 0\nAP: 0\nAcceptance: 2 Inf(0) & Fin(1)\n\
                         --BODY--\nState: 0\n[t] 1\nState: 1\n[t] 1 {0}\n--END--\n";

#[cfg(unix)]
#[test]
fn sizes_are_those_of_automata_as_they_are_written() {
    let folder = Folder::new("cross-sizes");
    let file = folder.file("true.hoa", REDUNDANT);
    let command = format!("{{fin}} cat {file}; : %f");
    let run = cross(&["--rounds", "1", "--builtin", "none", "--translator", &command]);
    assert_eq!(row(&run, "fin")[5..8], ["2.00", "2.00", "2.00"], "{run:?}");
}

/// An atom that the formula does not have is false: this accepts nothing.
#[cfg(unix)]
#[test]
fn an_automaton_about_other_atoms_is_wrong() {
    let folder = Folder::new("cross-atoms");
    let text = REDUNDANT.replace("AP: 0", "AP: 1 \"other\"").replace("[t] 1 {0}", "[0] 1 {0}");
    let file = folder.file("other.hoa", text);
    let command = format!("{{other}} cat {file}; : %f");
    let run = cross(&["--rounds", "1", "--builtin", "lwaa", "--translator", &command]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(row(&run, "other")[..3], ["2", "1", "0"]);
}

/// `X` is taken for nothing, which is one mistake whatever the atom is called.
#[cfg(unix)]
#[test]
fn one_mistake_is_told_once() {
    let command = format!(
        "{{forgetful}} {} translate --to nba --format hoa \"$(echo %f | tr -d X)\"",
        env!("CARGO_BIN_EXE_lwaa")
    );
    let typed = ["--rounds", "20", "--builtin", "lwaa", "--timeout", "20s"];
    let run = cross(&[&typed[..], &["--translator", &command]].concat());
    let told: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.strip_prefix("forgetful is wrong on ")).collect();
    let next: Vec<&&str> = told.iter().filter(|formula| formula.starts_with("X p")).collect();
    assert_eq!(next.len(), 1, "{told:?}");
    assert!(run.stdout.contains(" --timeout 20s"), "{run:?}");
}

#[test]
fn wrong_arguments_are_refused() {
    let check = |arguments: &[&str], message: &str| {
        let run = cross(arguments);
        assert_eq!((run.code, run.stderr.as_str()), (Some(2), message));
        assert_eq!(run.stdout, "");
    };
    let several = |name: &str| {
        format!(
            "error: there are several translators called `{name}`: give them names, as in '{{name}} command'\n"
        )
    };
    check(&["--builtin", "lwaa,lwaa"], &several("lwaa"));
    check(&["--translator", "{lwaa} a %f"], &several("lwaa"));
    check(&["--translator", "{a} a %f", "--translator", "{a} b %f"], &several("a"));
    check(
        &["--translator", "{x spin -f %s"],
        "error: the brace of `{x spin -f %s` is never closed: write '{name} command'\n",
    );
    check(&["--translator", "{} a %f"], "error: the translator `{} a %f` has no name\n");
    check(
        &["--translator", "a %f %z"],
        "error: there is no placeholder `%z` in the command of a translator: there are %f, %s, %l, \
         %F, %S, %L and %o, and %% is a percent sign\n",
    );
    check(&["--builtin", "none,lwaa"], "error: `none` cannot be combined with other translators\n");
    check(
        &["--priority", "atom=0,true=0,false=0"],
        "error: a formula needs atoms or constants: one of the priorities of atom, true and false \
         is not 0\n",
    );
    assert_eq!(cross(&["--states", "0"]).code, Some(2));
    check(
        &["--size", "9..2"],
        "error: `9..2` is not a size: write a number from 1 to 1000, or two such as 5..12\n",
    );
    check(
        &["--translator", "{a} foo"],
        "error: the command `foo` has no placeholder for the formula: use %f, %s or %l\n",
    );
    check(&["--builtin", "none"], "error: there is no translator to test\n");
    let run = cross(&["--builtin", "spot"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: there is no translator `spot`; there are lwaa, "));
}
