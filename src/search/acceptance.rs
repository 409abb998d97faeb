//! What the signs of a cycle have to satisfy: a positive boolean combination
//! of *again and again* and *never again*.
//!
//! `Inf(s)` says that the cycle shows the sign `s`, `Fin(s)` that it does not.
//! Generalized Büchi acceptance is a conjunction of `Inf`, Streett acceptance a
//! conjunction of `Fin(a) | Inf(b)`; but any combination will do.
//!
//! [`Acceptance::judge`] is asked about a strongly connected part of a graph,
//! some closed walk of which shows all signs that its edges show. Where these
//! signs do not satisfy the condition, a smaller part may: one without the edges
//! that show a sign which is to be seen never again. So the answer says which
//! signs must go, or, where the condition leaves a choice, which sign is worth
//! trying without.

use super::SignId;
use super::signs::Signs;
use crate::dag::{self, Dag, Shape};
use crate::id::{Id, IdVec, define_id};
use crate::intern::Anchor;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A condition, as numbered by an [`Acceptance`].
    pub struct ConditionId;
}

/// A condition that is neither a conjunction nor a disjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Whatever the cycle shows.
    Always,
    /// Not satisfied by any cycle.
    Never,
    /// The cycle shows the sign.
    Inf(SignId),
    /// The cycle does not show the sign.
    Fin(SignId),
}

impl dag::Leaf<ConditionId> for Condition {
    fn anchor(self) -> Anchor<ConditionId> {
        Anchor::Number(match self {
            Self::Always => 0,
            Self::Never => 1,
            Self::Inf(sign) => 2 + 2 * sign.index(),
            Self::Fin(sign) => 3 + 2 * sign.index(),
        })
    }
}

/// What the signs of a part of a graph mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// They satisfy the condition.
    Accepting,
    /// No subset of them does.
    Hopeless,
    /// Only subsets without any of these do.
    Without(Signs),
    /// Perhaps a subset without this one does.
    Perhaps(SignId),
}

/// A condition on the signs of a cycle.
#[derive(Clone, Debug, Default)]
pub struct Acceptance {
    n_signs: usize,
    conditions: Dag<ConditionId, Condition>,
    /// All of these are to be satisfied, and that none of `forbidden` is shown.
    conjuncts: Vec<ConditionId>,
    forbidden: Signs,
    /// The conjunct that was found wanting last: likely to be wanting again.
    suspect: usize,
    satisfied: Truths,
    satisfiable: Truths,
}

impl Acceptance {
    /// The condition that every cycle satisfies, which may show any of
    /// `n_signs` signs.
    #[must_use]
    pub fn new(n_signs: usize) -> Self {
        let mut acceptance = Self::default();
        acceptance.grow_to(n_signs);
        acceptance
    }

    /// Adds signs until there are `n_signs`.
    pub fn grow_to(&mut self, n_signs: usize) {
        self.n_signs = n_signs;
        self.forbidden.grow_to(n_signs);
    }

    /// How many signs there are.
    #[must_use]
    pub fn n_signs(&self) -> usize {
        self.n_signs
    }

    /// Signs that no accepting cycle shows. A search may as well leave out the
    /// edges that show them.
    #[must_use]
    pub fn forbidden(&self) -> &Signs {
        &self.forbidden
    }

    /// Signs that every accepting cycle shows, as far as the form of the condition tells.
    #[must_use]
    pub fn required(&self) -> Vec<SignId> {
        let shape = |&id: &ConditionId| match self.conditions.shape(id) {
            Shape::Leaf(Condition::Inf(sign)) => Some(sign),
            _ => None,
        };
        self.conjuncts.iter().filter_map(shape).collect()
    }

    /// A condition without operands.
    pub fn leaf(&mut self, condition: Condition) -> ConditionId {
        self.conditions.intern(Shape::Leaf(condition))
    }

    /// The conjunction of conditions.
    pub fn and(&mut self, operands: &[ConditionId]) -> ConditionId {
        self.list(operands, true)
    }

    /// The disjunction of conditions.
    pub fn or(&mut self, operands: &[ConditionId]) -> ConditionId {
        self.list(operands, false)
    }

    fn list(&mut self, operands: &[ConditionId], and: bool) -> ConditionId {
        let neutral = self.leaf(if and { Condition::Always } else { Condition::Never });
        let absorbing = self.leaf(if and { Condition::Never } else { Condition::Always });
        if operands.contains(&absorbing) {
            return absorbing;
        }
        let mut list: Vec<ConditionId> =
            operands.iter().copied().filter(|&operand| operand != neutral).collect();
        list.sort_unstable();
        list.dedup();
        match list[..] {
            [] => neutral,
            [only] => only,
            _ => self.conditions.intern(if and { Shape::And(&list) } else { Shape::Or(&list) }),
        }
    }

