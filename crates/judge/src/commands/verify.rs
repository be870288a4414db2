//! `judge verify`: judges recorded games again and compares every output with the record.
//!
//! The game is set up from the recorded init data, the recorded answers are played, and each output
//! of the referee is compared with the recorded one, value by value. Verdicts, times and memory are
//! measured by the platform and not compared. Numbers are compared to 14 digits.
//!
//! A game that was lost and survived (`survived` of the record) is judged on the layout of its end,
//! and reported as lost.

use std::path::{Path, PathBuf};

use analysis::review::outcome::GameOutcome;
use analysis::review::recorded_game::RecordedGame;
use analysis::review::reviewed_game::ReviewedGame;
use anyhow::{Context, Result, bail};
use game::botzone::{BotzoneJudge, logged_answer};
use game::record::Record;
use sapper::kit::text::pluralize;
use serde::Serialize;
use serde_json::{Number, Value};

use crate::cli::{
    GAME_ENDINGS, GameText, GameTexts, MatchOption, Outcome, named_files, outln, print_report,
    stated_setup,
};
use crate::report::recorded_games::is_same_number;
use crate::runner::files::file_name;
use crate::runner::messages::errln;

/// Judge recorded games again and report where the record differs.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge verify samples/games
  judge verify game.json other.json
  judge verify \"games/default-*.json\" --json

Exit code: 0 all games are judged as recorded, 1 at least one is not, 2 a file cannot be judged
(even if another game differs).")]
pub struct Arguments {
    /// Recorded games or packs of them: files, folders, or patterns; - for standard input
    #[arg(required = true, value_name = "GAME.json")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    game: MatchOption,
    /// Print one JSON object, with every difference, instead of lines.
    #[arg(long)]
    json: bool,
}

/// The most differences printed for one game; the others are counted.
const MAX_PRINTED: usize = 5;

/// All games: `--json` prints the fields.
#[derive(Serialize)]
struct Report<'a> {
    games: Vec<JudgedGame<'a>>,
    answers: usize,
    /// The games that are as recorded, and the others.
    right: usize,
    wrong: usize,
    unreadable: Vec<UnreadableFile>,
}

/// A file that cannot be judged.
#[derive(Serialize)]
struct UnreadableFile {
    file: String,
    why: String,
}

impl Report<'_> {
    /// The last line of the text.
    fn summary(&self) -> String {
        let Report { games, answers, right, wrong, .. } = self;
        let games = pluralize(games.len(), "game", "games");
        let answers = pluralize(*answers, "answer", "answers");
        format!("{games}, {answers}: {right} as recorded, {wrong} not")
    }
}

/// A game that was judged again.
#[derive(Serialize)]
struct JudgedGame<'a> {
    game: &'a Path,
    /// The number of the match, where the file has several.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip)]
    name: String,
    answers: usize,
    /// The recorded score, if it is a number. Where a hit ends the game, what the game counts: 100
    /// or 0.
    score: Option<Number>,
    /// The turn of the hit that lost the game, where a hit ends it.
    lost_in: Option<usize>,
    /// The same in words.
    #[serde(skip)]
    lost: Option<String>,
    /// What the game counts in the adjusted results, where hits are survived.
    adjusted_won: Option<f64>,
    as_recorded: bool,
    differences: Vec<Difference>,
    /// What follows the last item of a game without its end.
    missing: Option<&'static str>,
}

/// A value of the record that differs from the referee's.
#[derive(Serialize)]
struct Difference {
    /// Where the value is, such as `turn 1: log[2].output.command`.
    path: String,
    expected: String,
    recorded: String,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let (mut games, mut unreadable) = (Vec::new(), Vec::new());
    let files = named_files(&arguments.games, &GAME_ENDINGS)?;
    let mut leave_out = |path: &Path, why: String| {
        errln!("{why}");
        unreadable.push(UnreadableFile { file: file_name(path), why });
    };
    for path in &files {
        let GameTexts { games: texts, left_out } = match arguments.game.read_all(path) {
            Ok(texts) => texts,
            Err(error) => {
                leave_out(path, format!("{error:#}"));
                continue;
            }
        };
        left_out.into_iter().for_each(|why| leave_out(path, why));
        for text in texts {
            match judge_again(path, &text) {
                Ok(game) => {
                    if !arguments.json {
                        print(&game);
                    }
                    games.push(game);
                }
                Err(error) => leave_out(path, format!("{error:#}")),
            }
        }
    }
    let right = games.iter().filter(|game| game.as_recorded).count();
    let report = Report {
        answers: games.iter().map(|game| game.answers).sum(),
        right,
        wrong: games.len() - right,
        games,
        unreadable,
    };
    print_report(arguments.json, || &report, || report.summary());
    let unreadable = report.unreadable.len();
    if unreadable > 0 {
        let files = pluralize(unreadable, "file cannot be judged", "files cannot be judged");
        bail!("{files}; see above");
    }
    Ok(Outcome::from(report.wrong == 0))
}

