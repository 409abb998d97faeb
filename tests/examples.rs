//! The programs in `examples/` do what they say.
//!
//! They are modules here, so their own tests, which call their `main`, are run with all others.

#[path = "../examples/counterexample.rs"]
mod counterexample;
#[path = "../examples/own_system.rs"]
mod own_system;
#[path = "../examples/satisfiability.rs"]
mod satisfiability;
#[path = "../examples/spin_lock.rs"]
mod spin_lock;
#[path = "../examples/walk_automaton.rs"]
mod walk_automaton;
