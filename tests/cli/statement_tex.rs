//! `grader statement`: notations of TeX that statements in the field use, in the page that they become.

use macro_rules_attribute::apply;

use crate::cli::statement::{has, package, page_of};

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
