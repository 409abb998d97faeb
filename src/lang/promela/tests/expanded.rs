//! What runs show of statements is what the model is when its macros are expanded; and
//! runs show nothing that the text does not speak of. For all shipped models and for
//! random ones with macros, inlines and loops.

use super::super::preprocess::{Preprocessed, preprocess};
use super::super::{parse, read};
use crate::lang::execute::Interpreter;
use crate::lang::source::Statement;
use crate::lang::{Demand, Model};
use crate::report::json::trace::{self, Origin};
use crate::report::state::States;
use crate::run::{Ending, Moment, Run};
use crate::system::{Cursor, Describe, TransitionSystem};
use crate::testbench::Random;
use std::fmt::Write;

fn shipped() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models/promela");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let models = paths.filter(|path| path.extension().is_some_and(|extension| extension == "pml"));
    let mut models: Vec<(String, String)> = models
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    models.sort();
    models
}

/// Writes random models.
struct Author {
    random: Random,
    /// The names of macros and inlines, and how many parameters they have.
    macros: Vec<(String, usize)>,
}

impl Author {
    fn one<'a>(&mut self, names: &[&'a str]) -> &'a str {
        names[self.random.below(names.len())]
    }

    fn expression(&mut self, names: &[&str]) -> String {
        let (left, right) = (self.one(names), self.random.below(4));
        let operator = self.one(&["+", " - ", " &", "*", " == ", " < "]);
        match self.random.below(4) {
            0 => left.to_owned(),
            1 => right.to_string(),
            2 => format!("{left}{operator}{right}"),
            _ => format!("({left}{operator} LIMIT)"),
        }
    }

    fn statement(&mut self, names: &[&str], depth: usize) -> String {
        let variable = self.one(names);
        let value = self.expression(names);
        let kind = self.random.below(if depth == 0 { 5 } else { 12 });
        let mut inside = || self.statement(names, depth.saturating_sub(1));
        match kind {
            0 => format!("{variable} = {value}"),
            1 => format!("{variable}++"),
            2 => format!("printf(\"%d\\n\", {value})"),
            3 => format!("assert({variable} >= 0 || ({value}) > 0)"),
            4 => "LARGE".to_owned(),
            5 => format!("if :: {value} -> {} :: else -> {} fi", inside(), inside()),
            6 => {
                format!("do\n:: {variable} < 2 -> {variable}++; {}\n:: else -> break od", inside())
            }
            7 => format!("atomic {{ {}; {} }}", inside(), inside()),
            8 => format!("for (i : 0 .. {variable} & 1) {{ {} }}", inside()),
            9 => format!("select (j: 0..{value}); for (j in row) {{ {} }}", inside()),
            10 => format!("q!{value}; for (j in q) {{ {} }}; q?{variable}", inside()),
            _ => match self.macros.len() {
                0 => "skip".to_owned(),
                n_macros => {
                    let (name, n_parameters) = self.macros[self.random.below(n_macros)].clone();
                    let arguments: Vec<&str> = (0..n_parameters).map(|_| self.one(names)).collect();
                    format!("{name}({})", arguments.join(", "))
                }
            },
        }
    }

    fn model(&mut self) -> String {
        let mut text = "#define LIMIT 3\n#define LARGE (x + y > LIMIT || x <= 9)\n".to_owned();
        self.macros.clear();
        for number in 0..self.random.below(5) {
            let parameters = &["a", "b"][..=self.random.below(2)];
            let names: Vec<&str> = parameters.iter().copied().chain(["x"]).collect();
            let first = self.statement(&names, 2).replace('\n', " ");
            let second = self.statement(&names, 1).replace('\n', " ");
            let (name, list) = (format!("m{number}"), parameters.join(", "));
            if self.random.coin() {
                let _ = write!(text, "#define {name}({list}) {first}; \\\n    {second}\n");
            } else {
                let _ = write!(text, "inline {name}({list}) {{\n  {first};\n  {second}\n}}\n");
            }
            self.macros.push((name, parameters.len()));
        }
        text += "byte x, y, row[LIMIT], unseen; chan q = [2] of { byte };\n";
        text += "proctype Late(byte k) { byte own = k; chan mine = [1] of { byte }; mine!own }\n";
        text += "active proctype P() { byte i, j;\n";
        for _ in 0..4 {
            let _ = writeln!(text, "  {};", self.statement(&["x", "y"], 3));
        }
        text + "  unseen = x; run Late(y); byte z = x, w = z; skip\n}\n"
    }
}

fn random_models(n_models: usize) -> Vec<(String, String)> {
    let mut author = Author { random: Random::new(16), macros: Vec::new() };
    (0..n_models).map(|number| (format!("random model {number}"), author.model())).collect()
}

fn model(name: &str, text: &str) -> Model {
    let model = read(text, &[], &mut |_| Err("there are no files".to_owned()));
    model.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}

fn preprocessed(text: &str) -> Preprocessed {
    preprocess(text, &[], &mut |_| Err("there are no files".to_owned())).unwrap()
}

