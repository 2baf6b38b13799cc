//! `cargo fuzz run compare`: the streaming comparator against the slow one.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grader::fuzz::compare(data));
