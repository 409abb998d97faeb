//! One depth-first walk that finds strongly connected components and knows
//! what their edges show while it walks.
//!
//! The algorithm is the emptiness check of [Cou99], which is figure 4 of
//! [Ham04] with a stack of roots. Its stack of component roots is
//! `components`; its *arc* stack of acceptance sets between them is
//! `Component::entered_by`. Marks are kept as what is *missing* on every edge,
//! so where the paper unites we intersect; signs are united.
//!
//! We depart from the paper in two points. A finished component is not
//! traversed a second time to be removed: its nodes lie on top of the stack
//! `live`, and we cut them off. This costs four bytes per live node. And edges
//! that cannot do without a forbidden sign are not followed: they are on no
//! accepting cycle. Where they lead is remembered, to start from there later.
//!
//! Invariant: `components` cuts `live` into segments, and each segment is one
//! strongly connected component of the part of the graph explored so far,
//! without forbidden edges.
//!
//! [Cou99]: crate::references::cou99
//! [Ham04]: crate::references::ham04

use super::acceptance::{Acceptance, Judgement};
use super::limits::Budget;
use super::signs::Signs;
use super::{Edge, Graph, Label, MarkSets, MarksId, NodeId};
use crate::id::IdVec;

/// What a walk knows of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Visit {
    Fresh,
    /// On the stack `live`, at this position.
    Live(u32),
    /// Its component is finished, or it does not belong to the part that is searched.
    Dead,
}

/// A strongly connected component of the explored part of the graph.
#[derive(Clone, Copy, Debug)]
struct Component {
    /// Position of its first node in `live`.
    first: u32,
    /// Missing on the tree edge that entered it, and what that edge shows. They
    /// count only once a later edge merges the component with its parent.
    entered_by: (MarksId, Label),
    /// Missing on all edges inside; nothing if there is no edge inside. If
    /// there is one, what these edges show is in `Walk::shown`.
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

/// Counters of one walk.
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

/// What a walk is looking for.
pub(super) struct Aim<'a> {
    pub(super) acceptance: &'a mut Acceptance,
    /// Edges that show these are left out.
    pub(super) without: &'a Signs,
    /// That these are shown has been decided.
    pub(super) kept: &'a Signs,
    /// Whether the walk goes on where it could stop.
    pub(super) exhaustive: bool,
}

/// Nodes that are strongly connected, and the signs that edges between them
/// show.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) nodes: Vec<NodeId>,
    pub(super) signs: Signs,
}

/// What a walk has come to.
pub(super) enum Event {
    /// The component that it is in has an accepting cycle.
    Accepting(Region),
    /// A component is finished that has one, or whose parts may have one.
    Finished(Region, Judgement),
    /// As many edges have been followed as were to be followed for now.
    Paused,
    /// There is nothing left to be reached.
    Done,
}

/// The state of a depth-first walk.
#[derive(Debug)]
pub(super) struct Walk<C> {
    visit: IdVec<NodeId, VisitCode>,
    /// What nodes are that have not been mentioned.
    others: VisitCode,
    live: Vec<NodeId>,
    components: Vec<Component>,
    /// What is shown on edges inside of components, for those that have such
    /// edges.
    shown: Vec<Signs>,
    path: Vec<Frame<C>>,
    /// Where edges lead that were not followed, with their hints.
    deferred: Vec<(NodeId, u32)>,
    /// What the edges of the current node show.
    gathered: Signs,
    /// Whether the last thing that happened is that nodes were refuted.
    has_refuted: bool,
    /// After how many edges it pauses.
    pub(super) pause: u64,
    pub(super) counters: Counters,
}

impl<C: Clone + PartialEq> Walk<C> {
    /// A walk through the whole graph.
    pub(super) fn everywhere() -> Self {
        Self::new(VisitCode::FRESH)
    }

    /// A walk that stays within nodes to be mentioned.
    pub(super) fn nowhere() -> Self {
        Self::new(VisitCode::DEAD)
    }

