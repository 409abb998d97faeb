//! Which runs of a model count: what is assumed about the processes and actions that move.

use crate::certify::fairness::broken;
use crate::ltl::{Formula, Term};
use crate::recurrence::Recurrence;
use crate::run::Run;
use crate::system::{Assumption, Fault, Opened, PropositionId, Strength};
use crate::word::Atoms;

/// What is assumed about the processes and actions that move.
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

/// What is assumed about the runs of `system`.
pub(super) fn assumptions<O: Opened>(system: &O, fair: Fair) -> Vec<Assumption> {
    match fair {
        Fair::Declared => system.declared().to_vec(),
        Fair::Nothing => Vec::new(),
        Fair::Processes(strength) => {
            let processes = system.processes().iter().cloned();
            processes.map(|process| Assumption { strength, ..process }).collect()
        }
    }
}

/// The names of the two atoms of an assumption. No formula has atoms of these
/// names, since no model knows them.
pub(super) fn names(number: usize, assumption: &Assumption) -> [String; 2] {
    let name = &assumption.name;
    ["enabled", "taken"].map(|what| format!("{what}({name}) [assumption {number}]"))
}

/// `formula` and all assumptions, for engines that leave everything to the
/// automaton.
pub(super) fn with_assumptions(formula: &Formula, assumptions: &[Assumption]) -> Formula {
    let mut terms = formula.terms().clone();
    let mut root = formula.root();
    for (number, assumption) in assumptions.iter().enumerate() {
        let [enabled, taken] = names(number, assumption).map(|name| terms.atom(&name));
        let [often_taken, often_enabled] = [taken, enabled].map(|atom| {
            let inner = terms.intern(Term::Finally(atom));
            terms.intern(Term::Globally(inner))
        });
        let always = terms.intern(Term::Globally(enabled));
        let waiting = match assumption.strength {
            Strength::Weak => terms.intern(Term::Finally(always)),
            Strength::Strong => often_enabled,
        };
        let promise = terms.intern(Term::Implies(waiting, often_taken));
        root = terms.intern(Term::And(root, promise));
    }
    Formula::new(terms, root)
}

/// Adds assumptions to what is asked of cycles.
pub(super) fn assume(assumptions: &[Assumption], atoms: &mut Atoms, recurrence: &mut Recurrence) {
    for (number, assumption) in assumptions.iter().enumerate() {
        let [enabled, taken] = names(number, assumption).map(|name| atoms.intern(&name));
        match assumption.strength {
            Strength::Weak => recurrence.require_weak(enabled, taken),
            Strength::Strong => recurrence.require_strong(enabled, taken),
        }
    }
}

/// Which of `assumptions` an infinite run does not satisfy.
pub(super) fn neglected<O: Opened>(
    system: &O,
    assumptions: &[Assumption],
    run: &Run,
) -> Result<Vec<usize>, Fault> {
    let atoms: Vec<PropositionId> =
        assumptions.iter().flat_map(|assumed| [assumed.enabled, assumed.taken]).collect();
    let promises: Vec<Strength> = assumptions.iter().map(|assumed| assumed.strength).collect();
    broken(&mut system.judge(&atoms), run.cycle(), &promises)
}

/// The names of the processes and actions that an infinite run neglects, if runs have to be fair in
/// this way.
///
/// # Errors
///
/// If a guard goes wrong.
pub fn all_neglected<O: Opened>(system: &O, fair: Fair, run: &Run) -> Result<Vec<String>, Fault> {
    let mut assumptions = assumptions(system, fair);
    let broken = neglected(system, &assumptions, run)?;
    Ok(broken.into_iter().map(|number| std::mem::take(&mut assumptions[number].name)).collect())
}
