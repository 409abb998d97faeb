//! Why and where a text is not a document of the format.

use crate::scan::{Problem, ScanError, Span};

/// What is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct HoaError {
    /// The offending part of the text, as byte offsets.
    pub span: Span,
    /// What is wrong with it.
    pub kind: HoaErrorKind,
}

impl From<ScanError> for HoaError {
    fn from(error: ScanError) -> Self {
        let kind = match error.problem {
            Problem::Comment => HoaErrorKind::Unclosed("comment"),
            Problem::Text => HoaErrorKind::Unclosed("text"),
            Problem::Unknown(character) => HoaErrorKind::UnknownCharacter(character),
            Problem::Number(_) => HoaErrorKind::TooLarge,
        };
        Self { span: error.span, kind }
    }
}

/// What is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HoaErrorKind {
    /// Something else should have come here.
    #[error("expected {what}, found {found}")]
    Expected {
        /// What could have come.
        what: &'static str,
        /// What came.
        found: String,
    },
    /// A byte that begins no token.
    #[error("unexpected character `{}`", .0.escape_debug())]
    UnknownCharacter(char),
    /// A comment, text or parenthesis is never closed.
    #[error("this {0} is never closed")]
    Unclosed(&'static str),
    /// A text is not UTF-8.
    #[error("this text is not valid UTF-8")]
    NotUnicode,
    /// A number begins with a needless zero.
    #[error("a number has no leading zero")]
    LeadingZero,
    /// A number is 2³¹ or more.
    #[error("this number is too large: the greatest is 2147483647")]
    TooLarge,
    /// The document is of another version of the format.
    #[error("version `{0}` of the format is not supported, only `v1` is")]
    Version(String),
    /// A line that may occur once occurs again.
    #[error("`{0}:` is given a second time")]
    RepeatedHeader(String),
    /// A line that must occur is missing.
    #[error("the header has no line `{0}:`")]
    MissingHeader(&'static str),
    /// `AP:` announces another number of names than it gives.
    #[error("{announced} atomic propositions are announced, but {given} are named")]
    AtomCount {
        /// The number.
        announced: u32,
        /// How many names follow.
        given: usize,
    },
    /// Two atoms have the same name.
    #[error("there are two atomic propositions `{0}`")]
    RepeatedAtom(String),
    /// An alias is defined a second time.
    #[error("alias `@{0}` is defined a second time")]
    RepeatedAlias(String),
    /// An alias is used before it is defined.
    #[error("alias `@{0}` is not defined")]
    UnknownAlias(String),
    /// A label speaks of an atom that is not declared.
    #[error("there is no atomic proposition {number}: {n_atoms} are declared")]
    UnknownAtom {
        /// The number of the atom.
        number: u32,
        /// How many there are.
        n_atoms: usize,
    },
    /// An acceptance set that is not declared.
    #[error("there is no acceptance set {number}: {n_sets} are declared")]
    UnknownSet {
        /// The number of the set.
        number: u32,
        /// How many there are.
        n_sets: u32,
    },
    /// A state that does not exist.
    #[error("there is no state {number}: the automaton has {n_states}")]
    UnknownState {
        /// The number of the state.
        number: u32,
        /// How many there are.
        n_states: u32,
    },
    /// A state is described a second time.
    #[error("state {0} is described a second time")]
    RepeatedState(u32),
    /// A state is never described.
    #[error("state {0} is not described in the body")]
    MissingState(u32),
    /// An edge has a label, but its state has one too.
    #[error("an edge has no label of its own if its state has one")]
    TwoLabels,
    /// Only some edges of a state have labels.
    #[error("either all edges of a state have labels, or none has")]
    MixedLabels,
    /// There are edges without label, but not one for each letter.
    #[error(
        "a state without labels has one edge for each letter, \
         here 2^{n_atoms}, but this one has {given}"
    )]
    ImplicitLabels {
        /// How many atoms there are.
        n_atoms: usize,
        /// How many edges there are.
        given: usize,
    },
    /// The writer of the document has given up.
    #[error("the document ends with `--ABORT--`")]
    Aborted,
}
