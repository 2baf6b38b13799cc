//! The columns of a table of TeX, such as `|l|r@{.}l|`.

use super::lex::braced;

/// The most columns of a table.
const MOST: usize = 200;

/// A column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Column<'t> {
    /// The classes of its cells.
    pub(super) classes: Vec<&'static str>,
    /// What stands behind each of its cells: `.` of `r@{.}l`.
    pub(super) behind: &'t str,
}

impl Column<'_> {
    fn add(&mut self, class: &'static str) {
        if !self.classes.contains(&class) {
            self.classes.push(class);
        }
    }
}

/// Reads the columns.
pub(super) fn columns(spec: &str) -> Vec<Column<'_>> {
    let mut found = Vec::new();
    add(spec, &mut found);
    found
}

fn add<'t>(spec: &'t str, found: &mut Vec<Column<'t>>) {
    let mut at = 0;
    // What the next column begins with.
    let (mut bar, mut tight) = (false, false);
    while let Some(c) = spec[at..].chars().next() {
        at += c.len_utf8();
        let argument = |at: usize| braced(spec, at + spec[at..].len() - spec[at..].trim_start().len());
        let align = match c {
            'l' | 'X' | 'p' | 'm' | 'b' => "",
            'c' => "center",
            'r' | 'S' | 'D' => "right",
            '|' => {
                match found.last_mut() {
                    Some(last) => last.add("bar-after"),
                    None => bar = true,
                }
                continue;
            }
            '@' | '!' | '>' | '<' | '{' => {
                let from = if c == '{' { at - 1 } else { at };
                let Some((inner, end)) = argument(from) else { continue };
                at = end;
                match found.last_mut() {
                    Some(last) if c == '@' || c == '!' => {
                        last.behind = inner;
                        tight = c == '@';
                        if tight {
                            last.add("tight-after");
                        }
                    }
                    None if c == '@' => tight = true,
                    // Those of `>{…}` and of `p{3cm}` are about looks.
                    _ => {}
                }
                continue;
            }
            '*' => {
                let Some((count, end)) = argument(at) else { continue };
                let Some((inner, end)) = argument(end) else { continue };
                at = end;
                // A number that is none repeats nothing.
                for _ in 0..count.trim().parse().unwrap_or(0).min(MOST) {
                    if found.len() < MOST && !inner.contains('*') {
                        add(inner, found);
                    }
                }
                continue;
            }
            _ => continue,
        };
        if found.len() == MOST {
            return;
        }
        let classes = [(!align.is_empty(), align), (bar, "bar-before"), (tight, "tight-before")];
        let classes = classes.into_iter().filter_map(|(is_so, class)| is_so.then_some(class)).collect();
        found.push(Column { classes, behind: "" });
        (bar, tight) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(spec: &str) -> Vec<String> {
        columns(spec).iter().map(|column| column.classes.join(" ")).collect()
    }

    #[test]
    fn columns_have_alignments_bars_and_separators() {
        assert_eq!(classes("|l|r|"), ["bar-before bar-after", "right bar-after"]);
        assert_eq!(classes("@{}l||p{3cm}c@{}"), ["tight-before bar-after", "", "center tight-after"]);
        assert_eq!(classes("*{2}{c}>{\\bf}r *x *{9}"), ["center", "center", "right"]);
        let found = columns("r@{.}l!{--}c");
        assert_eq!(classes("r@{.}l!{--}c"), ["right tight-after", "tight-before", "center"]);
        assert_eq!(found.iter().map(|column| column.behind).collect::<Vec<_>>(), [".", "--", ""]);
        assert_eq!(columns(&"*{999}{ccc}".repeat(99)).len(), MOST);
    }
}
