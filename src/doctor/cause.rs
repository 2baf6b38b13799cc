//! Explains why a layer of isolation, or a part of it, is not available on this machine. Lists the commands that change
//! it.

use std::path::Path;

use super::machine::Machine;
use crate::sandbox::{Controller, Isolation, Missing, MissingCause, Part, SandboxError, Wall};
use crate::session::isolation::cause as cause_of;

/// A reason and its remedy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cause {
    /// The reason.
    pub(crate) why: String,
    /// The remedy; empty if nothing helps.
    pub(crate) remedy: String,
    /// The commands to type for it, line by line.
    pub(crate) commands: Vec<String>,
}

impl Cause {
    fn new(why: impl Into<String>, remedy: &str, commands: &[&str]) -> Self {
        let commands = commands.iter().map(|line| (*line).to_owned()).collect();
        Self { why: why.into(), remedy: remedy.to_owned(), commands }
    }
}

/// The first Linux version with `mount_setattr(2)`.
const OLDEST_WITH_NAMESPACES: (u32, u32) = (5, 12);
/// The first Linux version with Landlock.
const OLDEST_WITH_LANDLOCK: (u32, u32) = (5, 13);

/// The options that a container needs for layer `user`.
const UNCONFINED: &str = "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
     --security-opt systempaths=unconfined …";

/// Why a layer could not be set up.
pub(crate) struct Failure {
    message: String,
    part: Option<Part>,
    is_forbidden: bool,
}

impl Failure {
    /// Extracts the message and the failed part from the error of a slot.
    pub(crate) fn of(error: &SandboxError) -> Self {
        Self { message: cause_of(error), part: error.part(), is_forbidden: error.is_forbidden() }
    }

    fn is_about(&self, part: Part) -> bool {
        self.part == Some(part)
    }
}

/// Explains why a layer is not available.
pub(crate) fn of_layer(isolation: Isolation, failure: &Failure, machine: &Machine) -> Cause {
    let cause = match isolation {
        Isolation::Root => of_root(failure, machine),
        Isolation::User => of_user(failure, machine),
        Isolation::Users => of_users(failure, machine),
        Isolation::Weak => of_weak(failure, machine),
        Isolation::None => None,
    };
    cause.unwrap_or_else(|| of_place(failure).unwrap_or_else(|| Cause::new(&failure.message, "", &[])))
}

fn of_root(failure: &Failure, machine: &Machine) -> Option<Cause> {
    if machine.user != 0 {
        let start = format!("sudo {} doctor", machine.binary.display());
        return Some(Cause::new("only root can use it", "start grader as root if you want this layer:", &[&start]));
    }
    if !machine.may_administrate {
        let why = "this root user lacks CAP_SYS_ADMIN, as in an unprivileged container";
        return Some(Cause::new(
            why,
            "layer `users` needs none; for this one start the container with all privileges, or run grader in it as an \
             ordinary user (layer `user`):",
            &["docker run --privileged …", UNCONFINED],
        ));
    }
    if failure.is_forbidden && (machine.is_filtered || machine.is_container) {
        let why = format!("the container refuses it: {}", failure.message);
        return Some(Cause::new(why, "start the container with all privileges:", &["docker run --privileged …"]));
    }
    of_locks(failure).or_else(|| of_kernel(failure, machine))
}

fn of_user(failure: &Failure, machine: &Machine) -> Option<Cause> {
    if machine.user == 0 {
        return Some(Cause::new("only ordinary users can use it; root has layer `root`", "", &[]));
    }
    if machine.most_user_namespaces == Some(0) {
        return Some(switched_off("user.max_user_namespaces", 65536));
    }
    if !failure.is_forbidden {
        return of_kernel(failure, machine);
    }
    if machine.users_may_clone == Some(false) {
        return Some(switched_off("kernel.unprivileged_userns_clone", 1));
    }
    if machine.apparmor_restricts {
        return Some(of_apparmor(machine));
    }
    if machine.is_chroot {
        let why = "the kernel creates no user namespaces in a chroot";
        return Some(Cause::new(why, "run grader outside of it, or in a container", &[]));
    }
    if machine.is_filtered || machine.is_container || machine.masks_proc {
        let masked = failure.is_about(Part::Proc) && machine.masks_proc;
        let why = if masked {
            "the container hides parts of /proc, so the kernel allows no new /proc".to_owned()
        } else {
            format!("the container refuses it: {}", failure.message)
        };
        let remedy = "start the container like this (in podman, `unmask=ALL` replaces `systempaths=unconfined`):";
        return Some(Cause::new(why, remedy, &[UNCONFINED]));
    }
    // A chroot whose root is a mount looks like any other root.
    let remedy = "run grader outside of any chroot, security module or sandbox that may refuse it";
    failure.is_about(Part::UserNamespace).then(|| Cause::new(&failure.message, remedy, &[]))
}

