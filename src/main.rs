//! The `grader` binary: serves a role of the sandbox, or runs the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    grader::serve_role(std::env::args_os()).unwrap_or_else(grader::cli::main)
}
