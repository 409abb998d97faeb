//! How much a lossy search may have missed.

/// The state of a table of bits at the end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Bits of the table.
    pub bits: u64,
    /// Bits that have been set.
    pub bits_set: u64,
    /// Bits that a node sets.
    pub bits_per_node: u32,
    /// Nodes that have set at least one of them.
    pub nodes: u64,
}

impl Coverage {
    /// Bits of the table for each node. Above 100 little is missed.
    #[must_use]
    pub fn hash_factor(&self) -> f64 {
        real(self.bits) / real(self.nodes.max(1))
    }

    /// How probable it was in the end that a new node is taken for an old one.
    ///
    /// ```
    /// use lwaa::search::coverage::Coverage;
    /// let half = Coverage { bits: 1 << 20, bits_set: 1 << 19, bits_per_node: 3, nodes: 200_000 };
    /// assert_eq!(half.omission_probability(), 0.125);
    /// assert_eq!(half.hash_factor().round(), 5.0);
    /// ```
    #[must_use]
    pub fn omission_probability(&self) -> f64 {
        let share = real(self.bits_set) / real(self.bits.max(1));
        share.powf(f64::from(self.bits_per_node))
    }

    /// How many nodes were expected to be taken for old ones when they were
    /// new, if bits are set evenly. What can be reached from these alone is
    /// missing as well, and is not counted.
    #[must_use]
    pub fn expected_omissions(&self) -> f64 {
        // The table fills evenly, so we integrate over its way to where it is.
        const STEPS: u32 = 1000;
        let share = real(self.bits_set) / real(self.bits.max(1));
        let omitted_at = |step: u32| {
            let filled = share * (f64::from(step) + 0.5) / f64::from(STEPS);
            filled.powf(f64::from(self.bits_per_node))
        };
        (0..STEPS).map(omitted_at).sum::<f64>() / f64::from(STEPS) * real(self.nodes)
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate needs no more than 52 bits")]
fn real(number: u64) -> f64 {
    number as f64
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "hash factor {:.1}, omission probability {:.1e}, expected omissions {:.1}",
            self.hash_factor(),
            self.omission_probability(),
            self.expected_omissions()
        )
    }
}
