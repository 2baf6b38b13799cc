//! A place with problems to grade, and the grader at work in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::measure::{Cost, cost};

/// The compiler and its options, as the table of languages has them for C++.
const COMPILE: [&str; 6] = ["g++", "-std=gnu++20", "-O2", "-pipe", "-static", "-pthread"];

/// Reads two numbers and prints their sum.
pub(crate) const SUM: &str = "#include <cstdio>\nint main() { long a, b; if (scanf(\"%ld %ld\", &a, &b) == 2) \
    printf(\"%ld\\n\", a + b); }\n";

/// A directory with a `grader.toml`.
pub(crate) struct Workspace {
    dir: TempDir,
    /// What the grader gets beside the environment of this process.
    environment: Vec<(String, String)>,
}

impl Workspace {
    pub(crate) fn new(settings: &str) -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        fs::write(dir.path().join("grader.toml"), settings)?;
        Ok(Self { dir, environment: Vec::new() })
    }

    pub(crate) fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.environment.push((name.into(), value.into()));
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.dir.path().join(inside)
    }

    pub(crate) fn write(&self, inside: &str, bytes: impl AsRef<[u8]>) -> io::Result<PathBuf> {
        let path = self.path(inside);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
        fs::write(&path, bytes)?;
        Ok(path)
    }

    /// Cases of `SUM`; another `seed` gives others, which no store has seen.
    pub(crate) fn sums(&self, problem: &str, count: usize, seed: usize) -> io::Result<Vec<[PathBuf; 2]>> {
        let case = |n: usize| {
            let stem = format!("testcases/{problem}/secret/{n:06}");
            let input = self.write(&format!("{stem}.in"), format!("{n} {seed}\n"))?;
            Ok([input, self.write(&format!("{stem}.ans"), format!("{}\n", n + seed))?])
        };
        (0..count).map(case).collect()
    }

    /// Compiles a program for the floor, which is thereby the same that the grader runs.
    pub(crate) fn compile(&self, source: &Path, to: &str) -> io::Result<PathBuf> {
        let program = self.path(to);
        compile(source, &program)?;
        Ok(program)
    }

    /// Makes the store forget all results; it keeps compiled programs and the digests of files.
    pub(crate) fn forget_results(&self) -> io::Result<()> {
        fs::remove_dir_all(self.path(".grader/cache/outcomes"))
    }

    /// Runs `grader run` to its end and insists that all went as expected.
    pub(crate) fn grade(&self, slots: usize, arguments: &[&str]) -> io::Result<Cost> {
        let mut child = None;
        cost(|| {
            let started = child.insert(self.start(slots, arguments)?);
            let mut said = String::new();
            if let Some(mut out) = started.stdout.take() {
                io::Read::read_to_string(&mut out, &mut said)?;
            }
            let status = started.wait()?;
            assert!(status.success(), "the grader ended with {status}:\n{said}");
            Ok(())
        })
    }

    /// Runs `grader run` to its end; its own largest resident set in KiB, without that of its children.
    pub(crate) fn memory_of_grade(&self, slots: usize, arguments: &[&str]) -> io::Result<u64> {
        let mut child = self.start(slots, arguments)?;
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        drop(child.stdout.take().map(|mut out| std::thread::spawn(move || io::copy(&mut out, &mut io::sink()))));
        // Nobody tells the peak of a process without that of what it has waited for once it is gone.
        loop {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            peak = peak.max(line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0));
            if let Some(status) = child.try_wait()? {
                assert!(status.success(), "the grader ended with {status}");
                return Ok(peak);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn start(&self, slots: usize, arguments: &[&str]) -> io::Result<Child> {
        let mut command = command(Path::new(env!("CARGO_BIN_EXE_grader")));
        command.arg("run").arg(format!("-j{slots}")).args(arguments).current_dir(self.dir.path());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()
    }
}

/// Compiles as the grader does.
pub(crate) fn compile(source: &Path, program: &Path) -> io::Result<()> {
    let status = command(Path::new(COMPILE[0])).args(&COMPILE[1..]).arg("-o").arg(program).arg(source).status()?;
    assert!(status.success(), "{} does not compile", source.display());
    Ok(())
}

/// A command that no sandbox runs.
pub(crate) fn command(program: &Path) -> Command {
    #[expect(clippy::disallowed_methods, reason = "the floor is what a program costs without the grader")]
    Command::new(program)
}
