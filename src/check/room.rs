//! What can be opened for questions, and the one loop that opens it again with more room.

use super::model::CheckError;
use crate::lang::program::Program;
use crate::lang::{Bindings, Model, OpenError, OpenedProgram, Question};
use crate::system::{Opened, Room};
use std::sync::Arc;

/// A model that can be opened for questions.
pub trait Openable {
    /// What it is then.
    type System: Opened;

    /// The model as these questions see it. If `asserts` is false, assertions that the model
    /// states are left out.
    ///
    /// # Errors
    ///
    /// If the model does not know an atom of a question.
    fn open(&self, questions: &[Question<'_>], asserts: bool) -> Result<Self::System, OpenError>;

    /// The same with the room that `system` did not have.
    ///
    /// # Errors
    ///
    /// If there is no more room.
    fn larger(
        &self,
        system: &Self::System,
        room: Room,
        questions: &[Question<'_>],
        asserts: bool,
    ) -> Result<Self::System, OpenError>;

    /// What its language knows about it, if it has one.
    fn language(&self) -> Option<&dyn Bindings> {
        None
    }
}

impl Openable for Model {
    type System = OpenedProgram;

    fn open(&self, questions: &[Question<'_>], asserts: bool) -> Result<OpenedProgram, OpenError> {
        Model::open(self, questions, asserts)
    }

    fn larger(
        &self,
        system: &OpenedProgram,
        room: Room,
        questions: &[Question<'_>],
        asserts: bool,
    ) -> Result<OpenedProgram, OpenError> {
        system.larger(room, questions, asserts)
    }

    fn language(&self) -> Option<&dyn Bindings> {
        Some(&*self.bindings)
    }
}

/// A program alone has states and steps, but no names that formulas could speak of.
impl Openable for Program {
    type System = OpenedProgram;

    fn open(&self, _: &[Question<'_>], asserts: bool) -> Result<OpenedProgram, OpenError> {
        let mut program = self.clone();
        if !asserts {
            program.ignore_assertions();
        }
        Ok(program.into())
    }

    fn larger(
        &self,
        system: &OpenedProgram,
        room: Room,
        questions: &[Question<'_>],
        asserts: bool,
    ) -> Result<OpenedProgram, OpenError> {
        system.larger(room, questions, asserts)
    }
}

/// Why work on an opened system ends early.
#[derive(Debug)]
pub enum Stop<E = CheckError> {
    /// The system is too small: it has to be opened again with more room.
    Room(Room),
    /// Something else is wrong.
    Error(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Self::Error(error)
    }
}

/// Opens a model and works on it, again and again with more room until there is enough.
///
/// # Errors
///
/// If the work fails, or if the model cannot be opened, which `refuse` puts into words.
pub fn with_room<M: Openable, R, E>(
    model: &M,
    questions: &[Question<'_>],
    asserts: bool,
    refuse: impl Fn(OpenError) -> E,
    mut work: impl FnMut(&Arc<M::System>) -> Result<R, Stop<E>>,
) -> Result<R, E> {
    let mut system = Arc::new(model.open(questions, asserts).map_err(&refuse)?);
    loop {
        match work(&system) {
            Ok(result) => return Ok(result),
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Room(room)) => {
                tracing::info!("opening the model again with more room");
                let larger = model.larger(&system, room, questions, asserts);
                system = Arc::new(larger.map_err(&refuse)?);
            }
        }
    }
}
