//! Adds new test cases: reads them, chooses their places, computes their answers, and writes all or none.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::answers::{self, Accept, Answer, Disagreement};
use super::case_editor::{CaseEditor, CasePlace, answer_ending};
use super::draft::{Draft, PlacedCase, standing};
use super::refusal_log::Refusals;
use super::sources::{Intake, groups_of_folders, same};

use crate::diagnostic::Severity;
use crate::interrupt::Handlers;
use crate::package::cases::{Staging, check_name, files_of, move_all, next_name};
use crate::package::pairing;
use crate::package::puzzle;
use crate::problem::{Pairing, TestGroup};
use crate::suggest;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// A request to add test cases.
#[derive(Debug, Clone, Default)]
pub(crate) struct AddRequest {
    /// Files, folders or archives with cases, or `-` for standard input; an empty list means standard input.
    pub files: Vec<String>,
    /// The answer, if there is only one case: a file, or the text itself.
    pub answer: Option<String>,
    /// The name, if there is only one case.
    pub name: Option<String>,
    /// The group to add to, if given.
    pub group: Option<String>,
    /// Whether the group may be created.
    pub new_group: bool,
    /// Whether to add to the samples.
    pub sample: bool,
    /// A description of the case.
    pub note: Option<String>,
    /// The side to accept if answers differ.
    pub accept: Option<Accept>,
    /// The command as typed, which remedies repeat.
    pub command: String,
}

/// The added cases.
pub(crate) struct AddedCases {
    /// The problem as it was before.
    pub(crate) editor: CaseEditor,
    pub(crate) placed: Vec<PlacedCase>,
    /// The answer of each added case.
    pub(crate) answers: Vec<Answer>,
}

