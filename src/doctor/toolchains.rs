//! Finds out which languages can be judged here: which compilers and interpreters are installed.

use crate::compile::grammar;
use crate::compile::toolbox::{Host, Toolbox, package_manager};
use crate::language::Languages;
use crate::sandbox::Sandbox;
use crate::store::Store;

/// Whether the tool of a language is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tool {
    /// The version that the tool reports.
    Version(String),
    /// Why the tool is not available, and how to install it.
    Missing(String),
}

/// Finds the tool of each language and the interpreter of grammars, each with its name.
pub(crate) fn all(languages: &Languages, host: &Host, sandbox: &mut dyn Sandbox, store: &Store) -> Vec<(String, Tool)> {
    let toolbox = Toolbox::new(host.clone());
    let manager = package_manager();
    let mut all = Vec::new();
    for language in languages.iter() {
        let missing = language.tools().into_iter().find(|tool| toolbox.find(tool, sandbox, store).is_none());
        let found = match missing {
            Some(tool) if toolbox.is_there(tool) => Tool::Missing(toolbox.why_missing(language, tool)),
            Some(tool) => Tool::Missing(match &*language.install.advice(manager) {
                "" => format!("{tool} is not installed"),
                advice => format!("{tool} is not installed → {advice}"),
            }),
            None => match toolbox.why_broken(language, sandbox, store) {
                Some(why) => Tool::Missing(why),
                None => Tool::Version(toolbox.version(&language.version, sandbox, store)),
            },
        };
        all.push((language.id.clone(), found));
    }
    let found = match grammar::version(&toolbox, store, sandbox) {
        Ok(version) => Tool::Version(version),
        Err(reason) => Tool::Missing(format!("for input validators (.ctd): {reason}")),
    };
    all.push((grammar::CHECKTESTDATA.to_owned(), found));
    all
}
