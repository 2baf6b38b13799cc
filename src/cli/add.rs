//! `grader add`: test cases, with answers by the reference.

mod answers;
mod draft;
mod intake;
mod kills;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::arguments::{HandArgs, LookArgs, Setup};
use super::cases::show::{Page, clean, labelled};
use super::cases::{Desk, Spot, answer_ending};
use super::exit::{Ended, ExitStatus};
use crate::event::Severity;
use crate::interrupt::Handlers;
use crate::package::cases::{Staging, check_name, files_of, move_all, next_name};
use crate::problem::{CaseInput, TestCase, TestGroup};
use crate::report::text::{Line, Style, quote};
use crate::suggest;

use answers::Answer;
use draft::{Draft, standing};
use intake::{Intake, groups_of_folders, same};

/// Up to so many cases are shown with their contents.
const SHOWN: usize = 4;
/// Names that are listed.
const LISTED: usize = 30;

/// Adds test cases: validates the input, computes the answer, and shows which wrong submissions fail
#[derive(Debug, Args)]
#[command(
    after_help = "Without --name, cases continue the numbering of their group; cases of a folder or a .zip keep \
    their names. grader overwrites nothing. It adds all cases or none.\n\nExit status: 0 added, 1 the case was \
    refused (a duplicate, rejected by a validator, answered differently), 2 usage, configuration or problem error, 3 \
    a validator is broken, 129/130/143 interrupted."
)]
pub(super) struct AddArgs {
    /// Problem name or folder
    problem: String,
    /// Inputs: files, folders or .zip archives with .in and .ans files, or `-` for standard input
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Give the answer (a file or the text itself); it must agree with the reference, if there is one
    #[arg(long, value_name = "FILE|TEXT")]
    answer: Option<String>,
    /// Name the case
    #[arg(long)]
    name: Option<String>,
    /// Add to this group, such as `secret/large` [default: secret]
    #[arg(long)]
    group: Option<String>,
    /// Create the group if it does not exist
    #[arg(long, requires = "group")]
    new_group: bool,
    /// Add to the samples
    #[arg(long, conflicts_with = "group")]
    sample: bool,
    /// Describe the case; stored as its `description`
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Choose the right answer if the two differ
    #[arg(long, value_name = "WHICH", value_enum)]
    accept: Option<Accept>,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HandArgs,
    #[command(flatten, next_help_heading = "Display options")]
    look: LookArgs,
}

/// Whose answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Accept {
    /// The output of the reference
    Reference,
    /// The answer that you gave
    Answer,
}

/// A case with its place.
struct Placed {
    draft: Draft,
    /// Its group, with the directory that the case is staged in.
    group: TestGroup,
    case: TestCase,
    spot: Spot,
    /// The first case that is judged after it, where its number does not make it the last.
    before: Option<String>,
}

impl Placed {
    /// Its input where it is staged, with what programs find on it.
    fn input(&self) -> CaseInput<'_> {
        CaseInput { path: self.draft.input.clone(), ..self.group.case_input(&self.case) }
    }
}

/// Why nothing is added.
struct Refusals {
    page: Page,
    status: Option<ExitStatus>,
}

impl Refusals {
    fn are_none(&self) -> bool {
        self.status.is_none()
    }

    /// Something is wrong with what was typed or read.
    fn usage(&mut self, source: &str, message: &str, remedy: &str) {
        self.page.notice(Severity::Error, Some(source), message, remedy);
        self.status = Some(ExitStatus::Usage);
    }

    /// The case is none that can be added.
    fn case(&mut self, source: &str, message: &str, remedy: &str) {
        self.page.notice(Severity::Error, Some(source), message, remedy);
        self.status.get_or_insert(ExitStatus::Unexpected);
    }

    /// Ends here if anything was refused.
    fn settle(&self) -> Result<()> {
        let Some(status) = self.status else { return Ok(()) };
        self.page.notice(Severity::Info, None, "nothing was written", "");
        Err(Ended(status).into())
    }
}

