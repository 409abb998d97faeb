//! The tables that a family of diagrams shares: variables, limits, leak count.
//!
//! What can be done with a diagram is in `bdd`. Here is the one door through
//! which a raw node becomes a [`Bdd`], and the one in which an operation of
//! CUDD runs and fails.

use std::cell::Cell;
use std::ffi::c_int;
use std::fmt;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Once;

use crate::{Bdd, Exhausted, ffi};

/// Bytes of a node of CUDD on a machine of 64 bits.
const NODE_BYTES: usize = 32;

/// Bytes of an entry of CUDD's operation cache.
const CACHE_ENTRY_BYTES: usize = 32;

/// Initial slots of a variable's table; tables grow as need be.
const SLOTS_PER_VARIABLE: u32 = 16;

/// Bytes that CUDD keeps for a variable, generously rounded up.
const VARIABLE_BYTES: usize = 512 + size_of::<usize>() * SLOTS_PER_VARIABLE as usize;

/// Bytes of a manager of no nodes and no variables, generously rounded up.
const MANAGER_BYTES: usize = 1 << 18;

/// Nodes of the four constants that CUDD makes for itself.
const N_CONSTANTS: usize = 4;

/// Nodes for each entry of a new operation cache, which CUDD enlarges later.
const NODES_PER_CACHE_ENTRY: usize = 16;

/// Nodes for each entry of the operation cache at most.
const MIN_NODES_PER_CACHE_ENTRY: usize = 2;

/// Bytes of stack for each level of CUDD's recursion; `Cudd_bddIte` takes most,
/// 193.
const STACK_BYTES_PER_LEVEL: usize = 512;

/// Bytes of stack for all that is not recursive.
const STACK_BYTES: usize = 1 << 16;

/// A package of decision diagrams; clones are the same package.
#[derive(Clone)]
pub struct Manager(Rc<Tables>);

/// The tables of CUDD, freed when dropped.
struct Tables {
    raw: NonNull<ffi::DdManager>,
    capacity: usize,
    n_variables: Cell<usize>,
}

/// Done once CUDD knows what to do when the system refuses it memory.
static FIRST_USE: Once = Once::new();

/// Tells CUDD to report by its result that the system refused memory, not by
/// ending the process.
extern "C" fn carry_on(_n_bytes: usize) {}

impl Manager {
    /// A package without variables whose diagrams have at most `capacity`
    /// inner nodes together. While an operation runs they may have twice as
    /// many.
    ///
    /// Inner nodes of CUDD stand for a function and its negation. Those that
    /// are single variables exist as long as the package and are not counted.
    ///
    /// # Errors
    ///
    /// If there is no memory for so many.
    ///
    /// ```no_run
    /// # use lwaa_cudd::Manager;
    /// assert_eq!(Manager::with_capacity(1000)?.capacity(), 1000);
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    pub fn with_capacity(capacity: usize) -> Result<Self, Exhausted> {
        // Half of the numbers of 32 bits are left to the variables.
        if u32::MAX as usize / 2 < capacity {
            return Err(Exhausted);
        }
        FIRST_USE.call_once(|| {
            // SAFETY: The handler is a function and never goes away; no other
            // thread is in CUDD before this call has returned.
            unsafe { ffi::Cudd_InstallOutOfMemoryHandler(carry_on) };
        });
        let n_bytes = memory_limit(capacity, 0);
        // CUDD sets aside less than this, and ends the process if it cannot.
        ask_for(n_bytes / 32)?;
        let n_cache_entries = narrow(capacity / NODES_PER_CACHE_ENTRY)?;
        // SAFETY: There are no requirements on the numbers.
        let raw = unsafe { ffi::Cudd_Init(0, 0, SLOTS_PER_VARIABLE, n_cache_entries, n_bytes) };
        let raw = NonNull::new(raw).ok_or(Exhausted)?;
        let manager = Self(Rc::new(Tables { raw, capacity, n_variables: Cell::new(0) }));
        // SAFETY: The manager exists, and the handler never goes away.
        unsafe { ffi::Cudd_RegisterOutOfMemoryCallback(raw.as_ptr(), carry_on) };
        let n_cache_entries = narrow((capacity / MIN_NODES_PER_CACHE_ENTRY).max(1))?;
        // SAFETY: The manager exists.
        unsafe { ffi::Cudd_SetMaxCacheHard(raw.as_ptr(), n_cache_entries) };
        manager.limit(0)?;
        Ok(manager)
    }

