//! Turns formulas in the notation of TeX into MathML, which browsers show without any script or font from elsewhere.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::LazyLock;

use pulldown_latex::config::DisplayMode;
use pulldown_latex::event as latex;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use regex::Regex;

use super::tex::{braced, command_at};

/// The most bytes of a formula.
const LONGEST: usize = 4000;
/// The stack that the parser needs at most, in bytes: it calls itself for each of `\sqrt\sqrt\sqrt…`. Measured: 12 MiB for the
/// longest formula, without optimisation.
pub(super) const STACK: usize = 64 << 20;

/// The elements of MathML that a formula may have. Not `annotation`: pandoc passes its text on to TeX unchanged.
const ELEMENTS: &[&str] = &[
    "math",
    "menclose",
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "none",
];

/// Why a formula cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum MathError {
    /// It is longer than any that people write.
    #[error("it is longer than {LONGEST} bytes")]
    Long,
    /// A command is unknown.
    #[error("grader does not know `\\{0}` in formulas")]
    Command(String),
    /// An environment is unknown.
    #[error("grader does not know the environment `{0}` in formulas")]
    Environment(String),
    /// Its braces or environments do not match, or an argument is missing.
    #[error("{}", .0.message)]
    Syntax(&'static Mistake),
    /// Its text would become markup.
    #[error("it has markup of HTML")]
    Markup,
}

impl MathError {
    /// The suggested fix.
    pub(super) fn remedy(&self) -> &'static str {
        match self {
            Self::Long => "write several formulas",
            Self::Command(name) => match &**name {
                "choose" => "write \\binom{n}{k}",
                "over" => "write \\frac{a}{b}",
                "tag" => "remove it, and write the number below the formula",
                "multicolumn" => "write the table with \\begin{tabular}, outside of formulas",
                _ => "use another command, or define it with \\newcommand",
            },
            Self::Environment(_) => "use another one, such as aligned, cases or array",
            Self::Syntax(mistake) => mistake.remedy,
            Self::Markup => "write it without < and > in names",
        }
    }
}

/// The formula as MathML. Needs [`STACK`].
pub(super) fn mathml(source: &str, display: bool) -> Result<String, MathError> {
    if source.len() > LONGEST {
        return Err(MathError::Long);
    }
    let source = texts(source);
    let storage = Storage::new();
    let Ok(events) = Parser::new(&source, &storage).collect::<Result<Vec<_>, _>>() else { return Err(cause(&source)) };
    let display_mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let mut made = String::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    push_mathml(&mut made, events.into_iter().map(wide).map(Ok::<_, Infallible>), config)
        .map_err(|_| MathError::Syntax(mistake(&source)))?;
    // The renderer does not escape these.
    let made = overlined(&spaced(&made.replace("><<", ">&lt;<").replace(">&<", ">&amp;<")));
    if is_mathml(&made) { Ok(made) } else { Err(MathError::Markup) }
}

/// The event with an accent that fonts for mathematics stretch over the whole of `\widehat{ABC}`: the parser has one for a
/// single letter.
fn wide(event: latex::Event<'_>) -> latex::Event<'_> {
    let stretched = |content| latex::Event::Content(latex::Content::Ordinary { content, stretchy: true });
    match event {
        latex::Event::Content(latex::Content::Ordinary { content: '‾', .. }) => stretched('\u{332}'),
        latex::Event::Content(latex::Content::Ordinary { content: '^', stretchy: true }) => stretched('\u{302}'),
        latex::Event::Content(latex::Content::Ordinary { content: '~', stretchy: true }) => stretched('\u{303}'),
        other => other,
    }
}

/// The formula with the line of `\overline{x+y}` as a border, which the style sheet draws: few fonts have a line so long.
fn overlined(made: &str) -> String {
    let mut pieces = made.split("<mo stretchy=\"true\">\u{332}</mo></mover>");
    let mut done = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if let Some((begin, end)) = open_mover(&done) {
            done.replace_range(begin..=end, "<mrow class=\"overline\">");
            done += "</mrow>";
        }
        done += piece;
    }
    done
}

