//! Joins the parts of a run: checks that they belong together and that none is missing, and passes on their events in
//! the order of the whole run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Shard;
use super::file::PartFile;
use super::mistake::{Mistake, Unlike, listed};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Event, HostFacts, HostShare, RunFacts, RunFinished, RunStarted, SubmissionIndex};
use crate::session::fingerprints::Fingerprints;
use crate::store::Key;

/// All parts of a run.
pub(crate) struct Merge {
    /// By their numbers.
    parts: Vec<PartFile>,
    /// The head of the run.
    head: RunStarted,
}

impl Merge {
    /// Reads the parts in a folder. Returns all mistakes, not only the first.
    pub(crate) fn open(dir: &Path) -> Result<Self, Vec<Mistake>> {
        let files = files_in(dir).map_err(|error| vec![Mistake::ReadFolder { dir: dir.to_owned(), error }])?;
        let Some(((first, sizes), others)) =
            files.split_first().map(|((path, shard), others)| ((path, shard.of), others))
        else {
            return Err(vec![Mistake::NoParts(dir.to_owned())]);
        };
        if let Some((other, shard)) = others.iter().find(|(_, shard)| shard.of != sizes) {
            let (one, other) = (first.clone(), other.clone());
            return Err(vec![Mistake::Sizes { one, of_one: sizes, other, of_other: shard.of }]);
        }
        let mut mistakes = Vec::new();
        let mut parts: Vec<PartFile> = Vec::new();
        for (path, shard) in &files {
            match PartFile::read(path) {
                Ok(Some(mut part)) if part.shard() == *shard => {
                    // A thousand heads of one run would fill the memory.
                    if parts.first().is_some_and(|first| first.head.run == part.head.run) {
                        part.head.whole.problems.clear();
                        part.head.contents = Fingerprints::default();
                    }
                    parts.push(part);
                }
                Ok(Some(part)) => mistakes.push(Mistake::Renamed { file: path.clone(), said: part.shard() }),
                Ok(None) => mistakes.push(Mistake::Empty(path.clone())),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        let there: BTreeSet<u32> = files.iter().map(|(_, shard)| shard.index).collect();
        let missing: Vec<u32> = (0..sizes).filter(|index| !there.contains(index)).collect();
        if !missing.is_empty() {
            mistakes.push(Mistake::Missing { of: sizes, missing });
        }
        let Some(first) = most_common(&parts) else { return Err(mistakes) };
        for part in &parts {
            let file = part.path.clone();
            let other = first.path.clone();
            if part.head.run != first.head.run {
                mistakes.push(Mistake::OtherRun { file, first: other, what: part.head.unlike(&first.head) });
            } else if part.end.is_none() || part.head.jobs.iter().any(|job| !part.blocks.contains_key(job)) {
                let done = part.blocks.len();
                let planned = part.head.jobs.len();
                mistakes.push(Mistake::Unfinished { shard: part.shard(), done, planned });
            }
        }
        if mistakes.is_empty() {
            mistakes.extend(contradictions(&parts));
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let head = head_of(&parts);
        Ok(Self { parts, head })
    }

    /// Warnings for readers of the merged run: the parts ran with different compilers, or on different processors.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut tools: BTreeMap<&str, BTreeMap<&str, Vec<u32>>> = BTreeMap::new();
        let mut machines: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for part in &self.parts {
            for (language, version) in &part.tools {
                tools.entry(language).or_default().entry(version).or_default().push(part.head.index);
            }
            let of_part: BTreeSet<&str> = part.attempts.iter().map(|begun| &*begun.measured.machine).collect();
            for machine in of_part {
                machines.entry(machine).or_default().push(part.head.index);
            }
        }
        let places = |of: &BTreeMap<&str, Vec<u32>>| {
            let place = |(what, parts): (&&str, &Vec<u32>)| {
                let more = if parts.len() > 1 { ", …" } else { "" };
                format!("{what} (part {}{more})", parts[0])
            };
            of.iter().map(place).collect::<Vec<_>>().join("; ")
        };
        let several = tools.iter().filter(|(_, versions)| versions.len() > 1);
        let mut warnings: Vec<String> = several
            .map(|(language, versions)| {
                format!("the parts have different versions of {language}: {}", places(versions))
            })
            .collect();
        let with = |limited: bool| {
            let parts = self.parts.iter().filter(|part| part.limits_memory() == Some(limited));
            let numbers: Vec<u32> = parts.map(|part| part.head.index).collect();
            (!numbers.is_empty()).then(|| listed(&numbers))
        };
        if let (Some(limited), Some(sampled)) = (with(true), with(false)) {
            warnings.push(format!(
                "the kernel limited memory in the parts {limited}, but it was only sampled in the parts {sampled}: a \
                 program of several processes near its memory limit may get another verdict there"
            ));
        }
        if machines.len() > 1 {
            warnings.push(format!("the parts ran on different processors, so times differ: {}", places(&machines)));
        }
        warnings
    }

    /// Passes every event of the run to `each`, in plan order.
    ///
    /// # Errors
    /// A file has changed since it was checked, or `each` failed.
    pub(crate) fn tell(&self, mut each: impl FnMut(Event) -> anyhow::Result<()>) -> anyhow::Result<()> {
        each(Event::RunStarted(self.head.clone()))?;
        for notice in self.notices(0) {
            each(Event::Notice(notice))?;
        }
        let at: BTreeMap<SubmissionIndex, usize> = self
            .parts
            .iter()
            .enumerate()
            .flat_map(|(at, part)| part.blocks.keys().map(move |submission| (*submission, at)))
            .collect();
        let mut open: Option<(usize, File)> = None;
        for (submission, at) in at {
            let part = &self.parts[at];
            let mut file = match open.take().filter(|(opened, _)| *opened == at) {
                Some((_, file)) => file,
                None => File::open(&part.path).map_err(|error| Mistake::Read { file: part.path.clone(), error })?,
            };
            for event in part.events(&mut file, &part.blocks[&submission])? {
                each(event)?;
            }
            open = Some((at, file));
        }
        let mut notices = self.notices(1);
        let place = |notice: &Diagnostic| {
            let problem = notice.problem.as_ref();
            self.head.problems.iter().position(|head| Some(&head.problem) == problem)
        };
        notices.sort_by_cached_key(|notice| (place(notice), notice.path.clone(), notice.message.clone()));
        for notice in notices {
            each(Event::Notice(notice))?;
        }
        let ends = || self.parts.iter().filter_map(|part| part.end.as_ref());
        let wall = ends().map(|end| end.wall).max().unwrap_or(Duration::ZERO);
        let others = ends().filter_map(|end| end.others).reduce(f64::max);
        each(Event::RunFinished(RunFinished { interrupted: false, measured: RunFacts::new(wall, others) }))
    }

    /// The notices of all parts, each once. `end`: 0 for those from the beginning, 1 for those from the end.
    fn notices(&self, end: usize) -> Vec<Diagnostic> {
        let mut notices: Vec<Diagnostic> = Vec::new();
        for notice in self.parts.iter().flat_map(|part| &part.notices[end]) {
            if !notices.contains(notice) {
                notices.push(notice.clone());
            }
        }
        notices
    }

    /// Whether the submissions are those of known students.
    pub(crate) fn is_of_class(&self) -> bool {
        self.head.is_of_class()
    }
}

/// A part of the run to which most parts belong.
fn most_common(parts: &[PartFile]) -> Option<&PartFile> {
    let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
    for part in parts {
        *counts.entry(part.head.run).or_default() += 1;
    }
    let most = counts.values().copied().max();
    parts.iter().find(|part| counts.get(&part.head.run).copied() == most)
}

/// The files of parts in a folder, by their numbers.
fn files_in(dir: &Path) -> std::io::Result<Vec<(PathBuf, Shard)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let shard = path.file_name().and_then(|name| name.to_str()).and_then(|name| {
            let (index, of) = name.strip_prefix("shard-")?.strip_suffix(".jsonl")?.split_once("-of-")?;
            let shard: Shard = format!("{index}/{of}").parse().ok()?;
            (shard.file_name() == name).then_some(shard)
        });
        files.extend(shard.map(|shard| (path, shard)));
    }
    files.sort_by_key(|(_, shard)| *shard);
    Ok(files)
}

