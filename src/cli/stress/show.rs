//! Shows the result of a search: the input, why it fails, and commands to continue with.

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use crate::authoring::search::{Counterexample, Search, SearchFailure};
use crate::authoring::trial::{Failure, TrialResult};
use crate::cli::environment;
use crate::cli::output::stdout;
use crate::cli::stress::StressArgs;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::keep_case;
use crate::event::{Judgement, Measurements};
use crate::problem::{PackageLayout, Problem, ProblemId, Submission, SubmissionId, TestId};
use crate::report::failure::{excerpt_of, of_judgement};
use crate::report::terminal::TerminalOptions;
use crate::report::text::{Line, Style, Whitespace, count, escape, quote, quote_option, quote_path};
use crate::session::archives::Archives;
use crate::session::{chosen_by, word_of};
use crate::workspace::Workspace;

/// Prints everything about one search.
pub(super) struct Show<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) options: TerminalOptions,
    pub(super) problem: &'a Arc<Problem>,
    /// The typed arguments.
    pub(super) args: &'a StressArgs,
}

impl Show<'_> {
    fn print(&self, line: &Line) -> Result<()> {
        Ok(writeln!(stdout(), "{}", line.render(self.options.paint))?)
    }

    fn labelled(&self, label: &str, text: &str) -> Result<()> {
        let line = Line::from("  ").with(&format!("{label:9}"), Style::FAINT).with(&clean(text), Style::PLAIN);
        self.print(&line.whole())
    }

    pub(super) fn head(&self, reference: &Submission, submissions: &[Submission]) -> Result<()> {
        let tested = match submissions {
            [one] if !self.args.wrong => clean(one.id.as_str()),
            several => count(several.len(), "wrong submission"),
        };
        let names = format!("{} · {tested}", clean(self.problem.id.as_str()));
        let line = Line::new().with(&names, Style::STRONG);
        self.print(&line.with(&format!(" against {}", clean(reference.id.as_str())), Style::PLAIN))
    }

    /// Reports the submissions without a difference, in time or before a signal.
    pub(super) fn end(&self, search: &Search<'_, '_>, seed: u64) -> Result<()> {
        let all = search.trial.submissions();
        let tried = format!("on {} in {:.1} s", inputs(search.tries), search.elapsed().as_secs_f64());
        let (mut mark, mut style) = if search.interrupted { ("– ", Style::NOTICE) } else { ("✓ ", Style::GOOD) };
        let text = if self.args.wrong {
            for left in &search.left {
                let line = Line::new().with("✗ ", Style::BAD).with(&clean(all[*left].0.id.as_str()), Style::STRONG);
                self.print(&line.with(": no difference", Style::BAD))?;
            }
            if !search.left.is_empty() && !search.interrupted {
                mark = "✗ ";
                style = Style::BAD;
            }
            let failing = all.len() - search.left.len();
            format!("{failing} of {} found to fail {tried}", count(all.len(), "wrong submission"))
        } else if search.left.is_empty() {
            // The difference was shown.
            return Ok(());
        } else {
            format!("no difference {tried}")
        };
        let mut line = Line::new().with(mark, style).with(&text, Style::PLAIN);
        if search.slow > 0 {
            let word = self.problem.reference_word();
            line.push(&format!(" · {} skipped: the {word} is too slow on them", search.slow), Style::NOTICE);
        }
        self.print(&line.with(&format!(" · --seed {seed}"), Style::FAINT))
    }

    /// Shows the difference that was found, and returns the words of the command that adds its input.
    pub(super) fn found(&self, search: &mut Search<'_, '_>, found: &Counterexample, seed: u64) -> Result<Vec<String>> {
        // Runs once more, so that the kept files match what is shown. If that causes a judge error, only the input is
        // shown.
        let at = found.submission;
        let mut tested = || search.trial.test(search.bench, &found.input, at).ok();
        let failure = match if found.interrupted { None } else { tested() } {
            Some(TrialResult::Fails(failure)) => Some(failure),
            _ => None,
        };
        let submission = &search.trial.submissions()[at].0;
        let head = format!("{} after {}: {}", found.kind.0, inputs(found.after), clean(&found.first));
        if self.args.wrong {
            // It fails, as it should.
            let line = Line::new().with("✓ ", Style::GOOD).with(&clean(submission.id.as_str()), Style::STRONG);
            self.print(&line.with(&format!(": {head}"), Style::PLAIN))?;
        } else {
            self.print(&Line::new().with("✗ ", Style::BAD).with(&head, Style::BAD))?;
        }
        self.shrunk(search, found)?;
        let kept = self.keep(search, found, failure.as_deref());
        match &failure {
            Some(failure) if !self.args.wrong => {
                let judgement = judgement(failure, kept.clone());
                for line in of_judgement(&judgement, &self.options.look()) {
                    self.print(&line)?;
                }
            }
            _ => {
                for line in excerpt_of("input", &found.input, &self.options.look()) {
                    self.print(&line)?;
                }
            }
        }
        if failure.is_none() && !found.interrupted {
            let text = "it did not fail when it ran again: the submission behaves differently each time";
            self.print(&Line::from("  ").with(text, Style::NOTICE))?;
        }
        let input = kept.map(|stem| with_in(&stem));
        let shown = input.as_deref().map(|path| self.relative(path).display().to_string());
        let typed = self.args;
        let submission = quote_path(&word_of(self.problem, submission));
        let Problem { id, dir, .. } = &**self.problem;
        let word = match self.problem.part {
            // A folder is always found by its path, whether it has cases yet or not.
            None if self.problem.layout == PackageLayout::Plain => path_of(self.workspace, dir),
            _ => chosen_by(self.workspace, &Archives::default(), id, dir).unwrap_or_else(|| id.to_string()),
        };
        let problem = quote_path(&word);
        let mut again = vec![format!("grader stress {problem} {submission} --seed {seed}")];
        again.extend(typed.generator.iter().map(|generator| quote_option("--gen", generator)));
        again.extend([typed.reference.again(), typed.how.again()].concat().iter().map(|word| quote(word)));
        self.labelled("again", &again.join(" "))?;
        let Some(shown) = shown else { return Ok(Vec::new()) };
        let decisions = self.decisions(&search.trial.submissions()[at].0);
        let words = ["grader", "add", &word, &shown].map(str::to_owned).into_iter().chain(decisions.clone());
        let line = format!("grader add {problem} {}", quote_path(&shown));
        let quoted = decisions.iter().map(|word| quote(word));
        self.labelled("add it", &[line].into_iter().chain(quoted).collect::<Vec<_>>().join(" "))?;
        Ok(words.collect())
    }

    /// The options with which `grader add` takes the answer of this reference, although a submission that should be right
    /// disagrees.
    fn decisions(&self, submission: &Submission) -> Vec<String> {
        let mut words = self.args.reference.again();
        if let Some(reference) = self.problem.reference().filter(|_| self.problem.is_reference_guessed()) {
            words.extend(["--reference".to_owned(), reference.id.to_string()]);
        }
        if submission.expectation.wants_all_accepted() {
            words.extend(["--accept", "reference"].map(str::to_owned));
        }
        words
    }

    /// Shows how much smaller the input became, or why it did not.
    fn shrunk(&self, search: &Search<'_, '_>, found: &Counterexample) -> Result<()> {
        if found.tries > 0 {
            let by = if found.command == found.first { String::new() } else { format!(" by {}", found.command) };
            let tries = if found.tries == 1 { "1 try".to_owned() } else { format!("{} tries", found.tries) };
            let before = found.bytes;
            let after = found.input.len();
            let mut text = if by.is_empty() && before == after {
                format!("not shrunk: {tries}")
            } else {
                format!("shrunk{by}: {before} → {after} bytes in {tries}")
            };
            if found.interrupted {
                text.push_str(", then interrupted");
            }
            self.print(&Line::from("  ").with(&clean(&text), Style::FAINT))?;
        }
        if !search.trial.has_validators() {
            let text = "without an input validator, grader shrinks only the generator's arguments";
            self.print(&Line::from("  ").with(text, Style::NOTICE))?;
        }
        Ok(())
    }

    /// Keeps the files of the failure in `.grader/last/`; none if they cannot be kept.
    fn keep(&self, search: &Search<'_, '_>, found: &Counterexample, failure: Option<&Failure>) -> Option<PathBuf> {
        let last = search.bench.resources.store.last_run()?;
        let submission = kept_as(search, found.submission);
        let test = TestId::from("found");
        // An earlier search may have left files that this one does not write. A file that cannot be removed is
        // overwritten if needed.
        let _ = last.clear(&self.problem.id, &submission);
        if let Some(failure) = failure {
            return keep_case(&last, (&self.problem.id, &submission, &test), &failure.case, &failure.judged);
        }
        keep_input(search, &self.problem.id, &submission, &found.input)
    }

    fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.workspace.start).unwrap_or(path).to_owned()
    }

    /// Reports a failure of something other than the submission.
    pub(super) fn failed(&self, search: &Search<'_, '_>, failed: &SearchFailure) {
        // The input belongs to no submission; it is kept beside the results of the first one that is left.
        let first = search.left.first().copied().unwrap_or(0);
        let (severity, message, input, remedy) = match failed {
            SearchFailure::Generator { command, message, remedy } => {
                (Severity::Error, format!("{command}: {message}"), None, remedy.clone())
            }
            SearchFailure::Rejected { command, input, words } => {
                let remedy = "fix the generator or the validator".to_owned();
                (Severity::Error, format!("the input of `{command}` is {words}"), Some(input), remedy)
            }
            SearchFailure::Reference { command, input, words } => {
                let word = self.problem.reference_word();
                let remedy = format!("fix the {word} first");
                (Severity::Error, format!("the {word} fails on the input of `{command}`: {words}"), Some(input), remedy)
            }
            SearchFailure::Broken(message) => {
                // The error itself matters most. Without a readable input, no path is shown.
                let input = search.trial.last_input().ok();
                let kept =
                    input.and_then(|input| keep_input(search, &self.problem.id, &kept_as(search, first), &input));
                let at = kept.map(|stem| format!("see the input in {}", self.relative(&with_in(&stem)).display()));
                let notice = self.notice(Severity::JudgeError, message, at.unwrap_or_default());
                self.workspace.tell(&notice);
                return;
            }
        };
        let kept = input.and_then(|input| keep_input(search, &self.problem.id, &kept_as(search, first), input));
        let remedy = match kept {
            Some(stem) => format!("{remedy}; see the input in {}", self.relative(&with_in(&stem)).display()),
            None => remedy,
        };
        self.workspace.tell(&self.notice(severity, &message, remedy));
    }

    fn notice(&self, severity: Severity, message: &str, remedy: String) -> Diagnostic {
        Diagnostic::new(severity, message).of(&self.problem.id).remedy(remedy)
    }
}