/// Adds all cases to the problem of the editor, or none. Calls `differ` for each case whose answers differ.
///
/// # Errors
/// The cases are invalid ([`EarlyEnd`]; the listener has the reasons), or files cannot be read or written.
pub(crate) fn add(
    workspace: &Workspace,
    editor: CaseEditor,
    request: &AddRequest,
    language: Option<&str>,
    differ: &mut dyn FnMut(&Disagreement<'_>) -> Result<()>,
) -> Result<AddedCases> {
    let mut refusals = Refusals::new(workspace);
    let group = target_group(request, &editor)?;
    let staging = Staging::new(&editor.data).context("cannot write test cases")?;
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    give_up_on_signal(handlers, &staging);
    let drafts = take(request, workspace, &staging, &mut refusals)?;
    handlers.cancels(|| ());
    let placed = place(request, &editor, &group, drafts, &staging, &mut refusals)?;
    refuse_duplicates(&editor, &placed, &mut refusals);
    refusals.settle()?;
    let editor = editor.timed(workspace)?;
    let asked = answers::AnswerSettings { accept: request.accept, language, command: &request.command, differ };
    let answers = answers::compute(asked, workspace, &editor, &placed, &staging, &mut refusals)?;
    refusals.settle()?;
    if let Some(signal) = handlers.signal() {
        return Err(EarlyEnd::Interrupted(signal).into());
    }
    write(request, &editor, &placed, &answers, &staging)?;
    Ok(AddedCases { editor, placed, answers })
}

/// Lets a signal end the process at once, because reading from a terminal or pipe cannot be cancelled. The staging
/// directory is removed.
fn give_up_on_signal(handlers: &Handlers, staging: &Staging) {
    let dir = staging.dir().to_owned();
    handlers.end_the_process(move || drop(fs::remove_dir_all(&dir)));
}

/// Reads every input of the request.
fn take(
    request: &AddRequest,
    workspace: &Workspace,
    staging: &Staging,
    refusals: &mut Refusals<'_>,
) -> Result<Vec<Draft>> {
    let standard = ["-".to_owned()];
    let words = if request.files.is_empty() { &standard[..] } else { &request.files };
    if words.iter().filter(|word| *word == "-").count() > 1 {
        bail!("standard input can be read only once");
    }
    if words.iter().any(|word| word == "-") && io::stdin().is_terminal() {
        refusals.notice(Severity::Info, None, "type the input; Ctrl-D on a new line ends it, Ctrl-C gives up", "");
    }
    let mut intake = Intake::new(staging, refusals);
    let mut drafts: Vec<Draft> = words.iter().flat_map(|word| intake.take(&workspace.start, word)).collect();
    for draft in &drafts {
        if fs::metadata(&draft.input)?.len() == 0 {
            refusals.case(&draft.source, "the input is empty", "a test case needs an input");
        } else if draft.is_typed && is_blank(&draft.input)? {
            let remedy = "a test case needs an input; if blank lines are the input, add them as a file";
            refusals.case(&draft.source, "the input is empty: it has only blank lines", remedy);
        }
    }
    if let Some(answer) = &request.answer {
        match &mut drafts[..] {
            [draft] if draft.given.is_none() => draft.given = Some(given_answer(workspace, answer, staging)?),
            [draft] => bail!("`--answer`: {} has an answer already", draft.source),
            [] => {}
            several => bail!("`--answer` is for one case, and there are {}", several.len()),
        }
    }
    Ok(drafts)
}

/// Whether a file holds only white space, as `echo '' | grader add` gives.
fn is_blank(path: &Path) -> io::Result<bool> {
    for byte in io::BufReader::new(fs::File::open(path)?).bytes() {
        if !byte?.is_ascii_whitespace() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The answer of `--answer`: the content of an existing file, otherwise the text itself with a final newline.
fn given_answer(workspace: &Workspace, answer: &str, staging: &Staging) -> Result<PathBuf> {
    let to = staging.path("given");
    let file = workspace.start.join(answer);
    let is_file = match file.metadata() {
        Ok(found) => found.is_file(),
        // A text that is too long for a file name, or contains a NUL, is not a file name.
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

/// The group for cases whose source determines none.
fn target_group(request: &AddRequest, editor: &CaseEditor) -> Result<String> {
    let groups = editor.group_names();
    let wanted =
        if request.sample { Some("sample") } else { request.group.as_deref().map(|group| group.trim_matches('/')) };
    if editor.is_plain() {
        return match wanted {
            Some(wanted) if !groups.contains(&wanted) => {
                bail!("{} is a plain folder, which has no group `{wanted}`\n  → omit the group", editor.problem.id)
            }
            wanted => Ok(wanted.or(groups.first().copied()).unwrap_or_default().to_owned()),
        };
    }
    if let Some(wanted) = wanted {
        let made = request.new_group || groups.contains(&wanted) || ["sample", "secret"].contains(&wanted);
        let parts: Vec<&str> = wanted.split('/').collect();
        let names_one = matches!(parts[..], ["sample" | "secret"] | ["secret", _]);
        let fits = groups.contains(&wanted)
            || parts.iter().all(|part| check_name(part).is_ok()) && (names_one || !request.new_group);
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
            editor.problem.id,
            below.join(" or --group ")
        );
    }
    let loose = editor.problem.groups.iter().any(|group| group.name.is_empty());
    Ok(if loose { "" } else { "secret" }.to_owned())
}

/// Chooses a group and a name for each case.
fn place(
    request: &AddRequest,
    editor: &CaseEditor,
    target: &str,
    drafts: Vec<Draft>,
    staging: &Staging,
    refusals: &mut Refusals<'_>,
) -> Result<Vec<PlacedCase>> {
    if let Some(name) = &request.name {
        check_name(name).map_err(|why| anyhow::anyhow!("`--name {name}`: {why}"))?;
        if drafts.len() > 1 {
            bail!("`--name` is for one case, and there are {}", drafts.len());
        }
    }
    let chosen = request.sample || request.group.is_some();
    let folders = match groups_of_folders(&drafts) {
        Ok(folders) if editor.is_plain() || chosen => folders.into_iter().map(|_| None).collect(),
        Ok(folders) => folders,
        Err(several) => {
            let remedy = "call the folders `sample` and `secret`, or add one folder at a time with --group";
            refusals.usage(&request.files.join(" "), &several.to_string(), remedy);
            return Ok(Vec::new());
        }
    };
    let mut names: HashMap<String, Vec<String>> = HashMap::new();
    let mut placed = Vec::new();
    for (mut draft, folder) in drafts.into_iter().zip(folders) {
        let is_alone = draft.companions.is_empty() && request.name.is_none();
        let known = editor.unanswered().find(|known| is_alone && same(&known.input(), &draft.input));
        if let Some(place) = known {
            draft.gather(&staging.path(&format!("case-{}", placed.len())), &place.name)?;
            let (group, case) = standing(editor, &draft, &place, refusals)?;
            placed.push(PlacedCase { draft, group, case, place, is_known: true, before: None });
            continue;
        }
        let known = editor.group(folder.as_deref().unwrap_or(target));
        // The inputs of all days lie together. A new case of this day is an example beside its programs.
        let is_elsewhere = editor.is_plain() && !known.dir.starts_with(&editor.problem.dir);
        let group = if is_elsewhere { TestGroup { dir: editor.problem.dir.clone(), ..known } } else { known };
        let taken = names.entry(group.name.to_string()).or_insert_with(|| {
            let known = editor.places().filter(|place| *place.group == *group.name);
            known.map(|place| place.name).collect()
        });
        let wanted = if draft.many { Some(&draft.name) } else { request.name.as_ref() };
        let (name, before) = if let Some(name) = wanted {
            (name.clone(), None)
        } else if is_elsewhere {
            let mut names = (1..).map(|number: u32| format!("example{number}"));
            let is_free = |name: &String| {
                !taken.contains(name) && files_of(&group.dir, name, false).unwrap_or_default().is_empty()
            };
            (names.find(is_free).unwrap_or_default(), None)
        } else {
            let is_puzzle = taken.iter().any(|name| puzzle::is_own(name));
            let first = match &*group.name {
                secret if secret.starts_with("secret") => "01",
                // In a folder of a puzzle, a number alone is not a name of an input.
                _ if group.naming.is_some() && is_puzzle => "example",
                _ => "1",
            };
            let known: Vec<&str> = taken.iter().map(String::as_str).collect();
            let next = next_name(&known, first);
            match &editor.problem.part {
                Some(part) if part.pairing == Pairing::Names => {
                    (pairing::new_name(&part.name, &next.name, &known), None)
                }
                _ => (next.name, next.before),
            }
        };
        if let Err(why) = check_name(&name) {
            refusals.usage(&draft.source, &format!("`{name}`: {why}"), "rename the files");
            continue;
        }
        let naming = editor.naming_of_new(&group)?;
        let place = CasePlace { group: group.name.to_string(), dir: group.dir.clone(), name, naming };
        if taken.contains(&place.name) {
            let remedy = if draft.many {
                "rename its files, or remove them if they are the same"
            } else {
                "choose another --name, or omit it to continue the numbering"
            };
            refusals.usage(&draft.source, &format!("a test {} exists already", place.id()), remedy);
            continue;
        }
        // If the directory is missing or unreadable, no conflict is visible. Moving never overwrites a file anyway.
        if let Some(file) = files_of(&place.dir, &place.name, false).unwrap_or_default().first() {
            refusals.usage(&draft.source, &format!("{} exists already", file.display()), "choose another --name");
            continue;
        }
        if request.note.is_some() && draft.companions.contains_key("yaml") {
            let message = format!("it has {}.yaml already, so --note cannot write that file", place.name);
            refusals.usage(&draft.source, &message, "write the `description` in that file");
            continue;
        }
        taken.push(place.name.clone());
        draft.gather(&staging.path(&format!("case-{}", placed.len())), &place.name)?;
        let (group, case) = standing(editor, &draft, &place, refusals)?;
        placed.push(PlacedCase { draft, group, case, place, is_known: false, before });
    }
    Ok(placed)
}

/// Refuses inputs that exist already, or that occur twice among the new ones.
fn refuse_duplicates(editor: &CaseEditor, placed: &[PlacedCase], refusals: &mut Refusals<'_>) {
    let mut by_size: BTreeMap<u64, Vec<(String, PathBuf)>> = BTreeMap::new();
    let size = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.len());
    for place in editor.places() {
        let input = place.input();
        by_size.entry(size(&input)).or_default().push((format!("the test {}", place.id()), input));
    }
    // Cases with files of their own may share an input, because those files may differ.
    for new in placed.iter().filter(|new| !new.is_known && !new.draft.has_files()) {
        let same_size = by_size.entry(size(&new.draft.input)).or_default();
        if let Some((known, _)) = same_size.iter().find(|(_, input)| same(input, &new.draft.input)) {
            refusals.case(&new.draft.source, &format!("the same input as {known}"), "");
        }
        same_size.push((new.draft.source.clone(), new.draft.input.clone()));
    }
}

/// Moves every file to its place, or none.
fn write(
    request: &AddRequest,
    editor: &CaseEditor,
    placed: &[PlacedCase],
    answers: &[Answer],
    staging: &Staging,
) -> Result<()> {
    let ending = answer_ending(&editor.problem);
    let mut moves = Vec::new();
    for (n, (new, answer)) in placed.iter().zip(answers).enumerate() {
        // The input comes after its companions: only with it, they become a case. The answer comes after the input;
        // `grader accept` creates a missing answer.
        for path in new.draft.gathered()? {
            let to = new.place.dir.join(path.file_name().unwrap_or_default());
            moves.push((path, to));
        }
        if !new.is_known {
            moves.push((new.draft.input.clone(), new.place.input()));
        }
        moves.push((answer.file.clone(), new.place.answer(ending)));
        if let Some(note) = &request.note {
            let file = staging.path(&format!("note-{n}"));
            fs::write(&file, yaml_serde::to_string(&BTreeMap::from([("description", note)]))?)?;
            moves.push((file, new.place.file("yaml")));
        }
    }
    match move_all(&moves) {
        // The names were free when they were chosen.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("nothing was written: another program has created {}\n  → add the case again", error.path.display())
        }
        done => done.context("nothing was written"),
    }
}
