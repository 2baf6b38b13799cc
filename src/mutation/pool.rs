//! Judges pools of programs whose label is known: how many right programs the cases accept, and how many wrong ones they
//! reject.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use crate::event::{BuildResult, Standing, Verb};
use crate::import::rows;
use crate::intake::programs::{Request, prepare};
use crate::language::Languages;
use crate::record::SubmissionReport;
use crate::session::inner_progress::Follower;
use crate::session::scratch::Scratch;
use crate::session::{Role, RunEnd, Session};
use crate::strength::{Against, LabelledPool};
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// A program as a row.
#[derive(Deserialize)]
struct RowProgram {
    #[serde(alias = "code", alias = "solution")]
    source: String,
    #[serde(alias = "lang")]
    language: String,
}

/// Judges the programs in `places`: files, folders, archives, or JSON Lines with `source` and `language`. `should_pass` is
/// their label.
///
/// # Errors
/// A place cannot be read, holds no program, or the judge fails.
pub(crate) fn judge_pool(
    workspace: &Workspace,
    problem: &str,
    places: &[PathBuf],
    should_pass: bool,
    all_tests: bool,
) -> Result<LabelledPool> {
    let scratch = Scratch::for_programs()?;
    let mut pool = LabelledPool { should_pass, ..LabelledPool::default() };
    for (at, place) in places.iter().enumerate() {
        let place = workspace.start.join(place);
        let dir = match place.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl" | "json" | "gz" | "parquet") => {
                unpacked(&workspace.languages, &place, &scratch.path().join(at.to_string()))?
            }
            _ => place,
        };
        let words = vec![dir.display().to_string()];
        let request = Request { problem: Some(problem.to_owned()), words, ..Request::default() };
        let judging = prepare(workspace.clone(), &request)?;
        let mut session = Session { role: Role::Inner(Verb::Judge), ..judging.session };
        Arc::make_mut(&mut session.plan).all_tests = all_tests;
        if let Some(work) = &mut session.work {
            Arc::make_mut(&mut work.plan).all_tests = all_tests;
        }
        let name = problem.to_owned();
        let follower = Follower::new(workspace.listener(), move |_| name.clone());
        let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
        if let Some(signal) = signal {
            return Err(EarlyEnd::Interrupted(signal).into());
        }
        let shown = |name: &str| {
            let path = Path::new(name);
            let inside = path.strip_prefix(scratch.path()).or_else(|_| path.strip_prefix(&workspace.start));
            inside.unwrap_or(path).display().to_string()
        };
        report.submissions.iter().for_each(|submission| add(&mut pool, submission, &shown));
    }
    Ok(pool)
}

/// Writes the programs of rows to `dir`, each as a file of its own.
fn unpacked(languages: &Languages, file: &Path, dir: &Path) -> Result<PathBuf> {
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    for (number, row) in (1..).zip(rows(file)?) {
        let at = || format!("{}, row {number}", file.display());
        let row: RowProgram = serde_json::from_str(&row?).with_context(at)?;
        let language = languages.id_of(&row.language).and_then(|id| languages.get(id));
        let Some(ending) = language.and_then(|language| language.extensions.first()) else {
            bail!("{}: no language is called `{}`\n  → docs/languages.md lists them", at(), row.language);
        };
        let path = dir.join(format!("row{number}.{ending}"));
        fs::write(&path, row.source).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(dir.to_owned())
}

/// Counts one program.
fn add(pool: &mut LabelledPool, found: &SubmissionReport, shown: &dyn Fn(&str) -> String) {
    let name = shown(found.id.submission.as_str());
    match (&found.built, found.standing()) {
        (Some(BuildResult::CompileError { .. }), _) => pool.not_built += 1,
        (_, Some(Standing::NotJudged { reason })) => pool.not_judged.push((name, reason.clone())),
        (_, Some(Standing::JudgeError { message })) => pool.not_judged.push((name, message.clone())),
        _ => {
            let failed = found.failure();
            pool.judged += 1;
            let passed = found.verdict() == Some(Verdict::Accepted);
            if passed == pool.should_pass {
                pool.as_labelled += 1;
            } else {
                let test = failed.map(|failed| failed.test.test.to_string());
                pool.against.push(Against { program: name, verdict: found.verdict(), test });
            }
        }
    }
}
