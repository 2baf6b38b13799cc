//! Builds programs that record which of their lines they execute, and finds the tools that read these records.

use std::fs;
use std::path::PathBuf;

use super::sources::Sources;
use super::toolbox::Tool;
use super::{Artifact, Build, BuildOrder, Compiler, environment};
use crate::language::Language;
use crate::sandbox::{Sandbox, Sight};
use crate::store::Key;

impl Compiler<'_> {
    /// Builds a program that records which of its lines it executes.
    pub(super) fn covered(
        &self,
        order: &BuildOrder<'_>,
        language: &Language,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Build {
        let (Some(row), Some(coverage)) = (language.covered(), &language.coverage) else {
            return Build::NotJudged(format!("nothing says which lines of {} are executed", language.name));
        };
        match self.by_row(order, &row, None, sources, sandbox) {
            Build::Ready(artifact) => Build::Ready(Box::new(Artifact { coverage: Some(coverage.tool), ..*artifact })),
            // As it is, the program compiles, or its submission would be a finding of its own.
            Build::CompileError(words) => Build::NotJudged(format!("it does not compile with coverage: {words}")),
            other => other,
        }
    }

    /// Finds a tool that comes with a compiler: beside it, or in `PATH`.
    pub(crate) fn companion_tool(&self, name: &str, sandbox: &mut dyn Sandbox) -> Build {
        let found = self.of_rust(name, sandbox).or_else(|| self.tools.find(name, sandbox, self.store));
        let Some(tool) = found else { return Build::NotJudged(format!("no {name}: {}", advice(name))) };
        let key = Key::of("tool v1").field("path", tool.path.as_os_str().as_encoded_bytes()).finish();
        let env = environment(self.tools.path_in_box(&tool.shown));
        let artifact = Artifact::without_files(name, vec![tool.path.into()], env, key);
        let sight = Sight { toolchains: tool.shown, ..Sight::default() };
        Build::Ready(Box::new(Artifact { sight, ..artifact }))
    }

    /// A tool of LLVM in Rust's toolchain, where rustup installs it. One of another version may not read its files.
    fn of_rust(&self, name: &str, sandbox: &mut dyn Sandbox) -> Option<Tool> {
        let compiler = self.tools.find("rustc", sandbox, self.store)?;
        let targets = compiler.path.parent()?.parent()?.join("lib/rustlib");
        // A toolchain without this directory has no such tool.
        let mut dirs: Vec<PathBuf> = fs::read_dir(targets).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        dirs.sort();
        let path = dirs.into_iter().map(|dir| dir.join("bin").join(name)).find(|path| path.is_file())?;
        Some(Tool { path, ..compiler })
    }
}

/// Where a tool comes from.
fn advice(name: &str) -> &'static str {
    if name.starts_with("llvm") { "rustup component add llvm-tools" } else { "it comes with gcc" }
}