    fn new(others: VisitCode) -> Self {
        Self {
            visit: IdVec::new(),
            others,
            live: Vec::new(),
            components: Vec::new(),
            shown: Vec::new(),
            path: Vec::new(),
            deferred: Vec::new(),
            gathered: Signs::default(),
            has_refuted: false,
            pause: u64::MAX,
            counters: Counters::default(),
        }
    }

    /// Makes `node` one that may be entered.
    pub(super) fn admit(&mut self, node: NodeId) {
        self.visit.grow_to(node, self.others);
        self.visit[node] = VisitCode::FRESH;
    }

    /// A node that an edge leads to which was not followed.
    pub(super) fn next_deferred(&mut self) -> Option<(NodeId, u32)> {
        self.deferred.pop()
    }

    pub(super) fn path(&self) -> &[Frame<C>] {
        &self.path
    }

    pub(super) fn is_fresh(&self, node: NodeId) -> bool {
        self.visited(node) == Visit::Fresh
    }

    /// Begins at a fresh node.
    pub(super) fn start<G: Graph<Cursor = C>>(
        &mut self,
        graph: &G,
        node: NodeId,
        hint: u32,
        n_signs: usize,
    ) {
        self.gathered = Signs::none(n_signs);
        let nothing = (MarkSets::empty(), Label::default());
        self.enter(graph, node, hint, nothing);
    }

    /// Goes on until there is something to tell.
    pub(super) fn advance<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        aim: &mut Aim<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Event, G::Halt> {
        let has_signs = 0 < aim.acceptance.n_signs();
        while let Some(frame) = self.path.last_mut() {
            if self.pause <= self.counters.edges {
                return Ok(Event::Paused);
            }
            budget.check(graph.n_states(self.counters.nodes), self.counters.edges)?;
            // What was refuted below may refute this one as well.
            self.has_refuted = self.has_refuted && graph.is_refuted(frame.node);
            let edge = if self.has_refuted {
                None
            } else {
                graph.next(frame.node, &mut frame.cursor, budget)?
            };
            let Some(edge) = edge else {
                if let Some((region, judgement)) = self.leave(graph, aim, budget)? {
                    return Ok(Event::Finished(region, judgement));
                }
                continue;
            };
            self.counters.edges += 1;
            self.fetch(graph.upcoming());
            let visited = self.visited(edge.target);
            if has_signs && visited != Visit::Dead {
                self.gathered.clear();
                if !graph.show(edge.label, aim.without, &mut self.gathered, budget)? {
                    if visited == Visit::Fresh && self.others == VisitCode::FRESH {
                        self.deferred.push((edge.target, edge.hint));
                    }
                    continue;
                }
            }
            match visited {
                Visit::Fresh if !has_signs && graph.is_refuted(edge.target) => (),
                Visit::Fresh => {
                    self.enter(graph, edge.target, edge.hint, (edge.missing, edge.label));
                }
                Visit::Live(position) => {
                    if self.close_cycle(graph, position, edge, aim, budget)?
                        && !aim.exhaustive
                        && self.is_accepting(aim)
                    {
                        return Ok(Event::Accepting(self.top()));
                    }
                }
                Visit::Dead => (),
            }
        }
        Ok(Event::Done)
    }

    /// Has the processor load what is known about `nodes`.
    #[inline]
    fn fetch(&self, nodes: &[NodeId]) {
        for &node in nodes {
            std::hint::black_box(self.visit.get(node).copied());
        }
    }

    fn visited(&self, node: NodeId) -> Visit {
        self.visit.get(node).copied().unwrap_or(self.others).decode()
    }

