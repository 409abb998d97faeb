//! The search for cycles that earn all marks and whose signs satisfy a condition
//! against brute force, on random graphs.
//!
//! Brute force tries every set of signs: without the edges that show others,
//! each component has a closed walk that shows all that is left.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::id::Id;
use lwaa::search::acceptance::{Acceptance, Condition, ConditionId};
use lwaa::search::lasso::{self, Step};
use lwaa::search::limits::{Budget, Exhausted, Limits, Monitor};
use lwaa::search::scc::Search;
use lwaa::search::signs::Signs;
use lwaa::search::{Edge, Graph, Label, MarkId, MarkSets, NodeId, SignId};
use lwaa::testbench::Random;
use lwaa::word::Lasso;

/// An edge of a table. Sets are bit masks.
#[derive(Debug)]
struct Row {
    target: usize,
    missing: u32,
    /// Which signs it shows: one of these sets each time.
    ways: Vec<u32>,
}

/// A graph in tables.
#[derive(Debug)]
struct Table {
    /// Sign *i* of the condition is number `i * spread` for the search, so that
    /// sets of signs are as wide as we like.
    spread: usize,
    n_signs: usize,
    edges: Vec<Vec<Row>>,
    /// All ways to follow an edge, by label.
    ways: Vec<Vec<u32>>,
    marks: MarkSets,
}

/// A condition on a set of signs.
#[derive(Debug)]
enum Tree {
    Inf(usize),
    Fin(usize),
    All(Vec<Tree>),
    Any(Vec<Tree>),
}

impl Tree {
    /// A conjunction of signs, pairs, clauses and other things.
    fn random(n_signs: usize, random: &mut Random) -> Self {
        let conjunct = |random: &mut Random| {
            let sign = |random: &mut Random| random.below(n_signs);
            match random.below(6) {
                0 => Self::Inf(sign(random)),
                1 => Self::Fin(sign(random)),
                2 | 3 => Self::Any(vec![Self::Fin(sign(random)), Self::Inf(sign(random))]),
                4 => {
                    let mut list: Vec<Self> =
                        (0..2 + random.below(2)).map(|_| Self::Fin(sign(random))).collect();
                    if random.chance(0.5) {
                        list.push(Self::Inf(sign(random)));
                    }
                    Self::Any(list)
                }
                _ => Self::nested(n_signs, 3, random),
            }
        };
        Self::All((0..random.below(5)).map(|_| conjunct(random)).collect())
    }

    fn nested(n_signs: usize, depth: usize, random: &mut Random) -> Self {
        let sign = random.below(n_signs);
        if depth == 0 || random.chance(0.2) {
            return if random.chance(0.5) { Self::Inf(sign) } else { Self::Fin(sign) };
        }
        let list = (0..random.below(4)).map(|_| Self::nested(n_signs, depth - 1, random)).collect();
        if random.chance(0.5) { Self::All(list) } else { Self::Any(list) }
    }

    fn holds(&self, signs: u32) -> bool {
        match self {
            Self::Inf(sign) => signs >> sign & 1 == 1,
            Self::Fin(sign) => signs >> sign & 1 == 0,
            Self::All(list) => list.iter().all(|tree| tree.holds(signs)),
            Self::Any(list) => list.iter().any(|tree| tree.holds(signs)),
        }
    }

    fn add_to(&self, acceptance: &mut Acceptance, spread: usize) -> ConditionId {
        match self {
            Self::Inf(sign) => acceptance.leaf(Condition::Inf(SignId::new(sign * spread))),
            Self::Fin(sign) => acceptance.leaf(Condition::Fin(SignId::new(sign * spread))),
            Self::All(list) | Self::Any(list) => {
                let list: Vec<ConditionId> =
                    list.iter().map(|tree| tree.add_to(acceptance, spread)).collect();
                match self {
                    Self::All(_) => acceptance.and(&list),
                    _ => acceptance.or(&list),
                }
            }
        }
    }
}

impl Table {
    fn random(random: &mut Random) -> Self {
        let n_nodes = 1 + random.below(7);
        let n_marks = if random.coin() { 0 } else { random.below(4) };
        let n_signs = 1 + random.below(5);
        let n_edges = random.below(3 * n_nodes + 1);
        let set = |n: usize, chance: f64, random: &mut Random| -> u32 {
            (0..n).filter(|_| random.chance(chance)).map(|element| 1 << element).sum()
        };
        let is_ambiguous = random.chance(0.3);
        let mut edges: Vec<Vec<Row>> = (0..n_nodes).map(|_| Vec::new()).collect();
        for _ in 0..n_edges {
            let missing = set(n_marks, 0.6, random);
            let n_ways = if is_ambiguous { 1 + random.below(3) } else { 1 };
            let ways = (0..n_ways).map(|_| set(n_signs, 0.3, random)).collect();
            let source = random.below(n_nodes);
            edges[source].push(Row { target: random.below(n_nodes), missing, ways });
        }
        let ways = edges.iter().flatten().map(|row| row.ways.clone()).collect();
        let spread = [1, 1, 30, 64][random.below(4)];
        Self { spread, n_signs, edges, ways, marks: MarkSets::new() }
    }

