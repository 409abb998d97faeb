//! Emptiness by one depth-first search that stops at the first accepting
//! component.
//!
//! The search is a walk over the graph. As long as the condition on signs is
//! about what is to be shown, a component that is not accepting when it is
//! finished has no accepting cycle. But one that shows a sign which is not to be
//! shown may have: then a second walk goes through the same nodes without the
//! edges that show the sign, finds the smaller components that are left, and
//! they are judged in the same way. Edges are computed again, not stored.
//!
//! Where the condition leaves a choice which sign to do without, both sides are
//! tried: first without a sign, then with it and without another.

use super::acceptance::{Acceptance, Judgement};
use super::limits::Budget;
use super::signs::Signs;
use super::walk::{Aim, Event, Region, Walk};
use super::{Graph, NodeId};
use crate::id::IdVec;

pub use super::walk::{Counters, Frame};

/// Nodes that are strongly connected, with an accepting cycle among them.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The nodes.
    pub nodes: Vec<NodeId>,
    /// The signs that edges between them show, if each shows none of `without`.
    /// Other edges are not part of it.
    pub signs: Signs,
    /// Edges are followed in such a way that they show none of these.
    pub without: Signs,
}

/// The state of a depth-first search.
#[derive(Debug)]
pub struct Search<C> {
    /// Whether the search goes on behind the first accepting component.
    exhaustive: bool,
    acceptance: Acceptance,
    walk: Walk<C>,
    /// The walk inside of finished components.
    inner: Walk<C>,
    /// What has been found accepting.
    accepted: Vec<Accepted>,
    /// In which of `accepted` a node is, counted from 1.
    accepted_in: IdVec<NodeId, u32>,
    /// Initial nodes from which the search has not started, the first one last.
    waiting: Vec<NodeId>,
}

/// A part of the graph to be taken apart.
struct Task {
    region: Region,
    without: Signs,
    kept: Signs,
    judgement: Judgement,
}

impl<C: Clone + PartialEq> Default for Search<C> {
    fn default() -> Self {
        Self::new(Acceptance::new(0))
    }
}

impl<C: Clone + PartialEq> Search<C> {
    /// A search for a cycle that earns all marks and whose signs satisfy
    /// `acceptance`.
    #[must_use]
    pub fn new(acceptance: Acceptance) -> Self {
        Self {
            exhaustive: false,
            acceptance,
            walk: Walk::everywhere(),
            inner: Walk::nowhere(),
            accepted: Vec::new(),
            accepted_in: IdVec::new(),
            waiting: Vec::new(),
        }
    }

    /// The same search, but one that visits the whole graph and knows all nodes
    /// on accepting cycles then.
    #[must_use]
    pub fn exhaustive(self) -> Self {
        Self { exhaustive: true, ..self }
    }

