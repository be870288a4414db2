//! One game of a soak: how it is played, and what counts as a fault.
//!
//! Every turn passes through the text of its request, as on the platform. Answers are checked
//! against the judge's own data only: the cells reported so far decide whether an answer is legal,
//! the field whether a proof is true.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use cpu_time::ThreadTime;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use sapper::base::budget::{Clock, Deadlines, NoClock, WallClock};
use sapper::base::objective::Objective;
use sapper::base::params::Effort;
use sapper::board::CellState;
use sapper::board::geometry::{Cell, CellMap, Shape};
use sapper::bot::engine::{Engine, Step};
use sapper::bot::read_error::ReadError;
use sapper::bot::session::{Answer, Session, respond};
use sapper::protocol::inputs;
use sapper::referee::board_gen::below;
use sapper::referee::pattern::request_text;
use sapper::referee::rules::Referee;

use super::figures::{Fault, Figures};
use super::plan::{Plan, random_effort};
use crate::bots::command::BotCommand;
use crate::bots::probe::{self, Probe, ProbeAnswer, answered_cell};
use crate::cli::units::{megabytes, ms};

/// The faults of the built bot after which the soak stops. Each may cost the long time limit of a
/// question, and a program that is not the same bot has one at every question.
const MAX_BOT_FAULTS: u32 = 3;

/// The limits of a turn, and which turns the built bot answers too.
pub struct Settings {
    /// The built bot answers one of this many turns; 0 for none.
    pub processes: u32,
    /// The effort of every game; `None` for a random one.
    pub effort: Option<Effort>,
    /// The limit of CPU time.
    pub limit: Duration,
    /// The limit of the built bot's memory, in MB.
    pub memory: f64,
    /// The built bot; `None` if `processes` is 0.
    pub bot: Option<BotCommand>,
    /// The faults of the built bot in all games.
    pub bot_faults: AtomicU32,
}

impl Settings {
    /// Whether the built bot had so many faults that no further turn is played.
    pub fn has_given_up(&self) -> bool {
        self.bot_faults.load(Ordering::Relaxed) >= MAX_BOT_FAULTS
    }
}

/// The clock of the bot, which runs on the CPU time of the turn: other programs of the machine do
/// not delay it.
struct CpuClock {
    start: ThreadTime,
    /// Whether the bot has read a time beyond the soft deadline, so that time may have ended its
    /// search.
    was_late: std::cell::Cell<bool>,
}

impl CpuClock {
    fn start() -> CpuClock {
        CpuClock { start: ThreadTime::now(), was_late: false.into() }
    }
}

impl Clock for CpuClock {
    fn elapsed(&self) -> Duration {
        let elapsed = self.start.elapsed();
        self.was_late.set(self.was_late.get() || elapsed > Deadlines::DEFAULT.soft());
        elapsed
    }
}

/// A cell and the value that is reported for it.
type Report = (Cell, u8);

/// A game that is being played.
struct RunningGame<'s> {
    seed: i64,
    random: Xoshiro256PlusPlus,
    settings: &'s Settings,
    session: Session,
    /// The text of every request so far.
    requests: Vec<String>,
    /// The cells that were reported open so far, truly or not.
    reported: CellMap<bool>,
    effort: Effort,
    /// Whether some reports are changed, so that they may contradict each other.
    is_falsified: bool,
    figures: Figures,
}

