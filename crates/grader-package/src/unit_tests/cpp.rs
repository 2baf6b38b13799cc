//! Unit tests in C++: those of `GoogleTest`. They run in the process of an interactor. A header beside them declares the functions
//! of the solution; for each, the tests get a stand-in that asks the process of the solution.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::{FOLDER, Named, Programs, Runner, TestFiles, Unfit, UnitTest, UnknownTest, line_of, points_at};
use crate::driver;
use crate::program_files::words::{Dialect, Word, words};
use crate::program_files::{mentions, normal};

pub(super) const ROW: Runner = Runner {
    code: "cpp",
    language: "C++",
    endings: ENDINGS,
    is_name: |name| name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)),
    tests_in,
    programs,
    refusal: |_, _| None,
    example: "#include <gtest/gtest.h> … TEST(Mean, OfTwo) { … }",
    library: "gtest/gtest.h",
};

/// The endings of sources.
const ENDINGS: &[&str] = &["cpp", "cc", "cxx"];
/// The macros of tests.
const TESTS: [&str; 3] = ["TEST", "TEST_F", "TEST_P"];
/// Macros of `GoogleTest` that cannot be used here, why, and what to do instead.
const NOT_HERE: [(&str, &str, &str); 4] = [
    ("TYPED_TEST", "has no name of its own for each type", "write a `TEST` for each type"),
    ("TYPED_TEST_P", "has no name of its own for each type", "write a `TEST` for each type"),
    ("EXPECT_DEATH", "waits for the end of its own process, and the solution is in another", "test for exceptions"),
    ("ASSERT_DEATH", "waits for the end of its own process, and the solution is in another", "test for exceptions"),
];

/// The tests of a file, in its order: `Mean.OfTwo` for `TEST(Mean, OfTwo)`.
fn tests_in(text: &str) -> Result<Vec<UnitTest>, UnknownTest> {
    let lines: Vec<&str> = text.lines().collect();
    let words = words(text, Dialect::Java);
    let mut tests: Vec<UnitTest> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(macro_name) = word.name().filter(|name| TESTS.contains(name)) else { continue };
        let line = line_of(text, macro_name);
        let [Word::Sign('('), Word::Name(suite), Word::Sign(','), Word::Name(name), Word::Sign(')'), ..] =
            words[at + 1..]
        else {
            return Err(UnknownTest { line });
        };
        let name = format!("{suite}.{name}");
        if tests.iter().any(|test| test.name == name) {
            return Err(UnknownTest { line });
        }
        let points = points_at(&lines, line, &tests);
        tests.push(UnitTest::new(name.clone(), name, points));
    }
    Ok(tests)
}

/// A function of the solution.
#[derive(Debug, PartialEq)]
struct Declaration {
    /// The namespace around it: `a::b`, or empty.
    namespace: String,
    name: String,
    returns: String,
    /// The types of its parameters.
    parameters: Vec<String>,
    is_noexcept: bool,
}

impl Declaration {
    /// Its type: `double(const std::vector<double>&)`.
    fn kind(&self) -> String {
        format!("{}({})", self.returns, self.parameters.join(", "))
    }

    fn signature(&self) -> String {
        format!("{} {}({})", self.returns, self.within(&self.name), self.parameters.join(", "))
    }

    /// A name in the namespace of the function, from outside.
    fn within(&self, name: &str) -> String {
        if self.namespace.is_empty() { name.to_owned() } else { format!("{}::{name}", self.namespace) }
    }

    /// A text in the namespace of the function.
    fn inside(&self, text: &str) -> String {
        if self.namespace.is_empty() {
            format!("{text}\n")
        } else {
            format!("namespace {} {{ {text} }}\n", self.namespace)
        }
    }

    /// The head of its declaration, with names for its parameters.
    fn head(&self) -> String {
        let named = |(at, kind): (usize, &String)| format!("{kind} a{at}");
        let parameters: Vec<String> = self.parameters.iter().enumerate().map(named).collect();
        let noexcept = if self.is_noexcept { " noexcept" } else { "" };
        format!("{} {}({}){noexcept}", self.returns, self.name, parameters.join(", "))
    }

