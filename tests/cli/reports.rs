//! Reports that leave the terminal, each read by somebody else's parser; and `grader report`, which makes them of a stored run.

use std::process::Command;

use macro_rules_attribute::apply;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use quick_junit::{NonSuccessKind, TestCaseStatus};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::run::{Call, Run, without_others};
use crate::cli::workspace::{SUM, Workspace};

/// What a contestant prints: ends of every markup there is, and commands for every reader.
const HOSTILE: &str = r"</failure>]]></code></details><script>x</script>\n```\n~~~\n::error::x\n##[error]y\n\033[2J\000| a | b |\n\n# head\n=cmd()\n";
/// What a contestant calls a program.
const NAME: &str = "=cmd|'a`b``<x>&@everyone,::.sh";

/// One submission of each kind, one of them hostile.
fn varied() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\n")
        .submission("accepted/off.sh", &format!("printf '{HOSTILE}' | tee /dev/stderr\n"))
        .submission("wrong_answer/three.sh", "echo 3\n")
        .submission("wrong_answer/right.sh", "read a b\necho $((a + b))\n");
    workspace
}

/// With a submission named by a contestant, and nothing else.
fn hostile_name() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("reference = \"sum.sh\"\n");
    workspace.file(NAME, format!("printf '{HOSTILE}'\n"));
    workspace
}

/// Judges what students handed in for `sum`: a folder for each, with a program in it.
#[track_caller]
fn judged(workspace: &Workspace, handed_in: &[(&str, &str)], args: &[&str]) -> Run {
    for (path, program) in handed_in {
        workspace.file(format!("class/{path}"), program);
    }
    let words = ["judge", "-p", "sum", "class", "--layout", "{student}/*"];
    Call::recorded(&workspace.path(""), &[&words[..], args].concat()).run()
}

fn junit(workspace: &Workspace, path: &str) -> quick_junit::Report {
    let report = quick_junit::Report::deserialize_from_str(&workspace.read(path)).unwrap();
    for suite in &report.test_suites {
        let count = |wanted: &str| suite.test_cases.iter().filter(|case| outcome(&case.status) == wanted).count();
        assert_eq!((suite.failures, suite.errors, suite.skipped), (count("failure"), count("error"), count("skipped")));
        assert_eq!(suite.tests, suite.test_cases.len());
    }
    report
}

fn outcome(status: &TestCaseStatus) -> &'static str {
    match status {
        TestCaseStatus::Success { .. } => "success",
        TestCaseStatus::NonSuccess { kind: NonSuccessKind::Failure, .. } => "failure",
        TestCaseStatus::NonSuccess { kind: NonSuccessKind::Error, .. } => "error",
        TestCaseStatus::Skipped { .. } => "skipped",
    }
}

/// `off.sh: sample/1 failure WA` for every case that is not a success.
fn unsuccessful(report: &quick_junit::Report) -> Vec<String> {
    let cases = report.test_suites.iter().flat_map(|suite| suite.test_cases.iter().map(move |case| (suite, case)));
    let told = cases.filter_map(|(suite, case)| {
        let (message, ty) = match &case.status {
            TestCaseStatus::Success { .. } => return None,
            TestCaseStatus::NonSuccess { message, ty, .. } | TestCaseStatus::Skipped { message, ty, .. } => {
                (message.as_deref().unwrap_or_default(), ty.as_deref().unwrap_or_default())
            }
        };
        Some(format!("{}: {} {} {ty}: {message}", suite.name.as_str(), case.name.as_str(), outcome(&case.status)))
    });
    told.collect()
}

