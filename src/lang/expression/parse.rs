//! Tokens to trees, by a table of operators and the strength of each.
//!
//! The parser keeps an explicit stack: nesting is bounded by memory alone.

use super::{Content, Designator, Operator, Tree, TreeNode};
use crate::lang::SourceError;
use crate::lang::cursor::{Cursor, Result, fail};
use crate::lang::program::{Span, UnaryOperator};
use crate::scan::{Kind, Spelt};

/// The strength of operators in front that bind more strongly than all others.
pub(in crate::lang) const TIGHTEST: u8 = u8::MAX;

/// The tokens of an operator in front of an operand, the operator and its strength.
pub(in crate::lang) type Prefix<F> = (F, UnaryOperator, u8);

/// The tokens of an operator between operands, the operator and its strength.
pub(in crate::lang) type Infix<F> = (F, Operator, u8);

/// The signs that structure expressions and lists of them.
#[derive(Clone, Copy, Debug)]
pub(in crate::lang) struct Signs<F> {
    pub(in crate::lang) parentheses: [F; 2],
    pub(in crate::lang) brackets: [F; 2],
    pub(in crate::lang) comma: F,
    /// The words for false and true.
    pub(in crate::lang) truth: [F; 2],
}

/// The expressions of a language, which is known by its keywords and signs. All operators group
/// to the left.
pub(in crate::lang) trait Grammar: Spelt {
    /// What the parser of the language knows besides the text.
    type Context<'a>;
    /// What an expression can refer to.
    type Reference: Clone;

    const SIGNS: Signs<Self>;
    const PREFIXES: &[Prefix<Self>];
    const INFIXES: &[Infix<Self>];

    /// Reads a reference, which begins with a name, up to its index.
    fn reference(cursor: &mut Cursor<'_, Self, Self::Context<'_>>) -> Result<Self::Reference>;

    /// Whether an expression ends in front of an operator that stands outside of parentheses.
    fn ends_before(_operator: Operator, _cursor: &Cursor<'_, Self, Self::Context<'_>>) -> bool {
        false
    }

    /// Checks an operation at `place`. `comparison` is the first of its operands that is a
    /// comparison without parentheses.
    fn check(_operator: Operator, _place: Span, _comparison: Option<Span>) -> Result<()> {
        Ok(())
    }
}

/// What waits for the operand that is being read.
enum Open<R> {
    /// The operator, its strength and its place.
    Prefix(UnaryOperator, u8, Span),
    /// The operator, its strength, its place and its left operand.
    Infix(Operator, u8, Span, usize),
    Parenthesis(Span),
    /// The opening bracket, what is indexed, and where that begins.
    Bracket(Span, R, usize),
}

impl<R> Open<R> {
    /// How strongly an operator binds; nothing for a parenthesis or bracket.
    fn strength(&self) -> Option<u8> {
        match self {
            Self::Prefix(_, strength, _) | Self::Infix(_, strength, ..) => Some(*strength),
            Self::Parenthesis(_) | Self::Bracket(..) => None,
        }
    }
}

impl<'a, G: Grammar> Cursor<'a, G, G::Context<'a>> {
    /// Reads the longest expression that begins here.
    pub(in crate::lang) fn expression(&mut self) -> Result<Tree<G::Reference>> {
        let start = self.span().start;
        let mut reader: TreeReader<G> = TreeReader { nodes: Vec::new(), open: Vec::new() };
        loop {
            reader.operand(self)?;
            if !reader.behind_operand(self)? {
                break;
            }
        }
        let nodes = reader.nodes.into_iter().map(|(node, _)| node).collect();
        Ok(Tree { nodes, span: self.span_from(start) })
    }

    /// `item, item, …`
    pub(in crate::lang) fn list<T>(
        &mut self,
        item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.separated(G::SIGNS.comma, item)
    }

    /// `[e]`, if it is there.
    pub(in crate::lang) fn index(&mut self) -> Result<Option<Tree<G::Reference>>> {
        let [open, close] = G::SIGNS.brackets;
        if !self.take(open) {
            return Ok(None);
        }
        let index = self.expression()?;
        self.require(close, "")?;
        Ok(Some(index))
    }

    /// `x` or `x[i]`
    pub(in crate::lang) fn designator(&mut self, what: &str) -> Result<Designator<G::Reference>> {
        Ok(Designator { name: self.name(what)?, index: self.index()? })
    }
}

/// An expression in the making.
struct TreeReader<G: Grammar> {
    /// The nodes, and whether each is a comparison without parentheses around it.
    nodes: Vec<(TreeNode<G::Reference>, bool)>,
    open: Vec<Open<G::Reference>>,
}

impl<G: Grammar> TreeReader<G> {
    fn push(&mut self, content: Content<G::Reference>, span: Span) {
        self.nodes.push((TreeNode { content, span }, false));
    }

