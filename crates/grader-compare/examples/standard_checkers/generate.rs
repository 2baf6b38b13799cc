//! Makes pairs of an answer and an output near the borders of the rules.

use std::fmt::Write as _;

use grader_model::problem::StandardChecker;

/// An answer and an output.
pub(crate) struct Pair {
    /// The answer.
    pub answer: Vec<u8>,
    /// The output.
    pub output: Vec<u8>,
}

/// A sequence that looks random and is the same in every run.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of a checker.
    pub(crate) fn new(seed: u64, checker: StandardChecker) -> Self {
        let name = checker
            .name()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Self((name ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length.max(1) as u64)).unwrap_or_default()
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.index(all.len())]
    }
}

/// Integers, and what is nearly one.
pub(crate) const INTEGERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "10",
    "-10",
    "123456",
    "2147483646",
    "2147483647",
    "2147483648",
    "-2147483647",
    "-2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775806",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775807",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999",
    "999999999999999999999",
    "-99999999999999999999",
    "123456789012345678901234567890",
    "00",
    "-0",
    "+0",
    "+1",
    "007",
    "-007",
    "-",
    "+",
    "--1",
    "1-",
    "1+",
    "1.",
    "1.0",
    "1e5",
    "0x10",
    "1,000",
    "1_000",
    "000000000000000000001",
    "00000000000000000000",
    "１",
];

/// Numbers, and what is nearly one.
pub(crate) const NUMBERS: &[&str] = &[
    "0",
    "0.0",
    "-0",
    "-0.0",
    "+0",
    "1",
    "-1",
    "0.5",
    ".5",
    "5.",
    "-.5",
    "-5.",
    "+.5",
    "+5",
    "007",
    "1e5",
    "1E5",
    "1e+5",
    "1e-5",
    "1e05",
    "100000",
    "99999.99999",
    "1e",
    "1E",
    "1e+",
    "1e-",
    "1.e",
    "1.e5",
    ".5e1",
    "e5",
    "e",
    ".",
    "-.",
    "+",
    "-",
    ".e5",
    "-e5",
    "1e5.",
    "1e.5",
    "1.2.3",
    "1..2",
    "1e5e5",
    "1ee5",
    "--1",
    "+-1",
    "-+1",
    "1-",
    "1+",
    "1e--5",
    "1e+-5",
    "1e5-",
    "inf",
    "-inf",
    "INF",
    "infinity",
    "nan",
    "NaN",
    "-nan",
    "nan(1)",
    "0x10",
    "0x1p3",
    "1f",
    "1d5",
    "1,5",
    "1_000",
    "1e300",
    "1.0000001e300",
    "-1.0000001e300",
    "9.9999999e299",
    "1e301",
    "-1e301",
    "1e308",
    "1.8e308",
    "-1.8e308",
    "1e309",
    "1e999",
    "-1e999",
    "1e99999999999999999999",
    "1e-300",
    "1e-323",
    "1e-324",
    "1e-400",
    "-1e-400",
    "0e999",
    "0e99999999999999999999",
    "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "9007199254740993",
    "2.2250738585072011e-308",
    "1.00000000000000011102230246251565",
];

/// Words, and bytes that are not blanks for testlib.
pub(crate) const WORDS: &[&[u8]] = &[
    b"a",
    b"A",
    b"b",
    b"abc",
    b"ABC",
    b"aBc",
    b"abcdefghijk",
    b"YES",
    b"yes",
    b"Yes",
    b"yEs",
    b"NO",
    b"no",
    b"No",
    b"nO",
    b"Y",
    b"N",
    b"true",
    b"YESS",
    b"YE",
    b"YES.",
    b"Case",
    b"case",
    b"CASE",
    b"1:",
    b"2:",
    b"3:",
    b"1",
    b"01:",
    b"\xff",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\xef\xbb",
    b"\xc3\xa4",
    b"\xc3\x84",
    b"\xf0\x9f\x98\x80",
    b"\0",
    b"a\0b",
    b"a\0c",
    b"YES\0",
    b"\0YES",
    b"\x0b",
    b"\x0c",
    b"x\x0cy",
    b"x\x0by",
    b"\x1a",
    b"\x1b[0m",
    b"\xc2\xa0",
    b"\x7f",
    b"5\0",
    b"5\x0c",
    b"\x0c5",
];

const BLANKS: &[&str] =
    &[" ", " ", " ", "\n", "\n", "\n", "\r\n", "\t", "  ", "\n\n", " \n", "\n ", "\r", "\r\r\n", "\n\r"];
