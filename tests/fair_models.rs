//! Random models under fairness, and formulas about who moves: the verdict of
//! the search against a tableau on the explicit state graph, and against the
//! engine that leaves fairness to the automaton.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;
#[path = "support/explicit.rs"]
mod explicit;
#[path = "support/random_model.rs"]
mod random_model;
#[path = "support/tableau.rs"]
mod tableau;

use explicit::Explicit;
use lwaa::check::model::{Deadlock, Fair, ModelOptions, Order, check};
use lwaa::check::{Exploration, Options};
use lwaa::configuration::{Labels, Successors};
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::{Fairness, Program, Span};
use lwaa::lang::{Model, lwm};
use lwaa::ltl::print::{Dialect, print};
use lwaa::search::limits::Monitor;
use lwaa::store::StoreKind;
use lwaa::system::{Fault, Strength};
use lwaa::testbench::kripke::Kripke;
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::Verdict;
use lwaa::{Formula, Satisfiability};
use random_model::random_fair_model;
use tableau::{Promise, promises, some_fair_run_satisfies};

/// What is assumed of the runs of `program`.
fn assumed(program: &Program, fair: Fair) -> Vec<Fairness> {
    match fair {
        Fair::Declared => program.fairness.clone(),
        Fair::Nothing => Vec::new(),
        Fair::Processes(strength) => program
            .processes
            .entries()
            .map(|(id, process)| Fairness {
                strength,
                name: process.name.clone(),
                transitions: (program.transitions.entries())
                    .filter(|(_, transition)| transition.process == id)
                    .map(|(number, _)| number)
                    .collect(),
                span: Span::default(),
            })
            .collect(),
    }
}

/// The explicit graph of a model, made with the interpreter, and what is
/// promised about its runs.
fn kripke(
    model: &Model,
    formula: &Formula,
    fair: Fair,
    stutter: bool,
) -> Result<(Kripke, Vec<Promise>), Fault> {
    let (mut program, mut atoms) = model.bound(formula).unwrap();
    program.fairness = assumed(&program, fair);
    let promises = promises(&program, &mut atoms);
    let mut system = Interpreter::new(&program, &atoms);
    let explicit = Explicit::new(&mut system)?;
    Ok((explicit.kripke(&mut system, atoms.len(), stutter)?, promises))
}

/// Whether the search finds a run. Nothing if there is none, but an error of the model.
fn found(model: &Model, formula: &Formula, options: &ModelOptions) -> Option<bool> {
    let formulas = std::slice::from_ref(formula);
    let findings = check(model, formulas, options, &Monitor::default(), &mut |_, _| ()).unwrap();
    match &findings[0].verdict {
        Verdict::Violated(_) | Verdict::Exists(_) => Some(true),
        Verdict::Holds | Verdict::ExistsNot => Some(false),
        Verdict::ModelError(_) => None,
        other => panic!("{other:?}"),
    }
}

/// A formula about the propositions of random models, and about `actions`, with
/// few enough temporal operators for the tableau. Every other one is about what
/// recurs.
fn small_formula(model: &Model, actions: &[String], random: &mut Random) -> (String, Formula) {
    const MAX_TEMPORAL: usize = 5;
    loop {
        let typed = formula(actions, random);
        let formula = model.bindings.formula(&typed).unwrap();
        let terms = formula.terms();
        if terms.ids().filter(|&id| terms.term(id).is_temporal()).count() <= MAX_TEMPORAL {
            return (typed, formula);
        }
    }
}

fn formula(actions: &[String], random: &mut Random) -> String {
    let shape = random_formula::Options { size: 7, n_atoms: 5, ..Default::default() };
    let mut text = print(&random_formula::random_formula(&shape, random), Dialect::Lwaa);
    if random.coin() {
        let recurrence = ["G F p3", "F G !p4", "(G F p0 -> G F p3)", "(F G p4 | G F p3)"];
        let operator = ["&", "|", "->"][random.below(3)];
        text = format!("({text}) {operator} {}", recurrence[random.below(recurrence.len())]);
    }
    for atom in ["p3", "p4"] {
        text = text.replace(atom, &actions[random.below(actions.len())]);
    }
    text
}

