//! Tests interactors and multi-pass validators with partners that misbehave. Whatever the partner does, and however it
//! ends, the validator must accept or reject.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::engine::bench::{Bench, Case};
use crate::judge::Response;
use crate::limits::{JudgeLimits, Limits};
use crate::problem::{Problem, WorkFiles};
use crate::ruleset::Ruleset;
use crate::verify::bad_data::{Base, Crashes, Round, Trials, bases};
use crate::verify::judges::{ValidatorsResult, case_of, shown};
use crate::verify::partner::{TEXT, partners, speakers};
use crate::verify::problem_findings::TryKind;

/// The limits of a partner that sleeps or never ends. The validator gets its own limits plus this time.
const PATIENCE: Duration = Duration::from_millis(500);
/// The number of cases that each partner is tested on.
const CASES: usize = 2;

/// Runs the output validator of an interactive or multi-pass problem with every partner.
pub(crate) fn check(trials: &mut Trials<'_, '_>) -> Result<()> {
    let Trials { bench, results, problem, judges, sound, pace } = trials;
    // The runner of unit tests is grader's own.
    if !judges.leads(problem) || problem.unit_tests().is_some() {
        return Ok(());
    }
    let bases = bases(problem, sound, |group, case| Some(group.input_of(case)), |sound| sound.input);
    let talks = problem.kind.is_interactive();
    let (kind, all) = if talks { (TryKind::Partners, partners()) } else { (TryKind::Junk, speakers()) };
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let text = dir.path().join(TEXT);
    let mut round = Round::new(pace, kind, "partners", all.len());
    let mut crashes = Crashes::default();
    'partners: for partner in &all {
        if !round.goes_on() {
            break;
        }
        // Create a new file each time, because files are also recognised by time and size. The first time, there is
        // none to remove. A file that cannot be removed is overwritten.
        let _ = fs::remove_file(&text);
        fs::write(&text, &partner.text).context("cannot write the output of a partner")?;
        round.tries.tried += 1;
        for base in bases.iter().take(CASES) {
            let case = case(bench, problem, base, &text);
            match shown(judges.probe(bench, &case, partner.script, &text).map(|()| Response::Accepts))? {
                ValidatorsResult::Responded(_) => {}
                ValidatorsResult::GivenUp => break 'partners,
                ValidatorsResult::Fails(fault) => {
                    crashes.add(partner.name, base, &fault);
                    round.tries.odd.push((partner.name, base.id.to_string()));
                    break;
                }
            }
        }
    }
    round.finish(results);
    crashes.tell(results, problem.output_judges().next());
    Ok(())
}

fn case(bench: &Bench<'_>, problem: &Arc<Problem>, base: &Base<'_>, text: &Path) -> Case {
    let case = case_of(bench, problem, base.input.clone(), base.answer.clone());
    let limits = JudgeLimits { time: PATIENCE, kill: Limits { cpu: PATIENCE, wall: PATIENCE, ..case.limits.kill } };
    // By DOMjudge's rules, a protocol violation of the validator is reported even if the partner ended first.
    Case { limits, ruleset: Ruleset::Domjudge, work: WorkFiles::of(vec![(TEXT.into(), text.to_owned())]), ..case }
}
