//! Writes `JUnit` XML, by the schema that Jenkins' xUnit plugin checks reports against (`junit-10.xsd` of
//! jenkinsci/xunit-plugin, tag `xunit-2.3.2` and later). GitLab, Jenkins' own `JUnit` plugin and Surefire's readers
//! accept the same format.
//!
//! The schema allows no `properties` in a `testcase`, so figures of a test are lines of its `system-out`. Not by `quick-junit` 0.8:
//! it writes `skipped` at `testsuites`, which the schema forbids, and drops characters that XML forbids instead of marking them.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::writer::{ElementWriter, Writer};

/// A named value: a `property` of a suite, or a line in the output of a case.
pub(super) type Property = (&'static str, String);

/// The tests of one submission.
#[derive(Debug)]
pub(super) struct Suite {
    pub(super) name: String,
    pub(super) properties: Vec<Property>,
    pub(super) cases: Vec<Case>,
    /// The sum of the times of its cases.
    pub(super) time: Duration,
}

/// One test.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) class: Class,
    pub(super) status: Status,
    /// Wall time; none if it was not run.
    pub(super) time: Option<Duration>,
    /// Messages about earlier runs of this test that were over its time limit.
    pub(super) overruns: Vec<String>,
    pub(super) figures: Vec<Property>,
}

/// The place of a case in CI servers: Jenkins groups by package, then by class.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) package: String,
    pub(super) class: String,
}

/// How a test ended.
#[derive(Debug)]
pub(super) enum Status {
    Success,
    Skipped { message: String },
    Failure(Wrong),
    Error(Wrong),
}

/// The details of a failure or an error.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The verdict's code or the kind of error.
    pub(super) kind: String,
    /// The message, one line.
    pub(super) message: String,
    /// The explanation; may be empty.
    pub(super) text: String,
}

/// Numbers of cases by status.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Counts {
    fn of<'a>(suites: impl IntoIterator<Item = &'a Suite>) -> Self {
        let mut counts = Self::default();
        for case in suites.into_iter().flat_map(|suite| &suite.cases) {
            counts.tests += 1;
            match case.status {
                Status::Success => {}
                Status::Skipped { .. } => counts.skipped += 1,
                Status::Failure(_) => counts.failures += 1,
                Status::Error(_) => counts.errors += 1,
            }
        }
        counts
    }

    /// The attributes that the schema allows both for one suite and for all. `skipped` is allowed only for a suite.
    fn attributes(self) -> [(&'static str, String); 3] {
        [("tests", self.tests), ("failures", self.failures), ("errors", self.errors)]
            .map(|(name, count)| (name, count.to_string()))
    }
}

impl Class {
    /// Returns `package.class`. Other dots are replaced, because readers split at the last one.
    fn name(&self) -> String {
        let plain = |text: &str| text.replace('.', "_");
        format!("{}.{}", plain(&self.package), plain(&self.class))
    }
}

/// Writes the whole document. `started` is the start of the run in ISO 8601.
pub(super) fn document(suites: &[Suite], started: Option<&str>, time: Duration) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let attributes = [("name", "grader".to_owned()), ("time", seconds(time))];
    let attributes = attributes.into_iter().chain(Counts::of(suites).attributes());
    element(&mut writer, "testsuites", attributes, |writer| {
        suites.iter().try_for_each(|suite| suite.write(started, writer))
    })?;
    let mut text = writer.into_inner();
    text.push(b'\n');
    Ok(text)
}

impl Suite {
    fn write(&self, started: Option<&str>, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let counts = Counts::of([self]);
        let attributes = [("name", self.name.clone())].into_iter().chain(counts.attributes());
        let attributes = attributes.chain([("skipped", counts.skipped.to_string()), ("time", seconds(self.time))]);
        let attributes = attributes.chain(started.map(|started| ("timestamp", started.to_owned())));
        element(writer, "testsuite", attributes, |writer| {
            if !self.properties.is_empty() {
                element(writer, "properties", [], |writer| {
                    let property = |(name, value): &Property| [("name", (*name).to_owned()), ("value", value.clone())];
                    self.properties.iter().try_for_each(|it| empty(writer, "property", property(it)))
                })?;
            }
            self.cases.iter().try_for_each(|case| case.write(writer))
        })
    }
}

