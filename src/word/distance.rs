//! How far a state is from making an atom true, and how far from making it false.
//!
//! Distances are guesses. Searches that are guided by them look at promising successors first, so
//! no verdict depends on a distance.

/// How much has to change before something becomes true, and before it becomes false. One of the
/// two is 0 if its value is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distance {
    /// 0 if it is true.
    pub to_true: u32,
    /// 0 if it is false.
    pub to_false: u32,
}

impl Distance {
    /// What cannot be reached, as far as is known. A sum of distances is at most this.
    pub const FAR: u32 = 1 << 20;

    /// What has this value now and can have the other one in a step.
    #[must_use]
    pub fn of(truth: bool) -> Self {
        Self { to_true: u32::from(!truth), to_false: u32::from(truth) }
    }

    /// What has this value and keeps it.
    #[must_use]
    pub fn constant(truth: bool) -> Self {
        let Self { to_true, to_false } = Self::of(truth);
        Self { to_true: to_true * Self::FAR, to_false: to_false * Self::FAR }
    }

    /// The distance to one of the two values.
    #[must_use]
    pub fn to(self, truth: bool) -> u32 {
        if truth { self.to_true } else { self.to_false }
    }

    /// The distances of the opposite.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { to_true: self.to_false, to_false: self.to_true }
    }

    /// The distances of a conjunction: both parts have to become true, or one of them false.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            to_true: Self::sum(self.to_true, other.to_true),
            to_false: self.to_false.min(other.to_false),
        }
    }

    /// The distances of a disjunction.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }

    /// The way to both of two things that are so far away.
    #[must_use]
    pub fn sum(one: u32, other: u32) -> u32 {
        one.saturating_add(other).min(Self::FAR)
    }
}