#[apply(cli_test)]
fn junit_fails_what_is_unexpected() {
    let workspace = varied();
    workspace.run(&["--report", "junit=j.xml"]).status(1);
    let report = junit(&workspace, "j.xml");
    let told = unsuccessful(&report);
    let expect = [
        "sum/accepted/off.sh: sample/1 failure WA: line 1, column 1: expected `3`",
        "sum/accepted/off.sh: secret/01 failure WA",
        "sum/accepted/off.sh: secret/02 failure WA",
        "sum/accepted/off.sh: secret/03 failure WA",
        "sum/wrong_answer/right.sh: submission failure AC: expected WA, got AC",
        "sum/wrong_answer/three.sh: secret/02 skipped : not needed after secret/01",
        "sum/wrong_answer/three.sh: secret/03 skipped",
    ];
    assert_eq!(told.len(), expect.len(), "{told:#?}");
    for (told, expect) in told.iter().zip(expect) {
        assert!(told.starts_with(expect), "{told} is not {expect}");
    }
    let suite = &report.test_suites[0];
    let TestCaseStatus::NonSuccess { description, .. } = &suite.test_cases[0].status else { panic!() };
    let text = description.as_deref().unwrap();
    assert!(text.contains("</failure>]]></code>") && text.contains("input") && text.contains("answer"), "{text}");
    assert_eq!(suite.test_cases[0].classname.as_deref(), Some("sum.accepted/off_sh"));
    for name in ["language", "time_limit_seconds", "memory_limit_bytes", "expected"] {
        assert!(suite.properties.iter().any(|property| property.name.as_str() == name), "{name}");
    }
}

#[apply(cli_test)]
fn junit_of_a_judged_run_fails_what_is_not_accepted() {
    let workspace = Workspace::with_sum();
    let handed_in = [("ann/three.sh", "echo 3\n"), ("bob/right.sh", SUM)];
    judged(&workspace, &handed_in, &["--report", "junit=j.xml"]).status(1);
    let told = unsuccessful(&junit(&workspace, "j.xml"));
    assert!(told.iter().any(|case| case.contains("ann/three.sh: secret/01 failure WA")), "{told:#?}");
    assert!(!told.iter().any(|case| case.contains("right.sh")), "{told:#?}");
}

