//! Tables of the rules: points of cases, aggregation, dependencies, and unnecessary tests.

use super::*;
use crate::problem::ScoreGroup;
use Aggregation::{Min, PassFail, Sum};
use Verdict::{Accepted as AC, TimeLimit as TLE, WrongAnswer as WA};

/// One group (`sample`, `secret` or below it): name, points, aggregation, required groups, number of cases.
type Row<'a> = (&'a str, Option<f64>, Aggregation, &'a [usize], usize);

fn scoring(total: (Option<f64>, Aggregation, usize), below: &[Row<'_>]) -> Arc<ScoreTree> {
    let group = |name: &str, parent, max_score, aggregation, require_pass: &[usize], tests| ScoreGroup {
        name: name.into(),
        parent,
        max_score,
        aggregation,
        require_pass: require_pass.to_vec(),
        tests,
        static_score: None,
    };
    let mut groups =
        vec![group("sample", None, Some(0.0), PassFail, &[], 1), group("secret", None, total.0, total.1, &[], total.2)];
    for (name, max, aggregation, required, cases) in below {
        groups.push(group(name, Some(1), *max, *aggregation, required, *cases));
    }
    Arc::new(ScoreTree { groups, total: 1 })
}

/// Every test of the groups, in order, `sample/0` first.
fn tests(scoring: &ScoreTree) -> Vec<TestId> {
    let names = |group: &ScoreGroup| (0..group.tests).map(|n| format!("{}/{n}", group.name)).collect::<Vec<_>>();
    scoring.groups.iter().flat_map(names).map(TestId::from).collect()
}

/// Adds results in plan order as a run does. Returns the points and how many tests ran.
fn play(scoring: &Arc<ScoreTree>, early: bool, verdicts: &[Verdict]) -> (Points, usize) {
    let tests = tests(scoring);
    assert_eq!(tests.len(), verdicts.len(), "{tests:?}");
    let mut board = Board::new(scoring, &tests, early);
    let mut run = 0;
    for (test, verdict) in TestIndex::each(0..verdicts.len()).zip(verdicts) {
        if board.needless(test).is_some() {
            continue;
        }
        run += 1;
        let (directory, _) = tests[test].as_str().rsplit_once('/').unwrap();
        let score = of_case(scoring.points_of(directory), *verdict, None, None).unwrap();
        board.add(test, *verdict, score);
    }
    (board.points().unwrap(), run)
}

#[test]
fn points_of_a_case() {
    use CasePoints::{Bounded, Ignored, OfGroup, Unbounded};
    let wrong = |message: &str| Err(message.to_owned());
    for (points, verdict, score, multiplier, expect) in [
        (Ignored, AC, Some("x"), Some("y"), Ok(None)),
        (Ignored, WA, Some("1"), None, Ok(None)),
        (OfGroup(5.0), AC, None, None, Ok(None)),
        (OfGroup(5.0), WA, None, None, Ok(None)),
        (OfGroup(5.0), AC, Some("1"), None, wrong("score.txt in a group that is `pass-fail`")),
        (OfGroup(5.0), AC, None, Some("1"), wrong("score_multiplier.txt in a group that is `pass-fail`")),
        (Bounded(12.5), AC, None, None, Ok(Some(12.5))),
        (Bounded(12.5), WA, None, None, Ok(Some(0.0))),
        (Bounded(12.5), TLE, None, None, Ok(Some(0.0))),
        (Bounded(12.5), TLE, Some("3"), None, Ok(Some(0.0))),
        (Bounded(10.0), AC, Some(" 2.5e0\n"), None, Ok(Some(2.5))),
        (Bounded(10.0), AC, Some("10"), None, Ok(Some(10.0))),
        (Bounded(10.0), AC, Some("-0"), None, Ok(Some(0.0))),
        (Bounded(100.0 / 3.0), AC, Some("33.33333333333334"), None, Ok(Some(100.0 / 3.0))),
        (Bounded(10.0), AC, Some("10.1"), None, wrong("score.txt says 10.1, more than 10")),
        (Bounded(10.0), AC, None, Some("0.25"), Ok(Some(2.5))),
        (Bounded(10.0), AC, None, Some("1"), Ok(Some(10.0))),
        (Bounded(10.0), AC, None, Some("1.5"), wrong("score_multiplier.txt says 1.5, more than 1")),
        (Bounded(10.0), AC, Some("1"), Some("1"), wrong("both score.txt and score_multiplier.txt")),
        (Bounded(10.0), WA, Some("0"), None, wrong("it writes score.txt for an output that it rejects")),
        (Bounded(10.0), WA, None, Some("0"), wrong("it writes score_multiplier.txt for an output that it rejects")),
        (Bounded(10.0), AC, Some("ten"), None, wrong("score.txt contains \"ten\", not one number of at least 0")),
        (Bounded(10.0), AC, Some("inf"), None, wrong("score.txt contains \"inf\", not one number of at least 0")),
        (Bounded(10.0), AC, Some("1e999"), None, wrong("score.txt contains \"1e999\", not one number of at least 0")),
        (Bounded(10.0), AC, Some(""), None, wrong("score.txt contains \"\", not one number of at least 0")),
        (Unbounded, AC, Some("1e12"), None, Ok(Some(1e12))),
        (Unbounded, AC, None, None, wrong("no score.txt, but an unbounded group needs one")),
        (Unbounded, WA, None, None, Ok(Some(0.0))),
        (
            Unbounded,
            AC,
            None,
            Some("1"),
            wrong("score_multiplier.txt in an unbounded group, which has no points to multiply"),
        ),
    ] {
        let multiplier = multiplier.map(|text| (ScoreFile::Multiplier, text));
        let found = of_case(points, verdict, score.map(|text| (ScoreFile::Score, text)), multiplier)
            .map_err(|error| error.to_string());
        assert_eq!(found, expect, "{points:?} {verdict} {score:?} {multiplier:?}");
    }
    assert!(of_case(Bounded(10.0), AC, Some((ScoreFile::Score, &"1".repeat(LONGEST + 1))), None).is_err());
}

#[test]
fn points_of_testlib_in_a_complete_group_are_all_or_none() {
    let worth = CasePoints::OfGroup(5.0);
    for (file, text, expect) in [
        (ScoreFile::Quitp, "2.5", Ok(Some(2.5))),
        (ScoreFile::Quitp, "5", Ok(None)),
        (ScoreFile::Quitp, "7", Ok(None)),
        (ScoreFile::Percent, "0.5", Ok(Some(2.5))),
        (ScoreFile::Percent, "1", Ok(None)),
        (ScoreFile::Multiplier, "1", Err(ScoreError::PassFail(ScoreFile::Multiplier))),
    ] {
        assert_eq!(of_case(worth, AC, Some((file, text)), None), expect, "{file:?} {text}");
    }
    let below = [("secret/a", Some(20.0), PassFail, &[][..], 2), ("secret/b", Some(30.0), PassFail, &[2], 1)];
    let tree = scoring((Some(50.0), Sum, 0), &below);
    for (partial, total) in [(None, 50.0), (Some(2.0), 0.0)] {
        let mut board = Board::new(&tree, &tests(&tree), false);
        board.add(TestIndex(0), AC, None);
        board.add(TestIndex(1), AC, None);
        board.add(TestIndex(2), AC, partial);
        board.add(TestIndex(3), AC, None);
        // Groups that depend on the group get nothing either.
        assert_eq!(board.points().unwrap().score, Some(total));
    }
}

#[test]
fn groups_are_aggregated() {
    let below = [
        ("secret/a", Some(20.0), PassFail, &[][..], 2),
        ("secret/b", Some(30.0), Min, &[], 2),
        ("secret/c", Some(50.0), Sum, &[], 3),
    ];
    let sum = scoring((Some(100.0), Sum, 0), &below);
    let min = scoring((Some(20.0), Min, 0), &below);
    let all = [AC; 8];
    let some = [AC, AC, AC, AC, WA, AC, TLE, AC];
    let none = [WA; 8];
    for (scoring, verdicts, score, groups) in [
        (&sum, &all, 100.0, [20.0, 30.0, 50.0]),
        (&sum, &some, 53.333_333, [20.0, 0.0, 33.333_333]),
        (&sum, &none, 0.0, [0.0; 3]),
        // Samples do not count.
        (&sum, &[WA, AC, AC, AC, AC, AC, AC, AC], 100.0, [20.0, 30.0, 50.0]),
        (&min, &all, 20.0, [20.0, 30.0, 50.0]),
        (&min, &some, 0.0, [20.0, 0.0, 33.333_333]),
    ] {
        for early in [false, true] {
            let (points, _) = play(scoring, early, verdicts);
            let found: Vec<f64> = points.groups.iter().map(|group| group.score).collect();
            assert_eq!((points.score, &found[..]), (Some(score), &groups[..]), "{verdicts:?}");
        }
    }
    let passed = [("secret/a", Some(20.0), PassFail, &[][..], 1), ("secret/b", Some(30.0), PassFail, &[], 1)];
    let whole = scoring((Some(100.0), PassFail, 0), &passed);
    assert_eq!(play(&whole, false, &[AC, AC, AC]).0.score, Some(100.0));
    assert_eq!(play(&whole, false, &[WA, AC, AC]).0.score, Some(100.0));
    assert_eq!(play(&whole, false, &[AC, AC, WA]).0.score, Some(0.0));
}

#[test]
fn cases_straight_in_secret() {
    for (aggregation, verdicts, score) in [
        (Sum, [AC, AC, AC, AC], 100.0),
        (Sum, [AC, AC, WA, AC], 66.666_667),
        (Min, [AC, AC, WA, AC], 0.0),
        (Min, [AC, AC, AC, AC], 100.0),
        (PassFail, [AC, AC, AC, AC], 100.0),
        (PassFail, [AC, AC, AC, TLE], 0.0),
    ] {
        let scoring = scoring((Some(100.0), aggregation, 3), &[]);
        assert_eq!(play(&scoring, false, &verdicts).0.score, Some(score), "{aggregation:?} {verdicts:?}");
    }
}

#[test]
fn what_requires_a_failed_group_is_not_run() {
    // `sample` is 0, `secret` 1, and c requires b, which requires a.
    let scoring = scoring(
        (Some(100.0), Sum, 0),
        &[
            ("secret/a", Some(10.0), PassFail, &[0], 2),
            ("secret/b", Some(20.0), PassFail, &[2], 1),
            ("secret/c", Some(70.0), Sum, &[3], 2),
        ],
    );
    for (verdicts, early, score, run) in [
        ([AC, AC, AC, AC, AC, AC], false, 100.0, 6),
        ([WA, AC, AC, AC, AC, AC], false, 0.0, 1),
        ([AC, WA, AC, AC, AC, AC], false, 0.0, 3),
        ([AC, WA, AC, AC, AC, AC], true, 0.0, 2),
        ([AC, AC, AC, WA, AC, AC], false, 10.0, 4),
        ([AC, AC, AC, AC, WA, AC], true, 65.0, 6),
    ] {
        let (points, found) = play(&scoring, early, &verdicts);
        assert_eq!((points.score, found), (Some(score), run), "{verdicts:?} {early}");
    }
}

#[test]
fn what_need_not_be_run_does_not_depend_on_the_order_of_knowing() {
    let scoring = scoring(
        (Some(100.0), Sum, 0),
        &[
            ("secret/a", Some(10.0), PassFail, &[0], 2),
            ("secret/b", Some(20.0), Min, &[], 2),
            ("secret/c", Some(70.0), Sum, &[2], 2),
        ],
    );
    let tests = tests(&scoring);
    let all = TestIndex::each(0..tests.len());
    for failing in 0_u32..1 << tests.len() {
        let fails = |test: TestIndex| failing & (1 << test.0) != 0;
        for early in [false, true] {
            // As a run records it: only needed tests count.
            let mut recorded = Board::new(&scoring, &tests, early);
            for test in all.clone().filter(|test| fails(*test)) {
                if recorded.needless(test).is_none() {
                    recorded.fail(test);
                }
            }
            // As the slots learn it: every test that was started, last first.
            let mut known = Board::new(&scoring, &tests, early);
            let mut failed: Vec<TestIndex> = all.clone().filter(|test| fails(*test)).collect();
            failed.reverse();
            for test in failed {
                assert!(known.fail(test), "the first of its group so far");
            }
            for test in all.clone() {
                let recorded = recorded.needless(test).is_some();
                let known = known.needless(test).is_some();
                assert_eq!(recorded, known, "{failing:b} {test} {early}");
            }
        }
    }
}

#[test]
fn too_many_points_are_a_fault() {
    let scoring = scoring((Some(100.0), Sum, 0), &[("secret/a", None, Sum, &[], 1), ("secret/b", None, Sum, &[], 1)]);
    let mut board = Board::new(&scoring, &tests(&scoring), false);
    board.add(TestIndex(1), AC, Some(60.0));
    board.add(TestIndex(2), AC, Some(60.0));
    let error = board.points().unwrap_err();
    assert_eq!(error.to_string(), "120 points of secret, which gives at most 100");
}

#[test]
fn points_need_every_test_of_their_group() {
    let scoring = scoring(
        (Some(100.0), Sum, 0),
        &[("secret/a", Some(40.0), Sum, &[], 2), ("secret/b", Some(60.0), PassFail, &[], 1)],
    );
    let planned = ["secret/a/1".into(), "secret/b/0".into()];
    let mut board = Board::new(&scoring, &planned, false);
    board.add(TestIndex(0), AC, Some(20.0));
    board.add(TestIndex(1), AC, None);
    let points = board.points().unwrap();
    assert_eq!(points.score, None);
    assert_eq!(points.groups.len(), 1);
    assert_eq!(points.groups[0].group, "secret/b");
}

#[test]
fn a_test_that_was_not_judged_leaves_open_what_is_not_certain() {
    let scoring = scoring(
        (Some(100.0), Sum, 0),
        &[
            ("secret/a", Some(40.0), PassFail, &[], 2),
            ("secret/b", Some(30.0), PassFail, &[], 2),
            ("secret/c", Some(30.0), Min, &[], 2),
            ("secret/d", None, Sum, &[], 2),
        ],
    );
    let mut board = Board::new(&scoring, &tests(&scoring), false);
    board.add(TestIndex(0), AC, None);
    for (group, first) in [(0, AC), (1, WA), (2, WA), (3, WA)] {
        // An accepted case of a `pass-fail` group has no points.
        board.add(TestIndex(1 + 2 * group), first, (first != AC).then_some(0.0));
        board.not_judged(TestIndex(2 + 2 * group));
    }
    let points = board.points().unwrap();
    assert_eq!(points.score, None);
    let known: Vec<(&str, f64)> = points.groups.iter().map(|group| (&*group.group, group.score)).collect();
    assert_eq!(known[known.len() - 2..], [("secret/b", 0.0), ("secret/c", 0.0)], "{known:?}");
    assert!(!known.iter().any(|(name, _)| ["secret/a", "secret/d"].contains(name)), "{known:?}");
}

#[test]
fn what_is_said_of_points_is_checked() {
    use ScoreRange::{Between, Full, Partial};
    let group = |name: &str, score, max_score| GroupScore { group: name.to_owned(), score, max_score };
    let groups = vec![group("secret/a", 20.0, Some(20.0)), group("secret/b", 15.0, Some(80.0))];
    let points = Points { score: Some(35.0), groups, most: Some(100.0), total: "secret", ..Points::default() };
    for (group, range, why) in [
        (None, Full, Some("expected 100 points, got 35")),
        (None, Partial, None),
        (None, Between(35.0, 35.0), None),
        (None, Between(0.0, 34.5), Some("expected 0 to 34.5 points, got 35")),
        (Some("secret"), Between(1.0, 1.0), Some("expected 1 point in secret, got 35")),
        (Some("secret/a"), Full, None),
        (Some("secret/b"), Between(20.0, 30.0), Some("expected 20 to 30 points in secret/b, got 15")),
        (Some("secret/c"), Between(20.0, 30.0), None),
    ] {
        assert_eq!(points.miss(group, range).as_deref(), why, "{group:?} {range:?}");
    }
    let unknown = Points { score: None, ..points.clone() };
    assert_eq!(unknown.miss(None, Full), None);
    let unbounded = Points { most: None, ..points };
    assert_eq!(unbounded.miss(None, Full), None);
    assert_eq!(unbounded.miss(None, Partial), None);
}
