//! Refuses pictures in SVG that would run something if a user opened them by themselves. In a page they are harmless, because
//! browsers run nothing in an image (SVG Integration, "secure static mode").

use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::{NsReader, XmlVersion};

const SVG: &[u8] = b"http://www.w3.org/2000/svg";
const XHTML: &[u8] = b"http://www.w3.org/1999/xhtml";
/// Elements of SVG that run scripts or bring in other documents.
const ACTIVE: [&str; 6] = ["script", "handler", "listener", "foreignobject", "iframe", "discard"];

/// The reason why grader does not keep a picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoSvg {
    /// It is not SVG.
    Other,
    /// It has something that acts, such as `onload`.
    Acts(String),
}

/// Checks a picture. It refuses document types and other encodings too, because they could hide something.
pub(super) fn check(bytes: &[u8]) -> Result<(), NoSvg> {
    let text = std::str::from_utf8(bytes).map_err(|_| NoSvg::Other)?;
    let mut reader = NsReader::from_str(text);
    let mut has_root = false;
    let mut style_depth = 0_usize;
    let mut depth = 0_usize;
    loop {
        let (namespace, event) = reader.read_resolved_event().map_err(|_| NoSvg::Other)?;
        let is_in = |wanted: &[u8]| matches!(namespace, ResolveResult::Bound(bound) if bound.as_ref() == wanted);
        match event {
            Event::Start(ref element) | Event::Empty(ref element) => {
                let name = String::from_utf8_lossy(element.local_name().as_ref()).to_lowercase();
                if !has_root && (name != "svg" || !is_in(SVG)) || has_root && depth == 0 {
                    return Err(NoSvg::Other);
                }
                has_root = true;
                depth += usize::from(matches!(event, Event::Start(_)));
                if is_in(XHTML) || is_in(SVG) && ACTIVE.contains(&name.as_str()) {
                    return Err(NoSvg::Acts(format!("<{name}>")));
                }
                attributes(element, &name)?;
                style_depth += usize::from(name == "style" && matches!(event, Event::Start(_)));
            }
            Event::End(ref element) => {
                depth = depth.saturating_sub(1);
                let is_style = element.local_name().as_ref().eq_ignore_ascii_case(b"style");
                style_depth = style_depth.saturating_sub(usize::from(is_style));
            }
            Event::Text(ref text) if style_depth > 0 => css(&String::from_utf8_lossy(text))?,
            Event::CData(ref text) if style_depth > 0 => css(&String::from_utf8_lossy(text))?,
            // Within a style, that could be part of an address.
            Event::GeneralRef(_) if style_depth > 0 => return Err(NoSvg::Acts("an entity in its style".to_owned())),
            Event::Decl(ref declaration) => match declaration.encoding() {
                None => {}
                Some(Ok(encoding)) if encoding.eq_ignore_ascii_case(b"utf-8") => {}
                Some(_) => return Err(NoSvg::Acts("an encoding other than UTF-8".to_owned())),
            },
            Event::DocType(ref text) if text.contains(&b'[') => {
                return Err(NoSvg::Acts("a document type of its own".to_owned()));
            }
            Event::PI(ref text) if text.starts_with(b"xml-stylesheet") => {
                return Err(NoSvg::Acts("<?xml-stylesheet>".to_owned()));
            }
            // Browsers show nothing of a picture that ends early.
            Event::Eof => return if has_root && depth == 0 { Ok(()) } else { Err(NoSvg::Other) },
            _ => {}
        }
    }
}

fn attributes(element: &BytesStart<'_>, of: &str) -> Result<(), NoSvg> {
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| NoSvg::Other)?;
        if attribute.key.as_namespace_binding().is_some() {
            continue;
        }
        let name = String::from_utf8_lossy(attribute.key.local_name().as_ref()).to_lowercase();
        if name.starts_with("on") {
            return Err(NoSvg::Acts(name));
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|_| NoSvg::Other)?;
        // Browsers ignore white space and control characters in the scheme of an address.
        let plain: String = value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
        let plain = plain.to_lowercase();
        if plain.contains("javascript:") || plain.contains("data:text") {
            return Err(NoSvg::Acts(format!("{name}=\"javascript:\"")));
        }
        // A link is followed only after a click.
        let is_address = matches!(&*name, "href" | "src" | "from" | "to" | "values" | "by") && of != "a";
        if is_address && (name == "href" || name == "src") && !is_inside(&plain) || is_address && plain.contains("//") {
            return Err(NoSvg::Acts(format!("an address in {name}")));
        }
        if plain.contains("url(") || name == "style" {
            css(&plain)?;
        }
    }
    Ok(())
}