#[apply(cli_test)]
fn junit_tells_what_could_not_be_judged() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\n")
        .submission("accepted/syntax.py", "print(\n")
        .file("output_validator/check.sh", "exit 7\n");
    let run = workspace.run(&["-s", "sum.sh", "--report", "junit=j.xml"]);
    run.status(3);
    let told = unsuccessful(&junit(&workspace, "j.xml"));
    assert!(told[0].starts_with("sum/accepted/sum.sh: sample/1 error judge error: "), "{told:#?}");
    workspace.run(&["-s", "syntax.py", "--report", "junit=j.xml"]).status(1);
    let told = unsuccessful(&junit(&workspace, "j.xml"));
    assert_eq!(told, ["sum/accepted/syntax.py: submission error CE: expected AC, got CE"]);
    // Without a shell there is nothing to run it with: no failure, as for the exit status, unless one is strict.
    for (strict, expect) in [(None, "skipped"), (Some("--strict"), "error")] {
        let args: Vec<&str> = ["-s", "sum.sh", "--report", "junit=j.xml"].into_iter().chain(strict).collect();
        workspace.call(&args).env("PATH", "/nonexistent").run();
        let told = unsuccessful(&junit(&workspace, "j.xml"));
        assert!(told[0].starts_with(&format!("sum/accepted/sum.sh: submission {expect}")), "{told:#?}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn junit_tells_of_flaky_tests() {
    let workspace = Workspace::with_sum();
    workspace.run(&["-t", "sample"]).status(0);
    let run = std::fs::read_dir(workspace.path(".grader/runs")).unwrap().flatten().next().unwrap();
    let record = workspace.read(run.path()).replace("\"killed\":false", "\"killed\":false,\"times\":[2.5,1.5]");
    workspace.file("flaky.jsonl", record);
    workspace.grader(&["report", "flaky.jsonl", "--report", "junit=j.xml"]).status(0);
    assert_eq!(python(&workspace, JUNIT_SCHEMA, "j.xml")[0], json!([]));
    let report = junit(&workspace, "j.xml");
    let TestCaseStatus::Success { flaky_runs } = &report.test_suites[0].test_cases[0].status else { panic!() };
    assert_eq!(flaky_runs.len(), 1);
    assert_eq!(flaky_runs[0].message.as_deref(), Some("2.500 s of 2.000 s cpu time"));
}

/// Runs a Python program on a file and reads the JSON that it prints.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "an independent reader, not a submission")]
fn python(workspace: &Workspace, program: &str, file: &str) -> Value {
    let out = Command::new("python3").args(["-c", program]).arg(workspace.path(file)).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// What `junit-10.xsd` of Jenkins' xUnit plugin allows, and that the counts are right; prints what does not hold.
const JUNIT_SCHEMA: &str = r"
import sys, json, re, xml.etree.ElementTree as e
counts = {'tests', 'failures', 'errors'}
wrong = {'message', 'type'}
# Attributes that are needed, and others that are allowed.
attributes = {'testsuites': (set(), counts | {'name', 'time'}), 'properties': (set(), set()), 'property': ({'name', 'value'}, set()),
    'testsuite': (counts | {'name'}, {'group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'}),
    'testcase': ({'name'}, {'time', 'classname', 'group'}), 'failure': (set(), wrong), 'error': (set(), wrong), 'skipped': (set(), wrong),
    'rerunFailure': ({'type'}, {'message'}), 'flakyFailure': ({'type'}, {'message'}), 'system-out': (set(), set())}
inside = {'testsuites': {'testsuite'}, 'testsuite': {'properties', 'testcase', 'system-out'}, 'properties': {'property'},
    'testcase': {'skipped', 'error', 'failure', 'rerunFailure', 'flakyFailure', 'system-out'}}
root = e.parse(sys.argv[1]).getroot()
found = [] if root.tag == 'testsuites' else ['root: ' + root.tag]
for at in root.iter():
    needed, allowed = attributes.get(at.tag, (set(), set()))
    found += ['%s: attribute %s' % (at.tag, name) for name in at.keys() if name not in needed | allowed]
    found += ['%s: no attribute %s' % (at.tag, name) for name in needed if name not in at.keys()]
    found += ['%s: child %s' % (at.tag, child.tag) for child in at if child.tag not in inside.get(at.tag, set())]
    if 'time' in at.attrib and not re.fullmatch(r'\d+\.\d{3}', at.get('time')):
        found.append('%s: time %s' % (at.tag, at.get('time')))
    if at.tag == 'testcase' and at.get('classname').count('.') != 1:
        found.append('classname ' + at.get('classname'))
    if at.tag in ('testsuites', 'testsuite'):
        has = lambda tag: sum(case.find(tag) is not None for case in at.iter('testcase'))
        real = {'tests': len(list(at.iter('testcase'))), 'failures': has('failure'), 'errors': has('error')}
        if at.tag == 'testsuite':
            real['skipped'] = has('skipped')
        found += ['%s: %s %s' % (at.tag, name, at.get(name)) for name in real if int(at.get(name, -1)) != real[name]]
print(json.dumps([found, [suite.get('name') for suite in root]]))
";

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn junit_is_xml_for_others_too() {
    let workspace = varied();
    workspace.run(&["--report", "junit=j.xml"]).status(1);
    assert_eq!(python(&workspace, JUNIT_SCHEMA, "j.xml")[0], json!([]));
    workspace.file(NAME, format!("printf '{HOSTILE}'\n"));
    workspace.run(&["sum", "-s", NAME, "--report", "junit=j.xml"]).status(1);
    let read = python(&workspace, JUNIT_SCHEMA, "j.xml");
    assert_eq!(read[0], json!([]));
    assert!(read[1][0].as_str().unwrap().ends_with(NAME), "{read}");
    let handed_in = [("ann/three.sh", "echo 3\n"), ("bob/essay.txt", "no program")];
    judged(&workspace, &handed_in, &["--report", "junit=j.xml"]).status(2);
    assert_eq!(python(&workspace, JUNIT_SCHEMA, "j.xml")[0], json!([]));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn csv_is_read_by_others() {
    let workspace = Workspace::with_sum();
    let program = format!("printf '{HOSTILE}'\n");
    judged(&workspace, &[(&format!("=1+1/{NAME}"), &program)], &["--report", "csv=r.csv"]).status(1);
    let program = "import sys,json,csv\nprint(json.dumps(list(csv.DictReader(open(sys.argv[1],newline='')))))";
    let rows = python(&workspace, program, "r.csv");
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let row = rows[0].as_object().unwrap();
    assert_eq!(row.len(), 11, "{row:?}");
    assert_eq!((&row["problem"], &row["test"], &row["verdict"]), (&json!("sum"), &json!("sample/1"), &json!("WA")));
    assert_eq!(row["student"], "'=1+1");
    assert!(row["submission"].as_str().unwrap().ends_with(NAME), "{row:?}");
    for cell in row.values() {
        assert!(!cell.as_str().unwrap().starts_with(['=', '+', '-', '@']), "{row:?}");
    }
    row["cpu_seconds"].as_str().unwrap().parse::<f64>().unwrap();
    row["memory_bytes"].as_str().unwrap().parse::<u64>().unwrap();
}

#[apply(cli_test)]
fn the_gradebook_has_a_row_for_each_student() {
    let workspace = Workspace::new();
    let sum = workspace.problem("sum").case("secret/01", "2 2\n", "4\n").case("secret/02", "10 5\n", "15\n");
    sum.toml("type = \"scoring\"\n").submission("accepted/sum.sh", SUM);
    let nine = workspace.problem("nine").case("secret/1", "1\n", "9\n").submission("accepted/nine.sh", "echo 9\n");
    nine.file(
        "output_validator/check.sh",
        "read word\n[ $word = 9 ] && exit 42\n[ $word = broken ] && exit 7\nexit 43\n",
    );
    for (path, program) in [
        ("bob/sum.sh", "echo 4\n"),
        ("bob/nine.sh", "echo 9\n"),
        ("ann/sum.sh", SUM),
        ("ann/nine.sh", "echo broken\n"),
        ("-5/sum.sh", "echo 15\n"),
    ] {
        workspace.file(format!("class/{path}"), program);
    }
    let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--report", "gradebook=g.csv"];
    let run = Call::recorded(&workspace.path(""), &args).run();
    run.status(3);
    let layer = run.events[0]["isolation"].as_str().unwrap();
    let expect = format!(
        "student,nine,sum,total,nine verdict,sum verdict,grading,isolation\n\
        -5,,50,50,,WA,all or nothing,{layer}\n\
        ann,,100,,judge error,AC,all or nothing,{layer}\n\
        bob,1,50,51,AC,WA,all or nothing,{layer}\n"
    );
    assert_eq!(workspace.read("g.csv"), expect);
}

/// `results.json`, as the specification has it, and nothing else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "that it is there and of its type is what is tested")]
struct Results {
    score: f64,
    execution_time: f64,
    #[serde(default)]
    output: String,
    output_format: TextFormat,
    test_output_format: TextFormat,
    test_name_format: TextFormat,
    visibility: Visibility,
    stdout_visibility: Visibility,
    extra_data: Extra,
    tests: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "that it is there and of its type is what is tested")]
struct Extra {
    isolation: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "that it is there and of its type is what is tested")]
struct Entry {
    score: Option<f64>,
    max_score: Option<f64>,
    status: Option<Status>,
    name: String,
    number: String,
    #[serde(default)]
    output: String,
    output_format: TextFormat,
    visibility: Visibility,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TextFormat {
    Text,
    Html,
    SimpleFormat,
    Md,
    Ansi,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Visibility {
    Hidden,
    AfterDueDate,
    AfterPublished,
    Visible,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Passed,
    Failed,
}

#[track_caller]
fn gradescope(workspace: &Workspace, args: &[&str]) -> Results {
    let args = [&["report", "last", "--report", "gradescope=results.json"], args].concat();
    workspace.grader(&args).status(0);
    serde_json::from_str(&workspace.read("results.json")).unwrap()
}

#[apply(cli_test)]
fn gradescope_takes_the_results() {
    let workspace = hostile_name();
    workspace.file(NAME, "read a b\necho $((a + b + (a == 2)))\n");
    workspace.run(&["sum", "-s", NAME]).status(1);
    let results = gradescope(&workspace, &[]);
    assert!(results.score.abs() < 1e-9, "{results:?}");
    let told: Vec<_> = results.tests.iter().map(|test| (&*test.name, &*test.number, test.score, test.status)).collect();
    assert_eq!(
        told,
        [
            ("points", "1.1", Some(0.0), Some(Status::Failed)),
            ("sample/1", "1.2", None, Some(Status::Passed)),
            ("secret/01", "1.3", None, Some(Status::Failed)),
            ("secret/02", "1.4", None, Some(Status::Passed)),
            ("secret/03", "1.5", None, Some(Status::Passed)),
        ]
    );
    workspace.problem("sum").submission("accepted/syntax.py", "print(\n");
    workspace.run(&["sum", "-s", "syntax.py"]).status(1);
    let results = gradescope(&workspace, &["--feedback", "none"]);
    let [entry] = &results.tests[..] else { panic!("{results:?}") };
    assert_eq!((entry.score, entry.max_score), (Some(0.0), Some(1.0)));
    assert!(entry.output.contains("compile error") && entry.output.contains("print("), "{entry:?}");
    // What is ours is not a verdict.
    workspace.problem("sum").file("output_validator/check.sh", "echo where it is >&2\nexit 7\n");
    workspace.run(&["sum", "-s", "sum.sh"]).status(3);
    let results = gradescope(&workspace, &["--feedback", "all"]);
    assert!(results.output.contains("not your fault"), "{results:?}");
    assert!(results.tests.iter().all(|test| test.status.is_none() && test.score.is_none()), "{results:?}");
    assert!(!workspace.read("results.json").contains("where it is"));
}

#[apply(cli_test)]
fn gradescope_shows_students_what_they_may_see() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .case("secret/01", "2 2\n", "SECRETANSWER\n")
        .case("sample/1", "1 2\n", "SAMPLEANSWER\n")
        .submission("accepted/sum.sh", "cat >&2\nprintf 'mine\\033[2J<b>\\n'\n");
    workspace.run(&["-s", "sum.sh", "-t", "sample", "-t", "secret/01"]).status(1);
    for (level, sample, secret, visibility) in [
        ("none", false, false, [Visibility::Hidden; 2]),
        ("samples", true, false, [Visibility::Visible; 2]),
        ("all", true, true, [Visibility::Visible; 2]),
    ] {
        let results = gradescope(&workspace, &["--feedback", level]);
        let text = workspace.read("results.json");
        assert_eq!(text.contains("SAMPLEANSWER"), sample, "{level}: {text}");
        assert_eq!(text.contains("SECRETANSWER"), secret, "{level}: {text}");
        assert_eq!(text.contains("2 2"), secret, "the input: {level}: {text}");
        assert!(!text.contains("[2J<b>\\n") && !text.contains("\\u001b[2J"), "{text}");
        assert!(!text.contains(".grader"), "places are nobody's concern: {text}");
        let seen: Vec<_> = results.tests.iter().map(|test| test.visibility).collect();
        assert_eq!(seen[0], Visibility::Visible, "the points, at every level");
        assert_eq!(seen[1..], visibility, "{level}");
    }
    assert!(workspace.read("results.json").contains("\\u001b[31m"), "the difference is coloured");
    workspace.problem("sum").file(
        "output_validator/check.sh",
        "echo for judges > $3/judgemessage.txt\necho for teams > $3/teammessage.txt\nexit 43\n",
    );
    workspace.run(&["-s", "sum.sh"]).status(1).shows("for judges");
    gradescope(&workspace, &["--feedback", "all"]);
    let text = workspace.read("results.json");
    assert!(text.contains("for teams") && !text.contains("for judges"), "{text}");
}

/// Asserts that Markdown has this many cells in its table and no structure but the report's own.
#[track_caller]
fn cells_and_only_ours(text: &str) -> usize {
    let mut cells = 0;
    let mut html = String::new();
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::End(TagEnd::TableCell) => cells += 1,
            Event::Html(raw) | Event::InlineHtml(raw) => html.push_str(&raw),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => panic!("a link: {text}"),
            Event::Start(Tag::Heading { level, .. }) => assert_eq!(level as usize, 2, "a heading: {text}"),
            _ => {}
        }
    }
    let tags: Vec<&str> = html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap()).collect();
    let ours = ["details", "summary", "code", "/code", "/summary", "/details"];
    assert!(tags.iter().all(|tag| ours.contains(tag)), "{tags:?}");
    cells
}

