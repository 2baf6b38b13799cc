//! `grader config`: shows the effective settings and their origins.

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};

use super::arguments::{Color, open, paint};
use crate::cli::exit::ExitStatus;
use crate::cli::output::{Format, clean, print, print_json};
use crate::config::{Options, Origin, SettingEntry};
use crate::report::text::{Line, Style, pad, width};

/// Shows every setting, its value and the origin of the value
#[derive(Debug, Args)]
#[command(after_help = "From the weakest to the strongest: defaults, grader.toml (the nearest from here upwards), a \
    problem's own limits and checker, the environment (`GRADER_LIMITS_MEMORY=512` for `limits.memory`), arguments. \
    `grader list -v` shows the limits and checkers of problems.\n\nThe output is valid TOML that you can copy to a \
    grader.toml.\n\nExit status: 0, or 2 if the configuration is wrong.")]
pub(super) struct ConfigArgs {
    /// Show only keys that begin or end with this: `limits`, `memory`, `compile.memory`
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// Also explain each key
    #[arg(short, long)]
    verbose: bool,
    /// Choose the output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// Shows the settings and returns the exit status.
pub(super) fn run(args: &ConfigArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    workspace.tell_found(&workspace.settings.warnings);
    let all = workspace.settings.entries();
    let unknown = unknown(&args.keys, &all);
    if !unknown.is_empty() {
        anyhow::bail!("{}", unknown.join("\nerror: "));
    }
    let wanted = |entry: &SettingEntry| args.keys.is_empty() || args.keys.iter().any(|key| is_part(&entry.key, key));
    let entries: Vec<SettingEntry> = all.into_iter().filter(wanted).collect();
    match args.format {
        Format::Json => print_json(&entries.iter().map(json_of).collect::<Vec<_>>())?,
        Format::Text => {
            let lines = workspace.settings.file.as_ref().map_or_else(
                || Line::new().with("# there is no grader.toml in this directory or above it", Style::FAINT),
                |file| Line::new().with(&format!("# {}", clean(&file.display().to_string())), Style::FAINT),
            );
            let lines: Vec<Line> = std::iter::once(lines).chain(text_of(&entries, args.verbose)).collect();
            print(&lines, paint(&workspace))?;
        }
    }
    Ok(ExitStatus::Success)
}

/// Whether `words` are the first or last whole parts of a dotted key.
fn is_part(key: &str, words: &str) -> bool {
    let words = words.trim_matches('.');
    let begins = key.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    begins || key.strip_suffix(words).is_some_and(|rest| rest.ends_with('.'))
}

fn unknown(keys: &[String], all: &[SettingEntry]) -> Vec<String> {
    let unknown = keys.iter().filter(|key| !all.iter().any(|entry| is_part(&entry.key, key)));
    let told = unknown.map(|key| {
        let names = all.iter().flat_map(|entry| std::iter::once(entry.key.as_str()).chain(entry.key.split('.')));
        let near = crate::suggest::closest(key, names);
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("no setting is called `{key}`{near}")
    });
    told.collect()
}

fn text_of(entries: &[SettingEntry], verbose: bool) -> Vec<Line> {
    let settings: Vec<String> =
        entries.iter().map(|entry| format!("{} = {}", entry.key, clean(&entry.value))).collect();
    let columns = settings.iter().map(|text| width(text)).max().unwrap_or(0).min(48);
    let mut lines = Vec::new();
    for (entry, text) in entries.iter().zip(settings) {
        if verbose {
            lines.push(Line::new());
            lines.push(Line::new().with(&format!("# {}", entry.doc), Style::FAINT));
        }
        let style = if entry.origin == Origin::Default { Style::FAINT } else { Style::NOTICE };
        let origin = format!("  # {}", clean(&entry.origin.to_string()));
        lines.push(Line::from(pad(&text, columns).as_str()).with(&origin, style));
    }
    lines
}

/// The entry as JSON, with its value converted from TOML.
fn json_of(entry: &SettingEntry) -> Value {
    // A value that is not valid TOML has no JSON form: it becomes null.
    let table: Option<toml::Table> = format!("value = {}", entry.value).parse().ok();
    let value = table.and_then(|mut table| table.remove("value")).and_then(|value| serde_json::to_value(value).ok());
    let mut origin = Map::new();
    let (kind, more) = match &entry.origin {
        Origin::Default => ("default", None),
        Origin::File { path, line } => {
            origin.insert("line".to_owned(), json!(line));
            ("file", Some(("path", path.display().to_string())))
        }
        Origin::Environment(name) => ("environment", Some(("variable", name.clone()))),
        Origin::Argument => ("argument", None),
    };
    origin.insert("kind".to_owned(), json!(kind));
    origin.extend(more.map(|(key, text)| (key.to_owned(), json!(text))));
    json!({ "key": entry.key, "value": value, "origin": origin, "doc": entry.doc })
}
