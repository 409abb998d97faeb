//! What there is to say about a set of requirements.
//!
//! A set is consistent if a word satisfies all of it. Of a consistent set we say which
//! requirements follow from the others, and which are vacuous: a part of them could be
//! replaced by `false` (or by `true`, where it is negated), and the result would
//! still follow from the set. In `G (request -> F grant)` that is so for `F grant` if there is
//! never a request. This is vacuity as in [BBER01], asked of a set instead of a model,
//! for all occurrences of a part at once. Of a set that is not consistent everything
//! follows, so there we list conflicts and repairs, and say what is redundant and vacuous in
//! what the smallest repair leaves.
//!
//! [BBER01]: crate::references::bber01

use super::conflict::{self, Conflicts};
use super::oracle::{Halt, Oracle, limited};
use super::strengthen;
use crate::ltl::{Formula, TermId};
use crate::search::limits::Exhausted;
use crate::word::{Lasso, Letter};

/// Whether all requirements can hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// They do on this word, over the atoms of all.
    Consistent(Lasso<Letter>),
    /// They cannot.
    Inconsistent(Conflicts),
    /// A limit was reached first.
    Unknown(Exhausted),
}

/// A requirement that follows from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redundant {
    /// Which one.
    pub member: usize,
    /// A minimal set of others from which it follows. Nothing if a limit was reached
    /// first.
    pub because: Option<Vec<usize>>,
}

/// A requirement with a part that does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// Which one.
    pub member: usize,
    /// The part.
    pub part: Formula,
    /// The requirement with a constant instead of the part.
    pub stronger: Formula,
    /// A minimal set of requirements from which the stronger one follows. Nothing if
    /// a limit was reached first.
    pub because: Option<Vec<usize>>,
}

/// A question about a requirement that was not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// About which one.
    pub member: usize,
    /// Whether it was whether it is vacuous; otherwise, whether it is redundant.
    pub is_vacuity: bool,
    /// Why there is no answer.
    pub exhausted: Exhausted,
}

/// What there is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// Whether the requirements can hold together.
    pub consistency: Consistency,
    /// What was dropped before anything was asked about the others: the smallest repair, if the
    /// requirements are inconsistent and one is known.
    pub dropped: Vec<usize>,
    /// Those that follow from the others, each by itself.
    pub redundant: Vec<Redundant>,
    /// Those with parts that do not matter.
    pub vacuous: Vec<Vacuous>,
    /// What is not known.
    pub open: Vec<Open>,
    /// How many searches there were.
    pub n_searches: usize,
}

/// So many requirements at a time are asked about with one unrolling.
const CHUNK: usize = 50;

/// A single question may take a tenth of the time.
const SHARE: u32 = 10;

/// Asks everything that there is to ask about the requirements. At most so many
/// conflicts are looked for.
///
/// ```
/// use lwaa::Options;
/// use lwaa::ltl::Syntax;
/// use lwaa::requirements::analysis::analyze;
/// use lwaa::requirements::oracle::Oracle;
/// use lwaa::requirements::read::read;
/// use lwaa::search::limits::Monitor;
///
/// let text = "answer: G (request -> F grant)\nquiet: G !request\ncalm: G (request -> wait)";
/// let (requirements, _) = read(text, Syntax::Lwaa)?;
/// let (options, monitor) = (Options::default(), Monitor::default());
/// let analysis = analyze(&mut Oracle::new(&requirements, &options, &monitor), 10)?;
/// let redundant: Vec<usize> = analysis.redundant.iter().map(|one| one.member).collect();
/// assert_eq!(redundant, [0, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a word or a conflict does not pass certification: a bug.
pub fn analyze(oracle: &mut Oracle<'_>, max_conflicts: usize) -> Result<Analysis, Halt> {
    let all: Vec<usize> = (0..oracle.requirements().len()).collect();
    let mut analysis = Analysis::new(consistency(oracle, &all, max_conflicts)?);
    match &analysis.consistency {
        Consistency::Consistent(_) => analysis.look_for_remarks(oracle, &all)?,
        Consistency::Inconsistent(conflicts) if !conflicts.repairs.is_empty() => {
            analysis.dropped.clone_from(&conflicts.repairs[0]);
            let left: Vec<usize> =
                all.into_iter().filter(|member| !analysis.dropped.contains(member)).collect();
            analysis.look_for_remarks(oracle, &left)?;
        }
        Consistency::Inconsistent(_) | Consistency::Unknown(_) => (),
    }
    analysis.n_searches = oracle.n_searches();
    Ok(analysis)
}