    /// Looks for an accepting cycle. If there is one, says so; the search then
    /// knows a strongly connected part of the graph that contains it.
    ///
    /// # Errors
    ///
    /// If the graph cannot be explored any further. The search path then leads
    /// to the node where that happened.
    pub fn run<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        budget: &mut Budget<'_>,
    ) -> Result<bool, G::Halt> {
        self.waiting = graph.initial(budget)?;
        self.waiting.reverse();
        self.resume(graph, budget)
    }

    /// From now on, the search pauses when it has followed so many edges: it finds nothing until
    /// it is resumed. Other searches can have a turn then.
    pub fn pause_after(&mut self, edges: u64) {
        self.walk.pause = edges;
    }

    /// Whether the search has begun.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        0 < self.walk.counters.nodes
    }

    /// Whether the search has paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        !self.walk.path().is_empty() && self.walk.pause <= self.walk.counters.edges
    }

    /// Goes on with a search that has paused, or that ended with an error of the graph, if the
    /// graph can go on behind it.
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn resume<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        budget: &mut Budget<'_>,
    ) -> Result<bool, G::Halt> {
        loop {
            if !self.walk.path().is_empty() && self.search(graph, budget)? {
                return Ok(true);
            }
            if self.is_paused() {
                return Ok(false);
            }
            let deferred = self.walk.next_deferred();
            let next = deferred.or_else(|| self.waiting.pop().map(|initial| (initial, 0)));
            let Some((node, hint)) = next else { break };
            if self.walk.is_fresh(node) {
                self.walk.start(graph, node, hint, self.acceptance.n_signs());
            }
        }
        Ok(self.has_found())
    }

    /// Searches what can be reached from the last node of the path. Says whether to stop.
    fn search<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        budget: &mut Budget<'_>,
    ) -> Result<bool, G::Halt> {
        let without = self.acceptance.forbidden().clone();
        let kept = Signs::none(self.acceptance.n_signs());
        let exhaustive = self.exhaustive;
        loop {
            let acceptance = &mut self.acceptance;
            let mut aim = Aim { acceptance, without: &without, kept: &kept, exhaustive };
            match self.walk.advance(graph, &mut aim, budget)? {
                Event::Done | Event::Paused => return Ok(false),
                Event::Accepting(region) => {
                    self.accept(region, without);
                    return Ok(true);
                }
                Event::Finished(region, judgement) => {
                    let (without, kept) = (without.clone(), kept.clone());
                    let task = Task { region, without, kept, judgement };
                    if self.take_apart(graph, task, budget)? && !exhaustive {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Looks for accepting parts of a finished component. Says whether there
    /// is one.
    fn take_apart<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        whole: Task,
        budget: &mut Budget<'_>,
    ) -> Result<bool, G::Halt> {
        let mut found = false;
        let mut tasks = vec![whole];
        while let Some(task) = tasks.pop() {
            budget.poll()?;
            if task.region.nodes.iter().all(|&node| self.accepted(node).is_some()) {
                continue; // All of it is known to be on accepting cycles.
            }
            match &task.judgement {
                Judgement::Hopeless => (),
                Judgement::Accepting => {
                    self.accept(task.region, task.without);
                    found = true;
                }
                Judgement::Without(signs) => {
                    let mut without = task.without.clone();
                    without.unite(signs);
                    found |= self.divide(graph, &task, &without, &mut tasks, budget)?;
                }
                &Judgement::Perhaps(sign) => {
                    let mut without = Signs::none(self.acceptance.n_signs());
                    without.insert(sign);
                    let mut kept = task.kept.clone();
                    kept.insert(sign);
                    let judgement = self.acceptance.judge(&task.region.signs, &kept);
                    let first = Task {
                        region: task.region.clone(),
                        without: task.without.clone(),
                        kept: task.kept.clone(),
                        judgement: Judgement::Without(without),
                    };
                    tasks.push(Task { kept, judgement, ..task });
                    tasks.push(first);
                }
            }
            if found && !self.exhaustive {
                return Ok(true);
            }
        }
        Ok(found)
    }

    /// Walks through the region of a task without some signs, and adds the
    /// components that are found to `tasks`. Says whether one is accepting, if
    /// that is all we want to know.
    fn divide<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        task: &Task,
        without: &Signs,
        tasks: &mut Vec<Task>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, G::Halt> {
        let exhaustive = self.exhaustive;
        task.region.nodes.iter().for_each(|&node| self.inner.admit(node));
        for &node in &task.region.nodes {
            if !self.inner.is_fresh(node) {
                continue;
            }
            let acceptance = &mut self.acceptance;
            let mut aim = Aim { acceptance, without, kept: &task.kept, exhaustive };
            self.inner.start(graph, node, 0, aim.acceptance.n_signs());
            loop {
                match self.inner.advance(graph, &mut aim, budget)? {
                    // Walks through components do not pause.
                    Event::Done | Event::Paused => break,
                    Event::Accepting(region) => {
                        self.accept(region, without.clone());
                        return Ok(true);
                    }
                    Event::Finished(region, judgement) => {
                        let (without, kept) = (without.clone(), task.kept.clone());
                        tasks.push(Task { region, without, kept, judgement });
                    }
                }
            }
        }
        Ok(false)
    }

    fn accept(&mut self, region: Region, without: Signs) {
        let Region { nodes, signs } = region;
        let number = u32::try_from(self.accepted.len() + 1).expect("fewer than 2^32 components");
        for &node in &nodes {
            self.accepted_in.grow_to(node, 0);
            if self.accepted_in[node] == 0 {
                self.accepted_in[node] = number;
            }
        }
        self.accepted.push(Accepted { nodes, signs, without });
    }

    /// Whether an accepting component has been found.
    #[must_use]
    pub fn has_found(&self) -> bool {
        !self.accepted.is_empty()
    }

    /// How much has been searched.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.walk.counters
    }

    /// How often nodes have been entered again to take components apart.
    #[must_use]
    pub fn n_entered_again(&self) -> usize {
        self.inner.counters.nodes
    }

    /// What the search is looking for.
    #[must_use]
    pub fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    /// One of the components that have been found accepting with `node` in it.
    #[must_use]
    pub fn accepted(&self, node: NodeId) -> Option<&Accepted> {
        let number = self.accepted_in.get(node).copied().unwrap_or(0);
        self.accepted.get((number as usize).wrapping_sub(1))
    }

    /// The nodes on the search path, with the edges of each that have been
    /// followed; of the other visited nodes, all have, unless they were refuted.
    #[must_use]
    pub fn path(&self) -> &[Frame<C>] {
        self.walk.path()
    }

    /// Whether `node` has been entered.
    #[must_use]
    pub fn has_visited(&self, node: NodeId) -> bool {
        !self.walk.is_fresh(node)
    }
}
