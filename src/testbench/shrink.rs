//! A smallest formula on which a translator is still wrong, and a smallest word
//! that shows it.
//!
//! Subformulas are replaced: the whole by a part of it, a part by one of its
//! operands, by `F` or `G` of one or by a constant, an atom by another one. The first replacement that
//! makes the formula smaller and leaves the translator wrong is taken, and all
//! begins again; so the result is a local minimum, the same in every run.

use super::cross_check::short_words;
use super::translator::{Translator, translate};
use crate::baseline::nba::Nba;
use crate::baseline::word_graph::accepts;
use crate::id::IdVec;
use crate::ltl::{Formula, Term, TermId, Terms, semantics};
use crate::search::limits::Budget;
use crate::word::{AtomId, Atoms, Lasso, Letter};

/// How many words are tried for every formula.
const MAX_WORDS: usize = 300;
/// How often a translator may ask for its budget.
const MAX_EFFORT: u64 = 1 << 20;

/// A proof that a translator is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The formula that was translated.
    pub formula: Formula,
    /// A word over its atoms that the automaton should accept but does not, or
    /// should not but does.
    pub word: Lasso<Letter>,
    /// Whether the automaton accepts it. The formula says the contrary.
    pub accepts: bool,
}

/// Makes a proof smaller, with at most `max_tries` translations.
pub fn shrink(
    proof: Proof,
    translator: &dyn Translator,
    max_tries: usize,
    budget: &mut Budget<'_>,
) -> Proof {
    let mut best = proof;
    let mut tries = max_tries;
    while let Some(smaller) = smaller(&best, translator, &mut tries, budget) {
        best = smaller;
    }
    budget.allow_effort(MAX_EFFORT);
    let automaton = translate(translator, &best.formula, best.formula.atoms(), budget);
    if let Ok((automaton, _)) = automaton {
        best = shrink_word(best, &automaton, budget);
    }
    budget.allow_effort(u64::MAX);
    best
}

/// A proof with a smaller formula, if one is found.
fn smaller(
    proof: &Proof,
    translator: &dyn Translator,
    tries: &mut usize,
    budget: &mut Budget<'_>,
) -> Option<Proof> {
    for formula in candidates(&proof.formula) {
        *tries = tries.checked_sub(1)?;
        budget.allow_effort(MAX_EFFORT);
        // A formula that is not translated proves nothing.
        let Ok((automaton, _)) = translate(translator, &formula, formula.atoms(), budget) else {
            continue;
        };
        let known = projected(&proof.word, proof.formula.atoms(), formula.atoms());
        let words = short_words(formula.atoms().len(), MAX_WORDS);
        for word in words.chain([known]) {
            let Ok(accepts) = accepts(&automaton, &word, budget) else { break };
            if accepts != semantics::holds(&formula, &word) {
                return Some(Proof { formula, word, accepts });
            }
        }
    }
    None
}

/// The same word over other atoms, which are found by their names.
fn projected(word: &Lasso<Letter>, from: &Atoms, to: &Atoms) -> Lasso<Letter> {
    let letter = |letter: &Letter| -> Letter {
        letter.iter().filter_map(|atom| to.find(from.name(atom))).collect()
    };
    word.map(letter).shortened()
}

/// What a subformula is replaced by.
#[derive(Clone, Copy, Debug)]
enum Replacement {
    Part(TermId),
    /// `F` or `G` of a part.
    Unary(fn(TermId) -> Term, TermId),
    Constant(bool),
    Atom(AtomId),
}

/// Smaller formulas that are like `formula`, the smallest first.
fn candidates(formula: &Formula) -> Vec<Formula> {
    let terms = formula.terms();
    let mut all: Vec<Formula> = terms.ids().map(|id| Formula::new(terms.clone(), id)).collect();
    for id in terms.ids().rev() {
        let term = terms.term(id);
        let parts = term.children().map(Replacement::Part);
        let unary = term.children().flat_map(|part| {
            let operators: [fn(TermId) -> Term; 2] = [Term::Finally, Term::Globally];
            operators.map(|operator| Replacement::Unary(operator, part))
        });
        let constants = [true, false].map(Replacement::Constant);
        let atoms = formula.atoms().iter().map(|(atom, _)| Replacement::Atom(atom));
        let replacements = parts.chain(constants).chain(unary).chain(atoms);
        all.extend(replacements.map(|replacement| replaced(formula, id, replacement)));
    }
    let size = size(formula);
    let mut sized: Vec<([usize; 3], Formula)> =
        all.into_iter().map(|formula| (self::size(&formula), formula)).collect();
    sized.retain(|(own, _)| *own < size);
    // The sort is stable, so the order is always the same.
    sized.sort_by_key(|&(size, _)| size);
    sized.dedup_by(|one, other| one == other);
    sized.into_iter().map(|(_, formula)| formula).collect()
}

