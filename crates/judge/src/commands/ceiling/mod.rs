//! `judge ceiling`: how much strength is left above the engine, by the next step of policy
//! iteration.
//!
//! [`analysis::review::second_step`] judges a guess; here the engine plays its own games, one guess
//! of each is drawn by lot and judged, and the gains are summed. By the performance difference
//! lemma ([`analysis::adjusted::playouts`]) the gains of all guesses of a game add up to that of
//! the player who chooses so, as far as that player meets the same positions.
//!
//! A gain counts as many times as the game has guesses that could have been drawn, and under the
//! classic rules with the probability that the game is still alive there. So the mean over the
//! games is the gain of a game, and is not biased. Guesses in solved endgames gain nothing and are
//! not drawn.
//!
//! Invariant: the result of a game follows from its board and the settings, and the results do not
//! depend on the number of threads.

mod header;
mod view;

use std::ops::ControlFlow;

use analysis::review::second_step::{SecondStepSettings, SecondStepper};
use anyhow::Result;
use sapper::kit::text::pluralize;
use sapper::{Effort, Engine};

use crate::cli::{
    BoardOptions, Outcome, ResumeOptions, effort_parser, parse_integer, print_report,
};
use crate::report::progress;
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::judged_game::{CANDIDATES, JudgedGame, judge_game};
use crate::runner::open_shares::OpenShares;
use header::Header;
use view::Report;

/// Measure how much strength is left: guesses chosen by long playouts.
///
/// The engine plays games, and one guess of each is judged: its best candidates are played on by
/// --policy in thousands of playouts, and other playouts tell what the best of them gains over the
/// engine's cell. The sum over the guesses of a game is what a player would gain who chose so.
#[derive(clap::Args)]
#[command(mut_arg("effort", |option| option.default_value("full")))]
#[command(mut_arg("without", |option| option.hide(true)))]
#[command(after_help = "\
Examples:
  judge ceiling --level expert --rule safe-first --resume ceiling.jsonl
  judge ceiling --level expert --rule open-first --first 3,3 --seeds 1..1000
  judge ceiling --level 20x20/80 --seeds 1..1000 --open 67..100 --policy full
  judge ceiling --level 9x9/10 --rule safe-first --effort fast --policy fast

A late guess takes a second, an early one on expert half a minute. --open chooses the guesses by the
share of the safe cells that are open. Only the games that end without an interrupt count.

Exit code: 0, 2 for bad input, 130 interrupted.")]
pub struct Arguments {
    #[command(flatten)]
    boards: BoardOptions,
    /// Effort of the engine that plays on in the playouts
    #[arg(long, value_name = "EFFORT", value_parser = effort_parser())]
    #[arg(default_value_t = Effort::Standard)]
    policy: Effort,
    /// Playouts of a candidate, and as many again to judge the best one
    #[arg(long, value_name = "N", value_parser = parse_integer::<u32>, default_value_t = 1000)]
    playouts: u32,
    /// Candidates of a guess, in order of the look-ahead's cost
    #[arg(long, value_name = "N", value_parser = parse_integer::<u32>)]
    #[arg(default_value_t = CANDIDATES)]
    candidates: u32,
    /// Only guesses with so many percent of the safe cells open
    #[arg(long, value_name = "A..B", default_value_t = OpenShares::ALL)]
    open: OpenShares,
    #[command(flatten)]
    run_file: ResumeOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let options = &arguments.boards;
    let rule = options.rule();
    let (objective, effort) = options.strength.whole(rule)?;
    let settings = SecondStepSettings {
        objective,
        effort,
        policy: arguments.policy,
        candidates: arguments.candidates as usize,
        playouts: arguments.playouts as usize,
    };
    let boards = options.boards(options.seeds.seeds(|last| format!("--seeds 1..{last}")))?;
    let header = Header {
        setting: options.setting(&boards, true),
        policy: arguments.policy.to_string(),
        playouts: arguments.playouts,
        candidates: arguments.candidates,
        open: arguments.open.to_string(),
        boards: boards.range(),
    };
    let (mut file, lines) = arguments.run_file.open(&header)?.unzip();
    let mut games: Vec<JudgedGame> = Vec::new();
    for line in lines.unwrap_or_default() {
        match (line.value, &mut file) {
            (Ok(game), _) => games.push(game),
            (Err(why), Some(file)) => {
                file.cut(line.place, &why)?;
                break;
            }
            (Err(_), None) => break,
        }
    }
    let (done, len) = (games.len() as u64, boards.len());
    let left = boards.slice(done, len);
    let bar = progress::bar(len, "games").with_position(done);
    bar.reset_eta();
    let mut so_far = progress::SoFar::new("games");
    let init = || {
        let stepper = SecondStepper::new(settings, interrupt::is_requested);
        (options.engine(), stepper)
    };
    let play = |(engine, stepper): &mut (Engine, SecondStepper), position| {
        interrupt::unless_requested(|| {
            let (index, layout) = left.board(position)?;
            Ok(judge_game(engine, stepper, rule, index, &layout, arguments.open))
        })
    };
    let threads = options.jobs.count(None);
    let interrupted = play_games(threads, left.len() as usize, init, play, |game| {
        if let Some(file) = &mut file {
            file.add(&game)?;
        }
        games.push(game);
        bar.inc(1);
        so_far.show(&bar, || Report::of(&games, objective, &header).summary());
        Ok(ControlFlow::Continue(()))
    })?;
    bar.finish_and_clear();
    let report = Report::of(&games, objective, &header);
    print_report(arguments.json, || &report, || report.text());
    let after = format!(
        " after {}; {}",
        pluralize(games.len(), "game", "games"),
        arguments.run_file.hint()
    );
    Ok(Outcome::Good.unless_interrupted(interrupted, &after))
}
