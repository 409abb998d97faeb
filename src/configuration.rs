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
//! The letter is free here: an edge exists if some letter allows it, and
//! [`ConfigurationGraph::letter`] finds one when it is asked for.
//!
//! [Ham04]: crate::references::ham04

mod encoding;
mod group;
pub mod minimal;
mod step;

use crate::bdd::Diagrams;
use crate::id::{Id, IdVec, define_id};
use crate::lwaa::{LocationId, Lwaa};
use crate::search::limits::Exhausted;
use crate::search::{Edge, Graph, MarkId, MarkSets, NodeId};
use crate::sets::Sets;
use crate::word::Letter;
use encoding::{Encoding, Variable};
use group::{GroupId, Groups};
use step::{Parts, Stepper};

define_id! {
    /// A configuration, as numbered by a [`ConfigurationGraph`].
    pub struct ConfigId;
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
    /// What is known of the edges out of each configuration.
    steps: IdVec<ConfigId, Step>,
    /// Configurations whose edges are all known, oldest first.
    finished: std::collections::VecDeque<ConfigId>,
    /// How many finished configurations keep their edges.
    cache_size: usize,
    hits: u64,
    misses: u64,
}

/// What is known of the edges out of a configuration.
#[derive(Debug, Default)]
struct Step {
    edges: Vec<Edge>,
    source: Option<Box<Source>>,
    finished: bool,
}

/// Where further edges come from: one model of each group at a time.
#[derive(Debug)]
struct Source {
    locations: Vec<LocationId>,
    loops: Vec<LocationId>,
    groups: Vec<GroupId>,
    /// The models to combine next, by group; the last one changes fastest.
    indices: Vec<usize>,
    /// Whether the combination at hand has been made an edge already.
    started: bool,
}

impl<'a, D: Diagrams> ConfigurationGraph<'a, D> {
    /// The graph that begins at the initial configuration of `lwaa`. Steps
    /// that need more than `max_capacity` diagram nodes are given up.
    #[must_use]
    pub fn new(lwaa: &'a Lwaa, labels: Labels, cache_size: usize, max_capacity: usize) -> Self {
        let encoding = Encoding::new(lwaa);
        Self {
            lwaa,
            labels,
            configurations: Sets::new(),
            marks: MarkSets::new(),
            stepper: Stepper::new(encoding, lwaa.transitions().clone()),
            groups: Groups::new(max_capacity),
            steps: IdVec::new(),
            finished: std::collections::VecDeque::new(),
            cache_size: cache_size.max(1),
            hits: 0,
            misses: 0,
        }
    }

    /// The locations of a configuration, in increasing order.
    #[must_use]
    pub fn locations(&self, config: ConfigId) -> &[LocationId] {
        self.configurations.elements(config)
    }

    /// The initial configuration.
    pub fn initial_configuration(&mut self) -> ConfigId {
        self.configurations.intern(self.lwaa.initial())
    }