/// Adds, and returns how the process ends.
pub(super) fn run(args: &AddArgs) -> Result<ExitStatus> {
    let setup = Setup::new(args.look.add_to(args.how.options()))?;
    let language = args.how.language.language(&setup.languages)?;
    let desk = Desk::open(&setup, &args.problem)?.judged_by(args.how.checker.output_validator(&setup.start)?)?;
    let page = Page::new(&setup);
    let mut refusals = Refusals { page, status: None };
    let group = target_group(args, &desk)?;
    let staging = Staging::new(&desk.data).context("cannot write test cases")?;
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    give_up_on_signal(handlers, &staging);
    let drafts = take(args, &setup, &staging, &mut refusals)?;
    handlers.cancels(|| ());
    let placed = place(args, &desk, &group, drafts, &staging, &mut refusals)?;
    refuse_duplicates(&desk, &placed, &mut refusals);
    refusals.settle()?;
    let desk = desk.timed(&setup)?;
    let answers = answers::compute(args.accept, &setup, &desk, language.as_deref(), &placed, &staging, &mut refusals)?;
    refusals.settle()?;
    if let Some(signal) = handlers.signal() {
        return Err(Ended(ExitStatus::Interrupted(signal)).into());
    }
    write(args, &desk, &placed, &answers, &staging)?;
    show(&page, &desk, &placed, &answers)?;
    kills::tell(&setup, &desk, language, &page, &placed)
}

/// Reading from a terminal or a pipe cannot be cancelled: the process ends here, and leaves nothing behind.
fn give_up_on_signal(handlers: &Handlers, staging: &Staging) {
    let dir = staging.dir().to_owned();
    handlers.end_the_process(move || drop(fs::remove_dir_all(&dir)));
}

/// Reads every input that was named.
fn take(args: &AddArgs, setup: &Setup, staging: &Staging, refusals: &mut Refusals) -> Result<Vec<Draft>> {
    let standard = ["-".to_owned()];
    let words = if args.files.is_empty() { &standard[..] } else { &args.files };
    if words.iter().filter(|word| *word == "-").count() > 1 {
        bail!("standard input can be read only once");
    }
    if words.iter().any(|word| word == "-") && io::stdin().is_terminal() {
        refusals.page.notice(Severity::Info, None, "type the input; Ctrl-D on a new line ends it, Ctrl-C gives up", "");
    }
    let mut intake = Intake::new(staging, refusals);
    let mut drafts: Vec<Draft> = words.iter().flat_map(|word| intake.take(&setup.start, word)).collect();
    for draft in &drafts {
        if fs::metadata(&draft.input)?.len() == 0 {
            refusals.case(&draft.source, "the input is empty", "a test case needs an input");
        }
    }
    if let Some(answer) = &args.answer {
        match &mut drafts[..] {
            [draft] if draft.given.is_none() => draft.given = Some(given_answer(setup, answer, staging)?),
            [draft] => bail!("`--answer`: {} has an answer already", draft.source),
            [] => {}
            several => bail!("`--answer` is for one case, and there are {}", several.len()),
        }
    }
    Ok(drafts)
}