/// The text without macros and inlines, with line breaks where the parser sees some.
fn expanded(text: &str) -> String {
    let Preprocessed { text, tokens, .. } = preprocessed(text);
    let mut output = String::new();
    let mut before = 0;
    for token in tokens {
        let between = text.get(before..token.place.start);
        let breaks = between.is_none_or(|between| between.contains('\n'));
        output.push(if breaks { '\n' } else { ' ' });
        output.push_str(&text[token.text.start..token.text.end]);
        before = token.place.end;
    }
    output
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn statements_are_those_of_the_expanded_model() {
    let mut n_from_macros = 0;
    for (name, text) in shipped().into_iter().chain(random_models(60)) {
        let shown = model(&name, &text).program.source.statements;
        let plain = model(&name, &expanded(&text)).program.source.statements;
        let texts = |list: &mut dyn Iterator<Item = &Statement>| {
            list.map(|statement| without_blanks(&statement.text)).collect::<Vec<String>>()
        };
        let (found, wanted) = (texts(&mut shown.iter()), texts(&mut plain.iter()));
        assert_eq!(found, wanted, "{name}\n{text}");
        let lines: Vec<&str> = text.lines().collect();
        for statement in &shown {
            let Statement { text: shown, line, calls, .. } = statement;
            assert!((1..=lines.len()).contains(line), "{name}: {statement}\n{text}");
            for call in calls {
                let macro_name = call.text.split('(').next().unwrap();
                assert!(lines[call.line - 1].contains(macro_name), "{name}: {statement}\n{text}");
            }
            n_from_macros += usize::from(!calls.is_empty());
            // Whatever is shown is a statement, except for the end of a process.
            let types = text.lines().filter(|line| line.starts_with("typedef"));
            let types: Vec<&str> = types.collect();
            let alone = format!("{}\nproctype P() {{ {shown} }}", types.join("\n"));
            if shown != "}" {
                let source = preprocessed(&alone);
                let read = parse::module(&source, &parse::processes(&source));
                assert!(read.is_ok(), "{name}: {statement}: {:?}", read.err());
            }
        }
    }
    assert!(300 < n_from_macros, "{n_from_macros}");
}

/// A random run, as long as it can go on.
fn walk(model: &Model, random: &mut Random) -> Vec<Moment> {
    let mut system = Interpreter::new(&model.program, &[]);
    let mut moments: Vec<Moment> = Vec::new();
    let mut state = system.initial_states().swap_remove(0);
    for _ in 0..40 {
        let mut target = vec![0; system.n_words()];
        let mut cursor = Cursor::default();
        let mut choices = Vec::new();
        while let Ok(Some(taken)) = system.next(&state, &mut cursor, &mut target) {
            choices.push((taken, target.clone().into_boxed_slice()));
        }
        let Some(last) = choices.len().checked_sub(1) else { break };
        let (taken, next) = choices.swap_remove(random.below(last + 1));
        let now = std::mem::replace(&mut state, next);
        moments.push(Moment::new(now, Some(taken)));
    }
    moments.push(Moment::new(state, None));
    moments
}

/// The model with every statement and every variable.
fn in_full(model: Model) -> Model {
    model.bindings.remade(Demand::Everything).unwrap().unwrap_or(model)
}

#[test]
fn runs_show_what_the_text_speaks_of_and_can_be_read() {
    let mut random = Random::new(17);
    for (name, text) in shipped().into_iter().chain(random_models(40)) {
        for is_full in [false, true] {
            let mut model = model(&name, &text);
            if is_full {
                model = in_full(model);
            }
            let states = States::new(&model.program);
            let moments = walk(&model, &mut random);
            for pair in moments.windows(2) {
                let changes = states.changes(&pair[0].state, &pair[1].state);
                for entry in changes.iter().chain(&states.full(&pair[0].state)) {
                    assert!(!entry.starts_with('.'), "{name}: {entry}");
                }
            }
            let expected: Vec<_> = moments.iter().map(|moment| moment.state.clone()).collect();
            let run = Run { moments, ending: Ending::Open };
            let mut file = Vec::new();
            let origin = Origin { model: &name, definitions: &[] };
            origin.write(&mut file, &run, &states).unwrap();
            let file = String::from_utf8(file).unwrap();
            assert!(!file.contains("\"."), "{name}: {file}");
            let read =
                trace::read(&file, &states).unwrap_or_else(|error| panic!("{name}: {error}"));
            let found: Vec<_> =
                read.run.moments.iter().map(|moment| moment.state.clone()).collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}

/// What belongs to a process is shown from its first moment on to its last.
#[test]
fn processes_that_do_not_exist_have_no_variables() {
    let text = "byte n; proctype Q(byte k) { byte own; own = k; n = own }
                init { run Q(3); (n == 3); (_nr_pr == 1); run Q(4); (n == 4) }";
    let model = in_full(model("two", text));
    let states = States::new(&model.program);
    let moments = walk(&model, &mut Random::new(1));
    let shown: Vec<String> =
        moments.iter().map(|moment| states.full(&moment.state).join(", ")).collect();
    assert_eq!(shown[0], "n = 0");
    assert_eq!(shown[1], "n = 0, Q:k = 3, Q:own = 0");
    assert_eq!(states.changes(&moments[0].state, &moments[1].state), ["Q:k = 3", "Q:own = 0"]);
    let n_without = shown.iter().filter(|shown| !shown.contains("Q:")).count();
    assert_eq!(n_without, 6, "{shown:#?}");
    let json = states.json(&moments[0].state).to_string();
    assert_eq!(json, "{\"n\":0}");
}