/// The nodes of the syntax tree, those that are not constants, and the atoms.
fn size(formula: &Formula) -> [usize; 3] {
    let mut sizes: IdVec<TermId, [usize; 2]> = IdVec::new();
    for id in formula.terms().ids() {
        let term = formula.terms().term(id);
        let mut own = [1, usize::from(!matches!(term, Term::True | Term::False))];
        for child in term.children() {
            own = [0, 1].map(|part| own[part].saturating_add(sizes[child][part]));
        }
        sizes.push(own);
    }
    let [nodes, others] = sizes[formula.root()];
    [nodes, others, formula.atoms().len()]
}

fn replaced(formula: &Formula, place: TermId, replacement: Replacement) -> Formula {
    let mut terms = Terms::default();
    let mut copies: IdVec<TermId, TermId> = IdVec::new();
    for id in formula.terms().ids() {
        let copy = match (formula.terms().term(id), replacement) {
            (_, Replacement::Part(part)) if id == place => copies[part],
            (_, Replacement::Unary(operator, part)) if id == place => {
                terms.intern(operator(copies[part]))
            }
            (_, Replacement::Constant(value)) if id == place => terms.constant(value),
            (_, Replacement::Atom(atom)) if id == place => terms.atom(formula.atoms().name(atom)),
            (other, _) => terms.intern_copy(other, formula.atoms(), |child| copies[child]),
        };
        copies.push(copy);
    }
    Formula::new(terms, copies[formula.root()])
}

/// Leaves out letters and makes atoms false, as long as the automaton is wrong.
fn shrink_word(proof: Proof, automaton: &Nba, budget: &mut Budget<'_>) -> Proof {
    let Proof { formula, word, accepts: first } = proof;
    let mut is_wrong = |word: &Lasso<Letter>| {
        budget.allow_effort(MAX_EFFORT);
        let accepts = accepts(automaton, word, budget).ok()?;
        (accepts != semantics::holds(&formula, word)).then_some(accepts)
    };
    let mut best = (word, first);
    'again: loop {
        for word in smaller_words(&best.0) {
            if let Some(accepts) = is_wrong(&word) {
                best = (word, accepts);
                continue 'again;
            }
        }
        let (word, accepts) = best;
        return Proof { formula, word, accepts };
    }
}

/// Words with a letter less or a true atom less.
fn smaller_words(word: &Lasso<Letter>) -> Vec<Lasso<Letter>> {
    let mut words = Vec::new();
    let n_prefix = word.prefix().len();
    let all: Vec<Letter> = word.iter().cloned().collect();
    let lasso = |mut letters: Vec<Letter>, n_prefix: usize| {
        let cycle = letters.split_off(n_prefix);
        Lasso::new(letters, cycle)
    };
    for position in 0..all.len() {
        let mut fewer = all.clone();
        fewer.remove(position);
        words.extend(lasso(fewer, n_prefix - usize::from(position < n_prefix)));
    }
    for (position, letter) in all.iter().enumerate() {
        for atom in letter.iter() {
            let mut fewer = all.clone();
            fewer[position].set(atom, false);
            words.extend(lasso(fewer, n_prefix));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::{Limits, Monitor};
    use crate::testbench::translator::{Builtin, Fault};

    /// Takes every X for nothing.
    struct Forgetful;

    impl Translator for Forgetful {
        fn name(&self) -> &'static str {
            "forgetful"
        }

        fn translate(&self, formula: &Formula, budget: &mut Budget<'_>) -> Result<Nba, Fault> {
            let text = formula.to_string().replace("X ", "");
            Builtin::Lwaa.translate(&Formula::parse(&text).unwrap(), budget)
        }
    }

    #[test]
    fn a_forgotten_next_is_all_that_is_left() {
        let formula = Formula::parse("G (p0 -> F (p1 & X !p2)) | (p1 U X X p0)").unwrap();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        let word = short_words(3, 100_000).find(|word| {
            let automaton = translate(&Forgetful, &formula, formula.atoms(), &mut budget).unwrap();
            accepts(&automaton.0, word, &mut budget).unwrap() != semantics::holds(&formula, word)
        });
        let word = word.unwrap();
        let accepts = !semantics::holds(&formula, &word);
        let proof = Proof { formula, word, accepts };
        let proof = shrink(proof, &Forgetful, 1_000, &mut budget);
        let text = proof.formula.to_string();
        assert!(text == "X p0" || text == "X p1" || text == "X p2", "{text}");
        assert_eq!(proof.word.n_positions(), 2);
        assert_eq!(proof.accepts, !semantics::holds(&proof.formula, &proof.word));
    }

    #[test]
    fn candidates_are_smaller_and_end() {
        let mut formula = Formula::parse("(p0 U p1) R G !(p2 <-> X p0)").unwrap();
        let mut n_steps = 0;
        while let Some(candidate) = candidates(&formula).pop() {
            assert!(size(&candidate) < size(&formula));
            formula = candidate;
            n_steps += 1;
        }
        assert!(5 < n_steps);
        assert!(["true", "false"].contains(&formula.to_string().as_str()), "{formula}");
    }
}
