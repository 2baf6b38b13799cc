//! Problems with one mistake each, and a right one.

use std::path::Path;

use super::*;
use crate::reader::Reader;
use grader_model::problem::{AnswerRecipe, InputRecipe, Program, Recipe, Reference, TestId};
use grader_model::verdict::{Verdict, VerdictSet};

const INFO: &str = "title = 'Sum'\ntimelimit = 2.0\nforum = 'x'\n[[tests]]\n  name = 'example.in'\n  number = 2\n\
    [[tests]]\n  name = 'random.cpp'\n  number = 11\n[[solutions]]\n  name = 'wa.cpp'\n  expect = 'WA'\n[[solutions]]\n  \
    name = 'slow.cpp'\n  allow_tle = true\n[params]\n  MAX = 1_000\n  RATE = 0.5\n  WORD = 'ab'\n";
const SUM: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A repository with one problem at `sample/sum`.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new(info: &str) -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        for name in ["gen/example_00.in", "gen/example_01.in", "checker.cpp", "verifier.cpp"] {
            repository.file(name, "");
        }
        for name in ["gen/random.cpp", "sol/correct.cpp", "sol/wa.cpp", "sol/slow.cpp"] {
            repository.file(name, "#include \"../params.h\"\n");
        }
        repository.file("hash.json", &hashes(2, 11)).file("info.toml", info).file("../../common/random.h", "");
        repository
    }

    fn file(&self, name: &str, text: &str) -> &Self {
        let path = self.dir().join(name);
        // A path with `..` needs the folder that it leaves.
        std::fs::create_dir_all(self.dir()).unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn dir(&self) -> PathBuf {
        self.0.path().join("sample/sum")
    }

    /// The problem, and its findings.
    fn read(&self) -> (Problem, Vec<String>) {
        let (problem, found) = self.try_read();
        (problem.expect("a readable description"), found)
    }

    /// The problem, if there is one, and its findings without the directory in them.
    fn try_read(&self) -> (Option<Problem>, Vec<String>) {
        let is_source = |path: &Path| path.extension().is_some_and(|ending| ending == "cpp");
        let derived = tempfile::tempdir().unwrap();
        let derive = |files: &[(String, Vec<u8>)]| {
            files.iter().try_for_each(|(name, bytes)| std::fs::write(derived.path().join(name), bytes))?;
            Ok(derived.path().to_owned())
        };
        let mut reader = Reader::new("sum".into(), &self.dir(), &self.dir(), &is_source);
        reader.derive = &derive;
        let problem = read(&reader);
        let dir = format!("{}/", self.dir().display());
        let found = reader.take_found().iter().map(|found| found.to_string().replace(&dir, "")).collect();
        (problem, found)
    }

    fn says(&self, expect: &[&str]) {
        let (_, found) = self.try_read();
        let told = found.join("\n");
        for expect in expect {
            assert!(told.contains(expect), "{expect}\n{told}");
        }
        assert_eq!(found.len(), expect.len(), "{told}");
    }
}

fn hashes(examples: u32, random: u32) -> String {
    let of = |stem: &str, number| (0..number).map(|at| format!("{stem}_{at:02}")).collect::<Vec<_>>();
    let cases = [of("example", examples), of("random", random)].concat();
    let files = cases.iter().flat_map(|case| ["in", "out"].map(|ending| format!("\"{case}.{ending}\": \"{SUM}\"")));
    format!("{{{}}}", files.collect::<Vec<_>>().join(", "))
}

#[test]
fn a_problem_has_the_tests_of_its_description() {
    let (problem, found) = Repository::new(INFO).read();
    assert_eq!(found, Vec::<String>::new());
    assert_eq!((problem.title.as_str(), problem.limits.time), ("Sum", Some(std::time::Duration::from_secs(2))));
    assert_eq!(problem.limits.memory, Some(Bytes::mib(1024)));
    let ids: Vec<String> = problem.cases().map(|(group, case)| group.id_of(case).to_string()).collect();
    assert_eq!(
        (ids.len(), &*ids[0], &*ids[2], &*ids[12]),
        (13, "sample/example_00", "random/random_00", "random/random_10")
    );
    let recipe = |id: &str| -> &Recipe { &problem.recipes.cases[&TestId::from(id)] };
    assert_eq!(recipe("sample/example_01").input, InputRecipe::File);
    let Recipe { input: InputRecipe::Command(command), answer, line, checksums } = recipe("random/random_10") else {
        panic!("a generator")
    };
    assert_eq!((&*command.program, &command.arguments[..], *line), ("random", &["10".to_owned()][..], 8));
    assert_eq!((*answer, checksums.input.unwrap().to_string().as_str()), (AnswerRecipe::Reference, SUM));
    assert_eq!(problem.output_validators[0].protocol.get(), Protocol::TESTLIB);
    assert_eq!(problem.input_validators[0].protocol.get(), Protocol::TESTLIB);
}

