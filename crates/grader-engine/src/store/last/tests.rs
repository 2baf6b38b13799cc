//! Tests of the last run's failures, mostly of names and links that lead outside the directory.

use std::collections::HashSet;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use super::*;

struct Fixture {
    temp: TempDir,
    last: LastRun,
}

impl Fixture {
    fn new() -> Self {
        let temp = TempDir::new().unwrap();
        let layout = StorePaths::create(&temp.path().join(".grader")).unwrap();
        fs::create_dir(temp.path().join("outside")).unwrap();
        fs::write(temp.path().join("outside/precious.out"), "precious").unwrap();
        Self { temp, last: LastRun::open(&layout).unwrap() }
    }

    fn outside(&self) -> PathBuf {
        self.temp.path().join("outside")
    }

    fn inside(&self, path: &str) -> PathBuf {
        self.temp.path().join(".grader/last").join(path)
    }

    /// Writes a file as the grader would. Returns its path below `last/`.
    fn write(&self, problem: &str, submission: &str, test: &str) -> PathBuf {
        let (mut file, path) = self.last.create(&problem.into(), &submission.into(), &test.into(), "out").unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        path.strip_prefix(fs::canonicalize(self.inside("")).unwrap()).unwrap().to_owned()
    }

    fn assert_outside_is_untouched(&self) {
        assert_eq!(fs::read(self.outside().join("precious.out")).unwrap(), b"precious");
        assert_eq!(fs::read_dir(self.outside()).unwrap().count(), 1);
    }
}

#[test]
fn files_are_where_people_look_for_them() {
    let fixture = Fixture::new();
    let path = fixture.write("nine", "wrong_answer/loser_first.py", "secret/03-edge");
    assert_eq!(path, Path::new("nine/wrong_answer/loser_first.py/secret/03-edge.out"));
    assert_eq!(fixture.write("nine", "wrong_answer/loser_first.py", "secret/03-edge"), path, "written again");
    assert_eq!(fixture.write("p", "größe.py", "1"), Path::new("p/größe.py/1.out"));
}

#[test]
fn no_name_leads_outside_and_no_two_names_meet() {
    let fixture = Fixture::new();
    let long = "x".repeat(5000);
    let longer = "x".repeat(5001);
    let names = [
        "..",
        ".",
        "",
        "/",
        "//",
        "../..",
        "/etc/passwd",
        "a/../../../b",
        ".hidden",
        "-rf",
        "a\0b",
        "a\nb",
        "a b",
        "a_b",
        "\u{1b}[2J",
        "\u{202e}x",
        "~",
        "a~b",
        "C:\\x",
        &long,
        &longer,
    ];
    let mut seen = HashSet::new();
    for name in names {
        for path in [fixture.write(name, "s", "1"), fixture.write("p", name, "1"), fixture.write("p", "s", name)] {
            let text = path.to_str().unwrap();
            assert!(path.components().all(|part| matches!(part, std::path::Component::Normal(_))), "{path:?}");
            assert!(!text.chars().any(char::is_control) && !text.contains(['\u{202e}', ' ', '\\']), "{path:?}");
            assert!(seen.insert(path.clone()), "{name:?} gives {path:?} a second time");
        }
    }
    fixture.assert_outside_is_untouched();
    let deep = "a/".repeat(1000);
    assert!(fixture.last.create(&"p".into(), &deep.as_str().into(), &"1".into(), "out").is_err());
}

#[test]
fn links_are_replaced_and_never_followed() {
    for link in ["p", "p/s", "p/s/group", "p/s/group/precious.out"] {
        for to in ["outside", "outside/precious.out", "nowhere"] {
            let fixture = Fixture::new();
            let path = fixture.inside(link);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(fixture.temp.path().join(to), &path).unwrap();
            fixture.write("p", "s", "group/precious");
            assert!(!fs::symlink_metadata(&path).unwrap().is_symlink(), "{link} to {to}");
            fixture.assert_outside_is_untouched();
        }
    }
}

#[test]
fn clearing_follows_no_link() {
    for link in ["p", "p/s", "p/s/group"] {
        let fixture = Fixture::new();
        // The target that the path would have if the link were followed.
        fs::create_dir_all(fixture.temp.path().join("trap/s/group")).unwrap();
        fs::write(fixture.temp.path().join("trap/s/group/kept"), "").unwrap();
        fs::write(fixture.temp.path().join("trap/kept"), "").unwrap();
        let path = fixture.inside(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(fixture.temp.path().join("trap"), &path).unwrap();
        fixture.last.clear(&"p".into(), &"s".into()).unwrap();
        fixture.last.clear_problem(&"p".into()).unwrap();
        assert!(!fixture.inside("p").exists());
        assert!(fixture.temp.path().join("trap/s/group/kept").exists(), "{link}");
        assert!(fixture.temp.path().join("trap/kept").exists(), "{link}");
    }
}

#[test]
fn whatever_is_in_the_way_is_moved_out_of_it() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.inside("p/s/1.out/deep/er")).unwrap();
    fixture.write("p", "s", "1");
    fs::write(fixture.inside("q"), "a file").unwrap();
    fixture.write("q", "s", "1");
    fs::create_dir_all(fixture.inside("r/s")).unwrap();
    fs::hard_link(fixture.outside().join("precious.out"), fixture.inside("r/s/1.out")).unwrap();
    fixture.write("r", "s", "1");
    let pipe = fixture.inside("r/s/2.out");
    rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    fixture.write("r", "s", "2");
    fixture.assert_outside_is_untouched();
    let left: Vec<_> = fs::read_dir(fixture.inside("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn only_what_is_named_is_cleared() {
    let fixture = Fixture::new();
    let kept = [fixture.write("p", "accepted/b.py", "1"), fixture.write("q", "accepted/a.py", "1")];
    let gone = fixture.write("p", "accepted/a.py", "sample/1");
    fixture.last.clear(&"p".into(), &"accepted/a.py".into()).unwrap();
    fixture.last.clear(&"p".into(), &"accepted/a.py".into()).unwrap();
    fixture.last.clear(&"never".into(), &"seen/at/all".into()).unwrap();
    assert!(!fixture.inside(gone.to_str().unwrap()).exists());
    assert!(kept.iter().all(|path| fixture.inside(path.to_str().unwrap()).exists()));
    fixture.last.clear_problem(&"p".into()).unwrap();
    assert!(!fixture.inside("p").exists() && fixture.inside("q").exists());
}
