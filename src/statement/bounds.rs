//! The bounds of variables that a statement says: `$1 \le n \le 10^5$`, or `1 ≤ n ≤ 100 000` in its text.
//!
//! Only what is certain counts: both ends are numbers, and the rest is names alone. A variable with several bounds, such as those
//! of subtasks, has none.

use std::sync::LazyLock;

use pulldown_cmark::{Event, Tag, TagEnd};
use regex::{Captures, Regex};

use super::parts::Part;
use super::tex::command_at;
use crate::strength::bounds::{Span, StatementBound, Value};

/// The marks around formulas in the plain text.
const FORMULA: char = '\u{1}';
const FORMULA_END: char = '\u{2}';

/// The most text that is searched, in bytes.
const MOST: usize = 512 << 10;
/// The most bounds. No statement has more.
const MOST_BOUNDS: usize = 1000;

/// `-2·10^5+1`: sign, first number, factor, exponent, sign and number.
const NUMBER: &str = r"(-?)(DIGITS)(?:\s*[·×*]\s*(\d+))?(?:\^(?:\{\{?(\d{1,3})\}?\}|(\d)))?(?:([+-])(\d+))?";
/// The groups of a number.
const GROUPS: usize = 7;
/// The digits of the smallest value. A space in it could separate two numbers.
const SMALLEST: &str = r"\d{1,3}(?:[\x{a0}\x{202f}]\d{3})+|\d+";
/// The digits of the largest value. A language has either `,` or `.` before thousands.
const LARGEST: &str = r"\d{1,3}(?:[ \x{a0}\x{202f}]\d{3})+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d+";
/// Languages that write 1.000 for a thousand, and a comma before decimals.
const DOT_BEFORE_THOUSANDS: [&str; 13] = ["da", "de", "el", "es", "hr", "id", "it", "nl", "pt", "ro", "sl", "tr", "vi"];
/// Other languages with a comma before decimals.
const COMMA_BEFORE_DECIMALS: [&str; 16] =
    ["bg", "ca", "cs", "et", "fi", "fr", "hu", "lt", "lv", "nb", "no", "pl", "ru", "sk", "sv", "uk"];
const NAME: &str = r"[A-Za-z]+(?:_(?:\{[^{}]{1,20}\}|[A-Za-z0-9]))?";
/// White space, and the marks of formulas.
const GAP: &str = r"[ \t\x{1}\x{2}\x{a0}\x{202f}]*";

/// A way to write bounds. Its groups are those of two numbers, the names, and the marks that say whether an end belongs to it.
struct Form {
    regex: Regex,
    lower: usize,
    smallest: usize,
    names: usize,
    largest: usize,
    upper: usize,
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let names = format!("({NAME}(?:{GAP},{GAP}(?:{NAME}|…))*)");
    let [smallest, largest] = [SMALLEST, LARGEST].map(|digits| NUMBER.replace("DIGITS", digits));
    let regex = |parts: &[&str]| Regex::new(&parts.join(GAP));
    // The tests show that these are some.
    let Ok(inequality) = regex(&[&smallest, "([<≤])", &names, "([<≤])", &largest]) else { return Vec::new() };
    let Ok(interval) = regex(&[&names, "∈", r"([\[(])", &smallest, "[,;]", &largest, r"([\])])"]) else {
        return Vec::new();
    };
    let dots = format!(r",{GAP}(?:\d+{GAP},{GAP})*…{GAP},");
    let Ok(set) = regex(&[&names, "∈", r"(\\\{)", &smallest, &dots, &largest, r"(\\\})"]) else { return Vec::new() };
    let listed = |regex| Form { regex, names: 1, lower: 2, smallest: 3, largest: 3 + GROUPS, upper: 3 + 2 * GROUPS };
    let inequality = Form {
        regex: inequality,
        smallest: 1,
        lower: 1 + GROUPS,
        names: 2 + GROUPS,
        upper: 3 + GROUPS,
        largest: 4 + GROUPS,
    };
    vec![inequality, listed(interval), listed(set)]
});

/// The bounds that the parts of a statement in this language say.
pub(super) fn stated(parts: &[(usize, Part)], language: &str) -> Vec<StatementBound> {
    let text = plain(parts);
    let formulas: Vec<usize> = text.match_indices([FORMULA, FORMULA_END]).map(|(at, _)| at).collect();
    let mut found: Vec<StatementBound> = Vec::new();
    for form in FORMS.iter() {
        for captures in form.regex.captures_iter(&text) {
            for stated in of_match(&text, &formulas, form, &captures, language) {
                if found.len() < MOST_BOUNDS && !found.contains(&stated) {
                    found.push(stated);
                }
            }
        }
    }
    let is_alone = |one: &StatementBound| found.iter().filter(|other| other.variable == one.variable).count() == 1;
    found.iter().filter(|one| is_alone(one)).cloned().collect()
}

