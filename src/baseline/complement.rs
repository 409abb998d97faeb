//! The words that an automaton does not accept, as an automaton.
//!
//! Rank-based complementation: a word is rejected exactly if the states that
//! runs on it can be in have *ranks* that never grow along a run, are even in
//! accepting states, and become odd at last on every run ([KV01]). We guess the
//! ranks as [Sch09] does: first only the set of states is followed, then from
//! some moment on the ranks are *tight*, which means that all odd numbers up to
//! the greatest rank occur.
//!
//! From there on almost nothing is guessed. Let `g` be the least ranks that a
//! word allows. It is enough that our ranks are nowhere below `g`, and that for
//! every odd number one state has that rank in both: such a state always has a
//! successor of the same least rank, so ours cannot lose it, and they stay tight.
//! Hence at the beginning one state for each odd number below the greatest is
//! chosen, and all others have the greatest rank that they may have; after that
//! ranks go down only if they must, or by the one other move there is: all
//! states that are waited for (those of one even rank `index`) leave their rank
//! at once.
//!
//! We add what is known of the automaton beforehand: how high least ranks can
//! be, component by component (`ranks.rs`). For the weak automata that most
//! formulas have that is one or two.
//!
//! Letters are told apart only as far as the labels of the automaton do, but
//! every letter of the complement is an edge of its own.
//!
//! [KV01]: crate::references::kv01
//! [Sch09]: crate::references::sch09

mod buchi;
mod ranks;

use super::cube::Cube;
use super::nba::{Builder, Nba, StateId};
use crate::search::limits::{Budget, Exhausted};
use buchi::Buchi;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// An automaton that accepts exactly the words that `automaton` rejects: one
/// acceptance set, state based, without states that accept nothing.
///
/// ```
/// use lwaa::baseline::{Cube, complement::complement, nba::Builder, word_graph::example};
/// use lwaa::search::limits::{Budget, Limits, Monitor};
/// use lwaa::word::Atoms;
/// let mut atoms = Atoms::default();
/// let p = Cube::literal(atoms.intern("p"), true);
/// // p again and again.
/// let mut builder = Builder::new(atoms, 1);
/// let state = builder.add_state();
/// builder.add_initial(state);
/// builder.add_edge(state, &Cube::truth(), [], state);
/// builder.add_edge(state, &p, builder.all_sets(), state);
/// let automaton = builder.finish();
///
/// let monitor = Monitor::default();
/// let mut budget = Budget::new(Limits::default(), &monitor);
/// let rest = complement(&automaton, 100, &mut budget)?;
/// let word = example(&rest, &mut budget)?.expect("such as never p");
/// assert!(word.cycle().iter().all(|letter| letter.iter().next().is_none()));
/// # Ok::<(), lwaa::search::limits::Exhausted>(())
/// ```
///
/// # Errors
///
/// If more than `max_states` states would have to be looked at, or a limit is
/// reached.
pub fn complement(
    automaton: &Nba,
    max_states: usize,
    budget: &mut Budget<'_>,
) -> Result<Nba, Exhausted> {
    let buchi = Buchi::new(automaton, max_states, budget)?;
    let bounds = ranks::bounds(&buchi);
    let mut construction = Construction {
        buchi: &buchi,
        bounds: &bounds,
        max_states,
        numbers: HashMap::default(),
        macrostates: Vec::new(),
        edges: Vec::new(),
    };
    construction.explore(budget)?;
    Ok(construction.finish(automaton))
}

/// The rank of a state, `None` if no run is in it.
type Ranks = Box<[Option<u8>]>;

/// A state of the complement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Macrostate {
    /// Where runs can be.
    Subset(Box<[bool]>),
    /// What ranks they have.
    Ranked {
        ranks: Ranks,
        /// The states that have had the rank `index` ever since the last time
        /// there was none of them.
        waiting: Box<[bool]>,
        /// An even number.
        index: u8,
    },
}

impl Macrostate {
    fn is_accepting(&self) -> bool {
        match self {
            Self::Subset(states) => !states.contains(&true),
            Self::Ranked { waiting, .. } => !waiting.contains(&true),
        }
    }
}

