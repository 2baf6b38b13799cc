//! Unit tests in JavaScript: those of node's own test runner (`node:test`), in suites or not.

use super::{Programs, Runner, TestFiles, UnitTest, UnknownTest, line_of, points_at};
use crate::driver::{self, SCRIPT};
use crate::program_files::words::{Dialect, Word, words};

pub(super) const ROW: Runner = Runner {
    code: "javascript",
    language: "JavaScript",
    endings: &["js", "mjs", "cjs"],
    is_name: |name| name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)),
    tests_in,
    programs: |files| Ok(programs(files, driver::NODE)),
    refusal: |_, _| None,
    example: "const { test } = require(\"node:test\"); test(\"mean of two\", () => …)",
    library: "node:test",
};

/// The programs for a runner of JavaScript.
pub(super) fn programs(files: &TestFiles<'_>, runner: &str) -> Programs {
    let runner = (SCRIPT.to_owned(), driver::running_scripts(runner, files.name).into_bytes());
    let tests = (files.name.to_owned(), files.text.as_bytes().to_vec());
    Programs {
        judge: [vec![runner, tests], files.beside.clone()].concat(),
        beside: vec![(SCRIPT.to_owned(), driver::serving_scripts(&files.names_given()).into_bytes())],
    }
}

/// The longest name of a case that is made of the names of a test.
const LONGEST: usize = 100;

/// A suite or a test that is open.
struct Block {
    name: String,
    /// The names of a test and its suites, as the runner gets them.
    path: Vec<serde_json::Value>,
    /// The parentheses that are open inside it.
    depth: usize,
    is_suite: bool,
}

/// The tests of a file, in its order: `test("…")` and `it("…")`, outside or inside `describe("…")` and `suite("…")`. A test in
/// a test is a part of it, and so is a row of `test.each(…)("…")`. A comment `// points: 3` above a test or in its line states its
/// points.
pub(super) fn tests_in(text: &str) -> Result<Vec<UnitTest>, UnknownTest> {
    let lines: Vec<&str> = text.lines().collect();
    let words = words(text, Dialect::Java);
    let mut open: Vec<Block> = Vec::new();
    // A block, and where its parenthesis opens.
    let mut next: Option<(usize, Block)> = None;
    let mut tests: Vec<UnitTest> = Vec::new();
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate() {
        match word {
            // A sign of a regular expression.
            Word::Sign(_) if at > 0 && words[at - 1] == Word::Sign('\\') => {}
            Word::Sign('(') => {
                depth += 1;
                open.extend(next.take_if(|(start, _)| *start == at).map(|(_, block)| Block { depth, ..block }));
            }
            Word::Sign(')') => {
                depth = depth.saturating_sub(1);
                open.retain(|block| block.depth <= depth);
            }
            Word::Name(name @ ("test" | "it" | "describe" | "suite"))
                if at == 0 || words[at - 1] != Word::Sign('.') =>
            {
                let is_suite = matches!(*name, "describe" | "suite");
                let Some((start, is_each)) = call_after(&words, at + 1) else { continue };
                let line = line_of(text, name);
                if open.iter().any(|block| !block.is_suite) {
                    continue;
                }
                let Some(Word::Text(written)) = words.get(start + 1) else { return Err(UnknownTest { line }) };
                let name = unescaped(written).ok_or(UnknownTest { line })?;
                let part = if is_each { serde_json::json!({ "each": name }) } else { serde_json::json!(name) };
                let path = [open.last().map_or(Vec::new(), |suite| suite.path.clone()), vec![part]].concat();
                if !is_suite {
                    let names: Vec<&str> = open.iter().map(|block| &*block.name).chain([&*name]).collect();
                    let input = serde_json::json!(path).to_string();
                    if tests.iter().any(|test| test.input == input) {
                        return Err(UnknownTest { line });
                    }
                    let name = free_name(&names, &tests);
                    let points = points_at(&lines, line, &tests);
                    tests.push(UnitTest::new(name, input, points));
                }
                next = Some((start, Block { name, path, depth, is_suite }));
            }
            _ => {}
        }
    }
    Ok(tests)
}

