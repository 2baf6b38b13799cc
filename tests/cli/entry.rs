//! Which file and which class of a submission starts, what is built with it, and names that mean something to tools.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use macro_rules_attribute::apply;

use crate::cli::classes::gradebook;
use crate::cli::need::Need;
use crate::cli::workspace::{SUM, Workspace};

const PYTHON: &str =
    "def solve(a, b): return a + b\nif __name__ == '__main__':\n    print(solve(*map(int, input().split())))\n";
const JAVA: &str = "int a = s.nextInt(), b = s.nextInt(); System.out.println(a + b);";
const GO: &str = "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }\n";
const CPP: &str = "#include <cstdio>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }\n";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("sum").case("secret/1", "1 2\n", "3\n").submission("accepted/sum.sh", SUM);
    workspace
}

/// Judges the folder of each student, and compares the rows.
fn judged(workspace: &Workspace, expect: &[&str]) -> crate::cli::run::Run {
    let (run, rows) = gradebook(workspace, &["class", "--layout", "{student}", "-p", "sum"]);
    assert_eq!(rows[1..], *expect, "{}", run.all());
    run
}

fn main_of_java(class: &str) -> String {
    format!(
        "class {class} {{ public static void main(String[] x) {{ var s = new java.util.Scanner(System.in); {JAVA} }} }}\n"
    )
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node")])]
fn the_file_named_like_the_problem_starts() {
    let workspace = workspace();
    let test = "import unittest\nfrom sum import solve\nclass T(unittest.TestCase):\n  def test(self): pass\nunittest.main()\n";
    for other in ["test_sum.py", "demo.py", "conftest.py", "stress.py", "main.py"] {
        let student = other.trim_end_matches(".py");
        workspace.file(format!("class/{student}/{other}"), test).file(format!("class/{student}/sum.py"), PYTHON);
    }
    // A string with its name.
    workspace.file("class/text/a.py", "print('see sum.py')\n").file("class/text/sum.py", PYTHON);
    // A library of that name does not start: somebody else uses it.
    workspace.file("class/used/sum.py", "def add(a, b): return a + b\n");
    workspace.file("class/used/a.py", "from sum import add\nprint(add(*map(int, input().split())))\n");
    workspace.file("class/used/test_sum.py", "from sum import add\nassert add(1, 2) == 3\nprint('fine')\n");
    let script = "const f = (a, b) => a + b;\nmodule.exports = f;\nconst [a, b] = require('fs').readFileSync(0, 'utf8').split(' ');\nconsole.log(f(+a, +b));\n";
    workspace
        .file("class/js/sum.js", script)
        .file("class/js/sum.test.js", "const f = require('./sum');\ntest('x', f);\n");
    let students = ["conftest", "demo", "js", "main", "stress", "test_sum", "text", "used"];
    let expect: Vec<String> = students.iter().map(|student| format!("{student},1,1,AC")).collect();
    let run = judged(&workspace, &expect.iter().map(String::as_str).collect::<Vec<_>>());
    run.says("grader judges sum.py and not test_sum.py").says("grader judges sum.js and not sum.test.js");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn files_of_several_languages_are_several_candidates() {
    let workspace = workspace();
    workspace.file("class/ann/sum.py", PYTHON).file("class/ann/run.sh", "python3 sum.py < input.txt\n");
    workspace.file("class/bob/a.py", PYTHON).file("class/bob/run.sh", "python3 a.py\n");
    workspace.file("class/cid/sum.py", PYTHON).file("class/cid/sum.sh", SUM);
    // Started in its own language, whatever lies beside it.
    workspace
        .file("class/dee/sum.py", format!("# open('a.cpp')\nopen('a.cpp')\n{PYTHON}"))
        .file("class/dee/a.cpp", "int f();\n");
    let run = judged(&workspace, &["ann,1,1,AC", "bob,,,ambiguous", "cid,,,ambiguous", "dee,1,1,AC"]);
    run.status(2).says("contains several programs: a.py, run.sh");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn what_the_program_does_not_reach_is_not_built() {
    let workspace = workspace();
    let test = "import org.junit.jupiter.api.Test;\nclass SumTest { @Test void t() { new Sum(); } }\n";
    workspace
        .file("class/ann/Sum.java", main_of_java("public Sum").replacen("class public Sum", "public class Sum", 1));
    workspace.file("class/ann/SumTest.java", test);
    let uses = "public class Sum { public static void main(String[] x) { var s = new java.util.Scanner(System.in); System.out.println(new Adder().of(s.nextInt(), s.nextInt())); } }\n";
    workspace.file("class/bob/src/main/java/Sum.java", uses);
    workspace.file("class/bob/src/main/java/Tools.java", "class Adder { int of(int a, int b) { return a + b; } }\n");
    workspace.file("class/bob/src/test/java/SumTest.java", test);
    workspace.file("class/cid/Sum.java", main_of_java("Sum"));
    workspace.file(
        "class/cid/Driver.java",
        "class Driver { public static void main(String[] x) { Sum.main(x); System.out.println(1); } }\n",
    );
    judged(&workspace, &["ann,1,1,AC", "bob,1,1,AC", "cid,1,1,AC"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("go")])]
fn tests_of_other_compiled_languages_are_not_built() {
    let workspace = workspace();
    let main = "#include <cstdio>\nint add(int, int);\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", add(a, b)); }\n";
    workspace.file("class/ann/sum.cpp", main).file("class/ann/add.cpp", "int add(int a, int b) { return a + b; }\n");
    workspace.file("class/ann/check.cpp", "#include <gtest/gtest.h>\nTEST(Sum, Adds) { }\n");
    workspace.file("class/bob/sum.go", GO.replace("a + b", "add(a, b)"));
    workspace.file("class/bob/add.go", "package main\nfunc add(a, b int) int { return a + b }\n");
    workspace
        .file("class/bob/sum_test.go", "package main\nimport \"testing\"\nfunc TestSum(t *testing.T) { main() }\n");
    judged(&workspace, &["ann,1,1,AC", "bob,1,1,AC"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn java_starts_the_class_that_is_meant() {
    let workspace = workspace();
    let other =
        |name: &str| format!("class {name} {{ public static void main(String[] x) {{ System.out.println(1); }} }}\n");
    workspace.file("class/ann/Any.java", format!("{}public {}", other("Alpha"), main_of_java("Zoo")));
    workspace.file("class/bob/Sum.java", format!("{}{}{}", other("Alpha"), main_of_java("Sum"), other("Main")));
    workspace.file("class/cid/any.java", format!("{}{}", other("Alpha"), main_of_java("Main")));
    workspace.file("class/dee/any.java", format!("{}{}", other("Alpha"), main_of_java("Beta")));
    let run = judged(&workspace, &["ann,1,1,AC", "bob,1,1,AC", "cid,1,1,AC", "dee,0,0,WA"]);
    run.says("class/dee: several classes have a `main`: grader starts Alpha and not Beta");
    let text = workspace.read("results/students/dee/sum.txt");
    assert!(
        text.contains("note: several classes have a `main`: grader starts Alpha and not Beta"),
        "{text}\n{}",
        run.all()
    );
}

#[apply(cli_test)]
#[needs(&[Need::Tool("go"), Need::Tool("python3")])]
fn names_that_mean_something_to_tools() {
    let workspace = workspace();
    for (student, name) in [("a", "sum_test.go"), ("b", "-a.go"), ("c", "@a.go"), ("d", "[a].go"), ("e", "_a.go")] {
        workspace.file(format!("class/{student}/{name}"), GO);
    }
    // Names of modules that the compiler of Python imports.
    workspace.file("class/f/token.py", PYTHON).file("class/g/traceback.py", PYTHON);
    workspace.file("class/h/[a].go", GO.replace("a + b", "add(a, b)"));
    workspace.file("class/h/@add.go", "package main\nfunc add(a, b int) int { return a + b }\n");
    let students = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|student| format!("{student},1,1,AC"));
    judged(&workspace, &students.each_ref().map(String::as_str));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn odd_names_of_single_files() {
    let workspace = workspace();
    workspace.file(format!("class/a/{}.py", "x".repeat(245)), PYTHON);
    workspace.file("class/b/a\nb.py", PYTHON).file("class/c/-o.cpp", CPP);
    std::fs::create_dir_all(workspace.path("class/d")).unwrap();
    std::fs::write(workspace.path("class/d").join(OsStr::from_bytes(b"s\xfcm.cpp")), CPP).unwrap();
    workspace.file("class/e/my sum.py", PYTHON);
    // Its name leaves no room for an ending.
    workspace.file(format!("class/f/{}", "y".repeat(255)), format!("#!/usr/bin/env python3\n{PYTHON}"));
    let students = ["a", "b", "c", "d", "e", "f"].map(|student| format!("{student},1,1,AC"));
    judged(&workspace, &students.each_ref().map(String::as_str));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn an_included_source_is_no_unit() {
    let workspace = workspace();
    let main = "#include <cstdio>\n#include \"impl.cpp\"\n#include \"./deep/more.cpp\"\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", add(a, b) + zero()); }\n";
    let add = "int add(int a, int b) { return a + b; }\n";
    workspace.file("class/ann/sum.cpp", main).file("class/ann/impl.cpp", add);
    workspace.file("class/ann/deep/more.cpp", "int zero() { return 0; }\n");
    // A unit that the linker needs stays one.
    let linked = main.replace("impl.cpp", "impl.h");
    workspace.file("class/bob/sum.cpp", linked).file("class/bob/impl.cpp", add);
    workspace
        .file("class/bob/impl.h", "int add(int, int);\n")
        .file("class/bob/deep/more.cpp", "int zero() { return 0; }\n");
    judged(&workspace, &["ann,1,1,AC", "bob,1,1,AC"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("fpc")])]
fn units_of_pascal() {
    let workspace = workspace();
    let unit = "{ A helper. }\nunit Aid;\ninterface\nfunction add(a, b: longint): longint;\nimplementation\nfunction add(a, b: longint): longint;\nbegin add := a + b end;\nend.\n";
    let program = "program p;\nuses Aid;\nvar a, b: longint;\nbegin\n  read(a, b); writeln(add(a, b))\nend.\n";
    workspace.file("class/ann/aid.pas", unit).file("class/ann/sum.pas", program);
    workspace.file("class/bob/aid.pas", unit).file("class/bob/work.lpr", program);
    judged(&workspace, &["ann,1,1,AC", "bob,1,1,AC"]);
    // A submission of a package names no file that starts.
    let package = Workspace::new();
    let problem = package.problem("sum").case("secret/1", "1 2\n", "3\n");
    problem.submission("accepted/units/aid.pas", unit).submission("accepted/units/work.pas", program);
    package.run(&["sum"]).status(0).ends("accepted/units", "AC", "met");
}
