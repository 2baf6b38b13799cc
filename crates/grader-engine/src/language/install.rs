//! How to install a tool, by the package manager of the system.

use std::borrow::Cow;

use serde::Serialize;

/// The keys of [`Installation`] in the table of languages.
pub(super) const KEYS: [&str; 5] = ["apt", "dnf", "apk", "pacman", "other"];

/// The package manager of a family of Linux distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackageManager {
    /// Debian, Ubuntu.
    Apt,
    /// Fedora, Red Hat.
    Dnf,
    /// Alpine.
    Apk,
    /// Arch.
    Pacman,
}

impl PackageManager {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Apt, Self::Dnf, Self::Apk, Self::Pacman];

    /// The name of its program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apt => "apt",
            Self::Dnf => "dnf",
            Self::Apk => "apk",
            Self::Pacman => "pacman",
        }
    }

    /// The distribution that people know it from.
    pub const fn distribution(self) -> &'static str {
        match self {
            Self::Apt => "Debian",
            Self::Dnf => "Fedora",
            Self::Apk => "Alpine",
            Self::Pacman => "Arch",
        }
    }

    /// The command that installs packages, without their names.
    const fn command(self) -> &'static str {
        match self {
            Self::Apt => "apt install",
            Self::Dnf => "dnf install",
            Self::Apk => "apk add",
            Self::Pacman => "pacman -S",
        }
    }

    /// The package manager that the text of `/etc/os-release` implies: the distribution's own name goes before those of
    /// its relatives (`ID` and `ID_LIKE` of os-release(5)). None if the distribution is unknown.
    pub fn of(os_release: &str) -> Option<Self> {
        let value = |key: &str| {
            let line = os_release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
            line.unwrap_or_default().trim_matches(['"', '\'']).to_owned()
        };
        let known = |id: &str| match id {
            "debian" | "ubuntu" => Some(Self::Apt),
            "fedora" | "rhel" | "centos" => Some(Self::Dnf),
            "alpine" => Some(Self::Apk),
            "arch" => Some(Self::Pacman),
            _ => None,
        };
        known(&value("ID")).or_else(|| value("ID_LIKE").split_whitespace().find_map(known))
    }
}

/// How to install a tool: the names of its packages on some systems, separated by blanks, and advice for every system. Empty
/// texts say nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Installation {
    apt: Cow<'static, str>,
    dnf: Cow<'static, str>,
    apk: Cow<'static, str>,
    pacman: Cow<'static, str>,
    /// Advice for every system, such as the address of a download page.
    other: Cow<'static, str>,
}

impl Installation {
    /// A tool whose package has the same name everywhere; `other` as in the table.
    pub const fn new(package: &'static str, other: &'static str) -> Self {
        let [apt, dnf, apk, pacman, other] = [
            Cow::Borrowed(package),
            Cow::Borrowed(package),
            Cow::Borrowed(package),
            Cow::Borrowed(package),
            Cow::Borrowed(other),
        ];
        Self { apt, dnf, apk, pacman, other }
    }

    /// A tool whose packages are unknown.
    pub(super) fn from_advice(advice: String) -> Self {
        Self { other: advice.into(), ..Self::default() }
    }

    /// The packages of a system.
    pub fn packages(&self, manager: PackageManager) -> &str {
        match manager {
            PackageManager::Apt => &self.apt,
            PackageManager::Dnf => &self.dnf,
            PackageManager::Apk => &self.apk,
            PackageManager::Pacman => &self.pacman,
        }
    }

    /// The text of a key of the table: the packages of a system, or the advice for every system.
    pub(super) fn text_mut(&mut self, key: &str) -> Option<&mut Cow<'static, str>> {
        match key {
            "apt" => Some(&mut self.apt),
            "dnf" => Some(&mut self.dnf),
            "apk" => Some(&mut self.apk),
            "pacman" => Some(&mut self.pacman),
            "other" => Some(&mut self.other),
            _ => None,
        }
    }

    /// The advice for every system; may be empty.
    pub fn other(&self) -> &str {
        &self.other
    }

    /// The advice for a machine with this package manager: `apt install rustc cargo, or https://rustup.rs`. Without a known
    /// manager it is that for Debian, because every distribution has packages of similar names. Empty if nothing is known.
    pub fn advice(&self, manager: Option<PackageManager>) -> String {
        let manager = manager.unwrap_or(PackageManager::Apt);
        match (self.packages(manager), &*self.other) {
            ("", other) => other.to_owned(),
            (packages, "") => format!("{} {packages}", manager.command()),
            (packages, other) => format!("{} {packages}, or {other}", manager.command()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Languages;

    #[test]
    fn a_distribution_and_its_relatives_have_a_package_manager() {
        for (os_release, manager) in [
            ("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n", Some(PackageManager::Apt)),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", Some(PackageManager::Apt)),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", Some(PackageManager::Dnf)),
            ("ID=alpine\n", Some(PackageManager::Apk)),
            ("ID_LIKE='arch'\nID=manjaro\n", Some(PackageManager::Pacman)),
            ("ID=nixos\n", None),
            ("", None),
        ] {
            assert_eq!(PackageManager::of(os_release), manager, "{os_release}");
        }
    }

    #[test]
    fn every_language_has_advice_on_every_system() {
        for row in Languages::builtin().iter() {
            for manager in PackageManager::ALL {
                assert!(!row.install.advice(Some(manager)).is_empty(), "{}: {}", row.id, manager.name());
            }
        }
    }

    #[test]
    fn advice_names_the_packages_of_this_system_first() {
        let languages = Languages::builtin();
        let rust = &languages.get("rust").unwrap().install;
        assert_eq!(rust.advice(Some(PackageManager::Apt)), "apt install rustc cargo, or https://rustup.rs");
        assert_eq!(rust.advice(Some(PackageManager::Apk)), "apk add rust cargo, or https://rustup.rs");
        assert_eq!(rust.advice(None), rust.advice(Some(PackageManager::Apt)));
        let kotlin = &languages.get("kotlin").unwrap().install;
        assert_eq!(kotlin.advice(Some(PackageManager::Dnf)), "https://kotlinlang.org/docs/command-line.html");
    }
}
