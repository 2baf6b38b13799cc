//! The rules for reading test data.

/// Which cases must have an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// Every case must have a `.ans`, as in the package format.
    Required,
    /// Answers are optional. Without one, only the output validator judges, as in interactive problems.
    IfAny,
    /// Answers are optional, and may be `.out` files. A case without an answer runs and is shown, but not judged.
    Optional,
}

/// The rules for reading test data.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The required answers.
    pub answers: Answers,
    /// The number of directory levels that are read; 1 means only the root.
    pub levels: usize,
    /// Whether the problem has its own output validator, which then gets the arguments.
    pub own_validator: bool,
    /// The arguments that the problem itself states for its output validator.
    pub flags: Vec<String>,
    /// Whether `testdata.yaml` of the legacy format is read. Flags of groups are then added to those of the problem.
    pub legacy: bool,
    /// The name of the group of the root; the names of the groups below begin with it. Empty in packages.
    pub top: &'static str,
}

impl Rules {
    /// Creates rules for a problem about which nothing more is known.
    pub fn new(answers: Answers, levels: usize) -> Self {
        Self { answers, levels, own_validator: false, flags: Vec::new(), legacy: false, top: "" }
    }
}
