//! The very weak alternating automaton of a formula, its transitions in
//! disjunctive normal form.
//!
//! This is the automaton of [GO01], section 3, and neither code nor arena is
//! shared with [`lwaa`](crate::lwaa), which never multiplies out. Its states are the
//! subformulas that a step can ask for. A [`Move`] reads a cube and
//! asks for a conjunction of states; the paper's *δ* is [`Alternating::moves`], and its
//! overlined formula, the conjunctions of states that imply a formula, is the *cover*.
//!
//! A move also says which untils it *postpones*: those whose right side it could
//! have chosen and did not. The paper finds that out later by comparing targets
//! with transitions. Moves that postpone less are better, and so the paper's
//! smallest transitions are the smallest ones here.
//!
//! Simplified on the fly: a move that another one is better than is dropped as soon
//! as it is made, and states with the same moves are one.
//!
//! [GO01]: crate::references::go01

use super::bits::Bits;
use super::cube::{Cube, may_imply};
use crate::id::{Id, IdVec};
use crate::ltl::nnf::{Nnf, Node, NodeId};
use crate::search::limits::{Budget, Exhausted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// One way to go on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Move {
    pub(super) cube: Cube,
    /// The states that are asked for, by the numbers of their formulas.
    pub(super) targets: Bits,
    /// The untils that are postponed, by the same numbers.
    pub(super) postponed: Bits,
}

impl Move {
    fn asking_for(targets: Bits) -> Self {
        Self { cube: Cube::truth(), targets, postponed: Bits::default() }
    }

    /// Both at once, unless they contradict each other.
    fn and(&self, other: &Self) -> Option<Self> {
        Some(Self {
            cube: self.cube.and(&other.cube)?,
            targets: self.targets.or(&other.targets),
            postponed: self.postponed.or(&other.postponed),
        })
    }

    /// Whether `other` reads fewer letters, asks for more and postpones more, in
    /// the weak sense.
    fn is_as_good_as(&self, other: &Self) -> bool {
        self.targets.is_subset_of(&other.targets)
            && self.postponed.is_subset_of(&other.postponed)
            && other.cube.implies(&self.cube)
    }

    fn size(&self) -> usize {
        self.targets.len() + self.postponed.len() + self.cube.n_literals()
    }
}

/// A very weak alternating automaton.
#[derive(Debug)]
pub(super) struct Alternating {
    moves: IdVec<NodeId, Vec<Move>>,
    pub(super) initial: Initial,
    /// The untils that some move postpones.
    pub(super) untils: Vec<usize>,
    /// The best moves of conjunctions of states that have something in common,
    /// as found so far.
    groups: HashMap<Bits, Vec<Move>, FxBuildHasher>,
}

/// How a run can begin.
#[derive(Debug)]
pub(super) enum Initial {
    /// With a conjunction of states.
    Conjunction(Bits),
    /// With one of some moves, if the formula is no conjunction.
    Moves(Vec<Move>),
}

