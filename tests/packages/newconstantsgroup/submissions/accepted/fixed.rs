fn main() {
    println!("{}", {{factor}});
}
