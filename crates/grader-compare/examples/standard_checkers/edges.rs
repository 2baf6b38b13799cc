//! The pairs of the table of facts, chosen for the borders of the rules.

use grader_model::problem::StandardChecker;

use crate::generate::{INTEGERS, NUMBERS, Pair, WORDS};

/// The pairs of a checker.
pub(crate) fn pairs(checker: StandardChecker) -> Vec<Pair> {
    use StandardChecker as C;
    let mut pairs = blanks(match checker {
        C::Yesno | C::Nyesno => "YES",
        C::Caseicmp | C::Casencmp | C::Casewcmp => "Case 1: 5",
        _ => "5",
    });
    match checker {
        C::Icmp | C::Ncmp | C::Hcmp => pairs.extend(values(INTEGERS, "7")),
        C::Uncmp => pairs.extend(texts(UNORDERED)),
        C::Acmp | C::Dcmp | C::Rcmp | C::Rcmp4 | C::Rcmp6 | C::Rcmp9 | C::Rncmp => pairs.extend(close(checker)),
        C::Pointscmp | C::Pointsinfo => {
            pairs.extend(values(NUMBERS, "1"));
            pairs.extend(texts(&[
                ("0", "1000000"),
                ("0", "1000001"),
                ("1000000.000000009", "0"),
                ("x", "y"),
                ("x", "1"),
            ]));
        }
        C::Yesno | C::Nyesno => pairs.extend(texts(YES_AND_NO)),
        C::Wcmp => pairs.extend(words()),
        C::Fcmp | C::Lcmp => pairs.extend(texts(LINES)),
        C::Caseicmp | C::Casencmp | C::Casewcmp => pairs.extend(texts(CASES)),
    }
    // The table of numbers is long enough once.
    if checker == C::Rcmp6 {
        pairs.extend(values(NUMBERS, "1"));
    }
    pairs
}

/// Empty files, blanks around a value, and values too many and too few.
fn blanks(value: &str) -> Vec<Pair> {
    let forms = [
        "",
        " \n",
        "V\n",
        "V",
        " V ",
        "\r\nV\r\n",
        "\tV\t",
        "\x0cV",
        "V\x0c",
        "V\x0b\n",
        "V\0",
        "V\n\n\n",
        "V\nV\n",
        "V V",
        "V x\n",
        "V\n\x1a",
        "\u{feff}V\n",
        "\u{feff}\n",
        "x\n",
        "Vx\n",
    ];
    let files: Vec<String> = forms.iter().map(|form| form.replace('V', value)).collect();
    let mut pairs: Vec<Pair> = files.iter().map(|output| pair(&format!("{value}\n"), output)).collect();
    for (answer, outputs) in
        [("", &["", " \n", "V\n"][..]), ("V\nV\n", &["V\n", "V V", "x\n"]), ("\u{feff}V\n", &["V\n", "\u{feff}V\n"])]
    {
        let file = |form: &str| form.replace('V', value);
        pairs.extend(outputs.iter().map(|output| pair(&file(answer), &file(output))));
    }
    pairs
}

/// Each value as an output, and in both files.
fn values(values: &[&str], other: &str) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for value in values {
        pairs.push(pair(other, value));
        pairs.push(pair(value, value));
    }
    pairs
}

fn words() -> Vec<Pair> {
    let words = WORDS.iter().flat_map(|word| {
        let both = Pair { answer: word.to_vec(), output: word.to_vec() };
        [both, Pair { answer: b"a".to_vec(), output: word.to_vec() }]
    });
    words.chain(texts(LINES)).collect()
}

