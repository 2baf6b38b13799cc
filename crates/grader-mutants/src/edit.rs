//! Makes the replacement for the nodes that a rule has found: templates, and the few edits that a template cannot express.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use tree_sitter::Node;

use crate::limits::MOST_COPIED_BYTES;
use crate::operators::Edit;
use crate::rules::Pattern;

/// A match of a pattern: the nodes of each capture, by name.
pub(crate) struct RuleMatch<'a, 'tree> {
    pub(crate) source: &'a str,
    pub(crate) captures: Vec<(&'a str, Node<'tree>)>,
}

/// A change of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
}

impl<'tree> RuleMatch<'_, 'tree> {
    fn nodes(&self, name: &str) -> impl Iterator<Item = Node<'tree>> {
        self.captures.iter().filter(move |(capture, _)| *capture == name).map(|(_, node)| *node)
    }

    /// From the first node of a capture to its last.
    pub(crate) fn span(&self, name: &str) -> Option<Range<usize>> {
        let start = self.nodes(name).map(|node| node.start_byte()).min()?;
        let end = self.nodes(name).map(|node| node.end_byte()).max()?;
        Some(start..end)
    }

    fn text(&self, name: &str) -> Option<&str> {
        let text = &self.source[self.span(name)?];
        (text.len() <= MOST_COPIED_BYTES).then_some(text)
    }

    /// The white space before `place` on its line; `None` if there is anything else.
    fn indent(&self, place: usize) -> Option<&str> {
        let before = &self.source[..place];
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        (line.len() <= MOST_COPIED_BYTES && line.trim().is_empty()).then_some(line)
    }

    /// All changes that the rule of a pattern makes here.
    pub(crate) fn changes(&self, pattern: &Pattern) -> Vec<Change> {
        let Some(span) = self.span("at") else { return Vec::new() };
        let rule = pattern.rule;
        let here = |text: String| Change { span: span.clone(), text };
        let mut changes = Vec::new();
        if let Some(find) = &pattern.find {
            for template in &rule.replace {
                changes.extend(self.replaced_matches(&span, find, template));
            }
        } else {
            changes.extend(rule.replace.iter().filter_map(|template| self.render(template)).map(here));
        }
        changes.extend(self.text("at").and_then(|text| rule.map.get(text)).cloned().map(here));
        match rule.edit {
            Some(Edit::Step) => changes.extend(self.text("at").into_iter().flat_map(step).map(here)),
            Some(Edit::Swap) => changes.extend(self.swapped()),
            Some(Edit::Hoist) => changes.extend(self.hoisted()),
            None => {}
        }
        changes
    }

    /// One change for each match of a regular expression in the place.
    fn replaced_matches(&self, span: &Range<usize>, find: &Regex, template: &str) -> Vec<Change> {
        let Some(text) = self.text("at") else { return Vec::new() };
        let replaced = |captures: Captures| {
            let whole = captures.get_match();
            let mut text = String::new();
            captures.expand(template, &mut text);
            Change { span: span.start + whole.start()..span.start + whole.end(), text }
        };
        find.captures_iter(text).map(replaced).collect()
    }

    /// A template with the texts of captures: `@a` unchanged, `@(a)` in parentheses unless it is a name, a number or a call.
    fn render(&self, template: &str) -> Option<String> {
        static CAPTURE: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"@(?:(\w+)|\((\w+)\))").expect("a test renders a template"));
        let mut text = String::new();
        let mut done = 0;
        for captures in CAPTURE.captures_iter(template) {
            let whole = captures.get_match();
            text += &template[done..whole.start()];
            done = whole.end();
            text += &match (captures.get(1), captures.get(2)) {
                (Some(name), _) if name.as_str() == "indent" => self.indent(self.span("at")?.start)?.to_owned(),
                (Some(name), _) => self.text(name.as_str())?.to_owned(),
                (_, Some(name)) => self.operand(name.as_str())?,
                _ => return None,
            };
        }
        text += &template[done..];
        Some(text)
    }

    /// The text of an expression, so that an operator can follow it.
    fn operand(&self, name: &str) -> Option<String> {
        const CLOSED: [&str; 13] = [
            "identifier",
            "literal",
            "call",
            "subscript",
            "index",
            "field",
            "member",
            "parenthesized",
            "integer",
            "number",
            "attribute",
            "array_access",
            "invocation",
        ];
        let node = self.nodes(name).next()?;
        let text = self.text(name)?;
        let closed = CLOSED.iter().any(|kind| node.kind().contains(kind));
        Some(if closed { text.to_owned() } else { format!("({text})") })
    }

    fn swapped(&self) -> Option<Change> {
        let (a, b) = (self.span("a")?, self.span("b")?);
        let between = self.source.get(a.end..b.start).filter(|text| text.len() <= MOST_COPIED_BYTES)?;
        Some(Change { span: a.start..b.end, text: format!("{}{between}{}", self.text("b")?, self.text("a")?) })
    }

    /// Only a statement with a line of its own, and near the beginning of the loop: all between is written again.
    fn hoisted(&self) -> Option<Change> {
        let start = self.span("loop")?.start;
        let statement = self.span("at")?;
        let indent = self.indent(start)?;
        let line = statement.start - self.indent(statement.start)?.len();
        let rest = &self.source[statement.end..];
        let end = statement.end + rest.find('\n').filter(|end| rest[..*end].trim().is_empty())? + 1;
        let before = self.source.get(start..line).filter(|text| text.len() <= MOST_COPIED_BYTES)?;
        Some(Change { span: start..end, text: format!("{}\n{indent}{before}", self.text("at")?) })
    }
}

/// A decimal integer plus 1 and minus 1, with its suffix. Nothing for other numbers, and none below 0 or beyond a type.
fn step(literal: &str) -> Vec<String> {
    static INTEGER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(0|[1-9][0-9_']*)([uUlLn]*|_?[iu](?:8|16|32|64|128|size))$").expect("a test steps")
    });
    const LAST: [u64; 4] = [i32::MAX as u64, u32::MAX as u64, i64::MAX as u64, u64::MAX];
    let Some(captures) = INTEGER.captures(literal) else { return Vec::new() };
    let digits: String = captures[1].chars().filter(char::is_ascii_digit).collect();
    // A number that does not fit into 64 bits is the code of something else, such as a mask.
    let Ok(number) = digits.parse::<u64>() else { return Vec::new() };
    let more = number.checked_add(1).filter(|_| !LAST.contains(&number));
    let less = number.checked_sub(1);
    more.into_iter().chain(less).map(|number| format!("{number}{}", &captures[2])).collect()
}
