//! The common part of exports to judges with formats of their own: one program or comparison as judge, groups with points,
//! and statements as text.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::ExportError;
use super::comparison::{flags, words_of};
use super::draft::Draft;
use super::icpc::unstated_limits;
use super::judge_files::{JudgeFiles, judge_files};
use super::listing::{read, read_text, unicode};
use super::placed::{PlacedCase, plain};
use super::samples::{ShownSample, samples};
use super::statements::{problem_file, shown, statement_files};
use super::subject::Subject;
use crate::problem::{
    Aggregation, Checker, JudgingProgram, PackageLayout, Problem, ProblemKind, Program, Protocol, Scoring,
};

/// A file of a program: its name, and where it is.
pub(super) type ProgramFile = (String, PathBuf);

/// The comparison or program that judges outputs. The first file of a program is the one that is built. A lost program has no
/// files.
#[derive(Debug)]
pub(super) enum Judge {
    /// A built-in comparison.
    Comparison(Checker),
    /// A program with the protocol of the package format.
    Icpc(Vec<ProgramFile>),
    /// A checker of testlib.
    Testlib(Vec<ProgramFile>),
    /// A checker of CMS.
    Cms(Vec<ProgramFile>),
    /// An interactor of testlib.
    Interactor(Vec<ProgramFile>),
    /// It was reported that the judge cannot run it.
    None,
}

/// The program that sees what submissions print: the interactor, or the first output validator.
pub(super) fn first_judge(problem: &Problem) -> Option<&JudgingProgram> {
    problem.interactor.as_ref().or(problem.output_validators.first())
}

/// Reports a program that the judge does not run. For one that talks to submissions, with the consequence.
pub(super) fn lose_judge(problem: &Problem, draft: &mut Draft, judge: &JudgingProgram, why: &str) {
    let talks = problem.kind.is_interactive() && first_judge(problem).is_some_and(|first| std::ptr::eq(first, judge));
    let why = if talks { format!("{why}, and without it, every submission fails") } else { why.to_owned() };
    draft.lose(problem.name_of(&judge.program), why);
}

impl Judge {
    /// Reports that the target does not run the program.
    pub(super) fn lose(&self, problem: &Problem, draft: &mut Draft, why: &str) {
        if let Some(judge) = first_judge(problem).filter(|_| !matches!(self, Self::Comparison(_) | Self::None)) {
            lose_judge(problem, draft, judge, why);
        }
    }
}

/// Reports the features that none of these judges has.
pub(super) fn unexpressed(subject: &Subject<'_>, draft: &mut Draft, judge: &str) {
    let problem = subject.problem;
    unstated_limits(problem, draft);
    let none = format!("{judge} has none");
    if problem.kind.is_multi_pass() || problem.kind == ProblemKind::SubmitAnswer {
        draft.lose(problem.kind.name(), &*none);
    }
    if problem.static_validator.is_some() {
        draft.lose("static validation", &*none);
    }
    if problem.second_run.is_some() {
        draft.lose("two runs as on Codeforces", &*none);
    }
    if let Some(Scoring::Graded(_)) = problem.scoring {
        draft.lose("graders", &*none);
    }
    for (group, case) in problem.cases() {
        let setting = group.setting_of(case);
        if !setting.arguments.submission.is_empty() {
            draft.lose("arguments of submissions", &*none);
        }
        if !setting.arguments.output_validator.is_empty() && !subject.compares() {
            draft.lose("arguments of the output validator", &*none);
        }
        if !case.files().is_empty() {
            draft.lose("files beside submissions", &*none);
        }
        if subject.compares() && subject.checker(&setting) != subject.checker(&first(subject).unwrap_or(setting)) {
            draft.lose("different comparisons for some cases", &*none);
        }
    }
    for kind in [crate::problem::VisualizerKind::Input, crate::problem::VisualizerKind::Output] {
        if problem.visualizers.of(kind).is_some() {
            draft.leave_out(format!("{}/", kind.folder()), &*none);
        }
    }
    if problem.dir.join("generators").is_dir() || !subject.generators.is_empty() {
        draft.leave_out("generators/", format!("grader writes none for {judge}"));
    }
    if !problem.validation_cases.is_empty() {
        draft.leave_out("tests of checker and validators", none);
    }
}

