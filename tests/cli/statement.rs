//! `grader statement`: what becomes of statements in Markdown and TeX, and what is refused.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

/// What pandoc needs to print through TeX: an engine, fonts for the text and for signs.
const TEX: &[Need] = &[
    Need::Tool("pandoc"),
    Need::Tool("xelatex"),
    Need::File("/usr/share/texmf/fonts/opentype/public/lm/lmroman10-regular.otf"),
    Need::File("/usr/share/texlive/texmf-dist/fonts/tfm/adobe/zapfding/pzdr.tfm"),
    Need::Tool("pdftotext"),
];

/// The begin of a picture of one kind.
pub(super) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A package of 2025-09 with these files, beside what every package needs.
pub(super) fn package(files: &[(&str, &[u8])]) -> Workspace {
    let workspace = Workspace::bare();
    let yaml = "problem_format_version: 2025-09\nname: {en: Sum of Two, de: Summe}\nlimits: {time_limit: 2}\nuuid: x\n\
                constants: {max: 100}\n";
    workspace.file("sum/problem.yaml", yaml);
    for (name, text) in
        [("sample/1.in", "1 2\n"), ("sample/1.ans", "3\n"), ("secret/1.in", "2 2\n"), ("secret/1.ans", "4\n")]
    {
        workspace.file(format!("sum/data/{name}"), text);
    }
    for (name, text) in files {
        workspace.file(format!("sum/{name}"), text);
    }
    workspace
}

/// The page of a statement in Markdown or TeX.
#[track_caller]
pub(super) fn page_of(name: &str, text: &str) -> String {
    let workspace = package(&[(&format!("statement/{name}"), text.as_bytes())]);
    workspace.grader(&["statement", "sum"]).status(0);
    workspace.read("sum.en.html")
}

/// The statement does not become a page.
#[track_caller]
pub(super) fn refused(name: &str, text: &[u8], others: &[(&str, &[u8])]) -> Run {
    let own = format!("statement/{name}");
    let files = [&[(&*own, text)], others].concat();
    let workspace = package(&files);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(2);
    assert!(!workspace.path("sum.en.html").exists(), "{}", run.all());
    run
}

#[track_caller]
pub(super) fn has(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "{text} is not in\n{page}");
    }
}

#[apply(cli_test)]
fn markdown_becomes_a_page_with_formulas_constants_and_samples() {
    let text = "Add *two* numbers, $0 < a \\le {{max}}$.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n## Input\n\nTwo.";
    let page = page_of("problem.en.md", text);
    has(
        &page,
        &[
            "<title>Sum of Two</title>",
            "<em>two</em>",
            "<mo>&lt;</mo>",
            "<mn>100</mn>",
            "<td>1</td>",
            "<td class=\"right\">2</td>",
            "<h2>Input</h2>",
        ],
    );
    has(&page, &["Sample Input 1</h3><pre>1 2\n</pre>", "Sample Output 1</h3><pre>3\n</pre>", "Time limit: 2 s"]);
    assert!(!page.contains("2 2\n"), "a secret case is shown\n{page}");
    has(&page, &["script-src &#39;none&#39;"]);
}

#[apply(cli_test)]
fn accents_stretch_over_all_letters() {
    let page = page_of("problem.en.md", "$\\overline{\\widehat{A}+y} \\widehat{AB} \\widetilde{CD}$");
    has(
        &page,
        &["<mrow class=\"overline\"><mrow><mover><mrow><mi>A</mi>", "<mo>+</mo><mi>y</mi></mrow></mrow><mover>"],
    );
    for accent in ["\u{302}", "\u{303}"] {
        has(&page, &[&format!("<mo stretchy=\"true\">{accent}</mo></mover>")]);
    }
}

