//! `grader statement`: notations of TeX that statements in the field use, in the page that they become.

use macro_rules_attribute::apply;

use crate::cli::statement::{PNG, has, package, page_of};

#[apply(cli_test)]
fn references_show_the_numbers_of_what_they_name() {
    let text = "See Figure~\\ref{fig:b}, \\autoref{tab:a} and step \\ref{two}.\n\
                \\begin{figure}\\caption{First}\\end{figure}\n\
                \\begin{figure}\\caption{Second}\\label{fig:b}\\end{figure}\n\
                \\begin{table}\\caption{Values}\\label{tab:a}\\end{table}\n\
                \\begin{enumerate}\\item one \\item\\label{two} two\\end{enumerate}";
    let page = page_of("problem.en.tex", text);
    has(&page, &["See Figure\u{a0}2, 1 and step 2.", "<figcaption>Figure 1: First", "<figcaption>Figure 2: Second"]);
    has(&page, &["<figcaption>Table 1: Values"]);
    // Without references, nobody needs the numbers.
    let page = page_of("problem.en.tex", "\\begin{figure}\\caption{Alone}\\label{fig:a}\\end{figure}");
    has(&page, &["<figcaption>Alone"]);
    let workspace = package(&[("statement/problem.en.tex", b"\\section{A}\\label{sec:a}\nSee \\ref{sec:a}.")]);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(0).says("line 2, column").says("`\\ref{sec:a}` names no figure, table or item with a number");
    has(&workspace.read("sum.en.html"), &["See ??."]);
}

#[apply(cli_test)]
fn tables_have_the_columns_and_lines_of_their_authors() {
    let text = "\\begin{tabular}{|l|r@{.}l|}\n\\hline\na & 3 & 14 \\\\ \\cline{2-3}\nb & 2 & 7 \\\\\n\\hline\n\\end{tabular}\n\n\
                \\begin{tabular}{*{2}{c}@{ $\\to$ }c}\\toprule[1pt]\n1 & \\multicolumn{2}{r|}{2} \\\\ \\cmidrule(lr){1-1}\n\
                3 & 4 & 5\\end{tabular}";
    let page = page_of("problem.en.tex", text);
    has(
        &page,
        &[
            "<tr class=\"rule-above\"><td class=\"bar-before bar-after\">",
            "<td class=\"right tight-after\"> 3.</td><td class=\"tight-before bar-after\"> 14 </td></tr>",
            "<tr class=\"rule-below\"><td class=\"bar-before bar-after\">",
            "<td class=\"right tight-after rule-above\"> 2.</td><td class=\"tight-before bar-after rule-above\"> 7 </td></tr>",
            "<td class=\"right bar-after\" colspan=\"2\"> 2 </td></tr>",
            "<td class=\"center rule-above\">  3 </td><td class=\"center tight-after\"> 4<math",
            "<td class=\"center tight-before\"> 5</td></tr>\n</table>",
        ],
    );
    for lost in ["toprule", "1pt", "(lr)", "1-1", "2-3"] {
        assert!(!page.contains(lost), "{lost} is in\n{page}");
    }
}

#[apply(cli_test)]
fn labels_of_items_replace_their_marks() {
    let text = "\\begin{itemize}\\item[--] dash \\item dot\\end{itemize}\n\
                \\begin{enumerate}\\item[(a)] letter\\end{enumerate}\n\
                \\begin{description}\\item[term] meaning\\end{description}";
    let page = page_of("problem.en.tex", text);
    has(&page, &["<li class=\"own\"><p>–  dash", "<li><p>dot", "<li class=\"own\"><p>(a)  letter"]);
    has(&page, &["<li class=\"own\"><p><strong>term</strong>  meaning", "li.own { list-style: none;"]);
}

#[apply(cli_test)]
fn formulas_may_be_in_texts_of_formulas() {
    let page = page_of("problem.en.tex", "$a_{\\text{if $b_1$ holds}} \\mbox{ for \\$ and $c$}$");
    has(
        &page,
        &["<mtext>if&nbsp;</mtext>", "<mi>b</mi>", "<mtext>&nbsp;holds</mtext>", "&nbsp;for $ and&nbsp;", "<mi>c</mi>"],
    );
    assert!(!page.contains("$b_1$") && !page.contains("<code>"), "{page}");
    let page = page_of("problem.en.tex", "\\begin{equation}\\label{eq:sum} a + b\\end{equation}");
    has(&page, &["<mi>a</mi>"]);
}

