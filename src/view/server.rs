//! Serves one page on this machine: the only file that knows HTTP.
//!
//! A request needs the address, which contains 128 random bits. Other sites in the same browser do not know it, and
//! could not read an answer even if they did. No path maps to a file, and no request changes anything.
//!
//! One thread with a runtime of its own does all the work. The rest of the program is synchronous.
//!
//! Sources: RFC 9110 and RFC 9112 (HTTP), the Fetch standard, "Fetch Metadata Request Headers" (W3C).

use std::convert::Infallible;
use std::fmt::Write as _;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// The most connections at once. A browser opens six.
const CONNECTIONS: usize = 64;
/// The most bytes of the head of a request. Other servers on this machine may have left cookies, whatever their port.
const HEAD_BYTES: usize = 64 << 10;
/// The most headers of a request. A browser sends twenty.
const HEADERS: usize = 64;
/// How long the end of a server waits for its thread, which may be making a document.
const GRACE: Duration = Duration::from_secs(1);
/// How long the server accepts no connection after the system had no descriptor left.
const PAUSE: Duration = Duration::from_millis(100);
/// The policy of everything except pages. It permits nothing.
const STRICT: &str = "default-src 'none'; frame-ancestors 'none'";

/// The headers that every answer has.
const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// The content of a server. The server calls it on its own thread, and answers no other request meanwhile.
pub(crate) trait Content: Send + Sync + 'static {
    /// Returns the document at a path below the token; none if no document is there. The page is at `""`.
    ///
    /// A path is as in the request: `students/a%20b.html` stays so. The server itself answers `changes`.
    fn document(&self, path: &str) -> Option<Document>;

    /// Returns the changes after a version, as JSON; none without changes.
    fn changes(&self, since: u64) -> Option<String>;
}

/// One answer to a browser.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) format: Format,
    /// The `Content-Security-Policy` without `frame-ancestors`. A document without one may load nothing.
    pub(crate) policy: Option<String>,
    pub(crate) text: String,
}

/// The media type of a document. The text is always UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Html,
    Json,
    Text,
}

/// Why no server starts.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("cannot serve the page at port {port}: {why}\n  → choose another port, or leave the choice to the system")]
    Port { port: u16, why: io::Error },
    #[error("cannot serve the page: {0}")]
    System(#[from] io::Error),
}

/// A page that browsers on this machine can read until this is dropped.
pub(crate) struct Server {
    shared: Arc<ServerState>,
    thread: JoinHandle<()>,
}

/// How long the server waits for others.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// For the head of a request.
    head: Duration,
    /// For a change that a reader waits for.
    change: Duration,
    /// For a whole connection: it also ends one whose reader does not read.
    connection: Duration,
}

/// The state that the server's thread shares with the rest of the program.
struct ServerState {
    content: Arc<dyn Content>,
    patience: Patience,
    /// The two forms of the address between `http://` and the path: with the number, and with the name of the host.
    hosts: [String; 2],
    token: String,
    changed: Notify,
    stop: Notify,
}

/// Why the server refuses a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// It names another host, whose owner made that name point to this machine.
    Host,
    /// It comes from another site.
    Foreign,
    Method,
    /// It is unknown, or the token is wrong: the answer does not reveal which.
    Unknown,
    Since,
}

impl Server {
    /// Starts a server on 127.0.0.1, at a port or at any free one.
    ///
    /// # Errors
    /// The port is not free, or the system has no more threads or descriptors.
    pub(crate) fn start(content: Arc<dyn Content>, port: Option<u16>) -> Result<Self, StartError> {
        let patience = Patience {
            head: Duration::from_secs(5),
            change: Duration::from_secs(10),
            connection: Duration::from_secs(60),
        };
        Self::start_with(content, port.unwrap_or(0), patience)
    }

    fn start_with(content: Arc<dyn Content>, port: u16, patience: Patience) -> Result<Self, StartError> {
        let token = token()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
        let listener = listener.map_err(|why| StartError::Port { port, why })?;
        let hosts = hosts(listener.local_addr()?.port());
        let changed = Notify::new();
        let stop = Notify::new();
        let shared = Arc::new(ServerState { content, patience, hosts, token, changed, stop });
        let known = Arc::clone(&shared);
        let thread = thread::Builder::new().name("view".to_owned()).spawn(move || run(&runtime, listener, &known))?;
        Ok(Self { shared, thread })
    }

    /// Returns the address of the page: `http://127.0.0.1:PORT/TOKEN/`. It is a secret of the user.
    pub(crate) fn address(&self) -> String {
        let ServerState { hosts: [host, _], token, .. } = &*self.shared;
        format!("http://{host}/{token}/")
    }

    /// Wakes the readers that wait for changes.
    pub(crate) fn changed(&self) {
        self.shared.changed.notify_waiters();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.notify_one();
        // The dropping thread may hold a lock for which the content waits. Then the server's thread ends later.
        let until = std::time::Instant::now() + GRACE;
        while !self.thread.is_finished() && std::time::Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// 128 random bits in hexadecimal.
fn token() -> io::Result<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits)?;
    Ok(bits.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// The values of the `Host` header for this server. Browsers leave out the port of HTTP.
fn hosts(port: u16) -> [String; 2] {
    ["127.0.0.1", "localhost"].map(|name| if port == 80 { name.to_owned() } else { format!("{name}:{port}") })
}

/// The work of the server's thread. At its end the runtime drops all connections.
fn run(runtime: &Runtime, listener: TcpListener, shared: &Arc<ServerState>) {
    runtime.spawn(accept(listener, Arc::clone(shared)));
    runtime.block_on(shared.stop.notified());
}

async fn accept(listener: TcpListener, shared: Arc<ServerState>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        // Dropping the stream closes it.
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            serve(stream, shared).await;
            drop(place);
        });
    }
}

