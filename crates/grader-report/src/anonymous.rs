//! Reports without names (`--anonymous`): passes the events of a run on to other reporters, with pseudonyms in place of
//! students.
//!
//! Everything that a report shows comes from the events, and from the files that they name. So this is the only place
//! that must know where a name may be. The order of the submissions is that of the pseudonyms: otherwise it would be that
//! of the names. Texts that the programs or their authors wrote are searched for the names; what only the staff needs, such
//! as notices, is left out.

mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;

use super::document::write_private;
use super::file_diff::read;
use super::text::count;
use crate::course::LatePenalty;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{
    BuildResult, Event, Judgement, LeftOut, Override, ProblemHead, RosterStudent, RunStarted, Standing, SubmissionHead,
    SubmissionIndex, SubmissionRef, TestResult, ToolFacts, UnexpectedReason, UnjudgedReason,
};
use crate::problem::{ProblemId, SubmissionId};
use crate::record::{Recorder, Report, Reporter};
use names::Names;

/// A day, in seconds.
const LATE_DAY: u32 = 24 * 3600;
/// The name of the file that says who is who.
const KEY_FILE: &str = "pseudonyms.csv";
/// The most bytes of a kept file that reports can show.
const MOST_BYTES: u64 = 8 << 20;
/// The characters of a pseudonym's number. Among a thousand students, two are the same once in two million classes.
const DIGITS: usize = 10;

/// Passes a run on without names.
pub struct Anonymous {
    inner: Option<Recorder<'static>>,
    secret: [u8; 32],
    /// The programs that the record does not name, because they were in archives.
    sources: Sources,
    /// The folder of the file that says who is who.
    staff: PathBuf,
    events: Vec<Event>,
    /// The errors of reports that were not written.
    unwritten: Vec<Diagnostic>,
}

/// The files of submissions.
type Sources = BTreeMap<(ProblemId, SubmissionId), PathBuf>;

impl Anonymous {
    /// The reporters get the run when it is over. `staff` is the folder of the file that says who is who, and `sources` are
    /// the programs that the record does not name.
    pub fn new(reporters: Vec<Box<dyn Reporter>>, secret: [u8; 32], staff: PathBuf, sources: Sources) -> Self {
        let inner = Some(Recorder::new(reporters));
        Self { inner, secret, sources, staff, events: Vec::new(), unwritten: Vec::new() }
    }
}

impl Reporter for Anonymous {
    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        self.events.push(event.clone());
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        let (Some(mut inner), Some(head)) = (self.inner.take(), &report.head) else { return Ok(()) };
        let mask = Mask::new(head, &self.secret, &self.sources)?;
        write_private(&self.staff.join(KEY_FILE), &mask.key(head)?)?;
        inner.record(Event::RunStarted(mask.head(head)))?;
        if let Some(notice) = notice(report) {
            inner.record(Event::Notice(notice))?;
        }
        let mut events = std::mem::take(&mut self.events);
        // The events of a submission keep their order. The last event is about no submission.
        events.sort_by_key(|event| event.of().map_or(usize::MAX, |of| mask.submissions[of.index.0].of.index.0));
        for event in events {
            if let Some(masked) = mask.event(event) {
                inner.record(masked)?;
            }
        }
        (_, self.unwritten) = inner.finish()?;
        Ok(())
    }

    fn failures(&self) -> Vec<Diagnostic> {
        self.unwritten.clone()
    }
}

/// A submission without the name of its student.
struct MaskedSubmission {
    of: SubmissionRef,
    /// The student, or the submission itself if no student is known.
    student: String,
    /// The names of its files, each with its new name.
    files: Vec<(String, String)>,
    /// A copy of its program without names; none unless the program is one file.
    source: Option<PathBuf>,
}

/// Lateness in begun units of the rule, or in begun days: the minute may say who it is. The rule takes away the same.
fn begun(late: Duration, rule: Option<LatePenalty>) -> Duration {
    let unit = rule.map_or(LATE_DAY, |rule| rule.unit);
    let units = late.as_secs_f64() / f64::from(unit);
    Duration::from_secs_f64(units.ceil() * f64::from(unit))
}

/// The replacements for the students of a run.
struct Mask {
    /// The pseudonym of each student, by the student's name in reports.
    pseudonyms: BTreeMap<String, String>,
    /// The submissions by their position in the run.
    submissions: Vec<MaskedSubmission>,
    names: Names,
    secret: [u8; 32],
    /// Copies of files without names.
    copies: TempDir,
}

