//! `grader --version -v`: the build, its features, and the isolation that it finds here.

use std::ffi::OsString;
use std::io::Write as _;

use anyhow::Result;

use super::arguments::open;
use super::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::config::Options;
use crate::doctor::Doctor;

/// The features of Cargo that change what grader can do.
const FEATURES: [(&str, bool); 2] = [("nats", cfg!(feature = "nats")), ("parquet", cfg!(feature = "parquet"))];

/// Whether a command line asks for the version in detail: `--version -v`, in any order, or `-vV`.
pub(super) fn is_asked(words: &[OsString]) -> bool {
    let mut letters = String::new();
    for word in words {
        match word.to_str() {
            Some("--version") => letters.push('V'),
            Some("--verbose") => letters.push('v'),
            Some(word) => match word.strip_prefix('-') {
                Some(group) if group.chars().all(|letter| "vV".contains(letter)) => letters.push_str(group),
                _ => return false,
            },
            None => return false,
        }
    }
    letters.contains('v') && letters.contains('V')
}

/// Prints the details and returns the exit status.
pub(super) fn run() -> Result<ExitStatus> {
    let workspace = open(Options::default())?;
    let isolation = match Doctor::new(&workspace)?.automatic_layer() {
        Ok((layer, None)) => layer.name().to_owned(),
        Ok((layer, Some(why))) => format!("{} ({why})", layer.name()),
        Err(error) => format!("none works here: {error:#}"),
    };
    let features = FEATURES.map(|(name, is_on)| format!("{}{name}", if is_on { '+' } else { '-' })).join(" ");
    let text = format!(
        "grader {}\nbuild: {}\nfeatures: {features}\nisolation: {isolation}\n",
        env!("CARGO_PKG_VERSION"),
        build(),
    );
    stdout().write_all(text.as_bytes())?;
    Ok(ExitStatus::Success)
}

/// The machine that this program is for, how it was linked and optimised, and the commit that a packager named.
fn build() -> String {
    let library = if cfg!(target_env = "musl") { "musl" } else { "gnu" };
    let linked = if cfg!(target_feature = "crt-static") { "static" } else { "dynamic" };
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let commit = option_env!("GRADER_COMMIT").map(|commit| format!(", commit {commit}")).unwrap_or_default();
    format!("{}-linux-{library}, {linked}, {profile}{commit}", std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_details_are_asked_for_in_any_order() {
        let asked = |words: &str| is_asked(&words.split_whitespace().map(OsString::from).collect::<Vec<_>>());
        for words in ["--version -v", "-v --version", "-vV", "-Vv", "-V --verbose", "-V -v -v"] {
            assert!(asked(words), "{words}");
        }
        for words in ["", "--version", "-V", "-v", "run -v --version", "--version --verbos", "-", "--version -vx"] {
            assert!(!asked(words), "{words}");
        }
    }
}
