//! Any text as a never claim.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::automaton(text, lwaa::baseline::never::read));
