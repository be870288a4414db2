//! One game of a soak: how it is played, and what counts as a fault.
//!
//! Every turn passes through the text of its request, as on the platform. Answers are checked
//! against the judge's own data only: the cells reported so far decide whether an answer is legal,
//! the field whether a proof is true. A fault ends the game.

use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, bail, ensure};
use cpu_time::ThreadTime;
use fixtures::pattern::request_text;
use game::board_gen::below;
use game::referee::Referee;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use sapper::board::geometry::CellMap;
use sapper::bot::read_error::ReadError;
use sapper::bot::session::Session;
use sapper::protocol::inputs;
use sapper::settings::budget::{Clock, Deadlines, NoClock, WallClock};
use sapper::{Answer, Cell, CellState, Effort, Engine, Objective, Shape, Step, respond};

use super::arguments::Arguments;
use super::figures::{Fault, SoakGame, Turn};
use super::plan::{random_board, random_effort};
use crate::runner::bots::BotCommand;
use crate::runner::bots::probe::{self, answered_cell};
use crate::runner::interrupt;
use crate::runner::limits::Limits;
use crate::runner::units::ms;

/// The options, the limits of a turn, and the built bot.
pub struct Settings<'a> {
    pub arguments: &'a Arguments,
    pub limits: Limits,
    /// The built bot; `None` if `processes` is 0.
    pub bot: Option<BotCommand>,
}

/// The clock of the bot, which runs on the CPU time of the turn: other programs of the machine do
/// not delay it.
struct CpuClock(ThreadTime);

impl Clock for CpuClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A cell and the value that is reported for it.
type Report = (Cell, u8);

/// A game that is being played.
struct RunningGame<'s> {
    random: Xoshiro256PlusPlus,
    settings: &'s Settings<'s>,
    session: Session,
    /// The text of every request so far.
    requests: Vec<String>,
    /// The cells that were reported open so far, truly or not.
    reported: CellMap<bool>,
    played: SoakGame,
}

/// Plays the game of this seed.
pub fn play(seed: i64, settings: &Settings) -> SoakGame {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
    let (recipe, max_turns) = random_board(&mut random);
    let field = recipe.field();
    let shape = recipe.shape;
    let board = recipe.pattern.board(&field, recipe.seed);
    let mut referee = Referee::new(field, board.mines());
    let mut reports = Vec::new();
    for cell in shape.cells().filter(|&cell| !board.is_hidden(cell)) {
        reports.extend_from_slice(referee.open_beforehand(cell));
    }
    let effort = settings.arguments.effort.unwrap_or_else(|| random_effort(seed));
    // May contradict itself, so that fewer checks apply.
    let is_falsified = below(&mut random, 8) == 0;
    let mut game = RunningGame {
        settings,
        session: Session::with(Engine::new(Objective::FewestHits, effort)),
        requests: Vec::new(),
        reported: CellMap::new(shape.len(), false),
        played: SoakGame {
            cells: shape.len(),
            effort,
            is_falsified,
            turns: Vec::new(),
            fault: None,
        },
        random,
    };
    for turn in 0..max_turns {
        // After an interrupt the game is not counted.
        if referee.ended() || referee.hidden_len() == 0 || interrupt::is_requested() {
            break;
        }
        if is_falsified {
            game.falsify(shape, &mut reports);
        }
        for &(cell, _) in &reports {
            game.reported[cell] = true;
        }
        game.requests.push(request_text(shape, referee.mines(), reports.iter().copied()));
        match game.turn(&referee) {
            // With falsified reports the bot may choose a cell that the referee has opened.
            Ok(cell) => match cell.map(|cell| referee.open(cell)) {
                Some(Ok(opened)) => reports = opened.changed.to_vec(),
                _ => break,
            },
            Err(what) => {
                let what = format!("{what:#}");
                game.played.fault = Some(Fault { seed, turn, what, input: game.input() });
                break;
            }
        }
    }
    game.played
}

