//! The pipes of a bot, each written or read by a thread of its own.
//!
//! A bot that reads nothing blocks only the thread that writes, and one that prints without end
//! only the thread that reads, once the few chunks that may wait are there. No thread of the judge
//! that decides anything waits on a pipe.

use std::io::{self, Read, Write};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender};

use sapper::protocol::KEEP_RUNNING_MARKER;

/// The last part of what a bot writes to stderr, in bytes.
const TAIL: usize = 2048;

/// Writes requests until there are no more, or nobody reads.
pub fn write_requests(mut stdin: impl Write, requests: &Receiver<Vec<u8>>) {
    for request in requests {
        // A broken pipe: the bot has ended or has closed its input. Its output tells the rest.
        if stdin.write_all(&request).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Passes on what is printed, until its end or until nobody takes it.
pub fn pass_on(mut output: impl Read, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = [0; 1 << 14];
    while let Some(read) = read_some(&mut output, &mut buffer) {
        if chunks.send(buffer[..read].to_vec()).is_err() {
            return;
        }
    }
}

/// Reads to the end and keeps the last part; `open` is dropped then.
pub fn keep_tail(mut output: impl Read, tail: &Mutex<Vec<u8>>, open: Sender<()>) {
    let mut buffer = [0; 1 << 12];
    while let Some(read) = read_some(&mut output, &mut buffer) {
        if let Ok(mut tail) = tail.lock() {
            tail.extend(&buffer[..read]);
            let over = tail.len().saturating_sub(TAIL);
            tail.drain(..over);
        }
    }
    drop(open);
}

/// The number of bytes read; `None` at the end.
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

/// Where the marker line is: the bytes before it, and those up to its end.
#[derive(PartialEq, Eq, Debug)]
pub struct MarkerLine {
    pub before: usize,
    pub after: usize,
}

/// Finds the marker as a line of its own, its line feed perhaps still to come.
///
/// `line_start` is the first byte of the line to look at, and moves on, so that a text that comes
/// in small pieces is looked through once.
pub fn find_marker(text: &[u8], line_start: &mut usize) -> Option<MarkerLine> {
    loop {
        let before = *line_start;
        let rest = &text[before..];
        let feed = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..feed.unwrap_or(rest.len())];
        let after = before + feed.map_or(rest.len(), |feed| feed + 1);
        if line.trim_ascii() == KEEP_RUNNING_MARKER.as_bytes() {
            return Some(MarkerLine { before, after });
        }
        feed?;
        *line_start = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(text: &str) -> Option<(usize, usize)> {
        find_marker(text.as_bytes(), &mut 0).map(|line| (line.before, line.after))
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
    fn a_text_in_pieces_is_looked_through_once() {
        let text = format!("a\nbc\n{KEEP_RUNNING_MARKER}");
        let mut line_start = 0;
        for end in 0..text.len() {
            assert_eq!(find_marker(&text.as_bytes()[..end], &mut line_start), None);
        }
        assert_eq!(line_start, 5);
        assert!(find_marker(text.as_bytes(), &mut line_start).is_some());
    }
}
