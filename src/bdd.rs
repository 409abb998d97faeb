//! The one door to decision diagrams: a trait, and its two backends.
//!
//! No other room names `oxidd` or `cudd`. Every operation that may create
//! nodes can run out of memory, and says so by a value: callers retry with
//! more, or give up with an unknown verdict. Reordering does not exist: a
//! variable's number is its level.

#[cfg(feature = "cudd")]
pub mod cudd;
pub mod oxidd;

use crate::id::define_id;

define_id! {
    /// A variable of a decision diagram; smaller ids are nearer to the root.
    pub struct VariableId;
}

/// The backend that the features of this build select.
#[cfg(not(feature = "cudd"))]
pub type Default = oxidd::OxiddDiagrams;
/// The backend that the features of this build select.
#[cfg(feature = "cudd")]
pub type Default = cudd::CuddDiagrams;

/// A decision diagram operation needed more nodes than its diagrams may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the decision diagrams need more memory")]
pub struct OutOfMemory;

/// The outermost node of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Branch<F> {
    /// The function is constant.
    Constant(bool),
    /// The function depends on `variable`, and on no variable before it.
    Node {
        /// The first variable on which the function depends.
        variable: VariableId,
        /// The function where `variable` is false.
        low: F,
        /// The function where `variable` is true.
        high: F,
    },
}

/// A package of reduced ordered binary decision diagrams.
///
/// Two functions of one package are equal (`==`) exactly if they are the same
/// function. Mixing functions of different packages is a caller's bug and may
/// panic. Functions may outlive the value that made them.
pub trait Diagrams: Sized + 'static {
    /// A boolean function.
    type Function: Clone + Eq + std::hash::Hash + std::fmt::Debug;

    /// A package without variables whose diagrams have at most `capacity`
    /// inner nodes together.
    ///
    /// # Errors
    ///
    /// If there is no memory for so many.
    fn with_capacity(capacity: usize) -> Result<Self, OutOfMemory>;

    /// The number of inner nodes there may be.
    fn capacity(&self) -> usize;

    /// The number of variables.
    fn n_variables(&self) -> usize;

    /// Appends variables below all others until there are `n_variables`.
    ///
    /// # Errors
    ///
    /// If there is no memory for so many.
    fn grow_to(&mut self, n_variables: usize) -> Result<(), OutOfMemory>;

    /// The constant function.
    fn constant(&self, value: bool) -> Self::Function;

    /// The function that is true where `variable` is.
    ///
    /// # Errors
    ///
    /// If the diagrams are full.
    ///
    /// # Panics
    ///
    /// If there is no such variable.
    fn variable(&self, variable: VariableId) -> Result<Self::Function, OutOfMemory>;

    /// Negation.
    ///
    /// # Errors
    ///
    /// If the diagrams are full, as for all operations below.
    fn not(&self, f: &Self::Function) -> Result<Self::Function, OutOfMemory>;

    /// Conjunction.
    ///
    /// # Errors
    ///
    /// If the diagrams are full.
    fn and(&self, f: &Self::Function, g: &Self::Function) -> Result<Self::Function, OutOfMemory>;

    /// Disjunction.
    ///
    /// # Errors
    ///
    /// If the diagrams are full.
    fn or(&self, f: &Self::Function, g: &Self::Function) -> Result<Self::Function, OutOfMemory>;

    /// `then` where `condition` is true, `otherwise` elsewhere.
    ///
    /// # Errors
    ///
    /// If the diagrams are full.
    fn ite(
        &self,
        condition: &Self::Function,
        then: &Self::Function,
        otherwise: &Self::Function,
    ) -> Result<Self::Function, OutOfMemory>;

    /// Whether `g` is true wherever `f` is.
    ///
    /// # Errors
    ///
    /// If the diagrams are full.
    fn implies(&self, f: &Self::Function, g: &Self::Function) -> Result<bool, OutOfMemory>;

    /// Whether some choice of `variables` makes `f` true. Each variable is
    /// listed once, in increasing order.
    ///
    /// # Errors
    ///
    /// If the diagrams are full.
    fn exists(
        &self,
        f: &Self::Function,
        variables: &[VariableId],
    ) -> Result<Self::Function, OutOfMemory>;

    /// `exists` of the conjunction, without building the conjunction.
    ///
    /// # Errors
    ///
    /// If the diagrams are full.
    fn and_exists(
        &self,
        f: &Self::Function,
        g: &Self::Function,
        variables: &[VariableId],
    ) -> Result<Self::Function, OutOfMemory>;

    /// The outermost node of `f`.
    fn branch(&self, f: &Self::Function) -> Branch<Self::Function>;

    /// How many inner nodes are still referenced by functions, after garbage
    /// collection: the leak count, once every function has been dropped.
    fn n_referenced(&self) -> usize;
}
