//! Large conditions that many transitions assert have code in one place, which is
//! called.
//!
//! Effects may have changed the state before, so nothing can be remembered of such a condition;
//! but the code that evaluates it reads the state as it is when it is called.

use super::emit::{Emitter, FREE, Label};
use super::instruction::Instruction;
use crate::id::IdVec;
use crate::lang::program::{Effect, ExpressionId, VariableId};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// A condition of fewer operands than so many is evaluated where it is asserted.
const LARGE: u32 = 64;

/// The code of a condition.
#[derive(Debug)]
pub(super) struct Routine {
    pub(super) start: Label,
    /// What it reads.
    pub(super) variables: HashSet<VariableId, FxBuildHasher>,
}

impl Emitter<'_> {
    /// Finds the conditions that get routines.
    pub(super) fn find_routines(&mut self) {
        let mut counts: HashMap<ExpressionId, usize, FxBuildHasher> = HashMap::default();
        for transition in &self.program.transitions {
            for effect in &transition.effects {
                if let Effect::Assert(condition, _) = effect {
                    *counts.entry(*condition).or_default() += 1;
                }
            }
        }
        counts.retain(|_, count| 1 < *count);
        if counts.is_empty() {
            return;
        }
        let mut sizes: IdVec<ExpressionId, u32> = IdVec::new();
        for id in self.program.expression_ids() {
            let operands = self.program.view(id).operands().map(|operand| sizes[operand]);
            sizes.push(operands.fold(1, u32::saturating_add));
        }
        let mut shared: Vec<ExpressionId> = counts.into_keys().collect();
        shared.retain(|&id| LARGE <= sizes[id] && !self.is_open(id));
        shared.sort_unstable();
        for id in shared {
            let parts = self.program.parts_of([id]);
            let variables = parts.filter_map(|(_, part)| part.variable()).collect();
            let routine = Routine { start: self.label(), variables };
            self.routines.insert(id, routine);
        }
    }

    /// Emits all routines. What begins here belongs to no transition.
    pub(super) fn routines(&mut self) {
        self.code.data.routines = self.here();
        let mut routines: Vec<(ExpressionId, Label)> =
            self.routines.iter().map(|(&id, routine)| (id, routine.start)).collect();
        routines.sort_unstable_by_key(|routine| routine.0);
        let flags = std::mem::take(&mut self.flags);
        for (id, start) in routines {
            self.bind(start);
            let (first, no) = (self.code.instructions.len(), self.label());
            self.begin();
            if self.go_on_if(id, true, no, FREE).is_err() {
                self.code.instructions.truncate(first);
                self.push(Instruction::Fail);
            }
            self.push(Instruction::Return(true));
            self.bind(no);
            self.push(Instruction::Return(false));
        }
        self.flags = flags;
    }

    /// Goes on if a condition is true, else to `otherwise`, by calling its routine; whether
    /// it has one.
    pub(super) fn call(&mut self, condition: ExpressionId, otherwise: Label) -> bool {
        let Some(routine) = self.routines.get(&condition) else { return false };
        let start = routine.start;
        self.push(Instruction::Call(start.0));
        // A routine that answers no returns here.
        self.push(Instruction::Jump(otherwise.0));
        true
    }
}
