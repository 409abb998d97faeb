//! Turns transitions into code in which only those are tried that the values
//! of a few variables, mostly program counters, leave open.
//!
//! The guard of a transition is a conjunction. A conjunct before which nothing
//! can go wrong may be tested first without changing anything. If several
//! transitions in a row compare the same element with a constant in such a
//! conjunct, we put a switch in front of them, and so on inside of its cases:
//! a rendezvous first looks at the location of the sender and then at that of
//! the receiver. Each transition has its code in one place, and the order of
//! transitions stays as it is.
//!
//! Conditions that many transitions share are evaluated once for each state,
//! before the first lane, and remembered in the cursor as flags.
//!
//! The same arrangement without effects tells which transitions are enabled.

use super::emit::{Emitter, FREE, Fit, Label, Leaf, MAX_CHOICES, Unfit};
use super::instruction::{Choose, Field, Fire, FirePatched, Instruction, Patch, Switch};
use super::machine::MAX_FLAGS;
use crate::id::{Id, IdVec};
use crate::lang::program::{BinaryOperator, Expression, ExpressionId, TransitionId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many cases for each candidate, and so many in any case, a table may have.
const CASES_PER_CANDIDATE: usize = 16;
const FEW_CASES: usize = 64;

/// The code of a transition, by which places in the code are looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Where it begins. It ends where the next one begins.
    pub(super) start: u32,
    pub(super) transition: TransitionId,
    /// Where to go on behind it, or with its next choices; a label while code
    /// is emitted.
    pub(super) resume: u32,
    pub(super) has_choices: bool,
}

/// A transition that is still to be compiled.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) transition: TransitionId,
    /// The conjuncts of the guard that are not tested yet; of a long one, of its head.
    pub(super) parts: Vec<Part>,
    /// The beginning of a long guard.
    pub(super) head: Option<ExpressionId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) condition: ExpressionId,
    /// Whether it may be tested before all others: nothing before it can go
    /// wrong, nor it itself, and it does not depend on choices.
    is_movable: bool,
    /// The element that it compares with a constant.
    test: Option<(Leaf, i64)>,
}

/// The flags of transitions.
pub(super) type TransitionFlags = HashMap<TransitionId, u64, FxBuildHasher>;

