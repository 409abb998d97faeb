//! Tokens to expressions.
//!
//! The operators are those of Oberon: comparisons `= # < <= > >=`; `+ - OR`;
//! `* DIV MOD &`; `~` in front, and a sign in front of a sum. In Oberon
//! comparisons bind weakest of all, elsewhere `&` and `OR` do. We read what
//! means the same in both: a comparison beside `&` or `OR` needs
//! parentheses.
//!
//! The parser keeps an explicit stack: nesting is bounded by memory alone.

use super::super::SourceError;
use super::super::program::Span;
use super::ast::{BinaryOperator, Kind, Name, Node, Owner, Tree, UnaryOperator};
use super::lex::{Fixed, Kind as TokenKind, token};
use super::parse::Parser;

/// What waits for the operand that is being read.
enum Open {
    Unary(UnaryOperator, Span),
    /// The operator, its place, and its left operand.
    Binary(BinaryOperator, Span, usize),
    Parenthesis(Span),
    /// The opening bracket, and what is indexed.
    Bracket(Span, Indexed),
}

/// What a bracket stands behind.
enum Indexed {
    Variable(Name),
    Member(Owner, Name),
}

fn binary_operator(fixed: Fixed) -> Option<BinaryOperator> {
    use BinaryOperator as Operator;
    Some(match fixed {
        token!["OR"] => Operator::Or,
        token!["&"] => Operator::And,
        token!["="] => Operator::Equal,
        token!["#"] => Operator::NotEqual,
        token!["<"] => Operator::Less,
        token!["<="] => Operator::LessEqual,
        token![">"] => Operator::Greater,
        token![">="] => Operator::GreaterEqual,
        token!["+"] => Operator::Add,
        token!["-"] => Operator::Subtract,
        token!["*"] => Operator::Multiply,
        token!["DIV"] => Operator::Divide,
        token!["MOD"] => Operator::Modulo,
        _ => return None,
    })
}

/// How strongly comparisons and a sign bind.
const COMPARISON: u32 = 3;
const SIGN: u32 = 4;

/// How strongly an operator binds.
fn strength(operator: BinaryOperator) -> u32 {
    use BinaryOperator as Operator;
    match operator {
        Operator::Or => 1,
        Operator::And => 2,
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessEqual
        | Operator::Greater
        | Operator::GreaterEqual => COMPARISON,
        Operator::Add | Operator::Subtract => SIGN,
        Operator::Multiply | Operator::Divide | Operator::Modulo => 5,
    }
}

fn is_logical(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::And | BinaryOperator::Or)
}

/// Reads the longest expression at the place of `parser`. An `&` in front of a
/// communication ends it.
pub(super) fn expression(parser: &mut Parser<'_>) -> Result<Tree, SourceError> {
    let mut reader = Reader { nodes: Vec::new(), is_bare: Vec::new(), open: Vec::new() };
    let start = parser.span().start;
    loop {
        reader.operand(parser)?;
        if !reader.behind_operand(parser)? {
            break;
        }
    }
    let span = Span { start, end: parser.previous_end() };
    Ok(Tree { nodes: reader.nodes, span })
}

struct Reader {
    nodes: Vec<Node>,
    /// Whether the node is a comparison without parentheses around it.
    is_bare: Vec<bool>,
    open: Vec<Open>,
}

impl Reader {
    fn push(&mut self, kind: Kind, span: Span) {
        self.nodes.push(Node { kind, span });
        self.is_bare.push(false);
    }

