//! Every package below `tests/packages` and every problem of this repository, exported in each format that grader can
//! read back: the submissions of the export must get the verdicts and points that they get in the original.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::packages::{PackageCopy, check};

/// The formats that are read back.
const FORMATS: [&str; 4] = ["icpc-2025-09", "icpc-legacy", "domjudge", "kattis"];

/// The older formats among them.
const LEGACY: &[&str] = &["icpc-legacy", "domjudge", "kattis"];

/// The formats of other judges. Each is written for every package, with what it can say.
const FOREIGN: [&str; 4] = ["dmoj", "hydro", "italy-yaml", "polygon"];

/// The packages that are read back as packages of Polygon. Others need the header of testlib there, or have graders.
const POLYGON: [&str; 6] =
    ["polygonfiles", "polygonfull", "polygongroups", "polygoninteractive", "polygontwice", "polygontwicetalks"];

/// The packages that Hydro can express.
const HYDRO: [&str; 21] = [
    "annotated",
    "crab-combat",
    "dirac-dice-deterministic",
    "dirac-dice-quantum",
    "expectations",
    "icpcfirst",
    "kitten-fishing",
    "legacycase",
    "legacypair",
    "legacyrust",
    "newconstants",
    "newpictures",
    "newpicturesfail",
    "newpoints",
    "nine",
    "polygonfiles",
    "polygonfull",
    "polygongroups",
    "recursive-combat",
    "recursive-combat-log",
    "touch-numbers",
];

/// The packages that DMOJ can express.
const DMOJ: [&str; 14] = [
    "annotated",
    "crab-combat",
    "dirac-dice-deterministic",
    "dirac-dice-quantum",
    "kitten-fishing",
    "legacycase",
    "newconstants",
    "newpictures",
    "newpicturesfail",
    "newpoints",
    "nine",
    "polygonfull",
    "recursive-combat",
    "recursive-combat-log",
];

/// The packages that CMS and task-maker can express.
const ITALY: [&str; 12] = [
    "annotated",
    "crab-combat",
    "dirac-dice-deterministic",
    "dirac-dice-quantum",
    "kitten-fishing",
    "legacycase",
    "newconstants",
    "newpictures",
    "newpicturesfail",
    "nine",
    "recursive-combat",
    "recursive-combat-log",
];

