//! Writes a time limit into problem.toml.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::problem::Problem;

/// Sets the time limit in problem.toml and keeps the rest of the file. Creates the file if it does not exist.
pub(crate) fn write(problem: &Problem, limit: Duration) -> Result<PathBuf> {
    let file = problem.dir.join("problem.toml");
    let yaml = problem.dir.join("problem.yaml");
    if yaml.exists() {
        bail!("cannot edit {}\n  → write there: limits: {{time_limit: {}}}", yaml.display(), limit.as_secs_f64());
    }
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let mut document: toml_edit::DocumentMut = text.parse().with_context(|| file.display().to_string())?;
    let fresh = !document.contains_key("limits");
    match document.get_mut("limits").and_then(|limits| limits.get_mut("time_limit")).and_then(|old| old.as_value_mut())
    {
        Some(old) => {
            // Keep the comment after the value.
            let decor = old.decor().clone();
            *old = limit.as_secs_f64().into();
            *old.decor_mut() = decor;
        }
        None => document["limits"]["time_limit"] = toml_edit::value(limit.as_secs_f64()),
    }
    if fresh && let Some(limits) = document["limits"].as_inline_table().cloned() {
        document["limits"] = toml_edit::Item::Table(limits.into_table());
    }
    replace(&file, document.to_string().as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

/// Replaces the file atomically.
fn replace(file: &Path, text: &[u8]) -> std::io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("."));
    let mut new = tempfile::Builder::new().permissions(permissions(file)).tempfile_in(dir)?;
    new.write_all(text)?;
    new.as_file().sync_all()?;
    new.persist(file).map(drop).map_err(|error| error.error)
}

/// The permissions of the file; for a new one, readable by everyone.
fn permissions(file: &Path) -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).map_or(std::fs::Permissions::from_mode(0o644), |found| found.permissions())
}
