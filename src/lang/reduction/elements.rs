//! Elements, the single values that a state consists of, and sets of them.

use crate::id::{Id, IdVec};
use crate::lang::program::{Program, VariableId};
use std::ops::Range;

/// The number of an element: those of a variable follow each other.
pub(super) type Element = u32;

/// The numbers of the elements of all variables.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    first: IdVec<VariableId, Element>,
    n_elements: Element,
}

impl Elements {
    pub(super) fn new(program: &Program) -> Self {
        let mut n_elements: usize = 0;
        let number = |n: usize| Element::try_from(n).expect("a state has fewer than 2^32 elements");
        let first = program
            .variables
            .iter()
            .map(|variable| {
                let first = number(n_elements);
                n_elements += variable.n_elements();
                first
            })
            .collect();
        Self { first, n_elements: number(n_elements) }
    }

    pub(super) fn len(&self) -> usize {
        self.n_elements as usize
    }

    /// An element of an array, if it has as many.
    pub(super) fn element(
        &self,
        program: &Program,
        variable: VariableId,
        index: i64,
    ) -> Option<Element> {
        let index = usize::try_from(index).ok()?;
        let index = (index < program.variables[variable].n_elements()).then_some(index)?;
        Some(self.first[variable] + Element::try_from(index).ok()?)
    }

    /// All elements of a variable.
    pub(super) fn of(&self, program: &Program, variable: VariableId) -> Range<Element> {
        let first = self.first[variable];
        let len = Element::try_from(program.variables[variable].n_elements());
        first..first + len.expect("a state has fewer than 2^32 elements")
    }

    /// The variable and the index of an element.
    pub(super) fn place(&self, element: Element) -> (VariableId, usize) {
        let first = self.first.iter().as_slice();
        let behind = first.partition_point(|&first| first <= element);
        let variable = VariableId::new(behind - 1);
        (variable, (element - self.first[variable]) as usize)
    }
}

/// A set of elements: ranges in increasing order that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Region {
    ranges: Vec<Range<Element>>,
    /// A bit for each element, some of which share theirs: regions without a common bit
    /// have no common element.
    signature: u64,
}

impl Region {
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn add(&mut self, range: Range<Element>) {
        if range.is_empty() {
            return;
        }
        let before = self.ranges.partition_point(|known| known.end < range.start);
        let behind = self.ranges.partition_point(|known| known.start <= range.end);
        let mut joined = range;
        for known in &self.ranges[before..behind] {
            joined = joined.start.min(known.start)..joined.end.max(known.end);
        }
        self.signature |= match joined.len() {
            0..64 => joined.clone().fold(0, |bits, element| bits | 1 << (element % 64)),
            _ => u64::MAX,
        };
        self.ranges.splice(before..behind, [joined]);
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        other.ranges.iter().for_each(|range| self.add(range.clone()));
    }

    pub(super) fn contains(&self, element: Element) -> bool {
        let behind = self.ranges.partition_point(|range| range.start <= element);
        behind.checked_sub(1).is_some_and(|last| element < self.ranges[last].end)
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        if self.signature & other.signature == 0 {
            return false;
        }
        let (mut left, mut right) = (self.ranges.iter(), other.ranges.iter());
        let (mut one, mut two) = (left.next(), right.next());
        while let (Some(a), Some(b)) = (one, two) {
            if a.end <= b.start {
                one = left.next();
            } else if b.end <= a.start {
                two = right.next();
            } else {
                return true;
            }
        }
        false
    }
}
