//! `grader statement`: the files that it writes or refuses to write, and what it says about its choice.

use std::os::unix::fs::PermissionsExt as _;

use macro_rules_attribute::apply;

use crate::cli::need::{Need, mount_tmpfs, unmount};
use crate::cli::run::Call;
use crate::cli::statement::{PNG, has, package};
use crate::cli::workspace::Workspace;

#[apply(cli_test)]
fn a_file_that_is_no_page_is_refused() {
    let workspace = package(&[("statement/problem.en.md", b"Add.")]);
    let refused = |args: &[&str], says: &str| {
        workspace.grader(&[&["statement", "sum"], args].concat()).status(2).says(says);
    };
    refused(&["-o", "x.txt"], "grader writes no `.txt` files\n  → name a file that ends with .html or .pdf");
    refused(
        &["-o", "x.html", "--pdf"],
        "--pdf writes no HTML\n  → name a file that ends with .pdf, or leave out --pdf",
    );
    for name in ["x.txt", "x.html"] {
        assert!(!workspace.path(name).exists(), "{name}");
    }
    workspace.grader(&["statement", "sum", "-o", "v1.2/"]).status(0).shows("wrote v1.2/sum.en.html");
    std::fs::remove_file(workspace.path("v1.2/sum.en.html")).unwrap();
    // The directory exists, so it is one.
    workspace.grader(&["statement", "sum", "-o", "v1.2"]).status(0).shows("wrote v1.2/sum.en.html");
}

#[apply(cli_test)]
fn a_name_that_only_begins_like_the_word_is_told() {
    let workspace = Workspace::new();
    workspace.sum("sums").file("statement/problem.en.md", "Add.\n");
    let warning = "warning: no problem has the name `sum`: grader takes sums";
    workspace.grader(&["statement", "sum"]).status(0).says(warning);
    workspace.grader(&["export", "sum", "--for", "icpc-2025-09", "--force"]).status(0).says(warning);
    for exact in ["sums", "problems/sums", "s*"] {
        let run = workspace.grader(&["statement", exact, "-o", exact.trim_matches('*')]);
        run.status(0);
        assert!(!run.all().contains("no problem has the name"), "{}", run.all());
    }
}

#[apply(cli_test)]
fn a_booklet_takes_no_list_that_an_export_refuses() {
    let workspace = Workspace::new();
    for slug in ["sum", "total"] {
        workspace.sum(slug).file("statement/problem.en.md", "Add.\n").toml("[limits]\ntime_limit = 1\n");
    }
    let booklet = |out: &str| workspace.grader(&["statement", "problems", "-o", out]);
    let list = "- {id: sum, label: A, color: '12'}\n- {id: total, label: B}\n- {id: none}\n";
    workspace.file("problems/problems.yaml", list);
    booklet("warned").status(0).says("there is no directory `none` here").says("found \"12\"");
    workspace.file("problems/problems.yaml", "- {id: sum, label: A}\n- {id: total, label: A}\n");
    let export = workspace.grader(&["export", "problems", "--force", "--for", "domjudge", "-o", "x.zip"]);
    for run in [booklet("same"), export] {
        run.status(2).says("both have the letter A").says("change it in problems.yaml");
    }
    workspace.file("problems/problems.yaml", "- {id: sum, label: A}\n- {id: total, label: B}\n");
    workspace.file("problems/contest.yaml", "name: [x\n");
    let export = workspace.grader(&["export", "problems", "--force", "--for", "domjudge", "-o", "x.zip"]);
    for run in [booklet("broken"), export, workspace.grader(&["list"])] {
        run.status(2).says("problems/contest.yaml").says("syntax error");
    }
    for name in ["same", "broken", "x.zip"] {
        assert!(!workspace.path(name).exists(), "{name}");
    }
}

#[apply(cli_test)]
fn a_language_that_a_booklet_leaves_out_is_told() {
    let workspace = Workspace::new();
    workspace.sum("sum").file("statement/problem.en.md", "Add.\n").file("statement/problem.de.md", "Addiere.\n");
    workspace.sum("total").file("statement/problem.en.md", "Add.\n");
    let run = workspace.grader(&["statement", "sum", "total"]);
    run.status(0).says("warning: no booklet in `de`: total have no statement in it");
    assert!(!workspace.path("problems.de.html").exists());
    let run = workspace.grader(&["statement", "sum", "total", "--language", "en", "-o", "out"]);
    assert!(!run.all().contains("no booklet"), "{}", run.all());
}

#[apply(cli_test)]
fn the_title_of_the_statement_is_on_its_page_and_the_name_elsewhere() {
    let workspace =
        package(&[("statement/problem.en.md", b"# Adding\n\nAdd."), ("statement/problem.de.md", b"Addiere.")]);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(0).says("the statement has the title `Adding`, and the problem has the name `Sum of Two`");
    has(&workspace.read("sum.en.html"), &["<h1 id=\"p0\">Adding</h1>"]);
    has(&workspace.read("sum.de.html"), &["<h1 id=\"p0\">Summe</h1>"]);
    let same = package(&[("statement/problem.en.md", b"# Sum of Two\n\nAdd.")]);
    let run = same.grader(&["statement", "sum"]);
    assert!(!run.status(0).all().contains("has the title"), "{}", run.all());
    // A directory is not a name that somebody chose.
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("statement/problem.en.md", "# The Sum\n\nAdd.\n");
    let run = workspace.grader(&["statement", "sum"]);
    assert!(!run.status(0).all().contains("has the title"), "{}", run.all());
}

