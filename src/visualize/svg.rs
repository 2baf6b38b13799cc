//! Pictures in SVG that would do something if somebody opened them by themselves. In a page they are harmless, because
//! browsers run nothing in an image (SVG Integration, "secure static mode").

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Elements that run scripts or bring in other documents.
const ACTIVE: [&str; 8] = ["script", "handler", "listener", "foreignobject", "iframe", "object", "embed", "meta"];

/// Why a text is no picture that grader keeps.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoSvg {
    /// It is not SVG.
    Other,
    /// It has something that acts, such as `onload`.
    Acts(String),
}

/// Checks a picture.
pub(super) fn check(bytes: &[u8]) -> Result<(), NoSvg> {
    let text = std::str::from_utf8(bytes).map_err(|_| NoSvg::Other)?;
    let mut reader = Reader::from_str(text);
    let mut has_root = false;
    loop {
        match reader.read_event().map_err(|_| NoSvg::Other)? {
            Event::Start(element) | Event::Empty(element) => {
                let name = String::from_utf8_lossy(element.local_name().as_ref()).to_lowercase();
                if !has_root && name != "svg" {
                    return Err(NoSvg::Other);
                }
                has_root = true;
                if ACTIVE.contains(&name.as_str()) {
                    return Err(NoSvg::Acts(format!("<{name}>")));
                }
                attributes(&element)?;
            }
            Event::DocType(text) if text.windows(8).any(|part| part.eq_ignore_ascii_case(b"<!ENTITY")) => {
                return Err(NoSvg::Acts("<!ENTITY>".to_owned()));
            }
            Event::PI(text) if text.starts_with(b"xml-stylesheet") => {
                return Err(NoSvg::Acts("<?xml-stylesheet>".to_owned()));
            }
            Event::Eof => return if has_root { Ok(()) } else { Err(NoSvg::Other) },
            _ => {}
        }
    }
}

fn attributes(element: &BytesStart<'_>) -> Result<(), NoSvg> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| NoSvg::Other)?;
        let name = String::from_utf8_lossy(attribute.key.local_name().as_ref()).to_lowercase();
        if name.starts_with("on") {
            return Err(NoSvg::Acts(name));
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| NoSvg::Other)?;
        // Browsers ignore white space and control characters in the scheme of an address.
        let plain: String = value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
        let plain = plain.to_lowercase();
        if plain.contains("javascript:") || plain.contains("data:text/html") {
            return Err(NoSvg::Acts(format!("{name}=\"javascript:\"")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_kept_and_what_acts_is_not() {
        let svg = |inside: &str| format!("<?xml version='1.0'?>\n<!DOCTYPE svg>\n<svg xmlns='x'>{inside}</svg>");
        for fine in
            ["", "<rect width='1'/>", "<style>p { color: red }</style>", "<a href='#x'>on</a>", "<text>onload=</text>"]
        {
            assert_eq!(check(svg(fine).as_bytes()), Ok(()), "{fine}");
        }
        for (acts, what) in [
            ("<script>1</script>", "<script>"),
            ("<x:SCRIPT/>", "<script>"),
            ("<foreignObject/>", "<foreignobject>"),
            ("<rect onload='1'/>", "onload"),
            ("<g OnClick='1'/>", "onclick"),
            ("<a xlink:href='java&#10;script:1'/>", "href=\"javascript:\""),
            ("<set to=' JavaScript:1'/>", "to=\"javascript:\""),
            ("<?xml-stylesheet href='x'?>", "<?xml-stylesheet>"),
        ] {
            assert_eq!(check(svg(acts).as_bytes()), Err(NoSvg::Acts(what.to_owned())), "{acts}");
        }
        let entity = "<!DOCTYPE svg [<!ENTITY x '<script/>'>]><svg>&x;</svg>";
        assert_eq!(check(entity.as_bytes()), Err(NoSvg::Acts("<!ENTITY>".to_owned())));
        for other in ["", "not a picture", "<html><svg/></html>", "<svg><rect></svg>", "<svg a=1/>"] {
            assert_eq!(check(other.as_bytes()), Err(NoSvg::Other), "{other}");
        }
        assert_eq!(check(b"<svg>\xff</svg>"), Err(NoSvg::Other));
    }
}
