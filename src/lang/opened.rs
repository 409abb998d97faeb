//! A program that is opened for certain questions, with their atoms bound.

use super::analyze;
use super::claim::Claim;
use super::compile::Compiled;
use super::execute::Interpreter;
use super::layout::Layout;
use super::program::{
    Expression, ExpressionId, Fairness, Program, Proposition, Span, Strength, TransitionId,
};
use super::reduction::{Executor, Mask, Relations};
use super::{Bindings, Demand, Model, SourceError};
use crate::id::{Id, IdVec};
use crate::ltl::Formula;
use crate::store::{Store, StoreKind};
use crate::system::{Assumption, FaultKind, Opened, PropositionId, Room};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

/// Why a model cannot be opened for some questions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The model does not know an atom of a question.
    #[error("{error}")]
    Unbound {
        /// The number of the question.
        question: usize,
        /// The atom.
        atom: String,
        /// What is wrong, and where in the atom.
        error: SourceError,
    },
    /// The program was made for other questions, and hides what this one looks at.
    #[error("the program hides what question {question} looks at")]
    Hidden {
        /// The number of the question.
        question: usize,
    },
    /// The program for these questions cannot be made.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// What is asked about a model.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// Whether all runs satisfy a formula.
    Formula(&'a Formula),
    /// Whether no run is as a claim says.
    Claim(&'a Claim),
    /// Whether no run goes into an error.
    Errors,
}

impl<'a> Question<'a> {
    /// The names of its atoms.
    #[must_use]
    pub fn atoms(self) -> Vec<&'a str> {
        match self {
            Self::Formula(formula) => formula.atoms().iter().map(|(_, name)| name).collect(),
            Self::Claim(claim) => claim.atoms.iter().map(String::as_str).collect(),
            Self::Errors => Vec::new(),
        }
    }
}

/// A program with the propositions of certain questions.
#[derive(Debug)]
pub struct OpenedProgram {
    program: Program,
    bindings: Arc<dyn Bindings>,
    propositions: IdVec<PropositionId, Proposition>,
    by_name: HashMap<String, PropositionId, FxBuildHasher>,
    declared: Vec<Assumption>,
    processes: Vec<Assumption>,
    can_fail: bool,
    /// The propositions that may go wrong, in increasing order.
    fallible: Vec<PropositionId>,
    relations: Mutex<Option<KnownRelations>>,
    mask: Mutex<Option<KnownMask>>,
}

/// The atoms that were asked about last, and which steps suffice for them.
type KnownRelations = (Vec<PropositionId>, Option<Arc<Relations>>);

/// The atoms that were asked about last, what puts variables back that they do not see, and how
/// many these are.
type KnownMask = (Vec<PropositionId>, Option<(Arc<Mask>, usize)>);

