//! `grader export`: what is written, what is refused, and the archives as other judges read them. That exports of all
//! packages get the same verdicts is tried in `exports`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use yaml_serde::Value;
use zip::ZipArchive;

use crate::cli::need::{Need, mount_tmpfs, unmount};
use crate::cli::run::Run;
use crate::cli::testlib::{CHECKER, HEADER};
use crate::cli::workspace::{SUM, Workspace};

/// A valid problem with everything that `grader verify` wants.
fn sound() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .sum("sum-of-two")
        .toml("name = \"Sum of Two\"\n[limits]\ntime_limit = 1.5\nmemory = 256\n")
        .file("input_validators/check.sh", "read a b && exit 42\nexit 43\n")
        .file("statement/problem.en.md", "Add two numbers.\n")
        .submission("wrong_answer/less.sh", "read a b\necho $((a - b))\n");
    workspace
}

fn export(workspace: &Workspace, words: &[&str]) -> Run {
    workspace.grader(&[&["export", "--force"], words].concat())
}

/// The files of an archive.
fn files(archive: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut zip = ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    let mut files = BTreeMap::new();
    for at in 0..zip.len() {
        let mut file = zip.by_index(at).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

fn yaml(text: &[u8]) -> Value {
    yaml_serde::from_slice(text).unwrap()
}

#[apply(cli_test)]
fn a_problem_becomes_a_package() {
    let workspace = sound();
    export(&workspace, &["sum-of-two", "--for", "icpc-2025-09"]).status(0).shows("wrote sumoftwo.zip for icpc-2025-09");
    let files = files(&workspace.path("sumoftwo.zip"));
    let metadata = yaml(&files["sumoftwo/problem.yaml"]);
    assert_eq!(metadata["problem_format_version"], "2025-09");
    assert_eq!(metadata["name"]["en"], "Sum of Two");
    assert_eq!(metadata["limits"]["time_limit"], Value::from(1.5));
    assert_eq!(metadata["limits"]["time_resolution"], Value::from(0.5));
    assert_eq!(metadata["limits"]["memory"], Value::from(256));
    assert_eq!(files["sumoftwo/data/secret/02.in"], b"10 5\n");
    assert_eq!(files["sumoftwo/statement/problem.en.md"], b"Add two numbers.\n");
    assert!(files.contains_key("sumoftwo/submissions/wrong_answer/less.sh"), "{:?}", files.keys());
    // The same export again has the same bytes, and the same uuid.
    export(&workspace, &["sum-of-two", "--for", "icpc-2025-09", "-o", "again.zip"]).status(0);
    assert_eq!(
        std::fs::read(workspace.path("sumoftwo.zip")).unwrap(),
        std::fs::read(workspace.path("again.zip")).unwrap()
    );
    // The archive itself is a problem.
    workspace.run(&["again.zip"]).status(0).shows("2 as expected");
}

#[apply(cli_test)]
fn each_statement_has_a_title() {
    let workspace = sound();
    let problem = workspace.problem("sum-of-two");
    problem.file("statement/problem.de.md", "# Summe\n\nAddiere.\n").file("statement/problem.fr.md", "Additionner.\n");
    let run = |format: &str| export(&workspace, &["sum-of-two", "--for", format, "-o", format]);
    for format in ["icpc-2025-09", "icpc-legacy", "kattis"] {
        run(format)
            .status(0)
            .shows("! a title in `fr`: the format wants one for each language")
            .hides("a title in `de`");
        let name = &yaml(workspace.read(format!("{format}/sumoftwo/problem.yaml")).as_bytes())["name"];
        let titles = ["en", "de", "fr"].map(|language| name[language].as_str().unwrap_or_default());
        assert_eq!(titles, ["Sum of Two", "Summe", "Sum of Two"], "{format}");
    }
    let workspace = sound();
    workspace.problem("sum-of-two").toml("[name]\nen = \"Sum of Two\"\nru = \"Сумма\"\n");
    let run = export(&workspace, &["sum-of-two", "--for", "icpc-2025-09", "-o", "out"]);
    run.status(0).shows("- the title in `ru`: there is no statement in this language");
    let text = workspace.read("out/sumoftwo/problem.yaml");
    assert!(!text.contains("Сумма"), "{text}");
    // A package whose names and statements differ has a finding.
    workspace.file("out/sumoftwo/statement/problem.ru.md", "Сложите.\n");
    workspace
        .grader(&["verify", "out/sumoftwo", "--try-time", "0"])
        .shows("no name in the language of this statement, `ru`");
}

#[apply(cli_test)]
fn a_uuid_is_kept() {
    let workspace = sound();
    let own = "00000000-1111-2222-3333-444444444444";
    workspace.problem("sum-of-two").toml(&format!("uuid = \"{own}\"\nlicense = \"cc by-sa\"\n"));
    for format in ["icpc-2025-09", "icpc-legacy", "kattis", "domjudge"] {
        export(&workspace, &["sum-of-two", "--for", format, "-o", format]).status(0);
        let metadata = yaml(workspace.read(format!("{format}/sumoftwo/problem.yaml")).as_bytes());
        assert_eq!(metadata["uuid"], own, "{format}");
        assert_eq!(metadata["license"], "cc by-sa", "{format}");
    }
}

#[apply(cli_test)]
fn what_problem_yaml_says_of_a_native_problem_is_kept() {
    let workspace = sound();
    std::fs::remove_file(workspace.path("problems/sum-of-two/problem.toml")).unwrap();
    let own = "00000000-1111-2222-3333-444444444444";
    let text = format!(
        "problem_format_version: 2025-09\nname: {{en: Sum, de: Summe}}\nuuid: {own}\nlicense: cc by-sa\nrights_owner: Jury\n\
         credits: {{authors: [Ann], testers: [Tom]}}\nlimits: {{time_limit: 1.5, memory: 256}}\n"
    );
    let problem = workspace.problem("sum-of-two");
    problem.file("problem.yaml", &text).file("statement/problem.de.md", "Addiere.\n");
    for format in ["icpc-2025-09", "icpc-legacy", "kattis", "domjudge"] {
        let run = export(&workspace, &["sum-of-two", "--for", format, "-o", format]);
        run.status(0);
        let text = workspace.read(format!("{format}/sumoftwo/problem.yaml"));
        let metadata = yaml(text.as_bytes());
        assert_eq!(metadata["uuid"], own, "{format}");
        assert_eq!(metadata["license"], "cc by-sa", "{format}");
        assert_eq!(metadata["rights_owner"], "Jury", "{format}");
        for word in ["Ann", if format == "domjudge" { "Sum" } else { "Summe" }] {
            assert!(text.contains(word), "{format}: {word}: {text}");
        }
        assert!(text.contains("Tom") || run.all().contains("credits"), "{format}: {}", run.all());
    }
}

#[apply(cli_test)]
fn names_that_differ_by_case_are_an_error() {
    let refused = |workspace: &Workspace, name: &str| {
        let run = export(workspace, &["sum-of-two", "--for", "kattis"]);
        run.status(2).says(name).says("differ only by the case of letters").says("rename one of them");
        assert!(!workspace.path("sumoftwo.zip").exists());
    };
    let workspace = sound();
    workspace.problem("sum-of-two").case("secret/2-one", "1 2\n", "3\n").case("secret/2-ONE", "1 3\n", "4\n");
    refused(&workspace, "data/secret/2-ONE");
    let workspace = sound();
    workspace.problem("sum-of-two").submission("wrong_answer/Less.sh", "echo 1\n");
    refused(&workspace, "submissions/wrong_answer/Less.sh");
    // In two folders, both can stay.
    let workspace = sound();
    workspace.problem("sum-of-two").submission("time_limit_exceeded/Less.sh", "sleep 9\n");
    export(&workspace, &["sum-of-two", "--for", "kattis"]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_full_disk_is_named_once() {
    let workspace = sound();
    let text: String = (0u32..60_000).map(|number| number.wrapping_mul(2_654_435_761).to_string() + "\n").collect();
    workspace.problem("sum-of-two").file("attachments/large.txt", &text);
    std::fs::create_dir(workspace.path("full")).unwrap();
    assert!(mount_tmpfs(&workspace.path("full"), "64k"));
    let run = export(&workspace, &["sum-of-two", "--for", "kattis", "-o", "full/sum.zip"]);
    let left = std::fs::read_dir(workspace.path("full")).unwrap().count();
    unmount(&workspace.path("full"));
    run.status(2).says("cannot write").says("full/sum.zip: ").says("→ free some space, or name another place with -o");
    assert!(!run.all().contains("ZipWriter") && !run.all().contains(".grader-"), "{}", run.all());
    assert_eq!(left, 0);
}

#[apply(cli_test)]
fn nothing_is_overwritten_and_nothing_is_half_written() {
    let workspace = sound();
    workspace.file("sumoftwo.zip", "mine").file("out/sumoftwo/mine", "mine").file("file", "mine");
    let refused = |words: &[&str], says: &str| {
        let run = export(&workspace, &[&["sum-of-two", "--for", "kattis"], words].concat());
        run.status(2).says(says);
    };
    refused(&[], "sumoftwo.zip exists already; grader overwrites nothing");
    refused(&["-o", "out"], "out/sumoftwo exists already");
    refused(&["-o", "file"], "file");
    assert_eq!(workspace.read("sumoftwo.zip"), "mine");
    assert_eq!(workspace.read("file"), "mine");
    export(&workspace, &["sum-of-two", "--for", "kattis", "-o", "new/here.zip"]).status(0).shows("wrote new/here.zip");
    let left = std::fs::read_dir(workspace.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let strange: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with(".grader-")).collect();
    assert!(strange.is_empty(), "{strange:?}");
}

#[apply(cli_test)]
#[needs(&[Need::NoRoot])]
fn a_folder_that_cannot_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = sound();
    std::fs::create_dir(workspace.path("closed")).unwrap();
    std::fs::set_permissions(workspace.path("closed"), std::fs::Permissions::from_mode(0o555)).unwrap();
    for out in ["closed/sum.zip", "closed"] {
        export(&workspace, &["sum-of-two", "--for", "kattis", "-o", out]).status(2).says("closed").says("denied");
    }
}

#[apply(cli_test)]
fn losses_are_listed_and_need_consent() {
    let workspace = sound();
    workspace.file("testcases/sum-of-two/secret/test_group.toml", "[limits]\ntime_limit = 3\n");
    let run = export(&workspace, &["sum-of-two", "--for", "domjudge"]);
    run.status(2)
        .shows("domjudge cannot say:")
        .shows("limits of secret: all groups have the same limits")
        .says("--lossy");
    assert!(!workspace.path("sumoftwo.zip").exists());
    export(&workspace, &["sum-of-two", "--for", "domjudge", "--lossy"]).status(0).shows("limits of secret");
    assert!(workspace.path("sumoftwo.zip").exists());
}

#[apply(cli_test)]
fn unsound_problems_need_force() {
    let workspace = sound();
    workspace.problem("sum-of-two").submission("accepted/wrong.sh", "echo 1\n");
    workspace.problem("sum-of-two").toml("reference = \"accepted/sum.sh\"\n");
    let words = ["export", "sum-of-two", "--for", "kattis"];
    workspace.grader(&words).status(1).says("accepted/wrong.sh").says("`grader verify` finds errors").says("--force");
    assert!(!workspace.path("sumoftwo.zip").exists());
    workspace.grader(&[&words[..], &["--force"]].concat()).status(0);
    let sound = sound();
    sound.grader(&words).status(0);
}

#[apply(cli_test)]
fn names_that_other_judges_refuse() {
    let workspace = Workspace::new();
    workspace.sum("九");
    export(&workspace, &["九", "--for", "kattis"]).status(2).says("no letter or digit").says("rename the folder");
    let workspace = Workspace::new();
    workspace.sum("a-b");
    workspace.sum("ab");
    let run = export(&workspace, &["a-b", "ab", "--for", "kattis"]);
    run.status(2).says("problems/a-b").says("both become ab");
    let workspace = sound();
    workspace.file("problems/sum-of-two/attachments/a/x.txt", "1").file("problems/sum-of-two/attachments/b/x.txt", "2");
    let run = export(&workspace, &["sum-of-two", "--for", "kattis"]);
    run.status(2).says("both become attachments/x.txt");
    let workspace = sound();
    workspace.file("problems/sum-of-two/attachments/x.txt", "1").file("problems/sum-of-two/attachments/X.txt", "2");
    export(&workspace, &["sum-of-two", "--for", "kattis"]).status(2).says("differ only by the case of letters");
}

#[apply(cli_test)]
fn odd_folders_become_plain_packages() {
    let workspace = Workspace::bare();
    workspace.file("two sums/sum.sh", SUM).file("two sums/1.in", "1 2\n").file("two sums/1.out", "3\n");
    workspace.file("two sums/größte 2.in", "3 4\n").file("two sums/größte 2.out", "7\n").file("two sums/3.in", "5 5\n");
    let words = ["two sums", "--for", "icpc-2025-09", "-o", "out"];
    export(&workspace, &words).status(2).shows("case 3: it has no answer");
    export(&workspace, &[&words[..], &["--lossy"]].concat()).status(0);
    assert_eq!(workspace.read("out/twosums/data/secret/1.ans"), "3\n");
    assert_eq!(workspace.read("out/twosums/data/secret/gr__te_2.ans"), "7\n");
    assert!(workspace.read("out/twosums/data/secret/test_group.yaml").contains("case_sensitive"));
    workspace.run(&["out/twosums"]).status(0);
}

#[apply(cli_test)]
fn contests_have_letters_and_samples() {
    let workspace = Workspace::new();
    for slug in ["one", "two", "three"] {
        workspace.sum(slug).toml("[limits]\ntime_limit = 2\n");
    }
    let list = "- {id: two, label: X, rgb: '#ff0000'}\n- {id: one}\n- {id: three, label: A}\n";
    workspace.file("problems/problems.yaml", list).file("problems/contest.yaml", "name: Ours\nduration: 5:00:00\n");
    workspace.file("problems/two/attachments/tool.py", "print()\n");
    export(&workspace, &["problems", "--for", "domjudge", "-o", "contest.zip"]).status(0);
    let outer = files(&workspace.path("contest.zip"));
    let listed = yaml(&outer["problems.yaml"]);
    let rows: Vec<(&str, &str)> = listed
        .as_sequence()
        .unwrap()
        .iter()
        .map(|row| (row["id"].as_str().unwrap(), row["label"].as_str().unwrap()))
        .collect();
    assert_eq!(rows, [("two", "X"), ("one", "B"), ("three", "A")]);
    assert_eq!(listed[0]["rgb"], "#ff0000");
    assert_eq!(outer["contest.yaml"], b"name: Ours\nduration: 5:00:00\n");
    workspace.file("problems/problems.yaml", "- {id: two, label: A}\n- {id: three, label: A}\n");
    let run = export(&workspace, &["problems", "--for", "domjudge", "-o", "same.zip"]);
    run.status(2).says("both have the letter A").says("change it in problems.yaml");
    workspace.file("problems/problems.yaml", list);
    workspace.file("inner/one.zip", &outer["one.zip"]).file("samples.zip", &outer["samples.zip"]);
    as_domjudge(&workspace.path("inner/one.zip"));
    let samples = files(&workspace.path("samples.zip"));
    let names: Vec<&str> = samples.keys().map(String::as_str).collect();
    assert_eq!(names, ["A/1.ans", "A/1.in", "B/1.ans", "B/1.in", "X/1.ans", "X/1.in", "X/tool.py"]);
    // A directory is a contest that grader reads.
    export(&workspace, &["problems", "--for", "icpc-2025-09", "-o", "out"]).status(0);
    workspace.grader(&["list", "out/problems"]).status(0).shows("two ").shows("  X  ");
    workspace.run(&["out/problems"]).status(0).shows("3 as expected");
}

#[apply(cli_test)]
fn a_contest_comes_back() {
    let workspace = Workspace::new();
    for slug in ["one", "two", "three"] {
        workspace.sum(slug).toml("[limits]\ntime_limit = 2\n");
    }
    let list = "- {id: two, label: X, rgb: '#ff0000'}\n- {id: one, color: light green}\n- {id: three, label: A}\n";
    let settings = "name: Ours\nduration: 5:00:00\n";
    workspace.file("problems/problems.yaml", list).file("problems/contest.yaml", settings);
    for format in ["icpc-2025-09", "domjudge", "hydro"] {
        let archive = format!("{format}.zip");
        export(&workspace, &["problems", "--for", format, "-o", &archive]).status(0);
        if format == "hydro" {
            // Its importer takes the folders of an archive (`packages/hydrooj/src/model/problem.ts`, `import`).
            assert!(files(&workspace.path(&archive)).contains_key("one/problem.yaml"));
        } else {
            workspace.run(&[&archive]).status(0).shows("3 as expected");
        }
        let run = workspace.grader(&["import", &archive, "--out", format]);
        run.status(0).shows("problems.yaml has order, letters").shows("contest.yaml has the name of the contest");
        assert_eq!(workspace.read(format!("{format}/problems/contest.yaml")), settings);
        let listed = yaml(workspace.read(format!("{format}/problems/problems.yaml")).as_bytes());
        let rows: Vec<Vec<Option<&str>>> = listed
            .as_sequence()
            .unwrap()
            .iter()
            .map(|row| ["id", "label", "rgb", "color"].iter().map(|key| row[*key].as_str()).collect())
            .collect();
        let expect = [
            [Some("two"), Some("X"), Some("#ff0000"), None],
            [Some("one"), Some("B"), None, Some("light green")],
            [Some("three"), Some("A"), None, None],
        ];
        assert_eq!(rows, expect);
    }
    // A list that is there stays, and the page says what to add.
    workspace.file("kept/problems/contest.yaml", "name: Mine\n");
    workspace.file("kept/problems/problems.yaml", "- id: other\n").file("kept/problems/other/problem.toml", "");
    let run = workspace.grader(&["import", "domjudge.zip", "--out", "kept"]);
    run.status(0).shows("problems.yaml exists and stays").shows("- id: two").shows("label: X");
    run.shows("contest.yaml exists and stays");
    assert_eq!(workspace.read("kept/problems/contest.yaml"), "name: Mine\n");
    assert_eq!(workspace.read("kept/problems/problems.yaml"), "- id: other\n");
}

#[apply(cli_test)]
fn a_list_that_cannot_be_read_is_an_error() {
    let workspace = Workspace::with_sum();
    workspace.file("problems/problems.yaml", "- id: sum\n  label: [A\n");
    workspace.grader(&["list"]).status(2).says("error: problems/problems.yaml: line 2, column 10: syntax error");
    workspace.file("problems/problems.yaml", "- {id: sum, label: A, rgb: red}\n");
    let run = workspace.grader(&["list"]);
    run.status(0)
        .says("warning: problems/problems.yaml: line 1, column 23")
        .says("a colour such as \"#ff0000\", in quotes, found \"red\"");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("python3")])]
fn programs_with_testlib_follow_the_protocol_of_the_format() {
    let workspace = sound();
    workspace
        .problem("sum-of-two")
        .file("output_validator/check.cpp", CHECKER)
        .file("output_validator/testlib.h", HEADER)
        .toml("validator_protocol = \"testlib\"\n[limits]\ntime_limit = 2\n")
        .file("input_validators/check.py", "import sys\nsys.exit(0 if len(input().split()) == 2 else 1)\n");
    std::fs::remove_file(workspace.path("problems/sum-of-two/input_validators/check.sh")).unwrap();
    for format in ["icpc-2025-09", "icpc-legacy", "domjudge", "kattis"] {
        export(&workspace, &["sum-of-two", "--for", format, "-o", format]).status(0);
        workspace.run(&[&format!("{format}/sumoftwo")]).status(0).shows("2 as expected");
        let data_only = ["verify", "--data-only", "--try-time", "0", &format!("{format}/sumoftwo")];
        workspace.grader(&data_only).status(0);
    }
}

#[apply(cli_test)]
fn domjudge_reads_the_archive() {
    let workspace = sound();
    workspace
        .problem("sum-of-two")
        .toml("name = \"Sum\"\nchecker = \"float_tolerance 1e-6\"\n[limits]\ntime_limit = 1.5\n");
    workspace
        .file("testcases/sum-of-two/secret/group/1.in", "1 1\n")
        .file("testcases/sum-of-two/secret/group/1.ans", "2\n");
    export(&workspace, &["sum-of-two", "--for", "domjudge"]).status(0);
    let read = as_domjudge(&workspace.path("sumoftwo.zip"));
    assert_eq!(read.time_limit, "1.5");
    assert_eq!(read.cases, ["sample/1", "secret/01", "secret/02", "secret/03", "secret/group/1"]);
    assert_eq!(read.submissions, ["accepted/sum.sh", "wrong_answer/less.sh"]);
    assert_eq!(read.flags.as_deref(), Some("float_tolerance 1e-6"));
    assert_eq!(read.statement.as_deref(), Some("problem_statement/problem.html"));
}

#[apply(cli_test)]
fn domjudge_reads_points() {
    let workspace = with_points();
    workspace.file("testcases/sum-of-two/secret/b/test_group.toml", "max_score = 60\nscore_aggregation = \"min\"\n");
    export(&workspace, &["sum-of-two", "--for", "domjudge"]).status(0);
    as_domjudge(&workspace.path("sumoftwo.zip"));
    let files = files(&workspace.path("sumoftwo.zip"));
    assert_eq!(yaml(&files["data/secret/testdata.yaml"])["on_reject"], "continue");
    assert_eq!(yaml(&files["data/secret/b/testdata.yaml"])["range"], "0 60");
    workspace.run(&["sumoftwo.zip"]).status(0).shows("2 as expected");
}

#[apply(cli_test)]
fn domjudge_gets_the_statement_as_it_is_now() {
    let workspace = sound();
    export(&workspace, &["sum-of-two", "--for", "domjudge"]).status(0);
    let old = files(&workspace.path("sumoftwo.zip"))["problem_statement/problem.html"].clone();
    workspace.grader(&["import", "sumoftwo.zip"]).status(0).hides("problem.en.html");
    let kept = |name: &str| format!("problems/sumoftwo/statement/{name}");
    assert!(!workspace.path(kept("problem.en.html")).exists());
    // Nor does a page that was kept earlier hide the statement.
    workspace.file(kept("problem.en.html"), old).file(kept("problem.en.md"), "Add now.\n");
    export(&workspace, &["sumoftwo", "--for", "domjudge", "-o", "new"]).status(0).hides("problem.en.html");
    let page = workspace.read("new/sumoftwo/problem_statement/problem.html");
    assert!(page.contains("Add now."), "{page}");
    assert_eq!(workspace.read("new/sumoftwo/problem_statement/problem.en.md"), "Add now.\n");
    export(&workspace, &["sumoftwo", "--for", "hydro", "-o", "hydro"]).status(0).hides("problem.en.html");
    // The author's own page is another statement.
    workspace.file(kept("problem.en.html"), "<p>Mine.</p>\n");
    export(&workspace, &["sumoftwo", "--for", "domjudge", "-o", "own"]).status(0);
    assert_eq!(workspace.read("own/sumoftwo/problem_statement/problem.html"), "<p>Mine.</p>\n");
}

#[apply(cli_test)]
fn domjudge_shows_the_statement_with_pictures() {
    let workspace = sound();
    // The smallest PNG: one pixel.
    let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    workspace.file("problems/sum-of-two/statement/pixel.png", STANDARD.decode(pixel).unwrap());
    workspace.problem("sum-of-two").file("statement/problem.en.md", "Add *two* numbers.\n\n![A pixel](pixel.png)\n");
    workspace.problem("sum-of-two").file("statement/problem.sv.md", "Addera.\n");
    let run = export(&workspace, &["sum-of-two", "--for", "domjudge"]);
    run.status(0).shows("statement/problem.sv.md: DOMjudge shows one statement");
    let text =
        String::from_utf8(files(&workspace.path("sumoftwo.zip"))["problem_statement/problem.html"].clone()).unwrap();
    assert!(text.contains("Add <em>two</em> numbers.") && text.contains("data:image/png;base64,iVBOR"), "{text}");
    // Of a PDF in the same language nothing is missing.
    workspace.problem("sum-of-two").file("statement/problem.en.pdf", "%PDF-1.4\n");
    let run = export(&workspace, &["sum-of-two", "--for", "domjudge", "-o", "pdf"]);
    run.status(0).hides("problem.en.md");
    assert_eq!(workspace.read("pdf/sumoftwo/problem_statement/problem.pdf"), "%PDF-1.4\n");
    std::fs::remove_file(workspace.path("problems/sum-of-two/statement/problem.en.pdf")).unwrap();
    // Only a statement that grader cannot show is a loss.
    std::fs::remove_file(workspace.path("problems/sum-of-two/statement/problem.en.md")).unwrap();
    std::fs::remove_file(workspace.path("problems/sum-of-two/statement/problem.sv.md")).unwrap();
    workspace.problem("sum-of-two").file("statement/problem.en.tex", "\\begin{itemize}\n\\item Add.\n");
    let run = export(&workspace, &["sum-of-two", "--for", "domjudge", "-o", "tex"]);
    run.status(2).shows("statement/problem.en.tex: ").shows("itemize");
}

/// A problem with points: two groups, one of which needs the other.
fn with_points() -> Workspace {
    let workspace = sound();
    workspace
        .problem("sum-of-two")
        .toml("type = \"scoring\"\nname = \"Sum\"\n[limits]\ntime_limit = 1.5\nmemory = 256\n");
    for case in ["01", "02", "03"] {
        for ending in ["in", "ans"] {
            let stem = |group: &str| format!("testcases/sum-of-two/secret/{group}{case}.{ending}");
            workspace.file(stem(if case == "03" { "b/" } else { "a/" }), workspace.read(stem("")));
            std::fs::remove_file(workspace.path(stem(""))).unwrap();
        }
    }
    let group = |name: &str, text: &str| {
        workspace.file(format!("testcases/sum-of-two/secret/{name}/test_group.toml"), text);
    };
    group("a", "max_score = 40\nscore_aggregation = \"sum\"\n");
    group("b", "max_score = 60\nscore_aggregation = \"min\"\nrequire_pass = [\"sample\"]\n");
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn hydro_reads_the_archive() {
    let workspace = with_points();
    workspace.file("testcases/sum-of-two/secret/b/test_group.toml", "max_score = 60\nscore_aggregation = \"min\"\n");
    export(&workspace, &["sum-of-two", "--for", "hydro"]).status(0);
    let files = files(&workspace.path("sumoftwo.zip"));
    // A folder for each problem, with these files (`packages/hydrooj/src/model/problem.ts`, `import`).
    let metadata = yaml(&files["sumoftwo/problem.yaml"]);
    assert_eq!((metadata["pid"].as_str(), metadata["title"].as_str()), (Some("sumoftwo"), Some("Sum")));
    let statement = String::from_utf8_lossy(&files["sumoftwo/problem.md"]);
    assert!(statement.starts_with("Add two numbers.\n\n```input1\n"), "{statement}");
    export(&workspace, &["sum-of-two", "--for", "hydro", "-o", "out"]).status(0);
    workspace.grader(&["statement", "out/sumoftwo", "-o", "page.html"]).status(0);
    let page = workspace.read("page.html");
    for title in ["Sample Input 1", "Sample Output 1"] {
        assert_eq!(page.matches(&format!("<h3>{title}</h3>\n<pre>")).count(), 1, "{title}: {page}");
    }
    let config = yaml(&files["sumoftwo/testdata/config.yaml"]);
    assert_eq!((config["time"].as_str(), config["memory"].as_str()), (Some("1500ms"), Some("256m")));
    let mut scores = Vec::new();
    for subtask in config["subtasks"].as_sequence().unwrap() {
        let kind = subtask["type"].as_str().unwrap();
        assert!(["min", "max", "sum"].contains(&kind), "{kind}");
        let cases = subtask["cases"].as_sequence().unwrap();
        for file in cases.iter().flat_map(|case| [&case["input"], &case["output"]]) {
            let name = format!("sumoftwo/testdata/{}", file.as_str().unwrap());
            assert!(files.contains_key(&name), "{name} is missing");
        }
        scores.push((kind.to_owned(), subtask["score"].as_i64().unwrap(), cases.len()));
    }
    assert_eq!(scores, [("sum".to_owned(), 40, 2), ("min".to_owned(), 60, 1), ("min".to_owned(), 0, 1)]);
    // The comparison is a program by the protocol of the package format.
    assert_eq!(config["checker_type"], "kattis");
    let checker = config["checker"].as_str().unwrap();
    workspace.file("compare.py", &files[&format!("sumoftwo/testdata/{checker}")]).file("answer", "Yes 1\n");
    for (output, code) in [("yes  1", "42"), ("yes 2", "43"), ("yes", "43"), ("", "43")] {
        workspace.file("output", output);
        let line = "python3 compare.py input answer feedback/ < output; echo $?";
        let run = crate::cli::run::Call::program(&workspace.path(""), "sh", &["-c", line]).run();
        assert_eq!(run.stdout.trim(), code, "{output:?}: {}", run.all());
    }
}

#[apply(cli_test)]
fn a_part_of_a_problem_is_refused() {
    let run = export(&sound(), &["sum-of-two/secret/01", "--for", "kattis"]);
    run.status(2).says("only some tests of sum-of-two are named").says("→ name the problem: sum-of-two");
    run.hides("wrote");
}

#[apply(cli_test)]
fn hydro_shows_each_translation() {
    let workspace = sound();
    workspace.file("problems/sum-of-two/statement/problem.de.md", "Addiere zwei Zahlen.\n");
    workspace.file("problems/sum-of-two/statement/map.png", crate::cli::statement::PNG);
    workspace.file(
        "problems/sum-of-two/statement/problem.en.md",
        "Add two numbers.\n\n![A map](map.png){width=50%} and text\n",
    );
    let run = export(&workspace, &["sum-of-two", "--for", "hydro", "-o", "out"]);
    run.status(0).shows("widths of pictures in the statement").hides("problem.de.md");
    let text = workspace.read("out/sumoftwo/problem_en.md");
    assert!(text.starts_with("Add two numbers.\n\n![A map](file://map.png) and text\n\n```input1\n"), "{text}");
    let text = workspace.read("out/sumoftwo/problem_de.md");
    assert!(text.starts_with("Addiere zwei Zahlen.\n\n```input1\n"), "{text}");
    assert!(!workspace.path("out/sumoftwo/problem.md").exists());
    workspace.grader(&["statement", "out/sumoftwo", "-o", "back"]).status(0);
    assert!(workspace.path("back").read_dir().unwrap().count() >= 2);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_conversation_has_what_contestants_download() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "talk", "--interactive", "--lang", "python"]).status(0);
    export(&workspace, &["talk", "--for", "icpc-2025-09", "-o", "out"]).status(0);
    // BAPCtools takes no conversation without them (its `problem.py`), and they are the case itself.
    for ending in ["in", "ans"] {
        let of_case = workspace.read(format!("out/talk/data/sample/1.{ending}"));
        assert_eq!(workspace.read(format!("out/talk/data/sample/1.{ending}.download")), of_case);
    }
    let again = workspace.grader(&["export", "out/talk", "--for", "kattis", "--force", "-o", "again"]);
    again.status(0).hides("download");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_interactor_that_is_lost_is_said_to_matter() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "talk", "--interactive", "--lang", "python"]).status(0);
    for (format, says) in [
        ("hydro", "Hydro runs interactors of testlib, and without it, every submission fails"),
        ("dmoj", "DMOJ runs interactors of testlib, and without it, every submission fails"),
        ("polygon", "the protocol of testlib, and without it, every submission fails"),
        ("italy-yaml", "italy-yaml has no interactive problems, and without it, every submission fails"),
    ] {
        export(&workspace, &["talk", "--for", format]).status(2).shows(says).says("--lossy");
    }
}

