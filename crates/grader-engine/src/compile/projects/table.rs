//! The table of build files: their names, the files that they may own, and the commands of their tools.

use std::path::PathBuf;

use super::target;
use super::wrapper::{self, WrapperTool};
use crate::language::Installation;

/// A kind of build file.
pub(super) struct Tool {
    /// The names of the file in its directory, the preferred one first.
    pub(super) markers: &'static [&'static str],
    /// The languages whose programs it may own, by id. Empty: all that compile to a program of the system.
    pub(super) languages: &'static [&'static str],
    pub(super) how: How,
}

/// The purpose of a build file.
pub(super) enum How {
    /// Its tool builds the program.
    Builds(Builder),
    /// It describes the directory in which the program must stay, as `package.json` does with `node_modules`.
    StaysInPlace,
    /// It marks an environment whose interpreter runs the program.
    Interprets,
}

/// A tool that builds programs.
pub(super) struct Builder {
    /// The name of the program to build, read from the build file; none if the file does not build it.
    pub(super) target: fn(&target::Question<'_>) -> Option<String>,
    /// Which other programs of the project the build never uses.
    pub(super) apart: Apart,
    /// The commands, which run in the copy of the project. `{dir}` is the directory of the build file, `{target}` the name
    /// of the program, `{files}` stands for its own sources beside each other.
    pub(super) steps: &'static [&'static [&'static str]],
    /// Whether the compiler of the language may build programs that the tool does not. A crate or a module of Go needs its
    /// tool.
    pub(super) falls_back: bool,
    /// Whether the tool must be called in the directory of the build file, which may lie below the root: `replace x => ../x`.
    pub(super) is_called_inside: bool,
    /// Whether the tool talks to itself through the loopback interface.
    pub(super) loopback: bool,
    /// Where a wrapper in the project has put its own version of the tool.
    pub(super) wrapped: fn(&WrapperTool<'_>) -> Option<PathBuf>,
    /// Where the tool puts the program. The first of these that exists is taken. Empty: the last step writes [`PROGRAM`].
    pub(super) made: &'static [&'static str],
    pub(super) env: &'static [Variable],
    pub(super) caches: &'static [Cache],
    /// The tool's messages if a dependency is not in a cache.
    pub(super) absent: &'static [&'static str],
    /// How to get a dependency into a cache.
    pub(super) fetch: &'static str,
    /// How to install the tool, if it does not come with the language.
    pub(super) install: Option<&'static Installation>,
}

/// Programs of a project that no other program of it uses. A change of one does not concern the others.
pub(super) enum Apart {
    /// Any file may be used.
    Nothing,
    /// The entries of a directory that the build file does not name.
    EntriesOf(&'static str),
    /// Files of Go of `package main` in other directories, which cannot be imported.
    MainPackages,
}

/// A variable of the tool.
pub(super) struct Variable {
    pub(super) name: &'static str,
    pub(super) value: &'static str,
    /// Files at the top of the project, each of which says otherwise.
    pub(super) unless: &'static [&'static str],
}

/// A directory of the user with dependencies of programs.
pub(super) struct Cache {
    /// The variable that names it.
    pub(super) variable: &'static str,
    /// Its usual place below the home.
    pub(super) usual: &'static str,
    /// The parts of it that builds see; empty for all of it.
    pub(super) shown: &'static [&'static str],
    /// The variable that shows the tool its place, with the part of it that is meant.
    pub(super) told: (&'static str, &'static str),
}

/// The program, in the directory of the build.
pub(super) const PROGRAM: &str = "grader-program";

/// A script that moves the program to its place. Its arguments are the message if no program is found, the new path, and the
/// possible paths.
pub(super) const TAKE: &str = "say=$1; to=$2; shift 2; for file; do if [ -f \"$file\" ] && [ -x \"$file\" ]; then \
    mv -- \"$file\" \"$to\" && rm -rf grader-build && exit 0; fi; done; echo \"$say\" >&2; exit 1";

/// Adds to a project of Gradle a task that collects its classes and their libraries. The plugin `application` would install
/// one program, but a project of puzzles has one for each day.
const COLLECT: &str = "allprojects { plugins.withId('java') { tasks.create('graderProgram', Copy) {
    from sourceSets.main.output
    from configurations.runtimeClasspath
    into \"$projectDir/grader-files\"
    duplicatesStrategy = 'EXCLUDE'
} } }
";

/// A script that writes its argument into a file for Gradle.
const WRITE: &str = "printf %s \"$1\" > grader-init.gradle";

/// A script that makes the program that starts a class among the collected ones. Its arguments are the directory of the
/// project, the source and its stem. A file in Kotlin is a class too.
const START_CLASS: &str = "dir=$1; source=$2; stem=$3; files=$dir/grader-files; \
    package=$(sed -n 's/^[[:space:]]*package[[:space:]][[:space:]]*\\([A-Za-z0-9_.]*\\).*/\\1/p' \"$source\" | head -n 1); \
    way=$(printf %s \"$package\" | tr . /); first=$(printf %s \"$stem\" | cut -c 1 | tr '[:lower:]' '[:upper:]'); \
    for class in \"$first${stem#?}Kt\" \"$stem\"; do if [ -f \"$files/${way:+$way/}$class.class\" ]; then \
    printf '#!/bin/sh\\ndir=$(dirname \"$0\")/%s\\nexec java $JAVA_OPTS -cp \"$dir:$dir/*\" %s \"$@\"\\n' \
    \"$files\" \"${package:+$package.}$class\" > grader-program && chmod +x grader-program && \
    rm -rf grader-gradle \"$dir/build\" \"$dir/.gradle\" && exit 0; fi; done; \
    echo \"gradle made no class $stem of $source\" >&2; exit 1";

