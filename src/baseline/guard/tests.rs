//! Cubes against truth tables.

use super::*;
use crate::id::Id;
use crate::testbench::Random;
use crate::word::{AtomId, Letter};

fn atom(number: usize) -> Label {
    Label::leaf(Proposition::Atom(AtomId::new(number)))
}

fn xor(a: &Label, b: &Label) -> Label {
    a.clone().and(!b.clone()).or((!a.clone()).and(b.clone()))
}

/// Random expressions, on all letters.
#[test]
fn cubes_allow_what_the_expression_allows() {
    let mut random = Random::new(14);
    for _ in 0..2000 {
        let mut open: Vec<Label> = (0..6).map(|_| atom(random.below(4))).collect();
        open.push(Label::leaf(Proposition::Constant(random.coin())));
        while let [.., _, _] = open[..] {
            let right = open.swap_remove(random.below(open.len()));
            let left = open.swap_remove(random.below(open.len()));
            let left = if random.coin() { !left } else { left };
            open.push(if random.coin() { left.and(right) } else { left.or(right) });
        }
        let cubes = cubes(&open[0]).unwrap();
        for bits in 0..16_usize {
            let letter: Letter =
                (0..4).filter(|atom| bits >> atom & 1 == 1).map(AtomId::new).collect();
            let expected = open[0].evaluate(
                |leaf| match *leaf {
                    Proposition::Constant(value) => value,
                    Proposition::Atom(atom) => letter.contains(atom),
                    Proposition::Alias(_) => unreachable!(),
                },
                |a| !a,
                |a, b| a & b,
                |a, b| a | b,
            );
            assert_eq!(cubes.iter().any(|cube| cube.allows(&letter)), expected, "{open:?}");
        }
    }
}

#[test]
fn there_is_a_limit() {
    let parity = |n: usize| (1..n).fold(atom(0), |label, number| xor(&label, &atom(number)));
    assert_eq!(cubes(&parity(11)).unwrap().len(), 1024);
    assert_eq!(cubes(&parity(14)), Err(TooManyCubes));
}
