//! The state equation: which conjunctions of constraints no reachable marking satisfies.
//!
//! A marking that is reached by firing every transition `t` as often as `x(t)` says is the initial one
//! plus the sum of `x(t)` times the change by `t`. Weights of places `y >= 0` with
//! `y · change(t) <= 0` for every transition that can fire at all never grow on the way, so
//! `y · m <= y · initial` in every reachable marking `m`. If the constraints are
//! `a(i) · m >= k(i)`, and there are factors `f >= 0` with `y >= sum of f(i) a(i)` in every place and
//! `y · initial < sum of f(i) k(i)`, then no reachable marking satisfies all of them
//! ([Mur89]: marking inequalities; by Farkas' lemma there are such numbers whenever the equation has no solution).
//!
//! The numbers are found by linear programming in floating point, and mean nothing by themselves:
//! they are made whole and then checked exactly.
//!
//! [Mur89]: crate::references::mur89

use super::constraint::{Conjunction, Constraint};
use super::whole::whole;
use crate::id::{Id, IdVec};
use crate::lang::linear_program::{Column, LinearProgram, Row};
use crate::lang::pnml::net::{Net, PlaceId};
use crate::lang::program::TransitionId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// Equations with more entries than this are not solved.
const MAX_ENTRIES: u64 = 10_000;

/// So much may be spent on a net: for each question the number of entries, and the product of rows
/// and columns in thousands.
const MAX_EFFORT: u64 = 600_000;

/// The largest number that a floating point number takes as it is, with much to spare.
const MAX_NUMBER: i64 = 1 << 40;

/// By how much transitions change places: each change once, sorted.
pub(super) type Changes = BTreeSet<Vec<(PlaceId, i64)>>;

/// The equation of a net, and what it has said.
#[derive(Debug)]
pub(super) struct Equation {
    initial: IdVec<PlaceId, i64>,
    changes: Changes,
    known: HashMap<Conjunction, bool, FxBuildHasher>,
    effort: u64,
}

impl Equation {
    pub(super) fn new(net: &Net, is_dead: &IdVec<TransitionId, bool>) -> Self {
        let live = net.transitions.entries().filter(|&(id, _)| !is_dead[id]);
        let changes: Changes = live.map(|(_, transition)| transition.changes().collect()).collect();
        let initial = net.places.iter().map(|place| place.initial).collect();
        Self { initial, changes, known: HashMap::default(), effort: 0 }
    }

    /// The changes that transitions make.
    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Whether it is proved that no reachable marking satisfies all of these constraints.
    pub(super) fn refutes(&mut self, conjunction: &Conjunction) -> bool {
        if let Some(&known) = self.known.get(conjunction) {
            return known;
        }
        let is_refuted = self.proof(conjunction).is_some();
        self.known.insert(conjunction.clone(), is_refuted);
        is_refuted
    }

    /// The same, unless a third of what may be spent is spent.
    pub(super) fn refutes_in_time(&mut self, conjunction: &Conjunction) -> bool {
        self.effort < MAX_EFFORT / 3 && self.refutes(conjunction)
    }

    /// Weights and factors that have been checked.
    fn proof(&mut self, conjunction: &[Constraint]) -> Option<Proof> {
        let n_entries: u64 = self.changes.iter().map(|change| change.len() as u64).sum();
        let size = (self.initial.len() as u64).saturating_mul(self.changes.len() as u64);
        let cost = n_entries + size / 1000 + 100;
        if conjunction.is_empty() || MAX_ENTRIES < n_entries || MAX_EFFORT < self.effort + cost {
            return None;
        }
        self.effort += cost;
        let numbers = self.solution(conjunction)?;
        let numbers = whole(&numbers)?;
        let (factors, slack) = numbers.split_at(conjunction.len());
        let proof = Proof { factors: factors.to_vec(), slack: slack.to_vec() };
        proof.is_valid(&self.initial, &self.changes, conjunction)?.then_some(proof)
    }

    /// Factors of the constraints, and by how much the weight of each place is larger than they ask for.
    #[expect(clippy::cast_precision_loss, reason = "numbers are small, and the result is checked")]
    fn solution(&self, conjunction: &[Constraint]) -> Option<Vec<f64>> {
        let is_small = |number: i64| -MAX_NUMBER < number && number < MAX_NUMBER;
        let mut problem = LinearProgram::new();
        let mut rows: HashMap<PlaceId, Vec<(usize, f64)>, FxBuildHasher> = HashMap::default();
        let mut factors = Vec::with_capacity(conjunction.len());
        for (number, constraint) in conjunction.iter().enumerate() {
            let gain = constraint.sum(|place| self.initial[place])? - i128::from(constraint.least);
            let gain = i64::try_from(gain).ok().filter(|&gain| is_small(gain))?;
            let least = if conjunction.len() == 1 { 1.0 } else { 0.0 };
            factors.push(problem.column(gain as f64, (least, 1.0)));
            for &(place, factor) in &constraint.factors {
                rows.entry(place).or_default().push((number, factor as f64));
            }
        }
        let slack: IdVec<PlaceId, Column> = self
            .initial
            .iter()
            .map(|&tokens| problem.column(tokens as f64, (0.0, f64::INFINITY)))
            .collect();
        for change in &self.changes {
            let mut of_factors = vec![0.0; conjunction.len()];
            let mut row = Vec::with_capacity(change.len() + conjunction.len());
            for &(place, tokens) in change {
                row.push((slack[place], tokens as f64));
                for &(number, factor) in rows.get(&place).into_iter().flatten() {
                    of_factors[number] += factor * tokens as f64;
                }
            }
            let of_factors = factors.iter().copied().zip(of_factors);
            row.extend(of_factors.filter(|&(_, number)| number != 0.0));
            if row.iter().any(|&(_, number)| 0.0 < number) {
                problem.row(&row, Row::AtMost, 0.0);
            }
        }
        // The columns of factors come first.
        let (cost, numbers) = problem.solution()?;
        (cost < -1e-9).then_some(numbers)
    }
}

/// Numbers by which constraints exclude each other.
#[derive(Debug)]
struct Proof {
    /// One for each constraint.
    factors: Vec<i128>,
    /// One for each place: its weight, less what the constraints ask for.
    slack: Vec<i128>,
}

impl Proof {
    /// Whether these numbers prove it; nothing if they are too large to tell.
    fn is_valid(
        &self,
        initial: &IdVec<PlaceId, i64>,
        changes: &Changes,
        conjunction: &[Constraint],
    ) -> Option<bool> {
        if self.factors.iter().chain(&self.slack).any(|&number| number < 0) {
            return Some(false);
        }
        let mut weights = self.slack.clone();
        let mut wanted = 0_i128;
        for (factor, constraint) in self.factors.iter().zip(conjunction) {
            wanted = wanted.checked_add(factor.checked_mul(i128::from(constraint.least))?)?;
            for &(place, of_place) in &constraint.factors {
                let weight = &mut weights[place.index()];
                *weight = weight.checked_add(factor.checked_mul(i128::from(of_place))?)?;
            }
        }
        for change in changes {
            let mut sum = 0_i128;
            for &(place, tokens) in change {
                let product = weights[place.index()].checked_mul(i128::from(tokens))?;
                sum = sum.checked_add(product)?;
            }
            if 0 < sum {
                return Some(false);
            }
        }
        let mut at_first = 0_i128;
        for (weight, &tokens) in weights.iter().zip(initial.iter()) {
            at_first = at_first.checked_add(weight.checked_mul(i128::from(tokens))?)?;
        }
        Some(at_first < wanted)
    }
}
