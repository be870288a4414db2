//! The checksum of a line of JSON: the last key of its object, which is the CRC-32 of the line
//! without this key.
//!
//! ```text
//! {"games":300,"wins":120,"crc32":"0a1b2c3d"}
//! ```
//!
//! Invariant: what [`unsealed`] gives back is, byte for byte, what was given to [`sealed`], or no
//! checksum was found. A byte that was altered changes a CRC-32 in any case, and of other
//! alterations one in four billion goes unnoticed.

use flate2::Crc;

/// What stands between the line and the digits of its checksum, and after them.
const KEY: &[u8] = b",\"crc32\":\"";
const END: &[u8] = b"\"}";
const DIGITS: usize = 8;

/// What a line is that was read.
#[derive(PartialEq, Eq, Debug)]
pub enum Unsealed {
    /// As it was written: the line without its checksum.
    Whole(Vec<u8>),
    /// Other than it was written.
    Altered,
    /// Of unknown state, because it has no checksum.
    Unknown,
}

/// Adds the checksum to a JSON object that has a key.
pub fn sealed(object: &str) -> String {
    let open = object.strip_suffix('}').unwrap_or(object);
    let sum = checksum(object.as_bytes());
    format!("{open}{}{sum}{}", String::from_utf8_lossy(KEY), String::from_utf8_lossy(END))
}

/// Checks a line and takes its checksum off.
pub fn unsealed(line: &[u8]) -> Unsealed {
    let split = line.strip_suffix(END).and_then(|line| line.split_last_chunk::<DIGITS>());
    let Some((open, digits)) = split.and_then(|(line, sum)| Some((line.strip_suffix(KEY)?, sum)))
    else {
        return Unsealed::Unknown;
    };
    let object = [open, b"}"].concat();
    match checksum(&object).as_bytes() == digits {
        true => Unsealed::Whole(object),
        false => Unsealed::Altered,
    }
}

fn checksum(bytes: &[u8]) -> String {
    let mut crc = Crc::new();
    crc.update(bytes);
    format!("{:08x}", crc.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_altered_byte_of_a_line_is_found() {
        let object = r#"{"games":300,"wins":120,"name":"\u00e9"}"#;
        let line = sealed(object);
        assert_eq!(line, r#"{"games":300,"wins":120,"name":"\u00e9","crc32":"9b2394af"}"#);
        serde_json::from_str::<serde_json::Value>(&line).unwrap();
        assert_eq!(unsealed(line.as_bytes()), Unsealed::Whole(object.as_bytes().to_vec()));
        assert_eq!(unsealed(object.as_bytes()), Unsealed::Unknown);
        for (index, bit) in (0..line.len()).flat_map(|index| (0..8).map(move |bit| (index, bit))) {
            let mut altered = line.clone().into_bytes();
            altered[index] ^= 1 << bit;
            assert!(!matches!(unsealed(&altered), Unsealed::Whole(_)), "byte {index}, bit {bit}");
        }
    }
}
