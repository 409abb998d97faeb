//! Recurrence as acceptance: what holds again and again, or from some moment on
//! for ever, is not the business of an automaton.
//!
//! A *recurrence formula* is a positive boolean combination of `G F p` and
//! `F G p`, where `p` is about one letter. Each `p` becomes a *sign*, shown by
//! the letters that satisfy it: `G F p` asks for the sign of `p` again and
//! again, `F G p` for that of `!p` never again. So `F G !a | G F b`, which is
//! strong fairness, is the Streett pair `Fin(a) | Inf(b)`, and a hundred of them
//! are a hundred pairs: no locations, and nothing to be guessed.

use crate::id::IdVec;
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};
use crate::ltl::split::Recurring;
use crate::search::SignId;
use crate::search::acceptance::{Acceptance, Condition, ConditionId};
use crate::search::signs::Signs;
use crate::word::{AtomId, Atoms};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Signs, and what is asked of them.
#[derive(Clone, Debug, Default)]
pub struct Recurrence {
    /// Formulas about one letter.
    predicates: Nodes,
    /// Which of them each sign stands for.
    signs: IdVec<SignId, NodeId>,
    by_predicate: HashMap<NodeId, SignId, FxBuildHasher>,
    acceptance: Acceptance,
    /// What is to hold again and again beside that.
    plain: Vec<NodeId>,
}

impl Recurrence {
    /// What `formula` asks for, a recurrence formula. Its atoms are added to
    /// `atoms`, and signs are about these.
    ///
    /// # Panics
    ///
    /// If `formula` is no recurrence formula.
    #[must_use]
    pub fn new(formula: &Nnf, atoms: &mut Atoms) -> Self {
        Self::conjunction(formula, atoms, false)
    }

    /// The same for letters that are ours to choose. To show a sign that is
    /// asked for again and again, whatever else happens, is then better than
    /// not to show it, so it need not be a sign: it is left to
    /// [`plain`](Recurrence::plain).
    ///
    /// # Panics
    ///
    /// If `formula` is no recurrence formula.
    #[must_use]
    pub fn of_free_letters(formula: &Nnf, atoms: &mut Atoms) -> Self {
        Self::conjunction(formula, atoms, true)
    }

    fn conjunction(formula: &Nnf, atoms: &mut Atoms, is_free: bool) -> Self {
        let mut recurrence = Self::default();
        let numbers: IdVec<AtomId, AtomId> =
            formula.atoms.iter().map(|(_, name)| atoms.intern(name)).collect();
        let mut copy = PredicateCopier { formula, numbers, copies: HashMap::default() };
        let mut conditions: HashMap<NodeId, ConditionId, FxBuildHasher> = HashMap::default();
        for conjunct in formula.conjuncts() {
            match Recurring::new(&formula.nodes, conjunct) {
                Some(Recurring::InfinitelyOften(predicate)) if is_free => {
                    let predicate = copy.predicate(predicate, true, &mut recurrence.predicates);
                    recurrence.plain.push(predicate);
                }
                _ => {
                    let condition = recurrence.condition(conjunct, &mut copy, &mut conditions);
                    recurrence.acceptance.require(condition);
                }
            }
        }
        recurrence
    }

