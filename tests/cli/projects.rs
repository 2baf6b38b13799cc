//! The user's own programs as their projects build them: with `Cargo.toml`, `go.mod`, a `Makefile` and others, and with
//! the dependencies in the user's caches. Submissions of others get none of that.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::watch::Watch;
use crate::cli::workspace::Workspace;

/// Every layer that may work here, which all give the same result.
const LAYERS: [&str; 3] = ["auto", "weak", "none"];

/// A folder with one test, whose answer is the sum of two numbers.
fn sums() -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("tests/1.in", "1 2\n").file("tests/1.ans", "3\n");
    workspace
}

/// A crate of puzzles whose library reads the inputs.
fn days() -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("Cargo.toml", "[package]\nname = \"aoc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.file("src/main.rs", "fn main() { println!(\"the author's own tool\") }\n");
    workspace.file(
        "src/lib.rs",
        "pub fn total(day: &str) -> u32 {\n    let text = std::fs::read_to_string(format!(\"data/inputs/{day}.txt\")).unwrap();\n    \
         text.lines().map(|line| line.parse::<u32>().unwrap()).sum()\n}\n",
    );
    for day in ["01", "02"] {
        let text = format!("fn main() {{ println!(\"{{}}\", aoc::total(\"{day}\")); }}\n");
        workspace.file(format!("src/bin/{day}.rs"), text).file(format!("data/inputs/{day}.txt"), format!("1\n{day}\n"));
        workspace.file(format!("data/examples/{day}.txt"), "40\n2\n");
    }
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("cargo")])]
fn a_crate_with_a_program_for_each_day() {
    let workspace = days();
    workspace.file("data/inputs/01.ans", "2\n").file("data/inputs/02.ans", "3\n").file("data/examples/01.ans", "42\n");
    let run = workspace.run(&[]);
    run.status(0).ends("src/bin/01.rs", "AC", "met").ends("src/bin/02.rs", "AC", "met").hides("main.rs");
    run.judged("src/bin/01.rs", "example/01", "AC", "").judged("src/bin/02.rs", "02", "AC", "");
    workspace.run(&["src/bin/01.rs", "-t", "01"]).status(0).ends("src/bin/01.rs", "AC", "met");
    // Nothing of the build is left in the project.
    assert!(!workspace.path("target").exists() && !workspace.path("Cargo.lock").exists());
}

/// A project with a dependency that only a registry has, and a home of cargo with that registry.
fn with_registry() -> Workspace {
    let workspace = sums();
    workspace.file(
        "Cargo.toml",
        "[package]\nname = \"sum\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nadder = \"1\"\n",
    );
    workspace.file(
        "src/main.rs",
        "fn main() {\n    let mut text = String::new();\n    std::io::stdin().read_line(&mut text).unwrap();\n    \
         println!(\"{}\", adder::add(text.split_whitespace().map(|n| n.parse().unwrap())));\n}\n",
    );
    let crates = workspace.path("home/registry/mine");
    let config =
        format!("[source.crates-io]\nreplace-with = \"mine\"\n[source.mine]\ndirectory = \"{}\"\n", crates.display());
    workspace.file("home/config.toml", config);
    workspace.file("home/registry/mine/adder/Cargo.toml", "[package]\nname = \"adder\"\nversion = \"1.0.0\"\n");
    workspace.file("home/registry/mine/adder/.cargo-checksum.json", "{\"files\":{},\"package\":null}");
    workspace.file(
        "home/registry/mine/adder/src/lib.rs",
        "pub fn add(all: impl Iterator<Item = u32>) -> u32 { all.sum() }\n",
    );
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("cargo")])]
fn the_cache_of_cargo_is_seen_and_not_by_strangers() {
    let workspace = with_registry();
    let home = workspace.path("home");
    for layer in LAYERS {
        let call = Call::new(&workspace.path(""), &["--isolation", layer]).env("CARGO_HOME", &home);
        call.run().status(0).ends("src/main.rs", "AC", "met");
    }
    // What is not in the cache is not the fault of the program, and is found once it is there.
    let (kept, away) = (workspace.path("home/registry/mine/adder"), workspace.path("away"));
    std::fs::rename(&kept, &away).unwrap();
    let call = || Call::new(&workspace.path(""), &[]).env("CARGO_HOME", &home);
    workspace.file("src/main.rs", workspace.read("src/main.rs") + "// saved\n");
    call().run().ends("src/main.rs", "-", "not_judged").shows("a dependency is not in your cache: run `cargo fetch`");
    std::fs::rename(&away, &kept).unwrap();
    call().run().status(0).ends("src/main.rs", "AC", "met");
    // The same program, submitted by somebody.
    let class = Workspace::with_sum();
    for file in ["Cargo.toml", "src/main.rs"] {
        class.file(format!("submissions/ann/{file}"), workspace.read(file));
    }
    let call = Call::recorded(&class.path(""), &["judge", "sum", "submissions/ann", "--isolation", "weak"]);
    let run = call.env("CARGO_HOME", &home).run();
    run.status(1).shows("CE");
    assert!(run.stdout.contains("adder") || run.events.iter().any(|event| event.to_string().contains("adder")));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("cargo")])]
