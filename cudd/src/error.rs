//! The one way in which an operation can fail.

/// The nodes or the memory that a manager may have did not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the decision diagrams need more memory")]
pub struct Exhausted;
