//! The bodies of the fuzz targets in `fuzz/`. Each takes any bytes and panics if a module breaks its promises. The
//! tests replay them over the corpus.

use std::fs;
use std::path::Path;

use crate::discover::{Search, discover_in};
use crate::limits::Bytes;
use crate::package::archive::{Archive, Bounds};
use crate::package::contest::Contest;
use crate::package::generators::{Generators, Shape};
use crate::package::reader::derive_nothing;

#[cfg(fuzzing)]
pub use grader_compare::fuzz::compare;

/// Reads any bytes as `grader.toml`.
pub fn config(data: &[u8]) {
    crate::config::read_any(data);
}

/// Reads any bytes as `submissions.yaml`.
pub fn submissions_yaml(data: &[u8]) {
    crate::package::submissions_yaml::read_any(data);
}

/// Reads a problem in which one file has any bytes. The first line names the file, and the rest is its content. The
/// layout is the one that has such a file. The other files of a small package exist already.
///
/// # Panics
/// If a problem is rejected without an error, or if the scratch directory cannot be made.
pub fn package(data: &[u8]) {
    let Some(end) = data.iter().position(|byte| *byte == b'\n') else { return };
    let Some(name) = FILES.iter().find(|name| name.as_bytes() == &data[..end]) else { return };
    let dir = tempfile::tempdir().expect("a scratch directory");
    let package = dir.path().join("package");
    let put = |name: &str, bytes: &[u8]| {
        let path = package.join(name);
        fs::create_dir_all(path.parent().expect("below the package")).expect("a new directory");
        fs::write(path, bytes).expect("a new file");
    };
    for (name, text) in SKELETON {
        put(name, text.as_bytes());
    }
    put(name, &data[end + 1..]);
    let is_source = |name: &Path| name.extension().is_some_and(|extension| extension == "py");
    let testcases = dir.path().join("testcases");
    let search = Search {
        roots: &[],
        testcases: &testcases,
        is_source: &is_source,
        derive: &derive_nothing,
        top: None,
        testset: None,
    };
    let found = discover_in(&search, &package);
    assert!(
        !found.problems.is_empty() || found.diagnostics.iter().any(crate::discover::Diagnostic::is_error),
        "a refused problem has a finding: {:?}",
        String::from_utf8_lossy(data)
    );
    let _ = found.diagnostics.iter().map(ToString::to_string).collect::<String>();
    for shape in [Shape::Groups, Shape::Flat] {
        let _ = Generators::read(&package, shape);
    }
    let _ = Contest::read(dir.path());
}

/// The files that the package readers read as text.
const FILES: [&str; 15] = [
    "problem.yaml",
    "problem.toml",
    "domjudge-problem.ini",
    ".timelimit",
    "data/testdata.yaml",
    "data/secret/testdata.yaml",
    "data/secret/test_group.yaml",
    "data/secret/group/test_group.yaml",
    "data/secret/group/1.yaml",
    "submissions/submissions.yaml",
    "submissions/other/a.py",
    "generators/generators.yaml",
    "../problems.yaml",
    "../problemset.yaml",
    "../contest.yaml",
];

const SKELETON: [(&str, &str); 5] = [
    ("problem.yaml", "problem_format_version: 2025-09\nname: A\nuuid: a\ntype: scoring\nlimits: {time_limit: 1}\n"),
    ("data/sample/1.in", "1\n"),
    ("data/sample/1.ans", "1\n"),
    ("data/secret/group/1.in", "2\n"),
    ("data/secret/group/1.ans", "2\n"),
];

/// Unpacks any bytes as an archive. Checks that the output is within the bounds and that nothing is written beside its
/// directory.
///
/// # Panics
/// If a check fails, or if the scratch directory cannot be made.
pub fn archive(data: &[u8]) {
    let bounds = Bounds { entries: 20, file: Bytes(1 << 16), total: Bytes(1 << 18) };
    let dir = tempfile::tempdir().expect("a scratch directory");
    let file = dir.path().join("a.zip");
    let into = dir.path().join("into");
    fs::write(&file, data).expect("a new file");
    fs::create_dir(&into).expect("a new directory");
    let taken = Archive::open(&file, bounds).and_then(|mut archive| archive.extract(&into));
    let total: u64 = walkdir::WalkDir::new(&into)
        .into_iter()
        .map(|entry| entry.expect("what was taken out can be listed"))
        .inspect(|entry| assert!(!entry.path_is_symlink(), "a link: {}", entry.path().display()))
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.metadata().expect("a file").len())
        .sum();
    // A file that is too large is detected by its first byte beyond the limit.
    assert!(total <= (1 << 18) + 1, "{total} bytes: {taken:?}");
    assert_eq!(fs::read_dir(dir.path()).expect("the directory").count(), 2, "something lies beside");
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// Replays every file of the corpus, with small changes that are the same each time.
    fn replay_changed(target: &str, body: fn(&[u8]), rounds: usize) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
        let mut files: Vec<_> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let texts: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
        let mut state = 1_u64;
        let mut random = move |below: usize| {
            // Knuth's MMIX generator.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below.max(1)
        };
        for round in 0..rounds {
            let mut text = texts[round % texts.len()].clone();
            // The first line names the file.
            let kept = text.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            for _ in 0..=random(3) {
                let at = kept + random(text.len() - kept);
                let other = random(texts.len());
                match random(4) {
                    0 => text.truncate(at),
                    1 => text.insert(at, b"{}[]:-&*!|>'\"%@`\0\xff\n 9e"[random(22)]),
                    2 if at < text.len() => drop(text.remove(at)),
                    _ => {
                        let from = random(texts[other].len());
                        text.splice(at..at, texts[other][from..].iter().copied().take(20));
                    }
                }
            }
            body(&text);
        }
    }

    fn replay(target: &str, body: fn(&[u8]), at_least: usize) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
        let files: Vec<_> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= at_least, "the corpus of {target} is gone");
        for file in files {
            body(&fs::read(file).unwrap());
        }
    }

    #[test]
    fn the_corpora_hold() {
        replay("config", super::config, 5);
        replay("submissions_yaml", super::submissions_yaml, 5);
        replay("package", super::package, 12);
        replay("archive", super::archive, 4);
    }

    #[test]
    fn what_is_like_the_corpora_is_survived() {
        replay_changed("package", super::package, 400);
        replay_changed("archive", super::archive, 200);
        replay_changed("submissions_yaml", super::submissions_yaml, 1000);
    }
}
