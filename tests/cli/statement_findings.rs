//! Errors of statements: `statement`, `verify` and `export` find the same ones.

use macro_rules_attribute::apply;

use crate::cli::statement::{package, refused};
use crate::cli::verify::{has, sound};

/// A statement in Markdown with errors in several lines.
const WRONG: &str = "# Sum\n\nIt costs $5.\n\n![a](none.png)\n\n`$` and \\$ and $x_{\\text{if $y$}}$ are fine.\n\n```\n$ ls\n```\n\nThe last $n.\n";

/// What all commands say about it.
const ERRORS: [&str; 3] = [
    "line 3, column 10: this `$` has no other `$` with which it encloses a formula",
    "line 5, column 1: there is no picture `none.png`",
    "line 13, column 10: this `$`",
];

#[apply(cli_test)]
fn commands_agree_about_the_errors_of_a_statement() {
    let workspace = sound();
    workspace.problem("sum").file("statement/problem.en.md", WRONG);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(2);
    let checked = workspace.grader(&["verify", "sum", "--data-only"]);
    checked.status(1).shows("error statement-invalid: problems/sum/statement/problem.en.md: line 3, column 10");
    let exported = workspace.grader(&["export", "sum", "--for", "icpc-2025-09"]);
    exported.status(1).says("`grader verify` finds errors, so nothing was written");
    for error in ERRORS {
        run.says(error);
        checked.shows(error);
        exported.says(error);
    }
    assert_eq!(run.stderr.matches("error: ").count(), ERRORS.len(), "{}", run.stderr);
    for nothing in ["sum.en.html", "sum.zip"] {
        assert!(!workspace.path(nothing).exists(), "{nothing}");
    }
    workspace.grader(&["export", "sum", "--for", "icpc-2025-09", "--force"]).status(0);
    assert!(workspace.path("sum.zip").exists());
    // A setter may decide that they are none.
    workspace.problem("sum").toml("verify.allow = [\"statement-invalid\"]\n");
    has(&workspace, &["--data-only"], 0, &[]);
}

#[apply(cli_test)]
fn pictures_that_act_and_unclosed_parts_are_findings() {
    let workspace = sound();
    let problem = workspace.problem("sum");
    let problem =
        problem.file("statement/problem.en.tex", "a\n\\begin{center}\n\\includegraphics{p.svg}\n{b $c\n\n\\foo");
    let svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    problem
        .file("statement/p.svg", svg)
        .file("statement/problem.de.md", "![a](p.png) $\\foo$")
        .file("statement/p.png", "x");
    std::fs::remove_file(workspace.path("problems/sum/statement/problem.en.md")).unwrap();
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.status(1).shows("problem.en.tex: line 2, column 1: `\\begin{center}` has no `\\end{center}`");
    run.shows("p.svg has <script>").shows("line 4, column 1: the `{` here has no `}`");
    run.shows("line 4, column 4: the formula that begins with `$` has no `$`");
    run.shows("problem.de.md: line 1, column 1: p.png is not a picture of this kind");
    // What a page shows in another way is no defect of the problem.
    run.shows("note statement-untidy: problems/sum/statement/problem.en.tex: line 6, column 1: grader does not know");
    run.shows("problem.de.md: line 1, column 13: the formula `\\foo` is shown as text");
}

#[apply(cli_test)]
fn a_sample_that_is_no_text_is_an_error() {
    let binary: [(&str, &[u8]); 2] = [("data/sample/2.in", b"\xff\xfe"), ("data/sample/2.ans", b"1\n")];
    let run = refused("problem.en.md", b"Add.", &binary);
    run.says("data/sample/2.in: the sample is not UTF-8").says("1.in.statement");
    let shown: [(&str, &[u8]); 2] =
        [("statement/problem.en.md", b"Add."), ("data/sample/2.in.statement", b"two bytes\n")];
    let workspace = package(&[&binary[..], &shown[..]].concat());
    workspace.grader(&["statement", "sum"]).status(0);
    super::statement::has(&workspace.read("sum.en.html"), &["<pre>two bytes\n</pre>"]);
    // The cut is within a character.
    let long = format!("x{}", "é".repeat(30_000));
    let workspace = package(&[("statement/problem.en.md", b"Add."), ("data/sample/1.in", long.as_bytes())]);
    workspace.grader(&["statement", "sum"]).status(0).says("the sample 1.in is cut");
}

#[apply(cli_test)]
fn remedies_fit_bars_in_tables_and_large_pictures() {
    let workspace = sound();
    let text = "| a | b |\n|---|---|\n| $|x|$ | 1 |\n\n![a](large.png)\n";
    workspace.problem("sum").file("statement/problem.en.md", text);
    workspace.file("problems/sum/statement/large.png", vec![0_u8; (4 << 20) + 1]);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(2).says("in a table, write `\\lvert x\\rvert` in place of bars");
    run.says("large.png is larger than 4 MiB").says("make it smaller than 4 MiB");
}
