//! The pipes of a bot, each written or read by a thread of its own.
//!
//! A bot that reads nothing blocks only the thread that writes. A bot that prints without end
//! blocks only the thread that reads, once the channel is full.
//!
//! Invariant: no other thread of the judge waits for a pipe.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, SyncSender};

use sapper::protocol::KEEP_RUNNING_MARKER;

use crate::runner::messages::escaped;

/// The bytes that are kept of what a bot writes to stderr.
const TAIL_LEN: usize = 2048;

/// Writes requests until the channel or the pipe is closed.
pub fn write_requests(mut stdin: impl Write, requests: &Receiver<Vec<u8>>) {
    for request in requests {
        // The bot has ended or has closed its input. Its output decides whether that is a fault.
        if stdin.write_all(&request).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Forwards a bot's output until the pipe or the channel is closed.
pub fn forward_output(mut output: impl Read, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = [0; 1 << 14];
    while let Some(read) = read_some(&mut output, &mut buffer) {
        if chunks.send(buffer[..read].to_vec()).is_err() {
            return;
        }
    }
}

/// Reads to the end, and sends the last [`TAIL_LEN`] bytes.
pub fn send_tail(mut output: impl Read, tails: &Sender<Vec<u8>>) {
    let (mut buffer, mut tail) = ([0; 1 << 12], Vec::new());
    while let Some(read) = read_some(&mut output, &mut buffer) {
        tail.extend(&buffer[..read]);
        tail.drain(..tail.len().saturating_sub(TAIL_LEN));
    }
    // The bot may be gone.
    tails.send(tail).ok();
}

/// Reads once, and returns the number of bytes, or `None` at the end.
fn read_some(output: &mut impl Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match output.read(buffer) {
            Ok(0) => return None,
            Ok(read) => return Some(read),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// Bytes as text, without the white space around it.
pub fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// The start of a text, in one line.
pub fn shortened(text: &str) -> String {
    const MAX_LEN: usize = 80;
    match text.char_indices().nth(MAX_LEN) {
        Some((end, _)) => format!("{}...", escaped(&text[..end])),
        None => escaped(text),
    }
}

/// Finds the marker as a line of its own, with its line feed, which it may still lack.
///
/// `line_start` is the start of the first line that was not searched yet, and is advanced, so that
/// a text that arrives in pieces is searched once.
pub fn find_marker(text: &[u8], line_start: &mut usize) -> Option<Range<usize>> {
    loop {
        let start = *line_start;
        let rest = &text[start..];
        let feed = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..feed.unwrap_or(rest.len())];
        let end = start + feed.map_or(rest.len(), |feed| feed + 1);
        if line.trim_ascii() == KEEP_RUNNING_MARKER.as_bytes() {
            return Some(start..end);
        }
        feed?;
        *line_start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(text: &str) -> Option<(usize, usize)> {
        find_marker(text.as_bytes(), &mut 0).map(|line| (line.start, line.end))
    }

    #[test]
    fn the_marker_is_a_line_of_its_own() {
        let mark = KEEP_RUNNING_MARKER;
        assert_eq!(marker(&format!("{{}}\n{mark}\nmore")), Some((3, 4 + mark.len())));
        assert_eq!(marker(&format!("{{}}\r\n{mark}\r\n")), Some((4, 6 + mark.len())));
        assert_eq!(marker(&format!("{{}}\n{mark}")), Some((3, 3 + mark.len())));
        assert_eq!(marker(&format!("\n\n{mark}\n")), Some((2, 3 + mark.len())));
        assert_eq!(marker(&format!("{{}} {mark}\n")), None);
        assert_eq!(marker(&mark[1..]), None);
        assert_eq!(marker(""), None);
    }

    #[test]
    fn a_text_in_pieces_is_searched_once() {
        let text = format!("a\nbc\n{KEEP_RUNNING_MARKER}");
        let mut line_start = 0;
        for end in 0..text.len() {
            assert_eq!(find_marker(&text.as_bytes()[..end], &mut line_start), None);
        }
        assert_eq!(line_start, 5);
        assert!(find_marker(text.as_bytes(), &mut line_start).is_some());
    }
}
