//! Random models that go wrong: verdicts against their definition on the explicit state graph.
//!
//! A run ends in an error if a transition goes wrong, or before it reads a state in which an
//! atom of the property does. A property is violated if an infinite run without error violates it, or if progression of
//! the formula along a run into an error reaches `false`. Else the model is wrong if an error
//! can be reached, and only else the property holds. Infinite runs are looked for by a tableau;
//! progression is done here, on sets of sets of subformulas, and shares nothing with the
//! automata and the semantics that the checker uses.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;
#[path = "support/random_model.rs"]
mod random_model;
#[path = "support/tableau.rs"]
mod tableau;

use lwaa::Formula;
use lwaa::baseline::nba::{Edge, StateId};
use lwaa::baseline::translation::{self, Translation};
use lwaa::check::explore::explore;
use lwaa::check::model::{
    Deadlock, Errors, ModelOptions, Order, Question, SearchKind, check, check_all,
};
use lwaa::check::{Exploration, Method, Options};
use lwaa::id::Id;
use lwaa::lang::claim::{Claim, ClaimEdge, ClaimState};
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::Span;
use lwaa::lang::{Model, lwm};
use lwaa::ltl::nnf::{self, Nnf, Node, NodeId};
use lwaa::ltl::print::{Dialect, print};
use lwaa::product::Treatment;
use lwaa::run::{Moment, Run};
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::system::{Cursor, TransitionSystem, is_observed};
use lwaa::testbench::kripke::Kripke;
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::{Finding, Verdict};
use lwaa::word::{AtomId, Letter};
use random_model::random_model;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use tableau::some_run_satisfies;

/// A state graph, in which states runs end in an error, and which of them have no letter because
/// an atom goes wrong.
struct Graph {
    kripke: Kripke,
    fails: Vec<bool>,
    is_unreadable: Vec<bool>,
    n_errors: u64,
}

/// The graph of a model, by the interpreter.
fn graph(model: &Model, formula: &Formula, treatment: Treatment) -> Graph {
    let (mut program, atoms) = model.bound(formula).unwrap();
    if treatment.errors == Errors::Ignore {
        program.ignore_assertions();
    }
    let mut system = Interpreter::new(&program, &atoms);
    let mut states = system.initial_states();
    let mut numbers: HashMap<Box<[u64]>, usize> = states.iter().cloned().zip(0..).collect();
    let mut graph = Graph {
        kripke: Kripke::default(),
        fails: Vec::new(),
        is_unreadable: Vec::new(),
        n_errors: 0,
    };
    graph.kripke.initial = (0..states.len()).collect();
    let mut target = vec![0; system.n_words()];
    let mut observed = vec![0; formula.atoms().len().div_ceil(64)];
    while let Some(state) = states.get(graph.fails.len()).cloned() {
        let (mut successors, mut n_faults, mut cursor) = (Vec::new(), 0, Cursor::default());
        let is_unreadable = system.observe(&state, &mut observed).is_err();
        graph.is_unreadable.push(is_unreadable);
        n_faults += u64::from(is_unreadable);
        loop {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(None) => break,
                _ if is_unreadable => break,
                Err(_) => n_faults += 1,
                Ok(Some(_)) => {
                    let fresh = states.len();
                    let number = *numbers.entry(target.as_slice().into()).or_insert(fresh);
                    if number == fresh {
                        states.push(target.as_slice().into());
                    }
                    successors.push(number);
                }
            }
        }
        let is_deadlock = successors.is_empty() && n_faults == 0;
        if is_deadlock && treatment.deadlock == Deadlock::Stutter {
            successors.push(graph.fails.len());
        }
        let all = (0..formula.atoms().len()).map(AtomId::new);
        graph.kripke.letters.push(all.filter(|&atom| is_observed(&observed, atom)).collect());
        graph.kripke.successors.push(successors);
        graph.n_errors += n_faults;
        let is_error = is_deadlock && treatment.deadlock == Deadlock::Report;
        graph.fails.push(0 < n_faults || is_error);
    }
    graph
}

/// What is left of a formula: one of these sets of subformulas has to hold.
type Rest = BTreeSet<BTreeSet<NodeId>>;

fn product(left: &Rest, right: &Rest) -> Rest {
    left.iter().flat_map(|one| right.iter().map(move |other| one | other)).collect()
}

