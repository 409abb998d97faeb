//! Tokens to expressions.
//!
//! The operators bind as in the grammar of `DiVinE`, from the weakest: `imply`
//! and `->`; `and`, `&&`, `or`, `||` on one level; `&`, `|`, `^` on one level;
//! `==`, `!=`; `<`, `<=`, `>`, `>=`; `<<`, `>>`; `+`, `-`; `*`, `/`, `%`; and
//! `not`, `!`, `-`, `~` in front. All group to the left. An arrow behind the
//! name of a process leads to a variable of that process.
//!
//! The parser keeps an explicit stack: nesting is bounded by memory alone.

use super::super::SourceError;
use super::super::program::Span;
use super::ast::{BinaryOperator, Name, Node, Tree, UnaryOperator};
use super::lex::{Fixed, Kind, token};
use super::parse::Parser;

/// What waits for the operand that is being read.
enum Open {
    Unary(UnaryOperator),
    /// The operator and its left operand.
    Binary(BinaryOperator, usize),
    Parenthesis(Span),
    /// The opening bracket, and what is indexed.
    Bracket(Span, Indexed),
}

/// What a bracket stands behind.
enum Indexed {
    Variable(Name),
    Member(Name, Name),
    Foreign(Name, Name),
}

impl Indexed {
    fn node(self, index: usize) -> Node {
        match self {
            Self::Variable(name) => Node::Element(name, index),
            Self::Member(process, name) => Node::MemberElement(process, name, index),
            Self::Foreign(process, name) => Node::ForeignElement(process, name, index),
        }
    }

    fn plain(self) -> Node {
        match self {
            Self::Variable(name) => Node::Variable(name),
            Self::Member(process, name) => Node::Member(process, name),
            Self::Foreign(process, name) => Node::Foreign(process, name),
        }
    }
}

fn binary_operator(fixed: Fixed) -> Option<BinaryOperator> {
    use BinaryOperator as Operator;
    Some(match fixed {
        token!["imply" "->"] => Operator::Imply,
        token!["and" "&&"] => Operator::And,
        token!["or" "||"] => Operator::Or,
        token!["&"] => Operator::BitAnd,
        token!["|"] => Operator::BitOr,
        token!["^"] => Operator::BitXor,
        token!["=="] => Operator::Equal,
        token!["!="] => Operator::NotEqual,
        token!["<"] => Operator::Less,
        token!["<="] => Operator::LessEqual,
        token![">"] => Operator::Greater,
        token![">="] => Operator::GreaterEqual,
        token!["<<"] => Operator::ShiftLeft,
        token![">>"] => Operator::ShiftRight,
        token!["+"] => Operator::Add,
        token!["-"] => Operator::Subtract,
        token!["*"] => Operator::Multiply,
        token!["/"] => Operator::Divide,
        token!["%"] => Operator::Remainder,
        _ => return None,
    })
}

/// How strongly an operator binds.
fn strength(operator: BinaryOperator) -> u32 {
    use BinaryOperator as Operator;
    match operator {
        Operator::Imply => 1,
        Operator::And | Operator::Or => 2,
        Operator::BitAnd | Operator::BitOr | Operator::BitXor => 3,
        Operator::Equal | Operator::NotEqual => 4,
        Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => 5,
        Operator::ShiftLeft | Operator::ShiftRight => 6,
        Operator::Add | Operator::Subtract => 7,
        Operator::Multiply | Operator::Divide | Operator::Remainder => 8,
    }
}

fn unary_operator(fixed: Fixed) -> Option<UnaryOperator> {
    match fixed {
        token!["not" "!"] => Some(UnaryOperator::Not),
        token!["-"] => Some(UnaryOperator::Negate),
        token!["~"] => Some(UnaryOperator::Complement),
        _ => None,
    }
}

