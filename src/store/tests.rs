//! Both stores against each other.

use super::{StateId, StateStore, Store, StoreKind};
use crate::id::Id;
use crate::testbench::Random;

/// Random walks with few changes at a time: both stores number the states
/// alike and give them back.
#[test]
fn both_stores_number_alike() {
    for n_words in [1, 2, 3, 5, 16, 17, 40] {
        let mut exact = Store::new(StoreKind::Exact, n_words);
        let mut tree = Store::new(StoreKind::Tree, n_words);
        let mut random = Random::new(7);
        let mut state = vec![0; n_words];
        let mut loaded = vec![0; n_words];
        for _ in 0..2000 {
            let known = exact.find(&state);
            assert_eq!(tree.find(&state), known);
            let id = exact.intern(&state).unwrap();
            assert_eq!(known.unwrap_or(id), id);
            assert_eq!(tree.intern(&state), Ok(id));
            assert_eq!(tree.intern(&state), Ok(id));
            tree.load(id, &mut loaded);
            assert_eq!(loaded, state);
            if random.chance(0.3) {
                let earlier = StateId::new(random.below(exact.len()));
                exact.load(earlier, &mut state);
                tree.load(earlier, &mut loaded);
                assert_eq!(loaded, state);
            }
            state[random.below(n_words)] = (random.below(3) as u64) << (20 * random.below(3));
        }
        assert_eq!(tree.len(), exact.len());
    }
}
