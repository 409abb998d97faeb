//! What formulas may say about a DVE model: expressions of the language over
//! global variables, states `P.s` and local variables `P.x` or `P->x`; and
//! `taken(P)` and `enabled(P)` about what a process does and could do.

use super::super::cursor::Result;
use super::super::expression::value;
use super::super::program::{Program, Proposition};
use super::super::{Bindings, calls};
use super::ast::Name;
use super::names::DveNames;
use super::parse::proposition;
use super::value::DveScope;
use crate::id::Id;
use crate::ltl::Formula;
use crate::system::ProcessId;

/// What names of processes have besides letters and digits.
const NAME: &str = "_$#";

impl Bindings for DveNames {
    fn formula(&self, text: &str) -> Result<Formula> {
        calls::formula(text, NAME)
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition> {
        if let Some(call) = calls::only(name, NAME)? {
            let (text, span) = call.process.clone();
            let process = ProcessId::new(self.process_number(&Name { text, span })?);
            let transitions = if self.is_synchronous {
                program.transitions.ids().collect()
            } else {
                program.transitions_of(process).collect()
            };
            return Ok(call.about(transitions));
        }
        let processes = self.processes.iter().map(|process| process.name.as_str()).collect();
        let tree = proposition(name, processes)?;
        Ok(Proposition::State(value(program, self, DveScope::Proposition, &tree)?.id))
    }
}
