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
use std::sync::Arc;

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
    let (nnf, names) = (Arc::clone(&lwaa.nnf), lwaa.names.clone());
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
    copies: IdVec<TransitionId, Copied>,
    /// Copies that mention the current location are numbered with this.
    round: u32,
    /// Locations by transition formula, self-references abstracted: those that
    /// are no untils, and those that are. [`Copier::itself`] stands for none.
    known: [IdVec<TransitionId, LocationId>; 2],
    /// Scratch space: source formulas to be copied.
    open: Vec<TransitionId>,
    /// Scratch space for lists of operands.
    parts: Vec<TransitionId>,
}

/// The copy of a source formula.
#[derive(Clone, Copy)]
struct Copied {
    copy: TransitionId,
    /// The round in which it is valid, or [`NEVER`] or [`ALWAYS`].
    round: u32,
}

const NEVER: u32 = 0;
const ALWAYS: u32 = 1;

impl<'a> Copier<'a> {
    fn new(source: &'a Lwaa) -> Self {
        let nowhere = Copied { copy: Transitions::TRUE, round: NEVER };
        Self {
            source,
            transitions: Transitions::with_capacity(2 * source.transitions.len()),
            locations: IdVec::with_capacity(source.n_locations()),
            entered: IdVec::filled(Transitions::TRUE, source.n_locations()),
            copies: IdVec::filled(nowhere, source.transitions.len()),
            round: ALWAYS,
            known: [IdVec::new(), IdVec::new()],
            open: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Stands for the current location while we look for an equal one.
    fn itself(&self) -> LocationId {
        LocationId::new(self.source.n_locations())
    }

    fn add(&mut self, id: LocationId, location: &Location) {
        let itself = self.itself();
        let stay = self.transitions.leaf(Leaf::Location(itself));
        self.next_round();
        let draft = self.copy(location.transition, id, itself);
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
        let known = &mut self.known[usize::from(location.until)];
        known.grow_to(draft, itself);
        if known[draft] != itself {
            self.entered[id] = self.transitions.leaf(Leaf::Location(known[draft]));
            return;
        }
        let new = LocationId::new(self.locations.len());
        known[draft] = new;
        self.next_round();
        let transition = self.copy(location.transition, id, new);
        let step = self.copy(location.step, id, new);
        self.entered[id] = self.transitions.leaf(Leaf::Location(new));
        self.locations.push(Location { transition, step, ..*location });
    }

    /// Forgets the copies that mention the current location.
    fn next_round(&mut self) {
        self.round = self.round.checked_add(1).expect("fewer than 2^31 locations");
    }

    /// A copy of `root`, in which the current location, `from`, appears as
    /// `to`.
    fn copy(&mut self, root: TransitionId, from: LocationId, to: LocationId) -> TransitionId {
        self.open.push(root);
        while let Some(&id) = self.open.last() {
            if self.copied(id).is_some() {
                self.open.pop();
                continue;
            }
            let shape = self.source.transitions.shape(id);
            let (pending, mut round) = (self.open.len(), ALWAYS);
            self.parts.clear();
            for &part in shape.operands() {
                match self.copied(part) {
                    Some(part) => {
                        self.parts.push(part.copy);
                        round = round.max(part.round);
                    }
                    None => self.open.push(part),
                }
            }
            if pending < self.open.len() {
                continue;
            }
            self.open.pop();
            let copy = match shape {
                Shape::And(_) => self.transitions.and(&mut self.parts),
                Shape::Or(_) => self.transitions.or(&mut self.parts),
                Shape::Leaf(Leaf::Location(location)) if location != from => self.entered[location],
                Shape::Leaf(Leaf::Location(_)) => {
                    round = self.round;
                    self.transitions.leaf(Leaf::Location(to))
                }
                // Loops occur in the steps of locations only, each in its own.
                Shape::Leaf(Leaf::Loop(_)) => {
                    round = self.round;
                    self.transitions.leaf(Leaf::Loop(to))
                }
                Shape::Leaf(leaf) => self.transitions.leaf(leaf),
            };
            self.copies[id] = Copied { copy, round };
        }
        self.copied(root).expect("nothing is open, so the root is copied").copy
    }

    fn copied(&self, id: TransitionId) -> Option<Copied> {
        let copied = self.copies[id];
        (copied.round == ALWAYS || copied.round == self.round).then_some(copied)
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
