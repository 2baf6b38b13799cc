//! The checkers that search: `contains`, `regex` and `unordered`, with outputs that want to be difficult.

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::stream::{lines, of, stream};
use crate::cli::workspace::Workspace;

const PYTHON: &[Need] = &[Need::Tool("python3")];

/// A problem with this checker and answer, and a submission in Python for each output: a byte string.
fn printed(checker: &str, answer: &str, outputs: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    let settings = format!("checker = \"{checker}\"\nreference = \"{}\"\n", outputs[0].0);
    let mut problem = workspace.problem("echo").toml(&settings).case("sample/1", "", answer);
    for (path, output) in outputs {
        problem = problem.submission(path, &format!("import sys\nsys.stdout.buffer.write({output})\n"));
    }
    workspace
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn an_output_contains_the_answer() {
    let outputs = [
        ("accepted/talks.py", r"b'Enter a name: Hello, World!\n'"),
        ("accepted/bytes.py", r"b'\xff\x00Hello, World!\xff'"),
        // Long before the answer, and without a line feed.
        ("accepted/far.py", "b'Hello, ' * 700000 + b'World!'"),
        ("wrong_answer/case.py", r"b'x\n  hello\nHello, world!\n'"),
        ("wrong_answer/spaces.py", r"b'HELLO,\nWorld!\n'"),
        ("wrong_answer/long.py", "b'H' * 5000000"),
        ("wrong_answer/nothing.py", "b''"),
    ];
    let run = printed("contains", " Hello, World!\r\n", &outputs).run(&[]);
    run.status(0);
    let missing = "the output does not contain `Hello, World!`";
    let case = format!(
        "{missing}: after `Hello, `, line 3, column 8: expected `World!`, got `world!⏎`; would be AC if case were ignored"
    );
    run.judged("wrong_answer/case.py", "sample/1", "WA", &case);
    let would = "would be AC if case were ignored and white space were ignored";
    run.judged("wrong_answer/spaces.py", "sample/1", "WA", would);
    run.judged("wrong_answer/long.py", "sample/1", "WA", missing);
    let at_end = format!("{missing}: after `H`, line 1, column 2: expected `ello, World!`, got `HHHH");
    run.judged("wrong_answer/long.py", "sample/1", "WA", &at_end);
    run.judged("wrong_answer/nothing.py", "sample/1", "WA", missing);
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn an_output_matches_the_answer() {
    let outputs = [
        ("accepted/total.py", r"b'x\nTotal: 12 items\n'"),
        ("accepted/bytes.py", r"b'\xff\xfeTotal: 1 items\x00'"),
        ("wrong_answer/things.py", r"b'Total: 12 things\n'"),
        ("wrong_answer/invalid.py", r"b'Total: \xff items'"),
        ("wrong_answer/huge.py", "b'Total: 1' * 500000"),
    ];
    let workspace = printed("regex", "Total: \\\\d+ items\n".replace("\\\\", "\\").as_str(), &outputs);
    let run = workspace.run(&[]);
    run.status(0);
    let missing = r"nothing in the output matches `Total: \d+ items`";
    let things = format!(r"{missing}: after `Total: \d+`, line 1, column 10: expected ` items`, got ` things`");
    run.judged("wrong_answer/things.py", "sample/1", "WA", &things);
    let invalid = format!(r"{missing}: after `Total: `, line 1, column 8: expected `\d+ items`, got `\xff items`");
    run.judged("wrong_answer/invalid.py", "sample/1", "WA", &invalid);
    run.judged("wrong_answer/huge.py", "sample/1", "WA", "the output is longer than 1024 KiB, which is the most");
    // What is stored is judged anew by another checker.
    workspace.run(&["--checker", "contains"]).status(1).judged(
        "accepted/total.py",
        "sample/1",
        "WA",
        r"the output does not contain `Total: \d+ items`: after `Total: `",
    );
}

/// Expressions for which other engines need a time exponential in the output.
#[apply(cli_test)]
#[needs(PYTHON)]
fn a_search_takes_linear_time() {
    for (expression, output) in [("^(a+)+$", "b'a' * 50000 + b'!'"), ("(x+x+)+y", "b'x' * 50000")] {
        let run = printed("regex", expression, &[("wrong_answer/bomb.py", output)]).run(&[]);
        run.status(0).judged("wrong_answer/bomb.py", "sample/1", "WA", "nothing in the output matches `");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn an_answer_that_is_no_expression_is_a_judge_error() {
    for (checker, answer, told) in [
        ("regex", "ok\n(a", "regex: line 2, column 1 of the answer: no regular expression: unclosed group"),
        ("regex", r"(a)\1", "regex: line 1, column 4 of the answer: no regular expression: backreferences are not"),
        ("regex", r"(\w{100}){100}", "no regular expression: it takes more than 1024 KiB"),
        ("regex", " \n", "regex: line 2, column 1 of the answer: it is blank, so every output would be right"),
        ("contains", "", "contains: line 1, column 1 of the answer: it is blank"),
    ] {
        let run = printed(checker, answer, &[("accepted/a.py", "b'x'")]).run(&[]);
        run.status(3).ends("accepted/a.py", "-", "judge_error");
        run.shows(told);
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn lines_may_come_in_any_order() {
    let outputs = [
        ("accepted/order.py", r"b'mercury\r\n\nearth  mars\nvenus\nvenus'"),
        ("wrong_answer/other.py", r"b'venus\npluto\n'"),
        ("wrong_answer/thrice.py", r"b'venus\nvenus\nvenus\n'"),
        ("wrong_answer/missing.py", r"b'venus\nearth mars\n'"),
        ("wrong_answer/once.py", r"b'venus\nearth mars\nmercury\n'"),
        ("wrong_answer/case.py", r"b'Venus\n'"),
        ("wrong_answer/prompt.py", r"b'Enter a planet: venus\n'"),
        ("wrong_answer/empty.py", "b''"),
        ("wrong_answer/no_line.py", "b'venus' * 1000000"),
        ("wrong_answer/bytes.py", r"b'\xff\n'"),
    ];
    let run = printed("unordered", "venus\nearth mars\nvenus\nmercury\n", &outputs).run(&[]);
    run.status(0);
    run.judged("wrong_answer/other.py", "sample/1", "WA", "line 2: `pluto` is no line of the answer");
    run.judged("wrong_answer/thrice.py", "sample/1", "WA", "line 3: `venus` once more, expected 2 times");
    let times = "`venus` is there once, expected 2 times (line 1 of the answer)";
    run.judged("wrong_answer/once.py", "sample/1", "WA", times);
    let case = "line 1: `Venus` is no line of the answer, but `venus` is (only upper and lower case)";
    run.judged("wrong_answer/case.py", "sample/1", "WA", case);
    let prompt = "`Enter a planet: venus` is no line of the answer, but `venus` at its end is: print the answer alone";
    run.judged("wrong_answer/prompt.py", "sample/1", "WA", prompt);
    let first =
        "2 lines are missing, beginning with `venus`, which is there once, expected 2 times (line 1 of the answer)";
    run.judged("wrong_answer/missing.py", "sample/1", "WA", first);
    run.judged("wrong_answer/empty.py", "sample/1", "WA", "4 lines are missing, beginning with `venus`");
    run.judged("wrong_answer/no_line.py", "sample/1", "WA", "line 1: `venusvenus");
    run.judged("wrong_answer/bytes.py", "sample/1", "WA", r"line 1: `\xff` is no line of the answer");
}

/// A folder of cases without settings takes the checker of the command line or of `grader.toml`.
#[apply(cli_test)]
#[needs(PYTHON)]
fn a_plain_folder_takes_the_checker_too() {
    let workspace = Workspace::new();
    workspace.file("greet/1.in", "Ada\n").file("greet/1.out", "hello,?\\s+Ada\n");
    workspace.file("greet/greet.py", "print('Say hello', input())\n");
    let judge = |more: &[&str]| Call::any(&workspace.path("greet"), &[&["run", "greet.py"], more].concat()).run();
    judge(&[]).status(1);
    judge(&["--checker", "regex"]).status(0);
    workspace.file("grader.toml", "checker = \"regex\"\n");
    judge(&[]).status(0);
}

#[apply(cli_test)]
fn a_checker_that_searches_takes_no_flag() {
    let workspace = printed("contains case_sensitive", "1\n", &[("accepted/a.py", "b'1'")]);
    workspace.run(&[]).status(2).says("`contains` has its own rules and takes no other word");
    let workspace = printed("unorderd", "1\n", &[("accepted/a.py", "b'1'")]);
    workspace.run(&[]).status(2).says("did you mean `unordered`?");
}

#[apply(cli_test)]
fn requests_name_these_checkers() {
    let request = |id: &str, checker: &str, output: &str, source: &str| {
        let problem = json!({"tests": [{"input": "", "output": output}], "checker": checker});
        json!({"id": id, "problem": problem, "language": "bash", "source": source})
    };
    let of_calls = json!({"tests": [{"input": [], "output": 1}], "checker": "regex", "entry": {"function": "f"}});
    let requests: [Value; 5] = [
        request("contains", "contains", "42", "echo the answer is 42."),
        request("regex", "regex", r"\b\d\d\b", "echo 123"),
        request("unordered", "unordered", "a\nb\n", "echo b; echo a"),
        request("broken", "regex", "(", "echo 123"),
        json!({"id": "call", "problem": of_calls, "source": "def f(): return 1"}),
    ];
    let run = stream(&Workspace::new(), &[], &lines(&requests));
    run.status(3);
    for (id, verdict) in [("contains", "AC"), ("regex", "WA"), ("unordered", "AC")] {
        assert_eq!(of(&run, id)["verdict"], verdict, "{}", run.stdout);
    }
    assert_eq!(
        of(&run, "regex")["failed"]["reason"],
        r"nothing in the output matches `\b\d\d\b`: after `\b\d\d`, line 1, column 3: expected `\b`, got `3`"
    );
    assert_eq!(of(&run, "broken")["kind"], "judge");
    let call = of(&run, "call");
    assert_eq!(call["kind"], "request");
    assert!(call["message"].as_str().unwrap().contains("`regex` compares texts; calls of a function have values"));
}
