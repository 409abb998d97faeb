//! Net to program: a variable for each place, a transition for each transition.

use super::capacity::Capacities;
use super::net::{Net, PlaceId};
use crate::id::{Id, IdVec};
use crate::lang::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Process, Program, Transition,
    Variable, VariableId,
};

/// The program of a net in which places have this much room.
pub(super) fn program(net: &Net, capacities: &Capacities) -> Program {
    let mut program = Program::default();
    let process = program.processes.push(Process { name: String::new() });
    for (id, place) in net.places.entries() {
        program.variables.push(Variable {
            name: place.name.clone(),
            low: 0,
            high: capacities.of_places[id],
            len: None,
            initial: vec![place.initial],
            any: false,
            value_names: Vec::new(),
        });
    }
    let tokens: IdVec<PlaceId, ExpressionId> = net
        .places
        .ids()
        .map(|place| program.expression(Expression::Variable(variable(place))))
        .collect();
    for transition in &net.transitions {
        let mut conditions = Vec::with_capacity(transition.inputs.len());
        for &(place, weight) in &transition.inputs {
            conditions.push(at_least(&mut program, tokens[place], weight));
        }
        let guard = program.conjunction(&conditions);
        let mut effects = Vec::with_capacity(transition.outputs.len());
        for (place, change) in transition.changes() {
            if 0 < change {
                let most = program.constant(capacities.of_places[place] - change);
                let fits = program.binary(BinaryOperator::LessEqual, tokens[place], most);
                effects.push(Effect::Assert(fits, Asserted::Capacity));
            }
            let change = program.constant(change);
            let after = program.binary(BinaryOperator::Add, tokens[place], change);
            effects.push(Effect::Assign(variable(place), after));
        }
        program.transitions.push(Transition {
            process,
            partner: None,
            action: transition.name.clone(),
            choices: Vec::new(),
            guard,
            effects,
            span: transition.span,
            steps: Vec::new(),
        });
    }
    program.source.purpose = capacities.purpose(net);
    program
}

/// The variable that counts the tokens of a place.
pub(super) fn variable(place: PlaceId) -> VariableId {
    VariableId::new(place.index())
}

/// That there are so many tokens.
fn at_least(program: &mut Program, tokens: ExpressionId, number: i64) -> ExpressionId {
    let number = program.constant(number);
    program.binary(BinaryOperator::LessEqual, number, tokens)
}