impl Alternating {
    /// The best moves of all states in `states` at once.
    ///
    /// States fall into groups that have neither atoms nor states in common. A
    /// group is solved once; what is best in each of several groups is
    /// best together.
    pub(super) fn moves(
        &mut self,
        states: &Bits,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Move>, Exhausted> {
        let mut all = vec![Move::asking_for(Bits::default())];
        for group in self.groups_of(states) {
            if !self.groups.contains_key(&group) {
                let mut together = vec![Move::asking_for(Bits::default())];
                for state in group.iter() {
                    together = conjunction(&together, &self.moves[NodeId::new(state)], budget)?;
                }
                self.groups.insert(group.clone(), together);
            }
            all = product(&all, &self.groups[&group], budget)?;
        }
        Ok(all)
    }

    /// The groups, by the last of their states.
    fn groups_of(&self, states: &Bits) -> Vec<Bits> {
        let states: Vec<usize> = states.iter().collect();
        // Moves about the same atom or state belong together. Of a
        // group, all but the last are below another member.
        let mut above: Vec<usize> = (0..states.len()).collect();
        let mut owners: HashMap<(bool, usize), usize, FxBuildHasher> = HashMap::default();
        for (number, &state) in states.iter().enumerate() {
            let support = Support::of(&self.moves[NodeId::new(state)]);
            let atoms = support.atoms.iter().map(|atom| (true, atom));
            for about in atoms.chain(support.states.iter().map(|state| (false, state))) {
                if let Some(other) = owners.insert(about, number) {
                    let top = top(&mut above, other);
                    above[top] = number;
                }
            }
        }
        let mut groups: Vec<Bits> = vec![Bits::default(); states.len()];
        for (number, &state) in states.iter().enumerate() {
            groups[top(&mut above, number)].insert(state);
        }
        groups.retain(|group| group.len() != 0);
        groups
    }
}

/// Who is above all others, on a path that is made shorter.
fn top(above: &mut [usize], mut number: usize) -> usize {
    while above[number] != number {
        above[number] = above[above[number]];
        number = above[number];
    }
    number
}

/// The automaton of `nnf`.
pub(super) fn translate(nnf: &Nnf, budget: &mut Budget<'_>) -> Result<Alternating, Exhausted> {
    let needs = Needs::of(nnf);
    let mut builder = Builder {
        nnf,
        moves: IdVec::with_capacity(nnf.nodes.len()),
        covers: IdVec::with_capacity(nnf.nodes.len()),
        same: nnf.nodes.ids().collect(),
        by_moves: HashMap::default(),
    };
    for id in nnf.nodes.ids() {
        // First the moves: they tell which state the formula is.
        let mut moves = Vec::new();
        if needs.moves[id] {
            moves = builder.moves_of(id, budget)?;
            let same = builder.merge(id, &moves);
            if same != id {
                moves.clone_from(&builder.moves[same]);
            }
        }
        builder.moves.push(moves);
        let cover = if needs.cover[id] { builder.cover_of(id, budget)? } else { Vec::new() };
        builder.covers.push(cover);
    }
    let Builder { moves, covers, .. } = builder;
    let initial = match &covers[nnf.root][..] {
        [only] => Initial::Conjunction(only.targets.clone()),
        _ => Initial::Moves(moves[nnf.root].clone()),
    };
    let mut postponed = Bits::default();
    moves.iter().flatten().for_each(|step| postponed.unite(&step.postponed));
    let untils = postponed.iter().collect();
    Ok(Alternating { moves, initial, untils, groups: HashMap::default() })
}

/// The atoms and the states that moves are about.
#[derive(Clone, Debug, Default)]
struct Support {
    atoms: Bits,
    states: Bits,
}

impl Support {
    fn of(moves: &[Move]) -> Self {
        let mut support = Self::default();
        for step in moves {
            support.states.unite(&step.targets);
            support.states.unite(&step.postponed);
            step.cube.literals().for_each(|(atom, _)| support.atoms.insert(atom.index()));
        }
        support
    }

    fn is_disjoint_from(&self, other: &Self) -> bool {
        self.atoms.is_disjoint_from(&other.atoms) && self.states.is_disjoint_from(&other.states)
    }
}

/// What has to be known about each subformula.
struct Needs {
    moves: IdVec<NodeId, bool>,
    cover: IdVec<NodeId, bool>,
}

impl Needs {
    fn of(nnf: &Nnf) -> Self {
        let mut moves = IdVec::filled(false, nnf.nodes.len());
        let mut cover = moves.clone();
        // The cover of a formula with disjunctions has too many parts to begin
        // with.
        let is_list = |id: &NodeId| matches!(nnf.nodes.node(*id), Node::Or(_));
        if nnf.conjuncts().iter().any(is_list) {
            moves[nnf.root] = true;
        } else {
            cover[nnf.root] = true;
        }
        for id in nnf.nodes.ids().rev() {
            let node = nnf.nodes.node(id);
            let is_list = matches!(node, Node::And(_) | Node::Or(_));
            let is_next = matches!(node, Node::Next(_));
            moves[id] |= cover[id] && !is_list;
            for child in nnf.nodes.children(id) {
                cover[child] |= cover[id] && is_list || moves[id] && is_next;
                moves[child] |= moves[id] && !is_next;
            }
        }
        // What an until or a release is asked for by itself, when it waits.
        for id in nnf.nodes.ids() {
            if matches!(nnf.nodes.node(id), Node::Until(..) | Node::Release(..)) {
                cover[id] |= moves[id];
            }
        }
        Self { moves, cover }
    }
}

struct Builder<'a> {
    nnf: &'a Nnf,
    moves: IdVec<NodeId, Vec<Move>>,
    covers: IdVec<NodeId, Vec<Move>>,
    /// For each state the first one with the same moves.
    same: IdVec<NodeId, NodeId>,
    by_moves: HashMap<Likeness, NodeId, FxBuildHasher>,
}

/// What states that are one have in common: their moves, and whether they are
/// untils that can wait. A state is left out of its own moves, and a flag says
/// where it was.
type Likeness = (Vec<(Move, bool)>, bool);

