//! The client's side of HTTP: one call, and what became of it.
//!
//! Invariant: an answer counts as delivered if and only if the status of the call that carried it
//! was 200, whatever happened to the body. No error text has the address: texts of the HTTP client
//! that may name it are replaced.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use serde_json::Value;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Error};

use super::address::Address;
use super::news::{News, read_id};
use crate::runner::files::read_bytes;

/// The time for a connection, including TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// The environment variable with a file of root certificates instead of those of the browsers, as
/// other programs have it: for a network with a certificate of its own.
const ROOTS_VAR: &str = "SSL_CERT_FILE";
/// The most bytes of a body that are read.
const MAX_BODY: u64 = 64 << 20;

/// The server that has the matches.
pub struct Server {
    agent: Agent,
    address: Address,
}

/// An answer on its way: the match, and the value of its header.
pub type Outgoing = (String, String);

/// What became of a poll.
pub enum Polled {
    /// The answers are delivered.
    News(News),
    /// The answers are delivered, and the body cannot be read: why.
    BadBody(String),
    /// Nothing is known to be delivered.
    Failed(Failure),
}

/// Why a call has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It fails every time.
    Final(String),
    /// The server may have refused the headers for their size.
    TooLarge(String),
    /// It may succeed later.
    Passing(String),
}

