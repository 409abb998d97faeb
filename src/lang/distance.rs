//! How far a state of a program is from making its atoms true, and false: a guess that guides
//! searches.
//!
//! A comparison is as far from being true as its sides are apart. What a variable is compared with
//! that goes from constant to constant, as program counters do, is as far as the number of
//! assignments that lead there (`walk`). Connectives make distances of those of their operands.
//!
//! All parts of all atoms are evaluated one after the other, operands first, whether or not a
//! guard in front of them protects them. Where a part goes wrong, its distance is unknown, that is
//! 0; nothing else depends on it.

mod walk;

use super::layout::{Layout, Place};
use super::program::{
    BinaryOperator, Expression, ExpressionId, Program, Proposition, UnaryOperator, VariableId,
};
use crate::word::Distance;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use walk::Walks;

/// The atoms of a program, and how far they are.
#[derive(Debug)]
pub(super) struct Distances {
    /// Operands come before what they are in.
    parts: Vec<Part>,
    /// The part that is an atom; nothing if it is not about the state.
    atoms: Vec<Option<u32>>,
    values: Vec<Option<i64>>,
    distances: Vec<Distance>,
}

/// A part of an atom. Operands are numbers of parts.
#[derive(Clone, Debug)]
enum Part {
    Constant(i64),
    Variable(Element),
    /// An array, the number of its elements, and the index.
    Element(Array, u32),
    /// A comparison of an element with a constant: how many assignments lead there from each value
    /// of the element.
    Walk {
        element: Element,
        wanted: i64,
        low: i64,
        steps: Box<[u32]>,
    },
    Unary(UnaryOperator, u32),
    Binary(BinaryOperator, u32, u32),
    If(u32, u32, u32),
}

/// Where the value of an element lies.
#[derive(Clone, Copy, Debug)]
struct Element {
    word: usize,
    bit: usize,
    mask: u64,
    low: i64,
}

/// Where the values of an array lie, or which ones it has if they never change.
#[derive(Clone, Debug)]
enum Array {
    Fixed(Box<[i64]>),
    Packed { place: Place, low: i64, len: usize },
}

impl Element {
    fn of(place: Place, low: i64, index: usize) -> Self {
        let (word, bit) = place.element(index);
        Self { word, bit, mask: place.mask(), low }
    }

    fn value(self, state: &[u64]) -> i64 {
        self.low.wrapping_add_unsigned(state[self.word] >> self.bit & self.mask)
    }
}

impl Distances {
    /// Nothing is known yet about the distances of these atoms.
    ///
    /// # Panics
    ///
    /// If they have 2³² parts.
    pub(super) fn new(program: &Program, layout: &Layout, atoms: &[Proposition]) -> Self {
        let condition = |atom: &Proposition| match *atom {
            Proposition::State(condition) => Some(condition),
            Proposition::Enabled(_) | Proposition::Taken(_) => None,
        };
        let mut needed: Vec<ExpressionId> =
            program.parts_of(atoms.iter().filter_map(condition)).map(|(id, _)| id).collect();
        needed.sort_unstable();
        let walks = Walks::new(program, &needed);
        let mut numbers: HashMap<ExpressionId, u32, FxBuildHasher> = HashMap::default();
        let mut parts = Vec::with_capacity(needed.len());
        for id in needed {
            let number = u32::try_from(parts.len()).expect("fewer than 2^32 parts");
            parts.push(part((program, layout), id, &walks, &numbers));
            numbers.insert(id, number);
        }
        let atoms = atoms.iter().map(|atom| condition(atom).map(|id| numbers[&id])).collect();
        let (values, distances) = (vec![None; parts.len()], vec![Distance::default(); parts.len()]);
        Self { parts, atoms, values, distances }
    }

    /// How far each atom is in `state`.
    pub(super) fn evaluate(&mut self, state: &[u64], distances: &mut [Distance]) {
        for number in 0..self.parts.len() {
            let (value, distance) = self.part(number, state);
            self.values[number] = value;
            self.distances[number] = distance;
        }
        for (distance, atom) in distances.iter_mut().zip(&self.atoms) {
            *distance = atom.map_or_else(Distance::default, |part| self.distances[part as usize]);
        }
    }

