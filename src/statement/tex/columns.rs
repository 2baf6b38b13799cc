//! The columns of a table of TeX, such as `|l|r@{.}l|`.

use super::lex::braced;

/// The most columns of a table.
const MOST: usize = 200;

/// A column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Column<'t> {
    /// The classes of its cells.
    pub(super) classes: Vec<&'static str>,
    /// The text behind each of its cells: `.` of `r@{.}l`.
    pub(super) behind: &'t str,
}

impl Column<'_> {
    fn add(&mut self, class: &'static str) {
        if !self.classes.contains(&class) {
            self.classes.push(class);
        }
    }
}

/// The columns of a table.
#[derive(Debug, Default)]
pub(super) struct Columns<'t> {
    pub(super) all: Vec<Column<'t>>,
    /// The parts of the specification that grader does not know.
    pub(super) unknown: Vec<&'t str>,
}

/// Reads the columns.
pub(super) fn columns(spec: &str) -> Columns<'_> {
    let mut found = Columns::default();
    add(spec, &mut found);
    found
}

fn add<'t>(spec: &'t str, columns: &mut Columns<'t>) {
    let mut at = 0;
    // Whether a bar precedes the next column, and whether the space before it is removed.
    let mut bar = false;
    let mut tight = false;
    while let Some(c) = spec[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        let argument = |at: usize| braced(spec, at + spec[at..].len() - spec[at..].trim_start().len());
        let align = match c {
            'l' | 'X' | 'p' | 'm' | 'b' => "",
            'c' => "center",
            'r' | 'S' | 'D' => "right",
            '|' => {
                match columns.all.last_mut() {
                    Some(last) => last.add("bar-after"),
                    None => bar = true,
                }
                continue;
            }
            '@' | '!' | '>' | '<' | '{' => {
                let Some((inner, end)) = argument(if c == '{' { start } else { at }) else { continue };
                at = end;
                match columns.all.last_mut() {
                    Some(last) if c == '@' || c == '!' => {
                        last.behind = inner;
                        tight = c == '@';
                        if tight {
                            last.add("tight-after");
                        }
                    }
                    None if c == '@' => tight = true,
                    // Those of `>{$}` are formulas. Other commands there, and `p{3cm}`, are about looks.
                    _ if inner.contains('$') => columns.unknown.push(&spec[start..end]),
                    _ => {}
                }
                continue;
            }
            '*' => {
                let Some((count, end)) = argument(at) else { continue };
                let Some((inner, end)) = argument(end) else { continue };
                at = end;
                let count = count.trim().parse::<usize>().ok().filter(|_| !inner.contains('*'));
                if count.is_none() {
                    columns.unknown.push(&spec[start..end]);
                }
                for _ in 0..count.unwrap_or(0).min(MOST) {
                    if columns.all.len() < MOST {
                        add(inner, columns);
                    }
                }
                continue;
            }
            c if c.is_whitespace() => continue,
            c => {
                columns.unknown.push(&spec[start..at]);
                if !c.is_alphabetic() {
                    continue;
                }
                ""
            }
        };
        if columns.all.len() == MOST {
            return;
        }
        let classes = [(!align.is_empty(), align), (bar, "bar-before"), (tight, "tight-before")];
        let classes = classes.into_iter().filter_map(|(is_so, class)| is_so.then_some(class)).collect();
        columns.all.push(Column { classes, behind: "" });
        (bar, tight) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(spec: &str) -> Vec<String> {
        columns(spec).all.iter().map(|column| column.classes.join(" ")).collect()
    }

    #[test]
    fn columns_have_alignments_bars_and_separators() {
        assert_eq!(classes("|l|r|"), ["bar-before bar-after", "right bar-after"]);
        assert_eq!(classes("@{}l||p{3cm}c@{}"), ["tight-before bar-after", "", "center tight-after"]);
        assert_eq!(classes("*{2}{c}>{\\bf}r * *{9}"), ["center", "center", "right"]);
        let found = columns("r@{.}l!{--}c").all;
        assert_eq!(classes("r@{.}l!{--}c"), ["right tight-after", "tight-before", "center"]);
        assert_eq!(found.iter().map(|column| column.behind).collect::<Vec<_>>(), [".", "--", ""]);
        assert_eq!(columns(&"*{999}{ccc}".repeat(99)).all.len(), MOST);
        let Columns { all, unknown } = columns("lC{2cm} | >{$}r<{$} *{x}{c} ;é");
        assert_eq!((all.len(), unknown), (4, vec!["C", ">{$}", "<{$}", "*{x}{c}", ";", "é"]));
    }
}
