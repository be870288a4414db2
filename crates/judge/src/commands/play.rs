//! `judge play`: whole games of one bot, which may be any program that speaks the protocol.
//!
//! Games are independent: with `--jobs` several run at the same time. Invariant: they are reported
//! in the order of their seeds, whatever order they end in. Times are wall times, which include
//! waiting for a core when there are more jobs than cores.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Result;
use game::record::Record;
use game::rule::Rule;
use game::setup::Setup;
use sapper::kit::text::pluralize;
use serde::Serialize;

use crate::cli::repeat::{game_options, play_again};
use crate::cli::{
    ForceOption, GameOptions, LimitOptions, Outcome, SkipFirst, outln, output, print_bot_report,
};
use crate::report::FaultReport;
use crate::report::progress;
use crate::report::table::counts_text;
use crate::report::{AdjustedReport, CsvWriter, GameRow, Over, Tally, recorded_games, start_cost};
use crate::runner::bots::{BotCommand, GameResult, host};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::setups::{GameSetups, mines_at_stake};
use crate::runner::system::LIMITS_NOTE;

/// Play whole games with a bot and report every fault.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge play
  judge play --seeds 1..1000 --jobs 2
  judge play --bot \"python3 mybot.py\" --seeds 7 --level beginner
  judge play --bot \"java -jar mybot.jar\" --csv games.csv
  judge play --bot ./mybot --language csharp --seeds 1..20
  judge play --bot \"target/release/sapper --keep-running\" --log games
  judge play --level 9x9/10 --json
  judge play --bot ./mybot --level expert --rule open-first --first 3,3

Exit code: 0 no fault, 1 a fault of the bot, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// The bot's command line [default: sapper].
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    #[command(flatten)]
    games: GameOptions,
    #[command(flatten)]
    skip_first: SkipFirst,
    /// Write each game to DIR/WIDTHxHEIGHT-MINES-SEED[-RULE].json, as `judge verify` reads it.
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Write a row for each game to FILE, with its seed as `index`
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    over: ForceOption,
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut bot = BotCommand::new(arguments.bot.as_deref())?;
    bot.set_reused(arguments.games.reuse);
    let games = arguments.games.games(arguments.skip_first.skipfirst)?;
    let limits = arguments.limits.of_one(&bot.program()[0])?;
    bot.check_start()?;
    let over = Over { inputs: &[], force: arguments.over.force() };
    let mut csv = CsvWriter::create(arguments.csv.as_deref(), over, &GameRow::default())?;
    if let Some(directory) = &arguments.log {
        recorded_games::make_directory_for(&games, directory)?;
    }
    let bar = progress::bar(games.len() as u64, "games");
    let (mut reports, mut tally) = (Vec::new(), Tally::default());
    // The slowest turn in milliseconds, and its seed.
    let mut slowest: Option<(f64, i32)> = None;
    let name = arguments.bot.as_deref().unwrap_or("sapper");
    let play_one = |(): &mut (), index| {
        interrupt::unless_requested(|| {
            let setup = games.setup(index)?;
            let played = host::play(&setup, name, &bot, limits)?;
            Ok((setup, played))
        })
    };
    let jobs = arguments.games.jobs.count(Some(limits.clock));
    let take = |(setup, (game, record)): (Setup, (GameResult, Record))| {
        if let Some(directory) = &arguments.log {
            recorded_games::write_log(directory, &setup, &record, &game.bot)?;
        }
        csv.add(GameRow::of(&game, game_options(&setup) + &games.file_mark()))?;
        tally.add(&game, mines_at_stake(&setup));
        let fault = FaultReport::of(&game, || {
            play_again(arguments.bot.as_deref(), &games, game.seed, &limits)
        });
        let report = GameReport::of(game, fault);
        if !arguments.json {
            bar.suspend(|| outln!("{}", report.text(games.unit())));
        }
        let turn = (report.slowest_ms, report.seed);
        slowest = slowest.filter(|(ms, _)| *ms > turn.0).or(Some(turn));
        reports.push(report);
        bar.inc(1);
        // Without a reader the remaining games have no use.
        Ok(if output::has_reader() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    };
    let interrupted = play_games(jobs, games.len(), || (), play_one, take)?;
    bar.finish_and_clear();
    let start_cost = match interrupted || arguments.json {
        true => None,
        false => start_cost(&bot, &tally.starts),
    };
    let level = games.level();
    let report = Report {
        bot: bot.to_string(),
        width: level.map(|level| level.shape.columns()),
        height: level.map(|level| level.shape.rows()),
        minecount: level.map(|level| level.mines),
        rule: games.rule(),
        unit: games.unit(),
        time_limit: limits.usual_time().as_secs_f64(),
        memory_limit: limits.memory_limit_mib,
        limits: limits.text(),
        start_cost,
        games: reports,
        summary: Summary::of(&tally, slowest, &games),
    };
    let text = || format!("\n{}", report.text());
    print_bot_report(arguments.json, LIMITS_NOTE, || &report, text);
    let after = format!(" after {}", pluralize(tally.games, "game", "games"));
    Ok(Outcome::from(tally.faults.is_empty()).unless_interrupted(interrupted, &after))
}

