//! Finds the constructs that a solution in Rust may not use, if unit tests run in its process. Every rule reads words, so
//! nothing hides behind a parser that differs from rustc's. rustc itself refuses `unsafe` code and names that are not ASCII
//! (`languages.toml`).
//!
//! The rules keep a solution from files, processes, threads and compilers' macros, from names that would replace those of the
//! tests, and from types of its own that stand in for a number or a bool.

use std::collections::BTreeSet;
use std::path::Path;

use super::words::{CRATES, PRELUDE, Piece, Word, words};
use crate::unit_tests::FOLDER;

/// The largest file, in bytes.
const LARGEST: usize = 1 << 20;
/// The most words between `impl` and its body.
const LONGEST: usize = 1000;
/// The most mistakes that one message lists.
const MOST: usize = 5;

/// Modules of `std`, `core` and `alloc` that open no files, start no processes and threads, and catch no panics.
const MODULES: &[&str] = &[
    "any",
    "array",
    "ascii",
    "bool",
    "borrow",
    "boxed",
    "cell",
    "char",
    "clone",
    "cmp",
    "collections",
    "convert",
    "default",
    "error",
    "f32",
    "f64",
    "fmt",
    "hash",
    "hint",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "io",
    "isize",
    "iter",
    "marker",
    "mem",
    "num",
    "ops",
    "option",
    "primitive",
    "ptr",
    "rc",
    "result",
    "slice",
    "str",
    "string",
    "sync",
    "time",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
    "vec",
];
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "column",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "line",
    "matches",
    "module_path",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];
const ATTRIBUTES: &[&str] = &[
    "allow",
    "cfg",
    "clippy",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "ignore",
    "inline",
    "must_use",
    "non_exhaustive",
    "repr",
    "rustfmt",
    "should_panic",
    "test",
    "track_caller",
    "warn",
];
/// Keywords that can come before `!` and a bracket.
const BEFORE_NOT: &[&str] = &["as", "break", "else", "if", "in", "match", "move", "return", "while", "yield"];
/// Words that begin items, which hide in the brackets of no macro.
const ITEMS: &[&str] = &["const", "enum", "fn", "impl", "mod", "static", "struct", "trait", "type", "use"];
/// Traits of operators, of comparisons, and those that a type of others may get.
const OPERATORS: &[&str] =
    &["Add", "BitAnd", "BitOr", "BitXor", "Div", "Mul", "Neg", "Not", "Rem", "Shl", "Shr", "Sub"];
const COMPARISONS: &[&str] = &["PartialEq", "PartialOrd", "Sub"];
const CONVERSIONS: &[&str] = &["Extend", "From", "FromIterator", "Product", "Sum", "TryFrom"];
/// Types of `std::collections`.
const COLLECTIONS: &[&str] = &["BTreeMap", "BTreeSet", "BinaryHeap", "HashMap", "HashSet", "LinkedList", "VecDeque"];

/// Why a solution cannot be in the process of the tests.
pub(super) fn refusal(files: &[(&Path, String)]) -> Option<String> {
    let mut wrong: Vec<String> = Vec::new();
    let mut texts = Vec::new();
    // Endings of sources may be in any case, and another file is the source if none has one.
    let is_source = |name: &Path| name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("rs"));
    let has_sources = files.iter().any(|(name, _)| is_source(name));
    let sources = files.iter().filter(|(name, _)| is_source(name) || !has_sources);
    for (name, read) in of_crate(sources.map(|(name, text)| (*name, read(text))).collect()) {
        match read {
            Ok(words) => texts.push((name.display(), words)),
            Err(why) => wrong.push(format!("{}{why}", name.display())),
        }
    }
    let own = Own::of(texts.iter().flat_map(|(_, words)| words.windows(2)));
    for (name, words) in &texts {
        let mut found = Check { words, ends: ends_of(words), own: &own, wrong: Vec::new() };
        found.check();
        found.wrong.dedup();
        wrong.extend(found.wrong.iter().map(|(line, why)| format!("{name}:{line}: {why}")));
    }
    let more = wrong.len().saturating_sub(MOST);
    wrong.truncate(MOST);
    if more > 0 {
        wrong.push(format!("and {more} more"));
    }
    let modules = MODULES.join(", ");
    let macros = MACROS.join("!, ");
    let lines = wrong.join("\n");
    let told = format!(
        "the solution of unit tests cannot use this:\n{lines}\nIt can use the modules {modules} of `std`, and the macros {macros}!."
    );
    (!wrong.is_empty()).then_some(told)
}

