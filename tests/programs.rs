//! Random programs: compiled code does what the interpreter does, state by
//! state, successor by successor, fault by fault.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;
#[path = "support/explicit.rs"]
mod explicit;
#[path = "programs/random_program.rs"]
mod random_program;
#[path = "programs/random_promela.rs"]
mod random_promela;
#[path = "shipped_models/table.rs"]
mod table;

use explicit::Explicit;
use lwaa::id::Id;
use lwaa::lang::compile::Compiled;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Process, Program, Proposition,
    Span, Transition, UnaryOperator, Variable,
};
use lwaa::lang::{kripke, lwm, promela};
use lwaa::system::{Cursor, TransitionId, TransitionSystem};
use lwaa::testbench::Random;
use lwaa::testbench::random_kripke::{self, random_kripke};
use lwaa::word::{AtomId, Distance};
use random_program::random_program;
use random_promela::random_promela;
use std::collections::{BTreeMap, HashSet};

/// How many states of a program are compared.
const MAX_STATES: usize = 300;

/// What has been seen, so that we know that the test tests something.
#[derive(Debug, Default)]
struct Tally {
    n_states: usize,
    n_successors: usize,
    n_faults: usize,
    /// How often each message of a fault was seen.
    faults: BTreeMap<String, usize>,
    n_observed_faults: usize,
    n_true_atoms: usize,
    n_enabled: usize,
    n_taken: usize,
    /// How often an atom was more than a step away.
    n_far: usize,
}

/// Compares the two on all states that are found within the limit.
fn compare(program: &Program, atoms: &[Proposition], context: &str, tally: &mut Tally) {
    let mut plain = Interpreter::new(program, atoms);
    let mut fast = Compiled::new(program, atoms);
    assert_eq!(plain.n_words(), fast.n_words(), "{context}");
    assert_eq!(plain.n_lanes(), fast.n_lanes(), "{context}");
    assert!(program.transitions.ids().all(|id| plain.lane(id) == fast.lane(id)), "{context}");
    for transition in program.transitions.ids() {
        takes(&plain, &fast, atoms, transition, context, tally);
    }
    let mut states = plain.initial_states();
    assert_eq!(states, fast.initial_states(), "{context}");
    let mut known: HashSet<Box<[u64]>> = states.iter().cloned().collect();
    let mut next = 0;
    while next < states.len().min(MAX_STATES) {
        let state = states[next].clone();
        observe(&mut plain, &mut fast, atoms, &state, context, tally);
        for lane in 0..plain.n_lanes() {
            let others = [&*states[next / 2], &*states[0]];
            for target in enumerate(&mut plain, &mut fast, &state, others, lane, context, tally) {
                if known.insert(target.clone()) {
                    states.push(target);
                }
            }
        }
        next += 1;
    }
    tally.n_states += next;
}

fn observe(
    plain: &mut Interpreter,
    fast: &mut Compiled,
    atoms: &[Proposition],
    state: &[u64],
    context: &str,
    tally: &mut Tally,
) {
    let mut letters = [vec![7; atoms.len().div_ceil(64)], vec![9; atoms.len().div_ceil(64)]];
    let one = plain.observe(state, &mut letters[0]);
    let other = fast.observe(state, &mut letters[1]);
    assert_eq!(one, other, "{context}: {state:x?}");
    if one.is_ok() {
        assert_eq!(letters[0], letters[1], "{context}: {state:x?}");
        tally.n_true_atoms +=
            letters[0].iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let is_true = |number: usize| letters[0][number / 64] >> (number % 64) & 1 == 1;
        let enabled = |number: &usize| matches!(atoms[*number], Proposition::Enabled(_));
        tally.n_enabled +=
            (0..atoms.len()).filter(enabled).filter(|&number| is_true(number)).count();
    } else {
        tally.n_observed_faults += 1;
    }
    let mut distances = vec![Distance::default(); atoms.len()];
    fast.distances(state, &mut distances);
    for atom in (0..atoms.len()).map(AtomId::new) {
        let one = plain.observe_atom(state, atom);
        assert_eq!(one, fast.observe_atom(state, atom), "{context}: {state:x?}");
        // What is true is not far, and what is not true is.
        if let (Proposition::State(_), Ok(truth)) = (&atoms[atom.index()], one) {
            let distance = distances[atom.index()];
            assert_eq!(
                (distance.to_true == 0, distance.to_false == 0),
                (truth, !truth),
                "{context}"
            );
            tally.n_far += usize::from(1 < distance.to_true);
        }
    }
}

