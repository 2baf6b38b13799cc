//! Packages of every generation, judged as their labels say: each directory below `tests/packages` is one, made for this
//! test. What is expected of a submission stands in the package; and that a wrong label would be noticed is tried too.
//!
//! Every package has submissions in C++, in Python, and in Java or Rust, but for those of `submit-answer`. What they are for,
//! and which tests of `tests/cli` are about the same:
//!
//! | feature | packages | tests |
//! |---|---|---|
//! | legacy, `legacy-icpc` | `legacy*`, `annotated`; `icpcfirst`, `legacyfloat` | `packages`, `legacy` |
//! | 2023-07, `2023-07-draft` | `draftguess`, `draftpoints` | `packages` |
//! | 2025-09, `2025-09-draft` | `new*`, `expectations`; `newfloat` | `packages` |
//! | pass-fail | `legacysum`, `newsum` | `packages` |
//! | scoring, default graders and `testdata.yaml` | `legacypoints`, `draftpoints` | `legacy` |
//! | scoring, own graders and `custom score` | `legacygrader` | `legacy` |
//! | scoring, `test_group.yaml`, `require_pass` | `newpoints`, `newscore` | `points` |
//! | interactive | `legacyguess`, `draftguess`, `newguess` | `interactive` |
//! | multi-pass | `newpasses`, `newpassesthree` | `passes` |
//! | interactive multi-pass | `newtalks`, `newtalksthree` | `passes` |
//! | submit-answer, also in archives and with points | `newanswers`, `newanswersvalidated`; `newanswerspacked` | `answers`, `answers_class` |
//! | time limit in `.timelimit`, `domjudge-problem.ini`, derived | `legacysum`; `annotated`, `legacycase` | `packages`, `judges` |
//! | flags and tolerances of the default output validator | `legacyfloat`, `legacycase`, `newfloat` | `packages`, `expected` |
//! | output validators: one, several, with arguments | `legacypair`, `newpair`; `legacyvalidators`, `legacyvalidatorscpp`; `newguess` | `legacy`, `packages` |
//! | validators in C | `icpcfirst`, `draftpoints`, `newsides` | |
//! | validators in C++ | `legacypair`, `expectations`, `newpassesthree` | |
//! | validators in Python, a file or a directory | `legacysum`, `newscore`; `newpair` | `verdicts` |
//! | validators in Rust | `legacyrust`, `draftguess` | |
//! | validators in Java | `legacyjava`, `icpcfirst` | |
//! | validators of `build` and `run` | `legacybuild`, `newbuild` | `packages_programs` |
//! | input validators in checktestdata's language, not checked where it is not installed | `legacypair`, `newsum` | `grammars` |
//! | `include/` | `legacyinclude`, `newinclude` | `packages_programs` |
//! | `constants` | `newconstants`, `newconstantsgroup` | `packages_programs` |
//! | `.files/` | `newfiles`, `newfilesdeep` | `packages_programs` |
//! | YAML of single cases | `newpair`, `newsum`, `newsides` | `expected`, `packages` |
//! | cases that are links | `legacycase`, `icpcfirst`, `newsides` | |
//! | samples with `.in.statement` and `.out` | `newsum`, `newsides` | |
//! | `submissions.yaml` | `expectations`, `newpair`, `newpoints`, `newscore` | `expected`, `points` |
//! | `@EXPECTED_RESULTS@` | `annotated`, `legacycase` | `packages`, `legacy` |
//! | `@EXPECTED_SCORE@` | `legacypoints`, `legacygrader` | `legacy`, `points` |
//! | misspelt directories, `.disabled`, class names | `legacysum` | `packages`, `packages_programs` |
//! | archives; order and letters | | `packages` |
//! | `invalid_input/`, `invalid_output/`, `valid_output/` | `newsum` | `verify` |
//! | `generators.yaml` where the data is not there | | `generate` |
//! | `static_validator/` | `newstatic`, `newstaticpoints` | `static_validation` |
//! | Polygon: with all files, without most, points of groups, files by name | `polygonfull`, `polygonstandard`, `polygongroups`, `polygonfiles` | `polygon` |
//! | Polygon: an interactor whose answers are made; graders | `polygoninteractive`; `polygongraders` | `polygon` |
//! | Polygon: two runs, with a checker between them, with an interactor in both | `polygontwice`, `polygontwicetalks` | `polygon` |
//! | Polygon: tests of the checker and of validators | `polygonfull` | `polygon` |
//! | Library Checker: generators, parameters, headers, a function, checksums | `librarychecker` | `library_checker` |
//! | `input_visualizer/`, `output_visualizer/`: in Python, in C++, failing | `newpictures`, `newpicturestalk`, `newpicturesfail` | `visualize` |

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::Output;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use tempfile::TempDir;
use walkdir::WalkDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The description of a package of Polygon.
const POLYGON: &str = "problem.xml";
/// The description of a problem of Library Checker.
const LIBRARY_CHECKER: &str = "info.toml";

