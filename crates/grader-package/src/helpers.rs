//! Tells the generators and brute forces of a plain folder by their names: `gen.py` and `brute.py` beside `sol.cpp`.
//!
//! They are not submissions if another program is there. A program that states its verdict is always a submission.

use super::generators::FILE;
use super::reader::Reader;
use grader_model::problem::{Helper, HelperRole, Submission};

/// The words of each role that begin or end the name of a program.
const WORDS: [(HelperRole, &[&str]); 2] = [
    (HelperRole::Generator, &["gen", "generator", "generate", "testgen", "datagen", "inputgen", "gentest", "gentests"]),
    (HelperRole::BruteForce, &["brute_force", "brute", "bruteforce", "naive", "slow", "stupid"]),
];

/// The role of a program with this name without extension, and the rest of the name: `a` of `a_brute`.
fn role_of(stem: &str) -> Option<(HelperRole, String)> {
    let name = stem.to_lowercase().replace(['-', ' ', '.'], "_");
    let name = name.trim_end_matches(|last: char| last.is_ascii_digit()).trim_matches('_');
    let words = WORDS.iter().flat_map(|(role, words)| words.iter().map(|word| (*role, *word)));
    let rest = |word: &str| match name.strip_suffix(word).or_else(|| name.strip_prefix(word)) {
        Some("") => Some(""),
        Some(rest) => rest.strip_suffix('_').or_else(|| rest.strip_prefix('_')),
        None => None,
    };
    words.into_iter().find_map(|(role, word)| Some((role, rest(word)?.to_owned())))
}

/// The role of a program with this name without extension.
pub fn role_of_stem(stem: &str) -> Option<HelperRole> {
    role_of(stem).map(|(role, _)| role)
}

fn stem_of(program: &Submission) -> &str {
    let name = program.id.as_str().rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether a program has an input and an answer with its name, as solutions have: `generator.in` and `generator.ans`.
fn has_own_test(program: &Submission) -> bool {
    let has = |endings: &[&str]| {
        let file = |ending: &&str| program.source().is_some_and(|source| source.with_extension(ending).is_file());
        endings.iter().any(file)
    };
    has(&["in"]) && has(&["ans", "out"])
}

/// Separates the solvers from the helpers. Without another program, a brute force is a solver, and so is a generator.
pub(super) fn apart(programs: Vec<Submission>) -> (Vec<Submission>, Vec<Helper>) {
    let role = |program: &Submission| {
        let (role, _) = role_of(stem_of(program)).filter(|_| program.expectation.wants_all_accepted())?;
        (!has_own_test(program)).then_some(role)
    };
    let roles: Vec<Option<HelperRole>> = programs.iter().map(role).collect();
    // The best that is there solves the problem.
    let order = [None, Some(HelperRole::BruteForce), Some(HelperRole::Generator)];
    let best = order.into_iter().find(|role| roles.contains(role)).flatten();
    let mut submissions = Vec::new();
    let mut helpers = Vec::new();
    for (program, role) in programs.into_iter().zip(roles) {
        match role {
            Some(role) if Some(role) != best => helpers.push(Helper { role, program }),
            _ => submissions.push(program),
        }
    }
    (submissions, helpers)
}

/// The helpers of one of several programs: its own, such as `a_brute` of `a`, and those of no other program. Its own come
/// first.
pub(super) fn of_program(helpers: &[Helper], program: &str, programs: &[&str]) -> Vec<Helper> {
    let owner = |helper: &Helper| {
        let (_, rest) = role_of(stem_of(&helper.program))?;
        programs.iter().find(|program| program.to_lowercase() == rest).copied()
    };
    let own = helpers.iter().filter(|helper| owner(helper) == Some(program));
    own.chain(helpers.iter().filter(|helper| owner(helper).is_none())).cloned().collect()
}

/// The command of the first generator, which gets a seed. A list of generators says more, so it is used instead.
pub(super) fn random_input(reader: &Reader<'_>, helpers: &[Helper]) -> Option<String> {
    let generator = helpers.iter().find(|helper| helper.role == HelperRole::Generator)?;
    // A name with a NUL, which has no quoted form, is not a file name.
    let word = shlex::try_quote(generator.program.id.as_str()).ok()?;
    (!reader.dir.join(FILE).exists()).then(|| format!("{word} {{seed}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_roles() {
        use HelperRole::{BruteForce, Generator};
        for (stem, role, rest) in [
            ("gen", Generator, ""),
            ("Gen2", Generator, ""),
            ("generator", Generator, ""),
            ("testgen", Generator, ""),
            ("A_gen", Generator, "a"),
            ("gen-small", Generator, "small"),
            ("brute", BruteForce, ""),
            ("brute_force", BruteForce, ""),
            ("bruteForce", BruteForce, ""),
            ("b_naive", BruteForce, "b"),
            ("slow1", BruteForce, ""),
            ("sol_slow", BruteForce, "sol"),
        ] {
            assert_eq!(role_of(stem), Some((role, rest.to_owned())), "{stem}");
        }
        for stem in ["main", "genius", "regen", "slowest", "sol", "brutes", "a", "", "1", "oxygen"] {
            assert_eq!(role_of(stem), None, "{stem}");
        }
    }
}