/// Submissions that two parts judge differently, submissions without a result in any part, and parts that ran in
/// another layer of isolation.
fn contradictions(parts: &[PartFile]) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    let mut seen: BTreeMap<SubmissionIndex, &PartFile> = BTreeMap::new();
    let submissions = parts[0].head.whole.submissions();
    let name = |index: SubmissionIndex| format!("{}/{}", submissions[index].problem, submissions[index].submission);
    for part in parts {
        for (index, block) in &part.blocks {
            let Some(other) = seen.insert(*index, part) else { continue };
            let here = block.result.clone();
            let there = other.blocks[index].result.clone();
            if here != there {
                let file = part.path.clone();
                let other = other.path.clone();
                mistakes.push(Mistake::Disagree { file, other, submission: name(*index), here, there });
            }
        }
    }
    mistakes.extend(
        SubmissionIndex::each(0..submissions.len())
            .filter(|index| !seen.contains_key(index))
            .map(|index| Mistake::Nobody(name(index))),
    );
    let attempts = |part: &PartFile| part.attempts.first().map(|begun| begun.isolation.clone());
    let layers = parts.iter().filter_map(|part| Some((part, attempts(part)?)));
    let mut layers = layers.collect::<Vec<_>>().into_iter();
    if let Some((first, layer)) = layers.next() {
        for (part, other) in layers.filter(|(_, other)| *other != layer) {
            let what = Unlike::Isolation(other, layer.clone());
            mistakes.push(Mistake::OtherRun { file: part.path.clone(), first: first.path.clone(), what });
        }
    }
    mistakes
}

