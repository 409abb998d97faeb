#![doc = include_str!("ARCHITECTURE.md")]
#![deny(unsafe_code)]

pub mod bdd;
pub mod dag;
pub mod hoa;
pub mod id;
pub mod ltl;
pub mod lwaa;
pub mod references;
pub mod sets;
pub mod testbench;
pub mod word;

pub use ltl::Formula;
pub use lwaa::Lwaa;
pub use word::Lasso;
