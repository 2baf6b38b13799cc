//! `grader export`, `import` and `upgrade`: nothing is lost without a word. A problem that has everything goes to every
//! format, and each part of it is either there afterwards or listed.

use std::path::Path;

use macro_rules_attribute::apply;

use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

const FORMATS: [&str; 8] =
    ["icpc-2025-09", "icpc-legacy", "domjudge", "kattis", "dmoj", "hydro", "italy-yaml", "polygon"];

/// The parts of the problem: a word that only this part contains, and how a list of losses calls the part.
const PARTS: &[(&str, &str)] = &[
    ("word-of-licence", "license"),
    ("word-of-keywords", "keywords"),
    ("word-of-source", "source"),
    ("word-of-owner", "rights_owner"),
    ("word-of-author", "credits"),
    ("word-of-helper", "credits"),
    ("2031-01-01", "embargo_until"),
    ("word-of-version", "version"),
    ("word-of-uuid", "uuid"),
    ("word-of-german-title", "titles"),
    ("word-of-statement", "a statement"),
    ("word-of-german-statement", "problem.de.md"),
    ("word-of-figure", "figure.svg"),
    ("word-of-solution", "solution/"),
    ("word-of-attachment", "attachments/"),
    ("word-of-validator", "input_validators/"),
    ("word-of-generator", "generators/"),
    ("word-of-hint", "01.hint"),
    ("word-of-description", "01.desc"),
    ("word-of-hint-of-2", "hint of secret/02"),
    ("word-of-shown-sample", "1.in.statement"),
    ("word-of-picture", "01.svg"),
    ("word-of-slow", "submission"),
    ("word-of-wrong", "submission"),
];

/// A problem that has everything which the formats can say in some way.
fn rich() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .sum("rich")
        .toml(
            "license = \"cc by-sa\" # word-of-licence\nkeywords = [\"word-of-keywords\"]\nrights_owner = \"word-of-owner\"\n\
             embargo_until = \"2031-01-01\"\nuuid = \"word-of-uuid\"\nversion = \"word-of-version\"\nreference = \"accepted/sum.sh\"\n\
             [name]\nen = \"Rich\"\nde = \"word-of-german-title\"\n[source]\nname = \"word-of-source\"\n\
             [credits]\nauthors = [\"word-of-author\"]\ntesters = [\"word-of-helper\"]\n\
             [limits]\ntime_limit = 1.0\nmemory = 256\n",
        )
        .file("statement/problem.en.md", "word-of-statement ![](figure.svg)\n")
        .file("statement/problem.de.md", "word-of-german-statement\n")
        .file("statement/figure.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- word-of-figure --></svg>\n")
        .file("solution/solution.en.md", "word-of-solution\n")
        .file("attachments/a.txt", "word-of-attachment\n")
        .file("input_validators/check.sh", "# word-of-validator\nread a b && exit 42\nexit 43\n")
        .file("generators/gen.sh", "# word-of-generator\n")
        .submission("time_limit_exceeded/slow.sh", "# word-of-slow\nsleep 9\n")
        .submission("wrong_answer/wrong.sh", "# word-of-wrong\necho 1\n");
    workspace
        .file("testcases/rich/secret/01.hint", "word-of-hint\n")
        .file("testcases/rich/secret/01.desc", "word-of-description\n")
        .file(
            "testcases/rich/secret/01.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- word-of-picture --></svg>\n",
        )
        .file("testcases/rich/secret/02.yaml", "hint: word-of-hint-of-2\n")
        .file("testcases/rich/sample/1.in.statement", "word-of-shown-sample\n");
    workspace
}

/// Whether a file below a directory contains a word.
fn holds(dir: &Path, word: &str) -> bool {
    let files = walkdir::WalkDir::new(dir).into_iter().map(|entry| entry.unwrap());
    let mut files = files.filter(|entry| entry.file_type().is_file());
    files.any(|file| String::from_utf8_lossy(&std::fs::read(file.path()).unwrap()).contains(word))
}

