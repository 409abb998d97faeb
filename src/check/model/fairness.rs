//! Which runs of a model count: what is assumed about who moves.

use super::Bound;
use crate::certify::fairness::{Promise, broken};
use crate::certify::run::Step;
use crate::lang::execute::Interpreter;
use crate::lang::program::{Fairness, Program, Proposition, Span, Strength, TransitionId};
use crate::ltl::{Formula, Term};
use crate::recurrence::Recurrence;
use crate::system::Fault;
use crate::verdict::Moment;
use crate::word::{Atoms, Lasso};

/// What is assumed about who moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fair {
    /// What the model says.
    #[default]
    Declared,
    /// Nothing, whatever the model says.
    Nothing,
    /// That all processes are fair, whatever the model says.
    Processes(Strength),
}

/// What is assumed about the runs of `program`.
pub(super) fn assumptions(program: &Program, fair: Fair) -> Vec<Fairness> {
    match fair {
        Fair::Declared => program.fairness.clone(),
        Fair::Nothing => Vec::new(),
        Fair::Processes(strength) => program
            .processes
            .entries()
            .map(|(id, process)| {
                let moves = |transition: TransitionId| {
                    let transition = &program.transitions[transition];
                    transition.process == id || transition.partner == Some(id)
                };
                let transitions = program.transitions.ids().filter(|&id| moves(id)).collect();
                let (name, span) = (process.name.clone(), Span::default());
                Fairness { strength, name, transitions, span }
            })
            .filter(|fairness| !fairness.transitions.is_empty())
            .collect(),
    }
}

/// The names of the two atoms of an assumption. No formula has atoms of these
/// names, since no model knows them.
fn names(number: usize, fairness: &Fairness) -> [String; 2] {
    let name = &fairness.name;
    ["enabled", "taken"].map(|what| format!("{what}({name}) [assumption {number}]"))
}

/// Adds what the atoms of assumptions say.
pub(super) fn bind(assumptions: &[Fairness], bound: &mut Bound) {
    for (number, fairness) in assumptions.iter().enumerate() {
        let [enabled, taken] = names(number, fairness);
        bound.insert(enabled, Proposition::Enabled(fairness.transitions.clone()));
        bound.insert(taken, Proposition::Taken(fairness.transitions.clone()));
    }
}

/// `formula` and all assumptions, for engines that leave everything to the
/// automaton.
pub(super) fn with_assumptions(formula: &Formula, assumptions: &[Fairness]) -> Formula {
    let mut terms = formula.terms().clone();
    let mut root = formula.root();
    for (number, fairness) in assumptions.iter().enumerate() {
        let [enabled, taken] = names(number, fairness).map(|name| terms.atom(&name));
        let [often_taken, often_enabled] = [taken, enabled].map(|atom| {
            let inner = terms.intern(Term::Finally(atom));
            terms.intern(Term::Globally(inner))
        });
        let always = terms.intern(Term::Globally(enabled));
        let waiting = match fairness.strength {
            Strength::Weak => terms.intern(Term::Finally(always)),
            Strength::Strong => often_enabled,
        };
        let promise = terms.intern(Term::Implies(waiting, often_taken));
        root = terms.intern(Term::And(root, promise));
    }
    Formula::new(terms, root)
}

/// Adds assumptions to what is asked of cycles.
pub(super) fn assume(assumptions: &[Fairness], atoms: &mut Atoms, recurrence: &mut Recurrence) {
    for (number, fairness) in assumptions.iter().enumerate() {
        let [enabled, taken] = names(number, fairness).map(|name| atoms.intern(&name));
        match fairness.strength {
            Strength::Weak => recurrence.require_weak(enabled, taken),
            Strength::Strong => recurrence.require_strong(enabled, taken),
        }
    }
}

/// Which of `assumptions` a run does not satisfy.
pub(super) fn neglected(
    program: &Program,
    assumptions: &[Fairness],
    lasso: &Lasso<Moment>,
) -> Result<Vec<usize>, Fault> {
    let atoms: Vec<Proposition> = assumptions
        .iter()
        .map(|fairness| Proposition::Enabled(fairness.transitions.clone()))
        .collect();
    let promises: Vec<Promise<'_>> = assumptions
        .iter()
        .map(|fairness| Promise { strength: fairness.strength, transitions: &fairness.transitions })
        .collect();
    let cycle: Vec<Step<'_>> = lasso.cycle().iter().map(step).collect();
    broken(&mut Interpreter::new(program, &atoms), &cycle, &promises)
}

/// Who is neglected in a run, if runs have to be fair in this way.
///
/// # Errors
///
/// If a guard goes wrong.
pub fn all_neglected(
    program: &Program,
    fair: Fair,
    run: &Lasso<Moment>,
) -> Result<Vec<String>, Fault> {
    let mut assumptions = assumptions(program, fair);
    let broken = neglected(program, &assumptions, run)?;
    Ok(broken.into_iter().map(|number| std::mem::take(&mut assumptions[number].name)).collect())
}

/// A moment for the code that certifies.
pub(super) fn step(moment: &Moment) -> Step<'_> {
    Step { state: &moment.state, taken: moment.taken.as_ref().map(std::slice::from_ref) }
}
