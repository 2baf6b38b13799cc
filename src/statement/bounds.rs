//! The bounds of variables that a statement says: `$1 \le n \le 10^5$`, or `1 ≤ n ≤ 100 000` in its text.
//!
//! Only what is certain counts: both ends are numbers, and between them are names alone. A variable with several bounds, such
//! as those of subtasks, has none.

use std::sync::LazyLock;

use pulldown_cmark::{Event, Tag, TagEnd};
use regex::{Captures, Regex};

use super::parts::Part;
use super::tex::command_at;
use crate::strength::bounds::{Span, Stated, Value};

/// The marks around formulas in the plain text.
const FORMULA: char = '\u{1}';
const FORMULA_END: char = '\u{2}';

/// The most text that is searched, in bytes.
const MOST: usize = 512 << 10;

/// `-2·10^5+1`: sign, first number, factor, exponent, sign and number.
const NUMBER: &str = r"(-?)(DIGITS)(?:\s*[·×]\s*(\d+))?(?:\^(?:\{(\d{1,3})\}|(\d)))?(?:([+-])(\d+))?";
/// The digits of the number before the names. A space in it could separate two numbers.
const DIGITS_BEFORE: &str = r"\d{1,3}(?:[\x{a0}\x{202f}]\d{3})+|\d+";
/// The digits of the number behind the names.
const DIGITS_BEHIND: &str = r"\d{1,3}(?:[ ,\x{a0}\x{202f}]\d{3})+|\d+";
const NAME: &str = r"[A-Za-z]+(?:_(?:\{[^{}]{1,20}\}|[A-Za-z0-9]))?";
/// White space, and the marks of formulas.
const GAP: &str = r"[ \t\x{1}\x{2}\x{a0}\x{202f}]*";

static BOUND: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = format!("{NAME}(?:{GAP},{GAP}(?:{NAME}|…))*");
    let [before, behind] = [DIGITS_BEFORE, DIGITS_BEHIND].map(|digits| NUMBER.replace("DIGITS", digits));
    // The tests show that it is one.
    Regex::new(&format!("{before}{GAP}([<≤]){GAP}({names}){GAP}([<≤]){GAP}{behind}")).ok()
});

/// The bounds that the parts of a statement say.
pub(super) fn stated(parts: &[(usize, Part)]) -> Vec<Stated> {
    let text = plain(parts);
    let Some(bound) = BOUND.as_ref() else { return Vec::new() };
    let mut found: Vec<Stated> = Vec::new();
    for captures in bound.captures_iter(&text) {
        for stated in of_match(&text, &captures) {
            if !found.contains(&stated) {
                found.push(stated);
            }
        }
    }
    let is_alone = |one: &Stated| found.iter().filter(|other| other.variable == one.variable).count() == 1;
    found.iter().filter(|one| is_alone(one)).cloned().collect()
}

/// The bounds of one inequality.
fn of_match(text: &str, captures: &Captures<'_>) -> Vec<Stated> {
    let Some(whole) = captures.get(0) else { return Vec::new() };
    let before = text[..whole.start()].chars().next_back();
    let before_gap = text[..whole.start()].trim_end_matches([' ', '\u{a0}', '\u{202f}']).chars().next_back();
    let goes_on_before = before.is_some_and(|c| c.is_alphanumeric() || ".,".contains(c))
        || before_gap.is_some_and(|c| "+-*/·×^_=<≤>≥|".contains(c));
    let rest = &text[whole.end()..];
    let after_gap = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).chars().next();
    let in_formula =
        |at: usize| text[..at].rfind([FORMULA, FORMULA_END]).is_some_and(|at| text[at..].starts_with(FORMULA));
    let goes_on_after = rest.chars().next().is_some_and(char::is_alphanumeric)
        || after_gap.is_some_and(|c| "+-*/·×^_=<≤>≥!%\\({".contains(c))
        || in_formula(whole.end()) && after_gap.is_some_and(char::is_alphanumeric)
        // `1.5` is not 1.
        || rest.starts_with(['.', ',']) && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    if goes_on_before || goes_on_after {
        return Vec::new();
    }
    let relation = |group: usize| captures.get(group).is_some_and(|relation| relation.as_str() == "<");
    // Groups of the two numbers begin at 1 and 11; the relations are 8 and 10, the names 9.
    let (is_open_below, is_open_above) = (relation(8), relation(10));
    let (Some(min), Some(max), Some(names)) = (number(captures, 1), number(captures, 11), captures.get(9)) else {
        return Vec::new();
    };
    let span =
        Span { min: Value::Whole(min + i128::from(is_open_below)), max: Value::Whole(max - i128::from(is_open_above)) };
    let are_formula = in_formula(names.start());
    let names = names
        .as_str()
        .split(',')
        .map(|name| name.trim_matches(|c: char| c.is_whitespace() || c == FORMULA || c == FORMULA_END));
    let names: Vec<&str> = names.filter(|name| *name != "…").collect();
    // In a formula several letters are a product.
    let is_product = |name: &&str| are_formula && name.split('_').next().is_some_and(|base| base.len() > 1);
    if names.iter().any(is_product) || min > max {
        return Vec::new();
    }
    let mut made: Vec<Stated> = Vec::new();
    for name in names {
        let stated = Stated::new(name, span, is_open_below || is_open_above);
        if !made.contains(&stated) {
            made.push(stated);
        }
    }
    made
}

