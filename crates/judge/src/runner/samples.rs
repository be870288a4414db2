//! Sample inputs with the acceptable answers, from a folder or compiled in.
//!
//! A sample NAME consists of two files. The input is `NAME.json`, one complete input as the
//! platform sends it to a bot that is started for every turn, or `NAME.keep.jsonl`, one JSON value
//! per line as a bot that is kept running reads them. `NAME.expected.json` lists the acceptable
//! answers:
//!
//! ```text
//! {"about": "safe by one number", "answer": [[3, 4], [3, 5]]}           of NAME.json
//! {"about": "kept running", "answers": [[[0, 0]], [[3, 4], [3, 5]]]}    of NAME.keep.jsonl
//! ```
//!
//! An answer is `[row, column]`; `answers` holds one list per line of the input.
//!
//! Invariant: a [`Sample`] has at least one input, and a list of answers for each input.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use fixtures::requests::{REQUESTS, RequestFiles};
use sapper::kit::object::read_from_object;
use sapper::kit::text::pluralize;
use serde::Deserialize;

use super::files::{cannot_read, read_text};
use super::typed::typed_name;

/// The row and the column of an answer, which may be outside the field.
pub type RowCol = (i32, i32);

/// An input in one line, as Botzone sends every input. JSON has line feeds between its values only.
pub fn in_one_line(input: &str) -> String {
    input.trim().replace(['\r', '\n'], " ")
}

/// One sample.
pub struct Sample {
    pub name: String,
    pub about: String,
    /// The text sent to the bot in each turn.
    pub inputs: Vec<String>,
    /// The acceptable answers of each turn.
    pub expected: Vec<Vec<RowCol>>,
    /// Whether the acceptable answers are the cells that are proven safe.
    pub is_proof: bool,
    /// Whether the bot must ask to be kept running.
    pub is_kept_running: bool,
}

/// `NAME.expected.json`.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Expected {
    about: String,
    /// The step of sapper that decides.
    by: Option<String>,
    answer: Option<Vec<RowCol>>,
    answers: Option<Vec<Vec<RowCol>>>,
}
read_from_object!(Expected);

/// The samples of the repository, which are compiled in.
///
/// # Errors
/// Fails if a sample of the repository is not valid.
pub fn compiled_in() -> Result<Vec<Sample>> {
    let sample = |files: &RequestFiles| {
        let RequestFiles { name, input, expected, is_kept_running } = *files;
        let path = format!("samples/requests/{name}.expected.json");
        parse(name, input, &path, expected, is_kept_running)
    };
    REQUESTS.iter().map(sample).collect()
}

/// The samples of a folder, in the order of their files, and why others cannot be read.
///
/// # Errors
/// Fails if the folder cannot be read or holds no sample.
pub fn read_all(directory: &Path) -> Result<(Vec<Sample>, Vec<String>)> {
    let entries = fs::read_dir(directory)
        .map_err(|error| anyhow!("{}; name a folder of samples", cannot_read(directory, &error)))?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()
        .with_context(|| format!("cannot list {}", directory.display()))?;
    paths.sort();
    let (mut samples, mut unreadable) = (Vec::new(), Vec::new());
    for path in &paths {
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else { continue };
        let sample = if let Some(name) = file.strip_suffix(".expected.json") {
            let inputs = [".json", ".keep.jsonl"].map(|end| directory.join(format!("{name}{end}")));
            if inputs.iter().any(|input| input.is_file()) {
                continue;
            }
            let path = path.display();
            Err(anyhow!("{path} has no input; add {name}.json or {name}.keep.jsonl"))
        } else if let Some(name) = file.strip_suffix(".keep.jsonl") {
            read(directory, name, path, true)
        } else if let Some(name) = file.strip_suffix(".json") {
            read(directory, name, path, false)
        } else {
            continue;
        };
        match sample {
            Ok(sample) => samples.push(sample),
            Err(error) => unreadable.push(format!("{error:#}")),
        }
    }
    if samples.is_empty() && unreadable.is_empty() {
        bail!("{} holds no samples (NAME.json with NAME.expected.json)", directory.display());
    }
    Ok((samples, unreadable))
}

fn read(directory: &Path, name: &str, input: &Path, is_kept_running: bool) -> Result<Sample> {
    let input = read_text(input)?;
    let path = directory.join(format!("{name}.expected.json"));
    ensure!(path.is_file(), "{} is missing: it lists the answers to {name}", path.display());
    parse(name, &input, &path.display().to_string(), &read_text(&path)?, is_kept_running)
}

/// Parses the two files of a sample. `path` is the name of the second one in messages.
fn parse(
    name: &str,
    input: &str,
    path: &str,
    expected: &str,
    is_kept_running: bool,
) -> Result<Sample> {
    let expected: Expected = serde_json::from_str(expected).with_context(|| {
        format!("{path} does not list answers; see `{} samples --help`", typed_name())
    })?;
    let Expected { about, by, answer, answers } = expected;
    let is_proof = by.is_some_and(|by| by == "deduction" || by == "counting");
    let inputs: Vec<String> = if is_kept_running {
        input.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    } else {
        vec![input.to_owned()]
    };
    let (lists, form) = if is_kept_running {
        (answers, "`answers`, a list of [row, col] for each line")
    } else {
        (answer.map(|answer| vec![answer]), "`answer`, a list of [row, col]")
    };
    let expected = lists.with_context(|| format!("{path} needs {form}"))?;
    if expected.len() != inputs.len() {
        let lists = pluralize(expected.len(), "list of answers", "lists of answers");
        let inputs = pluralize(inputs.len(), "input", "inputs");
        bail!("{path}: {lists} for {inputs}; give one list for each input");
    }
    ensure!(!inputs.is_empty(), "{name} has no input: it is an empty file");
    Ok(Sample { name: name.to_owned(), about, inputs, expected, is_proof, is_kept_running })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiled_samples_are_those_of_the_repository() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/requests");
        let text = |samples: Vec<Sample>| {
            let text = |sample: Sample| {
                let Sample { name, about, inputs, expected, is_proof, is_kept_running } = sample;
                format!("{name} {about} {inputs:?} {expected:?} {is_proof} {is_kept_running}")
            };
            let mut texts: Vec<String> = samples.into_iter().map(text).collect();
            texts.sort();
            texts
        };
        assert_eq!(text(compiled_in().unwrap()), text(read_all(Path::new(folder)).unwrap().0));
    }
}
