use std::fs;

use tempfile::TempDir;

use super::*;

const KIND: Kind<'static> = Kind { name: "test page", beginnings: &["<!-- test -->", "{\"a\""] };

/// A folder with the input `game.json`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("game.json"), "{\"a\":0}").unwrap();
    folder
}

/// Writes a file beside the input and returns the error.
fn write(folder: &TempDir, name: &str, force: bool) -> Result<(), String> {
    let (path, input) = (folder.path().join(name), folder.path().join("game.json"));
    let force = if force { Force::Given } else { Force::Absent };
    let output = Output::new(&path, KIND, [input.as_path()], force);
    output
        .and_then(|output| output.write(b"<!-- test -->new"))
        .map_err(|error| format!("{error:#}"))
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// The names in a folder, sorted.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_if_its_beginning_is_that_of_the_writer_or_by_force() {
    let folder = folder();
    for own in ["<!-- test -->old", "{\"a\":1}", ""] {
        fs::write(folder.path().join("page"), own).unwrap();
        write(&folder, "page", false).unwrap();
        assert_eq!(read(&folder, "page"), "<!-- test -->new");
    }
    for other in ["<!-- tes", "notes", " <!-- test -->"] {
        fs::write(folder.path().join("page"), other).unwrap();
        let error = write(&folder, "page", false).unwrap_err();
        assert!(error.ends_with(
            "page: it exists, and is no test page; name another file, or replace it with --force"
        ));
        assert_eq!(read(&folder, "page"), other);
        write(&folder, "page", true).unwrap();
        assert_eq!(read(&folder, "page"), "<!-- test -->new");
    }
    write(&folder, "another", false).unwrap();
    assert_eq!(names(&folder), ["another", "game.json", "page"]);
}

#[test]
fn a_kind_without_a_beginning_replaces_empty_files_alone() {
    let folder = folder();
    let kind = Kind { name: "empty file", beginnings: &[] };
    let path = folder.path().join("page");
    let replaces = |force| Output::new(&path, kind, [], force).is_ok();
    fs::write(&path, "").unwrap();
    assert!(replaces(Force::Absent));
    fs::write(&path, "x").unwrap();
    assert!(!replaces(Force::Absent) && replaces(Force::Given));
}

#[test]
fn the_input_is_never_replaced_by_whatever_name() {
    let folder = folder();
    fs::hard_link(folder.path().join("game.json"), folder.path().join("hard")).unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    let mut names = vec!["game.json", "./game.json", "in/../game.json", "hard"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("game.json", folder.path().join("soft")).unwrap();
        std::os::unix::fs::symlink("../soft", folder.path().join("in/again")).unwrap();
        names.extend(["soft", "in/again"]);
    }
    if cfg!(windows) {
        names.push("GAME.json");
    }
    for name in names {
        let error = write(&folder, name, true).unwrap_err();
        assert!(error.ends_with("it is the file that is read; name another file"), "{error}");
        assert_eq!(read(&folder, "game.json"), "{\"a\":0}");
    }
}

#[test]
fn a_part_that_is_not_finished_is_removed() {
    let folder = folder();
    let path = folder.path().join("page");
    let output = Output::new(&path, KIND, [], Force::Absent).unwrap();
    let mut part = output.create().unwrap();
    part.write_all(b"<!-- test -->").unwrap();
    assert_eq!(names(&folder).len(), 2);
    drop(part);
    assert_eq!(names(&folder), ["game.json"]);
    // A file that came in the meantime is kept.
    let part = output.create().unwrap();
    fs::write(&path, "notes").unwrap();
    assert!(part.finish().is_err());
    assert_eq!((read(&folder, "page"), names(&folder).len()), ("notes".to_owned(), 2));
    // A folder that came in the meantime is no place for a file.
    fs::remove_file(&path).unwrap();
    let part = output.create().unwrap();
    fs::create_dir(&path).unwrap();
    assert!(part.finish().is_err());
    assert_eq!(names(&folder), ["game.json", "page"]);
}

#[test]
fn folders_and_places_without_a_folder_are_refused() {
    let folder = folder();
    let error = write(&folder, "", false).unwrap_err();
    assert!(error.ends_with("it is a folder; name a file in it"), "{error}");
    let error = write(&folder, "no/page", true).unwrap_err();
    assert!(error.contains("there is no folder") && error.contains("make it"), "{error}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let folder = folder();
        fs::create_dir(folder.path().join("in")).unwrap();
        symlink("in/page", folder.path().join("link")).unwrap();
        // At first the target does not exist.
        for _ in 0..2 {
            write(&folder, "link", false).unwrap();
            assert!(folder.path().join("link").is_symlink());
            assert!(!folder.path().join("in/page").is_symlink());
            assert_eq!(read(&folder, "in/page"), "<!-- test -->new");
        }
        symlink("round", folder.path().join("round")).unwrap();
        let error = write(&folder, "round", false).unwrap_err();
        assert!(error.contains("too many symbolic links"), "{error}");
    }

    #[test]
    fn devices_are_written_through() {
        let output = Output::new(Path::new("/dev/null"), KIND, [], Force::Absent).unwrap();
        output.write(b"text").unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }

    /// Their links in `/proc` lead to no path, such as `pipe:[123]` and `/tmp/name (deleted)`.
    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_without_a_path_are_written_through() {
        let own = |file: &dyn std::os::fd::AsRawFd| {
            PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
        };
        let write = |path: &Path| {
            let output = Output::new(path, KIND, [], Force::Absent).unwrap();
            output.write(b"<!-- test -->new").unwrap();
        };
        let (mut reader, writer) = io::pipe().unwrap();
        write(&own(&writer));
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "<!-- test -->new");
        let folder = folder();
        let path = folder.path().join("page");
        fs::write(&path, "<!-- test -->old, and longer").unwrap();
        let file = File::open(&path).unwrap();
        fs::remove_file(&path).unwrap();
        write(&own(&file));
        assert_eq!(io::read_to_string(file).unwrap(), "<!-- test -->new");
        assert_eq!(names(&folder), ["game.json"]);
    }

    #[test]
    fn a_full_device_is_an_error() {
        let full = Path::new("/dev/full");
        if full.exists() {
            let output = Output::new(full, KIND, [], Force::Absent).unwrap();
            let error = format!("{:#}", output.write(b"text").unwrap_err());
            assert!(error.starts_with("cannot write /dev/full: "), "{error}");
        }
    }

    #[test]
    fn permissions_are_those_of_a_new_file_or_of_the_replaced_one() {
        let folder = folder();
        let mode = |name: &str| {
            let metadata = fs::metadata(folder.path().join(name)).unwrap();
            metadata.permissions().mode() & 0o777
        };
        write(&folder, "page", false).unwrap();
        assert_eq!(mode("page"), mode("game.json"));
        let odd = fs::Permissions::from_mode(0o640);
        fs::set_permissions(folder.path().join("page"), odd).unwrap();
        write(&folder, "page", false).unwrap();
        assert_eq!(mode("page"), 0o640);
    }
}