impl Server {
    /// A server whose polls may take this long.
    ///
    /// # Errors
    /// Fails if the file of SSL_CERT_FILE cannot be used.
    pub fn new(address: Address, poll_timeout: Duration) -> Result<Server> {
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirection would send the secret elsewhere.
            .max_redirects(0)
            .user_agent(concat!("sapper/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_global(Some(poll_timeout))
            // A long poll outlives what intermediaries allow an idle connection.
            .max_idle_connections(0);
        if address.is_local() {
            config = config.proxy(None);
        }
        if let Some(file) = std::env::var_os(ROOTS_VAR).filter(|file| !file.is_empty()) {
            let roots = read_roots(Path::new(&file)).context(ROOTS_VAR)?;
            config = config.tls_config(TlsConfig::builder().root_certs(roots).build());
        }
        Ok(Server { agent: config.build().into(), address })
    }

    /// Sends answers, and waits for news.
    pub fn poll(&self, answers: &[Outgoing]) -> Polled {
        let mut request = self.agent.get(self.address.poll());
        for (id, answer) in answers {
            request = request.header(format!("X-Match-{id}"), answer);
        }
        let mut response = match request.call() {
            Ok(response) => response,
            Err(error) => return Polled::Failed(Failure::Passing(error_text(&error))),
        };
        if let Some(failure) = status_failure(response.status().as_u16()) {
            return Polled::Failed(failure);
        }
        let body = response.body_mut().with_config().limit(MAX_BODY).read_to_string();
        let body = body.map_err(|error| format!("the news broke off: {}", error_text(&error)));
        match body.and_then(|body| News::read(&body)) {
            Ok(news) => Polled::News(news),
            Err(why) => Polled::BadBody(why),
        }
    }

    /// Opens a match with this init data and returns its id. The time limit is in the site's unit;
    /// without one the site has a default.
    ///
    /// # Errors
    /// The match was not opened, or its id was lost.
    pub fn run_match(&self, initdata: &Value) -> Result<String, Failure> {
        let request = self.agent.get(self.address.run_match());
        let request = request.header("X-Game", "Minesweeper").header("X-Player-0", "me");
        let request = request.header("X-Initdata", ascii_json(initdata));
        let mut response = request.call().map_err(|error| Failure::Passing(error_text(&error)))?;
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MAX_BODY).read_to_string();
        if let Some(failure) = status_failure(status) {
            return Err(match failure {
                // No header is large here, so the server objects to the match.
                Failure::TooLarge(why) => Failure::Final(why),
                failure => failure,
            });
        }
        let body = body.map_err(|error| Failure::Passing(error_text(&error)))?;
        read_id(body.trim()).map_err(|_| Failure::Final("the server did not open a match".into()))
    }
}

/// The certificates in a PEM file.
fn read_roots(file: &Path) -> Result<RootCerts> {
    let name = file.display();
    let text = read_bytes(file)?;
    let certificate =
        |item| if let Ok(PemItem::Certificate(root)) = item { Some(root) } else { None };
    let roots: Vec<_> = parse_pem(&text).filter_map(certificate).collect();
    // The HTTP client leaves out what it cannot use, and then trusts nobody.
    let ders = roots.iter().map(|root| CertificateDer::from(root.der()));
    let (valid, _) = RootCertStore::empty().add_parsable_certificates(ders);
    ensure!(valid > 0, "{name} has no valid certificate in PEM form");
    Ok(RootCerts::new_with_certs(&roots))
}

/// The failure that a status stands for; `None` for success.
fn status_failure(status: u16) -> Option<Failure> {
    let refused = |why: &str| {
        Some(Failure::Final(format!(
            "the server answers {status}: {why}; copy the address again from your page on the site"
        )))
    };
    match status {
        200 => None,
        401 => refused("the secret in the address is wrong, or no longer valid"),
        403 => refused("the address may not play"),
        300..=399 => refused("the address has moved"),
        404 | 410 => refused("there is no Local AI at the address"),
        400 | 413 | 414 | 431 => {
            Some(Failure::TooLarge(format!("the server refuses the request ({status})")))
        }
        502 => Some(Failure::Passing("the server is not reached by its gateway (502)".into())),
        504 => Some(Failure::Passing("the gateway waited too long for the server (504)".into())),
        _ => Some(Failure::Passing(format!("the server answers {status}"))),
    }
}

/// The text of an error of the HTTP client, without the address.
fn error_text(error: &Error) -> String {
    match error {
        Error::Timeout(_) => "no answer in time".to_owned(),
        Error::HostNotFound => "the server's name is not known: is there a network?".to_owned(),
        // So the TLS library wraps its own errors.
        Error::Io(error) if error.kind() == ErrorKind::InvalidData => {
            format!("no secure connection: {error}")
        }
        Error::Io(error) => format!("the connection failed: {error}"),
        Error::Rustls(error) => format!("no secure connection: {error}"),
        Error::Tls(why) => format!("no secure connection: {why}"),
        Error::ConnectionFailed => "no connection".to_owned(),
        Error::InvalidProxyUrl => "the proxy in the environment is not an address".to_owned(),
        Error::BodyExceedsLimit(_) => "the body is too long".to_owned(),
        Error::Protocol(_) => "the response is not HTTP, or was cut off".to_owned(),
        // Other errors may quote the address.
        _ => "the call failed".to_owned(),
    }
}

/// JSON whose other characters are escaped, as a header's value must be.
fn ascii_json(value: &Value) -> String {
    let mut text = String::new();
    for unit in value.to_string().encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => text.push(byte.into()),
            _ => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_some_statuses_are_worth_a_repeat() {
        for status in [301, 302, 401, 403, 404] {
            assert!(matches!(status_failure(status), Some(Failure::Final(_))), "{status}");
        }
        for status in [408, 429, 500, 502, 503, 504] {
            assert!(matches!(status_failure(status), Some(Failure::Passing(_))), "{status}");
        }
        assert!(matches!(status_failure(431), Some(Failure::TooLarge(_))));
        assert_eq!(status_failure(200), None);
    }

    #[test]
    fn no_error_text_quotes_the_address() {
        let uri = "https://host/api/1/s3cret/localai";
        for error in [Error::BadUri(uri.to_owned()), Error::HostNotFound] {
            assert!(!error_text(&error).contains("s3cret"));
        }
    }

    #[test]
    fn init_data_is_ascii() {
        let value = json!({"a": "é\u{1f4a3}", "b": 1});
        let text = ascii_json(&value);
        assert!(text.is_ascii(), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
