//! `entry.tests` with Jest.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::{JudgedClass, get_nothing, units, without};
use crate::cli::units::{SCRIPT, tricks_in_javascript};

const JEST: &[Need] = &[Need::Tool("jest")];

const TESTS: &str = r#"const { mean, Stack, EmptyError, later, Point, twice, sortIt, greet } = require("../src/stats");
const { NUMBERS } = require("./helper.cjs");

describe("mean", () => {
  // points: 3
  it("of two", () => { expect(mean(NUMBERS)).toBe(1.5); });
  it("of nothing", () => { expect(() => mean([])).toThrow(RangeError); });
  test.each([[[2], 2], [[2, 4], 3]])("of %p is %d", (xs, wanted) => { expect(mean(xs)).toBeCloseTo(wanted); });
});
describe("Stack", () => {
  let stack;
  beforeEach(() => { stack = new Stack(); });
  it("pushes and pops", () => {
    stack.push(1);
    stack.push([2]);
    expect(stack.pop()).toEqual([2]);
    expect(stack).toHaveProperty("size", 1);
    expect([...stack]).toStrictEqual([1]);
    expect(stack).toBeInstanceOf(Stack);
    stack.pop();
    expect(() => stack.pop()).toThrow(EmptyError);
  });
});
test("points", async () => {
  expect(await later(3)).toBe(6);
  await expect(later(-1)).rejects.toThrow(TypeError);
  expect(new Point(1, 2)).not.toEqual(new Point(1, 3));
  expect(new Point(1, 2)).toEqual({ x: 1, y: 2 });
});
test("mocks", () => {
  const log = jest.spyOn(console, "log").mockImplementation(() => {});
  greet("Ada");
  expect(log).toHaveBeenCalledWith("Hello, Ada");
  const numbers = [3, 1, 2];
  sortIt(numbers);
  expect(numbers).toEqual([1, 2, 3]);
  const f = jest.fn((x) => x + 1);
  expect(twice(f, 1)).toBe(3);
  expect(f).toHaveBeenCalledTimes(2);
});
"#;

#[apply(cli_test)]
#[needs(JEST)]
fn tests_of_jest_are_cases_with_points() {
    let workspace = units("stats.test.js", TESTS);
    workspace.file("problems/units/tests/helper.cjs", "exports.NUMBERS = [1, 2];\n");
    workspace.problem("units").submission("accepted/stats.js", SCRIPT);
    let wrong = SCRIPT.replace(" / xs.length", " / 2 | 0").replace("new RangeError", "new SyntaxError");
    let wrong =
        wrong.replace("new EmptyError", "null.empty").replace("this.y = y", "this.y = 0").replace("f(f(x))", "f(x)");
    workspace.problem("units").submission("rejected/wrong.js", &wrong);
    let run = workspace.run(&["--all-tests", "--report", "jsonl=record.jsonl"]);
    run.status(0).shows("6 tests · 8 points").shows("AC   8 of 8");
    // Jest would show the lines around the place, with other tests or the code of grader.
    let record = workspace.read("record.jsonl");
    assert!(record.contains("Received constructor: SyntaxError") && !record.contains(" | "), "{record}");
    for (test, told) in [
        ("mean.of-two", "it(\"of two\", () => { expect(mean(NUMBERS)).toBe(1.5); });: expect(received).toBe(expected)"),
        ("mean.of-two", "Expected: 1.5; Received: 1; mean([ 1, 2 ]) returned 1"),
        ("mean.of-nothing", "expect(received).toThrow(expected)"),
        ("mean.of-p-is-d", "expect(received).toBeCloseTo(expected)"),
        ("Stack.pushes-and-pops", "Received message: \"Cannot read properties of null"),
        ("points", "expect(new Point(1, 2)).not.toEqual(new Point(1, 3));"),
        ("mocks", "expect(twice(f, 1)).toBe(3);"),
    ] {
        run.judged("rejected/wrong.js", test, "WA", told);
    }
    workspace.problem("units").submission("rejected/wrong.js", &SCRIPT.replace("xs.reduce", "xs.reduct"));
    workspace.run(&["-t", "mean.of-two", "-s", "rejected"]).judged(
        "rejected/wrong.js",
        "mean.of-two",
        "RTE",
        "exit code 1",
    );
}

