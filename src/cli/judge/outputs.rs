//! Judging output files: what a program printed elsewhere is judged as if it had been run here.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::intake::{Intake, text_of};
use super::{Problems, ToldArgs, only_problem, submission};
use crate::cli::arguments::Setup;
use crate::cli::exit::{Ended, ExitStatus, status_of_judging};
use crate::cli::notice::show_diagnostics;
use crate::cli::scratch::Scratch;
use crate::cli::session::{Conducted, HandedIn, Session, quote};
use crate::cli::surroundings;
use crate::event::Verb;
use crate::glob::{Part, Template};
use crate::package::archive::is_archive_name;
use crate::package::outputs::{Meant, Names, OutputFile, Paired, pair};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Program, TestId};
use crate::suggest;

/// The one part of `--pattern`: a case's name, with its group or without.
const PARTS: [Part; 1] = [Part { name: "test", greedy: true, deep: true }];
/// Names told before the rest is counted.
const TOLD: usize = 8;

/// A set of outputs that somebody handed in.
struct Set {
    /// What it is called.
    name: String,
    again: String,
    files: BTreeMap<TestId, PathBuf>,
}

/// Judges outputs for the only one of these problems, which `word` means.
pub(super) fn judge(
    setup: Setup,
    problems: Problems,
    word: Option<&str>,
    outputs: &[PathBuf],
    told: &ToldArgs,
) -> Result<ExitStatus> {
    let scratch = Scratch::new(&surroundings::scratch()).context("cannot make a scratch directory")?;
    let planned = problems.plan.problems[only_problem(&problems, &setup, word)?].clone();
    if planned.problem.kind.is_led_by_validator() {
        bail!(
            "{} is of type {}: what a program prints there answers the output validator, so that outputs alone cannot \
             be judged\n  → judge the program: grader judge {} PROGRAM",
            planned.problem.id,
            planned.problem.kind.name(),
            planned.problem.id
        );
    }
    let pattern = match told.pattern.as_deref().map(|text| (text, Template::new(text, &PARTS))) {
        Some((text, Err(error))) => bail!("`--pattern {text}`: {error}"),
        Some((text, Ok(pattern))) if !pattern.has(0) => {
            bail!("`--pattern {text}` does not say where the `{{test}}` is")
        }
        other => other.and_then(|(_, pattern)| pattern.ok()),
    };
    let mut intake = Intake::new(scratch.path(), &setup.languages, None);
    let names = Names::new(&planned.names);
    let mut pairing = Pairing { intake: &mut intake, planned: &planned, names, pattern };
    let sets = pairing.sets(&setup, outputs)?;
    let found = [setup.settings.warnings.clone(), problems.found, intake.found].concat();
    if sets.is_empty() {
        show_diagnostics(&found, setup.paint);
        return Err(Ended(ExitStatus::Usage).into());
    }
    let handed_in = sets.iter().map(|set| HandedIn { student: None, again: set.again.clone() }).collect();
    let submissions: Vec<_> =
        sets.into_iter().map(|set| (submission(set.name, Program::Outputs(set.files), None), false)).collect();
    let selected = super::programs::positions(&planned);
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    plan.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions);
    let reporters = told.report.reporters(&setup, told.show.terminal_options(&setup))?;
    let archives = problems.unpacked.archives.clone();
    let session = Session { handed_in, archives, ..Session::new(setup, Verb::Judge, None, found, plan) };
    let Conducted { report, signal } = session.conduct(reporters)?;
    Ok(status_of_judging(&report, signal, told.exit_zero))
}

/// From files to tests.
struct Pairing<'p, 'a> {
    intake: &'p mut Intake<'a>,
    planned: &'p PlannedProblem,
    names: Names<'p>,
    pattern: Option<Template>,
}

impl Pairing<'_, '_> {
    /// A set for each folder and archive, and one for all single files.
    fn sets(&mut self, setup: &Setup, outputs: &[PathBuf]) -> Result<Vec<Set>> {
        let mut sets = Vec::new();
        let mut singles: Vec<(PathBuf, PathBuf)> = Vec::new();
        for shown in outputs {
            let path: PathBuf = setup.start.join(shown).components().collect();
            let error = if shown == Path::new("-") {
                singles.push((self.standard_input(setup)?, shown.clone()));
                continue;
            } else if self.intake.refuses_link(&setup.start, shown) {
                continue;
            } else if path.is_dir() || (path.is_file() && is_archive_name(&path)) {
                sets.extend(self.folder(&path, shown));
                continue;
            } else if path.is_file() {
                File::open(&path).map(|_| singles.push((path, shown.clone()))).err().map(|error| error.to_string())
            } else if path.exists() {
                Some("is neither a file nor a directory".to_owned())
            } else {
                Some("no such file or directory".to_owned())
            };
            if let Some(error) = error {
                self.intake.error(shown, error, "name a file, a folder or an archive of outputs");
            }
        }
        sets.extend(self.singles(&singles));
        Ok(sets)
    }