struct Construction<'a> {
    buchi: &'a Buchi,
    /// How high a least rank of each state can be.
    bounds: &'a [u8],
    max_states: usize,
    numbers: HashMap<Macrostate, usize, FxBuildHasher>,
    macrostates: Vec<Macrostate>,
    /// For each state the classes of letters and where they lead.
    edges: Vec<Vec<(usize, usize)>>,
}

impl Construction<'_> {
    fn explore(&mut self, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
        let mut first = vec![false; self.buchi.n_states()];
        self.buchi.initial.iter().for_each(|&state| first[state] = true);
        self.number(Macrostate::Subset(first.into()))?;
        let mut next = 0;
        while next < self.macrostates.len() {
            let source = self.macrostates[next].clone();
            let mut edges = Vec::new();
            for class in 0..self.buchi.n_classes() {
                let mut targets = Vec::new();
                match &source {
                    Macrostate::Subset(states) => {
                        self.leave_subset(states, class, &mut targets, budget)?;
                    }
                    Macrostate::Ranked { ranks, waiting, index } => {
                        self.leave_ranked(ranks, waiting, *index, class, &mut targets);
                    }
                }
                for target in targets {
                    budget.poll()?;
                    edges.push((class, self.number(target)?));
                }
            }
            self.edges.push(edges);
            next += 1;
        }
        Ok(())
    }

    fn number(&mut self, macrostate: Macrostate) -> Result<usize, Exhausted> {
        if let Some(&known) = self.numbers.get(&macrostate) {
            return Ok(known);
        }
        if self.max_states <= self.macrostates.len() {
            return Err(Exhausted::States { limit: self.max_states });
        }
        self.macrostates.push(macrostate.clone());
        self.numbers.insert(macrostate, self.macrostates.len() - 1);
        Ok(self.macrostates.len() - 1)
    }

    /// The states behind a set: another set, or one with ranks.
    fn leave_subset(
        &self,
        states: &[bool],
        class: usize,
        targets: &mut Vec<Macrostate>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Exhausted> {
        let mut after = vec![false; states.len()];
        for (state, _) in states.iter().enumerate().filter(|&(_, &is_in)| is_in) {
            self.buchi.successors(state, class).iter().for_each(|&target| after[target] = true);
        }
        let after: Box<[bool]> = after.into();
        let inside = |&state: &usize| after[state] && !self.buchi.accepting[state];
        let candidates: Vec<usize> = (0..after.len()).filter(inside).collect();
        let highest = candidates.iter().map(|&state| self.bounds[state]).max().unwrap_or(0);
        let none: Box<[bool]> = vec![false; after.len()].into();
        let mut greatest = 1;
        while greatest <= highest {
            for ranks in self.beginnings(&after, &candidates, greatest, budget)? {
                targets.push(Macrostate::Ranked { ranks, waiting: none.clone(), index: 0 });
            }
            greatest += 2;
        }
        targets.push(Macrostate::Subset(after));
        Ok(())
    }

    /// The ranks to begin with: for every odd number below `greatest` one of
    /// the `candidates`, and all others as high as they may be.
    fn beginnings(
        &self,
        states: &[bool],
        candidates: &[usize],
        greatest: u8,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Ranks>, Exhausted> {
        let highest = |state: usize| states[state].then(|| self.allowed(state, greatest));
        let most: Ranks = (0..states.len()).map(highest).collect();
        // The states that are chosen so far, one for each odd number.
        let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
        for rank in (1..greatest).step_by(2) {
            let mut longer = Vec::new();
            for partial in &chosen {
                for &state in candidates {
                    budget.poll()?;
                    if rank <= self.bounds[state] && !partial.contains(&state) {
                        longer.push(partial.iter().copied().chain([state]).collect());
                    }
                }
                if self.max_states < longer.len() {
                    return Err(Exhausted::States { limit: self.max_states });
                }
            }
            chosen = longer;
        }
        let rankings = chosen.into_iter().map(|chosen| {
            let mut ranks = most.clone();
            for (rank, state) in (1..).step_by(2).zip(chosen) {
                ranks[state] = Some(rank);
            }
            ranks
        });
        Ok(rankings.filter(|ranks| is_tight(ranks, greatest)).collect())
    }

    /// The highest rank of a state that is at most `rank`.
    fn allowed(&self, state: usize, rank: u8) -> u8 {
        let rank = rank.min(self.bounds[state]);
        if self.buchi.accepting[state] { rank & !1 } else { rank }
    }

    /// The states behind one with ranks: as high as possible, and once more
    /// without those that are waited for.
    fn leave_ranked(
        &self,
        ranks: &Ranks,
        waiting: &[bool],
        index: u8,
        class: usize,
        targets: &mut Vec<Macrostate>,
    ) {
        let mut after: Ranks = vec![None; ranks.len()].into();
        let mut still: Box<[bool]> = vec![false; ranks.len()].into();
        for (state, rank) in ranks.iter().enumerate() {
            let Some(rank) = *rank else { continue };
            for &target in self.buchi.successors(state, class) {
                let allowed = self.allowed(target, rank);
                after[target] = Some(after[target].map_or(allowed, |other| other.min(allowed)));
                still[target] |= waiting[state];
            }
        }
        let greatest = ranks.iter().flatten().copied().max().unwrap_or(0);
        if !is_tight(&after, greatest) {
            return;
        }
        let mut index = index;
        if waiting.contains(&true) {
            still.iter_mut().zip(&after).for_each(|(still, rank)| *still &= *rank == Some(index));
        } else {
            index = (index + 2) % (greatest + 1);
            still = after.iter().map(|&rank| rank == Some(index)).collect();
        }
        if 0 < index && still.contains(&true) {
            let mut lower = after.clone();
            for state in (0..lower.len()).filter(|&state| still[state]) {
                lower[state] = Some(self.allowed(state, index - 1));
            }
            let waiting = vec![false; lower.len()].into();
            targets.push(Macrostate::Ranked { ranks: lower, waiting, index });
        }
        targets.push(Macrostate::Ranked { ranks: after, waiting: still, index });
    }

    /// The part from which something is accepted.
    fn finish(self, automaton: &Nba) -> Nba {
        let n_states = self.macrostates.len();
        let targets: Vec<Vec<usize>> = self
            .edges
            .iter()
            .map(|edges| edges.iter().map(|&(_, target)| target).collect())
            .collect();
        let accepting: Vec<bool> = self.macrostates.iter().map(Macrostate::is_accepting).collect();
        let useful = buchi::useful(&targets, &accepting);
        let mut builder = Builder::new(automaton.atoms().clone(), 1);
        let ids: Vec<Option<StateId>> =
            (0..n_states).map(|state| useful[state].then(|| builder.add_state())).collect();
        ids.first().copied().flatten().into_iter().for_each(|first| builder.add_initial(first));
        for (state, edges) in self.edges.iter().enumerate() {
            let Some(source) = ids[state] else { continue };
            for &(class, target) in edges {
                let Some(target) = ids[target] else { continue };
                for letter in &self.buchi.classes[class] {
                    let sets = builder.all_sets().filter(|_| accepting[state]);
                    builder.add_edge(source, letter, sets, target);
                }
            }
        }
        builder.finish()
    }
}

/// Whether the greatest rank is `greatest`, and all odd ones up to it occur.
fn is_tight(ranks: &Ranks, greatest: u8) -> bool {
    (1..=greatest).step_by(2).all(|rank| ranks.contains(&Some(rank)))
}

/// The letters over some atoms, all others being left open.
fn letters(atoms: &[crate::word::AtomId]) -> impl Iterator<Item = Cube> + '_ {
    (0_usize..1 << atoms.len()).map(|code| {
        let literals = atoms.iter().enumerate().map(|(bit, &atom)| (atom, code >> bit & 1 == 1));
        literals.fold(Cube::truth(), |cube, (atom, positive)| {
            cube.and(&Cube::literal(atom, positive)).expect("atoms are different")
        })
    })
}

#[cfg(test)]
mod tests;