/// Answers the one request of a connection. A new connection costs little here, and an idle one would take a place.
async fn serve(stream: TcpStream, shared: Arc<ServerState>) {
    let patience = shared.patience;
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let shared = Arc::clone(&shared);
        // The body of a request is not read.
        let (head, _) = request.into_parts();
        async move { Ok::<_, Infallible>(shared.respond(&head).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    // A failure concerns the client alone, and it notices.
    let _ = timeout(patience.connection, connection).await;
}

impl ServerState {
    async fn respond(&self, head: &Parts) -> Response<String> {
        match self.answer(head).await {
            Ok(Some(document)) => response(StatusCode::OK, document),
            Ok(None) => empty(),
            Err(refusal) => refusal.response(),
        }
    }

    /// Finds the document for a request; none if nothing has changed.
    async fn answer(&self, head: &Parts) -> Result<Option<Document>, Refusal> {
        self.check_sender(head)?;
        if head.method != Method::GET && head.method != Method::HEAD {
            return Err(Refusal::Method);
        }
        match self.path_below_token(head.uri.path()).ok_or(Refusal::Unknown)? {
            "changes" => self.changes(since(head.uri.query()).ok_or(Refusal::Since)?).await,
            path => self.content.document(path).map(Some).ok_or(Refusal::Unknown),
        }
    }

    /// Checks that a request is for this server, and that a user or its own page sent it.
    fn check_sender(&self, head: &Parts) -> Result<(), Refusal> {
        // A request to a proxy names the host in its target too.
        let host = only(&head.headers, &header::HOST).filter(|_| head.uri.authority().is_none());
        let host = host.filter(|host| self.hosts.iter().any(|own| own == host)).ok_or(Refusal::Host)?;
        let site = HeaderName::from_static("sec-fetch-site");
        let may = |name: &HeaderName, allows: &dyn Fn(&str) -> bool| {
            !head.headers.contains_key(name) || only(&head.headers, name).is_some_and(allows)
        };
        let is_own = may(&header::ORIGIN, &|origin| origin.strip_prefix("http://") == Some(host))
            && may(&site, &|site| matches!(site, "none" | "same-origin"));
        if is_own { Ok(()) } else { Err(Refusal::Foreign) }
    }

    /// The rest of a path after `/TOKEN/`; none if it does not begin with that.
    fn path_below_token<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (token, path) = path.strip_prefix('/')?.split_once('/')?;
        is_same(token, &self.token).then_some(path)
    }

    /// Waits until there are changes after a version. None: there were none for a while.
    async fn changes(&self, since: u64) -> Result<Option<Document>, Refusal> {
        let until = Instant::now() + self.patience.change;
        loop {
            // Made before the question, so that no change in between is missed.
            let changed = self.changed.notified();
            if let Some(json) = self.content.changes(since) {
                return Ok(Some(Document { format: Format::Json, policy: None, text: json }));
            }
            if timeout_at(until, changed).await.is_err() {
                return Ok(None);
            }
        }
    }
}

impl Refusal {
    fn response(self) -> Response<String> {
        let (status, text) = match self {
            Self::Host => (StatusCode::MISDIRECTED_REQUEST, "This server answers only to its own address.\n"),
            Self::Foreign => (StatusCode::FORBIDDEN, "Another site may not read this page.\n"),
            Self::Method => (StatusCode::METHOD_NOT_ALLOWED, "This page can only be read.\n"),
            Self::Unknown => (StatusCode::NOT_FOUND, "There is no such page.\n"),
            Self::Since => (StatusCode::BAD_REQUEST, "Ask for changes?since=NUMBER.\n"),
        };
        let document = Document { format: Format::Text, policy: None, text: text.to_owned() };
        let mut response = response(status, document);
        if self == Self::Method {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        response
    }
}

impl Format {
    fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
            Self::Text => "text/plain; charset=utf-8",
        }
    }
}

/// The value of a header that is there exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether two texts are equal. The time does not reveal where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let difference = one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && difference == 0
}

/// The number in `since=NUMBER`.
fn since(query: Option<&str>) -> Option<u64> {
    let number = query?.strip_prefix("since=")?;
    // The standard library also reads `+1`.
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())?
}

/// Makes the answer with a document.
fn response(status: StatusCode, document: Document) -> Response<String> {
    let policy = document.policy.map(|policy| HeaderValue::try_from(format!("{policy}; frame-ancestors 'none'")));
    // A policy that cannot be sent permits nothing.
    let policy = policy.and_then(Result::ok).unwrap_or(const { HeaderValue::from_static(STRICT) });
    let length = document.text.len();
    let mut response = Response::new(document.text);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.extend(ALWAYS);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(document.format.media_type()));
    headers.insert(header::CONTENT_LENGTH, length.into());
    response
}

/// Makes the answer that nothing has changed. HTTP forbids it a length.
fn empty() -> Response<String> {
    let mut response = Response::new(String::new());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().extend(ALWAYS);
    response
}

#[cfg(test)]
mod tests;
