//! Any text as a formula in our own syntax.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::formula(text, lwaa::ltl::Syntax::Lwaa));
