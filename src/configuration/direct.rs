//! The successors of a group without decision diagrams: what its conjuncts
//! offer is combined, and what is not minimal is left out.
//!
//! This is the other method of [Ham04]: its first version (section 3.2)
//! combined the transitions of all locations, and its outlook (section 5) wants
//! to do without diagrams, whose size cannot be predicted, by finding subsets in
//! the list of successors. An *offer* is a conjunction of literals, one product
//! of the disjunctive normal form of a transition formula. Conjuncts are taken
//! in one by one, those with few offers first; after each of them, offers that
//! contain another are dropped, and atoms that no later conjunct mentions are
//! forgotten. The pairs of locations and loops that are left in the end are the
//! same as those that diagrams give, all at once and in an order of their own.
//!
//! [Ham04]: crate::references::ham04

use super::encoding::{Variable, VariableId};
use super::step::Stepper;
use crate::dag::Shape;
use crate::id::Id;
use crate::lwaa::{Leaf, TransitionId};
use crate::search::limits::{Budget, Exhausted};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// A variable and whether it is asked to be true.
type Literal = (VariableId, bool);

/// A consistent conjunction of literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Offer {
    /// In increasing order.
    literals: Vec<Literal>,
    /// A bit for each literal, which others may share.
    signature: u64,
}

impl Offer {
    fn new(literals: Vec<Literal>) -> Self {
        let bit =
            |&(variable, value): &Literal| 1 << ((2 * variable.index() + usize::from(value)) % 64);
        let signature = literals.iter().map(bit).fold(0, |all: u64, bit: u64| all | bit);
        Self { literals, signature }
    }

    /// Whether all of this is asked for by `other`.
    fn is_part_of(&self, other: &Self) -> bool {
        if self.signature & !other.signature != 0 || other.literals.len() < self.literals.len() {
            return false;
        }
        let mut rest = other.literals.iter();
        self.literals.iter().all(|literal| rest.any(|candidate| candidate == literal))
    }

    /// Both, unless they contradict each other.
    fn and(&self, other: &Self) -> Option<Self> {
        let mut literals = Vec::with_capacity(self.literals.len() + other.literals.len());
        let (mut left, mut right) = (self.literals.as_slice(), other.literals.as_slice());
        while let ([first, rest @ ..], [second, others @ ..]) = (left, right) {
            if first.0 == second.0 && first.1 != second.1 {
                return None;
            }
            literals.push(*first.min(second));
            (left, right) = (
                if first <= second { rest } else { left },
                if second <= first { others } else { right },
            );
        }
        literals.extend(left.iter().chain(right));
        Some(Self::new(literals))
    }

    /// The same without some variables.
    fn without(&self, is_forgotten: impl Fn(VariableId) -> bool) -> Self {
        let rest = self.literals.iter().copied().filter(|&(variable, _)| !is_forgotten(variable));
        Self::new(rest.collect())
    }
}

/// Leaves out what contains something else. What is left is sorted by length.
fn prune(offers: &mut Vec<Offer>, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
    offers.sort_unstable_by(|one, other| {
        (one.literals.len(), &one.literals).cmp(&(other.literals.len(), &other.literals))
    });
    offers.dedup();
    let mut kept: Vec<Offer> = Vec::with_capacity(offers.len());
    for offer in offers.drain(..) {
        budget.poll()?;
        if !kept.iter().any(|smaller| smaller.is_part_of(&offer)) {
            kept.push(offer);
        }
    }
    *offers = kept;
    Ok(())
}

/// All that two lists offer together.
fn combine(
    one: &[Offer],
    other: &[Offer],
    budget: &mut Budget<'_>,
) -> Result<Vec<Offer>, Exhausted> {
    let mut both = Vec::new();
    for left in one {
        budget.poll()?;
        both.extend(other.iter().filter_map(|right| left.and(right)));
    }
    Ok(both)
}

/// What formulas offer, as far as that has been asked for.
#[derive(Debug, Default)]
pub(super) struct Offers {
    known: HashMap<TransitionId, Rc<[Offer]>, FxBuildHasher>,
}

impl Offers {
    /// The disjunctive normal form of a formula.
    fn of(
        &mut self,
        root: TransitionId,
        stepper: &Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<Rc<[Offer]>, Exhausted> {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.known.contains_key(&id) {
                open.pop();
                continue;
            }
            let shape = stepper.transitions().shape(id);
            let pending = open.len();
            open.extend(shape.operands().iter().filter(|part| !self.known.contains_key(*part)));
            if pending < open.len() {
                continue;
            }
            let mut offers = Vec::new();
            match shape {
                Shape::Leaf(leaf) => match stepper.encoding().of_leaf(leaf) {
                    Some(literal) => offers.push(Offer::new(vec![literal])),
                    None if leaf == Leaf::True => offers.push(Offer::default()),
                    None => (),
                },
                Shape::Or(parts) => {
                    offers.extend(parts.iter().flat_map(|part| self.known[part].iter().cloned()));
                    prune(&mut offers, budget)?;
                }
                Shape::And(parts) => {
                    offers.push(Offer::default());
                    for part in parts {
                        offers = combine(&offers, &self.known[part], budget)?;
                        prune(&mut offers, budget)?;
                    }
                }
            }
            self.known.insert(id, offers.into());
            open.pop();
        }
        Ok(Rc::clone(&self.known[&root]))
    }

