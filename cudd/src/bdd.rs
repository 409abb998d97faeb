//! A boolean function and its operations.
//!
//! Every operation of two functions panics if they belong to different
//! managers: that is a caller's bug, and CUDD would not notice.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr::NonNull;

use crate::{Exhausted, Manager, NodeRef, ffi};

/// A boolean function, equal to another exactly if it is the same function.
pub struct Bdd {
    /// A node of `manager`, possibly complemented, of which we own a reference.
    node: NonNull<ffi::DdNode>,
    manager: Manager,
}

impl Bdd {
    /// The owner of one reference to `node`; only `Manager::adopt` calls this.
    pub(crate) fn from_referenced(node: NonNull<ffi::DdNode>, manager: Manager) -> Self {
        Self { node, manager }
    }

    /// The package to which the function belongs.
    #[must_use]
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// The outermost node.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// assert_eq!(manager.constant(true).root().value(), Some(true));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    #[must_use]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef::new(self.node, &self.manager)
    }

    /// Negation, which takes neither time nor memory.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// assert!(manager.constant(true).not() == manager.constant(false));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    #[must_use]
    pub fn not(&self) -> Self {
        self.manager.adopt(ffi::complement_if(self.node, true))
    }

    /// Conjunction.
    ///
    /// # Errors
    ///
    /// If the package is full, as for all operations below.
    pub fn and(&self, other: &Self) -> Result<Self, Exhausted> {
        let (f, g) = (self.raw(), self.raw_of(other));
        // SAFETY: Both are live nodes of the manager.
        self.manager.run(|raw| unsafe { ffi::Cudd_bddAnd(raw, f, g) })
    }

    /// Disjunction.
    ///
    /// # Errors
    ///
    /// If the package is full.
    pub fn or(&self, other: &Self) -> Result<Self, Exhausted> {
        let (f, g) = (self.raw(), self.raw_of(other));
        // SAFETY: Both are live nodes of the manager.
        self.manager.run(|raw| unsafe { ffi::Cudd_bddOr(raw, f, g) })
    }

    /// `then` where this function is true, `otherwise` elsewhere.
    ///
    /// # Errors
    ///
    /// If the package is full.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// # manager.grow_to(1)?;
    /// let x = manager.variable(0)?;
    /// assert!(x.ite(&x, &x.not())? == manager.constant(true));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    pub fn ite(&self, then: &Self, otherwise: &Self) -> Result<Self, Exhausted> {
        let (f, g, h) = (self.raw(), self.raw_of(then), self.raw_of(otherwise));
        // SAFETY: All three are live nodes of the manager.
        self.manager.run(|raw| unsafe { ffi::Cudd_bddIte(raw, f, g, h) })
    }

    /// Whether `other` is true wherever this function is. Makes no nodes.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// assert!(manager.constant(false).implies(&manager.constant(true)));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        let (f, g) = (self.raw(), self.raw_of(other));
        // SAFETY: The manager exists, and both are live nodes of it.
        self.manager.with_stack(|| unsafe { ffi::Cudd_bddLeq(self.manager.raw(), f, g) }) != 0
    }

    /// The function with the variables of `cube`, a conjunction of literals,
    /// fixed as it says.
    ///
    /// # Errors
    ///
    /// If the package is full.
    ///
    /// # Panics
    ///
    /// If `cube` is false everywhere.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// # manager.grow_to(1)?;
    /// let x = manager.variable(0)?;
    /// assert!(x.cofactor(&x)? == manager.constant(true));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    pub fn cofactor(&self, cube: &Self) -> Result<Self, Exhausted> {
        assert!(cube.root().value() != Some(false), "a cube is true somewhere");
        let (f, g) = (self.raw(), self.raw_of(cube));
        // SAFETY: Both are live nodes of the manager.
        self.manager.run(|raw| unsafe { ffi::Cudd_Cofactor(raw, f, g) })
    }

    /// Whether some choice of the variables of `cube`, a conjunction of
    /// variables, makes the function true.
    ///
    /// # Errors
    ///
    /// If the package is full.
    ///
    /// # Panics
    ///
    /// If `cube` is not such a conjunction.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// # manager.grow_to(1)?;
    /// let x = manager.variable(0)?;
    /// assert!(x.exists(&x)? == manager.constant(true));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    pub fn exists(&self, cube: &Self) -> Result<Self, Exhausted> {
        let (f, g) = (self.raw(), self.raw_of(cube));
        // SAFETY: Both are live nodes of the manager.
        self.manager.run(|raw| unsafe { ffi::Cudd_bddExistAbstract(raw, f, g) })
    }

    /// `exists` of the conjunction, without building the conjunction.
    ///
    /// # Errors
    ///
    /// If the package is full.
    ///
    /// # Panics
    ///
    /// If `cube` is not a conjunction of variables.
    pub fn and_exists(&self, other: &Self, cube: &Self) -> Result<Self, Exhausted> {
        let (f, g, cube) = (self.raw(), self.raw_of(other), self.raw_of(cube));
        // SAFETY: All three are live nodes of the manager.
        self.manager.run(|raw| unsafe { ffi::Cudd_bddAndAbstract(raw, f, g, cube) })
    }

    /// CUDD's own pointer to the function.
    fn raw(&self) -> *mut ffi::DdNode {
        self.node.as_ptr()
    }

    /// CUDD's own pointer to another function of the same package.
    fn raw_of(&self, other: &Self) -> *mut ffi::DdNode {
        assert!(self.manager.is(&other.manager), "two functions of different managers");
        other.raw()
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Self {
        self.manager.adopt(self.node)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        // SAFETY: The manager exists as long as we do, and the reference that
        // we give back is ours.
        unsafe { ffi::Cudd_IterDerefBdd(self.manager.raw(), self.raw()) };
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.raw() == self.raw_of(other)
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({:?})", self.node)
    }
}
