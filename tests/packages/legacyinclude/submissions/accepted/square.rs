pub fn square(n: i64) -> i64 {
    n * n
}
