//! Reports answers that a program could guess: constants, and the input itself.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::engine::bench::Resources;
use crate::problem::{Checker, Problem, ProblemKind, Test};
use crate::verify::guesses::{CaseFacts, Comparison, Guess, guesses};
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::{Code, Finding};

/// The most bytes of an input or answer that are compared.
const MOST_BYTES: u64 = 1 << 20;

/// Reports answers that a program could guess, if a built-in checker compares them. An output validator may accept many
/// outputs, so its answers say little.
pub(crate) fn check(results: &mut ProblemFindings, problem: &Problem, resources: &Resources) {
    let is_compared = problem.output_judges().next().is_none() && problem.kind != ProblemKind::SubmitAnswer;
    if !is_compared || problem.kind.is_led_by_validator() {
        return;
    }
    let mut facts = Vec::new();
    for (group, case) in problem.tests().filter(|test| !test.is_sample()).filter_map(Test::case) {
        let Some(answer) = group.answer_of(case) else { continue };
        let comparison = comparison(resources.checker_for(problem, group.setting_of(case).checker));
        // Files that cannot be read have findings of their own.
        let texts = small(&group.input_of(case)).zip(small(&answer));
        facts.push(match texts {
            Some((input, answer)) => CaseFacts::of(&group.name, &input, &answer, comparison),
            None => CaseFacts::unknown(&group.name),
        });
    }
    for guess in guesses(&facts) {
        let (code, remedy) = match guess {
            Guess::Same { .. } => (Code::SameAnswer, "add cases with other answers"),
            Guess::Constant { .. } => {
                (Code::AnswerGuessable, "add cases with other answers, or several tests in one case")
            }
            Guess::Input { .. } => (Code::AnswerGuessable, "add cases whose answer is not their input"),
            Guess::Permutation { .. } => {
                (Code::AnswerPermutesInput, "a hint: make sure that cases need different orders, and words that repeat")
            }
        };
        results.report(Finding::new(code, guess.to_string()).remedy(remedy));
    }
}

fn comparison(checker: Checker) -> Comparison {
    match checker {
        Checker::Exact => Comparison { exact: true, ignores_case: false },
        Checker::Tokens(options) => {
            Comparison { exact: options.space_change_sensitive, ignores_case: !options.case_sensitive }
        }
        Checker::Contains | Checker::Regex | Checker::Unordered | Checker::Value(_) | Checker::Standard(_) => {
            Comparison { exact: false, ignores_case: false }
        }
    }
}

/// The contents of a file; none if it is large or cannot be read.
fn small(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)).ok()?;
    (bytes.len() as u64 <= MOST_BYTES).then_some(bytes)
}
