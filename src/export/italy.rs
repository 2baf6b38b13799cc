//! `italy_yaml`, the format of CMS and task-maker: `task.yaml` with numbered inputs and outputs.

use std::path::Path;

use serde::Serialize;

use super::draft::Draft;
use super::foreign::{Judge, comparison, group_points, judge_of, lose_judge, unexpressed};
use super::labels::comment_mark;
use super::placed::{PlacedCase, SAMPLE, place};
use super::statements::{attachments, problem_file, shown, statement_files};
use super::subject::Subject;
use super::{ArchiveLayout, ExportError, Target};
use crate::problem::{Aggregation, Checker, Constants, Expectation, Program, StandardChecker, Submission};
use crate::verdict::Verdict;

pub(super) const TARGET: Target = Target {
    name: "italy-yaml",
    summary: "CMS and task-maker (italy_yaml)",
    archive: ArchiveLayout::Folder,
    shows_page: false,
    says: &[],
    labels_by_points: false,
    draft,
};

/// `task.yaml`.
#[derive(Serialize)]
struct Task<'a> {
    name: &'a str,
    title: &'a str,
    time_limit: f64,
    memory_limit: u64,
    infile: String,
    outfile: String,
    n_input: usize,
    total_value: f64,
    public_testcases: String,
    token_mode: &'static str,
}

/// The generator that task-maker demands, even if it copies all inputs.
const GENERATOR: &str =
    "#!/usr/bin/env python3\nimport sys\n\nsys.exit(\"gen/GEN copies every input, so there is nothing to generate\")\n";

/// How CMS and task-maker call a checker: with input, answer and output. It prints the share of the points.
const CALL: &str = "\n\nimport sys\n\nwith open(sys.argv[2], \"rb\") as answer, open(sys.argv[3], \"rb\") as output:\n    \
                    good = same(output.read(), answer.read())\nprint(\"1.0\" if good else \"0.0\")\nprint(\"translate:success\" \
                    if good else \"translate:wrong\", file=sys.stderr)\n";

fn draft(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let problem = subject.problem;
    unexpressed(subject, draft, "CMS");
    if !problem.input_validators.is_empty() {
        draft.leave_out("input_validators/", "task-maker has another protocol for validators");
    }
    if !problem.additions.include.is_empty() {
        draft.lose("include/", "CMS compiles one grader with each submission");
    }
    let placed = place(subject, draft, 1);
    let (input_file, output_file) = file_names(&placed, draft);
    let groups = subtasks(subject, draft, &placed);
    let mut lines = Vec::new();
    let mut number = 0;
    let mut public = Vec::new();
    for Subtask { points, name, cases } in &groups {
        // Both read this spelling: for CMS it is a comment with a meaning.
        lines.push(format!("#ST: {points}"));
        // Only task-maker reads names: the results that a solution must have are those of subtasks with names.
        lines.push(format!("#STNAME: {name}"));
        for one in cases {
            draft.copy(&format!("input/input{number}.txt"), &one.input());
            match &one.answer {
                Some(answer) => draft.copy(&format!("output/output{number}.txt"), answer),
                None => draft.text(&format!("output/output{number}.txt"), ""),
            }
            if one.folder == SAMPLE {
                public.push(number.to_string());
            }
            lines.push(format!("#COPY: input/input{number}.txt"));
            number += 1;
        }
    }
    draft.text("gen/GEN", lines.join("\n") + "\n");
    draft.script("gen/generator.py", GENERATOR.to_owned());
    let task = Task {
        name: &subject.name,
        title: subject.description.title(),
        time_limit: subject.time_limit().as_secs_f64(),
        memory_limit: subject.memory(),
        infile: input_file,
        outfile: output_file,
        n_input: number,
        total_value: 100.0,
        public_testcases: public.join(", "),
        token_mode: "disabled",
    };
    draft.yaml("task.yaml", &task)?;
    judge(subject, draft)?;
    for (at, one) in problem.submissions.iter().enumerate() {
        solution(draft, one, problem.is_reference(at), groups.len(), &problem.additions.constants)?;
    }
    statement(subject, draft)?;
    attachments(subject, draft, "att")
}

