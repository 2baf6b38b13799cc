//! `grader gen`: makes the test cases that `generators/generators.yaml` lists.

mod files;
mod make;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::arguments::{AloneArgs, Color, Setup};
use super::cases::{answer_ending, problem_with_data};
use super::exit::{Ended, ExitStatus};
use super::hand::by_hand;
use super::notice::{show_diagnostics, show_notice};
use super::output::clean;
use super::surroundings;
use super::verify::build_input_validators;
use crate::config::Options;
use crate::discover::select::tests_named;
use crate::engine::workbench::Workbench;
use crate::event::{Notice, Severity};
use crate::package::cases::Staging;
use crate::package::diagnostic::Diagnostic;
use crate::package::generators::{FILE, Generators, GroupFile, Recipe, Shape};
use crate::problem::{Layout, Problem};
use crate::report::text::{Line, Style, quote};
use files::{Changes, Shelf};
use make::Maker;
pub(super) use make::{Fault, build_generator, generate};

/// Generates the test cases listed in generators/generators.yaml
#[derive(Debug, Args)]
#[command(
    name = "gen",
    visible_alias = "generate",
    after_help = "The file uses the format of BAPCtools; docs/generators.md lists the supported keys. Cases that it \
    does not list stay unchanged.\n\nExit status: 0 everything is generated, 1 with --check: some files differ from \
    the generated ones, 2 usage or problem error, a generator fails or a validator rejects, 3 a validator is broken, \
    129/130/143 interrupted."
)]
pub(super) struct GenerateArgs {
    /// Problem name or folder
    problem: String,
    /// Generate only these cases: a name, a group, a prefix or a glob
    tests: Vec<String>,
    /// Write nothing; fail if the files on disk differ from the generated ones
    #[arg(long)]
    check: bool,
    /// Also remove cases that are not listed; with --check, fail if there are any
    #[arg(long, conflicts_with = "tests")]
    clean: bool,
    /// Also replace files that were changed by hand
    #[arg(long)]
    force: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

/// Makes them, and returns how the process ends.
pub(super) fn run(args: &GenerateArgs) -> Result<ExitStatus> {
    let setup = Setup::new(Options { color: args.color.map(Into::into), ..args.alone.options() })?;
    let (problem, root) = problem_with_data(&setup, &args.problem)?;
    let mut generators = recipes_of(&setup, &problem)?;
    if !args.tests.is_empty() {
        narrow(&mut generators, &args.tests)?;
    }
    by_hand(&setup, [&*problem.dir], |bench| {
        let validators = build_input_validators(bench, &problem, setup.paint)?;
        let staging = if args.check { None } else { Some(Staging::new(&root).context("cannot write test cases")?) };
        let (shape, store) = (shape_of(&problem), &bench.workshop.store);
        let shelf = Shelf { root, staging, shape, store, force: args.force };
        let maker = Maker::new(&problem, &shelf.root, &generators, validators)?;
        let mut making = Making {
            args,
            setup: &setup,
            problem: &problem,
            generators: &generators,
            shelf,
            counts: Counts::default(),
        };
        making.everything(bench, maker)
    })
}

/// Keeps the cases that were named, and the files of the groups that they are in.
fn narrow(generators: &mut Generators, tests: &[String]) -> Result<()> {
    let names: Vec<&str> = generators.recipes.iter().map(|recipe| recipe.name.as_str()).collect();
    let meant = match tests_named(&names, tests) {
        Ok(meant) => meant,
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(|error| format!("{error} in {FILE}")).collect();
            bail!("{}", errors.join("\nerror: "))
        }
    };
    let mut at = 0..;
    generators.recipes.retain(|_| at.next().is_some_and(|at| meant.contains(&at)));
    let Generators { groups, recipes, .. } = generators;
    groups.retain(|group| {
        let dir = group.path.parent().unwrap_or(Path::new(""));
        recipes.iter().any(|recipe| Path::new(&recipe.name).starts_with(dir))
    });
    Ok(())
}

