//! Disjunctions of disjuncts, in which equal ones are put together.

use super::arena::Arena;
use crate::ltl::nnf::{NodeId, Nodes};

/// The conjunction of a recurrence and another formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Disjunct {
    /// A positive boolean combination of limits, or a constant.
    pub(super) recurrence: NodeId,
    pub(super) rest: NodeId,
}

impl Disjunct {
    /// Whether it is neither a recurrence alone nor without a recurrence.
    pub(super) fn is_mixed(self) -> bool {
        self.recurrence != Nodes::TRUE && self.rest != Nodes::TRUE
    }
}

/// A disjunction while it is being collected.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// The rests of disjuncts without a recurrence.
    plain: Vec<NodeId>,
    /// For each other rest the recurrences that it comes with.
    by_rest: Vec<(NodeId, Vec<NodeId>)>,
}

impl Sum {
    pub(super) fn add(&mut self, disjunct: Disjunct) {
        let Disjunct { recurrence, rest } = disjunct;
        if recurrence == Nodes::TRUE {
            self.plain.push(rest);
            return;
        }
        match self.by_rest.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, recurrences)) => recurrences.push(recurrence),
            None => self.by_rest.push((rest, vec![recurrence])),
        }
    }

    /// Whether there are at most `limit` disjuncts with these, too.
    pub(super) fn has_room(&self, disjuncts: &[Disjunct], limit: usize) -> bool {
        let is_known = |rest: NodeId| self.by_rest.iter().any(|&(known, _)| known == rest);
        let n_new = disjuncts
            .iter()
            .filter(|new| new.recurrence != Nodes::TRUE && !is_known(new.rest))
            .count();
        // One more is for the disjunct without a recurrence.
        self.by_rest.len() + n_new < limit
    }

    /// The disjuncts. A recurrence alone is the first one: it needs no
    /// automaton. What has no recurrence is the last one.
    pub(super) fn finish(self, arena: &mut Arena) -> Vec<Disjunct> {
        let mut plain = self.plain;
        let mut by_recurrence: Vec<(NodeId, Vec<NodeId>)> = Vec::new();
        for (rest, recurrences) in self.by_rest {
            let recurrence = arena.or(recurrences);
            if recurrence == Nodes::TRUE {
                plain.push(rest);
                continue;
            }
            match by_recurrence.iter_mut().find(|(known, _)| *known == recurrence) {
                Some((_, rests)) => rests.push(rest),
                None => by_recurrence.push((recurrence, vec![rest])),
            }
        }
        let plain = Disjunct { recurrence: Nodes::TRUE, rest: arena.or(plain) };
        let mut disjuncts: Vec<Disjunct> = by_recurrence
            .into_iter()
            .map(|(recurrence, rests)| Disjunct { recurrence, rest: arena.or(rests) })
            .chain([plain])
            .collect();
        disjuncts.sort_by_key(|disjunct| disjunct.rest != Nodes::TRUE);
        drop_redundant(arena, &mut disjuncts);
        disjuncts
    }
}

/// Leaves out what is false, and what implies another disjunct.
fn drop_redundant(arena: &Arena, disjuncts: &mut Vec<Disjunct>) {
    let implies = |one: Disjunct, other: Disjunct| {
        arena.implies(one.recurrence, other.recurrence) && arena.implies(one.rest, other.rest)
    };
    let mut index = 0;
    while let Some(&disjunct) = disjuncts.get(index) {
        let is_false = [disjunct.recurrence, disjunct.rest].contains(&Nodes::FALSE);
        if is_false || disjuncts.iter().any(|&other| other != disjunct && implies(disjunct, other))
        {
            disjuncts.remove(index);
        } else {
            index += 1;
        }
    }
}
