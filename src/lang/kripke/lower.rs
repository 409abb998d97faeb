//! Structure to program: one variable, and tables.
//!
//! A step picks a number and follows the edge of that number. Since choices
//! have fixed ranges, there is a transition for states with one edge, for those
//! with two or three, for those with four to seven and so on: so at most half
//! of the numbers are picked in vain, even if a single state has very many
//! edges.

use super::Structure;
use crate::lang::program::{
    BinaryOperator, Effect, Expression, Process, Program, Proposition, Span, Transition, Variable,
    VariableId,
};
use crate::lang::{Bindings, Model};
use crate::lang::{SourceError, cursor::Result};
use crate::ltl::Formula;
use crate::word::{AtomId, Atoms, Letter};
use std::sync::Arc;

/// What traces call the variable and the action.
const STATE: &str = "state";
const STEP: &str = "step";

/// The model of a structure.
pub(super) fn model(structure: &Structure) -> Model {
    let mut program = Program::default();
    let initial: Vec<i64> = structure.initial.iter().map(|&state| number(state)).collect();
    let state = program.variables.push(Variable {
        name: STATE.to_owned(),
        low: 0,
        high: number(structure.names.len()) - 1,
        len: None,
        initial: vec![initial.first().copied().unwrap_or_default()],
        any: false,
        value_names: value_names(&structure.names),
    });
    if 1 < initial.len() {
        program.one_of = Some((state, initial));
    }
    transitions(&mut program, state, &structure.successors);
    let atoms = structure.atoms.clone();
    let bindings = KripkeNames { state, atoms, letters: structure.letters.clone() };
    Model { program, properties: Vec::new(), bindings: Arc::new(bindings) }
}

fn number(index: usize) -> i64 {
    i64::try_from(index).expect("what is in memory can be counted")
}

/// Nothing if the states are called by their numbers.
fn value_names(names: &[String]) -> Vec<String> {
    let is_number = |(index, name): (usize, &String)| *name == index.to_string();
    if names.iter().enumerate().all(is_number) { Vec::new() } else { names.to_vec() }
}

/// Adds a table that says something about every index.
fn table(program: &mut Program, mut entries: Vec<i64>) -> VariableId {
    if entries.is_empty() {
        // It is never read, but an array has at least one element.
        entries.push(0);
    }
    program.variables.push(Variable {
        name: String::new(),
        low: 0,
        high: entries.iter().copied().max().unwrap_or_default(),
        len: Some(entries.len()),
        initial: entries,
        any: false,
        value_names: Vec::new(),
    })
}

fn transitions(program: &mut Program, state: VariableId, successors: &[Vec<usize>]) {
    let process = program.processes.push(Process { name: String::new() });
    let mut firsts = Vec::with_capacity(successors.len());
    let mut targets = Vec::new();
    for list in successors {
        firsts.push(number(targets.len()));
        targets.extend(list.iter().map(|&target| number(target)));
    }
    let degrees: Vec<i64> = successors.iter().map(|list| number(list.len())).collect();
    let greatest = degrees.iter().copied().max().unwrap_or_default();
    let [degrees, firsts, targets] = [degrees, firsts, targets].map(|list| table(program, list));
    let here = program.expression(Expression::Variable(state));
    let degree = program.expression(Expression::Element(degrees, here));
    let first = program.expression(Expression::Element(firsts, here));
    let choice = program.expression(Expression::Choice(0));
    let edge = program.binary(BinaryOperator::Add, first, choice);
    let target = program.expression(Expression::Element(targets, edge));
    let mut least: i64 = 1;
    loop {
        let next = least.saturating_mul(2);
        let bound = program.constant(least);
        let at_least = program.binary(BinaryOperator::LessEqual, bound, degree);
        let less = program.constant(next);
        let below = program.binary(BinaryOperator::Less, degree, less);
        let exists = program.binary(BinaryOperator::Less, choice, degree);
        let guard = program.conjunction(&[at_least, below, exists]);
        program.transitions.push(Transition {
            process,
            partner: None,
            action: STEP.to_owned(),
            choices: vec![(0, next.min(greatest.saturating_add(1)) - 2)],
            guard,
            effects: vec![Effect::Assign(state, target)],
            span: Span::default(),
            steps: Vec::new(),
        });
        if greatest < next {
            return;
        }
        least = next;
    }
}

/// What formulas may say: the atoms of the structure.
#[derive(Debug)]
struct KripkeNames {
    state: VariableId,
    atoms: Atoms,
    letters: Vec<Letter>,
}

impl KripkeNames {
    fn find(&self, name: &str) -> Result<AtomId> {
        self.atoms.find(name).ok_or_else(|| {
            let span = Span { start: 0, end: name.len() };
            SourceError::new(span, format!("the structure has no atom `{name}`"))
        })
    }
}

impl Bindings for KripkeNames {
    fn formula(&self, text: &str) -> Result<Formula> {
        Ok(Formula::parse(text)?)
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition> {
        let atom = self.find(name)?;
        let truth = |letter: &Letter| i64::from(letter.contains(atom));
        let table = table(program, self.letters.iter().map(truth).collect());
        let here = program.expression(Expression::Variable(self.state));
        Ok(Proposition::State(program.expression(Expression::Element(table, here))))
    }
}
