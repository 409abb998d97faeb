//! One step of a configuration: units first, then independent parts.
//!
//! The step formula of a configuration is the conjunction of the transition
//! formulas of its locations. Most conjuncts are single leaves; they are set
//! in the other conjuncts until nothing changes. When the letter is free, an
//! atom that occurs with one sign only is given that sign, which loses no
//! successor. What is left falls into groups that share no variable, and the
//! successors of the configuration are the product of those of the groups.

use super::encoding::{Encoding, Variable, VariableId};
use crate::dag::Shape;
use crate::id::{Id, IdVec};
use crate::lwaa::{Leaf, LocationId, TransitionId, Transitions};
use crate::sets::distinct;
use crate::word::{AtomId, Letter};
use rustc_hash::FxBuildHasher;

/// What a step asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// Locations in every successor, sorted.
    pub(super) locations: Vec<LocationId>,
    /// Loops taken on the way to every successor, sorted.
    pub(super) loops: Vec<LocationId>,
    /// Atoms that are true on the way to every successor, by necessity or by
    /// choice. Those of the groups are missing.
    pub(super) atoms: Letter,
    /// The atoms of signs that have a value on the way to every successor, as
    /// literals.
    pub(super) fixed: Vec<TransitionId>,
    /// Conjuncts that share variables, each group sorted.
    pub(super) groups: Vec<Vec<TransitionId>>,
}

/// What a step reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input<'a> {
    /// This letter.
    Letter(Reading<'a>),
    /// Any letter; which one does not matter.
    Some,
    /// Any letter; but letters that differ in atoms of signs are different.
    Each,
}

/// A letter, as far as it matters to a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    /// All atoms that occur in the step, sorted.
    pub(super) atoms: &'a [AtomId],
    /// Those that are true, sorted.
    pub(super) true_atoms: &'a [AtomId],
}

/// The working memory of all steps.
#[derive(Debug)]
pub(super) struct Stepper {
    encoding: Encoding,
    /// The transition formulas of the automaton, and what they become when
    /// variables are set.
    transitions: Transitions,
    /// The literals that occur in a formula, for formulas that needed them.
    supports: IdVec<TransitionId, Option<Box<[Literal]>>>,
    /// Values set in this step.
    values: IdVec<VariableId, Option<bool>>,
    /// Variables with a value, in the order in which they got it.
    trail: Vec<VariableId>,
    /// The conjuncts that a variable occurs in, as positions in `compounds`;
    /// some may have been replaced since.
    occurrences: IdVec<VariableId, Vec<u32>>,
    /// The variables with occurrences.
    occurring: Vec<VariableId>,
    /// Disjunctions that are conjuncts of the step, or nothing where one has
    /// been replaced.
    compounds: Vec<Option<TransitionId>>,
    seen: Marked<TransitionId>,
    /// How often each atom occurs in `compounds`, negated and as it is.
    n_uses: IdVec<VariableId, [u32; 2]>,
    /// Atoms whose number of uses has changed.
    maybe_pure: Vec<VariableId>,
    /// Variables whose conjuncts are in a group.
    reached: Marked<VariableId>,
    /// The atoms of signs.
    shown: IdVec<VariableId, bool>,
    results: Results,
    /// Conjuncts to be looked at.
    open: Vec<TransitionId>,
}

/// A variable and whether it is asked to be true.
type Literal = (VariableId, bool);

/// A step has no successor.
pub(super) struct Contradiction;

impl Stepper {
    pub(super) fn new(encoding: Encoding, transitions: Transitions) -> Self {
        let n_variables = encoding.n_variables();
        Self {
            encoding,
            transitions,
            supports: IdVec::new(),
            values: IdVec::filled(None, n_variables),
            trail: Vec::new(),
            occurrences: IdVec::filled(Vec::new(), n_variables),
            occurring: Vec::new(),
            compounds: Vec::new(),
            seen: Marked::default(),
            n_uses: IdVec::filled([0; 2], n_variables),
            maybe_pure: Vec::new(),
            reached: Marked::default(),
            shown: IdVec::filled(false, n_variables),
            results: Results::default(),
            open: Vec::new(),
        }
    }

    /// Notes that signs are about `atom`.
    pub(super) fn show(&mut self, atom: AtomId) {
        let variable = self.encoding.atom(atom);
        self.shown[variable] = true;
    }