/// What is left of a subformula behind a letter.
fn progress(formula: &Nnf, id: NodeId, letter: &Letter) -> Rest {
    let truth = || Rest::from([BTreeSet::new()]);
    let later = |id| Rest::from([BTreeSet::from([id])]);
    match formula.nodes.node(id) {
        Node::True => truth(),
        Node::Literal { atom, positive } if letter.contains(atom) == positive => truth(),
        Node::False | Node::Literal { .. } => Rest::new(),
        Node::And(operands) => operands
            .iter()
            .fold(truth(), |rest, &operand| product(&rest, &progress(formula, operand, letter))),
        Node::Or(operands) => {
            operands.iter().flat_map(|&operand| progress(formula, operand, letter)).collect()
        }
        Node::Next(a) => later(a),
        Node::Until(a, b) => {
            let go_on = product(&progress(formula, a, letter), &later(id));
            &progress(formula, b, letter) | &go_on
        }
        Node::Release(a, b) => {
            let end = &progress(formula, a, letter) | &later(id);
            product(&progress(formula, b, letter), &end)
        }
    }
}

/// What is left behind a letter of what was left before it; no more than is needed.
fn step(formula: &Nnf, rest: &Rest, letter: &Letter) -> Rest {
    let truth = Rest::from([BTreeSet::new()]);
    let after: Rest = rest
        .iter()
        .flat_map(|clause| {
            clause
                .iter()
                .fold(truth.clone(), |all, &id| product(&all, &progress(formula, id, letter)))
        })
        .collect();
    let is_needed = |clause: &BTreeSet<NodeId>| {
        !after.iter().any(|other| other != clause && other.is_subset(clause))
    };
    after.iter().filter(|clause| is_needed(clause)).cloned().collect()
}

/// Whether progression along some run into an error reaches `false`.
fn has_bad_prefix(graph: &Graph, formula: &Formula) -> bool {
    let formula = nnf::from_formula(formula);
    let whole = Rest::from([BTreeSet::from([formula.root])]);
    let mut open: VecDeque<(usize, Rest)> =
        graph.kripke.initial.iter().map(|&state| (state, whole.clone())).collect();
    let mut seen: HashSet<(usize, Rest)> = HashSet::new();
    while let Some((state, rest)) = open.pop_front() {
        if !seen.insert((state, rest.clone())) {
            continue;
        }
        if graph.is_unreadable[state] {
            if rest.is_empty() {
                return true;
            }
            continue;
        }
        let after = step(&formula, &rest, &graph.kripke.letters[state]);
        if graph.fails[state] && after.is_empty() {
            return true;
        }
        open.extend(graph.kripke.successors[state].iter().map(|&next| (next, after.clone())));
    }
    false
}

/// The verdict by definition.
fn expected(graph: &Graph, formula: &Formula, exists: bool) -> &'static str {
    let wanted = if exists { formula.clone() } else { formula.negated() };
    let has_run = some_run_satisfies(&graph.kripke, &wanted);
    let has_error = graph.fails.contains(&true);
    match exists {
        true if has_run => "a run exists",
        false if has_run || has_bad_prefix(graph, formula) => "violated",
        _ if has_error => "model error",
        true => "no run exists",
        false => "holds",
    }
}

fn ask(model: &Model, formula: &Formula, options: &ModelOptions) -> Finding {
    let formulas = std::slice::from_ref(formula);
    let found = check(model, formulas, options, &Monitor::default(), &mut |_, _| ()).unwrap();
    found.into_iter().next().unwrap()
}

/// Where the run of a finding violates the formula, by progression along its states.
fn violated_at(model: &Model, formula: &Formula, finding: &Finding) -> Option<usize> {
    let moments: Vec<&Moment> = match &finding.verdict {
        Verdict::Violated(run) => (0..200).map_while(|position| run.at(position)).collect(),
        _ => return None,
    };
    let (program, atoms) = model.bound(formula).unwrap();
    let mut system = Interpreter::new(&program, &atoms);
    let nnf = nnf::from_formula(formula);
    let mut rest = Rest::from([BTreeSet::from([nnf.root])]);
    moments.iter().position(|moment| {
        let all = (0..formula.atoms().len()).map(AtomId::new);
        let letter: Letter =
            all.filter(|&atom| system.observe_atom(&moment.state, atom).unwrap()).collect();
        rest = step(&nnf, &rest, &letter);
        rest.is_empty()
    })
}

