//! Which binary the tests start.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The binary that `BINARY_UNDER_TEST` names; without this variable, the one that cargo built beside the tests.
///
/// Dev-dependencies switch on features of crates that the product shares, so cargo's binary can do what an installed one
/// cannot. `.ci/run` therefore names the binary that `cargo install --locked` made.
pub(crate) fn grader() -> &'static Path {
    static GRADER: LazyLock<PathBuf> = LazyLock::new(|| {
        let Some(named) = std::env::var_os("BINARY_UNDER_TEST") else {
            return env!("CARGO_BIN_EXE_grader").into();
        };
        let named = PathBuf::from(named);
        // Tests start it from other directories.
        assert!(
            named.is_absolute() && named.is_file(),
            "BINARY_UNDER_TEST={}: no absolute path of a file",
            named.display()
        );
        named
    });
    &GRADER
}
