//! The minimal models of a monotone function, one at a time; and all models of
//! any function.
//!
//! A model is minimal if no variable of it can be made false. With `f₀` and
//! `f₁` for the cofactors of the first variable `x`,
//! `Min(f) = Min(f₀) ∪ { {x} ∪ m : m ∈ Min(f₁), m ⊭ f₀ }`. We walk down the
//! diagram and carry along `avoid`, the disjunction of all the `f₀` that the
//! rest of the model must not satisfy. A branch is entered only if
//! `g ⇏ avoid`, which for monotone functions means that it contains a minimal
//! model: there are no dead ends, so the delay between two models is a number
//! of diagram operations linear in the number of variables. Models with `x`
//! false come first.

use crate::bdd::{Branch, Diagrams, OutOfMemory, VariableId};
use crate::id::Id;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The enumeration, between two models.
pub struct MinimalModels<D: Diagrams> {
    /// Branches to enter, last one first.
    open: Vec<Open<D::Function>>,
    /// The variables made true on the way to the current branch.
    path: Vec<VariableId>,
}

/// A branch: the models of `function` that do not satisfy `avoid`.
struct Open<F> {
    function: F,
    avoid: F,
    /// How much of the path leads here.
    depth: usize,
    /// A branch where this variable is true; `low` is to be avoided as well.
    taken: Option<(VariableId, F)>,
}

impl<D: Diagrams> MinimalModels<D> {
    /// All minimal models of `function`, which must be monotone.
    pub fn new(diagrams: &D, function: D::Function) -> Self {
        let avoid = diagrams.constant(false);
        Self { open: vec![Open { function, avoid, depth: 0, taken: None }], path: Vec::new() }
    }

    /// The next minimal model, as the variables that are true in it, in
    /// increasing order.
    ///
    /// # Errors
    ///
    /// If the diagrams are full. The enumeration is then spoiled.
    pub fn next(&mut self, diagrams: &D) -> Result<Option<&[VariableId]>, OutOfMemory> {
        while let Some(branch) = self.open.pop() {
            self.path.truncate(branch.depth);
            let mut avoid = branch.avoid;
            if let Some((variable, low)) = branch.taken {
                self.path.push(variable);
                avoid = diagrams.or(&avoid, &low)?;
            }
            if self.descend(diagrams, branch.function, avoid)? {
                return Ok(Some(&self.path));
            }
        }
        Ok(None)
    }

    /// Follows low edges down to a model; says whether there is one.
    fn descend(
        &mut self,
        diagrams: &D,
        mut function: D::Function,
        mut avoid: D::Function,
    ) -> Result<bool, OutOfMemory> {
        loop {
            if diagrams.implies(&function, &avoid)? {
                return Ok(false);
            }
            let Branch::Node { variable, low, high } = diagrams.branch(&function) else {
                return Ok(true);
            };
            let (avoid_low, avoid_high) = cofactors(diagrams, avoid, variable);
            self.open.push(Open {
                function: high,
                avoid: avoid_high,
                depth: self.path.len(),
                taken: Some((variable, low.clone())),
            });
            (function, avoid) = (low, avoid_low);
        }
    }
}

/// The cofactors of `function` where the variables before `variable`, which
/// the current model leaves out, are false.
fn cofactors<D: Diagrams>(
    diagrams: &D,
    mut function: D::Function,
    variable: VariableId,
) -> (D::Function, D::Function) {
    loop {
        match diagrams.branch(&function) {
            Branch::Node { variable: first, low, .. } if first < variable => function = low,
            Branch::Node { variable: first, low, high } if first == variable => return (low, high),
            _ => return (function.clone(), function),
        }
    }
}

