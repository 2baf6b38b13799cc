//! Tests names, numbers and seeds against those of BAPCtools, and every mistake with its place.

use std::fs;

use super::*;

/// Creates a problem's directory with generators `gen.py`, `lib.py` and a solution.
fn problem() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for file in ["generators/gen.py", "generators/lib.py", "generators/tree/tree.py", "submissions/accepted/a.py"] {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    dir
}

fn read(text: &str) -> (Generators, Vec<String>) {
    let dir = problem();
    let (generators, found) = Generators::parse(dir.path(), Shape::Groups, text);
    (generators, found.iter().map(ToString::to_string).collect())
}

#[track_caller]
fn names(text: &str) -> Vec<String> {
    let (generators, found) = read(text);
    assert_eq!(found, [""; 0]);
    generators.recipes.into_iter().map(|recipe| recipe.name).collect()
}

#[track_caller]
fn complaints(text: &str, expect: &[&str]) {
    assert_eq!(read(text).1, expect, "{text}");
}

#[test]
fn lists_are_numbered_across_the_file() {
    let text = r#"
data:
  secret:
    data:
      - "": gen.py 1
      - b: gen.py 2
      - group:
          data:
            - c: gen.py 3
            - d: gen.py {count}
            - d2: {generate: "gen.py {count}", count: 2}
      - group:
          data:
            f: gen.py 4
            e: gen.py 5
      - x: gen.py 6
  sample:
    data:
      "1": {in: "3"}
      "0": {in: "4", ans: "5"}
"#
    .replace("gen.py {count}\n", "gen.py 7\n");
    let expect = [
        "sample/0",
        "sample/1",
        "secret/1",
        "secret/2-b",
        "secret/1-group/3-c",
        "secret/1-group/4-d",
        "secret/1-group/5-d2-1",
        "secret/1-group/6-d2-2",
        "secret/2-group/e",
        "secret/2-group/f",
        "secret/7-x",
    ];
    assert_eq!(names(&text), expect);
}

#[test]
fn counted_cases_have_names_and_seeds_of_their_own() {
    let text = "data:\n  secret:\n    data:\n      a: {generate: 'gen.py {seed:3} {count}', count: 9..=11}\n      b: {generate: 'gen.py {seed}', count: [7, -3]}\n      c: {generate: 'gen.py {seed}', count: 2}\n";
    let (generators, found) = read(text);
    assert_eq!(found, [""; 0]);
    let names: Vec<&str> = generators.recipes.iter().map(|recipe| recipe.name.as_str()).collect();
    let expect = ["a-09", "a-10", "a-11", "b-7", "b--3", "c-1", "c-2"].map(|name| format!("secret/{name}"));
    assert_eq!(names, expect);
    let seeds: std::collections::BTreeSet<u32> =
        generators.recipes.iter().map(|recipe| recipe.command.as_ref().unwrap().seed).collect();
    assert_eq!(seeds.len(), 7);
    let command = generators.recipes[0].command.as_ref().unwrap();
    // sha512(":8" + "gen.py {seed:3} 9")
    assert_eq!((command.seed, command.arguments(1)), (2_075_234_000, vec!["1".to_owned(), "9".to_owned()]));
    assert_eq!(generators.recipes[5].command.as_ref().unwrap().seed, 217_127_397);
}

#[test]
fn what_a_group_says_holds_for_its_cases() {
    let text = "solution: /submissions/accepted/a.py\nrandom_salt: abcd\ndata:\n  secret:\n    retries: 3\n    data:\n      a: gen.py {seed}\n      b: {generate: 'gen.py {seed}', solution: , random_salt: other}\n  sample:\n    solution:\n    data:\n      '1': {in: '1', ans: |\n        2\n        }\n".replace("|\n        2\n        }", "'2'}");
    let (generators, found) = read(&text);
    assert_eq!(found, [""; 0]);
    let [sample, a, b] = &generators.recipes[..] else { panic!("{:?}", generators.recipes) };
    assert_eq!((&sample.solution, sample.retries), (&Solution::Nothing, 1));
    assert_eq!((&a.solution, a.retries), (&Solution::Program("submissions/accepted/a.py".into()), 3));
    assert_eq!(b.solution, Solution::Nothing);
    assert_eq!(a.command.as_ref().unwrap().seed, 1_581_083_801);
    assert_ne!(b.command.as_ref().unwrap().seed, 1_581_083_801);
    assert_eq!(sample.texts, [("in".to_owned(), "1\n".to_owned()), ("ans".to_owned(), "2\n".to_owned())]);
}