/// Whether the file lists groups: a plain folder whose cases are in one directory has none.
fn shape_of(problem: &Problem) -> Shape {
    let flat = problem.groups.iter().all(|group| group.name.is_empty());
    if problem.layout == Layout::Plain && flat { Shape::Flat } else { Shape::Groups }
}

/// What the file lists; everything that is wrong with it is shown before this fails.
pub(super) fn recipes_of(setup: &Setup, problem: &Problem) -> Result<Generators> {
    let shape = shape_of(problem);
    let Some((generators, found)) = Generators::read(&problem.dir, shape) else {
        let (example, made) = match shape {
            Shape::Groups => ("{secret: {data: [random: gen.py {seed}]}}", "secret/1-random"),
            Shape::Flat => ("[random: gen.py {seed}]", "1-random"),
        };
        bail!("{} has no {FILE}\n  → write one: `data: {example}` makes {made} by generators/gen.py", problem.id);
    };
    let found: Vec<Diagnostic> = found.into_iter().map(|found| found.of(&problem.id)).collect();
    show_diagnostics(&found, setup.paint);
    if found.iter().any(Diagnostic::is_error) {
        return Err(Ended(ExitStatus::Usage).into());
    }
    Ok(generators)
}

/// What to do about a file that was changed by hand.
const FORCE: &str = "keep your file under another name, or replace it: --force";

#[derive(Default)]
struct Counts {
    new: usize,
    changed: usize,
    same: usize,
    failed: usize,
    removed: usize,
    unlisted: usize,
    /// A validator or the sandbox failed.
    broken: bool,
}

struct Making<'a> {
    args: &'a GenerateArgs,
    setup: &'a Setup,
    problem: &'a Arc<Problem>,
    generators: &'a Generators,
    shelf: Shelf<'a>,
    counts: Counts,
}

