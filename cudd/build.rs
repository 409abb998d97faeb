//! Links the `libcudd` in the directory `CUDD_LIB_DIR`.
//!
//! It may be static or shared; a shared one must also be found when the
//! program starts (`LD_LIBRARY_PATH`). Without the variable we leave the
//! search to the linker, so that the crate can be checked on a machine that
//! has no CUDD. With the feature `download`, `cudd-sys` links its own.
//!
//! Where we know that CUDD is there, `cfg(libcudd)` turns on the tests.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CUDD_LIB_DIR");
    println!("cargo::rustc-check-cfg=cfg(libcudd)");

    if std::env::var_os("CARGO_FEATURE_DOWNLOAD").is_some() {
        println!("cargo::rustc-cfg=libcudd");
    } else {
        link();
    }
    // A static libcudd needs it.
    println!("cargo::rustc-link-lib=m");
}

/// Links a CUDD that is already there.
fn link() {
    if let Some(directory) = std::env::var_os("CUDD_LIB_DIR") {
        let directory = Path::new(&directory);
        if ["libcudd.a", "libcudd.so", "libcudd.dylib"]
            .iter()
            .any(|name| directory.join(name).exists())
        {
            println!("cargo::rustc-link-search=native={}", directory.display());
            println!("cargo::rustc-cfg=libcudd");
        } else {
            println!("cargo::error=there is no libcudd in CUDD_LIB_DIR={}", directory.display());
        }
    }
    println!("cargo::rustc-link-lib=cudd");
}
