//! An automaton as complementation wants it: one acceptance set, on states, and
//! successors by classes of letters.

use super::letters;
use crate::baseline::components::Components;
use crate::baseline::cube::Cube;
use crate::baseline::degeneralize;
use crate::baseline::draft::Draft;
use crate::baseline::nba::{Nba, StateId};
use crate::id::Id;
use crate::search::limits::{Budget, Exhausted};
use crate::sets::distinct;
use crate::word::AtomId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// More atoms than this have too many letters.
const MAX_ATOMS: usize = 10;

/// A Büchi automaton all of whose states accept something.
#[derive(Debug)]
pub(super) struct Buchi {
    pub(super) initial: Vec<usize>,
    pub(super) accepting: Vec<bool>,
    /// Letters that no label of the automaton tells apart.
    pub(super) classes: Vec<Vec<Cube>>,
    /// By state, then by class; without repetition.
    successors: Vec<Vec<Vec<usize>>>,
}

impl Buchi {
    /// # Errors
    ///
    /// If there are more than `max_states` states or too many letters.
    pub(super) fn new(
        automaton: &Nba,
        max_states: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Exhausted> {
        let leveled;
        let automaton = if automaton.n_sets() == 1 && automaton.is_state_based() {
            automaton
        } else {
            leveled = degeneralize::plain(&Draft::of(automaton), budget)?.into_nba();
            &leveled
        };
        let (classes, allowed) = classes(automaton, max_states, budget)?;
        // States are numbered as they are met.
        let mut numbers: HashMap<StateId, usize, FxBuildHasher> = HashMap::default();
        let mut states: Vec<StateId> = Vec::new();
        let mut number = |state: StateId, states: &mut Vec<StateId>| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        let initial = automaton.initial().iter().map(|&state| number(state, &mut states)).collect();
        let mut successors = Vec::new();
        while let Some(&state) = states.get(successors.len()) {
            if max_states < states.len() {
                return Err(Exhausted::States { limit: max_states });
            }
            let mut by_class = vec![Vec::new(); classes.len()];
            for edge in automaton.edges(state) {
                let target = number(edge.target, &mut states);
                for (class, targets) in by_class.iter_mut().enumerate() {
                    budget.poll()?;
                    if allowed[class][edge.cube.index()] && !targets.contains(&target) {
                        targets.push(target);
                    }
                }
            }
            successors.push(by_class);
        }
        let accepting = states.iter().map(|&state| automaton.is_accepting(state)).collect();
        Ok(Self { initial, accepting, classes, successors }.trimmed())
    }

    pub(super) fn n_states(&self) -> usize {
        self.accepting.len()
    }

    pub(super) fn n_classes(&self) -> usize {
        self.classes.len()
    }

    pub(super) fn successors(&self, state: usize, class: usize) -> &[usize] {
        &self.successors[state][class]
    }

    /// The successors of each state, whatever the letter.
    pub(super) fn graph(&self) -> Vec<Vec<usize>> {
        self.successors.iter().map(|by_class| by_class.concat()).collect()
    }

    /// Without states that accept nothing.
    fn trimmed(mut self) -> Self {
        let useful = useful(&self.graph(), &self.accepting);
        let mut count = 0;
        let numbers: Vec<Option<usize>> = useful
            .iter()
            .map(|&useful| {
                count += usize::from(useful);
                useful.then(|| count - 1)
            })
            .collect();
        let renumber = |list: &mut Vec<usize>| {
            *list = list.iter().filter_map(|&state| numbers[state]).collect();
        };
        self.successors.iter_mut().flatten().for_each(renumber);
        renumber(&mut self.initial);
        let mut keep = useful.iter();
        self.successors.retain(|_| keep.next() == Some(&true));
        let mut keep = useful.iter();
        self.accepting.retain(|_| keep.next() == Some(&true));
        self
    }
}

/// Letters that no label tells apart, and for each class the labels that allow
/// them.
type Classes = (Vec<Vec<Cube>>, Vec<Vec<bool>>);

fn classes(
    automaton: &Nba,
    max_states: usize,
    budget: &mut Budget<'_>,
) -> Result<Classes, Exhausted> {
    let literals = automaton.cubes().iter().flat_map(Cube::literals);
    let atoms: Vec<AtomId> = distinct(literals.map(|(atom, _)| atom));
    if MAX_ATOMS < atoms.len() {
        return Err(Exhausted::States { limit: max_states });
    }
    let mut classes: Vec<Vec<Cube>> = Vec::new();
    let mut signatures = Vec::new();
    let mut known: HashMap<Vec<bool>, usize, FxBuildHasher> = HashMap::default();
    for letter in letters(&atoms) {
        budget.poll()?;
        let signature: Vec<bool> =
            automaton.cubes().iter().map(|cube| letter.implies(cube)).collect();
        let class = *known.entry(signature).or_insert_with_key(|signature| {
            signatures.push(signature.clone());
            classes.push(Vec::new());
            classes.len() - 1
        });
        classes[class].push(letter);
    }
    Ok((classes, signatures))
}

/// The states from which a cycle with an accepting state can be reached.
pub(super) fn useful(graph: &[Vec<usize>], accepting: &[bool]) -> Vec<bool> {
    let components = Components::new(graph);
    let mut useful = vec![false; graph.len()];
    // What a component leads to comes before it.
    for members in &components.members {
        let is_useful = members.iter().any(|&state| {
            let mut targets = graph[state].iter();
            targets.any(|&target| useful[target])
        });
        let has_cycle = components.is_cyclic(members, graph);
        let is_good = has_cycle && members.iter().any(|&state| accepting[state]);
        for &state in members {
            useful[state] = is_useful || is_good;
        }
    }
    useful
}
