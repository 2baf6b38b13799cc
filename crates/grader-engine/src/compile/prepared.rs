//! Prepared compilers: work that a compiler would repeat for every program is done once, and its result is stored.
//!
//! - A precompiled header of GCC: `bits/stdc++.h` takes most of the time in which a small program is compiled. It is used
//!   only if that makes the same program: the header is the first thing in every source that names it. (GCC loses what
//!   precedes it, such as `#pragma GCC optimize`, and uses it only before the first token: "Using Precompiled Headers" in
//!   its manual.)
//! - A class archive of Java's virtual machine: the classes of the compiler, loaded and checked (JEP 350).
//!
//! If a compilation fails with these, the program is compiled again without, so that a compiler's words never depend on
//! them. No program of a contestant takes part in making them.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::{Compiler, CompilerStop, MOST_MADE, Recipe, Sources, Step};
use crate::language::Language;
use crate::limits::Limits;
use crate::sandbox::{Sandbox, Side, Sight};
use crate::store::{Artifact, Key};

/// The source of which a header is made.
const HEADER_SOURCE: &str = "header.h";
/// The file in which GCC lists what it has read.
const LIST: &str = "header.d";
/// The archive of the classes of a compiler.
const ARCHIVE: &str = "compiler.jsa";
/// After so many programs in all runs together, the compiler is prepared in any case.
const WORTH_EVER: u32 = 8;
/// After so many programs that could use a preparation, the others are expected to use it as often.
const ENOUGH: usize = 2;

/// The prepared compilers of this process, and how many programs are expected to use them.
#[derive(Debug, Default)]
pub struct PreparedCompilers {
    known: Mutex<HashMap<Key, PreparationState>>,
    /// The builds that begin soon.
    expected: AtomicUsize,
    /// The builds that have begun.
    begun: AtomicUsize,
    slots: AtomicUsize,
}

#[derive(Debug)]
enum PreparationState {
    /// So many programs could have used it.
    Wanted(usize),
    /// A slot makes it, or failed to.
    Unavailable,
    Made(Artifact<Stamps>),
}

/// The files of which something was made. It is not used for other files. Java's virtual machine checks by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Stamps(Vec<(PathBuf, u64, i64, i64)>);

impl Stamps {
    /// Reads the files of a list in the form of `make`: `target: file \` and so on.
    fn of_list(list: &str) -> Option<Self> {
        let (_, files) = list.split_once(':')?;
        let files = files.split_ascii_whitespace().filter(|word| *word != "\\" && word.starts_with('/'));
        Self::of(files.map(PathBuf::from)).filter(|stamps| !stamps.0.is_empty())
    }

    /// None if one of the files cannot be read.
    fn of(files: impl Iterator<Item = PathBuf>) -> Option<Self> {
        let stamp = |file: PathBuf| {
            let meta = fs::metadata(&file).ok()?;
            Some((file, meta.size(), meta.mtime(), meta.mtime_nsec()))
        };
        files.map(stamp).collect::<Option<Vec<_>>>().map(Self)
    }

    fn is_current(&self) -> bool {
        Self::of(self.0.iter().map(|(file, ..)| file.clone())).as_ref() == Some(self)
    }
}

impl PreparedCompilers {
    /// So many builds begin soon, on so many slots.
    pub fn expect(&self, builds: usize, slots: usize) {
        self.expected.store(builds, Ordering::Relaxed);
        self.slots.store(slots, Ordering::Relaxed);
    }

