//! The report of the checks: failures with what to mend, notes, and what was not tried.
//!
//! Invariant: the bot is ready if no check failed whose inputs Botzone may send. What was not tried
//! is listed, whatever the verdict.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use sapper::kit::text::pluralize;
use sapper::protocol::KEEP_RUNNING_MARKER;
use serde::Serialize;

use super::plan::{self, Check};
use super::trial::{Ended, Figures, Trial};
use crate::cli::limit_options;
use crate::report::table::{Column, Format::Decimals, right_align, table};
use crate::runner::limits::Limits;
use crate::runner::messages::escaped;
use crate::runner::shell_words::quote;
use crate::runner::typed::typed_name;
use crate::runner::units::{measured_mebibytes, mebibytes, ms};

/// The most bytes of `debug` that Botzone keeps.
const MAX_DEBUG: usize = 1 << 10;
/// The share of a limit from which a note warns: the platform's machine may be slower.
const NEAR_LIMIT: f64 = 0.6;

/// A run of the checks.
pub struct Run<'a> {
    /// The bot's command line, if one was given.
    pub bot: Option<&'a str>,
    pub limits: &'a Limits,
    pub is_full: bool,
    pub only: Option<&'a str>,
    pub checks: &'a [Check],
    pub trials: &'a [Option<Trial>],
    pub time: Duration,
    pub interrupted: bool,
}

impl Run<'_> {
    /// The checks, each with its trial if it was tried.
    fn checks_with_trials(&self) -> impl Iterator<Item = (&Check, Option<&Trial>)> {
        self.checks.iter().zip(self.trials.iter().map(Option::as_ref))
    }
}

/// What `--json` prints.
#[derive(Serialize)]
pub struct Report {
    /// Whether no check failed whose inputs Botzone may send.
    pub ready: bool,
    /// Whether the bot prints the line that keeps it running; `None` if it gave no answer.
    keeps_running: Option<bool>,
    /// Every check, in the order of the plan.
    checks: Vec<CheckReport>,
    /// The checks that failed, those of one cause together.
    failures: Vec<Failure>,
    /// What may be bettered, and is no reason against the bot.
    notes: Vec<String>,
    not_tried: Vec<String>,
    seconds: f64,
    interrupted: bool,
    /// Whether a game was played to its end without a fault.
    #[serde(skip)]
    has_whole_game: bool,
}

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum CheckResult {
    Ok,
    Failed,
    /// It failed on inputs that Botzone does not send.
    Note,
    /// Its time was over.
    Cut,
    NotTried,
}

/// A check and how it ended.
#[derive(Serialize)]
struct CheckReport {
    check: String,
    about: String,
    result: CheckResult,
    turns: usize,
    /// The slowest turn; `None` if none was tried.
    slowest_ms: Option<f64>,
    /// The most CPU time of a turn.
    cpu_ms: Option<f64>,
    /// The most memory; `None` if it was not measured.
    peak_mib: Option<f64>,
}

/// A check that failed.
#[derive(Serialize)]
struct Failure {
    check: String,
    about: String,
    /// The other checks that failed by the same cause.
    also: Vec<String>,
    /// Whether Botzone sends such inputs: if so, the bot is not ready.
    needed: bool,
    /// The turn, counted from 0.
    turn: usize,
    fault: &'static str,
    reason: Option<String>,
    mend: String,
    /// The last lines of what the bot wrote to standard error.
    stderr: String,
    /// The command that repeats the check.
    again: String,
    /// The input of the turn.
    input: String,
}

/// The checks of one group, as a row of the table.
#[derive(Default)]
struct Group {
    name: String,
    ok: usize,
    failed: usize,
    note: usize,
    unfinished: usize,
    turns: usize,
    slowest_ms: Option<f64>,
    cpu_ms: Option<f64>,
    peak_mib: Option<f64>,
}

