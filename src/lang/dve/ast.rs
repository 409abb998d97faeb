//! What a DVE text says, before names are looked up.

pub(super) use super::super::cursor::Name;
use super::super::expression;
use super::super::program::Span;

/// The type of a variable or of a field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Byte,
    Int,
}

impl Type {
    /// The least and the greatest value.
    pub(super) fn range(self) -> (i64, i64) {
        match self {
            Self::Byte => (0, 255),
            Self::Int => (-32_768, 32_767),
        }
    }

    pub(super) fn keyword(self) -> &'static str {
        match self {
            Self::Byte => "byte",
            Self::Int => "int",
        }
    }
}

/// What an expression can refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// `x`
    Name(Name),
    /// `P.s`: a state, or in propositions a variable of the process.
    Member(Name, Name),
    /// `P->x`
    Foreign(Name, Name),
}

/// An expression.
pub(super) type Tree = expression::Tree<Reference>;

/// What is assigned to: a variable or an element of an array.
pub(super) type Place = expression::Designator<Reference>;

/// Initial values.
#[derive(Clone, Debug)]
pub(super) enum Initial {
    /// All are zero.
    None,
    /// `= 3`
    Single(Tree),
    /// `= { 1, 2 }`
    List(Vec<Tree>, Span),
}

/// A variable, an array or a constant of either kind.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) name: Name,
    pub(super) of_type: Type,
    pub(super) is_constant: bool,
    pub(super) size: Option<Tree>,
    pub(super) initial: Initial,
}

#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) name: Name,
    /// The types of the fields of a message; nothing if the channel is untyped.
    pub(super) fields: Option<Vec<Type>>,
    pub(super) capacity: Option<Tree>,
}

/// `c!…` or `c?…`
#[derive(Clone, Debug)]
pub(super) struct Sync {
    pub(super) channel: Name,
    pub(super) message: Message,
    pub(super) span: Span,
}

/// What is sent, or where it is received.
#[derive(Clone, Debug)]
pub(super) enum Message {
    Send(Vec<Tree>),
    Receive(Vec<Place>),
}

impl Message {
    /// The number of values.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Send(values) => values.len(),
            Self::Receive(places) => places.len(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub(super) source: Name,
    pub(super) target: Name,
    /// All of them must be true.
    pub(super) guards: Vec<Tree>,
    pub(super) sync: Option<Sync>,
    pub(super) effects: Vec<(Place, Tree)>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) name: Name,
    pub(super) declarations: Vec<Declaration>,
    pub(super) states: Vec<Name>,
    pub(super) initial: Name,
    pub(super) committed: Vec<Name>,
    pub(super) accepting: Vec<Name>,
    /// In which state what must be true.
    pub(super) assertions: Vec<(Name, Tree)>,
    pub(super) transitions: Vec<Transition>,
}

/// A whole text.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub(super) declarations: Vec<Declaration>,
    pub(super) channels: Vec<Channel>,
    pub(super) processes: Vec<Process>,
    pub(super) is_synchronous: bool,
    pub(super) property: Option<Name>,
}