/// Whether a list of losses names a part: a line that begins with a mark and contains the word.
fn lists(run: &Run, part: &str) -> bool {
    let is_listed = |line: &str| line.trim_start().starts_with(['✗', '-', '!']) && line.contains(part);
    run.stdout.lines().any(is_listed)
}

#[apply(cli_test)]
fn everything_is_written_or_listed() {
    let workspace = rich();
    for format in FORMATS {
        let run = workspace.grader(&["export", "rich", "--force", "--lossy", "--for", format, "-o", format]);
        run.status(0);
        let out = workspace.path(format).join("rich");
        for (word, part) in PARTS {
            let word = if *word == "word-of-licence" { "cc by-sa" } else { word };
            let by_name = lists(&run, part) || part == &"credits" && lists(&run, "authors");
            assert!(holds(&out, word) || by_name, "{format}: {word} is neither written nor listed\n{}", run.all());
        }
        // What was written comes back, or the import lists it.
        let back = format!("back-{format}");
        let import = workspace.grader(&["import", &format!("{format}/rich"), "--lossy", "--out", &back]);
        import.status(0);
        for (word, part) in PARTS {
            let word = if *word == "word-of-licence" { "cc by-sa" } else { word };
            let is_listed = lists(&run, part) || lists(&import, part) || part == &"credits" && lists(&run, "authors");
            // For DOMjudge it is on the page alone, which grader makes anew.
            let is_of_page = format == "domjudge" && *part == "1.in.statement";
            let is_back = is_of_page || holds(&workspace.path(&back), word);
            assert!(is_back || is_listed, "{format}: {word} does not come back\n{}{}", run.all(), import.all());
        }
    }
}

/// A problem with points, whose submissions get all, some or none of them whatever their labels say.
fn scored() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.sum("scored");
    problem
        .toml("type = \"scoring\"\nname = \"Scored\"\n[limits]\ntime_limit = 1.5\nmemory = 256\n")
        .file("input_validators/check.sh", "read a b && exit 42\nexit 43\n")
        .file("statement/problem.en.md", "Add.\n")
        .submission("partially_accepted/some.sh", "read a b\n[ \"$a\" = 1 ] && echo 3 && exit\necho $b\n")
        .submission("wrong_answer/some-too.sh", "read a b\n[ \"$a\" = 1 ] && echo 7 && exit\necho $b\n")
        .submission("wrong_answer/none.sh", "echo x\n");
    for case in ["01", "02", "03"] {
        for ending in ["in", "ans"] {
            std::fs::remove_file(workspace.path(format!("testcases/scored/secret/{case}.{ending}"))).unwrap();
        }
    }
    for (case, input, answer) in [("a/1", "0 4\n", "4\n"), ("b/1", "3 4\n", "7\n")] {
        workspace
            .file(format!("testcases/scored/secret/{case}.in"), input)
            .file(format!("testcases/scored/secret/{case}.ans"), answer);
    }
    workspace
        .file("testcases/scored/secret/a/test_group.toml", "max_score = 40\n")
        .file("testcases/scored/secret/b/test_group.toml", "max_score = 60\n");
    workspace
}

#[apply(cli_test)]
fn labels_follow_the_points() {
    let workspace = scored();
    workspace.run(&["scored"]).status(0).shows("PASS  4 as expected");
    for format in ["icpc-2025-09", "icpc-legacy", "domjudge", "kattis", "polygon"] {
        let run = workspace.grader(&["export", "scored", "--force", "--lossy", "--for", format, "-o", format]);
        run.status(0).hides("no keys for them");
        if ["icpc-legacy", "domjudge", "kattis"].contains(&format) {
            run.shows("the label wrong_answer of wrong_answer/some-too.sh: its points are partially_accepted");
            let kept = format!("{format}/scored/submissions/partially_accepted/some-too.sh");
            assert!(workspace.path(&kept).is_file(), "{kept}");
        }
        if format != "polygon" {
            workspace.run(&[&format!("{format}/scored")]).status(0).shows("PASS  4 as expected");
        }
    }
    let stated = workspace.read("icpc-2025-09/scored/submissions/submissions.yaml");
    assert!(stated.contains("score:\n  - 1\n  - 99\n"), "{stated}");
}

