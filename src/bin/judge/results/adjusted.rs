//! Adjusted results in reports: how many boards they save, and whether hits and odds fit together.

use sapper::base::text::pluralize;
use sapper::referee::adjusted::luck::Luck;
use serde_json::{Value, json};

use super::statistics::{Mean, wilson};
use super::table::{Column, Format::Decimals, table};

/// The columns of the table of the two results, a line each.
const COLUMNS: [Column; 3] = [
    ("", "/name", Decimals(0)),
    ("a game", "/mean", Decimals(4)),
    ("95 %", "/interval", Decimals(4)),
];

/// A result of games and the same without the luck of the guesses.
pub struct AdjustedReport {
    /// What is measured.
    name: &'static str,
    plain: Mean,
    plain_interval: Option<(f64, f64)>,
    adjusted: Mean,
    adjusted_interval: Option<(f64, f64)>,
    luck: Luck,
}

impl AdjustedReport {
    /// The report on the mines opened.
    pub fn of_mines(plain: Mean, adjusted: Mean, luck: Luck) -> AdjustedReport {
        let [plain_interval, adjusted_interval] =
            [plain, adjusted].map(|mean| mean.interval(0.0..=f64::INFINITY));
        AdjustedReport { name: "mines", plain, plain_interval, adjusted, adjusted_interval, luck }
    }

    /// The report on the games won: `wins` of them, and the probabilities to win.
    pub fn of_wins(wins: u64, adjusted: Mean, luck: Luck) -> AdjustedReport {
        let games = adjusted.count();
        let plain = Mean::of(games, wins as f64, wins as f64);
        let plain_interval = Some(wilson(wins, games));
        let adjusted_interval = adjusted.interval(0.0..=1.0);
        AdjustedReport { name: "wins", plain, plain_interval, adjusted, adjusted_interval, luck }
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let AdjustedReport { name, plain, adjusted, .. } = self;
        let result = |name, mean: &Mean, interval| {
            let mean = mean.value();
            json!({"name": name, "mean": mean, "interval": interval})
        };
        json!({
            "results": [
                result(name.to_string(), plain, self.plain_interval),
                result(format!("{name}, adjusted"), adjusted, self.adjusted_interval),
            ],
            "fewer_boards": fewer_boards(plain, adjusted),
            "luck": luck_json(&self.luck),
        })
    }

    /// The report as a table and a few sentences.
    pub fn text(&self) -> String {
        let AdjustedReport { name, plain, adjusted, luck, .. } = self;
        let table = table(&COLUMNS, self.json()["results"].as_array().into_iter().flatten());
        let factor = fewer_boards_text(name, plain, adjusted).map(|text| text + "\n");
        format!("{table}\n\n{}{}", factor.unwrap_or_default(), fit_text(luck))
    }
}

/// The factor by which the adjusted values need fewer boards for an interval of the same width;
/// `None` if one of the two does not vary.
pub fn fewer_boards(plain: &Mean, adjusted: &Mean) -> Option<f64> {
    let factor = plain.variance() / adjusted.variance();
    (factor.is_finite() && factor > 0.0).then_some(factor)
}

/// The factor as a sentence; `None` if there is none.
pub fn fewer_boards_text(name: &str, plain: &Mean, adjusted: &Mean) -> Option<String> {
    let factor = fewer_boards(plain, adjusted)?;
    Some(match factor {
        1.0.. => format!("Adjusted, {name} need {factor:.1} times fewer boards."),
        _ => format!("Adjusted, {name} need {:.1} times more boards.", factor.recip()),
    })
}

/// Whether the hits fit the odds, in a sentence or two.
pub fn fit_text(luck: &Luck) -> String {
    let Luck { guesses, hits, expected, inexact, .. } = luck;
    let (guesses, hits) =
        (pluralize(*guesses, "guess", "guesses"), pluralize(*hits, "hit", "hits"));
    let mut text = format!("{guesses} with exact odds: {hits}, {expected:.1} expected");
    match luck.z() {
        Some(z) if luck.is_refuted() => {
            text += &format!(
                " (z {z:+.1}).\nHITS AND ODDS DO NOT FIT TOGETHER: the bot knows more than the \
                 numbers, or not all layouts were equally likely; the adjusted result does not hold"
            );
        }
        Some(z) => text += &format!(" (z {z:+.1}: they fit)"),
        None => text += " (too few guesses to see whether they fit)",
    }
    if *inexact > 0 {
        let clicks = pluralize(*inexact, "click", "clicks");
        text += &format!("; {clicks} without exact odds counted as they fell");
    }
    text + "."
}

/// The guesses as JSON.
pub fn luck_json(luck: &Luck) -> Value {
    json!({
        "guesses": luck.guesses,
        "hits": luck.hits,
        "expected_hits": luck.expected,
        "z": luck.z(),
        "fits": luck.z().map(|_| !luck.is_refuted()),
        "without_exact_odds": luck.inexact,
    })
}
