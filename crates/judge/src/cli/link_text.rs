//! Texts as they stand in links.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What has another meaning in a link.
const NOT_IN_LINKS: &AsciiSet =
    &CONTROLS.add(b' ').add(b'#').add(b'%').add(b'?').add(b'"').add(b'<').add(b'>');

/// A text as it stands in a link.
pub fn link_text(text: &str) -> String {
    utf8_percent_encode(text, NOT_IN_LINKS).to_string()
}