    /// The nodes that can be reached, with one edge or more, by edges that show
    /// only `signs`.
    fn reach(&self, signs: u32) -> Vec<Vec<bool>> {
        let n = self.edges.len();
        let mut reach = vec![vec![false; n]; n];
        for (source, list) in self.edges.iter().enumerate() {
            for row in list.iter().filter(|row| row.ways.iter().any(|way| way & !signs == 0)) {
                reach[source][row.target] = true;
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

    /// The reachable nodes on accepting cycles.
    fn accepting_nodes(&self, condition: &Tree) -> Vec<usize> {
        let everywhere = self.reach(u32::MAX);
        let sets = 0..1_u32 << self.n_signs;
        let parts: Vec<(u32, Vec<Vec<bool>>)> = sets.map(|set| (set, self.reach(set))).collect();
        let is_accepting = |&node: &usize| {
            (node == 0 || everywhere[0][node])
                && parts.iter().any(|(set, reach)| {
                    let same = |other: usize| reach[node][other] && reach[other][node];
                    let (mut missing, mut shown) = (u32::MAX, 0);
                    for row in
                        (0..self.edges.len()).filter(|&n| same(n)).flat_map(|n| &self.edges[n])
                    {
                        for way in row.ways.iter().filter(|&way| way & !set == 0) {
                            if same(row.target) {
                                missing &= row.missing;
                                shown |= way;
                            }
                        }
                    }
                    missing == 0 && condition.holds(shown)
                })
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
                .flat_map(|&node: &usize| self.edges[node].iter().map(|row| row.target))
                .collect();
            layer.sort_unstable();
            layer.dedup();
        }
        None
    }

    fn acceptance(&self, condition: &Tree) -> Acceptance {
        let mut acceptance = Acceptance::new(self.n_signs * self.spread);
        let condition = condition.add_to(&mut acceptance, self.spread);
        acceptance.require(condition);
        acceptance
    }

    fn mask(&self, signs: &Signs) -> u32 {
        signs.iter().map(|sign| 1 << (sign.index() / self.spread)).sum()
    }

    fn signs(&self, mask: u32) -> Signs {
        let mut signs = Signs::none(self.n_signs * self.spread);
        for sign in (0..self.n_signs).filter(|sign| mask >> sign & 1 == 1) {
            signs.insert(SignId::new(sign * self.spread));
        }
        signs
    }

    /// Passes if `lasso` is an accepting one.
    fn check_lasso(&self, lasso: &Lasso<Step<usize>>, condition: &Tree) {
        let mut node = 0;
        let (mut missing, mut shown) = (u32::MAX, 0);
        for (position, step) in lasso.iter().enumerate() {
            assert_eq!(step.source.index(), node);
            let row = &self.edges[node][step.cursor - 1];
            assert_eq!(step.target.index(), row.target);
            if lasso.prefix().len() <= position {
                missing &= row.missing;
                let (wanted, without) = (self.mask(&step.shows), self.mask(&step.without));
                let mut ways = row.ways.iter();
                shown |= ways.find(|&way| wanted & !way == 0 && way & without == 0).expect("a way");
            }
            node = row.target;
        }
        assert_eq!(node, lasso.cycle()[0].source.index(), "the cycle closes");
        assert_eq!(missing, 0, "the cycle earns every mark");
        assert!(condition.holds(shown), "the cycle satisfies the condition");
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
        let before: usize = self.edges[..source.index()].iter().map(Vec::len).sum();
        let Some(row) = self.edges[source.index()].get(*cursor) else { return Ok(None) };
        let label = Label((before + *cursor) as u64);
        *cursor += 1;
        let marks: Vec<MarkId> =
            (0..32).filter(|mark| row.missing >> mark & 1 == 1).map(MarkId::new).collect();
        let missing = self.marks.intern(&marks);
        Ok(Some(Edge { target: NodeId::new(row.target), missing, label, hint: 0 }))
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }

    fn show(
        &mut self,
        label: Label,
        without: &Signs,
        signs: &mut Signs,
        _: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let without = self.mask(without);
        let ways = &self.ways[usize::try_from(label.0).unwrap()];
        let ways: Vec<u32> = ways.iter().copied().filter(|way| way & without == 0).collect();
        let shown = ways.iter().fold(0, |all, way| all | way);
        signs.unite(&self.signs(shown));
        Ok(!ways.is_empty())
    }

    fn pass(
        &mut self,
        label: Label,
        without: &Signs,
        wanted: &Signs,
        _: &mut Budget<'_>,
    ) -> Result<Signs, Exhausted> {
        let (without, wanted) = (self.mask(without), self.mask(wanted));
        let ways = self.ways[usize::try_from(label.0).unwrap()].iter();
        let best =
            ways.filter(|&way| way & without == 0).max_by_key(|&way| (way & wanted).count_ones());
        Ok(self.signs(best.unwrap() & wanted))
    }
}

#[test]
fn the_search_agrees_with_brute_force_and_its_lassos_are_accepting() {
    let (mut random, seed) = campaign::random(1989);
    let (mut n_accepting, mut n_empty, mut n_again) = (0, 0, 0);
    for round in 0..campaign::rounds(30_000) {
        let mut graph = Table::random(&mut random);
        let condition = Tree::random(graph.n_signs, &mut random);
        let accepting = graph.accepting_nodes(&condition);
        let expected = !accepting.is_empty();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        for exhaustive in [false, true] {
            let mut search = Search::new(graph.acceptance(&condition));
            if exhaustive {
                search = search.exhaustive();
            }
            let found = search.run(&mut graph, &mut budget).unwrap();
            let context = || format!("seed {seed} round {round}: {condition:?} {graph:#?}");
            assert_eq!(found, expected, "{}", context());
            n_again += usize::from(0 < search.n_entered_again());
            if found {
                let lasso = lasso::extract(&mut graph, &search, &mut budget).unwrap();
                graph.check_lasso(&lasso, &condition);
                if exhaustive {
                    assert_eq!(Some(lasso.prefix().len()), graph.distance(&accepting));
                }
            }
        }
        *if expected { &mut n_accepting } else { &mut n_empty } += 1;
    }
    let told = format!("{n_accepting} accepting, {n_empty} empty, {n_again} taken apart");
    assert!(2_000 < n_accepting.min(n_empty).min(n_again), "{told}");
}
