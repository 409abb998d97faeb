//! The successors of one group of conjuncts that share variables.
//!
//! A group is known by its conjuncts, so configurations that have a group in
//! common compute it once. Its diagrams number only its own variables; the
//! atoms are quantified away, and the minimal models over locations and loops
//! are enumerated on demand and remembered. Where signs are about atoms of the
//! group, the models that are minimal for *some* letter are enumerated: one that
//! is not minimal otherwise may be the only one that allows a needed letter, as
//! in `G (a | X b) & G F !a`.

use super::Successors;
use super::direct::Offers;
use super::encoding::{Variable, VariableId};
use super::minimal::{AllModels, MinimalModels};
use super::order;
use super::quantify::{Failure, Quantifier};
use super::solver::Solved;
use super::step::{Input, Stepper};
use crate::bdd::{self, Diagrams, OutOfMemory};
use crate::id::{Id, IdVec, define_id};
use crate::lwaa::{LocationId, TransitionId};
use crate::search::limits::{Budget, Exhausted};
use crate::sets::Sets;
use crate::word::Letter;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

define_id! {
    /// A group of conjuncts, as numbered by [`Groups`].
    pub(super) struct GroupId;
}

/// All groups seen so far.
pub(super) struct Groups<D: Diagrams> {
    ids: Sets<GroupId, TransitionId>,
    groups: IdVec<GroupId, Group<D>>,
    package: Package<D>,
    /// What conjuncts offer, if diagrams are not to be used.
    offers: Option<Offers>,
    /// Groups for which diagrams of this capacity are too small are solved by a solver.
    max_diagrams: usize,
    /// Look-ups that found a group known.
    pub(super) hits: u64,
}

/// What is known of a group.
struct Group<D: Diagrams> {
    /// Ends of the models in `elements`.
    ends: Vec<u32>,
    elements: Vec<VariableId>,
    progress: Progress<D>,
}

/// How far the enumeration of a group is.
enum Progress<D: Diagrams> {
    NotStarted,
    Running(Box<Enumeration<D>>),
    Solving(Box<Solved>),
    Finished,
}

/// A running enumeration, with the diagrams that it is about.
struct Enumeration<D: Diagrams> {
    diagrams: Rc<D>,
    models: Models<D>,
    /// The variables of the group by their numbers in the diagrams.
    variables: Box<[VariableId]>,
}

/// Which models are enumerated.
enum Models<D: Diagrams> {
    /// The minimal ones of a monotone function.
    Minimal(MinimalModels<D>),
    /// All of a function that says which ones are minimal for some letter.
    All(AllModels<D>),
}

impl<D: Diagrams> Models<D> {
    fn next(&mut self, diagrams: &D) -> Result<Option<&[bdd::VariableId]>, OutOfMemory> {
        match self {
            Self::Minimal(models) => models.next(diagrams),
            Self::All(models) => Ok(models.next(diagrams)),
        }
    }
}

/// A group that fills diagrams with so many nodes is solved by a solver. It might fit into
/// larger ones, but how large they get is not known before.
const MAX_DIAGRAMS: usize = 1 << 19;

impl<D: Diagrams> Groups<D> {
    pub(super) fn new(max_capacity: usize) -> Self {
        Self {
            ids: Sets::new(),
            groups: [Group::new()].into_iter().collect(), // The empty set of conjuncts.
            package: Package::new(max_capacity),
            offers: None,
            max_diagrams: MAX_DIAGRAMS,
            hits: 0,
        }
    }

    /// Says how groups that are not known yet are to be solved.
    pub(super) fn set_successors(&mut self, successors: Successors) {
        self.offers = (successors == Successors::Direct).then(Offers::default);
        self.max_diagrams = if successors == Successors::Sat { 0 } else { MAX_DIAGRAMS };
    }

    /// The group of `conjuncts`, which are sorted.
    pub(super) fn intern(&mut self, conjuncts: &[TransitionId]) -> GroupId {
        let id = self.ids.intern(conjuncts);
        if id.index() < self.groups.len() {
            self.hits += 1;
        } else {
            self.groups.push(Group::new());
        }
        id
    }

