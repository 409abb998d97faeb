//! Steps under early and late letters.

use super::*;
use crate::configuration::{ConfigId, ConfigurationGraph, Labels};
use crate::{Formula, Lwaa, bdd};

#[test]
fn late_letters_have_the_steps_of_early_ones() {
    let formula = Formula::parse("G (a -> X b) & F c").unwrap();
    let lwaa = Lwaa::from_formula(&formula);
    let mut graph: ConfigurationGraph<'_, bdd::Default> =
        ConfigurationGraph::new(&lwaa, Labels::Exact, usize::MAX, 1 << 16);
    let configs = [graph.initial_configuration(), ConfigId::new(0)];
    let mut early = Letters::new(3);
    let mut late = Letters { max_early: 0, ..Letters::new(3) };
    for bits in (0..8).chain(0..8) {
        for config in configs {
            let [one, other] = [&mut early, &mut late].map(|letters| {
                let letter = letters.letter(&[bits]);
                letters.step(config, letter, &mut graph)
            });
            assert_eq!(one, other);
        }
    }
}
