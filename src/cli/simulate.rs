//! `simulate`: a run of a model, at random or by hand.

mod interactive;

use super::check::stopped;
use super::model::{self, Loaded};
use super::request::model::Simulate;
use super::{Exit, Failure, output, picture, terminal};
use lwaa::check::room::{Stop, with_room};
use lwaa::lang::Demand;
use lwaa::lang::compile::Compiled;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::Program;
use lwaa::report::json::trace::Origin;
use lwaa::report::run_page::Shown;
use lwaa::report::state::States;
use lwaa::report::trace::Columns;
use lwaa::run::{Ending, Moment, Run};
use lwaa::search::limits::Monitor;
use lwaa::system::{Cursor, StepError, TransitionId, TransitionSystem};
use lwaa::testbench::Random;
use std::io::Write;

/// Makes a run and prints it. Steps that are asked for wait for their user, and nothing
/// is limited then.
pub(super) fn run(simulate: Simulate) -> Result<Exit, Failure> {
    if simulate.steps.is_none() {
        return make(&simulate, &Monitor::default());
    }
    super::within(simulate.limits, move |monitor| make(&simulate, monitor))
}

fn make(simulate: &Simulate, monitor: &Monitor) -> Result<Exit, Failure> {
    let mut loaded = model::load(&simulate.model)?;
    // The user sees every step and every variable.
    loaded.remake(Demand::Everything)?;
    let refuse = |error| loaded.failure(&error);
    with_room(&loaded.model, &[], true, refuse, |system| {
        let mut simulator = Simulator::new(system.program(), simulate.seed);
        let Some(steps) = simulate.steps else {
            let run = Run { moments: interactive::run(&mut simulator)?, ending: Ending::Open };
            write_files(simulate, &loaded, &run, &simulator.states)?;
            return Ok(Exit::Yes);
        };
        let Made { moments, error } = random_run(&mut simulator, simulate, steps, monitor)?;
        let ending = match error {
            Some(StepError::Room(room)) => {
                output::result(|out| {
                    writeln!(out, "(the model needs more room: the run starts again)")
                })?;
                return Err(Stop::Room(room));
            }
            Some(StepError::Fault(fault)) => Ending::Fault(fault),
            None => Ending::Open,
        };
        let run = Run { moments, ending };
        write_files(simulate, &loaded, &run, &simulator.states)?;
        if run.fault().is_none() {
            return Ok(if monitor.is_stopped() { Exit::Unknown } else { Exit::Yes });
        }
        output::message(&loaded.message(system.program(), &run).unwrap_or_default());
        Ok(Exit::ModelError)
    })
}

/// Writes and draws a run, if that was asked for.
fn write_files(
    simulate: &Simulate,
    loaded: &Loaded,
    run: &Run,
    states: &States<'_>,
) -> Result<(), Failure> {
    write_trace(simulate, loaded, run, states)?;
    let title = match simulate.steps {
        Some(_) => format!("{}: random run, seed {}", loaded.name, simulate.seed),
        None => format!("{}: a run step by step", loaded.name),
    };
    let has_moments = !run.moments.is_empty();
    picture::chart(&simulate.drawn, &title, has_moments.then_some((run, states)), None)?;
    let Some(path) = &simulate.drawn.page else { return Ok(()) };
    let is_stuck = match run.last_state() {
        // The last state has a way on, unless the run ended there since it has none.
        Some(state) if run.fault().is_none() => Interpreter::new(states.program(), &[])
            .next(state, &mut Cursor::default(), &mut vec![0; state.len()])
            .is_ok_and(|next| next.is_none()),
        _ => false,
    };
    let ended = Run { ending: Ending::Deadlock, ..run.clone() };
    let run = if is_stuck { &ended } else { run };
    let sentence = match run.ending {
        Ending::Deadlock | Ending::Fault(_) => stopped(run, states),
        _ => "This is one run of many.".into(),
    };
    let shown = Shown { sentence, ..Shown::of_run(&loaded.name, run, states.program()) };
    picture::page(path, title, vec![shown])
}

/// Writes a run to a file, if that was asked for.
fn write_trace(
    simulate: &Simulate,
    loaded: &Loaded,
    run: &Run,
    states: &States<'_>,
) -> Result<(), Failure> {
    let Some(path) = &simulate.trace else { return Ok(()) };
    if run.moments.is_empty() {
        output::message(&format!("note: there is no run to write to {}\n", path.display()));
        return Ok(());
    }
    let origin = Origin { model: &loaded.name, definitions: &simulate.model.definitions };
    output::file(path, output::Style::Json, |out| {
        origin.write(out, run, states)?;
        writeln!(out)
    })
}

