//! Tests what a child within a ruleset can open and reach, on the running kernel. Skips restrictions that this kernel
//! does not enforce.

use std::fs::{self, File, OpenOptions};
use std::net::{TcpListener, TcpStream};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::PathBuf;

use libc::c_int;
use tempfile::TempDir;

use super::*;
use crate::Exit;
use crate::sys::probe::{self, Walls};

/// A directory to read, one to write, and one that is not listed.
struct Scene {
    root: TempDir,
    ruleset: Ruleset,
}

impl Scene {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for name in ["read", "write", "hidden"] {
            fs::create_dir(root.path().join(name)).unwrap();
            fs::write(root.path().join(name).join("file"), "content").unwrap();
        }
        let [read, write, missing] = ["read", "write", "missing"].map(|name| root.path().join(name));
        let ruleset = Ruleset::new(&[&read, Path::new("/proc"), &missing], &[&write, &missing]).unwrap();
        Self { root, ruleset }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// The error number with which `act` fails within the ruleset; 0 if it succeeds. None if the kernel lacks this
    /// restriction.
    fn errno<T>(&self, wall: Wall, act: impl FnOnce() -> io::Result<T>) -> Option<c_int> {
        if !wall.stands(landlock_version()) {
            return None;
        }
        let walls = Walls { ruleset: self.ruleset.fd(), ..Walls::default() };
        let code = probe::behind(walls, || match act() {
            Ok(_) => 0,
            Err(error) => error.raw_os_error().unwrap_or(-1),
        });
        let Exit::Code(errno) = code else { panic!("{code:?}") };
        Some(errno)
    }

    #[track_caller]
    fn allows<T>(&self, wall: Wall, act: impl FnOnce() -> io::Result<T>) {
        assert_eq!(self.errno(wall, act).unwrap_or(0), 0);
    }

    #[track_caller]
    fn refuses<T>(&self, wall: Wall, errno: c_int, act: impl FnOnce() -> io::Result<T>) {
        assert_eq!(self.errno(wall, act).unwrap_or(errno), errno);
    }
}

#[test]
fn only_what_is_listed_is_read() {
    let scene = Scene::new();
    scene.allows(Wall::Reading, || fs::read(scene.path("read/file")));
    scene.allows(Wall::Reading, || fs::read_dir(scene.path("read")));
    scene.allows(Wall::Reading, || fs::read(scene.path("write/file")));
    for hidden in [scene.path("hidden/file"), scene.path("read/../hidden/file"), "/etc/passwd".into()] {
        scene.refuses(Wall::Reading, libc::EACCES, || fs::read(&hidden));
    }
    scene.refuses(Wall::Reading, libc::EACCES, || fs::read_dir(scene.path("hidden")));
    std::os::unix::fs::symlink(scene.path("hidden/file"), scene.path("read/link")).unwrap();
    scene.refuses(Wall::Reading, libc::EACCES, || fs::read(scene.path("read/link")));
}

#[test]
fn only_what_is_listed_is_written() {
    let scene = Scene::new();
    scene.allows(Wall::Writing, || fs::write(scene.path("write/new"), "x"));
    scene.allows(Wall::Writing, || fs::create_dir(scene.path("write/directory")));
    scene.allows(Wall::Writing, || fs::rename(scene.path("write/new"), scene.path("write/directory/moved")));
    scene.allows(Wall::Writing, || fs::remove_dir_all(scene.path("write/directory")));
    for place in ["read", "hidden"] {
        let file = scene.path(place).join("file");
        let new = scene.path(place).join("new");
        scene.refuses(Wall::Writing, libc::EACCES, || OpenOptions::new().append(true).open(&file));
        scene.refuses(Wall::Writing, libc::EACCES, || File::create_new(&new));
        scene.refuses(Wall::Writing, libc::EACCES, || fs::create_dir(&new));
        scene.refuses(Wall::Writing, libc::EACCES, || fs::remove_file(&file));
        scene.refuses(Wall::Writing, libc::EXDEV, || fs::hard_link(&file, scene.path("write/linked")));
        assert_eq!(fs::read(&file).unwrap(), b"content");
    }
}