#[apply(cli_test)]
fn macros_may_begin_and_end_environments() {
    let text = "\\newcommand{\\bi}{\\begin{itemize}}\\newcommand{\\ei}{\\end{itemize}}\\bi\n\\item one\n\\ei";
    has(&page_of("problem.en.tex", text), &["<ul>\n<li><p>one"]);
}

/// The page and the warnings of a statement in TeX.
#[track_caller]
fn warned(text: &str, warnings: &[&str]) -> String {
    let files: [(&str, &[u8]); 2] = [("statement/problem.en.tex", text.as_bytes()), ("statement/cat.png", PNG)];
    let workspace = package(&files);
    let run = workspace.grader(&["statement", "sum"]);
    run.status(0);
    for warning in warnings {
        run.says(warning);
    }
    assert_eq!(run.stderr.matches("warning:").count(), warnings.len(), "{}", run.stderr);
    workspace.read("sum.en.html")
}

#[apply(cli_test)]
fn accents_may_stand_alone() {
    let page = warned("a\\^{}b \\~{}c \\'{e} \\v{\\textbf{s}}", &[]);
    has(&page, &["a^b ~c é <strong>š</strong>"]);
}

#[apply(cli_test)]
fn lists_have_the_marks_of_their_authors() {
    let text = "\\begin{enumerate}[label=(\\alph*), noitemsep]\\item one \\item\\label{two} two\\end{enumerate}\n\
                \\begin{enumerate}[start=3]\\item three\\end{enumerate} See \\ref{two}.\n\
                \\begin{itemize}[label=--]\\item dash \\item[x] own\\end{itemize}";
    let page = warned(text, &[]);
    has(
        &page,
        &["<p>(a) one", "<p>(b)", "two", "<ol start=\"3\">\n<li><p>three", "See (b).", "<p>– dash", "<p>x  own"],
    );
    let text = "\\renewcommand{\\labelenumi}{x}\n\\begin{itemize}[label=$\\star$]\\item a\\end{itemize}\n\\item b";
    warned(
        text,
        &[
            "line 1, column 1: grader does not read the marks of lists from `\\labelenumi`",
            "line 2, column 1: grader does not know the option `label=$\\star$` of a list",
            "line 3, column 1: `\\item` is not in a list",
        ],
    );
}

#[apply(cli_test)]
fn pictures_have_the_size_that_grader_knows_or_a_warning() {
    let page =
        warned("\\includegraphics[height=5cm,keepaspectratio]{cat}\\includegraphics[width=1.2\\linewidth]{cat}", &[]);
    has(&page, &["alt=\"\" height=\"189\">", "width=\"100%\">"]);
    warned(
        "a\n\\includegraphics[scale=0.5, angle=90]{cat}\\illustration{wide}{cat}{A cat}",
        &[
            "line 2, column 1: grader does not know the option `scale=0.5` of `\\includegraphics`",
            "the option `angle=90` of `\\includegraphics`",
            "the width `wide` of `\\illustration` is not a number",
        ],
    );
}

#[apply(cli_test)]
fn macros_have_default_arguments() {
    let text =
        "\\newcommand{\\most}[2][n]{$#1 \\le #2$}\\DeclareMathOperator{\\lcm}{lcm}\\most{5} \\most[m]6 $\\lcm(a)$";
    let page = warned(text, &[]);
    has(&page, &["<mi>n</mi><mo>≤</mo><mn>5</mn>", "<mi>m</mi><mo>≤</mo><mn>6</mn>", "lcm"]);
    let page = warned(
        "\n\\let\\a=\\b \\newenvironment{x}[1]{y}{z}w",
        &["line 2, column 1: grader cannot read this `\\let`", "`\\newenvironment`"],
    );
    has(&page, &["<p>w"]);
}

#[apply(cli_test)]
fn constants_that_the_problem_lacks_are_named() {
    let text = "\\constant{max} \\constant{least}\n$n \\le \\constant{largest}$";
    let page = warned(
        text,
        &[
            "line 1, column 5: the problem has no constant `least`",
            "line 2, column 1: the problem has no constant `largest`",
        ],
    );
    has(&page, &["100 least", "largest</mtext>"]);
    let text = "{{max}} {{least}} `{{code}}` $2^{{n}}$\n\n{{nextsample}}\n";
    let run = package(&[("statement/problem.en.md", text.as_bytes())]).grader(&["statement", "sum"]);
    run.status(0).says("line 1, column 5: the problem has no constant `least`").hides("`code`").hides("`n`");
}