/// Reads the longest expression at the place of `parser`.
pub(super) fn expression(parser: &mut Parser<'_>) -> Result<Tree, SourceError> {
    let start = parser.span().start;
    let mut reader = Reader { nodes: Vec::new(), open: Vec::new() };
    loop {
        reader.operand(parser)?;
        if !reader.behind_operand(parser)? {
            break;
        }
    }
    let end = parser.previous_end();
    Ok(Tree { nodes: reader.nodes, span: Span { start, end } })
}

struct Reader {
    nodes: Vec<Node>,
    open: Vec<Open>,
}

impl Reader {
    fn push(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// The position of the operand that was finished last.
    fn last(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Reads up to the end of an operand that is no operation.
    fn operand(&mut self, parser: &mut Parser<'_>) -> Result<(), SourceError> {
        loop {
            let token = parser.peek();
            let node = match token.kind {
                Kind::Number(value) => Node::Number(value),
                Kind::Fixed(token!["true"]) => Node::Number(1),
                Kind::Fixed(token!["false"]) => Node::Number(0),
                Kind::Fixed(token!["("]) => {
                    parser.advance();
                    self.open.push(Open::Parenthesis(token.span));
                    continue;
                }
                Kind::Fixed(fixed) => {
                    let Some(operator) = unary_operator(fixed) else {
                        return Err(parser.expected("an expression"));
                    };
                    parser.advance();
                    self.open.push(Open::Unary(operator));
                    continue;
                }
                Kind::Name => {
                    let named = Self::named(parser)?;
                    if parser.peek().kind != Kind::Fixed(token!["["]) {
                        self.push(named.plain());
                        return Ok(());
                    }
                    let bracket = parser.advance().span;
                    self.open.push(Open::Bracket(bracket, named));
                    continue;
                }
                Kind::Text | Kind::End => return Err(parser.expected("an expression")),
            };
            parser.advance();
            self.push(node);
            return Ok(());
        }
    }

    /// `x`, `P.s` or `P->x`.
    fn named(parser: &mut Parser<'_>) -> Result<Indexed, SourceError> {
        let name = parser.name("a name")?;
        if parser.take(token!["."]) {
            let member = parser.name("the name of a state")?;
            return Ok(Indexed::Member(name, member));
        }
        if parser.peek().kind == Kind::Fixed(token!["->"]) && parser.is_process(&name.text) {
            parser.advance();
            let variable = parser.name("the name of a variable")?;
            return Ok(Indexed::Foreign(name, variable));
        }
        Ok(Indexed::Variable(name))
    }

    /// Closes what ends here. Whether another operand must follow.
    fn behind_operand(&mut self, parser: &mut Parser<'_>) -> Result<bool, SourceError> {
        loop {
            let token = parser.peek();
            if let Kind::Fixed(fixed) = token.kind
                && let Some(operator) = binary_operator(fixed)
            {
                self.reduce(strength(operator));
                parser.advance();
                let left = self.last();
                self.open.push(Open::Binary(operator, left));
                return Ok(true);
            }
            self.reduce(0);
            match (self.open.pop(), token.kind) {
                (Some(Open::Parenthesis(_)), Kind::Fixed(token![")"])) => {
                    parser.advance();
                }
                (Some(Open::Bracket(_, indexed)), Kind::Fixed(token!["]"])) => {
                    parser.advance();
                    let index = self.last();
                    self.push(indexed.node(index));
                }
                (Some(Open::Parenthesis(span) | Open::Bracket(span, _)), _) => {
                    let message = match token.kind {
                        Kind::End => "this is never closed".to_owned(),
                        _ => format!("this is not closed in front of {}", parser.found()),
                    };
                    return Err(SourceError::new(span, message));
                }
                _ => return Ok(false),
            }
        }
    }

    /// Finishes the operations that bind with this strength at least.
    fn reduce(&mut self, least: u32) {
        while let Some(open) = self.open.last() {
            let node = match *open {
                Open::Unary(operator) => Node::Unary(operator, self.last()),
                Open::Binary(operator, left) if least <= strength(operator) => {
                    Node::Binary(operator, left, self.last())
                }
                _ => return,
            };
            self.open.pop();
            self.push(node);
        }
    }
}
