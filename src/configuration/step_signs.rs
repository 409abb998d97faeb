//! What steps can show when letters are free: the letters that allow a step,
//! and the signs among them.
//!
//! A step of a configuration is allowed by many letters, and a cycle may take it
//! once with each of them. So a step has a *guard*, the set of letters that
//! allow it, and shows every sign that is consistent with its guard. To do
//! without a sign is to conjoin its negation to the guard; nothing may be left
//! then, and the step cannot be taken.
//!
//! Questions about letters are answered by finding one. Each letter that was
//! found answers many later questions, so all are kept.

use super::group::Groups;
use super::step::Stepper;
use crate::bdd::Diagrams;
use crate::id::{Id, IdVec, define_id};
use crate::ltl::nnf::Node;
use crate::lwaa::{Leaf, TransitionId, Transitions};
use crate::recurrence::Recurrence;
use crate::search::limits::{Budget, Exhausted};
use crate::search::signs::Signs;
use crate::search::{Label, SignId};
use crate::sets::Sets;
use crate::word::{AtomId, Letter};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// The set of letters that allow a step, as formulas about atoms of which
    /// all have to hold.
    pub(super) struct GuardId;
}

/// What is known of signs and guards.
#[derive(Debug)]
pub(super) struct StepSigns {
    recurrence: Recurrence,
    /// What it takes to show a sign, and not to show it.
    predicates: IdVec<SignId, [TransitionId; 2]>,
    guards: Sets<GuardId, TransitionId>,
    /// What letters that are allowed by a guard show.
    letters: IdVec<GuardId, Vec<Signs>>,
    /// Signs that a guard does not allow without others, when that was asked
    /// last.
    refused: IdVec<GuardId, (Signs, Signs)>,
    /// What a guard allows without some signs.
    known: HashMap<(GuardId, Signs), Option<Signs>, FxBuildHasher>,
}

/// Everything that is needed to find letters.
pub(super) struct Solver<'a, 'b, D: Diagrams> {
    pub(super) stepper: &'a mut Stepper,
    pub(super) groups: &'a mut Groups<D>,
    pub(super) budget: &'a mut Budget<'b>,
}

impl<D: Diagrams> Solver<'_, '_, D> {
    /// A letter that satisfies `conjuncts`.
    pub(super) fn solve(
        &mut self,
        conjuncts: impl IntoIterator<Item = TransitionId>,
    ) -> Result<Option<Letter>, Exhausted> {
        self.budget.poll()?;
        self.groups.find_letter(conjuncts, self.stepper, self.budget)
    }
}

impl StepSigns {
    /// `copies` are what [`predicates`] made of them.
    pub(super) fn new(
        recurrence: &Recurrence,
        copies: &[[TransitionId; 2]],
        stepper: &mut Stepper,
    ) -> Self {
        let predicates: IdVec<SignId, [TransitionId; 2]> =
            recurrence.signs().map(|(_, predicate)| copies[predicate.index()]).collect();
        for &[predicate, _] in &predicates {
            let atoms: Vec<AtomId> = stepper.atoms(predicate).collect();
            for atom in atoms {
                stepper.show(atom);
            }
        }
        Self {
            recurrence: recurrence.clone(),
            predicates,
            guards: Sets::new(),
            letters: IdVec::new(),
            refused: IdVec::new(),
            known: HashMap::default(),
        }
    }

    /// The label of steps with this guard, whose formulas are sorted.
    pub(super) fn label(&mut self, guard: &[TransitionId]) -> Label {
        let guard = self.guards.intern(guard);
        let n_signs = self.recurrence.n_signs();
        self.letters.grow_to(guard, Vec::new());
        self.refused.grow_to(guard, (Signs::none(n_signs), Signs::none(n_signs)));
        Label(guard.index() as u64)
    }

    /// The signs that steps with this label can show without others; nothing if
    /// they cannot be taken.
    pub(super) fn show<D: Diagrams>(
        &mut self,
        label: Label,
        without: &Signs,
        solver: &mut Solver<'_, '_, D>,
    ) -> Result<Option<&Signs>, Exhausted> {
        let key = (guard_of(label), without.clone());
        if !self.known.contains_key(&key) {
            let signs = self.compute(key.0, without, solver)?;
            self.known.insert(key.clone(), signs);
        }
        Ok(self.known[&key].as_ref())
    }