    /// The models of `conjuncts` over locations and loops that are minimal; if
    /// signs are about their atoms, those that are minimal for some letter. In
    /// a fixed order, with those that take no loop first.
    pub(super) fn models(
        &mut self,
        conjuncts: &[TransitionId],
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Vec<VariableId>>, Exhausted> {
        let mut parts = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            parts.push((self.of(conjunct, stepper, budget)?, conjunct));
        }
        parts.sort_by_key(|(offers, _)| offers.len());
        // How many conjuncts are still to come that mention an atom.
        let mut n_uses: HashMap<VariableId, usize, FxBuildHasher> = HashMap::default();
        let mut atoms_of = Vec::with_capacity(parts.len());
        for &(_, conjunct) in &parts {
            let mut atoms = stepper.variables(&[conjunct]);
            atoms.retain(|&variable| {
                stepper.encoding().is_atom(variable) && !stepper.is_shown(variable)
            });
            for &atom in &atoms {
                *n_uses.entry(atom).or_default() += 1;
            }
            atoms_of.push(atoms);
        }
        let mut all = vec![Offer::default()];
        for ((offers, _), atoms) in parts.iter().zip(&atoms_of) {
            all = combine(&all, offers, budget)?;
            let mut forgotten: HashSet<VariableId, FxBuildHasher> = HashSet::default();
            for atom in atoms {
                if let Some(n) = n_uses.get_mut(atom) {
                    *n -= 1;
                    forgotten.extend((*n == 0).then_some(*atom));
                }
            }
            if !forgotten.is_empty() {
                for offer in &mut all {
                    *offer = offer.without(|variable| forgotten.contains(&variable));
                }
            }
            prune(&mut all, budget)?;
        }
        let mut models = minimal_for_some_letter(&all, stepper, budget)?;
        models.sort_by_cached_key(|model| {
            let is_loop = |&&variable: &&VariableId| {
                matches!(stepper.encoding().variable(variable), Variable::Loop(_))
            };
            (model.iter().filter(is_loop).count(), model.len(), model.clone())
        });
        Ok(models)
    }

    /// Values of atoms that satisfy `conjuncts`, which are about atoms only.
    pub(super) fn letter(
        conjuncts: &[TransitionId],
        stepper: &Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<Literal>>, Exhausted> {
        // What has been chosen, and which formulas have to hold as well.
        let mut branches = vec![(Offer::default(), conjuncts.to_vec())];
        'branches: while let Some((mut chosen, mut open)) = branches.pop() {
            budget.poll()?;
            let mut choices: Vec<(TransitionId, &[TransitionId])> = Vec::new();
            while let Some(id) = open.pop() {
                match stepper.transitions().shape(id) {
                    Shape::Leaf(leaf) => match stepper.encoding().of_leaf(leaf) {
                        Some(literal) => match chosen.and(&Offer::new(vec![literal])) {
                            Some(more) => chosen = more,
                            None => continue 'branches,
                        },
                        None if leaf == Leaf::True => (),
                        None => continue 'branches,
                    },
                    Shape::And(parts) => open.extend(parts),
                    Shape::Or(parts) => choices.push((id, parts)),
                }
            }
            // The choice between the fewest comes first.
            choices.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.len()));
            let Some((_, parts)) = choices.pop() else { return Ok(Some(chosen.literals)) };
            let rest: Vec<TransitionId> = choices.iter().map(|&(id, _)| id).collect();
            for &part in parts.iter().rev() {
                let mut open = rest.clone();
                open.push(part);
                branches.push((chosen.clone(), open));
            }
        }
        Ok(None)
    }
}

/// The sets of locations and loops of `offers` that are minimal for some choice
/// of the atoms that are left in them.
fn minimal_for_some_letter(
    offers: &[Offer],
    stepper: &Stepper,
    budget: &mut Budget<'_>,
) -> Result<Vec<Vec<VariableId>>, Exhausted> {
    let is_atom = |variable| stepper.encoding().is_atom(variable);
    // The letters that allow each set.
    let mut letters: Vec<(Offer, Vec<Offer>)> = Vec::new();
    let mut positions: HashMap<Vec<Literal>, usize, FxBuildHasher> = HashMap::default();
    for offer in offers {
        let set = offer.without(is_atom);
        let position = *positions.entry(set.literals.clone()).or_insert_with(|| {
            letters.push((set, Vec::new()));
            letters.len() - 1
        });
        letters[position].1.push(offer.without(|variable| !is_atom(variable)));
    }
    let mut models = Vec::new();
    for (set, allowed) in &letters {
        budget.poll()?;
        let smaller = letters.iter().filter(|(other, _)| other != set && other.is_part_of(set));
        let avoided: Vec<&Offer> = smaller.flat_map(|(_, letters)| letters).collect();
        let mut is_minimal = false;
        for letter in allowed {
            if !is_minimal && is_possible_without(letter, &avoided, budget)? {
                is_minimal = true;
            }
        }
        if is_minimal {
            models.push(set.literals.iter().map(|&(variable, _)| variable).collect());
        }
    }
    Ok(models)
}

/// Whether some letter satisfies `letter` and none of `avoided`.
fn is_possible_without(
    letter: &Offer,
    avoided: &[&Offer],
    budget: &mut Budget<'_>,
) -> Result<bool, Exhausted> {
    // What has been chosen, and how many of `avoided` are avoided by that.
    let mut branches = vec![(letter.clone(), 0)];
    while let Some((mut chosen, n_avoided)) = branches.pop() {
        budget.poll()?;
        let Some(next) = avoided.get(n_avoided) else { return Ok(true) };
        if chosen.and(next).is_none() {
            branches.push((chosen, n_avoided + 1));
            continue;
        }
        // One of its literals must be false; those before it may be true.
        for &(atom, value) in &next.literals {
            if let Some(more) = chosen.and(&Offer::new(vec![(atom, !value)])) {
                branches.push((more, n_avoided + 1));
            }
            match chosen.and(&Offer::new(vec![(atom, value)])) {
                Some(more) => chosen = more,
                None => break,
            }
        }
    }
    Ok(false)
}
