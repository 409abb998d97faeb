//! The library as its users see it: systems that are written in Rust, models in a language, runs.
//!
//! Random systems are compared with the tableau on their explicit graph, which knows fairness.

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
use lwaa::id::Id;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::lwm;
use lwaa::lang::program::{Fairness, Process, Program, Proposition as Atom, Span, TransitionId};
use lwaa::ltl::print::{Dialect, print};
use lwaa::system::{Strength, TransitionSystem};
use lwaa::testbench::{Random, random_formula};
use lwaa::word::AtomId;
use lwaa::{
    Checker, CheckerError, Deadlock, Formula, Limits, Model, Pack, Proposition, StoreKind, System,
    Verdict,
};
use random_model::random_fair_model;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tableau::{promises, some_fair_run_satisfies};

/// A graph whose steps belong to processes.
#[derive(Clone)]
struct Graph {
    n_initial: usize,
    /// The process of each step, and where it leads.
    steps: Vec<Vec<(usize, usize)>>,
    /// The states in which each proposition is true.
    truths: Vec<Vec<bool>>,
    processes: Vec<String>,
}

/// The number of a state, in a type that is no word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    number: usize,
    name: String,
}

fn node(number: usize) -> Node {
    Node { number, name: format!("node {number}") }
}

impl System for Graph {
    type State = Node;
    type Action = usize;

    fn initial(&self) -> Vec<Node> {
        (0..self.n_initial).map(node).collect()
    }

    fn actions(&self, state: &Node, actions: &mut Vec<usize>) {
        // The last one is never possible.
        actions.extend(0..=self.steps[state.number].len());
    }

    fn next(&self, state: &Node, &action: &usize) -> Option<Node> {
        self.steps[state.number].get(action).map(|&(_, target)| node(target))
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        let proposition = |number: usize| {
            let holds = move |graph: &Self, state: &Node| graph.truths[number][state.number];
            Proposition::new(format!("p{number}"), holds)
        };
        (0..self.truths.len()).map(proposition).collect()
    }

    fn processes(&self) -> Vec<String> {
        self.processes.clone()
    }

    fn process(&self, _: &usize) -> usize {
        0
    }
}

/// The same graph, in which an action knows its process.
struct Processes(Graph);

impl System for Processes {
    type State = Node;
    type Action = (usize, usize);

    fn initial(&self) -> Vec<Node> {
        self.0.initial()
    }

    fn actions(&self, state: &Node, actions: &mut Vec<(usize, usize)>) {
        let steps = self.0.steps[state.number].iter().enumerate();
        actions.extend(steps.map(|(number, &(process, _))| (number, process)));
    }

    fn next(&self, state: &Node, action: &(usize, usize)) -> Option<Node> {
        self.0.next(state, &action.0)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        let proposition = |number: usize| {
            let holds = move |system: &Self, state: &Node| system.0.truths[number][state.number];
            Proposition::new(format!("p{number}"), holds)
        };
        (0..self.0.truths.len()).map(proposition).collect()
    }

    fn processes(&self) -> Vec<String> {
        self.0.processes.clone()
    }

    fn process(&self, action: &(usize, usize)) -> usize {
        action.1
    }
}

impl Pack for Processes {
    fn n_words(&self) -> usize {
        1
    }

    fn pack(&self, state: &Node, words: &mut [u64]) {
        words[0] = state.number as u64;
    }

    fn unpack(&self, words: &[u64]) -> Node {
        node(usize::try_from(words[0]).unwrap())
    }
}

/// A random formula about three propositions and about what one process does.
fn formula(process: &str, random: &mut Random) -> Formula {
    const MAX_TEMPORAL: usize = 5;
    let shape = random_formula::Options { size: 7, n_atoms: 5, ..Default::default() };
    loop {
        let mut text = print(&random_formula::random_formula(&shape, random), Dialect::Lwaa);
        text = text.replace("p3", &format!("\"taken({process})\""));
        text = text.replace("p4", &format!("\"enabled({process})\""));
        let formula = Formula::parse(&text).unwrap();
        let terms = formula.terms();
        if terms.ids().filter(|&id| terms.term(id).is_temporal()).count() <= MAX_TEMPORAL {
            return formula;
        }
    }
}

/// A system, a question and its answer.
struct Case {
    graph: Graph,
    formula: Formula,
    strength: Option<Strength>,
    deadlock: Deadlock,
    is_violated: bool,
    n_transitions: usize,
    text: String,
}

/// The transitions of each process.
fn moves(program: &Program) -> Vec<Vec<TransitionId>> {
    let of = |process| {
        let all = program.transitions.entries();
        all.filter(|(_, one)| one.process == process).map(|(id, _)| id).collect()
    };
    program.processes.ids().map(of).collect()
}

