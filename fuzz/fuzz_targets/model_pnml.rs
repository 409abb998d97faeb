//! Any text as a model in the language `pnml`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::model(text, "pnml"));