#[test]
fn groups_include_cases_of_groups_before() {
    let text = "data:\n  sample:\n    data:\n      '1': {in: '1'}\n      two: {in: '2'}\n  secret:\n    include: [sample]\n    data:\n      '2': {in: '3'}\n      z:\n        include: [two]\n        data: {}\n";
    assert_eq!(names(text), ["sample/1", "sample/two", "secret/1", "secret/two", "secret/2", "secret/z/two"]);
    let again = text.replace("[two]", "['1', tow]");
    complaints(
        &again,
        &["generators.yaml:11:9: `include`: no case or group before this one is called `tow`; did you mean `two`?"],
    );
}

#[test]
fn programs_are_found_and_put_together() {
    let dir = problem();
    let text = "generators: {two: [tree/tree.py, lib.py], gen: [gen.py]}\ndata: {secret: {data: {a: two, b: gen, c: tree, d: gen.py}}}\n";
    let (generators, found) = Generators::parse(dir.path(), Shape::Groups, text);
    assert!(found.is_empty(), "{found:?}");
    let two = generators.program("two").unwrap();
    assert_eq!(two.entry_point.as_deref(), Some("tree/tree.py"));
    let files = vec!["lib.py".into(), "tree/tree.py".into()];
    assert_eq!(two.program, Program::Directory { path: dir.path().join("generators"), files });
    let one = Program::File(dir.path().join("generators/gen.py"));
    assert_eq!(generators.program("gen").unwrap(), GeneratorProgram { program: one.clone(), entry_point: None });
    assert_eq!(generators.program("gen.py").unwrap().program, one);
    assert!(matches!(generators.program("tree").unwrap().program, Program::Directory { .. }));
    let message = |name: &str| generators.program(name).unwrap_err().to_string();
    assert_eq!(message("lib"), "there is no generator `lib`; did you mean `lib.py`?");
    assert_eq!(message("../submissions"), "`../submissions` is outside the problem's directory");
    std::os::unix::fs::symlink("/etc", dir.path().join("generators/out")).unwrap();
    assert_eq!(message("out/passwd"), "`out/passwd` is outside the problem's directory");
}