/// The begin and the end of the last tag `<mover>` that is not closed.
fn open_mover(text: &str) -> Option<(usize, usize)> {
    let mut closed = 0;
    for (at, _) in text.rmatch_indices("mover") {
        if text[..at].ends_with("</") {
            closed += 1;
        } else if text[..at].ends_with('<') && closed > 0 {
            closed -= 1;
        } else if text[..at].ends_with('<') {
            return Some((at - 1, at + text[at..].find('>')?));
        }
    }
    None
}

/// The formula with spaces in place of styles, which the policy of a page forbids: rows of `\\[5pt]`.
fn spaced(made: &str) -> String {
    let mut rows = made.split(" style=\"height: ");
    let mut spaced = rows.next().unwrap_or_default().to_owned();
    for row in rows {
        let begin = row.split_once("\">").and_then(|(height, rest)| Some((height, rest.split_once('>')?)));
        match begin {
            Some((height, (cell, rest))) => {
                spaced.extend([" class=\"space\">", cell, "><mspace height=\"", height, "\"/>", rest]);
            }
            None => spaced.push_str(row),
        }
    }
    spaced
}

/// Why a formula cannot be parsed. The parser does not say which command it does not know, so this tries each alone.
fn cause(source: &str) -> MathError {
    let mut at = 0;
    let mut tried = BTreeSet::new();
    while let Some(found) = source[at..].find('\\') {
        let (name, after) = command_at(source, at + found);
        let inner = braced(source, after).map(|(inner, _)| inner);
        at = after;
        match (name, inner) {
            ("begin", Some(inner)) if !is_known(&format!("\\begin{{{inner}}}"), &format!("\\end{{{inner}}}")) => {
                return MathError::Environment(inner.to_owned());
            }
            ("begin" | "end", _) => {}
            (name, _) if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                let name = name.trim_end_matches('*');
                if tried.insert(name) && !is_known(&format!("\\{name}"), "") {
                    return MathError::Command(name.to_owned());
                }
            }
            _ => {}
        }
    }
    MathError::Syntax(mistake(source))
}

/// The likely mistake in a formula whose commands are all known.
#[derive(Debug)]
pub(super) struct Mistake {
    message: &'static str,
    remedy: &'static str,
}

const BRACES: Mistake =
    Mistake { message: "not each `{` has its `}`", remedy: "add the other one, or write \\{ for a brace" };
const FENCES: Mistake =
    Mistake { message: "not each `\\left` has its `\\right`", remedy: "add the other one: \\right. shows nothing" };
const ENDS: Mistake = Mistake { message: "not each `\\begin` has its `\\end`", remedy: "add the other one" };
const LINES: Mistake = Mistake {
    message: "`\\\\` is not in an environment",
    remedy: "write \\begin{aligned} before the first line and \\end{aligned} behind the last",
};
const TWICE: Mistake = Mistake { message: "a letter has two `_` or two `^`", remedy: "write braces, such as a_{b_c}" };
const NOTHING: Mistake = Mistake { message: "nothing follows a `_` or `^`", remedy: "write what is below or above" };
const OTHER: Mistake = Mistake {
    message: "something in it is missing or in the wrong place",
    remedy: "check that each command has its arguments",
};

/// The most likely mistake in a formula.
fn mistake(source: &str) -> &'static Mistake {
    // Escaped characters such as `\\{` stand for themselves.
    let text = source.replace("\\\\", "\u{1}").replace("\\{", "").replace("\\}", "").replace("\\_", "");
    let count = |word: &str| text.matches(word).count();
    let commands =
        |name: &str| text.match_indices(name).filter(|(at, _)| command_at(&text, *at).0 == &name[1..]).count();
    let ends = text.replace(' ', "");
    let is_empty = ["_}", "^}", "_^", "^_", "__", "^^"].iter().any(|end| ends.contains(end));
    let mistakes = [
        (count("{") != count("}"), &BRACES),
        (commands("\\left") != commands("\\right"), &FENCES),
        (count("\\begin{") != count("\\end{"), &ENDS),
        (text.contains('\u{1}') && count("\\begin") == 0, &LINES),
        (is_empty || ends.ends_with(['_', '^']), &NOTHING),
        (TWO_SCRIPTS.is_match(&ends), &TWICE),
    ];
    mistakes.into_iter().find_map(|(is_so, mistake)| is_so.then_some(mistake)).unwrap_or(&OTHER)
}

