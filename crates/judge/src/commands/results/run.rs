//! `judge results run`: plays the parts that are missing, and appends each as it ends.
//!
//! Invariant: a part is written when all its boards were played, so that a run can end at any time
//! and goes on from the last whole part, on any machine. Which share a part belongs to follows from
//! the list alone.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use game::bot_clicks::clicks_of_answers;
use game::record::Record;
use sapper::Engine;
use sapper::bot::serve::version;
use sapper::kit::text::pluralize;
use sapper::settings::budget::WallClock;

use super::figure::{Figure, Sums};
use super::folder::FolderOptions;
use super::list::{Measurement, Player, Size};
use super::machine::Machine;
use super::player::{PartPlayer, Signatures};
use super::show::print_progress;
use super::store::Store;
use super::told_games::{GamesFile, Told, ToldGame, check_bots};
use crate::cli::{Competitor, JobOptions, LimitOptions, Outcome, competitors};
use crate::report::progress;
use crate::runner::board_game::BoardToPlay;
use crate::runner::boards::{BoardRange, RunPart};
use crate::runner::bots::host;
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::messages::errln;

/// Play what is missing, and append each finished part to figures.jsonl.
///
/// A part is missing if the file has none by today's play. Only whole parts are kept: an interrupt
/// loses the part that is being played, and the same command goes on. With --share several
/// processes or machines work on one list; `judge results join` brings their files together.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge results run --size try
  judge results run expert-safe-full --size day
  judge results run --size record --share 1/8
  judge results run --bot \"hill=./davidnhill\" --reuse --time-limit 300 --memory-limit 4096
  judge results run --size day --later-seeds 10000000 --to others.jsonl

Exit code: 0 all parts are there, 1 some could not be played, 2 bad input, 130 interrupted.")]
pub struct Arguments {
    /// Names of measurements [default: all of the list]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    folder: FolderOptions,
    /// How much of the list is played
    #[arg(long, value_enum, default_value_t = Size::Try)]
    size: Size,
    /// Play every N-th part, from the K-th on
    #[arg(long, value_name = "K/N")]
    share: Option<RunPart>,
    /// Append to this file [default: figures.jsonl; with --share, share-K-of-N.jsonl]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Command line of a bot of the list; give --bot once for each bot
    #[arg(long = "bot", value_name = "NAME=CMD")]
    bots: Vec<String>,
    /// Folder of the games of bots [default: games in the folder of the list]
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Keep the process of a bot that keeps running for its next games
    #[arg(long)]
    reuse: bool,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    jobs: JobOptions,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let all = arguments.folder.measurements(&[])?;
    let list = arguments.folder.measurements(&arguments.names)?;
    let folder = arguments.folder.path()?;
    let mut bots = competitors(&arguments.bots, &arguments.limits)?;
    bots.iter_mut().for_each(|bot| bot.command.set_reused(arguments.reuse));
    let known: Vec<&str> = all.iter().filter_map(|measurement| measurement.player.bot()).collect();
    check_bots(bots.iter().map(|bot| bot.name.as_str()), &known)?;
    let figures = folder.join("figures.jsonl");
    let target = match (&arguments.to, arguments.share) {
        (Some(to), _) => to.clone(),
        (None, Some(share)) => folder.join(format!("share-{share}.jsonl")),
        (None, None) => figures.clone(),
    };
    let is_beside = target != figures && arguments.to.is_none();
    let beside: Vec<&Path> = is_beside.then_some(figures.as_path()).into_iter().collect();
    let store = Store::open(&target, &beside)?;
    let games_folder = arguments.games.clone().unwrap_or_else(|| folder.join("games"));
    let mut run = Run {
        arguments,
        bots,
        games_folder,
        store,
        games: BTreeMap::new(),
        signatures: Signatures::new(),
        machine: Machine::this(),
        unplayed: BTreeMap::new(),
    };
    let interrupted = run.play(&all, &list)?;
    let is_whole = print_progress(&list, arguments.size, &run.store.figures);
    for (bot, parts) in &run.unplayed {
        let parts = pluralize(*parts, "part needs", "parts need");
        errln!("{parts} the games of {bot}: give --bot \"{bot}=CMD\", or their folder by --games");
    }
    let is_done = run.unplayed.is_empty() && (is_whole || arguments.share.is_some());
    let after = "; the same command goes on from here";
    Ok(Outcome::from(is_done).unless_interrupted(interrupted, after))
}

/// A part that is missing.
struct Missing<'a> {
    measurement: &'a Measurement,
    part: BoardRange,
    /// An estimate of the time that it takes.
    cost: Duration,
}

