//! A short lasso inside an accepting component, and the path to where a search
//! had to end.
//!
//! First the shortest way into the component, then, hop by hop, the shortest
//! way to an edge that earns a mark or shows a sign that is still wanted, then
//! back to where the cycle began. Only edges that the search has followed are
//! used, so nothing new is explored. Breadth-first searches remember nodes, not
//! edges; the edges between them are found again at the end.

use super::limits::Budget;
use super::scc::{Accepted, Search};
use super::signs::Signs;
use super::{Edge, Graph, Label, MarkSets, MarksId, NodeId};
use crate::id::IdVec;
use crate::word::Lasso;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// An edge with both ends, as part of a lasso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<C> {
    /// Where it begins.
    pub source: NodeId,
    /// Where the enumeration of the edges of `source` stands behind it.
    pub cursor: C,
    /// Where it leads.
    pub target: NodeId,
    /// The marks that it does not earn.
    pub missing: MarksId,
    /// What it can show.
    pub label: Label,
    /// What it has to show, if it can show more than one thing.
    pub shows: Signs,
    /// What it must not show.
    pub without: Signs,
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
    let initial = visited_initial(graph, search, budget)?;
    let mut explored = Explored::new(graph, search, budget);
    let first = initial.iter().copied().find(|&node| search.accepted(node).is_some());
    let prefix = if first.is_some() {
        Vec::new()
    } else {
        explored
            .shortest(&initial, None, |_, edge| Ok(search.accepted(edge.target).is_some()))?
            .expect("the component is reachable")
    };
    let start = prefix.last().map(|step| step.target).or(first).expect("there is a first node");
    let accepted = search.accepted(start).expect("the prefix ends there");
    let cycle = explored.cycle(start, accepted)?;
    Ok(Lasso::new(prefix, cycle).expect("a component has an edge inside"))
}

fn visited_initial<G: Graph>(
    graph: &mut G,
    search: &Search<G::Cursor>,
    budget: &mut Budget<'_>,
) -> Result<Vec<NodeId>, G::Halt> {
    Ok(graph.initial(budget)?.into_iter().filter(|&node| search.has_visited(node)).collect())
}

/// The edges of a path from an initial node to the last one of the search path.
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
    let Some(root) = search.path().first().map(|frame| frame.node) else { return Ok(Vec::new()) };
    let initial = visited_initial(graph, search, budget)?;
    let mut steps = Vec::new();
    if !initial.contains(&root) {
        // The walk began again behind an edge that is on no accepting cycle.
        let mut explored = Explored::new(graph, search, budget);
        steps = explored
            .shortest(&initial, None, |_, edge| Ok(edge.target == root))?
            .expect("walks begin where others have come");
    }
    for pair in search.path().windows(2) {
        let (frame, source) = (&pair[0], pair[0].node);
        let mut cursor = graph.cursor(source, frame.hint);
        // The edge that was followed last is the one that entered the next.
        while cursor != frame.cursor {
            let edge = graph.next(source, &mut cursor, budget)?.expect("it has been followed");
            if cursor == frame.cursor {
                steps.push(step(source, cursor.clone(), edge));
            }
        }
    }
    Ok(steps)
}

fn step<C>(source: NodeId, cursor: C, edge: Edge) -> Step<C> {
    let Edge { target, missing, label, .. } = edge;
    let (shows, without) = (Signs::default(), Signs::default());
    Step { source, cursor, target, missing, label, shows, without }
}

/// The nodes of an accepting component, and which edges are inside.
struct Inside<'a> {
    accepted: &'a Accepted,
    nodes: HashSet<NodeId, FxBuildHasher>,
}