/// What is true because a transition is taken; bits that are set stay so.
fn takes(
    plain: &Interpreter,
    fast: &Compiled,
    atoms: &[Proposition],
    transition: TransitionId,
    context: &str,
    tally: &mut Tally,
) {
    let n_words = atoms.len().div_ceil(64);
    let mut letters = [vec![5; n_words], vec![5; n_words]];
    plain.takes(transition, &mut letters[0]);
    fast.takes(transition, &mut letters[1]);
    assert_eq!(letters[0], letters[1], "{context}: {transition:?}");
    tally.n_taken += letters[0].iter().filter(|&&word| word != 5).count();
}

/// Atoms about the state, mixed with some about random sets of transitions.
fn propositions(
    random: &mut Random,
    program: &Program,
    atoms: Vec<ExpressionId>,
) -> Vec<Proposition> {
    let mut mixed: Vec<Proposition> = atoms.into_iter().map(Proposition::State).collect();
    let n_more = random.below(6) + if random.chance(0.05) { 140 } else { 0 };
    for _ in 0..n_more {
        let share = [0.1, 0.5, 1.0][random.below(3)];
        let transitions = program.transitions.ids().filter(|_| random.chance(share)).collect();
        let atom = match random.below(3) {
            0 => Proposition::Taken(transitions),
            _ => Proposition::Enabled(transitions),
        };
        mixed.insert(random.below(mixed.len() + 1), atom);
    }
    mixed
}

/// The successors of a state, from a lane on, which both agree about. Between
/// two of them the compiled code does something else.
fn enumerate(
    plain: &mut Interpreter,
    fast: &mut Compiled,
    state: &[u64],
    others: [&[u64]; 2],
    lane: u32,
    context: &str,
    tally: &mut Tally,
) -> Vec<Box<[u64]>> {
    let mut targets = Vec::new();
    let mut cursors = [Cursor::starting_with(lane); 2];
    // A cursor belongs to one state.
    let mut elsewhere = [Cursor::default(); 2];
    let mut words = [vec![0; state.len()], vec![u64::MAX; state.len()], vec![0; state.len()]];
    for number in 0.. {
        let one = plain.next(state, &mut cursors[0], &mut words[0]);
        let mut copy = cursors[1];
        let other = fast.next(state, &mut copy, &mut words[1]);
        cursors[1] = copy;
        assert_eq!(one, other, "{context}: {state:x?} lane {lane} successor {number}");
        match one {
            Ok(Some(_)) => {
                assert_eq!(words[0], words[1], "{context}: {state:x?} lane {lane} number {number}");
                targets.push(words[0].clone().into_boxed_slice());
                tally.n_successors += 1;
            }
            Ok(None) => break,
            Err(error) => {
                tally.n_faults += 1;
                *tally.faults.entry(error.to_string()).or_default() += 1;
            }
        }
        let _ = fast.next(others[number % 2], &mut elsewhere[number % 2], &mut words[2]);
    }
    assert_eq!(fast.next(state, &mut cursors[1], &mut words[1]), Ok(None), "{context}: after all");
    if lane == 0 {
        in_place(fast, state, &targets, context);
    }
    targets
}

