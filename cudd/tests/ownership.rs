//! Ownership and failure of the wrapper, with a real libcudd.
//!
//! That the operations compute what they should is tested by the main crate,
//! with one suite for all backends (`tests/diagrams.rs` there).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(not(libcudd))]
#[test]
#[ignore = "no libcudd: eval \"$(.ci/cudd)\" first"]
fn libcudd() {}

#[cfg(libcudd)]
mod with_libcudd {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use lwaa_cudd::{Bdd, Exhausted, Manager};

    fn manager(capacity: usize, n_variables: usize) -> Manager {
        let manager = Manager::with_capacity(capacity).unwrap();
        manager.grow_to(n_variables).unwrap();
        manager
    }

    /// The exclusive or of all variables, one node after the other.
    fn parity(manager: &Manager) -> Result<Bdd, Exhausted> {
        (0..manager.n_variables()).rev().try_fold(manager.constant(false), |f, index| {
            let variable = manager.variable(index)?;
            variable.ite(&f.not(), &f)
        })
    }

    fn panics<T>(action: impl FnOnce() -> T) -> bool {
        catch_unwind(AssertUnwindSafe(action)).is_err()
    }

    #[test]
    fn no_reference_is_left_when_all_functions_are_dropped() {
        let manager = manager(1000, 20);
        let f = parity(&manager).unwrap();
        let cube = manager.cube([(3, true), (7, false)].into_iter()).unwrap();
        let g = f.cofactor(&cube).unwrap().or(&f).unwrap();
        let low = g.root().branch().unwrap().1.to_bdd();
        assert!(0 < manager.n_nodes() && 0 < manager.n_leaked());
        drop((f, cube, g, low));
        assert_eq!((manager.n_nodes(), manager.n_leaked()), (0, 0));
    }

    #[test]
    fn no_reference_is_left_by_an_operation_that_fails() {
        let manager = manager(5000, 60);
        for _ in 0..3 {
            let pairs = (0..30).try_fold(manager.constant(false), |f, index| {
                let (x, y) = (manager.variable(index)?, manager.variable(index + 30)?);
                f.or(&x.and(&y)?)
            });
            assert!(pairs.is_err());
            assert_eq!((manager.n_nodes(), manager.n_leaked()), (0, 0));
        }
        assert!(parity(&manager).is_ok());
    }

    #[test]
    fn the_capacity_is_a_limit_to_the_node() {
        // Parity has one node for each variable, and that of the last variable
        // is not counted.
        assert!(parity(&manager(29, 30)).is_ok());
        assert!(parity(&manager(28, 30)).is_err());
    }

    #[test]
    fn functions_keep_their_manager_alive() {
        let f = parity(&manager(1000, 10)).unwrap();
        let copy = f.clone();
        assert!(f == copy && f != f.not());
        let manager = f.manager().clone();
        drop((f, copy));
        assert_eq!(manager.n_leaked(), 0);
    }

    #[test]
    fn a_cursor_walks_through_the_function_and_its_negation() {
        let manager = manager(1000, 3);
        let f = parity(&manager).unwrap();
        let mut node = f.root();
        for expected in 0..3 {
            let (index, low, high) = node.branch().unwrap();
            assert_eq!(index, expected);
            assert!(low.to_bdd() == high.to_bdd().not());
            node = high;
        }
        assert_eq!(node.value(), Some(true));
        assert!(node.branch().is_none());
        assert_eq!(
            f.not().root().branch().unwrap().2.to_bdd(),
            f.root().branch().unwrap().1.to_bdd()
        );
    }

    #[test]
    fn functions_of_different_managers_do_not_mix() {
        let (one, other) = (manager(1000, 1), manager(1000, 1));
        let (f, g) = (one.variable(0).unwrap(), other.variable(0).unwrap());
        assert!(panics(|| f == g));
        assert!(panics(|| f.and(&g)));
        assert!(panics(|| f.ite(&f, &g)));
        assert!(panics(|| f.implies(&g)));
        assert!(panics(|| f.cofactor(&g)));
    }

    #[test]
    fn a_caller_who_is_wrong_is_told_so() {
        let manager = manager(1000, 2);
        let (x, y) = (manager.variable(0).unwrap(), manager.variable(1).unwrap());
        assert!(panics(|| manager.variable(2)));
        assert!(panics(|| x.cofactor(&manager.constant(false))));
        assert!(panics(|| x.cofactor(&x.ite(&y, &y.not()).unwrap())));
        assert!(panics(|| x.exists(&x.not())));
        assert!(panics(|| x.exists(&x.or(&y).unwrap())));
        assert_eq!(x.and(&y), y.and(&x));
    }

    #[test]
    fn memory_that_the_system_refuses_is_exhausted() {
        assert!(Manager::with_capacity(usize::MAX).is_err());
        let manager = manager(1000, 1);
        assert_eq!(manager.grow_to(1 << 40), Err(Exhausted));
        assert_eq!(manager.n_variables(), 1);
    }
}