/// The assumption that all processes are fair.
fn fairness(strength: Option<Strength>, program: &Program) -> Vec<Fairness> {
    let Some(strength) = strength else { return Vec::new() };
    let named = program.processes.iter().zip(moves(program));
    let fairness = |(process, transitions): (&Process, Vec<TransitionId>)| {
        let name = process.name.clone();
        Fairness { strength, name, transitions, span: Span::default() }
    };
    named.map(fairness).collect()
}

/// A random case; nothing if its model goes wrong.
fn case(random: &mut Random) -> Option<Case> {
    let (text, _) = random_fair_model(random);
    let model = lwm::read(&text, &[]).unwrap();
    let mut program = model.program.clone();
    let processes: Vec<String> = program.processes.iter().map(|one| one.name.clone()).collect();
    let chosen = random.below(processes.len());
    let formula = formula(&processes[chosen], random);
    let strength = [None, Some(Strength::Weak), Some(Strength::Strong)][random.below(3)];
    program.fairness = fairness(strength, &program);
    let chosen = moves(&program).swap_remove(chosen);
    let mut bind = |name: &str| match name {
        _ if name.starts_with("taken") => Atom::Taken(chosen.clone()),
        _ if name.starts_with("enabled") => Atom::Enabled(chosen.clone()),
        _ => model.bindings.atom(&mut program, name).unwrap(),
    };
    let mut atoms: Vec<Atom> = formula.atoms().iter().map(|(_, name)| bind(name)).collect();
    let all: Vec<Atom> = ["p0", "p1", "p2"].map(&mut bind).into();
    let promises = promises(&program, &mut atoms);
    let mut system = Interpreter::new(&program, &atoms);
    let explicit = Explicit::new(&mut system).ok()?;
    let is_stuttering = random.coin();
    let kripke = explicit.kripke(&mut system, atoms.len(), is_stuttering).ok()?;
    let mut observer = Interpreter::new(&program, &all);
    let mut truth = |atom: usize| {
        let states = explicit.states.iter();
        states.map(|state| observe(&mut observer, state, AtomId::new(atom))).collect()
    };
    let truths = (0..all.len()).map(&mut truth).collect();
    let step = |&(taken, target): &(TransitionId, usize)| {
        (program.transitions[taken].process.index(), target)
    };
    let steps = explicit.steps.iter().map(|steps| steps.iter().map(step).collect()).collect();
    Some(Case {
        graph: Graph { n_initial: explicit.n_initial, steps, truths, processes },
        strength,
        deadlock: if is_stuttering { Deadlock::Stutter } else { Deadlock::Ignore },
        is_violated: some_fair_run_satisfies(&kripke, &formula.negated(), &promises),
        formula,
        n_transitions: explicit.n_transitions(),
        text,
    })
}

#[test]
fn verdicts_on_own_systems_agree_with_the_tableau() {
    let (mut random, seed) = campaign::random(1717);
    let mut verdicts = [0; 2];
    for round in 0..campaign::rounds(1500) {
        let Some(case) = case(&mut random) else { continue };
        for (is_packed, store) in
            [(false, StoreKind::Exact), (true, StoreKind::Exact), (true, StoreKind::Tree)]
        {
            let own = Processes(case.graph.clone());
            let checker = if is_packed { Checker::packed(own) } else { Checker::new(own) };
            let checker = checker.store(store).deadlock(case.deadlock);
            let checker = match case.strength {
                None => checker,
                Some(Strength::Weak) => checker.weakly_fair(),
                Some(Strength::Strong) => checker.strongly_fair(),
            };
            let size = checker.explore().unwrap();
            let expected = (case.graph.steps.len(), case.n_transitions as u64);
            assert_eq!((size.states, size.transitions), expected);
            let verdict = checker.check_formula(&case.formula).unwrap();
            let (formula, text) = (&case.formula, &case.text);
            let context = format!("seed {seed}, round {round}, {formula}\n{text}\n{verdict}");
            let found = (verdict.is_violated(), verdict.holds());
            assert_eq!(found, (case.is_violated, !case.is_violated), "{context}");
            verdicts[usize::from(case.is_violated)] += 1;
        }
    }
    let enough = campaign::rounds(300);
    assert!(verdicts.iter().all(|&count| enough < count), "{verdicts:?}");
}

fn observe(system: &mut Interpreter<'_>, state: &[u64], atom: AtomId) -> bool {
    system.observe_atom(state, atom).unwrap_or(false)
}