impl Case {
    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let attributes = [("name", self.name.clone()), ("classname", self.class.name())];
        let attributes = attributes.into_iter().chain(self.time.map(|time| ("time", seconds(time))));
        element(writer, "testcase", attributes, |writer| {
            match &self.status {
                Status::Success => {}
                Status::Skipped { message } => {
                    empty(writer, "skipped", [("message", message.clone())])?;
                }
                Status::Failure(wrong) => wrong.write("failure", writer)?,
                Status::Error(wrong) => wrong.write("error", writer)?,
            }
            let again = if matches!(self.status, Status::Success) { "flakyFailure" } else { "rerunFailure" };
            for message in &self.overruns {
                let attributes = [("message", message.clone()), ("type", "TLE".to_owned())];
                empty(writer, again, attributes)?;
            }
            if self.figures.is_empty() {
                return Ok(());
            }
            let lines: Vec<String> = self.figures.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            element(writer, "system-out", [], |writer| text(writer, &lines.join("\n")))
        })
    }
}

impl Wrong {
    fn write(&self, tag: &'static str, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let attributes = [("type", self.kind.clone()), ("message", self.message.clone())];
        element(writer, tag, attributes, |writer| text(writer, &self.text))
    }
}

/// Writes an element with attributes and content.
fn element(
    writer: &mut Writer<Vec<u8>>,
    tag: &'static str,
    attributes: impl IntoIterator<Item = (&'static str, String)>,
    inside: impl FnOnce(&mut Writer<Vec<u8>>) -> io::Result<()>,
) -> io::Result<()> {
    begun(writer, tag, attributes).write_inner_content(inside).map(drop)
}

/// Writes an element with attributes and no content.
fn empty(
    writer: &mut Writer<Vec<u8>>,
    tag: &'static str,
    attributes: impl IntoIterator<Item = (&'static str, String)>,
) -> io::Result<()> {
    begun(writer, tag, attributes).write_empty().map(drop)
}

fn begun<'w>(
    writer: &'w mut Writer<Vec<u8>>,
    tag: &'static str,
    attributes: impl IntoIterator<Item = (&'static str, String)>,
) -> ElementWriter<'w, Vec<u8>> {
    let begun = writer.create_element(tag);
    attributes.into_iter().fold(begun, |begun, (name, value)| begun.with_attribute((name, &*legal(&value))))
}

fn text(writer: &mut Writer<Vec<u8>>, text: &str) -> io::Result<()> {
    if text.is_empty() { Ok(()) } else { writer.write_event(Event::Text(BytesText::new(&legal(text)))) }
}

/// Replaces characters that XML 1.0 forbids in any form (section 2.2) with U+FFFD.
fn legal(text: &str) -> Cow<'_, str> {
    let is_illegal = |c: char| matches!(c, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    if text.contains(is_illegal) { Cow::Owned(text.replace(is_illegal, "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Seconds without exponent or thousands separator, which every reader understands.
fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(status: Status) -> Case {
        let class = Class { package: "a.b".to_owned(), class: "accepted/x.py".to_owned() };
        let name = "sample/1".to_owned();
        Case { name, class, status, time: None, overruns: vec!["3 s of 2 s".to_owned()], figures: Vec::new() }
    }

    fn written(case: Case) -> String {
        let suite = Suite { name: "s".to_owned(), properties: Vec::new(), cases: vec![case], time: Duration::ZERO };
        String::from_utf8(document(&[suite], None, Duration::ZERO).unwrap()).unwrap()
    }

    #[test]
    fn the_last_dot_of_a_class_parts_problem_and_submission() {
        assert!(written(case(Status::Success)).contains("classname=\"a_b.accepted/x_py\""));
    }

    #[test]
    fn nothing_in_a_text_ends_it() {
        let message = "\"]]>&<a>\0\u{ffff}".to_owned();
        let wrong = Wrong { kind: "WA".to_owned(), message: message.clone(), text: message };
        let text = written(case(Status::Failure(wrong)));
        assert_eq!(text.matches("]]&gt;&amp;&lt;a&gt;\u{fffd}\u{fffd}").count(), 2, "{text}");
        assert!(text.contains("<rerunFailure ") && !text.contains("flakyFailure"), "{text}");
    }
}
