//! `cargo fuzz run config`: any bytes as what that reader reads.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grader::fuzz::config(data));
