//! Judging programs: from paths to submissions, from submissions to a run, from the run to a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::assign::{Assigned, Entry, Wanted, assign, problem_of};
use super::intake::{Intake, Item};
use super::layout::{Handed, Layout, Taken};
use super::out::{OutDir, OutWriter, Owner};
use super::pairing::Pattern;
use super::table::{Identical, show, show_identical, show_sum};
use super::{JudgeArgs, Problems, find_problems, key, only_problem, submission, wants_outputs};
use crate::cli::arguments::Setup;
use crate::cli::derive::{Derived, LimitsFrom, time_limits};
use crate::cli::exit::{ExitStatus, status_of_judging};
use crate::cli::notice::show_diagnostics;
use crate::cli::scratch::Scratch;
use crate::cli::select::near_file;
use crate::cli::session::{Conducted, HandedIn, Role, Session, Work};
use crate::cli::unpack::{holds_package, is_kattis_name, is_package};
use crate::event::{Command, Event, LeftOut};
use crate::package::archive::is_archive_name;
use crate::package::diagnostic::Diagnostic;
use crate::plan::Plan;
use crate::report::gradescope::ONE_STUDENT;
use crate::report::student::FeedbackLevel;
use crate::report::terminal::TerminalOptions;
use crate::store::{Key, Store};

/// Judges programs; in a submit-answer problem, the submissions are outputs.
pub(super) fn judge(args: &JudgeArgs, setup: Setup) -> Result<ExitStatus> {
    let scratch = Scratch::for_programs()?;
    let language = args.how.hand.language.language(&setup.languages)?;
    let layout = match args.layout.as_deref().map(|text| (text, Layout::parse(text))) {
        Some((text, Err(error))) => bail!("`--layout {text}`: {error}"),
        Some((_, Ok(layout))) => Some(layout),
        None => None,
    };
    let (word, paths) = split_words(args, &setup, layout.as_ref())?;
    let problems = find_problems(&setup, word.as_deref(), &args.told.test, &args.how.hand.checker)?;
    let named = layout.as_ref().is_some_and(Layout::names_problem);
    let only = if named && word.is_none() { None } else { Some(only_problem(&problems, &setup, word.as_deref())?) };
    let mut meant = only.map_or(0..problems.plan.problems.len(), |only| only..only + 1);
    if args.told.pattern.is_some() && !meant.any(|at| wants_outputs(&problems.plan.problems[at])) {
        bail!("`--pattern` is for output files and needs `--outputs`\n  → for programs use `--layout`");
    }
    let pattern = Pattern::parse(args.told.pattern.as_deref())?;
    let as_outputs = only.is_some_and(|only| wants_outputs(&problems.plan.problems[only]));
    let mut intake = Intake::new(scratch.path(), &setup.languages, language.as_deref());
    let is_problem =
        |name: &str| problem_of(&problems, None, Some(name)).is_some() || problems.errors_of(name).next().is_some();
    let mut taken = Vec::new();
    for path in &paths {
        taken.extend(take(&mut intake, &setup, path, layout.as_ref(), as_outputs, &is_problem));
    }
    if as_outputs {
        taken = with_files_together(taken);
    }
    let class = taken.iter().any(|(_, student)| *student);
    let wanted = Wanted { setup: &setup, problems: &problems, only, pattern: pattern.as_ref() };
    let Assigned { entries, left_out } = assign(&mut intake, taken, &wanted);
    let found = std::mem::take(&mut intake.found);
    if entries.is_empty() && left_out.is_empty() {
        show_diagnostics(&found, setup.paint);
        if found.iter().any(Diagnostic::is_error) {
            return Ok(ExitStatus::Usage);
        }
        bail!("none of these files is {}", if as_outputs { "an output" } else { "a program" });
    }
    let students: BTreeSet<_> = entries.iter().filter_map(|entry| entry.student.as_deref()).collect();
    if students.len() > 1 && args.told.report.is_for_one_student() {
        bail!("{ONE_STUDENT}\n  → for a class use `--out DIR` or `--report gradebook=FILE`");
    }
    let mut assigned = Assigned { entries, left_out };
    let (mut problems, mut found) = (problems, found);
    let limits_from = give_time_limits(&setup, &mut problems, &mut assigned, &mut found)?;
    let Assigned { entries, left_out } = assigned;
    let job = Job { args, setup, language, problems, entries, left_out, found, limits_from, class };
    job.run()
}