    /// The number of inner nodes there may be.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.0.capacity
    }

    /// The number of variables.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        self.0.n_variables.get()
    }

    /// Appends variables below all others until there are `n_variables`.
    ///
    /// # Errors
    ///
    /// If there is no memory for so many.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// manager.grow_to(3)?;
    /// assert_eq!(manager.n_variables(), 3);
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    pub fn grow_to(&self, n_variables: usize) -> Result<(), Exhausted> {
        if n_variables <= self.n_variables() {
            return Ok(());
        }
        let last = c_int::try_from(n_variables - 1).map_err(|_| Exhausted)?;
        ask_for(n_variables * VARIABLE_BYTES)?;
        self.limit(n_variables)?;
        // The last variable makes all before it; the manager keeps them alive.
        // SAFETY: The manager exists, and the number is not negative.
        let node = self.call(|raw| unsafe { ffi::Cudd_bddIthVar(raw, last) });
        if node.is_err() {
            return self.limit(self.n_variables()).and(Err(Exhausted));
        }
        self.0.n_variables.set(n_variables);
        Ok(())
    }

    /// The constant function.
    ///
    /// # Panics
    ///
    /// Never: every manager has its constants.
    #[must_use]
    pub fn constant(&self, value: bool) -> Bdd {
        // SAFETY: The manager exists.
        let one = unsafe { ffi::Cudd_ReadOne(self.raw()) };
        let one = NonNull::new(one).expect("every manager has its constants");
        self.adopt(ffi::complement_if(one, !value))
    }

    /// The function that is true where the variable `index` is.
    ///
    /// # Errors
    ///
    /// If the package is full.
    ///
    /// # Panics
    ///
    /// If there is no such variable.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// manager.grow_to(1)?;
    /// assert!(manager.variable(0)? != manager.constant(true));
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    pub fn variable(&self, index: usize) -> Result<Bdd, Exhausted> {
        assert!(index < self.n_variables(), "there is no variable {index}");
        let index = c_int::try_from(index).expect("`grow_to` has made this number before");
        // SAFETY: The manager exists, and so does the variable.
        self.run(|raw| unsafe { ffi::Cudd_bddIthVar(raw, index) })
    }

    /// The conjunction of literals, given in increasing order.
    ///
    /// # Errors
    ///
    /// If the package is full.
    ///
    /// ```no_run
    /// # let manager = lwaa_cudd::Manager::with_capacity(1000)?;
    /// manager.grow_to(2)?;
    /// let cube = manager.cube([(0, true), (1, false)].into_iter())?;
    /// assert!(cube == manager.variable(0)?.and(&manager.variable(1)?.not())?);
    /// # Ok::<(), lwaa_cudd::Exhausted>(())
    /// ```
    pub fn cube(
        &self,
        literals: impl DoubleEndedIterator<Item = (usize, bool)>,
    ) -> Result<Bdd, Exhausted> {
        // From the innermost literal on, each step adds one node at the top.
        // If they need a larger stack, then all of them the same one.
        self.with_stack(|| {
            literals.rev().try_fold(self.constant(true), |cube, (index, value)| {
                let variable = self.variable(index)?;
                if value { variable.and(&cube) } else { variable.not().and(&cube) }
            })
        })
    }

    /// How many inner nodes belong to a diagram that still exists.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        // SAFETY: The manager exists.
        let n_nodes = unsafe { ffi::Cudd_ReadNodeCount(self.raw()) };
        // CUDD counts the constant, but no variable that is not in use.
        usize::try_from(n_nodes).unwrap_or(0).saturating_sub(1)
    }

    /// How many nodes have references that no one can give back, once every
    /// [`Bdd`] of the package has been dropped: 0, unless this crate is wrong.
    #[must_use]
    pub fn n_leaked(&self) -> usize {
        // SAFETY: The manager exists.
        let n_leaked = unsafe { ffi::Cudd_CheckZeroRef(self.raw()) };
        usize::try_from(n_leaked).unwrap_or(usize::MAX)
    }

    /// CUDD's own pointer to the manager.
    pub(crate) fn raw(&self) -> *mut ffi::DdManager {
        self.0.raw.as_ptr()
    }

    /// Whether `other` is the same package.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Takes a reference to `node`, which is the fresh result of an operation
    /// or has a reference already.
    ///
    /// This is the only door through which a raw node becomes a [`Bdd`].
    pub(crate) fn adopt(&self, node: NonNull<ffi::DdNode>) -> Bdd {
        // SAFETY: `node` is a node of this manager that no operation has had a
        // chance to collect since it was returned.
        unsafe { ffi::Cudd_Ref(node.as_ptr()) };
        Bdd::from_referenced(node, self.clone())
    }

    /// The function that an operation of CUDD yields, unless the limits do not
    /// allow for it.
    pub(crate) fn run(
        &self,
        operation: impl FnOnce(*mut ffi::DdManager) -> *mut ffi::DdNode,
    ) -> Result<Bdd, Exhausted> {
        let bdd = self.adopt(self.call(operation)?);
        if self.is_over_capacity() { Err(Exhausted) } else { Ok(bdd) }
    }

    /// Calls an operation of CUDD, whose result is a node of this manager or
    /// NULL.
    fn call(
        &self,
        operation: impl FnOnce(*mut ffi::DdManager) -> *mut ffi::DdNode,
    ) -> Result<NonNull<ffi::DdNode>, Exhausted> {
        let node = self.with_stack(|| operation(self.raw()));
        NonNull::new(node).ok_or_else(|| {
            // SAFETY: The manager exists.
            let code = unsafe { ffi::Cudd_ReadErrorCode(self.raw()) };
            // SAFETY: The manager exists.
            unsafe { ffi::Cudd_ClearErrorCode(self.raw()) };
            assert!(code != ffi::CUDD_INVALID_ARG, "CUDD refuses an argument");
            Exhausted
        })
    }

    /// Runs `operation` with a stack for the deepest recursion there can be.
    pub(crate) fn with_stack<T>(&self, operation: impl FnOnce() -> T) -> T {
        // A path has no more nodes than there are, and ends with a variable.
        let depth = (self.n_entries() - self.n_variables()).min(self.n_variables());
        let n_bytes = depth * STACK_BYTES_PER_LEVEL + STACK_BYTES;
        // A new stack is large enough for a call of this function inside.
        stacker::maybe_grow(n_bytes, 2 * n_bytes, operation)
    }

    /// The nodes in CUDD's tables, among them all constants and variables.
    fn n_entries(&self) -> usize {
        // SAFETY: The manager exists.
        unsafe { ffi::Cudd_ReadKeys(self.raw()) as usize }
    }

    /// Whether there are more nodes than there may be: CUDD looks at its limit
    /// only when it needs a new block of nodes.
    fn is_over_capacity(&self) -> bool {
        let is_over = || {
            // SAFETY: The manager exists.
            let n_dead = unsafe { ffi::Cudd_ReadDead(self.raw()) } as usize;
            let n_live = self.n_entries() - n_dead;
            self.capacity() + N_CONSTANTS + self.n_variables() < n_live
        };
        // CUDD delays the death of some nodes; counting them ends the delay.
        is_over() && {
            let _ = self.n_nodes();
            is_over()
        }
    }

    /// Sets CUDD's limits for a package of `n_variables` variables.
    fn limit(&self, n_variables: usize) -> Result<(), Exhausted> {
        let n_live = narrow(self.capacity() + n_variables + N_CONSTANTS)?;
        // SAFETY: The manager exists.
        unsafe { ffi::Cudd_SetMaxLive(self.raw(), n_live) };
        let n_bytes = memory_limit(self.capacity(), n_variables);
        // SAFETY: The manager exists.
        unsafe { ffi::Cudd_SetMaxMemory(self.raw(), n_bytes) };
        Ok(())
    }
}

