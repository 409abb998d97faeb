//! Which of the variables that a step mentions are still read behind it.
//!
//! All variables at all places would be a table whose size is the product of both. But each
//! step is asked about the few variables that it mentions. So we halve the variables until
//! they are bits of one word, and each time make the control flow smaller: a place that
//! mentions no variable of its half and has only one way on is left out. What
//! remains for a few variables is about as large as the part of the text that mentions them.

use super::ElementId;
use crate::id::IdVec;
use crate::work::tick;
use std::ops::Range;

/// What an element reads and writes: numbers of variables, in increasing order.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentions {
    pub(super) reads: Vec<usize>,
    pub(super) writes: Vec<usize>,
}

impl Mentions {
    pub(super) fn new(mut reads: Vec<usize>, mut writes: Vec<usize>) -> Self {
        for list in [&mut reads, &mut writes] {
            list.sort_unstable();
            list.dedup();
        }
        Self { reads, writes }
    }
}

/// A way from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) to: usize,
    /// Whether it begins behind the step; what interrupts a step begins before it.
    pub(super) is_behind: bool,
}

/// A place of the control flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The element that it stands for, if that mentions variables.
    pub(super) element: Option<ElementId>,
    pub(super) ways: Vec<Way>,
}

type Steps = IdVec<ElementId, Mentions>;

/// For each element, those of the variables that it mentions which are read behind it before
/// they are written, in increasing order.
pub(super) fn live_behind(
    steps: &Steps,
    places: Vec<Place>,
    n_variables: usize,
) -> IdVec<ElementId, Vec<usize>> {
    let mut live: IdVec<ElementId, Vec<usize>> = steps.iter().map(|_| Vec::new()).collect();
    let mut open = vec![(0..n_variables, Flow { places: in_postorder(places) })];
    while let Some((variables, flow)) = open.pop() {
        if variables.len() <= WORD {
            flow.solve(steps, &variables, &mut live);
            continue;
        }
        let middle = variables.start + variables.len() / 2;
        // The lower half is done first, so that lists are in increasing order.
        for half in [middle..variables.end, variables.start..middle] {
            open.push((half.clone(), flow.narrowed(steps, &half)));
        }
    }
    live
}

/// So many variables are bits of one word.
const WORD: usize = 64;

/// Stands for a place from where nothing is mentioned any more.
const NOWHERE: usize = usize::MAX;

/// Numbers places anew, such that most ways lead to smaller numbers: all but those back to
/// the beginning of a loop.
fn in_postorder(places: Vec<Place>) -> Vec<Place> {
    let n_places = places.len();
    let (mut order, mut is_seen) = (Vec::with_capacity(n_places), vec![false; n_places]);
    let mut open: Vec<(usize, usize)> = Vec::new();
    for root in 0..n_places {
        if !std::mem::replace(&mut is_seen[root], true) {
            open.push((root, 0));
        }
        while let Some((at, n_done)) = open.last_mut() {
            tick();
            if let Some(way) = places[*at].ways.get(*n_done) {
                *n_done += 1;
                if !std::mem::replace(&mut is_seen[way.to], true) {
                    open.push((way.to, 0));
                }
            } else {
                order.push(*at);
                open.pop();
            }
        }
    }
    let mut numbers = vec![0; n_places];
    for (number, &at) in order.iter().enumerate() {
        numbers[at] = number;
    }
    let mut places: Vec<Option<Place>> = places.into_iter().map(Some).collect();
    let sorted = order.into_iter().filter_map(|at| places[at].take());
    let renumbered = |mut place: Place| {
        for way in &mut place.ways {
            way.to = numbers[way.to];
        }
        place
    };
    sorted.map(renumbered).collect()
}

/// Those of a sorted list that are among `variables`.
fn among<'l>(list: &'l [usize], variables: &Range<usize>) -> &'l [usize] {
    let bound = |limit: usize| list.partition_point(|&one| one < limit);
    &list[bound(variables.start)..bound(variables.end)]
}

/// The place that stands for a place. Ways to it are made shorter.
fn representative(stands_for: &mut [usize], at: usize) -> usize {
    let mut last = at;
    while last != NOWHERE && stands_for[last] != last {
        tick();
        last = stands_for[last];
    }
    let mut at = at;
    while at != last {
        at = std::mem::replace(&mut stands_for[at], last);
    }
    last
}