/// Whether an address names a part of the picture, or has the data itself.
fn is_inside(address: &str) -> bool {
    address.is_empty() || address.starts_with('#') || address.starts_with("data:image/") && !address.contains("svg")
}

/// Refuses a style that brings in something.
fn css(text: &str) -> Result<(), NoSvg> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let mut addresses = plain.split("url(").skip(1);
    let is_inside = |address: &str| is_inside(address.trim_start_matches(['"', '\'']));
    if plain.contains('\\') || ["@import", "image-set", "image(", "src("].iter().any(|word| plain.contains(word)) {
        return Err(NoSvg::Acts("an address in its style".to_owned()));
    }
    if addresses.all(is_inside) { Ok(()) } else { Err(NoSvg::Acts("an address in its style".to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_kept_and_what_acts_is_not() {
        let svg = |inside: &str| {
            let xmlns = "xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/2000/svg' xmlns:l='l' \
                xmlns:i='http://www.inkscape.org/i' xmlns:h='http://www.w3.org/1999/xhtml'";
            format!(
                "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE svg PUBLIC 'a' 'b'>\n<svg {xmlns}>{inside}</svg>"
            )
        };
        for fine in [
            "",
            "<rect width='1' fill='url(#g)'/>",
            "<style>p { color: red; fill: url('#g') }</style>",
            "<a href='https://example.org'>on</a>",
            "<text>onload= http://x</text>",
            "<use href='#x'/><image href='data:image/png;base64,AA'/>",
            "<metadata><i:script about='http://x'/></metadata>",
        ] {
            assert_eq!(check(svg(fine).as_bytes()), Ok(()), "{fine}");
        }
        for (acts, what) in [
            ("<script>1</script>", "<script>"),
            ("<x:SCRIPT/>", "<script>"),
            ("<foreignObject/>", "<foreignobject>"),
            ("<h:frameset><h:frame src='data:image/svg+xml,x'/></h:frameset>", "<frameset>"),
            ("<rect onload='1'/>", "onload"),
            ("<g OnClick='1'/>", "onclick"),
            ("<a l:href='java&#10;script:1'/>", "href=\"javascript:\""),
            ("<set to=' JavaScript:1'/>", "to=\"javascript:\""),
            ("<set to='http://x'/>", "an address in to"),
            ("<image href='http://x'/>", "an address in href"),
            ("<image l:href='x.png'/>", "an address in href"),
            ("<use href='data:image/svg+xml,x'/>", "an address in href"),
            ("<rect style='fill: url(http://x)'/>", "an address in its style"),
            ("<rect cursor='url(x)'/>", "an address in its style"),
            ("<style>@import 'x';</style>", "an address in its style"),
            ("<style><![CDATA[p { background: u\\72l(x) }]]></style>", "an address in its style"),
            ("<?xml-stylesheet href='x'?>", "<?xml-stylesheet>"),
        ] {
            assert_eq!(check(svg(acts).as_bytes()), Err(NoSvg::Acts(what.to_owned())), "{acts}");
        }
        let root = "<svg xmlns='http://www.w3.org/2000/svg'/>";
        for own in ["[<!ENTITY x '<script/>'>]", "[<!ATTLIST svg onload CDATA 'alert(1)'>]"] {
            let text = format!("<!DOCTYPE svg {own}>{root}");
            assert_eq!(check(text.as_bytes()), Err(NoSvg::Acts("a document type of its own".to_owned())), "{own}");
        }
        let encoded = format!("<?xml version='1.0' encoding='iso-2022-jp'?>{root}");
        assert_eq!(check(encoded.as_bytes()), Err(NoSvg::Acts("an encoding other than UTF-8".to_owned())));
        let others =
            ["", "not a picture", "<html><svg/></html>", "<svg/>", "<svg xmlns='http://www.w3.org/2000/svg'><r></svg>"];
        for other in others {
            assert_eq!(check(other.as_bytes()), Err(NoSvg::Other), "{other}");
        }
        assert_eq!(check(b"<svg xmlns='http://www.w3.org/2000/svg'>\xff</svg>"), Err(NoSvg::Other));
    }
}
