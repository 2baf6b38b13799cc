//! Round trips through the readers of grader.
