//! Transition formulas as edges: which sets of locations a location may move
//! to, and under which condition on the letter.
//!
//! This is the disjunctive form of *δ(q)* with respect to locations only. The
//! conditions stay as they are, factored, in the normal form of `guards`: a
//! location with one successor set has one edge, however many literals its
//! condition has. Edges that are never needed are dropped: those that another
//! edge with fewer targets and a condition that is obviously weaker makes
//! superfluous.
//!
//! There may be exponentially many edges, so there is a limit to the work.

mod guards;

use super::{Leaf, LocationId, Lwaa, TransitionId, Transitions};
use crate::dag::Shape;
use crate::hoa::Label;
use crate::id::{IdVec, define_id};
use crate::sets::{Sets, distinct, is_subset};
use guards::{Guards, Operator};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// An automaton has more edges than the limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton has too many edges to be written out: the limit of {limit} is reached")]
pub struct TooLarge {
    /// The limit.
    pub limit: usize,
}

/// What a location may do in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The letters for which it may.
    pub label: Label,
    /// The locations it moves to, all at once and in increasing order.
    pub targets: Vec<LocationId>,
}

/// The edges of every location, in the order of their targets; no two edges
/// of a location have the same targets.
///
/// ```
/// use lwaa::{Formula, Lwaa, lwaa::edges::{TooLarge, edges}};
/// let automaton = Lwaa::from_formula(&Formula::parse("F grant")?);
/// let edges_by_location = edges(&automaton, 1_000)?;
/// let n_edges: usize = edges_by_location.iter().map(Vec::len).sum();
/// assert_eq!(n_edges, 2);
/// assert_eq!(edges(&automaton, 1), Err(TooLarge { limit: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If more than `limit` edges and parts of labels have been built, counting
/// those of intermediate results too.
pub fn edges(lwaa: &Lwaa, limit: usize) -> Result<IdVec<LocationId, Vec<Edge>>, TooLarge> {
    let mut expander = Expander {
        lwaa,
        budget: Budget { limit, built: 0, compared: 0 },
        guards: Guards::default(),
        sets: Sets::new(),
        products: IdVec::filled(Vec::new(), lwaa.transitions.len()),
    };
    let n_uses = lwaa.n_uses(|location| location.transition);
    for id in lwaa.transitions.ids().filter(|&id| n_uses[id] != 0) {
        expander.products[id] = expander.expand(id)?;
    }
    expander.finish()
}

/// Counts what is built, up to a limit, and what is compared, up to ten
/// times the limit: it takes no memory, and less time.
#[derive(Debug)]
struct Budget {
    limit: usize,
    built: usize,
    compared: usize,
}

impl Budget {
    fn spend(&mut self, n: usize) -> Result<(), TooLarge> {
        self.built = self.built.saturating_add(n);
        if self.built <= self.limit { Ok(()) } else { Err(TooLarge { limit: self.limit }) }
    }

    fn compare(&mut self, n: usize) -> Result<(), TooLarge> {
        self.compared = self.compared.saturating_add(n);
        if self.compared / 10 <= self.limit { Ok(()) } else { Err(TooLarge { limit: self.limit }) }
    }
}

define_id! {
    /// A set of locations that an edge leads to.
    struct TargetsId;
}

/// Targets and the condition under which they are taken.
#[derive(Clone, Copy, Debug)]
struct GuardedTargets {
    targets: TargetsId,
    guard: TransitionId,
}

struct Expander<'a> {
    lwaa: &'a Lwaa,
    budget: Budget,
    guards: Guards,
    sets: Sets<TargetsId, LocationId>,
    /// What each transition formula amounts to; targets are distinct.
    products: IdVec<TransitionId, Vec<GuardedTargets>>,
}