/// The columns of the table.
const COLUMNS: [Column<Group>; 9] = [
    ("checks", |group| group.name.clone()),
    ("ok", |group| group.ok.to_string()),
    ("failed", |group| group.failed.to_string()),
    ("note", |group| group.note.to_string()),
    ("not to the end", |group| group.unfinished.to_string()),
    ("turns", |group| group.turns.to_string()),
    ("slowest ms", |group| Decimals(0).text(&group.slowest_ms)),
    ("CPU ms", |group| Decimals(0).text(&group.cpu_ms)),
    ("MiB", |group| Decimals(0).text(&group.peak_mib)),
];

impl Group {
    fn add(&mut self, check: &CheckReport) {
        let most = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
        *match check.result {
            CheckResult::Ok => &mut self.ok,
            CheckResult::Failed => &mut self.failed,
            CheckResult::Note => &mut self.note,
            CheckResult::Cut | CheckResult::NotTried => &mut self.unfinished,
        } += 1;
        self.turns += check.turns;
        self.slowest_ms = most(self.slowest_ms, check.slowest_ms);
        self.cpu_ms = most(self.cpu_ms, check.cpu_ms);
        self.peak_mib = most(self.peak_mib, check.peak_mib);
    }
}

impl Report {
    pub fn of(run: &Run) -> Report {
        let figures = || run.trials.iter().flatten().map(|trial| &trial.figures);
        let stores_data = figures().any(|figures| figures.stores_data);
        let is_needed = |check: &Check| check.counts(stores_data);
        let pairs = || run.checks_with_trials();
        let checks = pairs().map(|(check, trial)| CheckReport::of(check, trial, is_needed(check)));
        let mut failures: Vec<Failure> = Vec::new();
        for (check, trial) in pairs() {
            let failure = trial.and_then(|trial| Failure::of(run, check, trial, is_needed(check)));
            let Some(failure) = failure else {
                continue;
            };
            match failures.iter_mut().find(|known| known.has_cause_of(&failure)) {
                Some(known) => known.also.push(failure.check),
                None => failures.push(failure),
            }
        }
        // A bot that keeps running does so in every check.
        let keeps_running =
            figures().filter_map(|figures| figures.keeps_running).reduce(|a, b| a || b);
        Report {
            ready: failures.iter().all(|failure| !failure.needed) && keeps_running.is_some(),
            keeps_running,
            checks: checks.collect(),
            notes: notes(run, stores_data && failures.iter().any(|failure| !failure.needed)),
            not_tried: not_tried(run, keeps_running),
            failures,
            seconds: run.time.as_secs_f64(),
            interrupted: run.interrupted,
            has_whole_game: pairs().any(|(check, trial)| {
                check.is_whole_game() && trial.is_some_and(|trial| trial.ended == Ended::Well)
            }),
        }
    }

    /// The number of checks that were tried.
    pub fn tried(&self) -> usize {
        self.checks.iter().filter(|check| check.result != CheckResult::NotTried).count()
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut groups: Vec<Group> = Vec::new();
        for check in &self.checks {
            let name = check.check.split('/').next().unwrap_or_default();
            if groups.last().is_none_or(|group| group.name != name) {
                groups.push(Group { name: name.to_owned(), ..Group::default() });
            }
            groups.iter_mut().last().into_iter().for_each(|group| group.add(check));
        }
        let mut table = table(&COLUMNS, &groups);
        right_align(&mut table, 1..COLUMNS.len());
        writeln!(text, "{table}").ok();
        self.failures.iter().for_each(|failure| text.push_str(&failure.text()));
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            writeln!(text, "note: {note}").ok();
        }
        text.push('\n');
        for what in &self.not_tried {
            writeln!(text, "not tried: {what}").ok();
        }
        let mode = match self.keeps_running {
            Some(true) => ", kept running",
            Some(false) => ", started for every turn",
            None => "",
        };
        let is_failed = |check: &&CheckReport| check.result == CheckResult::Failed;
        let failed = self.checks.iter().filter(is_failed).count();
        let verdict = if self.interrupted && self.ready {
            let tried = pluralize(self.tried(), "check", "checks");
            format!("NO VERDICT: no fault in {tried}, and the others were not tried")
        } else if self.ready {
            let but = if self.has_whole_game { "" } else { ", but no game was played to its end" };
            format!("READY for Botzone, as far as it was tried{but}")
        } else {
            format!(
                "NOT READY for Botzone: {failed} of {}",
                pluralize(self.tried(), "check failed", "checks failed")
            )
        };
        write!(text, "\n{verdict} ({:.0} s{mode})", self.seconds).ok();
        text
    }
}