fn of_users(failure: &Failure, machine: &Machine) -> Option<Cause> {
    if machine.user != 0 {
        return Some(Cause::new("only root can use it; other users have layer `user`", "", &[]));
    }
    if failure.is_about(Part::Capabilities) {
        let commands = ["docker run --cap-add CHOWN --cap-add SETUID --cap-add SETGID --cap-add KILL …"];
        return Some(Cause::new(&failure.message, "start the container with these capabilities:", &commands));
    }
    of_locks(failure).or_else(|| of_weak(failure, machine))
}

/// The lock files of users, which every grader of root needs.
fn of_locks(failure: &Failure) -> Option<Cause> {
    let commands = ["docker run --tmpfs /run …"];
    let cause = || Cause::new(&failure.message, "make /run writable; in a container:", &commands);
    failure.is_about(Part::Locks).then(cause)
}

fn switched_off(setting: &str, value: u32) -> Cause {
    let now = format!("sudo sysctl -w {setting}={value}");
    let always = format!("echo {setting}={value} | sudo tee /etc/sysctl.d/90-grader.conf");
    let why = format!("ordinary users may not create user namespaces: {setting} is 0");
    Cause::new(why, "allow it, now and after each boot:", &[&now, &always])
}

/// Uses the same form as Ubuntu's `AppArmor` profiles for browsers.
fn of_apparmor(machine: &Machine) -> Cause {
    if machine.is_container {
        let why = "AppArmor on the container's host prevents ordinary users from using user namespaces";
        let commands = ["sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0", UNCONFINED];
        return Cause::new(why, "lift that on the host, and start the container like this:", &commands);
    }
    let profile = format!("profile grader \"{}\" flags=(unconfined) {{", machine.binary.display());
    Cause::new(
        "AppArmor prevents ordinary users from using user namespaces \
         (kernel.apparmor_restrict_unprivileged_userns is 1, as on Ubuntu since 23.10)",
        "allow it for this grader binary:",
        &[
            "sudo tee /etc/apparmor.d/grader <<'END'",
            "abi <abi/4.0>,",
            "include <tunables/global>",
            &profile,
            "  userns,",
            "}",
            "END",
            "sudo apparmor_parser -r /etc/apparmor.d/grader",
        ],
    )
}

fn of_weak(failure: &Failure, machine: &Machine) -> Option<Cause> {
    if !failure.is_about(Part::Landlock) {
        return of_kernel(failure, machine);
    }
    if machine.is_older_than(OLDEST_WITH_LANDLOCK) {
        let why = format!("Linux {} has no Landlock", machine.kernel);
        return Some(Cause::new(
            why,
            "update to Linux 5.13 or newer; only 6.12 or newer gives all guarantees of this layer",
            &[],
        ));
    }
    match &machine.modules {
        Some(modules) if !modules.split(',').any(|module| module == "landlock") => {
            let parameter = format!("lsm=landlock,{modules}");
            let remedy = "add this to the kernel's command line (GRUB_CMDLINE_LINUX in /etc/default/grub, then \
                          `sudo update-grub`) and reboot:";
            Some(Cause::new("Landlock is not among the kernel's security modules", remedy, &[&parameter]))
        }
        _ if machine.is_filtered => {
            let why = "the container's system call filter blocks Landlock";
            let commands = ["docker run --security-opt seccomp=unconfined …"];
            Some(Cause::new(why, "update Docker (20.10.10 or newer allows it), or:", &commands))
        }
        _ => {
            let remedy = "use a kernel with CONFIG_SECURITY_LANDLOCK and `lsm=landlock,…` on its command line";
            Some(Cause::new("this kernel has no Landlock", remedy, &[]))
        }
    }
}