    /// The stand-in for the tests.
    fn stand_in(&self, which: usize) -> String {
        let given = (0..self.parameters.len()).map(|at| format!(", static_cast<decltype(a{at})>(a{at})"));
        let given = given.collect::<Vec<_>>().concat();
        let call = format!("::grader_driver::Call<{}>::make({which}, \"{}\"", self.kind(), self.name);
        self.inside(&format!("{} {{ return {call}, \"{}\"{given}); }}", self.head(), self.signature()))
    }

    /// The code that calls it in the process of the solution, which may lack it.
    fn served(&self, which: usize) -> String {
        let weak = format!("__attribute__((weak)) {};", self.head());
        let kind = self.kind();
        let serve = format!("::grader_driver::Serve<{kind}>::make(&{0}, \"{0}\", asked);", self.name);
        self.inside(&format!("{weak} inline void grader_serve_{which}(::grader_driver::Reader& asked) {{ {serve} }}"))
    }
}

/// A header of the teacher, with its declarations of functions that run in the other process.
struct Header<'t> {
    name: &'t str,
    declared: Vec<Declaration>,
    /// The first thing in it that cannot be passed on.
    unfit: Option<Unfit>,
}

/// A statement of a header, or what stands before a block.
enum Part {
    Namespace(String),
    Function(Declaration),
    /// Constants, types that are their fields, and functions with a body: each process has its own.
    Shared,
}

/// Why a statement cannot be passed on, and the remedy.
type Reason = (&'static str, &'static str);

/// A pattern that is part of the program.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a regular expression")
}

/// Parts that are not code: comments, literals, attributes, and lines of the preprocessor.
static UNSEEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?m)//[^\n]*|/\*(?s:.*?)\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*|\[\[.*?\]\]"#,
    )
});
static SHARED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^$|^(?:using|typedef|static_assert|namespace)\b|^(?:(?:inline|static|const|constexpr)\s+)+[^()=]*=")
});
/// A function of a struct that is defined elsewhere, by the solution.
static METHOD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\)(?:\s|\b(?:const|noexcept|override|final)\b)*;"));
static NAMESPACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^namespace\s+(\w+(?:\s*::\s*\w+)*)$"));
static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)^(?:extern\s+)?([^()=]*[\s&>])([A-Za-z_]\w*)\s*\((.*)\)\s*(noexcept)?$"));
static PARAMETER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)^(.*[\s&>])([A-Za-z_]\w*)$"));
/// Words that can end a type and are not names of parameters.
const IN_TYPES: [&str; 11] =
    ["int", "unsigned", "signed", "long", "short", "char", "double", "float", "bool", "const", "volatile"];

/// Patterns in declarations whose calls cannot leave the process, each with the reason.
static NOT_PASSED: LazyLock<Vec<(Regex, Reason)>> = LazyLock::new(|| {
    let rows: [(&str, Reason); 7] = [
        (r"^(?:template|concept)\b", ("a template", "declare a function for each type that the tests use")),
        (
            r"^(?:class|struct|union|enum)\b",
            ("a class", "declare functions, and structs with nothing but fields and functions that have a body"),
        ),
        (r"\b\w*stream\b", ("a stream", "take and return a std::string")),
        (r"\bfunction\b|\([^)]*\(", ("a function as an argument", "declare functions that take values")),
        (r"[*\[]|\.\.\.", ("a pointer or an array", "use std::vector, std::array, std::string or std::optional")),
        (
            r"\b(?:auto|decltype|operator)\b|->",
            ("an operator, or a result without its type", "write the type in front of a name"),
        ),
        (
            r"^(?:static|inline|constexpr|consteval|friend|virtual|extern)\b",
            ("a declaration with a word in front that gives it another meaning", "declare it without that word"),
        ),
    ];
    rows.map(|(text, reason)| (pattern(text), reason)).into()
});