/// Some of the ways to ask the search: whether it leaves recurrence to the automaton, its labels,
/// and so on.
fn ways(seed: u64) -> [(bool, Labels, Successors, StoreKind, Option<Order>, bool); 5] {
    use Labels::{Exact, Simple};
    use Successors::{Bdd, Direct, Sat};
    [
        (false, Exact, Bdd, StoreKind::Exact, Some(Order::Rotate), false),
        (false, Simple, Bdd, StoreKind::Tree, Some(Order::Fixed), true),
        (false, Exact, Direct, StoreKind::Exact, Some(Order::Guided), false),
        (true, Exact, Direct, StoreKind::Exact, Some(Order::Guided), false),
        (true, Exact, Sat, StoreKind::Exact, Some(Order::Random(seed)), false),
    ]
}

#[test]
fn verdicts_agree_with_the_tableau_and_with_the_automaton() {
    let (mut random, seed) = campaign::random(1981);
    let mut verdicts = [0; 2];
    let (mut n_faults, mut n_compared) = (0, 0);
    for round in 0..campaign::rounds(3000) {
        let (text, actions) = random_fair_model(&mut random);
        let model = lwm::read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (typed, formula) = small_formula(&model, &actions, &mut random);
        let fair = match random.below(4) {
            0 => Fair::Processes(Strength::Weak),
            1 => Fair::Processes(Strength::Strong),
            _ => Fair::Declared,
        };
        let deadlock = if random.coin() { Deadlock::Stutter } else { Deadlock::Ignore };
        let exists = random.coin();
        let wanted = if exists { formula.clone() } else { formula.negated() };
        let n_assumed = assumed(&model.program, fair).len();
        let graph = kripke(&model, &formula, fair, deadlock == Deadlock::Stutter);
        n_faults += usize::from(graph.is_err());
        let expected =
            graph.map(|(graph, promises)| some_fair_run_satisfies(&graph, &wanted, &promises));
        for (pure, labels, successors, store, order, shortest) in ways(seed) {
            let successors = Some(successors);
            let exploration = Exploration { pure, labels, successors, ..Exploration::default() };
            let options = Options { method: exploration.into(), ..Options::default() };
            let options = ModelOptions {
                exists,
                fair,
                deadlock,
                order,
                store,
                shortest,
                options,
                ..ModelOptions::default()
            };
            let found = found(&model, &formula, &options);
            let Ok(expected) = expected else { continue };
            let context = format!("seed {seed}, round {round}, {options:?}:\n{typed}\n{text}");
            assert_eq!(found, Some(expected), "{context}");
            verdicts[usize::from(expected)] += 1;
            let is_compared = pure && (1..=4).contains(&n_assumed);
            n_compared += usize::from(is_compared);
        }
    }
    assert!(verdicts.iter().all(|&count| 1000 < count), "{verdicts:?}");
    assert!(10 < n_faults, "{n_faults} models with faults");
    let asked = campaign::rounds(2000);
    assert!(asked <= n_compared, "{n_compared} models with one to four fairness constraints");
}

/// A pair that is not minimal may be the only one that allows a needed letter,
/// and a deadlock is a fair run.
#[test]
fn small_examples() {
    let formula = Formula::parse("G (a | X b) & G F !a").unwrap();
    let answer = lwaa::satisfiable(&formula, &Options::default()).unwrap();
    assert!(matches!(answer.satisfiability, Satisfiability::Satisfiable(_)));
    let text = "var x: 0..2; strong fair action up when x < 2 do x' = x + 1; \
                action stay when x < 2 do x' = x;";
    let model = lwm::read(text, &[]).unwrap();
    let holds = |text: &str, fair: Fair| {
        let formula = model.bindings.formula(text).unwrap();
        let options = ModelOptions { fair, ..ModelOptions::default() };
        found(&model, &formula, &options) == Some(false)
    };
    assert!(holds("F x == 2", Fair::Declared));
    assert!(!holds("F x == 2", Fair::Nothing));
    // There is one process, and it moves.
    assert!(!holds("F x == 2", Fair::Processes(Strength::Strong)));
    assert!(holds("F G (!enabled(up) & !taken(up))", Fair::Declared));
    assert!(!holds("G F (enabled(up) | taken(up))", Fair::Declared));
}

#[test]
fn random_fair_models_are_models_and_know_their_atoms() {
    let mut random = Random::new(3);
    let mut strengths = [0; 2];
    for _ in 0..300 {
        let (text, atoms) = random_fair_model(&mut random);
        let mut model = lwm::read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for fairness in &model.program.fairness {
            strengths[usize::from(fairness.strength == Strength::Strong)] += 1;
        }
        for atom in atoms {
            model.bindings.atom(&mut model.program, &atom).unwrap();
        }
    }
    assert!(strengths.iter().all(|&n| 100 < n), "{strengths:?}");
}