#[apply(cli_test)]
fn the_legacy_version_has_no_markdown() {
    let workspace = sound();
    let wants = "! a statement in TeX or PDF: the legacy version has no Markdown";
    export(&workspace, &["sum-of-two", "--for", "icpc-legacy"]).status(0).shows(wants);
    workspace.problem("sum-of-two").file("statement/problem.en.tex", "Add two numbers.\n");
    export(&workspace, &["sum-of-two", "--for", "icpc-legacy", "-o", "tex.zip"]).status(0).hides(wants);
}

#[apply(cli_test)]
fn dmoj_gets_batches_and_cases() {
    let workspace = with_points();
    workspace.file("testcases/sum-of-two/secret/b/test_group.toml", "max_score = 60\nscore_aggregation = \"min\"\n");
    export(&workspace, &["sum-of-two", "--for", "dmoj"]).status(0).shows("a time limit of 1.5 s");
    let files = files(&workspace.path("sumoftwo.zip"));
    let init = yaml(&files["init.yml"]);
    let tests = init["test_cases"].as_sequence().unwrap();
    assert_eq!(tests.len(), 3, "{tests:?}");
    assert_eq!((tests[0]["in"].as_str(), tests[0]["points"].as_i64()), (Some("secret/a/01.in"), Some(20)));
    assert_eq!(tests[2]["batched"][0]["out"], "secret/b/03.out");
    assert_eq!(tests[2]["points"], Value::from(60));
    assert_eq!(init["checker"], "compare.py");
    let script = String::from_utf8(files["compare.py"].clone()).unwrap();
    assert!(script.contains("def check(process_output, judge_output, **kwargs):"), "{script}");
}