#[apply(cli_test)]
fn tex_becomes_a_page() {
    let text = "\\problemname{Sums}\n\\newcommand{\\maxn}{10^5}\n``Add'' \\emph{two}~numbers -- \\textbf{now}: $n \\le \\maxn$, \
                \\constant{max}.\n\\begin{itemize}\n\\item one\n\\item \\texttt{a--b}\n\\end{itemize}\n\\section*{Input}\n\
                \\begin{tabular}{|l|r|}\\hline a & \\multicolumn{1}{c}{b} \\\\ \\hline\n\\end{tabular}\n\
                \\begin{verbatim}\n$ <x>\n\\end{verbatim}\n\\\"{o} \\v{s}\\footnote{A note.}";
    let page = page_of("problem.en.tex", text);
    has(
        &page,
        &["<title>Sums</title>", "“Add” <em>two</em>\u{a0}numbers – <strong>now</strong>", "<mn>5</mn>", "100."],
    );
    has(
        &page,
        &["<ul>\n<li><p>one </p>\n</li>", "<code>a--b</code>", "<h2>Input</h2>", "<td class=\"center\"> b </td>"],
    );
    has(&page, &["<pre>$ &lt;x&gt;\n</pre>", "ö š<sup>1</sup>", "<sup>1</sup> A note."]);
}

#[apply(cli_test)]
fn samples_stand_where_the_statement_wants_them() {
    let markdown = page_of("problem.en.md", "Before.\n\n{{nextsample}}\n\nAfter.");
    let tex = page_of("problem.en.tex", "Before.\n\n\\nextsample\n\nAfter.");
    for page in [markdown, tex] {
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}\n{page}"));
        assert!(at("Before.") < at("Sample Input 1") && at("Sample Input 1") < at("After."), "{page}");
    }
}

#[apply(cli_test)]
fn a_place_for_samples_within_a_line_is_told() {
    let text = "See {{nextsample}} here.\n\n    {{nextsample}}\n\nAnd `{{remainingsamples}}`.\n";
    let workspace = package(&[("statement/problem.en.md", text.as_bytes())]);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(0).says("line 1").says("`{{nextsample}}` is shown as text").says("put it on a line of its own");
    assert_eq!(run.all().matches("is shown as text").count(), 1, "{}", run.all());
}

#[apply(cli_test)]
fn a_conversation_is_a_sample() {
    let workspace =
        package(&[("statement/problem.en.md", b"Talk."), ("data/sample/1.interaction", b"<3\n>5\n>6\n---\n<7\n")]);
    workspace.grader(&["statement", "sum"]).status(0);
    let page = workspace.read("sum.en.html");
    has(&page, &["Sample Interaction 1", "<pre class=\"judge\">3</pre>\n<pre class=\"submission\">5\n6</pre>\n<hr>"]);
    assert!(!page.contains("Sample Input"), "{page}");
}

#[apply(cli_test)]
fn files_beside_a_sample_replace_what_contestants_see() {
    let files: [(&str, &[u8]); 6] = [
        ("statement/problem.en.md", b"Add."),
        ("data/sample/1.in.statement", b"two\n\n<lines>\n"),
        ("data/sample/1.ans.statement", b""),
        ("data/sample/2.in", b"5 5\n"),
        ("data/sample/2.ans", b"10\n"),
        ("data/sample/2.out", b"1e1\n"),
    ];
    let workspace = package(&files);
    workspace.grader(&["statement", "sum"]).status(0).hides("warning");
    let page = workspace.read("sum.en.html");
    has(&page, &["Sample Input 1</h3><pre>two\n\n&lt;lines&gt;\n</pre>", "Sample Output 1</h3><pre></pre>"]);
    has(&page, &["Sample Input 2</h3><pre>5 5\n</pre>", "Sample Output 2</h3><pre>1e1\n</pre>"]);
    // What belongs to nobody is not dropped in silence.
    let talk: [(&str, &[u8]); 3] = [
        ("statement/problem.en.md", b"Talk."),
        ("data/sample/1.interaction", b"<3\nhello\n>5\n"),
        ("data/sample/2.interaction", b""),
    ];
    let run = package(&talk).grader(&["statement", "sum"]);
    run.status(0).says("1.interaction: line 2, column 1: the line begins with neither < nor >");
    run.says("2.interaction: the conversation is empty");
}

