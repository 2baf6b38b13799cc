//! Reads facts about this machine from the system.

/// The current time in RFC 3339, UTC.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}

/// The name of this machine in its network.
pub fn name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The processor's name, if known. Times are comparable only on the same processor.
pub fn processor() -> String {
    // Some systems have no such line; the architecture is used then.
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(std::env::consts::ARCH);
    name.trim_start_matches([' ', '\t', ':']).to_owned()
}