fn a_changed_library_is_built_again() {
    let workspace = days();
    workspace.run(&["src/bin/01.rs"]).shows("output   2\n");
    let text = workspace.read("src/lib.rs").replace(".sum()", ".sum::<u32>() * 10");
    workspace.file("src/lib.rs", text).run(&["src/bin/01.rs"]).shows("output   20\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("cargo")])]
fn a_member_of_a_workspace_finds_its_neighbours() {
    let workspace = Workspace::bare();
    workspace.file("grader.toml", "problems = [\".\"]\n");
    workspace.file("Cargo.toml", "[workspace]\nmembers = [\"day1\", \"common\"]\nresolver = \"2\"\n");
    let member = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.file("day1/Cargo.toml", member("day1") + "[dependencies]\ncommon = { path = \"../common\" }\n");
    workspace.file("common/Cargo.toml", member("common")).file("common/src/lib.rs", "pub const THREE: u8 = 3;\n");
    workspace.file("day1/src/main.rs", "fn main() { println!(\"{}\", common::THREE) }\n");
    workspace.file("day1/tests/1.in", "\n").file("day1/tests/1.ans", "3\n");
    workspace.run(&[]).status(0).ends("src/main.rs", "AC", "met");
    Call::new(&workspace.path("day1"), &[]).run().status(0).ends("src/main.rs", "AC", "met");
    // `grader add` asks it for the answer.
    Call::any(&workspace.path("day1"), &["add", ".", "--name", "2", "--reference", "src/main.rs", "-"])
        .input("x\n")
        .run()
        .status(0);
    assert_eq!(workspace.read("day1/tests/2.ans"), "3\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("go")])]
fn a_module_of_go_has_packages_and_the_module_cache() {
    let workspace = sums();
    workspace.file("go.mod", "module mine\n\ngo 1.19\n\nrequire example.com/adder v1.0.0\n");
    workspace.file("go.sum", "");
    workspace.file(
        "main.go",
        "package main\nimport (\"fmt\"; \"mine/read\"; \"example.com/adder\")\nfunc main() { fmt.Println(adder.Add(read.Two())) }\n",
    );
    workspace
        .file("read/read.go", "package read\nimport \"fmt\"\nfunc Two() (a, b int) { fmt.Scan(&a, &b); return }\n");
    let cache = "cache/example.com/adder@v1.0.0";
    workspace.file(format!("{cache}/go.mod"), "module example.com/adder\n");
    workspace.file(format!("{cache}/adder.go"), "package adder\nfunc Add(a, b int) int { return a + b }\n");
    let kept = "cache/cache/download/example.com/adder/@v/v1.0.0";
    workspace
        .file(format!("{kept}.mod"), "module example.com/adder\n")
        .file(format!("{kept}.info"), "{\"Version\":\"v1.0.0\"}");
    workspace.file(format!("{kept}.ziphash"), "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    workspace.file("go.sum", "example.com/adder v1.0.0 h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n");
    for layer in LAYERS {
        let call = Call::new(&workspace.path(""), &["--isolation", layer]);
        let call = call.env("GOMODCACHE", workspace.path("cache")).env("GONOSUMDB", "*");
        call.run().status(0).ends("main.go", "AC", "met");
    }
}

const ADDS: &str = "extern int add(int, int);\n#include <cstdio>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", add(a, b)); }\n";

#[apply(cli_test)]
#[needs(&[Need::Tool("make"), Need::Tool("g++")])]
fn a_makefile_builds_what_it_names() {
    let workspace = sums();
    workspace.file("sum.cpp", ADDS).file("lib/add.cpp", "int add(int a, int b) { return a + b; }\n");
    workspace.file("Makefile", "sum: sum.cpp lib/add.cpp\n\t$(CXX) -o $@ $^\n");
    workspace.run(&[]).status(0).ends("sum.cpp", "AC", "met");
    // The default target, which puts the program elsewhere.
    workspace.file("Makefile", "all: bin/sum\nbin/%: %.cpp lib/add.cpp\n\tmkdir -p bin; $(CXX) -o $@ $^\n");
    workspace.run(&[]).status(0).ends("sum.cpp", "AC", "met");
    assert!(!workspace.path("bin").exists());
    workspace.file("Makefile", "prog: sum.cpp\n\t$(CXX) --version\n");
    workspace.run(&[]).status(1).shows("make made no program; grader expects `sum`, `bin/sum`");
    // A Makefile that is for something else owns nothing.
    workspace.file("Makefile", "test:\n\tgrader run\n").file("sum.cpp", ADDS.replace("extern", "static"));
    let whole =
        format!("static int add(int a, int b) {{ return a + b; }}\n{}", ADDS.replace("extern int add(int, int);", ""));
    workspace.file("sum.cpp", whole).run(&[]).status(0).ends("sum.cpp", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("make"), Need::Tool("g++"), Need::Tool("go")])]
fn a_makefile_that_makes_something_else_is_left_alone() {
    let cpp = "#include <cstdio>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }\n";
    let go = "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }\n";
    for (name, text, makefile) in [
        ("main.go", go, "run:\n\tgo run main.go < 1.in\n"),
        ("sum.cpp", cpp, "all:\n\tg++ -o /tmp/x sum.cpp\n"),
        ("sum.cpp", cpp, "day: sum.cpp\n\tg++ *.cpp -o day\n"),
        ("sum.cpp", cpp, "test:\n\tgrader run sum.cpp\n"),
    ] {
        let workspace = sums();
        workspace.file(name, text).file("Makefile", makefile);
        workspace.run(&[]).status(0).ends(name, "AC", "met");
    }
}

#[apply(cli_test)]
fn a_build_tool_that_is_missing_is_no_compile_error() {
    let workspace = sums();
    workspace.file("build.gradle", "plugins { id 'application' }\n");
    workspace.file("src/main/java/Main.java", "class Main { public static void main(String[] a) {} }\n");
    let path = tempfile::tempdir().unwrap();
    let put = |tool: &str, text: &str| {
        std::fs::write(path.path().join(tool), text).unwrap();
        std::fs::set_permissions(path.path().join(tool), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    };
    let call = || Call::new(&workspace.path(""), &["src/main/java/Main.java"]).env("PATH", path.path());
    put("java", "#!/bin/sh\necho 3\n");
    put("javac", "#!/bin/sh\ncase \"$*\" in *Main.java*) echo 'no such library' >&2; exit 1;; esac\necho 17\n");
    call().run().ends("src/main/java/Main.java", "-", "not_judged").shows("gradle is not installed");
    // What the compiler builds alone is judged without the tool.
    put("javac", "#!/bin/sh\necho 17\n");
    workspace.file("src/main/java/Main.java", "class Main { public static void main(String... a) {} }\n");
    call().run().ends("src/main/java/Main.java", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("cmake"), Need::Tool("g++")])]
fn cmake_builds_the_target_of_a_source() {
    let workspace = sums();
    workspace.file("sum.cpp", ADDS).file("lib/add.cpp", "int add(int a, int b) { return a + b; }\n");
    let lists = "cmake_minimum_required(VERSION 3.10)\nproject(days CXX)\nadd_executable(day1 sum.cpp lib/add.cpp)\n";
    workspace.file("CMakeLists.txt", lists).run(&[]).status(0).ends("sum.cpp", "AC", "met");
    workspace.file("lib/add.cpp", "int add(int a, int b) { return a - b; }\n");
    workspace.run(&[]).status(1).ends("sum.cpp", "WA", "missed");
}

/// A build file that does not know the program leaves it to the compiler. What neither builds is a compile error.
#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("make"), Need::Tool("cmake")])]
fn a_program_that_its_build_file_does_not_know_is_compiled() {
    let workspace = sums();
    let cpp = "#include \"../util.hpp\"\n#include <cstdio>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", add(a, b)); }\n";
    workspace.file("util.hpp", "inline int add(int a, int b) { return a + b; }\n").file("day01/main.cpp", cpp);
    workspace.file("day01/CMakeLists.txt", "add_executable(day01 main.cpp)\n");
    workspace.file("Makefile", "%: %.cpp\n\tg++ -o $@ $<\n").file("day02/a.cpp", cpp);
    for program in ["day01/main.cpp", "day02/a.cpp"] {
        workspace.run(&[program]).status(0).ends(program, "AC", "met");
    }
    workspace.file("day02/a.cpp", "int main() { wrong }\n").run(&["day02/a.cpp"]).ends("day02/a.cpp", "CE", "missed");
}

