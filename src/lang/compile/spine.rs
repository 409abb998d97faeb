//! Guards that begin alike are tested once.
//!
//! Where a transition yields to others, its guard is that of an earlier one and
//! something more: of a thousand options of which the first possible one is taken, the last
//! says that none of the others can be. Such guards are long conjunctions that
//! lean to the left, and one after the other has the same beginning. We test the
//! beginning once and go on from where the guard before left it. So code and work
//! grow with the number of transitions and not with its square.
//!
//! Resuming behind a transition relies on what was tested before it: a
//! cursor belongs to one state. Behind a transition that goes wrong nothing is known, so the
//! others of its kind are left to the interpreter then.

use super::dispatch::{Block, Candidate, Purpose};
use super::emit::{Emitter, FREE, Fit, Label};
use super::instruction::Instruction;
use crate::lang::program::{BinaryOperator, Expression, ExpressionId};
use crate::work::tick;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Guards of more conjuncts than so many are tested together with others.
const LONG: u32 = 64;

/// A conjunction as a list that grows to the right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spine {
    /// How many conjuncts it has, if those on the right are not taken apart.
    len: u32,
    /// The beginning that is not too long, if it is longer.
    head: Option<ExpressionId>,
}

/// What is known to be true at a place in the code.
#[derive(Default)]
struct Verified {
    /// Longer and longer beginnings, and where to go if they are false.
    stack: Vec<(ExpressionId, Label)>,
    positions: HashMap<ExpressionId, usize, FxBuildHasher>,
}

impl Verified {
    fn push(&mut self, beginning: ExpressionId, otherwise: Label) {
        self.positions.insert(beginning, self.stack.len());
        self.stack.push((beginning, otherwise));
    }

    /// Forgets what came last; gives where to go if that was false.
    fn pop(&mut self, n_kept: usize) -> Option<Label> {
        if self.stack.len() <= n_kept {
            return None;
        }
        let (beginning, otherwise) = self.stack.pop()?;
        self.positions.remove(&beginning);
        Some(otherwise)
    }
}

impl Emitter<'_> {
    /// An expression as a list of conjuncts, given that of its operands.
    pub(super) fn find_spine(&self, id: ExpressionId) -> Spine {
        let Expression::Binary(BinaryOperator::And, left, _) = self.program.view(id) else {
            return Spine { len: 1, head: None };
        };
        let Spine { len, head } = self.spines[left];
        Spine { len: len.saturating_add(1), head: head.or((LONG <= len).then_some(left)) }
    }

    /// The beginning of a guard that is too long to be tested alone.
    pub(super) fn head(&self, guard: ExpressionId) -> Option<ExpressionId> {
        self.spines[guard].head
    }

    /// How many candidates from the first on are to be tested together.
    pub(super) fn n_together(candidates: &[Candidate]) -> usize {
        let Some((first, others)) = candidates.split_first() else { return 0 };
        let is_alike = |other: &&Candidate| {
            let conditions = first.parts.iter().map(|part| part.condition);
            other.head == first.head && other.parts.iter().map(|part| part.condition).eq(conditions)
        };
        if first.head.is_none() {
            return 1;
        }
        1 + others.iter().take_while(is_alike).count()
    }

    /// Emits candidates whose guards have the same head.
    pub(super) fn together(
        &mut self,
        candidates: &[Candidate],
        after: Label,
        purpose: &mut Purpose<'_>,
    ) {
        let mut verified = Verified::default();
        // Where the interpreter tries each candidate, and behind them where to go then.
        let mut slowly: Vec<Label> = candidates.iter().map(|_| self.label()).collect();
        slowly.push(after);
        for (candidate, resume) in candidates.iter().zip(&slowly[1..]) {
            let way = self.way(candidate, &verified);
            let known = way.last().map(|&last| self.before(last, candidate));
            let known = known.unwrap_or(Some(self.program.transitions[candidate.transition].guard));
            let position = known.and_then(|known| verified.positions.get(&known));
            let n_kept = position.map_or(0, |&position| position + 1);
            while let Some(otherwise) = verified.pop(n_kept) {
                self.bind(otherwise);
            }
            let (start, next) = (self.code.instructions.len(), self.label());
            if let Purpose::Fire(blocks) = purpose {
                let (start, transition) = (self.here(), candidate.transition);
                blocks.push(Block { start, transition, resume: resume.0, has_choices: false });
            }
            self.begin();
            if self.rest(candidate, way, next, &mut verified, purpose).is_err() {
                // The interpreter does it.
                self.code.instructions.truncate(start);
                while verified.pop(n_kept).is_some() {}
                self.push(Instruction::Fail);
            }
            self.bind(next);
        }
        while let Some(otherwise) = verified.pop(0) {
            self.bind(otherwise);
        }
        self.push(Instruction::Jump(after.0));
        if let Purpose::Fire(blocks) = purpose {
            for (candidate, pair) in candidates.iter().zip(slowly.windows(2)) {
                self.bind(pair[0]);
                let (start, transition, resume) = (self.here(), candidate.transition, pair[1].0);
                blocks.push(Block { start, transition, resume, has_choices: false });
                self.push(Instruction::Fail);
            }
        }
    }

    /// What a beginning adds a conjunct to; nothing before the head.
    fn before(&self, beginning: ExpressionId, candidate: &Candidate) -> Option<ExpressionId> {
        match self.program.view(beginning) {
            Expression::Binary(BinaryOperator::And, left, _)
                if candidate.head != Some(beginning) =>
            {
                Some(left)
            }
            _ => None,
        }
    }

    /// The beginnings of a guard that are not verified, the longest one first.
    fn way(&self, candidate: &Candidate, verified: &Verified) -> Vec<ExpressionId> {
        let mut way = Vec::new();
        let mut at = Some(self.program.transitions[candidate.transition].guard);
        while let Some(beginning) = at.filter(|at| !verified.positions.contains_key(at)) {
            tick();
            way.push(beginning);
            at = self.before(beginning, candidate);
        }
        way
    }

    /// Emits the rest of a guard and what is done if it is true.
    fn rest(
        &mut self,
        candidate: &Candidate,
        way: Vec<ExpressionId>,
        next: Label,
        verified: &mut Verified,
        purpose: &mut Purpose<'_>,
    ) -> Fit {
        for beginning in way.into_iter().rev() {
            let otherwise = self.label();
            verified.push(beginning, otherwise);
            match self.program.view(beginning) {
                Expression::Binary(_, _, right) if candidate.head != Some(beginning) => {
                    self.go_on_if(right, true, otherwise, FREE)?;
                }
                _ => {
                    self.guard(candidate, otherwise, otherwise)?;
                }
            }
        }
        match purpose {
            Purpose::Fire(_) => self.fire(candidate.transition, next, next),
            Purpose::Note(flags) => {
                let flags = flags[&candidate.transition];
                self.push(Instruction::Note(flags, next.0));
                Ok(())
            }
        }
    }
}
