//! The functions of CUDD that we use, as they really are.
//!
//! `cudd-sys` declares functions without a result as returning `c_void`, which
//! is a Rust enumeration: to call them so would be to invent a value of it.
//! Likewise the error code, which is an enumeration there. We declare those
//! functions again, and take the others from `cudd-sys`.

use std::ffi::c_uint;
use std::ptr::NonNull;

pub(crate) use cudd_sys::cudd::{
    Cudd_CheckZeroRef, Cudd_Cofactor, Cudd_E, Cudd_Init, Cudd_IsConstant, Cudd_NodeReadIndex,
    Cudd_ReadDead, Cudd_ReadKeys, Cudd_ReadNodeCount, Cudd_ReadOne, Cudd_SetMaxMemory, Cudd_T,
    Cudd_bddAnd, Cudd_bddAndAbstract, Cudd_bddExistAbstract, Cudd_bddIte, Cudd_bddIthVar,
    Cudd_bddLeq, Cudd_bddOr,
};
pub(crate) use cudd_sys::{DdManager, DdNode};

/// What CUDD calls when the system refuses it that many bytes.
pub(crate) type OutOfMemoryHandler = extern "C" fn(usize);

/// The error code of a call that CUDD finds senseless.
pub(crate) const CUDD_INVALID_ARG: c_uint = 6;

unsafe extern "C" {
    pub(crate) fn Cudd_Quit(manager: *mut DdManager);
    pub(crate) fn Cudd_Ref(node: *mut DdNode);
    pub(crate) fn Cudd_IterDerefBdd(manager: *mut DdManager, node: *mut DdNode);
    pub(crate) fn Cudd_ReadErrorCode(manager: *mut DdManager) -> c_uint;
    pub(crate) fn Cudd_ClearErrorCode(manager: *mut DdManager);
    pub(crate) fn Cudd_SetMaxLive(manager: *mut DdManager, n_nodes: c_uint);
    pub(crate) fn Cudd_SetMaxCacheHard(manager: *mut DdManager, n_entries: c_uint);
    pub(crate) fn Cudd_InstallOutOfMemoryHandler(handler: OutOfMemoryHandler)
    -> OutOfMemoryHandler;
    pub(crate) fn Cudd_RegisterOutOfMemoryCallback(
        manager: *mut DdManager,
        handler: OutOfMemoryHandler,
    ) -> Option<OutOfMemoryHandler>;
}

/// Whether `node` stands for the negation of the node that it points to: CUDD
/// keeps this in the lowest bit of the pointer.
pub(crate) fn is_complement(node: NonNull<DdNode>) -> bool {
    node.addr().get() & 1 == 1
}

/// The negation of `node` if `negate`, otherwise `node`.
pub(crate) fn complement_if(node: NonNull<DdNode>, negate: bool) -> NonNull<DdNode> {
    // Nodes are aligned, so flipping the lowest bit never makes the address 0.
    node.map_addr(|address| (address.get() ^ usize::from(negate)).try_into().unwrap_or(address))
}

/// The node to which `node` points, without negation.
pub(crate) fn regular(node: NonNull<DdNode>) -> NonNull<DdNode> {
    complement_if(node, is_complement(node))
}
