//! Turns effects into code that patches the successor in place.

use super::emit::{Emitter, FREE, Fit, Label, Leaf, Unfit};
use super::instruction::{Element, ElementAt, Instruction, Patch, Test};
use super::routine::Routine;
use crate::lang::program::{Effect, ExpressionId, Variable, VariableId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

impl Emitter<'_> {
    /// Does all effects; what is left to do at the end are patches, one for
    /// each word.
    ///
    /// A constant for an element is such a patch if the effects do not refer
    /// to its variable otherwise. That is what most effects are, program
    /// counters first of all.
    pub(super) fn effects(&mut self, effects: &[Effect], fail: Label) -> Fit<Vec<Patch>> {
        let mentioned = self.mentioned(effects);
        let mut patches: Vec<Patch> = Vec::new();
        for effect in effects {
            match self.patch(effect) {
                Some((variable, patch)) if mentioned.get(&variable) == Some(&1) => {
                    if !patches.iter_mut().any(|known| known.join(&patch)) {
                        patches.push(patch);
                    }
                }
                _ => self.effect(effect, fail)?,
            }
        }
        Ok(patches)
    }

    /// What an effect does, if it puts a constant into a fixed place.
    fn patch(&self, effect: &Effect) -> Option<(VariableId, Patch)> {
        let (variable, index, value) = effect.assignment()?;
        let element = index.map_or(Some(0), |index| self.constant(index));
        let element = usize::try_from(element?).ok()?;
        let &Variable { low, high, .. } = &self.program.variables[variable];
        let value = self.constant(value).filter(|&value| low <= value && value <= high)?;
        if self.program.variables[variable].n_elements() <= element {
            return None;
        }
        let field = self.field(Leaf { variable, element }).ok()?;
        let distance = u32::try_from(value.wrapping_sub(low)).ok()?;
        Some((variable, Patch::new(field, distance)))
    }

    /// How often each variable is read or assigned in effects; reading twice
    /// in shared expressions counts once.
    fn mentioned(&self, effects: &[Effect]) -> HashMap<VariableId, u32, FxBuildHasher> {
        let mut mentioned: HashMap<VariableId, u32, FxBuildHasher> = HashMap::default();
        let mut open: Vec<ExpressionId> = Vec::new();
        let mut routines: Vec<&Routine> = Vec::new();
        let mut assigned: Vec<VariableId> = Vec::new();
        for effect in effects {
            match effect {
                Effect::Assert(value, _) if self.routines.contains_key(value) => {
                    routines.extend(self.routines.get(value));
                }
                Effect::Let(_, value) | Effect::Assert(value, _) => open.push(*value),
                _ => (),
            }
            if let Some((variable, index, value)) = effect.assignment() {
                assigned.push(variable);
                *mentioned.entry(variable).or_default() += 1;
                open.extend(index.into_iter().chain([value]));
            }
        }
        for variable in assigned {
            let is_read = |routine: &&&Routine| routine.variables.contains(&variable);
            let n_routines = routines.iter().filter(is_read).count();
            *mentioned.entry(variable).or_default() += u32::from(0 < n_routines);
        }
        for (_, part) in self.program.parts_of(open) {
            if let Some(variable) = part.variable() {
                *mentioned.entry(variable).or_default() += 1;
            }
        }
        mentioned
    }

    /// Does what the effect does; goes to `fail` if the interpreter has to say
    /// what goes wrong.
    pub(super) fn effect(&mut self, effect: &Effect, fail: Label) -> Fit {
        match *effect {
            Effect::Let(number, value) => {
                // Evaluated elsewhere first: the old value may be an operand.
                let to = Self::temporary(number)?;
                let from = self.any_register(value, FREE)?;
                self.push(Instruction::Move(to, from));
                Ok(())
            }
            Effect::Assert(condition, _) if self.call(condition, fail) => Ok(()),
            Effect::Assert(condition, _) => self.go_on_if(condition, true, fail, FREE),
            Effect::Assign(variable, value) => self.assign(variable, 0, value, fail),
            Effect::AssignElement(variable, index, value) => {
                let len = self.program.variables[variable].n_elements();
                match self.constant(index).map(usize::try_from) {
                    Some(Ok(element)) if element < len => {
                        self.assign(variable, element, value, fail)
                    }
                    Some(_) => {
                        self.push(Instruction::Fail);
                        Ok(())
                    }
                    None => self.assign_element(variable, index, value, fail),
                }
            }
        }
    }

    /// Assigns to an element that is known.
    fn assign(&mut self, id: VariableId, element: usize, value: ExpressionId, fail: Label) -> Fit {
        if self.interpreter.layout.place(id).is_none() {
            return self.assign_nothing(id, value, fail);
        }
        let variable = &self.program.variables[id];
        let field = self.field(Leaf { variable: id, element })?;
        let span = variable.high.wrapping_sub(variable.low);
        if let Some(constant) = self.constant(value) {
            let is_inside = variable.low <= constant && constant <= variable.high;
            self.push(match u32::try_from(constant.wrapping_sub(variable.low)) {
                Ok(distance) if is_inside => Instruction::SetField(field, distance),
                _ => Instruction::Fail,
            });
            return Ok(());
        }
        let span = u32::try_from(span).map_err(|_| Unfit)?;
        if let Some((from, low)) = self.affine(value)
            && let Some(offset) = low.checked_sub(variable.low)
            && let Ok(offset) = i32::try_from(offset)
        {
            let fact = self.facts.fact(value);
            if from == field {
                self.push(Instruction::AddToField(field, offset, span));
                return Ok(());
            }
            if variable.low <= fact.low && fact.high <= variable.high {
                self.push(Instruction::CopyField(field, from, offset));
                return Ok(());
            }
        }
        let from = self.any_register(value, FREE)?;
        let low = i32::try_from(variable.low).map_err(|_| Unfit)?;
        self.push(Instruction::Store(field, from, low, span));
        Ok(())
    }

    /// Assigns to a variable that has only one value: nothing happens, if it
    /// is that one.
    fn assign_nothing(&mut self, id: VariableId, value: ExpressionId, fail: Label) -> Fit {
        let right = i32::try_from(self.program.variables[id].low).map_err(|_| Unfit)?;
        let left = self.any_register(value, FREE)?;
        self.push(Instruction::EqualConstant(Test { left, right, otherwise: fail.0 }));
        Ok(())
    }

    fn assign_element(
        &mut self,
        id: VariableId,
        index: ExpressionId,
        value: ExpressionId,
        fail: Label,
    ) -> Fit {
        if self.interpreter.layout.place(id).is_none() {
            let index = self.any_register(index, FREE)?;
            let table = self.table(id);
            self.push(Instruction::Table(FREE, index, table));
            return self.assign_nothing(id, value, fail);
        }
        let array = self.array(id)?;
        if let Some((field, offset)) = self.affine(index)
            && let Ok(offset) = i32::try_from(offset)
        {
            let from = self.any_register(value, FREE)?;
            self.push(Instruction::StoreAt(ElementAt { register: from, array, field, offset }));
            return Ok(());
        }
        let index = self.any_register(index, FREE)?;
        let from = self.any_register(value, FREE + 1)?;
        self.push(Instruction::StoreElement(Element { register: from, index, array }));
        Ok(())
    }
}