    /// The position of the operand that was finished last.
    fn last(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Reads up to the end of an operand that is no operation.
    fn operand(&mut self, parser: &mut Parser<'_>) -> Result<(), SourceError> {
        loop {
            let token = parser.peek();
            let kind = match token.kind {
                TokenKind::Number(value) => Kind::Number(value),
                TokenKind::Fixed(token!["TRUE"]) => Kind::Truth(true),
                TokenKind::Fixed(token!["FALSE"]) => Kind::Truth(false),
                TokenKind::Fixed(token!["("]) => {
                    parser.advance();
                    self.open.push(Open::Parenthesis(token.span));
                    continue;
                }
                TokenKind::Fixed(token!["~"]) => {
                    parser.advance();
                    self.open.push(Open::Unary(UnaryOperator::Not, token.span));
                    continue;
                }
                TokenKind::Fixed(token!["-"]) => {
                    self.check_sign(token.span)?;
                    parser.advance();
                    self.open.push(Open::Unary(UnaryOperator::Negate, token.span));
                    continue;
                }
                TokenKind::Name => {
                    let named = Self::named(parser)?;
                    let span = Span { start: token.span.start, end: parser.previous_end() };
                    if parser.peek().kind != TokenKind::Fixed(token!["["]) {
                        let kind = match named {
                            Indexed::Variable(name) => Kind::Name(name),
                            Indexed::Member(owner, name) => Kind::Member(owner, name),
                        };
                        self.push(kind, span);
                        return Ok(());
                    }
                    let bracket = parser.advance().span;
                    self.open.push(Open::Bracket(bracket, named));
                    continue;
                }
                TokenKind::Fixed(_) | TokenKind::Text | TokenKind::End => {
                    return Err(parser.expected("an expression"));
                }
            };
            parser.advance();
            self.push(kind, token.span);
            return Ok(());
        }
    }

    /// A sign stands in front of a sum only, as in Oberon: `a DIV -b` would be
    /// a riddle.
    fn check_sign(&self, span: Span) -> Result<(), SourceError> {
        let is_wrong = match self.open.last() {
            Some(Open::Binary(operator, ..)) => SIGN <= strength(*operator),
            Some(Open::Unary(..)) => true,
            _ => false,
        };
        if is_wrong {
            let message = "a sign behind an operator needs parentheses, as in `a + (-b)`";
            return Err(SourceError::new(span, message));
        }
        Ok(())
    }

    /// `x`, `P.x` or `P[2].x`.
    fn named(parser: &mut Parser<'_>) -> Result<Indexed, SourceError> {
        let name = parser.name("a name")?;
        let mut number = None;
        if let Some(instance) = parser.instance() {
            number = Some(instance);
        } else if !parser.take(token!["."]) {
            return Ok(Indexed::Variable(name));
        }
        let member = parser.name("the name of a variable")?;
        Ok(Indexed::Member(Owner { process: name, number }, member))
    }

    /// Closes what ends here. Whether another operand must follow.
    fn behind_operand(&mut self, parser: &mut Parser<'_>) -> Result<bool, SourceError> {
        loop {
            let token = parser.peek();
            let operator = match token.kind {
                TokenKind::Fixed(fixed) => binary_operator(fixed),
                _ => None,
            };
            if let Some(operator) = operator {
                self.reduce(strength(operator))?;
                let is_outside = self.open.iter().all(|open| matches!(open, Open::Binary(..)));
                if operator == BinaryOperator::And && is_outside && parser.communication_follows(1)
                {
                    self.reduce(0)?;
                    return Ok(false);
                }
                parser.advance();
                let left = self.last();
                self.open.push(Open::Binary(operator, token.span, left));
                return Ok(true);
            }
            self.reduce(0)?;
            match (self.open.pop(), token.kind) {
                (Some(Open::Parenthesis(opened)), TokenKind::Fixed(token![")"])) => {
                    parser.advance();
                    let last = self.last();
                    self.is_bare[last] = false;
                    self.nodes[last].span = Span { start: opened.start, end: token.span.end };
                }
                (Some(Open::Bracket(_, indexed)), TokenKind::Fixed(token!["]"])) => {
                    parser.advance();
                    let index = self.last();
                    let (kind, start) = match indexed {
                        Indexed::Variable(name) => {
                            let start = name.span.start;
                            (Kind::Element(name, index), start)
                        }
                        Indexed::Member(owner, name) => {
                            let start = owner.process.span.start;
                            (Kind::MemberElement(owner, name, index), start)
                        }
                    };
                    self.push(kind, Span { start, end: token.span.end });
                }
                (Some(Open::Parenthesis(span) | Open::Bracket(span, _)), _) => {
                    let message = match token.kind {
                        TokenKind::End => "this is never closed".to_owned(),
                        _ => format!("this is not closed in front of {}", parser.found()),
                    };
                    return Err(SourceError::new(span, message));
                }
                _ => return Ok(false),
            }
        }
    }

    /// Finishes the operations that bind with this strength at least.
    fn reduce(&mut self, least: u32) -> Result<(), SourceError> {
        while let Some(open) = self.open.last() {
            let right = self.last();
            let end = self.nodes[right].span.end;
            let mut is_bare = false;
            let (kind, start) = match *open {
                Open::Unary(UnaryOperator::Negate, _) if SIGN < least => return Ok(()),
                Open::Unary(operator, span) => (Kind::Unary(operator, right), span.start),
                Open::Binary(operator, span, left) if least <= strength(operator) => {
                    self.check_operands(operator, span, left, right)?;
                    is_bare = strength(operator) == COMPARISON;
                    (Kind::Binary(operator, left, right), self.nodes[left].span.start)
                }
                _ => return Ok(()),
            };
            self.open.pop();
            self.nodes.push(Node { kind, span: Span { start, end } });
            self.is_bare.push(is_bare);
        }
        Ok(())
    }

    /// Refuses what Oberon and other languages read differently.
    fn check_operands(
        &self,
        operator: BinaryOperator,
        span: Span,
        left: usize,
        right: usize,
    ) -> Result<(), SourceError> {
        let is_bare = [left, right].into_iter().find(|&operand| self.is_bare[operand]);
        let Some(bare) = is_bare else { return Ok(()) };
        if is_logical(operator) {
            let message = "a comparison beside `&` or `OR` needs parentheses, as in Oberon";
            return Err(SourceError::new(self.nodes[bare].span, message));
        }
        Err(SourceError::new(span, "comparisons cannot be chained: put `&` between them"))
    }
}