#[apply(cli_test)]
fn markdown_keeps_its_structure() {
    let workspace = varied();
    workspace.run(&["--report", "markdown=m.md"]).status(1);
    let text = workspace.read("m.md");
    assert_eq!(cells_and_only_ours(&text), 5 * 6, "{text}");
    assert!(text.starts_with("## grader: 2 as expected so far, 2 unexpected\n"), "{text}");
    assert!(
        text.contains("<summary><code>sum</code> · <code>accepted/off.sh</code> · <code>sample/1</code>"),
        "{text}"
    );
    let workspace = hostile_name();
    workspace.run(&["sum", "-s", NAME, "--report", "markdown=m.md"]).status(1);
    let text = workspace.read("m.md");
    assert_eq!(cells_and_only_ours(&text), 2 * 6, "{text}");
}

#[apply(cli_test)]
fn markdown_of_a_judged_run_is_for_students() {
    let workspace = Workspace::with_sum();
    let handed_in = [("| `ann` <b>/sum.sh", "read a b\necho $((a + b + (a == 2)))\n")];
    for (level, shown) in [("samples", false), ("all", true)] {
        judged(&workspace, &handed_in, &["--report", "markdown=m.md", "--feedback", level]).status(1);
        let text = workspace.read("m.md");
        assert_eq!(cells_and_only_ours(&text), 2 * 7, "{text}");
        assert_eq!(text.contains("expected `4`"), shown, "{level}: {text}");
        assert!(text.contains("0 accepted, 1 not accepted") && text.contains("wrong answer"), "{text}");
    }
}

