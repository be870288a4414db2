//! A reader that replaces valid JSON which serde_json refuses.
//!
//! JSON sets no bound to a number and allows an escape of half a surrogate pair; serde_json rejects
//! the whole input for either. Here a number beyond the range of `f64` becomes a huge one, and an
//! escaped surrogate becomes the replacement character, so that at most the key that holds it is
//! unusable. A byte order mark, which some shells and editors write, becomes blanks.
//!
//! Invariants: everything else passes unchanged. A replacement has the length of what it replaces,
//! so that the line and the column of an error are those of the input; the exception is a number of
//! more than 1 MiB, which is passed on in short form. A byte is passed on as soon as it cannot be
//! part of something to replace, so that an answer never waits for input that serde_json would not
//! wait for.
//!
//! Cost: one state transition per byte.

use std::io::{self, BufRead, Read};

use crate::protocol::long_number::LongNumber;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Numbers beyond this are too large: serde_json rejects some below `f64::MAX`, because it rounds.
const MAX_NUMBER: f64 = 1e300;

/// Without an exponent, no number of this many characters exceeds [`MAX_NUMBER`].
const SAFE_NUMBER_LEN: usize = 300;

/// The number of bytes of a number that are stored; of a longer number only its value is.
const MAX_NUMBER_LEN: usize = 1 << 20;

enum State {
    /// Between strings and numbers.
    Outside,
    /// In a byte order mark; `held` has its bytes so far.
    Mark,
    /// In a number; `held` or `long` has its bytes so far.
    Number,
    /// In a string.
    Text,
    /// After a backslash.
    Escape,
    /// After `\u`; `held` has the digits so far.
    Digits,
}

/// Reads JSON from `inner` and passes it on with replacements.
pub struct JsonSanitizer<R> {
    inner: R,
    state: State,
    held: Vec<u8>,
    /// The current number, if it is too long to be stored.
    long: Option<Box<LongNumber>>,
    /// Bytes to pass on, of which the first `passed` have been.
    ready: Vec<u8>,
    passed: usize,
}

impl<R: BufRead> JsonSanitizer<R> {
    /// A sanitizer of the JSON that `inner` reads.
    pub fn new(inner: R) -> JsonSanitizer<R> {
        let (held, ready) = (Vec::new(), Vec::new());
        JsonSanitizer { inner, state: State::Outside, held, long: None, ready, passed: 0 }
    }

    /// Processes the next byte of the input.
    fn push(&mut self, byte: u8) {
        match self.state {
            State::Number if byte.is_ascii_digit() || b"+-.eE".contains(&byte) => {
                self.push_number(byte);
                return;
            }
            State::Number => {
                self.end_number();
                self.state = State::Outside;
            }
            State::Mark if BYTE_ORDER_MARK[self.held.len()] == byte => {
                self.held.push(byte);
                if self.held.len() == BYTE_ORDER_MARK.len() {
                    self.held.clear();
                    self.ready.extend_from_slice(b"   ");
                    self.state = State::Outside;
                }
                return;
            }
            State::Mark => {
                self.ready.append(&mut self.held);
                self.state = State::Outside;
            }
            _ => {}
        }
        match (&self.state, byte) {
            (State::Outside, b'-' | b'0'..=b'9') => {
                self.held.push(byte);
                self.state = State::Number;
                return;
            }
            (State::Outside, byte) if byte == BYTE_ORDER_MARK[0] => {
                self.held.push(byte);
                self.state = State::Mark;
                return;
            }
            (State::Outside, b'"') | (State::Escape, _) if byte != b'u' => self.state = State::Text,
            (State::Escape, _) => self.state = State::Digits,
            (State::Text, b'\\') => self.state = State::Escape,
            (State::Text, b'"') => self.state = State::Outside,
            (State::Digits, _) => {
                self.held.push(byte);
                if self.held.len() == 4 || !byte.is_ascii_hexdigit() {
                    self.end_escape();
                    self.state = State::Text;
                }
                return;
            }
            _ => {}
        }
        self.ready.push(byte);
    }

    /// Adds the next byte of a number.
    fn push_number(&mut self, byte: u8) {
        if self.held.len() == MAX_NUMBER_LEN {
            let long = self.long.insert(Box::default());
            self.held.drain(..).for_each(|byte| long.push(byte));
        }
        match &mut self.long {
            Some(long) => long.push(byte),
            None => self.held.push(byte),
        }
    }

    /// A cheap test that holds for every number for which [`JsonSanitizer::is_large`] does.
    fn may_be_large(&self) -> bool {
        self.held.len() > SAFE_NUMBER_LEN || self.held.iter().any(|byte| b"eE".contains(byte))
    }

    /// Whether the number exceeds [`MAX_NUMBER`].
    fn is_large(&self) -> bool {
        // By JSON's grammar: the parser of `f64` accepts more, and invalid JSON must stay invalid.
        let mut number = LongNumber::default();
        self.held.iter().for_each(|&byte| number.push(byte));
        let number = number.short().and_then(|short| short.parse::<f64>().ok());
        number.is_some_and(|number| number.abs() > MAX_NUMBER)
    }