#[apply(cli_test)]
fn arguments_and_files_of_a_sample_are_shown() {
    let files: [(&str, &[u8]); 5] = [
        ("statement/problem.en.md", b"Add."),
        ("data/sample/1.yaml", b"args: [--base, 'two words']\n"),
        ("data/sample/1.files/table.txt", b"1 <2>\n"),
        ("data/sample/1.files/deep/map.bin", b"\xff\x00"),
        ("data/secret/1.files/secret.txt", b"of-a-secret-case"),
    ];
    let workspace = package(&files);
    workspace.grader(&["statement", "sum"]).status(0).says("map.bin: the file is not UTF-8");
    let page = workspace.read("sum.en.html");
    has(&page, &["Arguments: <code>--base &apos;two words&apos;</code>"]);
    has(
        &page,
        &[
            "<h3>File <code>table.txt</code></h3><pre>1 &lt;2&gt;\n</pre>",
            "<h3>File <code>deep/map.bin</code></h3></div>",
        ],
    );
    assert!(!page.contains("of-a-secret-case"), "{page}");
}

#[apply(cli_test)]
fn every_language_is_a_page() {
    let files: [(&str, &[u8]); 2] = [("statement/problem.en.md", b"Add."), ("statement/problem.de.tex", b"Addiere.")];
    let workspace = package(&files);
    workspace.grader(&["statement", "sum", "-o", "out"]).status(0).shows("out/sum.de.html").shows("out/sum.en.html");
    has(
        &workspace.read("out/sum.de.html"),
        &["lang=\"de\"", "<h1 id=\"p0\">Summe</h1>", "Beispieleingabe 1", "Addiere."],
    );
    workspace.grader(&["statement", "sum", "--language", "de", "-o", "x.html"]).status(0).shows("wrote x.html");
    workspace.grader(&["statement", "sum", "--language", "fr"]).status(2).says("no statement in `fr`").says("de, en");
    workspace.grader(&["statement", "sum", "-o", "y.html"]).status(2).says("there are 2 pages");
}

#[apply(cli_test)]
fn native_statements_keep_their_own_examples() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("statement/problem.en.md", "# Sum\n\nAdd.\n\n## Example\n\nOwn.\n");
    workspace.grader(&["statement", "sum", "-o", "own"]).status(0);
    let page = workspace.read("own/sum.en.html");
    assert!(page.contains("<h1 id=\"p0\">Sum</h1>") && !page.contains("Sample Input"), "{page}");
    workspace.problem("sum").file("statement/problem.en.md", "# Sum\n\nAdd.\n");
    workspace.grader(&["statement", "sum", "-o", "other"]).status(0);
    has(&workspace.read("other/sum.en.html"), &["Sample Input 1</h3><pre>1 2"]);
}

#[apply(cli_test)]
fn a_contest_is_a_booklet_in_its_order() {
    let workspace = Workspace::new();
    for slug in ["sum", "total"] {
        workspace.sum(slug).file("statement/problem.en.md", &format!("# The {slug}\n\nAdd.[^1]\n\n[^1]: Two.\n"));
    }
    workspace.file("problems/problems.yaml", "- {id: total, label: A, rgb: '#ff0000'}\n- {id: sum, label: B}\n");
    workspace.file("problems/contest.yaml", "name: Our Contest\nstart_time: 2026-11-27T10:00:00+01:00\n");
    workspace.grader(&["statement", "sum", "total"]).status(0).shows("wrote problems.en.html");
    let page = workspace.read("problems.en.html");
    has(
        &page,
        &["<h1>Our Contest</h1>\n<p>2026-11-27</p>", "fill=\"#ff0000\"", "<span class=\"letter\">A</span> The total"],
    );
    has(&page, &["href=\"#sum-1\"", "id=\"total-1\""]);
    assert!(page.find("The total") < page.find("The sum"), "{page}");
}