    /// The condition of a recurrence formula.
    fn condition(
        &mut self,
        root: NodeId,
        copy: &mut PredicateCopier<'_>,
        conditions: &mut HashMap<NodeId, ConditionId, FxBuildHasher>,
    ) -> ConditionId {
        let nodes = &copy.formula.nodes;
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if conditions.contains_key(&id) {
                open.pop();
                continue;
            }
            let list: &[NodeId] = match nodes.node(id) {
                Node::And(list) | Node::Or(list) => list,
                _ => &[],
            };
            let pending = open.len();
            open.extend(list.iter().filter(|part| !conditions.contains_key(*part)));
            if pending < open.len() {
                continue;
            }
            open.pop();
            let parts: Vec<ConditionId> = list.iter().map(|part| conditions[part]).collect();
            let condition = match nodes.node(id) {
                Node::And(_) => self.acceptance.and(&parts),
                Node::Or(_) => self.acceptance.or(&parts),
                _ => {
                    let condition = self.limit(id, copy);
                    self.acceptance.leaf(condition)
                }
            };
            conditions.insert(id, condition);
        }
        conditions[&root]
    }

    /// The condition of `G F p`, of `F G p` or of a constant.
    fn limit(&mut self, id: NodeId, copy: &mut PredicateCopier<'_>) -> Condition {
        let nodes = &copy.formula.nodes;
        match (nodes.node(id), Recurring::new(nodes, id)) {
            (Node::True, _) => Condition::Always,
            (Node::False, _) => Condition::Never,
            (_, Some(Recurring::InfinitelyOften(predicate))) => {
                let predicate = copy.predicate(predicate, true, &mut self.predicates);
                self.inf(predicate)
            }
            (_, Some(Recurring::AlmostAlways(predicate))) => {
                let predicate = copy.predicate(predicate, false, &mut self.predicates);
                self.fin(predicate)
            }
            (_, None) => unreachable!("a recurrence formula is made of G F and F G"),
        }
    }

    fn inf(&mut self, predicate: NodeId) -> Condition {
        match predicate {
            Nodes::TRUE => Condition::Always,
            Nodes::FALSE => Condition::Never,
            _ => Condition::Inf(self.sign(predicate)),
        }
    }

    fn fin(&mut self, predicate: NodeId) -> Condition {
        match predicate {
            Nodes::TRUE => Condition::Never,
            Nodes::FALSE => Condition::Always,
            _ => Condition::Fin(self.sign(predicate)),
        }
    }

    /// The sign of a predicate.
    fn sign(&mut self, predicate: NodeId) -> SignId {
        if let Some(&sign) = self.by_predicate.get(&predicate) {
            return sign;
        }
        let sign = self.signs.push(predicate);
        self.by_predicate.insert(predicate, sign);
        self.acceptance.grow_to(self.signs.len());
        sign
    }

    /// From now on, weak fairness is asked for: if `enabled` holds from some
    /// moment on, then `taken` holds again and again. Since it does so if one of
    /// `!enabled` and `taken` does, that is a single sign.
    pub fn require_weak(&mut self, enabled: AtomId, taken: AtomId) {
        let not_enabled = self.predicates.literal(enabled, false);
        let taken = self.predicates.literal(taken, true);
        let predicate = self.predicates.intern(Node::Or(&[not_enabled, taken]));
        let condition = self.inf(predicate);
        let condition = self.acceptance.leaf(condition);
        self.acceptance.require(condition);
    }

    /// From now on, strong fairness is asked for: if `enabled` holds again and
    /// again, then so does `taken`.
    pub fn require_strong(&mut self, enabled: AtomId, taken: AtomId) {
        let [enabled, taken] = [enabled, taken].map(|atom| self.predicates.literal(atom, true));
        let sides = [self.fin(enabled), self.inf(taken)].map(|side| self.acceptance.leaf(side));
        let pair = self.acceptance.or(&sides);
        self.acceptance.require(pair);
    }

    /// Predicates that are to hold again and again, beside what is asked of
    /// signs.
    #[must_use]
    pub fn plain(&self) -> &[NodeId] {
        &self.plain
    }

    /// How many signs there are.
    #[must_use]
    pub fn n_signs(&self) -> usize {
        self.signs.len()
    }

    /// What is asked of the signs of a cycle.
    #[must_use]
    pub fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    /// The formulas that signs stand for, without temporal operators.
    #[must_use]
    pub fn predicates(&self) -> &Nodes {
        &self.predicates
    }

    /// Each sign with the formula that it stands for.
    pub fn signs(&self) -> impl Iterator<Item = (SignId, NodeId)> + '_ {
        self.signs.entries().map(|(sign, &predicate)| (sign, predicate))
    }

    /// The signs that a letter shows, of which `is_true` knows the atoms.
    #[must_use]
    pub fn shown(&self, is_true: impl Fn(AtomId) -> bool) -> Signs {
        let truths = truths(&self.predicates, is_true);
        let mut signs = Signs::none(self.n_signs());
        for (sign, predicate) in self.signs() {
            if truths[predicate] {
                signs.insert(sign);
            }
        }
        signs
    }
}

/// Which of `predicates` hold for a letter.
fn truths(predicates: &Nodes, is_true: impl Fn(AtomId) -> bool) -> IdVec<NodeId, bool> {
    let mut truths: IdVec<NodeId, bool> = IdVec::with_capacity(predicates.len());
    for id in predicates.ids() {
        let truth = match predicates.node(id) {
            Node::True => true,
            Node::False => false,
            Node::Literal { atom, positive } => is_true(atom) == positive,
            Node::And(list) => list.iter().all(|&part| truths[part]),
            Node::Or(list) => list.iter().any(|&part| truths[part]),
            Node::Next(_) | Node::Until(..) | Node::Release(..) => {
                unreachable!("predicates are about one letter")
            }
        };
        truths.push(truth);
    }
    truths
}

