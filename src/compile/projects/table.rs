//! The table of build files: which there are, what they may own, and how their tools build a program.

use super::target;

/// A kind of build file.
pub(super) struct Tool {
    /// The names of the file in its directory, the preferred one first.
    pub(super) markers: &'static [&'static str],
    /// The languages whose programs it may own, by id. Empty: all that compile to a program of the system.
    pub(super) languages: &'static [&'static str],
    pub(super) how: How,
}

/// What a build file is for.
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
    /// Where the tool puts the program. The first of these that exists is taken. Empty: the last step writes [`PROGRAM`].
    pub(super) made: &'static [&'static str],
    pub(super) env: &'static [Variable],
    pub(super) caches: &'static [Cache],
    /// What the tool says if a dependency is not in a cache, and how to get it there.
    pub(super) absent: &'static [&'static str],
    pub(super) fetch: &'static str,
    /// How to install the tool.
    pub(super) install: &'static str,
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

/// A directory of the user with what programs depend on.
pub(super) struct Cache {
    /// The variable that names it.
    pub(super) variable: &'static str,
    /// Its usual place below the home.
    pub(super) usual: &'static str,
    /// The parts of it that builds see; empty for all of it.
    pub(super) shown: &'static [&'static str],
}

/// The program, in the directory of the build.
pub(super) const PROGRAM: &str = "grader-program";

/// A script that takes the program to its place: its arguments are what to say if there is none, where it goes, and where
/// it may be.
pub(super) const TAKE: &str = "say=$1; to=$2; shift 2; for file; do if [ -f \"$file\" ] && [ -x \"$file\" ]; then \
    mv -- \"$file\" \"$to\" && rm -rf grader-build && exit 0; fi; done; echo \"$say\" >&2; exit 1";

/// A script that starts what Gradle installed, which finds its libraries beside itself.
const START_INSTALLED: &str = "for file in build/install/*/bin/*; do case $file in *.bat) ;; *) \
    printf '#!/bin/sh\\nexec \"$(dirname \"$0\")/%s\" \"$@\"\\n' \"$file\" > grader-program && chmod +x grader-program && \
    exit 0;; esac; done; echo 'gradle installed no program: is the plugin `application` applied?' >&2; exit 1";

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
            made: &["grader-build/release/{target}"],
            env: &[Variable { name: "CARGO_NET_OFFLINE", value: "true", unless: &[] }],
            caches: &[Cache {
                variable: "CARGO_HOME",
                usual: ".cargo",
                shown: &["registry", "git", "config.toml", "config"],
            }],
            absent: &["no matching package", "offline mode", "--offline was specified", "failed to download"],
            fetch: "cargo fetch",
            install: "https://rustup.rs, or apt install cargo",
        }),
    },
    Tool {
        markers: &["go.mod"],
        languages: &["go"],
        how: How::Builds(Builder {
            target: target::of_stem,
            apart: Apart::MainPackages,
            steps: &[&["go", "build", "-buildvcs=false", "-p", "2", "-o", PROGRAM, "{files}"]],
            made: &[],
            env: &[
                Variable { name: "GOFLAGS", value: "-mod=mod", unless: &["go.work", "vendor"] },
                Variable { name: "GOPROXY", value: "off", unless: &[] },
                Variable { name: "GONOSUMDB", value: "*", unless: &[] },
            ],
            caches: &[Cache { variable: "GOMODCACHE", usual: "go/pkg/mod", shown: &[] }],
            absent: &["module lookup disabled by GOPROXY=off", "missing go.sum entry"],
            fetch: "go mod download",
            install: "apt install golang-go",
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
            made: &["grader-build/{target}", "grader-build/bin/{target}", "{dir}/bin/{target}", "{dir}/{target}"],
            env: &[],
            caches: &[],
            absent: &[],
            fetch: "",
            install: "apt install cmake",
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
            install: "apt install make",
        }),
    },
    Tool {
        markers: &["build.gradle.kts", "build.gradle"],
        languages: &["java", "kotlin"],
        how: How::Builds(Builder {
            target: target::of_stem,
            apart: Apart::Nothing,
            steps: &[
                &["gradle", "--offline", "--no-daemon", "--quiet", "-p", "{dir}", "installDist"],
                &["/bin/sh", "-c", START_INSTALLED],
            ],
            made: &[],
            env: &[],
            caches: &[Cache { variable: "GRADLE_USER_HOME", usual: ".gradle", shown: &["caches"] }],
            absent: &["No cached version of"],
            fetch: "gradle build",
            install: "https://gradle.org/install",
        }),
    },
    Tool {
        markers: &["package.json"],
        languages: &["javascript", "typescript-node", "typescript-strip", "deno", "bun", "tsx"],
        how: How::StaysInPlace,
    },
    Tool { markers: &[".venv/pyvenv.cfg", "venv/pyvenv.cfg"], languages: &["python3"], how: How::Interprets },
];