#[apply(cli_test)]
#[needs(JEST)]
fn the_message_of_a_row_shows_its_own_call() {
    let tests = "const { sale } = require('./stats');\ntest.each([[100, 90], [50, 25]])('sale %d', (a, b) => { expect(sale(a)).toBe(b); });\n";
    let workspace = units("stats.test.js", tests);
    workspace.problem("units").submission("rejected/stats.js", "exports.sale = (n) => -9 * n;\n");
    let run = workspace.run(&["--all-tests"]);
    run.judged("rejected/stats.js", "sale-d", "WA", "Expected: 90; Received: -900; sale(100) returned -900");
}

#[apply(cli_test)]
#[needs(JEST)]
fn a_class_gets_points_by_jest() {
    // Modules of both kinds, in tests and in solutions.
    let tests = "import { jest, test, expect } from '@jest/globals';\nimport stats, { mean, lacks } from './stats.js';\ntest('two', () => { expect(mean([1, 2])).toBe(1.5); expect(stats.mean).toBe(mean); }); // points: 2\ntest('lacks', () => { expect(lacks()).toBe(1); });\n";
    let workspace = units("stats.test.js", tests);
    let module = "export const mean = (xs) => xs.reduce((a, b) => a + b, 0) / xs.length;\nexport const lacks = () => 1;\nexport default { mean };\n";
    workspace.problem("units").submission("accepted/stats.mjs", module);
    workspace.file("students/ada.js", SCRIPT).file("students/bob.mjs", module.replace("/ xs", "/ 3 + 0 * xs"));
    workspace.file("students/cyd.js", "exports.mean = (xs => {\n");
    let (class, _) = JudgedClass::of(&workspace, 1);
    class.points(&[("ada", 2.0), ("bob", 1.0), ("cyd", 0.0)]);
    assert!(class.feedback.contains("TypeError: lacks is not a function"), "{}", class.feedback);
}

#[apply(cli_test)]
#[needs(JEST)]
fn a_test_of_jest_that_did_not_run_is_a_judge_error() {
    let tests = "const { double } = require('./stats');\ntest.skip('skips', () => {});\ntest.todo('later');\ntest('fine', () => { expect(double(2)).toBe(4); });\ntest('class', () => { double(new (class Own { #x = 1 })()); });\nif (false) {\n  test('gone', () => {});\n}\n";
    let workspace = units("stats.test.js", tests);
    workspace.problem("units").submission("accepted/stats.js", "exports.double = (n) => 2 * n;\n");
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).shows("0 tests are called `gone` and ran to their end, not 1");
    run.shows("the test was skipped, or is still to do");
    run.shows("the test gives the solution a value of the type `Own`, which cannot leave the test");
    run.judged("accepted/stats.js", "fine", "AC", "");
    for (tests, told) in [
        ("test('nothing', () => { expect(1).toBe(1); });\n", "the tests import nothing of the solution"),
        (
            "require('./stats');\nthrow new Error('oh');\ntest('a', () => { expect(1).toBe(1); });\n",
            "stats.test.js:2: oh",
        ),
    ] {
        let workspace = units("stats.test.js", tests);
        workspace.problem("units").submission("accepted/stats.js", "exports.double = (n) => 2 * n;\n");
        workspace.run(&[]).status(3).shows(told);
    }
    let workspace = units("stats.test.js", "require('./stats');\ntest('open', () => { expect(1).toBe(1);\n");
    workspace.problem("units").submission("accepted/stats.js", "exports.double = (n) => 2 * n;\n");
    workspace.run(&[]).status(3).says("SyntaxError: Unexpected end of input");
}

