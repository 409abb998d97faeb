//! The BEEM benchmark set: every instance is read, every proposition of its
//! properties is bound, and published numbers of states come out exactly.
//!
//! The set is not part of the project; without it the tests say that they are
//! skipped. `LWAA_BEEM_STATES=N` explores the instances with up to `N` states
//! instead of 20,000, and `LWAA_BEEM_MODELS=a,b` only some models.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the instance"
)]

#[path = "beem/data.rs"]
mod data;
#[path = "beem/macros.rs"]
mod macros;
#[path = "beem/properties.rs"]
mod properties;
#[path = "beem/verdicts.rs"]
mod verdicts;

use data::{Instance, instances};
use lwaa::check::explore;
use lwaa::check::model::Deadlock;
use lwaa::id::IdVec;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::{ProcessId, Program};
use lwaa::lang::{Model, dve};
use lwaa::search::limits::{Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::system::{Cursor, TransitionSystem};
use properties::{properties, propositions};
use std::collections::HashSet;

fn read(instance: &Instance) -> Model {
    dve::read(&instance.text(), &[])
        .unwrap_or_else(|error| panic!("{} at {:?}: {error}", instance.name, error.span))
}

/// What an exploration found.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    states: usize,
    transitions: usize,
    /// Transitions that go wrong.
    faults: usize,
}

/// What the library finds, if nothing goes wrong.
fn explore(program: &Program) -> Option<Found> {
    let (limits, monitor) = (Limits::default(), Monitor::default());
    let all =
        explore::explore(program, StoreKind::Exact, Deadlock::Stutter, limits, &monitor).unwrap().0;
    let transitions = usize::try_from(all.transitions).unwrap();
    all.incomplete.is_none().then_some(Found { states: all.states, transitions, faults: 0 })
}

/// What is found by going on behind transitions that go wrong.
fn explore_all(program: &Program) -> Found {
    let mut system = Interpreter::new(program, &[]);
    let mut open: Vec<Box<[u64]>> = system.initial_states();
    let mut seen: HashSet<Box<[u64]>> = open.iter().cloned().collect();
    let mut target = vec![0; system.n_words()];
    let (mut transitions, mut faults) = (0, 0);
    while let Some(state) = open.pop() {
        let mut cursor = Cursor::default();
        loop {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(None) => break,
                Ok(Some(_)) => {
                    transitions += 1;
                    if !seen.contains(target.as_slice()) {
                        seen.insert(target.as_slice().into());
                        open.push(target.as_slice().into());
                    }
                }
                // The cursor is behind the transition that went wrong.
                Err(_) => faults += 1,
            }
        }
    }
    Found { states: seen.len(), transitions, faults }
}

/// What `DiVinE` finds from its error state on, where it goes when a transition
/// goes wrong: all variables are 0, and the first process is in a state that it
/// does not have, but the others go on.
fn behind_the_error_state(program: &Program) -> Found {
    let first = program.processes.ids().next().unwrap();
    let is_of_first = |process: ProcessId| process == first;
    let mut program = program.clone();
    for variable in program.variables.ids().collect::<Vec<_>>() {
        let variable = &mut program.variables[variable];
        if variable.name == program.processes[first].name {
            variable.high += 1;
            variable.initial = vec![variable.high];
        } else if variable.low <= 0 {
            variable.initial.fill(0);
        }
    }
    let others = |transition: &&lwaa::lang::program::Transition| {
        !is_of_first(transition.process) && !transition.partner.is_some_and(is_of_first)
    };
    let left: IdVec<_, _> = program.transitions.iter().filter(others).cloned().collect();
    program.transitions = left;
    explore_all(&program)
}

/// Instances with more published states are left out.
fn limit() -> usize {
    setting("LWAA_BEEM_STATES").map_or(20_000, |text| text.parse().unwrap())
}

/// The value of an environment variable, if there is one.
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[test]
fn published_numbers_of_states_come_out() {
    let limit = limit();
    let models = setting("LWAA_BEEM_MODELS");
    let is_wanted = |instance: &Instance| {
        let is_named = |models: &String| models.split(',').any(|name| name == instance.model);
        instance.is_complete && instance.states <= limit && models.as_ref().is_none_or(is_named)
    };
    let mut different = Vec::new();
    for instance in instances().into_iter().filter(is_wanted) {
        let model = read(&instance);
        let start = std::time::Instant::now();
        let mut found = explore(&model.program).unwrap_or_else(|| explore_all(&model.program));
        if found.faults != 0 {
            let error = behind_the_error_state(&model.program);
            found.states += error.states;
            found.transitions += error.transitions + found.faults;
        }
        let is_equal = found.states == instance.states
            && instance.edges.is_none_or(|edges| edges == found.transitions);
        let seconds = start.elapsed().as_secs_f64();
        println!("{} published {} found {found:?} {seconds:.1} s", instance.name, instance.states);
        if !is_equal {
            different.push(instance.name);
        }
    }
    assert!(different.is_empty(), "different: {different:?}");
}

#[test]
fn every_instance_is_read_and_its_propositions_are_bound() {
    for instance in instances() {
        let mut model = read(&instance);
        for (name, expression) in propositions(&instance.model, &instance.name) {
            if let Err(error) = model.bindings.atom(&mut model.program, &expression) {
                panic!("{}: {name} is {expression}: {error}", instance.name);
            }
        }
        for property in properties(&instance.model, &instance.name) {
            let place = format!("{} property {}", instance.name, property.number);
            let formula = model.bindings.formula(&property.formula);
            let formula = formula.unwrap_or_else(|error| panic!("{place}: {error}"));
            for (_, atom) in formula.atoms().iter() {
                let bound = model.bindings.atom(&mut model.program, atom);
                bound.unwrap_or_else(|error| panic!("{place}: {atom}: {error}"));
            }
            let published = match property.holds {
                Some(true) => "holds",
                Some(false) => "violated",
                None => "unknown",
            };
            println!("{place}: {}: {published}", property.formula);
        }
    }
}