/// Prints one game as lines.
fn print(game: &JudgedGame) {
    let JudgedGame { name, answers, score, lost, adjusted_won, differences, missing, .. } = game;
    let mut answers = pluralize(*answers, "answer", "answers");
    if let Some(lost) = lost {
        answers += &format!(", {lost}");
    }
    match missing {
        _ if !differences.is_empty() => {
            outln!("WRONG {name}: {}", pluralize(differences.len(), "difference", "differences"));
        }
        Some(missing) => outln!("OPEN  {name}: {answers}, as recorded, and then {missing}"),
        None => {
            let score = score.as_ref().map_or("-".to_owned(), Number::to_string);
            let adjusted = adjusted_won.map(|won| format!("; adjusted, {won:.4} games won"));
            outln!("ok    {name}: {answers}, score {score}{}", adjusted.unwrap_or_default());
        }
    }
    for Difference { path, expected, recorded } in differences.iter().take(MAX_PRINTED) {
        outln!("      {path}: expected {expected}, the record says {recorded}");
    }
    if differences.len() > MAX_PRINTED {
        outln!("      ... and {} more", differences.len() - MAX_PRINTED);
    }
}

/// Reads a game and judges it again.
fn judge_again<'p>(path: &'p Path, game: &GameText) -> Result<JudgedGame<'p>> {
    let (number, name, record) = (game.number, game.name.clone(), game.record()?);
    let (differences, missing) = judge(&record).with_context(|| name.clone())?;
    // A bare log has its score in the last output alone.
    let last = record.log.last().map(|item| &item["output"]);
    let last = last.filter(|output| output["command"] == "finish");
    let score = record.score.as_ref().or(last.map(|output| &output["content"]["0"]));
    let recorded_score = score.and_then(Value::as_number).cloned();
    let answers = record.answers();
    // A log whose turns cannot be read differs from the one that is expected.
    let game = RecordedGame::new(record).ok();
    let classic =
        game.as_ref().map(RecordedGame::outcome).filter(|outcome| outcome.rule.is_classic());
    Ok(JudgedGame {
        game: path,
        number,
        name,
        answers,
        score: classic.map_or(recorded_score, |outcome| outcome.score.and_then(Number::from_f64)),
        lost: classic.and_then(GameOutcome::lost_text),
        lost_in: classic.and_then(|outcome| outcome.lost_in),
        adjusted_won: game.as_ref().and_then(RecordedGame::adjusted_won),
        as_recorded: differences.is_empty() && missing.is_none(),
        differences,
        missing,
    })
}

