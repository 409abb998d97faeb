//! A safe wrapper of what lwaa uses of CUDD, the CU decision diagram package.
//!
//! Binary decision diagrams only, with a fixed order of the variables: a
//! variable's number is its level. Reordering is never enabled, since it could
//! free inner nodes to which a [`NodeRef`] points.
//!
//! **Ownership.** A [`Bdd`] owns one reference to its root node and a share of
//! its [`Manager`]. CUDD's tables are freed when the last of both is dropped,
//! in whatever order. A [`NodeRef`] borrows a [`Bdd`] and costs no reference.
//!
//! **Threads.** A manager belongs to the thread that made it; other threads
//! may have their own. So neither type can be sent:
//!
//! ```compile_fail,E0277
//! fn send<T: Send>() {}
//! send::<lwaa_cudd::Manager>();
//! ```
//!
//! ```compile_fail,E0277
//! fn share<T: Sync>() {}
//! share::<lwaa_cudd::Bdd>();
//! ```
//!
//! **Failure.** An operation that needs more nodes or memory than there may be
//! is [`Exhausted`], and everything that existed before is as it was. CUDD
//! would end the process when the system refuses it memory; we tell it not to.
//! Nor can it overflow the stack: its recursion is as deep as there are
//! variables, and gets a stack of that size.
//!
//! ```no_run
//! let manager = lwaa_cudd::Manager::with_capacity(1 << 16)?;
//! manager.grow_to(2)?;
//! let (x, y) = (manager.variable(0)?, manager.variable(1)?);
//! assert!(x.and(&y)? == x.not().or(&y.not())?.not());
//! # Ok::<(), lwaa_cudd::Exhausted>(())
//! ```
//!
//! This example, as all in this crate, is compiled but not run, because it
//! could not be linked where there is no CUDD. What is run is in `tests/`.

mod bdd;
mod error;
mod ffi;
mod manager;
mod node;

pub use bdd::Bdd;
pub use error::Exhausted;
pub use manager::Manager;
pub use node::NodeRef;
