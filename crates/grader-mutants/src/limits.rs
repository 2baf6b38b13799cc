//! Limits that keep a hostile source from taking all time or memory. All are far above what programs of contests need.

/// Longest source that is parsed, in bytes: twice the limit of the judges that accept the most.
pub const MOST_SOURCE_BYTES: usize = 1 << 20;

/// Most mutants of one program.
pub const MOST_MUTANTS: usize = 50_000;

/// Longest text that a template may copy, in bytes. Nested expressions would otherwise make a quadratic amount of text.
pub(crate) const MOST_COPIED_BYTES: usize = 2_000;

/// How far up from a place its surroundings are looked at, in nodes.
pub(crate) const MOST_LEVELS: usize = 200;

/// Unfinished matches that a query may keep. What it drops above this, it drops every time.
pub(crate) const MOST_UNFINISHED_MATCHES: u32 = 4_096;

/// How often the parser may report progress: at least this often …
pub(crate) const FEWEST_PARSER_REPORTS: usize = 10_000;

/// … and this often for each byte. Ordinary programs need less than a hundredth.
pub(crate) const PARSER_REPORTS_PER_BYTE: usize = 1;
