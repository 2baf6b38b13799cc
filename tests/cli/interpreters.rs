//! The interpreter that was meant: the caller's own with its packages, PyPy in packages, and what a shim leads to.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::packages;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

/// A problem whose answer a package knows.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("ask")
        .case("sample/1", "", "1\n")
        .submission("accepted/a.py", "import answers\nprint(answers.ONE)\n");
    workspace
}

/// An interpreter that belongs to the system, or none: version managers' own are no base that every user can read.
fn base() -> PathBuf {
    let system = Path::new("/usr/bin/python3");
    if system.exists() { system.to_owned() } else { PathBuf::from("python3") }
}

/// A virtual environment in which the package `answers` is installed; its `bin`.
#[expect(clippy::disallowed_methods, reason = "Python makes the environment, no submission is started")]
fn environment(at: &Path) -> PathBuf {
    let made = Command::new(base()).args(["-m", "venv", "--without-pip"]).arg(at).status().unwrap();
    assert!(made.success());
    install(&site(at), "1.0", 1);
    at.join("bin")
}

/// Where an environment has its packages.
fn site(environment: &Path) -> PathBuf {
    let mut versions = std::fs::read_dir(environment.join("lib")).unwrap();
    versions.next().unwrap().unwrap().path().join("site-packages")
}

/// Installs a version of `answers`, as `pip` does.
fn install(site: &Path, version: &str, one: i32) {
    for entry in std::fs::read_dir(site).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("answers") {
            std::fs::remove_dir_all(path).unwrap();
        }
    }
    std::fs::create_dir_all(site.join("answers")).unwrap();
    std::fs::write(site.join("answers/__init__.py"), format!("ONE = {one}\n")).unwrap();
    let record = site.join(format!("answers-{version}.dist-info"));
    std::fs::create_dir(&record).unwrap();
    std::fs::write(record.join("METADATA"), format!("Name: answers\nVersion: {version}\n")).unwrap();
}

/// A call with something first in `PATH`.
fn with(workspace: &Workspace, first: &Path, args: &[&str]) -> Call {
    workspace.call(args).env("PATH", path_behind(first))
}

/// `PATH` with another directory in front.
fn path_behind(first: &Path) -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(all).unwrap()
}

/// The layer with namespaces that is the strongest for whoever runs the tests.
fn walls() -> &'static str {
    if rustix::process::geteuid().is_root() { "root" } else { "user" }
}

/// Where the interpreter of the first submission is.
fn place(run: &Run) -> PathBuf {
    let built = run.of("built").next().unwrap();
    PathBuf::from(built["result"]["measured"]["place"].as_str().unwrap_or_default())
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_active_environment_is_used_in_every_layer() {
    let workspace = workspace();
    let home = Workspace::bare();
    let bin = environment(&home.path("venv"));
    for layer in [walls(), "weak", "none"] {
        let run = with(&workspace, &bin, &["--isolation", layer]).run();
        run.status(0).ends("accepted/a.py", "AC", "met");
        assert_eq!(place(&run), bin.join("python3"), "{layer}");
    }
    let told = with(&workspace, &bin, &[]).run();
    let version = told.of("built").next().unwrap()["result"]["version"].as_str().unwrap().to_owned();
    told.shows(&format!("python3: {version} ({})", bin.join("python3").display()));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Root])]
fn an_environment_in_a_private_home_is_used_by_every_layer() {
    const NOBODY: u32 = 65534;
    let workspace = workspace();
    let home = Workspace::bare();
    let bin = environment(&home.path("venv"));
    std::fs::set_permissions(home.path(""), PermissionsExt::from_mode(0o700)).unwrap();
    with(&workspace, &bin, &["--isolation", "root"]).env("HOME", home.path("")).run().status(0);
    workspace.give_to(NOBODY);
    home.give_to(NOBODY);
    let binary = workspace.binary();
    for layer in ["user", "weak"] {
        let call = with(&workspace, &bin, &["--isolation", layer, "--no-cache"]);
        let run = call.env("HOME", home.path("")).copy(&binary).user(NOBODY).run();
        run.status(0).ends("accepted/a.py", "AC", "met");
    }
}

/// Whoever makes the environment at the top of the problems means its packages and not the answers.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_environment_beside_the_problems_shows_none_of_them() {
    let workspace = workspace();
    let bin = environment(&workspace.path(""));
    let steal = "import sys\nprint(open(sys.prefix + '/testcases/ask/sample/1.ans').read())\n";
    workspace.problem("ask").submission("run_time_error/steal.py", steal);
    for layer in [walls(), "weak"] {
        let run = with(&workspace, &bin, &["--isolation", layer]).run();
        run.status(0).ends("accepted/a.py", "AC", "met").ends("run_time_error/steal.py", "RTE", "met");
    }
}

