//! A safe wrapper of what lwaa uses of CUDD.
