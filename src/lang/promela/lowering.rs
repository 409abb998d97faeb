//! The program in the making, as the parts of a model that are lowered see it.

use super::super::program::BinaryOperator::{And, Less, LessEqual};
use super::super::program::{
    BinaryOperator, Expression as Lowered, ExpressionId as LoweredId, Program, UnaryOperator,
    VariableId,
};
use super::ast::Expressions;
use super::graph::ScopeId;
use super::names::{Instance, InstanceId, SlotNames, int};
use crate::id::Id;

/// The part of a model whose expressions are lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speaker<'a> {
    /// The process; nothing in declarations and formulas.
    pub(super) instance: Option<InstanceId>,
    pub(super) scope: ScopeId,
    /// What the numbers of expressions mean: those of the model, or those of an atom.
    pub(super) expressions: &'a Expressions,
    /// Whether no process can move where the expression is evaluated: there `np_` is false.
    pub(super) is_at_rest: bool,
}

impl<'a> Speaker<'a> {
    /// A part of the model that only knows what is global.
    pub(super) fn global(names: &'a SlotNames) -> Self {
        let expressions = &names.module.expressions;
        Self { instance: None, scope: ScopeId::new(0), expressions, is_at_rest: false }
    }
}

/// The program in the making, and what the expressions of a part of the model mean.
pub(super) struct Lowering<'a> {
    pub(super) program: &'a mut Program,
    pub(super) names: &'a SlotNames,
    pub(super) speaker: Speaker<'a>,
}

impl<'a> Lowering<'a> {
    /// Lowers what only knows what is global.
    pub(super) fn global(program: &'a mut Program, names: &'a SlotNames) -> Self {
        Self { program, names, speaker: Speaker::global(names) }
    }

    /// Lowers what stands in a block of a process.
    pub(super) fn process(
        program: &'a mut Program,
        names: &'a SlotNames,
        instance: InstanceId,
        scope: ScopeId,
    ) -> Self {
        let speaker = Speaker { instance: Some(instance), scope, ..Speaker::global(names) };
        Self { program, names, speaker }
    }

    pub(super) fn constant(&mut self, value: i64) -> LoweredId {
        self.program.constant(value)
    }

    /// A count or an index as an expression.
    pub(super) fn number(&mut self, value: usize) -> LoweredId {
        self.program.constant(int(value))
    }

    pub(super) fn variable(&mut self, variable: VariableId) -> LoweredId {
        self.program.expression(Lowered::Variable(variable))
    }

    pub(super) fn element(&mut self, array: VariableId, index: LoweredId) -> LoweredId {
        self.program.expression(Lowered::Element(array, index))
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: LoweredId,
        right: LoweredId,
    ) -> LoweredId {
        self.program.binary(operator, left, right)
    }

    pub(super) fn not(&mut self, condition: LoweredId) -> LoweredId {
        self.program.expression(Lowered::Unary(UnaryOperator::Not, condition))
    }

    pub(super) fn choose(
        &mut self,
        condition: LoweredId,
        yes: LoweredId,
        no: LoweredId,
    ) -> LoweredId {
        self.program.expression(Lowered::If(condition, yes, no))
    }

    /// Whether a value is at least `first` and less than `behind`.
    pub(super) fn is_within(
        &mut self,
        value: LoweredId,
        [first, behind]: [LoweredId; 2],
    ) -> LoweredId {
        let above = self.binary(LessEqual, first, value);
        let below = self.binary(Less, value, behind);
        self.binary(And, above, below)
    }

    /// Whether a process is at the location with this number.
    pub(super) fn is_at(&mut self, id: InstanceId, location: usize) -> LoweredId {
        let Instance { slot, base, .. } = self.names.instances[id];
        let counter = self.variable(self.names.counters[slot]);
        let place = self.constant(base + int(location));
        self.binary(BinaryOperator::Equal, counter, place)
    }
}
