//! Limits that keep a hostile source from taking all time or memory. All are far above what programs of contests need.

/// Longest source that is parsed, in bytes: the limit of the judges that accept the most.
pub const MOST_SOURCE_BYTES: usize = 512 << 10;

/// Most mutants of one program.
pub const MOST_MUTANTS: usize = 50_000;

/// Longest text that a template may copy, in bytes. Nested expressions would otherwise make a quadratic amount of text.
pub(crate) const MOST_COPIED_BYTES: usize = 2_000;

/// How far up from a place its surroundings are looked at, in nodes.
pub(crate) const MOST_LEVELS: usize = 200;

/// How deep a node may lie in the tree to be changed. Every open node costs time with each node inside it.
pub(crate) const MOST_DEPTH: u32 = 100;

/// Unfinished matches that a query may keep. What it drops above this, it drops every time.
pub(crate) const MOST_UNFINISHED_MATCHES: u32 = 1_024;

/// How often the parser may report progress, which it does every 100 steps: at least this often …
pub(crate) const FEWEST_PARSER_REPORTS: usize = 2_000;

/// … and this often for each 1024 bytes. Ordinary programs need 10 to 20.
pub(crate) const PARSER_REPORTS_PER_KIB: usize = 200;

/// Most characters `<` in one statement. Each may begin type arguments, and the parser of Java keeps 60 KiB for each.
pub(crate) const MOST_ANGLES: usize = 300;

/// Most starts of comments `/*` after the last end of one.
pub(crate) const MOST_OPEN_COMMENTS: usize = 100;

/// Longest source that is outlined, in bytes. Outlines compare many programs, and a hostile one of this length takes a second.
pub(crate) const MOST_OUTLINED_BYTES: usize = 32 << 10;

/// The smallest stack that a source is parsed on …
pub(crate) const LEAST_STACK_BYTES: usize = 2 << 20;

/// … and how much is added for each byte of the source. tree-sitter merges and frees its own stack by recursion, at most one
/// call for each token, of less than 256 bytes.
pub(crate) const STACK_BYTES_PER_SOURCE_BYTE: usize = 512;

/// How much of a text the conditions of a query see, in bytes. Names and numbers are shorter.
pub(crate) const MOST_TESTED_BYTES: usize = 400;
