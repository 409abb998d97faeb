//! What reduced and unreduced answers about one model have to have in common.

use crate::campaign;
use lwaa::Formula;
use lwaa::baseline::translation::Translation;
use lwaa::check::explore::explore_reduced;
use lwaa::check::model::{
    CheckError, Deadlock, Errors, Fair, ModelOptions, Order, Question, SearchKind, check, check_all,
};
use lwaa::check::reduction::Reduce;
use lwaa::check::{Method, Options};
use lwaa::lang::{Language, Model, SourceError};
use lwaa::ltl::print::{Dialect, print};
use lwaa::product::Treatment;
use lwaa::search::limits::{Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::system::Strength;
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::{Exploration, Finding, Incomplete, Reduction, Statistics};

/// Models with more states than this are not compared.
const MAX_STATES: usize = 3_000;

/// A model counts if it keeps at most so many of ten states.
const MOST_KEPT: usize = 7;

/// The text of a model, and what formulas may say about it.
pub(crate) struct Subject {
    pub language: &'static str,
    pub text: String,
    pub atoms: Vec<String>,
    /// Atoms that go wrong in some states.
    pub wrong_atoms: Vec<String>,
}

impl Subject {
    /// Whether a formula has an atom that may go wrong.
    fn can_fail(&self, formula: &str) -> bool {
        self.wrong_atoms.iter().any(|atom| formula.contains(atom))
    }
}

/// What has been compared, and what did not agree.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub n_generated: usize,
    /// Texts that break a rule of their language.
    pub n_rejected: usize,
    pub n_compared: usize,
    /// Models that lose many states.
    pub n_counted: usize,
    /// Models with errors among those that count.
    pub n_wrong: usize,
    /// Models with deadlocks among those that count.
    pub n_stuck: usize,
    /// Questions that were answered with and without reduction.
    pub n_questions: usize,
    /// Questions for which steps were left out.
    pub n_reduced: usize,
    /// Models with variables that nothing depends on.
    pub n_sliced: usize,
    /// Questions for which variables were left out, but no steps.
    pub n_ordered: usize,
    pub disagreements: Vec<String>,
}

impl Tally {
    /// Compares models until so many count.
    pub(crate) fn run(seed: u64, n_wanted: usize, make: impl Fn(&mut Random) -> Subject) -> Self {
        let (mut random, seed) = campaign::random(seed);
        let mut tally = Self::default();
        let n_wanted = campaign::rounds(n_wanted);
        while tally.n_counted < n_wanted {
            let subject = make(&mut random);
            let n_before = tally.disagreements.len();
            tally.compare(&subject, &mut random);
            for disagreement in &mut tally.disagreements[n_before..] {
                *disagreement = format!(
                    "seed {seed}, model {}: {disagreement}\n{}",
                    tally.n_generated, subject.text
                );
            }
        }
        tally
    }

    fn compare(&mut self, subject: &Subject, random: &mut Random) {
        self.n_generated += 1;
        let Ok(model) = read(subject) else {
            self.n_rejected += 1;
            return;
        };
        let treatment = Treatment { deadlock: deadlock(random), errors: Errors::Report };
        let Some(whole) = explored(&model, Reduce::Off, treatment) else { return };
        let Some(part) = explored(&model, Reduce::On, treatment) else {
            self.disagreements.push("more states than without reduction".to_owned());
            return;
        };
        self.n_compared += 1;
        // States that differ only in what is not seen are one.
        let most = if part.statistics.unseen == 0 { usize::MAX } else { 1 };
        let said =
            |it: &Exploration| (it.deadlocks.min(most), 0 < it.errors, it.incomplete.is_some());
        if said(&whole) != said(&part) || whole.states < part.states {
            self.disagreements.push(format!("{treatment:?}: {whole:?}, reduced {part:?}"));
        }
        let counts = part.states * 10 <= whole.states * MOST_KEPT;
        if counts {
            self.n_counted += 1;
            self.n_wrong += usize::from(0 < whole.errors);
            self.n_stuck += usize::from(0 < whole.deadlocks);
        }
        self.n_sliced += usize::from(0 < part.statistics.unseen);
        if counts || random.chance(0.2) {
            for _ in 0..4 {
                self.ask(&model, subject, random);
            }
            if 0 < part.statistics.unseen {
                self.ask_about_order(&model, subject, random);
            }
            if random.chance(0.2) {
                self.ask_together(&model, subject, random);
            }
        }
    }

