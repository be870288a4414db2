//! The report: the gains by phase of the game, and all together.

use sapper::Objective;
use sapper::board::geometry::Place;
use sapper::kit::text::pluralize;
use serde::Serialize;

use super::header::Header;
use crate::report::ceiling::{CeilingSums, PhaseRow, gain_format, phases_table};
use crate::report::table::Format::{self, Percent};
use crate::report::table::{Column, table};
use crate::runner::judged_game::{JudgedGame, JudgedGuess};

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

impl<'a> Report<'a> {
    /// The report of these games.
    pub fn of(games: &[JudgedGame], objective: Objective, header: &'a Header) -> Report<'a> {
        let unit = match objective {
            Objective::CleanWin => "probability to win",
            Objective::FewestHits => "mines",
        };
        let format = gain_format(objective);
        let mut sums = CeilingSums::default();
        games.iter().for_each(|game| sums.add(game, 0));
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
        Report { header, games: sums.games, unit, rows: sums.rows(objective), largest }
    }

    /// The gain of a game, in a few words.
    pub fn summary(&self) -> String {
        let text = |row: &PhaseRow| {
            let (gain, interval) = (row.gain_text(), row.interval_text());
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
            phases_table(&self.rows)
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