impl Builder<'_> {
    fn moves_of(&self, id: NodeId, budget: &mut Budget<'_>) -> Result<Vec<Move>, Exhausted> {
        let itself = Bits::single(id.index());
        Ok(match self.nnf.nodes.node(id) {
            Node::True => vec![Move::asking_for(Bits::default())],
            Node::False => Vec::new(),
            Node::Literal { atom, positive } => {
                let cube = Cube::literal(atom, positive);
                vec![Move { cube, ..Move::asking_for(Bits::default()) }]
            }
            Node::And(list) => {
                let mut all = vec![Move::asking_for(Bits::default())];
                for &part in list {
                    all = conjunction(&all, &self.moves[part], budget)?;
                }
                all
            }
            Node::Or(list) => {
                let all = list.iter().flat_map(|&part| self.moves[part].iter().cloned());
                best(all.collect(), budget)?
            }
            Node::Next(argument) => self.covers[argument].clone(),
            Node::Until(left, right) => {
                let wait = Move { postponed: itself.clone(), ..Move::asking_for(itself) };
                let mut all = conjunction(&self.moves[left], &[wait], budget)?;
                all.extend_from_slice(&self.moves[right]);
                best(all, budget)?
            }
            Node::Release(left, right) => {
                let mut either = self.moves[left].clone();
                either.push(Move::asking_for(itself));
                conjunction(&self.moves[right], &either, budget)?
            }
        })
    }

    /// The conjunctions of states that imply the formula, as moves that read
    /// anything.
    fn cover_of(&self, id: NodeId, budget: &mut Budget<'_>) -> Result<Vec<Move>, Exhausted> {
        Ok(match self.nnf.nodes.node(id) {
            Node::True => vec![Move::asking_for(Bits::default())],
            Node::False => Vec::new(),
            Node::And(list) => {
                let mut all = vec![Move::asking_for(Bits::default())];
                for &part in list {
                    all = conjunction(&all, &self.covers[part], budget)?;
                }
                all
            }
            Node::Or(list) => {
                let all = list.iter().flat_map(|&part| self.covers[part].iter().cloned());
                best(all.collect(), budget)?
            }
            _ => vec![Move::asking_for(Bits::single(self.same[id].index()))],
        })
    }

    /// The first formula with the same moves.
    fn merge(&mut self, id: NodeId, moves: &[Move]) -> NodeId {
        let itself = Bits::single(id.index());
        let without = |step: &Move| {
            let is_here = step.targets.contains(id.index());
            let targets = step.targets.minus(&itself);
            (Move { targets, postponed: step.postponed.minus(&itself), ..step.clone() }, is_here)
        };
        let key: Vec<(Move, bool)> = moves.iter().map(without).collect();
        let waits = matches!(self.nnf.nodes.node(id), Node::Until(..))
            && key.iter().any(|&(_, is_here)| is_here);
        self.same[id] = *self.by_moves.entry((key, waits)).or_insert(id);
        self.same[id]
    }
}

/// The best of all moves that are one of `left` and one of `right` at once,
/// each list having its best ones only.
fn conjunction(
    left: &[Move],
    right: &[Move],
    budget: &mut Budget<'_>,
) -> Result<Vec<Move>, Exhausted> {
    let all = product(left, right, budget)?;
    if Support::of(left).is_disjoint_from(&Support::of(right)) {
        return Ok(all);
    }
    best(all, budget)
}

/// All moves that are one of `left` and one of `right` at once.
fn product(left: &[Move], right: &[Move], budget: &mut Budget<'_>) -> Result<Vec<Move>, Exhausted> {
    let mut all = Vec::with_capacity(left.len().max(right.len()));
    for one in left {
        for other in right {
            budget.poll()?;
            all.extend(one.and(other));
        }
    }
    Ok(all)
}

/// Leaves out moves that another one is as good as.
fn best(mut moves: Vec<Move>, budget: &mut Budget<'_>) -> Result<Vec<Move>, Exhausted> {
    // A better move is a smaller one.
    moves.sort_by_cached_key(|step| (step.size(), step.clone()));
    moves.dedup();
    let mut kept: Vec<Move> = Vec::with_capacity(moves.len());
    let mut summaries: Vec<[u64; 2]> = Vec::with_capacity(moves.len());
    for step in moves {
        budget.poll()?;
        let summary = step.cube.summary();
        let is_as_good = |(other, &few): (&Move, &[u64; 2])| {
            may_imply(summary, few) && other.is_as_good_as(&step)
        };
        if !kept.iter().zip(&summaries).any(is_as_good) {
            kept.push(step);
            summaries.push(summary);
        }
    }
    Ok(kept)
}
