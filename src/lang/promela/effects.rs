//! Effects of a step in the making.

use super::super::program::{
    BinaryOperator, Effect, Expression as Lowered, ExpressionId as LoweredId, Program,
};
use super::super::source::Step;
use super::channel::int;
use super::names::Leaf;
use super::value::cut;

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
        let value = cut(program, leaf.width, value);
        self.list.push(match index {
            Some(index) => Effect::AssignElement(leaf.variable, index, value),
            None => Effect::Assign(leaf.variable, value),
        });
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
        let known = index.and_then(|index| program.as_constant(index));
        let is_inside =
            known.is_some_and(|at| (0..int(leaf.lens.iter().flatten().product())).contains(&at));
        match index {
            Some(index) if !is_inside || nothing != zero => {
                self.list.push(Effect::AssignElement(leaf.variable, index, nothing));
            }
            None if nothing != zero => self.list.push(Effect::Assign(leaf.variable, nothing)),
            _ => (),
        }
    }
}

/// Whether a value may go wrong: by an index, or a division.
fn can_fail(program: &Program, value: LoweredId) -> bool {
    let mut open = vec![value];
    while let Some(id) = open.pop() {
        let expression = program.view(id);
        let can_fail = match expression {
            Lowered::Element(..) => true,
            Lowered::Binary(operator, ..) => {
                matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder)
            }
            _ => false,
        };
        if can_fail {
            return true;
        }
        open.extend(expression.operands());
    }
    false
}
