//! `judge play`: whole games of one bot, which may be any program that speaks the protocol.
//!
//! Games are independent: with `--jobs` several run at the same time. Invariant: they are reported
//! in the order of their seeds, whatever order they end in. Times are wall times, which include
//! waiting for a core when there are more jobs than cores.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use sapper::base::text::pluralize;
use sapper::referee::setup::Setup;
use serde_json::{Value, json};

use crate::bots::command::BotCommand;
use crate::bots::host::{self, PlayedGame};
use crate::bots::interrupt;
use crate::bots::registry;
use crate::cli::games::Games;
use crate::cli::limits::Limits;
use crate::cli::output::{errln, outln};
use crate::cli::units::rounded_ms;
use crate::cli::{Outcome, output};
use crate::results::ordered::in_order;
use crate::results::{faults, recorded_games};

/// Play whole games with a bot and report every fault.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge play                        # ten games of sapper
  judge play --seeds 1..1000 --jobs 2
  judge play --bot 'python3 mybot.py' --seeds 7 --time-limit 6
  judge play --bot 'target/release/sapper --keep-running' --seeds 1..20 \\
      --log games
  judge play --width 9 --height 9 --mines 10 --json

The bot is started for every turn and reads the whole history as one line. It is kept running if it
prints the line
  >>>BOTZONE_REQUEST_KEEP_RUNNING<<<
after its answer; it then reads only the new request of each turn. Its standard input stays open, so
it must answer as soon as it has read a line. The command is run without a shell; use sh -c '...'
for pipes and variables.

`turns` is the number of turns played. A fault is reported with its turn, counted from 0 as in
requests[0], `judge explain --turn`, `judge replay` and `judge verify`.

When standard output is closed (as by | head), no further game is started.

After an interrupt (Ctrl-C, kill) the summary covers the games that are complete. A second interrupt
ends the judge at once.

