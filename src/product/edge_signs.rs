//! What the edges of a product show: signs that depend on the state, on what is
//! taken, or on both.
//!
//! A predicate is taken apart at its outermost disjunction. What is about the
//! state only is evaluated once per visit of a node, what is about the action
//! only once per action; weak fairness, `!enabled | taken`, is half and half.
//! Only what needs both at once is evaluated edge by edge. The label of an edge
//! names a row for the state, interned, and an action.

use super::actions::{ActionId, Actions};
use crate::id::{Id, IdVec};
use crate::ltl::nnf::{Node, NodeId, Nodes};
use crate::recurrence::Recurrence;
use crate::search::signs::Signs;
use crate::search::{Label, SignId};
use crate::store::StateId;
use crate::store::exact::Exact;
use crate::system::is_observed;
use crate::word::AtomId;

/// The signs that edges show.
#[derive(Debug)]
pub(super) struct EdgeSigns {
    n_signs: usize,
    predicates: Nodes,
    /// What a state shows if no atom is true in it, as far as single atoms
    /// decide that; and what an atom that is true adds and takes away. Few atoms
    /// are true in a state, so this is much less than looking at all of them.
    basis: Vec<u64>,
    adds: IdVec<AtomId, Vec<SignId>>,
    removes: IdVec<AtomId, Vec<SignId>>,
    about_state: Predicates,
    about_action: Predicates,
    about_both: Predicates,
    /// What states show; followed by all atoms if something is about both.
    rows: Exact,
    /// The row of the current state.
    row: Vec<u64>,
    /// What actions show.
    actions: IdVec<ActionId, Option<Signs>>,
    /// The atoms of the current edge.
    bits: Vec<u64>,
}

/// Some predicates, and what to evaluate for them.
#[derive(Debug, Default)]
struct Predicates {
    signs: Vec<(NodeId, SignId)>,
    /// All that they are made of, operands first.
    order: Vec<NodeId>,
    /// What is true, of those.
    truths: IdVec<NodeId, bool>,
}

impl EdgeSigns {
    /// The signs of `recurrence`, where `is_action` knows the atoms about what
    /// is taken.
    pub(super) fn new(recurrence: &Recurrence, is_action: &IdVec<AtomId, bool>) -> Self {
        let (n_signs, n_atoms) = (recurrence.n_signs(), is_action.len());
        let n_atom_words = n_atoms.div_ceil(64).max(1);
        let predicates = recurrence.predicates().clone();
        let mut shown = Self {
            n_signs,
            predicates,
            basis: vec![0; n_signs.div_ceil(64)],
            adds: IdVec::filled(Vec::new(), n_atoms),
            removes: IdVec::filled(Vec::new(), n_atoms),
            about_state: Predicates::default(),
            about_action: Predicates::default(),
            about_both: Predicates::default(),
            rows: Exact::new(0),
            row: Vec::new(),
            actions: IdVec::new(),
            bits: vec![0; n_atom_words],
        };
        let uses = uses(&shown.predicates, is_action);
        for (sign, predicate) in recurrence.signs() {
            shown.add(sign, predicate, &uses);
        }
        for list in [&mut shown.about_state, &mut shown.about_action, &mut shown.about_both] {
            list.set_order(&shown.predicates);
        }
        let n_more = if shown.about_both.signs.is_empty() { 0 } else { n_atom_words };
        let n_words = n_signs.div_ceil(64) + n_more;
        (shown.rows, shown.row) = (Exact::new(n_words), vec![0; n_words]);
        shown
    }

    /// Adds a sign, part by part of its predicate.
    fn add(&mut self, sign: SignId, predicate: NodeId, uses: &IdVec<NodeId, Uses>) {
        let whole = [predicate];
        let parts = match self.predicates.node(predicate) {
            Node::Or(list) => list,
            _ => &whole,
        };
        let n_about_state = parts.iter().filter(|&&part| uses[part].state).count();
        for &part in parts {
            match (uses[part], self.predicates.node(part)) {
                (Uses { action: false, .. }, Node::Literal { atom, positive: true }) => {
                    self.adds[atom].push(sign);
                }
                // What is taken away must not have been there for another
                // reason.
                (Uses { action: false, .. }, Node::Literal { atom, positive: false })
                    if n_about_state == 1 =>
                {
                    self.basis[sign.index() / 64] |= 1 << (sign.index() % 64);
                    self.removes[atom].push(sign);
                }
                (Uses { action: false, .. }, _) => self.about_state.signs.push((part, sign)),
                (Uses { state: false, .. }, _) => self.about_action.signs.push((part, sign)),
                _ => self.about_both.signs.push((part, sign)),
            }
        }
    }

