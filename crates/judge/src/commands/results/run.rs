//! `judge results run`: plays the parts that are missing, and appends each as it ends.
//!
//! Invariant: a part is written when all its boards were played, so that a run can end at any time
//! and goes on from the last whole part, on any machine. Which share a part belongs to follows from
//! the list alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sapper::bot::serve::version;
use sapper::kit::text::pluralize;
use sapper::settings::budget::WallClock;
use sapper::{Effort, Engine};

use super::bot_games::{BotGames, Found};
use super::figure::{Figure, Sums};
use super::folder::FolderOptions;
use super::list::{Measurement, Player, Size, chosen};
use super::machine::Machine;
use super::player::{PartPlayer, Signatures};
use super::show::print_progress;
use super::store::Store;
use crate::cli::{JobOptions, LimitOptions, Outcome, competitors};
use crate::report::progress;
use crate::runner::board_game::BoardToPlay;
use crate::runner::boards::{BoardRange, RunPart};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::messages::errln;
use crate::runner::shell_words::quote;

/// Play what is missing, and append each finished part to figures.jsonl.
///
/// A part is missing if the file has none by today's play. Only whole parts are kept: an interrupt
/// loses the part that is being played, and the same command goes on. With --share several
/// processes or machines work on one list; `judge results join` brings their files together.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge results run --size try
  judge results run safe-full --size day
  judge results run --size record --share 1/8
  judge results run --bot \"hill=./davidnhill\" --reuse --time-limit 300
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
    /// Print one JSON object, with all figures
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let all = arguments.folder.measurements(&[])?;
    let list = chosen(all.clone(), &arguments.names)?;
    let folder = arguments.folder.path()?;
    let mut bots = competitors(&arguments.bots, &arguments.limits)?;
    bots.iter_mut().for_each(|bot| bot.command.set_reused(arguments.reuse));
    let known: BTreeSet<&str> = all.iter().filter_map(|one| one.player.bot()).collect();
    let games_folder = arguments.games.clone().unwrap_or_else(|| folder.join("games"));
    let bot_games = BotGames::new(bots, games_folder, arguments.jobs, &Vec::from_iter(known))?;
    let figures = arguments.folder.figures()?;
    let target = match (&arguments.to, arguments.share) {
        (Some(to), _) => to.clone(),
        (None, Some(share)) => folder.join(format!("share-{share}.jsonl")),
        (None, None) => figures.clone(),
    };
    let is_beside = target != figures && arguments.to.is_none();
    let beside: Vec<&Path> = is_beside.then_some(figures.as_path()).into_iter().collect();
    let store = Store::open(&target, &beside)?;
    let mut run = Run {
        arguments,
        bot_games,
        store,
        signatures: Signatures::new(),
        machine: Machine::this(),
        unplayed: BTreeMap::new(),
    };
    let interrupted = run.play(&all, &list)?;
    let is_whole = print_progress(&list, arguments.size, &run.store.figures, arguments.json);
    for (bot, parts) in &run.unplayed {
        let parts = pluralize(*parts, "part needs", "parts need");
        errln!("{parts} the games of {bot}: give --bot \"{bot}=CMD\", or their folder by --games");
    }
    let is_done = run.unplayed.is_empty() && (is_whole || arguments.share.is_some());
    let after = "; the same command goes on from here";
    Ok(Outcome::from(is_done).unless_interrupted(interrupted, after))
}

/// The number of boards of a part.
fn boards((first, last): BoardRange) -> u32 {
    (last - first + 1) as u32
}

