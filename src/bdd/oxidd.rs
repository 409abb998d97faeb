//! Decision diagrams by OxiDD: pure Rust, the default backend.
//!
//! Diagrams have no complemented edges, so negation creates nodes. OxiDD also
//! has worker threads and reordering; we use neither.
//!
//! Its operations recurse as deep as there are variables. Where the stack of
//! the thread may not suffice we provide another, which takes some 50 µs; who
//! has ten thousands of variables should run on a thread with a large stack.
//!
//! OxiDD collects garbage in a thread of its own, which wakes up when 95 % of
//! the nodes are in use and may come too late. So an operation that finds no
//! free node is tried again after a collection that we wait for, and has
//! failed only if the nodes do not suffice even then.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, HasLevel, InnerNode, Manager,
    ManagerRef, Node, VarNo,
};

use super::{Branch, Diagrams, OutOfMemory, VariableId};
use crate::id::Id;

/// Bytes that OxiDD allocates in advance for each inner node.
const NODE_BYTES: usize = 16;

/// Bytes of an entry of the operation cache, all written when it is made.
const CACHE_ENTRY_BYTES: usize = 20;

/// Bytes that OxiDD keeps for each variable, generously rounded up.
const VARIABLE_BYTES: usize = 128;

/// Nodes for each entry of the operation cache.
///
/// The cache is initialized entry by entry, again at each garbage collection,
/// and most formulas use a package for a few operations only.
const NODES_PER_CACHE_ENTRY: usize = 8;

/// The largest cache: more than this is not worth clearing at each garbage
/// collection.
const MAX_CACHE_ENTRIES: usize = 1 << 20;

/// How often an operation is tried, if it may have been in a race with the
/// collecting thread.
const MAX_ATTEMPTS: usize = 4;

/// How long we wait for nodes that the collecting thread has freed but not yet
/// handed back. It does so within microseconds.
const HAND_BACK_TIME: Duration = Duration::from_micros(100);

/// Bytes of stack for each level of OxiDD's recursion. `exists` takes most, 193
/// if the compiler optimizes it.
const STACK_BYTES_PER_LEVEL: usize = if cfg!(debug_assertions) { 2048 } else { 512 };

/// Bytes of stack for all that is not recursive.
const STACK_BYTES: usize = 1 << 16;

/// The most nodes and variables of a package that is kept for the next one.
const MAX_SPARE_CAPACITY: usize = 1 << 18;
const MAX_SPARE_VARIABLES: usize = 1 << 10;

thread_local! {
    /// The tables of the package that this thread dropped last. To make new
    /// ones takes two threads and a gigabyte of address space.
    static SPARE: RefCell<Option<Spare>> = const { RefCell::new(None) };
}

/// Tables without inner nodes, possibly with variables.
struct Spare {
    manager: BDDManagerRef,
    capacity: usize,
}

/// A package of decision diagrams by OxiDD.
pub struct OxiddDiagrams {
    /// The tables, which may have more variables than the package.
    manager: BDDManagerRef,
    capacity: usize,
    n_variables: usize,
}

/// A boolean function as a diagram of [`OxiddDiagrams`].
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OxiddFunction(BDDFunction);

impl OxiddDiagrams {
    /// Does `operation`, if need be again after collecting garbage.
    fn attempt<T>(&self, operation: impl Fn() -> AllocResult<T>) -> Result<T, OutOfMemory> {
        for attempt in 0..MAX_ATTEMPTS {
            if let Ok(result) = self.with_stack(&operation)? {
                return Ok(result);
            }
            // The exclusive lock waits for a collection that is under way.
            let is_full = self.manager.with_manager_exclusive(|manager| {
                let is_full = self.capacity <= manager.num_inner_nodes();
                manager.gc();
                is_full
            });
            if !is_full {
                // Nodes are missing: the collecting thread was faster than we
                // and is about to return them.
                std::thread::sleep(HAND_BACK_TIME);
            } else if 0 < attempt {
                break;
            }
        }
        Err(OutOfMemory)
    }

