//! The search and the enumeration of minimal models against brute force, on
//! random graphs and random monotone functions.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::bdd::{Diagrams, VariableId};
use lwaa::configuration::minimal::MinimalModels;
use lwaa::id::Id;
use lwaa::search::lasso::{self, Step};
use lwaa::search::limits::{Budget, Exhausted, Limits, Monitor};
use lwaa::search::scc::Search;
use lwaa::search::{Edge, Graph, Label, MarkId, MarkSets, NodeId};
use lwaa::testbench::Random;
use lwaa::word::Lasso;

/// A graph in tables; a set of missing marks is a bit mask.
struct Table {
    edges: Vec<Vec<(usize, u32)>>,
    marks: MarkSets,
}

impl Table {
    fn random(random: &mut Random) -> Self {
        let n_nodes = 1 + random.below(7);
        let n_marks = random.below(4);
        let n_edges = random.below(3 * n_nodes + 1);
        let mut edges = vec![Vec::new(); n_nodes];
        for _ in 0..n_edges {
            let missing = (0..n_marks).filter(|_| random.chance(0.7)).map(|mark| 1 << mark).sum();
            edges[random.below(n_nodes)].push((random.below(n_nodes), missing));
        }
        Self { edges, marks: MarkSets::new() }
    }

    /// `reach[a][b]`: is there a path of one edge or more?
    fn reach(&self) -> Vec<Vec<bool>> {
        let n = self.edges.len();
        let mut reach = vec![vec![false; n]; n];
        for (source, list) in self.edges.iter().enumerate() {
            for &(target, _) in list {
                reach[source][target] = true;
            }
        }
        for via in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        reach
    }

    /// The reachable nodes whose component has an accepting cycle.
    fn accepting_nodes(&self) -> Vec<usize> {
        let reach = self.reach();
        let is_accepting = |&node: &usize| {
            let same = |other: usize| reach[node][other] && reach[other][node];
            let mut missing = u32::MAX;
            for (_, list) in self.edges.iter().enumerate().filter(|(source, _)| same(*source)) {
                for &(target, lacks) in list {
                    missing &= if same(target) { lacks } else { u32::MAX };
                }
            }
            missing == 0 && (node == 0 || reach[0][node])
        };
        (0..self.edges.len()).filter(is_accepting).collect()
    }

    /// The fewest edges from node 0 to one of `goals`.
    fn distance(&self, goals: &[usize]) -> Option<usize> {
        let mut layer = vec![0];
        for distance in 0..self.edges.len() {
            if layer.iter().any(|node| goals.contains(node)) {
                return Some(distance);
            }
            layer = layer
                .iter()
                .flat_map(|&node: &usize| self.edges[node].iter().map(|&(target, _)| target))
                .collect();
            layer.sort_unstable();
            layer.dedup();
        }
        None
    }
}

impl Graph for Table {
    type Cursor = usize;
    type Halt = Exhausted;

    fn initial(&mut self, _: &mut Budget<'_>) -> Result<Vec<NodeId>, Exhausted> {
        Ok(vec![NodeId::new(0)])
    }

    fn cursor(&self, _: NodeId, _: u32) -> usize {
        0
    }

    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut usize,
        _: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Exhausted> {
        let Some(&(target, missing)) = self.edges[source.index()].get(*cursor) else {
            return Ok(None);
        };
        *cursor += 1;
        let marks: Vec<MarkId> =
            (0..32).filter(|mark| missing >> mark & 1 == 1).map(MarkId::new).collect();
        let missing = self.marks.intern(&marks);
        Ok(Some(Edge { target: NodeId::new(target), missing, label: Label::default(), hint: 0 }))
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }
}

