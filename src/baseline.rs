//! The rivals: explicit Büchi automata behind the same two questions.
//!
//! Everything here is what we say is not needed, done as well as we can: users
//! compare the two ways on one machine, and the testbench needs opinions that
//! do not come from us. The room shares formulas, systems, stores and the search
//! for components with the rest, but neither configurations nor products.

mod alternating;
mod bits;
pub mod cube;
mod degeneralize;
mod draft;
pub mod gastin_oddoux;
pub mod gpvw;
pub mod nba;
pub mod translation;
pub mod word_graph;

pub use cube::Cube;
pub use nba::Nba;