/// What a format cannot say about a package, in words of the message. Everything else must be exported.
const LOSSES: &[(&str, &[&str], &str)] = &[
    (
        "annotated",
        &["icpc-2025-09", "import"],
        "submission jury/broken.cpp: the format has no submissions that must not compile",
    ),
    ("annotated", &["kattis"], "submission jury/broken.cpp: no folder says that CE is expected"),
    ("legacycase", &["kattis"], "submission mixed/either.py: no folder says that WA or RTE is expected"),
    ("draftguess", &["kattis"], "output_validator/judge.rs: Kattis runs output validators in C, C++ and Python"),
    ("icpcfirst", &["kattis"], "output_validators/divides: Kattis runs output validators in C, C++ and Python"),
    ("icpcfirst", &["icpc-2025-09"], "output_validators/divides: the format promises C, C++ and Python for validators"),
    ("legacyjava", &["icpc-2025-09"], "output_validators/check: the format promises C, C++ and Python for validators"),
    ("legacyjava", &["kattis"], "output_validators/check: Kattis runs output validators in C, C++ and Python"),
    ("legacyrust", &["kattis"], "output_validators/check.rs: Kattis runs output validators in C, C++ and Python"),
    ("touch-numbers", &["kattis"], "validate.rs: Kattis runs output validators in C, C++ and Python"),
    ("touch-numbers-bot", &["kattis"], "validate.rs: Kattis runs output validators in C, C++ and Python"),
    ("legacygrader", &["icpc-2025-09", "import"], "graders: the format has points of groups instead"),
    ("legacygrader", &["domjudge", "kattis"], "graders/: the judge has only the default grader"),
    ("legacyinclude", &["domjudge"], "include/: DOMjudge adds no files to submissions"),
    ("legacysum", LEGACY, "submission wrong_anwser/typo.py: no folder says that anything is expected"),
    ("legacyvalidators", &["icpc-2025-09", "import", "icpc-legacy", "domjudge", "kattis"], "a second output validator"),
    (
        "legacyvalidatorscpp",
        &["icpc-2025-09", "import", "icpc-legacy", "domjudge", "kattis"],
        "a second output validator",
    ),
    ("librarychecker", &["icpc-legacy", "kattis"], "function.cpp: the format finds language and entry point"),
    ("librarychecker", &["domjudge"], "include/: DOMjudge adds no files to submissions"),
    ("newanswers", LEGACY, "submit-answer: "),
    ("newanswerspacked", LEGACY, "submit-answer: "),
    ("newanswersvalidated", LEGACY, "submit-answer: "),
    ("newconstantsgroup", LEGACY, "arguments of submissions: the format has none"),
    ("newfiles", LEGACY, "files beside submissions: submissions read only standard input"),
    ("newfilesdeep", LEGACY, "files beside submissions: submissions read only standard input"),
    ("newinclude", &["icpc-legacy"], "include/default/: the legacy version has files only for single languages"),
    ("newinclude", &["domjudge"], "include/: DOMjudge adds no files to submissions"),
    ("newpair", LEGACY, "arguments on secret/2: all cases of a group have the same flags"),
    ("newpasses", &["icpc-legacy"], "multi-pass: the legacy version has no such problems"),
    ("newpassesthree", &["icpc-legacy"], "multi-pass: the legacy version has no such problems"),
    ("newpoints", LEGACY, "require_pass of secret/3-all: groups do not depend on others"),
    ("newscore", LEGACY, "points of the output validator: "),
    ("newsides", LEGACY, "sample/1.in.statement: contestants would see the files of the case"),
    ("newstatic", LEGACY, "static validation: the format has none"),
    ("newstaticpoints", LEGACY, "static validation: the format has none"),
    ("newsum", LEGACY, "arguments of submissions: the format has none"),
    ("newtalks", &["icpc-legacy"], "interactive multi-pass: the legacy version has no such problems"),
    ("newtalksthree", &["icpc-legacy"], "interactive multi-pass: the legacy version has no such problems"),
    ("polygonfiles", &["icpc-2025-09", "import", "icpc-legacy", "domjudge", "kattis"], "output file sum.out: "),
    ("polygonfull", &["kattis"], "submission crash.cpp: no folder says"),
    ("polygongraders", &["domjudge"], "include/: DOMjudge adds no files to submissions"),
    ("polygongroups", &["icpc-2025-09", "import"], "points of secret/1: the format has only whole points"),
    ("polygongroups", LEGACY, "require_pass of secret/1: groups do not depend on others"),
    ("polygonstandard", &["domjudge"], "include/: DOMjudge adds no files to submissions"),
    ("polygontwice", &["icpc-2025-09", "import", "icpc-legacy", "domjudge", "kattis"], "two runs as on Codeforces: "),
    (
        "polygontwicetalks",
        &["icpc-2025-09", "import", "icpc-legacy", "domjudge", "kattis"],
        "two runs as on Codeforces: ",
    ),
];

/// Packages with an output validator in Rust, for which other tools get a script.
const RUST: [&str; 4] = ["draftguess", "legacyrust", "touch-numbers", "touch-numbers-bot"];

/// One test for each package and problem.
pub(crate) fn trials(packages: &[String], stores: &Path) -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let of_package = packages.iter().map(|name| {
        let (package, store) = (name.clone(), stores.join(name));
        let test = move || alike(&PackageCopy::new(&package, &store)?, &package);
        Trial::test(format!("packages::{name}::exports_are_judged_alike"), test)
    });
    let problems = fs::read_dir(root.join("problems")).expect("the problems are there").map(|entry| {
        let name = entry.expect("a readable directory").file_name().into_string().expect("names are UTF-8");
        let store = stores.join(&name);
        let title = format!("packages::{name}::exports_are_judged_alike");
        Trial::test(title, move || alike(&PackageCopy::native(&name, &store)?, &name))
    });
    of_package.chain(problems).collect()
}

/// The result of a submission: its verdict, whether that is expected, and its points.
type Results = BTreeMap<String, (String, String, Option<f64>)>;

