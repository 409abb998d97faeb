//! Turns effects into code that patches the successor in place.

use super::emit::{Emitter, FREE, Label, Leaf, Unfit};
use super::instruction::Instruction;
use crate::lang::program::{Effect, ExpressionId, VariableId};

impl Emitter<'_> {
    /// Does what the effect does; goes to `fail` if the interpreter has to say
    /// what goes wrong.
    pub(super) fn effect(&mut self, effect: &Effect, fail: Label) -> Result<(), Unfit> {
        match *effect {
            Effect::Let(number, value) => {
                // Evaluated elsewhere first: the old value may be an operand.
                let to = Self::temporary(number)?;
                let from = self.any_register(value, FREE)?;
                self.push(Instruction::Move { to, from });
                Ok(())
            }
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
    fn assign(
        &mut self,
        id: VariableId,
        element: usize,
        value: ExpressionId,
        fail: Label,
    ) -> Result<(), Unfit> {
        if self.interpreter.layout.place(id).is_none() {
            return self.assign_nothing(id, value, fail);
        }
        let variable = &self.program.variables[id];
        let field = self.field(Leaf { variable: id, element })?;
        let span = variable.high.wrapping_sub(variable.low);
        if let Some(constant) = self.constant(value) {
            let is_inside = variable.low <= constant && constant <= variable.high;
            self.push(match u32::try_from(constant.wrapping_sub(variable.low)) {
                Ok(distance) if is_inside => Instruction::SetField { field, distance },
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
                self.push(Instruction::AddToField { field, offset, span });
                return Ok(());
            }
            if variable.low <= fact.low && fact.high <= variable.high {
                self.push(Instruction::CopyField { to: field, from, offset });
                return Ok(());
            }
        }
        let from = self.any_register(value, FREE)?;
        let low = i32::try_from(variable.low).map_err(|_| Unfit)?;
        self.push(Instruction::Store { from, field, low, span });
        Ok(())
    }

    /// Assigns to a variable that has only one value: nothing happens, if it
    /// is that one.
    fn assign_nothing(
        &mut self,
        id: VariableId,
        value: ExpressionId,
        fail: Label,
    ) -> Result<(), Unfit> {
        let right = i32::try_from(self.program.variables[id].low).map_err(|_| Unfit)?;
        let left = self.any_register(value, FREE)?;
        self.push(Instruction::EqualConstant { left, right, otherwise: fail.0 });
        Ok(())
    }

    fn assign_element(
        &mut self,
        id: VariableId,
        index: ExpressionId,
        value: ExpressionId,
        fail: Label,
    ) -> Result<(), Unfit> {
        if self.interpreter.layout.place(id).is_none() {
            let index = self.any_register(index, FREE)?;
            let table = self.table(id);
            self.push(Instruction::Table { to: FREE, index, table });
            return self.assign_nothing(id, value, fail);
        }
        let array = self.array(id)?;
        if let Some((field, offset)) = self.affine(index)
            && let Ok(offset) = i32::try_from(offset)
        {
            let from = self.any_register(value, FREE)?;
            self.push(Instruction::StoreAt { from, array, field, offset });
            return Ok(());
        }
        let index = self.any_register(index, FREE)?;
        let from = self.any_register(value, FREE + 1)?;
        self.push(Instruction::StoreElement { from, index, array });
        Ok(())
    }
}
