//! Transition formulas as clauses.
//!
//! Transition formulas are positive in locations and loops, and it does not matter what
//! follows if a formula is false. So one direction of Tseitin's definitions is enough: an
//! auxiliary variable stands for a part of a formula and implies it.

use super::solver::Literal;
use crate::dag::Shape;
use crate::lwaa::{Leaf, TransitionId, Transitions};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Clauses, one behind the other.
#[derive(Debug, Default)]
pub struct Clauses {
    literals: Vec<Literal>,
    /// Where each clause ends; it begins where the one before ends.
    ends: Vec<usize>,
}

impl Clauses {
    /// All clauses, in the order in which they were written.
    pub fn iter(&self) -> impl Iterator<Item = &[Literal]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.literals[start..end];
            start = end;
            clause
        })
    }

    /// The literals of all clauses.
    pub(super) fn literals_mut(&mut self) -> &mut [Literal] {
        &mut self.literals
    }
}

/// Writes clauses.
pub struct Writer<'t, L, S> {
    transitions: &'t Transitions,
    /// The literal of a leaf that is no constant.
    literal: L,
    /// Whether a part of formulas gets a variable of its own even where that could be avoided, since it
    /// occurs more than once.
    is_shared: S,
    auxiliaries: HashMap<TransitionId, usize, FxBuildHasher>,
    n_variables: usize,
    clauses: Clauses,
    /// Implications to be written.
    open: Vec<(Option<Literal>, TransitionId)>,
}

impl<L, S> std::fmt::Debug for Writer<'_, L, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("n_variables", &self.n_variables).finish_non_exhaustive()
    }
}

impl<'t, L: Fn(Leaf) -> Literal, S: Fn(TransitionId) -> bool> Writer<'t, L, S> {
    /// A writer that takes auxiliary variables from `n_variables` on.
    pub fn new(transitions: &'t Transitions, n_variables: usize, literal: L, is_shared: S) -> Self {
        Self {
            transitions,
            literal,
            is_shared,
            auxiliaries: HashMap::default(),
            n_variables,
            clauses: Clauses::default(),
            open: Vec::new(),
        }
    }

    /// What has been written, and how many variables there are now.
    pub fn finish(self) -> (Clauses, usize) {
        (self.clauses, self.n_variables)
    }

    /// Writes that `formula` holds, if `condition` does.
    pub fn imply(&mut self, condition: Option<Literal>, formula: TransitionId) {
        self.open.push((condition, formula));
        while let Some((condition, formula)) = self.open.pop() {
            match self.transitions.shape(formula) {
                Shape::And(list) => {
                    for &part in list {
                        let is_conjunction = matches!(self.transitions.shape(part), Shape::And(_));
                        if is_conjunction && (self.is_shared)(part) {
                            self.begin_clause(condition);
                            self.write(part);
                            self.end_clause();
                        } else {
                            self.open.push((condition, part));
                        }
                    }
                }
                Shape::Leaf(Leaf::True) => (),
                Shape::Leaf(_) | Shape::Or(_) => {
                    self.begin_clause(condition);
                    self.write_choice(formula);
                    self.end_clause();
                }
            }
        }
    }

    fn begin_clause(&mut self, condition: Option<Literal>) {
        self.clauses.literals.extend(condition.map(|literal| !literal));
    }

    fn end_clause(&mut self) {
        self.clauses.ends.push(self.clauses.literals.len());
    }

    /// Adds the disjuncts of `root` to the current clause.
    fn write_choice(&mut self, root: TransitionId) {
        let mut parts = vec![root];
        while let Some(part) = parts.pop() {
            match self.transitions.shape(part) {
                Shape::Or(list) if part == root || !(self.is_shared)(part) => parts.extend(list),
                _ => self.write(part),
            }
        }
    }

    /// Adds `formula` to the current clause.
    fn write(&mut self, formula: TransitionId) {
        let literal = match self.transitions.shape(formula) {
            Shape::Leaf(Leaf::False) => return,
            Shape::Leaf(Leaf::True) | Shape::And(_) | Shape::Or(_) => {
                let number = *self.auxiliaries.entry(formula).or_insert_with(|| {
                    let number = self.n_variables;
                    self.n_variables += 1;
                    self.open.push((Some(Literal::positive(number)), formula));
                    number
                });
                Literal::positive(number)
            }
            Shape::Leaf(leaf) => (self.literal)(leaf),
        };
        self.clauses.literals.push(literal);
    }
}
