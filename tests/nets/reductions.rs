//! What is known about nets, and the rules that make them smaller: the same verdicts with and without,
//! on random nets to which the rules apply.

use super::explicit::Explicit;
use super::random::{RandomNet, number, random_net};
use super::tableau::some_run_satisfies;
use super::{campaign, net, read};
use lwaa::Formula;
use lwaa::check::model::{ModelOptions, Preparation, check};
use lwaa::check::reduction::Reduce;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::smaller::{Rule, Rules};
use lwaa::lang::{Model, lwm};
use lwaa::ltl::print::{Dialect, print};
use lwaa::search::limits::Monitor;
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::{Finding, Verdict};

/// What is found about a formula without a search of the whole net before.
fn finding(model: &Model, formula: &Formula, preparation: Preparation) -> Finding {
    let options = ModelOptions { reduce: Reduce::Off, preparation, ..ModelOptions::default() };
    let formulas = std::slice::from_ref(formula);
    let findings = check(model, formulas, &options, &Monitor::default(), &mut |_, _| ());
    findings.unwrap().remove(0)
}

fn holds(finding: &Finding) -> bool {
    match &finding.verdict {
        Verdict::Holds => true,
        Verdict::Violated(_) => false,
        other => panic!("{other:?}"),
    }
}

/// A random net in which transitions were made longer, and places and transitions were added that
/// make no difference, or nearly none.
fn grown_net(random: &mut Random) -> RandomNet {
    let mut net = random_net(random);
    for _ in 0..=random.below(4) {
        let step = random.below(net.transitions.len());
        let place = random.below(net.places.len());
        match random.below(9) {
            0..=4 => split(&mut net, step, random),
            5 => {
                let mut copy = net.transitions[step].clone();
                if random.below(2) == 0 && copy[0].iter().all(|arc| arc.0 != place) {
                    copy[0].push((place, 1));
                    copy[1].retain(|arc| arc.0 != place);
                    copy[1].push((place, 1));
                }
                net.transitions.push(copy);
            }
            // A place that is changed as another one is, with more or fewer tokens.
            6 | 7 => {
                let copy = net.places.len();
                let tokens = (net.places[place] + number(random, 3)).saturating_sub(1);
                net.places.push(tokens);
                for arcs in net.transitions.iter_mut().flatten() {
                    let same = arcs.iter().find(|arc| arc.0 == place).map(|arc| (copy, arc.1));
                    arcs.extend(same);
                }
            }
            // A place that every firing of a transition leaves as it is.
            _ => {
                let loop_place = (net.places.len(), 1);
                net.places.push(u32::from(random.below(4) != 0));
                net.transitions[step].iter_mut().for_each(|arcs| arcs.push(loop_place));
            }
        }
    }
    net
}

/// Makes two transitions of one: the second one takes what the first one puts on a new place. There
/// are never more tokens in the end than there were.
fn split(net: &mut RandomNet, step: usize, random: &mut Random) {
    let middle = net.places.len();
    net.places.push(u32::from(random.below(8) == 0));
    let [taken, put] = std::mem::take(&mut net.transitions[step]);
    let n_put: u32 = put.iter().map(|arc| arc.1).sum();
    let [first, second] = match random.below(12) {
        0..=3 => [[taken, vec![(middle, 1)]], [vec![(middle, 1)], put]],
        // The second one needs more to go on.
        4..=8 => {
            let (early, late) = taken.split_at(1);
            let late = [&[(middle, 1)], late].concat();
            [[early.to_vec(), vec![(middle, 1)]], [late, put]]
        }
        9 => {
            let (early, late) = put.split_at(put.len() / 2);
            let early = [&[(middle, 1)], early].concat();
            [[taken, early], [vec![(middle, 1)], late.to_vec()]]
        }
        10 => [[taken, vec![(middle, 1)]], [vec![(middle, 2)], put]],
        _ => {
            let one = put.iter().filter(|_| 2 <= n_put).take(1).map(|arc| (arc.0, 1));
            [[taken, vec![(middle, 2)]], [vec![(middle, 1)], one.collect()]]
        }
    };
    net.transitions[step] = first;
    net.transitions.push(second);
    if random.below(6) == 0 {
        let other = random.below(net.transitions.len());
        let arcs = &mut net.transitions[other];
        if arcs.iter().flatten().all(|arc| arc.0 != middle) {
            for arcs in arcs.iter_mut() {
                arcs.push((middle, 1));
            }
        }
    }
}

