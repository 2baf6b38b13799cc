//! What the system tells about this machine.

/// The time of day, RFC 3339, UTC.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}

/// The processor's name, where the system tells: times are compared only on the same kind.
pub fn processor() -> String {
    // Not there on every system: the architecture has to do.
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(std::env::consts::ARCH);
    name.trim_start_matches([' ', '\t', ':']).to_owned()
}
