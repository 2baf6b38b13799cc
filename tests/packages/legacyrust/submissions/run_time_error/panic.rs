//! Fails at once.

fn main() {
    panic!("no input is good enough");
}
