//! The server's side of HTTP/1.1, as far as the protocol needs it: one GET a connection.
//!
//! Faults are why no HTTP library answers here: a response may be cut off, or never come.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

/// The most bytes of a request that are read at all.
const MAX_READ: usize = 1 << 20;
/// The most headers of a request.
const MAX_HEADERS: usize = 1024;
/// How long a client may take for its request.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a client may take to close the connection after a response.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);

/// A request without its body.
pub struct Request {
    pub path: String,
    headers: Vec<(String, String)>,
    /// The bytes of the request line and the headers.
    pub bytes: usize,
}

impl Request {
    /// Reads the request of a connection.
    ///
    /// # Errors
    /// It is not a GET, or it does not come to an end.
    pub fn read(stream: &mut TcpStream) -> Result<Request> {
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
        loop {
            let length = stream.read(&mut part)?;
            ensure!(length > 0 && bytes.len() < MAX_READ, "the request has no end");
            bytes.extend(&part[..length]);
            let mut headers = vec![httparse::EMPTY_HEADER; MAX_HEADERS];
            let mut request = httparse::Request::new(&mut headers);
            let httparse::Status::Complete(bytes) = request.parse(&bytes)? else { continue };
            ensure!(request.method == Some("GET"), "the request is not a GET");
            let path = request.path.context("the request has no path")?.to_owned();
            let headers = request.headers.iter().map(|header| {
                let value = String::from_utf8_lossy(header.value).into_owned();
                (header.name.to_ascii_lowercase(), value)
            });
            return Ok(Request { path, headers: headers.collect(), bytes });
        }
    }

    /// The value of a header, whose name is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The ids and values of all headers `X-Match-ID`.
    pub fn answers(&self) -> Vec<(String, String)> {
        let answer = |(name, value): &(String, String)| {
            name.strip_prefix("x-match-").map(|id| (id.to_owned(), value.clone()))
        };
        self.headers.iter().filter_map(answer).collect()
    }
}

/// Writes a whole response.
///
/// # Errors
/// The client has closed the connection.
pub fn respond(stream: &mut TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    respond_in_part(stream, status, body, body.len())
}

/// Writes the start of a response whose whole body has this length.
///
/// # Errors
/// The client has closed the connection.
pub fn respond_in_part(
    stream: &mut TcpStream,
    status: u16,
    body: &str,
    length: usize,
) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} Fake\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all((head + body).as_bytes())?;
    stream.flush()
}

/// Whether the client still waits for the response.
pub fn is_open(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).ok();
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false).ok();
    !matches!(peeked, Ok(0)) && !peeked.is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
}

/// Whether the client closes the connection after it has read the whole response. If it was killed
/// before, the system resets the connection instead.
pub fn is_read_to_end(stream: &mut TcpStream) -> bool {
    stream.shutdown(Shutdown::Write).ok();
    stream.set_read_timeout(Some(CLOSE_TIMEOUT)).ok();
    matches!(stream.read(&mut [0]), Ok(0)) && matches!(stream.take_error(), Ok(None))
}

/// Leaves the client without a response until it gives up, or until `ends`.
pub fn stay_silent(stream: &mut TcpStream, ends: impl Fn() -> bool) {
    stream.set_read_timeout(Some(Duration::from_millis(50))).ok();
    let is_waiting = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
    };
    while !ends() {
        match stream.read(&mut [0; 64]) {
            Err(error) if is_waiting(&error) => {}
            _ => break,
        }
    }
}
