//! Builds programs with sanitizers: the compiler adds checks for errors of memory and for undefined behaviour, and the
//! program ends at the first one.
//!
//! The build is another artifact, because its commands and its environment are part of its key.

use super::sources::Sources;
use super::{Artifact, Build, BuildOrder, Compiler};
use crate::language::Language;
use crate::sandbox::Sandbox;

/// The exit code of a program that a sanitizer ended. No protocol of validators uses it.
pub(crate) const EXIT: i32 = 86;

/// The remedy for missing libraries of the sanitizers.
const INSTALL: &str =
    "they come with apt install gcc g++, dnf install libasan libubsan, or apt install libclang-rt-dev";

/// The environment of programs with sanitizers.
fn environment() -> [(&'static str, String); 2] {
    // Leaks are looked for by tracing, which no program may do in the sandbox, and no judge counts them.
    let address = format!("exitcode={EXIT}:detect_leaks=0:abort_on_error=0");
    [("ASAN_OPTIONS", address), ("UBSAN_OPTIONS", format!("exitcode={EXIT}:halt_on_error=1:print_stacktrace=1"))]
}

impl Compiler<'_> {
    /// Builds a program in a language, with sanitizers if the run asks for them and the language has them. A program
    /// that compiles only without them is not judged: the machine lacks their libraries.
    pub(super) fn in_language(
        &self,
        order: &BuildOrder<'_>,
        language: &Language,
        missing: Option<&str>,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Build {
        if order.covered {
            return self.covered(order, language, sources, sandbox);
        }
        let Some(row) = self.sanitize.then(|| language.sanitized(&environment())).flatten() else {
            return self.by_row(order, language, missing, sources, sandbox);
        };
        let mut built = self.by_row(order, &row, missing, sources, sandbox);
        if let Build::CompileError(_) = built {
            let plain = self.by_row(order, language, missing, sources, sandbox);
            if plain.artifact().is_none() {
                return plain;
            }
            // The libraries may have been installed since the store learnt of the failure.
            built = Compiler { fresh: true, limits: self.limits, testlib: self.testlib.clone(), ..*self }
                .by_row(order, &row, missing, sources, sandbox);
        }
        match built {
            Build::Ready(artifact) => {
                let files = sources.names().into_iter().chain(artifact.renamed.iter().cloned()).collect();
                Build::Ready(Box::new(Artifact { sanitized: Some(files), ..*artifact }))
            }
            Build::CompileError(words) => Build::NotJudged(without_libraries(&words)),
            other => other,
        }
    }
}

/// Why a program that compiles without sanitizers does not compile with them.
fn without_libraries(words: &str) -> String {
    let first = words.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    format!("it compiles, but not with sanitizers; are their libraries installed? ({INSTALL}): {first}")
}
