//! Unit propagation in conjunctions, and its dual in disjunctions.
//!
//! An operand of a conjunction is a *fact*: wherever a disjunction beside it
//! contains its negation, that can go, and if one disjunct is left this is a
//! fact in turn. Chains of such steps are common, for example a start and many
//! implications, so they are followed to the end within one rule, in linear
//! time. The argument of `G` is a fact at all positions, and serves in
//! disjunctions below `G` as well.

use super::arena::{Arena, ListNode};
use super::pattern::Expression;
use crate::ltl::nnf::NodeId;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// A disjunction in a conjunction, or `G` of one.
struct Clause {
    disjuncts: Vec<NodeId>,
    /// Whether it is below `G`.
    always: bool,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Kept,
    /// Some disjuncts are gone.
    Shortened,
    /// One disjunct was left, and is a fact now.
    Unit,
    /// Another fact implies it.
    Dropped,
}

pub(super) fn propagate(list: ListNode<'_>) -> Option<Expression> {
    let bodies = list.plain_arguments(list.quantifier);
    let always = ListNode { operands: &bodies, ..list };
    let refuted = |clause_is_always: bool, x: NodeId| {
        always.contains_negation(x) || !clause_is_always && list.contains_negation(x)
    };
    let fits = |&operand: &NodeId| {
        clause(list, operand).is_some_and(|(disjuncts, clause_is_always)| {
            disjuncts.iter().any(|&x| refuted(clause_is_always, x))
        })
    };
    if !list.operands.iter().any(fits) {
        return None;
    }
    let mut propagation = Propagation::new(list);
    propagation.shorten_all(refuted);
    propagation.run(list.arena);
    Some(propagation.into_list(list))
}

/// The disjuncts of `operand`, and whether they are below `G`.
fn clause(list: ListNode<'_>, operand: NodeId) -> Option<(&[NodeId], bool)> {
    match list.arena.plain(list.quantifier, operand) {
        Some(argument) => Some((list.inner(argument)?, true)),
        None => Some((list.inner(operand)?, false)),
    }
}

struct Propagation {
    clauses: Vec<Clause>,
    /// The clauses that a disjunct occurs in.
    occurrences: HashMap<NodeId, Vec<usize>, FxBuildHasher>,
    /// Facts that have been found and not been used, and whether they hold at
    /// all positions.
    facts: Vec<(NodeId, bool)>,
}

impl Propagation {
    fn new(list: ListNode<'_>) -> Self {
        let mut clauses = Vec::new();
        let mut occurrences: HashMap<NodeId, Vec<usize>, FxBuildHasher> = HashMap::default();
        for (disjuncts, always) in list.operands.iter().filter_map(|&x| clause(list, x)) {
            for &disjunct in disjuncts {
                occurrences.entry(disjunct).or_default().push(clauses.len());
            }
            clauses.push(Clause { disjuncts: disjuncts.to_vec(), always, state: State::Kept });
        }
        Self { clauses, occurrences, facts: Vec::new() }
    }

    /// Removes the disjuncts that the operands refute.
    fn shorten_all(&mut self, refuted: impl Fn(bool, NodeId) -> bool) {
        for clause in &mut self.clauses {
            let always = clause.always;
            self.facts.extend(clause.shorten(|x| refuted(always, x)));
        }
    }

    /// Uses facts until there is no new one.
    fn run(&mut self, arena: &Arena) {
        let mut used: HashSet<(NodeId, bool), FxBuildHasher> = HashSet::default();
        while let Some((fact, always)) = self.facts.pop() {
            if !used.insert((fact, always)) {
                continue;
            }
            for &index in self.occurrences.get(&fact).into_iter().flatten() {
                let clause = &mut self.clauses[index];
                if clause.is_open() && (always || !clause.always) {
                    clause.state = State::Dropped;
                }
            }
            let Some(negation) = arena.negation(fact) else { continue };
            for &index in self.occurrences.get(&negation).into_iter().flatten() {
                let clause = &mut self.clauses[index];
                if clause.is_open() && (always || !clause.always) {
                    self.facts.extend(clause.shorten(|x| x == negation));
                }
            }
        }
    }

    /// `list` with what is left of its clauses.
    fn into_list(self, list: ListNode<'_>) -> Expression {
        let mut clauses = self.clauses.into_iter();
        let operands = list.operands.iter().filter_map(|&operand| {
            if clause(list, operand).is_none() {
                return Some(operand.into());
            }
            let Clause { disjuncts, always, state } =
                clauses.next().expect("there is a clause for each operand that is one");
            let rest = || Expression::list(list.quantifier.dual(), disjuncts);
            match state {
                State::Dropped => None,
                State::Kept => Some(operand.into()),
                State::Unit | State::Shortened if always => {
                    Some(Expression::plain(list.quantifier, rest()))
                }
                State::Unit | State::Shortened => Some(rest()),
            }
        });
        Expression::list(list.quantifier, operands)
    }
}

impl Clause {
    /// Whether it is still a disjunction.
    fn is_open(&self) -> bool {
        matches!(self.state, State::Kept | State::Shortened)
    }

    /// Removes the disjuncts that are `refuted`; says which fact this makes.
    fn shorten(&mut self, refuted: impl Fn(NodeId) -> bool) -> Option<(NodeId, bool)> {
        let n_before = self.disjuncts.len();
        self.disjuncts.retain(|&x| !refuted(x));
        if self.disjuncts.len() < n_before {
            self.state = State::Shortened;
        }
        match self.disjuncts[..] {
            [only] => {
                self.state = State::Unit;
                Some((only, self.always))
            }
            _ => None,
        }
    }
}
