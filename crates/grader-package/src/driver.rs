//! Programs around a solution: drivers that call its functions, and the evaluator of assertions, which never shares a process
//! with it.

/// A language whose functions can be called. Another language is a row here and a file in `driver/`.
pub struct Caller {
    /// Its code in packages.
    pub code: &'static str,
    /// Its name for people.
    pub language: &'static str,
    /// The name of the driver, by which it starts instead of the file that the author would start.
    pub driver: &'static str,
    /// The parts of its text.
    text: &'static [&'static str],
}

/// All of them.
pub const CALLERS: &[Caller] = &[
    PYTHON,
    Caller { code: "javascript", language: "JavaScript", driver: SCRIPT, text: &[include_str!("driver/function.cjs")] },
    Caller {
        code: "java",
        language: "Java",
        driver: "GraderDriver.java",
        text: &[include_str!("driver/function.java")],
    },
    // It includes the solution as text, to know the types of the function.
    Caller { code: "cpp", language: "C++", driver: RUNNER, text: &[CPP_VALUES, include_str!("driver/function.cpp")] },
];

const PYTHON: Caller =
    Caller { code: "python3", language: "Python", driver: DRIVER, text: &[LOAD, include_str!("driver/function.py")] };

impl Caller {
    /// A driver that calls `function` with the arguments on standard input as JSON, and writes what it returns as JSON.
    /// `function` must be a name ([`is_identifier`]).
    pub fn calling(&self, function: &str) -> String {
        self.text.concat().replace(FUNCTION, function)
    }
}

/// The name of the driver beside a solution in Python. Python's rules for main files choose it.
pub const DRIVER: &str = "__main__.py";
/// The name of the solution, unless it is the only other source.
pub const SOLUTION: &str = "solution.py";
/// The name of the evaluator.
pub const EVALUATOR: &str = "evaluator.py";

/// The beginning of every driver.
const LOAD: &str = include_str!("driver/load.py");
/// The part of a driver that converts values at the border of the sandbox.
const VALUES: &str = include_str!("driver/values.py");
/// The part of a driver that calls a solution in another process.
const BORDER: &str = include_str!("driver/border.py");
/// What both sides know of the same containers.
const SHARED: &str = include_str!("driver/shared.py");
/// How a solution's process answers.
const SERVED: &str = include_str!("driver/served.py");
/// What stands for the objects of a solution in the runner of its unit tests.
const THINGS: &str = include_str!("driver/things.py");
/// The word that stands for the name of the function.
const FUNCTION: &str = "@FUNCTION@";
/// The line that the evaluator prints if the assertions must run in the program's process.
const INSIDE: &[u8] = b"< {\"judged_by\": \"assertions\"}";

/// The output validator of functions: compares the JSON values.
pub const VALIDATOR: &str = include_str!("driver/validate.py");
/// The text in the driver of a function that says how the input holds the arguments.
const BY_LINE: &str = "BY_LINE = False";

/// The driver of a solution in Python that calls `function` ([`Caller::calling`]).
pub fn calling(function: &str) -> String {
    PYTHON.calling(function)
}

/// Like [`calling`], with an argument as JSON on each line of standard input, or `name = value, …`, as `LeetCode` shows
/// them.
pub(crate) fn calling_by_line(function: &str) -> String {
    calling(function).replace(BY_LINE, "BY_LINE = True")
}

/// A driver that starts the file `grader` of a problem, which imports the solution as one of these modules. `files` are the
/// names of the problem's files beside the solution.
pub(crate) fn starting(grader: &str, files: &[&str], modules: &[&str]) -> String {
    let own = [files, &[DRIVER]].concat().join("\n");
    // Names are texts in Python, whatever they hold.
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    include_str!("driver/grader.py")
        .replace("@GRADER@", &escaped(grader))
        .replace("@FILES@", &escaped(&own))
        .replace("@MODULES@", &escaped(&modules.join("\n")))
}

/// A driver that makes the calls for which the evaluator asks.
pub fn asserting() -> String {
    [LOAD, VALUES, SERVED, include_str!("driver/assertions.py")].concat()
}

/// The evaluator: an interactor whose input is a program of assertions.
pub fn evaluator() -> String {
    [LOAD, VALUES, BORDER, include_str!("driver/evaluator.py")].concat()
}

/// A driver that carries out the requests of a runner of unit tests. `given`: the names of the problem's files beside the
/// solution, as a list in JSON.
pub(crate) fn serving_units(given: &str) -> String {
    let units = include_str!("driver/units.py").replace("@GIVEN@", given);
    [VALUES, SHARED, SERVED, "import os\nimport sys\n", &units].concat()
}

/// The runner of unit tests in the file `tests`: an interactor whose input is the name of a test. `names`: those of all tests, as
/// a list in JSON.
pub(crate) fn running_units(tests: &str, names: &str) -> String {
    [
        VALUES,
        SHARED,
        BORDER,
        THINGS,
        &include_str!("driver/runner.py").replace("@TESTS@", tests).replace("@NAMES@", names),
    ]
    .concat()
}

/// The name of the driver beside a solution in JavaScript, and of the runner of its tests. The rules for main files choose it.
pub(crate) const SCRIPT: &str = "main.grader.cjs";

/// How values of JavaScript cross the border.
const SCRIPT_VALUES: &str = concat!(include_str!("driver/values.cjs"), include_str!("driver/shared.cjs"));

/// Like [`serving_units`], in JavaScript.
pub(crate) fn serving_scripts(given: &str) -> String {
    [SCRIPT_VALUES, &include_str!("driver/units.cjs").replace("@GIVEN@", given)].concat()
}