/// Numbers on both sides of the borders of a checker's tolerance.
fn close(checker: StandardChecker) -> Vec<Pair> {
    let epsilon = checker.tolerance().map_or(0.0, |tolerance| tolerance.epsilon);
    let mut pairs = Vec::new();
    for answer in [0.0, -1.0, 123_456.0] {
        let border = [epsilon, -epsilon].map(|epsilon| epsilon + epsilon.signum() * 1e-15);
        for near in border.into_iter().flat_map(|border| [answer + border, answer * (1.0 + border)]) {
            for value in [near.next_down(), near, near.next_up()] {
                pairs.push(pair(&answer.to_string(), &value.to_string()));
            }
        }
    }
    pairs.extend(texts(&[
        ("1 2 3", "1 2 3"),
        ("1 2 3", "1 2"),
        ("1 2 3", "1 2 3 4"),
        ("1 2 3", "1 2 4"),
        ("1 x", "1 2"),
        ("1 x", "2 2"),
        ("x", "y"),
        ("1 2", "1 y"),
        ("1e999", "1e999"),
        ("1e999", "-1e999"),
        ("1e301", "2e301"),
        ("1", "1e999"),
        ("1e999", "1"),
    ]));
    pairs
}

fn texts(texts: &[(&str, &str)]) -> Vec<Pair> {
    texts.iter().map(|(answer, output)| pair(answer, output)).collect()
}

fn pair(answer: &str, output: &str) -> Pair {
    Pair { answer: answer.into(), output: output.into() }
}

const UNORDERED: &[(&str, &str)] = &[
    ("1 2 3", "3 2 1"),
    ("1 2 3", "3 2 2"),
    ("1 1 2", "1 2 2"),
    ("1 2 3", "3 2"),
    ("1 2 3", "3 2 1 1"),
    ("1 2 3", "3 2 x"),
    ("1 2 3", "3 2 1 x"),
    ("1 x", "1 x"),
    ("1 2", "2 01"),
    ("9223372036854775807 -9223372036854775808", "-9223372036854775808 9223372036854775807"),
    ("1", "9223372036854775808"),
    ("9223372036854775808", "1"),
    ("1 -0", "1 0"),
];

const YES_AND_NO: &[(&str, &str)] = &[
    ("YES", "yes"),
    ("yes", "YES"),
    ("Yes", "yEs"),
    ("NO", "no"),
    ("YES", "NO"),
    ("YES", "Y"),
    ("YES", "YESS"),
    ("YES", "1"),
    ("Y", "YES"),
    ("Y", "Y"),
    ("Y", ""),
    ("maybe", "maybe"),
    ("YES NO", "YES NO"),
    ("YES NO", "yes\nno"),
    ("YES NO", "YES"),
    ("YES NO", "YES YES"),
    ("YES", "YES NO"),
    ("YES", "YES maybe"),
    ("YES maybe", "YES"),
    ("YES maybe", "YES NO"),
    ("YES maybe", "NO maybe"),
    ("YES\0", "YES"),
    ("YES", "YES\0"),
    ("ＹＥＳ", "YES"),
];

