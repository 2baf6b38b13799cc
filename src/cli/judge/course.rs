//! The options of `grader judge` for courses. Each has a key of the same name under `[judge]` in `grader.toml`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::super::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::config::{ATTEMPTS, LateRule, MISSING, Options, POINTS};
use crate::intake::platforms::PLATFORMS;

/// The options.
#[derive(Debug, Args)]
pub(super) struct CourseArgs {
    /// Count this one of several submissions of a student for a problem [default: last]
    #[arg(long, value_name = "WHICH", value_parser = ["last", "best", "first"])]
    attempts: Option<String>,
    /// Show this where a student submitted nothing for a problem; the total counts zero [default: blank]
    #[arg(long, value_name = "HOW", value_parser = ["blank", "zero"])]
    missing: Option<String>,
    /// Scale the points in files for a platform to the maximum in its list, which is the roster (`platform`), or keep them (`raw`) [default: platform]
    #[arg(long, value_name = "WHICH", value_parser = ["platform", "raw"])]
    points: Option<String>,
    /// Report how late each submission is: after this time in ISO 8601, such as `2026-01-31T23:59`; the export or the
    /// roster states when each was submitted
    #[arg(long, value_name = "TIME")]
    deadline: Option<String>,
    /// Take points away for lateness: `10 % a day, at most 50 %`
    #[arg(long, value_name = "RULE", value_parser = |text: &str| LateRule::parse(text))]
    late: Option<LateRule>,
    /// Read another name of a file or folder as a problem: `mean.py=stats` (repeatable; adds to `exercises` in grader.toml)
    #[arg(long, value_name = "NAME=PROBLEM", value_parser = pair)]
    exercise: Vec<(String, String)>,
    /// Leave out files and folders that match this glob (repeatable; adds to `ignore` in grader.toml)
    #[arg(long, value_name = "GLOB")]
    ignore: Vec<String>,
    /// Give everyone named in this file of a submission what it gets: an id or name a line, such as `members.txt`
    #[arg(long, value_name = "FILE")]
    members: Option<String>,
    /// Read grades that people decided from a CSV file with the columns `id`, `problem`, `points`, `reason` and `by`
    #[arg(long, value_name = "FILE")]
    overrides: Option<PathBuf>,
}

fn pair(text: &str) -> Result<(String, String), &'static str> {
    let pair = text.rsplit_once('=').filter(|(name, problem)| !name.is_empty() && !problem.is_empty());
    pair.map(|(name, problem)| (name.to_owned(), problem.to_owned())).ok_or("write NAME=PROBLEM, such as mean.py=stats")
}

impl CourseArgs {
    pub(super) fn add_to(&self, options: Options) -> Options {
        fn meaning<T: Copy>(words: &[(&str, T)], word: Option<&String>) -> Option<T> {
            words.iter().find(|(known, _)| Some(*known) == word.map(String::as_str)).map(|(_, meaning)| *meaning)
        }
        let exercises: BTreeMap<String, String> = self.exercise.iter().cloned().collect();
        Options {
            attempts: meaning(ATTEMPTS, self.attempts.as_ref()),
            missing: meaning(MISSING, self.missing.as_ref()),
            points: meaning(POINTS, self.points.as_ref()),
            deadline: self.deadline.clone(),
            late: self.late.clone(),
            exercises: (!exercises.is_empty()).then_some(exercises),
            ignore: (!self.ignore.is_empty()).then(|| self.ignore.clone()),
            members: self.members.clone(),
            overrides: self.overrides.clone(),
            ..options
        }
    }
}

/// Lists the layouts that have a name.
pub(super) fn list_layouts() -> io::Result<ExitStatus> {
    let mut out = stdout();
    writeln!(
        out,
        "layouts of platforms; grader recognises those with *, and the others by a roster of their students"
    )?;
    for platform in PLATFORMS.iter() {
        let mark = if platform.may_be_recognised() { "*" } else { " " };
        writeln!(out, "  {mark} {:12}{}", platform.name, platform.title)?;
        writeln!(out, "{:16}{}", "", platform.example)?;
    }
    writeln!(out, "every other layout is a glob with the student and the problem: `{{student}}/{{problem}}.*`")?;
    Ok(ExitStatus::Success)
}
