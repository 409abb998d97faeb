//! What is left of a formula under what is known about a net.
//!
//! One pass upwards finds for each subformula in which markings it is true (if it has no temporal
//! operator), whether it has the same value at all positions of all runs, and whether it stays true
//! once it is, or false; and writes a copy without what is not needed:
//!
//! - a subformula with one value is this constant;
//! - `F a` is `a` where `a` stays false, `G a` is `a` where `a` stays true;
//! - `b U a` and `b R a` are `a` where `a` stays false, or true.
//!
//! A second pass knows more: what the subformulas are worth in the initial marking. A part of the
//! formula that is asked there, and nowhere else, is replaced by its value.

use super::Knowledge;
use super::constraint::Condition;
use super::walk::MAX_MARKINGS;
use crate::id::IdVec;
use crate::lang::pnml::net::Net;
use crate::ltl::{Formula, Term, TermId, Terms};

/// Markings, as bits by their numbers.
type Markings = [u64; MAX_MARKINGS / 64];

/// A subformula without temporal operators.
struct State {
    condition: Condition,
    /// The known markings in which it is true.
    holds: Markings,
}

/// What is known about a subformula.
struct Fact {
    state: Option<State>,
    /// The value that it always has.
    value: Option<bool>,
    /// Whether it is true for ever once it is.
    stays_true: bool,
    stays_false: bool,
}

/// What is left of a formula.
pub(super) fn simplified(knowledge: &mut Knowledge, net: &Net, formula: &Formula) -> Formula {
    let mut facts: IdVec<TermId, Fact> = IdVec::new();
    let mut left = Terms::default();
    let mut copies: IdVec<TermId, TermId> = IdVec::new();
    for id in formula.terms().ids() {
        let term = formula.terms().term(id);
        let fact = fact(knowledge, net, formula, term, &facts);
        let copy = match (fact.value, term) {
            (Some(value), _) => left.constant(value),
            (None, Term::Atom(atom)) => left.atom(formula.atoms().name(atom)),
            (None, Term::Finally(a) | Term::Until(_, a)) if facts[a].stays_false => copies[a],
            (None, Term::Globally(a) | Term::Release(_, a)) if facts[a].stays_true => copies[a],
            (None, term) => folded(&mut left, term.map(|child| copies[child])),
        };
        facts.push(fact);
        copies.push(copy);
    }
    let root = copies[formula.root()];
    at_first(knowledge, net, &Formula::new(left, root))
}

/// What is known about a term whose operands are known.
fn fact(
    knowledge: &mut Knowledge,
    net: &Net,
    formula: &Formula,
    term: Term,
    facts: &IdVec<TermId, Fact>,
) -> Fact {
    let (mut stays_true, mut stays_false) = direction(term, facts);
    let state = state(knowledge, net, formula, term, facts);
    let value = match &state {
        Some(state) => {
            let (lasts, never_comes) = knowledge.direction(&state.condition);
            stays_true |= lasts;
            stays_false |= never_comes;
            value(knowledge, state, stays_true, stays_false)
        }
        None => folded_value(term, facts),
    };
    Fact { state, value, stays_true, stays_false }
}

/// Whether a term stays true or false, as far as its operands tell.
fn direction(term: Term, facts: &IdVec<TermId, Fact>) -> (bool, bool) {
    let both = |a: TermId, b: TermId| {
        let (a, b) = (&facts[a], &facts[b]);
        (a.stays_true && b.stays_true, a.stays_false && b.stays_false)
    };
    match term {
        Term::True | Term::False => (true, true),
        Term::Not(a) => (facts[a].stays_false, facts[a].stays_true),
        Term::And(a, b) | Term::Or(a, b) => both(a, b),
        Term::Implies(a, b) => {
            let (a, b) = (&facts[a], &facts[b]);
            (a.stays_false && b.stays_true, a.stays_true && b.stays_false)
        }
        Term::Next(a) => (facts[a].stays_true, facts[a].stays_false),
        // What comes again comes from every moment before.
        Term::Finally(a) => (facts[a].stays_true, true),
        Term::Globally(a) => (true, facts[a].stays_false),
        _ => (false, false),
    }
}

