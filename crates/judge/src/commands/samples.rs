//! `judge samples`: runs a bot over sample inputs and compares its answers with the acceptable
//! ones.
//!
//! [`crate::runner::samples`] describes the files of a sample.
//!
//! Invariant: a bot is asked only what it claims to do. A sample of several turns is left out,
//! and named, unless the bot asks to be kept running or its command line says that it can be. A bot
//! of `--keep-bot` claims to.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets};
use game::botzone::answered_cell;
use sapper::kit::text::pluralize;
use serde::Serialize;
use serde_json::Value;

use crate::cli::{LimitOptions, Outcome, print_bot_report};
use crate::runner::bots::{Answer as Printed, Bot, BotCommand, Fault};
use crate::runner::limits::Limits;
use crate::runner::messages::{errln, escaped};
use crate::runner::samples::{self, RowCol, Sample, in_one_line};
use crate::runner::system::LIMITS_NOTE;

/// Run a bot over sample inputs and compare its answers with the acceptable ones.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  judge samples
  judge samples samples/requests --bot \"python3 mybot.py\"
  judge samples --json

Exit code: 0 every answer is acceptable, 1 at least one is not, 2 a sample cannot be read (the bot
is asked the others).")]
pub struct Arguments {
    /// The folder of the samples [default: those of the repository, compiled in].
    directory: Option<PathBuf>,
    /// The bot's command line [default: sapper].
    #[arg(long, value_name = "CMD")]
    bot: Option<String>,
    /// The command line for NAME.keep.jsonl [default: the bot's with --keep-running, if it then
    /// asks to be kept running].
    #[arg(long, value_name = "CMD")]
    keep_bot: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let bot = BotCommand::new(arguments.bot.as_deref())?;
    let keep_bot = match &arguments.keep_bot {
        Some(line) => BotCommand::of_option("--keep-bot", Some(line))?,
        None => bot.clone().keep_running(),
    };
    let (samples, unreadable) = match &arguments.directory {
        Some(directory) => samples::read_all(directory)?,
        None => (samples::compiled_in()?, Vec::new()),
    };
    unreadable.iter().for_each(|why| errln!("{why}"));
    ensure!(!samples.is_empty(), "no sample can be read; see above");
    let (mut answers, mut stderr) = (Vec::new(), Vec::new());
    let claims = arguments.keep_bot.is_some() || bot.is_said_to_keep_running();
    let mut left_out = Vec::new();
    for sample in &samples {
        let command = if sample.is_kept_running { &keep_bot } else { &bot };
        let limits = arguments.limits.of_one(&command.program()[0])?;
        let asked = ask(sample, command, limits)?;
        if sample.is_kept_running && !claims && !asked.keeps_running {
            left_out.push(sample.name.as_str());
            continue;
        }
        answers.extend(asked.answers);
        stderr.extend(asked.stderr);
    }
    let count = |is: fn(&Answer) -> bool| answers.iter().filter(|answer| is(answer)).count();
    let (wrong, not_asked) =
        (count(|answer| !answer.ok && answer.is_asked()), count(|answer| !answer.is_asked()));
    let samples = samples.len() - left_out.len();
    ensure!(samples > 0, "no sample is left: {}", left_out_text(&left_out));
    let report = Report { answers, samples, wrong, not_asked, left_out, unreadable, stderr };
    print_bot_report(arguments.json, LIMITS_NOTE, || &report, || text(&report));
    if !report.unreadable.is_empty() {
        let samples = pluralize(report.unreadable.len(), "sample", "samples");
        bail!("{samples} cannot be read; see above");
    }
    Ok(Outcome::from(wrong == 0))
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    answers: Vec<Answer<'a>>,
    /// The number of samples that the bot was asked.
    samples: usize,
    wrong: usize,
    not_asked: usize,
    /// The samples of several turns that were left out, because the bot does not keep running.
    left_out: Vec<&'a str>,
    /// Why other samples of the folder cannot be read.
    unreadable: Vec<String>,
    stderr: Vec<String>,
}

fn text(report: &Report) -> String {
    let Report { answers, samples, wrong, not_asked, left_out, stderr, .. } = report;
    let mut text = format!("{}\n", table(answers));
    for Answer { sample, fault, .. } in answers {
        let detailed = fault.iter().filter(|fault| fault_name(fault) != **fault);
        for fault in detailed {
            writeln!(text, "{sample}: {fault}").ok();
        }
    }
    for line in stderr {
        writeln!(text, "{line}").ok();
    }
    let wrong_answers = pluralize(*wrong, "wrong answer", "wrong answers");
    let unasked = match not_asked {
        0 => String::new(),
        _ => format!(", {} not asked", pluralize(*not_asked, "turn", "turns")),
    };
    let samples = pluralize(*samples, "sample", "samples");
    writeln!(text, "{samples}, {wrong_answers}{unasked}").ok();
    if !left_out.is_empty() {
        writeln!(text, "{}", left_out_text(left_out)).ok();
    }
    text
}

fn left_out_text(names: &[&str]) -> String {
    format!(
        "left out, because the bot does not ask to be kept running: {}; --keep-bot CMD names a bot \
         that does",
        names.join(", ")
    )
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

/// What a bot answered to a sample.
struct Asked<'a> {
    answers: Vec<Answer<'a>>,
    /// After a fault, the lines of the bot's standard error.
    stderr: Vec<String>,
    /// Whether the bot asked to be kept running with an answer.
    keeps_running: bool,
}

/// Asks a bot all turns of a sample up to the first fault.
fn ask<'a>(sample: &'a Sample, command: &BotCommand, limits: Limits) -> Result<Asked<'a>> {
    let Sample { name, about, inputs, expected, is_kept_running, .. } = sample;
    let mut asked = Asked { answers: Vec::new(), stderr: Vec::new(), keeps_running: false };
    let mut bot = Some(command.start()?);
    for ((input, expected), turn) in inputs.iter().zip(expected).zip(1..) {
        let answer = match &mut bot {
            Some(bot) => {
                let printed = print(bot, input, limits);
                asked.keeps_running |= printed.as_ref().is_ok_and(|printed| printed.keeps_running);
                printed.and_then(|printed| answer(&printed, *is_kept_running))
            }
            None => Err(NOT_ASKED.to_owned()),
        };
        if answer.is_err()
            && let Some(bot) = bot.take()
        {
            let lines = bot.stderr();
            let lines = lines.lines().map(|line| format!("{name}: stderr: {}", escaped(line)));
            asked.stderr.extend(lines);
        }
        let (answered, fault) = (answer.as_ref().ok().copied(), answer.err());
        let ok = answered.is_some_and(|answered| expected.contains(&answered));
        asked.answers.push(Answer { sample: name, turn, about, expected, answered, fault, ok });
    }
    if let Some(bot) = bot {
        bot.close();
    }
    Ok(asked)
}

/// What a bot prints for an input, which it gets in one line, as Botzone sends it.
fn print(bot: &mut Bot, input: &str, limits: Limits) -> Result<Printed, String> {
    let line = format!("{}\n", in_one_line(input));
    bot.ask(&line, &limits.turn(0, Instant::now())).map_err(|fault| fault.to_string())
}

/// The cell of what a bot printed, which has to keep running if `keep`.
fn answer(printed: &Printed, keep: bool) -> Result<RowCol, String> {
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
