//! A run by hand: lists what is possible and reads what to do.
//!
//! Works the same whether a person or a program types. What is shown goes to
//! standard output, the prompt to standard error.

use super::super::{Failure, output};
use super::{Choice, Simulator};
use lwaa::report::trace::Columns;
use lwaa::run::Moment;
use lwaa::system::{Describe, TransitionSystem};
use std::io::{BufRead, Result as IoResult, Write};

/// How many ways to go on are listed.
const MAX_LISTED: usize = 50;

const HELP: &str = "\
A number takes the step with that number; r takes a random step; u goes one
step back; q or the end of the input ends the session. An empty line lists
the possible steps again.
";

/// What the user wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Take(usize),
    Random,
    Undo,
    Quit,
    List,
    Help,
}

fn wish(line: &str, n_options: usize) -> Result<Wish, String> {
    match line.trim() {
        "" => Ok(Wish::List),
        "r" => Ok(Wish::Random),
        "u" => Ok(Wish::Undo),
        "q" => Ok(Wish::Quit),
        "?" => Ok(Wish::Help),
        text => match text.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
            Some(index) if index < n_options => Ok(Wish::Take(index)),
            _ => Err(format!(
                "`{text}` is not a step or command; an empty line lists the possible steps, ? shows help\n"
            )),
        },
    }
}

/// Reads wishes until there are no more. Returns the run.
pub(super) fn run(simulator: &mut Simulator<'_>) -> Result<Vec<Moment>, Failure> {
    let columns = simulator.columns(1000);
    let mut session = Session { simulator, columns, history: Vec::new(), options: Vec::new() };
    session.look();
    output::result(|out| session.show(out))?;
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    loop {
        output::message("> ");
        line.clear();
        let n_bytes = input
            .read_line(&mut line)
            .map_err(|error| Failure::plain(format_args!("cannot read standard input: {error}")))?;
        if n_bytes == 0 {
            return Ok(session.history);
        }
        match wish(&line, session.options.len()) {
            Ok(Wish::Quit) => return Ok(session.history),
            Ok(Wish::Help) => output::message(HELP),
            Ok(Wish::List) => output::result(|out| session.show(out))?,
            Ok(Wish::Take(index)) => session.take(index)?,
            Ok(Wish::Undo) if session.history.pop().is_none() => {
                output::message("there is nothing to undo\n");
            }
            Ok(Wish::Undo) => {
                if let Some(now) = session.history.last_mut() {
                    now.taken = None;
                }
                session.look();
                output::result(|out| session.show(out))?;
            }
            Ok(Wish::Random) if session.options.is_empty() => {
                output::message("no step is possible here\n");
            }
            Ok(Wish::Random) => {
                let index = session.simulator.random.below(session.options.len());
                session.take(index)?;
            }
            Err(message) => output::message(&message),
        }
    }
}

/// The state that the user has reached, and the way there.
struct Session<'a, 'b> {
    simulator: &'a mut Simulator<'b>,
    columns: Columns,
    /// The states so far; none before an initial state is chosen.
    history: Vec<Moment>,
    options: Vec<Way>,
}

/// One way to go on.
enum Way {
    Begin(Box<[u64]>),
    Step(Choice),
}

impl Session<'_, '_> {
    /// Finds out what is possible. An initial state that is the only one is no
    /// choice.
    fn look(&mut self) {
        if self.history.is_empty() {
            let mut initial = self.simulator.system.initial_states();
            if let ([_], Some(only)) = (&*initial, initial.last().cloned()) {
                self.history.push(Moment::new(only, None));
                initial.clear();
            }
            self.options = initial.into_iter().map(Way::Begin).collect();
        }
        if let Some(now) = self.history.last() {
            let choices = self.simulator.choices(&now.state);
            self.options = choices.into_iter().map(Way::Step).collect();
        }
    }

    /// Goes on, and shows where that leads.
    fn take(&mut self, index: usize) -> Result<(), Failure> {
        match &self.options[index] {
            Way::Begin(state) => self.history.push(Moment::new(state.clone(), None)),
            Way::Step(choice) => match &choice.target {
                Err(fault) => {
                    let mover = self.simulator.states.mover(choice.transition);
                    output::message(&format!("{mover} goes wrong: {fault}\n"));
                    return Ok(());
                }
                Ok(target) => {
                    if let Some(now) = self.history.last_mut() {
                        now.taken = Some(choice.transition);
                    }
                    self.history.push(Moment::new(target.clone(), None));
                }
            },
        }
        self.look();
        output::result(|out| self.show(out))
    }

    /// Writes the last state and what is possible there.
    fn show(&self, out: &mut dyn Write) -> IoResult<()> {
        let states = &self.simulator.states;
        if let Some((now, before)) = self.history.split_last() {
            let before_now = before.last();
            self.columns.write_state(out, states, before.len(), before_now, now)?;
        }
        for (index, way) in self.options.iter().take(MAX_LISTED).enumerate() {
            let label = format!("{:>7}", format!("{})", index + 1));
            match (way, self.history.last()) {
                (Way::Step(Choice { transition, target }), Some(now)) => {
                    let told = states.told(&now.state, *transition, target.as_deref().ok());
                    self.columns.write_told(out, &label, &told)?;
                    if let Err(fault) = target {
                        self.columns.write_remark(out, &format!("    (goes wrong: {fault})"))?;
                    }
                }
                (Way::Begin(state), _) => {
                    self.columns.write_line(out, &label, "(begin)", &states.full(state))?;
                }
                (Way::Step(_), None) => (),
            }
        }
        if let Some(more @ 1..) = self.options.len().checked_sub(MAX_LISTED) {
            self.columns.write_remark(out, &format!("(and {more} more)"))?;
        }
        if self.options.is_empty()
            && let Some(now) = self.history.last()
        {
            self.columns.write_stop(out, states, &now.state, "")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_numbers_or_letters() {
        assert_eq!(wish(" 2\n", 2), Ok(Wish::Take(1)));
        assert_eq!(wish("u\r\n", 0), Ok(Wish::Undo));
        assert_eq!(wish("\n", 0), Ok(Wish::List));
        for line in ["0", "3", "-1", "x", "1.5", "1 2"] {
            assert!(wish(line, 2).is_err(), "{line}");
        }
    }
}
