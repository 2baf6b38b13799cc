//! `cargo fuzz run archive`: any bytes as an archive.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grader::fuzz::archive(data));
