//! Finds the class to start in a Java or Kotlin submission by a quick scan of its words. The scan skips comments and
//! strings and counts braces; it does not parse the language. It always returns a guess: if the guess is wrong, the
//! virtual machine rejects the submission with a clear message.

use super::MainClass;
use crate::program_files::words::{self, Dialect, Word, words};

/// The class to start.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StartClass {
    /// Its name with the package.
    pub(super) class: String,
    /// Whether its `main` was found.
    pub(super) has_main: bool,
    /// The classes with `main` among which nothing decides, if there are several.
    pub(super) equal: Vec<String>,
}

/// Finds the main class in `files` (names and texts). The main file is the last of them.
pub(super) fn find(kind: MainClass, files: &[(&str, String)]) -> StartClass {
    let mut candidates: Vec<Candidate> = match kind {
        MainClass::Java => files.iter().flat_map(|(name, text)| java(name, text)).collect(),
        MainClass::Kotlin => files.iter().flat_map(|(name, text)| kotlin(name, text)).collect(),
    };
    let main_file = files.last().map_or("", |(name, _)| *name);
    let rank = |candidate: &Candidate| {
        let simple = candidate.class.rsplit('.').next().unwrap_or_default();
        let is_named = simple.eq_ignore_ascii_case(stem(candidate.file));
        let is_main = ["Main", "MainKt"].contains(&simple);
        (candidate.likelihood, !candidate.is_public, !is_named, !is_main)
    };
    candidates.sort_by_cached_key(|candidate| (rank(candidate), candidate.file != main_file, candidate.class.clone()));
    let Some(best) = candidates.first() else {
        return StartClass { class: stem(main_file).to_owned(), has_main: false, equal: Vec::new() };
    };
    let has_main = best.likelihood != Likelihood::Class;
    let equal = candidates.iter().take_while(|other| has_main && rank(other) == rank(best));
    let equal = equal.map(|candidate| candidate.class.clone()).collect();
    StartClass { class: best.class.clone(), has_main, equal }
}

/// The name of the public top-level type of a Java file. The file must have the same name.
pub(super) fn public_type(text: &str) -> Option<String> {
    let types = java_types(&words(head(text), Dialect::Java));
    // If the name is too long for a file, the compiler reports it.
    types.types.into_iter().find(|found| found.is_public).map(|found| found.name).filter(|name| name.len() < 240)
}

/// The value of `{Mainclass}`: the last part is capitalised. For Kotlin it lacks the `Kt` that templates add.
pub(super) fn capitalised(class: &str, kind: Option<MainClass>) -> String {
    let class = class.strip_suffix("Kt").filter(|_| kind == Some(MainClass::Kotlin)).unwrap_or(class);
    let start = class.rfind(['.', '/']).map_or(0, |dot| dot + 1);
    let mut letters = class[start..].chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{}{capital}{}", &class[..start], letters.as_str())
}

/// Whether `name` can be the name of a class with its package: `a.b.Main`.
pub(super) fn is_class_name(name: &str) -> bool {
    name.split('.').all(|part| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$') && part.chars().all(words::is_part)
    })
}

/// A possible class to start.
struct Candidate<'a> {
    file: &'a str,
    class: String,
    likelihood: Likelihood,
    is_public: bool,
}

/// The likelihood of a candidate, highest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likelihood {
    /// `static void main(`, `fun main(` outside classes.
    Main,
    /// `void main(` of an instance (Java 25), or a `@JvmStatic fun main(`.
    Instance,
    /// A class without `main`. In Java it may inherit one.
    Class,
}

/// The part of a text that is scanned. Packages allow 128 KiB of code by default.
fn head(text: &str) -> &str {
    const LONGEST: usize = 1 << 20;
    let cut = |end: usize| text.get(..end);
    cut(text.len().min(LONGEST)).or_else(|| (LONGEST - 3..LONGEST).rev().find_map(cut)).unwrap_or_default()
}

fn stem(file: &str) -> &str {
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn qualified(package: &str, class: &str) -> String {
    if package.is_empty() { class.to_owned() } else { format!("{package}.{class}") }
}

/// The top-level types of a Java file.
#[derive(Default)]
struct JavaFile {
    package: String,
    types: Vec<JavaType>,
    /// Whether `void main(` stands outside every type (Java 25), so that the file itself is a class.
    is_class: bool,
}

struct JavaType {
    name: String,
    is_public: bool,
    main: Option<Likelihood>,
}

fn java<'a>(file: &'a str, text: &str) -> Vec<Candidate<'a>> {
    let found = java_types(&words(head(text), Dialect::Java));
    if found.is_class {
        return vec![Candidate {
            file,
            class: stem(file).to_owned(),
            likelihood: Likelihood::Instance,
            is_public: false,
        }];
    }
    let candidate = |JavaType { name, main, is_public }: JavaType| Candidate {
        file,
        class: qualified(&found.package, &name),
        likelihood: main.unwrap_or(Likelihood::Class),
        is_public,
    };
    found.types.into_iter().map(candidate).collect()
}