    /// A build begins.
    pub(super) fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        // There may be more builds than were expected.
        let _ = self.expected.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, PreparationState>> {
        // Each change is complete before the lock is released.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this run alone gains by preparing a compiler now that `wanted` programs could have used. Preparing it
    /// takes as long as it saves on `price` programs for each slot.
    fn is_worth_it(&self, wanted: usize, price: usize) -> bool {
        let load = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let likely = load(&self.expected).saturating_mul(wanted) / load(&self.begun).max(1);
        wanted > ENOUGH && likely >= price * load(&self.slots).max(1)
    }
}

/// A file that can be prepared for a compiler.
#[derive(Debug, Clone, Copy)]
pub(super) enum Preparation<'a> {
    /// The name of a header.
    Header(&'a str),
    /// The name and text of a program that is compiled for the archive.
    Archive(&'a str, &'a str),
}

impl<'a> Preparation<'a> {
    /// The preparation that a compiler can use for a program; none for most programs.
    fn of(language: &'a Language, version: &str, sources: &Sources<'_>) -> Option<Self> {
        if let Some(header) = language.precompiled.as_deref() {
            // The version is that of the compiler, and it is GCC.
            let is_of_compiler = language.version.first() == language.compile.iter().flatten().next();
            let fits = is_of_compiler && !version.contains("clang") && can_use(header, sources);
            return fits.then_some(Self::Header(header));
        }
        let [name, text] = language.class_archive.as_ref()?;
        Some(Self::Archive(name, text))
    }

    /// The command that prepares the compiler with the options of `words`, the command of a program. None if `words` has
    /// another form.
    fn words(self, words: &[String], is_source: impl Fn(&str) -> bool) -> Option<Vec<String>> {
        let mut kept = Vec::new();
        let mut has_source = false;
        let mut has_output = false;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if is_source(word) {
                has_source = true;
            } else if word == "-o" && matches!(self, Self::Header(_)) {
                has_output = rest.next().is_some();
            } else {
                kept.push(word.clone());
            }
        }
        let own = match self {
            Self::Header(header) => {
                let output = format!("{header}.gch");
                ["-MD", "-MF", LIST, "-x", "c++-header", "-o", &output, HEADER_SOURCE].map(str::to_owned).to_vec()
            }
            Self::Archive(name, _) => vec![format!("-J-XX:ArchiveClassesAtExit={ARCHIVE}"), name.to_owned()],
        };
        kept.extend(own);
        (has_source && (has_output || matches!(self, Self::Archive(..)))).then_some(kept)
    }

    /// The command of a program whose compiler is prepared in `dir`.
    fn used_by(self, words: &[String], dir: &Path) -> Vec<String> {
        let own = match self {
            Self::Header(_) => vec!["-I".to_owned(), dir.display().to_string()],
            Self::Archive(..) => vec![format!("-J-XX:SharedArchiveFile={}", dir.join(ARCHIVE).display())],
        };
        let mut words = words.to_vec();
        let at = words.len().min(1);
        words.splice(at..at, own);
        words
    }

    /// On how many programs it saves as much time as it takes, rounded up: 3.6 / 0.8 s for a header, 0.7 / 0.19 s for
    /// javac, 4.2 / 0.45 s for kotlinc.
    fn price(self) -> usize {
        match self {
            Self::Header(_) => 5,
            Self::Archive(..) => 10,
        }
    }

    /// The files from which it is made.
    fn sources(self) -> Vec<(PathBuf, String)> {
        match self {
            Self::Header(header) => vec![
                (PathBuf::from(HEADER_SOURCE), format!("#include <{header}>\n")),
                // A file makes the directory for the header.
                (Path::new(header).with_file_name("keep"), String::new()),
            ],
            Self::Archive(name, text) => vec![(PathBuf::from(name), text.to_owned())],
        }
    }

    /// The one file that is kept: programs must find nothing else.
    fn product(self) -> PathBuf {
        match self {
            Self::Header(header) => PathBuf::from(format!("{header}.gch")),
            Self::Archive(..) => PathBuf::from(ARCHIVE),
        }
    }

    /// The files of which it was made. None if they are unknown: then it could not be renewed.
    fn stamps(self, dir: &Path) -> Option<Stamps> {
        match self {
            Self::Header(_) => Stamps::of_list(&fs::read_to_string(dir.join(LIST)).ok()?),
            Self::Archive(..) => Some(Stamps(Vec::new())),
        }
    }
}

