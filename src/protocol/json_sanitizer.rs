//! JSON that is valid and still unreadable for the parser, made readable on its way in.
//!
//! JSON sets no bound to a number, and lets an escape name half of a surrogate pair; serde_json gives up
//! on the whole input at either. Here a number that an `f64` can hardly hold becomes one that is merely huge,
//! and an escaped surrogate becomes the replacement character, so that the field it stands in is judged by
//! whoever wants it, and nobody else's answer is lost over it. A byte order mark, which some shells put before
//! what they pipe and some editors before a line, becomes blanks.
//!
//! Invariants: everything else passes byte for byte; a replacement is as long as what it replaces, so that
//! a parser's line and column are those of the input (but for a number of more than 1 MiB, which is passed on as the
//! short one that it is worth, and costs no more memory than that). A byte
//! is passed on as soon as it cannot be part of something to replace: an answer never waits for input that
//! the parser would not wait for.

use std::io::{self, BufRead, Read};

use crate::protocol::long_number::LongNumber;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Numbers beyond this are taken for too large: the parser rounds, and refuses some below the largest
/// `f64`.
const LARGEST: f64 = 1e300;

/// Characters of which no number is larger without an exponent.
const LARGEST_DIGITS: usize = 300;

/// Characters of a number that are held: of one with more only what it is worth.
const LONGEST_NUMBER: usize = 1 << 20;

enum State {
    /// Between strings and numbers.
    Outside,
    /// In a byte order mark; `held` has what came of it.
    Mark,
    /// In a number; `held` has what came of it.
    Number,
    Text,
    /// After a backslash.
    Escape,
    /// After `\u`; `held` has the digits.
    Digits,
}

/// Reads JSON from `inner`, mended.
pub struct Lenient<R> {
    inner: R,
    state: State,
    held: Vec<u8>,
    /// The number that is being read, where it is too long to be held.
    long: Option<Box<LongNumber>>,
    ready: Vec<u8>,
    taken: usize,
}

impl<R: BufRead> Lenient<R> {
    /// Mends what `inner` holds.
    pub fn new(inner: R) -> Lenient<R> {
        let (held, ready) = (Vec::new(), Vec::new());
        Lenient { inner, state: State::Outside, held, long: None, ready, taken: 0 }
    }

    fn take(&mut self, byte: u8) {
        match self.state {
            State::Number if byte.is_ascii_digit() || b"+-.eE".contains(&byte) => {
                self.number(byte);
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

    /// Takes the next byte of a number.
    fn number(&mut self, byte: u8) {
        if self.held.len() == LONGEST_NUMBER {
            let long = self.long.insert(Box::default());
            self.held.drain(..).for_each(|byte| long.take(byte));
        }
        match &mut self.long {
            Some(long) => long.take(byte),
            None => self.held.push(byte),
        }
    }

    /// Whether it takes a look at the number to tell: without an exponent a digit is worth ten at the most.
    fn may_be_large(&self) -> bool {
        self.held.len() > LARGEST_DIGITS || self.held.iter().any(|byte| b"eE".contains(byte))
    }

    fn is_large(&self) -> bool {
        // By JSON's grammar: the parser of `f64` takes more, and what is no number must stay none.
        let mut number = LongNumber::default();
        self.held.iter().for_each(|&byte| number.take(byte));
        let number = number.short().and_then(|short| short.parse::<f64>().ok());
        number.is_some_and(|number| number.abs() > LARGEST)
    }

    /// Passes a number on.
    fn end_number(&mut self) {
        if let Some(long) = self.long.take() {
            // A minus alone is refused as what it stands for is: it is no number.
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

    /// Passes the digits of an escape on.
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

impl<R: BufRead> Read for Lenient<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.ready.len() {
            self.ready.clear();
            self.taken = 0;
            let chunk = match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            let len = chunk.len();
            if len == 0 {
                // The input ends: what is held is all there is of it.
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
            // A copy, because taking a byte changes what the chunk is borrowed from.
            let chunk = chunk.to_vec();
            self.inner.consume(len);
            chunk.into_iter().for_each(|byte| self.take(byte));
        }
        let len = into.len().min(self.ready.len() - self.taken);
        into[..len].copy_from_slice(&self.ready[self.taken..self.taken + len]);
        self.taken += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mends `text`, given in pieces of `piece` bytes.
    fn mended(text: &str, piece: usize) -> String {
        let reader = io::BufReader::with_capacity(piece, text.as_bytes());
        let mut mended = String::new();
        Lenient::new(reader).read_to_string(&mut mended).unwrap();
        mended
    }

    #[test]
    fn what_the_parser_can_read_passes_unchanged() {
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
                assert_eq!(mended(text, piece), text);
            }
        }
    }

    #[test]
    fn what_the_parser_cannot_read_is_replaced_in_its_length() {
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
                assert_eq!(mended(text, piece), expected);
                let value: serde_json::Value = serde_json::from_str(&mended(text, piece)).unwrap();
                assert!(!value.is_null());
            }
        }
        let long = format!("[{}]", "7".repeat(400));
        assert_eq!(mended(&long, 64).len(), long.len());
        let longer = format!("[{},2]", "7".repeat(1 << 21));
        let values: Vec<f64> = serde_json::from_str(&mended(&longer, 4096)).unwrap();
        assert!(values[0] > 1e300 && values[1] == 2.0);
    }

    #[test]
    fn a_number_too_long_to_be_held_is_worth_what_is_written() {
        // Below, at and above what is held.
        for zeros in [1000, LONGEST_NUMBER - 20, LONGEST_NUMBER, LONGEST_NUMBER + 1, 2_000_000] {
            let digits = "0".repeat(zeros);
            let text = format!("[1{digits}e-{zeros},-0.{digits}5e{zeros},2.{digits}1,3]");
            let mended = mended(&text, 1 << 16);
            let values: Vec<f64> = serde_json::from_str(&mended).unwrap();
            assert_eq!(values, [1.0, -0.5, 2.0, 3.0], "{zeros}");
            assert!(zeros < LONGEST_NUMBER || mended.len() < 10_000);
            for wrong in ["1e5.3", "1-1", "01", "1."] {
                let (start, end) = wrong.split_at(1);
                let text = format!("[{start}{digits}{end}]");
                let mended = self::mended(&text, 1 << 16);
                let read = serde_json::from_str::<Vec<f64>>(&mended);
                assert!(read.is_err(), "{zeros}: {wrong}");
            }
        }
    }
}
