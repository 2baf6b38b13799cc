//! Caches the answers of validators and graders in the store, so that none runs twice on the same contents. Failures
//! are not stored.

use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};

use super::resources::Resources;
use crate::compile::Artifact;
use crate::judge::Case;
use crate::judge::validator::Validator;
use crate::store::{Digest, Key};

/// The key of a grader and the results of a group.
pub(super) fn grade_key(grader: &Validator<'_>, results: &str) -> Key {
    let mut key = Key::of("grade v1").field("grader", grader.artifact.key.as_bytes()).field("results", results);
    for argument in grader.arguments {
        key = key.field("argument", argument);
    }
    key.finish()
}

/// The key of an input validator and an input; none if a file cannot be read. Then the validator runs, and that execution
/// reports the missing file.
pub(super) fn input_key(resources: &Resources, validator: &Validator<'_>, input: &Path) -> Option<Key> {
    let names = std::iter::once(Path::new("")).chain(validator.files.iter().map(|(name, _)| name.as_path()));
    let files = std::iter::once(input).chain(validator.files.iter().map(|(_, from)| from.as_path()));
    let digests = resources.store.digest_files(&files.collect::<Vec<_>>()).into_iter().collect::<Result<Vec<_>, _>>();
    let mut key = Key::of("input v2").field("validator", validator.artifact.key.as_bytes());
    for (name, digest) in names.zip(digests.ok()?) {
        key = key.field("file", name.as_os_str().as_encoded_bytes()).field("content", digest.as_bytes());
    }
    for argument in validator.arguments {
        key = key.field("argument", argument);
    }
    Some(key.finish())
}

/// The key of what an input validator writes about an input into the file of an option; none as above.
pub(super) fn log_key(resources: &Resources, validator: &Validator<'_>, option: &str, input: &Path) -> Option<Key> {
    let input = input_key(resources, validator, input)?;
    Some(Key::of("bounds log v1").field("input", input.as_bytes()).field("option", option).finish())
}

/// The key of an answer validator and an answer; none if a file cannot be read, as above.
pub(super) fn answer_key(resources: &Resources, validator: &Validator<'_>, input: &Path, answer: &Path) -> Option<Key> {
    let mut digests = resources.store.digest_files(&[input, answer]).into_iter();
    let mut next = || digests.next().and_then(Result::ok);
    let (input, answer) = (next()?, next()?);
    let key = Key::of("answer v1").field("validator", validator.artifact.key.as_bytes());
    let mut key = key.field("input", input.as_bytes()).field("answer", answer.as_bytes());
    for argument in validator.arguments {
        key = key.field("argument", argument);
    }
    Some(key.finish())
}

/// The key of an output in a file and its output validators; none without validators, or if a file cannot be read.
pub(super) fn output_key(resources: &Resources, case: &Case, output: &Path, validators: &[&Artifact]) -> Option<Key> {
    let (first, more) = validators.split_first()?;
    let digest = |path: &Path| resources.store.digest_file(path).ok();
    let (input, output) = (digest(&case.input)?, digest(output)?);
    let answer = case.answer.as_deref().map_or(Some(Digest::of_bytes(b"")), digest)?;
    let mut key = Key::of("output v2")
        .field("validator", first.key.as_bytes())
        .field("input", input.as_bytes())
        .field("answer", answer.as_bytes())
        .field("output", output.as_bytes())
        .field("limit", case.limits.kill.output.0.to_le_bytes())
        .value("points", &case.points);
    for judge in more {
        key = key.field("validator", judge.key.as_bytes());
    }
    for argument in &case.arguments.output_validator {
        key = key.field("argument", argument);
    }
    Some(key.finish())
}

/// The key of a script that replaces the submission on a case and prints a text.
pub(super) fn probe_key(
    resources: &Resources,
    case: &Case,
    (script, text): (&str, &Path),
    validators: &[&Artifact],
) -> Option<Key> {
    let output = output_key(resources, case, text, validators)?;
    let own = &case.problem;
    let key = Key::of("probe v1").field("output", output.as_bytes()).field("script", script);
    let key = key.field("kind", own.kind.name()).field("passes", own.passes.to_string());
    let key = match own.second_run {
        Some(second) => key.value("second run", &second),
        None => key,
    };
    let limits = (&case.limits, resources.output_validation_limits(own));
    Some(key.value("limits", &limits).field("isolation", resources.isolation.name()).finish())
}

/// Returns the stored answer under a key. Otherwise calls `ask` and stores its answer, but not its failure.
pub(super) fn remembered<T: Serialize + DeserializeOwned, E>(
    resources: &Resources,
    key: Option<Key>,
    ask: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let known = key.as_ref().filter(|_| resources.settings.cache).and_then(|key| resources.store.outcome::<T>(key));
    if let Some(known) = known {
        return Ok(known.value);
    }
    let said = ask()?;
    if let Some(key) = key {
        resources.store.put_outcome(key, &said, None);
    }
    Ok(said)
}