/// What is told of the games: `--json` prints the fields.
#[derive(Serialize)]
struct Report {
    /// The command line.
    bot: String,
    /// The size and the mines of every board; `None` if the boards of a file differ.
    width: Option<u32>,
    height: Option<u32>,
    minecount: Option<u32>,
    rule: Rule,
    /// What the number of a board is called.
    #[serde(skip)]
    unit: &'static str,
    /// The limits of a turn: seconds, and MiB.
    time_limit: f64,
    memory_limit: u32,
    #[serde(skip)]
    limits: String,
    /// What it cost that the bot was started for each turn, if it was.
    #[serde(skip)]
    start_cost: Option<String>,
    games: Vec<GameReport>,
    summary: Summary,
}

/// What is told of a game.
#[derive(Serialize)]
struct GameReport {
    /// The seed, or the number of the board in its file.
    seed: i32,
    score: f64,
    /// Mines opened.
    mines: u32,
    /// The exact odds of the turns, added up; where a hit ends the game, the probability of a hit.
    /// `None` with --skipfirst and after a fault.
    adjusted_mines: Option<f64>,
    /// The probability to win, where a hit ends the game, and 0 after a fault; else `None`.
    adjusted_won: Option<f64>,
    turns: usize,
    /// The slowest turn, to a tenth of a millisecond.
    slowest_ms: f64,
    /// `done`, or the name of the fault.
    outcome: String,
    /// Absent without a fault.
    #[serde(flatten)]
    fault: Option<FaultReport>,
    /// The outcome, with the details of a fault.
    #[serde(skip)]
    outcome_text: String,
}

impl GameReport {
    fn of(game: GameResult, fault: Option<FaultReport>) -> GameReport {
        GameReport {
            seed: game.seed,
            score: game.score,
            mines: game.mines,
            adjusted_mines: game.adjusted_hits(),
            adjusted_won: game.adjusted_won(),
            turns: game.wall_micros.len(),
            slowest_ms: (10.0 * game.slowest_ms()).round() / 10.0,
            outcome_text: game.outcome_text(),
            outcome: game.outcome,
            fault,
        }
    }

    /// The line of the game, and those of its fault.
    fn text(&self, unit: &str) -> String {
        let GameReport { seed, score, mines, turns, slowest_ms, outcome_text, fault, .. } = self;
        let fault = fault.as_ref().map(FaultReport::text).unwrap_or_default();
        format!(
            "{unit} {seed:>6}  score {score:>6.2}  mines {mines:>3}  turns {turns:>4}  \
             slowest {slowest_ms:>7.1} ms  {outcome_text}{fault}"
        )
    }
}

/// What is told of all games.
#[derive(Serialize)]
struct Summary {
    games: u64,
    /// The games without a fault.
    finished: u64,
    /// The games without a fault and without a mine opened.
    clean: u64,
    /// The mines opened in a finished game.
    mean_mines: Option<f64>,
    /// `None` with --skipfirst, and under botzone without a finished game.
    adjusted: Option<AdjustedReport>,
    mean_score: Option<f64>,
    turns: u64,
    slowest_ms: Option<f64>,
    slowest_seed: Option<i32>,
    /// The number of faults of each kind.
    faults: BTreeMap<String, u64>,
    #[serde(skip)]
    is_classic: bool,
}

impl Summary {
    fn of(tally: &Tally, slowest: Option<(f64, i32)>, games: &GameSetups) -> Summary {
        let (rule, max_mines) = (games.rule(), games.most_mines_at_stake().into());
        let Tally { mines, adjusted_mines, adjusted_won, clean, luck, score, .. } = *tally;
        let adjusted = if rule.is_classic() { adjusted_won } else { adjusted_mines };
        let (slowest_ms, slowest_seed) = slowest.unzip();
        Summary {
            games: tally.games,
            finished: mines.count(),
            clean,
            mean_mines: (mines.count() > 0).then(|| mines.value()),
            adjusted: AdjustedReport::new(rule, clean, (mines, max_mines), adjusted, luck),
            mean_score: (tally.games > 0).then(|| score.value()),
            turns: tally.turns,
            slowest_ms,
            slowest_seed,
            faults: tally.faults.clone(),
            is_classic: rule.is_classic(),
        }
    }
}

impl Report {
    fn text(&self) -> String {
        let Report { summary, limits, start_cost, unit, .. } = self;
        let (games, turns) =
            (pluralize(summary.games, "game", "games"), pluralize(summary.turns, "turn", "turns"));
        let adjusted = summary.adjusted.as_ref().map(|adjusted| adjusted.text() + "\n\n");
        let adjusted = adjusted.unwrap_or_default();
        let size = match (self.width, self.height, self.minecount) {
            (Some(width), Some(height), Some(mines)) => format!("{width}x{height}-{mines}"),
            _ => "of several sizes".to_owned(),
        };
        let mut text = format!("{adjusted}{games} {size}, {turns}: ");
        match summary.mean_mines {
            _ if summary.is_classic => write!(text, "won {}", summary.clean),
            Some(mean) => {
                write!(text, "mean mines opened {mean:.4} (of {} finished)", summary.finished)
            }
            None => write!(text, "none finished"),
        }
        .ok();
        if let Some(score) = summary.mean_score {
            write!(text, ", mean score {score:.2}").ok();
        }
        if let Some((slowest_ms, seed)) = summary.slowest_ms.zip(summary.slowest_seed) {
            write!(text, ", slowest turn {slowest_ms:.1} ms ({unit} {seed})").ok();
        }
        write!(text, "\nlimits: {limits}").ok();
        if let Some(cost) = start_cost {
            write!(text, "\nThe bot was {cost}").ok();
        }
        if summary.faults.is_empty() {
            text.push_str("\nno fault");
        } else {
            write!(text, "\nFAULTS: {}", counts_text(&summary.faults)).ok();
        }
        text
    }
}
