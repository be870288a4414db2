//! `judge check bot`: is a bot ready for Botzone?
//!
//! [`plan`] lists the checks; each is a game or a question ([`trial`]), within Botzone's limits and
//! the time of the first verdict ([`schedule`]). [`forms`] are other forms of the same inputs, and
//! [`history`] makes the inputs of a game's middle and end. [`problem`] says what to mend, and
//! [`view`] is the report.
//!
//! The bot decides by its marker line alone whether it is kept running: there is no option for it,
//! as there is none on the platform.
//!
//! Invariant: a fault counts against the bot only if Botzone may send what led to it.

mod forms;
mod history;
mod plan;
mod problem;
mod schedule;
mod trial;
mod view;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use sapper::kit::text::pluralize;

use crate::cli::{JobOptions, LimitOptions, Outcome, outln, print_bot_report};
use crate::report::progress;
use crate::runner::bots::{BotCommand, TIMEOUT};
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::limits::Limits;
use crate::runner::system::LIMITS_NOTE;
use plan::Check;
use schedule::Schedule;
use trial::Trial;
use view::{Report, Run};

/// Check whether a bot is ready for Botzone: protocol, whole games, time and memory.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge check bot --bot \"python3 mybot.py\"
  judge check bot --bot ./mybot --full
  judge check bot --bot ./mybot --only games
  judge check bot --bot ./mybot --only forms/key-order --json
  judge check bot --bot \"java -jar mybot.jar\" --clock cpu

The checks are: the first answer; turns with inputs in odd but legal forms; histories of other games
(hits, a long line); the sample requests; whole games by the official rules on the smallest, the
default, a dense and the largest board. How good a move is decides nothing.

Exit code: 0 the bot is ready as far as it was tried, 1 it is not, 2 bad usage, 130 interrupted.")]
pub struct Arguments {
    /// The bot's command line [default: sapper]
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// Go on after the first verdict, with more games on more boards and without a limit of time
    #[arg(long)]
    full: bool,
    /// Run only this check or this group of checks, such as games or forms/key-order
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    jobs: JobOptions,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The time of the first verdict. A late turn may exceed it by a few seconds.
const FIRST_VERDICT: Duration = Duration::from_secs(45);
/// The failures after which no further check begins.
const MAX_FAILED: usize = 12;

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = BotCommand::new(arguments.bot.as_deref())?;
    bot.check_start()?;
    let limits = arguments.limits.of_one(&bot.program()[0])?;
    let checks = chosen_checks(arguments)?;
    let started = Instant::now();
    let (trials, interrupted) = run_all(arguments, &checks, &bot, &limits, started)?;
    let report = Report::of(&Run {
        bot: arguments.bot.as_deref(),
        limits: &limits,
        is_full: arguments.full,
        only: arguments.only.as_deref(),
        checks: &checks,
        trials: &trials,
        time: started.elapsed(),
        interrupted,
    });
    print_bot_report(arguments.json, LIMITS_NOTE, || &report, || report.text());
    let after = format!(" after {}", pluralize(report.tried(), "check", "checks"));
    Ok(Outcome::from(report.ready).unless_interrupted(interrupted, &after))
}

/// The checks of the plan that `--only` names, or those of the first verdict or all of them. A
/// group has the checks of the first verdict, unless all are asked for. The first answer is always
/// asked for: it tells whether the bot keeps running and whether it stores `data`.
fn chosen_checks(arguments: &Arguments) -> Result<Vec<Check>> {
    let Some(only) = &arguments.only else { return plan::plan(arguments.full) };
    let first = plan::plan(false)?.len();
    let checks = plan::plan(true)?;
    let mut groups: Vec<String> = checks.iter().map(|check| check.group().to_owned()).collect();
    groups.dedup();
    let is_chosen = |(index, check): &(usize, Check)| {
        let is_listed = arguments.full || *index < first;
        check.name == *only || (is_listed && check.group() == only)
    };
    let (mut chosen, others): (Vec<_>, Vec<_>) =
        checks.into_iter().enumerate().partition(is_chosen);
    ensure!(
        !chosen.is_empty(),
        "--only {only}: there is no such check; the groups are {}, and --json names every check",
        groups.join(", ")
    );
    chosen.extend(others.into_iter().take_while(|(index, _)| *index == 0));
    chosen.sort_by_key(|(index, _)| *index);
    Ok(chosen.into_iter().map(|(_, check)| check).collect())
}

