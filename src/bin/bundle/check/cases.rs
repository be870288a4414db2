//! What the bots are fed with.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sapper::referee::record::Record;

/// Turns of recorded games that are replayed.
const TURNS: usize = 300;

/// Fewer of these prove nothing.
const LEAST_SAMPLES: usize = 20;
const LEAST_GAMES: usize = 5;

/// One thing to feed to a bot.
pub struct Case {
    pub name: String,
    pub input: Vec<u8>,
}

/// The samples and turns of the recorded games, as one-shot inputs.
pub fn cases(root: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (folder, ending) in [("requests", ".json"), ("bad", ".txt")] {
        let before = cases.len();
        for path in files(&root.join("samples").join(folder), ending)? {
            let name = path.display().to_string();
            if !name.ends_with(".expected.json") {
                cases.push(Case { input: fs::read(&path)?, name });
            }
        }
        ensure!(cases.len() > before, "there are no samples in samples/{folder}");
    }
    let samples = cases.len();
    ensure!(samples >= LEAST_SAMPLES, "{samples} samples are too few, {LEAST_SAMPLES} are needed");
    let mut turns = Vec::new();
    for (path, record) in records(root)? {
        for turn in 0..record.answers() {
            let input = record.input(turn).context("a turn without a request")?;
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

/// The recorded games as a kept bot reads them: a whole history, then a bare request a line.
pub fn games(root: &Path) -> Result<Vec<Case>> {
    let mut games = Vec::new();
    for (path, record) in records(root)? {
        let mut lines = Vec::new();
        for turn in 0..record.answers() {
            let input = record.input(turn).context("a turn without a request")?;
            let bare = input["requests"].as_array().and_then(|requests| requests.last().cloned());
            lines.push(if turn == 0 { input } else { bare.context("an input without requests")? });
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        games.push(Case { name: path.display().to_string(), input: text.into_bytes() });
    }
    let found = games.len();
    ensure!(found >= LEAST_GAMES, "samples/games has {found} games, {LEAST_GAMES} are needed");
    Ok(games)
}

fn records(root: &Path) -> Result<Vec<(PathBuf, Record)>> {
    let paths = files(&root.join("samples/games"), ".json")?;
    let read = |path: PathBuf| {
        let record = Record::read(&fs::read_to_string(&path)?)?;
        Ok((path, record))
    };
    paths.into_iter().map(read).collect()
}

fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.to_str().is_some_and(|name| name.ends_with(ending)));
    paths.sort();
    Ok(paths)
}
