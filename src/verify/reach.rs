//! Finds the bounds and features of input validators that no case reaches, from the logs that the validators write.

use std::path::PathBuf;

use anyhow::Result;

use crate::engine::bench::Bench;
use crate::problem::Problem;
use crate::verify::bounds::{BoundsLog, Reached, merged};
use crate::verify::cases::Sound;
use crate::verify::judges::Judges;
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::steps::Steps;
use crate::verify::validators::InputValidator;
use crate::verify::{Code, Finding};
use crate::workspace::ending::fault;

/// Asks the input validators which bounds the valid cases reach, and reports those that none reaches.
pub(crate) fn check(
    bench: &mut Bench<'_>,
    results: &mut ProblemFindings,
    problem: &Problem,
    judges: &Judges,
    sound: &[Sound],
    steps: &Steps,
) -> Result<()> {
    let valid = sound.iter().filter(|sound| sound.input).count();
    for validator in judges.inputs() {
        let Some(option) = validator.bounds_option() else { continue };
        steps.step("bounds", valid);
        let mut logs = Vec::new();
        for (group, case) in problem.cases().zip(sound).filter(|(_, sound)| sound.input).map(|(case, _)| case) {
            let input = group.case_input(case);
            let (arguments, files) = (input.setting.arguments, &input.setting.work.files);
            let log = validator.bounds_log(bench, option, arguments, files, &input.path);
            if let Some(log) = log.map_err(|error| fault(error.to_string()))? {
                logs.push((validator.arguments(Some(arguments)), log));
            }
            steps.done();
        }
        if logs.is_empty() {
            // A validator that ignores the option, such as one with `registerValidation()` without arguments.
            continue;
        }
        let reached =
            Reached { validator: validator.name().to_owned(), log: merged(&logs), silent: valid - logs.len() };
        report(results, validator, &reached.log);
        results.reached.push(reached);
    }
    Ok(())
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
