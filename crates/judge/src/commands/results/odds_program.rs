//! The odds that a program prints, with its own measure of their times.
//!
//! It is called as `CMD FILE --passes N`. FILE has positions, with an empty line between them. For
//! each position and pass it prints a line: the position's index in the file, counted from 0, the
//! microseconds that its odds took, and the odds of its hidden cells in row-major order; or the
//! index and `-` for a position that it cannot solve.
//!
//! Invariant: what cannot be read of its output is an error, and no odds.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use sapper::Board;

use super::odds::PASSES;
use super::odds_sums::TimedOdds;
use crate::cli::Competitor;
use crate::runner::bots::{OutputEnd, output_of};
use crate::runner::interrupt;
use crate::runner::messages::escaped;
use crate::runner::units::MEBIBYTE;

/// How long a program may run for each position in its file.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The odds of the positions with these texts; `None` after an interrupt. Where the positions are
/// hard, the program is started for each alone, and has not solved those that it does not solve
/// within its limits.
///
/// # Errors
/// Fails if the program cannot be started, exceeds its limits otherwise, or prints something else.
pub fn odds_of_program(
    program: &Competitor,
    texts: &[String],
    positions: &[Board],
    is_hard: bool,
) -> Result<Option<Vec<Option<TimedOdds>>>> {
    let at_once = if is_hard { 1 } else { texts.len().max(1) };
    let mut all = Vec::new();
    for (texts, positions) in texts.chunks(at_once).zip(positions.chunks(at_once)) {
        let text = printed(program, texts, is_hard);
        if interrupt::is_requested() {
            return Ok(None);
        }
        let name = &program.name;
        let (text, may_lack) = text.with_context(|| format!("--bot {name}"))?;
        let place = match is_hard {
            true => format!("position {} alone", all.len() + 1),
            false => pluralized(texts.len()),
        };
        let found = parse(&text, positions, may_lack);
        all.extend(found.with_context(|| format!("--bot {name}: its output for {place}"))?);
    }
    Ok(Some(all))
}

fn pluralized(count: usize) -> String {
    sapper::kit::text::pluralize(count as u64, "position", "positions")
}

/// What a program prints for these positions, and whether lines may be missing, because it was
/// ended at a limit.
fn printed(program: &Competitor, texts: &[String], is_hard: bool) -> Result<(String, bool)> {
    let file = tempfile::Builder::new().prefix("positions").suffix(".txt").tempfile();
    let file = file.context("cannot create a file of positions")?.into_temp_path();
    fs::write(&file, texts.join("\n")).context("cannot write a file of positions")?;
    let path = file.to_str().context("the name of the temporary folder is no text")?;
    let passes = PASSES.to_string();
    let arguments = [path, "--passes", &passes];
    let command = arguments.iter().fold(program.command.clone(), |all, one| all.with_argument(one));
    let memory = u64::from(program.limits.memory_limit_mib) * MEBIBYTE;
    let output = output_of(&command, TIME_LIMIT * texts.len() as u32, memory)?;
    let text = String::from_utf8_lossy(&output.bytes).into_owned();
    let stderr = match output.stderr.lines().last() {
        Some(line) => format!("; it wrote `{}`", escaped(line)),
        None => String::new(),
    };
    match output.end {
        OutputEnd::Done => Ok((text, false)),
        OutputEnd::Failed(why) => bail!("it ended with {why}{stderr}"),
        OutputEnd::Exceeded(_) if is_hard => {
            // The last line may be cut off.
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            Ok((text[..whole].to_owned(), true))
        }
        OutputEnd::Exceeded(limit) => bail!("it was ended at its limit, {limit}{stderr}"),
    }
}

