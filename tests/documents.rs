//! The pages for users are true: commands print what the pages say, links lead somewhere,
//! and the book and the reference are complete.
//!
//! Pages are the Markdown files that a user reads: the README, the book in `docs`, and
//! the pages beside models, formulas, suites and fuzz targets. In them
//!
//! - a block `console` is a session: lines that begin with `$ ` are commands for a shell, and
//!   what follows is what they print. A line `…` stands for any lines, and `…` inside of a line
//!   for any characters. `console needs=spin` is left out where the program is missing;
//! - a block with `file=NAME` is a file of that name, for the sessions of the page;
//! - a block `sh` has commands that are not run. `lwaa` is not among them.
//!
//! Times, sizes of memory and dates are not compared. `LWAA_UPDATE=1` writes into the pages what the
//! commands print; the difference is then to be reviewed.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "documents/book.rs"]
mod book;
#[path = "documents/comparison.rs"]
mod comparison;
#[path = "documents/json.rs"]
mod json;
#[path = "documents/links.rs"]
mod links;
#[path = "documents/options.rs"]
mod options;
#[path = "documents/page.rs"]
mod page;
#[cfg(unix)]
#[path = "documents/session.rs"]
mod session;