impl Model {
    /// The model as it is seen by these questions. Some languages leave out what no question
    /// looks at, so this may be another program than that of the text alone. If
    /// `asserts` is false, assertions that the model states are left out.
    ///
    /// # Errors
    ///
    /// If the model does not know an atom, or cannot be made.
    pub fn open(
        &self,
        questions: &[Question<'_>],
        asserts: bool,
    ) -> Result<OpenedProgram, OpenError> {
        let formulas: Vec<Formula> = questions
            .iter()
            .filter_map(|question| match question {
                Question::Formula(formula) => Some((*formula).clone()),
                _ => None,
            })
            .collect();
        let remade = self.bindings.remade(Demand::Formulas(&formulas))?;
        remade.as_ref().unwrap_or(self).open_as_it_is(questions, asserts)
    }

    /// The program as it has been made, with the atoms of these questions.
    ///
    /// # Errors
    ///
    /// If the model does not know an atom, or hides what a question looks at.
    pub fn open_as_it_is(
        &self,
        questions: &[Question<'_>],
        asserts: bool,
    ) -> Result<OpenedProgram, OpenError> {
        let mut program = self.program.clone();
        if !asserts {
            program.ignore_assertions();
        }
        let opened = OpenedProgram::new(program, Arc::clone(&self.bindings), questions)?;
        for (question, asked) in questions.iter().enumerate() {
            if let Question::Formula(formula) = asked
                && self.bindings.remade(Demand::Formulas(std::slice::from_ref(*formula)))?.is_some()
            {
                return Err(OpenError::Hidden { question });
            }
        }
        Ok(opened)
    }
}

impl OpenedProgram {
    fn new(
        mut program: Program,
        bindings: Arc<dyn Bindings>,
        questions: &[Question<'_>],
    ) -> Result<Self, OpenError> {
        let mut propositions = IdVec::new();
        let mut by_name = HashMap::default();
        for (question, asked) in questions.iter().enumerate() {
            for name in asked.atoms() {
                if by_name.contains_key(name) {
                    continue;
                }
                let proposition = bindings
                    .atom(&mut program, name)
                    .and_then(|proposition| check_indices(&program, proposition, name))
                    .map_err(|error| {
                        let atom = name.to_owned();
                        OpenError::Unbound { question, atom, error }
                    })?;
                by_name.insert(name.to_owned(), propositions.push(proposition));
            }
        }
        let mut assume = |fairness: &Fairness| Assumption {
            strength: fairness.strength,
            name: fairness.name.clone(),
            enabled: propositions.push(Proposition::Enabled(fairness.transitions.clone())),
            taken: propositions.push(Proposition::Taken(fairness.transitions.clone())),
        };
        let declared = program.fairness.iter().map(&mut assume).collect();
        let processes = process_fairness(&program).iter().map(&mut assume).collect();
        let layout = Layout::new(&program);
        let can_fail = analyze::can_fail(&program, &layout);
        let fallible = fallible(&program, &layout, &propositions);
        Ok(Self {
            program,
            bindings,
            propositions,
            by_name,
            declared,
            processes,
            can_fail,
            fallible,
            relations: Mutex::new(None),
            mask: Mutex::new(None),
        })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The same model with the room that was missing, for the same questions.
    ///
    /// # Errors
    ///
    /// If there is no more room.
    pub fn larger(
        &self,
        room: Room,
        questions: &[Question<'_>],
        asserts: bool,
    ) -> Result<Self, OpenError> {
        let Some(larger) = self.bindings.remade(Demand::Room(room.transition))? else {
            let message = "the program cannot have as much room as it needs";
            return Err(SourceError::new(Span::default(), message).into());
        };
        larger.open_as_it_is(questions, asserts)
    }

    /// What says which steps suffice for these atoms. Those of the last question are kept.
    fn relations(&self, shown: &[PropositionId]) -> Option<Arc<Relations>> {
        let mut known = self.relations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, relations)) = &*known
            && of == shown
        {
            return relations.clone();
        }
        // What is enabled or taken shows in which order steps are taken.
        let conditions: Option<Vec<ExpressionId>> =
            shown.iter().map(|&atom| self.condition(atom)).collect();
        let relations = Relations::new(&self.program, &conditions?).map(Arc::new);
        *known = Some((shown.to_vec(), relations.clone()));
        relations
    }

    /// What puts variables back that these atoms do not see. That of the last question is kept.
    fn mask(&self, shown: &[PropositionId]) -> Option<(Arc<Mask>, usize)> {
        let mut known = self.mask.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, mask)) = &*known
            && of == shown
        {
            return mask.clone();
        }
        // What is enabled or taken depends on nothing but guards, which are seen in any case.
        let conditions: Vec<ExpressionId> =
            shown.iter().filter_map(|&atom| self.condition(atom)).collect();
        let mask = Mask::new(&self.program, &conditions);
        let mask = mask.map(|(mask, n_unseen)| (Arc::new(mask), n_unseen));
        *known = Some((shown.to_vec(), mask.clone()));
        mask
    }

    /// The condition on states that a proposition is, if it is one.
    fn condition(&self, proposition: PropositionId) -> Option<ExpressionId> {
        match self.propositions[proposition] {
            Proposition::State(condition) => Some(condition),
            Proposition::Enabled(_) | Proposition::Taken(_) => None,
        }
    }

    fn list(&self, atoms: &[PropositionId]) -> Vec<Proposition> {
        atoms.iter().map(|&id| self.propositions[id].clone()).collect()
    }
}

impl Opened for OpenedProgram {
    type Executor<'a> = Executor<'a>;
    type Judge<'a> = Interpreter<'a>;
    type Store = Store;

    fn executor(&self, atoms: &[PropositionId]) -> Executor<'_> {
        Executor::new(Compiled::new(&self.program, &self.list(atoms)), None, None)
    }

