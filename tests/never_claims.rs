//! Spin reads our never claims, and finds with them what the formula says.
//!
//! Needs `spin` and `gcc`; without them the test says that it is skipped.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/tableau.rs"]
mod tableau;

use lwaa::baseline::translation::{Translation, buchi};
use lwaa::baseline::{configurations, never};
use lwaa::ltl::nnf;
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::testbench::kripke::Kripke;
use lwaa::{Formula, Lwaa};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use tableau::some_run_satisfies;

/// A counter that goes round, or rests for ever in 3.
const MODEL: &str = "byte x = 0;
#define p (x == 1)
#define q (x == 2)
active proctype counter() {
  do
  :: x == 0 -> x = 1
  :: x == 1 -> x = 2
  :: x == 2 -> x = 0
  :: x == 2 -> x = 3
  :: x == 3 -> x = 3
  od
}
";

/// The same by hand. The guard and the assignment are one step each, so every
/// value of `x` but the first and 3 is seen at least twice.
fn by_hand(formula: &Formula) -> Kripke {
    // Before the guard, and behind it, for each assignment.
    let values: [usize; 9] = [0, 0, 1, 1, 2, 2, 2, 3, 3];
    let successors: [&[usize]; 9] = [&[1], &[2], &[3], &[4], &[5, 6], &[0], &[7], &[8], &[7]];
    let truth = |value: usize, name: &str| match name {
        "p" => value == 1,
        "q" => value == 2,
        "x == 3" => value == 3,
        _ => unreachable!(),
    };
    Kripke {
        successors: successors.iter().map(|list| list.to_vec()).collect(),
        letters: values
            .iter()
            .map(|&value| {
                let atoms = formula.atoms().iter();
                atoms.filter(|(_, name)| truth(value, name)).map(|(atom, _)| atom).collect()
            })
            .collect(),
        initial: vec![0],
    }
}

/// Whether Spin finds a run of the model that the claim accepts.
fn spin_finds(folder: &Path, claim: &str) -> bool {
    std::fs::write(folder.join("model.pml"), MODEL).unwrap();
    std::fs::write(folder.join("claim"), claim).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{program}: {text}\n{claim}");
        text
    };
    run("spin", &["-a", "-N", "claim", "model.pml"]);
    run("gcc", &["-DNOREDUCE", "-w", "-o", "pan", "pan.c"]);
    let pan = folder.join("pan");
    let text = run(pan.to_str().unwrap(), &["-a"]);
    assert!(text.contains("never claim"), "{text}");
    !text.contains("errors: 0")
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn spin_agrees() {
    if !is_there("spin") || !is_there("gcc") {
        // Past the capture of test output: a skipped test is to be seen.
        let _ = writeln!(std::io::stderr(), "skipped: there is no spin, or no gcc");
        return;
    }
    let folder = std::env::temp_dir().join(format!("lwaa-never-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut verdicts = [0; 2];
    for (number, text) in [
        "F p",
        "G F p",
        "F G \"x == 3\"",
        "G (p -> F q)",
        "!(F q)",
        "G F p & G F q & G !\"x == 3\"",
        "F (q & X p)",
        "F (\"x == 3\" & X F p)",
        "false",
        "true",
        "!p U (p U q) & G F !q",
    ]
    .into_iter()
    .enumerate()
    {
        let formula = Formula::parse(text).unwrap();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        let automaton = match number % 3 {
            0 => buchi(&nnf::from_formula(&formula), Translation::GastinOddoux, false, &mut budget),
            1 => buchi(&nnf::from_formula(&formula), Translation::Gpvw, true, &mut budget),
            _ => configurations::buchi(&Lwaa::from_formula(&formula), &mut budget),
        };
        let claim = never::write(&automaton.unwrap(), text).unwrap();
        let expected = some_run_satisfies(&by_hand(&formula), &formula);
        assert_eq!(spin_finds(&folder, &claim), expected, "{text}\n{claim}");
        verdicts[usize::from(expected)] += 1;
        let again = never::read(&claim).unwrap();
        assert!(again.n_states() <= claim.lines().count());
    }
    assert!(verdicts.iter().all(|&n| 2 < n), "{verdicts:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