/// Formulas about at most two atoms, in both languages.
fn formulas(net: &RandomNet, random: &mut Random) -> [String; 2] {
    let shape = random_formula::Options { size: 7, ..random_formula::Options::default() };
    let atoms: [[String; 2]; 2] = std::array::from_fn(|_| net.atom(random));
    let printed = print(&random_formula::random_formula(&shape, random), Dialect::Lwaa);
    std::array::from_fn(|language| {
        let named = |text: String, number: usize| {
            text.replace(&format!("p{number}"), &atoms[number % 2][language])
        };
        (0..3).fold(printed.clone(), named)
    })
}

/// How often a rule has made a net smaller, by rule, and how many formulas were decided by knowledge.
#[derive(Debug, Default)]
struct Seen {
    rules: [u32; Rule::ALL.len()],
    all: u32,
    decided: u32,
    verdicts: [u32; 2],
}

impl Seen {
    /// Asks a formula in several ways, all of which have to agree with what is expected.
    fn ask(&mut self, model: &Model, formula: &Formula, expected: bool, text: &str) {
        let knowledge = |knowledge, rules| Preparation { knowledge, rules };
        let known = finding(model, formula, knowledge(true, Rules::NONE));
        assert_eq!(holds(&known), expected, "knowledge: {formula}\n{text}");
        let is_decided = known.statistics.knowledge.is_some_and(|known| known.decided.is_some());
        self.decided += u32::from(is_decided);
        let all = finding(model, formula, knowledge(false, Rules::ALL));
        assert_eq!(holds(&all), expected, "all rules: {formula}\n{text}");
        self.verdicts[usize::from(expected)] += 1;
        if all.statistics.net.is_none() {
            return;
        }
        self.all += 1;
        for (number, rule) in Rule::ALL.into_iter().enumerate() {
            let found = finding(model, formula, knowledge(false, Rules::NONE.with(rule)));
            assert_eq!(holds(&found), expected, "{}: {formula}\n{text}", rule.name());
            self.rules[number] += u32::from(found.statistics.net.is_some());
        }
    }
}

#[test]
fn rules_and_knowledge_change_no_verdict() {
    let (mut random, _) = campaign::random(12);
    let n_rounds = campaign::rounds(300);
    let mut seen = Seen::default();
    for _ in 0..n_rounds {
        let net = grown_net(&mut random);
        let (text, other_text) = (net.pnml(), net.lwm());
        let model = read(&text);
        let other =
            lwm::read(&other_text, &[]).unwrap_or_else(|error| panic!("{error}\n{other_text}"));
        for _ in 0..10 {
            let [formula, translated] = formulas(&net, &mut random);
            let formula = model.bindings.formula(&formula).unwrap();
            let translated = other.bindings.formula(&translated).unwrap().negated();
            let (program, propositions) = other.bound(&translated).unwrap();
            let mut system = Interpreter::new(&program, &propositions);
            let graph = Explicit::new(&mut system).unwrap();
            let graph = graph.kripke(&mut system, propositions.len(), true).unwrap();
            let expected = !some_run_satisfies(&graph, &translated);
            seen.ask(&model, &formula, expected, &text);
        }
    }
    let least = u32::try_from(n_rounds).unwrap() / 5;
    assert!(seen.rules.iter().all(|&count| least < count), "{seen:?}");
    assert!(seen.decided > 2 * least && seen.all > 4 * least, "{seen:?}");
    assert!(seen.verdicts.iter().all(|&count| 2 * least < count), "{seen:?}");
}