struct Run<'a> {
    arguments: &'a Arguments,
    bot_games: BotGames,
    store: Store,
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
        let mut left: VecDeque<(&Measurement, BoardRange)> = VecDeque::new();
        for measurement in list {
            let parts = (0..).zip(measurement.parts(self.arguments.size));
            let parts = parts.filter(|(index, _)| is_shared(*index));
            left.extend(parts.map(|(_, part)| (measurement, part)));
        }
        let (started, bar) = (Instant::now(), progress::bar(1, "s, about"));
        let mut so_far = progress::SoFar::new("s, about");
        // The wall time of a board, of the measurements that were played in this run.
        let mut known: BTreeMap<&str, Duration> = BTreeMap::new();
        while let Some((measurement, part)) = left.pop_front() {
            let name = measurement.name.as_str();
            bar.set_length(started.elapsed().as_secs() + self.time_left(&left, &known).as_secs());
            bar.set_position(started.elapsed().as_secs());
            so_far.show(&bar, || format!("{name}, seeds from {}", part.0));
            let started = Instant::now();
            match self.play_part(all, measurement, part)? {
                ControlFlow::Break(()) => {
                    bar.finish_and_clear();
                    return Ok(true);
                }
                ControlFlow::Continue(false) => {}
                ControlFlow::Continue(true) => {
                    known.insert(name, started.elapsed() / boards(part));
                }
            }
        }
        bar.finish_and_clear();
        Ok(false)
    }

    /// An estimate of the time that these parts take, from what is `known` of their measurements,
    /// or else by the kinds of their players. Parts that are on file take none.
    fn time_left(
        &self,
        left: &VecDeque<(&Measurement, BoardRange)>,
        known: &BTreeMap<&str, Duration>,
    ) -> Duration {
        let guess = |player: &Player, rule| match player {
            Player::Bot(_) => 15,
            Player::Engine(strength) => match strength.effort_and_objective(rule).0 {
                Effort::Full => 120,
                Effort::Standard => 6,
                Effort::Fast => 1,
            },
        };
        let threads = self.arguments.jobs.count(None) as u32;
        let of_part = |&(measurement, part): &(&Measurement, BoardRange)| {
            let others = measurement.less.iter().map(|(_, player)| player);
            let players = [&measurement.player].into_iter().chain(others);
            let guessed = players.map(|player| guess(player, measurement.rule())).sum();
            let guessed = Duration::from_millis(guessed) / threads;
            known.get(measurement.name.as_str()).copied().unwrap_or(guessed) * boards(part)
        };
        let is_missing = |part: &&(&Measurement, BoardRange)| {
            self.store.figures.of_part(part.0, part.1).next().is_none()
        };
        left.iter().filter(is_missing).map(of_part).sum()
    }

    /// Plays a part, and returns whether it did: it may be there, or it cannot be played. Breaks
    /// after an interrupt.
    fn play_part(
        &mut self,
        all: &[Measurement],
        measurement: &Measurement,
        part: BoardRange,
    ) -> Result<ControlFlow<(), bool>> {
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
                    match self.bot_games.of_part(of_games, bot, part)? {
                        Found::Games(games, checksum) => PartPlayer::Told { games, checksum },
                        Found::Interrupted => return Ok(ControlFlow::Break(())),
                        Found::Missing => {
                            *self.unplayed.entry(bot.clone()).or_default() += 1;
                            return Ok(ControlFlow::Continue(false));
                        }
                    }
                }
            });
        }
        let play: Vec<String> = players.iter().map(|player| player.play().to_owned()).collect();
        if self.store.figures.of_part(measurement, part).any(|figure| figure.play == play) {
            return Ok(ControlFlow::Continue(false));
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
        Ok(ControlFlow::Continue(true))
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
        let engines = || players.iter().map(|_| None).collect::<Vec<Option<Engine>>>();
        let play = |engines: &mut Vec<Option<Engine>>, position| {
            interrupt::unless_requested(|| {
                let (index, layout) = boards.board(position)?;
                let is_adjusted = measurement.is_adjusted;
                let board = BoardToPlay { index, layout: &layout, rule, is_adjusted };
                let both = players.iter().zip(engines);
                let game = |(player, engine): (&PartPlayer, &mut Option<Engine>)| {
                    player.game(position, board, engine, &clock)
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
                let line = self.bot_games.command(measurement, part);
                let line = quote(&line.unwrap_or(bot.clone()));
                format!("judge play --bot {line} {boards} --seeds {first}..{last}")
            }
        }
    }
}
