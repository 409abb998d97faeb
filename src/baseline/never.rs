//! Never claims, as Spin reads them and translators print them.
//!
//! A claim is a Büchi automaton: a label that begins with `accept` makes a state
//! an accepting one, and the first state is the initial one. Written out, states
//! are `T0_init` or `accept_init`, `T0_S1` or `accept_S1` and so on, and a state
//! from which everything is accepted is `accept_all: skip`, at whose end the
//! claim ends.
//!
//! An atom that is a name in Promela stands in the claim as it is, so it has to
//! be a variable or a macro of the model. Any other atom, say `"fork[1] == 0"`,
//! is an expression of Promela; the claim begins with a macro for it, and
//! [`read`] gives the atom the text of the macro.

mod lex;
mod read;
#[cfg(test)]
mod tests;

pub use read::read;

use super::guard::bundles;
use super::initial;
use super::nba::{Nba, StateId};
use super::prefixes::accepting_loops;
use crate::hoa::{Label, Proposition};
use crate::id::{Id, IdVec};
use crate::word::{AtomId, Atoms};

/// The automaton has more than one acceptance set, or acceptance on edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a never claim needs a Büchi automaton with acceptance on states")]
pub struct NotBuchi;

/// A Büchi automaton as a never claim. `comment` says what it is for.
///
/// ```
/// use lwaa::baseline::never;
/// let text = "never { T0_init: do :: (1) -> goto T0_init :: (p) -> goto accept_all od;
///                         accept_all: skip }";
/// let automaton = never::read(text)?;
/// assert_eq!(never::write(&automaton, "F p")?, "\
/// never { /* F p */
/// T0_init:
///   do
///   :: (1) -> goto T0_init
///   :: (p) -> goto accept_all
///   od;
/// accept_all:
///   skip
/// }
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If it is no Büchi automaton, that is if it has several acceptance sets or
/// has them on edges.
pub fn write(automaton: &Nba, comment: &str) -> Result<String, NotBuchi> {
    let automaton = initial::single(automaton);
    if 1 < automaton.n_sets() || !automaton.is_state_based() {
        return Err(NotBuchi);
    }
    Ok(Writer::new(&automaton).finish(comment))
}

/// Words of Promela that are expressions, though no variables.
const WORDS: [&str; 5] = ["false", "np_", "skip", "timeout", "true"];

/// The atoms that seem to be no expressions of Promela, so that Spin may not take a
/// claim with them.
///
/// ```
/// use lwaa::baseline::never::doubtful;
/// let mut atoms = lwaa::word::Atoms::default();
/// atoms.intern("fork[1] == 0");
/// atoms.intern("fork one");
/// assert_eq!(doubtful(&atoms), ["fork one"]);
/// ```
#[must_use]
pub fn doubtful(atoms: &Atoms) -> Vec<&str> {
    let is_expression = |name: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.bytes().all(is_letter) && name.starts_with(|c: char| !c.is_ascii_digit()) {
            return lex::is_name(name) || WORDS.contains(&name);
        }
        // A comment would go on behind the name, or end before it.
        let has_comment = name.contains("//") || name.contains("/*");
        !has_comment && read(&format!("never {{ a: if :: ({name}\n) -> goto a fi }}")).is_ok()
    };
    atoms.iter().map(|(_, name)| name).filter(|name| !is_expression(name)).collect()
}

struct Writer<'a> {
    automaton: &'a Nba,
    /// What each atom is called in the claim.
    atoms: IdVec<AtomId, String>,
    labels: IdVec<StateId, String>,
    out: String,
}

impl<'a> Writer<'a> {
    fn new(automaton: &'a Nba) -> Self {
        let initial = automaton.initial()[0];
        let accepts_everything = accepting_loops(automaton);
        let label = |state: StateId| {
            // Without acceptance sets, every run is accepting.
            let accepting = automaton.n_sets() == 0 || automaton.is_accepting(state);
            let kind = if accepting { "accept" } else { "T0" };
            match (state == initial, accepting && accepts_everything[state]) {
                (true, _) => format!("{kind}_init"),
                (false, true) => "accept_all".to_owned(),
                (false, false) => format!("{kind}_S{}", state.index()),
            }
        };
        let mut labels: IdVec<StateId, String> = automaton.states().map(label).collect();
        number_duplicates(&mut labels);
        Self { automaton, atoms: spellings(automaton.atoms()), labels, out: String::new() }
    }

    fn finish(mut self, comment: &str) -> String {
        for (atom, name) in self.automaton.atoms().iter() {
            if self.atoms[atom] != name {
                let text = name.replace('\n', "\\\n");
                self.line(&format!("#define {} ({text})", self.atoms[atom]));
            }
        }
        // A comment must not end before its end.
        let comment = comment.replace("*/", "* /").replace('\n', " ");
        self.line(&format!("never {{ /* {comment} */"));
        let initial = self.automaton.initial()[0];
        self.state(initial);
        // At the end of the claim everything is accepted, so this is last.
        let (last, others): (Vec<StateId>, Vec<StateId>) = self
            .automaton
            .states()
            .filter(|&state| state != initial)
            .partition(|&state| self.labels[state] == "accept_all");
        others.into_iter().chain(last).for_each(|state| self.state(state));
        self.line("}");
        self.out
    }

    fn state(&mut self, state: StateId) {
        self.line(&format!("{}:", self.labels[state]));
        if self.labels[state] == "accept_all" {
            return self.line("  skip");
        }
        let bundles = bundles(self.automaton, state);
        if bundles.is_empty() {
            return self.line("  false;");
        }
        self.line("  do");
        for bundle in bundles {
            let guard = self.guard(&bundle.label);
            self.line(&format!("  :: ({guard}) -> goto {}", self.labels[bundle.edge.target]));
        }
        self.line("  od;");
    }

    /// A label in the syntax of Promela.
    fn guard(&self, label: &Label) -> String {
        let items = label.display(|proposition, f| match *proposition {
            Proposition::Constant(value) => f.write_str(if value { "1" } else { "0" }),
            Proposition::Atom(atom) => f.write_str(&self.atoms[atom]),
            Proposition::Alias(_) => unreachable!("cubes have no aliases"),
        });
        // Nothing but the operators has these signs.
        items.to_string().replace('&', "&&").replace('|', "||")
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }
}

/// There may be several states from which everything is accepted, but only one
/// of them is the end of the claim.
fn number_duplicates(labels: &mut IdVec<StateId, String>) {
    let mut found = false;
    for state in labels.ids() {
        if labels[state] == "accept_all" && std::mem::replace(&mut found, true) {
            labels[state] = format!("accept_S{}", state.index());
        }
    }
}

/// How the atoms are called: names as they are, others by macros.
fn spellings(atoms: &Atoms) -> IdVec<AtomId, String> {
    let mut n_macros = 0;
    let mut spelling = |name: &str| {
        if lex::is_name(name) {
            return name.to_owned();
        }
        loop {
            let spelling = format!("atom_{n_macros}");
            n_macros += 1;
            if atoms.find(&spelling).is_none() {
                return spelling;
            }
        }
    };
    atoms.iter().map(|(_, name)| spelling(name)).collect()
}
