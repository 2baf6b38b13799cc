//! Makes programs with testlib's own protocol usable where judges know only that of the package format: scripts that
//! build them, call them with the arguments of testlib, and translate their exit codes.

use std::path::Path;

use super::ExportError;
use super::draft::Draft;
use super::judge_files::{BUILD, JudgeFiles, judge_files};
use super::listing::unicode;
use super::placed::report_name;
use super::subject::Subject;
use crate::problem::{PointsUnit, Program};

/// The sources in C++.
const CPP: [&str; 5] = ["cpp", "cc", "cxx", "c++", "C"];

/// The role of a program, which decides its arguments.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role<'p> {
    InputValidator,
    Checker(PointsUnit),
    /// It talks to the submission; a checker may judge what it wrote.
    Interactor(Option<&'p Program>, PointsUnit),
}

/// Writes a program with testlib's protocol and its scripts into the directory `to`. Reports a language without such scripts.
pub(super) fn wrap(
    subject: &Subject<'_>,
    draft: &mut Draft,
    (program, role): (&Program, Role<'_>),
    to: &str,
) -> Result<(), ExportError> {
    // The script `run` calls the program.
    let mut build = BUILD.to_owned();
    let mut add = |draft: &mut Draft, program: &Program, name: &str| -> Result<Option<String>, ExportError> {
        let JudgeFiles { files, main } = judge_files(subject, draft, program);
        for (name, from) in &files {
            report_name(draft, unicode(name)?);
            draft.source(&format!("{to}/{}", unicode(name)?), from, &subject.problem.additions.constants)?;
        }
        let main = unicode(&main)?.to_owned();
        let ending = Path::new(&main).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        // The author chooses the name.
        let source = shlex::try_quote(&main).unwrap_or_default();
        if CPP.contains(&ending) {
            build += "c++ -O2 -std=gnu++20 -I. -o ";
            build += &[name, " ", &source, "\n"].concat();
            return Ok(Some(format!("\"$here/{name}\"")));
        }
        if ending == "py" {
            return Ok(Some(format!("python3 \"$here\"/{source}")));
        }
        draft.lose(to, format!("{main} uses the protocol of testlib, and is neither C++ nor Python"));
        Ok(None)
    };
    let run = match role {
        Role::InputValidator => add(draft, program, "validator")?.map(|call| input_validator(&call)),
        Role::Checker(unit) => add(draft, program, "checker")?.map(|call| checker(&call, subject, unit)),
        Role::Interactor(judge, unit) => {
            let talk = add(draft, program, "interactor")?;
            let judge = judge.map(|judge| add(draft, judge, "checker")).transpose()?;
            match (talk, judge) {
                (Some(talk), None) => Some(interactor(&talk, None, subject, unit)),
                (Some(talk), Some(Some(judge))) => Some(interactor(&talk, Some(&judge), subject, unit)),
                (None, _) | (_, Some(None)) => None,
            }
        }
    };
    if let Some(run) = run {
        draft.script(&format!("{to}/build"), build);
        draft.script(&format!("{to}/run"), run);
    }
    Ok(())
}

const HEAD: &str =
    "#!/bin/sh\n# Calls a program of testlib by the protocol of the problem package format.\nhere=$(dirname \"$0\")\n";

fn input_validator(call: &str) -> String {
    format!("{HEAD}{call} \"$@\" && exit 42\nexit 43\n")
}

fn checker(call: &str, subject: &Subject<'_>, unit: PointsUnit) -> String {
    format!(
        "{HEAD}output=\"$3/testlib_output\"\ncat > \"$output\" || exit 1\n{call} \"$1\" \"$output\" \"$2\" 2> \
         \"$3/judgemessage.txt\"\ncode=$?\nrm -f \"$output\"\n{}",
        translation(subject, unit)
    )
}

fn interactor(talk: &str, judge: Option<&str>, subject: &Subject<'_>, unit: PointsUnit) -> String {
    let judged = judge.map(|judge| {
        format!(
            "if [ $code -eq 0 ]; then\n    {judge} \"$1\" \"$3/testlib_tout\" \"$2\" 2> \"$3/judgemessage.txt\" > \
             /dev/null\n    code=$?\nfi\n"
        )
    });
    format!(
        "{HEAD}{talk} \"$1\" \"$3/testlib_tout\" \"$2\" 2> \"$3/judgemessage.txt\"\ncode=$?\n{}rm -f \
         \"$3/testlib_tout\"\n{}",
        judged.unwrap_or_default(),
        translation(subject, unit)
    )
}

/// The exit codes of testlib (`testlib.h`, `TResult`) as those of the package format.
fn translation(subject: &Subject<'_>, unit: PointsUnit) -> String {
    let points = if subject.problem.scoring.is_none() {
        // Without points, a share of them is a rejection.
        "    exit 43"
    } else {
        match unit {
            PointsUnit::Points => {
                "    sed -n 's/^points \\([0-9.]*\\).*/\\1/p' \"$3/judgemessage.txt\" | head -n 1 > \
                 \"$3/score.txt\"\n    exit 42"
            }
            PointsUnit::Percent => {
                "    awk '/^points / { print $2 / 100; exit }' \"$3/judgemessage.txt\" > \
                 \"$3/score_multiplier.txt\"\n    exit 42"
            }
        }
    };
    format!(
        "case $code in\n0)\n    exit 42 ;;\n1 | 2 | 4 | 8)\n    exit 43 ;;\n7)\n{points} ;;\n*)\n    exit 1 ;;\nesac\n"
    )
}