fn java_types(words: &[Word]) -> JavaFile {
    let mut found = JavaFile::default();
    let mut depth = 0_usize;
    // The start of the current declaration, from where its modifiers come.
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        let name = words.get(index + 1).and_then(Word::name);
        // A limit for hostile files. No normal declaration has more modifiers.
        let modifiers = &words[start.max(index.saturating_sub(64))..index];
        match word {
            Word::Sign('{') => depth += 1,
            Word::Sign('}') => depth = depth.saturating_sub(1),
            Word::Name("package") if depth == 0 && found.package.is_empty() => {
                found.package = dotted(&words[index + 1..]);
            }
            Word::Name("class" | "interface" | "enum" | "record") if depth == 0 => {
                let is_public = modifiers.contains(&Word::Name("public"));
                found.types.extend(name.map(|name| JavaType { name: name.to_owned(), is_public, main: None }));
            }
            Word::Name("void")
                if depth < 2 && words[index + 1..].starts_with(&[Word::Name("main"), Word::Sign('(')]) =>
            {
                let is_static = modifiers.contains(&Word::Name("static"));
                let likelihood = if is_static { Likelihood::Main } else { Likelihood::Instance };
                match found.types.last_mut() {
                    Some(last) if depth == 1 => last.main = last.main.min(Some(likelihood)).or(Some(likelihood)),
                    _ => found.is_class |= depth == 0,
                }
            }
            _ => {}
        }
        if matches!(word, Word::Sign('{' | '}' | ';')) {
            start = index + 1;
        }
    }
    found
}

/// Reads a dotted name at the start of `words`.
fn dotted(words: &[Word]) -> String {
    let mut name = String::new();
    for pair in words.chunks(2) {
        let Some(part) = pair[0].name() else { break };
        name.push_str(part);
        if pair.get(1) != Some(&Word::Sign('.')) {
            break;
        }
        name.push('.');
    }
    name
}

fn kotlin<'a>(file: &'a str, text: &str) -> Vec<Candidate<'a>> {
    let words = words(head(text), Dialect::Kotlin);
    let mut package = String::new();
    let mut file_class = kotlin_file_class(file);
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut pending = None;
    let mut likelihood = Likelihood::Class;
    let mut objects = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let after = &words[index + 1..];
        match word {
            Word::Sign('{') => open.push(pending.take()),
            Word::Sign('}') => drop(open.pop()),
            Word::Name("package") if open.is_empty() && package.is_empty() => package = dotted(after),
            Word::Name("class" | "object" | "interface") => pending = after.first().and_then(Word::name),
            Word::Name("JvmName") if open.is_empty() && index >= 3 && words[index - 2] == Word::Name("file") => {
                if let [Word::Sign('('), Word::Text(name), ..] = after
                    && is_class_name(name)
                {
                    (*name).clone_into(&mut file_class);
                }
            }
            Word::Name("fun") if after.starts_with(&[Word::Name("main"), Word::Sign('(')]) => match open.as_slice() {
                [] => likelihood = Likelihood::Main,
                [Some(outer), ..] if words[..index].iter().rev().take(4).any(|w| *w == Word::Name("JvmStatic")) => {
                    objects.push((*outer).to_owned());
                }
                _ => {}
            },
            _ => {}
        }
    }
    let candidate =
        |class: &str, likelihood| Candidate { file, class: qualified(&package, class), likelihood, is_public: false };
    let file_candidate = candidate(&file_class, likelihood);
    objects.iter().map(|class| candidate(class, Likelihood::Instance)).chain([file_candidate]).collect()
}

/// The name of the class that Kotlin creates for a file: `my-sol.kt` becomes `My_solKt`, `1.kt` becomes `_1Kt`.
fn kotlin_file_class(file: &str) -> String {
    let plain: String = stem(file).chars().map(|c| if words::is_part(c) { c } else { '_' }).collect();
    let underscore = if plain.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    format!("{underscore}{}Kt", capitalised(&plain, None))
}