    fn reduced(&self, shown: &[PropositionId], atoms: &[PropositionId]) -> Option<Executor<'_>> {
        let relations = self.relations(shown)?;
        let compiled = Compiled::new(&self.program, &self.list(atoms));
        let mask = self.mask(shown).map(|(mask, _)| mask);
        Some(Executor::new(compiled, mask, Some(relations)))
    }

    fn n_unseen(&self, shown: &[PropositionId]) -> usize {
        self.mask(shown).map_or(0, |(_, n_unseen)| n_unseen)
    }

    fn sliced(&self, shown: &[PropositionId], atoms: &[PropositionId]) -> Executor<'_> {
        let mask = self.mask(shown).map(|(mask, _)| mask);
        Executor::new(Compiled::new(&self.program, &self.list(atoms)), mask, None)
    }

    fn seen(&self, shown: &[PropositionId]) -> Option<Box<[u64]>> {
        self.mask(shown).map(|(mask, _)| mask.kept().into())
    }

    fn judge(&self, atoms: &[PropositionId]) -> Interpreter<'_> {
        Interpreter::new(&self.program, &self.list(atoms))
    }

    fn store(&self, kind: StoreKind) -> Store {
        Store::new(kind, Layout::new(&self.program).n_words())
    }

    fn proposition(&self, name: &str) -> Option<PropositionId> {
        self.by_name.get(name).copied()
    }

    fn is_about_steps(&self, proposition: PropositionId) -> bool {
        matches!(self.propositions[proposition], Proposition::Taken(_))
    }

    fn declared(&self) -> &[Assumption] {
        &self.declared
    }

    fn processes(&self) -> &[Assumption] {
        &self.processes
    }

    fn can_fail(&self) -> bool {
        self.can_fail
    }

    fn is_fallible(&self, proposition: PropositionId) -> bool {
        self.fallible.binary_search(&proposition).is_ok()
    }
}

/// A program alone, for which no question can be put into words.
impl From<Program> for OpenedProgram {
    fn from(program: Program) -> Self {
        let opened = Self::new(program, Arc::new(NoNames), &[]);
        opened.expect("there is no atom that could be unknown")
    }
}

/// The names of a program that has none.
#[derive(Debug)]
struct NoNames;

impl Bindings for NoNames {
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        let span = Span { start: 0, end: text.len() };
        Err(SourceError::new(span, "the program has no names"))
    }

    fn atom(&self, _: &mut Program, name: &str) -> Result<Proposition, SourceError> {
        let span = Span { start: 0, end: name.len() };
        Err(SourceError::new(span, "the program has no names"))
    }
}

/// The transitions of every process that has some. A transition of two processes counts for both.
fn process_fairness(program: &Program) -> Vec<Fairness> {
    let mut of_process: Vec<Vec<TransitionId>> = vec![Vec::new(); program.processes.len()];
    for (id, transition) in program.transitions.entries() {
        of_process[transition.process.index()].push(id);
        if let Some(partner) = transition.partner.filter(|&partner| partner != transition.process) {
            of_process[partner.index()].push(id);
        }
    }
    let named = program.processes.iter().zip(of_process);
    let moving = named.filter(|(_, transitions)| !transitions.is_empty());
    moving
        .map(|(process, transitions)| Fairness {
            strength: Strength::Weak,
            name: process.name.clone(),
            transitions,
            span: Span::default(),
        })
        .collect()
}

/// The propositions that may go wrong, as far as bounds can tell.
fn fallible(
    program: &Program,
    layout: &Layout,
    propositions: &IdVec<PropositionId, Proposition>,
) -> Vec<PropositionId> {
    let condition = |proposition: &Proposition| match proposition {
        Proposition::State(expression) => Some(*expression),
        Proposition::Enabled(_) | Proposition::Taken(_) => None,
    };
    let mut conditions: Vec<ExpressionId> = propositions.iter().filter_map(condition).collect();
    conditions.sort_unstable();
    let failing = analyze::conditions_that_can_fail(program, layout, &conditions);
    let fails = |proposition: &Proposition| {
        condition(proposition).is_some_and(|id| failing.binary_search(&id).is_ok())
    };
    propositions.entries().filter(|(_, one)| fails(one)).map(|(id, _)| id).collect()
}

/// Passes an atom on unless it asks for an element that an array never has.
fn check_indices(
    program: &Program,
    atom: Proposition,
    name: &str,
) -> Result<Proposition, SourceError> {
    let mut seen: HashSet<ExpressionId, FxBuildHasher> = HashSet::default();
    let mut open: Vec<ExpressionId> = match &atom {
        Proposition::State(expression) => vec![*expression],
        Proposition::Enabled(_) | Proposition::Taken(_) => Vec::new(),
    };
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let expression = program.view(id);
        if let Expression::Element(array, index) = expression
            && let Some(index) = program.as_constant(index)
        {
            let variable = &program.variables[array];
            let len = variable.n_elements();
            if usize::try_from(index).ok().is_none_or(|index| len <= index) {
                let kind = FaultKind::Index { variable: variable.name.clone(), index, len };
                let span = Span { start: 0, end: name.len() };
                return Err(SourceError::new(span, kind.to_string()));
            }
        }
        open.extend(expression.operands());
    }
    Ok(atom)
}