    /// Whether signs are about `variable`.
    pub(super) fn is_shown(&self, variable: VariableId) -> bool {
        self.shown[variable]
    }

    pub(super) fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    pub(super) fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// The same, to be added to.
    pub(super) fn transitions_mut(&mut self) -> &mut Transitions {
        &mut self.transitions
    }

    /// The step in which all of `conjuncts` hold.
    pub(super) fn step(
        &mut self,
        conjuncts: impl IntoIterator<Item = TransitionId>,
        input: Input<'_>,
    ) -> Result<Parts, Contradiction> {
        self.reset();
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        open.extend(conjuncts);
        let result = self.propagate_all(&mut open, input);
        self.open = open;
        result.map(|()| self.parts())
    }

    /// Sets all values that follow from `open`, until nothing changes.
    fn propagate_all(
        &mut self,
        open: &mut Vec<TransitionId>,
        input: Input<'_>,
    ) -> Result<(), Contradiction> {
        if let Input::Letter(Reading { atoms, true_atoms }) = input {
            for &atom in atoms {
                let value = true_atoms.binary_search(&atom).is_ok();
                self.assign(self.encoding.atom(atom), value)?;
            }
        }
        let mut propagated = 0;
        loop {
            self.open_all(open)?;
            if propagated < self.trail.len() {
                self.propagate(&mut propagated, open);
            } else if !self.assign_pure_literals(input)? {
                return Ok(());
            }
        }
    }

    fn reset(&mut self) {
        for variable in self.trail.drain(..) {
            self.values[variable] = None;
        }
        for variable in self.occurring.drain(..) {
            self.occurrences[variable].clear();
            self.n_uses[variable] = [0; 2];
        }
        self.maybe_pure.clear();
        self.compounds.clear();
        self.seen.clear(self.transitions.len());
    }

    fn assign(&mut self, variable: VariableId, value: bool) -> Result<(), Contradiction> {
        match self.values[variable] {
            None => {
                self.values[variable] = Some(value);
                self.trail.push(variable);
                Ok(())
            }
            Some(old) if old == value => Ok(()),
            Some(_) => Err(Contradiction),
        }
    }