/// Two indices of one letter: `a_b_c`, `a_{b}_c`.
static TWO_SCRIPTS: LazyLock<Regex> = LazyLock::new(|| {
    let script = |mark: &str| format!(r"{mark}(?:\{{[^{{}}]*\}}|\\[A-Za-z]+|[A-Za-z0-9]){mark}");
    Regex::new(&format!("{}|{}", script("_"), script(r"\^"))).expect("it is a valid pattern")
});

/// Whether the parser accepts this with some arguments, in some place.
fn is_known(begin: &str, end: &str) -> bool {
    const ARGUMENTS: [&str; 9] = ["", " x", "{x}", "{x}{x}", "{x}{x}{x}", "{1}x", "{c}x", "(x\\right)", "1em"];
    const PLACES: [(&str, &str); 4] =
        [("", ""), ("\\sum", ""), ("\\left(x", ""), ("\\begin{array}{c}x\\\\", "\\end{array}")];
    PLACES.iter().any(|(before, after)| {
        ARGUMENTS.iter().any(|arguments| {
            let text = format!("{before}{begin}{arguments}{end}{after}");
            let storage = Storage::new();
            Parser::new(&text, &storage).all(|event| event.is_ok())
        })
    })
}

/// Commands that every TeX knows, and what the parser knows in their place.
const RENAMED: &[(&str, &str)] = &[
    ("nonumber", ""),
    ("notag", ""),
    ("ensuremath", ""),
    ("xspace", ""),
    // The parser takes the star for the name.
    ("operatorname*", "\\operatorname"),
    ("mod", "\\bmod"),
    ("bm", "\\boldsymbol"),
    ("mathscr", "\\mathcal"),
];

/// Commands whose argument is not a formula.
const ARGUMENTS_ARE_TEXT: [&str; 6] = ["label", "text", "textrm", "textnormal", "mbox", "hbox"];

/// Stands for a dollar sign that is text.
const DOLLAR: &str = "\u{e000}";

/// The formula without labels, with the commands that the parser knows, and with `\\text{a }b\\text{ c}` in place of
/// `\\text{a $b$ c}`.
fn texts(source: &str) -> String {
    let mut made = String::with_capacity(source.len());
    let mut at = 0;
    while let Some(found) = source[at..].find('\\') {
        made.push_str(&source[at..at + found]);
        let start = at + found;
        let (name, after) = command_at(source, start);
        let argument = if ARGUMENTS_ARE_TEXT.contains(&name) { braced(source, after) } else { None };
        at = argument.map_or(after, |(_, end)| end);
        match (name, argument) {
            ("label", Some(_)) => {}
            (_, Some((inner, _))) => {
                made.push('{');
                for (number, piece) in inner.replace("\\$", DOLLAR).split('$').enumerate() {
                    match number % 2 {
                        _ if piece.is_empty() => {}
                        // The parser shows every character of a text.
                        0 => made.extend(["\\text{", &piece.replace(DOLLAR, "$").replace("\\_", "_"), "}"]),
                        _ => made.extend(["{", &piece.replace(DOLLAR, "\\$"), "}"]),
                    }
                }
                made.push('}');
            }
            (name, None) => {
                let renamed = RENAMED.iter().find(|(known, _)| *known == name);
                made.push_str(renamed.map_or(&source[start..after], |(_, other)| other));
            }
        }
    }
    made.push_str(&source[at..]);
    made
}