/// Like [`running_units`], with a runner of JavaScript. The input has the names of the test and of its suites as a list in JSON.
pub(crate) fn running_scripts(runner: &str, tests: &str) -> String {
    [SCRIPT_VALUES, &include_str!("driver/runner.cjs").replace("@TESTS@", tests), runner].concat()
}

/// Node's own test runner, and Jest.
pub(crate) const NODE: &str = include_str!("driver/node.cjs");
pub(crate) const JEST: &str = include_str!("driver/jest.cjs");

/// The programs beside a solution in Go with unit tests: their names and texts, with `@MODULE@`, `@PACKAGE@` and `@TESTS@`.
pub(crate) const UNITS_IN_GO: &[(&str, &str)] = &[
    ("graderunits.go", include_str!("driver/units/solution.go")),
    ("graderunits/guard/guard.go", include_str!("driver/units/guard.go")),
    ("graderunits/main.go", include_str!("driver/units/main.go")),
];

/// The program beside a solution in Java with unit tests, with `@PACKAGES@`.
pub(crate) const UNITS_IN_JAVA: &str = include_str!("driver/units/GraderUnits.java");

/// The files beside a solution in Rust with unit tests, with `@CRATE@` and `@TESTS@`.
pub(crate) const UNITS_IN_RUST: &[(&str, &str)] = &[
    ("choose.sh", include_str!("driver/units/choose.sh")),
    ("run.sh", include_str!("driver/units/run.sh")),
    ("tests.args", "--extern=@CRATE@=graderunits/libsolution.rlib\ngraderunits/tests/@TESTS@\n"),
];

/// The interactor of unit tests that run in the process of the solution.
pub(crate) fn judging_units() -> Vec<(String, Vec<u8>)> {
    vec![("judge.sh".to_owned(), include_bytes!("driver/units/judge.sh").to_vec())]
}

/// The name of the driver beside a solution in C++, and of the runner of its tests.
pub(crate) const RUNNER: &str = "main.grader.cpp";
/// What our own program beside a solution in C++ says of it by static assertions, if a compiler finds no other error. The rest of
/// the compiler's words is about that program, which no author of a solution has seen.
pub fn assertions_in(words: &str) -> Option<String> {
    const FAILED: &str = "static assertion failed";
    let is_error = |line: &&str| line.contains(": error: ") || line.contains(": fatal error: ");
    let mut told: Vec<&str> = Vec::new();
    for line in words.lines().filter(is_error) {
        let (_, assertion) = line.strip_prefix(RUNNER)?.split_once(FAILED)?;
        // Clang adds ` due to requirement '…'`.
        let (_, reason) = assertion.split_once("': ").or_else(|| assertion.split_once(": "))?;
        told.extend((!told.contains(&reason)).then_some(reason));
    }
    (!told.is_empty()).then(|| told.join("\n"))
}

/// How values of C++ cross the border.
const CPP_VALUES: &str = include_str!("driver/values.cpp");
/// How errors of C++ cross it.
const CPP_ERRORS: &str = include_str!("driver/units/errors.cpp");

/// The runner of unit tests in C++: an interactor whose input is the name of a test. `headers`: lines that include those of the
/// solution; `functions`: stand-ins for its functions.
pub(crate) fn running_tests(headers: &str, functions: &str) -> String {
    let runner = include_str!("driver/units/runner.cpp").replace("@HEADERS@", headers);
    [CPP_VALUES, CPP_ERRORS, &runner.replace("@FUNCTIONS@", functions)].concat()
}

/// The program beside a solution in C++ that makes the calls for its tests. `served`: the names of its functions.
pub(crate) fn serving_tests(headers: &str, functions: &str, served: &str) -> String {
    let program = include_str!("driver/units/served.cpp").replace("@HEADERS@", headers).replace("@SERVED@", served);
    [CPP_VALUES, CPP_ERRORS, &program.replace("@FUNCTIONS@", functions)].concat()
}

/// The script that builds the runner of unit tests in C++. `libraries`, `sources`: words of the shell.
pub(crate) fn building_tests(libraries: &str, sources: &str) -> String {
    include_str!("driver/units/build.sh").replace("@LIBRARIES@", libraries).replace("@SOURCES@", sources)
}

/// Whether assertions ran in the program's process. `transcript` is the conversation with the evaluator.
pub fn ran_inside(transcript: &[u8]) -> bool {
    // Each line begins with its time.
    let said = |line: &[u8]| line.trim_ascii_start().splitn(2, |byte| *byte == b' ').nth(1) == Some(INSIDE);
    transcript.split(|byte| *byte == b'\n').any(said)
}

/// Whether languages accept this name. A driver contains the name unchanged.
pub fn is_identifier(name: &str) -> bool {
    let begins = |c: char| c == '_' || c.is_alphabetic();
    name.len() <= 255 && name.starts_with(begins) && name.chars().all(|c| begins(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{RUNNER, assertions_in};

    #[test]
    fn only_assertions_of_our_own_program_replace_the_words_of_a_compiler() {
        let gcc = format!(
            "{RUNNER}:460:36:   required from here\n{RUNNER}:263:27: error: static assertion failed: no type: int*\n"
        );
        assert_eq!(assertions_in(&gcc).as_deref(), Some("no type: int*"));
        let clang =
            format!("{RUNNER}:2:7: error: static assertion failed due to requirement 'never<int *>': no type\n");
        assert_eq!(assertions_in(&clang).as_deref(), Some("no type"));
        assert_eq!(assertions_in(&format!("{gcc}solution.cpp:2:64: error: expected ';'\n")), None);
        assert_eq!(assertions_in("solution.cpp:2:64: error: static assertion failed: mine\n"), None);
        assert_eq!(assertions_in("words"), None);
    }
}