/// As `uv` makes them: the interpreter's directory is a link, and so may be that of the environment.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_environment_behind_links_is_used() {
    let workspace = workspace();
    let home = Workspace::bare();
    let real = environment(&home.path("kept/venv"));
    std::fs::create_dir_all(home.path("bases/3.0.1/bin")).unwrap();
    symlink(std::fs::canonicalize(base()).unwrap(), home.path("bases/3.0.1/bin/python3")).unwrap();
    symlink("3.0.1", home.path("bases/3.0")).unwrap();
    std::fs::remove_file(real.join("python3")).unwrap();
    symlink(home.path("bases/3.0/bin/python3"), real.join("python3")).unwrap();
    symlink("kept/venv", home.path("active")).unwrap();
    for layer in [walls(), "weak"] {
        let run = with(&workspace, &home.path("active/bin"), &["--isolation", layer]).run();
        run.status(0).ends("accepted/a.py", "AC", "met");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn another_version_of_a_package_is_judged_anew() {
    let workspace = workspace();
    let home = Workspace::bare();
    let bin = environment(&home.path("venv"));
    assert_eq!(with(&workspace, &bin, &[]).run().status(0).measured_and_cached(), (1, 0));
    assert_eq!(with(&workspace, &bin, &[]).run().status(0).measured_and_cached(), (0, 1));
    install(&site(&home.path("venv")), "1.1", 2);
    with(&workspace, &bin, &[]).run().status(1).ends("accepted/a.py", "WA", "missed");
    // Another environment with the same interpreter.
    let other = environment(&home.path("other"));
    with(&workspace, &other, &[]).run().status(0).ends("accepted/a.py", "AC", "met");
}

/// `pip install --user`, without an environment.
#[expect(clippy::disallowed_methods, reason = "Python is asked about itself, no submission is started")]
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn packages_of_ones_own_are_seen() {
    let workspace = workspace();
    let home = Workspace::bare();
    let bin = home.path("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink(base(), bin.join("python3")).unwrap();
    let mut ask = Command::new(bin.join("python3"));
    ask.args(["-c", "import site; print(site.getusersitepackages())"]).env("HOME", home.path(""));
    let site = String::from_utf8(ask.output().unwrap().stdout).unwrap();
    install(Path::new(site.trim()), "1.0", 1);
    for layer in [walls(), "weak", "none"] {
        let run = with(&workspace, &bin, &["--isolation", layer]).env("HOME", home.path("")).run();
        run.status(0).ends("accepted/a.py", "AC", "met");
    }
}

/// `pip install -e`: edited sources are judged anew; those of a set of problems stay unseen.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_package_that_is_linked_to_its_sources_is_seen() {
    let workspace = workspace();
    let home = Workspace::bare();
    let bin = environment(&home.path("venv"));
    let site = site(&home.path("venv"));
    std::fs::remove_dir_all(site.join("answers")).unwrap();
    home.file("work/answers/__init__.py", "ONE = 1\n");
    std::fs::write(site.join("work.pth"), format!("{}\n", home.path("work").display())).unwrap();
    with(&workspace, &bin, &[]).run().status(0).ends("accepted/a.py", "AC", "met");
    home.file("work/answers/__init__.py", "ONE = 1234\n");
    with(&workspace, &bin, &[]).run().status(1).ends("accepted/a.py", "WA", "missed");
    std::fs::write(site.join("work.pth"), format!("{}\n", workspace.path("testcases").display())).unwrap();
    let steal = format!("print(open('{}').read())\n", workspace.path("testcases/ask/sample/1.ans").display());
    workspace.problem("ask").submission("run_time_error/steal.py", &steal);
    with(&workspace, &bin, &["-s", "steal.py"]).run().status(0).ends("run_time_error/steal.py", "RTE", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_deleted_environment_is_passed_over() {
    let (workspace, home) = (Workspace::new(), Workspace::bare());
    workspace.problem("one").case("sample/1", "", "1\n").submission("accepted/a.py", "print(1)\n");
    std::fs::create_dir(home.path("bin")).unwrap();
    symlink(home.path("gone/python3"), home.path("bin/python3")).unwrap();
    with(&workspace, &home.path("bin"), &[]).run().status(0).ends("accepted/a.py", "AC", "met");
}

/// As those of nvm, volta, rbenv, asdf: no home is seen in a box.
#[apply(cli_test)]
#[needs(&[Need::Tool("ruby"), Need::Tool("node")])]
fn shims_that_need_a_home_are_followed() {
    let (workspace, home) = (Workspace::new(), Workspace::bare());
    workspace.problem("one").case("sample/1", "", "1\n").submission("accepted/a.rb", "puts 1\n");
    workspace.problem("two").case("sample/1", "", "1\n").submission("accepted/a.js", "console.log(1)\n");
    let shim = "#!/bin/sh\nexec \"$(cat \"$HOME/chosen\")/${0##*/}\" \"$@\"\n";
    home.file("chosen", "/usr/bin").file("shims/ruby", shim).file("shims/node", shim);
    for name in ["ruby", "node"] {
        std::fs::set_permissions(home.path("shims").join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
    let run = with(&workspace, &home.path("shims"), &[]).env("HOME", home.path("")).run();
    run.status(0).ends("accepted/a.rb", "AC", "met").ends("accepted/a.js", "AC", "met");
}

/// Prints which implementation of Python runs it.
const WHO: &str = "import sys\nprint(sys.implementation.name)\n";

/// A package whose answer is the name of an implementation.
fn package(files: &[(&str, &str)]) -> Workspace {
    let data = [("problem.yaml", packages::CURRENT), ("data/sample/1.in", ""), ("data/sample/1.ans", "pypy\n")];
    packages::package(&[&data, files].concat())
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("pypy3")])]
fn python_of_packages_is_pypy_unless_somebody_says_otherwise() {
    let shebang = format!("#!/usr/bin/env python3\n{WHO}");
    let submissions: &[(&str, &str)] = &[
        ("submissions/accepted/a.py", WHO),
        ("submissions/accepted/b.py", &shebang),
        ("submissions/accepted/c.py", WHO),
        (
            "submissions/submissions.yaml",
            "accepted/a.py:\n  model_solution: true\naccepted/c.py:\n  language: python3\n",
        ),
    ];
    let workspace = package(submissions);
    let run = workspace.run(&["--no-cache"]);
    run.status(0).shows("pypy3: Python 3");
    for built in run.of("built") {
        assert_eq!(built["result"]["language"], "pypy3");
    }
    let handed_in = workspace.file("handed/a.py", WHO).grader(&["judge", "p", "handed/a.py"]);
    handed_in.status(0);
    // Facts of the one are not taken for the other.
    let named = |args: &[&str]| {
        for name in ["a.py", "b.py", "c.py"] {
            let run = workspace.run(&[&["-s", name], args].concat());
            run.status(1).ends(&format!("accepted/{name}"), "WA", "missed");
        }
    };
    named(&["--lang", "python3"]);
    for said in ["[language]\npython = 'python3'\n", "[language.python3]\ntime_factor = 2\n"] {
        workspace.file("grader.toml", said);
        named(&[]);
    }
    workspace.file("grader.toml", "[language]\npython = 'pypy3'\n").run(&[]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("pypy3")])]
fn python_elsewhere_and_that_of_validators_is_the_callers() {
    let workspace = Workspace::new();
    workspace.problem("own").case("sample/1", "", "cpython\n").submission("accepted/a.py", WHO);
    workspace.file("plain/solution.py", WHO).file("plain/1.in", "").file("plain/1.ans", "cpython\n");
    workspace.run(&["own"]).status(0).ends("accepted/a.py", "AC", "met");
    workspace.run(&["plain"]).status(0);
    let check = "import sys\nsys.exit(42 if sys.implementation.name == 'cpython' else 1)\n";
    let validators = [("output_validator/check.py", check), ("input_validators/check.py", check)];
    let workspace = package(&[&validators[..], &[("submissions/accepted/a.py", WHO)]].concat());
    workspace.run(&[]).status(0).ends("accepted/a.py", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn too_slow_without_pypy_says_so() {
    const REMARK: &str = "judges run it with PyPy 3, but here there is no pypy3: ";
    let slow = "while True: pass\n";
    let workspace = package(&[
        ("submissions/accepted/a.sh", "echo pypy\n"),
        ("submissions/accepted/slow.py", slow),
        ("submissions/time_limit_exceeded/slow.py", slow),
        ("submissions/submissions.yaml", "accepted/a.sh:\n  model_solution: true\n"),
    ]);
    let bin = workspace.path("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink(base(), bin.join("python3")).unwrap();
    symlink("/bin/bash", bin.join("bash")).unwrap();
    let run = workspace.call(&["--time-limit", "0.2"]).env("PATH", &bin).run();
    run.status(1).ends("accepted/slow.py", "TLE", "missed").shows(REMARK);
    run.ends("time_limit_exceeded/slow.py", "TLE", "met");
    let is_remarked = |test: &&Value| test["result"]["remarks"][0].as_str().is_some_and(|it| it.starts_with(REMARK));
    let remarked = run.of("test_finished").filter(is_remarked);
    assert_eq!(remarked.map(|test| &test["of"]["submission"]).collect::<Vec<_>>(), ["accepted/slow.py"]);
}

/// Java that keeps so many MiB on its heap, or beside it.
fn java(heap: u32, beside: u32) -> String {
    format!(
        "import java.util.*;\npublic class Main {{\n  public static void main(String[] args) throws Exception {{\n    \
         List<byte[]> all = new ArrayList<>();\n    for (int i = 0; i < {heap}; i++) {{\n      byte[] one = new byte[1 << 20];\n      \
         Arrays.fill(one, (byte) i);\n      all.add(one);\n    }}\n    \
         var field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");\n    field.setAccessible(true);\n    \
         var unsafe = (sun.misc.Unsafe) field.get(null);\n    long size = {beside}L << 20;\n    \
         if (size > 0) unsafe.setMemory(unsafe.allocateMemory(size), size, (byte) 1);\n    \
         System.out.println(all.size() == {heap} ? \"pypy\" : \"\");\n  }}\n}}\n"
    )
}

/// A package with 512 MiB of memory.
fn package_of_java() -> Workspace {
    let metadata =
        format!("{}limits: {{time_limit: 10, memory: 512}}\n", packages::CURRENT.split("limits").next().unwrap());
    let workspace = package(&[
        ("submissions/accepted/most.java", &java(435, 0)),
        ("submissions/run_time_error/heap.java", &java(700, 0)),
    ]);
    workspace.file("problems/p/problem.yaml", metadata);
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn a_heap_gets_all_of_the_limit() {
    let workspace = package_of_java();
    workspace.file("problems/p/submissions/wrong_answer/beside.java", java(1, 900));
    let run = workspace.run(&[]);
    run.ends("accepted/most.java", "AC", "met").ends("run_time_error/heap.java", "RTE", "met");
    run.ends("wrong_answer/beside.java", "MLE", "missed").shows("512 MiB for the heap and 256 MiB beside it");
    let tests: Vec<_> =
        run.of("test_finished").filter(|test| test["of"]["submission"] == "accepted/most.java").collect();
    let peak = tests[0]["result"]["measured"]["memory"].as_u64().unwrap() >> 20;
    assert!((435..600).contains(&peak), "{peak} MiB");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn a_heap_of_domjudge_is_smaller() {
    let workspace = package_of_java();
    let run = workspace.run(&["--as", "domjudge", "-s", "most.java"]);
    run.status(1).ends("accepted/most.java", "RTE", "missed");
    workspace.file("problems/p/submissions/accepted/less.java", java(300, 0));
    workspace.run(&["--as", "domjudge", "-s", "less.java"]).status(0).ends("accepted/less.java", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn a_heap_has_the_memory_of_its_language() {
    let workspace = Workspace::new();
    workspace.file("grader.toml", "[limits]\nmemory = 256\ntime_limit = 10\n[language.java.limits]\nmemory = 640\n");
    workspace.problem("own").case("sample/1", "", "pypy\n").submission("accepted/Most.java", &java(435, 0));
    workspace.run(&[]).status(0).ends("accepted/Most.java", "AC", "met");
}

/// As pyenv's where the version that was chosen is not installed.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_shim_chooses_by_the_directory_of_the_caller() {
    let workspace = workspace();
    let home = Workspace::bare();
    let environments = [1, 2].map(|one| {
        let bin = environment(&home.path(format!("version-{one}")));
        install(&site(bin.parent().unwrap()), "1.0", one);
        bin.join("python3").display().to_string()
    });
    // As pyenv does: it asks for no directory but this one.
    home.file("shims/python3", "#!/bin/sh\nexec \"$(cat \"$PYENV_DIR/.python-version\")\" \"$@\"\n");
    std::fs::set_permissions(home.path("shims/python3"), PermissionsExt::from_mode(0o755)).unwrap();
    for (python, verdict) in environments.iter().zip(["AC", "WA"]) {
        workspace.file(".python-version", python);
        with(&workspace, &home.path("shims"), &[]).run().ends(
            "accepted/a.py",
            verdict,
            if verdict == "AC" { "met" } else { "missed" },
        );
    }
}

#[apply(cli_test)]
fn a_shim_without_an_interpreter_is_no_compile_error() {
    let (workspace, home) = (Workspace::new(), Workspace::bare());
    workspace.problem("one").case("sample/1", "", "1\n").submission("accepted/a.py", "print(1)\n");
    home.file("bin/python3", "#!/bin/sh\necho not installed >&2\nexit 1\n");
    std::fs::set_permissions(home.path("bin/python3"), PermissionsExt::from_mode(0o755)).unwrap();
    let run = with(&workspace, &home.path("bin"), &[]).run();
    assert_eq!(run.of("built").next().unwrap()["result"]["build"], "not_judged", "{}", run.all());
}

/// Programs that only say that no version of them is chosen, as shims do.
fn shims(home: &Workspace, names: &[&str]) {
    for name in names {
        home.file(format!("bin/{name}"), "#!/bin/sh\necho 'no version is chosen' >&2\nexit 1\n");
        std::fs::set_permissions(home.path("bin").join(name), PermissionsExt::from_mode(0o755)).unwrap();
    }
}

#[apply(cli_test)]
fn a_shim_without_a_version_is_no_verdict() {
    let (workspace, home) = (Workspace::new(), Workspace::bare());
    let tools = ["rustc", "cargo", "node", "ruby", "perl", "php", "go", "java", "javac", "ghc"];
    shims(&home, &tools);
    let problem = workspace.problem("one").case("sample/1", "", "1\n");
    for (file, text) in [
        ("a.rs", "fn main() { println!(\"1\"); }"),
        ("b.js", "console.log(1)"),
        ("c.rb", "puts 1"),
        ("d.pl", "print \"1\\n\""),
        ("e.php", "<?php echo 1;"),
        ("f.go", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(1) }"),
        ("G.java", "class G { public static void main(String[] a) { System.out.println(1); } }"),
        ("h.hs", "main = print 1"),
    ] {
        problem.submission(&format!("accepted/{file}"), text);
    }
    let run = with(&workspace, &home.path("bin"), &[]).run();
    let built: Vec<String> = run.of("built").map(|event| event["result"].to_string()).collect();
    assert_eq!(built.len(), 8, "{}", run.all());
    for result in &built {
        assert!(result.contains("not_judged") && result.contains("no working "), "{result}");
    }
    let doctor = Call::any(&workspace.path(""), &["doctor"]).env("PATH", path_behind(&home.path("bin"))).run();
    doctor.shows("no working rustc: run `rustc --version` to see why ").shows("bin/rustc fails");
}

/// A directory with a program that looks like a tool: it answers to a question with a version, and else runs its last
/// argument in a shell.
fn fake(name: &str, question: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let script = format!(
        "#!/bin/sh\nif [ \"$*\" = '{question}' ]; then echo version 9; exit; fi\nif [ \"$*\" = '-p process.execPath' ]; then echo \"$0\"; exit; fi\nfor last; do :; done\n\
         test -f \"$last\" || exit 9\nexec /bin/sh \"$last\"\n"
    );
    std::fs::write(dir.path().join(name), script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(dir.path().join(name), executable).unwrap();
    std::fs::set_permissions(dir.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    dir
}

#[apply(cli_test)]
fn typescript_runs_with_what_is_there() {
    let workspace = Workspace::bare();
    workspace.file("main.ts", "read a b\necho $((a + b))\n").file("tests/1.in", "1 2\n").file("tests/1.ans", "3\n");
    for (tool, question, language) in [
        ("node", "-p process.features.typescript ? process.version : process.exit(1)", "typescript-node"),
        ("node", "--experimental-strip-types --version", "typescript-strip"),
        ("deno", "--version", "deno"),
        ("bun", "--version", "bun"),
        ("tsx", "--version", "tsx"),
    ] {
        let tools = fake(tool, question);
        let run = workspace.call(&[]).env("PATH", tools.path()).run();
        run.status(0).ends("main.ts", "AC", "met").shows(&format!("{language}: version 9"));
    }
    let none = tempfile::tempdir().unwrap();
    let run = workspace.call(&[]).env("PATH", none.path()).run();
    run.ends("main.ts", "-", "not_judged").shows("no tsc: npm install -g typescript");
}
