//! Decides which limits hold for one submission on one test. The order of precedence is: arguments and environment, the
//! group, the problem, `grader.toml`, the defaults. In `grader.toml`, limits of the language come before the general
//! ones.

use std::time::Duration;

use super::defaults::PUZZLE_TIME;
use super::{LanguageLimits, Origin, Settings, WallLimit};
use crate::limits::{Bytes, JudgeLimits, Limits, Overflow};
use crate::problem::{Distances, LimitOptions, OwnChecker, Problem, TestGroup};
use crate::ruleset::Ruleset;

impl Settings {
    /// The limits of a submission in `language` on the tests of `group`.
    pub fn limits_for(&self, problem: &Problem, group: &TestGroup, language: &str) -> JudgeLimits {
        self.limits_as(problem.ruleset(), problem, group, language)
    }

    /// The limits of a submission by the rules of another judge.
    pub fn limits_as(&self, ruleset: Ruleset, problem: &Problem, group: &TestGroup, language: &str) -> JudgeLimits {
        let unstated = LanguageLimits::default();
        let factor = self.time_factor_of(language);
        let language = self.languages.limits.get(language).unwrap_or(&unstated);
        let of_problem = LimitOptions { time: problem.unstated_time(ruleset), ..LimitOptions::default() };
        let of_problem = problem.limits.clone().or(&of_problem);
        let stated = self.above_problem().or(&group.limits).or(&of_problem).or(&language.limits);
        let time = scaled(stated.time.unwrap_or_else(|| self.unstated_time(problem)), factor);
        let kill_time = scaled(time, self.kill_factor(problem));
        let wall = match (stated.wall, self.wall_limit) {
            (Some(wall), _) | (None, WallLimit::Fixed(wall)) => scaled(wall, factor),
            // With a large kill factor, the CPU time may exceed twice the limit. The CPU limit must still be what stops
            // the program.
            (None, auto) => auto.for_cpu(time).max(kill_time + Duration::from_secs(1)),
        };
        let overflow = if problem.kind.is_interactive() {
            let is_stated = stated.output.is_some() || self.origins.output != Origin::Default;
            ruleset.overflow_in_conversation(is_stated)
        } else {
            ruleset.overflow()
        };
        let kill = Limits {
            cpu: kill_time,
            wall,
            memory: stated.memory.unwrap_or_else(|| self.unstated_memory(ruleset, problem)),
            output: stated.output.unwrap_or(self.output),
            overflow,
            processes: stated.processes.unwrap_or(self.processes),
        };
        let limits = JudgeLimits { time, kill };
        if self.sanitize { limits.for_sanitizers() } else { limits }
    }

    /// Ends every test at `time`, because times beyond it say nothing more: at that CPU time, and at that elapsed time
    /// unless another is stated. A program at work reaches its CPU time first, hence the twentieth.
    pub fn measure_up_to(&mut self, time: Duration) {
        self.measures = true;
        self.time_limit_to_tle = 1.0;
        if self.wall_limit == WallLimit::Auto {
            self.wall_limit = WallLimit::Fixed(time + time / 20);
        }
    }

    /// Returns the CPU time at which a submission is killed, as a multiple of its limit. By default it is late enough
    /// to check the margin that the problem requires. The configuration may say otherwise, and a command may need no
    /// margins.
    pub fn kill_factor(&self, problem: &Problem) -> f64 {
        let is_default = self.origins.time_limit_to_tle == Origin::Default;
        let wants_margins = self.time_limit_to_tle >= Distances::default().time_limit_to_tle;
        if is_default && wants_margins { problem.distances.time_limit_to_tle.max(1.0) } else { self.time_limit_to_tle }
    }

    /// Returns the time limit if nothing but `grader.toml` states one. Nobody has set a limit for a puzzle, so it gets the
    /// time that its authors promise to suffice (Advent of Code, "About").
    fn unstated_time(&self, problem: &Problem) -> Duration {
        let configured = self.origins.time_limit != Origin::Default;
        if configured || problem.checker != OwnChecker::PUZZLE { self.time_limit } else { PUZZLE_TIME }
    }

    /// Returns the memory limit if neither the problem nor the language states one: the limit in `grader.toml`, else,
    /// for a problem that was written for a judge, the default of that judge.
    fn unstated_memory(&self, ruleset: Ruleset, problem: &Problem) -> Bytes {
        let configured = self.origins.memory != Origin::Default;
        if configured || problem.judged_as.is_none() { self.memory } else { ruleset.memory() }
    }

    /// The factor for the time limits of submissions in `language`.
    pub fn time_factor_of(&self, language: &str) -> f64 {
        self.time_factor * self.languages.limits.get(language).and_then(|limits| limits.time_factor).unwrap_or(1.0)
    }

