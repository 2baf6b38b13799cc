//! Compares the board with a walk over the tree as the format describes it, with results in any order.

use proptest::prelude::*;

use super::*;
use crate::problem::grading::{ByValidator, DefaultGrader, LegacyPoints, Objective, ScoreMode, VerdictMode};
use Verdict::{Accepted as AC, TimeLimit as TLE, WrongAnswer as WA};

/// `sample`, `secret` with a case of its own, `secret/a`, `secret/b` and `secret/b/deep`.
const GROUPS: [(&str, Option<usize>, usize); 6] = [
    ("", None, 0),
    ("sample", Some(0), 1),
    ("secret", Some(0), 1),
    ("secret/a", Some(2), 3),
    ("secret/b", Some(2), 1),
    ("secret/b/deep", Some(4), 2),
];

fn grading(choices: &[(bool, u8, u8)]) -> Arc<Grading> {
    let group = |(n, (breaks, verdict, score)): (usize, &(bool, u8, u8))| {
        let (name, parent, cases) = GROUPS[n];
        let flags = DefaultGrader {
            verdict: [VerdictMode::WorstError, VerdictMode::FirstError, VerdictMode::AlwaysAccept]
                [usize::from(verdict % 3)],
            score: [ScoreMode::Sum, ScoreMode::Average, ScoreMode::Min, ScoreMode::Max][usize::from(score % 4)],
            ignore_sample: false,
            accept_if_any_accepted: *verdict == 3,
        };
        GradedGroup {
            name: name.into(),
            parent,
            breaks: *breaks,
            grader: if *verdict == 4 { Grader::Own(Vec::new()) } else { Grader::Default(flags) },
            accept_score: 2.0,
            reject_score: 0.5,
            range: (f64::NEG_INFINITY, f64::INFINITY),
            cases,
        }
    };
    let points = Some(LegacyPoints { objective: Objective::Max, by_validator: ByValidator::Never });
    Arc::new(Grading { groups: choices.iter().enumerate().map(group).collect(), points, program: None })
}

/// In the order of judging; the case of `secret` comes before its groups.
fn tests() -> Vec<TestId> {
    [
        "sample/1",
        "secret/0",
        "secret/a/1",
        "secret/a/2",
        "secret/a/3",
        "secret/b/0",
        "secret/b/deep/1",
        "secret/b/deep/2",
    ]
    .map(TestId::from)
    .to_vec()
}

/// A grader from a package: accepts if the number of lines is even.
fn own(results: &[Grade]) -> Grade {
    Grade { verdict: if results.len().is_multiple_of(2) { AC } else { WA }, score: 7.0 }
}

/// The result of a group and the tests that were judged for it.
fn walk(grading: &Grading, at: usize, verdicts: &[Verdict], judged: &mut Vec<TestIndex>) -> Grade {
    let group = &grading.groups[at];
    let mut results: Vec<Grade> = Vec::new();
    let own_tests = tests().into_iter().enumerate().filter_map(|(n, test)| {
        let (directory, _) = test.as_str().rsplit_once('/').unwrap();
        (*directory == *group.name).then_some((n, None))
    });
    let below = (0..grading.groups.len()).filter(|below| grading.groups[*below].parent == Some(at));
    for (test, below) in own_tests.chain(below.map(|below| (0, Some(below)))) {
        let grade = if let Some(below) = below {
            walk(grading, below, verdicts, judged)
        } else {
            judged.push(TestIndex(test));
            let score = if verdicts[test] == AC { group.accept_score } else { group.reject_score };
            Grade { verdict: verdicts[test], score }
        };
        results.push(grade);
        if group.breaks && grade.verdict != AC {
            break;
        }
    }
    match &group.grader {
        Grader::Default(flags) => flags.grade(&results),
        Grader::Own(_) => own(&results),
    }
}

/// Answers every question that is open.
fn answer(board: &mut Board) {
    loop {
        let question = board.questions().next();
        let Some(question) = question else { return };
        let results: Vec<Grade> = question.results.lines().map(|_| Grade { verdict: AC, score: 0.0 }).collect();
        board.graded(question.group, Ok(own(&results)));
    }
}

