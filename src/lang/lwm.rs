//! The language of guarded actions.
//!
//! A model declares bounded variables and actions that change them; actions
//! may belong to processes, and processes come in families. It may name
//! propositions about its states, promise fairness and state properties of its
//! runs:
//!
//! ```
//! let text = "
//!     const N = 3;
//!     var turn: 0..N-1 = 0;
//!     weak fair process station(i in 0..N-1) {
//!         action pass when turn == i do turn' = (turn + 1) % N;
//!     }
//!     prop mine(i in 0..N-1) = turn == i;
//!     ltl comes_round: forall i in 0..N-1: G F mine(i);
//! ";
//! let model = lwaa::lang::lwm::read(text, &[])?;
//! assert_eq!(model.program.transitions.len(), 3);
//! let formula = model.bindings.formula("G F mine(0) & G F mine(1) & G F mine(2)")?;
//! assert_eq!(model.properties[0].formula, formula);
//! let fair: Vec<&str> = model.program.fairness.iter().map(|fair| fair.name.as_str()).collect();
//! assert_eq!(fair, ["station(0)", "station(1)", "station(2)"]);
//! assert!(model.bindings.formula("G (taken(station(0)) -> X enabled(station(1)))").is_ok());
//! # Ok::<(), lwaa::lang::SourceError>(())
//! ```
//!
//! `models/lwm/README.md` has the grammar and says what it means. The text goes
//! through these stages: tokens, a syntax tree (`parse`), a table of names
//! (`names`), variables (`declare`), transitions (`lower`), fairness
//! (`fairness`) and formulas (`formula`). Names and types are checked where expressions are evaluated
//! (`evaluate`), once for every instance; expressions and formulas share what
//! connectives mean (`connective`).

mod actions;
mod ast;
mod connective;
mod declare;
mod evaluate;
mod fairness;
mod formula;
mod lex;
mod lower;
mod names;
mod parse;
mod text;

use super::cursor::fail;
use super::program::{Program, Proposition};
use super::{Bindings, Definition, Model, Property, SourceError};
use crate::ltl::Formula;
use actions::Actions;
use ast::Aspect;
use evaluate::Evaluator;
use hashbrown::HashSet;
use names::Symbols;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// Reads a model, with constants that `definitions` override.
///
/// # Errors
///
/// If `text` is no model: the error says where and why. A definition that no
/// constant has the name of is an error at the beginning of the text.
pub fn read(text: &str, definitions: &[Definition]) -> Result<Model, SourceError> {
    let mut tree = parse::model(text)?;
    let mut symbols = Symbols::new(&mut tree, definitions)?;
    let mut program = Program::default();
    declare::variables(&tree, &mut symbols, &mut program)?;
    let actions = lower::actions(&tree, &symbols, &mut program)?;
    fairness::promises(&tree, &symbols, &actions, &mut program)?;
    // Formulas are evaluated beside the program, so that it has only the
    // expressions that it needs.
    let names = LwmNames { variables: variables_of(&program), symbols, actions };
    let mut beside = names.variables.clone();
    let mut evaluator = Evaluator::new(&names.symbols, &mut beside);
    for number in 0..names.symbols.propositions.len() {
        evaluator.check_proposition_number(number)?;
    }
    let mut known: HashSet<&str, FxBuildHasher> = HashSet::default();
    let mut properties = Vec::with_capacity(tree.properties.len());
    for property in &tree.properties {
        let name = &property.name;
        if !known.insert(&name.text) {
            return fail(name.span, format!("there is another property `{}`", name.text));
        }
        let formula = evaluator.formula(&property.formula)?;
        properties.push(Property { name: name.text.clone(), formula, span: property.span });
    }
    Ok(Model { program, properties, bindings: Arc::new(names) })
}

/// A program with nothing but the variables of another.
fn variables_of(program: &Program) -> Program {
    let mut copy = Program::default();
    copy.variables = program.variables.clone();
    copy
}

/// What is left of a text when its model has been lowered.
#[derive(Debug)]
struct LwmNames {
    symbols: Symbols,
    /// A program with the variables of the model.
    variables: Program,
    actions: Actions,
}

impl Bindings for LwmNames {
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        let node = parse::formula(text)?;
        let mut beside = self.variables.clone();
        Evaluator::new(&self.symbols, &mut beside).formula(&node)
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition, SourceError> {
        let node = parse::formula(name)?;
        let mut evaluator = Evaluator::new(&self.symbols, program);
        let Some((aspect, moves)) = node.moves() else {
            return evaluator.truth(&node).map(Proposition::State);
        };
        // Nothing is dead here, so the arguments have values.
        let found = evaluator.movers(moves)?;
        let transitions = found.map_or_else(Vec::new, |movers| self.actions.all(&movers));
        Ok(match aspect {
            Aspect::Taken => Proposition::Taken(transitions),
            Aspect::Enabled => Proposition::Enabled(transitions),
        })
    }
}

#[cfg(test)]
mod tests;