    /// Passes on the number, which is complete.
    fn end_number(&mut self) {
        if let Some(long) = self.long.take() {
            // What is no number becomes a minus alone, which serde_json refuses as well.
            let short = long.short().unwrap_or_else(|| "-".to_owned());
            self.held.extend_from_slice(short.as_bytes());
        }
        if self.may_be_large() && self.is_large() {
            // 9e300 or -9e300, with zeros before the exponent.
            let digits = self.held.len() - usize::from(self.held[0] == b'-');
            self.ready.extend_from_slice(if self.held[0] == b'-' { b"-9e" } else { b"9e" });
            self.ready.extend(std::iter::repeat_n(b'0', digits.saturating_sub(5)));
            self.ready.extend_from_slice(b"300");
            self.held.clear();
        } else {
            self.ready.append(&mut self.held);
        }
    }

    /// Passes on the digits of the escape, which is complete.
    fn end_escape(&mut self) {
        let digits = std::str::from_utf8(&self.held).ok();
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        if self.held.len() == 4 && unit.is_some_and(|unit| (0xD800..=0xDFFF).contains(&unit)) {
            self.ready.extend_from_slice(b"fffd");
            self.held.clear();
        } else {
            self.ready.append(&mut self.held);
        }
    }
}

impl<R: BufRead> Read for JsonSanitizer<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.passed == self.ready.len() {
            self.ready.clear();
            self.passed = 0;
            let chunk = match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            let len = chunk.len();
            if len == 0 {
                // The input ends.
                if matches!(self.state, State::Number) {
                    self.end_number();
                }
                self.ready.append(&mut self.held);
                self.state = State::Outside;
                if self.ready.is_empty() {
                    return Ok(0);
                }
                break;
            }
            // A copy, because `push` needs `self`, from which the chunk is borrowed.
            let chunk = chunk.to_vec();
            self.inner.consume(len);
            chunk.into_iter().for_each(|byte| self.push(byte));
        }
        let len = into.len().min(self.ready.len() - self.passed);
        into[..len].copy_from_slice(&self.ready[self.passed..self.passed + len]);
        self.passed += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sanitized `text`, read in pieces of `piece` bytes.
    fn sanitized(text: &str, piece: usize) -> String {
        let reader = io::BufReader::with_capacity(piece, text.as_bytes());
        let mut sanitized = String::new();
        JsonSanitizer::new(reader).read_to_string(&mut sanitized).unwrap();
        sanitized
    }

    #[test]
    fn what_serde_json_accepts_passes_unchanged() {
        for text in [
            r#"{"a":[1,-2.5e3,1e299,"1e999 \" \\","\u00e9\n",true,null]} {"b":"é"}"#,
            "",
            "12",
            r#""\u12"#,
            r#""\ud8"#,
            r#""\uzz""#,
            "\"\u{feff}\"",
            "\u{fefe} \u{f000}1",
            "-",
            r"\",
            "[1e5,--,1e",
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(sanitized(text, piece), text);
            }
        }
    }

    #[test]
    fn what_serde_json_refuses_is_replaced_in_its_length() {
        for (text, expected) in [
            ("[1e999]", "[9e300]"),
            ("[-1e999,1]", "[-9e300,1]"),
            ("1E+99999", "9e000300"),
            ("1.7976931348623158e308", "9e00000000000000000300"),
            (r#""\ud800""#, r#""\ufffd""#),
            (r#""\uD83D\ude00x""#, r#""\ufffd\ufffdx""#),
            ("\u{feff}[1\u{feff},\"\u{feff}\"]\u{feff}\n", "   [1   ,\"\u{feff}\"]   \n"),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(sanitized(text, piece), expected);
                let value: serde_json::Value =
                    serde_json::from_str(&sanitized(text, piece)).unwrap();
                assert!(!value.is_null());
            }
        }
        let long = format!("[{}]", "7".repeat(400));
        assert_eq!(sanitized(&long, 64).len(), long.len());
        let longer = format!("[{},2]", "7".repeat(1 << 21));
        let values: Vec<f64> = serde_json::from_str(&sanitized(&longer, 4096)).unwrap();
        assert!(values[0] > 1e300 && values[1] == 2.0);
    }

    #[test]
    fn a_number_too_long_to_be_stored_keeps_its_value() {
        // Below, at and above what is stored.
        for zeros in [1000, MAX_NUMBER_LEN - 20, MAX_NUMBER_LEN, MAX_NUMBER_LEN + 1, 2_000_000] {
            let digits = "0".repeat(zeros);
            let text = format!("[1{digits}e-{zeros},-0.{digits}5e{zeros},2.{digits}1,3]");
            let sanitized = sanitized(&text, 1 << 16);
            let values: Vec<f64> = serde_json::from_str(&sanitized).unwrap();
            assert_eq!(values, [1.0, -0.5, 2.0, 3.0], "{zeros}");
            assert!(zeros < MAX_NUMBER_LEN || sanitized.len() < 10_000);
            for wrong in ["1e5.3", "1-1", "01", "1."] {
                let (start, end) = wrong.split_at(1);
                let text = format!("[{start}{digits}{end}]");
                let sanitized = self::sanitized(&text, 1 << 16);
                let read = serde_json::from_str::<Vec<f64>>(&sanitized);
                assert!(read.is_err(), "{zeros}: {wrong}");
            }
        }
    }
}