/// A run that has been made.
#[derive(Default)]
struct Made {
    /// Its states, or only the last one if the others are not needed.
    moments: Vec<Moment>,
    /// What went wrong in the last one.
    error: Option<StepError>,
}

/// A model that is run step by step.
struct Simulator<'a> {
    system: Interpreter<'a>,
    /// The same, for random runs: all that can happen is looked at in every state.
    fast: Compiled<'a>,
    states: States<'a>,
    random: Random,
}

/// A way to leave a state.
struct Choice {
    transition: TransitionId,
    /// Where it leads, unless it goes wrong.
    target: Result<Box<[u64]>, StepError>,
}

impl<'a> Simulator<'a> {
    fn new(program: &'a Program, seed: u64) -> Self {
        Self {
            system: Interpreter::new(program, &[]),
            fast: Compiled::new(program, &[]),
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
                Err(error) => {
                    if let Some(transition) = error.transition() {
                        choices.push(Choice { transition, target: Err(error) });
                    }
                }
            }
        }
    }

    /// One of the ways to leave `state`, at random. They are counted first, since to
    /// keep them all takes memory in proportion to their number and to the size of a state.
    fn random_choice(&mut self, state: &[u64]) -> Option<Choice> {
        let n_choices = self.nth_choice(state, usize::MAX).err().filter(|&n| 0 < n)?;
        let chosen = self.random.below(n_choices);
        self.nth_choice(state, chosen).ok()
    }

    /// The way of this number to leave `state`, or how many there are.
    fn nth_choice(&mut self, state: &[u64], number: usize) -> Result<Choice, usize> {
        let mut successors = self.fast.successors(state);
        let mut n_seen = 0;
        loop {
            let choice = match successors.advance() {
                Ok(None) => return Err(n_seen),
                Ok(Some(transition)) => (transition, Ok(())),
                Err(error) => match error.transition() {
                    Some(transition) => (transition, Err(error)),
                    None => continue,
                },
            };
            if n_seen == number {
                let (transition, went) = choice;
                return Ok(Choice { transition, target: went.map(|()| successors.words().into()) });
            }
            n_seen += 1;
        }
    }

    /// Columns that have room for all that can happen.
    fn columns(&self, n_states: usize) -> Columns {
        let transitions = self.states.program().transitions.ids();
        let widths = transitions.map(|id| self.states.mover(id).chars().count());
        Columns::new(n_states, widths.max().unwrap_or(0), terminal::run_width())
    }
}

fn random_run(
    simulator: &mut Simulator<'_>,
    simulate: &Simulate,
    steps: usize,
    monitor: &Monitor,
) -> Result<Made, Failure> {
    let mut made = Made::default();
    output::result(|out| {
        writeln!(out, "random run, seed {}", simulate.seed)?;
        let is_kept = simulate.trace.is_some() || !simulate.drawn.is_nothing();
        made = write_random_run(out, simulator, steps, monitor, is_kept)?;
        Ok(())
    })?;
    Ok(made)
}

/// Writes the run while it is made, and keeps all of it if `is_kept`.
fn write_random_run(
    out: &mut dyn Write,
    simulator: &mut Simulator<'_>,
    steps: usize,
    monitor: &Monitor,
    is_kept: bool,
) -> std::io::Result<Made> {
    let columns = simulator.columns(steps.saturating_add(1));
    let mut initial = simulator.system.initial_states();
    if initial.is_empty() {
        writeln!(out, "(there is no initial state)")?;
        return Ok(Made::default());
    }
    let mut now = Moment::new(initial.swap_remove(simulator.random.below(initial.len())), None);
    let mut moments = Vec::new();
    let mut error = None;
    columns.write_state(out, &simulator.states, 0, None, &now)?;
    for position in 1..=steps {
        // A step may take for ever (`d_step`), and what led there should be seen.
        out.flush()?;
        if monitor.is_stopped() {
            break;
        }
        let Some(choice) = simulator.random_choice(&now.state) else {
            columns.write_stop(out, &simulator.states, &now.state, "")?;
            break;
        };
        now.taken = Some(choice.transition);
        match choice.target {
            Ok(target) => {
                let next = Moment::new(target, None);
                columns.write_state(out, &simulator.states, position, Some(&now), &next)?;
                let before = std::mem::replace(&mut now, next);
                if is_kept {
                    moments.push(before);
                }
            }
            Err(wrong) => {
                let (states, culprit) = (&simulator.states, Some(choice.transition));
                if let StepError::Fault(fault) = &wrong {
                    columns.write_fault(out, states, &now.state, culprit, fault)?;
                }
                error = Some(wrong);
                break;
            }
        }
    }
    moments.push(now);
    Ok(Made { moments, error })
}
