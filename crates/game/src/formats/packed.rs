//! Files of packers. Whoever reads a file unpacks zip and gzip first, so that what is still packed
//! here was packed twice, or by another program: it is named, and nothing in it is read.

use super::format::{Contents, Format, Input};

pub(super) const FORMAT: Format = Format { name: "a packed file", recognises, read };

/// The first bytes of a packer's files, and its name.
const PACKERS: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1F\x8B\x08", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xFD7zXZ\0", "xz"),
    (b"7z\xBC\xAF\x27\x1C", "7z"),
    (b"Rar!\x1A\x07", "rar"),
];

fn packer(input: &Input) -> Option<&'static str> {
    // A text may begin with these letters.
    let mut packers = PACKERS.iter().filter(|_| input.text.is_none());
    packers.find(|(start, _)| input.bytes.starts_with(start)).map(|(_, name)| *name)
}

fn recognises(input: &Input) -> bool {
    packer(input).is_some()
}

fn read(input: &Input) -> Result<Contents, String> {
    Err(match packer(input).unwrap_or_default() {
        name @ ("zip" | "gzip") => format!("{name} in another packed file: unpack that one first"),
        name => format!("{name}, which is not read here: unpack it, or pack it by zip or gzip"),
    })
}

#[cfg(test)]
mod tests {
    use crate::formats::read as read_any;

    #[test]
    fn a_packed_file_is_named_and_a_text_is_not() {
        for (bytes, expected) in [
            (&b"PK\x03\x04\x14\0\0\0"[..], "a packed file: zip in another packed file: unpack"),
            (b"PK\x05\x06\0\0\0\0", "a packed file: zip in another"),
            (b"\x1F\x8B\x08\0\0", "a packed file: gzip in another"),
            (b"BZh91AY&SY\0", "a packed file: bzip2, which is not read here: unpack it"),
            (b"\xFD7zXZ\0\0", "a packed file: xz"),
            (b"7z\xBC\xAF\x27\x1C\0", "a packed file: 7z"),
            (b"Rar!\x1A\x07\0", "a packed file: rar"),
            (b"BZh", "a field as text: "),
        ] {
            let error = read_any(bytes).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
