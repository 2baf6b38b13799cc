//! Shows the results of `grader doctor` as lines, for terminals of 80 columns or more.

use crate::cli::output::clean;
use crate::doctor::cause::Cause;
use crate::doctor::guarantee::{GUARANTEES, GuaranteeResult};
use crate::doctor::{Layer, Tool};
use crate::report::text::{Line, Style, truncate, width};
use crate::sandbox::Isolation;

/// Columns of one layer in the table.
const COLUMN: usize = 6;
/// The most columns of prose, even on a wider terminal.
const READABLE: usize = 100;
/// Columns before the text about a layer.
const INDENT: usize = 11;

/// The result of one guarantee in one layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Holds,
    Sampled,
    Broken,
    Unknown,
    /// It does not hold, and the layer does not promise it.
    Free,
    /// The layer does not work on this machine.
    Absent,
}

impl Sign {
    fn of(layer: &Layer, index: usize) -> Self {
        let Some(checks) = layer.checks() else { return Self::Absent };
        let check = &checks[index];
        match &check.result {
            GuaranteeResult::Holds => Self::Holds,
            GuaranteeResult::Sampled => Self::Sampled,
            _ if !check.promised => Self::Free,
            GuaranteeResult::Broken(_) => Self::Broken,
            GuaranteeResult::Unknown(_) => Self::Unknown,
        }
    }

    const fn sign(self) -> (&'static str, Style) {
        match self {
            Self::Holds => ("✓", Style::GOOD),
            Self::Sampled => ("~", Style::NOTICE),
            Self::Broken => ("✗", Style::BAD.bold()),
            Self::Unknown => ("?", Style::BAD.bold()),
            Self::Free => ("–", Style::FAINT),
            Self::Absent => ("·", Style::FAINT),
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Sampled => "holds, by sampling every 10 ms",
            Self::Broken => "does not hold",
            Self::Unknown => "could not be tested",
            Self::Free => "not guaranteed here",
            Self::Absent => "layer does not work here",
        }
    }
}

/// The list of layers: which ones work here, and why the others do not.
pub(super) fn layers(layers: &[Layer], taken: Option<Isolation>, columns: usize) -> Vec<Line> {
    let mut lines = vec![heading("Isolation layers, strongest first")];
    for layer in layers {
        let (sign, style) = if layer.checks().is_some() { Sign::Holds.sign() } else { Sign::Absent.sign() };
        let mut texts = Vec::new();
        if taken == Some(layer.isolation) {
            texts.push("`auto` selects this layer".to_owned());
        }
        texts.extend(layer.facts.iter().cloned());
        if !layer.isolation.caveat().is_empty() && layer.checks().is_some() {
            texts.push(layer.isolation.caveat().to_owned());
        }
        let mut body: Vec<Line> = texts.iter().flat_map(|text| prose(text, INDENT, columns, Style::PLAIN)).collect();
        body.extend(layer.causes.iter().flat_map(|cause| cause_lines(cause, columns)));
        for (index, mut line) in body.into_iter().enumerate() {
            if index == 0 {
                let head =
                    Line::from("  ").with(sign, style).with(&format!(" {:7}", layer.isolation.name()), Style::STRONG);
                line = join(head, &line);
            }
            lines.push(line);
        }
    }
    lines
}

/// Puts `head` before a line, in place of that line's indentation.
fn join(head: Line, line: &Line) -> Line {
    let mut whole = head;
    for (index, span) in line.spans().iter().enumerate() {
        whole.push(if index == 0 { span.text.trim_start() } else { &span.text }, span.style);
    }
    whole
}

/// The lines of a cause: the reason, the remedy and its commands.
fn cause_lines(cause: &Cause, columns: usize) -> Vec<Line> {
    let mut lines = prose(&cause.why, INDENT, columns, Style::PLAIN);
    if !cause.remedy.is_empty() {
        lines.extend(prose(&format!("→ {}", cause.remedy), INDENT, columns, Style::FAINT));
    }
    // Users copy commands, so these lines are never broken.
    lines.extend(
        cause
            .commands
            .iter()
            .map(|command| Line::from(" ".repeat(INDENT + 4).as_str()).with(&clean(command), Style::PLAIN)),
    );
    lines
}

