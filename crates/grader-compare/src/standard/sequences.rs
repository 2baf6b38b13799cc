//! Checkers of sequences of values.

use grader_model::difference::{Difference, DifferenceKind};

use super::super::bytes::{common_prefix, last_position};
use super::Stop;
use super::files::{Files, difference, rejected};
use super::formats::{Closeness, Format, LONG, NUMBER, TOKEN};
use super::reader::is_blank;
use super::single::compare_yes_or_no;

/// `wcmp`.
pub(super) async fn tokens(files: &mut Files<'_>) -> Result<(), Stop> {
    loop {
        skip_equal_tokens(files);
        match (files.answer_ended().await?, files.output_ended().await?) {
            (true, true) => return Ok(()),
            (true, false) => return Err(rejected(false, files.extra().await?)),
            (false, true) => return Err(rejected(false, files.missing().await?)),
            (false, false) => {}
        }
        files.expected(TOKEN).await?;
        files.found(TOKEN).await?;
        if files.answer.text() != files.output.text() {
            return Err(files.wrong());
        }
    }
}

/// Skips tokens that are the same in both files, with the blanks around them, as far as both are known.
fn skip_equal_tokens(files: &mut Files<'_>) {
    let [all_answer, all_output] = [files.answer.ahead(), files.output.ahead()];
    let [mut answer, mut output] = [all_answer, all_output];
    loop {
        [answer, output] = [answer, output].map(without_blanks);
        let same = common_prefix(answer, output);
        let ends = [answer, output].iter().all(|text| text.get(same).is_some_and(|byte| is_blank(*byte)));
        // A token without a blank behind it may continue differently.
        let whole = if ends { Some(same) } else { last_position(&answer[..same], is_blank) };
        let Some(whole @ 1..) = whole else { break };
        [answer, output] = [answer, output].map(|text| &text[whole..]);
    }
    let [of_answer, of_output] = [all_answer.len() - answer.len(), all_output.len() - output.len()];
    files.answer.skip_tokens(of_answer);
    files.output.skip_tokens(of_output);
}

fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().position(|byte| !is_blank(*byte)).unwrap_or(text.len());
    &text[blanks..]
}

/// `rcmp4`, `rcmp6`, `rcmp9`, `rncmp`.
pub(super) async fn numbers(files: &mut Files<'_>, closeness: Closeness) -> Result<(), Stop> {
    while !files.answer_ended().await? {
        let expected = files.expected(NUMBER).await?;
        let found = files.found(NUMBER).await?;
        if !closeness.permits(expected, found) {
            return Err(files.wrong_number(expected, found));
        }
    }
    Ok(())
}

/// `ncmp`.
pub(super) async fn integers(files: &mut Files<'_>) -> Result<(), Stop> {
    while !files.answer_ended().await? && !files.output_ended().await? {
        if files.expected(LONG).await? != files.found(LONG).await? {
            return Err(files.wrong());
        }
    }
    rest(files, LONG).await
}

/// `nyesno`.
pub(super) async fn yes_and_no(files: &mut Files<'_>) -> Result<(), Stop> {
    while !files.answer_ended().await? && !files.output_ended().await? {
        files.expected(TOKEN).await?;
        files.found(TOKEN).await?;
        compare_yes_or_no(files)?;
    }
    rest(files, TOKEN).await
}

/// Rejects an output of another length. All values that are left must have the form first, those of the answer too.
async fn rest<T>(files: &mut Files<'_>, format: Format<T>) -> Result<(), Stop> {
    let mut first: Option<Difference> = None;
    while !files.answer_ended().await? {
        files.expected(format).await?;
        first = first.or_else(|| Some(files.ended(files.answer.found(None))));
    }
    while !files.output_ended().await? {
        let end = files.answer.found_end();
        files.found(format).await?;
        let extra = || difference(DifferenceKind::Extra, end, files.output.found(None));
        first = first.or_else(|| Some(extra()));
    }
    first.map_or(Ok(()), |difference| Err(rejected(false, difference)))
}