impl RunningGame<'_> {
    /// Changes, removes or adds a report, in one turn of four.
    fn falsify(&mut self, shape: Shape, reports: &mut Vec<Report>) {
        if below(&mut self.random, 4) != 0 {
            return;
        }
        let mut below = |bound: usize| below(&mut self.random, bound as u64) as usize;
        let (index, value) = (below(reports.len().max(1)), below(11) as u8);
        let other = Cell::from_index(below(shape.len()) as u32);
        match (below(4), reports.get_mut(index)) {
            (0, Some(report)) => report.1 = value,
            (1, Some(report)) => report.0 = other,
            (2, Some(_)) => drop(reports.remove(index)),
            _ => reports.push((other, value)),
        }
    }

    /// Sends the last request to the bot, and checks its answer. Returns the cell to open, or
    /// `None` if no cell is hidden in a falsified game.
    ///
    /// # Errors
    /// The fault.
    fn turn(&mut self, referee: &Referee) -> Result<Option<Cell>> {
        let (cpu, wall) = (ThreadTime::now(), Instant::now());
        let request = self.requests.last().map_or("", String::as_str);
        let Some(Ok(input)) = inputs(request.as_bytes()).next() else {
            bail!("a request of the judge cannot be read");
        };
        let answer = self.session.answer(input, &CpuClock(ThreadTime::now()), |_| {});
        let (cpu, wall) = (cpu.elapsed(), wall.elapsed());
        let answer = match answer {
            Ok(answer) => answer,
            Err(ReadError::NoHiddenCell) if self.reported.iter().all(|(_, open)| *open) => {
                return Ok(None);
            }
            Err(error) => bail!("no answer: {error}"),
        };
        let step = answer.decision.as_ref().map(|decision| decision.by);
        let turn = Turn { step, cpu, wall, is_late: answer.is_late, process: None };
        self.played.turns.push(turn);
        ensure!(cpu <= self.settings.limits.time_limit, "late: {:.0} ms of CPU time", ms(cpu));
        let cell = self.check(&answer, referee)?;
        let processes = u64::from(self.settings.arguments.processes);
        if processes > 0 && below(&mut self.random, processes) == 0 {
            self.compare_with_process(&answer)?;
        }
        Ok(Some(cell))
    }

    /// Checks an answer of the session, and returns its cell.
    fn check(&mut self, answer: &Answer, referee: &Referee) -> Result<Cell> {
        let Some(cell) = self.legal_cell(&answer.line(), referee.field().shape()) else {
            bail!("illegal: {}", answer.line());
        };
        let late_warnings = self.session.late_warnings(answer, &WallClock::start());
        let Some(decision) = &answer.decision else { bail!("the search panicked") };
        if self.played.is_falsified {
            return Ok(cell);
        }
        if let Some(warning) = answer.warnings.iter().chain(&late_warnings).next() {
            bail!("a warning on a consistent board: {warning}");
        }
        ensure!(decision.by != Step::Rough, "a contradiction on a consistent board");
        let is_false_proof = decision.by.is_proof() && referee.field().is_mine(cell);
        ensure!(!is_false_proof, "proven safe by {}, but a mine", decision.by.name());
        let mut states = answer.board.iter();
        let has_illegible = states.any(|(_, state)| state == CellState::Illegible);
        ensure!(!has_illegible, "an open cell was read as illegible");
        Ok(cell)
    }

    /// The cell of an answer, if it was not reported open.
    fn legal_cell(&self, line: &str, shape: Shape) -> Option<Cell> {
        answered_cell(line, shape).filter(|&cell| !self.reported[cell])
    }

    /// Sends the history to the built bot, and compares its answer with the session's.
    fn compare_with_process(&mut self, answer: &Answer) -> Result<()> {
        let Settings { bot: Some(bot), limits, .. } = self.settings else { return Ok(()) };
        let (answered, usage) = probe::ask(bot, &self.input(), limits);
        if let Some(turn) = self.played.turns.last_mut() {
            turn.process = Some(usage);
        }
        let line = answered.map_err(Error::msg).context("the built bot")?;
        let is_legal = self.legal_cell(&line, answer.board.shape()).is_some();
        // Answers may differ if a clock ended either search.
        let was_late = answer.is_late || usage.wall > Deadlines::DEFAULT.soft();
        let expected = match self.played.effort {
            Effort::Full => answer.line(),
            _ => self.answer_at_full_effort(),
        };
        let is_expected = is_legal && (was_late || line == expected);
        ensure!(is_expected, "the built bot answered {line}");
        Ok(())
    }

    /// The answer of the bot in process with its own effort; empty without one.
    fn answer_at_full_effort(&self) -> String {
        respond(&self.input(), &NoClock).map_or_else(|_| String::new(), |answer| answer.line())
    }

    /// The history so far as one input.
    fn input(&self) -> String {
        format!("{{\"requests\":[{}],\"responses\":[]}}", self.requests.join(","))
    }
}
