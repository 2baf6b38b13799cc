//! Tests of the table, the detection, and the commands of every language.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{BuildInput, Commands, Detection, LanguageError, Languages, PackageManager, TableMistake, markdown};
use crate::limits::Bytes;

/// A submission: names and texts, in any order.
type Files<'a> = &'a [(&'a str, &'a str)];

fn paths(files: Files) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = files.iter().map(|(name, _)| PathBuf::from(name)).collect();
    paths.sort();
    paths
}

fn text(files: Files, path: &Path) -> Option<String> {
    files.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| (*text).to_owned())
}

fn build_in(
    languages: &Languages,
    dir: &Path,
    id: &str,
    files: Files,
    entry_point: Option<&str>,
) -> Result<Commands, LanguageError> {
    let language = languages.get(id).expect(id);
    let read = |path: &Path| text(files, path);
    let memory = Bytes::mib(1024);
    language.commands(&BuildInput {
        dir,
        files: &paths(files),
        included: &[],
        memory,
        heap_alone: false,
        read: &read,
        entry_point,
    })
}

fn build(languages: &Languages, id: &str, files: Files, entry_point: Option<&str>) -> Result<Commands, LanguageError> {
    build_in(languages, Path::new("/box"), id, files, entry_point)
}

fn builtin(id: &str, files: Files) -> Commands {
    build(&Languages::builtin(), id, files, None).unwrap()
}

fn overrides(text: &str) -> Result<Languages, Vec<TableMistake>> {
    Languages::builtin().with_overrides(&text.parse().unwrap())
}

