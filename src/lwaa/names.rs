//! What locations and atoms are called: locations by their formulas, or by the
//! names of the states they were read from.
//!
//! The text of a formula can be exponentially longer than the formula, and
//! the texts of all locations together are quadratic at least. So a name is
//! cut off at a limit, and ends with `…` then.

use super::{LocationId, Lwaa, NameId, Origin};
use crate::hoa::{Label, Proposition};
use crate::id::{Id, IdVec};
use crate::ltl::nnf::NodeId;
use crate::ltl::print::{Dialect, Limited, atom_text, write_term};
use crate::ltl::{TermId, Terms};
use crate::word::{AtomId, Atoms};
use std::fmt::{self, Write};

/// The names of the locations of one automaton.
pub(super) struct LocationNames<'a> {
    lwaa: &'a Lwaa,
    terms: Terms,
    term: IdVec<NodeId, TermId>,
    atom: IdVec<AtomId, TermId>,
    /// How many operators each term has before its first symbol: those of its
    /// left operand, of the left operand of that one, and so on.
    left_depth: IdVec<TermId, usize>,
}

impl<'a> LocationNames<'a> {
    pub(super) fn new(lwaa: &'a Lwaa) -> Self {
        let (mut terms, term) = lwaa.nnf.to_terms();
        let atom = lwaa.atoms().iter().map(|(_, name)| terms.atom(name)).collect();
        let mut left_depth: IdVec<TermId, usize> = IdVec::new();
        for index in 0..terms.len() {
            let mut children = terms.term(TermId::new(index)).children();
            let depth = match (children.next(), children.next()) {
                (Some(left), Some(_)) => left_depth[left] + 1,
                _ => 0,
            };
            left_depth.push(depth);
        }
        Self { lwaa, terms, term, atom, left_depth }
    }

    /// Writes an atom as it is written in a formula: in quotation marks if it
    /// is not a plain word.
    pub(super) fn write_atom(&self, atom: AtomId, out: &mut dyn Write) -> fmt::Result {
        write_term(out, &self.terms, self.atom[atom], Dialect::Lwaa)
    }

    /// An atom as it is written in a formula.
    pub(super) fn atom(&self, atom: AtomId) -> String {
        let mut text = String::new();
        self.write_atom(atom, &mut text).expect("a string takes any text");
        text
    }

    /// The name of a location, cut off after `limit` bytes; none if it was
    /// read from a state without name.
    pub(super) fn name(&self, id: LocationId, limit: usize) -> Option<String> {
        let mut text = String::new();
        let mut out = Limited::new(&mut text, limit);
        let result = match self.lwaa.location(id).origin {
            // To find the first symbol would take longer than the limit allows.
            Origin::Formula(node) if limit < self.left_depth[self.term[node]] => Err(fmt::Error),
            Origin::Formula(node) => {
                write_term(&mut out, &self.terms, self.term[node], Dialect::Lwaa)
            }
            Origin::State(name) => out.write_str(self.given(name?)),
        };
        if result.is_err() {
            text.push('…');
        }
        Some(text)
    }

    fn given(&self, name: NameId) -> &str {
        &self.lwaa.names[name]
    }
}

impl Lwaa {
    /// The names of all locations: their formulas, cut off after `limit` bytes.
    #[must_use]
    pub fn location_names(&self, limit: usize) -> IdVec<LocationId, String> {
        let names = LocationNames::new(self);
        self.locations().map(|(id, _)| names.name(id, limit).unwrap_or_default()).collect()
    }
}

/// A label as an expression in our own syntax.
pub(crate) fn label_text(label: &Label, atoms: &Atoms) -> String {
    let display = label.display(|proposition, f| match *proposition {
        Proposition::Constant(value) => write!(f, "{value}"),
        Proposition::Atom(atom) => f.write_str(&atom_text(atoms.name(atom), Dialect::Lwaa)),
        Proposition::Alias(_) => unreachable!("the labels of edges have no aliases"),
    });
    display.to_string()
}
