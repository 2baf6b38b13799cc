//! The layers of isolation, and which of them there are here.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;
use std::{fs, io};

use libtest_mimic::Failed;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::hostile::container;
use crate::hostile::workspace::Workspace;

/// What `--isolation` is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    Root,
    User,
    Users,
    Weak,
    None,
}

/// Where an ordinary user finds programs; root's own `PATH` may lead into a home that nobody else can enter.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// The programs of root's Rust toolchain, where that user can enter, once `lend_rust` has put them there.
static LENT: OnceLock<PathBuf> = OnceLock::new();

impl Layer {
    pub(crate) const ALL: [Self; 5] = [Self::Root, Self::User, Self::Users, Self::Weak, Self::None];
    /// Those that differ in how programs are watched, ended and cleaned up after.
    pub(crate) const USUAL: [Self; 4] = [Self::Root, Self::User, Self::Users, Self::None];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::User => "user",
            Self::Users => "users",
            Self::Weak => "weak",
            Self::None => "none",
        }
    }

    /// `root user`.
    pub(crate) fn list(words: &str) -> Result<Vec<Self>, Failed> {
        let known = |word| Self::ALL.into_iter().find(|layer| layer.name() == word);
        words.split_whitespace().map(|word| known(word).ok_or_else(|| format!("no layer `{word}`").into())).collect()
    }

    /// Whether programs see a file system and processes of their own.
    pub(crate) fn has_namespaces(self) -> bool {
        matches!(self, Self::Root | Self::User)
    }

    /// Whether the grader gives its programs users of its own, which it claims.
    pub(crate) fn claims_users(self) -> bool {
        matches!(self, Self::Root | Self::Users)
    }

    /// Whether the grader runs as an ordinary user although we are root.
    pub(crate) fn changes_user(self) -> bool {
        self == Self::User && rustix::process::geteuid().is_root()
    }

    /// The `PATH` of the grader.
    pub(crate) fn path_variable(self) -> std::ffi::OsString {
        // In neither layer can programs enter root's home.
        if !self.changes_user() && self != Self::Users {
            return crate::under_test::path().to_owned();
        }
        let lent = LENT.get().map(|dir| format!(":{}", dir.display()));
        format!("{SYSTEM_PATH}{}", lent.unwrap_or_default()).into()
    }

    /// Whether a program of this name is in its `PATH`.
    pub(crate) fn has_tool(self, tool: &str) -> bool {
        let path = self.path_variable();
        std::env::split_paths(&path).any(|dir: PathBuf| dir.join(tool).is_file())
    }

    /// Whether the grader can have it here. Tried once; a layer that starts and then fails is offered.
    pub(crate) fn is_offered(self) -> bool {
        self.refusal().is_none()
    }

    fn refusal(self) -> Option<&'static str> {
        static REFUSALS: [OnceLock<Option<String>>; 5] = [const { OnceLock::new() }; 5];
        REFUSALS[self as usize].get_or_init(|| self.try_it()).as_deref()
    }

    fn try_it(self) -> Option<String> {
        if self == Self::Users {
            return container::refusal();
        }
        let tried = || -> Result<Option<String>, Failed> {
            let workspace = Workspace::new(self, "")?;
            workspace.write("problems/p/submissions/accepted/probe.sh", "echo ok\n")?;
            workspace.case("1", "", "ok\n")?;
            let ended = workspace.run(&[], Duration::from_secs(60))?;
            let marker = format!("isolation `{}` does not work here", self.name());
            Ok(ended.said.contains(&marker).then_some(ended.said))
        };
        tried().unwrap_or_else(|error| error.message().map(ToOwned::to_owned))
    }
}

/// Where a test container finds the Rust compiler that was lent outside of it.
pub(crate) const LENT_VARIABLE: &str = "HOSTILE_LENT_RUST";

/// The directory of the lent compiler.
pub(crate) fn lent() -> Option<&'static Path> {
    LENT.get().map(PathBuf::as_path)
}

/// Gives the users of layers `user` and `users` the Rust compiler of root, whose home nobody else can enter; none where there is
/// nothing to give, or no need to. It is there for as long as the directory.
pub(crate) fn lend_rust() -> io::Result<Option<TempDir>> {
    if let Some(lent) = std::env::var_os(LENT_VARIABLE) {
        let _ = LENT.set(lent.into());
        return Ok(None);
    }
    if !Layer::User.changes_user() || Layer::User.has_tool("rustc") || !Layer::Root.has_tool("rustc") {
        return Ok(None);
    }
    #[expect(clippy::disallowed_methods, reason = "a shim in PATH tells nobody else where the compiler is")]
    let answer = Command::new("rustc").args(["--print", "sysroot"]).output()?;
    let root = PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim());
    let dir = tempfile::Builder::new().prefix("hostile-rust-").permissions(Permissions::from_mode(0o755)).tempdir()?;
    for entry in ["bin/rustc", "lib"].iter().flat_map(|part| WalkDir::new(root.join(part))) {
        let entry = entry?;
        let to = dir.path().join(entry.path().strip_prefix(&root).map_err(io::Error::other)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(to)?;
        } else {
            fs::create_dir_all(to.parent().unwrap_or(dir.path()))?;
            // Half a gigabyte, of which a link costs nothing.
            fs::hard_link(entry.path(), &to).or_else(|_| fs::copy(entry.path(), &to).map(drop))?;
        }
    }
    let _ = LENT.set(dir.path().join("bin"));
    Ok(Some(dir))
}

/// Says which layers there are not, and fails where they were asked for.
#[expect(clippy::print_stderr, reason = "what was not tested must not pass unseen")]
pub(crate) fn demand() {
    let demanded = std::env::var("HOSTILE_LAYERS").unwrap_or_default();
    for layer in Layer::ALL {
        let Some(why) = layer.refusal() else { continue };
        eprintln!("layer {} is not offered here, its tests are ignored: {}", layer.name(), why.trim());
        assert!(!demanded.split_whitespace().any(|word| word == layer.name()), "HOSTILE_LAYERS asks for {layer:?}");
    }
}

/// The tool that programs with this extension need.
pub(crate) fn tool_for(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("c") => "gcc",
        Some("cpp") => "g++",
        Some("go") => "go",
        Some("java") => "javac",
        Some("js") => "node",
        Some("py") => "python3",
        Some("rs") => "rustc",
        _ => "sh",
    }
}