    /// Asks for what no step may be left out: formulas with `X`, or about fair runs.
    fn ask_about_order(&mut self, model: &Model, subject: &Subject, random: &mut Random) {
        let fair =
            [Fair::Nothing, Fair::Processes(Strength::Weak), Fair::Processes(Strength::Strong)]
                [random.below(3)];
        let typed = format!("X ({})", formula(subject, random));
        let typed = typed.replacen("U (", if random.coin() { "U X (" } else { "U (" }, 1);
        let formula = model.bindings.formula(&typed);
        let formula = formula.unwrap_or_else(|error| panic!("{error}\n{typed}\n{}", subject.text));
        let [(expected, _), (found, statistics)] = [Reduce::Off, Reduce::On].map(|reduce| {
            let deadlock = Deadlock::Stutter;
            let options = ModelOptions { fair, deadlock, reduce, ..ModelOptions::default() };
            answer(model, &formula, &options)
        });
        self.n_questions += 1;
        let is_reduced = matches!(statistics.reduction, Some(Reduction::On(_)));
        self.n_ordered += usize::from(0 < statistics.unseen && !is_reduced);
        if expected != found {
            self.disagreements.push(format!("{expected}, sliced {found}: {fair:?}, {typed}"));
        }
    }

    /// Asks several questions at once, among them whether there is an error.
    fn ask_together(&mut self, model: &Model, subject: &Subject, random: &mut Random) {
        let typed: Vec<String> = (0..3).map(|_| formula(subject, random)).collect();
        let formulas: Vec<Formula> =
            typed.iter().map(|typed| model.bindings.formula(typed).unwrap()).collect();
        let mut questions: Vec<Question<'_>> = formulas.iter().map(Question::Formula).collect();
        questions.insert(random.below(4), Question::Errors);
        let deadlock = deadlock(random);
        let [expected, found] = [Reduce::Off, Reduce::On].map(|reduce| {
            let options = ModelOptions { deadlock, reduce, ..ModelOptions::default() };
            let found = check_all(model, &questions, &options, &Monitor::default(), &mut |_| ());
            let word = |it: &Finding| lwaa::report::model::word(&it.verdict);
            found.unwrap().iter().map(word).collect::<Vec<_>>()
        });
        self.n_questions += questions.len();
        if expected != found {
            self.disagreements.push(format!("{expected:?}, reduced {found:?}: {typed:?}"));
        }
    }

    /// Asks a random question about a model.
    fn ask(&mut self, model: &Model, subject: &Subject, random: &mut Random) {
        let typed = formula(subject, random);
        let formula = model.bindings.formula(&typed);
        let formula = formula.unwrap_or_else(|error| panic!("{error}\n{typed}\n{}", subject.text));
        let errors = if random.chance(0.2) { Errors::Ignore } else { Errors::Report };
        let options = ModelOptions {
            exists: random.chance(0.3),
            deadlock: deadlock(random),
            errors,
            reduce: Reduce::Off,
            ..ModelOptions::default()
        };
        let (expected, _) = answer(model, &formula, &options);
        self.n_questions += 1;
        let mut ways = vec![ModelOptions { reduce: Reduce::On, ..options.clone() }];
        if random.chance(0.3) {
            let reduce = if random.coin() { Reduce::On } else { Reduce::Auto };
            ways.push(other_way(&ModelOptions { reduce, ..options.clone() }, random));
        }
        if errors == Errors::Report && random.chance(0.3) {
            ways.push(ModelOptions { errors: Errors::Stop, reduce: Reduce::On, ..options });
        }
        for (number, options) in ways.iter().enumerate() {
            let (found, statistics) = answer(model, &formula, options);
            if number == 0
                && matches!(statistics.reduction, Some(Reduction::On(it)) if 0 < it.left_out)
            {
                self.n_reduced += 1;
            }
            // A search that stops at errors may meet one before anything else.
            let may_stop = options.errors == Errors::Stop
                && (subject.can_fail(&typed) || has_error(model, options.deadlock));
            if found != expected && !(may_stop && found == "model error") {
                self.disagreements
                    .push(format!("{expected}, reduced {found}: {typed}\n{options:?}"));
            }
        }
    }
}

