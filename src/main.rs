//! The `grader` binary.
fn main() {}
