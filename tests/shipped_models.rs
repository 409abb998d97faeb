//! The models that we ship have the states that they should have.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "shipped_models/table.rs"]
mod table;

use lwaa::lang::execute::Interpreter;
use lwaa::lang::lwm;
use lwaa::lang::{Definition, Model};
use lwaa::system::{Cursor, TransitionSystem};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use table::{Expected, Row};

fn read(path: &Path, definitions: &[Definition]) -> Model {
    let text = std::fs::read_to_string(path).unwrap();
    lwm::read(&text, definitions).unwrap_or_else(|error| {
        let line = text[..error.span.start].matches('\n').count() + 1;
        panic!("{}:{line}: {error}", path.display())
    })
}

/// How many states are reached, breadth first, and how many steps there are.
fn counts(model: &Model) -> (usize, usize) {
    let mut system = Interpreter::new(&model.program, &[]);
    let mut reached: HashSet<Box<[u64]>> = HashSet::new();
    let mut queue: Vec<Box<[u64]>> = system.initial_states();
    reached.extend(queue.iter().cloned());
    let mut target = vec![0; system.n_words()];
    let (mut next, mut n_transitions) = (0, 0);
    while next < queue.len() {
        let state = queue[next].clone();
        let mut cursor = Cursor::default();
        while system.next(&state, &mut cursor, &mut target).unwrap().is_some() {
            n_transitions += 1;
            if !reached.contains(&target[..]) {
                reached.insert(target.clone().into());
                queue.push(target.clone().into());
            }
        }
        next += 1;
    }
    (reached.len(), n_transitions)
}

#[test]
fn states_and_transitions_are_as_many_as_the_table_says() {
    let mut wrong = Vec::new();
    for Row { path, definitions, expected } in table::rows() {
        if let Expected::Counts { states, transitions } = expected {
            let (n_states, n_transitions) = counts(&read(&path, &definitions));
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
        if let Expected::Verdict { property, .. } = row.expected {
            let model = read(&row.path, &row.definitions);
            let found = model.properties.iter().any(|known| known.name == property);
            assert!(found, "{} has no property {property}", row.path.display());
            properties.insert(property);
        }
    }
    for entry in std::fs::read_dir(table::folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "lwm") {
            continue;
        }
        let known = told.get(&path).unwrap_or_else(|| panic!("{} is missing", path.display()));
        for property in read(&path, &[]).properties {
            assert!(known.contains(&property.name), "{}: {}", path.display(), property.name);
        }
    }
}

#[test]
fn every_atom_of_every_property_has_an_expression() {
    for row in table::rows() {
        let mut model = read(&row.path, &row.definitions);
        for property in &model.properties {
            for (_, name) in property.formula.atoms().iter() {
                model.bindings.atom(&mut model.program, name).unwrap();
            }
        }
    }
}

#[test]
fn the_example_of_the_reference_page_is_a_model() {
    let page = std::fs::read_to_string(table::folder().join("README.md")).unwrap();
    let model = lwm::read(page.split("```").nth(1).unwrap(), &[]).unwrap();
    assert_eq!((model.program.transitions.len(), model.properties.len()), (6, 2));
}
