//! What games gain whose guesses are chosen by long playouts: the sums over games, and the gain by
//! phase of the game.
//!
//! Invariant: sums are integers, so that the parts of a measurement add up to the same sums in any
//! order, on any machine. A game has one drawn guess, so that the phases' sums, and those of the
//! squares, add up to those of the whole game.

use sapper::Objective;
use sapper::kit::object::read_from_object;
use serde::{Deserialize, Serialize};

use crate::report::Mean;
use crate::report::run::{UNITS, adjusted_units};
use crate::report::table::Format::{self, Decimals, Signed, SignedPercent};
use crate::report::table::{Column, table};
use crate::runner::judged_game::JudgedGame;

/// The phases: from which share of open safe cells, to which, and a name.
const PHASES: [(f64, f64, &str); 3] = [
    (0.0, 1.0 / 3.0, "first third open"),
    (1.0 / 3.0, 2.0 / 3.0, "second third"),
    (2.0 / 3.0, f64::INFINITY, "last third"),
];

/// The sums over games.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct CeilingSums {
    pub games: u64,
    /// The sums of each phase, over the games whose drawn guess is of it.
    phases: [PhaseSums; 3],
    cpu_ns: u64,
}
read_from_object!(both CeilingSums);

/// The sums of a phase. Guesses and gains are those of a game in hundred-thousandths.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
struct PhaseSums {
    drawn: u64,
    compared: u64,
    differing: u64,
    guesses: i64,
    gain: i64,
    gain_squared: u64,
    gain_as_chosen: i64,
}
read_from_object!(both PhaseSums);

impl PhaseSums {
    fn merge(&mut self, other: &PhaseSums) {
        self.drawn += other.drawn;
        self.compared += other.compared;
        self.differing += other.differing;
        self.guesses += other.guesses;
        self.gain += other.gain;
        self.gain_squared += other.gain_squared;
        self.gain_as_chosen += other.gain_as_chosen;
    }
}

impl CeilingSums {
    /// Adds a game, which took so much CPU time.
    pub fn add(&mut self, game: &JudgedGame, cpu_ns: u64) {
        self.games += 1;
        self.cpu_ns += cpu_ns;
        let Some(guess) = &game.drawn else { return };
        let is_of = |(from, to, _): &(f64, f64, &str)| (*from..*to).contains(&guess.open);
        let Some(phase) = PHASES.iter().position(is_of) else { return };
        let gain = adjusted_units(game.guesses * guess.gain);
        self.phases[phase].merge(&PhaseSums {
            drawn: 1,
            compared: u64::from(guess.candidates > 1),
            differing: u64::from(guess.chosen != guess.own),
            guesses: adjusted_units(game.guesses),
            gain,
            gain_squared: gain.unsigned_abs().pow(2),
            gain_as_chosen: adjusted_units(game.guesses * guess.gain_as_chosen),
        });
    }

    /// Adds another part.
    pub fn merge(&mut self, other: &CeilingSums) {
        self.games += other.games;
        self.cpu_ns += other.cpu_ns;
        self.phases.iter_mut().zip(&other.phases).for_each(|(sums, other)| sums.merge(other));
    }

    /// The sums without times, which differ from run to run.
    pub fn untimed(&self) -> CeilingSums {
        CeilingSums { cpu_ns: 0, ..self.clone() }
    }

    /// The CPU time of a game, in seconds.
    pub fn cpu_s(&self) -> Option<f64> {
        (self.games > 0).then(|| self.cpu_ns as f64 / 1e9 / self.games as f64)
    }

    /// The gains of the phases, and then that of the whole game.
    pub fn rows(&self, objective: Objective) -> Vec<PhaseRow> {
        let mut whole = PhaseSums::default();
        self.phases.iter().for_each(|phase| whole.merge(phase));
        let names = PHASES.iter().map(|(.., name)| *name).chain(["whole game"]);
        let sums = self.phases.iter().chain([&whole]);
        names
            .zip(sums)
            .map(|(name, sums)| PhaseRow::of(name, self.games, sums, objective))
            .collect()
    }
}

/// What the guesses of a phase gain; `--json` prints these fields.
#[derive(Serialize)]
pub struct PhaseRow {
    phase: &'static str,
    /// The guesses that were drawn.
    drawn: u64,
    /// Those of them with candidates to compare.
    compared: u64,
    /// Those of them for which the playouts choose another cell.
    differing: u64,
    /// The guesses of a game.
    guesses_a_game: f64,
    /// What a game gains, with its 95 % interval: mines, or the probability to win.
    pub gain: f64,
    pub interval: Option<(f64, f64)>,
    /// What a game seems to gain by the playouts that chose: too much.
    gain_as_chosen: f64,
    /// How gains are printed.
    #[serde(skip)]
    format: Format,
}

const COLUMNS: [Column<PhaseRow>; 8] = [
    ("phase", |row| row.phase.to_owned()),
    ("guesses a game", |row| Decimals(2).text(&row.guesses_a_game)),
    ("drawn", |row| Decimals(0).text(&row.drawn)),
    ("compared", |row| Decimals(0).text(&row.compared)),
    ("differ", |row| Decimals(0).text(&row.differing)),
    ("gain a game", PhaseRow::gain_text),
    ("95 %", PhaseRow::interval_text),
    ("as chosen", |row| row.format.text(&row.gain_as_chosen)),
];

/// The gains of phases as a table.
pub fn phases_table(rows: &[PhaseRow]) -> comfy_table::Table {
    table(&COLUMNS, rows)
}

/// The format of a gain: points of the chance to win, or mines.
pub fn gain_format(objective: Objective) -> Format {
    match objective {
        Objective::CleanWin => SignedPercent(3),
        Objective::FewestHits => Signed(4),
    }
}

impl PhaseRow {
    fn of(phase: &'static str, games: u64, sums: &PhaseSums, objective: Objective) -> PhaseRow {
        let &PhaseSums { drawn, compared, differing, guesses, gain, gain_squared, .. } = sums;
        let gains = Mean::of(games, gain as f64 / UNITS, gain_squared as f64 / (UNITS * UNITS));
        let a_game = |units: i64| units as f64 / UNITS / games.max(1) as f64;
        PhaseRow {
            phase,
            drawn,
            compared,
            differing,
            guesses_a_game: a_game(guesses),
            gain: gains.value(),
            interval: gains.interval(f64::NEG_INFINITY..=f64::INFINITY),
            gain_as_chosen: a_game(sums.gain_as_chosen),
            format: gain_format(objective),
        }
    }

    /// The gain as it is printed.
    pub fn gain_text(&self) -> String {
        self.format.text(&self.gain)
    }

    /// The interval of the gain as it is printed.
    pub fn interval_text(&self) -> String {
        self.format.text(&self.interval)
    }
}
