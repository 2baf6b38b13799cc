//! Recognises programs of puzzles whose arguments choose the part to solve: `main.py 2`, `main.py part2`, or
//! `main -part 2`. Pure; it parses no language.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::named_inputs::text_of;
use super::patterns::compiled;
use super::puzzle::Part;
use grader_model::problem::Submission;

/// The arguments for each part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartArguments {
    /// The words that choose each part.
    labels: [Vec<String>; 2],
    /// Where the name of the input stands, if the program takes it too.
    file: FilePlace,
}

/// Where the name of the input stands among the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FilePlace {
    /// Nowhere.
    None,
    /// Before the part: `main.py input.txt 1`.
    Before,
    /// After the part: `main.py 1 input.txt`.
    After,
}

impl PartArguments {
    /// The arguments for a part, 1 or 2, on an input with a name.
    pub(super) fn of(&self, part: Part, input: &str) -> Vec<String> {
        let labels = &self.labels[usize::from(part == 2)][..];
        let input = &[input.to_owned()][..];
        match self.file {
            FilePlace::None => labels.to_vec(),
            FilePlace::Before => [input, labels].concat(),
            FilePlace::After => [labels, input].concat(),
        }
    }

    /// Whether the program takes the name of the input too.
    pub(super) fn has_file(&self) -> bool {
        self.file != FilePlace::None
    }
}

/// How programs call the two parts.
const LABELS: &[[&str; 2]] = &[
    ["part1", "part2"],
    ["part_1", "part_2"],
    ["part-1", "part-2"],
    ["partA", "partB"],
    ["p1", "p2"],
    ["--part1", "--part2"],
    ["one", "two"],
    ["1", "2"],
    ["a", "b"],
];

/// The first argument, in the languages in which people solve puzzles.
const FIRST: &str = r"(?:sys\.argv\[1\]|process\.argv\[2\]|os\.Args\[1\]|\bargv\[1\]|\bargs\[0\]|ARGV\[0\]|ARGV\.first|args\(\)\.(?:nth|skip)\(1\)|\$1\b)";
/// The second argument.
const SECOND: &str =
    r"(?:sys\.argv\[2\]|process\.argv\[3\]|os\.Args\[2\]|\bargv\[2\]|\bargs\[1\]|ARGV\[1\]|args\(\)\.nth\(2\)|\$2\b)";
/// Words of a program whose `args` begin with its own name.
const KEEPS_NAME: &[&str] = &["args().collect", "args := os.Args\n", "args = os.Args\n"];
/// The first and the second argument of such a program.
const FIRST_OF_ALL: &str = r"\bargs\[1\]";
const SECOND_OF_ALL: &str = r"\bargs\[2\]";

/// A label, with quotes unless it is a number.
static LABEL: LazyLock<String> = LazyLock::new(|| {
    let words: Vec<&str> = LABELS.iter().flatten().copied().filter(|label| !["1", "2"].contains(label)).collect();
    format!(r#"(?:["'](?P<word>{}|[12])["']|(?P<number>[12])\b)"#, words.join("|"))
});

/// The ways to choose a part by one of the arguments.
struct Choice {
    /// The argument.
    argument: Regex,
    /// A comparison of the argument with a label.
    compared: Regex,
    /// A variable for the part, which gets the argument.
    kept: Regex,
    /// A choice by the argument or by such a variable: `switch os.Args[1] {`, `{"1": one, "2": two}[sys.argv[1]]`.
    chosen: Regex,
    /// A table of two functions, or the name of one that is put together: `[part1, part2][int(sys.argv[1]) - 1]`.
    composed: Regex,
}

static BY_FIRST_OF_ALL: LazyLock<Option<Choice>> = LazyLock::new(|| Choice::by(FIRST_OF_ALL));
static BY_SECOND_OF_ALL: LazyLock<Option<Choice>> = LazyLock::new(|| Choice::by(SECOND_OF_ALL));
static BY_FIRST: LazyLock<Option<Choice>> = LazyLock::new(|| Choice::by(FIRST));
static BY_SECOND: LazyLock<Option<Choice>> = LazyLock::new(|| Choice::by(SECOND));

/// A comparison of a variable for the part.
static PART: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(&format!(r"\bpart\w*{COMPARISON}{}", *LABEL)));
/// A branch of a choice: `case "1":`, `Some("1") =>`, `"1": one`, `1)`.
static BRANCH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(&format!(
        r"(?m)(?:\bcase\b|\bwhen\b|\bSome\(|\bOk\(|[{{,\[(|]|^)\s*{}\s*\)?\s*(?::|=>|->|\)|,|\{{|\bthen\b|$)",
        *LABEL
    ))
});
/// An option or an argument that a library reads: `add_argument("-p", "--part")`, `flag.Int("part", 1, "")`.
static DECLARED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compiled(
        r#"(?x)(?:
            (?:flag\.\w+\((?:&\w+,\s*)?)"(?P<flag>part|p)"
            | (?:add_argument|option|argument|add_option)\(\s*(?:["']-\w["'],\s*)?["'](?:-\w,\s)?(?P<name>(?:--?)?part)\b(?P<rest>[^\n]*)
        )"#,
    )
});