fn refused(text: &str) -> String {
    overrides(text).unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn show(commands: &Commands) -> String {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(commands.rename.iter().map(|(from, to)| format!("mv {} {}", from.display(), to.display())));
    lines.extend(commands.compile.iter().map(|step| step.join(" ")));
    lines.push(format!("run: {}", commands.run.join(" ")));
    lines.extend(commands.binary.iter().map(|path| format!("makes: {}", path.display())));
    lines.extend(commands.env.iter().map(|(name, value)| format!("{name}={value}")));
    lines.join("\n")
}

mod table {
    use super::*;

    #[test]
    fn prolog_is_not_perl() {
        let languages = Languages::builtin();
        let is_perl = |line: &str| {
            let found = languages.detect(&["a.pl".into()], &|_| Some(line.to_owned()));
            matches!(found, Detection::One(language) if language.id == "perl")
        };
        for line in ["% Reads tokens.", ":- module(a, []).", "[kattio].", "/* Prolog */"] {
            assert!(!is_perl(line), "{line}");
        }
        for line in ["#!/usr/bin/perl", "use strict;", "# 100 % Perl", "print <>;", ""] {
            assert!(is_perl(line), "{line}");
        }
    }

    #[test]
    fn another_version_of_an_interpreter_is_another_language() {
        let languages = Languages::builtin();
        let detect = |line: &str| match languages.detect(&["a.py".into()], &|_| Some(line.to_owned())) {
            Detection::One(language) => language.id.clone(),
            Detection::None(_) => "none".to_owned(),
        };
        for (line, expect) in [
            ("#!/usr/bin/env python2", "none"),
            ("#!/usr/bin/python2.7", "none"),
            ("#!/usr/bin/python3.11", "python3"),
            ("#!/usr/bin/env python", "python3"),
            ("#!/usr/bin/pypy3", "pypy3"),
            ("#!/opt/snake", "python3"),
            ("print(1)", "python3"),
        ] {
            assert_eq!(detect(line), expect, "{line}");
        }
    }

    #[test]
    fn every_row_is_complete() {
        for row in Languages::builtin().iter() {
            let id = &row.id;
            assert!(!row.extensions.is_empty() && !row.run.is_empty() && !row.version.is_empty(), "{id}");
            assert!(row.name != *id && row.priority > 0, "{id}");
            assert!(!row.compile.is_empty(), "{id}: even an interpreter checks the syntax");
        }
    }

    #[test]
    fn no_two_rows_answer_to_one_word_or_share_an_extension_at_one_priority() {
        let languages = Languages::builtin();
        let mut words = BTreeSet::new();
        let mut extensions = BTreeSet::new();
        for row in languages.iter() {
            assert!(row.words().all(|word| words.insert(word.to_owned())), "{}", row.id);
            assert!(row.extensions.iter().all(|e| extensions.insert((e.clone(), row.priority))), "{}", row.id);
        }
    }

    #[test]
    fn a_dialect_is_its_language_with_more_words_and_taken_only_by_name() {
        let table = "[cpp]\nlibrary = '-isystem'\n[cpp.dialects]\nCpp98 = ['-std=gnu++98']\n";
        let languages = Languages::builtin().with_overrides(&table.parse().unwrap()).unwrap();
        let row = languages.get("cpp98").unwrap();
        assert_eq!((row.reported_id(), &*row.library), ("cpp", "-isystem"));
        assert_eq!(row.compile[0].last().unwrap(), "-std=gnu++98");
        assert!(languages.get("cpp17").is_none() && Languages::builtin().get("delphi").is_some());
        let Detection::One(plain) = languages.detect(&["a.cpp".into()], &|_| None) else { panic!("no language") };
        assert_eq!(plain.id, "cpp");
    }

    #[test]
    fn nothing_compiled_depends_on_this_machine_s_processor() {
        for row in Languages::builtin().iter() {
            assert!(!row.compile.iter().flatten().any(|word| word.contains("native")), "{}", row.id);
        }
    }

    #[test]
    fn the_page_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/languages.md");
        let page = markdown(&Languages::builtin());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let known = std::fs::read_to_string(path).unwrap_or_default();
        assert!(page == known, "docs/languages.md is not what the table says; UPDATE_DOCS=1 rewrites it");
    }

    #[test]
    fn the_page_s_example_of_settings_is_understood() {
        let page = markdown(&Languages::builtin());
        let example = page.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        let settings: toml::Table = example.parse().unwrap();
        let table = settings["language"].as_table().unwrap();
        let languages = Languages::builtin().with_overrides(table).unwrap();
        assert_eq!(languages.get("cpp").unwrap().tools(), ["clang++"]);
        assert!(languages.get("zig").is_some());
    }

    #[test]
    fn ids_and_other_names_find_a_row() {
        let languages = Languages::builtin();
        for (word, id) in [("cpp", "cpp"), ("C++", "cpp"), ("python", "python3"), ("py", "python3"), ("pypy", "pypy3")]
        {
            assert_eq!(languages.get(word).map(|row| row.id.as_str()), Some(id), "{word}");
        }
        assert_eq!(languages.get("cobol"), None);
        assert_eq!(languages.suggest("pyton"), Some("python"));
        assert_eq!(languages.suggest("cobol"), None);
    }

    #[test]
    fn tools_are_first_words_once() {
        let languages = Languages::builtin();
        let tools = |id: &str| languages.get(id).unwrap().tools();
        assert_eq!(tools("cpp"), ["g++"]);
        assert_eq!(tools("python3"), ["python3"]);
        assert_eq!(tools("kotlin"), ["kotlinc", "java"]);
        let java = languages.get("java").unwrap();
        assert_eq!(java.not_found("javac", Some(PackageManager::Apt)), "no javac: apt install default-jdk-headless");
    }
}

mod settings {
    use super::*;

    #[test]
    fn a_key_changes_and_the_others_stay() {
        let languages = overrides("[python3]\nrun = ['pypy3', '{mainfile}']").unwrap();
        let commands = build(&languages, "py", &[("a.py", "")], None).unwrap();
        assert_eq!(commands.run, ["pypy3", "/box/a.py"]);
        let [compile] = &commands.compile[..] else { panic!("one command") };
        assert_eq!((&*compile[0], compile.last().map(String::as_str)), ("python3", Some("a.py")));
    }

    #[test]
    fn an_alias_names_the_row_and_env_is_merged() {
        let languages = overrides("[golang.env]\nGOCACHE = '/var/cache/go'").unwrap();
        let go = languages.get("go").unwrap();
        assert_eq!(go.env["GOCACHE"], "/var/cache/go");
        assert_eq!(go.env["CGO_ENABLED"], "0");
    }

    #[test]
    fn steps_are_one_command_or_several_or_none() {
        let steps = |text: &str| overrides(text).unwrap().get("c").unwrap().compile.clone();
        assert_eq!(steps("[c]\ncompile = ['tcc', '{files}']"), [["tcc", "{files}"]]);
        assert_eq!(steps("[c]\ncompile = [['a'], ['b']]"), [["a"], ["b"]]);
        assert!(steps("[c]\ncompile = []").is_empty());
    }

