//! Reads from `Cargo.toml` which program a package builds.

use std::path::{Path, PathBuf};

use super::BuildInput;
use super::{Language, LanguageError};

/// The name of the program that the package's build file describes (The Cargo Book, "Cargo Targets", "Target
/// auto-discovery"): `package.default-run`, else that of `src/main.rs`, else the first `[[bin]]`, else the only
/// `src/bin/*.rs`.
pub(super) fn crate_name(language: &Language, input: &BuildInput) -> Result<String, LanguageError> {
    let file = PathBuf::from(language.project.as_ref().map_or("Cargo.toml", |project| &project.marker));
    let error = |problem: String| LanguageError::Manifest { file: file.clone(), problem };
    // The file could be opened before. Only text that is too large for constants fails here.
    let text = (input.read)(&file).ok_or_else(|| error("cannot be read as text".to_owned()))?;
    let manifest: toml::Table = text.parse().map_err(|cause: toml::de::Error| error(cause.message().to_owned()))?;
    let package = manifest.get("package").and_then(toml::Value::as_table);
    let package = package.ok_or_else(|| error("has no [package]; move the package to the top directory".to_owned()))?;
    let bins: Vec<&toml::Table> = manifest
        .get("bin")
        .and_then(toml::Value::as_array)
        .map(|bins| bins.iter().filter_map(toml::Value::as_table).collect())
        .unwrap_or_default();
    let key = |table: &toml::Table, key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let package_name = key(package, "name");
    let main = || {
        let explicit = bins.iter().find(|bin| key(bin, "path").as_deref() == Some("src/main.rs"));
        let has_main = input.files.iter().any(|file| file == Path::new("src/main.rs"));
        explicit.and_then(|bin| key(bin, "name")).or_else(|| package_name.clone().filter(|_| has_main))
    };
    let name = key(package, "default-run")
        .or_else(main)
        .or_else(|| bins.first().and_then(|bin| key(bin, "name")))
        .or_else(|| only_program(input.files))
        .or_else(|| package_name.clone())
        .ok_or_else(|| error("names no program; set `name` in [package]".to_owned()))?;
    // The name becomes part of a path and of an argument.
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.starts_with('-') || !name.chars().all(is_plain) {
        return Err(error(format!("`{}` is not a valid name for a program", name.escape_debug())));
    }
    Ok(name)
}

/// The name of the only file directly in `src/bin`, without its extension.
fn only_program(files: &[PathBuf]) -> Option<String> {
    let mut programs = files.iter().filter(|file| file.parent() == Some(Path::new("src/bin")));
    let only = programs.next().filter(|_| programs.next().is_none())?;
    only.file_stem()?.to_str().map(str::to_owned)
}
