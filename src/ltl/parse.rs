//! stub
use super::Formula;
/// stub
#[derive(Debug, thiserror::Error)]
#[error("x")]
pub struct ParseError;
/// stub
#[derive(Clone, Copy, Debug)]
pub enum Syntax {
    /// x
    Lwaa,
}
/// stub
pub fn parse(_: &str, _: Syntax) -> Result<Formula, ParseError> {
    Err(ParseError)
}