/// Reports the programs that judges without jury solutions do not keep.
pub(super) fn without_programs(subject: &Subject<'_>, draft: &mut Draft, judge: &str) {
    let problem = subject.problem;
    if !problem.submissions.is_empty() {
        draft.leave_out("submissions/", format!("{judge} keeps no solutions with a problem"));
    }
    if !problem.input_validators.is_empty() {
        draft.leave_out("input_validators/", format!("{judge} does not check inputs"));
    }
}

fn first<'p>(subject: &Subject<'p>) -> Option<crate::problem::Setting<'p>> {
    subject.problem.cases().next().map(|(group, case)| group.setting_of(case))
}

/// Returns the comparison or program that judges the outputs of the problem. Reports programs that the judge cannot run.
pub(super) fn judge_of(subject: &Subject<'_>, draft: &mut Draft, judge: &str) -> Result<Judge, ExportError> {
    let problem = subject.problem;
    for other in problem.output_validators.iter().skip(1) {
        draft.lose(problem.name_of(&other.program), format!("a second output validator, and {judge} runs one"));
    }
    let is_testlib = |program: &JudgingProgram| matches!(subject.protocol(program), Protocol::Testlib(_));
    let mut files = |judging: &JudgingProgram| -> Result<Vec<ProgramFile>, ExportError> {
        if matches!(judging.program, Program::Scripts { .. }) {
            lose_judge(problem, draft, judging, &format!("{judge} runs no scripts that build programs"));
            return Ok(Vec::new());
        }
        let JudgeFiles { files, main } = judge_files(subject, draft, &judging.program);
        let mut named = Vec::new();
        for (name, from) in files {
            named.push((unicode(&name)?.to_owned(), from, name != main));
        }
        named.sort_by_key(|(.., is_other)| *is_other);
        Ok(named.into_iter().map(|(name, from, _)| (name, from)).collect())
    };
    let is_interactive = problem.kind.is_interactive();
    Ok(match (&problem.interactor, problem.output_validators.first()) {
        (None, None) => {
            Judge::Comparison(first(subject).map_or(Checker::default(), |setting| subject.checker(&setting)))
        }
        (Some(interactor), Some(checker)) => {
            let talks = files(interactor)?;
            draft.lose(
                problem.name_of(&checker.program),
                format!("a checker after the interactor, which {judge} does not run"),
            );
            Judge::Interactor(talks)
        }
        (Some(only), None) => Judge::Interactor(files(only)?),
        (None, Some(only)) if is_interactive && is_testlib(only) => Judge::Interactor(files(only)?),
        (None, Some(only)) if is_interactive => {
            lose_judge(problem, draft, only, &format!("{judge} runs interactors of testlib"));
            Judge::None
        }
        (None, Some(only)) if matches!(subject.protocol(only), Protocol::Dmoj(_)) => {
            draft.lose(
                problem.name_of(&only.program),
                format!("{judge} gets no checkers by the protocol of DMOJ from grader"),
            );
            Judge::None
        }
        (None, Some(only)) if is_testlib(only) => Judge::Testlib(files(only)?),
        (None, Some(only)) if subject.protocol(only) == Protocol::Cms => Judge::Cms(files(only)?),
        (None, Some(only)) => Judge::Icpc(files(only)?),
    })
}

/// A program in Python that compares as the default output validator does, without the lines that call it. Reports a
/// comparison that it cannot make.
pub(super) fn comparison(checker: Checker, draft: &mut Draft, judge: &str) -> Option<String> {
    let Some(flags) = flags(checker) else {
        draft.lose(
            format!("the comparison {}", words_of(checker)),
            format!("no checker that grader writes for {judge} compares so; write your own"),
        );
        return None;
    };
    Some(include_str!("compare.py").replace("@FLAGS@", &flags.join(" ")))
}

/// A group with points.
#[derive(Debug)]
pub(super) struct PointsGroup {
    /// The folder of its cases.
    pub(super) folder: String,
    /// The most points.
    pub(super) most: f64,
    pub(super) aggregation: Aggregation,
    /// The folders of the groups that must be accepted before.
    pub(super) requires: Vec<String>,
}

impl PointsGroup {
    /// The most points of a case in a group that adds up, which has this many cases: its own, otherwise an equal share.
    pub(super) fn points_of(&self, one: &PlacedCase<'_>, cases: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 cases")]
        let cases = cases.max(1) as f64;
        one.setting().points.unwrap_or(self.most / cases)
    }
}