    /// Sorts the open conjuncts into values and disjunctions.
    fn open_all(&mut self, open: &mut Vec<TransitionId>) -> Result<(), Contradiction> {
        while let Some(id) = open.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            match self.transitions.shape(id) {
                Shape::Leaf(Leaf::True) => (),
                Shape::Leaf(Leaf::False) => return Err(Contradiction),
                Shape::Leaf(leaf) => {
                    let (variable, value) =
                        self.encoding.of_leaf(leaf).expect("constants are handled above");
                    self.assign(variable, value)?;
                }
                Shape::And(list) => open.extend(list.iter().rev()),
                Shape::Or(_) => self.add_compound(id, open),
            }
        }
        Ok(())
    }

    /// Adds a disjunction, or pushes to `open` what the values make of it.
    fn add_compound(&mut self, id: TransitionId, open: &mut Vec<TransitionId>) {
        self.compute_support(id);
        let support = known(&self.supports, id);
        if support.iter().any(|&(variable, _)| self.values[variable].is_some()) {
            open.push(self.restrict(id));
            return;
        }
        let position = u32::try_from(self.compounds.len()).expect("fewer than 2^32 conjuncts");
        for &(variable, _) in support {
            let positions = &mut self.occurrences[variable];
            if positions.is_empty() {
                self.occurring.push(variable);
            }
            // An atom that occurs with both signs is in the support twice.
            if positions.last() != Some(&position) {
                positions.push(position);
            }
        }
        self.compounds.push(Some(id));
        self.count_uses(id, true);
    }

    /// Takes the disjunctions out in which variables occur that have got a
    /// value since `propagated`, and pushes to `open` what is left of them.
    fn propagate(&mut self, propagated: &mut usize, open: &mut Vec<TransitionId>) {
        let first = open.len();
        while let Some(&variable) = self.trail.get(*propagated) {
            *propagated += 1;
            // What is removed from the list keeps its place in memory.
            for position in self.occurrences[variable].drain(..) {
                open.extend(self.compounds[position as usize].take());
            }
        }
        // Once for all values: a wide disjunction loses many operands at once.
        for conjunct in &mut open[first..] {
            self.count_uses(*conjunct, false);
            *conjunct = self.restrict(*conjunct);
        }
    }

    /// What the values of this step make of a formula.
    fn restrict(&mut self, id: TransitionId) -> TransitionId {
        let values = &self.values;
        let value = |variable: VariableId| values[variable];
        let result = self.results.restrict(id, &mut self.transitions, &self.encoding, value);
        self.seen.grow_to(self.transitions.len());
        result
    }

    /// What is left of a formula if exactly the locations and loops that
    /// satisfy `chosen` are true.
    pub(super) fn restrict_to_atoms(
        &mut self,
        id: TransitionId,
        chosen: impl Fn(Variable) -> bool,
    ) -> TransitionId {
        let encoding = &self.encoding;
        let value = |variable: VariableId| {
            (!encoding.is_atom(variable)).then(|| chosen(encoding.variable(variable)))
        };
        self.results.restrict(id, &mut self.transitions, encoding, value)
    }

    /// Gives every atom that occurs only as it is, or only negated, the value
    /// that is asked for, if the letter is ours to choose. Says whether there
    /// was one.
    fn assign_pure_literals(&mut self, input: Input<'_>) -> Result<bool, Contradiction> {
        let choose_all = match input {
            Input::Letter(_) => return Ok(false),
            Input::Some => true,
            Input::Each => false,
        };
        let before = self.trail.len();
        while let Some(variable) = self.maybe_pure.pop() {
            let [n_negative, n_positive] = self.n_uses[variable];
            let is_pure = (n_negative == 0) != (n_positive == 0);
            let may_choose = choose_all || !self.shown[variable];
            if is_pure && may_choose && self.values[variable].is_none() {
                self.assign(variable, n_negative == 0)?;
            }
        }
        Ok(before < self.trail.len())
    }

    /// Counts the literals of a conjunct that comes, or no longer those of one
    /// that goes. Atoms that may have only one sign now are looked at later.
    fn count_uses(&mut self, id: TransitionId, comes: bool) {
        for &(variable, value) in known(&self.supports, id) {
            if self.encoding.is_atom(variable) {
                let n = &mut self.n_uses[variable][usize::from(value)];
                *n = if comes { *n + 1 } else { *n - 1 };
                self.maybe_pure.push(variable);
            }
        }
    }

    /// Collects the result of a step.
    fn parts(&mut self) -> Parts {
        let mut parts = Parts::default();
        for &variable in &self.trail {
            match self.encoding.variable(variable) {
                Variable::Atom(atom) => {
                    let positive = self.values[variable] == Some(true);
                    parts.atoms.set(atom, positive);
                    if self.shown[variable] {
                        let literal = Leaf::Literal { atom, positive };
                        parts.fixed.push(self.transitions.leaf(literal));
                    }
                }
                Variable::Location(location) => parts.locations.push(location),
                Variable::Loop(location) => parts.loops.push(location),
            }
        }
        parts.locations.sort_unstable();
        parts.loops.sort_unstable();
        parts.groups = self.groups();
        parts
    }

    /// The disjunctions in groups that share no variable.
    fn groups(&mut self) -> Vec<Vec<TransitionId>> {
        let mut groups = Vec::new();
        self.reached.clear(self.values.len());
        for first in 0..self.compounds.len() {
            let mut open: Vec<TransitionId> = self.compounds[first].take().into_iter().collect();
            let mut group = Vec::new();
            while let Some(id) = open.pop() {
                group.push(id);
                for &(variable, _) in known(&self.supports, id) {
                    if !self.reached.insert(variable) {
                        continue;
                    }
                    for &neighbour in &self.occurrences[variable] {
                        open.extend(self.compounds[neighbour as usize].take());
                    }
                }
            }
            if group.is_empty() {
                continue;
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    /// The atoms of `id`; some may be listed twice.
    pub(super) fn atoms(&mut self, id: TransitionId) -> impl Iterator<Item = AtomId> + '_ {
        self.compute_support(id);
        known(&self.supports, id).iter().filter_map(|&(variable, _)| {
            match self.encoding.variable(variable) {
                Variable::Atom(atom) => Some(atom),
                _ => None,
            }
        })
    }

    /// The literals of `id`, in increasing order.
    pub(super) fn support(&mut self, id: TransitionId) -> &[Literal] {
        self.compute_support(id);
        known(&self.supports, id)
    }

    /// The variables of some formulas, in increasing order.
    pub(super) fn variables(&mut self, ids: &[TransitionId]) -> Vec<VariableId> {
        let mut variables = Vec::new();
        for &id in ids {
            variables.extend(self.support(id).iter().map(|&(variable, _)| variable));
        }
        distinct(variables)
    }

    fn compute_support(&mut self, id: TransitionId) {
        self.supports.grow_to(id, None);
        if self.supports[id].is_some() {
            return;
        }
        let mut literals = Vec::new();
        let mut seen = hashbrown::HashSet::with_hasher(FxBuildHasher);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.transitions.shape(id) {
                Shape::Leaf(leaf) => literals.extend(self.encoding.of_leaf(leaf)),
                shape => open.extend(shape.operands().iter().filter(|&&part| seen.insert(part))),
            }
        }
        self.supports[id] = Some(distinct(literals).into());
    }
}

