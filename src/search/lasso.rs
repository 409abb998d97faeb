//! A short lasso inside an accepting component, and the path to where a search
//! had to end.
//!
//! First the shortest way into the component, then, hop by hop, the shortest
//! way to an edge that earns a mark that is still missing, then back to where
//! the cycle began. Only edges that the search has followed are used, so
//! nothing new is explored. Breadth-first searches remember nodes, not edges;
//! the edges between them are found again at the end.

use super::limits::Budget;
use super::scc::Search;
use super::{Edge, Graph, MarkSets, MarksId, NodeId};
use crate::id::IdVec;
use crate::word::Lasso;

/// An edge with both ends, as part of a lasso.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<C> {
    /// Where it begins.
    pub source: NodeId,
    /// Where the enumeration of the edges of `source` stands behind it.
    pub cursor: C,
    /// Where it leads.
    pub target: NodeId,
    /// The marks that it does not earn.
    pub missing: MarksId,
}

/// Consecutive edges of a graph.
type Path<G> = Vec<Step<<G as Graph>::Cursor>>;

/// A lasso through a component that `search` has found accepting, the one that
/// is reached first if it has found several.
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
    search: &Search<G::Cursor>,
    budget: &mut Budget<'_>,
) -> Result<Lasso<Step<G::Cursor>>, G::Halt> {
    let initial: Vec<NodeId> =
        graph.initial(budget)?.into_iter().filter(|&node| search.has_visited(node)).collect();
    let mut explored = Explored::new(graph, search, budget);
    let first = initial.iter().copied().find(|&node| search.accepting_component(node).is_some());
    let prefix = if first.is_some() {
        Vec::new()
    } else {
        explored
            .shortest(
                &initial,
                |_| true,
                |_, edge| search.accepting_component(edge.target).is_some(),
            )?
            .expect("the component is reachable")
    };
    let start = prefix.last().map(|step| step.target).or(first).expect("there is a first node");
    let component = search.accepting_component(start);
    let inside = |node| search.accepting_component(node) == component;
    let mut cycle: Path<G> = Vec::new();
    let mut missing: Option<MarksId> = None;
    while missing != Some(MarkSets::empty()) {
        let from = cycle.last().map_or(start, |step| step.target);
        let hop = explored
            .shortest(&[from], inside, |graph, edge| {
                let left = missing.map(|marks| graph.marks().intersect(marks, edge.missing));
                inside(edge.target) && (left.is_none() || left != missing)
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
            .shortest(&[end], inside, |_, edge| edge.target == start)?
            .expect("the component is strongly connected");
        cycle.extend(back);
    }
    Ok(Lasso::new(prefix, cycle).expect("a component has an edge inside"))
}

/// The edges of the search path, from the initial node to the last one.
///
/// # Errors
///
/// If an edge cannot be computed again within the limits.
///
/// # Panics
///
/// If the path is not one of `graph`.
pub fn path<G: Graph>(
    graph: &mut G,
    search: &Search<G::Cursor>,
    budget: &mut Budget<'_>,
) -> Result<Path<G>, G::Halt> {
    let mut steps = Vec::new();
    for pair in search.path().windows(2) {
        let (frame, source) = (&pair[0], pair[0].node);
        let mut cursor = graph.cursor(source, frame.hint);
        // The edge that was followed last is the one that entered the next.
        while cursor != frame.cursor {
            let edge = graph.next(source, &mut cursor, budget)?.expect("it has been followed");
            if cursor == frame.cursor {
                let Edge { target, missing, .. } = edge;
                steps.push(Step { source, cursor: cursor.clone(), target, missing });
            }
        }
    }
    Ok(steps)
}

/// The part of a graph that a search has seen.
struct Explored<'a, 'b, G: Graph> {
    graph: &'a mut G,
    budget: &'a mut Budget<'b>,
    search: &'a Search<G::Cursor>,
    /// The position on the search path, counted from 1, of nodes whose edges
    /// have not all been followed.
    on_path: IdVec<NodeId, u32>,
    /// From where a breadth-first search came to a node, and in which of the
    /// searches that was.
    reached_from: IdVec<NodeId, (u32, Option<NodeId>)>,
    round: u32,
}

impl<'a, 'b, G: Graph> Explored<'a, 'b, G> {
    fn new(graph: &'a mut G, search: &'a Search<G::Cursor>, budget: &'a mut Budget<'b>) -> Self {
        let mut on_path = IdVec::new();
        for (position, frame) in (1..).zip(search.path()) {
            on_path.grow_to(frame.node, 0);
            on_path[frame.node] = position;
        }
        Self { graph, budget, search, on_path, reached_from: IdVec::new(), round: 0 }
    }

    /// The first followed edge out of `source` for which `wanted` says so.
    fn find(
        &mut self,
        source: NodeId,
        mut wanted: impl FnMut(&mut Self, Edge) -> bool,
    ) -> Result<Option<Step<G::Cursor>>, G::Halt> {
        let position = self.on_path.get(source).copied().unwrap_or(0);
        let frame = self.search.path().get((position as usize).wrapping_sub(1));
        let mut cursor = self.graph.cursor(source, frame.map_or(0, |frame| frame.hint));
        while frame.is_none_or(|frame| frame.cursor != cursor) {
            let Some(edge) = self.graph.next(source, &mut cursor, self.budget)? else { break };
            if wanted(self, edge) {
                let Edge { target, missing, .. } = edge;
                return Ok(Some(Step { source, cursor, target, missing }));
            }
        }
        Ok(None)
    }

    /// The fewest steps from one of `from` over nodes that satisfy `through`
    /// such that the last one satisfies `is_goal`.
    fn shortest(
        &mut self,
        from: &[NodeId],
        through: impl Fn(NodeId) -> bool,
        mut is_goal: impl FnMut(&mut G, Edge) -> bool,
    ) -> Result<Option<Path<G>>, G::Halt> {
        self.round += 1;
        let mut queue = std::collections::VecDeque::new();
        for &node in from {
            if self.reach(node, None) {
                queue.push_back(node);
            }
        }
        while let Some(source) = queue.pop_front() {
            self.budget.poll()?;
            let last = self.find(source, |explored, edge| {
                if is_goal(explored.graph, edge) {
                    return true;
                }
                if through(edge.target) && explored.reach(edge.target, Some(source)) {
                    queue.push_back(edge.target);
                }
                false
            })?;
            if let Some(last) = last {
                return self.path_to(last).map(Some);
            }
        }
        Ok(None)
    }

    /// Notes from where `node` was reached; says whether that is news.
    fn reach(&mut self, node: NodeId, from: Option<NodeId>) -> bool {
        self.reached_from.grow_to(node, (0, None));
        let news = self.reached_from[node].0 < self.round;
        if news {
            self.reached_from[node] = (self.round, from);
        }
        news
    }

    fn path_to(&mut self, last: Step<G::Cursor>) -> Result<Path<G>, G::Halt> {
        let mut target = last.source;
        let mut path = vec![last];
        while let (_, Some(source)) = self.reached_from[target] {
            let step = self.find(source, |_, edge| edge.target == target)?;
            path.push(step.expect("this edge was followed"));
            target = source;
        }
        path.reverse();
        Ok(path)
    }
}
