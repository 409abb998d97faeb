//! The Hanoi Omega-Automata format, version 1: a document type, a reader and
//! a writer.
//!
//! The format is that of [HOA15]. An [`Automaton`] is what one document says,
//! no more: whether it is deterministic, weak or empty is for others to find
//! out, and the `properties:` are not compared with the body. What the format
//! calls a label expression or an acceptance condition is an [`Expression`],
//! kept in postfix order, so neither reading nor writing nor dropping one
//! needs recursion.
//!
//! Two things that mean the same are not told apart: an empty acceptance
//! signature `{}` is an absent one, and the number of states is known even if the
//! document leaves out `States:`. States are kept in the order of their
//! numbers.
//!
//! [HOA15]: crate::references::hoa15

mod error;
mod expression;
mod lex;
mod read;
mod write;

pub use error::{HoaError, HoaErrorKind};
pub(crate) use expression::InfixReader;
pub use expression::{Expression, Item};
pub use read::{Documents, documents, read};

use crate::id::{Id, IdVec, define_id};
use crate::word::{AtomId, Atoms};
use std::borrow::Cow;

define_id! {
    /// A state of an [`Automaton`].
    pub struct StateId;
}

define_id! {
    /// An acceptance set: states and edges that the acceptance condition
    /// speaks of.
    pub struct SetId;
}

define_id! {
    /// A named label expression.
    pub struct AliasId;
}

/// What a label expression is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proposition {
    /// `t` or `f`.
    Constant(bool),
    /// An atom, written as its number.
    Atom(AtomId),
    /// A label expression defined in the header.
    Alias(AliasId),
}

/// Which letters an edge allows.
pub type Label = Expression<Proposition>;

/// What an acceptance condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visits {
    /// `t` or `f`.
    Constant(bool),
    /// `Inf`: the set is visited infinitely often.
    Infinitely {
        /// The set.
        set: SetId,
        /// Whether the complement of the set is meant, `Inf(!0)`.
        complemented: bool,
    },
    /// `Fin`: the set is visited finitely often.
    Finitely {
        /// The set.
        set: SetId,
        /// Whether the complement of the set is meant, `Fin(!0)`.
        complemented: bool,
    },
}

/// When a path is accepting. [`Item::Not`] never occurs.
pub type Condition = Expression<Visits>;

/// The line `Acceptance:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// How many acceptance sets there are.
    pub n_sets: u32,
    /// When a path is accepting.
    pub condition: Condition,
}

impl Default for Acceptance {
    /// Every path is accepting.
    fn default() -> Self {
        Self { n_sets: 0, condition: Condition::leaf(Visits::Constant(true)) }
    }
}

/// The line `tool:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The name of the program that wrote the document.
    pub name: String,
    /// The version of that program.
    pub version: Option<String>,
}

/// A line of the header whose meaning the format leaves open, or the line
/// `acc-name:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What stands before the colon; for `acc-name:` the name it gives.
    pub name: String,
    /// What follows.
    pub values: Vec<Value>,
}

/// One thing that a line of the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `t` or `f`.
    Boolean(bool),
    /// A number less than 2³¹.
    Integer(u32),
    /// A text in quotation marks.
    Text(String),
    /// A word.
    Identifier(String),
}

/// A label expression with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The name, without the `@`.
    pub name: String,
    /// What it stands for. It refers to earlier aliases only.
    pub label: Label,
}

/// One state of the body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The label of all edges; these have none of their own then.
    pub label: Option<Label>,
    /// What the state is called.
    pub name: Option<String>,
    /// The acceptance sets that the state belongs to.
    pub sets: Vec<SetId>,
    /// The edges that leave the state. If neither it nor they have a label,
    /// they are implicitly labelled: there is one for each letter.
    pub edges: Vec<Edge>,
}

/// One edge of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The letters that the edge allows.
    pub label: Option<Label>,
    /// The states that the edge enters, all of them at once; not empty.
    pub targets: Vec<StateId>,
    /// The acceptance sets that the edge belongs to.
    pub sets: Vec<SetId>,
}

/// What one document says.
///
/// ```
/// let text = r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
///     --BODY-- State: 0 "G F a" [0] 0 {0} [!0] 0 --END--"#;
/// let automaton = lwaa::hoa::read(text)?;
/// assert_eq!(automaton.states.len(), 1);
/// assert_eq!(lwaa::hoa::read(&automaton.to_string())?, automaton);
/// # Ok::<(), lwaa::hoa::HoaError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// The version of the format, `v1`.
    pub version: String,
    /// What the automaton is called.
    pub name: Option<String>,
    /// Which program wrote the document.
    pub tool: Option<Tool>,
    /// The initial conjunctions of states, one of which a run begins with.
    pub start: Vec<Vec<StateId>>,
    /// The atomic propositions.
    pub atoms: Atoms,
    /// Named label expressions.
    pub aliases: IdVec<AliasId, Alias>,
    /// The line `acc-name:`, without meaning of its own.
    pub acceptance_name: Option<Header>,
    /// The line `Acceptance:`.
    pub acceptance: Acceptance,
    /// What the document claims about the automaton.
    pub properties: Vec<String>,
    /// All other lines of the header.
    pub headers: Vec<Header>,
    /// The body.
    pub states: IdVec<StateId, State>,
}

impl Automaton {
    /// A document of this program, about which nothing else is said yet.
    #[must_use]
    pub fn by_this_program() -> Self {
        let name = env!("CARGO_PKG_NAME").to_owned();
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        Self { version: "v1".to_owned(), tool: Some(Tool { name, version }), ..Self::default() }
    }

    /// The label of an edge of `state`: its own, that of the state, or the
    /// letter that goes with the `index` of the edge.
    ///
    /// # Panics
    ///
    /// If there is no edge `index`.
    #[must_use]
    pub fn label<'a>(&self, state: &'a State, index: usize) -> Cow<'a, Label> {
        match (&state.edges[index].label, &state.label) {
            (Some(label), _) | (None, Some(label)) => Cow::Borrowed(label),
            (None, None) => Cow::Owned(self.letter(index)),
        }
    }

    /// The letter whose atoms are the bits of `index` as a label expression.
    fn letter(&self, index: usize) -> Label {
        let mut literals = self.atoms.iter().map(|(atom, _)| {
            let literal = Label::leaf(Proposition::Atom(atom));
            let bit = u32::try_from(atom.index()).ok().and_then(|bit| index.checked_shr(bit));
            if bit.unwrap_or(0) & 1 == 1 { literal } else { !literal }
        });
        match literals.next() {
            Some(first) => literals.fold(first, Label::and),
            None => Label::leaf(Proposition::Constant(true)),
        }
    }
}
