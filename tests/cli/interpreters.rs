//! The interpreter that was meant: the caller's own with its packages, PyPy in packages, and what a shim leads to.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::need::Need;
use crate::run::{Call, Run};
use crate::workspace::Workspace;

listed![
    an_active_environment_is_used_in_every_layer: &[Need::Tool("python3")],
    an_environment_in_a_private_home_is_used_by_every_layer: &[Need::Tool("python3"), Need::Root],
    an_environment_beside_the_problems_shows_none_of_them: &[Need::Tool("python3")],
    an_environment_behind_links_is_used: &[Need::Tool("python3")],
    another_version_of_a_package_is_judged_anew: &[Need::Tool("python3")],
    packages_of_ones_own_are_seen: &[Need::Tool("python3")],
    a_package_that_is_linked_to_its_sources_is_seen: &[Need::Tool("python3")],
    a_deleted_environment_is_passed_over: &[Need::Tool("python3")],
    shims_that_need_a_home_are_followed: &[Need::Tool("ruby"), Need::Tool("node")],
];

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
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(first.to_owned()).chain(std::env::split_paths(&path));
    workspace.call(args).env("PATH", std::env::join_paths(all).unwrap())
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

fn an_active_environment_is_used_in_every_layer() {
    let (workspace, home) = (workspace(), Workspace::bare());
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

fn an_environment_in_a_private_home_is_used_by_every_layer() {
    const NOBODY: u32 = 65534;
    let (workspace, home) = (workspace(), Workspace::bare());
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
fn an_environment_behind_links_is_used() {
    let (workspace, home) = (workspace(), Workspace::bare());
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

fn another_version_of_a_package_is_judged_anew() {
    let (workspace, home) = (workspace(), Workspace::bare());
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
fn packages_of_ones_own_are_seen() {
    let (workspace, home) = (workspace(), Workspace::bare());
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
fn a_package_that_is_linked_to_its_sources_is_seen() {
    let (workspace, home) = (workspace(), Workspace::bare());
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

fn a_deleted_environment_is_passed_over() {
    let (workspace, home) = (Workspace::new(), Workspace::bare());
    workspace.problem("one").case("sample/1", "", "1\n").submission("accepted/a.py", "print(1)\n");
    std::fs::create_dir(home.path("bin")).unwrap();
    symlink(home.path("gone/python3"), home.path("bin/python3")).unwrap();
    with(&workspace, &home.path("bin"), &[]).run().status(0).ends("accepted/a.py", "AC", "met");
}

/// As those of nvm, volta, rbenv, asdf: no home is seen in a box.
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
