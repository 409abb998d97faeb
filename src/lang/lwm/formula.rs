//! Syntax trees to formulas.
//!
//! Temporal operators and connectives become those of the formula, quantifiers
//! become conjunctions and disjunctions, and every other expression is an
//! atom, called by its canonical text. What a constant decides, as in
//! `forall i in 0..N-1: i == 0 || …`, is left out of the formula.

use super::ast::{Aspect, Moves, Node, NodeKind};
use super::connective::Truth;
use super::evaluate::Evaluator;
use crate::lang::cursor::Result;
use crate::ltl::parse::grammar::{Binary, Unary};
use crate::ltl::{Formula, Term, TermId, Terms};

/// A subformula.
#[derive(Clone, Copy)]
enum Subformula {
    /// Decided by constants of the model.
    Known(bool),
    Term(TermId),
}

impl Truth for Subformula {
    fn of(evaluator: &mut Evaluator<'_>, node: &Node) -> Result<Self> {
        evaluator.subformula(node)
    }

    fn constant(_: &mut Evaluator<'_>, truth: bool) -> Self {
        Self::Known(truth)
    }

    fn known(self, _: &Evaluator<'_>) -> Option<bool> {
        match self {
            Self::Known(truth) => Some(truth),
            Self::Term(_) => None,
        }
    }

    fn combined(evaluator: &mut Evaluator<'_>, operator: Binary, left: Self, right: Self) -> Self {
        let (left, right) = (evaluator.term(left), evaluator.term(right));
        Self::Term(evaluator.terms.intern(operator.term(left, right)))
    }
}

impl Evaluator<'_> {
    /// The formula of a syntax tree.
    pub(super) fn formula(&mut self, node: &Node) -> Result<Formula> {
        self.terms = Terms::default();
        let whole = self.subformula(node)?;
        let root = self.term(whole);
        Ok(Formula::new(std::mem::take(&mut self.terms), root))
    }

    fn term(&mut self, subformula: Subformula) -> TermId {
        match subformula {
            Subformula::Known(truth) => self.terms.constant(truth),
            Subformula::Term(id) => id,
        }
    }

    fn subformula(&mut self, node: &Node) -> Result<Subformula> {
        if let Some((aspect, moves)) = node.moves() {
            return self.moves(aspect, moves);
        }
        self.enter(node.span)?;
        let subformula = match &node.kind {
            NodeKind::Truth(truth) => Subformula::Term(self.terms.constant(*truth)),
            NodeKind::Number(number @ (0 | 1)) => {
                Subformula::Term(self.terms.constant(*number == 1))
            }
            NodeKind::Prefix(operators, operand) => self.prefix(operators, operand)?,
            NodeKind::Chain(connective, operands) => self.chain(*connective, operands)?,
            NodeKind::Right(operators, operands) => self.right_chain(operators, operands)?,
            NodeKind::If(parts) => self.choice(parts)?,
            NodeKind::Quantified(quantifier, binders, body)
                if let Some(operator) = quantifier.connective() =>
            {
                self.all_instances(operator, binders, body)?
            }
            NodeKind::Quoted(inside) => self.atom(inside)?,
            _ => self.atom(node)?,
        };
        self.leave();
        Ok(subformula)
    }

    fn atom(&mut self, node: &Node) -> Result<Subformula> {
        let id = self.truth(node)?;
        match self.program.as_constant(id) {
            Some(value) if !self.is_proposition(node) => Ok(Subformula::Known(value != 0)),
            _ if self.is_dead() => Ok(Subformula::Known(false)),
            _ => {
                let name = self.text(node)?;
                Ok(Subformula::Term(self.terms.atom(&name)))
            }
        }
    }

    fn moves(&mut self, aspect: Aspect, moves: &Moves) -> Result<Subformula> {
        let found = self.movers(moves)?.filter(|_| !self.is_dead());
        Ok(found.map_or(Subformula::Known(false), |movers| {
            let text = movers.text(self.symbols);
            Subformula::Term(self.terms.atom(&format!("{}({text})", aspect.word())))
        }))
    }

    fn prefix(&mut self, operators: &[Unary], operand: &Node) -> Result<Subformula> {
        let operand = self.subformula(operand)?;
        Ok(operators.iter().fold(operand, |operand, operator| {
            if let (Subformula::Known(truth), Unary::Not) = (operand, operator) {
                return Subformula::Known(!truth);
            }
            let id = self.term(operand);
            Subformula::Term(self.terms.intern(operator.term(id)))
        }))
    }

    /// `if c then a else b` as `c & a | !c & b`.
    fn choice(&mut self, [condition, yes, no]: &[Node; 3]) -> Result<Subformula> {
        let condition = self.subformula(condition)?;
        let known = condition.known(self);
        let yes = self.perhaps_dead(known == Some(false), |this| this.subformula(yes))?;
        let no = self.perhaps_dead(known == Some(true), |this| this.subformula(no))?;
        Ok(match condition {
            Subformula::Known(true) => yes,
            Subformula::Known(false) => no,
            Subformula::Term(id) => {
                let opposite = Subformula::Term(self.terms.intern(Term::Not(id)));
                let yes = self.connected(Binary::And, condition, yes);
                let no = self.connected(Binary::And, opposite, no);
                self.connected(Binary::Or, yes, no)
            }
        })
    }
}
