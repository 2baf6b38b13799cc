//! The `grader` binary: the keeper's role, or the command line.

use std::os::fd::AsFd;
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|role| role == grader::sandbox::KEEPER_ROLE) {
        return match grader::sandbox::serve_keeper(std::io::stdin().as_fd()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    grader::cli::main()
}
