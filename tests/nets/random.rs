//! Random nets against the same nets as `.lwm` models, whose graphs the interpreter makes, and
//! against the interpreter itself.

use super::explicit::Explicit;
use super::tableau::some_run_satisfies;
use super::{campaign, counts, holds, net, read};
use lwaa::lang::execute::Interpreter;
use lwaa::lang::lwm;
use lwaa::ltl::print::{Dialect, print};
use lwaa::system::{Cursor, Opened, TransitionSystem};
use lwaa::testbench::{Random, random_formula};
use std::collections::HashSet;
use std::fmt::Write;

/// Tokens at first and arcs of transitions: place, weight; taken and put.
#[derive(Debug, Default)]
pub(super) struct RandomNet {
    pub(super) places: Vec<u32>,
    pub(super) transitions: Vec<[Vec<(usize, u32)>; 2]>,
}

/// A number below another one.
pub(super) fn number(random: &mut Random, end: usize) -> u32 {
    u32::try_from(random.below(end)).unwrap()
}

/// A transition puts at most as many tokens as it takes, so there are never more.
pub(super) fn random_net(random: &mut Random) -> RandomNet {
    let n_places = 2 + random.below(4);
    let places: Vec<u32> = (0..n_places).map(|_| number(random, 4)).collect();
    let arcs = |random: &mut Random, mut left: u32| {
        let mut arcs: Vec<(usize, u32)> = Vec::new();
        for _ in 0..=random.below(3) {
            let (place, weight) = (random.below(n_places), 1 + number(random, 2));
            if weight <= left && arcs.iter().all(|arc| arc.0 != place) {
                arcs.push((place, weight));
                left -= weight;
            }
        }
        arcs
    };
    let transitions = (0..=random.below(6))
        .map(|_| {
            let taken = arcs(random, 4);
            let n_taken = taken.iter().map(|arc| arc.1).sum();
            let put = arcs(random, n_taken);
            [taken, put]
        })
        .collect();
    RandomNet { places, transitions }
}

impl RandomNet {
    pub(super) fn pnml(&self) -> String {
        let names: Vec<String> = (0..self.places.len()).map(|place| format!("q{place}")).collect();
        let steps: Vec<String> =
            (0..self.transitions.len()).map(|step| format!("t{step}")).collect();
        let places: Vec<(&str, u32)> =
            names.iter().map(String::as_str).zip(self.places.iter().copied()).collect();
        let mut arcs = Vec::new();
        for (step, [taken, put]) in steps.iter().zip(&self.transitions) {
            arcs.extend(taken.iter().map(|&(place, weight)| (&*names[place], &**step, weight)));
            arcs.extend(put.iter().map(|&(place, weight)| (&**step, &*names[place], weight)));
        }
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        net(&places, &steps, &arcs)
    }

    pub(super) fn lwm(&self) -> String {
        let total: u32 = self.places.iter().sum();
        let mut text = String::new();
        for (place, tokens) in self.places.iter().enumerate() {
            writeln!(text, "var q{place}: 0..{} = {tokens};", 2 * total + 4).unwrap();
        }
        for (step, [taken, put]) in self.transitions.iter().enumerate() {
            let weight = |arcs: &[(usize, u32)], place: usize| {
                arcs.iter().find(|arc| arc.0 == place).map_or(0, |arc| arc.1)
            };
            let guard: Vec<String> =
                taken.iter().map(|(place, weight)| format!("q{place} >= {weight}")).collect();
            let changed = (0..self.places.len())
                .filter(|&place| weight(taken, place) != 0 || weight(put, place) != 0);
            let effects: Vec<String> = changed
                .map(|place| {
                    let (less, more) = (weight(taken, place), weight(put, place));
                    format!("q{place}' = q{place} - {less} + {more}")
                })
                .collect();
            let guard = if guard.is_empty() { "true".to_owned() } else { guard.join(" && ") };
            let effects =
                if effects.is_empty() { "q0' = q0".to_owned() } else { effects.join(", ") };
            writeln!(text, "action t{step} when {guard} do {effects};").unwrap();
        }
        text
    }

