//! `judge samples`: runs a bot over sample inputs and compares its answers with the acceptable
//! ones.
//!
//! A sample NAME consists of two files. The input is `NAME.json`, one complete input as the
//! platform sends it to a bot that is started for every turn, or `NAME.keep.jsonl`, one JSON value
//! per line as a bot that is kept running reads them. `NAME.expected.json` lists the acceptable
//! answers:
//!
//! ```text
//! {"about": "safe by one number", "answer": [[3, 4], [3, 5]]}           of NAME.json
//! {"about": "kept running", "answers": [[[0, 0]], [[3, 4], [3, 5]]]}    of NAME.keep.jsonl
//! ```
//!
//! An answer is `[row, column]`; `answers` holds one list per line of the input.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets};
use game::botzone::answered_cell;
use sapper::kit::text::pluralize;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::{LimitOptions, Outcome, outln};
use crate::runner::bots::{Bot, BotCommand, Fault};
use crate::runner::files::read_text;
use crate::runner::limits::Limits;
use crate::runner::messages::escaped;

/// Run a bot over sample inputs and compare its answers with the acceptable ones.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge samples                     # samples/requests, with sapper
  judge samples samples/requests --bot 'python3 mybot.py'
  judge samples --json

Files of a sample NAME:
  NAME.json            the input, for a bot that is started every turn
  NAME.keep.jsonl      or this: one JSON value per line, for a bot that is
                       kept running
  NAME.expected.json   {\"about\": TEXT, \"answer\": [[ROW, COL], ...]} lists
                       the acceptable answers to NAME.json; for
                       NAME.keep.jsonl \"answers\" holds one such list
                       per line

Each answer has the limits of the first turn of a game.

Exit code: 0 every answer is acceptable, 1 at least one is not, 2 a sample cannot be read.")]
pub struct Arguments {
    /// The directory of the samples [default: samples/requests].
    directory: Option<PathBuf>,
    /// The bot's command line [default: sapper].
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The command line for NAME.keep.jsonl [default: the bot's with --keep-running].
    #[arg(long, value_name = "CMD")]
    keep_bot: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// The row and the column of an answer, which may be outside the field.
type RowCol = (i32, i32);

/// One sample as it is on file.
struct Sample {
    name: String,
    about: String,
    /// The text sent to the bot in each turn.
    inputs: Vec<String>,
    /// The acceptable answers of each turn.
    expected: Vec<Vec<RowCol>>,
    /// Whether the bot must ask to be kept running.
    keep: bool,
}

/// `NAME.expected.json`.
#[derive(Deserialize)]
struct Expected {
    about: String,
    answer: Option<Vec<RowCol>>,
    answers: Option<Vec<Vec<RowCol>>>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = BotCommand::new(arguments.bot.as_deref())?;
    let keep_bot = match &arguments.keep_bot {
        Some(line) => BotCommand::of_option("--keep-bot", Some(line))?,
        None => bot.clone().with_argument("--keep-running"),
    };
    let samples = read_all(&directory(arguments)?)?;
    let (mut answers, mut stderr) = (Vec::new(), Vec::new());
    for sample in &samples {
        let command = if sample.keep { &keep_bot } else { &bot };
        let limits = arguments.limits.of_one(&command.words()[0])?;
        ask(sample, command, limits, &mut answers, &mut stderr)?;
    }
    let count = |is: fn(&Answer) -> bool| answers.iter().filter(|answer| is(answer)).count();
    let (wrong, not_asked) =
        (count(|answer| !answer.ok && answer.is_asked()), count(|answer| !answer.is_asked()));
    let samples = samples.len();
    if arguments.json {
        let report = json!({
            "answers": answers,
            "samples": samples,
            "wrong": wrong,
            "not_asked": not_asked,
            "stderr": stderr,
        });
        outln!("{report}");
    } else {
        outln!("{}", table(&answers));
        for Answer { sample, fault, .. } in &answers {
            let detailed = fault.iter().filter(|fault| fault_name(fault) != **fault);
            detailed.for_each(|fault| outln!("{sample}: {fault}"));
        }
        stderr.iter().for_each(|line| outln!("{line}"));
        let wrong_answers = pluralize(wrong, "wrong answer", "wrong answers");
        let unasked = match not_asked {
            0 => String::new(),
            _ => format!(", {} not asked", pluralize(not_asked, "turn", "turns")),
        };
        outln!("{}, {wrong_answers}{unasked}", pluralize(samples, "sample", "samples"));
    }
    Ok(Outcome::from(wrong == 0))
}

/// The directory of the samples: the given one, else the repository's, searched for in the working
/// directory and above the judge's binary.
fn directory(arguments: &Arguments) -> Result<PathBuf> {
    const DEFAULT: &str = "samples/requests";
    if let Some(directory) = &arguments.directory {
        return Ok(directory.clone());
    }
    let judge = std::env::current_exe().unwrap_or_default();
    let roots = std::iter::once(Path::new("")).chain(judge.ancestors().skip(1));
    match roots.map(|root| root.join(DEFAULT)).find(|directory| directory.is_dir()) {
        Some(directory) => Ok(directory),
        None => bail!("there is no directory {DEFAULT} here; name one: judge samples DIR"),
    }
}

fn read_all(directory: &Path) -> Result<Vec<Sample>> {
    let entries = fs::read_dir(directory).with_context(|| {
        format!("cannot read {}; name a directory of samples", directory.display())
    })?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()
        .with_context(|| format!("cannot list {}", directory.display()))?;
    paths.sort();
    let mut samples = Vec::new();
    for path in &paths {
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else { continue };
        if let Some(name) = file.strip_suffix(".expected.json") {
            let inputs = [".json", ".keep.jsonl"].map(|end| directory.join(format!("{name}{end}")));
            if !inputs.iter().any(|input| input.is_file()) {
                bail!("{} has no input; add {name}.json or {name}.keep.jsonl", path.display());
            }
        } else if let Some(name) = file.strip_suffix(".keep.jsonl") {
            samples.push(read(directory, name, path, true)?);
        } else if let Some(name) = file.strip_suffix(".json") {
            samples.push(read(directory, name, path, false)?);
        }
    }
    if samples.is_empty() {
        bail!("{} holds no samples (NAME.json with NAME.expected.json)", directory.display());
    }
    Ok(samples)
}

fn read(directory: &Path, name: &str, input: &Path, keep: bool) -> Result<Sample> {
    let input = read_text(input)?;
    let path = directory.join(format!("{name}.expected.json"));
    ensure!(path.is_file(), "{} is missing: it lists the answers to {name}", path.display());
    let expected: Expected = serde_json::from_str(&read_text(&path)?).with_context(|| {
        format!("{} does not list answers; see `judge samples --help`", path.display())
    })?;
    let inputs: Vec<String> = if keep {
        input.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    } else {
        vec![input]
    };
    let (lists, form) = if keep {
        (expected.answers, "`answers`, a list of [row, col] for each line")
    } else {
        (expected.answer.map(|answer| vec![answer]), "`answer`, a list of [row, col]")
    };
    let lists = lists.with_context(|| format!("{} needs {form}", path.display()))?;
    if lists.len() != inputs.len() {
        let lists = pluralize(lists.len(), "list of answers", "lists of answers");
        let inputs = pluralize(inputs.len(), "input", "inputs");
        bail!("{}: {lists} for {inputs}; give one list for each input", path.display());
    }
    Ok(Sample { name: name.to_owned(), about: expected.about, inputs, expected: lists, keep })
}

/// The answer of a bot to one turn of a sample.
#[derive(Serialize)]
struct Answer<'a> {
    sample: &'a str,
    /// The number of the turn, from 1.
    turn: usize,
    about: &'a str,
    expected: &'a [RowCol],
    answered: Option<RowCol>,
    /// Why there is no answer.
    fault: Option<String>,
    ok: bool,
}

/// The fault of the turns after that of a fault.
const NOT_ASKED: &str = "not asked";

impl Answer<'_> {
    fn is_asked(&self) -> bool {
        self.fault.as_deref() != Some(NOT_ASKED)
    }
}

/// Asks a bot all turns of a sample up to the first fault. Adds the answers, and after a fault the
/// lines of the bot's standard error.
fn ask<'a>(
    sample: &'a Sample,
    command: &BotCommand,
    limits: Limits,
    answers: &mut Vec<Answer<'a>>,
    stderr: &mut Vec<String>,
) -> Result<()> {
    let Sample { name, about, inputs, expected, keep } = sample;
    let mut bot = Some(command.start()?);
    for ((input, expected), turn) in inputs.iter().zip(expected).zip(1..) {
        let answer = match &mut bot {
            Some(bot) => answer(bot, input, *keep, limits),
            None => Err(NOT_ASKED.to_owned()),
        };
        if answer.is_err()
            && let Some(bot) = bot.take()
        {
            let lines = bot.stderr();
            stderr.extend(lines.lines().map(|line| format!("{name}: stderr: {}", escaped(line))));
        }
        let (answered, fault) = (answer.as_ref().ok().copied(), answer.err());
        let ok = answered.is_some_and(|answered| expected.contains(&answered));
        answers.push(Answer { sample: name, turn, about, expected, answered, fault, ok });
    }
    if let Some(bot) = bot {
        bot.close();
    }
    Ok(())
}

