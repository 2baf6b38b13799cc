// Has the compiler put an answer into the program.
// only: root user users weak
// expect: CE
// reason: 1.ans
// answer: the_secret_answer
// unseen: the_secret_answer
fn main() {
    print!("{}", include_str!("@WORKSPACE@/testcases/p/secret/1.ans"));
}