impl Making<'_> {
    fn everything(&mut self, bench: &mut Workbench<'_>, mut maker: Maker<'_>) -> Result<ExitStatus> {
        let bar = progress(self.generators.recipes.len());
        let mut wanted = BTreeSet::new();
        for group in &self.generators.groups {
            self.group_file(group, &mut wanted, &bar)?;
        }
        let mut inputs: BTreeMap<String, String> = BTreeMap::new();
        for recipe in &self.generators.recipes {
            bar.set_message(clean(&recipe.name));
            match self.case(bench, &mut maker, recipe) {
                Ok((digests, change)) => {
                    wanted.extend(digests.iter().map(|(ending, _)| PathBuf::from(format!("{}.{ending}", recipe.name))));
                    self.tell_change(recipe, &change, &bar)?;
                    if let Some((_, input)) = digests.iter().find(|(ending, _)| ending == "in") {
                        let first = inputs.entry(input.clone()).or_insert_with(|| recipe.name.clone());
                        let root = first.split_once('/').map_or("", |(root, _)| root);
                        if *first != recipe.name && recipe.root() == root {
                            let message = format!("{} has the same input as {first}", recipe.name);
                            self.tell(recipe, Severity::Warning, &message, "", &bar);
                        }
                    }
                }
                Err(Fault::Cancelled) => break,
                Err(fault) => {
                    wanted.extend(files::all_of(&recipe.name));
                    self.fault(recipe, fault, &bar);
                }
            }
            bar.inc(1);
        }
        if self.counts.failed == 0 && self.args.tests.is_empty() {
            self.unlisted(&wanted, &bar)?;
        }
        bar.finish_and_clear();
        self.summary()
    }

    /// Makes one case unless it is known to be there; the digests of its files by ending.
    fn case(
        &mut self,
        bench: &mut Workbench<'_>,
        maker: &mut Maker<'_>,
        recipe: &Recipe,
    ) -> Result<(Vec<(String, String)>, Changes), Fault> {
        let key = maker.key(bench, recipe)?;
        if bench.workshop.settings.cache
            && let Some(digests) = self.shelf.recorded(&key, &recipe.name)
        {
            return Ok((digests, Changes::default()));
        }
        let mut files = maker.make(bench, recipe)?;
        if answer_ending(self.problem) == "out"
            && !files.contains_key("out")
            && let Some(answer) = files.remove("ans")
        {
            files.insert("out".to_owned(), answer);
        }
        let changes = self.shelf.compare(&recipe.name, &files);
        if !self.args.check {
            self.shelf.write(&recipe.name, &files, &changes)?;
            self.shelf.record(key, &files);
        }
        Ok((files::digests(&files), changes))
    }

    fn group_file(&mut self, group: &GroupFile, wanted: &mut BTreeSet<PathBuf>, bar: &ProgressBar) -> Result<()> {
        let text = files::group_text(&group.value);
        let Some(text) = text.with_context(|| format!("cannot write {}", group.path.display()))? else { return Ok(()) };
        wanted.insert(group.path.clone());
        let name = group.path.display().to_string();
        if self.shelf.says(&group.path, &group.value) {
            return Ok(());
        }
        let was = self.shelf.root.join(&group.path).symlink_metadata().is_ok();
        if !self.args.check
            && let Err(message) = self.shelf.write_group(&group.path, &text)
        {
            self.counts.failed += 1;
            self.tell_of_file(&message, FORCE, bar);
            return Ok(());
        }
        *(if was { &mut self.counts.changed } else { &mut self.counts.new }) += 1;
        self.line(if was { "changed" } else { "new" }, &name, "", bar)
    }

    fn tell_change(&mut self, recipe: &Recipe, changes: &Changes, bar: &ProgressBar) -> Result<()> {
        let how = recipe.command.as_ref().map(|command| command.shown(command.seed)).unwrap_or_default();
        if changes.is_none() {
            self.counts.same += 1;
            Ok(())
        } else if changes.is_new() {
            self.counts.new += 1;
            self.line("new", &recipe.name, &how, bar)
        } else {
            self.counts.changed += 1;
            let which = format!("{}: {}", recipe.name, changes.shown());
            self.line("changed", &which, &how, bar)
        }
    }

    fn line(&self, what: &str, name: &str, how: &str, bar: &ProgressBar) -> Result<()> {
        let (mark, style, what) = match (self.args.check, what) {
            (true, "new") => ("✗ ", Style::BAD, "missing"),
            (true, "changed") => ("✗ ", Style::BAD, "differs"),
            (true, other) => ("✗ ", Style::BAD, other),
            (false, "removed") => ("- ", Style::NOTICE, what),
            (false, "changed") => ("~ ", Style::NOTICE, what),
            (false, other) => ("+ ", Style::GOOD, other),
        };
        let line = Line::new().with(mark, style).with(&format!("{what:8} "), style).with(&clean(name), Style::PLAIN);
        let how = if how.is_empty() { String::new() } else { format!("  {}", clean(how)) };
        let line = line.with(&how, Style::FAINT);
        bar.suspend(|| writeln!(io::stdout(), "{}", line.render(self.setup.paint)))?;
        Ok(())
    }

    fn fault(&mut self, recipe: &Recipe, fault: Fault, bar: &ProgressBar) {
        self.counts.failed += 1;
        let how = recipe.command.as_ref().map(|command| format!(" ({})", command.shown(command.seed)));
        let how = how.unwrap_or_default();
        let name = &recipe.name;
        match fault {
            Fault::Broken(message) => {
                self.counts.broken = true;
                self.tell(recipe, Severity::JudgeError, &format!("{name}{how}: {message}"), "", bar);
            }
            Fault::Case { message, remedy } => {
                self.tell(recipe, Severity::Error, &format!("{name}{how}: {message}"), &remedy, bar);
            }
            Fault::Foreign(message) => {
                self.tell(recipe, Severity::Error, &format!("{name}: {message}"), FORCE, bar);
            }
            Fault::Cancelled => {}
        }
    }

    fn tell(&self, recipe: &Recipe, severity: Severity, message: &str, remedy: &str, bar: &ProgressBar) {
        let place = self.generators.place(recipe).map(|place| format!("line {}: ", place.line)).unwrap_or_default();
        let notice = Notice {
            severity,
            problem: Some(self.problem.id.clone()),
            path: Some(self.shown(self.generators.file())),
            message: format!("{place}{message}"),
            remedy: remedy.to_owned(),
        };
        bar.suspend(|| show_notice(&notice, self.setup.paint));
    }

    fn tell_of_file(&self, message: &str, remedy: &str, bar: &ProgressBar) {
        let (severity, problem, path) = (Severity::Error, Some(self.problem.id.clone()), None);
        let notice = Notice { severity, problem, path, message: message.to_owned(), remedy: remedy.to_owned() };
        bar.suspend(|| show_notice(&notice, self.setup.paint));
    }

    fn shown(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.setup.start).unwrap_or(path).to_owned()
    }

    /// Cases that nothing makes: they stay, unless the person says otherwise.
    fn unlisted(&mut self, wanted: &BTreeSet<PathBuf>, bar: &ProgressBar) -> Result<()> {
        for path in self.shelf.unlisted(wanted) {
            if !self.args.clean {
                self.counts.unlisted += 1;
                continue;
            }
            if !self.args.check
                && let Err(error) = std::fs::remove_file(self.shelf.root.join(&path))
            {
                self.counts.failed += 1;
                self.tell_of_file(&format!("{}: cannot remove it: {error}", path.display()), "", bar);
                continue;
            }
            self.counts.removed += 1;
            self.line(if self.args.check { "unlisted" } else { "removed" }, &path.display().to_string(), "", bar)?;
        }
        Ok(())
    }

    fn summary(&self) -> Result<ExitStatus> {
        let Counts { new, changed, same, failed, removed, unlisted, broken } = self.counts;
        let bad = if self.args.check { new + changed + removed } else { 0 };
        let counts: Vec<String> = [
            (same, "unchanged"),
            (new, if self.args.check { "missing" } else { "new" }),
            (changed, if self.args.check { "differ" } else { "changed" }),
            (removed, if self.args.check { "files without a generator" } else { "files removed" }),
            (failed, "failed"),
        ]
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
        let good = bad + failed == 0;
        let (mark, style) = if good { ("✓ ", Style::GOOD) } else { ("✗ ", Style::BAD) };
        let mut line = Line::new().with(mark, style).with(&clean(self.problem.id.as_str()), Style::STRONG);
        line.push(&format!(": {}", counts.join(", ")), Style::PLAIN);
        if unlisted > 0 {
            let files = if unlisted == 1 { "file is" } else { "files are" };
            line.push(&format!(" · {unlisted} {files} not listed (--clean removes)"), Style::FAINT);
        }
        writeln!(io::stdout(), "{}", line.render(self.setup.paint))?;
        if bad > 0 {
            let (what, flags) = match (new + changed, removed) {
                (_, 0) => ("generate", ""),
                (0, _) => ("remove", " --clean"),
                _ => ("generate and remove", " --clean"),
            };
            let words: Vec<String> =
                [&self.args.problem].into_iter().chain(&self.args.tests).map(|w| quote(w)).collect();
            let remedy = format!("  → {what} them: grader gen{flags} {}", clean(&words.join(" ")));
            writeln!(io::stdout(), "{}", Line::new().with(&remedy, Style::FAINT).render(self.setup.paint))?;
        }
        Ok(match (broken, failed, bad) {
            (true, ..) => ExitStatus::JudgeError,
            (_, 1.., _) => ExitStatus::Usage,
            (.., 1..) => ExitStatus::Unexpected,
            _ => ExitStatus::Success,
        })
    }
}

fn progress(cases: usize) -> ProgressBar {
    if !surroundings::has_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(cases as u64), ProgressDrawTarget::stderr_with_hz(10));
    // A mistake in the template costs the look of the bar alone.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} cases · {wide_msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
