//! Groups students who failed in the same way: on the same test, with the same verdict and the same output.

use std::collections::BTreeMap;

use super::super::failure::clean;
use super::super::file_diff::{read, with};
use super::super::text::first_of;
use crate::event::{BuildResult, SubmissionIndex, TestResult};
use crate::problem::ProblemId;
use crate::record::FinishedSubmission;

/// The most clusters of one problem on a page.
const MOST: usize = 30;
/// The most students named in one cluster.
const NAMED: usize = 60;
/// The part of an output that is compared, in bytes.
const COMPARED: u64 = 64 * 1024;

/// A way to fail, which several submissions may share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    test: String,
    result: &'static str,
    /// The digest of the output: outputs are large, and there may be thousands.
    output: [u8; 32],
}

/// The failures of a class by problem.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    ways: BTreeMap<ProblemId, BTreeMap<Way, Members>>,
}

/// The submissions that fail in one way.
#[derive(Debug)]
struct Members {
    /// The position of the first in the run; the page explains it.
    first: SubmissionIndex,
    why: String,
    students: Vec<String>,
    /// The number of submissions; one may be of several students.
    submissions: usize,
}

/// Several students who failed in the same way.
#[derive(Debug)]
pub(super) struct Cluster {
    /// The first failing test; empty for a compile error.
    pub(super) test: String,
    pub(super) result: &'static str,
    pub(super) why: String,
    /// The position of a submission that the page explains.
    pub(super) first: SubmissionIndex,
    pub(super) count: usize,
    pub(super) students: String,
}

impl Clusters {
    /// Adds a submission if it failed.
    pub(super) fn add(&mut self, of: &FinishedSubmission<'_>) {
        let Some((way, why)) = way(of) else { return };
        let student = of.submission.head.student.as_deref().unwrap_or(of.submission.id.submission.as_str());
        let student = clean(&of.head.called(student));
        let ways = self.ways.entry(of.submission.id.problem.clone()).or_default();
        let first = of.submission.id.index;
        let members = ways.entry(way).or_insert_with(|| Members { first, why, students: Vec::new(), submissions: 0 });
        members.students.push(student);
        members.submissions += usize::from(of.submission.head.is_of_first_author());
    }

    /// The ways in which at least two submissions to a problem fail, the most frequent first.
    pub(super) fn of(&self, problem: &ProblemId) -> Vec<Cluster> {
        let several = self.ways.get(problem).into_iter().flatten().filter(|(_, members)| members.submissions > 1);
        let mut clusters: Vec<Cluster> = several.map(|(way, members)| cluster(way, members)).collect();
        clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.count));
        clusters.truncate(MOST);
        clusters
    }
}

fn cluster(way: &Way, members: &Members) -> Cluster {
    Cluster {
        test: clean(&way.test),
        result: way.result,
        why: members.why.clone(),
        first: members.first,
        count: members.students.len(),
        students: first_of(members.students.iter(), NAMED),
    }
}

/// How a submission failed, and why in words. None if it did not.
fn way(of: &FinishedSubmission<'_>) -> Option<(Way, String)> {
    if let Some(BuildResult::CompileError { message }) = &of.submission.built {
        // `error: …`, and `SyntaxError: …` below the place and the line.
        let is_error = |line: &&str| line.contains("error") || line.contains("Error");
        let error = message.lines().find(is_error).or(message.lines().next()).unwrap_or_default();
        // Places and names of files differ where the mistake is the same.
        let what = error.rsplit_once("rror").map_or(error, |(_, what)| what);
        let way = Way { test: String::new(), result: "CE", output: digest(what.as_bytes()) };
        return Some((way, clean(error)));
    }
    let failure = of.submission.failure()?;
    let TestResult::Judged(judgement) = &failure.result else { return None };
    let reason = judgement.reason.without_figures();
    let kept = judgement.files.as_deref().and_then(|stem| read(&with(stem, "out"), 0, COMPARED).ok());
    // Without a kept output, the reason without its figures is the most that is known.
    let output = digest(&kept.unwrap_or_else(|| reason.clone().into_bytes()));
    let test = failure.test.test.to_string();
    Some((Way { test, result: judgement.verdict.code(), output }, clean(&reason)))
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}
