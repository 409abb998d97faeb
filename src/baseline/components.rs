//! Strongly connected components of a graph in tables.

/// The components of a graph. What a component leads to comes before it.
#[derive(Debug)]
pub(super) struct Components {
    /// The component of each node; [`FRESH`] if it has not been reached.
    pub(super) of: Vec<usize>,
    pub(super) members: Vec<Vec<usize>>,
}

/// Not entered yet.
pub(super) const FRESH: usize = usize::MAX;

impl Components {
    /// The components of all nodes.
    pub(super) fn new(graph: &[Vec<usize>]) -> Self {
        Self::reached(graph.len(), 0..graph.len(), |node, number| graph[node].get(number).copied())
    }

    /// The components of the nodes that `roots` reach, out of `n_nodes`; `successor` knows the
    /// edges by their numbers. This is Tarjan's algorithm, with an explicit stack.
    pub(super) fn reached(
        n_nodes: usize,
        roots: impl Iterator<Item = usize>,
        successor: impl Fn(usize, usize) -> Option<usize>,
    ) -> Self {
        let mut found = Self { of: vec![FRESH; n_nodes], members: Vec::new() };
        let mut order = vec![FRESH; n_nodes];
        let mut lowest = vec![FRESH; n_nodes];
        let mut live: Vec<usize> = Vec::new();
        let mut n_entered = 0;
        for root in roots {
            if order[root] != FRESH {
                continue;
            }
            // Nodes, with the number of edges that have been followed.
            let mut path = vec![(root, 0)];
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                if *next == 0 {
                    (order[node], lowest[node]) = (n_entered, n_entered);
                    n_entered += 1;
                    live.push(node);
                }
                if let Some(target) = successor(node, *next) {
                    *next += 1;
                    if order[target] == FRESH {
                        path.push((target, 0));
                    } else if found.of[target] == FRESH {
                        lowest[node] = lowest[node].min(order[target]);
                    }
                    // A node without edges would be entered again otherwise.
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    lowest[before] = lowest[before].min(lowest[node]);
                }
                if lowest[node] == order[node] {
                    found.close(node, &mut live);
                }
            }
        }
        found
    }

    /// Takes the component whose first node is `root` off the stack.
    fn close(&mut self, root: usize, live: &mut Vec<usize>) {
        let start = live.iter().rposition(|&node| node == root).expect("it is live");
        let members = live.split_off(start);
        for &node in &members {
            self.of[node] = self.members.len();
        }
        self.members.push(members);
    }

    /// Whether some edge stays inside.
    pub(super) fn is_cyclic(&self, members: &[usize], graph: &[Vec<usize>]) -> bool {
        members
            .iter()
            .any(|&node| graph[node].iter().any(|&target| self.of[target] == self.of[node]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_component_leads_to_comes_before_it() {
        // 0 → {1, 2} → 3 (dead end), 0 → {4} with a loop.
        let graph = [vec![1, 4], vec![2], vec![1, 3], vec![], vec![4]];
        let components = Components::new(&graph);
        let mut members = components.members.clone();
        for list in &mut members {
            list.sort_unstable();
        }
        assert_eq!(members, [vec![3], vec![1, 2], vec![4], vec![0]]);
        let cyclic: Vec<bool> =
            members.iter().map(|list| components.is_cyclic(list, &graph)).collect();
        assert_eq!(cyclic, [false, true, true, false]);
    }
}
