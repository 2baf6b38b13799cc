// Asks for a library where a program is wanted, and gets a program.
// compile: time=20
// expect: AC
#![crate_type = "lib"]
pub fn main() {
    println!("ok");
}
