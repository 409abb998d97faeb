//! Boolean expressions over atoms as disjunctions of cubes, and back.
//!
//! Other programs write any expression on an edge, our edges have one cube
//! each. Negations are pushed to the literals first, so only what is needed is
//! multiplied out; cubes that imply another one are dropped. There may still be
//! exponentially many, hence a limit.

use super::cube::Cube;
use super::nba::{Edge, Nba, StateId};
use crate::hoa::{Item, Label, Proposition};

/// How many cubes an expression may amount to.
pub const LIMIT: usize = 4096;

/// An expression amounts to more than [`LIMIT`] cubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a label amounts to more than {LIMIT} conjunctions of literals")]
pub struct TooManyCubes;

/// Cubes that together allow what an expression allows.
type Cubes = Result<Vec<Cube>, TooManyCubes>;

/// Named expressions and their negations, as disjunctions of cubes.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases {
    both: Vec<[Cubes; 2]>,
}

impl Aliases {
    /// Defines the next alias.
    pub(super) fn push(&mut self, label: &Label) {
        let both = [true, false].map(|positive| multiplied_out(label, positive, self));
        self.both.push(both);
    }
}

/// The cubes of an expression without aliases.
///
/// ```
/// use lwaa::baseline::guard::cubes;
/// use lwaa::hoa::{Label, Proposition};
/// use lwaa::id::Id;
/// use lwaa::word::AtomId;
/// let [p, q] = [0, 1].map(|atom| Label::leaf(Proposition::Atom(AtomId::new(atom))));
/// assert_eq!(cubes(&!p.clone().and(q.clone()))?.len(), 2);
/// assert_eq!(cubes(&p.clone().or(p.and(q)))?.len(), 1);
/// # Ok::<(), lwaa::baseline::guard::TooManyCubes>(())
/// ```
///
/// # Errors
///
/// If there are more than [`LIMIT`].
///
/// # Panics
///
/// If there is an alias.
pub fn cubes(label: &Label) -> Result<Vec<Cube>, TooManyCubes> {
    multiplied_out(label, true, &Aliases::default())
}

/// The cubes of an expression.
pub(super) fn cubes_with(label: &Label, aliases: &Aliases) -> Cubes {
    multiplied_out(label, true, aliases)
}

/// The cubes of an expression, or of its negation.
fn multiplied_out(label: &Label, positive: bool, aliases: &Aliases) -> Cubes {
    const COMPLETE: &str = "operands come before their operator";
    let signs = signs(label, positive);
    let mut values: Vec<Vec<Cube>> = Vec::new();
    for (item, &positive) in label.items().iter().zip(&signs) {
        let value = match *item {
            Item::Leaf(Proposition::Constant(value)) if value == positive => vec![Cube::truth()],
            Item::Leaf(Proposition::Constant(_)) => Vec::new(),
            Item::Leaf(Proposition::Atom(atom)) => vec![Cube::literal(atom, positive)],
            Item::Leaf(Proposition::Alias(alias)) => {
                use crate::id::Id;
                aliases.both[alias.index()][usize::from(!positive)].clone()?
            }
            // The operand has been negated already.
            Item::Not => continue,
            Item::And | Item::Or => {
                let right = values.pop().expect(COMPLETE);
                let left = values.pop().expect(COMPLETE);
                // The negation of a conjunction is a disjunction.
                if (*item == Item::And) == positive {
                    conjunction(&left, &right)?
                } else {
                    disjunction(left, &right)?
                }
            }
        };
        values.push(value);
    }
    Ok(values.pop().expect(COMPLETE))
}

/// Whether each symbol is meant as it stands, or negated. Read backwards, an
/// operator comes before its operands.
fn signs(label: &Label, positive: bool) -> Vec<bool> {
    let mut signs = vec![positive; label.items().len()];
    let mut open = vec![positive];
    for (item, sign) in label.items().iter().zip(&mut signs).rev() {
        *sign = open.pop().expect("every operator has its operands");
        match item {
            Item::Leaf(_) => (),
            Item::Not => open.push(!*sign),
            Item::And | Item::Or => open.extend([*sign; 2]),
        }
    }
    signs
}

fn conjunction(left: &[Cube], right: &[Cube]) -> Cubes {
    let mut all = Vec::new();
    for one in left {
        for cube in right.iter().filter_map(|other| one.and(other)) {
            add(&mut all, cube)?;
        }
    }
    Ok(all)
}

fn disjunction(mut left: Vec<Cube>, right: &[Cube]) -> Cubes {
    for cube in right {
        add(&mut left, cube.clone())?;
    }
    Ok(left)
}

/// Adds a cube unless it is superfluous, and drops those that it makes so.
fn include(all: &mut Vec<Cube>, cube: Cube) {
    if !all.iter().any(|known| cube.implies(known)) {
        all.retain(|known| !known.implies(&cube));
        all.push(cube);
    }
}

fn add(all: &mut Vec<Cube>, cube: Cube) -> Result<(), TooManyCubes> {
    include(all, cube);
    if all.len() <= LIMIT { Ok(()) } else { Err(TooManyCubes) }
}

/// A cube as an expression.
pub(super) fn label(cube: &Cube) -> Label {
    let literals = cube.literals().map(|(atom, positive)| {
        let leaf = Label::leaf(Proposition::Atom(atom));
        if positive { leaf } else { !leaf }
    });
    literals.reduce(Label::and).unwrap_or_else(|| Label::leaf(Proposition::Constant(true)))
}

/// Edges of a state with the same target and the same acceptance sets.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    /// One of the edges.
    pub(super) edge: Edge,
    /// What one of them allows.
    pub(super) label: Label,
}

/// The edges that leave a state, in the order of the first of each bundle.
pub(super) fn bundles(automaton: &Nba, state: StateId) -> Vec<Bundle> {
    let edges = automaton.edges(state);
    let mut order: Vec<usize> = (0..edges.len()).collect();
    // Stable: within a bundle edges keep their order.
    order.sort_by_key(|&index| (edges[index].target, edges[index].sets));
    let mut groups: Vec<&[usize]> = order
        .chunk_by(|&a, &b| (edges[a].target, edges[a].sets) == (edges[b].target, edges[b].sets))
        .collect();
    groups.sort_by_key(|group| group[0]);
    let bundle = |group: &[usize]| {
        let mut cubes = Vec::new();
        for &index in group {
            include(&mut cubes, automaton.cube(edges[index].cube).clone());
        }
        let label = cubes.iter().map(label).reduce(Label::or).expect("a group is not empty");
        Bundle { edge: edges[group[0]], label }
    };
    groups.into_iter().map(bundle).collect()
}

#[cfg(test)]
mod tests;