#[apply(cli_test)]
fn github_annotates_the_files() {
    let workspace = varied();
    let root = workspace.path("");
    let run = workspace.call(&["--report", "github"]).env("GITHUB_WORKSPACE", root).run();
    run.status(1);
    let stdout = without_others(&run.stdout);
    let lines: Vec<&str> = stdout.lines().collect();
    // What is shown between the two may hold commands, and is not obeyed.
    let token = lines[0].strip_prefix("::stop-commands::").unwrap();
    assert!(token.len() > 30, "{token}");
    let end = lines.iter().position(|line| *line == format!("::{token}::")).unwrap();
    let commands = &lines[end + 1..];
    let heads: Vec<&str> = commands.iter().map(|line| line.rsplit_once("::").unwrap().0).collect();
    assert_eq!(commands.len(), 3, "{commands:#?}");
    assert!(commands[0].starts_with("::notice title=grader::isolation: "), "{commands:#?}");
    let commands = &commands[1..];
    let file = "::error file=problems/sum/submissions/accepted/off.sh,title=sum · accepted/off.sh · sample/1%3A expected AC%2C got WA::";
    assert!(commands[0].starts_with(file), "{heads:#?}");
    assert!(commands[0].contains("%0A") && commands[0].contains("::error::x"), "{commands:#?}");
    assert!(commands[1].contains("right.sh"), "{commands:#?}");
    assert!(lines[1..end].iter().any(|line| line.contains("::error::x")), "the program's own is shown: {lines:#?}");
    // The token is another one each time.
    let again = workspace.run(&["--report", "github"]);
    assert!(!again.stdout.contains(token));
}