/// The formats of packages give all cases of a group the same points: runs of cases with equal points become groups.
#[apply(cli_test)]
fn points_of_single_cases_become_groups() {
    let workspace = Workspace::bare();
    let cases = "- {in: 1.in, out: 1.out, points: 10}\n- {in: 2.in, out: 2.out, points: 10}\n\
         - {in: 3.in, out: 3.out, points: 20}\n";
    let batch = "- points: 20\n  batched:\n  - {in: 4.in, out: 4.out}\n- {in: 5.in, out: 5.out, points: 30}\n\
         - {in: 6.in, out: 6.out, points: 10}\n";
    workspace.file("twice/init.yml", format!("checker: identical\ntest_cases:\n{cases}{batch}"));
    for n in 1..=6 {
        workspace
            .file(format!("twice/{n}.in"), format!("{n}\n"))
            .file(format!("twice/{n}.out"), format!("{}\n", n * 2));
    }
    // It fails the cases 2 and 5, which have 40 points.
    workspace
        .file("some.sh", "read a\n[ $((a % 3)) = 2 ] && a=0\necho $((a * 2))\n")
        .file("all.sh", "read a\necho $((a * 2))\n");
    workspace.grader(&["import", "twice", "-o", "native"]).status(0).hides("cannot say");
    let formats = ["icpc-2025-09", "icpc-legacy", "domjudge", "kattis"];
    for format in formats {
        export(&workspace, &["twice", "--for", format, "-o", format]).status(0).hides("points of");
    }
    let packages = formats.map(|format| format!("{format}/twice"));
    for package in packages.iter().map(String::as_str).chain(["twice", "native"]) {
        let run = match package {
            "native" => workspace.call(&["twice", "../all.sh", "../some.sh"]).dir(workspace.path("native")).run(),
            package => workspace.run(&[package, "all.sh", "some.sh"]),
        };
        let score = |name: &str| {
            let of_parent = format!("../{name}");
            run.end(if package == "native" { &of_parent } else { name })["score"].as_f64()
        };
        assert_eq!((score("all.sh"), score("some.sh")), (Some(100.0), Some(60.0)), "{package}");
    }
    let group = workspace.read("native/testcases/twice/secret/cases-1-2/test_group.yaml");
    assert!(group.starts_with("max_score: 20\nscore_aggregation: sum\n"), "{group}");
}