/// What a term without temporal operators says about markings.
fn state(
    knowledge: &Knowledge,
    net: &Net,
    formula: &Formula,
    term: Term,
    facts: &IdVec<TermId, Fact>,
) -> Option<State> {
    let zip = |a: &State, b: &State, change: fn(u64, u64) -> u64| -> Markings {
        std::array::from_fn(|word| change(a.holds[word], b.holds[word]))
    };
    let of = |id: TermId| facts[id].state.as_ref();
    let negated = |state: &State| State {
        condition: state.condition.not(),
        holds: state.holds.map(|word| !word),
    };
    let and = |a: &State, b: &State| State {
        condition: a.condition.and(&b.condition),
        holds: zip(a, b, |a, b| a & b),
    };
    let or = |a: &State, b: &State| State {
        condition: a.condition.or(&b.condition),
        holds: zip(a, b, |a, b| a | b),
    };
    let equal = |a: &State, b: &State| or(&and(a, b), &and(&negated(a), &negated(b)));
    match term {
        Term::True => Some(constant(true)),
        Term::False => Some(constant(false)),
        Term::Atom(atom) => {
            let meaning = knowledge.meaning(net, formula.atoms().name(atom))?;
            let mut holds = Markings::default();
            for (number, marking) in knowledge.markings.iter().enumerate() {
                holds[number / 64] |= u64::from(meaning.is_true(net, marking)?) << (number % 64);
            }
            Some(State { condition: meaning.condition(net), holds })
        }
        Term::Not(a) => Some(negated(of(a)?)),
        Term::And(a, b) => Some(and(of(a)?, of(b)?)),
        Term::Or(a, b) => Some(or(of(a)?, of(b)?)),
        Term::Implies(a, b) => Some(or(&negated(of(a)?), of(b)?)),
        Term::Iff(a, b) => Some(equal(of(a)?, of(b)?)),
        Term::Xor(a, b) => Some(negated(&equal(of(a)?, of(b)?))),
        _ => None,
    }
}

fn constant(value: bool) -> State {
    let word = if value { u64::MAX } else { 0 };
    State { condition: Condition::constant(value), holds: [word; MAX_MARKINGS / 64] }
}

/// The value that a condition has in every reachable marking.
fn value(
    knowledge: &mut Knowledge,
    state: &State,
    stays_true: bool,
    stays_false: bool,
) -> Option<bool> {
    let n_markings = knowledge.markings.len();
    let bits = (0..n_markings).map(|number| state.holds[number / 64] >> (number % 64) & 1 == 1);
    let n_true = bits.filter(|&is_true| is_true).count();
    // The first marking is the initial one.
    let is_true_at_first = state.holds[0] & 1 == 1;
    let can_be_never = n_true == 0;
    let can_be_always = n_true == n_markings;
    let stays = if is_true_at_first { stays_true } else { stays_false };
    let is_known = stays
        || can_be_never && knowledge.is_never(state.condition.holds.as_deref())
        || can_be_always && knowledge.is_never(state.condition.fails.as_deref());
    is_known.then_some(is_true_at_first)
}

/// The value of a term with temporal operators, if it follows from those of its operands.
fn folded_value(term: Term, facts: &IdVec<TermId, Fact>) -> Option<bool> {
    let of = |id: TermId| facts[id].value;
    worth(term, of, of)
}

/// The value of a term at a position: `now` are the values of operands there, `always` their values
/// if they are the same at all positions.
fn worth(
    term: Term,
    now: impl Fn(TermId) -> Option<bool>,
    always: impl Fn(TermId) -> Option<bool>,
) -> Option<bool> {
    let (yes, no) = (Some(true), Some(false));
    let and = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(false), _) | (_, Some(false)) => no,
        (Some(true), Some(true)) => yes,
        _ => None,
    };
    let or = |a: Option<bool>, b: Option<bool>| and(a.map(|a| !a), b.map(|b| !b)).map(|it| !it);
    match term {
        Term::True => yes,
        Term::False => no,
        Term::Atom(_) => None,
        Term::Not(a) => now(a).map(|value| !value),
        Term::And(a, b) => and(now(a), now(b)),
        Term::Or(a, b) => or(now(a), now(b)),
        Term::Implies(a, b) => or(now(a).map(|value| !value), now(b)),
        Term::Xor(a, b) => Some(now(a)? != now(b)?),
        Term::Iff(a, b) => Some(now(a)? == now(b)?),
        Term::Next(a) => always(a),
        Term::Finally(a) => {
            if now(a) == yes {
                yes
            } else {
                always(a)
            }
        }
        Term::Globally(a) => {
            if now(a) == no {
                no
            } else {
                always(a)
            }
        }
        Term::Until(a, b) => match (now(a), now(b)) {
            (_, Some(true)) => yes,
            (Some(false), Some(false)) => no,
            _ => always(b).filter(|&value| !value),
        },
        Term::WeakUntil(a, b) => match (now(a), now(b)) {
            (_, Some(true)) => yes,
            (Some(false), Some(false)) => no,
            _ => always(a).filter(|&value| value),
        },
        Term::Release(a, b) => match (now(a), now(b)) {
            (_, Some(false)) => no,
            (Some(true), Some(true)) => yes,
            _ => always(b).filter(|&value| value),
        },
        Term::StrongRelease(a, b) => match (now(a), now(b)) {
            (_, Some(false)) => no,
            (Some(true), Some(true)) => yes,
            _ => always(a).filter(|&value| !value),
        },
    }
}

