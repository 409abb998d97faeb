//! The definitions of a step, each done once right and once wrong, by brute
//! force over truth tables.
//!
//! The right ones must agree with the meaning of formulas on lassos; each of
//! the wrong ones must be caught. A definition that nobody can tell from a
//! wrong one would not be tested by anything else either.
//!
//! Nothing here uses the search, the decision diagrams or the configuration
//! graph of the crate: only automata and the semantics.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::dag::Shape;
use lwaa::id::Id;
use lwaa::ltl::{Formula, Term, nnf, semantics, simplify};
use lwaa::lwaa::{Leaf, LocationId, Lwaa, TransitionId, build};
use lwaa::testbench::Random;
use lwaa::testbench::lassos::all_lassos;
use lwaa::testbench::random_formula::{self, random_formula};
use lwaa::word::{AtomId, Lasso, Letter};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// A set of locations or loops, one bit each.
type Set = u32;

/// What the successors of a configuration are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Definition {
    /// Minimal models over locations and loops together.
    Joint,
    /// Wrong: minimal configurations, with the loops that none of the steps
    /// to them can avoid.
    LocationsOnly,
    /// Minimal configurations; an until location must be absent somewhere.
    Simple,
}

struct Automaton {
    lwaa: Lwaa,
    n_atoms: usize,
}

impl Automaton {
    /// Nothing for formulas too large for brute force.
    fn new(formula: &Formula, push_next: bool) -> Option<Self> {
        let mut nnf = nnf::from_formula(formula);
        if push_next {
            nnf = simplify::push_next(&nnf);
        }
        let lwaa = build::from_nnf(nnf);
        let n_loops = lwaa.locations().filter(|(_, location)| location.until).count();
        let n_atoms = lwaa.atoms().len();
        (lwaa.n_locations() <= 5 && n_loops <= 2 && n_atoms <= 2).then_some(Self { lwaa, n_atoms })
    }

    fn initial(&self) -> Set {
        self.lwaa.initial().iter().map(|location| 1 << location.index()).sum()
    }

    fn untils(&self) -> Set {
        let untils = self.lwaa.locations().filter(|(_, location)| location.until);
        untils.map(|(id, _)| 1 << id.index()).sum()
    }

    fn holds(&self, root: TransitionId, letter: Set, target: Set, loops: Set) -> bool {
        let has = |set: Set, location: LocationId| set >> location.index() & 1 == 1;
        match self.lwaa.transitions().shape(root) {
            Shape::Leaf(Leaf::True) => true,
            Shape::Leaf(Leaf::False) => false,
            Shape::Leaf(Leaf::Literal { atom, positive }) => {
                (letter >> atom.index() & 1 == 1) == positive
            }
            Shape::Leaf(Leaf::Location(location)) => has(target, location),
            Shape::Leaf(Leaf::Loop(location)) => has(loops, location),
            Shape::And(list) => list.iter().all(|&part| self.holds(part, letter, target, loops)),
            Shape::Or(list) => list.iter().any(|&part| self.holds(part, letter, target, loops)),
        }
    }

    /// All pairs of a configuration and loops that satisfy the step formula
    /// under some letter of `letters`.
    fn models(&self, config: Set, letters: &[Set]) -> Vec<(Set, Set)> {
        let n = self.lwaa.n_locations();
        let untils = self.untils();
        let members: Vec<TransitionId> = self
            .lwaa
            .locations()
            .filter(|(id, _)| config >> id.index() & 1 == 1)
            .map(|(_, location)| location.step)
            .collect();
        let mut models = Vec::new();
        for target in 0..1 << n {
            for loops in subsets(untils & config & target) {
                let allows = |&letter: &Set| {
                    members.iter().all(|&step| self.holds(step, letter, target, loops))
                };
                if letters.iter().any(allows) {
                    models.push((target, loops));
                }
            }
        }
        models
    }

    /// The successors of `config` if the letter is one of `letters`, and the
    /// marks that each step is missing.
    fn successors(&self, config: Set, letters: &[Set], definition: Definition) -> Vec<(Set, Set)> {
        let models = self.models(config, letters);
        let below = |a: Set, b: Set| a & !b == 0;
        if definition == Definition::Joint {
            let smaller = |&(target, loops): &(Set, Set)| {
                models
                    .iter()
                    .any(|&(t, l)| (t, l) != (target, loops) && below(t, target) && below(l, loops))
            };
            return models.iter().copied().filter(|model| !smaller(model)).collect();
        }
        let targets: BTreeSet<Set> = models.iter().map(|&(target, _)| target).collect();
        let minimal =
            targets.iter().copied().filter(|&t| !targets.iter().any(|&s| s != t && below(s, t)));
        minimal
            .map(|target| {
                let to_target = models.iter().filter(|&&(t, _)| t == target);
                let unavoidable = to_target.fold(Set::MAX, |all, &(_, loops)| all & loops);
                let missing = match definition {
                    Definition::Simple => target & self.untils(),
                    _ => unavoidable,
                };
                (target, missing)
            })
            .collect()
    }