/// Gives a time limit to packages that state none. Of a problem that gets none nothing is judged.
fn give_time_limits(
    setup: &Setup,
    problems: &mut Problems,
    assigned: &mut Assigned,
    found: &mut Vec<Diagnostic>,
) -> Result<LimitsFrom> {
    let used: BTreeSet<usize> = assigned.entries.iter().map(|entry| entry.problem).collect();
    let mut plan = Plan::default();
    for at in &used {
        plan.add_part(&problems.plan, *at, &[], |_| true);
    }
    let Derived { plan, from, found: more } = time_limits(setup, plan)?;
    found.extend(more);
    let mut gone = BTreeSet::new();
    for at in used {
        let old = &mut problems.plan.problems[at].problem;
        match plan.problems.iter().find(|planned| planned.problem.id == old.id) {
            Some(planned) => old.clone_from(&planned.problem),
            None => drop(gone.insert(at)),
        }
    }
    let (judged, not): (Vec<Entry>, Vec<Entry>) =
        std::mem::take(&mut assigned.entries).into_iter().partition(|entry| !gone.contains(&entry.problem));
    assigned.entries = judged;
    assigned.left_out.extend(not.into_iter().map(|entry| LeftOut {
        student: entry.owner().to_owned(),
        problem: Some(problems.plan.problems[entry.problem].problem.id.clone()),
        why: "no time limit".to_owned(),
    }));
    Ok(from)
}

/// The problem, where one is named, and the paths.
fn split_words(args: &JudgeArgs, setup: &Setup, layout: Option<&Layout>) -> Result<(Option<String>, Vec<PathBuf>)> {
    let exists = |word: &String| !word.is_empty() && setup.start.join(word).exists();
    let (word, paths) = match (&args.problem, &args.words[..]) {
        (Some(problem), words) => (Some(problem.clone()), words),
        (None, [first, rest @ ..]) if !rest.is_empty() && is_problem(args, setup, layout, first)? => {
            (Some(first.clone()), rest)
        }
        (None, words) => (None, words),
    };
    // What may not be looked at is not missing.
    for path in paths {
        if let Err(error) = setup.start.join(path).metadata()
            && error.kind() != std::io::ErrorKind::NotFound
        {
            bail!("{path}: {error}\n  → make it readable");
        }
    }
    let missing: Vec<String> = paths.iter().filter(|path| !exists(path)).map(|path| format!("`{path}`")).collect();
    if missing.is_empty() && !paths.is_empty() {
        return Ok((word, paths.iter().map(PathBuf::from).collect()));
    }
    // Only to say it better: where problems cannot be searched, the path is missing all the same.
    if let [only] = paths
        && find_problems(setup, Some(only), &[], &args.how.hand.checker)
            .is_ok_and(|found| !found.plan.problems.is_empty())
    {
        bail!(
            "`{only}` is a problem, and nothing to judge is named\n  → name a program, a folder or an archive: grader \
             judge {only} PATH"
        );
    }
    let near = paths.iter().find_map(|path| near_file(&setup.start, path));
    let remedy = near.map(|near| format!("\n  → did you mean `{near}`?")).unwrap_or_default();
    bail!("no such file or directory: {}{remedy}", missing.join(", "))
}

