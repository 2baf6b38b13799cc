//! Matches the globs of the package format (2025-09, "Glob patterns"): `*` within a name, `{a,b}`, and everything below
//! a match. Also matches templates with named parts.

use globset::{GlobBuilder, GlobMatcher};
use regex::bytes::Regex;
use thiserror::Error;

/// A pattern that matches paths and everything below them.
#[derive(Debug, Clone)]
pub struct Glob(GlobMatcher);

/// The maximum length of a pattern, in bytes. Longer patterns are rejected before compilation.
const LONGEST: usize = 1000;

/// Why a pattern is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GlobError {
    /// The package format does not have this element of globs.
    #[error("`{0}` is not supported in globs of the package format")]
    Unsupported(&'static str),
    /// The pattern is too long.
    #[error("a glob may have at most {LONGEST} characters")]
    TooLong,
    /// The pattern is not valid in any glob syntax.
    #[error("{0}")]
    Syntax(globset::ErrorKind),
}

/// Why a template is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TemplateError {
    /// The template is too long.
    #[error("it may have at most {LONGEST} characters")]
    TooLong,
    /// A word in braces is not the name of a part.
    #[error("unknown part `{{{part}}}`; known are {}", in_braces(.known))]
    UnknownPart {
        /// The word between the braces.
        part: String,
        /// The names of all parts.
        known: Vec<&'static str>,
    },
    /// The template contains a character that marks a part during compilation.
    #[error("it contains a private-use character")]
    PrivateUse,
    /// The template is not a valid glob.
    #[error("{0}")]
    Syntax(globset::ErrorKind),
    /// The resulting regular expression cannot be compiled, for example because it is too large.
    #[error(transparent)]
    Expression(#[from] regex::Error),
}

