//! The server as a browser, a stranger and a broken client see it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Instant;

use super::*;

const PATIENCE: Patience =
    Patience { head: Duration::from_secs(20), change: Duration::from_secs(20), connection: Duration::from_secs(20) };
/// Nothing here waits for the patience of the server, nor for [`GRACE`].
const PROMPT: Duration = Duration::from_millis(900);

/// Documents, and a version that grows.
#[derive(Default)]
struct Example {
    version: Mutex<u64>,
    asked: Mutex<Vec<String>>,
}

impl Content for Example {
    fn document(&self, path: &str) -> Option<Document> {
        self.asked.lock().unwrap().push(path.to_owned());
        let page = |policy: &str, text: &str| Document {
            format: Format::Html,
            policy: Some(policy.to_owned()),
            text: text.to_owned(),
        };
        match path {
            "" => Some(page("default-src 'self'", "<p>päge</p>")),
            "students/x.html" => Some(page("img-src\n*", "<p>x</p>")),
            "big" => Some(Document { format: Format::Text, policy: None, text: "x".repeat(20 << 20) }),
            "broken" => panic!("a document that nobody can make"),
            _ => None,
        }
    }

    fn changes(&self, since: u64) -> Option<String> {
        let version = *self.version.lock().unwrap();
        (version > since).then(|| format!("[{version}]"))
    }
}

/// A server and its client.
struct Scene {
    content: Arc<Example>,
    server: Server,
    port: u16,
    token: String,
}

impl Scene {
    fn new() -> Self {
        Self::with(PATIENCE)
    }

    fn with(patience: Patience) -> Self {
        let content = Arc::new(Example::default());
        let server = Server::start_with(Arc::clone(&content) as _, 0, patience).unwrap();
        let address = server.address();
        let (host, token) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
        let port = host.parse().unwrap();
        let token = token.strip_suffix('/').unwrap().to_owned();
        Self { content, server, port, token }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// Sends text in which `TOKEN` and `PORT` stand for their values.
    fn open(&self, text: &str) -> TcpStream {
        let mut stream = self.connect();
        let text = text.replace("TOKEN", &self.token).replace("PORT", &self.port.to_string());
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    fn raw(&self, text: &str) -> String {
        read(self.open(text))
    }

    /// Sends a request line with the right host, and further headers.
    fn ask(&self, line: &str, headers: &str) -> String {
        self.raw(&format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n{headers}\r\n"))
    }

    fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path}"), "")
    }

    fn wait_for_change(&self, since: u64) -> TcpStream {
        self.open(&format!("GET /TOKEN/changes?since={since} HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"))
    }

    fn change(&self) {
        *self.content.version.lock().unwrap() += 1;
        self.server.changed();
    }
}

/// Everything until the server closes the connection. It may reset one whose request it has not read.
fn read(mut stream: TcpStream) -> String {
    let mut all = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => all.extend_from_slice(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the server keeps a connection open: {error}"),
        }
    }
    String::from_utf8(all).unwrap()
}

