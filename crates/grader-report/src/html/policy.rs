//! The policy of a page (Content Security Policy 3, W3C).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// A policy that lets only these scripts and styles take effect, each named by its digest. `connect` is where the scripts
/// may ask: `'none'` or `'self'`.
pub fn policy(scripts: &[&str], styles: &[&str], connect: &str) -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src {connect}; base-uri 'none'; \
         form-action 'none'",
        sources(scripts),
        sources(styles),
    )
}

fn sources(texts: &[&str]) -> String {
    let source = |text: &&str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    let sources: Vec<String> = texts.iter().map(source).collect();
    if sources.is_empty() { "'none'".to_owned() } else { sources.join(" ") }
}
