//! In which order the diagrams of a group ask for its variables.
//!
//! Conjuncts whose variables are near each other have small diagrams. Text
//! order is poor for specifications that are sorted by kind, so we move each
//! variable to the centre of its conjuncts, and each conjunct to the centre of
//! its variables, a few times: the heuristic FORCE of [AMS03]. The order with
//! the shortest total span wins.
//!
//! [AMS03]: crate::references::ams03

/// A permutation of `0..n_variables` in which the variables of each of `edges`
/// are near each other. `0..n_variables` itself is the first candidate.
pub(super) fn arrange(n_variables: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n_variables).collect();
    let mut places: Vec<usize> = order.clone();
    let mut best = (span(edges, &places), order.clone());
    let n_rounds = 8 + 2 * n_variables.ilog2() as usize;
    for _ in 0..n_rounds {
        order = round(edges, &order, &places);
        for (place, &variable) in order.iter().enumerate() {
            places[variable] = place;
        }
        let span = span(edges, &places);
        if span < best.0 {
            best = (span, order.clone());
        }
    }
    best.1
}

/// One round: sorts the variables by the centres of their edges.
fn round(edges: &[Vec<usize>], order: &[usize], places: &[usize]) -> Vec<usize> {
    // Centres are kept as fixed-point numbers, so that no rounding mode and no
    // order of summation can change the result.
    const SCALE: usize = 1 << 10;
    let mut sums = vec![(0_usize, 0_usize); places.len()];
    for edge in edges {
        let total: usize = edge.iter().map(|&variable| places[variable]).sum();
        let centre = total * SCALE / edge.len().max(1);
        for &variable in edge {
            sums[variable].0 += centre;
            sums[variable].1 += 1;
        }
    }
    let centre = |variable: usize| match sums[variable] {
        (_, 0) => places[variable] * SCALE,
        (sum, count) => sum / count,
    };
    let mut sorted = order.to_vec();
    sorted.sort_by_key(|&variable| centre(variable));
    sorted
}

/// How far apart the ends of all edges are together.
fn span(edges: &[Vec<usize>], places: &[usize]) -> usize {
    let length = |edge: &Vec<usize>| {
        let ends = edge.iter().map(|&variable| places[variable]);
        ends.clone().max().unwrap_or(0) - ends.min().unwrap_or(0)
    };
    edges.iter().map(length).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_a_chain_become_neighbours_in_the_order() {
        // The chain 0 – 8 – 1 – 9 – 2 – 10 …, numbered as badly as possible.
        let edges: Vec<Vec<usize>> =
            (0..8).flat_map(|i| [vec![i, 8 + i], vec![8 + i, (i + 1) % 8]]).take(15).collect();
        let order = arrange(16, &edges);
        let mut places = vec![0; 16];
        for (place, &variable) in order.iter().enumerate() {
            places[variable] = place;
        }
        let before = span(&edges, &(0..16).collect::<Vec<_>>());
        assert!(2 * span(&edges, &places) < before, "{order:?}");
    }

    #[test]
    fn without_edges_nothing_moves() {
        assert_eq!(arrange(3, &[]), [0, 1, 2]);
    }
}