    fn letters(&self) -> Vec<Set> {
        (0..1 << self.n_atoms).collect()
    }

    /// Whether the automaton accepts `word`.
    fn accepts(&self, word: &Lasso<Letter>, definition: Definition) -> bool {
        let letter = |position: usize| -> Set {
            let atoms = (0..self.n_atoms).map(AtomId::new);
            atoms
                .filter(|&atom| word.at(position).contains(atom))
                .map(|atom| 1 << atom.index())
                .sum()
        };
        has_accepting_cycle((0, self.initial()), |(position, config)| {
            let next = word.next(position);
            self.successors(config, &[letter(position)], definition)
                .into_iter()
                .map(|(target, missing)| ((next, target), missing))
                .collect()
        })
    }

    /// Whether the automaton accepts any word.
    fn accepts_some(&self, definition: Definition) -> bool {
        has_accepting_cycle(self.initial(), |config| {
            self.successors(config, &self.letters(), definition)
        })
    }

    /// Whether the automaton accepts a word in which every one of `marks`, each
    /// a predicate on letters, holds infinitely often.
    fn accepts_some_with_marks(&self, marks: &[Vec<bool>], minimize: Minimize) -> bool {
        let loop_bits = self.lwaa.n_locations();
        has_accepting_cycle(self.initial(), |config| {
            let pairs: BTreeSet<(Set, Set)> = match minimize {
                Minimize::PerLetter => self
                    .letters()
                    .into_iter()
                    .flat_map(|letter| self.successors(config, &[letter], Definition::Joint))
                    .collect(),
                Minimize::AfterExists => self
                    .successors(config, &self.letters(), Definition::Joint)
                    .into_iter()
                    .collect(),
            };
            let mut edges = Vec::new();
            for (target, loops) in pairs {
                // One edge for each letter of the guard.
                for letter in self.letters() {
                    if self.models(config, &[letter]).contains(&(target, loops)) {
                        let unearned = |(number, mark): (usize, &Vec<bool>)| {
                            if mark[letter as usize] { 0 } else { 1 << (loop_bits + number) }
                        };
                        let missing: Set = marks.iter().enumerate().map(unearned).sum();
                        edges.push((target, loops | missing));
                    }
                }
            }
            edges
        })
    }
}

/// All subsets of `set`, the largest first.
fn subsets(set: Set) -> impl Iterator<Item = Set> {
    std::iter::successors(Some(set), move |&subset| {
        subset.checked_sub(1).map(|smaller| smaller & set)
    })
}

/// When pairs that are not minimal are dropped, if letters carry marks.
#[derive(Clone, Copy)]
enum Minimize {
    /// Right: what is minimal for some letter stays.
    PerLetter,
    /// Wrong: only what is minimal over all letters stays.
    AfterExists,
}

/// Whether some reachable cycle has no mark that all of its edges miss.
fn has_accepting_cycle<N: Copy + Ord>(initial: N, edges: impl Fn(N) -> Vec<(N, Set)>) -> bool {
    let mut graph: BTreeMap<N, Vec<(N, Set)>> = BTreeMap::new();
    let mut open = vec![initial];
    while let Some(node) = open.pop() {
        if let Entry::Vacant(entry) = graph.entry(node) {
            let list = entry.insert(edges(node));
            open.extend(list.iter().map(|&(target, _)| target));
        }
    }
    let reach: BTreeMap<N, BTreeSet<N>> =
        graph.keys().map(|&node| (node, reachable(node, &graph))).collect();
    graph.keys().any(|&node| {
        let same = |other: &N| reach[&node].contains(other) && reach[other].contains(&node);
        let inside: Vec<Set> = graph
            .iter()
            .filter(|(source, _)| same(source))
            .flat_map(|(_, list)| list.iter().filter(|(target, _)| same(target)))
            .map(|&(_, missing)| missing)
            .collect();
        !inside.is_empty() && inside.iter().fold(Set::MAX, |all, missing| all & missing) == 0
    })
}

/// The nodes that can be reached in one step or more.
fn reachable<N: Copy + Ord>(from: N, graph: &BTreeMap<N, Vec<(N, Set)>>) -> BTreeSet<N> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &(target, _) in &graph[&node] {
            if reached.insert(target) {
                open.push(target);
            }
        }
    }
    reached
}

