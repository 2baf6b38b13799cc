//! `grader doctor`: what it finds in each layer that this machine has, and how it tells what is not there.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use macro_rules_attribute::apply;
use tempfile::TempDir;

use crate::cli::need::Need;

/// Nobody: has no files, and no rights.
const NOBODY: u32 = 65534;

/// A directory that every user may enter, with the binary in it, an empty directory to stand in and one for what is temporary.
struct DoctorDirs(TempDir);

impl DoctorDirs {
    fn new() -> Self {
        let place = Self(tempfile::Builder::new().prefix("doctor-").tempdir().unwrap());
        crate::under_test::copy_grader(&place.path("grader")).unwrap();
        for (name, mode) in [("", 0o755), ("grader", 0o755), ("here", 0o755), ("tmp", 0o1777)] {
            if !place.path(name).exists() {
                fs::create_dir(place.path(name)).unwrap();
            }
            fs::set_permissions(place.path(name), Permissions::from_mode(mode)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `grader doctor`, behind the words of `before`.
    fn command(&self, before: &[&str], args: &[&str]) -> Command {
        let binary = self.path("grader").into_os_string();
        let mut words = before.iter().map(Into::into).chain([binary, "doctor".into()]);
        #[expect(clippy::disallowed_methods, reason = "the grader itself is started, not a submission")]
        let mut command = Command::new(words.next().unwrap());
        command.args(words).args(args).current_dir(self.path("here")).stdin(Stdio::null());
        command.env("TMPDIR", self.path("tmp")).env("COLUMNS", "80").env("NO_COLOR", "1");
        command
    }

    /// The names of the files that are left in it.
    fn left(&self) -> Vec<PathBuf> {
        let entries = ["here", "tmp"].into_iter().flat_map(|name| fs::read_dir(self.path(name)).unwrap());
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    #[track_caller]
    fn run(&self, args: &[&str]) -> DoctorOutput {
        DoctorOutput::by(self.command(&[], args))
    }
}

/// What the doctor said.
struct DoctorOutput {
    status: Option<i32>,
    said: String,
}

/// What the doctor says without arguments, and what it leaves behind: it takes some seconds, and several tests look at it.
static WHOLE: LazyLock<(DoctorOutput, Vec<PathBuf>)> = LazyLock::new(|| {
    let place = DoctorDirs::new();
    let told = place.run(&[]);
    let left = place.left();
    (told, left)
});

impl DoctorOutput {
    fn by(mut command: Command) -> Self {
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        Self { status: output.status.code(), said: String::from_utf8(said).unwrap() }
    }

    #[track_caller]
    fn says(&self, text: &str) -> &Self {
        assert!(self.has(text), "`{text}` is missing in\n{}", self.said);
        self
    }

    /// Whether it says so, however the lines are broken.
    fn has(&self, text: &str) -> bool {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        words(&self.said).contains(&words(text))
    }

    #[track_caller]
    fn status(&self, status: i32) -> &Self {
        assert_eq!(self.status, Some(status), "{}", self.said);
        self
    }

    /// The signs of one guarantee, from the strongest layer down.
    #[track_caller]
    fn signs(&self, guarantee: &str) -> Vec<&str> {
        let row = self.said.lines().find_map(|line| line.strip_prefix("    ")?.strip_prefix(guarantee));
        row.unwrap_or_else(|| panic!("no `{guarantee}` in\n{}", self.said)).split_whitespace().collect()
    }

    /// The rows of the table.
    fn rows(&self) -> usize {
        let table = self
            .said
            .lines()
            .skip_while(|line| !line.starts_with("Results of hostile"))
            .take_while(|line| !line.is_empty());
        table.filter(|line| line.starts_with("    ")).count()
    }
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn root_keeps_every_promise() {
    let (told, _) = &*WHOLE;
    told.says("✓ root `auto` selects this layer").says("· user only ordinary users can use it");
    if told.has("memory is sampled") {
        // A machine without control groups: the promise of this layer is broken, and that is said.
        told.status(1).says("✗ root").says("only sampled").says("FAIL");
        return;
    }
    let rows = told.rows();
    assert!(rows > 30, "{rows} in\n{}", told.said);
    told.status(0).says(&format!("PASS layer `root` keeps {rows} of its {rows} guarantees"));
    assert_eq!(told.signs("memory, the sum of its processes")[0], "✓");
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn an_ordinary_user_is_walled_in_and_memory_is_sampled() {
    let place = DoctorDirs::new();
    let mut command = place.command(&[], &[]);
    command.uid(NOBODY).gid(NOBODY);
    let told = DoctorOutput::by(command);
    told.status(0).says("· root only root can use it").says("sudo").says(&format!("user {NOBODY}"));
    if told.has("✓ user") {
        told.says("memory is sampled every 10 ms and not limited by the kernel")
            .says("give the user its own control groups as root")
            .says("PASS");
        assert_eq!(told.signs("memory, the sum of its processes"), ["·", "~", "·", "~", "~"]);
        assert_eq!(told.signs("reads no private file"), ["·", "✓", "·", "✓", "–"]);
        assert_eq!(told.signs("fills no disk"), ["·", "✓", "·", "–", "–"]);
    } else {
        told.says("→").says("✓ weak `auto` selects this layer");
    }
}

#[apply(cli_test)]
fn weak_says_what_it_lacks() {
    let told = DoctorDirs::new().run(&["--isolation", "weak"]);
    if told.has("Landlock") && told.has("layer does not work here") {
        told.status(1).says("→").says("FAIL this layer does not work here");
        return;
    }
    told.status(0).says("weak isolation:").says("do not judge untrusted code").says("PASS layer `weak` keeps");
    assert_eq!(told.signs("sees no process outside"), ["–"]);
    assert_eq!(told.signs("reaches no socket by its path"), ["–"]);
    assert_eq!(told.signs("memory, the sum of its processes"), ["~"]);
    assert_eq!(told.signs("reads no private file"), ["✓"]);
    assert!(!told.has("`auto` selects this layer"), "{}", told.said);
}

/// The programs themselves are put to the test: one that could do nothing anywhere would prove nothing.
#[apply(cli_test)]
fn every_hostile_program_works_where_nothing_holds_it() {
    let told = DoctorDirs::new().run(&["--isolation", "none"]);
    told.status(0).says("programs run with your own rights");
    for guarantee in [
        "sees no process outside",
        "signals no process outside",
        "reads no private file",
        "writes no file outside its box",
        "cannot change its input",
        "finds nothing of an earlier run",
        "reaches no port of this machine",
        "reaches no abstract socket",
        "reaches no socket by its path",
    ] {
        assert_eq!(told.signs(guarantee), ["–"], "{guarantee}\n{}", told.said);
    }
    for guarantee in ["leaves nothing running", "the number of its processes", "sleeping", "output", "terminal"] {
        assert_eq!(told.signs(guarantee), ["✓"], "{guarantee}\n{}", told.said);
    }
}

#[apply(cli_test)]
fn a_layer_that_is_not_there_is_explained() {
    let (layer, why) = if rustix::process::geteuid().is_root() {
        ("user", "only ordinary users can use it")
    } else {
        ("root", "only root can use it")
    };
    let told = DoctorDirs::new().run(&["--isolation", layer]);
    told.status(1).says(&format!("· {layer} {why}")).says("FAIL this layer does not work here");
    assert_eq!(told.signs("is never process 1"), ["·"]);
}

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("setpriv")])]
fn a_root_without_privileges_is_told_what_to_do() {
    let place = DoctorDirs::new();
    let told = DoctorOutput::by(place.command(&["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-all"], &[]));
    told.says("· root this root user lacks CAP_SYS_ADMIN")
        .says("docker run --privileged")
        .says("systempaths=unconfined");
    assert!(!told.has("✓ root"), "{}", told.said);
}

#[apply(cli_test)]
fn languages_are_listed() {
    let (told, _) = &*WHOLE;
    assert!(told.said.lines().any(|line| line == "Languages"), "{}", told.said);
    let shell = told.said.lines().find(|line| line.contains(" shell ")).unwrap_or_default();
    assert!(shell.contains("GNU bash") || shell.contains("bash is not installed"), "{shell:?}");
    // What is to be copied is never broken, all else fits.
    let table = told.said.lines().skip_while(|line| !line.starts_with("Results of hostile"));
    let widest = table.map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|widest| widest <= 80), "{widest:?} in\n{}", told.said);
}

#[apply(cli_test)]
fn nothing_is_left_behind() {
    let (_, left) = &*WHOLE;
    assert!(left.is_empty(), "{left:?}");
}

#[apply(cli_test)]
fn usage_errors_exit_2() {
    let place = DoctorDirs::new();
    place
        .run(&["--isolation", "bogus"])
        .status(2)
        .says("invalid value 'bogus'")
        .says("[possible values: auto, root, user, users, weak, none]");
    place.run(&["--isolation", "rot"]).status(2).says("a similar value exists: 'root'");
    place.run(&["--bogus"]).status(2);
    place.run(&["--help"]).status(0).says("Exit status").says("--isolation <LAYER>");
    fs::write(place.path("here/grader.toml"), "time_facto = 2\n").unwrap();
    place.run(&[]).status(2).says("unknown key `time_facto`");
}
