//! Emptiness by one depth-first search that stops at the first accepting
//! component.
//!
//! The algorithm is the emptiness check of [Cou99], which is figure 4 of
//! [Ham04] with a stack of roots. Its stack of component roots is
//! `components`; its *arc* stack of acceptance sets between them is
//! `Component::entered_by`. Marks are kept as what is *missing* on every edge,
//! so where the paper unites we intersect.
//!
//! We depart from the paper in one point: a finished component is not
//! traversed a second time to be removed. Its nodes lie on top of the stack
//! `live`, and we cut them off. This costs four bytes per live node.
//!
//! Invariant: `components` cuts `live` into segments, and each segment is one
//! strongly connected component of the part of the graph explored so far.
//!
//! [Cou99]: crate::references::cou99
//! [Ham04]: crate::references::ham04

use super::limits::Budget;
use super::{Graph, MarkSets, MarksId, NodeId};
use crate::id::IdVec;

/// What the search knows of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Visit {
    Fresh,
    /// On the stack `live`, at this position.
    Live(u32),
    /// Its component is finished and has no accepting cycle.
    Dead,
}

/// A strongly connected component of the explored part of the graph.
#[derive(Clone, Copy, Debug)]
struct Component {
    /// Position of its first node in `live`.
    first: u32,
    /// Missing on the tree edge that entered it. Counts only once a later edge
    /// merges the component with its parent.
    entered_by: MarksId,
    /// Missing on all edges inside; nothing if there is no edge inside.
    inside: Option<MarksId>,
}

/// A node on the search path.
#[derive(Clone, Debug)]
pub struct Frame<C> {
    /// The node.
    pub node: NodeId,
    /// The hint of the edge that entered it.
    pub hint: u32,
    /// Which of its edges have been followed.
    pub cursor: C,
}

/// Counters of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes entered.
    pub nodes: usize,
    /// Edges followed.
    pub edges: u64,
    /// Components finished without an accepting cycle.
    pub components: usize,
    /// The longest search path.
    pub depth: usize,
}

/// The state of a depth-first search.
#[derive(Debug)]
pub struct Search<C> {
    /// Whether the search goes on behind the first accepting component.
    exhaustive: bool,
    /// In an exhaustive search: which accepting component a node belongs to,
    /// counted from 1.
    accepted: IdVec<NodeId, u32>,
    n_accepted: u32,
    visit: IdVec<NodeId, VisitCode>,
    live: Vec<NodeId>,
    components: Vec<Component>,
    path: Vec<Frame<C>>,
    counters: Counters,
}

impl<C> Default for Search<C> {
    fn default() -> Self {
        Self {
            exhaustive: false,
            accepted: IdVec::new(),
            n_accepted: 0,
            visit: IdVec::new(),
            live: Vec::new(),
            components: Vec::new(),
            path: Vec::new(),
            counters: Counters::default(),
        }
    }
}

impl<C: Clone + PartialEq> Search<C> {
    /// A search that visits the whole graph and knows all accepting components
    /// then.
    #[must_use]
    pub fn exhaustive() -> Self {
        Self { exhaustive: true, ..Self::default() }
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
        for initial in graph.initial(budget)? {
            if self.visited(initial) == Visit::Fresh {
                self.enter(graph, initial, 0, MarkSets::empty());
                if self.search(graph, budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(0 < self.n_accepted)
    }

    /// Searches what can be reached from the node on the path.
    fn search<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        budget: &mut Budget<'_>,
    ) -> Result<bool, G::Halt> {
        while let Some(frame) = self.path.last_mut() {
            budget.check(graph.n_states(self.counters.nodes), self.counters.edges)?;
            let Some(edge) = graph.next(frame.node, &mut frame.cursor, budget)? else {
                self.leave();
                continue;
            };
            self.counters.edges += 1;
            match self.visited(edge.target) {
                Visit::Fresh => self.enter(graph, edge.target, edge.hint, edge.missing),
                Visit::Live(position) => {
                    let missing = self.close_cycle(graph.marks(), position, edge.missing);
                    if missing == MarkSets::empty() && !self.exhaustive {
                        return Ok(true);
                    }
                }
                Visit::Dead => (),
            }
        }
        Ok(false)
    }

    /// How much has been searched.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Which of the components that have been found accepting `node` is in.
    #[must_use]
    pub fn accepting_component(&self, node: NodeId) -> Option<u32> {
        if self.exhaustive {
            return self.accepted.get(node).copied().filter(|&number| 0 < number);
        }
        let first = self.components.last().map_or(u32::MAX, |component| component.first);
        matches!(self.visited(node), Visit::Live(position) if first <= position).then_some(0)
    }

    /// The nodes on the search path, with the edges of each that have been
    /// followed; of the other visited nodes, all have.
    #[must_use]
    pub fn path(&self) -> &[Frame<C>] {
        &self.path
    }

    /// Whether `node` has been entered.
    #[must_use]
    pub fn has_visited(&self, node: NodeId) -> bool {
        self.visited(node) != Visit::Fresh
    }

    fn visited(&self, node: NodeId) -> Visit {
        self.visit.get(node).map_or(Visit::Fresh, |code| code.decode())
    }

    fn enter<G: Graph<Cursor = C>>(
        &mut self,
        graph: &G,
        node: NodeId,
        hint: u32,
        entered_by: MarksId,
    ) {
        let position = u32::try_from(self.live.len())
            .ok()
            .filter(|&position| position < u32::MAX - 1)
            .expect("fewer than 2^32 - 1 live nodes");
        self.visit.grow_to(node, VisitCode::FRESH);
        self.visit[node] = VisitCode::live(position);
        self.live.push(node);
        self.components.push(Component { first: position, entered_by, inside: None });
        let cursor = graph.cursor(node, hint);
        self.path.push(Frame { node, hint, cursor });
        self.counters.nodes += 1;
        self.counters.depth = self.counters.depth.max(self.path.len());
    }

    /// Merges all components from `position` on and returns what is missing
    /// on all edges of the result.
    fn close_cycle(&mut self, marks: &mut MarkSets, position: u32, missing: MarksId) -> MarksId {
        let mut missing = missing;
        loop {
            let top = self.components.last_mut().expect("a live node has a component");
            if let Some(inside) = top.inside {
                missing = marks.intersect(missing, inside);
            }
            if top.first <= position {
                top.inside = Some(missing);
                return missing;
            }
            missing = marks.intersect(missing, top.entered_by);
            self.components.pop();
        }
    }

    /// Goes back over the edge that entered the last node of the path.
    fn leave(&mut self) {
        let frame = self.path.pop().expect("only called inside a path");
        let top = self.components.last().expect("a live node has a component");
        let first = top.first as usize;
        if self.live[first] != frame.node {
            return;
        }
        let accepting = top.inside == Some(MarkSets::empty());
        self.n_accepted += u32::from(accepting);
        for node in self.live.drain(first..) {
            self.visit[node] = VisitCode::DEAD;
            if accepting {
                self.accepted.grow_to(node, 0);
                self.accepted[node] = self.n_accepted;
            }
        }
        self.components.pop();
        self.counters.components += 1;
    }
}

/// A [`Visit`] in four bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct VisitCode(u32);

impl VisitCode {
    const FRESH: Self = Self(0);
    const DEAD: Self = Self(u32::MAX);

    fn live(position: u32) -> Self {
        Self(position + 1)
    }

    fn decode(self) -> Visit {
        match self.0 {
            0 => Visit::Fresh,
            u32::MAX => Visit::Dead,
            code => Visit::Live(code - 1),
        }
    }
}
