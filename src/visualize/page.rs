//! Makes a page of the data that a visualiser wrote. This extends the package format, which knows only pictures.
//!
//! A visualiser writes data as JSON. The script that draws them is a file of the problem. So the text of a contestant
//! can reach the page only as data. The page's policy (Content Security Policy 3, W3C) permits only these scripts and
//! styles, each by its digest, and no requests.

use std::fs;
use std::io;
use std::path::Path;

use askama::Template;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::report::html::policy::policy;

/// The folder beside a visualiser with the script and the style of its pages.
pub(super) use crate::package::programs::PAGE as FOLDER;

/// The script and the style that all pages share.
const KIT: [&str; 2] = [include_str!("kit.js"), include_str!("kit.css")];
/// The most bytes of a script or style.
const MOST: u64 = 4 << 20;

/// The subject of a drawing.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Subject<'a> {
    /// The title of the problem.
    pub(crate) problem: &'a str,
    /// The test case.
    pub(crate) test: &'a str,
    /// The submission whose output is drawn.
    pub(crate) submission: Option<&'a str>,
}

/// Everything that the script of a page gets.
#[derive(Serialize)]
struct PageData<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    data: &'a RawValue,
}

#[derive(Template)]
#[template(path = "drawing.html")]
struct Page<'a> {
    policy: String,
    title: String,
    styles: Vec<&'a str>,
    body: &'a str,
    data: String,
    scripts: Vec<&'a str>,
}

/// Why a page cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    /// The visualiser wrote something that is not JSON.
    #[error("{name} is not JSON: {error}")]
    Json {
        /// The file.
        name: String,
        /// The syntax error.
        error: serde_json::Error,
    },
    /// The visualiser wrote a body that is not text.
    #[error("{0} is not UTF-8")]
    Text(String),
    /// The page has no script that draws the data.
    #[error("it wrote {name}, but there is no {FOLDER}/page.js beside it to draw that")]
    NoScript {
        /// The file.
        name: String,
    },
    /// A script or style cannot be used.
    #[error("{FOLDER}/{name}: {error}")]
    File {
        /// The file.
        name: &'static str,
        /// The cause.
        error: io::Error,
    },
    /// The template failed.
    #[error(transparent)]
    Template(#[from] askama::Error),
}

/// Makes the page `stem` of the data and the body that a visualiser wrote, at least one of which is there. `folder` has
/// the script and the style.
pub(super) fn make(
    stem: &str,
    data: Option<&[u8]>,
    body: Option<&[u8]>,
    folder: &Path,
    subject: &Subject<'_>,
) -> Result<String, PageError> {
    let [script, style] = [own(folder, "page.js")?, own(folder, "page.css")?];
    let [kit_script, kit_style] = KIT;
    let data = data.map(|bytes| {
        let name = || format!("{stem}.json");
        if script.is_none() {
            return Err(PageError::NoScript { name: name() });
        }
        let broken = |error| PageError::Json { name: name(), error };
        let data = serde_json::from_slice(bytes).map_err(broken)?;
        let text = serde_json::to_string(&PageData { subject: *subject, data }).map_err(broken)?;
        // In JSON this character stands only in texts. Without it, nothing ends the element.
        Ok(text.replace('<', "\\u003c"))
    });
    let body = body.map(|bytes| std::str::from_utf8(bytes).map_err(|_| PageError::Text(format!("{stem}.html"))));
    let styles: Vec<&str> = [kit_style].into_iter().chain(style.as_deref()).collect();
    let scripts: Vec<&str> = script.iter().flat_map(|own| [kit_script, own]).collect();
    let page = Page {
        policy: policy(&scripts, &styles, "'none'"),
        title: format!("{}, {}", subject.problem, subject.test),
        styles,
        body: body.transpose()?.unwrap_or_default(),
        data: data.transpose()?.unwrap_or_default(),
        scripts,
    };
    Ok(page.render()?)
}

/// A file of the problem for the page; none if it does not exist. A link could lead out of the problem.
fn own(folder: &Path, name: &'static str) -> Result<Option<String>, PageError> {
    let path = folder.join(name);
    let failed = |error| PageError::File { name, error };
    for part in [folder, &path] {
        match fs::symlink_metadata(part) {
            Ok(found) if found.is_symlink() => return Err(failed(io::Error::other("grader follows no link here"))),
            Ok(found) if found.is_file() && found.len() > MOST => {
                return Err(failed(io::ErrorKind::FileTooLarge.into()));
            }
            // A pipe would never end.
            Ok(found) if found.is_file() || found.is_dir() && part == folder => {}
            Ok(_) => return Err(failed(io::Error::other("it is not a plain file"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
    }
    let text = fs::read_to_string(&path).map_err(failed)?;
    // These end the element in which the text stands, also within a text of the script.
    if let Some(end) = ["</script", "<!--", "</style"].iter().find(|end| text.to_lowercase().contains(**end)) {
        return Err(failed(io::Error::other(format!("`{end}` cannot stand in it; write it in two parts"))));
    }
    Ok(Some(text))
}
