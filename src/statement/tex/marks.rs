//! The marks of the items of a list, as the options of its environment say: `[label=(\alph*)]`, `[(a)]`, `[start=3]`.

use super::typeset;

/// Options of `enumitem` that are about space.
const SPACES: [&str; 20] = [
    "noitemsep",
    "nosep",
    "nolistsep",
    "leftmargin",
    "rightmargin",
    "left",
    "right",
    "itemsep",
    "topsep",
    "parsep",
    "partopsep",
    "labelsep",
    "labelindent",
    "labelwidth",
    "itemindent",
    "listparindent",
    "align",
    "wide",
    "widest",
    "compact",
];

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numerals {
    Arabic,
    Letters,
    Capitals,
    Roman,
    CapitalRoman,
}

const COUNTERS: [(&str, Numerals); 5] = [
    ("\\arabic*", Numerals::Arabic),
    ("\\alph*", Numerals::Letters),
    ("\\Alph*", Numerals::Capitals),
    ("\\roman*", Numerals::Roman),
    ("\\Roman*", Numerals::CapitalRoman),
];

/// The characters that stand for a counter in an option such as `[(a)]`.
const SHORT: [(char, Numerals); 5] = [
    ('1', Numerals::Arabic),
    ('a', Numerals::Letters),
    ('A', Numerals::Capitals),
    ('i', Numerals::Roman),
    ('I', Numerals::CapitalRoman),
];

impl Numerals {
    fn of(self, number: usize) -> String {
        let letter = |first: u8| {
            let letter = u8::try_from(number.saturating_sub(1)).ok().filter(|at| *at < 26);
            letter.map_or_else(|| number.to_string(), |at| char::from(first + at).to_string())
        };
        match self {
            Self::Arabic => number.to_string(),
            Self::Letters => letter(b'a'),
            Self::Capitals => letter(b'A'),
            Self::Roman => roman(number),
            Self::CapitalRoman => roman(number).to_uppercase(),
        }
    }
}

fn roman(number: usize) -> String {
    const DIGITS: [(usize, &str); 9] =
        [(100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")];
    if number > 399 {
        return number.to_string();
    }
    let mut made = String::new();
    let mut rest = number;
    for (value, digit) in DIGITS {
        made += &digit.repeat(rest / value);
        rest %= value;
    }
    made
}

/// The mark of every item: text around its number.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Marks {
    before: String,
    numerals: Option<Numerals>,
    after: String,
}

impl Marks {
    fn new(before: &str, numerals: Option<Numerals>, after: &str) -> Option<Self> {
        let is_text = |text: &str| !text.contains(['\\', '$', '{', '}', '~']);
        let is_fine = is_text(before) && is_text(after);
        is_fine.then(|| Self { before: typeset(before), numerals, after: typeset(after) })
    }

    /// Of `label=` in `enumitem`.
    fn of_label(label: &str) -> Option<Self> {
        let label = label.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(label);
        let counter = COUNTERS.iter().find_map(|(counter, numerals)| Some((label.split_once(counter)?, *numerals)));
        match counter {
            Some(((before, after), numerals)) => Self::new(before, Some(numerals), after),
            None => Self::new(label, None, ""),
        }
    }

    /// Of an option such as `(a)`, `1.` or `--`.
    fn of_short(option: &str) -> Option<Self> {
        let mut letters = option.char_indices().filter(|(_, c)| c.is_alphanumeric());
        let Some((at, letter)) = letters.next() else { return Self::new(option, None, "") };
        let (_, numerals) = SHORT.iter().find(|(short, _)| *short == letter).filter(|_| letters.next().is_none())?;
        Self::new(&option[..at], Some(*numerals), &option[at + 1..])
    }
}

/// The marks and the first number of a list, as its options state them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ListOptions<'t> {
    marks: Option<Marks>,
    /// The number of the first item, if it is stated.
    pub(super) start: Option<usize>,
    /// The options that grader does not know.
    pub(super) unknown: Vec<&'t str>,
}

impl<'t> ListOptions<'t> {
    pub(super) fn read(options: &'t str) -> Self {
        let mut read = Self::default();
        for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let (key, value) =
                option.split_once('=').map_or((option, None), |(key, value)| (key.trim(), Some(value.trim())));
            let is_known = match (key, value) {
                ("label", Some(label)) => read.mark(Marks::of_label(label)),
                ("start", Some(start)) => {
                    read.start = start.parse().ok().filter(|start| *start < 1_000_000);
                    read.start.is_some()
                }
                (key, _) if SPACES.contains(&key.trim_end_matches('*')) => true,
                (_, None) => read.mark(Marks::of_short(option)),
                _ => false,
            };
            if !is_known {
                read.unknown.push(option);
            }
        }
        read
    }

    fn mark(&mut self, marks: Option<Marks>) -> bool {
        let is_known = marks.is_some();
        self.marks = marks.or(self.marks.take());
        is_known
    }

    /// The mark of the item that has this position in its list, from 1; none if it is that of every list.
    pub(super) fn mark_of(&self, position: usize) -> Option<String> {
        let Marks { before, numerals, after } = self.marks.as_ref()?;
        let number = numerals.map(|numerals| numerals.of(self.number_of(position))).unwrap_or_default();
        Some(format!("{before}{number}{after}"))
    }

    /// The number of the item that has this position in its list.
    pub(super) fn number_of(&self, position: usize) -> usize {
        self.start.unwrap_or(1) + position - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_marks() {
        for (options, marks) in [
            ("label=(\\alph*)", ["(a)", "(b)"]),
            ("noitemsep, label={\\Roman*.}, start=4", ["IV.", "V."]),
            ("label=Step \\arabic*:", ["Step 1:", "Step 2:"]),
            ("(i)", ["(i)", "(ii)"]),
            ("1)", ["1)", "2)"]),
            ("A.", ["A.", "B."]),
            ("--", ["–", "–"]),
            ("label=\\alph*,start=26", ["z", "27"]),
        ] {
            let read = ListOptions::read(options);
            assert_eq!([1, 2].map(|at| read.mark_of(at).unwrap()), marks, "{options}");
            assert!(read.unknown.is_empty(), "{options}");
        }
        assert_eq!(ListOptions::read("leftmargin=*,nosep").mark_of(1), None);
        for options in ["label=$\\bullet$", "resume", "Step 1", "start=x", "label=\\textbf{\\arabic*}", "é"] {
            assert_eq!(ListOptions::read(options).unknown, [options]);
        }
        assert_eq!((roman(1994), roman(349)), ("1994".to_owned(), "cccxlix".to_owned()));
    }
}
