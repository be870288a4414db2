//! One game of a soak: what is drawn, how it is played, and what counts as a fault.
//!
//! Every turn goes through the text of its request, as on the platform. The judge's own list of
//! reported cells says what may be answered, and the field says what is true: nothing of the bot is
//! believed.

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
use sapper::bot::session::{Answer, ReadError, Session, respond};
use sapper::protocol::inputs;
use sapper::referee::board_gen::below;
use sapper::referee::pattern::{Pattern, Recipe, request_text};
use sapper::referee::rules::Referee;

use crate::bots::command::BotCommand;
use crate::bots::probe::{self, Probe, ProbeAnswer, answered_cell};
use crate::cli::units::megabytes;
use crate::cli::units::ms;

/// Faults of the built bot after which no turn is played any more: one that does not answer costs
/// the whole patience of a question each time, and one that is another program has a fault at every
/// one.
const MOST_BOT_FAULTS: u32 = 3;

/// What a turn may take, and which turns are asked of a process too.
pub struct Limits {
    pub processes: u32,
    /// The effort of every game, unless it is drawn.
    pub effort: Option<Effort>,
    pub limit: Duration,
    pub memory: f64,
    pub bot: Option<BotCommand>,
    /// Faults of the built bot, in all games.
    pub bot_faults: AtomicU32,
}

impl Limits {
    /// Whether the built bot had faults enough.
    pub fn gave_up(&self) -> bool {
        self.bot_faults.load(Ordering::Relaxed) >= MOST_BOT_FAULTS
    }
}

/// Something that must not be.
pub struct Fault {
    pub seed: i64,
    pub turn: u64,
    pub what: String,
    /// The history up to the turn, as one input.
    pub input: String,
}

/// The figures of one game.
#[derive(Default)]
pub struct Game {
    pub cells: usize,
    pub effort: Effort,
    pub turns: u64,
    pub is_false: bool,
    pub probed: u64,
    /// Turns that the clock ended, not the nodes.
    pub cut: u64,
    pub by_step: [u64; Step::ALL.len()],
    pub cpu: Duration,
    pub worst_cpu: Duration,
    pub worst_wall: Duration,
    pub process_wall: Duration,
    pub process_bytes: u64,
    pub faults: Vec<Fault>,
}

/// The clock that the bot is shown: the CPU time of the turn, since what else the machine does is
/// not the bot's.
struct Watched {
    started: ThreadTime,
    /// Whether the bot was told that it is late: nodes alone should end a turn.
    was_late: std::cell::Cell<bool>,
}

impl Watched {
    fn start() -> Watched {
        Watched { started: ThreadTime::now(), was_late: false.into() }
    }
}

impl Clock for Watched {
    fn elapsed(&self) -> Duration {
        let elapsed = self.started.elapsed();
        self.was_late.set(self.was_late.get() || elapsed > Deadlines::DEFAULT.soft());
        elapsed
    }
}

struct Play<'l> {
    seed: i64,
    random: Xoshiro256PlusPlus,
    limits: &'l Limits,
    session: Session,
    requests: Vec<String>,
    reported: CellMap<bool>,
    game: Game,
}

/// Plays the game of this seed.
///
/// # Errors
/// When the bot's process cannot be started.
pub fn play(seed: i64, limits: &Limits) -> Result<Game> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
    let (recipe, most_turns) = draw(&mut random);
    let field = recipe.field();
    let shape = recipe.shape;
    let board = recipe.pattern.board(&field, recipe.seed);
    let mut referee = Referee::new(field, board.mines());
    let mut shown = Vec::new();
    for cell in shape.cells().filter(|&cell| !board.is_hidden(cell)) {
        shown.extend_from_slice(referee.open_beforehand(cell));
    }
    let effort = limits.effort.unwrap_or_else(|| draw_effort(seed));
    let mut play = Play {
        seed,
        limits,
        session: Session::with(Engine::new(Objective::FewestHits, effort)),
        requests: Vec::new(),
        reported: CellMap::new(shape.len(), false),
        game: Game {
            cells: shape.len(),
            effort,
            is_false: below(&mut random, 8) == 0,
            ..Game::default()
        },
        random,
    };
    for turn in 0..most_turns {
        if referee.ended() || referee.hidden_len() == 0 || limits.gave_up() {
            break;
        }
        if play.game.is_false {
            play.falsify(shape, &mut shown);
        }
        for &(cell, _) in &shown {
            play.reported[cell] = true;
        }
        let Some(cell) = play.turn(turn, &referee, &shown)? else { break };
        // Where reports were changed the bot may name a cell that the referee has opened.
        let Ok(opened) = referee.open(cell) else { break };
        shown = opened.changed.to_vec();
    }
    Ok(play.game)
}