    fn compute<D: Diagrams>(
        &mut self,
        guard: GuardId,
        without: &Signs,
        solver: &mut Solver<'_, '_, D>,
    ) -> Result<Option<Signs>, Exhausted> {
        let mut signs = Signs::none(self.recurrence.n_signs());
        let allowed = self.letters[guard].iter().filter(|shown| !shown.meets(without));
        let n_allowed = allowed.map(|shown| signs.unite(shown)).count();
        let conjuncts = self.conjuncts(guard, without);
        if n_allowed == 0 {
            let Some(letter) = solver.solve(conjuncts.iter().copied())? else { return Ok(None) };
            signs.unite(&self.note(guard, &letter));
        }
        // What could not be shown without fewer signs cannot be shown now.
        let mut refused = match &self.refused[guard] {
            (before, refused) if before.is_subset_of(without) => refused.clone(),
            _ => Signs::none(self.recurrence.n_signs()),
        };
        let is_open =
            |sign: &SignId| ![&signs, &refused, without].iter().any(|set| set.contains(*sign));
        let open: Vec<SignId> =
            self.recurrence.signs().map(|(sign, _)| sign).filter(is_open).collect();
        // One letter for all of them; or else one for each half, and so on.
        let mut chunks = vec![&open[..]];
        while let Some(chunk) = chunks.pop() {
            if chunk.iter().all(|&sign| signs.contains(sign)) {
                continue;
            }
            let wanted = chunk.iter().map(|&sign| self.predicates[sign][0]);
            match solver.solve(conjuncts.iter().copied().chain(wanted))? {
                Some(letter) => {
                    signs.unite(&self.note(guard, &letter));
                }
                None => {
                    if let [sign] = *chunk {
                        refused.insert(sign);
                    } else {
                        let (first, second) = chunk.split_at(chunk.len() / 2);
                        chunks.extend([second, first]);
                    }
                }
            }
        }
        self.refused[guard] = (without.clone(), refused);
        Ok(Some(signs))
    }

    /// Keeps what a letter that `guard` allows shows.
    fn note(&mut self, guard: GuardId, letter: &Letter) -> Signs {
        let shown = self.recurrence.shown(|atom| letter.contains(atom));
        self.letters[guard].push(shown.clone());
        shown
    }

    /// What letters have to satisfy.
    fn conjuncts(&self, guard: GuardId, without: &Signs) -> Vec<TransitionId> {
        let guard = self.guards.elements(guard).iter().copied();
        guard.chain(without.iter().map(|sign| self.predicates[sign][1])).collect()
    }

    /// Those of `wanted` that one letter shows: all that can be shown, or else
    /// half of them and then as many others as possible, and so on.
    pub(super) fn pass<D: Diagrams>(
        &mut self,
        label: Label,
        without: &Signs,
        wanted: &Signs,
        solver: &mut Solver<'_, '_, D>,
    ) -> Result<Signs, Exhausted> {
        /// So many questions may be asked in vain before we leave it at what
        /// we have.
        const MAX_REFUSALS: usize = 256;
        let mut agreed = Signs::none(self.recurrence.n_signs());
        let Some(possible) = self.show(label, without, solver)?.cloned() else { return Ok(agreed) };
        let mut conjuncts = self.conjuncts(guard_of(label), without);
        let open: Vec<SignId> = wanted.iter().filter(|&sign| possible.contains(sign)).collect();
        let mut chunks = vec![&open[..]];
        let mut n_refusals = 0;
        while let Some(chunk) = chunks.pop() {
            let n_before = conjuncts.len();
            conjuncts.extend(chunk.iter().map(|&sign| self.predicates[sign][0]));
            if solver.solve(conjuncts.iter().copied())?.is_some() {
                for &sign in chunk {
                    agreed.insert(sign);
                }
                continue;
            }
            conjuncts.truncate(n_before);
            n_refusals += 1;
            if 1 < chunk.len() && (agreed.is_empty() || n_refusals < MAX_REFUSALS) {
                let (first, second) = chunk.split_at(chunk.len() / 2);
                chunks.extend([second, first]);
            }
        }
        Ok(agreed)
    }

    /// What a letter has to satisfy to show some signs without others.
    pub(super) fn asked<'a>(
        &'a self,
        shows: &'a Signs,
        without: &'a Signs,
    ) -> impl Iterator<Item = TransitionId> + 'a {
        let shows = shows.iter().map(|sign| self.predicates[sign][0]);
        shows.chain(without.iter().map(|sign| self.predicates[sign][1]))
    }
}

fn guard_of(label: Label) -> GuardId {
    GuardId::new(usize::try_from(label.0).expect("a label of ours"))
}

/// The predicates of `recurrence` and their negations as transition formulas.
pub(super) fn predicates(
    recurrence: &Recurrence,
    transitions: &mut Transitions,
) -> Vec<[TransitionId; 2]> {
    let nodes = recurrence.predicates();
    let mut copies = Vec::with_capacity(nodes.len());
    for id in nodes.ids() {
        let copy = copy(nodes.node(id), &copies, transitions);
        copies.push(copy);
    }
    copies
}

/// A predicate and its negation as transition formulas.
fn copy(
    node: Node<'_>,
    copies: &[[TransitionId; 2]],
    transitions: &mut Transitions,
) -> [TransitionId; 2] {
    let side = |list: &[crate::ltl::nnf::NodeId], negated: usize| -> Vec<TransitionId> {
        list.iter().map(|part| copies[part.index()][negated]).collect()
    };
    match node {
        Node::True => [Transitions::TRUE, Transitions::FALSE],
        Node::False => [Transitions::FALSE, Transitions::TRUE],
        Node::Literal { atom, positive } => {
            [positive, !positive].map(|positive| transitions.leaf(Leaf::Literal { atom, positive }))
        }
        Node::And(list) => {
            [transitions.and(&mut side(list, 0)), transitions.or(&mut side(list, 1))]
        }
        Node::Or(list) => [transitions.or(&mut side(list, 0)), transitions.and(&mut side(list, 1))],
        Node::Next(_) | Node::Until(..) | Node::Release(..) => {
            unreachable!("predicates are about one letter")
        }
    }
}