/// Whether the first of several words means a problem, not a submission.
fn is_problem(args: &JudgeArgs, setup: &Setup, layout: Option<&Layout>, word: &str) -> Result<bool> {
    let path = setup.start.join(word);
    if path.exists() && layout.is_some_and(Layout::names_problem) {
        return is_called(args, setup, word, &path);
    }
    if is_kattis_name(&path) {
        return Ok(true);
    }
    if path.is_file() {
        return if is_package(&path) && holds_package(&path) { is_meant(args, setup, word) } else { Ok(false) };
    }
    // If problems cannot be searched, the search for the problem reports it.
    // What is neither is taken for a problem too: that it is none is then told with what is near.
    let is_one = |found: Problems| match &*found.plan.problems {
        [_] => true,
        // A broken problem is reported as such, not taken for a submission.
        [] => found.found.iter().any(|found| found.is_error() && found.problem.is_some()),
        _ => false,
    };
    Ok(!path.exists() || find_problems(setup, Some(word), &[], &args.how.hand.checker).is_ok_and(is_one))
}

/// Whether what is there and has the name of a problem is that problem; where it is something else, nothing says which of the
/// two is meant.
fn is_called(args: &JudgeArgs, setup: &Setup, word: &str, path: &Path) -> Result<bool> {
    // Then it is none that is known; the search that follows fails for the same reason, and says it.
    let Ok(found) = find_problems(setup, Some(word), &[], &args.how.hand.checker) else { return Ok(false) };
    let is_here = |dir: &Path| dir.starts_with(path);
    let is_itself = match &*found.plan.problems {
        [one] if one.problem.id.as_str() == word => is_here(&one.problem.dir),
        [] if found.errors_of(word).next().is_some() => found.errors_of(word).any(|found| is_here(&found.path)),
        _ => return Ok(false),
    };
    if !is_itself {
        let what = if path.is_dir() { "a folder" } else { "a file" };
        bail!(
            "`{word}` is a problem, and {what} here has the same name\n  → write --problem {word} for the problem, \
             ./{word} for the submission"
        );
    }
    Ok(true)
}

/// Whether an archive that holds a problem package is the problem. Somebody may hand in such a thing: where there is another
/// problem to judge by, nobody else's archive takes its place.
fn is_meant(args: &JudgeArgs, setup: &Setup, word: &str) -> Result<bool> {
    match find_problems(setup, None, &[], &args.how.hand.checker) {
        Ok(found) if !found.plan.problems.is_empty() => {
            let other = &found.plan.problems[0].problem.id;
            bail!(
                "`{word}` contains a problem package: it can be the problem or a submission\n  → name the problem: \
                 --problem {word} or --problem {other}"
            )
        }
        _ => Ok(true),
    }
}

/// What a path holds; whether it is known who handed it in. `as_outputs`: all of a path is one submission.
fn take(
    intake: &mut Intake<'_>,
    setup: &Setup,
    shown: &Path,
    layout: Option<&Layout>,
    as_outputs: bool,
    is_problem: &dyn Fn(&str) -> bool,
) -> Vec<(Taken, bool)> {
    let path: PathBuf = setup.start.join(shown).components().collect();
    if intake.refuses_link(&setup.start, shown) {
        return Vec::new();
    }
    let by_student = |taken: Vec<Taken>| taken.into_iter().map(|taken| (taken, true)).collect();
    if let Some(layout) = layout {
        let tree = Rc::new(intake.tree(&path, shown));
        return by_student(layout.take(intake, tree, shown, is_problem));
    }
    if path.is_file() && !is_archive_name(&path) {
        // The user named it, so it is a submission, whatever its name is; building or judging it reports what is wrong.
        if let Err(error) = File::open(&path) {
            intake.error(shown, error.to_string(), "make it readable");
            return Vec::new();
        }
        return vec![(Taken::of_path(shown, Handed::Files(vec![(path, shown.to_owned())])), false)];
    }
    if !path.is_dir() && !path.is_file() {
        let what = if as_outputs { "an output" } else { "a program" };
        let remedy = format!("name {what}, a folder or an archive");
        intake.error(shown, "is neither a file nor a directory", &remedy);
        return Vec::new();
    }
    let tree = Rc::new(intake.tree(&path, shown));
    if let Some(platform) = Layout::guess(&tree) {
        return by_student(platform.take(intake, tree, shown, is_problem));
    }
    if as_outputs {
        let whole = Item { below: PathBuf::new(), path, is_dir: true, archive: None };
        return vec![(Taken::of_path(shown, Handed::Item(tree, whole)), false)];
    }
    super::intake::many(intake, tree, shown).into_iter().map(|taken| (taken, false)).collect()
}