#[apply(cli_test)]
fn setters_see_the_bounds_of_statement_validator_and_cases() {
    let workspace = Workspace::new();
    let problem = workspace.sum("sum").file("input_validators/bounds.sh", crate::cli::verify_reach::LOGGED);
    problem.file("statement/problem.en.md", "Add $a$ ($1 \\le a \\le 10^3$), $k \\in [1, 5]$ times, $0 < q \\le 1$.\n");
    let run = workspace.grader(&["statement", "sum", "--constraints"]);
    run.status(0).shows("variable  in the statement  declared  in cases");
    run.shows("a         1 to 1000         1 to 100  ").shows("k         1 to 5            -         -");
    run.shows("q         > 0 to 1          -").shows("no validator declares it").shows("the maximum");
    run.shows("  ! the statement says 1 to 1000 for `a`; the validator accepts 1 to 100");
    assert!(!workspace.path("sum.en.html").exists());
    workspace.grader(&["statement", "sum", "--constraints", "--pdf"]).status(2).says("cannot be used with");
    workspace.sum("other").file("statement/problem.en.md", "Add.\n");
    workspace.grader(&["statement", "other", "--constraints"]).status(0).shows("no bounds: the statement says none");
}

/// A new problem declares its bounds, which are those of its statement.
#[track_caller]
fn declares(args: &[&str]) {
    let workspace = Workspace::bare();
    workspace.grader(&[&["new", "fresh"], args].concat()).status(0);
    let run = workspace.grader(&["statement", "fresh", "--constraints"]);
    run.status(0).shows("n         2 to 1000         2 to 1000").shows("the minimum").hides("  ! ");
    let run = workspace.grader(&["verify", "fresh", "--data-only"]);
    run.status(0).shows("no case reaches the minimum of `n`, 2").shows("0 errors, 0 warnings");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn new_problems_in_python_declare_their_bounds() {
    declares(&["--lang", "python"]);
    declares(&["--lang", "python", "--interactive"]);
    declares(&["--function", "total", "--lang", "python"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn new_problems_in_cpp_declare_their_bounds() {
    declares(&["--lang", "cpp"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("rustc")])]
fn new_problems_in_rust_declare_their_bounds() {
    declares(&["--lang", "rust"]);
}

#[apply(cli_test)]
fn a_problem_of_another_workspace_is_named_as_such() {
    let workspace = Workspace::with_sum();
    let other = tempfile::tempdir().unwrap();
    let sum = workspace.path("problems/sum");
    let run = Call::any(other.path(), &["run", sum.to_str().unwrap()]).run();
    run.status(2)
        .says("problem without test cases")
        .says("it belongs to another workspace, whose cases are elsewhere: cd ");
    assert!(!run.all().contains("grader gen"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_full_disk_leaves_nothing() {
    let picture = PNG.repeat(25_000);
    let workspace = package(&[("statement/problem.en.md", b"![a](p.png)"), ("statement/p.png", &picture)]);
    let dir = workspace.path("full");
    std::fs::create_dir(&dir).unwrap();
    assert!(mount_tmpfs(&dir, "64k"));
    let run = workspace.grader(&["statement", "sum", "-o", "full"]);
    let left = std::fs::read_dir(&dir).unwrap().count();
    unmount(&dir);
    run.status(2).says("cannot write ").says("full/sum.en.html").says("No space left");
    assert_eq!(left, 0, "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_statement_that_cannot_be_read_is_a_finding() {
    let workspace = package(&[("statement/problem.en.md", b"Add."), ("out/keep", b"")]);
    workspace.give_to(4711);
    for (path, mode) in [("", 0o777), ("sum/statement/problem.en.md", 0o000)] {
        std::fs::set_permissions(workspace.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let binary = workspace.binary();
    let call = Call::program(&workspace.path("."), binary, &["statement", "sum"]).user(4711);
    call.run().status(2).says("problem.en.md: cannot read it: Permission denied").says("make it readable");
    assert!(!workspace.path("sum.en.html").exists());
}

#[apply(cli_test)]
fn bounds_that_a_validator_declares_without_values_are_no_contradiction() {
    let workspace = Workspace::with_sum();
    let text = "[ \"$1\" = --constraints_file ] && read a b && echo \"a a 0 1 $a $a 1 $a\" > \"$2\"\nexit 42\n";
    workspace.problem("sum").file("input_validators/bounds.sh", &format!("# constraints_file\n{text}"));
    let run = workspace.grader(&["statement", "sum", "--constraints"]);
    run.status(0).shows("other bounds in each case").shows("the minimum");
}
