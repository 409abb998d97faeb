//! Halves to transitions, when all processes move at the same time.
//!
//! A step takes one transition of every process, and is possible only if every
//! process has one. All effects see the state before the step, besides what the
//! same process has assigned in it. Two processes that assign the same variable
//! in one step are a model error. Channels make no sense here and are refused;
//! committed states mean nothing.
//!
//! There is a transition of the program for each combination. Processes have
//! no lanes of their own then: everything is done by the first one. Who does which part is kept
//! for people.

use super::super::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, ProcessId, Program, TransitionId,
    VariableId,
};
use super::super::rendezvous::{Role, Target};
use super::super::{SourceError, cursor::Result};
use super::lower::{Detail, Half, Lowering};
use crate::id::Id;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// How many combinations there may be.
const MAX_COMBINATIONS: usize = 100_000;

/// What one process has assigned so far in a step.
#[derive(Default)]
struct Assigned {
    single: HashMap<VariableId, ExpressionId, FxBuildHasher>,
    /// Indices and values, in order.
    elements: HashMap<VariableId, Vec<(ExpressionId, ExpressionId)>, FxBuildHasher>,
}

impl Lowering<'_> {
    /// Adds the transitions of a synchronous system.
    pub(super) fn synchronous(&mut self, halves: &[Half]) -> Result<()> {
        let mut by_process: Vec<Vec<&Half>> = vec![Vec::new(); self.names.processes.len()];
        for half in halves {
            if half.detail.exchange.is_some() {
                let message = "a synchronous system has no channels: all processes move together";
                return Err(SourceError::new(half.span, message));
            }
            by_process[half.process].push(half);
        }
        let n_combinations = by_process
            .iter()
            .try_fold(1_usize, |product, halves| product.checked_mul(halves.len()));
        let is_large = n_combinations.is_none_or(|count| MAX_COMBINATIONS < count);
        if is_large && !by_process.iter().any(Vec::is_empty) {
            let message = format!(
                "the transitions of the processes of this synchronous system have more than \
                 {MAX_COMBINATIONS} combinations"
            );
            return Err(SourceError::new(halves[0].span, message));
        }
        let n_combinations = if is_large { 0 } else { n_combinations.unwrap_or(0) };
        for number in 0..n_combinations {
            let mut left = number;
            let mut step = Vec::new();
            for halves in by_process.iter().rev() {
                step.push(halves[left % halves.len()]);
                left /= halves.len();
            }
            step.reverse();
            self.step(&step)?;
        }
        Ok(())
    }

    /// The transition in which each process does its part of `step`.
    fn step(&mut self, step: &[&Half]) -> Result<()> {
        let mut guards: Vec<ExpressionId> = step.iter().map(|half| half.is_here).collect();
        guards.extend(step.iter().flat_map(|half| &half.guards));
        let mut fresh = 0..;
        let mut effects = Vec::new();
        let mut assignments = Vec::new();
        for half in step {
            let mut assigned = Assigned::default();
            for effect in &half.effects {
                self.effect(effect, &mut assigned, &mut fresh, &mut effects, &mut assignments);
            }
        }
        if let Some(variable) = contested(&self.program, step) {
            let zero = self.program.constant(0);
            let name = &self.program.variables[variable].name;
            let text = format!("only one process assigns {name} in a step");
            effects.push(Effect::Assert(zero, Asserted::Rule(text)));
        }
        effects.extend(assignments);
        let actions: Vec<&str> = step.iter().map(|half| half.action.as_str()).collect();
        let first = step[0];
        let whole = Half {
            process: 0,
            is_here: first.is_here,
            guards: Vec::new(),
            effects: Vec::new(),
            role: Role::Alone,
            detail: Detail { is_committed: false, exchange: None },
            action: actions.join(", "),
            span: first.span,
        };
        let before = self.program.transitions.len();
        self.emit((&whole, None), &guards, effects)?;
        if before < self.program.transitions.len() {
            let parts = step.iter().map(|half| (ProcessId::new(half.process), half.action.clone()));
            self.program.source.together.insert(TransitionId::new(before), parts.collect());
        }
        Ok(())
    }

    /// Computes what an effect assigns, and postpones the assignment.
    fn effect(
        &mut self,
        effect: &Effect,
        assigned: &mut Assigned,
        fresh: &mut impl Iterator<Item = u32>,
        effects: &mut Vec<Effect>,
        assignments: &mut Vec<Effect>,
    ) {
        let Some((variable, index, value)) = effect.assignment() else { return };
        let index = index.map(|index| self.seen(index, assigned));
        let index = index.map(|index| self.remember(fresh, index, effects));
        let value = self.seen(value, assigned);
        let value = self.remember(fresh, value, effects);
        assignments.push(Target { variable, index }.assign(value));
        match index {
            None => {
                assigned.single.insert(variable, value);
            }
            Some(index) => assigned.elements.entry(variable).or_default().push((index, value)),
        }
    }

    /// An expression as a process sees it that has assigned something.
    fn seen(&mut self, root: ExpressionId, assigned: &Assigned) -> ExpressionId {
        if assigned.single.is_empty() && assigned.elements.is_empty() {
            return root;
        }
        let mut seen: HashMap<ExpressionId, ExpressionId, FxBuildHasher> = HashMap::default();
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            let view = self.program.view(id);
            let before = open.len();
            open.extend(view.operands().filter(|operand| !seen.contains_key(operand)));
            if open.len() == before {
                open.pop();
                let new = self.seen_node(id, view, assigned, |id| seen[&id]);
                seen.insert(id, new);
            }
        }
        seen[&root]
    }

    /// The same for one node, given what its operands became.
    fn seen_node(
        &mut self,
        id: ExpressionId,
        view: Expression,
        assigned: &Assigned,
        new: impl Fn(ExpressionId) -> ExpressionId,
    ) -> ExpressionId {
        let view = match view {
            Expression::Variable(variable) => {
                return assigned.single.get(&variable).copied().unwrap_or(id);
            }
            Expression::Element(variable, index) => {
                let index = new(index);
                let mut value = self.program.expression(Expression::Element(variable, index));
                for &(at, assigned) in assigned.elements.get(&variable).into_iter().flatten() {
                    let is_there = self.program.binary(BinaryOperator::Equal, index, at);
                    value = self.program.expression(Expression::If(is_there, assigned, value));
                }
                return value;
            }
            Expression::Unary(operator, operand) => Expression::Unary(operator, new(operand)),
            Expression::Binary(operator, left, right) => {
                Expression::Binary(operator, new(left), new(right))
            }
            Expression::If(condition, yes, no) => Expression::If(new(condition), new(yes), new(no)),
            Expression::Constant(_) | Expression::Temporary(_) | Expression::Choice(_) => view,
        };
        self.program.expression(view)
    }
}

/// A variable that two processes of a step assign. Elements of an array are
/// variables of their own where their indices are constants.
fn contested(program: &Program, step: &[&Half]) -> Option<VariableId> {
    // The process that assigns an element, and the one that assigns an element whose index
    // depends on the state.
    let mut owner: HashMap<(VariableId, i64), usize, FxBuildHasher> = HashMap::default();
    let mut unknown: HashMap<VariableId, usize, FxBuildHasher> = HashMap::default();
    let assignments = || {
        step.iter().flat_map(|half| {
            half.effects.iter().filter_map(Effect::assignment).map(|(variable, index, _)| {
                let element = index.map_or(Some(0), |index| program.as_constant(index));
                (half.process, variable, element)
            })
        })
    };
    for (process, variable, _) in assignments().filter(|(_, _, element)| element.is_none()) {
        if *unknown.entry(variable).or_insert(process) != process {
            return Some(variable);
        }
    }
    for (process, variable, element) in assignments() {
        let is_shared = unknown.get(&variable).is_some_and(|&other| other != process);
        let is_taken = element
            .is_some_and(|element| *owner.entry((variable, element)).or_insert(process) != process);
        if is_shared || is_taken {
            return Some(variable);
        }
    }
    None
}
