//! What a file holds, written in a format, with what the format leaves out.

use analysis::field::NO_MINE_COUNT;
use anyhow::{Context, Result, bail, ensure};
use game::board_file::Layout;
use game::bot_clicks::{BotClicks, bot_clicks};
use game::formats::{Contents, to_board_list, to_js_link, to_mbf, to_mine, to_pttacg, to_rawvf};
use game::record::Record;
use game::recording::Recording;
use sapper::kit::text::pluralize;

use super::kind::{Held, Kind, Subject};
use crate::cli::{
    GameText, GameTexts, PositionFile, PositionInput, link_text, option_name, stated_setup,
};

/// The contents of the new file.
pub struct Written {
    /// What the old file holds.
    pub held: Held,
    pub bytes: Vec<u8>,
    /// What is left out or was assumed, one sentence each.
    pub notes: Vec<String>,
}

/// Writes what the file holds in this format.
///
/// # Errors
/// Fails if the file cannot be read, or if the format cannot hold it, and says which can.
pub fn written(file: &PositionFile, kind: Kind) -> Result<Written> {
    let contents = file.contents()?;
    let held = match &contents {
        Contents::Position(_) | Contents::Requests(_) => Held::Position,
        Contents::Layouts(_) => Held::Layouts,
        Contents::Games(_) => Held::Games,
        Contents::Recording(_) => Held::Recording,
    };
    if let Some(refusal) = held.refusal(kind) {
        bail!("{}: {refusal}", file.name());
    }
    if held != Held::Games {
        file.refuse_match()?;
    }
    if kind.subject() != Subject::Position {
        file.refuse_turn(&option_name(&kind))?;
    }
    let (mut notes, name) = (Vec::new(), || file.name());
    let bytes = match contents {
        Contents::Layouts(layouts) => of_layouts(&layouts, kind, &mut notes).with_context(name)?,
        Contents::Recording(recording) if kind.subject() != Subject::Position => {
            of_recording(&recording, kind, &mut notes).with_context(name)?
        }
        Contents::Games(pack) if kind == Kind::Board => {
            let GameTexts { games, left_out } = file.games(pack)?;
            notes.extend(left_out);
            let layout = |game: &GameText| match game.recording() {
                Some(recording) => Ok(recording.layout.clone()),
                None => layout_of(&game.record()?).with_context(|| game.name.clone()),
            };
            let layouts = games.iter().map(layout).collect::<Result<Vec<_>>>()?;
            to_board_list(&layouts).into()
        }
        Contents::Games(pack) if kind.subject() != Subject::Position => {
            let game = file.game(pack)?;
            let bytes = match game.recording() {
                Some(recording) => of_recording(recording, kind, &mut notes),
                None => of_game(&game.record()?, kind, &mut notes),
            };
            bytes.with_context(|| game.name.clone())?
        }
        position => {
            let position = file.position_of(position)?;
            of_position(&position, kind, &mut notes).with_context(name)?
        }
    };
    Ok(Written { held, bytes, notes })
}

fn of_position(input: &PositionInput, kind: Kind, notes: &mut Vec<String>) -> Result<Vec<u8>> {
    let PositionInput { board, flags, mine_count, .. } = input;
    notes.extend(input.assumed.iter().cloned());
    notes.extend(input.reasons.iter().map(|reason| reason.text().to_owned()));
    let own = || board.to_text(*mine_count);
    let text = match kind {
        Kind::Mine | Kind::JsLink => {
            let count = mine_count.context(NO_MINE_COUNT)?;
            let cells = board.shape().len();
            ensure!(count <= cells as u64, "{count} mines are more than the {cells} cells");
            if board.hits() > 0 {
                let hits = pluralize(board.hits(), "opened mine is", "opened mines are");
                notes.push(format!("{hits} written as flags, because the format has none"));
            }
            match kind {
                Kind::Mine => to_mine(board, flags),
                _ => to_js_link(board, flags).map_err(anyhow::Error::msg)? + "\n",
            }
        }
        Kind::Link => format!("#field={}\n", link_text(own().trim_end())),
        _ => own(),
    };
    if matches!(kind, Kind::Text | Kind::Link) && !flags.is_empty() {
        let flags = pluralize(flags.len(), "flag is", "flags are");
        notes.push(format!("{flags} left out, because the format has none"));
    }
    Ok(text.into())
}

fn of_layouts(layouts: &[Layout], kind: Kind, notes: &mut Vec<String>) -> Result<Vec<u8>> {
    if kind == Kind::Board {
        return Ok(to_board_list(layouts).into());
    }
    let [layout] = layouts else {
        bail!(
            "it has {} layouts, and {} holds one; write them by --to board",
            layouts.len(),
            option_name(&kind)
        );
    };
    if layout.first.index() > 0 {
        let first = layout.shape.at(layout.first);
        notes.push(format!("the first cell {first} is left out, because the format has none"));
    }
    match kind {
        Kind::Mbf => to_mbf(layout).map_err(anyhow::Error::msg),
        _ => Ok((to_pttacg(layout) + "\n").into()),
    }
}

fn layout_of(record: &Record) -> Result<Layout> {
    Ok(stated_setup(record)?.layout()?)
}

fn of_recording(recording: &Recording, kind: Kind, notes: &mut Vec<String>) -> Result<Vec<u8>> {
    if let Some(refusal) = Held::Recording.refusal(kind) {
        bail!(refusal);
    }
    match kind {
        Kind::Rawvf => Ok(to_rawvf(recording).into()),
        _ => of_layouts(std::slice::from_ref(&recording.layout), kind, notes),
    }
}

fn of_game(record: &Record, kind: Kind, notes: &mut Vec<String>) -> Result<Vec<u8>> {
    match kind {
        Kind::Log => Ok(serde_json::to_vec(record)?),
        Kind::Rawvf => {
            let BotClicks { recording, left_out } = bot_clicks(record, &stated_setup(record)?)?;
            let clicks = recording.clicks().clicks;
            ensure!(
                clicks.iter().any(|click| !click.opened.is_empty()),
                "no answer of the game opens a cell, so that it is no recording"
            );
            notes.extend(left_out);
            Ok(to_rawvf(&recording).into())
        }
        _ => of_layouts(&[layout_of(record)?], kind, notes),
    }
}
