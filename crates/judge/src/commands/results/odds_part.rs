//! The odds of the positions of a part: by the engine in process, or by a program.
//!
//! Invariant: what is measured is told ([`Measured::play`]) by the checksum of the engine's odds
//! for all positions of the set, and before it, of a program, by that of its own for the part.

use std::collections::BTreeMap;

use anyhow::Result;
use cpu_time::ThreadTime;
use fixtures::odds_positions::{PositionSet, exact_odds, odds_checksum};
use sapper::{Board, Evaluation, evaluate};

use super::figure::Sums;
use super::odds::{Odds, PASSES};
use super::odds_program::odds_of_program;
use super::odds_sums::{OddsSums, TimedOdds};
use super::part::{Measured, PartResult};
use crate::cli::Competitor;
use crate::runner::boards::BoardRange;
use crate::runner::interrupt;
use crate::runner::shell_words::quote;

/// What computes the parts of odds.
pub struct OddsParts {
    /// The programs that were given.
    programs: Vec<Competitor>,
    /// The positions of each set that was measured, by its name.
    sets: BTreeMap<&'static str, KnownSet>,
}

/// The positions of a set, with the engine's odds.
struct KnownSet {
    texts: Vec<String>,
    positions: Vec<Board>,
    ours: Vec<Option<Vec<f64>>>,
    checksum: String,
}

impl KnownSet {
    fn of(set: &PositionSet) -> KnownSet {
        let positions = set.positions();
        let ours: Vec<_> = positions.iter().map(exact_odds).collect();
        let checksum = odds_checksum(ours.iter().map(Option::as_deref));
        KnownSet { texts: set.texts(), positions, ours, checksum }
    }
}

impl OddsParts {
    /// With these programs.
    pub fn new(programs: Vec<Competitor>) -> OddsParts {
        OddsParts { programs, sets: BTreeMap::new() }
    }

    /// Computes the odds of a part, unless it is `known` of the same odds. `again` is the command
    /// that measures the part again, without the program.
    ///
    /// # Errors
    /// Fails if the program cannot be started, or prints something else.
    pub fn measure(
        &mut self,
        odds: &Odds,
        part: BoardRange,
        known: &[Vec<String>],
        again: &str,
    ) -> Result<PartResult> {
        let set = odds.set;
        let of_set = self.sets.entry(set.name).or_insert_with(|| KnownSet::of(set));
        if known.iter().any(|play| play.last() == Some(&of_set.checksum)) {
            return Ok(PartResult::Known);
        }
        interrupt::defer_exit(1);
        let range = part.0 as usize - 1..part.1 as usize;
        let positions = &of_set.positions[range.clone()];
        let (mut play, mut command) = (vec![of_set.checksum.clone()], again.to_owned());
        let found = match &odds.program {
            None => timed(positions),
            Some(name) => {
                let Some(program) = self.programs.iter().find(|one| one.name == *name) else {
                    let needs = format!("the odds of {name}: give --bot \"{name}=CMD\"");
                    return Ok(PartResult::Needs(needs));
                };
                command += &format!(" --bot {}", quote(&format!("{name}={}", program.line)));
                let texts = &of_set.texts[range.clone()];
                let found = odds_of_program(program, texts, positions, set.is_hard)?;
                let theirs = |found: &Vec<Option<TimedOdds>>| {
                    let odds = found.iter().map(|one| one.as_ref().map(|one| &one.odds[..]));
                    odds_checksum(odds)
                };
                play.splice(0..0, found.as_ref().map(theirs));
                found
            }
        };
        let Some(found) = found else { return Ok(PartResult::Interrupted) };
        let mut sums = OddsSums::default();
        for (found, ours) in found.iter().zip(&of_set.ours[range]) {
            sums.add(found.as_ref(), ours.as_deref());
        }
        Ok(PartResult::Measured(Measured { play, command, sums: Sums::Odds(sums) }))
    }
}

/// The engine's odds with their times; `None` after an interrupt. A pass goes through all
/// positions, as in the programs. A component of the pass before may be remembered, which saves a
/// twentieth.
fn timed(positions: &[Board]) -> Option<Vec<Option<TimedOdds>>> {
    let time = |board: &Board| {
        let started = ThreadTime::now();
        let evaluation = evaluate(board);
        let ns = started.elapsed().as_nanos() as u64;
        let evaluation = evaluation.ok().filter(Evaluation::is_exact)?;
        Some(TimedOdds { odds: evaluation.odds().map(|(_, odds)| odds).collect(), ns })
    };
    let pass = || -> Option<Vec<_>> {
        positions.iter().map(|board| interrupt::unless_requested(|| time(board))).collect()
    };
    let mut best = pass()?;
    for _ in 1..PASSES {
        for (best, found) in best.iter_mut().zip(pass()?) {
            if let (Some(best), Some(found)) = (best, found) {
                best.ns = best.ns.min(found.ns);
            }
        }
    }
    Some(best)
}
