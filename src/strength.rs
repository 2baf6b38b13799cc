//! How strong the test cases of a problem are, as `mutation` has found: the fate of each mutant of its accepted submissions,
//! and the figures that follow from it.

pub(crate) mod bounds;
mod interval;
pub(crate) mod page;
pub(crate) mod parts;

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::problem::{Problem, Test};
use crate::shard::Shard;
use crate::store::{Digest, Key};
use crate::verdict::Verdict;
use bounds::BoundEntry;
use interval::wilson;

/// The result for one problem. The store keeps it, and `--format json` prints it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Strength {
    pub(crate) problem: String,
    pub(crate) seed: u64,
    /// The part of the mutants, if only a part was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<Shard>,
    /// The content of the cases, the accepted submissions and the judges, as a digest.
    pub(crate) suite: String,
    /// The version of the operators.
    pub(crate) operators: String,
    /// The accepted submissions that were mutated.
    pub(crate) programs: Vec<ProgramFacts>,
    /// The accepted submissions that were not, and why.
    pub(crate) not_mutated: Vec<(String, String)>,
    /// The number of all mutants. Only the first of them are in `mutants`.
    pub(crate) possible: usize,
    /// The mutants that were tried, in this order.
    pub(crate) mutants: Vec<MutantResult>,
    /// The use of each case, in the order of the cases.
    pub(crate) cases: Vec<CaseUse>,
    /// The bounds of the input validators, and which of them the cases reach.
    #[serde(default)]
    pub(crate) bounds: Vec<BoundEntry>,
    /// Why the survivors were not compared on any input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unexamined: Option<String>,
    /// Whether every case ran on every mutant.
    pub(crate) all_tests: bool,
    /// Whether output validators give points, which are not compared.
    #[serde(default)]
    pub(crate) ignores_points: bool,
    pub(crate) seconds: f64,
}

/// A submission that was mutated.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ProgramFacts {
    pub(crate) submission: String,
    pub(crate) language: String,
    /// The number of its mutants.
    pub(crate) mutants: usize,
}

/// One mutant that was tried.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct MutantResult {
    /// The original.
    pub(crate) submission: String,
    pub(crate) file: PathBuf,
    /// From 1.
    pub(crate) line: usize,
    pub(crate) operator: String,
    /// The mistake in words.
    pub(crate) explanation: String,
    /// The lines of the original that differ.
    pub(crate) before: String,
    /// The same lines in the mutant.
    pub(crate) after: String,
    /// Whether it was meant to be slower, not wrong.
    pub(crate) slow: bool,
    #[serde(flatten)]
    pub(crate) fate: Fate,
}

/// The fate of a mutant.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub(crate) enum Fate {
    /// A case distinguishes it from the original.
    Killed {
        /// The first case that it failed.
        case: String,
        verdict: Verdict,
        /// The positions of the cases that it failed, as far as they ran.
        by: Vec<usize>,
        /// The positions of the cases that did not run although every case should: it was over the time limit on
        /// several before, or the time ended.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        not_run: Vec<usize>,
    },
    /// No case distinguishes it from the original.
    Survived {
        /// An input that does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<FoundInput>,
        /// The number of inputs that were tried.
        inputs: u64,
    },
    /// No case and none of the tried inputs distinguishes it from the original.
    Equivalent {
        /// The number of inputs that were tried.
        inputs: u64,
    },
    /// It does not compile.
    NotBuilt,
    /// It could not be judged.
    NotJudged { reason: String },
}

/// An input that distinguishes a mutant from its original.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FoundInput {
    /// The verdict of the mutant on it.
    pub(crate) verdict: Verdict,
    /// Where it comes from: a command, or a change of a case.
    pub(crate) from: String,
    /// The input itself; empty if it is large.
    #[serde(default, with = "kept_input", skip_serializing_if = "is_large")]
    pub(crate) bytes: Vec<u8>,
    /// The file in which it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<PathBuf>,
    /// How many bytes it has.
    pub(crate) size: usize,
}

/// Larger inputs are in their files only.
const LARGEST: usize = 64 << 10;

#[expect(clippy::ptr_arg, reason = "serde passes the field")]
fn is_large(bytes: &Vec<u8>) -> bool {
    bytes.len() > LARGEST
}

/// An input as a string, or as a list of bytes if it is not UTF-8.
mod kept_input {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TextOrBytes {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(super) fn serialize<S: Serializer>(bytes: &Vec<u8>, to: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(bytes) {
            Ok(text) => to.serialize_str(text),
            Err(_) => bytes.serialize(to),
        }
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
        Ok(match TextOrBytes::deserialize(from)? {
            TextOrBytes::Text(text) => text.into_bytes(),
            TextOrBytes::Bytes(bytes) => bytes,
        })
    }
}

/// The mutants that a case has killed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CaseUse {
    pub(crate) case: String,
    pub(crate) group: String,
    pub(crate) is_sample: bool,
    /// The mutants that failed it. Unless every case ran, only those that failed no earlier one.
    pub(crate) kills: usize,
    /// The killed mutants on which it did not run although every case should.
    #[serde(default)]
    pub(crate) not_run: usize,
}

/// Programs with one label, judged on the cases.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct LabelledPool {
    /// Whether the cases should accept them.
    pub(crate) should_pass: bool,
    pub(crate) judged: usize,
    pub(crate) as_labelled: usize,
    /// The number of programs that do not compile. They say nothing about the cases.
    pub(crate) not_built: usize,
    /// The programs that were not judged, each with the reason.
    pub(crate) not_judged: Vec<(String, String)>,
    /// The programs that were judged against their label.
    pub(crate) against: Vec<Against>,
}

