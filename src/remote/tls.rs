//! Faults of the protected connection to a broker, each with a remedy.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use rustls::CertificateError;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The reason why a protected connection failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TlsFault {
    /// The other side answers, but not with TLS.
    NoTls,
    /// No trusted authority has signed the certificate of the broker. The file of `--ca`, if there is one.
    UnknownAuthority(Option<PathBuf>),
    /// The certificate is for other names: those that it is for.
    OtherNames(Vec<String>),
    Expired,
    NotYetValid,
    /// Something else is wrong with the certificate; most often it is that of an authority.
    Unfit(String),
    Other(String),
}

impl fmt::Display for TlsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTls => f.write_str(
                "it does not speak TLS\n  → write nats:// if it is on this machine; otherwise give it a certificate \
                 (`grader engine config --help`)",
            ),
            Self::UnknownAuthority(None) => f.write_str(
                "this machine does not know who signed the broker's certificate\n  → name the certificate of that \
                 authority, or the broker's own if it signed itself: --ca FILE",
            ),
            Self::UnknownAuthority(Some(file)) => write!(
                f,
                "the broker's certificate is not signed by an authority in {}\n  → name the certificate of the authority \
                 that signed it, or the broker's own if it signed itself: --ca FILE",
                file.display()
            ),
            Self::OtherNames(names) => {
                let only = if names.is_empty() { String::new() } else { format!(": it is for {}", names.join(", ")) };
                write!(
                    f,
                    "the broker's certificate is not for this name or address{only}\n  → write a name of the \
                     certificate in the URL, or make a certificate for this one (docs/scale.md)"
                )
            }
            Self::Expired => f.write_str("the broker's certificate has expired\n  → make a new one (docs/scale.md)"),
            Self::NotYetValid => {
                f.write_str("the broker's certificate is not valid yet\n  → compare the clocks of both machines: date")
            }
            Self::Unfit(why) => write!(
                f,
                "the broker's certificate cannot be used: {why}\n  → it must be the certificate of a server, not of an \
                 authority; docs/scale.md has the command that makes one"
            ),
            Self::Other(why) => write!(f, "{why}\n  → read the log of nats-server"),
        }
    }
}

/// The fault with TLS among the causes of an error, if there is one. `authority`: the file of `--ca`.
pub(super) fn fault_of(error: &(dyn Error + 'static), authority: Option<&Path>) -> Option<TlsFault> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        // An error of input or output hides the error that it wraps.
        let inner = error.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        let found = inner.and_then(|inner| inner.downcast_ref()).or_else(|| error.downcast_ref::<rustls::Error>());
        if let Some(found) = found {
            return Some(fault(found, authority));
        }
        cause = error.source();
    }
    None
}

fn fault(error: &rustls::Error, authority: Option<&Path>) -> TlsFault {
    let rustls::Error::InvalidCertificate(certificate) = error else {
        return match error {
            rustls::Error::InvalidMessage(_) => TlsFault::NoTls,
            other => TlsFault::Other(other.to_string()),
        };
    };
    match certificate {
        // An authority with the same name and another key has signed it.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            TlsFault::UnknownAuthority(authority.map(Path::to_owned))
        }
        CertificateError::NotValidForName => TlsFault::OtherNames(Vec::new()),
        CertificateError::NotValidForNameContext { presented, .. } => TlsFault::OtherNames(presented.clone()),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => TlsFault::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => TlsFault::NotYetValid,
        CertificateError::Other(other) => TlsFault::Unfit(other.to_string()),
        other => TlsFault::Unfit(other.to_string()),
    }
}

/// Why a file cannot be used for protected connections.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PemError {
    #[error("cannot read {}: {why}", .file.display())]
    Unreadable { file: PathBuf, why: String },
    #[error(
        "{} has no certificate in PEM format\n  → name a file that begins with -----BEGIN CERTIFICATE-----", .file.display()
    )]
    NoCertificate { file: PathBuf },
    #[error("{} has no private key in PEM format\n  → name a file that begins with -----BEGIN PRIVATE KEY-----", .file.display())]
    NoKey { file: PathBuf },
}

/// Checks that files hold a certificate and a key. `nats-server` checks whether they belong together.
pub(crate) fn check_certificate(certificate: &Path, key: &Path) -> Result<(), PemError> {
    check_authority(certificate)?;
    let text =
        std::fs::read(key).map_err(|error| PemError::Unreadable { file: key.to_owned(), why: error.to_string() })?;
    match PrivateKeyDer::from_pem_slice(&text) {
        Ok(_) => Ok(()),
        // For a key, no cause helps the user more than this.
        Err(_) => Err(PemError::NoKey { file: key.to_owned() }),
    }
}

/// Checks that a file holds certificates.
pub(super) fn check_authority(file: &Path) -> Result<(), PemError> {
    let unreadable = |why: String| PemError::Unreadable { file: file.to_owned(), why };
    let text = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let certificates = CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>();
    match certificates.map_err(|error| unreadable(error.to_string()))?.len() {
        0 => Err(PemError::NoCertificate { file: file.to_owned() }),
        _ => Ok(()),
    }
}