    /// An atom in both languages.
    pub(super) fn atom(&self, random: &mut Random) -> [String; 2] {
        let step = random.below(self.transitions.len());
        let [one, other] = [(); 2].map(|()| random.below(self.places.len()));
        let number = random.below(4);
        let sign = ["<=", "<", ">=", ">", "==", "!="][random.below(6)];
        match random.below(4) {
            0 => [format!("fireable(t{step})"), format!("enabled(t{step})")],
            1 => {
                let last = self.transitions.len() - 1;
                let net = format!("fireable(t{step}, t{last})");
                [net, format!("(enabled(t{step}) || enabled(t{last}))")]
            }
            2 => [(); 2].map(|()| format!("(q{one} {sign} {number})")),
            _ => [(); 2].map(|()| format!("(q{one} + 2 * q{other} {sign} q{other} + {number})")),
        }
    }
}

#[test]
fn nets_agree_with_the_same_models_in_another_language() {
    let (mut random, _) = campaign::random(2021);
    let shape = random_formula::Options { size: 9, ..random_formula::Options::default() };
    let mut verdicts = [0; 2];
    for _ in 0..campaign::rounds(500) {
        let net = random_net(&mut random);
        let (text, other_text) = (net.pnml(), net.lwm());
        let model = read(&text);
        let other =
            lwm::read(&other_text, &[]).unwrap_or_else(|error| panic!("{error}\n{other_text}"));
        assert_eq!(counts(&model), counts(&other), "{text}");
        for _ in 0..4 {
            let atoms: [[String; 2]; 3] = std::array::from_fn(|_| net.atom(&mut random));
            let formula = random_formula::random_formula(&shape, &mut random);
            let printed = print(&formula, Dialect::Lwaa);
            let in_language = |language: usize| {
                let named = |text: String, number: usize| {
                    text.replace(&format!("p{number}"), &atoms[number][language])
                };
                (0..3).fold(printed.clone(), named)
            };
            let formula = model.bindings.formula(&in_language(0)).unwrap();
            let translated = other.bindings.formula(&in_language(1)).unwrap();
            let (program, propositions) = other.bound(&translated.negated()).unwrap();
            let mut system = Interpreter::new(&program, &propositions);
            let graph = Explicit::new(&mut system).unwrap();
            let graph = graph.kripke(&mut system, propositions.len(), true).unwrap();
            let expected = !some_run_satisfies(&graph, &translated.negated());
            assert_eq!(holds(&model, &formula), expected, "{}\n{text}", in_language(0));
            verdicts[usize::from(expected)] += 1;
        }
    }
    assert!(verdicts.iter().all(|&count| 200 < count), "{verdicts:?}");
}

/// Whatever state was looked at before, the executor gives the steps and atoms that the interpreter
/// gives, in the same order.
#[test]
fn executors_agree_in_any_order_of_states() {
    let (mut random, _) = campaign::random(77);
    for _ in 0..campaign::rounds(200) {
        let text = random_net(&mut random).pnml();
        let mut model = read(&text);
        let formula = model.bindings.formula("fireable(t0) & q0 + q1 >= 2").unwrap();
        'opened: loop {
            let question = lwaa::lang::Question::Formula(&formula);
            let opened = model.open(&[question], true).unwrap();
            let atoms: Vec<_> =
                formula.atoms().iter().map(|(_, name)| opened.proposition(name).unwrap()).collect();
            let (mut executor, mut judge) = (opened.executor(&atoms), opened.judge(&atoms));
            let mut states = executor.initial_states();
            let mut known: HashSet<Box<[u64]>> = states.iter().cloned().collect();
            let (mut target, mut expected) = (states[0].clone(), states[0].clone());
            for _ in 0..200 {
                let state = states[random.below(states.len())].clone();
                let first = number(&mut random, executor.n_lanes() as usize);
                let [mut cursor, mut other] = [Cursor::starting_with(first); 2];
                loop {
                    let step = executor.next(&state, &mut cursor, &mut target);
                    assert_eq!(step, judge.next(&state, &mut other, &mut expected), "{text}");
                    match step {
                        Ok(None) => break,
                        Ok(Some(_)) => assert_eq!(target, expected, "{text}"),
                        Err(error) => {
                            let lwaa::system::StepError::Room(room) = error else {
                                panic!("{text}")
                            };
                            let demand = lwaa::lang::Demand::Room(room.transition);
                            drop((executor, judge));
                            let remade = model.bindings.remade(demand).unwrap();
                            model = remade.expect("there is more room");
                            continue 'opened;
                        }
                    }
                    if known.insert(target.clone()) {
                        states.push(target.clone());
                    }
                }
                let [mut letter, mut wanted] = [[0]; 2];
                executor.observe(&state, &mut letter).unwrap();
                judge.observe(&state, &mut wanted).unwrap();
                assert_eq!(letter, wanted, "{text}");
            }
            break;
        }
    }
}