/// Where the parenthesis opens before the name of a test, after `test`, `test.skip` or `test.each([…])`, and whether the latter
/// is there; none if nothing is called.
fn call_after(words: &[Word<'_>], mut at: usize) -> Option<(usize, bool)> {
    let mut is_each = false;
    while words.get(at) == Some(&Word::Sign('.')) {
        let modifier = words.get(at + 1)?.name()?;
        at += 2;
        if modifier == "each" {
            is_each = true;
            let is_table = words.get(at) == Some(&Word::Sign('`'));
            let mut depth = 0_usize;
            let length = words.get(at..)?.iter().enumerate().position(|(number, word)| match word {
                Word::Sign('`') if is_table => number > 0,
                Word::Sign('(') => {
                    depth += 1;
                    false
                }
                Word::Sign(')') => {
                    depth = depth.saturating_sub(1);
                    !is_table && depth == 0
                }
                _ => false,
            });
            at += length? + 1;
        } else if !["only", "skip", "todo", "failing", "concurrent"].contains(&modifier) {
            return None;
        }
    }
    (words.get(at) == Some(&Word::Sign('('))).then_some((at, is_each))
}

/// The name in a literal; none if it has other escapes than of quotes.
fn unescaped(written: &str) -> Option<String> {
    let plain = written.replace("\\\"", "\"").replace("\\'", "'");
    (!plain.contains('\\') && !plain.trim().is_empty()).then_some(plain)
}

/// A name for the case of a test that no other has: `mean.of-two`.
fn free_name(path: &[&str], tests: &[UnitTest]) -> String {
    let part = |name: &&str| {
        let signs: String = name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
        signs.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    };
    let whole = path.iter().map(part).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
    let base: String = if whole.is_empty() { "test".to_owned() } else { whole.chars().take(LONGEST).collect() };
    let is_free = |name: &str| tests.iter().all(|test| test.name != name);
    if is_free(&base) {
        return base;
    }
    (2..tests.len() + 3).map(|number| format!("{base}-{number}")).find(|name| is_free(name)).unwrap_or(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_in_suites_or_not() {
        let text = r#"
import { test, describe, it } from "node:test";
// test("in a comment")
describe("Mean", () => {
  // points: 2.5
  it("of two, (or more)", () => { re.test(x); /\(/.test("x"); });
  describe('empty', () => { it.skip("throws", async (t) => { await t.test("part", () => {}); }); });
});
test('it\'s plain', () => {}); // points: 3
test("of two; or more", () => {});
describe.each([[1], [(2)]])("of %i", (n) => { test.each`a | b
${1} | ${(2)}
`("adds $a", () => {}); });
test.concurrent("later", () => {});
"#;
        let found = tests_in(text).unwrap();
        let found: Vec<(&str, &str, f64)> = found.iter().map(|one| (&*one.name, &*one.input, one.points)).collect();
        let expected = [
            ("Mean.of-two-or-more", r#"["Mean","of two, (or more)"]"#, 2.5),
            ("Mean.empty.throws", r#"["Mean","empty","throws"]"#, 1.0),
            ("it-s-plain", r#"["it's plain"]"#, 3.0),
            ("of-two-or-more", r#"["of two; or more"]"#, 1.0),
            ("of-i.adds-a", r#"[{"each":"of %i"},{"each":"adds $a"}]"#, 1.0),
            ("later", r#"["later"]"#, 1.0),
        ];
        assert_eq!(found, expected);
        assert_eq!(tests_in("\ntest(name, () => {})"), Err(UnknownTest { line: 2 }));
        assert_eq!(tests_in("test('a', f)\ntest('a', f)"), Err(UnknownTest { line: 2 }));
        assert_eq!(tests_in("test(`a`, f)"), Err(UnknownTest { line: 1 }));
    }
}
