//! Random formulas of a given size.
//!
//! The algorithm is that of Tauriainen and Heljanko, *Testing LTL formula
//! translation into Büchi automata*, STTT 2002, figure 7: choose an operator,
//! share out the rest of the size at random among its operands. We depart
//! from the figure in that operators have weights, and in that a size for
//! which the weights leave no operator is made smaller.

use super::Random;
use crate::ltl::{Formula, Term, TermId, Terms};

/// What random formulas look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of nodes of the syntax tree. Zero counts as one.
    pub size: usize,
    /// How many atoms there are to choose from: `p0`, `p1` and so on.
    pub n_atoms: usize,
    /// How often each operator is chosen.
    pub weights: Weights,
}

impl Default for Options {
    /// Formulas of size 12 with all operators over three atoms.
    fn default() -> Self {
        Self { size: 12, n_atoms: 3, weights: Weights::default() }
    }
}

/// How often each operator is chosen, in proportion to the others of those
/// that fit the size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is called as its operator is")]
pub struct Weights {
    pub constant_true: u32,
    pub constant_false: u32,
    /// Of each single atom.
    pub atom: u32,
    pub not: u32,
    pub next: u32,
    pub finally: u32,
    pub globally: u32,
    pub and: u32,
    pub or: u32,
    pub xor: u32,
    pub implies: u32,
    pub iff: u32,
    pub until: u32,
    pub release: u32,
    pub weak_until: u32,
    pub strong_release: u32,
}

impl Default for Weights {
    /// All operators, the constants and the expensive ones less often.
    fn default() -> Self {
        Self {
            constant_true: 1,
            constant_false: 1,
            atom: 4,
            not: 4,
            next: 4,
            finally: 4,
            globally: 4,
            and: 4,
            or: 4,
            xor: 1,
            implies: 2,
            iff: 1,
            until: 4,
            release: 4,
            weak_until: 2,
            strong_release: 2,
        }
    }
}

type Unary = fn(TermId) -> Term;
type Binary = fn(TermId, TermId) -> Term;

/// The order of the operators within [`Weights::unary`].
const UNARY: [Unary; 4] = [Term::Not, Term::Next, Term::Finally, Term::Globally];

/// The order of the operators within [`Weights::binary`].
const BINARY: [Binary; 9] = [
    Term::And,
    Term::Or,
    Term::Xor,
    Term::Implies,
    Term::Iff,
    Term::Until,
    Term::Release,
    Term::WeakUntil,
    Term::StrongRelease,
];

impl Weights {
    /// The weight of an operator, as formulas write it; `atom` is that of each
    /// single atom.
    ///
    /// ```
    /// let mut weights = lwaa::testbench::random_formula::Weights::default();
    /// *weights.of("U").unwrap() = 9;
    /// assert_eq!(weights.until, 9);
    /// assert!(weights.of("until").is_none());
    /// ```
    pub fn of(&mut self, operator: &str) -> Option<&mut u32> {
        Some(match operator {
            "true" => &mut self.constant_true,
            "false" => &mut self.constant_false,
            "atom" => &mut self.atom,
            "!" => &mut self.not,
            "X" => &mut self.next,
            "F" => &mut self.finally,
            "G" => &mut self.globally,
            "&" => &mut self.and,
            "|" => &mut self.or,
            "^" => &mut self.xor,
            "->" => &mut self.implies,
            "<->" => &mut self.iff,
            "U" => &mut self.until,
            "R" => &mut self.release,
            "W" => &mut self.weak_until,
            "M" => &mut self.strong_release,
            _ => return None,
        })
    }

    fn unary(&self) -> [u32; 4] {
        [self.not, self.next, self.finally, self.globally]
    }

    fn binary(&self) -> [u32; 9] {
        [
            self.and,
            self.or,
            self.xor,
            self.implies,
            self.iff,
            self.until,
            self.release,
            self.weak_until,
            self.strong_release,
        ]
    }
}

/// A subtree still to be made, or an operator whose operands come before it.
enum Step {
    Subtree { size: usize },
    Unary(Unary),
    Binary(Binary),
}

/// A random formula.
///
/// ```
/// use lwaa::testbench::{Random, random_formula::{Options, random_formula}};
/// let formula = random_formula(&Options::default(), &mut Random::new(5));
/// assert_eq!(formula.to_string(), "G (!!p2 U ((false ^ p1) | p1 M p1))");
/// ```
#[expect(clippy::missing_panics_doc, reason = "the panics are impossible, whatever the options")]
pub fn random_formula(options: &Options, random: &mut Random) -> Formula {
    const COMPLETE: &str = "operands are made before their operator";
    let mut terms = Terms::default();
    let mut operands: Vec<TermId> = Vec::new();
    // A stack: the last step is the next.
    let mut steps = vec![Step::Subtree { size: options.size.max(1) }];
    while let Some(step) = steps.pop() {
        match step {
            Step::Subtree { size: 1 } => operands.push(leaf(options, random, &mut terms)),
            Step::Subtree { size } => choose(size, &options.weights, random, &mut steps),
            Step::Unary(operator) => {
                let operand = operands.pop().expect(COMPLETE);
                operands.push(terms.intern(operator(operand)));
            }
            Step::Binary(operator) => {
                let right = operands.pop().expect(COMPLETE);
                let left = operands.pop().expect(COMPLETE);
                operands.push(terms.intern(operator(left, right)));
            }
        }
    }
    let root = operands.pop().expect(COMPLETE);
    Formula::new(terms, root)
}