/// Exports the problem in each format, and compares the results.
fn alike(place: &PackageCopy, name: &str) -> Result<(), Failed> {
    // Judges differ about some outputs; here only the packages are compared.
    place.run(&["--as", "icpc"])?;
    let original = results(&place.events()?);
    for format in FORMATS {
        let out = place.dir.path().join(format);
        let export = |more: &[&str]| {
            let out = out.to_str().unwrap_or_default();
            let words = ["export", "--force", "--for", format, "-o", out, "--color", "never"];
            place.grader(&[&words[..], more, &[place.word()]].concat())
        };
        let output = export(&[])?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if let Some((.., words)) = LOSSES.iter().find(|(of, formats, _)| *of == name && formats.contains(&format)) {
            check(
                output.status.code() == Some(2) && text.contains(words),
                &format!("{format}: no {words:?}"),
                &output,
            )?;
            check(!out.exists(), "something was written in spite of a loss", &output)?;
            let lossy = export(&["--lossy"])?;
            check(lossy.status.success(), &format!("{format}, --lossy"), &lossy)?;
            continue;
        }
        check(output.status.success(), &format!("{format}: not exported"), &output)?;
        if ["domjudge", "icpc-2025-09"].contains(&format) && RUST.contains(&name) {
            check(text.contains("rustc on the judge machines"), "not said that rustc is needed", &output)?;
        }
        compare(place, format, &written(&out)?, place.dir.path(), &original)?;
    }
    let out = place.dir.path().join("imported");
    let is_lossy = LOSSES.iter().any(|(of, formats, _)| *of == name && formats.contains(&"import"));
    let more: &[&str] = if is_lossy { &["--lossy"] } else { &[] };
    let words = ["import", place.word(), "--out", out.to_str().unwrap_or_default()];
    let output = place.grader(&[&words[..], more].concat())?;
    check(output.status.success(), "import", &output)?;
    if !is_lossy {
        compare(place, "import", &written(&out.join("problems"))?, &out, &original)?;
    }
    for format in FOREIGN {
        let out = place.dir.path().join(format);
        let path = out.to_str().unwrap_or_default();
        let output = place.grader(&["export", "--force", "--lossy", "--for", format, "-o", path, place.word()])?;
        check(output.status.success(), &format!("{format}, --lossy"), &output)?;
        if format == "polygon" && POLYGON.contains(&name) {
            compare(place, format, &written(&out)?, place.dir.path(), &original)?;
        }
    }
    without_solutions(place, name, ("hydro", &HYDRO), &original)?;
    without_solutions(place, name, ("dmoj", &DMOJ), &original)?;
    italy(place, name, &original)
}

/// Exports the problem for a judge that keeps no solutions, if that can express it. The export gets the solutions of the
/// package, whose folders may have another meaning there.
fn without_solutions(
    place: &PackageCopy,
    name: &str,
    (format, expressed): (&str, &[&str]),
    original: &Results,
) -> Result<(), Failed> {
    let out = place.dir.path().join("strict").join(format);
    let path = out.to_str().unwrap_or_default();
    let output = place.grader(&["export", "--force", "--for", format, "-o", path, place.word()])?;
    check(output.status.success() == expressed.contains(&name), &format!("{format}: a loss, or none"), &output)?;
    // Solutions with constants need a package that has them.
    if !output.status.success() || name == "newconstants" {
        return Ok(());
    }
    let export = written(&out)?;
    // Polygon has them in a folder without a meaning.
    let folders = [("submissions", "submissions"), ("solutions", "submissions/any")];
    let solutions = folders.map(|(from, to)| (Path::new(place.word()).join(from), export.join(to)));
    let (from, to) = solutions.iter().find(|(from, _)| from.is_dir()).ok_or("no solutions")?;
    crate::packages::copy(from, to)?;
    let without_labels = |results: Results| -> Results {
        results.into_iter().map(|(id, (verdict, _, score))| (id, (verdict, String::new(), score))).collect()
    };
    // Limits that the judge keeps elsewhere are entered as the export says.
    let settings = fs::read_to_string(place.dir.path().join("grader.toml"))?;
    fs::write(out.join("grader.toml"), settings + &limits_in(&String::from_utf8_lossy(&output.stdout)))?;
    let output = place.run_in(&out, export.to_str().unwrap_or_default())?;
    let events = place.events();
    check(events.is_ok(), &format!("{format}: nothing ran"), &output)?;
    alike_results(format, without_labels(results(&events?)), &without_labels(original.clone()), &output)
}

/// The limits that an export for DMOJ says to enter on the site, as settings. Empty for other formats.
fn limits_in(text: &str) -> String {
    let after = |words: &str| text.split_once(words)?.1.split_once(' ')?.0.parse::<f64>().ok();
    match (after("a time limit of "), after("a memory limit of ")) {
        (Some(time), Some(memory)) => format!("[limits]\ntime_limit = {time:?}\nmemory = {}\n", memory / 1024.0),
        _ => String::new(),
    }
}

