//! The reasons why submissions cannot be judged.

/// Why a submission cannot be judged. The details were already reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    /// It contains no source of a known language.
    #[error("no program")]
    NoProgram,
    /// It is nothing but text of an online form.
    #[error("no file")]
    NoFile,
    /// It is larger than a submission may be.
    #[error("too large")]
    TooLarge,
    /// It is an archive or a folder without any file.
    #[error("empty")]
    Empty,
    /// No submitted file has the name of a case.
    #[error("no output")]
    NoOutput,
    /// It is a refused archive, or contains nothing else.
    #[error("archive refused")]
    Refused,
    /// It is a symbolic link, a pipe or a device, which grader does not open.
    #[error("link")]
    Link,
    /// It is a file or directory that grader may not read, or contains nothing else.
    #[error("cannot be read")]
    Unreadable,
    /// The student submitted several for one problem.
    #[error("ambiguous")]
    Ambiguous,
    /// Different submissions name the student as an author.
    #[error("several authors")]
    SeveralAuthors,
    /// Its path names more than one student or problem.
    #[error("ambiguous")]
    Unclear,
    /// It belongs to no problem.
    #[error("no such problem")]
    NoSuchProblem,
    /// The problem is broken, or grader failed.
    #[error("not judged")]
    NotJudged,
    /// The problem has no time limit.
    #[error("no time limit")]
    NoTimeLimit,
    /// The submissions of this student of the roster cannot be distinguished from those of others.
    #[error("not identified")]
    NotIdentified,
    /// Something outside of the layout has the name of this student of the roster.
    #[error("outside the layout")]
    OutsideLayout,
}
