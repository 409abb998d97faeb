//! The emptiness checks on random products, with every store, against
//! reachability by brute force.

use super::cube::Cube;
use super::enabled::{AutomatonProduct, EnabledEdges};
use super::magic_search::MagicSearch;
use super::nba::{Builder, Nba, StateId};
use super::nested_search::NestedSearch;
use super::visited::Visited;
use super::visited::bits::BitTable;
use super::visited::nodes::Nodes;
use super::visited::packets::Packets;
use super::word_graph::accepts;
use crate::id::{Id, IdVec};
use crate::product::moves::Moves;
use crate::product::{Deadlock, Halt, MoveRules, Order, Product};
use crate::run::Moment;
use crate::search::limits::{Budget, Limits, Monitor};
use crate::search::scc::Search;
use crate::store::{Store, StoreKind};
use crate::system::{Cursor, Fault, StepError, TransitionId, TransitionSystem};
use crate::testbench::{Random, campaign};
use crate::word::{AtomId, Atoms, Lasso, Letter};

/// An explicit graph: atom 0 and 1 are about states, atom 2 is true of every
/// other transition.
#[derive(Clone, Debug)]
struct Explicit {
    letters: Vec<u64>,
    /// Transitions of each state, by number, and where they lead.
    edges: Vec<Vec<(usize, usize)>>,
}

impl TransitionSystem for Explicit {
    fn n_words(&self) -> usize {
        1
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        vec![vec![0].into(), vec![1].into()]
    }

    fn n_lanes(&self) -> u32 {
        3
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        u32::try_from(transition.index() % 3).unwrap()
    }

    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let edges = &self.edges[usize::try_from(state[0]).unwrap()];
        let Some(&(transition, reached)) = edges.get(cursor.position as usize) else {
            return Ok(None);
        };
        cursor.position += 1;
        target[0] = reached as u64;
        Ok(Some(TransitionId::new(transition)))
    }

    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        letter[0] = self.letters[usize::try_from(state[0]).unwrap()];
        Ok(())
    }

    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        letter[0] |= u64::from(transition.index() % 2 == 1) << 2;
    }

    fn observe_atom(&mut self, state: &[u64], atom: AtomId) -> Result<bool, Fault> {
        Ok(self.letters[usize::try_from(state[0]).unwrap()] >> atom.index() & 1 == 1)
    }
}

fn random_system(random: &mut Random) -> Explicit {
    let n_states = 2 + random.below(8);
    let letters = (0..n_states).map(|_| random.below(4) as u64).collect();
    let edges = (0..n_states)
        .map(|_| {
            let n_edges = random.below(4);
            (0..n_edges).map(|_| (random.below(6), random.below(n_states))).collect()
        })
        .collect();
    Explicit { letters, edges }
}

fn random_automaton(random: &mut Random) -> Nba {
    let mut atoms = Atoms::default();
    let ids = ["p", "q", "taken"].map(|name| atoms.intern(name));
    let mut builder = Builder::new(atoms, 1);
    let states: Vec<StateId> = (0..=random.below(5)).map(|_| builder.add_state()).collect();
    builder.add_initial(states[0]);
    builder.add_initial(states[random.below(states.len())]);
    for &source in &states {
        let is_accepting = random.chance(0.3);
        for _ in 0..random.below(4) {
            let mut cube = Cube::truth();
            for &atom in ids.iter().filter(|_| random.chance(0.3)) {
                cube = cube.and(&Cube::literal(atom, atom.index() % 2 == 0)).unwrap();
            }
            let sets: Vec<_> = builder.all_sets().filter(|_| is_accepting).collect();
            builder.add_edge(source, &cube, sets, states[random.below(states.len())]);
        }
    }
    builder.finish()
}

/// Whether some accepting node of the product can be reached, and from itself.
fn brute_force(system: &Explicit, automaton: &Nba, deadlock: Deadlock) -> bool {
    let n_states = automaton.n_states();
    let n_nodes = system.letters.len() * n_states;
    let mut reaches = vec![vec![false; n_nodes]; n_nodes];
    for (state, edges) in system.edges.iter().enumerate() {
        let mut moves: Vec<(u64, usize)> =
            edges.iter().map(|&(taken, target)| ((taken as u64 % 2) << 2, target)).collect();
        if moves.is_empty() && deadlock == Deadlock::Stutter {
            moves.push((0, state));
        }
        for (taken, target) in moves {
            for source in automaton.states() {
                for edge in automaton.edges(source) {
                    if automaton.cube(edge.cube).allows_bits(&[system.letters[state] | taken]) {
                        let node = state * n_states + source.index();
                        reaches[node][target * n_states + edge.target.index()] = true;
                    }
                }
            }
        }
    }
    for via in 0..n_nodes {
        let onward = reaches[via].clone();
        for from in reaches.iter_mut().filter(|from| from[via]) {
            from.iter_mut().zip(&onward).for_each(|(known, &more)| *known |= more);
        }
    }
    let initial = [0, 1]
        .into_iter()
        .flat_map(|state| automaton.initial().iter().map(move |of| state * n_states + of.index()));
    let initial: Vec<usize> = initial.collect();
    (0..n_nodes).any(|node| {
        automaton.is_accepting(StateId::new(node % n_states))
            && reaches[node][node]
            && initial.iter().any(|&from| from == node || reaches[from][node])
    })
}