/// Copies predicates of a formula.
struct PredicateCopier<'a> {
    formula: &'a Nnf,
    /// The new numbers of atoms.
    numbers: IdVec<AtomId, AtomId>,
    /// What has been copied, as it is or negated.
    copies: HashMap<(NodeId, bool), NodeId, FxBuildHasher>,
}

impl PredicateCopier<'_> {
    /// The predicate `root`, negated unless `positive`.
    fn predicate(&mut self, root: NodeId, positive: bool, to: &mut Nodes) -> NodeId {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.copies.contains_key(&(id, positive)) {
                open.pop();
                continue;
            }
            let pending = open.len();
            let nodes = &self.formula.nodes;
            open.extend(
                nodes.children(id).filter(|&part| !self.copies.contains_key(&(part, positive))),
            );
            if pending < open.len() {
                continue;
            }
            open.pop();
            let mut parts: Vec<NodeId> =
                nodes.children(id).map(|part| self.copies[&(part, positive)]).collect();
            let copy = match nodes.node(id) {
                Node::True if positive => Nodes::TRUE,
                Node::False if !positive => Nodes::TRUE,
                Node::True | Node::False => Nodes::FALSE,
                Node::Literal { atom, positive: asked } => {
                    to.literal(self.numbers[atom], asked == positive)
                }
                Node::And(_) => list(to, &mut parts, positive),
                Node::Or(_) => list(to, &mut parts, !positive),
                Node::Next(_) | Node::Until(..) | Node::Release(..) => {
                    unreachable!("predicates are about one letter")
                }
            };
            self.copies.insert((id, positive), copy);
        }
        self.copies[&(root, positive)]
    }
}

/// The conjunction of `parts`, or their disjunction.
fn list(to: &mut Nodes, parts: &mut Vec<NodeId>, and: bool) -> NodeId {
    let (neutral, absorbing) =
        if and { (Nodes::TRUE, Nodes::FALSE) } else { (Nodes::FALSE, Nodes::TRUE) };
    if parts.contains(&absorbing) {
        return absorbing;
    }
    parts.retain(|&part| part != neutral);
    parts.sort_unstable();
    parts.dedup();
    match parts[..] {
        [] => neutral,
        [only] => only,
        _ => to.intern(if and { Node::And(parts) } else { Node::Or(parts) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;
    use crate::ltl::{Formula, nnf};

    #[test]
    fn limits_become_signs() {
        let formula = Formula::parse("(F G !a | G F b) & G F (a & !c) & (G F b | F G c)").unwrap();
        let mut atoms = Atoms::default();
        let recurrence = Recurrence::new(&nnf::from_formula(&formula), &mut atoms);
        // a, b, a & !c, !c
        assert_eq!(recurrence.n_signs(), 4);
        let [a, b, c] = ["a", "b", "c"].map(|name| atoms.find(name).unwrap());
        let shown = |letter: &[AtomId]| {
            let shown = recurrence.shown(|atom| letter.contains(&atom));
            shown.iter().map(Id::index).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[]).len(), 1);
        assert_eq!(shown(&[a]).len(), 3);
        assert_eq!(shown(&[a, b]).len(), 4);
        assert_eq!(shown(&[a, c]).len(), 1);
        let is_accepting = |letters: &[&[AtomId]]| {
            let mut all = Signs::none(4);
            for letter in letters {
                all.unite(&recurrence.shown(|atom| letter.contains(&atom)));
            }
            recurrence.acceptance().clone().is_satisfied(&all)
        };
        assert!(is_accepting(&[&[a], &[b, c]]));
        assert!(!is_accepting(&[&[a]]));
        assert!(!is_accepting(&[&[b, c]]));
    }

    #[test]
    fn constants_are_no_signs() {
        let formula = Formula::parse("G F (a | !a | true) & (F G false | G F b)").unwrap();
        let mut atoms = Atoms::default();
        let recurrence = Recurrence::new(&nnf::from_formula(&formula), &mut atoms);
        assert_eq!(recurrence.n_signs(), 1);
    }
}
