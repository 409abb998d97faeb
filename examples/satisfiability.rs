//! A puzzle as a formula: the word that satisfies it is the solution.
//!
//! A farmer has to bring a wolf, a goat and a cabbage across a river. The boat takes the farmer
//! and one of them. Wolf and goat cannot be left alone, nor goat and cabbage.
//!
//! Run it with `cargo run --example satisfiability`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use lwaa::{Formula, Options, Satisfiability, satisfiable};

/// An atom is true while its bearer is on the far bank.
const RULES: &[&str] = &[
    // In the beginning all are on this bank, after seven crossings all are on the other one.
    "!farmer & !wolf & !goat & !cabbage",
    "X X X X X X X (farmer & wolf & goat & cabbage)",
    // The farmer crosses in every step; the others cross only together with the farmer.
    "G (farmer <-> X !farmer)",
    "G ((wolf <-> X wolf) | (wolf <-> farmer))",
    "G ((goat <-> X goat) | (goat <-> farmer))",
    "G ((cabbage <-> X cabbage) | (cabbage <-> farmer))",
    // At most one of them crosses at a time.
    "G ((wolf <-> X wolf) | (goat <-> X goat))",
    "G ((wolf <-> X wolf) | (cabbage <-> X cabbage))",
    "G ((goat <-> X goat) | (cabbage <-> X cabbage))",
    // What must not be left alone.
    "G ((wolf <-> goat) -> (goat <-> farmer))",
    "G ((goat <-> cabbage) -> (goat <-> farmer))",
];

/// Who is on the far bank after each crossing; nothing if the puzzle has no solution.
fn solve(rules: &[&str]) -> Result<Option<Vec<Vec<String>>>, Box<dyn std::error::Error>> {
    let conjuncts: Vec<String> = rules.iter().map(|rule| format!("({rule})")).collect();
    let formula = Formula::parse(&conjuncts.join(" & "))?;
    match satisfiable(&formula, &Options::default())?.satisfiability {
        // A lasso is an infinite word: the letters of its prefix, then those of its cycle again
        // and again. A letter is the set of atoms that are true at its position.
        Satisfiability::Satisfiable(lasso) => {
            let banks = lasso.iter().map(|letter| {
                letter.iter().map(|atom| formula.atoms().name(atom).to_owned()).collect()
            });
            Ok(Some(banks.collect()))
        }
        Satisfiability::Unsatisfiable => Ok(None),
        // Limits are fields of `Options`. Without a limit this does not happen.
        Satisfiability::Unknown(reason) => Err(reason.into()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(banks) = solve(RULES)? else {
        println!("there is no way across");
        return Ok(());
    };
    for (step, bank) in banks.iter().enumerate() {
        println!("{step:2}  {}", if bank.is_empty() { "-".to_owned() } else { bank.join(", ") });
        if bank.len() == 4 {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_come_across() {
        let banks = solve(RULES).expect("no limit is set").expect("the puzzle has a solution");
        assert_eq!(banks.iter().position(|bank| bank.len() == 4), Some(7), "{banks:?}");
    }

    #[test]
    fn three_crossings_are_too_few() {
        let rules: Vec<String> = RULES.iter().map(|rule| rule.replace("X X X", "X")).collect();
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        assert_eq!(solve(&rules).expect("no limit is set"), None);
    }

    #[test]
    fn the_program_runs() {
        main().expect("no limit is set");
    }
}