const COMPARISON: &str = r#"[)\]"'\s]*(?:===?|=|-eq|\.equals\(|\.eq\()\s*"#;

/// The arguments for each part. None if the programs do not get their part in the same way.
pub(super) fn of_all(programs: &[Submission]) -> Option<PartArguments> {
    let mut found = programs.iter().map(|program| of_text(&text_of(program)));
    let first = found.next()??;
    found.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

fn of_text(text: &str) -> Option<PartArguments> {
    let declared = || {
        let found = DECLARED.as_ref()?.captures(text)?;
        let option = match found.name("flag") {
            Some(flag) => Some(format!("-{}", flag.as_str())),
            None => Some(found["name"].to_owned()).filter(|name| name.starts_with('-')),
        };
        let labels = found.name("rest").and_then(|rest| both_in(&labels_in(rest.as_str(), LABEL_ALONE.as_ref()?)));
        let value = |label: &str| option.clone().into_iter().chain([label.to_owned()]).collect();
        Some(PartArguments { labels: labels.unwrap_or(["1", "2"]).map(value), file: FilePlace::None })
    };
    let keeps_name = KEEPS_NAME.iter().any(|words| text.contains(words));
    let (first, second) = if keeps_name { (&BY_FIRST_OF_ALL, &BY_SECOND_OF_ALL) } else { (&BY_FIRST, &BY_SECOND) };
    let by = |choice: &LazyLock<Option<Choice>>, file| {
        let labels = choice.as_ref()?.labels_in(text)?;
        Some(PartArguments { labels: labels.map(|label| vec![label.to_owned()]), file })
    };
    let has_second = second.as_ref().is_some_and(|second| second.argument.is_match(text));
    let file = if has_second { FilePlace::After } else { FilePlace::None };
    declared().or_else(|| by(first, file)).or_else(|| by(second, FilePlace::Before))
}

impl Choice {
    fn by(argument: &str) -> Option<Self> {
        let list = r"part\w*,\s*part\w*\s*[\])}]\s*\[\s*(?:int|Number|parseInt)?\(?";
        Some(Self {
            argument: compiled(argument)?,
            compared: compiled(&format!("{argument}{COMPARISON}{}", *LABEL))?,
            kept: compiled(&format!(r"\bpart\w*\s*:?=[^\n=]*{argument}"))?,
            chosen: compiled(&format!(
                r"(?:\b(?:switch|match|case|when)\b[^\n]*?|\[|\.get\()\s*(?:int\(|Number\()?(?P<what>{argument}|part\w*\b)"
            ))?,
            composed: compiled(&format!(r#"(?:{list}|part_?["'`]?\s*(?:\+|\.|\{{|\$\{{|#\{{)\s*){argument}"#))?,
        })
    }

    /// The labels of the two parts in a text that chooses one of them in this way.
    fn labels_in(&self, text: &str) -> Option<[&'static str; 2]> {
        let is_kept = || self.kept.is_match(text);
        let compared = || one_in(&labels_in(text, &self.compared));
        let kept = || PART.as_ref().filter(|_| is_kept()).and_then(|part| one_in(&labels_in(text, part)));
        let chosen = || {
            let mut choices = self.chosen.captures_iter(text);
            let is_choice = choices.any(|found| !found["what"].starts_with("part") || is_kept());
            both_in(&labels_in(text, BRANCH.as_ref().filter(|_| is_choice)?))
        };
        let composed = || self.composed.is_match(text).then_some(["1", "2"]);
        compared().or_else(kept).or_else(chosen).or_else(composed)
    }
}

/// A label alone, as among the choices of an argument.
static LABEL_ALONE: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(&LABEL));

fn labels_in<'t>(text: &'t str, pattern: &Regex) -> BTreeSet<&'t str> {
    let label = |found: regex::Captures<'t>| Some(found.name("word").or_else(|| found.name("number"))?.as_str());
    pattern.captures_iter(text).filter_map(label).collect()
}

