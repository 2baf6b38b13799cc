//! Where the files of a job lie on this machine, and where the client has them. Results that a worker sends name the files of
//! the client.

use std::path::{Path, PathBuf};

use crate::event::{BuildResult, Judgement, Notice, TestResult};

/// Folders of this machine, each with the folder of the client that it stands for.
pub(super) struct Places(Vec<(PathBuf, PathBuf)>);

impl Places {
    /// The first folder that contains a path decides.
    pub(super) fn new(folders: impl IntoIterator<Item = (PathBuf, PathBuf)>) -> Self {
        Self(folders.into_iter().collect())
    }

    fn path(&self, path: &Path) -> PathBuf {
        let moved = |(here, there): &(PathBuf, PathBuf)| Some(there.join(path.strip_prefix(here).ok()?));
        self.0.iter().find_map(moved).unwrap_or_else(|| path.to_owned())
    }

    /// Compilers and validators name files in the middle of their messages.
    fn text(&self, text: &mut String) {
        for (here, there) in &self.0 {
            let (here, there) = (here.display().to_string(), there.display().to_string());
            if text.contains(&here) {
                *text = text.replace(&here, there.trim_end_matches('/'));
            }
        }
    }

    /// A notice with the client's names.
    pub(super) fn notice(&self, mut notice: Notice) -> Notice {
        notice.path = notice.path.map(|path| self.path(&path));
        self.text(&mut notice.message);
        self.text(&mut notice.remedy);
        notice
    }

    /// The result of a build with the client's names.
    pub(super) fn build(&self, mut result: BuildResult) -> BuildResult {
        match &mut result {
            BuildResult::Ready { .. } => {}
            BuildResult::CompileError { message }
            | BuildResult::Failed { message }
            | BuildResult::NotJudged { reason: message } => self.text(message),
        }
        result
    }

    /// The result of a test with the client's names.
    pub(super) fn result(&self, mut result: TestResult) -> TestResult {
        match &mut result {
            TestResult::Judged(judgement) => {
                let Judgement { remarks, feedback, team_message, .. } = &mut **judgement;
                remarks.iter_mut().chain(feedback).chain(team_message).for_each(|text| self.text(text));
            }
            TestResult::JudgeError { message, .. } => self.text(message),
            TestResult::NotJudged { .. } | TestResult::Cancelled => {}
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_client() {
        let places = Places::new([
            ("/cache/tree0/home/u/p/.grader-3".into(), "/home/u/p".into()),
            ("/cache/tree0".into(), "/".into()),
        ]);
        for (here, there) in [
            ("/cache/tree0/home/u/p/.grader-3/a.py", "/home/u/p/a.py"),
            ("/cache/tree0/home/u/p/1.in", "/home/u/p/1.in"),
            ("/usr/bin/python3", "/usr/bin/python3"),
        ] {
            assert_eq!(places.path(Path::new(here)), Path::new(there));
            let mut text = format!("{here}:3: error");
            places.text(&mut text);
            assert_eq!(text, format!("{there}:3: error"));
        }
    }
}
