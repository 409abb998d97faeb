//! Tokens to expressions.
//!
//! Operators, brackets and calls wait on a stack for what they need, so an
//! expression may be nested as deeply as memory allows.

use super::super::program::Span;
use super::ast::{About, Expression, ExpressionId, Name, Part, Question};
use super::lex::{Token, TokenKind};
use super::operator::strength;
use super::parse::Parser;
use super::{SourceError, error};

/// Something that waits for an expression behind it.
enum Waiting {
    Unary(&'static str, Span),
    Binary(&'static str, ExpressionId),
    /// `(`
    Open(Span),
    /// `(condition ->`
    Then(Span, ExpressionId),
    /// `(condition -> yes :`
    Otherwise(Span, ExpressionId, ExpressionId),
    /// `a.b[`
    Index(Reference),
    /// `f(a,`
    Call(Call, Vec<ExpressionId>, Span),
}

/// What is called.
enum Call {
    Run(Name),
    Channel(Question),
    Process(About),
    Eval,
    /// With `inner`, the arguments but the first are in parentheses.
    Poll {
        channel: ExpressionId,
        anywhere: bool,
        inner: bool,
    },
}

/// A reference in the making.
struct Reference {
    /// The process of a remote reference to a variable.
    process: Option<Part>,
    parts: Vec<Part>,
    start: Span,
}

/// What comes next.
enum Next {
    Operand,
    Operator(ExpressionId),
}

/// Reads an expression that ends where no operator follows.
pub(super) fn expression(parser: &mut Parser) -> Result<ExpressionId, SourceError> {
    let mut waiting = Vec::new();
    let mut next = Next::Operand;
    loop {
        next = match next {
            Next::Operand => operand(parser, &mut waiting)?,
            Next::Operator(value) => match operator(parser, &mut waiting, value)? {
                Some(next) => next,
                None => return finish(parser, waiting, value),
            },
        };
    }
}

/// The name of a variable, a symbol or a process.
fn variable_name(parser: &mut Parser) -> Result<Name, SourceError> {
    let name = parser.name("an expression")?;
    if name.text == "STDIN" {
        let message = "`STDIN` is what is typed while Spin simulates: a search has no input";
        return error(name.place, message);
    }
    Ok(name)
}

fn operand(parser: &mut Parser, waiting: &mut Vec<Waiting>) -> Result<Next, SourceError> {
    let Token { kind, place, .. } = parser.peek();
    let simple = match kind {
        TokenKind::Number(value) => Expression::Number(value),
        TokenKind::Fixed("true" | "skip") => Expression::Number(1),
        TokenKind::Fixed("false") => Expression::Number(0),
        TokenKind::Fixed("timeout") => Expression::Timeout,
        TokenKind::Fixed("np_") => Expression::NoProgress,
        TokenKind::Fixed("_last") => Expression::Last,
        TokenKind::Fixed(word) => return opening(parser, waiting, word),
        TokenKind::Name => {
            let parts = vec![Part { name: variable_name(parser)?, index: None }];
            return reference(parser, waiting, Reference { process: None, parts, start: place });
        }
        _ => return Err(parser.expected("an expression")),
    };
    parser.advance();
    Ok(Next::Operator(parser.add(simple, place)))
}

/// An operator, a parenthesis or a call in front of an operand.
fn opening(
    parser: &mut Parser,
    waiting: &mut Vec<Waiting>,
    word: &'static str,
) -> Result<Next, SourceError> {
    let place = parser.peek().place;
    let call = match word {
        "!" | "~" | "-" | "+" | "(" => {
            parser.advance();
            let is_operator = word != "(";
            waiting.push(if is_operator {
                Waiting::Unary(word, place)
            } else {
                Waiting::Open(place)
            });
            return Ok(Next::Operand);
        }
        "len" => Call::Channel(Question::Len),
        "empty" => Call::Channel(Question::Empty),
        "nempty" => Call::Channel(Question::NotEmpty),
        "full" => Call::Channel(Question::Full),
        "nfull" => Call::Channel(Question::NotFull),
        "enabled" => Call::Process(About::Enabled),
        "pc_value" => Call::Process(About::ProgramCounter),
        "get_priority" => Call::Process(About::Priority),
        "eval" => Call::Eval,
        "run" => {
            parser.advance();
            let process = parser.name("the name of a process type")?;
            return begin_call(parser, waiting, Call::Run(process), place);
        }
        "c_expr" => return Err(parser.refuse_c()),
        _ => return Err(parser.expected("an expression")),
    };
    parser.advance();
    begin_call(parser, waiting, call, place)
}

/// `(` behind what is called.
fn begin_call(
    parser: &mut Parser,
    waiting: &mut Vec<Waiting>,
    call: Call,
    place: Span,
) -> Result<Next, SourceError> {
    parser.require("(")?;
    if parser.take(")") {
        return end_call(parser, call, Vec::new(), place);
    }
    waiting.push(Waiting::Call(call, Vec::new(), place));
    Ok(Next::Operand)
}

fn end_call(
    parser: &mut Parser,
    call: Call,
    arguments: Vec<ExpressionId>,
    place: Span,
) -> Result<Next, SourceError> {
    let only = |parser: &Parser| {
        let [only] = *arguments else {
            let message = format!("expected one argument, found {}", arguments.len());
            return error(parser.since(place), message);
        };
        Ok(only)
    };
    let expression = match call {
        Call::Run(process) => {
            // A priority is one operand, not an expression.
            let has_priority = parser.take("priority");
            let priority = if has_priority { Some(parser.constant()?) } else { None };
            Expression::Run { process, arguments, priority }
        }
        Call::Channel(question) => Expression::Channel(question, only(parser)?),
        Call::Process(about) => Expression::Process(about, only(parser)?),
        Call::Eval => Expression::Eval(only(parser)?),
        Call::Poll { channel, anywhere, .. } => Expression::Poll { channel, anywhere, arguments },
    };
    let place = parser.since(place);
    Ok(Next::Operator(parser.add(expression, place)))
}

/// What may follow a name or an index.
fn reference(
    parser: &mut Parser,
    waiting: &mut Vec<Waiting>,
    mut reference: Reference,
) -> Result<Next, SourceError> {
    loop {
        let has_index = reference.parts.last().is_some_and(|part| part.index.is_some());
        if !has_index && parser.take("[") {
            waiting.push(Waiting::Index(reference));
            return Ok(Next::Operand);
        }
        if parser.is("..") || !parser.take(".") {
            break;
        }
        let name = parser.name("the name of a field")?;
        reference.parts.push(Part { name, index: None });
    }
    let Reference { process, mut parts, start } = reference;
    if process.is_none() && parts.len() == 1 {
        if parser.take("@") {
            let label = parser.name("a label")?;
            let process = parts.remove(0);
            let place = parser.since(start);
            let remote = Expression::RemoteLabel { process, label };
            return Ok(Next::Operator(parser.add(remote, place)));
        }
        if parser.is(":") && parser.is_process(&parts[0].name.text) {
            parser.advance();
            let name = parser.name("the name of a variable")?;
            let process = Some(parts.remove(0));
            let parts = vec![Part { name, index: None }];
            return self::reference(parser, waiting, Reference { process, parts, start });
        }
    }
    let place = parser.since(start);
    let value = match process {
        Some(process) => Expression::RemoteVariable { process, variable: parts },
        None => Expression::Reference(parts),
    };
    let value = parser.add(value, place);
    if let Some(anywhere) = parser.begins_poll() {
        parser.advance();
        parser.advance();
        let call = Call::Poll { channel: value, anywhere, inner: false };
        waiting.push(Waiting::Call(call, Vec::new(), start));
        return Ok(Next::Operand);
    }
    Ok(Next::Operator(value))
}

/// What follows an operand; nothing if the expression ends before it.
fn operator(
    parser: &mut Parser,
    waiting: &mut Vec<Waiting>,
    value: ExpressionId,
) -> Result<Option<Next>, SourceError> {
    let TokenKind::Fixed(word) = parser.peek().kind else { return Ok(None) };
    if let Some(level) = strength(word)
        && !parser.ends_before_operator(word, waiting.iter().any(is_bracket))
    {
        let left = reduce(parser, waiting, value, level);
        parser.advance();
        waiting.push(Waiting::Binary(word, left));
        return Ok(Some(Next::Operand));
    }
    if !matches!(word, ")" | "]" | "," | "->" | ":" | "(") || !waiting.iter().any(is_bracket) {
        return Ok(None);
    }
    let value = reduce(parser, waiting, value, 0);
    let bracket = waiting.pop().expect("there is a bracket");
    let next = match (bracket, word) {
        (Waiting::Open(_), ")") => Next::Operator(value),
        (Waiting::Open(place), "->") => {
            waiting.push(Waiting::Then(place, value));
            Next::Operand
        }
        (Waiting::Then(place, condition), ":") => {
            waiting.push(Waiting::Otherwise(place, condition, value));
            Next::Operand
        }
        (Waiting::Otherwise(place, condition, yes), ")") => {
            parser.advance();
            let place = parser.since(place);
            let conditional = Expression::Conditional(condition, yes, value);
            return Ok(Some(Next::Operator(parser.add(conditional, place))));
        }
        (Waiting::Index(mut unfinished), "]") => {
            parser.advance();
            let last = unfinished.parts.last_mut().expect("an index belongs to a name");
            last.index = Some(value);
            return reference(parser, waiting, unfinished).map(Some);
        }
        (Waiting::Call(call, arguments, place), _) => {
            return argument(parser, waiting, (call, arguments, place), value, word).map(Some);
        }
        (bracket, _) => {
            let what = match bracket {
                Waiting::Then(..) => "`:`",
                Waiting::Index(_) => "`]`",
                _ => "`)`",
            };
            return Err(parser.expected(what));
        }
    };
    parser.advance();
    Ok(Some(next))
}

/// What follows an argument of a call.
fn argument(
    parser: &mut Parser,
    waiting: &mut Vec<Waiting>,
    (mut call, mut arguments, place): (Call, Vec<ExpressionId>, Span),
    value: ExpressionId,
    word: &str,
) -> Result<Next, SourceError> {
    let is_first = arguments.is_empty();
    arguments.push(value);
    let has_parentheses = match &mut call {
        // `q?[m(a, b)]` is `q?[m, a, b]`.
        Call::Poll { inner, .. } if word == "(" && is_first && !*inner => {
            *inner = true;
            parser.advance();
            waiting.push(Waiting::Call(call, arguments, place));
            return Ok(Next::Operand);
        }
        Call::Poll { inner, .. } => *inner,
        _ => true,
    };
    if word == "," {
        parser.advance();
        waiting.push(Waiting::Call(call, arguments, place));
        return Ok(Next::Operand);
    }
    if word != if has_parentheses { ")" } else { "]" } {
        return Err(parser.expected(if has_parentheses { "`,` or `)`" } else { "`,` or `]`" }));
    }
    parser.advance();
    if let Call::Poll { inner: true, .. } = call {
        parser.require("]")?;
    }
    end_call(parser, call, arguments, place)
}

fn is_bracket(waiting: &Waiting) -> bool {
    !matches!(waiting, Waiting::Unary(..) | Waiting::Binary(..))
}

/// Operators that bind at least as strongly as `level` get their operand.
fn reduce(
    parser: &mut Parser,
    waiting: &mut Vec<Waiting>,
    mut value: ExpressionId,
    level: u8,
) -> ExpressionId {
    while let Some(last) = waiting.pop() {
        let end = parser.place(value).end;
        value = match last {
            Waiting::Unary(operator, place) => {
                let place = Span { start: place.start, end };
                parser.add(Expression::Unary(operator, value), place)
            }
            Waiting::Binary(operator, left) if Some(level) <= strength(operator) => {
                let place = Span { start: parser.place(left).start, end };
                parser.add(Expression::Binary(operator, left, value), place)
            }
            other => {
                waiting.push(other);
                return value;
            }
        };
    }
    value
}

/// The expression, if no bracket is open.
fn finish(
    parser: &mut Parser,
    mut waiting: Vec<Waiting>,
    value: ExpressionId,
) -> Result<ExpressionId, SourceError> {
    let value = reduce(parser, &mut waiting, value, 0);
    match waiting.last() {
        None => Ok(value),
        Some(Waiting::Then(..)) => Err(parser.expected("an operator or `:`")),
        Some(Waiting::Index(_)) => Err(parser.expected("an operator or `]`")),
        Some(_) => Err(parser.expected("an operator or `)`")),
    }
}
