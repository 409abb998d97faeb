//! A model as it was written, in flat arenas.
//!
//! Statements and expressions refer to their parts by number, so nothing that
//! walks over them needs recursion.

use super::super::program::Span;
use super::super::source::Statement as Shown;
use super::needs::Needs;
use crate::id::{Id, IdVec, define_id};
use std::sync::Arc;

define_id! {
    /// An expression of a [`Module`].
    pub(super) struct ExpressionId;
}

define_id! {
    /// A statement of a [`Module`].
    pub(super) struct StatementId;
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) place: Span,
}

/// One part of a reference: `name` or `name[index]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) name: Name,
    pub(super) index: Option<ExpressionId>,
}

/// Questions about a channel that are asked like functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Len,
    Empty,
    NotEmpty,
    Full,
    NotFull,
}

/// Questions about a process that are asked like functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Enabled,
    ProgramCounter,
    Priority,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Number(i64),
    /// `a[i].b`
    Reference(Vec<Part>),
    /// `P[e]@label`
    RemoteLabel {
        process: Part,
        label: Name,
    },
    /// `P[e]:x[i].y`
    RemoteVariable {
        process: Part,
        variable: Vec<Part>,
    },
    Unary(&'static str, ExpressionId),
    Binary(&'static str, ExpressionId, ExpressionId),
    /// `(condition -> yes : no)`
    Conditional(ExpressionId, ExpressionId, ExpressionId),
    /// `run P(arguments) priority n`
    Run {
        process: Name,
        arguments: Vec<ExpressionId>,
        priority: Option<ExpressionId>,
    },
    Channel(Question, ExpressionId),
    Process(About, ExpressionId),
    /// `eval(e)`, among the arguments of a receive.
    Eval(ExpressionId),
    /// `q?[a, b]` or `q??[a, b]`
    Poll {
        channel: ExpressionId,
        anywhere: bool,
        arguments: Vec<ExpressionId>,
    },
    Timeout,
    /// The greatest index of an array.
    LastIndex(ExpressionId),
    /// `np_`
    NoProgress,
    /// `_last`
    Last,
}

/// Expressions by their numbers, with their places.
pub(super) type Expressions = IdVec<ExpressionId, (Expression, Span)>;

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Expression(ExpressionId),
    Assign(ExpressionId, ExpressionId),
    /// `x++` or `x--`
    Increment(ExpressionId, i64),
    Send {
        channel: ExpressionId,
        sorted: bool,
        arguments: Vec<ExpressionId>,
    },
    Receive {
        channel: ExpressionId,
        anywhere: bool,
        keeps: bool,
        arguments: Vec<ExpressionId>,
    },
    Assert(ExpressionId),
    /// `printf("…", a, b)`
    Print {
        format: String,
        arguments: Vec<ExpressionId>,
    },
    /// `printm(e)`
    PrintSymbol(ExpressionId),
    /// `set_priority(p, n)`
    SetPriority(ExpressionId, ExpressionId),
    Goto(Name),
    Break,
    Else,
    Declare(Vec<Declaration>),
    If(Vec<Vec<StatementId>>),
    Do(Vec<Vec<StatementId>>),
    Atomic(Vec<StatementId>),
    Step(Vec<StatementId>),
    Block(Vec<StatementId>),
    Unless(StatementId, StatementId),
    For {
        variable: ExpressionId,
        low: ExpressionId,
        high: ExpressionId,
        body: Vec<StatementId>,
    },
    ForIn {
        variable: ExpressionId,
        array: ExpressionId,
        body: Vec<StatementId>,
    },
    Select {
        variable: ExpressionId,
        low: ExpressionId,
        high: ExpressionId,
    },
    /// `xr q` and `xs q` promise that no other process receives, or sends.
    Promise {
        sends: bool,
        channels: Vec<ExpressionId>,
    },
}

/// A statement with its labels and its place.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    pub(super) labels: Vec<Name>,
    pub(super) statement: Statement,
    pub(super) place: Span,
    /// What runs show of it: one for each variable of a declaration, one for the head
    /// of a loop that is short for other statements, one for the end of `do`, none for
    /// what else is nested.
    pub(super) shown: Vec<Arc<Shown>>,
    /// The texts of the expressions of `for` and `select`.
    pub(super) parts: Vec<String>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Chan,
    /// `mtype`, or `mtype:name`.
    Mtype(Option<Name>),
    /// `unsigned x : 5`
    Unsigned(ExpressionId),
    /// A `typedef`.
    Named(Name),
}

/// What a variable begins with.
#[derive(Clone, Debug)]
pub(super) enum Initial {
    Value(ExpressionId),
    /// `{ 1, 2, 3 }`
    List(Vec<ExpressionId>),
    /// `[capacity] of { types }`
    Channel {
        capacity: ExpressionId,
        types: Vec<Type>,
    },
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    pub(super) name: Name,
    pub(super) of_type: Type,
    /// How many elements an array has.
    pub(super) len: Option<ExpressionId>,
    pub(super) initial: Option<Initial>,
}