/// The build files, by precedence among those of one directory.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        markers: &["Cargo.toml"],
        languages: &["rust"],
        how: How::Builds(Builder {
            target: target::of_cargo,
            apart: Apart::EntriesOf("src/bin"),
            steps: &[&[
                "cargo",
                "build",
                "--quiet",
                "--release",
                "--offline",
                "--manifest-path",
                "{dir}/Cargo.toml",
                "--target-dir",
                "grader-build",
                "--bin",
                "{target}",
            ]],
            falls_back: false,
            is_called_inside: false,
            loopback: false,
            wrapped: wrapper::none,
            made: &["grader-build/release/{target}"],
            env: &[Variable { name: "CARGO_NET_OFFLINE", value: "true", unless: &[] }],
            caches: &[Cache {
                variable: "CARGO_HOME",
                usual: ".cargo",
                shown: &["registry", "git", "config.toml", "config"],
                told: ("CARGO_HOME", ""),
            }],
            absent: &["no matching package", "offline mode", "--offline was specified", "failed to download"],
            fetch: "cargo fetch",
            install: None,
        }),
    },
    Tool {
        markers: &["go.mod"],
        languages: &["go"],
        how: How::Builds(Builder {
            target: target::of_stem,
            apart: Apart::MainPackages,
            steps: &[&["go", "build", "-buildvcs=false", "-p", "2", "-o", PROGRAM, "{files}"]],
            falls_back: false,
            is_called_inside: true,
            loopback: false,
            wrapped: wrapper::none,
            made: &[],
            env: &[
                Variable { name: "GOFLAGS", value: "-mod=mod", unless: &["go.work", "vendor"] },
                Variable { name: "GOPROXY", value: "off", unless: &[] },
                Variable { name: "GONOSUMDB", value: "*", unless: &[] },
            ],
            caches: &[Cache { variable: "GOMODCACHE", usual: "go/pkg/mod", shown: &[], told: ("GOMODCACHE", "") }],
            absent: &["module lookup disabled by GOPROXY=off", "missing go.sum entry"],
            fetch: "go mod download",
            install: None,
        }),
    },
    Tool {
        markers: &["CMakeLists.txt"],
        languages: &[],
        how: How::Builds(Builder {
            target: target::of_cmake,
            apart: Apart::Nothing,
            steps: &[
                &["cmake", "-S", "{dir}", "-B", "grader-build", "-DCMAKE_BUILD_TYPE=Release"],
                &["cmake", "--build", "grader-build", "--target", "{target}"],
            ],
            falls_back: true,
            is_called_inside: false,
            loopback: false,
            wrapped: wrapper::none,
            made: &["grader-build/{target}", "grader-build/bin/{target}", "{dir}/bin/{target}", "{dir}/{target}"],
            env: &[],
            caches: &[],
            absent: &[],
            fetch: "",
            install: Some(&Installation::new("cmake", "")),
        }),
    },
    Tool {
        markers: &["GNUmakefile", "makefile", "Makefile"],
        // Makefiles of other languages run programs; their compilers need none.
        languages: &["c", "cpp", "fortran", "pascal"],
        how: How::Builds(Builder {
            target: target::of_make,
            apart: Apart::Nothing,
            steps: &[&["make", "--silent", "-C", "{dir}", "{target}"]],
            falls_back: true,
            is_called_inside: false,
            loopback: false,
            wrapped: wrapper::none,
            made: &[
                "{dir}/{stem}",
                "{dir}/bin/{stem}",
                "{dir}/build/{stem}",
                "{dir}/out/{stem}",
                "{beside}/{stem}",
                "{dir}/{stem}.out",
                "{dir}/a.out",
                "{dir}/main",
            ],
            env: &[],
            caches: &[],
            absent: &[],
            fetch: "",
            install: Some(&Installation::new("make", "")),
        }),
    },
    Tool {
        markers: &["build.gradle.kts", "build.gradle"],
        languages: &["java", "kotlin"],
        how: How::Builds(Builder {
            target: target::of_stem,
            apart: Apart::Nothing,
            steps: &[
                &["/bin/sh", "-c", WRITE, "sh", COLLECT],
                &[
                    "gradle",
                    "--offline",
                    "--no-daemon",
                    "--quiet",
                    "--gradle-user-home",
                    "grader-gradle",
                    "--init-script",
                    "grader-init.gradle",
                    "--project-dir",
                    "{dir}",
                    "graderProgram",
                ],
                &["/bin/sh", "-c", START_CLASS, "sh", "{dir}", "{entry}", "{stem}"],
            ],
            falls_back: true,
            is_called_inside: false,
            loopback: true,
            wrapped: wrapper::of_gradle,
            made: &[],
            env: &[],
            caches: &[Cache {
                variable: "GRADLE_USER_HOME",
                usual: ".gradle",
                shown: &["caches"],
                told: ("GRADLE_RO_DEP_CACHE", "caches"),
            }],
            absent: &["No cached version of"],
            fetch: "gradle build",
            install: Some(&Installation::new("", "https://gradle.org/install")),
        }),
    },
    Tool {
        markers: &["package.json"],
        languages: &["javascript", "typescript-node", "typescript-strip", "deno", "bun", "tsx"],
        how: How::StaysInPlace,
    },
    Tool { markers: &[".venv/pyvenv.cfg", "venv/pyvenv.cfg"], languages: &["python3"], how: How::Interprets },
];