impl Expander<'_> {
    /// The products of a formula whose operands have theirs.
    fn expand(&mut self, id: TransitionId) -> Result<Vec<GuardedTargets>, TooLarge> {
        let nowhere = Sets::<TargetsId, LocationId>::empty();
        let products = match self.lwaa.transitions.shape(id) {
            Shape::Leaf(Leaf::Location(location)) => {
                vec![GuardedTargets {
                    targets: self.sets.intern(&[location]),
                    guard: Transitions::TRUE,
                }]
            }
            Shape::Leaf(Leaf::False) => Vec::new(),
            Shape::Leaf(leaf) => {
                vec![GuardedTargets { targets: nowhere, guard: self.guards.leaf(leaf) }]
            }
            Shape::And(list) => self.conjunction(list)?,
            Shape::Or(list) => {
                let all = list.iter().flat_map(|&id| &self.products[id]).copied().collect();
                self.disjunction(all)?
            }
        };
        self.budget.spend(products.len())?;
        Ok(products)
    }

    /// Joins products with the same targets and drops superfluous ones.
    fn disjunction(
        &mut self,
        mut products: Vec<GuardedTargets>,
    ) -> Result<Vec<GuardedTargets>, TooLarge> {
        self.budget.spend(products.len())?;
        products.sort_unstable_by_key(|product| (product.targets, product.guard));
        let mut joined = Vec::new();
        for group in products.chunk_by(|a, b| a.targets == b.targets) {
            let guards = group.iter().map(|product| product.guard).collect();
            let guard = self.guards.join(Operator::Or, guards, &mut self.budget)?;
            if guard != Transitions::FALSE {
                joined.push(GuardedTargets { targets: group[0].targets, guard });
            }
        }
        self.without_superfluous(joined)
    }

    fn conjunction(&mut self, list: &[TransitionId]) -> Result<Vec<GuardedTargets>, TooLarge> {
        // Most operands have one product only. They are joined in one go:
        // one by one would be quadratic in their number.
        let (mut targets, mut guards) = (Vec::new(), Vec::new());
        for product in list.iter().filter_map(|&id| single(&self.products[id])) {
            targets.extend_from_slice(self.sets.elements(product.targets));
            guards.push(product.guard);
        }
        self.budget.spend(targets.len())?;
        let guard = self.guards.join(Operator::And, guards, &mut self.budget)?;
        let mut products = match guard {
            Transitions::FALSE => Vec::new(),
            _ => vec![GuardedTargets { targets: self.union(targets), guard }],
        };
        for &id in list {
            if single(&self.products[id]).is_some() {
                continue;
            }
            let n_pairs = products.len().saturating_mul(self.products[id].len());
            self.budget.spend(n_pairs)?;
            let mut pairs = Vec::with_capacity(n_pairs);
            for left in &products {
                for index in 0..self.products[id].len() {
                    let right = self.products[id][index];
                    pairs.push(self.pair(*left, right)?);
                }
            }
            products = self.disjunction(pairs)?;
        }
        Ok(products)
    }

    fn pair(
        &mut self,
        left: GuardedTargets,
        right: GuardedTargets,
    ) -> Result<GuardedTargets, TooLarge> {
        let guard =
            self.guards.join(Operator::And, vec![left.guard, right.guard], &mut self.budget)?;
        let mut targets = self.sets.elements(left.targets).to_vec();
        targets.extend_from_slice(self.sets.elements(right.targets));
        self.budget.spend(targets.len())?;
        Ok(GuardedTargets { targets: self.union(targets), guard })
    }

    fn union(&mut self, targets: Vec<LocationId>) -> TargetsId {
        self.sets.intern(&distinct(targets))
    }

    /// Drops each product for which another has fewer targets and a weaker
    /// guard: wherever the one is allowed, the other asks for less.
    fn without_superfluous(
        &mut self,
        products: Vec<GuardedTargets>,
    ) -> Result<Vec<GuardedTargets>, TooLarge> {
        // A subset of some targets begins with one of them, or is empty.
        let mut by_first: HashMap<Option<LocationId>, Vec<GuardedTargets>, FxBuildHasher> =
            HashMap::default();
        for &product in &products {
            let first = self.sets.elements(product.targets).first().copied();
            by_first.entry(first).or_default().push(product);
        }
        let mut kept = Vec::with_capacity(products.len());
        for product in products {
            let targets = self.sets.elements(product.targets);
            let firsts = std::iter::once(None).chain(targets.iter().copied().map(Some));
            let mut superfluous = false;
            for other in firsts.filter_map(|first| by_first.get(&first)).flatten() {
                self.budget.compare(1)?;
                let fewer = self.sets.elements(other.targets);
                if fewer.len() < targets.len() && is_subset(fewer, targets) {
                    superfluous |=
                        self.guards.implies(product.guard, other.guard, &mut self.budget)?;
                }
            }
            if !superfluous {
                kept.push(product);
            }
        }
        Ok(kept)
    }

    /// The products of the locations' transitions as edges.
    fn finish(mut self) -> Result<IdVec<LocationId, Vec<Edge>>, TooLarge> {
        let order = self.guards.order();
        let mut all = IdVec::new();
        for (_, location) in self.lwaa.locations() {
            let mut edges = Vec::new();
            for product in &self.products[location.transition] {
                let targets = self.sets.elements(product.targets).to_vec();
                self.budget.spend(targets.len())?;
                let label = self.guards.label(product.guard, &order, &mut self.budget)?;
                edges.push(Edge { label, targets });
            }
            edges.sort_unstable_by(|a, b| a.targets.cmp(&b.targets));
            all.push(edges);
        }
        Ok(all)
    }
}