#[apply(cli_test)]
fn what_grader_writes_for_polygon_it_reads() {
    let workspace = Workspace::new();
    workspace
        .sum("own")
        .toml("name = \"Own\"\n[limits]\ntime_limit = 1\nmemory = 256\n")
        .file("output_validator/check.py", "import sys\nsys.exit(42)\n")
        .file("statement/problem.en.md", "Add them.\n")
        .file("statement/problem.de.tex", "Addiere.\n")
        .submission("accepted/sum.py", "print(sum(map(int, input().split())))\n")
        .submission("wrong_answer/none.cpp", "int main() {}\n")
        .submission("mixed/any.py", "print(1)\n");
    std::fs::remove_file(workspace.path("problems/own/submissions/accepted/sum.sh")).unwrap();
    let run = workspace.grader(&["export", "own", "--force", "--lossy", "--for", "polygon", "-o", "out"]);
    run.status(0).shows("check.py: Polygon runs programs with the protocol of testlib").shows("! wrote out/own");
    run.shows("anything of mixed/any.py: its tag is `do-not-run`");
    workspace.run(&["out/own", "-s", "sum.py"]).status(0).shows("PASS  1 as expected").silent();
    // Its statements come back, and what nobody runs is listed.
    let import = workspace.grader(&["import", "out/own", "--out", "back"]);
    import.status(0).shows("solutions/any.py: its tag is `do-not-run`").shows("✓ made 1 problem");
    // The version of C++ that grader writes there is that of files which state none.
    import.hides("the version of the language");
    workspace.grader(&["statement", "out/own"]).status(0).shows("own.de.html").shows("own.en.html");
    assert_eq!(workspace.read("back/problems/own/statement/problem.en.md"), "Add them.\n");
    assert_eq!(workspace.read("back/problems/own/statement/problem.de.tex"), "Addiere.\n");
}

#[apply(cli_test)]
fn a_checker_by_name_needs_no_flags() {
    let workspace = Workspace::new();
    workspace
        .sum("lines")
        .toml("name = \"Lines\"\nchecker = \"lcmp\"\n[limits]\ntime_limit = 1\nmemory = 256\n")
        .submission("accepted/sum.py", "print(sum(map(int, input().split())))\n");
    std::fs::remove_file(workspace.path("problems/lines/submissions/accepted/sum.sh")).unwrap();
    workspace.grader(&["export", "lines", "--force", "--lossy", "--for", "polygon", "-o", "out"]).status(0);
    workspace.grader(&["import", "out/lines", "--out", "back"]).status(0).shows("✓ made 1 problem");
    let metadata = workspace.read("back/problems/lines/problem.yaml");
    assert!(metadata.contains("checker: lcmp\n"), "{metadata}");
    // Other tools have no word for it.
    let export = workspace.grader(&["export", "lines", "--force", "--for", "icpc-2025-09"]);
    export.status(2).shows("lcmp: no flags of the default output validator compare so; write your own validator");
    let export = workspace.grader(&["export", "lines", "--force", "--for", "dmoj"]);
    export.status(2).shows("lcmp: no checker that grader writes for DMOJ compares so; write your own");
}

#[apply(cli_test)]
fn an_export_for_domjudge_comes_back() {
    let workspace = rich();
    workspace.grader(&["export", "rich", "--force", "--lossy", "--for", "domjudge", "-o", "rich.zip"]).status(0);
    let import = workspace.grader(&["import", "rich.zip", "--out", "back"]);
    import.status(0).shows("✓ made 1 problem").hides("problem.html");
    let statement = workspace.read("back/problems/rich/statement/problem.en.md");
    assert!(statement.contains("word-of-statement"), "{statement}");
    // A page alone is kept too.
    workspace
        .file("page/problem.yaml", "name: Page\n")
        .file("page/problem_statement/problem.html", "<p>Add.</p>\n")
        .file("page/data/secret/1.in", "1 2\n")
        .file("page/data/secret/1.ans", "3\n")
        .file("page/submissions/accepted/sum.sh", SUM);
    workspace.grader(&["import", "page", "--out", "back"]).status(0);
    assert_eq!(workspace.read("back/problems/page/statement/problem.en.html"), "<p>Add.</p>\n");
}

