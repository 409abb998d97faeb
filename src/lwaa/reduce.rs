//! Removes locations that no run can enter, and all but one of those that
//! have the same transitions.
//!
//! Two locations are the same if both or neither belong to an until and their
//! transition formulas are equal up to their references to themselves. A
//! location whose transition is constant is that constant. This changes
//! transitions, so it must not be used with `--labels simple` ([Ham04],
//! section 3.3, warns of it).
//!
//! [Ham04]: crate::references::ham04

use super::{Leaf, Location, LocationId, Lwaa, TransitionId, Transitions};
use crate::dag::Shape;
use crate::id::{Id, IdVec};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// An automaton for the same language with at most as many locations.
#[must_use]
pub fn reduce(lwaa: &Lwaa) -> Lwaa {
    let mut reduced = pass(lwaa);
    let mut n_before = lwaa.n_locations();
    // Merging can make more locations equal or unreachable; each pass but the
    // last removes at least one.
    while reduced.n_locations() < n_before {
        n_before = reduced.n_locations();
        reduced = pass(&reduced);
    }
    reduced
}

/// Copies what the initial configuration can reach into a new automaton,
/// merging equal locations on the way.
fn pass(lwaa: &Lwaa) -> Lwaa {
    let reachable = reachable(lwaa);
    let mut copier = Copier::new(lwaa);
    for (id, location) in lwaa.locations().filter(|&(id, _)| reachable[id]) {
        copier.add(id, location);
    }
    let mut initial: Vec<LocationId> = Vec::new();
    for &id in &lwaa.initial {
        match copier.entered[id] {
            Transitions::TRUE => (),
            Transitions::FALSE => initial.push(copier.dead(lwaa.location(id))),
            other => initial.push(copier.location_of(other)),
        }
    }
    initial.sort_unstable();
    initial.dedup();
    let Copier { transitions, locations, .. } = copier;
    let (nnf, names) = (lwaa.nnf.clone(), lwaa.names.clone());
    Lwaa { nnf, names, transitions, locations, initial }
}

/// Which locations the initial configuration can reach.
fn reachable(lwaa: &Lwaa) -> IdVec<LocationId, bool> {
    let mut seen: IdVec<TransitionId, bool> = IdVec::filled(false, lwaa.transitions.len());
    let mut reachable = IdVec::filled(false, lwaa.n_locations());
    let mut open: Vec<TransitionId> = Vec::new();
    for &id in &lwaa.initial {
        reachable[id] = true;
        open.push(lwaa.locations[id].transition);
    }
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id], true) {
            continue;
        }
        match lwaa.transitions.shape(id) {
            Shape::Leaf(Leaf::Location(location)) => {
                if !std::mem::replace(&mut reachable[location], true) {
                    open.push(lwaa.locations[location].transition);
                }
            }
            shape => open.extend(shape.operands()),
        }
    }
    reachable
}

/// The new automaton while it grows.
struct Copier<'a> {
    source: &'a Lwaa,
    transitions: Transitions,
    locations: IdVec<LocationId, Location>,
    /// What entering a source location means in the copy: a leaf.
    entered: IdVec<LocationId, TransitionId>,
    /// Copies of source formulas, final ones only.
    copies: IdVec<TransitionId, Option<TransitionId>>,
    /// Copies that mention the location at hand as [`Copier::itself`].
    drafts: HashMap<TransitionId, TransitionId, FxBuildHasher>,
    /// Locations by transition formula, self-references abstracted.
    known: HashMap<(TransitionId, bool), LocationId, FxBuildHasher>,
}

impl<'a> Copier<'a> {
    fn new(source: &'a Lwaa) -> Self {
        Self {
            source,
            transitions: Transitions::with_capacity(2 * source.transitions.len()),
            locations: IdVec::new(),
            entered: IdVec::filled(Transitions::TRUE, source.n_locations()),
            copies: IdVec::filled(None, source.transitions.len()),
            drafts: HashMap::default(),
            known: HashMap::default(),
        }
    }

