//! Finds the version of a build tool that a wrapper in the project, such as `gradlew`, has installed.

use std::fs;
use std::path::{Path, PathBuf};

/// The project whose wrapper may have installed a tool.
pub(super) struct WrapperTool<'a> {
    /// The directory of the build file.
    pub(super) dir: &'a Path,
    /// The directory with the files of the project.
    pub(super) root: &'a Path,
    /// The cache of the tool.
    pub(super) cache: &'a Path,
}

/// For tools without wrappers.
pub(super) fn none(_: &WrapperTool<'_>) -> Option<PathBuf> {
    None
}

/// The distribution that `gradle-wrapper.properties` names (Gradle User Manual, "Gradle Wrapper").
pub(super) fn of_gradle(wrapped: &WrapperTool<'_>) -> Option<PathBuf> {
    let above = wrapped.dir.ancestors().take_while(|above| above.starts_with(wrapped.root));
    let mut files = above.map(|above| above.join("gradle/wrapper/gradle-wrapper.properties"));
    let text = fs::read_to_string(files.find(|file| file.is_file())?).ok()?;
    let url =
        text.lines().find_map(|line| line.trim().strip_prefix("distributionUrl")?.trim_start().strip_prefix('='))?;
    let name = url.rsplit('/').next()?.strip_suffix(".zip")?;
    let version = name.rsplit_once('-').map_or(name, |(version, _)| version);
    // Without the directory, the tool is not installed.
    let installed = fs::read_dir(wrapped.cache.join("wrapper/dists").join(name)).ok()?;
    let tools = installed.flatten().map(|entry| entry.path().join(version).join("bin/gradle"));
    tools.filter(|tool| tool.is_file()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_of_a_wrapper() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let found = || {
            let project = dir.path().join("p");
            let cache = dir.path().join("home");
            let found = of_gradle(&WrapperTool { dir: &project.join("day1"), root: &project, cache: &cache });
            found.map(|found| found.strip_prefix(&cache).unwrap().display().to_string())
        };
        assert_eq!(found(), None);
        let properties = "distributionBase=GRADLE_USER_HOME\n\
                          distributionUrl=https\\://services.gradle.org/distributions/gradle-8.5-bin.zip\n";
        put("p/gradle/wrapper/gradle-wrapper.properties", properties);
        assert_eq!(found(), None);
        put("home/wrapper/dists/gradle-8.5-bin/abc/gradle-8.5/bin/gradle", "");
        assert_eq!(found().as_deref(), Some("wrapper/dists/gradle-8.5-bin/abc/gradle-8.5/bin/gradle"));
    }
}
