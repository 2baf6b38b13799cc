//! The broker: one `nats-server` with `JetStream`, used through its JSON interface. The only file that knows NATS.
//!
//! Every call blocks. The connection repairs itself; a call during a break fails after [`PATIENCE`], and its caller
//! asks again. Requests need fewer rights than the consumers of a client library: a worker may take jobs, acknowledge
//! them, add results and read blobs, and nothing else.
//!
//! Sources: NATS documentation, "`JetStream` wire API reference" and "NATS client protocol".

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use async_nats::{Client, ConnectErrorKind, ConnectOptions, HeaderMap, Message, RequestErrorKind, ServerError};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::tls::{PemError, TlsFault, check_authority, fault_of};
use super::wire::Full;

/// How long a call waits for its answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a request for the next job waits.
const BRIEF: Duration = Duration::from_secs(1);
/// How long the broker takes at most to answer that a message has no receiver.
const GLANCE: Duration = Duration::from_millis(300);
/// How many messages are on their way to the broker at once.
const WINDOW: usize = 256;
/// The most bytes of one message.
pub(super) const MOST_BYTES: usize = 512 << 10;

/// How to reach a broker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Address {
    /// `nats://user:password@host:port`, or `tls://…`.
    pub(crate) url: String,
    /// A file with the certificates of authorities that the system does not know.
    pub(crate) authority: Option<PathBuf>,
    /// The password, if the URL has none.
    pub(crate) password: Option<String>,
}

/// Why a request to the broker failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BrokerError {
    #[error("`{0}` is not the address of a broker\n  → write nats://USER@HOST:PORT, or tls://USER@HOST:PORT")]
    Address(String),
    #[error(
        "{0} sends submissions and passwords unprotected over the network\n  → give the broker a certificate (`grader \
         engine config --help`), and write tls:// instead of nats://"
    )]
    Unprotected(String),
    #[error("nobody answers at {at}: {why}\n  → is nats-server running there, and may this machine reach it?")]
    Unreachable { at: String, why: String },
    #[error("the broker at {at} refuses user `{user}`: unknown user, or wrong password")]
    Password { at: String, user: String },
    #[error(
        "the broker at {at} wants the password of user `{user}`\n  → write nats://{user}:PASSWORD@{at}, or add --password-file FILE"
    )]
    NoPassword { at: String, user: String },
    #[error(
        "the broker at {at} wants to know who you are\n  → write nats://USER:PASSWORD@{at}, as `grader engine config` printed it"
    )]
    NoUser { at: String },
    #[error("no protected connection to {at}: {fault}")]
    Tls { at: String, fault: TlsFault },
    #[error(transparent)]
    Pem(PemError),
    #[error(
        "the broker does not let this user {what}\n  → `grader engine config` prints one URL for clients and one for each worker: use the right one"
    )]
    Denied { what: String },
    #[error(
        "the broker at {at} has no JetStream, or has switched it off, as it does if its disk is full\n  → use the \
         configuration of `grader engine config`, make room on its disk, and start it again"
    )]
    NoJetStream { at: String },
    #[error(
        "the broker did not answer within {} s\n  → does nats-server still run there, and does its machine answer?",
        PATIENCE.as_secs()
    )]
    Silent,
    #[error("{0}")]
    Full(Full),
    #[error("stopped while the broker had no room")]
    Stopped,
    #[error("cannot send files: {0}")]
    Unsendable(String),
    #[error("the broker says: {description} (error {code})")]
    Refused { code: u64, description: String },
}

/// The outcome of storing a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storing {
    New,
    /// The same message was stored before.
    Known,
    /// The broker has no room for it.
    Full(Full),
}

/// A stored message.
#[derive(Debug)]
pub(super) struct StoredMessage {
    pub(super) sequence: u64,
    pub(super) subject: String,
    /// When it was stored, by the broker's clock.
    pub(super) stored: Option<SystemTime>,
    pub(super) payload: Vec<u8>,
}

/// A message that the broker does not store.
#[derive(Debug)]
pub(super) struct BroadcastMessage {
    pub(super) subject: String,
    pub(super) payload: Vec<u8>,
}

/// A job that this worker holds until its lease ends.
#[derive(Debug, Clone)]
pub(super) struct LeasedJob {
    pub(super) payload: Vec<u8>,
    pub(super) subject: String,
    /// How often workers have received the job, this time included.
    pub(super) deliveries: u64,
    reply: String,
}

