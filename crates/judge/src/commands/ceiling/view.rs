//! The report: the gains by phase of the game, and all together.

use game::rule::Rule;
use sapper::board::geometry::Place;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::games::{Header, JudgedGame, JudgedGuess};
use crate::report::Mean;
use crate::report::table::Format::{self, Decimals, Percent, Signed, SignedPercent};
use crate::report::table::{Column, table};

/// The phases: the first share of open safe cells, and a name.
const PHASES: [(f64, f64, &str); 3] = [
    (0.0, 1.0 / 3.0, "first third open"),
    (1.0 / 3.0, 2.0 / 3.0, "second third"),
    (2.0 / 3.0, f64::INFINITY, "last third"),
];

/// The gains; `--json` prints these fields.
#[derive(Serialize)]
pub struct Report<'a> {
    #[serde(flatten)]
    header: &'a Header,
    games: u64,
    /// What a gain is: `probability to win`, or `mines`.
    unit: &'static str,
    rows: Vec<PhaseRow>,
    /// The guesses that gain most, by the lower end of the interval.
    largest: Vec<GuessRow>,
}

/// The most guesses that are told one by one.
const LARGEST: usize = 5;

/// A guess.
#[derive(Serialize)]
struct GuessRow {
    /// The board's seed, or its index in the file.
    board: i64,
    #[serde(flatten)]
    guess: JudgedGuess,
    #[serde(skip)]
    format: Format,
}

const LARGEST_COLUMNS: [Column<GuessRow>; 6] = [
    ("board", |row| row.board.to_string()),
    ("open", |row| Percent(0).text(&row.guess.open) + " %"),
    ("engine", |row| place_text(row.guess.own)),
    ("playouts", |row| place_text(row.guess.chosen)),
    ("gain", |row| row.format.text(&row.guess.gain)),
    ("95 %", |row| row.format.text(&row.guess.interval())),
];

fn place_text(place: Option<(u32, u32)>) -> String {
    place.map_or(String::new(), |(row, column)| Place { row, column }.to_string())
}

/// The guesses of a phase.
#[derive(Serialize)]
struct PhaseRow {
    phase: &'static str,
    /// The guesses that were drawn.
    drawn: u64,
    /// Those of them with candidates to compare.
    compared: u64,
    /// Those of them for which the playouts choose another cell.
    differing: u64,
    /// The guesses of a game.
    guesses_a_game: f64,
    /// What a game gains, with its 95 % interval.
    gain: f64,
    interval: Option<(f64, f64)>,
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
    ("gain a game", |row| row.format.text(&row.gain)),
    ("95 %", |row| row.format.text(&row.interval)),
    ("as chosen", |row| row.format.text(&row.gain_as_chosen)),
];

impl<'a> Report<'a> {
    /// The report of these games.
    pub fn of(games: &[JudgedGame], rule: Rule, header: &'a Header) -> Report<'a> {
        let (unit, format) = match rule {
            Rule::Botzone => ("mines", Signed(4)),
            Rule::SafeFirst | Rule::OpenFirst => ("probability to win", SignedPercent(3)),
        };
        let row = |&(from, to, phase): &(f64, f64, &'static str)| {
            PhaseRow::of(games, phase, format, |open| (from..to).contains(&open))
        };
        let mut rows: Vec<PhaseRow> = PHASES.iter().map(row).collect();
        rows.push(PhaseRow::of(games, "whole game", format, |_| true));
        let judged = games.iter().filter_map(|game| Some((game.index, game.drawn.as_ref()?)));
        let with_low = judged.map(|(board, guess)| (guess.interval().0, board, guess));
        let mut sure: Vec<_> = with_low.filter(|(low, ..)| *low > 0.0).collect();
        sure.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
        sure.truncate(LARGEST);
        let row = |(_, board, guess): (f64, i64, &JudgedGuess)| GuessRow {
            board,
            guess: guess.clone(),
            format,
        };
        let largest = sure.into_iter().map(row).collect();
        Report { header, games: games.len() as u64, unit, rows, largest }
    }

    /// The gain of a game, in a few words.
    pub fn summary(&self) -> String {
        let text = |row: &PhaseRow| {
            let (gain, interval) = (row.format.text(&row.gain), row.format.text(&row.interval));
            format!("gain {gain} ({interval}) {} a game", self.unit_text())
        };
        self.rows.last().map(text).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        let games = pluralize(self.games, "game", "games");
        let Header { setting, policy, playouts, .. } = self.header;
        let mut text = format!(
            "{games}, {} by {} effort; {playouts} playouts by {policy} effort; gains in {}\n\n\
             {}\n",
            setting.objective,
            setting.effort,
            self.unit_text(),
            table(&COLUMNS, &self.rows)
        );
        if !self.largest.is_empty() {
            let largest = table(&LARGEST_COLUMNS, &self.largest);
            text += &format!(
                "\nThe guesses that gain most, by the lower end of the interval\n\n{largest}\n"
            );
        }
        text
    }

    /// The unit of the printed gains.
    fn unit_text(&self) -> &'static str {
        if self.unit == "mines" { "mines" } else { "points of the chance to win" }
    }
}

impl PhaseRow {
    /// The guesses with such a share of the safe cells open.
    fn of(
        games: &[JudgedGame],
        phase: &'static str,
        format: Format,
        is_in: impl Fn(f64) -> bool,
    ) -> PhaseRow {
        let (mut gains, mut guesses) = (Mean::default(), Mean::default());
        let (mut drawn, mut compared, mut differing, mut as_chosen) = (0, 0, 0, 0.0);
        for game in games {
            let guess = game.drawn.as_ref().filter(|guess| is_in(guess.open));
            let Some(guess) = guess else {
                gains.add(0.0);
                guesses.add(0.0);
                continue;
            };
            let weight = game.guesses;
            gains.add(weight * guess.gain);
            guesses.add(weight);
            drawn += 1;
            compared += u64::from(guess.candidates > 1);
            differing += u64::from(guess.chosen != guess.own);
            as_chosen += weight * guess.gain_as_chosen;
        }
        PhaseRow {
            phase,
            drawn,
            compared,
            differing,
            guesses_a_game: guesses.value(),
            gain: gains.value(),
            interval: gains.interval(f64::NEG_INFINITY..=f64::INFINITY),
            gain_as_chosen: as_chosen / (games.len().max(1) as f64),
            format,
        }
    }
}