    /// From now on, `condition` is asked for as well.
    pub fn require(&mut self, condition: ConditionId) {
        let mut open = vec![condition];
        while let Some(id) = open.pop() {
            match self.conditions.shape(id) {
                Shape::Leaf(Condition::Always) => (),
                Shape::Leaf(Condition::Fin(sign)) => self.forbidden.insert(sign),
                Shape::And(list) => open.extend(list.iter().rev()),
                _ => self.conjuncts.push(id),
            }
        }
    }

    /// Whether a cycle that shows exactly `signs`, none of which is forbidden,
    /// is accepting.
    pub fn is_satisfied(&mut self, signs: &Signs) -> bool {
        self.satisfied.forget();
        let n_conjuncts = self.conjuncts.len();
        for _ in 0..n_conjuncts {
            if !self.is_true(self.conjuncts[self.suspect], signs) {
                return false;
            }
            self.suspect = (self.suspect + 1) % n_conjuncts;
        }
        true
    }

    /// What to do with a part of a graph that shows `signs`, none of which is
    /// forbidden. That the signs `kept` are shown has been decided.
    pub fn judge(&mut self, signs: &Signs, kept: &Signs) -> Judgement {
        if self.is_satisfied(signs) {
            return Judgement::Accepting;
        }
        self.satisfiable.forget();
        for offset in 0..self.conjuncts.len() {
            let number = (self.suspect + offset) % self.conjuncts.len();
            if !self.is_possible(self.conjuncts[number], signs, kept) {
                self.suspect = number;
                return Judgement::Hopeless;
            }
        }
        let mut must_go = Signs::none(self.n_signs);
        let mut perhaps = None;
        for number in 0..self.conjuncts.len() {
            self.find_obstacles(self.conjuncts[number], signs, kept, &mut must_go, &mut perhaps);
        }
        match perhaps {
            Some(sign) if must_go.is_empty() => Judgement::Perhaps(sign),
            _ => Judgement::Without(must_go),
        }
    }

    /// Adds the signs that keep `condition` from being satisfied to `must_go`;
    /// where there is a choice, notes one in `perhaps`.
    fn find_obstacles(
        &mut self,
        condition: ConditionId,
        signs: &Signs,
        kept: &Signs,
        must_go: &mut Signs,
        perhaps: &mut Option<SignId>,
    ) {
        let mut open = vec![(condition, true)];
        let mut seen: HashSet<(ConditionId, bool), FxBuildHasher> = HashSet::default();
        while let Some((id, is_forced)) = open.pop() {
            if !seen.insert((id, is_forced)) || self.is_true(id, signs) {
                continue;
            }
            match self.conditions.shape(id) {
                // It is not satisfied but satisfiable, so it is a `Fin`.
                Shape::Leaf(Condition::Fin(sign)) if is_forced => must_go.insert(sign),
                Shape::Leaf(Condition::Fin(sign)) => {
                    perhaps.get_or_insert(sign);
                }
                Shape::Leaf(_) => (),
                Shape::And(list) => open.extend(list.iter().map(|&part| (part, is_forced))),
                Shape::Or(list) => {
                    let list: Vec<ConditionId> = list.to_vec();
                    let mut ways =
                        list.into_iter().filter(|&part| self.is_possible(part, signs, kept));
                    let way = ways.next();
                    let is_only = ways.next().is_none();
                    open.extend(way.map(|way| (way, is_forced && is_only)));
                }
            }
        }
    }

    /// Signs such that a cycle which shows these, and others out of `signs`
    /// perhaps, is accepting; `signs` satisfy the condition.
    pub fn needed(&mut self, signs: &Signs) -> Signs {
        self.satisfied.forget();
        let mut needed = Signs::none(self.n_signs);
        let mut open = self.conjuncts.clone();
        let mut seen: HashSet<ConditionId, FxBuildHasher> = HashSet::default();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.conditions.shape(id) {
                Shape::Leaf(Condition::Inf(sign)) => needed.insert(sign),
                Shape::Leaf(_) => (),
                Shape::And(list) => open.extend(list),
                Shape::Or(list) => {
                    let mut list: Vec<ConditionId> = list.to_vec();
                    // What is satisfied by showing nothing costs nothing.
                    list.sort_by_key(|&part| {
                        !matches!(self.conditions.shape(part), Shape::Leaf(Condition::Fin(_)))
                    });
                    open.extend(list.into_iter().find(|&part| self.is_true(part, signs)));
                }
            }
        }
        needed
    }

    fn is_true(&mut self, id: ConditionId, signs: &Signs) -> bool {
        self.satisfied.evaluate(&self.conditions, id, |condition| match condition {
            Condition::Always => true,
            Condition::Never => false,
            Condition::Inf(sign) => signs.contains(sign),
            Condition::Fin(sign) => !signs.contains(sign),
        })
    }

    fn is_possible(&mut self, id: ConditionId, signs: &Signs, kept: &Signs) -> bool {
        self.satisfiable.evaluate(&self.conditions, id, |condition| match condition {
            Condition::Always => true,
            Condition::Never => false,
            Condition::Inf(sign) => signs.contains(sign),
            Condition::Fin(sign) => !signs.contains(sign) || !kept.contains(sign),
        })
    }
}

