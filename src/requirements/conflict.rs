//! Minimal conflicts: requirements that cannot hold together, although they could
//! if any one of them were dropped.
//!
//! First some requirements are found that cannot hold together, mostly few: words say
//! which others to add to those that we have, and bounded search says which of many may be to blame.
//! They are made minimal by bisection: the shortest prefix of the list that
//! cannot hold together with what is known to be needed ends with something that
//! is needed, too. That takes about *k* log *n* questions for a conflict of *k*
//! among *n*; a word that satisfies more of the list than was asked for shortens
//! the way. Requirements that share no atoms, not even by way of others, do not
//! matter to each other, so each group is looked at by itself.
//!
//! Several conflicts are found as [Rei87] does: all sets of requirements that hit
//! every conflict found so far are tried out, small ones first. What is left either
//! has another conflict, or is consistent: then the set is a smallest repair.
//!
//! [Rei87]: crate::references::rei87

use super::oracle::{Blame, Halt, Oracle, limited};
use crate::ltl::Formula;
use crate::search::limits::Exhausted;
use crate::word::{Lasso, Letter};
use std::collections::{BTreeSet, VecDeque};

/// A minimal conflict, certified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Whose requirements these are: indices, in ascending order.
    pub members: Vec<usize>,
    /// For each of them a word on which all others hold.
    pub without: Vec<Lasso<Letter>>,
}

/// What is known of the conflicts of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conflicts {
    /// Different minimal conflicts, in the order in which they were found.
    pub list: Vec<Conflict>,
    /// Minimal sets of requirements without which the others are consistent, small
    /// ones first.
    pub repairs: Vec<Vec<usize>>,
    /// Whether there are no others.
    pub is_complete: bool,
    /// The limit that was reached, if one was.
    pub exhausted: Option<Exhausted>,
}

/// A minimal set of `members` that cannot hold together with `also`, in ascending
/// order; nothing if they all can.
///
/// # Errors
///
/// If a limit is reached first, or if a word does not pass certification.
pub fn minimal(
    oracle: &mut Oracle<'_>,
    members: &[usize],
    also: Option<&Formula>,
) -> Result<Option<Vec<usize>>, Halt> {
    for (group, is_concerned) in groups(oracle, members, also) {
        let also = also.filter(|_| is_concerned);
        if let Some(some) = contradictory(oracle, &group, also)? {
            return bisect(oracle, some, also).map(Some);
        }
    }
    Ok(None)
}

/// A word on which all of `members` hold; nothing if there is none.
///
/// # Errors
///
/// If a limit is reached first, or if a word does not pass certification.
pub fn witness(oracle: &mut Oracle<'_>, members: &[usize]) -> Result<Option<Lasso<Letter>>, Halt> {
    if FEW < members.len() && oracle.known(members, None).is_none() {
        // If there is a word it is known then.
        oracle.blame(members, None)?;
    }
    oracle.ask(members, None)
}

/// Requirements that share atoms, also by way of others or of `also`; and whether
/// they share any with `also`. The group of `also` comes first, and is there even if
/// it is empty.
pub(super) fn groups(
    oracle: &Oracle<'_>,
    members: &[usize],
    also: Option<&Formula>,
) -> Vec<(Vec<usize>, bool)> {
    let mut groups = Groups { parents: (0..oracle.atoms().len()).collect() };
    let formulas = members.iter().map(|&member| &oracle.requirements()[member].formula);
    for formula in formulas.clone().chain(also) {
        let mut numbers = numbers(oracle, formula);
        if let Some(first) = numbers.next() {
            numbers.for_each(|other| groups.join(first, other));
        }
    }
    let root = |groups: &mut Groups, formula| {
        let first = numbers(oracle, formula).next();
        first.map(|number| groups.root(number))
    };
    let mut found: Vec<(Option<usize>, Vec<usize>, bool)> = Vec::new();
    if let Some(also) = also {
        found.push((root(&mut groups, also), Vec::new(), true));
    }
    let mut positions = vec![None; oracle.atoms().len()];
    if let Some((Some(root), ..)) = found.first() {
        positions[*root] = Some(0);
    }
    for (&member, formula) in members.iter().zip(formulas) {
        let root = root(&mut groups, formula);
        if let Some(position) = root.and_then(|root| positions[root]) {
            found[position].1.push(member);
        } else {
            if let Some(root) = root {
                positions[root] = Some(found.len());
            }
            found.push((root, vec![member], false));
        }
    }
    found.into_iter().map(|(_, members, is_concerned)| (members, is_concerned)).collect()
}

/// The numbers of the atoms of a formula among all.
fn numbers<'o>(oracle: &'o Oracle<'_>, formula: &'o Formula) -> impl Iterator<Item = usize> + 'o {
    use crate::id::Id;
    let known = |(_, name): (_, &str)| oracle.atoms().find(name).map(Id::index);
    formula.atoms().iter().filter_map(known)
}

/// Which atoms belong together: a forest, whose roots stand for groups.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[other.max(one)] = other.min(one);
    }
}

/// So many requirements are few: a question about them is mostly a matter of milliseconds.
pub(super) const FEW: usize = 60;

