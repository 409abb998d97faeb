//! What errors of the model mean for the verdict on a property.
//!
//! An error is a transition that goes wrong, a state in which an atom of the property does, or a
//! deadlock that was to be reported. An atom that goes wrong ends all runs that come to the
//! state, before its letter is read; all atoms of the property as written count in every state,
//! whether or not anything still depends on them. Automata look at different atoms at different
//! times, so no other definition would be the same for all engines. A property is *violated* if a run without error violates it, or if
//! a run into an error has violated it before: its states are a bad prefix, see
//! [`truncated`](crate::ltl::semantics::truncated). Else the model is *wrong* if an error can be
//! reached at all, and only else the property *holds*. So no verdict depends on the order in
//! which a search meets errors.
//!
//! The product goes on behind errors, and tells of the first one. It also tells of errors
//! behind which its automaton has nothing left to ask for, which are bad prefixes mostly.
//! What is left to be asked when it has found nothing:
//!
//! 1. Can an error be reached? If the automaton had no step in some states, the search has left
//!    out their successors, so all states are explored, unless no transition and no atom can
//!    fail. The run that is shown is a shortest one.
//! 2. If so, is there a bad prefix? A claim has one if it has come to its end. Methods simplify
//!    formulas, treat fairness as acceptance or make Büchi automata, so this is asked of an
//!    automaton that follows the text of the formula, and the answer is the same for all of them.

use super::{Bound, Found, ModelCheck, News, Question, claim, trace};
use crate::baseline::prefixes;
use crate::baseline::translation::{self, Translation};
use crate::bdd::Diagrams;
use crate::check::lifted::lifted;
use crate::check::{Case, Exploration, Options, configurations, explore};
use crate::configuration::{Labels, Successors};
use crate::ltl::nnf::{self, Nodes};
use crate::ltl::print::{Dialect, bounded};
use crate::ltl::semantics::truncated;
use crate::ltl::{Formula, Term, informative};
use crate::lwaa::build;
use crate::product::{
    ConfigurationCursor, ConfigurationProduct, Deadlock, Errors, Halt, Product, Treatment, Watch,
};
use crate::recurrence::Recurrence;
use crate::run::{Ending, Run};
use crate::search::coverage::Coverage;
use crate::search::limits::{Budget, Exhausted};
use crate::search::scc::Search;
use crate::store::{StateStore, StoreKind};
use crate::system::{Opened, PropositionId, TransitionSystem};
use crate::verdict::{Incomplete, Reduction, Statistics, Verdict, Violation};

/// How many pairs of a letter and a subformula are looked at to say where a run violates a
/// formula.
const MAX_WORK: usize = 1 << 28;

/// How much text of a formula is shown.
const MAX_PART: usize = 200;

/// What is known about the errors of a model.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Known {
    /// Whether there may be errors of transitions, or deadlocks to be reported.
    may_exist: bool,
    /// The atoms of the current question that can go wrong.
    pub(super) atoms: Vec<PropositionId>,
    /// Shortest runs into errors, if they have been looked for, by these atoms.
    first: Vec<(Vec<PropositionId>, First)>,
    /// Whether the first error has been told.
    has_told: bool,
    /// Whether a search for the current question has met an error.
    has_met: bool,
    /// Whether one of these searches has looked at all states.
    has_covered: bool,
}

/// A shortest run into an error, if there is an error, and how much has been looked at.
type First = (Option<Run>, Option<Coverage>);

impl Known {
    pub(super) fn new<O: Opened>(system: &O, deadlock: Deadlock) -> Self {
        Self {
            may_exist: deadlock == Deadlock::Report || system.can_fail(),
            atoms: Vec::new(),
            first: Vec::new(),
            has_told: false,
            has_met: false,
            has_covered: false,
        }
    }

    /// Another question is asked.
    pub(super) fn begin<O: Opened>(&mut self, question: Question<'_>, system: &O, bound: &Bound) {
        (self.has_met, self.has_covered) = (false, false);
        let asked = question.atoms().into_iter().map(|name| bound.propositions[name]);
        self.atoms = asked.filter(|&atom| system.is_fallible(atom)).collect();
    }