    /// Returns whether the time limit on the tests of `group` is known. It is unknown if it follows from submissions
    /// that are not yet measured.
    pub fn knows_time_limit(&self, problem: &Problem, group: &TestGroup) -> bool {
        let stated = self.above_problem().time.or(group.limits.time).or(problem.limits.time);
        problem.timing.is_none() || stated.or(problem.unstated_time(problem.ruleset())).is_some()
    }

    /// The limits of compilers.
    pub fn compile_limits(&self) -> Limits {
        Limits {
            cpu: self.compile_time_limit,
            wall: self.compile_wall_limit.for_cpu(self.compile_time_limit),
            memory: self.compile_memory,
            output: self.compile_output,
            overflow: Overflow::Kill,
            processes: self.compile_processes,
        }
    }

    /// The limits of validators, interactors and generators.
    pub fn validation_limits(&self) -> Limits {
        self.as_built(self.stated_validation_limits())
    }

    /// These limits, raised if programs are built with sanitizers.
    fn as_built(&self, limits: Limits) -> Limits {
        if self.sanitize { limits.for_sanitizers() } else { limits }
    }

    fn stated_validation_limits(&self) -> Limits {
        Limits {
            cpu: self.validation_time_limit,
            wall: self.validation_wall_limit.for_cpu(self.validation_time_limit),
            memory: self.validation_memory,
            output: self.validation_output,
            overflow: Overflow::Kill,
            processes: self.validation_processes,
        }
    }

    /// The limits for each execution of a problem's output validator.
    pub fn output_validation_limits(&self, problem: &Problem) -> Limits {
        let general = self.stated_validation_limits();
        let LimitOptions { time, memory, output, .. } = problem.validation;
        let cpu = time.filter(|_| !self.origins.validation_time_limit.outranks_problem()).unwrap_or(general.cpu);
        self.as_built(Limits {
            cpu,
            wall: self.validation_wall_limit.for_cpu(cpu),
            memory: memory.filter(|_| !self.origins.validation_memory.outranks_problem()).unwrap_or(general.memory),
            output: output.filter(|_| !self.origins.validation_output.outranks_problem()).unwrap_or(general.output),
            ..general
        })
    }

    /// The limits that arguments and environment set.
    fn above_problem(&self) -> LimitOptions {
        let origins = &self.origins;
        let wall = match self.wall_limit {
            WallLimit::Fixed(wall) => Some(wall),
            WallLimit::Auto => None,
        };
        LimitOptions {
            time: origins.time_limit.outranks_problem().then_some(self.time_limit),
            wall: wall.filter(|_| origins.wall_limit.outranks_problem()),
            memory: origins.memory.outranks_problem().then_some(self.memory),
            output: origins.output.outranks_problem().then_some(self.output),
            processes: origins.processes.outranks_problem().then_some(self.processes),
        }
    }
}

