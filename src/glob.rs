//! Globs of the package format (2025-09, "Glob patterns"): `*` within a name, `{a,b}`, and what is below a match.

use globset::{GlobBuilder, GlobMatcher};

/// A pattern that matches paths and everything below them.
#[derive(Debug, Clone)]
pub struct Glob(GlobMatcher);

/// Longer patterns are refused before they are compiled.
const LONGEST: usize = 1000;

impl Glob {
    /// Compiles a pattern of the package format, which has neither `**` nor `[…]` nor `?`.
    pub fn package(pattern: &str) -> Result<Self, String> {
        let unsupported = ["**", "[", "]", "?", "\\"].into_iter().find(|token| pattern.contains(token));
        match unsupported {
            Some(token) => Err(format!("`{token}` is not supported in globs of the package format")),
            None => Self::any(pattern),
        }
    }

    /// Compiles any glob, `**` and `[…]` included; `*` does not match `/`.
    pub fn any(pattern: &str) -> Result<Self, String> {
        if pattern.len() > LONGEST {
            return Err(format!("a glob has at most {LONGEST} characters"));
        }
        let pattern = pattern.trim_end_matches('/');
        let glob = GlobBuilder::new(pattern).literal_separator(true).empty_alternates(true).build();
        glob.map(|glob| Self(glob.compile_matcher())).map_err(|error| error.kind().to_string())
    }

    /// Whether the path, or a directory that it is in, matches.
    pub fn matches(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| self.0.is_match(&path[..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