const ENDS: &[&str] = &["\n", "\n", "\n", "", "\r\n", "\n\n", " ", " \n \n", "\r", "\t", "\n\r", "\x0c", "\x0b\n"];
const STARTS: &[&str] = &["", "", "", "", "", "", " ", "\n", "\t\r\n", "\r", "\u{feff}", "\u{feff} ", "\x0c"];

type Token = Vec<u8>;

/// A pair for a checker.
pub(crate) fn pair(checker: StandardChecker, random: &mut Random) -> Pair {
    let tokens = tokens(checker, random);
    let answer = join(&tokens, random, !lines_matter(checker));
    if lines_matter(checker) && random.one_in(2) {
        let output = other_line_ends(&answer, random);
        return Pair { answer, output };
    }
    if random.one_in(12) {
        let other = self::tokens(checker, random);
        return Pair { output: join(&other, random, false), answer };
    }
    if random.one_in(3) {
        let mut output = answer.clone();
        for _ in 0..=random.below(3) {
            edit_bytes(&mut output, random);
        }
        return Pair { answer, output };
    }
    let mut other = tokens;
    if !random.one_in(4) {
        for _ in 0..=random.below(2) {
            edit_tokens(checker, &mut other, random);
        }
    }
    Pair { output: join(&other, random, false), answer }
}

/// Whether lines matter, so that odd blanks in the answer are as interesting as in the output.
fn lines_matter(checker: StandardChecker) -> bool {
    matches!(checker, StandardChecker::Fcmp | StandardChecker::Lcmp)
}

/// The same lines with other ends, and perhaps something behind them.
fn other_line_ends(answer: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = answer.split(|byte| *byte == b'\n').collect();
    if random.one_in(3) {
        // The last line ends at once.
        lines.pop();
    }
    let mut output = lines.join(random.of(&["\n", "\n", "\r\n", "\n\n", " \n"]).as_bytes());
    output.extend_from_slice(random.of(ENDS).as_bytes());
    if random.one_in(3) {
        edit_bytes(&mut output, random);
    }
    output
}

/// The tokens of an answer, which mostly has the form that the checker reads.
fn tokens(checker: StandardChecker, random: &mut Random) -> Vec<Token> {
    use StandardChecker as C;
    let length = match random.below(40) {
        0 => 0,
        1 => 2000,
        2 if random.one_in(8) => 200_000,
        other => random.below(1 + other / 2),
    };
    let count = match checker {
        C::Acmp | C::Dcmp | C::Rcmp | C::Icmp | C::Hcmp | C::Yesno | C::Pointscmp | C::Pointsinfo => {
            u64::from(!random.one_in(20)) + u64::from(random.one_in(10))
        }
        _ => length,
    };
    match checker {
        C::Caseicmp | C::Casencmp | C::Casewcmp => cases(checker, count.min(3000), random),
        _ => (0..count).map(|_| token(checker, random)).collect(),
    }
}

fn cases(checker: StandardChecker, count: u64, random: &mut Random) -> Vec<Token> {
    let mut tokens = Vec::new();
    for number in 1..=count {
        let values = if checker == StandardChecker::Caseicmp { 1 } else { random.below(4) };
        tokens.push(b"Case".to_vec());
        tokens.push(format!("{number}:").into_bytes());
        tokens.extend((0..values).map(|_| token(checker, random)));
    }
    if random.one_in(20) {
        edit_tokens(checker, &mut tokens, random);
    }
    tokens
}

fn token(checker: StandardChecker, random: &mut Random) -> Token {
    use StandardChecker as C;
    if random.one_in(60) {
        return any_token(random);
    }
    match checker {
        C::Icmp | C::Hcmp | C::Ncmp | C::Uncmp | C::Caseicmp | C::Casencmp => integer(random),
        C::Yesno | C::Nyesno => random.of(&["YES", "NO", "yes", "no", "Yes", "nO"]).into(),
        _ if checker.tolerance().is_some() || checker.gives_points() => number(random),
        _ => word(random),
    }
}

fn any_token(random: &mut Random) -> Token {
    match random.below(4) {
        0 => random.of(INTEGERS).into(),
        1 => random.of(NUMBERS).into(),
        2 => long_token(random),
        _ => random.of(WORDS).to_vec(),
    }
}

fn long_token(random: &mut Random) -> Token {
    let length = [250, 256, 257, 4096, 70_000][random.index(5)];
    let byte = b"0159ax.\xff"[random.index(8)];
    vec![byte; length + random.index(3)]
}

fn integer(random: &mut Random) -> Token {
    match random.below(12) {
        0 => random.of(INTEGERS).into(),
        1 => random.next().cast_signed().to_string().into_bytes(),
        2 => random.of(&["2147483647", "-2147483648", "9223372036854775807", "-9223372036854775808"]).into(),
        _ => (random.below(20).cast_signed() - 6).to_string().into_bytes(),
    }
}