/// What is played: sizes from one cell to the largest, and how many turns of it.
fn draw(random: &mut Xoshiro256PlusPlus) -> (Recipe, u64) {
    let mut from = |least: u64, most: u64| least + below(random, most - least + 1);
    let (columns, rows, turns) = match from(0, 999) {
        0..=549 => (from(1, 12), from(1, 12), 200),
        550..=929 => (from(11, 80), from(11, 40), 60),
        930..=979 => (from(1, 130), from(1, 130), 30),
        980..=988 => (from(1, 3), from(100, 3000), 20),
        989..=997 => (from(100, 3000), from(1, 3), 20),
        998 => (from(130, 250), from(130, 250), 8),
        _ => (from(250, 512), from(250, 512), 3),
    };
    let percent = match from(0, 9) {
        0..=5 => from(8, 25),
        6..=8 => from(20, 45),
        _ => from(0, 100),
    };
    let pattern = match from(0, 3) {
        0 => Pattern::PLAIN[from(0, Pattern::PLAIN.len() as u64 - 1) as usize].0,
        1 => Pattern::Scattered(from(0, 100) as u8),
        _ => Pattern::Untouched,
    };
    let shape = Shape::new(rows, columns).expect("within 512 x 512 and 3000 x 3 cells");
    (Recipe { shape, percent: percent as u32, seed: from(0, u64::MAX - 1), pattern }, turns)
}

/// The effort of a game, by draws of its own, so that a seed has the same game whatever it is
/// played with.
fn draw_effort(seed: i64) -> Effort {
    match below(&mut Xoshiro256PlusPlus::seed_from_u64(!(seed as u64)), 32) {
        0 => Effort::Full,
        1..=5 => Effort::Standard,
        _ => Effort::Fast,
    }
}

