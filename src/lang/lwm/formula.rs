//! Syntax trees to formulas.
//!
//! Temporal operators and connectives become those of the formula, quantifiers
//! become conjunctions and disjunctions, and every other expression is an
//! atom, called by its canonical text. What a constant decides, as in
//! `forall i in 0..N-1: i == 0 || …`, is left out of the formula.

use super::ast::{Aspect, Binder, Kind, Moves, Node, Quantifier};
use super::evaluate::Evaluator;
use super::names::Symbol;
use crate::lang::SourceError;
use crate::ltl::parse::grammar::{Binary, Unary};
use crate::ltl::{Formula, Term, TermId, Terms};
use std::collections::VecDeque;

/// The formula of a syntax tree.
pub(super) fn formula(evaluator: &mut Evaluator<'_>, node: &Node) -> Result<Formula, SourceError> {
    let mut builder = Builder { evaluator, terms: Terms::default() };
    let truth = builder.formula(node)?;
    let root = builder.term(truth);
    Ok(Formula::new(builder.terms, root))
}

/// A subformula.
#[derive(Clone, Copy)]
enum Truth {
    /// Decided by constants of the model.
    Known(bool),
    Term(TermId),
}

struct Builder<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    terms: Terms,
}

impl Builder<'_, '_> {
    fn term(&mut self, truth: Truth) -> TermId {
        match truth {
            Truth::Known(truth) => self.terms.constant(truth),
            Truth::Term(id) => id,
        }
    }

    fn formula(&mut self, node: &Node) -> Result<Truth, SourceError> {
        if let Some((aspect, moves)) = node.moves() {
            return self.moves(aspect, moves);
        }
        self.evaluator.enter(node.span)?;
        let truth = match &node.kind {
            Kind::Truth(truth) => Truth::Term(self.terms.constant(*truth)),
            Kind::Number(number @ (0 | 1)) => Truth::Term(self.terms.constant(*number == 1)),
            Kind::Prefix(operators, operand) => self.prefix(operators, operand)?,
            Kind::Chain(connective, operands) => self.chain(*connective, operands)?,
            Kind::Right(operators, operands) => self.right(operators, operands)?,
            Kind::If(parts) => self.conditional(parts)?,
            Kind::Quantified(
                quantifier @ (Quantifier::Forall | Quantifier::Exists),
                binders,
                body,
            ) => self.quantified(*quantifier == Quantifier::Forall, binders, body)?,
            Kind::Quoted(inside) => self.atom(inside)?,
            Kind::Number(_)
            | Kind::Reference(_)
            | Kind::Negate(_)
            | Kind::Arithmetic(..)
            | Kind::Compare(..)
            | Kind::Quantified(..)
            | Kind::Moves(..) => self.atom(node)?,
        };
        self.evaluator.leave();
        Ok(truth)
    }

    fn atom(&mut self, node: &Node) -> Result<Truth, SourceError> {
        let id = self.evaluator.truth(node)?;
        let is_proposition = matches!(&node.kind, Kind::Reference(reference)
            if matches!(self.evaluator.symbol(&reference.name), Ok(Symbol::Proposition(_))));
        match self.evaluator.program.as_constant(id) {
            Some(value) if !is_proposition => Ok(Truth::Known(value != 0)),
            _ if self.evaluator.is_dead() => Ok(Truth::Known(false)),
            _ => {
                let name = self.evaluator.text(node)?;
                Ok(Truth::Term(self.terms.atom(&name)))
            }
        }
    }

    fn moves(&mut self, aspect: Aspect, moves: &Moves) -> Result<Truth, SourceError> {
        let found = self.evaluator.whom(moves)?.filter(|_| !self.evaluator.is_dead());
        Ok(found.map_or(Truth::Known(false), |(_, text)| {
            Truth::Term(self.terms.atom(&format!("{}({text})", aspect.word())))
        }))
    }

    /// A subformula whose values do not matter if `dead`.
    fn perhaps_dead(&mut self, dead: bool, node: &Node) -> Result<Truth, SourceError> {
        self.evaluator.begin_dead(dead);
        let truth = self.formula(node)?;
        self.evaluator.end_dead(dead);
        Ok(truth)
    }

    fn prefix(&mut self, operators: &[Unary], operand: &Node) -> Result<Truth, SourceError> {
        let operand = self.formula(operand)?;
        Ok(operators.iter().fold(operand, |operand, operator| {
            if let (Truth::Known(truth), Unary::Not) = (operand, operator) {
                return Truth::Known(!truth);
            }
            let id = self.term(operand);
            Truth::Term(self.terms.intern(operator.term(id)))
        }))
    }