/// `time` × `factor`, rounded to microseconds so that 1 s × 1.1 is 1.1 s. Returns a very large time if the product does
/// not fit.
fn scaled(time: Duration, factor: f64) -> Duration {
    let micros = (time.as_secs_f64() * factor * 1e6).round();
    Duration::try_from_secs_f64(micros / 1e6).unwrap_or(Duration::MAX / 4)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::super::{Options, Sources, load};
    use super::*;
    use crate::problem::PackageLayout;

    fn problem(limits: LimitOptions) -> Problem {
        Problem { limits, ..Problem::empty("p".into(), "p".into(), PackageLayout::Native) }
    }

    fn group(limits: LimitOptions) -> TestGroup {
        TestGroup { limits, ..TestGroup::empty("", "".into()) }
    }

    fn group_without_limits() -> TestGroup {
        group(LimitOptions::default())
    }

    fn seconds(time: f64) -> LimitOptions {
        LimitOptions { time: Some(Duration::from_secs_f64(time)), ..LimitOptions::default() }
    }

    /// Merges the settings of a file, an environment and arguments.
    fn settings(file: &str, environment: &[(&str, &str)], arguments: Options) -> Settings {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("grader.toml"), file).unwrap();
        let environment = environment.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let start = dir.path().to_owned();
        load(Sources { start, environment: environment.collect(), arguments, ..Sources::default() }).unwrap()
    }

    fn limits(settings: &Settings, problem_limits: LimitOptions, group_limits: LimitOptions) -> JudgeLimits {
        settings.limits_for(&problem(problem_limits), &group(group_limits), "java")
    }

    #[test]
    fn nothing_stated_is_the_table() {
        let limits = limits(&settings("", &[], Options::default()), LimitOptions::default(), LimitOptions::default());
        let expect = JudgeLimits {
            time: Duration::from_secs(2),
            kill: Limits {
                cpu: Duration::from_secs(3),
                wall: Duration::from_secs(5),
                memory: Bytes::mib(1024),
                output: Bytes::mib(8),
                overflow: Overflow::Kill,
                processes: 64,
            },
        };
        assert_eq!(limits, expect);
        assert_eq!(limits.kill.cpu, Duration::from_secs(3));
        let settings = settings("", &[], Options::default());
        assert_eq!(settings.compile_limits().wall, Duration::from_secs(121));
        assert_eq!(settings.validation_limits().processes, 64);
    }

    #[test]
    fn a_measurement_ends_at_its_time() {
        let time = Duration::from_secs(3);
        let mut settings = settings("", &[], Options { time_limit: Some(time), ..Options::default() });
        settings.measure_up_to(time);
        let limits = limits(&settings, seconds(1.0), LimitOptions::default()).kill;
        assert_eq!(limits.cpu, time);
        assert_eq!(limits.wall, Duration::from_millis(3150), "for a program that waits");
    }

    #[test]
    fn each_layer_yields_to_the_one_above() {
        let file = "[limits]\ntime_limit = 3\n";
        let argument = Options { time_limit: Some(Duration::from_secs(7)), ..Options::default() };
        let environment = [("GRADER_LIMITS_TIME_LIMIT", "6")];
        let none = LimitOptions::default;
        let check = |settings: &Settings, problem, group, expect: u64| {
            assert_eq!(limits(settings, problem, group).time, Duration::from_secs(expect));
        };
        check(&settings(file, &[], Options::default()), none(), none(), 3);
        check(&settings(file, &[], Options::default()), seconds(4.0), none(), 4);
        check(&settings(file, &[], Options::default()), seconds(4.0), seconds(5.0), 5);
        check(&settings(file, &environment, Options::default()), seconds(4.0), seconds(5.0), 6);
        check(&settings(file, &environment, argument), seconds(4.0), seconds(5.0), 7);
    }

    #[test]
    fn factors_multiply_every_time() {
        let file =
            "time_factor = 2\ntime_limit_to_tle = 1.1\n[language.java]\ntime_factor = 1.5\nlimits.memory = 2048\n";
        let settings = settings(file, &[], Options::default());
        let java = limits(&settings, seconds(1.0), LimitOptions::default());
        assert_eq!((java.time, java.kill.cpu), (Duration::from_secs(3), Duration::from_millis(3300)));
        assert_eq!((java.kill.wall, java.kill.memory), (Duration::from_secs(7), Bytes::mib(2048)));
        let stated = LimitOptions { memory: Some(Bytes::mib(256)), ..LimitOptions::default() };
        assert_eq!(limits(&settings, stated, LimitOptions::default()).kill.memory, Bytes::mib(256));
        let cpp = settings.limits_for(&problem(seconds(1.0)), &group_without_limits(), "cpp");
        assert_eq!((cpp.time, cpp.kill.memory), (Duration::from_secs(2), Bytes::mib(1024)));
    }

    #[test]
    fn a_language_has_limits_of_its_own_where_the_problem_states_none() {
        let file = "[limits]\noutput = 4\n[language.java.limits]\ntime_limit = 4\nwall_limit = 30\nmemory = 2048\n\
                    output = 16\nprocesses = 200\n";
        let settings = settings(file, &[], Options::default());
        let expect = JudgeLimits {
            time: Duration::from_secs(4),
            kill: Limits {
                cpu: Duration::from_secs(6),
                wall: Duration::from_secs(30),
                memory: Bytes::mib(2048),
                output: Bytes::mib(16),
                overflow: Overflow::Kill,
                processes: 200,
            },
        };
        assert_eq!(limits(&settings, LimitOptions::default(), LimitOptions::default()), expect);
        let group = LimitOptions { processes: Some(3), ..LimitOptions::default() };
        let expect = JudgeLimits {
            time: Duration::from_secs(1),
            kill: Limits { cpu: Duration::from_millis(1500), processes: 3, ..expect.kill },
        };
        assert_eq!(limits(&settings, seconds(1.0), group), expect);
        let cpp = settings.limits_for(&problem(LimitOptions::default()), &group_without_limits(), "cpp");
        assert_eq!((cpp.kill.output, cpp.kill.processes), (Bytes::mib(4), 64));
    }

    #[test]
    fn the_wall_is_never_below_the_kill_point_unless_stated() {
        let generous = settings("time_limit_to_tle = 10\n", &[], Options::default());
        assert_eq!(limits(&generous, seconds(1.0), LimitOptions::default()).kill.wall, Duration::from_secs(11));
        let stated = settings("[limits]\nwall_limit = 1.5\n", &[], Options::default());
        assert_eq!(limits(&stated, seconds(1.0), LimitOptions::default()).kill.wall, Duration::from_millis(1500));
    }

    #[test]
    fn the_largest_values_do_not_overflow() {
        let file = "time_factor = 1000\ntime_limit_to_tle = 1000\n[limits]\ntime_limit = 1e6\n";
        let limits = limits(&settings(file, &[], Options::default()), LimitOptions::default(), LimitOptions::default());
        assert_eq!(limits.kill.cpu, Duration::from_secs(1_000_000_000_000));
        assert!(limits.kill.wall > limits.kill.cpu);
    }
}
