//! The checks, in the order in which they run: what is cheap and tells most comes first.
//!
//! Invariant: the plan follows from `--full` alone, so that the name of a check repeats it.

use anyhow::Result;
use game::level::Level;
use game::setup::Setup;
use sapper::bot::session::Session;
use sapper::protocol;
use serde_json::Value;

use super::forms::{FORMS, NamedForm};
use super::history;
use crate::runner::bots::host::Form;
use crate::runner::samples::{RowCol, Sample, compiled_in, in_one_line};

/// The turns of a game whose inputs have another form.
const FORM_TURNS: usize = 6;

/// One check of the bot.
pub struct Check {
    /// `GROUP` or `GROUP/NAME`.
    pub name: String,
    /// What is special about it.
    pub about: String,
    pub task: Task,
    /// Whether Botzone sends such inputs.
    pub is_sent: bool,
}

/// What the bot is asked.
pub enum Task {
    /// The first turns of a game by the official rules, or a whole game.
    Game { setup: Setup, form: Option<Form>, max_turns: Option<usize> },
    /// Inputs for one process; more than one for a bot that keeps running.
    Inputs { lines: Vec<String>, safe: Option<Vec<RowCol>> },
}

impl Check {
    /// The group of checks that this one belongs to.
    pub fn group(&self) -> &str {
        self.name.split('/').next().unwrap_or(&self.name)
    }

    /// The share of the time that the check may take, compared with that of one question.
    /// Games on the smallest boards have the most, so that a slow bot ends one, too.
    pub fn weight(&self) -> u32 {
        match &self.task {
            Task::Game { max_turns: None, setup, .. } if setup.shape.len() <= 121 => 40,
            Task::Game { max_turns: None, .. } => 20,
            Task::Game { max_turns: Some(1), .. } | Task::Inputs { .. } => 1,
            Task::Game { .. } => 6,
        }
    }

    /// Whether it is a game that is played to its end.
    pub fn is_whole_game(&self) -> bool {
        matches!(self.task, Task::Game { max_turns: None, .. })
    }

    /// Whether a fault counts against the bot: only if Botzone may send what led to it. A bot that
    /// stores its state in `data` cannot continue a game that it has not played, and Botzone sends
    /// its `data` along.
    pub fn counts(&self, stores_data: bool) -> bool {
        let is_foreign = match &self.task {
            Task::Inputs { lines, .. } => requests(&lines[0]).len() > 1,
            Task::Game { .. } => false,
        };
        self.is_sent && !(stores_data && is_foreign)
    }
}

/// The checks of the first verdict, the first answer first; with `full` also those after it.
///
/// # Errors
/// Fails if a sample of the repository is not valid.
pub fn plan(is_full: bool) -> Result<Vec<Check>> {
    let mut checks = vec![
        turns("first-turn", "the first turn of a game on Botzone's default board", "30x20/80", 1),
        turns("turns", "the first turns of a game on the default board", "30x20/80", FORM_TURNS),
    ];
    checks.extend(FORMS.iter().map(form_check));
    checks.push(Check {
        task: Task::Game {
            setup: Setup { skip_first: true, ..setup("11x11/20", 5) },
            form: None,
            max_turns: Some(FORM_TURNS),
        },
        ..check("forms/skipfirst", "with `skipfirst` the first request reports cells already")
    });
    checks.extend(histories()?);
    for sample in compiled_in()? {
        checks.push(sample_check(sample));
    }
    for (level, seed, skip_first, about) in FIRST_GAMES {
        checks.push(game(level, seed, skip_first, about));
    }
    if is_full {
        checks.extend(more_games());
    }
    Ok(checks)
}

/// The games of the first verdict: level, seed, `skipfirst`, and what is special.
const FIRST_GAMES: [(&str, i32, bool, &str); 5] = [
    ("11x11/11", 1, false, "a whole game on the smallest board"),
    ("30x20/80", 1, false, "a whole game on Botzone's default board"),
    ("30x20/80", 2, true, "a whole game on the default board, with `skipfirst`"),
    ("11x11/80", 1, false, "a whole game on a dense board, where most cells are mines"),
    ("80x40/100", 1, false, "a whole game on the largest board"),
];

/// The boards of the games that `--full` adds, each with so many seeds.
const MORE_GAMES: [(&str, i32); 11] = [
    ("30x20/80", 20),
    ("11x11/11", 5),
    ("11x11/50", 5),
    ("11x11/100", 5),
    ("16x16/40", 5),
    ("30x16/99", 5),
    ("11x40/40", 3),
    ("80x11/60", 3),
    ("40x40/80", 3),
    ("80x40/11", 3),
    ("80x40/100", 3),
];

/// The number of games that `--full` adds, and the number of their sizes.
pub fn more() -> (usize, usize) {
    (more_games().count(), MORE_GAMES.len())
}

/// Every other game has `skipfirst`. The seeds are not those of [`FIRST_GAMES`].
fn more_games() -> impl Iterator<Item = Check> {
    MORE_GAMES.iter().flat_map(|&(level, count)| {
        (101..=100 + count).map(move |seed| game(level, seed, seed % 2 == 0, "a whole game"))
    })
}

fn check(name: &str, about: &str) -> Check {
    let task = Task::Inputs { lines: Vec::new(), safe: None };
    Check { name: name.to_owned(), about: about.to_owned(), task, is_sent: true }
}