/// The name under which the files of a submission are kept.
fn kept_as(search: &Search<'_, '_>, submission: usize) -> SubmissionId {
    SubmissionId::from(format!("stress/{}", search.trial.submissions()[submission].0.id))
}

/// Keeps only an input. Keeping it is a convenience; if it fails, no path is shown.
fn keep_input(
    search: &Search<'_, '_>,
    problem: &ProblemId,
    submission: &SubmissionId,
    input: &[u8],
) -> Option<PathBuf> {
    let last = search.bench.resources.store.last_run()?;
    let (mut file, path) = last.create(problem, submission, &TestId::from("found"), "in").ok()?;
    file.write_all(input).ok()?;
    Some(path.with_extension(""))
}

/// The path of a folder as a user would type it.
pub(super) fn path_of(workspace: &Workspace, dir: &Path) -> String {
    let path = dir.strip_prefix(&workspace.start).unwrap_or(dir);
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}

fn inputs(n: u64) -> String {
    format!("{n} input{}", if n == 1 { "" } else { "s" })
}

/// The path `<stem>.in`.
fn with_in(stem: &Path) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(".in");
    path.into()
}

fn judgement(failure: &Failure, files: Option<PathBuf>) -> Judgement {
    let judged = &failure.judged;
    let assessment = judged.assessment.clone();
    let reason = assessment.rejection.map(|(_, reason)| reason).unwrap_or_default();
    Judgement {
        verdict: failure.kind.0,
        reason,
        remarks: assessment.remarks,
        checker: assessment.difference.is_some().then_some(failure.case.checker),
        difference: assessment.difference,
        feedback: assessment.feedback.message,
        team_message: assessment.feedback.team_message,
        score: None,
        others: Vec::new(),
        files,
        measured: Measurements::new(judged.outcome.usage, judged.outcome.killed.is_some(), false),
    }
}

fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Quiet)
}

/// Offers to add the input, if a user can answer and the command exists.
pub(super) fn offer(words: &[String]) -> Result<()> {
    let can_ask = io::stdin().is_terminal() && environment::stdout_is_terminal();
    if !can_ask || words.is_empty() || !crate::cli::knows(&words[1]) {
        return Ok(());
    }
    write!(stdout(), "add it now? [y/N] ")?;
    stdout().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    if answer.trim().eq_ignore_ascii_case("y") {
        crate::cli::again(words)?;
    }
    Ok(())
}
