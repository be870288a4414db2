//! The sizes of the files: room below the limit of the platform's editor, and the sizes that the
//! guide states.

/// A `sapper.cpp` that is larger fails the check, so that a later change still fits below the
/// limit of the editor.
const MAX_CHARACTERS: usize = 950_000;

/// A size in the guide may differ from that of the file by this share of it.
const TOLERANCE: f64 = 0.02;

/// What is wrong with the size of `sapper.cpp`.
pub fn room_fault(cpp: &str) -> Option<String> {
    let size = cpp.chars().count();
    (size > MAX_CHARACTERS).then(|| {
        format!("{size} characters are more than {MAX_CHARACTERS}, which leaves room for changes")
    })
}

/// What is wrong with the size that the guide states for the file `name`, which holds `text`. The
/// guide states it as the last column of a table, such as `860,000 characters`.
pub fn guide_fault(guide: &str, name: &str, text: &str) -> Option<String> {
    let size = text.chars().count();
    let row = guide.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
    let stated = row.and_then(|row| row.trim_end_matches([' ', '|']).rsplit('|').next());
    let stated: Option<usize> = stated
        .and_then(|column| column.trim().strip_suffix(" characters"))
        .and_then(|number| number.replace(',', "").parse().ok());
    let Some(stated) = stated else { return Some(format!("the guide states no size of {name}")) };
    let is_close = stated.abs_diff(size) as f64 <= TOLERANCE * size as f64;
    (!is_close).then(|| format!("the guide states {stated} characters, {name} has {size}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_room_fails() {
        assert_eq!(room_fault(&"é".repeat(MAX_CHARACTERS)), None);
        let fault = room_fault(&"x".repeat(MAX_CHARACTERS + 1)).unwrap();
        assert!(fault.starts_with("950001 characters"), "{fault}");
    }

    #[test]
    fn a_size_in_the_guide_has_to_be_that_of_the_file() {
        let guide =
            "# Files\n| `a.rs` | to read | 1,000 characters |\n| `b.rs` | other | small |\n";
        assert_eq!(guide_fault(guide, "a.rs", &"é".repeat(1015)), None);
        let fault = guide_fault(guide, "a.rs", &"é".repeat(1025)).unwrap();
        assert_eq!(fault, "the guide states 1000 characters, a.rs has 1025");
        for name in ["b.rs", "c.rs"] {
            let fault = guide_fault(guide, name, "").unwrap();
            assert_eq!(fault, format!("the guide states no size of {name}"));
        }
    }
}