#[test]
fn a_file_is_not_truncated_by_its_name() {
    let scene = Scene::new();
    let name = std::ffi::CString::new(scene.path("hidden/file").into_os_string().into_encoded_bytes()).unwrap();
    scene.refuses(Wall::Writing, libc::EACCES, || {
        match probe::call(libc::SYS_truncate, [name.as_ptr() as i64, 0, 0, 0, 0, 0]) {
            0 => Ok(()),
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    });
}

#[test]
fn no_device_is_made() {
    let scene = Scene::new();
    let name = std::ffi::CString::new(scene.path("write/null").into_os_string().into_encoded_bytes()).unwrap();
    let device = i64::from(libc::S_IFCHR) | 0o666;
    let errno = scene.errno(Wall::Reading, || {
        match probe::call(libc::SYS_mknodat, [libc::AT_FDCWD.into(), name.as_ptr() as i64, device, 0x103, 0, 0]) {
            0 => Ok(()),
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    });
    // Without privileges, the kernel returns EPERM.
    assert!(matches!(errno, None | Some(libc::EACCES | libc::EPERM)), "{errno:?}");
}

#[test]
fn the_usual_devices_work() {
    let scene = Scene::new();
    for device in ["/dev/null", "/dev/zero", "/dev/full"] {
        scene.allows(Wall::Reading, || OpenOptions::new().read(true).write(true).open(device));
        // As the shell's `>` does.
        scene.allows(Wall::Reading, || File::create(device));
    }
    for device in ["/dev/random", "/dev/urandom"] {
        scene.allows(Wall::Reading, || File::open(device));
        scene.refuses(Wall::Reading, libc::EACCES, || OpenOptions::new().write(true).open(device));
    }
    scene.refuses(Wall::Reading, libc::EACCES, || File::open("/dev/tty"));
}

#[test]
fn nobody_outside_gets_a_signal() {
    let scene = Scene::new();
    let kill = |pid: u32| match probe::call(libc::SYS_kill, [pid.into(), 0, 0, 0, 0, 0]) {
        0 => Ok(()),
        errno => Err(io::Error::from_raw_os_error(errno)),
    };
    scene.refuses(Wall::Signals, libc::EPERM, || kill(std::os::unix::process::parent_id()));
    scene.allows(Wall::Signals, || kill(std::process::id()));
}

#[test]
fn proc_shows_nothing_private_of_those_outside() {
    let scene = Scene::new();
    let outside = PathBuf::from(format!("/proc/{}", std::process::id()));
    scene.refuses(Wall::Reading, libc::EACCES, || fs::read(outside.join("mem")));
    for private in ["fd/0", "root", "cwd", "exe"] {
        scene.refuses(Wall::Reading, libc::EACCES, || fs::read_link(outside.join(private)));
    }
    // CAP_PERFMON suffices for these files. No judged program has it.
    if !rustix::process::geteuid().is_root() {
        scene.refuses(Wall::Reading, libc::EACCES, || fs::read(outside.join("environ")));
        scene.refuses(Wall::Reading, libc::EACCES, || fs::read(outside.join("maps")));
    }
    for own in ["maps", "environ", "status"] {
        scene.allows(Wall::Reading, || fs::read(Path::new("/proc/self").join(own)));
    }
}

#[test]
fn no_tcp() {
    let scene = Scene::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    scene.refuses(Wall::Tcp, libc::EACCES, || TcpStream::connect(address));
    scene.refuses(Wall::Tcp, libc::EACCES, || TcpListener::bind("127.0.0.1:0"));
}

#[test]
fn no_abstract_socket_from_outside() {
    let scene = Scene::new();
    let name =
        |what: &str| SocketAddr::from_abstract_name(format!("grader test {what} {}", std::process::id())).unwrap();
    let outside = name("outside");
    let own = name("own");
    let _listener = UnixListener::bind_addr(&outside).unwrap();
    scene.refuses(Wall::AbstractSockets, libc::EPERM, || UnixStream::connect_addr(&outside));
    scene.allows(Wall::AbstractSockets, || {
        let _listener = UnixListener::bind_addr(&own)?;
        UnixStream::connect_addr(&own)
    });
}

#[test]
fn what_holds_grows_with_the_version() {
    let count = |version| Wall::ALL.into_iter().filter(|wall| wall.stands(Some(version))).count();
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(count), [0, 1, 1, 2, 3, 4, 6, 6]);
    assert!(!Wall::Reading.stands(None));
}
