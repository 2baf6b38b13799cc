//! Computes the answers of new cases: validates the input, runs the reference, and compares with other accepted
//! submissions.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::authoring::case_editor::CaseEditor;
use crate::authoring::draft::PlacedCase;
use crate::authoring::makers::{Makers, prepare};
use crate::authoring::programs::{SolverAnswer, rejection_words};
use crate::authoring::reference::remedy;
use crate::authoring::refusal_log::Refusals;
use crate::engine::bench::{Assessment, Bench};
use crate::judge::Response;
use crate::limits::seconds_short;
use crate::package::cases::Staging;
use crate::problem::{CaseInput, Checker};
use crate::session::slot::by_hand;
use crate::workspace::Workspace;
use crate::workspace::ending::not_judged;

/// The words for an answer that came with its case.
const GIVEN: &str = "the given answer";

/// The answer of one new case.
pub(crate) struct Answer {
    /// The staged file.
    pub(crate) file: PathBuf,
    /// Whether to show it; an empty answer of an interactive problem is not shown.
    pub(crate) shown: bool,
    /// The author of the answer in words.
    pub(crate) by: String,
    /// The other accepted submissions, which agree.
    pub(crate) agreeing: Vec<String>,
}

/// The result of the reference on a case.
enum ByReference {
    /// The problem has no reference.
    Unknown,
    /// Its output, and a text with its name and time.
    Output { file: PathBuf, by: String },
    /// It failed, which was reported.
    Refused,
}

/// A result that disagrees with the answer of a case.
pub(crate) struct Dissent {
    pub(crate) who: String,
    /// Its output and the judge's assessment; none if the program failed.
    pub(crate) output: Option<(PathBuf, Assessment)>,
    /// The disagreement in a few words.
    pub(crate) why: String,
}

/// The side whose answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accept {
    /// The output of the reference.
    Reference,
    /// The answer that came with the case.
    Answer,
}

/// Settings for the computation of answers.
pub(crate) struct AnswerSettings<'a> {
    /// The side to accept if answers differ.
    pub(crate) accept: Option<Accept>,
    /// The language of all submissions; none to detect it.
    pub(crate) language: Option<&'a str>,
    /// The command as typed, which remedies repeat.
    pub(crate) command: &'a str,
    /// Called with each case whose answers differ.
    pub(crate) differ: &'a mut dyn FnMut(&Disagreement<'_>) -> Result<()>,
}

impl AnswerSettings<'_> {
    /// The command with more words appended.
    fn again(&self, more: &str) -> String {
        format!("{} {more}", self.command)
    }

    /// Whether the answer that came with a case stays, whatever programs print. The owner of a plain folder knows the
    /// answer, and tests the programs with it.
    fn keeps_given(&self, editor: &CaseEditor, new: &PlacedCase) -> bool {
        editor.is_plain() && new.draft.given.is_some() && self.accept != Some(Accept::Reference)
    }
}

/// A case whose answers differ.
pub(crate) struct Disagreement<'a> {
    pub(crate) input: &'a Path,
    /// The answer that would be written.
    pub(crate) answer: &'a Path,
    /// The author of that answer.
    pub(crate) says: &'a str,
    pub(crate) checker: Checker,
    /// All results that disagree.
    pub(crate) dissents: &'a [Dissent],
}

/// Computes the answer of every case, and reports cases without one.
pub(crate) fn compute(
    asked: AnswerSettings<'_>,
    workspace: &Workspace,
    editor: &CaseEditor,
    placed: &[PlacedCase],
    staging: &Staging,
    refusals: &mut Refusals<'_>,
) -> Result<Vec<Answer>> {
    by_hand(workspace, [&*editor.problem.dir], |bench| {
        let needs_reference = !placed.iter().all(|new| asked.keeps_given(editor, new));
        let prepared = prepare(bench, workspace, editor, asked.language, needs_reference, refusals)?;
        let Some(makers) = prepared else { return Ok(Vec::new()) };
        let mut work = Work { bench, makers, editor, asked, staging, refusals };
        let mut answers = Vec::new();
        for (n, new) in placed.iter().enumerate() {
            if work.is_valid(new)? {
                answers.extend(work.answer(n, new)?);
            }
        }
        Ok(answers)
    })
}