/// What is done with a transition that is enabled.
pub(super) enum Purpose<'p> {
    /// The step is made. Takes note of the code of transitions.
    Fire(&'p mut Vec<Block>),
    /// These flags are set.
    Note(&'p TransitionFlags),
}

/// A list of transitions that is to stand at a label.
struct Open {
    at: Label,
    candidates: Vec<Candidate>,
    /// Where to go behind the last one.
    after: Label,
}

impl Candidate {
    fn test(&self, leaf: Leaf) -> Option<i64> {
        let tests = self.parts.iter().filter_map(|part| part.test);
        tests.filter(|test| test.0 == leaf).map(|test| test.1).next()
    }

    /// What is left when it is known that `leaf` has this value.
    fn after(&self, leaf: Leaf, value: i64) -> Self {
        let parts = self.parts.iter().filter(|part| part.test != Some((leaf, value)));
        Self { parts: parts.copied().collect(), ..*self }
    }
}

/// A condition is shared if so many guards have it.
const MIN_SHARED: usize = 3;

/// Switches have at most so many cases.
const MAX_CASES: i64 = 4096;

impl Emitter<'_> {
    /// Emits all lanes, given which transitions are in each.
    pub(super) fn lanes(&mut self, lanes: &[Vec<TransitionId>]) -> Vec<Block> {
        self.find_units();
        self.find_routines();
        let mut lanes: Vec<Vec<Candidate>> = lanes
            .iter()
            .map(|lane| lane.iter().filter_map(|&id| self.candidate(id)).collect())
            .collect();
        self.share(&lanes);
        self.push(Instruction::Enter);
        self.code.data.exhausted = self.here();
        self.push(Instruction::Exhausted);
        let next_lane = self.label();
        self.bind(next_lane);
        self.code.data.next_lane = self.here();
        self.push(Instruction::NextLane);
        let mut blocks = Vec::new();
        for lane in &mut lanes {
            let head = self.lane(std::mem::take(lane), next_lane, &mut blocks);
            self.code.data.heads.push(head);
        }
        self.routines();
        for block in &mut blocks {
            block.resume = self.place(Label(block.resume));
        }
        blocks
    }

    /// Finds conjunctions that are conjuncts of several guards: the front end
    /// has put them together, and they may become flags.
    fn find_units(&mut self) {
        // How often each expression is a conjunct, and how often one on the right.
        let mut counts: IdVec<ExpressionId, [usize; 2]> =
            self.program.expression_ids().map(|_| [0; 2]).collect();
        for transition in &self.program.transitions {
            counts[transition.guard][0] += 1;
        }
        // Operands have smaller ids.
        for id in counts.ids().rev() {
            let Some((left, right)) = self.conjunction(id) else { continue };
            let [n_found, _] = counts[id];
            for operand in [left, right] {
                counts[operand][0] = counts[operand][0].saturating_add(n_found);
            }
            counts[right][1] = counts[right][1].saturating_add(n_found);
        }
        let is_unit = |id: ExpressionId| {
            MIN_SHARED <= counts[id][1]
                && self.conjunction(id).is_some()
                && !self.facts.fact(id).can_fail
        };
        self.units = counts.ids().filter(|&id| is_unit(id)).collect();
    }

    fn conjunction(&self, id: ExpressionId) -> Option<(ExpressionId, ExpressionId)> {
        match self.program.view(id) {
            Expression::Binary(BinaryOperator::And, left, right) => Some((left, right)),
            _ => None,
        }
    }

    /// The parts of a transition; nothing if it can never be enabled.
    fn candidate(&mut self, id: TransitionId) -> Option<Candidate> {
        let transition = &self.program.transitions[id];
        if transition.choices.iter().any(|&(low, high)| high < low) {
            return None;
        }
        self.begin();
        let head = self.head(transition.guard).filter(|_| transition.choices.is_empty());
        let tested = head.unwrap_or(transition.guard);
        let conditions =
            self.operands(tested, BinaryOperator::And).unwrap_or_else(|_| vec![tested]);
        let mut parts = Vec::new();
        let mut can_fail = false;
        for condition in conditions {
            let fact = self.facts.fact(condition);
            can_fail |= fact.can_fail;
            match self.constant(condition) {
                Some(0) if !can_fail => return None,
                Some(value) if value != 0 => continue,
                _ => (),
            }
            let is_movable = !can_fail && !self.is_open(condition);
            let test = if is_movable { self.equality(condition) } else { None };
            parts.push(Part { condition, is_movable, test });
        }
        Some(Candidate { transition: id, parts, head })
    }

    /// An expression that compares an element with a constant.
    fn equality(&self, id: ExpressionId) -> Option<(Leaf, i64)> {
        let Expression::Binary(BinaryOperator::Equal, left, right) = self.program.view(id) else {
            return None;
        };
        let (leaf, value) = match (self.constant(left), self.constant(right)) {
            (None, Some(value)) => (self.leaf(left)?, value),
            (Some(value), None) => (self.leaf(right)?, value),
            _ => return None,
        };
        let variable = &self.program.variables[leaf.variable];
        let is_small = variable.high.wrapping_sub(variable.low) < MAX_CASES;
        (is_small && self.field(leaf).is_ok()).then_some((leaf, value))
    }

    /// Gives flags to conditions that guards in several lanes share and that
    /// are worth it, and evaluates them.
    fn share(&mut self, lanes: &[Vec<Candidate>]) {
        let mut counts: HashMap<ExpressionId, usize, FxBuildHasher> = HashMap::default();
        for part in lanes.iter().flatten().flat_map(|candidate| &candidate.parts) {
            if part.is_movable && self.is_costly(part.condition) {
                *counts.entry(part.condition).or_default() += 1;
            }
        }
        let mut shared: Vec<(usize, ExpressionId)> = counts
            .into_iter()
            .filter(|&(_, count)| MIN_SHARED <= count)
            .map(|(condition, count)| (count, condition))
            .collect();
        shared.sort_unstable_by_key(|&(count, condition)| (Reverse(count), condition));
        shared.truncate(usize::from(MAX_FLAGS));
        let mut flags = HashMap::default();
        for (flag, (_, condition)) in (0..).zip(shared) {
            let (start, no) = (self.code.instructions.len(), self.label());
            self.begin();
            if self.go_on_if(condition, true, no, FREE).is_ok() {
                self.push(Instruction::SetFlag(flag));
                flags.insert(condition, flag);
            } else {
                self.code.instructions.truncate(start);
            }
            self.bind(no);
        }
        self.flags = flags;
    }

    /// Emits a lane and says how it is entered.
    fn lane(
        &mut self,
        candidates: Vec<Candidate>,
        next_lane: Label,
        blocks: &mut Vec<Block>,
    ) -> Switch {
        let table = u32::try_from(self.code.data.places.len()).expect("fewer than 2^32 places");
        let mut open = Vec::new();
        let field = match self.best_run(&candidates) {
            Some((leaf, field, n_candidates)) if n_candidates == candidates.len() => {
                self.cases(&candidates, leaf, next_lane, &mut open);
                field
            }
            _ => {
                let at = if candidates.is_empty() { next_lane } else { self.label() };
                // Whatever the first bit of the state is, it leads there.
                self.code.data.places.extend([at.0, at.0]);
                if !candidates.is_empty() {
                    open.push(Open { at, candidates, after: next_lane });
                }
                Field::new(0, 0, 1).expect("a state has a first bit")
            }
        };
        self.lists(open, &mut Purpose::Fire(blocks));
        Switch { field, table }
    }

    /// Emits code that sets flags for those transitions that are enabled. They
    /// are tried in increasing order, as the interpreter does.
    pub(super) fn note_enabled(&mut self, flags: &TransitionFlags) {
        let mut transitions: Vec<TransitionId> = flags.keys().copied().collect();
        transitions.sort_unstable();
        let candidates: Vec<Candidate> =
            transitions.into_iter().filter_map(|id| self.candidate(id)).collect();
        if candidates.is_empty() {
            return;
        }
        self.share(std::slice::from_ref(&candidates));
        let (at, after) = (self.label(), self.label());
        self.lists(vec![Open { at, candidates, after }], &mut Purpose::Note(flags));
        self.bind(after);
        self.flags.clear();
    }

    /// Emits lists until all are there.
    fn lists(&mut self, mut open: Vec<Open>, purpose: &mut Purpose<'_>) {
        while let Some(list) = open.pop() {
            self.list(&list, &mut open, purpose);
        }
    }

    /// The element with which most candidates from the first on are compared.
    fn best_run(&self, candidates: &[Candidate]) -> Option<(Leaf, Field, usize)> {
        let first = candidates.first()?;
        let run = |leaf: Leaf| {
            candidates.iter().take_while(|candidate| candidate.test(leaf).is_some()).count()
        };
        let leaves = first.parts.iter().filter_map(|part| part.test).map(|test| test.0);
        // Of equal ones the first, which front ends put there for a reason.
        let best = leaves.map(|leaf| (leaf, run(leaf))).min_by_key(|&(_, n)| Reverse(n));
        let (leaf, n_candidates) = best.filter(|&(leaf, n)| self.is_worth_a_table(leaf, n))?;
        Some((leaf, self.field(leaf).ok()?, n_candidates))
    }

    /// Whether a table with a case for every value of an element is not much larger than
    /// the list of those that are compared with it. If each of a thousand lanes had a table
    /// for a thousand locations, that would be a million cases.
    fn is_worth_a_table(&self, leaf: Leaf, n_candidates: usize) -> bool {
        let variable = &self.program.variables[leaf.variable];
        let n_values = variable.high.saturating_sub(variable.low).saturating_add(1);
        let most = n_candidates.saturating_mul(CASES_PER_CANDIDATE).saturating_add(FEW_CASES);
        usize::try_from(n_values).is_ok_and(|n_values| n_values <= most)
    }

    /// Emits the table of a switch and opens the lists of its cases.
    fn cases(&mut self, candidates: &[Candidate], leaf: Leaf, after: Label, open: &mut Vec<Open>) {
        let variable = &self.program.variables[leaf.variable];
        let mut by_value: BTreeMap<i64, Vec<Candidate>> = BTreeMap::new();
        for candidate in candidates {
            if let Some(value) = candidate.test(leaf) {
                by_value.entry(value).or_default().push(candidate.after(leaf, value));
            }
        }
        for value in variable.low..=variable.high {
            let list = by_value.remove(&value).unwrap_or_default();
            let at = if list.is_empty() { after } else { self.label() };
            self.code.data.places.push(at.0);
            if !list.is_empty() {
                open.push(Open { at, candidates: list, after });
            }
        }
    }

    /// Emits a list, except for the cases of its switches.
    fn list(&mut self, list: &Open, open: &mut Vec<Open>, purpose: &mut Purpose<'_>) {
        self.bind(list.at);
        let mut rest = &list.candidates[..];
        while !rest.is_empty() {
            let run = self.best_run(rest).filter(|&(.., n_candidates)| 2 < n_candidates);
            let n_done =
                run.map_or_else(|| Self::n_together(rest), |(.., n_candidates)| n_candidates);
            let (done, left) = rest.split_at(n_done);
            let after = if left.is_empty() { list.after } else { self.label() };
            match run {
                Some((leaf, field, _)) => {
                    let table =
                        u32::try_from(self.code.data.places.len()).expect("fewer than 2^32");
                    self.push(Instruction::Switch(Switch { field, table }));
                    self.cases(done, leaf, after, open);
                }
                None if done[0].head.is_some() => self.together(done, after, purpose),
                None => match purpose {
                    Purpose::Fire(blocks) => self.transition(&done[0], after, blocks),
                    Purpose::Note(flags) => self.note(&done[0], after, flags),
                },
            }
            if !left.is_empty() {
                self.bind(after);
            }
            rest = left;
        }
    }

    /// Emits a transition; `after` is where to go if it is not enabled.
    fn transition(&mut self, candidate: &Candidate, after: Label, blocks: &mut Vec<Block>) {
        let transition = &self.program.transitions[candidate.transition];
        let start = self.code.instructions.len();
        let has_choices = !transition.choices.is_empty();
        let resume = if has_choices { self.label() } else { after };
        blocks.push(Block {
            start: self.here(),
            transition: candidate.transition,
            resume: resume.0,
            has_choices,
        });
        self.begin();
        if self.body(candidate, after, resume).is_err() {
            self.code.instructions.truncate(start);
            if has_choices {
                self.choose(candidate.transition, after, resume);
            }
            self.push(Instruction::Fail);
        }
    }

    fn choose(&mut self, id: TransitionId, after: Label, resume: Label) {
        let ranges = &self.program.transitions[id].choices;
        let ranges = ranges.iter().map(|&(low, high)| (low, high - low + 1)).collect();
        let choices =
            u32::try_from(self.code.data.choices.len()).expect("fewer than 2^32 transitions");
        self.code.data.choices.push(ranges);
        self.bind(resume);
        self.push(Instruction::Choose(Choose { choices, otherwise: after.0 }));
    }

    /// The numbers of patches.
    fn numbered(&mut self, patches: &[Patch]) -> Vec<u32> {
        let first = u32::try_from(self.code.data.patches.len()).expect("fewer than 2^32");
        self.code.data.patches.extend(patches);
        (first..).take(patches.len()).collect()
    }

    /// Emits code that sets the flags of a transition if it is enabled.
    fn note(&mut self, candidate: &Candidate, after: Label, flags: &TransitionFlags) {
        let start = self.code.instructions.len();
        let resume = self.label();
        self.begin();
        let Ok(refused) = self.guard(candidate, after, resume) else {
            self.code.instructions.truncate(start);
            self.push(Instruction::Fail);
            return;
        };
        let flags = flags[&candidate.transition];
        self.push(Instruction::Note(flags, after.0));
        if refused != after {
            self.bind(refused);
            self.push(Instruction::Retry(resume.0));
        }
    }

    /// Emits the guard of a transition, and the loop over its choices, which
    /// goes on at `resume`. Gives the place where code leads if the guard is
    /// false for the present choices; without choices that is `after`.
    pub(super) fn guard(
        &mut self,
        candidate: &Candidate,
        after: Label,
        resume: Label,
    ) -> Fit<Label> {
        let transition = &self.program.transitions[candidate.transition];
        let conditions = |is_movable: bool| -> Vec<ExpressionId> {
            let parts = candidate.parts.iter().filter(|part| part.is_movable == is_movable);
            parts.map(|part| part.condition).collect()
        };
        for piece in self.pieces(&conditions(true), BinaryOperator::And) {
            self.go_on_if_piece(piece, true, after, FREE)?;
        }
        let mut refused = after;
        if !transition.choices.is_empty() {
            if usize::from(MAX_CHOICES) < transition.choices.len() {
                return Err(Unfit);
            }
            self.choose(candidate.transition, after, resume);
            refused = self.label();
        }
        for piece in self.pieces(&conditions(false), BinaryOperator::And) {
            self.go_on_if_piece(piece, true, refused, FREE)?;
        }
        Ok(refused)
    }

    fn body(&mut self, candidate: &Candidate, after: Label, resume: Label) -> Fit {
        let refused = self.guard(candidate, after, resume)?;
        self.fire(candidate.transition, refused, resume)
    }

    /// Emits the step of a transition whose guard is true. `refused` is where its code leads
    /// if the guard is false for the present choices.
    pub(super) fn fire(&mut self, id: TransitionId, refused: Label, resume: Label) -> Fit {
        let transition = &self.program.transitions[id];
        let id = u32::try_from(id.index()).map_err(|_| Unfit)?;
        let has_choices = !transition.choices.is_empty();
        let fail = self.label();
        let flags = std::mem::take(&mut self.flags);
        let patches = self.effects(&transition.effects, fail);
        self.flags = flags;
        let mut patches = self.numbered(&patches?);
        let last = if has_choices { None } else { patches.pop() };
        for patch in patches {
            self.push(Instruction::Patch(patch));
        }
        let resume = resume.0;
        if has_choices {
            self.push(Instruction::FireChoice(Fire { transition: id, resume }));
            self.bind(refused);
            self.push(Instruction::Retry(resume));
        } else if let Some(patch) = last {
            self.push(Instruction::FirePatched(FirePatched { patch, transition: id, resume }));
        } else {
            self.push(Instruction::Fire(Fire { transition: id, resume }));
        }
        self.bind(fail);
        self.push(Instruction::Fail);
        Ok(())
    }
}