/// Passes if `lasso` is an accepting one of the graph.
fn check_lasso(graph: &Table, lasso: &Lasso<Step<usize>>) {
    let mut node = 0;
    let mut missing = u32::MAX;
    for (position, step) in lasso.iter().enumerate() {
        assert_eq!(step.source.index(), node);
        let (target, lacks) = graph.edges[node][step.cursor - 1];
        assert_eq!(step.target.index(), target);
        if lasso.prefix().len() <= position {
            missing &= lacks;
        }
        node = target;
    }
    assert_eq!(node, lasso.cycle()[0].source.index(), "the cycle closes");
    assert_eq!(missing, 0, "the cycle earns every mark");
}

#[test]
fn the_search_agrees_with_brute_force_and_its_lassos_are_accepting() {
    let mut random = Random::new(1972);
    let (mut n_accepting, mut n_empty) = (0, 0);
    for round in 0..20_000 {
        let mut graph = Table::random(&mut random);
        let accepting = graph.accepting_nodes();
        let expected = !accepting.is_empty();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        for exhaustive in [false, true] {
            let mut search = Search::default();
            if exhaustive {
                search = search.exhaustive();
            }
            let found = search.run(&mut graph, &mut budget).unwrap();
            assert_eq!(found, expected, "round {round}: {:?}", graph.edges);
            if found {
                let lasso = lasso::extract(&mut graph, &search, &mut budget).unwrap();
                check_lasso(&graph, &lasso);
                if exhaustive {
                    assert_eq!(Some(lasso.prefix().len()), graph.distance(&accepting));
                }
            }
        }
        *if expected { &mut n_accepting } else { &mut n_empty } += 1;
    }
    assert!(2_000 < n_accepting.min(n_empty), "{n_accepting} accepting, {n_empty} empty");
}

/// A random monotone function, as the models that generate it.
fn random_generators(n_variables: usize, random: &mut Random) -> Vec<u32> {
    (0..random.below(6))
        .map(|_| (0..n_variables).filter(|_| random.chance(0.4)).map(|v| 1 << v).sum())
        .collect()
}

fn minimal_models_agree_with_truth_tables<D: Diagrams>() {
    const N_VARIABLES: usize = 7;
    let mut random = Random::new(1986);
    let mut diagrams = D::with_capacity(1 << 12).unwrap();
    diagrams.grow_to(N_VARIABLES).unwrap();
    for round in 0..2_000 {
        let generators = random_generators(N_VARIABLES, &mut random);
        let mut function = diagrams.constant(false);
        for &generator in &generators {
            let mut cube = diagrams.constant(true);
            for variable in (0..N_VARIABLES).filter(|variable| generator >> variable & 1 == 1) {
                let variable = diagrams.variable(VariableId::new(variable)).unwrap();
                cube = diagrams.and(&cube, &variable).unwrap();
            }
            function = diagrams.or(&function, &cube).unwrap();
        }
        let is_model = |set: u32| generators.iter().any(|generator| generator & !set == 0);
        let is_minimal = |set: u32| {
            is_model(set)
                && (0..N_VARIABLES).all(|v| set >> v & 1 == 0 || !is_model(set & !(1 << v)))
        };
        let expected: Vec<u32> = (0..1 << N_VARIABLES).filter(|&set| is_minimal(set)).collect();
        let mut models = MinimalModels::new(&diagrams, function);
        let mut found = Vec::new();
        while let Some(model) = models.next(&diagrams).unwrap() {
            assert!(model.is_sorted(), "round {round}");
            found.push(model.iter().map(|variable| 1 << variable.index()).sum::<u32>());
        }
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "round {round}: {generators:?}");
        // Models that leave out the first variable on which two differ come first.
        let reversed = |&set: &u32| set.reverse_bits();
        assert!(found.is_sorted_by_key(reversed), "round {round}: {found:?}");
    }
    assert_eq!(diagrams.n_referenced(), 0, "nothing leaks");
}

#[test]
fn minimal_models_by_oxidd() {
    minimal_models_agree_with_truth_tables::<lwaa::bdd::oxidd::OxiddDiagrams>();
}

#[cfg(feature = "cudd")]
#[test]
fn minimal_models_by_cudd() {
    minimal_models_agree_with_truth_tables::<lwaa::bdd::cudd::CuddDiagrams>();
}
