//! Configurations of an automaton, and the graph of their steps, built on
//! demand.
//!
//! A configuration is a set of locations, all of which must accept the rest of
//! the word. For every letter, its successors are the *jointly minimal* pairs
//! of a configuration and a set of loops: the minimal models of the step
//! formula over locations and loops. [Ham04] (theorem 1) takes configurations
//! that are minimal by themselves, which loses runs: for `G X F G p` the word
//! `p p p …` would be rejected. The marks of an edge are the loops that it
//! does *not* take.
//!
//! With [`Labels::Simple`] there are no loops, and an edge is missing the mark
//! of every until location in its target ([Ham04], section 3.3).
//!
//! A step is taken under a *label*: a letter, or [`LabelId::ANY`], under which
//! an edge exists if some letter allows it. [`ConfigurationGraph::letter`] finds
//! such a letter when it is asked for. [`reading`] gives the labels from a word.
//! If letters are free and show signs, an edge shows what its letters show.
//!
//! [Ham04]: crate::references::ham04

mod combination;
mod direct;
mod empty_sets;
mod encoding;
mod graph;
mod group;
pub mod minimal;
mod order;
mod quantify;
pub mod reading;
mod solver;
mod step;
mod step_signs;

use crate::bdd::Diagrams;
use crate::id::{Id, IdVec, define_id};
use crate::ltl::distance::Needs;
use crate::lwaa::{Leaf, LocationId, Lwaa, TransitionId};
use crate::recurrence::Recurrence;
use crate::search::limits::{Budget, Exhausted};
use crate::search::signs::Signs;
use crate::search::{Label, MarkId, MarkSets, MarksId};
use crate::sets::{Sets, distinct};
use crate::word::{AtomId, Distance, Letter};
use combination::Combination;
use empty_sets::Refuted;
use encoding::{Encoding, Variable};
use group::{GroupId, Groups};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use step::{Input, Parts, Reading, Stepper};
use step_signs::StepSigns;

define_id! {
    /// A configuration, as numbered by a [`ConfigurationGraph`].
    pub struct ConfigId;
}

define_id! {
    /// What a step may read: any letter, or one letter, reduced to the atoms
    /// that matter to the current configuration.
    pub struct LabelId;
}

impl LabelId {
    /// Any letter.
    pub const ANY: Self = Self(0);
}

define_id! {
    /// The steps out of a configuration under a label.
    #[derive(Default)]
    pub struct StepId;
}

/// A successor of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The configuration after the step.
    pub target: ConfigId,
    /// The marks that the step does not earn.
    pub missing: MarksId,
    /// What the step can show, if letters are free.
    pub label: Label,
}

/// How accepting cycles are recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Labels {
    /// By the loops that each step takes. Always correct.
    #[default]
    Exact,
    /// By the until locations missing from configurations. Correct for
    /// automata in which X is in front of atoms only, built without
    /// reduction.
    Simple,
}

/// How the steps of groups of conjuncts are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Successors {
    /// With decision diagrams, if they are not too large.
    Bdd,
    /// Directly: what the conjuncts offer is combined, and what is not minimal
    /// is left out.
    Direct,
    /// With a SAT solver, unless signs are about atoms of the group. Groups whose diagrams are
    /// too large are solved like that in any case.
    Sat,
}

/// Counters of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Configurations numbered.
    pub configurations: usize,
    /// Questions answered from what was known: edges computed earlier, and
    /// groups of conjuncts solved for another configuration.
    pub cache_hits: u64,
    /// Questions that had to be computed.
    pub cache_misses: u64,
    /// How often a configuration was not entered, or not to the end, because it
    /// contains what accepts nothing.
    pub spared: u64,
}

