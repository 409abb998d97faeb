//! A random model and any formula: engines give the same verdict.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lwaa_fuzz::verdict(bytes));