/// Passes if the moments are a run of `system` that `automaton` accepts.
fn certify(system: &Explicit, automaton: &Nba, lasso: &Lasso<Moment>, budget: &mut Budget<'_>) {
    let number = |moment: &Moment| usize::try_from(moment.state[0]).unwrap();
    let mut all: Vec<&Moment> = lasso.iter().collect();
    assert!(number(all[0]) < 2);
    all.push(&lasso.cycle()[0]);
    for pair in all.windows(2) {
        let (state, target) = (number(pair[0]), number(pair[1]));
        match pair[0].taken {
            Some(taken) => assert!(system.edges[state].contains(&(taken.index(), target))),
            None => assert!(system.edges[state].is_empty() && state == target),
        }
    }
    let letter = |moment: &Moment| {
        let mut bits = [system.letters[number(moment)]];
        moment.taken.iter().for_each(|&taken| system.takes(taken, &mut bits));
        (0..3).filter(|bit| bits[0] >> bit & 1 == 1).map(AtomId::new).collect()
    };
    let word: Lasso<Letter> = lasso.map(letter);
    assert_eq!(accepts(automaton, &word, budget), Ok(true), "{word:?}\n{automaton:?}");
}

fn product<'a>(
    (system, automaton): (&Explicit, &'a Nba),
    (deadlock, order): (Deadlock, Order),
) -> AutomatonProduct<'a, Explicit> {
    let is_action: IdVec<AtomId, bool> = [false, false, true].into_iter().collect();
    let rules = MoveRules { n_read: 3, is_action, deadlock, order };
    Moves::new(system.clone(), EnabledEdges::of(automaton), &rules)
}

/// Both searches with what they remember in this way.
fn searches<V: Visited>(
    (system, automaton): (&Explicit, &Nba),
    how: (Deadlock, Order),
    new: &mut dyn FnMut() -> V,
    budget: &mut Budget<'_>,
) -> [bool; 2] {
    let product = || product((system, automaton), how);
    let mut nested = NestedSearch::new(1);
    let is_nested = nested.run(&mut product(), &mut new(), budget).unwrap();
    if let Some(lasso) = nested.lasso() {
        certify(system, automaton, &lasso, budget);
    }
    assert_eq!(nested.lasso().is_some(), is_nested);
    let mut magic = MagicSearch::new(1);
    let is_magic = magic.run(&mut product(), &mut new(), budget).unwrap();
    if let Some(lasso) = magic.lasso() {
        certify(system, automaton, &lasso, budget);
    }
    assert_eq!(magic.lasso().is_some(), is_magic);
    let mut exhaustive = MagicSearch::new(1).exhaustive();
    assert_eq!(exhaustive.run(&mut product(), &mut new(), budget), Ok(is_magic));
    [is_nested, is_magic]
}

#[test]
fn emptiness_checks_agree_with_brute_force() {
    let (mut random, seed) = campaign::random(1993);
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let mut n_found = [0; 2];
    for round in 0..campaign::rounds(4000) {
        let (system, automaton) = (random_system(&mut random), random_automaton(&mut random));
        let deadlock = if random.coin() { Deadlock::Stutter } else { Deadlock::Ignore };
        let order = [Order::Rotate, Order::Fixed, Order::Random(seed)][random.below(3)];
        let expected = brute_force(&system, &automaton, deadlock);
        n_found[usize::from(expected)] += 1;
        let context = format!("seed {seed}, round {round}: {system:?}\n{automaton:?}");
        let (both, how) = ((&system, &automaton), (deadlock, order));
        for kind in [StoreKind::Exact, StoreKind::Tree] {
            let mut store = Store::new(kind, 1);
            let mut graph = Product::new(product(both, how), &mut store);
            let found = Search::default().run(&mut graph, &mut budget);
            assert_eq!(found, Ok::<_, Halt>(expected), "components, {context}");
            let mut stores: Vec<Store> = (0..3).map(|_| Store::new(kind, 1)).collect();
            let mut stores = stores.iter_mut();
            let mut new = || Nodes::new(stores.next().unwrap());
            let found = searches(both, how, &mut new, &mut budget);
            assert_eq!(found, [expected; 2], "{kind:?}, {context}");
        }
        let mut stores: Vec<Store> = (0..3).map(|_| Store::new(StoreKind::Hybrid, 1)).collect();
        let mut stores = stores.iter_mut();
        let mut new = || Packets::new(stores.next().unwrap(), automaton.n_states());
        assert_eq!(searches(both, how, &mut new, &mut budget), [expected; 2], "{context}");
        // So few nodes do not collide in a table of this size.
        let mut new = || BitTable::with_words(1 << 12, &Limits::default()).unwrap();
        assert_eq!(searches(both, how, &mut new, &mut budget), [expected; 2], "{context}");
        // In a small one they do, but what is found is there.
        let mut new = || BitTable::with_words(1, &Limits::default()).unwrap();
        let found = searches(both, how, &mut new, &mut budget);
        assert!(expected || found == [false; 2], "{context}");
    }
    assert!(n_found.iter().all(|&count| 400 < count), "{n_found:?}");
}
