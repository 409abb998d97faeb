//! Formulas along runs: what pages show of them is what the semantics say, given the letters that
//! follow from the states in `--json`.

use super::runs::{collector, data, decoded, lwaa, steps, walked};
use super::{browser, folder, open};
use lwaa::ltl::{Formula, Term, semantics};
use lwaa::word::{Lasso, Letter};
use serde_json::Value;
use std::path::Path;

/// Models of all languages, and two atoms that are about variables in their states.
const MODELS: [(&str, &str, &str); 14] = [
    ("lwm/buffer.lwm", "n_full == 0", "place[1] == 1"),
    ("lwm/mutex_error.lwm", "turn == 1", "turn == 0"),
    ("lwm/token_ring.lwm", "token == 0", "token == 1"),
    ("dve/swap.dve", "left == 1", "right == 2"),
    ("dve/lights.dve", "time == 1", "time > 2"),
    ("dve/sorter.dve", "a[0] == 3", "a[1] < a[2]"),
    ("esml/transfer.esml", "Sender.next = 0", "Receiver.b = 1"),
    ("esml/transfer.esml", "Line.v = 2", "Sender.next < 2"),
    ("promela/peterson.pml", "turn == 1", "critical == 1"),
    ("promela/loops.pml", "i == 1", "a[0] > 2"),
    ("promela/handshake.pml", "sum == 7", "sum > 2"),
    ("kripke/light.kripke", "red", "green"),
    ("pnml/buffer.pnml", "free == 5", "waiting == 1"),
    ("pnml/turns/model.pnml", "turn_1 == 1", "critical_2 == 1"),
];
/// What is asked of them.
const SHAPES: [&str; 10] = [
    "G A",
    "F G B",
    "G (A -> F B)",
    "G F (A & X B)",
    "A U B",
    "B R A",
    "G (A -> X A)",
    "!(F A & F B)",
    "G (B -> (A W !B))",
    "G F A -> G F (B & !A)",
];

/// The number of a variable or of a constant in a state.
fn number(state: &Value, word: &str) -> Option<i64> {
    if let Ok(constant) = word.parse() {
        return Some(constant);
    }
    let value = match word.split_once('[') {
        None => &state[word],
        Some((array, index)) => &state[array][index.trim_end_matches(']').parse::<usize>().ok()?],
    };
    value.as_i64().or_else(|| value.as_bool().map(i64::from))
}

/// Whether an atom is true in a state; nothing if the state does not say.
fn holds(state: &Value, atom: &str) -> Option<bool> {
    // The labels of the model of a light.
    if let Some(light) = state["state"].as_str() {
        return Some((atom == "green") == (light == "go"));
    }
    let [left, operator, right]: [&str; 3] =
        atom.split(' ').collect::<Vec<_>>().try_into().unwrap();
    let (left, right) = (number(state, left)?, number(state, right)?);
    Some(match operator {
        "==" | "=" => left == right,
        "<" => left < right,
        ">" => right < left,
        other => panic!("{other}"),
    })
}

/// The word of a result, from the states or the letters that its JSON has.
fn word(formula: &Formula, result: &Value) -> Option<Lasso<Letter>> {
    let letter = |step: &Value| -> Option<Letter> {
        let is_true = |name: &str| match step.as_array() {
            Some(names) => Some(names.iter().any(|one| one == name)),
            None => holds(&step["state"], name),
        };
        let atoms = formula.atoms().iter();
        let values: Option<Vec<_>> =
            atoms.map(|(atom, name)| Some((atom, is_true(name)?))).collect();
        Some(values?.into_iter().filter(|one| one.1).map(|one| one.0).collect())
    };
    let part = |name: &str| -> Option<Vec<Letter>> {
        let lasso = if result["lasso"].is_null() { &result["witness"] } else { &result["lasso"] };
        lasso[name].as_array()?.iter().map(letter).collect()
    };
    Lasso::new(part("prefix")?, part("cycle")?)
}

