//! The built-in defaults: the value of every setting that no layer states.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::choice::{ColorChoice, IsolationChoice, Jobs, JudgeChoice, ProtocolChoice, WallLimit};
use super::course::LateRule;
use super::settings::Values;
use crate::course::{AttemptChoice, FilePoints, Missing};
use crate::limits::Bytes;
use crate::problem::Checker;
use crate::report::diff::DiffStyle;
use crate::similarity::DEFAULT_THRESHOLD;

/// The time limit of puzzles without a stated one.
pub(super) const PUZZLE_TIME: Duration = Duration::from_secs(15);

/// The default of every setting. Their units are in the table of `settings`.
pub(super) fn defaults() -> Values {
    Values {
        problems: vec!["problems".into()],
        testcases: "testcases".into(),
        store: ".grader".into(),
        keep_runs: 1000,
        jobs: Jobs::Auto,
        isolation: IsolationChoice::Auto,
        color: ColorChoice::Auto,
        diff: DiffStyle::Auto,
        context: 3,
        report_failures: 3,
        strict: false,
        cache: true,
        checker: Checker::default(),
        validator_protocol: ProtocolChoice::Auto,
        testlib: PathBuf::new(),
        testset: String::new(),
        judge: JudgeChoice::Auto,
        repeat: 1,
        all_tests: false,
        time_factor: 1.0,
        time_limit_to_tle: 1.5,
        partial: false,
        weights: BTreeMap::new(),
        attempts: AttemptChoice::Last,
        missing: Missing::Blank,
        points: FilePoints::Platform,
        deadline: String::new(),
        late: LateRule::default(),
        exercises: BTreeMap::new(),
        ignore: Vec::new(),
        members: String::new(),
        overrides: PathBuf::new(),
        similar: DEFAULT_THRESHOLD,
        similar_to: Vec::new(),
        given: Vec::new(),

        time_limit: Duration::from_secs(2),
        wall_limit: WallLimit::Auto,
        memory: Bytes::mib(1024),
        output: Bytes::mib(8),
        processes: 64,

        compile_time_limit: Duration::from_secs(60),
        compile_wall_limit: WallLimit::Auto,
        compile_memory: Bytes::mib(2048),
        compile_output: Bytes::mib(64),
        compile_processes: 128,

        validation_time_limit: Duration::from_secs(60),
        validation_wall_limit: WallLimit::Auto,
        validation_memory: Bytes::mib(2048),
        validation_output: Bytes::mib(64),
        validation_processes: 64,
    }
}
