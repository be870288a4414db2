//! The games of other bots, in one file for each measurement: they are judged again without being
//! played again.
//!
//! The file is a chain of gzip members, one for each part that was played, in any order. A member
//! is text: a line of JSON that says what was played, and then a line for each board
//! ([`BotGame`]):
//!
//! ```text
//! {"bot":"hill","command":"java ...","boards":"--level 30x16/99 ...","part":[7000001,7000500]}
//! 7000001 10482 151 33 250 7
//! 7000002 9321 2 479 12-13 !crash
//! ```
//!
//! Invariant: a member is whole, because its checksum says so. A last member that was cut off, by a
//! judge that was killed, is dropped, and its part is played again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use super::bot_game::BotGame;
use crate::runner::boards::BoardRange;
use crate::runner::messages::errln;
use crate::runner::system::try_lock;

/// What every gzip member begins with.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// The first line of a member.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Told {
    pub bot: String,
    /// The bot's command line.
    pub command: String,
    /// The boards, as [`super::games::Games::boards_text`].
    pub boards: String,
    pub part: BoardRange,
}
read_from_object!(both Told);

/// A file of games.
pub struct GamesFile {
    path: PathBuf,
    /// The length of the whole members.
    len: u64,
    /// The length of the file.
    found: u64,
    /// The compressed members by their parts.
    parts: BTreeMap<BoardRange, Vec<u8>>,
}

impl GamesFile {
    /// Reads the file of the measurement with this name in a folder, which need not exist.
    ///
    /// # Errors
    /// Fails if the file cannot be read, was altered, or is of other boards than these.
    pub fn read(folder: &Path, name: &str, boards: &str) -> Result<GamesFile> {
        let path = folder.join(format!("{name}.clicks.gz"));
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let (mut rest, mut parts) = (&bytes[..], BTreeMap::new());
        while !rest.is_empty() {
            let (mut decoder, mut text) = (GzDecoder::new(rest), String::new());
            let at = bytes.len() - rest.len();
            let place = || format!("{}, byte {at}", path.display());
            ensure!(
                rest.iter().zip(GZIP).all(|(found, expected)| *found == expected),
                "{}: not a file of games that `judge results run` wrote",
                place()
            );
            match decoder.read_to_string(&mut text) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    errln!("warning: {}: the rest is cut off, and counts as not played", place());
                    break;
                }
                read => read.map_err(|_| {
                    anyhow!(
                        "{}: it was altered; remove it from \
                        there on, and these games are played again",
                        place()
                    )
                })?,
            };
            let after = decoder.into_inner();
            let told = header(&text).with_context(place)?;
            ensure!(
                told.boards == boards,
                "{}: games on other boards ({}) than those of the list ({boards}); name another \
                 folder by --games",
                place(),
                told.boards
            );
            parts.insert(told.part, rest[..rest.len() - after.len()].to_vec());
            rest = after;
        }
        let [len, found] = [bytes.len() - rest.len(), bytes.len()].map(|len| len as u64);
        Ok(GamesFile { path, len, found, parts })
    }

    /// The games of these boards, and their checksum; `None` if the file has not all of them.
    ///
    /// # Errors
    /// Fails if a line is no game on a field with so many cells.
    pub fn part(&self, part: BoardRange, cells: usize) -> Result<Option<(Vec<BotGame>, String)>> {
        let (first, last) = part;
        let (mut crc, mut games) = (flate2::Crc::new(), BTreeMap::new());
        let overlapping = self.parts.iter().filter(|((from, to), _)| *from <= last && *to >= first);
        for ((from, _), member) in overlapping {
            let mut text = String::new();
            GzDecoder::new(&member[..]).read_to_string(&mut text)?;
            for (seed, line) in (*from..).zip(text.lines().skip(1)) {
                if !(first..=last).contains(&seed) || games.contains_key(&seed) {
                    continue;
                }
                let game = line.strip_prefix(&format!("{seed} ")).and_then(|game| {
                    // The time is no part of the game.
                    let (_, told) = game.split_once(' ')?;
                    crc.update(format!("{seed} {told}\n").as_bytes());
                    BotGame::parse(game, cells)
                });
                let game = game.with_context(|| {
                    format!("{}, seed {seed}: no game: `{line:.40}`", self.path.display())
                })?;
                games.insert(seed, game);
            }
        }
        let is_whole = games.len() as i64 == last - first + 1;
        Ok(is_whole.then(|| (games.into_values().collect(), format!("{:08x}", crc.sum()))))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The command line of the bot that played the first of these boards.
    pub fn command(&self, (first, _): BoardRange) -> Option<String> {
        let mut parts = self.parts.iter();
        let (_, member) = parts.find(|((from, to), _)| (*from..=*to).contains(&first))?;
        let mut text = String::new();
        GzDecoder::new(&member[..]).read_to_string(&mut text).ok()?;
        Some(header(&text).ok()?.command)
    }

    /// Appends a part.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn add(&mut self, told: &Told, games: &[BotGame]) -> Result<()> {
        let mut text = serde_json::to_string(told)? + "\n";
        let (first, _) = told.part;
        for (seed, game) in (first..).zip(games) {
            writeln!(text, "{seed} {game}")?;
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes())?;
        let member = encoder.finish()?;
        let cannot = || format!("cannot write {}", self.path.display());
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).with_context(cannot)?;
        }
        let mut file = self.locked()?;
        file.seek(SeekFrom::Start(self.len)).with_context(cannot)?;
        file.write_all(&member).with_context(cannot)?;
        self.len += member.len() as u64;
        self.found = self.len;
        self.parts.insert(told.part, member);
        Ok(())
    }
}

