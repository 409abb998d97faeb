//! Tests of the families on small numbers, where the formula is known.

use super::*;
use crate::id::Id;
use crate::ltl::semantics::holds;
use crate::word::{AtomId, Lasso, Letter};

fn formula(name: &str, n: usize) -> Formula {
    find(name).unwrap().formula(n).unwrap()
}

#[track_caller]
fn check(name: &str, n: usize, expected: &str) {
    assert_eq!(formula(name, n), Formula::parse(expected).unwrap(), "{name} {n}");
}

#[test]
fn chains() {
    check("and-f", 1, "F p1");
    check("and-gf", 3, "GF p1 & GF p2 & GF p3");
    check("or-fg", 2, "FG p1 | FG p2");
    check("S", 2, "G p1 | G p2");
    check("gh-q", 2, "(F p1 | G p2) & (F p2 | G p3)");
    check("Q", 2, "F p1 | G p2");
    check("R", 3, "(GF p1 | FG p2) & (GF p2 | FG p3)");
    check("u-left", 3, "(p1 U p2) U p3");
    check("U2", 3, "p1 U p2 U p3");
    check("r-right", 1, "p1");
}

#[test]
fn nests() {
    check("ccj-alpha", 2, "F(p1 & F p2) & F(q1 & F q2)");
    check("ccj-beta", 3, "F(p & X(p & X p)) & F(q & X(q & X q))");
    check("ccj-beta-prime", 3, "F(p & X p & XX p) & F(q & X q & XX q)");
    check("fxg-or", 2, "F(p0 | XG(p1 | XG p2))");
    check("gxf-and", 0, "G p0");
    check("sejk-f", 1, "GF a1 U G(GF a0 U b)");
    check("tv-f1", 3, "G(p -> q | X q | XX q)");
    check("tv-g2", 3, "G(p -> q & X(q & X q))");
    check("tv-uu", 2, "G(p1 -> p1 U p2)");
    check("tv-uu", 3, "G(p1 -> p1 U (p2 & p2 U p3))");
}

#[test]
fn fairness() {
    check("go-theta", 1, "!(GF p1 -> G(q -> F r))");
    check("ms-phi-h", 2, "FG(a | b) | FG(!a | X b) | FG(a | XX b)");
    check("gf-equiv", 2, "GF a1 & GF a2 <-> GF z");
    check("gf-implies-xn", 2, "GF(a -> XX a)");
    check("sejk-j", 2, "GF a1 & GF a2 -> GF b1 & GF b2");
    check("sejk-k", 1, "GF a1 | FG b1");
    check("sf-all-enabled-sat", 1, "(GF e1 -> GF t1) & GF e1");
    check("sf-chain-unsat", 2, "(GF e1 -> GF e2) & (GF e2 -> GF e3) & GF e1 & FG !e3");
    check("sf-response-violable-sat", 1, "(GF e1 -> GF t1) & !G(q -> F r)");
    check("wf-starve-last-unsat", 1, "(FG e1 -> GF t1) & FG e1 & FG !t1");
}

#[test]
fn counters_of_two_bits() {
    let beginning = "a & G(a -> X !a & XX a) & !b & X !b";
    let same = "!a & (b -> XX b) & (!b -> XX !b)";
    check(
        "counter",
        2,
        &format!(
            "{beginning} & G(a & !b -> XX b & X(({same}) U a)) \
             & G(a & b -> XX !b & X((b & !a & XX !b) U (a | !a & !b & XX b & X(({same}) U a))))"
        ),
    );
    check(
        "counter-carry",
        2,
        &format!(
            "{beginning} & G(a & !b -> !c & XX b) & G(a & b -> c & XX !b) \
             & G(!c & X !a -> X !c & (X b -> XXX b) & (X !b -> XXX !b)) \
             & G(c -> (X !b -> X !c & XXX b) & (X b -> X c & XXX !b))"
        ),
    );
}

/// The word that an `n`-bit counter describes.
fn count(formula: &Formula, n: usize) -> Lasso<Letter> {
    let [a, b, c] = ["a", "b", "c"].map(|name| formula.atoms().find(name));
    let mut letters: Vec<Letter> = Vec::new();
    for number in 0..1_usize << n {
        for place in 0..n {
            let mut letter = Letter::new();
            let mut set = |atom: Option<AtomId>, value| {
                if let Some(atom) = atom {
                    letter.set(atom, value);
                }
            };
            set(a, place == 0);
            set(b, number >> place & 1 == 1);
            // There is a carry as long as all bits so far are ones.
            set(c, (number + 1).trailing_zeros() as usize > place);
            letters.push(letter);
        }
    }
    Lasso::new(vec![], letters).unwrap()
}

#[test]
fn counters_count() {
    for name in ["counter", "counter-linear", "counter-carry", "counter-carry-linear"] {
        for n in 1..6 {
            let formula = formula(name, n);
            let word = count(&formula, n);
            assert!(holds(&formula, &word), "{name} {n}");
            // Any single wrong bit is noticed.
            for position in 0..word.n_positions() {
                let mut letters = word.cycle().to_vec();
                let b = formula.atoms().find("b").unwrap();
                let bit = letters[position].contains(b);
                letters[position].set(b, !bit);
                let wrong = Lasso::new(vec![], letters).unwrap();
                assert!(!holds(&formula, &wrong), "{name} {n} at {position}");
            }
        }
    }
}

#[test]
fn verdicts_are_right_where_the_model_is_simple() {
    for family in FAMILIES.iter().filter(|family| !family.name.starts_with("counter")) {
        for n in family.minimum..family.minimum + 3 {
            let formula = family.formula(n).unwrap();
            let n_atoms = formula.atoms().len();
            let all: Letter = (0..n_atoms).map(AtomId::new).collect();
            let all_but = |name: &str| {
                all.iter().filter(|&atom| formula.atoms().name(atom) != name).collect()
            };
            let words = [
                Lasso::new(vec![], vec![all.clone()]).unwrap(),
                Lasso::new(vec![], vec![all_but("r")]).unwrap(),
            ];
            let satisfied = words.iter().any(|word| holds(&formula, word));
            assert_eq!(satisfied, family.satisfiable, "{} {n}", family.name);
        }
    }
}

#[test]
fn the_table_is_sorted_and_described() {
    assert!(FAMILIES.is_sorted_by(|one, other| one.name < other.name));
    for family in FAMILIES {
        assert!(!family.description.is_empty());
        assert!(family.name.contains("unsat") != family.satisfiable);
        assert!(family.minimum == 0 || family.formula(family.minimum - 1).is_err());
    }
}

#[test]
fn numbers_out_of_range() {
    let error = find("Q").unwrap().formula(1).unwrap_err();
    assert_eq!(error.to_string(), "the family Q is for numbers from 2 to 10000000, not 1");
    assert!(find("Q").unwrap().formula(Family::MAXIMUM + 1).is_err());
    assert!(find("q").is_none());
}

#[test]
fn all_families_are_linear() {
    for family in FAMILIES {
        let [small, large] = [100, 200].map(|n| family.formula(n).unwrap().n_terms());
        assert!(large <= 2 * small + 10, "{}: {small}, {large}", family.name);
    }
    assert!(1_000_000 < formula("tv-f1", 1_000_000).n_terms());
    assert!(100_000 < formula("counter-carry", 100_000).n_terms());
}
