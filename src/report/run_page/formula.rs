//! A formula on a run, for a page: its parts, where each of them is true, and what decides.

use super::data::{ClaimAtom, ClaimRun};
use crate::explain::{Ending, Explanation};
use crate::id::Id;
use crate::ltl::print::{Dialect, bounded};
use crate::ltl::{Formula, Term, TermId};
use crate::printable::on_one_line;
use serde_json::{Value, json};

/// A formula with more parts is shown as text only.
const MAX_TERMS: usize = 400;
/// How many bytes the text of a part has.
const MAX_TEXT: usize = 300;

/// The formula, or nothing if it has too many parts.
pub(super) fn json(formula: &Formula, explanation: Option<&Explanation>) -> Option<Value> {
    if MAX_TERMS < formula.n_terms() {
        return None;
    }
    let terms = formula.terms().ids().map(|id| term(formula, id, explanation));
    let terms: Vec<Value> = terms.collect();
    let story = explanation.map(|found| &found.story);
    let line = story.map(|story| {
        let line = story.strands.iter().flat_map(|strand| &strand.line);
        line.map(|one| json!([one.term.index(), one.position])).collect::<Vec<Value>>()
    });
    let main = story.map(|story| story.main().last().position);
    // What is false, or true, for ever from some moment on, and so never met.
    let ever: Vec<Value> = story
        .into_iter()
        .flat_map(|story| &story.strands)
        .filter(|strand| strand.ending == Ending::ForEver)
        .map(|strand| {
            let last = strand.last();
            json!({ "term": last.term.index(), "value": last.value, "since": last.position })
        })
        .collect();
    Some(
        json!({ "root": formula.root().index(), "terms": terms, "line": line, "main": main, "ever": ever }),
    )
}

/// A claim in the same form: it has its atoms as parts, and is true where it accepts again and again.
pub(super) fn claim(claim: &ClaimRun) -> Value {
    let row = |of: &[bool]| bits(of.len(), |at| of[at]);
    let mut terms: Vec<Value> = claim
        .atoms
        .iter()
        .map(|ClaimAtom { name, values, decides }| {
            let name = on_one_line(name);
            let mut term = json!({ "op": "", "text": name, "parts": [], "true": row(values) });
            if decides.contains(&true) {
                term["cause"] = json!(row(decides));
            }
            term
        })
        .collect();
    let parts: Vec<usize> = (0..terms.len()).collect();
    let text = format!("accepting state of the claim: {}", on_one_line(&claim.name));
    let accepting = row(&claim.accepting);
    terms.push(json!({ "op": "claim", "text": text, "parts": parts, "true": accepting }));
    let main = claim.accepting.iter().position(|&is| is).unwrap_or(0);
    let root = terms.len() - 1;
    json!({ "root": root, "terms": terms, "line": [[root, main]], "main": main, "ever": [] })
}

fn term(formula: &Formula, id: TermId, explanation: Option<&Explanation>) -> Value {
    let term = formula.terms().term(id);
    let children: Vec<usize> = term.children().map(Id::index).collect();
    let text = match term {
        Term::Atom(atom) => Some(formula.atoms().name(atom).to_owned()),
        _ => bounded(&formula.subformula(id), Dialect::Lwaa, MAX_TEXT),
    };
    let text = text.map(|text| on_one_line(&text).into_owned());
    let mut object = json!({ "op": operator(term), "text": text, "parts": children });
    if let Some(Explanation { values, causes, .. }) = explanation {
        let n_positions = values.n_positions();
        let is = |wanted| bits(n_positions, |at| values.at(id, at) == Some(wanted));
        object["true"] = json!(is(true));
        // Of a word that has only begun, not everything is known.
        if (0..n_positions).any(|at| values.at(id, at).is_none()) {
            object["false"] = json!(is(false));
        }
        if (0..n_positions).any(|at| causes.has(id, at)) {
            object["cause"] = json!(bits(n_positions, |at| causes.has(id, at)));
        }
    }
    object
}

/// How an operator is written.
fn operator(term: Term) -> &'static str {
    match term {
        Term::True => "true",
        Term::False => "false",
        Term::Atom(_) => "",
        Term::Not(_) => "!",
        Term::And(..) => "&",
        Term::Or(..) => "|",
        Term::Xor(..) => "^",
        Term::Implies(..) => "->",
        Term::Iff(..) => "<->",
        Term::Next(_) => "X",
        Term::Finally(_) => "F",
        Term::Globally(_) => "G",
        Term::Until(..) => "U",
        Term::Release(..) => "R",
        Term::WeakUntil(..) => "W",
        Term::StrongRelease(..) => "M",
    }
}

/// Truth values as digits to the base 16, four in each, the first one in the highest bit.
pub(super) fn bits(n_positions: usize, is: impl Fn(usize) -> bool) -> String {
    let digit = |first: usize| {
        let set = (0..4).filter(|&bit| first + bit < n_positions && is(first + bit));
        set.fold(0, |digit, bit| digit | (8 >> bit))
    };
    let digits = (0..n_positions).step_by(4).map(digit);
    digits.map(|digit| char::from_digit(digit, 16).expect("four bits are a digit")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn bits_are_digits() {
        assert_eq!(super::bits(5, |at| at == 0 || at == 4), "88");
        assert_eq!(super::bits(3, |_| true), "e");
        assert_eq!(super::bits(0, |_| true), "");
    }
}