/// A term over operands that may be constants, without those.
fn folded(terms: &mut Terms, term: Term) -> TermId {
    let value = |id: TermId| match terms.term(id) {
        Term::True => Some(true),
        Term::False => Some(false),
        _ => None,
    };
    let (yes, no) = (Some(true), Some(false));
    if let Some(known) = worth(term, value, value) {
        return terms.constant(known);
    }
    let kept = match term {
        Term::And(a, b) | Term::Iff(a, b) if value(a) == yes => Ok(b),
        Term::And(a, b) | Term::Iff(a, b) if value(b) == yes => Ok(a),
        Term::Or(a, b) | Term::Xor(a, b) if value(a) == no => Ok(b),
        Term::Or(a, b) | Term::Xor(a, b) if value(b) == no => Ok(a),
        Term::Iff(a, b) if value(a) == no => Err(Term::Not(b)),
        Term::Iff(a, b) if value(b) == no => Err(Term::Not(a)),
        Term::Xor(a, b) if value(a) == yes => Err(Term::Not(b)),
        Term::Xor(a, b) if value(b) == yes => Err(Term::Not(a)),
        Term::Implies(a, b) if value(a) == yes => Ok(b),
        Term::Implies(a, b) if value(b) == no => Err(Term::Not(a)),
        Term::Until(a, b) if value(a) == yes => Err(Term::Finally(b)),
        Term::Until(a, b) | Term::WeakUntil(a, b) if value(a) == no => Ok(b),
        Term::WeakUntil(a, b) if value(b) == no => Err(Term::Globally(a)),
        Term::Release(a, b) if value(a) == no => Err(Term::Globally(b)),
        Term::Release(a, b) | Term::StrongRelease(a, b) if value(a) == yes => Ok(b),
        Term::StrongRelease(a, b) if value(b) == yes => Err(Term::Finally(a)),
        term => Err(term),
    };
    kept.unwrap_or_else(|term| terms.intern(term))
}

/// The formula in which parts that are asked in the initial marking only have their values there.
fn at_first(knowledge: &Knowledge, net: &Net, formula: &Formula) -> Formula {
    let mut left = Terms::default();
    let mut now: IdVec<TermId, Option<bool>> = IdVec::new();
    let (mut copies, mut copies_now) = (IdVec::new(), IdVec::new());
    for id in formula.terms().ids() {
        let term = formula.terms().term(id);
        let value = match term {
            Term::Atom(atom) => {
                let meaning = knowledge.meaning(net, formula.atoms().name(atom));
                meaning.and_then(|meaning| meaning.is_true(net, &knowledge.markings[0]))
            }
            // Nothing is the same at all positions that is not a constant by now.
            term => worth(term, |child| now[child], |_| None),
        };
        now.push(value);
        let copy = left.intern_copy(term, formula.atoms(), |child| copies[child]);
        copies.push(copy);
        copies_now.push(match value {
            Some(value) => left.constant(value),
            None if term.is_temporal() => copy,
            None => folded_copy(&mut left, term, copy, &copies_now),
        });
    }
    Formula::new(left, copies_now[formula.root()])
}

fn folded_copy(
    left: &mut Terms,
    term: Term,
    copy: TermId,
    copies: &IdVec<TermId, TermId>,
) -> TermId {
    match term {
        Term::True | Term::False | Term::Atom(_) => copy,
        _ => folded(left, term.map(|child| copies[child])),
    }
}