fn status(answer: &str) -> u16 {
    answer.strip_prefix("HTTP/1.1 ").unwrap_or_else(|| panic!("no answer: {answer}"))[..3].parse().unwrap()
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

#[test]
fn the_page_has_its_headers() {
    let scene = Scene::new();
    let answer = scene.get("/TOKEN/");
    assert_eq!((status(&answer), body(&answer)), (200, "<p>päge</p>"));
    for header in [
        "content-type: text/html; charset=utf-8",
        "content-length: 12",
        "content-security-policy: default-src 'self'; frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
        "cross-origin-opener-policy: same-origin",
    ] {
        assert!(answer.contains(&format!("\r\n{header}\r\n")), "{header} is not in {answer}");
    }
    // A policy that would be two headers.
    let answer = scene.get("/TOKEN/students/x.html?later");
    assert_eq!((status(&answer), body(&answer)), (200, "<p>x</p>"));
    assert!(answer.contains(&format!("\r\ncontent-security-policy: {STRICT}\r\n")), "{answer}");
}

#[test]
fn only_who_knows_the_token_gets_an_answer() {
    let scene = Scene::new();
    let wrong = if scene.token.starts_with('0') { "1" } else { "0" }.to_owned() + &scene.token[1..];
    let unknown = scene.get("/TOKEN/unknown");
    assert_eq!(status(&unknown), 404);
    let date = |answer: &str| answer.lines().filter(|line| !line.starts_with("date:")).collect::<String>();
    for path in ["/", "/TOKEN", "//TOKEN/", "/changes?since=0", "/changes?since=abc", "/TOKEN0/", "/favicon.ico"] {
        assert_eq!(date(&scene.get(path)), date(&unknown), "{path}");
    }
    for path in ["", "changes?since=abc"] {
        assert_eq!(date(&scene.get(&format!("/{wrong}/{path}"))), date(&unknown), "{path}");
        assert_eq!(date(&scene.get(&format!("/{}/{path}", &scene.token[1..]))), date(&unknown), "{path}");
    }
    assert_eq!(*scene.content.asked.lock().unwrap(), ["unknown"]);
    assert_ne!(scene.token, Scene::new().token);
    assert_eq!(scene.token.len(), 32);
}

#[test]
fn another_host_is_refused() {
    let scene = Scene::new();
    let with = |hosts: &str| status(&scene.raw(&format!("GET /TOKEN/ HTTP/1.1\r\n{hosts}\r\n")));
    assert_eq!(with("Host: 127.0.0.1:PORT\r\n"), 200);
    assert_eq!(with("Host: localhost:PORT\r\n"), 200);
    assert_eq!(with(""), 421);
    assert_eq!(with("Host: evil.example:PORT\r\n"), 421);
    assert_eq!(with("Host: 127.0.0.1\r\n"), 421);
    assert_eq!(with("Host: 127.0.0.1:PORT.evil.example\r\n"), 421);
    assert_eq!(with("Host: 127.0.0.1:PORT, evil.example\r\n"), 421);
    assert_eq!(with("Host: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n"), 421);
    assert_eq!(with("Host: \u{e9}\r\n"), 421);
    assert_eq!(status(&scene.raw("GET /TOKEN/ HTTP/1.0\r\n\r\n").replace("HTTP/1.0", "HTTP/1.1")), 421);
    assert_eq!(hosts(80), ["127.0.0.1", "localhost"]);
}

#[test]
fn another_site_is_refused() {
    let scene = Scene::new();
    let with = |headers: &str| status(&scene.ask("GET /TOKEN/", headers));
    assert_eq!(with("Origin: http://127.0.0.1:PORT\r\nSec-Fetch-Site: same-origin\r\n"), 200);
    assert_eq!(with("Sec-Fetch-Site: none\r\n"), 200);
    assert_eq!(with("Origin: null\r\n"), 403);
    assert_eq!(with("Origin: http://localhost:PORT\r\n"), 403);
    assert_eq!(with("Origin: https://127.0.0.1:PORT\r\n"), 403);
    assert_eq!(with("Origin: http://127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n"), 403);
    assert_eq!(with("Sec-Fetch-Site: same-site\r\n"), 403);
    assert_eq!(with("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"), 403);
    assert_eq!(with("Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n"), 403);
}

#[test]
fn requests_only_read() {
    let scene = Scene::new();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FUNNY"] {
        let answer = scene.ask(&format!("{method} /TOKEN/"), "Content-Length: 3\r\n");
        assert_eq!(status(&answer), 405, "{method}");
        assert!(answer.contains("\r\nallow: GET, HEAD\r\n"), "{answer}");
    }
    assert_eq!(status(&scene.raw("POST /TOKEN/ HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1\r\n\r\nx")), 405);
    assert_ne!(status(&scene.raw("CONNECT localhost:PORT HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n")), 200);
    assert!(scene.content.asked.lock().unwrap().is_empty());
    let answer = scene.ask("HEAD /TOKEN/", "");
    assert_eq!((status(&answer), body(&answer)), (200, ""));
    assert!(answer.contains("\r\ncontent-length: 12\r\n"), "{answer}");
}