#[apply(cli_test)]
fn a_problem_needs_no_tests_for_its_statement() {
    let workspace = package(&[("statement/problem.en.md", b"Add.")]);
    std::fs::remove_dir_all(workspace.path("sum/data")).unwrap();
    workspace.grader(&["statement", "sum"]).status(2).says("no problem with a test or a submission was found");
    workspace.file("sum/submissions/accepted/sum.sh", "");
    workspace.grader(&["statement", "sum"]).status(0).shows("wrote sum.en.html");
    workspace.grader(&["new", "fresh", "--lang", "python"]).status(0);
    workspace.grader(&["statement", "fresh", "--language", "en"]).status(0).shows("wrote fresh.en.html");
    has(&workspace.read("fresh.en.html"), &["<h2>Input</h2>", "Sample Input 1</h3><pre>7\n</pre>"]);
}

#[apply(cli_test)]
fn pictures_are_in_the_page() {
    let files: [(&str, &[u8]); 2] = [
        (
            "statement/problem.en.tex",
            b"\\illustration{0.3}{cat}{A cat}\n\\includegraphics[width=.5\\textwidth]{cat.png}",
        ),
        ("statement/cat.png", PNG),
    ];
    let workspace = package(&files);
    workspace.grader(&["statement", "sum"]).status(0);
    let page = workspace.read("sum.en.html");
    has(&page, &["alt=\"A cat\" width=\"30%\"", "width=\"50%\"", "data:image/png;base64,", "<figcaption>A cat"]);
}

#[apply(cli_test)]
fn an_svg_that_ends_early_is_refused() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\">";
    for rest in ["<rect>", "<g/>", "</svg><svg/>"] {
        let picture = format!("{svg}{rest}");
        let run = refused("problem.en.md", b"![A cat](cat.svg)", &[("statement/cat.svg", picture.as_bytes())]);
        run.says("cat.svg is not a picture of this kind");
    }
}

#[apply(cli_test)]
fn nothing_of_a_package_acts() {
    let text = "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [a](javascript:alert(1)) $\\operatorname{<img src=x onerror=alert(1)>}$";
    let page = page_of("problem.en.md", text);
    for acts in ["<script", "<img", "javascript:"] {
        assert!(!page.contains(acts), "{acts} is in\n{page}");
    }
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let of_svg = |text: &[u8]| refused("problem.en.md", b"\n![a](p.svg)", &[("statement/p.svg", text)]);
    of_svg(svg).says("line 2, column 1").says("p.svg has <script>");
    of_svg(b"<html><body>").says("p.svg is not a picture");
    refused("problem.en.md", b"![a](p.png)", &[("statement/p.png", b"<html>")]).says("p.png is not a picture");
    refused("problem.en.md", b"![a](../data/p.png)", &[("data/p.png", PNG)]).says("not beside the statement");
    refused("problem.en.tex", b"\\includegraphics{https://example.org/p.png}", &[]).says("not beside the statement");
    let workspace = package(&[("statement/problem.en.md", b"![a](p.png)")]);
    workspace.file("secret.png", PNG);
    std::os::unix::fs::symlink(workspace.path("secret.png"), workspace.path("sum/statement/p.png")).unwrap();
    workspace.grader(&["statement", "sum"]).status(2).says("statement/p.png is a link that leads out of the package");
}

