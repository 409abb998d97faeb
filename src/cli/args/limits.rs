//! What can be typed about limits.

use crate::cli::quantity;
use clap::Args;
use std::time::Duration;

/// When to give up. The verdict is then unknown, and the exit code 3.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(in crate::cli) struct LimitArguments {
    /// Limit on wall-clock time (for bench and sat --batch: wall-clock time per
    /// instance), for example 500ms, 10s, 2m or 1h; a number alone is seconds
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(in crate::cli) time: Option<Duration>,
    /// Limit on resident memory, for example 200M or 4G; a number alone is bytes
    #[arg(long, value_name = "MEMORY", value_parser = quantity::bytes)]
    pub(in crate::cli) memory: Option<usize>,
    /// Limit on the number of stored states of the model, or of configurations if
    /// there is no model
    #[arg(long, value_name = "N")]
    pub(in crate::cli) states: Option<usize>,
}

/// When to give up, for commands that count nothing. The exit code is then 3.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(in crate::cli) struct PlainLimits {
    /// Limit on wall-clock time, for example 500ms, 10s, 2m or 1h; a number alone is seconds
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(in crate::cli) time: Option<Duration>,
    /// Limit on resident memory, for example 200M or 4G; a number alone is bytes
    #[arg(long, value_name = "MEMORY", value_parser = quantity::bytes)]
    pub(in crate::cli) memory: Option<usize>,
}