/// The configurations reached so far and the steps between them.
#[derive(Debug)]
pub struct ConfigurationGraph<'a, D: Diagrams> {
    lwaa: &'a Lwaa,
    labels: Labels,
    configurations: Sets<ConfigId, LocationId>,
    marks: MarkSets,
    stepper: Stepper,
    groups: Groups<D>,
    /// What is known to accept nothing.
    refuted: Refuted,
    /// What free letters show, if that matters.
    shown: Option<StepSigns>,
    /// What is asked of every step under a free letter: that a predicate holds,
    /// or that a loop is taken which stands for its not holding.
    recurring: Vec<TransitionId>,
    /// Whether signs are about atoms of these.
    recurring_is_shown: bool,
    /// The letters of labels, as the atoms that are true. The label of a
    /// letter has the next higher number, since zero means any letter.
    letters: Sets<LabelId, AtomId>,
    /// The atoms of each configuration, where they have been asked for.
    atoms: IdVec<ConfigId, Option<Box<[AtomId]>>>,
    /// What is known of the successors under [`LabelId::ANY`].
    free_steps: IdVec<ConfigId, Option<StepId>>,
    /// What is known of the successors under letters.
    read_steps: HashMap<(ConfigId, LabelId), StepId, FxBuildHasher>,
    steps: IdVec<StepId, CachedStep>,
    /// Steps whose successors are all known, oldest first.
    finished: std::collections::VecDeque<StepId>,
    /// How many finished steps keep their successors.
    cache_size: usize,
    hits: u64,
    misses: u64,
    /// Whether the empty configuration, which is always numbered, has been met.
    reached_empty: bool,
    /// How far locations are from being satisfied, once that has been asked for.
    needs: Option<Box<Needs>>,
}

/// What is known of the successors of a configuration under a label.
#[derive(Debug)]
struct CachedStep {
    config: ConfigId,
    label: LabelId,
    /// Most steps of large graphs have one.
    successors: SmallVec<[Successor; 1]>,
    source: Option<Box<Source>>,
    finished: bool,
}

/// Where further successors come from.
#[derive(Debug)]
struct Source {
    /// What every successor has.
    locations: Vec<LocationId>,
    loops: Vec<LocationId>,
    /// One model of each group at a time.
    models: Combination,
}

impl<'a, D: Diagrams> ConfigurationGraph<'a, D> {
    /// The graph that begins at the initial configuration of `lwaa`. Steps
    /// that need more than `max_capacity` diagram nodes are given up.
    #[must_use]
    pub fn new(lwaa: &'a Lwaa, labels: Labels, cache_size: usize, max_capacity: usize) -> Self {
        let encoding = Encoding::new(lwaa, 0);
        Self {
            lwaa,
            labels,
            configurations: Sets::new(),
            marks: MarkSets::new(),
            stepper: Stepper::new(encoding, lwaa.transitions().clone()),
            groups: Groups::new(max_capacity),
            refuted: Refuted::default(),
            shown: None,
            recurring: Vec::new(),
            recurring_is_shown: false,
            letters: Sets::new(),
            atoms: IdVec::new(),
            free_steps: IdVec::new(),
            read_steps: HashMap::default(),
            steps: IdVec::new(),
            finished: std::collections::VecDeque::new(),
            cache_size: cache_size.max(1),
            hits: 0,
            misses: 0,
            reached_empty: lwaa.initial().is_empty(),
            needs: None,
        }
    }

    /// The same graph, in which free letters show the signs of `recurrence`,
    /// whose atoms are among those of the automaton, and have to satisfy its
    /// plain predicates again and again: an edge whose letters cannot do that
    /// now misses a mark.
    #[must_use]
    pub fn with_signs(mut self, recurrence: &Recurrence) -> Self {
        let plain = recurrence.plain();
        let encoding = Encoding::new(self.lwaa, plain.len());
        self.stepper = Stepper::new(encoding, self.lwaa.transitions().clone());
        let predicates = step_signs::predicates(recurrence, self.stepper.transitions_mut());
        for (number, predicate) in plain.iter().enumerate() {
            let missing = LocationId::new(self.lwaa.n_locations() + number);
            let transitions = self.stepper.transitions_mut();
            let missing = transitions.leaf(Leaf::Loop(missing));
            let [predicate, _] = predicates[predicate.index()];
            self.recurring.push(transitions.or(&mut [predicate, missing]));
        }
        if 0 < recurrence.n_signs() {
            self.shown = Some(StepSigns::new(recurrence, &predicates, &mut self.stepper));
        }
        for &predicate in &self.recurring {
            let atoms: Vec<AtomId> = self.stepper.atoms(predicate).collect();
            let encoding = self.stepper.encoding();
            let mut variables = atoms.into_iter().map(|atom| encoding.atom(atom));
            self.recurring_is_shown |= variables.any(|variable| self.stepper.is_shown(variable));
        }
        self
    }