/// The pair of which a label is one.
fn one_in(labels: &BTreeSet<&str>) -> Option<[&'static str; 2]> {
    LABELS.iter().copied().find(|pair| pair.iter().any(|label| labels.contains(label)))
}

/// The pair of which both labels are there.
fn both_in(labels: &BTreeSet<&str>) -> Option<[&'static str; 2]> {
    LABELS.iter().copied().find(|pair| pair.iter().all(|label| labels.contains(label)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_choose_a_part() {
        for (text, expect) in [
            ("print(a if sys.argv[1] == '1' else b)", Some([&["1"][..], &["2"]])),
            ("if int(sys.argv[1]) == 2:", Some([&["1"], &["2"]])),
            ("if (process.argv[2] === 'part1')", Some([&["part1"], &["part2"]])),
            ("part = int(sys.argv[1])\nif part == 1:", Some([&["1"], &["2"]])),
            ("if [ \"$1\" = 2 ]; then", Some([&["1"], &["2"]])),
            ("if (args[0].equals(\"b\"))", Some([&["a"], &["b"]])),
            ("switch os.Args[1] {\n\tcase \"1\":\n\t\ta()\n\tcase \"2\":\n\t\tb()\n\t}", Some([&["1"], &["2"]])),
            ("part := os.Args[1]\nswitch part {\ncase \"one\":\ncase \"two\":\n}", Some([&["one"], &["two"]])),
            ("match args().nth(1).as_deref() {\n Some(\"1\") => a(),\n Some(\"2\") => b(),", Some([&["1"], &["2"]])),
            ("match sys.argv[1]:\n    case 'a':\n    case 'b':", Some([&["a"], &["b"]])),
            ("case \"$1\" in\n  part1) a ;;\n  1) a ;;\n  2) b ;;\nesac", Some([&["1"], &["2"]])),
            ("{'1': part1, '2': part2}[sys.argv[1]](text)", Some([&["1"], &["2"]])),
            ("[part1, part2][int(sys.argv[1]) - 1](text)", Some([&["1"], &["2"]])),
            ("globals()[f'part{sys.argv[1]}'](text)", Some([&["1"], &["2"]])),
            ("p.add_argument('-p', '--part', type=int, choices=[1, 2])", Some([&["--part", "1"], &["--part", "2"]])),
            ("p.add_argument(\"part\", choices=[\"part1\", \"part2\"])", Some([&["part1"], &["part2"]])),
            ("part := flag.Int(\"part\", 1, \"which\")", Some([&["-part", "1"], &["-part", "2"]])),
            ("flag.IntVar(&p, \"p\", 1, \"which\")", Some([&["-p", "1"], &["-p", "2"]])),
            ("program.option('-p, --part <n>')", Some([&["--part", "1"], &["--part", "2"]])),
            ("print(open(sys.argv[1]).read())", None),
            ("if len(sys.argv) == 2:\n  f = sys.argv[1]", None),
            ("if args[0] == 12 {", None),
            ("switch os.Args[1] {\ncase \"run\":\ncase \"test\":\n}", None),
            ("n = {1: 'a', 2: 'b'}\nprint(open(sys.argv[1]).read())", None),
            ("p.add_argument('partition')", None),
        ] {
            let expect = expect.map(|parts| parts.map(|part| part.iter().map(ToString::to_string).collect::<Vec<_>>()));
            assert_eq!(of_text(text).map(|found| found.labels), expect, "{text}");
        }
    }

    #[test]
    fn a_file_may_stand_beside_the_part() {
        for (text, expect) in [
            ("part = sys.argv[1]\nf = open(sys.argv[2])\nif part == '1':", Some(&["2", "input.txt"][..])),
            ("f = open(sys.argv[1])\npart = sys.argv[2]\nif part == '1':", Some(&["input.txt", "2"])),
            ("if sys.argv[1] == 'b':", Some(&["b"])),
            ("let args: Vec<String> = env::args().collect();\nif args[1] == \"1\" {", Some(&["2"])),
            (
                "let args = env::args().collect();\nlet f = &args[1];\nmatch args[2] {\n\"1\" => a,\n\"2\" => b,\n}",
                Some(&["input.txt", "2"]),
            ),
            ("static void Main(string[] args) { if (args[0] == \"1\") Read(args[1]); }", Some(&["2", "input.txt"])),
            ("print(open(sys.argv[1]).read(), sys.argv[2])", None),
        ] {
            let found = of_text(text).map(|found| found.of(2, "input.txt"));
            assert_eq!(found, expect.map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>()), "{text}");
        }
    }
}