#[apply(cli_test)]
fn cms_gets_subtasks() {
    let workspace = with_points();
    workspace.file("testcases/sum-of-two/secret/b/test_group.toml", "max_score = 60\nscore_aggregation = \"min\"\n");
    export(&workspace, &["sum-of-two", "--for", "italy-yaml", "-o", "out"]).status(0);
    let read = |name: &str| workspace.read(format!("out/sumoftwo/{name}"));
    let gen_file = read("gen/GEN");
    let subtasks: Vec<&str> = gen_file.lines().filter(|line| line.starts_with("#ST:")).collect();
    assert_eq!(subtasks, ["#ST: 0", "#ST: 20", "#ST: 20", "#ST: 60"]);
    let task = yaml(read("task.yaml").as_bytes());
    assert_eq!((task["n_input"].as_i64(), task["public_testcases"].as_str()), (Some(4), Some("0")));
    assert_eq!((read("input/input3.txt"), read("output/output3.txt")), ("-4 4\n".to_owned(), "0\n".to_owned()));
    // It fails in some of the subtasks only.
    assert!(!read("sol/wrong_answer-less.sh").contains("@check"));
    let (original, back) = (workspace.run(&["sum-of-two"]), workspace.run(&["out/sumoftwo"]));
    assert_eq!(back.end("wrong_answer-less.sh")["score"], original.end("wrong_answer/less.sh")["score"]);
    assert_eq!(back.end("solution.sh")["score"], 100.0);
    assert_eq!(read("sol/solution.sh").lines().last(), Some("# @check-accepted: *"));
}

