//! The test cases of this repository's own problems are what their generators and references make, byte for byte, and
//! each problem has what a problem of this repository must have. (What the submissions get, `grader run` checks.)

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use yaml_serde::Value;

/// A problem and the places of its parts.
struct Parts {
    slug: String,
    problem: PathBuf,
    cases: PathBuf,
}

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    for entry in fs::read_dir(root.join("problems")).expect("the problems are there") {
        let name = entry.expect("a readable directory").file_name();
        let slug = name.into_string().expect("names are UTF-8");
        let parts = || Parts {
            problem: root.join("problems").join(&slug),
            cases: root.join("testcases").join(&slug),
            slug: slug.clone(),
        };
        let (complete, made) = (parts(), parts());
        trials.push(Trial::test(format!("{slug}::is_complete"), move || is_complete(&complete)));
        trials.push(Trial::test(format!("{slug}::cases_are_what_the_generators_make"), move || regenerate(&made)));
    }
    assert_eq!(trials.len(), 18, "nine problems, two tests each");
    libtest_mimic::run(&arguments, trials).exit();
}

fn is_complete(parts: &Parts) -> Result<(), Failed> {
    let submissions = parts.problem.join("submissions");
    for part in ["statement/problem.en.md", "submissions/accepted/reference.rs", "input_validators/validate.rs"] {
        check(parts.problem.join(part).is_file(), format!("{part} is missing"))?;
    }
    let accepted = files(&submissions.join("accepted"))?;
    let others = accepted.iter().filter(|file| file.extension().is_some_and(|extension| extension != "rs"));
    check(others.count() >= 1, "no accepted solution in another language")?;
    for kind in ["wrong_answer", "run_time_error"] {
        check(!files(&submissions.join(kind))?.is_empty(), format!("no submission in {kind}/"))?;
    }
    check(parts.cases.join("sample/1.in").is_file(), "no sample")?;
    check(files(&parts.cases.join("secret"))?.len() >= 20, "fewer than ten secret cases")
}

/// Every case of `generators.yaml` is made anew and compared; and there is no case that it does not make.
fn regenerate(parts: &Parts) -> Result<(), Failed> {
    let temp = tempfile::tempdir()?;
    let generator = build(&parts.problem.join("generators/gen.rs"), temp.path())?;
    let reference = build(&parts.problem.join("submissions/accepted/reference.rs"), temp.path())?;
    let text = fs::read_to_string(parts.problem.join("generators/generators.yaml"))?;
    let yaml: Value = yaml_serde::from_str(&text)?;
    let mut made = Vec::new();
    for (name, recipe) in recipes(&yaml)? {
        let input = match &recipe {
            Value::String(command) => run(&generator, &command.split(' ').collect::<Vec<_>>()[1..], &[])?,
            recipe => recipe["in"].as_str().ok_or("a case without `in`")?.as_bytes().to_vec(),
        };
        let (case, answer) = (parts.cases.join(format!("{name}.in")), parts.cases.join(format!("{name}.ans")));
        check(fs::read(&case)? == input, format!("{name}.in is not what the generator makes"))?;
        // An interactive problem's answers are empty: the interactor knows.
        let wanted = if is_interactive(parts) { Vec::new() } else { run(&reference, &[], &input)? };
        check(fs::read(&answer)? == wanted, format!("{name}.ans is not what the reference says"))?;
        made.extend([case, answer]);
    }
    for group in ["sample", "secret"] {
        for file in files(&parts.cases.join(group))? {
            check(made.contains(&file), format!("{} is made by nothing", file.display()))?;
        }
    }
    check(made.len() > 20, format!("only {} files of {}", made.len(), parts.slug))
}

fn is_interactive(parts: &Parts) -> bool {
    fs::read_to_string(parts.problem.join("problem.toml")).is_ok_and(|text| text.contains("\"interactive\""))
}

/// Group and name of every case with its command, or the table that holds it; lists are numbered from 01.
fn recipes(yaml: &Value) -> Result<Vec<(String, Value)>, Failed> {
    let mut recipes = Vec::new();
    for group in ["sample", "secret"] {
        let data = &yaml["data"][group]["data"];
        let listed = data.as_sequence().map(|list| {
            let named = list.iter().enumerate().filter_map(|(i, entry)| {
                let (name, recipe) = entry.as_mapping()?.iter().next()?;
                Some((format!("{:02}-{}", i + 1, name.as_str()?), recipe.clone()))
            });
            named.collect::<Vec<_>>()
        });
        let mapped = || {
            let named =
                data.as_mapping()?.iter().map(|(name, recipe)| Some((name.as_str()?.to_owned(), recipe.clone())));
            named.collect::<Option<Vec<_>>>()
        };
        let cases = listed.or_else(mapped).ok_or_else(|| format!("no data for {group}"))?;
        recipes.extend(cases.into_iter().map(|(name, recipe)| (format!("{group}/{name}"), recipe)));
    }
    Ok(recipes)
}

fn build(source: &Path, to: &Path) -> Result<PathBuf, Failed> {
    let binary = to.join(source.file_stem().ok_or("a source without name")?);
    let output = command(Path::new("rustc"))
        .args(["--edition", "2021", "-O", "-D", "warnings", "-o"])
        .args([&binary, source])
        .output()?;
    succeeded(&output, source)?;
    Ok(binary)
}

fn run(program: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, Failed> {
    use std::io::{Seek, Write};
    let mut stdin = tempfile::tempfile()?;
    stdin.write_all(input)?;
    stdin.rewind()?;
    let output = command(program).args(arguments).stdin(Stdio::from(stdin)).output()?;
    succeeded(&output, program)?;
    Ok(output.stdout)
}

#[expect(clippy::disallowed_methods, reason = "tests check the generators without the grader's own help")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

fn succeeded(output: &Output, what: &Path) -> Result<(), Failed> {
    let words = String::from_utf8_lossy(&output.stderr);
    check(output.status.success(), format!("{}: {}\n{words}", what.display(), output.status))
}

fn files(dir: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))? {
        files.push(entry?.path());
    }
    Ok(files)
}

fn check(holds: bool, otherwise: impl Into<String>) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(Failed::from(otherwise.into())) }
}