/// Two workers that take a lock. The second one is never let in if the first one is quick.
struct Lock;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Holder {
    holder: Option<usize>,
    waiting: [bool; 2],
}

#[derive(Debug)]
enum Step {
    Ask(usize),
    Take(usize),
    Leave(usize),
}

impl System for Lock {
    type State = Holder;
    type Action = Step;

    fn initial(&self) -> Vec<Holder> {
        vec![Holder { holder: None, waiting: [false; 2] }]
    }

    fn actions(&self, _: &Holder, actions: &mut Vec<Step>) {
        actions.extend(
            (0..2).flat_map(|worker| [Step::Ask(worker), Step::Take(worker), Step::Leave(worker)]),
        );
    }

    fn next(&self, state: &Holder, step: &Step) -> Option<Holder> {
        let mut next = state.clone();
        match *step {
            Step::Ask(worker) if !state.waiting[worker] && state.holder != Some(worker) => {
                next.waiting[worker] = true;
            }
            Step::Take(worker) if state.waiting[worker] && state.holder.is_none() => {
                next.waiting[worker] = false;
                next.holder = Some(worker);
            }
            Step::Leave(worker) if state.holder == Some(worker) => next.holder = None,
            _ => return None,
        }
        Some(next)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![
            Proposition::new("waits", |_, state: &Holder| state.waiting[1]),
            Proposition::new("holds", |_, state: &Holder| state.holder == Some(1)),
        ]
    }

    fn processes(&self) -> Vec<String> {
        vec!["first".to_owned(), "second".to_owned()]
    }

    fn process(&self, step: &Step) -> usize {
        let (Step::Ask(worker) | Step::Take(worker) | Step::Leave(worker)) = step;
        *worker
    }
}

const ANSWERED: &str = "G (waits -> F holds)";

#[test]
fn fairness_decides() {
    assert!(Checker::new(Lock).check(ANSWERED).unwrap().is_violated());
    assert!(Checker::new(Lock).weakly_fair().check(ANSWERED).unwrap().is_violated());
    Checker::new(Lock).strongly_fair().assert_holds(ANSWERED);
}

#[test]
fn runs_have_the_types_of_their_system() {
    let verdict = Checker::new(Lock).weakly_fair().check(ANSWERED).unwrap();
    let run = verdict.run().unwrap();
    assert_eq!(run.prefix[0].state, Holder { holder: None, waiting: [false; 2] });
    assert!(run.steps().any(|step| matches!(step.action, Some(Step::Ask(1)))));
    assert!(run.cycle.iter().all(|step| step.state.waiting[1]));
    assert!(run.cycle.iter().any(|step| matches!(step.action, Some(Step::Take(0)))));
    assert_eq!(run.violated_at, None);
    let bad = Checker::new(Lock).shortest().check("G !waits").unwrap();
    assert_eq!(bad.run().unwrap().violated_at, Some(1));
}