struct Work<'w, 'b, 'a, 'r> {
    bench: &'w mut Bench<'b>,
    makers: Makers,
    editor: &'w CaseEditor,
    asked: AnswerSettings<'a>,
    staging: &'w Staging,
    refusals: &'w mut Refusals<'r>,
}

impl Work<'_, '_, '_, '_> {
    /// Whether every input validator accepts the input.
    fn is_valid(&mut self, new: &PlacedCase) -> Result<bool> {
        let mut valid = true;
        let CaseInput { setting, path, .. } = new.input();
        for validator in &self.makers.validators {
            let said =
                validator.check(self.bench, Some(setting.arguments), &setting.work.files, &path).map_err(not_judged)?;
            if let Response::Rejects(words) = said {
                self.refusals.case(&new.draft.source, &words, "fix the input or the validator");
                valid = false;
            }
        }
        Ok(valid)
    }

    fn answer(&mut self, n: usize, new: &PlacedCase) -> Result<Option<Answer>> {
        if self.makers.judges.lead() {
            return self.talk(n, new);
        }
        if let Some(given) = new.draft.given.clone().filter(|_| self.asked.keeps_given(self.editor, new)) {
            return self.keep_given(n, new, given).map(Some);
        }
        let by_reference = match self.by_reference(n, new)? {
            ByReference::Refused => return Ok(None),
            ByReference::Unknown => None,
            ByReference::Output { file, by } => Some((file, by)),
        };
        let (file, by) = match (&by_reference, &new.draft.given) {
            (Some(answer), _) => answer.clone(),
            (None, Some(_)) if self.editor.is_plain() && self.asked.accept == Some(Accept::Reference) => {
                let message = "`--accept reference`: no program here is known to be right";
                let remedy = remedy(self.makers.judges.problem());
                self.refusals.usage(&new.draft.source, message, &remedy);
                return Ok(None);
            }
            (None, Some(given)) => (given.clone(), format!("given; there is no {} to check it", self.word())),
            (None, None) => {
                self.refuse_without_answer(new);
                return Ok(None);
            }
        };
        let mut dissents = Vec::new();
        if let (Some(_), Some(given)) = (&by_reference, &new.draft.given) {
            dissents.extend(self.compare(new, &file, given, GIVEN, None)?);
        }
        let given_differs = !dissents.is_empty();
        let agreeing = self.ask(self.makers.others(), n, new, &file, &mut dissents)?;
        let right = if by_reference.is_some() { Accept::Reference } else { Accept::Answer };
        if !dissents.is_empty()
            && self.asked.accept != Some(right)
            && !(given_differs && self.asked.accept == Some(Accept::Answer))
        {
            self.tell(new, &file, right, given_differs, &dissents)?;
            return Ok(None);
        }
        let given = new.draft.given.as_ref().filter(|_| given_differs && self.asked.accept == Some(Accept::Answer));
        Ok(Some(match given {
            Some(given) => {
                let by = format!("given; the {} disagrees", self.word());
                Answer { file: given.clone(), shown: true, by, agreeing: Vec::new() }
            }
            None => Answer { file, shown: true, by, agreeing },
        }))
    }

    /// Shows which programs disagree with an answer that stays.
    fn keep_given(&mut self, n: usize, new: &PlacedCase, given: PathBuf) -> Result<Answer> {
        let mut dissents = Vec::new();
        let agreeing = self.ask(0..self.makers.solvers.len(), n, new, &given, &mut dissents)?;
        if !dissents.is_empty() {
            self.show(new, &given, GIVEN, &dissents)?;
        }
        Ok(Answer { file: given, shown: true, by: GIVEN.to_owned(), agreeing })
    }

