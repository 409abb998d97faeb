//! Any text as a model in the language `dve`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::model(text, "dve"));