    /// Runs `operation` with a stack for the deepest recursion there can be.
    fn with_stack<T>(&self, operation: impl FnOnce() -> T) -> Result<T, OutOfMemory> {
        let n_bytes = |n_levels| n_levels * STACK_BYTES_PER_LEVEL + STACK_BYTES;
        if stacker::remaining_stack().is_some_and(|n| n_bytes(self.n_variables) <= n) {
            return Ok(operation());
        }
        // A path has no more nodes than there are.
        let n_nodes = self.manager.with_manager_shared(|m| m.approx_num_inner_nodes());
        let n_bytes = n_bytes(n_nodes.min(self.n_variables));
        // The package for stacks panics if there is no memory for one.
        if !has_memory_for(n_bytes.saturating_mul(2)) {
            return Err(OutOfMemory);
        }
        Ok(stacker::maybe_grow(n_bytes, n_bytes, operation))
    }

    /// As `attempt`, for an operation whose result is a function.
    fn function(
        &self,
        operation: impl Fn() -> AllocResult<BDDFunction>,
    ) -> Result<OxiddFunction, OutOfMemory> {
        self.attempt(operation).map(OxiddFunction)
    }

    /// The conjunction of variables, which come in increasing order.
    fn cube(&self, variables: &[VariableId]) -> AllocResult<BDDFunction> {
        debug_assert!(variables.is_sorted());
        let mut cube = self.constant(true).0;
        for &variable in variables.iter().rev() {
            let number = self.number(variable);
            let literal =
                self.manager.with_manager_shared(|manager| BDDFunction::var(manager, number))?;
            cube = literal.and(&cube)?;
        }
        Ok(cube)
    }

    /// How OxiDD calls `variable`.
    fn number(&self, variable: VariableId) -> VarNo {
        assert!(variable.index() < self.n_variables, "there is no {variable:?}");
        VarNo::try_from(variable.index()).expect("ids have 32 bits")
    }
}

/// Whether that much memory can be had, by asking for it: OxiDD itself would
/// abort the process.
fn has_memory_for(n_bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(n_bytes).is_ok()
}

/// Bytes of address space for the stacks of OxiDD's two threads. The larger one
/// is for operations in parallel, which we do not use; where address space is
/// limited, its size can be lowered by this environment variable.
fn n_stack_bytes() -> usize {
    let n_bytes = std::env::var("OXIDD_STACK_SIZE").ok().and_then(|n_bytes| n_bytes.parse().ok());
    n_bytes.unwrap_or(1_usize << 30).saturating_add(1 << 22)
}

/// The spare tables of this thread, if they have this capacity.
fn take_spare(capacity: usize) -> Option<BDDManagerRef> {
    let spare =
        SPARE.try_with(|spare| spare.borrow_mut().take_if(|spare| spare.capacity == capacity));
    spare.ok().flatten().map(|spare| spare.manager)
}

impl Drop for OxiddDiagrams {
    fn drop(&mut self) {
        let is_small =
            self.capacity <= MAX_SPARE_CAPACITY && self.n_variables <= MAX_SPARE_VARIABLES;
        if is_small && self.n_referenced() == 0 {
            let spare = Spare { manager: self.manager.clone(), capacity: self.capacity };
            // A thread that is about to end keeps nothing.
            let _ = SPARE.try_with(|place| place.replace(Some(spare)));
        }
    }
}

impl Diagrams for OxiddDiagrams {
    type Function = OxiddFunction;