/// Judges a game again: all differences, in the order of the log, and what is missing at its end.
fn judge(record: &Record) -> Result<(Vec<Difference>, Option<&'static str>)> {
    let setup = stated_setup(record)?;
    let mut judge = BotzoneJudge::new(&setup)?;
    let mut differences = Differences(Vec::new());
    if let Some(turns) = record.survived.as_ref().filter(|_| !setup.start.rule().is_classic()) {
        let why = "nothing where no hit ends the game";
        differences.add("survived".to_owned(), why, serde_json::to_string(turns)?);
    }
    let path = |index: usize| format!("turn {}: log[{index}]", index / 2);
    let mut expected = judge.first_output().clone();
    let mut index = 0;
    let mut missing: Option<&'static str> = None;
    loop {
        let Some(item) = record.log.get(index) else {
            missing = Some("the judge's output after the last answer is missing");
            break;
        };
        let output = format!("{}.output", path(index));
        differences.compare(&output, Some(&expected), Some(&item["output"]));
        let Some(answer) = record.log.get(index + 1) else {
            if expected["command"] != "finish" && !judge.is_won_beforehand() {
                missing = Some("the end of the game is missing");
            }
            break;
        };
        if expected["command"] == "finish" {
            differences.add(path(index + 1), "the game to be over", "another answer".to_owned());
            break;
        }
        expected = judge.answer(logged_answer(answer)).output;
        index += 2;
    }
    let envelope = [
        ("score", &record.score, &expected["content"]["0"]),
        ("msg", &record.msg, &expected["display"]["msg"]),
        ("turns", &record.turns, &Value::from(index / 2)),
    ];
    let survived = record.survived.iter().flatten().filter(|_| missing.is_none());
    for (index, turn) in survived.enumerate().filter(|(_, turn)| **turn >= record.answers()) {
        differences.add(format!("survived[{index}]"), "a turn of the log", turn.to_string());
    }
    // A bare log has no envelope, and a game without its end, or without a turn, has no score.
    let has_end = missing.is_none() && expected["command"] == "finish";
    for (key, recorded, expected) in envelope {
        if record.initdata_given.is_some() && has_end {
            differences.compare(key, Some(expected), recorded.as_ref());
        }
    }
    Ok((differences.0, missing))
}

/// The differences found so far.
struct Differences(Vec<Difference>);

impl Differences {
    fn add(&mut self, path: String, expected: &str, recorded: String) {
        self.0.push(Difference { path, expected: expected.to_owned(), recorded });
    }

    /// Compares two values recursively; an absent key differs from null.
    fn compare(&mut self, path: &str, expected: Option<&Value>, recorded: Option<&Value>) {
        match (expected, recorded) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                for key in a.keys() {
                    self.compare(&format!("{path}.{key}"), a.get(key), b.get(key));
                }
                for key in b.keys().filter(|key| !a.contains_key(*key)) {
                    self.compare(&format!("{path}.{key}"), None, b.get(key));
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                for index in 0..a.len().max(b.len()) {
                    self.compare(&format!("{path}[{index}]"), a.get(index), b.get(index));
                }
            }
            (a, b) if is_equal(a, b) => {}
            (a, b) => self.add(path.to_owned(), &value_text(a), value_text(b)),
        }
    }
}

/// Whether two values are equal; numbers are compared to 14 digits.
fn is_equal(a: Option<&Value>, b: Option<&Value>) -> bool {
    if let (Some(a), Some(b)) = (a.and_then(Value::as_f64), b.and_then(Value::as_f64)) {
        return is_same_number(a, b);
    }
    a == b
}

/// A value as text, cut off where it is long.
fn value_text(value: Option<&Value>) -> String {
    const MAX_CHARS: usize = 60;
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paths(a: &Value, b: &Value) -> Vec<String> {
        let mut differences = Differences(Vec::new());
        differences.compare("x", Some(a), Some(b));
        differences.0.into_iter().map(|difference| difference.path).collect()
    }

    #[test]
    fn differences_are_named_by_their_path() {
        let a = json!({"a": [1, {"b": null}], "c": "x", "d": 97.5});
        assert!(paths(&a, &a).is_empty());
        let b = json!({"a": [1, {}, 3], "c": "y", "d": 97.5, "e": null});
        assert_eq!(paths(&a, &b), ["x.a[1].b", "x.a[2]", "x.c", "x.e"]);
        assert_eq!(paths(&a, &json!([])), ["x"]);
    }

    #[test]
    fn numbers_are_equal_to_fourteen_digits() {
        assert!(paths(&json!(100.0), &json!(100)).is_empty());
        assert!(paths(&json!(83.838_383_838_383_83), &json!(83.0 * 100.0 / 99.0)).is_empty());
        assert_eq!(paths(&json!(83.838_383_838_38), &json!(83.0 * 100.0 / 99.0)), ["x"]);
        assert_eq!(paths(&json!(1), &json!(2)), ["x"]);
        assert_eq!(paths(&json!(1), &json!("1")), ["x"]);
    }
}