/// Exports the problem for CMS and task-maker, if these can express it. A task there always has points, and its solutions lie
/// in one folder.
fn italy(place: &PackageCopy, name: &str, original: &Results) -> Result<(), Failed> {
    let out = place.dir.path().join("italy-strict");
    let path = out.to_str().unwrap_or_default();
    let output = place.grader(&["export", "--force", "--for", "italy-yaml", "-o", path, place.word()])?;
    check(output.status.success() == ITALY.contains(&name), "italy-yaml: a loss, or none", &output)?;
    if !output.status.success() {
        return Ok(());
    }
    let export = written(&out)?;
    let output = place.run_in(place.dir.path(), export.to_str().unwrap_or_default())?;
    let events = place.events();
    check(events.is_ok(), "italy-yaml: nothing ran", &output)?;
    let found = results(&events?);
    let with_points = |(verdict, standing, score): (String, String, Option<f64>)| match (score, &*verdict) {
        (None, "AC") => (String::new(), standing, Some(100.0)),
        (None, _) => (verdict, standing, Some(0.0)),
        (Some(_), _) => (verdict, standing, score),
    };
    let in_one_folder = original.iter().map(|(id, result)| (id.replace('/', "-"), with_points(result.clone())));
    let mut wanted: Results = in_one_folder.collect();
    // The reference is the official solution.
    let reference = wanted.keys().find(|id| !found.contains_key(*id)).cloned();
    if let Some((reference, ending)) = reference.as_ref().and_then(|id| Some((id, id.rsplit_once('.')?.1)))
        && let Some(result) = wanted.remove(reference)
    {
        wanted.insert(format!("solution.{ending}"), result);
    }
    alike_results("italy-yaml", found, &wanted, &output)
}

/// The only directory in a directory.
fn written(out: &Path) -> Result<PathBuf, Failed> {
    let mut entries = fs::read_dir(out)?;
    let first = entries.next().ok_or("nothing was written")??.path();
    if entries.next().is_some() { Err("several directories were written".into()) } else { Ok(first) }
}

/// Runs the export in a workspace, and compares the results of each submission.
fn compare(
    place: &PackageCopy,
    format: &str,
    export: &Path,
    workspace: &Path,
    original: &Results,
) -> Result<(), Failed> {
    let output = place.run_in(workspace, export.to_str().unwrap_or_default())?;
    let events = place.events();
    check(events.is_ok(), &format!("{format}: nothing ran"), &output)?;
    alike_results(format, results(&events?), original, &output)
}

/// Compares the results of each submission.
fn alike_results(format: &str, exported: Results, original: &Results, output: &Output) -> Result<(), Failed> {
    let base = |id: &str| {
        let name = id.rsplit('/').next().unwrap_or_default();
        Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned()
    };
    let mut left = exported;
    for (id, wanted) in original {
        // Another format may have another folder for it, and directories lose the ending of their file.
        let found = left.keys().find(|other| *other == id).or_else(|| {
            let ending = |id: &str| Path::new(id).extension().map(ToOwned::to_owned);
            left.keys()
                .find(|other| base(other) == base(id) && (ending(other) == ending(id) || ending(other).is_none()))
        });
        let Some(found) = found.cloned() else { return fail(format, id, "is missing", output) };
        let got = left.remove(&found).unwrap_or_default();
        if got != *wanted {
            return fail(format, id, &format!("was {wanted:?}, is {got:?} as {found}"), output);
        }
    }
    check(left.is_empty(), &format!("{format}: {left:?} come from nowhere"), output)
}

fn fail(format: &str, id: &str, why: &str, output: &Output) -> Result<(), Failed> {
    check(false, &format!("{format}: {id} {why}"), output)
}

fn results(events: &[Value]) -> Results {
    let ends = events.iter().filter(|event| event["event"] == "submission_finished");
    let result = |end: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let verdict = text(&end["verdict"]);
        // Older formats count limits of memory and output as run-time errors.
        let score = end["score"].as_f64();
        let verdict = match &*verdict {
            "MLE" | "OLE" => "RTE".to_owned(),
            // The formats call the same points AC or WA.
            _ if score.is_some_and(|score| score > 0.0) => String::new(),
            _ => verdict,
        };
        (text(&end["submission"]), (verdict, text(&end["standing"]["standing"]), score))
    };
    ends.map(result).collect()
}