    fn with_capacity(capacity: usize) -> Result<Self, OutOfMemory> {
        if let Some(manager) = take_spare(capacity) {
            return Ok(Self { manager, capacity, n_variables: 0 });
        }
        // Two numbers of 32 bits are taken by the constants.
        if u32::MAX as usize - 2 < capacity {
            return Err(OutOfMemory);
        }
        let n_entries = (capacity / NODES_PER_CACHE_ENTRY).min(MAX_CACHE_ENTRIES);
        let n_cache_bytes = n_entries.next_power_of_two() * CACHE_ENTRY_BYTES;
        if !has_memory_for(n_stack_bytes().saturating_add(capacity * NODE_BYTES + n_cache_bytes)) {
            return Err(OutOfMemory);
        }
        // OxiDD panics if the system refuses it a thread nevertheless.
        let manager = catch_unwind(AssertUnwindSafe(|| new_manager(capacity, n_entries, 1)))
            .map_err(|_| OutOfMemory)?;
        Ok(Self { manager, capacity, n_variables: 0 })
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn n_variables(&self) -> usize {
        self.n_variables
    }

    fn grow_to(&mut self, n_variables: usize) -> Result<(), OutOfMemory> {
        let Ok(n_levels) = VarNo::try_from(n_variables) else { return Err(OutOfMemory) };
        if n_levels == VarNo::MAX || !has_memory_for(n_variables * VARIABLE_BYTES) {
            return Err(OutOfMemory);
        }
        self.manager.with_manager_exclusive(|manager| {
            let n_more = n_levels.saturating_sub(manager.num_levels());
            if 0 < n_more {
                manager.add_vars(n_more);
            }
        });
        self.n_variables = self.n_variables.max(n_variables);
        Ok(())
    }

    fn constant(&self, value: bool) -> OxiddFunction {
        OxiddFunction(self.manager.with_manager_shared(|manager| {
            if value { BDDFunction::t(manager) } else { BDDFunction::f(manager) }
        }))
    }

    fn variable(&self, variable: VariableId) -> Result<OxiddFunction, OutOfMemory> {
        let number = self.number(variable);
        self.function(|| {
            self.manager.with_manager_shared(|manager| BDDFunction::var(manager, number))
        })
    }

    fn not(&self, f: &OxiddFunction) -> Result<OxiddFunction, OutOfMemory> {
        self.function(|| f.0.not())
    }

    fn and(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<OxiddFunction, OutOfMemory> {
        self.function(|| f.0.and(&g.0))
    }

    fn or(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<OxiddFunction, OutOfMemory> {
        self.function(|| f.0.or(&g.0))
    }

    fn ite(
        &self,
        condition: &OxiddFunction,
        then: &OxiddFunction,
        otherwise: &OxiddFunction,
    ) -> Result<OxiddFunction, OutOfMemory> {
        self.function(|| condition.0.ite(&then.0, &otherwise.0))
    }

    fn implies(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<bool, OutOfMemory> {
        self.attempt(|| Ok(f.0.imp(&g.0)?.valid()))
    }

    fn exists(
        &self,
        f: &OxiddFunction,
        variables: &[VariableId],
    ) -> Result<OxiddFunction, OutOfMemory> {
        self.function(|| f.0.exists(&self.cube(variables)?))
    }

    fn and_exists(
        &self,
        f: &OxiddFunction,
        g: &OxiddFunction,
        variables: &[VariableId],
    ) -> Result<OxiddFunction, OutOfMemory> {
        self.function(|| f.0.apply_exists(BooleanOperator::And, &g.0, &self.cube(variables)?))
    }

    fn branch(&self, f: &OxiddFunction) -> Branch<OxiddFunction> {
        f.0.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Terminal(_) => Branch::Constant(f.0 == BDDFunction::t(manager)),
            Node::Inner(node) => Branch::Node {
                variable: variable_of(node),
                low: OxiddFunction(BDDFunction::from_edge_ref(manager, node.child(1))),
                high: OxiddFunction(BDDFunction::from_edge_ref(manager, node.child(0))),
            },
        })
    }

    fn n_referenced(&self) -> usize {
        self.manager.with_manager_exclusive(|manager| {
            manager.gc();
            manager.num_inner_nodes()
        })
    }
}

/// The variable that `node` asks for: its level, since we never reorder.
fn variable_of(node: &impl HasLevel) -> VariableId {
    VariableId::new(node.level() as usize)
}

impl std::fmt::Debug for OxiddDiagrams {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OxiddDiagrams")
            .field("capacity", &self.capacity)
            .field("n_variables", &self.n_variables)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for OxiddFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let id = self.0.with_manager_shared(|_, edge| edge.node_id());
        write!(f, "OxiddFunction({id})")
    }
}
