//! `judge coach`: what the decisions of a bot cost against a policy, by playouts or exactly.
//!
//! [`analysis::review::coach`] judges the decisions; here games are played or read, and
//! their decisions summed and reported.
//!
//! | file | holds |
//! |---|---|
//! | [`arguments`] | the options and the help |
//! | [`source`] | the games: played by a bot, or read from files |
//! | [`other`] | the cells of another bot at the turns of the games |
//! | [`decisions`] | the decisions of a game that differ, and what they cost |
//! | [`fault`] | the faults that end games |
//! | [`account`] | the sums over games, by kind of decision |
//! | [`pages`] | the replay pages of the decisions that are listed |
//! | [`view`] | the report |
//! | [`people`] | the same for recordings of people |

mod account;
mod arguments;
mod decisions;
mod fault;
mod other;
mod pages;
mod people;
mod source;
mod view;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use analysis::review::coach::{Coach, PLAYOUTS};
use analysis::review::outcome::{GameOutcome, RecordEnd};
use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use game::record::Record;
use indicatif::HumanDuration;
use sapper::Objective;
use sapper::kit::text::pluralize;
use serde::Serialize;

use crate::cli::{Outcome, print_bot_report};
use crate::report::progress;
use crate::report::recorded_games::make_directory;
use crate::report::{CsvWriter, Over};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::messages::errln;
use crate::runner::shell_words::quote;
use crate::runner::system::LIMITS_NOTE;
use account::Account;
use decisions::{GameDecisions, judge};
use fault::GameFault;
use other::OtherBot;
use source::{Opened, Played, Source};
use view::Report;

pub use arguments::Arguments;

/// A game whose decisions were judged.
struct Judged {
    seed: i32,
    name: String,
    outcome: GameOutcome,
    options: String,
    decisions: GameDecisions,
    /// The record, where a page may be written.
    record: Option<Record>,
}

/// A row of `--csv`.
#[derive(Default, Serialize)]
struct CsvRow<'a> {
    /// The seed.
    index: i32,
    /// 0 or 1.
    won: u8,
    /// Mines opened; blank where the game has no end, and after a fault.
    hits: Option<u32>,
    /// `done`, `unfinished`, or the name of a fault.
    outcome: &'a str,
    /// Blank where `hits` is, and after a fault of the other bot.
    cost: Option<f64>,
    options: &'a str,
    /// The options that the cost depends on, besides those of the game.
    policy: &'a str,
}

impl Judged {
    fn csv_row<'a>(&'a self, policy: &'a str) -> CsvRow<'a> {
        let Judged { seed, outcome, options, decisions, .. } = self;
        let end = match &decisions.fault {
            Some(fault) => fault.outcome(),
            None if decisions.is_unfinished => "unfinished",
            None => "done",
        };
        let is_whole = end == "done" && decisions.other_fault.is_none();
        let is_won = outcome.is_won() && decisions.fault.is_none();
        let cost = is_whole.then(|| decisions.cost());
        CsvRow {
            index: *seed,
            won: is_won.into(),
            hits: outcome.counted_hits(),
            outcome: end,
            cost,
            options,
            policy,
        }
    }
}

/// How many games there are and about how long they take, which a long run says at its start, as
/// soon as that is known.
struct Extent {
    started: Instant,
    is_said: bool,
}

impl Extent {
    /// The time after which the games so far tell how long all take.
    const KNOWN_FROM: Duration = Duration::from_secs(5);

    /// Says it, once, when so many of the games are judged.
    fn say(&mut self, games: usize, judged: u64) {
        let so_far = self.started.elapsed();
        if !self.is_said && so_far >= Extent::KNOWN_FROM && judged < games as u64 {
            self.is_said = true;
            let all = HumanDuration(expected_time(games, judged, so_far));
            errln!("{games} games, about {all} in all, by the first {judged}");
        }
    }
}

/// How long so many games take in all, if the first ones took so long.
fn expected_time(games: usize, judged: u64, so_far: Duration) -> Duration {
    so_far.mul_f64(games as f64 / judged as f64)
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    match Source::of(arguments)? {
        Opened::Bots(source) => judge_bots(arguments, &source),
        Opened::People(games) => people::run(arguments, &games),
    }
}

