//! Links of this project's page to a position: `#field=` and the position's text.
//!
//! The page writes them into its address, and the judge into its reports. Characters that a link
//! cannot have are percent-encoded. With `flags=mines` each flag is a known mine, which here is an
//! opened one. What else the link sets, such as the effort, is no part of the position.

use percent_encoding::percent_decode_str;

use super::drawn;
use super::format::{Contents, Format, Input};

pub(super) const FORMAT: Format = Format { name: "a link of Sapper", recognises, read };

/// The value of `field` in the fragment of a link.
fn field(link: &str) -> Option<&str> {
    parts(link)?.find_map(|pair| pair.strip_prefix("field="))
}

/// The parts of the fragment.
fn parts(link: &str) -> Option<impl Iterator<Item = &str>> {
    Some(link.split_once('#')?.1.split('&'))
}

fn recognises(input: &Input) -> bool {
    let link = input.trimmed();
    !link.contains(char::is_whitespace) && field(link).is_some()
}

fn read(input: &Input) -> Result<Contents, String> {
    // Browsers read a plus sign as a blank, too.
    let field = field(input.trimmed()).unwrap_or_default().replace('+', " ");
    let text = percent_decode_str(&field).decode_utf8();
    let mut text = text.map_err(|_| "`field` is no text in UTF-8".to_owned())?;
    if parts(input.trimmed()).is_some_and(|mut parts| parts.any(|part| part == "flags=mines")) {
        text = text.replace('F', "*").into();
    }
    (drawn::FORMAT.read)(&Input { bytes: text.as_bytes(), text: Some(&text) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{FormatError, is_code, read as read_any};

    #[test]
    fn a_link_is_its_position() {
        let text = "3 2 1\n1..\n1..";
        for link in [
            "#field=3%202%201%0A1..%0A1..",
            "#field=3+2+1%0a1..%0a1..",
            "file:///a%20b/sapper.html?x=1#effort=full&field=3%202%201%0A1..%0A1..&objective=x\n",
        ] {
            assert!(is_code(link), "{link}");
            let position = read_any(link.as_bytes()).unwrap().into_position();
            assert_eq!((position.text.trim_end(), position.flags.len()), (text, 0), "{link}");
        }
    }

    #[test]
    fn flags_are_mines_where_the_link_says_so() {
        let read = |link: &str| read_any(link.as_bytes()).unwrap().into_position();
        let marks = read("#field=3%201%201%0A1F.&flags=marks");
        assert_eq!((marks.text.trim_end(), marks.flags.len()), ("3 1 1\n1..", 1));
        let mines = read("#flags=mines&field=3%201%201%0A1F.");
        assert_eq!((mines.text.trim_end(), mines.flags.len()), ("3 1 1\n1*.", 0));
    }

    #[test]
    fn faults_are_named() {
        for (link, fault) in [
            ("#field=", "no width or height"),
            ("#field=3%202%201%0A1..", "too small a field: 1 row, expected 2"),
            ("#field=%FF", "`field` is no text in UTF-8"),
        ] {
            let Err(FormatError::Fault { format, why }) = read_any(link.as_bytes()) else {
                panic!("{link}");
            };
            assert_eq!(format, FORMAT.name);
            assert!(why.contains(fault), "{link}: {why}");
        }
    }
}
