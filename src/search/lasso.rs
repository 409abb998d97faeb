//! A short lasso inside an accepting component.
//!
//! First the shortest way into the component, then, hop by hop, the shortest
//! way to an edge that earns a mark that is still missing, then back to where
//! the cycle began. Only edges that the search has followed are used, so
//! nothing new is explored.

use super::limits::{Budget, Exhausted};
use super::scc::Search;
use super::{Graph, MarkSets, MarksId, NodeId};
use crate::id::IdVec;
use crate::word::Lasso;

/// An edge with both ends, as part of a lasso.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it begins.
    pub source: NodeId,
    /// Its number among the edges of `source`.
    pub index: usize,
    /// Where it leads.
    pub target: NodeId,
    /// The marks that it does not earn.
    pub missing: MarksId,
}

/// A lasso through the component that `search` has found accepting.
///
/// # Errors
///
/// If an edge cannot be computed again within the limits.
///
/// # Panics
///
/// If `search` has not just found an accepting component of `graph`.
pub fn extract<G: Graph>(
    graph: &mut G,
    search: &Search,
    budget: &mut Budget<'_>,
) -> Result<Lasso<Step>, Exhausted> {
    let mut explored = Explored::new(graph, search, budget);
    let initial = explored.graph.initial();
    let prefix = if search.in_last_component(initial) {
        Vec::new()
    } else {
        explored
            .shortest(initial, |_| true, |_, step| search.in_last_component(step.target))?
            .expect("the component is reachable")
    };
    let start = prefix.last().map_or(initial, |step| step.target);
    let inside = |node| search.in_last_component(node);
    let mut cycle: Vec<Step> = Vec::new();
    let mut missing: Option<MarksId> = None;
    while missing != Some(MarkSets::empty()) {
        let from = cycle.last().map_or(start, |step| step.target);
        let hop = explored
            .shortest(from, inside, |graph, step| {
                let left = missing.map(|marks| graph.marks().intersect(marks, step.missing));
                inside(step.target) && (left.is_none() || left != missing)
            })?
            .expect("every mark is earned inside the component");
        for step in &hop {
            let marks = explored.graph.marks();
            missing =
                Some(missing.map_or(step.missing, |left| marks.intersect(left, step.missing)));
        }
        cycle.extend(hop);
    }
    let end = cycle.last().map_or(start, |step| step.target);
    if end != start {
        let back = explored
            .shortest(end, inside, |_, step| step.target == start)?
            .expect("the component is strongly connected");
        cycle.extend(back);
    }
    Ok(Lasso::new(prefix, cycle).expect("a component has an edge inside"))
}

/// The part of a graph that a search has seen.
struct Explored<'a, 'b, G> {
    graph: &'a mut G,
    budget: &'a mut Budget<'b>,
    /// The number of edges followed, for nodes of which not all have been.
    followed: IdVec<NodeId, usize>,
    /// The step by which a breadth-first search came to a node, and in which
    /// of the searches that was.
    reached_by: IdVec<NodeId, (u32, Option<Step>)>,
    round: u32,
}

impl<'a, 'b, G: Graph> Explored<'a, 'b, G> {
    fn new(graph: &'a mut G, search: &Search, budget: &'a mut Budget<'b>) -> Self {
        let mut followed = IdVec::new();
        for (node, edges) in search.followed() {
            followed.grow_to(node, usize::MAX);
            followed[node] = edges;
        }
        Self { graph, budget, followed, reached_by: IdVec::new(), round: 0 }
    }

    /// The fewest steps from `from` over nodes that satisfy `through` such
    /// that the last one satisfies `is_goal`.
    fn shortest(
        &mut self,
        from: NodeId,
        through: impl Fn(NodeId) -> bool,
        mut is_goal: impl FnMut(&mut G, &Step) -> bool,
    ) -> Result<Option<Vec<Step>>, Exhausted> {
        self.round += 1;
        let mut queue = std::collections::VecDeque::from([from]);
        self.reach(from, None);
        while let Some(source) = queue.pop_front() {
            self.budget.poll()?;
            let followed = self.followed.get(source).copied().unwrap_or(usize::MAX);
            for index in 0..followed {
                let Some(edge) = self.graph.edge(source, index, self.budget)? else { break };
                let step = Step { source, index, target: edge.target, missing: edge.missing };
                if is_goal(self.graph, &step) {
                    return Ok(Some(self.path_to(step)));
                }
                if through(edge.target) && self.reach(edge.target, Some(step)) {
                    queue.push_back(edge.target);
                }
            }
        }
        Ok(None)
    }

    /// Notes how `node` was reached; says whether that is news.
    fn reach(&mut self, node: NodeId, by: Option<Step>) -> bool {
        self.reached_by.grow_to(node, (0, None));
        let news = self.reached_by[node].0 < self.round;
        if news {
            self.reached_by[node] = (self.round, by);
        }
        news
    }

    fn path_to(&self, last: Step) -> Vec<Step> {
        let mut path = vec![last];
        let mut node = last.source;
        while let (_, Some(step)) = self.reached_by[node] {
            path.push(step);
            node = step.source;
        }
        path.reverse();
        path
    }
}