#[apply(cli_test)]
fn a_report_on_standard_output_stands_alone() {
    let workspace = varied();
    let run = workspace.run(&["--report", "csv=-"]);
    run.status(1).says("expected AC, got WA").says("FAIL");
    assert!(run.stdout.starts_with("problem,submission,"), "{}", run.stdout);
    assert!(!run.stdout.contains("FAIL"), "{}", run.stdout);
    let run = workspace.grader(&["report", "last", "--report", "junit=-"]);
    run.status(0).silent();
    quick_junit::Report::deserialize_from_str(&run.stdout).unwrap();
}

#[apply(cli_test)]
fn reports_in_one_place_are_refused() {
    let workspace = Workspace::with_sum();
    let run = workspace.run(&["--report", "csv=a", "--report", "junit=./a"]);
    run.status(2).says("two reports go to ./a");
    workspace.run(&["--report", "csv=-", "--report", "github"]).status(2).says("two reports go to standard output");
    assert!(!workspace.path("a").exists());
    // One kind in two places is fine.
    workspace.run(&["--report", "csv=a", "--report", "csv=b"]).status(0);
    assert_eq!(workspace.read("a"), workspace.read("b"));
}

#[apply(cli_test)]
fn every_report_that_cannot_be_written_is_told() {
    let workspace = Workspace::with_sum();
    let run = workspace.run(&["--report", "junit=no/a.xml", "--report", "csv=problems", "--report", "markdown=m.md"]);
    run.status(2).says("cannot write the report no/a.xml: No such file").says("cannot write the report problems: ");
    assert_eq!(run.stdout, "", "nothing was run");
    assert!(!workspace.path("m.md").exists());
    let names = std::fs::read_dir(workspace.path("")).unwrap().flatten().map(|entry| entry.file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().contains("grader-report")));
    for (report, says) in [("jnit=a", "did you mean `junit`?"), ("junit", "junit=FILE"), ("github=a", "write `github`")]
    {
        workspace.run(&["--report", report]).status(2).says(says);
    }
}

