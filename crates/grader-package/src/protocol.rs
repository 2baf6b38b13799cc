//! Finds out by which protocol a judging program is run, from its sources.
//!
//! A program in C or C++ that includes `testlib.h` follows testlib's protocol, unless the header was patched to exit with
//! 42 and 43, as converters to the ICPC format do. The guess cannot turn a failure into a verdict: an exit code that is
//! no decision of the protocol is a judge error.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::reader::Reader;
use grader_model::problem::{JudgingProgram, Program, Protocol};

/// The header of testlib.
pub const TESTLIB: &str = "testlib.h";

/// The most bytes of a file that are searched. The exit codes are in the first tenth of the header.
const SEARCHED: u64 = 1 << 20;

/// A judging program with the protocol that the problem states, or else with the one that its source suggests.
pub(crate) fn judging(reader: &Reader<'_>, program: Program) -> JudgingProgram {
    match reader.protocol {
        Some(protocol) => JudgingProgram::stated(program, protocol),
        None => guessed(program),
    }
}

/// A judging program with the protocol that its source suggests.
pub fn guessed(program: Program) -> JudgingProgram {
    let protocol = protocol_of(&program);
    JudgingProgram::guessed(program, protocol)
}

/// The protocol that the sources of a program suggest. An unreadable file suggests nothing: the build reports it.
fn protocol_of(program: &Program) -> Protocol {
    let Some((dir, files)) = program.parts().filter(|_| !matches!(program, Program::Scripts { .. })) else {
        return Protocol::Icpc;
    };
    let texts: Vec<String> = files.iter().filter(|file| is_cpp(file)).map(|file| text(&dir.join(file))).collect();
    if !texts.iter().any(|text| includes_testlib(text)) {
        return Protocol::Icpc;
    }
    let headers = headers(&dir, &files).map(|header| text(&header));
    if texts.into_iter().chain(headers).any(|text| is_patched(&text)) { Protocol::Icpc } else { Protocol::TESTLIB }
}

/// The option with which an input validator writes which bounds an input reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundsOption {
    /// `--testOverviewLogFileName FILE`, of testlib.
    Testlib,
    /// `--constraints_file FILE`, of BAPCtools, `pyctd`, and all that follow them.
    Constraints,
}

impl BoundsOption {
    /// The option, which the name of a file follows.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Testlib => "--testOverviewLogFileName",
            Self::Constraints => "--constraints_file",
        }
    }
}

/// The header of BAPCtools for validators.
const VALIDATION: &str = "validation.h";

/// The option of an input validator for its bounds, by its sources: they include `testlib.h`, or mention
/// `constraints_file`, as in BAPCtools. None if it has no such option. Grammars are not asked here: their interpreter
/// knows the option or not.
pub fn bounds_option(program: &Program) -> Option<BoundsOption> {
    let (dir, files) = program.parts()?;
    let is_named = |file: &Path| file.file_name().is_some_and(|name| name == TESTLIB);
    let texts = || files.iter().filter(|file| !is_named(file)).map(|file| (file, text(&dir.join(file))));
    if texts().any(|(file, text)| is_cpp(file) && includes_testlib(&text)) {
        return Some(BoundsOption::Testlib);
    }
    let mentions = |text: &str| text.contains("constraints_file");
    let beside = |text: &str| text.contains(VALIDATION) && mentions(&self::text(&dir.join(VALIDATION)));
    texts().any(|(_, text)| mentions(&text) || beside(&text)).then_some(BoundsOption::Constraints)
}

/// The headers that the program may include: its own, and one beside it.
fn headers(dir: &Path, files: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
    let own = files.iter().filter(|file| file.file_name().is_some_and(|name| name == TESTLIB));
    let own: Vec<PathBuf> = own.map(|file| dir.join(file)).chain([dir.join(TESTLIB)]).collect();
    own.into_iter()
}

fn is_cpp(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["cpp", "cc", "cxx", "c++", "C", "c"].contains(&ending)
}

/// Whether a line of a source includes the header, from any folder.
pub fn includes_testlib(source: &str) -> bool {
    source.lines().any(|line| {
        let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
        let Some(name) = rest.trim_start().strip_prefix("include") else { return false };
        let name = name.trim_start().trim_start_matches(['"', '<']);
        let name = name.split(['"', '>']).next().unwrap_or_default();
        name.rsplit('/').next() == Some(TESTLIB)
    })
}

/// Whether a file gives testlib the exit codes of the ICPC format: `#define OK_EXIT_CODE 42`.
fn is_patched(text: &str) -> bool {
    let is_it = |line: &str| {
        let mut words = line.trim_start().trim_start_matches('#').split_whitespace();
        (words.next(), words.next(), words.next()) == (Some("define"), Some("OK_EXIT_CODE"), Some("42"))
    };
    text.lines().any(is_it)
}

/// The beginning of a file as text; empty if the file cannot be read.
fn text(path: &Path) -> String {
    let mut bytes = Vec::new();
    // As above: the build reports a file that cannot be read.
    let _ = File::open(path).and_then(|file| file.take(SEARCHED).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(files: &[(&str, &str)]) -> Protocol {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let files = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
        protocol_of(&Program::Directory { path: dir.path().to_owned(), files })
    }

    #[test]
    fn a_program_that_includes_the_header_is_of_testlib() {
        assert_eq!(guess(&[("a.cpp", "#include \"testlib.h\"\nint main() {}\n")]), Protocol::TESTLIB);
        assert_eq!(guess(&[("a.cc", "  # include <../lib/testlib.h>\n")]), Protocol::TESTLIB);
        assert_eq!(guess(&[("a.cpp", "// like testlib.h\n#include <cstdio>\n")]), Protocol::Icpc);
        assert_eq!(guess(&[("a.py", "#include \"testlib.h\"\n")]), Protocol::Icpc);
    }

    #[test]
    fn the_sources_say_whether_a_validator_writes_its_bounds() {
        let option = |files: &[(&str, &str)], named: &[&str]| {
            let dir = tempfile::tempdir().unwrap();
            for (name, text) in files {
                std::fs::write(dir.path().join(name), text).unwrap();
            }
            let files = named.iter().map(PathBuf::from).collect();
            bounds_option(&Program::Directory { path: dir.path().to_owned(), files })
        };
        let testlib = ("a.cpp", "#include \"testlib.h\"\n");
        assert_eq!(option(&[testlib], &["a.cpp"]), Some(BoundsOption::Testlib));
        assert_eq!(option(&[("a.py", "'--constraints_file'")], &["a.py"]), Some(BoundsOption::Constraints));
        let files = [("a.cpp", "#include \"validation.h\"\n"), ("validation.h", "// --constraints_file\n")];
        assert_eq!(option(&files, &["a.cpp"]), Some(BoundsOption::Constraints));
        assert_eq!(option(&[("a.cpp", "#include <cstdio>\n")], &["a.cpp"]), None);
        // Only the header mentions it, but nothing includes that header.
        assert_eq!(option(&files[1..], &[]), None);
    }

    #[test]
    fn patched_exit_codes_are_those_of_icpc() {
        let source = ("a.cpp", "#include \"testlib.h\"\n");
        assert_eq!(guess(&[source, ("testlib.h", "# define OK_EXIT_CODE 42\n")]), Protocol::Icpc);
        assert_eq!(guess(&[source, ("testlib.h", "#       define OK_EXIT_CODE 0\n")]), Protocol::TESTLIB);
        assert_eq!(guess(&[("a.cpp", "#define OK_EXIT_CODE 42\n#include \"testlib.h\"\n")]), Protocol::Icpc);
    }
}
