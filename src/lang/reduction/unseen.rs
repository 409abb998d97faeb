//! Variables that a question does not see: no guard, no condition that is asked about and nothing
//! that may go wrong depends on them.
//!
//! All transitions stay, and do what they did. Only what they write into such variables is put
//! back behind each step, so states that differ in nothing else become one: the sliced system and
//! the model can follow each other step by step, with the same errors, deadlocks and endless runs.

use super::mask::Mask;
use crate::id::IdVec;
use crate::lang::analyze::Facts;
use crate::lang::layout::Layout;
use crate::lang::program::{
    Effect, Expression, ExpressionId, Program, Transition, TransitionId, VariableId,
};

/// Finds what is seen.
struct Looking<'a> {
    program: &'a Program,
    is_seen: IdVec<VariableId, bool>,
    /// Seen variables of which the assignments have not been looked at.
    open: Vec<VariableId>,
}

/// The variables that have a place in states and are not seen by these conditions.
pub(super) fn unseen(
    program: &Program,
    layout: &Layout,
    conditions: &[ExpressionId],
) -> Vec<VariableId> {
    let is_seen = IdVec::filled(false, program.variables.len());
    let mut looking = Looking { program, is_seen, open: Vec::new() };
    for &condition in conditions {
        looking.look(None, condition);
    }
    if let Some(control) = program.control {
        looking.see(control.holder);
        control.timeout.into_iter().for_each(|timeout| looking.see(timeout));
        looking.look(None, control.ends);
    }
    let facts = Facts::new(program, layout);
    let mut writers: IdVec<VariableId, Vec<(TransitionId, usize)>> =
        IdVec::filled(Vec::new(), program.variables.len());
    for (id, transition) in program.transitions.entries() {
        looking.look(Some(transition), transition.guard);
        for (number, effect) in transition.effects.iter().enumerate() {
            if let Some((variable, ..)) = effect.assignment() {
                writers[variable].push((id, number));
            }
            looking.look_at_failing(&facts, transition, effect);
        }
    }
    while let Some(variable) = looking.open.pop() {
        for &(id, number) in &writers[variable] {
            let transition = &program.transitions[id];
            if let Some((_, index, value)) = transition.effects[number].assignment() {
                looking.look(Some(transition), value);
                if let Some(index) = index {
                    looking.look(Some(transition), index);
                }
            }
        }
    }
    let has_place = |&id: &VariableId| layout.place(id).is_some() && !looking.is_seen[id];
    program.variables.ids().filter(has_place).collect()
}

impl Looking<'_> {
    fn see(&mut self, variable: VariableId) {
        if !std::mem::replace(&mut self.is_seen[variable], true) {
            self.open.push(variable);
        }
    }

    /// Sees what an expression depends on, also by what its transition has named.
    fn look(&mut self, transition: Option<&Transition>, whole: ExpressionId) {
        let mut named: Vec<u32> = Vec::new();
        let mut open = vec![whole];
        while let Some(next) = open.pop() {
            for (_, part) in self.program.parts_of([next]) {
                if let Some(variable) = part.variable() {
                    self.see(variable);
                }
                let Expression::Temporary(number) = part else { continue };
                if named.contains(&number) {
                    continue;
                }
                named.push(number);
                for effect in transition.iter().flat_map(|transition| &transition.effects) {
                    match *effect {
                        Effect::Let(of, value) if of == number => open.push(value),
                        _ => (),
                    }
                }
            }
        }
    }

    /// Sees what an effect depends on if it may go wrong, whatever the values of variables are.
    fn look_at_failing(&mut self, facts: &Facts, transition: &Transition, effect: &Effect) {
        match *effect {
            Effect::Assert(condition, _) => self.look(Some(transition), condition),
            Effect::Let(_, value) if facts.fact(value).can_fail => {
                self.look(Some(transition), value);
            }
            _ => (),
        }
        let Some((variable, index, value)) = effect.assignment() else { return };
        let declared = &self.program.variables[variable];
        let fact = facts.fact(value);
        if fact.can_fail || fact.low < declared.low || declared.high < fact.high {
            self.look(Some(transition), value);
        }
        if let Some(index) = index {
            let fact = facts.fact(index);
            let len = i64::try_from(declared.n_elements()).unwrap_or(i64::MAX);
            if fact.can_fail || fact.low < 0 || len <= fact.high {
                self.look(Some(transition), index);
            }
        }
    }
}

/// What puts these variables back; nothing if there are none.
pub(super) fn mask(program: &Program, layout: &Layout, unseen: &[VariableId]) -> Option<Mask> {
    let mut kept = vec![u64::MAX; layout.n_words()];
    for &variable in unseen {
        let place = layout.place(variable)?;
        for index in 0..program.variables[variable].n_elements() {
            let (word, shift) = place.element(index);
            kept[word] &= !(place.mask() << shift);
        }
    }
    (!unseen.is_empty()).then(|| Mask::keeping(kept))
}