/// A prepared compiler.
pub(super) struct Ready<'a> {
    preparation: Preparation<'a>,
    /// The directory with what was prepared.
    pub(super) dir: PathBuf,
}

impl Ready<'_> {
    /// The command of a program, with what was prepared.
    pub(super) fn words(&self, words: &[String]) -> Vec<String> {
        self.preparation.used_by(words, &self.dir)
    }
}

impl<'a> Compiler<'a> {
    /// The preparation for the compiler of a program. None if the compiler cannot use any, or if preparing it now would
    /// cost more than it saves.
    pub(super) fn prepared(
        &self,
        recipe: &Recipe<'_>,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Option<Ready<'a>>, CompilerStop> {
        let Some(language) = self.languages.get(&recipe.language) else { return Ok(None) };
        let Some(preparation) = Preparation::of(language, &recipe.version, sources) else { return Ok(None) };
        if self.fresh {
            return Ok(None);
        }
        let commands = (recipe.commands)(Path::new("/"))?;
        let names = sources.names();
        let is_source = |word: &str| {
            let is = |name: &PathBuf| name == Path::new(word);
            names.iter().any(is) || commands.rename.iter().any(|(_, to)| is(to))
        };
        let words = commands.compile.first().and_then(|words| preparation.words(words, is_source));
        let Some(words) = words else { return Ok(None) };
        let key = Key::of("prepared v1")
            .field("language", &*recipe.language)
            .field("version", &*recipe.version)
            .field("isolation", sandbox.isolation().name())
            .list("word", words.iter().map(String::as_bytes))
            .finish();
        let ready = |made: &Artifact<Stamps>| Some(Ready { preparation, dir: made.dir.clone() });
        let mut known = self.prepared.lock();
        let wanted = match known.get(&key) {
            Some(PreparationState::Made(made)) => return Ok(ready(made)),
            Some(PreparationState::Unavailable) => return Ok(None),
            Some(PreparationState::Wanted(programs)) => programs + 1,
            None => {
                if let Some(made) = self.store.artifact::<Stamps>(&key).filter(|made| made.meta.is_current()) {
                    let ready = ready(&made);
                    known.insert(key, PreparationState::Made(made));
                    return Ok(ready);
                }
                1
            }
        };
        if !self.prepared.is_worth_it(wanted, preparation.price()) && !self.is_worth_it_ever(&key) {
            known.insert(key, PreparationState::Wanted(wanted));
            return Ok(None);
        }
        known.insert(key, PreparationState::Unavailable);
        drop(known);
        let Some(made) = self.prepare(key, preparation, &words, recipe, sandbox)? else { return Ok(None) };
        let ready = ready(&made);
        self.prepared.lock().insert(key, PreparationState::Made(made));
        Ok(ready)
    }

    /// Counts the programs that had to do without in all runs, and returns whether they were enough.
    fn is_worth_it_ever(&self, prepared: &Key) -> bool {
        let key = Key::of("programs without v1").field("prepared", prepared.as_bytes()).finish();
        let count = self.store.outcome::<u32>(&key).map_or(0, |kept| kept.value) + 1;
        self.store.put_outcome(key, &count, None);
        count > WORTH_EVER
    }

    /// Prepares a compiler. None: this machine cannot do it, so programs do without.
    fn prepare(
        &self,
        key: Key,
        preparation: Preparation<'_>,
        words: &[String],
        recipe: &Recipe<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Option<Artifact<Stamps>>, CompilerStop> {
        let sight = Sight { program: None, toolchains: recipe.tools.shown.clone(), ..Sight::default() };
        // If this failure lasts, the programs fail too, and then it is reported.
        let Ok(workdir) = sandbox.fresh_box(Side::Submission, &sight) else { return Ok(None) };
        let mut files = preparation.sources().into_iter();
        // If the sources do not fit, the product does not fit either.
        if files.any(|(name, text)| workdir.put_bytes(&name, text.as_bytes(), false).is_err()) {
            return Ok(None);
        }
        let path = self.path(recipe);
        let env = &recipe.tools.variables[..];
        let step = Step { words, env, path: &path, workdir: &workdir, sight: &sight, content: &[0] };
        // The header of GCC 12 has 120 MB, more than compilers of programs may write.
        let mut limits = Limits { output: MOST_MADE, ..self.limits };
        match self.step(&step, recipe, &mut limits, sandbox) {
            Ok(None) => {}
            Err(CompilerStop::Cancelled) => return Err(CompilerStop::Cancelled),
            Ok(Some(_)) | Err(_) => return Ok(None),
        }
        let Ok(builder) = self.collected(key, &workdir) else { return Ok(None) };
        let stamps = preparation.stamps(builder.dir());
        let is_clean = keep_only(builder.dir(), &preparation.product()).unwrap_or(false);
        Ok(stamps.filter(|_| is_clean).map(|stamps| builder.commit(stamps)))
    }
}

/// Removes all files below `dir` except one. Returns whether that one is there.
fn keep_only(dir: &Path, kept: &Path) -> std::io::Result<bool> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        match kept.strip_prefix(path.file_name().unwrap_or_default()) {
            Ok(rest) if rest.as_os_str().is_empty() => {}
            Ok(rest) => drop(keep_only(&path, rest)?),
            Err(_) if path.is_dir() => fs::remove_dir_all(&path)?,
            Err(_) => fs::remove_file(&path)?,
        }
    }
    Ok(dir.join(kept).is_file())
}