    /// Whether there may be errors, as far as bounds tell.
    pub(super) fn can_be(&self) -> bool {
        self.may_exist || !self.atoms.is_empty()
    }

    /// `atoms`, and behind them those that can go wrong and are not among them: a search has to
    /// evaluate all of them, whatever its automaton looks at.
    pub(super) fn with_fallible(&self, mut atoms: Vec<PropositionId>) -> Vec<PropositionId> {
        for &atom in &self.atoms {
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        atoms
    }

    /// Notes what a search has seen.
    pub(super) fn note(&mut self, watch: Watch) {
        self.has_met |= watch.has_seen;
        self.has_covered |= !watch.has_skipped;
    }
}

/// How a search treats errors that can be resumed behind them.
pub(super) fn watch(errors: Errors, looks_for_prefixes: bool) -> Watch {
    let stops = errors == Errors::Stop;
    let looks_for_prefixes = looks_for_prefixes && !stops;
    Watch { stops, looks_for_prefixes, ..Watch::default() }
}

/// How a search treats errors that cannot be resumed.
pub(super) fn silent_watch(errors: Errors) -> Watch {
    Watch { has_met: true, ..watch(errors, false) }
}

/// How a run ends at which a search has ended, or the limit.
pub(super) fn ending(halt: Halt) -> Result<Ending, Exhausted> {
    match halt {
        Halt::Exhausted(exhausted) => Err(exhausted),
        Halt::Room(_) => unreachable!("a system that is too small is opened again"),
        Halt::Fault(fault) => Ok(Ending::Fault(fault)),
        Halt::Deadlock => Ok(Ending::Deadlock),
        Halt::Decided(error) => ending(*error),
    }
}

/// What a run into an error is judged by.
pub(super) struct About<'a, O> {
    pub(super) formula: &'a Formula,
    pub(super) system: &'a O,
    pub(super) bound: &'a Bound,
}

impl<O: Opened> About<'_, O> {
    /// Where a run into an error violates the formula: the last letter is that of the step
    /// that goes wrong. Where an atom goes wrong, there is no such letter.
    fn failure(&self, run: &Run) -> Option<truncated::Failure> {
        let atoms = self.formula.atoms();
        let letters = trace::letters(self.system, self.bound, atoms, run.readable());
        truncated::failure(self.formula, &letters)
    }
}

/// A search that goes on behind errors.
pub(super) struct Meeting<'a, O> {
    pub(super) about: About<'a, O>,
    pub(super) known: &'a mut Known,
    /// The atoms of the question, if there is something that they do not see.
    pub(super) sliced: Option<&'a [PropositionId]>,
    pub(super) tell: &'a mut dyn FnMut(News<'_, O>),
}

impl<O: Opened> Meeting<'_, O> {
    /// Searches a product to the end. Returns a run into an error that has violated the
    /// formula, if the search comes to one.
    pub(super) fn search<S: TransitionSystem, T: StateStore, D: Diagrams>(
        &mut self,
        product: &mut ConfigurationProduct<'_, S, T, D>,
        search: &mut Search<ConfigurationCursor>,
        names: &trace::ObligationNames,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Run>, Halt> {
        let looks_for_prefixes = product.watch().looks_for_prefixes;
        let mut outcome = if search.has_begun() {
            search.resume(product, budget)
        } else {
            search.run(product, budget)
        };
        loop {
            // What follows takes edges again that have been told of.
            product.watch().looks_for_prefixes = false;
            let error = match outcome {
                Err(error) if error.is_error() && !product.watch().stops => error,
                other => {
                    if search.is_paused() {
                        product.watch().looks_for_prefixes = looks_for_prefixes;
                    } else if !matches!(other, Err(Halt::Exhausted(_))) {
                        // A search that is not finished has not covered anything.
                        self.known.note(*product.watch());
                    }
                    return other.map(|_| None);
                }
            };
            let is_decided = matches!(error, Halt::Decided(_));
            let run = names.path(product, search, error, budget)?;
            if is_decided && self.about.failure(&run).is_some() {
                self.known.note(*product.watch());
                return Ok(Some(run));
            }
            self.meet(&run);
            product.watch().looks_for_prefixes = looks_for_prefixes;
            outcome = search.resume(product, budget);
        }
    }

    fn meet(&mut self, run: &Run) {
        if std::mem::replace(&mut self.known.has_told, true) {
            return;
        }
        match self.sliced {
            None => (self.tell)(News::Error(run)),
            Some(shown) => {
                if let Some(run) = lifted(self.about.system, shown, run) {
                    (self.tell)(News::Error(&run));
                }
            }
        }
    }
}

