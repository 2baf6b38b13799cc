//! Trees of files, and the problems found in them.

use super::*;
use crate::limits::Bytes;
use crate::package::reader::derive_nothing;
use crate::problem::{
    AnswerFile, Checker, JudgingProgram, OwnChecker, ProblemKind, Program, Protocol, Reference, TokenOptions,
};

/// A workspace of `problems/` and `testcases/` in a temporary directory.
struct Workspace {
    dir: tempfile::TempDir,
}

/// Whether a file has the name of a program in these tests.
fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["rs", "py", "cpp", "c"].iter().any(|known| extension == *known))
}

impl Workspace {
    /// Creates files with contents. A name that ends with `/` is a directory.
    fn of(files: &[(&str, &str)]) -> Self {
        let workspace = Self { dir: tempfile::tempdir().unwrap() };
        workspace.add(files);
        workspace
    }

    /// Creates a healthy problem `nine` and more files.
    fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Self::of(HEALTHY);
        workspace.add(files);
        workspace
    }

    fn add(&self, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = self.path(name);
            std::fs::create_dir_all(if name.ends_with('/') { &path } else { path.parent().unwrap() }).unwrap();
            if !name.ends_with('/') {
                std::fs::write(path, text).unwrap();
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn link(&self, target: impl AsRef<Path>, name: &str) {
        std::os::unix::fs::symlink(target, self.path(name)).unwrap();
    }

    fn search<T>(&self, find: impl FnOnce(&Search<'_>) -> T) -> T {
        let roots = [self.path("problems")];
        find(&Search {
            roots: &roots,
            testcases: &self.path("testcases"),
            is_source: &is_source,
            derive: &derive_nothing,
            top: None,
            testset: None,
        })
    }

    fn discover(&self) -> Discovery {
        self.search(discover)
    }

    fn discover_in(&self, dir: &str) -> Discovery {
        self.search(|search| discover_in(search, &self.path(dir)))
    }

    /// The findings as `E path: message`, without the workspace's own path.
    fn findings(&self, discovery: &Discovery) -> Vec<String> {
        let root = format!("{}/", self.dir.path().display());
        let line = |found: &Diagnostic| {
            let letter = if found.is_error() { 'E' } else { 'W' };
            format!("{letter} {}", found.to_string().replace(&root, ""))
        };
        discovery.diagnostics.iter().map(line).collect()
    }

    /// Asserts the findings and the problems that are found.
    fn check(&self, findings: &[&str], problems: &[&str]) -> Discovery {
        let discovery = self.discover();
        assert_eq!(self.findings(&discovery), findings);
        let ids: Vec<&str> = discovery.problems.iter().map(|problem| problem.id.as_str()).collect();
        assert_eq!(ids, problems);
        discovery
    }
}

const HEALTHY: &[(&str, &str)] = &[
    ("problems/nine/submissions/accepted/reference.rs", ""),
    ("testcases/nine/sample/1.in", "1\n"),
    ("testcases/nine/sample/1.ans", "1\n"),
];

fn tests_of(problem: &Problem) -> Vec<String> {
    problem.cases().map(|(group, case)| group.id_of(case).to_string()).collect()
}

fn submissions_of(problem: &Problem) -> Vec<(&str, String)> {
    problem.submissions.iter().map(|found| (found.id.as_str(), found.expectation.summary())).collect()
}

#[test]
fn a_native_problem_is_read_whole() {
    let workspace = Workspace::of(&[
        ("problems/nine/problem.toml", "name = 'Nine'\n[limits]\ntime_limit = 1.0\nmemory = 256\n"),
        ("problems/nine/statement/problem.en.md", ""),
        ("problems/nine/submissions/accepted/reference.rs", ""),
        ("problems/nine/submissions/accepted/other.py", ""),
        ("problems/nine/submissions/accepted/multi/main.cpp", ""),
        ("problems/nine/submissions/accepted/multi/sub/lib.h", ""),
        ("problems/nine/submissions/wrong_answer/bad.py", ""),
        ("problems/nine/submissions/compiler_error/broken.c", ""),
        ("problems/nine/input_validators/validate.rs", ""),
        ("problems/nine/output_validator/validate.rs", ""),
        ("testcases/nine/sample/2.in", ""),
        ("testcases/nine/sample/2.ans", ""),
        ("testcases/nine/sample/1.in", ""),
        ("testcases/nine/sample/1.ans", ""),
        ("testcases/nine/sample/1.hint", ""),
        ("testcases/nine/secret/10.in", ""),
        ("testcases/nine/secret/10.ans", ""),
        ("testcases/nine/secret/small/01.in", ""),
        ("testcases/nine/secret/small/01.ans", ""),
        ("testcases/nine/secret/small/test_group.toml", "[limits]\ntime_limit = 0.5\n"),
        ("testcases/nine/invalid_input/1.in", ""),
    ]);
    let discovery = workspace.check(&[], &["nine"]);
    let nine = &discovery.problems[0];
    assert_eq!((nine.title.as_str(), nine.layout, nine.kind), ("Nine", PackageLayout::Native, ProblemKind::PassFail));
    assert_eq!((nine.checker, nine.limits.memory), (OwnChecker::default(), Some(Bytes::mib(256))));
    assert_eq!(tests_of(nine), ["sample/1", "sample/2", "secret/10", "secret/small/01"]);
    let limits: Vec<Option<u128>> =
        nine.groups.iter().map(|group| group.limits.time.map(|time| time.as_millis())).collect();
    assert_eq!(limits, [None, None, Some(500)]);
    let expect = [
        ("accepted/multi", "AC"),
        ("accepted/other.py", "AC"),
        ("accepted/reference.rs", "AC"),
        ("compiler_error/broken.c", "CE"),
        ("wrong_answer/bad.py", "WA"),
    ];
    assert_eq!(submissions_of(nine), expect.map(|(id, summary)| (id, summary.to_owned())));
    assert_eq!(nine.reference, Some(Reference::Chosen(2)));
    let Program::Directory { files, .. } = &nine.submissions[0].program else { panic!("a directory") };
    assert_eq!(files, &[Path::new("main.cpp"), Path::new("sub/lib.h")]);
    let validator = Program::File(workspace.path("problems/nine/input_validators/validate.rs"));
    assert_eq!(nine.input_validators, [JudgingProgram::guessed(validator, Protocol::Icpc)]);
    assert_eq!(nine.output_validators.len(), 1);
    assert_eq!(nine.groups[0].input_of(&nine.groups[0].cases[0]), workspace.path("testcases/nine/sample/1.in"));
}

#[test]
fn cases_may_lie_straight_in_the_directory() {
    let workspace = Workspace::of(&[
        ("problems/nine/submissions/accepted/a.py", ""),
        ("testcases/nine/1.in", ""),
        ("testcases/nine/1.ans", ""),
    ]);
    let discovery = workspace.check(&[], &["nine"]);
    assert_eq!(tests_of(&discovery.problems[0]), ["1"]);
    assert_eq!(discovery.problems[0].reference, Some(Reference::Chosen(0)));
}

#[test]
fn missing_parts_of_cases_are_told() {
    Workspace::with(&[
        ("testcases/nine/secret/01.in", ""),
        ("testcases/nine/secret/02.in", ""),
        ("testcases/nine/secret/02.out", ""),
    ])
    .check(
        &[
            "E testcases/nine/secret/01.in: no answer file 01.ans; add 01.ans, for example the output of the model \
             solution",
            "E testcases/nine/secret/02.in: no answer file 02.ans; rename 02.out to 02.ans",
        ],
        &[],
    );
    Workspace::with(&[("testcases/nine/secret/01.ans", "")]).check(
        &["E testcases/nine/secret/01.ans: answer without an input 01.in; add the input or remove the answer"],
        &[],
    );
    Workspace::with(&[("testcases/nine/secret/notes.odt", ""), ("testcases/nine/secret/x.hint", "")]).check(
        &[
            "W testcases/nine/secret/x: files of a case, but no input x.in; ignored",
            "W testcases/nine/secret/notes.odt: not part of a test case; ignored",
        ],
        &["nine"],
    );
    let many: Vec<(String, &str)> = (0..30).map(|n| (format!("testcases/nine/secret/{n:02}.in"), "")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let workspace = Workspace::with(&many);
    let findings = workspace.findings(&workspace.discover());
    assert_eq!((findings.len(), findings[10].as_str()), (11, "E testcases/nine/secret: and 20 more like this"));
}

#[test]
fn problems_and_cases_need_each_other() {
    let workspace =
        Workspace::with(&[("problems/ten/submissions/accepted/a.py", ""), ("testcases/then/sample/1.in", "")]);
    let root = workspace.dir.path().display().to_string();
    let discovery = workspace.discover();
    let findings: Vec<String> =
        workspace.findings(&discovery).iter().map(|line| line.replace(&format!("{root}/"), "")).collect();
    assert_eq!(
        findings,
        [
            "E testcases/then: test cases without a problem problems/then; did you mean `ten`?",
            "E problems/ten: problem without test cases in testcases/ten; add cases, each a .in with its .ans",
        ]
    );
    assert_eq!(discovery.problems.len(), 1);
    Workspace::with(&[("testcases/empty/sample/", "")]).check(&[], &["nine"]);
}

#[test]
fn names_must_be_unique_and_so_must_places() {
    let twice = Workspace::with(&[("problems/more/nine/submissions/accepted/a.py", "")]);
    let discovery = twice.discover();
    let names: Vec<&str> = discovery.problems.iter().map(|problem| problem.id.as_str()).collect();
    assert_eq!(names, ["more/nine", "problems/nine"]);
    let inside = discover_in(
        &Search {
            roots: &[twice.path("problems")],
            testcases: &twice.path("testcases"),
            is_source: &is_source,
            derive: &derive_nothing,
            top: None,
            testset: None,
        },
        &twice.path("problems/more/nine/submissions"),
    );
    assert_eq!(inside.problems[0].id.as_str(), "more/nine", "the same name wherever one stands");
    let linked = Workspace::with(&[]);
    linked.link("nine", "problems/zehn");
    let findings = linked.findings(&linked.discover());
    assert_eq!(
        findings[..2],
        [
            "E problems/zehn: is the same problem as problems/nine; remove the link or one of the roots",
            "E problems/nine: is the same problem as problems/zehn; remove the link or one of the roots",
        ]
    );
    assert!(linked.discover().problems.is_empty());
    let roots = [linked.path("problems/nine"), linked.path("problems/nine")];
    let search = Search {
        roots: &roots,
        testcases: &linked.path("testcases"),
        is_source: &is_source,
        derive: &derive_nothing,
        top: None,
        testset: None,
    };
    assert_eq!(discover(&search).problems.len(), 1, "the same path twice is no clash");
}

#[test]
fn roots_may_be_empty_missing_or_hold_something_else() {
    Workspace::of(&[("problems/", "")])
        .check(&["W problems: contains no problem; add a problem, or name another directory"], &[]);
    Workspace::of(&[])
        .check(&["E problems: no such directory of problems; create it, or set `problems` in grader.toml"], &[]);
    Workspace::with(&[("problems/draft/statement/problem.en.md", ""), ("problems/.git/x", "")]).check(
        &["W problems/draft: not a problem: it has no problem.toml, no submissions/, and no solver with test cases"],
        &["nine"],
    );
}

#[test]
fn links_stay_inside_and_do_not_loop() {
    let outside = Workspace::with(&[("secrets/x.py", ""), ("problems/nine/shared.py", "")]);
    outside.link("../../../../secrets/x.py", "problems/nine/submissions/accepted/x.py");
    outside.check(
        &["E problems/nine/submissions/accepted/x.py: the symbolic link leaves the problem; copy the file \
           instead"],
        &[],
    );
    let inside = Workspace::with(&[("problems/nine/shared.py", "")]);
    inside.link("../../shared.py", "problems/nine/submissions/accepted/x.py");
    inside.link("1.in", "testcases/nine/sample/2.in");
    inside.link("1.ans", "testcases/nine/sample/2.ans");
    let discovery = inside.check(&[], &["nine"]);
    assert_eq!((discovery.problems[0].test_count(), discovery.problems[0].submissions.len()), (2, 2));
    let looping = Workspace::with(&[]);
    looping.link(".", "testcases/nine/secret");
    looping.check(&["E testcases/nine/secret: the symbolic link leads back to testcases/nine; remove the link"], &[]);
    // A link that was a file is not a problem; one that may have been a problem is.
    let gone = Workspace::with(&[]);
    gone.link("nowhere", "problems/contest.pdf");
    gone.check(
        &["W problems/contest.pdf: cannot follow the symbolic link: No such file or directory (os error 2)"],
        &["nine"],
    );
    let gone = Workspace::with(&[]);
    gone.link("nowhere", "problems/ten");
    gone.check(&["E problems/ten: cannot follow the symbolic link: No such file or directory (os error 2)"], &["nine"]);
    let broken = Workspace::with(&[]);
    broken.link("nowhere", "testcases/nine/sample/2.in");
    broken.check(
        &["E testcases/nine/sample/2.in: cannot follow the symbolic link: No such file or directory (os error 2)"],
        &[],
    );
}

#[test]
fn unreadable_directories_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::with(&[("testcases/nine/secret/01.in", ""), ("testcases/nine/secret/01.ans", "")]);
    let secret = workspace.path("testcases/nine/secret");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    let discovery = workspace.discover();
    let findings = workspace.findings(&discovery);
    // The superuser can read everything, so there is no finding.
    if std::fs::read_dir(&secret).is_err() {
        assert_eq!(findings, ["E testcases/nine/secret: cannot read: Permission denied (os error 13)"]);
        assert!(discovery.problems.is_empty());
    }
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn odd_names_are_ignored_and_told() {
    use std::os::unix::ffi::OsStrExt;
    let workspace = Workspace::with(&[
        ("testcases/nine/sample/with space.in", ""),
        ("testcases/nine/sample/.hidden.in", ""),
        ("problems/nine/submissions/accepted/é.py", ""),
        ("problems/nine/submissions/accepted/.swp.py", ""),
    ]);
    let expect = [
        "W testcases/nine/sample/with space.in: the package format does not allow this name (only letters, digits, \
         `_`, `.`, `-`); ignored",
        "W problems/nine/submissions/accepted/é.py: the package format does not allow this name (only letters, \
         digits, `_`, `.`, `-`); ignored",
    ];
    let discovery = workspace.check(&expect, &["nine"]);
    assert_eq!((discovery.problems[0].test_count(), discovery.problems[0].submissions.len()), (1, 1));
    let name = std::ffi::OsStr::from_bytes(b"b\xffd.in");
    std::fs::write(workspace.path("testcases/nine/sample").join(name), "").unwrap();
    let findings = workspace.findings(&workspace.discover());
    assert!(
        findings
            .contains(&"W testcases/nine/sample/b\u{fffd}d.in: the name is not UTF-8; ignored; rename it".to_owned())
    );
    std::fs::create_dir_all(workspace.path("problems").join(std::ffi::OsStr::from_bytes(b"t\xff/submissions")))
        .unwrap();
    let findings = workspace.findings(&workspace.discover());
    assert!(findings[0].starts_with("E problems/t\u{fffd}: the name of this problem is not UTF-8"), "{findings:#?}");
}

#[test]
fn metadata_mistakes_are_told() {
    let check = |files: &[(&str, &str)], expect: &[&str]| {
        let workspace = Workspace::with(files);
        assert_eq!(workspace.findings(&workspace.discover()), expect, "{files:?}");
    };
    check(
        &[("problems/nine/problem.toml", ""), ("problems/nine/problem.yaml", "")],
        &["E problems/nine/problem.toml: both problem.toml and problem.yaml exist; keep one of the two"],
    );
    check(
        &[("problems/nine/problem.toml", "nmae = 1\ntype = 'multi-pas'\n[limits]\ntimelimit = 1\ncode = 3\n")],
        &[
            "E problems/nine/problem.toml:1:1: unknown key `nmae`; did you mean `name`?",
            "E problems/nine/problem.toml:2:1: `type`: expected `pass-fail`, `scoring`, `multi-pass`, `interactive` or `submit-answer`, \
             found `multi-pas`",
            "E problems/nine/problem.toml:4:1: unknown key `limits.timelimit`; did you mean `limits.time_limit`?",
            "W problems/nine/problem.toml:5:1: `limits.code` is not applied",
        ],
    );
    check(
        &[(
            "problems/nine/problem.yaml",
            "problem_format_version: 2025-09\nuuid: x\nlanguages: all\nmy_tool: 1\nallow_file_writing: true\n",
        )],
        &[
            "W problems/nine/problem.yaml:4:1: unknown key `my_tool`",
            "W problems/nine/problem.yaml:5:1: `allow_file_writing` is not applied",
        ],
    );
    check(
        &[("problems/nine/problem.toml", "type = 'interactive'\n")],
        &["E problems/nine: interactive problem without output_validator/; add the program that talks to submissions"],
    );
    check(
        &[("problems/nine/data/sample/1.in", "")],
        &["E problems/nine/data: test data in the place of a problem package; grader reads testcases/nine; move \
             sample/ and secret/ there"],
    );
}

#[test]
fn yaml_metadata_is_read_as_the_package_format_has_it() {
    let workspace = Workspace::with(&[(
        "problems/nine/problem.yaml",
        "name:\n  sv: Nio\n  en: Nine\ntype: [pass-fail]\nlimits:\n  time_limit: 1.5\n  memory: 512\n  time_multipliers:\n    \
         ac_to_time_limit: 3\nvalidator_flags: float_tolerance 1e-6\n",
    )]);
    let discovery = workspace.check(&[], &["nine"]);
    let nine = &discovery.problems[0];
    assert_eq!((nine.title.as_str(), nine.limits.memory), ("Nine", Some(Bytes::mib(512))));
    let float = TokenOptions { float_relative: Some(1e-6), float_absolute: Some(1e-6), ..TokenOptions::default() };
    assert_eq!(nine.checker, OwnChecker::Stated(Checker::Tokens(float)));
}

#[test]
fn groups_inherit_and_what_they_cannot_have_is_told() {
    let workspace = Workspace::with(&[
        ("testcases/nine/test_group.toml", "checker = 'exact'\n"),
        ("testcases/nine/sample/test_group.yaml", "output_validator_args: [case_sensitive]\nfull_feedback: true\n"),
    ]);
    let discovery = workspace.check(&[], &["nine"]);
    let strict = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
    assert_eq!(discovery.problems[0].groups[0].checker, Some(Checker::Tokens(strict)));
    workspace.add(&[
        ("problems/nine/output_validator/v.py", ""),
        ("testcases/nine/sample/1.yaml", "hint: x\nargs: [a]\n"),
        ("testcases/nine/sample/testdata.yaml", ""),
    ]);
    let expect = [
        "E testcases/nine/test_group.toml:1:1: `checker` has no effect, because the problem has an output validator; remove it; `output_validator_args` sets the arguments of the validator",
        "E testcases/nine/sample/testdata.yaml: configuration of the legacy format is not supported; write test_group.yaml",
    ];
    workspace.check(&expect, &[]);
}

#[test]
fn the_reference_is_stated_marked_or_the_only_one() {
    let check = |files: &[(&str, &str)], expect: Result<&str, &str>| {
        let workspace = Workspace::of(&[("testcases/nine/1.in", ""), ("testcases/nine/1.ans", "")]);
        workspace.add(files);
        let discovery = workspace.discover();
        match expect {
            Ok(id) => {
                assert_eq!(workspace.findings(&discovery), [""; 0]);
                let nine = &discovery.problems[0];
                assert_eq!(nine.reference().unwrap().id.as_str(), id);
            }
            Err(finding) => assert_eq!(workspace.findings(&discovery), [finding]),
        }
    };
    let [a, b] = [("problems/nine/submissions/accepted/a.py", ""), ("problems/nine/submissions/accepted/b.py", "")];
    let [r, s] = [("problems/nine/submissions/accepted/r.rs", ""), ("problems/nine/submissions/accepted/s.rs", "")];
    check(&[a], Ok("accepted/a.py"));
    check(&[a, b, r], Ok("accepted/r.rs"));
    let remedy = "name one: `reference` in problem.toml, or `model_solution` in submissions.yaml";
    let ambiguous = |names: &str| format!("E problems/nine/submissions: the reference is ambiguous: {names}; {remedy}");
    check(&[a, b], Err(&ambiguous("accepted/a.py, accepted/b.py")));
    check(&[a, r, s], Err(&ambiguous("accepted/r.rs, accepted/s.rs")));
    let marked = ("problems/nine/submissions/submissions.yaml", "accepted/b.py:\n  model_solution: true\n");
    check(&[a, b, r, marked], Ok("accepted/b.py"));
    for name in ["accepted/b.py", "submissions/accepted/b.py", "b.py"] {
        check(&[a, b, r, ("problems/nine/problem.toml", &format!("reference = '{name}'\n"))], Ok("accepted/b.py"));
    }
    check(
        &[a, ("problems/nine/problem.toml", "reference = 'accepted/c.py'\n")],
        Err("E problems/nine/problem.toml: `reference`: no submission `accepted/c.py`; did you mean `accepted/a.py`?"),
    );
}

#[test]
fn expectations_come_from_directories_files_and_annotations() {
    let workspace = Workspace::with(&[
        ("problems/nine/submissions/mixed/a.py", "# @EXPECTED_RESULTS@: TIMELIMIT, CORRECT\n"),
        ("problems/nine/submissions/mixed/b.py", "# nothing\n"),
        ("problems/nine/submissions/acepted/c.py", ""),
        ("problems/nine/submissions/wrong_answer/d.py", "# @EXPECTED_RESULTS@: TIMELIMIT\n"),
        ("problems/nine/submissions/rejected/e.py", "# @EXPECTED_RESULTS@: RUN-ERROR\n"),
        ("problems/nine/submissions/rejected/f.py", ""),
        ("problems/nine/submissions/rejected/notes.md", ""),
        ("problems/nine/submissions/rejected/data.bin", ""),
        (
            "problems/nine/submissions/submissions.yaml",
            "'rejected/f.py':\n  sample:\n    permitted: [AC]\n  secret/none:\n    required: [WA]\nnobody.py:\n  required: AC\n",
        ),
    ]);
    let expect = [
        "W problems/nine/submissions/acepted: grader expects no verdict of submissions in a directory of this \
         name; did you mean `accepted`?",
        "W problems/nine/submissions/mixed: grader expects no verdict of submissions in a directory of this \
         name; write the expectations in submissions.yaml",
        "W problems/nine/submissions/rejected/data.bin: no source file of a known language; ignored",
        "W problems/nine/submissions/wrong_answer/d.py: @EXPECTED_RESULTS@ says TLE, but wrong_answer/ says WA; the \
         directory counts; move the submission, or remove the annotation",
        "W problems/nine/submissions/submissions.yaml: `nobody.py` matches no submission",
        "W problems/nine/submissions/submissions.yaml: `secret/none` matches no test case",
    ];
    let discovery = workspace.check(&expect, &["nine"]);
    let summaries = [
        ("accepted/reference.rs", "AC"),
        ("acepted/c.py", "anything"),
        ("mixed/a.py", "AC or TLE"),
        ("mixed/b.py", "anything"),
        ("rejected/e.py", "RTE"),
        ("rejected/f.py", "WA or TLE or RTE and AC in sample and WA in secret/none"),
        ("wrong_answer/d.py", "WA"),
    ];
    assert_eq!(submissions_of(&discovery.problems[0]), summaries.map(|(id, summary)| (id, summary.to_owned())));
    workspace.add(&[("problems/nine/submissions/mixed/g.py", "# x\n# @EXPECTED_RESULTS@: MAYBE\n")]);
    let findings = workspace.findings(&workspace.discover());
    assert!(
        findings[1]
            .starts_with("E problems/nine/submissions/mixed/g.py:2:3: @EXPECTED_RESULTS@: unknown verdict `MAYBE`"),
        "{findings:#?}"
    );
}

#[test]
fn the_name_of_a_directory_replaces_its_rule_and_a_glob_adds_one() {
    let check = |yaml: &str, expect: &[&str]| {
        let workspace = Workspace::with(&[
            ("problems/nine/submissions/wrong_answer/a.py", ""),
            ("problems/nine/submissions/submissions.yaml", yaml),
        ]);
        let discovery = workspace.check(&[], &["nine"]);
        let rules = discovery.problems[0].submissions[1].expectation.rules.iter();
        let rules: Vec<String> = rules.map(|rule| format!("{} / {}", rule.permitted, rule.required)).collect();
        assert_eq!(rules, expect, "{yaml}");
    };
    check("", &["AC or WA / WA"]);
    check("wrong_answer:\n  permitted: [AC, WA, TLE]\n", &["AC or WA or TLE / WA"]);
    check("wrong_answer:\n  language: python3\n", &["AC or WA / WA"]);
    check("wrong_answer/*:\n  permitted: [WA]\n", &["AC or WA / WA", "WA / "]);
}

#[test]
fn a_problem_without_accepted_submission_is_told() {
    let workspace = Workspace::of(&[
        ("problems/nine/submissions/wrong_answer/a.py", ""),
        ("testcases/nine/1.in", ""),
        ("testcases/nine/1.ans", ""),
    ]);
    workspace.check(
        &["W problems/nine: no accepted submission, so nothing shows that the problem can be solved"],
        &["nine"],
    );
}

#[test]
fn output_validators_are_exactly_one() {
    let check = |files: &[&str], expect: Result<bool, &str>| {
        let files: Vec<(String, &str)> = files.iter().map(|name| (format!("problems/nine/{name}"), "")).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        let workspace = Workspace::with(&files);
        let discovery = workspace.discover();
        match expect {
            Ok(is_file) => {
                assert_eq!(workspace.findings(&discovery), [""; 0], "{files:?}");
                let validator = &discovery.problems[0].output_validators[0];
                assert_eq!(matches!(validator.program, Program::File(_)), is_file, "{files:?}");
            }
            Err(finding) => assert_eq!(workspace.findings(&discovery), [finding], "{files:?}"),
        }
    };
    check(&["output_validator/v.cpp"], Ok(true));
    check(&["output_validator/v.cpp", "output_validator/README.md"], Ok(true));
    check(&["output_validator/v.cpp", "output_validator/testlib.h"], Ok(false));
    check(&["output_validator/v/v.cpp", "output_validator/v/w.cpp"], Ok(false));
    check(&["output_validator/__main__.py", "output_validator/__init__.py"], Ok(false));
    check(&["output_validator/build", "output_validator/v.cpp", "output_validator/w.cpp"], Ok(false));
    check(
        &["output_validator/"],
        Err("E problems/nine/output_validator: no output validator in it; add one program, or remove the directory"),
    );
    check(
        &["output_validator/a.py", "output_validator/b.py"],
        Err("E problems/nine/output_validator: several output validators: a.py, b.py; keep one, or move the files of \
             one program into a directory below"),
    );
    check(
        &["output_validators/a.py"],
        Err("E problems/nine/output_validators: grader ignores this directory of the legacy format; keep one \
             validator and rename the directory to output_validator"),
    );
}

#[test]
fn plain_folders_need_no_configuration() {
    let check = |files: &[(&str, &str)], tests: &[(&str, AnswerFile)]| {
        let workspace = Workspace::of(files);
        let discovery = workspace.check(&[], &["sum"]);
        let sum = &discovery.problems[0];
        assert_eq!((sum.layout, sum.reference), (PackageLayout::Plain, Some(Reference::Guess(0))));
        let found: Vec<(&str, AnswerFile)> = sum.cases().map(|(_, case)| (&*case.name, case.answer)).collect();
        assert_eq!(found, tests, "{files:?}");
    };
    let solver = ("problems/sum/solution.py", "");
    check(
        &[solver, ("problems/sum/1.in", ""), ("problems/sum/1.out", ""), ("problems/sum/a.out", "")],
        &[("1", AnswerFile::Out)],
    );
    check(
        &[solver, ("problems/sum/tests/my case.in", ""), ("problems/sum/tests/my case.ans", "")],
        &[("my case", AnswerFile::Ans)],
    );
    check(&[solver, ("problems/sum/test/1.in", "")], &[("1", AnswerFile::Missing)]);
    check(&[solver, ("testcases/sum/sample/1.in", ""), ("testcases/sum/sample/1.out", "")], &[("1", AnswerFile::Out)]);
}

#[test]
fn plain_cases_are_in_one_place_and_annotations_count() {
    let workspace = Workspace::of(&[
        ("problems/sum/solution.py", ""),
        ("problems/sum/slow.py", "# @EXPECTED_RESULTS@: TLE\n"),
        ("problems/sum/1.in", ""),
    ]);
    let discovery = workspace.check(&[], &["sum"]);
    let summaries = [("solution.py", "AC".to_owned()), ("slow.py", "TLE".to_owned())];
    assert_eq!(submissions_of(&discovery.problems[0]), summaries);
    workspace.add(&[("problems/sum/tests/1.in", "")]);
    workspace
        .check(&["E problems/sum: test cases both here and in problems/sum/tests; keep the cases in one place"], &[]);
}

#[test]
fn standing_inside_a_problem_finds_it() {
    let workspace = Workspace::with(&[
        ("problems/ten/submissions/accepted/a.py", ""),
        ("testcases/ten/1.in", ""),
        ("testcases/ten/1.ans", ""),
        ("elsewhere/sum/solution.py", ""),
        ("elsewhere/sum/tests/1.in", ""),
        ("elsewhere/empty/", ""),
    ]);
    let check = |dir: &str, expect: &[&str]| {
        let discovery = workspace.discover_in(dir);
        let ids: Vec<&str> = discovery.problems.iter().map(|problem| problem.id.as_str()).collect();
        assert_eq!(ids, expect, "{dir}");
        assert_eq!(discovery.diagnostics.iter().any(Diagnostic::is_error), expect.is_empty(), "{dir}");
    };
    check("problems/nine", &["nine"]);
    check("problems/nine/submissions/accepted", &["nine"]);
    check("problems", &["nine", "ten"]);
    check("testcases/ten", &["ten"]);
    check("elsewhere", &["sum"]);
    check("elsewhere/sum/tests", &["sum"]);
    check("elsewhere/empty", &[]);
    check("nowhere", &[]);
}

#[test]
fn one_broken_problem_hides_no_healthy_one() {
    let workspace = Workspace::with(&[
        ("problems/bad/problem.toml", "= = =\n"),
        ("problems/bad/submissions/accepted/a.py", ""),
        ("testcases/bad/1.in", ""),
    ]);
    let discovery = workspace.discover();
    assert_eq!(discovery.problems.len(), 1);
    assert!(discovery.diagnostics.iter().all(|found| found.problem.as_ref().is_some_and(|id| id.as_str() == "bad")));
    assert!(discovery.diagnostics.len() >= 2, "{:?}", workspace.findings(&discovery));
}

#[test]
fn a_case_takes_a_hundred_bytes_at_most() {
    let name = "01-a-rather-long-name-of-a-case".len();
    assert!(size_of::<crate::problem::TestCase>() + name + 16 <= 100);
}