#[test]
fn one_connection_takes_one_request() {
    let scene = Scene::new();
    let twice = "GET /TOKEN/ HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n".repeat(2);
    assert_eq!(scene.raw(&twice).matches("HTTP/1.1").count(), 1);
    // The body is not another request.
    let hidden = "GET /TOKEN/big HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n";
    let length = hidden.len() - "TOKEN".len() + 32 - "PORT".len() + scene.port.to_string().len();
    let answer = scene.ask("GET /TOKEN/", &format!("Content-Length: {length}\r\n\r\n{hidden}"));
    assert_eq!(answer.matches("HTTP/1.1").count(), 1);
    assert_eq!(*scene.content.asked.lock().unwrap(), ["", ""]);
}

#[test]
fn no_path_leads_elsewhere() {
    let scene = Scene::new();
    for path in ["../x", "..", "%2e%2e/x", "..%2fx", "./", "students/../", "students\\x.html", "/etc/passwd", "%00"] {
        assert_eq!(status(&scene.get(&format!("/TOKEN/{path}"))), 404, "{path}");
    }
    for target in ["/../TOKEN/", "/%2e/TOKEN/", "/x/../TOKEN/"] {
        assert_eq!(status(&scene.get(target)), 404, "{target}");
    }
    for target in ["http://evil/TOKEN/", "http://127.0.0.1:PORT/TOKEN/", "https://localhost/TOKEN/", "evil:80"] {
        assert_eq!(status(&scene.get(target)), 421, "{target}");
    }
    assert_ne!(status(&scene.get("*")), 200);
    assert_ne!(status(&scene.get("TOKEN/")), 200);
    assert!(!scene.content.asked.lock().unwrap().contains(&String::new()));
}

#[test]
fn a_reader_waits_for_changes() {
    let scene = Scene::new();
    let waiting: Vec<_> = (0..3).map(|_| scene.wait_for_change(0)).collect();
    // Meanwhile the others get their answers, and a wake-up without a change wakes no reader.
    scene.server.changed();
    assert_eq!(status(&scene.get("/TOKEN/")), 200);
    for stream in &waiting {
        stream.set_nonblocking(true).unwrap();
        assert_eq!(stream.peek(&mut [0]).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        stream.set_nonblocking(false).unwrap();
    }
    scene.change();
    for stream in waiting {
        let answer = read(stream);
        assert_eq!((status(&answer), body(&answer)), (200, "[1]"));
        assert!(answer.contains("\r\ncontent-type: application/json; charset=utf-8\r\n"), "{answer}");
    }
    assert_eq!(body(&scene.get("/TOKEN/changes?since=0")), "[1]");
}

#[test]
fn without_changes_an_empty_answer_comes() {
    let scene = Scene::with(Patience { change: Duration::from_millis(50), ..PATIENCE });
    let answer = scene.get("/TOKEN/changes?since=18446744073709551615");
    assert_eq!((status(&answer), body(&answer)), (204, ""));
    assert!(answer.contains("\r\ncache-control: no-store\r\n"), "{answer}");
}

#[test]
fn a_version_is_a_number() {
    let scene = Scene::new();
    scene.change();
    for query in [
        "",
        "?",
        "?since",
        "?since=",
        "?since=abc",
        "?since=+0",
        "?since=-1",
        "?since=%30",
        "?since=0&since=0",
        "?x=1&since=0",
        "?since=18446744073709551616",
        "?Since=0",
    ] {
        assert_eq!(status(&scene.get(&format!("/TOKEN/changes{query}"))), 400, "{query}");
    }
    assert_eq!(status(&scene.get("/TOKEN/changes/?since=0")), 404);
}

#[test]
fn long_heads_are_refused() {
    let scene = Scene::new();
    let refused = |text: &str| {
        let mut stream = scene.connect();
        // The server may close the connection before it has read all.
        let _ = stream.write_all(text.as_bytes());
        let answer = read(stream);
        assert!(answer.is_empty() || matches!(status(&answer), 414 | 431), "{answer}");
    };
    refused(&format!("GET / HTTP/1.1\r\nHost: x\r\nLong: {}\r\n\r\n", "x".repeat(200_000)));
    refused(&format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "x".repeat(200_000)));
    refused(&format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(1000)));
    assert_eq!(status(&scene.get("/TOKEN/")), 200);
}