/// Outputs that were named one by one are one submission.
fn with_files_together(taken: Vec<(Taken, bool)>) -> Vec<(Taken, bool)> {
    let mut together: Vec<(PathBuf, PathBuf)> = Vec::new();
    let mut others = Vec::new();
    for (taken, has_student) in taken {
        match taken.handed {
            Handed::Files(files) => together.extend(files),
            _ => others.push((taken, has_student)),
        }
    }
    if let [(_, first), rest @ ..] = &together[..] {
        let name = if rest.is_empty() { first.clone() } else { format!("{} files", together.len()).into() };
        others.push((Taken::of_path(&name, Handed::Files(together)), false));
    }
    others
}

/// Everything that was decided before anything is run.
struct Job<'a> {
    args: &'a JudgeArgs,
    setup: Setup,
    language: Option<String>,
    problems: Problems,
    entries: Vec<Entry>,
    left_out: Vec<LeftOut>,
    found: Vec<Diagnostic>,
    limits_from: LimitsFrom,
    class: bool,
}

/// The plans: what is reported, and what runs.
struct Prepared {
    whole: Plan,
    work: Work,
    handed_in: Vec<HandedIn>,
    owners: BTreeMap<usize, Owner>,
    recalled: BTreeSet<usize>,
    identical: Vec<Identical>,
}

