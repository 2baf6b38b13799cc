//! The students of a class, and how their results become grades.

use std::collections::BTreeMap;
use std::time::Duration;

use grader_model::course::LatePenalty;
use grader_model::problem::ProblemId;
use serde::{Deserialize, Serialize};

/// A student of the roster, or of a platform's export.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RosterStudent {
    /// The name under which reports list the student: the author of the submissions, or the id if there are none.
    pub student: String,
    /// The id in the roster, or else the platform's.
    pub id: String,
    /// The identifier in the list of the platform, if it is more than the id: `Participant 12` at Moodle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed_as: Option<String>,
    /// The login beside the id, if the roster states both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<String>,
    /// Canvas' `SIS User ID`, if the roster states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sis_id: Option<String>,
    /// The name in the roster, or else the platform's; empty if neither states one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The last name, if the platform's export states it: `von der Berg`, of several words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// The group, if the roster states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The team, if the roster states one. What one member submits counts for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The factor of the student's time limits, if the roster states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra_time: Option<f64>,
    /// The time of the submission in ISO 8601, as the roster states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<String>,
    /// When the platform's list says that a grade was last changed, as the list has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graded: Option<String>,
    /// The grade that Moodle's worksheet already states, as the list has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_grade: Option<String>,
    /// By how much the deadline is later for the student, or until when, if the roster states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
    /// The time from the deadline to the submission, seconds; zero if it was in time. None without a deadline or without
    /// `submitted`.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::seconds::optional")]
    pub late: Option<Duration>,
    /// The most points that the platform's list states for this student, if it states others for other students.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// The headings of the columns of grades in which the platform's list excuses the student: `EX` at Canvas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excused: Vec<String>,
}

impl RosterStudent {
    /// An id or a path of the student, with the name if that says more: `331/sum.py (Bo Fox)`.
    pub fn named_after(&self, text: &str) -> String {
        if text.contains(&self.name) { text.to_owned() } else { format!("{text} ({})", self.name) }
    }

    /// The identifier without the number at its end: `Participant ` of Moodle.
    pub fn listed_word(&self) -> Option<&str> {
        Some(self.listed_as.as_deref()?.trim_end_matches(|c: char| c.is_ascii_digit()))
    }

    /// Whether the number in the identifier is another than the id, as in Moodle's list of participants.
    pub fn has_other_number(&self) -> bool {
        let number = self.listed_as.as_deref().zip(self.listed_word()).and_then(|(all, word)| all.strip_prefix(word));
        number.is_some_and(|number| number != self.id)
    }
}

/// How a verdict becomes the grade of a student. A problem without points is worth one point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GradePolicy {
    /// Whether a problem without points gives each accepted test its share of the point; otherwise only AC gets the
    /// point.
    pub partial: bool,
    /// The points of the problem are multiplied by this.
    pub weight: f64,
    /// The cost of lateness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<LatePenalty>,
}

impl Default for GradePolicy {
    fn default() -> Self {
        Self { partial: false, weight: 1.0, late: None }
    }
}

impl GradePolicy {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A column of grades in the list of a platform that was read as the roster. The file for this platform has it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GradeColumn {
    /// The name of the platform's report format.
    pub platform: String,
    /// The heading as the platform wrote it.
    pub heading: String,
    /// The problem; none for the total.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemId>,
    /// The most points that the platform gives; points are scaled to it. None if the list does not say it, or if points are
    /// not scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// The other headings that the file has again, by what they are called in English.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headings: BTreeMap<String, String>,
    /// Whether the list writes `7,5` for 7.5.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decimal_comma: bool,
}

/// A grade that a person changed by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Override {
    /// The student, as reports list them.
    pub student: String,
    /// The problem; none for the total.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemId>,
    /// The new points, or the points that are added.
    pub amount: Amount,
    /// Why.
    pub reason: String,
    /// The person who decided it; empty if the file names none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
}

/// The effect of an override.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Amount {
    /// These are the points.
    Points(f64),
    /// These are added, or taken away if negative.
    Added(f64),
}