    /// The position of the operand that was finished last.
    fn last(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Reads up to the end of an operand that is no operation.
    fn operand<'a>(&mut self, cursor: &mut Cursor<'a, G, G::Context<'a>>) -> Result<()> {
        let signs = G::SIGNS;
        loop {
            let token = cursor.peek();
            let content = match token.kind {
                Kind::Number(value) => Content::Number(value),
                Kind::Fixed(fixed) if signs.truth.contains(&fixed) => {
                    Content::Truth(fixed == signs.truth[1])
                }
                Kind::Fixed(fixed) if fixed == signs.parentheses[0] => {
                    cursor.advance();
                    self.open.push(Open::Parenthesis(token.span));
                    continue;
                }
                Kind::Fixed(fixed) => {
                    let known = G::PREFIXES.iter().find(|(known, ..)| *known == fixed);
                    let Some(&(_, operator, strength)) = known else {
                        return Err(cursor.expected("an expression"));
                    };
                    self.check_prefix(strength, token.span)?;
                    cursor.advance();
                    self.open.push(Open::Prefix(operator, strength, token.span));
                    continue;
                }
                Kind::Name => {
                    let reference = G::reference(cursor)?;
                    let start = token.span.start;
                    if cursor.peek().kind != Kind::Fixed(signs.brackets[0]) {
                        let span = cursor.span_from(start);
                        self.push(Content::Reference(reference, None), span);
                        return Ok(());
                    }
                    let bracket = cursor.advance().span;
                    self.open.push(Open::Bracket(bracket, reference, start));
                    continue;
                }
                Kind::Text | Kind::End => return Err(cursor.expected("an expression")),
            };
            cursor.advance();
            self.push(content, token.span);
            return Ok(());
        }
    }

    /// A sign that binds as weakly as an operator between operands does not stand behind one that
    /// binds at least as strongly: readers would group `a DIV -b * c` differently.
    fn check_prefix(&self, strength: u8, span: Span) -> Result<()> {
        let before = self.open.last().and_then(Open::strength);
        if strength != TIGHTEST && before.is_some_and(|before| strength <= before) {
            return fail(span, "a sign behind an operator needs parentheses, as in `a + (-b)`");
        }
        Ok(())
    }

    /// Closes what ends here. Whether another operand must follow.
    fn behind_operand<'a>(&mut self, cursor: &mut Cursor<'a, G, G::Context<'a>>) -> Result<bool> {
        loop {
            let token = cursor.peek();
            let infix = G::INFIXES.iter().find(|(fixed, ..)| token.kind == Kind::Fixed(*fixed));
            if let Some(&(_, operator, strength)) = infix {
                self.reduce(strength)?;
                let is_outside = self.open.iter().all(|open| matches!(open, Open::Infix(..)));
                if is_outside && G::ends_before(operator, cursor) {
                    self.reduce(0)?;
                    return Ok(false);
                }
                cursor.advance();
                self.open.push(Open::Infix(operator, strength, token.span, self.last()));
                return Ok(true);
            }
            self.reduce(0)?;
            let [_, parenthesis] = G::SIGNS.parentheses;
            let [_, bracket] = G::SIGNS.brackets;
            match (self.open.pop(), token.kind) {
                (Some(Open::Parenthesis(opened)), Kind::Fixed(fixed)) if fixed == parenthesis => {
                    cursor.advance();
                    let last = self.last();
                    let (node, is_comparison) = &mut self.nodes[last];
                    node.span = Span { start: opened.start, end: token.span.end };
                    *is_comparison = false;
                }
                (Some(Open::Bracket(_, reference, start)), Kind::Fixed(fixed))
                    if fixed == bracket =>
                {
                    cursor.advance();
                    let content = Content::Reference(reference, Some(self.last()));
                    self.push(content, Span { start, end: token.span.end });
                }
                (Some(Open::Parenthesis(span) | Open::Bracket(span, ..)), _) => {
                    let message = match token.kind {
                        Kind::End => "this is never closed".to_owned(),
                        _ => format!("this is not closed in front of {}", cursor.found()),
                    };
                    return Err(SourceError::new(span, message));
                }
                _ => return Ok(false),
            }
        }
    }

    /// Finishes the operations that bind with this strength at least.
    fn reduce(&mut self, least: u8) -> Result<()> {
        while let Some(open) = self.open.last()
            && open.strength().is_some_and(|strength| least <= strength)
        {
            let right = self.last();
            let end = self.nodes[right].0.span.end;
            let (content, start, is_comparison) = match *open {
                Open::Prefix(operator, _, place) => {
                    (Content::Unary(operator, right), place.start, false)
                }
                Open::Infix(operator, _, place, left) => {
                    let comparison = [left, right].into_iter().find(|&side| self.nodes[side].1);
                    let comparison = comparison.map(|side| self.nodes[side].0.span);
                    G::check(operator, place, comparison)?;
                    let start = self.nodes[left].0.span.start;
                    (Content::Binary(operator, left, right), start, operator.is_comparison())
                }
                Open::Parenthesis(_) | Open::Bracket(..) => return Ok(()),
            };
            self.open.pop();
            let node = TreeNode { content, span: Span { start, end } };
            self.nodes.push((node, is_comparison));
        }
        Ok(())
    }
}