#[apply(cli_test)]
fn polygon_gets_a_document() {
    let workspace = with_points();
    let less = "import sys\na, b = map(int, input().split())\nprint(a - b)\n";
    workspace.problem("sum-of-two").submission("wrong_answer/less.py", less);
    workspace.problem("sum-of-two").submission("accepted/sum.py", "print(sum(map(int, input().split())))\n");
    for name in ["accepted/sum.sh", "wrong_answer/less.sh"] {
        std::fs::remove_file(workspace.path(format!("problems/sum-of-two/submissions/{name}"))).unwrap();
    }
    let metadata = workspace.read("problems/sum-of-two/problem.toml");
    workspace.problem("sum-of-two").toml(&format!("checker = \"case_sensitive\"\n{metadata}"));
    let words = ["sum-of-two", "--for", "polygon", "-o", "out"];
    export(&workspace, &words).status(2).shows("require_pass of secret/b: the samples are no group of Polygon");
    export(&workspace, &[&words[..], &["--lossy"]].concat()).status(0);
    let xml = workspace.read("out/sumoftwo/problem.xml");
    for part in [
        "<name language=\"english\" value=\"Sum\"/>",
        "<time-limit>1500</time-limit>",
        "name=\"std::wcmp.cpp\"",
        "<test method=\"manual\" sample=\"true\"/>",
        "group=\"a\" points=\"20\"",
        "<solution tag=\"main\">",
    ] {
        assert!(xml.contains(part), "{part} is missing in {xml}");
    }
    workspace.run(&["out/sumoftwo"]).status(0).shows("2 as expected");
}

