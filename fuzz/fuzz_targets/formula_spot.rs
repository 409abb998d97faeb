//! Any text as a formula in the syntax of Spot.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::formula(text, lwaa::ltl::Syntax::Spot));