/// A program that was judged against its label.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Against {
    pub(crate) program: String,
    pub(crate) verdict: Option<Verdict>,
    /// The case that it fails.
    pub(crate) test: Option<String>,
}

impl LabelledPool {
    /// The share that was judged as labelled, 0 to 1, and the ends of its interval at 95 %. None if nothing was judged.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
    pub(crate) fn rate(&self) -> Option<(f64, (f64, f64))> {
        Some((self.as_labelled as f64 / self.judged as f64, wilson(self.as_labelled, self.judged)?))
    }
}

/// The number of mutants by fate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Figures {
    pub(crate) killed: usize,
    pub(crate) survived: usize,
    pub(crate) equivalent: usize,
    pub(crate) not_built: usize,
    pub(crate) not_judged: usize,
    /// The mutants that samples kill.
    pub(crate) killed_by_samples: usize,
}

impl Strength {
    pub(crate) fn figures(&self) -> Figures {
        let mut figures = Figures::default();
        for mutant in &self.mutants {
            match &mutant.fate {
                Fate::Killed { by, .. } => {
                    figures.killed += 1;
                    figures.killed_by_samples += usize::from(by.iter().any(|case| self.cases[*case].is_sample));
                }
                Fate::Survived { .. } => figures.survived += 1,
                Fate::Equivalent { .. } => figures.equivalent += 1,
                Fate::NotBuilt => figures.not_built += 1,
                Fate::NotJudged { .. } => figures.not_judged += 1,
            }
        }
        figures
    }

    /// The number of killed mutants on which some case did not run although every case should.
    pub(crate) fn stopped(&self) -> usize {
        let is_stopped =
            |mutant: &&MutantResult| matches!(&mutant.fate, Fate::Killed { not_run, .. } if !not_run.is_empty());
        self.mutants.iter().filter(is_stopped).count()
    }

    /// The survivors, those with an input that kills them first.
    pub(crate) fn survivors(&self) -> impl Iterator<Item = (&MutantResult, Option<&FoundInput>)> {
        let all = self.mutants.iter().filter_map(|mutant| match &mutant.fate {
            Fate::Survived { input, .. } => Some((mutant, input.as_ref())),
            _ => None,
        });
        let (with, without): (Vec<_>, Vec<_>) = all.partition(|(_, input)| input.is_some());
        with.into_iter().chain(without)
    }
}

impl Figures {
    /// The share of killed mutants among those that are not equivalent, 0 to 1. None without such mutants.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
    pub(crate) fn strength(&self) -> Option<f64> {
        let of = self.killed + self.survived;
        (of > 0).then(|| self.killed as f64 / of as f64)
    }

    /// The ends of its interval at 95 %.
    pub(crate) fn interval(&self) -> Option<(f64, f64)> {
        wilson(self.killed, self.killed + self.survived)
    }

    /// The same share for the samples alone.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
    pub(crate) fn of_samples(&self) -> Option<f64> {
        let of = self.killed + self.survived;
        (of > 0).then(|| self.killed_by_samples as f64 / of as f64)
    }
}

/// A share in percent, never rounded up to all of it.
pub(crate) fn percent(share: f64) -> String {
    let percent = (share * 1000.0).floor() / 10.0;
    format!("{percent:.1} %")
}

/// Where the store keeps the last result for a problem.
pub(crate) fn strength_key(problem: &Problem) -> Key {
    let dir = problem.dir.to_string_lossy();
    Key::of("strength v1").field("problem", problem.id.as_str()).field("dir", dir.as_bytes()).finish()
}

/// A digest of what a result depends on: the cases, the accepted submissions, and the programs that judge.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn suite_digest(problem: &Problem) -> Result<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for test in problem.tests() {
        if let Test::Case(group, case) = test {
            files.push(group.case_input(case).path);
            files.extend(group.answer_of(case));
        }
    }
    let accepted = problem.submissions.iter().filter(|submission| submission.expectation.wants_all_accepted());
    let judges = problem.output_validators.iter().chain(&problem.input_validators).map(|judge| &judge.program);
    for program in accepted.map(|submission| &submission.program).chain(judges) {
        files.extend(files_of(program));
    }
    let mut key = Key::of("suite v1");
    for file in files {
        let name = file.strip_prefix(&problem.dir).unwrap_or(&file).display().to_string();
        let open = File::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let digest = Digest::of_reader(open).with_context(|| format!("cannot read {}", file.display()))?;
        key = key.field("file", name).field("content", digest.as_bytes());
    }
    Ok(key.finish().to_string())
}

fn files_of(program: &crate::problem::Program) -> Vec<PathBuf> {
    use crate::problem::Program;
    match program {
        Program::File(path) | Program::Grammar(path) => vec![path.clone()],
        Program::Directory { path, files } | Program::Scripts { path, files } => {
            files.iter().map(|file| path.join(file)).collect()
        }
        Program::Command(_) | Program::Outputs(_) | Program::PackedOutputs { .. } => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_mutants_and_those_that_do_not_compile_do_not_count() {
        let figures =
            Figures { killed: 9, survived: 1, equivalent: 5, not_built: 3, not_judged: 1, killed_by_samples: 4 };
        assert_eq!((figures.strength(), figures.of_samples()), (Some(0.9), Some(0.4)));
        assert_eq!(Figures { equivalent: 3, ..Figures::default() }.strength(), None);
    }
}