/// Whether this is nothing but well-formed MathML that cannot act: the renderer copies some texts without escaping them.
fn is_mathml(text: &str) -> bool {
    let is_fine = |element: &BytesStart<'_>| {
        let name = element.name();
        let fits = |name: &[u8]| ELEMENTS.iter().any(|known| known.as_bytes() == name);
        let acts = |key: &[u8]| key.starts_with(b"on") || key == b"href" || key == b"src" || key == b"encoding";
        fits(name.as_ref()) && element.attributes().all(|found| found.is_ok_and(|found| !acts(found.key.as_ref())))
    };
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) if is_fine(&element) => {}
            Ok(Event::End(_) | Event::Text(_) | Event::GeneralRef(_)) => {}
            Ok(Event::Eof) => return true,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_of_statements_are_shown() {
        for formula in [
            "1 \\le n \\le 10^5",
            "0 < a_i < 2^{31}",
            "\\sum_{i=1}^n a_i \\bmod 10^9+7",
            "f(x) = \\begin{cases} a & x > 0 \\\\ b & \\text{otherwise} \\end{cases}",
            "\\begin{align*} a &= b \\\\ c &= d \\end{align*}",
            "\\mathcal{O}(n\\log n)",
            "\\operatorname*{argmax}_x f(x)",
            "a \\mod b \\models \\bm{x} \\mathscr{F} \\nonumber",
            "a_{\\text{if $y$}} \\label{eq:a} \\mbox{if $x_{1}$ or \\$}",
            "\\left\\lfloor \\frac{a}{b} \\right\\rfloor \\ldots \\operatorname{lcm}(a, b) 100\\,000",
        ] {
            assert!(mathml(formula, false).is_ok_and(|made| made.starts_with("<math")), "{formula}");
        }
        assert!(!mathml("\\operatorname*{argmax}_x", true).unwrap().contains('*'));
        assert!(mathml("a < b", false).unwrap().contains("<mo>&lt;</mo>"));
        for formula in [
            "\\begin{align*} a &= b \\\\[2em] c &= d \\end{align*}",
            "\\begin{array}{c|c} a & b \\\\[2em] c & d \\end{array}",
        ] {
            let made = mathml(formula, true).unwrap();
            assert!(made.contains("<mspace height=\"2em\"/></mtd>") && !made.contains("style="), "{made}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (formula, expect) in [
            ("\\frac{a}{b", &BRACES),
            ("\\{ {x \\}", &BRACES),
            ("\\left( x", &FENCES),
            ("\\begin{cases} a", &ENDS),
            ("a \\\\ b", &LINES),
            ("a_i_j", &TWICE),
            ("\\frac{a}{b_{c}_d}", &TWICE),
            ("x^\\alpha^2", &TWICE),
            ("a_", &NOTHING),
            ("{a_}", &NOTHING),
            ("\\frac{1}", &OTHER),
        ] {
            assert_eq!(mistake(formula).message, expect.message, "{formula}");
            assert!(matches!(mathml(formula, false), Err(MathError::Syntax(_))), "{formula}");
        }
    }

    #[test]
    fn markup_does_not_become_markup() {
        for formula in ["\\operatorname{<img src=x onerror=alert(1)>}", "\\operatorname{<mi onclick=1>}", "\\foo", "{"]
        {
            assert!(mathml(formula, false).is_err(), "{formula}");
        }
        let text = mathml("\\text{<script>alert(1)</script>}", false).unwrap();
        assert!(text.contains("&lt;script"), "{text}");
    }

    #[test]
    fn long_chains_end() {
        let chain = "\\hat".repeat(LONGEST / 4 - 1) + "x";
        let on_stack = || std::thread::Builder::new().stack_size(STACK).spawn(move || mathml(&chain, true).is_ok());
        assert!(on_stack().unwrap().join().is_ok());
        assert!(mathml(&"x".repeat(LONGEST + 1), true).is_err());
    }
}