fn setup(level: &str, seed: i32) -> Setup {
    let Level { shape, mines } = level.parse().expect("the levels of the plan are valid");
    Setup::new(shape, mines, seed)
}

fn turns(name: &str, about: &str, level: &str, max_turns: usize) -> Check {
    let (setup, max_turns) = (setup(level, 1), Some(max_turns));
    Check { task: Task::Game { setup, form: None, max_turns }, ..check(name, about) }
}

fn game(level: &str, seed: i32, skip_first: bool, about: &str) -> Check {
    let skipped = if skip_first { "-skipfirst" } else { "" };
    let name = format!("games/{}-seed{seed}{skipped}", level.replace('/', "-"));
    let setup = Setup { skip_first, ..setup(level, seed) };
    Check { task: Task::Game { setup, form: None, max_turns: None }, ..check(&name, about) }
}

fn form_check(named: &NamedForm) -> Check {
    let NamedForm { name, about, form } = *named;
    let (setup, max_turns) = (setup("11x11/20", 3), Some(FORM_TURNS));
    let task = Task::Game { setup, form: Some(form), max_turns };
    Check { task, ..check(&format!("forms/{name}"), about) }
}

/// Histories of the middle and the end of games that other bots have played.
fn histories() -> Result<Vec<Check>> {
    let mut checks = Vec::new();
    for (name, level, turns_before_the_end, about) in [
        ("hits", "11x11/80", 8, "a history in which many mines were opened: their val is 9"),
        ("middle", "30x20/80", 40, "the history of half a game on the default board"),
        ("late", "30x20/80", 0, "the last turn of a game on the default board"),
        ("longest", "80x40/100", 0, "the last turn on the largest board: a line of over 64 KiB"),
    ] {
        let record = history::play(&setup(level, 9))?;
        let input = history::input(&record, turns_before_the_end).map(|input| input.to_string());
        let task = Task::Inputs { lines: input.into_iter().collect(), safe: None };
        checks.push(Check { task, ..check(&format!("histories/{name}"), about) });
    }
    Ok(checks)
}

fn sample_check(sample: Sample) -> Check {
    let Sample { name, about, inputs, mut expected, is_proof, .. } = sample;
    let lines: Vec<String> = inputs.iter().map(|input| in_one_line(input)).collect();
    let safe = (is_proof && lines.len() == 1).then(|| expected.remove(0));
    let is_sent = lines.iter().all(|line| is_sent(line));
    let task = Task::Inputs { lines, safe };
    Check { task, is_sent, ..check(&format!("samples/{name}"), &about) }
}

/// The requests of an input.
pub fn requests(line: &str) -> Vec<Value> {
    let mut input: Value = serde_json::from_str(line).unwrap_or_default();
    match input.get_mut("requests").map(Value::take) {
        Some(Value::Array(requests)) => requests,
        _ => vec![input],
    }
}

/// Whether Botzone may send this input: its fields have at least 11 rows, 11 columns and 11 mines,
/// and no request contradicts another one.
fn is_sent(line: &str) -> bool {
    let requests = requests(line);
    let last = requests.last().unwrap_or(&Value::Null);
    let is_within =
        |key, max: u64| last[key].as_u64().is_some_and(|number| (11..=max).contains(&number));
    let mut session = Session::default();
    protocol::inputs(line.as_bytes()).filter_map(Result::ok).for_each(|input| session.push(input));
    is_within("width", 100)
        && is_within("height", 60)
        && is_within("minecount", 100)
        && session.board().is_ok_and(|(_, reasons)| reasons.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_check_has_a_name_of_its_own_and_an_input() {
        let first: Vec<String> = plan(false).unwrap().into_iter().map(|check| check.name).collect();
        let full = plan(true).unwrap();
        assert_eq!(
            full[..first.len()].iter().map(|check| &check.name).collect::<Vec<_>>(),
            first.iter().collect::<Vec<_>>()
        );
        assert_eq!(full.len(), first.len() + more().0);
        let names: BTreeSet<&str> = full.iter().map(|check| check.name.as_str()).collect();
        assert_eq!(names.len(), full.len());
        for Check { name, task, about, .. } in &full {
            assert!(!about.is_empty(), "{name}");
            if let Task::Inputs { lines, .. } = task {
                assert!(!lines.is_empty() && lines.iter().all(|line| !line.is_empty()), "{name}");
            }
        }
    }

    #[test]
    fn histories_are_what_botzone_sends_and_hold_what_they_promise() {
        for Check { name, task, .. } in histories().unwrap() {
            let Task::Inputs { lines, .. } = task else { panic!("{name}") };
            assert!(is_sent(&lines[0]), "{name}");
            match name.as_str() {
                "histories/hits" => assert!(lines[0].matches("\"val\":9").count() >= 10),
                "histories/longest" => assert!(lines[0].len() > 1 << 16),
                _ => {}
            }
        }
    }

    #[test]
    fn samples_that_botzone_cannot_send_are_not_needed() {
        let samples = compiled_in().unwrap().into_iter().map(sample_check);
        let needed: BTreeSet<String> =
            samples.filter(|check| check.is_sent).map(|check| check.name).collect();
        assert!(needed.contains("samples/first-turn") && needed.contains("samples/field-80x40"));
        assert!(!needed.contains("samples/no-layout"), "{needed:?}");
    }
}
