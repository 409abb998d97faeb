//! Models that are made smaller for a question, and how their runs become runs of the model as read.

use super::Model;
use crate::system::{NetSize, TransitionId};
use std::fmt;
use std::sync::Arc;

/// A rule by which a net is made smaller. What a rule keeps, and why, is said where it is implemented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Transitions that can never fire go.
    DeadTransitions,
    /// Places that always have the same number of tokens go.
    ConstantPlaces,
    /// Of transitions that do the same, one stays.
    IdenticalTransitions,
    /// Places that no transition takes from go.
    UnreadPlaces,
    /// Of places that differ by a constant, one stays.
    ParallelPlaces,
    /// Places go that have enough tokens wherever all others have.
    ImpliedPlaces,
    /// Transitions wait until what they have put on a place is taken.
    PreAgglomeration,
    /// Tokens are taken from a place as soon as they are put there.
    PostAgglomeration,
}

impl Rule {
    /// All rules, in the order in which they are tried.
    pub const ALL: [Self; 8] = [
        Self::DeadTransitions,
        Self::ConstantPlaces,
        Self::IdenticalTransitions,
        Self::UnreadPlaces,
        Self::ParallelPlaces,
        Self::ImpliedPlaces,
        Self::PreAgglomeration,
        Self::PostAgglomeration,
    ];

    /// What users call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DeadTransitions => "dead-transitions",
            Self::ConstantPlaces => "constant-places",
            Self::IdenticalTransitions => "identical-transitions",
            Self::UnreadPlaces => "unread-places",
            Self::ParallelPlaces => "parallel-places",
            Self::ImpliedPlaces => "implied-places",
            Self::PreAgglomeration => "pre-agglomeration",
            Self::PostAgglomeration => "post-agglomeration",
        }
    }

    /// Whether it keeps only what formulas without `X` can tell.
    #[must_use]
    pub fn skips_steps(self) -> bool {
        matches!(self, Self::PreAgglomeration | Self::PostAgglomeration)
    }
}

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u16);

impl Rules {
    /// All of them.
    pub const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

    /// None of them.
    pub const NONE: Self = Self(0);

    /// These, and one more.
    #[must_use]
    pub fn with(self, rule: Rule) -> Self {
        Self(self.0 | 1 << rule as u16)
    }

    /// These without one.
    #[must_use]
    pub fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u16))
    }

    /// Whether a rule is among them.
    #[must_use]
    pub fn has(self, rule: Rule) -> bool {
        self.0 >> rule as u16 & 1 == 1
    }

    /// Those that keep all that formulas with `X` can tell.
    #[must_use]
    pub fn step_by_step(self) -> Self {
        let skipping = Rule::ALL.into_iter().filter(|rule| rule.skips_steps());
        skipping.fold(self, Self::without)
    }
}

/// A smaller model about which the same is asked.
#[derive(Debug)]
pub struct Smaller {
    /// The model.
    pub model: Model,
    /// How its runs become runs of the model as read.
    pub lifting: Arc<dyn Lifting>,
    /// How much smaller it is.
    pub size: NetSize,
}

/// What the transitions of a smaller model stand for.
pub trait Lifting: fmt::Debug + Send + Sync {
    /// The steps of a run of the model as read that looks like a run of the smaller one, with
    /// the number of the step of the smaller run that each belongs to. No transition means that the
    /// run stays where it is for ever. Nothing if there is no such run.
    fn lifted(&self, steps: &[Option<TransitionId>]) -> Option<Vec<(usize, Option<TransitionId>)>>;
}