/// Students who want points without a solution. The test needs a value that they do not know, and would take it in any form.
#[track_caller]
fn tricks(part: usize) {
    let tests = "const { add } = require('./calc.js');\n\ntest('sum', async () => {\n  let sum;\n  try {\n    sum = await add(5000, 678);\n  } catch (error) {\n    sum = error;\n  }\n  expect(sum).toEqual(5678);\n});\n";
    let mut tricks = tricks_in_javascript();
    let matches = "{ $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true, toAsymmetricMatcher: () => 'Any' }";
    tricks.extend([
        ("matches_all", format!("exports.add = () => ({matches});\n")),
        ("function_that_matches", format!("exports.add = () => Object.assign(() => 0, {matches});\n")),
        ("error_that_matches", format!("exports.add = () => {{ throw Object.assign(new Error(), {matches}) }};\n")),
        ("class_that_matches", "exports.add = () => new (class extends Number { get [Symbol.toStringTag]() { return 'Number' } asymmetricMatch() { return true } isEqualNode() { return true } nodeType = 1; nodeName = '' })();\n".to_owned()),
        ("forged_match", "const fs = require('fs');\nexports.add = () => { fs.writeSync(1, '{\"value\":{\"a\":0},\"contents\":[[0,\"object\",[\"asymmetricMatch\",{\"h\":[1,true]},\"$$typeof\",{\"y\":\"iterator\"}],false]]}\\n'); return 0 };\n".to_owned()),
        ("patches_jest", "globalThis.expect = () => ({ toEqual() {} }); globalThis.test = () => {}; globalThis[Symbol.for('grader')] = { process: { reallyExit() {} } };\nexports.add = () => 0;\n".to_owned()),
    ]);
    let tricks: Vec<_> = tricks.iter().skip(part).step_by(4).collect();
    let workspace = units("calc.test.js", tests);
    workspace.problem("units").submission("accepted/calc.js", "exports.add = (a, b) => a + b;\n");
    for (name, text) in &tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.js"), text);
    }
    // Files beside a solution that would change Jest.
    let beside = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/rejected/beside/{name}"), text);
    };
    beside("calc.js", "exports.add = () => 0;\n");
    beside("jest.config.js", "module.exports = { testEnvironment: './calc.js', setupFiles: ['./calc.js'] };\n");
    beside("package.json", "{\"jest\": {\"setupFiles\": [\"./calc.js\"], \"passWithNoTests\": true}}\n");
    beside("calc.test.js", "test('sum', () => {});\n");
    beside("__mocks__/calc.js", "exports.add = () => 5678;\n");
    beside("node_modules/jest/package.json", "{\"version\": \"30.0.0\"}\n");
    beside("node_modules/jest/bin/jest.js", "process.exit(0);\n");
    let run = workspace.run(&["--all-tests"]);
    get_nothing(&run, "accepted/calc.js", tricks.len() + 1);
}

#[apply(cli_test)]
#[needs(JEST)]
fn tricks_under_jest_get_nothing() {
    tricks(0);
}

#[apply(cli_test)]
#[needs(JEST)]
fn second_tricks_under_jest_get_nothing() {
    tricks(1);
}

#[apply(cli_test)]
#[needs(JEST)]
fn third_tricks_under_jest_get_nothing() {
    tricks(2);
}

#[apply(cli_test)]
#[needs(JEST)]
fn fourth_tricks_under_jest_get_nothing() {
    tricks(3);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node"), Need::Tool("unshare"), Need::Mount])]
fn a_missing_jest_is_named() {
    let tests = "const { one } = require('./stats');\ntest('one', () => { expect(one()).toBe(1); });\n";
    let workspace = units("stats.test.js", tests);
    workspace.problem("units").submission("accepted/stats.js", "exports.one = () => 1;\n");
    let folders = ["/usr/lib/node_modules/jest", "/usr/local/lib/node_modules/jest", "/usr/share/nodejs/jest"];
    let run = without(workspace.call(&[]), &folders).run();
    run.status(3)
        .shows("tests/stats.test.js: Jest is not installed")
        .shows("Jest is not installed: npm install --global jest");
    assert!(!run.all().contains("fix the"), "{}", run.all());
}