#[apply(cli_test)]
fn a_stored_run_is_shown_again() {
    let workspace = varied();
    workspace.grader(&["report", "last"]).status(2).says("there is no record of a run");
    let args = ["--report", "junit=a.xml", "--report", "csv=a.csv", "--report", "gradescope=a.json"];
    let run = workspace.run(&[&args[..], &["--report", "markdown=a.md"]].concat());
    run.status(1);
    let again = workspace.grader(&["report", "last"]);
    again.status(0).silent().shows("the recorded run 20");
    let (_, shown) = again.stdout.split_once('\n').unwrap();
    assert_eq!(shown, run.stdout);
    let args = ["--report", "junit=b.xml", "--report", "csv=b.csv", "--report", "gradescope=b.json"];
    workspace.grader(&[&["report", "last"], &args[..], &["--report", "markdown=b.md"]].concat()).status(0);
    for kind in ["xml", "csv", "json", "md"] {
        let [now, later] = ["a", "b"].map(|name| workspace.read(format!("{name}.{kind}")));
        for (now, later) in now.lines().zip(later.lines()) {
            assert_eq!(now, later, "{kind}");
        }
        assert_eq!(now.len(), later.len(), "{kind}");
    }
    workspace.grader(&["report", "nope"]).status(2).says("no run is called `nope`");
    workspace.grader(&["report", "./grader.toml"]).status(2).says("grader.toml").says("it contains no complete line");
}