fn answer(bot: &mut Bot, input: &str, keep: bool, limits: Limits) -> Result<RowCol, String> {
    let line = format!("{}\n", input.trim_end());
    let printed = bot.ask(&line, &limits.turn(0, Instant::now()));
    let printed = printed.map_err(|fault| fault.to_string())?;
    let value: Value = serde_json::from_str(&printed.text)
        .map_err(|error| Fault::not_json(&printed.text, &error).to_string())?;
    let answer = answered_cell(&value["response"]).map_err(|invalid| invalid.to_string())?;
    if keep && !printed.keeps_running {
        return Err(
            "no keep-running marker; --keep-bot names the bot that is kept running".to_owned()
        );
    }
    Ok(answer)
}

fn table(answers: &[Answer]) -> Table {
    const MAX_WIDTH: u16 = 100;
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(table.width().map_or(MAX_WIDTH, |terminal| terminal.min(MAX_WIDTH)));
    table.set_header(["sample", "about", "expected", "answered", "ok"]);
    for answer in answers {
        let Answer { sample, turn, about, expected, answered, fault, ok } = answer;
        let mark = if answer.is_asked() { "WRONG" } else { "-" };
        let answered = answered.map(|answered| answers_text(&[answered]));
        table.add_row([
            if *turn == 1 { (*sample).to_owned() } else { format!("{sample} {turn}") },
            if *turn == 1 { (*about).to_owned() } else { String::new() },
            answers_text(expected),
            answered.unwrap_or_else(|| fault_name(fault.as_deref().unwrap_or(""))),
            if *ok { "ok".to_owned() } else { mark.to_owned() },
        ]);
    }
    // Names are not broken at their hyphens.
    if let Some(column) = table.column_mut(0) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}

/// The name of a fault, without the details.
fn fault_name(fault: &str) -> String {
    fault.split(" (").next().unwrap_or(fault).to_owned()
}

/// Answers as `row,column`; of a long list the first two.
fn answers_text(answers: &[RowCol]) -> String {
    const MAX_LISTED: usize = 2;
    let mut words: Vec<String> =
        answers.iter().take(MAX_LISTED).map(|(row, col)| format!("{row},{col}")).collect();
    if answers.len() > MAX_LISTED {
        words.push(format!("... ({})", answers.len()));
    }
    words.join("  ")
}
