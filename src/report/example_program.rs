//! A small program, made by hand, that the tests of the reports report on.

use crate::lang::program::{
    BinaryOperator, Effect, Expression, Process, Program, Span, Transition, Values, Variable,
    VariableId,
};
use crate::report::state::States;

fn variable(name: &str, high: i64, len: Option<usize>, initial: i64, names: &[&str]) -> Variable {
    Variable {
        name: name.to_owned(),
        low: 0,
        high,
        len,
        initial: vec![initial; len.unwrap_or(1)],
        any: false,
        value_names: names.iter().map(|&name| name.to_owned()).collect(),
    }
}

/// Two workers, idle or busy, that take turns (`turn` is 0 or 1; 2 is a dead
/// end that no run reaches). A worker that stops counts; `count` goes to 7 at
/// most, and what comes then is an error.
pub(crate) fn two_workers() -> Program {
    let mut program = Program::default();
    let phase = program.variables.push(variable("phase", 1, Some(2), 0, &["idle", "busy"]));
    let turn = program.variables.push(variable("turn", 2, None, 0, &[]));
    let count = program.variables.push(variable("count", 7, None, 0, &[]));
    program.variables.push(variable("table", 9, Some(1000), 7, &[]));
    for number in 0..2 {
        let process = program.processes.push(Process { name: format!("worker({number})") });
        let (zero, one) = (program.constant(0), program.constant(1));
        let index = program.constant(number);
        let own_phase = program.expression(Expression::Element(phase, index));
        let whose = program.expression(Expression::Variable(turn));
        let is_mine = program.binary(BinaryOperator::Equal, whose, index);
        let is_busy = program.binary(BinaryOperator::Equal, own_phase, one);
        let is_idle = program.binary(BinaryOperator::Equal, own_phase, zero);
        let counted = program.expression(Expression::Variable(count));
        let more = program.binary(BinaryOperator::Add, counted, one);
        let other = program.constant(1 - number);
        for (action, guard, effects) in [
            ("start", is_idle, vec![Effect::AssignElement(phase, index, one)]),
            (
                "stop",
                is_busy,
                vec![
                    Effect::AssignElement(phase, index, zero),
                    Effect::Assign(turn, other),
                    Effect::Assign(count, more),
                ],
            ),
        ] {
            let guard = program.conjunction(&[is_mine, guard]);
            program.transitions.push(Transition {
                process,
                partner: None,
                action: action.to_owned(),
                choices: Vec::new(),
                guard,
                effects,
                span: Span::default(),
                steps: Vec::new(),
            });
        }
    }
    program
}

/// The packed state with these values of both phases, turn and count.
pub(crate) fn packed(program: &Program, state: &[i64; 4]) -> Box<[u64]> {
    let variables: Vec<VariableId> = program.variables.ids().collect();
    let mut values = Values::initial(program);
    values.set(variables[0], 0, state[0]);
    values.set(variables[0], 1, state[1]);
    values.set(variables[1], 0, state[2]);
    values.set(variables[2], 0, state[3]);
    States::new(program).packed(&values)
}