/// Reads a model.
pub(crate) fn read(subject: &Subject) -> Result<Model, SourceError> {
    let language = Language::find(subject.language).unwrap();
    language.read(&subject.text, &[], &mut |_| Err("no files".to_owned()))
}

/// The states of a model; nothing if there are too many.
fn explored(model: &Model, reduce: Reduce, treatment: Treatment) -> Option<Exploration> {
    let limits = Limits { states: Some(MAX_STATES), ..Limits::default() };
    let monitor = Monitor::default();
    let store = StoreKind::Exact;
    let found = explore_reduced(model, store, treatment, reduce, limits, &monitor).ok()?.0;
    (!matches!(found.incomplete, Some(Incomplete::Limit(_))) && found.is_complete).then_some(found)
}

/// Whether a model without reduction has an error.
fn has_error(model: &Model, deadlock: Deadlock) -> bool {
    let treatment = Treatment { deadlock, errors: Errors::Report };
    explored(model, Reduce::Off, treatment).is_none_or(|found| found.incomplete.is_some())
}

/// What is said about a formula.
pub(crate) fn answer(
    model: &Model,
    formula: &Formula,
    options: &ModelOptions,
) -> (String, Statistics) {
    let formulas = std::slice::from_ref(formula);
    match check(model, formulas, options, &Monitor::default(), &mut |_, _| ()) {
        Err(error @ CheckError::Open(_)) => panic!("{error}"),
        Err(error) => (error.to_string(), Statistics::default()),
        Ok(findings) => {
            let word = match lwaa::report::model::word(&findings[0].verdict) {
                // Models are small, so shared bits lose nothing.
                "no violation found" => "holds",
                "no run found" => "no run exists",
                word => word,
            };
            (word.to_owned(), findings[0].statistics)
        }
    }
}

/// What is found out about a formula.
pub(crate) fn finding(model: &Model, formula: &Formula, options: &ModelOptions) -> Finding {
    let formulas = std::slice::from_ref(formula);
    let found = check(model, formulas, options, &Monitor::default(), &mut |_, _| ());
    found.unwrap().remove(0)
}

/// The same options with another method, store or order.
fn other_way(options: &ModelOptions, random: &mut Random) -> ModelOptions {
    let translation = Translation::Gpvw;
    let by = |search| Method::Automaton { translation, search: Some(search) };
    let (method, store) = match random.below(7) {
        0 => (Method::Auto, StoreKind::Tree),
        1 => (by(SearchKind::Scc), StoreKind::Exact),
        2 => (by(SearchKind::Nested), StoreKind::Tree),
        3 => (by(SearchKind::Nested), StoreKind::Bitstate),
        4 => (by(SearchKind::Magic), StoreKind::Hybrid),
        5 => (by(SearchKind::Magic), StoreKind::Bitstate),
        _ => (by(SearchKind::Nested), StoreKind::Hybrid),
    };
    let order = match random.below(4) {
        0 => Some(Order::Fixed),
        1 => Some(Order::Rotate),
        2 if method == Method::Auto => Some(Order::Guided),
        _ => Some(Order::Random(random.bits())),
    };
    let method = Options { method, ..Options::default() };
    ModelOptions { store, order, options: method, ..options.clone() }
}

fn deadlock(random: &mut Random) -> Deadlock {
    [Deadlock::Stutter, Deadlock::Report, Deadlock::Ignore][random.below(3)]
}

/// A random formula about some of these atoms that does not speak of the next state.
fn formula(subject: &Subject, random: &mut Random) -> String {
    let mut shape = random_formula::Options {
        size: 3 + random.below(6),
        n_atoms: 1 + random.below(3),
        ..random_formula::Options::default()
    };
    for operator in ["X", "true", "false", "^", "<->"] {
        *shape.weights.of(operator).unwrap() = 0;
    }
    let text = print(&random_formula::random_formula(&shape, random), Dialect::Spin);
    // In Promela this would send a message.
    let mut text = text.replace("!!", "");
    for number in 0..shape.n_atoms {
        let is_wrong = !subject.wrong_atoms.is_empty() && random.chance(0.03);
        let atoms = if is_wrong { &subject.wrong_atoms } else { &subject.atoms };
        let atom = format!("({})", atoms[random.below(atoms.len())]);
        text = text.replace(&format!("p{number}"), &atom);
    }
    text
}
