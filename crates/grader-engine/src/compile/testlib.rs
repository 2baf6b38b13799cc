//! Finds `testlib.h` for the programs of a problem that include it and do not bring it: in the problem, where the user
//! names it, or installed. If it is nowhere, the program gets grader's own header, which has the same interface.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::libraries::Header;
use super::sources::Sources;
use super::{Build, BuildOrder};
use crate::language::Language;
use crate::program_files::{ModuleSystem, module_system};
use crate::protocol::{TESTLIB, includes_testlib};

/// Folders of a problem that may hold the header: that of the problem, those of Polygon and of the package format, and
/// those of Library Checker and others.
const IN_PROBLEM: [&str; 7] = ["", "files", "include/cpp", "include/default", "include", "common", "lib"];
/// The folders in which compilers search for the headers of a system.
const SYSTEM: [&str; 2] = ["/usr/local/include", "/usr/include"];

/// grader's own header, with the interface of testlib and no code of it.
pub const OWN: &str = include_str!("testlib/testlib.h");
/// How a program gets the original header.
pub const GET_ORIGINAL: &str = "put the original (https://github.com/MikeMirzayanov/testlib) into the problem, or name \
                            it in grader.toml: `testlib = \"path/testlib.h\"`";

/// The settings name a header that is not there.
#[derive(Debug, thiserror::Error)]
#[error("the setting `testlib` names {}, which is not a file\n  → correct it in grader.toml", .0.display())]
pub struct NoHeader(PathBuf);

/// Whether programs of a command were built with grader's own header.
#[derive(Debug, Default)]
pub struct OwnHeaderUse {
    used: AtomicBool,
    reported: AtomicBool,
}

impl OwnHeaderUse {
    /// Notes that a program is built with it.
    pub(super) fn note(&self) {
        self.used.store(true, Ordering::Relaxed);
    }

    /// Whether the use of the own header must be reported. True only once.
    pub fn is_news(&self) -> bool {
        self.used.load(Ordering::Relaxed) && !self.reported.swap(true, Ordering::Relaxed)
    }
}

/// The build of a program with grader's own header. The message of a compiler says so, because the header may lack
/// what the program calls.
pub(super) fn with_own(build: Build) -> Build {
    match build {
        Build::CompileError(words) => Build::CompileError(format!(
            "{}\n\nThe program was compiled with grader's own {TESTLIB}, because no other was found. If it needs more than \
             that has, {GET_ORIGINAL}.",
            words.trim_end()
        )),
        other => other,
    }
}

/// Returns the header for a program of a problem; none if the program does not need it or brings it. `stated` is the file
/// that the settings name.
pub(super) fn header_for(
    order: &BuildOrder<'_>,
    language: &Language,
    sources: &Sources<'_>,
    stated: Option<&Path>,
) -> Result<Option<Header>, NoHeader> {
    let Some(path) = order.program.path().filter(|_| !order.is_submission()) else { return Ok(None) };
    let has_it = |names: &[PathBuf]| names.iter().any(|name| name.file_name().is_some_and(|name| name == TESTLIB));
    let names = sources.names();
    let is_named = language.include.iter().any(|folder| folder.join(TESTLIB).is_file());
    if has_it(&names) || is_named || has_it(&sources.libraries.files()) || !includes_it(sources, &names) {
        return Ok(None);
    }
    let beside = path.parent().filter(|_| path.is_file()).map(|dir| dir.join(TESTLIB));
    let in_problem = order.problem.and_then(in_problem);
    if let Some(found) = beside.filter(|header| header.is_file()).or(in_problem) {
        return Ok(Some(Header::File(found)));
    }
    Ok(Some(of_all_problems(stated)?.map_or(Header::Own(OWN), Header::File)))
}

/// The header for problems that do not bring it: the one that the settings name, otherwise an installed one.
pub fn of_all_problems(stated: Option<&Path>) -> Result<Option<PathBuf>, NoHeader> {
    match stated {
        Some(stated) if stated.is_file() => Ok(Some(stated.to_owned())),
        Some(stated) => Err(NoHeader(stated.to_owned())),
        None => Ok(SYSTEM.iter().map(|dir| Path::new(dir).join(TESTLIB)).find(|header| header.is_file())),
    }
}

/// The header that the folder of a problem holds outside its programs.
pub fn in_problem(dir: &Path) -> Option<PathBuf> {
    IN_PROBLEM.iter().map(|folder| dir.join(folder).join(TESTLIB)).find(|header| header.is_file())
}

/// Whether a source in C or C++ includes the header.
fn includes_it(sources: &Sources<'_>, names: &[PathBuf]) -> bool {
    let mut code = names.iter().filter(|name| module_system(name) == Some(ModuleSystem::C));
    code.any(|name| sources.text(name).is_some_and(|text| includes_testlib(&text)))
}
