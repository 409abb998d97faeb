//! The syntax tree: a model as it was written.
//!
//! Chains of one operator are one node with many operands, so a tree is only
//! as deep as its text is nested, and that depth is limited by the parser.

pub(super) use crate::lang::cursor::Name;
use crate::lang::expression::Operator;
use crate::lang::program::{Span, Strength};
use crate::ltl::parse::grammar::{Binary, Unary};
use std::collections::VecDeque;

/// An expression or formula.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) span: Span,
    /// Its first temporal operator, if it has one.
    pub(super) temporal: Option<Span>,
}

impl Node {
    /// What it says about moves, if it does nothing else, in quotation marks or
    /// without.
    pub(super) fn moves(&self) -> Option<(Aspect, &Moves)> {
        match &self.kind {
            NodeKind::Moves(aspect, moves) => Some((*aspect, moves)),
            NodeKind::Quoted(inside) => match &inside.kind {
                NodeKind::Moves(aspect, moves) => Some((*aspect, moves)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What a [`Node`] is.
#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    /// Not negative.
    Number(i64),
    Truth(bool),
    Reference(Reference),
    /// An expression in quotation marks: one atom of a formula.
    Quoted(Box<Node>),
    Negate(Box<Node>),
    /// Operators in front, the innermost first.
    Prefix(Vec<Unary>, Box<Node>),
    /// A comparison, or arithmetic operators of one strength, grouped to the left.
    Infix(Box<Node>, Vec<(Operator, Node)>),
    /// Two or more operands, grouped to the left.
    Chain(Binary, Vec<Node>),
    /// Operators of one strength, grouped to the right; one more operand than
    /// operators.
    Right(VecDeque<Binary>, VecDeque<Node>),
    /// Condition, then, else.
    If(Box<[Node; 3]>),
    Quantified(Quantifier, Vec<Binder>, Box<Node>),
    /// `taken(…)` or `enabled(…)`
    Moves(Aspect, Moves),
}

/// `name`, `name(1)`, `name[1]`, `name(1).member`, `name.member[1]`.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) name: Name,
    pub(super) arguments: Option<Vec<Node>>,
    pub(super) member: Option<Name>,
    pub(super) index: Option<Box<Node>>,
}

impl Reference {
    /// Whether it is nothing but a name.
    pub(super) fn is_plain(&self) -> bool {
        self.arguments.is_none() && self.member.is_none() && self.index.is_none()
    }
}

/// What a formula says about moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aspect {
    Taken,
    Enabled,
}

impl Aspect {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Enabled => "enabled",
        }
    }
}

/// Processes or actions: `process(1)`, `process(1).action(2)`, `action(2)`.
/// Without arguments all instances are meant.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub(super) first: Call,
    /// The action, if the first is a process with one behind it.
    pub(super) action: Option<Call>,
}

/// `name`, `name(1)`
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: Name,
    pub(super) arguments: Option<Vec<Node>>,
    pub(super) span: Span,
}

/// `weak fair` or `strong fair`
#[derive(Clone, Copy, Debug)]
pub(super) struct Fair {
    pub(super) strength: Strength,
    /// The words and the name behind them.
    pub(super) span: Span,
}

/// `strong fair moves for binders;`
#[derive(Clone, Debug)]
pub(super) struct Promise {
    pub(super) fair: Fair,
    pub(super) moves: Moves,
    pub(super) binders: Vec<Binder>,
}

/// What is made of the instances of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    Forall,
    Exists,
    Sum,
    Count,
}

impl Quantifier {
    /// What combines the instances, if they are truth values.
    pub(super) fn connective(self) -> Option<Binary> {
        match self {
            Self::Forall => Some(Binary::And),
            Self::Exists => Some(Binary::Or),
            Self::Sum | Self::Count => None,
        }
    }
}

/// `i in 0..3`
#[derive(Clone, Debug)]
pub(super) struct Binder {
    pub(super) name: Name,
    pub(super) domain: Type,
}

/// A set of values.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) kind: TypeKind,
    pub(super) span: Span,
}

/// What a [`Type`] is.
#[derive(Clone, Debug)]
pub(super) enum TypeKind {
    Bool,
    Range(Box<Node>, Box<Node>),
    Named(String),
    /// The enumeration of this number in [`LwmModel::enumerations`].
    Enumeration(usize),
}

/// What a variable begins with.
#[derive(Clone, Debug)]
pub(super) enum Initial {
    /// The first value of its type.
    First,
    /// Any value of its type.
    Any(Span),
    /// The same for every element.
    Same(Node),
    /// One for each element.
    List(Vec<Node>, Span),
    /// One for each value of the index.
    For(Node, Binder, Span),
}

/// `var name[length]: domain = initial;`
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Name,
    pub(super) length: Option<Box<Node>>,
    pub(super) domain: Type,
    pub(super) initial: Initial,
}

/// `prop name(parameters) = body;`
#[derive(Clone, Debug)]
pub(super) struct Proposition {
    pub(super) name: Name,
    pub(super) parameters: Vec<Binder>,
    pub(super) body: Node,
}

/// One thing that an action does.
#[derive(Clone, Debug)]
pub(super) enum ActionStep {
    /// `name' = value` or `name[index]' = value`
    Update { target: Reference, span: Span, value: Node },
    /// `assert condition`, and the text of the condition.
    Assert { condition: Node, text: String },
}

/// `action name(parameters) with choices when guard do steps;`
#[derive(Clone, Debug)]
pub(super) struct Action {
    pub(super) fair: Option<Fair>,
    pub(super) name: Name,
    pub(super) parameters: Vec<Binder>,
    pub(super) choices: Vec<Binder>,
    pub(super) guard: Option<Node>,
    pub(super) steps: Vec<ActionStep>,
    pub(super) span: Span,
}

/// `process name(parameters) { … }`
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) fair: Option<Fair>,
    pub(super) name: Name,
    pub(super) parameters: Vec<Binder>,
    pub(super) variables: Vec<Variable>,
    pub(super) actions: Vec<Action>,
}

/// `ltl name: formula;`
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: Name,
    pub(super) formula: Node,
    pub(super) span: Span,
}

/// A whole text.
#[derive(Clone, Debug, Default)]
pub(super) struct LwmModel {
    /// `const name = value;`
    pub(super) constants: Vec<(Name, Node)>,
    /// `type name = domain;`
    pub(super) types: Vec<(Name, Type)>,
    pub(super) enumerations: Vec<Vec<Name>>,
    pub(super) variables: Vec<Variable>,
    pub(super) propositions: Vec<Proposition>,
    pub(super) processes: Vec<Process>,
    /// Actions outside processes.
    pub(super) actions: Vec<Action>,
    /// Fairness that is declared apart from processes and actions.
    pub(super) promises: Vec<Promise>,
    pub(super) properties: Vec<Property>,
}