/// The successors in the same words are these, too.
fn in_place(fast: &mut Compiled, state: &[u64], targets: &[Box<[u64]>], context: &str) {
    let mut successors = fast.successors(state);
    let mut found: Vec<Box<[u64]>> = Vec::new();
    loop {
        match successors.advance() {
            Ok(None) => break,
            Ok(Some(_)) => found.push(successors.words().into()),
            Err(_) => (),
        }
    }
    assert_eq!(found, targets, "{context}: {state:x?} in place");
}

#[test]
fn compiled_code_does_what_the_interpreter_does() {
    let (mut random, seed) = campaign::random(20_261_116);
    let mut tally = Tally::default();
    for round in 0..campaign::rounds(4_000) {
        let mut fork = Random::new(random.bits());
        let (program, atoms) = random_program(&mut fork);
        let atoms = propositions(&mut fork, &program, atoms);
        compare(&program, &atoms, &format!("seed {seed} round {round}"), &mut tally);
    }
    assert!(30_000 < tally.n_states, "{tally:?}");
    assert!(100_000 < tally.n_successors, "{tally:?}");
    assert!(5_000 < tally.n_faults, "{tally:?}");
    assert!(500 < tally.n_observed_faults, "{tally:?}");
    assert!(30_000 < tally.n_enabled, "{tally:?}");
    assert!(5_000 < tally.n_taken, "{tally:?}");
    assert!(10_000 < tally.n_far, "{tally:?}");
}

/// Makes guards long that begin alike, as where each transition yields to those before it, and
/// has all transitions assert the same large condition.
fn lengthen(random: &mut Random, program: &mut Program, atoms: &[ExpressionId]) {
    use BinaryOperator::{Add, And, Less, Or};
    let any = |random: &mut Random| atoms[random.below(atoms.len())];
    let not =
        |program: &mut Program, id| program.expression(Expression::Unary(UnaryOperator::Not, id));
    let filler = any(random);
    let opposite = not(program, filler);
    let filler = program.binary(Or, filler, opposite);
    let (mut beginning, mut sum) = (filler, filler);
    for _ in 0..70 {
        beginning = program.binary(And, beginning, filler);
        sum = program.binary(Add, sum, filler);
    }
    for _ in 0..3 {
        let truth = not(program, any(random));
        sum = program.binary(Add, sum, truth);
    }
    let most = program.constant(73);
    let condition = program.binary(Less, sum, most);
    let mut beginnings = vec![beginning];
    for id in program.transitions.ids() {
        let mut beginning = beginnings[beginnings.len() - 1];
        if random.chance(0.2) {
            beginning = beginnings[random.below(beginnings.len())];
        }
        if random.chance(0.6) {
            let (left, right) = (any(random), any(random));
            let right = if random.chance(0.5) { not(program, right) } else { right };
            let more = program.binary(Or, left, right);
            beginning = program.binary(And, beginning, more);
        }
        beginnings.push(beginning);
        let own = program.transitions[id].guard;
        program.transitions[id].guard = program.binary(And, beginning, own);
        let effects = &mut program.transitions[id].effects;
        if random.chance(0.6) {
            let rule = Asserted::Rule("at most so many".to_owned());
            effects.insert(random.below(effects.len() + 1), Effect::Assert(condition, rule));
        }
    }
}

#[test]
fn guards_that_begin_alike_are_those_of_the_interpreter() {
    let (mut random, seed) = campaign::random(20_261_118);
    let mut tally = Tally::default();
    for round in 0..campaign::rounds(400) {
        let mut fork = Random::new(random.bits());
        let (mut program, atoms) = random_program(&mut fork);
        if atoms.is_empty() {
            continue;
        }
        lengthen(&mut fork, &mut program, &atoms);
        let atoms = propositions(&mut fork, &program, atoms);
        compare(&program, &atoms, &format!("seed {seed} round {round}"), &mut tally);
    }
    assert!(500 < tally.n_states, "{tally:?}");
    assert!(1_000 < tally.n_successors, "{tally:?}");
    assert!(1_000 < tally.n_faults, "{tally:?}");
    assert!(1_000 < tally.n_enabled, "{tally:?}");
}