impl Mask {
    fn new(head: &RunStarted, secret: &[u8; 32], sources: &Sources) -> io::Result<Self> {
        let persons: BTreeMap<&str, &RosterStudent> =
            head.roster.iter().map(|person| (&*person.student, person)).collect();
        let planned = head.problems.iter().flat_map(|problem| &problem.submissions);
        let students: BTreeSet<&str> = planned
            .map(|submission| student_of(submission))
            .chain(head.roster.iter().map(|person| &*person.student))
            .chain(head.left_out.iter().map(|out| &*out.student))
            .chain(head.overrides.iter().map(|change| &*change.student))
            .collect();
        let mut names = Names::default();
        let mut pseudonyms = BTreeMap::new();
        for student in students {
            let person = persons.get(student);
            // The same student keeps the pseudonym, whatever an export calls the student.
            let pseudonym = pseudonym(secret, person.map_or(student, |person| &person.id));
            names.add(student, &pseudonym);
            for name in person.iter().flat_map(|person| [&person.id, &person.name]) {
                names.add(name, &pseudonym);
            }
            pseudonyms.insert(student.to_owned(), pseudonym);
        }
        names.finish().map_err(io::Error::other)?;
        let copies = tempfile::tempdir()?;
        let mut mask = Self { pseudonyms, submissions: Vec::new(), names, secret: *secret, copies };
        mask.submissions = mask.submissions_of(head, sources);
        Ok(mask)
    }

    fn submissions_of(&self, head: &RunStarted, sources: &Sources) -> Vec<MaskedSubmission> {
        let mut first = 0;
        let mut masked = Vec::new();
        for problem in &head.problems {
            let mut order: Vec<usize> = (0..problem.submissions.len()).collect();
            order.sort_by_key(|at| {
                let submission = &problem.submissions[*at];
                (self.pseudonym(student_of(submission)), submission.attempt)
            });
            let mut of_problem: Vec<(usize, MaskedSubmission)> = Vec::new();
            for (new, at) in order.into_iter().enumerate() {
                let submission = &problem.submissions[at];
                let student = student_of(submission);
                let pseudonym = self.pseudonym(student);
                let before = of_problem.iter().filter(|(_, other)| other.student == student).count();
                let number = if before > 0 { format!("-{}", before + 1) } else { String::new() };
                let index = SubmissionIndex(first + new);
                let path = Path::new(submission.submission.as_str());
                let known = sources.get(&(problem.problem.clone(), submission.submission.clone()));
                let recorded = known.or(submission.source.as_ref()).map(PathBuf::as_path);
                // A submission may be called like the folder of its student, which has no ending.
                let only_file = recorded.filter(|path| path.is_file()).and_then(|path| path.file_name()?.to_str());
                let ending = ending(only_file.unwrap_or(submission.submission.as_str()));
                let file = format!("{}{ending}", problem.problem);
                let name = format!("{pseudonym}/{}{number}{ending}", problem.problem);
                let real = [Some(path), recorded].into_iter().flatten().filter_map(Path::file_name);
                let mut files = vec![(submission.submission.to_string(), name.clone())];
                let real = real.map(|real| real.to_string_lossy().into_owned());
                // `a` would be found in every text.
                files.extend(real.filter(|real| real.len() > 3).map(|real| (real, file.clone())));
                files.sort_by_key(|(real, _)| std::cmp::Reverse(real.len()));
                let of = SubmissionRef { index, problem: problem.problem.clone(), submission: name.into() };
                let source = recorded.and_then(|path| self.copy(path, &format!("p{}", index.0), &file, &files));
                of_problem.push((at, MaskedSubmission { of, student: student.to_owned(), files, source }));
            }
            of_problem.sort_by_key(|(at, _)| *at);
            masked.extend(of_problem.into_iter().map(|(_, submission)| submission));
            first += problem.submissions.len();
        }
        masked
    }

    fn pseudonym(&self, student: &str) -> String {
        self.pseudonyms.get(student).cloned().unwrap_or_default()
    }

    fn pseudonyms_of(&self, students: &[String]) -> Vec<String> {
        let mut pseudonyms: Vec<String> = students.iter().map(|student| self.pseudonym(student)).collect();
        pseudonyms.sort();
        pseudonyms
    }

