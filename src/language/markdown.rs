//! The table as a page for people: `docs/languages.md`.

use std::fmt::Write as _;

use super::{Language, Languages};

const HEAD: &str = "# Languages

Generated from `src/language/languages.toml`; a test keeps it up to date (`UPDATE_DOCS=1 cargo test --lib language`
rewrites it).

The language of a submission is the one with the most source files, among equals the one of higher priority (this
table's order). Headers do not count. A directory with `Cargo.toml` or `go.mod` at its top is built by that tool,
offline. A `#!` line decides for a file without extension and between rows that share an extension;
one that names another version (`python2`) is no language that is known. Extensions are read in any case of letters
(`GAPS.Py`), except that `.C` is C++ and `.c` is C; a build gives such a file the extension as it is in the table. `--lang`
and `submissions.yaml` name a row by its id or by one of its other names.

## Python

Python programs run with the interpreter that your `python3` is: that of an active virtual environment, of pyenv or conda, or
the system's. Programs see its packages read-only: those of the environment, what `pip install --user` and
`pip install -e` have added, and nothing else of your home. A package that you install, remove or replace makes the next run
judge anew. The report names the version, and the place where that is not the system's.

Submissions to **packages** (ICPC, Kattis, DOMjudge, BAPCtools; archives too) run with PyPy if `pypy3` is installed, because
all these judges do so and time limits are made for that: problemtools `config/languages.yaml`, DOMjudge
`sql/files/defaultdata/py3/run`, BAPCtools `resources/config/languages.yaml`. `language: python3` in `submissions.yaml` and a
first line `#!…python3` mean PyPy there too, as at these judges. Your own word wins: `--lang python3`, `[language] python =
'python3'`, or any table `[language.python3]` in `grader.toml`. Without `pypy3`, a submission that should not be too slow and is
says so.

Validators, graders and generators of packages run with your `python3`. The judges differ: problemtools and BAPCtools run them
with PyPy, DOMjudge with `python3` (`judgedaemon.main.php`). No limit is made for them, and they may need packages that PyPy
lacks.

## Java and Kotlin

By the rules of `icpc` and `kattis` the heap gets all of the memory limit (`-Xmx`), as at problemtools and BAPCtools, which limit
nothing else of the virtual machine. Here it may use 256 MiB beside (`memory_beside`): for itself, for stacks, and for memory
outside of the heap. So the memory in a report may be a little above the limit. Too much on the heap is an `OutOfMemoryError`,
which is RTE; more than both together is MLE. By the rules of `domjudge` the limit is for everything, and the heap gets 128 MiB
less than that (`memory_reserve`).

## Commands and files

Compile commands run in a copy of the submission, with relative paths; run commands get absolute ones.
`{memlim}` is the memory limit in MiB, less what the runtime itself needs (but at least half of the limit); see above for Java.
`{mainfile}` is the entry point, the only file, `main.*`, or the first by name. `{mainclass}` is the class with `main`,
in languages without one the main file without extension. A Java file is renamed to its public class. A step with
`{file}` is run for each source: that a source cannot be read is a compile error also where nothing uses it, as on DOMjudge.
All steps together have the limits of a compiler.

Programs lie read-only outside of the working directory. In `lua`, `perl`, `ruby` and `shell`, which load `./name` from the
working directory, the sources of a program of several lie there as well (`siblings`).

";

const SETTINGS: &str = r#"
## Settings

Every key can be changed in `grader.toml`; what is not mentioned stays. A new row needs `extensions` and `run`.

```toml
[language]
python = "pypy3"                       # `.py` files are run by PyPy everywhere; "python3": by yours, in packages too

[language.cpp]
compile = ["clang++", "-std=c++23", "-O2", "-o", "{binary}", "{files}"]

[language.zig]
extensions = ["zig"]
compile = ["zig", "build-exe", "-O", "ReleaseSafe", "-femit-bin={binary}", "{mainfile}"]
run = ["{binary}"]
version = ["zig", "version"]
install = "https://ziglang.org/download"
```

The keys are described at the head of `src/language/languages.toml`. A row with a `compile` of your own may say with `killed` how its
tools report a child that a signal ended (`killed = ['^zig: error: .*: Killed']`; `[]` if they start no processes). Without it, a
failing build is made twice before it is a compile error.
"#;

/// `docs/languages.md` for these languages.
pub fn markdown(languages: &Languages) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("| id | language | extensions | other names | install | tested |\n|---|---|---|---|---|---|\n");
    for row in languages.iter() {
        let extensions: Vec<String> = row.extensions.iter().map(|extension| format!(".{extension}")).collect();
        let (extensions, aliases) = (code(&extensions), code(&row.aliases));
        let tested = if row.tested { "yes" } else { "no" };
        let (id, name, install) = (&row.id, &row.name, &row.install);
        // Writing to a String cannot fail.
        let _ = writeln!(page, "| `{id}` | {name} | {extensions} | {aliases} | `{install}` | {tested} |");
    }
    page.push_str("\n## Commands\n\n```sh\n");
    for row in languages.iter() {
        commands(&mut page, row);
    }
    page.push_str("```\n");
    page.push_str(SETTINGS);
    page
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
}

fn code(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" ")
}
