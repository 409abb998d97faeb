//! The models that we ship have the states that they should have, and random
//! runs of them agree with the verdicts of the table.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "shipped_models/table.rs"]
mod table;
#[path = "shipped_models/walk.rs"]
mod walk;

use lwaa::lang::{Language, lwm};
use lwaa::ltl::semantics;
use lwaa::testbench::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use table::{Expected, Row};
use walk::{Graph, Letters};

#[test]
fn states_and_transitions_are_as_many_as_the_table_says() {
    let mut wrong = Vec::new();
    for row in table::rows() {
        let Row { path, definitions, expected, .. } = &row;
        if let Expected::Counts { states, transitions } = *expected {
            let graph = Graph::new(&row.read());
            let (n_states, n_transitions) = (graph.n_states(), graph.n_transitions());
            if (n_states, n_transitions) != (states, transitions) {
                let name = path.display();
                wrong.push(format!("{name} {definitions:?}: {n_states} {n_transitions}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_table_speaks_of_every_model_and_property() {
    let mut told: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for row in table::rows() {
        let properties = told.entry(row.path.clone()).or_default();
        if let Expected::Verdict { property, .. } = &row.expected {
            row.formula(&row.read(), property);
            properties.insert(property.clone());
        }
    }
    let folders = table::folders();
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    for path in entries.map(|entry| entry.unwrap().path()) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if extension.is_none_or(|extension| Language::find(extension).is_none()) {
            continue;
        }
        let known = told.get(&path).unwrap_or_else(|| panic!("{} is missing", path.display()));
        for property in table::read(&path, &[]).properties {
            assert!(known.contains(&property.name), "{}: {}", path.display(), property.name);
        }
    }
}

#[test]
fn every_atom_of_every_property_has_an_expression() {
    for row in table::rows() {
        let model = row.read();
        let stated = model.properties.iter().map(|property| property.formula.clone());
        let asked = match &row.expected {
            Expected::Verdict { property, .. } => Some(row.formula(&model, property)),
            Expected::Counts { .. } => None,
        };
        for formula in stated.chain(asked) {
            row.read_for(&formula).bound(&formula).unwrap();
        }
    }
}

/// A fair walk that violates a property which holds would be wrong; of one that
/// does not hold, enough walks find a violation.
#[test]
fn random_runs_agree_with_the_verdicts() {
    const N_WALKS: usize = 20_000;
    let mut random = Random::new(7_200);
    for row in table::rows() {
        let Expected::Verdict { property, holds } = &row.expected else { continue };
        let formula = &row.formula(&row.read(), property);
        let model = row.read_for(formula);
        let graph = Graph::new(&model);
        let letters = Letters::new(&graph, &model, formula);
        let fairness = row.fairness(&model.program);
        let n_walks = if *holds { N_WALKS / 20 } else { N_WALKS };
        let is_refuted = (0..n_walks).any(|_| {
            let lasso = graph.lasso(&mut random);
            let word = lasso.map(|&step| letters.letter(step));
            !semantics::holds(formula, &word) && graph.is_fair(&lasso, &fairness)
        });
        assert_eq!(is_refuted, !holds, "{row:?}");
    }
}

#[test]
fn the_example_of_the_reference_page_is_a_model() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/lwm");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let model = lwm::read(page.split("```").nth(1).unwrap(), &[]).unwrap();
    assert_eq!((model.program.transitions.len(), model.properties.len()), (6, 2));
}
