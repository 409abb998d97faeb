//! Which steps are *sticky*: a set of steps without which nothing runs in circles.
//!
//! The proof is a weight for every value of a control and for every counter, such that each
//! transition that is not sticky makes the weight of the state grow by at least one. What grows
//! with every step never comes back. Weights are found by linear programming on floating point
//! numbers, which may be wrong, and are then rounded and checked in exact arithmetic: a transition
//! for which they do not hold is sticky.

use super::access::{Change, Write};
use super::elements::Element;
use super::flow::Flow;
use super::steps::{Part, Step, Steps};
use crate::id::{Id, IdVec};
use crate::lang::linear_program::{Column, LinearProgram, Row as Comparison};
use crate::lang::program::TransitionId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, BTreeSet};

/// Programs with more rows than this get weights without linear programming.
const MAX_ROWS: usize = 2_000;

/// A transition with more ways to move controls than this is sticky.
const MAX_WAYS: usize = 64;

/// Weights of this many units make floating point numbers exact enough.
const SCALE: f64 = 1024.0;

/// A quantity of a state: whether a control has a value, or what a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Quantity {
    At(Element, i64),
    Counter(Element),
}

/// How a transition changes quantities, in one of the ways in which it can be taken.
type Row = Vec<(Quantity, i64)>;

/// What runs in circles, by transition.
#[derive(Clone, Debug)]
pub(super) struct Circles {
    /// Whether its step is sticky.
    pub(super) is_sticky: IdVec<TransitionId, bool>,
    /// Whether its step itself may never end.
    pub(super) is_endless: IdVec<TransitionId, bool>,
}

/// By transition: whether its step is sticky. What is `free` costs nothing: such steps are no
/// candidates in any case.
pub(super) fn sticky(flow: &Flow, steps: &Steps, free: &IdVec<TransitionId, bool>) -> Circles {
    let counters = counters(flow, steps);
    let rows: IdVec<TransitionId, Vec<Row>> = steps
        .parts
        .entries()
        .map(|(id, part)| if steps.is_live[id] { rows(flow, part, &counters) } else { Vec::new() })
        .collect();
    let weights = weights(&rows, free);
    let grows = |row: &Row| {
        let sum: i128 = row
            .iter()
            .map(|(quantity, amount)| {
                let weight = weights.get(quantity).copied().unwrap_or(0);
                i128::from(weight) * i128::from(*amount)
            })
            .sum();
        1 <= sum
    };
    let holds: IdVec<TransitionId, bool> =
        rows.iter().map(|rows| !rows.is_empty() && rows.iter().all(grows)).collect();
    let is_sticky = |step: &Step| step.parts.iter().any(|&part| !holds[part]);
    let is_endless = |step: &Step| step.circle.iter().any(|&part| !holds[part]);
    Circles {
        is_sticky: steps.steps.iter().map(is_sticky).collect(),
        is_endless: steps.steps.iter().map(is_endless).collect(),
    }
}

/// The elements that every transition changes by a known amount, if it changes them at all.
fn counters(flow: &Flow, steps: &Steps) -> HashMap<Element, bool, FxBuildHasher> {
    let mut is_counter: HashMap<Element, bool, FxBuildHasher> = HashMap::default();
    for (id, part) in steps.parts.entries() {
        for write in part.access.writes.iter().filter(|_| steps.is_live[id]) {
            for element in write.range.clone() {
                let is_known = amount(part, write).is_some();
                let known = is_counter.entry(element).or_insert(true);
                *known &= is_known && write.element().is_some();
            }
        }
    }
    is_counter.retain(|&element, is_counter| *is_counter && flow.values(element).is_none());
    is_counter
}

/// By how much a transition changes an element.
fn amount(part: &Part, write: &Write) -> Option<i64> {
    match write.change {
        Change::By(amount) => Some(amount),
        Change::To(value) => {
            let element = write.element()?;
            let before = part.literals.iter().filter(|literal| literal.element == element);
            let before = before.into_iter().find_map(|literal| literal.value())?;
            value.checked_sub(before)
        }
        Change::Unknown => None,
    }
}

/// All ways in which a transition changes quantities; none if there are too many.
fn rows(flow: &Flow, part: &Part, counters: &HashMap<Element, bool, FxBuildHasher>) -> Vec<Row> {
    let mut rows: Vec<Row> = vec![Vec::new()];
    for write in &part.access.writes {
        let Some(element) = write.element() else { continue };
        if counters.contains_key(&element) {
            let amount = amount(part, write).unwrap_or(0);
            for row in &mut rows {
                row.push((Quantity::Counter(element), amount));
            }
        }
        let (Some(values), Change::To(to)) = (flow.values(element), write.change) else { continue };
        let may_be = |value: &i64| {
            let literals = part.literals.iter().filter(|literal| literal.element == element);
            literals.into_iter().all(|literal| literal.is_true(*value))
        };
        let before: Vec<i64> = values.filter(may_be).collect();
        let mut more = Vec::new();
        for from in before.into_iter().filter(|_| rows.len() <= MAX_WAYS) {
            let moved = [(Quantity::At(element, from), -1), (Quantity::At(element, to), 1)];
            let moved = if from == to { &[] } else { &moved[..] };
            more.extend(rows.iter().map(|row| [row, moved].concat()));
        }
        rows = more;
        if MAX_WAYS < rows.len() {
            return Vec::new();
        }
    }
    rows
}

