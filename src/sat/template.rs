//! One step of an automaton as clauses, to be copied for each position of a word.
//!
//! A *frame* has a variable for each location (it is in the configuration), each
//! atom, and each until (it takes its own loop, [`Leaf::Loop`]), and auxiliary
//! ones. A step relates a frame to the locations of the next one: each location of
//! the configuration has its transition formula δ⁺ satisfied.
//!
//! Transition formulas are positive in locations and loops. So a location implies
//! its formula and not the other way round, and the same holds for auxiliary
//! variables, which stand for parts of formulas: one direction of Tseitin's
//! definitions is enough, and a solver may always leave a location out that nobody
//! asks for.

use super::solver::Literal;
use crate::dag::Shape;
use crate::id::{Id, IdVec};
use crate::lwaa::{Leaf, LocationId, Lwaa, TransitionId};
use crate::word::AtomId;

/// The clauses of a step.
#[derive(Debug)]
pub(super) struct Template {
    n_locations: usize,
    n_atoms: usize,
    /// The locations that can take loops.
    untils: Vec<LocationId>,
    /// Variables of a frame.
    n_variables: usize,
    /// All clauses, one behind the other.
    literals: Vec<Literal>,
    /// Where each clause ends; it begins where the one before ends.
    ends: Vec<usize>,
}

impl Template {
    /// The clauses of a step of `lwaa`.
    pub(super) fn new(lwaa: &Lwaa) -> Self {
        let untils: Vec<LocationId> =
            lwaa.locations().filter(|(_, location)| location.until).map(|(id, _)| id).collect();
        let (n_locations, n_atoms) = (lwaa.n_locations(), lwaa.atoms().len());
        let mut writer = Writer {
            lwaa,
            n_uses: uses(lwaa),
            auxiliaries: IdVec::filled(None, lwaa.transitions().len()),
            template: Self {
                n_locations,
                n_atoms,
                n_variables: n_locations + n_atoms + untils.len(),
                untils,
                literals: Vec::new(),
                ends: Vec::new(),
            },
            open: Vec::new(),
        };
        for (id, location) in lwaa.locations() {
            writer.open.push((Variable::Location(id.index()), location.step));
            writer.write_open();
        }
        let mut template = writer.template;
        // Locations of the next frame follow the variables of this one.
        let n_variables = template.n_variables;
        for literal in &mut template.literals {
            if let Some(location) = literal.variable().checked_sub(NEXT) {
                *literal = Literal::new(n_variables + location, literal.is_positive());
            }
        }
        template
    }

    /// Variables of a frame. The locations come first.
    pub(super) fn n_variables(&self) -> usize {
        self.n_variables
    }

    pub(super) fn n_locations(&self) -> usize {
        self.n_locations
    }

    /// The locations that can take loops; they have consecutive variables.
    pub(super) fn untils(&self) -> &[LocationId] {
        &self.untils
    }

    pub(super) fn location(location: LocationId) -> usize {
        location.index()
    }

    pub(super) fn atom(&self, atom: AtomId) -> usize {
        self.n_locations + atom.index()
    }

    /// The variable for the loop of the until with this number.
    pub(super) fn taken_loop(&self, until: usize) -> usize {
        self.n_locations + self.n_atoms + until
    }

    /// All clauses. A variable that a frame does not have is a location of the
    /// next one, after [`n_variables`](Self::n_variables) others.
    pub(super) fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.literals[start..end];
            start = end;
            clause
        })
    }
}

/// Stands for the first location of the next frame until the number of
/// auxiliary variables is known.
const NEXT: usize = 1 << 28;

/// Who implies a formula.
#[derive(Clone, Copy)]
enum Variable {
    Location(usize),
    Auxiliary(usize),
}

impl Variable {
    fn number(self) -> usize {
        let (Self::Location(number) | Self::Auxiliary(number)) = self;
        number
    }
}

struct Writer<'a> {
    lwaa: &'a Lwaa,
    /// How many steps and formulas have this one as a part, if they are used.
    n_uses: IdVec<TransitionId, u32>,
    auxiliaries: IdVec<TransitionId, Option<usize>>,
    template: Template,
    /// Implications to be written.
    open: Vec<(Variable, TransitionId)>,
}

fn uses(lwaa: &Lwaa) -> IdVec<TransitionId, u32> {
    let mut n_uses: IdVec<TransitionId, u32> = IdVec::filled(0, lwaa.transitions().len());
    for (_, location) in lwaa.locations() {
        n_uses[location.step] += 1;
    }
    // Whole formulas come after their parts.
    for id in lwaa.transitions().ids().rev() {
        if 0 < n_uses[id] {
            for &part in lwaa.transitions().shape(id).operands() {
                n_uses[part] += 1;
            }
        }
    }
    n_uses
}

impl Writer<'_> {
    fn write_open(&mut self) {
        while let Some((variable, formula)) = self.open.pop() {
            let lwaa = self.lwaa;
            match lwaa.transitions().shape(formula) {
                Shape::And(list) => {
                    for &part in list {
                        let is_conjunction =
                            matches!(lwaa.transitions().shape(part), Shape::And(_));
                        if is_conjunction && 1 < self.n_uses[part] {
                            self.template.literals.push(Literal::negative(variable.number()));
                            self.write(part);
                            self.end_clause();
                        } else {
                            self.open.push((variable, part));
                        }
                    }
                }
                Shape::Leaf(Leaf::True) => (),
                Shape::Leaf(_) | Shape::Or(_) => {
                    self.template.literals.push(Literal::negative(variable.number()));
                    self.write_choice(formula);
                    self.end_clause();
                }
            }
        }
    }

    fn end_clause(&mut self) {
        self.template.ends.push(self.template.literals.len());
    }

    /// Adds the disjuncts of `root` to the clause at hand.
    fn write_choice(&mut self, root: TransitionId) {
        let lwaa = self.lwaa;
        let mut parts = vec![root];
        while let Some(part) = parts.pop() {
            match lwaa.transitions().shape(part) {
                Shape::Or(list) if part == root || self.n_uses[part] <= 1 => parts.extend(list),
                _ => self.write(part),
            }
        }
    }

    /// Adds `formula` to the clause at hand.
    fn write(&mut self, formula: TransitionId) {
        let untils = &self.template.untils;
        let literal = match self.lwaa.transitions().shape(formula) {
            Shape::Leaf(Leaf::False) => return,
            Shape::Leaf(Leaf::Literal { atom, positive }) => {
                Literal::new(self.template.atom(atom), positive)
            }
            Shape::Leaf(Leaf::Location(location)) => Literal::positive(NEXT + location.index()),
            Shape::Leaf(Leaf::Loop(location)) => {
                let until = untils.binary_search(&location).expect("only untils have loops");
                Literal::positive(self.template.taken_loop(until))
            }
            Shape::Leaf(Leaf::True) | Shape::And(_) | Shape::Or(_) => {
                let number = *self.auxiliaries[formula].get_or_insert_with(|| {
                    let number = self.template.n_variables;
                    self.template.n_variables += 1;
                    self.open.push((Variable::Auxiliary(number), formula));
                    number
                });
                Literal::positive(number)
            }
        };
        self.template.literals.push(literal);
    }
}