/// Which conditions are true, as far as that has been asked since the signs
/// changed last.
#[derive(Clone, Debug, Default)]
struct Truths {
    /// In which round a truth was found, and the truth.
    truths: IdVec<ConditionId, (u32, bool)>,
    round: u32,
    /// Conditions that wait for an operand, and how many operands are done.
    open: Vec<(ConditionId, usize)>,
}

impl Truths {
    fn forget(&mut self) {
        if self.round == u32::MAX {
            *self = Self::default();
        }
        self.round += 1;
    }

    fn evaluate(
        &mut self,
        conditions: &Dag<ConditionId, Condition>,
        root: ConditionId,
        leaf: impl Fn(Condition) -> bool,
    ) -> bool {
        if let Shape::Leaf(condition) = conditions.shape(root) {
            return leaf(condition);
        }
        self.truths.grow_to(root, (0, false));
        self.open.push((root, 0));
        'next: while let Some((id, n_done)) = self.open.last_mut() {
            let shape = conditions.shape(*id);
            let and = matches!(shape, Shape::And(_));
            let mut truth = and;
            while let Some(&part) = shape.operands().get(*n_done) {
                let known = match conditions.shape(part) {
                    Shape::Leaf(condition) => Some(leaf(condition)),
                    _ => Some(self.truths[part])
                        .filter(|&(round, _)| round == self.round)
                        .map(|(_, truth)| truth),
                };
                let Some(known) = known else {
                    self.open.push((part, 0));
                    continue 'next;
                };
                *n_done += 1;
                if known != and {
                    truth = known;
                    break;
                }
            }
            self.truths[*id] = (self.round, truth);
            self.open.pop();
        }
        self.truths[root].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(n_signs: usize, list: &[usize]) -> Signs {
        let mut signs = Signs::none(n_signs);
        for &sign in list {
            signs.insert(SignId::new(sign));
        }
        signs
    }

    /// `(Fin(0) | Inf(1)) & (Fin(2) | Fin(3) | Inf(4))`.
    fn pair_and_clause() -> Acceptance {
        let mut acceptance = Acceptance::new(5);
        let [fin0, fin2, fin3] =
            [0, 2, 3].map(|sign| acceptance.leaf(Condition::Fin(SignId::new(sign))));
        let [inf1, inf4] = [1, 4].map(|sign| acceptance.leaf(Condition::Inf(SignId::new(sign))));
        let pair = acceptance.or(&[fin0, inf1]);
        let clause = acceptance.or(&[fin2, fin3, inf4]);
        let both = acceptance.and(&[pair, clause]);
        acceptance.require(both);
        acceptance
    }

    #[test]
    fn pairs_and_clauses_are_judged() {
        let mut acceptance = pair_and_clause();
        let none = signs(5, &[]);
        let mut judge =
            |shown: &[usize], kept: &[usize]| acceptance.judge(&signs(5, shown), &signs(5, kept));
        assert_eq!(judge(&[], &[]), Judgement::Accepting);
        assert_eq!(judge(&[0, 1, 2], &[]), Judgement::Accepting);
        assert_eq!(judge(&[0], &[]), Judgement::Without(signs(5, &[0])));
        assert_eq!(judge(&[0], &[0]), Judgement::Hopeless);
        assert_eq!(judge(&[2, 3], &[]), Judgement::Perhaps(SignId::new(2)));
        assert_eq!(judge(&[2, 3], &[2]), Judgement::Without(signs(5, &[3])));
        assert_eq!(judge(&[2, 3], &[2, 3]), Judgement::Hopeless);
        assert_eq!(judge(&[0, 2, 3], &[]), Judgement::Without(signs(5, &[0])));
        assert_eq!(acceptance.needed(&none), none);
        assert_eq!(acceptance.needed(&signs(5, &[0, 1, 2, 3, 4])), signs(5, &[1, 4]));
    }

    #[test]
    fn what_is_never_to_be_shown_is_forbidden() {
        let mut acceptance = Acceptance::new(70);
        let fin = acceptance.leaf(Condition::Fin(SignId::new(69)));
        let inf = acceptance.leaf(Condition::Inf(SignId::new(3)));
        let both = acceptance.and(&[fin, inf]);
        acceptance.require(both);
        assert_eq!(*acceptance.forbidden(), signs(70, &[69]));
        assert!(acceptance.is_satisfied(&signs(70, &[3])));
        assert_eq!(acceptance.judge(&signs(70, &[]), &signs(70, &[])), Judgement::Hopeless);
        let never = acceptance.or(&[]);
        acceptance.require(never);
        assert!(!acceptance.is_satisfied(&signs(70, &[3])));
    }
}
