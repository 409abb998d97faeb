//! The tableau of Gerth, Peled, Vardi and Wolper: from a formula to a
//! generalized automaton, one node for every way to make the obligations true.
//!
//! This is the *Nodeset* of [Wyk99], chapter 3 and listing A.1. A node knows which
//! subformulas it makes true now (`TFormulas`, our `now`) and which are asked
//! of its successors (`Next`). To expand is to take formulas from `New` until
//! none is left: a disjunction, `U` and `R` make two branches, a contradiction
//! ends one. Two nodes with equal `now` and `next` are one. Since what follows a
//! node depends on `next` only, every set of obligations is expanded once.
//!
//! An edge has the label and the acceptance sets of the node that it leads to,
//! and the first state of the automaton is [Wyk99]'s node *init*, which no edge leads
//! to. There is an acceptance set for each subformula `a U b`: the nodes that do not
//! contain it, or that contain `b`.
//!
//! Published counts are numbers of nodes, *init* left out, of formulas that
//! have not been simplified. We follow the original tableau in that a node
//! without obligations has a successor, the empty node, which counts; [Wyk99] stops
//! there and adds the same state as `AcceptAll` later.
//!
//! [Wyk99]: crate::references::wyk99

use super::bits::Bits;
use super::cube::Cube;
use super::draft::{Draft, Edge};
use super::nba::StateId;
use crate::id::{Id, IdVec, define_id};
use crate::ltl::nnf::{Nnf, Node, NodeId};
use crate::search::limits::{Budget, Exhausted};
use crate::sets::Sets;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A node of the tableau.
    struct EntryId;
}

define_id! {
    /// A set of formulas to be made true.
    struct ObligationsId;
}

/// A node of the tableau, fully expanded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Entry {
    /// The subformulas that are made true here.
    now: Bits,
    /// What is asked of the successors.
    next: ObligationsId,
}

/// A node that is being expanded.
#[derive(Clone)]
struct Branch {
    /// What is still to be made true; may contain what is in `now`.
    new: Vec<NodeId>,
    now: Bits,
    next: Vec<NodeId>,
    /// The literals in `now`.
    cube: Cube,
}

struct Tableau<'a> {
    nnf: &'a Nnf,
    entries: IdVec<EntryId, Entry>,
    /// The literals of each node.
    cubes: IdVec<EntryId, Cube>,
    by_value: HashMap<Entry, EntryId, FxBuildHasher>,
    obligations: Sets<ObligationsId, NodeId>,
    /// What the whole formula asks for.
    first: ObligationsId,
    /// The nodes that satisfy each set of obligations.
    expansions: IdVec<ObligationsId, Vec<EntryId>>,
    n_edges: u64,
}

/// The generalized automaton of `nnf`.
pub(super) fn translate(nnf: &Nnf, budget: &mut Budget<'_>) -> Result<Draft, Exhausted> {
    let tableau = Tableau::new(nnf, budget)?;
    let reachable = nnf.reachable();
    let untils: Vec<(NodeId, NodeId)> = nnf
        .nodes
        .ids()
        .filter(|&id| reachable[id])
        .filter_map(|id| match nnf.nodes.node(id) {
            Node::Until(_, right) => Some((id, right)),
            _ => None,
        })
        .collect();
    let states = tableau.entries.entries().map(|(id, entry)| {
        let sets = untils.iter().enumerate().filter(|(_, (until, right))| {
            !entry.now.contains(until.index()) || entry.now.contains(right.index())
        });
        let sets = sets.map(|(number, _)| number).collect();
        Edge { target: StateId::new(id.index() + 1), cube: tableau.cubes[id].clone(), sets }
    });
    let into: IdVec<EntryId, Edge> = states.collect();
    let leave = |obligations: ObligationsId| -> Vec<Edge> {
        tableau.expansions[obligations].iter().map(|&entry| into[entry].clone()).collect()
    };
    let mut edges: IdVec<StateId, Vec<Edge>> = IdVec::with_capacity(into.len() + 1);
    edges.push(leave(tableau.first));
    for entry in &tableau.entries {
        budget.poll()?;
        edges.push(leave(entry.next));
    }
    let initial = vec![StateId::new(0)];
    Ok(Draft { atoms: nnf.atoms.clone(), n_sets: untils.len(), initial, edges })
}