#[apply(cli_test)]
fn what_does_not_end_is_an_error_with_its_line() {
    let run = refused("problem.en.tex", b"a\n\\begin{itemize}\n\\item b\n\n\\begin{center} c\n$d\n\n{e\n", &[]);
    run.says("line 2, column 1: `\\begin{itemize}` has no `\\end{itemize}`");
    run.says("line 5, column 1: `\\begin{center}` has no `\\end{center}`");
    run.says("line 6, column 1: the formula that begins with `$` has no `$`");
    run.says("line 8, column 1: the `{` here has no `}`");
    let run = refused("problem.en.tex", b"\\begin{center}\n\\begin{tabular}{l}\na\n\\end{center}\n\\end{table} }", &[]);
    run.says("line 2, column 1: `\\begin{tabular}`").says("line 5, column 1: `\\end{table}` ends no environment");
    run.says("`}` ends no group").hides("`\\begin{center}`");
    refused("problem.en.tex", b"\\begin{verbatim}\nx", &[]).says("`\\begin{verbatim}` has no `\\end{verbatim}`");
    refused("problem.en.tex", b"\\def\\a{\\a\\a}\\a", &[]).says("call each other without end");
}

#[apply(cli_test)]
fn unknown_commands_are_named_with_their_line() {
    let workspace = package(&[("statement/problem.en.tex", b"a\n\\foo{b} \\foo{c}\n\\begin{bar}d\\end{bar}\n$\\baz$")]);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(0).says("line 2, column 1: grader does not know `\\foo`").says("the environment `bar`");
    run.says("line 4, column 1: the formula `\\baz` is shown as text");
    assert_eq!(run.stderr.matches("\\foo").count(), 1, "{}", run.stderr);
    has(&workspace.read("sum.en.html"), &["b c", "<code>\\baz</code>"]);
}

#[apply(cli_test)]
fn hostile_texts_end_soon() {
    for unit in ["{", "\\textbf", "\\begin{center}", "\\footnote{", "\\begin{itemize}\\item ", "\\begin{tabular}{l}"] {
        refused("problem.en.tex", unit.repeat(2000).as_bytes(), &[]).says("nested more than 100 deep");
    }
    refused("problem.en.md", "> ".repeat(2000).as_bytes(), &[]).says("nested more than 100 deep");
    let page = page_of("problem.en.md", &format!("${}x$", "\\sqrt".repeat(790)));
    has(&page, &["<article"]);
    for text in ["\\begin{".repeat(20_000), "${".repeat(20_000)] {
        refused("problem.en.tex", text.as_bytes(), &[]);
    }
    let named = |begin: &str| (0..15_000).map(|at| format!("\\{begin}{{{at}}}")).collect::<Vec<_>>().concat();
    for text in [named("ref"), named("begin") + &named("label"), named("cline")] {
        refused("problem.en.tex", format!("\\begin{{tabular}}{{l}}{text} {{").as_bytes(), &[]);
    }
    refused("problem.en.md", &vec![b'a'; 600_000], &[]).says("larger than 512 KiB");
    refused("problem.en.md", b"good\nb\xffd", &[]).says("line 2, column 2: it is not UTF-8");
}

#[apply(cli_test)]
fn a_large_sample_is_cut_with_a_notice() {
    let large = "1 2\n".repeat(50 << 18);
    let workspace = package(&[("statement/problem.en.md", b"Add."), ("data/sample/1.in", large.as_bytes())]);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(0).says("the sample 1.in is cut: it has 52428800 bytes, and 20000 are shown");
    assert!(workspace.read("sum.en.html").len() < 100_000);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("chromium")])]
fn a_browser_prints_pages() {
    let workspace = package(&[("statement/problem.en.md", b"Add.")]);
    workspace.grader(&["statement", "sum", "--pdf"]).status(0).shows("wrote sum.en.pdf");
    workspace.grader(&["statement", "sum", "-o", "x.pdf"]).status(0);
    for name in ["sum.en.pdf", "x.pdf"] {
        assert!(std::fs::read(workspace.path(name)).unwrap().starts_with(b"%PDF-"), "{name}");
    }
    workspace.grader(&["statement", "sum", "--pdf"]).status(2).says("sum.en.pdf exists already");
}

/// Prints the statement with the programs of one directory.
fn print_with(workspace: &Workspace, path: &str) -> Run {
    let dir = workspace.path(path);
    Call::any(&workspace.path("."), &["statement", "sum", "--pdf"]).env("PATH", dir).run()
}

