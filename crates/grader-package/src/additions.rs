//! Reads `include/` and `constants`: the files and values that a problem adds to programs before the build.

use std::collections::BTreeMap;

use crate::document::Value;
use crate::document::read::{Read, Unfit, text};
use crate::reader::Reader;
use grader_model::diagnostic::Kind;
use grader_model::problem::{Additions, Constants, DEFAULT_INCLUDE, IncludedFiles};

/// The files and constants that a package adds to its programs.
pub(crate) fn of(reader: &Reader<'_>) -> Additions {
    Additions { include: include(reader), constants: reader.constants.clone(), ..Additions::default() }
}

/// Reads `include/`: one directory for each language, and `default` for all (package format 2025-09, "Included files").
fn include(reader: &Reader<'_>) -> BTreeMap<String, IncludedFiles> {
    let root = reader.dir.join("include");
    let mut include = BTreeMap::new();
    for listed in reader.list(&root) {
        if !listed.is_dir {
            reader.warning(Kind::Ignored, &listed.path, "not in a directory of a language; ignored");
            continue;
        }
        if reader.legacy && listed.name == DEFAULT_INCLUDE {
            reader.warning(
                Kind::Other,
                &listed.path,
                "the legacy format does not have files for all languages; included anyway",
            );
        }
        let files = reader.files_below(&listed.path);
        if files.is_empty() {
            reader.warning(Kind::Other, &listed.path, "no file to include");
            continue;
        }
        include.insert(listed.name, IncludedFiles { dir: listed.path, files });
    }
    include
}

/// Reads a map of names to values, or to maps of variants (package format 2025-09, "Constants").
pub(crate) fn constants(value: &Value) -> Read<Constants> {
    let Value::Table(entries) = value else {
        return Err(Unfit::kind("names and their values", value));
    };
    let mut values = BTreeMap::new();
    let mut wrong = Vec::new();
    for entry in entries {
        let name = &entry.key;
        let mut add = |full: String, key: &str, value: &Value| match scalar(value).filter(|_| is_name(key)) {
            Some(value) => drop(values.insert(full, value)),
            None if is_name(key) => wrong.push(format!("`{full}` must be a number or a string, not {}", value.kind())),
            None => wrong.push(format!(
                "`{key}` is not a valid name: use letters, digits and `_`, and do not begin with a digit"
            )),
        };
        match &entry.value {
            Value::Table(variants) => {
                for variant in variants {
                    add(format!("{name}.{}", variant.key), &variant.key, &variant.value);
                    if variant.key == "value" {
                        add(name.clone(), name, &variant.value);
                    }
                }
                if variants.iter().all(|variant| variant.key != "value") {
                    wrong.push(format!("`{name}` needs a `value` beside its variants"));
                }
            }
            value => {
                add(name.clone(), name, value);
                add(format!("{name}.value"), name, value);
            }
        }
    }
    wrong.dedup();
    if wrong.is_empty() { Ok(Constants::new(values)) } else { Err(Unfit::rule(wrong.join("; "))) }
}

/// The text of a number or string. A number with a point keeps it, because `5.0` in a program differs from `5`.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(format!("{number:?}")),
        Value::Text(_) => text(value).ok(),
        _ => None,
    }
}

fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_part) && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::document::{Document, Syntax};

    fn read(text: &str) -> Read<String> {
        let document = Document::parse(Path::new("p.yaml"), format!("constants: {text}"), Syntax::Yaml);
        let found = constants(document.value(&["constants"]).unwrap())?;
        Ok(found.iter().flat_map(|(name, value)| [name, "=", value, " "]).collect())
    }

    #[test]
    fn scalars_and_variants() {
        assert_eq!(read("{n: 5, x: 5.0, s: a b}").unwrap(), "n=5 n.value=5 s=a b s.value=a b x=5.0 x.value=5.0 ");
        assert_eq!(read("{k: {value: 1e-9, tex: '10^{-9}'}}").unwrap(), "k=1e-9 k.tex=10^{-9} k.value=1e-9 ");
    }

    #[test]
    fn every_mistake_is_told() {
        let wrong = read("{1n: 5, k: {tex: a}, l: [1], m: {value: true}}").unwrap_err().to_string();
        for told in [
            "`1n` is not a valid name",
            "`k` needs a `value`",
            "`l` must be a number or a string, not a list",
            "`m.value`",
        ] {
            assert!(wrong.contains(told), "{wrong}");
        }
        assert!(read("[1]").unwrap_err().to_string().contains("found a list"));
    }
}