#[apply(cli_test)]
fn formulas_that_cannot_be_shown_say_why() {
    let text = "$a \\foo b$\n$\\begin{bar}x\\end{bar}$\n$\\frac{a}{b_c_d}$\n$\\left( x$";
    let run = package(&[("statement/problem.en.tex", text.as_bytes())]).grader(&["statement", "sum"]);
    run.status(0)
        .says("line 1, column 1: the formula `a \\foo b` is shown as text: grader does not know `\\foo` in formulas");
    run.says("use another command, or define it with \\newcommand");
    run.says("line 2, column 1").says("grader does not know the environment `bar` in formulas");
    run.says("line 3, column 1: the formula `\\frac{a}{b_c_d}` is shown as text: a letter has two `_` or two `^`");
    run.says("write braces, such as a_{b_c}");
    run.says("line 4, column 1: the formula `\\left( x` is shown as text: not each `\\left` has its `\\right`");
    for jargon in ["primitive", "control sequence", "group", "token"] {
        run.hides(jargon);
    }
}

#[apply(cli_test)]
fn what_a_page_cannot_show_is_a_warning() {
    let text = "\\begin{tikzpicture}\\draw (0,0); $\\end{tikzpicture}\n\\begin{tabular}{lC>{$}r<{$}} a & b & c \\end{tabular}\n\
                \\begin{tabular}{l@{\\hspace{1em}}l@{\\foo}l}a & b & c\\end{tabular}\n\\input{other}\\hline\n\
                \\begin{lstlisting}[language=C,caption=Code]\nx\n\\end{lstlisting}\n\\url{example.org} \\pageref{x}";
    let page = warned(
        text,
        &[
            "line 1, column 1: grader does not draw the environment `tikzpicture`",
            "line 2, column 1: grader does not know `C` among the columns of a table",
            "grader does not know `>{$}` among",
            "grader does not know `<{$}` among",
            "line 3, column 50: grader does not show `\\foo` between the columns",
            "line 4, column 1: grader does not read `other`",
            "`\\hline` is not in a table",
            "line 5, column 1: grader does not know the option `caption=Code`",
            "the link to `example.org` leads nowhere",
            "a page has no page numbers",
        ],
    );
    has(&page, &["[tikzpicture]", "<pre>x\n</pre>"]);
    for text in ["\\begin{comment}$ { \\foo\\end{comment}a", "\\iffalse $ { \\foo \\fi a", "\\section[short]{a}"] {
        let page = warned(text, &[]);
        assert!(page.contains('a') && !page.contains("\\foo") && !page.contains("[short]"), "{page}");
    }
}

#[apply(cli_test)]
fn commands_of_the_format_are_shown() {
    let text = "\\t{code} <<quoted>> \\epigraph{Text}{Source} \\textsuperscript{2}a\\hspace{1cm}b";
    let page = warned(text, &[]);
    has(
        &page,
        &[
            "<code>code</code> «quoted»",
            "<blockquote class=\"epigraph\">Text<footer>Source</footer>",
            "<sup>2</sup>a b",
        ],
    );
    let title = format!("\\problemname{{{}é}}", "a".repeat(999));
    page_of("problem.en.tex", &title);
}

#[apply(cli_test)]
fn cells_of_several_rows_take_the_places_of_blank_cells() {
    let text = "\\begin{tabular}{|c|l|}\\hline\n\\multirow{2}{*}{both} & one \\\\ \\cline{2-2}\n & two \\\\ \\hline\n\
                \\multirow[t]{3}*{short} & three \\\\\nfour & \\\\\n five & \\multirow{-2}{*}{up} \\\\ \\hline\n\\end{tabular}";
    let page = page_of("problem.en.tex", text);
    has(
        &page,
        &["<td class=\"center bar-before bar-after\" rowspan=\"2\"> both </td>", "<td class=\"bar-after\"> one </td>"],
    );
    has(&page, &["<tr><td class=\"bar-after rule-above\"> two </td></tr>"]);
    // A cell with text stays.
    has(
        &page,
        &[
            "<td class=\"center bar-before bar-after\">  short </td>",
            "four </td><td class=\"bar-after rule-below\" rowspan=\"2\"> up </td>",
        ],
    );
    for lost in ["*short", "[t]", "{-2}", "multirow"] {
        assert!(!page.contains(lost), "{lost} is in\n{page}");
    }
}