/// The function whose models are those of `function` that are minimal among
/// the models with the same values of the other variables. `is_chosen` knows, by
/// number, which variables are to be minimal; `function` is monotone in these.
///
/// The equation at the top of this file, node by node: what holds for the
/// chosen variables that a node skips has to be added, since they are false in
/// minimal models.
///
/// # Errors
///
/// If the diagrams are full.
pub fn minimal_by_letter<D: Diagrams>(
    diagrams: &D,
    function: &D::Function,
    is_chosen: &[bool],
) -> Result<D::Function, OutOfMemory> {
    let place = |function: &D::Function| match diagrams.branch(function) {
        Branch::Node { variable, .. } => variable.index(),
        Branch::Constant(_) => is_chosen.len(),
    };
    // `result`, with the chosen variables from one place to another false.
    let pad = |result: &D::Function, from: usize, to: usize| {
        let mut padded = result.clone();
        for number in (from..to).rev().filter(|&number| is_chosen[number]) {
            let variable = diagrams.variable(VariableId::new(number))?;
            padded = diagrams.and(&diagrams.not(&variable)?, &padded)?;
        }
        Ok(padded)
    };
    let mut results: HashMap<D::Function, D::Function, FxBuildHasher> = HashMap::default();
    let mut open = vec![function.clone()];
    while let Some(node) = open.last().cloned() {
        if results.contains_key(&node) {
            open.pop();
            continue;
        }
        let Branch::Node { variable, low, high } = diagrams.branch(&node) else {
            results.insert(node.clone(), node);
            continue;
        };
        let (Some(below_low), Some(below_high)) = (results.get(&low), results.get(&high)) else {
            open.extend([low, high].into_iter().filter(|part| !results.contains_key(part)));
            continue;
        };
        let next = variable.index() + 1;
        let below_low = pad(below_low, next, place(&low))?;
        let mut below_high = pad(below_high, next, place(&high))?;
        if is_chosen[variable.index()] {
            below_high = diagrams.and(&below_high, &diagrams.not(&low)?)?;
        }
        let variable = diagrams.variable(variable)?;
        results.insert(node, diagrams.ite(&variable, &below_high, &below_low)?);
    }
    pad(&results[function], 0, place(function))
}

/// All models of a function, one at a time.
///
/// Models with a variable false come before those with it true.
pub struct AllModels<D: Diagrams> {
    /// The variables, in increasing order.
    variables: Vec<VariableId>,
    /// Branches to enter, last one first: the function that is left, how many
    /// variables have a value, how much of the path leads here, and whether the
    /// last of these variables is true.
    open: Vec<(D::Function, usize, usize, bool)>,
    path: Vec<VariableId>,
}

impl<D: Diagrams> AllModels<D> {
    /// All models of `function` over `variables`, which are in increasing order
    /// and the only ones that it depends on.
    #[must_use]
    pub fn new(function: D::Function, variables: Vec<VariableId>) -> Self {
        Self { variables, open: vec![(function, 0, 0, false)], path: Vec::new() }
    }

    /// The next model, as the variables that are true in it, in increasing
    /// order.
    pub fn next(&mut self, diagrams: &D) -> Option<&[VariableId]> {
        while let Some((mut function, mut n_decided, depth, is_true)) = self.open.pop() {
            self.path.truncate(depth);
            if is_true {
                self.path.push(self.variables[n_decided - 1]);
            }
            loop {
                let branch = diagrams.branch(&function);
                if branch == Branch::Constant(false) {
                    break;
                }
                let Some(&variable) = self.variables.get(n_decided) else {
                    return Some(&self.path);
                };
                n_decided += 1;
                let (low, high) = match branch {
                    Branch::Node { variable: first, low, high } if first == variable => (low, high),
                    _ => (function.clone(), function),
                };
                self.open.push((high, n_decided, self.path.len(), true));
                function = low;
            }
        }
        None
    }
}

impl<D: Diagrams> std::fmt::Debug for AllModels<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AllModels({} open)", self.open.len())
    }
}

impl<D: Diagrams> std::fmt::Debug for MinimalModels<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MinimalModels({} open)", self.open.len())
    }
}
