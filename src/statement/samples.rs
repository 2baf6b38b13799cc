//! The samples of a problem as contestants see them (package format 2025-09, "Samples").

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::markup::escaped;
use super::words::Words;
use crate::diagnostic::{Diagnostic, TextPosition};
use crate::export::{ExportError, ShownSample, samples};
use crate::problem::Problem;
use crate::report::text::quote;

/// The most bytes of a file that a statement shows. Nobody reads more.
const MOST: u64 = 20_000;
/// The most samples.
const MOST_SAMPLES: usize = 50;

/// Why the samples cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SampleError {
    /// A file cannot be read.
    #[error("cannot read the sample: {error}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A file is not text.
    #[error("the sample is not UTF-8, so no page can show it")]
    NoText {
        /// The file.
        path: PathBuf,
    },
    /// The directory of the samples cannot be listed.
    #[error(transparent)]
    List(#[from] ExportError),
}

impl SampleError {
    /// The finding about the sample, or about this statement.
    pub(super) fn found(&self, statement: &Path) -> Diagnostic {
        let (path, remedy) = match self {
            Self::Read { path, .. } => (path.as_path(), "make it readable"),
            Self::NoText { path } => {
                (path.as_path(), "write what contestants see into a file beside it, such as 1.in.statement")
            }
            Self::List(_) => (statement, ""),
        };
        Diagnostic::error(path, self.to_string()).remedy(remedy)
    }
}

/// A part of a conversation.
#[derive(Debug, PartialEq, Eq)]
enum Turn<'t> {
    /// Lines of the judge.
    Judge(Vec<&'t str>),
    /// Lines of the submission.
    Submission(Vec<&'t str>),
    /// The next pass begins.
    Pass,
}

/// The samples as HTML, with warnings about what they do not show. `statement`: the file that shows them.
pub(super) fn html_of(
    problem: &Problem,
    words: &Words,
    statement: &Path,
) -> Result<(Vec<String>, Vec<Diagnostic>), SampleError> {
    let mut notices = Vec::new();
    let mut made = Vec::new();
    let all = samples(problem)?;
    if all.len() > MOST_SAMPLES {
        let message = format!("only the first {MOST_SAMPLES} of {} samples are shown", all.len());
        notices.push(Diagnostic::warning(statement, message));
    }
    for (number, sample) in (1..).zip(all.into_iter().take(MOST_SAMPLES)) {
        made.push(match sample {
            ShownSample::Conversation(file) => {
                let text = text(&file, &mut notices)?;
                notices.extend(silent_lines(&file, &text.text));
                conversation(&text, words, number)
            }
            ShownSample::Files { input, answer, arguments, beside: others } => {
                let input = text(&input, &mut notices)?;
                let answer = answer.map(|answer| text(&answer, &mut notices)).transpose()?;
                let beside = beside(&arguments, &others, words, &mut notices)?;
                files(&input, answer.as_ref(), &beside, words, number)
            }
        });
    }
    Ok((made, notices))
}

/// The begin of a file, and whether there is more.
struct Excerpt {
    text: String,
    is_cut: bool,
}

impl Excerpt {
    fn html(&self) -> String {
        let more = if self.is_cut { "<span class=\"cut\">…</span>" } else { "" };
        format!("<pre>{}{more}</pre>", escaped(&self.text))
    }
}

fn text(path: &Path, notices: &mut Vec<Diagnostic>) -> Result<Excerpt, SampleError> {
    let failed = |error| SampleError::Read { path: path.to_owned(), error };
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).map_err(failed)?;
    let is_cut = size > MOST;
    if is_cut {
        // A line or a character that is not whole would be wrong.
        let line = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(line.map_or(bytes.len() / 2, |line| line + 1));
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let message = format!("the sample {name} is cut: it has {size} bytes, and {} are shown", bytes.len());
        notices.push(Diagnostic::warning(path, message));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // The cut is within a character.
        Err(error) if is_cut && error.utf8_error().error_len().is_none() => {
            let whole = error.utf8_error().valid_up_to();
            String::from_utf8_lossy(&error.as_bytes()[..whole]).into_owned()
        }
        Err(_) => return Err(SampleError::NoText { path: path.to_owned() }),
    };
    Ok(Excerpt { text, is_cut })
}