/// Random formulas small enough for truth tables, from a fixed seed.
fn formulas(count: usize) -> impl Iterator<Item = Formula> {
    let options = random_formula::Options { size: 6, n_atoms: 2, ..Default::default() };
    let mut random = Random::new(2004);
    let fixed = ["G X F G p", "F G p", "G F p & X G (p | X !p)", "X (p U q) R q"];
    let fixed = fixed.into_iter().map(|text| Formula::parse(text).unwrap());
    fixed.chain(std::iter::from_fn(move || Some(random_formula(&options, &mut random)))).take(count)
}

fn lassos() -> Vec<Lasso<Letter>> {
    all_lassos(2, 3).collect()
}

/// How often a definition disagrees with the meaning of formulas.
fn disagreements(definition: Definition, push_next: bool) -> usize {
    let lassos = lassos();
    let mut wrong = 0;
    let mut n_checked = 0;
    for formula in formulas(300) {
        let Some(automaton) = Automaton::new(&formula, push_next) else { continue };
        for word in &lassos {
            n_checked += 1;
            wrong += usize::from(
                automaton.accepts(word, definition) != semantics::holds(&formula, word),
            );
        }
    }
    assert!(5_000 < n_checked, "only {n_checked} pairs were small enough");
    wrong
}

#[test]
fn jointly_minimal_successors_are_right() {
    assert_eq!(disagreements(Definition::Joint, false), 0);
}

#[test]
fn successors_minimal_in_locations_only_are_caught() {
    assert_ne!(disagreements(Definition::LocationsOnly, false), 0);
    // The example of DESIGN: {h, f} absorbs the step that would enter G p.
    let formula = Formula::parse("G X F G p").unwrap();
    let automaton = Automaton::new(&formula, false).unwrap();
    let always_p = Lasso::new(vec![], vec![[AtomId::new(0)].into_iter().collect()]).unwrap();
    assert!(semantics::holds(&formula, &always_p));
    assert!(!automaton.accepts(&always_p, Definition::LocationsOnly));
    assert!(automaton.accepts(&always_p, Definition::Joint));
}

#[test]
fn simple_labels_are_right_once_next_is_pushed_to_the_atoms() {
    assert_eq!(disagreements(Definition::Simple, true), 0);
}

#[test]
fn simple_labels_without_pushing_next_are_caught() {
    assert_ne!(disagreements(Definition::Simple, false), 0);
}

#[test]
fn a_free_letter_may_be_quantified_away_if_it_carries_no_marks() {
    let lassos = lassos();
    for formula in formulas(300) {
        let Some(automaton) = Automaton::new(&formula, false) else { continue };
        let found = lassos.iter().any(|word| semantics::holds(&formula, word));
        let answer = automaton.accepts_some(Definition::Joint);
        assert!(answer || !found, "{formula} is satisfiable");
        let negated = Automaton::new(&formula.negated(), false);
        let dual = negated.is_none_or(|automaton| automaton.accepts_some(Definition::Joint));
        assert!(answer || dual, "{formula} and its negation cannot both be unsatisfiable");
    }
}

/// Satisfiability of `formula & G F mark`, the last conjunct as a mark on
/// letters, compared with the same conjunct as part of the automaton.
fn marked_disagreements(minimize: Minimize) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut candidates: Vec<Formula> = formulas(300).collect();
    candidates.push(Formula::parse("G (a | X b)").unwrap());
    for formula in candidates {
        let Some(automaton) = Automaton::new(&formula, false) else { continue };
        for (atom, name) in formula.atoms().iter() {
            for positive in [true, false] {
                let text = if positive { format!("G F {name}") } else { format!("G F !{name}") };
                let whole = formula.combined(Term::And, &Formula::parse(&text).unwrap());
                let Some(reference) = Automaton::new(&whole, false) else { continue };
                let mark: Vec<bool> = automaton
                    .letters()
                    .iter()
                    .map(|letter| (letter >> atom.index() & 1 == 1) == positive)
                    .collect();
                let marked = automaton.accepts_some_with_marks(&[mark], minimize);
                if marked != reference.accepts_some(Definition::Joint) {
                    wrong.push(whole.to_string());
                }
            }
        }
    }
    wrong
}

#[test]
fn with_marks_on_letters_what_is_minimal_for_some_letter_is_right() {
    assert_eq!(marked_disagreements(Minimize::PerLetter), [""; 0]);
}

#[test]
fn with_marks_on_letters_quantifying_first_is_caught() {
    let wrong = marked_disagreements(Minimize::AfterExists);
    assert!(wrong.contains(&"G (a | X b) & G F !a".to_owned()), "{wrong:?}");
}
