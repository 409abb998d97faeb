//! Any text as a run of a model, to be replayed.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::trace(text));