    fn enter<G: Graph<Cursor = C>>(
        &mut self,
        graph: &G,
        node: NodeId,
        hint: u32,
        entered_by: (MarksId, Label),
    ) {
        let position = u32::try_from(self.live.len())
            .ok()
            .filter(|&position| position < u32::MAX - 1)
            .expect("fewer than 2^32 - 1 live nodes");
        self.visit.grow_to(node, self.others);
        self.visit[node] = VisitCode::live(position);
        self.live.push(node);
        self.components.push(Component { first: position, entered_by, inside: None });
        let cursor = graph.cursor(node, hint);
        self.path.push(Frame { node, hint, cursor });
        self.counters.nodes += 1;
        self.counters.depth = self.counters.depth.max(self.path.len());
    }

    /// Merges all components from `position` on, now that an edge closes a
    /// cycle; what it shows has been gathered. Says whether the component that
    /// comes out is more than the one that was there.
    fn close_cycle<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        position: u32,
        edge: Edge,
        aim: &Aim<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, G::Halt> {
        let has_signs = 0 < aim.acceptance.n_signs();
        let mut missing = edge.missing;
        let mut is_merged = false;
        loop {
            let top = self.components.last_mut().expect("a live node has a component");
            let before = top.inside;
            if let Some(inside) = before {
                missing = graph.marks().intersect(missing, inside);
            }
            if top.first <= position {
                top.inside = Some(missing);
                let mut is_news = is_merged || before != top.inside;
                if has_signs && before.is_some() {
                    let shown = self.shown.last_mut().expect("there are edges inside");
                    is_news |= shown.unite(&self.gathered);
                } else if has_signs {
                    self.shown.push(self.gathered.clone());
                }
                return Ok(is_news);
            }
            is_merged = true;
            missing = graph.marks().intersect(missing, top.entered_by.0);
            if has_signs {
                if before.is_some() {
                    let shown = self.shown.pop().expect("there are edges inside");
                    self.gathered.unite(&shown);
                }
                graph.show(top.entered_by.1, aim.without, &mut self.gathered, budget)?;
            }
            self.components.pop();
        }
    }

    /// Whether the component on top has an accepting cycle.
    fn is_accepting(&self, aim: &mut Aim<'_>) -> bool {
        let top = self.components.last().expect("a live node has a component");
        top.inside == Some(MarkSets::empty())
            && match self.shown.last() {
                Some(shown) => aim.acceptance.is_satisfied(shown),
                None => aim.acceptance.is_satisfied(&Signs::default()),
            }
    }

    /// The component on top, which has edges inside.
    fn top(&self) -> Region {
        let first = self.components.last().map_or(0, |top| top.first as usize);
        let signs = self.shown.last().cloned().unwrap_or_default();
        Region { nodes: self.live[first..].to_vec(), signs }
    }

    /// Goes back over the edge that entered the last node of the path. If that
    /// finishes a component of interest, says so.
    fn leave<G: Graph<Cursor = C>>(
        &mut self,
        graph: &mut G,
        aim: &mut Aim<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(Region, Judgement)>, G::Halt> {
        let frame = self.path.pop().expect("only called inside a path");
        let top = *self.components.last().expect("a live node has a component");
        let first = top.first as usize;
        if self.live[first] != frame.node {
            return Ok(None);
        }
        self.components.pop();
        self.counters.components += 1;
        let has_signs = 0 < aim.acceptance.n_signs();
        let shown = (has_signs && top.inside.is_some())
            .then(|| self.shown.pop().expect("there are edges inside"));
        let mut found = None;
        if top.inside == Some(MarkSets::empty()) && (has_signs || aim.exhaustive) {
            let signs = shown.unwrap_or_default();
            let judgement = aim.acceptance.judge(&signs, aim.kept);
            if judgement != Judgement::Hopeless {
                let nodes = self.live[first..].to_vec();
                found = Some((Region { nodes, signs }, judgement));
            }
        }
        // With signs, edges may have been left out; and an exhaustive search goes on
        // where an accepting cycle can be reached.
        if !has_signs && !aim.exhaustive {
            graph.refute(&self.live[first..], budget)?;
            self.has_refuted = true;
        }
        for node in self.live.drain(first..) {
            self.visit[node] = VisitCode::DEAD;
        }
        Ok(found)
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