impl CheckReport {
    fn of(check: &Check, trial: Option<&Trial>, is_needed: bool) -> CheckReport {
        let result = match trial.map(|trial| trial.ended) {
            None => CheckResult::NotTried,
            Some(Ended::Well) => CheckResult::Ok,
            Some(Ended::Cut) => CheckResult::Cut,
            Some(Ended::Failed) if is_needed => CheckResult::Failed,
            Some(Ended::Failed) => CheckResult::Note,
        };
        let figures = trial.map(|trial| trial.figures);
        CheckReport {
            check: check.name.clone(),
            about: check.about.clone(),
            result,
            turns: figures.map_or(0, |figures| figures.turns),
            slowest_ms: figures.map(|figures| ms(figures.slowest)),
            cpu_ms: figures.map(|figures| ms(figures.cpu)),
            peak_mib: figures.and_then(|figures| measured_mebibytes(figures.memory_bytes)),
        }
    }
}

impl Failure {
    fn of(run: &Run, check: &Check, trial: &Trial, needed: bool) -> Option<Failure> {
        let failure = trial.failure.as_ref()?;
        let bot = run.bot.map(|bot| format!(" --bot {}", quote(bot))).unwrap_or_default();
        let (judge, limits) = (typed_name(), limit_options(run.limits));
        Some(Failure {
            check: check.name.clone(),
            about: check.about.clone(),
            also: Vec::new(),
            needed,
            turn: failure.turn,
            fault: failure.problem.fault,
            reason: failure.problem.reason.clone(),
            mend: failure.problem.mend.clone(),
            stderr: failure.stderr.clone(),
            again: format!("{judge} check bot{bot} --only {}{limits}", check.name),
            input: failure.input.clone(),
        })
    }

    /// Whether both failures say the same, so that one of them is enough.
    fn has_cause_of(&self, other: &Failure) -> bool {
        // Numbers are of the cell, the turn or the size.
        let kind = |mend: &str| mend.replace(|sign: char| sign.is_ascii_digit(), "");
        let cause = |of: &Failure| (of.needed, of.fault, kind(&of.mend));
        cause(self) == cause(other)
    }

    fn text(&self) -> String {
        const MAX_LINES: usize = 10;
        let Failure {
            check, about, also, needed, turn, fault, reason, mend, stderr, again, ..
        } = self;
        let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let mut text = match needed {
            true => format!("\nFAILED {check}, turn {turn}: {fault}{reason}\n"),
            false => format!(
                "\nNOTE {check}, turn {turn}: {fault}{reason}\n  Botzone sends no such input\n"
            ),
        };
        writeln!(text, "  input: {about}").ok();
        writeln!(text, "  mend: {mend}").ok();
        let lines: Vec<&str> = stderr.lines().collect();
        for line in &lines[lines.len().saturating_sub(MAX_LINES)..] {
            writeln!(text, "  stderr: {}", escaped(line)).ok();
        }
        writeln!(text, "  again: {again}").ok();
        if !also.is_empty() {
            writeln!(text, "  also: {}", names(also)).ok();
        }
        text
    }
}

/// Names in a list; of a long one the first and the number of the others.
fn names<S: AsRef<str>>(names: &[S]) -> String {
    const MAX_LISTED: usize = 4;
    let listed: Vec<&str> = names.iter().take(MAX_LISTED).map(AsRef::as_ref).collect();
    match names.len().checked_sub(MAX_LISTED) {
        None | Some(0) => listed.join(", "),
        Some(others) => format!("{} and {others} more", listed.join(", ")),
    }
}

