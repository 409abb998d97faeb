//! Which runs of a model count: what is assumed about the processes and actions that move.

use crate::certify::fairness::broken;
use crate::id::Id;
use crate::ltl::{Formula, Term};
use crate::recurrence::Recurrence;
use crate::run::Run;
use crate::system::{
    Assumption, Fault, Opened, PropositionId, Strength, TransitionSystem, is_observed,
};
use crate::word::{AtomId, Atoms};

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

/// When what an assumption is about could be done, and when it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chances {
    /// The name of the process.
    pub name: String,
    /// In which states of the run one of its transitions is enabled.
    pub enabled: Vec<bool>,
    /// In which states of the run one of them is taken.
    pub taken: Vec<bool>,
}

/// When the processes of `system` could move in a run, and when they did. A guard that goes wrong
/// is not enabled. Nothing if it would take too long.
pub fn chances<O: Opened>(system: &O, run: &Run) -> Vec<Chances> {
    /// So many guards are evaluated at most.
    const MAX_WORK: usize = 4_000_000;
    let assumptions = system.processes();
    if MAX_WORK / assumptions.len().max(1) < run.moments.len() {
        return Vec::new();
    }
    let atoms: Vec<PropositionId> =
        assumptions.iter().flat_map(|assumed| [assumed.enabled, assumed.taken]).collect();
    let mut judge = system.judge(&atoms);
    let none = |assumed: &Assumption| Chances {
        name: assumed.name.clone(),
        enabled: Vec::new(),
        taken: Vec::new(),
    };
    let mut found: Vec<Chances> = assumptions.iter().map(none).collect();
    for moment in &run.moments {
        let mut taken = vec![0; atoms.len().div_ceil(64)];
        moment.taken.iter().for_each(|&transition| judge.takes(transition, &mut taken));
        for (number, chances) in found.iter_mut().enumerate() {
            let [enabled, chosen] = [2 * number, 2 * number + 1].map(AtomId::new);
            chances.enabled.push(judge.observe_atom(&moment.state, enabled).unwrap_or(false));
            chances.taken.push(is_observed(&taken, chosen));
        }
    }
    found
}