#[apply(cli_test)]
fn warnings_say_what_is_shown_and_what_to_write() {
    let text =
        "\\InputFile\n\\begin{tcolorbox}a\\end{tcolorbox}\n\\frobnicate{b}\n\\begin{frob}c\\end{frob}\n\\Examples";
    let page = warned(
        text,
        &[
            "line 1, column 1: grader does not know `\\InputFile`: only the text in its braces is shown\n  → write \
             \\section*{Input}",
            "line 2, column 1: grader does not know the environment `tcolorbox`: only the text in it is shown\n  → write \
             \\begin{quote} and \\end{quote}",
            "`\\frobnicate`: only the text in its braces is shown\n  → remove it, define it with \\newcommand, or write a \
             command that docs/statement.md lists",
            "`frob`: only the text in it is shown\n  → remove its \\begin and \\end, or write an environment that \
             docs/statement.md lists",
            "`\\Examples`: only the text in its braces is shown\n  → remove it: grader shows the samples",
        ],
    );
    has(&page, &["a", "b", "c"]);
}

#[apply(cli_test)]
fn errors_say_what_to_add_and_where() {
    for (text, says) in [
        (
            "a $x\n\nb",
            "line 1, column 3: the formula that begins with `$` has no `$`\n  → end it with `$` before the next",
        ),
        ("\\[ a", "has no `\\]`\n  → end it with `\\]` before the next empty line"),
        (
            "\n\\begin{itemize}\n\\item b",
            "line 2, column 1: `\\begin{itemize}` has no `\\end{itemize}`\n  → add `\\end{itemize}`",
        ),
        ("\\begin{verbatim}x", "`\\begin{verbatim}` has no `\\end{verbatim}`\n  → add `\\end{verbatim}` where it ends"),
        ("a}", "line 1, column 2: `}` ends no group\n  → remove it, or add `{` before it"),
        ("\\end{center}", "`\\end{center}` ends no environment\n  → remove it, or add `\\begin{center}` before it"),
        ("a {b", "line 1, column 3: the `{` here has no `}`\n  → add `}` where it ends, or write `\\{` for a brace"),
        ("\\verb|x", "→ end it on the same line with the mark that begins it"),
        ("\\url{x", "the argument of `\\url` has no end\n  → add `}` where the argument ends"),
        ("\\def\\a{\\a\\a}\\a", "call each other without end, or make too much text\n  → remove the calls of a macro"),
    ] {
        crate::cli::statement::refused("problem.en.tex", text.as_bytes(), &[]).says(says);
    }
}

#[apply(cli_test)]
fn a_macro_may_be_another_name_for_a_command() {
    let text = "\\newcommand{\\code}{\\texttt}\\newcommand{\\rmm}{\\textrm}\\newcommand{\\most}{\\ensuremath{10^5}\\xspace}\n\
                \\code{x} $\\rmm{k}_\\rmm{n}$ at \\most now.";
    let page = warned(text, &[]);
    has(&page, &["<code>x</code>", "<mtext>k</mtext>", "<mtext>n</mtext>", "<mn>5</mn>", "</math> now."]);
}

#[apply(cli_test)]
fn commands_about_pages_and_boxes_show_nothing_of_their_own() {
    let text = "a\\pagebreak[2] \\makebox[3cm][c]{b} \\colorbox{red}{c} \\thispagestyle{empty}d \\href[x]{https://e.org}{e} \
                $a \\mod 7$ $\\bm{v}$";
    let page = warned(text, &[]);
    has(&page, &["a b c d <a href=\"https://e.org\" rel=\"noopener noreferrer\">e</a>", "mod"]);
    for lost in ["[2]", "3cm", "[c]", "red", "empty"] {
        assert!(!page.contains(lost), "{lost} is in\n{page}");
    }
}

#[apply(cli_test)]
fn a_thousand_open_styles_make_a_small_page() {
    let page = warned(&("\\bf ".repeat(1000) + &"x\n\n".repeat(1000)), &[]);
    assert!(page.len() < 100_000, "{} bytes", page.len());
}
