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

/// How an operator makes a term of its operands.
#[derive(Clone, Copy)]
enum Operator {
    Leaf,
    Unary(fn(TermId) -> Term),
    Binary(fn(TermId, TermId) -> Term),
}

/// What there is to choose from: how formulas write it, and how often it is chosen by default,
/// constants and expensive operators less often. The weight of `atom` is that of each single atom.
const OPERATORS: [(&str, u32, Operator); 16] = [
    ("true", 1, Operator::Leaf),
    ("false", 1, Operator::Leaf),
    ("atom", 4, Operator::Leaf),
    ("!", 4, Operator::Unary(Term::Not)),
    ("X", 4, Operator::Unary(Term::Next)),
    ("F", 4, Operator::Unary(Term::Finally)),
    ("G", 4, Operator::Unary(Term::Globally)),
    ("&", 4, Operator::Binary(Term::And)),
    ("|", 4, Operator::Binary(Term::Or)),
    ("^", 1, Operator::Binary(Term::Xor)),
    ("->", 2, Operator::Binary(Term::Implies)),
    ("<->", 1, Operator::Binary(Term::Iff)),
    ("U", 4, Operator::Binary(Term::Until)),
    ("R", 4, Operator::Binary(Term::Release)),
    ("W", 2, Operator::Binary(Term::WeakUntil)),
    ("M", 2, Operator::Binary(Term::StrongRelease)),
];

/// Where the operators with operands begin in [`OPERATORS`], and where those with two.
const FIRST_UNARY: usize = 3;
const FIRST_BINARY: usize = 7;

/// How often each operator is chosen, in proportion to the others of those
/// that fit the size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights([u32; OPERATORS.len()]);

impl Default for Weights {
    /// All operators, the constants and the expensive ones less often.
    fn default() -> Self {
        Self(OPERATORS.map(|(_, weight, _)| weight))
    }
}

impl Weights {
    /// The weight of an operator, as formulas write it; `atom` is that of each
    /// single atom.
    ///
    /// ```
    /// let mut weights = lwaa::testbench::random_formula::Weights::default();
    /// *weights.of("U").unwrap() = 9;
    /// assert!(weights.of("until").is_none());
    /// ```
    pub fn of(&mut self, operator: &str) -> Option<&mut u32> {
        let number = OPERATORS.iter().position(|&(spelling, ..)| spelling == operator)?;
        Some(&mut self.0[number])
    }

    /// Whether there are atoms or constants: without them there is no formula.
    #[must_use]
    pub fn has_leaves(&self) -> bool {
        self.0[..FIRST_UNARY] != [0; FIRST_UNARY]
    }
}

/// A subtree still to be made, or an operator whose operands come before it.
enum Task {
    Subtree(usize),
    Operator(Operator),
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
    // A stack: the last task is the next.
    let mut tasks = vec![Task::Subtree(options.size.max(1))];
    while let Some(task) = tasks.pop() {
        let operand = match task {
            Task::Subtree(1) | Task::Operator(Operator::Leaf) => leaf(options, random, &mut terms),
            Task::Subtree(size) => {
                choose(size, &options.weights, random, &mut tasks);
                continue;
            }
            Task::Operator(Operator::Unary(operator)) => {
                let operand = operands.pop().expect(COMPLETE);
                terms.intern(operator(operand))
            }
            Task::Operator(Operator::Binary(operator)) => {
                let right = operands.pop().expect(COMPLETE);
                let left = operands.pop().expect(COMPLETE);
                terms.intern(operator(left, right))
            }
        };
        operands.push(operand);
    }
    let root = operands.pop().expect(COMPLETE);
    Formula::new(terms, root)
}

/// Plans a subtree of this size, which is more than one.
fn choose(size: usize, weights: &Weights, random: &mut Random, tasks: &mut Vec<Task>) {
    let end = if 2 < size { OPERATORS.len() } else { FIRST_BINARY };
    let chosen = random.weighted(&weights.0[FIRST_UNARY..end]);
    let operator = chosen.map_or(Operator::Leaf, |index| OPERATORS[FIRST_UNARY + index].2);
    tasks.push(Task::Operator(operator));
    match operator {
        Operator::Leaf => (),
        Operator::Unary(_) => tasks.push(Task::Subtree(size - 1)),
        Operator::Binary(_) => {
            let left = 1 + random.below(size - 2);
            tasks.extend([Task::Subtree(size - left - 1), Task::Subtree(left)]);
        }
    }
}

/// An atom or a constant; `true` if the options allow neither.
fn leaf(options: &Options, random: &mut Random, terms: &mut Terms) -> TermId {
    let [constant_true, constant_false, atom, ..] = options.weights.0;
    let n_atoms = u32::try_from(options.n_atoms).unwrap_or(u32::MAX);
    match random.weighted(&[constant_true, constant_false, atom.saturating_mul(n_atoms)]) {
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
        let mut weights = Weights::default();
        for (operator, ..) in OPERATORS.iter().filter(|(name, ..)| !["atom", "U"].contains(name)) {
            *weights.of(operator).unwrap() = 0;
        }
        let options = Options { size: 9, n_atoms: 1, weights: weights.clone() };
        for seed in 0..20 {
            let text = formula(&options, seed).to_string();
            assert!(
                text.contains('U') && text.replace("p0", "").chars().all(|c| "U ()".contains(c))
            );
        }
        *weights.of("U").unwrap() = 0;
        let options = Options { size: 9, n_atoms: 1, weights };
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