/// A random model with an action that goes wrong now and then.
fn wrong_model(random: &mut Random) -> String {
    let conditions =
        ["true", "a", "!a", "b == 2", "b == 0", "c[0]", "!c[1]", "d == green", "2 / b == 1"];
    let [guard, assertion] = [0; 2].map(|_| conditions[random.below(conditions.len())]);
    let update = ["a' = !a", "b' = b + 1", "c[b]' = true", "b' = 2 / b"][random.below(4)];
    let text = random_model(random);
    format!("{text}action wrong when {guard} do {update}, assert {assertion};\n")
}

/// A random formula; an atom of it goes wrong now and then.
fn wrong_formula(shape: &random_formula::Options, random: &mut Random) -> String {
    let text = print(&random_formula::random_formula(shape, random), Dialect::Lwaa);
    let atoms = ["p2", "p2", "\"c[b]\"", "\"2 / b == 1\"", "enabled(wrong)"];
    text.replace("p2", atoms[random.below(atoms.len())])
}

fn ways(seed: u64) -> Vec<ModelOptions> {
    let with = |method, store, order| ModelOptions {
        store,
        order,
        options: Options { method, ..Options::default() },
        ..ModelOptions::default()
    };
    let (exact, tree) = (StoreKind::Exact, StoreKind::Tree);
    let mut ways = vec![
        with(Method::Auto, exact, None),
        with(Method::Auto, exact, Some(Order::Guided)),
        with(Method::Auto, tree, Some(Order::Random(seed))),
        with(
            Exploration { pure: true, ..Exploration::default() }.into(),
            exact,
            Some(Order::Fixed),
        ),
    ];
    for translation in Translation::ALL {
        let by = |search| Method::Automaton { translation, search: Some(search) };
        ways.push(with(by(SearchKind::Scc), exact, Some(Order::Rotate)));
        ways.push(with(by(SearchKind::Nested), tree, Some(Order::Fixed)));
        ways.push(with(by(SearchKind::Magic), StoreKind::Hybrid, Some(Order::Rotate)));
        ways.push(with(by(SearchKind::Nested), StoreKind::Bitstate, Some(Order::Fixed)));
    }
    ways.push(ModelOptions { shortest: true, ..ways[0].clone() });
    ways
}

/// What a verdict says about errors.
fn kind(verdict: &Verdict) -> Option<&'static str> {
    let is_atom = |run: &Run| run.fault().is_some_and(|fault| fault.transition.is_none());
    match verdict {
        Verdict::Violated(run) if is_atom(run) => Some("before an atom"),
        Verdict::Violated(run) if !run.is_infinite() => Some("before an error"),
        Verdict::ModelError(run) if is_atom(run) => Some("an atom"),
        _ => None,
    }
}

/// What there has to be among random verdicts.
const KINDS: [&str; 7] = [
    "violated",
    "holds",
    "model error",
    "before an error",
    "with a place",
    "an atom",
    "before an atom",
];

#[test]
fn verdicts_are_those_of_the_definition() {
    let (mut random, seed) = campaign::random(5);
    let shape = random_formula::Options { size: 7, ..random_formula::Options::default() };
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for round in 0..campaign::rounds(400) {
        let text = wrong_model(&mut random);
        let model = lwm::read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let printed = wrong_formula(&shape, &mut random);
        let formula = model.bindings.formula(&printed).unwrap();
        let deadlock = [Deadlock::Stutter, Deadlock::Report, Deadlock::Ignore][random.below(3)];
        let errors = if random.chance(0.2) { Errors::Ignore } else { Errors::Report };
        let exists = random.chance(0.2);
        let graph = graph(&model, &formula, Treatment { deadlock, errors });
        let expected = expected(&graph, &formula, exists);
        for options in ways(seed) {
            let options = ModelOptions { deadlock, errors, exists, ..options };
            let finding = ask(&model, &formula, &options);
            let context = format!("seed {seed}, round {round}, {options:?}:\n{printed}\n{text}");
            let found = match lwaa::report::model::word(&finding.verdict) {
                // Models are small, so shared bits lose nothing.
                "no violation found" => "holds",
                "no run found" => "no run exists",
                word => word,
            };
            assert_eq!(found, expected, "{context}");
            if let Some(kind) = kind(&finding.verdict) {
                *counts.entry(kind).or_default() += 1;
            }
            if deadlock != Deadlock::Ignore && !exists {
                let position = finding.violation.as_ref().map(|violation| violation.position);
                assert_eq!(position, violated_at(&model, &formula, &finding), "{context}");
                *counts.entry("with a place").or_default() += usize::from(position.is_some());
            }
        }
        let options =
            ModelOptions { deadlock, errors: Errors::Stop, exists, ..ways(seed)[0].clone() };
        let stopped = lwaa::report::model::word(&ask(&model, &formula, &options).verdict);
        let is_fine = stopped == expected || stopped == "model error" && errors == Errors::Report;
        assert!(
            is_fine || errors == Errors::Ignore,
            "{stopped}, not {expected}:\n{printed}\n{text}"
        );
        *counts.entry(expected).or_default() += 1;
    }
    assert!(KINDS.iter().all(|kind| 20 < counts[kind]), "{counts:?}");
}