    fn refuse_without_answer(&mut self, new: &PlacedCase) {
        let choose = remedy(self.makers.judges.problem());
        let (message, remedy) = if self.editor.is_plain() {
            let later = "save the input in the folder, and `grader accept` its output when you know that it is right";
            (
                "no answer, and a program is not its own truth".to_owned(),
                format!("give it with --answer; {later}; or {choose}"),
            )
        } else {
            let message = format!("there is no {} to compute the answer", self.word());
            (message, format!("give the answer with --answer, or {choose}"))
        };
        self.refusals.usage(&new.draft.source, &message, &remedy);
    }

    /// Runs several submissions on the case. Returns the names of those that agree with the answer, and adds the others
    /// to `dissents`.
    fn ask(
        &mut self,
        solvers: impl Iterator<Item = usize>,
        n: usize,
        new: &PlacedCase,
        answer: &Path,
        dissents: &mut Vec<Dissent>,
    ) -> Result<Vec<String>> {
        let mut agreeing = Vec::new();
        for solver in solvers {
            match self.ask_one(n, solver, new, answer)? {
                Some(dissent) => dissents.push(dissent),
                None => agreeing.push(self.makers.solvers[solver].name.clone()),
            }
        }
        Ok(agreeing)
    }

    /// The word for the reference in messages.
    fn word(&self) -> &'static str {
        self.makers.judges.problem().reference_word()
    }

    /// Runs the reference on a case.
    fn by_reference(&mut self, n: usize, new: &PlacedCase) -> Result<ByReference> {
        let Some(reference) = self.makers.reference() else { return Ok(ByReference::Unknown) };
        let judges = &self.makers.judges;
        let output = self.staging.path(&format!("answer-{n}"));
        let refused = match judges.answer(self.bench, reference, &new.input()).map_err(not_judged)? {
            SolverAnswer::Fails(rejection) => {
                format!("the {} {} fails on it: {}", self.word(), reference.name, rejection_words(&rejection))
            }
            SolverAnswer::Output { time, output: printed } => {
                printed.save(&output)?;
                let found =
                    judges.check(self.bench, &new.input(), &output, &output, Some(reference)).map_err(not_judged)?;
                match found.rejection {
                    None => {
                        let by = format!("{} in {}", reference.name, seconds_short(time));
                        return Ok(ByReference::Output { file: output, by });
                    }
                    Some(rejection) => {
                        format!(
                            "the output validator rejects what {} prints: {}",
                            reference.name,
                            rejection_words(&rejection)
                        )
                    }
                }
            }
        };
        let remedy = format!("fix the {} or the case", self.word());
        self.refusals.case(&new.draft.source, &refused, &remedy);
        Ok(ByReference::Refused)
    }

    /// Runs a submission on the case; none if it agrees with the answer.
    fn ask_one(&mut self, n: usize, at: usize, new: &PlacedCase, answer: &Path) -> Result<Option<Dissent>> {
        let output = self.staging.path(&format!("other-{n}-{at}"));
        let solver = &self.makers.solvers[at];
        match self.makers.judges.answer(self.bench, solver, &new.input()).map_err(not_judged)? {
            SolverAnswer::Fails(rejection) => {
                let who = solver.name.clone();
                let why = rejection_words(&rejection);
                Ok(Some(Dissent { who, output: None, why }))
            }
            SolverAnswer::Output { output: printed, .. } => {
                printed.save(&output)?;
                let name = solver.name.clone();
                self.compare(new, answer, &output, &name, Some(at))
            }
        }
    }

    fn compare(
        &mut self,
        new: &PlacedCase,
        answer: &Path,
        output: &Path,
        who: &str,
        solver: Option<usize>,
    ) -> Result<Option<Dissent>> {
        let solver = solver.map(|at| &self.makers.solvers[at]);
        let found = self.makers.judges.check(self.bench, &new.input(), answer, output, solver).map_err(not_judged)?;
        let Some(rejection) = &found.rejection else { return Ok(None) };
        let why = rejection_words(rejection);
        Ok(Some(Dissent { who: who.to_owned(), output: Some((output.to_owned(), found)), why }))
    }

    /// Shows the results that differ from an answer, whose author `says` names.
    fn show(&mut self, new: &PlacedCase, answer: &Path, says: &str, dissents: &[Dissent]) -> Result<()> {
        let checker = self.bench.resources.checker_for(self.makers.judges.problem(), new.input().setting.checker);
        (self.asked.differ)(&Disagreement { input: &new.draft.input, answer, says, checker, dissents })
    }

    /// Shows the differing results, and reports a refusal with a remedy.
    fn tell(
        &mut self,
        new: &PlacedCase,
        answer: &Path,
        right: Accept,
        given: bool,
        dissents: &[Dissent],
    ) -> Result<()> {
        let says = match (self.makers.reference(), right) {
            (Some(reference), Accept::Reference) => reference.name.clone(),
            _ => GIVEN.to_owned(),
        };
        self.show(new, answer, &says, dissents)?;
        let who: Vec<&str> = dissents.iter().map(|dissent| dissent.who.as_str()).collect();
        let message = format!("{} does not agree with {says}", who.join(", "));
        let remedy = match (right, given) {
            (Accept::Reference, true) => {
                format!(
                    "find out which is right; {} writes the {}'s answer, `--accept answer` the given one",
                    self.asked.again("--accept reference"),
                    self.word()
                )
            }
            (Accept::Reference, false) => {
                format!(
                    "find out which is right; {} writes the {}'s answer",
                    self.asked.again("--accept reference"),
                    self.word()
                )
            }
            (Accept::Answer, _) => {
                format!("find out which is right; {} writes the given one", self.asked.again("--accept answer"))
            }
        };
        self.refusals.case(&new.draft.source, &message, &remedy);
        Ok(())
    }

    /// Tests a case of an interactive or multi-pass problem. The answer is the given one, usually empty. The output
    /// validator must accept every submission that should be right.
    fn talk(&mut self, n: usize, new: &PlacedCase) -> Result<Option<Answer>> {
        let file = if let Some(given) = &new.draft.given {
            given.clone()
        } else {
            let empty = self.staging.path(&format!("answer-{n}"));
            File::create_new(&empty)?;
            empty
        };
        let shown = new.draft.given.is_some();
        let mut by = format!("there is no {} to test it", self.word());
        let makers = &self.makers;
        if let Some(reference) = makers.reference() {
            let (_, judged) = makers.judges.judge(self.bench, reference, &new.input(), &file).map_err(not_judged)?;
            let time = judged.outcome.usage.cpu;
            if let Some(rejection) = judged.assessment.rejection {
                let message =
                    format!("the {} {} is not accepted: {}", self.word(), reference.name, rejection_words(&rejection));
                let remedy = format!("fix the {}, the output validator or the case", self.word());
                self.refusals.case(&new.draft.source, &message, &remedy);
                return Ok(None);
            }
            by = format!("the output validator accepts {} in {}", reference.name, seconds_short(time));
        }
        let mut agreeing = Vec::new();
        let mut dissents = Vec::new();
        for other in makers.others().map(|at| &makers.solvers[at]) {
            let (_, judged) = makers.judges.judge(self.bench, other, &new.input(), &file).map_err(not_judged)?;
            match judged.assessment.rejection {
                None => agreeing.push(other.name.clone()),
                Some(rejection) => {
                    dissents.push(format!("{} is not accepted: {}", other.name, rejection_words(&rejection)));
                }
            }
        }
        if !dissents.is_empty() && self.asked.accept.is_none() {
            let remedy = format!("find out why; {} writes the case anyway", self.asked.again("--accept reference"));
            self.refusals.case(&new.draft.source, &dissents.join("\n"), &remedy);
            return Ok(None);
        }
        Ok(Some(Answer { file, shown, by, agreeing }))
    }
}
