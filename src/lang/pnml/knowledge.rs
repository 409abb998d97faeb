//! What is known about all runs of a net without a search, and what is left of a formula then.
//!
//! A formula has the same value as what is left of it on every run from the initial marking; a
//! marking in which nothing can fire is repeated for ever. In this order:
//!
//! 1. `dead`: transitions take from places that never get tokens.
//! 2. `farkas`: the state equation excludes a condition, so it is false in every reachable marking, or
//!    always true. `walk` finds markings that show which conditions need not be tried;
//!    `constraint` says what conditions are.
//! 3. `formula`: what is always true or false is replaced, and so is what is known in the initial
//!    marking. A condition that tokens only move towards, or away from, needs no `F` or no `G`.
//!
//! Effort is counted, so what is left of a formula is the same in every run.

mod constraint;
mod dead;
mod farkas;
mod formula;
mod walk;
mod whole;

use super::atom;
use super::net::{Arcs, Net, PlaceId};
use crate::id::IdVec;
use crate::lang::program::TransitionId;
use crate::ltl::Formula;
use constraint::{Condition, Conjunction, Constraint, Meaning};
use farkas::Equation;

pub(super) use walk::markings;

/// What is known about a net.
#[derive(Debug)]
pub(super) struct Knowledge {
    is_dead: IdVec<TransitionId, bool>,
    /// Reachable markings; the first one is the initial one.
    markings: Vec<IdVec<PlaceId, i64>>,
    equation: Equation,
}

impl Knowledge {
    pub(super) fn new(net: &Net) -> Self {
        let is_dead = dead::dead(net);
        let markings = markings(net);
        let equation = Equation::new(net, &is_dead);
        Self { is_dead, markings, equation }
    }

    /// What is left of a formula.
    pub(super) fn simplified(&mut self, net: &Net, formula: &Formula) -> Formula {
        formula::simplified(self, net, formula)
    }

    /// Whether a transition can never fire.
    pub(super) fn is_dead(&mut self, net: &Net, id: TransitionId) -> bool {
        if self.is_dead[id] {
            return true;
        }
        let enabled = net.transitions[id].inputs.iter().map(|&input| Constraint::tokens(input));
        self.is_impossible(&enabled.collect())
    }

    /// Whether a place has so many tokens wherever the others have as many as they are given with.
    pub(super) fn implies(&mut self, others: &Arcs, place: (PlaceId, i64)) -> bool {
        let others = others.iter().map(|&other| Constraint::tokens(other));
        let is_missing = Constraint::tokens(place).negated();
        is_missing.is_some_and(|missing| {
            let mut all: Conjunction = others.chain([missing]).collect();
            all.sort_unstable();
            self.is_impossible(&all)
        })
    }

    /// Whether no reachable marking satisfies all of these. A part of the effort is left to formulas.
    fn is_impossible(&mut self, conjunction: &Conjunction) -> bool {
        let is_true = |marking| {
            conjunction.iter().all(|constraint| constraint.is_true(marking).unwrap_or(true))
        };
        !self.markings.iter().any(is_true) && self.equation.refutes_in_time(conjunction)
    }

    /// What an atom says, if the net knows it.
    fn meaning(&self, net: &Net, name: &str) -> Option<Meaning> {
        Meaning::of(net, &self.is_dead, &atom::parse(name).ok()?)
    }

    /// Whether the condition is false in every reachable marking.
    fn is_never(&mut self, disjunction: Option<&[Conjunction]>) -> bool {
        disjunction.is_some_and(|all| all.iter().all(|one| self.equation.refutes(one)))
    }

    /// In which direction a condition can change: whether it stays true once it is, and whether it
    /// stays false.
    fn direction(&self, condition: &Condition) -> (bool, bool) {
        (self.is_lasting(condition.holds.as_deref()), self.is_lasting(condition.fails.as_deref()))
    }