/// The automaton of the negation of `formula` as a claim.
fn claim(formula: &Formula) -> Claim {
    let nnf = nnf::from_formula(&formula.negated());
    let (limits, monitor) = (Limits::default(), Monitor::default());
    let mut budget = Budget::new(limits, &monitor);
    let automaton = translation::buchi(&nnf, Translation::Gpvw, false, &mut budget).unwrap();
    // A claim begins in its first state, so that one has the edges of all initial ones.
    let edge = |edge: &Edge| ClaimEdge {
        conditions: automaton
            .cube(edge.cube)
            .literals()
            .map(|(atom, value)| (atom.index(), value))
            .collect(),
        target: 1 + edge.target.index(),
    };
    let edges = |states: &[StateId]| {
        states.iter().flat_map(|&state| automaton.edges(state)).map(edge).collect()
    };
    let mut states = vec![ClaimState { is_accepting: false, edges: edges(automaton.initial()) }];
    states.extend(automaton.states().map(|state| ClaimState {
        is_accepting: automaton.is_accepting(state),
        edges: edges(&[state]),
    }));
    let atoms = automaton.atoms().iter().map(|(_, name)| name.to_owned()).collect();
    let span = Span::default();
    Claim { name: "claim".to_owned(), span, atoms, states, ..Claim::default() }
}

/// Whether a claim has come to where it accepts whatever follows on some run into an error: an
/// unconditional edge leads back there, or to such a state.
fn has_accepted_prefix(graph: &Graph, claim: &Claim) -> bool {
    let leads = |state: usize, target: usize| {
        let is_it = |edge: &ClaimEdge| edge.target == target && edge.conditions.is_empty();
        claim.states[state].edges.iter().any(is_it)
    };
    let n_states = claim.states.len();
    let stays = |state: usize| claim.states[state].is_accepting && leads(state, state);
    let mut is_universal: Vec<bool> = (0..n_states).map(stays).collect();
    for _ in 0..n_states {
        for state in 0..n_states {
            is_universal[state] |= (0..n_states).any(|to| is_universal[to] && leads(state, to));
        }
    }
    let mut open: Vec<(usize, usize)> =
        graph.kripke.initial.iter().map(|&state| (state, 0)).collect();
    let mut seen: HashSet<(usize, usize)> = open.iter().copied().collect();
    while let Some((state, of_claim)) = open.pop() {
        if graph.is_unreadable[state] {
            continue;
        }
        let letter = &graph.kripke.letters[state];
        for edge in &claim.states[of_claim].edges {
            let mut asked = edge.conditions.iter();
            if !asked.all(|&(atom, value)| letter.contains(AtomId::new(atom)) == value) {
                continue;
            }
            if graph.fails[state] && is_universal[edge.target] {
                return true;
            }
            for &next in &graph.kripke.successors[state] {
                if graph.is_unreadable[next] && is_universal[edge.target] {
                    return true;
                }
                if seen.insert((next, edge.target)) {
                    open.push((next, edge.target));
                }
            }
        }
    }
    false
}