fn of_kernel(failure: &Failure, machine: &Machine) -> Option<Cause> {
    if failure.is_about(Part::Filter) {
        let why = format!("{}: grader does not know the system call numbers of this processor", failure.message);
        return Some(Cause::new(why, "use a machine with an x86-64 or AArch64 processor", &[]));
    }
    let (major, minor) = OLDEST_WITH_NAMESPACES;
    if !machine.is_older_than(OLDEST_WITH_NAMESPACES) {
        return None;
    }
    let why = format!("Linux {} is too old: {}", machine.kernel, failure.message);
    Some(Cause::new(why, &format!("update to Linux {major}.{minor} or newer"), &[]))
}

/// Recognises a temporary directory that does not allow programs to run. This failure is independent of the layer.
fn of_place(failure: &Failure) -> Option<Cause> {
    let cannot_run = failure.is_about(Part::Program) && failure.is_forbidden;
    let remedy =
        "name another temporary directory; this one does not allow programs to run (it may be mounted `noexec`):";
    cannot_run.then(|| Cause::new(&failure.message, remedy, &["TMPDIR=\"$HOME\" grader doctor"]))
}

/// Explains why control groups lack a feature. `missing` has one reason for each controller. None if nothing is
/// missing.
pub(crate) fn of_groups(missing: &[Missing], machine: &Machine) -> Option<Cause> {
    if missing.is_empty() {
        return None;
    }
    let sampled = missing.iter().any(|missing| missing.includes(Controller::Memory));
    let head = if sampled { "memory is sampled every 10 ms and not limited by the kernel; " } else { "" };
    let lines: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let why = format!("{head}control groups lack\n{}", lines.join("\n"));
    let binary = machine.binary.display();
    if machine.has_systemd {
        let user = if machine.user == 0 { "" } else { "--user " };
        let command = format!("systemd-run {user}--scope -p Delegate=yes {binary} doctor");
        return Some(Cause::new(why, "start grader in its own control group:", &[&command]));
    }
    if machine.user == 0
        && let Some(group) = missing.iter().find_map(|missing| shared(&missing.cause))
    {
        let remedy = "move them to a group below it, so that grader can create its own beside it:";
        return Some(Cause { why, remedy: remedy.to_owned(), commands: make_room(group) });
    }
    if machine.is_container && machine.user == 0 {
        return Some(Cause::new(why, "give the container its own control groups:", &["docker run --privileged …"]));
    }
    if machine.user == 0 {
        return Some(Cause::new(why, "mount the control group file systems, and make them writable", &[]));
    }
    let remedy = "give the user its own control groups as root, and start grader in them:";
    Some(Cause { why, remedy: remedy.to_owned(), commands: delegate_by_hand(machine) })
}

/// The control group that grader shares with other processes, if that is the cause.
fn shared(cause: &MissingCause) -> Option<&Path> {
    if let MissingCause::Shared(group) = cause { Some(group) } else { None }
}

/// Commands that move the processes out of a version 2 group, so that it can delegate controllers to child groups.
fn make_room(group: &Path) -> Vec<String> {
    let group = group.display();
    vec![
        format!("sh -c 'cd {group} && mkdir -p others && for it in $(cat cgroup.procs); do"),
        "    echo $it > others/cgroup.procs".to_owned(),
        "done; echo +memory +pids > cgroup.subtree_control'".to_owned(),
    ]
}

/// Commands for a machine without systemd. They create groups that belong to the user, and start grader in them.
fn delegate_by_hand(machine: &Machine) -> Vec<String> {
    let user = machine.user;
    let binary = machine.binary.display();
    let (list, enable) = if machine.is_unified {
        ("./", "echo +memory +pids > cgroup.subtree_control; ")
    } else {
        ("memory/ pids/ cpuacct/", "")
    };
    vec![
        format!("sudo sh -c 'cd /sys/fs/cgroup; {enable}for dir in {list}; do"),
        "    mkdir -p ${dir}grader; echo $$ > ${dir}grader/cgroup.procs".to_owned(),
        format!("    chown -R {user} ${{dir}}grader"),
        format!("done; cd /; exec setpriv --reuid={user} --clear-groups {binary} doctor'"),
    ]
}

