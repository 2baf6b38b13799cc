//! The `grader` binary: serves a role of the sandbox, or runs the command line.

use std::process::ExitCode;

/// The static binary of a release. The allocator of musl is slow.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    grader::serve_role(std::env::args_os()).unwrap_or_else(grader::cli::main)
}
