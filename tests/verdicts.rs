//! What the models that we ship are said to satisfy, asked of the checker with
//! every store and order, and of a tableau where it is feasible.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/explicit.rs"]
mod explicit;
#[path = "shipped_models/table.rs"]
mod table;
#[path = "support/tableau.rs"]
mod tableau;

use explicit::Explicit;
use lwaa::check::explore::explore;
use lwaa::check::model::{Deadlock, ModelOptions, Order, check};
use lwaa::lang::execute::Interpreter;
use lwaa::search::limits::{Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::verdict::Verdict;
use table::Expected;
use tableau::{promises, some_fair_run_satisfies};

#[test]
fn the_checker_agrees_with_the_table() {
    for row in table::rows() {
        let Expected::Verdict { property: name, holds } = &row.expected else { continue };
        let formulas = &[row.formula(&row.read(), name)];
        let model = row.read_for(&formulas[0]);
        for (store, order, shortest) in [
            (StoreKind::Exact, None, false),
            (StoreKind::Exact, Some(Order::Guided), false),
            (StoreKind::Tree, Some(Order::Fixed), false),
            (StoreKind::Exact, Some(Order::Random(4)), true),
        ] {
            let fair = row.fair;
            let options = ModelOptions { fair, store, order, shortest, ..ModelOptions::default() };
            let monitor = Monitor::default();
            let findings = check(&model, formulas, &options, &monitor, &mut |_, _| ()).unwrap();
            let found = match &findings[0].verdict {
                Verdict::Holds => true,
                Verdict::Violated(_) => false,
                other => panic!("{other:?}"),
            };
            assert_eq!(found, *holds, "{row:?}");
        }
    }
}

#[test]
fn exploration_agrees_with_the_table() {
    for row in table::rows() {
        let Expected::Counts { states, transitions } = row.expected else { continue };
        for store in [StoreKind::Exact, StoreKind::Tree] {
            let program = row.read().program;
            let (limits, monitor) = (Limits::default(), Monitor::default());
            let found = explore(&program, store, Deadlock::Stutter, limits, &monitor).unwrap().0;
            assert_eq!(found.incomplete, None);
            assert_eq!((found.states, found.transitions), (states, transitions as u64));
        }
    }
}

/// The tableau has as many nodes as states times guesses.
const MAX_TABLEAU: usize = 40_000;

#[test]
fn the_tableau_agrees_with_the_table() {
    let mut n_asked = 0;
    for row in table::rows() {
        let Expected::Verdict { property: name, holds } = &row.expected else { continue };
        let formula = &row.formula(&row.read(), name);
        let model = row.read_for(formula);
        let (mut program, mut atoms) = model.bound(formula).unwrap();
        program.fairness = row.fairness(&program);
        let promises = promises(&program, &mut atoms);
        let mut system = Interpreter::new(&program, &atoms);
        let explicit = Explicit::new(&mut system).unwrap();
        let n_temporal =
            formula.terms().ids().filter(|&id| formula.terms().term(id).is_temporal()).count();
        if n_temporal <= 12 && explicit.states.len() << n_temporal <= MAX_TABLEAU {
            let graph = explicit.kripke(&mut system, atoms.len(), true).unwrap();
            let violated = some_fair_run_satisfies(&graph, &formula.negated(), &promises);
            assert_eq!(!violated, *holds, "{row:?}");
            n_asked += 1;
        }
    }
    assert!(30 < n_asked, "{n_asked} properties are small enough");
}