    /// Whether no step makes a constraint false that was true.
    fn is_lasting(&self, disjunction: Option<&[Conjunction]>) -> bool {
        let mut constraints = disjunction.into_iter().flatten().flatten();
        let lasts = |constraint: &Constraint| {
            self.equation.changes().iter().all(|change| {
                let tokens = |place: PlaceId| {
                    let found = change.binary_search_by_key(&place, |&(place, _)| place);
                    found.map_or(0, |found| change[found].1)
                };
                constraint.sum(tokens).is_some_and(|sum| 0 <= sum)
            })
        };
        disjunction.is_some() && constraints.all(lasts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::pnml::{atom, read};
    use crate::ltl::parse::parse_with_atoms;
    use std::fmt::Write;

    /// A net whose places are given as `name=tokens`, and its transitions as `name: from > to`.
    fn net(places: &str, transitions: &[&str]) -> Net {
        let mut text = String::from("<pnml><net id='n' type='ptnet'><page id='page'>");
        for place in places.split_whitespace() {
            let (name, tokens) = place.split_once('=').unwrap();
            let marking = format!("<initialMarking><text>{tokens}</text></initialMarking>");
            write!(text, "<place id='{name}'>{marking}</place>").unwrap();
        }
        for (number, transition) in transitions.iter().enumerate() {
            let (name, arcs) = transition.split_once(':').unwrap();
            let (from, to) = arcs.split_once('>').unwrap();
            write!(text, "<transition id='{name}'/>").unwrap();
            let from = from.split_whitespace().map(|place| (place, name));
            let to = to.split_whitespace().map(|place| (name, place));
            for (arc, (source, target)) in from.chain(to).enumerate() {
                let ends = format!("source='{source}' target='{target}'");
                write!(text, "<arc id='a{number}.{arc}' {ends}/>").unwrap();
            }
        }
        read::net(&(text + "</page></net></pnml>")).unwrap()
    }

    fn check(net: &Net, formula: &str, expected: &str) {
        let formula = parse_with_atoms(formula, atom::length).unwrap();
        let left = Knowledge::new(net).simplified(net, &formula);
        assert_eq!(left.to_string(), expected, "{formula}");
    }

    /// Two processes share a lock; a third one ends.
    fn lock() -> Net {
        let enter =
            ["e1: i1 lock > c1", "l1: c1 > i1 lock", "e2: i2 lock > c2", "l2: c2 > i2 lock"];
        net(
            "i1=1 c1=0 i2=1 c2=0 lock=1 begun=3 done=0",
            &[&enter[..], &["d: begun > done"]].concat(),
        )
    }

    #[test]
    fn what_is_left_of_formulas() {
        let lock = lock();
        for (formula, expected) in [
            // By the state equation.
            ("G !(c1 >= 1 & c2 >= 1)", "true"),
            ("G (c1 + c2 <= 1)", "true"),
            ("G (c1 + c2 + lock == 1)", "true"),
            ("F (c1 + c2 >= 2) | F c1 >= 1", "F \"c1 >= 1\""),
            ("G (begun + done == 3)", "true"),
            ("F (2 * begun + done < 3)", "false"),
            ("G F (c1 >= 2 -> X lock)", "true"),
            // By the initial marking.
            ("lock & F c1", "F c1"),
            ("c1 | G (lock -> F c1)", "G (lock -> F c1)"),
            ("F lock", "true"),
            ("F fireable(e1)", "true"),
            ("G c1", "false"),
            ("c1 U lock", "true"),
            ("c1 U c2", "false"),
            ("X lock & lock", "X lock"),
            // Tokens only move towards the end.
            ("G F begun >= 2", "G \"begun >= 2\""),
            ("F G done >= 2", "F \"done >= 2\""),
            ("F (done == 0 & F begun >= 3)", "true"),
            ("F G (done >= 2 & F G done >= 3)", "F (\"done >= 2\" & F \"done >= 3\")"),
            ("F G c1", "F G c1"),
        ] {
            check(&lock, formula, expected);
        }
    }

    #[test]
    fn transitions_that_never_fire() {
        let net = net("p=1 q=0 r=0 s=0", &["t: p > p", "u: q > r", "v: r > q s", "w: p s > q"]);
        check(&net, "F fireable(u, v, w)", "false");
        check(&net, "G fireable(t, v)", "true");
        // The state equation alone does not know that tokens on q and r need one another.
        check(&net, "G !q", "true");
    }

    /// A place that may have any number of tokens, and one that has as many.
    #[test]
    fn unbounded_places() {
        let net = net("p=1 q=0 r=0", &["t: p > p q r", "u: q r > "]);
        check(&net, "G (q == r)", "true");
        check(&net, "G (q <= 100)", "G \"q <= 100\"");
        check(&net, "F (q + r == 2)", "F \"q + r == 2\"");
    }

    #[test]
    fn numbers_that_prove_nothing_are_refused() {
        let lock = lock();
        let is_dead = dead::dead(&lock);
        let mut equation = Equation::new(&lock, &is_dead);
        let place = |name| lock.place(name).unwrap();
        let both = vec![Constraint::tokens((place("c1"), 1)), Constraint::tokens((place("c2"), 1))];
        assert!(equation.refutes(&both));
        assert!(!equation.refutes(&both[..1].to_vec()));
        let third = vec![Constraint::tokens((place("done"), 4))];
        assert!(equation.refutes(&third));
    }
}
