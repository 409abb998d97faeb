//! States of which some bits are always 0.

/// Which bits of a state are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lang) struct Mask {
    kept: Box<[u64]>,
}

impl Mask {
    /// Keeps these bits.
    pub(super) fn keeping(kept: Vec<u64>) -> Self {
        Self { kept: kept.into() }
    }

    /// The bits that are kept.
    pub(in crate::lang) fn kept(&self) -> &[u64] {
        &self.kept
    }

    /// Puts back what is not kept.
    #[inline]
    pub(super) fn apply(&self, state: &mut [u64]) {
        for (word, kept) in state.iter_mut().zip(&self.kept) {
            *word &= kept;
        }
    }
}