/// What DOMjudge takes from an archive.
struct AsDomjudge {
    time_limit: String,
    cases: Vec<String>,
    submissions: Vec<String>,
    flags: Option<String>,
    statement: Option<String>,
}

/// Reads an archive by the rules of DOMjudge (`ImportProblemService.php`). What it would refuse fails the test.
fn as_domjudge(archive: &Path) -> AsDomjudge {
    let files = files(archive);
    let id = archive.file_stem().unwrap().to_str().unwrap();
    assert!(id.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)), "the id {id}");
    let metadata = yaml(&files["problem.yaml"]);
    for key in ["name", "type", "validation"] {
        assert!(metadata[key].as_str().is_some(), "{key} must be a string: {metadata:?}");
    }
    let kinds = ["default", "custom", "interactive", "multi-pass", "score"];
    assert!(metadata["validation"].as_str().unwrap().split(' ').all(|word| kinds.contains(&word)));
    // The limit in problem.yaml counts; the one in the other file must not differ.
    let time_limit = metadata["limits"]["time_limit"].as_f64().unwrap().to_string();
    let ini = String::from_utf8(files["domjudge-problem.ini"].clone()).unwrap();
    assert!(ini.lines().any(|line| line == format!("timelimit = {time_limit}")), "{ini}");
    let mut cases = Vec::new();
    for (name, _) in files.iter().filter(|(name, _)| name.starts_with("data/")) {
        let inner = &name["data/".len()..];
        if let Some(case) = inner.strip_suffix(".in") {
            assert!(case.starts_with("sample/") || case.starts_with("secret/"), "{name} is read by nobody");
            assert!(files.contains_key(&format!("data/{case}.ans")), "{name} has no answer");
            cases.push(case.to_owned());
        }
    }
    for (name, text) in files.iter().filter(|(name, _)| name.starts_with("data/") && name.ends_with("/testdata.yaml")) {
        // Two numbers that are not negative; folders inherit nothing (`parseTestCaseGroupMeta`).
        let group = yaml(text);
        if let Some(range) = group["range"].as_str() {
            let bounds: Vec<f64> = range.split(' ').map(|bound| bound.parse().unwrap()).collect();
            assert!(
                bounds.len() == 2 && bounds.iter().all(|bound| bound.is_finite() && *bound >= 0.0),
                "{name}: {range}"
            );
        }
        if metadata["type"] == "scoring" {
            assert!(group["on_reject"].as_str().is_some(), "{name} has no on_reject");
            let above = name["data/".len()..].rsplitn(3, '/').nth(2).map(|above| format!("data/{above}/testdata.yaml"));
            assert!(above.is_none_or(|above| files.contains_key(&above)), "{name} has no parent");
        }
    }
    // All files of the validator lie in one directory.
    let validator: Vec<&str> = files.keys().filter_map(|name| name.strip_prefix("output_validators/")).collect();
    let flat: BTreeSet<&str> = validator.iter().filter_map(|name| name.rsplit('/').next()).collect();
    assert_eq!(flat.len(), validator.len(), "{validator:?}");
    let submissions = files.keys().filter_map(|name| name.strip_prefix("submissions/")).map(str::to_owned).collect();
    let shown = ["pdf", "html", "txt"].map(|ending| format!("problem_statement/problem.{ending}"));
    AsDomjudge {
        time_limit,
        cases,
        submissions,
        flags: metadata["validator_flags"].as_str().map(str::to_owned),
        statement: shown.into_iter().find(|name| files.contains_key(name)),
    }
}

