//! One conformance suite for all backends of decision diagrams.
//!
//! A backend joins by one line at the end of the file. The oracle is a truth
//! table: a function of seven variables is the number whose bit `a` tells its
//! value under the assignment `a`, and bit `i` of `a` is variable `i`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use lwaa::bdd::{Branch, Diagrams, OutOfMemory, VariableId};
use lwaa::id::Id;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

type Table = u128;

const N_VARIABLES: usize = 7;

/// One operation on functions that are there already; numbers are taken modulo
/// their number, and bit `i` of a set stands for variable `i`.
#[derive(Clone, Debug)]
enum Step {
    Constant(bool),
    Variable(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Ite(usize, usize, usize),
    Exists { f: usize, variables: usize },
    AndExists { f: usize, g: usize, variables: usize },
}

fn step() -> impl Strategy<Value = Step> {
    let f = || 0..64_usize;
    let set = || 0..1_usize << N_VARIABLES;
    prop_oneof![
        1 => any::<bool>().prop_map(Step::Constant),
        4 => (0..N_VARIABLES).prop_map(Step::Variable),
        3 => f().prop_map(Step::Not),
        4 => (f(), f()).prop_map(|(f, g)| Step::And(f, g)),
        4 => (f(), f()).prop_map(|(f, g)| Step::Or(f, g)),
        4 => (f(), f(), f()).prop_map(|(f, g, h)| Step::Ite(f, g, h)),
        2 => (f(), set()).prop_map(|(f, variables)| Step::Exists { f, variables }),
        3 => (f(), f(), set())
            .prop_map(|(f, g, variables)| Step::AndExists { f, g, variables }),
    ]
}

fn members(set: usize) -> Vec<usize> {
    (0..N_VARIABLES).filter(|i| set >> i & 1 == 1).collect()
}

fn ids(set: usize) -> Vec<VariableId> {
    members(set).into_iter().map(VariableId::new).collect()
}

/// The table of the function that `value` describes.
fn tabulate(value: impl Fn(usize) -> bool) -> Table {
    (0..1 << N_VARIABLES).filter(|&a| value(a)).map(|a| 1 << a).sum()
}

fn table_restrict(f: Table, variables: usize, values: usize) -> Table {
    tabulate(|a| f >> (a & !variables | values & variables) & 1 == 1)
}

fn table_exists(f: Table, variables: usize) -> Table {
    members(variables)
        .into_iter()
        .fold(f, |f, i| table_restrict(f, 1 << i, 0) | table_restrict(f, 1 << i, usize::MAX))
}

/// The table of `f`, by walking through its diagram.
fn table_of<D: Diagrams>(diagrams: &D, f: &D::Function) -> Table {
    tabulate(|a| {
        let mut f = f.clone();
        let mut last = None;
        loop {
            match diagrams.branch(&f) {
                Branch::Constant(value) => return value,
                Branch::Node { variable, low, high } => {
                    assert!(last < Some(variable), "{variable:?} below {last:?}");
                    assert!(low != high, "a node must matter");
                    last = Some(variable);
                    f = if a >> variable.index() & 1 == 1 { high } else { low };
                }
            }
        }
    })
}

/// Does `step` in both worlds.
fn perform<D: Diagrams>(
    diagrams: &D,
    pool: &[(D::Function, Table)],
    step: &Step,
) -> Result<(D::Function, Table), OutOfMemory> {
    let at = |index: usize| &pool[index % pool.len()];
    Ok(match *step {
        Step::Constant(value) => (diagrams.constant(value), if value { Table::MAX } else { 0 }),
        Step::Variable(i) => {
            (diagrams.variable(VariableId::new(i))?, tabulate(|a| a >> i & 1 == 1))
        }
        Step::Not(f) => (diagrams.not(&at(f).0)?, !at(f).1),
        Step::And(f, g) => (diagrams.and(&at(f).0, &at(g).0)?, at(f).1 & at(g).1),
        Step::Or(f, g) => (diagrams.or(&at(f).0, &at(g).0)?, at(f).1 | at(g).1),
        Step::Ite(f, g, h) => {
            let ((f, f_table), (g, g_table), (h, h_table)) = (at(f), at(g), at(h));
            (diagrams.ite(f, g, h)?, f_table & g_table | !f_table & h_table)
        }
        Step::Exists { f, variables } => {
            let (f, table) = at(f);
            (diagrams.exists(f, &ids(variables))?, table_exists(*table, variables))
        }
        Step::AndExists { f, g, variables } => {
            let ((f, f_table), (g, g_table)) = (at(f), at(g));
            let result = diagrams.and_exists(f, g, &ids(variables))?;
            (result, table_exists(f_table & g_table, variables))
        }
    })
}

/// The constant true, and the variables for which there is room.
fn first_functions<D: Diagrams>(diagrams: &D) -> Vec<(D::Function, Table)> {
    let mut pool = vec![(diagrams.constant(true), Table::MAX)];
    for i in 0..N_VARIABLES {
        pool.extend(perform(diagrams, &pool, &Step::Variable(i)));
    }
    pool
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn runner() -> TestRunner {
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, seed)
}

/// Every operation agrees with the truth tables, and two functions are equal
/// exactly if their tables are.
fn agrees_with_truth_tables<D: Diagrams>() {
    let programs = prop::collection::vec(step(), 1..60);
    let checked = runner().run(&programs, |program| {
        let mut diagrams = D::with_capacity(1 << 12).unwrap();
        diagrams.grow_to(N_VARIABLES).unwrap();
        let mut pool = first_functions(&diagrams);
        for step in &program {
            let (f, table) = perform(&diagrams, &pool, step).unwrap();
            prop_assert_eq!(table_of(&diagrams, &f), table, "{:?}", step);
            for (g, g_table) in &pool {
                prop_assert_eq!(&f == g, table == *g_table, "equality after {:?}", step);
                prop_assert!(&f != g || hash_of(&f) == hash_of(g), "hash after {:?}", step);
                let implies = diagrams.implies(&f, g).unwrap();
                prop_assert_eq!(implies, table & !g_table == 0, "implies after {:?}", step);
            }
            pool.push((f, table));
        }
        drop(pool);
        prop_assert_eq!(diagrams.n_referenced(), 0);
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

/// The disjunction of `x_i & x_{i+n}` for every `step`th i from `first` to n,
/// which takes two nodes to the power of the number of its members, since all
/// first halves come before all second ones.
fn pairs<D: Diagrams>(
    diagrams: &D,
    n: usize,
    first: usize,
    step: usize,
) -> Result<D::Function, OutOfMemory> {
    let mut sum = diagrams.constant(false);
    for i in (first..n).step_by(step) {
        let left = diagrams.variable(VariableId::new(i))?;
        let right = diagrams.variable(VariableId::new(i + n))?;
        sum = diagrams.or(&sum, &diagrams.and(&left, &right)?)?;
    }
    Ok(sum)
}

/// The disjunction of all `x_i & x_{i+n}`.
fn all_pairs<D: Diagrams>(diagrams: &D, n: usize) -> Result<D::Function, OutOfMemory> {
    pairs(diagrams, n, 0, 1)
}

/// Full diagrams say so by a value, keep what there was, and work again.
fn running_out_of_memory_is_a_value<D: Diagrams>() {
    let mut diagrams = D::with_capacity(1000).unwrap();
    diagrams.grow_to(40).unwrap();
    for round in 0..5 {
        let small = all_pairs(&diagrams, 4).unwrap();
        let n_before = diagrams.n_referenced();
        assert_eq!(all_pairs(&diagrams, 16), Err(OutOfMemory), "round {round}");
        assert_eq!(diagrams.n_referenced(), n_before, "the failure left nodes behind");
        assert_eq!(all_pairs(&diagrams, 4), Ok(small.clone()), "round {round}");
        assert!(all_pairs(&diagrams, 7).is_ok(), "round {round}");
        drop(small);
        assert_eq!(diagrams.n_referenced(), 0);
    }
}

/// An operation whose result is a hundred times too large is given up early,
/// and leaves nothing behind.
fn a_single_operation_may_be_too_large<D: Diagrams>() {
    let n = 20;
    let mut diagrams = D::with_capacity(10_000).unwrap();
    diagrams.grow_to(2 * n).unwrap();
    let [even, odd] = [0, 1].map(|first| pairs(&diagrams, n, first, 2).unwrap());
    let [not_even, not_odd] = [&even, &odd].map(|f| diagrams.not(f).unwrap());
    let n_before = diagrams.n_referenced();
    let nothing = diagrams.constant(false);
    for _ in 0..3 {
        assert_eq!(diagrams.or(&even, &odd), Err(OutOfMemory));
        assert_eq!(diagrams.and(&not_even, &not_odd), Err(OutOfMemory));
        assert_eq!(diagrams.ite(&not_even, &odd, &not_odd), Err(OutOfMemory));
        let last = [VariableId::new(2 * n - 1)];
        assert_eq!(diagrams.and_exists(&not_even, &not_odd, &last), Err(OutOfMemory));
        assert_eq!(diagrams.n_referenced(), n_before);
        assert_eq!(diagrams.and(&even, &not_even), Ok(nothing.clone()));
    }
}

/// However few nodes there are, a result is right or there is none.
fn is_right_or_out_of_memory_at_any_capacity<D: Diagrams>() {
    let programs = (0..40_usize, prop::collection::vec(step(), 1..60));
    let n_done = Cell::new(0);
    let n_refused = Cell::new(0);
    let checked = runner().run(&programs, |(capacity, program)| {
        let mut diagrams = D::with_capacity(capacity).unwrap();
        diagrams.grow_to(N_VARIABLES).unwrap();
        let mut pool = first_functions(&diagrams);
        for step in &program {
            let Ok((f, table)) = perform(&diagrams, &pool, step) else {
                n_refused.set(n_refused.get() + 1);
                continue;
            };
            n_done.set(n_done.get() + 1);
            prop_assert_eq!(table_of(&diagrams, &f), table, "{:?}", step);
            pool.push((f, table));
        }
        drop(pool);
        prop_assert_eq!(diagrams.n_referenced(), 0);
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(100 < n_done.get() && 100 < n_refused.get(), "{n_done:?} done, {n_refused:?} refused");
}

/// Functions that were dropped make room for others.
fn garbage_is_collected<D: Diagrams>() {
    let mut diagrams = D::with_capacity(400).unwrap();
    diagrams.grow_to(N_VARIABLES).unwrap();
    let mut pool = first_functions(&diagrams);
    let mut runner = runner();
    for _ in 0..20_000 {
        let step = step().new_tree(&mut runner).unwrap().current();
        let result = perform(&diagrams, &pool, &step).expect("eight functions fit");
        pool.remove(0);
        pool.push(result);
    }
    for (f, table) in &pool {
        assert_eq!(table_of(&diagrams, f), *table);
    }
}

/// New variables come below all others, and old functions stay what they are.
fn variables_can_be_added<D: Diagrams>() {
    let mut diagrams = D::with_capacity(1000).unwrap();
    assert_eq!(diagrams.n_variables(), 0);
    assert_eq!(diagrams.branch(&diagrams.constant(true)), Branch::Constant(true));
    diagrams.grow_to(2).unwrap();
    let [x, y] = [0, 1].map(|i| diagrams.variable(VariableId::new(i)).unwrap());
    let f = diagrams.and(&x, &y).unwrap();
    diagrams.grow_to(1).unwrap();
    assert_eq!(diagrams.n_variables(), 2);
    diagrams.grow_to(300).unwrap();
    assert_eq!(diagrams.n_variables(), 300);
    assert_eq!(diagrams.and(&x, &y), Ok(f.clone()));
    let last = VariableId::new(299);
    let g = diagrams.or(&f, &diagrams.variable(last).unwrap()).unwrap();
    let Branch::Node { variable, low, high } = diagrams.branch(&g) else { panic!("{g:?}") };
    assert_eq!(variable, VariableId::new(0));
    assert_eq!(diagrams.branch(&low), diagrams.branch(&diagrams.variable(last).unwrap()));
    assert_eq!(diagrams.exists(&low, &[last]), Ok(diagrams.constant(true)));
    assert_ne!(high, low);
}

/// Variables do not take the room of nodes.
fn there_may_be_more_variables_than_nodes<D: Diagrams>() {
    let mut diagrams = D::with_capacity(10).unwrap();
    diagrams.grow_to(5000).unwrap();
    assert_eq!(diagrams.n_referenced(), 0);
    let [x, y] = [17, 4999].map(|i| diagrams.variable(VariableId::new(i)).unwrap());
    assert!(diagrams.and(&x, &y).is_ok());
    assert!(diagrams.and(&x, &diagrams.not(&y).unwrap()).is_ok());
}

/// A package has nothing of one that was before, even if that has left a
/// function behind.
fn a_new_package_is_empty<D: Diagrams>() {
    for n_variables in [2, 4, 6, 8] {
        let mut diagrams = D::with_capacity(100).unwrap();
        assert_eq!((diagrams.n_variables(), diagrams.n_referenced()), (0, 0));
        diagrams.grow_to(n_variables).unwrap();
        let f = all_pairs(&diagrams, n_variables / 2).unwrap();
        let constant = diagrams.constant(true);
        drop(diagrams);
        let diagrams = D::with_capacity(100).unwrap();
        assert_eq!((diagrams.n_variables(), diagrams.n_referenced()), (0, 0));
        drop((f, constant));
        assert_eq!(diagrams.capacity(), 100);
    }
}

/// The reference count counts the nodes of diagrams that exist, once each.
fn references_are_counted<D: Diagrams>() {
    let mut diagrams = D::with_capacity(1000).unwrap();
    diagrams.grow_to(5).unwrap();
    assert_eq!(diagrams.n_referenced(), 0);
    let mut f = diagrams.constant(true);
    for id in ids(0b11111) {
        f = diagrams.and(&f, &diagrams.variable(id).unwrap()).unwrap();
    }
    assert_eq!(diagrams.n_referenced(), 5);
    let copies = (f.clone(), f.clone());
    assert_eq!(diagrams.n_referenced(), 5);
    drop(f);
    assert_eq!(diagrams.n_referenced(), 5);
    let rest = diagrams.exists(&copies.0, &ids(0b00111)).unwrap();
    drop(copies);
    assert_eq!(diagrams.n_referenced(), 2);
    drop(rest);
    assert_eq!(diagrams.n_referenced(), 0);
    let _constant = diagrams.constant(false);
    assert_eq!(diagrams.n_referenced(), 0);
}

/// A function can be compared, copied and dropped when its package is gone.
fn functions_outlive_their_package<D: Diagrams>() {
    let (f, g) = {
        let mut diagrams = D::with_capacity(1000).unwrap();
        diagrams.grow_to(8).unwrap();
        (all_pairs(&diagrams, 4).unwrap(), all_pairs(&diagrams, 2).unwrap())
    };
    let by_function = HashMap::from([(f.clone(), 4), (g.clone(), 2)]);
    assert_eq!(by_function.get(&f), Some(&4));
    assert_ne!(f, g);
    assert_ne!(format!("{f:?}"), format!("{g:?}"));
}

/// Recursion through very many variables does not overflow the stack, which
/// in a test is small.
fn diagrams_may_be_deep<D: Diagrams>() {
    let n = 20_000;
    let mut diagrams = D::with_capacity(10 * n).unwrap();
    diagrams.grow_to(n).unwrap();
    let cube = |first: usize, step: usize| {
        let variables = (first..n).step_by(step).rev();
        variables.map(VariableId::new).fold(diagrams.constant(true), |f, id| {
            diagrams.and(&diagrams.variable(id).unwrap(), &f).unwrap()
        })
    };
    let (all, even, odd) = (cube(0, 1), cube(0, 2), cube(1, 2));
    assert_eq!(diagrams.and(&even, &odd), Ok(all.clone()));
    assert_eq!(diagrams.implies(&all, &even), Ok(true));
    assert_eq!(diagrams.implies(&even, &all), Ok(false));
    assert_eq!(diagrams.ite(&even, &odd, &all), Ok(all.clone()));
    let [not_even, not_odd] = [&even, &odd].map(|f| diagrams.not(f).unwrap());
    let not_all = diagrams.or(&not_even, &not_odd).unwrap();
    assert_eq!(diagrams.not(&all), Ok(not_all));
    let last = VariableId::new(n - 1);
    let but_last = diagrams.exists(&all, &[last]).unwrap();
    assert_eq!(diagrams.and_exists(&even, &odd, &[last]), Ok(but_last));
    let ids: Vec<_> = (0..n).map(VariableId::new).collect();
    assert_eq!(diagrams.exists(&all, &ids), Ok(diagrams.constant(true)));
}

/// What no machine has is refused.
fn absurd_sizes_are_refused<D: Diagrams>() {
    assert!(D::with_capacity(usize::MAX).is_err());
    assert!(D::with_capacity(1 << 40).is_err());
    let mut diagrams = D::with_capacity(10).unwrap();
    assert_eq!(diagrams.grow_to(usize::MAX), Err(OutOfMemory));
    assert_eq!(diagrams.grow_to(1 << 33), Err(OutOfMemory));
    assert_eq!(diagrams.n_variables(), 0);
    diagrams.grow_to(2).unwrap();
    assert!(all_pairs(&diagrams, 1).is_ok());
    assert!(D::with_capacity(0).is_ok());
}

/// Packages of different threads do not disturb each other.
fn threads_may_have_their_own_packages<D: Diagrams>() {
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                running_out_of_memory_is_a_value::<D>();
                functions_outlive_their_package::<D>();
            });
        }
    });
}

macro_rules! conformance {
    ($backend:ident: $diagrams:ty, $($behaviour:ident)*) => {
        mod $backend {
            $(#[test]
            fn $behaviour() {
                super::$behaviour::<$diagrams>();
            })*
        }
    };
    ($backend:ident: $diagrams:ty) => {
        conformance! {
            $backend: $diagrams,
            agrees_with_truth_tables
            running_out_of_memory_is_a_value
            a_single_operation_may_be_too_large
            is_right_or_out_of_memory_at_any_capacity
            garbage_is_collected
            variables_can_be_added
            there_may_be_more_variables_than_nodes
            a_new_package_is_empty
            references_are_counted
            functions_outlive_their_package
            diagrams_may_be_deep
            absurd_sizes_are_refused
            threads_may_have_their_own_packages
        }
    };
}

conformance!(oxidd: lwaa::bdd::oxidd::OxiddDiagrams);

#[cfg(feature = "cudd")]
conformance!(cudd: lwaa::bdd::cudd::CuddDiagrams);

#[cfg(not(feature = "cudd"))]
#[test]
#[ignore = "not compiled in: eval \"$(.ci/cudd)\" && cargo test --features cudd"]
fn cudd() {}
