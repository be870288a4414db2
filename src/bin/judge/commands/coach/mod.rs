//! `judge coach`: what the decisions of a bot cost against a policy, judged by playouts.
//!
//! Wherever the bot opens another cell than the policy would, both are opened, and the policy plays
//! on, over layouts drawn from all that fit. By the performance difference lemma the differences of
//! a bot's own decisions add up to its difference in strength to the policy
//! ([`sapper::referee::adjusted::playouts`]).
//!
//! Invariant: the number of playouts depends on how much they scatter and not on which cell is
//! ahead, so that the sum is not biased.
//!
//! | file | holds |
//! |---|---|
//! | [`decisions`] | the decisions of a game that differ, and what they cost |
//! | [`account`] | the sums over games, by kind of decision |
//! | [`view`] | the report |

mod account;
mod decisions;
mod view;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use sapper::base::text::pluralize;
use sapper::page::frames::RecordedGame;
use sapper::referee::record::Record;

use crate::bots::command::BotCommand;
use crate::bots::host;
use crate::bots::interrupt;
use crate::bots::registry;
use crate::cli::games::{GameOptions, Games};
use crate::cli::limits::{LimitOptions, Limits};
use crate::cli::output::{errln, outln, write};
use crate::cli::position::read_game;
use crate::cli::strength::{EffortName, ObjectiveName};
use crate::cli::{Outcome, progress};
use crate::results::ordered::in_order_with;
use crate::results::recorded_games::{log_path, make_directory_for, write_log};
use account::Account;
use decisions::{Coach, GameDecisions};

/// Find out which decisions of a bot cost how much.
///
/// Plays games with a bot, or reads recorded ones. Wherever it opens another cell than sapper
/// would, both are judged by playouts from that very position.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge coach --bot ./mybot --seeds 1..50
  judge coach --bot 'python3 samples/bots/simple.py --keep-running' \\
      --level 16x16/40 --seeds 1..20 --log games
  judge coach samples/games/default-30x20-80.json --json

Sapper at --effort is the policy that the bot is compared with, and that plays on in the playouts.
An open cell that is proven safe costs nothing. Any other cell that is not sapper's own is judged by
--playouts games after it and as many after sapper's cell, on the same layouts, drawn uniformly from
all that fit the numbers; by up to four times as many while the standard error is above 0.01. A
playout costs the exact odds of its guesses (clean-win: the probability to lose at one of them), so
that it needs no luck.

The costs of a bot's decisions add up to its difference in strength to that policy, exactly on
average (the performance difference lemma; Kakade and Langford, 2002). So bots that are compared
with the same --effort stand on one scale. A negative cost is one that the bot gains. Costs of a
single decision are estimates, and have their standard error: of many, the dearest are chosen, and
look dearer than they are.

Games are played by Botzone's rules. With clean-win only the decisions before the first mine of a
game count. Faults are reported, and cost nothing in the account. Games with skipfirst or firstclick
are refused: there not all layouts are equally likely.

The dearest decisions are drawn: A is the cell that the bot opened, B sapper's. `judge replay` shows
the games that --log has recorded; its page opens at a turn as page.html#TURN.

--json prints the same account as one object.

