//! Says where a workspace searches for problems.

use std::path::Path;

use crate::discover::Search;
use crate::store;
use crate::workspace::Workspace;

/// Searches for the problems of a workspace.
pub(crate) fn searching<T>(workspace: &Workspace, find: impl FnOnce(&Search<'_>) -> T) -> T {
    let Workspace { settings, languages, .. } = workspace;
    let roots = settings.problem_roots();
    let testcases = settings.testcases_dir();
    find(&Search {
        roots: &roots,
        testcases: &testcases,
        is_source: &|path: &Path| languages.is_source(path),
        derive: &store::deriving(settings.store_dir()),
        top: Some(&workspace.top()),
        testset: Some(settings.testset.as_str()).filter(|name| !name.is_empty()),
    })
}
