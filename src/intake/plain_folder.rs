//! Reads a folder with test cases and no solver as a problem. Nothing more is needed to judge submissions.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};

use super::Problems;
use crate::discover::select::{Request, normal, select};
use crate::language::Detection;
use crate::package::plain::{self, CASE_DIRS};
use crate::package::reader::Reader;
use crate::plan::Plan;
use crate::session::archives::Unpacked;
use crate::workspace::Workspace;

/// Names that make a folder a problem or a package. The reader of that format then reports its errors.
const DESCRIBED: [&str; 5] = ["problem.toml", "problem.yaml", "domjudge-problem.ini", "submissions", "data"];

/// Reads a folder of test cases without a solver as a problem: the folder that a word names, or the start. None if it
/// is not such a folder.
pub(crate) fn cases_alone(workspace: &Workspace, word: Option<&str>, tests: &[String]) -> Result<Option<Problems>> {
    let dir = normal(&workspace.start.join(word.unwrap_or_default()));
    // An unlistable folder does not count. The search for problems reports that it cannot be read.
    let holds = |dir: &Path, is_wanted: &dyn Fn(&Path) -> bool| {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|path| path.is_file() && is_wanted(&path))
    };
    let is_source =
        |path: &Path| matches!(workspace.languages.detect(&[path.to_owned()], &|_| None), Detection::One(_));
    let is_input = |path: &Path| path.extension().is_some_and(|ending| ending == "in");
    let has_cases = CASE_DIRS.iter().any(|cases| holds(&dir.join(cases), &is_input));
    let is_other = DESCRIBED.iter().any(|name| dir.join(name).exists()) || holds(&dir, &is_source);
    let Some(name) = dir.file_name().and_then(|name| name.to_str()).filter(|_| has_cases && !is_other) else {
        return Ok(None);
    };
    let data = workspace.settings.testcases_dir().join(name);
    let mut reader = Reader::new(name.into(), &dir, &data, &is_source);
    reader.package_names = false;
    let problem = plain::read(&reader, &data);
    let found = reader.take_found();
    let mut plan = Plan::default();
    if !found.iter().any(crate::package::diagnostic::Diagnostic::is_error) {
        let problems = [problem];
        let request = Request { tests: tests.to_vec(), base: workspace.start.clone(), ..Request::default() };
        match select(&problems, &request) {
            Ok(selected) => {
                for selected in &selected {
                    plan.add(Arc::new(selected.problem.clone()), |position| selected.has_test(position), []);
                }
            }
            Err(errors) => bail!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\nerror: ")),
        }
    }
    Ok(Some(Problems { plan, found, unpacked: Unpacked::default() }))
}