impl Play<'_> {
    /// Changes a report, in one turn of four.
    fn falsify(&mut self, shape: Shape, shown: &mut Vec<(Cell, u8)>) {
        if below(&mut self.random, 4) != 0 {
            return;
        }
        let mut below = |bound: usize| below(&mut self.random, bound as u64) as usize;
        let (place, value) = (below(shown.len().max(1)), below(11) as u8);
        let other = Cell::from_index(below(shape.len()) as u32);
        match (below(4), shown.get_mut(place)) {
            (0, Some(report)) => report.1 = value,
            (1, Some(report)) => report.0 = other,
            (2, Some(_)) => drop(shown.remove(place)),
            _ => shown.push((other, value)),
        }
    }

    /// Asks the bot about the next request. The cell to open, or `None` where the game cannot go
    /// on.
    fn turn(&mut self, turn: u64, referee: &Referee, shown: &[(Cell, u8)]) -> Result<Option<Cell>> {
        let shape = referee.field().shape();
        let request = request_text(shape, referee.mines(), shown.iter().copied());
        let (started, wall) = (ThreadTime::now(), Instant::now());
        let input = inputs(request.as_bytes()).next();
        self.requests.push(request);
        let Some(Ok(input)) = input else {
            self.fault(turn, "a request of the judge's cannot be read");
            return Ok(None);
        };
        let clock = Watched::start();
        let answer = self.session.answer(input, &clock, |_| {});
        let (cpu, wall) = (started.elapsed(), wall.elapsed());
        let answer = match answer {
            Ok(answer) => answer,
            Err(ReadError::NoHiddenCell) if self.reported.iter().all(|(_, open)| *open) => {
                return Ok(None);
            }
            Err(error) => {
                self.fault(turn, &format!("no answer: {error}"));
                return Ok(None);
            }
        };
        let game = &mut self.game;
        game.turns += 1;
        game.cpu += cpu;
        game.worst_cpu = game.worst_cpu.max(cpu);
        game.worst_wall = game.worst_wall.max(wall);
        game.cut += u64::from(clock.was_late.get());
        if cpu > self.limits.limit {
            self.fault(turn, &format!("late: {:.0} ms of CPU time", ms(cpu)));
        }
        let cell = self.check(turn, &answer, referee);
        let processes = u64::from(self.limits.processes);
        if processes > 0 && below(&mut self.random, processes) == 0 {
            self.probe(turn, &answer, clock.was_late.get())?;
        }
        Ok(cell)
    }

    /// Holds an answer against what the judge knows. The cell, where it may be opened.
    fn check(&mut self, turn: u64, answer: &Answer, referee: &Referee) -> Option<Cell> {
        let shape = referee.field().shape();
        let place = answered_cell(&answer.line()).and_then(|(row, column)| shape.cell(row, column));
        let Some(cell) = place.filter(|&cell| !self.reported[cell]) else {
            self.fault(turn, &format!("illegal: {}", answer.line()));
            return None;
        };
        let late = self.session.late_warnings(answer, &WallClock::start());
        let Some(decision) = &answer.decision else {
            self.fault(turn, "the search panicked");
            return Some(cell);
        };
        self.game.by_step[decision.by as usize] += 1;
        if self.game.is_false {
            return Some(cell);
        }
        if let Some(warning) = answer.warnings.iter().chain(&late).next() {
            self.fault(turn, &format!("a warning on a board that can be: {warning}"));
        }
        if decision.by == Step::Rough {
            self.fault(turn, "a contradiction on a board that can be");
        }
        if decision.by.is_proof() && referee.field().is_mine(cell) {
            self.fault(turn, &format!("proven safe by {}, and a mine", decision.by.name()));
        }
        let illegible = answer.board.iter().any(|(_, shown)| shown == CellState::Illegible);
        if illegible {
            self.fault(turn, "a cell that was read as illegible");
        }
        Some(cell)
    }

    /// Asks the built bot the same.
    fn probe(&mut self, turn: u64, answer: &Answer, was_late: bool) -> Result<()> {
        let Some(bot) = &self.limits.bot else { return Ok(()) };
        self.game.probed += 1;
        let before = self.game.faults.len();
        match probe::ask(bot, &self.input())? {
            Probe::Answered(probed) => {
                self.game.process_wall = self.game.process_wall.max(probed.wall);
                let cell = answered_cell(&probed.line);
                let cell = cell.and_then(|(row, col)| answer.board.shape().cell(row, col));
                let is_legal = cell.is_some_and(|cell| !self.reported[cell]);
                // What a clock cut short may differ; the process has one of its own.
                let was_late = was_late || probed.wall > Deadlines::DEFAULT.soft();
                let expected = if self.game.effort == Effort::Full {
                    answer.line()
                } else {
                    self.at_full_effort()
                };
                if !is_legal || !was_late && probed.line != expected {
                    self.fault(turn, &format!("the built bot answered {}", probed.line));
                }
                let ProbeAnswer { at_answer, after, .. } = probed;
                self.game.process_bytes = self.game.process_bytes.max(after.memory_bytes);
                if at_answer.cpu > self.limits.limit {
                    self.fault(turn, "the built bot is late");
                }
                let memory = megabytes(after.memory_bytes);
                if memory > self.limits.memory {
                    self.fault(turn, &format!("the built bot held {memory:.0} MB"));
                }
            }
            Probe::Failed(fault) => self.fault(turn, &format!("the built bot: {fault}")),
        }
        if self.game.faults.len() > before {
            self.limits.bot_faults.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// What the bot answers in process, with its own effort.
    fn at_full_effort(&self) -> String {
        respond(&self.input(), &NoClock).map_or_else(|_| String::new(), |answer| answer.line())
    }

    fn input(&self) -> String {
        format!("{{\"requests\":[{}],\"responses\":[]}}", self.requests.join(","))
    }

    fn fault(&mut self, turn: u64, what: &str) {
        let input = self.input();
        self.game.faults.push(Fault { seed: self.seed, turn, what: what.to_owned(), input });
    }
}