    fn part(&self, number: usize, state: &[u64]) -> (Option<i64>, Distance) {
        let value = |part: u32| self.values[part as usize];
        let distance = |part: u32| self.distances[part as usize];
        match &self.parts[number] {
            &Part::Constant(constant) => (Some(constant), Distance::constant(constant != 0)),
            Part::Variable(element) => by_value(Some(element.value(state))),
            Part::Element(array, index) => by_value(array.value(value(*index), state)),
            Part::Walk { element, wanted, low, steps } => {
                let here = element.value(state);
                let index = here.checked_sub(*low).and_then(|offset| usize::try_from(offset).ok());
                let to_true = index.and_then(|index| steps.get(index)).copied();
                let is_there = here == *wanted;
                let to_false = u32::from(is_there);
                (Some(i64::from(is_there)), Distance { to_true: to_true.unwrap_or(0), to_false })
            }
            &Part::Unary(operator, of) => {
                let result = value(of).and_then(|of| operator.apply(of));
                match operator {
                    UnaryOperator::Not => (result, distance(of).negated()),
                    UnaryOperator::Negate | UnaryOperator::Complement => by_value(result),
                }
            }
            &Part::Binary(operator, left, right) => {
                let result = binary(operator, value(left), value(right));
                let distance = match operator {
                    BinaryOperator::And => distance(left).and(distance(right)),
                    BinaryOperator::Or => distance(left).or(distance(right)),
                    _ => between(operator, value(left), value(right))
                        .unwrap_or_else(|| by_value(result).1),
                };
                (result, distance)
            }
            &Part::If(condition, yes, no) => match value(condition) {
                None => (None, Distance::default()),
                Some(0) => (value(no), distance(no)),
                Some(_) => (value(yes), distance(yes)),
            },
        }
    }
}

impl Array {
    fn value(&self, index: Option<i64>, state: &[u64]) -> Option<i64> {
        let index = usize::try_from(index?).ok()?;
        match self {
            Self::Fixed(values) => values.get(index).copied(),
            &Self::Packed { place, low, len } => {
                (index < len).then(|| Element::of(place, low, index).value(state))
            }
        }
    }
}

/// What has a value that is not made of truth values.
fn by_value(value: Option<i64>) -> (Option<i64>, Distance) {
    (value, value.map_or_else(Distance::default, |value| Distance::of(value != 0)))
}

/// The value of an operator. The right side of a connective is evaluated only where it matters.
fn binary(operator: BinaryOperator, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match (operator, left?) {
        (BinaryOperator::And, 0) => Some(0),
        (BinaryOperator::Or, value) if value != 0 => Some(1),
        (_, left) => operator.apply(left, right?),
    }
}

/// The distances of a comparison.
fn between(operator: BinaryOperator, left: Option<i64>, right: Option<i64>) -> Option<Distance> {
    let far = |amount: i64| u32::try_from(amount).unwrap_or(Distance::FAR).min(Distance::FAR);
    let (left, right) = (left?, right?);
    let gap = left.saturating_sub(right);
    Some(match operator {
        BinaryOperator::Equal => {
            Distance { to_true: far(gap.saturating_abs()), to_false: u32::from(gap == 0) }
        }
        BinaryOperator::NotEqual => {
            Distance { to_true: u32::from(gap == 0), to_false: far(gap.saturating_abs()) }
        }
        BinaryOperator::LessEqual => Distance {
            to_true: far(gap.max(0)),
            to_false: far(gap.saturating_neg().saturating_add(1).max(0)),
        },
        BinaryOperator::Less => Distance {
            to_true: far(gap.saturating_add(1).max(0)),
            to_false: far(gap.saturating_neg().max(0)),
        },
        _ => return None,
    })
}

/// A part whose operands have numbers.
fn part(
    (program, layout): (&Program, &Layout),
    id: ExpressionId,
    walks: &Walks,
    numbers: &HashMap<ExpressionId, u32, FxBuildHasher>,
) -> Part {
    if let Some((key, wanted, steps)) = walks.find(id)
        && let Some(element) = element(program, layout, key)
    {
        let low = program.variables[key.0].low;
        return Part::Walk { element, wanted, low, steps: steps.into() };
    }
    match program.view(id) {
        Expression::Constant(value) => Part::Constant(value),
        Expression::Variable(variable) => match element(program, layout, (variable, 0)) {
            Some(element) => Part::Variable(element),
            None => Part::Constant(program.variables[variable].initial[0]),
        },
        Expression::Element(array, index) => {
            let variable = &program.variables[array];
            let values = match layout.place(array) {
                None => Array::Fixed(variable.initial.as_slice().into()),
                Some(place) => {
                    Array::Packed { place, low: variable.low, len: variable.n_elements() }
                }
            };
            Part::Element(values, numbers[&index])
        }
        Expression::Unary(operator, of) => Part::Unary(operator, numbers[&of]),
        Expression::Binary(operator, left, right) => {
            Part::Binary(operator, numbers[&left], numbers[&right])
        }
        Expression::If(condition, yes, no) => {
            Part::If(numbers[&condition], numbers[&yes], numbers[&no])
        }
        // Atoms have none.
        Expression::Temporary(_) | Expression::Choice(_) => Part::Constant(0),
    }
}

/// Where an element lies, if it can change.
fn element(
    program: &Program,
    layout: &Layout,
    (id, index): (VariableId, usize),
) -> Option<Element> {
    let variable = &program.variables[id];
    let place = layout.place(id).filter(|_| index < variable.n_elements())?;
    Some(Element::of(place, variable.low, index))
}
