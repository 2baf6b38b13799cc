//! Draws `docs/terminal.svg`, the picture in the README, from a real run of this repository's problems.
//!
//! `cargo build --release && cargo run --release --example picture` from the repository's root: a copy of two problems is
//! graded in a temporary directory, where one of the wrong submissions stands under `accepted/`.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use walkdir::WalkDir;

const PROBLEMS: [&str; 2] = ["nine", "recursive-combat-log"];
/// What is to be seen failing, and the name that it gets.
const WRONG: (&str, &str) = ("wrong_answer/heading_on_repetition.py", "accepted/mine.py");
const COMMAND: &str = "grader run nine recursive-combat-log -s accepted";
const COLUMNS: &str = "100";
const PICTURE: &str = "docs/terminal.svg";

#[expect(clippy::disallowed_methods, reason = "the grader itself is started, not a submission")]
fn main() -> Result<(), Box<dyn Error>> {
    let example = std::env::current_exe()?;
    let grader = example.parent().and_then(Path::parent).ok_or("no directory above the example")?.join("grader");
    let set = tempfile::tempdir()?;
    fs::copy("grader.toml", set.path().join("grader.toml"))?;
    for problem in PROBLEMS {
        for root in ["problems", "testcases"] {
            copy(&Path::new(root).join(problem), &set.path().join(root).join(problem))?;
        }
    }
    let submissions = set.path().join("problems").join(PROBLEMS[1]).join("submissions");
    fs::copy(submissions.join(WRONG.0), submissions.join(WRONG.1))?;
    let run = Command::new(&grader)
        .args(COMMAND.split(' ').skip(1))
        .current_dir(set.path())
        .env("CLICOLOR_FORCE", "1")
        .env("COLUMNS", COLUMNS)
        .output()
        .map_err(|error| format!("{}: {error}; build it first: cargo build --release", grader.display()))?;
    if run.status.code() != Some(1) {
        return Err(
            format!("the run should find one unexpected result: {}", String::from_utf8_lossy(&run.stderr)).into()
        );
    }
    let screen = format!("\x1b[2m$\x1b[0m {COMMAND}\n{}", String::from_utf8(run.stdout)?);
    fs::write(PICTURE, anstyle_svg::Term::new().render_svg(&screen))?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