    /// Copies a file without names. None unless it is a regular file that can be read.
    fn copy(&self, path: &Path, folder: &str, name: &str, files: &[(String, String)]) -> Option<PathBuf> {
        // Without the copy, reports show less.
        fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        let bytes = read(path, 0, MOST_BYTES).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let masked = self.text(&text, files);
        let to = self.copies.path().join(folder);
        fs::create_dir_all(&to).ok()?;
        let to = to.join(name);
        fs::write(&to, if masked == text { &bytes } else { masked.as_bytes() }).ok()?;
        Some(to)
    }

    /// Copies the kept files of a test.
    fn kept(&self, stem: &Path, folder: &str, files: &[(String, String)]) -> Option<PathBuf> {
        let stem_name = stem.file_name()?.to_str()?;
        // Files that were removed are not shown.
        for entry in fs::read_dir(stem.parent()?).ok()?.flatten() {
            let name = entry.file_name();
            if let Some(name) =
                name.to_str().filter(|name| name.strip_prefix(stem_name).is_some_and(|r| r.starts_with('.')))
            {
                self.copy(&entry.path(), folder, name, files);
            }
        }
        Some(self.copies.path().join(folder).join(stem_name))
    }

    /// A text of a program, of its author or of a compiler, without names.
    fn text(&self, text: &str, files: &[(String, String)]) -> String {
        let replaced = files.iter().fold(text.to_owned(), |text, (real, name)| text.replace(real, name));
        self.names.replaced(&replaced)
    }

    /// The file that says who is who.
    fn key(&self, head: &RunStarted) -> io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["pseudonym", "student", "id", "name"])?;
        for (student, pseudonym) in &self.pseudonyms {
            let person = head.roster.iter().find(|person| person.student == *student);
            let [id, name] = person.map_or([""; 2], |person| [&person.id, &person.name]);
            writer.write_record([pseudonym, student, id, name])?;
        }
        writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }

    fn head(&self, head: &RunStarted) -> RunStarted {
        let mut first = 0;
        let problems = head.problems.iter().map(|problem| {
            let mut submissions: Vec<(usize, Arc<SubmissionHead>)> = Vec::new();
            for (at, submission) in problem.submissions.iter().enumerate() {
                let masked = &self.submissions[first + at];
                let head = SubmissionHead {
                    submission: masked.of.submission.clone(),
                    again: String::new(),
                    student: submission.student.as_deref().map(|student| self.pseudonym(student)),
                    authors: self.pseudonyms_of(&submission.authors),
                    // They name files.
                    remarks: Vec::new(),
                    submitted: None,
                    source: masked.source.clone(),
                    late: submission.late.map(|late| begun(late, problem.grading.late)),
                    ..SubmissionHead::clone(submission)
                };
                submissions.push((masked.of.index.0, Arc::new(head)));
            }
            submissions.sort_by_key(|(index, _)| *index);
            first += problem.submissions.len();
            let submissions = submissions.into_iter().map(|(_, head)| head).collect();
            Arc::new(ProblemHead { chosen_by: None, submissions, ..ProblemHead::clone(problem) })
        });
        let rule = head.problems.iter().find_map(|problem| problem.grading.late);
        let person = |person: &RosterStudent| {
            let pseudonym = self.pseudonym(&person.student);
            let student = pseudonym.clone();
            let id = pseudonym;
            let group = person.group.clone();
            // The name of a team may be those of its members.
            let team = person.team.as_deref().map(|team| self::pseudonym(&self.secret, &format!("team {team}")));
            RosterStudent {
                student,
                id,
                group,
                team,
                late: person.late.map(|late| begun(late, rule)),
                most: person.most,
                excused: person.excused.clone(),
                ..RosterStudent::default()
            }
        };
        let out = |out: &LeftOut| LeftOut {
            student: self.pseudonym(&out.student),
            text: format!("not judged: {}", out.why),
            ..out.clone()
        };
        let change = |change: &Override| Override {
            student: self.pseudonym(&change.student),
            reason: "decided by the staff".to_owned(),
            by: String::new(),
            ..change.clone()
        };
        let mut masked = RunStarted {
            problems: problems.collect(),
            roster: head.roster.iter().map(person).collect(),
            left_out: head.left_out.iter().map(out).collect(),
            overrides: head.overrides.iter().map(change).collect(),
            ..head.clone()
        };
        masked.roster.sort_by(|a, b| a.student.cmp(&b.student));
        masked.left_out.sort_by(|a, b| a.student.cmp(&b.student));
        masked.overrides.sort_by(|a, b| a.student.cmp(&b.student));
        masked
    }

    /// An event without names. None for those that were passed on already.
    fn event(&self, event: Event) -> Option<Event> {
        if matches!(event, Event::RunStarted(_) | Event::Notice(_)) {
            return None;
        }
        let Some(masked) = event.of().map(|of| &self.submissions[of.index.0]) else { return Some(event) };
        let text = |text: &str| self.text(text, &masked.files);
        let mut event = event.about(masked.of.clone());
        match &mut event {
            Event::Built(built) => match &mut built.result {
                BuildResult::Ready { measured, .. } => *measured = ToolFacts::default(),
                BuildResult::CompileError { message } | BuildResult::Failed { message } => *message = text(message),
                BuildResult::NotJudged { reason, .. } => *reason = text(reason),
            },
            Event::TestFinished(finished) => {
                let folder = format!("t{}-{}", masked.of.index.0, finished.test.ordinal.0);
                let kept = |stem: &Option<PathBuf>| self.kept(stem.as_deref()?, &folder, &masked.files);
                match &mut finished.result {
                    TestResult::Judged(judgement) => {
                        let files = kept(&judgement.files);
                        *judgement = Arc::new(Judgement { files, ..of_judgement(judgement, &text) });
                    }
                    TestResult::NotJudged { reason, files, .. } => {
                        *files = kept(files);
                        *reason = UnjudgedReason::from(text(reason.as_str()));
                    }
                    TestResult::JudgeError { message, .. } => *message = text(message),
                    TestResult::Cancelled => {}
                }
            }
            Event::SubmissionFinished(finished) => match &mut finished.result.standing {
                Standing::Missed { why } => *why = UnexpectedReason::from(text(&why.to_string())),
                Standing::NotJudged { reason } => *reason = text(reason),
                Standing::JudgeError { message } => *message = text(message),
                Standing::Met | Standing::Interrupted => {}
            },
            Event::RunStarted(_) | Event::Notice(_) | Event::TestSkipped(_) | Event::RunFinished(_) => {}
        }
        Some(event)
    }
}

