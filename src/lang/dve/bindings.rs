//! What formulas may say about a DVE model: expressions of the language over
//! global variables, states `P.s` and local variables `P.x` or `P->x`; and
//! `taken(P)` and `enabled(P)` about what a process does and could do.

use super::super::program::{Program, Proposition, TransitionId};
use super::super::{Bindings, SourceError, calls};
use super::ast::Name;
use super::names::Names;
use super::parse::proposition;
use super::value::{Scope, expression};
use crate::id::Id;
use crate::ltl::Formula;
use crate::system::ProcessId;

/// What names of processes have besides letters and digits.
const NAME: &str = "_$#";

impl Bindings for Names {
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        calls::formula(text, NAME)
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition, SourceError> {
        if let Some(call) = calls::only(name, NAME)? {
            let (text, span) = call.process.clone();
            let transitions = self.transitions(program, &Name { text, span })?;
            return Ok(call.about(transitions));
        }
        let processes = self.processes.iter().map(|process| process.name.as_str()).collect();
        let tree = proposition(name, processes)?;
        expression(program, self, Scope::Proposition, &tree).map(Proposition::State)
    }
}

impl Names {
    /// The transitions in which a process takes part.
    fn transitions(
        &self,
        program: &Program,
        process: &Name,
    ) -> Result<Vec<TransitionId>, SourceError> {
        let process = ProcessId::new(self.process_number(process)?);
        let transitions = program.transitions.entries().filter(|(_, transition)| {
            self.is_synchronous
                || transition.process == process
                || transition.partner == Some(process)
        });
        Ok(transitions.map(|(id, _)| id).collect())
    }
}