#[test]
fn silent_clients_do_not_block_others() {
    let scene = Scene::with(Patience { head: Duration::from_millis(300), ..PATIENCE });
    let silent = scene.connect();
    let slow = scene.open("GET /TOKEN/ HTTP/1.1\r\nHo");
    assert_eq!(status(&scene.get("/TOKEN/")), 200);
    assert!(!read(silent).contains("200"));
    assert!(!read(slow).contains("200"));
}

#[test]
fn a_client_that_does_not_read_loses_its_connection() {
    let scene = Scene::with(Patience { connection: Duration::from_millis(300), ..PATIENCE });
    let stuck = scene.open("GET /TOKEN/big HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n");
    thread::sleep(Duration::from_millis(600));
    let all = read(stuck);
    assert!(all.len() < 20 << 20, "{}", all.len());
}

#[test]
fn connections_are_bounded_and_places_come_back() {
    let scene = Scene::new();
    let waiting: Vec<_> = (0..CONNECTIONS).map(|_| scene.wait_for_change(0)).collect();
    // They are accepted in their order, so this one comes last.
    assert_eq!(read(scene.connect()), "");
    drop(waiting);
    let started = Instant::now();
    let mut answer = String::new();
    while answer.is_empty() && started.elapsed() < Duration::from_secs(5) {
        answer = scene.get("/TOKEN/");
    }
    assert_eq!(status(&answer), 200);
}

#[test]
fn a_long_document_arrives_whole() {
    let scene = Scene::new();
    let answer = scene.get("/TOKEN/big");
    assert!(answer.contains("\r\ncontent-length: 20971520\r\n"));
    assert_eq!(body(&answer).len(), 20 << 20);
}

#[test]
fn a_panic_concerns_one_request_alone() {
    let scene = Scene::new();
    assert_eq!(scene.get("/TOKEN/broken"), "");
    assert_eq!(status(&scene.get("/TOKEN/")), 200);
}

#[test]
fn only_one_address_is_bound() {
    let scene = Scene::new();
    let refused = |address: &str| {
        let error = TcpStream::connect((address, scene.port)).unwrap_err();
        assert!(matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::AddrNotAvailable), "{error}");
    };
    refused("127.0.0.2");
    refused("::1");
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let scene = Scene::new();
    let port = scene.port;
    let again = || Server::start(Arc::new(Example::default()), Some(port));
    let error = again().err().unwrap();
    assert!(matches!(&error, StartError::Port { port: taken, .. } if *taken == port), "{error}");
    let waiting = scene.wait_for_change(0);
    drop(scene);
    let server = again().unwrap();
    assert!(server.address().starts_with(&format!("http://127.0.0.1:{port}/")));
    drop(waiting);
}

#[test]
fn the_end_comes_at_once() {
    let scene = Scene::new();
    let waiting = scene.wait_for_change(0);
    let silent = scene.connect();
    assert_eq!(status(&scene.get("/TOKEN/")), 200);
    let Scene { content, server, port, .. } = scene;
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < PROMPT, "{:?}", started.elapsed());
    assert_eq!((read(waiting), read(silent)), (String::new(), String::new()));
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err());
    assert_eq!(Arc::strong_count(&content), 1);
}

#[test]
fn the_end_does_not_wait_for_content_that_is_stuck() {
    let scene = Scene::new();
    let content = Arc::clone(&scene.content);
    let stuck = content.version.lock().unwrap();
    let waiting = scene.wait_for_change(0);
    thread::sleep(Duration::from_millis(100));
    let started = Instant::now();
    drop(scene);
    assert!(started.elapsed() < GRACE * 3, "{:?}", started.elapsed());
    drop(stuck);
    drop(waiting);
}
