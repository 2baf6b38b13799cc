//! Runs hostile programs in a slot of the examined layer. Prepares files and sockets outside the slot for them to
//! reach.

use std::fs::{self, File};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::limits::{Bytes, Limits, Overflow};
use crate::sandbox::{
    Isolation, Outcome, PROBE_ROLE, Place, Probe, ProbeOutcome, Request, Sandbox, SandboxError, Side, Sight, Sink, Slot,
};

/// Limits that are enough for most hostile programs.
pub(crate) const AMPLE: Limits = Limits {
    cpu: Duration::from_secs(10),
    wall: Duration::from_secs(20),
    memory: Bytes::mib(256),
    output: Bytes::mib(256),
    overflow: Overflow::Kill,
    processes: 64,
};

/// Files, sockets and a signal handler that hostile programs must not reach.
pub(crate) struct Outside {
    dir: PathBuf,
    /// Holds the grader's own binary and nothing else.
    program: PathBuf,
    /// A name that nothing else on this machine uses.
    pub(crate) token: String,
    tcp: TcpListener,
    pub(crate) port: u16,
    by_name: UnixListener,
    by_path: UnixListener,
    signalled: Arc<AtomicBool>,
}

impl Outside {
    /// Creates the files and sockets below `scratch`.
    pub(crate) fn new(scratch: &Path, binary: &Path) -> io::Result<Self> {
        let dir = scratch.join("outside");
        let program = scratch.join("program");
        fs::create_dir(&dir)?;
        fs::create_dir(&program)?;
        fs::copy(binary, program.join("grader"))?;
        fs::write(dir.join("secret"), "the answer")?;
        let name = scratch.file_name().unwrap_or_default().to_string_lossy();
        let token = format!("doctor-{name}");
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let by_name = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&token)?)?;
        let by_path = UnixListener::bind(dir.join("socket"))?;
        tcp.set_nonblocking(true)?;
        by_name.set_nonblocking(true)?;
        by_path.set_nonblocking(true)?;
        let signalled = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGURG, Arc::clone(&signalled))?;
        let port = tcp.local_addr()?.port();
        Ok(Self { dir, program, token, tcp, port, by_name, by_path, signalled })
    }

    /// The path of a file or directory outside the sandbox.
    pub(crate) fn path(&self, name: &str) -> String {
        self.dir.join(name).to_string_lossy().into_owned()
    }

    /// Whether a program has connected to any socket since the last call. Without a waiting client, `accept` fails.
    pub(crate) fn was_reached(&self) -> bool {
        let tcp = self.tcp.accept().is_ok();
        let sockets = [&self.by_name, &self.by_path].map(|listener| listener.accept().is_ok());
        tcp || sockets.contains(&true)
    }

    /// Whether this process has received SIGURG since the last call.
    pub(crate) fn was_signalled(&self) -> bool {
        self.signalled.swap(false, Ordering::Relaxed)
    }

    /// A System V shared memory key that is unique to this process.
    pub(crate) fn key() -> String {
        // Not 0, which is `IPC_PRIVATE`.
        (0x6772_0000_u32 ^ std::process::id()).max(1).cast_signed().to_string()
    }

    /// The processes that have the token among their arguments.
    pub(crate) fn bearers(&self) -> Vec<i32> {
        // Without /proc, no program has run. A process that has ended in the meantime does not count.
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let bears = |pid: &i32| {
            let arguments = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            arguments.split(|byte| *byte == 0).any(|argument| argument == self.token.as_bytes())
        };
        pids.filter(bears).collect()
    }
}

/// The result of a hostile program.
pub(crate) struct ProbeResult {
    pub(crate) outcome: Outcome,
    /// Whether the hostile action was possible.
    pub(crate) found: ProbeOutcome,
    /// The program's explanation, from its standard error.
    pub(crate) said: String,
}

/// A slot in one isolation layer, ready to run hostile programs.
pub(crate) struct ProbeSite<'a> {
    slot: Slot,
    pub(crate) isolation: Isolation,
    pub(crate) outside: &'a Outside,
    sight: Sight,
}

impl<'a> ProbeSite<'a> {
    /// Opens a slot in this layer. Fails if the layer is not available.
    pub(crate) fn open(
        binary: &Path,
        dir: &Path,
        isolation: Isolation,
        outside: &'a Outside,
    ) -> Result<Self, SandboxError> {
        let mut slot = Slot::new(binary, dir, isolation)?;
        slot.warm_up()?;
        let sight = Sight { program: Some(outside.program.clone()), toolchains: Vec::new(), ..Sight::default() };
        let mut site = Self { slot, isolation, outside, sight };
        site.run(Probe::Nothing, &[])?;
        Ok(site)
    }

    /// The slot itself.
    pub(crate) fn slot(&mut self) -> &mut Slot {
        &mut self.slot
    }

    /// The path of the program's directory, as seen from inside the sandbox.
    pub(crate) fn program_dir(&self) -> PathBuf {
        self.slot.program_dir(&self.outside.program)
    }

    /// Runs a hostile program with ample limits.
    pub(crate) fn run(&mut self, probe: Probe, arguments: &[&str]) -> Result<ProbeResult, SandboxError> {
        self.run_within(AMPLE, probe, arguments)
    }

    /// Runs a hostile program with these limits, in a new box.
    pub(crate) fn run_within(
        &mut self,
        limits: Limits,
        probe: Probe,
        arguments: &[&str],
    ) -> Result<ProbeResult, SandboxError> {
        let input = self.outside.path("input");
        let open = fs::write(&input, "original").and_then(|()| File::open(&input));
        let input = open.map_err(|source| SandboxError::System { what: format!("cannot open {input}"), source })?;
        self.slot.fresh_box(Side::Submission, &self.sight)?;
        let program = self.program_dir().join("grader");
        let words =
            [PROBE_ROLE.to_owned(), probe.name()].into_iter().chain(arguments.iter().map(|it| (*it).to_owned()));
        let argv = std::iter::once(program.into_os_string()).chain(words.map(Into::into)).collect();
        let request = Request { argv, env: Vec::new(), place: Place::Box(self.sight.clone()), limits, core: None };
        let mut said = StderrStart::default();
        let outcome = self.slot.run(Side::Submission, &request, input, &mut said)?;
        let found = ProbeOutcome::of(outcome.exit);
        Ok(ProbeResult { outcome, found, said: String::from_utf8_lossy(&said.0).trim().to_owned() })
    }

    /// Whether the input file of the last program is unchanged; false if the file is unreadable.
    pub(crate) fn input_is_untouched(&self) -> bool {
        fs::read(self.outside.path("input")).is_ok_and(|bytes| bytes == b"original")
    }
}

/// Collects the beginning of a program's standard error.
#[derive(Default)]
struct StderrStart(Vec<u8>);

impl Sink for StderrStart {
    fn stdout(&mut self, _: &[u8]) {}

    fn stderr(&mut self, bytes: &[u8]) {
        /// The maximum number of bytes; longer than any message of a hostile program.
        const MOST: usize = 1000;
        self.0.extend_from_slice(&bytes[..bytes.len().min(MOST - self.0.len())]);
    }
}
