//! Gives each problem a unique name: the name of its folder. If several folders share a name, each problem gets enough
//! of its path to distinguish them. So names in records, kept files and commands are never ambiguous.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Discovery;
use super::candidates::Candidate;
use crate::problem::{Problem, ProblemId};

/// The shortest end of each path that no other path has.
fn shortest_ends(dirs: &[&Path]) -> Vec<String> {
    let parts: Vec<Vec<String>> =
        dirs.iter().map(|dir| dir.iter().map(|part| part.to_string_lossy().into_owned()).collect()).collect();
    let end = |of: usize, length: usize| &parts[of][parts[of].len().saturating_sub(length)..];
    let is_alone = |of: usize, length: usize| {
        (0..parts.len()).all(|other| dirs[other] == dirs[of] || end(other, length) != end(of, length))
    };
    let shortest = |of: usize| {
        let length = (1..parts[of].len()).find(|length| is_alone(of, *length));
        length.map_or_else(|| dirs[of].to_string_lossy().into_owned(), |length| end(of, length).join("/"))
    };
    (0..dirs.len()).map(shortest).collect()
}

/// Gives each candidate a unique name.
pub(super) fn distinguish(found: &mut [Candidate]) {
    let mut by_name: HashMap<ProblemId, Vec<usize>> = HashMap::new();
    for (at, candidate) in found.iter().enumerate() {
        by_name.entry(candidate.slug()).or_default().push(at);
    }
    for same in by_name.into_values().filter(|same| same.len() > 1) {
        let dirs: Vec<&Path> = same.iter().map(|at| &*found[*at].dir).collect();
        let ends = shortest_ends(&dirs);
        for (at, end) in same.into_iter().zip(ends) {
            found[at].id = end.into();
        }
    }
}

impl Discovery {
    /// Adds the results of another search. Problems with the same name get longer, unique names.
    pub(crate) fn absorb(&mut self, mut more: Self) {
        let mut by_name: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for problem in self.all().chain(more.all()) {
            by_name.entry(problem.slug().to_owned()).or_default().push(problem.dir.clone());
        }
        let mut names: HashMap<PathBuf, ProblemId> = HashMap::new();
        for dirs in by_name.into_values().filter(|dirs| dirs.len() > 1) {
            let dirs: Vec<&Path> = dirs.iter().map(PathBuf::as_path).collect();
            let ends = shortest_ends(&dirs);
            names.extend(dirs.iter().map(|dir| (*dir).to_owned()).zip(ends.into_iter().map(ProblemId::from)));
        }
        self.rename(&names);
        more.rename(&names);
        self.problems.append(&mut more.problems);
        self.unfinished.append(&mut more.unfinished);
        self.diagnostics.append(&mut more.diagnostics);
    }

    /// All problems without errors other than those about test cases.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Problem>> {
        self.problems.iter().chain(&self.unfinished)
    }

    /// Lengthens names. A name that is longer already stays, because it distinguishes problems that are not among
    /// these.
    fn rename(&mut self, names: &HashMap<PathBuf, ProblemId>) {
        let mut renamed: HashMap<ProblemId, ProblemId> = HashMap::new();
        for problem in self.problems.iter_mut().chain(&mut self.unfinished) {
            let name = names.get(&problem.dir).map(|name| match &problem.part {
                Some(part) => ProblemId::from(format!("{name}/{}", part.name)),
                None => name.clone(),
            });
            if let Some(name) = name.filter(|name| name.as_str().len() > problem.id.as_str().len()) {
                renamed.insert(std::mem::replace(&mut Arc::make_mut(problem).id, name.clone()), name.clone());
            }
        }
        for found in &mut self.diagnostics {
            if let Some(name) = found.problem.as_ref().and_then(|old| renamed.get(old)) {
                found.problem = Some(name.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_as_short_as_they_can_be() {
        let ends = |dirs: &[&str]| shortest_ends(&dirs.iter().map(Path::new).collect::<Vec<_>>());
        assert_eq!(ends(&["/w/a/nine", "/w/b/nine"]), ["a/nine", "b/nine"]);
        assert_eq!(ends(&["/w/a/x/nine", "/w/b/x/nine", "/w/c/nine"]), ["a/x/nine", "b/x/nine", "c/nine"]);
        assert_eq!(ends(&["/w/nine", "/w/x/w/nine"]), ["/w/nine", "x/w/nine"]);
        assert_eq!(ends(&["/w/nine", "/w/nine"]), ["nine", "nine"]);
    }
}