#[test]
fn solutions_are_expected_to_show_what_the_description_says() {
    let (problem, _) = Repository::new(INFO).read();
    assert_eq!(problem.reference, Some(Reference::Chosen(0)));
    let rules: Vec<_> =
        problem.submissions.iter().map(|own| (own.id.as_str(), own.expectation.rules[0].clone())).collect();
    let set = |verdicts: &[Verdict]| VerdictSet::of(verdicts);
    let shown: Vec<_> = rules.iter().map(|(name, rule)| (*name, rule.permitted, rule.required)).collect();
    let ac = Verdict::Accepted;
    let wa = Verdict::WrongAnswer;
    let tle = Verdict::TimeLimit;
    let expect = [
        ("correct.cpp", set(&[ac]), set(&[])),
        ("wa.cpp", set(&[ac, wa]), set(&[wa])),
        ("slow.cpp", set(&[ac, tle]), set(&[])),
    ];
    assert_eq!(shown, expect);
    let older = Repository::new(&INFO.replace("expect = 'WA'", "wrong = true")).read().0;
    assert_eq!(older.submissions[1].expectation, problem.submissions[1].expectation);
}

#[test]
fn programs_have_their_headers_and_parameters() {
    let info = INFO.replace("allow_tle", "function = true\n  allow_tle");
    let repository = Repository::new(&info);
    repository.file("gen/random.cpp", "#include \"base.hpp\"\n#include \"random.h\"\n#include \"../../other/x.h\"\n");
    repository.file("gen/base.hpp", "#include \"../lib/a.hpp\"\n").file("lib/a.hpp", "#include \"a.hpp\"\n");
    repository.file("../other/x.h", "").file("grader/grader.cpp", "").file("grader/solve.hpp", "");
    let (problem, found) = repository.read();
    assert_eq!(found, Vec::<String>::new());
    let files = |program: &Program| -> Vec<String> {
        program.parts().unwrap().1.iter().map(|file| file.display().to_string()).collect()
    };
    assert_eq!(files(&problem.recipes.generators["random"]), ["gen/base.hpp", "gen/random.cpp", "lib/a.hpp"]);
    assert_eq!(problem.output_validators[0].program, Program::File(repository.dir().join("checker.cpp")));
    let slow = problem.submissions.iter().find(|own| own.id.as_str() == "slow.cpp").unwrap();
    assert_eq!(files(&slow.program), ["grader/grader.cpp", "sol/slow.cpp"]);
    assert_eq!(slow.source(), Some(repository.dir().join("sol/slow.cpp")));
    let headers: Vec<_> = problem.additions.headers.iter().map(|shared| shared.dir.clone()).collect();
    assert_eq!(headers, [repository.0.path().join("common"), repository.dir().join("grader")]);
}

#[test]
fn parameters_become_macros() {
    let repository = Repository::new(INFO);
    let is_source = |_: &Path| true;
    let kept = std::cell::RefCell::new(String::new());
    let derive = |files: &[(String, Vec<u8>)]| {
        *kept.borrow_mut() = String::from_utf8(files[0].1.clone()).unwrap();
        Ok(PathBuf::from("/kept"))
    };
    let mut reader = Reader::new("sum".into(), &repository.dir(), &repository.dir(), &is_source);
    reader.derive = &derive;
    let header = read(&reader).unwrap().additions.judges.unwrap();
    assert_eq!((header.dir, header.files), (PathBuf::from("/kept"), vec![PathBuf::from("params.h")]));
    let mut lines: Vec<String> = kept.borrow().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines, ["#define MAX (long long)1000", "#define RATE 0.5", "#define WORD \"ab\""]);
}

