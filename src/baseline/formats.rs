//! Automata in any of the formats that we read, told apart by how they begin.

use super::nba::Nba;
use super::{lbt, never};
use crate::hoa;
use crate::scan::{self, ScanError, Span};

/// How an automaton is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The Hanoi format, [`crate::hoa`].
    Hoa,
    /// A never claim, [`never`](mod@super::never).
    Never,
    /// The format of LBT and LBTT, [`lbt`].
    Lbt,
}

/// A text is no automaton, or none that we understand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormatError {
    /// The offending part of the text, as byte offsets; nothing if it is about
    /// the whole.
    pub span: Option<Span>,
    /// What is wrong with it; lower case, without a final dot.
    pub message: String,
}

impl FormatError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span: Some(span), message: message.into() }
    }

    /// The line and the column where the offending part of `text` begins, both
    /// counted from 1; columns are characters.
    ///
    /// ```
    /// let text = "never {\nT0_init: if :: (p) -> goto nowhere fi }";
    /// let error = lwaa::baseline::formats::read(text).unwrap_err();
    /// assert_eq!(error.to_string(), "there is no state `nowhere`");
    /// assert_eq!(error.position(text), Some((2, 28)));
    /// ```
    #[must_use]
    pub fn position(&self, text: &str) -> Option<(usize, usize)> {
        Some(scan::position(text, self.span?.start))
    }
}

impl From<ScanError> for FormatError {
    fn from(error: ScanError) -> Self {
        Self::new(error.span, error.problem.to_string())
    }
}

/// How `text` seems to be written.
#[must_use]
pub fn format(text: &str) -> Option<Format> {
    match text.trim_start() {
        text if text.starts_with("HOA") => Some(Format::Hoa),
        text if text.starts_with(|first: char| first.is_ascii_digit()) => Some(Format::Lbt),
        text if ["never", "#", "/"].iter().any(|begin| text.starts_with(begin)) => {
            // A comment of HOA looks like one of Promela.
            let is_hoa = text.contains("HOA:") && !text.contains("never");
            Some(if is_hoa { Format::Hoa } else { Format::Never })
        }
        _ => None,
    }
}

/// How large an automaton is in the text that we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of states.
    pub states: usize,
    /// Number of edges; one with a disjunction for a label counts as many times
    /// as the disjunction has cubes.
    pub edges: usize,
    /// Number of acceptance sets.
    pub sets: usize,
}

impl Size {
    /// The size of an automaton as we have it.
    #[must_use]
    pub fn of(automaton: &Nba) -> Self {
        let (states, edges) = (automaton.n_states(), automaton.n_edges());
        Self { states, edges, sets: automaton.n_sets() }
    }
}

/// Reads the only automaton of a text, and says how large it is there: a condition of
/// acceptance that has to be taken apart costs states in the [`Nba`].
///
/// # Errors
///
/// As for [`read`].
pub fn read_with_size(text: &str) -> Result<(Nba, Size), FormatError> {
    let automaton = read(text)?;
    let mut size = Size::of(&automaton);
    if format(text) == Some(Format::Hoa)
        && let Some(Ok(document)) = hoa::documents(text).next()
    {
        let edges = document.states.iter().map(|state| state.edges.len()).sum();
        size.states = document.states.len();
        size.edges = super::hoa::read::n_edges(&document).unwrap_or(edges);
        size.sets = usize::try_from(document.acceptance.n_sets).unwrap_or(usize::MAX);
    }
    Ok((automaton, size))
}

/// Reads the only automaton of a text.
///
/// ```
/// use lwaa::baseline::formats::read;
/// let never = read("never { T0: do :: (p) -> goto accept_1 od; accept_1: skip }")?;
/// let hoa = read(&never.to_hoa().to_string())?;
/// let lbt = read(&lwaa::baseline::lbt::write(&hoa))?;
/// assert_eq!((lbt.n_states(), lbt.n_edges()), (2, 2));
/// # Ok::<(), lwaa::baseline::formats::FormatError>(())
/// ```
///
/// # Errors
///
/// If the text is in none of the formats, or is no nondeterministic automaton.
pub fn read(text: &str) -> Result<Nba, FormatError> {
    let all = read_all(text)?;
    match <[Nba; 1]>::try_from(all) {
        Ok([only]) => Ok(only),
        Err(all) => Err(FormatError {
            span: None,
            message: format!("there are {} automata instead of one", all.len()),
        }),
    }
}

/// Reads all automata of a text. Only the HOA format has several of them.
///
/// # Errors
///
/// If the text is in none of the formats, or if one of the automata is malformed.
pub fn read_all(text: &str) -> Result<Vec<Nba>, FormatError> {
    match format(text) {
        Some(Format::Hoa) => hoa::documents(text).map(from_hoa).collect(),
        Some(Format::Never) => Ok(vec![never::read(text)?]),
        Some(Format::Lbt) => Ok(vec![lbt::read(text)?]),
        None => {
            let start = text.len() - text.trim_start().len();
            let message = "expected an automaton: `HOA:`, `never` or the numbers of LBT";
            Err(FormatError::new(Span::new(start, start), message))
        }
    }
}

fn from_hoa(document: Result<hoa::Automaton, hoa::HoaError>) -> Result<Nba, FormatError> {
    let document =
        document.map_err(|error| FormatError::new(error.span, error.kind.to_string()))?;
    Nba::from_hoa(&document).map_err(|error| FormatError { span: None, message: error.to_string() })
}

#[cfg(test)]
pub(super) mod tests;