#[test]
fn every_mistake_is_told_with_its_place() {
    complaints(
        "soltion: /a\ndata:\n  secret:\n    data:\n      a: gen\n      b:\n        genrate: x\n        in: '1'\n",
        &[
            "generators.yaml:1:1: unknown key `soltion`; did you mean `solution`?",
            "generators.yaml:5:7: there is no generator `gen`; did you mean `gen.py`?",
            "generators.yaml:7:9: unknown key `genrate`; did you mean `generate`?",
        ],
    );
    let secret = |text: &str| format!("data:\n  secret:\n    data:\n{text}");
    let one = |text: &str, message: &str| complaints(&secret(text), &[&format!("generators.yaml:{message}")]);
    one("      a: gen.py {seed} {seed:2}\n", "4:7: `{seed}` may appear at most once");
    one("      a:\n", "4:7: nothing says how to make this case; grader uses the files in the data");
    one("      a: 5\n", "4:7: expected a command, or keys of a case or group, found a whole number");
    one(
        "      a: {in: 5}\n      b: gen.py\n",
        "4:11: `in`: expected a string, found a whole number; write it in quotes",
    );
    one("      a: {ans: '5'}\n", "4:7: nothing generates its input: write `generate`, `copy` or `in`");
    one(
        "      a b: gen.py\n",
        "4:7: `a b` is not a valid name of a case: use only letters, digits, _ . and -, without an ending",
    );
    one(
        "      a.in: gen.py\n",
        "4:7: `a.in` is not a valid name of a case: use only letters, digits, _ . and -, without an ending",
    );
    one(
        "      ../a: gen.py\n",
        "4:7: `../a` is not a valid name of a case: use only letters, digits, _ . and -, without an ending",
    );
    one("      a: {copy: ../../etc/passwd}\n", "4:7: `copy`: `../../etc/passwd` is not a path below generators/");
    one(
        "      - x: gen.py\n      - x: gen.py\n        y: gen.py\n",
        "3:5: item 2: expected one name and its command or keys",
    );
    one(
        "      - x: gen.py\n      - y: {count: 0, generate: gen.py}\n",
        "5:13: `count` must be a number from 1 to 100, a list of numbers, or a range such as `1..=5`",
    );
    one("      a-1: gen.py\n      a: {count: 1, generate: gen.py}\n", "4:7: there are two cases secret/a-1");
    one("      a: {in: '1', match: '('}\n", "4:20: `match`: `(` is not a valid pattern: unclosed group");
    one(
        "      a: {in: '1', solution: a.py}\n",
        "4:20: `solution`: `a.py` is not a path below /, which is the problem's directory; write a path such as \
         `/submissions/accepted/reference.py`, without arguments",
    );
    one(
        "      a: {in: '1', solution: /../a.py}\n",
        "4:20: `solution`: `/../a.py` is not a path below /, which is the problem's directory; write a path such as \
         `/submissions/accepted/reference.py`, without arguments",
    );
    complaints(
        "data:\n  secrt:\n    data: {a: gen.py}\n  sample: {data: {a: gen.py}}\n",
        &["generators.yaml:2:3: unknown group `secrt` at the top; did you mean `secret`?"],
    );
    complaints(
        "data: {secret: gen.py}\n",
        &["generators.yaml:1:8: `secret` at the top is a group: write its cases below `data`"],
    );
    complaints(
        "solution: /submissions/accepted/b.py\ndata: {secret: {data: {a: gen.py}}}\n",
        &["generators.yaml:2:24: `solution`: there is no submissions/accepted/b.py"],
    );
    complaints("", &["generators.yaml: lists no case; list them below `data`"]);
}

#[test]
fn keys_of_old_files_are_passed_over_with_a_warning() {
    let (generators, found) = read("parallel: 1\ndata:\n  secret:\n    type: directory\n    data: {a: gen.py}\n");
    assert_eq!(generators.recipes.len(), 1);
    let warnings = [
        "generators.yaml:1:1: `parallel` has no effect any more; ignored",
        "generators.yaml:4:5: `type` has no effect any more; ignored",
    ];
    assert_eq!(found, warnings);
}

#[test]
fn hostile_files_cost_little() {
    for text in [
        format!("data: {}\n", "{secret: {data: ".repeat(90)),
        format!("data: {{secret: {{data: {}{}}}}}\n", "{a: {data: ".repeat(30), "}}".repeat(30)),
        format!("data:\n  secret:\n    data:\n{}", "      - a: {count: 100, in: x}\n".repeat(5_000)),
    ] {
        let (generators, found) = read(&text);
        assert!(!found.is_empty() && generators.recipes.len() <= 100_000, "{found:?}");
    }
}

#[test]
fn a_plain_folder_has_its_cases_at_the_top() {
    let dir = problem();
    let flat = |text: &str| {
        let (generators, found) = Generators::parse(dir.path(), Shape::Flat, text);
        let names: Vec<String> = generators.recipes.into_iter().map(|recipe| recipe.name).collect();
        (names, found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    };
    let none = String::new();
    assert_eq!(flat("data: {b: gen.py 1, a: {in: '3'}}"), (vec!["a".into(), "b".into()], none.clone()));
    assert_eq!(flat("data: [a: gen.py 1, '': gen.py 2]"), (vec!["1-a".into(), "2".into()], none));
    let (names, found) = flat("data: {secret: {data: {a: gen.py 1}}}");
    assert!(names.is_empty() && found.contains("a plain folder has no groups"), "{found}");
}