#[test]
fn claims_may_end_before_an_error() {
    let (mut random, seed) = campaign::random(7);
    let shape = random_formula::Options { size: 5, ..random_formula::Options::default() };
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for round in 0..campaign::rounds(200) {
        let text = wrong_model(&mut random);
        let model = lwm::read(&text, &[]).unwrap();
        let printed = wrong_formula(&shape, &mut random);
        let formula = model.bindings.formula(&printed).unwrap();
        let claim = claim(&formula);
        let deadlock = [Deadlock::Stutter, Deadlock::Report][random.below(2)];
        let treatment = Treatment { deadlock, errors: Errors::Report };
        let graph = graph(&model, &formula, treatment);
        let expected = match () {
            () if some_run_satisfies(&graph.kripke, &formula.negated()) => "violated",
            () if has_accepted_prefix(&graph, &claim) => "violated",
            () if graph.fails.contains(&true) => "model error",
            () => "holds",
        };
        let is_guided = |options: &ModelOptions| options.order == Some(Order::Guided);
        for options in ways(seed).into_iter().filter(|options| !is_guided(options)) {
            let options = ModelOptions { deadlock, ..options };
            let questions = [Question::Claim(&claim)];
            let monitor = Monitor::default();
            let found = check_all(&model, &questions, &options, &monitor, &mut |_| ()).unwrap();
            let word = match lwaa::report::model::word(&found[0].verdict) {
                "no violation found" => "holds",
                word => word,
            };
            let context = format!("seed {seed}, round {round}, {options:?}:\n{printed}\n{text}");
            assert_eq!(word, expected, "{context}");
            if matches!(&found[0].verdict, Verdict::Violated(run) if !run.is_infinite()) {
                *counts.entry("before an error").or_default() += 1;
            }
        }
        *counts.entry(expected).or_default() += 1;
    }
    let kinds = ["violated", "holds", "model error", "before an error"];
    assert!(kinds.iter().all(|kind| 5 < counts[kind]), "{counts:?}");
}

/// Automata that read which transition is taken have no step on some of them: what is behind
/// these has to be looked at as well.
#[test]
fn errors_are_met_where_automata_read_actions() {
    let (mut random, seed) = campaign::random(8);
    let truth = Formula::parse("true").unwrap();
    let mut n_wrong = 0;
    for round in 0..campaign::rounds(100) {
        let text = format!("{}weak fair wrong;\n", wrong_model(&mut random));
        let model = lwm::read(&text, &[]).unwrap();
        let graph = graph(&model, &truth, Treatment::default());
        let is_wrong = graph.fails.contains(&true);
        n_wrong += usize::from(is_wrong);
        for typed in ["true", "F taken(wrong) || G !taken(wrong)"] {
            let formula = model.bindings.formula(typed).unwrap();
            for options in ways(seed) {
                let found =
                    match lwaa::report::model::word(&ask(&model, &formula, &options).verdict) {
                        "no violation found" => "holds",
                        word => word,
                    };
                let expected = if is_wrong { "model error" } else { "holds" };
                let context = format!("seed {seed}, round {round}, {options:?}:\n{typed}\n{text}");
                assert_eq!(found, expected, "{context}");
            }
        }
    }
    assert!(10 < n_wrong, "{n_wrong}");
}

#[test]
fn explorations_go_on_behind_errors() {
    let (mut random, seed) = campaign::random(6);
    let truth = Formula::parse("true").unwrap();
    let mut n_wrong = 0;
    for round in 0..campaign::rounds(200) {
        let text = wrong_model(&mut random);
        let model = lwm::read(&text, &[]).unwrap();
        for errors in [Errors::Report, Errors::Ignore] {
            let treatment = Treatment { deadlock: Deadlock::Stutter, errors };
            let graph = graph(&model, &truth, treatment);
            let (limits, monitor) = (Limits::default(), Monitor::default());
            let found =
                explore(&model.program, StoreKind::Exact, treatment, limits, &monitor).unwrap().0;
            let context = format!("seed {seed}, round {round}, {errors:?}:\n{text}");
            assert_eq!(
                (found.states, found.errors),
                (graph.fails.len(), graph.n_errors),
                "{context}"
            );
            assert_eq!(found.incomplete.is_some(), graph.fails.contains(&true), "{context}");
            assert!(found.is_complete, "{context}");
            n_wrong += usize::from(found.incomplete.is_some());
        }
    }
    assert!(20 < n_wrong, "{n_wrong}");
}