#[apply(cli_test)]
fn names_and_empty_folders() {
    let workspace = Workspace::new();
    let problem = workspace.sum("sum");
    problem.toml("name = \"Sum\"\n[limits]\ntime_limit = 1\nmemory = 256\n");
    std::fs::create_dir_all(workspace.path("problems/sum/include/python")).unwrap();
    let export = |out: &str| workspace.grader(&["export", "sum", "--force", "--for", "domjudge", "-o", out]);
    for out in ["sum.tar.gz", "sum.7z"] {
        export(out).status(2).says("has the ending of an archive that grader does not write").says("name a .zip file");
        assert!(!workspace.path(out).exists());
    }
    export("sum.zip").status(0).hides("include/");
    std::fs::remove_dir_all(workspace.path("problems/sum/include")).unwrap();
    // An export beside the project does not take its cases, and so there is nothing to warn of.
    workspace.grader(&["export", "sum", "--force", "--for", "domjudge", "-o", "here"]).status(0);
    workspace.run(&["here/sum"]).status(0).silent();
    workspace.grader(&["export", "sum", "--force", "--for", "kattis", "-o", "a"]).status(0);
    let import = workspace.grader(&["import", "a/sum", "sum.zip", "--out", "both"]);
    import.status(2).says("a/sum and sum.zip both become problems/sum").says("rename one of them");
    assert!(!workspace.path("both").exists());
}

#[apply(cli_test)]
fn a_problem_for_hydro_comes_back() {
    let workspace = Workspace::new();
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n";
    workspace
        .sum("sum")
        .toml("name = \"Sum\"\nkeywords = [\"easy\"]\n[limits]\ntime_limit = 1.5\nmemory = 256\n")
        .file("statement/problem.en.md", "Add them. ![A cat](cat.svg)\n")
        .file("statement/cat.svg", svg);
    let export = workspace.grader(&["export", "sum", "--force", "--for", "hydro", "-o", "sum.zip"]);
    export.status(0).shows("submissions/: Hydro keeps no solutions").hides("cat.svg");
    workspace.file("mine.sh", SUM).file("wrong.sh", "echo 1\n");
    workspace.run(&["sum.zip", "mine.sh"]).status(0).shows("PASS  1 as expected");
    workspace.run(&["sum.zip", "wrong.sh"]).status(1).shows("expected AC, got WA");
    let import = workspace.grader(&["import", "sum.zip", "--out", "back"]);
    import.status(0).shows("✓ made 1 problem");
    // Contestants see the samples there, and here once.
    let statement = workspace.read("back/problems/sum/statement/problem.en.md");
    assert!(statement.contains("Add them. ![A cat](cat.svg)") && !statement.contains("```input1"), "{statement}");
    assert_eq!(workspace.read("back/problems/sum/statement/cat.svg"), svg);
    assert!(!workspace.path("back/problems/sum/attachments").exists(), "a picture is not a file for contestants");
    let metadata = workspace.read("back/problems/sum/problem.yaml");
    assert!(metadata.contains("name:\n  en: Sum") && metadata.contains("easy"), "{metadata}");
    assert!(workspace.path("back/testcases/sum/sample").is_dir());
}