/// A change in the state of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Lost,
    Back,
}

/// A connection to the broker.
pub(super) struct Broker {
    runtime: Runtime,
    client: Client,
    /// `host:port`.
    at: String,
    /// The latest messages of the broker about missing rights, until a caller looks for its own.
    denials: Arc<Mutex<Vec<String>>>,
    /// Whether the connection broke and came back since the last call of [`Self::came_back`].
    came_back: Arc<AtomicBool>,
}

/// Error codes of `JetStream` (`server/errors.json` of nats-server).
mod code {
    pub(super) const WRONG_LAST_SEQUENCE: u64 = 10071;
    /// For a message: the stream is full. For a new stream: the disk is full.
    pub(super) const STORE_FAILED: u64 = 10077;
    pub(super) const NO_MEMORY: u64 = 10028;
    /// Of the broker, of the account, or for the files of a new stream.
    pub(super) const NO_STORAGE: [u64; 4] = [10047, 10023, 10002, 10049];
    pub(super) const NOT_FOUND: [u64; 3] = [10037, 10059, 10014];
    pub(super) const NOT_ENABLED: [u64; 2] = [10039, 10076];
}

impl Address {
    /// The user in the URL; empty if the URL names none.
    pub(crate) fn user(&self) -> String {
        self.credentials().0.to_owned()
    }

    /// The user and the password in the URL.
    fn credentials(&self) -> (&str, Option<&str>) {
        let rest = self.url.split_once("://").map_or(&*self.url, |(_, rest)| rest);
        let both = rest.rsplit_once('@').map(|(both, _)| both).unwrap_or_default();
        both.split_once(':').map_or((both, None), |(user, password)| (user, Some(password)))
    }

    /// `host:port` without user and password.
    pub(crate) fn shown(&self) -> String {
        let rest = self.url.split_once("://").map_or(&*self.url, |(_, rest)| rest);
        rest.rsplit_once('@').map_or(rest, |(_, place)| place).to_owned()
    }

    /// Whether the connection is encrypted, so that others cannot listen.
    fn is_private(&self) -> bool {
        let place = self.shown();
        let host = place.rsplit_once(':').map_or(&*place, |(host, _)| host);
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }
}

impl Broker {
    /// Connects. `name` is shown by the broker's monitoring.
    pub(super) fn connect(address: &Address, name: &str) -> Result<Self, BrokerError> {
        Self::watched(address, name, |_| {})
    }

