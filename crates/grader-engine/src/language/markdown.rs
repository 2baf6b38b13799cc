//! Writes the language table as a page for users: `docs/languages.md`.

use std::fmt::Write as _;

use super::{Language, Languages, PackageManager};

const HEAD: &str = "# Languages

A test generates this page from `crates/grader-package/src/languages.toml` and keeps it up to date (`UPDATE_DOCS=1 cargo test --lib language`
rewrites it).

grader detects the language of a submission in this way:

- The language with the most source files wins; headers do not count. Among equals, the language of higher priority wins (the order
  of the table below).
- If a directory has `Cargo.toml` or `go.mod` at its top, that tool builds it, offline.
- `run`, `watch`, `stress` and `add` build your own programs with the project that they belong to: see [for-solvers.md](for-solvers.md#programs-of-a-project).
- A `#!` line decides for a file without extension, and between languages that share an extension. If the line names another version
  (`python2`), the language is unknown.
- Upper or lower case of extensions does not matter (`GAPS.Py`), except that `.C` is C++ and `.c` is C. A build uses the extension as in
  the table.

`--lang` and `submissions.yaml` name a language by its id or by one of its other names.

## Python

Python programs run with the interpreter behind your `python3`: that of an active virtual environment, of pyenv or conda, or of
the system. Programs see its packages read-only: those of the environment, and those that `pip install --user` and `pip install -e`
added. They see nothing else of your home. If you install, remove or replace a package, the next run judges again. The report
names the version, and also the place if it is not the system's.

Submissions to **packages** (ICPC, Kattis, DOMjudge, BAPCtools; also archives) run with PyPy if `pypy3` is installed. All these
judges use PyPy, and the time limits are made for it: problemtools `config/languages.yaml`, DOMjudge
`sql/files/defaultdata/py3/run`, BAPCtools `resources/config/languages.yaml`. As at these judges, `language: python3` in
`submissions.yaml` and a first line `#!…python3` also mean PyPy there. To use your `python3` instead, write `--lang python3`,
`[language] python = 'python3'`, or any table `[language.python3]` in `grader.toml`. Without `pypy3`, the report of a submission that is
too slow, although it should not be, says so.

Validators, graders and generators of packages run with your `python3`. The judges differ here: problemtools and BAPCtools run them
with PyPy, DOMjudge with `python3` (`judgedaemon.main.php`). No time limit is made for them, and they may need packages that PyPy
lacks.

## Java and Kotlin

By the rules of `icpc` and `kattis`, the heap gets the whole memory limit (`-Xmx`), as with problemtools and BAPCtools. Those two limit
nothing else of the virtual machine. grader allows 256 MiB in addition (`memory_beside`): for the virtual machine itself, for stacks,
and for memory outside the heap. The memory in a report may therefore be a little above the limit. Too much memory on the heap is an
`OutOfMemoryError`, which is RTE. More than both together is MLE. By the rules of `domjudge`, the limit is for the whole program, and
the heap gets 128 MiB less (`memory_reserve`).

## Prepared compilers

For C++ and for Java and Kotlin, grader does once what the compiler would repeat for each program, and keeps it in `.grader/`:

- the precompiled header of `<bits/stdc++.h>` for GCC (120 MB): a small program compiles in 0.3 instead of 1.1 s;
- the archive of the compiler's classes for `javac` (11 MB) and `kotlinc` (52 MB): 0.28 instead of 0.42 s, 1.3 instead of 1.7 s.

It is made when many programs are still to be compiled, or after eight programs in all runs together. It is removed like other builds
(`grader cache`), and made again if the compiler or its headers change. A program uses the header only if it is the first thing in
every source that names it; only then GCC makes the same program. What does not compile is compiled again without, so the
compiler's words are always its own. No contestant's program takes part. `precompiled = \"\"` and `class_archive = []` in
`[language.cpp]`, `[language.java]` and `[language.kotlin]` turn it off; `--no-cache` does without.

## Sanitizers

`--sanitize` of `grader run` and `grader verify` [builds programs with sanitizers](everyday.md#sanitizers): grader adds the words of `sanitize`
to the end of each compile step and leaves out `-static`, with which no sanitizer works. C and C++ have such words, for GCC and for
clang. The programs run with an exit code for reports in `ASAN_OPTIONS` and `UBSAN_OPTIONS`. `sanitize = []` turns it off for a
language. The sanitizers of Rust need a nightly compiler, and Go's race detector finds errors of another kind; neither is built in.

## Coverage

`grader verify --coverage` [lists lines that no case executes](verify.md#lines-that-no-case-executes). `coverage` names what reads the
data that a program leaves, and how it is built: `[\"gcov\", \"--coverage\", \"-O0\"]` adds two words to the end of each compile step. The first
word is `gcov`, `llvm-cov` or `trace` (Python, where the words follow the interpreter). `coverage = []` turns it off.

## Commands and files

Compile commands run in a copy of the submission, with relative paths. Run commands get absolute paths. All compile steps together have
the limits of a compiler.

| in a command | means |
|---|---|
| `{memlim}` | the memory limit in MiB, minus the memory that the runtime itself needs, but at least half of the limit; see above for Java |
| `{mainfile}` | the entry point, the only file, `main.*`, the file with a main that no other file loads, or the first file by name |
| `{mainclass}` | the class with `main`, see below; in languages without such a class the main file without extension |
| `{file}` | each source: grader runs the step once per source |

A source with syntax errors is a compile error even if nothing uses it, as on DOMjudge.

If several classes have a `main`, grader starts the public one, or else the one with the name of its file, or else `Main`. If that
does not decide, it starts the first by name, and reports of submissions that are not accepted say so.

grader renames a Java file to its public class. A source whose name means something to the tools (`sum_test.go`, `-a.go`), or is not
UTF-8, is built under another name. So is the only source of a program if its name is longer than 200 bytes or has unusual
characters. `special_names` lists the patterns of a language. With `ordered`, `{files}` are in the order in which they use each other.

Programs are read-only and outside the working directory. `lua`, `perl`, `ruby` and `shell` load `./name` from the working
directory. In these languages, the sources of a program with several files are there too (`siblings`).

";

const SETTINGS: &str = r#"
## Settings

You can change every key in `grader.toml`; the other keys stay. A new language needs `extensions` and `run`.

```toml
[language]
python = "pypy3"                       # PyPy runs `.py` files everywhere; "python3": your python3 does, also in packages

[language.cpp]
compile = ["clang++", "-std=c++23", "-O2", "-o", "{binary}", "{files}"]

[language.zig]
extensions = ["zig"]
compile = ["zig", "build-exe", "-O", "ReleaseSafe", "-femit-bin={binary}", "{mainfile}"]
run = ["{binary}"]
version = ["zig", "version"]
install = "https://ziglang.org/download"
```

The head of `crates/grader-package/src/languages.toml` describes the keys. If you set your own `compile`, you can also set `killed`: patterns of the
messages with which its tools report a child that a signal ended. An example is `killed = ['^zig: error: .*: Killed']`; use `[]` if
they start no processes. Without `killed`, grader repeats a failing build once before it reports a compile error.
"#;

/// Returns the text of `docs/languages.md` for these languages.
pub fn markdown(languages: &Languages) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("| id | language | extensions | other names | tested |\n|---|---|---|---|---|\n");
    for row in languages.iter() {
        let extensions: Vec<String> = row.extensions.iter().map(|extension| format!(".{extension}")).collect();
        let extensions = code(&extensions);
        let aliases = code(&row.aliases);
        let tested = if row.tested { "yes" } else { "no" };
        let id = &row.id;
        let name = &row.name;
        // Writing to a String cannot fail.
        let _ = writeln!(page, "| `{id}` | {name} | {extensions} | {aliases} | {tested} |");
    }
    installation(&mut page, languages);
    page.push_str("\n## Commands\n\n```sh\n");
    for row in languages.iter() {
        commands(&mut page, row);
    }
    page.push_str("```\n");
    page.push_str(SETTINGS);
    page
}

/// Writes the packages of each language on each system.
fn installation(page: &mut String, languages: &Languages) {
    let systems = PackageManager::ALL.map(|it| format!("{} (`{}`)", it.distribution(), it.name()));
    page.push_str(
        "\n## Installing\n\n`grader doctor` lists the languages that it finds, and how to install the others.\n\n",
    );
    let _ = writeln!(page, "| id | {} | elsewhere |\n|---|---|---|---|---|---|", systems.join(" | "));
    for row in languages.iter() {
        let packages = PackageManager::ALL
            .map(|manager| code(&row.install.packages(manager).split_whitespace().collect::<Vec<_>>()));
        let _ = writeln!(page, "| `{}` | {} | {} |", row.id, packages.join(" | "), row.install.other());
    }
}

fn commands(page: &mut String, row: &Language) {
    let env: Vec<String> = row.env.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect();
    let mut write = |title: String, steps: &[Vec<String>], run: &[String]| {
        page.push_str(&title);
        page.push_str(&env.concat());
        for command in steps.iter().map(Vec::as_slice).chain([run]) {
            page.push_str(&command.join(" "));
            page.push('\n');
        }
    };
    write(format!("# {}\n", row.id), &row.compile, &row.run);
    if !row.without_main.is_empty() {
        write(format!("# {} before the run, where no class with `main` is seen\n", row.id), &[], &row.without_main);
    }
    if let Some(project) = &row.project {
        write(format!("# {} with {}\n", row.id, project.marker), &project.compile, &project.run);
    }
    if let Some(tests) = &row.tests {
        write(format!("# {} with unit tests\n", row.id), &tests.compile, &tests.run);
    }
}

fn code<T: std::fmt::Display>(words: &[T]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" ")
}
