//! Tells a step of a run statement by statement.
//!
//! A step may be made of several transitions, of which a search remembers the first
//! one only, and a transition of several statements. What happened in between is found
//! again, for people who read a run; nothing here is fast.

use super::{Interpreter, Run};
use crate::lang::program::Values;
use crate::lang::source::{ActorId, Piece, StatementId};
use crate::system::TransitionId;
use std::borrow::Cow;
use std::sync::Arc;

/// A statement that has run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The actor that ran it.
    pub actor: ActorId,
    /// What was run.
    pub statement: StatementId,
    /// What it printed, if it prints.
    pub printed: Option<String>,
    /// The variables to which it gives values that are no part of states.
    pub unread: Arc<[String]>,
    /// The values behind it; where it went wrong, those before.
    pub after: Values,
}

impl Interpreter<'_> {
    /// The statements of the step from `state` to `target` that begins with `taken`; if
    /// there is no target, those up to the one that goes wrong in `taken`. Empty if
    /// there is no such step, or if the program keeps no statements.
    #[must_use]
    pub fn statements(
        &self,
        state: &[u64],
        taken: TransitionId,
        target: Option<&[u64]>,
    ) -> Vec<Ran> {
        let is_foreign = state.len() != self.layout.n_words();
        if is_foreign || self.program.source.statements.is_empty() {
            return Vec::new();
        }
        let Some(control) = self.program.control else {
            return self.account(self.values(state), &[taken]);
        };
        let (values, moves) = self.moves(control, state, 0);
        let way = moves.into_iter().find_map(|(first, outcome)| match (outcome, target) {
            (Ok(after), Some(target)) if first == taken => {
                self.ways(control, first, after).to_end(target)
            }
            // The transition that goes wrong may not be the first one of the step.
            (Ok(after), None) => self.ways(control, first, after).to_error(taken),
            (Err(_), None) if first == taken => Some(vec![first]),
            _ => None,
        });
        self.account(values, &way.unwrap_or_default())
    }

    /// Whether the model may end in a state that has no successor.
    #[must_use]
    pub fn may_end(&self, state: &[u64]) -> bool {
        let Some(control) = self.program.control else { return false };
        self.evaluate(control.ends, &self.values(state)).is_ok_and(|value| value != 0)
    }

    /// Takes a way again, statement by statement.
    fn account(&self, mut values: Values, way: &[TransitionId]) -> Vec<Ran> {
        let mut all: Vec<Ran> = Vec::new();
        for &id in way {
            let transition = &self.program.transitions[id];
            let before = Cow::Owned(values);
            let mut run =
                Run { program: self.program, values: before, choices: &[], named: vec![] };
            let mut steps = transition.steps.iter().peekable();
            for position in 0..=transition.effects.len() {
                while let Some(step) = steps.next_if(|step| step.n_effects <= position) {
                    let printed = step.print.as_ref().map(|pieces| run.printed(pieces));
                    let (actor, statement) = (step.actor, step.statement);
                    let (unread, after) = (step.unread.clone(), run.values.clone().into_owned());
                    all.push(Ran { actor, statement, printed, unread, after });
                }
                let Some(effect) = transition.effects.get(position) else { break };
                if run.apply(effect).is_err() {
                    return all;
                }
                if let Some(last) = all.last_mut() {
                    last.after = run.values.clone().into_owned();
                }
            }
            values = run.values.into_owned();
            if let Some(control) = self.program.control {
                values.set(control.holder, 0, 0);
                if let Some(timeout) = control.timeout {
                    values.set(timeout, 0, 0);
                }
            }
        }
        all
    }
}

impl Run<'_> {
    /// What a statement prints now.
    fn printed(&self, pieces: &[Piece]) -> String {
        let text = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Value(id, conversion) => match self.evaluate(*id) {
                Ok(value) => conversion.text(value),
                Err(kind) => format!("({kind})"),
            },
        });
        text.collect()
    }
}