/// A set of ids that is emptied in constant time.
#[derive(Debug)]
pub(super) struct Marked<I> {
    rounds: IdVec<I, u32>,
    round: u32,
}

impl<I: Id> Default for Marked<I> {
    fn default() -> Self {
        Self { rounds: IdVec::new(), round: 0 }
    }
}

impl<I: Id> Marked<I> {
    /// Empties the set and makes room for so many ids.
    pub(super) fn clear(&mut self, n_ids: usize) {
        if self.round == u32::MAX {
            *self = Self::default();
        }
        self.round += 1;
        self.grow_to(n_ids);
    }

    fn grow_to(&mut self, n_ids: usize) {
        if let Some(last) = n_ids.checked_sub(1) {
            self.rounds.grow_to(I::new(last), 0);
        }
    }

    pub(super) fn contains(&self, id: I) -> bool {
        self.rounds.get(id) == Some(&self.round)
    }

    /// Says whether it is new.
    pub(super) fn insert(&mut self, id: I) -> bool {
        std::mem::replace(&mut self.rounds[id], self.round) != self.round
    }
}

/// The support of `id`, which has been computed.
fn known(supports: &IdVec<TransitionId, Option<Box<[Literal]>>>, id: TransitionId) -> &[Literal] {
    supports[id].as_deref().expect("supports are computed before they are used")
}

/// What formulas become when variables are set.
#[derive(Debug, Default)]
struct Results {
    /// The result for a formula, and in which round it was found.
    results: IdVec<TransitionId, (u32, TransitionId)>,
    round: u32,
    open: Vec<TransitionId>,
    operands: Vec<TransitionId>,
}

impl Results {
    fn restrict(
        &mut self,
        root: TransitionId,
        transitions: &mut Transitions,
        encoding: &Encoding,
        value: impl Fn(VariableId) -> Option<bool>,
    ) -> TransitionId {
        // Operands have smaller ids than the formulas that use them.
        if self.round == u32::MAX {
            *self = Self::default();
        }
        self.results.grow_to(root, (0, root));
        self.round += 1;
        self.open.push(root);
        while let Some(&id) = self.open.last() {
            if self.known(id).is_some() {
                self.open.pop();
                continue;
            }
            let result = match transitions.shape(id) {
                Shape::Leaf(leaf) => {
                    let value = encoding
                        .of_leaf(leaf)
                        .and_then(|(variable, asked)| value(variable).map(|value| value == asked));
                    match value {
                        None => id,
                        Some(true) => Transitions::TRUE,
                        Some(false) => Transitions::FALSE,
                    }
                }
                shape => {
                    self.operands.clear();
                    let pending = self.open.len();
                    for &part in shape.operands() {
                        match self.known(part) {
                            Some(result) => self.operands.push(result),
                            None => self.open.push(part),
                        }
                    }
                    if pending < self.open.len() {
                        continue;
                    }
                    if let Shape::And(_) = shape {
                        transitions.and(&mut self.operands)
                    } else {
                        transitions.or(&mut self.operands)
                    }
                }
            };
            self.open.pop();
            self.results[id] = (self.round, result);
        }
        self.results[root].1
    }

    fn known(&self, id: TransitionId) -> Option<TransitionId> {
        let (round, result) = self.results[id];
        (round == self.round).then_some(result)
    }
}