    /// The number of groups, without the empty one.
    pub(super) fn len(&self) -> usize {
        self.groups.len() - 1
    }

    /// The minimal model number `index` of a group: locations and loops.
    pub(super) fn model(
        &mut self,
        id: GroupId,
        index: usize,
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<Option<&[VariableId]>, Exhausted> {
        let mut is_alone = false;
        while self.groups[id].ends.len() <= index {
            if let Progress::Finished = self.groups[id].progress {
                return Ok(None);
            }
            if let Err(failure) = self.advance(id, stepper, budget) {
                let capacity = match &self.groups[id].progress {
                    Progress::Running(enumeration) => enumeration.diagrams.capacity(),
                    _ => self.package.capacity,
                };
                if let Progress::Solving(_) = self.groups[id].progress {
                    return Err(failure.exhausted(capacity));
                }
                // The order of models is fixed, so we can start again.
                self.groups[id].progress = Progress::NotStarted;
                let is_full = matches!(failure, Failure::OutOfMemory);
                if is_full && self.max_diagrams <= capacity && self.begin_to_solve(id, stepper) {
                    // The next group gets empty ones.
                    self.package.diagrams = None;
                    continue;
                }
                self.recover(failure, capacity, &mut is_alone)?;
            }
        }
        Ok(Some(self.groups[id].model(index)))
    }

    /// Leaves a group to a solver, unless signs are about its atoms. Says whether it does.
    fn begin_to_solve(&mut self, id: GroupId, stepper: &mut Stepper) -> bool {
        let conjuncts = self.ids.elements(id);
        if stepper.variables(conjuncts).iter().any(|&variable| stepper.is_shown(variable)) {
            return false;
        }
        let group = &self.groups[id];
        let known = (0..group.ends.len()).map(|number| group.model(number));
        let solved = Solved::new(conjuncts, stepper, known);
        self.groups[id].progress = Progress::Solving(Box::new(solved));
        true
    }

    /// Takes larger diagrams from now on if those of `capacity` were full. At
    /// the largest capacity, takes fresh ones that no other group has a part
    /// in, once.
    fn recover(
        &mut self,
        failure: Failure,
        capacity: usize,
        is_alone: &mut bool,
    ) -> Result<(), Exhausted> {
        if let Failure::Exhausted(exhausted) = failure {
            return Err(exhausted);
        }
        if capacity < self.package.capacity {
            return Ok(()); // Larger ones are in use already.
        }
        self.package.diagrams = None;
        if capacity < self.package.max_capacity {
            self.package.capacity = capacity.saturating_mul(Package::<D>::GROWTH);
            self.package.capacity = self.package.capacity.min(self.package.max_capacity);
            tracing::debug!(capacity = self.package.capacity, "larger decision diagrams");
            return Ok(());
        }
        if std::mem::replace(is_alone, true) {
            return Err(Exhausted::Diagrams { capacity });
        }
        for id in self.groups.ids() {
            if let Progress::Running(_) = self.groups[id].progress {
                self.groups[id].progress = Progress::NotStarted;
            }
        }
        Ok(())
    }

    /// Finds one more model of a group.
    fn advance(
        &mut self,
        id: GroupId,
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<(), Failure> {
        if let Some(offers) = &mut self.offers {
            let models = offers.models(self.ids.elements(id), stepper, budget)?;
            self.groups[id].fill(&models);
            return Ok(());
        }
        let is_new = matches!(self.groups[id].progress, Progress::NotStarted);
        if is_new && self.max_diagrams == 0 {
            self.begin_to_solve(id, stepper);
        }
        if let Progress::Solving(solved) = &mut self.groups[id].progress {
            match solved.next(budget)? {
                Some(model) => self.groups[id].push(&model),
                None => self.groups[id].progress = Progress::Finished,
            }
            return Ok(());
        }
        let n_known = self.groups[id].ends.len();
        if let Progress::NotStarted = self.groups[id].progress {
            let conjuncts = self.ids.elements(id);
            let mut enumeration =
                Enumeration::start(conjuncts, stepper, &mut self.package, budget)?;
            for _ in 0..n_known {
                budget.poll()?;
                enumeration.models.next(&enumeration.diagrams)?;
            }
            self.groups[id].progress = Progress::Running(Box::new(enumeration));
        }
        let group = &mut self.groups[id];
        let Progress::Running(enumeration) = &mut group.progress else { return Ok(()) };
        let Enumeration { diagrams, models, variables } = &mut **enumeration;
        budget.poll()?;
        if let Some(model) = models.next(diagrams)? {
            group.elements.extend(model.iter().map(|variable| variables[variable.index()]));
            group.ends.push(u32::try_from(group.elements.len()).expect("fewer than 2^32"));
        } else {
            group.progress = Progress::Finished;
        }
        Ok(())
    }

    /// A letter that satisfies all of `conjuncts`, which are about atoms only,
    /// if there is one.
    pub(super) fn find_letter(
        &mut self,
        conjuncts: impl IntoIterator<Item = TransitionId>,
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Letter>, Exhausted> {
        // Most atoms follow or may be chosen; only the others need diagrams.
        let Ok(parts) = stepper.step(conjuncts, Input::Some) else { return Ok(None) };
        let mut letter = parts.atoms;
        for group in &parts.groups {
            let mut is_alone = false;
            loop {
                match self.solve(group, stepper, &mut letter, budget) {
                    Ok(true) => break,
                    Ok(false) => return Ok(None),
                    Err(Failure::OutOfMemory) if self.max_diagrams <= self.package.capacity => {
                        let values = Solved::letter(group, stepper, budget)?;
                        let Some(values) = values else { return Ok(None) };
                        set_atoms(&mut letter, values, stepper);
                        break;
                    }
                    Err(failure) => {
                        self.recover(failure, self.package.capacity, &mut is_alone)?;
                    }
                }
            }
        }
        Ok(Some(letter))
    }

    /// Adds to `letter` atoms that satisfy `conjuncts`, which are about atoms
    /// only. Says whether there are any.
    fn solve(
        &mut self,
        conjuncts: &[TransitionId],
        stepper: &mut Stepper,
        letter: &mut Letter,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Failure> {
        if self.offers.is_some() {
            let Some(values) = Offers::letter(conjuncts, stepper, budget)? else {
                return Ok(false);
            };
            set_atoms(letter, values, stepper);
            return Ok(true);
        }
        if self.max_diagrams == 0 {
            return Err(Failure::OutOfMemory);
        }
        let variables = variables_of(conjuncts, stepper);
        let diagrams = self.package.with_variables(variables.len())?;
        let values = Quantifier::new(&*diagrams, &variables, stepper, budget).witness(conjuncts)?;
        let Some(values) = values else { return Ok(false) };
        let values = values.into_iter().map(|(number, value)| (variables[number.index()], value));
        set_atoms(letter, values, stepper);
        Ok(true)
    }
}

/// Gives atoms of `letter` their values.
fn set_atoms(
    letter: &mut Letter,
    values: impl IntoIterator<Item = (VariableId, bool)>,
    stepper: &Stepper,
) {
    for (variable, value) in values {
        if let Variable::Atom(atom) = stepper.encoding().variable(variable) {
            letter.set(atom, value);
        }
    }
}

impl<D: Diagrams> Group<D> {
    fn new() -> Self {
        Self { ends: Vec::new(), elements: Vec::new(), progress: Progress::NotStarted }
    }

    /// All models at once.
    fn fill(&mut self, models: &[Vec<VariableId>]) {
        for model in models {
            self.push(model);
        }
        self.progress = Progress::Finished;
    }

    /// One more model.
    fn push(&mut self, model: &[VariableId]) {
        self.elements.extend(model);
        self.ends.push(u32::try_from(self.elements.len()).expect("fewer than 2^32"));
    }

    fn model(&self, index: usize) -> &[VariableId] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.elements[start as usize..self.ends[index] as usize]
    }
}

impl<D: Diagrams> Enumeration<D> {
    fn start(
        conjuncts: &[TransitionId],
        stepper: &mut Stepper,
        package: &mut Package<D>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Failure> {
        let variables = variables_of(conjuncts, stepper);
        let diagrams = package.with_variables(variables.len())?;
        let has_shown = variables.iter().any(|&variable| stepper.is_shown(variable));
        let is_chosen = |&number: &usize| !stepper.encoding().is_atom(variables[number]);
        let chosen: Vec<bdd::VariableId> =
            (0..variables.len()).filter(is_chosen).map(bdd::VariableId::new).collect();
        let mut quantifier = Quantifier::new(&*diagrams, &variables, stepper, budget);
        let models = if has_shown {
            let function = quantifier.each_letter(conjuncts)?;
            Models::All(AllModels::new(function, chosen))
        } else {
            let function = quantifier.some_letter(conjuncts)?;
            Models::Minimal(MinimalModels::new(&*diagrams, function))
        };
        Ok(Self { diagrams, models, variables })
    }
}

/// The variables of a group in the order of the diagrams.
fn variables_of(conjuncts: &[TransitionId], stepper: &mut Stepper) -> Box<[VariableId]> {
    /// Smaller groups are small in any order.
    const MIN_VARIABLES: usize = 8;
    let mut variables = stepper.variables(conjuncts);
    variables.sort_unstable_by_key(|&variable| stepper.encoding().place(variable));
    if variables.len() < MIN_VARIABLES {
        // Models without a variable come before those with it, so with loops
        // in front the steps that take none come first.
        let encoding = stepper.encoding();
        let is_loop =
            |&variable: &VariableId| matches!(encoding.variable(variable), Variable::Loop(_));
        variables.sort_by_key(|variable| !is_loop(variable));
        return variables.into();
    }
    let numbers: HashMap<VariableId, usize, FxBuildHasher> =
        variables.iter().enumerate().map(|(number, &variable)| (variable, number)).collect();
    // A single disjunction is structured by its operands.
    let parts = match conjuncts {
        &[only] => stepper.transitions().shape(only).operands().to_vec(),
        several => several.to_vec(),
    };
    let mut edges = Vec::with_capacity(parts.len());
    for part in parts {
        edges.push(stepper.support(part).iter().map(|(variable, _)| numbers[variable]).collect());
    }
    order::arrange(variables.len(), &edges).into_iter().map(|number| variables[number]).collect()
}

/// The diagrams in use, replaced by larger ones when they are full.
struct Package<D> {
    diagrams: Option<Rc<D>>,
    capacity: usize,
    max_capacity: usize,
}

impl<D: Diagrams> Package<D> {
    /// Most formulas never need more.
    const FIRST_CAPACITY: usize = 1 << 16;
    const GROWTH: usize = 8;

    fn new(max_capacity: usize) -> Self {
        Self { diagrams: None, capacity: Self::FIRST_CAPACITY.min(max_capacity), max_capacity }
    }

    fn with_variables(&mut self, n_variables: usize) -> Result<Rc<D>, Exhausted> {
        if let Some(diagrams) = &self.diagrams
            && n_variables <= diagrams.n_variables()
        {
            return Ok(Rc::clone(diagrams));
        }
        let refused = Exhausted::Refused { capacity: self.capacity };
        // Variables are added to a package that has no other owner; otherwise
        // running enumerations keep theirs and we take a new one.
        let mut diagrams = match self.diagrams.take().map(Rc::try_unwrap) {
            Some(Ok(unshared)) => unshared,
            _ => D::with_capacity(self.capacity).map_err(|OutOfMemory| refused)?,
        };
        let n_variables = n_variables.next_power_of_two().max(16);
        diagrams.grow_to(n_variables).map_err(|OutOfMemory| refused)?;
        let diagrams = Rc::new(diagrams);
        self.diagrams = Some(Rc::clone(&diagrams));
        Ok(diagrams)
    }
}

impl<D: Diagrams> std::fmt::Debug for Groups<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Groups({})", self.len())
    }
}

/// Appends what `variables` stand for to `locations` and `loops`.
pub(super) fn append_model(
    variables: &[VariableId],
    stepper: &Stepper,
    locations: &mut Vec<LocationId>,
    loops: &mut Vec<LocationId>,
) {
    for &variable in variables {
        match stepper.encoding().variable(variable) {
            Variable::Location(location) => locations.push(location),
            Variable::Loop(location) => loops.push(location),
            Variable::Atom(atom) => unreachable!("{atom:?} has been quantified away"),
        }
    }
}