proptest! {
    #[test]
    fn results_in_any_order_come_to_those_of_a_walk(
        choices in proptest::collection::vec((any::<bool>(), 0u8..5, 0u8..4), 6),
        verdicts in proptest::collection::vec(0usize..3, 8),
        order in Just((0..8usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let grading = grading(&choices);
        let tests = tests();
        let verdicts: Vec<Verdict> = verdicts.iter().map(|n| [AC, WA, TLE][*n]).collect();
        let mut judged = Vec::new();
        let expect = walk(&grading, 0, &verdicts, &mut judged);
        let mut board = Board::new(&grading, &tests);
        let mut struck: Vec<TestIndex> = Vec::new();
        for test in order {
            board.add(TestIndex(test), Mark::Judged(verdicts[test], None));
            answer(&mut board);
            // An unnecessary test stays unnecessary.
            prop_assert!(struck.iter().all(|test| board.needless(*test).is_some()));
            struck = TestIndex::each(0..tests.len()).filter(|test| board.needless(*test).is_some()).collect();
        }
        let points = board.points().unwrap();
        prop_assert_eq!(points.verdict, Some(expect.verdict));
        let score = if expect.verdict == AC { expect.score } else { 0.0 };
        prop_assert_eq!(points.score, Some(super::super::points::tidy(score)));
        let needed: Vec<TestIndex> = TestIndex::each(0..tests.len()).filter(|test| board.needless(*test).is_none()).collect();
        judged.sort_unstable();
        prop_assert_eq!(needed, judged);
    }

    #[test]
    fn in_plan_order_nothing_is_decided_too_early(
        choices in proptest::collection::vec((any::<bool>(), 0u8..5, 0u8..4), 6),
        verdicts in proptest::collection::vec(0usize..3, 8),
    ) {
        let grading = grading(&choices);
        let tests = tests();
        let verdicts: Vec<Verdict> = verdicts.iter().map(|n| [AC, WA, TLE][*n]).collect();
        let mut judged = Vec::new();
        walk(&grading, 0, &verdicts, &mut judged);
        let mut board = Board::new(&grading, &tests);
        for (test, verdict) in TestIndex::each(0..verdicts.len()).zip(&verdicts) {
            if board.is_waiting(test) {
                answer(&mut board);
            }
            prop_assert!(!board.is_waiting(test));
            prop_assert_eq!(board.needless(test).is_none(), judged.contains(&test));
            if board.needless(test).is_none() {
                board.add(test, Mark::Judged(*verdict, None));
            }
        }
    }
}

#[test]
fn a_fault_ends_the_group_and_what_it_is_in() {
    let strict = (true, 0, 0);
    let mut board = Board::new(&grading(&[strict; 6]), &tests());
    for test in TestIndex::each(0..3) {
        board.add(test, Mark::Judged(AC, None));
    }
    let [third, fourth, seventh] = [3, 4, 7].map(TestIndex);
    board.add(third, Mark::Fault);
    assert_eq!([third, fourth, seventh].map(|test| board.needless(test)), [None, Some(third), Some(third)]);
    assert!(board.points().is_err());
}

#[test]
fn what_has_no_result_is_left_out_and_gives_no_points() {
    let going_on = (false, 0, 0);
    let mut board = Board::new(&grading(&[going_on; 6]), &tests());
    for test in 0..8 {
        board.add(TestIndex(test), if test == 2 { Mark::Nothing } else { Mark::Judged(AC, None) });
    }
    let points = board.points().unwrap();
    assert_eq!((points.verdict, points.score), (Some(AC), None));
    let groups: Vec<(&str, f64)> = points.groups.iter().map(|group| (group.group.as_str(), group.score)).collect();
    assert_eq!(groups, [("sample", 2.0), ("secret/b", 6.0), ("secret/b/deep", 4.0)]);
}

#[test]
fn the_order_of_judging_is_by_name_whether_case_or_group() {
    let tests = ["secret/1", "secret/z", "secret/a/1"].map(TestId::from);
    let mut board = Board::new(&grading(&[(true, 0, 0); 6]), &tests);
    board.add(TestIndex(0), Mark::Judged(AC, None));
    board.add(TestIndex(1), Mark::Judged(TLE, None));
    board.add(TestIndex(2), Mark::Judged(WA, None));
    assert_eq!(board.points().unwrap().verdict, Some(WA));
}