/// `--answer`: a file that exists, otherwise the text, with the newline that a shell leaves out.
fn given_answer(setup: &Setup, answer: &str, staging: &Staging) -> Result<PathBuf> {
    let to = staging.path("given");
    let file = setup.start.join(answer);
    let is_file = match file.metadata() {
        Ok(found) => found.is_file(),
        // A text is no name: what is too long for one, or holds a NUL, names no file.
        Err(error) if matches!(error.kind(), NotFound | NotADirectory | InvalidFilename | InvalidInput) => false,
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    if is_file {
        fs::copy(&file, &to).with_context(|| format!("cannot read {}", file.display()))?;
        return Ok(to);
    }
    let looks_like_file = [".ans", ".out", ".txt"].iter().any(|ending| answer.ends_with(ending));
    if looks_like_file && !answer.contains(char::is_whitespace) {
        bail!("`--answer {answer}`: there is no such file");
    }
    let newline = if answer.ends_with('\n') { "" } else { "\n" };
    fs::write(&to, format!("{answer}{newline}"))?;
    Ok(to)
}

/// The group for cases that name none.
fn target_group(args: &AddArgs, desk: &Desk) -> Result<String> {
    let groups = desk.group_names();
    let wanted = if args.sample { Some("sample") } else { args.group.as_deref().map(|group| group.trim_matches('/')) };
    if desk.is_plain() {
        return match wanted {
            Some(wanted) if !groups.contains(&wanted) => {
                bail!("{} is a plain folder, which has no group `{wanted}`\n  → omit the group", desk.problem.id)
            }
            wanted => Ok(wanted.or(groups.first().copied()).unwrap_or_default().to_owned()),
        };
    }
    if let Some(wanted) = wanted {
        let made = args.new_group || groups.contains(&wanted) || ["sample", "secret"].contains(&wanted);
        let parts: Vec<&str> = wanted.split('/').collect();
        let names_one = matches!(parts[..], ["sample" | "secret"] | ["secret", _]);
        let fits = groups.contains(&wanted)
            || parts.iter().all(|part| check_name(part).is_ok()) && (names_one || !args.new_group);
        return match (fits, made) {
            (false, _) => {
                bail!("`{wanted}` cannot be the name of a group\n  → write `sample`, `secret` or `secret/NAME`")
            }
            (true, true) => Ok(wanted.to_owned()),
            (true, false) => {
                let hint = suggest::hint(wanted, groups.iter().copied());
                let known = if groups.is_empty() { "none".to_owned() } else { groups.join(", ") };
                bail!("no group is called `{wanted}`{hint}\n  there are: {known}\n  → create it: --new-group")
            }
        };
    }
    if groups.contains(&"secret") {
        return Ok("secret".to_owned());
    }
    let below: Vec<&str> = groups.iter().copied().filter(|group| group.starts_with("secret/")).collect();
    if !below.is_empty() {
        bail!(
            "{} has its secret cases in groups\n  → name one: --group {}",
            desk.problem.id,
            below.join(" or --group ")
        );
    }
    let loose = desk.problem.groups.iter().any(|group| group.name.is_empty());
    Ok(if loose { "" } else { "secret" }.to_owned())
}

/// Gives each case its group and name.
fn place(
    args: &AddArgs,
    desk: &Desk,
    target: &str,
    drafts: Vec<Draft>,
    staging: &Staging,
    refusals: &mut Refusals,
) -> Result<Vec<Placed>> {
    if let Some(name) = &args.name {
        check_name(name).map_err(|why| anyhow::anyhow!("`--name {name}`: {why}"))?;
        if drafts.len() > 1 {
            bail!("`--name` is for one case, and there are {}", drafts.len());
        }
    }
    let chosen = args.sample || args.group.is_some();
    let folders = match groups_of_folders(&drafts) {
        Ok(folders) if desk.is_plain() || chosen => folders.into_iter().map(|_| None).collect(),
        Ok(folders) => folders,
        Err(message) => {
            let remedy = "call the folders `sample` and `secret`, or add one folder at a time with --group";
            refusals.usage(&args.files.join(" "), &message, remedy);
            return Ok(Vec::new());
        }
    };
    let mut names: HashMap<String, Vec<String>> = HashMap::new();
    let mut placed = Vec::new();
    for (mut draft, folder) in drafts.into_iter().zip(folders) {
        let group = desk.group(folder.as_deref().unwrap_or(target));
        let taken = names
            .entry(group.name.to_string())
            .or_insert_with(|| group.cases.iter().map(|case| case.name.to_string()).collect());
        let wanted = if draft.many { Some(&draft.name) } else { args.name.as_ref() };
        let (name, before) = if let Some(name) = wanted {
            (name.clone(), None)
        } else {
            let first = if group.name.starts_with("secret") { "01" } else { "1" };
            let next = next_name(&taken.iter().map(String::as_str).collect::<Vec<_>>(), first);
            (next.name, next.before)
        };
        if let Err(why) = check_name(&name) {
            refusals.usage(&draft.source, &format!("`{name}`: {why}"), "rename the files");
            continue;
        }
        let spot = Spot { group: group.name.to_string(), dir: group.dir.clone(), name };
        if taken.contains(&spot.name) {
            let remedy = if draft.many {
                "rename its files, or remove them if they are the same"
            } else {
                "choose another --name, or omit it to continue the numbering"
            };
            refusals.usage(&draft.source, &format!("a test {} exists already", spot.id()), remedy);
            continue;
        }
        // In a directory that is not there, or cannot be read, nothing is known to be in the way; moving never overwrites.
        if let Some(file) = files_of(&spot.dir, &spot.name, false).unwrap_or_default().first() {
            refusals.usage(&draft.source, &format!("{} exists already", file.display()), "choose another --name");
            continue;
        }
        if args.note.is_some() && draft.companions.contains_key("yaml") {
            let message = format!("it has {}.yaml already, so --note cannot write that file", spot.name);
            refusals.usage(&draft.source, &message, "write the `description` in that file");
            continue;
        }
        taken.push(spot.name.clone());
        draft.gather(&staging.path(&format!("case-{}", placed.len())), &spot.name)?;
        let (group, case) = standing(desk, &draft, &spot, refusals)?;
        placed.push(Placed { draft, group, case, spot, before });
    }
    Ok(placed)
}

/// Inputs that exist already, or twice among the new ones.
fn refuse_duplicates(desk: &Desk, placed: &[Placed], refusals: &mut Refusals) {
    let mut by_size: BTreeMap<u64, Vec<(String, PathBuf)>> = BTreeMap::new();
    let size = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.len());
    for spot in desk.spots() {
        let input = spot.file("in");
        by_size.entry(size(&input)).or_default().push((format!("the test {}", spot.id()), input));
    }
    // The same input may come with other files.
    for new in placed.iter().filter(|new| !new.draft.has_files()) {
        let same_size = by_size.entry(size(&new.draft.input)).or_default();
        if let Some((known, _)) = same_size.iter().find(|(_, input)| same(input, &new.draft.input)) {
            refusals.case(&new.draft.source, &format!("the same input as {known}"), "");
        }
        same_size.push((new.draft.source.clone(), new.draft.input.clone()));
    }
}

