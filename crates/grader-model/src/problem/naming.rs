//! The names of the files of test cases, where a folder does not use `.in` and `.ans`.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The names of the inputs and answers of a group, such as `input1.txt` with `output1.txt`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseNaming {
    /// The input of a case, relative to the group's directory.
    pub input: FilePattern,
    /// The answer of a case, relative to the group's directory.
    pub answer: FilePattern,
}

/// The path of a file that contains the name of its case at most once: `in/*.txt`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePattern {
    before: Arc<str>,
    /// The part after the name of the case. None if the path does not contain the name.
    after: Option<Arc<str>>,
}

impl FilePattern {
    /// Creates a pattern from text in which `*` stands for the name of the case.
    pub fn new(text: &str) -> Self {
        match text.split_once('*') {
            Some((before, after)) => Self { before: before.into(), after: Some(after.into()) },
            None => Self { before: text.into(), after: None },
        }
    }

    /// The pattern of one path, whatever is in it.
    pub fn only(path: &str) -> Self {
        Self { before: path.into(), after: None }
    }

    /// The path of the file of this case.
    pub fn of_case(&self, name: &str) -> String {
        match &self.after {
            Some(after) => format!("{}{name}{after}", self.before),
            None => self.before.to_string(),
        }
    }

    /// The name of the case in the path of its file, if the path fits. The name has at least one character and no `/`.
    /// It is empty for a pattern that is one path.
    pub fn case_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(&*self.before)?;
        match &self.after {
            Some(after) => rest.strip_suffix(&**after).filter(|name| !name.is_empty() && !name.contains('/')),
            None => rest.is_empty().then_some(""),
        }
    }
}

impl fmt::Display for FilePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.of_case("*"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_gives_the_path_back() {
        for (pattern, path, name) in [
            ("input*.txt", "input1.txt", Some("1")),
            ("input*.txt", "input.txt", None),
            ("in/*.txt", "in/01.txt", Some("01")),
            ("in/*", "in/a/b", None),
            ("*/input.txt", "1/input.txt", Some("1")),
            ("input.txt", "input.txt", Some("")),
            ("input.txt", "input.txt.bak", None),
        ] {
            let pattern = FilePattern::new(pattern);
            assert_eq!(pattern.case_of(path), name, "{pattern} {path}");
            if let Some(name) = name {
                assert_eq!(pattern.of_case(name), path);
            }
        }
    }
}
