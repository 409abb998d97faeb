//! Every rule by its laws: both sides mean the same, and the rule applied
//! alone to random instances keeps their meaning.
//!
//! The table itself is the list of test cases, so a new rule is tested by
//! being in it.

use super::super::RULES;
use super::super::rebuild::rebuild;
use super::super::rules::Rule;
use super::{difference, formulas, parse, words};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How many instances of a law are tried, and of how many the left side must
/// have been rewritten.
const N_INSTANCES: usize = 200;
const N_APPLIED: usize = 50;

/// What stands for formulas in laws.
const LETTERS: &str = "abcdeus";

struct Law {
    left: &'static str,
    right: &'static str,
    condition: Option<&'static str>,
}

impl Law {
    fn read(text: &'static str) -> Self {
        let (law, condition) = match text.split_once(" if ") {
            Some((law, condition)) => (law, Some(condition)),
            None => (text, None),
        };
        let (left, right) = law.split_once(" = ").expect("a law has two sides");
        Self { left, right, condition }
    }

    /// Formulas for the letters that meet the condition.
    fn instances(&self) -> BoxedStrategy<Vec<String>> {
        let any = || formulas(3);
        let rest = (any(), any(), eventual(), universal(), invariant());
        let condition = self.condition;
        let ab = match condition {
            None => (any(), any()).boxed(),
            Some(condition) => {
                let (from, to) = condition.split_once(" implies ").expect("a known condition");
                let sides = [from.starts_with('!'), to.starts_with('!')];
                implications()
                    .prop_map(move |(from, to)| {
                        let negate = |negated: bool, text: String| {
                            if negated { format!("!({text})") } else { text }
                        };
                        (negate(sides[0], from), negate(sides[1], to))
                    })
                    .boxed()
            }
        };
        (ab, rest).prop_map(|((a, b), (c, d, e, u, s))| vec![a, b, c, d, e, u, s]).boxed()
    }
}

/// `side` with formulas in the place of its letters.
fn instance(side: &str, formulas: &[String]) -> String {
    instance_by(side, |letter| &formulas[letter])
}

/// `side` with a formula in the place of each occurrence of a letter.
fn instance_by<'a>(side: &str, mut formula: impl FnMut(usize) -> &'a String) -> String {
    let mut result = String::new();
    let mut word = String::new();
    for character in side.chars().chain([' ']) {
        if character.is_ascii_lowercase() {
            word.push(character);
            continue;
        }
        match LETTERS.find(&word) {
            Some(letter) if word.len() == 1 => result.extend(["(", formula(letter), ")"]),
            _ => result += &word,
        }
        word.clear();
        result.push(character);
    }
    result
}

fn from_templates(templates: &'static [&'static str]) -> impl Strategy<Value = String> {
    (proptest::sample::select(templates), formulas(2), formulas(2))
        .prop_map(|(template, p, q)| instance(template, &[p, q]))
}

fn eventual() -> impl Strategy<Value = String> {
    from_templates(&["F a", "X F a", "F a & F b", "F a | F b", "a U F b", "a R F b", "G F a"])
}

fn universal() -> impl Strategy<Value = String> {
    from_templates(&["G a", "X G a", "G a | G b", "G a & G b", "a R G b", "a U G b", "F G a"])
}

fn invariant() -> impl Strategy<Value = String> {
    from_templates(&["G F a", "F G a", "G F a | F G b", "G F a & G F b", "X G F a", "F G F a"])
}

/// Pairs of which the left implies the right.
fn implications() -> impl Strategy<Value = (String, String)> {
    let pairs = [
        ("a & b", "a"),
        ("a", "a | b"),
        ("a & b", "a | c"),
        ("G a", "a"),
        ("a", "F a"),
        ("a & b", "F b"),
        ("G a", "b R a"),
        ("b & a", "b R a"),
        ("a", "b U a"),
        ("a U b", "F b"),
        ("a U b", "a | b"),
        ("G a", "X a"),
        ("G a", "F a"),
        ("X F a", "F a"),
        ("G F a", "F a"),
        ("(a & b) U c", "a U c"),
        ("X (a & b)", "X a"),
        ("(a & b) R c", "a R (b | c)"),
        ("F G a", "G F a"),
        ("G a", "G (a | b)"),
        ("a", "a"),
    ];
    (proptest::sample::select(pairs.to_vec()), formulas(2), formulas(2), formulas(1)).prop_map(
        |((from, to), a, b, c)| {
            let formulas = [a, b, c];
            (instance(from, &formulas), instance(to, &formulas))
        },
    )
}

fn contexts() -> impl Strategy<Value = String> {
    let contexts = ["a", "X a", "p & a", "a | q", "a U p", "p U a", "F a", "r R a", "G (q | a)"];
    proptest::sample::select(contexts.to_vec()).prop_map(str::to_owned)
}

/// Tests one rule by one of its laws; says how often it was applied.
fn check(rule: &'static Rule, law: &Law, runner: &mut TestRunner) -> usize {
    let others = proptest::collection::vec(0..4 * LETTERS.len(), 8);
    let strategy = (law.instances(), contexts(), others, words(24));
    let mut n_applied = 0;
    for _ in 0..N_INSTANCES {
        let (formulas, context, others, words) =
            strategy.new_tree(runner).expect("the strategies reject nothing").current();
        let left = instance(law.left, &formulas);
        let (left_nnf, right) = (parse(&left), parse(&instance(law.right, &formulas)));
        if let Some(difference) = difference(&left_nnf, &right, &words) {
            panic!("{rule:?}: the law {} is wrong: {difference}", law.left);
        }
        n_applied += usize::from(0 < rebuild(&left_nnf, &[rule]).n_applied[0]);
        // What almost fits: some occurrences of letters are other formulas,
        // whether or not they meet the conditions.
        let mut others = others.iter().cycle();
        let near_miss = instance_by(law.left, |letter| {
            formulas.get(*others.next().expect("a cycle")).unwrap_or(&formulas[letter])
        });
        for text in [left, near_miss] {
            let whole = parse(&instance(&context, &[text]));
            let rebuilt = rebuild(&whole, &[rule]);
            assert!(!rebuilt.exhausted, "{rule:?} runs in circles on {whole:?}");
            if let Some(difference) = difference(&whole, &rebuilt.formula, &words) {
                panic!("{rule:?}: {difference}");
            }
        }
    }
    n_applied
}

#[test]
fn every_rule_keeps_the_meaning() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    for rule in RULES {
        for text in rule.laws {
            let n_applied = check(rule, &Law::read(text), &mut runner);
            assert!(N_APPLIED <= n_applied, "{text} was applied {n_applied} times only");
        }
    }
}

#[test]
fn the_names_of_the_rules_are_distinct() {
    for (index, rule) in RULES.iter().enumerate() {
        assert!(RULES[..index].iter().all(|other| other.name != rule.name), "{}", rule.name);
    }
}
