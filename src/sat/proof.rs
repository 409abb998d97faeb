//! Looks for an invariant that shows that an automaton accepts nothing.
//!
//! An accepting run has infinitely many rounds, in each of which all untils are served. So
//! there is no accepting run if for some *k* no run finishes *k* rounds, and if
//! there is none, there is such a *k* ([CS12]). That *k* rounds are not finished is a matter of
//! reachable moments, and we look for a reason with [Bra11], as [EMB11] describes it. Whatever is
//! learned for some *k* is true for *k* + 1 as well, so nothing is forgotten when *k* grows.
//!
//! **Facts.** A moment is a set of facts, all of which are things still to be done ([`Fact`]):
//! locations, untils that are owed, rounds that are missing. Fewer are better. So what leads
//! to the end of round *k* is closed under subsets: the *cube* of a moment only says which
//! facts are absent, and a *clause*, its negation, that one of them is there. The largest moment from which a step
//! can be taken is found by evaluating transition formulas, without another call of the
//! solver (`System::before`).
//!
//! **Frames.** The clauses of frame *i* are true in all moments that can be reached in at most *i* steps. A clause is
//! kept in the last frame that it belongs to. If two frames are equal, their clauses are inductive, and
//! [`certificate`](super::certificate) checks that they are.
//!
//! The search does not end on automata that accept something.
//!
//! [CS12]: crate::references::cs12
//! [Bra11]: crate::references::bra11
//! [EMB11]: crate::references::emb11

mod frames;
mod system;

use super::certificate::{Fact, Invariant};
use super::solver::Solver;
use crate::lwaa::Lwaa;
use crate::search::limits::{Budget, Exhausted};
use frames::Frames;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use system::System;

/// Shows that `lwaa` accepts nothing. If it does accept something, only a limit
/// ends this.
///
/// # Errors
///
/// If a limit is reached or the monitor says to stop.
///
/// # Panics
///
/// If the certificate is refused: a bug.
pub fn search<'a, S: Solver<'a>>(lwaa: &Lwaa, budget: &Budget<'a>) -> Result<(), Exhausted> {
    let invariant = invariant::<S>(lwaa, budget)?;
    let is_valid = invariant.excludes_runs(lwaa, budget)?;
    assert!(is_valid, "a formula was said to have no model, and the reason is none");
    Ok(())
}

/// An invariant that excludes accepting runs. It has not been checked.
///
/// # Errors
///
/// If a limit is reached or the monitor says to stop.
pub fn invariant<'a, S: Solver<'a>>(
    lwaa: &Lwaa,
    budget: &Budget<'a>,
) -> Result<Invariant, Exhausted> {
    let mut system = System::new(lwaa);
    system.add_round();
    let mut prover = Prover {
        frames: Frames::<S>::new(system, budget),
        open: Vec::new(),
        queue: BinaryHeap::new(),
    };
    loop {
        prover.frames.add_frame();
        while !prover.excludes_last_round()? {
            prover.frames.add_round();
        }
        tracing::debug!(
            frames = prover.frames.last(),
            rounds = prover.frames.system().n_rounds(),
            "no run finishes these rounds in as many steps as there are frames"
        );
        if let Some(frame) = prover.frames.propagate()? {
            return Ok(prover.invariant(frame));
        }
    }
}

/// A set of moments that must not be reached: those without these facts.
struct Obligation {
    absent: Vec<usize>,
}

struct Prover<'l, 'b, 'a, S> {
    frames: Frames<'l, 'b, 'a, S>,
    open: Vec<Obligation>,
    /// Frames that obligations are about, and their numbers. Lowest frames come
    /// first, and in each frame what came last.
    queue: BinaryHeap<(Reverse<usize>, usize)>,
}

impl<'a, S: Solver<'a>> Prover<'_, '_, 'a, S> {
    /// Whether no run finishes all rounds within as many steps as there are
    /// frames; learns clauses until that is known.
    fn excludes_last_round(&mut self) -> Result<bool, Exhausted> {
        self.open.clear();
        self.queue.clear();
        let last = self.frames.last();
        let finished = vec![self.frames.system().missing(1)];
        self.add(finished, last);
        while let Some((Reverse(frame), number)) = self.queue.pop() {
            let absent = std::mem::take(&mut self.open[number].absent);
            if self.frames.is_blocked(&absent, frame) {
                continue;
            }
            if let Some(before) = self.frames.predecessor(&absent, frame)? {
                let is_reached = !before.iter().any(|&fact| self.frames.system().is_initial(fact));
                if is_reached {
                    return Ok(false);
                }
                self.open[number].absent = absent;
                self.queue.push((Reverse(frame), number));
                self.add(before, frame - 1);
                continue;
            }
            let blocked = self.frames.generalize(&absent, frame)?;
            let blocked_in = self.frames.push_forward(&blocked, frame)?;
            self.frames.add_clause(blocked, blocked_in);
            if blocked_in < last {
                self.open[number].absent = absent;
                self.queue.push((Reverse(blocked_in + 1), number));
            }
        }
        Ok(true)
    }

    fn add(&mut self, absent: Vec<usize>, frame: usize) {
        self.queue.push((Reverse(frame), self.open.len()));
        self.open.push(Obligation { absent });
    }

    /// The clauses of `frame` and all later ones.
    fn invariant(&self, frame: usize) -> Invariant {
        let system = self.frames.system();
        let learned = self.frames.clauses_from(frame);
        let learned = learned.map(|clause| clause.iter().map(|&fact| system.fact(fact)).collect());
        let permanent =
            system.permanent().iter().map(|&location| Box::from([Fact::Present(location)]));
        Invariant { n_rounds: system.n_rounds(), clauses: permanent.chain(learned).collect() }
    }
}