impl Job<'_> {
    fn run(self) -> Result<ExitStatus> {
        let out = match &self.args.out {
            Some(dir) => {
                let open = OutDir::open(self.setup.start.join(dir), self.setup.settings.store_dir());
                Some(open.with_context(|| format!("cannot make the directory {}", dir.display()))?)
            }
            None => None,
        };
        let level = self.args.told.report.feedback();
        let prepared = self.prepare(out.as_ref(), level)?;
        let Self { args, setup, language, mut problems, found, limits_from, class, left_out, .. } = self;
        let Prepared { whole, work, handed_in, owners, recalled, identical } = prepared;
        let options = TerminalOptions { class, ..args.told.show.terminal_options(&setup) };
        let mut reporters = args.told.report.reporters(&setup, options.clone())?;
        let counted = recalled.len();
        if let Some(out) = out {
            reporters.push(Box::new(OutWriter::new(out, owners, recalled, level, options.look())));
        }
        let judged = |found: &Diagnostic| {
            whole.problems.iter().any(|planned| found.problem.as_ref() == Some(&planned.problem.id))
        };
        problems.found.retain(judged);
        let found = [setup.settings.warnings.clone(), problems.found, found].concat();
        let plan = Arc::new(whole);
        let (role, work, told) = (Role::Asked(Command::Judge), Some(work), setup.clone());
        let session = Session {
            archives: problems.unpacked.archives.clone(),
            setup: told,
            role,
            options: args.how.again(),
            language,
            found,
            limits_from,
            plan,
            handed_in,
            left_out,
            work,
        };
        let Conducted { report, signal } = session.conduct(reporters)?;
        let stdout = !args.told.report.takes_stdout();
        let mut out: Box<dyn Write> =
            if stdout { Box::new(io::stdout().lock()) } else { Box::new(io::stderr().lock()) };
        if class && options.verbosity >= 0 {
            show(&mut *out, &report, &options, args.sort.into())?;
        }
        if options.verbosity >= 0 {
            show_identical(&mut *out, &identical, &options)?;
        }
        if class {
            show_sum(&mut *out, &report, counted, &options)?;
        }
        Ok(status_of_judging(&report, signal, args.told.exit_zero))
    }

    /// Sorts out what has to be run: not what is known, and of what is the same only one.
    fn prepare(&self, out: Option<&OutDir>, level: FeedbackLevel) -> Result<Prepared> {
        let store = out.map(|_| Store::open(&self.setup.settings.store_dir()).0);
        let intake = Intake::new(Path::new(""), &self.setup.languages, self.language.as_deref());
        let mut keys: BTreeMap<(usize, &str), Key> = BTreeMap::new();
        let mut prepared = Prepared {
            whole: Plan { all_tests: true, one_by_one: true, ..Plan::default() },
            work: Work { plan: Arc::default(), stands_for: Vec::new(), known: Vec::new() },
            handed_in: Vec::new(),
            owners: BTreeMap::new(),
            recalled: BTreeSet::new(),
            identical: Vec::new(),
        };
        let mut work = prepared.whole.clone();
        for (at, planned) in self.problems.plan.problems.iter().enumerate() {
            let entries: Vec<&Entry> = self.entries.iter().filter(|entry| entry.problem == at).collect();
            if entries.is_empty() {
                continue;
            }
            let first = prepared.whole.runs.len();
            let selected = positions(planned);
            let submissions = |entries: &[&Entry]| -> Vec<_> {
                let submission = |entry: &&Entry| (submission(entry.name.clone(), entry.program.clone()), false);
                entries.iter().map(submission).collect()
            };
            prepared.whole.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions(&entries));
            let mut same: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
            for (n, entry) in entries.iter().enumerate() {
                same.entry(entry.source).or_default().push(n);
            }
            for group in same.values().filter(|group| group.len() > 1) {
                let students = group.iter().map(|n| entries[*n].owner().to_owned()).collect();
                prepared.identical.push(Identical { problem: planned.problem.id.to_string(), students });
            }
            let mut to_run: Vec<(usize, Vec<usize>)> = Vec::new();
            for (n, entry) in entries.iter().enumerate() {
                let run = first + n;
                prepared.handed_in.push(HandedIn { student: entry.student.clone(), again: entry.again.clone() });
                if let (Some(out), Some(store)) = (out, &store) {
                    let language = intake.language_of(&entry.program).unwrap_or_default();
                    let problem = if let Some(key) = keys.get(&(at, language)) {
                        *key
                    } else {
                        let key = key::of_problem(&self.setup, planned, language, level, store);
                        let key = key.map_err(|why| anyhow::anyhow!("{}: {why}", planned.problem.id))?;
                        *keys.entry((at, language)).or_insert(key)
                    };
                    let key = key::of_result(&problem, &entry.source);
                    let others = same[&entry.source].iter().filter(|other| **other != n);
                    let identical = others.map(|other| entries[*other].owner().to_owned()).collect();
                    let owner = Owner { student: entry.owner().to_owned(), key, identical };
                    let known = out.recall(&owner.student, &prepared.whole.runs[run].run, &key, &planned.names);
                    prepared.owners.insert(run, owner);
                    if let Some(events) = known {
                        prepared.work.known.extend::<Vec<Event>>(events);
                        prepared.recalled.insert(run);
                        continue;
                    }
                }
                match to_run.iter_mut().find(|(one, _)| entries[*one].source == entry.source) {
                    Some((_, stands_for)) => stands_for.push(run),
                    None => to_run.push((n, vec![run])),
                }
            }
            let run: Vec<&Entry> = to_run.iter().map(|(n, _)| entries[*n]).collect();
            work.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions(&run));
            prepared.work.stands_for.extend(to_run.into_iter().map(|(_, runs)| runs));
        }
        prepared.work.plan = Arc::new(work);
        Ok(prepared)
    }
}

/// The positions of the selected tests among all of the problem.
pub(super) fn positions(planned: &crate::plan::PlannedProblem) -> BTreeSet<usize> {
    let names: BTreeSet<_> = planned.names.iter().collect();
    let tests = planned.problem.tests().enumerate();
    tests.filter(|(_, test)| names.contains(&test.id())).map(|(at, _)| at).collect()
}