/// The bounds of one match. `formulas`: the places of all marks around formulas.
fn of_match(
    text: &str,
    formulas: &[usize],
    form: &Form,
    captures: &Captures<'_>,
    language: &str,
) -> Vec<StatementBound> {
    let Some(whole) = captures.get(0) else { return Vec::new() };
    let before = text[..whole.start()].chars().next_back();
    let before_gap = text[..whole.start()].trim_end_matches([' ', '\u{a0}', '\u{202f}']).chars().next_back();
    let goes_on_before = before.is_some_and(|c| c.is_alphanumeric() || ".,".contains(c))
        || before_gap.is_some_and(|c| "+-*/·×^_=<≤>≥|".contains(c));
    let rest = &text[whole.end()..];
    let after_gap = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).chars().next();
    let in_formula = |at: usize| {
        let before = formulas.partition_point(|begin| *begin < at);
        before > 0 && text[formulas[before - 1]..].starts_with(FORMULA)
    };
    let goes_on_after = rest.chars().next().is_some_and(char::is_alphanumeric)
        || after_gap.is_some_and(|c| "+-*/·×^_=<≤>≥!%\\({∪∩".contains(c))
        || in_formula(whole.end()) && after_gap.is_some_and(char::is_alphanumeric)
        // `1.5` is not 1.
        || rest.starts_with(['.', ',']) && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    if goes_on_before || goes_on_after {
        return Vec::new();
    }
    let mark = |group: usize| captures.get(group).map(|mark| mark.as_str()).unwrap_or_default();
    let (is_open_below, is_open_above) =
        (["<", "("].contains(&mark(form.lower)), ["<", ")"].contains(&mark(form.upper)));
    let are_certain = [form.smallest, form.largest].iter().all(|first| is_whole(mark(first + 1), language));
    let (Some(min), Some(max)) = (number(captures, form.smallest), number(captures, form.largest)) else {
        return Vec::new();
    };
    let Some(names) = captures.get(form.names).filter(|_| are_certain) else { return Vec::new() };
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
    let mut made: Vec<StatementBound> = Vec::new();
    for name in names {
        let stated = StatementBound::new(name, span, [is_open_below, is_open_above]);
        if !made.contains(&stated) {
            made.push(stated);
        }
    }
    made
}

/// Whether a number is an integer in a language: 1.000 is one in English and a thousand in German.
fn is_whole(digits: &str, language: &str) -> bool {
    let main = language.split(['-', '_']).next().unwrap_or_default();
    let has_dot = DOT_BEFORE_THOUSANDS.contains(&main);
    // A mark before decimals occurs only once.
    let is_clear = |mark: char| digits.matches(mark).count() != 1;
    (has_dot || is_clear('.')) && (!has_dot && !COMMA_BEFORE_DECIMALS.contains(&main) || is_clear(','))
}

