//! The sizes of pictures: the options of `\includegraphics`, as HTML has them.

/// The pixels of a page that is as large as A4 with its margins, as `page.rs` prints it.
const PAGE: [(&str, f64); 3] = [("\\paperwidth", 794.0), ("\\textheight", 809.0), ("\\paperheight", 1123.0)];
const UNITS: [(&str, f64); 10] = [
    ("cm", 37.8),
    ("mm", 3.78),
    ("in", 96.0),
    ("pt", 1.333),
    ("bp", 1.333),
    ("pc", 16.0),
    ("em", 16.0),
    ("ex", 8.0),
    ("px", 1.0),
    ("", 1.333),
];
/// The most pixels.
const MOST: f64 = 10_000.0;

/// The options of a picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PictureOptions<'t> {
    pub(super) width: Option<String>,
    pub(super) height: Option<String>,
    pub(super) alt: &'t str,
    /// The options that grader does not know.
    pub(super) unknown: Vec<&'t str>,
}

impl<'t> PictureOptions<'t> {
    pub(super) fn read(options: &'t str) -> Self {
        let mut read = Self::default();
        for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').map_or((option, ""), |(key, value)| (key.trim(), value.trim()));
            let value = value.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(value);
            let is_known = match key {
                "width" => {
                    read.width = share_of_line(value).or_else(|| pixels(value));
                    read.width.is_some()
                }
                "height" | "totalheight" => {
                    read.height = pixels(value);
                    read.height.is_some()
                }
                "alt" => {
                    read.alt = value;
                    true
                }
                // Pictures on pages always keep it, unless both sizes are stated.
                "keepaspectratio" => true,
                "scale" => value.parse() == Ok(1.0),
                _ => false,
            };
            if !is_known {
                read.unknown.push(option);
            }
        }
        read
    }
}

/// A share of the page, such as `0.4`, as HTML has it.
pub(super) fn percent(share: &str) -> Option<String> {
    let share: f64 = share.trim().parse().ok()?;
    (share > 0.0).then(|| format!("{:.0}%", share.min(1.0) * 100.0))
}

fn number_and_unit(length: &str) -> (&str, &str) {
    let unit = length.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = &length[..length.len() - unit.len()];
    (if number.is_empty() { "1" } else { number }, unit.trim())
}

/// A width that is a share of the line.
fn share_of_line(length: &str) -> Option<String> {
    let (number, unit) = number_and_unit(length);
    ["\\textwidth", "\\linewidth", "\\columnwidth", "\\hsize"].contains(&unit).then(|| percent(number)).flatten()
}

fn pixels(length: &str) -> Option<String> {
    let (number, unit) = number_and_unit(length);
    let (_, pixels) = PAGE.iter().chain(&UNITS).find(|(known, _)| *known == unit)?;
    let pixels = number.parse::<f64>().ok()? * pixels;
    (pixels > 0.0 && pixels < MOST).then(|| format!("{pixels:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_sizes() {
        for (options, width, height) in [
            ("width=0.5\\textwidth", Some("50%"), None),
            ("width=1.2\\linewidth", Some("100%"), None),
            ("height=5cm, keepaspectratio", None, Some("189")),
            ("width={2in},height=0.1\\textheight", Some("192"), Some("81")),
            ("alt=a cat", None, None),
        ] {
            let read = PictureOptions::read(options);
            assert_eq!((read.width.as_deref(), read.height.as_deref()), (width, height), "{options}");
            assert!(read.unknown.is_empty(), "{options}");
        }
        for options in ["scale=0.5", "angle=90", "width=\\dimexpr 5cm", "width=-1cm", "height=x", "page=2", "clip"] {
            assert_eq!(PictureOptions::read(options).unknown, [options]);
        }
    }
}