/// Lists the walls that this version of Landlock cannot provide in layer `weak`. None if it restricts everything, or without
/// Landlock.
pub(crate) fn of_landlock(version: Option<u32>) -> Option<Cause> {
    let lacking: Vec<&str> = Wall::ALL.into_iter().filter(|wall| !wall.stands(version)).map(name_of).collect();
    let version = version.filter(|_| !lacking.is_empty())?;
    let why = format!("Landlock {version} does not restrict: {}", lacking.join(", "));
    Some(Cause::new(why, "update to Linux 6.12 or newer, which restricts all of it", &[]))
}

fn name_of(wall: Wall) -> &'static str {
    match wall {
        Wall::Reading => "reading files",
        Wall::Writing => "truncating files",
        Wall::Tcp => "TCP ports",
        Wall::Devices => "ioctls of devices",
        Wall::Signals => "signals",
        Wall::AbstractSockets => "abstract sockets",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSED: &str = "cannot make a user namespace: Operation not permitted (os error 1)";

    fn failure(part: Option<Part>, is_forbidden: bool, message: &str) -> Failure {
        Failure { message: message.to_owned(), part, is_forbidden }
    }

    fn refused() -> Failure {
        failure(Some(Part::UserNamespace), true, REFUSED)
    }

    fn user() -> Machine {
        Machine { binary: "/opt/grader".into(), user: 1000, kernel: "6.8.0".to_owned(), ..Machine::default() }
    }

    fn root() -> Machine {
        Machine { user: 0, may_administrate: true, ..user() }
    }

    #[track_caller]
    fn check(isolation: Isolation, failure: &Failure, machine: &Machine, why: &str, todo: &str) {
        let cause = of_layer(isolation, failure, machine);
        assert!(cause.why.contains(why), "{cause:?}");
        assert!(cause.commands.iter().chain([&cause.remedy]).any(|line| line.contains(todo)), "{cause:?}");
    }

    #[test]
    fn user_namespaces_that_are_switched_off() {
        let off = Machine { most_user_namespaces: Some(0), ..user() };
        let full = "cannot make a user namespace: No space left on device (os error 28)";
        let full = failure(Some(Part::UserNamespace), false, full);
        check(Isolation::User, &full, &off, "user.max_user_namespaces is 0", "sysctl -w user.max_user_namespaces=");
        let debian = Machine { users_may_clone: Some(false), ..user() };
        let todo = "sysctl -w kernel.unprivileged_userns_clone=1";
        check(Isolation::User, &refused(), &debian, "kernel.unprivileged_userns_clone is 0", todo);
    }

    #[test]
    fn the_profile_names_the_binary() {
        let ubuntu = Machine { apparmor_restricts: true, ..user() };
        let todo = "profile grader \"/opt/grader\" flags=(unconfined) {";
        let refused = failure(None, true, "cannot map the user: Permission denied (os error 13)");
        check(Isolation::User, &refused, &ubuntu, "AppArmor", todo);
        let inside = Machine { is_container: true, ..ubuntu };
        let todo = "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        check(Isolation::User, &refused, &inside, "on the container's host", todo);
    }

    #[test]
    fn containers() {
        let docker = Machine { is_container: true, is_filtered: true, masks_proc: true, ..user() };
        check(Isolation::User, &refused(), &docker, "the container refuses it", "seccomp=unconfined");
        let proc = "cannot make the file system: /proc: Operation not permitted (os error 1)";
        let proc = failure(Some(Part::Proc), true, proc);
        check(Isolation::User, &proc, &docker, "hides parts of /proc", "systempaths=unconfined");
        let bare = Machine { may_administrate: false, ..root() };
        check(Isolation::Root, &refused(), &bare, "lacks CAP_SYS_ADMIN", "docker run --privileged");
        let filtered = Machine { is_filtered: true, ..root() };
        check(Isolation::Root, &refused(), &filtered, "the container refuses it", "docker run --privileged");
        let lacks = failure(Some(Part::Capabilities), true, "this root user lacks CAP_SETUID");
        check(Isolation::Users, &lacks, &bare, "lacks CAP_SETUID", "--cap-add SETUID");
        check(Isolation::Users, &failure(None, false, "only root"), &user(), "other users have layer `user`", "");
        let read_only = "cannot claim a user id: /run/grader: Read-only file system (os error 30)";
        let read_only = failure(Some(Part::Locks), false, read_only);
        for isolation in [Isolation::Root, Isolation::Users] {
            check(isolation, &read_only, &root(), "/run/grader", "--tmpfs /run");
        }
    }

    #[test]
    fn old_kernels_and_chroots() {
        let old = Machine { kernel: "5.4.0-1".to_owned(), ..root() };
        let absent = failure(None, false, "cannot make the file system: Function not implemented (os error 38)");
        let landlock = failure(Some(Part::Landlock), false, "this kernel has no Landlock");
        check(Isolation::Root, &absent, &old, "Linux 5.4.0-1 is too old", "5.12");
        check(Isolation::Weak, &landlock, &old, "has no Landlock", "5.13");
        let chroot = Machine { is_chroot: true, ..user() };
        check(Isolation::User, &refused(), &chroot, "chroot", "outside");
        check(Isolation::User, &refused(), &user(), REFUSED, "any chroot, security module");
    }

    #[test]
    fn landlock_that_is_switched_off() {
        let off = Machine { modules: Some("lockdown,yama".to_owned()), ..user() };
        let landlock = failure(Some(Part::Landlock), false, "this kernel has no Landlock");
        check(Isolation::Weak, &landlock, &off, "not among", "lsm=landlock,lockdown,yama");
    }

    #[test]
    fn who_cannot_have_it_is_told_so() {
        check(
            Isolation::Root,
            &failure(None, true, "Permission denied"),
            &user(),
            "only root can use it",
            "sudo /opt/grader",
        );
        let cause = of_layer(Isolation::User, &failure(None, false, "root has no need"), &root());
        assert_eq!((cause.remedy.as_str(), cause.commands.len()), ("", 0));
    }

    #[test]
    fn what_is_not_known_is_told_as_it_is() {
        let cause = of_layer(Isolation::User, &failure(None, false, "something strange (os error 5)"), &user());
        assert_eq!(cause, Cause::new("something strange (os error 5)", "", &[]));
        let message = "cannot execute /tmp/x/grader: Permission denied (os error 13)";
        check(Isolation::Weak, &failure(Some(Part::Program), true, message), &user(), message, "TMPDIR=");
    }

    #[test]
    fn control_groups_are_delegated() {
        let memory = |cause| [Missing { controller: Some(Controller::Memory), cause }];
        let missing = memory(MissingCause::NotDelegated("/sys/fs/cgroup/a".into()));
        let todo = |machine: &Machine| of_groups(&missing, machine).unwrap().commands.join("\n");
        let systemd = Machine { has_systemd: true, ..user() };
        assert_eq!(todo(&systemd), "systemd-run --user --scope -p Delegate=yes /opt/grader doctor");
        assert!(todo(&Machine { user: 0, ..systemd }).starts_with("systemd-run --scope -p"));
        assert!(todo(&user()).contains("for dir in memory/ pids/ cpuacct/;"));
        assert!(todo(&Machine { is_unified: true, ..user() }).contains("+memory +pids"));
        assert!(todo(&Machine { is_container: true, ..root() }).contains("docker run"));
        let shared = memory(MissingCause::Shared("/sys/fs/cgroup/a".into()));
        let container = Machine { is_container: true, ..root() };
        let todo = of_groups(&shared, &container).unwrap().commands.join("\n");
        assert!(todo.contains("cd /sys/fs/cgroup/a &&") && !todo.contains("docker"), "{todo}");
        assert_eq!(of_groups(&[], &user()), None);
    }

    #[test]
    fn an_older_landlock_says_what_it_lacks() {
        assert_eq!(of_landlock(Some(7)), None);
        assert_eq!(of_landlock(None), None);
        assert_eq!(of_landlock(Some(5)).unwrap().why, "Landlock 5 does not restrict: signals, abstract sockets");
    }
}
