//! Tests of the oracle: hand-made words for every operator, and a second
//! definition that is slow and plain.

use super::*;
use proptest::prelude::*;

/// The word written like `ab,,(a,b)`: letters as lists of one-letter atoms,
/// the cycle in parentheses.
fn word(formula: &Formula, text: &str) -> Lasso<Letter> {
    let letters = |part: &str| -> Vec<Letter> {
        let letter = |atoms: &str| {
            let atoms = atoms.split("").filter(|atom| !atom.is_empty() && *atom != "-");
            atoms.filter_map(|atom| formula.atoms().find(atom)).collect()
        };
        part.split(',').filter(|letter| !letter.is_empty()).map(letter).collect()
    };
    let (prefix, cycle) = text.strip_suffix(')').unwrap().split_once('(').unwrap();
    Lasso::new(letters(prefix), letters(cycle)).unwrap()
}

/// `expected` has a character per position: `1` where `formula` is true.
#[track_caller]
fn check(formula: &str, on: &str, expected: &str) {
    let formula = Formula::parse(formula).unwrap();
    let word = word(&formula, on);
    let truth = truth(&formula, &word);
    let found: String = (0..word.n_positions())
        .map(|position| if truth.at(formula.root(), position) { '1' } else { '0' })
        .collect();
    assert_eq!(found, expected, "{formula} on {on}");
    assert_eq!(holds(&formula, &word), expected.starts_with('1'));
}

#[test]
fn constants_and_atoms() {
    check("true", "-(-)", "11");
    check("false", "-(-)", "00");
    check("a", "a,-(-,a)", "1001");
    check("a", "(b)", "0");
}

#[test]
fn boolean_operators() {
    check("!a", "-,a(b,ab)", "1010");
    check("a & b", "-,a(b,ab)", "0001");
    check("a | b", "-,a(b,ab)", "0111");
    check("a ^ b", "-,a(b,ab)", "0110");
    check("a -> b", "-,a(b,ab)", "1011");
    check("a <-> b", "-,a(b,ab)", "1001");
}

#[test]
fn next() {
    check("X a", "-,a(-,a)", "1010");
    check("X a", "(a,-)", "01");
    check("X a", "-(a)", "11");
    check("XX a", "a,-,-(a,-)", "01010");
}

#[test]
fn chains_of_next_are_taken_at_once() {
    for (n_prefix, n_cycle) in [(0, 1), (3, 2), (70, 65), (0, 200), (200, 7)] {
        for n_nexts in [1, 2, 63, 64, 65, 150, 500] {
            // The second chain ends inside the first, which must not skip it.
            let chain = "X ".repeat(n_nexts);
            for text in [format!("{chain} a"), format!("{chain} F a & !({chain} X {chain} a)")] {
                let formula = Formula::parse(&text).unwrap();
                let a = formula.atoms().find("a").unwrap();
                let letter = |position: usize| -> Letter {
                    (position.is_multiple_of(3) || position % 7 == 2)
                        .then_some(a)
                        .into_iter()
                        .collect()
                };
                let prefix: Vec<Letter> = (0..n_prefix).map(letter).collect();
                let cycle = (n_prefix..n_prefix + n_cycle).map(letter).collect();
                let word = Lasso::new(prefix, cycle).unwrap();
                // Where every row is kept, none is skipped.
                let expected = truth(&formula, &word).at(formula.root(), 0);
                assert_eq!(holds(&formula, &word), expected, "{n_nexts} X on {word:?}");
            }
        }
    }
}

#[test]
fn finally_and_globally() {
    check("F a", "-,a(-)", "110");
    check("F a", "-,-(-,a)", "1111");
    check("F a", "a,-(a,-)", "1111");
    check("G a", "-,a(a,a)", "0111");
    check("G a", "a,a(a,-)", "0000");
    check("GF a", "-,-(-,a)", "1111");
    check("GF a", "a,a(-)", "000");
    check("FG a", "-(a)", "11");
    check("FG a", "a(a,-)", "000");
}

#[test]
fn until_needs_its_right_side() {
    check("a U b", "a,a,b,-(-)", "11100");
    check("a U b", "a,a(a)", "000");
    check("a U b", "(a,-,b)", "001");
    check("a U b", "(-,b,a)", "010");
    check("a U b", "(b,-,a)", "101");
    check("a U b", "a,-(b)", "001");
}

#[test]
fn weak_until_does_not() {
    check("a W b", "a,a,b,-(-)", "11100");
    check("a W b", "a,a(a)", "111");
    check("a W b", "a,-,a(a)", "0011");
    check("a W b", "(a,-,b)", "001");
    check("a W b", "(a,a,-)", "000");
}

#[test]
fn release_includes_the_position_of_its_left_side() {
    check("a R b", "b,ab,-(-)", "1100");
    check("a R b", "b,a(-)", "000");
    check("a R b", "b,b(b)", "111");
    check("a R b", "(b,b,-)", "000");
    check("a R b", "(ab,-,b)", "101");
}

#[test]
fn strong_release_needs_its_left_side() {
    check("a M b", "b,ab,-(-)", "1100");
    check("a M b", "b,b(b)", "000");
    check("a M b", "(ab,-,b)", "101");
    check("a M b", "(b,ab)", "11");
}

