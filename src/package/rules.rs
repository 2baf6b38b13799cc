//! The rules for reading test data.

/// Whether every case must have a `.ans`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// Yes, as in the package format.
    Required,
    /// No. Without an answer, only the output validator judges, as in interactive problems.
    IfAny,
    /// No, and `.out` files count as answers too. A case without an answer is run and shown, not judged.
    Optional,
}

/// How test data is to be read.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// Which answers there must be.
    pub answers: Answers,
    /// Levels of directories that are looked into; 1 is the root alone.
    pub levels: usize,
    /// Whether the problem has an output validator of its own, so that arguments are for it.
    pub own_validator: bool,
    /// What the problem itself says that its output validator is called with.
    pub flags: Vec<String>,
    /// Whether `testdata.yaml` of the legacy format is understood; flags of groups are added to those of the problem.
    pub legacy: bool,
}

impl Rules {
    /// For a problem that nothing more is known about.
    pub(crate) fn new(answers: Answers, levels: usize) -> Self {
        Self { answers, levels, own_validator: false, flags: Vec::new(), legacy: false }
    }
}