    #[test]
    fn packages_take_pypy_unless_something_is_said_about_python() {
        let taken = |text: &str| {
            let languages = overrides(text).unwrap();
            let found = languages.in_packages(languages.get("python3").unwrap()).map(|row| row.id.clone());
            found.unwrap_or_else(|| "python3".to_owned())
        };
        assert_eq!(taken(""), "pypy3");
        assert_eq!(taken("pypy3.install = 'x'"), "pypy3");
        assert_eq!(taken("python3.in_packages = 'pypy3'\npython3.install = 'x'"), "pypy3");
        assert_eq!(taken("py = 'python3'"), "python3");
        assert_eq!(taken("python.run = ['python3', '-O', '{mainfile}']"), "python3");
        let mistakes = overrides("python3.in_packages = 'pypy'").unwrap_err();
        assert_eq!(
            mistakes[0].to_string(),
            "[language.python3]: `in_packages`: no language `pypy`; did you mean `pypy3`?"
        );
    }

    #[test]
    fn python_can_mean_pypy() {
        let languages = overrides("python = 'pypy3'").unwrap();
        let files = paths(&[("a.py", "")]);
        let Detection::One(found) = languages.detect(&files, &|_| None) else { panic!("nothing found") };
        assert_eq!(found.id, "pypy3");
        assert_eq!(languages.get("python").unwrap().id, "pypy3");
        assert_eq!(languages.get("python3").unwrap().id, "python3", "an id means exactly that row");
    }

    #[test]
    fn a_row_of_one_s_own() {
        let text = "[zig]\nextensions = ['.zig']\ncompile = ['zig', 'build-exe', '-femit-bin={binary}', '{mainfile}']\n\
                    run = ['{binary}']\nprocesses = 3";
        let languages = overrides(&text.replace("[zig]", "[Zig]")).unwrap();
        let commands = build(&languages, "ZIG", &[("a.zig", "")], None).unwrap();
        assert_eq!(commands.compile, [["zig", "build-exe", "-femit-bin=program", "a.zig"]]);
        assert_eq!(commands.binary, Some(PathBuf::from("/box/program")));
        let zig = languages.get("zig").unwrap();
        assert_eq!((zig.processes, zig.priority), (Some(3), 0));
    }

    #[test]
    fn mistakes_are_named_with_a_remedy() {
        let check = |text: &str, message: &str| assert_eq!(refused(text), message, "{text}");
        check("[cpp]\ncompil = ['a']", "[language.cpp]: unknown key `compil`; did you mean `compile`?");
        check(
            "[pyhton3]\nrun = ['pypy3']",
            "[language.pyhton3]: no such language, and a new one needs `extensions` and `run`; did you mean \
             `python3`?",
        );
        check(
            "[c]\ncompile = ['gcc', '{filess}']",
            "[language.c]: `compile`: unknown variable `{filess}`; did you mean `{files}`?; known are {path} \
             {files} {own} {added} {file} {binary} {mainfile} {mainclass} {Mainclass} {memlim} {crate}, and `{{` for a brace",
        );
        check("[c]\nrun = './a.out'", "[language.c]: `run` must be a list of words, such as [\"g++\", \"{files}\"]");
        check("[c]\nrun = []", "[language.c]: `run`: a command needs at least one word");
        check("python = 'pipy'", "[language] python = \"pipy\": no language `pipy`; did you mean `pypy`?");
        check("c = 3", "[language.c]: must be a table, or the name of a language to use instead");
        check(
            "[c]\nrun = []\nnam = 'C'\n[cpp]\nproject = { marker = 1 }",
            "[language.c]: unknown key `nam`; did you mean `name`?\n[language.c]: `run`: a command needs at least one \
             word\n[language.cpp]: `project.marker` must be a text",
        );
    }

    #[test]
    fn braces_are_variables_or_doubled() {
        let run = |word: &str| overrides(&format!("[c]\nrun = ['sh', '{word}']"));
        let filled = |word: &str| build(&run(word).unwrap(), "c", &[("a.c", "")], None).unwrap().run[1].clone();
        assert_eq!(filled("{{x}} ${{HOME}} {memlim}"), "{x} ${HOME} 1024");
        for bad in ["{x", "x}", "{}", "a{files}", "{crate}", "{file}", "{ path }"] {
            assert!(run(bad).is_err(), "{bad}");
        }
    }
}

