//! Every target on its corpus and on mutations of it, without a fuzzer. The mutations are the same
//! in every run.

use std::path::{Path, PathBuf};

use sapper_fuzz::{Skipped, field, formats, history, log, reader};

/// The number of mutations of each file.
const MUTATIONS: usize = 150;

fn files(directory: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let entries = std::fs::read_dir(&directory).expect("a folder of the repository");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let files: Vec<Vec<u8>> =
        paths.iter().map(|path| std::fs::read(path).expect("a file")).collect();
    assert!(!files.is_empty(), "{} is empty", directory.display());
    files
}

/// Applies one to three random changes, like a fuzzer without coverage.
fn mutate(random: &mut fastrand::Rng, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    for _ in 0..random.usize(1..4) {
        let start = random.usize(0..=bytes.len());
        let end = random.usize(start..=bytes.len().min(start + 16));
        match random.u8(0..6) {
            0 if start < bytes.len() => bytes[start] = random.u8(..),
            1 if start < bytes.len() => bytes[start] ^= 1 << random.u8(0..8),
            2 => drop(bytes.drain(start..end)),
            3 => bytes.insert(start, b"0123456789-.eE\"{}[],:\n\0\xff"[random.usize(0..24)]),
            4 => {
                let copy = bytes[start..end].to_vec();
                bytes.splice(start..start, copy);
            }
            _ => {
                let other = random.choice(others).expect("a file");
                let from = random.usize(0..=other.len());
                let part = &other[from..other.len().min(from + 16)];
                bytes.splice(start..end, part.iter().copied());
            }
        }
    }
}

fn check_all(directories: &[&str], check: fn(&[u8]) -> Result<(), Skipped>) {
    let all: Vec<Vec<u8>> = directories.iter().flat_map(|directory| files(directory)).collect();
    let mut random = fastrand::Rng::with_seed(1);
    let mut checked = 0;
    for file in all.iter().filter(|file| file.len() <= 4096) {
        checked += usize::from(check(file).is_ok());
        for _ in 0..MUTATIONS {
            let mut bytes = file.clone();
            mutate(&mut random, &mut bytes, &all);
            checked += usize::from(check(&bytes).is_ok());
        }
    }
    assert!(checked > 10 * MUTATIONS / 2, "only {checked} inputs were checked");
}

#[test]
fn readers_inputs() {
    check_all(&["corpus/reader", "../samples/requests", "../samples/bad"], reader::check);
}

#[test]
fn histories() {
    check_all(&["corpus/history"], history::check);
}

#[test]
fn fields() {
    check_all(&["corpus/field", "../samples/fields"], field::check);
}

#[test]
fn logs() {
    check_all(&["corpus/log"], log::check);
}

#[test]
fn files_of_all_formats() {
    let samples = ["../samples/formats", "../samples/fields", "../samples/bad"];
    check_all(&[&["corpus/formats"], &samples[..]].concat(), formats::check);
}
