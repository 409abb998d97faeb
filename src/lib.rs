#![doc = include_str!("ARCHITECTURE.md")]
#![deny(unsafe_code)]

// The rooms. All of them are unstable: the first page says what is not.
pub mod address_space;
pub mod baseline;
pub mod bdd;
#[cfg(feature = "cli")]
pub mod bench;
pub mod certify;
pub mod check;
pub mod checker;
pub mod configuration;
pub mod dag;
pub mod drawing;
pub mod explain;
pub mod hoa;
pub mod id;
pub mod intern;
pub mod lang;
pub mod ltl;
pub mod lwaa;
pub mod own;
pub mod printable;
pub mod product;
pub mod recurrence;
pub mod references;
pub mod report;
pub mod requirements;
pub mod run;
pub mod sat;
pub mod scan;
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

pub use check::model::Deadlock;
pub use check::{Options, satisfiable};
pub use checker::{Checker, CheckerError, Progress, Run, RunStep, Size, Source, Subject, Verdict};
pub use lang::Model;
pub use ltl::Formula;
pub use lwaa::Lwaa;
pub use own::{Pack, Proposition, System};
pub use search::limits::Limits;
pub use store::StoreKind;
pub use verdict::{Answer, Satisfiability, Statistics};
pub use word::Lasso;

/// The examples for Rust on pages for users are compiled and run as tests.
#[cfg(doctest)]
#[allow(
    rustdoc::invalid_codeblock_attributes,
    reason = "attributes of other blocks are for the tests of pages"
)]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/src/guide/rust.md")]
    mod guide {}
}