    /// Standard input, as far as an output may go and a byte further.
    fn standard_input(&mut self, setup: &Setup) -> Result<PathBuf> {
        let problem = &self.planned.problem;
        let limits = problem.groups.iter().map(|group| setup.settings.limits_for(problem, group, "").output.0);
        let most = limits.max().unwrap_or(setup.settings.output.0);
        let path = self.intake.fresh_dir()?.join("standard-input");
        let mut file = File::create_new(&path)?;
        io::copy(&mut io::stdin().lock().take(most + 1), &mut file).context("cannot read standard input")?;
        Ok(path)
    }

    /// Files that were named one by one: the output of the only test, or each called like its own.
    fn singles(&mut self, files: &[(PathBuf, PathBuf)]) -> Option<Set> {
        let (_, first) = files.first()?;
        let words: Vec<String> = files.iter().map(|(_, shown)| quote(&shown.display().to_string())).collect();
        let again = format!("--outputs {}", words.join(" "));
        let name = if files.len() == 1 { first.display().to_string() } else { format!("{} files", files.len()) };
        if let ([(path, _)], [test]) = (files, &*self.planned.names) {
            return Some(Set { name, again, files: BTreeMap::from([(test.clone(), path.clone())]) });
        }
        let named = |(path, shown): &(PathBuf, PathBuf)| OutputFile {
            name: shown.clone(),
            path: path.clone(),
            shown: shown.clone(),
        };
        let named = files.iter().map(named).collect();
        let (paired, strange) = self.pair(named);
        for path in &strange {
            let remedy = format!("name the case: -t {}", self.planned.names.first().map_or("TEST", TestId::as_str));
            let message = format!("is called like none of the {} cases", self.planned.names.len());
            self.intake.error(path, message, &remedy);
        }
        (!paired.is_empty() && strange.is_empty()).then_some(Set { name, again, files: paired })
    }

    /// The files of a folder or archive.
    fn folder(&mut self, path: &Path, shown: &Path) -> Option<Set> {
        let tree = self.intake.tree(path, shown);
        let files = tree.items.iter().filter(|item| !item.is_dir);
        let named = files
            .map(|item| OutputFile {
                name: item.below.clone(),
                path: item.path.clone(),
                shown: shown.join(&item.below),
            })
            .collect();
        let (files, strange) = self.pair(named);
        let known = self.planned.names.iter().map(TestId::as_str);
        if files.is_empty() {
            let example = self.planned.names.first().map_or("", TestId::as_str);
            let message = format!("no file in it is called like a case of {}", self.planned.problem.id);
            self.intake.error(shown, message, &format!("call it `{example}.out`, or say how with --pattern"));
        } else if !strange.is_empty() {
            let told: Vec<String> = strange.iter().take(TOLD).map(|path| path.display().to_string()).collect();
            let more = if strange.len() > TOLD { format!(" and {} more", strange.len() - TOLD) } else { String::new() };
            let near =
                strange.first().and_then(|path| suggest::did_you_mean(&path.file_stem()?.to_string_lossy(), known));
            let remedy = near.unwrap_or_else(|| "these are not judged".to_owned());
            self.intake.warning(shown, format!("unexpected: {}{more}", told.join(", ")), &remedy);
        }
        let again = format!("--outputs {}", quote(&shown.display().to_string()));
        (!files.is_empty()).then_some(Set { name: shown.display().to_string(), again, files })
    }

    /// Pairs files with tests; and those that belong to none. What is not clear is told, and does not count.
    fn pair(&mut self, files: Vec<OutputFile>) -> (BTreeMap<TestId, PathBuf>, Vec<PathBuf>) {
        let Paired { files, strange, unclear } = pair(files, |name| self.test_of(name));
        for (path, message, remedy) in &unclear {
            self.intake.error(path, message.as_str(), remedy);
        }
        (files, strange)
    }

    /// The test that a file is called like.
    fn test_of(&self, name: &Path) -> Meant {
        let name = name.as_os_str().as_encoded_bytes();
        let Some(pattern) = &self.pattern else { return self.names.of_file(&text_of(name)) };
        match pattern.parts(name) {
            Some(parts) => self.names.of_name(&text_of(parts[0].unwrap_or_default())),
            None => Meant::None,
        }
    }
}