#[test]
fn positions_beyond_one_machine_word() {
    let n = 200;
    let a = "a,".repeat(n);
    check("a U b", &format!("{a}b(-)"), &("1".repeat(n + 1) + "0"));
    check("a U b", &format!("{a}(-)"), &"0".repeat(n + 1));
    check("G a", &format!("({a})"), &"1".repeat(n));
    check("G a", &format!("{a}-({a})"), &("0".repeat(n + 1) + &"1".repeat(n)));
    check("F b", &format!("b({a})"), &("1".to_owned() + &"0".repeat(n)));
    check("X b", &format!("({a}b)"), &("0".repeat(n - 1) + "10"));
    check("X b", &format!("(b,{a})"), &("0".repeat(n) + "1"));
    check("a W b", &format!("{}(a)", "a,".repeat(63)), &"1".repeat(64));
}

/// The definition of truth at a position, looking ahead as far as there is
/// anything new: every distinct position comes within one turn of the lasso.
fn slow(formula: &Formula, word: &Lasso<Letter>, term: TermId, position: usize) -> bool {
    let at = |term, position| slow(formula, word, term, position);
    let ahead = || {
        let mut position = position;
        (0..word.n_positions()).map(move |_| {
            let now = position;
            position = word.next(now);
            now
        })
    };
    // Whether `b` comes, with `a` at all positions before it.
    let until =
        |a: TermId, b: TermId| ahead().find(|&i| at(b, i) || !at(a, i)).is_some_and(|i| at(b, i));
    let always = |a: TermId| ahead().all(|i| at(a, i));
    // Whether `b` holds up to a position where `a` holds as well.
    let release = |a: TermId, b: TermId| {
        ahead().find(|&i| at(a, i) || !at(b, i)).is_some_and(|i| at(a, i) && at(b, i))
    };
    match formula.terms().term(term) {
        Term::True => true,
        Term::False => false,
        Term::Atom(atom) => word.at(position).contains(atom),
        Term::Not(a) => !at(a, position),
        Term::And(a, b) => at(a, position) && at(b, position),
        Term::Or(a, b) => at(a, position) || at(b, position),
        Term::Xor(a, b) => at(a, position) != at(b, position),
        Term::Implies(a, b) => !at(a, position) || at(b, position),
        Term::Iff(a, b) => at(a, position) == at(b, position),
        Term::Next(a) => at(a, word.next(position)),
        Term::Finally(a) => ahead().any(|i| at(a, i)),
        Term::Globally(a) => always(a),
        Term::Until(a, b) => until(a, b),
        Term::WeakUntil(a, b) => until(a, b) || always(a),
        Term::Release(a, b) => release(a, b) || always(b),
        Term::StrongRelease(a, b) => release(a, b),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn agrees_with_the_plain_definition(
        operators in prop::collection::vec((0..9usize, any::<u8>(), any::<u8>()), 1..6),
        letters in prop::collection::vec(0..4u8, 1..90),
        cycle in any::<prop::sample::Index>(),
    ) {
        let binary = [
            Term::Until, Term::Release, Term::WeakUntil, Term::StrongRelease,
            Term::Xor, Term::Iff, Term::Implies, |a, _| Term::Next(a), |a, _| Term::Not(a),
        ];
        let mut terms = crate::ltl::Terms::default();
        let mut made = vec![terms.atom("a"), terms.atom("b")];
        for (operator, a, b) in operators {
            let pick = |number: u8| made[usize::from(number) % made.len()];
            made.push(terms.intern(binary[operator](pick(a), pick(b))));
        }
        let formula = Formula::new(terms, *made.last().unwrap());
        let letter = |code: &u8| {
            formula.atoms().iter().filter(|(_, name)| code >> u8::from(*name == "b") & 1 == 1).map(|(id, _)| id).collect()
        };
        let mut prefix: Vec<Letter> = letters.iter().map(letter).collect();
        let cycle = prefix.split_off(cycle.index(letters.len()));
        let word = Lasso::new(prefix, cycle).unwrap();
        let truth = truth(&formula, &word);
        for position in 0..word.n_positions().min(3) {
            prop_assert_eq!(
                truth.at(formula.root(), position),
                slow(&formula, &word, formula.root(), position),
                "{} at {}", formula, position
            );
        }
    }
}

#[test]
fn many_terms_at_many_positions() {
    let mut terms = crate::ltl::Terms::default();
    let atom = terms.atom("a");
    let mut root = atom;
    for index in 0..10_000 {
        let operator = [Term::Until, Term::Release, Term::WeakUntil, Term::And][index % 4];
        let next = terms.intern(Term::Next(root));
        root = terms.intern(operator(next, atom));
    }
    let formula = Formula::new(terms, root);
    let a = formula.atoms().find("a").unwrap();
    let letters = |n: usize| -> Vec<Letter> { vec![Letter::from_iter([a]); n] };
    let word = Lasso::new(letters(5_000), letters(5_000)).unwrap();
    assert!(holds(&formula, &word));
}

#[test]
fn depth_does_not_matter() {
    let formula = Formula::parse(&("X".repeat(1_000_000) + " a")).unwrap();
    let word = word(&formula, "(a,-)");
    assert!(holds(&formula, &word));
}