    /// The same graph with steps computed in another way.
    #[must_use]
    pub fn with_successors(mut self, successors: Successors) -> Self {
        self.groups.set_successors(successors);
        self
    }

    /// The automaton whose configurations they are.
    #[must_use]
    pub fn lwaa(&self) -> &'a Lwaa {
        self.lwaa
    }

    /// The locations of a configuration, in increasing order.
    #[must_use]
    pub fn locations(&self, config: ConfigId) -> &[LocationId] {
        self.configurations.elements(config)
    }

    /// How far a letter is from what the locations of a configuration ask for, if its atoms have
    /// these distances: a guess. Locations of an automaton that was read ask for nothing that is
    /// known.
    pub fn distance(&mut self, config: ConfigId, atoms: &[Distance]) -> u32 {
        let lwaa = self.lwaa;
        let needs = self.needs.get_or_insert_with(|| {
            let formulas = lwaa.locations().filter_map(|(_, location)| location.origin.formula());
            Box::new(Needs::new(&lwaa.nnf().nodes, formulas))
        });
        needs.evaluate(atoms);
        let locations = self.configurations.elements(config).iter();
        let formulas = locations.filter_map(|&location| lwaa.location(location).origin.formula());
        formulas.map(|formula| needs.distance(formula).to_true).fold(0, Distance::sum)
    }

    /// The initial configuration.
    pub fn initial_configuration(&mut self) -> ConfigId {
        self.configurations.intern(self.lwaa.initial())
    }

    /// How much has been computed.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters {
            configurations: self.configurations.len() - usize::from(!self.reached_empty),
            cache_hits: self.hits + self.groups.hits,
            cache_misses: self.misses + self.groups.len() as u64,
            spared: self.refuted.n_spared(),
        }
    }

    /// A letter that allows the step from `source` to a successor that it has
    /// under [`LabelId::ANY`], and that shows some signs without others.
    ///
    /// # Errors
    ///
    /// If the step cannot be computed again within the limits.
    ///
    /// # Panics
    ///
    /// If there is no such letter.
    pub fn letter(
        &mut self,
        source: ConfigId,
        successor: Successor,
        shows: &Signs,
        without: &Signs,
        budget: &mut Budget<'_>,
    ) -> Result<Letter, Exhausted> {
        if self.shown.is_none() && self.is_only_successor(source) {
            // Then nothing had to be chosen but letters.
            if let Some(parts) = self.compute(source, LabelId::ANY).ok()
                && parts.groups.is_empty()
            {
                return Ok(parts.atoms);
            }
        }
        let target = self.configurations.elements(successor.target).to_vec();
        let loops = self.marks.elements(successor.missing).to_vec();
        let is_taken = |location| loops.binary_search(&mark_of(location)).is_ok();
        let mut conjuncts = self.residues(source, &target, is_taken);
        conjuncts.extend(self.shown.iter().flat_map(|shown| shown.asked(shows, without)));
        let letter = self.groups.find_letter(conjuncts, &mut self.stepper, budget)?;
        Ok(letter.expect("a step is allowed by some letter"))
    }

    /// Whether `source` is known to have one successor under a free letter.
    fn is_only_successor(&self, source: ConfigId) -> bool {
        let step = self.free_steps.get(source).copied().flatten();
        step.is_some_and(|step| self.steps[step].finished && self.steps[step].successors.len() == 1)
    }

    /// What a letter has to satisfy to allow the step from `source` to the
    /// locations `target`, on which the loops that satisfy `is_taken` are taken.
    fn residues(
        &mut self,
        source: ConfigId,
        target: &[LocationId],
        is_taken: impl Fn(LocationId) -> bool,
    ) -> Vec<TransitionId> {
        let chosen = |variable: Variable| match variable {
            Variable::Location(location) => target.binary_search(&location).is_ok(),
            Variable::Loop(location) => is_taken(location),
            Variable::Atom(_) => false,
        };
        let (lwaa, labels) = (self.lwaa, self.labels);
        let locations = self.configurations.elements(source).iter();
        let steps = locations.map(|&id| step_formula(lwaa, labels, id));
        let steps = steps.chain(self.recurring.iter().copied());
        steps.map(|step| self.stepper.restrict_to_atoms(step, chosen)).collect()
    }

    /// What the step from `source` to `target` with these loops can show.
    fn label_of(&mut self, source: ConfigId, target: &[LocationId], loops: &[LocationId]) -> Label {
        self.atoms(source);
        let Some(shown) = &mut self.shown else { return Label::default() };
        let (stepper, atoms) = (&self.stepper, self.atoms[source].as_deref().unwrap_or_default());
        let is_shown = |&atom: &AtomId| stepper.is_shown(stepper.encoding().atom(atom));
        if !self.recurring_is_shown && !atoms.iter().any(is_shown) {
            return shown.label(&[]);
        }
        let residues = self.residues(source, target, |id| loops.binary_search(&id).is_ok());
        let parts = self.stepper.step(residues, Input::Each);
        let Parts { fixed: mut guard, groups, .. } = parts.ok().expect("the step is possible");
        for group in groups {
            let variables = self.stepper.variables(&group);
            if variables.iter().any(|&variable| self.stepper.is_shown(variable)) {
                guard.extend(group);
            }
        }
        let guard = distinct(guard);
        self.shown.as_mut().map_or(Label::default(), |shown| shown.label(&guard))
    }

    /// The label under which `config` reads `letter`: letters that differ only
    /// in atoms that do not matter to `config` have the same.
    pub fn label(&mut self, config: ConfigId, letter: &Letter) -> LabelId {
        let atoms = self.atoms(config);
        let read: Vec<AtomId> =
            atoms.iter().copied().filter(|&atom| letter.contains(atom)).collect();
        // The empty letter would be number zero, which means any letter.
        LabelId::new(self.letters.intern(&read).index() + 1)
    }

    /// The atoms that matter to `config`, in increasing order.
    pub fn atoms(&mut self, config: ConfigId) -> &[AtomId] {
        self.atoms.grow_to(config, None);
        if self.atoms[config].is_none() {
            self.atoms[config] = Some(self.atoms_of(config));
        }
        self.atoms[config].as_deref().unwrap_or_default()
    }

    fn atoms_of(&mut self, config: ConfigId) -> Box<[AtomId]> {
        let mut atoms = Vec::new();
        for &id in self.configurations.elements(config) {
            let transition = self.lwaa.location(id).transition;
            atoms.extend(self.stepper.atoms(transition));
        }
        atoms.sort_unstable();
        atoms.dedup();
        atoms.into()
    }

    /// The successor number `index` of `config` under `label`.
    ///
    /// # Errors
    ///
    /// If it cannot be computed within the limits.
    pub fn successor(
        &mut self,
        config: ConfigId,
        label: LabelId,
        index: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Successor>, Exhausted> {
        let step = self.step(config, label);
        self.successor_of(step, index, budget)
    }

    /// The successor number `index` of a configuration under a label.
    ///
    /// # Errors
    ///
    /// If it cannot be computed within the limits.
    #[inline]
    pub fn successor_of(
        &mut self,
        step: StepId,
        index: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Successor>, Exhausted> {
        if let Some(&successor) = self.steps[step].successors.get(index) {
            self.hits += 1;
            return Ok(Some(successor));
        }
        while self.steps[step].successors.len() <= index && !self.steps[step].finished {
            self.advance(step, budget)?;
        }
        Ok(self.steps[step].successors.get(index).copied())
    }

    /// What is known of the successors of `config` under `label`.
    pub fn step(&mut self, config: ConfigId, label: LabelId) -> StepId {
        let known = if label == LabelId::ANY {
            self.free_steps.grow_to(config, None);
            &mut self.free_steps[config]
        } else {
            let known = self.read_steps.get(&(config, label)).copied();
            if let Some(step) = known {
                return step;
            }
            &mut None
        };
        let steps = &mut self.steps;
        let step = *known.get_or_insert_with(|| {
            let (successors, source) = (SmallVec::new(), None);
            steps.push(CachedStep { config, label, successors, source, finished: false })
        });
        if label != LabelId::ANY {
            self.read_steps.insert((config, label), step);
        }
        step
    }

    fn compute(&mut self, config: ConfigId, label: LabelId) -> Result<Parts, step::Contradiction> {
        let (lwaa, labels) = (self.lwaa, self.labels);
        let locations = self.configurations.elements(config).iter();
        let conjuncts = locations.map(|&id| step_formula(lwaa, labels, id));
        // Letters that are given show what they show.
        let recurring = if label == LabelId::ANY { &*self.recurring } else { &[] };
        let conjuncts = conjuncts.chain(recurring.iter().copied());
        let input = match label.index().checked_sub(1) {
            Some(letter) => Input::Letter(Reading {
                atoms: self.atoms[config].as_deref().unwrap_or_default(),
                true_atoms: self.letters.elements(LabelId::new(letter)),
            }),
            None if self.shown.is_some() => Input::Each,
            None => Input::Some,
        };
        self.stepper.step(conjuncts, input)
    }

    /// Finds one more successor.
    fn advance(&mut self, step: StepId, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
        self.misses += 1;
        if self.steps[step].source.is_none() {
            let Ok(parts) = self.compute(self.steps[step].config, self.steps[step].label) else {
                self.finish(step);
                return Ok(());
            };
            let groups: Vec<GroupId> =
                parts.groups.iter().map(|group| self.groups.intern(group)).collect();
            let Parts { locations, loops, .. } = parts;
            let models = Combination::new(groups);
            self.steps[step].source = Some(Box::new(Source { locations, loops, models }));
            // A step that had been forgotten begins anew.
            self.steps[step].successors.clear();
        }
        let mut source = self.steps[step].source.take().expect("made above");
        let has_more = source.models.advance(&mut self.groups, &mut self.stepper, budget)?;
        match if has_more { self.combine(step, &mut source, budget)? } else { None } {
            None => self.finish(step),
            Some(successor) => {
                self.steps[step].successors.push(successor);
                if source.models.is_only_one() {
                    self.finish(step);
                } else {
                    self.steps[step].source = Some(source);
                }
            }
        }
        Ok(())
    }

    /// The successor that the current models make together; nothing if a group has
    /// no model at all.
    fn combine(
        &mut self,
        step: StepId,
        source: &mut Source,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Successor>, Exhausted> {
        let (mut locations, mut loops) = if source.models.is_only_one() {
            (std::mem::take(&mut source.locations), std::mem::take(&mut source.loops))
        } else {
            (source.locations.clone(), source.loops.clone())
        };
        for (group, index) in source.models.iter() {
            let Some(model) = self.groups.model(group, index, &mut self.stepper, budget)? else {
                return Ok(None);
            };
            group::append_model(model, &self.stepper, &mut locations, &mut loops);
        }
        locations.sort_unstable();
        let target = self.configurations.intern(&locations);
        self.reached_empty |= locations.is_empty();
        loops.sort_unstable();
        let mut label = Label::default();
        if self.shown.is_some() && self.steps[step].label == LabelId::ANY {
            label = self.label_of(self.steps[step].config, &locations, &loops);
        }
        if self.labels == Labels::Simple {
            loops.retain(|&id| self.lwaa.n_locations() <= id.index());
            locations.retain(|&location| self.lwaa.location(location).until);
            loops = [locations, loops].concat();
        }
        let missing: Vec<MarkId> = loops.into_iter().map(mark_of).collect();
        let missing = self.marks.intern(&missing);
        Ok(Some(Successor { target, missing, label }))
    }

    fn finish(&mut self, step: StepId) {
        self.steps[step].source = None;
        self.steps[step].finished = true;
        if self.cache_size == usize::MAX {
            return;
        }
        self.finished.push_back(step);
        if self.cache_size < self.finished.len() {
            let oldest = self.finished.pop_front().expect("not empty");
            self.steps[oldest].successors = SmallVec::new();
            self.steps[oldest].finished = false;
        }
    }
}

/// What `location` asks of a step.
fn step_formula(lwaa: &Lwaa, labels: Labels, location: LocationId) -> TransitionId {
    let location = lwaa.location(location);
    match labels {
        Labels::Exact => location.step,
        Labels::Simple => location.transition,
    }
}

/// The mark that a cycle earns by leaving an until location.
fn mark_of(location: LocationId) -> MarkId {
    MarkId::new(location.index())
}