/// What every package's submissions are written in: one of each.
const REQUIRED: [&[&str]; 3] = [&["cpp"], &["python3", "pypy3"], &["java", "rust"]];

/// A test of the package of this name, with this store.
type Test = fn(&str, &Path) -> Result<(), Failed>;

/// Two tests of every package, and the directory of their stores, which they need.
pub(crate) fn trials() -> (Vec<Trial>, TempDir) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    let mut names: Vec<String> = fs::read_dir(root)
        .expect("the packages are there")
        .map(|entry| entry.expect("a readable directory").file_name().into_string().expect("names are UTF-8"))
        .collect();
    names.sort();
    // Each package has one store: its second test finds the programs that its first has compiled.
    let stores = tempfile::tempdir().expect("a temporary directory");
    let tests: [(&str, Test); 2] =
        [("is_judged_as_labelled", is_judged_as_labelled), ("a_wrong_label_is_noticed", wrong_label)];
    let mut trials = Vec::new();
    for (title, test) in tests {
        for name in &names {
            let package = name.clone();
            let store = stores.path().join(name);
            trials.push(Trial::test(format!("packages::{name}::{title}"), move || test(&package, &store)));
        }
    }
    trials.extend(crate::exports::trials(&names, stores.path()));
    (trials, stores)
}

fn is_judged_as_labelled(name: &str, store: &Path) -> Result<(), Failed> {
    let place = PackageCopy::new(name, store)?;
    let output = place.run(&[])?;
    let events = place.events()?;
    let ends: Vec<&Value> = events.iter().filter(|event| event["event"] == "submission_finished").collect();
    check(ends.len() >= 4, &format!("only {} submissions were judged", ends.len()), &output)?;
    for end in &ends {
        let what = format!("{} is {}: {}", end["submission"], end["verdict"], end["standing"]);
        check(end["standing"]["standing"] == "met", &what, &output)?;
    }
    let languages =
        |id: &str| events.iter().any(|event| event["event"] == "built" && event["result"]["language"] == id);
    let handed_in = events.iter().any(|event| event["event"] == "built" && event["result"]["language"] == "outputs");
    // The solutions of Library Checker are in C++ and Python.
    let required = if place.package.join(LIBRARY_CHECKER).is_file() { &REQUIRED[..2] } else { &REQUIRED[..] };
    for any in required {
        let is_there = any.iter().any(|language| languages(language));
        check(handed_in || is_there, &format!("nothing was written in {}", any.join(" or ")), &output)?;
    }
    check(output.status.success(), "not as labelled", &output)
}

/// A submission that is wrong is put among the accepted.
fn wrong_label(name: &str, store: &Path) -> Result<(), Failed> {
    let place = PackageCopy::new(name, store)?;
    let has = |description: &str| place.package.join(description).is_file();
    let moved = match (has(POLYGON), has(LIBRARY_CHECKER)) {
        (true, _) => tag_as_accepted(&place)?,
        (_, true) => expect_accepted(&place)?,
        _ => move_to_accepted(&place)?,
    };
    let output = place.run(&["-s", &moved])?;
    let missed = place.events()?.iter().any(|event| event["standing"]["standing"] == "missed");
    check(missed && output.status.code() == Some(1), &format!("{moved} was not noticed"), &output)
}

/// Changes the tag of the first wrong solution of a package of Polygon. Returns its name.
fn tag_as_accepted(place: &PackageCopy) -> Result<String, Failed> {
    let file = place.package.join(POLYGON);
    let xml = fs::read_to_string(&file)?;
    let (before, after) = xml.split_once("tag=\"wrong-answer\"").ok_or("no solution is wrong")?;
    fs::write(&file, format!("{before}tag=\"accepted\"{after}"))?;
    let path = after.split_once("path=\"solutions/").and_then(|(_, path)| path.split_once('"'));
    Ok(path.ok_or("a solution without a path")?.0.to_owned())
}

/// Removes what is expected of the first wrong solution of a problem of Library Checker. Returns its name.
fn expect_accepted(place: &PackageCopy) -> Result<String, Failed> {
    let file = place.package.join(LIBRARY_CHECKER);
    let toml = fs::read_to_string(&file)?;
    let (before, after) = toml.split_once("    expect = \"WA\"\n").ok_or("no solution is wrong")?;
    fs::write(&file, format!("{before}{after}"))?;
    let name = before.rsplit_once("name = \"").and_then(|(_, name)| name.split_once('"'));
    Ok(name.ok_or("a solution without a name")?.0.to_owned())
}

