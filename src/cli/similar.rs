//! The options for similar programs, of commands that write pages about a class.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::config::{Options, Settings};

/// The options. Each has a key of the same name under `[judge]` in `grader.toml`.
#[derive(Debug, Default, Args)]
pub(super) struct SimilarArgs {
    /// Show two programs as similar from this share of common code on, from 0.1 to 1 [default: 0.6]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    similar: Option<f64>,
    /// Compare also with the programs of an earlier course: a folder with a file or folder for each author (repeatable)
    #[arg(long, value_name = "DIR")]
    similar_to: Vec<PathBuf>,
    /// Do not count this code as similar: a file or folder that all students were given (repeatable)
    #[arg(long, value_name = "PATH")]
    given: Vec<PathBuf>,
}

fn share(text: &str) -> Result<f64, &'static str> {
    let share = text.parse().ok().filter(|share| (0.1..=1.0).contains(share));
    share.ok_or("write a share from 0.1 to 1, such as 0.6")
}

impl SimilarArgs {
    pub(super) fn add_to(&self, options: Options) -> Options {
        let stated = |paths: &Vec<PathBuf>| (!paths.is_empty()).then(|| paths.clone());
        Options { similar: self.similar, similar_to: stated(&self.similar_to), given: stated(&self.given), ..options }
    }
}

/// Fails if a file or folder in the settings does not exist.
pub(super) fn check(settings: &Settings) -> Result<()> {
    let mut wrong = Vec::new();
    for (key, is_folder, paths, remedy) in [
        ("similar_to", true, settings.similar_to_folders(), "name a folder with a file or folder for each author"),
        ("given", false, settings.given_files(), "name a file or folder that all students were given"),
    ] {
        for path in paths {
            let problem = match path.metadata() {
                Ok(found) if is_folder && !found.is_dir() => "it is not a folder".to_owned(),
                Ok(_) => continue,
                Err(error) => error.to_string(),
            };
            wrong.push(format!("`{key}`: cannot read {}: {problem}\n  → {remedy}", path.display()));
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}