/// A counter to 6 whose transition has this guard and assigns this value.
fn counter(choices: Vec<(i64, i64)>, make: impl Fn(&mut Program) -> (ExpressionId, ExpressionId)) {
    let mut program = Program::default();
    let process = program.processes.push(Process { name: "p".into() });
    let variable = program.variables.push(Variable {
        name: "x".into(),
        low: 0,
        high: 6,
        len: None,
        initial: vec![1],
        any: false,
        value_names: Vec::new(),
    });
    let has_choices = !choices.is_empty();
    let (guard, value) = make(&mut program);
    let seven = program.constant(7);
    let value = program.binary(BinaryOperator::Remainder, value, seven);
    program.transitions.push(Transition {
        process,
        partner: None,
        action: "a".into(),
        choices,
        guard,
        effects: vec![Effect::Let(70, value), Effect::Assign(variable, value)],
        span: Span::default(),
        steps: Vec::new(),
    });
    let mut tally = Tally::default();
    // Atoms cannot read choices.
    let atoms = if has_choices { Vec::new() } else { vec![guard, value] };
    let mut atoms: Vec<Proposition> = atoms.into_iter().map(Proposition::State).collect();
    atoms.push(Proposition::Enabled(program.transitions.ids().collect()));
    compare(&program, &atoms, "counter", &mut tally);
    assert!(0 < tally.n_successors, "{tally:?}");
}

/// The variable of [`counter`].
fn x(program: &mut Program) -> ExpressionId {
    program.expression(Expression::Variable(Id::new(0)))
}

#[test]
fn expressions_may_be_long_and_deep() {
    for depth in [10, 100, 1_000, 10_000] {
        for leans_left in [true, false] {
            counter(Vec::new(), |program| {
                let (x, one) = (x(program), program.constant(1));
                let mut sum = program.binary(BinaryOperator::Multiply, x, x);
                for _ in 0..depth {
                    let (left, right) = if leans_left { (sum, x) } else { (x, sum) };
                    sum = program.binary(BinaryOperator::Add, left, right);
                }
                (one, program.binary(BinaryOperator::Add, sum, one))
            });
        }
    }
}

#[test]
fn shared_operands_do_not_blow_up_code() {
    counter(Vec::new(), |program| {
        let (x, one) = (x(program), program.constant(1));
        let (mut value, mut guard) = (x, program.binary(BinaryOperator::LessEqual, x, x));
        for _ in 0..17 {
            value = program.binary(BinaryOperator::BitAnd, value, value);
            guard = program.binary(BinaryOperator::And, guard, guard);
        }
        (guard, program.binary(BinaryOperator::Add, value, one))
    });
}

#[test]
fn many_choices_are_left_to_the_interpreter() {
    let mut choices = vec![(0, 0); 40];
    choices.push((1, 2));
    counter(choices, |program| {
        let x = x(program);
        let choice = program.expression(Expression::Choice(40));
        (choice, program.binary(BinaryOperator::Add, x, choice))
    });
}

/// For each transition, that it is enabled.
fn each_enabled(program: &Program) -> Vec<Proposition> {
    program.transitions.ids().map(|id| Proposition::Enabled(vec![id])).collect()
}

/// What is enabled for one transition must not depend on the choices that were
/// tried for another one.
#[test]
fn enabled_with_choices() {
    let text = "var x: 0..6;
        action a(k in 0..9) with v in 0..2, w in 0..3 when 4 * v + w == (x + 7 * k) % 13 do x' = (x + w) % 7;";
    let program = lwm::read(text, &[]).unwrap().program;
    let mut atoms = each_enabled(&program);
    atoms.push(Proposition::Enabled(program.transitions.ids().collect()));
    let mut tally = Tally::default();
    compare(&program, &atoms, "choices", &mut tally);
    assert!(30 < tally.n_enabled, "{tally:?}");
}

