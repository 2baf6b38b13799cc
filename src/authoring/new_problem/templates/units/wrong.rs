//! A wrong solution.

pub fn sum_to(n: u32) -> u32 {
    // Wrong: half a step is missing.
    n * n / 2
}