#[apply(cli_test)]
fn an_older_run_is_shown_without_the_files_of_a_later_one() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", "echo FIRST\n");
    workspace.run(&["--report", "jsonl=first.jsonl"]).status(1).shows("files").shows("FIRST");
    workspace.grader(&["report", "first.jsonl"]).status(0).shows("files");
    // The times that tell the runs apart are known to the second.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    workspace.problem("sum").submission("accepted/sum.sh", "echo SECOND\n");
    workspace.run(&[]).status(1);
    let first = workspace.grader(&["report", "first.jsonl"]);
    first.status(0).shows("expected `3`, got `FIRST`").hides("SECOND").hides("files");
    workspace.grader(&["report", "last"]).status(0).shows("SECOND").shows("files");
    // A record may name any file: only what a run has kept is read.
    workspace.file("private.in", "PRIVATE\n").file("private.err", "PRIVATE\n").file("private.out", "PRIVATE\n");
    let foreign = workspace.path("private").display().to_string();
    let stem = workspace.path(".grader/last/sum/accepted/sum.sh/sample/1").display().to_string();
    workspace.file("forged.jsonl", workspace.read("first.jsonl").replace(&stem, &foreign));
    workspace.grader(&["report", "forged.jsonl"]).status(0).hides("PRIVATE");
}

#[apply(cli_test)]
fn a_record_that_ends_early_is_an_interrupted_run() {
    let workspace = varied();
    workspace.run(&["--report", "jsonl=whole.jsonl"]).status(1);
    let whole = workspace.read("whole.jsonl");
    workspace.file("cut.jsonl", &whole[..whole.len() * 2 / 3]);
    let run = workspace.grader(&["report", "cut.jsonl"]);
    run.status(0).shows("INTERRUPTED").shows("interrupted").says("the record ends early");
    workspace.grader(&["report", "cut.jsonl", "--report", "junit=j.xml"]).status(0);
    let told = unsuccessful(&junit(&workspace, "j.xml"));
    assert!(told.iter().any(|case| case.contains("error interrupted")), "{told:#?}");
}

#[apply(cli_test)]
fn a_killed_grader_leaves_what_was_over() {
    let workspace = Workspace::with_sum().without_walls();
    let mark = workspace.path("started");
    let sleeper = format!("touch {} && exec sleep 90\n", mark.display());
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\nlimits.wall_limit = 100\n")
        .submission("wrong_answer/sleeps.sh", &sleeper);
    let mut call = workspace.call(&["-j1"]);
    let mut child = call.start();
    let begun = std::time::Instant::now();
    // What is over is recorded a moment later.
    let recorded = || {
        let runs = std::fs::read_dir(workspace.path(".grader/runs")).into_iter().flatten().flatten();
        let texts = runs.filter_map(|run| std::fs::read_to_string(run.path()).ok());
        texts.into_iter().any(|text| text.contains("submission_finished"))
    };
    while !mark.exists() || !recorded() {
        assert!(begun.elapsed().as_secs() < 200, "the submission was never started");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    call.wait(child);
    let run = workspace.grader(&["report", "last"]);
    run.status(0).shows("✓ accepted/sum.sh").shows("– wrong_answer/sleeps.sh").shows("INTERRUPTED");
}

#[apply(cli_test)]
fn a_record_that_makes_no_sense_is_refused() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--report", "jsonl=whole.jsonl"]).status(0);
    let whole = workspace.read("whole.jsonl");
    let damaged: Vec<String> =
        whole.lines().enumerate().map(|(n, line)| if n == 2 { "{".to_owned() } else { line.to_owned() }).collect();
    workspace.file("damaged.jsonl", damaged.join("\n") + "\n");
    workspace.file("newer.jsonl", whole.replacen("\"schema\":1", "\"schema\":99", 1));
    for (name, says) in [("damaged", "line 3: damaged"), ("newer", "schema 99")] {
        let file = format!("{name}.jsonl");
        let run = workspace.grader(&["report", &file, "--report", "junit=j.xml"]);
        run.status(2).says(&file).says(says).says("→");
        assert!(!workspace.path("j.xml").exists());
    }
}