/// A random structure, lowered and explored by both executors, is the same
/// graph with the same letters. Some states have no edges, one has many.
#[test]
fn lowering_a_structure_keeps_the_graph() {
    let mut random = Random::new(8);
    for round in 0..60 {
        let options = random_kripke::Options {
            n_states: 1 + random.below(30),
            density: [0.0, 0.05, 0.5][round % 3],
            ..Default::default()
        };
        let mut structure = random_kripke(&options, &mut random);
        if round % 2 == 1 {
            let state = random.below(options.n_states);
            structure.successors[state].clear();
            structure.initial = (0..options.n_states).filter(|state| state % 3 == 0).collect();
        }
        let text = random_kripke::structure(&structure, options.n_atoms).to_string();
        let model = kripke::read(&text, &[]).unwrap();
        let formula = model.bindings.formula("p0 & p1 & p2").unwrap();
        let (program, atoms) = model.bound(&formula).unwrap();
        let mut interpreted = Interpreter::new(&program, &atoms);
        let graph = Explicit::new(&mut interpreted).unwrap();
        let compiled = Explicit::new(&mut Compiled::new(&program, &atoms)).unwrap();
        assert_eq!((&graph.states, &graph.steps), (&compiled.states, &compiled.steps));
        let number = |state: &[u64]| {
            let values = interpreted.values(state);
            usize::try_from(values.value(Id::new(0), 0)).unwrap()
        };
        let numbers: Vec<usize> = graph.states.iter().map(|state| number(state)).collect();
        assert_eq!(numbers[..graph.n_initial], structure.initial);
        for (steps, &state) in graph.steps.iter().zip(&numbers) {
            let targets: Vec<usize> = steps.iter().map(|&(_, target)| numbers[target]).collect();
            assert_eq!(targets, structure.successors[state]);
        }
        for (state, &number) in graph.states.iter().zip(&numbers) {
            let mut observed = vec![0];
            interpreted.observe(state, &mut observed).unwrap();
            let letter = &structure.letters[number];
            let bits: u64 = letter.iter().map(|atom| 1 << Id::index(atom)).sum();
            assert_eq!(observed[0] & 7, bits);
        }
    }
}

/// Sequences that hold the model (`atomic`, `d_step`) are run by code of each executor's own.
#[test]
fn sequences_of_random_promela_are_those_of_the_interpreter() {
    let (mut random, seed) = campaign::random(20_261_119);
    let mut tally = Tally::default();
    let mut n_models = 0;
    for round in 0..campaign::rounds(2_500) {
        let text = random_promela(&mut Random::new(random.bits()));
        let Ok(model) = promela::read(&text, &[], &mut |_| Err(String::new())) else { continue };
        n_models += 1;
        let context = format!("seed {seed} round {round}\n{text}");
        let atoms = each_enabled(&model.program);
        compare(&model.program, &atoms, &context, &mut tally);
    }
    assert!(1_000 < n_models, "{n_models}");
    assert!(10_000 < tally.n_successors, "{tally:?}");
    assert!(10_000 < tally.n_enabled, "{tally:?}");
    for rule in ["a d_step blocks", "an atomic sequence never ends"] {
        assert!(tally.faults.get(rule).is_some_and(|&n_faults| 20 < n_faults), "{rule}: {tally:?}");
    }
}

#[test]
fn sequences_of_shipped_promela_are_those_of_the_interpreter() {
    let mut tally = Tally::default();
    let mut paths: Vec<_> = table::rows().into_iter().map(|row| row.path).collect();
    paths.dedup();
    for path in paths {
        let model = table::read(&path, &[]);
        if model.program.control.is_some() {
            compare(&model.program, &[], &path.display().to_string(), &mut tally);
        }
    }
    assert!(1_000 < tally.n_successors, "{tally:?}");
}