mod detection {
    use super::*;

    fn check(files: Files, expect: &str) {
        let languages = Languages::builtin();
        let beginning = |path: &Path| text(files, path);
        let found = match languages.detect(&paths(files), &beginning) {
            Detection::One(language) => language.id.clone(),
            Detection::None(why) => why.to_string(),
        };
        assert_eq!(found, expect, "{files:?}");
    }

    #[test]
    fn the_most_files_win_and_priority_breaks_ties() {
        check(&[("a.cpp", "")], "cpp");
        check(&[("a.C", "")], "cpp");
        check(&[("a.c", "")], "c");
        check(&[("a.c", ""), ("b.cc", "")], "cpp");
        check(&[("a.c", ""), ("b.c", ""), ("c.cc", "")], "c");
        check(&[("a.py", ""), ("b.java", ""), ("c.java", "")], "java");
        check(&[("sub/a.rs", ""), ("README.md", "")], "rust");
    }

    #[test]
    fn headers_and_strangers_do_not_count() {
        check(&[("a.h", ""), ("b.h", ""), ("c.h", ""), ("a.py", "")], "python3");
        check(&[("a.h", ""), ("b.hpp", "")], "no known language has .h, .hpp");
        check(&[("a.txt", "#!/usr/bin/python3"), ("Makefile", "")], "no known language has .txt");
        check(&[], "there is no source file");
        check(&[(".py", "")], "there is no source file");
    }

    #[test]
    fn first_lines_decide_where_extensions_do_not() {
        check(&[("a.py", "import sys")], "python3");
        check(&[("a.py", "#!/usr/bin/env pypy3\n")], "pypy3");
        check(&[("a.py", "#!/usr/bin/env -S pypy3 -O")], "pypy3");
        check(&[("a.py", "#!/usr/bin/python3.11")], "python3");
        check(&[("a.py", "#!/bin/sh")], "python3");
        check(&[("a.py", "#!/usr/bin/env pypy3"), ("b.py", "")], "pypy3");
        check(&[("solve", "#!/bin/bash -e")], "shell");
        check(&[("solve", "#! /usr/bin/env node")], "javascript");
        check(&[("solve", "#!")], "there is no source file");
        check(&[("a.cpp", "#!/usr/bin/python3")], "cpp");
    }

    #[test]
    fn what_the_first_line_asks_for_is_told_where_that_is_why() {
        let python2 = "the first line of a.py names `python2`, which is not a known language";
        check(&[("a.py", "#!/usr/bin/env python2")], python2);
        check(&[("README.md", ""), ("a.py", "#!/usr/bin/env python2")], python2);
        check(&[("solve", "#!/opt/awk -f")], "the first line of solve names `awk`, which is not a known language");
        for prolog in
            [":- module(a, []).", "% x\n", "main :-\n    read(X).\n", "a(1).\nmain :- a(X).\n", "a(1).\n?- a(1).\n"]
        {
            check(&[("a.pl", prolog)], "the beginning of a.pl does not look like Perl");
        }
        for perl in ["my %h;\n%h = (1, 2);\n", "print $x ? 1\n  :-1;\n", "# x :- y\nprint 1;\n", ""] {
            check(&[("a.pl", perl)], "perl");
        }
        check(&[("a.txt", "#!/usr/bin/awk"), ("b.awk", "#!/usr/bin/awk")], "no known language has .awk, .txt");
    }

    #[test]
    fn a_build_file_wins_with_a_source_beside_it() {
        check(&[("Cargo.toml", ""), ("src/main.rs", ""), ("a.py", ""), ("b.py", "")], "rust");
        check(&[("Cargo.toml", ""), ("a.py", "")], "python3");
        check(&[("sub/Cargo.toml", ""), ("a.rs", ""), ("a.py", ""), ("b.py", "")], "python3");
    }
}

mod commands {
    use super::*;