/// The arguments of submissions and the files beside them. A file that is not text is shown by its name only, with a warning.
fn beside(
    arguments: &[String],
    files: &[(PathBuf, PathBuf)],
    words: &Words,
    notices: &mut Vec<Diagnostic>,
) -> Result<String, SampleError> {
    let mut made = String::new();
    if !arguments.is_empty() {
        let line = arguments.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        made.extend(["<div class=\"beside\">", words.arguments, ": <code>", &escaped(&line), "</code></div>"]);
    }
    for (name, file) in files {
        let content = match text(file, notices) {
            Ok(text) => text.html(),
            Err(SampleError::NoText { path }) => {
                notices.push(Diagnostic::warning(&path, "the file is not UTF-8, so the statement shows only its name"));
                String::new()
            }
            Err(error) => return Err(error),
        };
        let name = escaped(&name.to_string_lossy());
        made.extend(["<div class=\"beside\"><h3>", words.file, " <code>", &name, "</code></h3>", &content, "</div>"]);
    }
    Ok(made)
}

fn files(input: &Excerpt, answer: Option<&Excerpt>, beside: &str, words: &Words, number: usize) -> String {
    let half = |title: &str, text: &Excerpt| format!("<div><h3>{title} {number}</h3>{}</div>", text.html());
    let answer = answer.map(|answer| half(words.output, answer)).unwrap_or_default();
    format!("<section class=\"sample\">{}{answer}{beside}</section>\n", half(words.input, input))
}

fn conversation(text: &Excerpt, words: &Words, number: usize) -> String {
    let mut made = format!(
        "<section class=\"talk\"><div class=\"sides\"><span>{}</span><h3>{} {number}</h3><span>{}</span></div>\n",
        words.read, words.interaction, words.write
    );
    for turn in turns(&text.text) {
        let said =
            |class: &str, lines: &[&str]| format!("<pre class=\"{class}\">{}</pre>\n", escaped(&lines.join("\n")));
        made += &match turn {
            Turn::Judge(lines) => said("judge", &lines),
            Turn::Submission(lines) => said("submission", &lines),
            Turn::Pass => "<hr>\n".to_owned(),
        };
    }
    if text.is_cut {
        made += "<p class=\"cut\">…</p>\n";
    }
    made + "</section>\n"
}

/// A warning about the first line of a conversation that belongs to neither side, and about a conversation without lines.
fn silent_lines(file: &Path, text: &str) -> Option<Diagnostic> {
    if turns(text).is_empty() {
        let found = Diagnostic::warning(file, "the conversation is empty");
        return Some(found.remedy("write lines that begin with < for the judge, or with > for the submission"));
    }
    let is_silent = |line: &&str| !line.trim().is_empty() && !line.starts_with(['<', '>']) && !line.starts_with("---");
    let silent = text.lines().position(|line| is_silent(&line))?;
    // The text is short.
    let place = u32::try_from(silent).ok().map(|line| TextPosition { line: line + 1, column: 1 });
    let found = Diagnostic::warning(file, "the line begins with neither < nor >, so the statement does not show it");
    Some(found.at(place).remedy("begin it with < for the judge, or with > for the submission"))
}

/// The parts of a conversation: lines of the judge begin with `<`, those of the submission with `>`.
fn turns(text: &str) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for line in text.lines() {
        match (line.chars().next(), turns.last_mut()) {
            _ if line.starts_with("---") => turns.push(Turn::Pass),
            (Some('<'), Some(Turn::Judge(lines))) | (Some('>'), Some(Turn::Submission(lines))) => {
                lines.push(&line[1..]);
            }
            (Some('<'), _) => turns.push(Turn::Judge(vec![&line[1..]])),
            (Some('>'), _) => turns.push(Turn::Submission(vec![&line[1..]])),
            // `silent_lines` reports it.
            _ => {}
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_has_turns_and_passes() {
        assert_eq!(
            turns("<1\n<2\n>3\n---\n\n<4\n"),
            [Turn::Judge(vec!["1", "2"]), Turn::Submission(vec!["3"]), Turn::Pass, Turn::Judge(vec!["4"])]
        );
    }
}
