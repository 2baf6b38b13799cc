//! `LiveCodeBench`: tests of standard input or of functions; the private ones may be packed (base64 of zlib of a pickle of
//! a JSON text).

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{embedded, function, keys};
use crate::import::mistake::{Mistake, Unpackable};
use crate::import::problem::{ImportedProblem, Test, Way};

/// The time limit of the published evaluation, in seconds.
const TIME_LIMIT: f64 = 6.0;
/// The largest size of private tests, unpacked.
const LARGEST: u64 = 1 << 30;

#[derive(Deserialize)]
struct Keys {
    question_id: String,
    #[serde(default)]
    question_title: String,
    #[serde(default)]
    question_content: String,
    #[serde(default)]
    starter_code: String,
    public_test_cases: Box<RawValue>,
    private_test_cases: Option<Box<RawValue>>,
    metadata: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Case {
    input: String,
    output: String,
    testtype: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Stdin,
    Functional,
}

#[derive(Default, Deserialize)]
struct Metadata {
    func_name: Option<String>,
}

pub(super) fn read(row: &str) -> Result<ImportedProblem, Mistake> {
    let keys: Keys = keys(row)?;
    let public: Vec<Case> = embedded("public_test_cases", &keys.public_test_cases)?;
    let private: Vec<Case> = keys.private_test_cases.as_deref().map(private).transpose()?.unwrap_or_default();
    let metadata: Metadata = match &keys.metadata {
        Some(raw) if raw.get() != "\"\"" => embedded("metadata", raw)?,
        _ => Metadata::default(),
    };
    let is_functional = |case: &Case| case.testtype == Kind::Functional;
    let all = || public.iter().chain(&private);
    let way = match (all().all(is_functional), all().any(is_functional), metadata.func_name) {
        (_, false, _) => Way::Standard,
        // `Solution.twoSum` means the method.
        (true, true, Some(name)) => {
            Way::Function { name: function(name.rsplit('.').next().unwrap_or(&name))?, either: false }
        }
        (true, true, None) => return Err(Mistake::NoFunction),
        (false, true, _) => return Err(Mistake::Mixed),
    };
    let test = |number: usize, is_sample: bool, case: &Case| -> Result<Test, Mistake> {
        let (input, answer) = match way {
            Way::Standard => (case.input.clone(), case.output.clone()),
            _ => (arguments(&case.input)?, case.output.clone()),
        };
        Ok(Test { is_sample, ..Test::secret(number, input, Some(answer)) })
    };
    let public = (1..).zip(&public).map(|(number, case)| test(number, true, case));
    let private = (1..).zip(&private).map(|(number, case)| test(number, false, case));
    let tests = public.chain(private).collect::<Result<_, Mistake>>()?;
    let mut statement = keys.question_content;
    if !keys.starter_code.trim().is_empty() {
        statement.extend(["\n\n```python\n", keys.starter_code.trim_end(), "\n```\n"]);
    }
    Ok(ImportedProblem {
        set: "LiveCodeBench",
        title: if keys.question_title.is_empty() { keys.question_id.clone() } else { keys.question_title },
        name: keys.question_id,
        statement,
        time_limit: TIME_LIMIT,
        way,
        tests,
        ..ImportedProblem::default()
    })
}

/// The arguments of a call, one a line, as a list.
fn arguments(lines: &str) -> Result<String, Mistake> {
    let values = lines.lines().filter(|line| !line.trim().is_empty());
    let values = values.map(|line| match serde_json::from_str::<&RawValue>(line) {
        Ok(value) => Ok(value.get()),
        Err(error) => Err(Mistake::Argument(error)),
    });
    Ok(format!("[{}]", values.collect::<Result<Vec<_>, _>>()?.join(", ")))
}

/// The private tests, packed or not. A pickle is read as data: nothing in it can name code to run.
fn private(raw: &RawValue) -> Result<Vec<Case>, Mistake> {
    let Ok(text) = serde_json::from_str::<String>(raw.get()) else { return embedded("private_test_cases", raw) };
    if text.trim_start().starts_with('[') {
        return embedded("private_test_cases", raw);
    }
    Ok(unpack(&text)?)
}

/// The tests of a text that is base64 of zlib of a pickle of JSON.
fn unpack(text: &str) -> Result<Vec<Case>, Unpackable> {
    let packed = STANDARD.decode(text.trim())?;
    let mut pickle = Vec::new();
    if ZlibDecoder::new(&*packed).take(LARGEST + 1).read_to_end(&mut pickle)? as u64 > LARGEST {
        return Err(Unpackable::TooLarge(LARGEST >> 20));
    }
    Ok(serde_json::from_str(text_of_pickle(&pickle).ok_or(Unpackable::Pickle)?)?)
}

/// The text of which a pickle consists; none if the pickle has anything else. A pickle is a program, so nothing of it is
/// carried out: of its instructions (`pickletools.py` of Python), only those that state one text may occur.
fn text_of_pickle(pickle: &[u8]) -> Option<&str> {
    /// Takes an instruction away that begins with `code` and has `size` more bytes.
    fn without(pickle: &[u8], code: u8, size: usize) -> &[u8] {
        let rest = pickle.strip_prefix(&[code]).and_then(|rest| rest.get(size..));
        rest.unwrap_or(pickle)
    }
    const PROTO: u8 = 0x80;
    const FRAME: u8 = 0x95;
    const MEMOIZE: u8 = 0x94;
    const BINPUT: u8 = b'q';
    const LONG_BINPUT: u8 = b'r';
    let pickle = without(without(pickle, PROTO, 1), FRAME, 8);
    let (code, rest) = pickle.split_first()?;
    // SHORT_BINUNICODE, BINUNICODE, BINUNICODE8: they differ in the bytes of the size.
    let width = match code {
        0x8c => 1,
        b'X' => 4,
        0x8d => 8,
        _ => return None,
    };
    let (size, rest) = rest.split_at_checked(width)?;
    let size = size.iter().rev().fold(0, |size: u64, byte| size << 8 | u64::from(*byte));
    let (text, rest) = rest.split_at_checked(usize::try_from(size).ok()?)?;
    let rest = without(without(without(rest, MEMOIZE, 0), BINPUT, 1), LONG_BINPUT, 4);
    (rest == b".").then(|| str::from_utf8(text).ok())?
}
