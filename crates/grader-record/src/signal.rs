//! Names signals for people.

/// The name of a signal: `SIGSEGV`, or `signal 42`. Common signals include their usual meaning.
pub fn signal_name(signal: i32) -> String {
    match signal {
        libc::SIGSEGV => "SIGSEGV (invalid memory access, or a stack overflow)".to_owned(),
        libc::SIGABRT => "SIGABRT (abort, a failed assertion, or an uncaught exception)".to_owned(),
        libc::SIGFPE => "SIGFPE (division by zero, or an integer overflow in a division)".to_owned(),
        libc::SIGKILL => "SIGKILL (not sent by the grader)".to_owned(),
        libc::SIGBUS => "SIGBUS".to_owned(),
        libc::SIGILL => "SIGILL (illegal instruction)".to_owned(),
        libc::SIGPIPE => "SIGPIPE (wrote to a closed pipe)".to_owned(),
        libc::SIGTERM => "SIGTERM (not sent by the grader)".to_owned(),
        libc::SIGXCPU => "SIGXCPU (raised by the program)".to_owned(),
        libc::SIGTRAP => "SIGTRAP".to_owned(),
        libc::SIGHUP => "SIGHUP".to_owned(),
        libc::SIGINT => "SIGINT".to_owned(),
        libc::SIGUSR1 => "SIGUSR1".to_owned(),
        libc::SIGUSR2 => "SIGUSR2".to_owned(),
        other => format!("signal {other}"),
    }
}
