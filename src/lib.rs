#![doc = include_str!("ARCHITECTURE.md")]
#![deny(unsafe_code)]

pub mod address_space;
pub mod baseline;
pub mod bdd;
#[cfg(feature = "cli")]
pub mod bench;
pub mod certify;
pub mod check;
pub mod configuration;
pub mod dag;
pub mod hoa;
pub mod id;
pub mod intern;
pub mod lang;
pub mod ltl;
pub mod lwaa;
pub mod printable;
pub mod product;
pub mod recurrence;
pub mod references;
pub mod report;
pub mod requirements;
pub mod sat;
pub mod search;
pub mod sets;
pub mod shorten;
pub mod store;
pub mod system;
pub mod testbench;
pub mod threads;
pub mod verdict;
pub mod word;
#[doc(hidden)]
pub mod work;

pub use check::{Options, satisfiable};
pub use ltl::Formula;
pub use lwaa::Lwaa;
pub use verdict::{Answer, Satisfiability, Statistics};
pub use word::Lasso;
