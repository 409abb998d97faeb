//! Random models and formulas: the verdict of the product search against a
//! tableau on the explicit state graph, with every store, order and treatment
//! of deadlocks. The search runs compiled programs, the graph is made by the
//! interpreter.

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
use lwaa::Formula;
use lwaa::check::model::{Deadlock, ModelOptions, Order, check};
use lwaa::lang::execute::Interpreter;
use lwaa::lang::{Model, lwm};
use lwaa::ltl::print::{Dialect, print};
use lwaa::search::limits::Monitor;
use lwaa::store::StoreKind;
use lwaa::system::Fault;
use lwaa::testbench::kripke::Kripke;
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::Verdict;
use random_model::random_model;
use tableau::some_run_satisfies;

/// The explicit graph of a model under a treatment of deadlocks, made with the
/// interpreter.
fn kripke(model: &Model, formula: &Formula, deadlock: Deadlock) -> Result<Kripke, Fault> {
    let (program, atoms) = model.bound(formula).unwrap();
    let mut system = Interpreter::new(&program, &atoms);
    let explicit = Explicit::new(&mut system)?;
    explicit.kripke(&mut system, atoms.len(), deadlock == Deadlock::Stutter)
}

/// Whether the search finds a run. Nothing if there is none, but an error of the model.
fn found(model: &Model, formula: &Formula, options: &ModelOptions) -> Option<bool> {
    let formulas = std::slice::from_ref(formula);
    let findings = check(model, formulas, options, &Monitor::default(), &mut |_, _| ()).unwrap();
    match &findings[0].verdict {
        Verdict::Violated(_) | Verdict::Exists(_) => Some(true),
        Verdict::Holds | Verdict::ExistsNot => Some(false),
        Verdict::ModelError(run) => {
            assert!(!run.moments.is_empty());
            None
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn verdicts_agree_with_the_tableau() {
    let (mut random, seed) = campaign::random(2005);
    let shape = random_formula::Options { size: 9, ..random_formula::Options::default() };
    let mut verdicts = [0; 2];
    let mut n_faults = 0;
    for round in 0..campaign::rounds(3000) {
        let text = random_model(&mut random);
        let model = lwm::read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let formula = random_formula::random_formula(&shape, &mut random);
        let printed = print(&formula, Dialect::Lwaa);
        let formula = model.bindings.formula(&printed).unwrap();
        let deadlock = if random.coin() { Deadlock::Stutter } else { Deadlock::Ignore };
        let graph = kripke(&model, &formula, deadlock);
        n_faults += usize::from(graph.is_err());
        for exists in [false, true] {
            let wanted = if exists { formula.clone() } else { formula.negated() };
            for (store, order, shortest) in [
                (StoreKind::Exact, Some(Order::Rotate), false),
                (StoreKind::Exact, Some(Order::Guided), false),
                (StoreKind::Tree, Some(Order::Fixed), true),
                (StoreKind::Tree, Some(Order::Random(seed)), false),
            ] {
                let options = ModelOptions {
                    exists,
                    deadlock,
                    store,
                    order,
                    shortest,
                    ..ModelOptions::default()
                };
                let found = found(&model, &formula, &options);
                let Ok(graph) = &graph else { continue };
                let expected = some_run_satisfies(graph, &wanted);
                assert_eq!(
                    found,
                    Some(expected),
                    "seed {seed}, round {round}, {options:?}:\n{printed}\n{text}"
                );
                verdicts[usize::from(expected)] += 1;
            }
        }
    }
    assert!(verdicts.iter().all(|&count| 1000 < count), "{verdicts:?}");
    assert!(10 < n_faults, "{n_faults} models with faults");
}