/// The number whose first group this is. None if it is too large.
fn number(captures: &Captures<'_>, first: usize) -> Option<i128> {
    let digits = |group: usize| {
        let text: String = captures.get(group)?.as_str().chars().filter(char::is_ascii_digit).collect();
        text.parse::<i128>().ok()
    };
    let start = digits(first + 1)?;
    let factor = digits(first + 2);
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
            Part::Event(Event::Text(text) | Event::Code(text)) => made.push_str(&raised(&text.replace('−', "-"))),
            Part::Markup("<sup>") => made.push_str("^{"),
            Part::Markup("<sub>") => made.push_str("_{"),
            Part::Markup("</sup>" | "</sub>") => made.push('}'),
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

/// The text with `10^{5}` in place of `10⁵`.
fn raised(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut is_raised = false;
    for c in text.chars() {
        let digit = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().zip('0'..='9').find(|(raised, _)| *raised == c).map(|(_, digit)| digit);
        made.push_str(match (is_raised, digit) {
            (false, Some(_)) => "^{",
            (true, None) => "}",
            _ => "",
        });
        is_raised = digit.is_some();
        made.push(digit.unwrap_or(c));
    }
    if is_raised {
        made.push('}');
    }
    made
}

/// Groups that change nothing, such as those around an expanded macro: `{10^5}`, but not `^{5}` and `\frac{1}{2}`.
static GROUP: LazyLock<Option<Regex>> =
    // The tests show that it is one.
    LazyLock::new(|| Regex::new(r"(^|[^\^_}\\\w])\{((?:[^{}\\]|\{[^{}\\]*\})*)\}").ok());

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
            "in" => made.push('∈'),
            // Their arguments are numbers.
            "num" | "numprint" => {}
            "cdot" | "times" => made.push('·'),
            "," | ";" | ":" | " " | "!" => made.push('\u{202f}'),
            "quad" => made.push_str("  "),
            "ldots" | "dots" | "cdots" => made.push('…'),
            other => {
                made.push('\\');
                made.push_str(other);
            }
        }
        at = end;
    }
    made.push_str(&source[at..]);
    // Spaces of the source beside thin spaces do not count.
    let made = made.replace(" \u{202f}", "\u{202f}").replace("\u{202f} ", "\u{202f}");
    let made = made.replace("{,}", ",").replace("{.}", ".").replace('~', "\u{a0}").replace('−', "-");
    let made = made.replace(" - ", "-").replace(" + ", "+");
    let Some(group) = GROUP.as_ref() else { return made };
    // A group may be in a group.
    let once = group.replace_all(&made, "$1$2");
    group.replace_all(&once, "$1$2").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds_in(language: &str, text: &str) -> Vec<String> {
        let mut notes = super::super::parts::Notes::new("x".into(), text);
        let parts = super::super::markdown::read(text, &mut notes).parts;
        let shown = |one: &StatementBound| format!("{} {} {}", one.variable, one.span.min, one.span.max);
        stated(&parts, language).iter().map(shown).collect()
    }

    fn bounds(text: &str) -> Vec<String> {
        bounds_in("en", text)
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
            ("$1 \\le n \\le 100 \\, 000$", "n 1 100000"),
            ("$0 < a_i < 2^{31}$", "a 1 2147483647"),
            ("$-10^9 \\le x \\le 10^9+7$", "x -1000000000 1000000007"),
            ("$1 \\le k \\le 2 \\cdot 10^5$ and", "k 1 200000"),
            ("$1 \\le a_1, a_2, \\ldots, a_n \\le 9$", "a 1 9"),
            ("two integers $n$ ($1 \\le n \\le 5$)", "n 1 5"),
            ("`width` is 1 ≤ width ≤ 20", "width 1 20"),
            ("$1 \\le n \\le 2^{31}-1$", "n 1 2147483647"),
            ("$1 \\le n \\le 1,000$", "n 1 1000"),
            ("1 ≤ n ≤ 1.000.000", "n 1 1000000"),
            ("1 ≤ n ≤ 2·10⁵", "n 1 200000"),
            ("1 ≤ a<sub>i</sub> ≤ 10<sup>18</sup>", "a 1 1000000000000000000"),
            ("$1 \\le n \\le {10^{5}}$", "n 1 100000"),
            ("${1} \\le {n} \\le 10^{{5}}$", "n 1 100000"),
            ("$1 \\le n \\le \\num{50000}$", "n 1 50000"),
            ("$n \\in [1, 50]$", "n 1 50"),
            ("$a_i \\in [-10^9, 10^9]$.", "a -1000000000 1000000000"),
            ("$n \\in (0, 50,000)$", "n 1 49999"),
            ("n ∈ [1; 50]", "n 1 50"),
            ("$n \\in \\{1, 2, \\ldots, 50\\}$", "n 1 50"),
        ] {
            assert_eq!(bounds(text), [expect], "{text}");
        }
        assert_eq!(bounds("$1 \\le n, m \\le 9$"), ["n 1 9", "m 1 9"]);
        assert_eq!(bounds("$n, m \\in [1, 9]$"), ["n 1 9", "m 1 9"]);
        assert_eq!(bounds_in("de-AT", "1 ≤ n ≤ 1.000"), ["n 1 1000"]);
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
            "1 ≤ n ≤ 1.000",
            "$n \\in [1, m]$",
            "$n \\in [1, 5] \\cup [7, 9]$",
            "$n + m \\in [1, 50]$",
            "$n \\in [1, 50]^2$",
            "$n \\notin [1, 50]$",
            "$n \\in \\{1, 50\\}$",
            "$1 \\le n \\le \\frac{1}{2}$",
            "1 ≤ n ≤ 10⁵m",
        ] {
            assert_eq!(bounds(text), Vec::<String>::new(), "{text}");
        }
        for language in ["de", "fr"] {
            assert_eq!(bounds_in(language, "1 ≤ n ≤ 1,000"), Vec::<String>::new(), "{language}");
        }
    }
}