/// The table: a row for each guarantee, a column for each layer.
pub(super) fn table(layers: &[Layer]) -> Vec<Line> {
    let label = GUARANTEES.iter().map(|it| width(it.what)).max().unwrap_or(0) + 6;
    let mut head = heading("Results of hostile test programs");
    head.pad_to(label);
    for layer in layers {
        head.push(&format!("{:^COLUMN$}", layer.isolation.name()), Style::STRONG);
    }
    let mut lines = vec![head];
    let mut theme = "";
    for (index, guarantee) in GUARANTEES.iter().enumerate() {
        if guarantee.theme != theme {
            theme = guarantee.theme;
            lines.push(Line::from("  ").with(theme, Style::FAINT));
        }
        let mut line = Line::from(format!("    {}", guarantee.what).as_str());
        line.pad_to(label);
        for layer in layers {
            let (sign, style) = Sign::of(layer, index).sign();
            line.push("  ", Style::PLAIN);
            line.push(sign, style);
            line.push("   ", Style::PLAIN);
        }
        lines.push(line);
    }
    lines.push(Line::new());
    lines.extend(legend(layers));
    lines
}

/// The legend of the signs that appear in the table.
fn legend(layers: &[Layer]) -> Vec<Line> {
    let used: Vec<Sign> =
        layers.iter().flat_map(|layer| (0..GUARANTEES.len()).map(|index| Sign::of(layer, index))).collect();
    let all = [Sign::Holds, Sign::Sampled, Sign::Broken, Sign::Unknown, Sign::Free, Sign::Absent];
    let rows: Vec<Sign> = all.into_iter().filter(|mark| used.contains(mark)).collect();
    let tell = |line: Line, mark: &Sign| {
        let (sign, style) = mark.sign();
        line.with("  ", Style::PLAIN).with(sign, style).with(&format!(" {}", mark.meaning()), Style::PLAIN)
    };
    rows.chunks(3).map(|marks| marks.iter().fold(Line::new(), tell)).collect()
}

/// The guarantees that are promised but do not hold, each with the observed failure.
pub(super) fn failures(layers: &[Layer], columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for layer in layers {
        for (guarantee, check) in GUARANTEES.iter().zip(layer.checks().unwrap_or_default()) {
            let (GuaranteeResult::Broken(how) | GuaranteeResult::Unknown(how)) = &check.result else { continue };
            if check.promised {
                let head = format!(" {}: {} …", layer.isolation.name(), guarantee.theme.to_lowercase());
                lines.push(Line::new().with("✗", Style::BAD.bold()).with(&head, Style::PLAIN));
                lines.push(Line::from("  ").with(&format!("… {}", guarantee.what), Style::STRONG));
                lines.extend(prose(how, 4, columns, Style::PLAIN));
            }
        }
    }
    lines
}

pub(super) fn heading(text: &str) -> Line {
    Line::new().with(text, Style::STRONG)
}

/// Breaks text into lines of at most `columns`, each after `indent` spaces; existing line breaks stay.
fn prose(text: &str, indent: usize, columns: usize, style: Style) -> Vec<Line> {
    let room = columns.min(READABLE).saturating_sub(indent).max(20);
    let margin = " ".repeat(indent);
    let broken = text.lines().flat_map(|line| wrap(&clean(line), room));
    broken.map(|line| Line::from(margin.as_str()).with(&line, style)).collect()
}

/// Breaks text between words; a word longer than a line gets its own line.
fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A row for each language: the version that its tool reports, or how to install it.
pub(super) fn tools(tools: &[(String, Tool)], columns: usize) -> Vec<Line> {
    let widest = tools.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let row = |(name, found): &(String, Tool)| {
        let (sign, style, text) = match found {
            Tool::Version(version) => (("✓", Style::GOOD), Style::PLAIN, version),
            Tool::Missing(missing) => (("·", Style::FAINT), Style::FAINT, missing),
        };
        let line = Line::from("  ").with(sign.0, sign.1).with(&format!(" {:widest$}  ", clean(name)), Style::STRONG);
        let room = columns.saturating_sub(line.width());
        line.with(&truncate(&clean(text), room), style)
    };
    [heading("Languages")].into_iter().chain(tools.iter().map(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrap("a-word-that-is-too-long one", 7), ["a-word-that-is-too-long", "one"]);
        assert!(wrap("", 7).is_empty());
    }

    #[test]
    fn the_table_fits_eighty_columns() {
        let layers = Isolation::ALL.map(Layer::absent);
        let widest = table(&layers).iter().map(Line::width).max().unwrap_or(0);
        assert!(widest <= 80, "{widest}");
    }
}
