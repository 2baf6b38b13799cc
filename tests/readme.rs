//! The README and the pages `docs/for-*.md` do what they say: every block of commands is run, section by section.
//!
//! The blocks (```` ```sh ````) of a section are one script, run by `bash -eu` in a copy of some of this repository's problems,
//! with an empty home. ```` ```sh exits=1 ```` tells how the last command of a block ends. What starts with `cargo` builds and
//! tests this project: it is not run from its own tests but must stand in `.ci/run` word for word.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use walkdir::WalkDir;

/// The problems that the pages name. `.ci/run` grades all nine: to grade them here, too, would take a minute of cpu time.
const PROBLEMS: [&str; 3] = ["nine", "dirac-dice-deterministic", "dirac-dice-quantum"];

/// A test for each section that has commands.
pub(crate) fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages: Vec<PathBuf> = vec![root.join("README.md")];
    let docs = WalkDir::new(root.join("docs")).sort_by_file_name().into_iter().flatten();
    pages.extend(docs.map(walkdir::DirEntry::into_path).filter(|path| is_for_users(path)));
    let trials = pages.iter().flat_map(|page| {
        let name = page.strip_prefix(root).unwrap_or(page).display().to_string();
        let text = fs::read_to_string(page).expect("a page of text");
        sections(&text).into_iter().map(move |section| {
            let title = format!("readme::{name}::{}", section.title.to_lowercase().replace(' ', "_"));
            Trial::test(title, move || section.run())
        })
    });
    trials.collect()
}

fn is_for_users(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.starts_with("for-") && path.extension().is_some_and(|ending| ending == "md")
}

/// A section with at least one block of commands.
struct Section {
    title: String,
    blocks: Vec<Block>,
}

struct Block {
    script: String,
    /// How its last command ends.
    exits: i32,
}

/// The sections of a page by its headings of the second level.
fn sections(text: &str) -> Vec<Section> {
    let mut sections = vec![Section { title: "head".to_owned(), blocks: Vec::new() }];
    let (mut heading, mut block) = (None, None);
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { level: pulldown_cmark::HeadingLevel::H2, .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                sections.extend(heading.take().map(|title| Section { title, blocks: Vec::new() }));
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => block = commands(&info),
            Event::End(TagEnd::CodeBlock) => {
                let section = sections.last_mut().expect("there is a first one");
                section.blocks.extend(block.take());
            }
            Event::Text(text) | Event::Code(text) => {
                let into = block.as_mut().map(|block: &mut Block| &mut block.script).or(heading.as_mut());
                into.map(|into| into.push_str(&text)).unwrap_or_default();
            }
            _ => {}
        }
    }
    sections.retain(|section| !section.blocks.is_empty());
    sections
}

/// An empty block, if its info string says that it holds commands.
fn commands(info: &str) -> Option<Block> {
    let mut words = info.split(' ');
    (words.next() == Some("sh")).then_some(())?;
    let exits = words.find_map(|word| word.strip_prefix("exits=")).map_or(0, |code| code.parse().expect("a number"));
    Some(Block { script: String::new(), exits })
}

impl Section {
    #[expect(clippy::disallowed_methods, reason = "a reader's shell is started, not a submission")]
    fn run(&self) -> Result<(), Failed> {
        let home = tempfile::tempdir()?;
        let copy = home.path().join("set");
        copy_of_the_problems(&copy)?;
        let mut script = String::from("set -eu\n");
        for block in &self.blocks {
            let (own, others): (Vec<&str>, Vec<&str>) =
                block.script.lines().partition(|line| line.starts_with("cargo "));
            own.into_iter().try_for_each(is_run_by_ci)?;
            // In braces, so that a status is that of the block's last command.
            let text = others.join("\n");
            let exits = block.exits;
            if exits == 0 {
                writeln!(script, "{text}")?;
            } else {
                writeln!(script, "set +e\n{{\n{text}\n}}\nstatus=$?\nset -e\n[ $status = {exits} ]")?;
            }
        }
        let grader = crate::under_test::grader().parent().ok_or("no directory of the binary")?;
        let dirs = [grader.to_owned()].into_iter().chain(std::env::split_paths(crate::under_test::path()));
        let path = std::env::join_paths(dirs)?;
        let mut command = Command::new("bash");
        command.args(["-x", "-c", &script]).current_dir(&copy).env("PATH", path);
        // Toolchains that live in the real home are still to be found.
        for (name, below) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
            let known = std::env::var_os(name).map(PathBuf::from);
            let known = known.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(below)));
            command.envs(known.map(|dir| (name, dir)));
        }
        let output = command.env("HOME", home.path()).stdin(std::process::Stdio::null()).output()?;
        if output.status.success() {
            return Ok(());
        }
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Err(format!("{}\n{out}\n{err}", output.status).into())
    }
}

/// What builds and tests this project is run by its CI.
fn is_run_by_ci(line: &str) -> Result<(), Failed> {
    let ci = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run"))?;
    let command = line.split(" #").next().unwrap_or(line).trim();
    if ci.lines().any(|known| known.trim().starts_with(command)) {
        return Ok(());
    }
    Err(format!("`{command}` does not stand in .ci/run").into())
}

fn copy_of_the_problems(to: &Path) -> Result<(), Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dirs =
        PROBLEMS.iter().flat_map(|problem| ["problems", "testcases"].map(|above| Path::new(above).join(problem)));
    for part in dirs.chain([PathBuf::from("grader.toml")]) {
        for entry in WalkDir::new(root.join(part)) {
            let entry = entry?;
            let target = to.join(entry.path().strip_prefix(root)?);
            if entry.file_type().is_dir() {
                fs::create_dir_all(target)?;
            } else {
                fs::create_dir_all(target.parent().ok_or("no directory")?)?;
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}