    #[test]
    fn of_every_language() {
        let mut all = BTreeMap::new();
        for row in Languages::builtin().iter() {
            let a = format!("aid.{}", row.extensions[0]);
            let b = format!("Main.{}", row.extensions[0]);
            all.insert(row.id.clone(), show(&builtin(&row.id, &[(&a, ""), ("notes.txt", ""), (&b, "")])));
        }
        let text: Vec<String> = all.into_iter().map(|(id, commands)| format!("# {id}\n{commands}\n")).collect();
        insta::assert_snapshot!(text.join("\n"));
    }

    #[test]
    fn a_step_may_be_run_for_each_source() {
        let text = "[c]\ncompile = [['lint', '--of={file}'], ['cc', '{files}']]";
        let commands =
            build(&overrides(text).unwrap(), "c", &[("b.c", ""), ("-a.c", ""), ("main.c", "")], None).unwrap();
        let lint = |file: &str| vec!["lint".to_owned(), format!("--of={file}")];
        assert_eq!(commands.compile[..3], [lint("./-a.c"), lint("b.c"), lint("main.c")]);
        assert_eq!(commands.compile.len(), 4);
    }

    #[test]
    fn a_class_without_main_is_looked_at_once_more() {
        let steps = |text: &str, entry: Option<&str>| {
            build(&Languages::builtin(), "java", &[("Main.java", text)], entry).unwrap().compile.len()
        };
        assert_eq!(steps("class Main { public static void main(String[] a) {} }", None), 1);
        assert_eq!(steps("class Main { void main() {} }", None), 1);
        assert_eq!(steps("void main() {}", None), 1);
        assert_eq!(steps("class Main extends Other {}", None), 2);
        assert_eq!(steps("class Main { int main() { return 0; } }", Some("Main.java")), 2);
        assert_eq!(steps("class Main {}", Some("Main")), 1, "whoever names a class means it");
    }

