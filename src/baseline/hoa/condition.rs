//! Acceptance conditions as generalized Büchi acceptance.
//!
//! A condition without `Fin` is monotone in its sets. In conjunctive form every
//! clause asks for one of several sets, and that is the union of them: one set
//! of a generalized Büchi condition each.
//!
//! What is visited finitely often is not visited at all from some moment on, so
//! an automaton can guess that moment. A condition with `Fin` is a disjunction
//! of *cases*: each avoids some sets for ever and asks the rest of the condition
//! of the others. Any condition can be taken apart like that, Rabin, Streett and
//! parity included. There may be exponentially many cases or clauses, hence a
//! limit.

use crate::hoa::{Condition, SetId, Visits};
use crate::sets::distinct;

/// How many cases, or clauses of a case, a condition may have.
pub const LIMIT: usize = 256;

/// A condition has more than [`LIMIT`] cases or clauses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the acceptance condition `{0}` is too complicated: as generalized Büchi acceptance it \
     has more than {LIMIT} cases or clauses"
)]
pub struct TooComplicated(pub Condition);

/// An acceptance set or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Visited {
    /// The set.
    pub set: SetId,
    /// Whether its complement is meant.
    pub complemented: bool,
}

impl Visited {
    /// Whether something that is in the sets `sets` is in this one.
    #[must_use]
    pub fn contains(self, sets: &[SetId]) -> bool {
        sets.contains(&self.set) != self.complemented
    }
}

/// One way to satisfy a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Never visited from some moment on.
    pub avoided: Vec<Visited>,
    /// Of each of these one is visited infinitely often.
    pub clauses: Vec<Vec<Visited>>,
}

/// The cases of a condition.
///
/// # Errors
///
/// If there are too many of them, or of their clauses.
pub fn cases(condition: &Condition) -> Result<Vec<Case>, TooComplicated> {
    let too_complicated = || TooComplicated(condition.clone());
    let mut cases: Vec<Case> = Vec::new();
    // Fewer promises first.
    let mut promises = promises(condition).ok_or_else(too_complicated)?;
    promises.sort_by_key(Vec::len);
    for avoided in promises {
        let clauses = clauses(condition, &avoided).ok_or_else(too_complicated)?;
        // An empty clause is never satisfied, and a promise that changes
        // nothing need not be made.
        let impossible = clauses.iter().any(Vec::is_empty);
        let needless = |case: &Case| case.clauses == clauses && includes(&avoided, &case.avoided);
        if !impossible && !cases.iter().any(needless) {
            cases.push(Case { avoided, clauses });
        }
    }
    Ok(cases)
}

/// The sorted sets of visits that a disjunctive form of the condition says to
/// be finite, together. Nothing if there are too many.
fn promises(condition: &Condition) -> Option<Vec<Vec<Visited>>> {
    let leaf = |visits: &Visits| match *visits {
        Visits::Constant(false) => Some(vec![]),
        Visits::Constant(true) | Visits::Infinitely { .. } => Some(vec![vec![]]),
        Visits::Finitely { set, complemented } => Some(vec![vec![Visited { set, complemented }]]),
    };
    let limited = |all: Vec<Vec<Visited>>| {
        let all = distinct(all);
        (all.len() <= LIMIT).then_some(all)
    };
    let and = |left: Option<Vec<_>>, right: Option<Vec<_>>| limited(products(&left?, &right?));
    let or = |left: Option<Vec<_>>, right: Option<Vec<_>>| limited([left?, right?].concat());
    condition.evaluate(leaf, |_| unreachable!("a condition has no negation"), and, or)
}