impl GamesFile {
    /// The file as it was read or written last, without what a judge that was killed left behind.
    /// It is locked as long as it is open.
    fn locked(&self) -> Result<File> {
        let name = self.path.display();
        let cannot = || format!("cannot write {name}");
        // Not to append: Windows neither locks such a file nor cuts it.
        let mut open = OpenOptions::new();
        open.read(true).write(true).create(true).truncate(false);
        let file = open.open(&self.path).with_context(cannot)?;
        ensure!(
            try_lock(&file),
            "another run writes {name}; wait for it, or name another folder by --games"
        );
        let len = file.metadata().with_context(cannot)?.len();
        ensure!(
            len == self.found,
            "another run has written {name} since this one began; start it again, or name another \
             folder by --games"
        );
        file.set_len(self.len).with_context(cannot)?;
        Ok(file)
    }
}

fn header(text: &str) -> Result<Told> {
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str(first).context("not a file of games that `judge results run` wrote")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::bot_game::random_game;
    use super::*;

    const BOARDS: &str = "--level 5x5/3 --seeds from 1";

    fn told(part: BoardRange) -> Told {
        let [bot, command, boards] = ["b", "./b --fast", BOARDS].map(str::to_owned);
        Told { bot, command, boards, part }
    }

    fn games(count: u32) -> Vec<BotGame> {
        let mut random = fastrand::Rng::with_seed(count.into());
        (0..count).map(|_| random_game(&mut random, 25)).collect()
    }

    #[test]
    fn parts_come_back_as_they_were_and_a_cut_off_one_is_played_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let read = || GamesFile::read(folder.path(), "x", BOARDS).unwrap();
        let (one, two) = (games(4), games(5));
        let mut file = read();
        assert!(file.part((1, 4), 25).unwrap().is_none());
        file.add(&told((6, 10)), &two).unwrap();
        file.add(&told((1, 4)), &one).unwrap();
        for file in [&file, &read()] {
            assert_eq!(file.part((1, 4), 25).unwrap().unwrap().0, one);
            assert_eq!(file.part((6, 10), 25).unwrap().unwrap().0, two);
            assert_eq!(file.part((7, 8), 25).unwrap().unwrap().0, two[1..3]);
            assert!(file.part((4, 6), 25).unwrap().is_none());
            assert_eq!(file.command((1, 4)).as_deref(), Some("./b --fast"));
        }
        let path = folder.path().join("x.clicks.gz");
        let bytes = fs::read(&path).unwrap();
        let whole = read().part((6, 10), 25).unwrap().unwrap();
        for cut in [bytes.len() - 1, bytes.len() - 30] {
            fs::write(&path, &bytes[..cut]).unwrap();
            let mut file = read();
            assert!(file.part((1, 4), 25).unwrap().is_none());
            assert_eq!(file.part((6, 10), 25).unwrap().unwrap(), whole);
            file.add(&told((1, 4)), &one).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        // Only the clicks count for the checksum.
        let slower: Vec<BotGame> = two
            .iter()
            .map(|game| BotGame { cpu: Duration::from_secs(9), ..game.clone() })
            .collect();
        let mut other = GamesFile::read(folder.path(), "y", BOARDS).unwrap();
        other.add(&told((6, 10)), &slower).unwrap();
        assert_eq!(other.part((6, 10), 25).unwrap().unwrap().1, whole.1);
    }

    #[test]
    fn a_file_that_another_run_writes_is_not_damaged() {
        let folder = tempfile::TempDir::new().unwrap();
        let read = || GamesFile::read(folder.path(), "x", BOARDS).unwrap();
        let (mut one, mut two) = (read(), read());
        one.add(&told((1, 4)), &games(4)).unwrap();
        let error = two.add(&told((6, 10)), &games(5)).unwrap_err().to_string();
        assert!(error.starts_with("another run has written"), "{error}");
        one.add(&told((11, 12)), &games(2)).unwrap();
        let whole = read();
        assert!(
            [(1, 4), (11, 12)].map(|part| whole.part(part, 25).unwrap().is_some()) == [true; 2]
        );
        read().add(&told((6, 10)), &games(5)).unwrap();
        // While another one is at it.
        let file = File::options().write(true).open(folder.path().join("x.clicks.gz")).unwrap();
        assert!(try_lock(&file));
        let error = one.add(&told((13, 13)), &games(1)).unwrap_err().to_string();
        assert!(error.starts_with("another run writes"), "{error}");
    }

    #[test]
    fn an_altered_file_and_other_boards_are_refused() {
        let folder = tempfile::TempDir::new().unwrap();
        let read = |boards| GamesFile::read(folder.path(), "x", boards);
        read(BOARDS).unwrap().add(&told((1, 4)), &games(4)).unwrap();
        let error = read("--level 6x6/3 --seeds from 1").err().unwrap().to_string();
        assert!(error.contains("games on other boards (--level 5x5/3"), "{error}");
        let error = read(BOARDS).unwrap().part((1, 4), 9).unwrap_err();
        assert!(format!("{error:#}").contains("no game"), "{error:#}");
        let path = folder.path().join("x.clicks.gz");
        let bytes = fs::read(&path).unwrap();
        let mut found = 0;
        for index in 10..bytes.len() {
            let mut altered = bytes.clone();
            altered[index] ^= 1;
            fs::write(&path, &altered).unwrap();
            // What ends the stream too late reads as cut off.
            found += u32::from(read(BOARDS).is_err());
            assert!(read(BOARDS).map_or(true, |file| file.part((1, 4), 25).unwrap().is_none()));
        }
        assert!(found > 20, "{found}");
        fs::write(&path, "no gzip").unwrap();
        assert!(read(BOARDS).is_err());
    }
}