/// The only product, if there is only one.
fn single(products: &[GuardedTargets]) -> Option<GuardedTargets> {
    match products {
        [product] => Some(*product),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hoa::Proposition;
    use crate::id::Id;
    use crate::ltl::{Formula, nnf};
    use crate::lwaa::build::from_nnf;

    /// The edges of the highest location of the automaton of `formula`.
    #[track_caller]
    fn check(formula: &str, expected: &str) {
        let lwaa = from_nnf(nnf::from_formula(&Formula::parse(formula).unwrap()));
        let edges = edges(&lwaa, 10_000).unwrap();
        let edges = edges.iter().next_back().unwrap().iter().map(|edge| {
            let label = edge.label.display(|proposition, f| match proposition {
                Proposition::Atom(atom) => f.write_str(lwaa.atoms().name(*atom)),
                other => write!(f, "{other:?}"),
            });
            let targets: Vec<String> =
                edge.targets.iter().map(|target| format!("#{}", target.index())).collect();
            format!("{label} -> {}", targets.join(" "))
        });
        assert_eq!(edges.collect::<Vec<_>>().join("; "), expected);
    }

    #[test]
    fn conditions_are_brought_to_normal_form() {
        check("G (c & (b & a))", "c & b & a -> #0");
        check("G (a & (a | b))", "a -> #0");
        check("G (a | (b & a & c))", "a -> #0");
        check("G (a & b & !a)", "");
        check("G (a | b | !a)", "Constant(true) -> #0");
        check("G ((a | b) & (b | a))", "a | b -> #0");
    }

    #[test]
    fn ways_to_the_same_targets_are_one_edge() {
        check("a & X p | b & X p", "a | b -> #0");
    }

    #[test]
    fn edges_that_ask_for_more_under_a_stronger_condition_are_dropped() {
        check("X p | X p & X q", "Constant(true) -> #0");
        check("a & X p | (a & b) & (X p & X q)", "a -> #0");
        check("(a | b) & X p | a & (X p & X q)", "a | b -> #0");
        check("(a | b) & X p | (a | c & b) & (X p & X q)", "a | b -> #0");
        check("(a | b) & X p | (c & (a | b)) & (X p & X q)", "a | b -> #0");
        check("a | X p & b & a", "a -> ");
    }

    #[test]
    fn edges_under_another_condition_are_kept() {
        check("a & X p | b & (X p & X q)", "a -> #0; b -> #0 #1");
        check("a & X p | a & X q", "a -> #0; a -> #1");
        check("a & b & X p | a & (X p & X q)", "a & b -> #0; a -> #0 #1");
    }
}