/// A net whose places are given as `name=tokens`, and transitions as `name: from > to`, in which
/// `2*p` are two tokens of a place.
fn arrows(places: &str, transitions: &[&str]) -> Model {
    let places = places.split_whitespace().map(|place| {
        let (name, tokens) = place.split_once('=').unwrap();
        (name, tokens.parse().unwrap())
    });
    let arc = |text: &'static str| match text.split_once('*') {
        Some((weight, place)) => (place, weight.parse().unwrap()),
        None => (text, 1),
    };
    let (mut names, mut arcs) = (Vec::new(), Vec::new());
    for transition in transitions {
        let text: &'static str = transition.to_string().leak();
        let (name, ends) = text.split_once(':').unwrap();
        let (from, to) = ends.split_once('>').unwrap();
        names.push(name);
        arcs.extend(from.split_whitespace().map(arc).map(|(place, weight)| (place, name, weight)));
        arcs.extend(to.split_whitespace().map(arc).map(|(place, weight)| (name, place, weight)));
    }
    read(&net(&places.collect::<Vec<_>>(), &names, &arcs))
}

/// Each condition of an agglomeration by the smallest net that it forbids.
#[test]
fn nets_that_agglomerations_leave_as_they_are() {
    let (pre, post) = (Rule::PreAgglomeration, Rule::PostAgglomeration);
    let unmarked = "q=1 r=1 p=0 key=1 d=0 e=0 z=0";
    let marked = "q=1 r=1 p=1 key=1 d=0 e=0 z=0";
    let cases: [(Rule, bool, &str, &[&str], &str); 21] = [
        (pre, true, unmarked, &["h: q > p", "f: p key > d"], "F z"),
        (pre, false, marked, &["h: q > p", "f: p key > d"], "F z"),
        (pre, false, unmarked, &["h: q > p", "f: p key > d"], "F !q"),
        (pre, false, unmarked, &["h: q > p", "f: p key > d"], "F fireable(h)"),
        (pre, false, unmarked, &["h: q > p", "f: p key > d"], "F fireable(f)"),
        (pre, false, unmarked, &["h: q > p", "f: p key > d"], "X z"),
        (pre, false, unmarked, &["h: q > p e", "f: p key > d"], "F z"),
        (pre, false, unmarked, &["h: q > p", "o: q > e", "f: p r > d", "g: r > z"], "F e"),
        (pre, false, unmarked, &["h: q > 2*p", "f: p key > d"], "F z"),
        (pre, false, unmarked, &["h: q > p", "f: 2*p key > d"], "F d"),
        (pre, false, unmarked, &["h: q > p", "s: p key > p", "f: p key > d"], "F z"),
        (pre, false, unmarked, &["h: > p", "f: p key > d"], "F d"),
        (post, true, unmarked, &["h: q r > p e", "f: p > d"], "F z"),
        (post, true, unmarked, &["h: q r > p e", "f: p > d"], "F fireable(h)"),
        (post, false, marked, &["h: q r > p e", "f: p > d"], "F z"),
        (post, false, unmarked, &["h: q r > p e", "f: p > d"], "F d"),
        (post, false, unmarked, &["h: q r > p e", "f: p > d"], "X z"),
        (post, false, unmarked, &["h: q r > p e", "f: p key > d"], "F z"),
        (post, false, unmarked, &["h: q r > 2*p e", "f: p > d"], "F z"),
        (post, false, unmarked, &["h: q r > p e", "f: 2*p > d"], "F z"),
        (post, false, unmarked, &["h: q r > p e", "s: p > p", "f: p > d"], "F z"),
    ];
    for (rule, is_smaller, places, transitions, formula) in cases {
        let model = arrows(places, transitions);
        let formula = model.bindings.formula(formula).unwrap();
        let rules = Rules::NONE.with(rule);
        let mut options = ModelOptions { reduce: Reduce::Off, ..ModelOptions::default() };
        options.preparation = Preparation { knowledge: false, rules };
        options.options.limits.states = Some(50);
        let formulas = [formula.clone()];
        let found = check(&model, &formulas, &options, &Monitor::default(), &mut |_, _| ());
        let found = found.unwrap().remove(0);
        let net = found.statistics.net;
        assert_eq!(net.is_some(), is_smaller, "{} {transitions:?} {formula}", rule.name());
    }
}