fn judge_bots(arguments: &Arguments, source: &Source) -> Result<Outcome> {
    let objective = arguments.objective.unwrap_or_else(|| source.rule.objective());
    ensure!(
        !source.rule.is_classic() || objective == Objective::CleanWin,
        "under {} a hit ends the game: the objective is clean-win; omit --objective",
        source.rule
    );
    let (policy, effort) = (objective, arguments.effort);
    let other = OtherBot::of(arguments)?;
    if let Some(directory) = &arguments.pages {
        make_directory(directory)?;
    }
    // Last, because it empties a file that exists.
    let inputs: Vec<&Path> = arguments.recorded.iter().map(PathBuf::as_path).collect();
    let over = Over { inputs: &inputs, force: arguments.over.force() };
    let mut csv = CsvWriter::create(arguments.csv.as_deref(), over, &CsvRow::default())?;
    let mut account = Account::new(arguments.list, arguments.per_kind);
    let against = arguments.against.as_ref().map(|line| format!(" --against {}", quote(line)));
    let policy_options = format!(
        "--objective {objective} --effort {}{}",
        arguments.effort,
        against.unwrap_or_default()
    );
    let bar = progress::bar(source.len as u64, "games");
    let turns = AtomicU64::new(0);
    let judged = || {
        let turns = turns.fetch_add(1, Ordering::Relaxed) + 1;
        bar.set_message(format!("games, {}", pluralize(turns, "turn", "turns")));
    };
    let clock = source.clock.or(other.as_ref().map(OtherBot::clock));
    let mut extent = Extent { started: Instant::now(), is_said: false };
    let interrupted = play_games(
        arguments.options.jobs.count(clock),
        source.len,
        || {
            Coach::new(
                policy,
                effort,
                arguments.playouts.unwrap_or(PLAYOUTS),
                interrupt::is_requested,
            )
        },
        |coach, index| {
            interrupt::unless_requested(|| {
                let Played { seed, options, name, again, record, fault } = source.game(index)?;
                let game = RecordedGame::new(record).with_context(|| name.clone())?;
                let again = format!("{again} {policy_options}");
                let ask = |other: &OtherBot| other.ask(&name, &again, &game, policy);
                let (other, other_fault) = other.as_ref().map(ask).transpose()?.unzip();
                let other = other.as_deref();
                let decisions = judge(coach, policy, seed, &name, &game, other, judged);
                let record = arguments.pages.is_some().then(|| game.record().clone());
                let outcome = game.outcome().clone();
                let decisions = GameDecisions {
                    fault: GameFault::of(&name, &game, fault),
                    is_unfinished: outcome.end == RecordEnd::Unfinished,
                    other_fault: other_fault.flatten(),
                    ..decisions
                };
                Ok(Judged { seed, name, outcome, options, decisions, record })
            })
        },
        |judged: Judged| {
            extent.say(source.len, account.games + 1);
            csv.add(judged.csv_row(&policy_options))?;
            let Judged { name, decisions, record, .. } = judged;
            account.add(decisions);
            record.into_iter().for_each(|record| account.keep_record(&name, record));
            bar.inc(1);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    bar.finish_and_clear();
    account.finish();
    let pages = arguments.pages.as_ref();
    let written =
        pages.map_or(Ok(false), |pages| pages::write(pages, over, &mut account, policy, effort));
    if arguments.json || account.games > 0 || !interrupted {
        let report = Report::of(arguments, source, objective, &account);
        // Recorded games are judged without a bot.
        let note = LIMITS_NOTE.filter(|_| clock.is_some());
        print_bot_report(arguments.json, note, || &report, || report.text());
    }
    let interrupted = written? || interrupted;
    let games = pluralize(account.games, "game", "games");
    let after = format!(" after {games}; games in progress do not count");
    if !interrupted {
        source::ensure_all_judged(&source.unsuitable)?;
    }
    let is_faultless = account.faults.is_empty() && account.other_faults.is_empty();
    Ok(Outcome::from(is_faultless).unless_interrupted(interrupted, &after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_games_take_as_long_as_the_first_ones() {
        let seconds = |games, judged, first| {
            expected_time(games, judged, Duration::from_secs(first)).as_secs_f64()
        };
        assert_eq!((seconds(100, 1, 5), seconds(100, 4, 6), seconds(3, 3, 7)), (500.0, 150.0, 7.0));
    }
}