/// How many processes of a kind there are from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Active {
    None,
    One,
    /// `active [n]`
    Many(ExpressionId),
}

/// A process type, `init` or a never claim.
#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) name: Name,
    /// How many there are from the beginning.
    pub(super) active: Active,
    pub(super) parameters: Vec<Declaration>,
    pub(super) priority: Option<ExpressionId>,
    pub(super) provided: Option<ExpressionId>,
    pub(super) body: Vec<StatementId>,
    pub(super) place: Span,
    /// What runs show where it ends.
    pub(super) end: Arc<Shown>,
    /// Whether it never has a choice: a `D_proctype`.
    pub(super) is_deterministic: bool,
}

/// `ltl name { … }`: the tokens between the braces.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: Option<Name>,
    /// The first token and the one behind the last.
    pub(super) tokens: (usize, usize),
    pub(super) place: Span,
}

impl Statement {
    /// The statements inside of a statement, in the order of the text.
    pub(super) fn inside(&self) -> Vec<StatementId> {
        match self {
            Self::If(options) | Self::Do(options) => options.concat(),
            Self::Atomic(body)
            | Self::Step(body)
            | Self::Block(body)
            | Self::For { body, .. }
            | Self::ForIn { body, .. } => body.clone(),
            Self::Unless(main, escape) => vec![*main, *escape],
            _ => Vec::new(),
        }
    }
}

impl Expression {
    /// Adds its operands, without the arguments of `run` and those of `q?[a, b]`.
    pub(super) fn operands(&self, needed: &mut Vec<ExpressionId>) {
        match self {
            Self::Reference(parts) => needed.extend(parts.iter().filter_map(|part| part.index)),
            Self::RemoteLabel { process, .. } => needed.extend(process.index),
            Self::RemoteVariable { process, variable } => {
                needed.extend(process.index);
                needed.extend(variable.iter().filter_map(|part| part.index));
            }
            Self::Unary(_, operand)
            | Self::Eval(operand)
            | Self::Channel(_, operand)
            | Self::Process(_, operand)
            | Self::Poll { channel: operand, .. } => needed.push(*operand),
            Self::Binary(_, left, right) => needed.extend([*left, *right]),
            Self::Conditional(condition, yes, no) => needed.extend([*condition, *yes, *no]),
            _ => (),
        }
    }
}

impl Question {
    /// How it is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Len => "len",
            Self::Empty => "empty",
            Self::NotEmpty => "nempty",
            Self::Full => "full",
            Self::NotFull => "nfull",
        }
    }
}

impl Module {
    /// The first question in an expression whether a channel is empty or full.
    pub(super) fn question(&self, id: ExpressionId) -> Option<&'static str> {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.expressions[id].0 {
                Expression::Channel(Question::Len, _) => (),
                Expression::Channel(question, _) => return Some(question.word()),
                Expression::Unary(_, operand) => open.push(operand),
                Expression::Binary(_, left, right) => open.extend([right, left]),
                Expression::Conditional(condition, yes, no) => open.extend([no, yes, condition]),
                _ => (),
            }
        }
        None
    }

    /// Whether a process asks for `timeout`. As in Spin, it is never true in claims.
    pub(super) fn has_timeout(&self) -> bool {
        let is_of_claim = |id: ExpressionId| {
            self.of_claims.iter().any(|&(first, end)| (first..end).contains(&id.index()))
        };
        let mut all = self.expressions.entries();
        all.any(|(id, (one, _))| *one == Expression::Timeout && !is_of_claim(id))
    }
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    pub(super) expressions: Expressions,
    pub(super) statements: IdVec<StatementId, Labelled>,
    /// The symbols of `mtype` declarations with the name of their set.
    pub(super) symbols: Vec<(Option<Name>, Vec<Name>)>,
    pub(super) types: Vec<(Name, Vec<Declaration>)>,
    pub(super) variables: Vec<Declaration>,
    pub(super) processes: Vec<Process>,
    pub(super) initial: Option<Process>,
    pub(super) claims: Vec<Process>,
    /// The expressions of claims: the first one of each, and the one behind its last.
    pub(super) of_claims: Vec<(usize, usize)>,
    /// The trace assertion, and whether it is a `notrace`.
    pub(super) trace: Option<(Process, bool)>,
    pub(super) properties: Vec<Property>,
    /// What questions about the model need to see of it.
    pub(super) needs: Needs,
    /// Global variables that are declared `local`: only one process uses them.
    pub(super) private: Vec<String>,
    /// Variables that are declared `hidden`.
    pub(super) hidden: Vec<String>,
    /// Where a priority is mentioned for the first time, if there are any.
    pub(super) priorities: Option<Span>,
}
