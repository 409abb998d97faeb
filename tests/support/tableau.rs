//! Does some run of a small graph satisfy a formula? An answer by guessing the
//! truth of every temporal subformula at every state.
//!
//! The classical construction from the closure of a formula: a node is a state
//! and a guess, an edge is a step that agrees with both guesses, and a run is a
//! cycle on which every until that is guessed true comes true. Exponential in
//! the formula, and independent of automata, simplifier and search.
//!
//! Fairness is a matter of the cycle, too: where what is promised does not
//! happen, the cycle has to avoid the states in which it could.

use lwaa::id::{Id, IdVec};
use lwaa::lang::program::{Fairness, Program, Proposition, Strength};
use lwaa::ltl::{Formula, Term, TermId};
use lwaa::testbench::kripke::Kripke;
use lwaa::word::{AtomId, Letter};

/// A promise about the runs of a graph: what is enabled is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    /// How much is promised.
    pub strength: Strength,
    /// The atom that says that it is enabled.
    pub enabled: AtomId,
    /// The atom that says that it is taken.
    pub taken: AtomId,
}

/// What a program promises about its runs, as promises about atoms that are
/// added behind `atoms`.
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn promises(program: &Program, atoms: &mut Vec<Proposition>) -> Vec<Promise> {
    let mut add = |atom: Proposition| {
        atoms.push(atom);
        AtomId::new(atoms.len() - 1)
    };
    let promise = |fairness: &Fairness| Promise {
        strength: fairness.strength,
        enabled: add(Proposition::Enabled(fairness.transitions.clone())),
        taken: add(Proposition::Taken(fairness.transitions.clone())),
    };
    program.fairness.iter().map(promise).collect()
}

/// Whether some infinite run of `graph` satisfies `formula`.
///
/// # Panics
///
/// If the formula has more than 20 temporal operators.
#[must_use]
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn some_run_satisfies(graph: &Kripke, formula: &Formula) -> bool {
    some_fair_run_satisfies(graph, formula, &[])
}

/// Whether some infinite run of `graph` that keeps all `promises` satisfies
/// `formula`.
///
/// # Panics
///
/// If the formula has more than 20 temporal operators.
#[must_use]
pub(crate) fn some_fair_run_satisfies(
    graph: &Kripke,
    formula: &Formula,
    promises: &[Promise],
) -> bool {
    let tableau = Tableau::new(graph, formula);
    let mut open = components(&tableau.edges, &tableau.reached());
    while let Some(component) = open.pop() {
        match tableau.rest(&component, promises) {
            None => (),
            Some(rest) if rest.iter().filter(|&&stays| stays).count() == component.len() => {
                return true;
            }
            Some(rest) => open.extend(components(&tableau.edges, &rest)),
        }
    }
    false
}

/// The graph of states and guesses.
struct Tableau<'a> {
    graph: &'a Kripke,
    formula: &'a Formula,
    guesses: Guesses,
    n_guesses: usize,
    /// The truth of every subformula at every node.
    truth: Vec<IdVec<TermId, bool>>,
    edges: Vec<Vec<usize>>,
}

impl<'a> Tableau<'a> {
    fn new(graph: &'a Kripke, formula: &'a Formula) -> Self {
        let guesses = Guesses::new(formula);
        let n_guesses = 1 << guesses.temporal.len();
        let truth: Vec<IdVec<TermId, bool>> = (0..graph.letters.len() * n_guesses)
            .map(|node| guesses.truth(formula, &graph.letters[node / n_guesses], node % n_guesses))
            .collect();
        let edges = (0..truth.len())
            .map(|node| {
                graph.successors[node / n_guesses]
                    .iter()
                    .flat_map(|&target| (0..n_guesses).map(move |guess| target * n_guesses + guess))
                    .filter(|&target| guesses.agree(formula, &truth[node], &truth[target]))
                    .collect()
            })
            .collect();
        Self { graph, formula, guesses, n_guesses, truth, edges }
    }

    /// The nodes on runs that are guessed to satisfy the formula.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.truth.len()];
        let n_guesses = self.n_guesses;
        let mut open: Vec<usize> = self
            .graph
            .initial
            .iter()
            .flat_map(|&state| (0..n_guesses).map(move |guess| state * n_guesses + guess))
            .filter(|&node| self.truth[node][self.formula.root()])
            .collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                open.extend(&self.edges[node]);
            }
        }
        reached
    }

    /// The nodes of a component where a run can stay that keeps all promises;
    /// those that are not kept by going everywhere leave less than all of it.
    /// Nothing if no run can stay.
    fn rest(&self, component: &[usize], promises: &[Promise]) -> Option<Vec<bool>> {
        let some = |wanted: &dyn Fn(usize) -> bool| component.iter().any(|&node| wanted(node));
        let mut rest = vec![false; self.truth.len()];
        for &node in component {
            rest[node] = true;
        }
        let is_cyclic = some(&|node| self.edges[node].iter().any(|&target| rest[target]));
        let is_fulfilled = self.guesses.temporal.iter().all(|&term| {
            some(&|node| Guesses::is_fulfilled(self.formula, term, &self.truth[node]))
        });
        if !is_cyclic || !is_fulfilled {
            return None;
        }
        let says =
            |node: usize, atom: AtomId| self.graph.letters[node / self.n_guesses].contains(atom);
        for promise in promises {
            if some(&|node| says(node, promise.taken)) {
                continue;
            }
            // What is weakly fair has to be disabled at some moment, and what
            // is strongly fair for ever.
            match promise.strength {
                Strength::Weak if some(&|node| !says(node, promise.enabled)) => (),
                Strength::Weak => return None,
                Strength::Strong => {
                    for &node in component {
                        rest[node] &= !says(node, promise.enabled);
                    }
                }
            }
        }
        Some(rest)
    }
}

