//! Whatever bytes lie on the queue, or come from a model, the laws of a call hold. How to run it: `fuzz/README.md`.
#![no_main]

#[path = "../laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::hold(bytes));
