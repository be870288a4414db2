//! The inputs on which programs are compared, from `samples`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use game::record::Record;

/// The number of turns that are taken from the recorded games.
const TURNS: usize = 300;

/// The least number of samples. With fewer, a comparison would show little, which is an error.
const MIN_SAMPLES: usize = 20;

/// The number of inputs, from the first on, of a check that needs one of each kind: all samples,
/// and some turns.
pub const FEW: usize = 40;

/// The least number of recorded games.
const MIN_GAMES: usize = 5;

/// An input for a bot.
pub struct Case {
    /// The name that a fault states: a file, or a file and a turn.
    pub name: String,
    /// The bytes of standard input.
    pub input: Vec<u8>,
}

/// Returns the samples, then turns spread evenly over the recorded games, as inputs with the whole
/// history.
pub fn single_turns(root: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (folder, ending) in [("requests", ".json"), ("bad", ".txt")] {
        let before = cases.len();
        for path in files(&root.join("samples").join(folder), ending)? {
            let name = path.display().to_string();
            if !name.ends_with(".expected.json") {
                cases.push(Case { input: fs::read(&path)?, name });
            }
        }
        ensure!(cases.len() > before, "samples/{folder} has no samples");
    }
    let samples = cases.len();
    ensure!(samples >= MIN_SAMPLES, "there are {samples} samples; {MIN_SAMPLES} are needed");
    ensure!(samples <= FEW, "there are {samples} samples; raise FEW, which is {FEW}");
    let mut turns = Vec::new();
    for (path, record) in records(root)? {
        for turn in 0..record.answers() {
            let input = record.input(turn).context("a turn has no request")?;
            turns.push((format!("{} turn {turn}", path.display()), input));
        }
    }
    let found = turns.len();
    ensure!(found >= TURNS, "samples/games has {found} turns, {TURNS} are needed");
    for number in 0..TURNS {
        let (name, input) = &turns[number * found / TURNS];
        cases.push(Case { name: name.clone(), input: serde_json::to_vec(input)? });
    }
    Ok(cases)
}

/// Returns the recorded games as a bot that keeps running reads them: the first turn with its
/// history, then one line with a request for each turn.
pub fn whole_games(root: &Path) -> Result<Vec<Case>> {
    let mut games = Vec::new();
    for (path, record) in records(root)? {
        let mut lines = Vec::new();
        for turn in 0..record.answers() {
            let input = record.input(turn).context("a turn has no request")?;
            let bare = input["requests"].as_array().and_then(|requests| requests.last().cloned());
            lines.push(if turn == 0 { input } else { bare.context("an input has no requests")? });
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        games.push(Case { name: path.display().to_string(), input: text.into_bytes() });
    }
    let found = games.len();
    ensure!(found >= MIN_GAMES, "samples/games has {found} games, {MIN_GAMES} are needed");
    Ok(games)
}

/// Reads the recorded games, sorted by their paths.
fn records(root: &Path) -> Result<Vec<(PathBuf, Record)>> {
    let paths = files(&root.join("samples/games"), ".json")?;
    let read = |path: PathBuf| {
        let record = Record::read(&fs::read_to_string(&path)?)?;
        Ok((path, record))
    };
    paths.into_iter().map(read).collect()
}

/// Returns the files of a folder whose names have this ending, sorted.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.to_str().is_some_and(|name| name.ends_with(ending)));
    paths.sort();
    Ok(paths)
}
