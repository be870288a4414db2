//! `judge samples`: runs a bot over sample inputs and holds its answers against the acceptable
//! ones.
//!
//! A sample is two files side by side. `NAME.json` holds one input, whole, as the platform sends it
//! to a bot that is started each turn; `NAME.keep.jsonl` holds one JSON value a line, as a bot that
//! is kept running reads them. `NAME.expected.json` says what may be answered:
//!
//! ```text
//! {"about": "safe by one number", "answer": [[3, 4], [3, 5]]}           one input: row, column
//! {"about": "kept running", "answers": [[[0, 0]], [[3, 4], [3, 5]]]}    one such set a line
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use comfy_table::{ContentArrangement, Table, presets};
use sapper::base::text::pluralize;
use sapper::referee::botzone::place;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bots::command::BotCommand;
use crate::bots::host;
use crate::bots::process::{Bot, Fault};
use crate::cli::Outcome;
use crate::cli::limits::{Clock, Limits};
use crate::cli::output::outln;
use crate::cli::parse::parse_seconds;

/// Run a bot over sample inputs and compare its answers.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge samples                     # the repository's, of the sapper beside
  judge samples samples/requests --bot 'python3 mybot.py'
  judge samples --json

Files of a sample NAME:
  NAME.json            the input
  NAME.keep.jsonl      or this: a value a line, for a bot kept running
  NAME.expected.json   {\"about\": TEXT, \"answer\": [[ROW, COL], ...]}:
                       the acceptable answers; of a NAME.keep.jsonl
                       \"answers\", one such list a line

Exit code: 0 every answer is acceptable, 1 one is not, 2 a sample cannot be read.")]
pub struct Arguments {
    /// The directory of the samples [default: samples/requests].
    directory: Option<PathBuf>,
    /// The bot's command line [default: the sapper beside the judge].
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The command line of the bot that is kept running [default: the bot's with --keep-running].
    #[arg(long, value_name = "CMD")]
    keep_bot: Option<String>,
    /// The time of an answer.
    #[arg(long, value_name = "SECONDS", default_value = "2.0", value_parser = parse_seconds)]
    time_limit: Duration,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// An answer is no turn of a match: none gets twice the time.
    fn limits(&self) -> Limits {
        Limits { time_limit: self.time_limit, clock: Clock::Wall, memory_limit_mib: 256 }
    }
}

type Place = (i32, i32);

/// One sample, read.
struct Sample {
    name: String,
    about: String,
    /// What the bot is sent, one text a turn.
    inputs: Vec<String>,
    /// What it may answer, one set a turn.
    expected: Vec<Vec<Place>>,
    keep: bool,
}

#[derive(Deserialize)]
struct Expected {
    about: String,
    answer: Option<Vec<Place>>,
    answers: Option<Vec<Vec<Place>>>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = BotCommand::new(arguments.bot.as_deref())?;
    let keep_bot = match &arguments.keep_bot {
        Some(line) => BotCommand::new(Some(line))?,
        None => bot.clone().with_argument("--keep-running"),
    };
    let directory = directory(arguments)?;
    let samples = read_all(&directory)?;
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["sample", "about", "expected", "answered", "ok"]);
    let mut wrong = 0;
    let mut complaints = String::new();
    let mut rows = Vec::new();
    for sample in &samples {
        let command = if sample.keep { &keep_bot } else { &bot };
        let (answers, stderr) = ask(sample, command, arguments.limits())?;
        for (turn, expected) in sample.expected.iter().enumerate() {
            let answer = answers.get(turn).cloned().unwrap_or(Err("not asked".to_owned()));
            let good = answer.as_ref().is_ok_and(|place| expected.contains(place));
            wrong += usize::from(!good);
            let name = match sample.expected.len() {
                1 => sample.name.clone(),
                _ => format!("{} {}", sample.name, turn + 1),
            };
            rows.push(json!({
                "sample": sample.name,
                "turn": turn + 1,
                "about": sample.about,
                "expected": expected,
                "answered": answer.as_ref().ok(),
                "fault": answer.as_ref().err(),
                "ok": good,
            }));
            let answered = answer.map_or_else(|why| why, |place| shown(&[place]));
            let ok = if good { "ok" } else { "WRONG" };
            table.add_row([&name, &sample.about, &shown(expected), &answered, ok]);
        }
        for line in stderr.lines() {
            complaints.push_str(&format!(
                "{}: stderr: {}\n",
                sample.name,
                crate::cli::output::escaped(line)
            ));
        }
    }
    if arguments.json {
        let (samples, stderr) = (samples.len(), complaints.lines().collect::<Vec<_>>());
        outln!(
            "{}",
            json!({"answers": rows, "samples": samples, "wrong": wrong, "stderr": stderr})
        );
        return Ok(Outcome::from(wrong == 0));
    }
    outln!("{table}");
    crate::cli::output::write(&complaints);
    let wrong_answers = pluralize(wrong, "wrong answer", "wrong answers");
    outln!("{}, {wrong_answers}", pluralize(samples.len(), "sample", "samples"));
    Ok(Outcome::from(wrong == 0))
}

/// The directory asked for; else the repository's, found from here or from where the judge lies.
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
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>().context("samples")?;
    paths.sort();
    let mut samples = Vec::new();
    for path in &paths {
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else { continue };
        if let Some(name) = file.strip_suffix(".expected.json") {
            let input = [".json", ".keep.jsonl"].map(|end| directory.join(format!("{name}{end}")));
            if !input.iter().any(|path| path.is_file()) {
                bail!("{} has no {name}.json beside it", path.display());
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
    let expected: Expected = serde_json::from_str(&text(&path)?)
        .with_context(|| format!("{} is no expectation", path.display()))?;
    let inputs: Vec<String> = match keep {
        true => input.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect(),
        false => vec![input],
    };
    let sets = match (keep, expected.answer, expected.answers) {
        (false, Some(answer), None) => vec![answer],
        (true, None, Some(answers)) => answers,
        (false, ..) => bail!("{} needs `answer`, a list of [row, col]", path.display()),
        (true, ..) => bail!("{} needs `answers`, a list of [row, col] a line", path.display()),
    };
    if sets.len() != inputs.len() {
        let sets = pluralize(sets.len(), "set of answers", "sets of answers");
        bail!("{}: {sets} to {}", path.display(), pluralize(inputs.len(), "input", "inputs"));
    }
    let about = expected.about;
    Ok(Sample { name: name.to_owned(), about, inputs, expected: sets, keep })
}

/// Answers turn by turn, up to the first that is none, and stderr where one is none.
type Answers = (Vec<Result<Place, String>>, String);

fn ask(sample: &Sample, command: &BotCommand, limits: Limits) -> Result<Answers> {
    let mut bot = command.start()?;
    let mut answers = Vec::new();
    for input in &sample.inputs {
        let answer = answer(&mut bot, input, sample.keep, limits);
        let failed = answer.is_err();
        answers.push(answer);
        if failed {
            let stderr = bot.stderr();
            return Ok((answers, stderr));
        }
    }
    bot.close();
    Ok((answers, String::new()))
}

fn answer(bot: &mut Bot, input: &str, keep: bool, limits: Limits) -> Result<Place, String> {
    let fault = |fault: Fault| host::GameOutcome::from(fault).to_string();
    let line = format!("{}\n", input.trim_end());
    let printed = bot.ask(&line, &limits.turn(1, Instant::now())).map_err(fault)?;
    let value: Value = serde_json::from_str(&printed.text).map_err(|_| "not-json".to_owned())?;
    let place = place(&value["response"]).map_err(|why| why.to_string())?;
    match (keep, printed.keeps_running) {
        (true, false) => Err("it did not print the keep-running marker".to_owned()),
        _ => Ok(place),
    }
}

/// Places as `row,col`, the first few of many.
fn shown(places: &[Place]) -> String {
    const MOST: usize = 4;
    let mut words: Vec<String> =
        places.iter().take(MOST).map(|(row, col)| format!("{row},{col}")).collect();
    if places.len() > MOST {
        words.push(format!("... ({})", places.len()));
    }
    words.join("  ")
}