/// The head of the whole run: that of its parts, with the facts about all their hosts.
fn head_of(parts: &[PartFile]) -> RunStarted {
    let mut head = parts[0].head.whole.clone();
    let attempts = || parts.iter().flat_map(|part| &part.attempts);
    if let Some(first) = attempts().next() {
        (head.isolation, head.caveat) = (first.isolation.clone(), first.caveat.clone());
    }
    let machines: BTreeSet<&str> = attempts().map(|begun| &*begun.measured.machine).collect();
    let hosts = hosts_of(parts);
    head.measured = HostFacts {
        started: attempts().map(|begun| begun.measured.started.clone()).min().unwrap_or(head.measured.started),
        slots: hosts.iter().map(|host| host.slots).sum(),
        cores: hosts.iter().map(|host| host.cores).sum(),
        // Times of different processors cannot be compared, so the run has none of them.
        machine: if let [machine] = machines.into_iter().collect::<Vec<_>>()[..] {
            machine.to_owned()
        } else {
            String::new()
        },
        pool: String::new(),
        hosts,
    };
    head
}

/// The machines of the last attempts, each once: parts on one machine share its slots.
fn hosts_of(parts: &[PartFile]) -> Vec<HostShare> {
    let mut hosts: BTreeMap<String, HostShare> = BTreeMap::new();
    let last = |part: &'_ PartFile| part.attempts.last().map(|begun| begun.measured.hosts.clone());
    for host in parts.iter().filter_map(last).flatten() {
        let known = hosts.entry(host.name.clone()).or_insert_with(|| host.clone());
        (known.slots, known.cores) = (known.slots.max(host.slots), known.cores.max(host.cores));
    }
    hosts.into_values().collect()
}

impl Merge {
    /// A notice with a warning about the parts.
    pub(crate) fn notice(message: String) -> Diagnostic {
        Diagnostic::new(Severity::Warning, message)
    }
}
