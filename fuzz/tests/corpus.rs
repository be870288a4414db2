//! Every target over its corpus and mutations of it, without a fuzzer: on any toolchain, the same every time.

use std::path::{Path, PathBuf};

use sapper_fuzz::{Passed, field, history, log, reader};

/// Mutations of each file.
const MUTATIONS: usize = 150;

fn files(directory: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let entries = std::fs::read_dir(&directory).expect("a directory of the repository");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let files: Vec<Vec<u8>> =
        paths.iter().map(|path| std::fs::read(path).expect("a file")).collect();
    assert!(!files.is_empty(), "{} is empty", directory.display());
    files
}

/// One small change, sometimes several: what a fuzzer does without knowing anything.
fn mutate(random: &mut fastrand::Rng, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    for _ in 0..random.usize(1..4) {
        let place = random.usize(0..=bytes.len());
        let end = random.usize(place..=bytes.len().min(place + 16));
        match random.u8(0..6) {
            0 if place < bytes.len() => bytes[place] = random.u8(..),
            1 if place < bytes.len() => bytes[place] ^= 1 << random.u8(0..8),
            2 => drop(bytes.drain(place..end)),
            3 => bytes.insert(place, b"0123456789-.eE\"{}[],:\n\0\xff"[random.usize(0..24)]),
            4 => {
                let again = bytes[place..end].to_vec();
                bytes.splice(place..place, again);
            }
            _ => {
                let other = random.choice(others).expect("a file");
                let from = random.usize(0..=other.len());
                let part = &other[from..other.len().min(from + 16)];
                bytes.splice(place..end, part.iter().copied());
            }
        }
    }
}

fn check_all(directories: &[&str], check: fn(&[u8]) -> Result<(), Passed>) {
    let all: Vec<Vec<u8>> = directories.iter().flat_map(|directory| files(directory)).collect();
    let mut random = fastrand::Rng::with_seed(1);
    let mut tried = 0;
    for file in all.iter().filter(|file| file.len() <= 4096) {
        tried += usize::from(check(file).is_ok());
        for _ in 0..MUTATIONS {
            let mut bytes = file.clone();
            mutate(&mut random, &mut bytes, &all);
            tried += usize::from(check(&bytes).is_ok());
        }
    }
    assert!(tried > 10 * MUTATIONS / 2, "only {tried} inputs were tried");
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