/// Reads what the header `name` declares.
fn header_of<'t>(name: &'t str, text: &str) -> Header<'t> {
    // As long as before, so that lines keep their numbers.
    let blank = |found: &regex::Captures<'_>| {
        found[0].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>()
    };
    let text = UNSEEN.replace_all(text, blank);
    let mut header = Header { name, declared: Vec::new(), unfit: None };
    let mut namespaces: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(length) = end_of(&text[at..], b";{}") {
        let statement = text[at..at + length].trim();
        let line = line_of(&text, statement);
        let sign = text.as_bytes()[at + length];
        at += length + 1;
        if sign == b'}' {
            namespaces.pop();
            continue;
        }
        let block = end_of(&text[at..], b"}").unwrap_or(text.len() - at);
        let part = match sign {
            b'{' => before_block(statement, &text[at..at + block]),
            _ => statement_of(statement, namespaces.join("::")),
        };
        match part {
            Ok(Part::Namespace(name)) => {
                namespaces.push(name);
                continue;
            }
            Ok(Part::Function(declaration)) => header.declared.push(declaration),
            Ok(Part::Shared) => {}
            Err((why, remedy)) => {
                let words: Vec<&str> = statement.split_whitespace().collect();
                let message = format!("{name}, line {line}: {why} cannot be in another process: `{}`", words.join(" "));
                header.unfit.get_or_insert(Unfit { message, remedy });
            }
        }
        if sign == b'{' {
            at = text.len().min(at + block + 1);
        }
    }
    header
}

/// Where the first of these signs is that no bracket encloses.
fn end_of(text: &str, signs: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    text.bytes().position(|byte| {
        let is_found = depth == 0 && signs.contains(&byte);
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_found
    })
}

fn before_block(statement: &str, block: &str) -> Result<Part, Reason> {
    if let Some(found) = NAMESPACE.captures(statement) {
        return Ok(Part::Namespace(found[1].split_whitespace().collect()));
    }
    let is_struct = statement.starts_with("enum") || statement.starts_with("struct") && !METHOD.is_match(block);
    let is_body = statement.contains(['(', '=']) && !statement.starts_with("template");
    if is_struct || is_body { Ok(Part::Shared) } else { Err(reason(statement)) }
}

fn statement_of(statement: &str, namespace: String) -> Result<Part, Reason> {
    if SHARED.is_match(statement) {
        return Ok(Part::Shared);
    }
    let found = FUNCTION.captures(statement).ok_or_else(|| reason(statement))?;
    let parameters: Vec<String> = parts(&found[3]).into_iter().map(type_of).filter(|kind| kind != "void").collect();
    let returns = found[1].trim().to_owned();
    let whole = format!("{returns} ({})", parameters.join(", "));
    if NOT_PASSED.iter().any(|(pattern, _)| pattern.is_match(&whole)) {
        return Err(reason(&whole));
    }
    Ok(Part::Function(Declaration {
        namespace,
        name: found[2].to_owned(),
        returns,
        parameters,
        is_noexcept: found.get(4).is_some(),
    }))
}

/// Why a statement cannot be passed on.
fn reason(statement: &str) -> Reason {
    let known = NOT_PASSED.iter().find(|(pattern, _)| pattern.is_match(statement));
    let other = ("what is no function", "declare functions, such as `double mean(const std::vector<double>& xs);`");
    known.map_or(other, |(_, reason)| *reason)
}

