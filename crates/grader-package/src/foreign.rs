//! Recognises problems of tools whose layouts grader does not read. A message names them, instead of judging their
//! parts by wrong rules.

use std::io::Read as _;
use std::path::Path;

use grader_model::diagnostic::{Diagnostic, Severity};

/// How much of a file is read to recognise it.
const LOOKED_AT: u64 = 64 * 1024;

/// A family of problem layouts.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// The file that every problem of the family has.
    file: &'static str,
    /// The name of the family, with its article.
    name: &'static str,
    /// Other parts of such a problem, one of which must exist. If empty, the file alone is enough.
    parts: &'static [&'static str],
    /// Beginnings of lines in the file, one of which must exist. If empty, any content will do.
    lines: &'static [&'static str],
    /// How to get the problem into a layout that grader reads.
    remedy: &'static str,
}

const CONVERT: &str = "convert it to an ICPC package, or copy its solutions and tests to a folder without this file";

const FAMILIES: [Family; 3] = [
    Family {
        file: "problem.xml",
        name: "a problem.xml of another tool than Polygon, or a damaged one (it has no <problem> with <judging>)",
        parts: &[],
        lines: &[],
        remedy: "download the package of Polygon again; or convert it to an ICPC package",
    },
    Family {
        file: "problem.json",
        name: "a tps task",
        parts: &["gen/data", "gen", "solution", "validator", "checker"],
        lines: &[],
        remedy: CONVERT,
    },
    Family {
        file: "init.yml",
        name: "a DMOJ problem",
        parts: &[],
        lines: &["archive", "test_cases", "pretest_test_cases", "custom_judge", "interactive", "checker", "points"],
        remedy: CONVERT,
    },
];

impl Family {
    /// The family of the problem in a directory, judged by the file that every problem of the family has.
    pub fn of(dir: &Path) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.is_in(dir))
    }

    /// Whether a file of this name may belong to a family.
    pub fn is_marked_by(name: &Path) -> bool {
        FAMILIES.iter().any(|family| name == Path::new(family.file))
    }

    fn is_in(&self, dir: &Path) -> bool {
        let file = dir.join(self.file);
        file.is_file()
            && (self.parts.is_empty() || self.parts.iter().any(|part| dir.join(part).exists()))
            && (self.lines.is_empty() || has_line(&file, self.lines))
    }

    /// The finding that grader does not read the problem in this directory.
    pub fn finding(&self, severity: Severity, dir: &Path) -> Diagnostic {
        let message = format!("{}, not supported yet", self.name);
        Diagnostic::new(severity, message).about(dir.join(self.file)).remedy(self.remedy)
    }
}

/// Whether a line of the file begins with one of these. An unreadable file has no such line.
fn has_line(file: &Path, beginnings: &[&str]) -> bool {
    let mut text = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    read.is_ok() && text.lines().any(|line| beginnings.iter().any(|beginning| line.starts_with(beginning)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_recognised_by_their_parts() {
        let dir = tempfile::tempdir().unwrap();
        let name = |files: &[(&str, &str)]| {
            let dir = tempfile::tempdir_in(dir.path()).unwrap();
            for (path, text) in files {
                let path = dir.path().join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            Family::of(dir.path()).map(|family| family.name)
        };
        assert_eq!(
            name(&[("problem.xml", "")]),
            Some("a problem.xml of another tool than Polygon, or a damaged one (it has no <problem> with <judging>)")
        );
        assert_eq!(name(&[("problem.json", ""), ("gen/data", "")]), Some("a tps task"));
        assert_eq!(name(&[("init.yml", "test_cases:\n")]), Some("a DMOJ problem"));
        for files in [&[("problem.json", "")][..], &[("init.yml", "x: 1\n")]] {
            assert_eq!(name(files), None, "{files:?}");
        }
    }
}