/// Whether all can hold together. Groups that share no atoms are asked one by one:
/// words of theirs fit together.
fn consistency(
    oracle: &mut Oracle<'_>,
    all: &[usize],
    max_conflicts: usize,
) -> Result<Consistency, Halt> {
    let found = conflict::minimal(oracle, all, None).and_then(|conflict| match conflict {
        Some(_) => Ok(None),
        None => conflict::witness(oracle, all),
    });
    match limited(found)? {
        Ok(Some(word)) => Ok(Consistency::Consistent(word)),
        Ok(None) => conflict::conflicts(oracle, max_conflicts).map(Consistency::Inconsistent),
        Err(exhausted) => Ok(Consistency::Unknown(exhausted)),
    }
}

/// Some of `members` from which `formula` follows, whose negation is given; nothing if it
/// does not follow. The members are consistent.
fn follows(
    oracle: &mut Oracle<'_>,
    members: &[usize],
    negated: &Formula,
) -> Result<Option<Vec<usize>>, Halt> {
    oracle.limits()?;
    // What shares no atoms with it, not even by way of others, does not matter.
    let (concerned, _) = conflict::groups(oracle, members, Some(negated)).swap_remove(0);
    conflict::contradictory(oracle, &concerned, Some(negated))
}

/// Those of `members` from which a formula follows, none of them needlessly.
fn reasons(
    oracle: &mut Oracle<'_>,
    members: Vec<usize>,
    negated: &Formula,
) -> Result<Option<Vec<usize>>, Halt> {
    Ok(limited(conflict::bisect(oracle, members, Some(negated)))?.ok())
}

impl Analysis {
    /// Nothing is known yet but this.
    #[must_use]
    pub fn new(consistency: Consistency) -> Self {
        Self {
            consistency,
            dropped: Vec::new(),
            redundant: Vec::new(),
            vacuous: Vec::new(),
            open: Vec::new(),
            n_searches: 0,
        }
    }

    /// Asks which of some requirements, which are consistent, are redundant and which are vacuous.
    fn look_for_remarks(&mut self, oracle: &mut Oracle<'_>, all: &[usize]) -> Result<(), Halt> {
        oracle.allow_share(SHARE);
        for members in all.chunks(CHUNK) {
            let is_over = oracle.limits().is_err();
            let negated: Vec<Formula> = members
                .iter()
                .filter(|_| !is_over)
                .map(|&member| oracle.requirements()[member].formula.negated())
                .collect();
            oracle.prepare(negated.iter());
            for &member in members {
                self.look_for_redundancy(oracle, all, member)?;
            }
        }
        for members in all.chunks(CHUNK) {
            let is_over = oracle.limits().is_err();
            let stronger = members.iter().filter(|_| !is_over).flat_map(|&member| {
                let formula = &oracle.requirements()[member].formula;
                let parts = strengthen::parts(formula).into_iter();
                parts.map(|(part, is_positive)| strengthen::without(formula, part, is_positive))
            });
            let negated: Vec<Formula> = stronger.map(|formula| formula.negated()).collect();
            oracle.prepare(negated.iter());
            for &member in members {
                self.look_for_vacuity(oracle, all, member)?;
            }
        }
        Ok(())
    }

    fn look_for_redundancy(
        &mut self,
        oracle: &mut Oracle<'_>,
        all: &[usize],
        member: usize,
    ) -> Result<(), Halt> {
        let others: Vec<usize> = all.iter().copied().filter(|&other| other != member).collect();
        let formula = &oracle.requirements()[member].formula;
        let negated = formula.negated();
        match limited(follows(oracle, &others, &negated))? {
            Ok(None) => (),
            Ok(Some(some)) => {
                let because = reasons(oracle, some, &negated)?;
                self.redundant.push(Redundant { member, because });
            }
            Err(exhausted) => self.open.push(Open { member, is_vacuity: false, exhausted }),
        }
        Ok(())
    }

    fn look_for_vacuity(
        &mut self,
        oracle: &mut Oracle<'_>,
        all: &[usize],
        member: usize,
    ) -> Result<(), Halt> {
        if let Err(exhausted) = oracle.limits() {
            self.open.push(Open { member, is_vacuity: true, exhausted });
            return Ok(());
        }
        let formula = &oracle.requirements()[member].formula;
        let mut inside: Vec<TermId> = Vec::new();
        for (part, is_positive) in strengthen::parts(formula) {
            // Of a part that does not matter, no part matters.
            if inside.contains(&part) {
                inside.extend(formula.terms().term(part).children());
                continue;
            }
            let stronger = strengthen::without(formula, part, is_positive);
            let negated = stronger.negated();
            match limited(follows(oracle, all, &negated))? {
                Ok(None) => (),
                Ok(Some(some)) => {
                    inside.extend(formula.terms().term(part).children());
                    let because = reasons(oracle, some, &negated)?;
                    let part = formula.subformula(part);
                    self.vacuous.push(Vacuous { member, part, stronger, because });
                }
                Err(exhausted) => {
                    self.open.push(Open { member, is_vacuity: true, exhausted });
                    break;
                }
            }
        }
        Ok(())
    }
}