/// The words of a file, or why it has none: the end of a message that begins with its name.
type Read = Result<Vec<Piece>, String>;

fn read(text: &str) -> Read {
    if text.len() > LARGEST {
        return Err(format!(": larger than {} MiB", LARGEST >> 20));
    }
    // rustc skips such a line, and the words would begin in it: `#!/*` hides what follows.
    let start = text.trim_start_matches('\u{feff}');
    if start.starts_with("#!") && !start.starts_with("#![") {
        return Err(":1: a first line `#!`".to_owned());
    }
    words(text).map_err(|line| format!(":{line}: a bracket, a text or a comment without its end"))
}

/// The files that can be of the crate. With a `lib.rs`, which is its root (`driver/units/choose.sh`), these are that and the
/// files with the name of a `mod` in one of them: no other construct that the rules allow loads a file. `main.rs`, `build.rs`
/// and `examples/` are then programs of their own, which are not compiled.
fn of_crate(mut rest: Vec<(&Path, Read)>) -> Vec<(&Path, Read)> {
    let is_root = |name: &Path| ["lib.rs", "src/lib.rs"].iter().any(|root| name == Path::new(root));
    if !rest.iter().any(|(name, _)| is_root(name)) {
        return rest;
    }
    let mut found: Vec<(&Path, Read)> = Vec::new();
    let mut modules: BTreeSet<String> = BTreeSet::from(["lib".to_owned(), "mod".to_owned()]);
    loop {
        let can_be_loaded = |name: &Path| {
            let stem = name.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
            stem.is_some_and(|stem| modules.contains(&stem))
        };
        let (loaded, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(name, _)| can_be_loaded(name));
        if loaded.is_empty() {
            found.sort_by_key(|(name, _)| *name);
            return found;
        }
        let words = loaded.iter().filter_map(|(_, read)| read.as_ref().ok());
        let pairs = words.flat_map(|words| words.windows(2)).filter(|pair| pair[0].is_name("mod"));
        modules.extend(pairs.filter_map(|pair| Some(pair[1].name()?.to_lowercase())));
        found.extend(loaded);
        rest = others;
    }
}

/// The names that a solution defines.
#[derive(Default)]
struct Own<'t> {
    types: BTreeSet<&'t str>,
    modules: BTreeSet<&'t str>,
}

impl<'t> Own<'t> {
    fn of(pairs: impl Iterator<Item = &'t [Piece]>) -> Self {
        let mut own = Self::default();
        for pair in pairs {
            match (pair[0].name(), pair[1].name()) {
                (Some("struct" | "enum" | "union"), Some(name)) => own.types.insert(name),
                (Some("mod"), Some(name)) => own.modules.insert(name),
                _ => continue,
            };
        }
        own
    }
}

/// Where each bracket closes that opens, by the place of its word; otherwise the place itself.
fn ends_of(words: &[Piece]) -> Vec<usize> {
    let mut ends: Vec<usize> = (0..words.len()).collect();
    let mut open = Vec::new();
    for (at, piece) in words.iter().enumerate() {
        match piece.word {
            Word::Open(_) => open.push(at),
            Word::Close(_) => {
                if let Some(start) = open.pop() {
                    ends[start] = at;
                }
            }
            _ => {}
        }
    }
    ends
}

/// The rules on one file. Each takes a time that is linear in the text, which is untrusted.
struct Check<'t> {
    words: &'t [Piece],
    ends: Vec<usize>,
    own: &'t Own<'t>,
    /// The mistakes, each with its line.
    wrong: Vec<(usize, String)>,
}

