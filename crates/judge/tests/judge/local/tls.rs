//! A server is told the address only if its certificate is trusted.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

use super::{Running, client, read_until};

/// A certificate for 127.0.0.1 that no browser trusts, and its key.
const LOOPBACK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judge/local/loopback.pem");

/// Starts a server without news. Returns its address and the number of requests that it has read.
fn serve() -> (String, Arc<AtomicUsize>) {
    let certificate = CertificateDer::from_pem_file(LOOPBACK).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::from_pem_file(LOOPBACK).unwrap());
    let config = Arc::new(config.unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}/api/1/s3cret/localai", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&requests);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = BufReader::new(StreamOwned::new(connection, stream.unwrap()));
            let mut line = String::new();
            // A client that trusts nobody closes the connection.
            while stream.read_line(&mut line).is_ok_and(|length| length > 2) {
                line.clear();
            }
            if line == "\r\n" {
                counter.fetch_add(1, Ordering::Relaxed);
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n";
                stream.get_mut().write_all(format!("{head}0 0").as_bytes()).unwrap();
                stream.get_mut().conn.send_close_notify();
                stream.get_mut().flush().unwrap();
            }
        }
    });
    (address, requests)
}

#[cfg(unix)]
#[test]
fn only_a_server_with_a_trusted_certificate_is_told_the_address() {
    let (address, requests) = serve();
    let state = TempDir::new().unwrap();
    let start = |roots: Option<&str>| {
        let mut client = client(&address, state.path(), &["--retry-wait", "0.2"]);
        client.env_remove("SSL_CERT_FILE").envs(roots.map(|file| ("SSL_CERT_FILE", file)));
        Running::start(&mut client)
    };
    let mut stranger = start(None);
    let text = read_until(&mut stranger, "trying again");
    assert!(text.contains("no secure connection"), "{text}");
    stranger.interrupt();
    assert_eq!((stranger.end().0, requests.load(Ordering::Relaxed)), (130, 0));

    let mut trusting = start(Some(LOOPBACK));
    read_until(&mut trusting, "connected");
    trusting.interrupt();
    assert_eq!(trusting.end().0, 130);
    assert!(requests.load(Ordering::Relaxed) > 0);

    // A file without a certificate, and one with what only looks like one.
    let broken = state.path().join("broken.pem");
    let [begin, end] = ["BEGIN", "END"].map(|word| format!("-----{word} CERTIFICATE-----"));
    fs::write(&broken, format!("{begin}\naGVsbG8=\n{end}\n")).unwrap();
    for file in ["/dev/null", broken.to_str().unwrap()] {
        let (code, _, stderr) = start(Some(file)).end();
        assert!(code == 2 && stderr.contains("no valid certificate in PEM form"), "{stderr}");
    }
}