    /// Connects, and informs `watch` when the connection breaks and when it is there again.
    pub(super) fn watched(
        address: &Address,
        name: &str,
        watch: impl Fn(Link) + Send + Sync + 'static,
    ) -> Result<Self, BrokerError> {
        let at = address.shown();
        let user = address.user();
        let is_protected = address.url.starts_with("tls://");
        let is_known = is_protected || address.url.starts_with("nats://");
        if !is_known || at.is_empty() || at.starts_with(':') {
            // The URL may hold a password.
            let scheme = address.url.split_once("://").map(|(scheme, _)| format!("{scheme}://")).unwrap_or_default();
            return Err(BrokerError::Address(scheme + &at));
        }
        if !is_protected && !address.is_private() {
            return Err(BrokerError::Unprotected(at));
        }
        let unreachable =
            |why: &dyn std::fmt::Display| BrokerError::Unreachable { at: at.clone(), why: why.to_string() };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("broker")
            .enable_all()
            .build()
            .map_err(|error| unreachable(&error))?;
        let denials: Arc<Mutex<Vec<String>>> = Arc::default();
        let came_back: Arc<AtomicBool> = Arc::default();
        let heard = Arc::clone(&denials);
        let watch = Arc::new(watch);
        let is_lost = Arc::new(AtomicBool::new(false));
        let back = Arc::clone(&came_back);
        let mut options = ConnectOptions::new()
            .name(name)
            .require_tls(is_protected)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(Duration::from_secs(3))
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis(100) * u32::try_from(attempts.min(10)).unwrap_or(10)
            })
            .max_reconnects(None)
            .event_callback(move |event| {
                let heard = Arc::clone(&heard);
                let watch = Arc::clone(&watch);
                let is_lost = Arc::clone(&is_lost);
                let back = Arc::clone(&back);
                async move {
                    match event {
                        async_nats::Event::ServerError(ServerError::Other(words)) => {
                            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                            heard.push(words);
                            // Callers look only for recent ones.
                            let old = heard.len().saturating_sub(100);
                            heard.drain(..old);
                        }
                        async_nats::Event::Disconnected if !is_lost.swap(true, Ordering::SeqCst) => watch(Link::Lost),
                        async_nats::Event::Connected if is_lost.swap(false, Ordering::SeqCst) => {
                            back.store(true, Ordering::SeqCst);
                            watch(Link::Back);
                        }
                        _ => {}
                    }
                }
            });
        if !user.is_empty() {
            options = options.custom_inbox_prefix(format!("_INBOX_{user}"));
        }
        let stated = address.credentials().1.map(ToOwned::to_owned).or_else(|| address.password.clone());
        let has_password = stated.is_some();
        if let (false, Some(password)) = (user.is_empty(), stated) {
            options = options.user_and_password(user.clone(), password);
        }
        if let Some(authority) = &address.authority {
            check_authority(authority).map_err(BrokerError::Pem)?;
            options = options.add_root_certificates(authority.clone());
        }
        let url = format!("{}://{at}", if is_protected { "tls" } else { "nats" });
        let client = runtime.block_on(options.connect(&*url)).map_err(|error| {
            let at = at.clone();
            let user = user.clone();
            match (error.kind(), fault_of(&error, address.authority.as_deref())) {
                (_, Some(fault)) => BrokerError::Tls { at, fault },
                (ConnectErrorKind::ServerParse, _) => BrokerError::Address(at),
                (ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation, _) => {
                    match (user.is_empty(), has_password) {
                        (true, _) => BrokerError::NoUser { at },
                        (false, false) => BrokerError::NoPassword { at, user },
                        (false, true) => BrokerError::Password { at, user },
                    }
                }
                (ConnectErrorKind::Tls, None) => {
                    BrokerError::Tls { at, fault: TlsFault::Other(crate::error_chain(&error)) }
                }
                _ => unreachable(&crate::error_chain(&error)),
            }
        })?;
        Ok(Self { runtime, client, at, denials, came_back })
    }

    /// Whether the connection has come back since the last call. The broker may have forgotten something meanwhile.
    pub(super) fn came_back(&self) -> bool {
        self.came_back.swap(false, Ordering::SeqCst)
    }

    /// Sends a message that needs no answer.
    pub(super) fn tell(&self, subject: &str, payload: Vec<u8>) {
        // A worker that misses it learns the same from its next request.
        let _ = self.runtime.block_on(self.client.publish(subject.to_owned(), payload.into()));
    }

    fn ask(&self, subject: &str, headers: HeaderMap, payload: Vec<u8>) -> Result<Option<Message>, BrokerError> {
        let sent = self.client.request_with_headers(subject.to_owned(), headers, payload.into());
        self.answered(subject, self.runtime.block_on(sent))
    }

    /// Waits for the answer to a message; none if the subject has no listener.
    fn answered(
        &self,
        subject: &str,
        answer: Result<Message, async_nats::RequestError>,
    ) -> Result<Option<Message>, BrokerError> {
        match answer {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(None),
            Err(_) => Err(self.denied(subject).unwrap_or(BrokerError::Silent)),
        }
    }

    /// The error for a subject to which this user may not send; none if the broker has not denied it. The broker
    /// reports a denial beside the answers: `Permissions Violation for Publish to "…"`.
    fn denied(&self, subject: &str) -> Option<BrokerError> {
        let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        let at = denials.iter().position(|words| words.contains(subject))?;
        denials.remove(at);
        Some(BrokerError::Denied { what: format!("publish to {subject}") })
    }

    /// Sends a request to the interface of `JetStream`. None if the object does not exist.
    fn manage(&self, subject: &str, request: &Value) -> Result<Option<Value>, BrokerError> {
        let payload = if request.is_null() { Vec::new() } else { request.to_string().into_bytes() };
        let Some(message) = self.ask(subject, HeaderMap::new(), payload)? else {
            return Err(BrokerError::NoJetStream { at: self.at.clone() });
        };
        let answer: Value = serde_json::from_slice(&message.payload).unwrap_or_default();
        match refusal(&answer) {
            None => Ok(Some(answer)),
            Some((code, _)) if code::NOT_FOUND.contains(&code) => Ok(None),
            Some((code, _)) if code::NOT_ENABLED.contains(&code) => {
                Err(BrokerError::NoJetStream { at: self.at.clone() })
            }
            Some((code::STORE_FAILED, _)) => Err(BrokerError::Full(Full::Storage)),
            Some((code, description)) => {
                Err(full(code).map_or(BrokerError::Refused { code, description }, BrokerError::Full))
            }
        }
    }

    /// Whether the broker has `JetStream`.
    pub(super) fn has_jetstream(&self) -> Result<(), BrokerError> {
        self.manage("$JS.API.INFO", &Value::Null).map(drop)
    }

    /// Whether this stream exists.
    pub(super) fn has_stream(&self, name: &str) -> Result<bool, BrokerError> {
        let names = self.manage("$JS.API.STREAM.NAMES", &Value::Null)?.unwrap_or_default();
        Ok(names["streams"].as_array().is_some_and(|names| names.iter().any(|known| known == name)))
    }

    /// Creates a stream unless it exists.
    pub(super) fn make_stream(&self, name: &str, config: &Value) -> Result<(), BrokerError> {
        if self.manage(&format!("$JS.API.STREAM.INFO.{name}"), &Value::Null)?.is_some() {
            return Ok(());
        }
        self.manage(&format!("$JS.API.STREAM.CREATE.{name}"), config).map(drop)
    }

    /// Creates a consumer, or changes the lease of an existing one.
    pub(super) fn make_consumer(&self, stream: &str, name: &str, config: &Value) -> Result<(), BrokerError> {
        let subject = format!("$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{name}");
        self.manage(&subject, &json!({ "stream_name": stream, "config": config })).map(drop)
    }

    /// The number of jobs of a consumer that are waiting or in work; none if the consumer does not exist.
    pub(super) fn backlog(&self, stream: &str, consumer: &str) -> Result<Option<u64>, BrokerError> {
        let info = self.manage(&format!("$JS.API.CONSUMER.INFO.{stream}.{consumer}"), &Value::Null)?;
        let number = |info: &Value, key: &str| info[key].as_u64().unwrap_or_default();
        Ok(info.map(|info| number(&info, "num_pending") + number(&info, "num_ack_pending")))
    }

    /// The last sequence number of a stream; none if it is gone.
    pub(super) fn last_sequence(&self, stream: &str) -> Result<Option<u64>, BrokerError> {
        let info = self.manage(&format!("$JS.API.STREAM.INFO.{stream}"), &Value::Null)?;
        Ok(info.and_then(|info| info["state"]["last_seq"].as_u64()))
    }

    /// The subjects of a stream that match a filter.
    pub(super) fn subjects(&self, stream: &str, filter: &str) -> Result<BTreeSet<String>, BrokerError> {
        let mut subjects = BTreeSet::new();
        loop {
            let request = json!({ "subjects_filter": filter, "offset": subjects.len() });
            let Some(info) = self.manage(&format!("$JS.API.STREAM.INFO.{stream}"), &request)? else {
                return Ok(subjects);
            };
            let page = info["state"]["subjects"].as_object().cloned().unwrap_or_default();
            let before = subjects.len();
            subjects.extend(page.into_iter().map(|(subject, _)| subject));
            let total = info["total"].as_u64().unwrap_or_default();
            if subjects.len() == before || subjects.len() as u64 >= total {
                return Ok(subjects);
            }
        }
    }

    /// Deletes the messages whose subjects match a filter.
    pub(super) fn purge(&self, stream: &str, filter: &str) -> Result<(), BrokerError> {
        self.manage(&format!("$JS.API.STREAM.PURGE.{stream}"), &json!({ "filter": filter })).map(drop)
    }

    /// Deletes the messages whose subjects match a filter, if their sequence number is lower than `before`.
    pub(super) fn purge_before(&self, stream: &str, filter: &str, before: u64) -> Result<(), BrokerError> {
        let request = json!({ "filter": filter, "seq": before });
        self.manage(&format!("$JS.API.STREAM.PURGE.{stream}"), &request).map(drop)
    }

    /// Whether any client receives messages with this subject.
    pub(super) fn is_heard(&self, subject: &str) -> bool {
        let asked = self.client.request(subject.to_owned(), Vec::new().into());
        let answer = self.runtime.block_on(async { tokio::time::timeout(GLANCE, asked).await });
        // Without a listener, the broker itself answers at once. A listener need not answer.
        !matches!(answer, Ok(Err(error)) if error.kind() == RequestErrorKind::NoResponders)
    }

    /// Stores a message that counts once, if `id` is given: the broker remembers ids for an hour.
    pub(super) fn store(&self, subject: &str, id: Option<&str>, payload: Vec<u8>) -> Result<Storing, BrokerError> {
        stored(self.ask(subject, once(id), payload)?)
    }

    /// Stores a sign of life, which replaces the last one.
    pub(super) fn sign(&self, subject: &str, payload: Vec<u8>) -> Result<Storing, BrokerError> {
        let storing = stored(self.ask(subject, HeaderMap::new(), payload)?);
        // Signs are kept in memory, whichever resource the broker names.
        storing.map(|stored| if let Storing::Full(_) = stored { Storing::Full(Full::Memory) } else { stored })
    }

    /// Stores messages as fast as the broker takes them, and returns the outcome of each. `id`s as in [`Self::store`].
    pub(super) fn store_all(
        &self,
        messages: impl Iterator<Item = (String, Option<String>, Vec<u8>)>,
    ) -> Vec<(String, Result<Storing, BrokerError>)> {
        let send = |(subject, id, payload): (String, Option<String>, Vec<u8>)| async move {
            let sent = self.client.request_with_headers(subject.clone(), once(id.as_deref()), payload.into()).await;
            let storing = self.answered(&subject, sent).and_then(stored);
            (subject, storing)
        };
        self.runtime.block_on(futures_util::stream::iter(messages).map(send).buffer_unordered(WINDOW).collect())
    }

    /// The last message with this subject.
    pub(super) fn last(&self, stream: &str, subject: &str) -> Result<Option<StoredMessage>, BrokerError> {
        let answer = self.ask(&format!("$JS.API.DIRECT.GET.{stream}.{subject}"), HeaderMap::new(), Vec::new())?;
        Ok(answer.as_ref().and_then(found))
    }

    /// The last messages with these subjects, in their order.
    pub(super) fn last_of_all(
        &self,
        stream: &str,
        subjects: impl Iterator<Item = String>,
    ) -> Result<Vec<Option<StoredMessage>>, BrokerError> {
        let get = |subject: String| async move {
            let place = format!("$JS.API.DIRECT.GET.{stream}.{subject}");
            let answer = self.client.request(place.clone(), Vec::new().into()).await;
            self.answered(&place, answer).map(|answer| answer.as_ref().and_then(found))
        };
        let all = futures_util::stream::iter(subjects).map(get).buffered(WINDOW.min(16)).collect::<Vec<_>>();
        self.runtime.block_on(all).into_iter().collect()
    }

    /// The first message from a sequence number on whose subject matches a filter.
    pub(super) fn next(&self, stream: &str, filter: &str, from: u64) -> Result<Option<StoredMessage>, BrokerError> {
        let request = json!({ "seq": from, "next_by_subj": filter }).to_string().into_bytes();
        let answer = self.ask(&format!("$JS.API.DIRECT.GET.{stream}"), HeaderMap::new(), request)?;
        Ok(answer.as_ref().and_then(found))
    }

    /// Takes the next job of a consumer, if one waits.
    pub(super) fn take(&self, stream: &str, consumer: &str) -> Result<Option<LeasedJob>, BrokerError> {
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
        let request = json!({ "batch": 1, "no_wait": true }).to_string().into_bytes();
        // A job comes under its own subject, so the place for answers must be one that is listened to on purpose.
        let answer = self.runtime.block_on(async {
            let place = self.client.new_inbox();
            let mut answers = self.client.subscribe(place.clone()).await.map_err(|_| BrokerError::Silent)?;
            let sent = self.client.publish_with_reply(subject.clone(), place, request.into()).await;
            sent.map_err(|_| BrokerError::Silent)?;
            Ok(tokio::time::timeout(BRIEF, answers.next()).await.ok().flatten())
        })?;
        // The broker does not answer if the consumer does not exist yet.
        let Some(message) = answer else { return self.denied(&subject).map_or(Ok(None), Err) };
        let (None, Some(reply)) = (message.status, message.reply) else { return Ok(None) };
        // `$JS.ACK.<stream>.<consumer>.<delivered>.…`
        let deliveries = reply.split('.').nth(4).and_then(|text| text.parse().ok()).unwrap_or(1);
        Ok(Some(LeasedJob {
            payload: message.payload.to_vec(),
            subject: message.subject.to_string(),
            deliveries,
            reply: reply.to_string(),
        }))
    }

    /// Prolongs the lease of a job.
    pub(super) fn prolong(&self, taken: &LeasedJob) {
        self.tell(&taken.reply, b"+WPI".to_vec());
    }

    /// The job is done: its result is stored.
    pub(super) fn finish(&self, taken: &LeasedJob) -> Result<(), BrokerError> {
        self.ask(&taken.reply, HeaderMap::new(), b"+ACK".to_vec()).map(drop)
    }

    /// Gives a job back, for another worker to take after a while.
    pub(super) fn give_back(&self, taken: &LeasedJob, after: Duration) {
        let words = format!("-NAK {}", json!({ "delay": u64::try_from(after.as_nanos()).unwrap_or(u64::MAX) }));
        self.tell(&taken.reply, words.into_bytes());
        // The process may end right after this.
        let _ = self.runtime.block_on(self.client.flush());
    }

    /// Passes on later messages with these subjects.
    pub(super) fn listen<H: From<BroadcastMessage> + Send + 'static>(
        &self,
        subjects: &[String],
        to: &mpsc::Sender<H>,
    ) -> Result<(), BrokerError> {
        for subject in subjects {
            let subscribed = self.runtime.block_on(self.client.subscribe(subject.clone()));
            let mut messages = subscribed.map_err(|_| BrokerError::Silent)?;
            let to = to.clone();
            self.runtime.spawn(async move {
                while let Some(message) = messages.next().await {
                    let heard =
                        BroadcastMessage { subject: message.subject.to_string(), payload: message.payload.to_vec() };
                    if to.send(heard.into()).is_err() {
                        break;
                    }
                }
            });
        }
        self.runtime.block_on(self.client.flush()).map_err(|_| BrokerError::Silent)
    }

    /// Sends the messages that wait. Gives up soon if the broker is away.
    pub(super) fn flush(&self) {
        // At the end of a connection nothing else can be done.
        let _ = self.runtime.block_on(async { tokio::time::timeout(BRIEF, self.client.flush()).await });
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.flush();
    }
}