#[apply(cli_test)]
fn links_out_of_the_package_are_refused_everywhere() {
    for path in [
        "attachments/key",
        "statement/problem.de.md",
        "statement/notes.txt",
        "solution/key.md",
        "generators/key.py",
        "data/invalid_input/1.in",
    ] {
        let workspace = Workspace::bare();
        workspace.file("private", "secret");
        in_package(&workspace, path.rsplit_once('/').unwrap().0);
        let link = if path.starts_with("data/") { "../../../private" } else { "../../private" };
        std::os::unix::fs::symlink(link, workspace.path("sum").join(path)).unwrap();
        let run = export(&workspace, &["sum", "--for", "icpc-2025-09", "--with-generators", "-o", "out"]);
        run.status(2).says(&format!("{path} is a link that leads out of the package")).says("copy the file into");
        assert!(!workspace.path("out").exists(), "{path}");
    }
    // A link to a folder elsewhere is not entered.
    let workspace = Workspace::bare();
    in_package(&workspace, "statement");
    std::os::unix::fs::symlink("/", workspace.path("sum/statement/root")).unwrap();
    export(&workspace, &["sum", "--for", "kattis"]).status(2).says("statement/root is a link that leads out");
    workspace.grader(&["statement", "sum"]).status(2).says("statement/root is a link that leads out");
    // One in the package is resolved.
    std::fs::remove_file(workspace.path("sum/statement/root")).unwrap();
    in_package(&workspace, "attachments");
    std::os::unix::fs::symlink("../data/secret/1.in", workspace.path("sum/attachments/first.in")).unwrap();
    export(&workspace, &["sum", "--for", "kattis", "-o", "out"]).status(0);
    assert_eq!(workspace.read("out/sum/attachments/first.in"), "2 2\n");
    assert!(!workspace.path("out/sum/attachments/first.in").is_symlink());
}

/// A package `sum` with an empty folder.
fn in_package(workspace: &Workspace, folder: &str) {
    workspace.file("sum/problem.yaml", "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 1}\n");
    for (name, text) in [("secret/1.in", "2 2\n"), ("secret/1.ans", "4\n")] {
        workspace.file(format!("sum/data/{name}"), text);
    }
    std::fs::create_dir_all(workspace.path("sum").join(folder)).unwrap();
}

