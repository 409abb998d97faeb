//! Steps of single processes to transitions of the program, for languages whose processes meet at
//! channels.
//!
//! A step of a process first becomes a [`Half`]: what it demands and what it does, apart from what
//! a partner does. A half without a meeting is a transition of the program by itself; otherwise
//! each pair of a sender and a receiver of different processes is one.

use super::cursor::{Result, fail};
use super::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Program, Span, Transition,
    VariableId,
};
use super::source::Step;
use crate::id::Id;
use crate::system::ProcessId;

/// How many transitions a program may have, and how many effects all of them
/// together.
const MAX_TRANSITIONS: usize = 500_000;
const MAX_EFFECTS: usize = 4_000_000;

/// What a half needs to be a transition: nothing, or a partner at a channel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Alone,
    Sender(usize),
    Receiver(usize),
}

/// A step of a process, apart from what its partner does. `X` is what only the language knows.
#[derive(Debug)]
pub(super) struct Half<X> {
    pub(super) process: usize,
    /// The process is where the step begins.
    pub(super) is_here: ExpressionId,
    pub(super) guards: Vec<ExpressionId>,
    /// The change of the location comes first: the other effects see it.
    pub(super) effects: Vec<Effect>,
    pub(super) role: Role,
    pub(super) detail: X,
    pub(super) action: String,
    pub(super) span: Span,
}

/// Visits all steps in the order of the halves that begin them: halves alone, and each sender with
/// each receiver of another process at its channel.
pub(super) fn each_step<'h, X>(
    halves: &'h [Half<X>],
    n_channels: usize,
    mut visit: impl FnMut(&'h Half<X>, Option<&'h Half<X>>) -> Result<()>,
) -> Result<()> {
    let mut receivers: Vec<Vec<&Half<X>>> = Vec::new();
    receivers.resize_with(n_channels, Vec::new);
    for half in halves {
        if let Role::Receiver(channel) = half.role {
            receivers[channel].push(half);
        }
    }
    for half in halves {
        match half.role {
            Role::Alone => visit(half, None)?,
            Role::Sender(channel) => {
                for receiver in &receivers[channel] {
                    if half.process != receiver.process {
                        visit(half, Some(receiver))?;
                    }
                }
            }
            Role::Receiver(_) => (),
        }
    }
    Ok(())
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) variable: VariableId,
    pub(super) index: Option<ExpressionId>,
}

impl Target {
    /// The effect that puts a value there.
    pub(super) fn assign(self, value: ExpressionId) -> Effect {
        Effect::assign(self.variable, self.index, value)
    }
}

/// A comparison of a variable with a number.
pub(super) fn compare(
    program: &mut Program,
    variable: VariableId,
    operator: BinaryOperator,
    value: i64,
) -> ExpressionId {
    let variable = program.expression(Expression::Variable(variable));
    let value = program.constant(value);
    program.binary(operator, variable, value)
}

/// The assertion that a value is in a range, which is the rule `text` of the language.
pub(super) fn assert_range(
    program: &mut Program,
    value: ExpressionId,
    (low, high): (i64, i64),
    text: String,
) -> Effect {
    let (low, high) = (program.constant(low), program.constant(high));
    let above = program.binary(BinaryOperator::LessEqual, low, value);
    let below = program.binary(BinaryOperator::LessEqual, value, high);
    let fits = program.conjunction(&[above, below]);
    Effect::Assert(fits, Asserted::Rule(text))
}

/// Adds the transition of a half, or of two that meet. `n_effects` counts the effects of all.
pub(super) fn add_transition<X>(
    program: &mut Program,
    n_effects: &mut usize,
    (first, second): (&Half<X>, Option<&Half<X>>),
    guards: &[ExpressionId],
    effects: Vec<Effect>,
    steps: Vec<Step>,
) -> Result<()> {
    *n_effects += effects.len();
    let too_many = if MAX_TRANSITIONS <= program.transitions.len() {
        Some(("transitions", MAX_TRANSITIONS))
    } else if MAX_EFFECTS < *n_effects {
        Some(("effects", MAX_EFFECTS))
    } else {
        None
    };
    if let Some((what, limit)) = too_many {
        return fail(first.span, format!("the model has more than {limit} {what}, with this one"));
    }
    let action = match second {
        None => first.action.clone(),
        Some(second) => format!("{}, {}", first.action, second.action),
    };
    let guard = program.conjunction(guards);
    program.transitions.push(Transition {
        process: ProcessId::new(first.process),
        partner: second.map(|second| ProcessId::new(second.process)),
        action,
        choices: Vec::new(),
        guard,
        effects,
        span: first.span,
        steps,
    });
    Ok(())
}