Exit code: 0 no fault, 1 a fault of the bot, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// The bot's command line [default: the sapper in the judge's directory].
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    #[command(flatten)]
    games: Games,
    /// Write each game to DIR/WIDTHxHEIGHT-MINES-SEED.json, as `judge verify` reads it.
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The bot's name in the records.
    fn bot_name(&self) -> &str {
        self.bot.as_deref().unwrap_or("sapper")
    }
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = BotCommand::new(arguments.bot.as_deref())?;
    let Arguments { games, limits, .. } = arguments;
    games.check()?;
    bot.check_start()?;
    if let Some(directory) = &arguments.log {
        recorded_games::make_directory(directory)?;
    }
    let bar = Games::bar(games.seeds.len());
    let mut summary = Summary::default();
    interrupt::defer_exit();
    let play_one = |index: usize| -> Result<Option<(Setup, PlayedGame)>> {
        let setup = games.setup(games.seeds.get(index))?;
        if interrupt::is_requested() {
            return Ok(None);
        }
        let played = host::play(&setup, &bot, *limits);
        // The interrupt may have cut this game off.
        if interrupt::is_requested() {
            return Ok(None);
        }
        Ok(Some((setup, played?)))
    };
    let mut interrupted = false;
    in_order(games.jobs, games.seeds.len(), play_one, |_, game| {
        let Some((setup, played)) = game? else {
            interrupted = true;
            return Ok(ControlFlow::Break(()));
        };
        if let Some(directory) = &arguments.log {
            recorded_games::write_log(directory, &setup, &played.record, arguments.bot_name())?;
        }
        let view = GameView { setup: &setup, played: &played, arguments };
        if arguments.json {
            summary.games.push(view.json());
        } else {
            bar.suspend(|| outln!("{}", view.text()));
        }
        summary.add(&setup, &played);
        bar.inc(1);
        // Without a reader the remaining games have no use.
        Ok(if output::has_reader() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    registry::sweep();
    bar.finish_and_clear();
    if arguments.json {
        outln!("{}", summary.json(arguments, &bot));
    } else {
        outln!("{}", summary.text(arguments));
    }
    if interrupted {
        errln!("interrupted after {}", pluralize(summary.played, "game", "games"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::from(summary.faults.is_empty()))
}

/// One game as a line of text and as JSON.
struct GameView<'a> {
    setup: &'a Setup,
    played: &'a PlayedGame,
    arguments: &'a Arguments,
}

impl GameView<'_> {
    fn text(&self) -> String {
        let PlayedGame { outcome, score, hits, turns, .. } = self.played;
        let (seed, turns) = (self.setup.seed, turns.len());
        let slowest = rounded_ms(self.played.slowest());
        let mut text = format!(
            "seed {seed:>6}  score {score:>6.2}  mines {hits:>3}  turns {turns:>4}  \
             slowest {slowest:>7.1} ms  {outcome}"
        );
        if self.is_fault() {
            let turn = faults::last_turn_text(turns);
            write!(text, "\n  FAULT {turn}; again: {}", self.command()).ok();
            for line in faults::last_lines(&self.played.stderr) {
                write!(text, "\n  stderr: {line}").ok();
            }
        }
        text
    }

    fn json(&self) -> Value {
        let PlayedGame { outcome, score, hits, turns, stderr, .. } = self.played;
        let mut game = json!({
            "seed": self.setup.seed,
            "score": score,
            "mines": hits,
            "turns": turns.len(),
            "slowest_ms": rounded_ms(self.played.slowest()),
            "outcome": outcome.kind(),
        });
        if self.is_fault() {
            game["turn"] = json!(faults::last_turn(turns.len()));
            game["reason"] = json!(outcome.reason());
            game["stderr"] = json!(stderr);
            game["again"] = json!(self.command());
        }
        game
    }

    fn is_fault(&self) -> bool {
        self.played.outcome != host::GameOutcome::Done
    }

    /// The command that plays this game again.
    fn command(&self) -> String {
        let Arguments { bot, games, limits, .. } = self.arguments;
        faults::repeat_command(bot.as_deref(), games, self.setup.seed, &limits.options())
    }
}

/// The totals of all games.
#[derive(Default)]
struct Summary {
    /// The games as JSON; empty when the output is text.
    games: Vec<Value>,
    played: usize,
    finished: usize,
    hits: u64,
    score: f64,
    turns: usize,
    /// The wall time of the slowest turn, with the seed of its game.
    slowest: Option<(Duration, i32)>,
    /// The number of faults of each kind.
    faults: BTreeMap<&'static str, usize>,
}

impl Summary {
    fn add(&mut self, setup: &Setup, played: &PlayedGame) {
        self.played += 1;
        self.score += played.score;
        self.turns += played.turns.len();
        self.slowest = self.slowest.max(Some((played.slowest(), setup.seed)));
        if played.outcome == host::GameOutcome::Done {
            self.finished += 1;
            self.hits += u64::from(played.hits);
        } else {
            *self.faults.entry(played.outcome.kind()).or_default() += 1;
        }
    }

    /// The mean number of mines opened in the games that ended without a fault; `None` if none did.
    fn mean_hits(&self) -> Option<f64> {
        (self.finished > 0).then(|| self.hits as f64 / self.finished as f64)
    }

    fn mean_score(&self) -> f64 {
        self.score / self.played.max(1) as f64
    }

    fn text(&self, arguments: &Arguments) -> String {
        let Games { width, height, mines, .. } = &arguments.games;
        let Summary { played, finished, turns, .. } = self;
        let (games, turns) =
            (pluralize(*played, "game", "games"), pluralize(*turns, "turn", "turns"));
        let mut text = format!("\n{games} {width}x{height}-{mines}, {turns}: ");
        match self.mean_hits() {
            Some(mean) => write!(text, "mean mines opened {mean:.4} (of {finished} finished)"),
            None => write!(text, "none finished"),
        }
        .ok();
        write!(text, ", mean score {:.2}", self.mean_score()).ok();
        if let Some((slowest, seed)) = self.slowest {
            let slowest = rounded_ms(slowest);
            write!(text, ", slowest turn {slowest:.1} ms (seed {seed})").ok();
        }
        let faults: Vec<String> =
            self.faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        if faults.is_empty() {
            text.push_str("\nno fault");
        } else {
            write!(text, "\nFAULTS: {}", faults.join(", ")).ok();
        }
        text
    }

    fn json(&self, arguments: &Arguments, bot: &BotCommand) -> Value {
        json!({
            "bot": bot.to_string(),
            "width": arguments.games.width,
            "height": arguments.games.height,
            "minecount": arguments.games.mines,
            "games": self.games,
            "summary": {
                "games": self.played,
                "finished": self.finished,
                "mean_mines": self.mean_hits(),
                "mean_score": self.mean_score(),
                "turns": self.turns,
                "slowest_ms": self.slowest.map(|(slowest, _)| rounded_ms(slowest)),
                "slowest_seed": self.slowest.map(|(_, seed)| seed),
                "faults": self.faults,
            },
        })
    }
}
