//! A directory to grade in, and problems built in it.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::cli::run::{Call, Run};
use crate::under_test::copy_grader;

/// A directory of its own; removed at the end.
pub(crate) struct Workspace {
    // The directory is removed when this goes.
    _guard: TempDir,
    dir: PathBuf,
}

impl Workspace {
    /// With an empty `grader.toml`, a directory of problems and one of test cases.
    pub(crate) fn new() -> Self {
        let workspace = Self::bare();
        workspace.file("grader.toml", "");
        std::fs::create_dir_all(workspace.path("problems")).unwrap();
        workspace
    }

    /// With nothing in it.
    pub(crate) fn bare() -> Self {
        let guard = tempfile::Builder::new().prefix("cli-").tempdir().unwrap();
        let dir = guard.path().canonicalize().unwrap();
        Self { _guard: guard, dir }
    }

    /// With the problem `sum` (two numbers in, their sum out; `sample/1` and `secret/01` to `03`) and a right
    /// submission `accepted/sum.sh`.
    pub(crate) fn with_sum() -> Self {
        let workspace = Self::new();
        workspace.sum("sum");
        workspace
    }

    /// Adds a problem like `sum`.
    pub(crate) fn sum(&self, slug: &'static str) -> Problem<'_> {
        self.problem(slug)
            .case("sample/1", "1 2\n", "3\n")
            .case("secret/01", "2 2\n", "4\n")
            .case("secret/02", "10 5\n", "15\n")
            .case("secret/03", "-4 4\n", "0\n")
            .submission("accepted/sum.sh", SUM)
    }

    /// The last record of the workspace, without what varies between runs.
    pub(crate) fn last_record(&self) -> Vec<String> {
        fn strip(value: &mut serde_json::Value) {
            match value {
                serde_json::Value::Object(object) => {
                    object.remove("measured");
                    object.remove("files");
                    object.values_mut().for_each(strip);
                }
                serde_json::Value::Array(array) => array.iter_mut().for_each(strip),
                _ => {}
            }
        }
        let mut records: Vec<PathBuf> =
            std::fs::read_dir(self.path(".grader/runs")).unwrap().map(|entry| entry.unwrap().path()).collect();
        records.sort_by_key(|path| std::fs::metadata(path).unwrap().modified().unwrap());
        let text = std::fs::read_to_string(records.last().unwrap()).unwrap();
        let line = |line: &str| {
            let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
            strip(&mut value);
            value.to_string()
        };
        text.lines().map(line).collect()
    }

    /// An absolute path.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.dir.join(path)
    }

    /// Writes a file, and the directories that it needs.
    pub(crate) fn file(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// Makes a named pipe that has no writer, so a program that opens it waits forever.
    pub(crate) fn pipe(&self, path: impl AsRef<Path>) -> &Self {
        use rustix::fs::{CWD, FileType, mknodat};
        mknodat(CWD, self.path(path), FileType::Fifo, 0o600.into(), 0).unwrap();
        self
    }

    /// Lets programs reach the workspace: for tests that look at what a program left there.
    pub(crate) fn without_walls(self) -> Self {
        self.file("grader.toml", "isolation = \"none\"\n");
        self
    }

    /// A copy of the grader that nobody else starts.
    pub(crate) fn binary(&self) -> PathBuf {
        let path = self.path("grader");
        copy_grader(&path).unwrap();
        path
    }

    /// Makes all of it that user's.
    pub(crate) fn give_to(&self, user: u32) {
        for entry in walkdir::WalkDir::new(&self.dir) {
            std::os::unix::fs::lchown(entry.unwrap().path(), Some(user), Some(user)).unwrap();
        }
    }

    /// Reads a file.
    #[track_caller]
    pub(crate) fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.path(path);
        match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }

    /// Begins a problem, or adds to it.
    pub(crate) fn problem(&self, slug: &'static str) -> Problem<'_> {
        Problem { workspace: self, slug }
    }

    /// Runs `grader run` with arguments.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.call(args).run()
    }

    /// Runs any subcommand.
    #[track_caller]
    pub(crate) fn grader(&self, args: &[&str]) -> Run {
        Call::any(&self.dir, args).run()
    }

    /// `grader run` with arguments, to be changed before it is run.
    pub(crate) fn call(&self, args: &[&str]) -> Call {
        Call::new(&self.dir, args)
    }
}

/// The right solution of `sum`.
pub(crate) const SUM: &str = "read a b\necho $((a + b))\n";

/// A problem in the making.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    workspace: &'a Workspace,
    slug: &'static str,
}

impl Problem<'_> {
    /// A test case: `.in` and `.ans`.
    pub(crate) fn case(self, name: &str, input: &str, answer: &str) -> Self {
        let stem = format!("testcases/{}/{name}", self.slug);
        self.workspace.file(format!("{stem}.in"), input).file(format!("{stem}.ans"), answer);
        self
    }

    /// A program below `submissions/`.
    pub(crate) fn submission(self, path: &str, text: &str) -> Self {
        self.file(&format!("submissions/{path}"), text)
    }

    /// `problem.toml`.
    pub(crate) fn toml(self, text: &str) -> Self {
        self.file("problem.toml", text)
    }

    /// Any file below the problem's directory.
    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        self.workspace.file(format!("problems/{}/{path}", self.slug), text);
        self
    }
}
