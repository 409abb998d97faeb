//! What an ESML text says, before names are looked up.
//!
//! Statements are lists instead of boxes, so that they are as deep as they like:
//! a statement stands in front of those inside of it.

pub(super) use super::super::cursor::Name;
use super::super::expression;
use super::super::program::Span;

/// What an expression can refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// `x`
    Name(Name),
    /// `P.x` or `P[2].x`: a variable of a process.
    Member(Owner, Name),
}

/// A process as propositions name it: `P`, or `P[2]` if it is activated
/// several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) process: Name,
    pub(super) number: Option<i64>,
}

/// An expression.
pub(super) type Tree = expression::Tree<Reference>;

/// What is assigned to, or a channel: a name or an element of an array.
pub(super) type Place = expression::Designator<Reference>;

/// A type that is no array.
#[derive(Clone, Debug)]
pub(super) enum Plain {
    /// `mtype`, `BOOLEAN`
    Named(Name),
    /// `0..7`
    Range(Tree, Tree),
    /// `{a0, a1, data(int)}`
    Enumeration(Vec<Literal>, Span),
}

/// A value of an enumeration, and the types of the values that it carries as a
/// message.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub(super) name: Name,
    pub(super) fields: Vec<Plain>,
}

/// A type: `ARRAY n OF` something, or just that.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) len: Option<Tree>,
    pub(super) element: Plain,
    pub(super) span: Span,
}

/// What is declared outside of processes, in the order of the text.
#[derive(Clone, Debug)]
pub(super) enum Declaration {
    Constant(Name, Tree),
    Type(Name, Type),
    /// Variables of the model are channels.
    Channels(Vec<Name>, Type),
    Process(Process),
}

/// What a process is given when it is activated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// A channel from which it receives.
    In,
    /// A channel to which it sends.
    Out,
    /// A value that never changes.
    Value,
}

#[derive(Clone, Debug)]
pub(super) struct Parameters {
    pub(super) direction: Direction,
    pub(super) names: Vec<Name>,
    pub(super) of_type: Type,
}

#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) name: Name,
    pub(super) parameters: Vec<Parameters>,
    pub(super) variables: Vec<(Vec<Name>, Type)>,
    pub(super) body: Body,
}

/// `c!m` or `c?m`
#[derive(Clone, Debug)]
pub(super) struct Communication {
    pub(super) channel: Place,
    pub(super) is_send: bool,
    /// A value, or the name of a message that carries values.
    pub(super) head: Tree,
    /// What stands in parentheses behind the head.
    pub(super) values: Option<Vec<Tree>>,
    pub(super) span: Span,
}

/// When an alternative can be chosen: both parts must be possible.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    pub(super) condition: Option<Tree>,
    pub(super) communication: Option<Communication>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) guard: Guard,
    /// Its number in [`Body::blocks`].
    pub(super) block: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    Assign(Place, Tree),
    Communicate(Communication),
    Skip,
    /// `IF`, or `DO` if it is repeated.
    Select {
        is_repeated: bool,
        alternatives: Vec<Alternative>,
    },
    /// `P(c, 3)`
    Activate(Name, Vec<Tree>),
}

#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) action: Action,
    pub(super) span: Span,
}

/// The statements of a process. Blocks and statements stand behind those that
/// they are in; block 0 is the whole body.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub(super) statements: Vec<Statement>,
    /// The numbers of the statements of each.
    pub(super) blocks: Vec<Vec<usize>>,
}

/// A whole text.
#[derive(Clone, Debug)]
pub(super) struct EsmlModel {
    pub(super) name: Name,
    pub(super) declarations: Vec<Declaration>,
    /// What the main process does.
    pub(super) main: Body,
    /// Propositions.
    pub(super) definitions: Vec<(Name, Tree)>,
}
