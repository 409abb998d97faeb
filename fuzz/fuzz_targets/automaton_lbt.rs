//! Any text as an automaton in the format of LBT.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::automaton(text, lwaa::baseline::lbt::read));
