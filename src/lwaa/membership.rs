//! Whether an automaton accepts a word, by the definition of acceptance and
//! nothing else.
//!
//! An automaton that is very weak is a system of nested fixpoints over the
//! positions of a lasso: whether a location accepts from a position depends on
//! lower locations, and on itself at the next position. An until-like location
//! is a least fixpoint, since it must not loop for ever, and any other is a
//! greatest. We compute them from the lowest location up.
//!
//! This is an independent opinion for tests. It shares no code with the search
//! and knows neither ranks nor configurations.

use super::{Leaf, Location, LocationId, Lwaa, TransitionId};
use crate::dag::Shape;
use crate::id::IdVec;
use crate::word::{Lasso, Letter};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Whether the automaton accepts `word`, a word over its own atoms.
///
/// ```
/// use lwaa::{Formula, Lasso, Lwaa, lwaa::membership::accepts, word::Letter};
/// let automaton = Lwaa::from_formula(&Formula::parse("F G p")?);
/// let p: Letter = automaton.atoms().iter().map(|(atom, _)| atom).collect();
/// let finally_always = Lasso::new(vec![Letter::new()], vec![p.clone()]).unwrap();
/// assert!(accepts(&automaton, &finally_always));
/// let now_and_then = Lasso::new(vec![], vec![p, Letter::new()]).unwrap();
/// assert!(!accepts(&automaton, &now_and_then));
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn accepts(lwaa: &Lwaa, word: &Lasso<Letter>) -> bool {
    let mut accepted: IdVec<LocationId, Vec<bool>> = IdVec::new();
    for (id, location) in lwaa.locations() {
        let order = below(lwaa, location);
        // An until starts from nowhere and grows, any other from everywhere
        // and shrinks; in both cases until nothing changes.
        accepted.push(vec![!location.until; word.n_positions()]);
        let mut changed = true;
        while changed {
            changed = false;
            for position in (0..word.n_positions()).rev() {
                let value = evaluate(lwaa, &order, &accepted, word, position);
                changed |= value != std::mem::replace(&mut accepted[id][position], value);
            }
        }
    }
    lwaa.initial().iter().all(|&id| accepted[id][0])
}

/// The formulas of which the transition of `location` is made, operands first
/// and the transition itself last.
fn below(lwaa: &Lwaa, location: &Location) -> Vec<TransitionId> {
    let mut found = vec![location.transition];
    let mut seen = hashbrown::HashSet::with_hasher(FxBuildHasher);
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        let operands = lwaa.transitions().shape(id).operands();
        found.extend(operands.iter().filter(|&&operand| seen.insert(operand)));
    }
    found.sort_unstable();
    found
}

/// The truth of the last formula of `order` at `position`.
fn evaluate(
    lwaa: &Lwaa,
    order: &[TransitionId],
    accepted: &IdVec<LocationId, Vec<bool>>,
    word: &Lasso<Letter>,
    position: usize,
) -> bool {
    let mut truth: HashMap<TransitionId, bool, FxBuildHasher> = HashMap::default();
    let mut last = false;
    for &id in order {
        last = match lwaa.transitions().shape(id) {
            Shape::Leaf(Leaf::True | Leaf::Loop(_)) => true,
            Shape::Leaf(Leaf::False) => false,
            Shape::Leaf(Leaf::Literal { atom, positive }) => {
                word.at(position).contains(atom) == positive
            }
            Shape::Leaf(Leaf::Location(location)) => accepted[location][word.next(position)],
            Shape::And(parts) => parts.iter().all(|part| truth[part]),
            Shape::Or(parts) => parts.iter().any(|part| truth[part]),
        };
        truth.insert(id, last);
    }
    last
}