/// The groups of a problem with points that have cases; none if it has no points. Reports points without a bound.
pub(super) fn group_points(subject: &Subject<'_>, draft: &mut Draft, judge: &str) -> Option<Vec<PointsGroup>> {
    let Some(Scoring::Points(tree)) = &subject.problem.scoring else { return None };
    let folder = |name: &str| name.split('/').map(plain).collect::<Vec<_>>().join("/");
    let mut groups = Vec::new();
    for (at, group) in tree.groups.iter().enumerate().filter(|(at, _)| tree.counts(*at)) {
        if tree.children(at).next().is_some() {
            if group.aggregation != Aggregation::Sum {
                draft.lose(format!("points of {}", group.name), format!("{judge} adds up the points of groups"));
            }
            continue;
        }
        let Some(most) = group.max_score else {
            draft.lose(format!("points of {}", group.name), format!("{judge} needs a bound"));
            continue;
        };
        let (needed, samples): (Vec<usize>, Vec<usize>) = group.require_pass.iter().partition(|at| tree.counts(**at));
        if !samples.is_empty() {
            draft.lose(format!("require_pass of {}", group.name), format!("the samples are no group of {judge}"));
        }
        groups.push(PointsGroup {
            folder: folder(&group.name),
            most,
            aggregation: group.aggregation,
            requires: needed.iter().map(|at| folder(&tree.groups[*at].name)).collect(),
        });
    }
    Some(groups)
}

/// How a judge shows statements as text: the headings of samples, the translations and the pictures.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextStatements {
    /// The name of the judge.
    pub(super) judge: &'static str,
    /// The words before the blocks with the input and the answer of a sample, of which there are many.
    pub(super) sample: fn(number: usize, is_input: bool) -> String,
    /// Whether it shows one statement in each language, and not one in all.
    pub(super) has_translations: bool,
    /// The directory of pictures, and how the text refers to a file there. None: the judge gets the text alone.
    pub(super) pictures: Option<(&'static str, &'static str)>,
}

/// The statement as text with the samples in it, in each language that the judge shows, with the code of the language: in
/// Markdown, otherwise plain; English first. Reports the others, and the files beside it that the judge does not get.
///
/// # Errors
/// It cannot be read.
pub(super) fn statement_texts(
    subject: &Subject<'_>,
    draft: &mut Draft,
    target: TextStatements,
) -> Result<Vec<(String, String)>, ExportError> {
    let judge = target.judge;
    let mut found: Vec<(usize, PathBuf, String)> = Vec::new();
    let mut others = Vec::new();
    let mut beside = Vec::new();
    for (file, path) in statement_files(subject.problem)? {
        match problem_file(&file) {
            Some((language, ending)) => match ["md", "txt"].iter().position(|known| *known == ending) {
                Some(rank) => {
                    let language = language.unwrap_or("en");
                    found.push((2 * rank + usize::from(language != "en"), path, language.to_owned()));
                }
                None => others.push(path),
            },
            None => beside.push(path),
        }
    }
    if found.is_empty() {
        for other in others {
            draft.lose(shown(subject.problem, &other), format!("{judge} shows statements in Markdown"));
        }
        return Ok(Vec::new());
    }
    found.sort();
    let mut texts: Vec<(PathBuf, String, String)> = Vec::new();
    for (_, path, language) in found {
        let is_known = texts.iter().any(|(_, known, _)| *known == language);
        if texts.is_empty() || target.has_translations && !is_known {
            let text = text_with_constants(subject, &path)?;
            texts.push((path, language, without_widths(subject, draft, text)));
        } else {
            others.push(path);
        }
    }
    for other in others {
        let why = if target.has_translations { " in each language" } else { "" };
        draft.leave_out(shown(subject.problem, &other), format!("{judge} shows one statement{why}"));
    }
    for figure in beside {
        put_figure(subject, draft, target, &figure, &mut texts);
    }
    let with_samples = |(_, language, text): (PathBuf, _, String)| -> Result<_, ExportError> {
        Ok((language, with_samples(subject, draft, &text, target)?))
    };
    texts.into_iter().map(with_samples).collect()
}

fn text_with_constants(subject: &Subject<'_>, path: &Path) -> Result<String, ExportError> {
    let text = read_text(path)?;
    let replaced = subject.problem.additions.constants.replace(text.as_bytes());
    let replaced = replaced.map_err(|error| ExportError::TooLarge { path: path.to_owned(), error })?;
    // Constants are text, so the result is, too.
    Ok(String::from_utf8_lossy(&replaced).into_owned())
}