/// Plans a subtree of this size, which is more than one.
fn choose(size: usize, weights: &Weights, random: &mut Random, steps: &mut Vec<Step>) {
    let mut all = [0; UNARY.len() + BINARY.len()];
    all[..UNARY.len()].copy_from_slice(&weights.unary());
    if 2 < size {
        all[UNARY.len()..].copy_from_slice(&weights.binary());
    }
    match random.weighted(&all) {
        None => steps.push(Step::Subtree { size: 1 }),
        Some(index) => match index.checked_sub(UNARY.len()) {
            None => steps.extend([Step::Unary(UNARY[index]), Step::Subtree { size: size - 1 }]),
            Some(index) => {
                let left = 1 + random.below(size - 2);
                steps.extend([
                    Step::Binary(BINARY[index]),
                    Step::Subtree { size: size - left - 1 },
                    Step::Subtree { size: left },
                ]);
            }
        },
    }
}

/// An atom or a constant; `true` if the options allow neither.
fn leaf(options: &Options, random: &mut Random, terms: &mut Terms) -> TermId {
    let weights = &options.weights;
    let n_atoms = u32::try_from(options.n_atoms).unwrap_or(u32::MAX);
    let kinds =
        [weights.constant_true, weights.constant_false, weights.atom.saturating_mul(n_atoms)];
    match random.weighted(&kinds) {
        Some(2) => terms.atom(&format!("p{}", random.below(options.n_atoms))),
        Some(1) => terms.constant(false),
        _ => terms.constant(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{Id, IdVec};

    fn formula(options: &Options, seed: u64) -> Formula {
        random_formula(options, &mut Random::new(seed))
    }

    /// The number of nodes of the syntax tree.
    fn tree_size(formula: &Formula) -> usize {
        let mut sizes: IdVec<TermId, usize> = IdVec::new();
        for index in 0..formula.n_terms() {
            let term = formula.terms().term(TermId::new(index));
            let size = term.children().map(|child| sizes[child]).sum::<usize>() + 1;
            sizes.push(size);
        }
        sizes[formula.root()]
    }

    #[track_caller]
    fn check(seed: u64, expected: &str) {
        assert_eq!(formula(&Options::default(), seed).to_string(), expected);
    }

    #[test]
    fn a_seed_means_the_same_formula_for_ever() {
        check(0, "!(p0 M G p2) R G (F p1 U X p0)");
        check(1, "(p1 & p2) M (X p1 & p1) | p0 R false");
        check(2, "G G (p2 U p1) | F p2 | F !p1");
    }

    #[test]
    fn sizes_are_exact() {
        for size in 1..50 {
            let options = Options { size, ..Options::default() };
            (0..20).for_each(|seed| assert_eq!(tree_size(&formula(&options, seed)), size));
        }
    }

    #[test]
    fn operators_without_weight_do_not_occur() {
        let none = Weights {
            constant_true: 0,
            constant_false: 0,
            not: 0,
            next: 0,
            finally: 0,
            globally: 0,
            and: 0,
            or: 0,
            xor: 0,
            implies: 0,
            iff: 0,
            release: 0,
            weak_until: 0,
            strong_release: 0,
            ..Weights::default()
        };
        let options = Options { size: 9, n_atoms: 1, weights: none.clone() };
        for seed in 0..20 {
            let text = formula(&options, seed).to_string();
            assert!(
                text.contains('U') && text.replace("p0", "").chars().all(|c| "U ()".contains(c))
            );
        }
        let options = Options { size: 9, n_atoms: 1, weights: Weights { until: 0, ..none } };
        assert_eq!(formula(&options, 0).to_string(), "p0");
        assert_eq!(formula(&Options { n_atoms: 0, ..options }, 0).to_string(), "true");
    }

    #[test]
    fn every_operator_and_atom_occurs() {
        let options = Options { size: 2000, n_atoms: 5, ..Options::default() };
        let formula = formula(&options, 0);
        assert_eq!(formula.atoms().len(), 5);
        let mut kinds = std::collections::HashSet::new();
        for index in 0..formula.n_terms() {
            kinds.insert(std::mem::discriminant(&formula.terms().term(TermId::new(index))));
        }
        assert_eq!(kinds.len(), 16);
    }

    #[test]
    fn size_does_not_matter() {
        let options = Options { size: 1_000_000, ..Options::default() };
        assert_eq!(tree_size(&formula(&options, 0)), 1_000_000);
        assert!(formula(&Options { size: 0, ..options }, 0).n_terms() == 1);
    }
}
