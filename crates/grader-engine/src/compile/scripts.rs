//! Builds programs with their own scripts: `build` creates what `run` starts (package format 2025-09, "Other
//! programs").

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::language::Commands;
use crate::limits::Bytes;
use crate::sandbox::Sandbox;

use super::sources::{Sources, is_executable};
use super::toolbox::Toolset;
use super::{Compiler, Recipe};

/// The script that builds the program.
const BUILD: &str = "build";
/// The file that starts the program.
pub(super) const RUN: &str = "run";

/// The language name of such programs in reports.
const LANGUAGE: &str = "scripts";

/// The tools that the format promises to scripts: a Python interpreter and compilers of C and C++ under these names.
const TOOLS: [&str; 3] = ["python3", "cc", "c++"];
/// A tool that only scripts get that call it, such as those of `grader export`.
const RUSTC: &str = "rustc";

/// The system cannot execute the `build` of a program.
#[derive(Debug, thiserror::Error)]
#[error("`build` is not executable: chmod +x it")]
pub(super) struct NotExecutable;

/// Returns the recipe of a program with scripts.
pub(super) fn recipe<'a>(
    compiler: &Compiler<'_>,
    sources: &Sources<'_>,
    sandbox: &mut dyn Sandbox,
) -> Result<Recipe<'a>, NotExecutable> {
    let build = sources.place(Path::new(BUILD)).map(|path| {
        let executable = is_executable(path).then(|| needs_shell(path));
        executable.ok_or(NotExecutable)
    });
    let in_shell = build.transpose()?;
    let mut tools = Toolset::default();
    let mut bins = Vec::<PathBuf>::new();
    let mut versions = Vec::new();
    // A script that cannot be read fails when it is started, with the reason.
    let text = sources.place(Path::new(BUILD)).and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    let calls_rustc = String::from_utf8_lossy(&text).contains(RUSTC);
    for name in TOOLS.into_iter().chain(calls_rustc.then_some(RUSTC)) {
        if let Some(tool) = compiler.tools.find(name, sandbox, compiler.store) {
            if !tool.shown.is_empty() {
                bins.extend(tool.path.parent().map(Path::to_owned));
            }
            tools.add(tool);
            versions.push(compiler.tools.version(&[name.to_owned(), "--version".to_owned()], sandbox, compiler.store));
        }
    }
    let commands = move |dir: &Path| {
        let path = |name: &str| dir.join(name).to_string_lossy().into_owned();
        let shell = in_shell.and_then(|needed| needed.then(|| "/bin/sh".to_owned()));
        let build = in_shell.map(|_| shell.into_iter().chain([path(BUILD)]).collect());
        Ok(Commands {
            rename: Vec::new(),
            compile: build.into_iter().collect(),
            run: vec![path(RUN)],
            entry_point: RUN.to_owned(),
            class_choice: None,
            env: Vec::new(),
            binary: Some(dir.join(RUN)),
        })
    };
    Ok(Recipe {
        language: LANGUAGE.to_owned(),
        version: versions.join(" · "),
        processes: 0,
        place: None,
        memory_beside: Bytes(0),
        missing: None,
        class_choice: None,
        tools,
        bins,
        scripted: true,
        is_grammar: false,
        killed: None,
        companions: Vec::new(),
        commands: Box::new(commands),
    })
}

/// Whether a file needs a shell to start: a script without a first line `#!`. An unreadable file is started unchanged,
/// and that failure explains why.
pub(super) fn needs_shell(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read(&mut head));
    read.is_ok_and(|read| !head[..read].starts_with(b"#!") && !head[..read].starts_with(b"\x7fELF"))
}
