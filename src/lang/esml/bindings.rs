//! What formulas may say about an ESML model: propositions that it defines,
//! expressions over variables `P.x` of processes, and `taken(P)` and
//! `enabled(P)` about what a process does and could do.

use super::super::cursor::Result;
use super::super::expression::{Sort, value_of};
use super::super::program::{Program, Proposition};
use super::super::{Bindings, calls};
use super::ast::{Name, Owner};
use super::names::EsmlNames;
use super::parse::proposition;
use super::value::EsmlScope;
use crate::id::Id;
use crate::ltl::Formula;
use crate::system::ProcessId;

/// What names of processes have besides letters and digits.
const NAME: &str = "_[]";

impl Bindings for EsmlNames {
    fn formula(&self, text: &str) -> Result<Formula> {
        calls::formula(text, NAME)
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition> {
        if let Some(call) = calls::only(name, NAME)? {
            let process = ProcessId::new(self.owner(&owner(&call.process))?);
            return Ok(call.about(program.transitions_of(process).collect()));
        }
        let parsed;
        let tree = if let Some(tree) = self.definitions.get(name) {
            tree
        } else {
            parsed = proposition(name)?;
            &parsed
        };
        value_of(program, self, EsmlScope::Proposition, tree, Sort::Truth).map(Proposition::State)
    }
}

/// The process that a call names: `P` or `P[2]`.
fn owner((text, span): &(String, super::super::program::Span)) -> Owner {
    let numbered = text.strip_suffix(']').and_then(|text| text.split_once('['));
    let numbered = numbered.and_then(|(name, number)| Some((name, number.parse().ok()?)));
    match numbered {
        Some((name, number)) => {
            Owner { process: Name { text: name.to_owned(), span: *span }, number: Some(number) }
        }
        None => Owner { process: Name { text: text.clone(), span: *span }, number: None },
    }
}