#[test]
fn mistakes_are_reported_with_their_lines() {
    let with = |from: &str, to: &str| Repository::new(&INFO.replace(from, to));
    with("title = 'Sum'\n", "").says(&["info.toml: `title` is missing"]);
    with("timelimit = 2.0", "timelimit = -1").says(&["info.toml:2:1: `timelimit`"]);
    with("number = 11", "number = -1").says(&[
        "9:3: `tests.1.number`: expected a whole number",
        "no test uses",
        "a checksum of a file",
    ]);
    with("number = 11", "number = 1000000").says(&[
        "9:3: more than 10000 tests",
        "no test uses",
        "a checksum of a file",
    ]);
    with("number = 11", "number = 1000000000").says(&["9:3: `tests.1.number`", "no test uses", "a checksum of a file"]);
    with("'random.cpp'", "'../random.cpp'").says(&[
        "8:3: `tests.1.name`: must be the name of a file",
        "no test uses",
        "a checksum of a file",
    ]);
    with("'random.cpp'", "'/etc/passwd'").says(&[
        "8:3: `tests.1.name`: must be the name of a file",
        "no test uses",
        "a checksum of a file",
    ]);
    with("'random.cpp'", "'random.py'").says(&[
        "`random.py` is neither a generator",
        "no test uses",
        "a checksum of a file",
    ]);
    with("'random.cpp'", "'example.cpp'").says(&[
        "8:3: two tests of the name `example`",
        "no test uses",
        "a checksum of a file",
    ]);
    with("name = 'wa.cpp'", "name = 'none.cpp'").says(&["11:3: there is no sol/none.cpp", "sol/wa.cpp: not judged"]);
    with("expect = 'WA'", "expect = 'PE'").says(&["12:3: `solutions.0.expect`"]);
    with("number = 2", "number = 3")
        .says(&["5:3: there is no gen/example_02.in", "hash.json: no checksum of example_02.in and 1 more"]);
    with("number = 2", "number = 1").says(&[
        "gen/example_01.in: no test uses this file",
        "a checksum of a file that no test has: example_01.in and 1 more",
    ]);
    with("WORD = 'ab'", "WORD = 'a\"b'").says(&["19:3: `WORD`: a string cannot have quotation marks"]);
    with("WORD = 'ab'", "'WO RD' = 1").says(&["19:3: `WO RD` cannot be the name of a macro"]);
    with("forum = 'x'", "checker = '../checker.cpp'").says(&["3:1: `checker`: must be a path inside"]);
    with("title = 'Sum'", "title").says(&["info.toml:1:6: syntax error"]);
}

#[test]
fn missing_programs_and_strange_checksums_are_errors() {
    let repository = Repository::new(INFO);
    std::fs::remove_file(repository.dir().join("gen/random.cpp")).unwrap();
    repository.says(&["8:3: there is no gen/random.cpp"]);
    let repository = Repository::new(INFO);
    std::fs::remove_file(repository.dir().join("sol/correct.cpp")).unwrap();
    repository.says(&["info.toml: there is no sol/correct.cpp"]);
    let repository = Repository::new(INFO);
    std::fs::remove_file(repository.dir().join("hash.json")).unwrap();
    repository.says(&["no hash.json: nothing proves"]);
    Repository::new(INFO).file("hash.json", "{\n\"a\": [").says(&["hash.json:2:5: not an object"]);
    Repository::new(INFO)
        .file("hash.json", &hashes(2, 11).replacen(SUM, "00", 1))
        .says(&["`example_00.in` is not the SHA-256", "no checksum of example_00.in"]);
}

#[test]
fn a_link_out_of_the_problem_is_not_followed() {
    let repository = Repository::new(INFO);
    let outside = repository.0.path().join("secret.cpp");
    std::fs::write(&outside, "").unwrap();
    std::fs::remove_file(repository.dir().join("checker.cpp")).unwrap();
    std::os::unix::fs::symlink(&outside, repository.dir().join("checker.cpp")).unwrap();
    repository.says(&["info.toml: `checker.cpp` is outside the problem's directory"]);
}

#[test]
fn a_problem_is_recognised_by_its_description_and_its_folders() {
    let repository = Repository::new(INFO);
    assert!(is_problem(&repository.dir()));
    repository.file("info.toml", "name = 'of another tool'\n");
    assert!(!is_problem(&repository.dir()));
    let alone = tempfile::tempdir().unwrap();
    std::fs::write(alone.path().join("info.toml"), INFO).unwrap();
    assert!(!is_problem(alone.path()));
}
