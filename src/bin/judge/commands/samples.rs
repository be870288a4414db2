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
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use comfy_table::{ContentArrangement, Table, presets};
use sapper::base::text::pluralize;
use sapper::referee::botzone::answered_cell;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bots::command::BotCommand;
use crate::bots::host;
use crate::bots::process::{Bot, Fault};
use crate::cli::limits::{Clock, Limits};
use crate::cli::output::{escaped, outln};
use crate::cli::parse::parse_seconds;
use crate::cli::{Outcome, output};

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

Exit code: 0 every answer is acceptable, 1 at least one is not, 2 a sample cannot be read.")]
pub struct Arguments {
    /// The directory of the samples [default: samples/requests].
    directory: Option<PathBuf>,
    /// The bot's command line [default: the sapper in the judge's directory].
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The command line for NAME.keep.jsonl [default: the bot's with --keep-running].
    #[arg(long, value_name = "CMD")]
    keep_bot: Option<String>,
    /// The time limit of an answer.
    #[arg(long, value_name = "SECONDS", default_value = "2.0", value_parser = parse_seconds)]
    time_limit: Duration,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn limits(&self) -> Limits {
        Limits { time_limit: self.time_limit, clock: Clock::Wall, memory_limit_mib: 256 }
    }
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
        Some(line) => BotCommand::new(Some(line))?,
        None => bot.clone().with_argument("--keep-running"),
    };
    let samples = read_all(&directory(arguments)?)?;
    let mut turns: Vec<Turn> = Vec::new();
    let mut stderr: Vec<String> = Vec::new();
    for sample in &samples {
        let command = if sample.keep { &keep_bot } else { &bot };
        let replies = ask(sample, command, arguments.limits())?;
        let name = &sample.name;
        let lines = replies.stderr.lines();
        stderr.extend(lines.map(|line| format!("{name}: stderr: {}", escaped(line))));
        turns.extend(turns_of(sample, replies.answers));
    }
    let wrong = turns.iter().filter(|turn| !turn.is_acceptable()).count();
    if arguments.json {
        let answers: Vec<Value> = turns.iter().map(Turn::json).collect();
        let samples = samples.len();
        let report =
            json!({"answers": answers, "samples": samples, "wrong": wrong, "stderr": stderr});
        outln!("{report}");
    } else {
        outln!("{}", table(&turns));
        let lines: String = stderr.iter().map(|line| format!("{line}\n")).collect();
        output::write(&lines);
        let wrong_answers = pluralize(wrong, "wrong answer", "wrong answers");
        outln!("{}, {wrong_answers}", pluralize(samples.len(), "sample", "samples"));
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
    let text = |path: &Path| {
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
    };
    let input = text(input)?;
    let path = directory.join(format!("{name}.expected.json"));
    let expected: Expected = serde_json::from_str(&text(&path)?).with_context(|| {
        format!("{} does not list answers; see `judge samples --help`", path.display())
    })?;
    let inputs: Vec<String> = if keep {
        input.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    } else {
        vec![input]
    };
    let lists = match (keep, expected.answer, expected.answers) {
        (false, Some(answer), None) => vec![answer],
        (true, None, Some(answers)) => answers,
        (false, ..) => bail!("{} needs `answer`, a list of [row, col]", path.display()),
        (true, ..) => {
            bail!("{} needs `answers`, a list of [row, col] for each line", path.display())
        }
    };
    if lists.len() != inputs.len() {
        let lists = pluralize(lists.len(), "list of answers", "lists of answers");
        let inputs = pluralize(inputs.len(), "input", "inputs");
        bail!("{}: {lists} for {inputs}; give one list for each input", path.display());
    }
    Ok(Sample { name: name.to_owned(), about: expected.about, inputs, expected: lists, keep })
}

/// What a bot replied to a sample.
struct Replies {
    /// The answers turn by turn, up to and including the first fault.
    answers: Vec<Result<RowCol, String>>,
    /// The bot's standard error after a fault, else empty.
    stderr: String,
}

fn ask(sample: &Sample, command: &BotCommand, limits: Limits) -> Result<Replies> {
    let mut bot = command.start()?;
    let mut answers = Vec::new();
    for input in &sample.inputs {
        let answer = answer(&mut bot, input, sample.keep, limits);
        let is_fault = answer.is_err();
        answers.push(answer);
        if is_fault {
            return Ok(Replies { answers, stderr: bot.stderr() });
        }
    }
    bot.close();
    Ok(Replies { answers, stderr: String::new() })
}

fn answer(bot: &mut Bot, input: &str, keep: bool, limits: Limits) -> Result<RowCol, String> {
    let fault_text = |fault: Fault| host::GameOutcome::from(fault).to_string();
    let line = format!("{}\n", input.trim_end());
    // Turn 1: the first turn of a match would have twice the time.
    let allowed = limits.turn(1, Instant::now());
    let printed = bot.ask(&line, &allowed).map_err(fault_text)?;
    let value: Value = serde_json::from_str(&printed.text).map_err(|_| "not-json".to_owned())?;
    let answer = answered_cell(&value["response"]).map_err(|invalid| invalid.to_string())?;
    if keep && !printed.keeps_running {
        return Err("it did not print the keep-running marker".to_owned());
    }
    Ok(answer)
}

/// One turn of a sample and the bot's answer to it.
struct Turn<'a> {
    sample: &'a Sample,
    /// The turn's number, from 1.
    number: usize,
    expected: &'a [RowCol],
    answer: Result<RowCol, String>,
}

/// The turns of a sample; those after a fault have no answer.
fn turns_of(
    sample: &Sample,
    answers: Vec<Result<RowCol, String>>,
) -> impl Iterator<Item = Turn<'_>> {
    let not_asked = std::iter::repeat_with(|| Err("not asked".to_owned()));
    let answers = answers.into_iter().chain(not_asked);
    sample.expected.iter().zip(answers).enumerate().map(|(index, (expected, answer))| Turn {
        sample,
        number: index + 1,
        expected,
        answer,
    })
}

impl Turn<'_> {
    fn is_acceptable(&self) -> bool {
        self.answer.as_ref().is_ok_and(|answer| self.expected.contains(answer))
    }

    fn json(&self) -> Value {
        json!({
            "sample": self.sample.name,
            "turn": self.number,
            "about": self.sample.about,
            "expected": self.expected,
            "answered": self.answer.as_ref().ok(),
            "fault": self.answer.as_ref().err(),
            "ok": self.is_acceptable(),
        })
    }

    fn columns(&self) -> [String; 5] {
        let Sample { name, about, inputs, .. } = self.sample;
        [
            if inputs.len() == 1 { name.clone() } else { format!("{name} {}", self.number) },
            about.clone(),
            answers_text(self.expected),
            self.answer.as_ref().map_or_else(String::clone, |answer| answers_text(&[*answer])),
            if self.is_acceptable() { "ok".to_owned() } else { "WRONG".to_owned() },
        ]
    }
}

fn table(turns: &[Turn]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["sample", "about", "expected", "answered", "ok"]);
    table.add_rows(turns.iter().map(Turn::columns));
    table
}

/// Answers as `row,column`; of a long list the first four.
fn answers_text(answers: &[RowCol]) -> String {
    const MAX_LISTED: usize = 4;
    let mut words: Vec<String> =
        answers.iter().take(MAX_LISTED).map(|(row, col)| format!("{row},{col}")).collect();
    if answers.len() > MAX_LISTED {
        words.push(format!("... ({})", answers.len()));
    }
    words.join("  ")
}
