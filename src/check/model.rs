//! The other question: do all runs of a model satisfy a formula?
//!
//! Here model, automaton and search are put together: bind the atoms, take the
//! product, search it, project the lasso to states, certify it.

/// How the runs of a model are searched.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// Whether the question is if *some* run satisfies the formula.
    pub exists: bool,
    /// What a state without successors means.
    pub deadlock: Deadlock,
    /// In which order successors are tried.
    pub order: Order,
    /// How states are stored.
    pub store: StoreKind,
    /// Whether the lasso's prefix is to be as short as possible.
    pub shortest: bool,
    /// How the formula is treated, and what the search may use.
    pub options: super::Options,
}

/// What a state without successors means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deadlock {
    /// The run stays there for ever.
    #[default]
    Stutter,
    /// The model is wrong.
    Report,
    /// No infinite run goes there.
    Ignore,
}

/// In which order successors are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Begin with the lane after the one that led here.
    #[default]
    Rotate,
    /// Always begin with the first lane.
    Fixed,
    /// Begin with a lane that depends on this seed and the state.
    Random(u64),
}

/// How states are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// As they are, one after the other.
    #[default]
    Exact,
    /// As trees of pairs: parts that states have in common are stored once.
    Tree,
}