/// Moves the first wrong submission of a package of the ICPC. Returns its new name.
fn move_to_accepted(place: &PackageCopy) -> Result<String, Failed> {
    let submissions = place.package.join("submissions");
    let of = |dir: &str| fs::read_dir(submissions.join(dir)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut wrong: Vec<PathBuf> = of("wrong_answer").chain(of("run_time_error")).collect();
    wrong.sort();
    let wrong = wrong.first().ok_or("no submission is wrong")?;
    let file = wrong.file_name().ok_or("no name")?.to_string_lossy().into_owned();
    let (stem, extension) = file.split_once('.').map_or((file.as_str(), String::new()), |(a, b)| (a, format!(".{b}")));
    let moved = format!("accepted/{stem}_moved{extension}");
    fs::rename(wrong, submissions.join(&moved))?;
    Ok(moved)
}

/// A copy of a package, and a directory to work in.
pub(crate) struct PackageCopy {
    pub(crate) dir: TempDir,
    package: PathBuf,
    store: PathBuf,
}

impl PackageCopy {
    pub(crate) fn new(name: &str, store: &Path) -> Result<Self, Failed> {
        let dir = tempfile::tempdir()?;
        let package = dir.path().join("archive").join(name);
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages").join(name), &package)?;
        pack(&package.join("submissions"))?;
        // What packages get by themselves, PyPy, starts three times as slowly; `cli::interpreters` and `languages` try it.
        fs::write(dir.path().join("grader.toml"), "[language]\npython = \"python3\"\n")?;
        Ok(Self { dir, package, store: store.to_owned() })
    }

    /// A copy of a problem of this repository.
    pub(crate) fn native(name: &str, store: &Path) -> Result<Self, Failed> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let dir = tempfile::tempdir()?;
        let package = dir.path().join("problems").join(name);
        copy(&root.join("problems").join(name), &package)?;
        copy(&root.join("testcases").join(name), &dir.path().join("testcases").join(name))?;
        fs::write(dir.path().join("grader.toml"), "")?;
        Ok(Self { dir, package, store: store.to_owned() })
    }

    /// The path of the package, as an argument.
    pub(crate) fn word(&self) -> &str {
        self.package.to_str().unwrap_or_default()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Result<Output, Failed> {
        self.grader(&[&["run", "--report", "jsonl=events.jsonl", self.word()], arguments].concat())
    }

    /// Runs another package by the rules of the ICPC.
    /// Runs a problem in a workspace of its own. Earlier events are gone, even if nothing runs.
    pub(crate) fn run_in(&self, workspace: &Path, word: &str) -> Result<Output, Failed> {
        let events = self.dir.path().join("events.jsonl");
        if events.exists() {
            fs::remove_file(&events)?;
        }
        let report = format!("jsonl={}", events.display());
        self.grader_in(workspace, &["run", "--report", &report, "--as", "icpc", word])
    }

    /// Any call in the directory.
    pub(crate) fn grader(&self, arguments: &[&str]) -> Result<Output, Failed> {
        self.grader_in(self.dir.path(), arguments)
    }

    /// Any call in a directory.
    pub(crate) fn grader_in(&self, dir: &Path, arguments: &[&str]) -> Result<Output, Failed> {
        #[expect(clippy::disallowed_methods, reason = "the test starts the grader itself")]
        let mut grader = std::process::Command::new(crate::under_test::grader());
        grader.current_dir(dir).args(arguments);
        grader.env("PATH", crate::under_test::path()).env("GRADER_STORE", &self.store);
        Ok(grader.output()?)
    }

    pub(crate) fn events(&self) -> Result<Vec<Value>, Failed> {
        let text = fs::read_to_string(self.dir.path().join("events.jsonl"))?;
        Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    }
}

/// Links stay links: packages have some.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failed> {
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else if entry.file_type().is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Directories called like archives become archives: they are kept as the files in them.
fn pack(submissions: &Path) -> Result<(), Failed> {
    let dirs: Vec<PathBuf> =
        WalkDir::new(submissions).into_iter().flatten().map(walkdir::DirEntry::into_path).collect();
    for dir in dirs.iter().filter(|path| path.is_dir() && path.extension().is_some_and(|ending| ending == "zip")) {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for file in dirs.iter().filter(|path| path.is_file() && path.starts_with(dir)) {
            let name = file.strip_prefix(dir)?.to_str().ok_or("no name")?;
            zip.start_file(name, SimpleFileOptions::default())?;
            zip.write_all(&fs::read(file)?)?;
        }
        fs::remove_dir_all(dir)?;
        fs::write(dir, zip.finish()?.into_inner())?;
    }
    Ok(())
}

pub(crate) fn check(holds: bool, what: &str, output: &Output) -> Result<(), Failed> {
    if holds {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{what}\n{}{}", text(&output.stdout), text(&output.stderr)).into())
}
