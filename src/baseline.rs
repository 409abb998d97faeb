//! The rivals: explicit Büchi automata behind the same two questions.
//!
//! Everything here is what we say is not needed, done as well as we can: users
//! compare the two ways on one machine, and the testbench needs opinions that
//! do not come from us. The room shares formulas, systems, stores, the moves of products and the
//! search for components with the rest, but no translation, no configurations and no other
//! emptiness check.

mod alternating;
mod bits;
pub mod complement;
mod components;
pub mod configurations;
pub mod cube;
mod degeneralize;
pub mod dot;
mod draft;
pub mod enabled;
pub mod formats;
pub mod gastin_oddoux;
pub mod gpvw;
pub mod guard;
pub mod hoa;
pub mod initial;
pub mod intersection;
mod join;
pub mod lbt;
pub mod listing;
pub mod magic_search;
pub mod nba;
pub mod nested_search;
pub mod never;
pub mod path;
pub mod prefixes;
mod reduce;
pub mod renumber;
#[cfg(test)]
mod tests;
pub mod translation;
pub mod visited;
pub mod word_graph;

pub use cube::Cube;
pub use nba::Nba;