/// Some of `members` that cannot hold together with `also`, few of them if there is
/// luck; nothing if all of them can.
///
/// We begin with none of them. A word on which those that we have hold violates at
/// least one member of each conflict, or there is none. So after as many words as a
/// conflict has members, it is there, and most of what has nothing to do with it is not. If
/// that becomes too much, [`Oracle::blame`] looks at all at once, and if that is too much as well,
/// we go on.
pub(super) fn contradictory(
    oracle: &mut Oracle<'_>,
    members: &[usize],
    also: Option<&Formula>,
) -> Result<Option<Vec<usize>>, Halt> {
    oracle.limits()?;
    if oracle.known(members, also).is_some() {
        return Ok(None);
    }
    let mut chosen: Vec<usize> = Vec::new();
    let mut is_blamed = false;
    while let Some(word) = oracle.ask(&chosen, also)? {
        let holds = oracle.truth(&word);
        let n_chosen = chosen.len();
        chosen.extend(members.iter().filter(|&&member| !holds[member]));
        if chosen.len() == n_chosen {
            return Ok(None);
        }
        if FEW < chosen.len() && !is_blamed {
            match oracle.blame(members, also)? {
                Some(Blame::Some(some)) => return Ok(Some(some)),
                Some(Blame::Nothing) => return Ok(None),
                None => is_blamed = true,
            }
        }
    }
    Ok(Some(chosen))
}

/// A minimal conflict among `open`, which together with `also` has one.
pub(super) fn bisect(
    oracle: &mut Oracle<'_>,
    mut open: Vec<usize>,
    also: Option<&Formula>,
) -> Result<Vec<usize>, Halt> {
    let mut needed: Vec<usize> = Vec::new();
    while let Some(word) = oracle.ask(&needed, also)? {
        // With `low` of the open ones there is no conflict, with `high` there is.
        let (mut low, mut high) = (n_satisfied(oracle, &open, &word), open.len());
        if high <= low {
            return Err(Halt::Contradiction);
        }
        while low + 1 < high {
            let middle = low.midpoint(high);
            let asked: Vec<usize> = needed.iter().chain(&open[..middle]).copied().collect();
            match oracle.ask(&asked, also)? {
                Some(word) => low = middle.max(n_satisfied(oracle, &open, &word)),
                None => high = middle,
            }
            if high <= low {
                return Err(Halt::Contradiction);
            }
        }
        needed.push(open[high - 1]);
        open.truncate(high - 1);
    }
    needed.sort_unstable();
    Ok(needed)
}

/// How many requirements at the beginning of a list hold on a word.
fn n_satisfied(oracle: &Oracle<'_>, list: &[usize], word: &Lasso<Letter>) -> usize {
    let holds = oracle.truth(word);
    list.iter().take_while(|&&member| holds[member]).count()
}

/// The conflict that `members` are said to be, after everything that makes it one has
/// been asked again.
///
/// # Errors
///
/// If a limit is reached first, if a word does not pass certification, or if it is
/// no minimal conflict.
pub fn certified(oracle: &mut Oracle<'_>, members: Vec<usize>) -> Result<Conflict, Halt> {
    if oracle.search(&members, None)?.is_some() {
        return Err(Halt::Contradiction);
    }
    let mut without = Vec::new();
    for &dropped in &members {
        let others: Vec<usize> =
            members.iter().copied().filter(|&member| member != dropped).collect();
        let word = oracle.search(&others, None)?.ok_or(Halt::Contradiction)?;
        let holds = oracle.truth(&word);
        if !others.iter().all(|&other| holds[other]) || holds[dropped] {
            return Err(Halt::Contradiction);
        }
        without.push(word);
    }
    Ok(Conflict { members, without })
}

/// Sets of dropped requirements that are tried out at most.
const MAX_TRIED: usize = 2_000;

/// The minimal conflicts of all requirements, at most so many, and what to drop to
/// be rid of them.
///
/// # Errors
///
/// If a word or a conflict does not pass certification. A limit that is reached is
/// part of the answer.
pub fn conflicts(oracle: &mut Oracle<'_>, max_conflicts: usize) -> Result<Conflicts, Halt> {
    let mut found = Conflicts::default();
    match limited(collect(oracle, max_conflicts, &mut found))? {
        Ok(is_complete) => found.is_complete = is_complete,
        Err(exhausted) => found.exhausted = Some(exhausted),
    }
    Ok(found)
}

/// Whether that is all.
fn collect(
    oracle: &mut Oracle<'_>,
    max_conflicts: usize,
    found: &mut Conflicts,
) -> Result<bool, Halt> {
    let all: Vec<usize> = (0..oracle.requirements().len()).collect();
    let mut known: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut open: VecDeque<Vec<usize>> = [Vec::new()].into();
    let mut n_tried = 0;
    while let Some(dropped) = open.pop_front() {
        let has = |list: &[usize], member: &usize| list.binary_search(member).is_ok();
        let is_repaired = |repair: &Vec<usize>| repair.iter().all(|member| has(&dropped, member));
        if found.repairs.iter().any(is_repaired) {
            continue;
        }
        n_tried += 1;
        if MAX_TRIED < n_tried {
            return Ok(false);
        }
        let is_kept = |one: &&Conflict| !one.members.iter().any(|member| has(&dropped, member));
        let members = if let Some(kept) = found.list.iter().find(is_kept) {
            kept.members.clone()
        } else {
            let left: Vec<usize> =
                all.iter().copied().filter(|member| !has(&dropped, member)).collect();
            let Some(members) = minimal(oracle, &left, None)? else {
                found.repairs.push(dropped);
                continue;
            };
            if found.list.len() == max_conflicts {
                return Ok(false);
            }
            found.list.push(certified(oracle, members.clone())?);
            members
        };
        for member in members {
            let mut more = dropped.clone();
            more.insert(more.partition_point(|&other| other < member), member);
            if known.insert(more.clone()) {
                open.push_back(more);
            }
        }
    }
    Ok(true)
}
