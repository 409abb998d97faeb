//! The automaton of a formula, location by location.
//!
//! A linear weak alternating automaton has a location for each temporal subformula. A location
//! moves to a *set* of locations at once, all of which have to accept the rest of the word, and
//! every set has only itself or lower locations in it: that order is why the automaton is linear.
//!
//! Run it with `cargo run --example walk_automaton`. `lwaa::lwaa` and `lwaa::hoa` are modules
//! for developers: they may change from one version to the next.

#![allow(clippy::print_stdout, reason = "an example prints")]

use lwaa::hoa::{Label, Proposition};
use lwaa::lwaa::LocationId;
use lwaa::lwaa::edges::{TooLarge, edges};
use lwaa::{Formula, Lwaa};
use std::collections::BTreeSet;

/// A location can have exponentially many edges, so there is a limit.
const MAX_EDGES: usize = 10_000;

/// The condition of an edge, with the names of its atoms.
fn condition(label: &Label, automaton: &Lwaa) -> String {
    let leaf = |leaf: &Proposition, f: &mut std::fmt::Formatter<'_>| match leaf {
        Proposition::Atom(atom) => f.write_str(automaton.atoms().name(*atom)),
        Proposition::Constant(value) => write!(f, "{value}"),
        Proposition::Alias(_) => unreachable!("only files have aliases"),
    };
    label.display(leaf).to_string()
}

/// Walks from the initial locations to all that can be reached, and describes each of them.
fn walk(automaton: &Lwaa) -> Result<Vec<String>, TooLarge> {
    let edges = edges(automaton, MAX_EDGES)?;
    let names = automaton.location_names(60);
    let mut seen: BTreeSet<LocationId> = automaton.initial().iter().copied().collect();
    let mut open: Vec<LocationId> = automaton.initial().to_vec();
    let mut lines = Vec::new();
    while let Some(id) = open.pop() {
        // A run may stay for ever in a location of even rank; it has to leave one of odd rank.
        let stays =
            if automaton.location(id).rank.is_multiple_of(2) { "may stay" } else { "has to leave" };
        lines.push(format!("{} ({stays})", names[id]));
        for edge in &edges[id] {
            let targets: Vec<&str> = edge.targets.iter().map(|&id| &*names[id]).collect();
            let condition = condition(&edge.label, automaton);
            lines.push(format!("    if {condition}: all of {{{}}}", targets.join(", ")));
            open.extend(edge.targets.iter().filter(|&&target| seen.insert(target)));
        }
    }
    Ok(lines)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let formula = Formula::parse("G (request -> F grant) & G F request")?;
    let automaton = Lwaa::from_formula(&formula);
    println!("{formula}: {} locations", automaton.n_locations());
    for line in walk(&automaton)? {
        println!("{line}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_have_their_edges() {
        let formula = Formula::parse("G (request -> F grant)").expect("a formula");
        let lines = walk(&Lwaa::from_formula(&formula)).expect("it is small");
        let described: Vec<&String> = lines.iter().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(described.len(), 2, "{lines:?}");
        assert!(lines.iter().any(|line| line == "F grant (has to leave)"), "{lines:?}");
        assert!(lines.iter().any(|line| line == "    if grant: all of {}"), "{lines:?}");
    }

    #[test]
    fn the_program_runs() {
        main().expect("the automaton is small");
    }
}
