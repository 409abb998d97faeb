//! `simulate`: a run of a model, at random or by hand.

mod interactive;

use super::model::{self, Loaded};
use super::request::model::Simulate;
use super::{Exit, Failure, output};
use lwaa::lang::execute::Interpreter;
use lwaa::report::state::States;
use lwaa::report::trace::Columns;
use lwaa::system::{Cursor, Fault, TransitionId, TransitionSystem};
use lwaa::testbench::Random;
use lwaa::verdict::Moment;
use std::io::Write;

/// Makes a run and prints it.
pub(super) fn run(simulate: &Simulate) -> Result<Exit, Failure> {
    let loaded = model::load(&simulate.model)?;
    let mut simulator = Simulator::new(&loaded, simulate.seed);
    match simulate.steps {
        Some(steps) => random_run(&mut simulator, &loaded, simulate.seed, steps),
        None => interactive::run(&mut simulator),
    }
}

/// A model that is run step by step.
struct Simulator<'a> {
    system: Interpreter<'a>,
    states: States<'a>,
    random: Random,
}

/// A way to leave a state.
struct Choice {
    transition: TransitionId,
    /// Where it leads, unless it goes wrong.
    target: Result<Box<[u64]>, Fault>,
}

impl<'a> Simulator<'a> {
    fn new(loaded: &'a Loaded, seed: u64) -> Self {
        let program = &loaded.model.program;
        Self {
            system: Interpreter::new(program, &[]),
            states: States::new(program),
            random: Random::new(seed),
        }
    }

    /// All ways to leave `state`.
    fn choices(&mut self, state: &[u64]) -> Vec<Choice> {
        let mut choices = Vec::new();
        let mut target = vec![0; self.system.n_words()];
        let mut cursor = Cursor::default();
        loop {
            match self.system.next(state, &mut cursor, &mut target) {
                Ok(None) => return choices,
                Ok(Some(transition)) => {
                    let target = Ok(target.clone().into_boxed_slice());
                    choices.push(Choice { transition, target });
                }
                Err(fault) => {
                    if let Some(transition) = fault.transition {
                        choices.push(Choice { transition, target: Err(fault) });
                    }
                }
            }
        }
    }

    /// Columns that have room for all that can happen.
    fn columns(&self, n_states: usize) -> Columns {
        let transitions = self.states.program().transitions.ids();
        let widths = transitions.map(|id| self.states.mover(id).chars().count());
        Columns::new(n_states, widths.max().unwrap_or(0))
    }
}

/// A moment of which only the state is known.
fn moment(state: Box<[u64]>) -> Moment {
    Moment { state, taken: None, pending: [].into() }
}

fn random_run(
    simulator: &mut Simulator<'_>,
    loaded: &Loaded,
    seed: u64,
    steps: usize,
) -> Result<Exit, Failure> {
    let mut found = None;
    output::result(|out| {
        writeln!(out, "random run, seed {seed}")?;
        found = write_random_run(out, simulator, steps)?;
        Ok(())
    })?;
    let Some(fault) = found else { return Ok(Exit::Yes) };
    let place = fault.transition.and_then(|id| loaded.message(&fault.to_string(), id));
    output::message(&place.unwrap_or_default());
    Ok(Exit::ModelError)
}

/// Writes the run while it is made. Returns what went wrong in the model.
fn write_random_run(
    out: &mut dyn Write,
    simulator: &mut Simulator<'_>,
    steps: usize,
) -> std::io::Result<Option<Fault>> {
    let columns = simulator.columns(steps.saturating_add(1));
    let mut initial = simulator.system.initial_states();
    if initial.is_empty() {
        writeln!(out, "(there is no initial state)")?;
        return Ok(None);
    }
    let mut now = moment(initial.swap_remove(simulator.random.below(initial.len())));
    columns.write_state(out, &simulator.states, 0, None, &now)?;
    for position in 1..=steps {
        let mut choices = simulator.choices(&now.state);
        if choices.is_empty() {
            columns.write_stop(out, &simulator.states, &now.state, "")?;
            return Ok(None);
        }
        let choice = choices.swap_remove(simulator.random.below(choices.len()));
        now.taken = Some(choice.transition);
        match choice.target {
            Ok(target) => {
                let next = moment(target);
                columns.write_state(out, &simulator.states, position, Some(&now), &next)?;
                now = next;
            }
            Err(fault) => {
                let (states, culprit) = (&simulator.states, Some(choice.transition));
                columns.write_fault(out, states, &now.state, culprit, &fault)?;
                return Ok(Some(fault));
            }
        }
    }
    Ok(None)
}
