//! Unit tests in JavaScript with Jest. They run like those of node's runner, in a process without the solution.

use std::path::Path;

use super::{Runner, javascript};
use crate::driver;

pub(super) const ROW: Runner = Runner {
    language: "JavaScript (Jest)",
    programs: |files| {
        let mut programs = javascript::programs(files, driver::JEST);
        // An installation of Jest for the teacher: thousands of files.
        programs.judge.retain(|(name, _)| !name.starts_with("node_modules/"));
        let has_imports = files.text.lines().any(|line| line.starts_with("import "));
        let states_kind = files.beside.iter().any(|(name, _)| name == "package.json");
        if has_imports && Path::new(files.name).extension().is_some_and(|ending| ending == "js") && !states_kind {
            programs.judge.push(("package.json".to_owned(), b"{\"type\": \"module\"}\n".to_vec()));
        }
        Ok(programs)
    },
    example: "test(\"mean of two\", () => { expect(mean([1, 2])).toBe(1.5); })",
    library: "expect(",
    ..javascript::ROW
};