/// The subformulas whose truth is guessed.
struct Guesses {
    temporal: Vec<TermId>,
}

impl Guesses {
    fn new(formula: &Formula) -> Self {
        let temporal: Vec<TermId> = (0..formula.terms().len())
            .map(TermId::new)
            .filter(|&id| formula.terms().term(id).is_temporal())
            .collect();
        assert!(temporal.len() <= 20, "a small formula");
        Self { temporal }
    }

    /// The truth of all subformulas, given a letter and a guess.
    fn truth(&self, formula: &Formula, letter: &Letter, guess: usize) -> IdVec<TermId, bool> {
        let mut truth: IdVec<TermId, bool> = IdVec::new();
        for id in (0..formula.terms().len()).map(TermId::new) {
            let value = match formula.terms().term(id) {
                Term::True => true,
                Term::False => false,
                Term::Atom(atom) => letter.contains(atom),
                Term::Not(a) => !truth[a],
                Term::And(a, b) => truth[a] && truth[b],
                Term::Or(a, b) => truth[a] || truth[b],
                Term::Xor(a, b) => truth[a] != truth[b],
                Term::Implies(a, b) => !truth[a] || truth[b],
                Term::Iff(a, b) => truth[a] == truth[b],
                _ => {
                    let number = self.temporal.iter().position(|&term| term == id);
                    guess >> number.expect("all others are boolean") & 1 == 1
                }
            };
            truth.push(value);
        }
        truth
    }

    /// Whether the guesses at two consecutive moments agree.
    fn agree(
        &self,
        formula: &Formula,
        now: &IdVec<TermId, bool>,
        next: &IdVec<TermId, bool>,
    ) -> bool {
        self.temporal.iter().all(|&id| {
            let later = next[id];
            now[id]
                == match formula.terms().term(id) {
                    Term::Next(a) => next[a],
                    Term::Finally(a) => now[a] || later,
                    Term::Globally(a) => now[a] && later,
                    Term::Until(a, b) | Term::WeakUntil(a, b) => now[b] || now[a] && later,
                    Term::Release(a, b) | Term::StrongRelease(a, b) => now[b] && (now[a] || later),
                    _ => unreachable!("only temporal subformulas are guessed"),
                }
        })
    }

    /// Whether a moment excludes that the guess for `term` is put off for ever:
    /// least fixpoints guessed true must come true, greatest ones guessed false
    /// must come false.
    fn is_fulfilled(formula: &Formula, term: TermId, truth: &IdVec<TermId, bool>) -> bool {
        match formula.terms().term(term) {
            Term::Finally(a) => !truth[term] || truth[a],
            Term::Until(_, b) => !truth[term] || truth[b],
            Term::StrongRelease(a, b) => !truth[term] || truth[a] && truth[b],
            Term::Globally(a) => truth[term] || !truth[a],
            Term::Release(_, b) => truth[term] || !truth[b],
            Term::WeakUntil(a, b) => truth[term] || !truth[a] && !truth[b],
            _ => true,
        }
    }
}

/// The strongly connected components of the nodes that are `wanted`: those that
/// reach each other, by searching forwards and backwards from each.
pub(crate) fn components(edges: &[Vec<usize>], wanted: &[bool]) -> Vec<Vec<usize>> {
    let mut backwards = vec![Vec::new(); edges.len()];
    for (source, targets) in edges.iter().enumerate().filter(|&(source, _)| wanted[source]) {
        for &target in targets {
            backwards[target].push(source);
        }
    }
    let mut order = Vec::new();
    // What is not wanted counts as seen.
    let mut seen: Vec<bool> = wanted.iter().map(|wanted| !wanted).collect();
    for root in 0..edges.len() {
        finish_order(edges, root, &mut seen, &mut order);
    }
    let mut assigned = vec![false; edges.len()];
    let mut components = Vec::new();
    for &root in order.iter().rev() {
        let mut component = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if wanted[node] && !std::mem::replace(&mut assigned[node], true) {
                component.push(node);
                open.extend(&backwards[node]);
            }
        }
        if !component.is_empty() {
            components.push(component);
        }
    }
    components
}

/// Appends the nodes reachable from `root` through nodes that have not been seen,
/// in the order in which a depth-first search leaves them.
fn finish_order(edges: &[Vec<usize>], root: usize, seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut path = vec![(root, 0)];
    while let Some((node, next)) = path.last_mut() {
        let node = *node;
        match edges[node].get(*next) {
            None => {
                order.push(node);
                path.pop();
            }
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target], true) {
                    path.push((target, 0));
                }
            }
        }
    }
}
