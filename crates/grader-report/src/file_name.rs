//! Names of files for anything that has a name, such as a submission or a student.

/// The longest name of a file, in bytes.
const MAX_PART: usize = 100;

/// Eight digits of a hash of a name.
pub(crate) fn short_hash(name: &str) -> String {
    blake3::hash(name.as_bytes()).to_hex()[..8].to_owned()
}

/// Returns a file name that is harmless in any directory and any terminal. A changed name gets a hash of the original,
/// so that different names stay different.
pub fn safe_name(name: &str) -> String {
    let harmless = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '.' | '@' | '=');
    let mut safe = String::new();
    for (i, c) in name.chars().enumerate() {
        let keep = harmless(c) && !(i == 0 && matches!(c, '.' | '-'));
        safe.push(if keep { c } else { '_' });
        if safe.len() > MAX_PART {
            safe.pop();
            break;
        }
    }
    if safe != name || name.is_empty() {
        safe.push('~');
        safe.push_str(&short_hash(name));
    }
    safe
}