/// The odds in the lines of a program.
fn parse(text: &str, positions: &[Board], may_lack: bool) -> Result<Vec<Option<TimedOdds>>> {
    let mut found: Vec<(usize, Option<TimedOdds>)> = vec![(0, None); positions.len()];
    for (number, line) in (1..).zip(text.lines()) {
        let hint = "expected INDEX MICROSECONDS ODDS..., or INDEX -";
        let read = parse_line(line, positions);
        let (index, timed) =
            read.with_context(|| format!("line {number}: `{}`: {hint}", escaped(cut(line))))?;
        let (count, best) = &mut found[index];
        *count += 1;
        match (best, timed) {
            (Some(best), Some(timed)) => best.ns = best.ns.min(timed.ns),
            (best @ None, timed) => *best = timed,
            (Some(_), None) => {}
        }
    }
    for (index, (count, _)) in found.iter().enumerate() {
        ensure!(
            *count == PASSES || may_lack && *count < PASSES,
            "{count} lines of position {index}, counted from 0; expected {PASSES}, one for each \
             pass"
        );
    }
    Ok(found.into_iter().map(|(_, best)| best).collect())
}

/// The index of the position of a line, and its odds, if the program solved it; `None` if the line
/// is none of a program's.
fn parse_line(line: &str, positions: &[Board]) -> Option<(usize, Option<TimedOdds>)> {
    let mut words = line.split_whitespace();
    let index: usize = words.next()?.parse().ok()?;
    let board = positions.get(index)?;
    let micros = words.next()?;
    let odds = words.map(|word| word.parse().ok().filter(|odds: &f64| odds.is_finite()));
    let odds: Vec<f64> = odds.collect::<Option<_>>()?;
    if micros == "-" {
        return odds.is_empty().then_some((index, None));
    }
    let micros: f64 = micros.parse().ok().filter(|micros| (0.0..1e12).contains(micros))?;
    let ns = (1e3 * micros).round() as u64;
    (odds.len() == board.hidden().count()).then_some((index, Some(TimedOdds { odds, ns })))
}

/// The start of a line.
fn cut(line: &str) -> &str {
    line.char_indices().nth(40).map_or(line, |(end, _)| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, may_lack: bool) -> Result<Vec<Option<TimedOdds>>> {
        let positions = ["3 1 1\n.1.\n", "2 1 1\n1.\n"].map(|text| text.parse().unwrap());
        parse(text, &positions, may_lack)
    }

    #[test]
    fn the_best_pass_counts_and_a_dash_is_no_odds() {
        let text = "0 2.5 0.5 0.5\n1 -\n0 1.25 0.5 0.5\n1 -\n0 7 0.5 0.5\n1 -\n";
        let timed = TimedOdds { odds: vec![0.5, 0.5], ns: 1250 };
        assert_eq!(read(text, false).unwrap(), [Some(timed.clone()), None]);
        // A program that was ended at its limit.
        let timed = TimedOdds { ns: 2500, ..timed };
        assert_eq!(read("0 2.5 0.5 0.5\n", true).unwrap(), [Some(timed), None]);
    }

    #[test]
    fn what_is_no_line_of_odds_is_named() {
        for (text, expected) in [
            ("hello\n", "line 1: `hello`: expected INDEX"),
            ("0\n", "line 1: `0`: expected"),
            ("2 1 1\n", "expected INDEX"),
            ("-1 1 1\n", "expected INDEX"),
            ("0 1 0.5\n", "expected INDEX"),
            ("0 1 0.5 0.5 0.5\n", "expected INDEX"),
            ("0 1 0.5 nan\n", "expected INDEX"),
            ("0 inf 0.5 0.5\n", "expected INDEX"),
            ("0 -1 0.5 0.5\n", "expected INDEX"),
            ("0 - 0.5\n", "expected INDEX"),
            ("", "0 lines of position 0, counted from 0; expected 3"),
            ("0 -\n0 -\n0 -\n0 -\n", "4 lines of position 0"),
            ("0 -\n0 -\n0 -\n1 -\n", "1 lines of position 1"),
        ] {
            let error = format!("{:#}", read(text, false).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(read("0 -\n0 -\n0 -\n0 -\n", true).is_err());
    }
}