/// Runs the checks. A check that was not run has no trial. Also returns whether the run was
/// interrupted.
fn run_all(
    arguments: &Arguments,
    checks: &[Check],
    bot: &BotCommand,
    limits: &Limits,
    started: Instant,
) -> Result<(Vec<Option<Trial>>, bool)> {
    let jobs = arguments.jobs.count(Some(limits.clock));
    let is_timed = !arguments.full && arguments.only.is_none();
    let weight = checks.iter().map(Check::weight).sum();
    let schedule = Schedule::new(is_timed.then(|| started + FIRST_VERDICT), weight, jobs);
    let first_verdict = match arguments.full && arguments.only.is_none() && !arguments.json {
        true => plan::plan(false)?.len(),
        false => checks.len(),
    };
    let bar = progress::bar(checks.len() as u64, "checks");
    let mut results = Results {
        checks,
        trials: Vec::new(),
        failed: 0,
        stores_data: false,
        first_verdict,
        started,
        bar,
    };
    let try_check = |index: usize| {
        let check = &checks[index];
        let share = schedule.share(check.weight(), Instant::now());
        let run = || share.map(|stop| try_twice(check, bot, limits, stop)).transpose();
        interrupt::unless_requested(run)
    };
    // No other check begins before the first answer has come.
    let mut interrupted =
        play_games(1, 1, || (), |(), _| try_check(0), |trial| Ok(results.take(trial)))?;
    if !interrupted && checks.len() > 1 && results.failed == 0 {
        let play = |(): &mut (), index| try_check(1 + index);
        let take = |trial| Ok(results.take(trial));
        interrupted = play_games(jobs, checks.len() - 1, || (), play, take)?;
    }
    let Results { mut trials, bar, .. } = results;
    bar.finish_and_clear();
    trials.resize_with(checks.len(), || None);
    Ok((trials, interrupted))
}

/// The trials of the checks so far, in the order of the plan.
struct Results<'a> {
    checks: &'a [Check],
    trials: Vec<Option<Trial>>,
    /// The checks that failed and count.
    failed: usize,
    stores_data: bool,
    /// The number of checks after which a first verdict is printed, if any follow.
    first_verdict: usize,
    started: Instant,
    bar: ProgressBar,
}

impl Results<'_> {
    /// Adds the trial of the next check, `None` if its time was over. Breaks after too many
    /// failures.
    fn take(&mut self, trial: Option<Trial>) -> ControlFlow<()> {
        let check = &self.checks[self.trials.len()];
        if let Some(trial) = &trial {
            self.stores_data |= trial.figures.stores_data;
            self.failed += usize::from(trial.has_failed() && check.counts(self.stores_data));
        }
        self.trials.push(trial);
        self.bar.inc(1);
        let (tried, total, failed) = (self.trials.len(), self.checks.len(), self.failed);
        if tried == self.first_verdict && tried < total {
            let seconds = self.started.elapsed().as_secs_f64();
            let left = pluralize(total - tried, "game follows", "games follow");
            self.bar.suspend(|| {
                outln!("after {seconds:.0} s: {failed} of {tried} checks failed; {left}");
            });
        }
        // After a fault in the first answer the other checks would fail in the same way.
        match failed >= MAX_FAILED || (tried == 1 && failed == 1) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Runs a check, and again if a turn is late: another program may have delayed it.
fn try_twice(
    check: &Check,
    bot: &BotCommand,
    limits: &Limits,
    stop: schedule::Stop,
) -> Result<Trial> {
    let trial = trial::run(check, bot, limits, stop)?;
    let is_late = trial.failure.as_ref().is_some_and(|failure| failure.problem.fault == TIMEOUT);
    if !is_late || interrupt::is_requested() {
        return Ok(trial);
    }
    let mut again = trial::run(check, bot, limits, stop)?;
    again.figures.was_late = again.failure.is_none();
    Ok(again)
}