/// The file with a password, without the end of its line.
pub(crate) fn password_in(file: &Path) -> std::io::Result<String> {
    Ok(std::fs::read_to_string(file)?.trim_end_matches(['\n', '\r']).to_owned())
}

/// The headers of a message that is stored once: for each `id`, or for its subject.
fn once(id: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    match id {
        Some(id) => headers.insert("Nats-Msg-Id", id),
        None => headers.insert("Nats-Expected-Last-Subject-Sequence", "0"),
    }
    headers
}

fn refusal(answer: &Value) -> Option<(u64, String)> {
    let error = answer.get("error")?;
    let code = error["err_code"].as_u64().or_else(|| error["code"].as_u64()).unwrap_or_default();
    Some((code, error["description"].as_str().unwrap_or("no reason given").to_owned()))
}

/// The storage or memory that is used up, if an error reports that.
fn full(code: u64) -> Option<Full> {
    match code {
        code::NO_MEMORY => Some(Full::Memory),
        code if code::NO_STORAGE.contains(&code) => Some(Full::Storage),
        _ => None,
    }
}

fn stored(answer: Option<Message>) -> Result<Storing, BrokerError> {
    // No stream has this subject: the broker has lost its disk.
    let Some(message) = answer else {
        return Err(BrokerError::Refused { code: 10059, description: "stream not found".to_owned() });
    };
    let answer: Value = serde_json::from_slice(&message.payload).unwrap_or_default();
    match refusal(&answer) {
        None if answer["duplicate"] == true => Ok(Storing::Known),
        None => Ok(Storing::New),
        Some((code::WRONG_LAST_SEQUENCE, _)) => Ok(Storing::Known),
        Some((code::STORE_FAILED, _)) => Ok(Storing::Full(Full::Stream)),
        Some((code, description)) => full(code).map(Storing::Full).ok_or(BrokerError::Refused { code, description }),
    }
}

/// The stored message in a direct answer; none if the answer reports that no such message exists.
fn found(message: &Message) -> Option<StoredMessage> {
    let headers = message.headers.as_ref()?;
    let text = |name: &str| headers.get(name).map(|value| value.as_str().to_owned());
    Some(StoredMessage {
        sequence: text("Nats-Sequence")?.parse().ok()?,
        subject: text("Nats-Subject")?,
        // The consequence is only reported.
        stored: text("Nats-Time-Stamp").and_then(|time| humantime::parse_rfc3339(&time).ok()),
        payload: message.payload.to_vec(),
    })
}
