//! The body of a document, up to `--END--`.

use super::header::{Head, atom_of, label};
use super::{Cursor, Reference};
use crate::hoa::lex::Token;
use crate::hoa::{Automaton, Edge, HoaError, HoaErrorKind, Label, State};
use crate::id::IdVec;
use crate::scan::Span;

/// Reads from behind `--BODY--` to `--END--`.
pub(super) fn read(cursor: &mut Cursor<'_>, head: Head<'_>) -> Result<Automaton, HoaError> {
    let mut body = Body { head, states: Vec::new(), greatest: None };
    for reference in std::mem::take(&mut body.head.start) {
        body.check_state(reference)?;
    }
    while cursor.token == Token::Header("State") {
        cursor.advance()?;
        body.state(cursor)?;
    }
    if cursor.token != Token::End {
        return Err(cursor.expected("`State:`, an edge or `--END--`"));
    }
    let states = body.sorted_states(cursor.span)?;
    Ok(Automaton { states, ..body.head.automaton })
}

/// What is read so far.
struct Body<'a> {
    head: Head<'a>,
    /// The states in the order of the document, with their numbers.
    states: Vec<(Reference, State)>,
    /// The reference to the state with the greatest number.
    greatest: Option<Reference>,
}

impl Body<'_> {
    /// Remembers `reference`, or refuses it if it exceeds the announced
    /// number of states.
    fn check_state(&mut self, reference: Reference) -> Result<(), HoaError> {
        let number = reference.0;
        match self.head.n_states {
            Some((n_states, _)) if n_states <= number => {
                let kind = HoaErrorKind::UnknownState { number, n_states };
                return Err(HoaError { span: reference.1, kind });
            }
            _ if self.greatest.as_ref().is_none_or(|greatest| greatest.0 < number) => {
                self.greatest = Some(reference);
            }
            _ => (),
        }
        Ok(())
    }

    /// Reads a state and its edges.
    fn state(&mut self, cursor: &mut Cursor<'_>) -> Result<(), HoaError> {
        let mut state = State { label: self.label(cursor)?, ..State::default() };
        let Token::Integer(_) = cursor.token else {
            return Err(cursor.expected("the number of a state"));
        };
        let reference = cursor.integer()?;
        let span = reference.1;
        self.check_state(reference)?;
        state.name = cursor.text()?;
        state.sets = cursor.signature(self.head.automaton.acceptance.n_sets)?;
        while matches!(cursor.token, Token::Integer(_) | Token::Sign(b'[')) {
            let start = cursor.span.start;
            let edge = self.edge(cursor)?;
            let kind = match (&state.label, &edge.label) {
                (Some(_), Some(_)) => HoaErrorKind::TwoLabels,
                (None, label)
                    if state
                        .edges
                        .first()
                        .is_some_and(|first: &Edge| first.label.is_some() != label.is_some()) =>
                {
                    HoaErrorKind::MixedLabels
                }
                _ => {
                    state.edges.push(edge);
                    continue;
                }
            };
            return Err(HoaError { span: Span::new(start, cursor.span.start), kind });
        }
        self.check_implicit_labels(&state, span)?;
        self.states.push((reference, state));
        Ok(())
    }

    /// An optional label in brackets.
    fn label(&self, cursor: &mut Cursor<'_>) -> Result<Option<Label>, HoaError> {
        let opened = cursor.span;
        if !cursor.skip_sign(b'[')? {
            return Ok(None);
        }
        let n_atoms = self.head.automaton.atoms.len();
        let label = label(cursor, &self.head.aliases, |reference| atom_of(reference, n_atoms))?;
        if cursor.token == Token::Nothing {
            return Err(HoaError { span: opened, kind: HoaErrorKind::Unclosed("bracket") });
        }
        cursor.expect_sign(b']', "`&`, `|` or `]`")?;
        Ok(Some(label))
    }

    fn edge(&mut self, cursor: &mut Cursor<'_>) -> Result<Edge, HoaError> {
        let label = self.label(cursor)?;
        let targets = cursor.conjunction(|reference| self.check_state(reference))?;
        let sets = cursor.signature(self.head.automaton.acceptance.n_sets)?;
        Ok(Edge { label, targets, sets })
    }

    fn check_implicit_labels(&self, state: &State, span: Span) -> Result<(), HoaError> {
        let implicit =
            state.label.is_none() && state.edges.first().is_some_and(|edge| edge.label.is_none());
        let n_atoms = self.head.automaton.atoms.len();
        let n_letters = u32::try_from(n_atoms).ok().and_then(|n| 1_usize.checked_shl(n));
        if implicit && n_letters != Some(state.edges.len()) {
            let kind = HoaErrorKind::ImplicitLabels { n_atoms, given: state.edges.len() };
            return Err(HoaError { span, kind });
        }
        Ok(())
    }

    /// The states in the order of their numbers, each of which must be there
    /// once; `end` is the place of `--END--`.
    fn sorted_states(&mut self, end: Span) -> Result<IdVec<crate::hoa::StateId, State>, HoaError> {
        let mut states = std::mem::take(&mut self.states);
        // The sort is stable, so the second of two equals is the repetition.
        states.sort_by_key(|((number, _), _)| *number);
        let mut sorted = IdVec::new();
        for (reference, state) in states {
            let (number, span) = reference;
            let next = u32::try_from(sorted.len()).expect("numbers of states fit into 31 bits");
            if number < next {
                return Err(HoaError { span, kind: HoaErrorKind::RepeatedState(number) });
            }
            if next < number {
                let span = self.announcement(end);
                return Err(HoaError { span, kind: HoaErrorKind::MissingState(next) });
            }
            sorted.push(state);
        }
        let n_states = u32::try_from(sorted.len()).expect("numbers of states fit into 31 bits");
        match (&self.head.n_states, &self.greatest) {
            (Some((announced, _)), _) if n_states < *announced => {
                let span = self.announcement(end);
                Err(HoaError { span, kind: HoaErrorKind::MissingState(n_states) })
            }
            (None, Some((number, span))) if n_states <= *number => {
                let kind = HoaErrorKind::UnknownState { number: *number, n_states };
                Err(HoaError { span: *span, kind })
            }
            _ => Ok(sorted),
        }
    }

    /// Where the number of states is announced, or else `end`.
    fn announcement(&self, end: Span) -> Span {
        self.head.n_states.as_ref().map_or(end, |&(_, span)| span)
    }
}