#[apply(cli_test)]
fn a_package_of_polygon_keeps_what_it_says() {
    let workspace = Workspace::bare();
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages/polygongroups");
    let files = walkdir::WalkDir::new(&package).into_iter().map(|entry| entry.unwrap());
    for file in files.filter(|entry| entry.file_type().is_file()) {
        let below = file.path().strip_prefix(&package).unwrap();
        workspace.file(Path::new("groups").join(below), std::fs::read(file.path()).unwrap());
    }
    let other = "<testset name=\"pretests\"><time-limit>1000</time-limit><memory-limit>268435456</memory-limit>\
                 <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
                 <tests><test method=\"manual\"/></tests></testset></judging>";
    workspace.file("groups/problem.xml", workspace.read("groups/problem.xml").replace("</judging>", other));
    workspace.file("groups/statement-sections/english/legend.tex", "Add.\n");
    let run = workspace.grader(&["export", "groups", "--force", "--lossy", "--for", "polygon", "-o", "out"]);
    run.status(0).shows("testset pretests: grader writes one testset").hides("feedback-policy");
    let xml = workspace.read("out/groups/problem.xml");
    for policy in ["points", "icpc"] {
        assert!(xml.contains(&format!("feedback-policy=\"{policy}\"")), "{policy}: {xml}");
    }
    assert_eq!(workspace.read("out/groups/statement-sections/english/legend.tex"), "Add.\n");
    let import = workspace.grader(&["import", "groups", "--lossy", "--out", "back"]);
    import.status(0).shows("testset pretests").shows("feedback-policy of groups");
}

#[apply(cli_test)]
fn an_archive_that_does_not_exist_is_named() {
    let run = Workspace::new().grader(&["import", "nothing.zip"]);
    run.status(2).says("error: there is no file nothing.zip\n  → correct the path");
    assert!(!run.all().contains("grader list"), "{}", run.all());
}

#[apply(cli_test)]
fn a_plain_folder_loses_nothing() {
    let workspace = Workspace::bare();
    workspace
        .file("plain/sol.sh", SUM)
        .file("plain/1.in", "1 2\n")
        .file("plain/1.ans", "3\n")
        .file("plain/1.hint", "Add.\n")
        .file("plain/picture.png", "no part of a case");
    let export = workspace.grader(&["export", "plain", "--force", "--for", "dmoj", "-o", "out.zip"]);
    export.status(0).shows("- 1.hint: dmoj has no place for it").hides("picture.png");
    workspace.grader(&["import", "plain", "--out", "in"]).status(0).shows("✓ made 1 problem").hides("no keys");
    assert!(workspace.path("in/problems/plain/submissions/accepted/sol.sh").is_file());
}

#[apply(cli_test)]
fn keys_of_the_legacy_format_stay_or_are_listed() {
    let workspace = Workspace::bare();
    let yaml = "name: Sum\nlimits: {time_multiplier: 5, time_safety_margin: 2, code: 64}\n\
                grading: {show_test_data_groups: true}\n";
    workspace
        .file("sum/problem.yaml", yaml)
        .file("sum/problem_statement/problem.tex", "\\problemname{Sum}\nAdd.\n")
        .file("sum/data/secret/1.in", "4 4\n")
        .file("sum/data/secret/1.ans", "8\n")
        .file("sum/submissions/accepted/sum.sh", SUM);
    workspace.grader(&["export", "sum", "--force", "--for", "icpc-legacy", "-o", "legacy"]).status(0);
    let yaml = workspace.read("legacy/sum/problem.yaml");
    for key in ["time_multiplier: 5", "time_safety_margin: 2", "code: 64", "show_test_data_groups: true"] {
        assert!(yaml.contains(key), "{key}: {yaml}");
    }
    let lost = "- grading.show_test_data_groups: icpc-2025-09 has no place for it";
    workspace.grader(&["upgrade", "sum"]).status(0).shows(lost);
    let yaml = workspace.read("sum/problem.yaml");
    assert!(yaml.contains("code: 64") && !yaml.contains("show_test_data_groups"), "{yaml}");
}

#[apply(cli_test)]
fn files_that_are_no_part_of_a_package_are_listed() {
    let workspace = Workspace::new();
    let problem = workspace.sum("sum");
    problem.file("README.md", "Read me.\n").file("LICENSE", "Free.\n").file("notes/1.txt", "To do.\n");
    for format in FORMATS {
        let run = workspace.grader(&["export", "sum", "--force", "--lossy", "--for", format, "-o", format]);
        run.status(0).shows(&format!("- LICENSE, README.md, notes/: no part of a problem in {format}"));
    }
}
