//! The `grader` binary: the role of a keeper or of a hostile program, or the command line.

use std::os::fd::AsFd;
use std::process::ExitCode;

fn main() -> ExitCode {
    let role = std::env::args_os().nth(1).unwrap_or_default();
    if role == grader::sandbox::PROBE_ROLE {
        return grader::sandbox::serve_probe(std::env::args_os());
    }
    if role == grader::sandbox::KEEPER_ROLE {
        return match grader::sandbox::serve_keeper(std::io::stdin().as_fd()) {
            Ok(()) => ExitCode::SUCCESS,
            // The grader reads the keeper's last message, or notices that there is none.
            Err(_) => ExitCode::FAILURE,
        };
    }
    grader::cli::main()
}
