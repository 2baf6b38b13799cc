//! Checkers of a single value. More tokens in the answer do not matter, except to `hcmp`.

use super::files::{FaultReason, Files};
use super::formats::{Closeness, Form, INT, NUMBER, TOKEN, is_huge_integer, yes_or_no};
use super::reader::Refusal;
use super::{GivenPoints, Stop};

/// `acmp`, `dcmp`, `rcmp`.
pub(super) async fn number(files: &mut Files<'_>, closeness: Closeness) -> Result<(), Stop> {
    let expected = files.expected(NUMBER).await?;
    let found = files.found(NUMBER).await?;
    if closeness.permits(expected, found) { Ok(()) } else { Err(files.wrong_number(expected, found)) }
}

/// `pointscmp`. The difference is the number of points, of which testlib has a most.
pub(super) async fn points(files: &mut Files<'_>) -> Result<GivenPoints, Stop> {
    const MOST: f64 = 1e6;
    const SLACK: f64 = 1e-8;
    let expected = files.expected(NUMBER).await?;
    let found = files.found(NUMBER).await?;
    let points = (expected - found).abs();
    if points.is_nan() || points > MOST + SLACK {
        return Err(files.fault_of(FaultReason::TooManyPoints));
    }
    Ok(GivenPoints { points: Some(points.min(MOST)), message: format!("ja={expected:.4} pa={found:.4}") })
}

/// `pointsinfo`. The original reads the output first.
pub(super) async fn points_info(files: &mut Files<'_>) -> Result<GivenPoints, Stop> {
    let expected = files.expected(NUMBER).await;
    let found = files.found(NUMBER).await?;
    let expected = expected?;
    let message = format!("points_info=pa={found:.6},ja={expected:.6} d={:.6}", (expected - found).abs());
    Ok(GivenPoints { points: None, message })
}

/// `icmp`.
pub(super) async fn integer(files: &mut Files<'_>) -> Result<(), Stop> {
    let expected = files.expected(INT).await?;
    let found = files.found(INT).await?;
    if expected == found { Ok(()) } else { Err(files.wrong()) }
}

/// `hcmp`.
pub(super) async fn huge_integer(files: &mut Files<'_>) -> Result<(), Stop> {
    files.expected(TOKEN).await?;
    files.found(TOKEN).await?;
    if !is_huge_integer(files.answer.text()) {
        return Err(files.fault(Refusal::Unfit, Form::HugeInteger));
    }
    if !files.answer_ended().await? {
        files.expected(TOKEN).await?;
        return Err(files.fault_of(FaultReason::MoreTokens));
    }
    if !is_huge_integer(files.output.text()) {
        return Err(files.malformed(Refusal::Unfit, Form::HugeInteger));
    }
    if files.answer.text() == files.output.text() { Ok(()) } else { Err(files.wrong()) }
}

/// `yesno`.
pub(super) async fn yes_or_no_once(files: &mut Files<'_>) -> Result<(), Stop> {
    files.expected(TOKEN).await?;
    files.found(TOKEN).await?;
    compare_yes_or_no(files)
}

/// Compares the last tokens as `YES` or `NO`. That of the answer is looked at first.
pub(super) fn compare_yes_or_no(files: &Files<'_>) -> Result<(), Stop> {
    let unfit = || files.fault(Refusal::Unfit, Form::YesOrNo);
    let expected = yes_or_no(files.answer.text()).ok_or_else(unfit)?;
    let malformed = || files.malformed(Refusal::Unfit, Form::YesOrNo);
    let found = yes_or_no(files.output.text()).ok_or_else(malformed)?;
    if expected == found { Ok(()) } else { Err(files.wrong()) }
}
