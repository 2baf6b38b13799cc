//! Recognises problems of tools whose layouts grader does not read. A message names them, instead of judging their
//! parts by wrong rules.

use std::path::Path;

use crate::polygon;
use grader_model::diagnostic::{Diagnostic, Severity};

/// A family of problem layouts that grader does not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// A `problem.xml` of another tool than Polygon, or a damaged one.
    Xml,
    /// A task of tps, with a `problem.json` beside other parts of a task.
    Tps,
}

/// Parts of a task of tps, one of which is beside its description.
const TPS_PARTS: [&str; 5] = ["gen/data", "gen", "solution", "validator", "checker"];

impl Family {
    const ALL: [Self; 2] = [Self::Xml, Self::Tps];

    /// The family of the problem in a directory, judged by the file that every problem of the family has.
    pub fn of(dir: &Path) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.is_in(dir))
    }

    /// Whether a file of this name may belong to a family.
    pub fn is_marked_by(name: &Path) -> bool {
        Self::ALL.iter().any(|family| name == Path::new(family.file()))
    }

    const fn file(self) -> &'static str {
        match self {
            Self::Xml => polygon::FILE,
            Self::Tps => "problem.json",
        }
    }

    fn is_in(self, dir: &Path) -> bool {
        let has_parts = || self == Self::Xml || TPS_PARTS.iter().any(|part| dir.join(part).exists());
        dir.join(self.file()).is_file() && has_parts()
    }

    /// The finding that grader does not read the problem in this directory.
    pub fn finding(self, severity: Severity, dir: &Path) -> Diagnostic {
        match self {
            Self::Xml => Diagnostic { severity, ..polygon::why_no_package(dir) },
            Self::Tps => Diagnostic::new(severity, "a tps task, not supported yet")
                .about(dir.join(self.file()))
                .remedy("convert it to an ICPC package, or copy its solutions and tests to a folder without this file"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_recognised_by_their_parts() {
        let dir = tempfile::tempdir().unwrap();
        let family = |files: &[(&str, &str)]| {
            let dir = tempfile::tempdir_in(dir.path()).unwrap();
            for (path, text) in files {
                let path = dir.path().join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            Family::of(dir.path())
        };
        assert_eq!(family(&[("problem.xml", "")]), Some(Family::Xml));
        assert_eq!(family(&[("problem.json", ""), ("gen/data", "")]), Some(Family::Tps));
        for files in [&[("problem.json", "")][..], &[("init.yml", "x: 1\n")]] {
            assert_eq!(family(files), None, "{files:?}");
        }
    }
}
