//! Tests of whole tasks, as they are read.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use grader_model::problem::{AnswerRecipe, InputRecipe};

/// Reads a task with these files. Returns the problem and the findings.
fn read_task(files: &[(&str, &str)]) -> (TempDir, Option<Problem>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let is_source =
        |path: &Path| path.extension().is_some_and(|ending| ["py", "cpp"].iter().any(|known| ending == *known));
    let mut reader = Reader::new("sum".into(), dir.path(), dir.path(), &is_source);
    reader.package_names = false;
    let problem = read(&reader);
    let found = reader.take_found().iter().map(ToString::to_string).collect();
    (dir, problem, found)
}

const YAML: &str = "name: sum\ntitle: Sum\ntime_limit: 1\n";

#[test]
fn a_task_has_keys_of_cms_and_parts() {
    let is = |files: &[(&str, &str)]| is_task(read_task(files).0.path());
    assert!(is(&[("task.yaml", YAML), ("gen/GEN", "")]));
    assert!(is(&[("task.yaml.orig", "nome: Somma\n"), ("sol/a.cpp", "")]));
    assert!(!is(&[("task.yaml", YAML)]));
    assert!(!is(&[("task.yaml", "kind: Task\n"), ("gen/GEN", "")]));
}

#[test]
fn what_is_missing_has_recipes() {
    let list = "#ST: 0\n#COPY: a.txt\n#ST: 100\n7 8\n#COPY: a.txt\n";
    let files = [
        ("task.yaml", YAML),
        ("gen/GEN", list),
        ("gen/generator.py", "from helper import x\n"),
        ("gen/helper.py", ""),
        ("gen/valida.py", ""),
        ("sol/solution.py", ""),
        ("a.txt", "1\n"),
        ("output/output0.txt", "1\n"),
    ];
    let (dir, problem, found) = read_task(&files);
    let problem = problem.unwrap();
    assert!(found.iter().all(|found| !found.contains("error")), "{found:?}");
    let recipes: Vec<_> = problem.recipes.cases.iter().map(|(id, recipe)| (id.as_str(), recipe.clone())).collect();
    let command = |at: usize| match &recipes[at].1.input {
        InputRecipe::Command(command) => Some(command.text.clone()),
        InputRecipe::File => None,
    };
    assert_eq!((recipes[0].0, command(0), recipes[0].1.answer), ("sample/0", None, AnswerRecipe::File));
    assert_eq!((recipes[1].0, command(1), recipes[1].1.line), ("secret/2/1", Some("generator 7 8".to_owned()), 4));
    assert_eq!((recipes[2].0, command(2), recipes[2].1.answer), ("secret/2/2", None, AnswerRecipe::Reference));
    let inputs: Vec<PathBuf> = problem.cases().map(|(group, case)| group.input_of(case)).collect();
    assert_eq!(inputs, ["a.txt", "input/input1.txt", "a.txt"].map(|path| dir.path().join(path)));
    let files = problem.recipes.generators["generator"].parts().unwrap().1;
    assert_eq!(files, ["generator.py", "helper.py"].map(PathBuf::from));
}

#[test]
fn subtasks_may_need_others() {
    let list = "#ST: 30\n#STNAME: a\n#STDEP: b\n#COPY: a.txt\n#ST: 70\n#STNAME: b\n#COPY: a.txt\n";
    let files =
        [("gen/GEN", list), ("a.txt", ""), ("sol/solution.py", ""), ("task.yaml.orig", "title: Sum\ntime_limit: 1\n")];
    let tests = |files: &[(&str, &str)]| -> Vec<String> {
        let (_, problem, _) = read_task(files);
        problem.unwrap().tests().map(|test| test.id().to_string()).collect()
    };
    assert_eq!(tests(&files), ["secret/1-a/0", "secret/1-a/1", "secret/2-b/1"]);
    let (_, _, found) = read_task(&[&files[..3], &[("task.yaml", YAML)]].concat());
    assert!(found.iter().any(|found| found.contains("(STDEP) are not applied")), "{found:?}");
}
