//! Libraries outside the folder of a program: those to which it leads by itself, and those that `grader.toml` names.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::watch::Watch;
use crate::cli::workspace::Workspace;

const LAYERS: [&str; 3] = ["auto", "weak", "none"];

/// A workspace with the folder `day1`, whose test wants the sum of two numbers.
fn day() -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("grader.toml", "problems = [\".\"]\n");
    workspace.file("day1/tests/1.in", "1 2\n").file("day1/tests/1.ans", "3\n");
    workspace
}

/// `from ..lib import x` works only if Python starts a module of a package.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn modules_are_imported_from_their_package() {
    let workspace = Workspace::bare();
    workspace.file("aoc/__init__.py", "").file("aoc/lib/__init__.py", "").file("aoc/2023/day01/input.txt", "1\n2\n");
    workspace.file(
        "aoc/lib/read.py",
        "from . import base\ndef ints(text):\n    return [base.plain(x) for x in text.split()]\n",
    );
    workspace.file("aoc/lib/base.py", "plain = int\n");
    let program = "from ...lib.read import ints\nprint(sum(ints(open('input.txt').read())))\n";
    workspace.file("aoc/2023/day01/part1.py", program);
    workspace.file(
        "aoc/2023/day02/__main__.py",
        "import sys\nfrom .solve import largest\nprint(largest(sys.stdin.read()))\n",
    );
    workspace.file("aoc/2023/day02/solve.py", "def largest(text):\n    return max(map(int, text.split()))\n");
    workspace.file("aoc/2023/day02/input.txt", "4\n7\n").file("aoc/2023/day02/answer.txt", "7\n");
    for layer in LAYERS {
        let run = workspace.run(&["--isolation", layer]);
        run.status(0).ends("part1.py", "-", "not_judged").ends("__main__.py", "AC", "met").shows("output   3\n");
    }
    // A stranger's program is not a module of the user's package.
    workspace.file("class/ann.py", "from .lib import x\nprint(7)\n").file("class/lib.py", "x = 1\n");
    workspace.grader(&["judge", "aoc/2023/day02", "class", "--isolation", "weak"]).shows("RTE");
}

const REFERENCE: &str = "reference = \"accepted/sum.sh\"\n";
const CPP: &str =
    "#include <cstdio>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", add(a, b)); }\n";

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn an_include_leads_to_a_folder_above() {
    let workspace = day();
    workspace.file("day1/sum.cpp", format!("#include \"../lib/add.hpp\"\n#include <atcoder/math>\n{CPP}"));
    // What it includes goes on: beside it, in another folder, and to an implementation.
    workspace.file(
        "lib/add.hpp",
        "#pragma once\n#include \"base.hpp\"\n#include \"../deep/more.hpp\"\nint add(int, int);\n",
    );
    workspace
        .file("lib/add.cpp", "#include \"add.hpp\"\nint add(int a, int b) { return plus(a, b) + ZERO + zero(); }\n");
    workspace.file("lib/base.hpp", "#pragma once\n#define ZERO 0\n");
    workspace.file("deep/more.hpp", "#pragma once\ninline int plus(int a, int b) { return a + b; }\nint zero();\n");
    workspace.file("deep/more.cpp", "#include \"more.hpp\"\nint zero() { return 0; }\n");
    workspace.file("ac-library/atcoder/math", "#include <atcoder/math.hpp>\n");
    workspace.file("ac-library/atcoder/math.hpp", "namespace atcoder { const int one = 1; }\n");
    for layer in LAYERS {
        let run = Call::new(&workspace.path("day1"), &["--isolation", layer]).run();
        run.status(0).ends("sum.cpp", "AC", "met");
        workspace.run(&["day1", "--isolation", layer]).status(0).ends("sum.cpp", "AC", "met");
    }
    // A changed header is compiled again.
    workspace.file("lib/base.hpp", "#pragma once\n#define ZERO 7\n").run(&["day1"]).ends("sum.cpp", "WA", "missed");
    // Files with the names of system headers are none.
    workspace.file("lib/base.hpp", "#pragma once\n#define ZERO 0\n").file("day1/cstdio", "no header\n");
    workspace.run(&["day1", "--isolation", "weak"]).status(0).ends("sum.cpp", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_module_above_is_imported() {
    let workspace = day();
    workspace.file(
        "day1/main.py",
        "from common import two\nfrom lib.grid import Grid\nimport queue\nqueue.Queue()\nprint(Grid().add(*two()))\n",
    );
    workspace.file("common.py", "import sys\ndef two():\n    return map(int, sys.stdin.read().split())\n");
    workspace.file(
        "lib/grid.py",
        "from lib.base import plus\nclass Grid:\n    def add(self, a, b):\n        return plus(a, b)\n",
    );
    workspace.file("lib/base.py", "def plus(a, b):\n    return a + b\n");
    // A solution of something else, and not the module of the standard library.
    workspace.file("queue.py", "raise Exception('not meant')\n");
    for layer in LAYERS {
        workspace.run(&["day1", "--isolation", layer]).status(0).ends("main.py", "AC", "met");
    }
    workspace.file("lib/base.py", "def plus(a, b):\n    return a - b\n").run(&["day1"]).ends("main.py", "WA", "missed");
    // Nothing above the workspace is searched, and no link leads out of it.
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("base.py"), "def plus(a, b):\n    return a + b\n").unwrap();
    std::fs::remove_file(workspace.path("lib/base.py")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("base.py"), workspace.path("lib/base.py")).unwrap();
    workspace.run(&["day1", "--isolation", "weak"]).status(1).ends("main.py", "RTE", "missed");
}

/// Without a `grader.toml`, the root of the working copy counts, or two folders above.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++"), Need::Tool("go")])]
fn one_may_stand_in_the_folder_of_the_program() {
    let workspace = Workspace::bare();
    workspace.file("lib/add.hpp", "inline int add(int a, int b) { return a + b; }\n");
    workspace.file("common.py", "def add(a, b):\n    return a + b\n");
    workspace
        .file("go.mod", "module days\n\ngo 1.18\n")
        .file("sums/sums.go", "package sums\nfunc Add(a, b int) int { return a + b }\n");
    let go = "package main\nimport (\n\"days/sums\"\n\"fmt\"\n)\nfunc main() {\nvar a, b int\nfmt.Scan(&a, &b)\nfmt.Println(sums.Add(a, b))\n}\n";
    let python = "from common import add\nprint(add(*map(int, input().split())))\n";
    for (day, ends) in [("a/b", "AC"), ("a/b/c", "CE")] {
        let file = |name: &str, text: &str| workspace.file(format!("{day}/{name}"), text);
        file("a.cpp", &format!("#include \"add.hpp\"\n{CPP}"));
        file("main.go", go);
        file("p.py", python);
        file("1.in", "1 2\n");
        file("1.ans", "3\n");
        let here = || Call::new(&workspace.path(day), &["--isolation", "weak"]).run();
        here().ends("a.cpp", ends, if ends == "AC" { "met" } else { "missed" });
        workspace.file(".git/HEAD", "ref: refs/heads/main\n");
        let run = here();
        run.status(0).ends("a.cpp", "AC", "met").ends("main.go", "AC", "met").ends("p.py", "AC", "met");
        std::fs::remove_dir_all(workspace.path(".git")).unwrap();
    }
    // Nothing of the home directory itself is taken.
    std::fs::remove_dir_all(workspace.path("a/b/c")).unwrap();
    let home = workspace.path("");
    let run = Call::new(&workspace.path("a/b"), &["-s", "p.py"]).env("HOME", home.to_str().unwrap()).run();
    run.status(1).ends("p.py", "RTE", "missed");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("python3")])]