/// What may be bettered. `lacks_data` says that a bot failed that stores `data`, on histories
/// without it.
fn notes(run: &Run, lacks_data: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let tried = || run.checks_with_trials().filter_map(|(check, trial)| Some((check, trial?)));
    let of = |is: fn(&Figures) -> bool| -> Vec<&str> {
        tried()
            .filter(|(_, trial)| is(&trial.figures))
            .map(|(check, _)| check.name.as_str())
            .collect()
    };
    let most = |figure: fn(&Figures) -> f64| {
        tried()
            .map(|(check, trial)| (figure(&trial.figures), check))
            .max_by(|a, b| a.0.total_cmp(&b.0))
    };
    if lacks_data {
        notes.push(
            "the bot stores `data`, and failed on histories without it; Botzone sends it back"
                .to_owned(),
        );
    }
    let late = of(|figures| figures.was_late);
    if !late.is_empty() {
        notes.push(format!(
            "late in the first of two tries: {}; on a busy machine give --clock cpu",
            names(&late)
        ));
    }
    if let Some((share, check)) = most(|figures| figures.time_share)
        && (NEAR_LIMIT..=1.0).contains(&share)
    {
        notes.push(format!(
            "the slowest turn took {:.0} % of its time limit ({}); Botzone's machine may be slower",
            100.0 * share,
            check.name
        ));
    }
    if let Some((bytes, check)) = most(|figures| figures.memory_bytes as f64) {
        let (used, limit) = (mebibytes(bytes as u64), f64::from(run.limits.memory_limit_mib));
        if (NEAR_LIMIT..=1.0).contains(&(used / limit)) {
            notes.push(format!("the bot used {used:.0} of {limit} MiB ({})", check.name));
        }
    }
    let debug = tried().map(|(_, trial)| trial.figures.debug_len).max().unwrap_or(0);
    if debug > MAX_DEBUG {
        notes.push(format!("`debug` has up to {debug} bytes; Botzone keeps {MAX_DEBUG}"));
    }
    let left_behind: Vec<&str> = tried()
        .filter(|(_, trial)| !trial.has_failed() && trial.figures.left_behind > 0)
        .map(|(check, _)| check.name.as_str())
        .collect();
    if !left_behind.is_empty() {
        notes.push(format!("the bot left processes running: {}", names(&left_behind)));
    }
    let passed_over = of(|figures| figures.passed_over);
    if !passed_over.is_empty() {
        let positions = pluralize(passed_over.len(), "position", "positions");
        notes.push(format!(
            "in {positions} a cell is proven safe and the bot opened another one: {}",
            names(&passed_over)
        ));
    }
    notes
}

/// What the checks have not shown.
fn not_tried(run: &Run, keeps_running: Option<bool>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut unfinished: BTreeMap<bool, Vec<String>> = BTreeMap::new();
    for (check, trial) in run.checks_with_trials() {
        let is_begun = trial.is_some();
        if trial.is_none_or(|trial| trial.ended == Ended::Cut) {
            unfinished.entry(is_begun).or_default().push(check.name.clone());
        }
    }
    if let Some(cut) = unfinished.get(&true) {
        lines.push(format!("to the end, for lack of time: {}", names(cut)));
    }
    if let Some(missing) = unfinished.get(&false) {
        let count = pluralize(missing.len(), "check", "checks");
        lines.push(format!("{count}, after failures or for lack of time: {}", names(missing)));
    }
    if let Some(only) = run.only {
        lines.push(format!("all checks but --only {only}"));
    } else if !run.is_full {
        let (games, sizes) = plan::more();
        lines.push(format!("{games} more games on {sizes} sizes of boards: --full"));
    }
    if keeps_running == Some(false) {
        lines.push(format!("keeping the bot running: it does not print {KEEP_RUNNING_MARKER}"));
    }
    lines.push(
        "Botzone's compilers and its machine: play one game there after the upload".to_owned(),
    );
    lines
}
