//! Effects of a step in the making.

use super::super::program::{
    BinaryOperator, Effect, Expression as Lowered, ExpressionId as LoweredId, Program,
};
use super::super::rendezvous::Target;
use super::super::source::Step;
use super::names::{Leaf, int};

/// Effects in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub(super) list: Vec<Effect>,
    /// The statements whose effects these are.
    pub(super) steps: Vec<Step>,
    /// How many values have names.
    n_named: u32,
}

impl Effects {
    /// Gives a value a name, so that later effects do not change it.
    pub(super) fn named(&mut self, program: &mut Program, value: LoweredId) -> LoweredId {
        if program.as_constant(value).is_some() {
            return value;
        }
        let number = self.n_named;
        self.n_named += 1;
        self.list.push(Effect::Let(number, value));
        program.expression(Lowered::Temporary(number))
    }

    /// The same for several values.
    pub(super) fn all_named(
        &mut self,
        program: &mut Program,
        values: Vec<LoweredId>,
    ) -> Vec<LoweredId> {
        values.into_iter().map(|value| self.named(program, value)).collect()
    }

    /// Stores a value.
    pub(super) fn assign(
        &mut self,
        program: &mut Program,
        leaf: &Leaf,
        index: Option<LoweredId>,
        value: LoweredId,
    ) {
        if leaf.is_left_out {
            return self.leave_out(program, leaf, index, value);
        }
        let value = leaf.width.cut(program, value);
        self.list.push(Target { variable: leaf.variable, index }.assign(value));
    }

    /// Stores nothing, but goes wrong where storing would.
    fn leave_out(
        &mut self,
        program: &mut Program,
        leaf: &Leaf,
        index: Option<LoweredId>,
        value: LoweredId,
    ) {
        let zero = program.constant(0);
        let nothing = if can_fail(program, value) {
            program.binary(BinaryOperator::BitAnd, value, zero)
        } else {
            zero
        };
        let is_inside = index.is_none_or(|index| {
            let known = program.as_constant(index);
            known.is_some_and(|at| (0..int(leaf.n_elements())).contains(&at))
        });
        if !is_inside || nothing != zero {
            self.list.push(Target { variable: leaf.variable, index }.assign(nothing));
        }
    }
}

/// Whether a value may go wrong: by an index, or a division.
fn can_fail(program: &Program, value: LoweredId) -> bool {
    let mut open = vec![value];
    while let Some(id) = open.pop() {
        let expression = program.view(id);
        let can_fail = matches!(
            expression,
            Lowered::Element(..)
                | Lowered::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, ..)
        );
        if can_fail {
            return true;
        }
        open.extend(expression.operands());
    }
    false
}
