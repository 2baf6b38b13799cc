//! The words of a record are the same in all versions.

use grader_model::verdict::Verdict;

use super::*;
use crate::reason::Reason;

/// Records of all versions contain these texts, and readers show unknown texts unchanged.
#[test]
fn a_record_holds_the_words_of_what_is_not_judged() {
    for (reason, words) in [
        (UnjudgedReason::Missing, "missing"),
        (UnjudgedReason::NoAnswer, "no answer, not judged"),
        (UnjudgedReason::Other("for another reason".to_owned()), "for another reason"),
    ] {
        let result = TestResult::NotJudged { reason: reason.clone(), measured: Measurements::default(), files: None };
        let text = serde_json::to_string(&result).unwrap();
        assert!(text.starts_with(&format!("{{\"result\":\"not_judged\",\"reason\":\"{words}\",")), "{text}");
        let read: TestResult = serde_json::from_str(&text).unwrap();
        assert!(matches!(&read, TestResult::NotJudged { reason: known, .. } if *known == reason), "{text}");
        assert_eq!(read.is_missing(), reason == UnjudgedReason::Missing);
    }
}

fn judgement(verdict: Verdict, reason: Reason) -> Judgement {
    let with_figures = Some(reason.clone()).filter(|reason| reason.to_string() != reason.without_figures());
    Judgement {
        verdict,
        reason,
        remarks: Vec::new(),
        difference: None,
        checker: None,
        feedback: None,
        team_message: None,
        score: None,
        others: Vec::new(),
        files: None,
        measured: Measurements { reason: with_figures, ..Measurements::default() },
    }
}

/// The bytes are the same in all versions. A typed reason is read back as equal text.
#[test]
fn a_record_holds_the_words_of_a_reason() {
    let slow = Reason::Time { cpu: Duration::from_millis(2125), limit: Duration::from_secs(2) };
    let (plain, full) = ("over 2 s of cpu time", "2.125 s > 2 s");
    for (verdict, reason, plain, full) in [
        (Verdict::Accepted, Reason::Nothing, "", None),
        (Verdict::WrongAnswer, Reason::NoAnswer, "no answer was handed in", None),
        (Verdict::TimeLimit, slow.clone(), plain, Some(full)),
        (Verdict::TimeLimit, slow.in_pass(2), "pass 2: over 2 s of cpu time", Some("pass 2: 2.125 s > 2 s")),
    ] {
        let written = judgement(verdict, reason);
        let text = serde_json::to_string(&written).unwrap();
        assert!(text.starts_with(&format!("{{\"verdict\":\"{verdict}\",\"reason\":\"{plain}\",")), "{text}");
        let figures = full.map(|full| format!("\"reason\":\"{full}\"}}}}"));
        assert!(figures.is_none_or(|figures| text.ends_with(&figures)), "{text}");
        let read: Judgement = serde_json::from_str(&text).unwrap();
        assert_eq!(read.full_reason(), written.full_reason());
        assert_eq!(read.lacks_answer(), written.lacks_answer());
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}

#[test]
fn a_record_holds_the_words_of_what_is_missed() {
    let missed = |why| Standing::Missed { why };
    let got = missed(UnexpectedReason::Verdict { expected: "AC".to_owned(), got: Verdict::WrongAnswer });
    let text = serde_json::to_string(&got).unwrap();
    assert_eq!(text, "{\"standing\":\"missed\",\"why\":\"expected AC, got WA\"}");
    let read: Standing = serde_json::from_str(&text).unwrap();
    assert_eq!(read, missed(UnexpectedReason::Other("expected AC, got WA".to_owned())));
}

#[test]
fn what_graders_say_is_written_as_words() {
    let said: Result<Grade, GraderFault> = Err(GraderFault("it crashed".to_owned()));
    assert_eq!(serde_json::to_string(&said).unwrap(), "{\"Err\":\"it crashed\"}");
}
