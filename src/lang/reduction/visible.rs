//! Which steps may change what is asked about.
//!
//! A step is visible if it may change an atom, or if it may go wrong.

use super::access::{Change, read_by};
use super::elements::{Elements, Region};
use super::flow::Flow;
use super::known::{Conjunct, Knowledge, Literal, Values};
use super::steps::{Part, Steps};
use crate::id::IdVec;
use crate::lang::program::{
    BinaryOperator, Expression, ExpressionId, Program, TransitionId, UnaryOperator,
};

/// What atoms look at.
#[derive(Clone, Debug, Default)]
struct Shown {
    /// Elements of which every value may matter.
    plainly: Region,
    /// Elements of which it only matters whether these are true.
    literals: Vec<Literal>,
}

/// By transition: whether its step may change one of these conditions, or go wrong.
pub(super) fn visible(
    program: &Program,
    elements: &Elements,
    flow: &Flow,
    steps: &Steps,
    atoms: &[ExpressionId],
) -> IdVec<TransitionId, bool> {
    let knowledge = Knowledge::new(program, elements, &flow.constants);
    let mut shown = Shown::default();
    for &atom in atoms {
        shown.add(&knowledge, atom);
    }
    let is_shown: IdVec<TransitionId, bool> = steps
        .parts
        .entries()
        .map(|(id, part)| {
            let before = flow.before(program, elements, id).filter(|_| steps.is_live[id]);
            before.is_some_and(|before| shown.is_changed_by(part, &before.values))
        })
        .collect();
    let is_visible =
        |step: &super::steps::Step| step.can_fail || step.parts.iter().any(|&part| is_shown[part]);
    steps.steps.iter().map(is_visible).collect()
}

impl Shown {
    /// Adds what a condition looks at.
    fn add(&mut self, knowledge: &Knowledge<'_>, atom: ExpressionId) {
        let mut open: Vec<ExpressionId> = vec![atom];
        while let Some(id) = open.pop() {
            match knowledge.program.view(id) {
                Expression::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                    open.extend([left, right]);
                }
                Expression::Unary(UnaryOperator::Not, operand) => open.push(operand),
                _ => {
                    let conjunct: Conjunct = (id, true);
                    match knowledge.literal(conjunct) {
                        Some(literal) => self.literals.push(literal),
                        None => self.plainly.add_all(&read_by(knowledge, id)),
                    }
                }
            }
        }
    }

    /// Whether a transition may change what is looked at, where elements have these values
    /// before it.
    fn is_changed_by(&self, part: &Part, before: &Values) -> bool {
        if part.access.written.meets(&self.plainly) {
            return true;
        }
        self.literals.iter().any(|literal| {
            let mut writes = part.access.writes.iter();
            writes.any(|write| {
                if !write.range.contains(&literal.element) {
                    return false;
                }
                let known = before.get(&literal.element).map(|&value| literal.is_true(value));
                let known = known.or_else(|| {
                    let mut says = part.literals.iter();
                    says.find_map(|said| said.implies(*literal))
                });
                match (known, write.change) {
                    (Some(was), Change::To(value)) => literal.is_true(value) != was,
                    _ => true,
                }
            })
        })
    }
}
