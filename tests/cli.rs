//! The program as its users see it: output, messages and exit codes.
//!
//! Every test runs the real binary. Nothing here depends on how fast it is.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[cfg(unix)]
#[path = "cli/address_space.rs"]
mod address_space;
#[path = "cli/batch.rs"]
mod batch;
#[path = "cli/bench.rs"]
mod bench;
#[path = "cli/cross.rs"]
mod cross;
#[path = "cli/errors.rs"]
mod errors;
#[path = "cli/esml.rs"]
mod esml;
#[path = "cli/fairness.rs"]
mod fairness;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/json_errors.rs"]
mod json_errors;
#[cfg(target_os = "linux")]
#[path = "cli/left_behind.rs"]
mod left_behind;
#[path = "cli/limits.rs"]
mod limits;
#[path = "cli/model_errors.rs"]
mod model_errors;
#[path = "cli/models.rs"]
mod models;
#[path = "cli/nets.rs"]
mod nets;
#[cfg(unix)]
#[path = "cli/options.rs"]
mod options;
#[path = "cli/pictures.rs"]
mod pictures;
#[path = "cli/program.rs"]
mod program;
#[path = "cli/promela.rs"]
mod promela;
#[path = "cli/promela_claims.rs"]
mod promela_claims;
#[path = "cli/promela_errors.rs"]
mod promela_errors;
#[path = "cli/quantities.rs"]
mod quantities;
#[path = "cli/questions.rs"]
mod questions;
#[path = "cli/reading.rs"]
mod reading;
#[path = "cli/requirements.rs"]
mod requirements;
#[path = "cli/rivals.rs"]
mod rivals;
#[path = "cli/round_trip.rs"]
mod round_trip;
#[path = "cli/runs.rs"]
mod runs;
#[path = "cli/slips.rs"]
mod slips;
#[path = "cli/statements.rs"]
mod statements;
#[path = "cli/terminal.rs"]
mod terminal;