/// The number whose first group this is. None if it is too large.
fn number(captures: &Captures<'_>, first: usize) -> Option<i128> {
    let digits = |group: usize| {
        let text: String = captures.get(group)?.as_str().chars().filter(char::is_ascii_digit).collect();
        text.parse::<i128>().ok()
    };
    let (start, factor) = (digits(first + 1)?, digits(first + 2));
    let exponent = digits(first + 3).or_else(|| digits(first + 4)).map(u32::try_from).transpose().ok()?;
    let raised = |base: i128| exponent.map_or(Some(base), |exponent| base.checked_pow(exponent));
    let product = match factor {
        Some(factor) => start.checked_mul(raised(factor)?)?,
        None => raised(start)?,
    };
    let signed = if captures.get(first).is_some_and(|sign| sign.as_str() == "-") { -product } else { product };
    match (captures.get(first + 5).map(|sign| sign.as_str()), digits(first + 6)) {
        (Some("-"), Some(rest)) => signed.checked_sub(rest),
        (Some(_), Some(rest)) => signed.checked_add(rest),
        _ => Some(signed),
    }
}

/// The text of the parts, with a line for each block.
fn plain(parts: &[(usize, Part)]) -> String {
    let mut made = String::new();
    for (_, part) in parts {
        match part {
            Part::Event(Event::Text(text) | Event::Code(text)) => made.push_str(&text.replace('−', "-")),
            Part::Event(Event::InlineMath(source) | Event::DisplayMath(source)) => {
                made.push(FORMULA);
                made.push_str(&formula(source));
                made.push(FORMULA_END);
            }
            Part::Event(Event::SoftBreak) => made.push(' '),
            Part::Event(Event::Start(Tag::Emphasis | Tag::Strong) | Event::End(TagEnd::Emphasis | TagEnd::Strong))
            | Part::Markup(
                "<em>" | "</em>" | "<strong>" | "</strong>" | "<code>" | "</code>" | "<i>" | "</i>" | "<b>" | "</b>",
            ) => {}
            _ => made.push('\n'),
        }
        if made.len() > MOST {
            break;
        }
    }
    made
}

/// A formula with the characters of Unicode in place of commands. A command that is not known here stays, and so prevents
/// that a part of it is taken for a bound.
fn formula(source: &str) -> String {
    let mut made = String::new();
    let mut at = 0;
    while let Some(found) = source[at..].find('\\') {
        made.push_str(&source[at..at + found]);
        let (name, end) = command_at(source, at + found);
        match name {
            "le" | "leq" | "leqslant" => made.push('≤'),
            "lt" => made.push('<'),
            "cdot" | "times" => made.push('·'),
            "," | ";" | ":" | " " | "!" | "quad" => made.push('\u{202f}'),
            "ldots" | "dots" | "cdots" => made.push('…'),
            other => {
                made.push('\\');
                made.push_str(other);
            }
        }
        at = end;
    }
    made.push_str(&source[at..]);
    made.replace("{,}", ",").replace('~', "\u{a0}").replace('−', "-").replace(" - ", "-").replace(" + ", "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(text: &str) -> Vec<String> {
        let mut notes = super::super::parts::Notes::new("x".into(), text);
        let parts = super::super::markdown::read(text, &mut notes).parts;
        let shown = |one: &Stated| format!("{} {} {}", one.variable, one.span.min, one.span.max);
        stated(&parts).iter().map(shown).collect()
    }

    #[test]
    fn certain_bounds_are_found() {
        for (text, expect) in [
            ("an integer *n* (2 ≤ *n* ≤ 1000).", "n 2 1000"),
            ("$1 \\le n \\le 10^5$", "n 1 100000"),
            ("$1\\leq n\\leq10^{5}$, the number", "n 1 100000"),
            ("1 ≤ n ≤ 100 000.", "n 1 100000"),
            ("$1 \\le n \\le 100\\,000$", "n 1 100000"),
            ("$1 \\le n \\le 100{,}000$", "n 1 100000"),
            ("$0 < a_i < 2^{31}$", "a 1 2147483647"),
            ("$-10^9 \\le x \\le 10^9+7$", "x -1000000000 1000000007"),
            ("$1 \\le k \\le 2 \\cdot 10^5$ and", "k 1 200000"),
            ("$1 \\le a_1, a_2, \\ldots, a_n \\le 9$", "a 1 9"),
            ("two integers $n$ ($1 \\le n \\le 5$)", "n 1 5"),
            ("`width` is 1 ≤ width ≤ 20", "width 1 20"),
            ("$1 \\le n \\le 2^{31}-1$", "n 1 2147483647"),
        ] {
            assert_eq!(bounds(text), [expect], "{text}");
        }
        assert_eq!(bounds("$1 \\le n, m \\le 9$"), ["n 1 9", "m 1 9"]);
    }

    #[test]
    fn nothing_is_guessed() {
        for text in [
            "$1 \\le n \\le m$",
            "$1 \\le nm \\le 10$",
            "$1 \\le n \\cdot m \\le 10$",
            "$1 \\le \\sum a_i \\le 10$",
            "$1 \\le l \\le r \\le 10$",
            "$1 \\le n \\le 10n$",
            "$1 \\le n \\le 10 n$",
            "$1 \\le n \\le 10 \\cdot k$",
            "$1 \\le n \\le 10!$",
            "$x + 1 \\le n \\le 10$",
            "$0.5 \\le n \\le 10$",
            "$1 \\le n \\le 1.5$",
            "$1 \\le n \\le 10^{99}$",
            "$1 \\le |s| \\le 10$",
            "n ≤ 10",
            "1 ≤\n\nn ≤ 10",
            "$1 \\le n \\le 10$ or $1 \\le n \\le 20$",
            "5 ≤ n ≤ 3",
            "Subtask 1 100 ≤ n ≤ 200 and 1 ≤ n ≤ 7",
        ] {
            assert_eq!(bounds(text), Vec::<String>::new(), "{text}");
        }
    }
}