Exit code: 0 no fault, 1 a fault of the bot, 2 bad usage or input, 130 interrupted.")]
pub struct Arguments {
    /// Recorded games or Botzone logs, instead of --bot
    #[arg(value_name = "GAME.json", conflicts_with_all = ["bot", "log"])]
    recorded: Vec<PathBuf>,
    /// The bot's command line
    #[arg(long, value_name = "CMD", required_unless_present = "recorded")]
    bot: Option<String>,
    #[command(flatten)]
    games: GameOptions,
    #[command(flatten)]
    limits: LimitOptions,
    /// What the policy plays for
    #[arg(long, value_enum, default_value_t = ObjectiveName::FewestHits)]
    objective: ObjectiveName,
    /// The effort of the policy, which also plays on
    #[arg(long, value_enum, default_value_t = EffortName::Fast)]
    effort: EffortName,
    /// Playouts of each of two cells
    #[arg(long, value_name = "N", default_value_t = 500)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    playouts: u32,
    /// The most decisions that are listed
    #[arg(long, value_name = "N", default_value_t = 20)]
    dearest: usize,
    /// Write each game to DIR/WIDTHxHEIGHT-MINES-SEED.json, as `judge replay` reads it
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Where games come from.
enum Source<'a> {
    Files(&'a [PathBuf]),
    Bot { bot: BotCommand, games: Games, limits: Limits, log: Option<&'a PathBuf> },
}

/// A game, before its decisions are judged.
struct Played {
    /// The file, or the seed.
    name: String,
    record: Record,
    fault: Option<&'static str>,
}

impl Source<'_> {
    fn len(&self) -> usize {
        match self {
            Source::Files(files) => files.len(),
            Source::Bot { games, .. } => games.seeds.len(),
        }
    }

    /// Reads or plays game `index`.
    fn game(&self, index: usize) -> Result<Played> {
        match self {
            Source::Files(files) => {
                let (name, record) =
                    (files[index].display().to_string(), read_game(&files[index])?);
                if let Ok(setup) = record.setup() {
                    ensure!(
                        !setup.skip_first && setup.first_click.is_none(),
                        "{name}: a cell was opened beforehand (skipfirst or firstclick), so that \
                         not all layouts are equally likely; give a game without"
                    );
                }
                Ok(Played { name, record, fault: None })
            }
            Source::Bot { bot, games, limits, log } => {
                let setup = games.setup(games.seeds.get(index));
                let played = host::play(&setup, bot, *limits)?;
                let mut name = format!("seed {}", setup.seed);
                if let Some(directory) = log {
                    write_log(directory, &setup, &played.record, &bot.to_string())?;
                    name = log_path(directory, &setup).display().to_string();
                }
                let fault = played.fault.is_some().then(|| played.outcome());
                Ok(Played { name, record: played.record, fault })
            }
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let source = match &arguments.bot {
        Some(line) => {
            let games = arguments.games.games()?;
            if games.skip_first {
                bail!("with --skipfirst not all layouts are equally likely; omit it");
            }
            let bot = BotCommand::new(Some(line))?;
            let limits = arguments.limits.of_one(&bot.words()[0])?;
            bot.check_start()?;
            if let Some(directory) = &arguments.log {
                make_directory_for(&games, directory)?;
            }
            Source::Bot { bot, games, limits, log: arguments.log.as_ref() }
        }
        None => Source::Files(&arguments.recorded),
    };
    let clock = if let Source::Bot { limits, .. } = &source { Some(limits.clock) } else { None };
    let (objective, effort) = (arguments.objective.objective(), arguments.effort.effort());
    let mut account = Account::new(arguments.dearest);
    let bar = progress::bar(source.len() as u64, "games");
    interrupt::defer_exit();
    let interrupted = in_order_with(
        arguments.games.jobs.count(clock),
        0..source.len(),
        || Coach::new(objective, effort, arguments.playouts as usize),
        |coach, index| {
            interrupt::unless_requested(|| {
                let Played { name, record, fault } = source.game(index)?;
                let game = RecordedGame::new(record)?;
                Ok(GameDecisions { fault, ..coach.judge(&name, &game, index as u64) })
            })
        },
        |game: Result<GameDecisions>| {
            account.add(game?);
            bar.inc(1);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    registry::sweep();
    bar.finish_and_clear();
    let view = view::View { arguments, account: &account };
    if arguments.json {
        outln!("{}", view.json());
    } else {
        write(&view.text());
    }
    if interrupted {
        errln!("interrupted after {}", pluralize(account.games, "game", "games"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::from(account.faults.is_empty()))
}