struct Run<'a> {
    arguments: &'a Arguments,
    bots: Vec<Competitor>,
    games_folder: PathBuf,
    store: Store,
    /// The files of games that were read, by the names of their measurements.
    games: BTreeMap<String, GamesFile>,
    signatures: Signatures,
    machine: Machine,
    /// The parts that could not be played, by the bot whose games are missing.
    unplayed: BTreeMap<String, u64>,
}

impl Run<'_> {
    /// Plays what is missing, and returns whether the run was interrupted.
    fn play(&mut self, all: &[Measurement], list: &[Measurement]) -> Result<bool> {
        let share = self.arguments.share;
        let is_shared = |index: u32| share.is_none_or(|share| share.has(index));
        let mut missing = Vec::new();
        for measurement in list {
            let cost = self.cost_of_a_board(measurement);
            let parts = (0..).zip(measurement.parts(self.arguments.size));
            for (_, part) in parts.filter(|(index, _)| is_shared(*index)) {
                let boards = (part.1 - part.0 + 1) as u32;
                missing.push(Missing { measurement, part, cost: cost * boards });
            }
        }
        let total: Duration = missing.iter().map(|missing| missing.cost).sum();
        let bar = progress::bar(total.as_secs(), "s of CPU, about");
        let mut so_far = progress::SoFar::new("s of CPU, about");
        let mut done = Duration::ZERO;
        for Missing { measurement, part, cost } in missing {
            let name = &measurement.name;
            so_far.show(&bar, || format!("{name}, seeds from {}", part.0));
            if self.play_part(all, measurement, part)?.is_break() {
                bar.finish_and_clear();
                return Ok(true);
            }
            done += cost;
            bar.set_position(done.as_secs());
        }
        bar.finish_and_clear();
        Ok(false)
    }

    /// The CPU time of a board: that of the stored figures, or else a guess by the kind of player.
    fn cost_of_a_board(&self, measurement: &Measurement) -> Duration {
        let of_name = self.store.figures.iter().filter(|figure| figure.name == measurement.name);
        if let Some(figure) = of_name.last() {
            let counts = &figure.sums.counts;
            return Duration::from_nanos(counts.cpu_ns / counts.games.max(1));
        }
        let guess = |player: &Player| match player {
            Player::Bot(_) => 15,
            Player::Engine(strength) => match strength.effort().split(' ').next() {
                Some("full") => 120,
                Some("standard") => 6,
                _ => 1,
            },
        };
        let others: u64 = measurement.less.iter().map(|(_, player)| guess(player)).sum();
        Duration::from_millis(guess(&measurement.player) + others)
    }

    /// Plays a part, unless it is there or cannot be played.
    fn play_part(
        &mut self,
        all: &[Measurement],
        measurement: &Measurement,
        part: BoardRange,
    ) -> Result<ControlFlow<()>> {
        let less = measurement.less.iter().map(|(name, player)| (name, player));
        let mut players = Vec::new();
        for (name, player) in [(&measurement.name, &measurement.player)].into_iter().chain(less) {
            let rule = measurement.rule();
            players.push(match player {
                Player::Engine(strength) => PartPlayer::Engine {
                    strength: strength.clone(),
                    signature: self.signatures.of(strength, rule),
                },
                Player::Bot(bot) => {
                    let of_games = all.iter().find(|other| other.name == *name);
                    let of_games = of_games.context("a measurement of the list")?;
                    match self.told(of_games, bot, part)? {
                        ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
                        ControlFlow::Continue(Some((games, checksum))) => {
                            PartPlayer::Told { games, checksum }
                        }
                        ControlFlow::Continue(None) => {
                            *self.unplayed.entry(bot.clone()).or_default() += 1;
                            return Ok(ControlFlow::Continue(()));
                        }
                    }
                }
            });
        }
        let play: Vec<String> = players.iter().map(|player| player.play().to_owned()).collect();
        if self.store.figures.get(measurement, part, &play).is_some() {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(sums) = self.sums(measurement, part, &players)? else {
            return Ok(ControlFlow::Break(()));
        };
        let figure = Figure {
            name: measurement.name.clone(),
            what: measurement.to_string(),
            part,
            play,
            version: version(),
            machine: self.machine.clone(),
            command: self.command(measurement, part),
            sums,
        };
        self.store.add(&figure)?;
        Ok(ControlFlow::Continue(()))
    }

    /// The sums of a part; `None` after an interrupt.
    fn sums(
        &self,
        measurement: &Measurement,
        part: BoardRange,
        players: &[PartPlayer],
    ) -> Result<Option<Sums>> {
        let (boards, rule) = (measurement.part_boards(part), measurement.rule());
        let clock = WallClock::start();
        let engines = || players.iter().map(|player| player.engine(rule)).collect::<Vec<_>>();
        let play = |engines: &mut Vec<Option<Engine>>, position| {
            interrupt::unless_requested(|| {
                let (index, layout) = boards.board(position)?;
                let is_adjusted = measurement.is_adjusted;
                let board = BoardToPlay { index, layout: &layout, rule, is_adjusted };
                let both = players.iter().zip(engines);
                let game = |(player, engine): (&PartPlayer, &mut Option<Engine>)| {
                    player.game(position, board, engine.as_mut(), &clock)
                };
                both.map(game).collect::<Result<Vec<_>>>()
            })
        };
        let mut sums = Sums { faults: players[0].faults(), ..Sums::default() };
        let threads = self.arguments.jobs.count(None);
        let interrupted = play_games(threads, boards.len() as usize, engines, play, |games| {
            sums.add(&games, rule);
            Ok(ControlFlow::Continue(()))
        })?;
        let false_proofs = sums.counts.false_proofs();
        ensure!(
            false_proofs == 0,
            "{}: {} proven safe held a mine: this is a bug",
            measurement.name,
            pluralize(false_proofs, "cell", "cells")
        );
        Ok((!interrupted).then_some(sums))
    }

    /// The games of a bot on the boards of a part: from its file, or else played now. `None` if
    /// neither is possible.
    #[expect(clippy::type_complexity, reason = "the games with their checksum")]
    fn told(
        &mut self,
        measurement: &Measurement,
        bot: &str,
        part: BoardRange,
    ) -> Result<ControlFlow<(), Option<(Vec<ToldGame>, String)>>> {
        let (name, boards) = (&measurement.name, measurement.boards_text());
        if !self.games.contains_key(name) {
            let file = GamesFile::read(&self.games_folder, name, &boards)?;
            self.games.insert(name.clone(), file);
        }
        let cells = measurement.level.shape.len();
        let found = self.games[name].part(part, cells)?;
        if found.is_some() {
            return Ok(ControlFlow::Continue(found));
        }
        let Some(competitor) = self.bots.iter().find(|one| one.name == bot) else {
            return Ok(ControlFlow::Continue(None));
        };
        let Some(games) = self.play_bot(measurement, competitor, part)? else {
            return Ok(ControlFlow::Break(()));
        };
        let told = Told { bot: bot.to_owned(), command: competitor.line.clone(), boards, part };
        let file = self.games.get_mut(name).context("the file was read above")?;
        file.add(&told, &games)?;
        Ok(ControlFlow::Continue(file.part(part, cells)?))
    }

    /// Plays the games of a part with a bot; `None` after an interrupt.
    fn play_bot(
        &self,
        measurement: &Measurement,
        competitor: &Competitor,
        part: BoardRange,
    ) -> Result<Option<Vec<ToldGame>>> {
        let (boards, rule) = (measurement.part_boards(part), measurement.rule());
        let Competitor { name, command, limits, .. } = competitor;
        command.check_start()?;
        let play = |(): &mut (), position| {
            interrupt::unless_requested(|| {
                let setup = boards.setup(position, rule)?;
                let (game, record): (_, Record) = host::play(&setup, name, command, *limits)?;
                let fault = (!game.is_done()).then(|| game.outcome.clone());
                let micros = game.cpu_micros.iter().sum();
                let clicks = clicks_of_answers(&record, setup.shape);
                Ok(ToldGame { cpu: Duration::from_micros(micros), clicks, fault })
            })
        };
        let mut games = Vec::new();
        let (threads, len) = (self.arguments.jobs.count(Some(limits.clock)), boards.len() as usize);
        let interrupted = play_games(
            threads,
            len,
            || (),
            play,
            |game| {
                games.push(game);
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if !interrupted && games.iter().all(|game| game.fault.is_some()) {
            bail!("{name} had a fault in every game from seed {}; mend that first", part.0);
        }
        Ok((!interrupted).then_some(games))
    }

    /// The command that plays the boards of a part again, in process or with the bot.
    fn command(&self, measurement: &Measurement, part: BoardRange) -> String {
        let (first, last) = part;
        let boards = measurement.options();
        let adjusted = if measurement.is_adjusted { " --adjusted" } else { "" };
        match &measurement.player {
            Player::Engine(strength) => {
                let strength = strength.options();
                format!("judge bench {boards} --seeds {first}..{last}{strength}{adjusted}")
            }
            Player::Bot(bot) => {
                let file = self.games.get(&measurement.name);
                let line = file.and_then(|file| file.command(part)).unwrap_or(bot.clone());
                let line = crate::runner::shell_words::quote(&line);
                format!("judge play --bot {line} {boards} --seeds {first}..{last}")
            }
        }
    }
}
