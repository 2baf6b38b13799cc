//! Finds `testlib.h` for the programs of a problem that include it and do not bring it. grader does not carry the header:
//! it is in the problem, named by the user, or installed.

use std::path::{Path, PathBuf};

use super::BuildOrder;
use super::sources::Sources;
use crate::language::Language;
use crate::program_files::{ModuleSystem, module_system};
use crate::protocol::{TESTLIB, includes_testlib};

/// Folders of a problem that may hold the header: that of the problem, those of Polygon and of the package format, and
/// those of Library Checker and others.
const IN_PROBLEM: [&str; 7] = ["", "files", "include/cpp", "include/default", "include", "common", "lib"];
/// The folders in which compilers search for the headers of a system.
const SYSTEM: [&str; 2] = ["/usr/local/include", "/usr/include"];

/// Why the header is not there.
#[derive(Debug, thiserror::Error)]
pub enum NoHeader {
    /// It is nowhere.
    #[error(
        "{TESTLIB} not found\n  → put it beside {program}, or name it in grader.toml: `testlib = \"path/{TESTLIB}\"` \
         (https://github.com/MikeMirzayanov/testlib)"
    )]
    Missing {
        /// The program that includes it.
        program: String,
    },
    /// The settings name a file that is not there.
    #[error("the setting `testlib` names {}, which is not a file\n  → correct it in grader.toml", .0.display())]
    NotAFile(PathBuf),
}

/// Returns the header for a program of a problem; none if the program does not need it or brings it. `stated` is the file
/// that the settings name.
pub(super) fn header_for(
    order: &BuildOrder<'_>,
    language: &Language,
    sources: &Sources<'_>,
    stated: Option<&Path>,
) -> Result<Option<PathBuf>, NoHeader> {
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
        return Ok(Some(found));
    }
    let program = path.file_name().unwrap_or_default().display().to_string();
    of_all_problems(stated)?.map(Some).ok_or(NoHeader::Missing { program })
}

/// The header for problems that do not bring it: the one that the settings name, otherwise an installed one.
pub fn of_all_problems(stated: Option<&Path>) -> Result<Option<PathBuf>, NoHeader> {
    match stated {
        Some(stated) if stated.is_file() => Ok(Some(stated.to_owned())),
        Some(stated) => Err(NoHeader::NotAFile(stated.to_owned())),
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
