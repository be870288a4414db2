//! Texts as they stand in links.

use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::runner::system::Conventions;

/// What has another meaning in a link: browsers read a backslash as a slash.
const NOT_IN_LINKS: &AsciiSet =
    &CONTROLS.add(b' ').add(b'#').add(b'%').add(b'?').add(b'"').add(b'<').add(b'>').add(b'\\');

/// A text as it stands in a link.
pub fn link_text(text: &str) -> String {
    utf8_percent_encode(text, NOT_IN_LINKS).to_string()
}

/// A link to a file.
pub fn link_to(file: &Path) -> String {
    link_text(&Conventions::HERE.path_in_link(&file.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_file_has_slashes_and_no_blanks() {
        let file = Path::new("my pages").join("a#1.html");
        assert_eq!(link_to(&file), "my%20pages/a%231.html");
        assert_eq!(link_text(r"a\b"), "a%5Cb");
    }
}