    /// Stands for the location at hand while we look for an equal one.
    fn itself(&self) -> LocationId {
        LocationId::new(self.source.n_locations())
    }

    fn add(&mut self, id: LocationId, location: &Location) {
        let itself = self.itself();
        let stay = self.transitions.leaf(Leaf::Location(itself));
        self.drafts.clear();
        let draft = self.copy(location.transition, Some((id, itself)));
        let constant = match draft {
            Transitions::TRUE | Transitions::FALSE => Some(draft),
            // To wait for ever is allowed for a release, not for an until.
            _ if draft == stay && location.until => Some(Transitions::FALSE),
            _ if draft == stay => Some(Transitions::TRUE),
            _ => None,
        };
        if let Some(constant) = constant {
            self.entered[id] = constant;
            return;
        }
        if let Some(&equal) = self.known.get(&(draft, location.until)) {
            self.entered[id] = self.transitions.leaf(Leaf::Location(equal));
            return;
        }
        let new = LocationId::new(self.locations.len());
        self.known.insert((draft, location.until), new);
        self.drafts.clear();
        let transition = self.copy(location.transition, Some((id, new)));
        let step = self.copy(location.step, Some((id, new)));
        self.entered[id] = self.transitions.leaf(Leaf::Location(new));
        self.locations.push(Location { transition, step, ..*location });
    }

    /// A copy of `root`; `own` says as what the location at hand appears.
    fn copy(&mut self, root: TransitionId, own: Option<(LocationId, LocationId)>) -> TransitionId {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.copied(id).is_some() {
                open.pop();
                continue;
            }
            let shape = self.source.transitions.shape(id);
            let pending = open.len();
            open.extend(shape.operands().iter().filter(|&&part| self.copied(part).is_none()));
            if pending < open.len() {
                continue;
            }
            open.pop();
            let parts = || shape.operands().iter().map(|&part| self.copied(part).expect("pushed"));
            let (copy, draft) = match shape {
                Shape::And(list) => {
                    let mut parts = parts().collect();
                    (self.transitions.and(&mut parts), self.any_draft(list))
                }
                Shape::Or(list) => {
                    let mut parts = parts().collect();
                    (self.transitions.or(&mut parts), self.any_draft(list))
                }
                Shape::Leaf(Leaf::Location(location)) => match own {
                    Some((from, to)) if from == location => {
                        (self.transitions.leaf(Leaf::Location(to)), true)
                    }
                    _ => (self.entered[location], false),
                },
                Shape::Leaf(Leaf::Loop(_)) => {
                    let (_, to) = own.expect("loops occur in the steps of locations only");
                    (self.transitions.leaf(Leaf::Loop(to)), true)
                }
                Shape::Leaf(leaf) => (self.transitions.leaf(leaf), false),
            };
            if draft {
                self.drafts.insert(id, copy);
            } else {
                self.copies[id] = Some(copy);
            }
        }
        self.copied(root).expect("the stack is empty, so the root is copied")
    }

    fn copied(&self, id: TransitionId) -> Option<TransitionId> {
        self.copies[id].or_else(|| self.drafts.get(&id).copied())
    }

    fn any_draft(&self, parts: &[TransitionId]) -> bool {
        !self.drafts.is_empty() && parts.iter().any(|part| self.drafts.contains_key(part))
    }

    /// The location of a leaf that is one.
    fn location_of(&self, leaf: TransitionId) -> LocationId {
        match self.transitions.shape(leaf) {
            Shape::Leaf(Leaf::Location(location)) => location,
            other => unreachable!("entering a location is a constant or a location, not {other:?}"),
        }
    }

    /// A location without successors, for an initial conjunct that is false.
    fn dead(&mut self, source: &Location) -> LocationId {
        let (transition, step) = (Transitions::FALSE, Transitions::FALSE);
        self.locations.push(Location { transition, step, rank: 0, until: false, ..*source })
    }
}