fn program(workspace: &Workspace, path: &str, script: &str) {
    workspace.file(path, format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(workspace.path(path), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[apply(cli_test)]
fn programs_that_do_not_print_are_named() {
    let workspace = package(&[("statement/problem.en.md", b"Add.")]);
    let none = "no program is installed that prints for grader: chromium, ";
    print_with(&workspace, "none")
        .status(2)
        .says(none)
        .says("or pandoc with typst, xelatex, lualatex")
        .says("apt install chromium")
        .says("print the page from any browser");
    program(&workspace, "bin/pandoc", "exit 0");
    print_with(&workspace, "bin").status(2).says(none);
    program(&workspace, "bin/xelatex", "exit 0");
    print_with(&workspace, "bin").status(2).says("bin/pandoc with xelatex failed with status 0:");
    program(&workspace, "bin/pandoc", "echo '[WARNING] Missing character: x' >&2; echo Failing >&2; exit 3");
    print_with(&workspace, "bin")
        .status(2)
        .says("pandoc with xelatex failed with status 3: [WARNING] Missing character: x");
    program(&workspace, "bin/chromium", "echo broken >&2; exit 3");
    print_with(&workspace, "bin").status(2).says("bin/chromium failed with status 3: broken");
    assert!(!workspace.path("sum.en.pdf").exists());
}

#[apply(cli_test)]
fn an_older_pandoc_prints_through_an_engine_that_it_knows() {
    let workspace = package(&[("statement/problem.en.md", b"Add.")]);
    let pandoc = "case \"$*\" in *=typst*) echo unknown engine >&2; exit 6;; esac\nfor last; do :; done\necho %PDF-1 > \"${last#--output=}\"";
    program(&workspace, "bin/pandoc", pandoc);
    program(&workspace, "bin/typst", "exit 0");
    print_with(&workspace, "bin").status(2).says("pandoc with typst failed with status 6: unknown engine");
    program(&workspace, "bin/lualatex", "exit 0");
    print_with(&workspace, "bin")
        .status(0)
        .says("pandoc with lualatex, which translates the page")
        .says("install chromium");
    assert_eq!(workspace.read("sum.en.pdf"), "%PDF-1\n");
}

#[apply(cli_test)]
#[needs(TEX)]
fn tex_prints_pages() {
    let text = "Add $\\frac{a}{b}$ and \u{e4}.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    let workspace = package(&[("statement/problem.de.md", text.as_bytes())]);
    std::fs::create_dir(workspace.path("bin")).unwrap();
    for tool in ["pandoc", "xelatex", "xdvipdfmx"] {
        std::os::unix::fs::symlink(Path::new("/usr/bin").join(tool), workspace.path("bin").join(tool)).unwrap();
    }
    print_with(&workspace, "bin")
        .status(0)
        .says("pandoc with xelatex, which translates the page")
        .shows("wrote sum.de.pdf");
    #[expect(clippy::disallowed_methods, reason = "no submission is started")]
    let read =
        std::process::Command::new("pdftotext").args(["sum.de.pdf", "-"]).current_dir(workspace.path(".")).output();
    let read = String::from_utf8(read.unwrap().stdout).unwrap();
    assert!(read.contains("and \u{e4}") && read.contains("1\n"), "{read}");
    workspace.file("sum/statement/problem.de.md", "Add \u{6e38}.");
    std::fs::remove_file(workspace.path("sum.de.pdf")).unwrap();
    print_with(&workspace, "bin").status(2).says("Missing character: There is no \u{6e38}");
    assert!(!workspace.path("sum.de.pdf").exists());
}

#[apply(cli_test)]
fn nothing_is_overwritten_and_nothing_is_half_written() {
    let workspace = package(&[("statement/problem.en.md", b"Add."), ("statement/problem.de.md", b"Addiere.")]);
    workspace.file("sum.en.html", "mine").file("file", "mine");
    workspace.grader(&["statement", "sum"]).status(2).says("sum.en.html exists already; grader overwrites nothing");
    assert_eq!(workspace.read("sum.en.html"), "mine");
    assert!(!workspace.path("sum.de.html").exists());
    workspace.grader(&["statement", "sum", "-o", "file"]).status(2).says("file");
    workspace.file("sum/statement/problem.EN.md", "Add.");
    workspace.grader(&["statement", "sum", "-o", "out"]).status(2).says("but for the case of letters");
    assert!(!workspace.path("out").exists());
    let none = package(&[]);
    none.grader(&["statement", "sum"])
        .status(2)
        .says("no statement in Markdown or TeX")
        .says("statement/problem.en.md");
    none.grader(&["statement", "other"]).status(2).says("other");
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_directory_that_may_not_be_written_is_named() {
    let workspace = package(&[("statement/problem.en.md", b"Add.")]);
    workspace.give_to(4711);
    std::fs::create_dir(workspace.path("closed")).unwrap();
    std::fs::set_permissions(workspace.path(""), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(workspace.path("closed"), std::fs::Permissions::from_mode(0o555)).unwrap();
    let binary = workspace.binary();
    let call = Call::program(&workspace.path("."), binary, &["statement", "sum", "-o", "closed"]).user(4711);
    call.run().status(2).says("closed: permission denied").says("→ make it writable").hides(".grader-");
    assert!(std::fs::read_dir(workspace.path("closed")).unwrap().next().is_none());
}

#[apply(cli_test)]
fn a_formula_wider_than_the_page_is_told() {
    let wide = "a_1 + ".repeat(60) + "b";
    let text = format!("$${wide}$$\n\n$$\\begin{{aligned}} a &= b \\\\ c &= d \\end{{aligned}}$$\n");
    let run = package(&[("statement/problem.en.md", text.as_bytes())]).grader(&["statement", "sum"]);
    run.status(0).says("line 1, column 1: the formula `a_1 + a_1").says("is wider than a printed page, which cuts it");
    run.says("write it in several lines: \\begin{aligned}");
    assert_eq!(run.stderr.matches("wider than").count(), 1, "{}", run.stderr);
}

/// Texts for which the time to read them would grow with the square of their length.
#[apply(cli_test)]
fn hostile_statements_are_read_quickly() {
    const SIZE: usize = 100_000;
    let markdown = ["\\", "{{", "\\$", "![a](b){width=1%}", "1<a<2 "];
    let tex = ["\\\\[", "\\section[", "\\cmidrule("];
    let of = |name: &'static str, all: &[&'static str]| all.iter().map(|text| (name, *text)).collect::<Vec<_>>();
    for (name, text) in [of("problem.en.md", &markdown), of("problem.en.tex", &tex)].concat() {
        let whole = text.repeat(SIZE / text.len());
        let workspace = package(&[(&format!("statement/{name}"), whole.as_bytes())]);
        let begun = std::time::Instant::now();
        for command in [&["statement", "sum"][..], &["statement", "sum", "--constraints"]] {
            workspace.grader(command);
        }
        let taken = begun.elapsed();
        assert!(taken < std::time::Duration::from_secs(20), "{text}: {taken:?}");
    }
}

#[apply(cli_test)]
fn colours_of_two_words_are_on_the_title_page() {
    let workspace = Workspace::new();
    for slug in ["sum", "total"] {
        workspace.sum(slug).file("statement/problem.en.md", "Add.\n");
    }
    workspace
        .file("problems/problems.yaml", "- {id: sum, label: A, color: dark blue}\n- {id: total, rgb: '#00ff0080'}\n");
    workspace.grader(&["statement", "problems", "-o", "b.html"]).status(0);
    has(&workspace.read("b.html"), &["fill=\"darkblue\"", "fill=\"#00ff0080\""]);
}
