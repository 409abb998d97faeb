//! Random models and formulas: the verdict of the product search against a
//! tableau on the explicit state graph, with every store, order and treatment
//! of deadlocks.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::Formula;
use lwaa::check::model::{Deadlock, ModelOptions, Order, check};
use lwaa::id::Id;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::{
    BinaryOperator, Effect, Expression, ExpressionId, Process, ProcessId, Program, Span,
    Transition, Variable, VariableId,
};
use lwaa::lang::{Bindings, Model, SourceError};
use lwaa::search::limits::Monitor;
use lwaa::store::StoreKind;
use lwaa::system::{Cursor, TransitionSystem, is_observed};
use lwaa::testbench::tableau::{Kripke, some_run_satisfies};
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::Verdict;
use std::collections::HashMap;

/// Atom `p<i>` says that variable *i* is 1.
#[derive(Debug)]
struct Ones;

impl Bindings for Ones {
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        Formula::parse(text).map_err(|error| SourceError::new(Span::default(), error.to_string()))
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<ExpressionId, SourceError> {
        let number: usize = name[1..].parse().unwrap();
        let variable = program.expression(Expression::Variable(VariableId::new(number)));
        let one = program.constant(1);
        Ok(program.binary(BinaryOperator::Equal, variable, one))
    }
}

fn random_program(random: &mut Random) -> Program {
    let mut program = Program::default();
    let n_variables = 3;
    for number in 0..n_variables {
        program.variables.push(Variable {
            name: format!("v{number}"),
            low: 0,
            high: 2,
            len: None,
            initial: vec![i64::try_from(random.below(3)).unwrap()],
            any: random.chance(0.1),
            value_names: Vec::new(),
        });
    }
    let n_processes = 1 + random.below(3);
    for number in 0..n_processes {
        program.processes.push(Process { name: format!("process {number}") });
    }
    for number in 0..=random.below(7) {
        let variable = VariableId::new(random.below(n_variables));
        let read = program.expression(Expression::Variable(variable));
        let value = i64::try_from(random.below(3)).unwrap();
        let value = program.constant(value);
        let operator =
            if random.chance(0.7) { BinaryOperator::Equal } else { BinaryOperator::NotEqual };
        let guard = program.binary(operator, read, value);
        let mut effects = Vec::new();
        for _ in 0..=random.below(2) {
            let value = i64::try_from(random.below(3)).unwrap();
            let target = VariableId::new(random.below(n_variables));
            effects.push(Effect::Assign(target, program.constant(value)));
        }
        program.transitions.push(Transition {
            process: ProcessId::new(random.below(n_processes)),
            partner: None,
            action: format!("action {number}"),
            choices: Vec::new(),
            guard,
            effects,
            span: Span::default(),
        });
    }
    program
}

/// The explicit graph of a program under a treatment of deadlocks.
fn kripke(model: &Model, formula: &Formula, deadlock: Deadlock) -> Kripke {
    let mut program = model.program.clone();
    let atoms: Vec<ExpressionId> = formula
        .atoms()
        .iter()
        .map(|(_, name)| model.bindings.atom(&mut program, name).unwrap())
        .collect();
    let mut system = Interpreter::new(&program, &atoms);
    let mut numbers: HashMap<Box<[u64]>, usize> = HashMap::new();
    let mut states: Vec<Box<[u64]>> = system.initial_states();
    for (number, state) in states.iter().enumerate() {
        numbers.insert(state.clone(), number);
    }
    let mut graph = Kripke { initial: (0..states.len()).collect(), ..Kripke::default() };
    let mut position = 0;
    while position < states.len() {
        let state = states[position].clone();
        let mut letter = vec![0; atoms.len().div_ceil(64)];
        system.observe(&state, &mut letter).unwrap();
        graph.letters.push(
            formula
                .atoms()
                .iter()
                .map(|(atom, _)| atom)
                .filter(|&atom| is_observed(&letter, atom))
                .collect(),
        );
        let mut cursor = Cursor::default();
        let mut target = vec![0; system.n_words()];
        let mut successors = Vec::new();
        while system.next(&state, &mut cursor, &mut target).unwrap().is_some() {
            let fresh = numbers.len();
            let number = *numbers.entry(target.clone().into()).or_insert(fresh);
            if number == fresh {
                states.push(target.clone().into());
            }
            successors.push(number);
        }
        if successors.is_empty() && deadlock == Deadlock::Stutter {
            successors.push(position);
        }
        graph.successors.push(successors);
        position += 1;
    }
    graph
}

#[test]
fn verdicts_agree_with_the_tableau() {
    let n_rounds = 3000;
    let mut random = Random::new(2005);
    let formulas = random_formula::Options { size: 9, ..Default::default() };
    let mut verdicts = [0; 2];
    for round in 0..n_rounds {
        let program = random_program(&mut random);
        let model = Model { program, properties: Vec::new(), bindings: Box::new(Ones) };
        let formula = random_formula::random_formula(&formulas, &mut random);
        let deadlock = if random.coin() { Deadlock::Stutter } else { Deadlock::Ignore };
        let graph = kripke(&model, &formula, deadlock);
        for exists in [false, true] {
            let wanted = if exists { formula.clone() } else { formula.negated() };
            let expected = some_run_satisfies(&graph, &wanted);
            for (store, order) in [
                (StoreKind::Exact, Order::Rotate),
                (StoreKind::Tree, Order::Fixed),
                (StoreKind::Exact, Order::Random(round)),
            ] {
                let shortest = order == Order::Fixed;
                let options = ModelOptions {
                    exists,
                    deadlock,
                    store,
                    order,
                    shortest,
                    ..ModelOptions::default()
                };
                let findings = check(
                    &model,
                    std::slice::from_ref(&formula),
                    &options,
                    &Monitor::default(),
                    &mut |_, _| (),
                )
                .unwrap();
                let found = match &findings[0].verdict {
                    Verdict::Violated(_) | Verdict::Exists(_) => true,
                    Verdict::Holds | Verdict::ExistsNot => false,
                    other => panic!("round {round}: {other:?}"),
                };
                assert_eq!(found, expected, "round {round}: {formula:?} {:?}", model.program);
                verdicts[usize::from(found)] += 1;
            }
        }
    }
    assert!(verdicts.iter().all(|&count| 1000 < count), "{verdicts:?}");
}