/// A giver that another transition could have kept from firing must not wait: `F lost` fails where it
/// has fired and cannot go on.
#[test]
fn rivals_do_not_wait() {
    let model = arrows("q=1 p=0 key=0 d=0 lost=0", &["h: q > p", "o: q > lost", "f: p key > d"]);
    let formula = model.bindings.formula("F lost").unwrap();
    for rules in [Rules::ALL, Rules::NONE.with(Rule::PreAgglomeration)] {
        let preparation = Preparation { knowledge: false, rules };
        assert!(!holds(&finding(&model, &formula, preparation)));
    }
}

/// A run of the smaller net ends where a giver that waits can still fire.
#[test]
fn what_waits_fires_before_the_end() {
    let arcs = [("a", "give", 1), ("give", "p", 1), ("p", "take", 1), ("key", "take", 1)];
    let rest = [("take", "done", 1), ("key", "lose", 1)];
    let text = net(
        &[("a", 1), ("p", 0), ("key", 1), ("done", 0)],
        &["give", "take", "lose"],
        &[&arcs[..], &rest].concat(),
    );
    let model = read(&text);
    let formula = model.bindings.formula("F done").unwrap();
    let rules = Rules::NONE.with(Rule::PreAgglomeration);
    let found = finding(&model, &formula, Preparation { knowledge: false, rules });
    let size = found.statistics.net.unwrap();
    assert_eq!((size.places, size.transitions), (3, 2));
    let Verdict::Violated(run) = &found.verdict else { panic!("{found:?}") };
    let taken: Vec<Option<usize>> =
        run.moments.iter().map(|moment| moment.taken.map(lwaa::id::Id::index)).collect();
    assert_eq!(taken, [Some(2), Some(0), None]);
}

/// A transition that takes from nowhere can fire for ever, so it must not wait: there is no lasso,
/// but a search of a smaller net must not say that the formula holds.
#[test]
fn sources_do_not_wait() {
    let arcs = [("source", "p", 1), ("p", "take", 1), ("key", "take", 1), ("take", "done", 1)];
    let model = read(&net(&[("p", 0), ("key", 1), ("done", 0)], &["source", "take"], &arcs));
    let formula = model.bindings.formula("F done").unwrap();
    let mut options = ModelOptions { reduce: Reduce::Off, ..ModelOptions::default() };
    options.options.limits.states = Some(100);
    let formulas = [formula];
    let found = check(&model, &formulas, &options, &Monitor::default(), &mut |_, _| ()).unwrap();
    assert!(matches!(found[0].verdict, Verdict::Unknown(_)), "{found:?}");
}

/// A transition without effect is a run that stands still where others could go on.
#[test]
fn standing_still_is_kept() {
    let arcs = [("p", "idle", 1), ("idle", "p", 1), ("p", "go", 1), ("go", "q", 1)];
    let model = read(&net(&[("p", 1), ("q", 0)], &["idle", "go"], &arcs));
    let formula = model.bindings.formula("F q").unwrap();
    assert!(!holds(&finding(&model, &formula, Preparation::default())));
}

#[test]
fn formulas_that_are_known_need_no_states() {
    let arcs = [("free", "take", 1), ("take", "held", 1), ("held", "put", 1), ("put", "free", 1)];
    let model = read(&net(&[("free", 3), ("held", 0)], &["take", "put"], &arcs));
    let formula = model.bindings.formula("G (free + held == 3)").unwrap();
    let found = finding(&model, &formula, Preparation::default());
    assert!(holds(&found) && found.statistics.states == 0);
    let found = finding(&model, &formula, Preparation::NOTHING);
    assert!(holds(&found) && found.statistics.states == 4);
}
