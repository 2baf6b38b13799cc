//! Every row of the table of languages for real: the grader compiles and judges a program that sums two numbers. A row
//! whose tools are absent is reported as ignored.

mod programs;
#[path = "../under_test/mod.rs"]
mod under_test;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use grader::language::Languages;
use libtest_mimic::{Arguments, Failed, Trial};
use programs::{Files, PROGRAMS};

fn main() {
    let arguments = Arguments::from_args();
    let languages = Languages::builtin();
    let mut trials = vec![Trial::test("every_row_has_a_program", every_row_has_a_program)];
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for (id, files) in PROGRAMS {
        let number = seen.entry(id).or_default();
        *number += 1;
        // A row that stands in for another may need a newer version of its tool.
        let stands_in = languages.iter().any(|row| row.otherwise.iter().any(|other| other == id));
        let absent = languages.get(id).is_none_or(|language| {
            !language.tools().into_iter().all(is_installed) || stands_in && !answers(&language.version)
        });
        let name = format!("{id}::{number}{}", if absent { " (its tools are absent)" } else { "" });
        trials.push(Trial::test(name, move || three_and_four_are_seven(id, files)).with_ignored_flag(absent));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn every_row_has_a_program() -> Result<(), Failed> {
    for row in Languages::builtin().iter() {
        if !PROGRAMS.iter().any(|(id, _)| *id == row.id) {
            return Err(format!("no program for {}", row.id).into());
        }
    }
    Ok(())
}

fn is_installed(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(tool).is_file())
}

/// Whether a tool tells its version.
#[expect(clippy::disallowed_methods, reason = "a tool is asked, and no submission runs")]
fn answers(version: &[String]) -> bool {
    std::process::Command::new(&version[0]).args(&version[1..]).output().is_ok_and(|output| output.status.success())
}

fn three_and_four_are_seven(id: &str, files: Files) -> Result<(), Failed> {
    let dir = tempfile::tempdir()?;
    let (problem, cases) = (dir.path().join("problems/sum"), dir.path().join("testcases/sum/sample"));
    // From outside of the problem, where any name will do: one file is a program by itself, several are a directory.
    for (name, text) in files {
        write(&dir.path().join("program").join(name), text)?;
    }
    let program = if let [(name, _)] = files { format!("program/{name}") } else { "./program".to_owned() };
    write(&dir.path().join("grader.toml"), "")?;
    write(&problem.join("problem.toml"), "name = \"Sum\"\n[limits]\ntime_limit = 10\n")?;
    write(&cases.join("1.in"), "3 4\n")?;
    write(&cases.join("1.ans"), "7\n")?;
    #[expect(clippy::disallowed_methods, reason = "the test starts the grader itself")]
    let mut grader = std::process::Command::new(under_test::grader());
    let output = grader
        .args(["run", "sum", "-s", &program, "--lang", id])
        .current_dir(dir.path())
        .env("PATH", under_test::path())
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr)).into())
}

fn write(path: &Path, text: &str) -> Result<(), Failed> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)?;
    Ok(())
}