impl<O: Opened> ModelCheck<'_, O> {
    /// A shortest run into an error, if one can be reached.
    pub(super) fn first_error(
        &mut self,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Option<Run>, Halt> {
        let atoms = &self.errors.atoms;
        let known = self.errors.first.iter().find(|(of, _)| of == atoms);
        let (first, coverage) = match known {
            Some((_, known)) => known.clone(),
            None => self.explore_errors(budget, statistics)?,
        };
        statistics.coverage = statistics.coverage.or(coverage);
        Ok(first)
    }

    /// Explores states until there is an error.
    fn explore_errors(
        &mut self,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<First, Halt> {
        let treatment = Treatment { deadlock: self.options.deadlock, errors: Errors::Stop };
        let (atoms, store) = (&self.errors.atoms, self.options.store);
        let system = (self.system, self.worker(atoms));
        let found =
            explore::explore_within(system, atoms, store, treatment, budget).map_err(Halt::Room)?;
        if let Some(Reduction::On(more)) = found.statistics.reduction {
            statistics.add_reduced(Some(more));
        }
        statistics.states = statistics.states.max(found.states);
        statistics.state_bytes = statistics.state_bytes.max(found.statistics.state_bytes);
        statistics.transitions += found.transitions;
        let first = match found.incomplete {
            Some(Incomplete::Limit(exhausted)) => return Err(exhausted.into()),
            // Other questions do not see other things.
            Some(Incomplete::ModelError(run)) => match &self.sliced {
                Some(shown) => Some(lifted(self.system, shown, &run).unwrap_or(run)),
                None => Some(run),
            },
            Some(Incomplete::Lossy(_)) | None => None,
        };
        let first = (first, found.statistics.coverage);
        self.errors.first.push((atoms.clone(), first.clone()));
        Ok(first)
    }

    /// What there is to find when no run without error is as asked for: a run into an error
    /// that has violated the property before, or an error.
    pub(super) fn with_errors<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let Known { has_met, has_covered, may_exist, ref atoms, .. } = self.errors;
        if !has_met && (has_covered || !may_exist && atoms.is_empty()) {
            return Ok(Found::Nothing);
        }
        let Some(run) = self.first_error(budget, statistics)? else { return Ok(Found::Nothing) };
        let stops = self.options.errors == Errors::Stop;
        if !stops && !self.options.exists {
            match self.prefix::<D>(question, budget, statistics)? {
                Found::Nothing => (),
                found => return Ok(found),
            }
        }
        Ok(Found::Error(run))
    }

    /// Looks for a run into an error that has violated the property before.
    fn prefix<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        match question {
            Question::Formula(formula) if self.options.store == StoreKind::Bitstate => {
                self.bad_prefix_in_bits(formula, budget, statistics)
            }
            Question::Formula(formula) => self.bad_prefix::<D>(formula, budget, statistics),
            Question::Claim(claim) => {
                let automaton = claim::automaton(claim);
                let decided = prefixes::universal_states(&automaton);
                self.search_prefix(&automaton, decided, budget, statistics)
            }
            Question::Errors => Ok(Found::Nothing),
        }
    }

    /// Looks for a run into an error whose states are a bad prefix of `formula`.
    fn bad_prefix<D: Diagrams>(
        &mut self,
        formula: &Formula,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let mut nnf = informative::of(&nnf::from_formula(&formula.negated()));
        if nnf.root == Nodes::FALSE {
            return Ok(Found::Nothing);
        }
        let n_read = nnf.atoms.len();
        let limits = crate::check::truth();
        let recurrence = Recurrence::new(&limits, &mut nnf.atoms);
        let case = Case { lwaa: build::from_nnf(nnf), n_read, recurrence, limits };
        let options = &self.options.options;
        let exact = Exploration { labels: Labels::Exact, ..options.method.exploration() };
        let options = Options { method: exact.into(), ..options.clone() };
        let graph = configurations::<D>(&case.lwaa, &options, Successors::Bdd);
        let watch = Watch { looks_for_prefixes: true, has_met: true, ..Watch::default() };
        let moves = self.moves(&case, graph).watching(watch);
        let mut product = Product::new(moves, self.store);
        // Runs that never go into an error are not what is looked for.
        let mut search = Search::new(case.recurrence.acceptance().clone()).exhaustive();
        let names = trace::ObligationNames::new(&case.lwaa, &case.limits);
        let about = About { formula, system: self.system, bound: self.bound };
        let mut meeting = Meeting {
            about,
            known: &mut self.errors,
            sliced: self.sliced.as_deref(),
            tell: &mut *self.tell,
        };
        let found = meeting.search(&mut product, &mut search, &names, budget);
        statistics.states = statistics.states.max(product.store().len());
        statistics.nodes += search.counters().nodes;
        statistics.transitions += search.counters().edges;
        Ok(found?.map_or(Found::Nothing, Found::Run))
    }

    /// The same by a Büchi automaton, which needs no store of states.
    fn bad_prefix_in_bits(
        &mut self,
        formula: &Formula,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let nnf = informative::of(&nnf::from_formula(&formula.negated()));
        if nnf.root == Nodes::FALSE {
            return Ok(Found::Nothing);
        }
        let automaton = translation::buchi(&nnf, Translation::Gpvw, true, budget)?;
        let decided = prefixes::accepting_loops(&automaton);
        let found = self.search_prefix(&automaton, decided, budget, statistics)?;
        let about = About { formula, system: self.system, bound: self.bound };
        Ok(match found {
            Found::Run(run) if about.failure(&run).is_none() => Found::Nothing,
            found => found,
        })
    }

    /// Where the run of a verdict violates `formula`. If deadlocks are left out, not every
    /// finite run can be continued, so nothing is said.
    pub(super) fn violation(&self, formula: &Formula, verdict: &Verdict) -> Option<Violation> {
        let about = About { formula, system: self.system, bound: self.bound };
        let terms = formula.terms();
        let failure = match verdict {
            Verdict::Violated(run) if !run.is_infinite() => about.failure(run)?,
            Verdict::Violated(run) if self.options.deadlock != Deadlock::Ignore => {
                let is_next = |&id: &_| matches!(terms.term(id), Term::Next(_));
                let n_nexts = terms.ids().filter(is_next).count();
                let n_letters = run.moments.len() + run.cycle().len() + n_nexts;
                if MAX_WORK / terms.len().max(1) < n_letters {
                    return None;
                }
                let moments = (0..n_letters).filter_map(|position| run.at(position));
                let letters = trace::letters(self.system, self.bound, formula.atoms(), moments);
                truncated::failure(formula, &letters)?
            }
            _ => return None,
        };
        let mut part = formula.subformula(failure.part);
        if failure.is_negated {
            part = part.negated();
        }
        let part = match part.terms().term(part.root()) {
            Term::Atom(atom) => part.atoms().name(atom).to_owned(),
            _ => bounded(&part, Dialect::Lwaa, MAX_PART).unwrap_or_else(|| "…".to_owned()),
        };
        let propositions = self.bound.list(formula.atoms());
        let is_about_steps = propositions.iter().any(|&id| self.system.is_about_steps(id));
        let truncated::Failure { position, since, .. } = failure;
        Some(Violation { position, part, since, is_about_steps })
    }
}