/// The parts of a list of parameters, without their default values.
fn parts(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut end) = (0_usize, 0, None);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'(' | b'{' | b'<' | b'[' => depth += 1,
            b')' | b'}' | b'>' | b']' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 => end = end.or(Some(at)),
            b',' if depth == 0 => {
                parts.push(&list[start..end.take().unwrap_or(at)]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..end.unwrap_or(list.len())]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The type of a parameter, without its name.
fn type_of(parameter: &str) -> String {
    let parameter = parameter.split_whitespace().collect::<Vec<_>>().join(" ");
    let named = PARAMETER.captures(&parameter).filter(|found| {
        let before = found[1].replace("const", "").replace("volatile", "");
        !IN_TYPES.contains(&&found[2]) && !before.trim().is_empty()
    });
    named.map_or(parameter.clone(), |found| found[1].trim().to_owned())
}

/// The headers that declare functions of the solution, and those that they include.
fn headers<'t>(files: &'t TestFiles<'_>) -> Result<Vec<Header<'t>>, Unfit> {
    let find = |name: &str, from: &str| {
        let path = normal(&Path::new(from).parent().unwrap_or(Path::new("")).join(name));
        files.beside.iter().find(|(other, _)| Path::new(other) == path)
    };
    // Functions that a source of the teacher defines do not belong to the solution.
    let has_source = |name: &str| {
        let source = |ending: &&str| Path::new(name).with_extension(ending);
        ENDINGS.iter().any(|ending| files.beside.iter().any(|(other, _)| Path::new(other) == source(ending)))
    };
    let included = |text: &str, from: &str| {
        let quoted = mentions::includes(text).filter(|one| one.is_quoted);
        quoted.filter_map(|one| find(one.name, from)).filter(|(name, _)| !has_source(name)).collect::<Vec<_>>()
    };
    let read = |(name, bytes): &'t Named| (header_of(name, &String::from_utf8_lossy(bytes)), bytes);
    let found: Vec<_> = included(files.text, files.name).into_iter().map(read).collect();
    let (mut open, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(header, _)| !header.declared.is_empty());
    if open.is_empty() {
        let unfit = others.into_iter().find_map(|(header, _)| header.unfit);
        return Err(unfit.unwrap_or_else(|| Unfit {
            message: "the tests include no header beside them that declares functions of the solution".to_owned(),
            remedy: "write the declarations into tests/stats.h, and #include \"stats.h\" in the tests",
        }));
    }
    let mut headers: Vec<Header<'t>> = Vec::new();
    while let Some((header, bytes)) = open.pop() {
        if headers.iter().all(|other| other.name != header.name) {
            open.extend(included(&String::from_utf8_lossy(bytes), header.name).into_iter().map(read));
            headers.push(header);
        }
    }
    headers.sort_by_key(|header| header.name);
    match headers.iter_mut().find_map(|header| header.unfit.take()) {
        Some(unfit) => Err(unfit),
        None => Ok(headers),
    }
}

fn programs(files: &TestFiles<'_>) -> Result<Programs, Unfit> {
    let all = words(files.text, Dialect::Java);
    let named = |row: &&(&str, &str, &str)| all.iter().any(|word| word.name() == Some(row.0));
    if let Some((name, why, remedy)) = NOT_HERE.iter().find(named) {
        return Err(Unfit { message: format!("`{name}` {why}"), remedy });
    }
    let headers = headers(files)?;
    let includes: Vec<String> = headers.iter().map(|header| format!("#include \"{}\"\n", header.name)).collect();
    let functions: Vec<&Declaration> = headers.iter().flat_map(|header| &header.declared).collect();
    let numbered = |text: fn(&Declaration, usize) -> String| -> String {
        functions.iter().enumerate().map(|(which, function)| text(function, which)).collect()
    };
    let served = functions.iter().enumerate();
    let served = served.map(|(which, one)| format!("&::{}, ", one.within(&format!("grader_serve_{which}"))));
    let served = served.collect::<Vec<_>>().concat();
    let own = (files.name.to_owned(), files.text.as_bytes().to_vec());
    let of_tests: Vec<Named> = [own].into_iter().chain(files.beside.iter().cloned()).collect();
    let is_source = |name: &str| ENDINGS.iter().any(|ending| Path::new(name).extension() == Some(ending.as_ref()));
    let sources = of_tests.iter().map(|(name, _)| name).filter(|name| is_source(name));
    let sources: Vec<String> = sources.map(|name| format!("'tests/{}'", name.replace('\'', r"'\''"))).collect();
    let has_mocks = of_tests.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("gmock/gmock.h"));
    let libraries = if has_mocks { "'gmock gtest'" } else { "gtest" };
    let build = driver::building_tests(libraries, &sources.join(" "));
    let runner = driver::running_tests(&includes.concat(), &numbered(Declaration::stand_in));
    let answering = driver::serving_tests(&includes.concat(), &numbered(Declaration::served), &served);
    let mut judge = vec![("build".to_owned(), build.into_bytes()), (driver::RUNNER.to_owned(), runner.into_bytes())];
    judge.extend(of_tests.into_iter().map(|(name, bytes)| (format!("tests/{name}"), bytes)));
    let is_given = |(name, _): &&Named| headers.iter().any(|header| header.name == name);
    let mut beside: Vec<Named> = files.beside.iter().filter(is_given).cloned().collect();
    beside.push((format!("{FOLDER}/main.cpp"), answering.into_bytes()));
    Ok(Programs { judge, beside })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_macros() {
        let text = "#include <gtest/gtest.h>\n// TEST(In, Comment)\n// points: 3\nTEST(Mean, OfTwo) {\n}\nTEST_F( Stats,Empty ) { // points: 2.5\n}\nTEST_P(Mean, Each) {}\n";
        let found: Vec<(String, f64)> =
            tests_in(text).unwrap().into_iter().map(|test| (test.name, test.points)).collect();
        let expected = [("Mean.OfTwo", 3.0), ("Stats.Empty", 2.5), ("Mean.Each", 1.0)];
        let names: Vec<(&str, f64)> = found.iter().map(|(name, points)| (&**name, *points)).collect();
        assert_eq!(names, expected);
        assert_eq!(tests_in("\nTEST(A, B) {}\nTEST(A, B) {}"), Err(UnknownTest { line: 3 }));
        assert_eq!(tests_in("TEST(NAME)"), Err(UnknownTest { line: 1 }));
    }

    #[test]
    fn headers_declare_functions() {
        let text = r#"#pragma once
#include <vector> /* { */
using Numbers = std::vector<double>;
constexpr double LIMIT = 1.5;
inline double half(double x) { return x / 2; }
double mean(const Numbers& xs);  // double no();
[[nodiscard]] std::map<std::string, std::vector<int>>
    words(std::string text = "a;b", unsigned, const int n = {3});
namespace a::b { bool is_even(unsigned n) noexcept; int none(void); }
struct Point { double x = 0, y = 0; bool operator==(const Point&) const = default; double sum() const { return x + y; } };
enum class Color : char { Red, Green };
extern std::string &&odd(std::string&&s);
"#;
        let header = header_of("stats.h", text);
        assert!(header.unfit.is_none());
        let found: Vec<String> = header.declared.iter().map(Declaration::signature).collect();
        let expected = [
            "double mean(const Numbers&)",
            "std::map<std::string, std::vector<int>> words(std::string, unsigned, const int)",
            "bool a::b::is_even(unsigned)",
            "int a::b::none()",
            "std::string && odd(std::string&&)",
        ];
        assert_eq!(found, expected);
        assert!(header.declared[2].is_noexcept);
    }

    #[test]
    fn what_cannot_be_passed_on_is_refused() {
        for (text, told) in [
            ("\nint f(int* x);", "line 2: a pointer"),
            ("int f(int xs[], int n);", "line 1: a pointer"),
            ("\n\nclass Stack { int top(); };\nint f();", "line 3: a class"),
            ("struct Stack { int top() const; };", "line 1: a class"),
            ("template <class T> T f(T x);", "line 1: a template"),
            ("template <class T> T f(T x) { return x; }", "line 1: a template"),
            ("void print(std::ostream& out);", "line 1: a stream"),
            ("int f(std::function<int(int)> g);", "line 1: a function as an argument"),
            ("auto f() -> int;", "line 1: an operator"),
            ("static int f();", "line 1: a declaration with a word"),
            ("extern int count;", "line 1: a declaration with a word"),
            ("int count;", "line 1: what is no function"),
        ] {
            let unfit = header_of("stats.h", text).unfit.map(|unfit| unfit.message).unwrap_or_default();
            assert!(unfit.contains(told), "{text}: {unfit}");
        }
    }
}