/// Puts every file in its place, or none.
fn write(args: &AddArgs, desk: &Desk, placed: &[Placed], answers: &[Answer], staging: &Staging) -> Result<()> {
    let ending = answer_ending(&desk.problem);
    let mut moves = Vec::new();
    for (n, (new, answer)) in placed.iter().zip(answers).enumerate() {
        // The answer last: should the machine stop before it, `grader accept` makes it; nothing is a case without an input.
        for path in new.draft.gathered()? {
            let to = new.spot.dir.join(path.file_name().unwrap_or_default());
            moves.push((path, to));
        }
        moves.push((new.draft.input.clone(), new.spot.file("in")));
        moves.push((answer.file.clone(), new.spot.file(ending)));
        if let Some(note) = &args.note {
            let file = staging.path(&format!("note-{n}"));
            fs::write(&file, yaml_serde::to_string(&BTreeMap::from([("description", note)]))?)?;
            moves.push((file, new.spot.file("yaml")));
        }
    }
    match move_all(&moves) {
        // Names were free when they were chosen.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("nothing was written: another program has created {}\n  → add the case again", error.path.display())
        }
        done => done.context("nothing was written"),
    }
}

/// What was written.
fn show(page: &Page, desk: &Desk, placed: &[Placed], answers: &[Answer]) -> Result<()> {
    let mut lines = Vec::new();
    let brief = placed.len() > SHOWN;
    for (new, answer) in placed.iter().zip(answers).take(LISTED) {
        let id = clean(&new.spot.id());
        lines.push(Line::new().with("✓ ", Style::GOOD).with("added ", Style::PLAIN).with(&id, Style::STRONG));
        if brief {
            continue;
        }
        lines.extend(page.file("input", &new.spot.file("in")));
        if answer.shown {
            lines.extend(page.file("answer", &new.spot.file(answer_ending(&desk.problem))));
        }
        if !new.draft.companions.is_empty() {
            let endings: Vec<String> = new.draft.companions.keys().map(|ending| format!(".{ending}")).collect();
            lines.push(labelled("with", &clean(&endings.join(", "))));
        }
        lines.push(labelled("by", &clean(&answer.by)));
        if !answer.agreeing.is_empty() {
            lines.push(labelled("agree", &clean(&answer.agreeing.join(", "))));
        }
        if let Some(before) = &new.before {
            let text = format!("before {before}: tests are judged in the order of their names as text");
            lines.push(labelled("judged", &clean(&text)));
        }
    }
    if placed.len() > LISTED {
        lines.push(Line::from(format!("… {} cases in all", placed.len()).as_str()));
    }
    page.print(&lines)?;
    Ok(())
}

/// The words of a command that was typed, to be typed again with more.
fn again(more: &str) -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| quote(&word.to_string_lossy())).collect();
    format!("grader {} {more}", words.join(" "))
}