    /// How much has been computed.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters {
            configurations: self.configurations.len(),
            cache_hits: self.hits + self.groups.hits,
            cache_misses: self.misses + self.groups.len() as u64,
        }
    }

    /// A letter that allows the step from `source` that leads to `target` and
    /// is missing the marks of `edge`.
    ///
    /// # Errors
    ///
    /// If the step cannot be computed again within the limits.
    pub fn letter(&mut self, source: ConfigId, edge: Edge) -> Result<Letter, Exhausted> {
        let parts = self.compute(source).ok().expect("a step with an edge has no contradiction");
        let Parts { atoms: mut letter, groups, .. } = parts;
        let target = self.configurations.elements(ConfigId::new(edge.target.index()));
        let loops = self.marks.elements(edge.missing);
        let chosen = |variable: Variable| match variable {
            Variable::Location(location) => target.binary_search(&location).is_ok(),
            Variable::Loop(location) => loops.binary_search(&mark_of(location)).is_ok(),
            Variable::Atom(_) => false,
        };
        for group in groups {
            self.groups.witness(&group, chosen, &mut self.stepper, &mut letter)?;
        }
        Ok(letter)
    }

    fn compute(&mut self, config: ConfigId) -> Result<Parts, step::Contradiction> {
        let (lwaa, labels) = (self.lwaa, self.labels);
        let conjuncts = self.configurations.elements(config).iter().map(|&id| {
            let location = lwaa.location(id);
            match labels {
                Labels::Exact => location.step,
                Labels::Simple => location.transition,
            }
        });
        self.stepper.step(conjuncts, None)
    }

    /// Finds one more edge out of `config`.
    fn advance(&mut self, config: ConfigId) -> Result<(), Exhausted> {
        self.misses += 1;
        if self.steps[config].source.is_none() {
            match self.compute(config) {
                Err(step::Contradiction) => {
                    self.finish(config);
                    return Ok(());
                }
                Ok(parts) => {
                    let groups: Vec<GroupId> =
                        parts.groups.iter().map(|group| self.groups.intern(group)).collect();
                    self.steps[config].source = Some(Box::new(Source {
                        locations: parts.locations,
                        loops: parts.loops,
                        indices: vec![0; groups.len()],
                        groups,
                        started: false,
                    }));
                }
            }
        }
        let mut source = self.steps[config].source.take().expect("made above");
        let more = !source.started || self.turn(&mut source)?;
        source.started = true;
        match if more { self.combine(&source)? } else { None } {
            None => self.finish(config),
            Some(edge) => {
                self.steps[config].edges.push(edge);
                self.steps[config].source = Some(source);
            }
        }
        Ok(())
    }

    /// The edge that the models at hand make together; nothing if a group has
    /// no model at all.
    fn combine(&mut self, source: &Source) -> Result<Option<Edge>, Exhausted> {
        let mut locations = source.locations.clone();
        let mut loops = source.loops.clone();
        for (&group, &index) in source.groups.iter().zip(&source.indices) {
            let Some(model) = self.groups.model(group, index, &mut self.stepper)? else {
                return Ok(None);
            };
            group::append_model(model, &self.stepper, &mut locations, &mut loops);
        }
        locations.sort_unstable();
        let target = self.configurations.intern(&locations);
        if self.labels == Labels::Simple {
            loops = locations;
            loops.retain(|&location| self.lwaa.location(location).until);
        }
        loops.sort_unstable();
        let missing: Vec<MarkId> = loops.into_iter().map(mark_of).collect();
        Ok(Some(Edge { target: NodeId::new(target.index()), missing: self.marks.intern(&missing) }))
    }

    /// Moves on to the next combination of models; says whether there is one.
    fn turn(&mut self, source: &mut Source) -> Result<bool, Exhausted> {
        for position in (0..source.groups.len()).rev() {
            source.indices[position] += 1;
            let (group, index) = (source.groups[position], source.indices[position]);
            if self.groups.model(group, index, &mut self.stepper)?.is_some() {
                return Ok(true);
            }
            source.indices[position] = 0;
        }
        Ok(false)
    }

    fn finish(&mut self, config: ConfigId) {
        self.steps[config].finished = true;
        self.finished.push_back(config);
        if self.cache_size < self.finished.len() {
            let oldest = self.finished.pop_front().expect("not empty");
            if oldest != config {
                self.steps[oldest] = Step::default();
            }
        }
    }
}

/// The mark that a cycle earns by leaving an until location.
fn mark_of(location: LocationId) -> MarkId {
    MarkId::new(location.index())
}

impl<D: Diagrams> Graph for ConfigurationGraph<'_, D> {
    fn initial(&mut self) -> NodeId {
        NodeId::new(self.initial_configuration().index())
    }

    fn edge(&mut self, source: NodeId, index: usize) -> Result<Option<Edge>, Exhausted> {
        let config = ConfigId::new(source.index());
        while self.steps.len() <= config.index() {
            self.steps.push(Step::default());
        }
        let step = &self.steps[config];
        if let Some(&edge) = step.edges.get(index) {
            self.hits += 1;
            return Ok(Some(edge));
        }
        while self.steps[config].edges.len() <= index && !self.steps[config].finished {
            self.advance(config)?;
        }
        Ok(self.steps[config].edges.get(index).copied())
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }
}
