//! `judge results run`: measures the parts that are missing, and appends each as it ends.
//!
//! Invariant: a part is written when all of it was measured, so that a run can end at any time
//! and goes on from the last whole part, on any machine. Which share a part belongs to follows from
//! the list alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use analysis::review::second_step::SecondStepSettings;
use anyhow::{Result, ensure};
use clap::ValueEnum as _;
use sapper::Effort;
use sapper::bot::serve::version;
use sapper::kit::text::pluralize;

use super::bot_games::BotGames;
use super::ceiling_part::CeilingParts;
use super::figure::Figure;
use super::folder::FolderOptions;
use super::game_part::GameParts;
use super::games::{Games, Player};
use super::list::chosen;
use super::machine::Machine;
use super::measurement::{Kind, Measurement, Size};
use super::odds_part::OddsParts;
use super::part::{Measured, PartResult};
use super::show::print_progress;
use super::store::Store;
use crate::cli::{Competitor, JobOptions, LimitOptions, Outcome, competitors};
use crate::report::progress;
use crate::runner::boards::{BoardRange, RunPart};
use crate::runner::messages::errln;

/// Measure what is missing, and append each finished part to figures.jsonl.
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
  judge results run hill-safe --size record --bot \"hill=./bot\" --reuse
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
    /// Play every N-th part of the list, the K-th of N shares
    #[arg(long, value_name = "K/N")]
    share: Option<RunPart>,
    /// Append to this file [default: figures.jsonl; with --share, share-K-of-N.jsonl]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Command line of a bot or a program of the list; give --bot once for each
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
    check_names(&bots, &all)?;
    let games_folder = arguments.games.clone().unwrap_or_else(|| folder.join("games"));
    let bot_games = BotGames::new(bots.clone(), games_folder, arguments.jobs);
    let figures = arguments.folder.figures()?;
    let target = match (&arguments.to, arguments.share) {
        (Some(to), _) => to.clone(),
        (None, Some(share)) => folder.join(format!("share-{share}.jsonl")),
        (None, None) => figures.clone(),
    };
    let is_beside = target != figures && arguments.to.is_none();
    let beside: Vec<&Path> = is_beside.then_some(figures.as_path()).into_iter().collect();
    ensure!(
        target != figures || arguments.folder.later_seeds == 0,
        "--later-seeds: figures of other boards do not belong into {}; name another file by --to",
        figures.display()
    );
    let store = Store::open(&target, &beside)?;
    let mut run = Run {
        arguments,
        games: GameParts::new(bot_games, arguments.jobs),
        odds: OddsParts::new(bots),
        ceilings: CeilingParts::new(arguments.jobs),
        store,
        machine: Machine::this(),
        needed: BTreeMap::new(),
    };
    let interrupted = run.measure(&list, &all)?;
    let is_whole = print_progress(&list, arguments.size, &run.store.figures, arguments.json);
    for (what, parts) in &run.needed {
        errln!("{} {what}", pluralize(*parts, "part needs", "parts need"));
    }
    let is_done = run.needed.is_empty() && (is_whole || arguments.share.is_some());
    let after = "; the same command goes on from here";
    Ok(Outcome::from(is_done).unless_interrupted(interrupted, after))
}

/// Checks that the list names every bot.
fn check_names(bots: &[Competitor], list: &[Measurement]) -> Result<()> {
    let known: BTreeSet<&str> = list.iter().filter_map(Measurement::bot).collect();
    for Competitor { name, .. } in bots {
        ensure!(
            known.contains(name.as_str()),
            "--bot {name}=CMD: no measurement is of this bot; there are {}",
            Vec::from_iter(known).join(", ")
        );
    }
    Ok(())
}

/// The number of boards or positions of a part.
fn boards((first, last): BoardRange) -> u32 {
    (last - first + 1) as u32
}

/// About how long the games of a board take on one thread.
fn guessed_time(games: &Games) -> Duration {
    let guess = |player: &Player| match player {
        Player::Bot(_) => 15,
        Player::Engine(strength) => match strength.effort_and_objective(games.rule()).0 {
            Effort::Full => 120,
            Effort::Standard => 6,
            Effort::Fast => 1,
        },
    };
    Duration::from_millis(games.players().map(guess).sum())
}

/// About how long it takes on one thread to choose a guess of a game again.
fn guessed_time_of_ceiling(step: &SecondStepSettings) -> Duration {
    let of_playout = match step.policy {
        Effort::Full => 600,
        Effort::Standard => 40,
        Effort::Fast => 4,
    };
    Duration::from_millis(of_playout * step.playouts as u64)
}

