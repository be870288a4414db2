//! Bytes as text: UTF-8, or UTF-16 with a byte order mark.

use std::borrow::Cow;

/// The text of these bytes without its byte order mark; `None` if they are no text.
///
/// UTF-16 is what Windows PowerShell's `>` writes, and what Notepad calls Unicode. A text has no
/// null character.
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xFF, 0xFE]) => u16::from_le_bytes,
        Some([0xFE, 0xFF]) => u16::from_be_bytes,
        _ => {
            let text = str::from_utf8(bytes).ok()?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            return (!text.contains('\0')).then_some(Cow::Borrowed(text));
        }
    };
    let (pairs, odd) = bytes[2..].as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    let text = String::from_utf16(&units).ok().filter(|text| !text.contains('\0'));
    text.filter(|_| odd.is_empty()).map(Cow::Owned)
}

/// The line and its byte, both from 1, at which a text is not in UTF-8; `None` if the bytes are
/// UTF-8, or no text: that has no control characters and begins with a readable one.
pub(super) fn first_fault(bytes: &[u8]) -> Option<(usize, usize)> {
    let is_written = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    let valid = &bytes[..str::from_utf8(bytes).err()?.valid_up_to()];
    if valid.is_empty() || !bytes.iter().all(is_written) {
        return None;
    }
    let start = valid.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
    Some((line, valid.len() - start + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_utf_8_or_utf_16_with_a_mark() {
        let written = "{\"é\": 1}\r\n";
        assert_eq!(decode(written.as_bytes()).as_deref(), Some(written));
        assert_eq!(decode(format!("\u{feff}{written}").as_bytes()).as_deref(), Some(written));
        let units = || std::iter::once(0xFEFF).chain(written.encode_utf16());
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&little).as_deref(), Some(written));
        assert_eq!(decode(&big).as_deref(), Some(written));
        assert_eq!(decode(&little[..little.len() - 1]), None);
        assert_eq!(decode(&[0xFF, 0xFE, 0x00, 0xD8]), None, "half a surrogate pair");
        assert_eq!(decode(&[0xC3, 0x28]), None);
        assert_eq!(decode(&[3, 2, 0, 0]), None, "null is no text");
        assert_eq!(decode(b"").as_deref(), Some(""));
    }

    #[test]
    fn the_first_fault_of_a_text_has_a_place() {
        assert_eq!(first_fault(b"Player: J\xFCrgen\n"), Some((1, 10)));
        assert_eq!(first_fault(b"{\r\n\"a\": 1,\n\"\xC3\xA9\xC3\": 2}"), Some((3, 4)));
        for other in [&b"abc"[..], b"", b"\x89PNG\r\n", b"a\0\xFF", b"a\x1A\xFF"] {
            assert_eq!(first_fault(other), None);
        }
    }
}