    #[test]
    fn of_packages() {
        let manifest = "[package]\nname = 'solver'\n";
        let cargo = builtin("rust", &[("Cargo.toml", manifest), ("src/main.rs", "")]);
        insta::assert_snapshot!(show(&cargo), @"
        cargo build --quiet --release --offline --target-dir ./target --bin solver
        run: /box/target/release/solver
        makes: /box/target/release/solver
        ");
        assert_eq!(cargo.tools(), ["cargo"]);
        let go = builtin("go", &[("go.mod", "module x"), ("x.go", "")]);
        assert_eq!(go.compile[0].last().unwrap(), ".");
    }

    #[test]
    fn cargo_s_programs_are_found() {
        let check = |manifest: &str, files: &[&str], expect: Result<&str, &str>| {
            let files: Vec<(&str, &str)> =
                files.iter().map(|name| (*name, "")).chain([("Cargo.toml", manifest)]).collect();
            let found = build(&Languages::builtin(), "rust", &files, None).map(|commands| commands.run[0].clone());
            let expect = expect.map(|name| format!("/box/target/release/{name}"));
            assert_eq!(found.map_err(|e| e.to_string()), expect.map_err(str::to_owned), "{manifest}");
        };
        let package = "[package]\nname = 'p-q'\n";
        check(package, &["src/main.rs"], Ok("p-q"));
        check(package, &["src/bin/tool.rs", "src/lib.rs"], Ok("tool"));
        check(&format!("{package}default-run = 'b'"), &["src/main.rs", "src/bin/b.rs"], Ok("b"));
        check(&format!("{package}[[bin]]\nname = 'x'\npath = 'x.rs'"), &["x.rs"], Ok("x"));
        check(&format!("{package}[[bin]]\nname = 'x'\npath = 'src/main.rs'"), &["src/main.rs"], Ok("x"));
        check(
            "[package]\nname = '../../bin/sh'",
            &["src/main.rs"],
            Err("Cargo.toml: `../../bin/sh` is not a valid name for a program"),
        );
        check("[package]\nname = ''", &["src/main.rs"], Err("Cargo.toml: `` is not a valid name for a program"));
        check("[workspace]", &["a.rs"], Err("Cargo.toml: has no [package]; move the package to the top directory"));
        assert!(build(&Languages::builtin(), "rust", &[("Cargo.toml", "="), ("a.rs", "")], None).is_err());
    }

    #[test]
    fn the_main_file_is_last() {
        let main = |id: &str, files: &[&str]| {
            let files: Vec<(&str, &str)> = files.iter().map(|name| (*name, "")).collect();
            builtin(id, &files).run.last().unwrap().clone()
        };
        assert_eq!(main("py", &["b.py", "c.py"]), "/box/b.py");
        assert_eq!(main("py", &["b.py", "mAiN.py"]), "/box/mAiN.py");
        assert_eq!(main("py", &["__init__.py", "__main__.py", "a.py"]), "/box/__main__.py");
        assert_eq!(main("py", &["a/x.py", "a/main.py"]), "/box/a/main.py");
        assert_eq!(main("py", &["a/main.py", "main.py"]), "/box/main.py");
        let ocaml = builtin("ocaml", &[("main.ml", ""), ("zoo.ml", "")]);
        assert!(ocaml.compile[0].ends_with(&["zoo.ml".to_owned(), "main.ml".to_owned()]), "{ocaml:?}");
    }

    #[test]
    fn an_entry_point_is_obeyed_or_refused() {
        let build = |id: &str, files: Files, entry: &str| {
            let commands = build(&Languages::builtin(), id, files, Some(entry));
            commands.map(|commands| commands.run.last().unwrap().clone()).map_err(|e| e.to_string())
        };
        let python: Files = &[("a.py", ""), ("b.py", "")];
        assert_eq!(build("py", python, "b.py"), Ok("/box/b.py".to_owned()));
        assert_eq!(
            build("py", python, "c.py"),
            Err("entry point `c.py`: no such Python 3 file; there are b.py, a.py".into())
        );
        let java: Files = &[("A.java", "class A { static void main() {} }"), ("B.java", "class B {}")];
        assert_eq!(build("java", java, "x.B"), Ok("x.B".to_owned()));
        assert_eq!(build("java", java, "B.java"), Ok("B".to_owned()));
        assert!(build("java", java, "-version").is_err());
    }

    #[test]
    fn hostile_names_are_no_options() {
        let files: Files = &[("-o.c", ""), ("@list.c", ""), ("a b.c", "")];
        assert_eq!(builtin("c", files).compile[0][9..12], ["./@list.c", "a b.c", "./-o.c"]);
        assert_eq!(builtin("c", &[("program", ""), ("program_.c", "")]).run, ["/box/program__"]);
    }

    #[test]
    fn names_that_mean_something_are_replaced() {
        let to = |id: &str, file: &str| {
            let commands = builtin(id, &[(file, "")]);
            commands.rename.first().map(|(_, to)| to.display().to_string())
        };
        for (file, expect) in
            [("sum_test.go", "sum_test_.go"), ("-a.go", "x_a_.go"), ("@a.go", "x_a_.go"), ("p/[a].go", "p/x_a__.go")]
        {
            assert_eq!(to("go", file).as_deref(), Some(expect));
        }
        for (id, file) in [("go", "word_count.go"), ("cpp", "a b-1.cpp"), ("py", "sümme.py"), ("kotlin", "Foo-bar.kt")]
        {
            assert_eq!(to(id, file), None);
        }
        let long = format!("{}.py", "é".repeat(120));
        assert_eq!(to("py", &long), Some(format!("{}_.py", "é".repeat(40))));
        assert_eq!(to("pas", "a\nb.pas").as_deref(), Some("a_b_.pas"));
        assert_eq!(to("py", &"x".repeat(254)), Some(format!("{}_.py", "x".repeat(40))));
        let two = builtin("go", &[("a_test.go", ""), ("a_test_.go", "")]);
        assert!(two.compile[0].contains(&"a_test__.go".to_owned()), "{two:?}");
    }

    #[test]
    fn texts_tell_the_main_file_where_names_do_not() {
        let main = |id: &str, files: Files| builtin(id, files).compile[0].last().unwrap().clone();
        assert_eq!(main("pascal", &[("aid.pas", "unit Aid;"), ("sum.pas", "program p; uses aid;")]), "sum.pas");
        assert_eq!(main("haskell", &[("Aid.hs", "module Aid where"), ("Sum.hs", "import Aid\nmain = x")]), "Sum.hs");
        assert_eq!(main("rust", &[("aid.rs", "pub fn f() {}"), ("sum.rs", "mod aid;\nfn main() {}")]), "sum.rs");
        let ocaml = builtin("ocaml", &[("a.ml", "let f = B.g"), ("b.ml", "let g = 3"), ("c.ml", "let () = A.f")]);
        assert!(ocaml.compile[0].ends_with(&["b.ml", "a.ml", "c.ml"].map(str::to_owned)), "{ocaml:?}");
        let python: Files = &[("aid.py", "def f(): pass"), ("sum.py", "from aid import f\nprint(f())")];
        assert_eq!(builtin("py", python).run.last().unwrap(), "/box/sum.py");
    }

    #[test]
    #[cfg(unix)]
    fn names_that_are_not_text_are_replaced() {
        use std::os::unix::ffi::OsStringExt;
        let file = PathBuf::from(std::ffi::OsString::from_vec(b"\xff.c".to_vec()));
        let languages = Languages::builtin();
        let read = |_: &Path| None;
        let dir = Path::new("/box");
        let input = BuildInput {
            dir,
            files: &[file],
            included: &[],
            memory: Bytes::mib(64),
            heap_alone: false,
            read: &read,
            entry_point: None,
        };
        let commands = languages.get("c").unwrap().commands(&input).unwrap();
        assert_eq!(commands.rename[0].1, PathBuf::from("x__.c"));
    }

    #[test]
    fn a_language_named_by_hand_takes_the_only_file() {
        let commands = builtin("py", &[("solve", "")]);
        assert_eq!(commands.rename, [(PathBuf::from("solve"), PathBuf::from("solve.py"))]);
        assert_eq!(commands.run, ["python3", "/box/solve.py"]);
        let java = builtin("java", &[("solve.txt", "public class Main {}")]);
        assert_eq!(java.rename, [(PathBuf::from("solve.txt"), PathBuf::from("Main.java"))]);
        let error = build(&Languages::builtin(), "py", &[("a.c", ""), ("b.c", "")], None).unwrap_err();
        assert_eq!(error.to_string(), "no Python 3 file (.py, .py3) among a.c, b.c");
    }

    #[test]
    fn runtimes_keep_their_share_of_the_memory() {
        let check = |id: &str, mib: u64, expect: &str| {
            let languages = Languages::builtin();
            let read = |_: &Path| None;
            let files = [PathBuf::from("a.java"), PathBuf::from("a.js")];
            let dir = Path::new("/box");
            let memory = Bytes::mib(mib);
            let input = BuildInput {
                dir,
                files: &files,
                included: &[],
                memory,
                heap_alone: false,
                read: &read,
                entry_point: None,
            };
            let run = languages.get(id).unwrap().commands(&input).unwrap().run;
            assert!(run.contains(&expect.to_owned()), "{id} {mib}: {run:?}");
        };
        check("java", 1024, "-Xmx896m");
        check("java", 200, "-Xmx100m");
        check("java", 64, "-Xms32m");
        check("js", 1024, "--max-old-space-size=960");
        check("js", 0, "--max-old-space-size=1");
    }
}

mod classes {
    use super::*;

