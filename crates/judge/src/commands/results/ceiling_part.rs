//! The games of a part whose guesses are chosen by long playouts.

use std::ops::ControlFlow;

use analysis::review::second_step::SecondStepper;
use anyhow::Result;
use cpu_time::ThreadTime;
use sapper::Engine;

use super::ceiling::Ceiling;
use super::figure::Sums;
use super::part::{Measured, PartResult};
use super::player::Signatures;
use crate::cli::JobOptions;
use crate::report::ceiling::CeilingSums;
use crate::runner::boards::BoardRange;
use crate::runner::games::play_games;
use crate::runner::interrupt;
use crate::runner::judged_game::judge_game;
use crate::runner::open_shares::OpenShares;

/// What measures the parts of ceilings.
pub struct CeilingParts {
    signatures: Signatures,
    jobs: JobOptions,
}

impl CeilingParts {
    /// As many games as `jobs` says are played at a time.
    pub fn new(jobs: JobOptions) -> CeilingParts {
        CeilingParts { signatures: Signatures::new(), jobs }
    }

    /// Plays a part and chooses its guesses again, unless it is `known` of the same play.
    ///
    /// # Errors
    /// Fails if a board cannot be made.
    pub fn measure(
        &mut self,
        ceiling: &Ceiling,
        part: BoardRange,
        known: &[Vec<String>],
    ) -> Result<PartResult> {
        let play = ceiling.signature_parts().map(|part| self.signatures.of(part)).to_vec();
        if known.contains(&play) {
            return Ok(PartResult::Known);
        }
        let Some(sums) = self.sums(ceiling, part)? else { return Ok(PartResult::Interrupted) };
        let sums = Sums::Ceiling(Box::new(sums));
        let ((first, last), boards) = (part, ceiling.games.options());
        let (effort, options) = (ceiling.step.effort, ceiling.options());
        let command =
            format!("judge ceiling {boards} --seeds {first}..{last} --effort {effort} {options}");
        Ok(PartResult::Measured(Measured { play, command, sums }))
    }

    /// The sums of a part; `None` after an interrupt.
    fn sums(&self, ceiling: &Ceiling, part: BoardRange) -> Result<Option<CeilingSums>> {
        let (boards, rule) = (ceiling.games.part_boards(part), ceiling.games.rule());
        let step = ceiling.step;
        let init = || {
            let engine = Engine::within(step.objective, step.effort.limits());
            (engine, SecondStepper::new(step, interrupt::is_requested))
        };
        let play = |(engine, stepper): &mut (Engine, SecondStepper), position| {
            interrupt::unless_requested(|| {
                let ((index, layout), started) = (boards.board(position)?, ThreadTime::now());
                let game = judge_game(engine, stepper, rule, index, &layout, OpenShares::ALL);
                Ok((game, started.elapsed().as_nanos() as u64))
            })
        };
        let mut sums = CeilingSums::default();
        let threads = self.jobs.count(None);
        let interrupted = play_games(threads, boards.len() as usize, init, play, |(game, ns)| {
            sums.add(&game, ns);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((!interrupted).then_some(sums))
    }
}
