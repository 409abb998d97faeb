//! Elements that are assigned constants only, as program counters are, and how many assignments
//! lead from one value to another.
//!
//! A transition whose guard says which value the element has, and which assigns another one, is an
//! edge between the two values. Other conditions of guards are ignored, so there may be no run
//! that goes the whole way.

use crate::lang::program::{
    BinaryOperator, Effect, Expression, ExpressionId, Program, Transition, VariableId,
};
use crate::word::Distance;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;

/// Elements with more values are not looked at.
const MAX_VALUES: i64 = 1 << 12;

/// An element of an array, or a variable and 0.
pub(super) type Key = (VariableId, usize);

/// The comparisons of such elements with constants.
pub(super) struct Walks {
    /// The element, the constant, and the number of assignments from each value.
    by_comparison: HashMap<ExpressionId, (Key, i64, Vec<u32>), FxBuildHasher>,
}

/// How the values of an element follow each other.
#[derive(Default)]
struct Edges {
    /// From one value to another; from any value if nothing is said.
    list: Vec<(Option<i64>, i64)>,
    /// Whether something else than a constant is assigned.
    is_open: bool,
}

impl Walks {
    /// The walks of the comparisons among these expressions.
    pub(super) fn new(program: &Program, expressions: &[ExpressionId]) -> Self {
        let mut edges: HashMap<Key, Edges, FxBuildHasher> = HashMap::default();
        let compared: Vec<(ExpressionId, Key, i64)> = expressions
            .iter()
            .filter_map(|&id| {
                let (key, wanted) = comparison(program, id)?;
                let variable = &program.variables[key.0];
                let is_small = variable.high - variable.low < MAX_VALUES && !variable.any;
                is_small.then_some((id, key, wanted))
            })
            .collect();
        for &(_, key, _) in &compared {
            edges.entry(key).or_default();
        }
        let transitions = program.transitions.iter();
        for transition in transitions.take(if edges.is_empty() { 0 } else { usize::MAX }) {
            add(program, transition, &mut edges);
        }
        let walk = |(id, key, wanted): (ExpressionId, Key, i64)| {
            let edges = edges.get(&key).filter(|edges| !edges.is_open)?;
            let variable = &program.variables[key.0];
            let range = (variable.low, variable.high);
            Some((id, (key, wanted, edges.steps(range, wanted))))
        };
        Self { by_comparison: compared.into_iter().filter_map(walk).collect() }
    }

    /// What an expression compares, if it is such a comparison, and the number of assignments from
    /// each value of the element, from the least one on.
    pub(super) fn find(&self, id: ExpressionId) -> Option<(Key, i64, &[u32])> {
        self.by_comparison.get(&id).map(|(key, wanted, steps)| (*key, *wanted, steps.as_slice()))
    }
}

impl Edges {
    /// How many assignments lead to `wanted` from each value.
    fn steps(&self, (low, high): (i64, i64), wanted: i64) -> Vec<u32> {
        let n_values = usize::try_from(high - low + 1).expect("the range is small");
        let place = |value: i64| {
            let offset = value.checked_sub(low)?;
            usize::try_from(offset).ok().filter(|&offset| offset < n_values)
        };
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n_values];
        let mut from_any = vec![false; n_values];
        for &(from, to) in &self.list {
            let Some(to) = place(to) else { continue };
            match from.map(place) {
                None => from_any[to] = true,
                Some(Some(from)) => before[to].push(from),
                Some(None) => (),
            }
        }
        let mut steps = vec![Distance::FAR; n_values];
        let mut open: VecDeque<usize> = place(wanted).into_iter().collect();
        for &start in &open {
            steps[start] = 0;
        }
        while let Some(value) = open.pop_front() {
            let next = steps[value] + 1;
            let all = if from_any[value] { 0..n_values } else { 0..0 };
            for from in all.chain(before[value].iter().copied()) {
                if steps[from] == Distance::FAR {
                    steps[from] = next;
                    open.push_back(from);
                }
            }
        }
        steps
    }
}

/// The element and the constant that an expression says to be equal.
fn comparison(program: &Program, id: ExpressionId) -> Option<(Key, i64)> {
    let Expression::Binary(BinaryOperator::Equal, left, right) = program.view(id) else {
        return None;
    };
    let sides = |element, constant| Some((key(program, element)?, program.as_constant(constant)?));
    sides(left, right).or_else(|| sides(right, left))
}

/// The element that an expression is.
fn key(program: &Program, id: ExpressionId) -> Option<Key> {
    match program.view(id) {
        Expression::Variable(variable) => Some((variable, 0)),
        Expression::Element(array, index) => {
            let index = usize::try_from(program.as_constant(index)?).ok()?;
            Some((array, index))
        }
        _ => None,
    }
}

/// Adds what a transition does to elements.
fn add(program: &Program, transition: &Transition, edges: &mut HashMap<Key, Edges, FxBuildHasher>) {
    let mut known: Vec<(Key, i64)> = Vec::new();
    let mut open = vec![transition.guard];
    while let Some(id) = open.pop() {
        match program.view(id) {
            Expression::Binary(BinaryOperator::And, left, right) => open.extend([left, right]),
            _ => known.extend(comparison(program, id)),
        }
    }
    let mut to: Vec<(Key, Option<i64>)> = Vec::new();
    for (variable, index, value) in transition.effects.iter().filter_map(Effect::assignment) {
        let index = index.map_or(Some(0), |index| program.as_constant(index));
        let Some(index) = index.and_then(|index| usize::try_from(index).ok()) else {
            let of_array = edges.iter_mut().filter(|((array, _), _)| *array == variable);
            of_array.for_each(|(_, edges)| edges.is_open = true);
            continue;
        };
        to.retain(|&(key, _)| key != (variable, index));
        to.push(((variable, index), program.as_constant(value)));
    }
    for (key, value) in to {
        let Some(edges) = edges.get_mut(&key) else { continue };
        match value {
            None => edges.is_open = true,
            Some(value) => {
                let from = known.iter().find(|&&(known, _)| known == key).map(|&(_, from)| from);
                edges.list.push((from, value));
            }
        }
    }
}