/// The files that submissions read and write; empty for the standard streams.
fn file_names(placed: &[PlacedCase<'_>], draft: &mut Draft) -> (String, String) {
    let Some(work) = placed.first().map(|one| one.setting().work) else { return <_>::default() };
    let mut name = |path: Option<&Path>| {
        let name = path.and_then(Path::to_str).unwrap_or_default();
        if name.contains('/') {
            draft.lose(name, "CMS has no directories for submissions");
        }
        name.to_owned()
    };
    (name(work.files.first().map(|(name, _)| name.as_path())), name(work.output.as_deref()))
}

/// A subtask.
struct Subtask<'a, 'p> {
    /// Whole, as CMS and task-maker demand.
    points: f64,
    name: String,
    cases: Vec<&'a PlacedCase<'p>>,
}

/// The subtasks. Reports points and dependencies that they cannot have.
fn subtasks<'a, 'p>(subject: &Subject<'_>, draft: &mut Draft, placed: &'a [PlacedCase<'p>]) -> Vec<Subtask<'a, 'p>> {
    let Some(groups) = group_points(subject, draft, "CMS") else {
        return vec![Subtask { points: 100.0, name: "all".to_owned(), cases: placed.iter().collect() }];
    };
    let total: f64 = groups.iter().map(|group| group.most).sum();
    if (total - 100.0).abs() > 1e-6 {
        draft.lose(format!("{total} points"), "the subtasks of CMS have 100 points together");
    }
    let samples: Vec<&PlacedCase<'_>> = placed.iter().filter(|one| one.folder == SAMPLE).collect();
    let mut subtasks = Vec::new();
    if !samples.is_empty() {
        subtasks.push(Subtask { points: 0.0, name: "samples".to_owned(), cases: samples });
    }
    // Rounded so that the total stays.
    let mut given = 0.0_f64;
    let mut whole = |points: f64| {
        let before = given.round();
        given += points;
        given.round() - before
    };
    for group in groups {
        if !group.requires.is_empty() {
            draft.lose(format!("require_pass of {}", group.folder), "subtasks of CMS do not depend on others");
        }
        let cases: Vec<&PlacedCase<'_>> = placed.iter().filter(|one| one.folder == group.folder).collect();
        let name = group.folder.trim_start_matches("secret/").replace('/', "-");
        // One subtask for each case adds up.
        let parts: Vec<(f64, String, Vec<&PlacedCase<'_>>)> = if group.aggregation == Aggregation::Sum
            && cases.len() > 1
        {
            let count = cases.len();
            let part =
                |case: &'a PlacedCase<'p>| (group.points_of(case, count), format!("{name}-{}", case.name), vec![case]);
            cases.into_iter().map(part).collect()
        } else {
            vec![(group.most, name, cases)]
        };
        if parts.iter().any(|(points, ..)| (points - points.round()).abs() > 1e-6) {
            draft.lose(format!("points of {}", group.folder), "subtasks of CMS and task-maker have whole points");
        }
        subtasks.extend(parts.into_iter().map(|(points, name, cases)| Subtask { points: whole(points), name, cases }));
    }
    subtasks
}

fn judge(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let problem = subject.problem;
    if problem.kind.is_interactive() {
        for program in problem.interactor.iter().chain(&problem.output_validators) {
            lose_judge(problem, draft, program, "italy-yaml has no interactive problems");
        }
        return Ok(());
    }
    match judge_of(subject, draft, "CMS")? {
        // Both compare so without a checker. Only interactive problems have an interactor.
        Judge::None | Judge::Interactor(_) | Judge::Comparison(Checker::Standard(StandardChecker::Lcmp)) => {}
        Judge::Comparison(checker) => {
            if let Some(script) = comparison(checker, draft, "CMS") {
                let script = "#!/usr/bin/env python3\n".to_owned() + &script + CALL;
                // CMS runs the one, and task-maker reads the other.
                draft.script("check/checker", script.clone());
                draft.script("check/checker.py", script);
            }
        }
        judge @ (Judge::Icpc(_) | Judge::Testlib(_)) => {
            judge.lose(subject.problem, draft, "checkers of CMS print the share of the points");
        }
        Judge::Cms(files) => {
            let mut is_main = true;
            for (name, from) in files {
                let ending = from.extension().and_then(|ending| ending.to_str());
                let own = ending.map_or_else(|| "checker".to_owned(), |ending| format!("checker.{ending}"));
                let name = if std::mem::take(&mut is_main) { own } else { name };
                draft.source(&format!("check/{name}"), &from, &subject.problem.additions.constants)?;
            }
            draft.miss(
                "check/checker for CMS",
                "an executable: build it from the source in check/; task-maker does that",
            );
        }
    }
    Ok(())
}

/// Writes a submission of one file, with the comment with which task-maker expects its result in each of the subtasks.
fn solution(
    draft: &mut Draft,
    one: &Submission,
    is_reference: bool,
    subtasks: usize,
    constants: &Constants,
) -> Result<(), ExportError> {
    let Program::File(from) = &one.program else {
        draft.lose(format!("submission {}", one.id), "solutions are single files");
        return Ok(());
    };
    let ending = from.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let path = if is_reference {
        format!("sol/solution.{ending}")
    } else {
        let name = one.id.as_str().replace('/', "-");
        format!("sol/{name}")
    };
    let word = check_of(&one.expectation).filter(|word| *word == ACCEPTED || subtasks == 1);
    if word.is_none() && !one.expectation.is_open() {
        let what = format!("the expected result of submission {}", one.id);
        let why =
            if subtasks > 1 { "task-maker expects a result in each subtask" } else { "task-maker has no word for it" };
        draft.leave_out(what, why);
    }
    match word.zip(comment_mark(ending)) {
        Some((word, mark)) => {
            super::labels::with_comment(draft, from, &path, &format!("{mark} @check-{word}: *"), constants)
        }
        None => draft.source(&path, from, constants),
    }
}

/// The word of task-maker for an accepted submission.
const ACCEPTED: &str = "accepted";

/// The word of task-maker for an expectation; none if it has none.
fn check_of(expectation: &Expectation) -> Option<&'static str> {
    if expectation.wants_all_accepted() {
        return Some(ACCEPTED);
    }
    let required = expectation.rules.iter().find(|rule| !rule.required.is_empty())?.required;
    let mut verdicts = required.iter();
    match (verdicts.next(), verdicts.next()) {
        (Some(Verdict::WrongAnswer), None) => Some("wrong-answer"),
        (Some(Verdict::TimeLimit), None) => Some("time-limit-exceeded"),
        (Some(Verdict::RunTimeError | Verdict::OutputLimit), None) => Some("runtime-error"),
        (Some(Verdict::MemoryLimit), None) => Some("memory-limit-exceeded"),
        (Some(Verdict::Accepted | Verdict::CompileError), None) => None,
        // Any failure.
        _ => Some("zero"),
    }
}

/// Writes the statement. CMS shows a PDF.
fn statement(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let mut others = Vec::new();
    for (file, path) in statement_files(subject.problem)? {
        match problem_file(&file) {
            Some((None | Some("en"), "pdf")) => draft.copy("statement/statement.pdf", &path),
            Some((None | Some("en"), "md")) => {
                draft.source("statement/english.md", &path, &subject.problem.additions.constants)?;
            }
            // Figures of the Markdown, which is beside them there too.
            None => draft.copy(&format!("statement/{file}"), &path),
            Some(_) => others.push(shown(subject.problem, &path)),
        }
    }
    if !draft.has("statement/statement.pdf") {
        draft.miss("statement/statement.pdf", "CMS shows a PDF");
    }
    let has_other = draft.has("statement/statement.pdf") || draft.has("statement/english.md");
    for other in others {
        if has_other {
            draft.leave_out(other, "grader writes the statement in English");
        } else {
            draft.lose(other, "CMS shows a PDF, and task-maker Markdown");
        }
    }
    Ok(())
}