/// The notice that replaces all others, which name files and students.
fn notice(report: &Report) -> Option<Diagnostic> {
    let worst = report.notices.iter().map(|notice| notice.severity).max().filter(|worst| *worst > Severity::Info)?;
    let left_out = count(report.notices.len(), "notice");
    Some(Diagnostic::new(worst, format!("{left_out} not shown, because they may name students")))
}

/// A judgement without names.
fn of_judgement(judgement: &Judgement, text: &dyn Fn(&str) -> String) -> Judgement {
    let mut masked = judgement.clone();
    for reason in [Some(&mut masked.reason), masked.measured.reason.as_mut()].into_iter().flatten() {
        let words = reason.to_string();
        let replaced = text(&words);
        // Reports know some reasons by more than their words.
        if replaced != words {
            *reason = replaced.into();
        }
    }
    for side in masked.difference.iter_mut().flat_map(|found| [&mut found.expected, &mut found.actual]) {
        side.change(|bytes| text(&String::from_utf8_lossy(bytes)).into_bytes());
    }
    masked.remarks.iter_mut().for_each(|remark| *remark = text(remark));
    for said in [&mut masked.feedback, &mut masked.team_message].into_iter().flatten() {
        *said = text(said);
    }
    masked
}

fn student_of(submission: &SubmissionHead) -> &str {
    submission.student.as_deref().unwrap_or(submission.submission.as_str())
}

/// The pseudonym of a student, which cannot be computed from the id without the secret. It is an identifier in programs.
fn pseudonym(secret: &[u8; 32], id: &str) -> String {
    let digest = blake3::keyed_hash(secret, id.as_bytes()).to_hex();
    format!("student_{}", &digest[..DIGITS])
}

/// The ending of a file's name with its dot, if it is one of a language.
fn ending(name: &str) -> String {
    let ending = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_plain = (1..=4).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain { format!(".{ending}") } else { String::new() }
}
