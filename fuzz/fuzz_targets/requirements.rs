//! Any text as a file of requirements.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| lwaa_fuzz::requirements(text));
