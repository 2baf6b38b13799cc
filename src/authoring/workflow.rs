//! Writes the file with which a CI platform runs grader on the problems of a repository.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::language::{Language, PackageManager};
use crate::workspace::Workspace;

/// A CI platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    Github,
    Gitlab,
    Forgejo,
}

/// The file of a platform, before it is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Workflow {
    /// Where the platform expects it.
    pub(crate) path: PathBuf,
    /// Its text, in YAML.
    pub(crate) text: String,
}

/// A file is there already.
#[derive(Debug, thiserror::Error)]
#[error("{} exists already; grader overwrites nothing\n  → print the new one with --stdout and take over what you need", .0.display())]
pub(crate) struct FileExists(PathBuf);

impl Platform {
    /// The path of its file in a repository.
    fn path(self) -> &'static str {
        match self {
            Self::Github => ".github/workflows/grader.yml",
            Self::Gitlab => ".gitlab-ci.yml",
            Self::Forgejo => ".forgejo/workflows/grader.yml",
        }
    }

    fn template(self) -> &'static str {
        match self {
            Self::Github => include_str!("workflow/github.yml"),
            Self::Gitlab => include_str!("workflow/gitlab.yml"),
            Self::Forgejo => include_str!("workflow/forgejo.yml"),
        }
    }

    /// The beginning of a command that needs root. The machines of GitHub have an ordinary user; containers have root.
    fn as_root(self) -> &'static str {
        if self == Self::Github { "sudo " } else { "" }
    }
}

impl Workflow {
    /// The file of a platform for the problems of a workspace, which need these languages. `install` is the command that
    /// installs grader.
    pub(crate) fn new(workspace: &Workspace, platform: Platform, languages: &[&Language], install: &str) -> Self {
        let base = &workspace.settings.base;
        let top = base.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(base);
        let below = base.strip_prefix(top).unwrap_or(Path::new(""));
        let within = |name: &str| scalar(&below.join(name).to_string_lossy());
        let folder = if below == Path::new("") { ".".into() } else { below.to_string_lossy() };
        // Only a zero byte cannot be quoted, and no name of a file has one.
        let enter = format!("cd {}", shlex::try_quote(&folder).unwrap_or_default());
        let text = platform
            .template()
            .replace("@MISSING@", &missing(platform, languages))
            .replace("@LANGUAGES@", &scalar(&installation(platform.as_root(), languages, &["pipx"])))
            .replace("@FOLDER@", &scalar(&folder))
            .replace("@ENTER@", &scalar(&enter))
            .replace("@STORE@", &within(".grader"))
            .replace("@JUNIT@", &within("junit.xml"))
            .replace("@INSTALL@", &scalar(install));
        Self { path: top.join(platform.path()), text }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// A file is there already, or it cannot be written.
    pub(crate) fn write(&self) -> Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        let write = || -> io::Result<_> {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::Builder::new().permissions(readable()).tempfile_in(folder)?;
            file.write_all(self.text.as_bytes())?;
            Ok(file)
        };
        let cannot = || format!("cannot write {}", self.path.display());
        match write().with_context(cannot)?.persist_noclobber(&self.path) {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(FileExists(self.path.clone()).into())
            }
            Err(error) => Err(error.error).with_context(cannot),
        }
    }
}

/// The permissions of a file that others may read.
pub(super) fn readable() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(0o644)
}

/// The shell command that installs languages and other packages on Debian and Ubuntu. `root` is the beginning of a
/// command that needs root.
pub(super) fn installation(root: &str, languages: &[&Language], others: &[&str]) -> String {
    let of_languages = languages.iter().flat_map(|row| apt(row).split_whitespace());
    let packages: BTreeSet<&str> = of_languages.chain(others.iter().copied()).collect();
    let packages: Vec<&str> = packages.into_iter().collect();
    format!("{root}apt-get update && {root}apt-get install -y --no-install-recommends {}", packages.join(" "))
}

fn apt(row: &Language) -> &str {
    row.install.packages(PackageManager::Apt)
}

/// Comments about the languages that Debian has no package of.
fn missing(platform: Platform, languages: &[&Language]) -> String {
    let indent = if platform == Platform::Gitlab { "  " } else { "      " };
    let missing = languages.iter().filter(|row| apt(row).is_empty());
    let comment = |row: &&Language| {
        let advice = row.install.other().replace(char::is_control, " ");
        format!("{indent}# To add by hand, because Debian has no package of {}: {advice}\n", row.name)
    };
    missing.map(comment).collect()
}

/// A text as a scalar of YAML, of which JSON is a part.
fn scalar(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