#[test]
fn a_failed_assertion_shows_the_run() {
    let failed =
        std::panic::catch_unwind(|| Checker::new(Lock).shortest().assert_holds("G !holds"));
    let text = *failed.unwrap_err().downcast::<String>().unwrap();
    insta::assert_snapshot!(text, @r"
    `G !holds`: violated
    run: 3 states, violated in state 2
      0  (initial state)  holder = None, waiting = [false, false]
                          pending: F holds
      1  second: Ask(1)   waiting = [false, true]
      2  second: Take(1)  holder = Some(1), waiting = [false, false]
         (violated: `!holds` is false; what follows does not matter)
    ");
}

#[test]
fn a_failed_assertion_says_which_fairness_is_missing() {
    let failed = std::panic::catch_unwind(|| Checker::new(Lock).shortest().assert_holds(ANSWERED));
    let message = failed.unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    let note = message.lines().last().unwrap();
    assert!(note.starts_with("note: the run is unfair: "), "{message}");
    assert!(note.contains("_fair()`, which excludes such runs, the property holds"), "{message}");
}

#[test]
fn names_that_are_unknown_are_errors() {
    let error = Checker::new(Lock).check("G wait").unwrap_err();
    let expected =
        "in the atom `wait`: the system has no proposition of this name; it has `waits`, `holds`";
    assert_eq!(error.to_string(), expected);
    let error = Checker::new(Lock).check("G \"taken(third)\"").unwrap_err();
    let expected = "in the atom `taken(third)`: the system has no process of this name; its processes \
                    are `first`, `second`";
    assert_eq!(error.to_string(), expected);
    let error = Checker::new(Lock).check("G taken(first)").unwrap_err();
    let expected = "expected an operator or the end, found `(`\n  G taken(first)\n         ^";
    assert_eq!(error.to_string(), expected);
    assert!(matches!(error, CheckerError::Formula { .. }));
}

/// A counter that never ends.
struct Endless;

impl System for Endless {
    type State = u64;
    type Action = ();

    fn initial(&self) -> Vec<u64> {
        vec![0]
    }

    fn actions(&self, _: &u64, actions: &mut Vec<()>) {
        actions.push(());
    }

    fn next(&self, state: &u64, (): &()) -> Option<u64> {
        Some(state + 1)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![Proposition::new("large", |_, state| *state == u64::MAX)]
    }
}

#[test]
fn limits_give_unknown_and_progress_is_told() {
    let told = Arc::new(AtomicUsize::new(0));
    let limits = Limits { states: Some(1000), ..Limits::default() };
    let verdict = Checker::new(Endless).limits(limits).check("G !large").unwrap();
    assert!(matches!(&verdict, Verdict::Unknown(reason) if reason.contains("1000")), "{verdict}");
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let checker = Checker::new(Endless).limits(limits);
    let hear = Arc::clone(&told);
    let checker = checker.on_progress(Duration::from_millis(10), move |progress| {
        hear.fetch_max(usize::try_from(progress.states).unwrap(), Ordering::Relaxed);
    });
    assert!(matches!(checker.check("G !large").unwrap(), Verdict::Unknown(_)));
    assert!(0 < told.load(Ordering::Relaxed));
}

/// A system that does not give the same answer twice.
struct Moody(AtomicUsize);

impl System for Moody {
    type State = usize;
    type Action = ();

    fn initial(&self) -> Vec<usize> {
        vec![0]
    }

    fn actions(&self, _: &usize, actions: &mut Vec<()>) {
        actions.push(());
    }

    fn next(&self, state: &usize, (): &()) -> Option<usize> {
        Some((state + 1 + self.0.fetch_add(1, Ordering::Relaxed) / 7) % 7)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![Proposition::new("three", |_, state| *state == 3)]
    }
}

#[test]
fn a_system_that_changes_its_mind_gets_no_verdict() {
    let verdict = Checker::new(Moody(AtomicUsize::new(0))).check("G !three");
    assert!(matches!(verdict, Err(CheckerError::System(_))), "{verdict:?}");
}

#[test]
fn a_deadlock_is_an_error_if_that_is_asked_for() {
    let graph = Graph {
        n_initial: 1,
        steps: vec![vec![(0, 1)], vec![]],
        truths: vec![vec![true, true]],
        processes: vec![],
    };
    Checker::new(graph.clone()).assert_holds("G p0");
    let verdict = Checker::new(graph).deadlock(Deadlock::Report).check("G p0").unwrap();
    let Verdict::ModelError { reason, run } = verdict else { panic!("{verdict}") };
    assert_eq!((reason.as_str(), run.prefix.len()), ("deadlock: no transition is enabled", 2));
}

/// A client that may be refused for ever, but is served on all runs that end: the run that never
/// comes to an end is a cycle. (`benches/own_systems` asks `stateright` the same.)
#[test]
fn a_cycle_that_avoids_what_should_happen_is_found() {
    let graph = Graph {
        n_initial: 1,
        steps: vec![vec![(0, 1)], vec![(0, 2), (0, 0)], vec![]],
        truths: vec![vec![false, false, true]],
        processes: vec![],
    };
    let packed = Checker::packed(Processes(graph.clone()));
    for checker in [Checker::new(Processes(graph)), packed] {
        let verdict = checker.check("F p0").unwrap();
        let Verdict::Violated(run) = verdict else { panic!("{verdict}") };
        let cycle: Vec<Node> = run.cycle.iter().map(|step| step.state.clone()).collect();
        assert_eq!((run.prefix.len(), cycle), (0, vec![node(0), node(1)]));
    }
}

/// Processes begin behind more states than the front end looks at before a search. The first
/// property fails in a system that is still too small for the others.
#[test]
fn a_model_that_begins_processes_is_opened_with_as_much_room_as_it_needs() {
    let text = "short n; byte m; proctype Late() { m++ }
                active proctype P() { do :: n < 30000 -> n++ :: else -> break od; run Late() }";
    let model = Model::parse("promela", text).unwrap();
    let checker = Checker::of(model);
    assert!(checker.check("[] (n < 3)").unwrap().is_violated());
    checker.assert_holds("<> (m == 1)");
    checker.assert_holds("[] (m <= 1)");
    let size = checker.explore().unwrap();
    assert!(size.is_complete && 30000 < size.states, "{size:?}");
}