/// The conjunctive form of what is left of the condition if nothing but
/// `avoided` is finite, as sorted sets none of which includes another one.
/// Nothing if there are too many.
fn clauses(condition: &Condition, avoided: &[Visited]) -> Option<Vec<Vec<Visited>>> {
    let constant = |value| Some(if value { vec![] } else { vec![vec![]] });
    let leaf = |visits: &Visits| match *visits {
        Visits::Constant(value) => constant(value),
        Visits::Finitely { set, complemented } => {
            constant(avoided.contains(&Visited { set, complemented }))
        }
        Visits::Infinitely { set, complemented } => Some(vec![vec![Visited { set, complemented }]]),
    };
    let minimal = |all: Vec<Vec<Visited>>| {
        let mut kept = Vec::new();
        for clause in all {
            add(&mut kept, clause);
        }
        (kept.len() <= LIMIT).then_some(kept)
    };
    let and = |left: Option<Vec<_>>, right: Option<Vec<_>>| minimal([left?, right?].concat());
    let or = |left: Option<Vec<_>>, right: Option<Vec<_>>| minimal(products(&left?, &right?));
    condition.evaluate(leaf, |_| unreachable!("a condition has no negation"), and, or)
}

/// The unions of one set of the one and one of the other.
fn products(left: &[Vec<Visited>], right: &[Vec<Visited>]) -> Vec<Vec<Visited>> {
    let union = |one: &[Visited], other: &[Visited]| distinct([one, other].concat());
    left.iter().flat_map(|one| right.iter().map(move |other| union(one, other))).collect()
}

/// Adds a set unless it includes another one.
fn add(all: &mut Vec<Vec<Visited>>, set: Vec<Visited>) {
    if !all.iter().any(|known| includes(&set, known)) {
        all.retain(|known| !includes(known, &set));
        all.push(set);
    }
}

fn includes(many: &[Visited], few: &[Visited]) -> bool {
    few.iter().all(|visited| many.contains(visited))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;

    /// The cases of a condition: what is avoided, then the clauses.
    #[track_caller]
    fn check(condition: &str, expected: &str) {
        let text = format!("HOA: v1 Acceptance: 4 {condition} --BODY-- --END--");
        let condition = crate::hoa::read(&text).unwrap().acceptance.condition;
        let show = |sets: &[Visited]| -> String {
            let show = |visited: &Visited| {
                let sign = if visited.complemented { "!" } else { "" };
                format!("{sign}{}", visited.set.index())
            };
            sets.iter().map(show).collect::<Vec<_>>().join(" ")
        };
        let cases = cases(&condition).unwrap().into_iter().map(|case| {
            let clauses = case.clauses.iter().map(|clause| format!("({})", show(clause)));
            format!("-{} {}", show(&case.avoided), clauses.collect::<String>())
        });
        assert_eq!(cases.collect::<Vec<_>>().join("; "), expected);
    }

    #[test]
    fn conditions_without_fin_are_one_case() {
        check("t", "- ");
        check("f", "");
        check("Inf(0)", "- (0)");
        check("Inf(0) & Inf(1) & Inf(!2)", "- (0)(1)(!2)");
        check("Inf(0) | Inf(1)", "- (0 1)");
        check("Inf(0) & Inf(1) | Inf(2)", "- (0 2)(1 2)");
        check("Inf(0) & (Inf(0) | Inf(1))", "- (0)");
        check("Inf(0) & f | Inf(1) & t", "- (1)");
    }

    #[test]
    fn what_is_finite_is_avoided() {
        check("Fin(0)", "-0 ");
        check("Fin(!0)", "-!0 ");
        check("Fin(0) & Fin(1)", "-0 1 ");
        check("Fin(0) | Fin(1)", "-0 ; -1 ");
        // Rabin
        check("Fin(0) & Inf(1) | Fin(2) & Inf(3)", "-0 (1); -2 (3)");
        // Streett
        check("(Fin(0) | Inf(1)) & (Fin(2) | Inf(3))", "- (1)(3); -0 (3); -2 (1); -0 2 ");
        // A promise that changes nothing
        check("Inf(1) & (Fin(0) | Inf(2) | t)", "- (1)");
    }
}
