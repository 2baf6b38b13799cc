//! Pictures that pages may show: PNG, JPEG and SVG, each checked to be what its name says. None of them runs anything.

mod svg;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use svg::NoSvg;

/// The most bytes of one picture.
pub const MOST: u64 = 4 << 20;
/// The endings of pictures, with their media types (package format 2025-09, "Illustrations").
pub const KINDS: [(&str, &str); 4] =
    [("png", "image/png"), ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("svg", "image/svg+xml")];

/// A picture.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The name of its file.
    pub name: String,
    /// Its media type.
    pub media: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Why a file cannot be used as a picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Its content is of another type than its name says.
    #[error("{name} is not a picture of this kind")]
    Kind {
        /// The file.
        name: String,
    },
    /// It has a script, or something like it.
    #[error("{name} has {what}, and grader keeps no picture that acts")]
    Acts {
        /// The file.
        name: String,
        /// The active element or attribute.
        what: String,
    },
    /// It is too large.
    #[error("{name} is larger than {} MiB", MOST >> 20)]
    Large {
        /// The file.
        name: String,
    },
}

impl Picture {
    /// A picture with these bytes; none if its name is not that of a picture.
    pub fn of(name: &str, bytes: Vec<u8>) -> Result<Option<Self>, PictureError> {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
        let Some((ending, media)) = KINDS.into_iter().find(|(known, _)| *known == ending) else { return Ok(None) };
        if bytes.len() as u64 > MOST {
            return Err(PictureError::Large { name: name.to_owned() });
        }
        let name = || name.to_owned();
        let is_one = match ending {
            "png" => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
            "svg" => match svg::check(&bytes) {
                Ok(()) => true,
                Err(NoSvg::Other) => false,
                Err(NoSvg::Acts(what)) => return Err(PictureError::Acts { name: name(), what }),
            },
            _ => bytes.starts_with(b"\xff\xd8\xff"),
        };
        if !is_one {
            return Err(PictureError::Kind { name: name() });
        }
        Ok(Some(Self { name: name(), media, bytes }))
    }

    /// The address that holds the picture itself.
    pub fn address(&self) -> String {
        format!("data:{};base64,{}", self.media, STANDARD.encode(&self.bytes))
    }
}