impl<'a> Tableau<'a> {
    fn new(nnf: &'a Nnf, budget: &mut Budget<'_>) -> Result<Self, Exhausted> {
        let mut obligations = Sets::new();
        let first = obligations.intern(&[nnf.root]);
        let mut tableau = Self {
            nnf,
            entries: IdVec::new(),
            cubes: IdVec::new(),
            by_value: HashMap::default(),
            obligations,
            first,
            expansions: IdVec::new(),
            n_edges: 0,
        };
        // The empty set has the first number, but need not occur.
        let empty = tableau.expansions.push(Vec::new());
        // Expansions name new sets of obligations, which have higher numbers.
        while tableau.expansions.len() < tableau.obligations.len() {
            let obligations = ObligationsId::new(tableau.expansions.len());
            let entries = tableau.expand(obligations, budget)?;
            tableau.expansions.push(entries);
        }
        if tableau.entries.iter().any(|entry| entry.next == empty) {
            tableau.expansions[empty] = tableau.expand(empty, budget)?;
        }
        Ok(tableau)
    }

    fn expand(
        &mut self,
        obligations: ObligationsId,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<EntryId>, Exhausted> {
        let new = self.obligations.elements(obligations).to_vec();
        let first = Branch { new, now: Bits::default(), next: Vec::new(), cube: Cube::truth() };
        let mut found = Vec::new();
        let mut seen = hashbrown::HashSet::with_hasher(FxBuildHasher);
        let mut open = vec![first];
        while let Some(branch) = open.pop() {
            budget.check(self.entries.len(), self.n_edges)?;
            let Some(branch) = self.follow(branch, &mut open) else {
                continue;
            };
            let entry = self.entry(branch);
            if seen.insert(entry) {
                found.push(entry);
                self.n_edges += 1;
            }
        }
        Ok(found)
    }

    /// Expands `branch` to its end, unless it is contradictory; other branches
    /// are left in `open`.
    fn follow(&self, mut branch: Branch, open: &mut Vec<Branch>) -> Option<Branch> {
        while let Some(id) = branch.new.pop() {
            if branch.now.contains(id.index()) {
                continue;
            }
            branch.now.insert(id.index());
            match self.nnf.nodes.node(id) {
                Node::True => (),
                Node::False => return None,
                Node::Literal { atom, positive } => {
                    branch.cube = branch.cube.and(&Cube::literal(atom, positive))?;
                }
                Node::And(list) => branch.new.extend(list),
                Node::Next(argument) => branch.next.push(argument),
                Node::Or(list) => {
                    for &other in &list[1..] {
                        let mut copy = branch.clone();
                        copy.new.push(other);
                        open.push(copy);
                    }
                    branch.new.push(list[0]);
                }
                Node::Until(left, right) => {
                    let mut wait = branch.clone();
                    wait.new.push(left);
                    wait.next.push(id);
                    open.push(wait);
                    branch.new.push(right);
                }
                Node::Release(left, right) => {
                    branch.new.push(right);
                    let mut wait = branch.clone();
                    wait.next.push(id);
                    open.push(wait);
                    branch.new.push(left);
                }
            }
        }
        Some(branch)
    }

    /// The node that `branch` has become.
    fn entry(&mut self, branch: Branch) -> EntryId {
        let Branch { now, mut next, cube, .. } = branch;
        next.sort_unstable();
        next.dedup();
        let entry = Entry { now, next: self.obligations.intern(&next) };
        let (entries, cubes) = (&mut self.entries, &mut self.cubes);
        *self.by_value.entry(entry).or_insert_with_key(|entry| {
            cubes.push(cube);
            entries.push(entry.clone())
        })
    }
}
