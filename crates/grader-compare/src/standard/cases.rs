//! Checkers of values after `Case 1:`, `Case 2:` and so on.
//!
//! The originals read a case of the answer, or the whole answer, before they read the output. So a fault of the answer
//! comes first, then a presentation error, then a wrong value. These functions read both files side by side and keep
//! that order.

use grader_model::difference::{Difference, DifferenceKind};

use super::super::number::c_string;
use super::Stop;
use super::files::{Files, difference, rejected};
use super::formats::{Form, Format, LONG, TOKEN};
use super::reader::{Reader, Refusal, Source};

/// The word before the number of each case.
const CASE: &str = "Case";

/// The form that was expected at a place where a file could not be read.
type Mistake = (Refusal, Form);

/// `caseicmp`.
pub(super) async fn one_integer(files: &mut Files<'_>) -> Result<(), Stop> {
    let [mut malformed, mut wrong, mut length] = [const { None::<Stop> }; 3];
    let mut goes_on = true;
    for number in 1.. {
        let expected = value(&mut files.answer, number).await;
        let expected = expected.map_err(|(refusal, form)| files.fault(refusal, form))?;
        let found = if goes_on { value(&mut files.output, number).await } else { Ok(false) };
        let found = found.unwrap_or_else(|(refusal, form)| {
            malformed = Some(files.malformed(refusal, form));
            false
        });
        goes_on = found;
        match (expected, found) {
            (false, false) => break,
            (true, true) if files.answer.text() == files.output.text() => {}
            (true, true) => wrong = wrong.or_else(|| Some(files.wrong())),
            (true, false) => length = length.or_else(|| Some(rejected(true, files.ended(files.answer.found(None))))),
            (false, true) => length = length.or_else(|| Some(rejected(true, after_the_answer(files)))),
        }
    }
    malformed.or(wrong).or(length).map_or(Ok(()), Err)
}

/// Reads a case with one integer; false at the end of the file.
async fn value<S: Source>(reader: &mut Reader<S>, number: u64) -> Result<bool, Mistake> {
    if reader.at_end_after_blanks().await.map_err(|error| (error.into(), LONG.form))? {
        return Ok(false);
    }
    header(reader, number, false).await?;
    reader.read(LONG).await.map_err(|refusal| (refusal, LONG.form))?;
    Ok(true)
}

/// Reads `Case` and the number of a case. `has_word`: `Case` was read as the end of the case before.
async fn header<S: Source>(reader: &mut Reader<S>, number: u64, has_word: bool) -> Result<(), Mistake> {
    if !has_word {
        word(reader, Form::Case, CASE).await?;
    }
    word(reader, Form::CaseNumber(number), &format!("{number}:")).await
}

async fn word<S: Source>(reader: &mut Reader<S>, form: Form, wanted: &str) -> Result<(), Mistake> {
    reader.token().await.map_err(|refusal| (refusal, form))?;
    if reader.text() == wanted.as_bytes() { Ok(()) } else { Err((Refusal::Unfit, form)) }
}

/// Whether `Case` of the next case was read, in each file. It stays so, as in the originals.
#[derive(Default)]
struct CaseWords {
    answer: bool,
    output: bool,
}

/// `casewcmp`.
pub(super) async fn tokens(files: &mut Files<'_>) -> Result<(), Stop> {
    sequences(files, TOKEN, |token| token).await
}

/// `casencmp`. It alone reads integers as C strings, which end at a NUL. An integer has one spelling, so texts are
/// compared.
pub(super) async fn integers(files: &mut Files<'_>) -> Result<(), Stop> {
    let integer = Format { form: LONG.form, read: |token| (LONG.read)(c_string(token)) };
    sequences(files, integer, c_string).await
}

/// The part of a token that counts.
type Counts = fn(&[u8]) -> &[u8];

async fn sequences<T>(files: &mut Files<'_>, format: Format<T>, counts: Counts) -> Result<(), Stop> {
    let mut read = CaseWords::default();
    for number in 1.. {
        if files.answer_ended().await? {
            break;
        }
        compare_case(files, number, &mut read, (format, counts)).await?;
    }
    Ok(())
}

async fn compare_case<T>(
    files: &mut Files<'_>,
    number: u64,
    read: &mut CaseWords,
    (format, counts): (Format<T>, Counts),
) -> Result<(), Stop> {
    let begun = header(&mut files.answer, number, read.answer).await;
    begun.map_err(|(refusal, form)| files.fault(refusal, form))?;
    let begun = header(&mut files.output, number, read.output).await;
    let mut malformed = begun.err().map(|(refusal, form)| files.malformed(refusal, form));
    let mut wrong = None;
    let mut expected = true;
    let mut found = malformed.is_none();
    while expected || found {
        if expected {
            let item = item(&mut files.answer, format, &mut read.answer).await;
            expected = item.map_err(|(refusal, form)| files.fault(refusal, form))?;
        }
        if found {
            let item = item(&mut files.output, format, &mut read.output).await;
            found = item.unwrap_or_else(|(refusal, form)| {
                malformed = Some(files.malformed(refusal, form));
                false
            });
        }
        if malformed.is_none() && wrong.is_none() {
            wrong = item_difference(files, (expected, found), counts).await?;
        }
    }
    malformed.or(wrong).map_or(Ok(()), Err)
}

/// Reads the next value of a case; false at the end of the case.
async fn item<S: Source, T>(reader: &mut Reader<S>, format: Format<T>, has_word: &mut bool) -> Result<bool, Mistake> {
    let mistake = |refusal| (refusal, format.form);
    if reader.at_end_after_blanks().await.map_err(|error| mistake(error.into()))? {
        return Ok(false);
    }
    reader.token().await.map_err(mistake)?;
    if reader.text() == CASE.as_bytes() {
        *has_word = true;
        return Ok(false);
    }
    (format.read)(reader.text()).map(|_| true).ok_or(mistake(Refusal::Unfit))
}

/// How the last values differ, of which there may be none in this case.
async fn item_difference(
    files: &mut Files<'_>,
    (expected, found): (bool, bool),
    counts: Counts,
) -> Result<Option<Stop>, Stop> {
    let is_wrong = match (expected, found) {
        (true, true) => counts(files.answer.text()) != counts(files.output.text()),
        (one, other) => one != other,
    };
    if !is_wrong {
        return Ok(None);
    }
    // Otherwise the `Case` of the next case is there.
    if expected && !found && files.output_ended().await? {
        return Ok(Some(rejected(false, files.ended(files.answer.found(None)))));
    }
    if found && !expected && files.answer_ended().await? {
        return Ok(Some(rejected(false, after_the_answer(files))));
    }
    Ok(Some(files.wrong()))
}

/// The last token of the output comes after the end of the answer.
fn after_the_answer(files: &Files<'_>) -> Difference {
    difference(DifferenceKind::Extra, files.answer.found_end(), files.output.found(None))
}