struct Run<'a> {
    arguments: &'a Arguments,
    games: GameParts,
    odds: OddsParts,
    ceilings: CeilingParts,
    store: Store,
    machine: Machine,
    /// The parts that could not be measured, by what they need.
    needed: BTreeMap<String, u64>,
}

impl Run<'_> {
    /// Measures what is missing of these measurements, some or `all` of the list, and returns
    /// whether the run was interrupted.
    fn measure(&mut self, list: &[Measurement], all: &[Measurement]) -> Result<bool> {
        let share = self.arguments.share;
        let is_shared = |index: u32| share.is_none_or(|share| share.has(index));
        let mut left: VecDeque<(&Measurement, BoardRange)> = VecDeque::new();
        // The first part of the next measurement is of the next share, so that every share has work
        // where each measurement has one part.
        for measurement in list {
            let before = all.iter().take_while(|one| one.name != measurement.name).count();
            let parts = (before as u32..).zip(measurement.parts(self.arguments.size));
            let parts = parts.filter(|(index, _)| is_shared(*index));
            left.extend(parts.map(|(_, part)| (measurement, part)));
        }
        let (started, bar) = (Instant::now(), progress::bar(1, "s, about"));
        let mut so_far = progress::SoFar::new("s, about");
        // The wall time of a board or position, of the measurements that were made in this run.
        let mut known: BTreeMap<&str, Duration> = BTreeMap::new();
        while let Some((measurement, part)) = left.pop_front() {
            let name = measurement.name.as_str();
            bar.set_length(started.elapsed().as_secs() + self.time_left(&left, &known).as_secs());
            bar.set_position(started.elapsed().as_secs());
            so_far.show(&bar, || format!("{name}, from {}", part.0));
            let started = Instant::now();
            match self.measure_part(measurement, part)? {
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
    /// or else by their kinds. Parts that are on file take none.
    fn time_left(
        &self,
        left: &VecDeque<(&Measurement, BoardRange)>,
        known: &BTreeMap<&str, Duration>,
    ) -> Duration {
        let threads = self.arguments.jobs.count(None) as u32;
        let guess = |measurement: &Measurement| match &measurement.kind {
            Kind::Games(games) => guessed_time(games) / threads,
            // A program may take longer by far.
            Kind::Odds(_) => Duration::from_millis(10),
            Kind::Ceiling(ceiling) => guessed_time_of_ceiling(&ceiling.step) / threads,
        };
        let of_part = |&(measurement, part): &(&Measurement, BoardRange)| {
            let known = known.get(measurement.name.as_str()).copied();
            known.unwrap_or_else(|| guess(measurement)) * boards(part)
        };
        let is_missing = |part: &&(&Measurement, BoardRange)| {
            self.store.figures.of_part(part.0, part.1).next().is_none()
        };
        left.iter().filter(is_missing).map(of_part).sum()
    }

    /// Measures a part, and returns whether it did: it may be there, or it cannot be measured.
    /// Breaks after an interrupt.
    fn measure_part(
        &mut self,
        measurement: &Measurement,
        part: BoardRange,
    ) -> Result<ControlFlow<(), bool>> {
        let name = &measurement.name;
        let known = self.store.figures.of_part(measurement, part);
        let known: Vec<Vec<String>> = known.map(|figure| figure.play.clone()).collect();
        let result = match &measurement.kind {
            Kind::Games(games) => self.games.measure(name, games, part, &known)?,
            Kind::Odds(odds) => self.odds.measure(odds, part, &known, &again(measurement, part))?,
            Kind::Ceiling(ceiling) => self.ceilings.measure(ceiling, part, &known)?,
        };
        let Measured { play, command, sums } = match result {
            PartResult::Measured(measured) => measured,
            PartResult::Known => return Ok(ControlFlow::Continue(false)),
            PartResult::Interrupted => return Ok(ControlFlow::Break(())),
            PartResult::Needs(what) => {
                *self.needed.entry(what).or_default() += 1;
                return Ok(ControlFlow::Continue(false));
            }
        };
        let figure = Figure {
            name: name.clone(),
            what: measurement.to_string(),
            part,
            play,
            version: version(),
            machine: self.machine.clone(),
            command,
            sums,
        };
        self.store.add(&figure)?;
        Ok(ControlFlow::Continue(true))
    }
}

/// The command that measures a part again, to another file.
fn again(measurement: &Measurement, (_, last): BoardRange) -> String {
    let has_part = |size: &Size| i64::from(measurement.count(*size)) >= last;
    let size = Size::ALL.into_iter().find(has_part).unwrap_or(Size::Record);
    let size = size.to_possible_value().map_or(String::new(), |size| size.get_name().to_owned());
    format!("judge results run {} --size {size} --to again.jsonl", measurement.name)
}
