//! `cargo fuzz run package`: any bytes as one of the files of a problem.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grader::fuzz::package(data));
