//! Finds the validators of a package in the directories that the formats name.

use crate::metadata::Metadata;
use crate::programs::{data_validators, one_program, programs_in};
use crate::protocol::judging;
use crate::reader::Reader;
use grader_model::diagnostic::Kind;
use grader_model::problem::{JudgingProgram, Program};

/// The input validators: one in each file or directory.
pub(super) fn input_validators(reader: &Reader<'_>) -> Vec<JudgingProgram> {
    let dirs = ["input_validators", "input_format_validators"].map(|name| reader.dir.join(name));
    dirs.iter().flat_map(|dir| data_validators(reader, dir)).collect()
}

/// The output validators: one in `output_validator/`. In the legacy format any number in `output_validators/`, if
/// `validation` is `custom`.
pub(super) fn output_validators(reader: &Reader<'_>, metadata: &Metadata) -> Vec<JudgingProgram> {
    let programs = output_validator_programs(reader, metadata);
    programs.into_iter().map(|program| judging(reader, program)).collect()
}

fn output_validator_programs(reader: &Reader<'_>, metadata: &Metadata) -> Vec<Program> {
    let [current, legacy] = ["output_validator", "output_validators"].map(|name| reader.dir.join(name));
    let (meant, other) = match (reader.has_dir(&current), reader.has_dir(&legacy)) {
        (true, true) if reader.legacy => (legacy, Some(current)),
        (true, both) => (current, both.then_some(legacy)),
        (false, true) => (legacy, None),
        (false, false) => {
            // The package has a validator, but not as the format requires. The default validator would judge
            // differently.
            if !reader.legacy && current.is_file() {
                reader.error(&current, "not a directory", "move the program into a directory of this name");
            }
            if metadata.custom || metadata.kind.is_led_by_validator() {
                let message = "no output validator, but the problem needs one";
                reader.error(&reader.dir, message, "add output_validator/ with the program");
            }
            return Vec::new();
        }
    };
    if let Some(other) = other {
        reader.warning(Kind::NotUsed, &other, format!("ignored, because {} exists", meant.display()));
    }
    if reader.legacy && !metadata.custom {
        reader.warning(Kind::NotUsed, &meant, "not used: problem.yaml does not say `validation: custom`");
        return Vec::new();
    }
    if !reader.legacy {
        return one_program(reader, &meant, "output validator").into_iter().collect();
    }
    let found = programs_in(reader, &meant, "output validator");
    if found.len() > 1 && metadata.kind.is_led_by_validator() {
        let message = "several output validators in an interactive or multi-pass problem, which can have only one";
        reader.error(&meant, message, "keep one, or move the files of one program into a directory below");
        return Vec::new();
    }
    found
}