fn library_folders_of_the_configuration_apply_everywhere() {
    let workspace = Workspace::with_sum();
    workspace
        .file("grader.toml", "[language.cpp]\ninclude = [\"code/cpp\"]\n[language.python]\ninclude = [\"code/py\"]\n");
    workspace.file("code/cpp/mine/add.hpp", "inline int add(int a, int b) { return a + b; }\n");
    workspace.file("code/py/mine/add.py", "def add(a, b):\n    return a + b\n");
    let cpp = format!("#include <mine/add.hpp>\n{CPP}");
    let python = "from mine.add import add\nprint(add(*map(int, input().split())))\n";
    workspace.problem("sum").toml(REFERENCE).submission("accepted/a.cpp", &cpp).submission("accepted/b.py", python);
    workspace.file("class/ann.cpp", &cpp).file("class/bob.py", python);
    for layer in LAYERS {
        let run = workspace.run(&["-s", "accepted/a.cpp", "-s", "accepted/b.py", "--isolation", layer]);
        run.status(0).ends("accepted/a.cpp", "AC", "met").ends("accepted/b.py", "AC", "met");
    }
    let run = workspace.grader(&["judge", "sum", "class", "--isolation", "weak"]);
    run.status(0).shows("JUDGED  2 AC");
    let text = "inline int add(int a, int b) { return a - b; }\n";
    workspace.file("code/cpp/mine/add.hpp", text).run(&["-s", "accepted/a.cpp"]).status(1);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn strangers_find_no_library() {
    let workspace = Workspace::with_sum();
    workspace.file("common.py", "def add(a, b):\n    return a + b\n");
    workspace.file("class/ann.py", "from common import add\nprint(add(*map(int, input().split())))\n");
    workspace.run(&["sum", "-s", "class/ann.py"]).status(0).ends("class/ann.py", "AC", "met");
    workspace.grader(&["judge", "sum", "class", "--isolation", "weak"]).status(1).shows("JUDGED  1 RTE");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn watch_knows_what_a_program_includes() {
    let workspace = day();
    workspace.file("lib/add.hpp", "inline int add(int a, int b) { return a + b; }\n");
    workspace.file("day1/sum.cpp", format!("#include \"../lib/add.hpp\"\n{CPP}"));
    let mut watch = Watch::start(&workspace, &["day1"]);
    let shown = watch.save("lib/add.hpp", "inline int add(int a, int b) { return a - b; }\n");
    assert!(shown.contains("saved lib/add.hpp: 1 submission") && shown.contains("AC → WA"), "{shown}");
    assert_eq!(watch.end(), 130);
}

/// A program with a library elsewhere: the program, its text, the library, its text, and a library that is wrong.
fn with_library((program, text): (&str, &str), (library, right): (&str, &str), wrong: &str) {
    for layer in LAYERS {
        let workspace = day();
        workspace.file(format!("day1/{program}"), text).file(library, right);
        workspace.run(&["day1", "--isolation", layer]).status(0).ends(program, "AC", "met");
        workspace.file(library, wrong).run(&["day1", "--isolation", layer]).status(1).ends(program, "WA", "missed");
    }
    // A stranger's program has no files of the user.
    let workspace = day();
    workspace.file(format!("day1/{program}"), text).file(library, right);
    let ending = program.rsplit('.').next().unwrap_or_default();
    workspace.file(format!("class/ann.{ending}"), text);
    workspace.run(&["day1", "-s", &format!("class/ann.{ending}")]).status(0);
    let judged = workspace.grader(&["judge", "day1", "class", "--isolation", "weak"]);
    assert!(judged.status(1).stdout.contains("1 RTE") || judged.stdout.contains("1 CE"), "{}", judged.all());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("ruby"), Need::Tool("node"), Need::Tool("php"), Need::Tool("lua5.4")])]