/// No plugin says which class starts: each program of the project does. Gradle talks to itself through the network of its
/// box; the program then has none.
#[apply(cli_test)]
#[needs(&[Need::Tool("gradle"), Need::Tool("javac")])]
fn gradle_builds_each_class_of_a_project() {
    let class = |name: &str, more: &str| {
        format!(
            "package aoc;\nimport aoc.util.Add;\npublic class {name} {{ public static void main(String[] a) throws Exception {{\n\
             var in = new java.util.Scanner(System.in);\n\
             int up = 1; try {{ java.net.NetworkInterface.getNetworkInterfaces(); }} catch (java.net.SocketException none) {{ up = 0; }}\n\
             System.out.println(Add.add(in.nextInt(), in.nextInt()) + up{more}); }} }}\n"
        )
    };
    let workspace = sums();
    workspace.file("build.gradle", "plugins { id 'java' }\n").file("settings.gradle", "rootProject.name = 'sums'\n");
    workspace.file("src/main/java/aoc/Day01.java", class("Day01", ""));
    workspace.file("src/main/java/aoc/Day02.java", class("Day02", " + 1"));
    workspace.file(
        "src/main/java/aoc/util/Add.java",
        "package aoc.util;\npublic class Add { public static int add(int a, int b) { return a + b; } }\n",
    );
    let day = |number: u8| format!("src/main/java/aoc/Day0{number}.java");
    let run = workspace.run(&[&day(1), &day(2)]);
    run.ends(&day(1), "AC", "met").ends(&day(2), "WA", "missed");
    workspace.run(&[&day(1), "--isolation", "weak"]).ends(&day(1), "-", "not_judged").shows("talks to itself");
    // What the compiler says is a compile error.
    workspace.file("src/main/java/aoc/util/Add.java", "package aoc.util;\npublic class Add { wrong }\n");
    workspace.run(&[&day(1)]).ends(&day(1), "CE", "missed");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn packages_of_node_are_found() {
    let workspace = sums();
    workspace.file("package.json", "{\"type\": \"module\"}\n");
    workspace.file("node_modules/adder/package.json", "{\"name\": \"adder\", \"main\": \"index.js\"}\n");
    workspace.file("node_modules/adder/index.js", "module.exports = (a, b) => a + b;\n");
    workspace.file(
        "lib/read.js",
        "import fs from 'fs';\nexport const two = () => fs.readFileSync(0, 'utf8').split(' ').map(Number);\n",
    );
    workspace.file(
        "main.js",
        "import add from 'adder';\nimport { two } from './lib/read.js';\nconsole.log(add(...two()));\n",
    );
    for layer in LAYERS {
        workspace.run(&["--isolation", layer]).status(0).ends("main.js", "AC", "met");
    }
    workspace
        .file("lib/read.js", "export const two = () => [1, 1];\n")
        .run(&[])
        .status(1)
        .ends("main.js", "WA", "missed");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_virtual_environment_runs_the_program() {
    let workspace = sums();
    let here = workspace.path("");
    Call::program(&here, "python3", &["-m", "venv", "--without-pip", ".venv"]).run().status(0);
    let ask = ["-c", "import site; print(site.getsitepackages()[0])"];
    let packages = Call::program(&here, here.join(".venv/bin/python3"), &ask).run().stdout;
    workspace.file(format!("{}/adder.py", packages.trim()), "def add(a, b):\n    return a + b\n");
    workspace.file("main.py", "from adder import add\nprint(add(*map(int, input().split())))\n");
    for layer in LAYERS {
        workspace.run(&["--isolation", layer]).status(0).ends("main.py", "AC", "met").shows(".venv/bin/python3");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("cargo")])]
fn watch_runs_again_after_a_saved_library() {
    let workspace = days();
    workspace.file("data/inputs/01.ans", "2\n");
    let mut watch = Watch::start(&workspace, &["src/bin/01.rs", "-t", "01"]);
    let text = workspace.read("src/lib.rs").replace(".sum()", ".sum::<u32>() * 10");
    let shown = watch.save("src/lib.rs", &text);
    assert!(shown.contains("saved src/lib.rs: 1 submission") && shown.contains("AC → WA"), "{shown}");
    assert_eq!(watch.end(), 130);
}

/// Build tools have programs far below the folder of the project and its tests.
#[apply(cli_test)]
#[needs(&[Need::Tool("go"), Need::Tool("javac")])]
fn programs_lie_where_their_build_tool_has_them() {
    let go = "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tvar a, b int\n\tfmt.Scan(&a, &b)\n\tfmt.Println(a + b)\n}\n";
    let workspace = Workspace::bare();
    workspace.file("go.mod", "module sums\n\ngo 1.18\n").file("cmd/sum/main.go", go);
    workspace.file("1.in", "1 2\n").file("1.ans", "3\n");
    workspace.run(&[]).status(0).ends("cmd/sum/main.go", "AC", "met");
    let java = "package app;\n\npublic class Sum {\n    public static void main(String[] args) {\n\
                        var in = new java.util.Scanner(System.in);\n\
                        System.out.println(in.nextInt() + in.nextInt());\n    }\n}\n";
    let workspace = Workspace::bare();
    workspace.file("build.gradle", "apply plugin: 'java'\n").file("src/main/java/app/Sum.java", java);
    workspace.file("src/main/java/app/Unused.java", "package app;\n\nclass Unused {}\n");
    workspace.file("1.in", "1 2\n").file("1.ans", "3\n");
    let run = workspace.run(&[]);
    run.status(0).ends("src/main/java/app/Sum.java", "AC", "met");
    assert!(!run.all().contains("Unused"), "{}", run.all());
}