/// Whether the header is the first thing in every file that names it, and at least one does.
fn can_use(header: &str, sources: &Sources<'_>) -> bool {
    let mut uses = false;
    for name in sources.names() {
        // A file that is not text includes no header.
        let Some(text) = sources.text(&name) else { return false };
        if text.contains(header) {
            let is_header = name.extension().is_none_or(|ending| ending.to_string_lossy().starts_with('h'));
            if is_header || !begins_with(header, &text) {
                return false;
            }
            uses = true;
        }
    }
    uses
}

/// Whether a text begins with `#include <header>`, after white space and comments, and names the header once.
fn begins_with(header: &str, text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        if let Some(comment) = rest.strip_prefix("//") {
            let Some((line, after)) = comment.split_once('\n') else { return false };
            // Such a comment goes on.
            if line.trim_end().ends_with('\\') || line.contains("??/") {
                return false;
            }
            rest = after.trim_start();
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some((_, after)) = comment.split_once("*/") else { return false };
            rest = after.trim_start();
        } else {
            break;
        }
    }
    let blank = |c: char| c == ' ' || c == '\t';
    let include = rest.strip_prefix('#').and_then(|rest| rest.trim_start_matches(blank).strip_prefix("include"));
    let named = include.and_then(|rest| rest.trim_start_matches(blank).strip_prefix('<'));
    let after = named.and_then(|rest| rest.strip_prefix(header)?.strip_prefix('>'));
    let line = after.map(|rest| rest.split('\n').next().unwrap_or_default().trim());
    line.is_some_and(|line| line.is_empty() || line.starts_with("//") && !line.ends_with('\\'))
        && text.matches(header).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_thing_may_be_precompiled() {
        let begins = |text: &str| begins_with("bits/stdc++.h", text);
        for text in [
            "#include <bits/stdc++.h>\nint main() {}",
            "\u{feff}\r\n // by me\n/* two\nlines */ #  include\t<bits/stdc++.h> // all\r\nint main() {}",
            "#include<bits/stdc++.h>\r\n#pragma GCC optimize(\"O3\")\n",
            "#include <bits/stdc++.h>",
        ] {
            assert!(begins(text), "{text}");
        }
        for text in [
            "",
            "int x;\n#include <bits/stdc++.h>\n",
            "#pragma GCC optimize(\"Ofast\")\n#include <bits/stdc++.h>\n",
            "#define int long long\n#include <bits/stdc++.h>\n",
            "#include <cstdio>\n#include <bits/stdc++.h>\n",
            "#include \"bits/stdc++.h\"\n",
            "#include <bits/stdc++.h> \\\n\n",
            "// a comment \\\n#include <bits/stdc++.h>\n",
            "// a comment ??/\n#include <bits/stdc++.h>\n",
            "/* #include <bits/stdc++.h>",
            "/* #include <bits/stdc++.h> */ int x;",
            "#include <bits/stdc++.h> /* a\n */ int x;",
            "#if 1\n#include <bits/stdc++.h>\n#endif\n",
            "#include <bits/stdc++.h>\n#include <bits/stdc++.h>\n",
        ] {
            assert!(!begins(text), "{text}");
        }
    }

    #[test]
    fn a_compiler_is_prepared_when_it_pays() {
        let prepared = PreparedCompilers::default();
        prepared.expect(100, 2);
        (0..3).for_each(|_| prepared.begin());
        assert!(!prepared.is_worth_it(2, 5) && prepared.is_worth_it(3, 5));
        // Few programs are left, or few of them could use it.
        prepared.expect(7, 2);
        assert!(!prepared.is_worth_it(3, 5));
        prepared.expect(100, 2);
        (0..60).for_each(|_| prepared.begin());
        assert!(!prepared.is_worth_it(3, 5));
    }

    #[test]
    fn lists_of_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.h");
        fs::write(&file, "1").unwrap();
        let list = format!("bits/stdc++.h.gch: header.h \\\n {0} \\\n  {0}\n", file.display());
        let stamps = Stamps::of_list(&list).unwrap();
        assert!(stamps.0.len() == 2 && stamps.is_current());
        fs::write(&file, "22").unwrap();
        assert!(!stamps.is_current());
        fs::remove_file(&file).unwrap();
        assert!(!stamps.is_current() && Stamps::of_list(&list).is_none() && Stamps::of_list("x: y").is_none());
    }

    #[test]
    fn commands_keep_the_options_of_programs() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let is_source = |word: &str| word == "a.cc" || word == "A.java";
        let header = Preparation::Header("bits/all.h");
        let command = words("g++ -O2 -o program a.cc -lm");
        let expected = words("g++ -O2 -lm -MD -MF header.d -x c++-header -o bits/all.h.gch header.h");
        assert_eq!(header.words(&command, is_source), Some(expected));
        assert_eq!(header.used_by(&command, Path::new("/d")), words("g++ -I /d -O2 -o program a.cc -lm"));
        assert_eq!(header.words(&words("g++ a.cc"), is_source), None);
        let archive = Preparation::Archive("Main.java", "class Main {}");
        let command = words("javac -J-Xmx1g -d . A.java");
        let expected = words("javac -J-Xmx1g -d . -J-XX:ArchiveClassesAtExit=compiler.jsa Main.java");
        assert_eq!(archive.words(&command, is_source), Some(expected));
        assert_eq!(archive.words(&words("make"), is_source), None);
        let expected = words("javac -J-XX:SharedArchiveFile=/d/compiler.jsa -J-Xmx1g -d . A.java");
        assert_eq!(archive.used_by(&command, Path::new("/d")), expected);
    }

    #[test]
    fn nothing_but_the_product_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        for file in ["bits/all.h.gch", "bits/keep", "header.h", "other/a"] {
            fs::create_dir_all(dir.path().join(file).parent().unwrap()).unwrap();
            fs::write(dir.path().join(file), "").unwrap();
        }
        assert!(keep_only(dir.path(), Path::new("bits/all.h.gch")).unwrap());
        let left =
            walkdir::WalkDir::new(dir.path()).into_iter().filter(|entry| entry.as_ref().unwrap().path().is_file());
        assert_eq!(left.count(), 1);
        assert!(!keep_only(dir.path(), Path::new("none")).unwrap());
    }
}