    fn chain(&mut self, connective: Binary, operands: &[Node]) -> Result<Truth, SourceError> {
        let mut chain: Option<Truth> = None;
        for operand in operands {
            let is_decided = match (connective, chain) {
                (Binary::And, Some(Truth::Known(truth))) => !truth,
                (Binary::Or, Some(Truth::Known(truth))) => truth,
                _ => false,
            };
            let operand = self.perhaps_dead(is_decided, operand)?;
            chain = Some(match chain {
                None => operand,
                Some(left) => self.connected(connective, left, operand),
            });
        }
        Ok(chain.unwrap_or(Truth::Known(true)))
    }

    fn connected(&mut self, connective: Binary, left: Truth, right: Truth) -> Truth {
        let neutral = connective == Binary::And;
        match (connective, left, right) {
            (Binary::And | Binary::Or, Truth::Known(truth), other)
            | (Binary::And | Binary::Or, other, Truth::Known(truth)) => {
                if truth == neutral {
                    other
                } else {
                    Truth::Known(truth)
                }
            }
            (Binary::Xor, Truth::Known(left), Truth::Known(right)) => Truth::Known(left != right),
            _ => {
                let (left, right) = (self.term(left), self.term(right));
                Truth::Term(self.terms.intern(connective.term(left, right)))
            }
        }
    }

    /// Operators that group to the right.
    fn right(
        &mut self,
        operators: &VecDeque<Binary>,
        operands: &VecDeque<Node>,
    ) -> Result<Truth, SourceError> {
        let mut parts = Vec::with_capacity(operands.len());
        let mut is_decided = false;
        for (number, operand) in operands.iter().enumerate() {
            let part = self.perhaps_dead(is_decided, operand)?;
            is_decided |= operators.get(number) == Some(&Binary::Implies)
                && matches!(part, Truth::Known(false));
            parts.push(part);
        }
        let mut parts = parts.into_iter().rev();
        let last = parts.next().unwrap_or(Truth::Known(true));
        Ok(parts
            .zip(operators.iter().rev())
            .fold(last, |right, (left, operator)| self.infix(*operator, left, right)))
    }

    fn infix(&mut self, operator: Binary, left: Truth, right: Truth) -> Truth {
        match (operator, left, right) {
            (Binary::Implies, Truth::Known(true), other) => return other,
            (Binary::Implies, Truth::Known(false), _)
            | (Binary::Implies, _, Truth::Known(true)) => {
                return Truth::Known(true);
            }
            (Binary::Iff, Truth::Known(left), Truth::Known(right)) => {
                return Truth::Known(left == right);
            }
            _ => (),
        }
        let (left, right) = (self.term(left), self.term(right));
        Truth::Term(self.terms.intern(operator.term(left, right)))
    }

    /// `if c then a else b` as `c & a | !c & b`.
    fn conditional(&mut self, parts: &[Node; 3]) -> Result<Truth, SourceError> {
        let [condition, yes, no] = parts;
        let condition = self.formula(condition)?;
        let yes = self.perhaps_dead(matches!(condition, Truth::Known(false)), yes)?;
        let no = self.perhaps_dead(matches!(condition, Truth::Known(true)), no)?;
        let opposite = match condition {
            Truth::Known(true) => return Ok(yes),
            Truth::Known(false) => return Ok(no),
            Truth::Term(id) => Truth::Term(self.terms.intern(Term::Not(id))),
        };
        let yes = self.connected(Binary::And, condition, yes);
        let no = self.connected(Binary::And, opposite, no);
        Ok(self.connected(Binary::Or, yes, no))
    }

    fn quantified(
        &mut self,
        is_forall: bool,
        binders: &[Binder],
        body: &Node,
    ) -> Result<Truth, SourceError> {
        let connective = if is_forall { Binary::And } else { Binary::Or };
        let mut chain = Truth::Known(is_forall);
        let terms = &mut self.terms;
        self.evaluator.for_each(binders, true, |evaluator| {
            let is_decided = matches!(chain, Truth::Known(truth) if truth != is_forall);
            let mut builder = Builder { evaluator, terms: std::mem::take(terms) };
            let instance = builder.perhaps_dead(is_decided, body)?;
            chain = builder.connected(connective, chain, instance);
            *terms = builder.terms;
            Ok(())
        })?;
        Ok(chain)
    }
}
