// Threads with stacks of the default size, a panic that is caught, and a channel.
// only: root user users weak none
// limits: memory=256 processes=128 time=5
// expect: AC
fn main() {
    let mut word = String::new();
    std::io::stdin().read_line(&mut word).unwrap();
    let (send, receive) = std::sync::mpsc::channel();
    let threads: Vec<_> = (0..50).map(|n| { let send = send.clone(); std::thread::spawn(move || send.send(n)) }).collect();
    drop(send);
    threads.into_iter().for_each(|thread| drop(thread.join()));
    assert!(std::panic::catch_unwind(|| panic!("on purpose")).is_err());
    println!("{}", if receive.iter().sum::<i32>() == 1225 { "ok" } else { "wrong" });
}
