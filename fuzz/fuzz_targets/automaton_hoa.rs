//! Any bytes as documents of the HOA format.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lwaa_fuzz::hoa(bytes));
