//! The files of programs, and problems and submissions whose files are in another place.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::grading::Grading;
use super::{
    Additions, HeldIn, Helper, IncludedFiles, JudgingProgram, Problem, Program, Scoring, Submission, TestGroup,
};

/// Names a file in a message: the file with its folder, such as `secret/1.ans`. A worker has its files in another place
/// than the author, and a message must not depend on the machine.
pub fn named(path: &Path) -> std::path::Display<'_> {
    let above = path.parent().and_then(Path::parent).filter(|above| above.parent().is_some());
    above.and_then(|above| path.strip_prefix(above).ok()).unwrap_or(path).display()
}

impl Program {
    /// All its files.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::File(path) | Self::Grammar(path) => vec![path.clone()],
            Self::Directory { path, files } | Self::Scripts { path, files } => {
                files.iter().map(|file| path.join(file)).collect()
            }
            Self::Command(_) => Vec::new(),
            Self::Outputs(files) => files.values().cloned().collect(),
            Self::PackedOutputs { archive, .. } => vec![archive.clone()],
        }
    }

    /// The program with its files in other places.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        match self {
            Self::File(path) => Self::File(to(&path)),
            Self::Directory { path, files } => Self::Directory { path: to(&path), files },
            Self::Scripts { path, files } => Self::Scripts { path: to(&path), files },
            Self::Grammar(path) => Self::Grammar(to(&path)),
            Self::Command(command) => Self::Command(command),
            Self::Outputs(files) => Self::Outputs(files.into_iter().map(|(test, file)| (test, to(&file))).collect()),
            Self::PackedOutputs { archive, files } => Self::PackedOutputs { archive: to(&archive), files },
        }
    }
}

impl Submission {
    /// The submission with its files in other places.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        Self { program: self.program.moved(to), ..self }
    }
}

impl Problem {
    /// The document that holds an answer alone. None if the answer is a file of its own, or came with its case.
    pub fn document_of_answer(&self, answer: &Path) -> Option<&Path> {
        let (group, _) = self.cases().find(|(group, case)| group.answer_of(case).as_deref() == Some(answer))?;
        match &group.document {
            Some(HeldIn::Answers(document)) => Some(document),
            Some(HeldIn::Cases(_) | HeldIn::UnitTests(_)) | None => None,
        }
    }

    /// The problem with its files in other places.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        // Every field is named, so that no new one is forgotten that holds a path.
        let Self {
            id,
            title,
            label,
            part,
            dir,
            layout,
            kind,
            judged_as,
            passes,
            second_run,
            limits,
            validation,
            timing,
            distances,
            checker,
            input_validators,
            output_validators,
            interactor,
            static_validator,
            visualizers,
            random_input,
            validator_flags,
            groups,
            submissions,
            helpers,
            reference,
            scoring,
            additions: Additions { include, constants, judges, headers, macros, languages },
            recipes,
            documents,
            validation_cases,
            testsets,
        } = self;
        let programs = |programs: Vec<JudgingProgram>| programs.into_iter().map(|program| program.moved(to)).collect();
        let group = |group: TestGroup| TestGroup { dir: to(&group.dir), ..group };
        let placed = |IncludedFiles { dir, files }| IncludedFiles { dir: to(&dir), files };
        let included = |(code, files)| (code, placed(files));
        Self {
            id,
            title,
            label,
            part,
            dir: to(&dir),
            layout,
            kind,
            judged_as,
            passes,
            second_run,
            limits,
            validation,
            timing,
            distances,
            checker,
            input_validators: programs(input_validators),
            output_validators: programs(output_validators),
            interactor: interactor.map(|program| program.moved(to)),
            static_validator: static_validator.map(|program| program.moved(to)),
            visualizers: visualizers.moved(to),
            random_input,
            validator_flags,
            groups: groups.into_iter().map(group).collect(),
            submissions: submissions.into_iter().map(|submission| submission.moved(to)).collect(),
            helpers: helpers
                .into_iter()
                .map(|Helper { role, program }| Helper { role, program: program.moved(to) })
                .collect(),
            reference,
            scoring: scoring.map(|scoring| match scoring {
                Scoring::Graded(grading) => {
                    let Grading { groups, points, program } = Grading::clone(&grading);
                    let program = program.map(|program| program.moved(to));
                    Scoring::Graded(Arc::new(Grading { groups, points, program }))
                }
                Scoring::Points(tree) => Scoring::Points(tree),
            }),
            additions: Additions {
                include: include.into_iter().map(included).collect(),
                constants,
                judges: judges.map(placed),
                headers: headers.into_iter().map(placed).collect(),
                macros,
                languages: languages.into_iter().map(|(path, language)| (to(&path), language)).collect(),
            },
            recipes: recipes.moved(to),
            documents: documents.iter().map(|document| to(document)).collect(),
            validation_cases: validation_cases.into_iter().map(|case| case.moved(to)).collect(),
            testsets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_a_file_without_the_folders_of_a_machine() {
        for (path, name) in [
            ("/cache/tree0/home/u/p/secret/1.ans", "secret/1.ans"),
            ("/home/u/p/secret/1.ans", "secret/1.ans"),
            ("/dev/null", "/dev/null"),
            ("1.ans", "1.ans"),
            ("the results of a group", "the results of a group"),
        ] {
            assert_eq!(named(Path::new(path)).to_string(), name);
        }
    }
}