struct Flow {
    places: Vec<Place>,
}

impl Flow {
    /// What a place reads and writes of `variables`.
    fn mentions<'s>(
        &self,
        at: usize,
        steps: &'s Steps,
        variables: &Range<usize>,
    ) -> [&'s [usize]; 2] {
        let Some(element) = self.places[at].element else { return [&[], &[]] };
        let Mentions { reads, writes } = &steps[element];
        [among(reads, variables), among(writes, variables)]
    }

    /// The control flow as `variables` see it.
    fn narrowed(&self, steps: &Steps, variables: &Range<usize>) -> Self {
        let n_places = self.places.len();
        let is_mentioning: Vec<bool> = (0..n_places)
            .map(|at| self.mentions(at, steps, variables).iter().any(|list| !list.is_empty()))
            .collect();
        let mut stands_for: Vec<usize> = (0..n_places).collect();
        for at in (0..n_places).filter(|&at| !is_mentioning[at]) {
            let mut only = NOWHERE;
            let mut has_several = false;
            for way in &self.places[at].ways {
                let to = representative(&mut stands_for, way.to);
                if to != NOWHERE && to != at {
                    has_several |= only != NOWHERE && only != to;
                    only = to;
                }
            }
            if !has_several {
                stands_for[at] = only;
            }
        }
        let mut numbers = vec![NOWHERE; n_places];
        let kept: Vec<usize> = (0..n_places).filter(|&at| stands_for[at] == at).collect();
        for (number, &at) in kept.iter().enumerate() {
            numbers[at] = number;
        }
        // For each place and kind of way, the place whose way to it was the last.
        let mut seen = vec![[NOWHERE; 2]; n_places];
        let mut places = Vec::with_capacity(kept.len());
        for at in kept {
            let element = self.places[at].element.filter(|_| is_mentioning[at]);
            let mut ways = Vec::new();
            for way in &self.places[at].ways {
                let to = representative(&mut stands_for, way.to);
                let is_new = to != NOWHERE
                    && std::mem::replace(&mut seen[to][usize::from(way.is_behind)], at) != at;
                if is_new && (to != at || is_mentioning[at]) {
                    ways.push(Way { to: numbers[to], ..*way });
                }
            }
            places.push(Place { element, ways });
        }
        Self { places }
    }

    /// Finds what is live, for variables that are bits of one word.
    fn solve(
        &self,
        steps: &Steps,
        variables: &Range<usize>,
        found: &mut IdVec<ElementId, Vec<usize>>,
    ) {
        let n_places = self.places.len();
        let bits = |list: &[usize]| {
            list.iter().fold(0_u64, |bits, variable| bits | 1 << (variable - variables.start))
        };
        let (mut live, mut writes) = (vec![0_u64; n_places], vec![0_u64; n_places]);
        let mut origins: Vec<Vec<(usize, bool)>> = vec![Vec::new(); n_places];
        for at in 0..n_places {
            let [read, written] = self.mentions(at, steps, variables);
            (live[at], writes[at]) = (bits(read), bits(written));
            for way in &self.places[at].ways {
                origins[way.to].push((at, way.is_behind));
            }
        }
        let mut open: Vec<usize> = (0..n_places).filter(|&at| live[at] != 0).collect();
        let mut is_open: Vec<bool> = live.iter().map(|&live| live != 0).collect();
        while let Some(at) = open.pop() {
            is_open[at] = false;
            for &(from, is_behind) in &origins[at] {
                tick();
                let kept = live[at] & if is_behind { !writes[from] } else { u64::MAX };
                if kept & !live[from] != 0 {
                    live[from] |= kept;
                    if !std::mem::replace(&mut is_open[from], true) {
                        open.push(from);
                    }
                }
            }
        }
        for (at, place) in self.places.iter().enumerate() {
            let Some(element) = place.element else { continue };
            let behind = place.ways.iter().filter(|way| way.is_behind);
            let behind = behind.fold(0, |bits, way| bits | live[way.to]);
            let [read, written] = self.mentions(at, steps, variables).map(bits);
            let mut asked = (read | written) & behind;
            while asked != 0 {
                found[element].push(variables.start + asked.trailing_zeros() as usize);
                asked &= asked - 1;
            }
        }
    }
}
