//! What was typed behind `cross`.

use super::super::quantity;
use super::at_most;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// Compare translators from formulas to automata on random input.
///
/// Every round, all translators translate a random formula and its negation.
/// Test 1: no word is accepted for both. Test 2: no word is rejected for both.
/// Tests 3 and 4: in a random Kripke structure and on a random path all agree on
/// the states from which the formula can be true, and those for the formula and
/// its negation together are all states. When a test fails, the formula is
/// evaluated on a word that shows the failure, which proves which translator is wrong.
///
/// Prints how many rounds were played and how many tests failed, then sums,
/// then for each translator that is wrong a smallest formula and word that prove it.
/// Crashes and timeouts of commands are counted, but are not disagreements; a
/// command that ends with a status other than 0 counts as crashed. Sizes are those of the
/// automata as they were written; atoms that the formula does not have are false.
/// The exit code is 1 if there is a disagreement, else 3 if not all rounds could be
/// played or a command has translated nothing, else 0.
#[derive(Debug, Args)]
#[command(after_help = include_str!("examples/cross.txt"))]
pub(in crate::cli) struct Cross {
    /// The seed of the first round; each next round has the next seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(in crate::cli) seed: u64,
    /// How many rounds to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(in crate::cli) rounds: u64,
    /// A command that writes an automaton in the HOA format, as a never claim or
    /// in the format of LBT, to standard output or to the file %o. The formula
    /// is %f in our and Spot's syntax, %s in Spin's, %l in LBT's; %F, %S and %L are
    /// the names of files that contain it, and %% is a percent sign. A name in braces may
    /// come first: '{spin} spin -f %s'
    #[arg(long, value_name = "COMMAND")]
    pub(in crate::cli) translator: Vec<String>,
    /// Which translators of this program take part: lwaa, lwaa/tgba, gpvw,
    /// gpvw/nba, gastin-oddoux, gastin-oddoux/nba, or none [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) builtin: Option<Vec<String>>,
    /// How long a command may take for one formula
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = quantity::duration)]
    pub(in crate::cli) timeout: Duration,
    /// Print one JSON object instead (schema 1)
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Also write an HTML page
    #[arg(long, value_name = "OUT")]
    pub(in crate::cli) html: Option<PathBuf>,
    /// Print times to standard error
    #[arg(long)]
    pub(in crate::cli) stats: bool,
    #[command(flatten)]
    pub(in crate::cli) input: Input,
    #[command(flatten)]
    pub(in crate::cli) limits: CrossLimits,
}

/// What is random.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(in crate::cli) struct Input {
    /// Operators, atoms and constants in each formula: a number, or from..to
    #[arg(long, value_name = "N", default_value = "5..12")]
    pub(in crate::cli) size: String,
    /// Atoms to choose from: p0, p1 and so on
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = at_most(10))]
    pub(in crate::cli) atoms: u32,
    /// How often an operator is chosen, as for `lwaa random formula`, for
    /// example U=3,X=0
    #[arg(long, value_name = "OPERATOR=N", value_delimiter = ',')]
    pub(in crate::cli) priority: Vec<String>,
    /// States of the Kripke structures and paths
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(in crate::cli) states: u32,
    /// The probability of an edge of a Kripke structure
    #[arg(long, value_name = "D", default_value_t = 0.1, value_parser = quantity::probability)]
    pub(in crate::cli) density: f64,
    /// The probability that an atom is true in a state
    #[arg(long, value_name = "T", default_value_t = 0.5, value_parser = quantity::probability)]
    pub(in crate::cli) truth: f64,
}

/// When to stop early.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(in crate::cli) struct CrossLimits {
    /// Limit on the wall-clock time of all rounds
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub(in crate::cli) time: Option<Duration>,
    /// Limit on the resident memory of this program, for example 200M or 4G
    #[arg(long, value_name = "MEMORY", value_parser = quantity::bytes)]
    pub(in crate::cli) memory: Option<usize>,
    /// States that test 2 may look at to complement an automaton. Above that it
    /// looks at short words only, and says how often
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub(in crate::cli) complement: usize,
}