    /// What a state shows.
    pub(super) fn row(&mut self, observed: &[u64]) -> StateId {
        let n_sign_words = self.n_signs.div_ceil(64);
        self.row[..n_sign_words].copy_from_slice(&self.basis);
        for (number, &word) in observed.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let atom = AtomId::new(number * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
                for sign in &self.removes[atom] {
                    self.row[sign.index() / 64] &= !(1 << (sign.index() % 64));
                }
                for sign in &self.adds[atom] {
                    self.row[sign.index() / 64] |= 1 << (sign.index() % 64);
                }
            }
        }
        self.about_state.evaluate(&self.predicates, observed, &mut self.row);
        for (word, &bits) in self.row[n_sign_words..].iter_mut().zip(observed) {
            *word = bits;
        }
        self.rows.intern(&self.row)
    }

    /// Bytes that the next new row may take at once.
    pub(super) fn growth(&self) -> usize {
        self.rows.growth()
    }

    /// The label of an edge.
    pub(super) fn label(row: StateId, action: ActionId) -> Label {
        Label((row.index() as u64) << 32 | action.index() as u64)
    }

    /// Adds what an edge shows to `signs` unless it is one of `without`. Says
    /// whether it was added.
    #[inline]
    pub(super) fn show(
        &mut self,
        Label(label): Label,
        without: &Signs,
        signs: &mut Signs,
        actions: &Actions,
    ) -> bool {
        let half = |bits: u64| usize::try_from(bits & u64::from(u32::MAX)).expect("32 bits");
        let (row, action) = (StateId::new(half(label >> 32)), ActionId::new(half(label)));
        self.compute_action(action, actions);
        if !self.about_both.signs.is_empty() {
            return self.show_slowly(row, action, without, signs, actions);
        }
        let row = self.rows.state(row);
        let action = self.actions[action].as_ref().map_or(&[][..], Signs::words);
        let shown = || row.iter().zip(action).map(|(a, b)| a | b);
        if shown().zip(without.words()).any(|(shown, without)| shown & without != 0) {
            return false;
        }
        signs.words_mut().iter_mut().zip(shown()).for_each(|(word, shown)| *word |= shown);
        true
    }

    fn compute_action(&mut self, action: ActionId, actions: &Actions) {
        if self.actions.get(action).is_some_and(Option::is_some) {
            return;
        }
        self.actions.grow_to(action, None);
        let mut shown = Signs::none(self.n_signs);
        self.about_action.evaluate(&self.predicates, actions.taken(action), shown.words_mut());
        self.actions[action] = Some(shown);
    }

    /// The same as `show`, where some predicates need state and action.
    fn show_slowly(
        &mut self,
        row: StateId,
        action: ActionId,
        without: &Signs,
        signs: &mut Signs,
        actions: &Actions,
    ) -> bool {
        let (row, observed) = self.rows.state(row).split_at(self.n_signs.div_ceil(64));
        let mut shown = self.actions[action].clone().unwrap_or_default();
        shown.words_mut().iter_mut().zip(row).for_each(|(word, &more)| *word |= more);
        self.bits.copy_from_slice(observed);
        self.bits.iter_mut().zip(actions.taken(action)).for_each(|(word, &more)| *word |= more);
        self.about_both.evaluate(&self.predicates, &self.bits, shown.words_mut());
        let can_show = !shown.meets(without);
        if can_show {
            signs.unite(&shown);
        }
        can_show
    }
}

impl Predicates {
    fn set_order(&mut self, nodes: &Nodes) {
        let mut is_needed: IdVec<NodeId, bool> = IdVec::filled(false, nodes.len());
        self.signs.iter().for_each(|&(predicate, _)| is_needed[predicate] = true);
        for id in nodes.ids().rev() {
            if is_needed[id] {
                nodes.children(id).for_each(|part| is_needed[part] = true);
            }
        }
        self.order = nodes.ids().filter(|&id| is_needed[id]).collect();
        self.truths = IdVec::filled(false, nodes.len());
    }

    /// Adds to `row` the signs of the predicates that are true of `bits`.
    fn evaluate(&mut self, nodes: &Nodes, bits: &[u64], row: &mut [u64]) {
        let truths = &mut self.truths;
        for &id in &self.order {
            truths[id] = match nodes.node(id) {
                Node::True => true,
                Node::Literal { atom, positive } => is_observed(bits, atom) == positive,
                Node::And(list) => list.iter().all(|&part| truths[part]),
                Node::Or(list) => list.iter().any(|&part| truths[part]),
                // Predicates are about one letter.
                Node::False | Node::Next(_) | Node::Until(..) | Node::Release(..) => false,
            };
        }
        for &(predicate, sign) in &self.signs {
            row[sign.index() / 64] |= u64::from(truths[predicate]) << (sign.index() % 64);
        }
    }
}

/// What kinds of atoms a predicate has.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    state: bool,
    action: bool,
}

fn uses(predicates: &Nodes, is_action: &IdVec<AtomId, bool>) -> IdVec<NodeId, Uses> {
    let mut uses: IdVec<NodeId, Uses> = IdVec::with_capacity(predicates.len());
    for id in predicates.ids() {
        let mut both = Uses::default();
        if let Node::Literal { atom, .. } = predicates.node(id) {
            both = Uses { state: !is_action[atom], action: is_action[atom] };
        }
        for part in predicates.children(id) {
            both.state |= uses[part].state;
            both.action |= uses[part].action;
        }
        uses.push(both);
    }
    uses
}