fn number(random: &mut Random) -> Token {
    if random.one_in(10) {
        return random.of(NUMBERS).into();
    }
    number_value(random).into_bytes()
}

/// A decimal number of some size and some spelling.
fn number_value(random: &mut Random) -> String {
    let digits = random.below(1_000_000_000);
    let sign = random.of(&["", "", "-"]);
    match random.below(6) {
        0 => format!("{sign}{}", digits % 1000),
        1 => format!("{sign}{}.{:04}", digits % 1000, digits / 1000 % 10_000),
        2 => format!("{sign}0.{digits:012}"),
        3 => format!("{sign}{digits}{digits}"),
        4 => format!("{sign}{}e{}", digits % 1000, random.below(620).cast_signed() - 310),
        _ => format!("{sign}{}.{digits:09}", digits % 10),
    }
}

fn word(random: &mut Random) -> Token {
    match random.below(20) {
        0..5 => random.of(WORDS).to_vec(),
        5 if random.one_in(10) => long_token(random),
        _ => (0..=random.below(4)).map(|_| b"abAB01"[random.index(6)]).collect(),
    }
}

/// A number at the border of what a tolerance permits.
fn neighbour(text: &[u8], random: &mut Random) -> Option<Token> {
    const EPSILONS: [f64; 5] = [1.5e-6, 1e-6, 1e-4, 1e-9, 1.5e-5];
    let value: f64 = str::from_utf8(text).ok()?.parse().ok()?;
    let epsilon = EPSILONS[random.index(5)];
    let bound = if random.one_in(2) { epsilon + 1e-15 } else { epsilon };
    let sign = if random.one_in(2) { 1.0 } else { -1.0 };
    let mut near = match random.below(3) {
        0 => value + sign * bound,
        1 => value * (1.0 + sign * bound),
        _ => value / (1.0 + sign * bound),
    };
    for _ in 0..random.below(4) {
        near = if random.one_in(2) { near.next_up() } else { near.next_down() };
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match random.below(4) {
        0 => write!(text, "{near:e}"),
        1 => write!(text, "{near:.9}"),
        _ => write!(text, "{near}"),
    };
    Some(text.into_bytes())
}

fn edit_tokens(checker: StandardChecker, tokens: &mut Vec<Token>, random: &mut Random) {
    if tokens.is_empty() || random.one_in(8) {
        tokens.insert(random.index(tokens.len() + 1), token(checker, random));
        return;
    }
    let at = random.index(tokens.len());
    match random.below(10) {
        0 => drop(tokens.remove(at)),
        1 => tokens.truncate(at),
        2 => tokens[at] = any_token(random),
        3 => tokens[at] = token(checker, random),
        4 => tokens.swap(at, 0),
        5 => tokens.push(token(checker, random)),
        6 => tokens[at] = flipped(&tokens[at], random),
        7 => edit_bytes(&mut tokens[at], random),
        8 if checker == StandardChecker::Uncmp => tokens.rotate_left(at),
        _ => {
            if let Some(near) = neighbour(&tokens[at], random) {
                tokens[at] = near;
            }
        }
    }
}

/// Letters in another case.
fn flipped(token: &[u8], random: &mut Random) -> Token {
    token.iter().map(|byte| if byte.is_ascii_alphabetic() && random.one_in(2) { byte ^ 0x20 } else { *byte }).collect()
}

fn edit_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    const BYTES: &[u8] = b"0123456789 \n\r\t\x0b\x0c\0\xff-+.eEaA:";
    let byte = BYTES[random.index(BYTES.len())];
    if bytes.is_empty() {
        bytes.push(byte);
        return;
    }
    let at = random.index(bytes.len());
    match random.below(5) {
        0 => drop(bytes.remove(at)),
        1 => bytes[at] = byte,
        2 => bytes.push(byte),
        3 => bytes.truncate(at),
        _ => bytes.insert(at, byte),
    }
}

/// The tokens with blanks between them. `is_tidy`: mostly plain ones.
fn join(tokens: &[Token], random: &mut Random, is_tidy: bool) -> Vec<u8> {
    let plain = is_tidy && !random.one_in(4) || tokens.len() > 100 && random.one_in(2);
    let blank = |random: &mut Random| if plain { random.of(&[" ", "\n"]) } else { random.of(BLANKS) };
    let mut file = if plain { Vec::new() } else { random.of(STARTS).as_bytes().to_vec() };
    for (number, token) in tokens.iter().enumerate() {
        if number > 0 {
            file.extend_from_slice(blank(random).as_bytes());
        }
        file.extend_from_slice(token);
    }
    file.extend_from_slice(if plain { "\n" } else { random.of(ENDS) }.as_bytes());
    file
}