    fn check(id: &str, files: Files, expect: &str) {
        let commands = builtin(id, files);
        assert_eq!(commands.run.last().unwrap(), expect, "{files:?}");
    }

    #[test]
    fn java_main_classes() {
        let main = "static void main(String[] a) {}";
        let one = |text: &str, expect: &str| check("java", &[("Solution.java", text)], expect);
        one(&format!("public class Main {{ public {main} }}"), "Main");
        one(&format!("class Helper {{ }} class Start {{ {main} }}"), "Start");
        one(&format!("package a.b;\n/* class X {{ {main} }} */ class Start {{ {main} }}"), "a.b.Start");
        one(&format!("class X {{ String s = \"}} class Y {{ {main} }}\"; }} enum E {{ A; {main} }}"), "E");
        one(&format!("class X {{ char c = '\"'; {main} }}"), "X");
        one(&format!("class X {{ String s = \"\"\"\n \" }} \\\"\"\" {{ \"\"\"; {main} }}"), "X");
        one(&format!("class A {{ class B {{ {main} }} void main() {{}} }} class C {{ {main} }}"), "C");
        one(&format!("class Z {{ {main} }} class Main {{ {main} }}"), "Main");
        one("void main() { }", "Solution");
        one("class A { void main() {} }", "A");
        one("class A extends Base { }", "A");
        one("", "Solution");
        one("class", "Solution");
        one(&format!("@Ann(X.class) record R(int a) {{ {main} }}"), "R");
        one(&format!("class Alpha {{ {main} }} public class Zoo {{ {main} }}"), "Zoo");
        one(&format!("class Alpha {{ {main} }} class Main {{ {main} }} class Solution {{ {main} }}"), "Solution");
        let choice = |text: &str| builtin("java", &[("x.java", text)]).class_choice;
        let several = choice(&format!("class A {{ {main} }} class B {{ {main} }}"));
        assert_eq!(several.unwrap(), "several classes have a `main`: grader starts A and not B");
        assert_eq!(choice(&format!("class A {{ {main} }} class X {{ {main} }}")), None);
        let two: Files = &[("A.java", "public class A { }"), ("B.java", "class B { static void main() {} }")];
        check("java", two, "B");
    }

