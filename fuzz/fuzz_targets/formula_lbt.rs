//! Any text as a formula in the prefix form of LBT.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::formula(text, lwaa::ltl::Syntax::Lbt));