/// Bytes that a manager may use. Dead nodes take memory until CUDD collects
/// them, and no other limit bounds them; as many as there are live ones may
/// wait for that.
fn memory_limit(capacity: usize, n_variables: usize) -> usize {
    let n_node_bytes = 2 * NODE_BYTES + size_of::<usize>();
    let n_cache_bytes = capacity / MIN_NODES_PER_CACHE_ENTRY * CACHE_ENTRY_BYTES;
    MANAGER_BYTES + capacity * n_node_bytes + n_cache_bytes + n_variables * VARIABLE_BYTES
}

/// Fails if the system has not that much memory.
fn ask_for(n_bytes: usize) -> Result<(), Exhausted> {
    Vec::<u8>::new().try_reserve_exact(n_bytes).map_err(|_| Exhausted)
}

/// A number as CUDD wants it; larger ones are beyond what it can have.
fn narrow(n: usize) -> Result<u32, Exhausted> {
    u32::try_from(n).map_err(|_| Exhausted)
}

impl Drop for Tables {
    fn drop(&mut self) {
        // SAFETY: Every `Bdd` holds a share of the tables, so none is left.
        unsafe { ffi::Cudd_Quit(self.raw.as_ptr()) };
    }
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manager")
            .field("capacity", &self.capacity())
            .field("n_variables", &self.n_variables())
            .finish_non_exhaustive()
    }
}