impl Inside<'_> {
    /// What an edge can show, if it is inside.
    fn signs<G: Graph>(
        &self,
        graph: &mut G,
        edge: Edge,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Signs>, G::Halt> {
        let Accepted { signs, without, .. } = self.accepted;
        if !self.nodes.contains(&edge.target) {
            return Ok(None);
        }
        let mut shown = signs.clone();
        shown.clear();
        let exists = graph.show(edge.label, without, &mut shown, budget)?;
        Ok((exists && shown.is_subset_of(signs)).then_some(shown))
    }
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

    /// A cycle from `start` through an accepting component.
    fn cycle(&mut self, start: NodeId, accepted: &Accepted) -> Result<Path<G>, G::Halt> {
        let inside = Inside { accepted, nodes: accepted.nodes.iter().copied().collect() };
        let mut wanted = self.search.acceptance().clone().needed(&accepted.signs);
        let mut cycle: Path<G> = Vec::new();
        let mut missing: Option<MarksId> = None;
        while missing != Some(MarkSets::empty()) || !wanted.is_empty() {
            let from = cycle.last().map_or(start, |step| step.target);
            let hop = self.shortest(&[from], Some(&inside), |explored, edge| {
                let marks = explored.graph.marks();
                let left = missing.map(|before| marks.intersect(before, edge.missing));
                if left.is_none() || left != missing {
                    return Ok(true);
                }
                let shown = inside.signs(explored.graph, edge, explored.budget)?;
                Ok(shown.is_some_and(|shown| shown.meets(&wanted)))
            })?;
            for mut step in hop.expect("the component has all that is wanted") {
                let marks = self.graph.marks();
                missing =
                    Some(missing.map_or(step.missing, |left| marks.intersect(left, step.missing)));
                let (label, without) = (step.label, &accepted.without);
                step.shows = self.graph.pass(label, without, &wanted, self.budget)?;
                step.without = without.clone();
                wanted.subtract(&step.shows);
                cycle.push(step);
            }
        }
        let end = cycle.last().map_or(start, |step| step.target);
        if end != start {
            let back = self.shortest(&[end], Some(&inside), |_, edge| Ok(edge.target == start))?;
            for mut step in back.expect("the component is strongly connected") {
                step.without = accepted.without.clone();
                cycle.push(step);
            }
        }
        Ok(cycle)
    }

    /// The first followed edge out of `source` for which `is_it` says so.
    fn find(
        &mut self,
        source: NodeId,
        mut is_it: impl FnMut(&mut Self, Edge) -> Result<bool, G::Halt>,
    ) -> Result<Option<Step<G::Cursor>>, G::Halt> {
        let position = self.on_path.get(source).copied().unwrap_or(0);
        let frame = self.search.path().get((position as usize).wrapping_sub(1));
        let mut cursor = self.graph.cursor(source, frame.map_or(0, |frame| frame.hint));
        while frame.is_none_or(|frame| frame.cursor != cursor) {
            let Some(edge) = self.graph.next(source, &mut cursor, self.budget)? else { break };
            if is_it(self, edge)? {
                return Ok(Some(step(source, cursor, edge)));
            }
        }
        Ok(None)
    }

    /// Whether a path may use an edge.
    fn is_allowed(&mut self, inside: Option<&Inside<'_>>, edge: Edge) -> Result<bool, G::Halt> {
        let Some(inside) = inside else { return Ok(self.search.has_visited(edge.target)) };
        Ok(inside.signs(self.graph, edge, self.budget)?.is_some())
    }

    /// The fewest steps from one of `from`, all of them inside if that is asked
    /// for, such that the last one satisfies `is_goal`.
    fn shortest(
        &mut self,
        from: &[NodeId],
        inside: Option<&Inside<'_>>,
        mut is_goal: impl FnMut(&mut Self, Edge) -> Result<bool, G::Halt>,
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
                if !explored.is_allowed(inside, edge)? {
                    return Ok(false);
                }
                if is_goal(explored, edge)? {
                    return Ok(true);
                }
                if explored.reach(edge.target, Some(source)) {
                    queue.push_back(edge.target);
                }
                Ok(false)
            })?;
            if let Some(last) = last {
                return self.path_to(last, inside).map(Some);
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

    fn path_to(
        &mut self,
        last: Step<G::Cursor>,
        inside: Option<&Inside<'_>>,
    ) -> Result<Path<G>, G::Halt> {
        let mut target = last.source;
        let mut path = vec![last];
        while let (_, Some(source)) = self.reached_from[target] {
            let step = self.find(source, |explored, edge| {
                Ok(edge.target == target && explored.is_allowed(inside, edge)?)
            })?;
            path.push(step.expect("this edge was followed"));
            target = source;
        }
        path.reverse();
        Ok(path)
    }
}
