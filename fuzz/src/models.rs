//! Texts as models, and verdicts on models.

use super::{assert_points_into, methods, options};
use crate::random_model::{random_fair_model, random_model};
use lwaa::check::Method;
use lwaa::check::model::{
    CheckError, Deadlock, Errors, ModelOptions, News, Question, check_all, truth,
};
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::Program;
use lwaa::lang::{self, Model, OpenedProgram, SourceError, lwm};
use lwaa::ltl::Formula;
use lwaa::ltl::print::{Dialect, print};
use lwaa::report::json::trace::{self, TraceError};
use lwaa::report::model::word;
use lwaa::report::state::States;
use lwaa::search::limits::Monitor;
use lwaa::system::{Cursor, TransitionSystem};
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::Verdict;
use std::sync::Arc;

/// Reads a model and, behind a zero byte, a formula about it. The model is run for some steps;
/// two methods check the formula, and the properties and claims of the model.
///
/// # Panics
///
/// If a message does not point into the text, a run that was found is refuted, or the methods
/// disagree.
pub fn model(text: &str, language: &str) {
    let (text, asked) = text.split_once('\0').unwrap_or((text, ""));
    let model = match lang::read(language, text, &[]) {
        Ok(model) => model,
        Err(lang::ReadError::Source(error)) => return assert_is_inside(text, &error),
        Err(error) => panic!("{error}"),
    };
    let mut formulas: Vec<Formula> =
        model.properties.iter().map(|property| property.formula.clone()).collect();
    match model.bindings.formula(asked) {
        Ok(formula) => formulas.push(formula),
        Err(error) => assert_is_inside(asked, &error),
    }
    if !is_small(&model.program) {
        return;
    }
    run(&model.program);
    for formula in &formulas {
        agree(&model, Question::Formula(formula), &ModelOptions::default());
    }
    for claim in model.bindings.claims() {
        agree(&model, Question::Claim(claim), &ModelOptions::default());
    }
}

fn assert_is_inside(text: &str, error: &SourceError) {
    assert_points_into(text, error.span.start, error.span.end, &error.message);
}

/// Whether a program has few enough initial states, transitions and bytes for a short look.
fn is_small(program: &Program) -> bool {
    let any = program.variables.iter().filter(|variable| variable.any);
    let n_initial = any.fold(1_i128, |n, variable| {
        let n_values = i128::from(variable.high) - i128::from(variable.low) + 1;
        (0..variable.n_elements()).fold(n, |n, _| n.saturating_mul(n_values).min(1 << 20))
    });
    let choices = program.transitions.iter().flat_map(|transition| &transition.choices);
    let n_choices: i128 = choices.map(|&(low, high)| i128::from(high) - i128::from(low) + 1).sum();
    n_initial <= 500 && n_choices <= 500 && program.transitions.len() <= 1000
}

/// Some steps of a program; it may go wrong.
fn run(program: &Program) {
    let mut system = Interpreter::new(program, &[]);
    let Some(mut state) = system.initial_states().pop() else { return };
    for lane in 0..10 {
        let mut cursor = Cursor::starting_with(lane % system.n_lanes().max(1));
        let mut target = vec![0; system.n_words()];
        match system.next(&state, &mut cursor, &mut target) {
            Ok(Some(_)) => state = target.into(),
            Ok(None) => return,
            Err(fault) => return assert!(!fault.to_string().is_empty()),
        }
    }
}

/// Panics if methods disagree about a question. The one without Büchi automata knows no
/// claims.
fn agree(model: &Model, question: Question<'_>, asked: &ModelOptions) {
    let mut words = Vec::new();
    for method in methods() {
        let asked = ModelOptions { options: options(method), ..asked.clone() };
        if matches!(method, Method::Explicit(_)) && matches!(question, Question::Claim(_)) {
            continue;
        }
        let mut system = None;
        let mut hear = |news: News<'_, OpenedProgram>| {
            if let News::Opened(opened) = news {
                system = Some(Arc::clone(opened));
            }
        };
        let found = check_all(model, &[question], &asked, &Monitor::default(), &mut hear);
        let verdict = match found {
            Ok(mut findings) => findings.remove(0).verdict,
            Err(error @ CheckError::Refuted { .. }) => panic!("{error}"),
            Err(_) => continue,
        };
        certify(&system.expect("what has a verdict was opened"), question, &verdict);
        words.push(word(&verdict));
    }
    if let [ours, theirs] = words[..]
        && !words.contains(&"unknown")
    {
        assert_eq!(ours, theirs, "{question:?}, {asked:?}");
    }
}

/// Panics if a run is not what the verdict says, by definition on what the interpreter sees.
fn certify(model: &OpenedProgram, question: Question<'_>, verdict: &Verdict) {
    let expected = match (question, verdict) {
        (Question::Formula(_), Verdict::Violated(_)) => false,
        (Question::Formula(_), Verdict::Exists(_)) | (Question::Claim(_), Verdict::Violated(_)) => {
            true
        }
        _ => return,
    };
    let is_so = verdict.run().and_then(|run| truth(model, question, run)) == Some(expected);
    assert!(is_so, "{question:?}: {verdict:?}");
}

/// Makes a random model of eight bytes, reads a formula over `p0`, `p1` and `p2` from the rest
/// (or makes a random one), and asks two methods.
///
/// # Panics
///
/// If a run that was found is refuted, or the methods disagree.
pub fn verdict(bytes: &[u8]) {
    let Some((seed, rest)) = bytes.split_first_chunk() else { return };
    let mut random = Random::new(u64::from_le_bytes(*seed));
    let is_fair = random.coin();
    let text = if is_fair { random_fair_model(&mut random).0 } else { random_model(&mut random) };
    let model = lwm::read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let deadlock = [Deadlock::Stutter, Deadlock::Report, Deadlock::Ignore][random.below(3)];
    let errors = [Errors::Report, Errors::Ignore][random.below(2)];
    let options = ModelOptions { exists: random.coin(), deadlock, errors, ..Default::default() };
    let shape = random_formula::Options { size: 9, ..Default::default() };
    let made = print(&random_formula::random_formula(&shape, &mut random), Dialect::Lwaa);
    let read = std::str::from_utf8(rest).map(|typed| model.bindings.formula(typed));
    let formula = match read {
        Ok(Ok(formula)) => formula,
        _ => model.bindings.formula(&made).expect("formulas over declared propositions"),
    };
    agree(&model, Question::Formula(&formula), &options);
}

/// Reads a run of a small model.
///
/// # Panics
///
/// If a message does not point into the text.
pub fn trace(text: &str) {
    let model = lwm::read(include_str!("../../models/lwm/mutex_error.lwm"), &[]);
    let model = model.expect("a model of the project");
    let error = match trace::read(text, &States::new(&model.program)) {
        Ok(read) => return assert!(!read.run.moments.is_empty()),
        Err(TraceError::Malformed(error) | TraceError::Foreign { error, .. }) => error,
    };
    assert_points_into(text, error.span.start, error.span.end, &error.message);
    let _ = (trace::definitions(text), trace::purpose(text));
}
