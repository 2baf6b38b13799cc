//! Finds the class to start in a Java or Kotlin submission by a quick scan of its words. The scan skips comments and
//! strings and counts braces; it does not parse the language. It always makes a guess: if the guess is wrong, the
//! virtual machine refuses the submission with a clear message.

mod words;

use super::MainClass;
use words::{Dialect, Word, words};

/// The class to start.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// With its package.
    pub(super) class: String,
    /// Whether its `main` is seen.
    pub(super) has_main: bool,
}

/// The main class among `files` (names and texts); the main file is the last of them.
pub(super) fn find(kind: MainClass, files: &[(&str, String)]) -> Found {
    let mut candidates: Vec<Candidate> = match kind {
        MainClass::Java => files.iter().flat_map(|(name, text)| java(name, text)).collect(),
        MainClass::Kotlin => files.iter().flat_map(|(name, text)| kotlin(name, text)).collect(),
    };
    let main_file = files.last().map_or("", |(name, _)| *name);
    candidates.sort_by_cached_key(|candidate| {
        let simple = candidate.class.rsplit('.').next().unwrap_or_default();
        let is_named_main = ["Main", "MainKt"].contains(&simple);
        (candidate.likelihood, !is_named_main, candidate.file != main_file, candidate.class.clone())
    });
    let best = candidates.into_iter().next();
    let has_main = best.as_ref().is_some_and(|best| best.likelihood != Likelihood::Class);
    Found { class: best.map_or_else(|| stem(main_file).to_owned(), |best| best.class), has_main }
}

/// The name of the public top-level type of a Java file, which the file must have.
pub(super) fn public_type(text: &str) -> Option<String> {
    let types = java_types(&words(head(text), Dialect::Java));
    // Longer names than a file may have are left to the compiler's complaint.
    types.types.into_iter().find(|found| found.is_public).map(|found| found.name).filter(|name| name.len() < 240)
}

/// `{Mainclass}`: the last part with a capital letter; for Kotlin without the `Kt` that templates add.
pub(super) fn capitalised(class: &str, kind: Option<MainClass>) -> String {
    let class = class.strip_suffix("Kt").filter(|_| kind == Some(MainClass::Kotlin)).unwrap_or(class);
    let start = class.rfind(['.', '/']).map_or(0, |dot| dot + 1);
    let mut letters = class[start..].chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{}{capital}{}", &class[..start], letters.as_str())
}

/// Whether `name` can be a class with its package: `a.b.Main`.
pub(super) fn is_class_name(name: &str) -> bool {
    name.split('.').all(|part| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$') && part.chars().all(words::is_part)
    })
}

/// A class that may be the one to start.
struct Candidate<'a> {
    file: &'a str,
    class: String,
    likelihood: Likelihood,
}

/// How much speaks for a candidate, the most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likelihood {
    /// `static void main(`, `fun main(` outside classes.
    Main,
    /// `void main(` of an object (Java 25), a `@JvmStatic fun main(`.
    Instance,
    /// A class without `main`; in Java one could be inherited.
    Class,
}

/// As much of a text as is looked at; packages allow 128 KiB of code by default.
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
    /// `void main(` outside every type (Java 25): the file itself is a class.
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
        return vec![Candidate { file, class: stem(file).to_owned(), likelihood: Likelihood::Instance }];
    }
    let candidate = |JavaType { name, main, .. }: JavaType| Candidate {
        file,
        class: qualified(&found.package, &name),
        likelihood: main.unwrap_or(Likelihood::Class),
    };
    found.types.into_iter().map(candidate).collect()
}

fn java_types(words: &[Word]) -> JavaFile {
    let mut found = JavaFile::default();
    let mut depth = 0_usize;
    // Where the current declaration began: its modifiers are between here and its name.
    let mut start = 0;
    for (index, word) in words.iter().enumerate() {
        let name = words.get(index + 1).and_then(Word::name);
        // No declaration has more modifiers; a hostile file could have.
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

/// A dotted name at the start of `words`.
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
    let candidate = |class: &str, likelihood| Candidate { file, class: qualified(&package, class), likelihood };
    let file_candidate = candidate(&file_class, likelihood);
    objects.iter().map(|class| candidate(class, Likelihood::Instance)).chain([file_candidate]).collect()
}

/// The class that Kotlin makes of a file: `my-sol.kt` becomes `My_solKt`, `1.kt` becomes `_1Kt`.
fn kotlin_file_class(file: &str) -> String {
    let plain: String = stem(file).chars().map(|c| if words::is_part(c) { c } else { '_' }).collect();
    let underscore = if plain.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    format!("{underscore}{}Kt", capitalised(&plain, None))
}