/// Plays the game of this seed.
///
/// # Errors
/// The built bot cannot be started.
pub fn play(seed: i64, settings: &Settings) -> Result<Figures> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
    let Plan { recipe, max_turns } = Plan::random(&mut random);
    let field = recipe.field();
    let shape = recipe.shape;
    let board = recipe.pattern.board(&field, recipe.seed);
    let mut referee = Referee::new(field, board.mines());
    let mut reports = Vec::new();
    for cell in shape.cells().filter(|&cell| !board.is_hidden(cell)) {
        reports.extend_from_slice(referee.open_beforehand(cell));
    }
    let effort = settings.effort.unwrap_or_else(|| random_effort(seed));
    let mut game = RunningGame {
        seed,
        settings,
        session: Session::with(Engine::new(Objective::FewestHits, effort)),
        requests: Vec::new(),
        reported: CellMap::new(shape.len(), false),
        effort,
        is_falsified: below(&mut random, 8) == 0,
        figures: Figures {
            games: 1,
            cells: Some((shape.len(), shape.len())),
            ..Figures::default()
        },
        random,
    };
    for turn in 0..max_turns {
        if referee.ended() || referee.hidden_len() == 0 || settings.has_given_up() {
            break;
        }
        if game.is_falsified {
            game.falsify(shape, &mut reports);
        }
        for &(cell, _) in &reports {
            game.reported[cell] = true;
        }
        let Some(cell) = game.turn(turn, &referee, &reports)? else { break };
        // With falsified reports the bot may choose a cell that the referee has opened.
        let Ok(opened) = referee.open(cell) else { break };
        reports = opened.changed.to_vec();
    }
    Ok(game.figures)
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

    /// Sends the next request to the bot, and checks its answer. Returns the cell to open, or
    /// `None` if the game cannot continue.
    fn turn(&mut self, turn: u64, referee: &Referee, reports: &[Report]) -> Result<Option<Cell>> {
        let shape = referee.field().shape();
        let request = request_text(shape, referee.mines(), reports.iter().copied());
        let (started, wall) = (ThreadTime::now(), Instant::now());
        let input = inputs(request.as_bytes()).next();
        self.requests.push(request);
        let Some(Ok(input)) = input else {
            self.add_fault(turn, "a request of the judge cannot be read");
            return Ok(None);
        };
        let clock = CpuClock::start();
        let answer = self.session.answer(input, &clock, |_| {});
        let (cpu, wall) = (started.elapsed(), wall.elapsed());
        let answer = match answer {
            Ok(answer) => answer,
            Err(ReadError::NoHiddenCell) if self.reported.iter().all(|(_, open)| *open) => {
                return Ok(None);
            }
            Err(error) => {
                self.add_fault(turn, &format!("no answer: {error}"));
                return Ok(None);
            }
        };
        let figures = &mut self.figures;
        figures.turns += 1;
        figures.falsified_turns += u64::from(self.is_falsified);
        figures.by_effort[self.effort as usize] += 1;
        figures.cpu += cpu;
        figures.worst_cpu = figures.worst_cpu.max(cpu);
        figures.worst_wall = figures.worst_wall.max(wall);
        figures.cut_turns += u64::from(clock.was_late.get());
        if cpu > self.settings.limit {
            self.add_fault(turn, &format!("late: {:.0} ms of CPU time", ms(cpu)));
        }
        let cell = self.check(turn, &answer, referee);
        let processes = u64::from(self.settings.processes);
        if processes > 0 && below(&mut self.random, processes) == 0 {
            self.compare_with_process(turn, &answer, clock.was_late.get())?;
        }
        Ok(cell)
    }

    /// Checks an answer of the session. Returns its cell if that may be opened.
    fn check(&mut self, turn: u64, answer: &Answer, referee: &Referee) -> Option<Cell> {
        let shape = referee.field().shape();
        let cell = answered_cell(&answer.line()).and_then(|(row, column)| shape.cell(row, column));
        let Some(cell) = cell.filter(|&cell| !self.reported[cell]) else {
            self.add_fault(turn, &format!("illegal: {}", answer.line()));
            return None;
        };
        let late_warnings = self.session.late_warnings(answer, &WallClock::start());
        let Some(decision) = &answer.decision else {
            self.add_fault(turn, "the search panicked");
            return Some(cell);
        };
        self.figures.by_step[decision.by as usize] += 1;
        if self.is_falsified {
            return Some(cell);
        }
        if let Some(warning) = answer.warnings.iter().chain(&late_warnings).next() {
            self.add_fault(turn, &format!("a warning on a consistent board: {warning}"));
        }
        if decision.by == Step::Rough {
            self.add_fault(turn, "a contradiction on a consistent board");
        }
        if decision.by.is_proof() && referee.field().is_mine(cell) {
            self.add_fault(turn, &format!("proven safe by {}, but a mine", decision.by.name()));
        }
        if answer.board.iter().any(|(_, state)| state == CellState::Illegible) {
            self.add_fault(turn, "an open cell was read as illegible");
        }
        Some(cell)
    }

    /// Sends the history to the built bot, and compares its answer with the session's.
    fn compare_with_process(&mut self, turn: u64, answer: &Answer, was_late: bool) -> Result<()> {
        let Some(bot) = &self.settings.bot else { return Ok(()) };
        self.figures.process_turns += 1;
        let faults_before = self.figures.faults;
        match probe::ask(bot, &self.input())? {
            Probe::Answered(ProbeAnswer { line, wall, at_answer, after }) => {
                self.figures.process_wall = self.figures.process_wall.max(wall);
                let cell = answered_cell(&line);
                let cell = cell.and_then(|(row, column)| answer.board.shape().cell(row, column));
                let is_legal = cell.is_some_and(|cell| !self.reported[cell]);
                // Answers may differ if a clock ended either search.
                let was_late = was_late || wall > Deadlines::DEFAULT.soft();
                let expected = if self.effort == Effort::Full {
                    answer.line()
                } else {
                    self.answer_at_full_effort()
                };
                if !is_legal || !was_late && line != expected {
                    self.add_fault(turn, &format!("the built bot answered {line}"));
                }
                self.figures.process_bytes = self.figures.process_bytes.max(after.memory_bytes);
                if at_answer.cpu > self.settings.limit {
                    self.add_fault(turn, "the built bot is late");
                }
                let memory = megabytes(after.memory_bytes);
                if memory > self.settings.memory {
                    self.add_fault(turn, &format!("the built bot used {memory:.0} MB"));
                }
            }
            Probe::Failed(fault) => self.add_fault(turn, &format!("the built bot: {fault}")),
        }
        if self.figures.faults > faults_before {
            self.settings.bot_faults.fetch_add(1, Ordering::Relaxed);
        }
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

    fn add_fault(&mut self, turn: u64, what: &str) {
        let input = self.input();
        let fault = Fault { seed: self.seed, turn, what: what.to_owned(), input };
        self.figures.faults += 1;
        self.figures.first_faults.push(fault);
    }
}
