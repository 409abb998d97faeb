//! What is never done in a model: statements that no run reaches, and actions that are never taken.

use super::super::Failure;
use super::super::model::Loaded;
use lwaa::check::room::{Stop, with_room};
use lwaa::check::survey::{Goes, Met, survey};
use lwaa::lang::OpenedProgram;
use lwaa::lang::source::StatementId;
use lwaa::product::Errors;
use lwaa::report::state::States;
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::system::TransitionId;
use std::collections::BTreeSet;
use std::fmt::Write;

/// So many are named; with more of them, something else is wrong.
const MAX_NAMED: usize = 50;
/// How many steps are followed statement by statement, which takes the interpreter.
const MAX_FOLLOWED: usize = 300_000;

/// Finds what is never done; nothing if a limit comes first.
pub(super) fn find(
    loaded: &Loaded,
    errors: Errors,
    limits: Limits,
    monitor: &Monitor,
) -> Result<Option<Vec<String>>, Failure> {
    let asserts = errors != Errors::Ignore;
    let refuse = |error| loaded.failure(&error);
    with_room(&loaded.model, &[], asserts, refuse, |system| {
        let mut budget = Budget::new(limits, monitor);
        let mut seen = Seen::new(system);
        match survey(&**system, &mut budget, &mut |met| seen.see(met)) {
            Ok(()) => Ok(seen.unseen()),
            Err(Stop::Room(room)) => Err(Stop::Room(room)),
            Err(Stop::Error(_)) => Ok(None),
        }
    })
}

/// What has been done so far.
struct Seen<'a> {
    states: States<'a>,
    taken: Vec<bool>,
    ran: BTreeSet<StatementId>,
    /// How many steps have been followed statement by statement.
    n_followed: usize,
}

impl<'a> Seen<'a> {
    fn new(system: &'a OpenedProgram) -> Self {
        let program = system.program();
        Self {
            states: States::new(program),
            taken: vec![false; program.transitions.len()],
            ran: BTreeSet::new(),
            n_followed: 0,
        }
    }

    fn see(&mut self, met: Met<'_>) -> Goes {
        use lwaa::id::Id;
        match met {
            Met::State(..) => (),
            Met::Fault(_, taken) => self.taken[taken.index()] = true,
            Met::Step { from, taken, to } => {
                self.taken[taken.index()] = true;
                if !self.has_all() {
                    self.n_followed += 1;
                    let ran = self.states.statements(from.1, taken, Some(to.1));
                    self.ran.extend(ran.into_iter().map(|one| one.statement));
                }
            }
        }
        if self.n_followed <= MAX_FOLLOWED { Goes::Continue(()) } else { Goes::Break(()) }
    }

    fn has_all(&self) -> bool {
        self.ran.len() == self.states.program().source.statements.len()
    }

    /// What has not been done, in the order of the text; nothing if the way was too long.
    fn unseen(&self) -> Option<Vec<String>> {
        if MAX_FOLLOWED < self.n_followed {
            return None;
        }
        let program = self.states.program();
        let source = &program.source;
        if source.statements.is_empty() {
            return Some(self.actions());
        }
        let mut known: BTreeSet<StatementId> = BTreeSet::new();
        for transition in &program.transitions {
            known.extend(transition.steps.iter().map(|step| step.statement));
        }
        for place in &source.places {
            known.extend(&place.statements);
        }
        let missing = known.difference(&self.ran).map(|&id| &source.statements[id]);
        let mut missing: Vec<_> = missing
            .map(|one| (one.file.clone(), one.line, one.span.start, one.to_string()))
            .collect();
        missing.sort();
        missing.dedup();
        Some(missing.into_iter().map(|one| one.3).collect())
    }

    /// The actions that have not been taken, by any of their transitions.
    fn actions(&self) -> Vec<String> {
        use lwaa::id::Id;
        let program = self.states.program();
        let ids = || program.transitions.ids();
        let name = |id: TransitionId| self.states.mover(id);
        let done: BTreeSet<String> = ids().filter(|id| self.taken[id.index()]).map(name).collect();
        let mut named = BTreeSet::new();
        let missing = ids().map(name).filter(|name| !done.contains(name));
        missing.filter(|name| named.insert(name.clone())).collect()
    }
}

/// What is said of them.
pub(super) fn text(never_taken: Option<&[String]>, is_asked: bool) -> String {
    let Some(list) = never_taken else {
        return if is_asked {
            "never taken     (not known: not all states and steps were looked at)\n".to_owned()
        } else {
            String::new()
        };
    };
    let mut text = format!("never taken     {}\n", list.len());
    for one in list.iter().take(MAX_NAMED) {
        // A string takes any text.
        let _ = writeln!(text, "  {one}");
    }
    if let Some(more @ 1..) = list.len().checked_sub(MAX_NAMED) {
        let _ = writeln!(text, "  and {more} more");
    }
    text
}