#[apply(cli_test)]
fn nothing_waits_for_a_named_pipe() {
    for (folder, name) in [("attachments", "pipe"), ("statement", "problem.de.md"), ("solution", "x.md")] {
        let workspace = Workspace::bare();
        in_package(&workspace, folder);
        workspace.pipe(Path::new("sum").join(folder).join(name));
        let run = export(&workspace, &["sum", "--for", "icpc-2025-09", "-o", "out"]);
        run.status(2).says(&format!("{name} is neither a file nor a directory")).says("remove it");
        assert!(!workspace.path("out").exists());
    }
}

#[apply(cli_test)]
fn no_test_or_submission_is_lost_for_its_kind_or_its_name() {
    let commands: [&[&str]; 2] = [&["export", "sum", "--for", "kattis", "--force"], &["import", "sum", "--out", "in"]];
    for pipe in ["data/secret/2.in", "submissions/accepted/z.py"] {
        let workspace = Workspace::bare();
        in_package(&workspace, "submissions/accepted");
        workspace.pipe(Path::new("sum").join(pipe));
        for command in commands {
            let run = workspace.grader(command);
            run.status(2).says(&format!("{pipe} is neither a file nor a directory")).says("remove it");
        }
    }
    let workspace = sound();
    workspace.file("testcases/sum-of-two/secret/x\\y.in", "1 2\n").file("testcases/sum-of-two/secret/x\\y.ans", "3\n");
    let run = export(&workspace, &["sum-of-two", "--for", "kattis"]);
    run.status(2).says("x\\\\y.ans").says("a backslash").says("rename it");
}

#[apply(cli_test)]
fn force_does_not_help_if_a_problem_cannot_be_read() {
    let workspace = Workspace::bare();
    in_package(&workspace, "submissions/accepted");
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("sum/data/secret/2.in")).unwrap();
    let run = workspace.grader(&["export", "sum", "--for", "kattis"]);
    run.status(1).says("the symbolic link leaves the problem").says("correct them: --force does not help here");
    assert!(!run.all().contains("ignored"), "{}", run.all());
    export(&workspace, &["sum", "--for", "kattis"]).status(2).says("the symbolic link leaves the problem");
}

#[apply(cli_test)]
fn the_first_line_of_an_error_says_what_is_wrong() {
    let workspace = Workspace::bare();
    in_package(&workspace, "attachments");
    workspace.file("sum/attachments/a\\b", "x");
    let run = export(&workspace, &["sum", "--for", "kattis"]);
    run.status(2).says("error: sum: the name \"attachments/a\\\\b\" has a line break").says("→ rename it");
    std::fs::remove_file(workspace.path("sum/attachments/a\\b")).unwrap();
    std::os::unix::fs::symlink("..", workspace.path("sum/attachments/up")).unwrap();
    export(&workspace, &["sum", "--for", "kattis"]).status(2).says("is a link to a folder that it lies in");
}

#[apply(cli_test)]
fn hydro_gets_its_own_checkers_back() {
    for (config, expect) in [
        ("type: default\n", None),
        ("type: default\nchecker_type: strict\n", Some("strict")),
        ("type: default\nchecker_type: testlib\nchecker: uncmp\n", Some("testlib")),
    ] {
        let workspace = Workspace::bare();
        workspace
            .file("sum/problem.yaml", "pid: sum\ntitle: Sum\n")
            .file("sum/problem.md", "# Sum\n\n## Sample\n\nNone.\n");
        workspace.file("sum/testdata/config.yaml", config).file("sum/testdata/1.in", "1 2\n");
        workspace.file("sum/testdata/1.out", "3\n");
        export(&workspace, &["sum", "--for", "hydro", "-o", "out"]).status(0);
        let written = yaml(workspace.read("out/sum/testdata/config.yaml").as_bytes());
        assert_eq!(written["checker_type"].as_str(), expect, "{written:?}");
        let name = expect.filter(|kind| *kind == "testlib").map(|_| "uncmp");
        assert_eq!(written["checker"].as_str(), name, "{written:?}");
        // The statement has its own sample.
        assert!(!workspace.read("out/sum/problem.md").contains("```input"));
    }
}

#[apply(cli_test)]
fn a_page_with_a_script_is_told_before_domjudge_shows_it() {
    for (page, is_told) in [
        ("<p>Add.</p><script>alert(1)</script>", true),
        ("<img src=x ONERROR=alert(1)>", true),
        ("<p>Turn it on = 1. <a href=\"https://example.org/?on=1\">x</a></p>", false),
    ] {
        let workspace = Workspace::bare();
        in_package(&workspace, "statement");
        workspace.file("sum/statement/problem.en.html", page);
        let run = export(&workspace, &["sum", "--for", "domjudge", "-o", "out"]);
        run.status(0);
        let told = run.all().contains("a look at statement/problem.en.html: it has a script");
        assert_eq!(told, is_told, "{page}: {}", run.all());
    }
}

#[apply(cli_test)]
fn a_picture_with_a_script_is_told_before_anybody_shows_it() {
    let workspace = sound();
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    workspace.problem("sum-of-two").file("statement/unused.svg", svg).file("statement/still.svg", "<svg/>");
    for format in ["kattis", "domjudge", "icpc-2025-09", "icpc-legacy"] {
        let run = export(&workspace, &["sum-of-two", "--for", format, "-o", format]);
        run.status(0).shows("a look at statement/unused.svg: it has a script").hides("a look at statement/still.svg");
    }
}

#[apply(cli_test)]
fn problems_of_no_contest_keep_the_order_in_which_they_are_named() {
    let workspace = Workspace::new();
    for name in ["one", "two", "three"] {
        workspace.grader(&["new", name, "--lang", "python"]).status(0);
    }
    let order = |words: &[&str], out: &str| {
        export(&workspace, &[words, &["--for", "kattis", "-o", out]].concat()).status(0);
        let listed = yaml(workspace.read(format!("{out}/problems/problems.yaml")).as_bytes());
        listed.as_sequence().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(order(&["two", "one", "three"], "named"), ["two", "one", "three"]);
    assert_eq!(order(&["two", "*"], "glob"), ["two", "one", "three"]);
    assert_eq!(order(&["problems"], "folder"), ["one", "three", "two"]);
    workspace.file("problems/problems.yaml", "- {id: three, label: X}\n");
    assert_eq!(order(&["two", "three"], "list"), ["three", "two"]);
}
