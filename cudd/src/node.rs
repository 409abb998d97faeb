//! A cursor that walks through a diagram without reference counts.

use std::fmt;
use std::ptr::NonNull;

use crate::{Bdd, Manager, ffi};

/// A node of a diagram that is borrowed, or the negation of one.
///
/// The nodes below the root of a [`Bdd`] live as long as it does, because
/// nothing but reordering could free them and we never reorder. Operations may
/// run in between.
#[derive(Clone, Copy)]
pub struct NodeRef<'a> {
    node: NonNull<ffi::DdNode>,
    manager: &'a Manager,
}

impl<'a> NodeRef<'a> {
    /// The cursor at the root of a diagram that is borrowed for `'a`.
    pub(crate) fn new(node: NonNull<ffi::DdNode>, manager: &'a Manager) -> Self {
        Self { node, manager }
    }

    /// The value of a constant, `None` at an inner node.
    #[must_use]
    pub fn value(self) -> Option<bool> {
        let regular = ffi::regular(self.node);
        // SAFETY: The node is alive for `'a`, and its pointer is not tagged.
        let is_constant = unsafe { ffi::Cudd_IsConstant(regular.as_ptr()) } != 0;
        // The only constant in a diagram of booleans is true.
        is_constant.then(|| !ffi::is_complement(self.node))
    }

    /// The number of the outermost variable and the functions where it is
    /// false and where it is true; `None` at a constant.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// # manager.grow_to(1)?;
    /// let x = manager.variable(0)?;
    /// let (index, low, high) = x.root().branch().expect("x is not a constant");
    /// assert_eq!((index, low.value(), high.value()), (0, Some(false), Some(true)));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    #[must_use]
    pub fn branch(self) -> Option<(usize, Self, Self)> {
        if self.value().is_some() {
            return None;
        }
        let regular = ffi::regular(self.node).as_ptr();
        // SAFETY: The node is alive for `'a`, inner, and its pointer not tagged.
        let index = unsafe { ffi::Cudd_NodeReadIndex(regular) } as usize;
        // SAFETY: As above.
        let low = unsafe { ffi::Cudd_E(regular) };
        // SAFETY: As above.
        let high = unsafe { ffi::Cudd_T(regular) };
        Some((index, self.child(low), self.child(high)))
    }

    /// The function of this node as one of its own.
    #[must_use]
    pub fn to_bdd(self) -> Bdd {
        self.manager.adopt(self.node)
    }

    /// The cursor at `child` of this node, whose negation it inherits.
    fn child(self, child: *mut ffi::DdNode) -> Self {
        let child = NonNull::new(child).expect("an inner node has two children");
        let node = ffi::complement_if(child, ffi::is_complement(self.node));
        Self { node, manager: self.manager }
    }
}

impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeRef({:?})", self.node)
    }
}
