//! The configuration of a broker: one user for clients and one for each worker, each with the rights that it needs.
//!
//! A worker may take jobs, acknowledge them, add results, and read blobs. It may not send jobs, delete anything, write
//! blobs, or read answers to other users. Format: NATS documentation, "Server configuration".

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

/// The name of the user for clients.
pub(crate) const CLIENT: &str = "client";

/// Settings for the configuration of a broker.
#[derive(Debug, Clone)]
pub(crate) struct Configuration {
    /// `host:port`.
    pub(crate) listen: String,
    /// The `host:port` by which others reach it.
    pub(crate) reached: String,
    /// The directory of its files.
    pub(crate) dir: PathBuf,
    /// The files of its certificate and its key.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    pub(crate) client: User,
    pub(crate) workers: Vec<User>,
}

/// A user of the broker.
#[derive(Debug, Clone)]
pub(crate) struct User {
    /// One word.
    pub(crate) name: String,
    pub(crate) password: String,
}

impl User {
    /// A user with a random password.
    pub(crate) fn new(name: &str) -> io::Result<Self> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        let password = bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        Ok(Self { name: name.to_owned(), password })
    }
}

/// Whether a user and a worker can have this name: it must be one word of a subject.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

impl Configuration {
    /// The URL of a user.
    pub(crate) fn url(&self, user: &User) -> String {
        format!("{}://{}:{}@{}", self.scheme(), user.name, user.password, self.reached)
    }

    /// The URL of a user whose password is in a file.
    pub(crate) fn url_without_password(&self, user: &User) -> String {
        format!("{}://{}@{}", self.scheme(), user.name, self.reached)
    }

    fn scheme(&self) -> &'static str {
        if self.certificate.is_some() { "tls" } else { "nats" }
    }

    /// The text of the file for `nats-server -c`.
    pub(crate) fn text(&self) -> String {
        let quote = |text: &str| serde_json::Value::from(text).to_string();
        let path = |path: &PathBuf| quote(&path.display().to_string());
        let mut text = format!(
            "# A broker for grader (nats-server 2.9 or later). It holds passwords: nobody else may read this file.\n\
             server_name: grader\nlisten: {}\nmax_payload: 1MB\nwrite_deadline: \"10s\"\n\
             # A worker that was cut off is noticed after ping_interval * (ping_max + 1).\nping_interval: \"5s\"\nping_max: 2\n\
             jetstream {{ store_dir: {}, max_memory_store: 256MB, max_file_store: 20GB }}\n",
            quote(&self.listen),
            path(&self.dir)
        );
        if let Some((certificate, key)) = &self.certificate {
            let _ = writeln!(text, "tls {{ cert_file: {}, key_file: {}, timeout: 5 }}", path(certificate), path(key));
        }
        text.push_str("authorization { users = [\n");
        let client = ["job.>", "blob.>", "run.>", "ctl.>", "complain.*", "$JS.API.>"].map(str::to_owned);
        let heard = ["res.>", "prog.>", "complain.>"].map(str::to_owned);
        add_user(&mut text, &self.client, &client, &heard);
        for worker in &self.workers {
            let said = [
                "$JS.API.CONSUMER.MSG.NEXT.JOBS.*",
                "$JS.ACK.JOBS.>",
                "res.>",
                "prog.*",
                "complain.*",
                "$JS.API.INFO",
                "$JS.API.STREAM.NAMES",
                "$JS.API.DIRECT.GET.RES.>",
                "$JS.API.DIRECT.GET.BLOBS.>",
                "$JS.API.DIRECT.GET.WORKERS",
            ];
            let said: Vec<String> =
                said.map(str::to_owned).into_iter().chain([format!("hb.{}", worker.name)]).collect();
            add_user(&mut text, worker, &said, &["ctl.>".to_owned()]);
        }
        text.push_str("] }\n");
        text
    }
}

fn add_user(text: &mut String, user: &User, said: &[String], heard: &[String]) {
    let list = |subjects: &[String]| serde_json::Value::from(subjects.to_vec()).to_string();
    // Answers come to a subject of their own, to which no other user may listen.
    let heard = [heard, &[format!("_INBOX_{}.>", user.name)]].concat();
    let _ = writeln!(
        text,
        "  {{ user: {:?}, password: {:?}, permissions: {{ publish: {}, subscribe: {} }} }}",
        user.name,
        user.password,
        list(said),
        list(&heard)
    );
}
