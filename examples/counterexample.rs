//! A Promela model, and a counterexample that a program handles: its steps, its values, where it
//! violates the formula, and an exit code.
//!
//! Run it with `cargo run --example counterexample`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use lwaa::{Checker, Model, Run, Verdict};
use std::process::ExitCode;

/// Two processes add one to a variable, each by way of a variable of its own.
const MODEL: &str = "
    byte n, done;
    active [2] proctype Adder() {
        byte copy;
        copy = n;
        n = copy + 1;
        done++
    }";

/// When both are done, the variable is two.
const FORMULA: &str = "[] (done == 2 -> n == 2)";

/// A state of a model is a list of names and values, an action the process and its statement.
type ModelRun = Run<Vec<(String, String)>, String>;

/// The value of a variable in each state of a run.
fn values<'a>(run: &'a ModelRun, variable: &str) -> Vec<&'a str> {
    let value = |state: &'a [(String, String)]| {
        let entry = state.iter().find(|(name, _)| name == variable);
        entry.map_or("-", |(_, value)| value.as_str())
    };
    run.steps().map(|step| value(&step.state)).collect()
}

fn report(run: &ModelRun) {
    let (n, done) = (values(run, "n"), values(run, "done"));
    for (position, step) in run.steps().enumerate() {
        let action = step.action.as_deref().unwrap_or("(nothing can be done any more)");
        println!("{position}: n = {}, done = {}; then {action}", n[position], done[position]);
        if run.violated_at == Some(position) {
            println!("   violated here: nothing that follows can mend it");
            break;
        }
    }
}

fn check(text: &str, formula: &str) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let model = Model::parse("promela", text)?;
    let verdict = Checker::of(model).shortest().check(formula)?;
    Ok(match &verdict {
        Verdict::Holds => {
            println!("{formula} holds");
            ExitCode::SUCCESS
        }
        Verdict::Violated(run) => {
            println!("{formula} is violated");
            report(run);
            ExitCode::from(1)
        }
        // A limit was reached, or the model itself is wrong.
        other => {
            println!("{other}");
            ExitCode::from(3)
        }
    })
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    check(MODEL, FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_ends_with_an_exit_code() {
        assert_eq!(main().expect("a model and a formula"), ExitCode::from(1));
        let atomic = MODEL.replace("copy = n;", "atomic { copy = n;").replace("+ 1;", "+ 1 };");
        let code = check(&atomic, FORMULA).expect("a model and a formula");
        assert_eq!(code, ExitCode::SUCCESS);
    }

    #[test]
    fn the_run_has_values() {
        let model = Model::parse("promela", MODEL).expect("a model");
        let verdict = Checker::of(model).shortest().check(FORMULA).expect("a formula");
        let run = verdict.run().expect("the formula is violated");
        let last = run.violated_at.expect("a state shows the violation");
        assert_eq!((values(run, "n")[last], values(run, "done")[last]), ("1", "2"));
        let action = run.steps().next().and_then(|step| step.action.as_deref());
        assert!(action.is_some_and(|action| action.contains("Adder")), "{action:?}");
    }
}
