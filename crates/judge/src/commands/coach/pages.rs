//! The replay pages of the decisions that are listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::Result;
use output::Output;
use sapper::{Effort, Objective};
use viewer::page::PageWriter;

use super::account::Account;
use crate::cli::link_to;
use crate::report::{Over, REPLAY_PAGE, analyze_game};

/// Writes the pages of all games whose records are kept to an existing directory, and links the
/// decisions to them. Returns whether an interrupt has left out the last pages.
///
/// # Errors
/// Fails if a page cannot be written.
pub fn write(
    directory: &Path,
    over: Over,
    account: &mut Account,
    objective: Objective,
    effort: Effort,
) -> Result<bool> {
    let records = std::mem::take(&mut account.records).into_iter();
    let games = records.map(|(name, record)| Ok((name, RecordedGame::new(record)?)));
    let games: Vec<(String, RecordedGame)> = games.collect::<Result<_>>()?;
    let games = games.iter().map(|(name, game)| (name.as_str(), game as &dyn ReviewedGame));
    let (pages, interrupted) = write_all(directory, over, games, objective, effort)?;
    for decision in account.costliest.iter_mut().chain(&mut account.gains) {
        let page = pages.get(&decision.game);
        decision.page = page.map(|page| format!("{page}#{}", decision.turn));
    }
    Ok(interrupted)
}

/// Writes the pages of these games to an existing directory. Returns the link to the page of each
/// game, by its name, and whether an interrupt has left out the last ones.
///
/// # Errors
/// Fails if a page cannot be written.
pub fn write_all<'g>(
    directory: &Path,
    Over { inputs, force }: Over,
    games: impl Iterator<Item = (&'g str, &'g dyn ReviewedGame)>,
    objective: Objective,
    effort: Effort,
) -> Result<(BTreeMap<String, String>, bool)> {
    let (mut pages, mut taken) = (BTreeMap::new(), BTreeSet::new());
    for (name, game) in games {
        let path = path(directory, name, &mut taken);
        let file = Output::new(&path, REPLAY_PAGE, inputs.iter().copied(), force)?;
        let mut part = file.create()?;
        let mut page = PageWriter::begin(&mut part, game, objective, name)?;
        if analyze_game(game, objective, effort, None, |frame| Ok(page.add(frame)?))? {
            return Ok((pages, true));
        }
        page.end()?;
        part.finish()?;
        pages.insert(name.to_owned(), link_to(&path));
    }
    Ok((pages, false))
}

/// A file for the page of the game with this name, which no other game has.
fn path(directory: &Path, name: &str, taken: &mut BTreeSet<PathBuf>) -> PathBuf {
    // A game of a pack has its number and its name after the file's.
    let file = name.split_once(", match ").map_or(name, |(file, _)| file);
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy().replace(' ', "-");
    let first = std::iter::once(stem.clone());
    let names = first.chain((2..).map(|number: u32| format!("{stem}-{number}")));
    let mut paths = names.map(|name| directory.join(name + ".html"));
    paths.find(|path| taken.insert(path.clone())).expect("the numbers do not end")
}
