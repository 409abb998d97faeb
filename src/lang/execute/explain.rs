//! Tells a step of a run statement by statement.
//!
//! A step may be made of several transitions, of which a search remembers the first
//! one only, and a transition of several statements. What happened in between is found
//! again here, breadth first, for people who read a run; nothing here is fast.

use super::{Interpreter, Run};
use crate::id::Id;
use crate::lang::program::Values;
use crate::lang::source::{ActorId, Piece, StatementId};
use crate::system::TransitionId;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// A statement that has run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Who ran it.
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

/// What a way is to lead to.
#[derive(Clone, Copy)]
enum Goal<'a> {
    State(&'a [u64]),
    Fault(TransitionId),
}

/// A transition, with its choices, on the way from a state.
struct Node {
    /// The state behind it, the holder included.
    state: Box<[u64]>,
    parent: Option<usize>,
    transition: TransitionId,
    choice: u32,
}

/// Transitions that follow each other within a step.
type Way = Vec<(TransitionId, u32)>;

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
        let goal = target.map_or(Goal::Fault(taken), Goal::State);
        let mut values = self.values(state);
        let mut way = self.way(state, taken, goal);
        let timeout = self.program.control.and_then(|control| control.timeout);
        if let (None, Some(timeout)) = (&way, timeout) {
            values.set(timeout, 0, 1);
            let mut state = vec![0; state.len()];
            self.layout.pack(self.program, &values, &mut state);
            way = self.way(&state, taken, goal);
        }
        self.account(values, &way.unwrap_or_default())
    }

    /// Whether the model may end in a state that has no successor.
    #[must_use]
    pub fn may_end(&self, state: &[u64]) -> bool {
        let Some(control) = self.program.control else { return false };
        self.evaluate(control.ends, &self.values(state)).is_ok_and(|value| value != 0)
    }

    /// The shortest way from a state to a goal within one step.
    fn way(&self, state: &[u64], taken: TransitionId, goal: Goal<'_>) -> Option<Way> {
        let mut search = Search { system: self, goal, nodes: Vec::new(), known: HashSet::new() };
        let first: Vec<TransitionId> = match goal {
            Goal::State(_) => vec![taken],
            // Somebody else may have gone wrong only later in the step.
            Goal::Fault(_) => self.program.transitions.ids().collect(),
        };
        let (_, found) = search.expand(state, None, &first);
        if found.is_some() {
            return found;
        }
        let mut next = 0;
        while next < search.nodes.len() {
            if let Some(found) = search.follow(next) {
                return Some(found);
            }
            next += 1;
        }
        // What blocks or never ends goes wrong as a whole.
        let is_it = |node: &Node| node.parent.is_none() && node.transition == taken;
        let whole = search.nodes.iter().find(|node| is_it(node));
        whole.filter(|_| target_is_fault(goal)).map(|node| vec![(node.transition, node.choice)])
    }

    /// Takes a way again, statement by statement.
    fn account(&self, mut values: Values, way: &[(TransitionId, u32)]) -> Vec<Ran> {
        let mut all: Vec<Ran> = Vec::new();
        for &(id, choice) in way {
            let transition = &self.program.transitions[id];
            let choices = Self::choices(transition, choice).unwrap_or_default();
            let values_before = Cow::Owned(values);
            let mut run = Run {
                program: self.program,
                values: values_before,
                choices: &choices,
                named: vec![],
            };
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

fn target_is_fault(goal: Goal<'_>) -> bool {
    matches!(goal, Goal::Fault(_))
}

/// A search for a way.
struct Search<'a, 'p> {
    system: &'a Interpreter<'p>,
    goal: Goal<'a>,
    nodes: Vec<Node>,
    known: HashSet<Box<[u64]>>,
}

impl Search<'_, '_> {
    /// Goes on from a node; the way, if it is found.
    fn follow(&mut self, node: usize) -> Option<Way> {
        let system = self.system;
        let state = self.nodes[node].state.clone();
        let mut values = system.values(&state);
        let holder = system.program.control.map(|control| control.holder);
        let held = holder.map_or(0, |holder| values.value(holder, 0));
        let is_goal = |state: &[u64]| matches!(self.goal, Goal::State(goal) if goal == state);
        if held == 0 {
            return is_goal(&state).then(|| self.way_to(node));
        }
        if let Some(holder) = holder {
            values.set(holder, 0, 0);
        }
        let mut free = vec![0; state.len()];
        system.layout.pack(system.program, &values, &mut free);
        let owner = usize::try_from((held - 1) / 2).unwrap_or(usize::MAX);
        let of_owner = |id: &TransitionId| system.program.transitions[*id].process.index() == owner;
        let ids: Vec<TransitionId> = system.program.transitions.ids().filter(of_owner).collect();
        let ends_here = is_goal(&free);
        let (can_move, found) = self.expand(&free, Some(node), &ids);
        found.or_else(|| (!can_move && ends_here).then(|| self.way_to(node)))
    }

    /// Tries transitions in a state: whether one can be taken, and the way, if one of
    /// them is the one that is to go wrong.
    fn expand(
        &mut self,
        state: &[u64],
        parent: Option<usize>,
        ids: &[TransitionId],
    ) -> (bool, Option<Way>) {
        let system = self.system;
        let timeout = system.program.control.and_then(|control| control.timeout);
        let mut target = vec![0; state.len()];
        let mut can_move = false;
        for &id in ids {
            for choice in 0.. {
                if Interpreter::choices(&system.program.transitions[id], choice).is_none() {
                    break;
                }
                match system.try_one(id, choice, state, &mut target) {
                    Ok(false) => (),
                    Ok(true) => {
                        can_move = true;
                        let mut values = system.values(&target);
                        if let Some(timeout) = timeout {
                            values.set(timeout, 0, 0);
                            system.layout.pack(system.program, &values, &mut target);
                        }
                        let state: Box<[u64]> = (&*target).into();
                        if self.known.insert(state.clone()) {
                            self.nodes.push(Node { state, parent, transition: id, choice });
                        }
                    }
                    Err(_) => {
                        if matches!(self.goal, Goal::Fault(wrong) if wrong == id) {
                            let mut way = parent.map_or_else(Vec::new, |node| self.way_to(node));
                            way.push((id, choice));
                            return (can_move, Some(way));
                        }
                    }
                }
            }
        }
        (can_move, None)
    }

    fn way_to(&self, node: usize) -> Way {
        let mut way = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.map(|at| &self.nodes[at]) {
            way.push((node.transition, node.choice));
            at = node.parent;
        }
        way.reverse();
        way
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