fn files_are_found_by_their_places() {
    with_library(
        ("sum.rb", "require_relative '../lib/add'\nputs add(*gets.split.map(&:to_i))\n"),
        ("lib/add.rb", "def add(a, b) = a + b\n"),
        "def add(a, b) = a - b\n",
    );
    with_library(
        (
            "sum.js",
            "const { add } = require('../lib/add');\n\
             console.log(add(...require('fs').readFileSync(0, 'utf8').split(' ').map(Number)));\n",
        ),
        ("lib/add.js", "exports.add = (a, b) => a + b;\n"),
        "exports.add = (a, b) => a - b;\n",
    );
    with_library(
        ("sum.php", "<?php\nrequire __DIR__ . '/../lib/add.php';\necho add(...explode(' ', fgets(STDIN))), \"\\n\";\n"),
        ("lib/add.php", "<?php\nfunction add($a, $b) { return $a + $b; }\n"),
        "<?php\nfunction add($a, $b) { return $a - $b; }\n",
    );
    with_library(
        ("sum.lua", "local lib = require('lib.add')\nprint(lib.add(io.read('n', 'n')))\n"),
        ("lib/add.lua", "return { add = function(a, b) return a + b end }\n"),
        "return { add = function(a, b) return a - b end }\n",
    );
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac"), Need::Tool("kotlinc"), Need::Tool("rustc")])]
fn packages_beside_the_program_are_compiled() {
    with_library(
        (
            "Sum.java",
            "package day1;\nimport lib.Add;\npublic class Sum { public static void main(String[] a) {\n\
             var in = new java.util.Scanner(System.in); System.out.println(Add.add(in.nextInt(), in.nextInt())); } }\n",
        ),
        ("lib/Add.java", "package lib;\npublic class Add { public static int add(int a, int b) { return a + b; } }\n"),
        "package lib;\npublic class Add { public static int add(int a, int b) { return a - b; } }\n",
    );
    with_library(
        (
            "Sum.kt",
            "import lib.add\nfun main() { val (a, b) = readLine()!!.split(\" \"); println(add(a.toInt(), b.toInt())) }\n",
        ),
        ("lib/Add.kt", "package lib\nfun add(a: Int, b: Int) = a + b\n"),
        "package lib\nfun add(a: Int, b: Int) = a - b\n",
    );
    with_library(
        (
            "sum.rs",
            "#[path = \"../lib/add.rs\"]\nmod add;\nfn main() { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap();\n\
             let n: Vec<i32> = line.split_whitespace().map(|x| x.parse().unwrap()).collect(); println!(\"{}\", add::add(n[0], n[1])); }\n",
        ),
        ("lib/add.rs", "pub fn add(a: i32, b: i32) -> i32 { a + b }\n"),
        "pub fn add(a: i32, b: i32) -> i32 { a - b }\n",
    );
}

#[apply(cli_test)]
fn wrong_library_folders_are_reported() {
    let workspace = Workspace::with_sum();
    workspace.file("grader.toml", "[language.shell]\ninclude = [\"lib\"]\n");
    workspace.run(&[]).status(2).says("`include` needs `library`");
    workspace.file("grader.toml", "[language.cpp]\ninclude = \"lib\"\n").run(&[]).status(2).says("a list of folders");
    workspace.file("grader.toml", "[language.cpp]\ninclude = [\"lib\"]\n");
    workspace.problem("sum").toml(REFERENCE).submission("accepted/a.cpp", CPP);
    let run = workspace.run(&["-s", "accepted/a.cpp"]);
    run.ends("accepted/a.cpp", "-", "not_judged").shows("lib of C++ is not there: correct `include`");
}
