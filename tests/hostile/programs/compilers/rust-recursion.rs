// Makes the compiler evaluate without end.
// only: root none
// compile: time=3 memory=1024
// expect: CE
const fn count(n: u64) -> u64 {
    let mut i = 0;
    while i < n { i += 1; }
    i
}
const N: u64 = count(u64::MAX);
#[allow(long_running_const_eval)]
fn main() { println!("{N}"); }