impl<'t> Check<'t> {
    fn name(&self, at: usize) -> Option<&'t str> {
        self.words.get(at)?.name()
    }

    fn is_sign(&self, at: usize, sign: char) -> bool {
        self.words.get(at).is_some_and(|piece| piece.is_sign(sign))
    }

    fn is_open(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|piece| matches!(piece.word, Word::Open(_)))
    }

    /// Whether `::` is here.
    fn is_path(&self, at: usize) -> bool {
        self.is_sign(at, ':') && self.is_sign(at + 1, ':')
    }

    fn refuse(&mut self, at: usize, why: String) {
        self.wrong.push((self.words[at].line, why));
    }

    /// The places from the first to the last, without those inside brackets.
    fn outside(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(from), |at| Some(self.ends[*at] + 1)).take_while(move |at| *at < to)
    }

    fn check(&mut self) {
        // Whether each open bracket is the body of an `impl` or a `trait`.
        let mut bodies: Vec<bool> = Vec::new();
        let mut body = None;
        // Where a `use` ends, and the brackets of a macro.
        let mut import = 0;
        let mut call = 0;
        for at in 0..self.words.len() {
            match &self.words[at].word {
                Word::Open(_) => bodies.push(body == Some(at)),
                Word::Close(_) => drop(bodies.pop()),
                Word::Sign('#') => self.attribute(at),
                Word::Sign('&') => self.nested_lifetimes(at),
                Word::Name(name) if at == 0 || !self.is_sign(at - 1, '\'') => {
                    if name == "use" && at >= import && !self.is_sign(at + 1, '<') {
                        import = (at..self.words.len()).find(|at| self.is_sign(*at, ';')).unwrap_or(self.words.len());
                        self.import(at, import);
                    }
                    if at < call && ITEMS.contains(&&**name) {
                        self.refuse(at, format!("`{name}` in the brackets of a macro"));
                    }
                    call = call.max(self.word(at, name, at < import));
                    match (&**name, self.name(at + 1)) {
                        ("impl", _) if self.is_item(at) => body = self.implementation(at),
                        ("trait", Some(_)) => {
                            body = self.header(at + 1).map(|header| header.body);
                            self.definition(at, false);
                        }
                        ("type", Some(_)) => self.definition(at, bodies.last() == Some(&true)),
                        ("struct" | "enum" | "union" | "mod" | "const" | "static" | "fn", Some(_)) => {
                            self.definition(at, false);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether an item can begin here, and no type.
    fn is_item(&self, at: usize) -> bool {
        at == 0 || matches!(self.words[at - 1].word, Word::Sign(';') | Word::Open('{') | Word::Close('}' | ']'))
    }

    /// A word wherever it stands. Returns where the brackets of the macro end that it calls.
    fn word(&mut self, at: usize, name: &str, is_import: bool) -> usize {
        if name.starts_with("r#") || ["unsafe", "extern", "macro_rules", "macro", FOLDER].contains(&name) {
            self.refuse(at, format!("`{name}`"));
        } else if CRATES.contains(&name) {
            self.standard(at, name, is_import);
        } else if self.is_sign(at + 1, '!') && self.is_open(at + 2) && !BEFORE_NOT.contains(&name) {
            if !MACROS.contains(&name) {
                self.refuse(at, format!("the macro `{name}!`"));
            }
            return self.ends[at + 2];
        }
        0
    }

    /// A path of a crate of Rust.
    fn standard(&mut self, at: usize, name: &str, is_import: bool) {
        if !self.is_path(at + 1) {
            // A variable may have this name.
            if is_import {
                self.refuse(at, format!("all of `{name}`; name its modules"));
            }
            return;
        }
        let first = at + 3;
        let starts = if self.words.get(first).is_some_and(|piece| piece.is_open('{')) {
            let end = self.ends[first];
            let after = |at: usize| (self.is_sign(at, ',') && at + 1 < end).then_some(at + 1);
            [first + 1].into_iter().chain(self.outside(first + 1, end).filter_map(after)).collect()
        } else {
            vec![first]
        };
        for start in starts {
            let module = self.name(start).unwrap_or("*");
            let is_macro = MACROS.contains(&module) && self.is_sign(start + 1, '!');
            if !MODULES.contains(&module) && !is_macro {
                self.refuse(at, format!("`{name}::{module}`"));
            }
        }
    }

    fn attribute(&mut self, at: usize) {
        let open = if self.is_sign(at + 1, '!') { at + 2 } else { at + 1 };
        if self.words.get(open).is_some_and(|piece| piece.is_open('[')) {
            let name = self.name(open + 1).unwrap_or_default();
            if !ATTRIBUTES.contains(&name) {
                self.refuse(at, format!("the attribute `#[{name}]`"));
            }
        }
    }

    /// `&'a &'b T`, with which rustc accepts code that is not safe (rust-lang/rust#25860).
    fn nested_lifetimes(&mut self, at: usize) {
        let is_named = |at: usize| self.is_sign(at, '&') && self.is_sign(at + 1, '\'');
        if is_named(at) && is_named(at + 3) {
            self.refuse(at, "a reference with a lifetime to another one".to_owned());
        }
    }

    /// Whether an item is visible outside the crate, as far as its words say.
    fn is_public(&self, mut at: usize) -> bool {
        while at > 0 && self.name(at - 1).is_some_and(|name| ["const", "async"].contains(&name)) {
            at -= 1;
        }
        at > 0 && (self.words[at - 1].is_name("pub") || self.words[at - 1].is_close(')'))
    }

    /// The name of an item.
    fn definition(&mut self, at: usize, is_associated: bool) {
        let (Some(keyword), Some(name)) = (self.name(at), self.name(at + 1)) else { return };
        let is_taken = match keyword {
            "struct" | "enum" | "union" | "trait" => PRELUDE.contains(&name) || is_guarded(name),
            "type" if is_associated => false,
            "type" => self.own.types.contains(name) || (PRELUDE.contains(&name) && self.is_public(at)),
            _ => PRELUDE.contains(&name) && self.is_public(at),
        };
        if is_taken || (CRATES.contains(&name) && !["const", "static", "fn"].contains(&keyword)) {
            self.refuse(at, format!("a definition of `{name}`, which has a meaning already"));
        }
    }

    /// The words of a `use`.
    fn import(&mut self, from: usize, to: usize) {
        let is_public = self.is_public(from);
        let names = || (from + 1..to).filter_map(|at| Some((at, self.name(at)?)));
        let is_standard = names().any(|(_, name)| CRATES.contains(&name));
        let mut wrong = Vec::new();
        for (at, name) in names() {
            let is_new = self.words[at - 1].is_name("as");
            let is_own = self.own.types.contains(name);
            let is_renamed = self.name(at + 1) == Some("as") && is_guarded(name);
            let is_prelude = PRELUDE.contains(&name) && (is_new || is_public);
            if is_prelude || is_renamed || (is_new && (is_own || is_guarded(name))) || (is_standard && is_own) {
                wrong.push((at, format!("an import that gives `{name}` another meaning")));
            }
        }
        for at in (from + 1..to).filter(|at| self.is_sign(*at, '*')) {
            let parent = at.checked_sub(3).and_then(|at| self.name(at)).unwrap_or_default();
            let hides = COLLECTIONS.iter().any(|name| self.own.types.contains(name));
            let is_fine = match parent {
                _ if !is_standard && !is_public => true,
                "prelude" => !is_public,
                "collections" => !is_public && !hides,
                parent => !is_standard && self.own.modules.contains(parent) && !self.own.types.contains(parent),
            };
            if !is_fine {
                wrong.push((at, format!("an import of all that `{parent}` has; import by name")));
            }
        }
        for (at, why) in wrong {
            self.refuse(at, why);
        }
    }

    /// An `impl`, and where its body begins.
    fn implementation(&mut self, at: usize) -> Option<usize> {
        let Some(header) = self.header(at + 1) else {
            self.refuse(at, "an `impl` without a body, or one that is too long".to_owned());
            return None;
        };
        let body = header.body;
        let Some((of_trait, arguments)) = header.of_trait else { return Some(body) };
        let is_own = |part: &[Piece]| {
            let path = path_of(part);
            let name = path.last().copied().unwrap_or_default();
            (self.own.types.contains(name) || path == ["Self"])
                && !path.iter().any(|name| header.parameters.contains(name))
        };
        let is_other_type = !is_own(header.of_type);
        let is_mixed = is_other_type || !(arguments.is_empty() || is_own(arguments));
        let is_output = |at: &usize| self.name(*at) == Some("type") && self.name(*at + 1) == Some("Output");
        let output = self.outside(body + 1, self.ends[body]).find(is_output).and_then(|at| {
            let written = self.words.get(at + 3..)?.split(|piece| piece.is_sign(';')).next()?;
            (!is_other_type || path_of(written) != ["Self"]).then_some(written)
        });
        let is_operator = OPERATORS.contains(&of_trait);
        let why = if is_other_type && !is_operator && !CONVERSIONS.contains(&of_trait) {
            Some("for a type that is not the solution's own: its methods could replace those of that type")
        } else if is_mixed && COMPARISONS.contains(&of_trait) {
            Some("between a type of its own and another one")
        } else if (is_mixed || of_trait == "Not") && is_operator && !output.is_some_and(is_own) {
            Some("with an `Output` that is not a type of its own")
        } else {
            None
        };
        if let Some(why) = why {
            self.refuse(at, format!("`{of_trait}` {why}"));
        }
        Some(body)
    }

    /// Reads the words between `impl` or `trait` and its body.
    fn header(&self, from: usize) -> Option<Header<'t>> {
        let words = self.words;
        let has_parameters = self.is_sign(from, '<');
        let mut angles = 0_usize;
        let mut parameters = Vec::new();
        let (mut path, mut of_type, mut end) = (from, None, None);
        for at in self.outside(from, words.len()).take(LONGEST) {
            match &words[at].word {
                Word::Open('{') if angles == 0 => {
                    let end = end.unwrap_or(at);
                    let of_trait = of_type.map(|start: usize| trait_in(&words[path..start - 1]));
                    let of_type = words.get(of_type.unwrap_or(path)..end).unwrap_or_default();
                    return Some(Header { parameters, of_trait, of_type, body: at });
                }
                Word::Sign('<') => angles += 1,
                Word::Sign('>') if self.is_sign(at - 1, '-') => {}
                Word::Sign('>') => {
                    angles = angles.checked_sub(1)?;
                    if angles == 0 && path == from && has_parameters {
                        path = at + 1;
                    }
                }
                Word::Name(name) if angles == 1 && path == from && has_parameters => {
                    let before = &words[at - 1];
                    // An attribute may stand before a parameter.
                    if matches!(before.word, Word::Sign('<' | ',') | Word::Close(']')) || before.is_name("const") {
                        parameters.push(name.as_str());
                    }
                }
                Word::Name(name) if angles == 0 && name == "for" && !self.is_sign(at + 1, '<') && of_type.is_none() => {
                    of_type = Some(at + 1);
                }
                Word::Name(name) if angles == 0 && name == "where" && end.is_none() => end = Some(at),
                Word::Sign(';') => return None,
                _ => {}
            }
        }
        None
    }
}

/// Whether the rules know a trait by this name.
fn is_guarded(name: &str) -> bool {
    [OPERATORS, COMPARISONS, CONVERSIONS].iter().any(|names| names.contains(&name))
}

/// The words between `impl` and its body.
struct Header<'t> {
    /// The names of its own parameters.
    parameters: Vec<&'t str>,
    /// The last name of the trait, and what is in its angle brackets.
    of_trait: Option<(&'t str, &'t [Piece])>,
    of_type: &'t [Piece],
    /// Where the body begins.
    body: usize,
}

/// The last name of a path, and what is in the angle brackets behind it.
fn trait_in(path: &[Piece]) -> (&str, &[Piece]) {
    let open = path.iter().position(|piece| piece.is_sign('<')).unwrap_or(path.len());
    let name = path[..open].iter().rev().find_map(Piece::name).unwrap_or_default();
    let inside = path.get(open + 1..path.len().max(open + 1) - 1).unwrap_or_default();
    (name, inside)
}

/// The names of the path of a type, without references and arguments; none of another type.
fn path_of(part: &[Piece]) -> Vec<&str> {
    let mut words = part;
    while let [first, rest @ ..] = words {
        match &first.word {
            Word::Sign('&') => words = rest,
            Word::Sign('\'') => words = rest.get(1..).unwrap_or_default(),
            Word::Name(name) if name == "mut" => words = rest,
            _ => break,
        }
    }
    let path = || words.iter().take_while(|piece| !piece.is_sign('<'));
    let is_plain =
        path().all(|piece| piece.is_sign(':') || piece.name().is_some_and(|name| !["dyn", "impl"].contains(&name)));
    if is_plain { path().filter_map(Piece::name).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Option<String> {
        refusal(&[(Path::new("a.rs"), text.to_owned())])
    }

    #[test]
    fn honest_solutions_pass() {
        let text = r##"//! Statistics.
#![allow(dead_code)]
use std::{collections::{HashMap, hash_map::Entry}, fmt::{self, Display}};
use std::io::prelude::*;
use std::ops::{Add, Mul, Sub, Index};
use std::error::Error as _;

/// A `std::fs::File`, in words: unsafe.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Point<T> { pub x: T, y: T }
#[derive(Debug)]
pub enum StatsError { Empty, #[allow(unused)] Other(String), Not(bool) }
type Result<T> = std::result::Result<T, StatsError>;
impl fmt::Display for StatsError { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{:?} unsafe", self) } }
impl std::error::Error for StatsError {}
impl std::str::FromStr for Point<f64> { type Err = StatsError; fn from_str(s: &str) -> Result<Self> { Err(StatsError::Other(s.to_owned())) } }
impl<T: Add<Output = T>> Add for Point<T> { type Output = Point<T>; fn add(self, o: Self) -> Self { Point { x: self.x + o.x, y: self.y + o.y } } }
impl<'a> Sub<&'a Point<f64>> for &'a Point<f64> { type Output = f64; fn sub(self, o: &Point<f64>) -> f64 { self.x - o.x } }
impl Mul<f64> for Point<f64> { type Output = Self; fn mul(self, k: f64) -> Self { Point { x: self.x * k, y: self.y * k } } }
impl Mul<Point<f64>> for f64 { type Output = Point<f64>; fn mul(self, p: Point<f64>) -> Point<f64> { p * self } }
impl From<Point<f64>> for String { fn from(p: Point<f64>) -> String { format!("{}", p.x) } }
pub trait Shape { fn area(&self) -> f64; fn name(&self) -> String { "shape".into() } }
impl<T> Shape for Point<T> where T: Into<f64> + Copy { fn area(&self) -> f64 { 0.0 } }
impl<T> Drop for Stack<T> { fn drop(&mut self) { while let Some(_) = self.items.pop() {} } }
pub struct Stack<T> { items: Vec<T> }
impl<T> Iterator for Stack<T> { type Item = T; fn next(&mut self) -> Option<T> { self.items.pop() } }
pub fn compose<A, B>(f: impl Fn(A) -> B) -> impl Fn(A) -> B { move |a| f(a) }
pub fn longest<'a>(a: &'a str, b: &'a str) -> &'a str { if a.len() > b.len() && !(a == b) { a } else { b } }
pub fn deviation(xs: &[f64]) -> f64 { let std = xs.iter().sum::<f64>(); let n = std as i32; if n != (3) { println!("{std}"); } std }
pub static TEXT: &str = r#" include_str!("x") "#;
#[cfg(test)]
mod tests { use super::*; #[test] fn mean_of_two() { assert_eq!(vec![1, 2].len(), 2); } }
pub use shapes::*;
pub mod shapes { pub enum Kind { Round } }
"##;
        assert_eq!(refused(text), None);
    }

    #[test]
    fn what_reaches_more_is_refused() {
        for text in [
            "use std::process;",
            "use std::{fmt, process::exit};",
            "use std::{{process}};",
            "use {std::process as p};",
            "use ::{core::fmt, std::*};",
            "use std as s;",
            "use std::{self as s};",
            "use std::collections::*; struct HashMap;",
            "use std::fmt::*;",
            "fn a() { ::std :: /* */ process :: exit(0) }",
            "fn a() { std::r#process::exit(0) }",
            "fn a() { println!(\"{}\", std::fs::read_to_string(\"a\").unwrap()) }",
            "fn a() { r#include_str!(\"a\"); }",
            "fn a() -> &'static str { include_str!(\"graderunits/tests/a.rs\") }",
            "fn a() { std::include!(\"a\") }",
            "use std::include_str as x;",
            "fn a() { option_env ! [\"a\"]; }",
            "macro_rules! a { () => {} }",
            "fn a() { vec![{ use std::fmt; 1 }]; }",
            "extern crate std as s;",
            "extern \"C\" { fn exit(n: i32) -> !; }",
            "fn a() { unsafe {} }",
            "#[no_mangle] pub fn a() {}",
            "#[path = \"graderunits/tests/a.rs\"] mod a;",
            "#[cfg_attr(all(), path = \"a\")] mod a;",
            "#![no_std]",
            "#![feature(asm)]",
            "mod graderunits { mod tests; }",
            "pub struct Vec;",
            "struct String;",
            "pub type f64 = i8;",
            "pub fn Some(x: u8) {}",
            "mod std {}",
            "pub use std::fmt::Result;",
            "enum E { A } pub use E::A as Some;",
            "enum E { Ok } pub use E::*;",
            "use std::ops::Sub as S; use std::cmp::PartialEq as P;",
            "struct A; impl PartialEq<f64> for A { fn eq(&self, _: &f64) -> bool { true } }",
            "struct A; impl std::cmp::PartialEq :: <f64> for A {}",
            "struct A; impl<T> PartialEq<T> for A { fn eq(&self, _: &T) -> bool { true } }",
            "struct T; impl<T> PartialEq<T> for super::A where T: Copy {}",
            "struct A; impl PartialEq<A> for f64 { }",
            "struct A; impl std::ops::Not for A { type Output = bool; }",
            "struct A; impl std::ops::Not for A { type Output = B; } type B = bool;",
            "struct A; impl std::ops::Div<f64> for A { type Output = f64; }",
            "trait T { fn contains(&self) -> bool { true } } impl T for Vec<u8> {}",
            "trait T {} impl<X> T for X {}",
            "trait T {} impl<A> T for A {} mod m { struct A; }",
            "trait T {} impl T for [u8] {} ",
            "trait T {} impl T for Box<dyn T> {} ",
            "trait Add {} impl Add for str {}",
            "trait T {} mod m { struct Own; } use std::vec::Vec as Own; impl T for Own<u8> {}",
            "trait T {} mod m { struct Own; } fn f() -> impl Sized { type Own = Vec<u8>; impl T for Own {} }",
            "trait T {} mod m { struct HashSet; } use std::collections::HashSet; impl T for HashSet<u8> {}",
            "fn f<'a, 'b, T>(_: &'a &'b (), v: &'b T) -> &'a T { v }",
            "trait T {} trait U { type Own; } mod m { struct Own; } impl<X: U> T<X> for X::Own {}",
            "trait T {} mod m { struct Own; } impl<#[allow(x)] Own> T for Own {}",
            "trait T<const B: bool> {} impl T<{ 0 < 1 }> for Vec<u8> {} fn f(x: Vec<u8>) -> Vec<u8> { x }",
            "trait T where [(); { type Own = Vec<u8>; impl M for Own {} 1 }]: Sized {} struct Own;",
            "struct A; impl std::ops::Mul<A> for f64 { type Output = Self; }",
            "struct A; impl std::ops::Mul<f64> for A { fn f() { type Output = A; } type Output = f64; }",
            "use std::prelude::v1::include_str as concat;",
            "#!/*\nuse std::fs;\n// */",
            "\u{feff}#!/*\nuse std::fs;\n// */",
            "/* ",
            "fn a() { ( }",
        ] {
            assert!(refused(text).is_some(), "{text}");
        }
        let with_lib = |lib: &str, name: &str| {
            let files = [("src/lib.rs", lib), (name, "use std::fs;")];
            refusal(&files.map(|(name, text)| (Path::new(name), text.to_owned()))).is_some()
        };
        for (name, module) in [
            ("src/main.rs", "main"),
            ("build.rs", "build"),
            ("examples/show.rs", "show"),
            ("src/bin/a.rs", "a"),
            ("src/shapes/round.rs", "round"),
        ] {
            assert!(!with_lib("pub fn f() {}", name), "{name} is not of the crate");
            let loads = [format!("mod {module};"), format!("mod x {{ pub(crate) mod /* */ {module}; }}")];
            assert!(loads.iter().all(|lib| with_lib(lib, name)), "{name} is of the crate");
        }
        assert!(with_lib("mod shapes;", "src/shapes/mod.rs") && with_lib("include!(\"main.rs\");", "src/main.rs"));
        let deep = [("lib.rs", "mod a;"), ("a.rs", "mod b;"), ("a/b.rs", "mod c;"), ("a/b/c.rs", "use std::fs;")];
        assert!(refusal(&deep.map(|(name, text)| (Path::new(name), text.to_owned()))).is_some());
        let named = |name: &str, text: &str| refusal(&[(Path::new(name), text.to_owned())]).is_some();
        assert!(named("a.RS", "use std::fs;") && named("prog", "use std::fs;") && !named("prog", "fn f() {}"));
        let beside = [(Path::new("README"), "It's unsafe".to_owned()), (Path::new("a.rs"), String::new())];
        assert_eq!(refusal(&beside), None);
        let deep = format!("fn a() {{ {}1{} }}", "(".repeat(200_000), ")".repeat(200_000));
        assert_eq!(refused(&deep), None);
    }
}