const LINES: &[(&str, &str)] = &[
    ("a b\n", "a b\n"),
    ("a b\n", "a b"),
    ("a b\n", "a  b\n"),
    ("a b\n", "a b \n"),
    ("a b\n", " a b\n"),
    ("a b\n", "a\tb\n"),
    ("a b\n", "a\u{b}b\n"),
    ("a b\n", "a\u{c}b\n"),
    ("a b\n", "a\nb\n"),
    ("a b\n", "ab\n"),
    ("a b\n", "a b\r\n"),
    ("a b\r\n", "a b\n"),
    ("a b\r\n", "a b\r\n"),
    ("a b\n", "a b\r"),
    ("a b\r", "a b\r"),
    ("a b\r", "a b\n"),
    ("a b", "a b\r"),
    ("ab\n", "a\rb\n"),
    ("a\rb\n", "ab\n"),
    ("a b\n", "a\rb\n"),
    ("a\n", "a\r\r\n"),
    ("a\r\r\n", "a\r\r\n"),
    ("a\r\r\r\n", "a\r\r\n"),
    ("a\n", "\ra\n"),
    ("a\n\nb\n", "a\n\nb\n"),
    ("a\n\nb\n", "a\nb\n"),
    ("a\nb\n", "a\n\nb\n"),
    ("a\n", "a\n\n"),
    ("a\n", "a\n\n\n \n"),
    ("a\n\n", "a\n"),
    ("a\n\n", "a"),
    ("a\n\n\n", "a\n"),
    ("a\n\n\n", "a\nb\n"),
    ("a\n\n", "a\nb\n"),
    ("a\n \n", "a\n"),
    ("a\n", "a\n \n"),
    ("a\n", "a\nb\n"),
    ("a\nb\n", "a\n"),
    ("a\nb\n", "a\nB\n"),
    ("a\nb", "a\nb"),
    ("\n", ""),
    ("\n", "\n"),
    ("\n\n", ""),
    ("\n\n", "x"),
    ("\r", ""),
    ("\r", "\r"),
    ("\r\n", ""),
    (" \n", "\n"),
    (" \n", ""),
    ("a\0b\n", "a\0b\n"),
    ("a\0b\n", "a\0c\n"),
    ("ä\n", "ä\n"),
    ("ä\n", "Ä\n"),
];

const CASES: &[(&str, &str)] = &[
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 5\nCase 2: 6\n"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1:\n5 Case 2: 6"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 5\n"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 5\nCase 2: 7\n"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 4\nCase 2: x\n"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 4\nCase 3: 6\n"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 5\nCase 3: 6\n"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 5\nCase 2:"),
    ("Case 1: 5\nCase 2: 6\n", "Case 1: 5\nCase"),
    ("Case 1: 5\n", "Case 1: 5\nCase"),
    ("Case 1: 5\n", "Case 1: 5\nCase 2: 6\n"),
    ("Case 1: 5\nCase", "Case 1: 5\nCase"),
    ("Case 1: 5\nCase", "Case 1: 5"),
    ("Case 1: 5\n", "case 1: 5\n"),
    ("Case 1: 5\n", "Case 1 : 5\n"),
    ("Case 1: 5\n", "Case 01: 5\n"),
    ("Case 1: 5\n", "Case #1: 5\n"),
    ("Case 1: 5\n", "5\n"),
    ("Case 1: 5\n", "Case 1: +5\n"),
    ("Case 1: 5\n", "Case 1: 05\n"),
    ("Case 1: 5\n", "Case 1: 9223372036854775808\n"),
    ("Case 1: 5 6\n", "Case 1: 5 6\n"),
    ("Case 1: 5 6\n", "Case 1: 5\n6\n"),
    ("Case 1: 5 6\n", "Case 1: 5 7\n"),
    ("Case 1: 5 6\n", "Case 1: 6 5\n"),
    ("Case 1: 5 6\n", "Case 1: 5\n"),
    ("Case 1: 5 6\n", "Case 1: 5 6 7\n"),
    ("Case 1: 5 6\n", "Case 1: 4 x\n"),
    ("Case 1: 5 6\nCase 2: 7\n", "Case 1: 5\nCase 2: 7\n"),
    ("Case 1: 5\nCase 2: 7\n", "Case 1: 5 6\nCase 2: 7\n"),
    ("Case 1:\nCase 2:\n", "Case 1:\nCase 2:\n"),
    ("Case 1:\nCase 2:\n", "Case 1:\n"),
    ("Case 1:\n", "Case 1: 5\n"),
    ("Case 1: a b\n", "Case 1: a b\n"),
    ("Case 1: a b\n", "Case 1: A b\n"),
    ("Case 1: x\n", "Case 1: 5\n"),
    ("Case 1: x\n", "Case 2: 5\n"),
    ("Case 1: 5 x\n", "Case 1: 6 7\n"),
    ("Case 2: 5\n", "Case 1: 5\n"),
    ("5\n", "5\n"),
    ("Case\n", "Case\n"),
];