/// A picture in Markdown with the width that the package format allows behind it: `![](map.png){width=40%}`.
static WIDTH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(!\[[^\]\n]*\]\([^)\n]*\))\{width=[^}\n]*\}").expect("it is a valid pattern"));

/// The text without the widths of pictures, which other judges would show as text.
fn without_widths(subject: &Subject<'_>, draft: &mut Draft, text: String) -> String {
    if !WIDTH.is_match(&text) {
        return text;
    }
    draft.leave_out(
        format!("widths of pictures in the statement of {}", subject.name),
        "only the package format has them",
    );
    WIDTH.replace_all(&text, "$1").into_owned()
}

/// Copies a picture to where the judge looks for it, and changes the links to it. A file without a link is lost.
fn put_figure(
    subject: &Subject<'_>,
    draft: &mut Draft,
    target: TextStatements,
    figure: &Path,
    texts: &mut [(PathBuf, String, String)],
) {
    let mut is_shown = false;
    for (path, _, text) in texts {
        let name = figure.strip_prefix(path.parent().unwrap_or(path)).ok().and_then(|name| name.to_str());
        let link = name.map(|name| format!("]({name})")).filter(|link| text.contains(link.as_str()));
        if let (Some(name), Some(link), Some((folder, prefix))) = (name, link, target.pictures)
            && !name.contains('/')
        {
            *text = text.replace(&link, &format!("{prefix}{name})"));
            if !is_shown {
                draft.copy(&format!("{folder}/{name}"), figure);
            }
            is_shown = true;
        }
    }
    if !is_shown {
        let why = format!("{} gets the text of the statement alone", target.judge);
        draft.lose(shown(subject.problem, figure), why);
    }
}

/// The most bytes of a sample in a text.
const MOST_OF_SAMPLE: u64 = 20_000;

/// The text of a sample; none if it is too long, or no text.
fn sample_text(file: &Path) -> Result<Option<String>, ExportError> {
    let failed = |error| ExportError::Read { path: file.to_owned(), error };
    if file.metadata().map_err(failed)?.len() > MOST_OF_SAMPLE {
        return Ok(None);
    }
    Ok(String::from_utf8(read(file).map_err(failed)?).ok())
}

/// The statement with the samples at their places, otherwise at its end, unless it has its own. Reports samples that are
/// no text or too long.
fn with_samples(
    subject: &Subject<'_>,
    draft: &mut Draft,
    text: &str,
    target: TextStatements,
) -> Result<String, ExportError> {
    // Statements of these layouts may have headings with their own examples, and those of Hydro such blocks.
    let announces = |line: &str| {
        let heading = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim_start());
        heading.is_some_and(|heading| ["Example", "Sample"].iter().any(|word| heading.starts_with(word)))
    };
    let with_headings = [PackageLayout::Native, PackageLayout::Dmoj, PackageLayout::Hydro];
    let has_headings = with_headings.contains(&subject.problem.layout);
    let has_own = text.lines().any(|line| has_headings && announces(line) || line.starts_with("```input"));
    let mut blocks = Vec::new();
    for (number, sample) in (1..).zip(if has_own { Vec::new() } else { samples(subject.problem)? }) {
        let files = match sample {
            ShownSample::Conversation(file) => vec![(format!("## Sample Interaction {number}\n\n```"), file)],
            ShownSample::Files { input, answer, .. } => {
                let block = |file, is_input| ((target.sample)(number, is_input), file);
                std::iter::once(block(input, true)).chain(answer.map(|answer| block(answer, false))).collect()
            }
        };
        let mut made = String::new();
        for (begin, file) in files {
            match sample_text(&file)? {
                Some(content) if !content.contains("```") => {
                    let end = if content.ends_with('\n') || content.is_empty() { "" } else { "\n" };
                    made.extend([&begin, "\n", &content, end, "```\n\n"]);
                    draft.say(&file);
                }
                _ => draft.leave_out(
                    format!("{} in the statement", shown(subject.problem, &file)),
                    "it is too long, or no text",
                ),
            }
        }
        blocks.push(made);
    }
    let mut blocks = blocks.into_iter();
    let mut pieces = text.split("{{nextsample}}");
    let mut made = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        made.extend(blocks.next());
        made += piece;
    }
    let rest = blocks.collect::<String>();
    if made.contains("{{remainingsamples}}") {
        return Ok(made.replacen("{{remainingsamples}}", &rest, 1));
    }
    Ok(if rest.is_empty() { made } else { format!("{}\n\n{}\n", made.trim_end(), rest.trim_end()) })
}