    #[test]
    fn java_files_are_named_after_their_public_type() {
        let renames = |files: Files| builtin("java", files).rename;
        let to = |from: &str, to: &str| vec![(PathBuf::from(from), PathBuf::from(to))];
        assert_eq!(renames(&[("x.java", "public final class Main {}")]), to("x.java", "Main.java"));
        assert_eq!(renames(&[("p/x.java", "package p; public interface I {}")]), to("p/x.java", "p/I.java"));
        assert_eq!(renames(&[("Main.java", "public class Main {}")]), []);
        assert_eq!(renames(&[("x.java", "class Main { public class Inner {} }")]), []);
        assert_eq!(renames(&[("x.java", "public class A {}"), ("A.java", "")]), []);
        assert_eq!(renames(&[("x.java", &format!("public class {} {{}}", "A".repeat(300)))]), []);
    }

    #[test]
    fn kotlin_main_classes() {
        let one = |file: &str, text: &str, expect: &str| check("kotlin", &[(file, text)], expect);
        one("sol.kt", "fun main() {}", "SolKt");
        one("my-sol.kt", "fun main() {}", "My_solKt");
        one("1.kt", "fun main() {}", "_1Kt");
        one("a.kt", "package p.q\nimport x.y\nsuspend fun main(args: Array<String>) {}", "p.q.AKt");
        one("a.kt", "@file:JvmName(\"Start\")\nfun main() {}", "Start");
        one("a.kt", "object Go { @JvmStatic fun main(a: Array<String>) {} }", "Go");
        one("a.kt", "class Go { companion object { @JvmStatic fun main(a: Array<String>) {} } }", "Go");
        one("a.kt", "/* /* */ fun x( { */ val s = \"${m[\"}\"]} {\"\nfun main() {}", "AKt");
        one("a.kt", "val s = \"\"\" \\\"\"\"\nclass X(val a: Int)\nfun main() {}", "AKt");
        one("a.kt", "", "AKt");
        let two: Files = &[("Main.kt", "class X"), ("zoo.kt", "fun main() {}")];
        check("kotlin", two, "ZooKt");
    }

    #[test]
    fn capital_main_class_has_kotlin_s_suffix_left_to_the_template() {
        let languages = overrides("[kotlin]\nrun = ['kotlin', '{Mainclass}Kt']").unwrap();
        let commands = build(&languages, "kotlin", &[("sol.kt", "package a\nfun main() {}")], None).unwrap();
        assert_eq!(commands.run, ["kotlin", "a.SolKt"]);
    }

    #[test]
    fn long_texts_are_looked_at_in_part() {
        for filler in ["x ", "é "] {
            let text = format!("class A {{ static void main() {{}} }} {} class Main", filler.repeat(1 << 20));
            check("java", &[("a.java", &text)], "A");
        }
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        let languages = Languages::builtin();
        for unit in ["${", "\"${", "class ", "package.", "/*", "\"", "\"\"\"", "{", "public ", "fun main(", "'\\"] {
            let text = unit.repeat(1 << 16);
            for (id, file) in [("java", "a.java"), ("kotlin", "a.kt")] {
                // Quadratic time would take minutes. Anything less depends only on how busy the machine is.
                let start = std::time::Instant::now();
                build(&languages, id, &[(file, &text)], None).unwrap();
                assert!(start.elapsed().as_secs() < 30, "{id} {unit}");
            }
        }
    }
}