fn in_braces(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{{{name}}}`")).collect::<Vec<_>>().join(" and ")
}

impl Glob {
    /// Compiles a pattern of the package format, which has neither `**` nor `[…]` nor `?`.
    pub fn package(pattern: &str) -> Result<Self, GlobError> {
        let unsupported = ["**", "[", "]", "?", "\\"].into_iter().find(|token| pattern.contains(token));
        match unsupported {
            Some(token) => Err(GlobError::Unsupported(token)),
            None => Self::any(&without_spaces(pattern)),
        }
    }

    /// Compiles any glob, including `**` and `[…]`; `*` does not match `/`.
    pub fn any(pattern: &str) -> Result<Self, GlobError> {
        if pattern.len() > LONGEST {
            return Err(GlobError::TooLong);
        }
        let pattern = pattern.trim_end_matches('/');
        let glob = GlobBuilder::new(pattern).literal_separator(true).empty_alternates(true).build();
        glob.map(|glob| Self(glob.compile_matcher())).map_err(|error| GlobError::Syntax(error.kind().clone()))
    }

    /// Whether the path, or one of its parent directories, matches.
    pub fn matches(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| self.0.is_match(&path[..end]))
    }
}

/// Changes `{a, b}` to `{a,b}`: names contain no spaces, so spaces in braces only separate alternatives.
fn without_spaces(pattern: &str) -> String {
    let mut open = 0_usize;
    let mut kept = String::with_capacity(pattern.len());
    for c in pattern.chars() {
        match c {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            ' ' if open > 0 => continue,
            _ => {}
        }
        kept.push(c);
    }
    kept
}

/// A glob with named parts: `{student}/{problem}.*`.
///
/// `globset` converts the glob to a regular expression. Each part is a mark in it that no glob treats specially. A part
/// matches at least one character. It matches `/` only if it is deep.
#[derive(Debug, Clone)]
pub struct Template {
    regex: Regex,
    /// The part of each capture group, in order.
    groups: Vec<usize>,
}

/// A part of a [`Template`].
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// The name of the part, without braces.
    pub name: &'static str,
    /// How much the part matches if there is a choice.
    pub takes: Takes,
    /// Whether the part may span several directories.
    pub deep: bool,
}

/// How much of a path a part of a [`Template`] matches.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// As much as possible.
    Most,
    /// As little as possible.
    Least,
    /// This number of bytes.
    Exactly(usize),
}

/// The first of the private-use characters that mark parts, one for each part.
const MARK: u32 = 0xE000;

impl Template {
    /// Compiles a template with these parts, which must be few. Each part may occur any number of times, always with
    /// the same text.
    pub fn new(text: &str, parts: &[Part]) -> Result<Self, TemplateError> {
        if text.len() > LONGEST {
            return Err(TemplateError::TooLong);
        }
        if let Some(word) = unknown_part(text, parts) {
            let known = parts.iter().map(|part| part.name).collect();
            return Err(TemplateError::UnknownPart { part: word.to_owned(), known });
        }
        let marks: Vec<(&Part, char)> = parts.iter().zip((MARK..).filter_map(char::from_u32)).collect();
        if text.contains(|c| marks.iter().any(|(_, mark)| *mark == c)) {
            return Err(TemplateError::PrivateUse);
        }
        let marked = marks.iter().fold(text.trim_end_matches('/').to_owned(), |text, (part, mark)| {
            text.replace(&format!("{{{}}}", part.name), &mark.to_string())
        });
        let glob = GlobBuilder::new(&marked).literal_separator(true).empty_alternates(true).build();
        let glob = glob.map_err(|error| TemplateError::Syntax(error.kind().clone()))?;
        let mut pattern = glob.regex().to_owned();
        let mut groups = Vec::new();
        // In the order of the text, which is also the order of the groups.
        for c in marked.chars() {
            if let Some(at) = marks.iter().position(|(_, mark)| *mark == c) {
                let escaped: Vec<String> = c.to_string().bytes().map(|byte| format!("\\x{byte:02x}")).collect();
                let Part { takes, deep, .. } = *marks[at].0;
                let count = match takes {
                    Takes::Most => "+".to_owned(),
                    Takes::Least => "+?".to_owned(),
                    Takes::Exactly(length) => format!("{{{length}}}"),
                };
                let class = if deep { "(?s-u:.)" } else { "[^/]" };
                pattern = pattern.replacen(&escaped.concat(), &format!("({class}{count})"), 1);
                groups.push(at);
            }
        }
        Ok(Self { regex: Regex::new(&pattern)?, groups })
    }

    /// Whether the part with this position in `parts` occurs.
    pub fn has(&self, part: usize) -> bool {
        self.groups.contains(&part)
    }

    /// The texts of the parts in a matching path, by position. A part that does not occur is None. Returns None if the
    /// path does not match.
    pub fn parts<'p>(&self, path: &'p [u8]) -> Option<Vec<Option<&'p [u8]>>> {
        let captures = self.regex.captures(path)?;
        let mut parts = vec![None; self.groups.iter().max().map_or(0, |most| most + 1)];
        for (group, part) in self.groups.iter().enumerate() {
            let text = captures.get(group + 1)?.as_bytes();
            if *parts[*part].get_or_insert(text) != text {
                return None;
            }
        }
        Some(parts)
    }
}

/// A word in braces that is not the name of a part. With a comma or a dot, the braces are an alternative of the glob.
fn unknown_part<'t>(text: &'t str, parts: &[Part]) -> Option<&'t str> {
    let words = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    let is_word = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    words.filter(is_word).find(|word| parts.iter().all(|part| part.name != *word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [Part; 2] = [
        Part { name: "student", takes: Takes::Most, deep: false },
        Part { name: "problem", takes: Takes::Least, deep: false },
    ];

    #[test]
    fn templates_tell_their_parts() {
        for (template, path, expect) in [
            ("{student}/{problem}.*", "ann/sum.py", Some(("ann", "sum"))),
            ("{student}/{problem}.*", "ann/sum.tar.gz", Some(("ann", "sum"))),
            ("{student}/{problem}.*", "ann/src/sum.py", None),
            ("*/{student}_{problem}.{py,cpp}", "x/ann_b_sum.py", Some(("ann_b", "sum"))),
            ("*/{student}_{problem}.{py,cpp}", "x/ann_b_sum.rs", None),
            ("{problem}/{student}", "sum/ann.smith", Some(("ann.smith", "sum"))),
            ("{student}/{student}_{problem}.py", "ann/ann_sum.py", Some(("ann", "sum"))),
            ("**/{student}/{problem}.py", "a/b/ann/sum.py", Some(("ann", "sum"))),
            ("{student}/", "ann", Some(("ann", ""))),
        ] {
            let parsed = Template::new(template, &PARTS).unwrap();
            let parts = parsed.parts(path.as_bytes()).map(|parts| {
                let text = |at: usize| parts.get(at).copied().flatten().unwrap_or_default().to_owned();
                [text(0), text(1)].map(|bytes| String::from_utf8(bytes).unwrap())
            });
            let expect = expect.map(|(student, problem)| [student, problem].map(str::to_owned));
            assert_eq!(parts, expect, "{template} {path}");
        }
    }

    #[test]
    fn a_part_that_is_misspelt_is_told() {
        let error = Template::new("{studnet}/{problem}", &PARTS).unwrap_err();
        assert_eq!(error.to_string(), "unknown part `{studnet}`; known are `{student}` and `{problem}`");
        assert!(Template::new("{student}/[", &PARTS).is_err());
    }

    #[test]
    fn a_star_stays_within_a_name_and_a_directory_covers_what_is_below() {
        for (pattern, path, expect) in [
            ("accepted", "accepted/a.rs", true),
            ("accepted/*", "accepted/a.rs", true),
            ("accepted/*", "accepted/dir/a.rs", true),
            ("*.rs", "accepted/a.rs", false),
            ("*/*.{rs,py}", "accepted/a.py", true),
            ("*/*.{rs,py}", "accepted/a.cpp", false),
            ("accepted/a{,b}.rs", "accepted/a.rs", true),
            ("acc", "accepted/a.rs", false),
            ("secret/*-easy", "secret/01-easy", true),
            ("secret/small/", "secret/small/01", true),
        ] {
            assert_eq!(Glob::package(pattern).unwrap().matches(path), expect, "{pattern} {path}");
        }
    }

    #[test]
    fn what_the_format_lacks_is_refused() {
        for pattern in ["**", "a[bc]", "a?", "a\\*", "{a", &"a".repeat(1001)] {
            assert!(Glob::package(pattern).is_err(), "{pattern}");
        }
        assert!(Glob::any("**/[0-9]*").unwrap().matches("secret/small/01"));
    }
}