/// Weights with which many transitions make a state heavier; nothing is promised.
fn weights(
    rows: &IdVec<TransitionId, Vec<Row>>,
    free: &IdVec<TransitionId, bool>,
) -> HashMap<Quantity, i64, FxBuildHasher> {
    let n_rows: usize = rows.iter().map(Vec::len).sum();
    if MAX_ROWS < n_rows {
        return ranks(rows);
    }
    // Differences decide where several choices are equally good, as in a ring of processes.
    #[expect(clippy::cast_precision_loss, reason = "any small number will do")]
    let base = |id: TransitionId| {
        let place = id.index() as f64 / rows.len() as f64;
        if free[id] { 0.01 } else { 1.0 + place }
    };
    let mut costs: IdVec<TransitionId, f64> = free.ids().map(base).collect();
    let mut best = HashMap::default();
    // What has to be sticky by far costs little more when it is so by even more.
    for _ in 0..3 {
        let Some((weights, slack)) = solve(rows, &costs) else { break };
        for (id, slack) in slack {
            costs[id] = base(id) / (slack + 0.1);
        }
        best = weights;
    }
    best
}

/// For each control by itself, the places of its values in an order in which all ways that lead to
/// a value for the first time lead on: what makes one step back is sticky then.
fn ranks(rows: &IdVec<TransitionId, Vec<Row>>) -> HashMap<Quantity, i64, FxBuildHasher> {
    let mut edges: BTreeMap<Quantity, BTreeSet<Quantity>> = BTreeMap::new();
    for row in rows.iter().flatten() {
        for pair in row.windows(2) {
            if let [(from @ Quantity::At(..), -1), (to @ Quantity::At(..), 1)] = *pair {
                edges.entry(from).or_default().insert(to);
                edges.entry(to).or_default();
            }
        }
    }
    let mut weights = HashMap::default();
    let mut seen = BTreeSet::new();
    let mut next_rank = i64::try_from(edges.len()).unwrap_or(i64::MAX);
    for &first in edges.keys() {
        let mut path = vec![(first, false)];
        while let Some((quantity, is_left)) = path.pop() {
            if is_left {
                weights.insert(quantity, next_rank);
                next_rank -= 1;
            } else if seen.insert(quantity) {
                path.push((quantity, true));
                path.extend(edges[&quantity].iter().map(|&next| (next, false)));
            }
        }
    }
    weights
}

type Solution = (HashMap<Quantity, i64, FxBuildHasher>, Vec<(TransitionId, f64)>);

/// Minimizes by how much transitions fail to make a state heavier.
fn solve(
    rows: &IdVec<TransitionId, Vec<Row>>,
    costs: &IdVec<TransitionId, f64>,
) -> Option<Solution> {
    let mut problem = LinearProgram::new();
    let mut columns: HashMap<Quantity, Column, FxBuildHasher> = HashMap::default();
    let mut slacks = Vec::new();
    for (id, rows) in rows.entries() {
        if rows.is_empty() {
            continue;
        }
        let slack = problem.column(costs[id], (0.0, f64::INFINITY));
        slacks.push((id, slack));
        for row in rows {
            let mut terms: HashMap<Quantity, i64, FxBuildHasher> = HashMap::default();
            for &(quantity, amount) in row {
                *terms.entry(quantity).or_default() += amount;
            }
            let mut terms: Vec<(Quantity, i64)> = terms.into_iter().collect();
            terms.sort_unstable();
            let mut expression = vec![(slack, 1.0)];
            for (quantity, amount) in terms.into_iter().filter(|&(_, amount)| amount != 0) {
                let column =
                    *columns.entry(quantity).or_insert_with(|| problem.column(0.0, (-1e6, 1e6)));
                #[expect(clippy::cast_precision_loss, reason = "what is lost is checked later")]
                expression.push((column, amount as f64));
            }
            problem.row(&expression, Comparison::AtLeast, 1.0);
        }
    }
    let (_, solution) = problem.solution()?;
    #[expect(clippy::cast_possible_truncation, reason = "weights are at most a million")]
    let weight = |value: f64| (value * SCALE).round() as i64;
    let weights = columns.iter().map(|(&quantity, &column)| (quantity, weight(solution[column])));
    let slack = slacks.into_iter().map(|(id, slack)| (id, solution[slack])).collect();
    Some((weights.collect(), slack))
}
