//! Finds the bounds and features of input validators that no case reaches, from the logs that the validators write.

use std::path::PathBuf;

use anyhow::Result;

use crate::engine::bench::Bench;
use crate::problem::{Problem, TestCase, TestGroup};
use crate::session::slot::by_hand;
use crate::statement::stated_bounds;
use crate::strength::bounds::{BoundEntry, BoundsLog, StatementBound, ValidatorBounds, merged};
use crate::strength::page::BoundRow;
use crate::verify::cases::Sound;
use crate::verify::judges::Judges;
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::steps::Steps;
use crate::verify::validators::{InputValidator, build_input_validators};
use crate::verify::{Code, Finding};
use crate::workspace::Workspace;
use crate::workspace::ending::fault;
use crate::workspace::listener::Silent;

/// Reports the bounds of the input validators that no valid case reaches.
pub(crate) fn check(
    bench: &mut Bench<'_>,
    results: &mut ProblemFindings,
    problem: &Problem,
    judges: &Judges,
    sound: &[Sound],
    steps: &Steps,
) -> Result<()> {
    let (statement, stated) = stated_bounds(problem).unzip();
    let valid = sound.iter().filter(|sound| sound.input).count();
    for validator in judges.inputs().iter().filter(|validator| validator.bounds_option().is_some()) {
        steps.step("bounds", valid);
        let cases = problem.cases().zip(sound).filter(|(_, sound)| sound.input).map(|(case, _)| case);
        let stated = stated.clone().unwrap_or_default();
        if let Some(reached) = reached(bench, validator, cases, stated, || steps.done())? {
            report(results, validator, &reached.log);
            for message in reached.differing() {
                let finding = Finding::new(Code::StatementBoundDiffers, message).at_any(statement.clone());
                results.report(finding.remedy("correct the statement or the validator"));
            }
            results.reached.push(reached);
        }
    }
    Ok(())
}

/// The bounds of a problem side by side: those of its statement, of its input validators and of its cases.
pub(crate) struct Constraints {
    stated: Vec<StatementBound>,
    pub(crate) reached: Vec<ValidatorBounds>,
}

impl Constraints {
    /// The bounds of a problem, whose validators run on all of its cases.
    ///
    /// # Errors
    /// A validator cannot be built, or the sandbox fails.
    pub(crate) fn of(workspace: &Workspace, problem: &Problem) -> Result<Self> {
        let stated = stated_bounds(problem).map(|(_, stated)| stated).unwrap_or_default();
        if problem.input_validators.is_empty() {
            return Ok(Self { stated, reached: Vec::new() });
        }
        let all = by_hand(workspace, [&*problem.dir], |bench| {
            let mut all = Vec::new();
            for validator in build_input_validators(bench, problem, &Silent)? {
                all.extend(reached(bench, &validator, problem.cases(), stated.clone(), || {})?);
            }
            Ok(all)
        });
        Ok(Self { stated, reached: all? })
    }

    /// A row for each variable. Those of the statement alone come last.
    pub(crate) fn rows(&self) -> Vec<BoundRow> {
        let entries: Vec<BoundEntry> = self.reached.iter().flat_map(ValidatorBounds::entries).collect();
        let is_alone = |stated: &&StatementBound| !self.reached.iter().any(|reached| reached.declares(stated));
        entries.iter().map(BoundRow::of).chain(self.stated.iter().filter(is_alone).map(BoundRow::of_stated)).collect()
    }
}

/// The bounds that valid cases reach, as a validator reports them. None if it reports none: it has no option for that, or
/// ignores the option, such as one with `registerValidation()` without arguments. `stated`: the bounds of the statement.
pub(crate) fn reached<'p>(
    bench: &mut Bench<'_>,
    validator: &InputValidator,
    cases: impl Iterator<Item = (&'p TestGroup, &'p TestCase)>,
    stated: Vec<StatementBound>,
    done: impl Fn(),
) -> Result<Option<ValidatorBounds>> {
    let Some(option) = validator.bounds_option() else { return Ok(None) };
    let mut logs = Vec::new();
    let mut silent = 0;
    for (group, case) in cases {
        let input = group.case_input(case);
        let arguments = input.setting.arguments;
        let files = &input.setting.work.files;
        let log = validator.bounds_log(bench, option, arguments, files, &input.path);
        match log.map_err(|error| fault(error.to_string()))? {
            Some(log) => logs.push((validator.arguments(Some(arguments)), log)),
            None => silent += 1,
        }
        done();
    }
    let reached = ValidatorBounds { validator: validator.name().to_owned(), log: merged(&logs), silent, stated };
    Ok((!logs.is_empty()).then_some(reached))
}

fn report(results: &mut ProblemFindings, validator: &InputValidator, log: &BoundsLog) {
    let path = || validator.path().map(PathBuf::from);
    for bound in &log.bounds {
        if let Some(message) = bound.unreached() {
            let finding = Finding::new(Code::BoundNotReached, message).at_any(path());
            results.report(finding.remedy("add a case that reaches it, or correct the bound"));
        }
    }
    for feature in log.features.iter().filter(|feature| !feature.hit) {
        let finding = Finding::new(Code::FeatureNotHit, format!("no case has the feature `{}`", feature.feature));
        results.report(finding.at_any(path()).remedy("add a case that has it"));
    }
}
