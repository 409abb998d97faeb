//! Sorts of values, and how messages and traces show them.

use crate::lang::SourceError;
use crate::lang::program::Span;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lang) enum Sort {
    Truth,
    Number,
    /// A value of the enumeration of this number.
    Enumeration(usize),
}

/// The values from `low` to `high`. There are none if `high` is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lang) struct Domain {
    pub(in crate::lang) sort: Sort,
    pub(in crate::lang) low: i64,
    pub(in crate::lang) high: i64,
}

impl Domain {
    pub(in crate::lang) const TRUTH: Self = Self { sort: Sort::Truth, low: 0, high: 1 };

    pub(in crate::lang) fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The number of values.
    pub(in crate::lang) fn n_values(self) -> i64 {
        self.high - self.low + 1
    }
}

/// The names of the values that a model declares, and the words of the language for truth values.
#[derive(Clone, Debug, Default)]
pub(in crate::lang) struct Enumerations {
    /// The words for false and true.
    truth: [&'static str; 2],
    /// The names of the values of each enumeration.
    values: Vec<Vec<String>>,
}

impl Enumerations {
    pub(in crate::lang) fn new(truth: [&'static str; 2]) -> Self {
        Self { truth, values: Vec::new() }
    }

    /// Adds an enumeration.
    pub(in crate::lang) fn add(&mut self, names: Vec<String>) -> Domain {
        self.values.push(names);
        self.domain(self.values.len() - 1)
    }

    /// All values of the enumeration of this number.
    pub(in crate::lang) fn domain(&self, number: usize) -> Domain {
        let n_values = i64::try_from(self.values[number].len()).unwrap_or(i64::MAX);
        Domain { sort: Sort::Enumeration(number), low: 0, high: n_values - 1 }
    }

    /// The names of all values of a sort, the first one first; nothing for numbers.
    pub(in crate::lang) fn value_names(&self, sort: Sort) -> Vec<String> {
        match sort {
            Sort::Truth => self.truth.map(str::to_owned).into(),
            Sort::Number => Vec::new(),
            Sort::Enumeration(number) => self.values[number].clone(),
        }
    }

    /// A value as people write it.
    pub(in crate::lang) fn value_text(&self, sort: Sort, value: i64) -> String {
        let index = usize::try_from(value).ok();
        let name = match sort {
            Sort::Truth => Some(self.truth[usize::from(value != 0)]),
            Sort::Number => None,
            Sort::Enumeration(number) => {
                index.and_then(|index| self.values[number].get(index)).map(String::as_str)
            }
        };
        name.map_or_else(|| value.to_string(), str::to_owned)
    }

    /// What a sort is, for messages.
    pub(in crate::lang) fn sort_text(&self, sort: Sort) -> String {
        match sort {
            Sort::Truth => "a truth value".to_owned(),
            Sort::Number => "a number".to_owned(),
            Sort::Enumeration(number) => {
                let values = &self.values[number];
                let more = if 3 < values.len() { ", …" } else { "" };
                format!("a value of {{{}{more}}}", values[..values.len().min(3)].join(", "))
            }
        }
    }

    /// That a value has another sort than it should.
    pub(in crate::lang) fn mismatch(&self, span: Span, expected: Sort, found: Sort) -> SourceError {
        let [expected, found] = [expected, found].map(|sort| self.sort_text(sort));
        SourceError::new(span, format!("expected {expected}, but this is {found}"))
    }

    /// That two values cannot be compared, since their sorts differ.
    pub(in crate::lang) fn incomparable(&self, span: Span, left: Sort, right: Sort) -> SourceError {
        let [left, right] = [left, right].map(|sort| self.sort_text(sort));
        SourceError::new(span, format!("{left} cannot be compared with {right}"))
    }
}