/// Compares the formula along the run, in the data of the page and on it, with the semantics.
fn compare(name: &str, text: &str, result: &Value, property: &Value, seen: &Value) -> bool {
    let formula = Formula::parse(text).unwrap();
    let Some(word) = word(&formula, result) else { return false };
    let truth = semantics::truth(&formula, &word);
    let terms = property["formula"]["terms"].as_array().unwrap();
    let bit = |digits: &str, at: usize| {
        let digit = u32::from_str_radix(&digits[at / 4..=at / 4], 16).unwrap();
        digit & (8 >> (at % 4)) != 0
    };
    for id in formula.terms().ids() {
        let part = formula.subformula(id);
        let text = match part.terms().term(part.root()) {
            Term::Atom(atom) => part.atoms().name(atom).to_owned(),
            _ => part.to_string(),
        };
        let term = terms.iter().find(|term| term["text"] == text);
        let row = term.unwrap_or_else(|| panic!("{name}: no {text}"))["true"].as_str().unwrap();
        for at in 0..word.n_positions() {
            assert_eq!(bit(row, at), truth.at(id, at), "{name}: {text} in {at}");
            let shown = seen[at]["terms"][&text].as_str().unwrap();
            assert_eq!(shown.contains("true"), truth.at(id, at), "{name}: {text} in {at}");
        }
    }
    true
}

/// Runs `lwaa` and keeps its page, which will go through itself, and its answer.
fn ask(folder: &Path, name: &str, arguments: &[&str]) -> Option<(Value, Value)> {
    let page = folder.join(name);
    let output = lwaa(folder, &[arguments, &["--json", "--html", name]].concat());
    let answer: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{arguments:?}: {output:?}"));
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, walked(&text)).unwrap();
    let data = data(&text);
    (!data["runs"].as_array().unwrap().is_empty()).then_some((answer, data))
}

#[test]
fn formulas_along_runs_are_as_the_semantics_say() {
    let Some(browser) = browser() else { return };
    let folder = folder("formulas");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut answers = Vec::new();
    for (number, (model, a, b)) in MODELS.iter().enumerate() {
        let model = models.join(model);
        let formula = |shape: &&str| {
            shape.replace('A', &format!("\"{a}\"")).replace('B', &format!("\"{b}\""))
        };
        let formulas: Vec<String> = SHAPES.iter().map(formula).collect();
        let mut typed = vec!["check", model.to_str().unwrap()];
        typed.extend(formulas.iter().flat_map(|formula| ["-f", formula.as_str()]));
        let name = format!("model-{number}.html");
        if let Some((answer, data)) = ask(&folder, &name, &typed) {
            let results = answer["results"].as_array().unwrap().clone();
            answers.push((name, model.display().to_string(), results, data));
        }
    }
    for (number, text) in SHAPES.iter().enumerate() {
        let name = format!("word-{number}.html");
        let text = text.replace('A', "a").replace('B', "b");
        if let Some((mut answer, data)) = ask(&folder, &name, &["sat", &text]) {
            answer["formula"] = text.into();
            answers.push((name, "sat".to_owned(), vec![answer], data));
        }
    }
    let names: Vec<String> = answers.iter().map(|one| one.0.clone()).collect();
    std::fs::write(folder.join("page.html"), collector(&names)).unwrap();
    let output = open(&browser, &folder, &["--dump-dom", "--virtual-time-budget=60000"]);
    let dom = String::from_utf8(output.stdout).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let (_, rest) = dom.split_once("data-seen=\"").unwrap();
    let seen: Value = serde_json::from_str(&decoded(rest.split_once('"').unwrap().0)).unwrap();
    let mut n_runs = std::collections::BTreeMap::new();
    for (name, model, results, data) in &answers {
        for (number, result) in results.iter().enumerate() {
            let (property, seen) = (&data["properties"][number], &seen[name][number]);
            let text = result["formula"].as_str().unwrap();
            if property["run"].is_null() || steps(result).is_empty() && model != "sat" {
                continue;
            }
            if compare(&format!("{model}: {text}"), text, result, property, seen) {
                let language = model.rsplit('.').next().unwrap().to_owned();
                *n_runs.entry(language).or_insert(0) += 1;
            }
        }
    }
    // Every language has some, and all of them many.
    assert_eq!(n_runs.len(), 7, "{n_runs:?}");
    assert!(n_runs.values().all(|&n| 2 <= n), "{n_runs:?}");
    assert!(40 <= n_runs.values().sum::<i32>(), "{n_runs:?}");
}
