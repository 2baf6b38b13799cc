fn main() {
    println!("{}", 10);
}
